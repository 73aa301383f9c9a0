//! The request to a worker to end.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Request to a worker to end, set by other threads.
#[derive(Debug, Default)]
pub struct Control(AtomicU32);

impl Control {
    /// Requests that the worker stops issuing, waits for the I/Os in flight, and ends.
    pub fn stop(&self) {
        self.0.store(1, Relaxed);
    }

    /// Returns whether the worker was requested to end.
    #[inline(always)]
    pub fn stopped(&self) -> bool {
        self.0.load(Relaxed) != 0
    }
}
