//! The answers of a study, and why a question has none: claims with their figure, how far it reaches and what limits it.

use crate::access::Access;
use crate::depth_curve::DepthCurve;
use crate::estimate::{Estimate, Verdict};
use crate::failure::Failure;
use crate::finding::{Finding, Grade};
use crate::percentile::Goal;
use serde::{Deserialize, Serialize};

/// A question of a study.
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

/// How the rate of a load goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Regime {
    /// One level.
    #[default]
    Steady,
    /// The rate rises or falls: no run is long enough.
    Drift,
    /// The rate alternates between bursts and pauses.
    Bursts {
        /// Seconds from one to the next.
        every_s: f64,
    },
    /// It left one level for another.
    Stepped,
}

/// Claim of a conclusion: the answer to a question, with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StudyClaim {
    /// The fewest in flight that reach 95 % of the most I/Os per second at any depth, which the estimate is.
    Knee {
        /// In flight.
        in_flight: u32,
        /// Interval of the knee: one more than the highest depth that certainly misses 95 %, and the lowest depth that
        /// certainly reaches it.
        #[serde(default)]
        between: Option<[u32; 2]>,
        /// I/Os per second there.
        there: Estimate,
        /// Mean latency there, nanoseconds.
        mean_ns: f64,
        /// 99th percentile there, nanoseconds.
        p99_ns: Option<u64>,
        /// Its interval, in the longest of the visits.
        #[serde(default)]
        p99_between: Option<[u64; 2]>,
        /// Mean latency at depth 1, nanoseconds.
        alone_ns: f64,
        /// In flight that the most would need if latency stayed that of depth 1 (the two-line bound).
        bound: f64,
    },
    /// The rate still rises at the deepest queue that was tried; the estimate is the rate there.
    NoKnee {
        /// In flight there.
        up_to: u32,
        /// Mean latency there, nanoseconds.
        mean_ns: f64,
        /// Mean latency at depth 1, nanoseconds.
        alone_ns: f64,
    },
    /// The rate has not settled: the estimate is that of the end.
    Drifts {
        /// In flight.
        in_flight: u32,
        /// I/Os per second before.
        before: f64,
        /// Seconds between the two.
        over_s: f64,
    },
    /// The same rate at every depth.
    OneLimit {
        /// Depths tried: from 1 to this.
        up_to: u32,
        /// Mean latency at depth 1, nanoseconds.
        alone_ns: f64,
        /// Whether the device was idle meanwhile: a layer above it holds the I/Os back.
        above_device: bool,
    },
    /// The processor or its quota was the limit, not the device.
    Generator {
        /// In flight where it was.
        in_flight: u32,
        /// Jobs that shared them.
        jobs: u32,
        /// CPU time of the busiest thread, percent.
        cpu_percent: f64,
    },
    /// The rate of small blocks is bound by I/Os, that of large ones by bytes; they meet at this size (bytes).
    Crossover {
        /// Smallest block with 95 % of the bandwidth.
        full_bandwidth: u64,
        /// Largest block with 95 % of the I/Os.
        full_iops: u64,
        /// Bytes per second with large blocks.
        bandwidth: Estimate,
        /// I/Os per second with small ones.
        iops: Estimate,
        /// In flight.
        in_flight: u32,
    },
    /// Over all block sizes that were tried the same I/Os per second, or the same bytes per second: nothing bends at a size.
    OneBlockLaw {
        /// The rate that stays the same.
        of: Cap,
        /// Smallest and largest block, bytes.
        sizes: [u64; 2],
        /// In flight.
        in_flight: u32,
    },
    /// How long a run must be, seconds: the estimate is the whole.
    Runtime {
        /// For the wanted interval.
        statistics_s: f64,
        /// For a 99th percentile within `percentile_percent` either way, and ten I/Os above it.
        percentile_s: f64,
        /// Until the start no longer shows.
        warm_up_s: f64,
        /// Percent that the interval is to have.
        within_percent: f64,
        /// Percent that the percentile's interval is to have.
        #[serde(default)]
        percentile_percent: f64,
        /// How the rate went on while it was seen.
        #[serde(default)]
        regime: Regime,
    },
    /// Many jobs against one at equal product: the ratio of their rates.
    Jobs {
        /// Jobs of the many.
        jobs: u32,
        /// In flight of both.
        in_flight: u32,
    },
    /// The rate on a small part of the target over that on all of it.
    Span {
        /// Bytes of the smaller region.
        part: u64,
        /// Bytes of the whole region.
        whole: u64,
    },
    /// One setting of the kernel: the rate with it over that with the first value.
    Axis {
        /// Setting.
        name: String,
        /// Its value.
        value: String,
        /// The value it is compared with.
        base: String,
    },
    /// The second target over the first, each at its knee, visited in turn.
    Targets {
        /// In flight of the first and of the second.
        in_flight: [u32; 2],
    },
    /// The rate did not stay: it is that of the end, and was another one before.
    Moved {
        /// I/Os per second at first.
        before: f64,
        /// Seconds of the study when it was seen there last.
        after_s: f64,
        /// Seconds of the study when it was first seen at the other rate, where one load was seen at both.
        #[serde(default)]
        by_s: Option<f64>,
    },
    /// The law of the rate over the number in flight; the estimate is the most that was measured.
    Curve {
        /// Both laws, and which holds.
        curve: DepthCurve,
        /// Depths that it was fitted to: from 1 to this.
        up_to: u32,
    },
    /// The same again over a long time; the estimate is the mean of the rounds, with the interval of that.
    Repeat {
        /// Rounds.
        rounds: u32,
        /// Seconds from the begin of the first to the end of the last.
        over_s: f64,
        /// In flight.
        in_flight: u32,
        /// Standard deviation between the rounds, percent of the mean.
        between_percent: Estimate,
        /// Standard deviation that the rounds' own intervals explain, percent.
        within_percent: f64,
    },
    /// I/Os per second, arriving at random, that were shown to keep a goal for latency, which counts from when each was due.
    /// The estimate's value and lower end are that rate; its upper end is the lowest rate that was shown to miss the goal, or
    /// the most.
    Kept {
        /// The goal.
        goal: Goal,
        /// The figure that the goal limits, nanoseconds, at about that rate; `None` where there are too few I/Os.
        there: Option<Estimate>,
        /// Maximum rate of the target, I/Os per second.
        most: Estimate,
    },
    /// The goal was shown to be kept at nearly the most; the estimate is that rate, the highest that is tried.
    AlwaysKept {
        /// The goal.
        goal: Goal,
        /// Maximum rate of the target, I/Os per second.
        most: Estimate,
    },
    /// The goal is kept neither one at a time, where the estimate is what it is about, nor at the lowest rate that was tried.
    NeverKept {
        /// The goal.
        goal: Goal,
        /// I/Os per second, the fewest that were tried.
        down_to: f64,
    },
    /// The most is probably a cap: a fixed number of I/Os or bytes per second, which the estimate is, whatever the depth and the
    /// block size.
    Cap {
        /// Whether it limits I/Os or bytes.
        of: Cap,
        /// Smallest and largest block, bytes, that were seen to have the same rate.
        sizes: [u64; 2],
        /// The observation that excludes a device without a cap.
        sign: CapSign,
    },
    /// One cell of the table.
    Best {
        /// `iodepth`.
        depth: u32,
        /// `numjobs`.
        jobs: u32,
    },
}

