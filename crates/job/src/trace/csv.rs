//! Public collections of block traces as text with commas. One adapter reads four formats; the first line tells which.
//!
//! | collection | columns | time | offset, size | source |
//! |---|---|---|---|---|
//! | MSR Cambridge | Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime | 100 ns since 1601 | bytes | README of SNIA IOTTA trace 387 |
//! | Alibaba | device_id,opcode,offset,length,timestamp | us | bytes | README of alibaba/block-traces |
//! | Tencent CBS | Timestamp,Offset,Size,IOType,VolumeID | s since 1970 | sectors of 512 bytes | README of SNIA IOTTA trace 27917 |
//! | SYSTOR '17 | Timestamp,Response,IOType,LUN,Offset,Size | s since 1970, decimal | bytes | README of the SYSTOR '17 traces at SNIA IOTTA |
//!
//! Volumes are named as in the collections: `usr_0` (host and disk) in MSR, the number of the volume in the others.

use super::opening::Opening;
use super::{Action, Names, Record, TraceFaultKind, unreadable};
use stats::trace_profile::TraceFormat;
use std::io::{BufRead, Read};

/// Largest length of a line in bytes.
const MOST_LINE: u64 = 4096;
/// Formats of this module.
const FORMATS: [TraceFormat; 4] =
    [TraceFormat::Msr, TraceFormat::Alibaba, TraceFormat::Tencent, TraceFormat::Systor];
/// Number of volumes that a fault names.
pub(super) const NAMED: usize = 8;

/// Reader of a trace of a collection.
pub struct Csv<R> {
    from: R,
    format: TraceFormat,
    text: Vec<u8>,
    /// Number of the current line, from 1.
    line: u64,
    /// Time of the first I/O in units of the format.
    first: Option<u64>,
    /// Volume whose I/Os are read; others are skipped.
    volume: Option<Vec<u8>>,
    /// Names of the first volumes that were skipped.
    skipped: Vec<String>,
    opening: Opening,
    response: Option<u64>,
}

/// Returns the format of a text that begins with these bytes; `None` if it is none of the collections.
pub(super) fn format_of(head: &[u8]) -> Option<TraceFormat> {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    FORMATS.into_iter().find(|format| is_heading(*format, line) || row(*format, line).is_some())
}

fn is_heading(format: TraceFormat, line: &[u8]) -> bool {
    line.eq_ignore_ascii_case(format.columns().as_bytes())
}

/// Fields of a line. Times are in units of the format.
struct Row<'a> {
    time: u64,
    volume: [&'a [u8]; 2],
    action: Action,
    offset: u64,
    length: u64,
    /// Nanoseconds.
    response: Option<u64>,
}

/// Returns the length of the unit of times in nanoseconds.
fn unit(format: TraceFormat) -> u64 {
    match format {
        TraceFormat::Msr => 100,
        TraceFormat::Alibaba => 1000,
        TraceFormat::Tencent => 1_000_000_000,
        _ => 1,
    }
}

/// Returns the fields of a line; `None` if it does not have the format.
fn row(format: TraceFormat, line: &[u8]) -> Option<Row<'_>> {
    let mut fields = [&b""[..]; 7];
    let mut n = 0;
    for field in line.split(|byte| *byte == b',') {
        *fields.get_mut(n)? = field.trim_ascii();
        n += 1;
    }
    let count = format.columns().bytes().filter(|byte| *byte == b',').count() + 1;
    if n != count {
        return None;
    }
    let [a, b, c, d, e, f, g] = fields;
    let sectors = |text| integer(text)?.checked_mul(512);
    let (time, volume, action, offset, length, response) = match format {
        TraceFormat::Msr => {
            (integer(a)?, [b, c], d, integer(e)?, integer(f)?, Some(integer(g)?.saturating_mul(100)))
        }
        TraceFormat::Alibaba => (integer(e)?, [a, b""], b, integer(c)?, integer(d)?, None),
        TraceFormat::Tencent => (integer(a)?, [e, b""], d, sectors(b)?, sectors(c)?, None),
        TraceFormat::Systor => {
            let response = if b.is_empty() { None } else { Some(decimal_seconds(b)?) };
            (decimal_seconds(a)?, [d, b""], c, integer(e)?, integer(f)?, response)
        }
        TraceFormat::Iolog2 | TraceFormat::Iolog3 | TraceFormat::Blktrace => return None,
    };
    let action = match (format, action) {
        (TraceFormat::Msr, b"Read") | (TraceFormat::Alibaba | TraceFormat::Systor, b"R") => Action::Read,
        (TraceFormat::Msr, b"Write") | (TraceFormat::Alibaba | TraceFormat::Systor, b"W") => Action::Write,
        (TraceFormat::Tencent, b"0") => Action::Read,
        (TraceFormat::Tencent, b"1") => Action::Write,
        _ => return None,
    };
    if volume[0].is_empty() {
        return None;
    }
    Some(Row { time, volume, action, offset, length, response })
}

