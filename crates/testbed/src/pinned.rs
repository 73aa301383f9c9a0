//! A file that stays in the page cache: mapped and locked, so that no reclaim (this bench has a proactive one) takes its
//! pages while something is counted.

use rustix::mm::{MapFlags, ProtFlags, mlock, mmap, munmap};
use std::fs::File;
use std::io;
use std::path::Path;

/// Keeps a file's pages in memory as long as it lives. The memory lock limit of ordinary users is 8 MiB.
#[derive(Debug)]
pub struct Pinned {
    base: *mut std::ffi::c_void,
    bytes: usize,
}

impl Pinned {
    /// Reads `path` in, writes back what is dirty, and locks its pages. Errors: ENOMEM or EPERM above the limit.
    pub fn new(path: &Path) -> io::Result<Pinned> {
        let file = File::open(path)?;
        file.sync_all()?;
        let bytes = file.metadata()?.len() as usize;
        // SAFETY: a new shared read-only mapping at an address of the kernel's choice aliases no memory of ours.
        let base = unsafe { mmap(std::ptr::null_mut(), bytes, ProtFlags::READ, MapFlags::SHARED, &file, 0) }?;
        let pinned = Pinned { base, bytes };
        // SAFETY: the range is the mapping just made.
        unsafe { mlock(base, bytes) }?;
        Ok(pinned)
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length, unmapped once.
        let _ = unsafe { munmap(self.base, self.bytes) };
    }
}
