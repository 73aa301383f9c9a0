//! io_uring with registered files, the arena as one registered buffer, and deferred task work.

use crate::priority::Priorities;
use crate::sync::other;
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use stats::note::NoteFact;
use std::io;
use std::num::NonZeroU32;
use std::os::fd::RawFd;
use sys::uring::{self, Ring, RingOf, Sqe, op};

/// The ring of one worker, created, used and dropped on the worker's own thread (SINGLE_ISSUER). `EXTRAS` is the copy
/// for jobs that use any of [`UringFeatures`].
pub struct Uring<const EXTRAS: bool> {
    // Dropped first: closing the ring cancels the requests in flight before the arena is freed.
    ring: Ring,
    clock: MachineClock,
    blocks: Blocks,
    files: Vec<RawFd>,
    fixed_files: bool,
    fixed_buffers: bool,
    /// Number of requests that the kernel holds.
    in_kernel: usize,
    unsubmitted: usize,
    /// Number of completions found without waiting.
    early: u64,
    notes: Vec<NoteFact>,
    features: UringFeatures,
    /// Number of requests since the last request for a kernel worker (`force_async`).
    since_async: u32,
    /// Vectors by slot, with `vectored`; boxed, because requests hold their addresses.
    vectors: Box<[libc::iovec]>,
    /// Completions of trims, which are done in the call.
    trimmed: Vec<Completion>,
    priorities: Option<Priorities>,
}

/// Features that only some jobs use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UringFeatures {
    /// Whether completions are polled from the device (IOPOLL).
    pub polled: bool,
    /// Whether a kernel thread submits the requests (SQPOLL).
    pub thread: bool,
    /// CPU of the submission thread (SQPOLL); `None` leaves the choice to the kernel.
    pub thread_cpu: Option<u32>,
    /// Whether requests are READV and WRITEV with a vector of one block.
    pub vectored: bool,
    /// Interval in requests after which a request goes to a kernel worker at once; `None` = never.
    pub force_async: Option<NonZeroU32>,
    /// `RWF_*` flags of each read and write.
    pub rw_flags: u32,
    /// Whether the job has trims, which are done in the call as in fio.
    pub trims: bool,
}

/// Options of a ring; features that the kernel refuses are left out and become notes.
#[derive(Clone, Copy, Debug)]
pub struct UringOptions {
    /// Whether the arena is registered as a fixed buffer.
    pub fixed_buffers: bool,
    /// Whether files are registered with the ring.
    pub fixed_files: bool,
    /// Features that only some jobs use.
    pub features: UringFeatures,
}

