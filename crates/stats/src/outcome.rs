//! What one job did, and what merges over the members of a reporting group.

use crate::access::Access;
use crate::direction::Direction;
use crate::histogram::Histogram;
use crate::job_error::JobError;
use crate::latency::Latency;
use crate::level::{Levels, percent_of_ios};
use crate::moments::Moments;
use crate::priority::ByPriority;
use serde::{Deserialize, Serialize};

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
    /// Of a paced direction: from when an I/O was due, whether a slot was free or not, until its answer.
    #[serde(default)]
    pub scheduled: Latency,
    /// Bandwidth samples, KiB/s.
    pub bw_samples: Moments,
    /// Rate samples, I/Os per second.
    pub iops_samples: Moments,
    /// The sums of `bw_samples` over merged members; `None` for a single job (see [`DirectionOutcome::bw`]).
    pub bw_group: Option<Samples>,
    /// The same of `iops_samples`.
    pub iops_group: Option<Samples>,
    /// clat or lat by priority.
    #[serde(default)]
    pub priorities: ByPriority,
}

/// Periodic samples as fio sums them up over a reporting group: the group's rate is the sum of its members' rates, so
/// extremes and means add, while the spread is that of each member around its own mean.
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
    /// Both members together.
    pub fn plus(self, other: Samples) -> Samples {
        Samples {
            n: self.n + other.n,
            min: self.min + other.min,
            max: self.max + other.max,
            mean: self.mean + other.mean,
            around: self.around + other.around,
        }
    }

    /// Standard deviation (divisor n-1), 0 below two samples.
    pub fn stddev(&self) -> f64 {
        if self.n < 2 { 0.0 } else { (self.around / (self.n - 1) as f64).sqrt() }
    }
}

impl DirectionOutcome {
    /// Bytes per second over this direction's runtime; 0 without runtime.
    pub fn bytes_per_second(&self) -> u64 {
        rate_over(self.bytes, self.runtime_ms)
    }

    /// Completed I/Os per second over this direction's runtime; 0 without runtime.
    pub fn iops(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.ios as f64 / self.runtime_ms as f64 }
    }

    /// I/Os issued per second, failed ones too, over this direction's runtime: fio's IOPS. Equal to
    /// [`DirectionOutcome::iops`] where nothing failed.
    pub fn issue_rate(&self) -> f64 {
        if self.runtime_ms == 0 { 0.0 } else { 1000.0 * self.issued as f64 / self.runtime_ms as f64 }
    }

    /// Bandwidth samples, KiB/s, of a job or of a whole reporting group.
    pub fn bw(&self) -> Samples {
        self.bw_group.unwrap_or_else(|| Samples::from(&self.bw_samples))
    }

    /// Rate samples, I/Os per second, of a job or of a whole reporting group.
    pub fn iops_sampled(&self) -> Samples {
        self.iops_group.unwrap_or_else(|| Samples::from(&self.iops_samples))
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
    /// Microseconds in which the thread could have run and no CPU was free for it (`schedstat`); 0 where that is unknown.
    #[serde(default)]
    pub waited_us: u64,
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

    /// Time spent waiting for a CPU as percent of wall time.
    pub fn waited_percent(&self) -> f64 {
        percent(self.waited_us as f64 / 1000.0, self.wall_ms as f64)
    }
}

/// Bytes per second, rounded down; 0 without time.
pub(crate) fn rate_over(bytes: u64, ms: u64) -> u64 {
    if ms == 0 { 0 } else { (u128::from(bytes) * 1000 / u128::from(ms)) as u64 }
}

pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole <= 0.0 { 0.0 } else { 100.0 * part / whole }
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
    /// The ranges of clat.
    pub ranges: bool,
    /// bw and iops samples were taken.
    pub samples: bool,
    /// `slat_percentiles`.
    pub slat_percentiles: bool,
    /// `clat_percentiles` (and clat measured).
    pub clat_percentiles: bool,
    /// `lat_percentiles`, whether lat is measured or not.
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
    /// `unified_rw_reporting`.
    #[serde(default)]
    pub unified: Unified,
}

/// How the directions of an entry are reported (`unified_rw_reporting`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unified {
    /// Each direction by itself.
    #[default]
    None,
    /// All directions as one.
    Mixed,
    /// Each by itself, then all as one.
    Both,
}

