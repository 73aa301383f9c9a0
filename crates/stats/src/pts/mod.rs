//! Result of `fathom pts`: tests of the SNIA Solid State Storage Performance Test Specification 2.0.2, with the exact
//! arithmetic of steady state. Facts and their sources: docs/pts.md.

pub mod comparison;
mod demand;
mod early;
mod findings;
mod forecast;
mod load;
mod matrix;
mod protocol;
mod sample;
mod slices;
mod time_course;
mod window;
mod window_figures;

pub use demand::{DEMANDS, MOST_LATENCY_NS, PtsDemand, PtsOperating, PtsOperatingPoint, operating_points};
pub use early::{EARLY_CONFIDENCE, EARLY_DEVIATION, EARLY_PERCENT, PtsEarly, PtsInterval};
pub use findings::PtsFinding;
pub use forecast::{PtsCost, PtsForecast, PtsProgress, PtsRates};
pub use load::{COMPOSITE, COMPOSITE_READS, COMPOSITE_SKEW, PtsBlock, PtsClass, PtsLoad, PtsTest};
pub use matrix::{PtsCell, PtsLatency, PtsMatrix, PtsRound, PtsThroughput};
pub use protocol::{PtsExtent, PtsOrder, PtsProtocol, PtsStage, PtsStageKind, PtsStep, PtsUntil};
pub use sample::{
    PtsCacheControl, PtsEvent, PtsPhase, PtsPlace, PtsPoint, PtsPurge, PtsPurgeMethod, PtsSample,
    PtsWriteCache,
};
pub use slices::{PtsSliceCell, PtsSlices, SLICES};
pub use time_course::{
    PRECONDITION_ROUND, PtsCrossStimulus, PtsIdleRecovery, PtsPreconditioning, PtsSaturation,
    PtsSaturationEnd, PtsWaitState, SATURATION_FILLS, SATURATION_ROUND, WAITS_S,
};
pub use window::{
    ALLOWED_EXCURSION, ALLOWED_SLOPE, MOST_ROUNDS, PtsQuantity, PtsSteady, PtsVariable, PtsWindow,
    WINDOW_ROUNDS,
};

use crate::hosts::HostLoss;
use crate::loop_file::LoopFile;
use crate::result::Host;
use serde::{Deserialize, Serialize};

/// Kind of the device under test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsDeviceKind {
    /// Solid state drive.
    Ssd,
    /// Rotating disk.
    Rotating,
    /// Virtual or network disk, loop device, RAID or other device whose medium is not known.
    #[default]
    Unknown,
    /// Simulated device in virtual time.
    Simulated,
}

/// Device under test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsDevice {
    /// Name as given on the command line.
    pub name: String,
    /// Vendor and model; empty if not known.
    pub model: String,
    /// Revision of the firmware; empty if not known.
    #[serde(default)]
    pub firmware: String,
    /// Kind.
    pub kind: PtsDeviceKind,
    /// Capacity, bytes.
    pub bytes: u64,
    /// Logical block size, bytes.
    pub sector: u64,
    /// Layers, top down, as text.
    pub stack: Vec<String>,
    /// Connection, such as `nvme`; empty if not known.
    #[serde(default)]
    pub attachment: String,
    /// Serial number, kernel's identification, or path of a loop device's file, by which a resumed study recognises the
    /// device; empty if not known.
    #[serde(default)]
    pub identity: String,
    /// Files of the loop devices of which it consists, from the top down.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loop_files: Vec<LoopFile>,
    /// Whether it is a loop device without direct I/O, whose I/Os go through the page cache.
    #[serde(default)]
    pub cached: bool,
}

impl PtsDevice {
    /// Returns the path of a loop device's file; `None` for other devices.
    pub fn backing_file(&self) -> Option<&str> {
        Some(self.identity.as_str()).filter(|identity| identity.starts_with('/'))
    }

    /// Returns the serial number or the kernel's identification; `None` if it is not known.
    pub fn serial(&self) -> Option<&str> {
        let identity = Some(self.identity.as_str()).filter(|identity| !identity.is_empty());
        identity.filter(|_| self.backing_file().is_none())
    }
}

