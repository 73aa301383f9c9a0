//! Linux native AIO: five system calls and two structures, without libaio.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

/// A request: `struct iocb` of linux/aio_abi.h (little-endian layout).
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

/// A completion: `struct io_event` of linux/aio_abi.h.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct IoEvent {
    pub data: u64,
    pub obj: u64,
    pub res: i64,
    pub res2: i64,
}

/// IOCB_CMD_PREAD: read into one buffer.
pub const PREAD: u16 = 0;
/// IOCB_CMD_PWRITE: write from one buffer.
pub const PWRITE: u16 = 1;
/// IOCB_CMD_PREADV: read into `nbytes` buffers; `buf` is the address of their `iovec` array.
pub const PREADV: u16 = 7;
/// IOCB_CMD_PWRITEV: write from `nbytes` buffers; `buf` is the address of their `iovec` array.
pub const PWRITEV: u16 = 8;

/// IOCB_FLAG_IOPRIO: `reqprio` holds a priority.
pub const FLAG_PRIORITY: u32 = 1 << 1;

/// `struct aio_ring`, the header of the completion ring, which the kernel maps at the address that equals the
/// context's id. The events follow this header.
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

/// Value of `magic` in a ring with the layout of [`EventRing`].
const RING_MAGIC: u32 = 0xa10a_10a1;

/// An AIO context, destroyed when dropped.
#[derive(Debug)]
pub struct Context(libc::c_ulong);

impl Context {
    /// Creates a context for `depth` requests in flight (io_setup(2)).
    ///
    /// # Errors
    /// EAGAIN if the limit /proc/sys/fs/aio-max-nr is reached.
    pub fn new(depth: u32) -> io::Result<Self> {
        let mut id: libc::c_ulong = 0;
        // SAFETY: the kernel writes the new context's id into `id`, which lives across the call.
        match unsafe { libc::syscall(libc::SYS_io_setup, libc::c_ulong::from(depth), &mut id) } {
            0 => Ok(Self(id)),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Checks that this process may use kernel AIO: creates a context and submits nothing.
    ///
    /// # Errors
    /// errno of io_setup(2) or io_submit(2).
    pub fn probe() -> io::Result<()> {
        // SAFETY: no request is passed.
        let submitted = unsafe { Context::new(1)?.submit(&[]) };
        submitted.map(drop).map_err(io::Error::from_raw_os_error)
    }

    /// Submits `requests` (io_submit(2)) and returns the number of accepted requests, counted from the first.
    ///
    /// # Errors
    /// errno of the first request if the kernel accepted none.
    ///
    /// # Safety
    /// Every pointer is to an [`Iocb`] whose buffer stays valid and untouched until the event of the request is reaped or
    /// the context is destroyed.
    #[inline(always)]
    pub unsafe fn submit(&self, requests: &[*const Iocb]) -> Result<usize, i32> {
        let arguments = [self.0 as usize, requests.len(), requests.as_ptr() as usize, 0, 0, 0];
        // SAFETY: the caller guarantees the requests; the slice's length is passed.
        let taken = unsafe { crate::raw::syscall(libc::SYS_io_submit, arguments) };
        if taken < 0 { Err(-taken as i32) } else { Ok(taken as usize) }
    }

    /// Reaps completions (io_getevents(2)): waits for at least `min` and writes them to `events`. Returns their
    /// number.
    ///
    /// # Errors
    /// errno of io_getevents(2).
    #[inline(always)]
    pub fn events(&self, min: usize, events: &mut [IoEvent]) -> Result<usize, i32> {
        let arguments = [self.0 as usize, min, events.len(), events.as_mut_ptr() as usize, 0, 0];
        // SAFETY: the kernel writes at most `events.len()` events into the slice; no timeout is given.
        let got = unsafe { crate::raw::syscall(libc::SYS_io_getevents, arguments) };
        if got < 0 { Err(-got as i32) } else { Ok(got as usize) }
    }

    /// Reaps completions as [`Context::events`] with a minimum of one, but waits for `nanos` nanoseconds at most.
    /// Returns 0 if none completed in that time.
    ///
    /// # Errors
    /// errno of io_getevents(2).
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

    /// Reaps the completions that are in the ring, without a system call, and returns their number; `None` if the
    /// ring has an unknown layout.
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
        // Release: the events were read before their entries are freed. Only this function reaps the context here.
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
