//! mmap: the file is mapped and blocks are copied (fio's `mmap`). An I/O beyond the end
//! of the file fails, where fio is killed by SIGBUS.

use crate::sync::{Perform, other};
use crate::{Blocks, Kind, Op, RingDead};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};
use std::ptr::NonNull;
use sys::copy::Ready;
use sys::persist::WriteBack;

/// Options of the mapping of each file, taken from the job.
#[derive(Clone, Copy, Debug)]
pub struct MapOptions {
    /// Whether the mapping is readable.
    pub read: bool,
    /// Whether the mapping is writable.
    pub write: bool,
    /// Whether huge pages are used. As in fio, the mapping is private then, and writes stay in memory.
    pub huge: bool,
    /// Access advice to the kernel: `true` sequential, `false` random, `None` no advice.
    pub sequential: Option<bool>,
    /// Whether each I/O ends with msync of its range (`direct=1`).
    pub through: bool,
    /// Whether and how the mapping is of persistent memory (`libpmem`).
    pub persistent: Option<Persistent>,
}

/// Options of a mapping of persistent memory: each write writes its cache lines back.
#[derive(Clone, Copy, Debug)]
pub struct Persistent {
    /// Whether a mapping without MAP_SYNC is taken for persistent memory.
    pub assumed: bool,
    /// Whether each write waits until its data is persistent.
    pub drain: bool,
}

/// Mapping of a part of a file.
#[derive(Debug)]
struct Map {
    base: NonNull<u8>,
    /// Number of mapped bytes.
    bytes: usize,
    /// Offset of `base` in the file.
    from: u64,
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: mapped in `Map::new` with this length, unmapped once; no copy is under way, for copies are made by
        // the thread that owns the engine.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

impl Map {
    fn new(fd: RawFd, (start, length): (u64, u64), options: MapOptions) -> io::Result<Self> {
        use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap};
        let page = rustix::param::page_size() as u64;
        let from = start / page * page;
        let bytes = usize::try_from(start + length - from).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut protection = ProtFlags::empty();
        // As in fio, the file is mapped even if it is only trimmed.
        protection.set(ProtFlags::READ, options.read || !options.write);
        protection.set(ProtFlags::WRITE, options.write);
        let flags = match (options.huge, options.persistent) {
            (true, _) => MapFlags::PRIVATE,
            (_, Some(Persistent { assumed: false, .. })) => MapFlags::SHARED_VALIDATE | MapFlags::SYNC,
            _ => MapFlags::SHARED,
        };
        // SAFETY: `fd` is open: the worker takes it out of the table before it closes it. The kernel chooses the
        // address: the mapping aliases no memory of ours.
        let base = unsafe {
            mmap(std::ptr::null_mut(), bytes, protection, flags, BorrowedFd::borrow_raw(fd), from)
        }?;
        let map = Self { base: NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?, bytes, from };
        let advice = [
            options.huge.then_some(Advice::LinuxHugepage),
            options.sequential.map(|s| if s { Advice::Sequential } else { Advice::Random }),
        ];
        for advice in advice.into_iter().flatten() {
            // The advice is optional: a kernel without the feature ignores it.
            // SAFETY: the range was mapped just now; this advice changes no content.
            let _ = unsafe { madvise(base, bytes, advice) };
        }
        Ok(map)
    }

    fn sync(&self, at: usize, len: usize) -> i32 {
        let page = rustix::param::page_size();
        let from = at / page * page;
        // SAFETY: the range lies in this mapping (whole pages of it).
        let synced = unsafe {
            rustix::mm::msync(
                self.base.add(from).as_ptr().cast(),
                at + len - from,
                rustix::mm::MsyncFlags::SYNC,
            )
        };
        synced.map_or_else(|e| -e.raw_os_error(), |()| 0)
    }
}