/// Options of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsAsked {
    /// Tests in the order of measurement.
    pub tests: Vec<PtsTest>,
    /// Settings of the specification.
    pub class: PtsClass,
    /// Divisor of all durations: 1 for the specification's durations, 60 for `--scale 1/60`.
    pub scale: u32,
    /// Active range, percent of the capacity.
    pub active_range_percent: f64,
    /// Number of threads where the specification leaves the choice to the operator (IOPS, write saturation, recovery).
    pub threads: u32,
    /// Queue depth of each of these threads.
    pub depth: u32,
    /// Whether a purge was wanted.
    pub purge: bool,
    /// The only method of purge that was permitted; `None` for the best one.
    #[serde(default)]
    pub only_purge: Option<PtsPurgeMethod>,
    /// Block size of the demand intensity test, bytes.
    pub demand_block: u64,
    /// Share of reads in the demand intensity test, percent.
    pub demand_reads: u32,
    /// Largest number of rounds.
    pub most_rounds: u32,
    /// Half-width of the interval of the mean at which rounds end before steady state, percent; `None` if they do not.
    #[serde(default)]
    pub early_percent: Option<f64>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// I/O engine (`ioengine`).
    pub engine: String,
}

/// Unit of the active range and largest block of the tests, bytes.
const STEP: u64 = 1 << 20;

impl PtsAsked {
    /// Returns the duration of `seconds` of the specification in this study, seconds.
    pub fn scaled(&self, seconds: f64) -> f64 {
        seconds / f64::from(self.scale.max(1))
    }

    /// Returns the size of the active range of a device, bytes, a multiple of 1 MiB if the device is larger.
    pub fn active_range(&self, bytes: u64) -> u64 {
        if self.active_range_percent >= 100.0 {
            return bytes;
        }
        let range = (bytes as f64 * self.active_range_percent / 100.0) as u64;
        (range / STEP * STEP).max(STEP.min(bytes))
    }

    /// Returns whether the active range as asked is smaller than the largest block, or than a smaller device.
    pub fn is_range_too_small(&self, bytes: u64) -> bool {
        let range = bytes as f64 * self.active_range_percent / 100.0;
        self.active_range_percent < 100.0 && range < STEP.min(bytes) as f64
    }
}

/// Reason why a result does not conform to the specification. A result with a reason is derived from the specification.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum PtsDeviation {
    /// All durations were divided by this number.
    Scaled {
        /// Divisor.
        by: u32,
    },
    /// The test is one of TKperf, not of the specification.
    TestOfTkperf,
    /// The device is simulated.
    Simulated,
    /// The device rotates.
    Rotating,
    /// The medium of the device is not known, for example that of a virtual disk.
    UnknownMedium,
    /// The device is a loop device without direct I/O: the page cache was measured.
    PageCache,
    /// The device was not purged.
    NotPurged,
    /// The device was purged by a discard, whose effect it decides.
    DiscardOnly,
    /// The state of the write cache is not known.
    WriteCacheUnknown,
    /// The write cache is not in the required state.
    WriteCacheNotSet,
    /// The active range is not that of the class.
    ActiveRange {
        /// Required, percent.
        required: u32,
        /// Used, percent.
        used: u32,
    },
    /// Block sizes below the logical block size were left out.
    BlocksLeftOut {
        /// Logical block size, bytes.
        sector: u64,
    },
    /// Fewer rounds than the specification allows.
    FewerRounds {
        /// Largest number of rounds.
        most: u32,
    },
    /// Rounds ended before steady state, since the interval of the mean was tight enough.
    StoppedEarly {
        /// Half-width that was asked for, percent of the mean.
        percent: f64,
        /// Confidence of the interval of each tracked variable, percent.
        confidence: f64,
    },
    /// The device was idle for an unknown time, because the study was interrupted and resumed.
    Resumed,
    /// I/Os failed.
    FailedIos {
        /// Number of failed I/Os.
        errors: u64,
    },
}

