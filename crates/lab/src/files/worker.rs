//! One worker: the operations of a phase, each timed, on names below the scratch directory.

use super::names::{NameBuffer, TreeNames};
use run::StartGate;
use run::permute::Permutation;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags, RawDir};
use rustix::io::{Result as IoResult, retry_on_intr};
use stats::files::{FilesAsked, FilesPhase, FilesSample};
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// Largest number of bytes in one write or read.
const TRANSFER: u64 = 1 << 20;
/// Size of the memory for directory entries, as that of the C library.
const ENTRIES: usize = 32 << 10;

/// What all workers share.
#[derive(Debug)]
pub struct Common {
    pub asked: FilesAsked,
    pub names: TreeNames,
    /// The scratch directory.
    pub root: Arc<OwnedFd>,
    /// Number of the signal that requested the end; 0 if none has arrived.
    pub interrupt: Arc<AtomicUsize>,
    /// Not 0 after an operation failed.
    pub failed: AtomicUsize,
    /// Begin of each phase.
    pub start: Barrier,
    /// Permission of the other hosts to begin a phase.
    pub gate: Option<Arc<dyn StartGate>>,
    /// Whether a worker has begun the phase.
    pub began: AtomicBool,
    /// Operations that ended, of each worker.
    pub ended: Vec<OwnCounter>,
}

impl Common {
    /// Returns whether the workers have to stop.
    pub fn stops(&self) -> bool {
        self.interrupt.load(Relaxed) != 0 || self.failed.load(Relaxed) != 0
    }

    /// Waits for the other workers, and for those of other hosts, before the phase with this number.
    fn begin(&self, phase: usize) {
        let last = self.start.wait().is_leader();
        if let Some(gate) = &self.gate {
            if last {
                gate.prepared(phase);
            }
            // If it says no, the end was requested.
            gate.wait(phase);
        }
        self.began.store(true, Relaxed);
    }
}

/// Names that a worker has made in an iteration, and how far the phases came with them. In each phase they are taken in
/// the same order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Made {
    /// Empty directories.
    pub dirs: u64,
    /// Empty directories that have their second name.
    pub dirs_renamed: u64,
    /// Files.
    pub files: u64,
    /// Files with their bytes.
    pub written: u64,
    /// Files that have their second name.
    pub renamed: u64,
}

/// Order for one phase.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    pub phase: FilesPhase,
    pub iteration: u32,
    /// Number of the phase in all iterations.
    pub number: usize,
    /// Worker that made the names.
    pub maker: u32,
    pub made: Made,
    /// Time after which the phase ends early.
    pub limit: Option<Duration>,
}

/// Operation that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub call: &'static str,
    pub name: String,
    /// 0 if a call transferred another number of bytes than expected.
    pub errno: i32,
}

/// What a worker did in a phase.
#[derive(Debug)]
pub struct Done {
    pub maker: u32,
    pub made: Made,
    pub sample: FilesSample,
    pub from: Instant,
    pub to: Instant,
    pub failure: Option<Failure>,
}

