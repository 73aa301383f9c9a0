//! The files of a job that may not all be open at a time (`openfiles`).

use crate::durability::sync_file_system;
use crate::file_selector::FileAction;
use crate::job_error::OpenError;
use crate::job_error::failed;
use crate::pattern::Pattern;
use crate::prepare;
use crate::targets::Targets;
use crate::worker::Worker;
use engine::{Engine, RingDead};
use job::job::Job;
use job::plan::PlannedJob;
use rustix::fd::{AsRawFd, OwnedFd};
use stats::{Direction, JobError};
use std::os::fd::RawFd;

/// Opens and closes files while the job runs (`openfiles`).
pub(crate) trait FileOpener {
    /// Opens a file: its descriptor.
    fn open(&mut self, file: u32) -> Result<RawFd, OpenError>;
    /// Closes it.
    fn close(&mut self, file: u32) -> Result<(), JobError>;
}

/// Opens as the job asks and closes as it asks.
pub(crate) struct JobFileOpener<'a> {
    job: &'a Job,
    clone: &'a PlannedJob,
    targets: &'a Targets,
    held: Vec<Option<OwnedFd>>,
}

impl<'a> JobFileOpener<'a> {
    /// Nothing is open yet.
    pub(crate) fn new(job: &'a Job, clone: &'a PlannedJob, targets: &'a Targets) -> Self {
        Self { job, clone, targets, held: clone.files.iter().map(|_| None).collect() }
    }
}

impl FileOpener for JobFileOpener<'_> {
    fn open(&mut self, file: u32) -> Result<RawFd, OpenError> {
        let open = prepare::open_job_file(self.job, &self.clone.files[file as usize], self.targets)?;
        let fd = open.as_raw_fd();
        self.held[file as usize] = Some(open);
        Ok(fd)
    }

    fn close(&mut self, file: u32) -> Result<(), JobError> {
        let Some(open) = self.held[file as usize].take() else { return Ok(()) };
        if self.job.durability.fsync_on_close && self.job.pattern.mix.has(Direction::Write) {
            rustix::fs::fsync(&open).map_err(|e| failed("fsync", &e.into(), ""))?;
        }
        Ok(())
    }
}

/// `end_fsync` and `end_syncfs` where files were closed again: each is opened once more for it.
pub(crate) fn sync_all(job: &Job, clone: &PlannedJob, targets: &Targets) -> Result<(), JobError> {
    let mut opener = JobFileOpener::new(job, clone, targets);
    let mut synced = Vec::new();
    for file in 0..clone.files.len() {
        opener.open(file as u32).map_err(|e| e.error)?;
        match opener.held[file].take() {
            Some(open) if job.durability.end_syncfs => sync_file_system(&open, &mut synced)?,
            Some(open) => rustix::fs::fsync(open).map_err(|e| failed("fsync", &e.into(), ""))?,
            None => {}
        }
    }
    Ok(())
}

impl<E: Engine> Worker<'_, E> {
    /// Opens and closes what the last `n` operations need; how many of them may be issued.
    #[cold]
    #[inline(never)]
    pub(crate) fn apply_file_actions(&mut self, n: usize) -> Result<usize, RingDead> {
        let Pattern::General(general) = &mut self.pattern else { return Ok(n) };
        let due = general.take_file_actions();
        for door in due {
            let Some(failed) = self.turn(door)? else { continue };
            self.live = false;
            let ops = self.slots.next(n);
            return Ok(ops.iter().position(|op| op.file == failed).unwrap_or(n));
        }
        Ok(n)
    }

    /// Opens or closes a file; its number if that failed.
    fn turn(&mut self, door: FileAction) -> Result<Option<u32>, RingDead> {
        let Some(doors) = &mut self.doors else { return Ok(None) };
        let (file, done) = match door {
            FileAction::Open(file) => match doors.open(file) {
                Ok(fd) => {
                    self.engine.set_file(file as usize, fd)?;
                    self.shared.open_files.add(1);
                    return Ok(None);
                }
                Err(e) => (file, Err(e)),
            },
            FileAction::Close(file) => {
                self.engine.set_file(file as usize, -1)?;
                self.shared.open_files.set(self.shared.open_files.get().saturating_sub(1));
                (file, doors.close(file).map_err(OpenError::from))
            }
        };
        Ok(done.err().map(|e| {
            self.shut.get_or_insert(e);
            file
        }))
    }

    /// The last lap is over: closes what is open.
    pub(crate) fn close_all_files(&mut self) -> Result<(), RingDead> {
        if let Pattern::General(general) = &mut self.pattern
            && self.turns
        {
            general.close_all_files();
            self.apply_file_actions(0)?;
        }
        Ok(())
    }
}
