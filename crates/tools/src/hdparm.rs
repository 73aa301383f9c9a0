//! The job of `hdparm -tT`: buffered and cached read rates of a device, measured as hdparm 9.65 measures them.

pub mod arguments;

use crate::data_place::compressing_file_system;
use crate::evidence::{Bottom, Evidence};
use arguments::Actions;
use facts::SysRoot;
use facts::extents;
use facts::layers::{Device, DeviceKind, DeviceNumber, Stack};
use rustix::fd::AsFd;
use rustix::fs::{Mode, OFlags, SeekFrom, seek};
use rustix::io::Errno;
use std::fs::{File, Metadata};
use std::hint::black_box;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};
use sys::page_buffer::PageBuffer;

/// Size of a read in bytes.
pub const CHUNK: usize = 2 << 20;

/// Exit status of EIO, with which hdparm ends after a failed read.
const IO: i32 = 5;

/// Exit status of EINVAL, with which hdparm refuses a command line.
pub const INVALID: i32 = 22;

/// Bytes read and the time that they took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedReads {
    /// Number of MiB.
    pub mib: u64,
    /// Time in seconds.
    pub seconds: f64,
}

/// Where the data of `-t` came from.
#[derive(Clone, Debug)]
pub struct DiskSources {
    /// What lies at the bottom of the storage stack.
    pub bottom: Bottom,
    /// Name of the uppermost device; `None` without one.
    pub top: Option<String>,
    /// Bytes that came from the page cache of the target, at least: this process caused no read of a device for them.
    pub from_page_cache: Option<u64>,
    /// Bytes that came from memory below the uppermost device, at least: the lowest devices read fewer.
    pub from_below: Option<u64>,
    /// Bytes that the lowest devices read meanwhile, for all processes.
    pub disk_read: Option<u64>,
    /// File below a loop device, and the bytes of its holes and unwritten extents in the range that was read.
    pub holes: Option<(PathBuf, u64)>,
}

/// Reason why a timing fails, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFault {
    /// Memory for a chunk is short.
    Memory,
    /// The read failed.
    Read(Errno),
    /// The read returned nothing.
    EndOfFile,
    /// The read returned fewer bytes than a chunk.
    Short(usize),
    /// The offset cannot be reached.
    Seek(Errno),
    /// The size of the device is unknown.
    Size(Errno),
    /// The cached pages of the device cannot be dropped.
    DropPages(Errno),
}