impl<const EXTRAS: bool> Uring<EXTRAS> {
    /// Returns a ring for at most `depth` operations in flight on `files` files.
    ///
    /// # Errors
    /// errno of io_uring_setup(2) or mmap(2).
    pub fn new(blocks: Blocks, depth: usize, files: usize, options: UringOptions) -> io::Result<Self> {
        let mut notes = Vec::new();
        let features = options.features;
        let mut ring = open(depth, features, &mut notes)?;
        let mut fixed_files = options.fixed_files;
        if fixed_files && let Err(e) = ring.register_files(&vec![-1; files.max(1)]) {
            fixed_files = false;
            notes.push(NoteFact::NoRegisteredFiles { errno: errno(&e) });
        }
        let mut fixed_buffers = options.fixed_buffers && !features.vectored;
        if fixed_buffers {
            let (base, bytes) = blocks.whole();
            // SAFETY: the arena outlives the ring (the worker drops the engine first).
            if let Err(e) = unsafe { ring.register_buffer(base, bytes) } {
                fixed_buffers = false;
                notes.push(NoteFact::NoRegisteredBuffer { bytes: bytes as u64, errno: errno(&e) });
            }
        }
        // The kernel's default (4 per CPU for bounded work) would look like a knee of the device.
        if let Err(e) = ring.limit_workers(depth.max(1) as u32) {
            notes.push(NoteFact::NoWorkerLimit { errno: errno(&e) });
        }
        // Avoids the lookup of the descriptor at each call; optional, because it needs Linux 5.18.
        let _ = ring.register_ring();
        let clock = MachineClock::best();
        Ok(Self {
            ring,
            clock,
            blocks,
            files: vec![-1; files],
            fixed_files,
            fixed_buffers,
            in_kernel: 0,
            unsubmitted: 0,
            early: 0,
            notes,
            features,
            since_async: 0,
            vectors: vec![
                libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };
                if features.vectored { depth } else { 0 }
            ]
            .into(),
            trimmed: Vec::with_capacity(if features.trims { depth } else { 0 }),
            priorities: None,
        })
    }

    /// Returns the engine with the I/O priorities of its operations; only with `EXTRAS`.
    pub fn prioritise(mut self, priorities: Option<Priorities>) -> Self {
        self.priorities = priorities;
        self
    }

    #[inline(always)]
    fn request(&mut self, o: &Op) -> Sqe {
        let mut request = Sqe {
            flags: if self.fixed_files { uring::FIXED_FILE } else { 0 },
            fd: if self.fixed_files { o.file as i32 } else { self.files[o.file as usize] },
            user_data: u64::from(o.slot),
            ..Sqe::default()
        };
        if matches!(o.kind, Kind::Read | Kind::Write) {
            // READ_FIXED and WRITE_FIXED, READ and WRITE are neighbours.
            let first = if self.fixed_buffers { op::READ_FIXED } else { op::READ };
            request.opcode = first + o.kind as u8;
            request.off = o.offset + u64::from(o.done);
            request.addr = self.blocks.address(o.slot, o.done) as u64;
            request.len = o.len - o.done;
            if EXTRAS {
                self.extra(o, &mut request);
            }
        } else {
            Self::sync(o, &mut request);
        }
        request
    }

    #[inline(never)]
    fn extra(&mut self, o: &Op, request: &mut Sqe) {
        request.op_flags = self.features.rw_flags;
        request.ioprio = self.priorities.as_mut().and_then(|p| p.draw(o)).unwrap_or(0);
        if let Some(vector) = self.vectors.get_mut(usize::from(o.slot)) {
            vector.iov_base = request.addr as *mut libc::c_void;
            vector.iov_len = request.len as usize;
            request.opcode = op::READV + o.kind as u8;
            (request.addr, request.len) = (&raw const *vector as u64, 1);
        }
        if let Some(every) = self.features.force_async {
            self.since_async += 1;
            if self.since_async == every.get() {
                self.since_async = 0;
                request.flags |= uring::ASYNC;
            }
        }
    }

    /// Makes queued entries visible to the submission thread of the kernel (SQPOLL), and wakes this thread if it
    /// sleeps.
    #[cold]
    fn publish(&mut self) -> Result<(), RingDead> {
        if self.unsubmitted == 0 {
            return Ok(());
        }
        self.in_kernel += self.unsubmitted;
        self.unsubmitted = 0;
        match self.ring.publish() {
            Err(errno) if errno != libc::EINTR => Err(RingDead { call: "io_uring_enter", errno }),
            _ => Ok(()),
        }
    }

    #[cold]
    fn sync(o: &Op, request: &mut Sqe) {
        request.opcode = op::FSYNC;
        match o.kind {
            Kind::Fsync => {}
            Kind::Fdatasync => request.op_flags = uring::DATASYNC,
            Kind::SyncRange => {
                let (from, bytes, flags) = o.range();
                request.opcode = if flags == 0 { op::NOP } else { op::SYNC_FILE_RANGE };
                (request.off, request.len, request.op_flags) = (from, bytes, flags);
            }
            // These kinds do not occur here; the kernel refuses the unknown opcode.
            Kind::Read | Kind::Write | Kind::Trim => request.opcode = u8::MAX,
        }
    }

    #[inline(always)]
    fn drain(&mut self, out: &mut [Completion]) -> usize {
        let n = (self.ring.ready() as usize).min(out.len());
        for (nth, completion) in out[..n].iter_mut().enumerate() {
            let answer = self.ring.answer(nth as u32);
            *completion = Completion { slot: answer.user_data as u16, res: answer.res };
        }
        self.ring.advance(n as u32);
        self.in_kernel -= n;
        n
    }

    /// Returns completed trims; completions of the kernel follow in the next call.
    #[cold]
    fn hand_out(&mut self, out: &mut [Completion]) -> usize {
        let n = self.trimmed.len().min(out.len());
        out[..n].copy_from_slice(&self.trimmed[..n]);
        self.trimmed.drain(..n);
        n
    }

    #[cold]
    fn enter_failed(errno: i32) -> Result<(), RingDead> {
        match errno {
            // Interrupted, or short of memory or completion entries for the moment: the caller tries again.
            libc::EINTR | libc::EAGAIN | libc::EBUSY => Ok(()),
            errno => Err(RingDead { call: "io_uring_enter", errno }),
        }
    }
}

impl<const EXTRAS: bool> Drop for Uring<EXTRAS> {
    fn drop(&mut self) {
        // With requests in flight, this call would wait for the device.
        if self.fixed_files && self.in_kernel + self.unsubmitted == 0 {
            // Closing the ring also releases the files, but later.
            let _ = self.ring.unregister_files();
        }
    }
}

