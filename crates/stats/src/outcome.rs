//! The result of a run: what every renderer reads and what merges over threads, groups and hosts.

use crate::histogram::Histogram;
use crate::level::Levels;
use crate::moments::Moments;
use crate::note::Note;
use serde::{Deserialize, Serialize};

/// A data direction; `as usize` indexes every `[_; 3]` below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Trims (discards).
    Trim,
}

impl Direction {
    /// All, in index order.
    pub const ALL: [Direction; 3] = [Direction::Read, Direction::Write, Direction::Trim];

    /// `read`, `write` or `trim`.
    pub fn name(self) -> &'static str {
        ["read", "write", "trim"][self as usize]
    }
}

/// One latency of one direction, nanoseconds. `moments.n == 0` when it was not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Exact moments.
    pub moments: Moments,
    /// Buckets.
    pub histogram: Histogram,
}

impl Latency {
    /// Adds all observations of `other`.
    pub fn merge(&mut self, other: &Latency) {
        self.moments.merge(&other.moments);
        self.histogram.merge(&other.histogram);
    }
}

/// What one direction did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DirectionOutcome {
    /// Completed I/Os.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Milliseconds during which this direction ran (0 if it did not).
    pub runtime_ms: u64,
    /// I/Os issued (completed ones and those that failed).
    pub issued: u64,
    /// Short I/Os, continued.
    pub short: u64,
    /// Dropped I/Os.
    pub dropped: u64,
    /// Failed I/Os.
    pub errors: u64,
    /// Submission latency.
    pub slat: Latency,
    /// Completion latency.
    pub clat: Latency,
    /// Total latency.
    pub lat: Latency,
    /// Bandwidth samples, KiB/s.
    pub bw_samples: Moments,
    /// Rate samples, I/Os per second.
    pub iops_samples: Moments,
    /// Sum over merged members of each member's mean bandwidth sample, KiB/s. Equal to the mean for one member.
    pub bw_mean_sum: f64,
    /// Sum over merged members of each member's mean rate sample.
    pub iops_mean_sum: f64,
}

impl DirectionOutcome {
    /// Bytes per second over this direction's runtime; 0 without runtime.
    pub fn bytes_per_second(&self) -> u64 {
        if self.runtime_ms == 0 { 0 } else { (u128::from(self.bytes) * 1000 / u128::from(self.runtime_ms)) as u64 }
    }

    /// Completed I/Os per second over this direction's runtime; 0 without runtime.
    pub fn iops(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.ios as f64 / self.runtime_ms as f64 }
    }

    /// Adds a member of the same reporting group: counts add, runtime is the longest.
    pub fn merge(&mut self, other: &DirectionOutcome) {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.runtime_ms = self.runtime_ms.max(other.runtime_ms);
        self.issued += other.issued;
        self.short += other.short;
        self.dropped += other.dropped;
        self.errors += other.errors;
        self.slat.merge(&other.slat);
        self.clat.merge(&other.clat);
        self.lat.merge(&other.lat);
        self.bw_samples.merge(&other.bw_samples);
        self.iops_samples.merge(&other.iops_samples);
        self.bw_mean_sum += other.bw_mean_sum;
        self.iops_mean_sum += other.iops_mean_sum;
    }
}

/// CPU use and scheduling of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuOutcome {
    /// User time, microseconds.
    pub user_us: u64,
    /// System time, microseconds.
    pub system_us: u64,
    /// Wall time the two are shares of, milliseconds.
    pub wall_ms: u64,
    /// Voluntary and involuntary context switches.
    pub switches: u64,
    /// Major faults.
    pub major_faults: u64,
    /// Minor faults.
    pub minor_faults: u64,
}

impl CpuOutcome {
    /// User time as percent of wall time.
    pub fn user_percent(&self) -> f64 {
        percent(self.user_us as f64 / 1000.0, self.wall_ms as f64)
    }

    /// System time as percent of wall time.
    pub fn system_percent(&self) -> f64 {
        percent(self.system_us as f64 / 1000.0, self.wall_ms as f64)
    }
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole <= 0.0 { 0.0 } else { 100.0 * part / whole }
}

/// The error that ended a job, or the first one that was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobError {
    /// Errno, positive.
    pub errno: i32,
    /// The operation, fio's `func=` (`io_u error`, `open`, ...).
    pub function: String,
    /// The errno in words, with file, direction, offset and length where they are known.
    pub text: String,
}

