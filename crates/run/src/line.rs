//! Lines for standard error about a job, as data; fio prints some of them too.

use std::path::PathBuf;

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
    /// A line in the words of fio or of the system.
    Text(String),
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line::Text(text)
    }
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
