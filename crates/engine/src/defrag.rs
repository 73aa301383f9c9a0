//! Moves of extents: what a defragmentation of ext4 does (fio's `e4defrag`).

use crate::sync::Call;
use crate::{Kind, Op};
use rustix::fs::{FallocateFlags, fallocate, fstat, ftruncate};
use std::io;
use std::ops::Range;
use std::os::fd::{BorrowedFd, OwnedFd, RawFd};

/// Engine of moves: each write exchanges the blocks of its range for those that the donor has at the same offsets. The
/// contents of the file do not change. Reads, trims and syncs fail with EINVAL, as in fio.
#[derive(Debug)]
pub struct MoveExtents {
    donor: OwnedFd,
    /// Whether each write allocates the donor's blocks and frees them afterwards.
    in_place: bool,
    /// Binary logarithm of the block size of the file system.
    block: u32,
}

impl MoveExtents {
    /// Returns an engine that takes blocks of `donor`. The range `allocated` of the donor is allocated now; without a
    /// range, each write allocates its own.
    ///
    /// # Errors
    /// errno of fstat(2) or fallocate(2).
    pub fn new(donor: OwnedFd, allocated: Option<Range<u64>>) -> io::Result<Self> {
        let size = u32::try_from(fstat(&donor)?.st_blksize).unwrap_or(0);
        if let Some(range) = &allocated {
            fallocate(&donor, FallocateFlags::empty(), range.start, range.end - range.start)?;
        }
        Ok(Self { donor, in_place: allocated.is_none(), block: size.checked_ilog2().unwrap_or(12) })
    }

    fn move_range(&self, fd: RawFd, range: Range<u64>) -> io::Result<i32> {
        // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
        let file = unsafe { BorrowedFd::borrow_raw(fd) };
        let past = (1 << self.block) - 1;
        let blocks = range.start >> self.block..(range.end + past) >> self.block;
        let moved = sys::ext4::move_extents(file, &self.donor, blocks.clone())?;
        // A part of the last block counts as far as the range reaches.
        let end = ((blocks.start + moved) << self.block).clamp(range.start, range.end);
        Ok((end - range.start) as i32)
    }
}

impl Call for MoveExtents {
    #[inline(always)]
    fn call(&mut self, fd: RawFd, op: &Op) -> Result<i32, i32> {
        if op.kind != Kind::Write {
            return Err(-libc::EINVAL);
        }
        let (start, end) = (op.offset + u64::from(op.done), op.offset + u64::from(op.len));
        let errno = |e: io::Error| -e.raw_os_error().unwrap_or(libc::EIO);
        if self.in_place {
            fallocate(&self.donor, FallocateFlags::empty(), start, end - start)
                .map_err(|e| errno(e.into()))?;
        }
        let moved = self.move_range(fd, start..end);
        if self.in_place {
            ftruncate(&self.donor, 0).map_err(|e| errno(e.into()))?;
        }
        match moved.map_err(errno)? {
            // Without progress the loop would ask for the same range for ever.
            0 => Err(-libc::EINVAL),
            moved => Ok(moved),
        }
    }
}