/// Result of one test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "test", content = "result")]
pub enum PtsResult {
    /// IOPS test.
    Iops(PtsMatrix),
    /// Throughput test, one result per block size.
    Throughput(Vec<PtsThroughput>),
    /// Latency test.
    Latency(PtsLatency),
    /// Write saturation test.
    Wsat(PtsSaturation),
    /// Host idle recovery.
    Hir(PtsIdleRecovery),
    /// Cross stimulus recovery.
    Xsr(PtsCrossStimulus),
    /// Composite workload.
    Cbw(PtsDemand),
    /// Demand intensity.
    Dirth(PtsDemand),
    /// IOPS over the slices of a hard disk.
    HddIops(PtsSlices),
    /// Throughput over the slices of a hard disk.
    HddThroughput(PtsSlices),
}

/// Part of a test that has a steady state of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PtsSteadyPart {
    /// The whole test.
    Whole,
    /// A block size of the throughput test, bytes.
    Block(u64),
    /// Preconditioning of a demand test.
    Preconditioning,
    /// Rounds of a demand test.
    Rounds,
}

impl PtsResult {
    /// Returns the steady states that the test requires, in the order of measurement; none for cross stimulus recovery
    /// and hard disks.
    pub fn steady(&self) -> Vec<&PtsSteady> {
        self.steady_parts().into_iter().map(|(_, steady)| steady).collect()
    }

    /// Returns the steady states that the test requires, in the order of measurement, each with its part of the test.
    pub fn steady_parts(&self) -> Vec<(PtsSteadyPart, &PtsSteady)> {
        let whole = |steady| vec![(PtsSteadyPart::Whole, steady)];
        match self {
            PtsResult::Iops(matrix) => whole(&matrix.steady),
            PtsResult::Throughput(parts) => {
                let part = |part: &PtsThroughput| PtsSteadyPart::Block(part.block);
                parts.iter().map(|of| (part(of), &of.matrix.steady)).collect()
            }
            PtsResult::Latency(latency) => whole(&latency.matrix.steady),
            PtsResult::Wsat(saturation) => whole(&saturation.steady),
            PtsResult::Hir(recovery) => whole(&recovery.preconditioning.steady),
            PtsResult::Xsr(_) | PtsResult::HddIops(_) | PtsResult::HddThroughput(_) => Vec::new(),
            PtsResult::Cbw(demand) | PtsResult::Dirth(demand) => vec![
                (PtsSteadyPart::Preconditioning, &demand.preconditioning.steady),
                (PtsSteadyPart::Rounds, &demand.matrix.steady),
            ],
        }
    }
}

/// One test of a study: preparation, result, and how far it conforms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsTestRun {
    /// Which test.
    pub test: PtsTest,
    /// Start, milliseconds since the epoch (simulated devices: since the start of their time).
    pub began_ms: u64,
    /// End of the last step.
    pub ended_ms: u64,
    /// Purges in the order of the parts; the throughput test has one per block size.
    pub purges: Vec<PtsPurge>,
    /// Write cache during the test; `None` if the test ended before it was set.
    pub write_cache: Option<PtsWriteCache>,
    /// Active range, bytes from the start of the device.
    pub active_range: u64,
    /// Number of threads of the stimulus; of the demand tests, the largest.
    pub threads: u32,
    /// Queue depth of each thread; of the demand tests, the largest.
    pub depth: u32,
    /// Total bytes written.
    pub written: u64,
    /// Longest time without I/Os between two measured steps that follow each other, seconds: the end of one job and the
    /// start of the next included, waits that the test requires, purges and interruptions of the study excepted.
    pub longest_gap_s: f64,
    /// Lowest and highest temperature, degrees Celsius; `None` if it is not known.
    pub celsius: Option<[f64; 2]>,
    /// Result.
    pub result: PtsResult,
    /// Whether all steps of the test were carried out.
    pub complete: bool,
    /// Reasons why the result does not conform to the specification.
    pub deviations: Vec<PtsDeviation>,
}

impl PtsTestRun {
    /// Returns whether the result conforms to the specification.
    pub fn conforms(&self) -> bool {
        self.deviations.is_empty()
    }

    /// Returns the divisor of all durations; 1 without a scale.
    pub fn scale(&self) -> u32 {
        let scaled = |deviation: &PtsDeviation| match deviation {
            PtsDeviation::Scaled { by } => Some(*by),
            _ => None,
        };
        self.deviations.iter().find_map(scaled).unwrap_or(1)
    }

    /// Returns whether every required steady state was achieved; `None` for a test without one.
    pub fn steady(&self) -> Option<bool> {
        let states = self.result.steady();
        (!states.is_empty()).then(|| states.iter().all(|state| state.met()))
    }
}

