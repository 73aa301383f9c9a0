//! Outcome of one job, and the merging of the members of a reporting group.

use crate::access::Access;
use crate::direction::Direction;
use crate::histogram::Histogram;
use crate::job_error::JobError;
use crate::latency::Latency;
use crate::level::{Levels, percent_of_ios};
use crate::moments::Moments;
use crate::offsets::RegionOffsets;
use crate::priority::ByPriority;
use crate::steady_state::SteadyState;
use crate::verification::Verification;
use serde::{Deserialize, Serialize};

/// Counts and latencies of one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DirectionOutcome {
    /// Number of completed I/Os.
    pub ios: u64,
    /// Bytes transferred by the completed I/Os.
    pub bytes: u64,
    /// Runtime of this direction, milliseconds; 0 if no I/O of this direction was done.
    pub runtime_ms: u64,
    /// Number of I/Os issued, including failed ones.
    pub issued: u64,
    /// Number of short I/Os, whose rest was issued again.
    pub short: u64,
    /// Number of dropped I/Os (fio's `drop_ios`).
    pub dropped: u64,
    /// Number of failed I/Os.
    pub errors: u64,
    /// Number of zone resets (`zonemode=zbd`), which count as part of the writes.
    #[serde(default)]
    pub zone_resets: u64,
    /// Submission latency (slat).
    pub slat: Latency,
    /// Completion latency (clat).
    pub clat: Latency,
    /// Total latency (lat).
    pub lat: Latency,
    /// Latency of a paced direction from the scheduled start of each I/O, including the wait for a free slot, to its
    /// completion.
    #[serde(default)]
    pub scheduled: Latency,
    /// Bandwidth samples, KiB/s.
    pub bw_samples: Moments,
    /// Rate samples, I/Os per second.
    pub iops_samples: Moments,
    /// Sums of `bw_samples` over merged members; `None` for a single job (see [`DirectionOutcome::bw`]).
    pub bw_group: Option<Samples>,
    /// Sums of `iops_samples` over merged members; `None` for a single job.
    pub iops_group: Option<Samples>,
    /// clat or lat by I/O priority.
    #[serde(default)]
    pub priorities: ByPriority,
}

/// Statistics of periodic samples of a reporting group, as in fio: extremes and means are summed over the members,
/// because the group's rate is the sum of the members' rates; the deviations are those of each member from the
/// member's own mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Number of samples of all members.
    pub n: u64,
    /// Sum of the members' smallest samples.
    pub min: u64,
    /// Sum of the members' largest samples.
    pub max: u64,
    /// Sum of the members' means.
    pub mean: f64,
    /// Sum of squared deviations of the samples from the mean of their own job.
    pub around: f64,
}

impl From<&Moments> for Samples {
    fn from(m: &Moments) -> Self {
        let around = m.stddev().powi(2) * m.n.saturating_sub(1) as f64;
        Self { n: m.n, min: m.min(), max: m.max(), mean: m.mean(), around }
    }
}

impl Samples {
    /// Returns the samples of both members together.
    pub fn plus(self, other: Samples) -> Samples {
        Samples {
            n: self.n + other.n,
            min: self.min + other.min,
            max: self.max + other.max,
            mean: self.mean + other.mean,
            around: self.around + other.around,
        }
    }

    /// Returns the standard deviation (divisor n-1); 0 below two samples.
    pub fn stddev(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.around / (self.n - 1) as f64).sqrt() }
    }
}

impl DirectionOutcome {
    /// Returns whether the I/Os have a rate; those that `verify_only` counts without doing them took no time.
    pub fn has_rate(&self) -> bool {
        self.runtime_ms > 0 || self.bytes == 0
    }

    /// Returns bytes per second over this direction's runtime; 0 without runtime.
    pub fn bytes_per_second(&self) -> u64 {
        rate_over(self.bytes, self.runtime_ms)
    }

