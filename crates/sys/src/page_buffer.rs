//! Buffers that begin at a page boundary, as O_DIRECT requires.

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::ffi::c_void;
use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};

/// Anonymous memory, zero at first, that begins at a page boundary. Pages that are never touched use no memory.
#[derive(Debug)]
pub struct PageBuffer {
    at: NonNull<u8>,
    bytes: usize,
}

impl PageBuffer {
    /// Maps a buffer of `bytes` bytes.
    ///
    /// # Errors
    /// ENOMEM if the kernel does not grant that much memory, EINVAL for zero bytes.
    pub fn new(bytes: usize) -> io::Result<PageBuffer> {
        // A slice may not be longer.
        if bytes > isize::MAX as usize {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        // SAFETY: a new anonymous mapping at an address of the kernel's choice aliases nothing.
        let at = unsafe {
            mmap_anonymous(ptr::null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)?
        };
        let at = NonNull::new(at.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(PageBuffer { at, bytes })
    }
}

impl Deref for PageBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping has this length, is initialized by the kernel and owned by this value until its drop.
        unsafe { std::slice::from_raw_parts(self.at.as_ptr(), self.bytes) }
    }
}

impl DerefMut for PageBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above; the exclusive borrow of the value makes this the only access.
        unsafe { std::slice::from_raw_parts_mut(self.at.as_ptr(), self.bytes) }
    }
}

impl Drop for PageBuffer {
    fn drop(&mut self) {
        // SAFETY: the range was mapped in `new`, and no borrow of it outlives this value. munmap cannot fail for a valid
        // range, and drop could not report an error.
        let _ = unsafe { munmap(self.at.as_ptr().cast::<c_void>(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_begins_at_a_page_and_too_much_memory_is_an_error() {
        let mut buffer = PageBuffer::new(5000).unwrap();
        assert_eq!(buffer.as_ptr() as usize % rustix::param::page_size(), 0);
        assert!(buffer.len() == 5000 && buffer.iter().all(|byte| *byte == 0));
        buffer[4999] = 7;
        assert_eq!(buffer[4999], 7);
        assert!(PageBuffer::new(0).is_err() && PageBuffer::new(1 << 62).is_err());
    }
}
