//! Filling what was never written: a read test of holes, unwritten extents or zeros measures the map and not the disk.

use crate::filled::Memory;
use facts::SysRoot;
use facts::extents::{self, Gap, Gaps};
use facts::file_usage::FilesInUse;
use facts::file_usage::has_other_openers;
use facts::identity::Seen;
use facts::layers::{Device, DeviceKind, DeviceNumber, Layer, Stack};
use facts::signature;
use facts::usage;
use facts::zeros::{self, Zeros};
use job::job::{EngineChoice, Job};
use job::plan::{FileKind, Inspect, Layout, Plan};
use run::consent::{Consent, Guard, Policy, REFUSED, Refusal, check_one, is_scratch};
use run::filler::{self, FillError, Filled, Onto, WriteLease};
use run::mark::{self, Content};
use run::prepare::Host;
use rustix::fs::{Mode, OFlags};
use stats::unit::MIB;
use stats::{Direction, Prefill, PrefillEnd, PrefillTarget, Unfilled};
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Stretches that are kept in mind at most: 64 MiB of memory.
const MOST: usize = 4 << 20;
/// Blocks looked at for zeros.
const SAMPLES: u64 = 512;
/// For so long: a disk that seeks needs five seconds.
const PATIENCE: Duration = Duration::from_secs(10);
/// Regions begin and end at multiples of this.
pub const BLOCK: u64 = 4096;

/// Target and range to fill.
pub struct PrefillRequest {
    /// File or device.
    pub target: PathBuf,
    /// First byte.
    pub offset: u64,
    /// Bytes; up to the end if left out.
    pub size: Option<u64>,
    /// Devices that may be overwritten (`--allow-destroy`).
    pub allow_destroy: Vec<PathBuf>,
    /// Where is remembered which devices are filled.
    pub state: Option<PathBuf>,
    /// The machine's facts.
    pub root: SysRoot,
    /// The signal that asks for an early end; 0 = none yet.
    pub interrupt: Arc<AtomicUsize>,
}

/// What the user says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Fill it.
    Yes,
    /// Leave it.
    No,
    /// There is nobody to ask.
    Nobody,
}

/// What goes on meanwhile.
pub trait Prefilling {
    /// Whether this file, which is not fathom's, may be filled as it was found.
    fn consent(&mut self, found: &Prefill) -> Answer;
    /// So many bytes of what has to be written are written.
    fn wrote(&mut self, done: u64, total: u64);
}

/// Why nothing was filled, or not all.
#[derive(Debug, thiserror::Error)]
pub enum PrefillError {
    /// The target cannot be used.
    #[error("{}: {why}", path.display())]
    Target {
        /// Path.
        path: PathBuf,
        /// Why, and what would be right.
        why: String,
    },
    /// The region makes no sense.
    #[error("{0}")]
    Usage(String),
    /// Refused for safety.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A write failed.
    #[error("{}: {source}; what was written until then stays, nothing is remembered as filled", path.display())]
    Fill {
        /// Path.
        path: PathBuf,
        /// Which call, and why.
        source: FillError,
    },
}

impl PrefillError {
    /// 2 for a region that makes no sense, 3 when refused for safety, else 1.
    pub fn exit_code(&self) -> i32 {
        match self {
            PrefillError::Refused(refusal) => refusal.exit_code,
            PrefillError::Usage(_) => 2,
            _ => 1,
        }
    }
}

fn target(path: &Path, why: impl Into<String>) -> PrefillError {
    PrefillError::Target { path: path.into(), why: why.into() }
}

fn refused(path: &Path, text: String) -> PrefillError {
    PrefillError::Refused(Refusal { text, exit_code: REFUSED, path: path.into() })
}

fn failed(path: &Path) -> impl Fn(io::Error) -> PrefillError {
    move |e| target(path, plain(&e))
}

fn plain(e: &io::Error) -> String {
    e.raw_os_error().map_or_else(|| e.to_string(), run::job_error::errno_text)
}