    /// Returns completed I/Os per second over this direction's runtime; 0 without runtime.
    pub fn iops(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.ios as f64 / self.runtime_ms as f64 }
    }

    /// Returns I/Os issued per second, including failed ones, over this direction's runtime: fio's IOPS. The value
    /// equals [`DirectionOutcome::iops`] if no I/O failed.
    pub fn issue_rate(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.issued as f64 / self.runtime_ms as f64 }
    }

    /// Returns the bandwidth samples, KiB/s, of a job or of a whole reporting group.
    pub fn bw(&self) -> Samples {
        self.bw_group.unwrap_or_else(|| Samples::from(&self.bw_samples))
    }

    /// Returns the rate samples, I/Os per second, of a job or of a whole reporting group.
    pub fn iops_sampled(&self) -> Samples {
        self.iops_group.unwrap_or_else(|| Samples::from(&self.iops_samples))
    }

    /// Adds a member of the same reporting group: counts are summed, the runtime is the longest.
    pub fn merge(&mut self, other: &DirectionOutcome) {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.runtime_ms = self.runtime_ms.max(other.runtime_ms);
        self.issued += other.issued;
        self.short += other.short;
        self.dropped += other.dropped;
        self.errors += other.errors;
        self.zone_resets += other.zone_resets;
        let whole = if self.priorities.total { [&self.lat, &other.lat] } else { [&self.clat, &other.clat] };
        self.priorities.merge(&other.priorities, whole);
        self.slat.merge(&other.slat);
        self.clat.merge(&other.clat);
        self.lat.merge(&other.lat);
        self.scheduled.merge(&other.scheduled);
        self.bw_group = Some(self.bw().plus(other.bw()));
        self.iops_group = Some(self.iops_sampled().plus(other.iops_sampled()));
        self.bw_samples.merge(&other.bw_samples);
        self.iops_samples.merge(&other.iops_samples);
    }
}

/// Delay in nanoseconds above which an I/O of a replayed trace counts as started late.
pub const LATE_START: u64 = 1_000_000;

/// Starts of the I/Os of a replayed trace, compared with the times of the trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lateness {
    /// Number of I/Os.
    pub ios: u64,
    /// Number of I/Os that started more than [`LATE_START`] after their time.
    pub late: u64,
    /// Delay from the time in the trace to the start, nanoseconds.
    pub delay: Latency,
}

impl Lateness {
    /// Adds a member of the same reporting group.
    pub fn merge(&mut self, other: &Lateness) {
        self.ios += other.ios;
        self.late += other.late;
        self.delay.merge(&other.delay);
    }
}

/// CPU time, context switches and page faults of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuOutcome {
    /// User CPU time, microseconds.
    pub user_us: u64,
    /// System CPU time, microseconds.
    pub system_us: u64,
    /// Wall time to which the CPU times are related, milliseconds.
    pub wall_ms: u64,
    /// Number of voluntary and involuntary context switches.
    pub switches: u64,
    /// Number of page faults that needed I/O.
    pub major_faults: u64,
    /// Number of page faults without I/O.
    pub minor_faults: u64,
    /// Time that the runnable thread waited for a CPU (`schedstat`), microseconds; 0 where not known.
    #[serde(default)]
    pub waited_us: u64,
}

impl CpuOutcome {
    /// Returns user time as percent of wall time.
    pub fn user_percent(&self) -> f64 {
        percent(self.user_us as f64 / 1000.0, self.wall_ms as f64)
    }

    /// Returns system time as percent of wall time.
    pub fn system_percent(&self) -> f64 {
        percent(self.system_us as f64 / 1000.0, self.wall_ms as f64)
    }

    /// Returns the time spent waiting for a CPU as percent of wall time.
    pub fn waited_percent(&self) -> f64 {
        percent(self.waited_us as f64 / 1000.0, self.wall_ms as f64)
    }

    /// Adds the times and counts of another job.
    fn merge(&mut self, other: &CpuOutcome) {
        self.user_us += other.user_us;
        self.system_us += other.system_us;
        self.wall_ms += other.wall_ms;
        self.switches += other.switches;
        self.major_faults += other.major_faults;
        self.minor_faults += other.minor_faults;
        self.waited_us += other.waited_us;
    }
}

/// Returns bytes per second, rounded down; 0 without time.
pub(crate) fn rate_over(bytes: u64, ms: u64) -> u64 {
    if ms == 0 { 0 } else { (u128::from(bytes) * 1000 / u128::from(ms)) as u64 }
}

pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole <= 0.0 { 0.0 } else { 100.0 * part / whole }
}

