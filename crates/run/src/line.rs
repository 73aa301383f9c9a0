//! Lines about a job for standard error or standard output, as data; fio also prints some of these lines.

use crate::output::OutputError;
use stats::scsi::ScsiStatus;
use stats::slow_ios::SlowIos;
use stats::verification::{Mismatch, Verification};
use std::path::PathBuf;
use std::process::ExitStatus;

/// A line about a job, for standard error unless the variant names standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// fio's line about a failed I/O.
    FailedIo {
        /// Path of the file or device on which the I/O failed.
        path: PathBuf,
        /// errno of the failure, positive.
        errno: i32,
        /// fio's name of the operation.
        operation: &'static str,
        /// Offset of the I/O in bytes.
        offset: u64,
        /// Length of the I/O in bytes.
        length: u32,
    },
    /// fathom's line about a failed trim; fio has no such line.
    FailedTrim {
        /// Path of the file or device on which the trim failed.
        path: PathBuf,
        /// errno of the failure, positive.
        errno: i32,
        /// Offset of the trim in bytes.
        offset: u64,
        /// Length of the trim in bytes.
        length: u32,
        /// Cause of the failure, if it is known.
        cause: Option<TrimCause>,
    },
    /// fio's line about a SCSI command that failed.
    ScsiFailed(Box<ScsiStatus>),
    /// fathom's line about a file in which the writes of a job cannot be atomic.
    NotAtomic {
        /// Path of the file or device.
        path: PathBuf,
        /// Smallest and largest block of the job's writes in bytes.
        blocks: (u64, u64),
        /// Smallest and largest atomic write in bytes; `None` = no write is atomic.
        limits: Option<(u64, u64)>,
    },
    /// fathom's line about direct I/Os that failed with EINVAL.
    DirectIoRefused,
    /// fio's line about an I/O that took longer than `max_latency`.
    TooSlow {
        /// Path of the file or device on which the I/O was slow.
        path: PathBuf,
        /// fio's name of the operation.
        operation: &'static str,
        /// Offset of the I/O in bytes.
        offset: u64,
        /// Length of the I/O in bytes.
        length: u32,
        /// Latency of the I/O in nanoseconds.
        latency: u64,
        /// Limit `max_latency` in nanoseconds.
        most: u64,
    },
    /// fio's line about a minimum rate that was missed.
    RateMissed {
        /// Name of the job (`name=`).
        job: String,
        /// Minimum rate and rate reached.
        missed: MissedRate,
    },
    /// fio's line about an engine that cannot be set up.
    EngineInitFailed {
        /// Name of the engine, as in `ioengine=`.
        engine: &'static str,
    },
    /// fathom's line about an option that the engine requires.
    EngineNeeds {
        /// Name of the job (`name=`).
        job: String,
        /// Name of the engine, as in `ioengine=`.
        engine: &'static str,
        /// The required option with a valid value.
        example: &'static str,
    },
    /// fio's line about missing huge pages.
    NoHugePages,
    /// fathom's line about I/Os that the device never completed.
    Unanswered {
        /// Name of the job (`name=`).
        job: String,
        /// Number of I/Os that never completed.
        ios: u64,
    },
    /// Line about a system call that failed although the job continues.
    System {
        /// fio's name of the call.
        call: &'static str,
        /// errno of the failure, positive.
        errno: i32,
    },
    /// fio's two lines about a file system that does not support O_DIRECT.
    NoDirectIo,
    /// fathom's line about io_uring that this process may not use.
    UringForbidden {
        /// Name of the job (`name=`).
        job: String,
    },
    /// fio's line on standard output about an empty file, which the job does not use.
    FileIgnored {
        /// Path of the empty file.
        path: PathBuf,
    },
    /// fio's line on standard output about the file that receives the output of `exec_prerun` or `exec_postrun`.
    HookOutput {
        /// Name of the job (`name=`).
        job: String,
        /// `prerun` or `postrun`.
        when: &'static str,
        /// Path of the file that receives the output.
        file: String,
    },
    /// fathom's line about a failure of `exec_prerun` or `exec_postrun`.
    HookFailed {
        /// Name of the job (`name=`).
        job: String,
        /// `prerun` or `postrun`.
        when: &'static str,
        /// Reason of the failure.
        fault: HookFault,
    },
    /// fio's line on standard output about a job with `ioengine=cpuio`.
    BusyCpu {
        /// Name of the job (`name=`).
        job: String,
        /// Whether the job sorts (`cpumode=qsort`).
        sort: bool,
        /// Value of `cpuload` in percent.
        load: u32,
        /// Value of `cpuchunks` in microseconds.
        cycle_us: u64,
    },
    /// fio's line on standard output about a job with `ioengine=exec`.
    Program {
        /// Name of the job (`name=`).
        job: String,
        /// Value of `program`.
        program: String,
        /// Value of `arguments` as typed.
        arguments: String,
    },
    /// fio's line on standard output about a job that waits for a connection.
    AwaitsConnection,
    /// fio's line on standard output about the program that a job with `ioengine=exec` starts.
    ProgramRuns {
        /// Name of the job (`name=`).
        job: String,
        /// Program and its arguments.
        command: String,
        /// Whether the program's output goes to files of the job.
        redirected: bool,
    },
    /// fio's lines about a block that does not contain what it should, and fathom's line about its damage.
    Mismatch {
        /// The block.
        mismatch: Box<Mismatch>,
        /// Files to which the block was written (`verify_dump`).
        dumped: Vec<Dumped>,
    },
    /// fathom's line at the end of a job that found damaged blocks.
    Damaged {
        /// Name of the job (`name=`).
        job: String,
        /// Numbers of checked and of damaged blocks.
        verification: Box<Verification>,
    },
    /// fathom's line about a state of verification that could not be saved.
    StateNotSaved(OutputError),
    /// A line whose text comes from fio's wording or from the system.
    Text(String),
    /// The table and the verdict of the profile `act`.
    SlowIos(SlowIos),
}

/// Data of a block that was written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dumped {
    /// Kind of the data, in fio's words: `received`, `expected` or `hdr_fail`.
    pub kind: &'static str,
    /// Name of the file.
    pub file: String,
    /// Reason why the file could not be written.
    pub failed: Option<OutputError>,
}

/// Reason why a command before or after a job failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookFault {
    /// The output file of the command cannot be used.
    Output(OutputError),
    /// The command ended with this exit status.
    Ended(ExitStatus),
    /// The shell could not be started.
    NotStarted {
        /// errno of the failure, positive.
        errno: i32,
    },
}

/// Cause of a failed trim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimCause {
    /// The target is not a block device.
    NoBlockDevice,
    /// Offset or length is not a multiple of the logical block size.
    Misaligned,
    /// The device does not support discard.
    Unsupported,
}

/// A minimum rate that a job missed, and the rate reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissedRate {
    /// Minimum of `rate_min`, in bytes per second.
    Bytes {
        /// Minimum rate in bytes per second.
        least: u64,
        /// Rate reached in bytes per second.
        got: u64,
    },
    /// Minimum of `rate_iops_min`, in I/Os per second.
    Ios {
        /// Minimum rate in I/Os per second.
        least: u64,
        /// Rate reached in I/Os per second.
        got: u64,
    },
}
