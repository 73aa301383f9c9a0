//! posix_fallocate(3) of the C library, which writes zeros if the file system cannot reserve space.

use rustix::fd::{AsFd, AsRawFd};
use std::io;

/// Reserves `length` bytes from byte `offset`, and extends a file that ends before the last of these bytes.
///
/// # Errors
/// ENOSPC if the file system is full, EFBIG beyond the largest file size, EINVAL for length 0.
pub fn posix_fallocate<Fd: AsFd>(file: Fd, offset: u64, length: u64) -> io::Result<()> {
    let (Ok(offset), Ok(length)) = (libc::off64_t::try_from(offset), libc::off64_t::try_from(length)) else {
        return Err(io::Error::from_raw_os_error(libc::EFBIG));
    };
    // SAFETY: no pointers; the descriptor is alive for the call.
    match unsafe { libc::posix_fallocate64(file.as_fd().as_raw_fd(), offset, length) } {
        0 => Ok(()),
        errno => Err(io::Error::from_raw_os_error(errno)),
    }
}
