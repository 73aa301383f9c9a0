//! Locked memory, which reduces the memory available to the rest of the system (`lockmem=`).

use std::ffi::c_void;
use std::io;
use std::ptr::{self, NonNull};

/// Anonymous memory that is locked until it is dropped.
#[derive(Debug)]
pub struct LockedMemory {
    at: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: the mapping is private to this value and never read or written, and munmap may be called from any thread.
unsafe impl Send for LockedMemory {}

impl LockedMemory {
    /// Maps and locks `bytes` bytes.
    ///
    /// # Errors
    /// ENOMEM or EPERM beyond RLIMIT_MEMLOCK, ENOMEM if memory is short, EINVAL for zero bytes.
    pub fn lock(bytes: usize) -> io::Result<LockedMemory> {
        use rustix::mm::{MapFlags, ProtFlags, mlock, mmap_anonymous};
        // SAFETY: a new anonymous mapping at an address of the kernel's choice aliases nothing.
        let at = unsafe {
            mmap_anonymous(ptr::null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)?
        };
        let Some(at) = NonNull::new(at) else { return Err(io::ErrorKind::OutOfMemory.into()) };
        // From here on drop unmaps, also when mlock fails.
        let locked_memory = LockedMemory { at, bytes };
        // SAFETY: exactly the range mapped above.
        unsafe { mlock(locked_memory.at.as_ptr(), bytes)? };
        Ok(locked_memory)
    }

    /// Returns the number of locked bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for LockedMemory {
    fn drop(&mut self) {
        // SAFETY: the range was mapped in `lock`, is owned by this value and never handed out. munmap cannot fail for
        // a valid range, and drop could not report an error.
        let _ = unsafe { rustix::mm::munmap(self.at.as_ptr(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked_kib() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|l| l.starts_with("VmLck:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    #[test]
    fn the_kernel_counts_memory_as_locked_until_it_is_dropped() {
        let before = locked_kib();
        let locked_memory = LockedMemory::lock(1 << 20).unwrap();
        assert_eq!(locked_memory.bytes(), 1 << 20);
        assert_eq!(locked_kib(), before + 1024);
        drop(locked_memory);
        assert_eq!(locked_kib(), before);
        assert!(LockedMemory::lock(0).is_err());
    }
}