/// Name of a call, and its errno; 0 if the call transferred no bytes.
type CallResult<T> = Result<T, (&'static str, i32)>;

fn call<T>(name: &'static str, result: IoResult<T>) -> CallResult<T> {
    result.map_err(|errno| (name, errno.raw_os_error()))
}

/// A counter in a cache line of its own: each worker writes its counter after every operation.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct OwnCounter(pub AtomicU64);

/// A worker and its memory.
#[derive(Debug)]
pub struct Worker {
    pub number: u32,
    pub common: Arc<Common>,
    data: Vec<u8>,
    entries: Vec<MaybeUninit<u8>>,
    name: NameBuffer,
    other: NameBuffer,
}

impl Worker {
    /// Returns a worker with memory for its files, which are filled with noise.
    pub fn new(number: u32, common: Arc<Common>) -> Worker {
        let mut state = common.asked.seed ^ (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut data = vec![0u8; common.asked.bytes.min(TRANSFER) as usize];
        for piece in data.chunks_mut(8) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            piece.copy_from_slice(&state.to_le_bytes()[..piece.len()]);
        }
        Worker {
            number,
            common,
            data,
            entries: vec![MaybeUninit::uninit(); ENTRIES],
            name: NameBuffer::default(),
            other: NameBuffer::default(),
        }
    }

    /// Carries out a phase, together with the other workers.
    pub fn carry_out(&mut self, order: &Order) -> Done {
        let common = self.common.clone();
        let asked = &common.asked;
        let tree = if asked.shared { 0 } else { order.maker };
        let root = format!("i.{}/w.{tree}", order.iteration);
        let mut made = order.made;
        let files = asked.files_per_worker().unwrap_or(0);
        let directories = common.names.directories();
        let alone = asked.shared && self.number > 0;
        let count = match order.phase {
            FilesPhase::TreeCreate | FilesPhase::TreeRemove if alone => 0,
            FilesPhase::TreeCreate | FilesPhase::TreeRemove | FilesPhase::List | FilesPhase::ListStat => {
                directories
            }
            FilesPhase::DirCreate | FilesPhase::Create => files,
            FilesPhase::DirStat | FilesPhase::DirRename | FilesPhase::DirRemove => made.dirs,
            FilesPhase::Write | FilesPhase::Stat | FilesPhase::Rename | FilesPhase::Remove => made.files,
            FilesPhase::Read if asked.bytes > 0 => made.written,
            FilesPhase::Read => made.files,
        };
        // The order of the files is the same in all phases after the creation, so that a phase continues with those that
        // the one before it reached.
        let of = match order.phase {
            FilesPhase::List | FilesPhase::ListStat => directories,
            phase if phase.is_of_directories() => made.dirs,
            _ => made.files,
        };
        let in_order = !asked.random
            || order.phase.is_of_tree()
            || matches!(order.phase, FilesPhase::DirCreate | FilesPhase::Create);
        let seed = asked.seed ^ (u64::from(order.iteration) << 32) ^ u64::from(order.maker);
        let permutation = (!in_order && of > 0).then(|| Permutation::new(of, seed));
        let mut sample = FilesSample::default();
        let mut failure = None;
        self.name.forget();
        self.other.forget();
        common.begin(order.number);
        let from = Instant::now();
        let mut to = from;
        for at in 0..count {
            if common.stops() {
                break;
            }
            let index = match (&permutation, order.phase) {
                (Some(permutation), _) => permutation.at(at),
                (None, FilesPhase::TreeRemove) => count - 1 - at,
                (None, _) => at,
            };
            self.set_names(order, &root, at, index);
            let before = Instant::now();
            if at > 0 && order.limit.is_some_and(|limit| before.duration_since(from) > limit) {
                sample.cut = true;
                break;
            }
            let result = self.operate(order.phase, &mut sample, &root, index);
            to = Instant::now();
            if let Err((call, errno)) = result {
                let name = self.name.get().to_string_lossy().into_owned();
                failure = Some(Failure { call, name, errno });
                common.failed.store(1, Relaxed);
                break;
            }
            let nanos = to.duration_since(before).as_nanos() as u64;
            sample.latency.moments.record(nanos, 1);
            sample.latency.histogram.record(nanos, 1);
            sample.operations += 1;
            if let Some(ended) = common.ended.get(self.number as usize) {
                ended.0.store(ended.0.load(Relaxed) + 1, Relaxed);
            }
        }
        let done = sample.operations;
        match order.phase {
            FilesPhase::DirCreate => made.dirs = done,
            FilesPhase::DirRename => made.dirs_renamed = done,
            FilesPhase::Create => {
                made.files = done;
                made.written = if asked.write_on_create { done } else { 0 };
            }
            FilesPhase::Write => made.written = done,
            FilesPhase::Rename => made.renamed = done,
            _ => {}
        }
        Done { maker: order.maker, made, sample, from, to, failure }
    }

    /// Sets the names of the next operation: `at` is its place in the phase, `index` the number of the file or directory.
    fn set_names(&mut self, order: &Order, root: &str, at: u64, index: u64) {
        let names = &self.common.names;
        let (maker, made) = (order.maker, order.made);
        let kind = |renamed: bool, first, second| if renamed { second } else { first };
        match order.phase {
            FilesPhase::TreeCreate | FilesPhase::TreeRemove | FilesPhase::List | FilesPhase::ListStat => {
                self.name.directory(names, root, index);
            }
            phase if phase.is_of_directories() => {
                let kind = kind(phase == FilesPhase::DirRemove && at < made.dirs_renamed, b'd', b'e');
                self.name.entry(names, root, (kind, maker, index));
                if phase == FilesPhase::DirRename {
                    self.other.entry(names, root, (b'e', maker, index));
                }
            }
            phase => {
                let kind = kind(phase == FilesPhase::Remove && at < made.renamed, b'f', b'r');
                self.name.entry(names, root, (kind, maker, index));
                if phase == FilesPhase::Rename {
                    self.other.entry(names, root, (b'r', maker, index));
                }
            }
        }
    }

    /// Makes one operation on the current name.
    fn operate(
        &mut self,
        phase: FilesPhase,
        sample: &mut FilesSample,
        root: &str,
        index: u64,
    ) -> CallResult<()> {
        let Worker { common, data, entries, name, other, .. } = self;
        let (top, asked) = (common.root.as_fd(), &common.asked);
        let name = name.get();
        match phase {
            FilesPhase::TreeCreate | FilesPhase::DirCreate => {
                call("mkdirat", rustix::fs::mkdirat(top, name, Mode::RWXU))?;
            }
            FilesPhase::DirStat | FilesPhase::Stat => {
                let found = retry_on_intr(|| rustix::fs::statat(top, name, AtFlags::SYMLINK_NOFOLLOW));
                call("newfstatat", found.map(drop))?;
            }
            FilesPhase::DirRename | FilesPhase::Rename => {
                call("renameat", rustix::fs::renameat(top, name, top, other.get()))?;
            }
            FilesPhase::DirRemove | FilesPhase::TreeRemove => {
                call("unlinkat", rustix::fs::unlinkat(top, name, AtFlags::REMOVEDIR))?;
            }
            FilesPhase::Remove => call("unlinkat", rustix::fs::unlinkat(top, name, AtFlags::empty()))?,
            FilesPhase::Create => {
                let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY;
                let file = open(common, name, flags)?;
                if asked.write_on_create {
                    sample.bytes += write(&file, data, asked.bytes)?;
                }
                close(file, asked.fsync)?;
            }
            FilesPhase::Write => {
                let file = open(common, name, OFlags::WRONLY)?;
                sample.bytes += write(&file, data, asked.bytes)?;
                close(file, asked.fsync)?;
            }
            FilesPhase::Read => {
                let file = open(common, name, OFlags::RDONLY)?;
                sample.bytes += read(&file, data, asked.bytes)?;
                close(file, false)?;
            }
            FilesPhase::List | FilesPhase::ListStat => {
                let directory = open(common, name, OFlags::RDONLY | OFlags::DIRECTORY)?;
                sample.entries += list(&directory, entries, phase == FilesPhase::ListStat)?;
                close(directory, false)?;
            }
        }
        if asked.fsync_dir && phase.changes_names() {
            self.sync_parent(phase, root, index)?;
        }
        Ok(())
    }

    /// Syncs the directory of the current name as programs do: open, fsync, close.
    fn sync_parent(&mut self, phase: FilesPhase, root: &str, index: u64) -> CallResult<()> {
        let Worker { common, name, other, .. } = self;
        if phase.is_of_tree() {
            other.parent_of(name);
        } else {
            other.parent(&common.names, root, index);
        }
        let directory = open(common, other.get(), OFlags::RDONLY | OFlags::DIRECTORY)?;
        close(directory, true)
    }
}

fn open(common: &Common, name: &CStr, flags: OFlags) -> CallResult<OwnedFd> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    call("openat", retry_on_intr(|| rustix::fs::openat(&common.root, name, flags, mode)))
}

