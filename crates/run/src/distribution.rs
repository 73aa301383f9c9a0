//! Distributions of random offsets and of files other than the uniform one: zipf, pareto, normal, zones.

use crate::random::below;
use job::distribution::Law;
use job::job::Size;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Number of terms of a zeta sum that are added one by one; the rest is an integral (error below one in 10^9).
const ADDED: u64 = 1 << 16;

/// Number of parts of each file that a distribution over files is drawn from: the hottest file of sixteen has 89 % of
/// zipf:1.2, not 37 %.
const PARTS: u64 = 1 << 10;

/// A distribution over the blocks of one file, or over files.
#[derive(Debug)]
pub enum Distribution {
    /// Ranks by zipf or pareto, scattered over the file.
    Ranked {
        /// Distribution of the ranks.
        ranks: Ranks,
        /// Maps the rank of a block to the number of the block in the file.
        scatter: Scatter,
    },
    /// A normal distribution of whole numbers, scattered over the file.
    Normal {
        /// Range of the uniform deviation that is added to the mean, in blocks.
        wider: u64,
        /// Maps a drawn number to a block of the file.
        scatter: Scatter,
    },
    /// For each zone: cumulative percentage, first block, number of blocks.
    Zones(Vec<(u64, u64, u64)>),
    /// Ranks by zipf or pareto over files in their order, [`PARTS`] ranks per file.
    RankedFiles {
        /// Distribution of the ranks.
        ranks: Ranks,
        /// Index of the part that has rank 0.
        first: u64,
        /// Number of parts.
        parts: u64,
    },
    /// A normal distribution over files: the mean of twelve uniform numbers, plus a uniform deviation.
    NormalFiles {
        /// Range of the uniform deviation, as a fraction of the number of files.
        deviation: f64,
        /// Offset that is added to each drawn file number, so that the mean is at the center.
        shift: u64,
        /// Number of files.
        blocks: u64,
    },
}

/// Mapping of numbers to blocks of a file by a multiplicative hash as in fio. Unless the number of blocks is a power
/// of two, some blocks belong to several numbers and some to none.
#[derive(Clone, Copy, Debug)]
pub struct Scatter {
    /// Offset in blocks that is added to each block number.
    shift: u64,
    /// Number of blocks.
    blocks: u64,
}

/// 2^64 times (1 - 1/golden ratio), the usual factor of multiplicative hashing.
const GOLDEN: u64 = 0x61c8_8646_80b5_83eb;

impl Scatter {
    fn at(self, number: u64) -> u64 {
        (number.wrapping_mul(GOLDEN) % self.blocks + self.shift) % self.blocks
    }
}

/// Returns the distance of a center from the middle, in blocks or files, modulo their number `places`; without a
/// center, 0.
fn off_middle(center: Option<f64>, places: u64) -> u64 {
    let n = places as f64;
    ((center.unwrap_or(0.5) - 0.5) * n).rem_euclid(n) as u64
}

/// Returns a number in 0..1 from 53 random bits.
fn unit(random: &mut Xoshiro256PlusPlus) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Distribution of ranks.
#[derive(Debug)]
pub enum Ranks {
    /// Zipf, by the method of Gray et al., Quickly Generating Billion-Record Synthetic Databases, 1994.
    Zipf {
        /// Exponent of the distribution.
        theta: f64,
        /// Sum of k^-theta over all ranks k.
        zeta: f64,
        /// Constant eta of the method in the paper.
        eta: f64,
    },
    /// A power of a uniform number: `h` of the accesses go to `1 - h` of the blocks.
    Pareto {
        /// Exponent of the uniform number.
        power: f64,
    },
}

impl Distribution {
    /// Returns the distribution over `blocks` blocks of `unit` bytes in a region of `length` bytes; `None` if it is
    /// uniform.
    pub fn new(law: &Law, blocks: u64, unit: u64, length: u64, seed: u64) -> Option<Distribution> {
        let ranked = |ranks, center: Option<f64>| {
            let first = center
                .map_or_else(|| below(seed, blocks), |at| ((at * blocks as f64) as u64).min(blocks - 1));
            Some(Distribution::Ranked { ranks, scatter: Scatter { shift: first, blocks } })
        };
        match law {
            _ if blocks == 0 => None,
            Law::Even | Law::Sequence { .. } => None,
            Law::Zipf { theta, center } => ranked(Ranks::zipf(*theta, blocks), *center),
            Law::Pareto { h, center } => ranked(Ranks::pareto(*h), *center),
            Law::Normal { deviation, center } => Some(Distribution::normal(*deviation, *center, blocks)),
            Law::Zones(list) => {
                let (mut up_to, mut start) = (0, 0u64);
                let mut zones = Vec::with_capacity(list.len());
                for (percent, area) in list {
                    let bytes = match area {
                        Size::Bytes(n) => *n,
                        Size::Percent(p) => (u128::from(length) * u128::from(*p) / 100) as u64,
                    };
                    up_to += u64::from(*percent);
                    let first = (start / unit).min(blocks - 1);
                    zones.push((up_to, first, (bytes / unit).clamp(1, blocks - first)));
                    start = start.saturating_add(bytes);
                }
                (!zones.is_empty()).then_some(Distribution::Zones(zones))
            }
        }
    }

