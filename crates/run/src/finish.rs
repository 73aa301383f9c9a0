//! The result of a worker apart from its counters.

use crate::line::Line;
use stats::note::NoteFact;
use stats::slow_ios::SlowSlice;
use stats::verification::Verification;
use stats::{CpuOutcome, JobError};

/// Result of a worker apart from its counters.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// Time from the end of the ramp to the end of the job, in nanoseconds.
    pub runtime_nanos: u64,
    /// Nanoseconds in which the worker read, wrote and trimmed, if these differ from its runtime.
    pub direction_nanos: Option<[u64; 3]>,
    /// Result of the verification of its data; `None` in jobs that verify nothing.
    pub verification: Option<Verification>,
    /// Start of the job in milliseconds since the epoch.
    pub start_epoch_ms: u64,
    /// Start of the job by the clock of `job_start_clock_id`, in milliseconds; `None` if the clock does not exist.
    pub start_clock_ms: Option<u64>,
    /// Thread id of the worker.
    pub pid: u32,
    /// CPU time, page faults and context switches of the worker.
    pub cpu: CpuOutcome,
    /// Error that ended the job; `None` if it succeeded.
    pub error: Option<JobError>,
    /// Error of the job's own layout, after which the job did not begin.
    pub unlaid: Option<JobError>,
    /// First error that `continue_on_error` tolerated.
    pub tolerated: Option<JobError>,
    /// Lines for standard error, such as one for each of the first failed I/Os.
    pub lines: Vec<Line>,
    /// Lines for standard output.
    pub said: Vec<Line>,
    /// Notes about fallbacks, such as another engine.
    pub notes: Vec<NoteFact>,
    /// Queue depth to which the search for a latency (`latency_target`) came; `None` without a search.
    pub depth: Option<u32>,
    /// Number of I/Os in flight that never completed.
    pub unanswered: u64,
    /// Slow I/Os by hour, of a job that counts them.
    pub slices: Vec<SlowSlice>,
}
