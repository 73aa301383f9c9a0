//! Identity of a file or device independent of its name, because a name may lead to another file a moment later.

use rustix::fd::AsFd;
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, Stat, Statx, StatxFlags, StatxTimestamp, makedev, statat, statx,
};
use rustix::io::Errno;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::SystemTime;

/// Time in nanoseconds since 1970-01-01 UTC.
pub type Moment = i128;

/// Identity of a file or medium. A property that the file system or kernel does not report is `None` and equals any
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Device and inode number of a file; for a device node the device number and 0.
    number: (u64, u64),
    kind: FileType,
    /// Birth time of a file.
    born: Option<Moment>,
    /// Generation of a file's inode, or sequence number of the medium in a block device (`diskseq`).
    generation: Option<u64>,
}

impl Identity {
    /// Returns whether both are the same file or medium, according to the properties known of both.
    pub fn is(&self, other: &Identity) -> bool {
        let same = |a: Option<u64>, b: Option<u64>| a.zip(b).is_none_or(|(a, b)| a == b);
        self.number == other.number
            && self.kind == other.kind
            && self.born.zip(other.born).is_none_or(|(a, b)| a == b)
            && same(self.generation, other.generation)
    }

    /// Returns the device and inode number of a file; of a device node, the device number and 0.
    pub fn number(&self) -> (u64, u64) {
        self.number
    }

    /// Returns the birth time of a file; `None` if the file system does not report one.
    pub fn born(&self) -> Option<Moment> {
        self.born
    }

    /// Returns whether this is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == FileType::RegularFile
    }
}

/// State of a file or device at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Identity of the file or device.
    pub identity: Identity,
    /// Size of the file in bytes.
    pub size: u64,
    /// Number of hard links of the file.
    pub links: u64,
    /// Time of the last change of the content (mtime).
    pub modified: Moment,
    /// Time of the last change of content or metadata (ctime).
    pub changed: Moment,
}

impl Seen {
    /// Returns the state of an open file or device.
    ///
    /// # Errors
    /// statx(2) fails.
    pub fn of<Fd: AsFd>(open: Fd) -> io::Result<Seen> {
        let mut seen = Seen::named(&open, Path::new(""), AtFlags::EMPTY_PATH)?;
        seen.identity.complete(|| Some(open));
        Ok(seen)
    }

    /// Returns the state of the file or device at a path, following symbolic links.
    ///
    /// # Errors
    /// statx(2) fails.
    pub fn at(path: &Path) -> io::Result<Seen> {
        let mut seen = Seen::named(CWD, path, AtFlags::empty())?;
        seen.identity.complete(|| look_at(path));
        Ok(seen)
    }

    /// Returns the state of the directory entry `name`; for a symbolic link that of the link itself. Generation and
    /// sequence number are `None`.
    ///
    /// # Errors
    /// statx(2) fails.
    pub fn entry<Fd: AsFd>(directory: Fd, name: &Path) -> io::Result<Seen> {
        Seen::named(directory, name, AtFlags::SYMLINK_NOFOLLOW)
    }

    fn named<Fd: AsFd>(directory: Fd, name: &Path, flags: AtFlags) -> io::Result<Seen> {
        match statx(&directory, name, flags, StatxFlags::BASIC_STATS | StatxFlags::BTIME) {
            Ok(found) => Ok(Seen::from(&found)),
            // Seccomp filters of containers may forbid statx. stat does not report the birth time.
            Err(Errno::NOSYS | Errno::PERM) => Ok(Seen::from(&statat(&directory, name, flags)?)),
            Err(e) => Err(e.into()),
        }
    }

    /// Returns the state of the file or device at a path whose metadata has been read.
    pub fn known(path: &Path, meta: &Metadata) -> Seen {
        let since = |moment: SystemTime| match moment.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as Moment,
            Err(before) => -(before.duration().as_nanos() as Moment),
        };
        let mut identity = Identity {
            number: number(meta.file_type().is_block_device() || meta.file_type().is_char_device(), || {
                (meta.dev(), meta.ino(), meta.rdev())
            }),
            kind: FileType::from_raw_mode(meta.mode()),
            born: meta.created().ok().filter(|_| meta.is_file()).map(since),
            generation: None,
        };
        identity.complete(|| look_at(path));
        Seen {
            identity,
            size: meta.len(),
            links: meta.nlink(),
            modified: nanos(meta.mtime(), meta.mtime_nsec() as u32),
            changed: nanos(meta.ctime(), meta.ctime_nsec() as u32),
        }
    }

    /// Returns whether this is a symbolic link.
    pub fn is_link(&self) -> bool {
        self.identity.kind == FileType::Symlink
    }

    /// Returns whether the size, mtime and ctime of a file are the same in both states.
    pub fn unchanged(&self, later: &Seen) -> bool {
        (self.size, self.modified, self.changed) == (later.size, later.modified, later.changed)
    }
}

