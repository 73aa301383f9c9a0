//! Whether a file is in use, determined with fcntl(F_SETLEASE). The kernel grants a read lease only if the file is
//! not open for writing by a program or a loop device, and a write lease only if the file has no other open
//! descriptor.

use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use std::io;
use std::time::{Duration, Instant};

/// fcntl command that sets the signal sent when another process opens a leased file.
const F_SETSIG: i32 = 10;

/// Time for which a lease is retried. A forked child keeps its parent's files open until its exec, and an indexer
/// opens a file for a moment; both end within this time.
const PASSING: Duration = Duration::from_millis(250);

/// Returns whether a program has the file open for writing; `file` must be open read-only.
///
/// # Errors
/// EACCES without CAP_LEASE on a file of another user, EINVAL if the file system has no leases.
pub fn written_by_others<Fd: AsFd>(file: Fd) -> io::Result<bool> {
    probe(file, libc::F_RDLCK)
}

/// Returns whether another descriptor or mapping of the file exists, in this process or elsewhere.
///
/// # Errors
/// As [`written_by_others`].
pub fn opened_by_others<Fd: AsFd>(file: Fd) -> io::Result<bool> {
    probe(file, libc::F_WRLCK)
}

fn call<Fd: AsFd>(file: Fd, command: i32, value: i32) -> io::Result<i32> {
    // SAFETY: fcntl takes integers here; the descriptor is alive for the call.
    match unsafe { libc::fcntl(file.as_fd().as_raw_fd(), command, value) } {
        -1 => Err(io::Error::last_os_error()),
        value => Ok(value),
    }
}

fn probe<Fd: AsFd>(file: Fd, kind: i32) -> io::Result<bool> {
    let set = |kind| call(&file, libc::F_SETLEASE, kind);
    // The default signal, SIGIO, would end this process if a program opened the file while the lease is held. SIGURG
    // is ignored by default.
    call(&file, F_SETSIG, libc::SIGURG)?;
    // The lease is released at once: every program that opens the file meanwhile, this one too, would wait for its
    // release.
    if granted(|| set(kind))? { set(libc::F_UNLCK).map(|_| false) } else { Ok(true) }
}

/// Returns whether the lease that `ask` requests is granted within [`PASSING`].
fn granted(ask: impl Fn() -> io::Result<i32>) -> io::Result<bool> {
    let began = Instant::now();
    loop {
        match ask() {
            Ok(_) => return Ok(true),
            Err(e) if e.raw_os_error() != Some(libc::EAGAIN) => return Err(e),
            Err(_) if began.elapsed() > PASSING => return Ok(false),
            Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// A write lease. While it is held, another program's open of the file waits until the lease is dropped or the time
/// in `/proc/sys/fs/lease-break-time` has passed.
#[derive(Debug)]
pub struct WriteLease(OwnedFd);

impl WriteLease {
    /// Takes the lease through `file`. Returns `None` if another descriptor of the file is open.
    ///
    /// # Errors
    /// As [`written_by_others`].
    pub fn take<Fd: AsFd>(file: Fd) -> io::Result<Option<WriteLease>> {
        call(&file, F_SETSIG, libc::SIGURG)?;
        if !granted(|| call(&file, libc::F_SETLEASE, libc::F_WRLCK))? {
            return Ok(None);
        }
        // A duplicate shares the open file that the lease belongs to.
        Ok(Some(WriteLease(file.as_fd().try_clone_to_owned()?)))
    }

    /// Returns whether the lease is still held and no program waits for it (F_GETLEASE).
    pub fn holds(&self) -> bool {
        call(&self.0, libc::F_GETLEASE, 0).is_ok_and(|kind| kind == libc::F_WRLCK)
    }
}

impl Drop for WriteLease {
    fn drop(&mut self) {
        // Duplicates of the descriptor may stay open and would keep the lease.
        let _ = call(&self.0, libc::F_SETLEASE, libc::F_UNLCK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, remove_file};

    #[test]
    fn a_writer_is_seen_until_it_closes() {
        let path = std::env::temp_dir().join(format!("fathom-test-lease-{}", std::process::id()));
        let writer = File::create(&path).unwrap();
        let reader = File::open(&path).unwrap();
        assert!(written_by_others(&reader).unwrap());
        drop(writer);
        assert!(!written_by_others(&reader).unwrap());
        // The lease was released: otherwise, this open would wait for lease-break-time.
        drop(File::options().write(true).open(&path).unwrap());
        remove_file(path).unwrap();
    }

    #[test]
    fn a_write_lease_is_refused_beside_a_reader_and_says_when_somebody_opens() {
        let path = std::env::temp_dir().join(format!("fathom-test-wlease-{}", std::process::id()));
        let own = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        let reader = File::open(&path).unwrap();
        assert!(opened_by_others(&own).unwrap() && WriteLease::take(&own).unwrap().is_none());
        drop(reader);
        assert!(!opened_by_others(&own).unwrap());
        let lease = WriteLease::take(&own).unwrap().unwrap();
        assert!(lease.holds());
        let nonblocking =
            std::os::unix::fs::OpenOptionsExt::custom_flags(File::options().read(true), libc::O_NONBLOCK)
                .open(&path);
        assert_eq!(nonblocking.unwrap_err().raw_os_error(), Some(libc::EWOULDBLOCK));
        assert!(!lease.holds(), "the attempt broke it");
        drop(lease);
        drop(File::open(&path).unwrap());
        remove_file(path).unwrap();
    }
}
