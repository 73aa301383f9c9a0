//! A target that a study holds from its first check to its end: a block device that the study writes is claimed
//! exclusively, so that no program can mount it between two visits, and before each visit the path must still lead to
//! the same file or device, of the same size, without a new use and without contents that another program wrote.

use crate::target::{Target, TargetError};
use crate::target_fault::TargetFault;
use facts::SysRoot;
use facts::device_users::same_file;
use facts::file_usage::{FileUse, FilesInUse};
use facts::identity::Seen;
use facts::layers::{Device, DeviceNumber};
use facts::signature::EndContents;
use facts::usage::{Use, live};
use run::RunError;
use run::consent::{Consent, Guard, check_one};
use run::prepare::Host;
use run::refusal::{Found, Refusal, RefusalReason, Writer};
use rustix::fs::{Mode, OFlags};
use stats::job_error::TargetChangeKind;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A file or block device that is held until this value is dropped.
#[derive(Debug)]
pub struct HeldTarget {
    path: PathBuf,
    command: &'static str,
    writes: bool,
    size: u64,
    seen: Seen,
    /// Uses at the first check, to which the user has consented.
    uses: Uses,
    /// Contents of the ends of a device that is written, before the first visit or after the last one; `None` if they
    /// cannot be read, and for a device that the system uses and may write.
    contents: Option<EndContents>,
    _guard: Guard,
}

/// Uses of a target by the system.
#[derive(Debug, Default, PartialEq)]
struct Uses {
    file: Option<FileUse>,
    device: Vec<Use>,
}

impl Uses {
    fn of(path: &Path, seen: &Seen, root: &SysRoot) -> Uses {
        use std::os::unix::fs::MetadataExt;
        if seen.identity.is_file() {
            let file = FilesInUse::look(root).of(seen.identity.number()).cloned();
            return Uses { file, device: Vec::new() };
        }
        let number = std::fs::metadata(path).ok().map(|meta| DeviceNumber::from_raw(meta.rdev()));
        let Some(device) = number.and_then(|number| Device::of(root, number)) else { return Uses::default() };
        let mut uses = live(root, &device);
        if let Some(open) = open(path, OFlags::empty()) {
            uses.extend(same_file(root, &device, &open));
        }
        Uses { file: None, device: uses }
    }

    /// Returns the uses that `before` does not have.
    fn beyond(self, before: &Uses) -> Vec<Found> {
        let file = self.file.filter(|found| before.file.as_ref() != Some(found)).map(Found::FileUse);
        let device = self.device.into_iter().filter(|found| !before.device.contains(found));
        file.into_iter().chain(device.map(Found::DeviceUse)).collect()
    }
}

/// Returns the uses of the file or device at `path` by the system.
pub fn uses(path: &Path, seen: &Seen, root: &SysRoot) -> Vec<Found> {
    Uses::of(path, seen, root).beyond(&Uses::default())
}

impl HeldTarget {
    /// Holds a target for `command` and records it in `consent`, which every job of the command uses. Returns `None`
    /// for scratch files, which have no name, and for simulated devices.
    ///
    /// # Errors
    /// The target cannot be examined, or, if `writes`, must not be written.
    pub fn hold(
        target: &Target,
        writes: bool,
        command: &'static str,
        consent: &mut Consent,
        root: &SysRoot,
    ) -> Result<Option<HeldTarget>, TargetError> {
        if target.kind.is_none() || target.is_scratch() {
            return Ok(None);
        }
        let path = target.path.clone();
        let system = |e| TargetError::Target { path: path.clone(), fault: TargetFault::of(&e) };
        let seen = Seen::at(&path).map_err(system)?;
        let guard = match writes {
            true => check_one(&path, command, consent, root).map_err(RunError::Refused)?,
            false => Guard::default(),
        };
        // A file is not kept open: the check of its users would take this process for one. Birth time or generation tell
        // it from a later file with its inode number.
        consent.hold(&path, seen.identity);
        let uses = Uses::of(&path, &seen, root);
        let size = size(&path).map_err(system)?;
        let compared = writes && !seen.identity.is_file() && uses.device.is_empty();
        let contents = if compared { contents(&path, size) } else { None };
        Ok(Some(HeldTarget { command, writes, size, uses, contents, seen, _guard: guard, path }))
    }

    /// Checks, before a visit, that the target is the one that is held, has its size, and, if it is written, that the
    /// system does not use it and that no other program has changed its contents.
    ///
    /// # Errors
    /// The change of the target.
    pub fn check(&self, root: &SysRoot) -> Result<(), TargetError> {
        let refuse = |reason| Err(RunError::Refused(Refusal { path: self.path.clone(), reason }).into());
        let same = Seen::at(&self.path).ok().filter(|now| now.identity.is(&self.seen.identity));
        let Some(now) = same else { return refuse(RefusalReason::Changed(TargetChangeKind::Replaced)) };
        if size(&self.path).ok() != Some(self.size) {
            return refuse(RefusalReason::Changed(TargetChangeKind::Resized));
        }
        if !self.writes {
            return Ok(());
        }
        let mut found = Uses::of(&self.path, &now, root).beyond(&self.uses);
        let before = self.contents.as_ref();
        let ends = before.and_then(|before| Some((before, contents(&self.path, self.size)?)));
        let foreign = ends.as_ref().is_some_and(|(before, now)| *before != now);
        if let Some((before, now)) = ends {
            let new = now.signatures.into_iter().filter(|one| !before.signatures.contains(one));
            found.extend(new.map(|one| Found::DeviceUse(Use::Carries(one))));
        }
        if !found.is_empty() {
            let (writer, policy) = (Writer::Command(self.command), run::consent::Policy::Own);
            return refuse(RefusalReason::Overwrite { writer, found, policy });
        }
        if foreign || now.identity.is_file() && now.modified != self.seen.modified {
            return refuse(RefusalReason::Changed(TargetChangeKind::Content));
        }
        Ok(())
    }

    /// Records the state of the target after a visit, whose own writes are no change by another program.
    pub fn visited(&mut self) {
        if let Ok(now) = Seen::at(&self.path)
            && now.identity.is(&self.seen.identity)
        {
            self.seen.modified = now.modified;
            if self.contents.is_some() {
                self.contents = contents(&self.path, self.size);
            }
        }
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }
}

/// Opens a device for reading with these flags, without a wait for a medium.
fn open(path: &Path, flags: OFlags) -> Option<File> {
    let flags = flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Some(rustix::fs::open(path, flags, Mode::empty()).ok()?.into())
}

/// Returns the contents of the ends of a device of `size` bytes; `None` if they cannot be read. The page cache may have
/// bytes from before a write to a device below.
pub(crate) fn contents(path: &Path, size: u64) -> Option<EndContents> {
    let read = |flags| EndContents::read(&open(path, flags)?, size).ok();
    read(OFlags::DIRECT).or_else(|| read(OFlags::empty()))
}

fn size(path: &Path) -> std::io::Result<u64> {
    Ok(job::plan::Inspect::inspect(&mut Host, path)?.size)
}