/// What happens while a device is timed.
#[derive(Debug)]
pub enum HdparmEvent<'a> {
    /// A device follows.
    Device(&'a Path),
    /// The device cannot be opened.
    CannotOpen(&'a Path, Errno),
    /// No timing is asked for.
    NothingToTime,
    /// The timing of cached reads begins.
    CachedBegins {
        /// Whether with O_DIRECT.
        direct: bool,
    },
    /// Result of cached reads.
    Cached {
        /// The figures.
        reads: TimedReads,
        /// Whether with O_DIRECT.
        direct: bool,
    },
    /// The timing of device reads begins.
    DiskBegins {
        /// Whether with O_DIRECT.
        direct: bool,
        /// Offset in GiB, if one was given.
        offset: Option<u64>,
    },
    /// Result of device reads.
    Disk {
        /// The figures.
        reads: TimedReads,
        /// Where the data came from.
        sources: Box<DiskSources>,
    },
    /// Something failed.
    Fault(ReadFault),
    /// The device is an ATA disk, whose identify data fathom does not decode (`-I`).
    AtaDisk(&'a Path),
}

/// Times the device at `path` and returns the exit status with which hdparm would end; 0 if it would go on.
pub fn time_device(
    path: &Path,
    actions: &Actions,
    root: &SysRoot,
    tell: &mut dyn FnMut(HdparmEvent<'_>),
) -> i32 {
    let mut flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    flags.set(OFlags::DIRECT, actions.direct);
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(open) => File::from(open),
        Err(e) => {
            tell(HdparmEvent::CannotOpen(path, e));
            return e.raw_os_error();
        }
    };
    if actions.is_empty() {
        tell(HdparmEvent::NothingToTime);
        return INVALID;
    }
    tell(HdparmEvent::Device(path));
    let timing = Timing { file: &file, path, actions, root };
    if actions.identify && timing.is_ata() {
        tell(HdparmEvent::AtaDisk(path));
        return INVALID;
    }
    if actions.cached {
        // hdparm goes on after a failure of -T.
        if let Err(fault) = timing.cached(tell) {
            tell(HdparmEvent::Fault(fault));
        }
    }
    if actions.disk {
        match timing.disk(tell) {
            Ok(()) => {}
            Err(fault @ ReadFault::Seek(e)) => {
                tell(HdparmEvent::Fault(fault));
                return e.raw_os_error();
            }
            Err(fault) => {
                tell(HdparmEvent::Fault(fault));
                timing.flush(tell);
                return IO;
            }
        }
    }
    0
}

struct Timing<'a> {
    file: &'a File,
    path: &'a Path,
    actions: &'a Actions,
    root: &'a SysRoot,
}

/// Memory for one chunk, aligned for O_DIRECT.
struct Chunk(PageBuffer);

impl Chunk {
    fn new() -> Result<Chunk, ReadFault> {
        let mut memory = PageBuffer::new(CHUNK).map_err(|_| ReadFault::Memory)?;
        // Every page exists before the clock runs.
        memory.fill(1);
        Ok(Chunk(memory))
    }

    /// Reads the next chunk of `file` and touches each sector.
    fn read(&mut self, mut file: &File) -> Result<(), ReadFault> {
        let read = loop {
            match file.read(&mut self.0) {
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                done => break done,
            }
        };
        match read {
            Err(e) => Err(ReadFault::Read(Errno::from_io_error(&e).unwrap_or(Errno::IO))),
            Ok(0) => Err(ReadFault::EndOfFile),
            Ok(n) if n < CHUNK => Err(ReadFault::Short(n)),
            Ok(_) => {
                self.0.iter().step_by(512).for_each(|byte| {
                    black_box(*byte);
                });
                Ok(())
            }
        }
    }
}

impl Timing<'_> {
    fn rewind(&self) -> Result<(), ReadFault> {
        seek(self.file, SeekFrom::Start(0)).map(drop).map_err(ReadFault::Seek)
    }

    /// What hdparm does before each timing, and is not timed.
    fn settle(&self) {
        rustix::fs::sync();
        sleep(Duration::from_secs(3));
    }

    /// Writes back everything and drops the cached pages of the device, as hdparm's flush.
    fn flush(&self, tell: &mut dyn FnMut(HdparmEvent<'_>)) {
        rustix::fs::sync();
        // Neither is possible for each kind of file, and hdparm does not look.
        let _ = rustix::fs::fsync(self.file);
        let _ = rustix::fs::fdatasync(self.file);
        rustix::fs::sync();
        if let Err(e) = sys::block::flush_buffers(self.file.as_fd()) {
            tell(HdparmEvent::Fault(ReadFault::DropPages(Errno::from_io_error(&e).unwrap_or(Errno::IO))));
        }
        rustix::fs::sync();
    }

    /// Reads the first chunk for two seconds, and subtracts the time of the calls around the reads.
    fn cached(&self, tell: &mut dyn FnMut(HdparmEvent<'_>)) -> Result<(), ReadFault> {
        let direct = self.actions.direct;
        let mut chunk = Chunk::new()?;
        self.settle();
        self.rewind()?;
        chunk.read(self.file)?;
        tell(HdparmEvent::CachedBegins { direct });
        self.flush(tell);
        sleep(Duration::from_secs(1));
        let mut chunks = 0;
        let start = Instant::now();
        let elapsed = loop {
            self.rewind()?;
            chunk.read(self.file)?;
            chunks += 1;
            let elapsed = start.elapsed();
            if elapsed >= Duration::from_secs(2) {
                break elapsed;
            }
        };
        let start = Instant::now();
        for _ in 0..chunks {
            self.rewind()?;
            black_box(start.elapsed());
        }
        let overhead = start.elapsed();
        self.flush(tell);
        sleep(Duration::from_secs(1));
        let seconds = elapsed.saturating_sub(overhead).as_secs_f64();
        tell(HdparmEvent::Cached { reads: TimedReads { mib: 2 * chunks, seconds }, direct });
        Ok(())
    }

    /// Reads chunk after chunk for three seconds, or as many chunks as the device has.
    fn disk(&self, tell: &mut dyn FnMut(HdparmEvent<'_>)) -> Result<(), ReadFault> {
        const UNKNOWN_SIZE: u64 = 1024;
        let (direct, offset) = (self.actions.direct, self.actions.offset);
        let meta = self.file.metadata().ok();
        let most = match self.size(meta.as_ref()) {
            Ok(bytes) => bytes / CHUNK as u64,
            Err(e) => {
                tell(HdparmEvent::Fault(ReadFault::Size(e)));
                UNKNOWN_SIZE
            }
        };
        let mut chunk = Chunk::new()?;
        self.settle();
        tell(HdparmEvent::DiskBegins { direct, offset });
        let start_byte = offset.unwrap_or(0).saturating_mul(1 << 30);
        if offset.is_some() || self.actions.cached {
            seek(self.file, SeekFrom::Start(start_byte)).map_err(ReadFault::Seek)?;
        }
        let stack = self.stack(meta.as_ref());
        let mut evidence = Evidence::new(self.root, &stack);
        evidence.window();
        let mut chunks = 0;
        let start = Instant::now();
        let elapsed = loop {
            chunk.read(self.file)?;
            chunks += 1;
            let elapsed = start.elapsed();
            if elapsed >= Duration::from_secs(3) || chunks >= most {
                break elapsed;
            }
        };
        let window = evidence.window().unwrap_or_default();
        self.flush(tell);
        let bytes = chunks * CHUNK as u64;
        let own = window.own_read.filter(|_| compressing_file_system(&stack).is_none());
        let disk_read = window.disks.map(|disks| disks.read_bytes);
        let sources = DiskSources {
            bottom: evidence.bottom.clone(),
            top: evidence.top.clone(),
            from_page_cache: own.map(|own| bytes.saturating_sub(own)),
            from_below: own
                .zip(disk_read)
                .filter(|_| !evidence.direct)
                .map(|(own, disk)| own.min(bytes).saturating_sub(disk)),
            disk_read,
            holes: self.holes(&stack, start_byte, bytes),
        };
        let reads = TimedReads { mib: 2 * chunks, seconds: elapsed.as_secs_f64() };
        tell(HdparmEvent::Disk { reads, sources: Box::new(sources) });
        Ok(())
    }

    /// Returns the number of the device: of a file, that of the device that holds it, as hdparm does.
    fn number(&self, meta: Option<&Metadata>) -> Option<DeviceNumber> {
        let meta = meta?;
        let kind = meta.file_type();
        let own = kind.is_block_device() || kind.is_char_device();
        Some(DeviceNumber::from_raw(if own { meta.rdev() } else { meta.dev() }))
    }

    fn size(&self, meta: Option<&Metadata>) -> Result<u64, Errno> {
        let block = meta.is_none_or(|meta| !meta.file_type().is_char_device());
        let device = self.number(meta).filter(|_| block).and_then(|number| Device::of(self.root, number));
        match device.and_then(|device| device.size(self.root)) {
            Some(bytes) => Ok(bytes),
            None => {
                sys::block::size(self.file.as_fd()).map_err(|e| Errno::from_io_error(&e).unwrap_or(Errno::IO))
            }
        }
    }

    fn stack(&self, meta: Option<&Metadata>) -> Stack {
        match meta.filter(|meta| meta.file_type().is_block_device()) {
            Some(meta) => Stack::of_device(self.root, DeviceNumber::from_raw(meta.rdev())),
            None => Stack::under(self.root, self.path).unwrap_or_default(),
        }
    }

    /// Returns the holes and unwritten extents below a loop device in the range that was read.
    fn holes(&self, stack: &Stack, start: u64, bytes: u64) -> Option<(PathBuf, u64)> {
        let top = stack.devices().next()?;
        let DeviceKind::Loop { backing } = &top.kind else { return None };
        let shift: u64 = self.root.number(top.number.sysfs().join("loop/offset"))?;
        let file = File::open(self.root.path(backing)).ok()?;
        let start = start.saturating_add(shift);
        let missing = extents::missing_between(&file, start, start.saturating_add(bytes))?;
        Some((backing.clone(), missing.holes + missing.unwritten.unwrap_or(0)))
    }

    fn is_ata(&self) -> bool {
        let number = self.number(self.file.metadata().ok().as_ref());
        let device = number.and_then(|number| Device::of(self.root, number));
        let whole = device.and_then(|device| device.whole(self.root));
        let vendor = whole.and_then(|whole| self.root.read(whole.number.sysfs().join("device/vendor")).ok());
        vendor.is_some_and(|vendor| vendor == "ATA")
    }
}
