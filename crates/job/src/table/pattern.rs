//! Rows of the options for directions, sizes, offsets and block sizes.

use crate::access_spec;
use crate::bad_value::BadValue;
use crate::distribution;
use crate::option::*;
use crate::spec::*;
use crate::sync_range;
use crate::unit::LARGEST_BLOCK;
use crate::value::*;

const DIRECTIONS: &[Choice] = &[
    choice("read", "sequential reads"),
    choice("write", "sequential writes"),
    choice("trim", "sequential trims"),
    choice("randread", "random reads"),
    choice("randwrite", "random writes"),
    choice("randtrim", "random trims"),
    choice("rw", "sequential reads and writes"),
    choice("readwrite", "the same as rw"),
    choice("randrw", "random reads and writes"),
    choice("trimwrite", "trim a block, then write it"),
    choice("randtrimwrite", "the same in random order"),
];
const SEQUENCERS: &[Choice] =
    &[choice("sequential", "Generate sequential offsets"), choice("identical", "Generate identical offsets")];
const GENERATORS: &[Choice] = &[
    choice("tausworthe", "Strong Tausworthe generator"),
    choice("lfsr", "Variable length LFSR"),
    choice("tausworthe64", "64-bit Tausworthe variant"),
];
const LAWS: &[Choice] = &[
    choice("random", "Completely random"),
    choice("zipf", "Zipf distribution"),
    choice("pareto", "Pareto distribution"),
    choice("normal", "Normal (Gaussian) distribution"),
    choice("zoned", "Zoned random distribution"),
    choice("zoned_abs", "Zoned absolute random distribution"),
    choice("sequence", "Blocks by number, in the order of a list (newer than fio 3.33)"),
];
const SYNC: &[Choice] = &[
    choice("none", "no flag"),
    choice("0", "none"),
    choice("sync", "O_SYNC"),
    choice("1", "sync"),
    choice("dsync", "O_DSYNC"),
];

fn read_access_spec(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    if let Value::Text(text) = &value {
        access_spec::access_spec(text, job.base())?;
    }
    store(&mut job.access_spec, value)
}

fn set_rwmixwrite(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    store(&mut job.reads, value)?;
    job.reads = job.reads.map(|writes| 100 - writes);
    Ok(())
}

fn set_buffered(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    store(&mut job.direct, value)?;
    job.direct = job.direct.map(|buffered| !buffered);
    Ok(())
}

fn set_bs(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut list = None;
    store::<[Option<i64>; 3]>(&mut list, value)?;
    let bs = job.bs.get_or_insert_default();
    let named = bs.iter_mut().zip(list.unwrap_or_default()).filter(|(_, new)| new.is_some());
    named.for_each(|(old, new)| *old = new);
    Ok(())
}

/// Sets `bssplit` and the block size ranges. A later `bsrange` replaces the ranges; sizes are still drawn by `bssplit`.
fn set_bssplit(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut text: Option<String> = None;
    store(&mut text, value)?;
    let split = distribution::split(text.as_deref().unwrap_or_default(), job.base())?;
    let range = |split: &distribution::Split| {
        let sizes = || split.iter().map(|(size, _)| *size);
        Some((sizes().min()?, sizes().max()?))
    };
    job.set_blocks(split.each_ref().map(|split| split.as_ref().and_then(range)));
    job.bssplit = text;
    Ok(())
}

fn set_sync_file_range(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut text: Option<String> = None;
    store(&mut text, value)?;
    sync_range::sync_file_range(text.as_deref().unwrap_or_default())?;
    job.sync_file_range = text;
    Ok(())
}

fn set_bsrange(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut list = None;
    store::<[Option<(u64, u64)>; 3]>(&mut list, value)?;
    let list = list.unwrap_or_default();
    if let Some((_, high)) =
        list.iter().flatten().find(|(_, high)| *high > LARGEST_BLOCK as u64 || *high == 0)
    {
        return Err(BadValue::BlockSize { bytes: (*high).into(), most: LARGEST_BLOCK });
    }
    // Sizes cannot be drawn from a lower end of 0: fio then uses the upper end.
    job.set_blocks(list.map(|range| range.map(|(low, high)| (if low == 0 { high } else { low }, high))));
    Ok(())
}

