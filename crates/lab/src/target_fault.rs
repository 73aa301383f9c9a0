//! Why a target cannot be used.

use job::{Diagnostic, PlanError};
use rustix::io::Errno;
use stats::JobError;
use std::io;
use std::path::PathBuf;

/// Why a target cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetFault {
    /// The system refuses it.
    System(Errno),
    /// Neither a directory, a regular file nor a block device.
    NotMeasurable,
    /// A simulated device, which has no storage stack.
    Simulated,
    /// A directory, where a file or a block device is filled.
    Directory,
    /// Neither a regular file nor a block device.
    NotFillable,
    /// Too few bytes for a measurement.
    TooSmall {
        /// Bytes of the target.
        bytes: u64,
    },
    /// The size of a simulated device is no number of bytes.
    ModelSize {
        /// The option as given.
        option: String,
    },
    /// A simulated device has no such option.
    ModelOption {
        /// The name as given.
        name: String,
    },
    /// The job on it cannot be parsed. fathom writes the other options of the job, so the target is the cause.
    Job {
        /// What the parser reported.
        diagnostics: Vec<Diagnostic>,
    },
    /// The job on it cannot be planned, for the same reason.
    Plan(PlanError),
    /// The job that fills the scratch file failed.
    ScratchNotFilled(JobError),
    /// Less than 1 MiB of the scratch file was written in time.
    ScratchTooSlow,
    /// No scratch file can be made: the file system is mounted read-only.
    ReadOnly,
    /// There is too little space or memory for a scratch file.
    NoRoomForScratch {
        /// Usable bytes.
        free: u64,
        /// Available memory, bytes.
        memory: u64,
        /// Directory of the image that holds the file system, where the space of that directory is the limit.
        image: Option<PathBuf>,
    },
    /// The system refuses a scratch file.
    NoScratch(Errno),
    /// sysfs does not know the device, so its use is unknown.
    UnknownDevice,
    /// There is too little space to fill the holes of a file.
    NoRoomToFill {
        /// Bytes that the holes need.
        needed: u64,
        /// Free bytes.
        free: u64,
        /// The file under a loop device, where its file system is the limit.
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

/// Returns the errno; EIO for an error that has none.
pub(crate) fn errno(e: &io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}
