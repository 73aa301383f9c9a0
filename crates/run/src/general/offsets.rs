//! Arithmetic of offsets within a region or a zone.

use crate::region::Region;
use std::ops::Range;

/// Returns `at` if a block of `low` bytes fits between `at` and the end of the region, `length`.
pub(super) fn within(at: u64, low: u64, length: u64) -> Option<u64> {
    (length.checked_sub(at)? >= low).then_some(at)
}

/// Returns the offset of the next sequential I/O in a zone, as [`next_in_line`] does: after an I/O that ended at the
/// end of the zone, the next I/O is at the start of the zone; the end of the file ends the pass.
pub(super) fn next_in_zone(ended: u64, zone: Range<u64>, skip: i64) -> Option<u64> {
    match ended {
        UNSTARTED => Some(zone.start),
        _ if ended >= zone.end => Some(zone.start),
        _ => ended.checked_add_signed(skip),
    }
}

/// Returns the number of multiples of `unit`, from 0, at which a block of `low` bytes fits into `length` bytes.
pub(super) fn places(length: u64, unit: u64, low: u64) -> u64 {
    length.checked_sub(low).map_or(0, |last| (length / unit).min(last / unit + 1))
}

/// Marks a direction without an I/O in the current pass.
pub(super) const UNSTARTED: u64 = u64::MAX;

/// Returns the offset of the I/O after one that ended at `ended`, with a hole of `skip` bytes between them; `None` at
/// the end of the pass. All offsets are relative to the region.
///
/// A pass ends if an I/O ended exactly at the end of the region. A hole that leads past either end continues at the
/// other end; a hole backwards that is longer than the region ends the pass. The caller also ends the pass if less than
/// the smallest block is left.
pub(super) fn next_in_line(ended: u64, region: Region, skip: i64) -> Option<u64> {
    let length = region.length;
    match ended {
        // Backwards, fio begins at the end that a region of this length would have if it began at the start of the
        // file; at 0 it begins at 0.
        UNSTARTED if skip < 0 && region.start > 0 => {
            let end = length.min(region.start.saturating_add(region.room));
            match i128::from(end) - i128::from(region.start) + i128::from(skip) {
                _ if end == region.start => Some(0),
                at if at < 0 => length.checked_add_signed(skip),
                at => Some(at as u64),
            }
        }
        UNSTARTED => Some(0),
        _ if ended >= length => None,
        _ => match i128::from(ended) + i128::from(skip) {
            at if at < 0 => length.checked_add_signed(skip),
            at if at >= i128::from(length) && !region.ends_file => None,
            at if at >= i128::from(length) => Some(0),
            at => Some(at as u64),
        },
    }
}
