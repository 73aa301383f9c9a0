//! Scratch directory of `fathom files`: its name shows that fathom made it, a lock in it that a process uses it. Only such
//! directories are removed, only names that fathom gives are removed in them, and no link is followed.

use facts::SysRoot;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags, flock, openat, statat, unlinkat,
};
use rustix::io::{Errno, Result as IoResult};
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use sys::fnv::fnv1a;

/// Beginning of the name of a scratch directory; process id, time and check sum follow.
const PREFIX: &str = "fathom-files.";
/// Beginning of the name of a directory that is kept.
const KEPT: &str = "fathom-files-kept.";
/// Name of the lock in a scratch directory.
const LOCK: &CStr = c"lock";
/// Number of attempts to make a scratch directory that another start of fathom does not remove at once.
const ATTEMPTS: u32 = 3;
/// Largest number of foreign names that are reported.
const FOREIGN: usize = 10;

/// The scratch directory of this process.
#[derive(Debug)]
pub struct ScratchTree {
    parent: OwnedFd,
    name: String,
    path: PathBuf,
    root: Arc<OwnedFd>,
    lock: Option<OwnedFd>,
    removed: bool,
}

/// A scratch directory that an ended process left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Its path.
    pub path: PathBuf,
    /// Names in it that fathom did not make, and that were left; empty if the directory was removed.
    pub foreign: Vec<String>,
    /// Error that prevented the removal.
    pub error: Option<Errno>,
}

impl ScratchTree {
    /// Makes a scratch directory in `parent`.
    ///
    /// # Errors
    /// A system call failed.
    pub fn new(parent: &Path, root: &SysRoot) -> IoResult<ScratchTree> {
        let directory = open_directory(CWD, &c_name(parent)?, true)?;
        let inode = rustix::fs::fstat(&directory)?.st_ino;
        let mut started =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
        let mut attempts = 0;
        loop {
            let name = own_name(std::process::id(), started, inode);
            match ScratchTree::named(&directory, &name, root) {
                // Another start of fathom can take an empty directory for one that was left.
                Err(Errno::NOENT | Errno::EXIST | Errno::WOULDBLOCK) if attempts < ATTEMPTS => {
                    (attempts, started) = (attempts + 1, started + 1);
                }
                Err(errno) => return Err(errno),
                Ok((root, lock)) => {
                    let path = parent.join(&name);
                    let root = Arc::new(root);
                    return Ok(ScratchTree {
                        parent: directory,
                        name,
                        path,
                        root,
                        lock: Some(lock),
                        removed: false,
                    });
                }
            }
        }
    }

    fn named(parent: &OwnedFd, name: &str, root: &SysRoot) -> IoResult<(OwnedFd, OwnedFd)> {
        rustix::fs::mkdirat(parent, name, Mode::RWXU)?;
        let name = CString::new(name).map_err(|_| Errno::INVAL)?;
        let opened = open_directory(parent, &name, false)?;
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let lock = openat(&opened, LOCK, flags, Mode::RUSR | Mode::WUSR)?;
        // On a file system without locks, the process id has to do.
        if flock(&lock, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            return Err(Errno::WOULDBLOCK);
        }
        let text = format!("fathom files\npid={}\nmachine={}\n", std::process::id(), machine(root));
        rustix::io::write(&lock, text.as_bytes())?;
        // Still there: nobody removed it before it was locked.
        if statat(&opened, LOCK, AtFlags::SYMLINK_NOFOLLOW)?.st_ino != rustix::fs::fstat(&lock)?.st_ino {
            return Err(Errno::NOENT);
        }
        Ok((opened, lock))
    }

    /// Returns the open scratch directory.
    pub fn root(&self) -> Arc<OwnedFd> {
        self.root.clone()
    }

