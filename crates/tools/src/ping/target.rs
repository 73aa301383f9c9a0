//! The target of a ping: a device, a file, or a file that is made in a directory.

use super::arguments::{PingSettings, Requests};
use facts::SysRoot;
use facts::extents::{self, Gaps};
use facts::file_usage::FilesInUse;
use facts::identity::{Identity, Seen};
use facts::layers::Stack;
use run::consent::{Consent, Guard, Policy, check_one};
use run::mark::{self, Content};
use run::refusal::{Found, Refusal, RefusalReason, Writer};
use rustix::fd::AsFd;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::fs::{File, Metadata};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use sys::page_buffer::PageBuffer;

/// Largest number of holes and unwritten extents that are remembered.
const MOST_GAPS: usize = 65_536;

/// Name of the file that `-k` keeps.
const KEPT: &str = "ioping.tmp";

/// Reason why a target cannot be used.
#[derive(Debug)]
pub enum TargetError {
    /// The path cannot be examined.
    Stat(PathBuf, Errno),
    /// The path cannot be opened.
    Open(PathBuf, Errno),
    /// O_DIRECT cannot be set.
    Direct(Errno),
    /// The file in the directory cannot be made.
    Temporary(PathBuf, Errno),
    /// The file in the directory cannot be filled.
    Fill(Errno),
    /// The filled file cannot be written to the device.
    Sync(Errno),
    /// The size of the device is unknown.
    Size(Errno),
    /// Memory for a request is short.
    Memory,
    /// Requests are larger than the range in which they should lie.
    RequestTooBig,
    /// The range is larger than the target.
    TooSmall,
    /// Neither device, file nor directory.
    NotSupported(PathBuf),
    /// A file or device would be overwritten without `-WWW`.
    NotShredded,
    /// fathom's rules of consent refuse the write.
    Refused(Refusal),
    /// The path is not named in `--allow-destroy`.
    NotAllowed(PathBuf),
    /// The path leads to another file than the one that was checked.
    Replaced(PathBuf),
    /// The kept file of a directory is no regular file of one name.
    KeptFile(PathBuf),
    /// The kept file of a directory would be overwritten, and holds data that fathom did not write.
    ForeignFile(PathBuf),
}

/// Names of the target as ioping prints them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetNames {
    /// Path as given.
    pub path: String,
    /// File system, or kind of device.
    pub kind: String,
    /// Device or source of the file system; `device` for devices.
    pub device: String,
    /// Size of the device or file system in bytes.
    pub device_size: u64,
}

/// An open target.
#[derive(Debug)]
pub struct Target {
    /// File to which requests go.
    pub file: File,
    /// Names as ioping prints them.
    pub names: TargetNames,
    /// Size of the range of requests in bytes; 0 for a character device.
    pub work_size: u64,
    /// Layers below the target.
    pub stack: Stack,
    /// Holes and unwritten extents of the range; `None` if they are unknown.
    pub gaps: Option<Gaps>,
    /// Keeps other programs from using a device that is written.
    _guard: Option<Guard>,
    /// Marks the file that `-k` keeps when it has been written for the last time.
    _mark: Option<KeptMark>,
}

/// Mark of the file that `-k` keeps, which is set on drop: the next ping may overwrite the file.
#[derive(Debug)]
struct KeptMark {
    path: PathBuf,
    identity: Identity,
}

impl Drop for KeptMark {
    fn drop(&mut self) {
        mark::settle(&self.path, &self.identity, Content::Any);
    }
}

fn errno(e: &std::io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}

