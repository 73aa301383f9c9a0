//! Limits of the host, checked before anything starts: inodes, descriptors, threads, AIO requests, locked memory,
//! memory, io_uring. A plan that exceeds a limit is refused; the error holds the limit, the need and the value of the
//! host.

use crate::assignment::moves_no_data;
use facts::layers::Stack;
use facts::limits::{self as host, Capability};
use facts::{SysRoot, memory};
use job::job::{EngineChoice, Job};
use job::plan::{FileKind, Layout, Plan, PlannedFile, PlannedJob};
use stats::note::{Note, NoteFact, NoteKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Number of file descriptors that a run needs besides those of its jobs: standard streams, claims on devices, files
/// of the report.
const OWN_FILES: u64 = 32;

/// A limit of the host that is lower than the need of the plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum LimitError {
    /// Too few file descriptors.
    OpenFiles {
        /// Number of descriptors that concurrent jobs need.
        needed: u64,
        /// Hard limit on the number of file descriptors of the process.
        limit: u64,
    },
    /// Too few threads.
    Threads {
        /// Number of threads that concurrent jobs need.
        needed: u64,
        /// Number of threads that may still be started.
        left: u64,
        /// Limit that leaves the fewest threads.
        limit: ThreadLimit,
    },
    /// Too few AIO requests (`fs.aio-max-nr`).
    AioRequests {
        /// Number of requests that concurrent libaio jobs need.
        needed: u64,
        /// Number of requests in use by other processes.
        used: u64,
        /// Maximum number of requests of the host, `fs.aio-max-nr`.
        most: u64,
        /// Value of `fs.aio-max-nr` that is large enough.
        enough: u64,
    },
    /// `kernel.io_uring_disabled` forbids io_uring.
    IoUringDisabled,
    /// Too little lockable memory.
    LockedMemory {
        /// Bytes that concurrent jobs lock.
        needed: u64,
        /// Hard limit in bytes.
        limit: u64,
    },
    /// Too little memory.
    Memory {
        /// Bytes of the buffers of concurrent jobs.
        buffers: u64,
        /// Bytes that these jobs lock (`lockmem`).
        locked: u64,
        /// Bytes available on the host.
        available: u64,
    },
    /// Too little memory for the records of the writes that are verified.
    Records {
        /// Bytes of the records.
        needed: u64,
        /// Bytes available on the host.
        available: u64,
    },
    /// Too few free inodes.
    Inodes {
        /// Directory on the file system that has too few inodes.
        directory: PathBuf,
        /// Number of files to be created on this file system.
        needed: u64,
        /// Number of free inodes.
        free: u64,
    },
}

/// A limit of the number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreadLimit {
    /// `RLIMIT_NPROC` of the user.
    User,
    /// `pids.max` of the control group.
    ControlGroup,
    /// `kernel.threads-max`.
    Kernel,
}

/// Checks the limits of the host against the needs of the plan, and raises the soft limits of open files, locked
/// memory and threads to the hard limits if necessary. Returns notes about limits that may slow the run down.
///
/// # Errors
/// The first limit that is too low.
pub fn check(plan: &Plan, root: &SysRoot) -> Result<Vec<Note>, LimitError> {
    let mut notes = Vec::new();
    inodes(plan)?;
    caps(plan, root, &mut notes);
    let need = Need::of(plan);
    let files = host::open_files();
    let files = if files.soft.is_some_and(|soft| soft < need.files) {
        host::raise_open_files().unwrap_or(files)
    } else {
        files
    };
    let locks = host::locked_memory();
    let locks = if locks.soft.is_some_and(|soft| soft < need.locked) {
        host::raise_locked_memory().unwrap_or(locks)
    } else {
        locks
    };
    let threads = host::threads();
    let threads = if threads.soft.is_some_and(|soft| soft <= need.threads) {
        host::raise_threads().unwrap_or(threads)
    } else {
        threads
    };
    let privileged = [Capability::SysAdmin, Capability::SysResource].iter().any(|c| host::has(root, *c));
    let have = Have {
        files: files.soft,
        threads: [
            // The user already has one more thread: the first thread of this program.
            (threads.soft.filter(|_| !privileged).map(|most| most.saturating_sub(1)), ThreadLimit::User),
            (facts::cgroup::limits(root).threads_left, ThreadLimit::ControlGroup),
            (root.number("/proc/sys/kernel/threads-max"), ThreadLimit::Kernel),
        ]
        .into_iter()
        .filter_map(|(most, limit)| Some((most?, limit)))
        .min(),
        aio: host::aio(root),
        locked: locks.soft.filter(|_| !host::has(root, Capability::IpcLock)),
        memory: memory::available_bytes(root),
        uring: match host::io_uring_disabled(root) {
            0 => true,
            // With 1, only one group may use io_uring. A process outside this group gets the error of the engine.
            1 => {
                host::has(root, Capability::SysAdmin)
                    || root.number("/proc/sys/kernel/io_uring_group").unwrap_or(-1) >= 0
            }
            _ => false,
        },
    };
    need.within(&have)?;
    let needed = crate::verify::memory(plan);
    if let Some(available) = have.memory.filter(|available| needed > *available) {
        return Err(LimitError::Records { needed, available });
    }
    Ok(notes)
}

