//! The result of a worker, beside its counters.

use crate::line::Line;
use stats::note::NoteFact;
use stats::{CpuOutcome, JobError};

/// Result of a worker, beside its counters.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// Nanoseconds from the end of the ramp to the end.
    pub runtime_nanos: u64,
    /// Wall clock at the job's start, milliseconds since 1970.
    pub start_epoch_ms: u64,
    /// The same by the clock of `job_start_clock_id`, milliseconds.
    pub start_clock_ms: Option<u64>,
    /// Thread id.
    pub pid: u32,
    /// CPU time and context switches.
    pub cpu: CpuOutcome,
    /// The error that the job failed with.
    pub error: Option<JobError>,
    /// The error of its own layout, after which the job did not begin.
    pub unlaid: Option<JobError>,
    /// The first error that `continue_on_error` let pass.
    pub tolerated: Option<JobError>,
    /// Lines for standard error: one per failed I/O, the first few of them.
    pub lines: Vec<Line>,
    /// Lines for standard output.
    pub said: Vec<Line>,
    /// Notes about fallbacks, such as another engine.
    pub notes: Vec<NoteFact>,
    /// Number of I/Os in flight that never completed.
    pub unanswered: u64,
}
