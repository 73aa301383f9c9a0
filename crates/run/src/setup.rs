//! Settings of a run, and reasons why a run cannot begin.

use crate::consent::Consent;
use crate::kernel_settings::SchedulerError;
use crate::limits::LimitError;
use crate::models::Models;
use crate::output::OutputError;
use crate::refusal::Refusal;
use crate::wear::WriteAllowance;
use facts::SysRoot;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Permission of others to begin, such as that of the other hosts of a run.
pub trait StartGate: std::fmt::Debug + Send + Sync {
    /// Tells that all checks have passed and nothing was written yet. Returns whether the run shall go on.
    fn checked(&self) -> bool;
    /// Tells that a phase is next, and waits until the phases before it have ended everywhere: what a job does before its start may
    /// concern what others do. Returns false if the phase shall not begin, because the run was stopped.
    fn reached(&self, phase: usize) -> bool;
    /// Tells that the workers that begin a phase are prepared. Phases are those of [`job::plan::Plan::phase`]; numbers of phases
    /// without workers are left out. Workers that wait for other jobs (`wait_for`) do not ask.
    fn prepared(&self, phase: usize);
    /// Waits until a prepared worker may begin. Returns false if it shall not, because the run was stopped.
    fn wait(&self, phase: usize) -> bool;
}

/// Reason why a run did not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Writing to a target was refused for safety.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A limit of the host is lower than the plan requires.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A log cannot be created, or must not be overwritten.
    #[error("{0:?}")]
    Log(OutputError),
    /// The host denied a resource that every run needs.
    #[error("{resource:?}: {source}")]
    Host {
        /// Resource that is missing.
        resource: HostResource,
        /// Error of the system call.
        source: std::io::Error,
    },
    /// The plan has both jobs with `ioengine=model`, which run in virtual time, and jobs with other engines.
    #[error("{self:?}")]
    ModelBesideOthers,
    /// A job with `ioengine=model` sets `wait_for`, which virtual time does not support.
    #[error("{self:?}")]
    ModelWaits,
    /// The others did not agree ([`Setup::gate`]).
    #[error("{self:?}")]
    NotAgreed,
    /// The I/O scheduler that a job requests cannot be set.
    #[error(transparent)]
    Scheduler(#[from] SchedulerError),
}

/// A resource of the host that every run needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostResource {
    /// Shared memory for the counters of the jobs.
    CounterMemory,
    /// Thread that runs a job.
    JobThread,
}

/// Settings of a run that are not part of its plan.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Targets that may be overwritten.
    pub consent: Consent,
    /// Root of the system files (/proc, /sys) from which facts are read.
    pub root: SysRoot,
    /// Number of the signal that requested an early end; 0 before a signal arrives.
    pub interrupt: Arc<AtomicUsize>,
    /// Whether the histogram of lat is kept even if fio's report does not show it; fathom's cards show it.
    pub all_histograms: bool,
    /// Whether the idleness of the CPUs is measured (`--idle-prof`).
    pub idleness: bool,
    /// Job files of the run, which no output may overwrite.
    pub inputs: Vec<PathBuf>,
    /// Longest time without a completion that the run waits for its workers after they should have ended.
    pub patience: Duration,
    /// Length of the windows of the rate over time; [`stats::Series::WINDOW`] is the default.
    pub window: Duration,
    /// Simulated devices, which keep their state from run to run.
    pub models: Models,
    /// Data that the command may still write (`--wear-budget`); `None` without a budget.
    pub allowance: Option<Arc<WriteAllowance>>,
    /// Others who start at the same time; `None` if the run is alone.
    pub gate: Option<Arc<dyn StartGate>>,
}

impl Setup {
    /// Returns the number of the signal that requested an early end; `None` without a signal.
    pub(crate) fn interrupted(&self) -> Option<i32> {
        Some(self.interrupt.load(Relaxed) as i32).filter(|signal| *signal != 0)
    }
}