/// Maximum need of concurrent jobs. Each field is the maximum over all phases, independently of the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Need {
    files: u64,
    threads: u64,
    aio: u64,
    locked: u64,
    buffers: u64,
    uring: bool,
}

/// Limits of the host; `None` = no limit, or unknown.
#[derive(Clone, Copy, Debug)]
struct Have {
    files: Option<u64>,
    /// Number of threads left, and the limit that leaves this number.
    threads: Option<(u64, ThreadLimit)>,
    /// Number of AIO requests in use by other processes, and their maximum.
    aio: Option<(u64, u64)>,
    locked: Option<u64>,
    memory: Option<u64>,
    uring: bool,
}

impl Need {
    fn of(plan: &Plan) -> Need {
        let mut most = Need::default();
        for phase in plan.clones.chunk_by(|a, b| plan.phase(a.job) == plan.phase(b.job)) {
            let of_clones =
                phase.iter().filter_map(|clone| Some(Need::of_clone(plan.jobs.get(clone.job)?, clone)));
            most = most.or(of_clones.fold(Need::default(), Need::and));
        }
        most.files = most.files.saturating_add(OWN_FILES);
        most
    }

    fn of_clone(job: &Job, clone: &PlannedJob) -> Need {
        let depth = u64::from(job.queue.effective);
        let moves = !moves_no_data(job.pattern.mix);
        let block = if moves { job.pattern.largest_block() } else { 0 };
        let uring = matches!(
            job.engine,
            EngineChoice::IoUring(_) | EngineChoice::UringCmd(_) | EngineChoice::Offload(_)
        );
        let all = clone.files.len() as u64;
        let opened = match job.target.openfiles {
            _ if !job.engine.opens_files() => 0,
            None => all,
            Some(most) => all.min(most.get().into()),
        };
        Need {
            files: opened + u64::from(uring) + job.logs.files(0).count() as u64,
            // The simulated device runs in virtual time, on one thread.
            threads: u64::from(!matches!(job.engine, EngineChoice::Model(_)))
                + u64::from(job.replay.is_some())
                + u64::from(job.record.is_some()),
            aio: if matches!(job.engine, EngineChoice::Libaio(_)) { depth } else { 0 },
            locked: job.host.lockmem,
            buffers: depth.saturating_mul(block),
            uring,
        }
    }

    /// Returns the resources that two concurrent jobs need: the sum of both needs.
    fn and(self, o: Need) -> Need {
        self.with(o, u64::saturating_add)
    }

    /// Returns the resources that two consecutive phases need: the maximum of both needs.
    fn or(self, o: Need) -> Need {
        self.with(o, u64::max)
    }

    fn with(self, o: Need, of: fn(u64, u64) -> u64) -> Need {
        Need {
            files: of(self.files, o.files),
            threads: of(self.threads, o.threads),
            aio: of(self.aio, o.aio),
            locked: of(self.locked, o.locked),
            buffers: of(self.buffers, o.buffers),
            uring: self.uring || o.uring,
        }
    }

    fn within(&self, have: &Have) -> Result<(), LimitError> {
        let Need { files, threads, aio, locked, buffers, uring } = *self;
        if let Some(limit) = have.files.filter(|limit| files > *limit) {
            return Err(LimitError::OpenFiles { needed: files, limit });
        }
        if let Some((left, limit)) = have.threads.filter(|(left, _)| threads > *left) {
            return Err(LimitError::Threads { needed: threads, left, limit });
        }
        if let Some((used, most)) =
            have.aio.filter(|(used, most)| aio > 0 && used.saturating_add(aio) > *most)
        {
            let enough = used.saturating_add(aio).checked_next_power_of_two().unwrap_or(u64::MAX);
            return Err(LimitError::AioRequests { needed: aio, used, most, enough });
        }
        if uring && !have.uring {
            return Err(LimitError::IoUringDisabled);
        }
        if let Some(limit) = have.locked.filter(|limit| locked > *limit) {
            return Err(LimitError::LockedMemory { needed: locked, limit });
        }
        let memory = buffers.saturating_add(locked);
        if let Some(available) = have.memory.filter(|available| memory > *available) {
            return Err(LimitError::Memory { buffers, locked, available });
        }
        Ok(())
    }
}

