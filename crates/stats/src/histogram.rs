//! fio's log-linear latency histogram, with seven more groups at the top.
//!
//! Each value below 128 ns has its own bucket; above, every power of two is divided into 64 equal buckets, so the
//! midpoint of a bucket differs from its values by at most 1/128. fio has 29 groups of 64 buckets, up to 17.1 s; fathom
//! has 36, up to 36.6 minutes. Buckets below 17.1 s equal those of fio, and so do the percentiles.

use crate::counter::Counter;
use serde::{Deserialize, Serialize};

/// Buckets per power of two.
pub const PER_GROUP: usize = 64;
/// Number of groups.
pub const GROUPS: usize = 36;
/// Number of buckets of fio's histogram.
pub const BUCKETS_OF_FIO: usize = PER_GROUP * 29;
/// Number of buckets.
pub const BUCKETS: usize = PER_GROUP * GROUPS;

/// Returns the bucket of a latency in nanoseconds. Monotone; values above the range are in the last bucket.
#[inline(always)]
pub fn index(nanos: u64) -> usize {
    let shift = 57 - (nanos | 64).leading_zeros();
    let at = (shift as usize) * PER_GROUP + (nanos >> shift) as usize;
    at.min(BUCKETS - 1)
}

/// Returns the lowest value of a bucket, nanoseconds.
pub fn lower(bucket: usize) -> u64 {
    match bucket / PER_GROUP {
        0 | 1 => bucket as u64,
        group => ((PER_GROUP + bucket % PER_GROUP) as u64) << (group - 1),
    }
}

/// Returns the value that represents a bucket, nanoseconds: its midpoint, as in fio.
pub fn midpoint(bucket: usize) -> u64 {
    match bucket / PER_GROUP {
        0 | 1 => bucket as u64,
        group => lower(bucket) + (1 << (group - 2)),
    }
}

/// Latency histogram of a result. Buckets above the highest non-empty one take no memory. Serialized as the non-empty
/// buckets (number, count), ascending.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(usize, u64)>", try_from = "Vec<(usize, u64)>")]
pub struct Histogram {
    counts: Vec<u64>,
}

impl From<Histogram> for Vec<(usize, u64)> {
    fn from(h: Histogram) -> Self {
        h.counts.into_iter().enumerate().filter(|(_, n)| *n > 0).collect()
    }
}

/// Error: a stored histogram has a bucket number of [`BUCKETS`] or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub struct NoSuchBucket(pub usize);

impl TryFrom<Vec<(usize, u64)>> for Histogram {
    type Error = NoSuchBucket;

    fn try_from(buckets: Vec<(usize, u64)>) -> Result<Self, NoSuchBucket> {
        let mut h = Histogram::default();
        for (at, n) in buckets.into_iter().filter(|(_, n)| *n > 0) {
            if at >= BUCKETS {
                return Err(NoSuchBucket(at));
            }
            h.reach(at + 1);
            h.counts[at] = n;
        }
        Ok(h)
    }
}

impl std::fmt::Debug for Histogram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.buckets()).finish()
    }
}

impl Histogram {
    /// Adds `k` observations of `nanos`.
    pub fn record(&mut self, nanos: u64, k: u64) {
        let at = index(nanos);
        if k > 0 {
            self.reach(at + 1);
            self.counts[at] = self.counts[at].saturating_add(k);
        }
    }

    fn reach(&mut self, buckets: usize) {
        if self.counts.len() < buckets {
            self.counts.resize(buckets, 0);
        }
    }

    /// Returns the number of observations.
    pub fn count(&self) -> u64 {
        self.counts.iter().fold(0, |sum: u64, n| sum.saturating_add(*n))
    }

    /// Adds all observations of `other`.
    pub fn merge(&mut self, other: &Histogram) {
        self.reach(other.counts.len());
        self.counts
            .iter_mut()
            .zip(&other.counts)
            .for_each(|(mine, theirs)| *mine = mine.saturating_add(*theirs));
    }

