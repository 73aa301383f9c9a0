//! Jobs whose blocks can be dealt out to hosts one by one.

use super::HostShareError;
use crate::distribution::Law;
use crate::engine::EngineChoice;
use crate::job::{Job, Order, Size};
use stats::direction::Direction;
use std::ops::Range;

/// Checks that each I/O of these jobs of all hosts is one block of a job's largest size, and begins at a multiple of this size
/// from the start of its region; and that jobs which use one file have the same blocks, if one of them writes. The blocks of two
/// hosts are then disjoint.
///
/// # Errors
/// A job that does not fit.
pub(super) fn check(jobs: &[Job]) -> Result<(), HostShareError> {
    for job in jobs.iter().filter(|job| job.engine.does_io()) {
        if let Some(option) = unfit(job) {
            return Err(HostShareError::NotInterleaved { job: job.name.clone(), option });
        }
        if !has_one_size(job) {
            return Err(HostShareError::SeveralSizes { job: job.name.clone() });
        }
    }
    for (at, job) in jobs.iter().enumerate() {
        if let Some(other) = jobs[..at].iter().find(|other| mixes(job, other)) {
            return Err(HostShareError::OtherBlocks { job: job.name.clone(), other: other.name.clone() });
        }
    }
    Ok(())
}

/// Returns the option of a job that does not fit.
fn unfit(job: &Job) -> Option<String> {
    let (spec, target) = (&job.pattern, &job.target);
    let block = spec.largest_block().max(1);
    let multiple = |offset: u64| offset.is_multiple_of(block);
    let aligned = Direction::ALL
        .into_iter()
        .filter(|d| spec.mix.has(*d))
        .all(|d| multiple(spec.places.align[d as usize]));
    let option = match spec.order {
        _ if job.replay.is_some() => "read_iolog",
        _ if !spec.lines.is_empty() => "access_spec",
        _ if spec.zoned.is_some() => "zonemode=zbd",
        _ if spec.places.zones.is_some() => "zonemode=strided",
        _ if spec.sprandom.is_some() => "sprandom",
        _ if target.append => "file_append",
        _ if !matches!(target.offset_increment, Size::Bytes(0) | Size::Percent(0)) => "offset_increment",
        _ if !aligned => "blockalign",
        Order::Sequential { skip } if !multiple(skip.unsigned_abs()) => {
            return Some(format!("rw={}:{skip}", spec.rw));
        }
        _ => match (&job.engine, &spec.places.law) {
            (
                EngineChoice::Names(..)
                | EngineChoice::Ftruncate
                | EngineChoice::Defrag(_)
                | EngineChoice::Net(_),
                _,
            ) => {
                return Some(format!("ioengine={}", job.engine.name()));
            }
            (_, Law::Zones(zones)) if zones.iter().any(|(_, size)| matches!(size, Size::Bytes(_))) => {
                "random_distribution=zoned_abs"
            }
            _ => return None,
        },
    };
    Some(option.to_owned())
}

/// Returns whether all I/Os of a job have one size.
fn has_one_size(job: &Job) -> bool {
    let spec = &job.pattern;
    let block = spec.largest_block();
    // The map of a random order has the smallest block of all directions, also of those without I/O.
    let mapped = spec.random_map && matches!(spec.order, Order::Random { .. });
    spec.ranges().all(|range| range == (block, block))
        && !(mapped && spec.block.iter().any(|(low, _)| *low < block))
}

/// Returns whether the blocks of one job may overlap, but not be, those of the other, and one of them writes.
fn mixes(job: &Job, other: &Job) -> bool {
    let changes = |job: &Job| job.pattern.mix.has(Direction::Write) || job.pattern.mix.has(Direction::Trim);
    if !changes(job) && !changes(other) || !share_files(job, other) {
        return false;
    }
    let same = |of: fn(&Job) -> (u64, Size, u64)| of(job) == of(other);
    if same(|job| (job.pattern.largest_block(), job.target.offset, job.target.offset_align)) {
        return false;
    }
    !matches!((extent(job), extent(other)), (Some(one), Some(two)) if one.end <= two.start || two.end <= one.start)
}

/// Returns the bytes of each file in which a job does I/O, if the job alone says it.
fn extent(job: &Job) -> Option<Range<u64>> {
    match (job.target.offset, job.target.size, job.target.filesize) {
        (Size::Bytes(offset), Some(Size::Bytes(size)), None) => Some(offset..offset.saturating_add(size)),
        _ => None,
    }
}

/// Returns whether two jobs may use the same file. Names that are generated contain that of the job, unless
/// `filename_format` says otherwise.
fn share_files(job: &Job, other: &Job) -> bool {
    let (one, two) = (&job.target, &other.target);
    let common = |a: &[std::path::PathBuf], b: &[std::path::PathBuf]| a.iter().any(|path| b.contains(path));
    let named = |job: &Job| !job.target.filenames.is_empty() || !job.target.found.is_empty();
    let of_name = |job: &Job| job.target.filename_format.contains("$jobname");
    match (named(job), named(other)) {
        (false, false) => job.name == other.name || !of_name(job) || !of_name(other),
        _ => common(&one.filenames, &two.filenames) || common(&one.found, &two.found),
    }
}
