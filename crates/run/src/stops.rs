//! Time for which the whole process was stopped (SIGSTOP, a frozen control group, a paused virtual machine), detected
//! by the driver's thread.

use std::time::Duration;

/// Delay of a wake-up from which a stop is assumed; timers alone are not this late.
const LATE: Duration = Duration::from_millis(100);

/// Stops detected so far.
pub(crate) struct Stops {
    /// Time for which this thread had waited for a CPU at the last check, in microseconds; `None` if the kernel does
    /// not report this time.
    waited_us: Option<u64>,
    stopped: Duration,
}

impl Stops {
    /// Starts the detection on the calling thread.
    pub(crate) fn watch() -> Stops {
        Stops { waited_us: facts::process::waited_us(), stopped: Duration::ZERO }
    }

    /// Evaluates a sleep of this thread that ended `late`. The time for which the thread waited for a CPU is
    /// subtracted: the kernel does not count a stopped thread as waiting.
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

    /// Returns the total time of all stops in milliseconds.
    pub(crate) fn millis(&self) -> u64 {
        u64::try_from(self.stopped.as_millis()).unwrap_or(u64::MAX)
    }
}
