//! Number of distinct 4 KiB blocks that a trace touches, in bounded memory.

use std::collections::HashMap;

/// Size of a block of the working set in bytes.
pub const WORKING_SET_BLOCK: u64 = 4096;
/// Number of blocks of one part of the bitmap: 16 MiB of the file.
const PART: u64 = 4096;
/// Largest number of parts of the bitmap: 64 MiB of memory, enough for 2 TiB of addresses in use.
const PARTS: usize = 1 << 17;
/// Number of bits of a hash that choose the register of the sketch.
const INDEX_BITS: u32 = 14;

/// Set of distinct blocks: an exact bitmap of the parts in use, or above 131072 parts of 16 MiB a HyperLogLog sketch of
/// 16384 registers, whose standard error is 1.04 / sqrt(16384) = 0.8 % (Flajolet et al., "HyperLogLog: the analysis of a
/// near-optimal cardinality estimation algorithm", AofA 2007).
#[derive(Clone, Debug)]
pub struct WorkingSet {
    parts: HashMap<(u32, u64), Box<[u64; (PART / 64) as usize]>>,
    most: usize,
    /// Registers of the sketch, once the bitmap was too large.
    sketch: Option<Box<[u8]>>,
}

impl Default for WorkingSet {
    fn default() -> Self {
        Self::with_parts(PARTS)
    }
}

impl WorkingSet {
    /// Returns an empty set whose bitmap has at most `most` parts of 16 MiB each.
    pub fn with_parts(most: usize) -> Self {
        Self { parts: HashMap::new(), most, sketch: None }
    }

    /// Adds the blocks of `length` bytes from `offset` in the file with this number; `length` is above 0.
    pub fn add(&mut self, file: u32, offset: u64, length: u64) {
        let last = (offset + length - 1) / WORKING_SET_BLOCK;
        for block in offset / WORKING_SET_BLOCK..=last {
            match &mut self.sketch {
                Some(registers) => count(registers, file, block),
                None => {
                    let part = self.parts.entry((file, block / PART)).or_insert_with(|| Box::new([0; 64]));
                    let bit = block % PART;
                    part[(bit / 64) as usize] |= 1 << (bit % 64);
                    if self.parts.len() > self.most {
                        self.begin_sketch();
                    }
                }
            }
        }
    }

    #[cold]
    fn begin_sketch(&mut self) {
        let mut registers = vec![0; 1 << INDEX_BITS].into_boxed_slice();
        for ((file, part), words) in self.parts.drain() {
            for bit in (0..PART).filter(|bit| words[(bit / 64) as usize] >> (bit % 64) & 1 == 1) {
                count(&mut registers, file, part * PART + bit);
            }
        }
        self.sketch = Some(registers);
    }

    /// Returns the number of distinct blocks, and whether it is exact.
    pub fn blocks(&self) -> (u64, bool) {
        match &self.sketch {
            Some(registers) => (estimate(registers), false),
            None => {
                let ones = self.parts.values().flat_map(|part| part.iter());
                (ones.map(|word| u64::from(word.count_ones())).sum(), true)
            }
        }
    }
}

/// Finalizer of SplitMix64, which mixes all bits.
fn mixed(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn count(registers: &mut [u8], file: u32, block: u64) {
    let hash = mixed(block ^ mixed(u64::from(file)));
    let rank = ((hash << INDEX_BITS) | 1 << (INDEX_BITS - 1)).leading_zeros() as u8 + 1;
    let register = &mut registers[(hash >> (64 - INDEX_BITS)) as usize];
    *register = (*register).max(rank);
}

fn estimate(registers: &[u8]) -> u64 {
    let m = registers.len() as f64;
    let sum: f64 = registers.iter().map(|rank| 0.5f64.powi(i32::from(*rank))).sum();
    let raw = 0.7213 / (1.0 + 1.079 / m) * m * m / sum;
    let empty = registers.iter().filter(|rank| **rank == 0).count();
    let small = raw <= 2.5 * m && empty > 0;
    (if small { m * (m / empty as f64).ln() } else { raw }).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bitmap counts each block once, whatever the lengths and files; the sketch is within 4 standard errors of it.
    #[test]
    fn distinct_blocks_are_counted_and_estimated() {
        let (mut exact, mut sketched) = (WorkingSet::default(), WorkingSet::with_parts(3));
        for i in 0..200_000u64 {
            // Every block twice, in two files.
            let (file, offset) = ((i % 2) as u32, mixed(i / 4) % (1 << 40) / 4096 * 4096);
            exact.add(file, offset, 4096);
            sketched.add(file, offset, 4096);
        }
        let (blocks, is_exact) = exact.blocks();
        assert!(is_exact && (99_900..=100_000).contains(&blocks), "{blocks}");
        let (estimated, is_exact) = sketched.blocks();
        assert!(!is_exact && estimated.abs_diff(blocks) < blocks * 32 / 1000, "{estimated} {blocks}");
        let mut set = WorkingSet::default();
        set.add(0, 4095, 2);
        set.add(0, 0, 8192);
        set.add(1, 8191, 1);
        assert_eq!(set.blocks(), (3, true));
    }
}
