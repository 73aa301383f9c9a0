//! Preparation of a worker: its memory, its files, the contents of its writes, and its pattern.

use crate::access_lines::AccessLines;
use crate::assignment::Assignment;
use crate::finish::Finish;
use crate::general::{General, GeneralSpec};
use crate::host;
use crate::job_error::failed_because;
use crate::line::Line;
use crate::pattern::{Pattern, Plain};
use crate::payload::{Payload, WorkingSet};
use crate::prepare;
use crate::region::{Budget, Region};
use crate::replay::Replay;
use crate::schedule::RampBytes;
use crate::sprandom::Sprandom;
use crate::trim_ranges::RangedTrims;
use crate::zoned::{Zoned, ZonedFile};
use crate::zones::{self, ZoneControl, ZonedDevice};
use engine::memory::Memory;
use engine::{Arena, Kind};
use job::distribution::Places;
use job::job::{EngineChoice, Job, Mix, NvmeWrite, Order, Size};
use job::plan::{FileKind, Interleave, PlannedFile, PlannedJob};
use rustix::fd::OwnedFd;
use stats::Direction;
use stats::JobError;
use stats::job_error::ErrorCause;
use std::num::NonZeroU32;
use std::sync::Arc;

/// Parts of a worker that do not depend on the type of its engine.
pub(crate) struct Prepared {
    pub(crate) arena: Arena,
    pub(crate) files: Vec<OwnedFd>,
    pub(crate) payload: Payload,
    /// Zones of each file, with `zonemode=zbd`.
    pub(crate) zoned: Vec<ZonedFile>,
    _settled: host::Settled,
}

/// Returns the distance of the buffers from a page boundary in bytes.
///
/// Data of the page cache is copied more slowly if source and destination both begin at a page: the lower twelve bits
/// of their addresses agree, and the processor takes a load for one that depends on an earlier store (4 KiB aliasing:
/// Intel 64 and IA-32 Architectures Optimization Reference Manual). Measured on an AMD EPYC with pread of cached
/// blocks: 1040 bytes behind a page boundary, 64k and 256k take 8 % less time, 1M takes 13 % less, 4k and 16k the
/// same; 16 bytes behind it, where an allocator places large blocks, takes 50 % more. Writes are fastest from the
/// start of a page.
fn behind(job: &Job) -> usize {
    const BEHIND: usize = 1040;
    let anywhere = !job.memory.mapped && job.memory.align == 0;
    // mmap copies by itself, and was not measured.
    let by_kernel = !job.engine.maps_files();
    let copies = by_kernel && !job.target.direct && !job.pattern.mix.has(Direction::Write);
    if anywhere && copies { BEHIND } else { 0 }
}

impl Prepared {
    pub(crate) fn new(a: &Assignment<'_>, finish: &mut Finish) -> Result<Self, JobError> {
        let job = a.job();
        let settled = host::settle(&job.host, a.clone, finish)?;
        let (slots, block) = (job.queue.effective, a.largest_block());
        let memory = Memory {
            segment: job.memory.segment,
            huge: job.memory.huge,
            shared: job.memory.shared,
            file: job.memory.file.clone(),
            align: job.memory.align as usize,
            huge_page: job.memory.huge_page as usize,
            behind: behind(job),
        };
        let mut arena = Arena::of(slots as usize, block as usize, &memory).map_err(|(call, e)| {
            if memory.huge {
                finish.lines.push(Line::NoHugePages);
            }
            failed_because(call, &e, ErrorCause::Buffers)
        })?;
        // A simulated device does not examine data.
        // Verified data is made with its headers.
        let fills = a.writes() && !matches!(job.engine, EngineChoice::Model(_)) && job.verify.is_none();
        let mut payload = Payload::new(job.payload.clone(), fills, block, a.clone.seed, working_sets(a));
        if fills {
            payload.prepare(&mut arena, slots as u16, block as usize);
        }
        if job.target.pre_read && job.engine.opens_files() {
            for file in a.clone.files.iter().filter(|f| f.kind != FileKind::Char) {
                prepare::pre_read(job, file, &|| a.control.stopped())?;
            }
        }
        let mut files = Vec::new();
        if job.engine.opens_files() && opened_late(job, a.clone) == 0 {
            for file in &a.clone.files {
                files.push(prepare::open_job_file(job, file, a.targets).map_err(|e| {
                    finish.lines.extend(e.hints);
                    e.error
                })?);
            }
        }
        a.shared.open_files.set(files.len() as u64);
        let zoned = zoned_files(a)?;
        Ok(Self { arena, files, payload, zoned, _settled: settled })
    }
}

