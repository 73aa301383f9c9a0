//! A target that a command holds from its first check to its end. A block device that is written is open exclusively, so
//! that no program can mount it between two steps, and nothing that is in use is written, whatever the user permits.
//! Before each step the path must still lead to the same file or device, of the same size, without a new use and without
//! contents that another program wrote.

use crate::target::{Target, TargetError};
use crate::target_fault::TargetFault;
use facts::SysRoot;
use facts::device_users::same_file;
use facts::file_usage::{FilesInUse, opened_elsewhere};
use facts::identity::Seen;
use facts::layers::{Device, DeviceNumber};
use facts::signature::EndContents;
use facts::usage::{Use, live};
use run::RunError;
use run::consent::{Consent, Policy, check_one};
use run::prepare::Host;
use run::refusal::{Found, Refusal, RefusalReason, Writer};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use stats::job_error::TargetChangeKind;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Use that a command makes of the target that it holds.
#[derive(Clone, Copy, Debug)]
pub struct Holding {
    /// Name of the command in refusals.
    pub command: &'static str,
    /// Whether the command writes to the target.
    pub writes: bool,
}

/// A file or block device that is held until this value is dropped.
#[derive(Debug)]
pub struct HeldTarget {
    path: PathBuf,
    holding: Holding,
    size: u64,
    seen: Seen,
    /// Partitions of a disk that is written, as the kernel knew them at the first check.
    partitions: Option<Use>,
    /// Contents of the ends of a device that is written, before the first step or after the last one; `None` if they
    /// cannot be read.
    contents: Option<EndContents>,
    /// A device that is written, open exclusively.
    exclusive: Option<File>,
}

impl HeldTarget {
    /// Holds the target of a study and records it in `consent`, which every job of the command uses. Returns `None` for
    /// scratch files, which have no name, and for simulated devices.
    ///
    /// # Errors
    /// The target cannot be examined, or must not be written.
    pub fn hold(
        target: &Target,
        holding: Holding,
        consent: &mut Consent,
        root: &SysRoot,
    ) -> Result<Option<HeldTarget>, TargetError> {
        if target.kind.is_none() || target.is_scratch() {
            return Ok(None);
        }
        let held = HeldTarget::claim(&target.path, holding, root)?;
        held.permit(consent, root)?;
        Ok(Some(held))
    }

    /// Holds the file or device at `path`. Its contents may still have to be permitted to be lost: see
    /// [`HeldTarget::permit`].
    ///
    /// # Errors
    /// The target cannot be examined, or it is in use and would be written.
    pub fn claim(path: &Path, holding: Holding, root: &SysRoot) -> Result<HeldTarget, TargetError> {
        let system =
            |e: std::io::Error| TargetError::Target { path: path.into(), fault: TargetFault::of(&e) };
        let seen = Seen::at(path).map_err(system)?;
        let mut held = HeldTarget {
            path: path.into(),
            holding,
            size: 0,
            seen,
            partitions: None,
            contents: None,
            exclusive: None,
        };
        let writes_device = holding.writes && !seen.identity.is_file();
        if holding.writes {
            let mut found = uses(path, &seen, root);
            let of_disk = |one: &Found| matches!(one, Found::DeviceUse(Use::Partitioned { .. }));
            // A partition table is data, whose loss the user may permit.
            if let Some(at) = found.iter().position(of_disk)
                && let Found::DeviceUse(partitions) = found.remove(at)
            {
                held.partitions = Some(partitions);
            }
            // The file is not kept open: the check of its users would take this process for one. Birth time or generation
            // tell it from a later file with its inode number.
            if found.is_empty() && seen.identity.is_file() && opened_elsewhere(path) == Some(true) {
                found.push(Found::OpenElsewhere);
            }
            held.refuse_uses(found)?;
        }
        if writes_device {
            held.exclusive = match open(path, OFlags::EXCL) {
                Ok(exclusive) => Some(exclusive),
                Err(Errno::BUSY) => {
                    held.refuse_uses(vec![Found::HeldExclusively])?;
                    None
                }
                Err(errno) => return Err(system(errno.into())),
            };
        }
        held.size = size(path).map_err(system)?;
        if writes_device {
            held.contents = contents(path, held.size);
        }
        // Again, because no other program can claim the device any more.
        held.state(root)?;
        Ok(held)
    }

    /// Checks that the data of a target that is written may be lost, and records the target in `consent`.
    ///
    /// # Errors
    /// The target holds data, and the user has not permitted its loss.
    pub fn permit(&self, consent: &mut Consent, root: &SysRoot) -> Result<(), TargetError> {
        consent.hold(&self.path, self.seen.identity);
        if self.holding.writes {
            check_one(&self.path, self.holding.command, consent, root).map_err(RunError::Refused)?;
        }
        Ok(())
    }

