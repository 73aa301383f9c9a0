//! splice: blocks go through a pipe. A write lends its pages to the pipe (vmsplice), which hands them to the file; a
//! read is spliced from the file into the pipe and copied from the pipe.

use crate::sync::{Call, other};
use crate::{Blocks, Kind, Op};
use rustix::io::{Errno, retry_on_intr};
use rustix::pipe::{SpliceFlags, splice};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};

/// Engine that transfers blocks through a pipe.
#[derive(Debug)]
pub struct Pipe {
    blocks: Blocks,
    out: OwnedFd,
    into: OwnedFd,
}

impl Pipe {
    /// Returns an engine with its own pipe.
    ///
    /// # Errors
    /// EMFILE or ENFILE if no pipe can be created.
    pub fn new(blocks: Blocks) -> io::Result<Self> {
        let (out, into) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        Ok(Self { blocks, out, into })
    }

    /// Copies `len` bytes from the pipe to memory, or lends up to `len` bytes of memory to the pipe; returns their
    /// number.
    ///
    /// # Errors
    /// errno of vmsplice(2).
    fn lend(end: &OwnedFd, at: *mut u8, len: usize, flags: SpliceFlags) -> Result<usize, Errno> {
        let piece = libc::iovec { iov_base: at.cast(), iov_len: len };
        loop {
            // SAFETY: the callers pass a part of the slot's block, which lies in the arena and is ours until reaped.
            // Pages that are lent are given back before the call is over: the splice behind it takes all of them, or
            // the pipe is replaced. The vector lives across the call.
            let n = unsafe { libc::vmsplice(end.as_raw_fd(), &piece, 1, flags.bits()) };
            match n {
                0.. => return Ok(n as usize),
                _ => match crate::last_errno() {
                    libc::EINTR => {}
                    errno => return Err(Errno::from_raw_os_error(errno)),
                },
            }
        }
    }

    fn transfer(&self, file: BorrowedFd<'_>, op: &Op) -> Result<usize, Errno> {
        let whole = (op.len - op.done) as usize;
        let mut moved = 0;
        while moved < whole {
            let block = self.blocks.address(op.slot, op.done + moved as u32);
            let mut at = op.offset + u64::from(op.done) + moved as u64;
            let left = whole - moved;
            if op.kind == Kind::Read {
                let n = retry_on_intr(|| {
                    splice(file, Some(&mut at), &self.into, None, left, SpliceFlags::empty())
                })?;
                let mut copied = 0;
                while copied < n {
                    copied +=
                        Self::lend(&self.out, block.wrapping_add(copied), n - copied, SpliceFlags::MOVE)?;
                }
                moved += n;
                if n == 0 {
                    break;
                }
            } else {
                let lent = Self::lend(&self.into, block, left, SpliceFlags::NONBLOCK)?;
                let mut taken = 0;
                while taken < lent {
                    let n = retry_on_intr(|| {
                        splice(&self.out, None, file, Some(&mut at), lent - taken, SpliceFlags::empty())
                    })?;
                    if n == 0 {
                        return Err(Errno::IO);
                    }
                    taken += n;
                }
                moved += lent;
            }
        }
        Ok(moved)
    }
}

impl Call for Pipe {
    #[inline(always)]
    fn call(&mut self, fd: RawFd, op: &Op) -> Result<i32, i32> {
        if !matches!(op.kind, Kind::Read | Kind::Write) {
            return Ok(other(fd, op));
        }
        // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
        let file = unsafe { BorrowedFd::borrow_raw(fd) };
        self.transfer(file, op).map(|n| n as i32).map_err(|errno| {
            // Data that is left in the pipe must not reach another operation.
            match Pipe::new(self.blocks) {
                Ok(fresh) => *self = fresh,
                Err(e) => return -e.raw_os_error().unwrap_or(libc::EIO),
            }
            -errno.raw_os_error()
        })
    }
}
