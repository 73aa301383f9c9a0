//! Why a plan is not run: what was found at a target, or what would be destroyed or filled.

use crate::policy::Policy;
use facts::file_usage::FileUse;
use facts::usage::Use;
use job::exit_status::REFUSED;
use rustix::io::Errno;
use stats::job_error::TargetChangeKind;
use std::path::PathBuf;

/// A refusal to write to a target or to fill a file system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason:?}", path.display())]
pub struct Refusal {
    /// The target, or a directory of the file system.
    pub path: PathBuf,
    /// Why.
    pub reason: RefusalReason,
}

impl Refusal {
    /// Returns the exit status: 3 where the run is refused for safety; where fio would end as well, the status of fio.
    pub fn exit_code(&self) -> i32 {
        match self.reason {
            RefusalReason::MountedForFio => 0,
            RefusalReason::NoSpaceForLayout { .. } => 1,
            _ => REFUSED,
        }
    }
}

/// Why a plan is not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// The target holds something or is in use, and the user has not consented to its loss.
    Overwrite {
        /// What would overwrite it.
        writer: Writer,
        /// What was found; not empty.
        found: Vec<Found>,
        /// The rules in force.
        policy: Policy,
    },
    /// The job cannot use what its path names.
    Unusable {
        /// The job that names the path.
        writer: Writer,
        /// What the path names.
        kind: UnusableKind,
    },
    /// fio's own rule: the device is mounted and `allow_mounted_write` is not set.
    MountedForFio,
    /// `fill_device=1` would fill the file system.
    FillsFileSystem {
        /// Largest `size=` that leaves the reserve free, bytes.
        most: u64,
    },
    /// The jobs would write more than the file system may take.
    NoSpace {
        /// Bytes that the jobs would write.
        wanted: u64,
        /// Free bytes.
        free: u64,
        /// Bytes that must stay free.
        reserve: u64,
    },
    /// The files that are written before the run do not fit.
    NoSpaceForLayout {
        /// Bytes of these files.
        wanted: u64,
        /// Free bytes.
        free: u64,
    },
    /// A target changed after the check.
    Changed(TargetChangeKind),
}

/// The job or command that would write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// A job, by its name.
    Job(String),
    /// A command of fathom, by its name.
    Command(&'static str),
}

/// What speaks against writing to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The device cannot be opened, so its contents are unknown.
    CannotOpen(Errno),
    /// The ends of the device cannot be read, so its contents are unknown.
    CannotRead(Errno),
    /// Another file or device took its place during the check.
    Replaced,
    /// A use of the device.
    DeviceUse(Use),
    /// sysfs does not list the device, so its use is unknown.
    UnknownToSysfs,
    /// Another program or the kernel holds the device exclusively.
    HeldExclusively,
    /// A use of the file by the system.
    FileUse(FileUse),
    /// Another program has the file open.
    OpenElsewhere,
    /// The file exists, and it is not certain that fathom wrote all of it.
    Exists {
        /// Size of the file in bytes.
        bytes: u64,
        /// Why it does not count as fathom's.
        because: NotOurs,
    },
}

/// Why a file does not count as one that fathom made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOurs {
    /// It has no mark.
    Unmarked,
    /// Its mark is from another version of fathom.
    OtherVersion,
    /// It carries the mark of another file.
    Copy,
    /// It has several hard links.
    HardLinks {
        /// Number of names.
        names: u64,
    },
    /// It was changed after fathom wrote it.
    Changed,
    /// A run that wrote a pattern into it was interrupted.
    PatternInterrupted,
    /// Its mark cannot be read.
    UnreadableMark,
    /// Its content cannot be read.
    Unreadable(Errno),
    /// Another file took its place during the check.
    Replaced,
    /// It holds data that fathom has not written.
    ForeignData {
        /// Offset of the first such sector.
        offset: u64,
    },
}

/// What a path names that a job cannot use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusableKind {
    /// A directory that this run did not make and that the job would remove.
    DirectoryToRemove,
    /// A directory.
    Directory,
    /// A named pipe.
    NamedPipe,
    /// A socket.
    Socket,
    /// Nothing, in a directory of device nodes: a mistyped name would become a file in memory.
    NoDevice,
}
