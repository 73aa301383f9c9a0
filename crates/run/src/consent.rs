//! Consent: checks which devices and files a plan would overwrite, and holds descriptors that keep other programs
//! from using the checked devices until the end.

use crate::mark::{self, Content};
use crate::prepare::changes;
use crate::refusal::{Found, Refusal, RefusalReason, UnusableKind, Writer};
use crate::remote::{self, Watched};
use crate::targets::{Known, State, Targets, concerns};
use engine::reservation::Reservation;
use facts::SysRoot;
use facts::device_users::{self, Sampled, Writers};
use facts::file_usage::{FilesInUse, opened_elsewhere};
use facts::generic;
use facts::identity::Seen;
use facts::layers::{Device, DeviceNumber, mounts};
use job::job::{EngineChoice, Entry, Job, NameCall};
use job::plan::{Layout, Plan, PlannedFile};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use stats::job_error::TargetChangeKind;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

pub use crate::policy::Policy;

/// The user's permissions to overwrite devices and files.
#[derive(Clone, Debug)]
pub struct Consent {
    /// Rules that decide which writes need consent: fio's or fathom's.
    pub policy: Policy,
    /// Paths of `--allow-destroy=`, in the order of the command line.
    pub allow_destroy: Vec<PathBuf>,
    /// Whether block devices are written only if [`Consent::allow_destroy`] names them, whatever they hold: for commands
    /// that write although their line does not say so.
    pub named_devices: bool,
    /// Devices that an earlier job of the command examined.
    sampled: Sampled,
    /// Devices whose metadata did not change while an earlier job of the command watched them.
    watched: Sampled,
    /// The same of volumes on servers.
    watched_volumes: Watched,
    /// Targets that the command itself holds from its first check to its end, by path.
    held: Vec<(PathBuf, facts::identity::Identity)>,
}

impl Consent {
    /// Returns the consent that the user gave with `--allow-destroy`.
    pub fn new(policy: Policy, allow_destroy: Vec<PathBuf>) -> Consent {
        Consent {
            policy,
            allow_destroy,
            named_devices: false,
            sampled: Sampled::default(),
            watched: Sampled::default(),
            watched_volumes: Watched::default(),
            held: Vec::new(),
        }
    }

    /// Records that the command itself holds the target at `path`: each later check refuses another file or device at
    /// this path, and an exclusive open of the device by this process is no foreign use.
    pub fn hold(&mut self, path: &Path, identity: facts::identity::Identity) {
        self.held.retain(|(known, _)| known != path);
        self.held.push((path.to_owned(), identity));
    }

    /// Returns the identity of the target that the command holds at `path`; `None` if it holds none.
    fn held_at(&self, path: &Path) -> Option<&facts::identity::Identity> {
        self.held.iter().find(|(known, _)| known == path).map(|(_, identity)| identity)
    }

    /// Returns the consent with the rule of [`Consent::named_devices`].
    pub fn of_named_devices(self) -> Consent {
        Consent { named_devices: true, ..self }
    }

    /// Returns whether `--allow-destroy` names this device or file, by this or another name.
    pub fn covers(&self, meta: &Metadata) -> bool {
        self.allow_destroy
            .iter()
            .filter_map(|p| std::fs::metadata(p).ok())
            .any(|named| identity(&named) == identity(meta))
    }
}

/// Identity of a device or file, independent of its name: (true, device number, 0) of a block device, (false, device,
/// inode) of a file.
type Identity = (bool, u64, u64);

fn identity(meta: &Metadata) -> Identity {
    if meta.file_type().is_block_device() { (true, meta.rdev(), 0) } else { (false, meta.dev(), meta.ino()) }
}

/// Keeps other programs from mounting the checked devices, adding them to a volume or opening them exclusively. The
/// guard must be held until the last write is done.
#[derive(Debug, Default)]
pub struct Guard {
    /// An exclusive open of a block device lasts as long as its descriptor, which is never read.
    _held: Vec<OwnedFd>,
    /// Devices whose exclusive descriptor is held.
    pub devices: Vec<PathBuf>,
}

