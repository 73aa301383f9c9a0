//! Times of a replayed trace: when each operation is due, and how late it starts. Due times are absolute from the start
//! of the job, so that no delay adds to the next one.

use super::Extra;
use crate::assignment::Assignment;
use crate::job_error::of_errno;
use crate::pattern::Pattern;
use crate::slots::InFlightOp;
use crate::worker::{Due, Filled, Worker};
use engine::{Clock, Engine, Op, RingDead, Ticks};
use job::trace::TraceFaultKind;
use rustix::io::Errno;
use std::num::NonZeroU64;

/// Time before the next operation is due, in nanoseconds, from which the loop polls instead of sleeping.
const LEAD: u64 = 50_000;

/// Clock of a replayed trace.
pub(crate) struct ReplayClock {
    /// Whether operations wait for their times; with `replay_no_stall` they do not.
    timed: bool,
    /// Start of the trace.
    start: Ticks,
    /// Due time of the operation in flight in each slot.
    due: Box<[Ticks]>,
    /// Ticks before the next due time at which the loop stops sleeping and polls.
    lead: Ticks,
    /// Ticks after its due time at which an operation counts as late.
    late: Ticks,
}

impl ReplayClock {
    /// Returns `Some` if the job replays a trace.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let replay = a.job().replay.as_ref().filter(|_| matches!(w.pattern, Pattern::Replay(_)))?;
        Some(Self {
            timed: !replay.no_stall && a.job().rate.is_none(),
            start: 0,
            due: vec![0; w.done.len()].into(),
            lead: if E::Clock::REAL { w.clock.ticks(LEAD) } else { 0 },
            late: w.clock.ticks(stats::LATE_START),
        })
    }
}

impl<E: Engine> Extra<E> for ReplayClock {
    fn begin(&mut self, w: &mut Worker<'_, E>) {
        self.start = w.last;
        if self.timed {
            if E::Clock::REAL {
                // The default timer slack of the kernel lets sleepers wake up to 50 us later.
                let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
            }
            w.shared.paced.set(1);
        }
    }

    /// Fills the operations that are due.
    #[inline(never)]
    fn grant(&mut self, w: &mut Worker<'_, E>, want: usize) -> Option<Filled> {
        if !self.timed {
            return None;
        }
        let Pattern::Replay(replay) = &mut w.pattern else { return None };
        let now = w.clock.now();
        let ops = w.slots.next(want);
        let mut n = 0;
        let time_of = |nanos| self.start.saturating_add(w.clock.ticks(nanos));
        while n < want {
            let Some(nanos) = replay.due() else { break };
            let at = time_of(nanos);
            if at > now {
                return Some(Filled { ops: n, due: Some(Due { at, lead: self.lead }), blocked: false });
            }
            let Some(nanos) = replay.fill_one(&mut ops[n], n == 0, |nanos| time_of(nanos) <= now) else {
                // File actions may be due before the operation that follows them.
                match replay.due() {
                    Some(nanos) if time_of(nanos) > now => continue,
                    _ => break,
                }
            };
            let at = time_of(nanos);
            let Op { slot, kind, .. } = ops[n];
            self.due[usize::from(slot)] = at;
            if (kind as usize) < w.shared.directions.len() {
                w.shared.started.add(1);
                w.shared.lateness.record(w.clock.nanos(now - at), 1);
                w.shared.late.add(u64::from(now - at > self.late));
            }
            n += 1;
        }
        Some(Filled { ops: n, due: None, blocked: n == 0 && replay.blocked() })
    }

    /// Returns true, because operations that were due at different times have different latencies.
    #[inline(always)]
    fn keeps_apart(&self, _: &Worker<'_, E>, _: u16, _: u16) -> bool {
        true
    }

    /// Records the latency from the due time to the completion.
    #[inline(never)]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, _: u64) {
        if let (true, Some(latency)) = (self.timed, w.shared.scheduled.get(first.op.kind as usize)) {
            let due = self.due[usize::from(first.op.slot)];
            latency.record(w.clock.nanos(now.saturating_sub(due)), 1);
        }
    }

    fn end(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        if let Pattern::Replay(replay) = &mut w.pattern
            && let Some(fault) = replay.take_fault()
        {
            let errno = match fault.kind {
                TraceFaultKind::Unreadable { errno } if errno > 0 => errno,
                _ => Errno::STALE.raw_os_error(),
            };
            w.failures.open_error.get_or_insert(of_errno(errno, "read_iolog").into());
        }
        Ok(())
    }
}
