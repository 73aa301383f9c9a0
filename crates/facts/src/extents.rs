//! Holes and unwritten extents of files. Reads of them return zeros without I/O on the device.

use rustix::fd::AsFd;
use rustix::fs::{SeekFrom, seek};
use std::io;
use sys::cachestat::cachestat;
use sys::fiemap::{self, EXTENT_UNWRITTEN};

/// Largest number of extents that are examined; of a file with more, the first part is extrapolated.
const MOST_EXTENTS: usize = 16 * 1024;

/// Bytes of a file in holes and unwritten extents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// Bytes in holes.
    pub holes: u64,
    /// Bytes in unwritten extents (reserved, never written); `None` if the file system reports only holes.
    pub unwritten: Option<u64>,
}

/// Reason why the unwritten ranges of a file, or its ranges of zeros, are unknown.
#[derive(Debug, thiserror::Error)]
pub enum RangesError {
    /// The file cannot be read or examined.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has more ranges than the caller allows.
    #[error("{self:?}")]
    TooMany {
        /// Whether ranges of written zeros were searched; else holes and unwritten extents.
        zeros: bool,
        /// Largest number of ranges that the caller allows.
        most: usize,
    },
}

/// Hole or unwritten extent of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub length: u64,
    /// Whether the range is an unwritten extent (its space is reserved); else it is a hole.
    pub reserved: bool,
}

/// Returns all holes and unwritten extents from offset `start` to `end`; `None` if the file system reports neither.
/// Data that is only in the page cache may count as missing: a caller that will write into the ranges must sync the
/// file first.
///
/// # Errors
/// The file has more than `most` ranges, or a system call fails.
pub fn gaps<Fd: AsFd>(file: Fd, start: u64, end: u64, most: usize) -> Result<Option<Gaps>, RangesError> {
    let mut gaps = Gaps { list: Vec::new(), by_extents: true };
    let mut at = start;
    while at < end {
        let (extents, whole) = match fiemap::extents(&file, at, end - at, MOST_EXTENTS) {
            Ok(found) => found,
            Err(e) if at > start => return Err(e.into()),
            Err(_) => return gaps_by_seek(&file, start, end, most),
        };
        for extent in &extents {
            let from = extent.logical.clamp(at, end);
            let to = extent.logical.saturating_add(extent.length).clamp(from, end);
            gaps.add(at, from, false);
            if extent.flags & EXTENT_UNWRITTEN != 0 {
                gaps.add(from, to, true);
            }
            at = to;
        }
        if whole {
            gaps.add(at, end, false);
            break;
        }
        if gaps.list.len() > most {
            return Err(too_many(most));
        }
    }
    if gaps.list.len() > most { Err(too_many(most)) } else { Ok(Some(gaps)) }
}

/// Returns the bytes of a region in holes and unwritten extents; `None` if the file system reports neither. If the
/// region has more than 16,384 such ranges, the result is an estimate for the file from its start to `end`.
pub fn missing_between<Fd: AsFd>(file: Fd, start: u64, end: u64) -> Option<Missing> {
    let gaps = match gaps(&file, start, end, MOST_EXTENTS) {
        Ok(gaps) => gaps?,
        // Too many gaps to list: those up to `end`, scaled to the length of the range.
        Err(_) => {
            let share = |n: u64| {
                (u128::from(n) * u128::from(end.saturating_sub(start)) / u128::from(end.max(1))) as u64
            };
            let all = missing(file, end)?;
            return Some(Missing { holes: share(all.holes), unwritten: all.unwritten.map(share) });
        }
    };
    let (holes, _) = gaps.bytes();
    let reserved = gaps.list.iter().filter(|gap| gap.reserved);
    let unwritten =
        reserved.map(|gap| gap.length.saturating_sub(pending(&file, gap.start, gap.length))).sum();
    Some(Missing { holes, unwritten: gaps.by_extents.then_some(unwritten) })
}

/// Holes and unwritten extents found by [`gaps`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Ranges in ascending order; none is empty.
    pub list: Vec<Gap>,
    /// Whether the file system reported extents (FIEMAP); else only holes are known.
    pub by_extents: bool,
}

