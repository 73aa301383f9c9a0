//! State of a run before its end.

use crate::{DiskOutcome, HeatCounters, Histogram, RateDrop};
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
    /// Latencies of the I/Os completed since the preceding sample, [read, write, trim]; `None` without I/Os.
    pub latency: [Option<LiveLatency>; 3],
    /// The same latencies of all directions in octaves: binary logarithm of the lower end in nanoseconds, number of I/Os.
    pub octaves: Vec<(u32, u64)>,
    /// Sum of the configured queue depths of the running jobs.
    pub depth_asked: u32,
    /// Mean number of I/Os in flight since the preceding sample, by Little's law; `None` if latencies are not recorded.
    pub depth_reached: Option<f64>,
    /// The jobs of the phase, in the order of the report.
    pub jobs: Vec<LiveJob>,
    /// The disks of the targets; none in the first sample.
    pub disks: Vec<LiveDisk>,
    /// Drives below the targets that report their temperature or its effects.
    pub drives: Vec<LiveDrive>,
    /// What happened since the preceding sample.
    pub events: Vec<LiveEvent>,
}

/// Temperature of a drive and its effects, as the drive reports them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveDrive {
    /// Kernel name of the drive.
    pub name: String,
    /// Temperature, degrees Celsius; `None` if it is not known.
    pub celsius: Option<f64>,
    /// Counters since the drive was made; `None` if they are not known.
    pub heat: Option<HeatCounters>,
}

/// Event during a run that explains its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LiveEvent {
    /// The rate has dropped.
    RateDropped(RateDrop),
    /// A drop of the rate has ended; its duration is known.
    RateRecovered(RateDrop),
    /// The temperature of a drive slows it down.
    DriveSlowed {
        /// Kernel name of the drive.
        drive: String,
    },
    /// A drive is above its warning temperature.
    DriveHot {
        /// Kernel name of the drive.
        drive: String,
    },
    /// The CPU quota of a control group throttles the process.
    CpuThrottled {
        /// Time in milliseconds during which the process was throttled.
        ms: u64,
    },
}

impl LiveEvent {
    /// Returns what happened between two readings of the same drives.
    pub fn of_drives(then: &[LiveDrive], now: &[LiveDrive]) -> Vec<LiveEvent> {
        let pairs = now.iter().filter_map(|now| {
            let then = then.iter().find(|then| then.name == now.name)?;
            Some((&now.name, then.heat?, now.heat?))
        });
        let events = pairs.flat_map(|(name, then, now)| {
            let slowed = now.slowed > then.slowed || now.slowed_s > then.slowed_s;
            let hot = now.warning_minutes > then.warning_minutes;
            let drive = || name.clone();
            let slowed = slowed.then(|| LiveEvent::DriveSlowed { drive: drive() });
            slowed.into_iter().chain(hot.then(|| LiveEvent::DriveHot { drive: drive() }))
        });
        events.collect()
    }
}

impl LiveDetail {
    /// Stores the latencies of the I/Os since the preceding sample, nanoseconds, [read, write, trim].
    pub fn set_latencies(&mut self, since: &[Histogram; 3]) {
        let mut all = Histogram::default();
        since.iter().for_each(|latencies| all.merge(latencies));
        self.octaves = all.ranges(1).into_iter().map(|(from, _, ios)| (from.max(1).ilog2(), ios)).collect();
        self.latency = since.each_ref().map(|latencies| {
            Some(LiveLatency {
                median_ns: latencies.quantile(50.0)?,
                p99_ns: latencies.quantile(99.0)?,
                max_ns: latencies.quantile(100.0)?,
            })
        });
    }
}

/// Latencies between two samples, to the width of a histogram bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveLatency {
    /// Median, nanoseconds.
    pub median_ns: u64,
    /// 99th percentile, nanoseconds.
    pub p99_ns: u64,
    /// Highest latency, nanoseconds.
    pub max_ns: u64,
}

/// Sample of a disk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveDisk {
    /// Kernel name of the device.
    pub name: String,
    /// Requests completed per second since the preceding sample, [read, write].
    pub iops: [f64; 2],
    /// Bytes transferred per second since the preceding sample, [read, write].
    pub bytes_per_second: [u64; 2],
    /// Mean number of requests in flight since the preceding sample.
    pub in_flight: f64,
    /// Devices below a stacked device.
    pub beneath: Vec<LiveDisk>,
}

impl LiveDisk {
    /// Returns the sample of each disk of `now` between the counters `then` and `now`, `period_s` seconds apart.
    pub fn between(then: &[DiskOutcome], now: &[DiskOutcome], period_s: f64) -> Vec<LiveDisk> {
        let of = |now: &DiskOutcome| {
            let then = then.iter().find(|then| then.name == now.name)?;
            let rate = |now: u64, then: u64| now.saturating_sub(then) as f64 / period_s;
            Some(LiveDisk {
                name: now.name.clone(),
                iops: std::array::from_fn(|d| rate(now.ios[d], then.ios[d])),
                bytes_per_second: std::array::from_fn(|d| {
                    (512.0 * rate(now.sectors[d], then.sectors[d])) as u64
                }),
                in_flight: rate(now.in_queue_ms, then.in_queue_ms) / 1000.0,
                beneath: Self::between(&then.beneath, &now.beneath, period_s),
            })
        };
        if period_s > 0.0 { now.iter().filter_map(of).collect() } else { Vec::new() }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_a_disk_are_differences_by_the_period() {
        let counters = |nth: u64| DiskOutcome {
            name: "sda".into(),
            ios: [500 * nth, 0],
            sectors: [4000 * nth, 0],
            in_queue_ms: 2000 * nth,
            ..DiskOutcome::default()
        };
        let disk = LiveDisk {
            name: "sda".into(),
            iops: [2000.0, 0.0],
            bytes_per_second: [8_192_000, 0],
            in_flight: 8.0,
            beneath: Vec::new(),
        };
        assert_eq!(LiveDisk::between(&[counters(1)], &[counters(2)], 0.25), [disk]);
        assert_eq!(LiveDisk::between(&[], &[counters(2)], 0.25), []);
    }

    #[test]
    fn a_drive_is_told_as_slowed_when_its_counters_grow() {
        let drive = |slowed: u64, warning_minutes: u32| LiveDrive {
            name: "nvme0n1".into(),
            celsius: Some(81.0),
            heat: Some(HeatCounters { warning_minutes, slowed, slowed_s: 7 * slowed }),
        };
        let (slowed, hot) = (
            LiveEvent::DriveSlowed { drive: "nvme0n1".into() },
            LiveEvent::DriveHot { drive: "nvme0n1".into() },
        );
        assert_eq!(LiveEvent::of_drives(&[drive(3, 5)], &[drive(3, 5)]), []);
        assert_eq!(LiveEvent::of_drives(&[], &[drive(3, 5)]), []);
        assert_eq!(LiveEvent::of_drives(&[drive(3, 5)], &[drive(4, 6)]), [slowed, hot]);
    }

    #[test]
    fn latencies_are_summed_up_in_octaves() {
        let mut since: [Histogram; 3] = Default::default();
        since[0].record(70_000, 99);
        since[1].record(3_000_000, 1);
        let mut detail = LiveDetail::default();
        detail.set_latencies(&since);
        let counted: u64 = detail.octaves.iter().map(|(_, ios)| ios).sum();
        assert_eq!((counted, detail.octaves[0], detail.latency[2]), (100, (16, 99), None));
        assert_eq!(detail.octaves.last(), Some(&(21, 1)));
        assert!(detail.latency[0].is_some_and(|l| l.max_ns.abs_diff(70_000) < 1000));
    }
}
