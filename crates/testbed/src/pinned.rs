//! A file that stays in the page cache: mapped and locked, so that reclaim (which may be proactive) does not take its
//! pages during a measurement.

use rustix::mm::{MapFlags, ProtFlags, mlock, mmap, munmap};
use std::fs::File;
use std::io;
use std::path::Path;

/// File whose pages stay in memory as long as the value lives. The default limit of locked memory for ordinary users is
/// 8 MiB.
#[derive(Debug)]
pub struct Pinned {
    base: *mut std::ffi::c_void,
    bytes: usize,
}

impl Pinned {
    /// Reads the file `path`, writes back its dirty pages, and locks all its pages.
    ///
    /// # Errors
    /// ENOMEM or EPERM above the limit of locked memory, and errors of the file.
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
