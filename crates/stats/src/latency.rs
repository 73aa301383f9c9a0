//! Latencies of one kind: moments and histogram.

use crate::histogram::Histogram;
use crate::moments::Moments;
use serde::{Deserialize, Serialize};

/// Latencies of one kind and direction, nanoseconds. `moments.n` is 0 if they were not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Exact moments, nanoseconds.
    pub moments: Moments,
    /// Histogram of the latencies, nanoseconds.
    pub histogram: Histogram,
}

impl Latency {
    /// Adds all observations of `other`.
    pub fn merge(&mut self, other: &Latency) {
        self.moments.merge(&other.moments);
        self.histogram.merge(&other.histogram);
    }
}