/// Result of `fathom pts`: tests of one device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsStudy {
    /// Number of the study in the store; 0 if not stored.
    pub id: i64,
    /// Number that the studies of one command have in common, which measured several devices at the same time; 0 for a
    /// study of one device.
    #[serde(default)]
    pub group: u64,
    /// Name by which the command of the study called the host of the device; `None` without `--hosts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_host: Option<String>,
    /// Reason why this host was lost before the end of its studies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<HostLoss>,
    /// Version of fathom that measured.
    pub version: String,
    /// Machine on which the study was measured.
    pub host: Host,
    /// Start, milliseconds since the epoch.
    pub began_ms: u64,
    /// End of the last step, milliseconds since the epoch.
    pub ended_ms: u64,
    /// Options.
    pub asked: PtsAsked,
    /// Device under test.
    pub device: PtsDevice,
    /// Tests that have begun, in the order of measurement.
    pub runs: Vec<PtsTestRun>,
    /// Findings about the measured steps, the worst first.
    #[serde(default)]
    pub findings: Vec<PtsFinding>,
    /// Whether all tests came to their end.
    pub complete: bool,
}

impl PtsStudy {
    /// Computes the runs of the tests from the completed steps of the study.
    pub fn evaluate(&mut self, points: &[PtsPoint]) {
        let tests = self.asked.tests.clone();
        let runs = tests.into_iter().filter_map(|test| {
            let mine: Vec<&PtsPoint> = points.iter().filter(|point| point.test == test).collect();
            (!mine.is_empty()).then(|| self.run_of(test, &mine))
        });
        self.runs = runs.collect();
        self.findings = PtsFinding::of(&points.iter().filter_map(PtsPoint::sample).collect::<Vec<_>>());
        self.complete = self.runs.len() == self.asked.tests.len() && self.runs.iter().all(|run| run.complete);
        self.ended_ms = self.runs.iter().map(|run| run.ended_ms).max().unwrap_or(self.began_ms);
    }

    fn run_of(&self, test: PtsTest, points: &[&PtsPoint]) -> PtsTestRun {
        let protocol = PtsProtocol::of(test, &self.asked, &self.device);
        let samples: Vec<&PtsSample> = points.iter().filter_map(|point| point.sample()).collect();
        let event = |point: &&PtsPoint| match &point.event {
            PtsEvent::Purged(purge) => Some(*purge),
            PtsEvent::CacheSet(_) | PtsEvent::Measured(_) => None,
        };
        let purges: Vec<PtsPurge> = points.iter().filter_map(event).collect();
        let write_cache = points.iter().find_map(|point| match &point.event {
            PtsEvent::CacheSet(cache) => Some(*cache),
            PtsEvent::Purged(_) | PtsEvent::Measured(_) => None,
        });
        let result = protocol.result(&samples);
        let temperatures = samples.iter().filter_map(|sample| sample.celsius);
        let end = |point: &PtsPoint| {
            let seconds = match &point.event {
                PtsEvent::Measured(sample) => sample.seconds,
                PtsEvent::Purged(purge) => purge.seconds,
                PtsEvent::CacheSet(_) => 0.0,
            };
            point.began_ms + (seconds * 1000.0) as u64
        };
        let (threads, depth) = protocol.demand();
        let mut run = PtsTestRun {
            test,
            began_ms: points.first().map_or(0, |point| point.began_ms),
            ended_ms: points.iter().map(|point| end(point)).max().unwrap_or(0),
            purges,
            write_cache,
            active_range: self.asked.active_range(self.device.bytes),
            threads,
            depth,
            written: samples.iter().map(|sample| sample.bytes[1]).sum(),
            longest_gap_s: points
                .windows(2)
                .filter_map(|pair| self.gap_s(pair[0], pair[1]))
                .fold(0.0, f64::max),
            celsius: temperatures.fold(None, |range: Option<[f64; 2]>, t| {
                Some(range.map_or([t, t], |[low, high]| [low.min(t), high.max(t)]))
            }),
            complete: protocol.next(points).is_none(),
            result,
            deviations: Vec::new(),
        };
        run.deviations = self.deviations(&run, &samples, points);
        run
    }

