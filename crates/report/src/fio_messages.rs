//! fio's own messages, word for word: what scripts that call fio look for. English only.

use rustix::io::Errno;
use stats::plan_error::{PathFault, PlanError, PlanFault};
use std::path::Path;

// Values of options.

// Sections, job files, the command line.

/// Returns fio's lines on standard error about jobs that cannot be planned; none where fio has no such error.
/// `why` returns the English words for a path that cannot be examined.
pub(crate) fn plan_error(error: &PlanError, why: impl Fn(&PathFault) -> String) -> String {
    let job = &error.job;
    match &error.fault {
        PlanFault::TooManyClones { .. } => "error: maximum number of jobs reached.\n".into(),
        PlanFault::TooManyFiles { .. } | PlanFault::FillWithoutSize => String::new(),
        PlanFault::Path { fault, .. } => {
            let errno = match fault {
                PathFault::Errno(errno) => *errno,
                _ => Errno::IO.raw_os_error(),
            };
            let why = why(fault);
            format!("fio: pid=0, err={errno}/file:plan.rs, func=stat, error={why}\n")
        }
        PlanFault::MmapAppends => "fio: can't append/extent with IO engine mmap\n".into(),
        PlanFault::NoSize { .. } => format!(
            "{job}: you need to specify size=\nfio: pid=0, err={}/file:plan.rs, func=total_file_size, error=Invalid argument\n",
            Errno::INVAL.raw_os_error()
        ),
        PlanFault::OffsetBeyondEnd { .. } => format!("{job}: you need to specify valid offset=\n"),
        PlanFault::NoBlock { .. } => "fio: blocksize is larger than data set range\n".into(),
        PlanFault::SequenceBlock { path, block, blocks } => format!(
            "fio: sequence access block {block} in base pattern out of bounds (max {blocks}) for file {path}\n",
        ),
    }
}

// Runs.

/// Returns the refusal of a mounted device without `allow_mounted_write`.
pub fn mounted(path: &Path) -> String {
    format!("fio: {} appears mounted, and 'allow_mounted_write' isn't set. Aborting.", path.display())
}
