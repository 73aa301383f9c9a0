//! Stop rule that ends a run when its rate is known precisely enough.

use super::{LEAST_SLICES, Trend, settle_knowing};
use crate::pauses::SlowStretches;
use crate::series::Series;

/// Sequential stop rule: evaluates a series each time it has grown by a quarter, and ends the run when the 99 %
/// interval is narrow enough and the rate does not drift. The report shows the 95 % interval; the wider one
/// compensates for repeated evaluation.
#[derive(Clone, Copy, Debug)]
pub struct StopRule {
    /// Largest half-width of the 99 % interval, in percent of the mean.
    pub within_percent: f64,
    /// Shortest run, nanoseconds.
    pub least_nanos: u64,
    /// Time under load before the measurement starts, nanoseconds.
    pub warm_up_nanos: u64,
    before: SlowStretches,
    seen: u64,
}

impl StopRule {
    /// Shortest warm-up of a point, nanoseconds.
    const WARM_UP_NANOS: u64 = 50_000_000;

    /// Returns a rule that ends a run after at least `least_nanos` nanoseconds, once the half-width of the 99 %
    /// interval is at most `within_percent` of the rate.
    pub fn new(within_percent: f64, least_nanos: u64) -> Self {
        StopRule {
            within_percent,
            least_nanos,
            warm_up_nanos: Self::WARM_UP_NANOS,
            before: SlowStretches::default(),
            seen: 0,
        }
    }

    /// Returns the rule with a warm-up of `warm_up_nanos` nanoseconds, but not below the shortest one.
    pub fn after(self, warm_up_nanos: u64) -> Self {
        StopRule { warm_up_nanos: warm_up_nanos.max(Self::WARM_UP_NANOS), ..self }
    }

    /// Returns the rule for a target with slow stretches `before` this run.
    pub fn knowing(self, before: SlowStretches) -> Self {
        StopRule { before, ..self }
    }

    /// Returns whether the rate of `series` is known precisely enough to end the run.
    pub fn enough(&mut self, series: &Series) -> bool {
        let nanos: u64 = series.windows.iter().map(|w| w.nanos).sum();
        if series.windows.len() < LEAST_SLICES
            || nanos < self.least_nanos
            || nanos < self.seen + self.seen / 4
        {
            return false;
        }
        self.seen = nanos;
        settle_knowing(series, &self.before).is_some_and(|(level, _, trend)| {
            level.slices >= LEAST_SLICES
                && level.half_99_percent() <= self.within_percent
                && !matches!(trend, Trend::Drifts(_))
        })
    }
}
