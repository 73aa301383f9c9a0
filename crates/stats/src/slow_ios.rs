//! Shares of slow I/Os per hour, by which the profile `act` judges a device.

use crate::outcome::percent;

/// Numbers of I/Os of one hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlowSlice {
    /// Number of I/Os.
    pub ios: u64,
    /// Number of I/Os that took longer than each of [`SlowIos::BOUNDS`].
    pub slow: [u64; 3],
}

impl SlowSlice {
    /// Adds `n` I/Os of `nanos` nanoseconds each.
    #[inline]
    pub fn add(&mut self, nanos: u64, n: u64) {
        self.ios += n;
        for (slow, bound) in self.slow.iter_mut().zip(SlowIos::BOUNDS) {
            *slow += if nanos > bound { n } else { 0 };
        }
    }

    /// Returns the percentages of I/Os above the bounds; 0 without I/Os.
    pub fn percents(&self) -> [f64; 3] {
        self.slow.map(|slow| percent(slow as f64, self.ios as f64))
    }
}

/// Slow I/Os of a run, by hour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlowIos {
    /// The hours of the run, in order.
    pub slices: Vec<SlowSlice>,
}

impl SlowIos {
    /// Length of a slice in nanoseconds.
    pub const SLICE: u64 = 3600 * crate::unit::SECOND;
    /// Latencies in nanoseconds above which an I/O is slow.
    pub const BOUNDS: [u64; 3] =
        [crate::unit::MILLISECOND, 8 * crate::unit::MILLISECOND, 64 * crate::unit::MILLISECOND];
    /// Largest percentages of I/Os above the bounds in any slice of a device that passes.
    pub const ALLOWED: [f64; 3] = [5.0, 1.0, 0.1];

    /// Returns a run of `slices` hours without I/Os.
    pub fn of(slices: usize) -> Self {
        Self { slices: vec![SlowSlice::default(); slices] }
    }

    /// Adds the slices of one job.
    pub fn add(&mut self, slices: &[SlowSlice]) {
        let missing = slices.len().saturating_sub(self.slices.len());
        self.slices.extend(std::iter::repeat_n(SlowSlice::default(), missing));
        for (sum, slice) in self.slices.iter_mut().zip(slices) {
            sum.ios += slice.ios;
            sum.slow.iter_mut().zip(slice.slow).for_each(|(sum, slow)| *sum += slow);
        }
    }

    /// Returns whether no slice has more slow I/Os than allowed.
    pub fn passes(&self) -> bool {
        let within = |slice: &SlowSlice| {
            slice.percents().iter().zip(Self::ALLOWED).all(|(share, most)| *share <= most)
        };
        self.slices.iter().all(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_jobs_add_up_and_one_bad_slice_fails() {
        let mut slice = SlowSlice::default();
        for (nanos, n) in [(1_000_000, 900), (1_000_001, 90), (8_000_001, 9), (64_000_001, 1)] {
            slice.add(nanos, n);
        }
        assert_eq!(slice.percents(), [10.0, 1.0, 0.1]);
        let mut run = SlowIos::of(1);
        run.add(&[SlowSlice { ios: 1000, slow: [0; 3] }]);
        run.add(&[slice, SlowSlice { ios: 10, slow: [0; 3] }]);
        assert_eq!((run.slices.len(), run.slices[0].percents()), (2, [5.0, 0.5, 0.05]));
        assert!(run.passes() && SlowIos::of(3).passes());
        run.add(&[SlowSlice::default(), SlowSlice { ios: 990, slow: [0, 11, 0] }]);
        assert!(!run.passes());
    }
}