impl From<&Stat> for Seen {
    fn from(found: &Stat) -> Seen {
        let kind = FileType::from_raw_mode(found.st_mode);
        let device = matches!(kind, FileType::BlockDevice | FileType::CharacterDevice);
        let identity = Identity {
            number: number(device, || (found.st_dev, found.st_ino, found.st_rdev)),
            kind,
            born: None,
            generation: None,
        };
        Seen {
            identity,
            size: found.st_size.unsigned_abs(),
            links: found.st_nlink,
            modified: nanos(found.st_mtime, found.st_mtime_nsec as u32),
            changed: nanos(found.st_ctime, found.st_ctime_nsec as u32),
        }
    }
}

impl From<&Statx> for Seen {
    fn from(found: &Statx) -> Seen {
        let kind = FileType::from_raw_mode(u32::from(found.stx_mode));
        let device = matches!(kind, FileType::BlockDevice | FileType::CharacterDevice);
        let told = StatxFlags::from_bits_retain(found.stx_mask).contains(StatxFlags::BTIME);
        let at = |time: StatxTimestamp| nanos(time.tv_sec, time.tv_nsec);
        let identity = Identity {
            number: number(device, || {
                let device = makedev(found.stx_dev_major, found.stx_dev_minor);
                (device, found.stx_ino, makedev(found.stx_rdev_major, found.stx_rdev_minor))
            }),
            kind,
            born: (told && kind == FileType::RegularFile).then(|| at(found.stx_btime)),
            generation: None,
        };
        Seen {
            identity,
            size: found.stx_size,
            links: u64::from(found.stx_nlink),
            modified: at(found.stx_mtime),
            changed: at(found.stx_ctime),
        }
    }
}

impl Identity {
    /// Reads the generation or sequence number, which statx does not report: of a block device always, of a file only
    /// if its birth time is missing.
    fn complete<Fd: AsFd>(&mut self, open: impl FnOnce() -> Option<Fd>) {
        self.generation = match self.kind {
            FileType::BlockDevice => open().and_then(|device| sys::inode::disk_sequence(device).ok()),
            FileType::RegularFile if self.born.is_none() => {
                open().and_then(|file| sys::inode::generation(file).ok())
            }
            _ => None,
        };
    }
}

fn number(device: bool, numbers: impl FnOnce() -> (u64, u64, u64)) -> (u64, u64) {
    let (on, inode, number) = numbers();
    if device { (number, 0) } else { (on, inode) }
}

fn nanos(seconds: i64, nanos: u32) -> Moment {
    Moment::from(seconds) * 1_000_000_000 + Moment::from(nanos)
}

fn look_at(path: &Path) -> Option<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Some(rustix::fs::open(path, flags, Mode::empty()).ok()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testbed::Sandbox;

    #[test]
    fn a_file_is_itself_under_every_name_and_never_its_copy_or_successor() {
        let sandbox = Sandbox::new().unwrap();
        let path = sandbox.file("a", 4096).unwrap();
        let first = Seen::at(&path).unwrap();
        std::fs::hard_link(&path, sandbox.join("b")).unwrap();
        std::os::unix::fs::symlink(&path, sandbox.join("c")).unwrap();
        let meta = std::fs::metadata(&path).unwrap();
        for same in [
            Seen::at(&sandbox.join("b")).unwrap(),
            Seen::at(&sandbox.join("c")).unwrap(),
            Seen::of(File::open(&path).unwrap()).unwrap(),
            Seen::known(&path, &meta),
        ] {
            assert!(first.identity.is(&same.identity), "{first:?} {same:?}");
            assert_eq!((same.size, same.links, same.modified), (4096, 2, first.modified));
        }
        assert!(!Seen::entry(CWD, &sandbox.join("c")).unwrap().identity.is(&first.identity));
        std::fs::copy(&path, sandbox.join("d")).unwrap();
        assert!(!Seen::at(&sandbox.join("d")).unwrap().identity.is(&first.identity));
        std::fs::remove_file(sandbox.join("b")).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, [0; 4096]).unwrap();
        assert!(
            !Seen::at(&path).unwrap().identity.is(&first.identity),
            "the inode number may be the old one"
        );
    }
}
