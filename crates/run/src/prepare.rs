//! Files before the run: looked at for the plan, laid out as fio does, opened with the right flags.

use job::job::Job;
use job::plan::{Inspect, Look, Plan, PlannedFile};
use rustix::fd::OwnedFd;
use stats::{JobError, Note};
use std::io;
use std::path::{Path, PathBuf};

/// The machine itself, for [`job::plan::plan`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Host;

impl Inspect for Host {
    fn look(&mut self, path: &Path) -> io::Result<Look> {
        let _ = path;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// How layout goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutStep {
    /// A clone's files are about to be made: fio's line `NAME: Laying out IO file (1 file / 4MiB)`.
    Start {
        /// Job name.
        job: String,
        /// Files to be made.
        files: u32,
        /// Their bytes together.
        bytes: u64,
    },
    /// So many bytes of that clone's total are written.
    Wrote {
        /// Written so far.
        done: u64,
        /// All that will be written.
        total: u64,
    },
}

/// What became of the layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laid {
    /// Files that this run made, in order.
    pub made: Vec<PathBuf>,
    /// Clones (index into [`Plan::clones`]) whose files could not be made: fio counts each as a failed job with
    /// `pid=0`, leaves it out of the report and runs the others.
    pub failed: Vec<(usize, JobError)>,
    /// What fio prints about it.
    pub notes: Vec<Note>,
    /// `stop` said so; files may be half made.
    pub interrupted: bool,
}

/// Makes the files of all clones, one after the other, as each file's `layout` says. `stop` is asked about every MiB.
pub fn lay_out(plan: &Plan, progress: &mut dyn FnMut(LayoutStep), stop: &dyn Fn() -> bool) -> Laid {
    let _ = (plan, progress, stop);
    Laid::default()
}

/// Opens a file for the job's own I/O with the job's flags, gives the kernel fio's advice, and drops its cached pages
/// if the job asks for that. The error's text says which option would be right where that is known.
pub fn open_job_file(job: &Job, file: &PlannedFile) -> Result<OwnedFd, JobError> {
    let _ = (job, file);
    Err(JobError { errno: 38, function: "open".into(), text: String::new() })
}

/// Drops the cached pages of an open file again (fio does so before each loop).
pub fn invalidate(file: &OwnedFd, planned: &PlannedFile) -> io::Result<()> {
    let _ = (file, planned);
    Ok(())
}
