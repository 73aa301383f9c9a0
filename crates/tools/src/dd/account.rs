//! What the statistics of a copy leave out: where its input was before, and where its output is after.

use super::copier::retried;
use super::operands::{Conversions, Flags, Operands};
use super::side::Descriptor;
use crate::data_place;
use facts::layers::Stack;
use facts::{SysRoot, process};
use rustix::fd::AsFd;
use rustix::fs::{FileType, Mode, OFlags, fstat, fsync};
use rustix::io::Errno;
use stats::dd::{CopyAccount, CopyCounts, CopySink, CopySource};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Major number of the devices null, zero, full, random and urandom.
const MEMORY: u32 = 1;
/// Minor number of `/dev/zero`.
const ZERO: u32 = 5;

/// Observations before a copy.
#[derive(Debug)]
pub struct Account {
    source: CopySource,
    fetched_before: Option<u64>,
}

impl Account {
    /// Looks where the input is, which begins at `position` before `skip`.
    pub fn begin(root: &SysRoot, operands: &Operands, input: &Descriptor, position: Option<u64>) -> Account {
        let source = source(root, operands, input, position);
        Account { source, fetched_before: process::io(root).map(|io| io.read_bytes) }
    }

    /// Completes the account at the end of the copy. `flush` is the time of the flush after the copy.
    pub fn end(
        self,
        root: &SysRoot,
        (counts, elapsed): (CopyCounts, Duration),
        (sink, flush): (CopySink, Option<Duration>),
    ) -> CopyAccount {
        let mut source = self.source;
        if let CopySource::Storage { fetched, .. } = &mut source {
            let now = process::io(root).map(|io| io.read_bytes);
            *fetched = now.zip(self.fetched_before).map(|(now, before)| now.saturating_sub(before));
        }
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        CopyAccount { counts, elapsed_ns: nanos(elapsed), source, sink, flush_ns: flush.map(nanos) }
    }
}

fn source(root: &SysRoot, operands: &Operands, input: &Descriptor, position: Option<u64>) -> CopySource {
    let Ok(found) = fstat(input) else { return CopySource::Stream };
    match FileType::from_raw_mode(found.st_mode) {
        FileType::RegularFile | FileType::BlockDevice => {
            let skip = operands.skip.in_bytes(operands.ibs).unwrap_or(u64::MAX);
            let offset = position.unwrap_or(0).saturating_add(skip);
            let length = operands.count.map(|count| count.in_bytes(operands.ibs).unwrap_or(u64::MAX));
            CopySource::Storage {
                place: data_place::of_range(input, offset, length).unwrap_or_default(),
                direct: operands.input_flags.has(Flags::DIRECT),
                fetched: None,
                medium: stack(root, &path_of(input)).and_then(|stack| data_place::medium(root, &stack)),
            }
        }
        FileType::CharacterDevice if rustix::fs::major(found.st_rdev) == MEMORY => {
            if rustix::fs::minor(found.st_rdev) == ZERO { CopySource::Zero } else { CopySource::NoStorage }
        }
        _ => CopySource::Stream,
    }
}

fn stack(root: &SysRoot, path: &Path) -> Option<Stack> {
    Stack::under(root, path).ok()
}

/// Returns a path to an open file, whatever its name is now.
fn path_of<Fd: AsFd>(file: Fd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_fd().as_raw_fd()))
}

/// The output's name and identity, for a look after it was closed: the last close of a block device flushes it.
#[derive(Debug)]
pub struct OutputPlace {
    path: PathBuf,
    block: bool,
    number: (u64, u64),
    /// Offset behind the last byte.
    end: Option<u64>,
}

impl OutputPlace {
    /// Returns the place of an open output; `None` if it is no storage.
    pub fn of(output: &Descriptor) -> Option<OutputPlace> {
        let found = fstat(output).ok()?;
        let kind = FileType::from_raw_mode(found.st_mode);
        let block = kind == FileType::BlockDevice;
        (block || kind == FileType::RegularFile).then_some(())?;
        let path = std::fs::read_link(path_of(output)).ok()?;
        let number = number(&found, block);
        Some(OutputPlace { path, block, number, end: super::side::offset(output).ok() })
    }

    /// Opens the output again, for writing if it cannot be read.
    ///
    /// # Errors
    /// The output cannot be opened (any more), or its name is that of another file now (ESTALE).
    fn open(&self) -> Result<rustix::fd::OwnedFd, Errno> {
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let open = |access| rustix::fs::open(&self.path, flags | access, Mode::empty());
        let opened = match open(OFlags::RDONLY) {
            Err(Errno::ACCESS) => open(OFlags::WRONLY)?,
            opened => opened?,
        };
        let found = fstat(&opened)?;
        let block = FileType::from_raw_mode(found.st_mode) == FileType::BlockDevice;
        if block == self.block && number(&found, block) == self.number {
            Ok(opened)
        } else {
            Err(Errno::STALE)
        }
    }

    /// Looks where the `counts.written` bytes before the offset are.
    pub fn sink(&self, root: &SysRoot, operands: &Operands, counts: &CopyCounts) -> CopySink {
        let opened = self.open().ok();
        let place = opened.as_ref().zip(self.end).and_then(|(opened, end)| {
            let begin = end.saturating_sub(counts.written);
            data_place::of_range(opened, begin, Some(counts.written))
        });
        let synchronous = operands.output_flags.has_any(Flags::SYNC.with(Flags::DSYNC));
        let flushed = Conversions::FSYNC.with(Conversions::FDATASYNC);
        let stack = stack(root, &self.path);
        CopySink::Storage {
            pending: place.and_then(|place| place.unwritten_cache),
            durable: synchronous || operands.conversions.has_any(flushed),
            lost: false,
            direct: operands.output_flags.has(Flags::DIRECT),
            medium: stack.as_ref().and_then(|stack| data_place::medium(root, stack)),
            compresses: stack.as_ref().and_then(data_place::compressing_layer),
        }
    }

    /// Flushes the output and returns how long that took.
    ///
    /// # Errors
    /// The output cannot be opened again, or an earlier write of the page cache failed.
    pub fn flush(&self) -> Result<Duration, Errno> {
        let opened = self.open()?;
        let began = Instant::now();
        retried(|| fsync(&opened))?;
        Ok(began.elapsed())
    }
}

fn number(found: &rustix::fs::Stat, block: bool) -> (u64, u64) {
    if block { (found.st_rdev, 0) } else { (found.st_dev, found.st_ino) }
}
