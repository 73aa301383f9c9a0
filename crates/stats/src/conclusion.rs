//! Answers of a study: claims with their figures, intervals and caveats, and the reasons why a question has no
//! answer.

use crate::access::Access;
use crate::depth_curve::DepthCurve;
use crate::estimate::{Estimate, Verdict};
use crate::failure::Failure;
use crate::finding::{Finding, Grade};
use crate::percentile::Goal;
use serde::{Deserialize, Serialize};

/// Question of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Number of I/Os in flight that reaches nearly the maximum rate.
    Depth,
    /// Block size at which the limit changes from IOPS to bandwidth.
    Bs,
    /// Runtime that a run needs.
    Runtime,
    /// Effect of the number of jobs at the same number of I/Os in flight.
    Jobs,
    /// Effect of the size of the region.
    Span,
    /// Full grid iodepth x numjobs.
    Grid,
    /// Effect of a kernel setting.
    Axis,
    /// Comparison of two targets.
    Targets,
    /// Variation between runs over a long time.
    Repeat,
    /// Highest rate that keeps a latency goal.
    Slo,
    /// Number of hosts that reaches nearly the rate of all hosts.
    Hosts,
}

impl Question {
    /// All questions, most useful first.
    pub const ALL: [Question; 11] = [
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
        Question::Hosts,
    ];

    /// Returns the name of the question in `--questions`.
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
            Question::Hosts => "hosts",
        }
    }
}

/// Behaviour of the rate of a load over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Regime {
    /// The rate stays at one level.
    #[default]
    Steady,
    /// The rate rises or falls throughout, so no run is long enough.
    Drift,
    /// The rate alternates between bursts and pauses.
    Bursts {
        /// Mean time from the start of one burst to the start of the next, seconds.
        every_s: f64,
    },
    /// The rate changed from one level to another.
    Stepped,
}

