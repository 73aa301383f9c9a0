//! Notes about a run as data: what was read differently, replaced or left out.

use serde::{Deserialize, Serialize};

/// Where a note is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// On standard error, where fio prints the same line.
    Fio,
    /// With the result: something that was asked for was not available and something else was done.
    Fallback,
    /// With the result: a circumstance that its reader should know.
    Remark,
}

/// One note about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Where it is printed.
    pub kind: NoteKind,
    /// Name of the job; empty for the whole run.
    pub job: String,
    /// The fact. Older results have a `text`.
    #[serde(alias = "text")]
    pub fact: NoteFact,
}

impl Note {
    /// Returns a note of kind `kind` about `job`.
    pub fn new(kind: NoteKind, job: impl Into<String>, fact: NoteFact) -> Self {
        Self { kind, job: job.into(), fact }
    }
}

/// What a note is about. Every `errno` is positive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteFact {
    /// A number was read up to a character that belongs to none.
    NumberEnds {
        /// File and line of the option; `None` on the command line.
        place: Option<String>,
        /// The option as typed, shortened.
        typed: String,
        /// The value that is used.
        value: String,
        /// The ignored text, shortened.
        rest: String,
    },
    /// A synchronous engine has one I/O in flight whatever `iodepth` asks for.
    DepthOfOne,
    /// A file is of the wrong kind for an engine that creates, looks up or deletes files or directories.
    OnlyFiles,
    /// The same for an engine of directories.
    OnlyDirectories,
    /// A directory is not made under `--readonly`.
    DirectoryUnderReadonly,
    /// A file is not made longer under `--readonly`.
    FileUnderReadonly,
    /// `allow_file_create=0` forbids a file or directory that is missing.
    CreationDisallowed,
    /// A directory could not be made.
    NoDirectory {
        /// Path of the directory.
        path: String,
        /// Why.
        errno: i32,
    },
    /// `fallocate=posix` could not reserve space.
    NotReserved {
        /// Why.
        errno: i32,
    },
    /// The file system was full before a file was laid out.
    LayoutFull,
    /// The jobs will write more than the file system has free.
    SpaceShort {
        /// Bytes that the jobs will write.
        wanted: u64,
        /// Bytes that are free.
        free: u64,
        /// Directory in the file system.
        directory: String,
    },
    /// The cgroup of the process limits a device under the targets.
    CgroupLimit {
        /// Name of the device.
        device: String,
        /// Most reads and most writes per second; `None` without a limit.
        iops: [Option<u64>; 2],
        /// Most bytes read and most bytes written per second; `None` without a limit.
        bytes_per_second: [Option<u64>; 2],
    },
    /// A kernel setting that was varied could not get its old value back.
    SettingNotRestored {
        /// Name of the disk.
        disk: String,
        /// Name of the setting in the disk's `queue` directory.
        setting: String,
        /// Value in force; `None` if it cannot be read.
        now: Option<String>,
        /// Value before fathom changed it.
        before: String,
        /// Process that changed it.
        pid: u32,
        /// File in which the value can be set.
        path: String,
        /// Why it could not be set.
        errno: i32,
    },
    /// A kernel setting has its old value again, which a killed fathom had changed.
    SettingRestored {
        /// Name of the disk.
        disk: String,
        /// Name of the setting in the disk's `queue` directory.
        setting: String,
        /// Value that the killed process had set.
        changed: String,
        /// Value before, which is in force again.
        before: String,
        /// The killed process.
        pid: u32,
    },
    /// The memory of `lockmem` could not be locked.
    MemoryNotLocked {
        /// Bytes asked for.
        bytes: u64,
        /// Why.
        errno: i32,
    },
    /// I/Os were still in flight when the run ended.
    Unanswered {
        /// Number of these I/Os.
        ios: u64,
    },
    /// `ioengine=posixaio` ran on kernel AIO, because io_uring was not available.
    PosixaioOnKernelAio {
        /// Why.
        errno: i32,
    },
    /// A measurement of fathom's own ran on libaio, because io_uring was not available.
    MeasuredWithLibaio {
        /// Why.
        errno: i32,
    },
    /// A measurement of fathom's own ran on psync.
    MeasuredWithPsync {
        /// Why not on io_uring.
        uring_errno: i32,
        /// Why not on libaio.
        libaio_errno: i32,
    },
    /// The ring has no registered files.
    NoRegisteredFiles {
        /// Why.
        errno: i32,
    },
    /// The ring has no registered buffer.
    NoRegisteredBuffer {
        /// Bytes of the buffer.
        bytes: u64,
        /// Why.
        errno: i32,
    },
    /// The number of kernel workers of the ring is the kernel's default, not the depth.
    NoWorkerLimit {
        /// Why.
        errno: i32,
    },
    /// The kernel has no deferred task work for rings, and the ring runs without.
    NoDeferredTaskWork,
    /// Finished text: of a prefill, or of a result of an older version.
    #[serde(untagged)]
    Text(String),
}