    /// Returns the path of the scratch directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the directory. Returns names in it that fathom did not make: they and the directory are left.
    ///
    /// # Errors
    /// A system call failed; the next start in the same parent removes the rest.
    pub fn remove(mut self) -> IoResult<Vec<String>> {
        self.removed = true;
        remove(&self.parent, &self.name, &self.root, self.lock.take())
    }

    /// Leaves the tree under a name that is never removed, and returns its path.
    ///
    /// # Errors
    /// The directory cannot be renamed.
    pub fn keep(mut self) -> IoResult<PathBuf> {
        self.removed = true;
        let rest = self.name.strip_prefix(PREFIX).unwrap_or(&self.name);
        let kept = format!("{KEPT}{}", rest.rsplit_once('.').map_or(rest, |(rest, _)| rest));
        rustix::fs::renameat(&self.parent, self.name.as_str(), &self.parent, kept.as_str())?;
        // An open file keeps a name on NFS.
        self.lock = None;
        unlinkat(self.root.as_fd(), LOCK, AtFlags::empty())?;
        Ok(self.path.with_file_name(kept))
    }

    /// Leaves the directory to the next start, because an operation in it does not end.
    pub fn leave(mut self) {
        self.removed = true;
    }
}

impl Drop for ScratchTree {
    fn drop(&mut self) {
        if !self.removed {
            // After an error; what cannot be removed now is removed by the next start.
            let _ = remove(&self.parent, &self.name, &self.root, self.lock.take());
        }
    }
}

/// Removes scratch directories in `parent` that ended processes of this machine left.
///
/// # Errors
/// The directory cannot be read.
pub fn remove_leftovers(parent: &Path, root: &SysRoot) -> IoResult<Vec<Leftover>> {
    let directory = open_directory(CWD, &c_name(parent)?, true)?;
    let seen = rustix::fs::fstat(&directory)?;
    let mut found = Vec::new();
    for name in names(directory.as_fd())? {
        let Some((name, pid)) = name.to_str().ok().and_then(|text| Some((text, pid_of(text, seen.st_ino)?)))
        else {
            continue;
        };
        let path = parent.join(name);
        match leftover(&directory, name, pid, seen.st_dev, root) {
            Ok(None) => {}
            Ok(Some(foreign)) => found.push(Leftover { path, foreign, error: None }),
            Err(errno) => found.push(Leftover { path, foreign: Vec::new(), error: Some(errno) }),
        }
    }
    Ok(found)
}

/// Removes one scratch directory unless its process may be alive; returns `None` if nothing was done, else the foreign
/// names in it.
fn leftover(
    parent: &OwnedFd,
    name: &str,
    pid: u32,
    device: u64,
    root: &SysRoot,
) -> IoResult<Option<Vec<String>>> {
    let c_name = CString::new(name).map_err(|_| Errno::INVAL)?;
    let Ok(opened) = open_directory(parent, &c_name, false) else { return Ok(None) };
    let own = rustix::fs::fstat(&opened)?;
    // A mount is not of fathom's making, nor is the directory of another user. A server may give what root makes to
    // nobody.
    let user = rustix::process::geteuid();
    if own.st_dev != device || !(user.is_root() || own.st_uid == user.as_raw()) {
        return Ok(None);
    }
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let lock = match openat(&opened, LOCK, flags, Mode::empty()) {
        Ok(lock) => lock,
        // Killed before the lock was made, or after it was removed.
        Err(Errno::NOENT) if !is_alive(root, pid) && names(opened.as_fd())?.is_empty() => {
            unlinkat(parent, name, AtFlags::REMOVEDIR)?;
            return Ok(Some(Vec::new()));
        }
        Err(_) => return Ok(None),
    };
    match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        Err(_) if is_alive(root, pid) => return Ok(None),
        Err(_) => {}
    }
    let mut text = [0u8; 512];
    let length = rustix::io::pread(&lock, &mut text, 0)?;
    let text = String::from_utf8_lossy(text.get(..length).unwrap_or_default());
    let of_this_machine = text.lines().any(|line| line.strip_prefix("machine=") == Some(&machine(root)));
    // Killed before the text was written: then nothing else was made.
    let only_lock = || names(opened.as_fd()).is_ok_and(|names| names.len() == 1);
    // Another machine holds its lock where we may not see it (NFS with local locks).
    if of_this_machine || (text.is_empty() && !is_alive(root, pid) && only_lock()) {
        remove(parent, name, &opened, Some(lock)).map(Some)
    } else {
        Ok(None)
    }
}

