//! Claim of the device under test: exclusive from the first check to the end of the study, and checked before each step.

use super::error::{PtsError, PtsRefusal};
use facts::SysRoot;
use facts::device_users::same_file;
use facts::layers::{Device, DeviceNumber};
use facts::{signature, usage};
use run::consent::Consent;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The device under test, open exclusively: no other program can mount it, add it to a volume or open it exclusively.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    root: SysRoot,
    /// Open for reading and writing, so that a discard goes through the descriptor that holds the claim.
    pub(super) open: File,
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

impl Claim {
    /// Claims a block device whose data may be destroyed.
    ///
    /// # Errors
    /// The device is used, carries a signature, is not named by `--allow-destroy`, or cannot be opened exclusively.
    pub fn of(path: &Path, consent: &Consent, root: &SysRoot) -> Result<Claim, PtsError> {
        let meta = std::fs::metadata(path).map_err(system(path))?;
        if !meta.file_type().is_block_device() {
            return Err(refused(path, PtsRefusal::NoDevice));
        }
        let device = Device::of(root, DeviceNumber::from_raw(meta.rdev()))
            .ok_or(PtsError::System { path: path.into(), errno: Errno::NODEV })?;
        let live = usage::live(root, &device);
        if !live.is_empty() {
            return Err(refused(path, PtsRefusal::InUse(live)));
        }
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::EXCL;
        let open: File = match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(open) => open.into(),
            Err(Errno::BUSY) => return Err(refused(path, PtsRefusal::HeldExclusively)),
            Err(errno) => return Err(PtsError::System { path: path.into(), errno }),
        };
        let bytes = sys::block::size(&open).map_err(system(path))?;
        let claim = Claim { path: path.into(), root: root.clone(), open, device, bytes };
        claim.check()?;
        let signatures = signature::find(&claim.open, bytes).map_err(system(path))?;
        if !signatures.is_empty() {
            let found = signatures.into_iter().map(usage::Use::Carries).collect();
            return Err(refused(path, PtsRefusal::InUse(found)));
        }
        if !consent.covers(&meta) {
            return Err(refused(path, PtsRefusal::NotAllowed { bytes }));
        }
        Ok(claim)
    }

    /// Checks that the device is still the one that was claimed, and that nothing uses it by any name.
    ///
    /// # Errors
    /// The device was replaced or resized, or it or another loop device over its file is used.
    pub fn check(&self) -> Result<(), PtsError> {
        let path = &self.path;
        let number = |meta: &std::fs::Metadata| meta.rdev();
        let named = std::fs::metadata(path).map_err(system(path))?;
        let held = self.open.metadata().map_err(system(path))?;
        if number(&named) != number(&held) {
            return Err(refused(path, PtsRefusal::Replaced));
        }
        let now = sys::block::size(&self.open).map_err(system(path))?;
        if now != self.bytes {
            return Err(refused(path, PtsRefusal::AnotherSize { before: self.bytes, now }));
        }
        let mut uses = usage::live(&self.root, &self.device);
        uses.extend(same_file(&self.root, &self.device, &self.open));
        if uses.is_empty() { Ok(()) } else { Err(refused(path, PtsRefusal::InUse(uses))) }
    }
}
