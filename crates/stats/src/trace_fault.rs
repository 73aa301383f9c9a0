//! Faults of a trace of I/O (`read_iolog`).

use crate::trace_profile::TraceFormat;
use serde::{Deserialize, Serialize};

/// A trace that cannot be replayed, and the place of the fault in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{self:?}")]
pub struct TraceFault {
    /// Number of the line of a text, or of the event of a binary trace, from 1; 0 if the fault has no place.
    pub at: u64,
    /// Kind of the fault.
    pub kind: TraceFaultKind,
}

/// Reason why a trace cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceFaultKind {
    /// The trace cannot be read: errno, or 0 for an error without errno.
    Unreadable {
        /// Error number.
        errno: i32,
    },
    /// The text does not begin with `fio version 2 iolog` or `fio version 3 iolog`, and the file is no blktrace file.
    NoHeader {
        /// Beginning of the first line.
        found: String,
    },
    /// The trace has no I/O.
    NoIo,
    /// A line has too few fields, or its action is unknown.
    Action {
        /// Beginning of the line.
        found: String,
        /// Version of the format: 2 or 3.
        version: u8,
    },
    /// A field is not a whole number below 2^64.
    Number {
        /// The field as it is in the trace.
        found: String,
        /// Quantity that the number is.
        quantity: TraceQuantity,
    },
    /// A line of version 3 is a `wait`.
    WaitInVersion3,
    /// An I/O, `open` or `close` names a file without `add`.
    NotAdded {
        /// Name of the file.
        file: String,
    },
    /// An I/O or `close` names a file that is not open.
    NotOpen {
        /// Name of the file.
        file: String,
    },
    /// The length of a read, write or trim is 0 or too large.
    Length {
        /// Length in the trace, bytes.
        bytes: u64,
        /// Largest valid length, bytes.
        most: u64,
    },
    /// The I/O ends beyond 2^63 - 1.
    OffsetTooLarge {
        /// Offset in the trace, bytes.
        offset: u64,
    },
    /// A line is longer than this number of bytes.
    LineTooLong {
        /// Largest valid length of a line, bytes.
        most: u64,
    },
    /// The trace has more files than this number.
    TooManyFiles {
        /// Largest valid number of files.
        most: u64,
    },
    /// An event of a blktrace file does not begin with the magic number of version 7, or is cut off.
    Event,
    /// No block device has the number of an event.
    NoDevice {
        /// Major device number.
        major: u32,
        /// Minor device number.
        minor: u32,
    },
    /// A line does not have the columns of the collection.
    Row {
        /// Beginning of the line.
        found: String,
        /// Format of the trace.
        format: TraceFormat,
    },
    /// The trace of a collection has several volumes, and a replay needs one.
    Volumes {
        /// Number of volumes.
        count: u64,
        /// Names of the first volumes.
        names: Box<[String]>,
    },
    /// The trace has no I/O of the requested volume.
    NoSuchVolume {
        /// Name of the requested volume.
        volume: Box<str>,
        /// Names of the first volumes of the trace.
        found: Box<[String]>,
    },
    /// The trace has no volumes, and one is requested.
    NoVolumes,
    /// The trace names a volume, which is no file: a replay needs `replay_redirect`.
    NotAFile {
        /// Name of the volume.
        volume: String,
    },
    /// `merge_blktrace_file` is set, and the trace is no blktrace file.
    NotBlktrace,
    /// The trace has changed since it was examined before the run.
    Changed,
}

/// Quantity in a field of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TraceQuantity {
    /// Time since the start, microseconds.
    Timestamp,
    /// Duration of a wait, microseconds.
    Wait,
    /// Offset, bytes.
    Offset,
    /// Length, bytes.
    Length,
}
