//! Course of a test: its stages as data, and the next step after the steps that are completed. Decisions depend on the
//! completed steps alone, so a resumed study continues as if it had not been interrupted.

mod demand;
mod hdd;
mod hir;
mod iops;
mod latency;
mod stage;
mod throughput;
mod wsat;
mod xsr;

pub use stage::{PtsStage, PtsStageKind, PtsUntil};

use super::load::{PtsBlock, PtsLoad, PtsTest};
use super::sample::{PtsEvent, PtsPhase, PtsPlace, PtsPoint, PtsSample};
use super::{PtsAsked, PtsDevice, PtsResult};
use serde::{Deserialize, Serialize};

/// Duration of a cell and of a minute, seconds.
pub const MINUTE_S: f64 = 60.0;

/// Extent of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PtsExtent {
    /// Duration, seconds, already divided by the scale.
    Seconds(f64),
    /// Number of bytes.
    Bytes(u64),
}

/// Next step of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum PtsStep {
    /// Purge the device.
    Purge,
    /// Set the write cache and read it back.
    SetCache,
    /// Measure a sample.
    Measure(PtsOrder),
}

/// A sample to measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsOrder {
    /// Place in the test.
    pub place: PtsPlace,
    /// Load.
    pub load: PtsLoad,
    /// Duration or bytes.
    pub extent: PtsExtent,
    /// Required idle time before the sample, seconds, already divided by the scale.
    pub idle_s: f64,
    /// Offset at which sequential I/Os start, bytes.
    pub start: u64,
    /// Start of the range that is accessed, bytes from the start of the device.
    pub base: u64,
    /// Size of the range that is accessed, bytes.
    pub range: u64,
}

/// Course of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct PtsProtocol {
    /// Which test.
    pub test: PtsTest,
    /// Stages in order.
    pub stages: Vec<PtsStage>,
    /// Active range, bytes.
    pub range: u64,
    /// Capacity of the device, bytes.
    pub capacity: u64,
    scale: f64,
}

impl PtsProtocol {
    /// Returns the course of a test on a device.
    pub fn of(test: PtsTest, asked: &PtsAsked, device: &PtsDevice) -> PtsProtocol {
        let range = asked.active_range(device.bytes);
        let stages = match test {
            PtsTest::Iops => iops::stages(asked, device, range),
            PtsTest::Throughput => throughput::stages(asked, range),
            PtsTest::Latency => latency::stages(asked, device, range),
            PtsTest::Wsat => wsat::stages(asked),
            PtsTest::Hir => hir::stages(asked),
            PtsTest::Xsr => xsr::stages(),
            PtsTest::Cbw | PtsTest::Dirth => demand::stages(test, asked, range),
            PtsTest::HddIops | PtsTest::HddThroughput => hdd::stages(test, asked, device),
        };
        let capacity = device.bytes;
        PtsProtocol { test, stages, range, capacity, scale: f64::from(asked.scale.max(1)) }
    }

    /// Returns the next step after these completed steps of the test; `None` if the test is complete.
    pub fn next(&self, points: &[&PtsPoint]) -> Option<PtsStep> {
        self.stages.iter().find_map(|stage| {
            let mine: Vec<&PtsPoint> = points.iter().copied().filter(|p| stage.has(p)).collect();
            stage.next(self, &mine, points)
        })
    }

    /// Returns the result of these samples of the test.
    pub fn result(&self, samples: &[&PtsSample]) -> PtsResult {
        match self.test {
            PtsTest::Iops => iops::result(self, samples),
            PtsTest::Throughput => throughput::result(self, samples),
            PtsTest::Latency => latency::result(self, samples),
            PtsTest::Wsat => wsat::result(self, samples),
            PtsTest::Hir => hir::result(samples),
            PtsTest::Xsr => xsr::result(samples),
            PtsTest::Cbw => PtsResult::Cbw(demand::result(self, samples)),
            PtsTest::Dirth => PtsResult::Dirth(demand::result(self, samples)),
            PtsTest::HddIops => PtsResult::HddIops(hdd::result(self, samples)),
            PtsTest::HddThroughput => PtsResult::HddThroughput(hdd::result(self, samples)),
        }
    }

    /// Returns the largest number of threads and the largest queue depth of the measured loads.
    pub fn demand(&self) -> (u32, u32) {
        let loads = || self.stages.iter().filter(|stage| stage.phase() != Some(PtsPhase::Fill));
        let largest = |of: fn(&PtsLoad) -> u32| {
            loads().flat_map(|stage| stage.loads()).map(|load| of(&load)).max().unwrap_or(1)
        };
        (largest(|load| load.threads), largest(|load| load.depth))
    }

    /// Returns the cells of the rounds with their tracked variables, of a part of the test.
    fn rounds(&self, part: u32) -> Option<&PtsStageKind> {
        let stage = self
            .stages
            .iter()
            .find(|stage| stage.part == part && matches!(stage.kind, PtsStageKind::Rounds { .. }));
        stage.map(|stage| &stage.kind)
    }

    fn matrix(&self, samples: &[&PtsSample], part: u32) -> super::PtsMatrix {
        let mine: Vec<&PtsSample> = samples.iter().copied().filter(|s| s.place.part == part).collect();
        match self.rounds(part) {
            Some(PtsStageKind::Rounds { cells, tracked, early, .. }) => {
                super::PtsMatrix::of(&mine, cells, tracked, *early)
            }
            _ => super::PtsMatrix::default(),
        }
    }

    fn scaled(&self, seconds: f64) -> f64 {
        seconds / self.scale
    }

    /// Returns the offset at which sequential I/Os of this load continue: they follow those of the same load in the
    /// same part, and begin again at the end of the range.
    fn continued(&self, points: &[&PtsPoint], load: &PtsLoad, part: u32) -> u64 {
        let PtsBlock::Bytes(block) = load.block else { return 0 };
        if load.random {
            return 0;
        }
        let same =
            |s: &&PtsSample| s.load == *load && s.place.part == part && s.place.phase != PtsPhase::Fill;
        let done: u64 =
            points.iter().filter_map(|p| p.sample()).filter(same).map(|s| s.bytes[0] + s.bytes[1]).sum();
        let whole = (self.range / block * block).max(block);
        done % whole / block * block
    }
}

/// Returns the stages that every test begins with.
fn prepared(part: u32) -> Vec<PtsStage> {
    [PtsStageKind::Purge, PtsStageKind::Cache].map(|kind| PtsStage { part, kind }).into()
}

/// Returns the workload-independent preconditioning: two passes of sequential writes over the range.
fn fill(part: u32, block: u64, range: u64) -> PtsStage {
    PtsStage { part, kind: PtsStageKind::Fill { block, passes: 2, pieces: pieces(range) } }
}

/// Returns the number of pieces of a pass. A resumed study repeats the piece in which it was interrupted.
fn pieces(range: u64) -> u32 {
    const PIECE: u64 = 1 << 30;
    const MOST: u64 = 64;
    range.div_ceil(PIECE).clamp(1, MOST) as u32
}

fn is_purge(point: &PtsPoint) -> bool {
    matches!(point.event, PtsEvent::Purged(_))
}

fn is_cache(point: &PtsPoint) -> bool {
    matches!(point.event, PtsEvent::CacheSet(_))
}
