//! A study: several runs, one answer. What was asked, every point that was measured for it, and what follows, as data;
//! prose only words it.

use crate::finding::{Finding, Grade};
use crate::histogram::Histogram;
use crate::note::NoteFact;
use crate::percentile::Goal;
use crate::result::Host;
use crate::series::Series;
use serde::{Deserialize, Serialize};

pub use crate::access::{Access, FEW_WRITES, SyncCall, WriteSync};
pub use crate::conclusion::{
    Cap, CapSign, Caveat, Conclusion, MeasuredLoad, NotHere, Question, Regime, StudyClaim, Unanswered, Unit,
    Why,
};
pub use crate::converge::Trend;
pub use crate::estimate::{Estimate, Verdict};
pub use crate::series::Counted;

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
    /// A signal ended the point.
    Interrupted,
}

/// 95 % intervals of the latency percentiles of a point, nanoseconds, from order statistics; `None` where too few I/Os are
/// independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PercentileIntervals {
    /// I/Os that count as independent.
    pub independent: f64,
    /// Of the median.
    pub p50: Option<[u64; 2]>,
    /// Of the 99th percentile.
    pub p99: Option<[u64; 2]>,
    /// Of the 99.9th percentile.
    pub p999: Option<[u64; 2]>,
}

/// One cell, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Number in the study, from 0.
    pub ordinal: u32,
    /// The question that it was measured for.
    pub question: Question,
    /// The cell.
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
    /// I/Os and seconds of that rate; of durable writes the writes, not their commits.
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
    pub tails: PercentileIntervals,
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
    /// Histogram of all latencies, kept in studies of a latency goal.
    #[serde(default)]
    pub latencies: Histogram,
    /// State of the simulated devices after this point, to resume the study.
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

/// Targets, patterns, questions and options of a study.
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
    /// Access pattern of the load.
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
    /// Targets, patterns, questions and options.
    pub asked: StudyAsked,
    /// The targets as they were opened.
    pub targets: Vec<StudyTarget>,
    /// Every point, in order.
    pub points: Vec<Point>,
    /// The answers.
    pub conclusions: Vec<Conclusion>,
    /// Questions without an answer.
    pub unanswered: Vec<Unanswered>,
    /// Notes for the reader.
    pub notes: Vec<NoteFact>,
    /// Recommended loads: one for each pattern and target.
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
