//! Fills ranges of a file or device with incompressible data, because a read test must read written data.

use crate::random::stream_seed;
use engine::noise::Noise;
use rustix::fs::OFlags;
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use sys::lease::WriteLease;

/// Maximum size of a write in bytes; writes start at multiples of this size where possible.
const CHUNK: usize = 1 << 20;
/// Alignment of direct writes in bytes: start and end are multiples of this value.
const ALIGNED: u64 = 4096;
/// Number of concurrent writers, enough to keep a disk busy.
const WRITERS: u64 = 4;
/// Interval of the progress calls.
const TELL: Duration = Duration::from_millis(20);

/// Result of [`fill`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Number of bytes written.
    pub bytes: u64,
    /// Whether all writes bypassed the page cache, except for ends that are not whole blocks of 4096 bytes.
    pub direct: bool,
    /// Whether the fill ended early, because `stop` returned true or data was found: the ranges are incomplete and
    /// nothing was synced.
    pub stopped: bool,
    /// Whether data was found in a range that had to be zero ([`Onto::Zeros`]).
    pub data_found: bool,
}

/// Target of a fill.
#[derive(Clone, Copy, Debug)]
pub enum Onto<'a> {
    /// Path of a device, whose contents are overwritten.
    Device(&'a Path),
    /// A file that is open for reading and writing. Only zeros are overwritten; each chunk is examined just before
    /// its write. All writers use this descriptor, so that the caller can hold a lease through it.
    Zeros(&'a File),
}

/// Failure of a fill.
#[derive(Debug, thiserror::Error)]
#[error("{call}: {source}")]
pub struct FillError {
    /// Name of the system call that failed.
    pub call: &'static str,
    /// Error of the call.
    pub source: io::Error,
}

/// State shared by the writers.
struct Work<'a> {
    buffered: File,
    direct: Option<File>,
    /// Whether only zeros are overwritten; if so, `buffered` and `direct` are one open file.
    only_zeros: bool,
    data_found: AtomicBool,
    /// Chunks that are not whole blocks, which wait until the open file is no longer direct.
    ends: Mutex<Vec<Range<u64>>>,
    /// Start of the range that no writer has taken yet: index into `pieces`, and the next byte.
    next: Mutex<(usize, u64)>,
    pieces: &'a [Range<u64>],
    written: AtomicU64,
    /// Whether direct writes are used; false after the kernel refused one.
    around: AtomicBool,
    failed: Mutex<Option<io::Error>>,
    over: AtomicBool,
}

/// Writes every range of `pieces` (ascending, none empty) of a target, which is not extended, and syncs the target:
/// after `Ok` without `stopped`, all data is on stable storage. `stop` is called before each write; `tell` receives
/// the number of bytes written so far, every 20 ms.
///
/// # Errors
/// The call that failed first, with its error; some ranges may have been written.
pub fn fill(
    onto: Onto<'_>,
    pieces: &[Range<u64>],
    tell: &mut dyn FnMut(u64),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Filled, FillError> {
    let failed = |call| move |source| FillError { call, source };
    let (buffered, direct) = match onto {
        Onto::Device(path) => {
            let buffered = File::options().write(true).open(path).map_err(failed("open"))?;
            let flag = OFlags::DIRECT.bits() as i32;
            (buffered, File::options().write(true).custom_flags(flag).open(path).ok())
        }
        Onto::Zeros(file) => {
            let again = || file.try_clone().map_err(failed("dup"));
            (again()?, if direct_io(file, true).is_ok() { Some(again()?) } else { None })
        }
    };
    let mut seed = [0; 8];
    rustix::rand::getrandom(&mut seed, rustix::rand::GetRandomFlags::empty())
        .map_err(|e| failed("getrandom")(e.into()))?;
    let seed = u64::from_le_bytes(seed);
    let work = Work {
        around: AtomicBool::new(direct.is_some()),
        buffered,
        direct,
        only_zeros: matches!(onto, Onto::Zeros(_)),
        data_found: AtomicBool::new(false),
        ends: Mutex::default(),
        next: Mutex::new((0, pieces.first().map_or(0, |p| p.start))),
        pieces,
        written: AtomicU64::new(0),
        failed: Mutex::new(None),
        over: AtomicBool::new(false),
    };
    let total: u64 = pieces.iter().map(|p| p.end - p.start).sum();
    std::thread::scope(|scope| {
        let writers = WRITERS.min(total.div_ceil(CHUNK as u64));
        let running: Vec<_> = (0..writers)
            .map(|i| {
                let work = &work;
                scope.spawn(move || work.write(Noise::new(stream_seed(seed, i)), stop))
            })
            .collect();
        while running.iter().any(|writer| !writer.is_finished()) {
            std::thread::park_timeout(TELL);
            tell(work.written.load(Relaxed));
        }
    });
    let ends = std::mem::take(&mut *work.ends.lock().unwrap_or_else(PoisonError::into_inner));
    if work.only_zeros {
        direct_io(&work.buffered, false).map_err(failed("fcntl"))?;
        work.write_ends(Noise::new(stream_seed(seed, WRITERS)), ends, stop);
        tell(work.written.load(Relaxed));
    }
    if let Some(e) = work.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(failed("write")(e));
    }
    let bytes = work.written.load(Relaxed);
    let stopped = bytes < total;
    if !stopped {
        work.buffered.sync_all().map_err(failed("fsync"))?;
    }
    let data_found = work.data_found.load(Relaxed);
    Ok(Filled { bytes, direct: work.around.load(Relaxed), stopped, data_found })
}