fn set_distribution(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut chosen: Option<Chosen> = None;
    store(&mut chosen, value)?;
    if let Some(chosen) = &chosen {
        distribution::law(chosen, job.base())?;
    }
    job.random_distribution = chosen;
    Ok(())
}

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "rw",
        aliases: &["readwrite"],
        section: Section::Pattern,
        kind: Kind::Choice { choices: DIRECTIONS, tail: true },
        default: "read",
        help: "Direction and order",
        doc: "After a colon: bytes to skip after each sequential I/O (`read:8k`), or the number of I/Os per random draw (`randread:8`).",
        example: "randwrite",
        ..field!(rw)
    },
    Opt {
        name: "rwmixread",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: 100 },
        default: "50",
        help: "Percent of reads in a mixed job",
        example: "70",
        set: |job, value| store(&mut job.reads, value),
        get: |job| job.reads.as_ref().map(FieldValue::value),
        ..OPT
    },
    Opt {
        name: "rwmixwrite",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: 100 },
        default: "50",
        help: "Percent of writes in a mixed job",
        example: "30",
        set: set_rwmixwrite,
        get: |job| job.reads.map(|reads| Value::Int(100 - reads)),
        ..OPT
    },
    Opt {
        name: "direct",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "O_DIRECT: past the page cache",
        example: "1",
        ..field!(direct)
    },
    Opt {
        name: "buffered",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "1",
        help: "The opposite of direct; the later one wins",
        example: "0",
        set: set_buffered,
        get: |job| job.direct.map(|direct| Value::Bool(!direct)),
        ..OPT
    },
    Opt {
        name: "sync",
        section: Section::Pattern,
        kind: Kind::Choice { choices: SYNC, tail: false },
        default: "none",
        help: "Open with O_SYNC or O_DSYNC",
        example: "dsync",
        ..field!(sync)
    },
    Opt {
        name: "fsync",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "fsync after every so many writes; 0 = never",
        example: "32",
        ..field!(fsync)
    },
    Opt {
        name: "fdatasync",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "fdatasync after every so many writes; 0 = never",
        example: "32",
        ..field!(fdatasync)
    },
    Opt {
        name: "end_fsync",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "fsync when the job has written all",
        example: "1",
        ..field!(end_fsync)
    },
    Opt {
        name: "fsync_on_close",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "fsync a dirty file when it is closed",
        example: "1",
        ..field!(fsync_on_close)
    },
    Opt {
        name: "size",
        section: Section::Pattern,
        kind: Kind::Size,
        help: "Bytes of the region per clone, or percent of file or device",
        doc: "Divided between the files. Default: all of what is there.",
        example: "64m",
        ..field!(size)
    },
    Opt {
        name: "io_size",
        aliases: &["io_limit"],
        section: Section::Pattern,
        kind: Kind::Size,
        help: "Bytes to move per clone; default: size",
        example: "128m",
        ..field!(io_size)
    },
    Opt {
        name: "offset",
        aliases: &["fileoffset"],
        section: Section::Pattern,
        kind: Kind::Size,
        default: "0",
        help: "Where the region begins",
        example: "1m",
        ..field!(offset)
    },
    Opt {
        name: "offset_align",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "A percent offset is rounded up to a multiple of this",
        example: "1m",
        ..field!(offset_align)
    },
    Opt {
        name: "offset_increment",
        section: Section::Pattern,
        kind: Kind::Size,
        default: "0",
        help: "Added to offset times the number of the clone",
        example: "16m",
        ..field!(offset_increment)
    },
    Opt {
        name: "number_ios",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Stop after so many I/Os; 0 = no limit",
        example: "1000",
        ..field!(number_ios)
    },
    Opt {
        name: "norandommap",
        section: Section::Pattern,
        kind: Kind::Flag,
        help: "Random blocks may repeat",
        doc: "Without it each block is visited exactly once per pass.",
        example: "1",
        ..field!(norandommap)
    },
    Opt {
        name: "randrepeat",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "1",
        help: "The same random numbers in every run",
        example: "0",
        ..field!(randrepeat)
    },
    Opt {
        name: "allrandrepeat",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "1",
        help: "The same as randrepeat, for every random stream",
        example: "1",
        ..field!(allrandrepeat)
    },
    Opt {
        name: "randseed",
        section: Section::Pattern,
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        default: "0x89",
        help: "Seed of the random numbers",
        example: "42",
        ..field!(randseed)
    },
    Opt {
        name: "bs",
        aliases: &["blocksize"],
        section: Section::Blocks,
        kind: Kind::Ints { min: 1, max: LARGEST_BLOCK },
        default: "4096",
        help: "Block size: read,write,trim",
        doc: "A missing later value copies the one before it; after a trailing comma it stays at the default.",
        example: "16k",
        set: set_bs,
        get: get!(bs),
        ..OPT
    },
    Opt {
        name: "bsrange",
        aliases: &["blocksize_range"],
        section: Section::Blocks,
        kind: Kind::Ranges,
        help: "Range of block sizes, multiples of its lower end",
        example: "1k-4k",
        set: set_bsrange,
        get: |job| job.block.map(Value::Ranges),
        ..OPT
    },
    Opt {
        name: "rw_sequencer",
        section: Section::Pattern,
        kind: Kind::Choice { choices: SEQUENCERS, tail: false },
        default: "sequential",
        help: "With rw=rand*:n the n I/Os of a run follow each other, or repeat one offset",
        example: "identical",
        ..field!(rw_sequencer)
    },
    Opt {
        name: "rwmixcycle",
        section: Section::Pattern,
        help: "Removed option",
        set: |_, _| Err(BadValue::Removed { option: "rwmixcycle", instead: "rwmixread" }),
        compat: Compat::Removed,
        ..OPT
    },
    Opt {
        name: "atomic",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "Write each block atomically (RWF_ATOMIC); implies direct",
        doc: "Engines pvsync2, libaio and io_uring. Blocks have to be powers of two within the limits that the device or the \
              file system reports (statx), at offsets that are multiples of the block. Reads are as without the option.",
        example: "1",
        compat: Compat::Differs(
            "as in newer fios; fio 3.33 opens with a flag that Linux ignores. A file whose writes cannot be atomic ends the job \
             before its first I/O; newer fios fail at the first write",
        ),
        ..field!(atomic)
    },
    Opt {
        name: "sync_file_range",
        section: Section::Pattern,
        help: "sync_file_range after every so many writes: FLAGS:N",
        doc: "Flags are wait_before, write and wait_after, joined by commas. The range is that of what was written to the file \
              since it was last synced, from the lowest to the highest byte; where nothing was, no call is made. Without `:N` \
              each write is followed by one. Where fsync or fdatasync are due too, only these are done.",
        example: "write:8",
        set: set_sync_file_range,
        get: get!(sync_file_range),
        compat: Compat::Differs(
            "counted under `sync`; fio 3.33 counts it as a short write. Beyond depth 1 the range has in it what is still being \
             written, and the next one has that again",
        ),
        ..OPT
    },
    Opt {
        name: "write_barrier",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Mark every n-th write as barrier",
        doc: "No engine knows barriers, of fio's neither: the writes are the same.",
        example: "8",
        ..field!(write_barrier)
    },
    Opt {
        name: "end_syncfs",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "At the end, syncfs of the file systems of all files rather than fsync of each",
        example: "1",
        compat: Compat::Newer,
        ..field!(end_syncfs)
    },
    Opt {
        name: "num_range",
        section: Section::Pattern,
        kind: Kind::Int { min: 1, max: 256 },
        default: "1",
        help: "Ranges per trim, each of one block",
        doc: "For jobs that only trim, with io_uring_cmd: a trim is one Dataset Management command with up to this number of ranges of `bs` bytes, whose offsets are drawn as those of single trims. It counts as one I/O of the bytes of its ranges. Logs of I/Os show the offset of its first range; write_iolog has a line per range. The last trim of a pass may have fewer ranges.",
        example: "16",
        compat: Compat::Newer,
        ..field!(num_range)
    },
    Opt {
        name: "softrandommap",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "Go on without the random map where there is no memory for it",
        doc: "The map of one block size needs none: with such a job there is nothing to go without.",
        example: "1",
        ..field!(softrandommap)
    },
    Opt {
        name: "random_generator",
        section: Section::Pattern,
        kind: Kind::Choice { choices: GENERATORS, tail: false },
        default: "tausworthe",
        help: "Generator of random offsets",
        doc: "`lfsr` visits each place once, with norandommap too.",
        example: "lfsr",
        compat: Compat::Differs(
            "one generator (xoshiro256++) with any of the names: the same laws, other numbers; fio's lfsr repeats its order in each pass",
        ),
        ..field!(random_generator)
    },
    Opt {
        name: "random_distribution",
        section: Section::Pattern,
        kind: Kind::Choice { choices: LAWS, tail: true },
        default: "random",
        help: "Law of random offsets: zipf:THETA[:CENTER], pareto:H[:CENTER], normal:PERCENT[:CENTER], zoned:ACCESS/AREA:..., zoned_abs:ACCESS/SIZE:..., sequence:BLOCK,BLOCK,...",
        doc: "Any other than random turns the random map off. A center is the place of the hottest block, 0 to 1.",
        example: "zipf:1.2",
        set: set_distribution,
        get: get!(random_distribution),
        ..OPT
    },
    Opt {
        name: "random_sequence_stride",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "With random_distribution=sequence: each pass over the list begins behind the one before",
        doc: "It begins as many blocks further on as the list is long. The job ends at the first block that lies beyond the end.",
        example: "1",
        compat: Compat::Newer,
        ..field!(random_sequence_stride)
    },
    Opt {
        name: "percentage_random",
        section: Section::Pattern,
        kind: Kind::Ints { min: 0, max: 100 },
        default: "100,100,100",
        help: "Percent of a random job's I/Os that are random; the others follow the one before: read,write,trim",
        example: "80",
        ..field!(percentage_random)
    },
    Opt {
        name: "percentage_sequential",
        section: Section::Pattern,
        help: "Removed option",
        set: |_, _| Err(BadValue::Removed { option: "percentage_sequential", instead: "percentage_random" }),
        compat: Compat::Removed,
        ..OPT
    },
    Opt {
        name: "access_spec",
        section: Section::Pattern,
        help: "Lines of an access specification of Iometer, one drawn for each burst",
        doc: "`SIZE/SHARE[/READS[/RANDOM[/DELAY[/BURST[/ALIGN[/REPLY]]]]]]`, lines separated by colons, with shares that add up to 100. Each burst of BURST I/Os (default 1) belongs to a line that is drawn by the shares, after a pause of DELAY milliseconds. READS percent of the I/Os read (default 100), RANDOM percent begin at a random multiple of ALIGN bytes (default 100; 0: of a sector), the others where the I/O before them ended. With REPLY, an I/O of so many bytes in the opposite direction follows each I/O. One file or device; rw, bs and other options of the pattern are an error (docs/iometer.md).",
        example: "4k/60/67/100:64k/40/50/0",
        set: read_access_spec,
        get: get!(access_spec),
        compat: Compat::Ours,
        ..OPT
    },
    Opt {
        name: "sprandom",
        section: Section::Pattern,
        kind: Kind::Bool,
        default: "0",
        help: "Bring an SSD into the steady state of random writes in one pass over its physical space",
        doc: "Needs rw=randwrite with one block size and one file or device, which should be empty: trim or format it before. All blocks are written once in random order, and a share of them a second time, so that the blocks of the flash hold as many valid pages as in the steady state (docs/sprandom.md). size times (1 + spr_op) is written. Sets norandommap and random_generator=lfsr; any other generator is an error.",
        example: "1",
        compat: Compat::Newer,
        ..field!(sprandom)
    },
    Opt {
        name: "spr_num_regions",
        section: Section::Pattern,
        kind: Kind::Int { min: 1, max: 1 << 20 },
        default: "100",
        help: "Regions of sprandom, each with one share of blocks that are written again",
        doc: "More regions follow the steady state in smaller steps and need less memory: 8 bytes for each block that is written a second time in up to three regions.",
        example: "200",
        compat: Compat::Newer,
        ..field!(spr_num_regions)
    },
    Opt {
        name: "spr_op",
        section: Section::Pattern,
        kind: Kind::Floats { max: 1.0, count: 1 },
        default: "0.15",
        help: "Over-provisioning of the drive, above 0 and below 1, for sprandom",
        doc: "Physical space beyond the size of the drive, as a share of its size.",
        example: "0.28",
        compat: Compat::Newer,
        ..field!(spr_op)
    },
    Opt {
        name: "spr_cs",
        section: Section::Pattern,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Size of the drive's write cache in bytes, for sprandom",
        doc: "A second write that reaches a block while it is in the cache invalidates no page of the flash. With a cache, a region at least as large as the cache lies between the two writes of a block.",
        example: "256m",
        compat: Compat::Newer,
        ..field!(spr_cs)
    },
    Opt {
        name: "bssplit",
        section: Section::Blocks,
        help: "Block sizes and their shares in percent: read,write,trim",
        doc: "A percent that is left out, or 0, has its part of what the others leave.",
        example: "4k/60:16k/30:64k/10",
        set: set_bssplit,
        get: get!(bssplit),
        ..OPT
    },
    Opt {
        name: "bs_unaligned",
        aliases: &["blocksize_unaligned"],
        section: Section::Blocks,
        kind: Kind::Flag,
        help: "Any size of bsrange, not only multiples of its lower end",
        example: "1",
        ..field!(bs_unaligned)
    },
    Opt {
        name: "bs_is_seq_rand",
        section: Section::Blocks,
        kind: Kind::Bool,
        default: "0",
        help: "The first size is that of sequential I/Os, the second that of random ones",
        example: "1",
        compat: Compat::Differs(
            "with the random map and two different sizes fio ends a pass long before all is visited; ours goes on",
        ),
        ..field!(bs_is_seq_rand)
    },
    Opt {
        name: "ba",
        aliases: &["blockalign"],
        section: Section::Blocks,
        kind: Kind::Ints { min: 1, max: i64::MAX },
        help: "Random offsets are multiples of it: read,write,trim",
        doc: "Default: the smallest block. Any other value turns the random map off.",
        example: "8k",
        ..field!(ba)
    },
];
