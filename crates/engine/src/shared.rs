//! Live counters of all workers in one mapping of zero pages, of which only the pages in use need memory.

use stats::shared::JobCounters;
use std::io;
use std::ptr::NonNull;
use std::sync::Arc;

/// Counters of `n` jobs, zeroed.
#[derive(Clone, Debug)]
pub struct SharedBlocks(Arc<Mapping>);

#[derive(Debug)]
struct Mapping {
    base: NonNull<JobCounters>,
    n: usize,
}

// SAFETY: `JobCounters` consists of atomics only; references to it may be used from any thread.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl SharedBlocks {
    /// Maps the counters of `n` jobs.
    ///
    /// # Errors
    /// ENOMEM if memory is short or the size overflows.
    pub fn new(n: usize) -> io::Result<Self> {
        let bytes = size_of::<JobCounters>().checked_mul(n.max(1)).ok_or(io::ErrorKind::OutOfMemory)?;
        use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
        let flags = MapFlags::SHARED | MapFlags::NORESERVE;
        // SAFETY: a new anonymous mapping at an address of the kernel's choice aliases nothing.
        let base = unsafe {
            mmap_anonymous(std::ptr::null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, flags)
        }?;
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self(Arc::new(Mapping { base, n })))
    }
}

impl std::ops::Deref for SharedBlocks {
    type Target = [JobCounters];

    fn deref(&self) -> &[JobCounters] {
        // SAFETY: the mapping holds `n` values, page-aligned (the alignment of `JobCounters` is 128), and zero bytes
        // are a valid `JobCounters`: it is made of `AtomicU64` only.
        unsafe { std::slice::from_raw_parts(self.0.base.as_ptr(), self.0.n) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length; this is the last owner.
        let _ = unsafe {
            rustix::mm::munmap(self.base.as_ptr().cast(), size_of::<JobCounters>() * self.n.max(1))
        };
    }
}
