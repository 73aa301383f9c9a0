//! Files before the run: they are examined for the plan, laid out as in fio, and opened with the job's flags.

use crate::assignment::Assignment;
use crate::finish::Finish;
use crate::job_error::{self, OpenError, errno_of};
use crate::line::Line;
use crate::mark::Content;
use crate::payload::overlay;
use crate::random::stream_seed;
use crate::targets;
use crate::targets::{TargetError, Targets};
use crate::trace_file;
use crate::watch::Notice;
use engine::noise::Noise;
use facts::SysRoot;
use facts::layers::DeviceNumber;
use job::job::{EngineChoice, Entry, Fadvise, Fallocate, Job, Mix, NameCall, Order, SyncMode};
use job::plan::{FileKind, Inspect, Layout, PathState, Plan, PlannedFile, PlannedJob, ScsiTarget};
use job::remote::RemoteSpec;
use rustix::fd::OwnedFd;
use rustix::fs::{Advice, AtFlags, FallocateFlags, FileType, Mode, OFlags, StatxFlags};
use rustix::io::Errno;
use stats::note::{Note, NoteFact, NoteKind};
use stats::{Direction, JobError};
use std::fs::{File, Metadata};
use std::io::{self, BufRead, Read};
use std::num::NonZeroU64;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, FileExt, FileTypeExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// Maximum number of bytes per write of the layout.
const CHUNK: usize = 1 << 20;

/// Random stream of the contents of the layout, independent of the streams of the job's I/O.
const LAYOUT_STREAM: u64 = 0x6c61_796f_7574;

/// Inspection of files on this machine, for [`job::plan::plan`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Host;

impl Inspect for Host {
    fn inspect(&mut self, path: &Path) -> io::Result<PathState> {
        let meta = match std::fs::metadata(path) {
            Ok(meta) => meta,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Ok(PathState { kind: FileKind::Regular, exists: false, size: 0 });
            }
            Err(e) => return Err(e),
        };
        let kind = meta.file_type();
        if kind.is_block_device() {
            let device =
                rustix::fs::open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
            return Ok(PathState { kind: FileKind::Block, exists: true, size: sys::block::size(&device)? });
        }
        if kind.is_char_device() {
            let size = character_bytes(path, &meta)?.unwrap_or(meta.len());
            return Ok(PathState { kind: FileKind::Char, exists: true, size });
        }
        Ok(PathState { kind: FileKind::Regular, exists: true, size: meta.len() })
    }

    fn scsi(&mut self, path: &Path) -> io::Result<ScsiTarget> {
        let meta = std::fs::metadata(path)?;
        let (root, number) = (SysRoot::machine(), DeviceNumber::from_raw(meta.rdev()));
        let kind = meta.file_type();
        // Commands to a device mapper device or a partition are passed on to the disk below.
        let of_scsi = if kind.is_char_device() {
            facts::generic::is_scsi_generic(&root, number)
        } else if root.path(number.sysfs().join("partition")).exists() {
            return Ok(ScsiTarget::Partition);
        } else {
            facts::generic::is_scsi_disk(&root, number)
        };
        if !of_scsi {
            return Ok(ScsiTarget::Other);
        }
        let device =
            rustix::fs::open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
        Ok(sys::scsi::capacity(&device)
            .map_or(ScsiTarget::Other, |found| ScsiTarget::Disk { bytes: found.bytes() }))
    }

    fn remote(&mut self, spec: &RemoteSpec, path: &Path) -> io::Result<PathState> {
        crate::remote::inspect(spec, path)
    }

    /// Copies standard input, pipes and sockets to a file without a name, because the trace is read twice.
    fn open_trace(&mut self, path: &Path) -> io::Result<(PathBuf, Box<dyn BufRead>)> {
        if path.as_os_str() == "-" {
            return spool(io::stdin().lock());
        }
        let kind = std::fs::metadata(path)?.file_type();
        if kind.is_socket() {
            return spool(UnixStream::connect(path)?);
        }
        let file = File::open(path)?;
        if kind.is_fifo() {
            return spool(file);
        }
        Ok((path.to_owned(), trace_file::reader(file)?))
    }

    fn device(&mut self, major: u32, minor: u32) -> Option<PathBuf> {
        let properties = std::fs::read_to_string(format!("/sys/dev/block/{major}:{minor}/uevent")).ok()?;
        let name = properties.lines().find_map(|line| line.strip_prefix("DEVNAME="))?;
        Some(Path::new("/dev").join(name))
    }

    /// Examines the file by opening it, without stat(2) on its path.
    fn inspect_as(&mut self, path: &Path, kind: FileKind) -> io::Result<PathState> {
        let there = |size| Ok(PathState { kind, exists: true, size });
        if kind == FileKind::Char {
            // Some character devices act when they are opened; this is left to the job. Namespaces do not.
            let meta = std::fs::metadata(path);
            return there(meta.map_or(Ok(None), |meta| character_bytes(path, &meta))?.unwrap_or(0));
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let open = match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(open) => open,
            Err(Errno::NOENT) if kind == FileKind::Regular => {
                return Ok(PathState { kind, exists: false, size: 0 });
            }
            Err(e) => return Err(e.into()),
        };
        let found = rustix::fs::fstat(&open)?;
        match (FileType::from_raw_mode(found.st_mode), kind) {
            (FileType::BlockDevice, FileKind::Block) => there(sys::block::size(&open)?),
            (FileType::RegularFile, FileKind::Regular) => there(found.st_size as u64),
            _ => Err(kind.mistaken()),
        }
    }
}