    /// Subtracts an earlier state of the same histogram, which leaves the observations since then.
    pub fn subtract(&mut self, earlier: &Histogram) {
        self.counts.iter_mut().zip(&earlier.counts).for_each(|(now, then)| *now = now.saturating_sub(*then));
        self.trim();
    }

    fn trim(&mut self) {
        self.counts.truncate(self.counts.iter().rposition(|n| *n > 0).map_or(0, |last| last + 1));
    }

    /// Returns the non-empty buckets as (midpoint in nanoseconds, count), ascending.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().enumerate().filter(|(_, n)| **n > 0).map(|(at, n)| (midpoint(at), *n))
    }

    /// Returns, for each non-empty bucket, its midpoint in nanoseconds and the percent of observations up to this
    /// bucket, ascending.
    pub fn cumulative(&self) -> Vec<(u64, f64)> {
        let (all, mut sum) = (self.count() as f64, 0u64);
        let upto = |(nanos, n): (u64, u64)| {
            sum = sum.saturating_add(n);
            (nanos, 100.0 * sum as f64 / all)
        };
        self.buckets().map(upto).collect()
    }

    /// Returns the observations in ranges, `per_octave` (a divisor of 64) of which span a factor of two, from the
    /// first to the last non-empty one: (lower end, first value above, observations), in nanoseconds.
    pub fn ranges(&self, per_octave: usize) -> Vec<(u64, u64, u64)> {
        let by = (PER_GROUP / per_octave.clamp(1, PER_GROUP)).max(1);
        let Some(first) = self.counts.iter().position(|n| *n > 0) else { return Vec::new() };
        let begin = first / by * by;
        let range = |(at, counts): (usize, &[u64])| {
            let (low, beyond) = (begin + at * by, (begin + (at + 1) * by).min(BUCKETS - 1));
            (lower(low), lower(beyond), counts.iter().fold(0, |sum: u64, n| sum.saturating_add(*n)))
        };
        self.counts[begin..].chunks(by).enumerate().map(range).collect()
    }

    /// Returns the `percent`-th percentile in nanoseconds: the midpoint of the first bucket at which the cumulative
    /// count reaches `percent` of all observations (fio's definition). `None` without observations.
    pub fn quantile(&self, percent: f64) -> Option<u64> {
        self.bucket_at(percent / 100.0).map(midpoint)
    }

    /// Returns the squared coefficient of variation of the observations; `None` without observations.
    pub fn varied(&self) -> Option<f64> {
        self.varied_below(u64::MAX)
    }

    /// Returns the squared coefficient of variation of the observations of less than `bound` nanoseconds; `None` without
    /// such observations.
    pub fn varied_below(&self, bound: u64) -> Option<f64> {
        let observed = || self.counts.iter().enumerate().map(|(at, n)| (midpoint(at), *n));
        let each =
            || observed().filter(|(value, _)| *value < bound).map(|(value, n)| (value as f64, n as f64));
        let n: f64 = each().map(|(_, n)| n).sum();
        let mean = each().map(|(value, n)| value * n).sum::<f64>() / n;
        let squares = each().map(|(value, n)| (value - mean).powi(2) * n).sum::<f64>() / n;
        (mean > 0.0).then(|| squares / mean / mean)
    }

    /// Returns the 95 % interval of the `percent`-th percentile in nanoseconds, from order statistics (binomial) with
    /// `independent` effective observations: the edges of the buckets that contain its ends. `None` if there are too
    /// few for a two-sided interval.
    pub fn interval(&self, percent: f64, independent: f64) -> Option<[u64; 2]> {
        self.interval_at(percent, independent, 0.05, 1.96)
    }

    /// Returns the interval of the `percent`-th percentile in nanoseconds with error probability `chance` (0 to 1),
    /// from `independent` effective observations; `z` is the matching two-sided quantile of the normal distribution.
    /// `None` if there are too few observations for a two-sided interval.
    pub fn interval_at(&self, percent: f64, independent: f64, chance: f64, z: f64) -> Option<[u64; 2]> {
        let share = percent / 100.0;
        let outside = share.powf(independent) + (1.0 - share).powf(independent);
        if outside > chance || !outside.is_finite() || independent < 1.0 {
            return None;
        }
        let half = z * (share * (1.0 - share) / independent).sqrt();
        // The next rank outward, as in the textbook formula: with 299 observations the 99th percentile is below the
        // last.
        let one = 1.0 / independent;
        let low = self.bucket_at((share - half - one).max(0.0))?;
        let high = self.bucket_at((share + half + one).min(1.0))?;
        Some([lower(low), if high + 1 < BUCKETS { lower(high + 1) } else { u64::MAX }])
    }

    /// Returns the first bucket at which the cumulative count reaches this share (0 to 1) of all observations.
    fn bucket_at(&self, share: f64) -> Option<usize> {
        let goal = share * self.count() as f64;
        let mut sum = 0;
        for (at, n) in self.counts.iter().enumerate().filter(|(_, n)| **n > 0) {
            sum = n.saturating_add(sum);
            if sum as f64 >= goal {
                return Some(at);
            }
        }
        self.counts.iter().rposition(|n| *n > 0)
    }

    /// Returns the number of observations from `from` up to but not including `bound` nanoseconds. A bucket across a
    /// limit counts in proportion, rounded to whole observations, so that adjoining ranges add up to the total.
    pub fn count_between(&self, from: u64, bound: u64) -> u64 {
        self.count_below(bound).saturating_sub(self.count_below(from))
    }

    fn count_below(&self, bound: u64) -> u64 {
        let cut = index(bound);
        let whole: u64 = self.counts.iter().take(cut).sum();
        let (low, high) = (lower(cut), if cut + 1 < BUCKETS { lower(cut + 1) } else { u64::MAX });
        let share = bound.saturating_sub(low) as f64 / (high - low) as f64;
        whole + self.counts.get(cut).map_or(0, |n| (*n as f64 * share.min(1.0)).round() as u64)
    }
}