/// Which latencies were measured and which percentiles the user asked to see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// slat was measured (an asynchronous engine, not disabled).
    pub slat: bool,
    /// clat was measured.
    pub clat: bool,
    /// lat was measured.
    pub lat: bool,
    /// bw and iops samples were taken.
    pub samples: bool,
    /// `slat_percentiles`.
    pub slat_percentiles: bool,
    /// `clat_percentiles` (and clat measured).
    pub clat_percentiles: bool,
    /// `lat_percentiles`.
    pub lat_percentiles: bool,
    /// The list, ascending.
    pub percentiles: Vec<f64>,
    /// `group_reporting`.
    pub group_reporting: bool,
    /// `kb_base`: 1024 or 1000.
    pub kb_base: u32,
    /// `unit_base`: 8 = bytes, 1 = bits.
    pub unit_base: u32,
    /// `significant_figures`.
    pub significant_figures: u32,
    /// `continue_on_error` was given: the errors line and keys are printed.
    pub errors: bool,
}

/// What one job (one clone), or one reporting group, did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// Job name.
    pub name: String,
    /// `description`.
    pub description: Option<String>,
    /// Reporting group.
    pub group: u32,
    /// Jobs merged into this entry (1 for a single job).
    pub members: u32,
    /// Thread id (fio's pid of the job).
    pub pid: u32,
    /// Wall clock at the job's start, milliseconds since the epoch.
    pub start_epoch_ms: u64,
    /// Milliseconds from the job's epoch to its end (`job_runtime`).
    pub runtime_ms: u64,
    /// The error that ended it.
    pub error: Option<JobError>,
    /// All errors counted (`total_err`).
    pub errors: u64,
    /// The job's own options as typed, in order (value empty for a flag).
    pub options: Vec<(String, String)>,
    /// Read, write, trim.
    pub directions: [DirectionOutcome; 3],
    /// Syncs issued by fsync= and fdatasync=.
    pub syncs: u64,
    /// Their latency.
    pub sync: Latency,
    /// CPU.
    pub cpu: CpuOutcome,
    /// Depth at issue.
    pub depth: Levels,
    /// I/Os per submit call.
    pub submit: Levels,
    /// I/Os per reap call.
    pub complete: Levels,
    /// The job's iodepth (`latency_depth`).
    pub iodepth: u32,
    /// Mean number in flight by Little's law: sum of lat divided by the job's runtime.
    pub depth_reached: f64,
    /// I/Os that were complete when their submit call returned, of all I/Os.
    pub done_in_submit: u64,
    /// I/Os issued and never answered.
    pub unanswered: u64,
    /// What is to be shown.
    pub shown: Shown,
}

impl JobOutcome {
    /// Read, write and trim I/Os completed.
    pub fn ios(&self) -> u64 {
        self.directions.iter().map(|d| d.ios).sum()
    }

    /// Merges another member of the same reporting group, as fio does: options of the last, errors of the first.
    pub fn merge(&mut self, other: &JobOutcome) {
        self.members += other.members;
        self.runtime_ms = self.runtime_ms.max(other.runtime_ms);
        self.error = self.error.take().or_else(|| other.error.clone());
        self.errors += other.errors;
        self.options.clone_from(&other.options);
        for (mine, theirs) in self.directions.iter_mut().zip(&other.directions) {
            mine.merge(theirs);
        }
        self.syncs += other.syncs;
        self.sync.merge(&other.sync);
        self.cpu.user_us += other.cpu.user_us;
        self.cpu.system_us += other.cpu.system_us;
        self.cpu.wall_ms += other.cpu.wall_ms;
        self.cpu.switches += other.cpu.switches;
        self.cpu.major_faults += other.cpu.major_faults;
        self.cpu.minor_faults += other.cpu.minor_faults;
        self.depth.merge(&other.depth);
        self.submit.merge(&other.submit);
        self.complete.merge(&other.complete);
        self.depth_reached += other.depth_reached;
        self.done_in_submit += other.done_in_submit;
        self.unanswered += other.unanswered;
    }

    /// Share of I/Os (percent of all I/Os of the entry) by clat range: nanoseconds, microseconds, milliseconds.
    /// Ranges are those of [`RANGE_LABELS`]; each is "from the previous label up to but not including this one".
    pub fn latency_ranges(&self) -> LatencyRanges {
        let mut all = Histogram::default();
        self.directions.iter().for_each(|d| all.merge(&d.clat.histogram));
        let total = self.ios();
        let share = |from: u64, bound: u64| {
            let p = percent(all.count_between(from, bound) as f64, total as f64);
            if p > 0.0 && p < 0.01 { 0.01 } else { p }
        };
        let mut from = 0;
        let mut band = |unit: u64, label: &u64| {
            let bound = label * unit;
            let p = share(from, bound);
            from = bound;
            p
        };
        let ns = RANGE_LABELS.each_ref().map(|l| band(1, l));
        let us = RANGE_LABELS.each_ref().map(|l| band(1_000, l));
        let ms_low = RANGE_LABELS.each_ref().map(|l| band(1_000_000, l));
        let below_2000 = band(1_000_000, &2000);
        let above = share(2_000_000_000, u64::MAX);
        let mut ms = [0.0; 12];
        ms[..10].copy_from_slice(&ms_low);
        ms[10] = below_2000;
        ms[11] = above;
        LatencyRanges { ns, us, ms }
    }
}

