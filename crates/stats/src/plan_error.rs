//! Errors of jobs that cannot be planned.

use crate::trace_fault::TraceFault;
use serde::{Deserialize, Serialize};

/// Error of a set of jobs that cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{self:?}")]
pub struct PlanError {
    /// Name of the job that cannot be planned.
    pub job: String,
    /// Reason why the job cannot be planned.
    pub fault: PlanFault,
}

/// Reason why a job cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanFault {
    /// The jobs up to this one have more clones than a run may have.
    TooManyClones {
        /// Number of clones of this job and the preceding ones.
        clones: u64,
        /// Largest number of clones of a run.
        most: u64,
    },
    /// The clones up to this one have more files than a run may have.
    TooManyFiles {
        /// Number of files of this job and the preceding ones.
        files: u64,
        /// Largest number of files of a run.
        most: u64,
    },
    /// The kind and size of a path cannot be determined.
    Path {
        /// Path of the file.
        path: String,
        /// Reason why the path cannot be used.
        fault: PathFault,
    },
    /// The job names hosts, and the run is not one of several hosts.
    NoHosts,
    /// `fill_device` is set with random writes to a file and without `size`.
    FillWithoutSize,
    /// `ioengine=mmap` is combined with `file_append`.
    MmapAppends,
    /// The file is missing or empty, and no option sets its size.
    NoSize {
        /// Path of the file.
        path: String,
    },
    /// The engine sends NVMe commands, and the path is not the generic character device of a namespace.
    NoNamespace {
        /// Path of the file.
        path: String,
    },
    /// The engine is `mtd`, and the path is not an MTD character device.
    NoFlash {
        /// Path of the file.
        path: String,
    },
    /// The engine is `dev-dax`, and the path is not a DAX device.
    NoDaxDevice {
        /// Path of the file.
        path: String,
    },
    /// The engine sends SCSI commands, and the path is no device.
    NoDevice {
        /// Path of the file.
        path: String,
    },
    /// The engine sends SCSI commands, and the path is not a disk of the SCSI layer.
    NoScsiDisk {
        /// Path of the device.
        path: String,
    },
    /// The engine sends SCSI commands, which address the whole disk, and the path is a partition.
    PartOfScsiDisk {
        /// Path of the partition.
        path: String,
    },
    /// The region starts beyond the end of the file.
    OffsetBeyondEnd {
        /// Path of the file.
        path: String,
        /// Start of the region, bytes.
        start: u64,
        /// Size of the file, bytes.
        end: u64,
    },
    /// All regions together are smaller than the smallest block.
    NoBlock {
        /// Total size of all regions, bytes.
        total: u64,
        /// Size of the smallest block, bytes.
        block: u64,
    },
    /// A block of `random_distribution=sequence` is outside the region.
    SequenceBlock {
        /// Path of the file.
        path: String,
        /// Number of the block in the region, from 0.
        block: u64,
        /// Number of blocks in the region.
        blocks: u64,
    },
    /// The target on a server cannot be used.
    Server(PathFault),
    /// The regions of `sprandom` are smaller than the cache of the drive (`spr_cs`).
    RegionBelowCache {
        /// Largest number of regions.
        most: u64,
    },
    /// A trace of `read_iolog` cannot be replayed.
    Trace {
        /// Path of the trace.
        path: String,
        /// Reason, and the place in the trace.
        fault: TraceFault,
    },
}

/// Reason why the kind and size of a path cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathFault {
    /// System call failed with this errno.
    Errno(i32),
    /// `filetype=block` is set, but the path is not a block device.
    NoBlockDevice,
    /// `filetype=char` is set, but the path is no character device.
    NoCharacterDevice,
    /// `filetype=file` is set, but the path is not a regular file.
    NoRegularFile,
    /// Error of the standard library without errno, as text.
    Other(String),
}
