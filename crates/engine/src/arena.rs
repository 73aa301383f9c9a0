//! The buffers of one worker: one mapping, one block per slot.
//!
//! This invariant is the basis of all unsafe code of the engines: the kernel may write the block of slot i between
//! `queue` and `reap` of that slot, and the arena outlives the ring. An [`crate::Op`] names a slot, never a pointer,
//! so that safe code cannot direct the kernel to other memory.

use crate::memory::{Failed, Mapping, Memory};
use crate::{Kind, Op};
use std::io;
use std::ptr::NonNull;

/// Buffers for `slots` blocks of at most `stride` bytes, page-aligned unless [`Memory::behind`] shifts the start.
#[derive(Debug)]
pub struct Arena {
    base: NonNull<u8>,
    bytes: usize,
    stride: usize,
    mapping: Mapping,
}

/// Addresses of the blocks; copied into engines, valid as long as the arena.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    base: *mut u8,
    stride: usize,
    bytes: usize,
}

// SAFETY: the mapping belongs to one worker; the arena moves to that worker's thread as a whole.
unsafe impl Send for Arena {}

impl Arena {
    /// Maps `slots` blocks of `block` bytes, each rounded up to whole pages. The pages are zero and not yet
    /// allocated.
    ///
    /// # Errors
    /// ENOMEM if memory is short or the size overflows.
    pub fn new(slots: usize, block: usize) -> io::Result<Self> {
        Self::of(slots, block, &Memory::default()).map_err(|(_, e)| e)
    }

    /// Maps `slots` blocks of `block` bytes in memory of the kind `memory`.
    ///
    /// # Errors
    /// The call that failed, with its error.
    pub fn of(slots: usize, block: usize, memory: &Memory) -> Result<Self, Failed> {
        let page = rustix::param::page_size();
        let too_large = || ("mmap", io::Error::from(io::ErrorKind::OutOfMemory));
        let stride = block.max(1).checked_next_multiple_of(page).ok_or_else(too_large)?;
        let bytes = stride.checked_mul(slots.max(1)).ok_or_else(too_large)?;
        // The page divides the step, for the words in a block are read as words.
        let step = step(page, memory.align.max(1)).ok_or_else(too_large)?;
        let behind = memory.behind.next_multiple_of(8);
        let more = (step - page).checked_add(behind).ok_or_else(too_large)?;
        let mapping = Mapping::new(bytes.checked_add(more).ok_or_else(too_large)?, memory)?;
        let ahead = mapping.base().addr().get().next_multiple_of(step) - mapping.base().addr().get();
        // SAFETY: a mapping begins at a page, so that `ahead` is at most `step - page`: `ahead` and `behind` together
        // are within the bytes mapped beyond `bytes`.
        let base = unsafe { mapping.base().add(ahead + behind) };
        Ok(Self { base, bytes, stride, mapping })
    }

    /// Returns the addresses of the blocks.
    pub fn blocks(&self) -> Blocks {
        Blocks { base: self.base.as_ptr(), stride: self.stride, bytes: self.bytes }
    }

    /// Returns the distance between two blocks in bytes.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Returns the first `len` bytes of a slot's block as words, without a last partial word, to be filled before the
    /// slot is queued. The caller owns the slot: it has taken it from the free list and not queued it yet.
    #[inline(always)]
    pub fn words(&mut self, slot: u16, len: usize) -> &mut [u64] {
        let at = usize::from(slot) * self.stride;
        assert!(len <= self.stride && at + self.stride <= self.bytes, "slot {slot} lies outside the arena");
        // SAFETY: in bounds by the assertion, aligned to eight bytes, initialised (zero pages); no one else refers to a
        // free slot's block: the kernel got its address only between queue and reap.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr().add(at).cast(), len / 8) }
    }

    /// Returns the first `len` bytes of a slot's block, to be filled before the slot is queued, as [`Arena::words`].
    pub fn bytes(&mut self, slot: u16, len: usize) -> &mut [u8] {
        let words = self.words(slot, len.next_multiple_of(8));
        // SAFETY: the words are `len` bytes or up to seven more, borrowed as long as the result; bytes need no
        // alignment and any value of a word is eight values of bytes.
        unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), len) }
    }

    /// Makes the arena keep its memory when dropped, because the kernel may still write into it.
    pub fn leak(&mut self) {
        self.mapping.leaked = true;
    }
}

/// Returns the least common multiple of page size and alignment.
fn step(page: usize, align: usize) -> Option<usize> {
    let (mut a, mut b) = (page, align);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (page / a).checked_mul(align)
}

impl Blocks {
    /// Returns the address of byte `done` of a slot's block.
    #[inline(always)]
    pub(crate) fn address(&self, slot: u16, done: u32) -> *mut u8 {
        let at = usize::from(slot) * self.stride + done as usize;
        debug_assert!(at < self.bytes);
        self.base.wrapping_add(at)
    }

    /// Returns the address of what is left to transfer of an operation; `done` of those that transfer nothing means no
    /// bytes of the block.
    #[inline(always)]
    pub(crate) fn rest(&self, op: &Op) -> *mut u8 {
        self.address(op.slot, if matches!(op.kind, Kind::Read | Kind::Write) { op.done } else { 0 })
    }

    /// Returns the distance between two blocks: the largest block, rounded up to whole pages.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// Returns address and bytes of the whole mapping.
    pub(crate) fn whole(&self) -> (*mut u8, usize) {
        (self.base, self.bytes)
    }
}
