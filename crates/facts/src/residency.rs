//! How much of a file or device lies in the page cache.

use rustix::fd::AsFd;

/// Cached bytes of `size` bytes from the start; `None` where the kernel cannot tell (before Linux 6.5, or a file that
/// is neither ours nor writable for us).
pub fn cached_bytes<Fd: AsFd>(file: Fd, size: u64) -> Option<u64> {
    if size == 0 {
        return Some(0);
    }
    let pages = sys::cachestat::cachestat(file, 0, size).ok()?.cached;
    // The last page may reach beyond the end.
    Some((pages * rustix::param::page_size() as u64).min(size))
}
