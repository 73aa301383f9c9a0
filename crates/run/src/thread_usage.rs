//! CPU time, context switches and page faults of a worker's thread.

use crate::assignment::Assignment;
use crate::finish::Finish;
use crate::wall_clock::{epoch_ms, start_clock};
use stats::{CpuOutcome, WorkerState};
use std::time::Instant;
use sys::rusage::{Rusage, Who, rusage};

/// Resources that a worker's thread uses from the common start of its phase on.
pub(crate) struct Spent {
    before: Rusage,
    waited_us: u64,
    began: Instant,
}

impl Spent {
    /// Waits for the common start of the phase and begins the count; the job's own start delay follows.
    pub(crate) fn start(a: &Assignment<'_>, finish: &mut Finish) -> Self {
        a.phase.wait_for_start();
        finish.start_epoch_ms = epoch_ms();
        finish.start_clock_ms = start_clock(a.job(), 0);
        if a.clone.startdelay(a.job()) > 0 {
            a.state(WorkerState::Waiting);
        }
        let waited_us = waited_us();
        Self { before: rusage(Who::Thread).unwrap_or_default(), waited_us, began: Instant::now() }
    }

    /// Returns the resources used since the start.
    pub(crate) fn so_far(&self) -> CpuOutcome {
        let now = rusage(Who::Thread).unwrap_or_default();
        let waited_us = waited_us().saturating_sub(self.waited_us);
        CpuOutcome { waited_us, ..cpu(&self.before, &now, self.began.elapsed().as_millis() as u64) }
    }
}

/// Returns the time for which this thread has waited for a CPU so far, in microseconds; 0 if the kernel does not
/// report it.
fn waited_us() -> u64 {
    facts::process::waited_us().unwrap_or(0)
}

fn cpu(before: &Rusage, after: &Rusage, wall_ms: u64) -> CpuOutcome {
    CpuOutcome {
        user_us: after.user_us.saturating_sub(before.user_us),
        system_us: after.system_us.saturating_sub(before.system_us),
        wall_ms: wall_ms.max(1),
        switches: (after.voluntary + after.involuntary).saturating_sub(before.voluntary + before.involuntary),
        major_faults: after.major_faults.saturating_sub(before.major_faults),
        minor_faults: after.minor_faults.saturating_sub(before.minor_faults),
        waited_us: 0,
    }
}