/// Histogram that the I/O loop writes: one writer, any number of readers.
#[derive(Debug)]
#[repr(transparent)]
pub struct SharedHistogram([Counter; BUCKETS]);

impl Default for SharedHistogram {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Counter::default()))
    }
}

impl SharedHistogram {
    /// Adds `k` observations of `nanos`.
    #[inline(always)]
    pub fn record(&self, nanos: u64, k: u64) {
        self.0[index(nanos)].add(k);
    }

    /// Copies the non-zero counts into `other`; other buckets of `other` are not written.
    pub fn copy_to(&self, other: &SharedHistogram) {
        self.0
            .iter()
            .zip(&other.0)
            .filter(|(from, _)| from.get() > 0)
            .for_each(|(from, to)| to.set(from.get()));
    }

    /// Copies the present counts to `counts`, whose last element also gets those of all higher buckets.
    pub fn copy_counts(&self, counts: &mut [u64]) {
        let Some(last) = counts.len().checked_sub(1) else { return };
        counts[last] = 0;
        for (at, count) in self.0.iter().enumerate() {
            if at < last {
                counts[at] = count.get();
            } else {
                counts[last] += count.get();
            }
        }
    }

    /// Returns a copy of the present counts.
    pub fn snapshot(&self) -> Histogram {
        let used = self.0.iter().rposition(|n| n.get() > 0).map_or(0, |last| last + 1);
        Histogram { counts: self.0[..used].iter().map(Counter::get).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn last_bucket_of_fio_is_where_fio_has_it() {
        assert_eq!(midpoint(29 * 64 - 1), 17_112_760_320);
        assert_eq!(midpoint(index(24_600)), 24_704);
        assert_eq!((index(127), index(128), index(129), index(130)), (127, 128, 128, 129));
        assert_eq!(index(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn quantile_follows_fio() {
        let mut h = Histogram::default();
        assert_eq!(h.quantile(50.0), None);
        (1..=100).for_each(|v| h.record(v, 1));
        assert_eq!(
            (h.quantile(1.0), h.quantile(50.0), h.quantile(99.5), h.quantile(100.0)),
            (Some(1), Some(50), Some(100), Some(100))
        );
    }

    #[test]
    fn ranges_hold_every_observation_once_and_the_last_percent_is_all() {
        let mut h = Histogram::default();
        [3, 900, 1000, 1_000_000, 1_000_001].iter().for_each(|v| h.record(*v, 2));
        let ranges = h.ranges(8);
        assert_eq!(ranges.iter().map(|r| r.2).sum::<u64>(), 10);
        assert!(ranges.windows(2).all(|w| w[0].1 == w[1].0), "{ranges:?}");
        assert!(
            ranges.iter().any(|(low, beyond, n)| (low..beyond).contains(&&1000) && *n == 2),
            "{ranges:?}"
        );
        // A range begins where its eighth of a doubling does, not where the first value lies.
        let mut one = Histogram::default();
        one.record(1000, 1);
        assert_eq!(one.ranges(8), [(960, 1024, 1)]);
        let upto = h.cumulative();
        assert_eq!(upto.last().map(|u| u.1), Some(100.0));
        assert_eq!(upto.first().copied(), Some((3, 20.0)));
        assert!(Histogram::default().ranges(8).is_empty() && Histogram::default().cumulative().is_empty());
    }

    #[test]
    fn adjoining_ranges_add_up_and_a_cut_bucket_counts_in_proportion() {
        let mut h = Histogram::default();
        // 9984..10112 is one bucket; 16 of its 128 values lie below 10 us.
        (9_984..10_112).for_each(|v| h.record(v, 1));
        h.record(1 << 40, 3);
        assert_eq!((h.count_between(0, 10_000), h.count_between(10_000, 20_000)), (16, 112));
        assert_eq!((h.count_between(20_000, u64::MAX), h.count_between(0, 9_984)), (3, 0));
    }

    #[test]
    fn as_data_it_is_what_is_in_it_and_a_bucket_that_there_is_not_is_refused() {
        let mut h = Histogram::default();
        [5, 130, 1 << 50].iter().for_each(|v| h.record(*v, 2));
        let data: Vec<(usize, u64)> = h.clone().into();
        assert_eq!(data, [(5, 2), (129, 2), (BUCKETS - 1, 2)]);
        assert_eq!(Histogram::try_from(data), Ok(h));
        assert_eq!(Histogram::try_from(vec![(7, 0)]), Ok(Histogram::default()));
        assert_eq!(Histogram::try_from(vec![(BUCKETS, 1)]), Err(NoSuchBucket(BUCKETS)));
    }

    proptest! {
        #[test]
        fn index_is_monotone(a: u64, b: u64) {
            let (low, high) = (a.min(b), a.max(b));
            prop_assert!(index(low) <= index(high));
        }

        #[test]
        fn midpoint_is_within_one_part_in_128(v in 0u64..(1 << 41)) {
            let (at, mid) = (index(v), midpoint(index(v)));
            prop_assert!(lower(at) <= v && (at + 1 == BUCKETS || v < lower(at + 1)));
            prop_assert!(mid.abs_diff(v) * 128 <= v);
        }

        #[test]
        fn merge_is_concatenation_and_subtract_inverts_it(a in prop::collection::vec(0u64..1 << 40, 0..200), b in prop::collection::vec(0u64..1 << 40, 1..200), p in 0.0f64..100.0) {
            let fill = |vs: &[u64]| { let mut h = Histogram::default(); vs.iter().for_each(|v| h.record(*v, 1)); h };
            let (ha, hb) = (fill(&a), fill(&b));
            let mut merged = ha.clone();
            merged.merge(&hb);
            let all = fill(&[a, b].concat());
            prop_assert_eq!(merged.quantile(p), all.quantile(p));
            merged.subtract(&hb);
            prop_assert_eq!(merged, ha);
        }
    }
}
