//! Whether a target holds anything but zeros, by sample.

use crate::extents::RangesError;
use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::num::NonZeroU64;
use std::ops::Range;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// Blocks examined.
const SAMPLES: u64 = 64;
/// Bytes of each.
const BLOCK: usize = 4096;
/// On a slow disk fewer blocks are examined.
const PATIENCE: Duration = Duration::from_millis(100);

/// How many blocks were examined, and how many of them held only zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zeros {
    /// Blocks examined.
    pub sampled: u32,
    /// Only zeros.
    pub zero: u32,
    /// Blocks that held something and were read around the page cache, one at a time: the disk was asked for them.
    pub asked: u32,
    /// Median of how long those took; `None` without any.
    pub median: Option<Duration>,
}

/// Samples a file or device of `size` bytes at evenly spaced places, each at a pseudo-random block of its stretch.
/// Reads around the page cache where the file system allows it and drops what it brought in where not. `None` if it
/// cannot be opened or holds no whole block.
pub fn sample(path: &Path, size: u64) -> Option<Zeros> {
    sample_regions(path, size, &[])
}

/// The same of these regions of it, each by its share of the bytes; of all of it if there are none.
pub fn sample_regions(path: &Path, size: u64, regions: &[Range<u64>]) -> Option<Zeros> {
    let mut found = Zeros::default();
    let mut took: Vec<Duration> = Vec::new();
    let whole = 0..size;
    let regions = apart(if regions.is_empty() { std::slice::from_ref(&whole) } else { regions }, size);
    let bytes = regions.iter().map(|r| r.end - r.start).sum::<u64>().max(1);
    let mut looked = None;
    for region in regions {
        let share = u128::from(SAMPLES) * u128::from(region.end - region.start) / u128::from(bytes);
        let part = PATIENCE.mul_f64((region.end - region.start) as f64 / bytes as f64);
        let each = &mut |block: Block| {
            found.sampled += 1;
            found.zero += u32::from(block.zero);
            // Zeros may come from a hole or an unmapped block, without any work of the disk.
            took.extend(block.took.filter(|_| !block.zero));
        };
        looked = looked.or(sample_region(path, region, (share as u64).max(1), part, each));
    }
    looked?;
    took.sort_unstable();
    (found.asked, found.median) = (took.len() as u32, took.get(took.len() / 2).copied());
    Some(found)
}

/// Regions in whole blocks within `size`, in order, joined where they touch: at most as many as there are samples.
fn apart(regions: &[Range<u64>], size: u64) -> Vec<Range<u64>> {
    let block = BLOCK as u64;
    let outwards =
        |r: &Range<u64>| r.start / block * block..r.end.min(size).next_multiple_of(block).min(size);
    let mut all: Vec<Range<u64>> = regions.iter().map(outwards).filter(|r| r.start < r.end).collect();
    all.sort_unstable_by_key(|r| r.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for region in all {
        match joined.last_mut() {
            Some(last) if region.start <= last.end => last.end = last.end.max(region.end),
            _ => joined.push(region),
        }
    }
    let every = joined.len().div_ceil(SAMPLES as usize).max(1);
    joined.into_iter().step_by(every).collect()
}

/// A block that was examined.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Where.
    pub offset: u64,
    /// It held only zeros.
    pub zero: bool,
    /// How long reading it took, if the disk was asked for it alone.
    pub took: Option<Duration>,
}