/// Labels of the latency ranges; milliseconds have 2000 and >=2000 in addition.
pub const RANGE_LABELS: [u64; 10] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000];

/// Percent of I/Os by latency range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyRanges {
    /// Below 1 us.
    pub ns: [f64; 10],
    /// 1 us to 1 ms.
    pub us: [f64; 10],
    /// 1 ms and above; the last two are 2000 and >=2000.
    pub ms: [f64; 12],
}

/// Totals of one reporting group and direction: fio's "Run status group" line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupTotals {
    /// Bytes of all members.
    pub bytes: u64,
    /// Bytes per second: all bytes over the longest runtime.
    pub aggregate: u64,
    /// Slowest member, bytes per second.
    pub slowest: u64,
    /// Fastest member, bytes per second.
    pub fastest: u64,
    /// Shortest runtime, milliseconds.
    pub shortest_ms: u64,
    /// Longest runtime, milliseconds.
    pub longest_ms: u64,
}

/// One reporting group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Number of the group.
    pub id: u32,
    /// Read, write, trim; `None` when no member moved a byte that way.
    pub totals: [Option<GroupTotals>; 3],
    /// `unit_base` and `kb_base` of its first job.
    pub kb_base: u32,
    /// 8 = bytes, 1 = bits.
    pub unit_base: u32,
}

/// What a block device did during the run (fio's disk stats), from its own counters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskOutcome {
    /// Kernel name.
    pub name: String,
    /// I/Os, read and write.
    pub ios: [u64; 2],
    /// 512-byte sectors, read and write.
    pub sectors: [u64; 2],
    /// Merges, read and write.
    pub merges: [u64; 2],
    /// Milliseconds, read and write.
    pub ticks_ms: [u64; 2],
    /// Weighted milliseconds in queue.
    pub in_queue_ms: u64,
    /// Busy percent of the elapsed time, at most 100.
    pub util_percent: f64,
    /// Sums over the devices beneath, when this one is stacked.
    pub beneath: Vec<DiskOutcome>,
}

/// What lies under a target and what was seen there (the layer line).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TargetLayers {
    /// Path as opened.
    pub path: String,
    /// From the top down in words: `ext4`, `vda1 (partition)`, `dm-0 (lvm)`, `vda (disk, ssd)`.
    pub stack: Vec<String>,
    /// Size in bytes.
    pub size: u64,
    /// Bytes of it in the page cache before the run.
    pub cached_before: Option<u64>,
    /// Bytes of it in the page cache after the run.
    pub cached_after: Option<u64>,
    /// Bytes of holes before the run (FIEMAP).
    pub holes: Option<u64>,
    /// Bytes of unwritten extents before the run (FIEMAP).
    pub unwritten: Option<u64>,
    /// Of the sampled blocks, how many held only zeros.
    pub zero_blocks: Option<u32>,
    /// How many blocks were sampled.
    pub sampled_blocks: Option<u32>,
}

/// What this process did by the kernel's own account (`/proc/self/io`), over the measured part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIo {
    /// Bytes passed to read calls.
    pub read_chars: u64,
    /// Bytes passed to write calls.
    pub write_chars: u64,
    /// Read calls.
    pub read_calls: u64,
    /// Write calls.
    pub write_calls: u64,
    /// Bytes fetched from storage.
    pub read_bytes: u64,
    /// Bytes sent to storage.
    pub write_bytes: u64,
}

impl ProcessIo {
    /// Both together.
    pub fn plus(&self, other: &ProcessIo) -> ProcessIo {
        ProcessIo {
            read_chars: self.read_chars + other.read_chars,
            write_chars: self.write_chars + other.write_chars,
            read_calls: self.read_calls + other.read_calls,
            write_calls: self.write_calls + other.write_calls,
            read_bytes: self.read_bytes + other.read_bytes,
            write_bytes: self.write_bytes + other.write_bytes,
        }
    }
}

