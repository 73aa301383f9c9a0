//! Contents of the blocks that are written: data, headers and checksums.

use super::check::Checker;
use engine::Op;
use job::verify::Method;

impl Checker {
    /// Writes data and headers into the block of `op`, which holds the base data of [`Contents::fill`]. `key` stands for
    /// the file, `write` is the number of the write.
    ///
    /// [`Contents::fill`]: super::contents::Contents::fill
    #[inline]
    pub(crate) fn stamp(&self, op: &Op, block: &mut [u8], key: u32, write: u32) {
        let seed = u64::from(key) << 32 | u64::from(write);
        let run = self.contents().run().unwrap_or(0);
        for (index, part) in block.chunks_exact_mut(self.interval()).enumerate() {
            let at = index * self.interval();
            let offset = op.offset + at as u64;
            self.contents().mark(part, at, offset, seed, run);
            if let Method::Header(_) = self.method() {
                self.layout().stamp(self.interval() as u32, seed, offset, run, part);
            }
        }
    }
}
