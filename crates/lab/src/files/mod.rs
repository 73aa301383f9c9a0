//! Operations on names and small files in trees: `fathom files`. Workers make one kind of operation per phase; all begin a
//! phase together. It issues its operations itself, because no engine has them all.

mod mount;
mod names;
mod scratch_tree;
mod worker;

use crate::target::TargetError;
use crate::target_fault::TargetFault;
use facts::SysRoot;
use names::TreeNames;
use run::StartGate;
use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;
pub use scratch_tree::Leftover;
use scratch_tree::{ScratchTree, remove_leftovers};
use stats::files::{
    Durability, FilesAsked, FilesCard, FilesCaveat, FilesEnd, FilesMeasured, FilesMount, FilesPhase,
    FilesPhaseResult, FilesSample,
};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};
use worker::{Common, Done, Failure, Made, Order, OwnCounter, Worker};

/// Number of iterations for which the time of a phase is planned: within it, at least as many take place.
const ITERATIONS: f64 = 3.0;
/// Smallest number of iterations that narrow intervals end.
const ENOUGH_ITERATIONS: usize = 5;
/// Half-width of the intervals of all rates, percent, at which a measurement without a number of iterations ends.
const NARROW: f64 = 3.0;
/// Share of the time before which it does not end: some file systems write their journal every five seconds.
const LEAST_SHARE: f64 = 1.0 / 3.0;
/// Largest number of directories of a tree.
const MOST_DIRECTORIES: u64 = 1 << 22;
/// Bytes that an empty directory, or the metadata of a file, takes at most.
const UNIT: u64 = 4096;
/// Time between two reports of progress.
const LOOK: Duration = Duration::from_millis(250);

/// Order for `fathom files`.
#[derive(Clone, Debug)]
pub struct FilesRequest {
    /// Directory in which the scratch directory is made.
    pub directory: PathBuf,
    /// Trees, workers and phases.
    pub asked: FilesAsked,
    /// Whether the tree of the last iteration is left.
    pub keep: bool,
    /// Root of the file tree from which facts about the machine are read.
    pub root: SysRoot,
    /// Number of the signal that requested an early end; 0 if none has arrived.
    pub interrupt: Arc<AtomicUsize>,
    /// Time without the end of an operation after which the measurement ends.
    pub patience: Duration,
    /// Number of hosts that measure in the same file system at the same time, which needs room for the trees of all; at least 1.
    pub sharers: u32,
    /// Permission of the other hosts to begin, and to begin each phase; `None` without other hosts.
    pub gate: Option<Arc<dyn StartGate>>,
}

impl FilesRequest {
    /// Returns the number of a phase of an iteration for the gate.
    fn phase_number(iteration: u32, phase: FilesPhase) -> usize {
        iteration as usize * FilesPhase::ALL.len() + phase as usize
    }
}

/// Receiver of progress.
pub trait Progress {
    /// A scratch directory of an ended process was found.
    fn leftover(&mut self, leftover: &Leftover);
    /// This many operations of a phase have ended; `iteration` counts from 0.
    fn look(&mut self, phase: FilesPhase, iteration: u32, operations: u64);
}

/// Reason why nothing is measured.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The directory is unusable.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The target is not a directory.
    #[error("{self:?}")]
    NotDirectory(PathBuf),
    /// The file system has too few free bytes.
    #[error("{self:?}")]
    NoSpace {
        /// Directory, of the file system itself or of a sparse file below it.
        path: PathBuf,
        /// Bytes that are needed at a time.
        wanted: u64,
        /// Bytes that may be used.
        free: u64,
    },
    /// The file system has too few free inodes.
    #[error("{self:?}")]
    NoInodes {
        /// Directory.
        path: PathBuf,
        /// Names that are made at a time.
        wanted: u64,
        /// Free inodes.
        free: u64,
    },
    /// The trees have more directories or files than can be numbered.
    #[error("{self:?}")]
    TooLarge,
    /// The caches of the kernel cannot be dropped.
    #[error("{self:?}")]
    Caches(Errno),
    /// A thread cannot be started.
    #[error("{self:?}")]
    Thread(Errno),
    /// The other hosts did not agree ([`FilesRequest::gate`]).
    #[error("{self:?}")]
    NotAgreed,
}

