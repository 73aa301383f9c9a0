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
use facts::signature::{EndContents, Signature};
use facts::usage::{Use, live};
use job::remote::RemoteSpec;
use run::RunError;
use run::consent::{Consent, Policy, check_elsewhere, check_one};
use run::prepare::Host;
use run::refusal::{Found, Refusal, RefusalReason, Writer};
use run::server_lock;
use rustix::fd::AsFd;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use stats::job_error::TargetChangeKind;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Use that a command makes of the target that it holds.
#[derive(Clone, Copy, Debug)]
pub struct Holding {
    /// Name of the command in refusals.
    pub command: &'static str,
    /// Whether the command writes to the target.
    pub writes: bool,
    /// Whether the partitions that the kernel knows of a device count as a use; otherwise they are data.
    pub refuses_partitions: bool,
    /// Whether the descriptor by which a device is claimed is also open for writing.
    pub claims_for_writing: bool,
    /// The ends of a device are read before a step if the last reading began this long ago, or 20 times as long ago as it
    /// took.
    pub reads_ends_every: Duration,
}

impl Holding {
    /// Returns the use by a command whose steps are jobs, or that has a single step.
    pub fn of(command: &'static str, writes: bool) -> Holding {
        Holding {
            command,
            writes,
            refuses_partitions: false,
            claims_for_writing: false,
            reads_ends_every: Duration::ZERO,
        }
    }
}

/// Holds a target on a server against other processes of this machine until the end of this one, and refuses one that they or
/// other clients have open; each job checks its contents.
fn unused_on_server(
    spec: &RemoteSpec,
    target: &Target,
    command: &'static str,
) -> Result<Option<HeldTarget>, TargetError> {
    let Ok(mut volume) = run::remote::open(spec, &target.opened) else { return Ok(None) };
    let mut found = Vec::new();
    if !server_lock::hold(&volume.server_id(), &spec.target(&target.opened)) {
        found.push(Found::OtherRun);
    }
    let clients = volume.users().unwrap_or_default();
    if !clients.is_empty() {
        found.push(Found::Clients(clients));
    }
    if found.is_empty() {
        return Ok(None);
    }
    let reason = RefusalReason::InUse { writer: Writer::Command(command), found };
    Err(RunError::Refused(Refusal { path: target.name.clone(), reason }).into())
}

/// Last reading of the ends of a device.
#[derive(Debug)]
struct LastReading {
    /// Contents; `None` if they could not be read.
    contents: Option<EndContents>,
    began: Instant,
    took: Duration,
    /// Whether the command has written since.
    wrote: bool,
}

impl LastReading {
    fn now(path: &Path, bytes: u64) -> LastReading {
        let began = Instant::now();
        let contents = contents(path, bytes);
        LastReading { contents, began, took: began.elapsed(), wrote: false }
    }
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
    /// Ends of a device that is written; `None` for other targets.
    ends: Option<LastReading>,
    /// A device that is written, open exclusively; `None` for other targets.
    exclusive: Option<Arc<File>>,
    /// Whether processes of other hosts write the target on purpose, too.
    shared: bool,
}

impl HeldTarget {
    /// Holds the target of a study and records it in `consent`, which every job of the command uses. Returns `None` for
    /// scratch files, which have no name, for simulated devices, and for targets on hosts, which hold them.
    ///
    /// # Errors
    /// The target cannot be examined, or must not be written.
    pub fn hold(
        target: &Target,
        holding: Holding,
        consent: &mut Consent,
        root: &SysRoot,
    ) -> Result<Option<HeldTarget>, TargetError> {
        if target.kind.is_none() || target.is_scratch() || target.on_hosts.is_some() {
            return Ok(None);
        }
        if let Some(spec) = &target.remote {
            return if holding.writes { unused_on_server(spec, target, holding.command) } else { Ok(None) };
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
            ends: None,
            exclusive: None,
            shared: false,
        };
        let writes_device = holding.writes && !seen.identity.is_file();
        if holding.writes {
            let mut found = uses(path, &seen, root);
            let of_disk = |one: &Found| matches!(one, Found::DeviceUse(Use::Partitioned { .. }));
            // A partition table is data, whose loss the user may permit.
            if !holding.refuses_partitions
                && let Some(at) = found.iter().position(of_disk)
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
            let access = if holding.claims_for_writing { OFlags::RDWR } else { OFlags::RDONLY };
            held.exclusive = match open(path, access | OFlags::EXCL) {
                Ok(exclusive) => Some(Arc::new(exclusive)),
                Err(Errno::BUSY) => {
                    held.refuse_uses(vec![Found::HeldExclusively])?;
                    None
                }
                Err(errno) => return Err(system(errno.into())),
            };
        }
        held.size = held.size_now().map_err(system)?;
        if writes_device {
            held.ends = Some(LastReading::now(path, held.size));
        }
        // Again, because no other program can claim the device any more.
        held.state(root)?;
        Ok(held)
    }

    /// Checks that the data of a target that is written may be lost, and that no other host uses a device, and records the target in
    /// `consent`.
    ///
    /// # Errors
    /// The target holds data, and the user has not permitted its loss; or another host uses it.
    pub fn permit(&self, consent: &mut Consent, root: &SysRoot) -> Result<(), TargetError> {
        consent.hold(&self.path, self.seen.identity);
        if self.holding.writes {
            check_one(&self.path, self.holding.command, consent, root).map_err(RunError::Refused)?;
            self.check_elsewhere(consent, root)?;
        }
        Ok(())
    }

