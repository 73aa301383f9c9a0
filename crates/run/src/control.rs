//! The request to a worker to end.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The request to a worker to end, set by other threads.
#[derive(Debug, Default)]
pub struct Control(AtomicU32);

impl Control {
    /// Asks the worker to stop issuing, to wait for the I/Os in flight, and to end.
    pub fn stop(&self) {
        self.0.store(1, Relaxed);
    }

    /// Returns whether the worker was asked to end.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.0.load(Relaxed) != 0
    }
}
