//! Logs with a row for each I/O, and the largest latencies of intervals (`log_max_value`).

use super::Extra;
use crate::assignment::Assignment;
use crate::logs::records::IoRecord;
use crate::slots::InFlightOp;
use crate::worker::Worker;
use engine::{Engine, Ticks};
use job::job::{LogFile, LogValues};

/// Logging of single I/Os; the buffers are in the worker.
pub(crate) struct IoLog {
    /// Whether the rows of two I/Os that are equal otherwise differ, by their offset.
    apart: bool,
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
        (most || each).then_some(Self { apart: each && spec.offset, most })
    }
}

impl<E: Engine> Extra<E> for IoLog {
    #[inline(always)]
    fn keeps_apart(&self, _w: &Worker<'_, E>, _one: u16, _other: u16) -> bool {
        self.apart
    }

    #[inline(always)]
    fn after_completion(&mut self, w: &mut Worker<'_, E>, first: &InFlightOp, now: Ticks, n: u64) {
        let direction = first.op.kind as u8;
        let Some(logs) = w.logs.as_deref_mut().filter(|logs| logs.begun() && direction < 3) else { return };
        if self.most {
            logs.note_most(first, now);
            return;
        }
        let record = IoRecord {
            now,
            start: first.start,
            issued: first.issued,
            offset: first.op.offset,
            len: first.op.len,
            direction,
            priority: w.engine.priority(first.op.slot),
            untimed: false,
        };
        for _ in 0..n {
            logs.push(record);
        }
    }
}
