//! Study: several runs, one answer. Its request, all points measured and the conclusions, as data without prose.

use crate::converge;
use crate::finding::{Finding, Grade};
use crate::histogram::Histogram;
use crate::loop_file::LoopFile;
use crate::note::NoteFact;
use crate::percentile::Goal;
use crate::result::Host;
use crate::series::Series;
use crate::sweep_grid::SweepAsked;
use crate::wear::WearBudget;
use serde::{Deserialize, Serialize};

pub use crate::access::{Access, FEW_WRITES, SyncCall, WriteSync};
pub use crate::conclusion::{
    Cap, CapSign, Caveat, Conclusion, MeasuredLoad, NotHere, Question, Regime, StudyClaim, Unanswered, Unit,
    Why,
};
pub use crate::converge::Trend;
pub use crate::estimate::{Estimate, Verdict};
pub use crate::series::Counted;

/// Load on a target: pattern, depth, jobs and region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// *Number of the target in the study, from 0.
    pub target: usize,
    /// Access pattern, with the block size of this cell.
    pub access: Access,
    /// `iodepth` of each job.
    pub depth: u32,
    /// Number of jobs (`numjobs`); with several hosts, on each of them.
    pub jobs: u32,
    /// Size of the region from the start of the target, bytes; `None` for the whole target.
    pub span: Option<u64>,
    /// Kernel setting and its value; `None` except for the axis question.
    pub setting: Option<(String, String)>,
    /// Rate of random arrivals, bytes per second over all jobs; `None` for a closed loop, in which each completion
    /// starts the next I/O.
    #[serde(default)]
    pub rate: Option<u64>,
    /// Number of hosts among which the jobs are divided, the first ones of the study's; `None` for all hosts of a study on several,
    /// and on one machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<u32>,
}

impl Cell {
    /// Returns the cell with `in_flight` I/Os in flight over at most `jobs` jobs, on the whole target, without kernel
    /// setting or rate. A pattern of commits gets one job per commit in flight, because a job with a deeper queue
    /// would issue the next write before its sync has ended.
    pub fn of(target: usize, access: &Access, in_flight: u32, jobs: u32) -> Cell {
        let jobs = if access.commits() { in_flight.max(1) } else { jobs.min(in_flight).max(1) };
        let depth = in_flight.div_ceil(jobs);
        Cell {
            target,
            access: access.clone(),
            depth,
            jobs,
            span: None,
            setting: None,
            rate: None,
            hosts: None,
        }
    }

    /// Returns the maximum number of I/Os in flight over all jobs. Several hosts divide them among themselves.
    pub fn in_flight(&self) -> u32 {
        self.depth.saturating_mul(self.jobs)
    }
}

/// Reason why a point ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The interval reached the required width.
    Enough,
    /// The time ended before the interval reached the required width.
    #[default]
    TimeUp,
    /// A signal ended the point.
    Interrupted,
}

/// 95 % intervals of the latency percentiles of a point, nanoseconds, from order statistics; `None` if too few I/Os
/// are independent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PercentileIntervals {
    /// Effective number of independent I/Os.
    pub independent: f64,
    /// Interval of the median.
    pub p50: Option<[u64; 2]>,
    /// Interval of the 99th percentile.
    pub p99: Option<[u64; 2]>,
    /// Interval of the 99.9th percentile.
    pub p999: Option<[u64; 2]>,
}

