//! State of a run before its end.

use crate::{DiskOutcome, Histogram};
use serde::{Deserialize, Serialize};

/// Fields of the line that fio prints about a job before the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Banner {
    /// Name of the job.
    pub name: String,
    /// Number of the reporting group.
    pub group: u32,
    /// Value of `rw`: `randread`, ...
    pub rw: String,
    /// Smallest and largest block size, bytes, of [read, write, trim].
    pub bs: [(u64, u64); 3],
    /// Whether the first two block sizes are those of sequential and random I/Os (`bs_is_seq_rand`).
    pub seq_rand: bool,
    /// Name of the I/O engine.
    pub ioengine: String,
    /// Configured queue depth (`iodepth`).
    pub iodepth: u32,
    /// Number of clones.
    pub clones: u32,
    /// `kb_base`, the base of size units: 1000 or 1024.
    pub kb_base: u32,
    /// Number of significant decimal digits of a printed block size.
    pub significant_figures: u32,
    /// Whether the job does I/O; fio prints no line about a job without I/O.
    pub does_io: bool,
}

/// State of a worker, as shown by the letters of fio's ETA line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerState {
    /// The worker is set up and not started.
    Waiting,
    /// The worker has started and prepares its files and memory.
    Preparing,
    /// The worker does I/O in its ramp time.
    Ramp,
    /// The worker does I/O in its measured time.
    Running,
    /// The worker reads back what it has written, and checks it.
    Verifying,
    /// The worker waits for the sync of `end_fsync`.
    Syncing,
    /// The worker has ended.
    Exited,
}

impl WorkerState {
    /// Returns the state for the number in [`crate::Shared::state`]; larger numbers are `Exited`.
    pub fn from_number(n: u64) -> Self {
        use WorkerState::*;
        [Waiting, Preparing, Ramp, Running, Verifying, Syncing, Exited][(n as usize).min(6)]
    }
}

/// Sample of a run in progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// Letters of fio's ETA line, one per job in the order of the report.
    pub letters: String,
    /// Number of running jobs.
    pub running: u32,
    /// Number of open files.
    pub open_files: u64,
    /// Bytes per second since the preceding sample, [read, write, trim].
    pub bytes_per_second: [u64; 3],
    /// I/Os per second since the preceding sample, [read, write, trim].
    pub iops: [u64; 3],
    /// Completed share of the run, percent; `None` if it cannot be determined.
    pub percent: Option<f64>,
    /// Remaining time, seconds; `None` if it cannot be determined.
    pub eta_s: Option<u64>,
    /// Time since the start of the run, milliseconds.
    pub elapsed_ms: u64,
    /// Figures of the full-screen view; `None` unless the watcher wants them.
    pub detail: Option<Box<LiveDetail>>,
}

/// Figures of a run in progress that only the full-screen view shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveDetail {
    /// Time since the preceding sample, seconds.
    pub period_s: f64,
    /// Latencies of the I/Os completed since the preceding sample, nanoseconds, [read, write, trim].
    pub latency: [Histogram; 3],
    /// Sum of the configured queue depths of the running jobs.
    pub depth_asked: u32,
    /// Mean number of I/Os in flight since the preceding sample, by Little's law; `None` if latencies are not recorded.
    pub depth_reached: Option<f64>,
    /// The jobs of the phase, in the order of the report.
    pub jobs: Vec<LiveJob>,
    /// Counters of the disks of the targets since the start of the run.
    pub disks: Vec<DiskOutcome>,
}

/// Sample of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveJob {
    /// Name of the job.
    pub name: String,
    /// State of its worker.
    pub state: WorkerState,
    /// I/Os per second since the preceding sample, [read, write, trim].
    pub iops: [u64; 3],
    /// Bytes per second since the preceding sample, [read, write, trim].
    pub bytes_per_second: [u64; 3],
}