/// Claim of a conclusion: the answer to a question, with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StudyClaim {
    /// Knee: the fewest I/Os in flight that reach 95 % of the maximum rate. The estimate is the maximum rate over all
    /// depths, I/Os per second.
    Knee {
        /// Number of I/Os in flight.
        in_flight: u32,
        /// Interval of the knee, I/Os in flight: the highest depth whose interval is below 95 % of the maximum plus
        /// one, and the lowest depth whose interval is above 95 %; `None` if not known.
        #[serde(default)]
        between: Option<[u32; 2]>,
        /// Rate at the knee, I/Os per second.
        there: Estimate,
        /// Mean latency at that depth, nanoseconds.
        mean_ns: f64,
        /// 99th percentile of latency at the knee, nanoseconds; `None` with too few I/Os.
        p99_ns: Option<u64>,
        /// 95 % interval of that percentile in the longest visit, nanoseconds.
        #[serde(default)]
        p99_between: Option<[u64; 2]>,
        /// Mean latency at depth 1, nanoseconds.
        alone_ns: f64,
        /// I/Os in flight that the maximum rate would need at the latency of depth 1 (two-line bound).
        bound: f64,
    },
    /// The rate still rises at the deepest queue measured. The estimate is the rate at that depth, I/Os per second.
    NoKnee {
        /// Deepest queue measured, I/Os in flight.
        up_to: u32,
        /// Mean latency at that depth, nanoseconds.
        mean_ns: f64,
        /// Mean latency at depth 1, nanoseconds.
        alone_ns: f64,
    },
    /// The rate has not reached a steady state. The estimate is the rate at the end.
    Drifts {
        /// Number of I/Os in flight.
        in_flight: u32,
        /// Rate at the start, I/Os per second.
        before: f64,
        /// Time between the two rates, seconds.
        over_s: f64,
    },
    /// The rate is the same at every depth.
    OneLimit {
        /// Deepest queue measured, starting at 1.
        up_to: u32,
        /// Mean latency at depth 1, nanoseconds.
        alone_ns: f64,
        /// Whether the device was idle part of the time, because a layer above the device delays the I/Os.
        above_device: bool,
    },
    /// The CPU or its quota limited the rate, not the device.
    Generator {
        /// Number of I/Os in flight at which the CPU was the limit.
        in_flight: u32,
        /// Number of jobs that shared these I/Os.
        jobs: u32,
        /// CPU time of the busiest load thread, percent of its wall time.
        cpu_percent: f64,
    },
    /// Small blocks are limited by IOPS and large blocks by bandwidth. The estimate is the block size at which both
    /// limits meet, bytes.
    Crossover {
        /// Smallest block size with 95 % of the maximum bandwidth, bytes.
        full_bandwidth: u64,
        /// Largest block size with 95 % of the maximum IOPS, bytes.
        full_iops: u64,
        /// Bandwidth with large blocks, bytes per second.
        bandwidth: Estimate,
        /// Rate with small blocks, I/Os per second.
        iops: Estimate,
        /// Number of I/Os in flight.
        in_flight: u32,
    },
    /// IOPS, or bandwidth, is the same at all block sizes measured, so no size separates two limits.
    OneBlockLaw {
        /// Whether IOPS or bandwidth stays the same.
        of: Cap,
        /// Smallest and largest block size measured, bytes.
        sizes: [u64; 2],
        /// Number of I/Os in flight.
        in_flight: u32,
    },
    /// Runtime that a run needs. The estimate is the total, seconds.
    Runtime {
        /// Time needed for the required interval of the rate, seconds.
        statistics_s: f64,
        /// Time in seconds for a 99th percentile with a half-width of `percentile_percent` percent and at least ten
        /// I/Os above the percentile; `None` if it is beyond what the measured time can tell, as for a percentile at the
        /// edge of a two-point law.
        percentile_s: Option<f64>,
        /// Warm-up time, seconds.
        warm_up_s: f64,
        /// Required half width of the interval of the rate, percent.
        within_percent: f64,
        /// Required half width of the interval of the percentile, percent.
        #[serde(default)]
        percentile_percent: f64,
        /// Behaviour of the rate while the load was measured.
        #[serde(default)]
        regime: Regime,
    },
    /// Several jobs compared with one at the same number of I/Os in flight. The estimate is the ratio of their rates.
    Jobs {
        /// Number of jobs in the load with several jobs.
        jobs: u32,
        /// Number of I/Os in flight of both loads.
        in_flight: u32,
    },
    /// Rate on a small region divided by the rate on the whole region. The estimate is the ratio.
    Span {
        /// Size of the smaller region, bytes.
        part: u64,
        /// Size of the whole region, bytes.
        whole: u64,
    },
    /// Effect of a kernel setting. The estimate is the rate with this value divided by the rate with the base value.
    Axis {
        /// Name of the setting.
        name: String,
        /// Value of the setting.
        value: String,
        /// Base value, with which the value is compared.
        base: String,
    },
    /// Rate of a part of the hosts divided by that of all hosts, with the same I/Os in flight. The estimate is that of `enough` hosts,
    /// or, if all are needed, that of one host less.
    Hosts {
        /// Fewest hosts that reach 95 % of the rate of all; the number of all hosts if one less does not.
        enough: u32,
        /// Fewest and most hosts that this may be, by the intervals of the shares.
        between: (u32, u32),
        /// Number of all hosts.
        all: u32,
        /// I/Os in flight over all hosts.
        in_flight: u32,
        /// Numbers of hosts that were compared with all, and their share of the rate.
        shares: Vec<(u32, Estimate)>,
        /// Jain's fairness index of the rates of all hosts; `None` if not known.
        fairness: Option<f64>,
        /// Slowest and fastest host with their IOPS, if the fairness is below 0.9.
        uneven: Option<[(String, f64); 2]>,
    },
    /// Comparison of two targets, each at its knee or both with the same load, measured in turn. The estimate is the rate of the second divided
    /// by the first.
    Targets {
        /// Number of I/Os in flight on the first and the second target.
        in_flight: [u32; 2],
    },
    /// The rate changed during the study. The estimate is the rate at the end.
    Moved {
        /// Rate before the change, I/Os per second.
        before: f64,
        /// Last time in the study at which the earlier rate was measured, seconds.
        after_s: f64,
        /// First time in the study at which the later rate was measured, seconds; `None` if no load was measured at
        /// both rates.
        #[serde(default)]
        by_s: Option<f64>,
    },
    /// Fitted law of the rate over the number of I/Os in flight. The estimate is the maximum rate measured.
    Curve {
        /// Fitted laws, and the better one.
        curve: DepthCurve,
        /// Largest depth of the fit, starting at 1.
        up_to: u32,
    },
    /// The same load repeated over a long time. The estimate is the mean of the rounds with its interval.
    Repeat {
        /// Number of rounds.
        rounds: u32,
        /// Time from the start of the first round to the end of the last, seconds.
        over_s: f64,
        /// Number of I/Os in flight.
        in_flight: u32,
        /// Standard deviation between the rounds, percent of the mean.
        between_percent: Estimate,
        /// Standard deviation that the intervals within the rounds explain, percent of the mean.
        within_percent: f64,
    },
    /// Rate of random arrivals that was shown to keep a latency goal, with latency from the scheduled start. The
    /// estimate's value and lower end are that rate, I/Os per second; its upper end is the lowest rate shown to miss
    /// the goal, or the maximum rate.
    Kept {
        /// Latency goal that was tested.
        goal: Goal,
        /// Figure that the goal limits, measured at about that rate, nanoseconds; `None` with too few I/Os.
        there: Option<Estimate>,
        /// Maximum rate of the target, I/Os per second.
        most: Estimate,
    },
    /// The goal was kept at nearly the maximum rate. The estimate is that rate, the highest measured, I/Os per
    /// second.
    AlwaysKept {
        /// Latency goal that was tested.
        goal: Goal,
        /// Maximum rate of the target, I/Os per second.
        most: Estimate,
    },
    /// The goal was kept neither with one I/O in flight nor at the lowest rate measured. The estimate is the limited
    /// figure with one I/O in flight.
    NeverKept {
        /// Latency goal that was tested.
        goal: Goal,
        /// Lowest rate measured, I/Os per second.
        down_to: f64,
    },
    /// The maximum rate is probably a cap: a fixed number of I/Os or bytes per second, independent of depth and block
    /// size. The estimate is the cap.
    Cap {
        /// Whether the cap limits I/Os or bytes per second.
        of: Cap,
        /// Smallest and largest block size measured with the same rate, bytes.
        sizes: [u64; 2],
        /// Observation that excludes a device without a cap.
        sign: CapSign,
    },
    /// Best cell of the grid iodepth x numjobs.
    Best {
        /// `iodepth` of each job.
        depth: u32,
        /// Number of jobs (`numjobs`).
        jobs: u32,
    },
}

