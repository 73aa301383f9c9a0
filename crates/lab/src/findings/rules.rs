//! The forty mistakes, and what becomes of each: a rule with its threshold and the reason for it, or why one run cannot
//! show it. docs/method.md has this list, and a test holds the two together.

/// One mistake.
pub struct Rule {
    /// `M1` to `M40`.
    pub id: &'static str,
    /// The mistake in a few words.
    pub mistake: &'static str,
    /// What is done about it.
    pub kept: Kept,
}

/// What is done about a mistake.
pub enum Kept {
    /// A rule finds it.
    Rule {
        /// When it holds.
        threshold: &'static str,
        /// Why there.
        reason: &'static str,
        /// The test that plants it: a scenario of `xtask trust`, or a test by name.
        test: &'static str,
    },
    /// It cannot be seen in one run; who looks after it instead.
    Elsewhere(&'static str),
}

const fn rule(
    id: &'static str,
    mistake: &'static str,
    threshold: &'static str,
    reason: &'static str,
    test: &'static str,
) -> Rule {
    Rule { id, mistake, kept: Kept::Rule { threshold, reason, test } }
}

const fn elsewhere(id: &'static str, mistake: &'static str, why: &'static str) -> Rule {
    Rule { id, mistake, kept: Kept::Elsewhere(why) }
}

/// All forty.
pub const RULES: [Rule; 40] = [
    rule(
        "M1",
        "buffered I/O mistaken for device I/O",
        "storage served under 90 % of the bytes read (/proc/self/io), or had received under 90 % of the bytes written when the run ended (disk counters); or buffered writes without a sync whose median latency is under half of the device's time per write; B: buffered writes that are synced only at the end",
        "read-ahead and journals move less than a tenth; from half on, the run did not measure the device",
        "trust: page-cache",
    ),
    rule(
        "M2",
        "a cache below the application",
        "a layer saw less than half of what the layer above it did (process and device, loop device and its disk); or a physical rotational disk answers random reads in under 1 ms; or the result is over 1.05 times the capacity of the link",
        "layers without a cache agree within 1 %; half leaves room for other users of the lower layer",
        "trust: host-cache; turning_disks; links_are_told",
    ),
    rule(
        "M3",
        "region fits into a cache",
        "random direct I/O over at most 64 MiB, whose blocks are accessed four times or more",
        "the memory of any drive or controller holds 64 MiB",
        "trust: tiny-span",
    ),
    rule(
        "M4",
        "synchronous engine with a queue",
        "iodepth above 1 with an engine that holds one I/O",
        "by definition",
        "trust: sync-depth",
    ),
    rule(
        "M5",
        "submission blocks",
        "libaio without O_DIRECT and iodepth above 1; or over half of lat spent in the submit call with a mean above 20 us and under 80 % of the iodepth reached; or under 70 % of the iodepth reached for no known reason",
        "kernel AIO is asynchronous only with O_DIRECT; below 20 us a call costs as much as a copy from the cache",
        "trust: buffered-libaio",
    ),
    elsewhere(
        "M6",
        "depth too low for a network disk",
        "needs a second run at twice the depth: fathom explore",
    ),
    elsewhere("M7", "depth far above the knee", "needs a run at half the depth: fathom explore"),
    rule(
        "M8",
        "holes and unwritten extents",
        "over 1 % of a target that a job read (FIEMAP before the run), and the storage transferred under 99 % of the bytes read",
        "the file system answers these reads without the device; `fathom prefill` fills them",
        "trust: holes, fallocated",
    ),
    rule(
        "M9",
        "blocks of zeros",
        "over 20 % of up to 64 sampled blocks of a target that a job read; B where the lowest device transferred the bytes",
        "a drive answers unmapped blocks from its map; real data also contains some zeros",
        "trust: zeros",
    ),
    elsewhere(
        "M10",
        "a snapshot that is still being loaded",
        "needs a second access to the same blocks; `fathom doctor` names the volumes that may be loading",
    ),
    rule(
        "M11",
        "compressible data",
        "20 % or more of the data written is zeros, a pattern or a repetition of earlier data; or a compressing device reports it (zram's mm_stat)",
        "random data does not compress; below a fifth the effect is smaller than other variation",
        "trust: compressible-zram, compressible-btrfs",
    ),
    rule(
        "M12",
        "burst credits",
        "reads: the rate before the best split of the run is 1.25 times the rate after it, by means and by medians; the difference is three times the standard deviation of either side (five times that of the later side, where the earlier one is under a tenth of the run); and a straight line does not fit the rates better",
        "noise does not produce two such levels",
        "trust: burst",
    ),
    rule(
        "M13",
        "a write cache that fills",
        "writes: as M12",
        "one run cannot distinguish a write cache from burst credits",
        "trust: write-cache",
    ),
    elsewhere(
        "M14",
        "no preconditioning",
        "the earlier state of a drive cannot be read from it; `fathom doctor` says what to do first",
    ),
    rule(
        "M15",
        "not steady",
        "five equal parts of the run: range over 20 % and slope over 10 % of their mean, and no step",
        "SNIA's limits for a steady state; both must be exceeded, because one run is shorter than a SNIA round",
        "a_rate_that_falls_is_not_steady",
    ),
    rule(
        "M16",
        "a controller's write-back cache",
        "a physical rotational disk acknowledges random writes in under 1 ms at the median",
        "half a rotation takes 2 ms or more",
        "turning_disks",
    ),
    rule(
        "M17",
        "too short",
        "under 1000 I/Os; or a 95 % interval of the rate wider than 5 % either way (batch means of ten parts); or too short for an interval (under 1 s); B where the interval is at most 20 % either way",
        "a p99 of fewer I/Os has under ten I/Os beyond it; devices are commonly compared at differences of 5 %",
        "trust: too-short",
    ),
    rule(
        "M18",
        "size completed before the runtime",
        "ran for under 90 % of runtime without time_based, and nothing ended the run early",
        "by definition",
        "trust: size-ran-out",
    ),
    rule(
        "M19",
        "short stroke",
        "random I/O over under 5 % of a device that seeks: a physical rotational disk; or service times of 3 to 30 ms with a spread of 10 to 75 % of their mean (half of p84 minus p16), on a device that is not reported as non-rotational",
        "seeks within a twentieth of a disk are shorter than seeks over all of it; SSDs are faster, and latencies under a cap are either constant or bimodal",
        "trust: short-stroke",
    ),
    rule(
        "M20",
        "sequential jobs on the same bytes",
        "the regions of the clones add up to over 1.1 times the distinct bytes in them",
        "by definition; a tenth allows regions to touch",
        "trust: overlap",
    ),
    rule(
        "M21",
        "the same blocks again",
        "random I/O through the page cache that accesses every block twice or more on average",
        "the second access is served by the page cache",
        "trust: page-cache",
    ),
    rule(
        "M22",
        "load generator is the limit",
        "a load thread was busy for 90 % or more; or a quota (cpu.stat) or the hypervisor (steal) took over 5 % of the time; or a load thread waited for a free CPU for 10 % of the time (schedstat; C from 25 %)",
        "a thread reaches its limit before 100 %, because CPU time is counted in ticks of 4 ms",
        "trust: cpu-quota",
    ),
    rule(
        "M23",
        "cost of filling buffers",
        "refill_buffers or dedupe, and over 30 % user CPU time",
        "plain I/O takes a tenth of that",
        "filling_is_told",
    ),
    rule(
        "M24",
        "remote NUMA node",
        "the device's node has none of the CPUs that the job may use",
        "by definition",
        "far_nodes_are_told",
    ),
    rule(
        "M25",
        "degraded link",
        "a PCIe link with fewer or slower lanes than the disk has, or a SATA port with a lowered speed; a result over 1.05 times the capacity of the link is M2",
        "by definition",
        "links_are_told",
    ),
    rule(
        "M26",
        "misaligned",
        "a partition whose start is not a multiple of 4096 or of the physical sector; a dm or md device that the kernel reports as misaligned; writes smaller than the largest sector in the stack; or random buffered writes smaller than a page",
        "each such write needs a read first",
        "trust: misaligned-partition, partial-sector",
    ),
    rule(
        "M27",
        "split and merged requests",
        "the device did 1.5 times the job's I/Os or more, or (for blocks under 64 KiB) half of them or fewer, and transferred the same bytes within 10 %",
        "the job's IOPS are then not the device's; for large blocks bandwidth is quoted",
        "trust: split, merged",
    ),
    rule(
        "M28",
        "util read as saturation",
        "busy 95 % or more with 1.5 or more requests in flight on average; or a device that held under a third of the I/Os in flight and was idle for half of its time",
        "one request at a time is enough for 100 % util; a cap holds I/O back before the device counts it",
        "util_is_explained",
    ),
    rule(
        "M29",
        "a device without busy time",
        "10,000 I/Os or more in a busy time of zero",
        "even 100 ns per I/O would be visible",
        "util_is_explained",
    ),
    rule(
        "M30",
        "misleading mean",
        "mean over twice the median",
        "the mean is then not the latency of most I/Os",
        "trust: cap",
    ),
    rule(
        "M31",
        "coordinated omission",
        "nothing completes for 240 ms in windows that hold five I/Os or more at the median (C from 2 % of the run); or one I/O took half a second or more and a hundred times the median",
        "a closed loop issues no I/O meanwhile",
        "a_stall_is_told",
    ),
    rule(
        "M32",
        "other load",
        "the device, or the device under a loop device or partition, did over 2 % and 4 MiB more than the job's I/O (direct I/O; writes by a file system beside the job's writes count above a quarter of the job's and 64 KiB per sync, on ext and XFS without data=journal; C where other load did a fifth); or an array was rebuilding",
        "metadata stays below these limits",
        "trust: other-load",
    ),
    rule(
        "M33",
        "a cap",
        "a limit of this process's control groups within 15 % of the result, unless the jobs were asked for that rate. Probable (B): direct I/Os without syncs take either under 5 ms or 20 to 200 ms, few are between (a tenth of the slow ones); the slow ones are alike (p90 at most 1.5 times p10) and account for most of the time (mean three times the median); there are ten or more of them per I/O in flight; and the number of I/Os never deviated from a constant rate by more than the I/Os between two waits",
        "throttling lets one slice through at the start, so short runs read high; a limit in slices of 100 ms has this shape, and its figure is the rate. A limit that spaces I/Os evenly looks like a slower device in one run",
        "trust: cap, hidden-limit",
    ),
    rule(
        "M34",
        "clock error",
        "over 1 % of direct I/Os on a physical disk take under 2 us",
        "a system call alone takes that long",
        "no_disk_answers_in_no_time",
    ),
    rule(
        "M35",
        "durability assumed",
        "writes without any sync, buffered or to a device with a volatile cache (write back)",
        "data that a power failure would lose is not durable",
        "trust: no-fsync",
    ),
    elsewhere("M36", "idle states", "needs the same load at two rates; `fathom doctor` names the governor"),
    elsewhere(
        "M37",
        "units",
        "every report shows both decimal and binary units; JSON has bytes and nanoseconds",
    ),
    rule(
        "M38",
        "state carried over",
        "a sequential read of data that an earlier job of the run wrote at random",
        "order and fragmentation remain",
        "trust: state-carried",
    ),
    rule(
        "M39",
        "full or copy-on-write file system",
        "over 85 % used when written to; random writes on btrfs, zfs, bcachefs",
        "the run then measures allocation",
        "trust: compressible-btrfs",
    ),
    rule(
        "M40",
        "random faster than sequential",
        "over 1.2 times, same size, depth, direction and target in one run",
        "no device does that by itself",
        "random_that_beats_sequential_is_told",
    ),
];
