//! Numbers of slow I/Os per hour of a job (`--profile=act`).

use super::Extra;
use crate::assignment::Assignment;
use crate::slots::InFlightOp;
use crate::worker::Worker;
use engine::{Clock, Engine, Ticks};
use stats::slow_ios::{SlowIos, SlowSlice};

/// The current slice of a job, and the slices before it.
pub(crate) struct LatencySlices {
    /// Length of a slice in ticks.
    length: Ticks,
    /// End of the current slice.
    end: Ticks,
    current: SlowSlice,
    done: Vec<SlowSlice>,
}

impl LatencySlices {
    /// Returns `Some` for jobs of the profile `act`.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let slices = a.job().latency_slices? as usize;
        let length = w.clock.ticks(SlowIos::SLICE);
        // The last I/O may end after the runtime.
        let done = Vec::with_capacity(slices.min(1 << 16) + 1);
        Some(Self { length, end: Ticks::MAX, current: SlowSlice::default(), done })
    }
}

impl<E: Engine> Extra<E> for LatencySlices {
    fn begin(&mut self, w: &mut Worker<'_, E>) {
        self.end = w.last.saturating_add(self.length);
    }

    #[inline]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, n: u64) {
        while now >= self.end {
            self.done.push(std::mem::take(&mut self.current));
            self.end = self.end.saturating_add(self.length);
        }
        self.current.add(w.clock.nanos(now.wrapping_sub(first.start)), n);
    }

    fn end(&mut self, w: &mut Worker<'_, E>) -> Result<(), engine::RingDead> {
        self.done.push(std::mem::take(&mut self.current));
        w.failures.slices = std::mem::take(&mut self.done);
        Ok(())
    }
}
