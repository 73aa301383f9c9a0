//! How much of a file or device lies in the page cache.

use rustix::fd::AsFd;

/// Cached bytes of a whole file or device, of which `size` bytes are known to be there; `None` where the kernel cannot
/// tell (before Linux 6.5, or a file that is neither ours nor writable for us).
pub fn cached_bytes<Fd: AsFd>(file: Fd, size: u64) -> Option<u64> {
    let page = rustix::param::page_size() as u64;
    let bytes = sys::cachestat::cachestat(file, 0, 0).ok()?.cached * page;
    // The last page may reach beyond the end; a file that has grown since is longer than that.
    Some(if bytes.saturating_sub(size) < page { bytes.min(size) } else { bytes })
}
