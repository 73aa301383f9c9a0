//! What the engines on io_uring share: a ring with registered files and memory, and the numbers of its requests.

use crate::{Blocks, RingDead};
use stats::note::NoteFact;
use std::io;
use std::num::NonZeroU32;
use std::os::fd::RawFd;
use std::time::Duration;
use sys::uring::{self, RingOf, Sqe};

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
    /// Additional `RWF_*` flags of each write.
    pub write_flags: u32,
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

/// The ring of one worker; `WIDE` rings have entries for commands.
pub(crate) struct CountedRing<const WIDE: bool> {
    /// The ring. Whoever pushes a request adds it to `unsubmitted`.
    pub ring: RingOf<WIDE>,
    /// Whether files are registered.
    pub fixed_files: bool,
    /// Whether the arena is registered.
    pub fixed_buffers: bool,
    /// Features that only some jobs use.
    pub features: UringFeatures,
    /// Number of requests that the kernel holds.
    pub in_kernel: usize,
    /// Number of requests in the ring that were not submitted yet.
    pub unsubmitted: usize,
    /// Number of requests since the last request for a kernel worker (`force_async`).
    since_async: u32,
}

impl<const WIDE: bool> CountedRing<WIDE> {
    /// Returns a ring for at most `depth` operations in flight on `files` files; features that the kernel refuses are
    /// left out and become notes.
    ///
    /// # Errors
    /// errno of io_uring_setup(2) or mmap(2).
    pub fn new(
        blocks: &Blocks,
        depth: usize,
        files: usize,
        options: UringOptions,
        notes: &mut Vec<NoteFact>,
    ) -> io::Result<Self> {
        let features = options.features;
        let mut ring = open(depth, features, notes)?;
        let mut fixed_files = options.fixed_files;
        if fixed_files && let Err(e) = ring.register_files(&vec![-1; files.max(1)]) {
            fixed_files = false;
            notes.push(NoteFact::NoRegisteredFiles { errno: errno(&e) });
        }
        let mut fixed_buffers = options.fixed_buffers && !features.vectored;
        if fixed_buffers {
            let (base, bytes) = blocks.whole();
            // Before Linux 6.2, a command counts the pages from its block to the end of its registered buffer, and fails
            // with EINVAL if there are more than the device takes: each block is a buffer of its own.
            let each = if WIDE { blocks.stride() } else { bytes };
            // SAFETY: the arena outlives the ring (the worker drops the engine first).
            if let Err(e) = unsafe { ring.register_buffers(base, bytes, each) } {
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
        Ok(Self { ring, fixed_files, fixed_buffers, features, in_kernel: 0, unsubmitted: 0, since_async: 0 })
    }

    /// Registers a file, if files are registered.
    ///
    /// # Errors
    /// The kernel refuses the file.
    pub fn register(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        if !self.fixed_files {
            return Ok(());
        }
        let updated = self.ring.update_file(index as u32, fd);
        updated.map_err(|e| RingDead { call: "io_uring_register(files)", errno: errno(&e) })
    }

    /// Sends every n-th request to a kernel worker at once (`force_async`).
    #[inline(always)]
    pub fn force_async(&mut self, request: &mut Sqe) {
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
    ///
    /// # Errors
    /// io_uring_enter(2) fails.
    #[cold]
    pub fn publish(&mut self) -> Result<(), RingDead> {
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

    /// Submits what is queued, as far as the kernel takes it.
    ///
    /// # Errors
    /// io_uring_enter(2) fails.
    #[inline(always)]
    pub fn submit(&mut self) -> Result<(), RingDead> {
        while self.unsubmitted > 0 {
            match self.ring.enter(self.unsubmitted as u32, 0, false) {
                Ok(0) => break,
                Ok(n) => {
                    self.unsubmitted -= n as usize;
                    self.in_kernel += n as usize;
                }
                Err(errno) => {
                    enter_failed(errno)?;
                    if self.in_kernel > 0 {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Waits for `completions`, or for all requests in the kernel if those are fewer. Also for 0: with DEFER_TASKRUN,
    /// completions are processed only in this call.
    ///
    /// # Errors
    /// io_uring_enter(2) fails.
    #[inline(always)]
    pub fn wait(&mut self, completions: usize) -> Result<(), RingDead> {
        let wait = completions.min(self.in_kernel) as u32;
        match self.ring.enter(self.unsubmitted as u32, wait, true) {
            Ok(taken) => {
                self.unsubmitted -= taken as usize;
                self.in_kernel += taken as usize;
            }
            Err(errno) => enter_failed(errno)?,
        }
        Ok(())
    }

    /// Waits for a completion, at most for `nanos` nanoseconds.
    ///
    /// # Errors
    /// io_uring_enter(2) fails.
    pub fn wait_within(&mut self, nanos: u64) -> Result<(), RingDead> {
        match self.ring.enter_within(self.unsubmitted as u32, nanos) {
            Ok(taken) => {
                self.unsubmitted -= taken as usize;
                self.in_kernel += taken as usize;
            }
            Err(libc::ETIME) => {}
            // Before Linux 5.11, the kernel cannot limit the wait.
            Err(libc::EINVAL) => std::thread::sleep(Duration::from_nanos(nanos.min(50_000))),
            Err(errno) => enter_failed(errno)?,
        }
        Ok(())
    }
}

impl<const WIDE: bool> Drop for CountedRing<WIDE> {
    fn drop(&mut self) {
        // With requests in flight, this call would wait for the device.
        if self.fixed_files && self.in_kernel + self.unsubmitted == 0 {
            // Closing the ring also releases the files, but later.
            let _ = self.ring.unregister_files();
        }
    }
}

#[cold]
fn enter_failed(errno: i32) -> Result<(), RingDead> {
    match errno {
        // Interrupted, or short of memory or completion entries for the moment: the caller tries again.
        libc::EINTR | libc::EAGAIN | libc::EBUSY => Ok(()),
        errno => Err(RingDead { call: "io_uring_enter", errno }),
    }
}

fn errno(e: &io::Error) -> i32 {
    e.raw_os_error().unwrap_or(libc::EIO)
}

/// Creates a ring with as many of the features as the kernel has.
fn open<const WIDE: bool>(
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
