//! Steps that only read: surface, rotation, seeks, regions, read cache.

use super::CharacterizePart;
use super::device::{Bench, DEPTH};
use super::places::Places;
use engine::Kind;
use stats::characterize::read_cache::{self, ReadCacheSweep, Round};
use stats::characterize::regions::{self, Regions};
use stats::characterize::seek::{self, Hops, SeekCurve};
use stats::characterize::surface::{self, Fall, Slice, SurfaceCurve};
use stats::characterize::{EarlyEnd, rotation};
use stats::estimate::Estimate;

/// Bytes of a random read.
pub const SMALL: u32 = 4096;
/// Slices of the surface.
pub const SLICES: u64 = 128;
/// Largest number of slices that are read again, in all.
pub const REPEATS: u64 = 48;
/// Blocks of a slice that are not timed: the way to the slice and the start of the transfer.
const LEAD: u64 = DEPTH as u64;
/// Blocks of a slice that are timed.
const TIMED: u64 = 16;
/// Reads that look for a rotation.
pub const TURNS: usize = 96;
/// Longest pause before such a read in seconds.
pub const TURN_PAUSE: f64 = 0.025;
/// Rounds in which the distances of seeks are visited in random order.
const ROUNDS: usize = 8;
/// Reads per round at a distance, and at the longest one and without a move.
const HOPS: (usize, usize) = (6, 32);
/// Distances as shares of the device.
const DISTANCES: [f64; 11] = [0.0, 0.001, 0.01, 0.03, 0.1, 0.2, 1.0 / 3.0, 0.5, 0.7, 0.85, 1.0];
/// Shortest distance in bytes.
const NEAR: u64 = 4 << 20;
/// Regions for the latency, and reads of each.
pub const REGIONS: (u64, usize) = (16, 32);
/// Step between neighbouring reads that a cache should not answer, and the size of a device from which it is used.
const FAR: u64 = 64 << 10;
const LARGE: u64 = 64 << 30;
/// Largest block of a sequential read.
const BLOCK: u64 = 512 << 10;

/// Returns the block size in bytes of sequential reads on a device of `size` bytes.
pub fn block(size: u64) -> u64 {
    (size / SLICES / (LEAD + TIMED) / 4096 * 4096).clamp(4096, BLOCK)
}

/// Returns the bytes that a slice of the surface is read for.
pub fn slice_bytes(size: u64) -> u64 {
    block(size) * (LEAD + TIMED)
}

/// Returns the number of reads of the seek curve.
pub fn seek_reads() -> u64 {
    (ROUNDS * ((DISTANCES.len() - 1) * (HOPS.0 + 1) + 2 * (HOPS.1 + 1))) as u64
}

/// Returns the number of small reads of rotation, seeks and regions.
pub fn small_reads() -> u64 {
    TURNS as u64 + seek_reads() + REGIONS.0 * REGIONS.1 as u64
}

pub(super) fn surface(
    bench: &mut Bench,
    size: u64,
    places: &mut Places,
) -> Result<Option<SurfaceCurve>, EarlyEnd> {
    let block = block(size);
    let mut order: Vec<u64> = (0..SLICES).collect();
    // In random order, so that a change over time is no change over the surface.
    places.shuffle(&mut order);
    let bytes = slice_bytes(size);
    let read = |bench: &mut Bench, offset: u64| -> Result<Slice, EarlyEnd> {
        let ends = bench.stream(Kind::Read, (offset, bytes), block as u32, DEPTH)?;
        let (first, last) = (ends[LEAD as usize - 1], ends[ends.len() - 1]);
        Ok(Slice { offset, bytes: TIMED * block, nanos: last.saturating_sub(first).max(1) as f64 })
    };
    let mut slices = Vec::new();
    for (nth, slice) in order.into_iter().enumerate() {
        bench.part(CharacterizePart::Surface, nth as f64 / SLICES as f64);
        slices.push(read(bench, (size / SLICES * slice).min(size - bytes) / 4096 * 4096)?);
    }
    slices.sort_by_key(|slice| slice.offset);
    // A pause of the device within a slice is told from a slow place by reads of the data next to it, which no cache has.
    let mut left = if size / SLICES >= 4 * bytes { REPEATS } else { 0 };
    for again in 1..=3 {
        for at in surface::unusual(&slices).into_iter().take(left as usize) {
            left -= 1;
            let offset = slices[at].offset;
            let next = if offset + (again + 1) * bytes > size {
                offset - again * bytes
            } else {
                offset + again * bytes
            };
            let nanos = read(bench, next)?.nanos;
            slices[at].nanos = nanos;
        }
    }
    Ok(surface::curve(slices))
}

