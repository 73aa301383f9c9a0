//! fio's text logs, versions 2 and 3.
//!
//! Version 2 has lines `FILE ACTION` and `FILE ACTION OFFSET LENGTH`, and `FILE wait MICROSECONDS 0`; version 3 has a time
//! in microseconds in front and no `wait`. As fio does, the reader ignores fields after those of the action.

use super::{Action, Names, Record, TraceFault, TraceFaultKind, TraceQuantity, unreadable};
use stats::trace_profile::TraceFormat;
use std::io::{BufRead, Read};

/// Largest length of a line in bytes.
const MOST_LINE: u64 = 64 << 10;
/// Waits below this number of microseconds are ignored, as fio's manual says.
const LEAST_WAIT: u64 = 100;

/// Reader of a text log.
pub struct Iolog<R> {
    from: R,
    version: u8,
    /// Current line, and its number from 1.
    text: Vec<u8>,
    line: u64,
    /// Time of the next record in nanoseconds, from the waits of version 2; largest time so far in version 3.
    nanos: u64,
    /// Time in nanoseconds that is added to the timestamps of version 3: the end of the recordings before this one.
    base: u64,
    /// Whether each file is open.
    open: Vec<bool>,
    /// Number of the file of the last line; most lines are about the same file.
    last: (Vec<u8>, u32),
}

impl<R: BufRead> Iolog<R> {
    /// Reads the header.
    pub(super) fn new(from: R) -> Result<Self, TraceFault> {
        let mut iolog = Self {
            from,
            version: 0,
            text: Vec::new(),
            line: 0,
            nanos: 0,
            base: 0,
            open: Vec::new(),
            last: (Vec::new(), u32::MAX),
        };
        let read = iolog.read_line().map_err(|kind| TraceFault { at: iolog.line, kind })?;
        match version(&iolog.text).filter(|_| read) {
            Some(version) => Ok(Self { version, ..iolog }),
            None => {
                Err(TraceFault { at: 1, kind: TraceFaultKind::NoHeader { found: beginning(&iolog.text) } })
            }
        }
    }

    pub(super) fn format(&self) -> TraceFormat {
        if self.version == 2 { TraceFormat::Iolog2 } else { TraceFormat::Iolog3 }
    }

    /// Returns the number of the current line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next line without its end; returns whether there is one.
    fn read_line(&mut self) -> Result<bool, TraceFaultKind> {
        self.text.clear();
        self.line += 1;
        let limited = &mut self.from.by_ref().take(MOST_LINE);
        let n = limited.read_until(b'\n', &mut self.text).map_err(|e| unreadable(&e))?;
        if n as u64 == MOST_LINE && self.text.last() != Some(&b'\n') {
            return Err(TraceFaultKind::LineTooLong { most: MOST_LINE });
        }
        self.text.truncate(self.text.trim_ascii_end().len());
        Ok(n > 0)
    }

    /// Returns the next record; `None` at the end.
    pub(super) fn next(&mut self, names: &mut Names) -> Result<Option<Record>, TraceFaultKind> {
        loop {
            if !self.read_line()? {
                return Ok(None);
            }
            if self.text.is_empty() {
                continue;
            }
            // A recording that was appended to another has a header of its own.
            if let Some(version) = version(&self.text) {
                self.version = version;
                self.base = self.nanos;
                self.open.fill(false);
                continue;
            }
            let text = std::mem::take(&mut self.text);
            let record = self.record(&text, names);
            self.text = text;
            if let Some(record) = record? {
                return Ok(Some(record));
            }
        }
    }

