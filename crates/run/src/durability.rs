//! Syncs after the last write: `end_fsync`, `end_syncfs` and `fsync_on_close`.

use crate::job_error::failed;
use job::job::Durability;
use rustix::fd::OwnedFd;
use rustix::fs::FileType;
use rustix::io::Errno;
use stats::JobError;
use std::io;

/// Makes the writes of a job, or of one of its passes, durable with the calls that its options select.
pub(crate) fn sync_at_end(durability: Durability, files: &[OwnedFd]) -> Result<(), JobError> {
    let mut synced = Vec::new();
    if durability.end_syncfs {
        files.iter().try_for_each(|file| sync_file_system(file, &mut synced))?;
    }
    if durability.fsync_on_close || !durability.end_syncfs { sync_all(files) } else { Ok(()) }
}

/// Calls syncfs on the file system of `file`, unless its device number is in `synced`. A device belongs to no file
/// system; fsync is called on it instead.
pub(crate) fn sync_file_system(file: &OwnedFd, synced: &mut Vec<u64>) -> Result<(), JobError> {
    let found = rustix::fs::fstat(file).map_err(|e| failed("fstat", &e.into()))?;
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return sync(file).map_err(|e| failed("fsync", &e));
    }
    if !synced.contains(&found.st_dev) {
        synced.push(found.st_dev);
        rustix::fs::syncfs(file).map_err(|e| failed("syncfs", &e.into()))?;
    }
    Ok(())
}

/// Calls fsync on every file and returns the first error.
fn sync_all(files: &[OwnedFd]) -> Result<(), JobError> {
    let errors = files.iter().filter_map(|file| sync(file).err());
    errors.map(|e| failed("fsync", &e)).next().map_or(Ok(()), Err)
}

/// Makes the writes to a file durable with fsync(2), or with the command of the disk or namespace behind a character
/// device, which the kernel does not sync.
pub(crate) fn sync(file: &OwnedFd) -> io::Result<()> {
    let kind = rustix::fs::fstat(file).map(|found| FileType::from_raw_mode(found.st_mode));
    if kind == Ok(FileType::CharacterDevice) {
        for command in [sys::scsi::synchronize, sys::nvme::flush] {
            match command(file) {
                Err(e) if e.raw_os_error() == Some(Errno::NOTTY.raw_os_error()) => {}
                done => return done,
            }
        }
    }
    Ok(rustix::fs::fsync(file)?)
}