/// Unit of a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    /// I/Os.
    Iops,
    /// Bytes.
    Bytes,
}

/// Observation that shows that a limit is a cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapSign {
    /// Bytes per second stay the same where a device would lose some of them to its cost per I/O.
    SameBytes,
    /// The device below was idle most of the time.
    IdleBeneath,
    /// The rate is far more regular than at depth 1.
    Regular,
    /// A larger block takes longer at depth 1, and yet there are as many of them per second.
    LongerAlone,
    /// An I/O takes less time where few come than a device that serves one at a time would need.
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
    /// Bytes.
    Bytes,
    /// Bytes per second.
    BytesPerSecond,
    /// Seconds.
    Seconds,
    /// A ratio.
    Ratio,
    /// Microseconds.
    Micros,
}

/// How much of a load was measured for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredLoad {
    /// Seconds of this load that were seen.
    pub seconds: f64,
    /// Bytes moved in the measured time.
    pub bytes: u64,
    /// Bytes of the region.
    pub span: u64,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// Which target.
    pub target: usize,
    /// Of which pattern.
    pub access: Access,
    /// To which question.
    pub question: Question,
    /// The claim.
    pub claim: StudyClaim,
    /// Its figure.
    pub estimate: Estimate,
    /// Unit of the figure.
    pub unit: Unit,
    /// How much of the load was measured.
    #[serde(rename = "horizon")]
    pub measured: MeasuredLoad,
    /// The points it rests on.
    pub evidence: Vec<u32>,
    /// Caveats that limit it.
    pub caveats: Vec<Caveat>,
}

impl Conclusion {
    /// Returns the verdict of a ratio.
    pub fn verdict(&self) -> Verdict {
        self.estimate.verdict()
    }
}

/// A caveat that limits an answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Caveat {
    /// The rate still moved when the point ended, percent from its first half to its second.
    Drifts {
        /// See above.
        percent: f64,
    },
    /// Neighbouring depths could not be distinguished in the available time.
    WithinNoise,
    /// The interval is wider than wanted: time was over.
    Wide {
        /// Percent.
        half_percent: f64,
    },
    /// The target paused again and again while it was measured; the rate holds them.
    Pauses {
        /// Seconds of one, in the mean.
        each_s: f64,
        /// Seconds from one to the next.
        every_s: f64,
    },
    /// The interval is one-sided: the rate is at least the value, and may be higher.
    MayBeMore {
        /// By so many percent at most.
        percent: f64,
    },
    /// Later in the study the same load had another rate.
    Changed {
        /// I/Os per second.
        now: f64,
    },
    /// Some I/Os failed and the study went on.
    Errors {
        /// I/Os that failed.
        failed: u64,
        /// I/Os that did not.
        ios: u64,
    },
    /// Some points are believed only under conditions.
    Grade {
        /// The worst that the answer rests on.
        grade: Grade,
    },
}

/// A question that the budget did not buy, or that could not be answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unanswered {
    /// Which target.
    pub target: usize,
    /// Of which pattern.
    pub access: Access,
    /// Which question.
    pub question: Question,
    /// Why.
    pub why: Why,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Why {
    /// It would take about so many seconds more.
    Budget {
        /// Seconds.
        needs_s: f64,
    },
    /// The points did not measure the device.
    NotTheDevice {
        /// The finding's rule and sentence, of the worst.
        findings: Vec<Finding>,
    },
    /// A signal ended it.
    Interrupted,
    /// A run failed, or its result cannot be used.
    Failed {
        /// Why.
        text: Failure,
    },
    /// It does not apply here.
    NotHere {
        /// Why.
        text: NotHere,
    },
}

/// Why a question does not apply; as data a sentence.
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
    /// Another version's words.
    #[serde(untagged)]
    Other(String),
}
