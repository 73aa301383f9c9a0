//! Steps of a study as they were carried out: purges, write cache settings and measured samples.

use super::load::{PtsLoad, PtsTest};
use crate::finding::Finding;
use crate::histogram::Histogram;
use serde::{Deserialize, Serialize};

/// Purpose of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsPhase {
    /// Workload-independent preconditioning: a part of two sequential passes of writes.
    Fill,
    /// Preconditioning in rounds until steady state (host idle recovery, composite workload, demand intensity).
    Precondition,
    /// Cell of a round that is measured.
    Round,
    /// Writes before the cells of a demand round.
    PreWrite,
    /// Minute of continuous random writes (write saturation).
    Saturation,
    /// Burst of writes, after which the host is idle.
    Burst,
    /// Minute of continuous writes that return to the baseline after the bursts of a wait state.
    Return,
    /// Minute of the first group of sequential writes (cross stimulus recovery).
    FirstGroup,
    /// Minute of random writes between the groups of sequential writes.
    Between,
    /// Minute of the second group of sequential writes.
    SecondGroup,
    /// Minute of a load on a slice of a hard disk; the round is the slice.
    Slice,
    /// Minute of writes before the histogram of an operating point.
    OperatingWrites,
    /// Measurement whose latencies are kept as a histogram.
    Histogram,
}

/// Place of a sample in its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PtsPlace {
    /// Purpose.
    pub phase: PtsPhase,
    /// Part of the test, from 0: block size of the throughput test, wait state of host idle recovery, operating point
    /// of a demand test (0 = Max, 1 = Mid, 2 = Min).
    pub part: u32,
    /// Round, from 1; pass of a fill, from 1; minute or burst, from 1, where there are no rounds.
    pub round: u32,
    /// Cell in the round, from 0; piece of a pass, from 0.
    pub cell: u32,
}

/// One measurement: a cell of a round, a minute, a burst, or a piece of a fill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsSample {
    /// Place in the test.
    pub place: PtsPlace,
    /// Load.
    pub load: PtsLoad,
    /// Start, milliseconds since the epoch (simulated devices: since the start of their time).
    pub began_ms: u64,
    /// Time from the end of the job before to the start of this one, seconds, including waits that the test requires. The
    /// time without I/Os is longer, since the jobs take time to start and to end.
    pub idle_s: f64,
    /// Duration, seconds.
    pub seconds: f64,
    /// Completed reads and writes.
    pub ios: [u64; 2],
    /// Bytes read and written.
    pub bytes: [u64; 2],
    /// I/Os per second.
    pub iops: f64,
    /// Bytes per second.
    pub bytes_per_second: f64,
    /// Mean latency of reads and writes together (ART), nanoseconds.
    pub mean_ns: f64,
    /// Longest latency (MRT), nanoseconds.
    pub max_ns: u64,
    /// 99.999th percentile of latency, nanoseconds; `None` without I/Os.
    pub p99999_ns: Option<u64>,
    /// CPU time of all threads, percent of the time of one CPU.
    pub cpu_percent: f64,
    /// I/Os that failed.
    #[serde(default)]
    pub errors: u64,
    /// Temperature of the device at the end, degrees Celsius; `None` if it is not known.
    #[serde(default)]
    pub celsius: Option<f64>,
    /// Limits, other load and lack of CPU during the step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// Histogram of the latencies; only of [`PtsPhase::Histogram`].
    #[serde(default)]
    pub latencies: Histogram,
}

impl PtsSample {
    /// Returns a percentile of the latencies of a histogram, nanoseconds, not above the longest one; `None` without
    /// a histogram.
    pub fn percentile(&self, percent: f64) -> Option<u64> {
        self.latencies.quantile(percent).map(|ns| ns.min(self.max_ns))
    }
}

/// Way in which a device was brought near the state without user data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsPurgeMethod {
    /// NVMe Format with erasure of user data.
    NvmeFormat,
    /// NVMe Sanitize, block erase.
    NvmeSanitize,
    /// ATA SECURITY ERASE UNIT.
    AtaSecureErase,
    /// Discard of all blocks (BLKDISCARD): a substitute, whose effect the device decides.
    Discard,
    /// Simulated device in its initial state.
    Simulated,
    /// No purge is possible, or none was wanted.
    #[default]
    None,
}

/// Purge of the device before a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsPurge {
    /// Method that was used.
    pub method: PtsPurgeMethod,
    /// Duration, seconds.
    pub seconds: f64,
    /// Methods that were tried before and that the device refused.
    pub refused: [Option<PtsPurgeMethod>; 3],
}

/// Way in which the volatile write cache was set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsCacheControl {
    /// NVMe feature 06h.
    NvmeFeature,
    /// `cache_type` of a SCSI disk, which the kernel sends to the disk (MODE SELECT).
    ScsiCacheType,
    /// `queue/write_cache`, which says what the kernel assumes and changes nothing in the device.
    Kernel,
    /// Simulated device.
    Simulated,
    /// The state of the cache can be neither set nor read.
    #[default]
    None,
}

/// State of the volatile write cache during a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PtsWriteCache {
    /// State that the class of the test requires: enabled or disabled.
    pub required: bool,
    /// Way to set and read it.
    pub control: PtsCacheControl,
    /// State before the test; `None` if it is not known.
    pub before: Option<bool>,
    /// State that was read back after it was set; `None` if it is not known.
    pub during: Option<bool>,
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsEvent {
    /// The device was purged, or could not be.
    Purged(PtsPurge),
    /// The write cache was set and read back.
    CacheSet(PtsWriteCache),
    /// A sample was measured.
    Measured(Box<PtsSample>),
}

/// A completed step of a study, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsPoint {
    /// Number of the step in the study, from 0.
    pub ordinal: u32,
    /// Test to which the step belongs.
    pub test: PtsTest,
    /// Start, milliseconds since the epoch (simulated devices: since the start of their time).
    pub began_ms: u64,
    /// What the step did.
    pub event: PtsEvent,
    /// Whether the study was interrupted before this step, so that the device was idle for an unknown time.
    #[serde(default)]
    pub resumed: bool,
    /// State of a simulated device after the step, to resume the study.
    #[serde(default)]
    pub state: Vec<f64>,
}

impl PtsPoint {
    /// Returns the sample of the step; `None` if it measured nothing.
    pub fn sample(&self) -> Option<&PtsSample> {
        match &self.event {
            PtsEvent::Measured(sample) => Some(sample),
            PtsEvent::Purged(_) | PtsEvent::CacheSet(_) => None,
        }
    }
}
