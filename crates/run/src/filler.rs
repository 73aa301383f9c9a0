//! Fills stretches of a file or device with incompressible data: what a read test reads must have been written.

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

/// Bytes per write, at most; writes begin at multiples of it where they can.
const CHUNK: usize = 1 << 20;
/// Writes around the page cache begin and end at multiples of this.
const ALIGNED: u64 = 4096;
/// Writers side by side: enough to keep a disk busy.
const WRITERS: u64 = 4;
/// How often progress is told.
const TELL: Duration = Duration::from_millis(20);

/// What the filler wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Bytes written.
    pub bytes: u64,
    /// All of them around the page cache, but for ends that are no whole blocks.
    pub direct: bool,
    /// `stop` said so, or data was found: not everything is written, and nothing was synced.
    pub stopped: bool,
    /// Data was found where only zeros are overwritten ([`Onto::Zeros`]).
    pub data_found: bool,
}

/// What is written to.
#[derive(Clone, Copy, Debug)]
pub enum Onto<'a> {
    /// A device, whatever it holds.
    Device(&'a Path),
    /// A file that is open for reading and writing: zeros alone are overwritten, and each piece is examined just before.
    /// One descriptor serves all, so that the caller can hold a lease through it.
    Zeros(&'a File),
}

/// Why it could not be done.
#[derive(Debug, thiserror::Error)]
#[error("{call}: {source}")]
pub struct FillError {
    /// What was called.
    pub call: &'static str,
    /// Why it failed.
    pub source: io::Error,
}

/// What the writers share.
struct Work<'a> {
    buffered: File,
    direct: Option<File>,
    /// Only zeros are overwritten; `buffered` and `direct` are one open file.
    only_zeros: bool,
    data_found: AtomicBool,
    /// Pieces that are no whole blocks and wait until the open file is no longer a direct one.
    ends: Mutex<Vec<Range<u64>>>,
    /// First range that no writer has taken yet: index into `pieces`, and the next byte.
    next: Mutex<(usize, u64)>,
    pieces: &'a [Range<u64>],
    written: AtomicU64,
    /// A direct write was refused: the others are not tried.
    around: AtomicBool,
    failed: Mutex<Option<io::Error>>,
    over: AtomicBool,
}

/// Writes every piece (ascending, none empty) of a target, which is not made longer, and syncs it: after `Ok` without
/// `stopped` all of it is on stable storage. `stop` is asked before each write, `tell` is told the bytes written so far.
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

/// Makes an open file a direct one, or one through the page cache again.
fn direct_io(file: &File, direct: bool) -> io::Result<()> {
    let mut flags = rustix::fs::fcntl_getfl(file)?;
    flags.set(OFlags::DIRECT, direct);
    Ok(rustix::fs::fcntl_setfl(file, flags)?)
}

/// A buffer that O_DIRECT takes.
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
    /// One writer, until nothing is left, `stop` says so or a write fails.
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

    /// What is no whole blocks, once the open file is no longer a direct one.
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

/// Whether a direct write can have these ends.
fn is_whole(chunk: &Range<u64>) -> bool {
    chunk.start.is_multiple_of(ALIGNED) && chunk.end.is_multiple_of(ALIGNED)
}
