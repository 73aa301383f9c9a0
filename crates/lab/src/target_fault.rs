//! Reasons why a target cannot be used, as data.

use crate::objects::{AccessError, ObjectLoadError};
use job::{Diagnostic, PlanError};
use rustix::io::Errno;
use stats::JobError;
use std::io;
use std::path::PathBuf;

/// Reason why a target cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetFault {
    /// A system call on the target failed with this error.
    System(Errno),
    /// The target is neither a directory, a regular file nor a block device.
    NotMeasurable,
    /// A simulated device, which has no storage stack.
    Simulated,
    /// A directory, but `fathom prefill` fills only files and block devices.
    Directory,
    /// Not a regular file or block device, so it cannot be filled.
    NotFillable,
    /// The name of a target on a server lacks a part.
    ServerName,
    /// The name of the target on a server has a password, which results would repeat.
    Password,
    /// The file or object on a server does not exist, or is empty.
    NotOnServer,
    /// A target on a server, which the command does not take.
    OnServer,
    /// A job chose another engine than that of the target on a server.
    OtherEngine {
        /// Engine of the target.
        engine: String,
    },
    /// There is no way to the S3 of the target.
    NoAccess(AccessError),
    /// The scratch objects cannot be made.
    Objects(ObjectLoadError),
    /// Smaller than 1 MiB, which is too small for a measurement.
    TooSmall {
        /// Size of the target, in bytes.
        bytes: u64,
    },
    /// Too small for a measurement, and by its name or first line a job file.
    JobFile,
    /// The `size` of a simulated device is not a positive number of bytes.
    ModelSize {
        /// The option as given, with its name and value.
        option: String,
    },
    /// Unknown option of a simulated device.
    ModelOption {
        /// Name of the option as given.
        name: String,
    },
    /// The parser rejected the job on the target. fathom writes the other options of the job, so the target is the
    /// cause.
    Job {
        /// Messages of the parser.
        diagnostics: Vec<Diagnostic>,
    },
    /// The job on the target cannot be planned; as for [`TargetFault::Job`], the target is the cause.
    Plan(PlanError),
    /// The job that fills the scratch file failed.
    ScratchNotFilled(JobError),
    /// The job failed before an I/O completed.
    Failed(JobError),
    /// Less than 1 MiB of the scratch file was written in 3.5 s, the time for filling.
    ScratchTooSlow,
    /// A scratch file cannot be created, because the file system is mounted read-only.
    ReadOnly,
    /// Too little free space or memory for a scratch file of 16 MiB, which may take a tenth of the space and an eighth
    /// of the memory.
    NoRoomForScratch {
        /// Usable space, in bytes.
        free: u64,
        /// Available memory, in bytes.
        memory: u64,
        /// Directory of the image file that contains the file system, if the space there is the limit.
        image: Option<PathBuf>,
    },
    /// Creating the scratch file failed with this error.
    NoScratch(Errno),
    /// The device is not in sysfs, so its users cannot be determined.
    UnknownDevice,
    /// Too little free space to fill the holes of a file.
    NoRoomToFill {
        /// Space that the holes need, in bytes.
        needed: u64,
        /// Free space, in bytes.
        free: u64,
        /// Backing file of a loop device, if the space of its file system is the limit.
        under: Option<PathBuf>,
    },
}

impl TargetFault {
    /// Returns [`TargetFault::System`] with the errno of `e`.
    pub fn of(e: &io::Error) -> TargetFault {
        TargetFault::System(errno(e))
    }

    pub(crate) fn no_scratch(e: &io::Error) -> TargetFault {
        TargetFault::NoScratch(errno(e))
    }
}

/// Returns the errno of `e`; EIO for an error without one.
pub(crate) fn errno(e: &io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}