/// Opens the target of `s` and prepares the file of a directory with contents of `fill`.
///
/// # Errors
/// The target cannot be used, or must not be written.
pub fn open(
    s: &PingSettings,
    root: &SysRoot,
    fill: &mut dyn FnMut(&mut [u8]),
) -> Result<Target, TargetError> {
    let path = &s.target;
    let meta = std::fs::metadata(path).map_err(|e| TargetError::Stat(path.clone(), errno(&e)))?;
    let kind = meta.file_type();
    let is_directory = meta.is_dir();
    if !is_directory && !kind.is_block_device() && !kind.is_char_device() && !meta.is_file() {
        return Err(TargetError::NotSupported(path.clone()));
    }
    let writes = s.requests != Requests::Reads;
    let mut mark = None;
    let (file, guard) = if is_directory {
        let size = s.work_size.unwrap_or(s.directory_size);
        check_range(s, size, None)?;
        let (file, kept) = in_directory(s, path, size, root, fill)?;
        mark = kept;
        (file, None)
    } else {
        if writes && s.write_switches < 3 {
            return Err(TargetError::NotShredded);
        }
        let guard = if writes { Some(consented(s, path, &meta, root)?) } else { None };
        let file = open_existing(s, path, writes)?;
        let opened = file.metadata().map_err(|e| TargetError::Stat(path.clone(), errno(&e)))?;
        if (opened.dev(), opened.ino(), opened.rdev()) != (meta.dev(), meta.ino(), meta.rdev()) {
            return Err(TargetError::Replaced(path.clone()));
        }
        (file, guard)
    };
    let (size, names) = named(s, &file, &meta, root)?;
    let work_size = if is_directory {
        s.work_size.unwrap_or(s.directory_size)
    } else if kind.is_char_device() {
        0
    } else {
        let rest = size.checked_sub(s.offset);
        let range = s.work_size.unwrap_or(rest.ok_or(TargetError::TooSmall)?);
        check_range(s, range, Some(size))?;
        range
    };
    let stack = if kind.is_block_device() {
        Stack::of_device(root, facts::layers::DeviceNumber::from_raw(meta.rdev()))
    } else {
        Stack::under(root, path).unwrap_or_default()
    };
    let end = s.offset.saturating_add(work_size);
    let gaps =
        if meta.is_file() { extents::gaps(&file, s.offset, end, MOST_GAPS).ok().flatten() } else { None };
    Ok(Target { file, names, work_size, stack, gaps, _guard: guard, _mark: mark })
}

fn check_range(s: &PingSettings, range: u64, target: Option<u64>) -> Result<(), TargetError> {
    if target.is_some_and(|size| s.offset.saturating_add(range) > size) {
        return Err(TargetError::TooSmall);
    }
    if s.size > range { Err(TargetError::RequestTooBig) } else { Ok(()) }
}

/// Checks the consent to overwrite a file or device: what `--allow-destroy` does not name is never written.
fn consented(s: &PingSettings, path: &Path, meta: &Metadata, root: &SysRoot) -> Result<Guard, TargetError> {
    let consent = Consent::new(Policy::Own, s.allow_destroy.clone()).of_named_devices();
    let guard = check_one(path, "ping", &consent, root).map_err(TargetError::Refused)?;
    if consent.covers(meta) { Ok(guard) } else { Err(TargetError::NotAllowed(path.to_owned())) }
}

fn flags(s: &PingSettings, writes: bool) -> OFlags {
    let mut flags = OFlags::CLOEXEC | if writes { OFlags::RDWR } else { OFlags::RDONLY };
    flags.set(OFlags::SYNC, s.sync);
    flags.set(OFlags::DSYNC, s.dsync);
    flags
}

fn open_existing(s: &PingSettings, path: &Path, writes: bool) -> Result<File, TargetError> {
    let open = rustix::fs::open(path, flags(s, writes), Mode::empty());
    let file = File::from(open.map_err(|e| TargetError::Open(path.to_owned(), e))?);
    set_direct(s, &file)?;
    Ok(file)
}

fn set_direct(s: &PingSettings, file: &File) -> Result<(), TargetError> {
    if !s.direct {
        return Ok(());
    }
    let now = rustix::fs::fcntl_getfl(file).map_err(TargetError::Direct)?;
    rustix::fs::fcntl_setfl(file, now | OFlags::DIRECT).map_err(TargetError::Direct)
}

