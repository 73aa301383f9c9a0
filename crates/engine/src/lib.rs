//! Engines: submission and completion of operations. An engine depends on neither options nor jobs; it owns its
//! clock, and an operation names a slot of the arena, never a pointer.

pub mod aio;
pub mod arena;
pub mod clock;
pub mod defrag;
pub mod memory;
pub mod meta;
pub mod mmap;
pub mod model;
pub mod mtd;
pub mod net;
pub mod noise;
pub mod null;
pub mod nvme;
pub mod pipe;
pub mod priority;
pub mod remote;
pub mod reservation;
mod ring;
pub mod sg;
pub mod shared;
pub mod space;
pub mod sync;
pub mod uring;
pub mod vector;

pub use arena::{Arena, Blocks};
pub use clock::{Clock, MachineClock, ModelClock, Ticks};
pub use libc::{RWF_DONTCACHE, RWF_HIPRI, RWF_NOWAIT};

/// Flag of a write that is all done or not at all after a loss of power (linux/fs.h).
pub const RWF_ATOMIC: i32 = 0x40;
pub use shared::SharedBlocks;

use std::os::fd::RawFd;

/// Kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Reads into the slot's block.
    Read = 0,
    /// Writes the slot's block.
    Write = 1,
    /// Discards a range.
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
    /// Length of the operation in bytes.
    pub len: u32,
    /// Bytes transferred by earlier attempts that were short.
    pub done: u32,
    /// Index of the file in the engine's table.
    pub file: u32,
    /// Slot of the arena whose block the operation uses.
    pub slot: u16,
    /// Kind of the operation.
    pub kind: Kind,
}

impl Op {
    /// An empty read, as a placeholder in tables.
    pub const NONE: Op = Op { offset: 0, len: 0, done: 0, file: 0, slot: 0, kind: Kind::Read };

    /// Number of the lowest bit of the flags of a sync_file_range, which share the 64 bits of its offset: no offset
    /// reaches bit 60.
    const FLAGS_AT: u32 = 60;

    /// Returns a sync_file_range with these flags (SYNC_FILE_RANGE_*) from the lowest to the highest byte of `range`,
    /// or to the end of the file if the range needs more than 32 bits; without a range it does nothing.
    pub fn sync_range(file: u32, range: Option<(u64, u64)>, flags: u8) -> Op {
        let (from, to) = range.unwrap_or_default();
        let flags = if range.is_some() { u64::from(flags) } else { 0 };
        // The operation transfers no data: `done` equals `len`, so that nothing is left to transfer.
        let len = u32::try_from(to - from).unwrap_or(0);
        Op { offset: from | flags << Self::FLAGS_AT, len, done: len, file, slot: 0, kind: Kind::SyncRange }
    }

    /// Returns the first byte, the number of bytes (0 = to the end of the file) and the flags of a sync_file_range.
    /// Without flags, no call is made.
    pub fn range(&self) -> (u64, u32, u32) {
        let offset = self.offset & ((1 << Self::FLAGS_AT) - 1);
        (offset, self.len, (self.offset >> Self::FLAGS_AT) as u32)
    }
}

/// Completion of an operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Completion {
    /// Slot of the operation.
    pub slot: u16,
    /// Bytes transferred, or -errno.
    pub res: i32,
}

/// Value of [`Completion::res`] for an operation that completed without using the device: the I/O is counted, and its
/// latency is not recorded.
pub const UNTIMED: i32 = i32::MIN;

/// Value of [`Completion::res`] for a read whose source has ended, as a peer that closes its connection: the job ends
/// without an error.
pub const END_OF_DATA: i32 = i32::MIN + 1;

/// Error of an engine after which no operation can be submitted or reaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {}", std::io::Error::from_raw_os_error(*.errno))]
pub struct RingDead {
    /// Name of the system call that failed.
    pub call: &'static str,
    /// errno of the call.
    pub errno: i32,
}

/// An I/O engine of one worker thread.
pub trait Engine {
    /// Clock of the engine.
    type Clock: Clock;
    /// Whether I/Os are complete when `submit` returns. If so, slat does not exist, and two clock reads are enough.
    const SYNC: bool;
    /// Whether a trim is complete when `queue` returns; it is reaped before the other operations.
    const TRIMS_IN_CALL: bool = true;
    /// Whether a sync is complete when `submit` returns. The loop submits it alone then, so that the latency of no
    /// other operation begins at the end of the sync.
    const SYNCS_IN_CALL: bool = false;
    /// Whether the engine hands each operation over within `submit`, so that the first of a batch may complete before the
    /// last is handed over. The loop submits each alone then, so that the latency (clat) of none begins at its end.
    const HANDS_OVER_ONE_BY_ONE: bool = false;

