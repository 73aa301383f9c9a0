//! Latency goals, and intervals of percentiles.

use crate::estimate::Estimate;
use crate::histogram::{Histogram, index, lower};
use serde::{Deserialize, Serialize};

/// Latency goal: an upper limit for a percentile or the mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// Limited percentile, 0 to 100; `None` for the mean.
    pub percentile: Option<f64>,
    /// Upper limit of the latency, nanoseconds.
    pub nanos: u64,
}

impl Goal {
    /// Returns the share of I/Os (0 to 1) that may exceed the limit; `None` for a goal on the mean.
    pub fn may_exceed(&self) -> Option<f64> {
        self.percentile.map(|p| 1.0 - p / 100.0)
    }

    /// Returns the number of I/Os above the limit, including all I/Os in the histogram bucket of the limit.
    pub fn slow(&self, latencies: &Histogram) -> u64 {
        latencies.count_between(lower(index(self.nanos)), u64::MAX)
    }

    /// Returns the used share of the goal, above 1 if the goal is missed: the share of I/Os above the limit divided
    /// by the permitted share, or for a goal on the mean the mean divided by the limit.
    pub fn taken(&self, latencies: &Histogram, mean_ns: f64) -> f64 {
        match self.may_exceed() {
            Some(may) => {
                let slow = latencies.count_between(self.nanos, u64::MAX) as f64;
                slow / latencies.count().max(1) as f64 / may
            }
            None => mean_ns / self.nanos.max(1) as f64,
        }
    }
}

/// Returns a percentile in nanoseconds with its 95 % interval ([`Histogram::interval`]). `independent` is the
/// effective number of independent latencies, because neighbours in a queue are correlated. `None` if fewer than ten
/// of them are above the percentile.
pub fn interval(latencies: &Histogram, percent: f64, independent: f64) -> Option<Estimate> {
    let n = independent.min(latencies.count() as f64);
    if n * (1.0 - percent / 100.0) < 10.0 {
        return None;
    }
    let [low, high] = latencies.interval(percent, n)?;
    Some(Estimate { value: latencies.quantile(percent)? as f64, low: low as f64, high: high as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(state: &mut u64) -> f64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn the_interval_of_a_percentile_covers_it_about_as_often_as_it_says() {
        let mut state = 88172645463325252;
        for (percent, n) in [(50.0, 200), (90.0, 500), (99.0, 2000)] {
            // Exponential latencies with a mean of a millisecond.
            let truth = -1e6 * (1.0f64 - percent / 100.0).ln();
            let mut held = 0;
            for _ in 0..1000 {
                let mut h = Histogram::default();
                (0..n).for_each(|_| h.record((-1e6 * (1.0 - next(&mut state)).ln()) as u64, 1));
                let found = interval(&h, percent, f64::from(n)).unwrap();
                // A bucket is as wide as a part in 64.
                held += usize::from(found.low * 0.992 <= truth && truth <= found.high * 1.008);
            }
            assert!((935..=990).contains(&held), "p{percent}: {held}");
        }
    }

    #[test]
    fn too_few_say_nothing_and_dependent_ones_less() {
        let mut h = Histogram::default();
        (1..=999).for_each(|v| h.record(v * 1000, 1));
        assert_eq!(interval(&h, 99.0, 1e9), None);
        (1..=5000).for_each(|v| h.record(v * 200, 1));
        let [all, few] = [5999.0, 200.0].map(|n| interval(&h, 90.0, n).unwrap());
        assert!(few.high - few.low > 3.0 * (all.high - all.low) && all.holds(900e3), "{all:?} {few:?}");
    }

    #[test]
    fn of_a_goal_as_much_is_taken_as_takes_longer() {
        let mut h = Histogram::default();
        (1..=10_000).for_each(|v| h.record(v * 1000, 1));
        let goal = |percentile, nanos| Goal { percentile, nanos };
        assert!((goal(Some(99.0), 9_900_000).taken(&h, 0.0) - 1.0).abs() < 0.02);
        // Two percent take longer, and one may.
        assert!((goal(Some(99.0), 9_800_000).taken(&h, 0.0) - 2.0).abs() < 0.02);
        assert_eq!(goal(Some(99.0), 1 << 40).taken(&h, 0.0), 0.0);
        assert_eq!(goal(None, 1_000_000).taken(&h, 2e6), 2.0);
    }
}
