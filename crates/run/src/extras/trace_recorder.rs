//! Recording of a job's operations as a trace (`write_iolog`).

use super::Extra;
use crate::assignment::Assignment;
use crate::file_selector::FileAction;
use crate::job_error::of_errno;
use crate::pattern::Pattern;
use crate::trace_writer::{Entry, TraceWriter, Written};
use crate::worker::Worker;
use engine::{Clock, Engine, Kind, RingDead, Ticks};

/// Recorder of a clone.
pub(crate) struct TraceRecorder {
    writer: TraceWriter,
    /// Start of the job.
    start: Ticks,
    /// Whether each file is open in the trace. As in fio's traces, a file is opened before its first operation.
    open: Vec<bool>,
    /// Whether a file is synced before it is closed (`fsync_on_close`).
    syncs_on_close: bool,
    /// Whether all files are synced at the end of a pass (`end_fsync`).
    syncs_at_end: bool,
}

impl TraceRecorder {
    /// Returns `Some` if the job records a trace. If the file cannot be opened, the job ends with an error.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let path = a.job().record.as_ref()?;
        let names: Vec<_> = a.clone.files.iter().map(|file| file.path.clone()).collect();
        let open = vec![false; names.len()];
        match TraceWriter::new(path, names) {
            Ok(writer) => {
                w.file_actions = Some(Vec::new());
                let durability = a.job().durability;
                let syncs_on_close = a.writes() && durability.fsync_on_close;
                let syncs_at_end = a.writes() && durability.end_fsync;
                Some(Self { writer, start: 0, open, syncs_on_close, syncs_at_end })
            }
            Err(errno) => {
                let error = of_errno(errno, format!("write_iolog({})", path.display()));
                w.failures.open_error = Some(error.into());
                w.live = false;
                None
            }
        }
    }

    fn push(&mut self, nanos: u64, file: u32, action: Written) {
        self.writer.push(Entry { nanos, offset: 0, length: 0, file, action });
    }

    fn close(&mut self, nanos: u64, file: u32) {
        if let Some(open) = self.open.get_mut(file as usize)
            && std::mem::take(open)
        {
            if self.syncs_on_close {
                self.push(nanos, file, Written::Sync);
            }
            self.push(nanos, file, Written::Close);
        }
    }

    fn open(&mut self, nanos: u64, file: u32) {
        if let Some(open) = self.open.get_mut(file as usize)
            && !std::mem::replace(open, true)
        {
            self.push(nanos, file, Written::Open);
        }
    }

    /// Records the files that were opened and closed.
    fn take_file_actions<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        let Some(actions) = w.file_actions.as_mut().filter(|actions| !actions.is_empty()) else { return };
        let actions = std::mem::take(actions);
        let nanos = w.clock.nanos(w.clock.now().wrapping_sub(self.start));
        for action in actions {
            match action {
                FileAction::Open(file) => self.open(nanos, file),
                FileAction::Close(file) => self.close(nanos, file),
            }
        }
    }

    fn close_all<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        self.take_file_actions(w);
        let nanos = w.clock.nanos(w.clock.now().wrapping_sub(self.start));
        for file in 0..self.open.len() as u32 {
            if self.syncs_at_end && !self.syncs_on_close && self.open[file as usize] {
                self.push(nanos, file, Written::Sync);
            }
            self.close(nanos, file);
        }
    }
}

impl<E: Engine> Extra<E> for TraceRecorder {
    fn begin(&mut self, w: &mut Worker<'_, E>) {
        self.start = w.last;
        (0..self.open.len() as u32).for_each(|file| self.push(0, file, Written::Add));
    }

    fn before_issue(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        self.take_file_actions(w);
        Ok(n)
    }

    #[inline(never)]
    fn after_issue(&mut self, w: &mut Worker<'_, E>, n: usize) {
        for at in 0..n {
            let op = w.slots.taken(n)[at];
            let nanos = w.clock.nanos(w.slots.get(op.slot).start.wrapping_sub(self.start));
            let (action, data) = match op.kind {
                Kind::Read => (Written::Read, true),
                Kind::Write => (Written::Write, true),
                Kind::Trim => (Written::Trim, true),
                Kind::Fsync => (Written::Sync, false),
                Kind::Fdatasync => (Written::Datasync, false),
                // The format has no sync of a range.
                Kind::SyncRange => continue,
            };
            self.open(nanos, op.file);
            if let (Kind::Trim, Pattern::Trims(trims)) = (op.kind, &w.pattern) {
                // The format has one range per line.
                for (offset, length) in trims.of(op.slot) {
                    let (offset, length) = (*offset, *length);
                    self.writer.push(Entry { nanos, offset, length, file: op.file, action });
                }
                continue;
            }
            let (offset, length) = if data { (op.offset, op.len) } else { (0, 0) };
            self.writer.push(Entry { nanos, offset, length, file: op.file, action });
        }
    }

    fn begin_pass(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        self.close_all(w);
        Ok(())
    }

    fn end(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        self.close_all(w);
        if let Err(errno) = self.writer.finish() {
            w.failures.open_error.get_or_insert(of_errno(errno, "write_iolog").into());
        }
        Ok(())
    }
}