/// Finds what was never written, asks, fills it, and remembers it.
pub fn prefill(asked: &PrefillRequest, with: &mut dyn Prefilling) -> Result<Prefill, PrefillError> {
    let path = &asked.target;
    let meta = std::fs::metadata(path).map_err(failed(path))?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let kind = meta.file_type();
    if kind.is_dir() {
        return Err(target(
            path,
            "is a directory: give a file or a block device (scratch files that fathom makes are filled always)",
        ));
    }
    if !kind.is_file() && !kind.is_block_device() {
        return Err(target(path, "neither a regular file nor a block device"));
    }
    let open: File = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| failed(path)(e.into()))?.into();
    let device = kind.is_block_device();
    let size = Inspect::inspect(&mut Host, path).map_err(failed(path))?.size;
    let region = region(asked, size)?;
    let stack = Stack::under(&asked.root, path).unwrap_or_default();
    let mut found = Prefill {
        target: path.display().to_string(),
        kind: match device {
            true => PrefillTarget::Device,
            // A file that the system uses is not fathom's, even if fathom made it.
            false if is_scratch(path) && !in_use(&asked.root, &meta) => PrefillTarget::ScratchFile,
            false => PrefillTarget::File,
        },
        stack: stack.words(),
        size,
        offset: region.start,
        length: region.end - region.start,
        ..Prefill::default()
    };
    let mut task = Task { asked, path, open, meta, region, stack };
    if device {
        task.device(&mut found, with)?
    } else {
        task.file(&mut found, with)?
    }
    Ok(found)
}

fn in_use(root: &SysRoot, meta: &Metadata) -> bool {
    FilesInUse::look(root).of((meta.dev(), meta.ino())).is_some()
}

fn region(asked: &PrefillRequest, size: u64) -> Result<Range<u64>, PrefillError> {
    let PrefillRequest { offset, size: length, .. } = asked;
    let end = length.map_or(size, |length| offset.saturating_add(length)).min(size);
    // The end of a file may lie anywhere.
    let length = length.filter(|length| offset.saturating_add(*length) < size);
    for (name, value) in [("offset", Some(*offset)), ("size", length)] {
        if let Some(value) = value.filter(|v| v % BLOCK != 0) {
            return Err(PrefillError::Usage(format!(
                "--{name}={value} is no multiple of {BLOCK}: whole blocks are filled"
            )));
        }
    }
    if *offset > 0 && *offset >= size {
        let text =
            format!("--offset={offset} lies behind the end: {} has {size} bytes", asked.target.display());
        return Err(PrefillError::Usage(text));
    }
    Ok(*offset..end)
}

/// One target, looked at.
struct Task<'a> {
    asked: &'a PrefillRequest,
    path: &'a Path,
    /// For reading.
    open: File,
    meta: Metadata,
    region: Range<u64>,
    stack: Stack,
}

