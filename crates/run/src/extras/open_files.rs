//! Files that are opened and closed while the job runs (`openfiles`).

use super::Extra;
use crate::assignment::Assignment;
use crate::durability::sync_file_system;
use crate::file_selector::FileAction;
use crate::job_error::{OpenError, failed};
use crate::prepare;
use crate::targets::Targets;
use crate::worker::{Step, Worker};
use engine::{Engine, RingDead};
use job::job::Job;
use job::plan::PlannedJob;
use rustix::fd::{AsRawFd, OwnedFd};
use stats::{Direction, JobError};
use std::os::fd::RawFd;

/// Open files of a job that limits their number (`openfiles`).
pub(crate) struct OpenFiles<'a> {
    /// `None` if the engine opens no files.
    opener: Option<Opener<'a>>,
}

/// Opens and closes the files of a clone.
struct Opener<'a> {
    job: &'a Job,
    clone: &'a PlannedJob,
    targets: &'a Targets,
    open: Vec<Option<OwnedFd>>,
}

impl<'a> Opener<'a> {
    fn new(job: &'a Job, clone: &'a PlannedJob, targets: &'a Targets) -> Self {
        Self { job, clone, targets, open: clone.files.iter().map(|_| None).collect() }
    }

    fn open(&mut self, file: u32) -> Result<RawFd, OpenError> {
        let open = prepare::open_job_file(self.job, &self.clone.files[file as usize], self.targets)?;
        let fd = open.as_raw_fd();
        self.open[file as usize] = Some(open);
        Ok(fd)
    }

    fn close(&mut self, file: u32) -> Result<(), JobError> {
        let Some(open) = self.open[file as usize].take() else { return Ok(()) };
        if self.job.durability.fsync_on_close && self.job.pattern.mix.has(Direction::Write) {
            crate::durability::sync(&open).map_err(|e| failed("fsync", &e))?;
        }
        Ok(())
    }
}

impl<'a> OpenFiles<'a> {
    /// Returns `Some` if the pattern limits the open files.
    pub(crate) fn of<E: Engine>(a: &Assignment<'a>, w: &mut Worker<'a, E>) -> Option<Self> {
        let limited = w.pattern.limits_open_files();
        let opener = || a.job().engine.opens_files().then(|| Opener::new(a.job(), a.clone, a.targets));
        limited.then(|| Self { opener: opener() })
    }

    /// Opens and closes the files that the last `n` operations need. Returns the number of operations that may be
    /// issued.
    #[cold]
    #[inline(never)]
    fn apply_file_actions<E: Engine>(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        for action in w.pattern.take_file_actions() {
            let Some(failed) = self.apply(w, action)? else {
                w.file_actions.iter_mut().for_each(|actions| actions.push(action));
                continue;
            };
            w.live = false;
            let ops = w.slots.next(n);
            return Ok(ops.iter().position(|op| op.file == failed).unwrap_or(n));
        }
        Ok(n)
    }

    /// Opens or closes a file. Returns the number of the file if that failed.
    ///
    /// # Errors
    /// The engine cannot change its table of files.
    fn apply<E: Engine>(
        &mut self,
        w: &mut Worker<'_, E>,
        action: FileAction,
    ) -> Result<Option<u32>, RingDead> {
        let Some(opener) = &mut self.opener else { return Ok(None) };
        let (file, error) = match action {
            FileAction::Open(file) => match opener.open(file) {
                Ok(fd) => {
                    w.engine.set_file(file as usize, fd)?;
                    w.shared.open_files.add(1);
                    return Ok(None);
                }
                Err(error) => (file, error),
            },
            FileAction::Close(file) => {
                w.engine.set_file(file as usize, -1)?;
                w.shared.open_files.set(w.shared.open_files.get().saturating_sub(1));
                match opener.close(file) {
                    Ok(()) => return Ok(None),
                    Err(error) => (file, error.into()),
                }
            }
        };
        w.failures.open_error.get_or_insert(error);
        Ok(Some(file))
    }
}

impl<E: Engine> Extra<E> for OpenFiles<'_> {
    #[inline(always)]
    fn before_issue(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        self.apply_file_actions(w, n)
    }

    fn after_pass(&mut self, w: &mut Worker<'_, E>, step: Step) -> Step {
        // Before another feature opens files for itself, to read back what was written. An engine that cannot close a file
        // fails the next submit call, too.
        let _ = self.apply_file_actions(w, 0);
        step
    }

    fn begin_pass(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        self.apply_file_actions(w, 0).map(drop)
    }

    fn end(&mut self, w: &mut Worker<'_, E>) -> Result<(), RingDead> {
        w.pattern.close_all_files();
        self.apply_file_actions(w, 0).map(drop)
    }
}

/// Syncs files that were closed during the job (`end_fsync`, `end_syncfs`): opens each file again for its sync.
pub(crate) fn sync_all(job: &Job, clone: &PlannedJob, targets: &Targets) -> Result<(), JobError> {
    let mut opener = Opener::new(job, clone, targets);
    let mut synced = Vec::new();
    for file in 0..clone.files.len() {
        opener.open(file as u32).map_err(|e| e.error)?;
        match opener.open[file].take() {
            Some(open) if job.durability.end_syncfs => sync_file_system(&open, &mut synced)?,
            Some(open) => crate::durability::sync(&open).map_err(|e| failed("fsync", &e))?,
            None => {}
        }
    }
    Ok(())
}