/// Engine that copies from and to mapped files; with `PERSISTENT`, from and to persistent memory.
#[derive(Debug)]
pub struct Mmap<const PERSISTENT: bool> {
    blocks: Blocks,
    options: MapOptions,
    /// Start and length in bytes of the mapped part of each file.
    regions: Vec<(u64, u64)>,
    maps: Vec<Option<Map>>,
    files: Vec<RawFd>,
    ready: Ready,
    /// Write-back of this processor, for persistent memory.
    write_back: Option<WriteBack>,
}

impl<const PERSISTENT: bool> Mmap<PERSISTENT> {
    /// Returns an engine for `regions.len()` files; `regions` are start and length in bytes of the used part of each
    /// file.
    ///
    /// # Errors
    /// errno of sigaction(2), with which the SIGBUS handler is installed.
    pub fn new(blocks: Blocks, regions: Vec<(u64, u64)>, options: MapOptions) -> io::Result<Self> {
        let (maps, files) = (regions.iter().map(|_| None).collect(), vec![-1; regions.len()]);
        let ready = sys::copy::ready(blocks.stride())?;
        let write_back = options.persistent.and_then(|_| WriteBack::of_processor());
        Ok(Self { blocks, options, regions, maps, files, ready, write_back })
    }

    #[cold]
    fn other(&self, map: &Map, op: &Op) -> i32 {
        match (op.kind, self.write_back) {
            // The cache lines were written back by the writes.
            (Kind::Fsync | Kind::Fdatasync | Kind::SyncRange, Some(write_back)) => {
                write_back.fence();
                return 0;
            }
            (Kind::Trim, _) if self.options.persistent.is_some() => return -libc::EINVAL,
            _ => {}
        }
        match op.kind {
            Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => map.sync(0, map.bytes),
            _ => other(self.files[op.file as usize], op),
        }
    }
}

impl<const PERSISTENT: bool> Perform for Mmap<PERSISTENT> {
    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.maps[index] = None;
        self.files[index] = fd;
        if fd >= 0 && self.regions[index].1 > 0 {
            let map = Map::new(fd, self.regions[index], self.options)
                .map_err(|e| RingDead { call: "mmap", errno: e.raw_os_error().unwrap_or(libc::ENOMEM) })?;
            self.maps[index] = Some(map);
        }
        Ok(())
    }

    #[inline(always)]
    fn perform(&mut self, op: &Op) -> i32 {
        let Some(map) = &self.maps[op.file as usize] else { return -libc::EBADF };
        let (len, at) = ((op.len - op.done) as usize, op.offset + u64::from(op.done));
        if !matches!(op.kind, Kind::Read | Kind::Write) {
            return self.other(map, op);
        }
        let at = at.wrapping_sub(map.from) as usize;
        if at > map.bytes || len > map.bytes - at {
            return -libc::EINVAL;
        }
        let block = self.blocks.address(op.slot, op.done);
        // SAFETY: the range lies in the mapping by the comparison above, mapped readable or writable as this kind
        // needs it (`MapOptions`, from the job's directions); the block lies in the arena and its slot is ours. The
        // file may change under the mapping: its bytes are copied as bytes, and no reference to them exists.
        let moved = unsafe {
            let mapped = map.base.add(at).as_ptr();
            match op.kind {
                Kind::Write => sys::copy::copy(mapped, block, len, self.ready),
                _ => sys::copy::copy(block, mapped, len, self.ready),
            }
        };
        if moved == 0 {
            return -libc::EIO;
        }
        if PERSISTENT
            && op.kind == Kind::Write
            && let Some(persistent) = self.options.persistent
        {
            return match self.write_back {
                Some(write_back) => {
                    // SAFETY: the range lies in the mapping, and its bytes were written just now.
                    unsafe { write_back.lines(map.base.add(at).as_ptr(), moved) };
                    if persistent.drain {
                        write_back.fence();
                    }
                    moved as i32
                }
                None => match map.sync(at, moved) {
                    0 => moved as i32,
                    failed => failed,
                },
            };
        }
        if self.options.through {
            let synced = map.sync(at, moved);
            if synced < 0 {
                return synced;
            }
        }
        moved as i32
    }
}