    /// Checks, before a step, that the target is the one that is held, has its size, and, if it is written, that the
    /// system does not use it and that no other program has changed its contents.
    ///
    /// # Errors
    /// The change of the target.
    pub fn check(&self, root: &SysRoot) -> Result<(), TargetError> {
        let now = self.state(root)?;
        if !self.holding.writes {
            return Ok(());
        }
        let before = self.contents.as_ref();
        let ends = before.and_then(|before| Some((before, contents(&self.path, self.size)?)));
        let foreign = ends.as_ref().is_some_and(|(before, now)| *before != now);
        if let Some((before, now)) = ends {
            let new = now.signatures.into_iter().filter(|one| !before.signatures.contains(one));
            let found: Vec<Found> = new.map(|one| Found::DeviceUse(Use::Carries(one))).collect();
            if !found.is_empty() {
                let writer = Writer::Command(self.holding.command);
                return Err(self.refused(RefusalReason::Overwrite { writer, found, policy: Policy::Own }));
            }
        }
        if foreign || now.identity.is_file() && now.modified != self.seen.modified {
            return Err(self.refused(RefusalReason::Changed(TargetChangeKind::Content)));
        }
        Ok(())
    }

    /// Records the state of the target after a step, whose own writes are no change by another program.
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

    /// Returns the state of the target that the path leads to.
    ///
    /// # Errors
    /// It is another target, has another size, or, if it is written, has a use.
    fn state(&self, root: &SysRoot) -> Result<Seen, TargetError> {
        let same = |now: &Seen| now.identity.is(&self.seen.identity);
        let claimed = self.exclusive.as_ref().is_none_or(|open| Seen::of(open).is_ok_and(|now| same(&now)));
        let Some(now) = Seen::at(&self.path).ok().filter(same).filter(|_| claimed) else {
            return Err(self.refused(RefusalReason::Changed(TargetChangeKind::Replaced)));
        };
        if size(&self.path).ok() != Some(self.size) {
            return Err(self.refused(RefusalReason::Changed(TargetChangeKind::Resized)));
        }
        if self.holding.writes {
            let mut found = uses(&self.path, &now, root);
            let known =
                |one: &Found| matches!(one, Found::DeviceUse(used) if self.partitions.as_ref() == Some(used));
            found.retain(|one| !known(one));
            self.refuse_uses(found)?;
        }
        Ok(now)
    }

    fn refuse_uses(&self, found: Vec<Found>) -> Result<(), TargetError> {
        if found.is_empty() {
            return Ok(());
        }
        Err(self.refused(RefusalReason::InUse { writer: Writer::Command(self.holding.command), found }))
    }

    fn refused(&self, reason: RefusalReason) -> TargetError {
        RunError::Refused(Refusal { path: self.path.clone(), reason }).into()
    }
}

/// Returns the uses of the file or device at `path` by the system.
pub fn uses(path: &Path, seen: &Seen, root: &SysRoot) -> Vec<Found> {
    use std::os::unix::fs::MetadataExt;
    if seen.identity.is_file() {
        let used = FilesInUse::look(root).of(seen.identity.number()).cloned();
        return used.map(Found::FileUse).into_iter().collect();
    }
    let number = std::fs::metadata(path).ok().map(|meta| DeviceNumber::from_raw(meta.rdev()));
    let Some(device) = number.and_then(|number| Device::of(root, number)) else { return Vec::new() };
    let mut uses = live(root, &device);
    if let Ok(open) = open(path, OFlags::empty()) {
        uses.extend(same_file(root, &device, &open));
    }
    uses.into_iter().map(Found::DeviceUse).collect()
}

/// Opens a device for reading with these flags, without a wait for a medium.
fn open(path: &Path, flags: OFlags) -> Result<File, Errno> {
    let flags = flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

/// Returns the contents of the ends of a device of `size` bytes; `None` if they cannot be read. The page cache may have
/// bytes from before a write to a device below.
pub(crate) fn contents(path: &Path, size: u64) -> Option<EndContents> {
    let read = |flags| EndContents::read(&open(path, flags).ok()?, size).ok();
    read(OFlags::DIRECT).or_else(|| read(OFlags::empty()))
}

fn size(path: &Path) -> std::io::Result<u64> {
    Ok(job::plan::Inspect::inspect(&mut Host, path)?.size)
}
