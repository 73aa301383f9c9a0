//! The targets that consent has checked, by path. Only these are opened and deleted: between the check and the open,
//! which may be hours later, a path can come to refer to another file.

use crate::job_error::failed_because;
use crate::mark::{self, Content};
use crate::policy::Policy;
use crate::zones::ZonedDevice;
use facts::SysRoot;
use facts::file_usage::{FileUse, FilesInUse};
use facts::identity::{Identity, Seen};
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use stats::job_error::{ErrorCause, JobError, TargetChange, TargetChangeKind};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Value of `function` in the [`JobError`] of a refused target.
pub const REFUSED: &str = "refused";

/// Time for which the examination of a target on a server holds.
const FRESH: Duration = Duration::from_secs(1);

/// Files and devices of a run, whose identity is compared with the checked one at each open.
#[derive(Debug)]
pub struct Targets {
    policy: Policy,
    /// Whether the plan runs programs, which may create files for later jobs.
    programs: bool,
    known: Mutex<HashMap<PathBuf, Known>>,
    users: Mutex<FilesInUse>,
    refused: Mutex<Option<TargetChange>>,
    zoned: Mutex<HashMap<PathBuf, Arc<ZonedDevice>>>,
    /// Targets on servers that the run may overwrite, by name, with the time of their examination; `None` once the run has
    /// opened them: their contents may be its own.
    on_servers: Mutex<HashMap<String, Option<Instant>>>,
}

/// Knowledge about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) state: State,
    /// Kind of data that fathom wrote into the file; `None` if not all of its data is fathom's.
    pub(crate) ours: Option<Content>,
    /// Whether the data at the path may be replaced, because consent has checked the target.
    pub(crate) may_change: bool,
    /// Whether `--allow-destroy` names the target.
    pub(crate) covered: bool,
}

/// State of the file or device at a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    /// No file.
    Absent,
    /// The file or device that the check saw.
    Checked(Seen),
    /// The file or device that this run opened for writing or created.
    Opened(Identity),
}

/// Reason why a target was not opened or deleted.
#[derive(Debug)]
pub enum TargetError {
    /// Error of the system call.
    System(Errno),
    /// The target is not the one that was checked.
    Refused(TargetChange),
}

impl From<Errno> for TargetError {
    fn from(errno: Errno) -> Self {
        TargetError::System(errno)
    }
}

impl From<io::Error> for TargetError {
    fn from(e: io::Error) -> Self {
        TargetError::System(Errno::from_io_error(&e).unwrap_or(Errno::IO))
    }
}

impl Targets {
    /// Returns targets without any check, for fio's own rules and simulated devices.
    pub fn unchecked() -> Targets {
        Targets::new(Policy::Unguarded, false)
    }

    pub(crate) fn new(policy: Policy, programs: bool) -> Targets {
        Targets {
            policy,
            programs,
            known: Mutex::default(),
            users: Mutex::default(),
            refused: Mutex::default(),
            zoned: Mutex::default(),
            on_servers: Mutex::default(),
        }
    }

    /// Returns whether fathom's own policy applies, not that of fio's command line.
    pub(crate) fn is_own(&self) -> bool {
        self.policy == Policy::Own
    }

    /// Returns whether the error of a file that cannot be laid out includes its path; fio's error names only the
    /// call.
    pub(crate) fn names_files(&self) -> bool {
        self.policy == Policy::Own
    }

    /// Returns the zones of the device at `path`, which all jobs share; the first job reads them with `new`.
    pub(crate) fn zoned(
        &self,
        path: &Path,
        new: impl FnOnce() -> Result<ZonedDevice, JobError>,
    ) -> Result<Arc<ZonedDevice>, JobError> {
        let mut all = self.zoned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(path) {
            return Ok(Arc::clone(known));
        }
        let device = Arc::new(new()?);
        all.insert(path.to_owned(), Arc::clone(&device));
        Ok(device)
    }

    /// Stores that a target on a server was examined now and may be overwritten; with `covered`, whatever it holds.
    pub(crate) fn examined_on_server(&mut self, name: &str, covered: bool) {
        let all = self.on_servers.get_mut().unwrap_or_else(PoisonError::into_inner);
        all.insert(name.to_owned(), (!covered).then(Instant::now));
    }

    /// Opens a target on a server for writing. One that was examined more than [`FRESH`] ago, before the jobs that come
    /// first, is examined again with `changed`, unless this run has opened it.
    ///
    /// # Errors
    /// The change that `changed` returns.
    pub(crate) fn open_on_server(
        &self,
        name: &str,
        changed: impl FnOnce() -> Option<TargetChangeKind>,
    ) -> Result<(), TargetError> {
        if self.policy == Policy::Unguarded {
            return Ok(());
        }
        // Held during the examination: what other workers of this run write then would be taken for foreign data.
        let mut all = self.on_servers.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(examined) = all.get_mut(name) else { return Ok(()) };
        if let Some(kind) = examined.filter(|at| at.elapsed() > FRESH).and_then(|_| changed()) {
            return Err(self.refusal_of(Path::new(name), kind));
        }
        *examined = None;
        Ok(())
    }

