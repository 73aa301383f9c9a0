//! io_uring: three system calls and three shared mappings, limited to the features that fathom uses, without a C
//! library.
//!
//! A binding of our own instead of a crate, because of the figures of `xtask ipi`: building a request in place
//! instead of on the stack, and submitting without the checks of a general binding, saves a third of the instructions
//! of an I/O at depth 1.

use std::ffi::c_void;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering, fence};

/// A submission queue entry: the part of `struct io_uring_sqe` that fathom uses.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Sqe {
    pub opcode: u8,
    pub flags: u8,
    pub ioprio: u16,
    pub fd: i32,
    pub off: u64,
    pub addr: u64,
    pub len: u32,
    pub op_flags: u32,
    pub user_data: u64,
}

/// Size of a submission queue entry in bytes; twice as much in a [`WideRing`]. Bytes after [`Sqe`] and the command of a
/// wide entry are never written and keep the zeros of the new mapping.
const ENTRY: usize = 64;

/// Offset in bytes of the index of the registered buffer in an entry.
const BUFFER_AT: usize = 40;

/// Offset in bytes of the command in an entry of URING_CMD.
const COMMAND_AT: usize = 48;

/// Size in bytes of the command in a wide entry of URING_CMD.
pub const COMMAND: usize = 2 * ENTRY - COMMAND_AT;

/// A completion queue entry: `struct io_uring_cqe`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Cqe {
    pub user_data: u64,
    pub res: i32,
    pub flags: u32,
}

/// Opcodes of requests (IORING_OP_*).
pub mod op {
    #![allow(missing_docs)]
    pub const NOP: u8 = 0;
    pub const READV: u8 = 1;
    pub const FSYNC: u8 = 3;
    pub const READ_FIXED: u8 = 4;
    pub const WRITE_FIXED: u8 = 5;
    pub const SYNC_FILE_RANGE: u8 = 8;
    pub const READ: u8 = 22;
    pub const WRITE: u8 = 23;
    pub const URING_CMD: u8 = 46;
}

/// IOSQE_FIXED_FILE: `fd` is an index into the registered files.
pub const FIXED_FILE: u8 = 1;
/// IOSQE_ASYNC: a kernel worker executes the request from the start.
pub const ASYNC: u8 = 1 << 4;
/// IORING_FSYNC_DATASYNC: FSYNC acts as fdatasync(2).
pub const DATASYNC: u32 = 1;
/// IORING_URING_CMD_FIXED: the memory of the command lies in the registered buffer.
pub const COMMAND_FIXED: u32 = 1;
/// IORING_SETUP_IOPOLL: completions are found by polling the device.
pub const SETUP_IOPOLL: u32 = 1;
/// IORING_SETUP_SQPOLL: a kernel thread submits the queued requests.
pub const SETUP_SQPOLL: u32 = 1 << 1;
/// IORING_SETUP_SQ_AFF: the kernel thread of SQPOLL runs on a given CPU.
pub const SETUP_SQ_AFF: u32 = 1 << 2;
/// IORING_SETUP_CQSIZE: the size of the completion queue is given.
pub const SETUP_CQSIZE: u32 = 1 << 3;
/// IORING_SETUP_COOP_TASKRUN: completions do not interrupt a running thread.
pub const SETUP_COOP_TASKRUN: u32 = 1 << 8;
/// IORING_SETUP_SINGLE_ISSUER: only one thread submits requests.
pub const SETUP_SINGLE_ISSUER: u32 = 1 << 12;
/// IORING_SETUP_DEFER_TASKRUN: completions are processed only in `enter` calls that ask for them.
pub const SETUP_DEFER_TASKRUN: u32 = 1 << 13;