/// Writes `bytes` bytes from the beginning of `data`, again and again.
fn write(file: &OwnedFd, data: &[u8], bytes: u64) -> CallResult<u64> {
    let mut left = bytes;
    while left > 0 {
        let piece = data.get(..left.min(data.len() as u64) as usize).unwrap_or(data);
        let written = call("write", retry_on_intr(|| rustix::io::write(file, piece)))?;
        if written == 0 {
            return Err(("write", 0));
        }
        left -= (written as u64).min(left);
    }
    Ok(bytes)
}

/// Reads `bytes` bytes.
fn read(file: &OwnedFd, data: &mut [u8], bytes: u64) -> CallResult<u64> {
    let mut left = bytes;
    while left > 0 {
        let length = left.min(data.len() as u64) as usize;
        let length = call("read", retry_on_intr(|| rustix::io::read(file, &mut data[..length])))?;
        if length == 0 {
            return Err(("read", 0));
        }
        left -= length as u64;
    }
    Ok(bytes)
}

/// Syncs a file if asked, and closes it.
fn close(file: OwnedFd, sync: bool) -> CallResult<()> {
    if sync {
        call("fsync", retry_on_intr(|| rustix::fs::fsync(&file)))?;
    }
    sys::close::close(file).map_err(|error| ("close", error.raw_os_error().unwrap_or_default()))
}

/// Reads a directory to its end, and examines each entry if asked; returns the number of entries.
fn list(directory: &OwnedFd, memory: &mut [MaybeUninit<u8>], stat: bool) -> CallResult<u64> {
    let mut entries = RawDir::new(directory, memory);
    let mut count = 0;
    while let Some(entry) = entries.next() {
        let entry = call("getdents64", entry)?;
        if matches!(entry.file_name().to_bytes(), b"." | b"..") {
            continue;
        }
        count += 1;
        if stat {
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            let found = retry_on_intr(|| rustix::fs::statat(directory, entry.file_name(), flags));
            call("newfstatat", found.map(drop))?;
        }
    }
    Ok(count)
}