    /// Returns the clock of the engine.
    fn clock(&self) -> Self::Clock;
    /// Sets the descriptor of file `index` in the engine's table; -1 removes the file. Not called per I/O. Engines without
    /// descriptors have no table.
    ///
    /// # Errors
    /// The kernel refuses the change of the table.
    fn set_file(&mut self, _index: usize, _fd: RawFd) -> Result<(), RingDead> {
        Ok(())
    }
    /// Connects to the peer of an engine that has one; `waits` is called before a wait for a peer. Returns false if
    /// `stopped` returned true first. Called once, at the start of the job.
    ///
    /// # Errors
    /// The call that failed, and its errno.
    fn connect(&mut self, _waits: &dyn Fn(), _stopped: &dyn Fn() -> bool) -> Result<bool, RingDead> {
        Ok(true)
    }
    /// Queues operations, at most the depth in all; the blocks of their slots belong to the engine until they are
    /// reaped.
    fn queue(&mut self, ops: &[Op]);
    /// Submits the queued operations to the kernel. An operation that the kernel refuses becomes a completion with
    /// -errno.
    ///
    /// # Errors
    /// The kernel accepts no operations any more.
    fn submit(&mut self) -> Result<(), RingDead>;
    /// Waits for `min` completions and returns the number of filled entries of `out`; fewer than `min` if a signal
    /// interrupts the wait.
    ///
    /// # Errors
    /// The kernel cannot deliver completions any more.
    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead>;
    /// Waits for one completion, for `nanos` nanoseconds at most, and returns the number of filled entries of `out`.
    /// Engines whose operations are complete when they are submitted do not wait.
    ///
    /// # Errors
    /// The kernel cannot deliver completions any more.
    fn reap_within(&mut self, _nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        self.reap(1, out)
    }
    /// Resets (`finish` = false) or finishes the zone that begins at byte `offset` of file `file`. Engines on kernel
    /// devices do nothing: their zones are managed by ioctls.
    fn manage_zone(&mut self, _file: u32, _offset: u64, _finish: bool) {}
    /// Returns the write pointer of the zone that begins at byte `offset` of file `file`, as the engine's own device has
    /// it; `None` if a kernel device has to be asked.
    fn write_pointer(&self, _file: u32, _offset: u64) -> Option<u64> {
        None
    }
    /// Returns the offset in bytes at which the write that was reaped last in `slot` was written, if the device chose it
    /// (Zone Append).
    fn appended_at(&self, _slot: u16) -> Option<u64> {
        None
    }
    /// Sets the identifier of the next write in `slot` for its directive. Engines without directives do nothing.
    fn set_directive(&mut self, _slot: u16, _id: u16) {}
    /// Sets the ranges of the next trim in `slot`, offset and length in bytes each; the trim itself has the offset of the
    /// first range and the length of all. Engines whose trims have one range do nothing.
    fn set_trim_ranges(&mut self, _slot: u16, _ranges: &[(u64, u32)]) {}
    /// Returns the index of the I/O priority of the operation in `slot`; 0 = the priority of the thread.
    fn priority(&self, _slot: u16) -> u8 {
        0
    }
    /// Returns the result of the SCSI command that failed last in `slot`; `None` if the engine sent none, or it did not
    /// fail.
    fn scsi_status(&self, _slot: u16) -> Option<stats::scsi::ScsiStatus> {
        None
    }
    /// Returns the error of the server or of its library that failed an operation last; `None` if none failed, or the
    /// engine has no server.
    fn remote_error(&self) -> Option<&remote::RemoteError> {
        None
    }
    /// Returns the number of operations that were complete when their `submit` returned; 0 if this number cannot be
    /// determined.
    fn done_in_submit(&self) -> u64 {
        0
    }
    /// Returns notes about features that were not available when the engine was set up.
    fn notes(&self) -> &[stats::note::NoteFact] {
        &[]
    }
}

/// Moves the oldest completions to `out`, as many as it has room for, and returns their number.
pub(crate) fn hand_out(completed: &mut Vec<Completion>, out: &mut [Completion]) -> usize {
    let n = completed.len().min(out.len());
    out[..n].copy_from_slice(&completed[..n]);
    completed.drain(..n);
    n
}

/// Returns the errno of the last failed system call of this thread.
#[inline(always)]
pub(crate) fn last_errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}