/// Latencies that were measured, and options that control their report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Whether slat was measured (an asynchronous engine, and slat not disabled).
    pub slat: bool,
    /// Whether clat was measured.
    pub clat: bool,
    /// Whether lat was measured.
    pub lat: bool,
    /// Whether the distribution of clat over latency ranges is reported.
    pub ranges: bool,
    /// Whether bandwidth and IOPS were sampled.
    pub samples: bool,
    /// Whether percentiles of slat are reported (`slat_percentiles`).
    pub slat_percentiles: bool,
    /// Whether percentiles of clat are reported (`clat_percentiles`, and clat measured).
    pub clat_percentiles: bool,
    /// Value of `lat_percentiles`, also when lat is not measured.
    pub lat_percentiles: bool,
    /// Percentiles to report, ascending, 0 to 100.
    pub percentiles: Vec<f64>,
    /// Whether the job is merged with its reporting group (`group_reporting`).
    pub group_reporting: bool,
    /// `kb_base`: 1024 or 1000.
    pub kb_base: u32,
    /// `unit_base`: 8 = bytes, 1 = bits.
    pub unit_base: u32,
    /// Number of significant digits in fio's text report (`significant_figures`).
    pub significant_figures: u32,
    /// Whether `continue_on_error` was given, so that the errors line and keys are printed.
    pub errors: bool,
    /// Whether directions are reported together (`unified_rw_reporting`).
    #[serde(default)]
    pub unified: Unified,
}

/// Mode in which the directions of an entry are reported (`unified_rw_reporting`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unified {
    /// Each direction separately.
    #[default]
    None,
    /// All directions combined.
    Mixed,
    /// Each direction separately, then all combined.
    Both,
}

/// Configuration of a job that determines the meaning of its figures and the results to compare them with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Access pattern; the block size is 0 for a job with several sizes.
    pub access: Access,
    /// Name of the I/O engine (`ioengine`).
    pub engine: String,
    /// Whether I/O bypasses the page cache; `None` for an engine that opens no file.
    pub direct: Option<bool>,
    /// Path of the first file or device.
    pub target: String,
    /// Size of the region of one job, bytes; `None` for a job without files.
    pub span: Option<u64>,
    /// Whether the job has a rate limit or think time, or is in a flow.
    #[serde(default)]
    pub paced: bool,
}

/// Outcome of one job (one clone) or of one reporting group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// Name of the job.
    pub name: String,
    /// Text of the `description` option.
    pub description: Option<String>,
    /// Number of the reporting group.
    pub group: u32,
    /// Number of jobs merged into this entry (1 for a single job); 0 for a job that the report omits (`stats=0`).
    pub members: u32,
    /// Thread id (fio's pid of the job).
    pub pid: u32,
    /// Wall clock at the job's start, milliseconds since the epoch.
    pub start_epoch_ms: u64,
    /// Time of the clock `job_start_clock_id` at the job's start, milliseconds; `None` without that option.
    #[serde(default)]
    pub start_clock_ms: Option<u64>,
    /// Milliseconds from the job's start to its end (fio's `job_runtime`); for a reporting group the sum, as in fio.
    pub runtime_ms: u64,
    /// Error that ended the job; `None` if no error did.
    pub error: Option<JobError>,
    /// First error that `continue_on_error` tolerated.
    #[serde(default)]
    pub tolerated: Option<JobError>,
    /// Blocks whose data was checked; `None` for a job that verifies nothing.
    #[serde(default)]
    pub verification: Option<Verification>,
    /// Number of errors (fio's `total_err`).
    pub errors: u64,
    /// Options of the job's section as typed, in order (empty value for a flag).
    pub options: Vec<(String, String)>,
    /// Outcomes of read, write and trim.
    pub directions: [DirectionOutcome; 3],
    /// Number of syncs issued by `fsync` and `fdatasync`.
    pub syncs: u64,
    /// Latency of these syncs.
    pub sync: Latency,
    /// Commit latency: from the submission of the first write since the previous sync to the end of the sync. Empty
    /// for a job without syncs or with `sync_file_range` only, which does not make data durable.
    #[serde(default)]
    pub commit: Latency,
    /// Starts of the I/Os compared with the times of the trace; without I/Os unless the job replays a trace at its times.
    #[serde(default)]
    pub lateness: Lateness,
    /// CPU time, context switches and page faults.
    pub cpu: CpuOutcome,
    /// Distribution of the queue depth when I/Os were issued.
    pub depth: Levels,
    /// Distribution of the number of I/Os per submit call.
    pub submit: Levels,
    /// Distribution of the number of I/Os per reap call.
    pub complete: Levels,
    /// Queue depth of the job, or the depth that its search has found (fio's `latency_depth`); 0 for a job that did not
    /// start.
    pub iodepth: u32,
    /// Latency that the job searches the deepest queue for.
    #[serde(default)]
    pub latency_goal: crate::LatencyGoal,
    /// Mean number of I/Os in flight by Little's law: sum of lat divided by the job's runtime.
    pub depth_reached: f64,
    /// Number of I/Os that were complete when their submit call returned.
    pub done_in_submit: u64,
    /// Number of I/Os that were issued and did not complete.
    pub unanswered: u64,
    /// Measured latencies and options of the report.
    pub shown: Shown,
    /// Configuration that determines the meaning of the figures.
    #[serde(default)]
    pub load: Load,
    /// Samples of the steady state detection; `None` without it. For a reporting group, those of the whole group.
    #[serde(default)]
    pub steady: Option<SteadyState>,
    /// Offsets of the I/Os; empty for a job without regions, such as a replay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offsets: Vec<RegionOffsets>,
}