/// Unit of a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    /// I/Os per second.
    Iops,
    /// Bytes per second.
    Bytes,
}

/// Observation that indicates that a limit is a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapSign {
    /// Bandwidth stays the same at block sizes where the cost per I/O of a device would reduce the bandwidth.
    SameBytes,
    /// The device below the cap was idle most of the time.
    IdleBeneath,
    /// The rate varies far less than at depth 1.
    Regular,
    /// Larger blocks take longer at depth 1, but reach the same IOPS.
    LongerAlone,
    /// At a low rate an I/O takes less time than a device that serves one I/O at a time would need.
    QuickWhenFew,
}

/// Unit of the estimate of a conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// I/Os per second.
    Iops,
    /// Commits per second.
    Commits,
    /// Size in bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// Time in seconds.
    Seconds,
    /// Ratio of two rates.
    Ratio,
    /// Time in microseconds.
    Micros,
}

/// Amount of a load that was measured for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredLoad {
    /// Measured time of this load, seconds.
    pub seconds: f64,
    /// Bytes transferred in the measured time.
    pub bytes: u64,
    /// Size of the region, bytes.
    pub span: u64,
}

/// Answer to a question of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// Number of the target in the study, from 0.
    pub target: usize,
    /// Access pattern of the load.
    pub access: Access,
    /// Question that is answered.
    pub question: Question,
    /// Claim of the answer.
    pub claim: StudyClaim,
    /// Figure of the claim with its interval.
    pub estimate: Estimate,
    /// Unit of the figure.
    pub unit: Unit,
    /// Amount of the load that was measured.
    #[serde(rename = "horizon")]
    pub measured: MeasuredLoad,
    /// Numbers of the points that support the answer.
    pub evidence: Vec<u32>,
    /// Caveats that limit the answer.
    pub caveats: Vec<Caveat>,
}

