//! The file that is open for reading back, in a job that opens its files late: one at a time.

use crate::assignment::Assignment;
use crate::prepare;
use crate::worker::Worker;
use engine::Engine;
use rustix::fd::{AsRawFd, OwnedFd};

/// The open file, at its place in the engine's table.
pub(super) struct LateFile<'a> {
    a: Assignment<'a>,
    /// Number of the file, and its descriptor.
    open: Option<(u32, OwnedFd)>,
}

impl<'a> LateFile<'a> {
    pub(super) fn new(a: Assignment<'a>) -> Self {
        Self { a, open: None }
    }

    /// Returns whether another file is open.
    pub(super) fn holds_another(&self, file: u32) -> bool {
        self.open.as_ref().is_some_and(|(open, _)| *open != file)
    }

    /// Opens the file, and closes the one before. Returns whether the file is open: not while I/O of the one before is in
    /// flight, and not after an error, which ends the job.
    pub(super) fn opens<E: Engine>(&mut self, w: &mut Worker<'_, E>, file: u32) -> bool {
        if self.open.as_ref().is_some_and(|(open, _)| *open == file) {
            return true;
        }
        if w.slots.in_flight() > 0 {
            return false;
        }
        self.close(w);
        let planned = &self.a.clone.files[file as usize];
        match prepare::open_job_file(self.a.job(), planned, self.a.targets) {
            Ok(open) => {
                let set = w.engine.set_file(file as usize, open.as_raw_fd()).is_ok();
                self.open = Some((file, open));
                set
            }
            Err(error) => {
                w.failures.open_error.get_or_insert(error);
                w.live = false;
                false
            }
        }
    }

    /// Closes the open file.
    pub(super) fn close<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        if let Some((file, open)) = self.open.take() {
            // Without the descriptor in its table, the engine fails the next I/O of the file.
            let _ = w.engine.set_file(file as usize, -1);
            drop(open);
        }
    }
}