/// Removes the contents of a scratch directory, its lock and itself; with foreign names in it, itself is left.
fn remove(parent: &OwnedFd, name: &str, opened: &OwnedFd, lock: Option<OwnedFd>) -> IoResult<Vec<String>> {
    let device = rustix::fs::fstat(opened)?.st_dev;
    let mut foreign = Vec::new();
    clear(opened.as_fd(), device, "", &mut foreign)?;
    // Closed before: an open file keeps a name on NFS and FUSE. Another start of fathom may then remove the rest.
    drop(lock);
    let done = |result| if result == Err(Errno::NOENT) { Ok(()) } else { result };
    done(unlinkat(opened, LOCK, AtFlags::empty()))?;
    if foreign.is_empty() {
        done(unlinkat(parent, name, AtFlags::REMOVEDIR))?;
    }
    foreign.truncate(FOREIGN);
    Ok(foreign)
}

/// Removes what fathom made in a directory of a tree, and collects the other names.
fn clear(directory: BorrowedFd<'_>, device: u64, path: &str, foreign: &mut Vec<String>) -> IoResult<()> {
    for name in names(directory)? {
        if path.is_empty() && name.as_c_str() == LOCK {
            continue;
        }
        let seen = match statat(directory, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(seen) => seen,
            Err(Errno::NOENT) => continue,
            Err(errno) => return Err(errno),
        };
        let text = format!("{path}{}", name.to_string_lossy());
        let kind = FileType::from_raw_mode(seen.st_mode);
        match made_as(name.to_bytes()) {
            Some(FileType::RegularFile) if kind == FileType::RegularFile && seen.st_dev == device => {
                unlinkat(directory, &name, AtFlags::empty())?;
            }
            Some(FileType::Directory) if kind == FileType::Directory && seen.st_dev == device => {
                let inner = open_directory(directory, &name, false)?;
                let before = foreign.len();
                clear(inner.as_fd(), device, &format!("{text}/"), foreign)?;
                if foreign.len() == before {
                    unlinkat(directory, &name, AtFlags::REMOVEDIR)?;
                }
            }
            _ => foreign.push(text),
        }
    }
    Ok(())
}

/// Returns the type of the files to which fathom gives names like this; `None` for other names.
fn made_as(name: &[u8]) -> Option<FileType> {
    let (letter, numbers) = name.split_first()?;
    let (dot, numbers) = numbers.split_first()?;
    let mut parts = numbers.split(|byte| *byte == b'.');
    let count = parts.clone().count();
    if *dot != b'.' || !parts.all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit)) {
        return None;
    }
    match (*letter, count) {
        (b'i' | b'w' | b't', 1) | (b'd' | b'e', 2) => Some(FileType::Directory),
        (b'f' | b'r', 2) => Some(FileType::RegularFile),
        _ => None,
    }
}

/// Returns the names in a directory, without `.` and `..`.
fn names(directory: BorrowedFd<'_>) -> IoResult<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

/// Opens a directory; `follow`: the name may be a link, as the user's own path may be.
fn open_directory<Fd: AsFd>(at: Fd, name: &CStr, follow: bool) -> IoResult<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    openat(at, name, if follow { flags } else { flags | OFlags::NOFOLLOW }, Mode::empty())
}

fn c_name(path: &Path) -> IoResult<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Errno::INVAL)
}

