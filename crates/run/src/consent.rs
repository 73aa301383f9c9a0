//! Consent: what may be overwritten, and the descriptors that keep it ours until the end.

use crate::prepare::{SCRATCH_ATTRIBUTE, changes};
use facts::SysRoot;
use facts::layers::{Device, DeviceNumber, mounts};
use facts::usage;
use job::job::Job;
use job::plan::{Layout, Plan, PlannedFile};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Exit status of a refusal for safety, in every command.
const REFUSED: i32 = 3;

/// Whose rules hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// `fathom fio`: devices are guarded, files are fio's business.
    Fio,
    /// Our own commands: devices and foreign files are guarded.
    Own,
    /// `FATHOM_FIO_UNGUARDED=1`: what fio does, which refuses a mounted device by its exact name and nothing else.
    Unguarded,
}

/// What the user agreed to.
#[derive(Clone, Debug)]
pub struct Consent {
    /// Whose rules hold.
    pub policy: Policy,
    /// `--allow-destroy=`, each time it was given.
    pub allow_destroy: Vec<PathBuf>,
}

impl Consent {
    /// The user named this very device or file, by whatever name.
    pub fn covers(&self, meta: &Metadata) -> bool {
        self.allow_destroy
            .iter()
            .filter_map(|p| std::fs::metadata(p).ok())
            .any(|named| identity(&named) == identity(meta))
    }
}

/// One device or file, whatever it is called: a device's own number, or device and inode of a file.
type Identity = (bool, u64, u64);

fn identity(meta: &Metadata) -> Identity {
    if meta.file_type().is_block_device() { (true, meta.rdev(), 0) } else { (false, meta.dev(), meta.ino()) }
}

/// Keeps the checked devices from being mounted, joined or opened exclusively by anybody else. Hold it until the last
/// write is done.
#[derive(Debug, Default)]
pub struct Guard {
    /// Held, never read: an exclusive open of a block device lasts as long as its descriptor.
    _held: Vec<OwnedFd>,
    /// Devices whose exclusive descriptor is held.
    pub devices: Vec<PathBuf>,
}

/// A refusal: one line that says what was found, where, and how to insist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Refusal {
    /// The line for standard error.
    pub text: String,
    /// Exit status: 3 = refused for safety; under [`Policy::Unguarded`] what fio answers.
    pub exit_code: i32,
    /// What must not be written.
    pub path: PathBuf,
}

/// Checks everything that `plan` would overwrite, before anything is written.
pub fn check(plan: &Plan, consent: &Consent, root: &SysRoot) -> Result<Guard, Refusal> {
    let mut guard = Guard::default();
    let mut checked: HashSet<Identity> = HashSet::new();
    for clone in &plan.clones {
        let Some(job) = plan.jobs.get(clone.job) else { continue };
        for file in &clone.files {
            // What is not there cannot be destroyed; what cannot be looked at fails where the job opens it.
            let Ok(meta) = std::fs::metadata(&file.path) else { continue };
            if !overwrites(job, file, &meta) {
                continue;
            }
            let block = meta.file_type().is_block_device();
            match consent.policy {
                Policy::Unguarded if block => fios_own_check(job, &file.path, root)?,
                Policy::Unguarded => {}
                _ if !checked.insert(identity(&meta)) => {}
                _ if block => {
                    check_device(&named(job), &file.path, &meta, consent, root, &mut guard)?;
                }
                Policy::Own if meta.is_file() => check_file(&named(job), &file.path, &meta, consent)?,
                Policy::Own | Policy::Fio => {}
            }
        }
    }
    Ok(guard)
}

/// The same of one device that `who` would overwrite.
pub fn check_one(path: &Path, who: &str, consent: &Consent, root: &SysRoot) -> Result<Guard, Refusal> {
    let mut guard = Guard::default();
    // What cannot be looked at fails where it is opened.
    if let Ok(meta) = std::fs::metadata(path)
        && meta.file_type().is_block_device()
    {
        check_device(who, path, &meta, consent, root, &mut guard)?;
    }
    Ok(guard)
}

fn named(job: &Job) -> String {
    format!("job {}", job.name)
}

/// Whether a job changes what is at this path: by its own I/O, because its layout makes the file anew, or
/// because it is deleted.
fn overwrites(job: &Job, file: &PlannedFile, meta: &Metadata) -> bool {
    let too_small = meta.is_file() && meta.len() < file.size;
    let laid_out =
        matches!(file.layout, Layout::Write | Layout::Reserve) && too_small && job.engine.needs_files();
    let deleted =
        (job.target.unlink || job.target.unlink_each_loop) && meta.is_file() && job.engine.needs_files();
    deleted || !job.target.readonly && (changes(job) || laid_out)
}

