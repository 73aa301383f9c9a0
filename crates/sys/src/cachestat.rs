//! cachestat(2), Linux 6.5: how much of a file lies in the page cache.

use rustix::fd::{AsFd, AsRawFd};
use std::io;

/// Number of the system call on every architecture but alpha; libc names it for a few of them only.
const SYS_CACHESTAT: libc::c_long = 451;

/// Pages by state, in pages of the system's page size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Cachestat {
    /// In the page cache.
    pub cached: u64,
    /// Dirty.
    pub dirty: u64,
    /// Under writeback.
    pub writeback: u64,
    /// Evicted.
    pub evicted: u64,
    /// Evicted so recently that a refault would indicate memory pressure.
    pub recently_evicted: u64,
}

#[repr(C)]
struct Range {
    offset: u64,
    length: u64,
}

/// Returns the state of `length` bytes from `offset` (length 0: to the end of the file). Errors: ENOSYS before Linux 6.5,
/// EOPNOTSUPP on hugetlbfs, EPERM for a file that the caller neither owns nor may write, EBADF otherwise.
pub fn cachestat<Fd: AsFd>(file: Fd, offset: u64, length: u64) -> io::Result<Cachestat> {
    let mut range = Range { offset, length };
    let mut found = Cachestat::default();
    // SAFETY: both pointers are to live values of the layout that the kernel documents; flags must be 0.
    let r = unsafe {
        libc::syscall(
            SYS_CACHESTAT,
            file.as_fd().as_raw_fd(),
            &raw mut range,
            &raw mut found,
            0 as libc::c_uint,
        )
    };
    if r == 0 { Ok(found) } else { Err(io::Error::last_os_error()) }
}
