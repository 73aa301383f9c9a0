//! fio's own messages, word for word: what scripts that call fio look for. English only.

use run::line::MissedRate;
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

/// What fio prints where huge pages are not available.
pub(crate) const NO_HUGE_PAGES: &str =
    "fio: no huge pages available, do you need to allocate some? See HOWTO. (/proc/sys/vm/nr_hugepages)";

/// Returns the line about a failed I/O.
pub(crate) fn failed_io(path: &Path, error: &str, operation: &str, offset: u64, length: u32) -> String {
    format!(
        "fio: io_u error on file {}: {error}: {operation} offset={offset}, buflen={length}",
        path.display()
    )
}

/// Returns the line about an I/O that took longer than `max_latency`; times in nanoseconds.
pub(crate) fn too_slow(
    path: &Path,
    operation: &str,
    offset: u64,
    length: u32,
    latency: u64,
    most: u64,
) -> String {
    let path = path.display();
    format!(
        "fio: latency of {latency} nsec exceeds specified max ({most} nsec): {path} {operation} {offset} {length}"
    )
}

/// Returns the line about a minimum rate that was missed.
pub(crate) fn rate_missed(job: &str, missed: &MissedRate) -> String {
    match missed {
        MissedRate::Bytes { least, got } => format!("{job}: rate_min={least}B/s not met, got {got}B/s"),
        MissedRate::Ios { least, got } => format!("{job}: rate_iops_min={least} not met, got {got} IOPS"),
    }
}

/// Returns the line about an engine that cannot be set up.
pub(crate) fn engine_init_failed(engine: &str) -> String {
    format!("fio: io engine {engine} init failed.")
}