const SETUP_SQE128: u32 = 1 << 10;
const SETUP_CQE32: u32 = 1 << 11;
const ENTER_GETEVENTS: u32 = 1;
const ENTER_SQ_WAKEUP: u32 = 1 << 1;
const SQ_NEED_WAKEUP: u32 = 1;
const ENTER_EXT_ARG: u32 = 1 << 3;
const ENTER_REGISTERED_RING: u32 = 1 << 4;
const REGISTER_BUFFERS: u32 = 0;
const REGISTER_FILES: u32 = 2;
const UNREGISTER_FILES: u32 = 3;
const REGISTER_FILES_UPDATE: u32 = 6;
const REGISTER_IOWQ_MAX_WORKERS: u32 = 19;
const REGISTER_RING_FDS: u32 = 20;
const OFF_SQ_RING: u64 = 0;
const OFF_CQ_RING: u64 = 0x800_0000;
const OFF_SQES: u64 = 0x1000_0000;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct RingOffsets {
    head: u32,
    tail: u32,
    ring_mask: u32,
    ring_entries: u32,
    /// In the submission queue: flags, dropped, array. In the completion queue: overflow, cqes, flags.
    rest: [u32; 3],
    resv: u32,
    user_addr: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Params {
    sq_entries: u32,
    cq_entries: u32,
    flags: u32,
    sq_thread_cpu: u32,
    sq_thread_idle: u32,
    features: u32,
    wq_fd: u32,
    resv: [u32; 3],
    sq_off: RingOffsets,
    cq_off: RingOffsets,
}

/// Shared mapping of the ring's memory, unmapped when dropped.
#[derive(Debug)]
struct Mapping {
    base: NonNull<c_void>,
    bytes: usize,
}

impl Mapping {
    fn new(fd: RawFd, bytes: usize, offset: u64) -> io::Result<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice aliases no memory of ours.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                protection,
                libc::MAP_SHARED | libc::MAP_POPULATE,
                fd,
                offset as i64,
            )
        };
        match NonNull::new(base) {
            Some(base) if base.as_ptr() != libc::MAP_FAILED => Ok(Self { base, bytes }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    fn at<T>(&self, offset: u32) -> NonNull<T> {
        // SAFETY: the kernel's own offsets lie inside the mapping whose size was computed from them.
        unsafe { self.base.byte_add(offset as usize).cast() }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length, unmapped once.
        unsafe { libc::munmap(self.base.as_ptr(), self.bytes) };
    }
}

/// Wait argument of IORING_ENTER_EXT_ARG: `struct io_uring_getevents_arg`.
#[repr(C)]
struct Wait {
    sigmask: u64,
    sigmask_bytes: u32,
    pad: u32,
    time: u64,
}

/// An io_uring instance, used by one thread.
pub type Ring = RingOf<false>;

/// An io_uring instance whose entries have twice the size (SQE128, CQE32), for commands of a driver (URING_CMD).
pub type WideRing = RingOf<true>;

/// An io_uring instance, used by one thread; `WIDE` = with entries of twice the size.
#[derive(Debug)]
pub struct RingOf<const WIDE: bool> {
    // The mappings are dropped before the descriptor.
    sqes: NonNull<[u8; ENTRY]>,
    cqes: NonNull<Cqe>,
    sq_tail_shared: NonNull<AtomicU32>,
    sq_flags_shared: NonNull<AtomicU32>,
    cq_head_shared: NonNull<AtomicU32>,
    cq_tail_shared: NonNull<AtomicU32>,
    sq_mask: u32,
    cq_mask: u32,
    sq_tail: u32,
    cq_head: u32,
    /// The ring's file descriptor or, after `register_ring`, its registered index.
    enter_fd: i32,
    enter_flags: u32,
    _maps: [Mapping; 3],
    fd: OwnedFd,
}

impl Ring {
    /// Checks that this process may use io_uring: creates a ring and completes an empty request.
    ///
    /// # Errors
    /// EPERM or ENOSYS if a seccomp filter or `kernel.io_uring_disabled` forbids it.
    pub fn probe() -> io::Result<()> {
        let mut ring = Ring::new(1, 2, 0, 0)?;
        // SAFETY: the queue is empty, and a request of zeros is `NOP`, which names no memory.
        unsafe { ring.push(Sqe { opcode: op::NOP, ..Sqe::default() }) };
        ring.enter(1, 1, true).map(drop).map_err(io::Error::from_raw_os_error)
    }
}

impl WideRing {
    /// Adds a request with the command of a driver to the submission queue; `buffer` is the index of its registered
    /// buffer.
    ///
    /// # Safety
    /// As of [`RingOf::push`], also for the memory that the command names.
    #[inline]
    pub unsafe fn push_command(&mut self, request: Sqe, buffer: u16, command: &[u8; COMMAND]) {
        let at = ((self.sq_tail & self.sq_mask) as usize) << 1;
        // SAFETY: the masked index lies in the mapping, and the command ends with the wide entry; the kernel reads the
        // entry only after the tail moved past it, which `push` does.
        unsafe {
            self.sqes.add(at).cast::<u8>().add(BUFFER_AT).cast::<u16>().write(buffer);
            self.sqes.add(at).cast::<u8>().add(COMMAND_AT).cast::<[u8; COMMAND]>().write(*command);
            self.push(request);
        }
    }
}

impl<const WIDE: bool> RingOf<WIDE> {
    /// Creates a ring of `entries` (a power of two) submission entries and `completions` completion entries. `flags`
    /// are bits `SETUP_*`; `cpu` is the CPU of the kernel thread with SETUP_SQPOLL and SETUP_SQ_AFF.
    ///
    /// # Errors
    /// errno of io_uring_setup(2) or mmap(2).
    pub fn new(entries: u32, completions: u32, flags: u32, cpu: u32) -> io::Result<Self> {
        let mut p = Params {
            flags: flags | SETUP_CQSIZE | if WIDE { SETUP_SQE128 | SETUP_CQE32 } else { 0 },
            cq_entries: completions,
            sq_thread_cpu: cpu,
            ..Params::default()
        };
        // SAFETY: the kernel reads and fills `p`, which has the layout and size of struct io_uring_params.
        let fd = unsafe { libc::syscall(libc::SYS_io_uring_setup, entries, &raw mut p) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a new descriptor without another owner.
        let fd = unsafe { OwnedFd::from_raw_fd(fd as RawFd) };
        let raw = fd.as_raw_fd();
        let [sq_flags, _, array] = p.sq_off.rest;
        let [_, cqes, _] = p.cq_off.rest;
        let sq = Mapping::new(raw, array as usize + p.sq_entries as usize * 4, OFF_SQ_RING)?;
        let cq = Mapping::new(
            raw,
            cqes as usize + p.cq_entries as usize * (size_of::<Cqe>() << u32::from(WIDE)),
            OFF_CQ_RING,
        )?;
        let entries = Mapping::new(raw, p.sq_entries as usize * (ENTRY << u32::from(WIDE)), OFF_SQES)?;
        // Entry i of the queue is always request i: the index array is written once.
        for i in 0..p.sq_entries {
            // SAFETY: the array has `sq_entries` elements and nothing was submitted yet.
            unsafe { sq.at::<u32>(array).add(i as usize).write(i) };
        }
        Ok(Self {
            sqes: entries.at(0),
            cqes: cq.at(cqes),
            sq_tail_shared: sq.at(p.sq_off.tail),
            sq_flags_shared: sq.at(sq_flags),
            cq_head_shared: cq.at(p.cq_off.head),
            cq_tail_shared: cq.at(p.cq_off.tail),
            sq_mask: p.sq_entries - 1,
            cq_mask: p.cq_entries - 1,
            sq_tail: 0,
            cq_head: 0,
            enter_fd: raw,
            enter_flags: 0,
            _maps: [sq, cq, entries],
            fd,
        })
    }

    fn register(&self, what: u32, argument: *const c_void, n: u32) -> io::Result<i32> {
        // SAFETY: each caller passes the memory that this opcode reads or writes, alive across the call.
        match unsafe { libc::syscall(libc::SYS_io_uring_register, self.fd.as_raw_fd(), what, argument, n) } {
            res if res < 0 => Err(io::Error::last_os_error()),
            res => Ok(res as i32),
        }
    }

    /// Registers the ring's own descriptor, which makes each `enter` cheaper.
    ///
    /// # Errors
    /// EINVAL before Linux 5.18.
    pub fn register_ring(&mut self) -> io::Result<()> {
        #[repr(C)]
        struct Update {
            offset: u32,
            resv: u32,
            data: u64,
        }
        let mut update = Update { offset: u32::MAX, resv: 0, data: self.fd.as_raw_fd() as u64 };
        self.register(REGISTER_RING_FDS, (&raw mut update).cast_const().cast(), 1)?;
        self.enter_fd = update.offset as i32;
        self.enter_flags = ENTER_REGISTERED_RING;
        Ok(())
    }

    /// Registers a table of files; -1 marks an empty entry.
    ///
    /// # Errors
    /// errno of io_uring_register(2).
    pub fn register_files(&self, files: &[RawFd]) -> io::Result<()> {
        self.register(REGISTER_FILES, files.as_ptr().cast(), files.len() as u32).map(drop)
    }

    /// Unregisters the table of files, and waits until the kernel has released all of them. No request may be in
    /// flight. Without this call, a kernel worker releases the files after the ring is closed, and their file system
    /// stays busy for about 50 ms.
    ///
    /// # Errors
    /// errno of io_uring_register(2).
    pub fn unregister_files(&self) -> io::Result<()> {
        loop {
            match self.register(UNREGISTER_FILES, std::ptr::null(), 0) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => return other.map(drop),
            }
        }
    }

    /// Replaces entry `index` of the table of files by `file`.
    ///
    /// # Errors
    /// errno of io_uring_register(2).
    pub fn update_file(&self, index: u32, file: RawFd) -> io::Result<()> {
        #[repr(C)]
        struct Update {
            offset: u32,
            resv: u32,
            fds: u64,
        }
        let update = Update { offset: index, resv: 0, fds: (&raw const file) as u64 };
        self.register(REGISTER_FILES_UPDATE, (&raw const update).cast(), 1).map(drop)
    }

    /// Registers `bytes` bytes at `base` as fixed buffers of `each` bytes, numbered from 0.
    ///
    /// # Errors
    /// errno of io_uring_register(2), ENOMEM beyond RLIMIT_MEMLOCK.
    ///
    /// # Safety
    /// The memory stays mapped as long as the ring lives.
    pub unsafe fn register_buffers(&self, base: *mut u8, bytes: usize, each: usize) -> io::Result<()> {
        let buffer =
            |at: usize| libc::iovec { iov_base: base.wrapping_add(at).cast(), iov_len: each.min(bytes - at) };
        let buffers: Vec<_> = (0..bytes).step_by(each.max(1)).map(buffer).collect();
        self.register(REGISTER_BUFFERS, buffers.as_ptr().cast(), buffers.len() as u32).map(drop)
    }

    /// Limits the number of kernel workers, bounded and unbounded, to `n` each.
    ///
    /// # Errors
    /// EINVAL before Linux 5.15.
    pub fn limit_workers(&self, n: u32) -> io::Result<()> {
        let mut limits = [n, n];
        self.register(REGISTER_IOWQ_MAX_WORKERS, limits.as_mut_ptr().cast_const().cast(), 2).map(drop)
    }

    /// Adds a request to the submission queue.
    ///
    /// # Safety
    /// The queue has a free entry (at most `entries` requests are queued and not submitted), and the memory that the
    /// request names stays valid and untouched until the request completes.
    #[inline(always)]
    pub unsafe fn push(&mut self, request: Sqe) {
        // SAFETY: the masked index lies in the mapping; the kernel reads the entry only after the tail moved past it.
        unsafe {
            self.sqes
                .add(((self.sq_tail & self.sq_mask) as usize) << u32::from(WIDE))
                .cast::<Sqe>()
                .write(request)
        };
        self.sq_tail = self.sq_tail.wrapping_add(1);
    }

    /// Submits up to `submit` queued requests. If `wait` > 0 or `run` is set, also processes due completions and
    /// waits for `wait` of them. Returns the number of submitted requests.
    ///
    /// # Errors
    /// errno of io_uring_enter(2).
    #[inline(always)]
    pub fn enter(&mut self, submit: u32, wait: u32, run: bool) -> Result<u32, i32> {
        // SAFETY: the tail lies in the ring's mapping. Release: the entries are written before it moves.
        unsafe { self.sq_tail_shared.as_ref() }.store(self.sq_tail, Ordering::Release);
        let flags = if run { self.enter_flags | ENTER_GETEVENTS } else { self.enter_flags };
        let arguments = [self.enter_fd as usize, submit as usize, wait as usize, flags as usize, 0, 0];
        // SAFETY: no signal mask or argument is passed; the callers of `push` guaranteed the requests.
        let res = unsafe { crate::raw::syscall(libc::SYS_io_uring_enter, arguments) };
        if res < 0 { Err(-res as i32) } else { Ok(res as u32) }
    }

    /// Submits up to `submit` queued requests, processes due completions and waits for one of them, for `nanos`
    /// nanoseconds at most. Returns the number of submitted requests.
    ///
    /// # Errors
    /// ETIME when the time is over; otherwise errno of io_uring_enter(2).
    pub fn enter_within(&mut self, submit: u32, nanos: u64) -> Result<u32, i32> {
        let time = libc::timespec {
            tv_sec: (nanos / 1_000_000_000) as _,
            tv_nsec: (nanos % 1_000_000_000) as libc::c_long,
        };
        let wait = Wait { sigmask: 0, sigmask_bytes: 0, pad: 0, time: (&raw const time) as u64 };
        // SAFETY: the tail lies in the ring's mapping. Release: the entries are written before it moves.
        unsafe { self.sq_tail_shared.as_ref() }.store(self.sq_tail, Ordering::Release);
        let flags = self.enter_flags | ENTER_GETEVENTS | ENTER_EXT_ARG;
        let arguments = [
            self.enter_fd as usize,
            submit as usize,
            1,
            flags as usize,
            (&raw const wait) as usize,
            size_of::<Wait>(),
        ];
        // SAFETY: the kernel reads `wait` and `time`, which live across the call; the callers of `push` guaranteed
        // the requests.
        let res = unsafe { crate::raw::syscall(libc::SYS_io_uring_enter, arguments) };
        if res < 0 { Err(-res as i32) } else { Ok(res as u32) }
    }

    /// With SETUP_SQPOLL: publishes the queued requests to the kernel thread and wakes the thread if it sleeps.
    ///
    /// # Errors
    /// errno of io_uring_enter(2).
    pub fn publish(&mut self) -> Result<(), i32> {
        // SAFETY: tail and flags lie in the ring's mapping. Release: the entries are written before the tail moves.
        let (tail, flags) = unsafe { (self.sq_tail_shared.as_ref(), self.sq_flags_shared.as_ref()) };
        tail.store(self.sq_tail, Ordering::Release);
        // The kernel thread sets its flag and then reads the tail a last time; this thread writes the tail and then
        // reads the flag.
        fence(Ordering::SeqCst);
        if flags.load(Ordering::Relaxed) & SQ_NEED_WAKEUP == 0 {
            return Ok(());
        }
        let flags = self.enter_flags | ENTER_SQ_WAKEUP;
        // SAFETY: no signal mask or argument is passed; the callers of `push` guaranteed the requests.
        let res = unsafe {
            crate::raw::syscall(
                libc::SYS_io_uring_enter,
                [self.enter_fd as usize, 0, 0, flags as usize, 0, 0],
            )
        };
        if res < 0 { Err(-res as i32) } else { Ok(()) }
    }

    /// Returns the number of completions in the completion queue that were not reaped yet.
    #[inline(always)]
    pub fn ready(&self) -> u32 {
        // SAFETY: the tail lies in the ring's mapping. Acquire: the entries are read after it.
        unsafe { self.cq_tail_shared.as_ref() }.load(Ordering::Acquire).wrapping_sub(self.cq_head)
    }

    /// Returns the completion at index `nth` of those in the queue; `nth` is below [`Ring::ready`].
    #[inline(always)]
    pub fn answer(&self, nth: u32) -> Cqe {
        // SAFETY: the masked index lies in the mapping; the kernel does not touch entries before the head moves.
        unsafe {
            self.cqes
                .add(((self.cq_head.wrapping_add(nth) & self.cq_mask) as usize) << u32::from(WIDE))
                .read()
        }
    }

    /// Returns the first number that the driver put behind the completion at index `nth`, in entries of twice the size;
    /// 0 in others.
    #[inline(always)]
    pub fn result(&self, nth: u32) -> u64 {
        if !WIDE {
            return 0;
        }
        let at = ((self.cq_head.wrapping_add(nth) & self.cq_mask) as usize) << 1;
        // SAFETY: as in `answer`; the second half of a wide entry begins with this number, and is aligned as the first.
        unsafe { self.cqes.add(at + 1).cast::<u64>().read() }
    }

    /// Frees the entries of the first `n` completions.
    #[inline(always)]
    pub fn advance(&mut self, n: u32) {
        self.cq_head = self.cq_head.wrapping_add(n);
        // SAFETY: the head lies in the ring's mapping. Release: the entries were read before it moves.
        unsafe { self.cq_head_shared.as_ref() }.store(self.cq_head, Ordering::Release);
    }
}
