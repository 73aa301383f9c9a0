//! Latencies of one kind: moments and histogram.

use crate::histogram::Histogram;
use crate::moments::Moments;
use serde::{Deserialize, Serialize};

/// Latencies of one kind and direction, nanoseconds. `moments.n` is 0 if they were not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Exact moments, nanoseconds.
    pub moments: Moments,
    /// Histogram of the latencies, nanoseconds.
    pub histogram: Histogram,
}

impl Latency {
    /// Adds all observations of `other`.
    pub fn merge(&mut self, other: &Latency) {
        self.moments.merge(&other.moments);
        self.histogram.merge(&other.histogram);
    }

    /// Returns the `percent`-th percentile in nanoseconds, not below the smallest and not above the largest latency: the
    /// midpoint of a histogram bucket can be beyond them. fio's outputs use [`Histogram::quantile`], as fio does.
    pub fn percentile(&self, percent: f64) -> Option<u64> {
        let value = self.histogram.quantile(percent)?;
        if self.moments.n == 0 {
            Some(value)
        } else {
            Some(value.max(self.moments.min()).min(self.moments.max()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Buckets above 128 ns are wider than one value, and their midpoints are beyond the latencies of one bucket.
    #[test]
    fn percentiles_stay_between_the_smallest_and_the_largest_latency() {
        for nanos in [5, 200, 66_252_652, 66_400_000, 1_000_000_000] {
            let mut latency = Latency::default();
            latency.moments.record(nanos, 3);
            latency.histogram.record(nanos, 3);
            for percent in [0.0, 1.0, 50.0, 99.999, 100.0] {
                assert_eq!(latency.percentile(percent), Some(nanos), "{percent}");
            }
        }
        assert_eq!(Latency::default().percentile(50.0), None);
    }
}