/// Operation that a row of figures describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// I/Os of a direction.
    Ios(Direction),
    /// Commits: the writes since the previous sync, with the sync.
    Commits,
    /// Syncs without the preceding writes.
    Syncs,
}

/// Row of figures of a job.
#[derive(Clone, Copy, Debug)]
pub struct OutcomeRow<'a> {
    /// Operation that the row describes.
    pub kind: RowKind,
    /// Operations per second.
    pub per_second: f64,
    /// Bytes per second; `None` for commits and syncs.
    pub bytes_per_second: Option<u64>,
    /// Runtime of the direction, milliseconds; for commits and syncs the runtime of the writes.
    pub runtime_ms: u64,
    /// Number of operations.
    pub n: u64,
    /// Bytes transferred; `None` for commits and syncs.
    pub bytes: Option<u64>,
    /// Total latency; completion latency if total latency was not measured.
    pub latency: &'a Latency,
}

impl JobOutcome {
    /// Returns the number of completed reads, writes and trims.
    pub fn ios(&self) -> u64 {
        self.directions.iter().map(|d| d.ios).sum()
    }

    /// Returns the number of issued reads, writes and trims, including failed ones.
    pub fn issued(&self) -> u64 {
        self.directions.iter().map(|d| d.issued).sum()
    }

