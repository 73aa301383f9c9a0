//! Changes of a trace for its replay (`replay_*`).

use super::{Action, MergeSpec, Names, Record, Trace, TraceFault, TraceFaultKind};
use serde::{Deserialize, Serialize};
use std::io::BufRead;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Traces that a job replays, and the changes to them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplaySpec {
    /// Traces; the clones get them in turn. `-` is standard input.
    pub traces: Vec<PathBuf>,
    /// Whether the times of the trace are ignored (`replay_no_stall`).
    pub no_stall: bool,
    /// File or device for all I/O, instead of those in the trace (`replay_redirect`).
    pub redirect: Option<PathBuf>,
    /// Divisor of offsets (`replay_scale`).
    pub scale: NonZeroU64,
    /// Power of two to whose multiples offsets are rounded down (`replay_align`).
    pub align: NonZeroU64,
    /// Rate of the replay as a percentage of the rate of the trace (`replay_time_scale`).
    pub time_scale: NonZeroU64,
    /// Whether reads, writes, trims and syncs are left out (`replay_skip`).
    pub skip: [bool; 4],
    /// Traces that are merged into one, which all clones replay (`merge_blktrace_file`).
    pub merge: Option<MergeSpec>,
}

impl ReplaySpec {
    /// Returns the trace of the clone with this number.
    pub fn trace_of(&self, clone: u32) -> Option<&PathBuf> {
        if let Some(merge) = &self.merge {
            return Some(&merge.file);
        }
        self.traces.get((clone as usize).checked_rem(self.traces.len())?)
    }
}

/// A trace with the changes of a [`ReplaySpec`].
pub struct Replayed<'a, R> {
    trace: Trace<R>,
    spec: &'a ReplaySpec,
    /// Number of open files of the trace, if all of them are redirected to one.
    open: u64,
    /// Time of the latest record in nanoseconds: times never decrease.
    nanos: u64,
}

impl<'a, R: BufRead> Replayed<'a, R> {
    /// Begins to read a trace.
    ///
    /// # Errors
    /// The file is not a trace.
    pub fn new(from: R, spec: &'a ReplaySpec) -> Result<Self, TraceFault> {
        Ok(Self { trace: Trace::new(from)?, spec, open: 0, nanos: 0 })
    }

    /// Returns the next record to replay; `None` at the end. The times of records never decrease.
    ///
    /// # Errors
    /// A line or an event cannot be replayed.
    pub fn next(&mut self, names: &mut Names) -> Result<Option<Record>, TraceFault> {
        let spec = self.spec;
        while let Some(mut record) = self.trace.next(names)? {
            if let Some(direction) = record.action.direction() {
                if spec.skip[direction as usize] {
                    continue;
                }
                record.offset = (record.offset / spec.scale) & !(spec.align.get() - 1);
            } else if matches!(record.action, Action::Sync | Action::Datasync) && spec.skip[3] {
                continue;
            }
            if spec.redirect.is_some() {
                record.file = 0;
                match record.action {
                    Action::Open => {
                        self.open += 1;
                        if self.open > 1 {
                            continue;
                        }
                    }
                    Action::Close => {
                        self.open = self.open.saturating_sub(1);
                        if self.open > 0 {
                            continue;
                        }
                    }
                    _ => {}
                }
            }
            let scaled = u128::from(record.nanos) * 100 / u128::from(spec.time_scale.get());
            record.nanos = u64::try_from(scaled).unwrap_or(u64::MAX).max(self.nanos);
            self.nanos = record.nanos;
            return Ok(Some(record));
        }
        Ok(None)
    }
}

/// Returns the skipped kinds of `replay_skip`: `read`, `write`, `trim` and `sync`, joined by commas; `None` for an unknown
/// kind, with the text.
pub(crate) fn skip(text: &str) -> Result<[bool; 4], &str> {
    let mut skip = [false; 4];
    for name in text.split(',').filter(|name| !name.is_empty()) {
        match ["read", "write", "trim", "sync"].iter().position(|kind| *kind == name) {
            Some(kind) => skip[kind] = true,
            None => return Err(name),
        }
    }
    Ok(skip)
}

/// Returns the fault of a trace without I/O.
pub(super) fn no_io() -> TraceFault {
    TraceFault { at: 0, kind: TraceFaultKind::NoIo }
}
