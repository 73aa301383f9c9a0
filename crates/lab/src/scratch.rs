//! Scratch file without a name, which the kernel deletes however the process ends.

use facts::identity::Seen;
use run::mark::Content;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use std::io;
use std::path::{Path, PathBuf};

/// Open file without a directory entry; [`Scratch::path`] can be used to open it again.
#[derive(Debug)]
pub struct Scratch {
    file: OwnedFd,
}

impl Scratch {
    /// Creates a scratch file in `directory` and allocates `bytes`.
    ///
    /// # Errors
    /// EACCES, EROFS, ENOSPC and other errors of the file system.
    pub fn new(directory: &Path, bytes: u64) -> io::Result<Self> {
        let mode = Mode::RUSR | Mode::WUSR;
        let unnamed = rustix::fs::open(directory, OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC, mode);
        let file = match unnamed {
            Ok(file) => file,
            // Some file systems do not support O_TMPFILE: create a named file and remove its name at once.
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
        // On FUSE an open file keeps a name although it was removed; the mark shows that fathom created it.
        if let Ok(seen) = Seen::of(&file) {
            run::mark::begin(&file, &seen.identity, Content::Noise);
        }
        allocate(&file, bytes)?;
        Ok(Self { file })
    }

    /// Empties the file and allocates `bytes` that were never written, as programs do with a new log segment.
    ///
    /// # Errors
    /// ENOSPC and other errors of the file system.
    pub fn renew(&self, bytes: u64) -> io::Result<()> {
        rustix::fs::ftruncate(&self.file, 0)?;
        allocate(&self.file, bytes)
    }

    /// Returns a path (`/proc/self/fd/N`) by which this process can open the file again.
    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.file.as_raw_fd()).into()
    }
}

fn allocate(file: &OwnedFd, bytes: u64) -> io::Result<()> {
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, bytes) {
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => rustix::fs::ftruncate(file, bytes)?,
        allocated => allocated?,
    }
    Ok(())
}
