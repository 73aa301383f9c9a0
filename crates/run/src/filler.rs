//! Fills stretches of a file or device with incompressible data: what a read test reads must have been written.

use crate::permute::stream_seed;
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

/// Bytes per write, at most; writes begin at multiples of it where they can.
const CHUNK: usize = 1 << 20;
/// Writes around the page cache begin and end at multiples of this.
const ALIGNED: u64 = 4096;
/// Writers side by side: enough to keep a disk busy.
const WRITERS: u64 = 4;
/// How often progress is told.
const TELL: Duration = Duration::from_millis(20);

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filled {
    /// Bytes written.
    pub bytes: u64,
    /// All of them around the page cache, but for ends that are no whole blocks.
    pub direct: bool,
    /// `stop` said so: not everything is written, and nothing was synced.
    pub stopped: bool,
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
    /// What nobody has taken yet: index into `pieces`, and the next byte.
    next: Mutex<(usize, u64)>,
    pieces: &'a [Range<u64>],
    written: AtomicU64,
    /// A direct write was refused: the others are not tried.
    around: AtomicBool,
    failed: Mutex<Option<io::Error>>,
    over: AtomicBool,
}

/// Writes every piece (ascending, none empty) of what is at `path`, which is there and is not made longer, and syncs it:
/// after `Ok` without `stopped` all of it is on stable storage. `stop` is asked before each write, `tell` is told the
/// bytes written so far.
pub fn fill(
    path: &Path,
    pieces: &[Range<u64>],
    tell: &mut dyn FnMut(u64),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Filled, FillError> {
    let failed = |call| move |source| FillError { call, source };
    let buffered = File::options().write(true).open(path).map_err(failed("open for writing"))?;
    let flag = OFlags::DIRECT.bits() as i32;
    let direct = File::options().write(true).custom_flags(flag).open(path).ok();
    let mut seed = [0; 8];
    rustix::rand::getrandom(&mut seed, rustix::rand::GetRandomFlags::empty())
        .map_err(|e| failed("getrandom")(e.into()))?;
    let seed = u64::from_le_bytes(seed);
    let work = Work {
        around: AtomicBool::new(direct.is_some()),
        buffered,
        direct,
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
    if let Some(e) = work.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(failed("write")(e));
    }
    let bytes = work.written.load(Relaxed);
    let stopped = bytes < total;
    if !stopped {
        work.buffered.sync_all().map_err(failed("fsync"))?;
    }
    Ok(Filled { bytes, direct: work.around.load(Relaxed), stopped })
}

impl Work<'_> {
    /// One writer, until nothing is left, `stop` says so or a write fails.
    fn write(&self, mut noise: Noise, stop: &(dyn Fn() -> bool + Sync)) {
        let mut words = vec![0u64; CHUNK / 8];
        // O_DIRECT wants an aligned buffer.
        let mut bytes = vec![0u8; CHUNK + ALIGNED as usize];
        let from = (bytes.as_ptr() as usize).next_multiple_of(ALIGNED as usize) - bytes.as_ptr() as usize;
        let bytes = &mut bytes[from..][..CHUNK];
        while !self.over.load(Relaxed) && !stop() {
            let Some(chunk) = self.take() else { return };
            let length = (chunk.end - chunk.start) as usize;
            let words = &mut words[..length.div_ceil(8)];
            noise.fill(words);
            for (to, word) in bytes[..length].chunks_mut(8).zip(words.iter()) {
                to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
            }
            if let Err(e) = self.put(&bytes[..length], chunk.start) {
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
                self.over.store(true, Relaxed);
                return;
            }
            self.written.fetch_add(length as u64, Relaxed);
        }
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
        let whole = at.is_multiple_of(ALIGNED) && (bytes.len() as u64).is_multiple_of(ALIGNED);
        if let Some(direct) = self.direct.as_ref().filter(|_| whole && self.around.load(Relaxed)) {
            match direct.write_all_at(bytes, at) {
                Err(e) if e.raw_os_error() == Some(Errno::INVAL.raw_os_error()) => {
                    self.around.store(false, Relaxed);
                }
                other => return other,
            }
        }
        self.buffered.write_all_at(bytes, at)
    }
}
