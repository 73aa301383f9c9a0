//! Latencies by I/O priority, for jobs whose I/Os have several (`cmdprio*`).

use super::Extra;
use crate::assignment::Assignment;
use crate::slots::InFlightOp;
use crate::worker::Worker;
use engine::{Clock, Engine, Kind, Ticks};
use job::job::Mix;
use stats::SharedPriorities;

/// Latencies by priority.
pub(crate) struct PriorityLatencies<'a> {
    counters: &'a SharedPriorities,
    /// Whether reads check what the job wrote; fio keeps no latencies by priority of such reads.
    reads_check: bool,
}

impl<'a> PriorityLatencies<'a> {
    /// Returns `Some` if the I/Os of the job have several priorities.
    pub(crate) fn of<E: Engine>(a: &Assignment<'a>, _: &mut Worker<'a, E>) -> Option<Self> {
        let counters = a.priorities?;
        Some(Self { counters, reads_check: a.job().pattern.mix == Mix::Write })
    }
}

impl<E: Engine> Extra<E> for PriorityLatencies<'_> {
    #[inline(always)]
    fn keeps_apart(&self, w: &Worker<'_, E>, one: u16, other: u16) -> bool {
        w.engine.priority(one) != w.engine.priority(other)
    }

    #[inline(never)]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, n: u64) {
        if self.reads_check && first.op.kind == Kind::Read {
            return;
        }
        let since = if self.counters.total { first.start } else { first.issued };
        let at = usize::from(w.engine.priority(first.op.slot));
        self.counters.record(first.op.kind as usize, at, w.clock.nanos(now.wrapping_sub(since)), n);
    }
}
