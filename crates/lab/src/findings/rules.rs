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
        "buffered I/O taken for the disk",
        "storage served under 90 % of the bytes read (/proc/self/io), or had under 90 % of the bytes written when the run ended (disk counters); or buffered writes without a sync whose median is under half of what the device took for a write; B: buffered writes that are synced at the end alone",
        "a tenth is more than read-ahead and journals move; half and more is called not the device",
        "trust: page-cache",
    ),
    rule(
        "M2",
        "a cache below us",
        "a layer saw less than half of what the layer above it did (process and device, loop device and its disk), a real disk that turns answers random reads in under 1 ms, or the result is over 1.05 times what the link carries",
        "layers that hide nothing agree within 1 %; half leaves room for other users of the lower one",
        "trust: host-cache; turning_disks; links_are_told",
    ),
    rule(
        "M3",
        "span within a cache",
        "random direct I/O over at most 64 MiB, come by four times or more",
        "the memory of any drive or controller holds 64 MiB",
        "trust: tiny-span",
    ),
    rule(
        "M4",
        "synchronous engine with a queue",
        "iodepth above 1 and an engine that holds one",
        "by definition",
        "trust: sync-depth",
    ),
    rule(
        "M5",
        "submission blocks",
        "libaio without O_DIRECT and iodepth above 1; or over half of lat spent in the submit call, a mean above 20 us and under 80 % of the depth reached; or under 70 % reached for no reason known",
        "kernel AIO is asynchronous with O_DIRECT alone; below 20 us a call costs what a cached copy costs",
        "trust: buffered-libaio",
    ),
    elsewhere(
        "M6",
        "depth too low for a network disk",
        "needs a second run at twice the depth: a sweep's business",
    ),
    elsewhere("M7", "depth far above the knee", "needs a run at half the depth: a sweep's business"),
    rule(
        "M8",
        "holes and unwritten extents",
        "over 1 % of a target that a job read (FIEMAP before the run), and the storage moved under 99 % of what was read",
        "the file system answers them without the device; `fathom prefill` mends it",
        "trust: holes, fallocated",
    ),
    rule(
        "M9",
        "blocks of zeros",
        "over 20 % of up to 64 sampled blocks of a target that a job read; B where the lowest device moved the bytes",
        "a drive answers unmapped blocks from its map; real data has some zeros, too",
        "trust: zeros",
    ),
    elsewhere(
        "M10",
        "a snapshot that is still being loaded",
        "needs the second touch of the same blocks; `fathom doctor` names the volumes that may be",
    ),
    rule(
        "M11",
        "data that can be made smaller",
        "20 % and more of what is written is zeros, a pattern or written before, or a device that compresses says so itself (zram's mm_stat)",
        "noise compresses by nothing; below a fifth no figure moves by more than others do",
        "trust: compressible-zram, compressible-btrfs",
    ),
    rule(
        "M12",
        "burst credits",
        "reads: the rate before the best split of the run is 1.25 times that after it, by means and by medians, and their difference is three times the spread of either side (five times that of what follows, where the first is under a tenth of the run), and a straight line is no nearer to the rates",
        "two levels that noise does not make",
        "trust: burst",
    ),
    rule(
        "M13",
        "a write cache that fills",
        "writes: as M12",
        "from one run a cache and a credit look alike",
        "trust: write-cache",
    ),
    elsewhere(
        "M14",
        "no preconditioning",
        "which state a drive was in before cannot be read from it; `fathom doctor` says what to do first",
    ),
    rule(
        "M15",
        "not steady",
        "five equal parts of the run: range over 20 % and slope over 10 % of their mean, and no step",
        "SNIA's bounds of a steady state, both at once, for one run is shorter than a SNIA round",
        "a_rate_that_falls_is_not_steady",
    ),
    rule(
        "M16",
        "a controller's write-back cache",
        "a real disk that turns acknowledges random writes in under 1 ms at the median",
        "half a turn takes 2 ms and more",
        "turning_disks",
    ),
    rule(
        "M17",
        "too short",
        "under 1000 I/Os, or the 95 % interval of the rate wider than 5 % either way (batch means of ten parts), or too short to tell (under 1 s); B where the interval is at most 20 % either way",
        "a p99 of fewer has under ten I/Os beyond it; 5 % is what people compare devices by",
        "trust: too-short",
    ),
    rule(
        "M18",
        "the size ran out before the runtime",
        "ran for under 90 % of runtime without time_based, and nothing ended it early",
        "by definition",
        "trust: size-ran-out",
    ),
    rule(
        "M19",
        "short stroke",
        "random I/O over under 5 % of something that seeks: a real disk that turns, or service times of 3 to 30 ms that spread by 10 to 75 % of their mean (half of p84 less p16) on something that does not say that it is no rotating disk",
        "seeks within a twentieth are shorter than seeks over all; SSDs are faster and caps are either constant or bimodal",
        "trust: short-stroke",
    ),
    rule(
        "M20",
        "sequential jobs on the same bytes",
        "regions of clones add up to over 1.1 times the bytes in them",
        "by definition; a tenth lets regions touch",
        "trust: overlap",
    ),
    rule(
        "M21",
        "the same blocks again",
        "random I/O through the page cache, every block twice or more on average",
        "the second time is the cache's",
        "trust: page-cache",
    ),
    rule(
        "M22",
        "the generator is the limit",
        "a generator thread 90 % and more busy, over 5 % of the time taken by a quota (cpu.stat) or by the hypervisor (steal), or a generator thread that waited for a free CPU for 10 % of the time (schedstat; C from 25 %)",
        "a thread has nothing left to give before 100 %, for the tick that counts it is 4 ms",
        "trust: cpu-quota",
    ),
    rule(
        "M23",
        "filling buffers costs",
        "refill_buffers or dedupe, and over 30 % user CPU time",
        "plain I/O takes a tenth of that",
        "filling_is_told",
    ),
    rule(
        "M24",
        "far NUMA node",
        "the device's node has none of the CPUs that the job may use",
        "by definition",
        "far_nodes_are_told",
    ),
    rule(
        "M25",
        "degraded link",
        "a PCIe link of fewer or slower lanes than the disk has, or a SATA port held down; a result over 1.05 times what the link carries is M2",
        "by definition",
        "links_are_told",
    ),
    rule(
        "M26",
        "misaligned",
        "a partition whose start does not divide by 4096 or by the physical sector, a dm or md device of which the kernel says so; writes smaller than the largest sector in the stack, or random buffered writes smaller than a page",
        "each such write reads first",
        "trust: misaligned-partition, partial-sector",
    ),
    rule(
        "M27",
        "split and merged",
        "the device did 1.5 times our I/Os or more, or half of them or fewer for blocks under 64 KiB, and moved the same bytes within 10 %",
        "then our IOPS are not its; of large blocks bandwidth is quoted",
        "trust: split, merged",
    ),
    rule(
        "M28",
        "util read as saturation",
        "busy 95 % and more with 1.5 and more requests at once; or I/Os in flight of which the device held under a third, with half of its time idle",
        "one request at a time makes a busy device too; a cap holds I/O back before the device counts it",
        "util_is_explained",
    ),
    rule(
        "M29",
        "a device without an account",
        "10,000 I/Os and more in no time",
        "even 100 ns each would show",
        "util_is_explained",
    ),
    rule(
        "M30",
        "averages hide",
        "mean over twice the median",
        "then neither is what most I/Os took or waited for",
        "trust: cap",
    ),
    rule(
        "M31",
        "coordinated omission",
        "nothing completes for 240 ms in windows that hold five I/Os and more at the median (C from 2 % of the run); or an I/O of half a second and more that took a hundred times the median",
        "a closed loop sends nothing meanwhile",
        "a_stall_is_told",
    ),
    rule(
        "M32",
        "other load",
        "the device, or the one that a loop device or partition lies on, did over 2 % and 4 MiB more than is ours (direct I/O; of what a file system writes next to our writes a quarter of ours and 64 KiB a sync, on ext and XFS without data=journal; C where others did a fifth), or an array was rebuilding",
        "metadata stays below that",
        "trust: other-load",
    ),
    rule(
        "M33",
        "a cap",
        "a limit of this process's control groups within 15 % of what was measured; not where that is the rate that the jobs were asked for; probably also (B) where direct I/Os without syncs either took under 5 ms or waited 20 to 200 ms, few between (a tenth of those that waited), alike (p90 at most 1.5 times p10) for most of the time (mean three times the median), ten times and more for each in flight, and the number of I/Os was never further off an even rate than what passes between two waits",
        "throttling lets a slice through at the start, so short runs read high; a limit in slices of 100 ms looks so, and its figure is the rate. One that spaces I/Os evenly looks like a slower device in one run",
        "trust: cap, hidden-limit",
    ),
    rule(
        "M34",
        "clock trouble",
        "over 1 % of direct I/Os on a real disk in under 2 us",
        "a system call takes as long",
        "no_disk_answers_in_no_time",
    ),
    rule(
        "M35",
        "durability assumed",
        "writes without any sync, buffered or to a device whose cache is volatile (write back)",
        "what a loss of power takes away was not written",
        "trust: no-fsync",
    ),
    elsewhere("M36", "idle states", "needs the same load at two rates; `fathom doctor` names the governor"),
    elsewhere("M37", "units", "every report prints both families, JSON has bytes and nanoseconds"),
    rule(
        "M38",
        "state carried over",
        "a sequential read of what an earlier job of the run wrote at random",
        "order and fragments remain",
        "trust: state-carried",
    ),
    rule(
        "M39",
        "full or copying file system",
        "over 85 % used when written to; random writes on btrfs, zfs, bcachefs",
        "allocation is measured then",
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
