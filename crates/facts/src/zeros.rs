//! Detection of zeros in a file or device, by sampling or by reading.

use crate::extents::RangesError;
use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::num::NonZeroU64;
use std::ops::Range;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

/// Number of blocks in a sample.
const SAMPLES: u64 = 64;
/// Size of a block in bytes.
const BLOCK: usize = 4096;
/// Longest time of a sample: on a slow disk fewer blocks are read.
const PATIENCE: Duration = Duration::from_millis(100);

/// Result of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zeros {
    /// Number of blocks read.
    pub sampled: u32,
    /// Number of blocks that contain only zeros.
    pub zero: u32,
    /// Number of blocks with other contents that were read from the disk with O_DIRECT, one at a time.
    pub asked: u32,
    /// Median latency of these direct reads; `None` if no block was read directly.
    pub median: Option<Duration>,
}

/// Samples a file or device of `size` bytes: one pseudo-random block in each of 64 equal parts. Blocks that are not
/// cached are read with O_DIRECT where supported, and otherwise dropped from the page cache afterwards. `None` if the
/// target cannot be opened or is smaller than a block.
pub fn sample(path: &Path, size: u64) -> Option<Zeros> {
    sample_regions(path, size, &[])
}

/// Samples these regions of a file or device, each in proportion to its length; the whole target if `regions` is empty.
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
            if !block.readable {
                return;
            }
            found.sampled += 1;
            found.zero += u32::from(block.zero);
            // Zeros may come from a hole or an unmapped block, without I/O on the disk.
            took.extend(block.took.filter(|_| !block.zero));
        };
        looked = looked.or(sample_region(path, region, (share as u64).max(1), part, each));
    }
    looked?;
    took.sort_unstable();
    (found.asked, found.median) = (took.len() as u32, took.get(took.len() / 2).copied());
    Some(found)
}

/// Rounds regions to whole blocks within `size`, sorts and joins them; returns at most as many as a sample has blocks.
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

/// Block of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Offset of the block in bytes.
    pub offset: u64,
    /// Whether the block could be read.
    pub readable: bool,
    /// Whether the block contains only zeros.
    pub zero: bool,
    /// Latency of the read, if the block was read directly from the disk.
    pub took: Option<Duration>,
}

/// Reads `samples` pseudo-random blocks of a region, which begins at a block boundary, for at most `patience`, and
/// calls `each` for every block. Returns whether all samples were tried; `None` if the target cannot be opened or the
/// region is smaller than a block.
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
    // The page cache of a device may have older bytes than the device (`crate::uncached`).
    let is_file = buffered.metadata().ok()?.is_file();
    // O_DIRECT requires an aligned buffer.
    let mut room = vec![0u8; 2 * BLOCK];
    let skip = room.as_ptr().align_offset(BLOCK).min(BLOCK);
    let buffer = &mut room[skip..skip + BLOCK];
    let began = Instant::now();
    let samples = samples.min(blocks);
    for i in 0..samples {
        let from = blocks * i / samples;
        let stretch = (blocks * (i + 1) / samples - from).max(1);
        // The same position in every part would miss data in a regular layout; a splitmix step is random enough.
        let offset = region.start + (from + scatter(i ^ size) % stretch) * BLOCK as u64;
        let cached = if is_file { from_cache(&buffered, buffer, offset) } else { None };
        let asked = Instant::now();
        let read = cached.or_else(|| match &direct {
            Some(direct) => match direct.read_at(buffer, offset) {
                // The sectors of the device are larger than a block.
                Err(e) if e.raw_os_error() == Some(rustix::io::Errno::INVAL.raw_os_error()) => {
                    read_without_a_trace(&buffered, buffer, offset)
                }
                read => read.ok(),
            },
            None => read_without_a_trace(&buffered, buffer, offset),
        });
        if read == Some(BLOCK) {
            let took = asked.elapsed();
            let alone = (cached.is_none() && direct.is_some()).then_some(took);
            each(Block { offset, readable: true, zero: buffer.iter().all(|b| *b == 0), took: alone });
        } else {
            each(Block { offset, readable: false, zero: false, took: None });
        }
        if began.elapsed() > patience && i + 1 < samples {
            return Some(false);
        }
    }
    Some(true)
}

/// Number of bytes that [`runs`] reads at a time.
const STRETCH: usize = 1 << 20;

/// Reads a region completely and appends the ranges of whole blocks of zeros to `found`, joined where adjacent. Calls
/// `stop` before every MiB and ends when that returns true. The bytes read do not remain in the page cache.
///
/// # Errors
/// The file cannot be read, or has more than `most` ranges.
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
        // The call is only advice, so its errors are ignored.
        let _ = fadvise(file, at, NonZeroU64::new(wanted as u64), Advice::DontNeed);
        at += wanted as u64;
    }
    Ok(())
}

/// Reads a range of a file through the page cache if part of it is cached; `None` if nothing is cached. A direct read would
/// first write back dirty pages, block by block, and fragment the file. (A read with RWF_NOWAIT would start read-ahead.)
fn from_cache(file: &File, buffer: &mut [u8], offset: u64) -> Option<usize> {
    let cached = sys::cachestat::cachestat(file, offset, buffer.len() as u64).ok()?.cached > 0;
    if cached { file.read_at(buffer, offset).ok() } else { None }
}

/// Reads a range through the page cache and drops it from the page cache afterwards.
fn read_without_a_trace(file: &File, buffer: &mut [u8], offset: u64) -> Option<usize> {
    // Without this advice, read-ahead would read more blocks.
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
