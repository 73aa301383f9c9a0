//! Flash memory without a controller of its own (fio's `mtd`): pread, pwrite and erases of `/dev/mtdN`.

use crate::sync::{Call, Plain};
use crate::{Blocks, Kind, Op};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// Calls on an MTD device. A trim erases its range, which has to consist of whole erase blocks.
#[derive(Debug)]
pub struct Flash<const SKIP_BAD: bool> {
    plain: Plain<false>,
}

impl<const SKIP_BAD: bool> Flash<SKIP_BAD> {
    /// Returns calls that transfer from and to these blocks. With `SKIP_BAD`, an operation that touches a bad block is
    /// counted as complete and not made (`skip_bad`).
    pub fn new(blocks: Blocks) -> Self {
        Self { plain: Plain::new(blocks) }
    }
}

fn touches_bad(device: BorrowedFd<'_>, op: &Op) -> io::Result<bool> {
    let block = u64::from(sys::mtd::erase_block(device)?.max(1));
    let end = op.offset + u64::from(op.len);
    let mut start = op.offset / block * block;
    while start < end {
        if sys::mtd::is_bad(device, start)? {
            return Ok(true);
        }
        start += block;
    }
    Ok(false)
}

impl<const SKIP_BAD: bool> Call for Flash<SKIP_BAD> {
    #[inline(always)]
    fn call(&mut self, fd: RawFd, op: &Op) -> Result<i32, i32> {
        let errno = |e: io::Error| -e.raw_os_error().unwrap_or(libc::EIO);
        // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
        let device = unsafe { BorrowedFd::borrow_raw(fd) };
        let moves = matches!(op.kind, Kind::Read | Kind::Write | Kind::Trim);
        if SKIP_BAD && moves && touches_bad(device, op).map_err(errno)? {
            return Ok((op.len - op.done) as i32);
        }
        match op.kind {
            Kind::Trim => {
                sys::mtd::erase(device, op.offset, u64::from(op.len)).map_err(errno)?;
                Ok(op.len as i32)
            }
            // A write is in the flash when it returns.
            Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => Ok(0),
            Kind::Read | Kind::Write => self.plain.call(fd, op),
        }
    }
}