/// Number of files whose content and open descriptors are examined in one check; examining 100,000 files would take
/// longer than the run.
const LOOKED_THROUGH: usize = 1024;

/// Checks everything that `plan` would overwrite, before anything is written. Returns the guard of the checked
/// devices, to be held until the end of the run, and the targets as they were checked.
///
/// # Errors
/// The first target that must not be overwritten or cannot be used, with the reason.
pub fn check(plan: &Plan, consent: &Consent, root: &SysRoot) -> Result<(Guard, Targets), Refusal> {
    let programs = |job: &Job| {
        matches!(job.engine, EngineChoice::Exec(_)) || job.host.prerun.is_some() || job.host.postrun.is_some()
    };
    let mut targets = Targets::new(consent.policy, plan.jobs.iter().any(programs));
    let mut guard = Guard::default();
    let writers = Writers::default();
    let mut checked: HashMap<Identity, Option<Content>> = HashMap::new();
    let mut files = Files { consent, root, users: OnceCell::new(), looked_through: 0 };
    for clone in &plan.clones {
        let Some(job) = plan.jobs.get(clone.job) else { continue };
        if let Some(spec) = job.engine.remote() {
            let asked = remote::RemoteConsent {
                policy: consent.policy,
                allow_destroy: &consent.allow_destroy,
                watched: &consent.watched_volumes,
            };
            if let Err((path, found)) = remote::check(job, spec, clone, &asked, &mut targets) {
                return Err(refusal(&named(job), &path, found, consent.policy));
            }
            continue;
        }
        for file in &clone.files {
            // A file that does not exist cannot be destroyed. If the path cannot be examined, the open of the job
            // fails.
            let Ok(meta) = std::fs::metadata(&file.path) else {
                if consent.policy == Policy::Own && job.engine.needs_files() && among_devices(&file.path) {
                    return Err(refused_kind(job, &file.path, UnusableKind::NoDevice));
                }
                if consent.policy != Policy::Unguarded && job.engine.needs_files() {
                    targets.know(
                        &file.path,
                        Known { state: State::Absent, ours: None, may_change: true, covered: false },
                    );
                }
                continue;
            };
            if let Some(kind) = unusable(job, &file.path, &meta, consent) {
                return Err(refused_kind(job, &file.path, kind));
            }
            if let Some(held) = consent.held_at(&file.path)
                && !held.is(&Seen::known(&file.path, &meta).identity)
            {
                let reason = RefusalReason::Changed(TargetChangeKind::Replaced);
                return Err(Refusal { path: file.path.clone(), reason });
            }
            let block = meta.file_type().is_block_device();
            let commands = job.engine.is_nvme() || job.engine.is_scsi();
            let generic = meta.file_type().is_char_device() && commands;
            if consent.policy == Policy::Unguarded {
                if block && overwrites(job, file, &meta) {
                    fios_own_check(job, &file.path, root)?;
                }
                continue;
            }
            let overwritten = overwrites(job, file, &meta);
            let known = targets.knows(&file.path);
            if known.is_some_and(|known| known.may_change || !overwritten) {
                continue;
            }
            let mut ours = None;
            if overwritten {
                let which = identity(&meta);
                ours = match checked.get(&which) {
                    Some(ours) => *ours,
                    None if block => {
                        check_device(&named(job), &file.path, &meta, consent, root, &writers, &mut guard)?;
                        None
                    }
                    None if generic => {
                        check_generic(&named(job), &file.path, &meta, consent, root, &writers, &mut guard)?;
                        None
                    }
                    None if job.engine.needs_character_device() && meta.file_type().is_char_device() => {
                        if !consent.covers(&meta) {
                            let found = vec![Found::NotExamined];
                            return Err(refusal(&named(job), &file.path, found, consent.policy));
                        }
                        None
                    }
                    None if meta.is_file() => files.check(&named(job), &file.path, &meta)?,
                    None => None,
                };
                checked.insert(which, ours);
            }
            if job.engine.needs_files() {
                // A path that is resolved twice may lead to another file the second time: the file that is opened
                // later is compared with the file that was checked for writing.
                let seen = match known.map(|known| known.state) {
                    Some(State::Checked(seen)) if !overwritten => seen,
                    _ => Seen::known(&file.path, &meta),
                };
                let covered = overwritten && !consent.allow_destroy.is_empty() && consent.covers(&meta);
                targets.know(
                    &file.path,
                    Known { state: State::Checked(seen), ours, may_change: overwritten, covered },
                );
            }
        }
        if let Some(donor) = donor(job) {
            check_donor(job, donor, &mut files, &mut targets)?;
        }
    }
    Ok((guard, targets))
}

