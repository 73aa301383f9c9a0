//! Random map: the blocks of a file that a pass has visited, for jobs whose block sizes differ, which rules out a
//! permutation.

use crate::random::below;

/// Random map with one bit per block. The block size is the smallest of the direction (`low`).
#[derive(Debug)]
pub struct Bitmap {
    words: Vec<u64>,
    blocks: u64,
    used: u64,
}

impl Bitmap {
    /// Returns a map of `blocks` free blocks.
    pub fn new(blocks: u64) -> Self {
        Self { words: vec![0; blocks.div_ceil(64) as usize], blocks, used: 0 }
    }

    /// Marks all blocks as free.
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

    /// Returns the first free block from `from` on, continuing at block 0 after the end.
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

    /// Returns the byte offset of a free block near a random one, or `None` at the end of the pass. `length` is the
    /// size of the region in bytes, `low` the smallest block size of the I/O's direction.
    ///
    /// If the smallest block sizes of the directions differ, fio numbers blocks in units of the direction's size, but
    /// all directions share one map, so that their blocks overlap, and a pass ends when the next free number is
    /// beyond the end of the region. This map does the same.
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

    /// Marks up to `len` bytes from the free offset `at` as visited, up to the next visited block, and returns their
    /// number; `None` if they reach beyond `length`. The last block may be visited in part.
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
