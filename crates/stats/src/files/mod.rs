//! Operations on names and small files in a tree, as `fathom files` measures them: what was ordered, rates and latencies
//! of each phase, and what limits their meaning.

mod caveat;
mod hosts;
#[cfg(test)]
mod tests;

use crate::characterize::sample;
use crate::estimate::Estimate;
use crate::finding::{Grade, LEAST_IOS};
use crate::hosts::HostOutcome;
use crate::latency::Latency;
pub use caveat::{Durability, FilesCaveat};
pub use hosts::FilesMeasured;
use serde::{Deserialize, Serialize};

/// Phase of a measurement. All workers begin a phase together and make one kind of operation in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FilesPhase {
    /// mkdir of the directories of the tree.
    TreeCreate,
    /// mkdir of empty directories in the tree.
    DirCreate,
    /// stat of these directories.
    DirStat,
    /// rename of these directories, each within its parent.
    DirRename,
    /// rmdir of these directories.
    DirRemove,
    /// open with O_CREAT and O_EXCL, close.
    Create,
    /// open, write of all bytes, close.
    Write,
    /// stat of the files.
    Stat,
    /// open, read of all bytes, close.
    Read,
    /// rename of the files, each within its directory.
    Rename,
    /// Read of a directory to its end.
    List,
    /// Read of a directory to its end, and stat of each entry.
    ListStat,
    /// unlink of the files.
    Remove,
    /// rmdir of the directories of the tree.
    TreeRemove,
}

impl FilesPhase {
    /// All phases in their order.
    pub const ALL: [FilesPhase; 14] = [
        FilesPhase::TreeCreate,
        FilesPhase::DirCreate,
        FilesPhase::DirStat,
        FilesPhase::DirRename,
        FilesPhase::DirRemove,
        FilesPhase::Create,
        FilesPhase::Write,
        FilesPhase::Stat,
        FilesPhase::Read,
        FilesPhase::Rename,
        FilesPhase::List,
        FilesPhase::ListStat,
        FilesPhase::Remove,
        FilesPhase::TreeRemove,
    ];

    /// Returns the name of the phase on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FilesPhase::TreeCreate => "tree-create",
            FilesPhase::DirCreate => "dir-create",
            FilesPhase::DirStat => "dir-stat",
            FilesPhase::DirRename => "dir-rename",
            FilesPhase::DirRemove => "dir-remove",
            FilesPhase::Create => "create",
            FilesPhase::Write => "write",
            FilesPhase::Stat => "stat",
            FilesPhase::Read => "read",
            FilesPhase::Rename => "rename",
            FilesPhase::List => "list",
            FilesPhase::ListStat => "list-stat",
            FilesPhase::Remove => "remove",
            FilesPhase::TreeRemove => "tree-remove",
        }
    }

    /// Returns the phase with this name.
    pub fn from_name(name: &str) -> Option<FilesPhase> {
        FilesPhase::ALL.into_iter().find(|phase| phase.name() == name)
    }

    /// Returns whether the phase works on the empty directories in the tree.
    pub fn is_of_directories(self) -> bool {
        matches!(
            self,
            FilesPhase::DirCreate | FilesPhase::DirStat | FilesPhase::DirRename | FilesPhase::DirRemove
        )
    }

    /// Returns whether the phase works on the directories of the tree themselves.
    pub fn is_of_tree(self) -> bool {
        matches!(self, FilesPhase::TreeCreate | FilesPhase::TreeRemove)
    }

    /// Returns whether the phase changes names, which only a sync of the directory makes durable.
    pub fn changes_names(self) -> bool {
        !matches!(
            self,
            FilesPhase::DirStat
                | FilesPhase::Write
                | FilesPhase::Stat
                | FilesPhase::Read
                | FilesPhase::List
                | FilesPhase::ListStat
        )
    }

    /// Returns whether a cache of the client can answer the operations, because the client has just made the names.
    pub fn is_answered_by_caches(self) -> bool {
        matches!(
            self,
            FilesPhase::DirStat
                | FilesPhase::Stat
                | FilesPhase::Read
                | FilesPhase::List
                | FilesPhase::ListStat
        )
    }
}

/// What is measured: trees, workers and phases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilesAsked {
    /// Number of workers (threads).
    pub workers: u32,
    /// Levels of directories below the root of a tree.
    pub depth: u32,
    /// Number of directories in each directory above the lowest level.
    pub branching: u32,
    /// Number of files, and before them of empty directories, that a worker makes in each directory of the tree.
    pub files: u64,
    /// Whether only the directories of the lowest level receive files.
    pub leaves_only: bool,
    /// Bytes of each file.
    pub bytes: u64,
    /// Whether all workers use one tree.
    pub shared: bool,
    /// Number of workers by which the phases after the writes are shifted: worker i works on the names of worker i + shift.
    pub shift: u32,
    /// Whether the names are taken in random order after they were made.
    pub random: bool,
    /// Whether a file is synced (fsync) before it is closed after its creation and its writes.
    pub fsync: bool,
    /// Whether a directory is synced (fsync) after each change of a name in it.
    pub fsync_dir: bool,
    /// Whether the bytes are written when a file is created, as mdtest does.
    pub write_on_create: bool,
    /// Whether the caches of the kernel are dropped before each phase that they could answer.
    pub drop_caches: bool,
    /// Phases whose figures are wanted.
    pub phases: Vec<FilesPhase>,
    /// Number of iterations; `None` = as many as needed, within the time.
    pub iterations: Option<u32>,
    /// Time for all iterations in seconds; `None` = no limit.
    pub seconds: Option<f64>,
    /// Seed of the random order.
    pub seed: u64,
}

