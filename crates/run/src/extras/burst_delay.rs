//! Delays of an access specification (`access_spec`): no request starts before the delay of its burst is over, while
//! I/Os in flight complete and are answered. A delay begins when the first request of the burst could start.

use super::Extra;
use super::pacing::LEAD;
use crate::assignment::Assignment;
use crate::pattern::Pattern;
use crate::worker::{Due, Filled, Worker};
use engine::{Clock, Engine, Ticks};
use std::num::NonZeroU64;

/// Nanoseconds of a millisecond.
const MS: u64 = 1_000_000;

/// The delay that is running, if any.
pub(crate) struct BurstDelay {
    /// End of the delay.
    until: Option<Ticks>,
    /// Ticks before the end at which the loop stops sleeping and polls.
    lead: Ticks,
}

impl BurstDelay {
    /// Returns `Some` if a line of the job has a delay.
    pub(crate) fn of<E: Engine>(_: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let lead = if E::Clock::REAL { w.clock.ticks(LEAD) } else { 0 };
        matches!(&w.pattern, Pattern::Lines(lines) if lines.has_delays())
            .then_some(Self { until: None, lead })
    }
}

impl<E: Engine> Extra<E> for BurstDelay {
    fn begin(&mut self, _: &mut Worker<'_, E>) {
        if E::Clock::REAL {
            // The default timer slack of the kernel lets sleepers wake up to 50 us later.
            let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
        }
    }

    fn limit(&mut self, w: &mut Worker<'_, E>, want: usize) -> usize {
        match &w.pattern {
            Pattern::Lines(lines) => want.min(lines.before_delay()),
            _ => want,
        }
    }

    fn grant(&mut self, w: &mut Worker<'_, E>, _: usize) -> Option<Filled> {
        let Pattern::Lines(lines) = &mut w.pattern else { return None };
        let delay = lines.delay_before_next()?;
        let now = w.clock.now();
        let until =
            *self.until.get_or_insert_with(|| now.saturating_add(w.clock.ticks(u64::from(delay) * MS)));
        if now < until {
            return Some(Filled { ops: 0, due: Some(Due { at: until, lead: self.lead }), blocked: false });
        }
        lines.end_delay();
        self.until = None;
        None
    }
}
