//! The assignment of a worker: its clone, its counters, its request to end and its link to the other workers.

use crate::control::Control;
use crate::logs::LogLink;
use crate::steady_watch::SteadyWatch;
use crate::targets::Targets;
use crate::verify::Records;
use crate::watch::Notice;
use crate::wear::WriteAllowance;
use job::job::{Job, Mix};
use job::plan::{Plan, PlannedJob};
use stats::shared::JobCounters;
use stats::{Shared, SharedPriorities, WorkerState};
use std::time::Instant;

/// Everything that one worker needs, borrowed from the run. A worker runs one clone of a job.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// Plan of the whole run.
    pub plan: &'a Plan,
    /// Clone that the worker runs.
    pub clone: &'a PlannedJob,
    /// Targets as they were checked before the run.
    pub targets: &'a Targets,
    /// Records of the writes to files that are verified.
    pub records: &'a Records,
    /// Counters of all clones of the run, indexed as `plan.clones`.
    pub counters: &'a [JobCounters],
    /// Counters of this clone.
    pub shared: &'a Shared,
    /// Copy of the clone's counters at the end of the ramp or of the search for a latency, which is subtracted from the result.
    pub baseline: &'a Shared,
    /// Latencies of the clone by I/O priority; `None` if its I/Os have one priority.
    pub priorities: Option<&'a SharedPriorities>,
    /// Steady state that this worker samples; `None` if it samples none.
    pub steady: Option<&'a SteadyWatch>,
    /// Link to the writer of the clone's logs; `None` if it writes none.
    pub logs: Option<&'a LogLink>,
    /// Data that the command may still write; `None` without a budget.
    pub allowance: Option<&'a WriteAllowance>,
    /// Request to this worker to end.
    pub control: &'a Control,
    /// Whether the histogram of lat is kept even if fio's report does not show it; fathom's cards show it.
    pub all_histograms: bool,
    /// The worker's link to the other workers of its phase and to the driver.
    pub phase: &'a dyn PhaseSync,
    /// Start of the run, from which `startdelay` counts.
    pub began: Instant,
}

/// The link of a worker to the other workers of its phase and to the driver.
pub trait PhaseSync {
    /// Waits until all workers of the phase are prepared. Every worker calls this function once, even if it fails.
    fn wait_for_start(&self);
    /// Reports that the last I/O of the worker has completed.
    fn drained(&self) {}
    /// Passes a notice to the watcher at once, while other workers do I/O.
    fn notify(&self, _notice: Notice) {}
}

impl<'a> Assignment<'a> {
    /// Returns the job of the clone.
    pub fn job(&self) -> &'a Job {
        &self.plan.jobs[self.clone.job]
    }

    pub(crate) fn state(&self, state: WorkerState) {
        self.shared.state.set(state as u64);
    }

    /// Returns the size of a slot's block in bytes: the largest block size of the job, or 512 for a job of trims,
    /// which transfer no data.
    pub(crate) fn largest_block(&self) -> u64 {
        let pattern = &self.job().pattern;
        if moves_no_data(pattern.mix) { 512 } else { pattern.largest_block() }
    }

    /// Returns whether the job changes the contents of its target.
    pub(crate) fn changes(&self) -> bool {
        self.writes() || self.job().pattern.mix.has(stats::Direction::Trim)
    }

    pub(crate) fn writes(&self) -> bool {
        self.job().pattern.mix.has(stats::Direction::Write)
    }
}

/// Returns whether all I/Os are trims.
pub(crate) fn moves_no_data(mix: Mix) -> bool {
    !mix.has(stats::Direction::Read) && !mix.has(stats::Direction::Write)
}

/// Sleeps until `nanos` after the start of the run; returns false if the worker is requested to end during
/// the sleep.
pub(crate) fn wait(a: &Assignment<'_>, nanos: u64) -> bool {
    let until = a.began + std::time::Duration::from_nanos(nanos);
    loop {
        if a.control.stopped() {
            return false;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(std::time::Duration::from_millis(20)));
    }
}
