//! Goals for latency, and how well a percentile is known.

use crate::estimate::Estimate;
use crate::histogram::{Histogram, index, lower};
use serde::{Deserialize, Serialize};

/// A latency that is to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// By this percentile; by the mean where it is `None`.
    pub percentile: Option<f64>,
    /// The most that it may be, nanoseconds.
    pub nanos: u64,
}

impl Goal {
    /// The share of I/Os that may take longer; `None` for a mean.
    pub fn may_exceed(&self) -> Option<f64> {
        self.percentile.map(|p| 1.0 - p / 100.0)
    }

    /// I/Os that take longer, those of the goal's own bucket included: a histogram does not tell on which side they are.
    pub fn slow(&self, latencies: &Histogram) -> u64 {
        latencies.count_between(lower(index(self.nanos)), u64::MAX)
    }

    /// How much of what the goal allows these latencies, with this mean, take: more than 1 where it is not kept. The share of
    /// I/Os that take longer over the share that may, or the mean over what it may be.
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

/// A percentile, nanoseconds, with its 95 % interval ([`Histogram::interval`]) where `independent` of the latencies count
/// (neighbours in a queue are alike). `None` where fewer than ten of those lie above it.
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

    /// Uniform numbers of a seed.
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
