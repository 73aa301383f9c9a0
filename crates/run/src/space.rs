//! Space: how much a plan will newly allocate in each file system, against what is free there, before anything is written.

use crate::limits::home;
use crate::policy::Policy;
use crate::prepare::changes;
use crate::refusal::{Refusal, RefusalReason};
use facts::SysRoot;
use facts::extents::gaps;
use facts::layers::{Device, DeviceKind, DeviceNumber};
use job::job::{Fallocate, Job};
use job::plan::{FileKind, Layout, Plan, PlannedFile, PlannedJob};
use stats::note::{Note, NoteFact, NoteKind};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Part of a file system that `fathom run` leaves free: one hundredth, and no more than this.
const MOST_RESERVE: u64 = 256 << 20;
/// Bytes that a file system allocates at a time.
const UNIT: u64 = 4096;
/// What a file system needs for a file beside its data: directory entry, attribute, list of extents.
const PER_FILE: u64 = 4 * UNIT;
/// Share of the data that lists of extents may need.
const EXTENTS_SHARE: u64 = 64;
/// Files in more pieces than this count as if nothing of them were allocated.
const MOST_GAPS: usize = 16 * 1024;
/// Loop devices on files on loop devices are followed this far.
const DEPTH: usize = 4;

/// What is free in a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes that this process could allocate: root may use what is reserved for root.
    pub free: u64,
    /// Bytes of them that are to stay free.
    pub reserve: u64,
}

impl Room {
    /// Bytes that may be taken.
    pub fn usable(self) -> u64 {
        self.free.saturating_sub(self.reserve)
    }
}

/// The directory with the least room among those in whose file systems data written below `path` takes space: its own,
/// and those of the sparse files that loop devices under it lie on.
pub fn least_room(path: &Path, root: &SysRoot) -> Option<(PathBuf, Room)> {
    let mut least = (path.to_owned(), room(path)?);
    let mut device = std::fs::metadata(path).ok()?.dev();
    for _ in 0..DEPTH {
        let Some(file) = sparse_file(root, device) else { break };
        let below = room(&file.directory)?;
        if below.usable() < least.1.usable() {
            least = (file.directory, below);
        }
        device = file.device;
    }
    Some(least)
}

/// Looks at the file system that `path` lies in; `None` where it cannot be determined or has no limit.
pub fn room(path: &Path) -> Option<Room> {
    let fs = rustix::fs::statvfs(path).ok().filter(|fs| fs.f_blocks > 0)?;
    let unit = fs.f_frsize.max(1);
    let root = rustix::process::geteuid().is_root();
    let free = if root { fs.f_bfree } else { fs.f_bavail }.saturating_mul(unit);
    Some(Room { free, reserve: (fs.f_blocks.saturating_mul(unit) / 100).min(MOST_RESERVE) })
}

/// What a plan will newly allocate in one file system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// A directory in it.
    pub directory: PathBuf,
    /// Bytes, never fewer than the run will take.
    pub bytes: u64,
    /// A job fills it to its last block (`fill_device` without a size).
    pub fills: bool,
    /// Bytes of them that are written before the jobs start.
    laid: u64,
    /// Files of this file system that are made or written.
    files: u64,
    /// Bytes that are freed before: files that are made anew.
    freed: u64,
    /// Bytes that are reserved here and were never written: a sparse file below takes space for them.
    unwritten: u64,
}

/// Checks that what the jobs will write fits. `fathom run` is refused, with something left free. fio would start, so a note
/// says what will happen; but for a layout that cannot be finished nothing is started.
///
/// # Errors
/// The refusal.
pub fn check(plan: &Plan, policy: Policy, root: &SysRoot) -> Result<Vec<Note>, Refusal> {
    let mut notes = Vec::new();
    for need in needs(plan, root) {
        let Some(room) = room(&need.directory) else { continue };
        let own = policy == Policy::Own;
        let most = if own { room.free.saturating_sub(room.reserve) } else { room.free };
        let (wanted, free) = (need.bytes, room.free);
        let reason = match () {
            () if need.fills && own => RefusalReason::FillsFileSystem { most },
            () if wanted <= most || need.fills => continue,
            () if own => RefusalReason::NoSpace { wanted, free, reserve: room.reserve },
            () if need.laid > free => RefusalReason::NoSpaceForLayout { wanted: need.laid, free },
            () => {
                let directory = need.directory.display().to_string();
                notes.push(Note::new(NoteKind::Fio, "", NoteFact::SpaceShort { wanted, free, directory }));
                continue;
            }
        };
        return Err(Refusal { path: need.directory, reason });
    }
    Ok(notes)
}

/// What was found of a file, and what earlier clones will have allocated of it.
struct Seen {
    /// Its file system: device number, and a directory in it.
    home: Option<(u64, PathBuf)>,
    /// Its length now, and whether all of that is allocated; `None` if it is absent or will be made anew.
    there: Option<(u64, bool)>,
    /// Ranges that are counted, in order.
    counted: Vec<Range<u64>>,
}

