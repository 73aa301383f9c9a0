//! io_uring with registered files, the arena as one registered buffer, and deferred task work.

pub use crate::ring::{UringFeatures, UringOptions};

use crate::priority::Priorities;
use crate::ring::CountedRing;
use crate::sync::other;
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use stats::note::NoteFact;
use std::io;
use std::os::fd::RawFd;
use sys::uring::{self, Sqe, op};

/// The ring of one worker, created, used and dropped on the worker's own thread (SINGLE_ISSUER). `EXTRAS` is the copy
/// for jobs that use any of [`UringFeatures`].
pub struct Uring<const EXTRAS: bool> {
    // Dropped first: closing the ring cancels the requests in flight before the arena is freed.
    requests: CountedRing<false>,
    clock: MachineClock,
    blocks: Blocks,
    files: Vec<RawFd>,
    /// Number of completions found without waiting.
    early: u64,
    notes: Vec<NoteFact>,
    /// Vectors by slot, with `vectored`; boxed, because requests hold their addresses.
    vectors: Box<[libc::iovec]>,
    /// Completions of trims, which are done in the call.
    trimmed: Vec<Completion>,
    priorities: Option<Priorities>,
}

impl<const EXTRAS: bool> Uring<EXTRAS> {
    /// Returns a ring for at most `depth` operations in flight on `files` files.
    ///
    /// # Errors
    /// errno of io_uring_setup(2) or mmap(2).
    pub fn new(blocks: Blocks, depth: usize, files: usize, options: UringOptions) -> io::Result<Self> {
        let mut notes = Vec::new();
        let features = options.features;
        let requests = CountedRing::new(&blocks, depth, files, options, &mut notes)?;
        let clock = MachineClock::best();
        Ok(Self {
            requests,
            clock,
            blocks,
            files: vec![-1; files],
            early: 0,
            notes,
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
            flags: if self.requests.fixed_files { uring::FIXED_FILE } else { 0 },
            fd: if self.requests.fixed_files { o.file as i32 } else { self.files[o.file as usize] },
            user_data: u64::from(o.slot),
            ..Sqe::default()
        };
        if matches!(o.kind, Kind::Read | Kind::Write) {
            // READ_FIXED and WRITE_FIXED, READ and WRITE are neighbours.
            let first = if self.requests.fixed_buffers { op::READ_FIXED } else { op::READ };
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
        let features = self.requests.features;
        request.op_flags = features.rw_flags | if o.kind == Kind::Write { features.write_flags } else { 0 };
        request.ioprio = self.priorities.as_mut().and_then(|p| p.draw(o)).unwrap_or(0);
        if let Some(vector) = self.vectors.get_mut(usize::from(o.slot)) {
            vector.iov_base = request.addr as *mut libc::c_void;
            vector.iov_len = request.len as usize;
            request.opcode = op::READV + o.kind as u8;
            (request.addr, request.len) = (&raw const *vector as u64, 1);
        }
        self.requests.force_async(request);
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
        let n = (self.requests.ring.ready() as usize).min(out.len());
        for (nth, completion) in out[..n].iter_mut().enumerate() {
            let answer = self.requests.ring.answer(nth as u32);
            *completion = Completion { slot: answer.user_data as u16, res: answer.res };
        }
        self.requests.ring.advance(n as u32);
        self.requests.in_kernel -= n;
        n
    }

    /// Returns completed trims; completions of the kernel follow in the next call.
    #[cold]
    fn hand_out(&mut self, out: &mut [Completion]) -> usize {
        crate::hand_out(&mut self.trimmed, out)
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
        self.requests.register(index, fd)
    }

    fn priority(&self, slot: u16) -> u8 {
        self.priorities.as_ref().map_or(0, |p| p.number(slot))
    }

    #[inline(always)]
    fn queue(&mut self, ops: &[Op]) {
        self.requests.unsubmitted += ops.len();
        for o in ops {
            if EXTRAS && o.kind == Kind::Trim {
                self.requests.unsubmitted -= 1;
                let res = other(self.files[o.file as usize], o);
                self.trimmed.push(Completion { slot: o.slot, res });
                continue;
            }
            let request = self.request(o);
            // SAFETY: the request points into the arena (or to its slot's boxed vector), which outlives the ring, at a
            // slot that is ours until reaped; the worker never has more than `depth` <= entries in flight, so the
            // queue cannot be full.
            unsafe { self.requests.ring.push(request) };
        }
    }

    #[inline(always)]
    fn submit(&mut self) -> Result<(), RingDead> {
        if EXTRAS && self.requests.features.thread { self.requests.publish() } else { self.requests.submit() }
    }

    #[inline(always)]
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        if EXTRAS && !self.trimmed.is_empty() {
            return Ok(self.hand_out(out));
        }
        let n = self.drain(out);
        let thread = EXTRAS && self.requests.features.thread;
        if !thread {
            // Completions are processed only in `enter`: a completion that is already here was completed by the last
            // submission itself.
            self.early += n as u64;
        }
        if n >= min.max(1) || n == out.len() || self.requests.in_kernel + self.requests.unsubmitted == 0 {
            return Ok(n);
        }
        if thread && min == 0 {
            return Ok(n);
        }
        self.requests.wait(min - n.min(min))?;
        Ok(n + self.drain(&mut out[n..]))
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.reap(0, out)?;
        // With IOPOLL, completions are polled for and not waited for.
        if n > 0
            || nanos == 0
            || EXTRAS && self.requests.features.polled
            || self.requests.in_kernel + self.requests.unsubmitted == 0
        {
            return Ok(n);
        }
        self.requests.wait_within(nanos)?;
        Ok(self.drain(out))
    }

    fn done_in_submit(&self) -> u64 {
        self.early
    }

    fn notes(&self) -> &[NoteFact] {
        &self.notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arena;

    /// Writes alone have the flags of writes, and reads those of both.
    #[test]
    fn flags_of_writes_are_those_of_write_requests_alone() {
        let arena = Arena::new(1, 4096).unwrap();
        let features = UringFeatures {
            rw_flags: crate::RWF_NOWAIT as u32,
            write_flags: crate::RWF_ATOMIC as u32,
            ..UringFeatures::default()
        };
        let options = UringOptions { fixed_buffers: false, fixed_files: false, features };
        // Some containers have no io_uring.
        let Ok(mut ring) = Uring::<true>::new(arena.blocks(), 1, 1, options) else { return };
        let mut flags = |kind| ring.request(&Op { len: 4096, kind, ..Op::NONE }).op_flags;
        assert_eq!([flags(Kind::Read), flags(Kind::Write), flags(Kind::Fsync)], [8, 0x48, 0]);
    }
}
