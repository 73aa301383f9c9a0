//! fio's counters with seven classes: queue depth at issue, I/Os per submit call, I/Os per reap call.

use crate::counter::Counter;
use serde::{Deserialize, Serialize};

/// Counts by class. The classes of depths are 1, 2-3, 4-7, 8-15, 16-31, 32-63, >=64; those of I/Os per submit or reap
/// call are 0, 1-4, 5-8, 9-16, 17-32, 33-64, >64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Levels(pub [u64; 7]);

/// Returns the class (0 to 6) of a queue depth of at least 1.
#[inline(always)]
pub fn depth_class(depth: u64) -> usize {
    (63 - (depth | 1).leading_zeros()).min(6) as usize
}

/// Returns the class (0 to 6) of a number of I/Os in one call.
#[inline(always)]
pub fn call_class(ios: u64) -> usize {
    match ios {
        0 => 0,
        1..=4 => 1,
        _ => (63 - (ios - 1).leading_zeros()).min(6) as usize,
    }
}

impl Levels {
    /// Returns the sum over the classes.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds the counts of `other`, class by class.
    pub fn merge(&mut self, other: &Levels) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }

    /// Subtracts an earlier state, class by class.
    pub fn subtract(&mut self, earlier: &Levels) {
        self.0.iter_mut().zip(earlier.0).for_each(|(a, b)| *a = a.saturating_sub(b));
    }

    /// Returns the percent of `total` in each class as fio shows it: values above 0 and below 0.1 are 0.1.
    pub fn percent_of(&self, total: u64) -> [f64; 7] {
        self.0.map(|n| {
            let share = percent_of_ios(n, total);
            if share > 0.0 && share < 0.1 { 0.1 } else { share }
        })
    }
}

/// Returns `n` in percent of `total`; 0 if `total` is 0. Multiplies by the reciprocal, as fio's figures show, which
/// decides ties in the last digit (218 of 1600 is 13.63 %, 184 of 1280 is 14.38 %). All 243 ties examined agree with
/// fio; a division, or a multiplication by 100 first, fails for some.
pub(crate) fn percent_of_ios(n: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { n as f64 * (1.0 / total as f64) * 100.0 }
}

/// Levels that the I/O loop writes: one writer, any number of readers.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct SharedLevels([Counter; 7]);

impl SharedLevels {
    /// Counts one call with `ios` I/Os.
    #[inline(always)]
    pub fn call(&self, ios: u64) {
        self.0[call_class(ios)].add(1);
    }

    /// Counts `n` I/Os issued while the number in flight rose from `before` to `before + n`, each at its own depth.
    #[inline(always)]
    pub fn issues(&self, before: u64, n: u64) {
        if n == 1 {
            return self.0[depth_class(before + 1)].add(1);
        }
        let (mut depth, last) = (before + 1, before + n);
        while depth <= last {
            let class = depth_class(depth);
            let end = if class == 6 { last } else { last.min((2 << class) - 1) };
            self.0[class].add(end - depth + 1);
            depth = end + 1;
        }
    }

    /// Copies the counts into `other`.
    pub fn copy_to(&self, other: &SharedLevels) {
        self.0.iter().zip(&other.0).for_each(|(from, to)| to.set(from.get()));
    }

    /// Returns a copy of the present counts.
    pub fn snapshot(&self) -> Levels {
        Levels(std::array::from_fn(|at| self.0[at].get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn classes_are_fios() {
        let calls: Vec<_> = [0, 1, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 1000].map(call_class).into();
        assert_eq!(calls, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
        let depths: Vec<_> = [1, 2, 3, 4, 31, 32, 63, 64, 5000].map(depth_class).into();
        assert_eq!(depths, [0, 1, 1, 2, 4, 5, 5, 6, 6]);
    }

    /// Shares printed by fio 3.33 for runs on its null engine, with the counts of their bins. A division rounds the
    /// second share down, a multiplication by 100 first rounds the first share down.
    #[test]
    fn ties_round_as_fios() {
        let printed = [
            (218, 1600, "13.63"),
            (184, 1280, "14.38"),
            (73, 160, "45.63"),
            (69, 480, "14.37"),
            (0, 0, "0.00"),
        ];
        for (n, total, shown) in printed {
            assert_eq!(format!("{:.2}", percent_of_ios(n, total)), shown, "{n} of {total}");
        }
    }

    proptest! {
        #[test]
        fn a_batch_counts_each_issue_at_its_depth(before in 0u64..300, n in 0u64..300) {
            let shared = SharedLevels::default();
            shared.issues(before, n);
            let mut expected = Levels::default();
            (before + 1..=before + n).for_each(|depth| expected.0[depth_class(depth)] += 1);
            prop_assert_eq!(shared.snapshot(), expected);
        }
    }
}
