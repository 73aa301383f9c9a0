//! Latency that a job searches the deepest queue for (`latency_target` and the related options).

use serde::{Deserialize, Serialize};

/// Latency that a share of a job's I/Os has to keep, and the search for the deepest queue that does. Times are in
/// nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyGoal {
    /// Longest latency (lat) of an I/O that keeps the goal; 0 = no search.
    pub target: u64,
    /// Time over which a queue depth is judged.
    pub window: u64,
    /// Percentage of I/Os that have to keep the goal.
    pub percentile: f64,
    /// Whether the job goes on after the search and adapts its queue depth (`latency_run`).
    pub keeps_running: bool,
}

impl Default for LatencyGoal {
    fn default() -> Self {
        Self { target: 0, window: 0, percentile: 100.0, keeps_running: false }
    }
}
