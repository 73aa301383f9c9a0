//! The region of a file that a job works on, and the limits of its I/O.

/// The part of one file that a job reads and writes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Offset of the first byte in the file.
    pub start: u64,
    /// Length in bytes.
    pub length: u64,
    /// Whether the region is the whole file. As in fio, sequential I/O with holes starts again after the end of a
    /// file, and stops after the end of a smaller region.
    pub ends_file: bool,
    /// Bytes from `start` to the end of the file. As in fio, the last block of sequential I/O with one block size may
    /// reach beyond the region if the file has room for it.
    pub room: u64,
}

impl Region {
    /// Returns the number of blocks of `block` bytes in one sequential pass over the region.
    pub(crate) fn blocks_in_line(&self, block: u64) -> u64 {
        let all = self.length.div_ceil(block);
        if all.saturating_mul(block) <= self.room { all } else { self.length / block }
    }
}

/// Limits of a job's I/O, and whether a pass starts the region again at its end.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Number of bytes to issue in all passes together; `u64::MAX` without a limit.
    pub bytes: u64,
    /// Number of I/Os to issue in all passes together; `u64::MAX` without a limit.
    pub ios: u64,
    /// Whether the region is started again at its end (`io_size` above `size`), as long as a whole block is left of
    /// `bytes`.
    pub wraps: bool,
}