/// Returns the sets from which a clone's `dedupe_mode=working_set` takes duplicates: its own set, or those of all
/// clones with `dedupe_global`.
fn working_sets(a: &Assignment<'_>) -> Vec<WorkingSet> {
    let set = |clone: &PlannedJob| -> Option<(WorkingSet, bool)> {
        let dedupe = a.plan.jobs[clone.job].payload.dedupe?;
        let bytes = clone.accessed_in_all();
        let part = u128::from(bytes) * u128::from(dedupe.working_set?) / 100;
        let pieces = (part as u64 / dedupe.piece.max(1)).max(1);
        Some((WorkingSet { seed: clone.seed, pieces }, dedupe.global))
    };
    let (own, global) = match set(a.clone) {
        None => return Vec::new(),
        Some(found) => found,
    };
    if !global {
        return vec![own];
    }
    // Each clone contributes its part of one set.
    let mut shared: Vec<WorkingSet> =
        a.plan.clones.iter().filter_map(set).filter(|(_, global)| *global).map(|(set, _)| set).collect();
    let jobs = shared.len() as u64;
    shared.iter_mut().for_each(|set| set.pieces = (set.pieces / jobs).max(1));
    shared
}

/// Returns the number of files that may be open at a time if the pattern opens files when it reaches them; 0 if all
/// are opened before the start.
fn opened_late(job: &Job, clone: &PlannedJob) -> usize {
    match (job.target.openfiles.map_or(0, NonZeroU32::get) as usize, clone.files.len()) {
        // A simulated device has no files to open and does not report completions to the pattern, and calls on names
        // open no files.
        _ if matches!(job.engine, EngineChoice::Model(_) | EngineChoice::Names(..)) => 0,
        // A trace opens its files itself.
        (_, files) if clone.replay.is_some() => files,
        // A file that receives no I/O is not created.
        (0, files @ 2..) if job.target.create_on_open => files,
        (most, _) => most,
    }
}

/// Returns the number of bytes that ends a clone's ramp (`ramp_size`) and the counters that are added for it; `None`
/// without `ramp_size`.
pub(crate) fn ramp_by_bytes<'a>(a: &Assignment<'a>) -> Option<RampBytes<'a>> {
    let job = a.job();
    let bytes = job.limits.ramp_size?.get();
    let ours = |other: &Job| {
        other.group == job.group && other.measure.shown.group_reporting && other.limits.ramp_size.is_some()
    };
    let counted = match job.measure.shown.group_reporting {
        false => vec![a.shared],
        true => {
            let clones = a.plan.clones.iter().enumerate();
            clones
                .filter(|(_, c)| ours(&a.plan.jobs[c.job]))
                .filter_map(|(i, _)| Some(&a.counters.get(i)?.now))
                .collect()
        }
    };
    Some(RampBytes { bytes, counted })
}

