//! Closing of a descriptor with its error, which a drop discards: network file systems report failed writes there.

use rustix::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::io;

/// Closes a descriptor.
///
/// # Errors
/// The descriptor is closed, and an earlier write failed (EIO, ENOSPC, EDQUOT).
pub fn close(descriptor: OwnedFd) -> io::Result<()> {
    // SAFETY: the descriptor is owned, and is given up here.
    if unsafe { libc::close(descriptor.into_raw_fd()) } == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Standard descriptor that can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// Standard input.
    Input = 0,
    /// Standard output.
    Output = 1,
}

/// Replaces standard input or output by /dev/null, which closes it for the other end of a pipe.
///
/// # Errors
/// /dev/null cannot be opened.
pub fn close_standard(standard: Standard) -> io::Result<()> {
    let null = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    // SAFETY: both numbers are open descriptors, or the call fails; a standard descriptor stays one.
    let done = unsafe { libc::dup2(null.as_raw_fd(), standard as libc::c_int) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