    /// Returns the distribution over `files` files in their order; the hottest file is at the center, or at a random
    /// place without a center. `None` without files and for a uniform, zoned or sequence distribution.
    pub fn of_files(law: &Law, files: u64, random: u64) -> Option<Distribution> {
        let parts = files.saturating_mul(PARTS);
        let ranked_files = |ranks, center: Option<f64>| {
            let first = center.map_or(below(random, parts), |at| ((at * parts as f64) as u64).min(parts - 1));
            Some(Distribution::RankedFiles { ranks, first, parts })
        };
        match law {
            _ if files == 0 => None,
            Law::Zipf { theta, center } => ranked_files(Ranks::zipf(*theta, parts), *center),
            Law::Pareto { h, center } => ranked_files(Ranks::pareto(*h), *center),
            Law::Normal { deviation, center } => Some(Distribution::normal_files(*deviation, *center, files)),
            Law::Even | Law::Zones(_) | Law::Sequence { .. } => None,
        }
    }

    /// Returns a normal distribution with fio's rounding: the deviation is a whole number of blocks, and at most half
    /// of them.
    fn normal(deviation: f64, center: Option<f64>, blocks: u64) -> Distribution {
        let wider = ((deviation / 100.0 * blocks as f64).ceil() as u64).min(blocks / 2);
        Distribution::Normal { wider, scatter: Scatter { shift: off_middle(center, blocks), blocks } }
    }

    fn normal_files(deviation: f64, center: Option<f64>, blocks: u64) -> Distribution {
        // As in fio, the deviation is at most half of all files.
        Distribution::NormalFiles {
            deviation: (deviation / 100.0).min(0.5),
            shift: off_middle(center, blocks),
            blocks,
        }
    }

    /// Draws the number of the next block or file.
    pub fn next(&self, random: &mut Xoshiro256PlusPlus) -> u64 {
        match self {
            Distribution::Ranked { ranks, scatter } => scatter.at(ranks.at(unit(random), scatter.blocks)),
            Distribution::Normal { wider, scatter } => {
                let last = scatter.blocks - 1;
                let sum: u64 = (0..12).map(|_| below(random.next_u64(), scatter.blocks + 1)).sum();
                let mean = sum.div_ceil(12);
                if *wider == 0 {
                    return scatter.at(mean);
                }
                let moved = mean + below(random.next_u64(), *wider);
                scatter.at(moved.saturating_sub(wider / 2).min(last))
            }
            Distribution::RankedFiles { ranks, first, parts } => {
                (ranks.at(unit(random), *parts) + first) % parts / PARTS
            }
            Distribution::NormalFiles { deviation, shift, blocks } => {
                let n = *blocks as f64;
                let mean = (0..12).map(|_| unit(random)).sum::<f64>() / 12.0;
                let at = mean + (unit(random) - 0.5) * deviation;
                (((at * n).max(0.0) as u64).min(blocks - 1) + shift) % blocks
            }
            Distribution::Zones(zones) => {
                let percent = below(random.next_u64(), 100);
                let zone = zones.iter().find(|(up_to, ..)| percent < *up_to).or(zones.last());
                zone.map_or(0, |(_, first, count)| first + below(random.next_u64(), *count))
            }
        }
    }
}

impl Ranks {
    fn zipf(theta: f64, blocks: u64) -> Ranks {
        let (zeta, two) = (zeta(blocks, theta), 1.0 + 0.5f64.powf(theta));
        let eta = (1.0 - (2.0 / blocks as f64).powf(1.0 - theta)) / (1.0 - two / zeta);
        Ranks::Zipf { theta, zeta, eta }
    }

    fn pareto(h: f64) -> Ranks {
        Ranks::Pareto { power: h.ln() / (1.0 - h).ln() }
    }

