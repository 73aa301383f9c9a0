//! Why jobs cannot be planned.

use serde::{Deserialize, Serialize};

/// Why a set of jobs cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{self:?}")]
pub struct PlanError {
    /// Name of the job that cannot be planned.
    pub job: String,
    /// What is wrong with the job.
    pub fault: PlanFault,
}

/// What is wrong with a job that cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanFault {
    /// The jobs so far have more clones than one run may have.
    TooManyClones {
        /// Clones of this job and those before it.
        clones: u64,
        /// Largest number of clones of a run.
        most: u64,
    },
    /// The clones so far have more files than one run may have.
    TooManyFiles {
        /// Files of this job and those before it.
        files: u64,
        /// Largest number of files of a run.
        most: u64,
    },
    /// The kind and size of a path cannot be known.
    Path {
        /// Path of the file.
        path: String,
        /// Why not.
        fault: PathFault,
    },
    /// `fill_device` with random writes to a file, and no size.
    FillWithoutSize,
    /// `ioengine=mmap` with `file_append`.
    MmapAppends,
    /// The file is missing or empty, and no option says how large it should be.
    NoSize {
        /// Path of the file.
        path: String,
    },
    /// The region of the file would begin behind its end.
    OffsetBeyondEnd {
        /// Path of the file.
        path: String,
        /// First byte of the region.
        start: u64,
        /// Size of the file in bytes.
        end: u64,
    },
    /// All regions together are smaller than one block.
    NoBlock {
        /// Bytes of all regions.
        total: u64,
        /// Smallest block in bytes.
        block: u64,
    },
    /// A block of `random_distribution=sequence` lies outside of the region.
    SequenceBlock {
        /// Path of the file.
        path: String,
        /// Number of the block.
        block: u64,
        /// Number of blocks in the region.
        blocks: u64,
    },
}

/// Why the kind and size of a path cannot be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathFault {
    /// The system refused, with this errno.
    Errno(i32),
    /// `filetype=block`, and the path is none.
    NoBlockDevice,
    /// `filetype=char`, and the path is none.
    NoCharacterDevice,
    /// `filetype=file`, and the path is none.
    NoRegularFile,
    /// An error of the standard library that has no errno, in its words.
    Other(String),
}
