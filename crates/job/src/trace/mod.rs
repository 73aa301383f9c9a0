//! Traces of I/O: fio's text logs of versions 2 and 3 (`read_iolog`), binary files of blktrace, and public collections. A trace is read record
//! by record in bounded memory, whatever its size.

mod blktrace;
mod csv;
mod iolog;
mod merge;
mod names;
mod opening;
mod profile;
mod replay;
mod scan;
mod synthetic;

pub use blktrace::is_blktrace;
pub use merge::{MergeSource, MergeSpec, Merged, OpenTrace};
pub use names::{Names, TraceFile};
pub use profile::{ConvertError, IOLOG_HEAD, convert, profile};
pub(crate) use replay::skip;
pub use replay::{ReplaySpec, Replayed};
pub use scan::{TraceSummary, scan};
pub use stats::trace_fault::{TraceFault, TraceFaultKind, TraceQuantity};
pub use synthetic::{JOB_HEAD, synthetic_job};

use blktrace::Blktrace;
use csv::Csv;
use iolog::Iolog;
use stats::trace_profile::TraceFormat;
use std::io::BufRead;

/// Largest length in bytes of a read or write of a trace: the largest block of a job.
pub const MOST_BYTES: u64 = crate::unit::LARGEST_BLOCK as u64;
/// Largest length in bytes of a trim of a trace.
pub const MOST_TRIM: u64 = u32::MAX as u64;
/// Largest number of files of a trace.
pub const MOST_FILES: u64 = 1 << 20;

/// Action of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Opens the file.
    Open,
    /// Closes the file.
    Close,
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Trims (discards).
    Trim,
    /// Syncs data and metadata: fsync(2), or a flush of a device.
    Sync,
    /// Syncs data: fdatasync(2).
    Datasync,
}

impl Action {
    /// Returns the direction of a read, write or trim; `None` for other actions.
    pub fn direction(self) -> Option<stats::Direction> {
        match self {
            Action::Read => Some(stats::Direction::Read),
            Action::Write => Some(stats::Direction::Write),
            Action::Trim => Some(stats::Direction::Trim),
            Action::Open | Action::Close | Action::Sync | Action::Datasync => None,
        }
    }
}

/// Record of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Time since the start of the trace in nanoseconds.
    pub nanos: u64,
    /// Action.
    pub action: Action,
    /// Number of the file in [`Names`].
    pub file: u32,
    /// Offset in bytes; 0 for actions without data.
    pub offset: u64,
    /// Length in bytes; 0 for actions without data.
    pub length: u32,
}

impl Record {
    /// Returns the record of a read, write or trim.
    fn of_io(
        nanos: u64,
        action: Action,
        file: u32,
        offset: u64,
        length: u64,
    ) -> Result<Self, TraceFaultKind> {
        let most = if action == Action::Trim { MOST_TRIM } else { MOST_BYTES };
        if length == 0 || length > most {
            return Err(TraceFaultKind::Length { bytes: length, most });
        }
        if offset.checked_add(length).is_none_or(|end| end > i64::MAX as u64) {
            return Err(TraceFaultKind::OffsetTooLarge { offset });
        }
        Ok(Self { nanos, action, file, offset, length: length as u32 })
    }
}

/// Trace of any format.
pub enum Trace<R> {
    /// fio's text format, version 2 or 3.
    Iolog(Iolog<R>),
    /// Binary events of blktrace.
    Blktrace(Blktrace<R>),
    /// Text of a public collection.
    Csv(Csv<R>),
}

impl<R: BufRead> Trace<R> {
    /// Begins to read a trace; its first bytes tell its format.
    ///
    /// # Errors
    /// The file has neither format, or cannot be read.
    pub fn new(mut from: R) -> Result<Self, TraceFault> {
        let head = from.fill_buf().map_err(|e| TraceFault { at: 0, kind: unreadable(&e) })?;
        match blktrace::byte_order(head) {
            Some(order) => Ok(Trace::Blktrace(Blktrace::new(from, order))),
            None => match csv::format_of(head) {
                Some(format) => Ok(Trace::Csv(Csv::new(from, format))),
                None => Ok(Trace::Iolog(Iolog::new(from)?)),
            },
        }
    }

    /// Returns the format; that of the current recording if several were appended.
    pub fn format(&self) -> TraceFormat {
        match self {
            Trace::Iolog(iolog) => iolog.format(),
            Trace::Blktrace(_) => TraceFormat::Blktrace,
            Trace::Csv(csv) => csv.format(),
        }
    }

    /// Leaves out the I/Os of all volumes but this one.
    fn select(&mut self, volume: &str) -> Result<(), TraceFaultKind> {
        match self {
            Trace::Csv(csv) => csv.select(volume),
            Trace::Iolog(_) | Trace::Blktrace(_) => return Err(TraceFaultKind::NoVolumes),
        }
        Ok(())
    }

    /// Returns the names of the first volumes that were left out.
    fn skipped(&self) -> &[String] {
        match self {
            Trace::Csv(csv) => csv.skipped(),
            Trace::Iolog(_) | Trace::Blktrace(_) => &[],
        }
    }

    /// Returns the time from the issue of the last I/O to its completion in nanoseconds, if the trace has it.
    fn response(&self) -> Option<u64> {
        match self {
            Trace::Csv(csv) => csv.response(),
            Trace::Iolog(_) | Trace::Blktrace(_) => None,
        }
    }

    /// Returns the next record; `None` at the end. Files that the trace names are added to `names`.
    ///
    /// # Errors
    /// A line or an event cannot be replayed.
    pub fn next(&mut self, names: &mut Names) -> Result<Option<Record>, TraceFault> {
        match self {
            Trace::Iolog(iolog) => iolog.next(names).map_err(|kind| TraceFault { at: iolog.line(), kind }),
            Trace::Csv(csv) => csv.next(names).map_err(|kind| TraceFault { at: csv.line(), kind }),
            Trace::Blktrace(events) => {
                events.next(names).map_err(|kind| TraceFault { at: events.number(), kind })
            }
        }
    }
}

fn unreadable(e: &std::io::Error) -> TraceFaultKind {
    // A merged trace has the faults of its sources.
    if let Some(fault) = e.get_ref().and_then(|inner| inner.downcast_ref::<TraceFault>()) {
        return fault.kind.clone();
    }
    TraceFaultKind::Unreadable { errno: e.raw_os_error().unwrap_or(0) }
}