/// Returns the bytes of the NVMe namespace, the flash or the DAX memory whose character device is at `path`; `None` for
/// other devices. Only namespaces are opened.
fn character_bytes(path: &Path, meta: &Metadata) -> io::Result<Option<u64>> {
    let (root, number) = (SysRoot::machine(), DeviceNumber::from_raw(meta.rdev()));
    if !facts::generic::is_nvme_namespace(&root, number) {
        return Ok(facts::generic::memory_bytes(&root, number));
    }
    let device = rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(Some(sys::nvme::namespace(&device)?.bytes()))
}

/// Progress of the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutStep {
    /// The layout of a clone's files begins: fio's line `NAME: Laying out IO file (1 file / 4MiB)`.
    Start {
        /// Name of the job (`name=`).
        job: String,
        /// Number of files to be created.
        files: u32,
        /// Total size of the files in bytes.
        bytes: u64,
    },
    /// Progress of the files that the plan writes completely.
    Wrote {
        /// Number of bytes written so far.
        done: u64,
        /// Number of bytes to be written in all, as far as the plan determines it.
        total: u64,
    },
}

/// Result of the layout.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laid {
    /// Files that this run created, in order.
    pub made: Vec<PathBuf>,
    /// Clones (index into [`Plan::clones`]) whose files could not be created, with the error; `None` if a note
    /// already reports it. As in fio, such a clone counts as a failed job with `pid=0`, is left out of the report,
    /// and the others run.
    pub failed: Vec<(usize, Option<JobError>)>,
    /// Notes for standard error, as in fio.
    pub notes: Vec<Note>,
    /// Whether `stop` ended the layout; the file that was being written was deleted.
    pub interrupted: bool,
}

/// Creates the files of all clones, one after the other, as each file's `layout` requires. As in fio, a file that an
/// earlier clone has already made large enough is not changed. `stop` is called before each MiB that is written.
pub fn lay_out(plan: &Plan, progress: &mut dyn FnMut(LayoutStep), stop: &dyn Fn() -> bool) -> Laid {
    lay_out_some(plan, &Targets::unchecked(), &|_| true, progress, stop)
}

