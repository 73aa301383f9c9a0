//! Rows of the options of the simulated device.

use crate::bad_value::BadValue;
use crate::model;
use crate::option::*;
use crate::spec::*;
use crate::value::*;

/// Expands to a setter that checks the text with a reader of `model`, so that an error has the place of the option.
macro_rules! read {
    ($field:ident, $read:expr) => {
        |job, value| {
            if let Value::Text(text) = &value {
                let read: fn(&str, u32) -> Result<(), BadValue> = $read;
                read(text, job.base())?;
            }
            store(&mut job.$field, value)
        }
    };
}

/// Values shared by all rows of this file.
const MODEL: Opt = Opt { section: Section::Engine, engines: &["model"], compat: Compat::Ours, ..OPT };

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "model_servers",
        kind: Kind::Int { min: 1, max: 1 << 20 },
        default: "1",
        help: "Requests that the simulated device serves in parallel",
        example: "8",
        set: set!(model_servers),
        get: get!(model_servers),
        ..MODEL
    },
    Opt {
        name: "model_law",
        default: "constant:100us",
        help: "Law of its service time",
        doc: "`constant:T`, `uniform:A-B`, `exponential:MEAN`, or `mixture:PERCENT/T:PERCENT/T:...` with percents adding up to 100.",
        example: "mixture:90/10ms:10/100ms",
        set: read!(model_law, |text, _| model::service_law(text).map(drop)),
        get: get!(model_law),
        ..MODEL
    },
    Opt {
        name: "model_transfer",
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Bytes per second that each of its servers moves",
        doc: "A service is longer by the bytes of its request over this; 0: bytes cost nothing.",
        example: "200m",
        set: set!(model_transfer),
        get: get!(model_transfer),
        ..MODEL
    },
    Opt {
        name: "model_iops",
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "I/Os per second that it lets in",
        doc: "Evenly spaced, without a burst, before they come to a server; 0: any number. With model_burst this is the rate while there is credit.",
        example: "500",
        set: set!(model_iops),
        get: get!(model_iops),
        ..MODEL
    },
    Opt {
        name: "model_bw",
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Bytes per second that it lets in",
        doc: "As model_iops: a request is let in when the bytes of the one before have had their time.",
        example: "32m",
        set: set!(model_bw),
        get: get!(model_bw),
        ..MODEL
    },
    Opt {
        name: "model_burst",
        help: "Credits: how many I/Os, and how many come back per second",
        doc: "`IOS:BASE`. Each I/O takes a credit; without one it waits, so that in the long run there are BASE I/Os per second. The bucket is full at first.",
        example: "5000:100",
        set: read!(model_burst, |text, base| model::burst(text, base).map(drop)),
        get: get!(model_burst),
        ..MODEL
    },
    Opt {
        name: "model_cache",
        help: "A write cache: bytes, bytes per second that leave it, time of a write into it",
        doc: "`BYTES:BYTES_PER_SECOND[:TIME]`. Writes come to no server: for which there is room they take TIME (a number alone is nanoseconds; default 50us), others wait until there is.",
        example: "1g:200m:50us",
        set: read!(model_cache, |text, base| model::write_cache(text, base).map(drop)),
        get: get!(model_cache),
        ..MODEL
    },
    Opt {
        name: "model_cliff",
        help: "After so many bytes written, writes take so many times as long",
        doc: "`BYTES:FACTOR`, counted from the device's beginning. With model_cache the cache drains so many times as slowly.",
        example: "10g:4",
        set: read!(model_cliff, |text, base| model::cliff(text, base).map(drop)),
        get: get!(model_cliff),
        ..MODEL
    },
    Opt {
        name: "model_drift",
        kind: Kind::Floats { max: 1e6, count: 1 },
        default: "0",
        help: "Percent by which its service time grows per second",
        doc: "Of the service time at first, by the device's own time.",
        example: "0.5",
        set: set!(model_drift),
        get: get!(model_drift),
        ..MODEL
    },
    Opt {
        name: "model_step",
        help: "From which moment on it does which share of its rate",
        doc: "`TIME:SHARE`: from TIME on, by the device's own time, its services take 1/SHARE times as long, and its caps (model_iops, model_bw) let that share in. A share above 1 makes it faster. A number alone is seconds.",
        example: "60s:0.4",
        set: read!(model_step, |text, _| model::step(text).map(drop)),
        get: get!(model_step),
        ..MODEL
    },
    Opt {
        name: "model_stall",
        help: "How often it stops, and for how long",
        doc: "`EVERY:FOR`: at the end of each period of EVERY nothing is served for FOR. A number alone is seconds.",
        example: "5s:200ms",
        set: read!(model_stall, |text, _| model::stall(text).map(drop)),
        get: get!(model_stall),
        ..MODEL
    },
    Opt {
        name: "model_disk",
        help: "A head: time of a full seek, of a rotation, requests it may reorder, bytes",
        doc: "`FULL_SEEK:ROTATION[:QUEUE[:BYTES]]`, beside model_law. A seek takes FULL_SEEK times the square root of the distance over the size, and then the platter turns by something between nothing and ROTATION; what follows the request served last needs neither. Of the first QUEUE (default 32) requests that wait, the cheapest is served next. The files of the jobs lie one behind the other; BYTES is the size of the device if it is not theirs. A number alone is nanoseconds. There is one head: not with model_servers.",
        example: "16ms:8300us:32:1t",
        set: read!(model_disk, |text, base| model::disk(text, base).map(drop)),
        get: get!(model_disk),
        ..MODEL
    },
    Opt {
        name: "model_cpu",
        kind: Kind::Time { unit: 1 },
        default: "0",
        help: "CPU time that a job spends on an I/O, before the device sees it",
        doc: "Part of slat, and counted as CPU time of the job. A number alone is nanoseconds.",
        example: "2us",
        set: set!(model_cpu),
        get: get!(model_cpu),
        ..MODEL
    },
    Opt {
        name: "model_cores",
        kind: Kind::Int { min: 0, max: 1 << 20 },
        default: "0",
        help: "CPUs that the jobs share",
        doc: "Of more jobs than that, each takes so much longer for an I/O (as threads of one core do); 0: each has its own.",
        example: "2",
        set: set!(model_cores),
        get: get!(model_cores),
        ..MODEL
    },
    Opt {
        name: "model_contention",
        kind: Kind::Floats { max: 1e6, count: 1 },
        default: "0",
        help: "Percent by which its service time grows per request that waits",
        doc: "Requests beyond model_servers slow it down: more in flight, fewer I/Os per second.",
        example: "1",
        set: set!(model_contention),
        get: get!(model_contention),
        ..MODEL
    },
    Opt {
        name: "model_hit",
        help: "Percent of the reads that a cache answers, and in what time",
        doc: "`PERCENT:TIME`, drawn for each read; no server sees it. A number alone is nanoseconds.",
        example: "30:20us",
        set: read!(model_hit, |text, _| model::hit(text).map(drop)),
        get: get!(model_hit),
        ..MODEL
    },
    Opt {
        name: "model_zone_size",
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Size of the zones of a zoned device, bytes; 0: the device has no zones",
        doc: "A write that does not begin at the write pointer of its zone, or does not fit into the zone, fails with EIO. All zones are empty at the start of a phase. Use it with zonemode=zbd.",
        example: "64m",
        set: set!(model_zone_size),
        get: get!(model_zone_size),
        ..MODEL
    },
    Opt {
        name: "model_zone_capacity",
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Writable bytes of each zone; 0 = the whole zone",
        example: "48m",
        set: set!(model_zone_capacity),
        get: get!(model_zone_capacity),
        ..MODEL
    },
    Opt {
        name: "model_open_zones",
        kind: Kind::Int { min: 0, max: 1 << 20 },
        default: "0",
        help: "Number of zones that may be partly written; 0 = any number",
        doc: "A write that would open one more zone fails with EIO.",
        example: "4",
        set: set!(model_open_zones),
        get: get!(model_open_zones),
        ..MODEL
    },
    Opt {
        name: "model_zone_errors",
        kind: Kind::Int { min: 0, max: 1 << 20 },
        default: "0",
        help: "Every n-th write to a zone fails after half of its bytes; 0 = none",
        doc: "The write fails with EIO, and the write pointer stays in the middle.",
        example: "100",
        set: set!(model_zone_errors),
        get: get!(model_zone_errors),
        ..MODEL
    },
    Opt {
        name: "model_ftl",
        help: "An SSD: its over-provisioning, pages of an erase block, bytes of a page",
        doc: "`OP[:PAGES[:PAGE]]` (default 256 pages of 4k): a flash translation layer with a page map and greedy garbage collection. OP is the space beyond the size of the device as a share of that size, as in spr_op. The files of the jobs lie one behind the other and are the device. A write that needs an erased block waits until the collection has moved the valid pages of the block with the fewest of them, and erased it; pages of the host and moved pages go to different blocks. Trims unmap pages. The state is kept from job to job of one run; a note and `fathom.flash` in JSON have the pages and erases of each group of jobs that ran together, and the write amplification. Memory: about 10 bytes per page, at most 268435456 physical pages. Not with model_cache, model_disk, model_zone_size.",
        example: "0.15:256:4k",
        set: read!(model_ftl, |text, base| model::ftl(text, base).map(drop)),
        get: get!(model_ftl),
        ..MODEL
    },
    Opt {
        name: "model_ftl_times",
        default: "500us:50us:3ms",
        help: "Times of its flash: to program a page, to read a page, to erase a block",
        doc: "`PROGRAM[:READ[:ERASE]]`, beside model_law, for each page of a request one after the other; model_servers requests are served at a time. Pages without data take no time to read. A number alone is nanoseconds.",
        example: "200us:40us:2ms",
        set: read!(model_ftl_times, |text, _| model::ftl_times(text).map(drop)),
        get: get!(model_ftl_times),
        ..MODEL
    },
    Opt {
        name: "model_surface",
        help: "Transfer rates of a disk: outermost and innermost zone, number of zones, shortest seek",
        doc: "`OUTER:INNER[:ZONES[:SETTLE]]` in bytes per second (default 16 zones of equal size, no SETTLE), instead of model_transfer. The square of the rate falls linearly from zone to zone, as on a platter with a constant recording density. With model_disk, a seek to another track takes SETTLE and the square root of the distance times the rest of FULL_SEEK, and the rotational latency follows from the angle of the platter: a track holds what is transferred in one rotation. A number alone for SETTLE is nanoseconds.",
        example: "250m:120m:16:1ms",
        set: read!(model_surface, |text, base| model::surface(text, base).map(drop)),
        get: get!(model_surface),
        ..MODEL
    },
    Opt {
        name: "model_slc",
        help: "An SLC cache: bytes, bytes per second into it, while it is full, and out of it at rest",
        doc: "`BYTES:FAST:FOLDING[:RECOVERY]`. Writes are transferred one after the other, at FAST while the cache has room and at FOLDING while it is full. It empties at RECOVERY (default FOLDING) only while nothing is written. Not with model_cache.",
        example: "40g:4g:1g:500m",
        set: read!(model_slc, |text, base| model::slc(text, base).map(drop)),
        get: get!(model_slc),
        ..MODEL
    },
    Opt {
        name: "model_read_cache",
        help: "Read cache of a controller: bytes, time of a hit, bytes of a line",
        doc: "`BYTES[:TIME[:LINE]]` (default 50us, 4k). A read of which all lines are in the cache takes TIME and comes to no server; others are taken into the cache, which replaces the line that was not used for the longest time. A number alone for TIME is nanoseconds. At most 4194304 lines.",
        example: "64m:60us:4k",
        set: read!(model_read_cache, |text, base| model::read_cache(text, base).map(drop)),
        get: get!(model_read_cache),
        ..MODEL
    },
];
