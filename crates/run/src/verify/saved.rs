//! When the state of a job is saved and loaded (`verify_state_save`, `verify_state_load`, `verify_policy`).

use super::state::State;
use crate::job_error::failed_because;
use crate::output::{self, OutputError};
use engine::Op;
use job::verify::{Policy, VerifySpec};
use rustix::io::Errno;
use stats::JobError;
use stats::job_error::ErrorCause;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// State that is saved, and the state that was loaded.
#[derive(Debug)]
pub(crate) struct SavedStates {
    /// State after all writes so far.
    now: State,
    /// State when the sync in flight was issued, and after the last completed sync.
    issued: Option<State>,
    synced: Option<State>,
    /// State that limits what is checked.
    loaded: Option<State>,
    /// Name of the file; `None` if no state is saved.
    file: Option<String>,
    policy: Policy,
}

/// Returns the saved state of the clone of the job `name` at the position `index` in the run.
///
/// # Errors
/// The file does not exist, or is not a state.
pub(crate) fn load(name: &str, index: usize) -> Result<State, JobError> {
    let path = State::file_name(name, index);
    let bytes = std::fs::read(&path).and_then(|bytes| State::read(&bytes).map_err(|_| Errno::INVAL.into()));
    bytes.map_err(|e| failed_because("verify_state_load", &e, ErrorCause::StateFile { path }))
}

impl SavedStates {
    /// Returns the states before any write. `now` is the state without writes; `writes` tells whether the job writes.
    pub(crate) fn new(spec: &VerifySpec, now: State, loaded: Option<State>, writes: bool) -> Self {
        // A job that only checks keeps the state of the run that wrote.
        let saves = spec.save_state && writes && !spec.only;
        let file = saves.then(|| State::file_name(&now.name, now.index as usize));
        Self { now, issued: None, synced: None, loaded, file, policy: spec.policy }
    }

    /// Returns the number of a write that begins, from 0, and whether the loaded state covers it.
    pub(crate) fn begin_write(&mut self, op: &Op) -> (u64, bool) {
        let number = self.now.writes;
        self.now.writes += 1;
        (number, self.covers(number, op))
    }

    /// Returns whether the loaded state covers the operation with this number, from 0; true without such a state.
    pub(crate) fn covers(&self, number: u64, op: &Op) -> bool {
        self.loaded.as_ref().is_none_or(|state| state.covers(number, op.file, op.offset))
    }

    /// Records a completed write.
    pub(crate) fn complete(&mut self, op: &Op) {
        self.now.complete(op);
    }

    /// Notes the writes that a sync will cover: those before `first`, the number of the first write in flight.
    #[cold]
    pub(crate) fn begin_sync(&mut self, first: impl FnOnce() -> u64) {
        // A sync covers one file.
        if self.policy == Policy::Fsynced && self.now.completed.len() == 1 {
            self.issued = Some(State { writes: self.now.writes.min(first()), ..self.now.clone() });
        }
    }

    /// Notes that a sync has completed, and saves the state.
    ///
    /// # Errors
    /// The file cannot be written.
    #[cold]
    pub(crate) fn end_sync(&mut self) -> Result<(), OutputError> {
        if self.issued.is_none() {
            return Ok(());
        }
        self.synced = self.issued.take();
        self.save()
    }

    /// Saves the state.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn save(&self) -> Result<(), OutputError> {
        let Some(name) = &self.file else { return Ok(()) };
        let nothing = State { writes: 0, ..self.now.clone() };
        let state = match self.policy {
            Policy::Completed => &self.now,
            Policy::Fsynced => self.synced.as_ref().unwrap_or(&nothing),
        };
        let (path, bytes) = (Path::new(name), state.to_bytes());
        // The old state is overwritten in one call, so that there is a whole one whenever the program is killed.
        let file = output::open_kept(path)?;
        let written = file.write_all_at(&bytes, 0).and_then(|()| file.set_len(bytes.len() as u64));
        written.map_err(|e| output::failed(path, &e))
    }
}