impl Task<'_> {
    fn consent(&self) -> Consent {
        Consent { policy: Policy::Own, allow_destroy: self.asked.allow_destroy.clone() }
    }

    fn interrupted(&self) -> bool {
        self.asked.interrupt.load(Relaxed) != 0
    }

    fn file(&mut self, found: &mut Prefill, with: &mut dyn Prefilling) -> Result<(), PrefillError> {
        let path = self.path;
        let checked = Seen::of(&self.open).map_err(failed(path))?;
        let ours =
            mark::examine(path, &checked, true).ok().filter(|_| found.kind == PrefillTarget::ScratchFile);
        self.unused()?;
        // Data that is in the cache alone lies in no extent yet and would pass for a hole.
        rustix::fs::fsync(&self.open).map_err(|e| failed(path)(e.into()))?;
        let mut memory = Memory::of_file(path).map_err(failed(path))?;
        let gaps = extents::gaps(&self.open, self.region.start, self.region.end, MOST);
        let gaps = gaps.map_err(io::Error::from).map_err(failed(path))?;
        let zeros = self.zeros(found, gaps.as_ref(), &memory).map_err(failed(path))?;
        if self.interrupted() {
            found.end = PrefillEnd::Interrupted;
            return Ok(());
        }
        let gaps = gaps.unwrap_or_default();
        (found.found.holes, found.found.unwritten) = gaps.bytes();
        found.found.zeros = zeros.iter().map(|r| r.end - r.start).sum();
        let pieces = pieces(&gaps.list, zeros);
        found.pieces = pieces.len() as u64;
        found.to_write = found.found.total();
        let lacking = memory.lacks(self.region.clone());
        if pieces.is_empty() {
            found.end = if lacking.is_empty() { PrefillEnd::FilledBefore } else { PrefillEnd::Whole };
            return Ok(());
        }
        self.room_for(&found.found)?;
        // What cannot be written to is said before anybody is asked.
        drop(File::options().write(true).open(path).map_err(failed(path))?);
        if found.kind == PrefillTarget::File && !self.may_fill_file(found, with)? {
            return Ok(());
        }
        // Answering takes time, in which others may have written where nothing was.
        self.unused()?;
        self.unchanged()?;
        let (open, lease) = self.lease(&checked)?;
        if lacking != [self.region.clone()] || memory.is_stale() {
            memory.forget().map_err(failed(path))?;
        }
        if let Some(content) = ours {
            mark::begin(&open, &checked.identity, content.and(Content::Noise));
        }
        let broken = || lease.as_ref().is_some_and(|lease| !lease.holds());
        let stop = || self.interrupted() || broken();
        let wrote = self.write(Onto::Zeros(&open), &pieces, found, with, &stop);
        let broken = broken();
        if let Some(content) = ours {
            mark::settle(path, &checked.identity, content.and(Content::Noise));
        }
        let wrote = wrote?;
        if wrote.data_found || wrote.stopped && broken {
            let why =
                if wrote.data_found { "another program wrote to it" } else { "another program opened it" };
            return Err(refused(
                path,
                format!(
                    "refused: {why} while prefill was filling {}: {} of {} bytes were filled, the rest was left; \
                     close it there and retry",
                    path.display(),
                    wrote.bytes,
                    found.to_write
                ),
            ));
        }
        if wrote.stopped {
            return Ok(());
        }
        if !self.no_gaps_left(found) {
            return Ok(());
        }
        self.remember(&mut memory, found);
        if let Some(content) = ours {
            mark::settle(path, &checked.identity, content.and(Content::Noise));
        }
        Ok(())
    }

    /// Asks whether a file that is not fathom's may be filled; sets the end of the prefill where it may not.
    ///
    /// # Errors
    /// The file carries data, or there is nobody to ask.
    fn may_fill_file(&self, found: &mut Prefill, with: &mut dyn Prefilling) -> Result<bool, PrefillError> {
        self.carries_nothing()?;
        match with.consent(found) {
            Answer::Yes => Ok(true),
            Answer::No => {
                found.end = if self.interrupted() { PrefillEnd::Interrupted } else { PrefillEnd::Declined };
                Ok(false)
            }
            Answer::Nobody => {
                let (p, bytes) = (self.path.display(), found.to_write);
                Err(refused(
                    self.path,
                    format!(
                        "refused: prefill would write {bytes} bytes of noise into {p} where zeros are read \
                         now, and fathom has not made it; to have it filled, add --yes"
                    ),
                ))
            }
        }
    }

    /// Refuses a file that has changed since it was examined.
    fn unchanged(&self) -> Result<(), PrefillError> {
        let path = self.path;
        let now = std::fs::metadata(path).map_err(failed(path))?;
        let state =
            |m: &Metadata| (m.ino(), m.dev(), m.len(), m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec());
        if state(&now) != state(&self.meta) {
            let p = path.display();
            let text = format!("refused: {p} has changed while it was looked at; nothing was written");
            return Err(refused(path, text));
        }
        Ok(())
    }

    /// Whether the file system reports no gap in the region any more; notes the gaps that it still reports.
    fn no_gaps_left(&self, found: &mut Prefill) -> bool {
        let Ok(Some(left)) = extents::gaps(&self.open, self.region.start, self.region.end, MOST) else {
            return true;
        };
        let (holes, unwritten) = left.bytes();
        found.left = Some(Unfilled { holes, unwritten, zeros: 0 });
        let bytes = holes + unwritten;
        if bytes > 0 {
            found
                .notes
                .push(format!("{bytes} bytes are still said to be unwritten: not remembered as filled"));
        }
        bytes == 0
    }

    /// Opens the file for writing, which must be the one that was looked at, and takes a lease on it: as long as it is
    /// held, no other program can open the file. From here on this is the only open descriptor.
    fn lease(&mut self, checked: &Seen) -> Result<(File, Option<WriteLease>), PrefillError> {
        let path = self.path;
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let open = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| failed(path)(e.into()))?;
        let open = File::from(open);
        let now = Seen::of(&open).map_err(failed(path))?;
        if !now.identity.is(&checked.identity) {
            let text = format!(
                "refused: {} is not the file that was checked: another one took its place; nothing was written",
                path.display()
            );
            return Err(refused(path, text));
        }
        self.open = open.try_clone().map_err(failed(path))?;
        let lease = match WriteLease::take(&open) {
            Ok(Some(lease)) => Some(lease),
            Ok(None) => return Err(self.opened_elsewhere()),
            Err(e) => {
                let consent = self.consent();
                if !consent.covers(&self.meta) {
                    let p = path.display();
                    let text = format!(
                        "refused: {p} cannot be leased ({}), so a program that opens it during the filling would not \
                         be noticed; to have it filled anyway, add --allow-destroy={p}",
                        plain(&e)
                    );
                    return Err(refused(path, text));
                }
                None
            }
        };
        Ok((open, lease))
    }

    fn opened_elsewhere(&self) -> PrefillError {
        let text = format!(
            "refused: {} is open elsewhere (a program, a virtual machine, a mapping), which may write to it; close it \
             there first",
            self.path.display()
        );
        refused(self.path, text)
    }

    /// Nobody else may be writing: what was a hole when we looked may hold his data when we write.
    fn unused(&self) -> Result<(), PrefillError> {
        if usage::file_has_writer(&self.open) != Some(true) {
            return match has_other_openers(&self.open) {
                Some(true) => Err(self.opened_elsewhere()),
                _ => Ok(()),
            };
        }
        let path = self.path.display();
        let text = format!(
            "refused: {path} is open for writing elsewhere (a program, a virtual machine, a loop device), and what \
             is a hole now may be its data in a moment; close it there first"
        );
        Err(refused(self.path, text))
    }

    /// Stretches of zeros where data lies. A sample decides whether it is worth reading everything; where the file
    /// system tells nothing, everything is read that is not remembered as filled.
    fn zeros(
        &self,
        found: &mut Prefill,
        gaps: Option<&Gaps>,
        memory: &Memory,
    ) -> io::Result<Vec<Range<u64>>> {
        let (mut written, mut zero) = (0u64, 0u64);
        let looked = zeros::sample_region(self.path, self.region.clone(), SAMPLES, PATIENCE, &mut |block| {
            found.sampled_blocks += 1;
            found.zero_blocks += u32::from(block.zero);
            if !gaps.is_some_and(|gaps| gaps.has(block.offset)) {
                written += 1;
                zero += u64::from(block.zero);
            }
        });
        let read_through = if zero * 100 > written || looked != Some(true) {
            vec![self.region.clone()]
        } else if gaps.is_none() {
            memory.lacks(self.region.clone())
        } else {
            return Ok(Vec::new());
        };
        let mut runs = Vec::new();
        for part in read_through {
            for data in between(part, gaps.map_or(&[], |gaps| &gaps.list)) {
                zeros::runs(&self.open, data, MOST, &|| self.interrupted(), &mut runs)?;
            }
        }
        Ok(runs)
    }

    /// Too little space is said before a byte is written.
    fn room_for(&self, missing: &Unfilled) -> Result<(), PrefillError> {
        let kind = self.stack.layers.first().map_or("", |layer| match layer {
            Layer::FileSystem(mounted) => mounted.kind.as_str(),
            Layer::Device(_) => "",
        });
        // These write nothing where it was before.
        let anew = matches!(kind, "btrfs" | "zfs" | "bcachefs");
        let needed = missing.holes + if anew { missing.zeros } else { 0 };
        enough(self.path, self.path, needed)
    }

    fn device(&self, found: &mut Prefill, with: &mut dyn Prefilling) -> Result<(), PrefillError> {
        let (path, root) = (self.path, &self.asked.root);
        let Some(device) = Device::of(root, DeviceNumber::from_raw(self.meta.rdev())) else {
            return Err(target(path, "sysfs does not know it, so that its use cannot be told"));
        };
        let mut memory = Memory::of_device(root, &device, found.size, self.asked.state.as_deref());
        let mut lacking = memory.lacks(self.region.clone());
        let (mut remembered, mut other) = (Zeros::default(), Zeros::default());
        let looked = zeros::sample_region(path, self.region.clone(), SAMPLES, PATIENCE, &mut |block| {
            let known = !lacking.iter().any(|r| r.contains(&block.offset));
            let here = if known { &mut remembered } else { &mut other };
            here.sampled += 1;
            here.zero += u32::from(block.zero);
        });
        found.sampled_blocks = remembered.sampled + other.sampled;
        found.zero_blocks = remembered.zero + other.zero;
        let empty = |z: &Zeros| z.zero * 100 > z.sampled;
        let mistaken = empty(&remembered);
        if mistaken {
            found.notes.push("it was remembered as filled, but holds zeros: filled anew".into());
            lacking = vec![self.region.clone()];
        }
        if lacking.is_empty() {
            found.end = PrefillEnd::FilledBefore;
            return Ok(());
        }
        // A discard since may be too small for a sample to meet.
        if memory.is_stale() {
            found
                .notes
                .push("it was filled before, but discarded from or connected anew since: filled anew".into());
        } else if looked == Some(true) && found.sampled_blocks > 0 && !empty(&other) && !mistaken {
            found.end = PrefillEnd::Whole;
            return Ok(());
        }
        found.pieces = lacking.len() as u64;
        found.to_write = lacking.iter().map(|r| r.end - r.start).sum();
        let _guard = self.claim(&device, found.to_write)?;
        if let DeviceKind::Loop { backing } = &device.kind
            && let Ok(file) = File::open(root.path(backing))
            && let Ok(meta) = file.metadata()
            && let Some(missing) = extents::missing(&file, meta.len())
        {
            enough(path, &root.path(backing), missing.holes.min(found.to_write))?;
        }
        if mistaken || memory.is_stale() {
            memory.forget().map_err(failed(path))?;
        }
        if !self.write(Onto::Device(path), &lacking, found, with, &|| self.interrupted())?.stopped {
            self.remember(&mut memory, found);
        }
        Ok(())
    }

    /// A file that holds a file system, a volume or a disk image: where zeros are read there, zeros are meant.
    fn carries_nothing(&self) -> Result<(), PrefillError> {
        let consent = self.consent();
        let signatures = signature::find(&self.open, self.meta.len()).map_err(failed(self.path))?;
        let Some(first) = signatures.first().filter(|_| !consent.covers(&self.meta)) else { return Ok(()) };
        let p = self.path.display();
        let text = format!(
            "refused: prefill would write noise where zeros are read in {p}, which carries {first}; to have it \
             filled: fathom prefill --yes --allow-destroy={p} {p}"
        );
        Err(refused(self.path, text))
    }

    /// A device is written to only where its name was repeated, nobody uses it, and we have it for ourselves.
    fn claim(&self, device: &Device, bytes: u64) -> Result<Guard, PrefillError> {
        let path = self.path;
        let p = path.display();
        let live: Vec<String> =
            usage::live(&self.asked.root, device).iter().map(|used| used.to_string()).collect();
        if !live.is_empty() {
            let text = format!("refused: prefill would overwrite {p}: {}; end that first", live.join("; "));
            return Err(refused(path, text));
        }
        let consent = self.consent();
        let guard = check_one(path, "prefill", &consent, &self.asked.root)?;
        if !consent.covers(&self.meta) {
            let text = format!(
                "refused: prefill would overwrite {p}: all {bytes} bytes asked for, whatever is there; to have it \
                 filled, add --allow-destroy={p}"
            );
            return Err(refused(path, text));
        }
        if guard.devices.is_empty() {
            let text = format!(
                "refused: prefill would overwrite {p}: another program or the kernel holds it exclusively; end that \
                 first"
            );
            return Err(refused(path, text));
        }
        Ok(guard)
    }

    /// Writes the pieces, until `stop` says so.
    fn write(
        &self,
        onto: Onto<'_>,
        pieces: &[Range<u64>],
        found: &mut Prefill,
        with: &mut dyn Prefilling,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Filled, PrefillError> {
        let began = Instant::now();
        let total = found.to_write;
        let filled = filler::fill(onto, pieces, &mut |done| with.wrote(done, total), stop);
        let filled = filled.map_err(|source| PrefillError::Fill { path: self.path.into(), source })?;
        found.seconds = began.elapsed().as_secs_f64();
        (found.written, found.direct) = (filled.bytes, filled.direct);
        found.end = if filled.stopped { PrefillEnd::Interrupted } else { PrefillEnd::Filled };
        Ok(filled)
    }

    fn remember(&self, memory: &mut Memory, found: &mut Prefill) {
        match memory.remember(self.region.clone()) {
            Ok(place) => found.remembered_in = Some(place),
            Err(e) => found.notes.push(format!("it cannot be remembered as filled: {}", plain(&e))),
        }
    }
}

