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

const METHODS: &[Choice] = &[
    choice("0", "Don't do IO verification"),
    choice("md5", "Use md5 checksums for verification"),
    choice("crc64", "Use crc64 checksums for verification"),
    choice("crc32", "Use crc32 checksums for verification"),
    choice("crc32c-intel", "Use crc32c checksums for verification (hw assisted, if available)"),
    choice("crc32c", "Use crc32c checksums for verification (hw assisted, if available)"),
    choice("crc16", "Use crc16 checksums for verification"),
    choice("crc7", "Use crc7 checksums for verification"),
    choice("sha1", "Use sha1 checksums for verification"),
    choice("sha256", "Use sha256 checksums for verification"),
    choice("sha512", "Use sha512 checksums for verification"),
    choice("sha3-224", "Use sha3-224 checksums for verification"),
    choice("sha3-256", "Use sha3-256 checksums for verification"),
    choice("sha3-384", "Use sha3-384 checksums for verification"),
    choice("sha3-512", "Use sha3-512 checksums for verification"),
    choice("xxhash", "Use xxhash checksums for verification"),
    choice(
        "meta",
        "Use io information for verification. Now is implied by default, thus option is obsolete, don't use it",
    ),
    choice("pattern", "Verify strict pattern"),
    choice("pattern_hdr", "Verify pattern with header"),
    choice("null", "Pretend to verify"),
];

