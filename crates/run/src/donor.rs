//! The donor of `ioengine=e4defrag`: the file whose blocks a job takes in exchange for those of its files.

use crate::assignment::Assignment;
use crate::finish::Finish;
use crate::job_error::{failed, failed_because};
use crate::line::Line;
use crate::mark::Content;
use crate::targets::{self, TargetError};
use engine::defrag::MoveExtents;
use job::job::DefragSpec;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use stats::job_error::{ErrorCause, JobError};
use std::ops::Range;

/// Returns the engine of the job, with its donor open and, unless each write allocates its own blocks, allocated.
///
/// # Errors
/// The job names no donor, or the donor cannot be opened or allocated.
pub(crate) fn engine(
    a: &Assignment<'_>,
    spec: &DefragSpec,
    finish: &mut Finish,
) -> Result<MoveExtents, JobError> {
    let made = open(a, spec);
    if made.is_err() {
        finish.lines.push(Line::EngineInitFailed { engine: a.job().engine.name() });
        if spec.donor.is_none() {
            let (job, engine) = (a.job().name.clone(), a.job().engine.name());
            finish.lines.push(Line::EngineNeeds { job, engine, example: "donorname=/mnt/donor" });
        }
    }
    made
}

fn open(a: &Assignment<'_>, spec: &DefragSpec) -> Result<MoveExtents, JobError> {
    let Some(path) = &spec.donor else {
        return Err(failed_because("e4defrag", &Errno::PERM.into(), ErrorCause::NoDonor));
    };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = a.targets.open(path, flags, Mode::from_raw_mode(0o644), Content::of(a.job()));
    let donor = opened.map_err(|e| match e {
        TargetError::System(e) => failed(&format!("open({})", path.display()), &e.into()),
        TargetError::Refused(change) => targets::refused(change),
    })?;
    let allocated = (!spec.in_place).then(|| span(a)).filter(|range| !range.is_empty());
    MoveExtents::new(donor, allocated).map_err(|e| failed(&format!("fallocate({})", path.display()), &e))
}

/// Returns the range that holds the regions of all files of the clone.
fn span(a: &Assignment<'_>) -> Range<u64> {
    let start = a.clone.files.iter().map(|file| file.start).min().unwrap_or(0);
    let end = a.clone.files.iter().map(|file| file.start + file.length).max().unwrap_or(0);
    start..end
}
