//! Space: the number of bytes that a plan newly allocates in each file system, compared with the free space before
//! any write.

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

/// Maximum space in bytes that `fathom run` leaves free in a file system; the reserve is one hundredth of its size up
/// to this value.
const MOST_RESERVE: u64 = 256 << 20;
/// Allocation unit assumed for a file system, in bytes.
const UNIT: u64 = 4096;
/// Space in bytes assumed for each file's metadata: directory entry, attribute, list of extents.
const PER_FILE: u64 = 4 * UNIT;
/// Divisor: 1/64 of the data is assumed as space for lists of extents.
const EXTENTS_SHARE: u64 = 64;
/// Maximum number of gaps that are read of a file. A file with more gaps counts as not allocated.
const MOST_GAPS: usize = 16 * 1024;
/// Maximum nesting of loop devices that is followed.
const DEPTH: usize = 4;

/// Free space of a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes that this process can allocate; root may also use the blocks reserved for root.
    pub free: u64,
    /// Bytes of the free space that must stay free.
    pub reserve: u64,
}

impl Room {
    /// Returns the number of bytes that may be allocated.
    pub fn usable(self) -> u64 {
        self.free.saturating_sub(self.reserve)
    }
}

/// Returns the directory with the least usable space, and its space, among the file systems in which data below
/// `path` needs space: its own, and those of sparse files under loop devices. `None` if the space cannot be
/// determined.
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

/// Returns the free space of the file system of `path`; `None` if it cannot be determined or has no limit.
pub fn room(path: &Path) -> Option<Room> {
    let fs = rustix::fs::statvfs(path).ok().filter(|fs| fs.f_blocks > 0)?;
    let unit = fs.f_frsize.max(1);
    let root = rustix::process::geteuid().is_root();
    let free = if root { fs.f_bfree } else { fs.f_bavail }.saturating_mul(unit);
    Some(Room { free, reserve: (fs.f_blocks.saturating_mul(unit) / 100).min(MOST_RESERVE) })
}

/// Space that a plan newly allocates in one file system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Directory on the file system.
    pub directory: PathBuf,
    /// Bytes to be allocated; an upper bound.
    pub bytes: u64,
    /// Whether a job fills the file system completely (`fill_device` without a size).
    pub fills: bool,
    /// Bytes of files that are written before the jobs start.
    laid: u64,
    /// Number of files that are created or written.
    files: u64,
    /// Bytes that are freed before, by files that are created again.
    freed: u64,
    /// Bytes that are reserved on this file system and were never written. If the file system is on a sparse file,
    /// these bytes need space in the sparse file.
    unwritten: u64,
}

/// Checks that the writes of the jobs fit into their file systems. `fathom run` is refused if the reserve would not
/// stay free. fio would start, so with fio's rules a note predicts the failure; only a layout that cannot be
/// completed is refused.
///
/// # Errors
/// The first file system whose space is too small, with the numbers of bytes.
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

/// State of a file, and the ranges that earlier clones will have allocated.
struct Seen {
    /// Device number of its file system, and a directory on it.
    home: Option<(u64, PathBuf)>,
    /// Length of the file in bytes, and whether all of it is allocated; `None` if the file does not exist or will be
    /// created again.
    there: Option<(u64, bool)>,
    /// Ranges that are already counted, in ascending order.
    counted: Vec<Range<u64>>,
}

/// Returns the space that `plan` newly allocates, for each file system. Ranges that clones share are counted once.
pub fn needs(plan: &Plan, root: &SysRoot) -> Vec<Need> {
    let mut needs: BTreeMap<u64, Need> = BTreeMap::new();
    let mut seen: HashMap<&Path, Seen> = HashMap::new();
    // Cached by directory, because a million files lie in few directories.
    let mut homes: HashMap<Option<&Path>, Option<(PathBuf, u64)>> = HashMap::new();
    // Whether a file system lies on a sparse file, by its device number.
    let mut sparse: HashMap<u64, bool> = HashMap::new();
    for clone in &plan.clones {
        let Some(job) = plan.jobs.get(clone.job).filter(|j| j.engine.needs_files() && !j.target.readonly)
        else {
            continue;
        };
        // Bytes that this clone's own writes allocate, by file system. Reserved and laid out ranges are needed in
        // full.
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
    // A file system on a loop device allocates its blocks in the file below.
    for (device, need) in needs.clone() {
        backed(root, device, need.bytes.saturating_add(need.unwritten), &mut needs, DEPTH);
    }
    needs.into_values().filter(|need| need.bytes > 0 || need.fills).collect()
}

/// Returns the range of a file that a clone allocates, and whether the whole range is allocated before the start;
/// `None` if the clone allocates nothing.
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

/// Returns the maximum number of bytes that a clone's own writes can allocate.
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
    // If blocks are not aligned to the blocks of the file system, each I/O may touch one more block at each end.
    let aligned = blocks.iter().all(|block| block.is_multiple_of(UNIT))
        && clone.files.iter().all(|file| file.start.is_multiple_of(UNIT));
    let block = job.pattern.largest_block();
    let each = if aligned { block } else { block.next_multiple_of(UNIT).saturating_add(UNIT) };
    ios.saturating_mul(each)
}

/// Returns the state of a file. If the file is created again, the old file is unlinked, which frees its blocks unless
/// it has another hard link.
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

/// Returns the number of bytes of `range` that are not allocated and not yet counted, in whole units, and marks the
/// range as counted.
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

/// Returns the parts of `range` that are in none of the ranges `counted`, which are in ascending order.
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

/// Returns the number of bytes of `range` that are reserved and were never written; the whole length if the number
/// cannot be determined.
fn reserved_bytes(path: &Path, range: &Range<u64>) -> u64 {
    let found = std::fs::File::open(path)
        .ok()
        .and_then(|open| gaps(&open, range.start, range.end, MOST_GAPS).ok().flatten());
    found.map_or(range.end - range.start, |gaps| gaps.bytes().1)
}

/// A sparse file under a loop device.
struct SparseFile {
    directory: PathBuf,
    /// Device number of its file system.
    device: u64,
    /// Number of bytes that are not allocated.
    holes: u64,
}

/// Returns the sparse file under a device or partition, if it is a loop device on a sparse file.
fn sparse_file(root: &SysRoot, device: u64) -> Option<SparseFile> {
    let known = Device::of(root, DeviceNumber::from_raw(device));
    let whole = known.map(|device| device.whole(root).unwrap_or(device));
    let Some(DeviceKind::Loop { backing }) = whole.map(|device| device.kind) else { return None };
    let meta = std::fs::metadata(&backing).ok().filter(std::fs::Metadata::is_file)?;
    let holes = meta.len().saturating_sub(meta.blocks().saturating_mul(512));
    let directory = backing.parent()?.to_owned();
    (holes > 0).then(|| SparseFile { directory, device: meta.dev(), holes })
}

/// Adds the space that `bytes` bytes written to a device allocate in the file system below it, if the device is a
/// loop device on a sparse file.
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
