//! Holes and unwritten extents: reads of them give zeros and never reach the device.

use rustix::fd::AsFd;
use rustix::fs::{SeekFrom, seek};
use sys::cachestat::cachestat;
use sys::fiemap::{self, EXTENT_UNWRITTEN};

/// A file that is in more pieces than this is measured by its first part.
const MOST_EXTENTS: usize = 16 * 1024;

/// Bytes that are not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// In no extent.
    pub holes: u64,
    /// In extents that are reserved and not written; `None` where only holes can be told.
    pub unwritten: Option<u64>,
}

/// Looks through a regular file of `size` bytes; `None` where nothing can be told. Nothing is flushed; data that is
/// still in the cache alone counts as written.
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
    // What was looked through stands for the rest.
    let scaled =
        |n: u64| if end == 0 { n } else { (u128::from(n) * u128::from(size) / u128::from(end)) as u64 };
    Some(Missing { holes: scaled(end.saturating_sub(there)), unwritten: Some(scaled(unwritten)) })
}

/// Bytes that will be written: they are dirty in the cache. An unwritten extent stays one until they are.
fn pending<Fd: AsFd>(file: Fd, offset: u64, length: u64) -> u64 {
    let pages = cachestat(file, offset, length).map_or(0, |c| c.dirty + c.writeback);
    pages * rustix::param::page_size() as u64
}

/// tmpfs and others have no FIEMAP but know their holes.
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