/// Creates the files of the clones for which `these` returns true, as [`lay_out`] does.
pub(crate) fn lay_out_some(
    plan: &Plan,
    targets: &Targets,
    these: &dyn Fn(&PlannedJob) -> bool,
    progress: &mut dyn FnMut(LayoutStep),
    stop: &dyn Fn() -> bool,
) -> Laid {
    let mut laid = Laid::default();
    let mut work = Work { targets, progress, stop, done: 0, total: 0, words: Vec::new(), bytes: Vec::new() };
    let writes = |f: &&PlannedFile| f.layout == Layout::Write;
    let clones = || plan.clones.iter().enumerate().filter(|(_, clone)| these(clone));
    let sizes = clones().flat_map(|(_, c)| c.files.iter().filter(writes)).map(|f| f.size);
    work.total = sizes.fold(0, u64::saturating_add);
    for (index, clone) in clones() {
        let Some(job) = plan.jobs.get(clone.job) else { continue };
        if let EngineChoice::Names(entry, _) = job.engine
            && !all_are(entry, clone)
        {
            let files = entry == Entry::File;
            let fact = if files { NoteFact::OnlyFiles } else { NoteFact::OnlyDirectories };
            laid.notes.push(fio_note(job, fact));
            laid.failed.push((index, None));
            continue;
        }
        let directories =
            matches!(job.engine, EngineChoice::Names(Entry::Directory, call) if call != NameCall::Create);
        if !job.engine.needs_files() && !directories {
            continue;
        }
        let done = if directories {
            make_directories(job, clone, &mut laid)
        } else {
            lay_out_clone(job, clone, &mut work, &mut laid)
        };
        match done {
            Ok(()) => {}
            Err(Failed::Stopped) => {
                laid.interrupted = true;
                break;
            }
            Err(Failed::Said) => laid.failed.push((index, None)),
            Err(Failed::Error(error)) => laid.failed.push((index, Some(error))),
        }
    }
    laid
}

/// Lays out the files of a worker's own clone and updates their lengths. Returns false if the worker cannot continue.
pub(crate) fn lay_out_own(a: &Assignment<'_>, clone: &mut PlannedJob, finish: &mut Finish) -> bool {
    let mut tell = |step| {
        if let LayoutStep::Start { job, files, bytes } = step {
            a.phase.notify(Notice::Layout { job, files: u64::from(files), bytes });
        }
    };
    let own = |other: &PlannedJob| other.is_same(a.clone);
    let laid = lay_out_some(a.plan, a.targets, &own, &mut tell, &|| a.control.stopped());
    laid.notes.into_iter().for_each(|note| a.phase.notify(Notice::Note(note)));
    if let Some((_, error)) = laid.failed.into_iter().next() {
        finish.unlaid = Some(error.clone().unwrap_or_else(job_error::refused));
        finish.error = error;
        return false;
    }
    let filled = reads_filled(a.job());
    if filled {
        shorten(a.job(), clone);
    }
    !(laid.interrupted || filled && clone.io_bytes == 0)
}

/// Returns whether all existing paths of the clone are of this kind: a device must not be created again, much less
/// deleted.
fn all_are(entry: Entry, clone: &PlannedJob) -> bool {
    clone.files.iter().all(|file| {
        std::fs::metadata(&file.path)
            .map_or(true, |meta| if entry == Entry::File { meta.is_file() } else { meta.is_dir() })
    })
}

/// Creates the directories that a job will examine or delete.
fn make_directories(job: &Job, clone: &PlannedJob, laid: &mut Laid) -> Result<(), Failed> {
    for file in clone.files.iter().filter(|file| !file.path.exists()) {
        // As with a missing file, the job continues and fails when it looks for the directories.
        if job.target.readonly {
            laid.notes.push(fio_note(job, NoteFact::DirectoryUnderReadonly));
            continue;
        }
        if !job.target.allow_file_create {
            laid.notes.push(fio_note(job, NoteFact::CreationDisallowed));
            return Err(Failed::Said);
        }
        make_parents(&file.path, job, laid)?;
        std::fs::DirBuilder::new().mode(0o700).create(&file.path).map_err(|e| failed(e, "mkdir"))?;
    }
    Ok(())
}

struct Work<'a> {
    targets: &'a Targets,
    progress: &'a mut dyn FnMut(LayoutStep),
    stop: &'a dyn Fn() -> bool,
    done: u64,
    total: u64,
    /// Data of the next write, as words of noise; `bytes` is the same with the pattern. Both are reused for each
    /// file.
    words: Vec<u64>,
    bytes: Vec<u8>,
}

/// Copies a trace to a file without a name, which exists until the program ends.
fn spool(mut from: impl Read) -> io::Result<(PathBuf, Box<dyn BufRead>)> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let mut copy = File::from(rustix::fs::open(std::env::temp_dir(), flags, Mode::from_raw_mode(0o600))?);
    io::copy(&mut from, &mut copy)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}", copy.as_raw_fd()));
    // The path needs the descriptor; the workers open the trace by it later.
    std::mem::forget(copy);
    let again = File::open(&path)?;
    Ok((path, trace_file::reader(again)?))
}

