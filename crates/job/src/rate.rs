//! The pace of a job: `rate`, `rate_iops` and what belongs to them.

use serde::{Deserialize, Serialize};

/// How fast a job goes at most, and at least. By direction: reads, writes, trims; 0 = not said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// Most bytes per second.
    pub most: [u64; 3],
    /// The smallest block: what an I/O is taken for where I/Os are counted.
    pub block: [u64; 3],
    /// Gaps are drawn.
    pub poisson: bool,
    /// Least bytes per second.
    pub least_bytes: [u64; 3],
    /// Least I/Os per second.
    pub least_ios: [u64; 3],
    /// Over so many nanoseconds.
    pub cycle: u64,
}

impl Rate {
    /// Whether any direction is held back.
    pub fn paces(&self) -> bool {
        self.most != [0; 3]
    }

    /// Whether any direction has a least.
    pub fn has_least(&self) -> bool {
        self.least_bytes != [0; 3] || self.least_ios != [0; 3]
    }

    /// Most I/Os per second of a direction, of its smallest block; `None` = any number.
    pub fn iops(&self, direction: usize) -> Option<f64> {
        let most = self.most[direction];
        (most > 0).then(|| most as f64 / self.block[direction].max(1) as f64)
    }
}
