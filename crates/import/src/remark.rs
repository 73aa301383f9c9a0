//! Remarks about files: why a file was skipped, or which part of a file was ignored.

use rustix::io::Errno;
use stats::Direction;
use std::io;
use std::path::PathBuf;

/// Reason why a file was skipped, or note about a file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The operating system reports this error.
    System(Errno),
    /// The directory contains no file whose name is that of a result or a log.
    EmptyDirectory,
    /// No path was given.
    NoPath,
    /// The file is larger than any result.
    TooLong {
        /// Largest size of a result in MiB.
        most_mib: u64,
    },
    /// The path is neither a regular file nor a directory.
    NotRegular,
    /// A log of histograms that fio compressed (`log_store_compressed`) and that has no counts.
    Compressed,
    /// Another file has a result of the same load; both are kept.
    SameLoad {
        /// First file with that load.
        first: PathBuf,
    },
    /// The log has no lines.
    EmptyLog,
    /// A line does not have fio's format.
    Line {
        /// Number of the line, counted from 1.
        number: usize,
        /// Reason why the line cannot be read.
        fault: LineFault,
    },
    /// The last line is incomplete and was ignored.
    LastLine {
        /// Number of the line, counted from 1.
        number: usize,
        /// Reason why the line cannot be read.
        fault: LineFault,
    },
    /// All I/Os of one direction completed in the first millisecond of the log, so no rate can be computed.
    NoRate {
        /// Direction of these I/Os.
        direction: Direction,
    },
    /// The file has earlier reports of the run (`--status-interval`), which the last report includes.
    EarlierReports {
        /// Number of earlier reports.
        reports: usize,
    },
    /// The job did no I/O.
    NoIo {
        /// Name of the job.
        job: String,
    },
    /// The JSON contains no job.
    NoJob,
    /// The file is empty or contains only white space.
    Empty,
    /// The only JSON document is incomplete.
    BreaksOff {
        /// Number of the line with the error, from 1.
        line: usize,
        /// Message of the JSON parser.
        error: String,
    },
    /// One of several JSON documents is incomplete.
    DocumentBreaksOff {
        /// Number of the document's first line, from 1.
        line: usize,
    },
    /// Other text comes before the JSON.
    TextBefore {
        /// Number of lines of that text.
        lines: usize,
        /// Beginning of the first line, at most 80 characters.
        first: String,
    },
    /// The file contains no JSON.
    NoJson(Text),
    /// The value of `jobs` is not a list.
    JobsNotListed,
    /// The job's directions were counted together (`unified_rw_reporting`), so the job was skipped.
    Unified {
        /// Name of the job.
        job: String,
    },
    /// An error ended the job.
    JobFailed {
        /// Name of the job.
        job: String,
        /// Error number in fio's result.
        error: u64,
    },
}

/// Kind of a text without JSON, by its appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// fio's terse output.
    Terse,
    /// fio's normal output.
    Report,
    /// Lines of a log in a file that does not have the name of a log.
    UnnamedLog,
    /// The file has no format that fio writes.
    Foreign,
}

/// Reason why a line of a log cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// The operating system reports this error.
    System(Errno),
    /// The line is longer than any line of fio.
    TooLong,
    /// The line has fewer columns than a log of values.
    Columns {
        /// Number of columns in the line.
        columns: usize,
    },
    /// The line has fewer columns than a log of histograms.
    HistogramColumns {
        /// Number of columns in the line.
        columns: usize,
    },
    /// The column is not a whole number.
    NotWhole {
        /// Column with the error.
        column: Column,
        /// First 20 characters of the column.
        text: String,
    },
    /// The value is not a number of at least 0.
    NotNumber {
        /// First 20 characters of the value.
        text: String,
    },
    /// No direction has this number (0 = read, 1 = write, 2 = trim).
    NotDirection {
        /// Number in the column of the direction.
        number: u64,
    },
    /// The number of buckets differs from that of fio's histograms.
    Buckets {
        /// Number of buckets in the line.
        buckets: usize,
    },
    /// A bucket has more I/Os than a device can complete in one interval.
    Count {
        /// Number of I/Os in the bucket.
        ios: u64,
    },
}

/// Column of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Time in milliseconds.
    Time,
    /// Direction: 0 = read, 1 = write, 2 = trim.
    Direction,
    /// Block size in bytes.
    BlockSize,
    /// Fifth column: offset or priority.
    Fifth,
    /// Number of I/Os in a bucket of a histogram.
    Count,
}

/// Returns the error number of an I/O error; EIO if it has none.
pub(crate) fn errno(e: &io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}

impl From<io::Error> for Remark {
    fn from(e: io::Error) -> Remark {
        Remark::System(errno(&e))
    }
}
