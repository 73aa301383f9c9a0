//! Kernel AIO: five system calls and two structures, no C library.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// `struct iocb` of linux/aio_abi.h (little-endian layout).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Iocb {
    pub data: u64,
    pub key: u32,
    pub rw_flags: u32,
    pub opcode: u16,
    pub reqprio: i16,
    pub fildes: u32,
    pub buf: u64,
    pub nbytes: u64,
    pub offset: i64,
    pub reserved2: u64,
    pub flags: u32,
    pub resfd: u32,
}

/// `struct io_event`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct IoEvent {
    pub data: u64,
    pub obj: u64,
    pub res: i64,
    pub res2: i64,
}

/// IOCB_CMD_PREAD.
pub const PREAD: u16 = 0;
/// IOCB_CMD_PWRITE.
pub const PWRITE: u16 = 1;
/// IOCB_CMD_PREADV: `buf` leads to `nbytes` vectors.
pub const PREADV: u16 = 7;
/// IOCB_CMD_PWRITEV.
pub const PWRITEV: u16 = 8;

/// IOCB_FLAG_IOPRIO: `reqprio` holds a priority.
pub const FLAG_PRIORITY: u32 = 1 << 1;

/// `struct aio_ring`, which the kernel maps at the address that is the context's id; the events follow it.
#[repr(C)]
struct EventRing {
    id: u32,
    nr: u32,
    head: AtomicU32,
    tail: AtomicU32,
    magic: u32,
    compat_features: u32,
    incompat_features: u32,
    header_length: u32,
}

/// Value of `magic` in a ring of the known layout.
const RING_MAGIC: u32 = 0xa10a_10a1;

/// An AIO context, destroyed when dropped.
#[derive(Debug)]
pub struct Context(libc::c_ulong);

impl Context {
    /// Calls io_setup for `depth` requests. Errors: EAGAIN if /proc/sys/fs/aio-max-nr is exhausted.
    pub fn new(depth: u32) -> io::Result<Self> {
        let mut id: libc::c_ulong = 0;
        // SAFETY: the kernel writes the new context's id into `id`, which lives across the call.
        match unsafe { libc::syscall(libc::SYS_io_setup, libc::c_ulong::from(depth), &mut id) } {
            0 => Ok(Self(id)),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Sets up a context and submits nothing, to check whether this process may use kernel AIO.
    ///
    /// # Errors
    /// The error of io_setup or io_submit.
    pub fn probe() -> io::Result<()> {
        // SAFETY: no request is passed.
        let submitted = unsafe { Context::new(1)?.submit(&[]) };
        submitted.map(drop).map_err(io::Error::from_raw_os_error)
    }

    /// Calls io_submit. Returns how many of the first `requests` the kernel accepted, or the errno of the first.
    ///
    /// # Safety
    /// Every pointer leads to an [`Iocb`] whose buffer stays valid, and is not touched, until the request's event
    /// was reaped or the context is destroyed.
    #[inline(always)]
    pub unsafe fn submit(&self, requests: &[*const Iocb]) -> Result<usize, i32> {
        let arguments = [self.0 as usize, requests.len(), requests.as_ptr() as usize, 0, 0, 0];
        // SAFETY: the caller vouches for the requests; the slice's length is given.
        let taken = unsafe { crate::raw::syscall(libc::SYS_io_submit, arguments) };
        if taken < 0 { Err(-taken as i32) } else { Ok(taken as usize) }
    }

    /// Calls io_getevents: waits for `min` events and returns how many of `events` were filled.
    #[inline(always)]
    pub fn events(&self, min: usize, events: &mut [IoEvent]) -> Result<usize, i32> {
        let arguments = [self.0 as usize, min, events.len(), events.as_mut_ptr() as usize, 0, 0];
        // SAFETY: the kernel writes at most `events.len()` events into the slice; no timeout is given.
        let got = unsafe { crate::raw::syscall(libc::SYS_io_getevents, arguments) };
        if got < 0 { Err(-got as i32) } else { Ok(got as usize) }
    }

    /// Waits for at least one event, for `nanos` nanoseconds at most; returns how many of `events` were filled.
    pub fn events_within(&self, nanos: u64, events: &mut [IoEvent]) -> Result<usize, i32> {
        let time = libc::timespec {
            tv_sec: (nanos / 1_000_000_000) as _,
            tv_nsec: (nanos % 1_000_000_000) as libc::c_long,
        };
        let arguments =
            [self.0 as usize, 1, events.len(), events.as_mut_ptr() as usize, (&raw const time) as usize, 0];
        // SAFETY: the kernel writes at most `events.len()` events into the slice and reads `time`, which lives across
        // the call.
        let got = unsafe { crate::raw::syscall(libc::SYS_io_getevents, arguments) };
        if got < 0 { Err(-got as i32) } else { Ok(got as usize) }
    }

    /// Takes completed events from the ring without a system call. Returns how many of `events` were filled, or `None` if the
    /// layout of the ring is unknown.
    pub fn ready(&self, events: &mut [IoEvent]) -> Option<usize> {
        // SAFETY: the id of a context is the address of its ring, mapped as long as the context lives, and the kernel
        // changes head and tail only, which are atomic here.
        let ring = unsafe { &*(self.0 as *const EventRing) };
        if ring.magic != RING_MAGIC || ring.incompat_features != 0 || ring.nr == 0 {
            return None;
        }
        let (mut head, mut n) = (ring.head.load(Ordering::Relaxed), 0);
        // Acquire: the events were written before the tail moved.
        let tail = ring.tail.load(Ordering::Acquire);
        while head != tail && n < events.len() {
            let first = self.0 as usize + ring.header_length as usize;
            let event = (first + head as usize * size_of::<IoEvent>()) as *const IoEvent;
            // SAFETY: `head` is below `nr`, so the event lies in the ring; the kernel does not touch events between
            // head and tail.
            events[n] = unsafe { event.read() };
            head = (head + 1) % ring.nr;
            n += 1;
        }
        // Release: the events were read before their places are given back. Nobody else reaps this context.
        ring.head.store(head, Ordering::Release);
        Some(n)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context was made in `new` and is destroyed once; the kernel waits for requests in flight.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.0) };
    }
}
