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

    /// Transfers a block from or to a socket, which has no offset. Returns the number of bytes, fewer than the block
    /// only if the data ended.
    ///
    /// The pages of a write may be sent after this call: what the block holds then is sent, as with fio's `netsplice`.
    ///
    /// # Errors
    /// -errno of the call. Data that was left in the pipe is dropped.
    pub(crate) fn stream(&mut self, socket: BorrowedFd<'_>, op: &Op) -> Result<i32, i32> {
        let moved = self.transfer::<false>(socket, op);
        if moved.is_ok_and(|n| op.kind == Kind::Write && n < (op.len - op.done) as usize) {
            return match Pipe::new(self.blocks) {
                Ok(fresh) => {
                    *self = fresh;
                    moved.map(|n| n as i32).map_err(|errno| -errno.raw_os_error())
                }
                Err(e) => Err(-e.raw_os_error().unwrap_or(libc::EIO)),
            };
        }
        self.checked(moved)
    }

    /// Replaces the pipe after an error: data that is left in the pipe must not reach another operation.
    fn checked(&mut self, moved: Result<usize, Errno>) -> Result<i32, i32> {
        moved.map(|n| n as i32).map_err(|errno| {
            match Pipe::new(self.blocks) {
                Ok(fresh) => *self = fresh,
                Err(e) => return -e.raw_os_error().unwrap_or(libc::EIO),
            }
            -errno.raw_os_error()
        })
    }

    /// Transfers a block; with `OFFSET`, at the offset of the operation.
    fn transfer<const OFFSET: bool>(&self, file: BorrowedFd<'_>, op: &Op) -> Result<usize, Errno> {
        let whole = (op.len - op.done) as usize;
        let mut moved = 0;
        while moved < whole {
            let block = self.blocks.address(op.slot, op.done + moved as u32);
            let mut at = op.offset + u64::from(op.done) + moved as u64;
            let left = whole - moved;
            if op.kind == Kind::Read {
                let spliced = retry_on_intr(|| {
                    splice(file, OFFSET.then_some(&mut at), &self.into, None, left, SpliceFlags::empty())
                });
                let n = match spliced {
                    // A socket whose next data takes long: what has arrived is kept.
                    Err(Errno::AGAIN) if moved > 0 => break,
                    other => other?,
                };
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
                    let spliced = retry_on_intr(|| {
                        let at = OFFSET.then_some(&mut at);
                        splice(&self.out, None, file, at, lent - taken, SpliceFlags::empty())
                    });
                    let n = match spliced {
                        // A socket whose peer takes no data for long.
                        Err(Errno::AGAIN) if moved + taken > 0 => return Ok(moved + taken),
                        other => other?,
                    };
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
        let moved = self.transfer::<true>(file, op);
        self.checked(moved)
    }
}
