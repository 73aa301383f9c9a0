//! Errors and refusals of `fathom pts`.

use super::ata_erase::AtaFault;
use crate::target::TargetError;
use facts::common_path::Common;
use facts::usage::Use;
use job::exit_status::REFUSED;
use rustix::io::Errno;
use stats::job_error::JobError;
use std::path::PathBuf;

/// Reason why a test is refused for the safety of data, or because it could not continue another one.
#[derive(Clone, Debug, PartialEq)]
pub enum PtsRefusal {
    /// The device carries these signatures.
    Carries(Vec<Use>),
    /// `--allow-destroy` does not name the device.
    NotAllowed {
        /// Size of the device, bytes.
        bytes: u64,
    },
    /// The target is neither a block device nor a simulated device.
    NoDevice,
    /// The target is on a server and no device of this machine, which could be purged and claimed.
    OnServer,
    /// The device has another size than when the study began, bytes.
    AnotherSize {
        /// Size when the study began.
        before: u64,
        /// Present size.
        now: u64,
    },
    /// The disk cannot be erased by ATA commands.
    AtaErase(AtaFault),
    /// Two devices of the command have data in common.
    Overlaps {
        /// Name of the other device.
        other: String,
        /// What they share.
        common: Common,
    },
    /// The loop device has another file than when the study began.
    AnotherFile,
    /// The study was begun on another device.
    AnotherDevice {
        /// Device of the study.
        before: String,
        /// Present device.
        now: String,
    },
}

/// Error of `fathom pts`.
#[derive(Debug, thiserror::Error)]
pub enum PtsError {
    /// The device must not be overwritten, or cannot continue the study.
    #[error("{}: {reason:?}", path.display())]
    Refused {
        /// Path of the device.
        path: PathBuf,
        /// Reason.
        reason: PtsRefusal,
    },
    /// The device cannot be opened or examined.
    #[error("{}: {errno}", path.display())]
    System {
        /// Path of the device.
        path: PathBuf,
        /// Error of the failed call.
        errno: Errno,
    },
    /// The target cannot be used, or a job cannot be run on it.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The active range is smaller than a block.
    #[error("{}: active range of {percent} %", path.display())]
    RangeTooSmall {
        /// Path of the device.
        path: PathBuf,
        /// Active range, percent of the capacity.
        percent: f64,
    },
    /// The device failed a job.
    #[error("{0:?}")]
    Job(JobError),
    /// Nothing was completed within a step.
    #[error("nothing completed")]
    NothingCompleted,
    /// A step could not be stored: a study that cannot be resumed is not continued.
    #[error("not stored")]
    NotStored,
}

impl PtsError {
    /// Returns the exit status: 3 if the test was refused for safety, else 1.
    pub fn exit_code(&self) -> i32 {
        match self {
            PtsError::Refused { .. } => REFUSED,
            PtsError::Target(error) => error.exit_code(),
            _ => 1,
        }
    }
}