    /// Checks that no other host uses a device that is written with the user's permission; takes 1.5 s and more if it holds a known
    /// format.
    ///
    /// # Errors
    /// Another host uses it.
    pub fn check_elsewhere(&self, consent: &Consent, root: &SysRoot) -> Result<(), TargetError> {
        let Some(open) = &self.exclusive else { return Ok(()) };
        let found = check_elsewhere(&self.path, self.holding.command, open, consent, root);
        Ok(found.map_err(RunError::Refused)?)
    }

    /// Lets the processes of other hosts, which may run on this machine, write the target, too: a device is no longer claimed, and
    /// changed contents are theirs. The other checks before each step stay.
    pub fn share(&mut self) {
        (self.exclusive, self.ends, self.shared) = (None, None, true);
    }

    /// Checks, before a step, that the target is the one that is held, has its size, and, if it is written, that the
    /// system does not use it and that no other program has changed its contents since [`HeldTarget::visited`]. Without
    /// that call after a step that wrote, another program is recognised by a signature alone. `writes` is whether the step
    /// writes.
    ///
    /// # Errors
    /// The change of the target.
    pub fn check(&mut self, writes: bool, root: &SysRoot) -> Result<(), TargetError> {
        let now = self.state(root)?;
        if !self.holding.writes || self.shared {
            return Ok(());
        }
        let changed = RefusalReason::Changed(TargetChangeKind::Content);
        if now.identity.is_file() && now.modified != self.seen.modified {
            return Err(self.refused(changed));
        }
        let Some(ends) = &self.ends else { return Ok(()) };
        let mut wrote = ends.wrote;
        if ends.began.elapsed() >= self.holding.reads_ends_every.min(ends.took * 20) {
            let now = LastReading::now(&self.path, self.size);
            let (before, found) = (ends.contents.as_ref(), now.contents.as_ref());
            let known = |one: &Signature| before.is_some_and(|before| before.signatures.contains(one));
            let new = found.iter().flat_map(|found| &found.signatures).filter(|one| !known(one));
            let new: Vec<Found> = new.cloned().map(|one| Found::DeviceUse(Use::Carries(one))).collect();
            if !new.is_empty() {
                let writer = Writer::Command(self.holding.command);
                return Err(self.refused(RefusalReason::Overwrite {
                    writer,
                    found: new,
                    policy: Policy::Own,
                }));
            }
            if !wrote && before.zip(found).is_some_and(|(before, found)| before != found) {
                return Err(self.refused(changed));
            }
            wrote = false;
            self.ends = Some(now);
        }
        if let Some(ends) = &mut self.ends {
            ends.wrote = wrote || writes;
        }
        Ok(())
    }

    /// Records the state of the target after a step, whose own writes are no change by another program.
    pub fn visited(&mut self) {
        if let Ok(now) = Seen::at(&self.path)
            && now.identity.is(&self.seen.identity)
        {
            self.seen.modified = now.modified;
            if self.ends.is_some() {
                self.ends = Some(LastReading::now(&self.path, self.size));
            }
        }
    }

    /// Returns the descriptor by which a device that is written is claimed; `None` for other targets.
    pub fn exclusive(&self) -> Option<&Arc<File>> {
        self.exclusive.as_ref()
    }

    /// Checks that an open file is the target that is held.
    ///
    /// # Errors
    /// It is another one, or cannot be examined.
    pub fn check_open<Fd: AsFd>(&self, open: Fd) -> Result<(), TargetError> {
        match Seen::of(open).is_ok_and(|now| now.identity.is(&self.seen.identity)) {
            true => Ok(()),
            false => Err(self.refused(RefusalReason::Changed(TargetChangeKind::Replaced))),
        }
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the state of the target that the path leads to.
    ///
    /// # Errors
    /// It is another target, has another size, or, if it is written, has a new use.
    pub fn state(&self, root: &SysRoot) -> Result<Seen, TargetError> {
        let same = |now: &Seen| now.identity.is(&self.seen.identity);
        let Some(now) = Seen::at(&self.path).ok().filter(same) else {
            return Err(self.refused(RefusalReason::Changed(TargetChangeKind::Replaced)));
        };
        self.exclusive.as_ref().map_or(Ok(()), |open| self.check_open(open))?;
        if self.size_now().ok() != Some(self.size) {
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

    fn size_now(&self) -> std::io::Result<u64> {
        match &self.exclusive {
            Some(open) => sys::block::size(open),
            None => Ok(job::plan::Inspect::inspect(&mut Host, &self.path)?.size),
        }
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
fn uses(path: &Path, seen: &Seen, root: &SysRoot) -> Vec<Found> {
    use std::os::unix::fs::MetadataExt;
    if seen.identity.is_file() {
        let used = FilesInUse::look(root).of(seen.identity.number()).cloned();
        return used.map(Found::FileUse).into_iter().collect();
    }
    let number = std::fs::metadata(path).ok().map(|meta| DeviceNumber::from_raw(meta.rdev()));
    let Some(device) = number.and_then(|number| Device::of(root, number)) else { return Vec::new() };
    let mut uses = live(root, &device);
    if let Ok(open) = open(path, OFlags::RDONLY) {
        uses.extend(same_file(root, &device, &open));
    }
    uses.into_iter().map(Found::DeviceUse).collect()
}

/// Opens a device with these flags, without a wait for a medium.
fn open(path: &Path, flags: OFlags) -> Result<File, Errno> {
    let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

/// Returns the contents of the ends of a device of `size` bytes; `None` if they cannot be read.
fn contents(path: &Path, size: u64) -> Option<EndContents> {
    EndContents::read(&open(path, OFlags::RDONLY).ok()?, size).ok()
}
