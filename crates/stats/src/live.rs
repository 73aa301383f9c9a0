//! What can be said of a run before it ends.

use serde::{Deserialize, Serialize};

/// What fio prints of a job before it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Banner {
    /// Job name.
    pub name: String,
    /// Reporting group.
    pub group: u32,
    /// `randread`, ...
    pub rw: String,
    /// Smallest and largest block size, bytes: read, write, trim.
    pub bs: [(u64, u64); 3],
    /// The first two are of sequential and random I/Os (`bs_is_seq_rand`).
    pub seq_rand: bool,
    /// Engine name.
    pub ioengine: String,
    /// iodepth.
    pub iodepth: u32,
    /// Number of clones.
    pub clones: u32,
    /// 1000 or 1024: the family of its sizes.
    pub kb_base: u32,
    /// Digits of its sizes.
    pub significant_figures: u32,
    /// It does I/O: fio has no line about a job that does none.
    pub does_io: bool,
}

/// What a worker is doing, in fio's letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerState {
    /// Set up, not started.
    Waiting,
    /// Started, preparing.
    Preparing,
    /// In its ramp time.
    Ramp,
    /// Running.
    Running,
    /// In end_fsync.
    Syncing,
    /// Done.
    Exited,
}

impl WorkerState {
    /// From the number kept in [`crate::Shared::state`].
    pub fn from_number(n: u64) -> Self {
        use WorkerState::*;
        [Waiting, Preparing, Ramp, Running, Syncing, Exited][(n as usize).min(5)]
    }
}

/// A look at a run while it goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// Letters of fio's ETA line, one per job in report order.
    pub letters: String,
    /// Jobs that run.
    pub running: u32,
    /// Open files.
    pub open_files: u64,
    /// Bytes per second since the last look: read, write, trim.
    pub bytes_per_second: [u64; 3],
    /// I/Os per second since the last look.
    pub iops: [u64; 3],
    /// Percent done, if it can be determined.
    pub percent: Option<f64>,
    /// Seconds left, if it can be determined.
    pub eta_s: Option<u64>,
    /// Milliseconds since the run began.
    pub elapsed_ms: u64,
}
