//! Times of requests that are sent one after the other: the sums and rates that ioping prints, percentiles and outliers.

use serde::Serialize;

/// Sums over the requests that count, as ioping forms them. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestSums {
    /// Number of requests.
    pub count: u64,
    /// Transferred bytes.
    pub bytes: u64,
    /// Sum of the times.
    pub nanos: u64,
    /// Shortest time; 0 without requests.
    pub min: u64,
    /// Longest time; 0 without requests.
    pub max: u64,
    squares: u128,
}

impl RequestSums {
    /// Adds a request.
    pub fn add(&mut self, bytes: u64, nanos: u64) {
        self.min = if self.count == 0 { nanos } else { self.min.min(nanos) };
        self.max = self.max.max(nanos);
        self.count += 1;
        self.bytes += bytes;
        self.nanos += nanos;
        self.squares += u128::from(nanos) * u128::from(nanos);
    }

    /// Returns the mean time; 0 without requests.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.nanos as f64 / self.count as f64 }
    }

    /// Returns the standard deviation of the times (ioping's mdev: divided by the count); 0 without requests.
    pub fn deviation(&self) -> f64 {
        let count = u128::from(self.count.max(1));
        let square = u128::from(self.nanos).saturating_mul(u128::from(self.nanos));
        // count² times the variance, without the cancellation of floating-point sums.
        let scaled = self.squares.saturating_mul(count).saturating_sub(square);
        (scaled as f64).sqrt() / count as f64
    }

    /// Returns requests per second of the summed times; 0 without requests.
    pub fn iops(&self) -> f64 {
        per_second(self.count, self.nanos)
    }

    /// Returns bytes per second of the summed times; 0 without requests.
    pub fn bandwidth(&self) -> f64 {
        per_second(self.bytes, self.nanos)
    }
}

/// All requests, warm-up and discarded ones included, and the time from the first to the end of the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestLoad {
    /// Number of requests.
    pub count: u64,
    /// Transferred bytes.
    pub bytes: u64,
    /// Wall time in nanoseconds, pauses included.
    pub nanos: u64,
}

impl RequestLoad {
    /// Returns requests per second of wall time.
    pub fn iops(&self) -> f64 {
        per_second(self.count, self.nanos)
    }

    /// Returns bytes per second of wall time.
    pub fn bandwidth(&self) -> f64 {
        per_second(self.bytes, self.nanos)
    }
}

fn per_second(count: u64, nanos: u64) -> f64 {
    if nanos == 0 { 0.0 } else { count as f64 * 1e9 / nanos as f64 }
}

/// Percentile of request times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimePercentile {
    /// Percentile, 0 to 100.
    pub percent: f64,
    /// Time in nanoseconds.
    pub nanos: u64,
}

/// Returns the percentiles 50, 90, 99 and 99.9 of ascending `sorted` times, by nearest rank. A percentile is left out if
/// fewer requests than it needs lie beyond it: 90 needs 10 requests, 99 needs 100, 99.9 needs 1000, 50 needs 2.
pub fn percentiles(sorted: &[u64]) -> Vec<TimePercentile> {
    // Percentile, its share in thousandths, requests needed.
    let ladder = [(50.0, 500, 2), (90.0, 900, 10), (99.0, 990, 100), (99.9, 999, 1000)];
    let known = ladder.into_iter().filter(|&(_, _, needed)| sorted.len() >= needed);
    known
        .filter_map(|(percent, share, _)| {
            let rank = (sorted.len() as u128 * share).div_ceil(1000).max(1) as usize;
            Some(TimePercentile { percent, nanos: *sorted.get(rank - 1)? })
        })
        .collect()
}

/// Factor of the median beyond which a request is an outlier.
pub const OUTLIER_FACTOR: u64 = 4;

/// Median of request times, and the number of requests beyond [`OUTLIER_FACTOR`] times it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlierCount {
    /// Median in nanoseconds.
    pub median: u64,
    /// Number of requests that took longer than [`OUTLIER_FACTOR`] times the median.
    pub count: u64,
}

