//! Rates of a job: `rate`, `rate_iops` and related options.

use serde::{Deserialize, Serialize};

/// Highest and lowest rates, for reads, writes and trims; 0 = not set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// Highest rate in bytes per second.
    pub most: [u64; 3],
    /// Smallest block in bytes, by which rates in IOPS are converted to bytes per second.
    pub block: [u64; 3],
    /// Whether gaps between I/Os are exponentially distributed (`rate_process=poisson`).
    pub poisson: bool,
    /// Lowest rate in bytes per second; the job fails below it.
    pub least_bytes: [u64; 3],
    /// Lowest rate in IOPS; the job fails below it.
    pub least_ios: [u64; 3],
    /// Interval over which the lowest rates are checked, in nanoseconds (`rate_cycle`).
    pub cycle: u64,
}

impl Rate {
    /// Returns whether any direction has a highest rate.
    pub fn paces(&self) -> bool {
        self.most != [0; 3]
    }

    /// Returns whether any direction has a lowest rate.
    pub fn has_least(&self) -> bool {
        self.least_bytes != [0; 3] || self.least_ios != [0; 3]
    }

    /// Returns the highest rate of a direction in IOPS of its smallest block; `None` = unlimited.
    pub fn iops(&self, direction: usize) -> Option<f64> {
        let most = self.most[direction];
        (most > 0).then(|| most as f64 / self.block[direction].max(1) as f64)
    }
}