fn check_device(
    who: &str,
    path: &Path,
    meta: &Metadata,
    consent: &Consent,
    root: &SysRoot,
    guard: &mut Guard,
) -> Result<(), Refusal> {
    let (open, claimed) = match claim(path) {
        Ok(open) => open,
        // No right to read, no medium, no driver: the job's own open fails as well and says why.
        Err(Errno::ACCESS | Errno::PERM | Errno::NXIO | Errno::NOMEDIUM | Errno::NODEV) => return Ok(()),
        Err(e) => {
            let reason = format!("it cannot be opened to see what it carries ({e})");
            return if consent.covers(meta) {
                Ok(())
            } else {
                Err(refusal(who, path, &[reason], consent.policy))
            };
        }
    };
    let device = Device::of(root, DeviceNumber::from_raw(meta.rdev()));
    let mut reasons: Vec<String> = match device.map(|d| usage::of_device(root, &d, &open)) {
        Some(Ok(uses)) => uses.iter().map(|used| reason(used, path)).collect(),
        Some(Err(e)) => vec![format!("its first and last MiB cannot be read to see what it carries ({e})")],
        None => vec!["sysfs does not know it, so that its use cannot be told".into()],
    };
    if reasons.is_empty() && !claimed {
        reasons.push("another program or the kernel holds it exclusively (EBUSY)".into());
    }
    if !reasons.is_empty() && !consent.covers(meta) {
        return Err(refusal(who, path, &reasons, consent.policy));
    }
    if claimed {
        guard._held.push(open.into());
        guard.devices.push(path.to_owned());
    }
    Ok(())
}

/// A use in words. No tool knows what unknown data is, so that `wipefs` does not remove it: its advice comes with it.
fn reason(used: &usage::Use, path: &Path) -> String {
    match used {
        usage::Use::Unknown { .. } => {
            format!("{used} (if nobody wants it, `blkdiscard {}` removes it)", path.display())
        }
        _ => used.to_string(),
    }
}

/// Opens a device for reading, exclusively if nobody else has it. The claim comes before the check, so that nobody can
/// mount it in between; the kernel grants that of a whole disk only if none of its partitions is claimed.
fn claim(path: &Path) -> Result<(File, bool), Errno> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match rustix::fs::open(path, flags | OFlags::EXCL, Mode::empty()) {
        Ok(open) => Ok((open.into(), true)),
        Err(Errno::BUSY) => Ok((rustix::fs::open(path, flags, Mode::empty())?.into(), false)),
        Err(e) => Err(e),
    }
}

fn refusal(who: &str, path: &Path, reasons: &[String], policy: Policy) -> Refusal {
    let (path_text, why) = (path.display(), reasons.join("; "));
    let fio = if policy == Policy::Fio { " (or set FATHOM_FIO_UNGUARDED=1 for fio's own rules)" } else { "" };
    let text = format!(
        "refused: {who} would overwrite {path_text}: {why}; to destroy what is on it, add \
         --allow-destroy={path_text}{fio}"
    );
    Refusal { text, exit_code: REFUSED, path: path.to_owned() }
}

fn check_file(who: &str, path: &Path, meta: &Metadata, consent: &Consent) -> Result<(), Refusal> {
    // An empty file holds nothing, and one without a name was made by whoever handed us its descriptor.
    if meta.len() == 0 || meta.nlink() == 0 || is_scratch(path) || consent.covers(meta) {
        return Ok(());
    }
    let size = meta.len();
    Err(refusal(
        who,
        path,
        &[format!("it is there already ({size} bytes) and fathom has not made it")],
        consent.policy,
    ))
}

/// Whether fathom made this file: it may be overwritten without asking.
pub fn is_scratch(path: &Path) -> bool {
    let mut value = [0u8; 16];
    rustix::fs::getxattr(path, SCRATCH_ATTRIBUTE, &mut value).is_ok()
}

/// fio compares names, not devices, and ends without a job and without an error.
fn fios_own_check(job: &Job, path: &Path, root: &SysRoot) -> Result<(), Refusal> {
    if job.target.mounted || !mounts(root).iter().any(|m| Path::new(&m.source) == path) {
        return Ok(());
    }
    let path_text = path.display();
    let text = format!("fio: {path_text} appears mounted, and 'allow_mounted_write' isn't set. Aborting.");
    Err(Refusal { text, exit_code: 0, path: path.to_owned() })
}
