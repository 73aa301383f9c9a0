//! Reasons why a target cannot be used.

use job::{Diagnostic, PlanError};
use rustix::io::Errno;
use stats::JobError;
use std::io;
use std::path::PathBuf;

/// Reason why a target cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetFault {
    /// The system refuses access to the target.
    System(Errno),
    /// The target is neither a directory, a regular file nor a block device.
    NotMeasurable,
    /// The target is a directory, but only a file or a block device can be filled.
    Directory,
    /// The target is neither a regular file nor a block device.
    NotFillable,
    /// The target is too small for a measurement.
    TooSmall {
        /// Size of the target, bytes.
        bytes: u64,
    },
    /// The size of a simulated device cannot be read as a number of bytes.
    ModelSize {
        /// Option as given.
        option: String,
    },
    /// A simulated device has no option of this name.
    ModelOption {
        /// Name as given.
        name: String,
    },
    /// The job on the target cannot be parsed. fathom writes the other options of the job, so the target is the cause.
    Job {
        /// Errors of the parser.
        diagnostics: Vec<Diagnostic>,
    },
    /// The job on the target cannot be planned, also because of the target.
    Plan(PlanError),
    /// The job that fills the scratch file failed.
    ScratchNotFilled(JobError),
    /// Less than 1 MiB of the scratch file was written in time.
    ScratchTooSlow,
    /// A scratch file cannot be created: the file system is mounted read-only.
    ReadOnly,
    /// There is too little space or memory for a scratch file.
    NoRoomForScratch {
        /// Free space that a scratch file may use, bytes.
        free: u64,
        /// Available memory, bytes.
        memory: u64,
        /// Directory of the image that holds the file system, where the space of that directory is the limit.
        image: Option<PathBuf>,
    },
    /// The system refuses to create a scratch file.
    NoScratch(Errno),
    /// sysfs has no entry for the device, so its users are unknown.
    UnknownDevice,
    /// There is too little space to fill the holes of a file.
    NoRoomToFill {
        /// Bytes needed for the holes.
        needed: u64,
        /// Free bytes.
        free: u64,
        /// File of the loop device under the target, if the file system of that file is the limit; `None` otherwise.
        under: Option<PathBuf>,
    },
}

impl TargetFault {
    /// Returns the fault for an error of the system.
    pub(crate) fn of(e: &io::Error) -> TargetFault {
        TargetFault::System(errno(e))
    }

    pub(crate) fn no_scratch(e: &io::Error) -> TargetFault {
        TargetFault::NoScratch(errno(e))
    }
}

/// Returns the errno of an error; EIO for an error that has none.
pub(crate) fn errno(e: &io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}
