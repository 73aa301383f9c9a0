//! Which blocks of a file a pass has visited, where several sizes rule out a permutation.

use crate::random::below;

/// A bit per block of the smallest size of any direction.
#[derive(Debug)]
pub struct Bitmap {
    words: Vec<u64>,
    blocks: u64,
    used: u64,
}

impl Bitmap {
    /// For so many blocks, all free.
    pub fn new(blocks: u64) -> Self {
        Self { words: vec![0; blocks.div_ceil(64) as usize], blocks, used: 0 }
    }

    /// All are free again.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.used = 0;
    }

    fn is_free(&self, block: u64) -> bool {
        block < self.blocks && self.words[(block / 64) as usize] >> (block % 64) & 1 == 0
    }

    fn mark(&mut self, block: u64) {
        self.words[(block / 64) as usize] |= 1 << (block % 64);
        self.used += 1;
    }

    /// The first free block from `from` on, going round once.
    fn next_free(&self, from: u64) -> Option<u64> {
        let scan = |low: u64, high: u64| {
            let mut at = low;
            while at < high {
                let rest = !self.words[(at / 64) as usize] >> (at % 64);
                if rest != 0 {
                    let found = at + u64::from(rest.trailing_zeros());
                    return (found < high).then_some(found);
                }
                at = (at / 64 + 1) * 64;
            }
            None
        };
        scan(from, self.blocks).or_else(|| scan(0, from.min(self.blocks)))
    }

    /// A free place near a random one; `low` is the smallest block of the I/O's own direction.
    ///
    /// Where directions differ in it, fio numbers places in the direction's unit but asks the one map for that number, so
    /// that directions overlap, and a pass ends where the next free number lies beyond the end; so do ours.
    pub fn find(&self, random: u64, length: u64, low: u64) -> Option<u64> {
        if self.used == self.blocks {
            return None;
        }
        let mut block = below(random, length / low);
        if !self.is_free(block) {
            block = self.next_free(block)?;
        }
        let at = block * low;
        (at + low <= length).then_some(at)
    }

    /// Takes up to `len` bytes at `at`, which is free, as far as what follows is free; the last block may be taken in part.
    pub fn take(&mut self, at: u64, length: u64, low: u64, len: u64) -> Option<u64> {
        let first = at / low;
        let wanted = len.div_ceil(low);
        let taken = (first..first + wanted).take_while(|b| self.is_free(*b)).count() as u64;
        for b in first..first + taken {
            self.mark(b);
        }
        let len = if taken == wanted { len } else { (taken * low).max(low) };
        (at + len <= length).then_some(len)
    }
}