/// Returns the file that gives its blocks to the files of the job, and gets theirs.
fn donor(job: &Job) -> Option<&Path> {
    match &job.engine {
        EngineChoice::Defrag(spec) => spec.donor.as_deref(),
        _ => None,
    }
}

/// Checks the donor of a job, whose contents are lost.
fn check_donor(job: &Job, path: &Path, files: &mut Files<'_>, targets: &mut Targets) -> Result<(), Refusal> {
    if files.consent.policy == Policy::Unguarded || targets.knows(path).is_some_and(|known| known.may_change)
    {
        return Ok(());
    }
    let known = match std::fs::metadata(path) {
        Ok(meta) if meta.is_file() => {
            let ours = files.check(&named(job), path, &meta)?;
            let state = State::Checked(Seen::known(path, &meta));
            Known { state, ours, may_change: true, covered: files.consent.covers(&meta) }
        }
        // The open or the allocation of another kind of file fails.
        Ok(_) => return Ok(()),
        Err(_) => Known { state: State::Absent, ours: None, may_change: true, covered: false },
    };
    targets.know(path, known);
    Ok(())
}

/// Checks one device or file that the command `command` would overwrite.
///
/// # Errors
/// The path must not be overwritten, with the reason.
pub fn check_one(
    path: &Path,
    command: &'static str,
    consent: &Consent,
    root: &SysRoot,
) -> Result<Guard, Refusal> {
    let writer = Writer::Command(command);
    let mut guard = Guard::default();
    // If the path cannot be examined, the later open fails.
    let Ok(meta) = std::fs::metadata(path) else { return Ok(guard) };
    if meta.file_type().is_block_device() {
        check_device(&writer, path, &meta, consent, root, &Writers::default(), &mut guard)?;
    } else if meta.is_file() {
        Files { consent, root, users: OnceCell::new(), looked_through: 0 }.check(&writer, path, &meta)?;
    }
    Ok(guard)
}

/// Checks that no other host uses a device that the command `command` holds by `open`, if the user permits to overwrite it. The checks
/// of a held device leave this out, because it takes 1.5 s and more.
///
/// # Errors
/// Another host uses the device, whatever the user permits.
pub fn check_elsewhere(
    path: &Path,
    command: &'static str,
    open: &File,
    consent: &Consent,
    root: &SysRoot,
) -> Result<(), Refusal> {
    match open.metadata().is_ok_and(|meta| consent.covers(&meta)) {
        true => used_elsewhere(&Writer::Command(command), path, open, consent, root),
        false => Ok(()),
    }
}

fn named(job: &Job) -> Writer {
    Writer::Job(job.name.clone())
}

/// Returns whether a job changes the file or device at this path: by its own I/O, because its layout creates the file
/// again, or because the job deletes the file.
fn overwrites(job: &Job, file: &PlannedFile, meta: &Metadata) -> bool {
    let too_small = meta.is_file() && meta.len() < file.size;
    let laid_out =
        matches!(file.layout, Layout::Write | Layout::Reserve) && too_small && job.engine.needs_files();
    let deleted =
        (job.target.unlink || job.target.unlink_each_loop) && meta.is_file() && job.engine.needs_files();
    deleted || !job.target.readonly && (changes(job) || laid_out)
}