/// Adds a note for each device under the plan's targets that has an I/O limit in the cgroups of this process.
fn caps(plan: &Plan, root: &SysRoot, notes: &mut Vec<Note>) {
    let caps = facts::cgroup::limits(root).io;
    if caps.is_empty() {
        return;
    }
    let files = plan.clones.iter().flat_map(|c| &c.files).filter(|f| f.kind != FileKind::None);
    let places: BTreeSet<PathBuf> = files
        .filter_map(|f| if f.path.exists() { Some(f.path.clone()) } else { Some(home(&f.path)?.0) })
        .take(64)
        .collect();
    let stacks: Vec<Stack> = places.iter().filter_map(|p| Stack::under(root, p).ok()).collect();
    for cap in caps {
        let Some(device) = stacks.iter().flat_map(Stack::devices).find(|d| d.number == cap.device) else {
            continue;
        };
        let fact = NoteFact::CgroupLimit {
            device: device.name.clone(),
            iops: cap.iops,
            bytes_per_second: cap.bytes_per_second,
        };
        notes.push(Note::new(NoteKind::Remark, "", fact));
    }
}

/// Compares the number of new files with the free inodes of each file system.
fn inodes(plan: &Plan) -> Result<(), LimitError> {
    let mut made: BTreeMap<u64, (PathBuf, BTreeSet<&Path>)> = BTreeMap::new();
    // Cached by directory, because a million files lie in few directories.
    let mut homes: HashMap<Option<&Path>, Option<(PathBuf, u64)>> = HashMap::new();
    for clone in &plan.clones {
        let made_here = |j: &&Job| j.engine.needs_files() && !j.target.readonly && !j.target.fill;
        if plan.jobs.get(clone.job).filter(made_here).is_none() {
            continue;
        }
        let new = |f: &&PlannedFile| {
            matches!(f.layout, Layout::Write | Layout::Reserve)
                && std::fs::symlink_metadata(&f.path).map_or(true, |meta| !meta.is_file())
        };
        for file in clone.files.iter().filter(new) {
            let home = homes.entry(file.path.parent()).or_insert_with(|| home(&file.path));
            let Some((directory, device)) = home.clone() else { continue };
            made.entry(device).or_insert_with(|| (directory, BTreeSet::new())).1.insert(&file.path);
        }
    }
    for (directory, files) in made.into_values() {
        let Ok(fs) = rustix::fs::statvfs(&directory) else { continue };
        let needed = files.len() as u64;
        if fs.f_files > 0 && needed > fs.f_favail {
            return Err(LimitError::Inodes { directory, needed, free: fs.f_favail });
        }
    }
    Ok(())
}

/// Returns the directory of a path, or its nearest existing ancestor, and the device number of its file system.
pub(crate) fn home(path: &Path) -> Option<(PathBuf, u64)> {
    let parents = path.ancestors().skip(1).map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    parents.into_iter().find_map(|p| Some((p.to_owned(), std::fs::metadata(p).ok()?.dev())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEED: Need =
        Need { files: 100, threads: 9, aio: 64, locked: 1 << 20, buffers: 1 << 30, uring: true };
    const PLENTY: Have = Have {
        files: Some(100),
        threads: Some((9, ThreadLimit::ControlGroup)),
        aio: Some((0, 64)),
        locked: Some(1 << 20),
        memory: Some((1 << 30) + (1 << 20)),
        uring: true,
    };

    /// A plan that needs exactly the limit of each resource is accepted; with a limit lower by one, the error has
    /// both figures.
    #[test]
    fn one_less_than_enough_is_an_error_with_both_figures() {
        assert_eq!(NEED.within(&PLENTY), Ok(()));
        let unlimited =
            Have { files: None, threads: None, aio: None, locked: None, memory: None, uring: true };
        assert_eq!(NEED.within(&unlimited), Ok(()));
        let limit = ThreadLimit::ControlGroup;
        let cases = [
            (Have { files: Some(99), ..PLENTY }, LimitError::OpenFiles { needed: 100, limit: 99 }),
            (Have { threads: Some((8, limit)), ..PLENTY }, LimitError::Threads { needed: 9, left: 8, limit }),
            (
                Have { aio: Some((1, 64)), ..PLENTY },
                LimitError::AioRequests { needed: 64, used: 1, most: 64, enough: 128 },
            ),
            (Have { uring: false, ..PLENTY }, LimitError::IoUringDisabled),
            (
                Have { locked: Some(1 << 19), ..PLENTY },
                LimitError::LockedMemory { needed: 1 << 20, limit: 1 << 19 },
            ),
            (
                Have { memory: Some(1 << 30), ..PLENTY },
                LimitError::Memory { buffers: 1 << 30, locked: 1 << 20, available: 1 << 30 },
            ),
        ];
        for (have, error) in cases {
            assert_eq!(NEED.within(&have), Err(error));
        }
        assert_eq!(Need { uring: false, ..NEED }.within(&Have { uring: false, ..PLENTY }), Ok(()));
    }
}
