//! Failures of a worker: which of them it tolerates, and how they are reported.

use crate::assignment::Assignment;
use crate::fault::{self, FAULTS_KEPT, Fault};
use crate::finish::Finish;
use crate::job_error::{OpenError, of_errno};
use crate::line::{Line, MissedRate};
use engine::Op;
use job::job::{Job, Tolerance};
use job::plan::PlannedJob;
use rustix::io::Errno;
use stats::JobError;
use stats::note::NoteFact;
use stats::scsi::ScsiStatus;
use stats::slow_ios::SlowSlice;
use stats::verification::Verification;

/// The failures of a worker.
pub(crate) struct Failures<'a> {
    /// Failed I/Os that are only counted (`continue_on_error`).
    pub(crate) tolerance: Tolerance,
    /// Assignment of the worker, if failed I/Os that are only counted are reported all the same (`error_dump`).
    pub(crate) dump: Option<Assignment<'a>>,
    /// Whether a full device is the regular end of the job (`fill_device`).
    pub(crate) ends_when_full: bool,
    /// The first failed I/Os, in a preallocated list.
    pub(crate) first: Vec<Fault>,
    /// Results of SCSI commands, with the number of the failed I/O in `first`.
    pub(crate) scsi: Vec<(usize, ScsiStatus)>,
    /// The I/O that took longer than `max_latency`, and its latency in nanoseconds.
    pub(crate) too_slow: Option<(Op, u64)>,
    /// The failed I/O that ended the job.
    pub(crate) fatal: Option<Fault>,
    /// Error of a file that could not be opened or closed.
    pub(crate) open_error: Option<OpenError>,
    /// Minimum rates that were missed.
    pub(crate) min_rate_missed: Vec<MissedRate>,
    /// Error of a block that does not contain what it should, which ended the job.
    pub(crate) mismatch: Option<JobError>,
    /// Whether such blocks were only counted.
    pub(crate) tolerated_mismatch: bool,
    /// Result of the verification; `None` in jobs that verify nothing.
    pub(crate) verified: Option<Box<Verified>>,
    /// Slow I/Os by hour, of a job that counts them.
    pub(crate) slices: Vec<SlowSlice>,
}

/// Result of the verification of a worker's data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verified {
    pub(crate) result: Verification,
    /// Nanoseconds in which the worker read, wrote and trimmed.
    pub(crate) nanos: [u64; 3],
    /// Whether the runtime ended before written blocks were read back.
    pub(crate) not_read_back: bool,
}

impl<'a> Failures<'a> {
    /// Returns the state before any failure.
    pub(crate) fn new(a: &Assignment<'a>) -> Self {
        let job = a.job();
        Self {
            tolerance: job.tolerance.clone(),
            dump: job.tolerance.dump.then_some(*a),
            ends_when_full: job.target.fill,
            first: Vec::with_capacity(FAULTS_KEPT + 1),
            scsi: Vec::with_capacity(if job.engine.is_scsi() { FAULTS_KEPT + 1 } else { 0 }),
            too_slow: None,
            fatal: None,
            open_error: None,
            min_rate_missed: Vec::new(),
            mismatch: None,
            tolerated_mismatch: false,
            verified: None,
            slices: Vec::new(),
        }
    }

    /// Adds the lines and the error of the failures to `finish`; an earlier error in `finish` is kept.
    pub(crate) fn report(&mut self, job: &Job, clone: &PlannedJob, finish: &mut Finish) {
        finish.slices = std::mem::take(&mut self.slices);
        finish.lines.extend(fault::fault_lines(job, clone, &self.first, &self.scsi));
        let tolerated = self.first.first().filter(|_| self.fatal.is_none() && !self.ends_when_full);
        finish.tolerated = tolerated.map(|f| fault::job_error(job, clone, f));
        if let Some(open_error) = self.open_error.take() {
            finish.lines.extend(open_error.hints);
            finish.error.get_or_insert(open_error.error);
        }
        if let Some((op, lat)) = &self.too_slow {
            finish.lines.clear();
            finish.lines.push(fault::slow_line(job, clone, op, *lat));
            finish.error.get_or_insert(fault::latency_exceeded());
        }
        if !self.min_rate_missed.is_empty() {
            let missed = |missed: &MissedRate| Line::RateMissed { job: job.name.clone(), missed: *missed };
            finish.lines.extend(self.min_rate_missed.iter().map(missed));
            finish.error.get_or_insert(fault::min_rate_missed());
        }
        if let Some(fault) = &self.fatal {
            finish.error.get_or_insert(fault::job_error(job, clone, fault));
        }
        if let Some(mismatch) = self.mismatch.take() {
            finish.error.get_or_insert(mismatch);
        }
        if self.tolerated_mismatch {
            finish.tolerated.get_or_insert_with(|| of_errno(Errno::ILSEQ.raw_os_error(), ""));
        }
        if let Some(verified) = self.verified.take() {
            if verified.not_read_back {
                finish.notes.push(NoteFact::NotReadBack);
            }
            if verified.result.mismatches() > 0 {
                let verification = Box::new(Verification { first: Vec::new(), ..verified.result.clone() });
                finish.lines.push(Line::Damaged { job: job.name.clone(), verification });
            }
            finish.direction_nanos = Some(verified.nanos);
            finish.verification = Some(verified.result);
        }
    }
}
