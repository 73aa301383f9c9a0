//! Claim of the device under test: exclusive from the first check to the end of the study, and checked before each step.

use super::error::{PtsError, PtsRefusal};
use crate::held;
use crate::target::TargetError;
use facts::SysRoot;
use facts::device_users::same_file;
use facts::layers::{Device, DeviceNumber};
use facts::signature::EndContents;
use facts::{signature, usage};
use run::RunError;
use run::consent::Consent;
use run::refusal::{Refusal, RefusalReason};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use stats::job_error::TargetChangeKind;
use std::fs::File;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The ends of the device are read before a step if the last reading began this long ago, or 20 times as long ago as it
/// took: steps of a rehearsal may be shorter than a reading.
const READ_ENDS: Duration = Duration::from_secs(1);

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
    ends: LastReading,
}

/// Last reading of the ends of the device.
#[derive(Debug)]
struct LastReading {
    /// Contents; `None` if they could not be read.
    contents: Option<EndContents>,
    began: Instant,
    took: Duration,
    /// Whether the study has written since.
    wrote: bool,
}

impl LastReading {
    fn now(path: &Path, bytes: u64) -> LastReading {
        let began = Instant::now();
        let contents = held::contents(path, bytes);
        LastReading { contents, began, took: began.elapsed(), wrote: false }
    }
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
        // Read before the search for signatures, which also covers places between the ends.
        let ends = LastReading::now(path, bytes);
        let claim = Claim { path: path.into(), root: root.clone(), open, device, bytes, ends };
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

    /// Checks, before a step, what [`Claim::check`] does, and that no other program has written to the ends of the
    /// device. The data of the study is random: after its own writes, another program is recognised by a signature.
    /// `writes` is whether the step writes.
    ///
    /// # Errors
    /// The errors of [`Claim::check`]; the device carries a signature or was changed.
    pub fn check_before_step(&mut self, writes: bool) -> Result<(), PtsError> {
        self.check()?;
        if self.ends.began.elapsed() >= READ_ENDS.min(self.ends.took * 20) {
            let now = LastReading::now(&self.path, self.bytes);
            if let Some(found) = now.contents.as_ref().filter(|found| !found.signatures.is_empty()) {
                let found = found.signatures.iter().cloned().map(usage::Use::Carries).collect();
                return Err(refused(&self.path, PtsRefusal::InUse(found)));
            }
            let both = self.ends.contents.as_ref().zip(now.contents.as_ref());
            if !self.ends.wrote && both.is_some_and(|(before, now)| before != now) {
                let reason = RefusalReason::Changed(TargetChangeKind::Content);
                let changed = RunError::Refused(Refusal { path: self.path.clone(), reason });
                return Err(PtsError::Target(TargetError::from(changed)));
            }
            self.ends = now;
        }
        self.ends.wrote |= writes;
        Ok(())
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