impl Gaps {
    fn add(&mut self, from: u64, to: u64, reserved: bool) {
        if to <= from {
            return;
        }
        match self.list.last_mut() {
            Some(last) if last.reserved == reserved && last.start + last.length == from => {
                last.length += to - from;
            }
            _ => self.list.push(Gap { start: from, length: to - from, reserved }),
        }
    }

    /// Returns the bytes in holes, and the bytes in unwritten extents.
    pub fn bytes(&self) -> (u64, u64) {
        let sum =
            |reserved: bool| self.list.iter().filter(|g| g.reserved == reserved).map(|g| g.length).sum();
        (sum(false), sum(true))
    }

    /// Returns whether the byte at `offset` is in a hole or unwritten extent.
    pub fn has(&self, offset: u64) -> bool {
        let after = self.list.partition_point(|g| g.start <= offset);
        after.checked_sub(1).and_then(|i| self.list.get(i)).is_some_and(|g| offset < g.start + g.length)
    }
}

fn too_many(most: usize) -> RangesError {
    RangesError::TooMany { zeros: false, most }
}

fn gaps_by_seek<Fd: AsFd>(file: Fd, start: u64, end: u64, most: usize) -> Result<Option<Gaps>, RangesError> {
    let mut gaps = Gaps::default();
    let mut at = start;
    while at < end {
        let data = match seek(&file, SeekFrom::Data(at)) {
            Ok(data) => data.min(end),
            Err(rustix::io::Errno::NXIO) => end,
            Err(_) if at == start => return Ok(None),
            Err(e) => return Err(io::Error::from(e).into()),
        };
        gaps.add(at, data, false);
        if gaps.list.len() > most {
            return Err(too_many(most));
        }
        if data < end {
            at = seek(&file, SeekFrom::Hole(data)).map_err(io::Error::from)?.clamp(data + 1, end);
        } else {
            at = end;
        }
    }
    Ok(Some(gaps))
}

/// Returns the bytes of a regular file of `size` bytes in holes and unwritten extents; `None` if the file system
/// reports neither. Nothing is flushed; dirty data in the page cache counts as written.
pub fn missing<Fd: AsFd>(file: Fd, size: u64) -> Option<Missing> {
    let Ok((extents, whole)) = fiemap::extents(&file, 0, size, MOST_EXTENTS) else {
        return Some(Missing { holes: holes_by_seek(&file, size)?, unwritten: None });
    };
    let end = if whole { size } else { extents.last().map_or(0, |e| e.logical + e.length).min(size) };
    let within = |e: &fiemap::Extent| e.logical.saturating_add(e.length).min(end).saturating_sub(e.logical);
    let there: u64 = extents.iter().map(within).sum();
    let unwritten = extents.iter().filter(|e| e.flags & EXTENT_UNWRITTEN != 0 && e.logical < end);
    let unwritten: u64 =
        unwritten.map(|e| within(e).saturating_sub(pending(&file, e.logical, within(e)))).sum();
    // The examined part is extrapolated to the whole file.
    let scaled =
        |n: u64| if end == 0 { n } else { (u128::from(n) * u128::from(size) / u128::from(end)) as u64 };
    Some(Missing { holes: scaled(end.saturating_sub(there)), unwritten: Some(scaled(unwritten)) })
}

/// Returns the dirty bytes of a range in the page cache. An unwritten extent remains unwritten until the dirty bytes
/// are written back.
fn pending<Fd: AsFd>(file: Fd, offset: u64, length: u64) -> u64 {
    let pages = cachestat(file, offset, length).map_or(0, |c| c.dirty + c.writeback);
    pages * rustix::param::page_size() as u64
}

/// Returns the bytes in holes by SEEK_HOLE, for file systems without FIEMAP, such as tmpfs.
fn holes_by_seek<Fd: AsFd>(file: Fd, size: u64) -> Option<u64> {
    let (mut holes, mut at) = (0, 0);
    for _ in 0..MOST_EXTENTS {
        if at >= size {
            return Some(holes);
        }
        let data = match seek(&file, SeekFrom::Data(at)) {
            Ok(data) => data.min(size),
            Err(rustix::io::Errno::NXIO) => size,
            Err(_) => return None,
        };
        holes += data - at;
        if data >= size {
            return Some(holes);
        }
        at = seek(&file, SeekFrom::Hole(data)).ok()?.max(data + 1);
    }
    None
}