impl FilesError {
    /// Returns the exit status for the error.
    pub fn exit_code(&self) -> i32 {
        match self {
            FilesError::Target(error) => error.exit_code(),
            FilesError::NoSpace { .. } | FilesError::NoInodes { .. } => job::exit_status::REFUSED,
            _ => 1,
        }
    }
}

/// A directory in which the trees have room, and what they need.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// File system of the directory.
    pub mount: FilesMount,
    /// Storage stack under the directory.
    pub stack: Vec<String>,
    /// Directories of one tree.
    pub directories: u64,
    /// Files that each worker makes in an iteration.
    pub files_per_worker: u64,
    /// Inodes that are needed at a time.
    pub inodes: u64,
    /// Free inodes; `None` if the file system does not say.
    pub free_inodes: Option<u64>,
    /// Bytes that are needed at a time, at most.
    pub bytes: u64,
    /// Usable bytes; `None` if the file system does not say.
    pub free_bytes: Option<u64>,
}

fn system(path: &Path, errno: Errno) -> FilesError {
    TargetError::Target { path: path.into(), fault: TargetFault::of(&errno.into()) }.into()
}

fn errno_of(error: &io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

/// Examines the directory; writes nothing.
///
/// # Errors
/// It is not a directory, or the trees are too large.
pub fn prepare(request: &FilesRequest) -> Result<Prepared, FilesError> {
    let (path, asked) = (&request.directory, &request.asked);
    let meta = std::fs::metadata(path).map_err(|error| system(path, errno_of(&error)))?;
    if !meta.is_dir() {
        return Err(FilesError::NotDirectory(path.clone()));
    }
    let directories = asked.directories().filter(|n| *n <= MOST_DIRECTORIES).ok_or(FilesError::TooLarge)?;
    let numbers = || {
        let files_per_worker = asked.files_per_worker().filter(|n| *n < u64::MAX / 2)?;
        let sharers = u64::from(request.sharers);
        let names = files_per_worker.checked_mul(u64::from(asked.workers))?.checked_mul(sharers)?;
        let trees = directories.checked_mul(asked.trees())?.checked_mul(sharers)?;
        // Empty directories are removed before files are made.
        let each = asked.bytes.checked_next_multiple_of(UNIT)?.max(UNIT);
        let bytes = names.checked_mul(each)?.checked_add(trees.checked_mul(UNIT)?)?;
        // The scratch directory, its lock, and the directory of the iteration.
        Some((files_per_worker, names.checked_add(trees)?.checked_add(3 * sharers)?, bytes))
    };
    let (files_per_worker, inodes, bytes) = numbers().ok_or(FilesError::TooLarge)?;
    let (mount, stack) = mount::mount(&request.root, path);
    let space = run::space::least_room(path, &request.root);
    Ok(Prepared {
        mount,
        stack,
        directories,
        files_per_worker,
        inodes,
        free_inodes: free_inodes(path),
        bytes,
        free_bytes: space.map(|(_, room)| room.usable()),
    })
}

/// Returns the number of inodes that this process may use; `None` if the file system has no fixed number (btrfs), or does
/// not tell it (CephFS).
fn free_inodes(path: &Path) -> Option<u64> {
    let fs = rustix::fs::statvfs(path).ok()?;
    let free = if rustix::process::geteuid().is_root() { fs.f_ffree } else { fs.f_favail };
    (fs.f_files > 0 && free <= fs.f_files).then(|| free - (fs.f_files / 100).min(free))
}

/// Checks that the trees have room.
///
/// # Errors
/// Too few bytes or inodes are free.
pub fn may_begin(prepared: &Prepared, request: &FilesRequest) -> Result<(), FilesError> {
    let path = &request.directory;
    if let Some((directory, room)) = run::space::least_room(path, &request.root)
        && prepared.bytes > room.usable()
    {
        let free = room.usable();
        return Err(FilesError::NoSpace { path: directory, wanted: prepared.bytes, free });
    }
    match prepared.free_inodes {
        Some(free) if prepared.inodes > free => {
            Err(FilesError::NoInodes { path: path.clone(), wanted: prepared.inodes, free })
        }
        _ => Ok(()),
    }
}

/// File of the kernel through which caches are dropped.
const DROP_CACHES: &str = "/proc/sys/vm/drop_caches";

/// Drops clean pages, directory entries and inodes of the kernel.
fn drop_caches(root: &SysRoot) -> Result<(), Errno> {
    std::fs::write(root.path(DROP_CACHES), "3").map_err(|error| errno_of(&error))
}

/// Checks that the caches of the kernel can be dropped; drops nothing.
fn may_drop_caches(root: &SysRoot) -> Result<(), Errno> {
    let opened = std::fs::OpenOptions::new().write(true).open(root.path(DROP_CACHES));
    opened.map(drop).map_err(|error| errno_of(&error))
}

/// Removes what killed processes left, makes the trees, measures and removes them.
///
/// # Errors
/// Nothing was measured. An error of an operation is in the card instead.
pub fn measure(
    prepared: &Prepared,
    request: &FilesRequest,
    progress: &mut dyn Progress,
) -> Result<FilesCard, FilesError> {
    measure_samples(prepared, request, progress).map(|measured| measured.card)
}

/// Does the same as [`measure`], and returns the samples as well. With a gate, each has the latencies of its iteration; without, the
/// first sample of a phase has those of all.
///
/// # Errors
/// As [`measure`].
pub fn measure_samples(
    prepared: &Prepared,
    request: &FilesRequest,
    progress: &mut dyn Progress,
) -> Result<FilesMeasured, FilesError> {
    let (path, asked) = (&request.directory, &request.asked);
    let wrong = |errno| system(path, errno);
    if let Some(gate) = &request.gate {
        may_begin(prepared, request)?;
        if asked.drop_caches {
            may_drop_caches(&request.root).map_err(FilesError::Caches)?;
        }
        if !gate.checked() {
            return Err(FilesError::NotAgreed);
        }
    }
    remove_leftovers(path, &request.root)
        .map_err(wrong)?
        .iter()
        .for_each(|leftover| progress.leftover(leftover));
    may_begin(prepared, request)?;
    if asked.drop_caches {
        drop_caches(&request.root).map_err(FilesError::Caches)?;
    }
    let scratch = ScratchTree::new(path, &request.root).map_err(wrong)?;
    let began = Instant::now();
    let crew = Crew::new(request, scratch.root()).map_err(FilesError::Thread)?;
    let mut course = Course {
        request,
        crew,
        samples: vec![Vec::new(); FilesPhase::ALL.len()],
        iterations: 0,
        ended: None,
        began,
    };
    course.measure(progress);
    let seconds = began.elapsed().as_secs_f64();
    let Course { samples, iterations, mut ended, .. } = course;
    let (mut kept, mut foreign) = (None, Vec::new());
    match ended {
        // A worker hangs in the file system, and a removal would, too.
        Some(FilesEnd::Stuck { .. }) => {
            kept = Some(scratch.path().display().to_string());
            scratch.leave();
        }
        None if request.keep => kept = Some(scratch.keep().map_err(wrong)?.display().to_string()),
        _ => match scratch.remove() {
            Ok(left) => foreign = left,
            Err(errno) if ended.is_none() => {
                ended = Some(FilesEnd::Failed {
                    phase: FilesPhase::TreeRemove,
                    call: "unlinkat".into(),
                    name: String::new(),
                    errno: errno.raw_os_error(),
                });
            }
            Err(_) => {}
        },
    }
    let phases: Vec<FilesPhaseResult> = FilesPhase::ALL
        .into_iter()
        .zip(&samples)
        .filter(|(phase, _)| asked.phases.contains(phase))
        .filter_map(|(phase, samples)| FilesPhaseResult::of(phase, samples))
        .collect();
    let card = FilesCard {
        version: String::new(),
        target: path.display().to_string(),
        mount: prepared.mount.clone(),
        stack: prepared.stack.clone(),
        asked: asked.clone(),
        directories: prepared.directories,
        files_per_worker: prepared.files_per_worker,
        iterations,
        seconds,
        durability: Durability::of(asked, &prepared.mount),
        caveats: FilesCaveat::of(asked, &prepared.mount, &phases),
        phases,
        ended,
        kept,
        foreign,
        hosts: Vec::new(),
    };
    Ok(FilesMeasured { card, samples: FilesPhase::ALL.into_iter().zip(samples).collect() })
}

/// The iterations of a measurement.
struct Course<'a> {
    request: &'a FilesRequest,
    crew: Crew,
    /// Samples of each phase of [`FilesPhase::ALL`], one per iteration.
    samples: Vec<Vec<FilesSample>>,
    iterations: u32,
    ended: Option<FilesEnd>,
    began: Instant,
}

