//! Size of the next I/O of a general pattern.

use crate::random::below;
use job::distribution::Sizes;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Number of draws before the smallest block size is taken instead; reached only if almost no size fits.
const TRIES: u32 = 128;

/// Block sizes of each direction, and the random numbers that select them.
#[derive(Debug)]
pub struct Blocks {
    range: [(u64, u64); 3],
    /// Sizes with their cumulative share in percent, lightest first; empty = uniform over the range.
    split: [Vec<(u64, u64)>; 3],
    unaligned: bool,
    seq_rand: bool,
    /// Generator of reads and writes, and generator of trims with the same seed: `trimwrite` draws the same sizes for
    /// a trim and the write that follows it.
    random: [Xoshiro256PlusPlus; 2],
}

impl Blocks {
    /// Returns the block sizes of a job: `range` is the smallest and largest size of each direction in bytes, `sizes`
    /// the option's distribution.
    pub fn new(range: [(u64, u64); 3], sizes: &Sizes, random: Xoshiro256PlusPlus) -> Self {
        let cumulative = |list: &Vec<(u64, u8)>| {
            let up_to = list.iter().scan(0, |sum, (size, percent)| {
                *sum += u64::from(*percent);
                Some((*size, *sum))
            });
            up_to.collect()
        };
        Self {
            range,
            split: sizes.split.each_ref().map(cumulative),
            unaligned: sizes.unaligned,
            seq_rand: sizes.seq_rand,
            random: [random.clone(), random],
        }
    }

    fn index(&self, direction: usize, random: bool) -> usize {
        if self.seq_rand { usize::from(random) } else { direction }
    }

    /// Returns the smallest possible size in bytes.
    pub fn low(&self, direction: usize, random: bool) -> u64 {
        self.range[self.index(direction, random)].0
    }

    /// Returns whether all I/Os have the same size.
    pub fn has_one_size(&self, direction: usize, random: bool) -> bool {
        let (low, high) = self.range[self.index(direction, random)];
        low == high
    }

    /// Draws the next size in bytes. A size above `left` is drawn again, as in fio.
    pub fn draw(&mut self, direction: usize, random: bool, left: u64) -> u64 {
        let index = self.index(direction, random);
        let (low, high) = self.range[index];
        if low == high {
            return low;
        }
        (0..TRIES).map(|_| self.one(index, direction == 2)).find(|len| *len <= left).unwrap_or(low)
    }

    fn one(&mut self, index: usize, trim: bool) -> u64 {
        let (low, high) = self.range[index];
        let random = self.random[usize::from(trim)].next_u64();
        let raw = match self.split[index].as_slice() {
            // fio adds the whole upper bound and clamps: sizes are even, but if the lower bound is not a divisor, the
            // upper bound itself occurs too.
            [] => low.saturating_add(below(random, high)),
            split => {
                let percent = below(random, 100);
                split
                    .iter()
                    .find(|(_, up_to)| percent < *up_to)
                    .or(split.last())
                    .map_or(low, |(size, _)| *size)
            }
        };
        let whole = if self.unaligned { raw } else { raw / low * low };
        whole.clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::generator;
    use std::collections::BTreeMap;

    const N: u64 = 40_000;

    /// Returns the share of each drawn size in 40,000 draws, per mille.
    fn shares(range: (u64, u64), sizes: &Sizes) -> BTreeMap<u64, u64> {
        let mut blocks = Blocks::new([range; 3], sizes, generator(7, 1));
        let mut counts = BTreeMap::new();
        for _ in 0..N {
            *counts.entry(blocks.draw(0, false, u64::MAX)).or_insert(0u64) += 1;
        }
        counts.into_iter().map(|(size, n)| (size, (n * 1000 + N / 2) / N)).collect()
    }

    fn near(got: &BTreeMap<u64, u64>, wanted: &[(u64, u64)]) {
        assert_eq!(got.keys().copied().collect::<Vec<_>>(), wanted.iter().map(|w| w.0).collect::<Vec<_>>());
        for (size, share) in wanted {
            assert!(got[size].abs_diff(*share) <= 12, "{size}: {} for {share} per mille", got[size]);
        }
    }

    /// Shares equal those in the I/O log of fio 3.33 for the same ranges and splits.
    #[test]
    fn shares_are_fios() {
        let split = |list: &[(u64, u8)]| Sizes { split: [(); 3].map(|()| list.to_vec()), ..Sizes::default() };
        near(&shares((3, 8), &Sizes::default()), &[(3, 375), (6, 375), (8, 250)]);
        near(&shares((2, 8), &Sizes::default()), &[(2, 250), (4, 250), (6, 250), (8, 250)]);
        near(&shares((4, 8), &split(&[(8, 20), (4, 50)])), &[(4, 800), (8, 200)]);
        near(&shares((4, 16), &split(&[(16, 5), (4, 10), (8, 20)])), &[(4, 100), (8, 850), (16, 50)]);
        // A size that is not a multiple of the smallest size is rounded down to one.
        near(&shares((8, 12), &split(&[(8, 50), (12, 50)])), &[(8, 1000)]);
        let any = Sizes { unaligned: true, ..Sizes::default() };
        near(&shares((5, 8), &any), &[(5, 125), (6, 125), (7, 125), (8, 625)]);
    }

    /// A size that does not fit is drawn again, and sequential and random I/O have separate sizes (`bs_is_seq_rand`).
    #[test]
    fn sizes_that_do_not_fit_are_drawn_again() {
        let mut blocks = Blocks::new([(1, 8); 3], &Sizes::default(), generator(3, 1));
        assert!((0..1000).all(|i| blocks.draw(1, true, 1 + i % 7) <= 1 + i % 7));
        let sizes = Sizes { seq_rand: true, ..Sizes::default() };
        let mut blocks = Blocks::new([(4, 4), (8, 8), (1, 1)], &sizes, generator(3, 1));
        for direction in 0..3 {
            assert_eq!((blocks.draw(direction, false, 99), blocks.draw(direction, true, 99)), (4, 8));
        }
    }
}