/// Whether `needed` bytes more fit where `place` lies, with a hundredth and a MiB for what the file system keeps of them,
/// and what `run::space` leaves free.
fn enough(path: &Path, place: &Path, needed: u64) -> Result<(), PrefillError> {
    if needed == 0 {
        return Ok(());
    }
    let space = rustix::fs::statvfs(place).map_err(|e| failed(path)(e.into()))?;
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    let reserve = run::space::room(place).map_or(0, |room| room.reserve);
    if needed.saturating_add(needed / 100).saturating_add(MIB).saturating_add(reserve) <= free {
        return Ok(());
    }
    let whose = if place == path { String::new() } else { format!(" under its file {}", place.display()) };
    let why = format!(
        "filling its holes needs {} MiB, and {} MiB are free{whose}; nothing was written",
        needed.div_ceil(MIB),
        free / MIB
    );
    Err(target(path, why))
}

/// What of `part` lies in no gap.
fn between(part: Range<u64>, gaps: &[Gap]) -> Vec<Range<u64>> {
    let mut data = Vec::new();
    let mut at = part.start;
    for gap in gaps.iter().filter(|g| g.start < part.end && g.start + g.length > part.start) {
        if gap.start > at {
            data.push(at..gap.start);
        }
        at = at.max(gap.start + gap.length);
    }
    if at < part.end {
        data.push(at..part.end);
    }
    data
}

