//! Random choices that are repeated by a printed seed.

/// Generator of repeatable random choices (xorshift64*).
pub struct Dice(u64);

impl Dice {
    /// Returns the generator of a printed seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a random number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((u128::from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)) * n as u128) >> 64) as usize
    }

    /// Returns one of the values at random, all with equal probability.
    pub fn one<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Returns true with probability 1/`n`.
    pub fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns a random number in `low..=high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below((high - low + 1) as usize) as u64
    }
}
