//! Units of a file that a clone has written and not yet checked.

use std::ops::Range;

/// One bit per unit.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    words: Vec<u64>,
    /// No unit before this one is set.
    from: usize,
}

impl Pending {
    /// Returns the set for a file of this many units, none of them set.
    pub(crate) fn new(units: usize) -> Self {
        Self { words: vec![0; units.div_ceil(64)], from: 0 }
    }

    /// Adds units.
    #[inline]
    pub(crate) fn add(&mut self, range: Range<usize>) {
        self.from = self.from.min(range.start);
        for unit in range {
            self.words[unit / 64] |= 1 << (unit % 64);
        }
    }

    /// Removes units.
    #[inline]
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        for unit in range {
            self.words[unit / 64] &= !(1 << (unit % 64));
        }
    }

    /// Returns whether the unit is set.
    pub(crate) fn has(&self, unit: usize) -> bool {
        self.words.get(unit / 64).is_some_and(|word| word >> (unit % 64) & 1 == 1)
    }

    /// Returns the first unit that is set.
    pub(crate) fn first(&mut self) -> Option<usize> {
        let mut at = self.from / 64;
        while at < self.words.len() && self.words[at] == 0 {
            at += 1;
        }
        self.from = at * 64;
        let word = *self.words.get(at)?;
        self.from = at * 64 + word.trailing_zeros() as usize;
        Some(self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_set_is_that_of_a_list(steps in prop::collection::vec((any::<bool>(), 0usize..300, 1usize..9), 1..100)) {
            let (mut pending, mut list) = (Pending::new(310), BTreeSet::new());
            for (adds, at, n) in steps {
                if adds {
                    pending.add(at..at + n);
                    list.extend(at..at + n);
                } else {
                    pending.remove(at..at + n);
                    (at..at + n).for_each(|unit| _ = list.remove(&unit));
                }
                prop_assert_eq!(pending.first(), list.first().copied());
                prop_assert!((0..310).all(|unit| pending.has(unit) == list.contains(&unit)));
            }
        }
    }
}