enum Failed {
    Stopped,
    Said,
    Error(JobError),
}

fn failed(e: impl Into<io::Error>, function: impl Into<String>) -> Failed {
    Failed::Error(job_error(e.into(), function))
}

/// Converts the error of a target. Refusals are reported at the end of the run.
fn refused_or(e: TargetError, function: &str) -> Failed {
    match e {
        TargetError::System(errno) => failed(errno, function),
        TargetError::Refused(_) => Failed::Said,
    }
}

fn job_error(e: io::Error, function: impl Into<String>) -> JobError {
    job_error::of_errno(errno_of(&e), function)
}

fn lay_out_clone(job: &Job, clone: &PlannedJob, work: &mut Work, laid: &mut Laid) -> Result<(), Failed> {
    let target = &job.target;
    if !target.readonly {
        let mut made = None;
        for file in clone.files.iter().filter(|f| f.layout != Layout::Keep) {
            // Compared with the previous parent only: 100,000 files lie in few directories.
            if made.replace(file.path.parent()) != Some(file.path.parent()) {
                make_parents(&file.path, job, laid)?;
            }
        }
    }
    let wanted = |f: &&PlannedFile| match f.layout {
        Layout::Write | Layout::Reserve | Layout::Extend => {
            std::fs::metadata(&f.path).map_or(true, |m| !m.is_file() || m.len() < f.size)
        }
        // A missing file that must not be created: fio begins the layout and reports why it ends.
        Layout::Keep => !target.allow_file_create && f.kind == FileKind::Regular && !f.path.exists(),
        Layout::OnOpen => false,
    };
    let files: Vec<&PlannedFile> = clone.files.iter().filter(wanted).collect();
    if files.is_empty() {
        return Ok(());
    }
    let bytes = files.iter().map(|f| f.size).sum();
    (work.progress)(LayoutStep::Start { job: job.name.clone(), files: files.len() as u32, bytes });
    for file in files {
        if target.readonly {
            // As in fio, the job continues and fails when it opens or reads the file.
            laid.notes.push(fio_note(job, NoteFact::FileUnderReadonly));
            continue;
        }
        if !target.allow_file_create {
            // fio has by then deleted a file that was too small; this is not imitated.
            laid.notes.push(fio_note(job, NoteFact::CreationDisallowed));
            return Err(Failed::Said);
        }
        let named = work.targets.names_files();
        make(job, clone, file, work, laid).map_err(|failure| match failure {
            Failed::Error(mut error) if named => {
                error.function = format!("{}({})", error.function, file.path.display());
                Failed::Error(error)
            }
            other => other,
        })?;
        laid.made.push(file.path.clone());
    }
    Ok(())
}

fn fio_note(job: &Job, fact: NoteFact) -> Note {
    Note::new(NoteKind::Fio, job.name.as_str(), fact)
}

fn make_parents(path: &Path, job: &Job, laid: &mut Laid) -> Result<(), Failed> {
    let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty() && !p.exists()) else {
        return Ok(());
    };
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(|e| {
        let path = parent.display().to_string();
        laid.notes.push(fio_note(job, NoteFact::NoDirectory { path, errno: errno_of(&e) }));
        Failed::Said
    })
}

/// Creates one file: the old file is unlinked (its other hard links keep their data), the new one reserved or written
/// completely.
fn make(
    job: &Job,
    clone: &PlannedJob,
    file: &PlannedFile,
    work: &mut Work,
    laid: &mut Laid,
) -> Result<(), Failed> {
    // An empty file keeps its inode, owner, mode and links: nothing in it could be lost.
    let empty = std::fs::metadata(&file.path).is_ok_and(|meta| meta.is_file() && meta.len() == 0);
    if file.layout != Layout::Extend && !empty {
        match work.targets.unlink(&file.path) {
            Ok(()) | Err(TargetError::System(Errno::NOENT)) => {}
            Err(e) => return Err(refused_or(e, "unlink")),
        }
    }
    let mode = Mode::from_raw_mode(0o644);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
    let open =
        work.targets.open(&file.path, flags, mode, Content::of(job)).map_err(|e| refused_or(e, "open"))?;
    let open = File::from(open);
    let whole = file.layout == Layout::Write;
    reserve(job, file, &open, whole, laid)?;
    if whole {
        write_in_full(job, clone, file, &open, work, laid).inspect_err(|_| {
            // Otherwise, a partially written file of full size would count as complete in the next run.
            if empty {
                let _ = open.set_len(0);
            } else {
                let _ = work.targets.unlink(&file.path);
            }
        })?;
        if job.target.create_fsync {
            open.sync_all().map_err(|e| failed(e, "fsync"))?;
        }
    }
    // The advice is optional: file systems without support ignore it.
    let _ = rustix::fs::fadvise(&open, 0, None, Advice::DontNeed);
    Ok(())
}

