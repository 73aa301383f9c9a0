//! Incompressible data at the speed of memory: `refill_buffers` writes new data before every write, and a generator
//! slower than the disk would limit the measurement.

/// Number of independent generators: as many 64-bit lanes as two AVX-512 registers hold, so that the compiler uses
/// the widest registers that it may use.
const LANES: usize = 16;

/// Generator of incompressible data: xorshift128+ (Vigna 2014, shifts 23, 18, 5), one per lane. The period of each
/// lane is 2^128 - 1: no block of 512 bytes repeats.
#[derive(Clone, Debug)]
pub struct Noise {
    a: [u64; LANES],
    b: [u64; LANES],
}

impl Noise {
    /// Returns the generator for `seed`.
    pub fn new(mut seed: u64) -> Self {
        let mut next = || {
            // splitmix64 (Steele, Lea, Flood 2014).
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = seed;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) | 1
        };
        Self { a: std::array::from_fn(|_| next()), b: std::array::from_fn(|_| next()) }
    }

    /// Fills `words` with noise.
    pub fn fill(&mut self, words: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512f") {
                // SAFETY: AVX-512F was detected just now.
                return unsafe { fill_avx512(self, words) };
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: AVX2 was detected just now.
                return unsafe { fill_avx2(self, words) };
            }
        }
        fill(self, words);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn fill_avx512(noise: &mut Noise, words: &mut [u64]) {
    fill(noise, words);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn fill_avx2(noise: &mut Noise, words: &mut [u64]) {
    fill(noise, words);
}

#[inline(always)]
fn fill(noise: &mut Noise, words: &mut [u64]) {
    let (mut a, mut b) = (noise.a, noise.b);
    let mut rounds = words.chunks_exact_mut(LANES);
    for round in &mut rounds {
        for lane in 0..LANES {
            let (mut x, y) = (a[lane], b[lane]);
            round[lane] = x.wrapping_add(y);
            x ^= x << 23;
            a[lane] = y;
            b[lane] = x ^ y ^ (x >> 18) ^ (y >> 5);
        }
    }
    for (lane, word) in rounds.into_remainder().iter_mut().enumerate() {
        let (mut x, y) = (a[lane], b[lane]);
        *word = x.wrapping_add(y);
        x ^= x << 23;
        a[lane] = y;
        b[lane] = x ^ y ^ (x >> 18) ^ (y >> 5);
    }
    (noise.a, noise.b) = (a, b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn noise_never_repeats_a_sector_and_bytes_are_even() {
        let mut words = vec![0u64; 1 << 20];
        let mut noise = Noise::new(42);
        // In pieces of a size that is not a multiple of the lanes, as blocks can have any size.
        for piece in words.chunks_mut(1000) {
            noise.fill(piece);
        }
        let sectors: HashSet<&[u64]> = words.chunks(64).collect();
        assert_eq!(sectors.len(), words.len() / 64);
        let mut counts = [0u64; 256];
        words.iter().flat_map(|w| w.to_le_bytes()).for_each(|b| counts[usize::from(b)] += 1);
        let expected = (words.len() * 8) as f64 / 256.0;
        let chi: f64 = counts.iter().map(|c| (*c as f64 - expected).powi(2) / expected).sum();
        // 255 degrees of freedom: an error probability of 1e-6 on either side.
        assert!((165.0..375.0).contains(&chi), "chi-square {chi}");
    }

    #[test]
    fn every_width_of_register_gives_the_same_bytes() {
        let (mut wide, mut plain) = (Noise::new(7), Noise::new(7));
        let (mut one, mut two) = (vec![0; 4096 + 5], vec![0; 4096 + 5]);
        wide.fill(&mut one);
        fill(&mut plain, &mut two);
        assert_eq!(one, two);
    }
}