/// What `plan` will newly allocate, for each file system. What clones share is counted once.
pub fn needs(plan: &Plan, root: &SysRoot) -> Vec<Need> {
    let mut needs: BTreeMap<u64, Need> = BTreeMap::new();
    let mut seen: HashMap<&Path, Seen> = HashMap::new();
    // A million files lie in few directories.
    let mut homes: HashMap<Option<&Path>, Option<(PathBuf, u64)>> = HashMap::new();
    // Whether a file system lies on a sparse file.
    let mut sparse: HashMap<u64, bool> = HashMap::new();
    for clone in &plan.clones {
        let Some(job) = plan.jobs.get(clone.job).filter(|j| j.engine.needs_files() && !j.target.readonly)
        else {
            continue;
        };
        // What this clone's own writes allocate, by file system; what is reserved or laid out before is needed in full.
        let mut written: BTreeMap<u64, u64> = BTreeMap::new();
        for file in &clone.files {
            let Some((range, reserved)) = allocates(job, file) else { continue };
            if file.kind == FileKind::Block {
                let on = std::fs::metadata(&file.path).map_or(0, |meta| meta.rdev());
                backed(root, on, range.end - range.start, &mut needs, DEPTH);
                continue;
            }
            let seen = seen.entry(&file.path).or_insert_with(|| {
                let home = homes.entry(file.path.parent()).or_insert_with(|| home(&file.path)).clone();
                look(file, home, &mut needs)
            });
            let Some((device, directory)) = seen.home.clone() else { continue };
            let sparse = *sparse.entry(device).or_insert_with(|| sparse_file(root, device).is_some());
            let need = needs.entry(device).or_default();
            need.directory = directory;
            need.fills |= job.target.fill && job.target.size.is_none() && job.target.filesize.is_none();
            if sparse && seen.there.is_some() {
                let unwritten = reserved_bytes(&file.path, &range);
                need.unwritten = need.unwritten.saturating_add(unwritten);
            }
            let new = missing(&file.path, seen, range);
            if new == 0 {
                continue;
            }
            need.files += 1;
            if reserved {
                need.bytes = need.bytes.saturating_add(new);
                if file.layout == Layout::Write && !job.target.fill {
                    need.laid = need.laid.saturating_add(new);
                }
            } else {
                let sum = written.entry(device).or_default();
                *sum = sum.saturating_add(new);
            }
        }
        let most = moved(job, clone);
        for (device, bytes) in written {
            let need = needs.entry(device).or_default();
            need.bytes = need.bytes.saturating_add(bytes.min(most));
        }
    }
    for need in needs.values_mut().filter(|need| need.bytes > 0) {
        let beside = (need.bytes / EXTENTS_SHARE).saturating_add(need.files.saturating_mul(PER_FILE));
        need.bytes = need.bytes.saturating_add(beside).saturating_sub(need.freed);
        need.laid = need.laid.saturating_sub(need.freed);
    }
    // A file system on a loop device takes its blocks from the file below.
    for (device, need) in needs.clone() {
        backed(root, device, need.bytes.saturating_add(need.unwritten), &mut needs, DEPTH);
    }
    needs.into_values().filter(|need| need.bytes > 0 || need.fills).collect()
}

/// The part of a file that a clone allocates, and whether all of that is allocated before the start.
fn allocates(job: &Job, file: &PlannedFile) -> Option<(Range<u64>, bool)> {
    let target = &job.target;
    let reserves = matches!(target.fallocate, Fallocate::Native | Fallocate::Posix | Fallocate::Keep);
    let wanted = match file.layout {
        Layout::Write => Some((0..file.size, true)),
        Layout::Reserve | Layout::Extend if reserves && !target.fill => Some((0..file.size, true)),
        _ if !changes(job) || target.create_only => None,
        // The last block may reach beyond the region.
        _ => {
            let end = (file.start + file.length).saturating_add(job.pattern.largest_block());
            Some((file.start..end.min(file.size.max(file.start + file.length)), false))
        }
    };
    wanted
        .filter(|(range, _)| file.kind != FileKind::Char && file.kind != FileKind::None && !range.is_empty())
}

/// Bytes that a clone's own writes can allocate at most.
fn moved(job: &Job, clone: &PlannedJob) -> u64 {
    if job.limits.time_based {
        return u64::MAX;
    }
    let loops = job.limits.loops.max(1);
    let blocks = job.pattern.block.map(|(low, _)| low.max(1));
    let bytes = clone.io_bytes.saturating_mul(loops);
    let mut ios = bytes.div_ceil(blocks.into_iter().min().unwrap_or(1));
    if let Some(number) = job.limits.number_ios {
        ios = ios.min(number.get().saturating_mul(loops));
    }
    // Where blocks do not lie on the file system's own, each I/O may touch one more at each end.
    let aligned = blocks.iter().all(|block| block.is_multiple_of(UNIT))
        && clone.files.iter().all(|file| file.start.is_multiple_of(UNIT));
    let block = job.pattern.largest_block();
    let each = if aligned { block } else { block.next_multiple_of(UNIT).saturating_add(UNIT) };
    ios.saturating_mul(each)
}