const POLICIES: &[Choice] = &[
    choice("completed", "all completed writes"),
    choice("fsynced", "writes that had completed before the last completed sync was issued"),
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
    Opt {
        name: "verify",
        section: Section::Verify,
        kind: Kind::Choice { choices: METHODS, tail: true },
        default: "0",
        help: "Write data by which blocks can be verified, and check it",
        doc: "A job that writes reads its blocks back after each pass and checks them; a job that only reads checks the data \
              that an earlier job wrote. Except with `pattern` and `null`, each block begins with a header that contains its \
              offset, the number of its write and a checksum. Files of fio 3.33 and of fathom have the same layout.",
        example: "crc32c",
        compat: Compat::Differs(
            "blocks are read back in the order of their offsets, from the device instead of from the page cache, and what remains of an \
             overwritten block is checked, too; each damaged block is named; fio's `verify_only` takes the seeds of a file that fathom \
             wrote for wrong; sha512 also compares 32 bits of the real checksum, for fio's leaves out all but the ends of the data",
        ),
        ..field!(verify)
    },
    Opt {
        name: "do_verify",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Read the written blocks back and check them",
        example: "0",
        ..field!(do_verify)
    },
    Opt {
        name: "verify_only",
        section: Section::Verify,
        kind: Kind::Flag,
        help: "Write nothing, check what an earlier run of the same job wrote",
        example: "1",
        ..field!(verify_only)
    },
    Opt {
        name: "verify_interval",
        section: Section::Verify,
        kind: Kind::Int { min: 80, max: i64::MAX },
        help: "Distance between two headers in bytes; the default is the block size",
        doc: "An interval that does not divide all block sizes is replaced by their greatest common divisor.",
        example: "4k",
        ..field!(verify_interval)
    },
    Opt {
        name: "verify_offset",
        section: Section::Verify,
        kind: Kind::Int { min: 40, max: i64::MAX },
        help: "Place the header at this offset within its interval",
        example: "512",
        ..field!(verify_offset)
    },
    Opt {
        name: "verify_pattern",
        section: Section::Verify,
        kind: Kind::OffsetPattern,
        help: "Bytes to repeat over each block; `%o` is the offset of the block",
        doc: "Without `verify`, each block begins with a header and the rest is the pattern.",
        example: "0xdeadbeef%o",
        ..field!(verify_pattern)
    },
    Opt {
        name: "verify_pattern_interval",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Begin the pattern again after this number of bytes, with their own offset for `%o`; 0 = once per block",
        example: "512",
        compat: Compat::Newer,
        ..field!(verify_pattern_interval)
    },
    Opt {
        name: "verify_fatal",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "0",
        help: "End the job at the first block that does not match",
        example: "1",
        ..field!(verify_fatal)
    },
    Opt {
        name: "verify_dump",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "0",
        help: "Write each block that does not match to FILE.OFFSET.received, and what was expected to FILE.OFFSET.expected",
        example: "1",
        ..field!(verify_dump)
    },
    Opt {
        name: "verify_async",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Number of threads per clone that check blocks; 0 = the thread that does the I/O",
        doc: "The blocks are copied for them, into at most 2 n + 1 batches of 128 KiB or one block. This pays where a fast device delivers more than one CPU can check: with sha256 the thread that does the I/O reads 3.4 times as much in the same CPU time, with md5 5.7 times. With crc32c it reads less, because the copy costs more than the check.",
        example: "2",
        compat: Compat::Differs(
            "at most 1024; the CPU time of the job is that of the thread that does the I/O",
        ),
        ..field!(verify_async)
    },
    Opt {
        name: "verify_async_cpus",
        section: Section::Verify,
        kind: Kind::Cpus,
        help: "CPUs of the threads of verify_async",
        example: "0-1",
        ..field!(verify_async_cpus)
    },
    Opt {
        name: "verify_backlog",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Check blocks after this number of writes, not only at the end of the pass",
        example: "1024",
        ..field!(verify_backlog)
    },
    Opt {
        name: "verify_backlog_batch",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Number of blocks to check each time; the default is verify_backlog",
        example: "256",
        ..field!(verify_backlog_batch)
    },
    Opt {
        name: "verify_policy",
        section: Section::Verify,
        kind: Kind::Choice { choices: POLICIES, tail: false },
        default: "completed",
        help: "Writes that the saved state covers",
        example: "fsynced",
        compat: Compat::Newer,
        ..field!(verify_policy)
    },
    Opt {
        name: "verify_state_save",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Save the last writes of the job to local-NAME-INDEX-verify.state at its end",
        example: "0",
        ..field!(verify_state_save)
    },
    Opt {
        name: "verify_state_load",
        section: Section::Verify,
        kind: Kind::Bool,
        help: "Check only what the saved state says that was written",
        example: "1",
        compat: Compat::Differs("a job without a saved state fails; fio checks nothing and ends well"),
        ..field!(verify_state_load)
    },
    Opt {
        name: "verify_write_sequence",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Check the number of the write in the header",
        example: "0",
        doc: "The number is part of the seed that verify_header_seed compares; this option changes nothing.",
        compat: Compat::Newer,
        ..field!(verify_write_sequence)
    },
    Opt {
        name: "verify_header_seed",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Check the seed in the header",
        example: "0",
        compat: Compat::Newer,
        ..field!(verify_header_seed)
    },
    Opt {
        name: "experimental_verify",
        section: Section::Verify,
        kind: Kind::Bool,
        help: "Draw the same I/Os again to check them; fathom's memory does not depend on this",
        example: "1",
        compat: Compat::Accepted("the record of the writes takes four bytes per block either way"),
        ..field!(experimental_verify)
    },
    Opt {
        name: "verifysort",
        section: Section::Verify,
        help: "Removed: order in which blocks are read back",
        example: "1",
        compat: Compat::Accepted(
            "fio 3.33 has no such order any more, says that the option is deprecated and goes on",
        ),
        ..field!(verifysort)
    },
    Opt {
        name: "verifysort_nr",
        section: Section::Verify,
        help: "Removed: number of blocks that are sorted before they are read back",
        example: "1024",
        compat: Compat::Accepted(
            "fio 3.33 has no such order any more, says that the option is deprecated and goes on",
        ),
        ..field!(verifysort_nr)
    },
    Opt {
        name: "trim_percentage",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: 100 },
        default: "0",
        help: "Trim this share of the written blocks of a job that verifies, in percent",
        doc: "After every `trim_backlog` writes, and at the end of the pass, before blocks are read back.",
        example: "20",
        compat: Compat::Differs(
            "fio 3.33 trims nothing without trim_backlog, and ends with a failed assertion if `rw` has no trims; fathom trims the \
             blocks of any job that writes and verifies, and those that are left at the end of the pass",
        ),
        ..field!(trim_percentage)
    },
    Opt {
        name: "trim_verify_zero",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "1",
        help: "Check that blocks which trim_percentage trimmed contain only zeros",
        doc: "Not every device promises zeros, and the kernel does not know which do: with 0, trimmed blocks are not read back.",
        example: "0",
        ..field!(trim_verify_zero)
    },
    Opt {
        name: "trim_backlog",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Trim blocks after this number of writes, not only at the end of the pass",
        example: "1024",
        compat: Compat::Differs(
            "the trims of a batch follow each other; fio 3.33 does some of them between the following writes, and may leave out the last ones",
        ),
        ..field!(trim_backlog)
    },
    Opt {
        name: "trim_backlog_batch",
        section: Section::Verify,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Number of blocks to trim each time; the default is trim_backlog",
        example: "256",
        compat: Compat::Differs("trims that many blocks; fio 3.33 trims all that are marked"),
        ..field!(trim_backlog_batch)
    },
    Opt {
        name: "block_error_percentiles",
        section: Section::Verify,
        kind: Kind::Bool,
        default: "0",
        help: "Count the trims of each block until an error",
        example: "1",
        compat: Compat::Accepted(
            "fio 3.33 ends with a failed assertion after the first trim that succeeds, and prints only zeros otherwise",
        ),
        ..field!(block_error_percentiles)
    },
];