    /// Returns the record of a line; `None` for `add` and `wait`.
    fn record(&mut self, text: &[u8], names: &mut Names) -> Result<Option<Record>, TraceFaultKind> {
        let version = self.version;
        let malformed = || TraceFaultKind::Action { found: beginning(text), version };
        let mut fields = text.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        if version == 3 {
            let micros = number(fields.next().ok_or_else(malformed)?, TraceQuantity::Timestamp)?;
            let nanos = self.base.saturating_add(micros.saturating_mul(1000));
            self.nanos = self.nanos.max(nanos);
        }
        let (Some(name), Some(action)) = (fields.next(), fields.next()) else { return Err(malformed()) };
        let action = match action {
            b"add" => {
                names.add(name)?;
                return Ok(None);
            }
            b"wait" if version == 3 => return Err(TraceFaultKind::WaitInVersion3),
            b"wait" => {
                let micros = number(fields.next().ok_or_else(malformed)?, TraceQuantity::Wait)?;
                if micros >= LEAST_WAIT {
                    self.nanos = self.nanos.saturating_add(micros.saturating_mul(1000));
                }
                return Ok(None);
            }
            b"open" => Action::Open,
            b"close" => Action::Close,
            b"read" => Action::Read,
            b"write" => Action::Write,
            b"trim" => Action::Trim,
            b"sync" => Action::Sync,
            b"datasync" => Action::Datasync,
            _ => return Err(malformed()),
        };
        let file = self.file(name, names)?;
        let is_open = self.open.get(file as usize).copied().unwrap_or(false);
        if action == Action::Open {
            if self.open.len() <= file as usize {
                self.open.resize(file as usize + 1, false);
            }
            self.open[file as usize] = true;
        } else if !is_open {
            return Err(TraceFaultKind::NotOpen { file: String::from_utf8_lossy(name).into_owned() });
        }
        let empty = Record { nanos: self.nanos, action, file, offset: 0, length: 0 };
        match action {
            // A file that is open already stays open.
            Action::Open => Ok((!is_open).then_some(empty)),
            Action::Close => {
                self.open[file as usize] = false;
                Ok(Some(empty))
            }
            // fio's logs have an offset and a length of syncs, which mean nothing.
            Action::Sync | Action::Datasync => Ok(Some(empty)),
            Action::Read | Action::Write | Action::Trim => {
                let offset = number(fields.next().ok_or_else(malformed)?, TraceQuantity::Offset)?;
                let length = number(fields.next().ok_or_else(malformed)?, TraceQuantity::Length)?;
                Record::of_io(self.nanos, action, file, offset, length).map(Some)
            }
        }
    }

    fn file(&mut self, name: &[u8], names: &Names) -> Result<u32, TraceFaultKind> {
        if self.last.1 == u32::MAX || self.last.0 != name {
            let Some(number) = names.find(name) else {
                return Err(TraceFaultKind::NotAdded { file: String::from_utf8_lossy(name).into_owned() });
            };
            self.last.0.clear();
            self.last.0.extend_from_slice(name);
            self.last.1 = number;
        }
        Ok(self.last.1)
    }
}

/// Returns the version of a header line; `None` for any other line.
fn version(text: &[u8]) -> Option<u8> {
    match text {
        b"fio version 2 iolog" => Some(2),
        b"fio version 3 iolog" => Some(3),
        _ => None,
    }
}

fn number(field: &[u8], quantity: TraceQuantity) -> Result<u64, TraceFaultKind> {
    let bad = || TraceFaultKind::Number { found: beginning(field), quantity };
    if field.is_empty() || !field.iter().all(u8::is_ascii_digit) {
        return Err(bad());
    }
    let digit = |value: u64, c: &u8| value.checked_mul(10)?.checked_add(u64::from(c - b'0'));
    field.iter().try_fold(0, digit).ok_or_else(bad)
}

/// Returns the beginning of a text for a message.
pub(super) fn beginning(text: &[u8]) -> String {
    const SHOWN: usize = 60;
    let cut = text.len() > SHOWN;
    let shown = String::from_utf8_lossy(&text[..text.len().min(SHOWN)]);
    let printable: String = shown.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    if cut { printable + "..." } else { printable }
}