/// Returns the rate around a place in bytes per second.
fn rate_near(surface: &SurfaceCurve, place: u64) -> Option<f64> {
    let mut near: Vec<&Slice> = surface.slices.iter().collect();
    near.sort_by_key(|slice| slice.offset.abs_diff(place));
    near.truncate(5);
    near.sort_by(|a, b| a.nanos.total_cmp(&b.nanos));
    near.get(2).map(|slice| 1e9 * slice.bytes as f64 / slice.nanos)
}

/// Returns the period of the rotation, and the step between neighbouring reads that showed it.
pub(super) fn rotation(
    bench: &mut Bench,
    size: u64,
    surface: Option<&SurfaceCurve>,
    places: &mut Places,
) -> Result<(Option<Estimate>, u64), EarlyEnd> {
    bench.part(CharacterizePart::Rotation, 0.0);
    let period = turns(bench, size, (u64::from(SMALL), None), places)?;
    // A cache may answer reads of neighbouring blocks. Farther steps turn the platter by the time of their bytes.
    let falls = surface.filter(|surface| matches!(surface.fall, Fall::Falls(_)) && size >= LARGE);
    match (period, falls) {
        (None, Some(surface)) => {
            let period = turns(bench, size, (FAR, Some(surface)), places)?;
            Ok((period, if period.is_some() { FAR } else { u64::from(SMALL) }))
        }
        _ => Ok((period, u64::from(SMALL))),
    }
}

/// Reads backwards in steps of `step` bytes after random pauses, and returns the period that the completions show.
fn turns(
    bench: &mut Bench,
    size: u64,
    (step, surface): (u64, Option<&SurfaceCurve>),
    places: &mut Places,
) -> Result<Option<Estimate>, EarlyEnd> {
    let way = (TURNS as u64 + 1) * step;
    let base = places.offset(way.max(size / 4), size - size / 4);
    let (mut ends, mut latencies) = (Vec::new(), Vec::new());
    // Time of the platter from one place to the next one.
    let turned =
        surface.and_then(|surface| rate_near(surface, base)).map_or(0.0, |rate| 1e9 * step as f64 / rate);
    bench.read(base, SMALL)?;
    for nth in 1..=TURNS as u64 {
        bench.idle(TURN_PAUSE * places.unit())?;
        // Backwards: a drive reads ahead, not behind.
        latencies.push(bench.read(base - nth * step, SMALL)?);
        ends.push(bench.now() as f64 + nth as f64 * turned);
    }
    Ok(rotation::period(&ends, &latencies))
}

