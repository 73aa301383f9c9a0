//! Count, extremes, mean and standard deviation from exact integer sums, so that merging is associative and
//! bit-exact.

use crate::counter::Counter;
use serde::{Deserialize, Serialize};

/// Integer moments of a set of non-negative samples; the unit is that of the field (nanoseconds, KiB/s, I/Os per
/// second).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    /// Number of samples.
    pub n: u64,
    /// Smallest sample; `u64::MAX` without samples (see [`Moments::min`]), which is `null` in JSON.
    #[serde(with = "least")]
    pub least: u64,
    /// Largest sample; 0 without samples.
    pub most: u64,
    /// Sum of the samples.
    pub sum: u128,
    /// Sum of the squares of the samples.
    pub squares: u128,
}

/// Form of the smallest sample in JSON: `null` without samples. Earlier versions wrote `u64::MAX`.
mod least {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(least: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        Some(*least).filter(|least| *least != u64::MAX).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(u64::MAX))
    }
}

impl Default for Moments {
    fn default() -> Self {
        Self { n: 0, least: u64::MAX, most: 0, sum: 0, squares: 0 }
    }
}

impl Moments {
    /// Adds `k` samples of value `v`.
    pub fn record(&mut self, v: u64, k: u64) {
        self.n += k;
        self.least = self.least.min(v);
        self.most = self.most.max(v);
        self.sum += u128::from(v) * u128::from(k);
        self.squares += u128::from(v) * u128::from(v) * u128::from(k);
    }

    /// Adds all samples of `other`.
    pub fn merge(&mut self, other: &Moments) {
        self.n += other.n;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Returns the moments of the samples since `earlier`. The extremes of that period cannot be derived and remain
    /// those of `self`.
    pub fn since(&self, earlier: &Moments) -> Moments {
        Moments {
            n: self.n.saturating_sub(earlier.n),
            least: self.least,
            most: self.most,
            sum: self.sum.saturating_sub(earlier.sum),
            squares: self.squares.saturating_sub(earlier.squares),
        }
    }

    /// Returns the smallest sample; 0 without samples, as fio prints it.
    pub fn min(&self) -> u64 {
        if self.n == 0 { 0 } else { self.least }
    }

    /// Returns the largest sample; 0 without samples.
    pub fn max(&self) -> u64 {
        self.most
    }

    /// Returns the arithmetic mean; 0 without samples.
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.sum as f64 / self.n as f64 }
    }

    /// Returns the sample standard deviation (divisor n-1); 0 below two samples.
    pub fn stddev(&self) -> f64 {
        if self.n < 2 {
            return 0.0;
        }
        // Shift by the integer mean first: every step is exact and fits, where n*squares - sum*sum would not.
        let n = u128::from(self.n);
        let (q, r) = (self.sum / n, self.sum % n);
        let around_q = (self.squares + n * q * q).saturating_sub(2 * q * self.sum);
        let variance = (around_q as f64 - (r as f64) * (r as f64) / n as f64) / (self.n - 1) as f64;
        variance.max(0.0).sqrt()
    }

    /// Returns the squared coefficient of variation; 0 if the mean is 0.
    pub fn varied(&self) -> f64 {
        if self.sum == 0 { 0.0 } else { (self.stddev() / self.mean()).powi(2) }
    }
}

/// Moments that the I/O loop writes, without the number of samples, which another counter holds (completed I/Os,
/// syncs, samples).
#[derive(Debug, Default)]
#[repr(C)]
pub struct SharedMoments {
    sum: Counter,
    squares_low: Counter,
    squares_high: Counter,
    /// Complement of the smallest sample, so that zero bytes are the valid empty state. With `span`, the largest
    /// minus the smallest sample, one comparison shows that a sample is no new extreme.
    not_least: Counter,
    span: Counter,
}

impl SharedMoments {
    /// Adds `k` samples of `v`, `v * k` below 2^64 (a batch of latencies is).
    #[inline(always)]
    pub fn record(&self, v: u64, k: u64) {
        let product = v.wrapping_mul(k);
        self.sum.add(product);
        let square = u128::from(v) * u128::from(product);
        let squares = (u128::from(self.squares_high.get()) << 64 | u128::from(self.squares_low.get()))
            .wrapping_add(square);
        self.squares_low.set(squares as u64);
        self.squares_high.set((squares >> 64) as u64);
        if v.wrapping_sub(!self.not_least.get()) > self.span.get() {
            self.widen(v);
        }
    }

    #[cold]
    #[inline(never)]
    fn widen(&self, v: u64) {
        let least = !self.not_least.get();
        let (least, most) =
            if least == u64::MAX { (v, v) } else { (least.min(v), (least + self.span.get()).max(v)) };
        self.not_least.set(!least);
        self.span.set(most - least);
    }

    /// Starts the measured time: copies the sums into `baseline` and resets the extremes.
    pub fn begin_measuring(&self, baseline: &SharedMoments) {
        baseline.sum.set(self.sum.get());
        baseline.squares_low.set(self.squares_low.get());
        baseline.squares_high.set(self.squares_high.get());
        self.not_least.set(0);
        self.span.set(0);
    }

    /// Returns a copy of the present moments with the number of samples `n`.
    pub fn snapshot(&self, n: u64) -> Moments {
        let least = !self.not_least.get();
        Moments {
            n,
            least,
            most: if least == u64::MAX { 0 } else { least.wrapping_add(self.span.get()) },
            sum: u128::from(self.sum.get()),
            squares: u128::from(self.squares_high.get()) << 64 | u128::from(self.squares_low.get()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn merge_is_exact_and_shared_agrees(a in prop::collection::vec((0u64..1 << 36, 1u64..64), 0..50), b in prop::collection::vec((0u64..1 << 36, 1u64..64), 0..50)) {
            let fill = |vs: &[(u64, u64)]| { let mut m = Moments::default(); vs.iter().for_each(|(v, k)| m.record(*v, *k)); m };
            let mut merged = fill(&a);
            merged.merge(&fill(&b));
            let all = [a, b].concat();
            prop_assert_eq!(merged, fill(&all));
            let shared = SharedMoments::default();
            all.iter().for_each(|(v, k)| shared.record(*v, *k));
            prop_assert_eq!(shared.snapshot(merged.n), merged);
        }

        #[test]
        fn stddev_is_that_of_the_textbook(vs in prop::collection::vec(0u64..1 << 20, 2..100)) {
            let mut m = Moments::default();
            vs.iter().for_each(|v| m.record(*v, 1));
            let mean = vs.iter().sum::<u64>() as f64 / vs.len() as f64;
            let var = vs.iter().map(|v| (*v as f64 - mean).powi(2)).sum::<f64>() / (vs.len() - 1) as f64;
            prop_assert!((m.stddev() - var.sqrt()).abs() <= 1e-6 * (1.0 + var.sqrt()));
        }
    }
}