/// Returns why a job cannot use the file at a path, whatever its I/O: a named pipe or a socket, which its layout
/// would replace by a file, or, except under fio's rules, a directory that it would remove.
fn unusable(job: &Job, path: &Path, meta: &Metadata, consent: &Consent) -> Option<UnusableKind> {
    let kind = meta.file_type();
    match job.engine {
        EngineChoice::Names(Entry::Directory, call) if meta.is_dir() => {
            let removes = call == NameCall::Delete || job.target.unlink || job.target.unlink_each_loop;
            (removes && consent.policy == Policy::Own && !consent.covers(meta))
                .then_some(UnusableKind::DirectoryToRemove)
        }
        // Calls on names detect other file types themselves and create nothing in their place.
        EngineChoice::Names(..) => None,
        _ if job.engine.needs_files() && meta.is_dir() && consent.policy == Policy::Own => {
            Some(UnusableKind::Directory)
        }
        _ if job.engine.needs_files() && kind.is_fifo() => Some(UnusableKind::NamedPipe),
        _ if job.engine.needs_files() && kind.is_socket() => Some(UnusableKind::Socket),
        _ if job.engine.needs_files()
            && kind.is_file()
            && consent.policy == Policy::Own
            && of_kernel(path, meta) =>
        {
            Some(UnusableKind::KernelFile)
        }
        _ if job.engine.needs_files()
            && kind.is_char_device()
            && consent.policy == Policy::Own
            && !(job.engine.needs_character_device() || job.engine.is_scsi() || is_sink(meta)) =>
        {
            Some(UnusableKind::KernelFile)
        }
        _ => None,
    }
}

/// Returns whether a character device only takes or gives bytes: null, zero, full, random and urandom. A write to others
/// is a command or is shown to a user (kmsg, terminals).
fn is_sink(meta: &Metadata) -> bool {
    const MEMORY: u32 = 1;
    let number = meta.rdev();
    rustix::fs::major(number) == MEMORY && [3, 5, 7, 8, 9].contains(&rustix::fs::minor(number))
}

/// Returns whether a file lies in a file system whose files are interfaces of the kernel: most have size 0, and a write
/// is a command.
fn of_kernel(path: &Path, meta: &Metadata) -> bool {
    // linux/magic.h: proc, sysfs, bpf, debugfs, tracefs, cgroup, cgroup2, securityfs, configfs, efivarfs, pstore, fusectl,
    // mqueue.
    const KERNEL: [i128; 13] = [
        0x9fa0,
        0x6265_6572,
        0xcafe_4a11,
        0x6462_6720,
        0x7472_6163,
        0x0027_e0eb,
        0x6367_7270,
        0x7363_6673,
        0x6265_6570,
        0xde5e_81e4,
        0x6165_676c,
        0x6573_5543,
        0x1980_0202,
    ];
    // A file system with a device has another major number.
    rustix::fs::major(meta.dev()) == 0
        && rustix::fs::statfs(path).is_ok_and(|found| KERNEL.contains(&i128::from(found.f_type)))
}

/// Returns whether a file of this name would be on the file system of the device nodes.
fn among_devices(path: &Path) -> bool {
    let device = |path: &Path| std::fs::metadata(path).map(|meta| meta.dev()).ok();
    path.parent().and_then(device).is_some_and(|parent| device(Path::new("/dev")) == Some(parent))
        && device(Path::new("/dev")) != device(Path::new("/"))
}

fn refused_kind(job: &Job, path: &Path, kind: UnusableKind) -> Refusal {
    Refusal { path: path.to_owned(), reason: RefusalReason::Unusable { writer: named(job), kind } }
}

