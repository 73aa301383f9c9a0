//! Disks of jobs that send SCSI commands (`ioengine=sg`).

use super::{Looked, PlannedJob, shown, wrong};
use crate::engine::EngineChoice;
use crate::inspect::{FileKind, PathState, ScsiTarget, path_fault};
use crate::job::Job;
use stats::Note;
use stats::note::{NoteFact, NoteKind};
use stats::plan_error::{PlanError, PlanFault};
use std::path::Path;

/// Returns the state of a path that is a disk of the SCSI layer, with the size that the disk reports; of other engines,
/// the state itself.
pub(super) fn disk(
    job: &Job,
    path: &Path,
    state: PathState,
    looked: &mut Looked<'_>,
) -> Result<PathState, PlanError> {
    if !job.engine.is_scsi() {
        return Ok(state);
    }
    let fault = |fault: fn(String) -> PlanFault| Err(wrong(job, fault(shown(path))));
    if !matches!(state.kind, FileKind::Block | FileKind::Char) {
        return fault(|path| PlanFault::NoDevice { path });
    }
    let reached = match looked.scsi.get(path) {
        Some(reached) => *reached,
        None => {
            let reached = looked
                .inspect
                .scsi(path)
                .map_err(|why| wrong(job, PlanFault::Path { path: shown(path), fault: path_fault(&why) }))?;
            looked.scsi.insert(path.to_owned(), reached);
            reached
        }
    };
    match reached {
        ScsiTarget::Disk { bytes } => Ok(PathState { size: bytes, ..state }),
        ScsiTarget::Partition => fault(|path| PlanFault::PartOfScsiDisk { path }),
        ScsiTarget::Other => fault(|path| PlanFault::NoScsiDisk { path }),
    }
}

/// Makes the jobs with a block device synchronous: only character devices take a command without waiting for its end.
pub(super) fn choose_calls(jobs: &mut [Job], clones: &[PlannedJob]) {
    for (index, job) in jobs.iter_mut().enumerate() {
        let EngineChoice::Sg(spec) = &mut job.engine else { continue };
        let mut files = clones.iter().filter(|clone| clone.job == index).flat_map(|clone| &clone.files);
        spec.in_call = files.any(|file| file.kind != FileKind::Char);
        if !spec.in_call {
            continue;
        }
        if job.queue.effective > 1 {
            job.notes.push(Note::new(NoteKind::FioStart, job.name.clone(), NoteFact::DepthOfOne));
        }
        job.queue.effective = 1;
        job.queue.serialize = false;
        if let Some(batch) = &mut job.queue.batch {
            (batch.submit, batch.low) = (1, 1);
            batch.complete_min = batch.complete_min.min(1);
            batch.complete_max = 1;
        }
        (job.measure.shown.slat, job.measure.shown.slat_percentiles) = (false, false);
    }
}
