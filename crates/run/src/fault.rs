//! Failed I/Os: what is kept of them, and fio's lines and errors about them.

use crate::job_error::errno_text;
use engine::{Kind, Op};
use job::job::{EngineChoice, Entry, Job, NameCall};
use job::plan::PlannedJob;
use stats::JobError;

/// Number of failed I/Os that are kept for the report.
pub(crate) const FAULTS_KEPT: usize = 16;

/// A failed I/O.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The operation.
    pub op: Op,
    /// Errno, positive.
    pub errno: i32,
    /// Whether it moved no byte although the call succeeded, as at the end of a file; fio's "full resid".
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

/// Returns fio's lines about failed I/Os, and one line with a remedy where there is one.
pub(crate) fn fault_lines(job: &Job, clone: &PlannedJob, faults: &[Fault]) -> Vec<String> {
    // fio reports the job's error only, and no line, where a read finds the end of the file or a call on a name fails.
    let by_name = matches!(job.engine, EngineChoice::Names(..));
    let told = |f: &&Fault| !f.empty && !by_name && !job.tolerance.passes(f.op.kind == Kind::Read, f.errno);
    let told: Vec<&Fault> = faults.iter().filter(told).collect();
    let mut lines: Vec<String> = told.iter().map(|f| fault_line(clone, f)).collect();
    let refused = rustix::io::Errno::INVAL.raw_os_error();
    if job.target.direct && told.iter().any(|f| f.errno == refused && f.op.kind != Kind::Trim) {
        lines.push("fio: the device refused this direct I/O (EINVAL): bs and offset must be multiples of its logical block size; try a larger bs, or direct=0".into());
    }
    lines
}

/// Returns fio's line about a failed I/O.
pub(crate) fn fault_line(clone: &PlannedJob, fault: &Fault) -> String {
    let file =
        clone.files.get(fault.op.file as usize).map(|f| f.path.display().to_string()).unwrap_or_default();
    let offset = if fault.op.kind == Kind::SyncRange { fault.op.range().0 } else { fault.op.offset };
    let op = kind_name(fault.op.kind);
    if fault.op.kind == Kind::Trim {
        return trim_line(&file, fault);
    }
    format!(
        "fio: io_u error on file {file}: {}: {op} offset={offset}, buflen={}",
        errno_text(fault.errno),
        fault.op.len
    )
}

/// Returns fio's line about an I/O that took longer than `max_latency`.
pub(crate) fn slow_line(job: &Job, clone: &PlannedJob, op: &Op, lat: u64) -> String {
    let most = job.limits.max_latency.get(op.kind as usize).copied().unwrap_or(0);
    let file = clone.files.get(op.file as usize).map(|f| f.path.display().to_string()).unwrap_or_default();
    let (what, Op { offset, len, .. }) = (kind_name(op.kind), op);
    format!("fio: latency of {lat} nsec exceeds specified max ({most} nsec): {file} {what} {offset} {len}")
}

/// Returns the error of a job that an I/O above `max_latency` ended.
pub(crate) fn latency_exceeded() -> JobError {
    JobError { errno: 110, function: "max latency exceeded".into(), text: errno_text(110) }
}

/// Returns the error of a job that did less than `rate_min` or `rate_iops_min`.
pub(crate) fn min_rate_missed() -> JobError {
    JobError { errno: 5, function: "check_min_rate".into(), text: errno_text(5) }
}

/// Returns our line about a failed trim, with the reason where it is known; fio has no such line.
fn trim_line(file: &str, fault: &Fault) -> String {
    let why = match fault.errno {
        25 => "; only block devices can be trimmed (ioengine=falloc punches holes into files)",
        22 if !(fault.op.offset | u64::from(fault.op.len)).is_multiple_of(512) => {
            "; bs and offset must be multiples of the device's logical block size"
        }
        95 => "; the device cannot discard",
        _ => "",
    };
    let (words, op) = (errno_text(fault.errno), fault.op);
    format!("fio: trim of {file} failed: {words}: offset={}, length={}{why}", op.offset, op.len)
}

/// Returns the error of a job that `fault` ended.
pub fn job_error(job: &Job, clone: &PlannedJob, fault: &Fault) -> JobError {
    let path =
        || clone.files.get(fault.op.file as usize).map_or_else(String::new, |f| f.path.display().to_string());
    let function = match job.engine {
        EngineChoice::Names(Entry::File, NameCall::Create) => format!("open({})", path()),
        EngineChoice::Names(Entry::Directory, NameCall::Create) => format!("mkdir({})", path()),
        EngineChoice::Names(_, NameCall::Stat(call)) => format!("stat({}) type={}", path(), call as u8),
        EngineChoice::Names(Entry::File, NameCall::Delete) => format!("delete({})", path()),
        EngineChoice::Names(Entry::Directory, NameCall::Delete) => format!("rmdir({})", path()),
        _ if fault.empty => "full resid".into(),
        _ if matches!(fault.op.kind, Kind::Trim | Kind::SyncRange) => "td_io_queue".into(),
        _ => "io_u error".into(),
    };
    JobError { errno: fault.errno, function, text: errno_text(fault.errno) }
}
