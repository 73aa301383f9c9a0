//! A study: several runs, one answer. What was asked, every point that was measured for it, and what follows, as data;
//! prose only words it.

use crate::finding::{Finding, Grade};
use crate::histogram::Histogram;
use crate::percentile::Goal;
use crate::result::Host;
use crate::series::{Series, Window};
use serde::{Deserialize, Serialize};

pub use crate::conclusion::{
    Cap, CapSign, Caveat, Claim, Conclusion, Horizon, NotHere, Unanswered, Unit, Verdict, Why,
};

/// A value and its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Best guess.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// A value of which nobody knows how well it is known.
    pub fn bare(value: f64) -> Self {
        Estimate { value, low: value, high: value }
    }

    /// Whether it has an interval.
    pub fn is_known(&self) -> bool {
        self.low < self.high
    }

    /// `value` give or take `half`; of something that cannot be less than nothing.
    pub fn around(value: f64, half: f64) -> Self {
        Estimate { value, low: (value - half).max(0.0), high: value + half }
    }

    /// Half of the interval, percent of the value; `None` where it is as wide as the value: nothing is known of it.
    pub fn within_percent(&self) -> Option<f64> {
        Some(self.half_percent()).filter(|half| *half < 100.0)
    }

    /// Half of the interval, percent of the value; 999 at most, which is for comparisons and not for people.
    pub fn half_percent(&self) -> f64 {
        if self.value == 0.0 { 999.0 } else { (100.0 * self.half() / self.value.abs()).min(999.0) }
    }

    /// Half of the interval: what lies above the value or, where that is more, below it.
    pub fn half(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }

    /// Whether `truth` lies in it.
    pub fn holds(&self, truth: f64) -> bool {
        self.low <= truth && truth <= self.high
    }

    /// Both in another unit.
    pub fn times(&self, factor: f64) -> Self {
        Estimate { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// The ratio to `other`, whose error is independent: on either side of it the relative errors that lead there add as
    /// squares (method of variance estimates recovery, Zou and Donner 2008), for the ends of an interval need not be equally
    /// far. A bare value makes a bare ratio.
    pub fn over(&self, other: &Estimate) -> Self {
        let ratio = self.value / other.value;
        if !self.is_known() || !other.is_known() {
            return Estimate::bare(ratio);
        }
        let up = |e: &Estimate| e.high / e.value - 1.0;
        let down = |e: &Estimate| 1.0 - e.low / e.value;
        Estimate {
            value: ratio,
            low: (ratio * (1.0 - down(self).hypot(up(other)))).max(0.0),
            high: ratio * (1.0 + up(self).hypot(down(other))),
        }
    }

    /// What a ratio says: five percent matter, and what has no interval says nothing.
    pub fn verdict(&self) -> Verdict {
        const MATTERS: f64 = 0.05;
        if !self.is_known() {
            Verdict::Unknown
        } else if self.low > 1.0 && self.value > 1.0 + MATTERS {
            Verdict::More
        } else if self.high < 1.0 && self.value < 1.0 - MATTERS {
            Verdict::Less
        } else if self.low > 1.0 - 2.0 * MATTERS && self.high < 1.0 + 2.0 * MATTERS {
            Verdict::Same
        } else {
            Verdict::Unknown
        }
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// How many in flight?
    Depth,
    /// Which block size?
    Bs,
    /// How long?
    Runtime,
    /// How many jobs at equal product?
    Jobs,
    /// Does the size of the region matter?
    Span,
    /// The whole table iodepth x numjobs.
    Grid,
    /// Does a setting of the kernel matter?
    Axis,
    /// How do two targets compare?
    Targets,
    /// How much do runs differ over a long time?
    Repeat,
    /// How many I/Os keep a goal for latency?
    Slo,
}

impl Question {
    /// In the order of their usefulness.
    pub const ALL: [Question; 10] = [
        Question::Depth,
        Question::Bs,
        Question::Runtime,
        Question::Jobs,
        Question::Span,
        Question::Grid,
        Question::Axis,
        Question::Targets,
        Question::Repeat,
        Question::Slo,
    ];

    /// As `--questions` has it.
    pub fn name(self) -> &'static str {
        match self {
            Question::Depth => "depth",
            Question::Bs => "bs",
            Question::Runtime => "runtime",
            Question::Jobs => "jobs",
            Question::Span => "span",
            Question::Grid => "grid",
            Question::Axis => "axis",
            Question::Targets => "targets",
            Question::Repeat => "repeat",
            Question::Slo => "slo",
        }
    }
}

/// An access pattern: fio's `rw`, block size and mix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// `read`, `write`, `randread`, `randwrite`, `rw`, `randrw`.
    pub rw: String,
    /// Block size, bytes.
    pub bs: u64,
    /// Percent of reads in a mix.
    pub reads: Option<u32>,
    /// The sync that makes writes durable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<WriteSync>,
}

