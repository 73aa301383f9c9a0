//! Random numbers of a job: one independent stream for each use, all derived from the job's seed.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Numbers of the random streams of a job, one per use.
pub(crate) mod stream {
    pub const OFFSET: u64 = 1;
    pub const BLOCK: u64 = 2;
    pub const MIX: u64 = 3;
    pub const FILE: u64 = 4;
    pub const PAYLOAD: u64 = 5;
    pub const DEDUPE: u64 = 6;
    pub const ENGINE: u64 = 7;
    pub const PACE: u64 = 8;
    pub const VERIFY: u64 = 9;
    pub const TRIM: u64 = 10;
    pub const PLACEMENT: u64 = 11;
    pub const LINE: u64 = 12;
}

/// Returns the generator of one stream of a job's random numbers.
pub(crate) fn generator(seed: u64, stream: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(stream_seed(seed, stream))
}

/// Returns a number in `0..n`, from 64 random bits, without division.
#[inline(always)]
pub(crate) fn below(random: u64, n: u64) -> u64 {
    ((u128::from(random) * u128::from(n)) >> 64) as u64
}

/// Returns the seed of stream `stream` of a job with the seed `seed`; streams of one job are statistically
/// independent.
pub fn stream_seed(seed: u64, stream: u64) -> u64 {
    let mut key = seed ^ stream.wrapping_mul(0xd605_bbb5_8c8a_bc03);
    mixed(&mut key)
}

/// Advances `key` and returns a well-mixed number (splitmix64).
pub(crate) fn mixed(key: &mut u64) -> u64 {
    // Steele, Lea, Flood 2014: a full-period counter with a strong mixer.
    *key = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *key;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