impl FilesAsked {
    /// Returns the number of directories of one tree, its root included; `None` if it does not fit.
    pub fn directories(&self) -> Option<u64> {
        let mut level = 1u64;
        let mut all = 1u64;
        for _ in 0..self.depth {
            level = level.checked_mul(u64::from(self.branching))?;
            all = all.checked_add(level)?;
        }
        Some(all)
    }

    /// Returns the number of directories of one tree that receive files.
    pub fn directories_with_files(&self) -> Option<u64> {
        if self.leaves_only { u64::from(self.branching).checked_pow(self.depth) } else { self.directories() }
    }

    /// Returns the number of files that each worker makes in an iteration.
    pub fn files_per_worker(&self) -> Option<u64> {
        self.directories_with_files()?.checked_mul(self.files)
    }

    /// Returns the number of trees.
    pub fn trees(&self) -> u64 {
        if self.shared { 1 } else { u64::from(self.workers) }
    }

    /// Returns whether a phase takes place, because it is wanted or because a wanted phase needs it.
    pub fn needs(&self, phase: FilesPhase) -> bool {
        let wanted = |phase| self.phases.contains(&phase);
        match phase {
            FilesPhase::TreeCreate | FilesPhase::TreeRemove => true,
            FilesPhase::DirCreate | FilesPhase::DirRemove => {
                self.phases.iter().any(|wanted| wanted.is_of_directories())
            }
            FilesPhase::Create | FilesPhase::Remove => {
                self.phases.iter().any(|wanted| !wanted.is_of_directories() && !wanted.is_of_tree())
            }
            FilesPhase::Write => {
                let written = self.bytes > 0 && !self.write_on_create;
                written && (wanted(FilesPhase::Write) || wanted(FilesPhase::Read))
            }
            other => wanted(other),
        }
    }
}

/// File system that was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesMount {
    /// Type of the file system, such as `xfs` or `nfs4`; empty if it is not known.
    pub file_system: String,
    /// Source of the mount, such as a device or `server:/export`.
    pub source: String,
    /// Mount point.
    pub at: String,
    /// Options of the mount that change the figures.
    pub options: Vec<String>,
}

impl FilesMount {
    /// Returns whether another machine keeps the files.
    pub fn is_network(&self) -> bool {
        const NETWORK: [&str; 14] = [
            "nfs",
            "nfs4",
            "ceph",
            "cifs",
            "smb3",
            "9p",
            "afs",
            "lustre",
            "beegfs",
            "glusterfs",
            "fuse.glusterfs",
            "fuse.ceph-fuse",
            "fuse.ceph",
            "fuse.sshfs",
        ];
        NETWORK.contains(&self.file_system.as_str())
    }

    /// Returns whether the files are kept in memory.
    pub fn is_memory(&self) -> bool {
        matches!(self.file_system.as_str(), "tmpfs" | "ramfs")
    }

    /// Returns whether the mount has this option.
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|own| own == option)
    }
}

/// What one worker or all workers did in a phase of one iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FilesSample {
    /// Number of operations that ended.
    pub operations: u64,
    /// Number of directory entries read (lists).
    pub entries: u64,
    /// Bytes written or read.
    pub bytes: u64,
    /// Time from the first start of a worker to the last end, seconds.
    pub seconds: f64,
    /// Whether the time of the phase was over before the last operation.
    pub cut: bool,
    /// Latencies.
    pub latency: Latency,
}

/// Figures of a phase over all iterations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilesPhaseResult {
    /// Phase.
    pub phase: FilesPhase,
    /// Number of operations in all iterations.
    pub operations: u64,
    /// Number of directory entries read (lists).
    pub entries: u64,
    /// Bytes written or read.
    pub bytes: u64,
    /// Time of the phase in all iterations, seconds.
    pub seconds: f64,
    /// Number of iterations in which the time of the phase was over before its last operation.
    pub cut: u32,
    /// Operations per second of each iteration.
    pub rates: Vec<f64>,
    /// Mean rate over the iterations; with its 95 % interval (Student's t) from two iterations on.
    pub rate: Estimate,
    /// Lowest rate of an iteration.
    pub rate_min: f64,
    /// Highest rate of an iteration.
    pub rate_max: f64,
    /// Standard deviation of the rates between the iterations; 0 with one iteration.
    pub rate_stddev: f64,
    /// Mean latency of an operation, nanoseconds.
    pub mean_ns: f64,
    /// Median latency, nanoseconds.
    pub p50_ns: Option<u64>,
    /// 99th percentile, nanoseconds; `None` with fewer than 1000 operations.
    pub p99_ns: Option<u64>,
    /// 99.9th percentile, nanoseconds; `None` with fewer than 10 000 operations.
    pub p999_ns: Option<u64>,
    /// Largest latency, nanoseconds.
    pub max_ns: u64,
    /// All latencies.
    pub latency: Latency,
}

