//! Error of a check or study on a target.

use crate::target_fault::TargetFault;
use run::RunError;
use std::path::PathBuf;

/// Error of a check or study on a target.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The target cannot be used.
    #[error("{}: {fault:?}", path.display())]
    Target {
        /// Path of the target as the user gave it.
        path: PathBuf,
        /// Reason why the target is unusable.
        fault: TargetFault,
    },
    /// A job on the target could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Hosts could not, or must not, run a job.
    #[error("{said}")]
    Hosts {
        /// What the hosts said, in the user's language.
        said: String,
        /// Exit status.
        status: i32,
    },
}

impl TargetError {
    /// Returns the exit status for the error: 3 if a run was refused for safety, else 1.
    pub fn exit_code(&self) -> i32 {
        match self {
            TargetError::Run(RunError::Refused(refusal)) => refusal.exit_code(),
            TargetError::Hosts { status, .. } => *status,
            _ => 1,
        }
    }
}