impl Conclusion {
    /// Returns the verdict of an estimate that is a ratio.
    pub fn verdict(&self) -> Verdict {
        self.estimate.verdict()
    }
}

/// Caveat that limits an answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Caveat {
    /// The rate still changed when the point ended.
    Drifts {
        /// Change from the first half of the point to the second, percent.
        percent: f64,
    },
    /// Neighbouring depths could not be distinguished in the available time.
    WithinNoise,
    /// The time ended before the interval had the required width.
    Wide {
        /// Half width of the interval, percent.
        half_percent: f64,
    },
    /// The target paused repeatedly during the measurement; the rate includes the pauses.
    Pauses {
        /// Mean length of a pause, seconds.
        each_s: f64,
        /// Mean time from the start of one pause to the start of the next, seconds.
        every_s: f64,
    },
    /// The interval is one-sided: the rate is at least the value, and may be higher.
    MayBeMore {
        /// Largest possible increase, percent.
        percent: f64,
    },
    /// The same load had another rate later in the study.
    Changed {
        /// Later rate, I/Os per second.
        now: f64,
    },
    /// Some I/Os failed, and the study continued.
    Errors {
        /// Number of I/Os that failed.
        failed: u64,
        /// Number of I/Os that succeeded.
        ios: u64,
    },
    /// Some points hold only under conditions.
    Grade {
        /// Worst grade among the points of the answer.
        grade: Grade,
    },
}

/// Question without an answer, with the reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unanswered {
    /// Number of the target in the study, from 0.
    pub target: usize,
    /// Access pattern of the load.
    pub access: Access,
    /// Question without an answer.
    pub question: Question,
    /// Reason why the question has no answer.
    pub why: Why,
}

/// Reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Why {
    /// The time budget was too short.
    Budget {
        /// Additional time needed, seconds.
        needs_s: f64,
    },
    /// The points did not measure the device.
    NotTheDevice {
        /// Findings with the worst grade.
        findings: Vec<Finding>,
    },
    /// A signal ended the study.
    Interrupted,
    /// A run failed, or the result of the run cannot be used.
    Failed {
        /// Failure of the run.
        text: Failure,
    },
    /// The question does not apply to this load or target.
    NotHere {
        /// Reason why the question does not apply.
        text: NotHere,
    },
}

/// Reason why a question does not apply, serialized as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotHere {
    /// The pattern writes, and writing to the target was not permitted.
    #[serde(rename = "this target is only read: --write insists")]
    OnlyRead,
    /// The size of the region matters for random I/O only.
    #[serde(rename = "the region's size matters to random I/O")]
    RandomAlone,
    /// The pattern syncs after every few writes.
    #[serde(rename = "a job has one commit in flight")]
    Commits,
    /// Sentence of another version of fathom.
    #[serde(untagged)]
    Other(String),
}
