//! Latencies by I/O priority, for jobs whose I/Os have several (`cmdprio*`).

use super::Extra;
use crate::assignment::Assignment;
use crate::slots::InFlightOp;
use crate::worker::Worker;
use engine::{Clock, Engine, Ticks};
use stats::SharedPriorities;

/// Counters of the latencies by priority.
pub(crate) struct PriorityLatencies<'a>(&'a SharedPriorities);

impl<'a> PriorityLatencies<'a> {
    /// Returns `Some` if the I/Os of the job have several priorities.
    pub(crate) fn of<E: Engine>(a: &Assignment<'a>, _: &mut Worker<'a, E>) -> Option<Self> {
        a.priorities.map(Self)
    }
}

impl<E: Engine> Extra<E> for PriorityLatencies<'_> {
    #[inline(always)]
    fn keeps_apart(&self, w: &Worker<'_, E>, one: u16, other: u16) -> bool {
        w.engine.priority(one) != w.engine.priority(other)
    }

    #[inline(never)]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, n: u64) {
        let since = if self.0.total { first.start } else { first.issued };
        let at = usize::from(w.engine.priority(first.op.slot));
        self.0.record(first.op.kind as usize, at, w.clock.nanos(now.wrapping_sub(since)), n);
    }
}