impl<const EXTRAS: bool> Engine for Uring<EXTRAS> {
    type Clock = MachineClock;
    const SYNC: bool = false;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.files[index] = fd;
        if self.fixed_files {
            let updated = self.ring.update_file(index as u32, fd);
            updated.map_err(|e| RingDead {
                call: "io_uring_register(files)",
                errno: e.raw_os_error().unwrap_or(libc::EIO),
            })?;
        }
        Ok(())
    }

    fn priority(&self, slot: u16) -> u8 {
        self.priorities.as_ref().map_or(0, |p| p.number(slot))
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        self.unsubmitted += ops.len();
        for o in ops {
            if EXTRAS && o.kind == Kind::Trim {
                self.unsubmitted -= 1;
                let res = other(self.files[o.file as usize], o);
                self.trimmed.push(Completion { slot: o.slot, res });
                continue;
            }
            let request = self.request(o);
            // SAFETY: the request points into the arena (or to its slot's boxed vector), which outlives the ring, at a
            // slot that is ours until reaped; the worker never has more than `depth` <= entries in flight, so the
            // queue cannot be full.
            unsafe { self.ring.push(request) };
        }
    }

    #[inline(always)]
    fn submit(&mut self) -> Result<(), RingDead> {
        if EXTRAS && self.features.thread {
            return self.publish();
        }
        while self.unsubmitted > 0 {
            match self.ring.enter(self.unsubmitted as u32, 0, false) {
                Ok(0) => break,
                Ok(n) => {
                    self.unsubmitted -= n as usize;
                    self.in_kernel += n as usize;
                }
                Err(errno) => {
                    Self::enter_failed(errno)?;
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
        if EXTRAS && !self.trimmed.is_empty() {
            return Ok(self.hand_out(out));
        }
        let n = self.drain(out);
        let thread = EXTRAS && self.features.thread;
        if !thread {
            // Completions are processed only in `enter`: a completion that is already here was completed by the last
            // submission itself.
            self.early += n as u64;
        }
        if n >= min.max(1) || n == out.len() || self.in_kernel + self.unsubmitted == 0 {
            return Ok(n);
        }
        if thread && min == 0 {
            return Ok(n);
        }
        // Also for min = 0: with DEFER_TASKRUN, completions are processed only in `enter`.
        let wait = (min - n.min(min)).min(self.in_kernel) as u32;
        match self.ring.enter(self.unsubmitted as u32, wait, true) {
            Ok(taken) => {
                self.unsubmitted -= taken as usize;
                self.in_kernel += taken as usize;
            }
            Err(errno) => Self::enter_failed(errno)?,
        }
        Ok(n + self.drain(&mut out[n..]))
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.reap(0, out)?;
        // With IOPOLL, completions are polled for and not waited for.
        if n > 0 || nanos == 0 || EXTRAS && self.features.polled || self.in_kernel + self.unsubmitted == 0 {
            return Ok(n);
        }
        match self.ring.enter_within(self.unsubmitted as u32, nanos) {
            Ok(taken) => {
                self.unsubmitted -= taken as usize;
                self.in_kernel += taken as usize;
            }
            Err(libc::ETIME) => {}
            // Before Linux 5.11, the kernel cannot limit the wait.
            Err(libc::EINVAL) => std::thread::sleep(std::time::Duration::from_nanos(nanos.min(50_000))),
            Err(errno) => Self::enter_failed(errno)?,
        }
        Ok(self.drain(out))
    }

    fn done_in_submit(&self) -> u64 {
        self.early
    }

    fn notes(&self) -> &[NoteFact] {
        &self.notes
    }
}

pub(crate) fn errno(e: &io::Error) -> i32 {
    e.raw_os_error().unwrap_or(libc::EIO)
}

/// Creates a ring with as many of the features as the kernel has.
pub(crate) fn open<const WIDE: bool>(
    depth: usize,
    features: UringFeatures,
    notes: &mut Vec<NoteFact>,
) -> io::Result<RingOf<WIDE>> {
    let entries = depth.max(1).next_power_of_two() as u32;
    let mut flags = if features.polled { uring::SETUP_IOPOLL } else { 0 };
    if features.thread {
        // The kernel's submission thread also processes completions: no work can be deferred to this thread.
        flags |= uring::SETUP_SQPOLL | features.thread_cpu.map_or(0, |_| uring::SETUP_SQ_AFF);
        return RingOf::new(entries, 2 * entries, flags, features.thread_cpu.unwrap_or(0));
    }
    let full = uring::SETUP_SINGLE_ISSUER | uring::SETUP_DEFER_TASKRUN | uring::SETUP_COOP_TASKRUN;
    match RingOf::new(entries, 2 * entries, flags | full, 0) {
        Err(e) if e.raw_os_error() == Some(libc::EINVAL) => {
            notes.push(NoteFact::NoDeferredTaskWork);
            RingOf::new(entries, 2 * entries, flags, 0)
        }
        other => other,
    }
}
