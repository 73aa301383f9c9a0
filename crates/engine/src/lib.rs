//! Engines: how an operation gets to a device and back. An engine knows neither options nor jobs; it owns its
//! clock, and an operation names a slot of the arena, never a pointer.

pub mod aio;
pub mod arena;
pub mod clock;
pub mod memory;
pub mod meta;
pub mod mmap;
pub mod model;
pub mod noise;
pub mod null;
pub mod pipe;
pub mod priority;
pub mod shared;
pub mod space;
pub mod sync;
pub mod uring;
pub mod vector;

pub use arena::{Arena, Blocks};
pub use clock::{Clock, MachineClock, ModelClock, Ticks};
pub use libc::{RWF_DONTCACHE, RWF_HIPRI, RWF_NOWAIT};
pub use shared::SharedBlocks;

use std::os::fd::RawFd;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Read into the slot's block.
    Read = 0,
    /// Write the slot's block.
    Write = 1,
    /// Discard.
    Trim = 2,
    /// fsync of the file.
    Fsync = 3,
    /// fdatasync of the file.
    Fdatasync = 4,
    /// sync_file_range of a part of the file ([`Op::sync_range`]).
    SyncRange = 5,
}

/// One operation.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// Byte offset in the file.
    pub offset: u64,
    /// Bytes in all.
    pub len: u32,
    /// Bytes already moved by earlier, short attempts.
    pub done: u32,
    /// Index of the file in the engine's table.
    pub file: u32,
    /// Slot of the arena.
    pub slot: u16,
    /// What to do.
    pub kind: Kind,
}

impl Op {
    /// A placeholder for tables.
    pub const NONE: Op = Op { offset: 0, len: 0, done: 0, file: 0, slot: 0, kind: Kind::Read };

    /// Lowest bit of the flags of a sync_file_range, which share the 64 bits of its offset: no offset reaches bit 60.
    const FLAGS_AT: u32 = 60;

    /// sync_file_range with these flags (SYNC_FILE_RANGE_*) from the lowest to the highest byte of `range`, or to the end of
    /// the file where it is too long for a number of 32 bits. Without a range nothing is done.
    pub fn sync_range(file: u32, range: Option<(u64, u64)>, flags: u8) -> Op {
        let (from, to) = range.unwrap_or_default();
        let flags = if range.is_some() { u64::from(flags) } else { 0 };
        // It moves nothing: what is left of it to move is 0 also when it is made.
        let len = u32::try_from(to - from).unwrap_or(0);
        Op { offset: from | flags << Self::FLAGS_AT, len, done: len, file, slot: 0, kind: Kind::SyncRange }
    }

    /// First byte, number of bytes (0 = to the end of the file) and flags of a sync_file_range; no flags, no call.
    pub fn range(&self) -> (u64, u32, u32) {
        let offset = self.offset & ((1 << Self::FLAGS_AT) - 1);
        (offset, self.len, (self.offset >> Self::FLAGS_AT) as u32)
    }
}

/// An answered operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Completion {
    /// The operation's slot.
    pub slot: u16,
    /// Bytes moved, or -errno.
    pub res: i32,
}

/// Stands for the bytes moved by an operation that completed without using the device. The I/O is counted, its latency is
/// not recorded.
pub const UNTIMED: i32 = i32::MIN;

/// The ring is unusable: nothing more can be submitted or reaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {}", std::io::Error::from_raw_os_error(*.errno))]
pub struct RingDead {
    /// The call that failed.
    pub call: &'static str,
    /// Its errno.
    pub errno: i32,
}

/// A way to do I/O, for one worker thread.
pub trait Engine {
    /// Its clock.
    type Clock: Clock;
    /// A synchronous engine has done the I/O when `submit` returns: there is no slat, and two clock reads do.
    const SYNC: bool;
    /// A trim is done when `queue` returns, whatever becomes of the other operations; it is reaped first.
    const TRIMS_IN_CALL: bool = true;
    /// A sync is done when `submit` returns, after whatever was queued with it was handed to the kernel: the loop submits
    /// it alone, so that no other operation's latency begins when the sync ends.
    const SYNCS_IN_CALL: bool = false;

    /// Its clock.
    fn clock(&self) -> Self::Clock;
    /// Puts the descriptor of file `index` into the engine's table (-1 takes it out). Cold.
    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead>;
    /// Queues operations; their slots' blocks belong to the engine until reaped. Never more than the depth in all.
    fn queue(&mut self, ops: &[Op]);
    /// Hands what is queued to the kernel. An operation that the kernel refuses becomes a completion with -errno.
    fn submit(&mut self) -> Result<(), RingDead>;
    /// Completions that are there: at least `min` (waiting for them), at most `out.len()`. Returns early with fewer
    /// when a signal interrupts the wait.
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead>;
    /// As [`Engine::reap`] with a least of one, but waits for so many nanoseconds at most. An engine whose operations are
    /// done when they are submitted has nothing to wait for.
    fn reap_within(&mut self, _nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        self.reap(1, out)
    }
    /// The number of the I/O priority of what flies in `slot`; 0 = the thread's own.
    fn priority(&self, _slot: u16) -> u8 {
        0
    }
    /// How many operations were complete already when their `submit` returned (0 where that cannot be determined).
    fn done_in_submit(&self) -> u64 {
        0
    }
    /// Fallbacks that were taken when the engine was set up.
    fn notes(&self) -> &[stats::note::NoteFact] {
        &[]
    }
}

/// errno of the system call that just failed on this thread.
#[inline(always)]
pub(crate) fn last_errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}
