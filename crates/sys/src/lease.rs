//! fcntl(F_SETLEASE): whether anybody writes to a file. The kernel grants a lease for reading only where nobody has the
//! file open for writing, be it a program or a loop device.

use rustix::fd::{AsFd, AsRawFd};
use std::io;

/// Which signal says that somebody wants a file that is leased.
const F_SETSIG: i32 = 10;

/// Whether somebody has the file open for writing; `file` must be open for reading alone. Errors: EACCES without
/// CAP_LEASE on somebody else's file, EINVAL where the file system has no leases.
pub fn written_by_others<Fd: AsFd>(file: Fd) -> io::Result<bool> {
    let fd = file.as_fd().as_raw_fd();
    let call = |command: i32, value: i32| {
        // SAFETY: fcntl takes integers here; the descriptor is alive for the call.
        match unsafe { libc::fcntl(fd, command, value) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    };
    let set = |kind| call(libc::F_SETLEASE, kind);
    // SIGIO would end us if somebody came in the instant that we hold it; this one does nothing.
    call(F_SETSIG, libc::SIGURG)?;
    match set(libc::F_RDLCK) {
        // Given back at once: whoever opens the file meanwhile, we too, would wait for it.
        Ok(()) => set(libc::F_UNLCK).map(|()| false),
        Err(e) if e.raw_os_error() == Some(libc::EAGAIN) => Ok(true),
        Err(e) => Err(e),
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
}