/// The layers of one run on one clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// I/Os that the application counted: read, write, trim.
    pub app_ios: [u64; 3],
    /// Bytes that the application counted.
    pub app_bytes: [u64; 3],
    /// The kernel's account of this process; `None` where /proc/self/io is not readable.
    pub process: Option<ProcessIo>,
    /// Each file or device of the run (the first 16).
    pub targets: Vec<TargetLayers>,
    /// Each block device under any target, top down.
    pub devices: Vec<DiskOutcome>,
    /// Sum over jobs of the mean number in flight.
    pub depth_reached: f64,
    /// Sum over jobs of iodepth that the engine can hold.
    pub depth_asked: f64,
    /// CPU time of the busiest generator thread as percent of its wall time.
    pub busiest_thread_percent: f64,
    /// How long the measured part took, milliseconds.
    pub wall_ms: u64,
}

/// Where a result came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of fathom.
    pub version: String,
    /// Wall clock at the end of the run, milliseconds since the epoch (fio's `timestamp_ms`).
    pub timestamp_ms: u64,
    /// The same as `ctime` words it, local time.
    pub time: String,
    /// Milliseconds since the program began (fio's `elapsed` is this in seconds, rounded up).
    pub elapsed_ms: u64,
    /// Options of the global sections, as typed.
    pub global_options: Vec<(String, String)>,
    /// The signal that ended the run early.
    pub ended_by_signal: Option<i32>,
}

/// Everything a run found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// One per clone, in fio's order.
    pub jobs: Vec<JobOutcome>,
    /// fio's disk statistics; empty when none applies.
    pub disks: Vec<DiskOutcome>,
    /// The layers.
    pub layers: Layers,
    /// Where it came from.
    pub provenance: Provenance,
    /// What a reader should know.
    pub notes: Vec<Note>,
}

impl RunResult {
    /// Report entries in order: clones of a reporting group merged where its first job asks for it.
    pub fn entries(&self) -> Vec<JobOutcome> {
        let mut entries: Vec<JobOutcome> = Vec::new();
        for job in &self.jobs {
            match entries.iter_mut().find(|e| e.group == job.group && e.shown.group_reporting) {
                Some(entry) => entry.merge(job),
                None => entries.push(job.clone()),
            }
        }
        entries
    }

    /// Totals by reporting group, ascending.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for job in &self.jobs {
            let at = groups.iter().position(|g| g.id == job.group).unwrap_or_else(|| {
                let (kb_base, unit_base) = (job.shown.kb_base, job.shown.unit_base);
                groups.push(Group { id: job.group, totals: [None; 3], kb_base, unit_base });
                groups.len() - 1
            });
            for (total, d) in groups[at].totals.iter_mut().zip(&job.directions).filter(|(_, d)| d.bytes > 0) {
                let (rate, ms) = (d.bytes_per_second(), d.runtime_ms);
                let t = total.get_or_insert(GroupTotals { slowest: rate, fastest: rate, shortest_ms: ms, ..Default::default() });
                t.bytes += d.bytes;
                t.slowest = t.slowest.min(rate);
                t.fastest = t.fastest.max(rate);
                t.shortest_ms = t.shortest_ms.min(ms);
                t.longest_ms = t.longest_ms.max(ms);
                t.aggregate = if t.longest_ms == 0 { 0 } else { (u128::from(t.bytes) * 1000 / u128::from(t.longest_ms)) as u64 };
            }
        }
        groups.sort_by_key(|g| g.id);
        groups
    }
}

/// What fio prints of a job before it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Banner {
    /// Job name.
    pub name: String,
    /// Reporting group.
    pub group: u32,
    /// `randread`, ...
    pub rw: String,
    /// Smallest and largest block size, bytes: read, write, trim.
    pub bs: [(u64, u64); 3],
    /// Engine name.
    pub ioengine: String,
    /// iodepth.
    pub iodepth: u32,
    /// Number of clones.
    pub clones: u32,
}

/// What a worker is doing, in fio's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerState {
    /// Set up, not started.
    Waiting,
    /// Started, preparing.
    Preparing,
    /// In its ramp time.
    Ramp,
    /// Running.
    Running,
    /// In end_fsync.
    Syncing,
    /// Done.
    Exited,
}

impl WorkerState {
    /// From the number kept in [`crate::Shared::state`].
    pub fn from_number(n: u64) -> Self {
        use WorkerState::*;
        [Waiting, Preparing, Ramp, Running, Syncing, Exited][(n as usize).min(5)]
    }
}

/// A look at a run while it goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// Letters of fio's ETA line, one per job in report order.
    pub letters: String,
    /// Jobs that run.
    pub running: u32,
    /// Open files.
    pub open_files: u64,
    /// Bytes per second since the last look: read, write, trim.
    pub bytes_per_second: [u64; 3],
    /// I/Os per second since the last look.
    pub iops: [u64; 3],
    /// Percent done, if it can be told.
    pub percent: Option<f64>,
    /// Seconds left, if it can be told.
    pub eta_s: Option<u64>,
    /// Milliseconds since the run began.
    pub elapsed_ms: u64,
}
