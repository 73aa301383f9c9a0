//! Synchronous engines: pread/pwrite, and lseek with read/write.

use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use std::os::fd::{BorrowedFd, RawFd};

/// One operation at a time; `SEEK` takes lseek + read/write (fio's `sync`) instead of pread/pwrite (`psync`).
#[derive(Debug)]
pub struct Sync<const SEEK: bool> {
    clock: MachineClock,
    blocks: Blocks,
    files: Vec<RawFd>,
    done: Option<Completion>,
}

impl<const SEEK: bool> Sync<SEEK> {
    /// For `files` files.
    pub fn new(blocks: Blocks, files: usize) -> Self {
        Self { clock: MachineClock::best(), blocks, files: vec![-1; files], done: None }
    }

    #[inline(always)]
    fn perform(&self, op: &Op) -> i32 {
        let fd = self.files[op.file as usize];
        if fd < 0 {
            return -libc::EBADF;
        }
        let (len, at) = ((op.len - op.done) as usize, op.offset + u64::from(op.done));
        let block = self.blocks.address(op.slot, op.done);
        if matches!(op.kind, Kind::Read | Kind::Write) && SEEK {
            // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
            let file = unsafe { BorrowedFd::borrow_raw(fd) };
            if let Err(errno) = rustix::fs::seek(file, rustix::fs::SeekFrom::Start(at)) {
                return -errno.raw_os_error();
            }
        }
        let call = match op.kind {
            Kind::Read if SEEK => libc::SYS_read,
            Kind::Write if SEEK => libc::SYS_write,
            Kind::Read => libc::SYS_pread64,
            Kind::Write => libc::SYS_pwrite64,
            Kind::Fsync => libc::SYS_fsync,
            Kind::Fdatasync => libc::SYS_fdatasync,
            Kind::Trim => return -libc::EOPNOTSUPP,
        };
        // SAFETY: the block lies in the arena, which outlives this engine, and its slot is ours until reaped; the
        // kernel touches at most `len` bytes of it, which the arena's stride holds (`op.len` <= stride). Calls with
        // fewer arguments ignore the rest.
        unsafe { sys::raw::syscall(call, [fd as usize, block as usize, len, at as usize, 0, 0]) as i32 }
    }
}

impl<const SEEK: bool> Engine for Sync<SEEK> {
    type Clock = MachineClock;
    const SYNC: bool = true;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.files[index] = fd;
        Ok(())
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        debug_assert!(ops.len() == 1 && self.done.is_none());
        if let Some(op) = ops.first() {
            self.done = Some(Completion { slot: op.slot, res: self.perform(op) });
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
