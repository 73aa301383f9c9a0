//! Reasons why a study could not answer a question although time was left.

use crate::job_error::JobError;
use crate::plan_error::PlanError;
use crate::setting_fault::SettingFault;
use serde::{Deserialize, Serialize};

/// Reason why a study could not answer a question: a point failed, or the points cannot be used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// A point did not measure the device.
    NotTheDevice {
        /// Number of the point in the study, from 0.
        point: u32,
    },
    /// No I/O of a point completed.
    NothingCompleted,
    /// No I/O completed in two visits of the same load.
    NothingTwice {
        /// Numbers of the two points in the study, from 0.
        points: [u32; 2],
    },
    /// The stored points of a resumed study differ from those that this version of fathom would measure.
    AnotherPath {
        /// Number of the first point that differs, from 0.
        point: u32,
    },
    /// The rate of the device changed during every attempt.
    RateChanged {
        /// I/Os per second before the last change; `None` if the last attempt did not end with a change.
        iops: Option<f64>,
    },
    /// One of two targets has no answer, so that they cannot be compared.
    NothingToCompare,
    /// No visit to the maximum of an offered-rate curve measured the device.
    NoMaximum,
    /// The rates of pairs of visits differ too much for a ratio.
    PairsDiffer {
        /// Number of pairs.
        pairs: usize,
    },
    /// Fewer than three rounds can be used.
    TooFewRounds,
    /// No point at depth 1 is long enough to derive the required runtime.
    PointsTooShort,
    /// The runtime to recommend is longer than the measured time can support.
    BeyondSeen {
        /// Time measured with one I/O in flight, seconds.
        seconds: f64,
    },
    /// The answer would need more than a multiple of the time budget.
    BeyondBudget {
        /// Multiple of the time budget.
        budgets: u32,
    },
    /// No latency goal was given.
    NoGoal,
    /// No block device under the target has queue settings.
    NoQueueSettings,
    /// The job of a point cannot be planned.
    Plan(PlanError),
    /// The job of a point ended with an error.
    Job(JobError),
    /// A kernel setting could not be changed.
    Setting(SettingFault),
    /// Error as text, from a run or from a study of another version.
    #[serde(untagged)]
    Text(String),
}