/// Checks the block device of the namespace behind an NVMe character device, or of the disk behind a SCSI character
/// device. The guard holds the block device, so that no program can mount it during the run.
fn check_generic(
    writer: &Writer,
    path: &Path,
    meta: &Metadata,
    consent: &Consent,
    root: &SysRoot,
    writers: &Writers,
    guard: &mut Guard,
) -> Result<(), Refusal> {
    let number = DeviceNumber::from_raw(meta.rdev());
    let namespace = || {
        let id = File::open(path).ok().and_then(|open| sys::nvme::id(&open).ok())?;
        generic::block_device(root, number, id)
    };
    let device =
        if generic::is_scsi_generic(root, number) { generic::scsi_disk(root, number) } else { namespace() };
    let block = device.map(|device| root.path(Path::new("/dev").join(device.name)));
    let node = block.and_then(|node| Some((std::fs::metadata(&node).ok()?, node)));
    match node.filter(|(meta, _)| meta.file_type().is_block_device()) {
        Some((_, node)) if consent.covers(meta) => {
            if let Ok((open, true)) = claim(&node) {
                used_elsewhere(writer, path, &open, consent, root)?;
                guard._held.push(open.into());
                guard.devices.push(node);
            }
            Ok(())
        }
        None if consent.covers(meta) => Ok(()),
        Some((meta, node)) => check_device(writer, &node, &meta, consent, root, writers, guard),
        None => Err(refusal(writer, path, vec![Found::UnknownToSysfs], consent.policy)),
    }
}

fn check_device(
    writer: &Writer,
    path: &Path,
    meta: &Metadata,
    consent: &Consent,
    root: &SysRoot,
    writers: &Writers,
    guard: &mut Guard,
) -> Result<(), Refusal> {
    let (open, claimed) = match claim(path) {
        Ok(open) => open,
        // Without the permission to read, a medium or a driver, the open of the job fails as well and reports the
        // error.
        Err(Errno::ACCESS | Errno::PERM | Errno::NXIO | Errno::NOMEDIUM | Errno::NODEV) => return Ok(()),
        Err(e) => {
            return if consent.covers(meta) {
                Ok(())
            } else {
                Err(refusal(writer, path, vec![Found::CannotOpen(e)], consent.policy))
            };
        }
    };
    let opened = open.metadata().map(|opened| identity(&opened)).ok();
    if opened != Some(identity(meta)) {
        return Err(refusal(writer, path, vec![Found::Replaced], consent.policy));
    }
    if consent.covers(meta) {
        if claimed && consent.held_at(path).is_none() {
            used_elsewhere(writer, path, &open, consent, root)?;
        }
    } else {
        let device = Device::of(root, DeviceNumber::from_raw(meta.rdev()));
        let mut found: Vec<Found> =
            match device.map(|d| device_users::of_device(root, &d, &open, writers, &consent.sampled)) {
                Some(Ok(uses)) => uses.into_iter().map(Found::DeviceUse).collect(),
                Some(Err(e)) => vec![Found::CannotRead(Errno::from_io_error(&e).unwrap_or(Errno::IO))],
                None => vec![Found::UnknownToSysfs],
            };
        if found.is_empty() && !claimed && consent.held_at(path).is_none() {
            found.push(Found::HeldExclusively);
        }
        if found.is_empty() && consent.named_devices {
            found.push(Found::NotNamed);
        }
        if !found.is_empty() {
            return Err(refusal(writer, path, found, consent.policy));
        }
    }
    if claimed {
        guard._held.push(open.into());
        guard.devices.push(path.to_owned());
    }
    Ok(())
}

/// Opens a device for reading, exclusively if it has no other user. The flag is true if the open is exclusive. The
/// device is opened before it is checked, so that no program can mount it in between. The kernel grants an exclusive
/// open of a whole disk only if none of its partitions is in exclusive use.
fn claim(path: &Path) -> Result<(File, bool), Errno> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags | OFlags::EXCL, Mode::empty()) {
        Ok(open) => Ok((open.into(), true)),
        Err(Errno::BUSY) => Ok((rustix::fs::open(path, flags, Mode::empty())?.into(), false)),
        Err(e) => Err(e),
    }
}

