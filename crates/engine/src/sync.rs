//! Synchronous engines: an operation is done when `queue` returns. What is done is a [`Perform`].

use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use std::os::fd::{BorrowedFd, RawFd};

/// How an operation is carried out, one at a time.
pub trait Perform {
    /// Puts the descriptor of file `index` into the table (-1 takes it out). Cold.
    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead>;
    /// Carries `op` out: bytes moved, or -errno.
    fn perform(&mut self, op: &Op) -> i32;
}

/// The engine around a [`Perform`].
#[derive(Debug)]
pub struct Sync<P> {
    clock: MachineClock,
    way: P,
    done: Option<Completion>,
}

impl<P: Perform> Sync<P> {
    /// Does operations that way.
    pub fn new(way: P) -> Self {
        Self { clock: MachineClock::best(), way, done: None }
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

/// The files of a worker by index, for engines that pass plain descriptors.
#[derive(Clone, Debug)]
pub(crate) struct Files(Vec<RawFd>);

impl Files {
    /// Room for `n` files.
    pub(crate) fn new(n: usize) -> Self {
        Self(vec![-1; n])
    }

    /// Puts a descriptor at `index`.
    pub(crate) fn set(&mut self, index: usize, fd: RawFd) {
        self.0[index] = fd;
    }

    /// The descriptor of an operation's file, or -EBADF.
    #[inline(always)]
    pub(crate) fn of(&self, op: &Op) -> Result<RawFd, i32> {
        let fd = self.0[op.file as usize];
        if fd < 0 { Err(-libc::EBADF) } else { Ok(fd) }
    }
}

/// lseek to where the operation starts.
#[inline(always)]
pub(crate) fn seek(fd: RawFd, at: u64) -> Result<(), i32> {
    // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
    let file = unsafe { BorrowedFd::borrow_raw(fd) };
    match rustix::fs::seek(file, rustix::fs::SeekFrom::Start(at)) {
        Ok(_) => Ok(()),
        Err(errno) => Err(-errno.raw_os_error()),
    }
}

/// What is no transfer: fsync and its kin.
#[cold]
pub(crate) fn other(fd: RawFd, kind: Kind) -> i32 {
    let res = match kind {
        // SAFETY: fsync and fdatasync touch no memory of ours.
        Kind::Fsync => unsafe { libc::fsync(fd) },
        // SAFETY: as above.
        Kind::Fdatasync => unsafe { libc::fdatasync(fd) },
        _ => return -libc::EOPNOTSUPP,
    };
    if res < 0 { -crate::last_errno() } else { 0 }
}

/// pread and pwrite (fio's `psync`), or with `SEEK` lseek, read and write (`sync`).
#[derive(Debug)]
pub struct Plain<const SEEK: bool> {
    blocks: Blocks,
    files: Files,
}

impl<const SEEK: bool> Plain<SEEK> {
    /// For `files` files.
    pub fn new(blocks: Blocks, files: usize) -> Self {
        Self { blocks, files: Files::new(files) }
    }

    #[inline(always)]
    fn try_perform(&self, op: &Op) -> Result<i32, i32> {
        let fd = self.files.of(op)?;
        let (len, at) = ((op.len - op.done) as usize, op.offset + u64::from(op.done));
        let block = self.blocks.address(op.slot, op.done);
        let call = match op.kind {
            Kind::Read if SEEK => libc::SYS_read,
            Kind::Write if SEEK => libc::SYS_write,
            Kind::Read => libc::SYS_pread64,
            Kind::Write => libc::SYS_pwrite64,
            kind => return Ok(other(fd, kind)),
        };
        if SEEK {
            seek(fd, at)?;
        }
        // SAFETY: the block lies in the arena, which outlives this engine, and its slot is ours until reaped; the
        // kernel touches at most `len` bytes of it, which the arena's stride holds (`op.len` <= stride). Calls with
        // fewer arguments ignore the rest.
        Ok(unsafe { sys::raw::syscall(call, [fd as usize, block as usize, len, at as usize, 0, 0]) as i32 })
    }
}

impl<const SEEK: bool> Perform for Plain<SEEK> {
    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.files.set(index, fd);
        Ok(())
    }

    #[inline(always)]
    fn perform(&mut self, op: &Op) -> i32 {
        self.try_perform(op).unwrap_or_else(|errno| errno)
    }
}
