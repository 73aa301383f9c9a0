//! Synchronous engines: an operation is complete when `queue` returns. A [`Perform`] executes the operation.

use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use std::os::fd::{BorrowedFd, RawFd};

/// Execution of one operation at a time.
pub trait Perform {
    /// Sets the descriptor of file `index` in the table; -1 removes the file. Not called per I/O.
    ///
    /// # Errors
    /// The file cannot be used, for example mapped.
    fn set_file(&mut self, _index: usize, _fd: RawFd) -> Result<(), RingDead> {
        Ok(())
    }
    /// Connects to the peer, as [`Engine::connect`].
    ///
    /// # Errors
    /// The call that failed, and its errno.
    fn connect(&mut self, _waits: &dyn Fn(), _stopped: &dyn Fn() -> bool) -> Result<bool, RingDead> {
        Ok(true)
    }
    /// Executes `op` and returns the number of bytes transferred, or -errno.
    fn perform(&mut self, op: &Op) -> i32;
    /// Returns the result of a SCSI command that failed, as [`Engine::scsi_status`].
    fn scsi_status(&self, _slot: u16) -> Option<stats::scsi::ScsiStatus> {
        None
    }
}

/// Engine that executes each operation with a [`Perform`] in `queue`.
#[derive(Debug)]
pub struct Sync<P> {
    clock: MachineClock,
    way: P,
    done: Option<Completion>,
}

impl<P: Perform> Sync<P> {
    /// Returns an engine that executes operations with `way`.
    pub fn new(way: P) -> Self {
        Self { clock: MachineClock::best(), way, done: None }
    }
}

impl<C: Call> Sync<Calls<C>> {
    /// Returns an engine that executes operations by calls of `way` on `files` files.
    pub fn calling(way: C, files: usize) -> Self {
        Self::new(Calls { files: vec![-1; files], way })
    }
}

impl<P: Perform> Engine for Sync<P> {
    type Clock = MachineClock;
    const SYNC: bool = true;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.way.set_file(index, fd)
    }

    fn connect(&mut self, waits: &dyn Fn(), stopped: &dyn Fn() -> bool) -> Result<bool, RingDead> {
        self.way.connect(waits, stopped)
    }

    fn scsi_status(&self, slot: u16) -> Option<stats::scsi::ScsiStatus> {
        self.way.scsi_status(slot)
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        debug_assert!(ops.len() == 1 && self.done.is_none());
        if let Some(op) = ops.first() {
            self.done = Some(Completion { slot: op.slot, res: self.way.perform(op) });
        }
    }

    #[inline(always)]
    fn submit(&mut self) -> Result<(), RingDead> {
        Ok(())
    }

    #[inline(always)]
    fn reap(&mut self, _: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        match self.done.take() {
            Some(done) => {
                out[0] = done;
                Ok(1)
            }
            None => Ok(0),
        }
    }
}

/// Execution of an operation by system calls on an open file.
pub trait Call {
    /// Executes `op` on the open file `fd` and returns the number of bytes transferred.
    ///
    /// # Errors
    /// -errno of the call.
    fn call(&mut self, fd: RawFd, op: &Op) -> Result<i32, i32>;
}

/// A [`Perform`] that makes a [`Call`] on descriptors of a table.
#[derive(Debug)]
pub struct Calls<C> {
    files: Vec<RawFd>,
    way: C,
}

impl<C: Call> Perform for Calls<C> {
    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.files[index] = fd;
        Ok(())
    }

    #[inline(always)]
    fn perform(&mut self, op: &Op) -> i32 {
        let fd = self.files[op.file as usize];
        if fd < 0 {
            return -libc::EBADF;
        }
        self.way.call(fd, op).unwrap_or_else(|errno| errno)
    }
}

