//! Failed I/Os: the data kept of each, and the lines and errors that report them.

use crate::job_error::of_errno;
use crate::line::{Line, TrimCause};
use engine::{Kind, Op};
use job::job::{EngineChoice, Entry, Job, NameCall, SgSpec};
use job::plan::PlannedJob;
use rustix::io::Errno;
use stats::JobError;
use stats::scsi::ScsiStatus;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Number of failed I/Os that are kept for the report.
pub(crate) const FAULTS_KEPT: usize = 16;

/// A failed I/O and its error.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// Operation that failed.
    pub op: Op,
    /// errno of the failure, positive.
    pub errno: i32,
    /// Whether the call succeeded but transferred no byte, as at the end of a file; fio's "full resid".
    pub empty: bool,
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Trim => "trim",
        Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => "sync",
    }
}

/// Returns the lines that report failed I/Os, and a line with a remedy if one is known.
pub(crate) fn fault_lines(
    job: &Job,
    clone: &PlannedJob,
    faults: &[Fault],
    statuses: &[(usize, ScsiStatus)],
) -> Vec<Line> {
    // fio reports only the job's error, and no line, if a read reaches the end of the file or a call on a name or a move of
    // blocks fails.
    let by_name = matches!(job.engine, EngineChoice::Names(..) | EngineChoice::Defrag(_));
    let told = |f: &Fault| !f.empty && !by_name && !job.tolerance.passes(f.op.kind == Kind::Read, f.errno);
    let told: Vec<(usize, &Fault)> = faults.iter().enumerate().filter(|(_, f)| told(f)).collect();
    let mut lines = Vec::with_capacity(told.len());
    for (number, fault) in &told {
        lines.push(fault_line(clone, fault));
        let status = statuses.iter().find(|(of, _)| of == number);
        lines.extend(status.map(|(_, status)| Line::ScsiFailed(Box::new(*status))));
    }
    let refused = Errno::INVAL.raw_os_error();
    if job.target.direct
        && job.engine.remote().is_none()
        && told.iter().any(|(_, f)| f.errno == refused && f.op.kind != Kind::Trim)
    {
        lines.push(Line::DirectIoRefused);
    }
    lines
}

fn path(clone: &PlannedJob, op: &Op) -> PathBuf {
    clone.files.get(op.file as usize).map(|file| file.path.clone()).unwrap_or_default()
}

/// Returns the line that reports a failed I/O.
pub(crate) fn fault_line(clone: &PlannedJob, fault: &Fault) -> Line {
    let Fault { op, errno, .. } = *fault;
    let (path, length) = (path(clone, &op), op.len);
    if op.kind == Kind::Trim {
        return Line::FailedTrim { path, errno, offset: op.offset, length, cause: trim_cause(fault) };
    }
    let offset = if op.kind == Kind::SyncRange { op.range().0 } else { op.offset };
    Line::FailedIo { path, errno, operation: kind_name(op.kind), offset, length }
}

/// Returns the line that reports an I/O that took longer than `max_latency` or, at a queue depth of 1, than
/// `latency_target`; `latency` is in nanoseconds.
pub(crate) fn slow_line(job: &Job, clone: &PlannedJob, op: &Op, latency: u64) -> Line {
    let most = job.limits.max_latency.get(op.kind as usize).copied().flatten().map(NonZeroU64::get);
    let most = most.filter(|most| latency > *most).unwrap_or(job.latency_goal.target);
    let Op { offset, len: length, .. } = *op;
    Line::TooSlow { path: path(clone, op), operation: kind_name(op.kind), offset, length, latency, most }
}

/// Returns the cause of a failed trim, if it is known.
fn trim_cause(fault: &Fault) -> Option<TrimCause> {
    match Errno::from_raw_os_error(fault.errno) {
        Errno::NOTTY => Some(TrimCause::NoBlockDevice),
        Errno::INVAL if !(fault.op.offset | u64::from(fault.op.len)).is_multiple_of(512) => {
            Some(TrimCause::Misaligned)
        }
        Errno::OPNOTSUPP => Some(TrimCause::Unsupported),
        _ => None,
    }
}

/// Returns the error of a job that ended because an I/O took longer than `max_latency` or `latency_target`.
pub(crate) fn latency_exceeded() -> JobError {
    of_errno(Errno::TIMEDOUT.raw_os_error(), "max latency exceeded")
}

/// Returns the error of a job that transferred less than `rate_min` or `rate_iops_min`.
pub(crate) fn min_rate_missed() -> JobError {
    of_errno(Errno::IO.raw_os_error(), "check_min_rate")
}

/// Returns the error of a job that `fault` ended.
pub fn job_error(job: &Job, clone: &PlannedJob, fault: &Fault) -> JobError {
    let path = || path(clone, &fault.op).display().to_string();
    let function = match job.engine {
        EngineChoice::Names(Entry::File, NameCall::Create) => format!("open({})", path()),
        EngineChoice::Names(Entry::Directory, NameCall::Create) => format!("mkdir({})", path()),
        EngineChoice::Names(_, NameCall::Stat(call)) => format!("stat({}) type={}", path(), call as u8),
        EngineChoice::Names(Entry::File, NameCall::Delete) => format!("delete({})", path()),
        EngineChoice::Names(Entry::Directory, NameCall::Delete) => format!("rmdir({})", path()),
        _ if fault.empty => "full resid".to_owned(),
        EngineChoice::Defrag(_) => "td_io_queue".into(),
        EngineChoice::Sg(SgSpec { in_call: true, .. }) if fault.errno == Errno::IO.raw_os_error() => {
            "fio_sgio_doio".into()
        }
        EngineChoice::Sg(_) if fault.errno != Errno::IO.raw_os_error() => "xfer".into(),
        EngineChoice::Sg(_) => "io_u error".into(),
        _ if matches!(fault.op.kind, Kind::Trim | Kind::SyncRange) => "td_io_queue".into(),
        _ => "io_u error".into(),
    };
    of_errno(fault.errno, function)
}
