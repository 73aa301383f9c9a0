//! Write lifetime hint of a file: fcntl(F_SET_RW_HINT).

use rustix::fd::{AsFd, AsRawFd};
use std::io;

const F_GET_RW_HINT: i32 = 1035;
const F_SET_RW_HINT: i32 = 1036;

fn call<Fd: AsFd>(file: Fd, command: i32, hint: &mut u64) -> io::Result<()> {
    // SAFETY: the kernel reads or writes the 64 bits that `hint` refers to, for the time of the call.
    match unsafe { libc::fcntl(file.as_fd().as_raw_fd(), command, std::ptr::from_mut(hint)) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Sets the expected lifetime of data written to the file: 0 = not set, 1 = none, 2 = short, 3 = medium, 4 = long, 5
/// = extreme.
///
/// # Errors
/// EINVAL for another value or if the kernel does not support the hint.
pub fn set_lifetime<Fd: AsFd>(file: Fd, mut hint: u64) -> io::Result<()> {
    call(file, F_SET_RW_HINT, &mut hint)
}

/// Returns the write lifetime hint of the file, with the values of [`set_lifetime`].
///
/// # Errors
/// EINVAL if the kernel does not support the hint.
pub fn lifetime<Fd: AsFd>(file: Fd) -> io::Result<u64> {
    let mut hint = 0;
    call(file, F_GET_RW_HINT, &mut hint)?;
    Ok(hint)
}