/// A sync after every so many writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WriteSync {
    /// The call.
    pub call: SyncCall,
    /// Number of writes that it follows.
    pub every: u64,
}

/// A call that makes a file's writes durable; fio's option for it has the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncCall {
    /// fsync.
    Fsync,
    /// fdatasync.
    Fdatasync,
}

impl SyncCall {
    /// Both.
    pub const ALL: [SyncCall; 2] = [SyncCall::Fsync, SyncCall::Fdatasync];

    /// Returns the name of the call and of the option.
    pub fn name(self) -> &'static str {
        match self {
            SyncCall::Fsync => "fsync",
            SyncCall::Fdatasync => "fdatasync",
        }
    }
}

impl WriteSync {
    /// Returns the sync that `fsync=` and `fdatasync=` ask for: the one that comes after fewer writes; 0 = never.
    pub fn of(fsync: u64, fdatasync: u64) -> Option<WriteSync> {
        let asked = [(SyncCall::Fsync, fsync), (SyncCall::Fdatasync, fdatasync)].into_iter();
        let first = asked.filter(|(_, every)| *every > 0).min_by_key(|(call, every)| (*every, *call));
        first.map(|(call, every)| WriteSync { call, every })
    }
}

impl std::fmt::Display for WriteSync {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.call.name(), self.every)
    }
}

/// The most writes per sync of a pattern whose latency is that of its commits: a sync takes longer than so few writes.
pub const FEW_WRITES: u64 = 8;

impl Access {
    /// Whether it syncs after every few writes.
    pub fn commits(&self) -> bool {
        self.sync.is_some_and(|sync| sync.every <= FEW_WRITES)
    }

    /// Whether it changes what is on the target.
    pub fn writes(&self) -> bool {
        self.rw.contains("write") || self.rw.ends_with("rw")
    }

    /// Whether its places are drawn.
    pub fn random(&self) -> bool {
        self.rw.starts_with("rand")
    }
}

/// One way to load a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Which target of the study.
    pub target: usize,
    /// Its pattern; for a study of block sizes with the block size of this point.
    pub access: Access,
    /// `iodepth` of each job.
    pub depth: u32,
    /// `numjobs`.
    pub jobs: u32,
    /// Bytes of the region from the start; `None` for all of it.
    pub span: Option<u64>,
    /// A setting of the kernel and its value, while an axis is studied.
    pub setting: Option<(String, String)>,
    /// Arrivals at random, bytes per second of all jobs together; `None` for as many as there are answers.
    #[serde(default)]
    pub rate: Option<u64>,
}

impl Cell {
    /// So many in flight, shared by at most so many jobs: on all of the target, nothing set, as fast as it answers. Of
    /// commits each is in flight in a job of its own: one that issues the next write before the sync has ended waits for none.
    pub fn of(target: usize, access: &Access, in_flight: u32, jobs: u32) -> Cell {
        let jobs = if access.commits() { in_flight.max(1) } else { jobs.min(in_flight).max(1) };
        let depth = in_flight.div_ceil(jobs);
        Cell { target, access: access.clone(), depth, jobs, span: None, setting: None, rate: None }
    }

