//! Region of each file that a clone accesses, and number of bytes that the clone transfers: fio's arithmetic of `size`,
//! `filesize`, `io_size` and `offset`.

use crate::inspect::{FileKind, PathState};
use crate::job::{Job, Size, Target};

/// Region of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub length: u64,
}

/// Regions of all files of a clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Regions {
    /// Region of each file, in the order of the files.
    pub parts: Vec<Part>,
    /// Bytes to transfer per pass.
    pub io_bytes: u64,
}

/// Reason why a clone has no region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// The file of this number is missing or empty, and no option sets its size.
    NoSize(usize),
    /// The region of a file would begin after the end of the file.
    Offset {
        /// Number of the file, from 0.
        file: usize,
        /// Offset of the first byte of the region.
        start: u64,
        /// End of the file in bytes.
        end: u64,
    },
    /// The regions of all files together are smaller than one block.
    NoBlock {
        /// Sum of the lengths of all regions in bytes.
        total: u64,
        /// Smallest block in bytes.
        block: u64,
    },
}

/// Returns a size in bytes; percentages are relative to `whole`.
fn share(size: Size, whole: u64) -> u64 {
    match size {
        Size::Bytes(n) => n,
        Size::Percent(p) => (u128::from(whole) * u128::from(p) / 100) as u64,
    }
}

/// Returns the offset at which a clone's region begins in a file that has `whole` bytes now. Percentages of a file that
/// does not exist yet are 0.
pub(crate) fn offset(target: &Target, clone: u32, whole: u64, block: u64) -> u64 {
    let number = u64::from(target.clones_before) + u64::from(clone);
    let step = share(target.offset_increment, whole).saturating_mul(number);
    let start = share(target.offset, whole).saturating_add(step);
    let percent = |size| matches!(size, Size::Percent(1..));
    if !percent(target.offset) && !percent(target.offset_increment) {
        return start;
    }
    let align = if target.offset_align > 0 { target.offset_align } else { block };
    start.div_ceil(align).saturating_mul(align)
}

/// Returns the regions of a clone whose files are in the state `files` when the clone is laid out. `drawn` draws the
/// length of a file from a range of `filesize`.
///
/// # Errors A size is missing, or an offset or block is beyond the size.
pub(crate) fn regions(
    job: &Job,
    clone: u32,
    files: &[PathState],
    drawn: impl Fn(usize, u64, u64) -> u64,
) -> Result<Regions, Misfit> {
    let target = &job.target;
    let block = job.pattern.smallest_block();
    let count = files.len().max(1) as u64;
    let there = files.iter().fold(0u64, |sum, state| sum.saturating_add(state.size));
    // Each file's share of size.
    let each = match target.size {
        Some(Size::Bytes(n)) => Some(n / count),
        None if target.fill => Some(u64::MAX / count),
        _ => None,
    };
    if let Some(empty) = files.iter().position(|state| state.kind == FileKind::Volume && state.size == 0) {
        return Err(Misfit::NoSize(empty));
    }
    // A file that is only created needs no size, because one I/O creates it. Nor does a directory.
    let each = each.or(job.needs_no_size().then_some(block));
    if there == 0 && each.is_none() && target.filesize.is_none() {
        return Err(Misfit::NoSize(0));
    }
    let (mut total, mut left_out) = (0u64, false);
    let mut parts = Vec::with_capacity(files.len());
    for (file, state) in files.iter().enumerate() {
        let real = state.size;
        let start = match state.kind {
            FileKind::Regular if target.append => real,
            _ => offset(target, clone, real, block),
        };
        let beyond = |end| Misfit::Offset { file, start, end };
        let mut behind_the_end = false;
        let length = match (target.filesize, each) {
            // A file whose size is within the range keeps its size.
            (Some((low, high)), _) if (low..=high).contains(&real) => match target.size {
                // Behind the end of the file, fio takes the percentage of the whole file and extends the file by that
                // much.
                Some(Size::Percent(p)) if p != 100 && start > real => {
                    let part = share(Size::Percent(p), real);
                    behind_the_end = true;
                    Some(part - part % block)
                }
                _ => real.checked_sub(start),
            },
            (Some((low, high)), _) => {
                // fio compares the offset with the lower end of the range, whatever size it draws.
                if start > low {
                    return Err(beyond(low));
                }
                let whole = if low < high { drawn(file, low, high) } else { low };
                Some(whole - start)
            }
            // `fill_device` without a size, from an offset: the end of the region overflows 64 bits, and fio writes up to
            // the end of a file that reaches past the offset.
            (None, Some(n)) if target.fill && real > start && start.checked_add(n).is_none() => {
                Some(real - start)
            }
            (None, Some(n)) if n > 0 => Some(n),
            (None, _) => Some(real.checked_sub(start).ok_or(beyond(real))?),
        };
        let length = match target.size {
            Some(Size::Percent(p)) if p != 100 && !behind_the_end => length.map(|length| {
                let part = share(Size::Percent(p), start.saturating_add(length)).min(length);
                part - part % block
            }),
            _ => length,
        };
        // A device cannot be extended.
        let end_of = |length: u64| start.saturating_add(length);
        let length = match state.kind {
            FileKind::Block | FileKind::Char | FileKind::Volume if state.is_device() => {
                length.and_then(|length| end_of(length).min(real).checked_sub(start))
            }
            _ => length.map(|length| end_of(length) - start),
        };
        if length.is_none() && state.is_device() && clone == 0 {
            return Err(beyond(real));
        }
        // fio skips a file that keeps its size and whose region would begin behind its end.
        left_out |= length.is_none();
        let part = length.map_or(Part { start: start.min(real), length: 0 }, |length| Part { start, length });
        let moved = match target.io_size {
            Some(percent @ Size::Percent(_)) => share(percent, part.length),
            _ => part.length,
        };
        total = total.saturating_add(moved);
        parts.push(part);
    }
    // With `filesize`, `size` limits the bytes to transfer.
    let limit = match target.size {
        Some(Size::Bytes(n)) if total == 0 => n,
        Some(Size::Bytes(n)) => n.min(total),
        _ => total,
    };
    if limit < block && !left_out {
        return Err(Misfit::NoBlock { total, block });
    }
    let io_bytes = match target.io_size {
        _ if !job.engine.does_io() => 0,
        Some(Size::Bytes(n)) => n,
        _ => limit,
    };
    Ok(Regions { parts, io_bytes })
}