/// Checks that no other host uses a device that the user permits to overwrite and that this host does not use: such a use is
/// seen neither by the kernel nor in what the device contains.
fn used_elsewhere(
    writer: &Writer,
    path: &Path,
    open: &File,
    consent: &Consent,
    root: &SysRoot,
) -> Result<(), Refusal> {
    let changing = || facts::changing::look(root, open, &consent.watched).ok().flatten();
    let reserved = Reservation::of_disk(open).map(Found::from);
    match reserved.or_else(|| changing().map(Found::Changing)) {
        Some(found) => Err(refusal(writer, path, vec![found], consent.policy)),
        None => Ok(()),
    }
}

fn refusal(writer: &Writer, path: &Path, mut found: Vec<Found>, policy: Policy) -> Refusal {
    let elsewhere = found.iter().position(|one| matches!(one, Found::Changing(_) | Found::Reserved { .. }));
    let writer = writer.clone();
    let reason = match elsewhere {
        Some(at) => RefusalReason::UsedElsewhere { writer, found: Box::new(found.swap_remove(at)) },
        None => RefusalReason::Overwrite { writer, found, policy },
    };
    Refusal { path: path.to_owned(), reason }
}

/// State of the check of regular files.
struct Files<'a> {
    consent: &'a Consent,
    root: &'a SysRoot,
    /// Open files of other processes, read once, and only if a regular file would be overwritten.
    users: OnceCell<FilesInUse>,
    /// Number of files whose content and openers were examined.
    looked_through: usize,
}

impl Files<'_> {
    /// Returns whether content and users of the next file are examined; they are for the first [`LOOKED_THROUGH`] files.
    fn examines_users(&mut self) -> bool {
        self.looked_through += 1;
        self.looked_through <= LOOKED_THROUGH
    }

    /// Returns the content that fathom wrote into a file that may be overwritten; `None` for other files.
    ///
    /// # Errors
    /// The file must not be overwritten, with the reason.
    fn check(&mut self, writer: &Writer, path: &Path, meta: &Metadata) -> Result<Option<Content>, Refusal> {
        let Consent { policy, .. } = *self.consent;
        let seen = Seen::known(path, meta);
        let refuse = |found: Found| {
            if self.consent.covers(meta) { Ok(None) } else { Err(refusal(writer, path, vec![found], policy)) }
        };
        let users = self.users.get_or_init(|| FilesInUse::look(self.root));
        if let Some(found) = users.of(seen.identity.number()).filter(|found| concerns(policy, found)) {
            return refuse(Found::FileUse(found.clone()));
        }
        // A file without a name was created by the program that passed its descriptor.
        if meta.nlink() == 0 {
            return Ok(None);
        }
        // An empty file holds no data; a program that has it open may be about to write some.
        if meta.len() == 0 {
            let open = policy == Policy::Own && self.examines_users() && opened_elsewhere(path) == Some(true);
            return if open { refuse(Found::OpenElsewhere) } else { Ok(None) };
        }
        if policy != Policy::Own {
            // Under fio's rules, a file that fathom created stays marked as such.
            return Ok(mark::examine(path, &seen, false).ok());
        }
        let thorough = self.examines_users();
        match mark::examine(path, &seen, thorough) {
            Ok(_) if thorough && opened_elsewhere(path) == Some(true) => refuse(Found::OpenElsewhere),
            Ok(content) => Ok(Some(content)),
            Err(because) => refuse(Found::Exists { bytes: meta.len(), because }),
        }
    }
}

/// Returns whether fathom created this file, which may then be overwritten without consent.
pub fn is_scratch(path: &Path) -> bool {
    mark::is_ours(path)
}

/// Performs fio's own check, which compares device names only. A refusal ends the program without a job and without
/// an error.
fn fios_own_check(job: &Job, path: &Path, root: &SysRoot) -> Result<(), Refusal> {
    if job.target.mounted || !mounts(root).iter().any(|m| Path::new(&m.source) == path) {
        return Ok(());
    }
    Err(Refusal { path: path.to_owned(), reason: RefusalReason::MountedForFio })
}
