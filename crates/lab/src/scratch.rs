//! A scratch file without a name: it vanishes however the process ends.

use facts::identity::Seen;
use run::mark::Content;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use std::io;
use std::path::{Path, PathBuf};

/// An open file that no directory lists. Others open it again through [`Scratch::path`].
#[derive(Debug)]
pub struct Scratch {
    file: OwnedFd,
}

impl Scratch {
    /// Makes a scratch file in `directory` and reserves `bytes`.
    ///
    /// # Errors
    /// EACCES, EROFS, ENOSPC and other errors of the file system.
    pub fn new(directory: &Path, bytes: u64) -> io::Result<Self> {
        let mode = Mode::RUSR | Mode::WUSR;
        let unnamed = rustix::fs::open(directory, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode);
        let file = match unnamed {
            Ok(file) => file,
            // Some file systems have no files without a name: take the name away at once.
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::ISDIR | rustix::io::Errno::INVAL) => {
                let name = directory.join(format!(".fathom-{}", std::process::id()));
                let file = rustix::fs::open(
                    &name,
                    OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC,
                    mode,
                )?;
                rustix::fs::unlink(&name)?;
                file
            }
            Err(e) => return Err(e.into()),
        };
        // On FUSE an open file keeps a name although it was removed; the mark shows that fathom made it.
        if let Ok(seen) = Seen::of(&file) {
            run::mark::begin(&file, &seen.identity, Content::Noise);
        }
        match rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
            Ok(()) => {}
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => {
                rustix::fs::ftruncate(&file, bytes)?
            }
            Err(e) => return Err(e.into()),
        }
        Ok(Self { file })
    }

    /// A path under which this process can open the file again.
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.file.as_raw_fd()).into()
    }
}