/// Returns the name of the scratch directory of a process that started at this time, in the parent with this inode. The
/// check sum at the end makes a name that another program chose, or a copy elsewhere, another name.
fn own_name(pid: u32, started: u64, parent: u64) -> String {
    format!("{PREFIX}{pid}.{started:x}.{:016x}", check(pid, started, parent))
}

/// Returns the process id in the name of a scratch directory in the parent with this inode; `None` for other names.
fn pid_of(name: &str, parent: u64) -> Option<u32> {
    let mut parts = name.strip_prefix(PREFIX)?.split('.');
    let pid = parts.next()?.parse().ok()?;
    let started = u64::from_str_radix(parts.next()?, 16).ok()?;
    (own_name(pid, started, parent) == name).then_some(pid)
}

fn check(pid: u32, started: u64, parent: u64) -> u64 {
    fnv1a(&format!("{PREFIX} {pid} {started} {parent}"))
}

fn is_alive(root: &SysRoot, pid: u32) -> bool {
    root.path(format!("/proc/{pid}")).exists()
}

/// Returns a name of this machine that stays from boot to boot.
fn machine(root: &SysRoot) -> String {
    let read = |path: &str| root.read(path).ok().map(|text| text.trim().to_owned()).filter(|t| !t.is_empty());
    read("/etc/machine-id").or_else(|| read("/proc/sys/kernel/hostname")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use testbed::Sandbox;

    fn scratch(sandbox: &Sandbox) -> ScratchTree {
        ScratchTree::new(sandbox.path(), &SysRoot::machine()).unwrap()
    }

    fn leftovers(parent: &Path) -> Vec<Leftover> {
        remove_leftovers(parent, &SysRoot::machine()).unwrap()
    }

    fn entries(path: &Path) -> usize {
        fs::read_dir(path).unwrap().count()
    }

    /// A directory as a killed process leaves it: nobody holds the lock.
    fn abandoned(sandbox: &Sandbox) -> PathBuf {
        let scratch = scratch(sandbox);
        let path = scratch.path().to_owned();
        fs::create_dir_all(path.join("i.0/w.1/t.0/d.1.3")).unwrap();
        fs::write(path.join("i.0/w.1/t.0/f.1.7"), b"x").unwrap();
        scratch.leave();
        path
    }

    #[test]
    fn scratch_directory_of_an_ended_process_is_removed() {
        let sandbox = Sandbox::new().unwrap();
        let path = abandoned(&sandbox);
        let expected = Leftover { path, foreign: Vec::new(), error: None };
        assert_eq!(leftovers(sandbox.path()), [expected]);
        assert_eq!(entries(sandbox.path()), 0);
    }

    #[test]
    fn scratch_directory_in_use_is_left_and_removed_by_its_owner() {
        let sandbox = Sandbox::new().unwrap();
        let scratch = scratch(&sandbox);
        fs::create_dir(scratch.path().join("i.0")).unwrap();
        assert_eq!(leftovers(sandbox.path()), []);
        assert!(scratch.path().join("i.0").is_dir());
        assert_eq!(scratch.remove(), Ok(Vec::new()));
        assert_eq!(entries(sandbox.path()), 0);
    }

    /// Killed between mkdir and the lock, and between the removal of the lock and rmdir.
    #[test]
    fn empty_scratch_directory_of_an_ended_process_is_removed() {
        let sandbox = Sandbox::new().unwrap();
        let inode =
            fs::metadata(sandbox.path()).map(|meta| std::os::unix::fs::MetadataExt::ino(&meta)).unwrap();
        // Beyond the largest process id of Linux.
        let (dead, alive) = (own_name(4_194_305, 7, inode), own_name(std::process::id(), 7, inode));
        fs::create_dir(sandbox.join(&dead)).unwrap();
        fs::create_dir(sandbox.join(&alive)).unwrap();
        assert_eq!(leftovers(sandbox.path()).len(), 1);
        assert!(!sandbox.join(&dead).exists() && sandbox.join(&alive).exists());
        // With the lock made, but not written.
        fs::create_dir(sandbox.join(&dead)).unwrap();
        fs::write(sandbox.join(&dead).join("lock"), b"").unwrap();
        assert_eq!(leftovers(sandbox.path()).len(), 1);
        assert!(!sandbox.join(&dead).exists());
    }

    /// Foreign directories with a similar name, a copy of a scratch directory elsewhere, and one of another machine.
    #[test]
    fn directories_of_others_are_never_removed() {
        let sandbox = Sandbox::new().unwrap();
        let similar =
            ["fathom-files", "fathom-files.12", "fathom-files.12.0.0000000000000000", "fathom-files.x.y.z"];
        for name in similar {
            fs::create_dir_all(sandbox.join(name).join("i.0/w.0")).unwrap();
            fs::write(sandbox.join(name).join("lock"), b"").unwrap();
        }
        fs::create_dir(sandbox.join("fathom-files.13.0.0000000000000000")).unwrap();
        let path = abandoned(&sandbox);
        let elsewhere = Sandbox::new().unwrap();
        let copy = elsewhere.path().join(path.file_name().unwrap());
        fs::create_dir(&copy).unwrap();
        fs::copy(path.join("lock"), copy.join("lock")).unwrap();
        assert_eq!(leftovers(elsewhere.path()), []);
        assert!(copy.join("lock").exists());
        fs::write(path.join("lock"), "fathom files\npid=1\nmachine=another\n").unwrap();
        assert_eq!(leftovers(sandbox.path()), []);
        assert!(path.join("i.0/w.1/t.0/f.1.7").exists());
        // A link with the name of a scratch directory is not followed.
        let target = Sandbox::new().unwrap();
        fs::rename(&path, target.join("moved")).unwrap();
        symlink(target.join("moved"), &path).unwrap();
        assert_eq!(leftovers(sandbox.path()), []);
        assert!(target.join("moved/i.0/w.1/t.0/f.1.7").exists());
        assert_eq!(entries(sandbox.path()), similar.len() + 2);
    }

    /// Links, files and directories that somebody put into the tree stay, and what they point to, too.
    #[test]
    fn foreign_names_in_the_tree_are_left_and_links_not_followed() {
        let sandbox = Sandbox::new().unwrap();
        let outside = Sandbox::new().unwrap();
        fs::create_dir(outside.join("f.0.0.d")).unwrap();
        fs::write(outside.join("f.1.1"), b"precious").unwrap();
        let path = abandoned(&sandbox);
        let inner = path.join("i.0/w.1/t.0");
        // Links with names that fathom gives to directories and to files, and a file with a name of its own.
        symlink(outside.path(), inner.join("t.9")).unwrap();
        symlink(outside.join("f.1.1"), inner.join("f.1.8")).unwrap();
        fs::write(inner.join("notes.txt"), b"precious").unwrap();
        let found = leftovers(sandbox.path());
        let mut foreign = found[0].foreign.clone();
        foreign.sort();
        assert_eq!(foreign, ["i.0/w.1/t.0/f.1.8", "i.0/w.1/t.0/notes.txt", "i.0/w.1/t.0/t.9"]);
        assert_eq!(fs::read(outside.join("f.1.1")).unwrap(), b"precious");
        assert_eq!(fs::read(inner.join("notes.txt")).unwrap(), b"precious");
        // What fathom made is gone.
        assert!(!inner.join("f.1.7").exists() && !inner.join("d.1.3").exists());
    }

    #[test]
    fn kept_directory_is_not_a_leftover() {
        let sandbox = Sandbox::new().unwrap();
        let scratch = scratch(&sandbox);
        fs::create_dir(scratch.path().join("i.0")).unwrap();
        let kept = scratch.keep().unwrap();
        assert_eq!(leftovers(sandbox.path()), []);
        assert_eq!((entries(sandbox.path()), entries(&kept)), (1, 1));
        assert!(kept.file_name().unwrap().to_string_lossy().contains(&std::process::id().to_string()));
    }
}
