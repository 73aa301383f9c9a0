//! Logs with a row for each I/O, and the largest latencies of intervals (`log_max_value`).

use super::Extra;
use crate::assignment::Assignment;
use crate::logs::records::IoRecord;
use crate::worker::Worker;
use engine::{Completion, Engine, Kind, Ticks};
use job::job::{LogFile, LogValues};

/// Logging of single I/Os; the buffers are in the worker.
pub(crate) struct IoLog {
    /// Whether only the largest latencies of intervals are logged.
    most: bool,
}

impl IoLog {
    /// Returns `Some` for jobs whose logs need each I/O.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, _: &mut Worker<'_, E>) -> Option<Self> {
        let spec = &a.job().logs;
        let latencies = [LogFile::Slat, LogFile::Clat, LogFile::Lat].iter().any(|file| spec.has(*file));
        let most = spec.interval > 0 && spec.values != LogValues::Mean && latencies;
        let each = spec.interval == 0 && spec.has_values();
        (most || each).then_some(Self { most })
    }
}

impl<E: Engine> Extra<E> for IoLog {
    #[inline(always)]
    fn after_run(&mut self, w: &mut Worker<'_, E>, end: usize, n: usize, now: Ticks) {
        let Some(logs) = w.logs.as_deref_mut().filter(|logs| logs.begun()) else { return };
        let done = w.done.get(end.saturating_sub(n)..end).unwrap_or_default();
        let Some(first) = done.first().map(|done| w.slots.get(done.slot)) else { return };
        let direction = first.op.kind as u8;
        if direction > Kind::Trim as u8 {
            // Syncs have no rows.
            return;
        }
        if self.most {
            logs.note_most(first, now);
            return;
        }
        // Operations that are recorded together differ by these two only.
        let each = |done: &Completion| (w.slots.get(done.slot).op.offset, w.engine.priority(done.slot));
        let (start, issued, len) = (first.start, first.issued, first.op.len);
        let alike = IoRecord { now, start, issued, offset: 0, len, direction, priority: 0, untimed: false };
        logs.push(alike, done, each);
    }
}
