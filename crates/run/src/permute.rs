//! A keyed bijection on 0..n, which visits every block exactly once per pass in pseudo-random order, without a bit
//! map.

use crate::random::mixed;

/// A permutation of `0..n` chosen by a key.
#[derive(Clone, Debug)]
pub struct Permutation {
    n: u64,
    mask: u64,
    shift: u32,
    multiplier: [u64; 3],
    addend: [u64; 2],
}

impl Permutation {
    /// Returns the permutation of `0..n` that `key` selects.
    pub fn new(n: u64, mut key: u64) -> Self {
        let bits = (64 - n.saturating_sub(1).leading_zeros()).max(1);
        let mask = u64::MAX >> (64 - bits);
        let mut odd = || mixed(&mut key) | 1;
        let multiplier = [odd(), odd(), odd()];
        let addend = [odd(), odd()];
        Self { n, mask, shift: bits.div_ceil(2), multiplier, addend }
    }

    /// Returns the image of `i`, which must be below n.
    #[inline(always)]
    pub fn at(&self, i: u64) -> u64 {
        let mut x = i;
        // Multiplication by odd numbers, addition and xor-shift are bijections on k bits. Applying them again while
        // the value is outside 0..n gives a bijection on 0..n (at most two steps on average, as n > 2^(k-1)).
        loop {
            x = x.wrapping_mul(self.multiplier[0]).wrapping_add(self.addend[0]) & self.mask;
            x ^= x >> self.shift;
            x = x.wrapping_mul(self.multiplier[1]).wrapping_add(self.addend[1]) & self.mask;
            x ^= x >> self.shift;
            x = x.wrapping_mul(self.multiplier[2]) & self.mask;
            x ^= x >> self.shift;
            if x < self.n {
                return x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_block_once(n in prop_oneof![1u64..70, 1u64..(1 << 20)], key: u64) {
            let p = Permutation::new(n, key);
            let mut seen = vec![false; n as usize];
            for i in 0..n {
                let x = p.at(i) as usize;
                prop_assert!(!seen[x]);
                seen[x] = true;
            }
        }
    }

    #[test]
    fn order_is_unlike_a_line() {
        // Signed distances of neighbours are spread evenly over 8 classes: no class exceeds its share by half.
        let n = 1u64 << 16;
        for key in 0..200 {
            let p = Permutation::new(n, key);
            let mut classes = [0u64; 8];
            (0..n - 1).for_each(|i| {
                classes[((p.at(i + 1).wrapping_sub(p.at(i)) & (n - 1)) / (n / 8)) as usize] += 1
            });
            let even = (n / 8) as f64;
            assert!(classes.iter().all(|c| (*c as f64 / even - 1.0).abs() < 0.5), "key {key}: {classes:?}");
        }
    }
}