/// Gaps and zeros in order, joined where they touch.
fn pieces(gaps: &[Gap], mut zeros: Vec<Range<u64>>) -> Vec<Range<u64>> {
    zeros.extend(gaps.iter().map(|g| g.start..g.start + g.length));
    zeros.sort_by_key(|r| r.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in zeros {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

/// A file that a job will read and that is not all there.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    /// Path.
    pub path: PathBuf,
    /// The job that reads it; index into [`Plan::jobs`].
    pub job: usize,
    /// First byte that is read.
    pub offset: u64,
    /// Bytes from there.
    pub length: u64,
    /// Bytes of them that were never written.
    pub missing: u64,
    /// fathom made it: nobody is asked.
    pub scratch: bool,
}

impl Sparse {
    /// Share of what is read that was never written, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.missing as f64 / self.length.max(1) as f64
    }
}

/// A file of which more than a hundredth of this region was never written; `None` where nothing can be told.
pub fn sparse(path: &Path, region: Range<u64>, job: usize) -> Option<Sparse> {
    // Before it is opened: a pipe would wait for its writer.
    let open = std::fs::metadata(path).ok().filter(Metadata::is_file).and_then(|_| File::open(path).ok())?;
    let missing = extents::missing_between(&open, region.start, region.end)?;
    let missing = missing.holes + missing.unwritten.unwrap_or(0);
    let length = region.end.saturating_sub(region.start);
    (missing > length / 100).then(|| Sparse {
        path: path.into(),
        job,
        offset: region.start,
        length,
        missing,
        scratch: is_scratch(path),
    })
}

/// Files looked at before a run.
const FILES: usize = 64;

/// Files that are there, that jobs of this plan read, and of which more than a hundredth was never written.
pub fn sparse_files(plan: &Plan) -> Vec<Sparse> {
    let mut regions: BTreeMap<&Path, (usize, Range<u64>)> = BTreeMap::new();
    for clone in &plan.clones {
        if !plan.jobs.get(clone.job).is_some_and(reads) {
            continue;
        }
        let there = clone
            .files
            .iter()
            .filter(|f| f.kind == FileKind::Regular && f.layout == Layout::Keep && f.length > 0);
        for file in there {
            let full = regions.len() >= FILES;
            match regions.get_mut(file.path.as_path()) {
                Some((_, all)) => {
                    *all = all.start.min(file.start)..all.end.max(file.start + file.length);
                }
                None if full => {}
                None => {
                    regions.insert(&file.path, (clone.job, file.start..file.start + file.length));
                }
            }
        }
    }
    regions.into_iter().filter_map(|(path, (job, region))| sparse(path, region, job)).collect()
}

/// What changes a file may fill it: only what reads and nothing else is a read test.
fn reads(job: &Job) -> bool {
    let mix = &job.pattern.mix;
    mix.has(Direction::Read)
        && !mix.has(Direction::Write)
        && !mix.has(Direction::Trim)
        && job.engine.needs_files()
        && job.engine.does_io()
        && job.engine != EngineChoice::Falloc
        && !job.target.create_only
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // one range is what is meant
mod tests {
    use super::*;

    fn gap(start: u64, length: u64) -> Gap {
        Gap { start, length, reserved: false }
    }

    #[test]
    fn data_is_what_lies_between_gaps_and_pieces_are_gaps_and_zeros_joined() {
        let gaps = [gap(0, 4), gap(8, 4), gap(12, 2)];
        assert_eq!(between(0..20, &gaps), [4..8, 14..20]);
        assert_eq!(between(5..9, &gaps), [5..8]);
        assert_eq!(between(8..12, &gaps), []);
        assert_eq!(between(2..3, &[]), [2..3]);
        assert_eq!(pieces(&gaps, vec![16..18, 4..6]), [0..6, 8..14, 16..18]);
    }
}
