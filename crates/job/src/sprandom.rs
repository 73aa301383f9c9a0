//! `sprandom`: random writes that bring an SSD into the steady state of random writes in one pass.

use serde::{Deserialize, Serialize};

/// Parameters of `sprandom`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprandomSpec {
    /// Number of regions with one share of valid pages each.
    pub regions: u32,
    /// Physical space of the drive beyond its size, as a share of its size; above 0 and below 1.
    pub over_provisioning: f64,
    /// Size of the drive's write cache in bytes.
    pub cache: u64,
}

impl SprandomSpec {
    /// Returns the number of blocks that a pass over `blocks` blocks writes: those of the physical space.
    pub fn writes(&self, blocks: u64) -> u64 {
        // The region of a file has fewer than 2^53 blocks.
        (blocks as f64 * (1.0 + self.over_provisioning)).round() as u64
    }

    /// Returns the largest number of regions of `writes` blocks of `block` bytes each that is possible with the cache.
    pub fn most_regions(&self, writes: u64, block: u64) -> u64 {
        writes / self.cache.div_ceil(block.max(1)).max(1)
    }
}

/// Reason why the options of a job with `sprandom` are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprandomFault {
    /// The job does other I/O than random writes.
    NotRandomWrites,
    /// `random_generator` is set to another generator than `lfsr`.
    OtherGenerator,
    /// The job has several block sizes.
    SeveralBlockSizes,
    /// The job has several files.
    SeveralFiles,
    /// The over-provisioning is not between 0 and 1.
    OverProvisioning,
}