/// Sets the file offset to `at` (lseek).
#[inline(always)]
pub(crate) fn seek(fd: RawFd, at: u64) -> Result<(), i32> {
    // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
    let file = unsafe { BorrowedFd::borrow_raw(fd) };
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Start(at)) {
        Ok(_) => Ok(()),
        Err(errno) => Err(-errno.raw_os_error()),
    }
}

/// Executes an operation without data transfer: a sync, or a trim (a discard of a block device, which the call waits
/// for). Returns 0, the bytes discarded, or -errno.
#[cold]
pub(crate) fn other(fd: RawFd, op: &Op) -> i32 {
    let res = match op.kind {
        // SAFETY: fsync and fdatasync touch no memory of ours.
        Kind::Fsync => unsafe { libc::fsync(fd) },
        // SAFETY: as above.
        Kind::Fdatasync => unsafe { libc::fdatasync(fd) },
        Kind::SyncRange => match op.range() {
            (_, _, 0) => 0,
            // SAFETY: as above.
            (from, bytes, flags) => unsafe { libc::sync_file_range(fd, from as i64, bytes.into(), flags) },
        },
        Kind::Trim => return trim(fd, op),
        Kind::Read | Kind::Write => return -libc::EOPNOTSUPP,
    };
    if res < 0 { -crate::last_errno() } else { 0 }
}

/// Number of times that a trim of dirty pages is tried again.
const TRIM_TRIES: usize = 100;

#[cold]
fn trim(fd: RawFd, op: &Op) -> i32 {
    // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
    let device = unsafe { BorrowedFd::borrow_raw(fd) };
    let (start, length) = (op.offset, u64::from(op.len));
    let discard = || sys::block::discard(device, start, length).map_err(|e| e.raw_os_error());
    let mut done = discard();
    // The kernel does not drop dirty pages of a device that is opened exclusively, as fathom's own guard does. A write in
    // flight to another block in the same page may make the page dirty again.
    for _ in 0..TRIM_TRIES {
        if done != Err(Some(libc::EBUSY)) {
            break;
        }
        let flags = libc::SYNC_FILE_RANGE_WAIT_BEFORE
            | libc::SYNC_FILE_RANGE_WRITE
            | libc::SYNC_FILE_RANGE_WAIT_AFTER;
        // SAFETY: touches no memory of ours. A failed write appears in the discard.
        unsafe { libc::sync_file_range(fd, start as i64, length as i64, flags) };
        done = discard();
    }
    done.map_or_else(|errno| -errno.unwrap_or(libc::EIO), |()| op.len as i32)
}

/// Calls of pread and pwrite (fio's `psync`); with `SEEK`, of lseek, read and write (`sync`).
#[derive(Debug)]
pub struct Plain<const SEEK: bool> {
    blocks: Blocks,
}

impl<const SEEK: bool> Plain<SEEK> {
    /// Returns calls that transfer from and to these blocks.
    pub fn new(blocks: Blocks) -> Self {
        Self { blocks }
    }
}

impl<const SEEK: bool> Call for Plain<SEEK> {
    #[inline(always)]
    fn call(&mut self, fd: RawFd, op: &Op) -> Result<i32, i32> {
        let call = match op.kind {
            Kind::Read if SEEK => libc::SYS_read,
            Kind::Write if SEEK => libc::SYS_write,
            Kind::Read => libc::SYS_pread64,
            Kind::Write => libc::SYS_pwrite64,
            _ => return Ok(other(fd, op)),
        };
        let (len, at) = ((op.len - op.done) as usize, op.offset + u64::from(op.done));
        let block = self.blocks.address(op.slot, op.done);
        if SEEK {
            seek(fd, at)?;
        }
        // SAFETY: the block lies in the arena, which outlives this engine, and its slot is ours until reaped; the
        // kernel touches at most `len` bytes of it, which the arena's stride holds (`op.len` <= stride). Calls with
        // fewer arguments ignore the rest.
        Ok(unsafe { sys::raw::syscall(call, [fd as usize, block as usize, len, at as usize, 0, 0]) as i32 })
    }
}
