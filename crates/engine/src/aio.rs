//! `libaio`: kernel AIO by system calls, without the libaio library.

use crate::priority::Priorities;
use crate::sync::other;
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use std::io;
use std::os::fd::RawFd;
use sys::aio::{Context, IoEvent, Iocb};

/// Engine on kernel AIO, which is asynchronous only with O_DIRECT; fsync and trims are done in place, as fio does.
/// `EXTRAS` is the copy for jobs whose requests have priorities, vectors or flags of writes.
#[derive(Debug)]
pub struct Aio<const EXTRAS: bool> {
    // Dropped first: io_destroy waits for the requests in flight, after which their memory may be freed.
    context: Context,
    clock: MachineClock,
    blocks: Blocks,
    files: Vec<RawFd>,
    /// Requests by slot; boxed, because their addresses are passed to the kernel.
    requests: Box<[Iocb]>,
    queued: Vec<*const Iocb>,
    syncs: Vec<Op>,
    /// Completions of operations done in the call, or refused by the kernel.
    answered: Vec<Completion>,
    events: Box<[IoEvent]>,
    in_kernel: usize,
    options: AioOptions,
    parts: RequestParts,
}

/// Parts of requests that only some jobs use.
#[derive(Debug, Default)]
struct RequestParts {
    priorities: Option<Priorities>,
    /// One vector per slot if requests have vectors; boxed, because requests hold their addresses.
    vectors: Box<[libc::iovec]>,
    /// Additional `RWF_*` flags of writes.
    write_flags: u32,
}

/// Options of [`Aio`], taken from the job.
#[derive(Clone, Copy, Debug, Default)]
pub struct AioOptions {
    /// `RWF_*` flags of each read and write.
    pub rw_flags: u32,
    /// Additional `RWF_*` flags of each write; only with `EXTRAS`.
    pub write_flags: u32,
    /// Whether the shared ring is examined before the kernel is called.
    pub peek: bool,
    /// Whether requests have vectors of one part; only with `EXTRAS`.
    pub vectored: bool,
}

impl<const EXTRAS: bool> Aio<EXTRAS> {
    /// Returns the engine with a context for at most `depth` operations in flight.
    ///
    /// # Errors
    /// As [`Context::new`]: EAGAIN if the limit of AIO requests of the host is reached.
    pub fn new(blocks: Blocks, depth: usize, files: usize, options: AioOptions) -> io::Result<Self> {
        let none = libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };
        let vectors = vec![none; if options.vectored { depth } else { 0 }];
        Ok(Self {
            context: Context::new(depth.max(1) as u32)?,
            clock: MachineClock::best(),
            blocks,
            files: vec![-1; files],
            requests: vec![Iocb::default(); depth].into(),
            queued: Vec::with_capacity(depth),
            syncs: Vec::with_capacity(depth),
            answered: Vec::with_capacity(depth),
            events: vec![IoEvent::default(); depth].into(),
            in_kernel: 0,
            options,
            parts: RequestParts {
                priorities: None,
                vectors: vectors.into(),
                write_flags: options.write_flags,
            },
        })
    }

    /// Returns the engine with the I/O priorities of its operations; only with `EXTRAS`.
    pub fn prioritise(mut self, priorities: Option<Priorities>) -> Self {
        self.parts.priorities = priorities;
        self
    }

    #[cold]
    fn refuse(&mut self, slot: u16, errno: i32) {
        self.answered.push(Completion { slot, res: -errno });
    }

    #[cold]
    fn sync_in_place(&mut self) {
        for op in self.syncs.drain(..) {
            let res = other(self.files[op.file as usize], &op);
            self.answered.push(Completion { slot: op.slot, res });
        }
    }
}

impl RequestParts {
    #[inline(never)]
    fn add(&mut self, request: &mut Iocb, op: &Op) {
        if let Some(value) = self.priorities.as_mut().and_then(|p| p.draw(op)) {
            (request.reqprio, request.flags) = (value as i16, sys::aio::FLAG_PRIORITY);
        }
        if request.opcode == sys::aio::PWRITE {
            request.rw_flags |= self.write_flags;
        }
        if let Some(vector) = self.vectors.get_mut(usize::from(op.slot)) {
            *vector = libc::iovec { iov_base: request.buf as *mut _, iov_len: request.nbytes as usize };
            (request.buf, request.nbytes) = (std::ptr::from_ref(vector) as u64, 1);
            let write = request.opcode == sys::aio::PWRITE;
            request.opcode = if write { sys::aio::PWRITEV } else { sys::aio::PREADV };
        }
    }
}