    /// Returns the rows of figures: each direction with I/Os and, for a job with syncs, its commits and syncs.
    /// Commits and syncs come first if the job syncs after every few writes.
    pub fn rows(&self) -> Vec<OutcomeRow<'_>> {
        let working = Direction::ALL.into_iter().map(|d| (d, &self.directions[d as usize]));
        let ios = working.filter(|(_, d)| d.issued > 0 && d.has_rate()).map(|(direction, d)| OutcomeRow {
            kind: RowKind::Ios(direction),
            per_second: d.iops(),
            bytes_per_second: Some(d.bytes_per_second()),
            runtime_ms: d.runtime_ms,
            n: d.ios,
            bytes: Some(d.bytes),
            latency: if d.lat.moments.n > 0 { &d.lat } else { &d.clat },
        });
        let syncs = [(RowKind::Commits, &self.commit), (RowKind::Syncs, &self.sync)];
        let syncs = syncs.into_iter().filter(|(_, latency)| latency.moments.n > 0);
        let syncs = syncs.map(|(kind, latency)| OutcomeRow {
            kind,
            per_second: match kind {
                RowKind::Commits => self.commit_rate(),
                _ => self.sync_rate(),
            },
            bytes_per_second: None,
            runtime_ms: self.directions[Direction::Write as usize].runtime_ms,
            n: latency.moments.n,
            bytes: None,
            latency,
        });
        if self.load.access.commits() { syncs.chain(ios).collect() } else { ios.chain(syncs).collect() }
    }

    /// Returns syncs per second over the runtime of the writes; 0 without runtime.
    pub fn sync_rate(&self) -> f64 {
        self.per_second_of_writing(self.syncs)
    }

    /// Returns the number of syncs that followed a write, per second of the runtime of the writes; 0 without runtime.
    pub fn commit_rate(&self) -> f64 {
        self.per_second_of_writing(self.commit.moments.n)
    }

    fn per_second_of_writing(&self, count: u64) -> f64 {
        match self.directions[Direction::Write as usize].runtime_ms {
            0 => 0.0,
            ms => 1000.0 * count as f64 / ms as f64,
        }
    }

    /// Returns the error that fio's report shows: the error that ended the job, otherwise the first tolerated one.
    pub fn first_error(&self) -> Option<&JobError> {
        self.error.as_ref().or(self.tolerated.as_ref())
    }

    /// Merges another member of the same reporting group, as fio does: options of the last member, error of the
    /// first, each latency that any member measured.
    pub fn merge(&mut self, other: &JobOutcome) {
        self.members += other.members;
        self.iodepth = if self.iodepth == 0 { other.iodepth } else { self.iodepth };
        self.runtime_ms += other.runtime_ms;
        self.error = self.error.take().or_else(|| other.error.clone());
        self.tolerated = self.tolerated.take().or_else(|| other.tolerated.clone());
        if let Some(theirs) = &other.verification {
            self.verification.get_or_insert_default().add(theirs);
        }
        self.errors += other.errors;
        self.options.clone_from(&other.options);
        self.shown.slat |= other.shown.slat;
        self.shown.clat |= other.shown.clat;
        self.shown.lat |= other.shown.lat;
        for (mine, theirs) in self.directions.iter_mut().zip(&other.directions) {
            mine.merge(theirs);
        }
        self.syncs += other.syncs;
        self.sync.merge(&other.sync);
        self.commit.merge(&other.commit);
        self.lateness.merge(&other.lateness);
        self.cpu.merge(&other.cpu);
        self.depth.merge(&other.depth);
        self.submit.merge(&other.submit);
        self.complete.merge(&other.complete);
        self.depth_reached += other.depth_reached;
        self.done_in_submit += other.done_in_submit;
        self.unanswered += other.unanswered;
        self.steady = other.steady.clone().or_else(|| self.steady.take());
        crate::offsets::merge(&mut self.offsets, &other.offsets);
    }

    /// Returns the share of I/Os by clat range, percent of all I/Os issued by the entry: nanoseconds, microseconds,
    /// milliseconds. The ranges are those of [`RANGE_LABELS`]; each starts at the previous label and excludes its
    /// own.
    pub fn latency_ranges(&self) -> LatencyRanges {
        let mut all = Histogram::default();
        self.directions.iter().filter(|_| self.shown.ranges).for_each(|d| all.merge(&d.clat.histogram));
        let total = self.issued();
        let exact = |from: u64, bound: u64| percent_of_ios(all.count_between(from, bound), total);
        let share = |from: u64, bound: u64| {
            let p = exact(from, bound);
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
        let below_2_us = exact(0, 1_000) + us[0];
        let mut ms = [0.0; 12];
        ms[..10].copy_from_slice(&ms_low);
        ms[10] = below_2000;
        ms[11] = above;
        LatencyRanges { ns, us, ms, below_2_us }
    }
}

/// Upper bounds of the latency ranges in each unit (ns, us, ms); milliseconds have 2000 and >=2000 in addition.
pub const RANGE_LABELS: [u64; 10] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000];

/// Share of I/Os by latency range, percent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyRanges {
    /// Ranges below 1 us.
    pub ns: [f64; 10],
    /// Ranges from 1 us to 1 ms.
    pub us: [f64; 10],
    /// Ranges from 1 ms; the last two are 2000 and >=2000.
    pub ms: [f64; 12],
    /// Share below 2 us as in fio's terse output: the exact share below 1 us plus the share from 1 to 2 us, the
    /// latter at least 0.01 if not 0.
    pub below_2_us: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every time and count of the CPU is that of both.
    #[test]
    fn merged_jobs_add_up_their_cpu_times() {
        let cpu = CpuOutcome {
            user_us: 1,
            system_us: 2,
            wall_ms: 3,
            switches: 4,
            major_faults: 5,
            minor_faults: 6,
            waited_us: 7,
        };
        let mut both = cpu;
        both.merge(&cpu);
        let twice = CpuOutcome {
            user_us: 2,
            system_us: 4,
            wall_ms: 6,
            switches: 8,
            major_faults: 10,
            minor_faults: 12,
            waited_us: 14,
        };
        assert_eq!(both, twice);
    }
}
