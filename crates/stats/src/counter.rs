//! Counter with a single writer, which other threads can read.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A `u64` that exactly one thread writes and any thread may read.
///
/// A relaxed load and a relaxed store compile to the same instructions as a plain `u64` (no `lock` prefix), which
/// is why live statistics cost nothing. Two writers would lose counts: the owner of the [`crate::Shared`] block
/// that holds the counter is the only writer.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Adds `k` to the counter, wrapping at 2^64.
    #[inline(always)]
    pub fn add(&self, k: u64) {
        self.0.store(self.0.load(Relaxed).wrapping_add(k), Relaxed);
    }

    /// Returns the value at some moment in the recent past.
    #[inline(always)]
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Overwrites the value.
    #[inline(always)]
    pub fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }
}