    /// In flight at most, all jobs together.
    pub fn in_flight(&self) -> u32 {
        self.depth.saturating_mul(self.jobs)
    }
}

/// Why a point ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The interval was narrow enough.
    Enough,
    /// Its time was over first.
    #[default]
    TimeUp,
    /// A signal.
    Interrupted,
}

/// I/Os, and the seconds in which they completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// I/Os.
    pub ios: u64,
    /// Seconds.
    pub seconds: f64,
}

impl Counted {
    /// I/Os of these windows, and their time.
    pub fn of(windows: &[Window]) -> Counted {
        let whole = windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
        Counted { ios: whole.all_ios(), seconds: whole.nanos as f64 / 1e9 }
    }

    /// I/Os per second.
    pub fn rate(&self) -> f64 {
        self.ios as f64 / self.seconds.max(1e-9)
    }
}

/// How the rate behaved over a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// About one level.
    #[default]
    Level,
    /// Still rises or falls; percent of the mean from its first half to its second.
    Drifts(f64),
    /// One level, then another: seconds before it, I/Os per second before and after.
    Steps {
        /// Seconds before it.
        at_s: f64,
        /// Before.
        before: f64,
        /// After.
        after: f64,
    },
}

/// The 95 % intervals of a point's percentiles, nanoseconds, from the order of its I/Os; `None` where too few of them are
/// independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tails {
    /// I/Os that count as independent.
    pub independent: f64,
    /// Of the median.
    pub p50: Option<[u64; 2]>,
    /// Of the 99th percentile.
    pub p99: Option<[u64; 2]>,
    /// Of the 99.9th percentile.
    pub p999: Option<[u64; 2]>,
}

/// How the rate of a load goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Regime {
    /// One level.
    #[default]
    Steady,
    /// It rises or falls: no run is long enough.
    Drift,
    /// It lets go in bursts.
    Bursts {
        /// Seconds from one to the next.
        every_s: f64,
    },
    /// It left one level for another.
    Stepped,
}

/// One cell, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Number in the study, from 0.
    pub ordinal: u32,
    /// What it was measured for.
    pub question: Question,
    /// What was measured.
    pub cell: Cell,
    /// Start, milliseconds since the epoch (simulated devices: since their beginning).
    pub began_ms: u64,
    /// Seconds that it was waited for quiet before.
    pub rest_s: f64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Seconds at the start that do not count.
    pub cut_s: f64,
    /// I/Os per second after the cut, with the interval.
    pub iops: Estimate,
    /// What that rate is made of; of durable writes the writes, not their commits.
    #[serde(default)]
    pub counted: Counted,
    /// Bytes per second after the cut.
    pub bytes_per_second: f64,
    /// Slices that the interval is made of, and how alike neighbours are (lag-1 autocorrelation).
    pub slices: u32,
    /// See `slices`.
    pub correlation: f64,
    /// Mean latency, nanoseconds. Of arrivals at random, as all latencies here, since each was due.
    pub mean_ns: f64,
    /// Longest latency, nanoseconds.
    #[serde(default)]
    pub max_ns: u64,
    /// Median latency, nanoseconds.
    pub p50_ns: Option<u64>,
    /// 99th percentile; `None` where too few I/Os lie above it.
    pub p99_ns: Option<u64>,
    /// 99.9th percentile; `None` where too few I/Os lie above it.
    pub p999_ns: Option<u64>,
    /// Intervals of the percentiles.
    #[serde(default)]
    pub tails: Tails,
    /// Of the uppermost device: busy percent.
    pub util_percent: Option<f64>,
    /// Of the uppermost device: mean time of a request, milliseconds.
    pub await_ms: Option<f64>,
    /// Of the uppermost device: mean number of requests.
    pub queue: Option<f64>,
    /// CPU time of the busiest generator thread, percent of its wall time.
    pub cpu_percent: f64,
    /// I/Os completed in these seconds; of durable writes commits.
    pub ios: u64,
    /// Bytes moved in these seconds.
    pub bytes: u64,
    /// Why it ended.
    pub ended: Ended,
    /// How the rate behaved.
    pub trend: Trend,
    /// How far to believe it.
    pub grade: Grade,
    /// Why.
    pub findings: Vec<Finding>,
    /// The rate over time.
    pub series: Series,
    /// All latencies, where a goal for them is asked about.
    #[serde(default)]
    pub latencies: Histogram,
    /// What the runner needs to go on after this point (simulated devices).
    #[serde(default)]
    pub state: Vec<f64>,
}