/// What is there of a file. The old one is unlinked where the file is made anew: it frees its blocks unless it has
/// another link.
fn look(file: &PlannedFile, home: Option<(PathBuf, u64)>, needs: &mut BTreeMap<u64, Need>) -> Seen {
    let home = home.map(|(directory, device)| (device, directory));
    let meta = std::fs::metadata(&file.path).ok().filter(std::fs::Metadata::is_file);
    let Some(meta) = meta else { return Seen { home, there: None, counted: Vec::new() } };
    let allocated = meta.blocks().saturating_mul(512);
    let anew = matches!(file.layout, Layout::Write | Layout::Reserve) && meta.len() < file.size;
    // A symbolic link may lead to another file system.
    let own = (meta.dev(), file.path.parent().unwrap_or(Path::new("/")).to_owned());
    let home = if home.as_ref().is_some_and(|(device, _)| *device == meta.dev()) {
        home
    } else {
        Some((
            own.0,
            std::fs::canonicalize(&file.path)
                .ok()
                .and_then(|p| Some(p.parent()?.to_owned()))
                .unwrap_or(own.1),
        ))
    };
    if anew && meta.nlink() == 1 {
        let need = needs.entry(meta.dev()).or_default();
        need.freed = need.freed.saturating_add(allocated);
    }
    let there = (!anew).then_some((meta.len(), allocated >= meta.len()));
    Seen { home, there, counted: Vec::new() }
}

/// Bytes of `range` that are not allocated and were not counted before, in whole units.
fn missing(path: &Path, seen: &mut Seen, range: Range<u64>) -> u64 {
    let range = range.start / UNIT * UNIT..range.end.checked_next_multiple_of(UNIT).unwrap_or(range.end);
    let mut sum = 0u64;
    for part in beyond(&range, &seen.counted) {
        let behind = |length: u64| part.end.saturating_sub(part.start.max(length));
        sum = sum.saturating_add(match seen.there {
            None => part.end - part.start,
            Some((length, true)) => behind(length.next_multiple_of(UNIT)),
            Some((length, false)) => {
                let end = part.end.min(length);
                let holes = std::fs::File::open(path)
                    .ok()
                    .and_then(|open| gaps(&open, part.start, end.max(part.start), MOST_GAPS).ok().flatten())
                    .map_or(end.saturating_sub(part.start), |gaps| gaps.bytes().0);
                holes.next_multiple_of(UNIT).saturating_add(behind(length))
            }
        });
    }
    seen.counted.push(range);
    seen.counted.sort_by_key(|range| range.start);
    seen.counted.dedup_by(|next, kept| {
        let joined = next.start <= kept.end;
        kept.end = if joined { kept.end.max(next.end) } else { kept.end };
        joined
    });
    sum
}

/// The parts of `range` that are in none of `counted`, which is in order.
fn beyond(range: &Range<u64>, counted: &[Range<u64>]) -> Vec<Range<u64>> {
    let (mut parts, mut from) = (Vec::new(), range.start);
    for known in counted.iter().filter(|known| known.end > range.start && known.start < range.end) {
        if known.start > from {
            parts.push(from..known.start);
        }
        from = from.max(known.end);
    }
    if from < range.end {
        parts.push(from..range.end);
    }
    parts
}

/// Bytes of `range` that are reserved and were never written; all of it where that cannot be determined.
fn reserved_bytes(path: &Path, range: &Range<u64>) -> u64 {
    let found = std::fs::File::open(path)
        .ok()
        .and_then(|open| gaps(&open, range.start, range.end, MOST_GAPS).ok().flatten());
    found.map_or(range.end - range.start, |gaps| gaps.bytes().1)
}

/// A sparse file that a loop device lies on.
struct SparseFile {
    directory: PathBuf,
    /// Its file system.
    device: u64,
    /// Bytes that are not allocated.
    holes: u64,
}

/// The sparse file under a device or partition, if it is a loop device on one.
fn sparse_file(root: &SysRoot, device: u64) -> Option<SparseFile> {
    let known = Device::of(root, DeviceNumber::from_raw(device));
    let whole = known.map(|device| device.whole(root).unwrap_or(device));
    let Some(DeviceKind::Loop { backing }) = whole.map(|device| device.kind) else { return None };
    let meta = std::fs::metadata(&backing).ok().filter(std::fs::Metadata::is_file)?;
    let holes = meta.len().saturating_sub(meta.blocks().saturating_mul(512));
    let directory = backing.parent()?.to_owned();
    (holes > 0).then(|| SparseFile { directory, device: meta.dev(), holes })
}

/// Adds what `bytes` written to a device allocate in the file system below it, if it is a loop device on a sparse file.
fn backed(root: &SysRoot, device: u64, bytes: u64, needs: &mut BTreeMap<u64, Need>, depth: usize) {
    let Some(file) = sparse_file(root, device).filter(|_| depth > 0) else { return };
    let new = bytes.min(file.holes);
    if new > 0 {
        let need = needs.entry(file.device).or_default();
        need.directory = file.directory;
        need.bytes =
            need.bytes.saturating_add(new).saturating_add(new / EXTENTS_SHARE).saturating_add(PER_FILE);
        backed(root, file.device, new, needs, depth - 1);
    }
}
