//! What is to be known of a file: why it was not read, or what of it was left out.

use rustix::io::Errno;
use stats::Direction;
use std::io;
use std::path::PathBuf;

/// Why a file was skipped, or a note about one that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The system cannot read it.
    System(Errno),
    /// A directory without a file whose name is that of a result or a log.
    EmptyDirectory,
    /// No path was given.
    NoPath,
    /// Longer than any result of fio.
    TooLong,
    /// Neither a regular file nor a directory.
    NotRegular,
    /// A compressed log (`log_store_compressed`).
    Compressed,
    /// Another file has the same load; both are kept.
    SameLoad {
        /// The first file that has it.
        first: PathBuf,
    },
    /// A log without a line.
    EmptyLog,
    /// A line that fio does not write.
    Line {
        /// Number of the line, counted from 1.
        number: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// The last line is cut off and was left out.
    LastLine {
        /// Number of the line, counted from 1.
        number: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// All I/Os of one direction ended in the first millisecond of the log.
    NoRate {
        /// Their direction.
        direction: Direction,
    },
    /// Earlier reports of a run (`--status-interval`), which the last one includes.
    EarlierReports {
        /// How many.
        reports: usize,
    },
    /// A job without any I/O.
    NoIo {
        /// Its name.
        job: String,
    },
    /// JSON without a job.
    NoJob,
    /// No bytes but white space.
    Empty,
    /// Its only document is not complete.
    BreaksOff {
        /// Line of the file, from 1.
        line: usize,
        /// What the JSON parser says.
        error: String,
    },
    /// One of several documents is not complete.
    DocumentBreaksOff {
        /// Line of the file at which it begins, from 1.
        line: usize,
    },
    /// Text before the JSON.
    TextBefore {
        /// Number of its lines.
        lines: usize,
        /// The beginning of the first one.
        first: String,
    },
    /// No JSON.
    NoJson(Text),
    /// `jobs` is not a list.
    JobsNotListed,
    /// A job whose directions were counted as one (`unified_rw_reporting`).
    Unified {
        /// Its name.
        job: String,
    },
    /// A job that an error ended.
    JobFailed {
        /// Its name.
        job: String,
        /// fio's number of the error.
        error: u64,
    },
}

/// A text without JSON, by what it looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// fio's terse output.
    Terse,
    /// fio's report for people.
    Report,
    /// Lines of a log; the name of the file is not that of a log.
    UnnamedLog,
    /// The file has no format that fio writes.
    Foreign,
}

/// What is wrong with a line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// The system cannot read it.
    System(Errno),
    /// Longer than any line of fio's.
    TooLong,
    /// Fewer columns than a log of values has.
    Columns {
        /// Columns of the line.
        columns: usize,
    },
    /// Fewer columns than a log of histograms has.
    HistogramColumns {
        /// Columns of the line.
        columns: usize,
    },
    /// A whole number is expected.
    NotWhole {
        /// Where.
        column: Column,
        /// The beginning of what is there.
        text: String,
    },
    /// The value is not a number from 0 up.
    NotNumber {
        /// The beginning of what is there.
        text: String,
    },
    /// No direction has this number.
    NotDirection {
        /// The number.
        number: u64,
    },
    /// Another number of buckets than fio's histograms have.
    Buckets {
        /// Their number.
        buckets: usize,
    },
    /// More I/Os than a device can complete in one interval.
    Count {
        /// How many.
        ios: u64,
    },
}

/// A column of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Time.
    Time,
    /// Direction.
    Direction,
    /// Block size.
    BlockSize,
    /// The fifth: offset or priority.
    Fifth,
    /// A count of a histogram.
    Count,
}

/// The errno of an error of the system.
pub(crate) fn errno(e: &io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}

impl From<io::Error> for Remark {
    fn from(e: io::Error) -> Remark {
        Remark::System(errno(&e))
    }
}
