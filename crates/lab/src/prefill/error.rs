//! Why a target was not filled.

use crate::target_fault::TargetFault;
use facts::extents::RangesError;
use facts::signature::Signature;
use facts::usage::Use;
use job::exit_status::REFUSED;
use run::filler::FillError;
use run::refusal::Refusal;
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};

/// Why a target was not filled, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum PrefillError {
    /// The target cannot be used.
    #[error("{}: {fault:?}", path.display())]
    Target {
        /// Path of the target.
        path: PathBuf,
        /// Why.
        fault: TargetFault,
    },
    /// The file has more separate ranges than can be kept.
    #[error("{}: {source:?}", path.display())]
    Ranges {
        /// Path of the target.
        path: PathBuf,
        /// Which ranges.
        source: RangesError,
    },
    /// An option is no multiple of [`super::BLOCK`].
    #[error("{option}: {value}")]
    Unaligned {
        /// Name of the option.
        option: &'static str,
        /// Its value, bytes.
        value: u64,
    },
    /// The region begins at or after the end of the target.
    #[error("{}: {offset} of {size}", path.display())]
    AfterEnd {
        /// Path of the target.
        path: PathBuf,
        /// `--offset`.
        offset: u64,
        /// Bytes of the target.
        size: u64,
    },
    /// Refused for safety.
    #[error("{}: {reason:?}", path.display())]
    Refused {
        /// Path of the target.
        path: PathBuf,
        /// Why.
        reason: PrefillRefusal,
    },
    /// Refused by the check that every write to a target passes.
    #[error(transparent)]
    Unchecked(#[from] Refusal),
    /// A write failed.
    #[error("{}: {source}", path.display())]
    Fill {
        /// Path of the target.
        path: PathBuf,
        /// The call that failed, and its error.
        source: FillError,
    },
}

/// Why filling is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrefillRefusal {
    /// Another program wrote to the file while it was being filled.
    WrittenMeanwhile {
        /// Bytes that were filled.
        filled: u64,
        /// Bytes that were to be filled.
        of: u64,
    },
    /// Another program opened the file while it was being filled.
    OpenedMeanwhile {
        /// Bytes that were filled.
        filled: u64,
        /// Bytes that were to be filled.
        of: u64,
    },
    /// fathom has not made the file, and no terminal can be asked for consent.
    NoConsent {
        /// Bytes that would be written.
        bytes: u64,
    },
    /// The file changed after it was examined.
    Changed,
    /// Another file has taken the place of the one that was examined.
    Replaced,
    /// The file cannot be leased, so another program that opens it would go unnoticed.
    NoLease(Errno),
    /// The file is open elsewhere.
    OpenElsewhere,
    /// The file is open for writing elsewhere.
    WritableElsewhere,
    /// The file holds a file system, a volume or a disk image.
    Carries(Signature),
    /// The device is in use.
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
    /// Returns 2 for a region that cannot be, 3 when refused for safety, else 1.
    pub fn exit_code(&self) -> i32 {
        match self {
            PrefillError::Unchecked(refusal) => refusal.exit_code(),
            PrefillError::Refused { .. } => REFUSED,
            PrefillError::Unaligned { .. } | PrefillError::AfterEnd { .. } => 2,
            PrefillError::Target { .. } | PrefillError::Ranges { .. } | PrefillError::Fill { .. } => 1,
        }
    }
}

pub(super) fn target(path: &Path, fault: TargetFault) -> PrefillError {
    PrefillError::Target { path: path.into(), fault }
}

pub(super) fn refused(path: &Path, reason: PrefillRefusal) -> PrefillError {
    PrefillError::Refused { path: path.into(), reason }
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