impl Course<'_> {
    fn measure(&mut self, progress: &mut dyn Progress) {
        let asked = &self.request.asked;
        loop {
            let began = Instant::now();
            let gated = self.request.gate.is_some();
            let last = asked.iterations.map_or(gated, |n| self.iterations + 1 >= n);
            if let Err(end) = self.iteration(self.request.keep && last, progress) {
                self.ended = Some(end);
                return;
            }
            self.iterations += 1;
            // Hosts that measure together end together: after as many iterations, among which the time is divided.
            if gated && !last {
                continue;
            }
            let over = asked.seconds.is_some_and(|seconds| {
                self.began.elapsed().as_secs_f64() + began.elapsed().as_secs_f64() > seconds
            });
            if last || over || (asked.iterations.is_none() && self.is_enough()) {
                return;
            }
        }
    }

    /// Returns whether the intervals of all wanted rates are narrow.
    fn is_enough(&self) -> bool {
        let asked = &self.request.asked;
        let seconds = asked.seconds.unwrap_or(0.0);
        let narrow = |(phase, samples): (&FilesPhase, &Vec<FilesSample>)| {
            !asked.phases.contains(phase)
                || phase.is_of_tree()
                || samples.is_empty()
                || (samples.len() >= ENOUGH_ITERATIONS
                    && FilesPhaseResult::of(*phase, samples)
                        .is_none_or(|result| result.rate.half_percent() <= NARROW))
        };
        self.iterations as usize >= ENOUGH_ITERATIONS
            && self.began.elapsed().as_secs_f64() >= LEAST_SHARE * seconds
            && FilesPhase::ALL.iter().zip(&self.samples).all(narrow)
    }

    /// Carries out all phases; with `keep`, none that removes files or the tree.
    fn iteration(&mut self, keep: bool, progress: &mut dyn Progress) -> Result<(), FilesEnd> {
        let asked = &self.request.asked;
        let needed: Vec<FilesPhase> =
            FilesPhase::ALL.into_iter().filter(|phase| asked.needs(*phase)).collect();
        let gated = self.request.gate.is_some();
        let all = asked.iterations.map_or(if gated { 1.0 } else { ITERATIONS }, f64::from);
        let planned = if gated { all } else { all.min(ITERATIONS) };
        let limit = asked.seconds.map(|seconds| seconds / planned / needed.len() as f64);
        let root = self.crew.common.root.clone();
        let own = format!("i.{}", self.iterations);
        let failed = |phase, call: &str, errno: Errno| FilesEnd::Failed {
            phase,
            call: call.into(),
            name: own.clone(),
            errno: errno.raw_os_error(),
        };
        rustix::fs::mkdirat(&*root, own.as_str(), Mode::RWXU)
            .map_err(|errno| failed(FilesPhase::TreeCreate, "mkdirat", errno))?;
        let mut made = vec![Made::default(); asked.workers as usize];
        for phase in needed {
            if keep && matches!(phase, FilesPhase::Remove | FilesPhase::TreeRemove) {
                continue;
            }
            let number = FilesRequest::phase_number(self.iterations, phase);
            if self.request.gate.as_ref().is_some_and(|gate| !gate.reached(number)) {
                return Err(FilesEnd::Interrupted);
            }
            if asked.drop_caches && phase.is_answered_by_caches() {
                // Inodes with changes stay in the caches.
                rustix::fs::syncfs(&*root).map_err(|errno| failed(phase, "syncfs", errno))?;
                drop_caches(&self.request.root).map_err(|errno| failed(phase, "drop_caches", errno))?;
            }
            // Trees are made and removed as a whole; names that were made are removed.
            let whole = phase.is_of_tree() || matches!(phase, FilesPhase::DirRemove | FilesPhase::Remove);
            let limit = limit.filter(|_| !whole).map(Duration::from_secs_f64);
            let mut sample =
                self.crew.phase(phase, self.iterations, limit, &mut made, self.request.patience, progress)?;
            if let Some(samples) = self.samples.get_mut(phase as usize) {
                // All latencies are with the first sample: thousands of short iterations would fill the memory.
                if let Some(first) = samples.first_mut().filter(|_| self.request.gate.is_none()) {
                    first.latency.merge(&std::mem::take(&mut sample.latency));
                }
                samples.push(sample);
            }
        }
        if !keep {
            rustix::fs::unlinkat(&*root, own.as_str(), AtFlags::REMOVEDIR)
                .map_err(|errno| failed(FilesPhase::TreeRemove, "unlinkat", errno))?;
        }
        Ok(())
    }
}

