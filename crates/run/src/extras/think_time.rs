//! Think time (`thinktime*`, `thinkcycles`): pauses after a number of I/Os or after a time with I/O. The queue drains
//! before a pause begins; the pause has a length of its own, whatever the drain took, and ends with the runtime.

use super::Extra;
use super::pacing::LEAD;
use crate::assignment::Assignment;
use crate::worker::{Due, Filled, Pause, Worker};
use engine::{Clock, Engine, Ticks};
use job::think_time;
use std::hint::black_box;
use std::num::NonZeroU64;

/// Phase of a job with think time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// I/Os are issued.
    Working,
    /// No further I/O is issued until all in flight have completed.
    Draining,
    /// A pause that began at `from`.
    Pausing { from: Ticks },
}

/// The pauses of a job, on the worker's clock.
#[derive(Debug)]
pub(crate) struct ThinkTime {
    pause: Ticks,
    spin: Ticks,
    /// Number of I/Os between two pauses; `u64::MAX` = any number.
    blocks: u64,
    /// Time with I/O between two pauses; `Ticks::MAX` = any time.
    io_time: Ticks,
    by_issue: bool,
    holds_rate: bool,
    /// Cycles of the busy loop after each completed I/O.
    cycles: u64,
    /// Number of completed I/Os whose cycles were spent.
    computed: u64,
    /// Number of I/Os, completed or issued, when the last pause was decided.
    counted: u64,
    /// End of the last pause.
    since: Ticks,
    phase: Phase,
    /// Ticks before the end of a pause at which the loop stops sleeping and polls.
    lead: Ticks,
}

impl ThinkTime {
    /// Returns `Some` if the job has think time.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let think_time::ThinkTime { pause, spin, blocks, by_issue, io_time, cycles, holds_rate } =
            a.job().think_time?;
        let paused = pause > 0;
        Some(Self {
            pause: w.clock.ticks(pause),
            spin: w.clock.ticks(spin),
            blocks: blocks.filter(|_| paused).map_or(u64::MAX, NonZeroU64::get),
            io_time: io_time.filter(|_| paused).map_or(Ticks::MAX, |n| w.clock.ticks(n.get())),
            by_issue,
            holds_rate,
            cycles,
            computed: 0,
            counted: 0,
            since: 0,
            phase: Phase::Working,
            lead: if E::Clock::REAL { w.clock.ticks(LEAD) } else { 0 },
        })
    }

    fn count<E: Engine>(&self, w: &Worker<'_, E>) -> u64 {
        if self.by_issue { issued(w) } else { completed(w) }
    }

    /// Returns whether a pause is due.
    fn is_due<E: Engine>(&self, w: &Worker<'_, E>, count: u64) -> bool {
        count - self.counted >= self.blocks
            || self.io_time < Ticks::MAX && w.clock.now().saturating_sub(self.since) >= self.io_time
    }

    /// Spends the cycles of the I/Os that completed since the last call.
    #[inline(never)]
    fn compute<E: Engine>(&mut self, w: &Worker<'_, E>) {
        let completed = completed(w);
        let cycles = self.cycles.saturating_mul(completed - self.computed);
        self.computed = completed;
        if !E::Clock::REAL {
            w.clock.wait_until(w.clock.now().saturating_add(cycles));
            return;
        }
        let mut left = cycles;
        while left > 0 && !w.control.stopped() {
            let part = left.min(1 << 20);
            (0..part).for_each(|n| _ = black_box(n));
            left -= part;
        }
    }
}

fn completed<E: Engine>(w: &Worker<'_, E>) -> u64 {
    w.shared.directions.iter().map(|d| d.ios.get()).sum()
}

fn issued<E: Engine>(w: &Worker<'_, E>) -> u64 {
    w.shared.directions.iter().map(|d| d.issued.get()).sum()
}

impl<E: Engine> Extra<E> for ThinkTime {
    fn begin(&mut self, w: &mut Worker<'_, E>) {
        self.since = w.last;
        if E::Clock::REAL {
            // The default timer slack of the kernel lets sleepers wake up to 50 us later.
            let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
        }
    }

    /// Limits a batch to the I/Os before the next pause.
    #[inline(never)]
    fn limit(&mut self, w: &mut Worker<'_, E>, want: usize) -> usize {
        if !self.by_issue {
            return want;
        }
        let left = self.blocks.saturating_sub(issued(w) - self.counted).max(1);
        want.min(usize::try_from(left).unwrap_or(usize::MAX))
    }

    /// Lets no operation start while the queue drains for a pause and during the pause.
    #[inline(never)]
    fn grant(&mut self, w: &mut Worker<'_, E>, _: usize) -> Option<Filled> {
        if self.cycles > 0 {
            self.compute(w);
        }
        if self.phase == Phase::Working {
            let count = self.count(w);
            if !self.is_due(w, count) {
                return None;
            }
            // As in fio: I/Os that complete during the drain count for the next pause.
            self.counted = count;
            self.phase = Phase::Draining;
        }
        if self.phase == Phase::Draining {
            if w.slots.in_flight() > 0 {
                return Some(Filled { ops: 0, due: None, blocked: true });
            }
            self.phase = Phase::Pausing { from: w.clock.now() };
        }
        let Phase::Pausing { from } = self.phase else { return None };
        let (now, end) = (w.clock.now(), from.saturating_add(self.pause));
        if now < end {
            // While it computes, the loop returns here without sleeping.
            let spins = E::Clock::REAL && now < from.saturating_add(self.spin);
            let due = if spins { Due { at: now, lead: 0 } } else { Due { at: end, lead: self.lead } };
            return Some(Filled { ops: 0, due: Some(due), blocked: false });
        }
        if self.holds_rate {
            w.pause = Some(Pause { from, to: now });
        }
        self.since = now;
        self.phase = Phase::Working;
        None
    }
}
