//! The part of one host in a plan that several hosts run.

use crate::plan::{Layout, Plan};

/// What each host has of the targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostShare {
    /// All of them: the targets are the host's own, or shared on purpose.
    #[default]
    Whole,
    /// A part of each region, which no other host has.
    Split,
}

/// Reason why the targets cannot be split among the hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostShareError {
    /// A region is smaller than a block for each host.
    #[error("{path}: {bytes} bytes")]
    TooSmall {
        /// Path of the target.
        path: String,
        /// Length of the region, bytes.
        bytes: u64,
    },
    /// A file has to be filled before the run, which several hosts cannot do at once.
    #[error("{path}")]
    NotFilled {
        /// Path of the file.
        path: String,
    },
}

impl Plan {
    /// Makes this plan that of one of `hosts` hosts, by its number from 0: with [`HostShare::Split`] the regions are disjoint,
    /// and their union is the whole, but for less than a block per host. Hosts draw different random offsets, unless a job
    /// verifies, which has to know the offsets of others.
    ///
    /// # Errors
    /// A region cannot be split.
    pub fn keep_share(&mut self, share: HostShare, number: u32, hosts: u32) -> Result<(), HostShareError> {
        for clone in &mut self.clones {
            let job = &self.jobs[clone.job];
            if job.verify.is_none() {
                // An odd factor: each host has another seed.
                clone.seed = clone.seed.wrapping_add(u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
            if share == HostShare::Whole || hosts < 2 {
                continue;
            }
            let block = job.pattern.largest_block().max(1);
            let whole: u64 = clone.files.iter().map(|file| file.length).sum();
            for file in &mut clone.files {
                let path = file.path.display().to_string();
                if matches!(file.layout, Layout::Write | Layout::Extend) {
                    return Err(HostShareError::NotFilled { path });
                }
                let part = file.length / u64::from(hosts) / block * block;
                if part == 0 {
                    return Err(HostShareError::TooSmall { path, bytes: file.length });
                }
                file.start += part * u64::from(number);
                file.length = part;
            }
            if clone.io_bytes == whole {
                clone.io_bytes = clone.files.iter().map(|file| file.length).sum();
            }
        }
        Ok(())
    }
}
