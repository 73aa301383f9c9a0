//! The files of a job that may not all be open at a time (`openfiles`).

use crate::drive::Doors;
use crate::prepare::{self, OpenError};
use crate::tally::failed;
use crate::worker::sync_file_system;
use job::job::Job;
use job::plan::PlannedJob;
use rustix::fd::{AsRawFd, OwnedFd};
use stats::{Direction, JobError};
use std::os::fd::RawFd;

/// Opens as the job asks and closes as it asks.
pub(crate) struct Opener<'a> {
    job: &'a Job,
    clone: &'a PlannedJob,
    held: Vec<Option<OwnedFd>>,
}

impl<'a> Opener<'a> {
    /// Nothing is open yet.
    pub(crate) fn new(job: &'a Job, clone: &'a PlannedJob) -> Self {
        Self { job, clone, held: clone.files.iter().map(|_| None).collect() }
    }
}

impl Doors for Opener<'_> {
    fn open(&mut self, file: u32) -> Result<RawFd, OpenError> {
        let open = prepare::open_job_file(self.job, &self.clone.files[file as usize])?;
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
pub(crate) fn sync_all(job: &Job, clone: &PlannedJob) -> Result<(), JobError> {
    let mut opener = Opener::new(job, clone);
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