    /// Forgets all zones: those of simulated devices are empty at the start of each phase.
    pub(crate) fn forget_zones(&self) {
        self.zoned.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the result of the check of a path.
    pub(crate) fn know(&mut self, path: &Path, known: Known) {
        self.known.get_mut().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), known);
    }

    pub(crate) fn knows(&self, path: &Path) -> Option<Known> {
        self.lock().get(path).copied()
    }

    /// Returns the first target that changed since the check.
    pub fn refusal(&self) -> Option<TargetChange> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the uses of files by the system, before the workers of a phase start.
    pub(crate) fn begin_phase(&self, root: &SysRoot) {
        let written = |known: &Known| known.may_change && !known.is_device();
        if self.policy != Policy::Unguarded && self.lock().values().any(written) {
            *self.users.lock().unwrap_or_else(PoisonError::into_inner) = FilesInUse::look(root);
        }
    }

    /// Opens a target. A target that the check saw is opened only if it is the same; a file that was absent must be
    /// created here or by this run. Nothing is truncated.
    ///
    /// # Errors
    /// The error of the system call, or the change of the target since the check.
    pub(crate) fn open(
        &self,
        path: &Path,
        flags: OFlags,
        mode: Mode,
        content: Content,
    ) -> Result<OwnedFd, TargetError> {
        let changes = flags.intersects(OFlags::RDWR | OFlags::WRONLY | OFlags::CREATE);
        if self.policy == Policy::Unguarded || !changes {
            return Ok(open_any(path, flags, mode)?);
        }
        let Some(known) = self.knows(path) else { return Ok(open_any(path, flags, mode)?) };
        if !matches!(known.state, State::Absent) {
            match open_any(path, flags.difference(OFlags::CREATE), mode) {
                Ok(open) => return self.compare(path, open, content),
                Err(Errno::NOENT) if flags.contains(OFlags::CREATE) => {}
                Err(e) => return Err(e.into()),
            }
        }
        // Held until the new file is recorded as ours: another worker may want to create it, too.
        let mut all = self.lock();
        let Some(entry) = all.get_mut(path) else { return Err(Errno::IO.into()) };
        let made_meanwhile = match (entry.state, known.state) {
            (State::Opened(now), State::Opened(before)) => now != before,
            (now, _) => matches!(now, State::Opened(_)),
        };
        if made_meanwhile {
            drop(all);
            let open = open_any(path, flags.difference(OFlags::CREATE), mode)?;
            return self.compare(path, open, content);
        }
        let foreign = self.programs && self.policy == Policy::Fio;
        if !flags.contains(OFlags::CREATE) {
            let open = open_any(path, flags, mode)?;
            if !foreign {
                return Err(self.refusal_of(path, TargetChangeKind::Appeared));
            }
            return Ok(open);
        }
        let made = open_any(&end_of_links(path), flags | OFlags::EXCL, mode);
        let open = match made {
            Err(Errno::EXIST) if foreign => return Ok(open_any(path, flags, mode)?),
            Err(Errno::EXIST) => {
                return Err(self.refusal_of(path, TargetChangeKind::Appeared));
            }
            Err(e) => {
                // The kernel creates the file before it refuses O_DIRECT.
                if let Ok(seen) = Seen::at(path)
                    && e == Errno::INVAL
                    && seen.size == 0
                {
                    *entry = Known::made(seen.identity, content);
                }
                return Err(e.into());
            }
            Ok(open) => open,
        };
        let seen = Seen::of(&open)?;
        *entry = Known::made(seen.identity, content);
        drop(all);
        mark::begin(&open, &seen.identity, content);
        Ok(open)
    }

    /// Returns the open file if it is the one that is known for the path.
    ///
    /// # Errors
    /// The change of the target since the check, or its use by the system.
    fn compare(&self, path: &Path, open: OwnedFd, content: Content) -> Result<OwnedFd, TargetError> {
        // Held until the mark is written: another worker would take it for a change by another program.
        let mut all = self.lock();
        let Some(known) = all.get_mut(path) else { return Err(Errno::IO.into()) };
        let now = Seen::of(&open)?;
        let mut ours = known.ours;
        match known.state {
            // Another worker has deleted the file since it was opened here.
            State::Absent => return Ok(open),
            State::Checked(seen) => {
                self.same(path, &seen.identity, &now.identity)?;
                let guarded = self.policy == Policy::Own && known.may_change && !known.covered;
                if guarded && now.identity.is_file() && !seen.unchanged(&now) {
                    return Err(self.refusal_of(path, TargetChangeKind::Content));
                }
                // An empty file becomes ours.
                if guarded && seen.size == 0 && now.identity.is_file() {
                    ours = Some(content);
                }
            }
            State::Opened(identity) => self.same(path, &identity, &now.identity)?,
        }
        self.unused(path, &now, *known)?;
        let merged = ours.map(|ours| ours.and(content));
        if let Some(content) = merged.filter(|_| matches!(known.state, State::Checked(_)) || merged != ours) {
            mark::begin(&open, &now.identity, content);
        }
        known.ours = merged;
        known.state = State::Opened(now.identity);
        Ok(open)
    }

    fn same(&self, path: &Path, checked: &Identity, now: &Identity) -> Result<(), TargetError> {
        if checked.is(now) {
            return Ok(());
        }
        Err(self.refusal_of(path, TargetChangeKind::Replaced))
    }

    /// Checks that neither another device nor the system uses the file now.
    ///
    /// # Errors
    /// The use that was found.
    fn unused(&self, path: &Path, now: &Seen, known: Known) -> Result<(), TargetError> {
        if known.covered || !now.identity.is_file() {
            return Ok(());
        }
        let users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        let found = users.of(now.identity.number()).filter(|found| concerns(self.policy, found)).cloned();
        drop(users);
        found.map_or(Ok(()), |found| Err(self.refusal_of(path, change_of(found))))
    }

    /// Deletes the file at `path` (a symbolic link itself, not its target) if it is the file that was checked or that
    /// this run created.
    ///
    /// # Errors
    /// ENOENT if no file exists; the change of the target since the check.
    pub(crate) fn unlink(&self, path: &Path) -> Result<(), TargetError> {
        let mut all = self.lock();
        let Some(known) = all.get_mut(path).filter(|_| self.policy != Policy::Unguarded) else {
            return Ok(rustix::fs::unlink(path)?);
        };
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some(name) = path.file_name().map(Path::new) else { return Err(Errno::ISDIR.into()) };
        let directory = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let parent = rustix::fs::open(parent, directory, Mode::empty())?;
        let entry = Seen::entry(&parent, name)?;
        // A link is deleted only if it leads to the checked file.
        let now = if entry.is_link() { Seen::at(path).ok() } else { Some(entry) };
        let same = match (known.state, now) {
            (State::Absent, None) => true,
            (State::Absent, Some(_)) => self.programs && self.policy == Policy::Fio,
            (State::Checked(seen), Some(now)) => {
                let unchanged =
                    self.policy == Policy::Fio || known.covered || known.may_change && seen.unchanged(&now);
                seen.identity.is(&now.identity) && unchanged
            }
            (State::Opened(identity), Some(now)) => identity.is(&now.identity),
            (State::Checked(_) | State::Opened(_), None) => false,
        };
        if !same {
            return Err(self.refusal_of(path, TargetChangeKind::OtherFile));
        }
        if let Some(now) = now {
            self.unused(path, &now, *known)?;
        }
        rustix::fs::unlinkat(&parent, name, AtFlags::empty())?;
        known.state = State::Absent;
        Ok(())
    }

    /// Marks the files that this run has written as complete.
    pub(crate) fn settle(&self) {
        let all = std::mem::take(&mut *self.lock());
        for (path, known) in all {
            if let (State::Opened(identity), Some(content)) = (known.state, known.ours) {
                mark::settle(&path, &identity, content);
            }
        }
    }

    /// Stores the first refusal, and returns it as an error.
    fn refusal_of(&self, path: &Path, kind: TargetChangeKind) -> TargetError {
        let change = TargetChange { path: path.display().to_string(), kind };
        let mut first = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| change.clone());
        TargetError::Refused(change)
    }
}

