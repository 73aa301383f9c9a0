//! Random numbers for drawn cases (SplitMix64): `FATHOM_SEED` repeats a test.

/// A generator of random numbers.
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    /// Returns the generator of a seed, which is printed.
    #[allow(clippy::print_stdout)] // the line that a failed test is repeated with
    pub fn new(seed: u64) -> Draw {
        println!("FATHOM_SEED={seed}");
        Draw(seed)
    }

    /// Returns the generator of `FATHOM_SEED`, or of another seed each time.
    pub fn fresh() -> Draw {
        let given = std::env::var("FATHOM_SEED").ok().and_then(|seed| seed.parse().ok());
        let now = || std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
        Draw::new(given.unwrap_or_else(now))
    }

    /// Returns any number.
    #[allow(clippy::should_implement_trait)] // an endless sequence of draws is no iterator that tests want
    pub fn next(&mut self) -> u64 {
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

    /// Returns a number from `low` to `high`, even over its logarithm.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// Returns a whole number from `low` to `high`.
    pub fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + (self.unit() * f64::from(high - low + 1)) as u32
    }

    /// Returns a whole number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Returns one of these.
    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// Returns random bytes.
    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length.div_ceil(8)).flat_map(|_| self.next().to_le_bytes()).take(length).collect()
    }
}
