//! Errors and refusals of `fathom prefill`.

use crate::target::TargetError;
use crate::target_fault::TargetFault;
use facts::extents::RangesError;
use facts::signature::Signature;
use facts::usage::Use;
use job::exit_status::REFUSED;
use run::RunError;
use run::filler::FillError;
use run::refusal::{Found, Refusal, RefusalReason};
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why a target was not filled completely.
#[derive(Debug, thiserror::Error)]
pub enum PrefillError {
    /// The target cannot be used.
    #[error("{}: {fault:?}", path.display())]
    Target {
        /// Path of the target.
        path: PathBuf,
        /// Reason why the target is unusable.
        fault: TargetFault,
    },
    /// The file has more separate ranges than fit in memory (4 Mi).
    #[error("{}: {source:?}", path.display())]
    Ranges {
        /// Path of the target.
        path: PathBuf,
        /// Kind of the ranges: gaps or zeros.
        source: RangesError,
    },
    /// The value of an option is not a multiple of [`super::BLOCK`].
    #[error("{option}: {value}")]
    Unaligned {
        /// Name of the option, without dashes.
        option: &'static str,
        /// Value of the option, in bytes.
        value: u64,
    },
    /// The region begins at or after the end of the target.
    #[error("{}: {offset} of {size}", path.display())]
    AfterEnd {
        /// Path of the target.
        path: PathBuf,
        /// Start of the region (`--offset`), in bytes.
        offset: u64,
        /// Size of the target, in bytes.
        size: u64,
    },
    /// Filling is refused for the safety of data.
    #[error("{}: {reason:?}", path.display())]
    Refused {
        /// Path of the target.
        path: PathBuf,
        /// Reason of the refusal, such as a user of the file or missing consent.
        reason: PrefillRefusal,
    },
    /// Sampled blocks could not be read, so that it is not known whether they hold data.
    #[error("{}: {failed} of {of}", path.display())]
    Unreadable {
        /// Path of the target.
        path: PathBuf,
        /// Number of sampled blocks that could not be read.
        failed: u32,
        /// Number of sampled blocks.
        of: u32,
    },
    /// Refused by the consent check that also precedes every run.
    #[error(transparent)]
    Unchecked(#[from] Refusal),
    /// A write failed.
    #[error("{}: {source}", path.display())]
    Fill {
        /// Path of the target.
        path: PathBuf,
        /// The failed system call and its error.
        source: FillError,
    },
}

/// Reason why filling is refused for the safety of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrefillRefusal {
    /// Another program wrote to the file while it was being filled.
    WrittenMeanwhile {
        /// Bytes written until then.
        filled: u64,
        /// Bytes to be written in all.
        of: u64,
    },
    /// Another program opened the file while it was being filled.
    OpenedMeanwhile {
        /// Bytes written until then.
        filled: u64,
        /// Bytes to be written in all.
        of: u64,
    },
    /// fathom did not create the file, and without a terminal the user cannot be asked for consent.
    NoConsent {
        /// Bytes that would be written.
        bytes: u64,
    },
    /// The file changed after it was examined.
    Changed,
    /// The path now refers to another file than the one that was examined.
    Replaced,
    /// A lease on the file failed with this error; without a lease, opens by other programs cannot be detected.
    NoLease(Errno),
    /// Another process has the file open.
    OpenElsewhere,
    /// Another process has the file open for writing.
    WritableElsewhere,
    /// The file contains a file system, a volume or a disk image, identified by this signature.
    Carries(Signature),
    /// The device is in use, for example mounted.
    InUse(Vec<Use>),
    /// The device was not named in `--allow-destroy`.
    NotAllowed {
        /// Bytes that would be written.
        bytes: u64,
    },
    /// Another program or the kernel holds the device exclusively.
    HeldExclusively,
}

impl PrefillError {
    /// Returns the exit status for the error: 2 for an invalid region, 3 if refused for safety, else 1.
    pub fn exit_code(&self) -> i32 {
        match self {
            PrefillError::Unchecked(refusal) => refusal.exit_code(),
            PrefillError::Refused { .. } => REFUSED,
            PrefillError::Unaligned { .. } | PrefillError::AfterEnd { .. } => 2,
            PrefillError::Target { .. }
            | PrefillError::Ranges { .. }
            | PrefillError::Unreadable { .. }
            | PrefillError::Fill { .. } => 1,
        }
    }
}

/// Returns an error if sampled blocks were `unreadable` beside those that were `read`.
pub(super) fn all_readable(path: &Path, unreadable: u32, read: u32) -> Result<(), PrefillError> {
    match unreadable {
        0 => Ok(()),
        failed => Err(PrefillError::Unreadable { path: path.into(), failed, of: failed + read }),
    }
}

pub(super) fn target(path: &Path, fault: TargetFault) -> PrefillError {
    PrefillError::Target { path: path.into(), fault }
}

pub(super) fn refused(path: &Path, reason: PrefillRefusal) -> PrefillError {
    PrefillError::Refused { path: path.into(), reason }
}

/// Returns the error for a device that cannot be claimed.
pub(super) fn not_claimed(path: &Path, error: TargetError) -> PrefillError {
    match error {
        TargetError::Target { path, fault } => PrefillError::Target { path, fault },
        TargetError::Run(RunError::Refused(refusal)) => match refusal.reason {
            RefusalReason::InUse { found, .. } if found.contains(&Found::HeldExclusively) => {
                refused(path, PrefillRefusal::HeldExclusively)
            }
            RefusalReason::InUse { found, .. } => {
                let of_device = |one| match one {
                    Found::DeviceUse(used) => Some(used),
                    _ => None,
                };
                refused(path, PrefillRefusal::InUse(found.into_iter().filter_map(of_device).collect()))
            }
            _ => PrefillError::Unchecked(refusal),
        },
        // A claim runs no job.
        TargetError::Run(_) | TargetError::Hosts { .. } => target(path, TargetFault::UnknownDevice),
    }
}

pub(super) fn failed(path: &Path) -> impl Fn(io::Error) -> PrefillError {
    move |e| target(path, TargetFault::of(&e))
}

pub(super) fn no_ranges(path: &Path) -> impl Fn(RangesError) -> PrefillError {
    move |e| match e {
        RangesError::Io(e) => failed(path)(e),
        source => PrefillError::Ranges { path: path.into(), source },
    }
}