/// Measurement of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Number of the point in the study, from 0.
    pub ordinal: u32,
    /// Question for which the point was measured.
    pub question: Question,
    /// Cell that was measured.
    pub cell: Cell,
    /// Start, milliseconds since the epoch (simulated devices: since the start of their time).
    pub began_ms: u64,
    /// Time waited for an idle target before the point, seconds.
    pub rest_s: f64,
    /// Time measured, seconds.
    pub seconds: f64,
    /// Warm-up at the start that is not evaluated, seconds.
    pub cut_s: f64,
    /// I/Os per second after the warm-up, with the interval.
    pub iops: Estimate,
    /// Number of I/Os and seconds from which the rate after the warm-up is computed. For durable writes, writes are
    /// counted and commits are not.
    #[serde(default)]
    pub counted: Counted,
    /// Bandwidth after the warm-up, bytes per second.
    pub bytes_per_second: f64,
    /// Number of slices from which the interval is computed.
    pub slices: u32,
    /// Lag-1 autocorrelation of the slices.
    pub correlation: f64,
    /// Mean latency, nanoseconds. With random arrivals all latencies of a point start at the scheduled time of the
    /// I/O.
    pub mean_ns: f64,
    /// Longest latency, nanoseconds.
    #[serde(default)]
    pub max_ns: u64,
    /// Median latency, nanoseconds; `None` without I/Os.
    pub p50_ns: Option<u64>,
    /// 99th percentile of latency, nanoseconds; `None` if too few I/Os are above.
    pub p99_ns: Option<u64>,
    /// 99.9th percentile of latency, nanoseconds; `None` if too few I/Os are above.
    pub p999_ns: Option<u64>,
    /// 95 % intervals of the percentiles.
    #[serde(default)]
    pub tails: PercentileIntervals,
    /// Utilization of the uppermost device, percent; `None` without a device.
    pub util_percent: Option<f64>,
    /// Mean time of a request at the uppermost device, milliseconds; `None` without a device.
    pub await_ms: Option<f64>,
    /// Mean number of requests in flight at the uppermost device; `None` without a device.
    pub queue: Option<f64>,
    /// CPU time of the busiest load thread, percent of its wall time.
    pub cpu_percent: f64,
    /// I/Os completed in `seconds`; for durable writes the commits.
    pub ios: u64,
    /// Bytes transferred in `seconds`.
    pub bytes: u64,
    /// Reason why the point ended.
    pub ended: Ended,
    /// Trend of the rate.
    pub trend: Trend,
    /// Grade of the point.
    pub grade: Grade,
    /// Findings that determine the grade.
    pub findings: Vec<Finding>,
    /// Rate over time.
    pub series: Series,
    /// Histogram of all latencies, kept in studies of a latency goal and in grids.
    #[serde(default)]
    pub latencies: Histogram,
    /// State of the simulated devices after this point, to resume the study.
    #[serde(default)]
    pub state: Vec<f64>,
    /// I/Os per second of each host that took part, in a study on several hosts; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_iops: Vec<f64>,
}

/// One target of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyTarget {
    /// Name as given on the command line.
    pub name: String,
    /// Size of the region, bytes.
    pub size: u64,
    /// Layers, top down, as text.
    pub stack: Vec<String>,
    /// Logical block size, bytes.
    pub sector: u64,
    /// Whether the target is a scratch file that fathom created.
    pub scratch: bool,
    /// Whether the target is opened with direct I/O; `None` for a simulated device.
    #[serde(default)]
    pub direct: Option<bool>,
    /// Device and inode number of a target that is a file with a name; `None` for other targets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<(u64, u64)>,
    /// Disks under the target, with vendor and model if known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disks: Vec<String>,
    /// Files of the loop devices under the target, from the top down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loop_files: Vec<LoopFile>,
}

/// Repeated rounds spread over a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// Number of rounds.
    pub rounds: u32,
    /// Time over which the rounds are spread, seconds.
    pub over_s: f64,
}

/// Comparison of two targets with one load.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetsRatio {
    /// Access pattern of the load.
    pub access: Access,
    /// Number of I/Os in flight on the first and the second target.
    pub in_flight: [u32; 2],
    /// Rates of the first and the second target; `None` if their points are not stored.
    pub rates: [Option<Estimate>; 2],
    /// Ratio of the second target's rate to the first's.
    pub ratio: Estimate,
}

/// Which of two targets is faster: with how many loads each of them is, by more than their interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faster {
    /// Number of loads that were compared.
    pub loads: usize,
    /// Number of loads with which the first target is faster.
    pub first: usize,
    /// Number of loads with which the second target is faster.
    pub second: usize,
    /// Number of loads with which there is no relevant difference; the rest is not known.
    pub same: usize,
    /// Smallest lower end of the intervals of the ratio of the second target's rate to the first's.
    pub smallest: f64,
    /// Largest upper end.
    pub largest: f64,
}