/// The workers, each in its thread. A thread that hangs is left behind.
struct Crew {
    common: Arc<Common>,
    orders: Vec<Sender<Order>>,
    done: Receiver<Done>,
}

impl Crew {
    fn new(request: &FilesRequest, root: Arc<rustix::fd::OwnedFd>) -> Result<Crew, Errno> {
        let workers = request.asked.workers;
        let common = Arc::new(Common {
            asked: request.asked.clone(),
            names: TreeNames::new(&request.asked),
            root,
            interrupt: request.interrupt.clone(),
            failed: AtomicUsize::new(0),
            start: Barrier::new(workers as usize),
            gate: request.gate.clone(),
            began: AtomicBool::new(false),
            ended: (0..workers).map(|_| OwnCounter::default()).collect(),
        });
        let (sender, done) = channel();
        let mut orders = Vec::new();
        for number in 0..workers {
            let (order, receiver) = channel::<Order>();
            let (common, sender) = (common.clone(), sender.clone());
            let work = move || {
                let mut worker = Worker::new(number, common);
                while let Ok(order) = receiver.recv() {
                    if sender.send(worker.carry_out(&order)).is_err() {
                        return;
                    }
                }
            };
            let name = format!("files-{number}");
            thread::Builder::new().name(name).spawn(work).map_err(|error| errno_of(&error))?;
            orders.push(order);
        }
        Ok(Crew { common, orders, done })
    }

