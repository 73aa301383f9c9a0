//! The region of a file that a job works on, and the budget of what it issues.

/// The part of one file that a job reads and writes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Offset of the first byte in the file.
    pub start: u64,
    /// Length.
    pub length: u64,
    /// Whether the region is the whole file. As in fio, sequential I/O with holes begins again after the end of a file and
    /// stops after the end of a smaller region.
    pub ends_file: bool,
    /// Bytes from `start` to the end of the file. As in fio, the last block of sequential I/O with one block size may reach
    /// beyond the region if the file has room for it.
    pub room: u64,
}

impl Region {
    /// Returns the number of blocks of one size that sequential I/O over the region does.
    pub(crate) fn blocks_in_line(&self, block: u64) -> u64 {
        let all = self.length.div_ceil(block);
        if all.saturating_mul(block) <= self.room { all } else { self.length / block }
    }
}

/// How much a job issues, and whether it begins the region anew at its end.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Bytes to issue in all passes together; `u64::MAX` without a limit.
    pub bytes: u64,
    /// I/Os to issue in all passes together; `u64::MAX` without a limit.
    pub ios: u64,
    /// Begin the region anew when it is used up (`io_size` above `size`), as long as a whole block is left of `bytes`.
    pub wraps: bool,
}
