//! Filling of unwritten ranges, because reads of holes, unwritten extents or zeros do not reach the medium.

mod device;
mod error;
mod file;
mod ranges;
mod sparse;

use crate::filled::{FilledRecord, NotRecorded};
use crate::target_fault::TargetFault;
pub use error::{PrefillError, PrefillRefusal};
use error::{failed, target};
use facts::SysRoot;
use facts::file_usage::FilesInUse;
use facts::layers::Stack;
use job::plan::Inspect;
use run::consent::{Consent, Policy, is_scratch};
use run::filler::{self, Filled, Onto};
use run::prepare::Host;
use run::wear::{self, WriteAllowance};
use rustix::fs::{Mode, OFlags};
pub use sparse::{Sparse, sparse, sparse_files};
use stats::unit::MIB;
use stats::wear::{DriveWear, PlannedWrites};
use stats::{Prefill, PrefillEnd, PrefillNote, PrefillTarget};
use std::fs::{File, Metadata};
use std::ops::Range;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Largest number of gaps kept in memory (64 MiB).
const MOST: usize = 4 << 20;
/// Number of blocks that are sampled for zeros.
const SAMPLES: u64 = 512;
/// Time limit for sampling; a rotational disk needs about five seconds.
const PATIENCE: Duration = Duration::from_secs(10);
/// Alignment of the region to fill, in bytes; the end may be unaligned at the end of the target.
pub const BLOCK: u64 = 4096;

/// Target and range to fill.
pub struct PrefillRequest {
    /// File or block device to fill.
    pub target: PathBuf,
    /// Start of the region, in bytes; a multiple of [`BLOCK`].
    pub offset: u64,
    /// Length of the region, in bytes; `None` for the rest of the target.
    pub size: Option<u64>,
    /// Devices that may be overwritten (`--allow-destroy`).
    pub allow_destroy: Vec<PathBuf>,
    /// Directory for the records of filled devices; `None` if no record is kept.
    pub state: Option<PathBuf>,
    /// Data that the command may still write (`--wear-budget`); `None` without a budget.
    pub allowance: Option<Arc<WriteAllowance>>,
    /// Root of the file tree from which facts about the machine are read (sysfs, procfs).
    pub root: SysRoot,
    /// Number of the signal that requested an early end; 0 if none has arrived.
    pub interrupt: Arc<AtomicUsize>,
}

/// Answer to the question whether a file may be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The file may be filled.
    Yes,
    /// The file must not be filled.
    No,
    /// The question cannot be asked, because no terminal is connected.
    Nobody,
}

/// Receives the question for consent, and the progress.
pub trait Prefilling {
    /// Returns the answer to the question whether the file described by `found`, which fathom did not create, may be
    /// filled.
    fn consent(&mut self, found: &Prefill) -> Answer;
    /// Reports the writes to each flash drive, before the question and before the first write.
    fn planned(&mut self, _wear: &[DriveWear]) {}
    /// Reports that `done` of `total` bytes are written.
    fn wrote(&mut self, done: u64, total: u64);
}

/// Finds the unwritten ranges of a target, asks for consent, fills them and records the region as filled.
///
/// # Errors
/// The target cannot be filled, filling is refused, or a write fails.
pub fn prefill(asked: &PrefillRequest, with: &mut dyn Prefilling) -> Result<Prefill, PrefillError> {
    let path = &asked.target;
    if path.to_str().is_some_and(job::remote::is_remote_target) {
        return Err(target(path, TargetFault::OnServer));
    }
    let meta = std::fs::metadata(path).map_err(failed(path))?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let kind = meta.file_type();
    if kind.is_dir() {
        return Err(target(path, TargetFault::Directory));
    }
    if !kind.is_file() && !kind.is_block_device() {
        return Err(target(path, TargetFault::NotFillable));
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
            // A file that the system uses is treated as the user's, even if fathom made it.
            false if is_scratch(path) && !in_use(&asked.root, &meta) => PrefillTarget::ScratchFile,
            false => PrefillTarget::File,
        },
        stack: stack.words(),
        size,
        offset: region.start,
        length: region.end - region.start,
        ..Prefill::default()
    };
    let mut filling = Filling { asked, path, open, meta, region, stack };
    if device {
        filling.device(&mut found, with)?
    } else {
        filling.file(&mut found, with)?
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
    for (option, value) in [("offset", Some(*offset)), ("size", length)] {
        if let Some(value) = value.filter(|v| v % BLOCK != 0) {
            return Err(PrefillError::Unaligned { option, value });
        }
    }
    if *offset > 0 && *offset >= size {
        return Err(PrefillError::AfterEnd { path: asked.target.clone(), offset: *offset, size });
    }
    Ok(*offset..end)
}

/// A target while it is examined and filled.
struct Filling<'a> {
    asked: &'a PrefillRequest,
    path: &'a Path,
    /// Descriptor for reading; from the lease on, the leased descriptor.
    open: File,
    meta: Metadata,
    region: Range<u64>,
    stack: Stack,
}

impl Filling<'_> {
    fn consent(&self) -> Consent {
        Consent::new(Policy::Own, self.asked.allow_destroy.clone())
    }

    fn interrupted(&self) -> bool {
        self.asked.interrupt.load(Relaxed) != 0
    }

    /// Checks that `bytes` bytes are within `--wear-budget`, takes them, and reports them to `with`.
    fn afford(&self, bytes: u64, with: &mut dyn Prefilling) -> Result<(), PrefillError> {
        let (path, root) = (self.path, &self.asked.root);
        let allowance = self.asked.allowance.as_deref();
        wear::afford(allowance, path, bytes, root)?;
        with.planned(&wear::on_drives(root, path, PlannedWrites::exactly(bytes), 0.0, allowance));
        if let Some(allowance) = allowance.filter(|allowance| !allowance.take(bytes)) {
            return Err(allowance.refusal(path, Some(bytes)).into());
        }
        Ok(())
    }

    /// Writes `pieces` until `stop` returns true, reports progress to `with`, and sets time, bytes and end in `found`.
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

    fn remember(&self, memory: &mut FilledRecord, found: &mut Prefill) {
        match memory.remember(self.region.clone()) {
            Ok(place) => found.remembered_in = Some(place),
            Err(NotRecorded::NoStateDirectory) => found.notes.push(PrefillNote::NoStateDirectory),
            Err(NotRecorded::System(errno)) => {
                found.notes.push(PrefillNote::NotRecorded { errno: errno.raw_os_error() });
            }
        }
    }
}

/// Checks that `needed` bytes fit in the file system of `place`, in addition to 1 % and 1 MiB for metadata and the
/// reserve of `run::space`.
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
    let under = (place != path).then(|| place.to_owned());
    Err(target(path, TargetFault::NoRoomToFill { needed, free, under }))
}
