//! Claim of the device under test: a block device without data, exclusive from the first check to the end of the study.

use super::error::{PtsError, PtsRefusal};
use crate::held::{HeldTarget, Holding};
use crate::target::TargetError;
use facts::layers::{Device, DeviceNumber};
use facts::{SysRoot, signature, usage};
use run::RunError;
use run::consent::Consent;
use run::refusal::{Found, Refusal, RefusalReason};
use rustix::io::Errno;
use std::fs::File;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Name of the command in refusals.
const COMMAND: &str = "pts";

/// Use of the device by a study. A discard goes through the descriptor that holds the claim, and steps of a rehearsal may
/// be shorter than a reading of the ends.
const STUDY: Holding = Holding {
    command: COMMAND,
    writes: true,
    refuses_partitions: true,
    claims_for_writing: true,
    reads_ends_every: Duration::from_secs(1),
};

/// The device under test, open exclusively: no other program can mount it, add it to a volume or open it exclusively.
#[derive(Debug)]
pub struct Claim {
    held: HeldTarget,
    root: SysRoot,
    /// The descriptor that holds the claim.
    pub(super) open: Arc<File>,
    /// The device.
    pub device: Device,
    /// Size, bytes.
    pub bytes: u64,
}

fn refused(path: &Path, reason: PtsRefusal) -> PtsError {
    PtsError::Refused { path: path.into(), reason }
}

fn system(path: &Path) -> impl Fn(std::io::Error) -> PtsError {
    move |e| PtsError::System { path: path.into(), errno: Errno::from_io_error(&e).unwrap_or(Errno::IO) }
}

/// Returns the error for a target that changed. What another program wrote is not overwritten whatever the user permits,
/// so that the refusal names no option.
fn changed(error: TargetError) -> PtsError {
    match error {
        TargetError::Run(RunError::Refused(Refusal {
            path,
            reason: RefusalReason::Overwrite { found, .. },
        })) => {
            let of_device = |one| match one {
                Found::DeviceUse(used) => Some(used),
                _ => None,
            };
            let found = found.into_iter().filter_map(of_device).collect();
            PtsError::Refused { path, reason: PtsRefusal::Carries(found) }
        }
        other => PtsError::Target(other),
    }
}

impl Claim {
    /// Claims a block device whose data may be destroyed. `writes` is whether the descriptor that holds the claim is open for
    /// writing, as the steps of a study need it.
    ///
    /// # Errors
    /// The device is used, carries a signature, is not named by `--allow-destroy`, or cannot be opened exclusively.
    pub fn of(path: &Path, writes: bool, consent: &Consent, root: &SysRoot) -> Result<Claim, PtsError> {
        let named = std::fs::metadata(path).map_err(system(path))?;
        if !named.file_type().is_block_device() {
            return Err(refused(path, PtsRefusal::NoDevice));
        }
        // The ends are read here, before the search for signatures, which also covers places between them.
        let held = HeldTarget::claim(path, Holding { claims_for_writing: writes, ..STUDY }, root)
            .map_err(changed)?;
        let unknown = || PtsError::System { path: path.into(), errno: Errno::NODEV };
        let open = held.exclusive().cloned().ok_or_else(unknown)?;
        let meta = open.metadata().map_err(system(path))?;
        let device = Device::of(root, DeviceNumber::from_raw(meta.rdev())).ok_or_else(unknown)?;
        let claim = Claim { bytes: held.size(), held, root: root.clone(), open, device };
        let signatures = signature::find(&claim.open, claim.bytes).map_err(system(path))?;
        if !signatures.is_empty() {
            let found = signatures.into_iter().map(usage::Use::Carries).collect();
            return Err(refused(path, PtsRefusal::Carries(found)));
        }
        if !consent.covers(&meta) {
            return Err(refused(path, PtsRefusal::NotAllowed { bytes: claim.bytes }));
        }
        claim.held.check_elsewhere(consent, root).map_err(changed)?;
        Ok(claim)
    }

    /// Checks, before a step, that the device is still the one that was claimed, that nothing uses it by any name, and that
    /// no other program has written to the ends of the device. The data of the study is random: after its own writes,
    /// another program is recognised by a signature. `writes` is whether the step writes.
    ///
    /// # Errors
    /// The device was replaced, resized or changed, it or another loop device over its file is used, or it carries a
    /// signature.
    pub fn check_before_step(&mut self, writes: bool) -> Result<(), PtsError> {
        self.held.check(writes, &self.root).map_err(changed)
    }
}