impl<const EXTRAS: bool> Engine for Aio<EXTRAS> {
    type Clock = MachineClock;
    const SYNC: bool = false;
    const SYNCS_IN_CALL: bool = true;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.files[index] = fd;
        Ok(())
    }

    fn priority(&self, slot: u16) -> u8 {
        self.parts.priorities.as_ref().map_or(0, |p| p.number(slot))
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        // Copies in registers: the compiler cannot know that a request is not a part of `self`.
        let (blocks, rw_flags) = (self.blocks, self.options.rw_flags);
        let (files, requests) = (&self.files[..], &mut self.requests[..]);
        for op in ops {
            let opcode = match op.kind {
                Kind::Read => sys::aio::PREAD,
                Kind::Write => sys::aio::PWRITE,
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => {
                    self.syncs.push(*op);
                    continue;
                }
                Kind::Trim => {
                    let res = other(files[op.file as usize], op);
                    self.answered.push(Completion { slot: op.slot, res });
                    continue;
                }
            };
            let request = &mut requests[usize::from(op.slot)];
            *request = Iocb {
                data: u64::from(op.slot),
                rw_flags,
                opcode,
                fildes: files[op.file as usize] as u32,
                buf: blocks.address(op.slot, op.done) as u64,
                nbytes: u64::from(op.len - op.done),
                offset: (op.offset + u64::from(op.done)) as i64,
                ..Iocb::default()
            };
            if EXTRAS {
                self.parts.add(request, op);
            }
            self.queued.push(request);
        }
    }

    #[inline(always)]
    fn submit(&mut self) -> Result<(), RingDead> {
        let mut from = 0;
        while from < self.queued.len() {
            // SAFETY: the requests are boxed, their vectors too, and their blocks lie in the arena; all outlive the
            // context (field order here, and the engine goes before the arena in the worker). A slot is not queued
            // twice.
            match unsafe { self.context.submit(&self.queued[from..]) } {
                Ok(taken) => {
                    from += taken;
                    self.in_kernel += taken;
                }
                Err(libc::EINTR) => {}
                // The context is full for the moment: completions make room, and `reap` submits again.
                Err(libc::EAGAIN) if self.in_kernel > 0 => break,
                Err(errno) => {
                    // The kernel refused the first request.
                    // SAFETY: the pointer leads into `requests`, which is alive.
                    let slot = unsafe { (*self.queued[from]).data } as u16;
                    self.refuse(slot, errno);
                    from += 1;
                }
            }
        }
        if from == self.queued.len() {
            self.queued.clear()
        } else {
            drop(self.queued.drain(..from))
        }
        if !self.syncs.is_empty() {
            self.sync_in_place();
        }
        Ok(())
    }

    #[inline(always)]
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = 0;
        while n < out.len() && !self.answered.is_empty() {
            out[n] = self.answered.swap_remove(0);
            n += 1;
        }
        if self.in_kernel == 0 || n == out.len() {
            return Ok(n);
        }
        let room = (out.len() - n).min(self.events.len());
        let least = min.saturating_sub(n).min(self.in_kernel);
        let peeked = if self.options.peek { self.context.ready(&mut self.events[..room]) } else { None };
        let got = match peeked {
            Some(there) if there >= least => there,
            _ => {
                let there = peeked.unwrap_or(0);
                match self.context.events(least - there, &mut self.events[there..room]) {
                    Ok(got) => there + got,
                    Err(libc::EINTR) => there,
                    Err(errno) => return Err(RingDead { call: "io_getevents", errno }),
                }
            }
        };
        self.in_kernel -= got;
        for (completion, event) in out[n..].iter_mut().zip(&self.events[..got]) {
            *completion = Completion { slot: event.data as u16, res: event.res as i32 };
        }
        if !self.queued.is_empty() {
            self.submit()?;
        }
        Ok(n + got)
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.reap(0, out)?;
        if n > 0 || nanos == 0 || self.in_kernel == 0 {
            return Ok(n);
        }
        let room = out.len().min(self.events.len());
        let got = match self.context.events_within(nanos, &mut self.events[..room]) {
            Ok(got) => got,
            Err(libc::EINTR) => 0,
            Err(errno) => return Err(RingDead { call: "io_getevents", errno }),
        };
        self.in_kernel -= got;
        for (completion, event) in out.iter_mut().zip(&self.events[..got]) {
            *completion = Completion { slot: event.data as u16, res: event.res as i32 };
        }
        Ok(got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes alone have the flags of writes, also as vectors.
    #[test]
    fn flags_of_writes_are_those_of_write_requests_alone() {
        let flags = |kind: Kind, vectors: usize| {
            let none = libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };
            let mut parts = RequestParts {
                priorities: None,
                vectors: vec![none; vectors].into(),
                write_flags: crate::RWF_ATOMIC as u32,
            };
            let opcode = if kind == Kind::Write { sys::aio::PWRITE } else { sys::aio::PREAD };
            let rw_flags = crate::RWF_NOWAIT as u32;
            let mut request = Iocb { opcode, rw_flags, ..Iocb::default() };
            parts.add(&mut request, &Op { kind, ..Op::NONE });
            (request.rw_flags, request.opcode)
        };
        assert_eq!([flags(Kind::Read, 0), flags(Kind::Read, 1)], [(8, 0), (8, 7)]);
        assert_eq!([flags(Kind::Write, 0), flags(Kind::Write, 1)], [(0x48, 1), (0x48, 8)]);
    }
}
