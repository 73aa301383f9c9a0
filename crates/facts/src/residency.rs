//! Number of bytes of a file or device in the page cache.

use rustix::fd::AsFd;

/// Returns the cached bytes of a whole file or device of `size` bytes; `None` if the kernel does not report them
/// (before Linux 6.5, or for a file that this user neither owns nor may write to).
pub fn cached_bytes<Fd: AsFd>(file: Fd, size: u64) -> Option<u64> {
    let page = rustix::param::page_size() as u64;
    let bytes = sys::cachestat::cachestat(file, 0, 0).ok()?.cached * page;
    // The last page may extend beyond the end of the file; a file that has grown since is longer than `size`.
    Some(if bytes.saturating_sub(size) < page { bytes.min(size) } else { bytes })
}
