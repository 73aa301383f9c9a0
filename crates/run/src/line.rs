//! Lines for standard error about a job, as data; fio prints some of them too.

use crate::output::OutputError;
use std::path::PathBuf;
use std::process::ExitStatus;

/// A line for standard error about a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// fio's line about a failed I/O.
    FailedIo {
        /// The file.
        path: PathBuf,
        /// Errno, positive.
        errno: i32,
        /// fio's name of the operation.
        operation: &'static str,
        /// Byte offset.
        offset: u64,
        /// Bytes.
        length: u32,
    },
    /// Our line about a failed trim; fio has none.
    FailedTrim {
        /// The file or device.
        path: PathBuf,
        /// Errno, positive.
        errno: i32,
        /// Byte offset.
        offset: u64,
        /// Bytes.
        length: u32,
        /// Why it failed, where that is known.
        cause: Option<TrimCause>,
    },
    /// Our line about direct I/Os that failed with EINVAL.
    DirectIoRefused,
    /// fio's line about an I/O that took longer than `max_latency`.
    TooSlow {
        /// The file.
        path: PathBuf,
        /// fio's name of the operation.
        operation: &'static str,
        /// Byte offset.
        offset: u64,
        /// Bytes.
        length: u32,
        /// Its latency, nanoseconds.
        latency: u64,
        /// `max_latency`, nanoseconds.
        most: u64,
    },
    /// fio's line about a minimum rate that was missed.
    RateMissed {
        /// Name of the job.
        job: String,
        /// The rate.
        missed: MissedRate,
    },
    /// fio's line about an engine that cannot be set up.
    EngineInitFailed {
        /// Name of the engine.
        engine: &'static str,
    },
    /// Our line about an option that the engine needs.
    EngineNeeds {
        /// Name of the job.
        job: String,
        /// Name of the engine.
        engine: &'static str,
        /// The option with a value that works.
        example: &'static str,
    },
    /// fio's line about huge pages that are not available.
    NoHugePages,
    /// Our line about I/Os that the device never completed.
    Unanswered {
        /// Name of the job.
        job: String,
        /// Number of these I/Os.
        ios: u64,
    },
    /// A system call failed and the job goes on.
    System {
        /// fio's name of the call.
        call: &'static str,
        /// Errno, positive.
        errno: i32,
    },
    /// fio's two lines about a file system without O_DIRECT.
    NoDirectIo,
    /// Our line about io_uring that is forbidden here.
    UringForbidden {
        /// Name of the job.
        job: String,
    },
    /// fio's line on standard output about an empty file that counts as none.
    FileIgnored {
        /// The file.
        path: PathBuf,
    },
    /// fio's line on standard output about the output of `exec_prerun` or `exec_postrun`.
    HookOutput {
        /// Name of the job.
        job: String,
        /// `prerun` or `postrun`.
        when: &'static str,
        /// File that takes the output.
        file: String,
    },
    /// Our line about `exec_prerun` or `exec_postrun` that failed.
    HookFailed {
        /// Name of the job.
        job: String,
        /// `prerun` or `postrun`.
        when: &'static str,
        /// Why.
        fault: HookFault,
    },
    /// fio's line on standard output about a job of `ioengine=cpuio`.
    BusyCpu {
        /// Name of the job.
        job: String,
        /// `cpumode=qsort`.
        sort: bool,
        /// `cpuload`, percent.
        load: u32,
        /// `cpuchunks`, microseconds.
        cycle_us: u64,
    },
    /// fio's line on standard output about a job of `ioengine=exec`.
    Program {
        /// Name of the job.
        job: String,
        /// `program`.
        program: String,
        /// `arguments` as typed.
        arguments: String,
    },
    /// fio's line on standard output about the program that such a job starts.
    ProgramRuns {
        /// Name of the job.
        job: String,
        /// The program and its arguments.
        command: String,
        /// Its output goes to files of the job.
        redirected: bool,
    },
    /// A line in the words of fio or of the system.
    Text(String),
}

/// Why a command before or after a job failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookFault {
    /// Its output cannot go to its file.
    Output(OutputError),
    /// It ended with an error.
    Ended(ExitStatus),
    /// The shell could not be started.
    NotStarted {
        /// Errno, positive.
        errno: i32,
    },
}

/// Why a trim failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimCause {
    /// The target is no block device.
    NoBlockDevice,
    /// Offset or length is no multiple of the logical block size.
    Misaligned,
    /// The device cannot discard.
    Unsupported,
}

/// A minimum rate that was missed, and the rate that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissedRate {
    /// `rate_min`, bytes per second.
    Bytes {
        /// The minimum.
        least: u64,
        /// The rate reached.
        got: u64,
    },
    /// `rate_iops_min`, I/Os per second.
    Ios {
        /// The minimum.
        least: u64,
        /// The rate reached.
        got: u64,
    },
}
