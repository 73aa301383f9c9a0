//! fcntl(F_SETLEASE): detection of other users of a file. The kernel grants a lease for reading only where the file is not open for
//! writing, be it by a program or a loop device, and one for writing only where it is not open elsewhere at all.

use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use std::io;
use std::time::{Duration, Instant};

/// Sets the signal that the kernel sends when another process opens a leased file.
const F_SETSIG: i32 = 10;

/// Longest time for which a file may be open in passing: a forked child has the files of its parent open until its exec, and
/// an indexer reads a file for a moment.
const PASSING: Duration = Duration::from_millis(250);

/// Returns whether a program has the file open for writing; `file` must be open for reading alone. Errors: EACCES without
/// CAP_LEASE on a file of another user, EINVAL where the file system has no leases.
pub fn written_by_others<Fd: AsFd>(file: Fd) -> io::Result<bool> {
    probe(file, libc::F_RDLCK)
}

/// Returns whether another descriptor or mapping of the file exists, in this process or another one. Errors: as
/// [`written_by_others`].
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
    // SIGIO would end this process if a program opened the file in the instant that we hold it; this one does nothing.
    call(&file, F_SETSIG, libc::SIGURG)?;
    // Given back at once: every program that opens the file meanwhile, this one too, would wait for it.
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

/// A lease for writing: while it is held, another program that opens the file waits until it is dropped, or for
/// `/proc/sys/fs/lease-break-time` seconds.
#[derive(Debug)]
pub struct WriteLease(OwnedFd);

impl WriteLease {
    /// Takes a lease on `file`; returns `None` while another descriptor of the file is open. Errors: as
    /// [`written_by_others`].
    pub fn take<Fd: AsFd>(file: Fd) -> io::Result<Option<WriteLease>> {
        call(&file, F_SETSIG, libc::SIGURG)?;
        if !granted(|| call(&file, libc::F_SETLEASE, libc::F_WRLCK))? {
            return Ok(None);
        }
        // A duplicate shares the open file that the lease belongs to.
        Ok(Some(WriteLease(file.as_fd().try_clone_to_owned()?)))
    }

    /// Returns whether the lease is held and no program waits for the file.
    pub fn holds(&self) -> bool {
        call(&self.0, libc::F_GETLEASE, 0).is_ok_and(|kind| kind == libc::F_WRLCK)
    }
}

impl Drop for WriteLease {
    fn drop(&mut self) {
        // Duplicates of the descriptor may stay open: the lease would stay with them.
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
        // The lease is not kept: this would wait for lease-break-time.
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
