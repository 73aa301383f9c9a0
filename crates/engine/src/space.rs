//! Calls that change what space a file has, in place of transfers: fallocate (fio's `falloc`), ftruncate.

use crate::sync::{Files, Perform, other};
use crate::{Kind, Op, RingDead};
use std::os::fd::{BorrowedFd, RawFd};

/// `TRUNCATE`: each write cuts (or stretches) the file to its offset. Otherwise each I/O is an fallocate of its range: a
/// write allocates and lengthens the file, a read allocates and keeps its length, a trim punches a hole.
#[derive(Debug)]
pub struct Space<const TRUNCATE: bool> {
    files: Files,
}

impl<const TRUNCATE: bool> Space<TRUNCATE> {
    /// For `files` files.
    pub fn new(files: usize) -> Self {
        Self { files: Files::new(files) }
    }

    fn try_perform(&self, op: &Op) -> Result<i32, i32> {
        use rustix::fs::{FallocateFlags, fallocate, ftruncate};
        let fd = self.files.of(op)?;
        // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
        let file = unsafe { BorrowedFd::borrow_raw(fd) };
        let keep = FallocateFlags::KEEP_SIZE;
        let flags = match op.kind {
            Kind::Fsync | Kind::Fdatasync => return Ok(other(fd, op.kind)),
            Kind::Write if TRUNCATE => {
                ftruncate(file, op.offset).map_err(|e| -e.raw_os_error())?;
                return Ok((op.len - op.done) as i32);
            }
            _ if TRUNCATE => return Err(-libc::EINVAL),
            Kind::Write => FallocateFlags::empty(),
            Kind::Read => keep,
            Kind::Trim => keep | FallocateFlags::PUNCH_HOLE,
        };
        fallocate(file, flags, op.offset, op.len.into()).map_err(|e| -e.raw_os_error())?;
        Ok((op.len - op.done) as i32)
    }
}

impl<const TRUNCATE: bool> Perform for Space<TRUNCATE> {
    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.files.set(index, fd);
        Ok(())
    }

    #[inline(always)]
    fn perform(&mut self, op: &Op) -> i32 {
        self.try_perform(op).unwrap_or_else(|errno| errno)
    }
}
