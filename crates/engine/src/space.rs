//! Engines that allocate or truncate instead of transferring data: fallocate (fio's `falloc`) and ftruncate.

use crate::sync::{Call, other};
use crate::{Kind, Op};
use std::os::fd::{BorrowedFd, RawFd};

/// Engine of allocations. With `TRUNCATE` each write sets the size of the file to its offset. Otherwise each I/O is
/// an fallocate of its range: a write allocates and extends the file, a read allocates and keeps its size, a trim
/// punches a hole.
#[derive(Clone, Copy, Debug)]
pub struct Space<const TRUNCATE: bool>;

impl<const TRUNCATE: bool> Call for Space<TRUNCATE> {
    #[inline(always)]
    fn call(&mut self, fd: RawFd, op: &Op) -> Result<i32, i32> {
        use rustix::fs::{FallocateFlags, fallocate, ftruncate};
        // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
        let file = unsafe { BorrowedFd::borrow_raw(fd) };
        let keep = FallocateFlags::KEEP_SIZE;
        let flags = match op.kind {
            Kind::Fsync | Kind::Fdatasync => return Ok(other(fd, op)),
            Kind::SyncRange => return Err(-libc::EINVAL),
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