/// Sets or clears O_DIRECT of an open file.
fn direct_io(file: &File, direct: bool) -> io::Result<()> {
    let mut flags = rustix::fs::fcntl_getfl(file)?;
    flags.set(OFlags::DIRECT, direct);
    Ok(rustix::fs::fcntl_setfl(file, flags)?)
}

/// A buffer that is aligned for O_DIRECT.
struct Aligned(Vec<u8>);

impl Aligned {
    fn new() -> Aligned {
        Aligned(vec![0u8; CHUNK + ALIGNED as usize])
    }

    fn part(&mut self, length: usize) -> &mut [u8] {
        let from = (self.0.as_ptr() as usize).next_multiple_of(ALIGNED as usize) - self.0.as_ptr() as usize;
        &mut self.0[from..][..length]
    }
}

impl Work<'_> {
    /// Runs one writer until no range is left, `stop` returns true or a write fails.
    fn write(&self, mut noise: Noise, stop: &(dyn Fn() -> bool + Sync)) {
        let (mut words, mut bytes, mut there) = (vec![0u64; CHUNK / 8], Aligned::new(), Aligned::new());
        while !self.over.load(Relaxed) && !stop() {
            let Some(chunk) = self.take() else { return };
            if self.only_zeros && self.direct.is_some() && self.around.load(Relaxed) && !is_whole(&chunk) {
                self.ends.lock().unwrap_or_else(PoisonError::into_inner).push(chunk);
                continue;
            }
            self.write_chunk(&chunk, &mut noise, &mut words, &mut bytes, &mut there);
        }
    }

    /// Writes the chunks that are not whole blocks, after O_DIRECT was cleared.
    fn write_ends(&self, mut noise: Noise, ends: Vec<Range<u64>>, stop: &(dyn Fn() -> bool + Sync)) {
        let (mut words, mut bytes, mut there) = (vec![0u64; CHUNK / 8], Aligned::new(), Aligned::new());
        for chunk in ends {
            if self.over.load(Relaxed) || stop() {
                return;
            }
            self.write_chunk(&chunk, &mut noise, &mut words, &mut bytes, &mut there);
        }
    }

    fn write_chunk(
        &self,
        chunk: &Range<u64>,
        noise: &mut Noise,
        words: &mut [u64],
        bytes: &mut Aligned,
        there: &mut Aligned,
    ) {
        let length = (chunk.end - chunk.start) as usize;
        let (words, bytes, there) =
            (&mut words[..length.div_ceil(8)], bytes.part(length), there.part(length));
        noise.fill(words);
        for (to, word) in bytes.chunks_mut(8).zip(words.iter()) {
            to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
        }
        let looked = if self.only_zeros { self.buffered.read_exact_at(there, chunk.start) } else { Ok(()) };
        if looked.is_ok() && self.only_zeros && there.iter().any(|byte| *byte != 0) {
            self.data_found.store(true, Relaxed);
            self.over.store(true, Relaxed);
            return;
        }
        if let Err(e) = looked.and_then(|()| self.put(bytes, chunk.start)) {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
            self.over.store(true, Relaxed);
            return;
        }
        self.written.fetch_add(length as u64, Relaxed);
    }

    fn take(&self) -> Option<Range<u64>> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (index, at) = *next;
        let piece = self.pieces.get(index)?;
        let end = ((at / CHUNK as u64 + 1) * CHUNK as u64).min(piece.end);
        *next = match self.pieces.get(index + 1) {
            _ if end < piece.end => (index, end),
            Some(following) => (index + 1, following.start),
            None => (index + 1, 0),
        };
        Some(at..end)
    }

    fn put(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        let whole = is_whole(&(at..at + bytes.len() as u64));
        if let Some(direct) = self.direct.as_ref().filter(|_| whole && self.around.load(Relaxed)) {
            match direct.write_all_at(bytes, at) {
                Err(e) if e.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => {
                    self.around.store(false, Relaxed);
                    if self.only_zeros {
                        direct_io(&self.buffered, false)?;
                    }
                }
                other => return other,
            }
        }
        self.buffered.write_all_at(bytes, at)
    }
}

/// Returns whether a direct write of this range is possible: both ends are aligned.
fn is_whole(chunk: &Range<u64>) -> bool {
    chunk.start.is_multiple_of(ALIGNED) && chunk.end.is_multiple_of(ALIGNED)
}
