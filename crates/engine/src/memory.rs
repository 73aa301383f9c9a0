//! Kinds of memory for I/O buffers (fio's `iomem`).

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};
use std::io;
use std::path::PathBuf;
use std::ptr::{NonNull, null_mut};

/// Kind of memory for buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Whether the memory is a System V segment instead of a mapping.
    pub segment: bool,
    /// Whether the memory consists of huge pages (HUGETLB).
    pub huge: bool,
    /// Whether the mapping is shared (MAP_SHARED) instead of private.
    pub shared: bool,
    /// Path of a file (`iomem=mmap:FILE`) in whose directory an unnamed file is mapped; the file itself is not changed.
    pub file: Option<PathBuf>,
    /// Alignment of the first buffer in bytes, in addition to the page size.
    pub align: usize,
    /// Distance of the first buffer from its aligned address in bytes, a multiple of eight.
    pub behind: usize,
    /// Size of a huge page in bytes; the size of the memory is rounded up to a multiple.
    pub huge_page: usize,
}

/// Mapped memory or a segment, released on drop unless `leaked` is set.
#[derive(Debug)]
pub(crate) struct Mapping {
    base: NonNull<u8>,
    bytes: usize,
    segment: bool,
    pub(crate) leaked: bool,
}

/// Name of the failed call, and the error.
pub type Failed = (&'static str, io::Error);

impl Mapping {
    /// Maps at least `bytes` bytes.
    ///
    /// # Errors
    /// The call that failed, with its error.
    pub(crate) fn new(bytes: usize, memory: &Memory) -> Result<Self, Failed> {
        let unit = if memory.huge { memory.huge_page.max(1) } else { 1 };
        let bytes =
            bytes.checked_next_multiple_of(unit).ok_or(("mmap", io::ErrorKind::OutOfMemory.into()))?;
        let base = if memory.segment { segment(bytes, memory.huge)? } else { mapped(bytes, memory)? };
        let base = NonNull::new(base.cast()).ok_or(("mmap", io::ErrorKind::OutOfMemory.into()))?;
        Ok(Self { base, bytes, segment: memory.segment, leaked: false })
    }

    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }
}

fn mapped(bytes: usize, memory: &Memory) -> Result<*mut std::ffi::c_void, Failed> {
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    let flags = if memory.shared { MapFlags::SHARED } else { MapFlags::PRIVATE };
    let Some(path) = &memory.file else {
        let flags = if memory.huge { flags | MapFlags::HUGETLB } else { flags };
        // SAFETY: a new anonymous mapping at an address of the kernel's choice aliases nothing.
        return unsafe { mmap_anonymous(null_mut(), bytes, protection, flags) }
            .map_err(|e| ("mmap", e.into()));
    };
    if path.exists() {
        return Err(("open mmap file", io::ErrorKind::AlreadyExists.into()));
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(".".as_ref());
    let flags_of_open = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = rustix::fs::openat(CWD, directory, flags_of_open, Mode::from_raw_mode(0o600))
        .map_err(|e| ("open mmap file", e.into()))?;
    rustix::fs::ftruncate(&file, bytes as u64).map_err(|e| ("truncate mmap file", e.into()))?;
    // SAFETY: a new mapping at an address of the kernel's choice, of a file that was created here, has no name and is
    // as long as the mapping: no other program can change or shorten it.
    unsafe { mmap(null_mut(), bytes, protection, flags, &file, 0) }.map_err(|e| ("mmap", e.into()))
}

fn segment(bytes: usize, huge: bool) -> Result<*mut std::ffi::c_void, Failed> {
    let flags = libc::IPC_CREAT | 0o600 | if huge { libc::SHM_HUGETLB } else { 0 };
    // SAFETY: shmget touches no memory of ours.
    let id = unsafe { libc::shmget(libc::IPC_PRIVATE, bytes, flags) };
    if id < 0 {
        return Err(("shmget", io::Error::last_os_error()));
    }
    // SAFETY: a new segment, attached at an address of the kernel's choice.
    let base = unsafe { libc::shmat(id, std::ptr::null(), 0) };
    let attached = if base as isize == -1 { Err(("shmat", io::Error::last_os_error())) } else { Ok(base) };
    // From here on, the segment is freed with its last user, for any end of the process.
    // SAFETY: IPC_RMID takes no buffer.
    let _ = unsafe { libc::shmctl(id, libc::IPC_RMID, null_mut()) };
    attached
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.leaked {
            return;
        }
        // SAFETY: mapped or attached in `new`, once, and with this length; no user of the address remains (the engine
        // is dropped before the arena, by the order of fields in `run::Worker`).
        unsafe {
            if self.segment {
                libc::shmdt(self.base.as_ptr().cast());
            } else {
                let _ = munmap(self.base.as_ptr().cast(), self.bytes);
            }
        }
    }
}