    fn at(&self, u: f64, blocks: u64) -> u64 {
        let n = blocks as f64;
        let rank = match self {
            Ranks::Zipf { zeta, .. } if u * zeta < 1.0 => 0,
            Ranks::Zipf { theta, zeta, .. } if u * zeta < 1.0 + 0.5f64.powf(*theta) => 1,
            Ranks::Zipf { theta, eta, .. } => (n * (eta * u - eta + 1.0).powf(1.0 / (1.0 - theta))) as u64,
            // fio never draws the last rank.
            Ranks::Pareto { power } => ((n - 1.0) * u.powf(*power)) as u64,
        };
        rank.min(blocks - 1)
    }
}

/// Returns the sum of k^-theta for k up to n.
fn zeta(n: u64, theta: f64) -> f64 {
    let term = |k: u64| (k as f64).powf(-theta);
    let m = n.min(ADDED);
    let added: f64 = (1..=m).map(term).sum();
    let integral = |k: u64| (k as f64).powf(1.0 - theta) / (1.0 - theta);
    added + integral(n) - integral(m) + (term(n) - term(m)) / 2.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::generator;

    fn counts(law: &Law, blocks: u64, draws: u64) -> Vec<u64> {
        let distribution = Distribution::new(law, blocks, 4096, blocks * 4096, 5).unwrap();
        let mut random = generator(11, 1);
        let mut counts = vec![0; blocks as usize];
        (0..draws).for_each(|_| counts[distribution.next(&mut random) as usize] += 1);
        counts
    }

    /// Blocks that fio 3.33 accessed (102400 I/Os over 16 blocks, 51200 in 16 for zones), by decreasing count.
    /// Compared by the chi-square test of two samples; its 99.99 % point for 15 degrees of freedom is 44.
    #[test]
    fn touched_blocks_are_fios() {
        let zipf = |theta| Law::Zipf { theta, center: None };
        let witnesses: [(Law, &[u64]); 3] = [
            (
                zipf(1.2),
                &[
                    37562, 16264, 10963, 7546, 5353, 4203, 3420, 2973, 2538, 2276, 1951, 1757, 1557, 1498,
                    1338, 1201,
                ],
            ),
            (
                zipf(0.5),
                &[
                    15431, 11076, 9325, 7782, 6957, 6265, 5642, 5556, 4985, 4737, 4490, 4299, 4179, 4071,
                    3825, 3780,
                ],
            ),
            (
                Law::Pareto { h: 0.3, center: None },
                &[
                    46036, 10439, 7064, 5817, 4677, 4047, 3601, 3254, 3030, 2784, 2690, 2413, 2284, 2216,
                    2048, 0,
                ],
            ),
        ];
        for (law, fio) in witnesses {
            let mut ours = counts(&law, 16, fio.iter().sum());
            ours.sort_unstable_by(|a, b| b.cmp(a));
            let square: f64 = ours
                .iter()
                .zip(fio)
                .filter(|(a, b)| **a + **b > 0)
                .map(|(a, b)| (*a as f64 - *b as f64).powi(2) / (a + b) as f64)
                .sum();
            assert!(square < 44.0, "{law:?}: {square} {ours:?}");
        }
    }

    /// Blocks that fio 3.33 accessed out of 13, in order (51200 I/Os, null engine). Chi-square test of two samples;
    /// its 99.99 % point for 9 degrees of freedom is 34.
    #[test]
    fn places_are_fios() {
        let center = Some(0.5);
        let witnesses: [(Law, [u64; 13]); 6] = [
            (
                Law::Zipf { theta: 1.2, center },
                [0, 5842, 5336, 2167, 0, 0, 22406, 1152, 0, 0, 10549, 2850, 898],
            ),
            (
                Law::Pareto { h: 0.3, center },
                [0, 3762, 4713, 1670, 0, 0, 27121, 1502, 0, 0, 7723, 3437, 1272],
            ),
            (
                Law::Normal { deviation: 0.0, center: None },
                [765, 4073, 0, 0, 4573, 13204, 46, 0, 1, 16766, 11772, 0, 0],
            ),
            (
                Law::Normal { deviation: 20.0, center },
                [1800, 5532, 0, 0, 5910, 12916, 232, 0, 16, 13906, 10888, 0, 0],
            ),
            (
                Law::Normal { deviation: 50.0, center: None },
                [5739, 5451, 0, 0, 7874, 11110, 781, 0, 911, 11442, 7892, 0, 0],
            ),
            (
                Law::Normal { deviation: 60.0, center: Some(0.75) },
                [7709, 0, 0, 5815, 5543, 0, 0, 7950, 11211, 806, 0, 864, 11302],
            ),
        ];
        for (law, fio) in witnesses {
            let ours = counts(&law, 13, 51_200);
            let pairs = ours.iter().zip(&fio).filter(|(a, b)| **a + **b > 0);
            let square: f64 = pairs.map(|(a, b)| (*a as f64 - *b as f64).powi(2) / (a + b) as f64).sum();
            assert!(square < 34.0, "{law:?}: {square} {ours:?}");
        }
    }

    /// Blocks of each zone equal those of fio on 16 blocks, with shares of 60, 30, 8 and 2 percent.
    #[test]
    fn zones_have_their_share_and_their_blocks() {
        let p = |percent, area| (percent, Size::Percent(area));
        let ours = counts(&Law::Zones(vec![p(60, 10), p(30, 20), p(8, 30), p(2, 40)]), 16, 100_000);
        let zone = |from: usize, to: usize| ours[from..=to].iter().sum::<u64>();
        for (got, wanted) in
            [(zone(0, 0), 60_000), (zone(1, 3), 30_000), (zone(4, 7), 8_000), (zone(9, 14), 2_000)]
        {
            assert!(got.abs_diff(wanted) < 700, "{got} for {wanted}");
        }
        assert_eq!((ours[8], ours[15]), (0, 0));
        let absolute = Law::Zones(vec![(60, Size::Bytes(16384)), (40, Size::Bytes(32768))]);
        let ours = counts(&absolute, 16, 100_000);
        assert!(ours[..4].iter().all(|n| n.abs_diff(15_000) < 600), "{ours:?}");
        assert!(ours[4..12].iter().all(|n| n.abs_diff(5_000) < 400), "{ours:?}");
        assert_eq!(ours[12..], [0; 4]);
    }

    /// Files that fio 3.33 accessed (102400 I/Os, 16 files, null engine). Chi-square test of two samples; its 99.99 %
    /// point for 15 degrees of freedom is 44.
    #[test]
    fn touched_files_are_fios() {
        let center = Some(0.5);
        let witnesses: [(Law, [u64; 16]); 6] = [
            (
                Law::Zipf { theta: 1.2, center },
                [355, 335, 288, 274, 244, 210, 216, 160, 91903, 3182, 1686, 1074, 852, 624, 521, 476],
            ),
            (
                Law::Zipf { theta: 0.5, center },
                [
                    4352, 4263, 3907, 3802, 3623, 3449, 3379, 3242, 25114, 10815, 8212, 6868, 6177, 5497,
                    4921, 4779,
                ],
            ),
            (
                Law::Pareto { h: 0.3, center },
                [
                    2907, 2764, 2532, 2395, 2208, 2153, 2027, 1899, 45110, 10371, 7001, 5429, 4722, 4004,
                    3668, 3210,
                ],
            ),
            (
                Law::Normal { deviation: 20.0, center: None },
                [0, 5, 58, 496, 2639, 8215, 16513, 23388, 23057, 16588, 8193, 2661, 519, 67, 1, 0],
            ),
            (
                Law::Normal { deviation: 0.0, center: None },
                [0, 0, 5, 93, 1108, 5724, 16509, 27979, 27710, 16351, 5676, 1137, 105, 3, 0, 0],
            ),
            (
                Law::Normal { deviation: 60.0, center: Some(0.75) },
                [
                    4616, 1797, 417, 72, 61, 435, 1771, 4562, 8202, 10979, 12542, 12735, 12707, 12339, 11045,
                    8120,
                ],
            ),
        ];
        for (law, fio) in witnesses {
            let (distribution, mut random) = (Distribution::of_files(&law, 16, 0).unwrap(), generator(11, 1));
            let mut ours = [0u64; 16];
            (0..102_400).for_each(|_| ours[distribution.next(&mut random) as usize] += 1);
            let pairs = ours.iter().zip(&fio).filter(|(a, b)| **a + **b > 0);
            let square: f64 = pairs.map(|(a, b)| (*a as f64 - *b as f64).powi(2) / (a + b) as f64).sum();
            assert!(square < 44.0, "{law:?}: {square} {ours:?}");
        }
    }

    #[test]
    fn a_center_is_the_hottest_block_and_any_size_works() {
        for blocks in [1, 2, 3, 13, 1000] {
            for law in
                [Law::Zipf { theta: 1.4, center: Some(0.3) }, Law::Pareto { h: 0.1, center: Some(0.3) }]
            {
                let counts = counts(&law, blocks, 20_000);
                let hottest = (0..blocks).max_by_key(|b| counts[*b as usize]).unwrap();
                assert_eq!(hottest, (0.3 * blocks as f64) as u64, "{law:?} {blocks}");
            }
        }
        assert!(
            (zeta(1 << 20, 1.2) - (1..=1u64 << 20).map(|k| (k as f64).powf(-1.2)).sum::<f64>()).abs() < 1e-9
        );
    }
}
