//! Settings of a run, and why a run may not begin.

use crate::consent::Consent;
use crate::kernel_settings::SchedulerError;
use crate::limits::LimitError;
use crate::models::Models;
use crate::refusal::Refusal;
use facts::SysRoot;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Why a run did not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Writing to a target was refused for safety.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A limit of the host is lower than what the plan needs.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The host refused a resource that every run needs.
    #[error("{resource:?}: {source}")]
    Host {
        /// The resource.
        resource: HostResource,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Jobs with `ioengine=model`, which run in virtual time, stand beside jobs of other engines.
    #[error("{self:?}")]
    ModelBesideOthers,
    /// A job with `ioengine=model` has `wait_for`.
    #[error("{self:?}")]
    ModelWaits,
    /// The scheduler that a job asks for cannot be set.
    #[error(transparent)]
    Scheduler(#[from] SchedulerError),
}

/// A resource of the host that every run needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostResource {
    /// Shared memory for the counters of the jobs.
    CounterMemory,
    /// The thread of a job.
    JobThread,
}

/// Settings of a run that are not part of its plan.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Targets that may be overwritten.
    pub consent: Consent,
    /// Root of the system's files about its storage.
    pub root: SysRoot,
    /// Number of the signal that asks for an early end; 0 before it arrives.
    pub interrupt: Arc<AtomicUsize>,
    /// Whether the histogram of lat is kept where fio's report does not show it; our cards do.
    pub all_histograms: bool,
    /// Whether the idleness of the CPUs is measured (`--idle-prof`).
    pub idleness: bool,
    /// Time after the end in which a device may complete nothing before its jobs are given up and reported as they stand.
    pub patience: Duration,
    /// Length of the windows of the rate over time; [`stats::Series::WINDOW`] is the default.
    pub window: Duration,
    /// Simulated devices, which keep their state from run to run.
    pub models: Models,
}

impl Setup {
    /// Returns the signal that asked for an early end, if there was one.
    pub(crate) fn interrupted(&self) -> Option<i32> {
        Some(self.interrupt.load(Relaxed) as i32).filter(|signal| *signal != 0)
    }
}