/// Returns the zones of the clone's files with `zonemode=zbd`; none in other modes. As in fio, only whole zones of a
/// region are used.
fn zoned_files(a: &Assignment<'_>) -> Result<Vec<ZonedFile>, JobError> {
    let job = a.job();
    let Some(rules) = job.pattern.zoned.as_deref() else { return Ok(Vec::new()) };
    let file = |file: &PlannedFile| -> Result<ZonedFile, JobError> {
        let control = match file.kind {
            FileKind::Block | FileKind::Char if job.engine.opens_files() => {
                let open = prepare::open_job_file(job, file, a.targets).map_err(|e| e.error)?;
                ZoneControl::of(open, file.kind)
            }
            _ => None,
        };
        let device = a.targets.zoned(&file.path, || ZonedDevice::new(job, file, control.as_ref()))?;
        if !rules.ignore_limits && device.most_open > 0 && rules.max_open > device.most_open {
            return Err(zones::invalid(ErrorCause::OpenZonesAboveLimit { limit: device.most_open }));
        }
        let appends =
            matches!(&job.engine, EngineChoice::UringCmd(spec) if spec.writes.has(NvmeWrite::Append));
        if appends && !device.strict {
            return Err(zones::invalid(ErrorCause::AppendWithoutZones));
        }
        let known = device.table().zones.len();
        let whole = (file.start.div_ceil(device.size) as usize)
            ..((file.start + file.length) / device.size).min(known as u64) as usize;
        if whole.is_empty() {
            return Err(zones::invalid(ErrorCause::NoWholeZone { zone: device.size }));
        }
        Ok(ZonedFile::new(Arc::clone(&device), control.filter(|_| device.strict), whole))
    };
    a.clone.files.iter().map(file).collect()
}

/// Returns the largest number of bytes of a pass over regions of `whole` bytes together.
///
/// With an engine that has I/Os in flight, fio starts the region again after the number of bytes in `size`, even if
/// `filesize` makes the region larger; with other engines it continues to the end of the region.
pub(crate) fn pass_bytes(job: &Job, whole: u64) -> u64 {
    let spec = &job.pattern;
    let unmapped = matches!(spec.order, Order::Random { .. }) && !spec.random_map;
    let trim_writes = spec.mix == Mix::TrimWrite;
    match job.target.size {
        _ if job.limits.time_based || unmapped || trim_writes || job.engine.is_sync() => u64::MAX,
        Some(Size::Bytes(n)) => n.min(whole),
        _ => whole,
    }
}

