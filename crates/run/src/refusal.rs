//! Reasons why a plan is not run: the contents or use of a target, or the space of a file system.

use crate::policy::Policy;
use engine::reservation::Reservation;
use facts::changing::Changing;
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
    /// Path of the target, or of a directory of the file system.
    pub path: PathBuf,
    /// Reason of the refusal, with the data for its message.
    pub reason: RefusalReason,
}

impl Refusal {
    /// Returns whether `--wear-budget` is the reason.
    pub fn is_of_budget(&self) -> bool {
        matches!(self.reason, RefusalReason::WearBudget { .. })
    }

    /// Returns whether the refusal ends a study: its target holds data now, is in use, or is another one.
    pub fn ends_study(&self) -> bool {
        use RefusalReason::{Changed, InUse, Overwrite, UsedElsewhere};
        matches!(self.reason, Overwrite { .. } | InUse { .. } | UsedElsewhere { .. } | Changed(_))
    }

    /// Returns the exit status: 3 for a refusal for safety; fio's own status if fio would refuse as well.
    pub fn exit_code(&self) -> i32 {
        match self.reason {
            RefusalReason::MountedForFio => 0,
            RefusalReason::NoSpaceForLayout { .. } => 1,
            _ => REFUSED,
        }
    }
}

/// Reason why a plan is not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalReason {
    /// The target holds data or is in use, and the user has not consented to its loss.
    Overwrite {
        /// Job or command that would overwrite the target.
        writer: Writer,
        /// Data and uses that were found; not empty.
        found: Vec<Found>,
        /// Rules of consent by which the write was refused.
        policy: Policy,
    },
    /// The target is in use, and the command writes to no target that is, whatever the user permits.
    InUse {
        /// Command that would overwrite the target.
        writer: Writer,
        /// Uses that were found; not empty.
        found: Vec<Found>,
    },
    /// Another host or program uses what is on the target, whatever the user permits.
    UsedElsewhere {
        /// Job or command that would overwrite the target.
        writer: Writer,
        /// The use.
        found: Box<Found>,
    },
    /// The job cannot use a file of this kind.
    Unusable {
        /// Job that uses the path.
        writer: Writer,
        /// Kind of the file at the path.
        kind: UnusableKind,
    },
    /// fio's own rule: the device is mounted and `allow_mounted_write` is not set.
    MountedForFio,
    /// `fill_device=1` would fill the file system.
    FillsFileSystem {
        /// Largest `size=` in bytes that leaves the reserve free.
        most: u64,
    },
    /// The jobs would write more than the file system may receive.
    NoSpace {
        /// Bytes that the jobs would write.
        wanted: u64,
        /// Free bytes of the file system.
        free: u64,
        /// Bytes that must stay free.
        reserve: u64,
    },
    /// The files that are created before the run do not fit into the file system.
    NoSpaceForLayout {
        /// Total size of these files in bytes.
        wanted: u64,
        /// Free bytes of the file system.
        free: u64,
    },
    /// The plan writes more than `--wear-budget` permits.
    WearBudget {
        /// Bytes that would be written; `None` if their number is not known before they are written.
        planned: Option<u64>,
        /// Bytes of the budget that are left.
        left: u64,
        /// Budget in bytes.
        budget: u64,
    },
    /// `--wear-budget` is a percentage, and no flash drive with a known capacity is under the target.
    NoEndurance,
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

/// A reason against writing to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The device cannot be opened, so its contents are unknown.
    CannotOpen(Errno),
    /// The ends of the device cannot be read, so its contents are unknown.
    CannotRead(Errno),
    /// Another file or device replaced the target during the check.
    Replaced,
    /// The device is in use, for example as a file system or a member of a volume.
    DeviceUse(Use),
    /// sysfs does not list the device, so its use is unknown.
    UnknownToSysfs,
    /// The device is flash or DAX memory, whose contents are not examined.
    NotExamined,
    /// Another program or the kernel holds the device exclusively.
    HeldExclusively,
    /// The command writes only to devices that the user names.
    NotNamed,
    /// The system uses the file, for example as swap space.
    FileUse(FileUse),
    /// The server has this object under the name of the target.
    Object(String),
    /// The server cannot tell which objects it has under the name of the target.
    CannotList,
    /// Other clients have the volume open for writing.
    Clients(Vec<String>),
    /// The metadata of what is on the device changed while it was watched.
    Changing(Changing),
    /// An initiator has a persistent reservation of the LUN.
    Reserved {
        /// Name of the initiator; empty if it is not known.
        holder: String,
        /// Key of its registration.
        key: u64,
        /// Type of the reservation, in the words of SPC.
        kind: &'static str,
    },
    /// Another program has the file open.
    OpenElsewhere,
    /// Another process of fathom on this machine writes to the target, which is on a server.
    OtherRun,
    /// The file exists, and it is not certain that fathom wrote all of it.
    Exists {
        /// Size of the file in bytes.
        bytes: u64,
        /// Reason why the file does not count as fathom's.
        because: NotOurs,
    },
}

impl From<Reservation> for Found {
    fn from(Reservation { holder, key, kind }: Reservation) -> Found {
        Found::Reserved { holder, key, kind }
    }
}

/// Reason why a file does not count as created by fathom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotOurs {
    /// The file has no mark.
    Unmarked,
    /// Files and objects on servers have no marks.
    OnServer,
    /// The mark is from another version of fathom.
    OtherVersion,
    /// The mark belongs to another file: the file is a copy.
    Copy,
    /// The file has several hard links.
    HardLinks {
        /// Number of hard links, at least 2.
        names: u64,
    },
    /// The file was changed after fathom wrote it.
    Changed,
    /// An interrupted run wrote a pattern into the file, which fathom cannot recognise.
    PatternInterrupted,
    /// The mark cannot be read.
    UnreadableMark,
    /// The contents of the file cannot be read.
    Unreadable(Errno),
    /// Another file replaced the file during the check.
    Replaced,
    /// The file holds data that fathom did not write.
    ForeignData {
        /// Offset of the first sector with such data, in bytes.
        offset: u64,
    },
}

/// Kind of a file that a job cannot use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusableKind {
    /// A directory that this run did not create and that the job would remove.
    DirectoryToRemove,
    /// A directory, at a path where the job needs a file or device.
    Directory,
    /// A named pipe, which the layout of the job would replace by a file.
    NamedPipe,
    /// A socket, which the layout of the job would replace by a file.
    Socket,
    /// No file, in a directory of device nodes: a file with a mistyped name would be created in memory.
    NoDevice,
    /// A file of the kernel (`/proc`, `/sys` and the like), which stands for no storage.
    KernelFile,
}