    /// Carries out one phase and returns the sum of what the workers did.
    fn phase(
        &mut self,
        phase: FilesPhase,
        iteration: u32,
        limit: Option<Duration>,
        made: &mut [Made],
        patience: Duration,
        progress: &mut dyn Progress,
    ) -> Result<FilesSample, FilesEnd> {
        let asked = &self.common.asked;
        let workers = asked.workers;
        // Names are made and written by their worker; later phases may be shifted.
        let own = phase.is_of_tree()
            || matches!(phase, FilesPhase::DirCreate | FilesPhase::Create | FilesPhase::Write);
        let shift = if own { 0 } else { asked.shift };
        let number = FilesRequest::phase_number(iteration, phase);
        self.common.began.store(self.common.gate.is_none(), Relaxed);
        let ended = || self.common.ended.iter().map(|ended| ended.0.load(Relaxed)).sum::<u64>();
        let before = ended();
        for (worker, order) in (0u32..).zip(&self.orders) {
            let maker = (worker + shift) % workers;
            let of = made.get(maker as usize).copied().unwrap_or_default();
            // A worker ends only with its channel.
            let _ = order.send(Order { phase, iteration, number, maker, made: of, limit });
        }
        let mut all = FilesSample::default();
        let mut span: Option<(Instant, Instant)> = None;
        let mut failure: Option<Failure> = None;
        let (mut seen, mut since) = (before, Instant::now());
        let mut waiting = workers;
        while waiting > 0 {
            match self.done.recv_timeout(LOOK) {
                Ok(done) => {
                    waiting -= 1;
                    let own = &done.sample;
                    if own.operations > 0 {
                        span = span.map_or(Some((done.from, done.to)), |(from, to)| {
                            Some((from.min(done.from), to.max(done.to)))
                        });
                    }
                    all.operations += own.operations;
                    all.entries += own.entries;
                    all.bytes += own.bytes;
                    all.cut |= own.cut;
                    all.latency.merge(&own.latency);
                    if let Some(of) = made.get_mut(done.maker as usize) {
                        *of = done.made;
                    }
                    failure = failure.or(done.failure);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let now = ended();
            progress.look(phase, iteration, now - before);
            // Workers that wait for other hosts do nothing.
            if now != seen || !self.common.began.load(Relaxed) {
                (seen, since) = (now, Instant::now());
            } else if waiting > 0 && since.elapsed() > patience {
                return Err(FilesEnd::Stuck { phase, seconds: patience.as_secs() });
            }
        }
        all.seconds = span.map_or(0.0, |(from, to)| to.duration_since(from).as_secs_f64());
        if let Some(Failure { call, name, errno }) = failure {
            return Err(FilesEnd::Failed { phase, call: call.into(), name, errno });
        }
        if self.common.interrupt.load(Relaxed) != 0 {
            return Err(FilesEnd::Interrupted);
        }
        Ok(all)
    }
}
