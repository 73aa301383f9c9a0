//! Characteristics of a device: rate over its surface, seek time and rotation, caches for reads and writes. Each has a
//! number with its interval, or the reason why there is none. Estimators of this module see only times and sizes.

pub mod forecast;
pub mod read_cache;
pub mod regions;
mod replacement;
pub mod rotation;
pub mod sample;
pub mod seek;
pub mod surface;
#[cfg(test)]
mod tests;
pub mod writes;

use crate::estimate::Estimate;
use crate::finding::{Finding, Grade, grade_of};
use serde::{Deserialize, Serialize};

/// Result of `fathom characterize`. A part that was not measured is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceCharacter {
    /// Version of fathom that measured.
    pub version: String,
    /// Target as the user named it.
    pub target: String,
    /// Whether the device is simulated.
    pub simulated: bool,
    /// Storage stack under the target, the topmost layer first.
    pub stack: Vec<String>,
    /// Size of the device in bytes.
    pub size: u64,
    /// Duration of the measurement in seconds, in the time of the device.
    pub seconds: f64,
    /// Bytes that were read.
    pub read_bytes: u64,
    /// Bytes that were written.
    pub written_bytes: u64,
    /// Reason why the measurement ended early.
    pub ended: Option<EarlyEnd>,
    /// Rate of sequential reads over the surface.
    pub surface: Option<surface::SurfaceCurve>,
    /// Period of the rotation in nanoseconds; `None` inside if no rotation was seen.
    pub rotation: Option<Option<Estimate>>,
    /// Time of a seek by its distance.
    pub seek: Option<seek::SeekCurve>,
    /// Read latency by region.
    pub regions: Option<regions::Regions>,
    /// Read cache.
    pub read_cache: Option<read_cache::ReadCacheSweep>,
    /// Rate of sequential writes, and the cache that it shows.
    pub writes: Option<writes::WriteCurve>,
    /// Read latency of written and of discarded regions.
    pub discarded: Option<regions::Discarded>,
    /// Findings that limit or explain the figures, worst first.
    #[serde(default)]
    pub findings: Vec<Finding>,
}

impl DeviceCharacter {
    /// Returns the grade of the measurement. After an error, the parts measured before it hold with that condition.
    pub fn grade(&self) -> Grade {
        let found = grade_of(&self.findings);
        let parts = [
            self.surface.is_some(),
            self.rotation.is_some(),
            self.seek.is_some(),
            self.regions.is_some(),
            self.read_cache.is_some(),
            self.writes.is_some(),
            self.discarded.is_some(),
        ];
        match self.ended {
            Some(EarlyEnd::Failed { .. }) if !parts.contains(&true) => Grade::NotTheDevice,
            Some(EarlyEnd::Failed { .. }) => found.max(Grade::Conditions),
            _ => found,
        }
    }
}

/// Reason why a measurement ended before its last step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EarlyEnd {
    /// A signal of the user.
    Interrupted,
    /// `--wear-budget` permits no further write.
    WearBudget,
    /// An operation failed at this offset.
    Failed {
        /// Errno of the operation.
        errno: i32,
        /// Offset in bytes.
        offset: u64,
    },
}