    /// Returns the time without I/Os between two steps, seconds; `None` if the test requires a wait there, the study was
    /// interrupted, or one of them measured nothing.
    fn gap_s(&self, before: &PtsPoint, after: &PtsPoint) -> Option<f64> {
        let (Some(first), Some(second)) = (before.sample(), after.sample()) else { return None };
        // Before each burst and before the minutes after the bursts, the test requires a wait.
        let required = match second.place.phase {
            PtsPhase::Burst => true,
            PtsPhase::Return => second.place.round == 1,
            _ => false,
        };
        if required || after.resumed {
            return None;
        }
        // The clock of a simulated device stands still outside of the jobs.
        if self.device.kind == PtsDeviceKind::Simulated {
            return Some(second.idle_s);
        }
        // `idle_s` ends before the start of the job, and begins after its end. A job starts as long before its first I/O as
        // the one before, so that the starts are as far apart as the first I/Os.
        let between_s = second.began_ms.saturating_sub(first.began_ms) as f64 / 1e3;
        Some((between_s - first.seconds).max(second.idle_s))
    }

    fn deviations(
        &self,
        run: &PtsTestRun,
        samples: &[&PtsSample],
        points: &[&PtsPoint],
    ) -> Vec<PtsDeviation> {
        let mut found = Vec::new();
        let PtsStudy { asked, device, .. } = self;
        if asked.scale > 1 {
            found.push(PtsDeviation::Scaled { by: asked.scale });
        }
        // Its device rotates and is not purged, as it should.
        let of_tkperf = run.test.section().is_none();
        if of_tkperf {
            found.push(PtsDeviation::TestOfTkperf);
        }
        match device.kind {
            PtsDeviceKind::Ssd => {}
            PtsDeviceKind::Rotating if of_tkperf => {}
            PtsDeviceKind::Rotating => found.push(PtsDeviation::Rotating),
            PtsDeviceKind::Unknown => found.push(PtsDeviation::UnknownMedium),
            PtsDeviceKind::Simulated => found.push(PtsDeviation::Simulated),
        }
        if device.cached {
            found.push(PtsDeviation::PageCache);
        }
        let used = |method| run.purges.iter().any(|purge| purge.method == method);
        if !of_tkperf && (used(PtsPurgeMethod::None) || run.purges.is_empty()) {
            found.push(PtsDeviation::NotPurged);
        }
        if used(PtsPurgeMethod::Discard) {
            found.push(PtsDeviation::DiscardOnly);
        }
        let cache = run.write_cache.unwrap_or_default();
        match (cache.control, cache.during) {
            (PtsCacheControl::Simulated, _) => {}
            (PtsCacheControl::None | PtsCacheControl::Kernel, _) | (_, None) => {
                found.push(PtsDeviation::WriteCacheUnknown);
            }
            (_, Some(state)) if state != cache.required => found.push(PtsDeviation::WriteCacheNotSet),
            (_, Some(_)) => {}
        }
        let (required, used) = (asked.class.active_range_percent(), asked.active_range_percent);
        // The specification also allows the whole range for client drives.
        if used != required && used != 100.0 {
            let [required, used] = [required, used].map(|percent| percent.round() as u32);
            found.push(PtsDeviation::ActiveRange { required, used });
        }
        let small = matches!(run.test, PtsTest::Iops | PtsTest::Latency | PtsTest::Cbw);
        if device.sector > 512 && small {
            found.push(PtsDeviation::BlocksLeftOut { sector: device.sector });
        }
        if asked.most_rounds < MOST_ROUNDS && !of_tkperf {
            found.push(PtsDeviation::FewerRounds { most: asked.most_rounds });
        }
        if let Some(early) = run.result.steady().iter().find_map(|steady| steady.early.as_ref()) {
            let confidence = EARLY_CONFIDENCE * 100.0;
            found.push(PtsDeviation::StoppedEarly { percent: early.percent, confidence });
        }
        if points.iter().any(|point| point.resumed) {
            found.push(PtsDeviation::Resumed);
        }
        let errors = samples.iter().map(|sample| sample.errors).sum();
        if errors > 0 {
            found.push(PtsDeviation::FailedIos { errors });
        }
        found
    }
}
