//! Profile of a whole trace, and its conversion to fio's text.

use super::replay::no_io;
use super::{Action, Names, Record, Trace, TraceFault, TraceFaultKind, TraceFile};
use stats::trace_profile::{TraceIo, TraceProfile, TraceProfiler};
use std::io::{self, BufRead, Write};

/// Reads a whole trace and returns its profile. `volume` is the one of a collection whose I/Os count; `None` for all.
///
/// # Errors
/// A line or an event cannot be read, the volume is not in the trace, or the trace has no I/O.
pub fn profile(from: impl BufRead, volume: Option<&str>) -> Result<TraceProfile, TraceFault> {
    let mut profiler = TraceProfiler::default();
    let mut names = Names::default();
    let mut records = Selected::new(from, volume)?;
    let (mut ios, mut syncs) = (0u64, 0u64);
    while let Some(record) = records.next(&mut names)? {
        if let Some(direction) = record.action.direction() {
            ios += 1;
            profiler.add(&TraceIo {
                nanos: record.nanos,
                direction,
                file: record.file,
                offset: record.offset,
                length: record.length,
                response: records.trace.response(),
            });
        } else if matches!(record.action, Action::Sync | Action::Datasync) {
            syncs += 1;
            profiler.add_sync();
        }
    }
    if ios == 0 && syncs == 0 {
        return Err(no_io());
    }
    let files: Vec<String> = names.files().iter().map(name).collect();
    Ok(profiler.finish(records.trace.format(), &files))
}

/// Beginning of every converted trace.
pub const IOLOG_HEAD: &[u8] = b"fio version 3 iolog\n";

/// Error of a conversion.
#[derive(Debug)]
pub enum ConvertError {
    /// The trace cannot be read.
    Trace(TraceFault),
    /// The output cannot be written.
    Output(io::Error),
}

/// Writes a trace in fio's text format, version 3. Devices of blktrace files are named by `device`, volumes of
/// collections by their names.
///
/// # Errors
/// A line or an event cannot be read, the volume is not in the trace, or the output cannot be written.
pub fn convert(
    from: impl BufRead,
    volume: Option<&str>,
    to: &mut impl Write,
    device: impl Fn(u32, u32) -> Option<String>,
) -> Result<(), ConvertError> {
    let mut names = Names::default();
    let mut records = Selected::new(from, volume).map_err(ConvertError::Trace)?;
    let mut written: Vec<String> = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    let output = ConvertError::Output;
    to.write_all(IOLOG_HEAD).map_err(output)?;
    let mut micros = 0;
    while let Some(record) = records.next(&mut names).map_err(ConvertError::Trace)? {
        let file = record.file as usize;
        micros = record.nanos / 1000;
        for file in &names.files()[written.len()..] {
            let found = match file {
                TraceFile::Device(major, minor) => device(*major, *minor),
                TraceFile::Path(_) | TraceFile::Volume(_) => None,
            };
            // A name in the text ends with a blank.
            let shown = found.unwrap_or_else(|| name(file)).replace(char::is_whitespace, "_");
            writeln!(to, "{micros} {shown} add").map_err(output)?;
            written.push(shown);
        }
        open.resize(written.len(), false);
        let shown = &written[file];
        let Record { offset, length, .. } = record;
        let action = match record.action {
            Action::Open | Action::Close => {
                open[file] = record.action == Action::Open;
                let action = if open[file] { "open" } else { "close" };
                writeln!(to, "{micros} {shown} {action}").map_err(output)?;
                continue;
            }
            Action::Read => "read",
            Action::Write => "write",
            Action::Trim => "trim",
            Action::Sync => "sync",
            Action::Datasync => "datasync",
        };
        writeln!(to, "{micros} {shown} {action} {offset} {length}").map_err(output)?;
    }
    for shown in written.iter().zip(&open).filter(|(_, open)| **open).map(|(shown, _)| shown) {
        writeln!(to, "{micros} {shown} close").map_err(output)?;
    }
    to.flush().map_err(output)
}

/// Records of a trace or of one volume, with times that never decrease.
struct Selected<'a, R> {
    trace: Trace<R>,
    volume: Option<&'a str>,
    nanos: u64,
    any: bool,
}

impl<'a, R: BufRead> Selected<'a, R> {
    fn new(from: R, volume: Option<&'a str>) -> Result<Self, TraceFault> {
        let mut trace = Trace::new(from)?;
        if let Some(volume) = volume {
            trace.select(volume).map_err(|kind| TraceFault { at: 0, kind })?;
        }
        Ok(Self { trace, volume, nanos: 0, any: false })
    }

    fn next(&mut self, names: &mut Names) -> Result<Option<Record>, TraceFault> {
        let Some(mut record) = self.trace.next(names)? else {
            return match self.volume {
                Some(volume) if !self.any => Err(TraceFault {
                    at: 0,
                    kind: TraceFaultKind::NoSuchVolume {
                        volume: volume.into(),
                        found: self.trace.skipped().into(),
                    },
                }),
                _ => Ok(None),
            };
        };
        self.any = true;
        self.nanos = self.nanos.max(record.nanos);
        record.nanos = self.nanos;
        Ok(Some(record))
    }
}

/// Returns the name of a file of a trace.
pub(super) fn name(file: &TraceFile) -> String {
    match file {
        TraceFile::Path(path) => path.display().to_string(),
        TraceFile::Device(major, minor) => format!("{major}:{minor}"),
        TraceFile::Volume(name) => name.clone(),
    }
}