/// Makes the file of a directory: without a name, or with `-k` as `ioping.tmp`, and writes its range.
fn in_directory(
    s: &PingSettings,
    directory: &Path,
    size: u64,
    root: &SysRoot,
    fill: &mut dyn FnMut(&mut [u8]),
) -> Result<(File, Option<KeptMark>), TargetError> {
    let mut kept = None;
    let failed = |e| TargetError::Temporary(directory.to_owned(), e);
    let mode = Mode::RUSR | Mode::WUSR;
    let file = if s.keep {
        let path = directory.join(KEPT);
        let made = rustix::fs::open(&path, flags(s, true) | OFlags::CREATE | OFlags::NOFOLLOW, mode);
        let file = File::from(made.map_err(failed)?);
        let meta = file.metadata().map_err(|e| failed(errno(&e)))?;
        // A link or another kind of file would lead the writes elsewhere.
        if !meta.is_file() || meta.nlink() != 1 {
            return Err(TargetError::KeptFile(path));
        }
        let grows = meta.len() < s.offset.saturating_add(size);
        let writes = grows || s.requests != Requests::Reads;
        if let Some(used) = FilesInUse::look(root).of((meta.dev(), meta.ino()))
            && writes
        {
            let found = vec![Found::FileUse(used.clone())];
            let reason =
                RefusalReason::Overwrite { writer: Writer::Command("ping"), found, policy: Policy::Own };
            return Err(TargetError::Refused(Refusal { path, reason }));
        }
        let consent = Consent::new(Policy::Own, s.allow_destroy.clone());
        if writes && meta.len() > 0 && !consent.covers(&meta) && !mark::is_ours(&path) {
            return Err(TargetError::ForeignFile(path));
        }
        if writes && let Ok(seen) = Seen::of(&file) {
            mark::begin(&file, &seen.identity, Content::Any);
            kept = Some(KeptMark { path, identity: seen.identity });
        }
        file
    } else {
        match rustix::fs::open(directory, flags(s, true) | OFlags::TMPFILE, mode) {
            Ok(made) => made.into(),
            Err(Errno::OPNOTSUPP | Errno::ISDIR) => named_temporary(s, directory).map_err(failed)?,
            Err(e) => return Err(failed(e)),
        }
    };
    set_direct(s, &file)?;
    let end = s.offset.saturating_add(size);
    let length = file.metadata().map(|meta| meta.len()).unwrap_or(0);
    if length >= end {
        return Ok((file, kept));
    }
    let mut buffer = PageBuffer::new(s.size as usize).map_err(|_| TargetError::Memory)?;
    let mut at = s.offset;
    while at < end {
        let piece = (end - at).min(s.size) as usize;
        fill(&mut buffer);
        file.write_all_at(&buffer[..piece], at).map_err(|e| TargetError::Fill(errno(&e)))?;
        at += piece as u64;
    }
    rustix::fs::fsync(&file).map_err(TargetError::Sync)?;
    Ok((file, kept))
}

/// Makes a file with a name and removes the name, where the file system has no unnamed files.
fn named_temporary(s: &PingSettings, directory: &Path) -> Result<File, Errno> {
    let mut last = Errno::EXIST;
    for attempt in 0..100u32 {
        let path = directory.join(format!("ioping.tmp.{}.{attempt}", std::process::id()));
        let flags = flags(s, true) | OFlags::CREATE | OFlags::EXCL;
        match rustix::fs::open(&path, flags, Mode::RUSR | Mode::WUSR) {
            Ok(made) => {
                rustix::fs::unlink(&path)?;
                return Ok(made.into());
            }
            Err(Errno::EXIST) => last = Errno::EXIST,
            Err(e) => return Err(e),
        }
    }
    Err(last)
}

/// Returns the size of the target and its names.
fn named(
    s: &PingSettings,
    file: &File,
    meta: &Metadata,
    root: &SysRoot,
) -> Result<(u64, TargetNames), TargetError> {
    let path = s.target.display().to_string();
    let of_device = |kind: &str, size: u64| {
        let names =
            TargetNames { path: path.clone(), kind: kind.into(), device: "device".into(), device_size: size };
        (size, names)
    };
    if meta.file_type().is_block_device() {
        let size = sys::block::size(file.as_fd()).map_err(|e| TargetError::Size(errno(&e)))?;
        return Ok(of_device("block", size));
    }
    if meta.file_type().is_char_device() {
        return Ok(of_device("character", 0));
    }
    let device_size = rustix::fs::statvfs(&s.target)
        .map(|found| found.f_blocks.saturating_mul(found.f_frsize))
        .unwrap_or(0);
    let number = facts::layers::DeviceNumber::from_raw(meta.dev());
    let mount = facts::layers::mounts(root).into_iter().find(|mount| mount.number == number);
    let (kind, source) = mount.map(|mount| (mount.kind, mount.source)).unwrap_or_default();
    let device = match std::fs::canonicalize(&source) {
        Ok(real) if source.starts_with('/') => real.display().to_string(),
        _ => source,
    };
    Ok((meta.len(), TargetNames { path, kind, device, device_size }))
}
