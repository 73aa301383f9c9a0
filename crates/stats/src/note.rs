//! Notes about a run as data: options read differently, fallbacks and omissions.

use serde::{Deserialize, Serialize};

/// Destination of a note in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// On standard error, because fio prints the same line there.
    Fio,
    /// On standard output at the start of each clone of the job, because fio prints the same line there.
    FioStart,
    /// With the result: a requested feature was not available and was replaced.
    Fallback,
    /// With the result: a circumstance that the reader should know.
    Remark,
}

impl NoteKind {
    /// Returns whether the note repeats a line of fio, which only fio's own output has.
    pub fn is_fios(self) -> bool {
        matches!(self, NoteKind::Fio | NoteKind::FioStart)
    }
}

/// One note about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Place where the note is printed.
    pub kind: NoteKind,
    /// Name of the job; empty for the whole run.
    pub job: String,
    /// Fact that the note reports. Older results have `text` instead.
    #[serde(alias = "text")]
    pub fact: NoteFact,
}

impl Note {
    /// Returns a note of kind `kind` about `job`.
    pub fn new(kind: NoteKind, job: impl Into<String>, fact: NoteFact) -> Self {
        Self { kind, job: job.into(), fact }
    }
}

/// Fact that a note reports. Every `errno` is positive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteFact {
    /// A number was read only up to a character that cannot belong to a number.
    NumberEnds {
        /// File and line of the option; `None` on the command line.
        place: Option<String>,
        /// Option as typed, shortened.
        typed: String,
        /// Value in use.
        value: String,
        /// Ignored text, shortened.
        rest: String,
    },
    /// The runtime ended while the job wrote: written blocks were not read back and checked.
    NotReadBack,
    /// A synchronous engine keeps one I/O in flight whatever the value of `iodepth`.
    DepthOfOne,
    /// A file is of the wrong kind for an engine that creates, looks up or deletes files or directories.
    OnlyFiles,
    /// A path is not a directory, but the engine creates, looks up or deletes directories.
    OnlyDirectories,
    /// A directory was not created because of `--readonly`.
    DirectoryUnderReadonly,
    /// A file was not extended because of `--readonly`.
    FileUnderReadonly,
    /// `allow_file_create=0` forbids the creation of a missing file or directory.
    CreationDisallowed,
    /// A directory could not be created.
    NoDirectory {
        /// Path of the directory.
        path: String,
        /// Error of the failed call.
        errno: i32,
    },
    /// `fallocate=posix` could not reserve space.
    NotReserved {
        /// Error of the failed call.
        errno: i32,
    },
    /// The file system was full before a file was laid out.
    LayoutFull,
    /// The jobs will write more than the file system has free.
    SpaceShort {
        /// Bytes that the jobs will write.
        wanted: u64,
        /// Free bytes of the file system.
        free: u64,
        /// Directory on the file system.
        directory: String,
    },
    /// The cgroup of the process limits a device under the targets.
    CgroupLimit {
        /// Name of the device.
        device: String,
        /// Limits on reads and writes per second; `None` without a limit.
        iops: [Option<u64>; 2],
        /// Limits on bytes read and written per second; `None` without a limit.
        bytes_per_second: [Option<u64>; 2],
    },
    /// A varied kernel setting could not be restored.
    SettingNotRestored {
        /// Name of the disk.
        disk: String,
        /// Name of the setting in the disk's `queue` directory.
        setting: String,
        /// Value in force; `None` if it cannot be read.
        now: Option<String>,
        /// Value before fathom changed it.
        before: String,
        /// Process id of the process that changed the setting.
        pid: u32,
        /// Path of the file that sets the value.
        path: String,
        /// Error of the attempt to restore the value.
        errno: i32,
    },
    /// A kernel setting that a killed fathom process had changed was restored.
    SettingRestored {
        /// Name of the disk.
        disk: String,
        /// Name of the setting in the disk's `queue` directory.
        setting: String,
        /// Value that the killed process had set.
        changed: String,
        /// Value that was restored.
        before: String,
        /// Process id of the killed process.
        pid: u32,
    },
    /// A kernel setting that a fathom process had changed has a value of somebody else, and keeps it.
    SettingChangedSince {
        /// Name of the disk.
        disk: String,
        /// Name of the setting in the disk's `queue` directory.
        setting: String,
        /// Present value.
        now: String,
        /// Value before the change of the process.
        before: String,
        /// Process id of the process.
        pid: u32,
    },
    /// The memory of `lockmem` could not be locked.
    MemoryNotLocked {
        /// Memory requested by `lockmem`, bytes.
        bytes: u64,
        /// Error of the failed call.
        errno: i32,
    },
    /// The job waited for the writer of its logs.
    LogWaits {
        /// Number of waits.
        waits: u64,
        /// Time of all waits in milliseconds.
        ms: u64,
    },
    /// Most intervals of a log (`log_avg_msec`) have no I/O.
    LogIntervalShort {
        /// Number of intervals without an I/O, over all directions.
        empty: u64,
        /// Number of all intervals, over all directions.
        intervals: u64,
    },
    /// I/Os were still in flight when the run ended.
    Unanswered {
        /// Number of these I/Os.
        ios: u64,
    },
    /// The next write would have exceeded `--wear-budget`, which ended the run.
    WearBudgetReached {
        /// Bytes that the command has written.
        written: u64,
        /// Budget in bytes.
        budget: u64,
    },
    /// Traffic of a simulated SSD (`model_ftl`) while jobs ran together.
    FlashTraffic {
        /// Pages that the jobs wrote.
        host_pages: u64,
        /// Pages that were programmed: those of the jobs, and those that garbage collection moved.
        nand_pages: u64,
        /// Blocks that were erased.
        erases: u64,
        /// Pages with data that the jobs trimmed.
        trimmed_pages: u64,
    },
    /// `ioengine=posixaio` ran on kernel AIO, because io_uring was not available.
    PosixaioOnKernelAio {
        /// Error of the failed call.
        errno: i32,
    },
    /// A measurement of fathom's own ran on libaio, because io_uring was not available.
    MeasuredWithLibaio {
        /// Error of the failed call.
        errno: i32,
    },
    /// A measurement of fathom's own ran on psync.
    MeasuredWithPsync {
        /// Error of the attempt with io_uring.
        uring_errno: i32,
        /// Error of the attempt with libaio.
        libaio_errno: i32,
    },
    /// The ring has no registered files.
    NoRegisteredFiles {
        /// Error of the failed call.
        errno: i32,
    },
    /// The ring has no registered buffer.
    NoRegisteredBuffer {
        /// Bytes of the buffer.
        bytes: u64,
        /// Error of the failed call.
        errno: i32,
    },
    /// The number of kernel workers of the ring could not be set to the depth and is the kernel's default.
    NoWorkerLimit {
        /// Error of the failed call.
        errno: i32,
    },
    /// The kernel does not support deferred task work, so the ring runs without.
    NoDeferredTaskWork,
    /// Finished text of a prefill or of a result of an older version.
    #[serde(untagged)]
    Text(String),
}