fn integer(text: &[u8]) -> Option<u64> {
    let digit = |value: u64, c: &u8| {
        c.is_ascii_digit().then_some(())?;
        value.checked_mul(10)?.checked_add(u64::from(c - b'0'))
    };
    (!text.is_empty()).then_some(())?;
    text.iter().try_fold(0, digit)
}

/// Returns a number of seconds with a decimal point in nanoseconds.
fn decimal_seconds(text: &[u8]) -> Option<u64> {
    let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
    let (whole, fraction) = (&text[..point], text.get(point + 1..).unwrap_or_default());
    let digits = &fraction[..fraction.len().min(9)];
    let scale = 10u64.pow(9 - digits.len() as u32);
    let nanos = if digits.is_empty() { 0 } else { integer(digits)? * scale };
    integer(whole)?.checked_mul(1_000_000_000)?.checked_add(nanos)
}

impl<R: BufRead> Csv<R> {
    pub(super) fn new(from: R, format: TraceFormat) -> Self {
        Self {
            from,
            format,
            text: Vec::new(),
            line: 0,
            first: None,
            volume: None,
            skipped: Vec::new(),
            opening: Opening::default(),
            response: None,
        }
    }

    pub(super) fn format(&self) -> TraceFormat {
        self.format
    }

    /// Returns the number of the current line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Leaves out the I/Os of all other volumes.
    pub(super) fn select(&mut self, volume: &str) {
        self.volume = Some(volume.as_bytes().to_vec());
    }

    /// Returns the names of the first volumes that were left out.
    pub(super) fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Returns the time from the issue of the last I/O to its completion in nanoseconds, if the format has it.
    pub(super) fn response(&self) -> Option<u64> {
        self.response
    }

    /// Returns the next record; `None` at the end. A volume is opened before its first I/O.
    pub(super) fn next(&mut self, names: &mut Names) -> Result<Option<Record>, TraceFaultKind> {
        if let Some(record) = self.opening.take_waiting() {
            return Ok(Some(record));
        }
        loop {
            self.text.clear();
            self.line += 1;
            let limited = &mut self.from.by_ref().take(MOST_LINE);
            let n = limited.read_until(b'\n', &mut self.text).map_err(|e| unreadable(&e))?;
            if n == 0 {
                return Ok(None);
            }
            if n as u64 == MOST_LINE && self.text.last() != Some(&b'\n') {
                return Err(TraceFaultKind::LineTooLong { most: MOST_LINE });
            }
            let line = self.text.trim_ascii();
            if line.is_empty() || self.line == 1 && is_heading(self.format, line) {
                continue;
            }
            let Some(row) = row(self.format, line) else {
                return Err(TraceFaultKind::Row {
                    found: super::iolog::beginning(line),
                    format: self.format,
                });
            };
            let [host, disk] = row.volume;
            let joined: Vec<u8>;
            let volume = if disk.is_empty() {
                host
            } else {
                joined = [host, b"_", disk].concat();
                &joined
            };
            if self.volume.as_ref().is_some_and(|selected| selected != volume) {
                let name = String::from_utf8_lossy(volume);
                if self.skipped.len() < NAMED && !self.skipped.iter().any(|known| *known == name) {
                    self.skipped.push(name.into_owned());
                }
                continue;
            }
            // Requests without data are in some collections.
            if row.length == 0 {
                continue;
            }
            let since = row.time.saturating_sub(*self.first.get_or_insert(row.time));
            let nanos = since.saturating_mul(unit(self.format));
            let file = names.add_volume(volume)?;
            let record = Record::of_io(nanos, row.action, file, row.offset, row.length)?;
            self.response = row.response;
            return Ok(Some(self.opening.opened_first(record)));
        }
    }
}