fn reserve(job: &Job, file: &PlannedFile, open: &File, whole: bool, laid: &mut Laid) -> Result<(), Failed> {
    if file.size == 0 || job.target.fill {
        return Ok(());
    }
    match job.target.fallocate {
        Fallocate::None => {}
        // A file that will be written keeps its true length until then, so that a killed layout leaves a short file.
        // As in fio, a file system that cannot reserve space is used without: the job finds out when it writes.
        Fallocate::Native => {
            let flags = if whole { FallocateFlags::KEEP_SIZE } else { FallocateFlags::empty() };
            let _ = rustix::fs::fallocate(open, flags, 0, file.size);
        }
        Fallocate::Keep => {
            let _ = rustix::fs::fallocate(open, FallocateFlags::KEEP_SIZE, 0, file.size);
        }
        Fallocate::Posix => {
            if let Err(e) = sys::fallocate::posix_fallocate(open, 0, file.size) {
                laid.notes.push(fio_note(job, NoteFact::NotReserved { errno: errno_of(&e) }));
            }
        }
        Fallocate::Truncate => open.set_len(file.size).map_err(|e| failed(e, "ftruncate"))?,
    }
    // Bytes beyond the end of the file cannot be written through a mapping.
    if job.engine.maps_files() && !whole {
        open.set_len(file.size).map_err(|e| failed(e, "ftruncate"))?;
    }
    Ok(())
}

fn write_in_full(
    job: &Job,
    clone: &PlannedJob,
    file: &PlannedFile,
    open: &File,
    work: &mut Work,
    laid: &mut Laid,
) -> Result<(), Failed> {
    let mut noise = Noise::new(stream_seed(clone.seed ^ ((laid.made.len() as u64) << 40), LAYOUT_STREAM));
    // Whole blocks, so that the pattern begins in each block as in the job's writes, and not more than the file
    // holds.
    let block = job.pattern.block.iter().map(|b| b.1).max().unwrap_or(0).clamp(1, CHUNK as u64) as usize;
    let least = file.size.min(CHUNK as u64).next_multiple_of(block as u64) as usize;
    let chunk = (CHUNK / block * block).min(least);
    work.words.resize(chunk.div_ceil(8), 0);
    work.bytes.resize(chunk, 0);
    let mut at = 0;
    while at < file.size {
        if (work.stop)() {
            return Err(Failed::Stopped);
        }
        fill(job, &mut noise, &mut work.words, &mut work.bytes, block);
        let n = (file.size - at).min(chunk as u64);
        if let Err(e) = open.write_all_at(&work.bytes[..n as usize], at) {
            if job.target.fill && is_full(&e) {
                break;
            }
            if e.raw_os_error() == Some(Errno::NOSPC.raw_os_error()) {
                laid.notes.push(fio_note(job, NoteFact::LayoutFull));
            }
            return Err(failed(e, "write"));
        }
        at += n;
        work.done += n;
        (work.progress)(LayoutStep::Wrote { done: work.done, total: work.total.max(work.done) });
    }
    Ok(())
}

fn is_full(e: &io::Error) -> bool {
    [Errno::NOSPC, Errno::DQUOT].iter().any(|full| e.raw_os_error() == Some(full.raw_os_error()))
}

/// Returns the plan with the actual lengths of files that `fill_device` filled and that jobs read; `None` if no job
/// reads such files. Jobs that write continue until the file system is full.
pub(crate) fn as_filled(plan: &Plan) -> Option<Plan> {
    if !plan.jobs.iter().any(reads_filled) {
        return None;
    }
    let mut shortened = plan.clone();
    for clone in shortened.clones.iter_mut().filter(|clone| !clone.lays_out_late) {
        if let Some(job) = plan.jobs.get(clone.job).filter(|job| reads_filled(job)) {
            shorten(job, clone);
        }
    }
    Some(shortened)
}