/// Returns the pattern of a clone; `zoned` are the zones of its files with `zonemode=zbd`.
pub(crate) fn pattern(a: &Assignment<'_>, zoned: Vec<ZonedFile>) -> Pattern {
    let (job, clone) = (a.job(), a.clone);
    if let (Some(trace), Some(spec)) = (&clone.replay, &job.replay) {
        return Pattern::Replay(Box::new(Replay::new(
            trace,
            spec,
            clone.files.len(),
            job.engine.opens_files(),
        )));
    }
    let spec = &job.pattern;
    let mut regions: Vec<Region> = clone
        .files
        .iter()
        .map(|f| match clone.interleave {
            // The blocks of this host, as if they followed each other.
            Some(Interleave { block, number, .. }) => {
                let length = clone.accessed(f);
                Region { start: f.start + number * block, length, ends_file: false, room: length }
            }
            None => Region {
                start: f.start,
                length: f.length,
                ends_file: f.start == 0 && f.length == f.size,
                room: f.size.saturating_sub(f.start),
            },
        })
        .collect();
    // Bytes of the regions outside whole zones.
    let mut unzoned = 0;
    for (region, file) in regions.iter_mut().zip(&zoned) {
        let (start, end) =
            (file.zones.start as u64 * file.device.size, file.zones.end as u64 * file.device.size);
        unzoned += region.length - (end - start);
        *region = Region { start, length: end - start, ends_file: false, room: end - start };
    }
    let (endless, loops) = (job.limits.time_based, job.limits.loops.max(1));
    let trim_writes = spec.mix == Mix::TrimWrite;
    let each = if trim_writes { 2 } else { 1 };
    let ios = job.limits.number_ios.map_or(u64::MAX, |n| n.get().saturating_mul(loops).saturating_mul(each));
    // With `io_size`, fio starts the region again whenever it is used up, which holes can cause even if `io_size` is
    // the smaller value. Regions of `trimwrite` are not started again.
    // Nor are those that are verified and visited once per pass.
    let once = spec.random_map || matches!(spec.order, Order::Sequential { .. });
    let wraps = job.target.io_size.is_some() && !trim_writes && !(job.verify.is_some() && once);
    let ranged = spec.trim_ranges > 1;
    let budget = match endless {
        true => Budget { bytes: u64::MAX, ios: u64::MAX, wraps: false },
        false => {
            let left = if job.target.io_size.is_none() { unzoned } else { 0 };
            let ranges = if ranged { u64::MAX } else { ios };
            Budget { bytes: clone.io_bytes.saturating_sub(left).saturating_mul(loops), ios: ranges, wraps }
        }
    };
    let pass = pass_bytes(job, regions.iter().fold(0u64, |sum, region| sum.saturating_add(region.length)));
    if let (false, [region]) = (spec.lines.is_empty(), regions.as_slice()) {
        let depth = job.queue.effective as usize;
        return Pattern::Lines(Box::new(AccessLines::new(&spec.lines, *region, budget, depth, clone.seed)));
    }
    let durability = job.durability;
    // POSIX has no sync of ranges: fio's engine syncs the file.
    let range = if job.engine == EngineChoice::Posixaio { Kind::Fsync } else { Kind::SyncRange };
    // fio issues no syncs after writes that follow trims.
    let syncs =
        [(Kind::Fsync, durability.fsync), (Kind::Fdatasync, durability.fdatasync), (range, durability.range)];
    let syncs: Vec<(Kind, u64)> = syncs
        .into_iter()
        .filter_map(|(kind, every)| Some((kind, every?.get())))
        .filter(|_| a.writes() && !trim_writes)
        .collect();
    let one_direction = match spec.mix {
        Mix::Read => Some((Kind::Read, spec.block[0])),
        Mix::Write => Some((Kind::Write, spec.block[1])),
        _ => None,
    };
    if let (Some((kind, (low, high))), [region], true) = (one_direction, regions.as_slice(), syncs.is_empty())
        && low == high
        && !spec.sizes.seq_rand
        && spec.places.zones.is_none()
        && spec.zoned.is_none()
        && !job.queue.serialize
    {
        if let Some(sprandom) = &spec.sprandom {
            let pattern = Sprandom::new(low as u32, *region, budget, sprandom, clone.seed);
            return Pattern::Sprandom(Box::new(pattern));
        }
        let hosts = clone.interleave.map_or(1, |shared| shared.of);
        let plain = Plain::new(kind, low as u32, *region, budget).interleaved(hosts);
        // fio's map uses the smallest block size of all directions: if another direction has a smaller one, `General`
        // is used.
        let own_map = spec.block.iter().all(|b| b.0 >= low);
        match spec.order {
            Order::Sequential { skip: 0 } => return Pattern::sequential(plain.in_line(*region, pass)),
            _ if spec.places.ordered != [0; 3] => {}
            Order::Random { run: 1 } if spec.random_map && own_map => {
                return Pattern::permuted(plain, clone.seed);
            }
            Order::Random { run: 1 } if !spec.random_map && spec.places == Places::default() => {
                return Pattern::uniform(plain, clone.seed);
            }
            _ => {}
        }
    }
    let rules = spec.zoned.as_deref().map(|rules| {
        let least = [spec.block[0].0, spec.block[1].0];
        let sequential = matches!(spec.order, Order::Sequential { .. });
        Zoned::new(rules.clone(), zoned, least, sequential, matches!(spec.mix, Mix::ReadWrite { .. }))
    });
    let spec = GeneralSpec {
        mix: spec.mix,
        order: spec.order,
        block: spec.block,
        sizes: spec.sizes.clone(),
        places: spec.places.clone(),
        random_map: spec.random_map,
        syncs,
        range_flags: durability.range_flags,
        serialize: job.queue.serialize,
        depth: job.queue.effective as usize,
        service: job.target.file_service.clone(),
        open_files: opened_late(job, clone),
        seed: clone.seed,
    };
    let overdraw = clone.files.iter().map(|file| clone.overdraw(job, file));
    let mut general = General::new(spec, &regions, budget).passes_of(pass).overdrawing(overdraw);
    if let Some(shared) = clone.interleave {
        general = general.interleaved(shared.of);
    }
    if ranged {
        let trims = if endless { u64::MAX } else { ios };
        let (most, depth) = (usize::from(job.pattern.trim_ranges), job.queue.effective as usize);
        return Pattern::Trims(Box::new(RangedTrims::new(general, most, trims, depth)));
    }
    Pattern::General(Box::new(match rules {
        Some(rules) => general.in_zones(rules),
        None => general,
    }))
}

#[cfg(test)]
mod tests;