fn change_of(found: FileUse) -> TargetChangeKind {
    match found {
        FileUse::Loop { by } => TargetChangeKind::BackingFile { device: by },
        FileUse::Swap => TargetChangeKind::Swap,
        FileUse::Mounted { at } => TargetChangeKind::Mounted { at: at.display().to_string() },
    }
}

impl Known {
    fn made(identity: Identity, content: Content) -> Known {
        Known { state: State::Opened(identity), ours: Some(content), may_change: true, covered: false }
    }

    fn is_device(&self) -> bool {
        matches!(self.state, State::Checked(seen) if !seen.identity.is_file())
    }
}

/// Returns whether a use of a file forbids writing to it. fio's rules permit writing to a file that is mounted.
pub(crate) fn concerns(policy: Policy, found: &FileUse) -> bool {
    policy == Policy::Own || !matches!(found, FileUse::Mounted { .. })
}

impl From<TargetError> for io::Error {
    fn from(e: TargetError) -> io::Error {
        match e {
            TargetError::System(errno) => errno.into(),
            TargetError::Refused(_) => Errno::PERM.into(),
        }
    }
}

/// Returns the error of a job whose target was refused.
pub(crate) fn refused(change: TargetChange) -> JobError {
    failed_because(REFUSED, &Errno::PERM.into(), ErrorCause::Changed(change))
}

/// Opens a file without updates of its access time (O_NOATIME), which would write during a read test. Only the owner
/// may set the flag; without permission, the file is opened without this flag.
fn open_any(path: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    match rustix::fs::open(path, flags | OFlags::NOATIME, mode) {
        Err(Errno::PERM) => rustix::fs::open(path, flags, mode),
        other => other,
    }
}

/// Returns the path to which a dangling symbolic link leads: O_EXCL creates a file at this path, but not through the
/// link.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    // The kernel follows the same number of links.
    for _ in 0..40 {
        let Ok(to) = std::fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(to);
    }
    end
}
