//! Rows of the options of engines for local storage; other engines are in `hardware.rs` and `network.rs`.

use crate::option::*;
use crate::spec::*;

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "fixedbufs",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Flag,
        help: "Registered buffers",
        example: "1",
        ..field!(fixedbufs)
    },
    Opt {
        name: "registerfiles",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Flag,
        help: "Registered files",
        example: "1",
        ..field!(registerfiles)
    },
    Opt {
        name: "nonvectored",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        default: "-1",
        help: "Plain read and write commands rather than vectored ones",
        example: "1",
        ..field!(nonvectored)
    },
    Opt {
        name: "null_jitter",
        section: Section::Engine,
        engines: &["null"],
        kind: Kind::Bool,
        default: "0",
        help: "Make every latency of the null engine differ",
        example: "1",
        compat: Compat::Ours,
        ..field!(null_jitter)
    },
    Opt {
        name: "cmdprio_percentage",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        kind: Kind::Ints { min: 0, max: 100 },
        help: "Share of IO issued with high IO priority",
        example: "50,20",
        ..field!(cmdprio_percentage)
    },
    Opt {
        name: "cmdprio_class",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        kind: Kind::Ints { min: 1, max: 3 },
        help: "I/O priority class of the prioritised I/Os",
        example: "2",
        ..field!(cmdprio_class)
    },
    Opt {
        name: "cmdprio_hint",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        kind: Kind::Ints { min: 0, max: 1023 },
        default: "0",
        help: "I/O priority hint of the prioritised I/Os",
        example: "2,1",
        compat: Compat::Newer,
        ..field!(cmdprio_hint)
    },
    Opt {
        name: "cmdprio",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        kind: Kind::Ints { min: 0, max: 7 },
        help: "I/O priority level of the prioritised I/Os",
        example: "3",
        ..field!(cmdprio)
    },
    Opt {
        name: "cmdprio_bssplit",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        help: "Priority share by block size",
        doc: "BS/PERCENT[/CLASS/LEVEL[/HINT]]:..., reads and writes apart by a comma. The hint is newer than fio 3.33.",
        example: "4k/50/1/3:16k/20",
        ..field!(cmdprio_bssplit)
    },
    Opt {
        name: "userspace_reap",
        section: Section::Engine,
        engines: &["libaio"],
        kind: Kind::Flag,
        help: "Completions are read from the ring in shared memory where enough lie there",
        example: "1",
        ..field!(userspace_reap)
    },
    Opt {
        name: "nowait",
        section: Section::Engine,
        engines: &["libaio", "io_uring", "io_uring_cmd", "pvsync2"],
        kind: Kind::Bool,
        help: "RWF_NOWAIT: an I/O that would wait fails with EAGAIN",
        example: "1",
        ..field!(nowait)
    },
    Opt {
        name: "libaio_vectored",
        section: Section::Engine,
        engines: &["libaio"],
        kind: Kind::Bool,
        default: "0",
        help: "preadv and pwritev commands instead of pread and pwrite",
        example: "1",
        compat: Compat::Newer,
        ..field!(libaio_vectored)
    },
    Opt {
        name: "hipri",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "pvsync2", "sg", "xnvme", "libblkio"],
        kind: Kind::Flag,
        help: "Polled completions (pvsync2: RWF_HIPRI)",
        example: "1",
        ..field!(hipri)
    },
    Opt {
        name: "sqthread_poll",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "xnvme"],
        kind: Kind::Flag,
        help: "A thread of the kernel submits",
        example: "1",
        compat: Compat::Differs(
            "the submit line of the report counts our calls, fio counts none; fio's lat is wrong here, ours is slat + clat",
        ),
        ..field!(sqthread_poll)
    },
    Opt {
        name: "sqthread_poll_cpu",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "CPU of that thread",
        example: "1",
        ..field!(sqthread_poll_cpu)
    },
    Opt {
        name: "force_async",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "Every n-th request goes to a worker of the kernel at once",
        example: "4",
        ..field!(force_async)
    },
    Opt {
        name: "uncached",
        section: Section::Engine,
        engines: &["io_uring", "pvsync2"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "RWF_DONTCACHE: buffered I/O leaves nothing in the page cache",
        example: "1",
        compat: Compat::Differs(
            "fio 3.33 sets the bit of an older proposal (0x40), which kernels today take for an atomic write and refuse",
        ),
        ..field!(uncached)
    },
    Opt {
        name: "hipri_percentage",
        section: Section::Engine,
        engines: &["pvsync2"],
        kind: Kind::Int { min: 0, max: 100 },
        default: "100",
        help: "Percent of the calls that get RWF_HIPRI, with hipri",
        example: "50",
        ..field!(hipri_percentage)
    },
    Opt {
        name: "thp",
        section: Section::Engine,
        engines: &["mmap"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "Huge pages, in a private mapping",
        doc: "The mapping is private, as fio makes it: what is written stays in memory.",
        example: "1",
        ..field!(thp)
    },
    Opt {
        name: "cpuload",
        section: Section::Engine,
        engines: &["cpuio"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Busy share of one CPU",
        doc: "Percent; needed. The job has no end of its own: give it a runtime, or exit_on_io_done.",
        example: "50",
        ..field!(cpuload)
    },
    Opt {
        name: "cpumode",
        section: Section::Engine,
        engines: &["cpuio"],
        kind: Kind::Choice {
            choices: &[choice("noop", "NOOP instructions"), choice("qsort", "QSORT computation")],
            tail: false,
        },
        default: "noop",
        help: "Kind of work",
        example: "qsort",
        ..field!(cpumode)
    },
    Opt {
        name: "cpuchunks",
        section: Section::Engine,
        engines: &["cpuio"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "50000",
        help: "Microseconds of work before each rest",
        example: "10000",
        ..field!(cpuchunks)
    },
    Opt {
        name: "exit_on_io_done",
        section: Section::Engine,
        engines: &["cpuio"],
        kind: Kind::Bool,
        default: "0",
        help: "End when the jobs that do I/O have ended",
        example: "1",
        ..field!(exit_on_io_done)
    },
    Opt {
        name: "program",
        section: Section::Engine,
        engines: &["exec"],
        help: "Program to start",
        doc: "Without runtime the job ends with the program; with runtime it lasts that long, and the program is ended when it is over.",
        example: "/bin/sleep",
        compat: Compat::Differs(
            "without runtime the job ends with its program (fio kills that at once and never ends); a program that cannot be started is the job's error, one that fails has a line on stderr",
        ),
        ..field!(program)
    },
    Opt {
        name: "arguments",
        section: Section::Engine,
        engines: &["exec"],
        help: "Arguments of the program, separated by blanks; %r is the runtime in seconds, %n the job's name",
        example: "60",
        ..field!(arguments)
    },
    Opt {
        name: "grace_time",
        section: Section::Engine,
        engines: &["exec"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Seconds between SIGTERM and SIGKILL when the runtime is over",
        example: "5",
        compat: Compat::Differs("a program that has ended is not waited for"),
        ..field!(grace_time)
    },
    Opt {
        name: "std_redirect",
        section: Section::Engine,
        engines: &["exec"],
        kind: Kind::Bool,
        default: "1",
        help: "What the program prints goes to the files JOBNAME.stdout and JOBNAME.stderr",
        example: "0",
        ..field!(std_redirect)
    },
    Opt {
        name: "stat_type",
        section: Section::Engine,
        engines: &["filestat", "dirstat"],
        kind: Kind::Choice {
            choices: &[choice("stat", "stat"), choice("lstat", "lstat"), choice("statx", "statx")],
            tail: false,
        },
        default: "stat",
        help: "Call that is made",
        example: "statx",
        ..field!(stat_type)
    },
];
