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
    later(Section::Verify, "verify", Kind::Text, "0", "Check what was written"),
    later(Section::Verify, "do_verify", Kind::Bool, "1", "Check what was written"),
    later(Section::Verify, "verify_only", Kind::Flag, "", "Skip writing, only check"),
    later(Section::Verify, "verify_interval", Kind::Int { min: 80, max: i64::MAX }, "", "Header spacing"),
    later(
        Section::Verify,
        "verify_offset",
        Kind::Int { min: 40, max: i64::MAX },
        "",
        "Swap header to this offset inside interval",
    ),
    later(Section::Verify, "verify_pattern", Kind::Text, "", "Data for pattern / pattern_hdr"),
    later(
        Section::Verify,
        "verify_pattern_interval",
        Kind::Text,
        "0",
        "Re-instantiate pattern every n bytes (useful with %o",
    ),
    later(Section::Verify, "verify_fatal", Kind::Bool, "0", "Stop at first mismatch"),
    later(Section::Verify, "verify_dump", Kind::Bool, "0", "Write <file>.<offset>.received / .expected"),
    later(Section::Verify, "verify_async", Kind::Int { min: 0, max: i64::MAX }, "0", "Checker threads"),
    later(Section::Verify, "verify_async_cpus", Kind::Text, "", "CPUs of the checker threads"),
    later(Section::Verify, "verify_backlog", Kind::Text, "", "CPUs of the checker threads"),
    later(
        Section::Verify,
        "verify_backlog_batch",
        Kind::Int { min: 0, max: i64::MAX },
        "",
        "How many to verify per round",
    ),
    later(Section::Verify, "verify_policy", Kind::Text, "completed", "Which writes the saved state covers"),
    later(
        Section::Verify,
        "verify_state_save",
        Kind::Bool,
        "1",
        "Write local-<job>-<idx>-verify.state at end of a writing verify job",
    ),
    later(Section::Verify, "verify_state_load", Kind::Bool, "", "Limit read verification to state file"),
    later(Section::Verify, "verify_write_sequence", Kind::Bool, "1", "Check per-block sequence number"),
    later(Section::Verify, "verify_header_seed", Kind::Bool, "1", "Check header seed"),
    later(
        Section::Verify,
        "experimental_verify",
        Kind::Bool,
        "",
        "Replay generator instead of recording IOs",
    ),
    later(Section::Verify, "verifysort", Kind::Text, "", "Removed option"),
    later(Section::Verify, "verifysort_nr", Kind::Text, "", "Removed option"),
    later(
        Section::Verify,
        "trim_percentage",
        Kind::Int { min: 0, max: 100 },
        "0",
        "Share of written+verified blocks that gets trimmed",
    ),
    later(Section::Verify, "trim_verify_zero", Kind::Bool, "1", "Check trimmed blocks read back zero"),
    later(Section::Verify, "trim_backlog", Kind::Text, "", "Trim after this many writes"),
    later(
        Section::Verify,
        "trim_backlog_batch",
        Kind::Int { min: 0, max: i64::MAX },
        "",
        "How many per round",
    ),
    later(Section::Verify, "block_error_percentiles", Kind::Bool, "0", "Trim-count-until-error percentiles"),
];
