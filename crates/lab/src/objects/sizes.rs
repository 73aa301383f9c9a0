//! Sizes of objects by their law.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use stats::object_load::ObjectSizes;

/// Draws after which a log-normal size is the largest, if all were larger: a law that is mostly beyond it.
const DRAWS: u32 = 100;

/// Returns a number in [0, 1) with 53 random bits.
pub(super) fn unit(rng: &mut Xoshiro256PlusPlus) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns whether the law can be drawn from.
pub(super) fn valid(sizes: &ObjectSizes) -> bool {
    match sizes {
        ObjectSizes::Fixed(_) => true,
        ObjectSizes::Range { least, most } => least <= most,
        ObjectSizes::Weighted(list) => {
            list.iter().all(|(_, weight)| weight.is_finite() && *weight >= 0.0)
                && list.iter().any(|(_, weight)| *weight > 0.0)
        }
        ObjectSizes::LogNormal { median, sigma, most } => {
            *median > 0 && median <= most && sigma.is_finite() && *sigma >= 0.0
        }
    }
}

/// Returns the largest size of the law.
pub fn largest(sizes: &ObjectSizes) -> u64 {
    match sizes {
        ObjectSizes::Fixed(size) => *size,
        ObjectSizes::Range { most, .. } => *most,
        ObjectSizes::Weighted(list) => list.iter().map(|(size, _)| *size).max().unwrap_or(0),
        ObjectSizes::LogNormal { most, .. } => *most,
    }
}

/// Returns a size.
pub(super) fn draw(sizes: &ObjectSizes, rng: &mut Xoshiro256PlusPlus) -> u64 {
    match sizes {
        ObjectSizes::Fixed(size) => *size,
        ObjectSizes::Range { least, most } => {
            let sizes = u128::from(most - least) + 1;
            least + ((u128::from(rng.next_u64()) * sizes) >> 64) as u64
        }
        ObjectSizes::Weighted(list) => {
            let whole: f64 = list.iter().map(|(_, weight)| weight).sum();
            let mut at = unit(rng) * whole;
            let heavy = list.iter().filter(|(_, weight)| *weight > 0.0);
            let mut last = 0;
            for (size, weight) in heavy {
                if at < *weight {
                    return *size;
                }
                at -= weight;
                last = *size;
            }
            last
        }
        ObjectSizes::LogNormal { median, sigma, most } => {
            for _ in 0..DRAWS {
                // Box and Muller; one minus, because the logarithm of 0 is not finite.
                let normal =
                    (-2.0 * (1.0 - unit(rng)).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos();
                let size = *median as f64 * (sigma * normal).exp();
                if size <= *most as f64 {
                    return (size.round() as u64).max(1);
                }
            }
            *most
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::rand_core::SeedableRng;

    fn many(sizes: &ObjectSizes) -> Vec<u64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut all: Vec<u64> = (0..100_000).map(|_| draw(sizes, &mut rng)).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn weighted_sizes_have_their_shares() {
        let all = many(&ObjectSizes::Weighted(vec![(10, 3.0), (20, 0.0), (30, 1.0)]));
        let share = all.iter().filter(|size| **size == 10).count() as f64 / all.len() as f64;
        assert!((share - 0.75).abs() < 0.01, "{share}");
        assert!(!all.contains(&20));
    }

    #[test]
    fn sizes_of_a_range_are_uniform_with_both_ends() {
        let all = many(&ObjectSizes::Range { least: 10, most: 19 });
        for size in 10..20 {
            let share = all.iter().filter(|of| **of == size).count() as f64 / all.len() as f64;
            assert!((share - 0.1).abs() < 0.01, "{size}: {share}");
        }
        assert_eq!((all.first(), all.last()), (Some(&10), Some(&19)));
    }

    #[test]
    fn log_normal_sizes_have_median_spread_and_bound() {
        let law = ObjectSizes::LogNormal { median: 1 << 20, sigma: 1.0, most: 8 << 20 };
        let all = many(&law);
        // P(size <= most) = Phi(ln 8) = 0.9812; the median of the rest is the quantile 0.4906 of the law.
        let median = all[all.len() / 2] as f64 / f64::from(1 << 20);
        assert!((median - 0.977).abs() < 0.02, "{median}");
        // Phi(-1) / 0.9812 = 0.1617 lie below median / e.
        let low = (f64::from(1 << 20) / std::f64::consts::E) as u64;
        let share = all.iter().filter(|size| **size < low).count() as f64 / all.len() as f64;
        assert!((share - 0.1617).abs() < 0.005, "{share}");
        assert!(all.last().is_some_and(|size| *size <= 8 << 20));
    }

    #[test]
    fn laws_that_cannot_be_drawn_from_are_invalid() {
        assert!(valid(&ObjectSizes::Fixed(0)));
        assert!(!valid(&ObjectSizes::Range { least: 2, most: 1 }));
        assert!(!valid(&ObjectSizes::Weighted(vec![(1, 0.0)])));
        assert!(!valid(&ObjectSizes::Weighted(vec![])));
        assert!(!valid(&ObjectSizes::LogNormal { median: 2, sigma: 1.0, most: 1 }));
        assert!(!valid(&ObjectSizes::LogNormal { median: 2, sigma: f64::NAN, most: 4 }));
    }
}
