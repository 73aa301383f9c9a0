//! How long the whole process was stopped (SIGSTOP, a frozen control group, a paused virtual machine), noticed by the thread that looks at the run.

use std::time::Duration;

/// A timer that is this late was not late by itself.
const LATE: Duration = Duration::from_millis(100);

/// What was noticed so far.
pub(crate) struct Stops {
    /// Time for which this thread had waited for a CPU at the last look, microseconds; `None` where the kernel does not say.
    waited_us: Option<u64>,
    stopped: Duration,
}

impl Stops {
    /// Begins to watch the calling thread.
    pub(crate) fn watch() -> Stops {
        Stops { waited_us: facts::process::waited_us(), stopped: Duration::ZERO }
    }

    /// A sleep of this thread ended `late`. What it then waited for a CPU was no stop: the kernel counts a thread that is
    /// stopped as one that wants none.
    pub(crate) fn woke(&mut self, late: Duration) {
        if late < LATE {
            return;
        }
        let now = facts::process::waited_us();
        if let (Some(now), Some(before)) = (now, self.waited_us) {
            let stopped = late.saturating_sub(Duration::from_micros(now.saturating_sub(before)));
            self.stopped += if stopped < LATE { Duration::ZERO } else { stopped };
        }
        self.waited_us = now;
    }

    /// Milliseconds in all.
    pub(crate) fn millis(&self) -> u64 {
        u64::try_from(self.stopped.as_millis()).unwrap_or(u64::MAX)
    }
}
