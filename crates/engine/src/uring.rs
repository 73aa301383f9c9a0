//! io_uring: registered files, the arena registered as one buffer, completions run when we ask for them.

use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use io_uring::types::{Fd, Fixed, FsyncFlags};
use io_uring::{IoUring, opcode, squeue};
use std::io;
use std::os::fd::RawFd;

/// One ring of one worker. Made, used and dropped on the worker's own thread (SINGLE_ISSUER).
pub struct Uring {
    // Dropped first: closing the ring cancels what is in flight before the arena goes.
    ring: IoUring,
    clock: MachineClock,
    blocks: Blocks,
    files: Vec<RawFd>,
    fixed_files: bool,
    fixed_buffers: bool,
    /// Requests the kernel holds.
    in_kernel: usize,
    unsubmitted: usize,
    notes: Vec<String>,
}

/// What is wanted; what is not to be had becomes a note.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Register the arena.
    pub fixed_buffers: bool,
    /// Register files.
    pub fixed_files: bool,
}

impl Uring {
    /// A ring for at most `depth` operations in flight on `files` files.
    pub fn new(blocks: Blocks, depth: usize, files: usize, wanted: Wanted) -> io::Result<Self> {
        let mut notes = Vec::new();
        let ring = Self::open(depth, &mut notes)?;
        let submitter = ring.submitter();
        let mut fixed_files = wanted.fixed_files;
        if fixed_files && let Err(e) = submitter.register_files(&vec![-1; files.max(1)]) {
            fixed_files = false;
            notes.push(format!("io_uring: registered files not to be had ({e}); plain descriptors are used"));
        }
        let mut fixed_buffers = wanted.fixed_buffers;
        if fixed_buffers {
            let (base, bytes) = blocks.whole();
            let arena = [libc::iovec { iov_base: base.cast(), iov_len: bytes }];
            // SAFETY: the arena outlives the ring (the worker drops the engine first).
            if let Err(e) = unsafe { submitter.register_buffers(&arena) } {
                fixed_buffers = false;
                let why = "memory lock limit (ulimit -l) or size above 1 GiB";
                notes.push(format!("io_uring: registered buffer of {bytes} bytes not to be had ({e}; {why}); plain buffers are used"));
            }
        }
        // The kernel's default (4 per CPU for bounded work) would look like a knee of the device.
        let workers = depth.max(1) as u32;
        if let Err(e) = submitter.register_iowq_max_workers(&mut [workers, workers]) {
            notes.push(format!("io_uring: the limit of kernel workers could not be set to the depth ({e})"));
        }
        let clock = MachineClock::best();
        Ok(Self { ring, clock, blocks, files: vec![-1; files], fixed_files, fixed_buffers, in_kernel: 0, unsubmitted: 0, notes })
    }

    fn open(depth: usize, notes: &mut Vec<String>) -> io::Result<IoUring> {
        let entries = depth.max(1).next_power_of_two() as u32;
        let mut full = IoUring::builder();
        full.setup_cqsize(2 * entries).setup_single_issuer().setup_defer_taskrun().setup_coop_taskrun().dontfork();
        match full.build(entries) {
            Err(e) if e.raw_os_error() == Some(libc::EINVAL) => {
                notes.push("io_uring: this kernel lacks DEFER_TASKRUN; plain ring".to_string());
                IoUring::builder().setup_cqsize(2 * entries).dontfork().build(entries)
            }
            other => other,
        }
    }

    #[inline(always)]
    fn entry(&self, op: &Op) -> squeue::Entry {
        let (len, offset) = (op.len - op.done, op.offset + u64::from(op.done));
        let block = self.blocks.address(op.slot, op.done);
        macro_rules! on {
            ($file:expr) => {
                match (op.kind, self.fixed_buffers) {
                    (Kind::Read, true) => opcode::ReadFixed::new($file, block, len, 0).offset(offset).build(),
                    (Kind::Read, false) => opcode::Read::new($file, block, len).offset(offset).build(),
                    (Kind::Write, true) => opcode::WriteFixed::new($file, block, len, 0).offset(offset).build(),
                    (Kind::Write, false) => opcode::Write::new($file, block, len).offset(offset).build(),
                    (Kind::Fsync, _) => opcode::Fsync::new($file).build(),
                    (Kind::Fdatasync, _) => opcode::Fsync::new($file).flags(FsyncFlags::DATASYNC).build(),
                    (Kind::Trim, _) => opcode::Fallocate::new($file, u64::from(len)).offset(offset).mode(PUNCH).build(),
                }
            };
        }
        let entry = if self.fixed_files { on!(Fixed(op.file)) } else { on!(Fd(self.files[op.file as usize])) };
        entry.user_data(u64::from(op.slot))
    }

    fn drain(&mut self, out: &mut [Completion]) -> usize {
        let mut n = 0;
        let mut queue = self.ring.completion();
        while n < out.len() {
            let Some(event) = queue.next() else { break };
            out[n] = Completion { slot: event.user_data() as u16, res: event.result() };
            n += 1;
        }
        self.in_kernel -= n;
        n
    }

    #[cold]
    fn enter_failed(e: &io::Error) -> Result<(), RingDead> {
        match e.raw_os_error() {
            // Interrupted, or short of memory or completion room for the moment: the caller comes again.
            Some(libc::EINTR | libc::EAGAIN | libc::EBUSY) => Ok(()),
            errno => Err(RingDead { call: "io_uring_enter", errno: errno.unwrap_or(libc::EIO) }),
        }
    }
}

/// FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE.
const PUNCH: i32 = 3;

impl Engine for Uring {
    type Clock = MachineClock;
    const SYNC: bool = false;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.files[index] = fd;
        if self.fixed_files {
            let updated = self.ring.submitter().register_files_update(index as u32, &[fd]);
            updated.map_err(|e| RingDead { call: "io_uring_register(files)", errno: e.raw_os_error().unwrap_or(libc::EIO) })?;
        }
        Ok(())
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        self.unsubmitted += ops.len();
        for op in ops {
            let entry = self.entry(op);
            // SAFETY: the entry points into the arena, which outlives the ring, at a slot that is ours until
            // reaped; the worker never has more than `depth` <= entries in flight, so the queue cannot be full.
            let pushed = unsafe { self.ring.submission().push(&entry) };
            debug_assert!(pushed.is_ok());
        }
    }

    #[inline(always)]
    fn submit(&mut self) -> Result<(), RingDead> {
        while self.unsubmitted > 0 {
            match self.ring.submit() {
                Ok(0) => break,
                Ok(n) => {
                    self.unsubmitted -= n;
                    self.in_kernel += n;
                }
                Err(e) => {
                    Self::enter_failed(&e)?;
                    if self.in_kernel > 0 {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = self.drain(out);
        if n >= min.max(1) || n == out.len() || self.in_kernel + self.unsubmitted == 0 {
            return Ok(n);
        }
        // Also with min = 0: with DEFER_TASKRUN completions are run only when we enter.
        match self.ring.submitter().submit_and_wait((min - n.min(min)).min(self.in_kernel)) {
            Ok(taken) => {
                self.unsubmitted -= taken.min(self.unsubmitted);
                self.in_kernel += taken;
            }
            Err(e) => Self::enter_failed(&e)?,
        }
        n += self.drain(&mut out[n..]);
        Ok(n)
    }

    #[inline(always)]
    fn ready(&mut self) -> usize {
        self.ring.completion().len()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