/// The same of `samples` blocks of a region (which begins at a whole block), for at most `patience`: `each` is told of
/// every block that was examined. True if it got through.
pub fn sample_region(
    path: &Path,
    region: Range<u64>,
    samples: u64,
    patience: Duration,
    each: &mut dyn FnMut(Block),
) -> Option<bool> {
    let size = region.end.saturating_sub(region.start);
    let blocks = size / BLOCK as u64;
    if blocks == 0 {
        return None;
    }
    let direct_flag = rustix::fs::OFlags::DIRECT.bits() as i32;
    let direct = File::options().read(true).custom_flags(direct_flag).open(path).ok();
    let buffered = File::open(path).ok()?;
    // O_DIRECT wants an aligned buffer.
    let mut room = vec![0u8; 2 * BLOCK];
    let skip = room.as_ptr().align_offset(BLOCK).min(BLOCK);
    let buffer = &mut room[skip..skip + BLOCK];
    let began = Instant::now();
    let samples = samples.min(blocks);
    for i in 0..samples {
        let from = blocks * i / samples;
        let stretch = (blocks * (i + 1) / samples - from).max(1);
        // Always the same place in the stretch would miss data that lies in a pattern; a splitmix step is enough.
        let offset = region.start + (from + scatter(i ^ size) % stretch) * BLOCK as u64;
        let cached = from_cache(&buffered, buffer, offset);
        let asked = Instant::now();
        let read = cached.or_else(|| match &direct {
            Some(direct) => direct.read_at(buffer, offset).ok(),
            None => read_without_a_trace(&buffered, buffer, offset),
        });
        if read == Some(BLOCK) {
            let took = asked.elapsed();
            let alone = (cached.is_none() && direct.is_some()).then_some(took);
            each(Block { offset, zero: buffer.iter().all(|b| *b == 0), took: alone });
        }
        if began.elapsed() > patience && i + 1 < samples {
            return Some(false);
        }
    }
    Some(true)
}

/// Bytes read at a time by [`runs`].
const STRETCH: usize = 1 << 20;

/// Reads a region through and tells each stretch of whole blocks of zeros, joined where they touch. `stop` is asked
/// about every MiB. What it reads does not stay in the cache. Errors: those of reading, and more than `most` stretches.
pub fn runs(
    file: &File,
    region: Range<u64>,
    most: usize,
    stop: &dyn Fn() -> bool,
    found: &mut Vec<Range<u64>>,
) -> Result<(), RangesError> {
    let mut buffer = vec![0u8; STRETCH];
    let mut at = region.start;
    while at < region.end && !stop() {
        let wanted = (region.end - at).min(STRETCH as u64) as usize;
        let buffer = &mut buffer[..wanted];
        file.read_exact_at(buffer, at)?;
        for (i, block) in buffer.chunks(BLOCK).enumerate().filter(|(_, b)| b.iter().all(|b| *b == 0)) {
            let start = at + (i * BLOCK) as u64;
            let end = start + block.len() as u64;
            let full = found.len() >= most;
            match found.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ if full => return Err(RangesError::TooMany { zeros: true, most }),
                _ => found.push(start..end),
            }
        }
        // Advice: what cannot follow it does not.
        let _ = fadvise(file, at, NonZeroU64::new(wanted as u64), Advice::DontNeed);
        at += wanted as u64;
    }
    Ok(())
}

/// Reads a range through the page cache if part of it is cached; `None` if nothing is. A direct read would first write
/// back dirty pages, block by block, and fragment the file. (A read with RWF_NOWAIT cannot be used instead: it starts
/// read-ahead.)
fn from_cache(file: &File, buffer: &mut [u8], offset: u64) -> Option<usize> {
    let cached = sys::cachestat::cachestat(file, offset, buffer.len() as u64).ok()?.cached > 0;
    if cached { file.read_at(buffer, offset).ok() } else { None }
}

/// What is not cached, or not known to be, through the cache and out of it again.
fn read_without_a_trace(file: &File, buffer: &mut [u8], offset: u64) -> Option<usize> {
    // Or else read-ahead brings in what nobody asked for.
    let _ = fadvise(file, 0, None, Advice::Random);
    let read = file.read_at(buffer, offset).ok();
    let _ = fadvise(file, offset, NonZeroU64::new(buffer.len() as u64), Advice::DontNeed);
    read
}

fn scatter(i: u64) -> u64 {
    let mut z = i.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