impl OutlierCount {
    /// Returns whether a request of this time is an outlier.
    pub fn has(&self, nanos: u64) -> bool {
        nanos > self.median.saturating_mul(OUTLIER_FACTOR)
    }
}

/// Returns the outliers among ascending `sorted` times; `None` for fewer than three, whose median is no standard.
pub fn outliers(sorted: &[u64]) -> Option<OutlierCount> {
    if sorted.len() < 3 {
        return None;
    }
    let median = *sorted.get((sorted.len() - 1) / 2)?;
    let found = OutlierCount { median, count: 0 };
    let count = sorted.iter().rev().take_while(|nanos| found.has(**nanos)).count() as u64;
    Some(OutlierCount { count, ..found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sums(times: &[u64]) -> RequestSums {
        let mut sums = RequestSums::default();
        times.iter().for_each(|nanos| sums.add(4096, *nanos));
        sums
    }

    proptest! {
        /// Each figure equals its definition, computed from the list of times.
        #[test]
        fn sums_equal_their_definitions(times in prop::collection::vec(1u64..20_000_000_000, 1..300)) {
            let found = sums(&times);
            let n = times.len() as f64;
            let mean = times.iter().map(|t| *t as f64).sum::<f64>() / n;
            let variance = times.iter().map(|t| (*t as f64 - mean).powi(2)).sum::<f64>() / n;
            let seconds = times.iter().sum::<u64>() as f64 / 1e9;
            prop_assert_eq!(found.count, times.len() as u64);
            prop_assert_eq!(found.bytes, 4096 * found.count);
            prop_assert_eq!(found.nanos, times.iter().sum::<u64>());
            prop_assert_eq!((found.min, found.max), (*times.iter().min().unwrap(), *times.iter().max().unwrap()));
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs() + 1e-3;
            prop_assert!(near(found.mean(), mean));
            prop_assert!(near(found.deviation(), variance.sqrt()), "{} {}", found.deviation(), variance.sqrt());
            prop_assert!(near(found.iops(), n / seconds));
            prop_assert!(near(found.bandwidth(), 4096.0 * n / seconds));
        }

        /// At least the share of a percentile is not above it, and without it the share is not reached.
        #[test]
        fn percentiles_are_nearest_ranks(mut times in prop::collection::vec(1u64..1000, 1..1500)) {
            times.sort_unstable();
            for p in percentiles(&times) {
                let at_most = times.iter().filter(|t| **t <= p.nanos).count() as f64;
                let below = times.iter().filter(|t| **t < p.nanos).count() as f64;
                let needed = times.len() as f64 * p.percent / 100.0;
                prop_assert!(at_most >= needed - 1e-9 && below < needed + 1e-9, "{p:?} of {}", times.len());
            }
            let expected = [2, 10, 100, 1000].iter().filter(|n| times.len() >= **n).count();
            prop_assert_eq!(percentiles(&times).len(), expected);
        }

        /// The outliers are exactly the times beyond four times the median.
        #[test]
        fn outliers_are_counted(mut times in prop::collection::vec(1u64..100_000, 3..200)) {
            times.sort_unstable();
            let found = outliers(&times).unwrap();
            prop_assert!(times.contains(&found.median));
            let beyond = times.iter().filter(|t| **t > 4 * found.median).count() as u64;
            prop_assert_eq!(found.count, beyond);
        }
    }

    #[test]
    fn one_slow_request_beside_fast_ones_is_an_outlier() {
        let mut times = vec![200_000; 9];
        times.push(15_000_000);
        assert_eq!(outliers(&times), Some(OutlierCount { median: 200_000, count: 1 }));
        assert_eq!(outliers(&[200_000, 200_000, 15_000_000]).map(|o| o.count), Some(1));
        assert_eq!(outliers(&[200_000, 15_000_000]), None);
    }

    #[test]
    fn no_requests_have_figures_of_zero() {
        let none = RequestSums::default();
        assert_eq!((none.mean(), none.deviation(), none.iops(), none.bandwidth()), (0.0, 0.0, 0.0, 0.0));
        assert!(percentiles(&[]).is_empty());
    }
}
