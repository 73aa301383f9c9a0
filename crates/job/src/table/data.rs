//! Rows of the options for buffers and verification.

use crate::bad_value::BadValue;
use crate::option::*;
use crate::spec::*;
use crate::value::*;

const DEDUPE: &[Choice] = &[
    choice("repeat", "repeat previous page"),
    choice(
        "working_set",
        "choose a page randomly from limited working set defined in dedupe_working_set_percentage",
    ),
];

/// Sets `buffer_pattern` and turns `scramble_buffers` off; a later `scramble_buffers` turns scrambling on again, as in
/// fio.
fn set_buffer_pattern(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    job.scramble_buffers = Some(false);
    store(&mut job.buffer_pattern, value)
}

const MEMORY: &[Choice] = &[
    choice("malloc", "ordinary memory"),
    choice("shm", "a System V shared memory segment"),
    choice("shmhuge", "the same of huge pages"),
    choice("mmap", "a mapping, anonymous or of a file"),
    choice("mmapshared", "a shared mapping"),
    choice("mmaphuge", "a mapping of huge pages"),
];

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "zero_buffers",
        section: Section::Buffers,
        kind: Kind::Flag,
        help: "Write zeros",
        example: "1",
        ..field!(zero_buffers)
    },
    Opt {
        name: "refill_buffers",
        section: Section::Buffers,
        kind: Kind::Flag,
        help: "Fresh random bytes before each write",
        example: "1",
        ..field!(refill_buffers)
    },
    Opt {
        name: "scramble_buffers",
        section: Section::Buffers,
        kind: Kind::Bool,
        default: "1",
        help: "Change a few bytes of each 512 before each write",
        example: "0",
        ..field!(scramble_buffers)
    },
    Opt {
        name: "buffer_compress_percentage",
        section: Section::Buffers,
        kind: Kind::Int { min: 0, max: 100 },
        help: "Percent of each chunk that compresses away",
        example: "50",
        compat: Compat::Differs(
            "0 writes fresh random bytes before each write, as fio's manual says; fio 3.33 writes one random block again and again",
        ),
        ..field!(buffer_compress_percentage)
    },
    Opt {
        name: "buffer_compress_chunk",
        section: Section::Buffers,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "512",
        help: "Bytes of such a chunk; 0 = the block",
        example: "4k",
        ..field!(buffer_compress_chunk)
    },
    Opt {
        name: "mem",
        aliases: &["iomem"],
        section: Section::Buffers,
        kind: Kind::Choice { choices: MEMORY, tail: true },
        default: "malloc",
        help: "Memory of I/O buffers; behind mmap, mmapshared, mmaphuge a file may follow, mmap:FILE",
        example: "mmapshared",
        compat: Compat::Differs(
            "malloc is an anonymous mapping; of mmap:FILE only the place is taken: the file has no name, and one that is there is neither mapped nor deleted; mmapshared:FILE and mmaphuge:FILE work (fio does not give the file its length)",
        ),
        ..field!(mem)
    },
    Opt {
        name: "iomem_align",
        aliases: &["mem_align"],
        section: Section::Buffers,
        kind: Kind::Int { min: 0, max: u32::MAX as i64 },
        default: "0",
        help: "The first buffer begins at a multiple of this",
        example: "64k",
        ..field!(iomem_align)
    },
    Opt {
        name: "hugepage-size",
        section: Section::Buffers,
        kind: Kind::Int { min: 0, max: u32::MAX as i64 },
        default: "2097152",
        help: "What memory of huge pages is rounded up to",
        example: "4m",
        ..field!(hugepage_size)
    },
    Opt {
        name: "buffer_pattern",
        section: Section::Buffers,
        kind: Kind::Pattern,
        help: "Write these bytes, repeated from the start of each block",
        doc: "`\"text\"`, `0xHEX` (bytes as written), decimal numbers (lowest byte first, as many bytes as needed; below zero four) and `'file'` may be joined, 512 bytes in all; of a file as much is taken as there is room for. It switches scramble_buffers off; one that is typed later switches it on again. With buffer_compress_percentage it takes the place of the zeros.",
        example: "0xdeadface\"abcd\"-12",
        set: set_buffer_pattern,
        get: get!(buffer_pattern),
        ..OPT
    },
    Opt {
        name: "dedupe_percentage",
        section: Section::Buffers,
        kind: Kind::Int { min: 0, max: 100 },
        help: "Percent of the blocks that repeat another one",
        doc: "A block is cut into pieces of the smallest block size that is written. Switches refill_buffers on.",
        example: "30",
        ..field!(dedupe_percentage)
    },
    Opt {
        name: "dedupe_mode",
        section: Section::Buffers,
        kind: Kind::Choice { choices: DEDUPE, tail: false },
        default: "repeat",
        help: "Which block is repeated",
        example: "working_set",
        ..field!(dedupe_mode)
    },
    Opt {
        name: "dedupe_working_set_percentage",
        section: Section::Buffers,
        kind: Kind::Int { min: 0, max: 100 },
        default: "5",
        help: "The working set's percent of the size",
        example: "10",
        ..field!(dedupe_working_set_percentage)
    },
    Opt {
        name: "dedupe_global",
        section: Section::Buffers,
        kind: Kind::Bool,
        default: "0",
        help: "One working set for all jobs that say so",
        example: "1",
        ..field!(dedupe_global)
    },
    Opt { name: "verify", section: Section::Verify, default: "0", help: "Check what was written", ..LATER },
    Opt {
        name: "do_verify",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Check what was written",
        ..LATER
    },
    Opt {
        name: "verify_only",
        section: Section::Verify,
        kind: Kind::Flag,
        help: "Skip writing, only check",
        ..LATER
    },
    Opt {
        name: "verify_interval",
        section: Section::Verify,
        kind: Kind::Int { min: 80, max: i64::MAX },
        help: "Header spacing",
        ..LATER
    },
    Opt {
        name: "verify_offset",
        section: Section::Verify,
        kind: Kind::Int { min: 40, max: i64::MAX },
        help: "Swap header to this offset inside interval",
        ..LATER
    },
    Opt { name: "verify_pattern", section: Section::Verify, help: "Data for pattern / pattern_hdr", ..LATER },
    Opt {
        name: "verify_pattern_interval",
        section: Section::Verify,
        default: "0",
        help: "Re-instantiate pattern every n bytes (useful with %o",
        ..LATER
    },
    Opt {
        name: "verify_fatal",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "0",
        help: "Stop at first mismatch",
        ..LATER
    },
    Opt {
        name: "verify_dump",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "0",
        help: "Write <file>.<offset>.received / .expected",
        ..LATER
    },
    Opt {
        name: "verify_async",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Checker threads",
        ..LATER
    },
    Opt { name: "verify_async_cpus", section: Section::Verify, help: "CPUs of the checker threads", ..LATER },
    Opt { name: "verify_backlog", section: Section::Verify, help: "CPUs of the checker threads", ..LATER },
    Opt {
        name: "verify_backlog_batch",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "How many to verify per round",
        ..LATER
    },
    Opt {
        name: "verify_policy",
        section: Section::Verify,
        default: "completed",
        help: "Which writes the saved state covers",
        ..LATER
    },
    Opt {
        name: "verify_state_save",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Write local-<job>-<idx>-verify.state at end of a writing verify job",
        ..LATER
    },
    Opt {
        name: "verify_state_load",
        section: Section::Verify,
        kind: Kind::Bool,
        help: "Limit read verification to state file",
        ..LATER
    },
    Opt {
        name: "verify_write_sequence",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Check per-block sequence number",
        ..LATER
    },
    Opt {
        name: "verify_header_seed",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Check header seed",
        ..LATER
    },
    Opt {
        name: "experimental_verify",
        section: Section::Verify,
        kind: Kind::Bool,
        help: "Replay generator instead of recording IOs",
        ..LATER
    },
    Opt { name: "verifysort", section: Section::Verify, help: "Removed option", ..LATER },
    Opt { name: "verifysort_nr", section: Section::Verify, help: "Removed option", ..LATER },
    Opt {
        name: "trim_percentage",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: 100 },
        default: "0",
        help: "Share of written+verified blocks that gets trimmed",
        ..LATER
    },
    Opt {
        name: "trim_verify_zero",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Check trimmed blocks read back zero",
        ..LATER
    },
    Opt { name: "trim_backlog", section: Section::Verify, help: "Trim after this many writes", ..LATER },
    Opt {
        name: "trim_backlog_batch",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "How many per round",
        ..LATER
    },
    Opt {
        name: "block_error_percentiles",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "0",
        help: "Trim-count-until-error percentiles",
        ..LATER
    },
];