pub(super) fn seeks(
    bench: &mut Bench,
    size: u64,
    (period, step): (Option<Estimate>, u64),
    places: &mut Places,
) -> Result<Option<SeekCurve>, EarlyEnd> {
    let margin = (2 * HOPS.1 as u64 + 2) * step;
    // The first slice of the surface may be in a cache.
    let first = slice_bytes(size) / 4096 * 4096;
    let farthest = (size - first - (ROUNDS as u64 + 2) * margin) / 4096 * 4096;
    let mut hops: Vec<Hops> = DISTANCES
        .iter()
        .map(|share| ((farthest as f64 * share) as u64 / 4096 * 4096).max(NEAR))
        .filter(|distance| *distance <= farthest)
        .map(|distance| Hops { distance, nanos: Vec::new() })
        .collect();
    hops.dedup_by_key(|hops| hops.distance);
    let mut still = Vec::new();
    let turn = period.map_or(0.0, |period| period.value / 1e9);
    for round in 0..ROUNDS {
        let mut order: Vec<Option<usize>> = (0..hops.len()).map(Some).chain([None]).collect();
        places.shuffle(&mut order);
        for (nth, at) in order.iter().enumerate() {
            let done = nth as f64 / order.len() as f64;
            bench.part(CharacterizePart::Seeks, (round as f64 + done) / ROUNDS as f64);
            let distance = at.map_or(0, |at| hops[at].distance);
            let longest = at.is_none_or(|at| at + 1 == hops.len());
            let count = if longest { HOPS.1 } else { HOPS.0 };
            // At the longest distance, too, no place is read twice: a cache would answer.
            let near = match size - distance - margin {
                room if room < first + (ROUNDS as u64 + 2) * margin => first + margin * (round as u64 + 1),
                room => places.offset(margin, room),
            };
            bench.read(near, SMALL)?;
            for (hop, pause) in places.strata(count).into_iter().enumerate() {
                // The platter has turned by any angle when the read is sent.
                bench.idle(turn * pause)?;
                let back = (hop as u64 + 1) * step;
                let place = if hop % 2 == 0 { near + distance } else { near };
                let nanos = bench.read(place - back, SMALL)?;
                match at {
                    Some(at) => hops[*at].nanos.push(nanos),
                    None => still.push(nanos),
                }
            }
        }
    }
    Ok(seek::curve(&still, &hops))
}

pub(super) fn regions(
    bench: &mut Bench,
    size: u64,
    places: &mut Places,
) -> Result<Option<Regions>, EarlyEnd> {
    let part = size / REGIONS.0;
    let mut by_region: Vec<(u64, Vec<f64>)> = (0..REGIONS.0).map(|nth| (nth * part, Vec::new())).collect();
    let mut order: Vec<usize> =
        (0..by_region.len()).flat_map(|region| std::iter::repeat_n(region, REGIONS.1)).collect();
    places.shuffle(&mut order);
    let all = order.len() as f64;
    for (nth, region) in order.into_iter().enumerate() {
        bench.part(CharacterizePart::Regions, nth as f64 / all);
        let from = by_region[region].0;
        let place = places.offset(from, (from + part).min(size - u64::from(SMALL)));
        by_region[region].1.push(bench.read(place, SMALL)?);
    }
    Ok(regions::regions(&by_region))
}

/// Returns the largest working set on a device of `size` bytes.
pub fn largest_working_set(size: u64, asked: u64) -> u64 {
    asked.min(size / 8) / read_cache::STEP * read_cache::STEP
}

pub(super) fn read_cache(
    bench: &mut Bench,
    size: u64,
    limit: u64,
) -> Result<Option<ReadCacheSweep>, EarlyEnd> {
    let mut rounds: Vec<Round> = Vec::new();
    // Each round has places of its own; the surface curve has read little of them.
    let mut free = size / 5 / 4096 * 4096;
    while let Some((bytes, count)) = read_cache::next(&rounds, limit) {
        bench.part(CharacterizePart::ReadCache, bytes as f64 / limit.max(1) as f64);
        let step = bytes / count / 4096 * 4096;
        let bytes = step * count;
        let mut take = || {
            if free + bytes > size {
                free = 0;
            }
            free += bytes;
            free - bytes
        };
        let (cold, warm) = (take(), take());
        let read = |bench: &mut Bench, from: u64| -> Result<Vec<f64>, EarlyEnd> {
            // From the end to the beginning: what was read last is found first, and nothing that is found takes the place
            // of something that is still to be found.
            bench.read(from + bytes - u64::from(SMALL), SMALL)?;
            (0..count).map(|nth| bench.read(from + bytes - (nth + 1) * step, SMALL)).collect()
        };
        let cold = read(bench, cold)?;
        let block = block(size).min(read_cache::STEP);
        bench.stream(Kind::Read, (warm, bytes), block as u32, DEPTH)?;
        let warm = read(bench, warm)?;
        rounds.push(Round { bytes, cold, warm });
    }
    Ok(read_cache::sweep(&rounds))
}