impl FilesPhaseResult {
    /// Returns the figures of a phase from its samples, one per iteration; `None` without an operation.
    pub fn of(phase: FilesPhase, samples: &[FilesSample]) -> Option<FilesPhaseResult> {
        let measured = || samples.iter().filter(|sample| sample.operations > 0 && sample.seconds > 0.0);
        let rates: Vec<f64> = measured().map(|sample| sample.operations as f64 / sample.seconds).collect();
        let mut latency = Latency::default();
        measured().for_each(|sample| latency.merge(&sample.latency));
        let n = rates.len() as f64;
        if rates.is_empty() {
            return None;
        }
        let mean = rates.iter().sum::<f64>() / n;
        let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
        let percentile =
            |percent, least: u64| latency.percentile(percent).filter(|_| latency.moments.n >= least);
        Some(FilesPhaseResult {
            phase,
            operations: measured().map(|sample| sample.operations).sum(),
            entries: measured().map(|sample| sample.entries).sum(),
            bytes: measured().map(|sample| sample.bytes).sum(),
            seconds: measured().map(|sample| sample.seconds).sum(),
            cut: measured().filter(|sample| sample.cut).count() as u32,
            rate: sample::mean(&rates).unwrap_or(Estimate::bare(mean)),
            rate_min: rates.iter().copied().fold(f64::INFINITY, f64::min),
            rate_max: rates.iter().copied().fold(0.0, f64::max),
            rate_stddev: if rates.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 },
            rates,
            mean_ns: latency.moments.mean(),
            p50_ns: percentile(50.0, 2),
            p99_ns: percentile(99.0, LEAST_IOS),
            p999_ns: percentile(99.9, 10 * LEAST_IOS),
            max_ns: latency.moments.max(),
            latency,
        })
    }
}

/// Reason why a measurement ended before its last phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilesEnd {
    /// A signal of the user.
    Interrupted,
    /// An operation failed.
    Failed {
        /// Phase of the operation.
        phase: FilesPhase,
        /// System call.
        call: String,
        /// Name in the scratch directory.
        name: String,
        /// Errno; 0 if the call succeeded with another number of bytes than the file has.
        errno: i32,
    },
    /// No operation ended for this many seconds.
    Stuck {
        /// Phase of the operation.
        phase: FilesPhase,
        /// Time without an end of an operation, seconds.
        seconds: u64,
    },
}

/// Result of `fathom files`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FilesCard {
    /// Version of fathom that measured.
    pub version: String,
    /// Directory as the user named it.
    pub target: String,
    /// File system of the directory.
    pub mount: FilesMount,
    /// Storage stack under the directory, the topmost layer first.
    pub stack: Vec<String>,
    /// What was ordered.
    pub asked: FilesAsked,
    /// Number of directories of one tree.
    pub directories: u64,
    /// Number of files that each worker made in an iteration.
    pub files_per_worker: u64,
    /// Number of complete iterations.
    pub iterations: u32,
    /// Duration of the measurement in seconds.
    pub seconds: f64,
    /// Figures of the phases in their order.
    pub phases: Vec<FilesPhaseResult>,
    /// Whether data and names were durable when an operation ended.
    pub durability: Durability,
    /// What limits the meaning of the figures, worst first.
    pub caveats: Vec<FilesCaveat>,
    /// Reason why the measurement ended early.
    pub ended: Option<FilesEnd>,
    /// Directory in which the last tree was left (`--keep`).
    pub kept: Option<String>,
    /// Names in the scratch directory that fathom did not make, and that were left.
    pub foreign: Vec<String>,
    /// Hosts whose sum this is, in the order of the command line; empty for a measurement on one host without `--hosts`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostOutcome<FilesCard>>,
}

impl FilesCard {
    /// Returns the grade: the worst of the caveats. After an error, the phases measured before it hold with that condition;
    /// without any, nothing was measured.
    pub fn grade(&self) -> Grade {
        let found = self.caveats.iter().map(FilesCaveat::grade).max().unwrap_or_default();
        match self.ended {
            Some(_) if self.phases.is_empty() => Grade::NotTheDevice,
            Some(FilesEnd::Failed { .. } | FilesEnd::Stuck { .. }) => found.max(Grade::Conditions),
            _ => found,
        }
    }

    /// Returns the figures of a phase.
    pub fn phase(&self, phase: FilesPhase) -> Option<&FilesPhaseResult> {
        self.phases.iter().find(|result| result.phase == phase)
    }
}