/// What a job was asked to do, as far as it decides what its figures mean and what they may be compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Pattern; a block size of 0 where it has several.
    pub access: Access,
    /// `ioengine`.
    pub engine: String,
    /// Past the page cache; `None` of an engine that opens nothing.
    pub direct: Option<bool>,
    /// First file or device.
    pub target: String,
    /// Bytes of the region of one job; `None` of a job without files.
    pub span: Option<u64>,
    /// Held to a rate, or pausing between I/Os.
    #[serde(default)]
    pub paced: bool,
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
    /// Jobs merged into this entry (1 for a single job); 0 for one that the report leaves out (`stats=0`).
    pub members: u32,
    /// Thread id (fio's pid of the job).
    pub pid: u32,
    /// Wall clock at the job's start, milliseconds since the epoch.
    pub start_epoch_ms: u64,
    /// Another clock then, where one was asked for (`job_start_clock_id`).
    #[serde(default)]
    pub start_clock_ms: Option<u64>,
    /// Milliseconds from the job's epoch to its end (`job_runtime`); over a reporting group their sum, as fio has it.
    pub runtime_ms: u64,
    /// The error that ended it.
    pub error: Option<JobError>,
    /// The first error that `continue_on_error` let pass.
    #[serde(default)]
    pub tolerated: Option<JobError>,
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
    /// Commit latency: from the submission of the first write since the previous sync to the end of the sync. Empty where
    /// nothing is synced, or by ranges (`sync_file_range`), which make nothing durable.
    #[serde(default)]
    pub commit: Latency,
    /// CPU.
    pub cpu: CpuOutcome,
    /// Depth at issue.
    pub depth: Levels,
    /// I/Os per submit call.
    pub submit: Levels,
    /// I/Os per reap call.
    pub complete: Levels,
    /// The job's iodepth (`latency_depth`); 0 for one that did not begin.
    pub iodepth: u32,
    /// Mean number in flight by Little's law: sum of lat divided by the job's runtime.
    pub depth_reached: f64,
    /// I/Os that were complete when their submit call returned, of all I/Os.
    pub done_in_submit: u64,
    /// I/Os issued and never answered.
    pub unanswered: u64,
    /// What is to be shown.
    pub shown: Shown,
    /// What it was asked to do.
    #[serde(default)]
    pub load: Load,
}

/// What a row of figures is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The I/Os of a direction.
    Ios(Direction),
    /// Commits: the writes since the previous sync and the sync.
    Commits,
    /// Syncs alone.
    Syncs,
}

/// A row of figures of a job.
#[derive(Clone, Copy, Debug)]
pub struct OutcomeRow<'a> {
    /// What it is of.
    pub kind: RowKind,
    /// Number per second.
    pub per_second: f64,
    /// Bytes per second; none of commits and syncs.
    pub bytes_per_second: Option<u64>,
    /// Milliseconds that it ran.
    pub runtime_ms: u64,
    /// Number of them.
    pub n: u64,
    /// Bytes; none of commits and syncs.
    pub bytes: Option<u64>,
    /// Total latency; completion latency where only that was measured.
    pub latency: &'a Latency,
}

impl JobOutcome {
    /// Read, write and trim I/Os completed.
    pub fn ios(&self) -> u64 {
        self.directions.iter().map(|d| d.ios).sum()
    }

    /// Read, write and trim I/Os issued, failed ones too.
    pub fn issued(&self) -> u64 {
        self.directions.iter().map(|d| d.issued).sum()
    }

    /// Returns the rows of figures: each direction that did something and, of a job that syncs, its commits and syncs; these
    /// come first where it syncs after every few writes.
    pub fn rows(&self) -> Vec<OutcomeRow<'_>> {
        let working = Direction::ALL.into_iter().map(|d| (d, &self.directions[d as usize]));
        let ios = working.filter(|(_, d)| d.issued > 0).map(|(direction, d)| OutcomeRow {
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

    /// Syncs per second over the runtime of the writes; 0 without runtime.
    pub fn sync_rate(&self) -> f64 {
        self.per_second_of_writing(self.syncs)
    }

    /// Syncs that followed a write, per second over the runtime of the writes; 0 without runtime.
    pub fn commit_rate(&self) -> f64 {
        self.per_second_of_writing(self.commit.moments.n)
    }

    fn per_second_of_writing(&self, count: u64) -> f64 {
        match self.directions[Direction::Write as usize].runtime_ms {
            0 => 0.0,
            ms => 1000.0 * count as f64 / ms as f64,
        }
    }

    /// The error that fio's report names: the one that ended the job, else the first that was let pass.
    pub fn first_error(&self) -> Option<&JobError> {
        self.error.as_ref().or(self.tolerated.as_ref())
    }

    /// Merges another member of the same reporting group, as fio does: options of the last, errors of the first.
    pub fn merge(&mut self, other: &JobOutcome) {
        self.members += other.members;
        self.iodepth = if self.iodepth == 0 { other.iodepth } else { self.iodepth };
        self.runtime_ms += other.runtime_ms;
        self.error = self.error.take().or_else(|| other.error.clone());
        self.tolerated = self.tolerated.take().or_else(|| other.tolerated.clone());
        self.errors += other.errors;
        self.options.clone_from(&other.options);
        for (mine, theirs) in self.directions.iter_mut().zip(&other.directions) {
            mine.merge(theirs);
        }
        self.syncs += other.syncs;
        self.sync.merge(&other.sync);
        self.commit.merge(&other.commit);
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

    /// Share of I/Os (percent of all I/Os issued by the entry) by clat range: nanoseconds, microseconds, milliseconds.
    /// Ranges are those of [`RANGE_LABELS`]; each is "from the previous label up to but not including this one".
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
    /// All below 2 us as fio's terse output has it: what is below 1 us as it is, the rest at least 0.01.
    pub below_2_us: f64,
}
