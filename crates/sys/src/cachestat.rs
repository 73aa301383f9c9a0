//! Page cache statistics of a file: cachestat(2), since Linux 6.5.

use rustix::fd::{AsFd, AsRawFd};
use std::io;

/// System call number, the same on every architecture but alpha; libc has it for a few architectures only.
const SYS_CACHESTAT: libc::c_long = 451;

/// Numbers of pages of a file range by state, in pages of the system's page size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Cachestat {
    /// Pages in the page cache.
    pub cached: u64,
    /// Dirty pages.
    pub dirty: u64,
    /// Pages under writeback.
    pub writeback: u64,
    /// Pages that were evicted from the page cache.
    pub evicted: u64,
    /// Pages evicted so recently that a refault would indicate memory pressure.
    pub recently_evicted: u64,
}

#[repr(C)]
struct Range {
    offset: u64,
    length: u64,
}

/// Returns the page cache state of `length` bytes from byte `offset` (length 0: to the end of the file).
///
/// # Errors
/// ENOSYS before Linux 6.5, EOPNOTSUPP on hugetlbfs, EPERM for a file that the caller neither owns nor may write,
/// EBADF for an invalid descriptor.
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