/// One target of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyTarget {
    /// As given.
    pub name: String,
    /// Bytes of the region.
    pub size: u64,
    /// From the top down in words.
    pub stack: Vec<String>,
    /// Its smallest block, bytes.
    pub sector: u64,
    /// A scratch file that fathom made.
    pub scratch: bool,
    /// It is opened past the page cache; `None` of a simulated device.
    #[serde(default)]
    pub direct: Option<bool>,
}

/// Rounds that are spread over a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// How many.
    pub rounds: u32,
    /// Seconds.
    pub over_s: f64,
}

/// What a study was asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyAsked {
    /// Targets as given.
    pub targets: Vec<String>,
    /// Seconds that it may take.
    pub budget_s: f64,
    /// Patterns, in order.
    pub patterns: Vec<Access>,
    /// Questions, in order.
    pub questions: Vec<Question>,
    /// Seed of everything drawn.
    pub seed: u64,
    /// `ioengine`.
    pub engine: String,
    /// Writing to a file or device that is not scratch was asked for.
    pub write: bool,
    /// A setting of the kernel to vary.
    pub axis: Option<String>,
    /// Rounds over a long time, after everything else.
    #[serde(default)]
    pub repeat: Option<Repeat>,
    /// A goal for latency.
    #[serde(default)]
    pub slo: Option<Goal>,
}

/// The load that is recommended for a pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecommendedLoad {
    /// Which target.
    pub target: usize,
    /// Its pattern.
    pub access: Access,
    /// `iodepth` of each job.
    pub iodepth: u32,
    /// `numjobs`.
    pub numjobs: u32,
    /// Seconds that a run should take; 10 where that is not known.
    pub runtime_s: u64,
    /// I/Os per second, or commits, as measured there.
    pub iops: Estimate,
    /// Mean latency there, nanoseconds.
    pub mean_ns: f64,
}

/// A study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Number in the store; 0 when it is not stored.
    pub id: i64,
    /// Version of fathom.
    pub version: String,
    /// The machine.
    #[serde(default)]
    pub host: Host,
    /// Start, milliseconds since the epoch.
    pub began_ms: u64,
    /// What was asked.
    pub asked: StudyAsked,
    /// What it was asked of.
    pub targets: Vec<StudyTarget>,
    /// Every point, in order.
    pub points: Vec<Point>,
    /// The answers.
    pub conclusions: Vec<Conclusion>,
    /// What has no answer.
    pub unanswered: Vec<Unanswered>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What to use: for each pattern and target one load.
    #[serde(default)]
    pub loads: Vec<RecommendedLoad>,
    /// A job file of fio that measures the recommended loads.
    pub recommended: String,
    /// Seconds that it took.
    pub spent_s: f64,
    /// It came to its end.
    pub complete: bool,
}

impl Study {
    /// The first answer of this kind about one pattern of one target.
    pub fn answer(&self, target: usize, access: &Access, question: Question) -> Option<&Conclusion> {
        let is_it = |c: &&Conclusion| c.target == target && c.access == *access && c.question == question;
        self.conclusions.iter().find(is_it)
    }

    /// Of each pattern, what the second target does over what the first does, where both have an answer.
    pub fn ratios(&self) -> Vec<(Access, Estimate)> {
        let of = |a: &Access| Some((a.clone(), self.answer(1, a, Question::Targets)?.estimate));
        self.asked.patterns.iter().filter_map(of).collect()
    }
}
