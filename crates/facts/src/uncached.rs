//! Bytes of a block device as they are on it. Its page cache may have older ones: the file of a loop device can be written
//! directly, and a disk that hosts share by another host. It stays as long as any program has the device open.

use rustix::fs::{Advice, Mode, OFlags, fadvise};
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::path::Path;
use sys::page_buffer::PageBuffer;

/// Reader of a file or device; that of a device bypasses its page cache.
#[derive(Debug)]
pub struct Uncached<'a> {
    open: &'a File,
    /// Second opening for direct I/O, which first writes back what is only in the page cache; `None` for files, whose page
    /// cache is never older, and if the device does not permit it.
    direct: Option<File>,
}

impl Uncached<'_> {
    /// Returns the reader of an open file or device.
    pub fn of(open: &File) -> Uncached<'_> {
        let device = open.metadata().is_ok_and(|meta| meta.file_type().is_block_device());
        let direct = device.then(|| reopened(open, OFlags::DIRECT)).flatten();
        Uncached { open, direct }
    }

    /// Fills `bytes` with those at `offset`. What it does not read directly does not stay in the page cache.
    ///
    /// # Errors
    /// The range cannot be read.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        if let Some(direct) = &self.direct
            && !bytes.is_empty()
        {
            let mut aligned = PageBuffer::new(bytes.len())?;
            match direct.read_exact_at(&mut aligned, offset) {
                Ok(()) => {
                    bytes.copy_from_slice(&aligned);
                    return Ok(());
                }
                // The range does not consist of whole sectors.
                Err(e) if e.kind() == io::ErrorKind::InvalidInput => {}
                Err(e) => return Err(e),
            }
        }
        self.drop_clean_pages(offset, bytes.len() as u64);
        self.open.read_exact_at(bytes, offset)
    }

    /// Drops the pages of a range that another reader than this one would find in the page cache of the device and that no
    /// program has mapped or changed. Those of a file are left alone.
    pub fn drop_clean_pages(&self, offset: u64, length: u64) {
        if self.direct.is_some() {
            // The call is only advice, so its errors are ignored.
            let _ = fadvise(self.open, offset, NonZeroU64::new(length), Advice::DontNeed);
        }
    }
}

/// Opens what `open` refers to again, for reading.
fn reopened(open: &File, flags: OFlags) -> Option<File> {
    let flags = flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let path = format!("/proc/self/fd/{}", open.as_raw_fd());
    Some(rustix::fs::open(Path::new(&path), flags, Mode::empty()).ok()?.into())
}
