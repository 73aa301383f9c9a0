//! Errors of a job, in fio's form: errno, function, text.

use crate::line::Line;
use stats::job_error::{ErrorCause, JobError};
pub use sys::errno::errno_text;

/// Returns the errno of an error, EIO if it has none.
pub(crate) fn errno_of(e: &std::io::Error) -> i32 {
    e.raw_os_error().unwrap_or(rustix::io::Errno::IO.raw_os_error())
}

/// Returns the error of a job whose call of `function` failed. An error without an errno is
/// reported as ENOMEM.
pub(crate) fn failed(function: &str, e: &std::io::Error) -> JobError {
    of_errno(e.raw_os_error().unwrap_or(rustix::io::Errno::NOMEM.raw_os_error()), function)
}

/// Returns the error of a job whose call of `function` failed for a known reason.
pub(crate) fn failed_because(function: &str, e: &std::io::Error, cause: ErrorCause) -> JobError {
    JobError { cause: Some(Box::new(cause)), ..failed(function, e) }
}

/// Returns the error of a job with the system's text of an errno.
pub(crate) fn of_errno(errno: i32, function: impl Into<String>) -> JobError {
    JobError { errno, function: function.into(), text: errno_text(errno), cause: None }
}

/// Returns the error of a job that was refused and whose reason was reported before.
pub fn refused() -> JobError {
    of_errno(rustix::io::Errno::INVAL.raw_os_error(), "setup")
}

/// Failure to open a file of a job.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", .error.function, .error.text)]
pub struct OpenError {
    /// The error of the job as fio reports it: errno, `open(PATH)`, text of the errno.
    pub error: JobError,
    /// Lines that fio prints on standard error before the error; they name the option.
    pub hints: Vec<Line>,
}

impl From<JobError> for OpenError {
    fn from(error: JobError) -> OpenError {
        OpenError { error, hints: Vec::new() }
    }
}