fn reads_filled(job: &Job) -> bool {
    job.target.fill && job.pattern.mix == Mix::Read
}

fn shorten(job: &Job, clone: &mut PlannedJob) {
    for file in clone.files.iter_mut().filter(|file| file.kind == FileKind::Regular) {
        file.size = std::fs::metadata(&file.path).map_or(0, |meta| meta.len());
        file.length = file.length.min(file.size.saturating_sub(file.start));
    }
    let total = clone.accessed_in_all();
    if job.target.io_size.is_none() || total == 0 {
        clone.io_bytes = clone.io_bytes.min(total);
    }
}

/// Fills `bytes` with contents as in the job's own writes: noise, with the pattern that the job sets.
fn fill(job: &Job, noise: &mut Noise, words: &mut [u64], bytes: &mut [u8], block: usize) {
    noise.fill(words);
    for (to, word) in bytes.chunks_mut(8).zip(words.iter()) {
        to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
    }
    bytes.chunks_mut(block).for_each(|block| overlay(&job.payload, block));
}

/// Opens a file for the job's own I/O with the job's flags, drops its cached pages if the job requests it, and gives
/// the kernel fio's advice. The path may be `/proc/self/fd/N` of an unnamed file.
///
/// # Errors
/// The file cannot be opened, was refused, or does not accept the write hint.
pub fn open_job_file(job: &Job, file: &PlannedFile, targets: &Targets) -> Result<OwnedFd, OpenError> {
    let open = open(job, file, targets)?;
    if job.target.invalidate {
        // fio reports the failure and continues; pages that stay in the page cache appear in the line of the layers.
        let _ = invalidate(&open, file);
    }
    let advice = match (job.target.fadvise, job.pattern.order) {
        (Fadvise::Nothing, _) => None,
        (Fadvise::NoReuse, _) => Some(Advice::NoReuse),
        (Fadvise::Sequential, _) | (Fadvise::Pattern, Order::Sequential { .. }) => Some(Advice::Sequential),
        (Fadvise::Random, _) | (Fadvise::Pattern, Order::Random { .. }) => Some(Advice::Random),
    };
    if let Some(advice) = advice {
        let _ = rustix::fs::fadvise(&open, file.start, NonZeroU64::new(file.length), advice);
    }
    if let Some(hint) = job.target.write_hint {
        let told = sys::hint::set_lifetime(&open, hint);
        told.map_err(|e| job_error(e, "fcntl write hint"))?;
    }
    Ok(open)
}

/// Reads a file's region into the page cache, in blocks of the job's size (`pre_read`).
///
/// # Errors
/// The file cannot be opened or read.
pub(crate) fn pre_read(job: &Job, file: &PlannedFile, stop: &dyn Fn() -> bool) -> Result<(), JobError> {
    let open = File::open(&file.path).map_err(|e| job_error(e, format!("open({})", file.path.display())))?;
    let mut block = vec![0; job.pattern.largest_block().clamp(1, CHUNK as u64) as usize];
    let mut at = file.start;
    while at < file.start + file.length && !stop() {
        match open.read_at(&mut block, at).map_err(|e| job_error(e, "pre_read"))? {
            0 => break,
            n => at += n as u64,
        }
    }
    Ok(())
}

/// Returns the flags with which a job's file is opened.
fn flags(job: &Job, file: &PlannedFile) -> OFlags {
    let target = &job.target;
    // fallocate needs a file that is open for writing, even if none of its data changes.
    let allocates = job.engine == EngineChoice::Falloc && file.kind == FileKind::Regular && !target.readonly;
    let only_checks = job.verify.as_ref().is_some_and(|verify| verify.only);
    let writes = (job.pattern.mix != Mix::Read || allocates) && !only_checks;
    // Commands are written to the character device, those of reads too.
    let sends = job.engine.is_scsi() && file.kind == FileKind::Char;
    let mut flags = OFlags::CLOEXEC | if writes || sends { OFlags::RDWR } else { OFlags::RDONLY };
    let may_create = file.kind == FileKind::Regular && target.allow_file_create && !target.readonly;
    if may_create && (writes || file.layout == Layout::OnOpen) {
        flags |= OFlags::CREATE;
    }
    if matches!(job.engine, EngineChoice::Pmem | EngineChoice::Dax) {
        // Stores are persistent by themselves.
        return flags;
    }
    // Character devices have no page cache, and the kernel refuses O_DIRECT for them.
    if target.direct && !job.engine.needs_character_device() {
        flags |= OFlags::DIRECT;
    }
    flags |= match target.sync {
        SyncMode::None => OFlags::empty(),
        SyncMode::Sync => OFlags::SYNC,
        SyncMode::Dsync => OFlags::DSYNC,
    };
    flags
}