/// Targets, patterns, questions and options of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StudyAsked {
    /// Targets as given on the command line.
    pub targets: Vec<String>,
    /// Time budget, seconds.
    pub budget_s: f64,
    /// Access patterns, in the order of measurement.
    pub patterns: Vec<Access>,
    /// Questions, in the order of the answers.
    pub questions: Vec<Question>,
    /// Seed of all random numbers of the study.
    pub seed: u64,
    /// Name of the I/O engine (`ioengine`).
    pub engine: String,
    /// Whether writing to targets other than scratch files is permitted (`--write`).
    pub write: bool,
    /// Kernel setting to vary; `None` without axis question.
    pub axis: Option<String>,
    /// Rounds over a long time, measured last; `None` without repeat question.
    #[serde(default)]
    pub repeat: Option<Repeat>,
    /// Latency goal; `None` without goal.
    #[serde(default)]
    pub slo: Option<Goal>,
    /// Largest amount of data that the study may write (`--wear-budget`); `None` without a budget.
    #[serde(default)]
    pub wear_budget: Option<WearBudget>,
    /// Hosts that load the targets together; empty for a study of one machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// How the hosts share the target (`--share`): `whole`, `split`, `interleave`; empty if each has its own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub share: String,
    /// Grid of a study that is a sweep; `None` for a study of questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepAsked>,
}

/// Recommended load for a pattern on a target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecommendedLoad {
    /// Number of the target in the study, from 0.
    pub target: usize,
    /// Access pattern of the load.
    pub access: Access,
    /// `iodepth` of each job; with several hosts, on each of them.
    pub iodepth: u32,
    /// Number of jobs (`numjobs`), on each host.
    pub numjobs: u32,
    /// Recommended runtime, seconds; 10 if not known.
    pub runtime_s: u64,
    /// Rate measured with this load: I/Os per second, or commits per second.
    pub iops: Estimate,
    /// Mean latency with this load, nanoseconds.
    pub mean_ns: f64,
}

/// Complete result of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Number of the study in the store; 0 if not stored.
    pub id: i64,
    /// Version of fathom that measured the study.
    pub version: String,
    /// Machine on which the study was measured.
    #[serde(default)]
    pub host: Host,
    /// Start, milliseconds since the epoch.
    pub began_ms: u64,
    /// Targets, patterns, questions and options.
    pub asked: StudyAsked,
    /// Targets as opened.
    pub targets: Vec<StudyTarget>,
    /// All points in the order of measurement.
    pub points: Vec<Point>,
    /// Answers to the questions.
    pub conclusions: Vec<Conclusion>,
    /// Questions without an answer.
    pub unanswered: Vec<Unanswered>,
    /// Notes for the reader.
    pub notes: Vec<NoteFact>,
    /// Recommended loads, one for each pattern and target.
    #[serde(default)]
    pub loads: Vec<RecommendedLoad>,
    /// Job file in fio's format with the recommended loads.
    pub recommended: String,
    /// Time spent on the study, seconds.
    pub spent_s: f64,
    /// Whether the study was completed.
    pub complete: bool,
}

impl Study {
    /// Returns the first answer to this question for one pattern on one target.
    pub fn answer(&self, target: usize, access: &Access, question: Question) -> Option<&Conclusion> {
        let is_it = |c: &&Conclusion| c.target == target && c.access == *access && c.question == question;
        self.conclusions.iter().find(is_it)
    }

    /// Returns the comparisons of two targets in the order of the patterns.
    pub fn ratios(&self) -> Vec<TargetsRatio> {
        let rate = |c: &Conclusion, target: usize| {
            let visits = c.evidence.iter().filter_map(|n| self.points.get(*n as usize));
            let mine = visits.filter(|p| p.cell.target == target);
            let (rates, seconds): (Vec<Estimate>, Vec<f64>) =
                mine.map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
            converge::pooled(&rates, &seconds)
        };
        let of = |a: &Access| {
            let mine = self.conclusions.iter().filter(|c| c.access == *a);
            let ratio = mine.filter_map(|c| {
                let StudyClaim::Targets { in_flight } = c.claim else { return None };
                let rates = [rate(c, 0), rate(c, 1)];
                Some(TargetsRatio { access: a.clone(), in_flight, rates, ratio: c.estimate })
            });
            ratio.collect::<Vec<_>>()
        };
        self.asked.patterns.iter().flat_map(of).collect()
    }

    /// Returns which of two targets is faster; `None` if they were not compared.
    pub fn faster(&self) -> Option<Faster> {
        let ratios = self.ratios();
        let count = |verdict: Verdict| ratios.iter().filter(|r| r.ratio.verdict() == verdict).count();
        let [second, first, same] = [Verdict::More, Verdict::Less, Verdict::Same].map(count);
        let smallest = ratios.iter().map(|r| r.ratio.low).fold(f64::INFINITY, f64::min);
        let largest = ratios.iter().map(|r| r.ratio.high).fold(0.0, f64::max);
        (!ratios.is_empty()).then_some(Faster { loads: ratios.len(), first, second, same, smallest, largest })
    }
}
