//! Result of `fathom cloud`: the limits of a cloud volume and its machine, and whether a measurement reaches them.

mod check;
mod limits;

pub use check::{CloudCheck, CloudReach, CloudVerdict};
pub use limits::{
    BurstKind, CloudBurst, CloudCap, CloudComparison, CloudInstance, CloudLimit, CloudLimits, CloudLoad,
    CloudQuantity, CloudSharing, CloudSharingRule, CloudVolume,
};

use crate::finding::{Finding, Grade, grade_of};
use crate::job_error::JobError;
use crate::result::Host;
use serde::{Deserialize, Serialize};

/// Rate of a mix divided by the lower rate of its directions from which their limits are apart.
const APART: f64 = 1.6;
/// Rate of a mix divided by the higher rate of its directions up to which they share a limit.
const JOINT: f64 = 1.2;

/// Origin of a row of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CloudMark {
    /// Read in the named source.
    R,
    /// Read earlier in the named source.
    U,
    /// Follows by arithmetic from figures that were read.
    A,
    /// General knowledge, not confirmed.
    #[default]
    K,
}

/// Source of a row of the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudSource {
    /// Origin.
    pub mark: CloudMark,
    /// Document.
    pub source: String,
    /// Date of the document: `2025-09-05`, `2026-08` or `2023`.
    pub date: Option<String>,
}

impl CloudSource {
    /// Returns whether the row may decide: it is confirmed and dated.
    pub fn decides(&self) -> bool {
        self.mark != CloudMark::K && self.date.is_some()
    }
}

/// Unit in which a provider states throughput.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CloudUnit {
    /// 10^6 bytes.
    #[serde(rename = "MB")]
    Megabyte,
    /// 2^20 bytes.
    #[default]
    #[serde(rename = "MiB")]
    Mebibyte,
}

impl CloudUnit {
    /// Returns the number of bytes of the unit.
    pub fn bytes(self) -> f64 {
        match self {
            CloudUnit::Megabyte => 1e6,
            CloudUnit::Mebibyte => 1_048_576.0,
        }
    }

    /// Returns the symbol of a rate: `MB/s`.
    pub fn rate(self) -> &'static str {
        match self {
            CloudUnit::Megabyte => "MB/s",
            CloudUnit::Mebibyte => "MiB/s",
        }
    }
}

/// Where a fact about the volume or the machine comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudOrigin {
    /// Command line.
    Given,
    /// Firmware of the machine (DMI).
    Firmware,
    /// Name of the disk.
    Disk,
    /// Metadata service of the provider.
    Metadata,
}

/// Fact that was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudFact {
    /// What is known: `aws`, `m5.large`, `gp3`, `500`.
    pub value: String,
    /// Where it comes from.
    pub origin: CloudOrigin,
}

/// What is known about the volume and the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudKnown {
    /// Provider as written on the command line.
    pub provider: Option<CloudFact>,
    /// Type of the volume.
    pub kind: Option<CloudFact>,
    /// Type of the machine.
    pub instance: Option<CloudFact>,
    /// Size of the volume in the provider's unit.
    pub size: Option<CloudFact>,
    /// Whether the disk is a local disk of the host rather than a volume.
    pub local_disk: bool,
}

/// Result of `fathom cloud`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CloudCard {
    /// Version of fathom.
    pub version: String,
    /// What is known and from where.
    pub known: CloudKnown,
    /// Limits.
    pub limits: CloudLimits,
    /// Where the figures of the machine would be, if its type is known and the tables do not have it.
    pub instance_source: Option<CloudSource>,
    /// Target as the user gave it; `None` if nothing was measured.
    pub target: Option<String>,
    /// Storage stack of the target, top first.
    pub stack: Vec<String>,
    /// Mean latency at queue depth 1, nanoseconds; `None` if nothing was measured.
    pub alone_ns: Option<f64>,
    /// Whether the target may be written.
    #[serde(default)]
    pub may_write: bool,
    /// Measured patterns.
    pub checks: Vec<CloudCheck>,
    /// Error that ended the measurement.
    pub error: Option<JobError>,
    /// Findings of the jobs.
    pub findings: Vec<Finding>,
    /// Measured time, seconds.
    pub seconds: f64,
    /// Machine.
    pub host: Host,
}

impl CloudCard {
    /// Returns the verdict; `None` if nothing was to be measured.
    pub fn verdict(&self) -> Option<CloudVerdict> {
        self.target.as_ref()?;
        let worst = self.deciding().map_or(CloudVerdict::NotSure, CloudCheck::verdict);
        let doubtful = self.error.is_some() || self.grade() == Grade::NotTheDevice;
        Some(if doubtful { CloudVerdict::NotSure } else { worst })
    }

    /// Returns the pattern that decides: the first with the worst verdict.
    pub fn deciding(&self) -> Option<&CloudCheck> {
        let counted = || self.checks.iter().filter(|check| check.counts());
        let worst = counted().map(CloudCheck::verdict).max()?;
        counted().find(|check| check.verdict() == worst)
    }

    /// Returns whether the measured limits of reads and writes are shared or apart, by small random I/Os; `None` if
    /// this was not measured, or something else than a limit binds.
    pub fn sharing_found(&self) -> Option<CloudSharing> {
        let of = |load| {
            let found = self.checks.iter().find(|check| check.load == load && check.random)?;
            let waits = !matches!(found.binding, Some(CloudLimit::Cpu | CloudLimit::DepthAndLatency));
            found.measured.filter(|measured| measured.is_known() && waits)
        };
        let (reads, writes, mixed) = (of(CloudLoad::Reads)?, of(CloudLoad::Writes)?, of(CloudLoad::Mixed)?);
        // Half of the I/Os have each direction: limits apart let twice the lower rate through.
        let lower = reads.value.min(writes.value);
        if mixed.low > APART * lower {
            Some(CloudSharing::Apart)
        } else if mixed.high < JOINT * reads.value.max(writes.value) {
            Some(CloudSharing::Joint)
        } else {
            None
        }
    }

    /// Returns whether writes were measured.
    pub fn measured_writes(&self) -> bool {
        self.checks.iter().any(|check| check.load == CloudLoad::Writes)
    }

    /// Returns the finding by which the figures are not those of the device.
    pub fn not_the_device(&self) -> Option<&Finding> {
        self.findings.iter().find(|found| found.claim.grade() == Grade::NotTheDevice)
    }

    /// Returns the grade of the measurement. After an error, the patterns measured before it hold with that condition.
    pub fn grade(&self) -> Grade {
        let found = grade_of(&self.findings);
        match &self.error {
            None => found,
            Some(_) if self.checks.is_empty() => Grade::NotTheDevice,
            Some(_) => found.max(Grade::Conditions),
        }
    }
}

#[cfg(test)]
mod tests;