fn open(job: &Job, file: &PlannedFile, targets: &Targets) -> Result<OwnedFd, OpenError> {
    let mode = Mode::from_raw_mode(0o600);
    match targets.open(&file.path, flags(job, file), mode, Content::of(job)) {
        Ok(open) if job.engine.is_atomic() && job.pattern.mix.has(Direction::Write) => {
            match writes_atomically(job, file, &open) {
                None => Ok(open),
                Some(hint) => {
                    let error = job_error(Errno::OPNOTSUPP.into(), "atomic write");
                    Err(OpenError { error, hints: vec![hint] })
                }
            }
        }
        Ok(open) => Ok(open),
        Err(TargetError::Refused(change)) => Err(targets::refused(change).into()),
        Err(TargetError::System(e)) => {
            let mut hints = Vec::new();
            if e == Errno::INVAL && job.target.direct {
                hints.push(Line::NoDirectIo);
            }
            Err(OpenError { error: job_error(e.into(), format!("open({})", file.path.display())), hints })
        }
    }
}

/// Returns the line about writes of a job that cannot be atomic in this file; `None` if they can, as far as the kernel
/// tells.
fn writes_atomically(job: &Job, file: &PlannedFile, open: &OwnedFd) -> Option<Line> {
    const WRITE_ATOMIC: StatxFlags = StatxFlags::from_bits_retain(0x1_0000);
    let told = rustix::fs::statx(open, c"", AtFlags::EMPTY_PATH, WRITE_ATOMIC).ok();
    let limits = told
        .map(|s| (u64::from(s.stx_atomic_write_unit_min), u64::from(s.stx_atomic_write_unit_max)))
        .filter(|(_, most)| *most > 0);
    let (least, most) = job.pattern.block[Direction::Write as usize];
    let fits = limits.is_some_and(|limits| limits.0 <= least && most <= limits.1);
    let path = file.path.clone();
    (!fits || !least.is_power_of_two() || !most.is_power_of_two()).then_some(Line::NotAtomic {
        path,
        blocks: (least, most),
        limits,
    })
}

/// Drops the cached pages of the file's region; of the whole device, for a block device. As in fio, called at open
/// and before each pass.
///
/// # Errors
/// errno of fstat(2), posix_fadvise(2) or BLKFLSBUF. EACCES of a device is ignored: an ordinary user may not flush a
/// device.
pub fn invalidate(open: &OwnedFd, file: &PlannedFile) -> io::Result<()> {
    let mode = rustix::fs::fstat(open)?.st_mode;
    match FileType::from_raw_mode(mode) {
        FileType::BlockDevice => match sys::block::flush_buffers(open) {
            Err(e) if e.raw_os_error() == Some(Errno::ACCESS.raw_os_error()) => Ok(()),
            other => other,
        },
        FileType::RegularFile => {
            Ok(rustix::fs::fadvise(open, file.start, NonZeroU64::new(file.length), Advice::DontNeed)?)
        }
        _ => Ok(()),
    }
}

/// Returns whether a job changes its files: it writes or trims, or its engine changes the files for any value of
/// `rw`.
pub(crate) fn changes(job: &Job) -> bool {
    match job.engine {
        // A read of the engine `falloc` allocates.
        EngineChoice::Falloc | EngineChoice::Names(Entry::File, NameCall::Delete) => true,
        // The kernel deletes only empty directories.
        EngineChoice::Names(..) => false,
        _ => {
            job.engine.needs_files()
                && (job.pattern.mix.has(Direction::Write) || job.pattern.mix.has(Direction::Trim))
        }
    }
}
