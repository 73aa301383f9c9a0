//! Random places and pauses, repeatable by their seed.

/// Generator of random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Places(pub u64);

impl Places {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns an offset from `low` to below `high` that is a multiple of 4096.
    pub fn offset(&mut self, low: u64, high: u64) -> u64 {
        let span = high.saturating_sub(low) as f64;
        (low + (span * self.unit()) as u64) / 4096 * 4096
    }

    /// Brings a list into random order.
    pub fn shuffle<T>(&mut self, of: &mut [T]) {
        for at in (1..of.len()).rev() {
            of.swap(at, (self.next() % (at as u64 + 1)) as usize);
        }
    }

    /// Returns `n` numbers from 0 to 1, one from each of `n` equal parts, in random order.
    pub fn strata(&mut self, n: usize) -> Vec<f64> {
        let mut all: Vec<f64> = (0..n).map(|at| (at as f64 + self.unit()) / n as f64).collect();
        self.shuffle(&mut all);
        all
    }
}
