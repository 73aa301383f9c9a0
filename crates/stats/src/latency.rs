//! One latency: its moments and its histogram.

use crate::histogram::Histogram;
use crate::moments::Moments;
use serde::{Deserialize, Serialize};

/// One latency of one direction, nanoseconds. `moments.n == 0` when it was not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Exact moments.
    pub moments: Moments,
    /// Buckets.
    pub histogram: Histogram,
}

impl Latency {
    /// Adds all observations of `other`.
    pub fn merge(&mut self, other: &Latency) {
        self.moments.merge(&other.moments);
        self.histogram.merge(&other.histogram);
    }
}
