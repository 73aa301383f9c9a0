//! Rows of the options for recording and replaying traces of I/O.

use crate::bad_value::BadValue;
use crate::option::*;
use crate::spec::*;
use crate::value::*;

fn set_align(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut align: Option<i64> = None;
    store(&mut align, value)?;
    if align.is_some_and(|align| align != 0 && !align.unsigned_abs().is_power_of_two()) {
        return Err(BadValue::NotAPowerOfTwo { option: "replay_align" });
    }
    job.replay_align = align;
    Ok(())
}

pub(super) const ROWS: &[Opt] = &[
    Opt {
        name: "write_iolog",
        section: Section::Trace,
        help: "Append the operations of the job to a trace that read_iolog replays",
        doc: "The trace is fio's format version 3: one line per operation with its time in microseconds. Each clone \
              writes a header of its own, so give each clone a file.",
        example: "/tmp/job.log",
        compat: Compat::Differs(
            "with read_iolog the replayed operations are recorded, which fio ignores; the offset of a sync is 0; \
             a `sync_file_range` is left out, which fio records but cannot replay; \
             a file stays open from pass to pass and until it is verified, where fio may close and open it; with its null engine and \
             several I/Os in flight, fio records each of them twice",
        ),
        ..field!(write_iolog)
    },
    Opt {
        name: "read_iolog",
        section: Section::Trace,
        kind: Kind::Paths,
        help: "Replay traces: fio's logs of version 2 and 3, blktrace files, or CSV of public collections",
        doc: "Files, directions, offsets, sizes and times come from the trace; size, bs, rw, loops and time_based have no \
              effect. Clones get the traces in turn. `-` is standard input. CSV of the MSR Cambridge, Alibaba, Tencent \
              CBS and SYSTOR '17 collections needs replay_redirect. Traces may be compressed with gzip. The trace is read twice: before the run all \
              lines are checked, and the files that would be written are checked like those of any other job.",
        example: "/tmp/job.log",
        compat: Compat::Differs(
            "a line that cannot be replayed ends the run before it starts, where fio skips it or crashes; the waits of \
             version 2 add up as the manual says, where fio 3.33 hangs after the second; trims are done, which fio 3.33 \
             drops; the bytes of I/Os in flight at the end count, which fio leaves out; due times are absolute, so delays do not add up; the header of an appended recording begins where the \
             recording before it ended",
        ),
        ..field!(read_iolog)
    },
    Opt {
        name: "read_iolog_chunked",
        section: Section::Trace,
        kind: Kind::Bool,
        default: "0",
        help: "Read a trace gradually",
        doc: "A trace is always read gradually, in bounded memory.",
        example: "1",
        compat: Compat::Accepted("every trace is read gradually"),
        ..field!(read_iolog_chunked)
    },
    Opt {
        name: "replay_no_stall",
        section: Section::Trace,
        kind: Kind::Bool,
        default: "0",
        help: "Replay a trace as fast as possible instead of at its own times",
        example: "1",
        ..field!(replay_no_stall)
    },
    Opt {
        name: "replay_redirect",
        section: Section::Trace,
        help: "File or device for all I/O of a trace",
        example: "/dev/sdb",
        ..field!(replay_redirect)
    },
    Opt {
        name: "replay_scale",
        section: Section::Trace,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Divide the offsets of a trace by this number",
        example: "2",
        ..field!(replay_scale)
    },
    Opt {
        name: "replay_align",
        section: Section::Trace,
        kind: Kind::Int { min: 0, max: 1 << 62 },
        help: "Round the offsets of a trace down to multiples of this power of two",
        example: "4k",
        set: set_align,
        get: get!(replay_align),
        ..OPT
    },
    Opt {
        name: "replay_time_scale",
        section: Section::Trace,
        kind: Kind::Int { min: 1, max: i64::MAX },
        default: "100",
        help: "Rate of the replay in percent of the rate of the trace",
        doc: "50 takes twice the time of the trace, 200 half of it.",
        example: "200",
        ..field!(replay_time_scale)
    },
    Opt {
        name: "replay_skip",
        section: Section::Trace,
        help: "Leave out reads, writes, trims or syncs of a trace",
        example: "read,sync",
        compat: Compat::Differs("applies to text logs too, where fio 3.33 ignores the option"),
        ..field!(replay_skip)
    },
    Opt {
        name: "merge_blktrace_file",
        section: Section::Trace,
        help: "Merge the blktrace files of read_iolog into this file and replay it",
        doc: "The merged file has the I/Os of all traces in the order of their times; each trace begins at time 0. All \
              clones replay it. An existing file is overwritten. Combine the files per CPU of one recording with \
              blkparse -d instead.",
        example: "/tmp/merged.bin",
        compat: Compat::Differs(
            "fio 3.33 merges no trace: it prints \"iolog short read\" and replays the first one",
        ),
        ..field!(merge_blktrace_file)
    },
    Opt {
        name: "merge_blktrace_scalars",
        section: Section::Trace,
        kind: Kind::Floats { max: 1e18, count: 64 },
        help: "Percentage of its time that each trace to merge takes",
        doc: "50 is half the time, twice the rate. One number above 0 for each trace of read_iolog [default: 100].",
        example: "50:100",
        compat: Compat::Differs("a wrong number of values ends the run, where fio replays the first trace"),
        ..field!(merge_blktrace_scalars)
    },
    Opt {
        name: "merge_blktrace_iters",
        section: Section::Trace,
        kind: Kind::Floats { max: 1e18, count: 64 },
        help: "Number of passes over each trace to merge",
        doc: "One whole number from 1 for each trace of read_iolog [default: 1]. A pass begins at the time of the last \
              I/O of the pass before.",
        example: "2:1",
        compat: Compat::Differs("a wrong number of values ends the run, where fio replays the first trace"),
        ..field!(merge_blktrace_iters)
    },
];
