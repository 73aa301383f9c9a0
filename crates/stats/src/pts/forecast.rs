//! Time and writes that a test will cost, and what is left of them during the run.

use super::load::{PtsBlock, PtsLoad, PtsTest};
use super::protocol::{MINUTE_S, PtsProtocol, PtsStageKind};
use super::sample::{PtsPhase, PtsPoint};
use super::time_course::SATURATION_FILLS;
use super::{PtsAsked, PtsDevice, PtsDeviceKind};
use serde::{Deserialize, Serialize};

/// Rates that a forecast assumes until they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsRates {
    /// Sequential writes, bytes per second.
    pub sequential: f64,
    /// Random I/Os per second.
    pub iops: f64,
}

impl PtsRates {
    /// Returns the assumed rates of a device.
    pub fn assumed(device: &PtsDevice) -> PtsRates {
        match device.kind {
            PtsDeviceKind::Rotating => PtsRates { sequential: 150e6, iops: 150.0 },
            _ if device.attachment == "nvme" => PtsRates { sequential: 2e9, iops: 100e3 },
            _ => PtsRates { sequential: 450e6, iops: 40e3 },
        }
    }

    /// Returns the bytes per second that a load writes.
    fn written(&self, load: &PtsLoad) -> f64 {
        let block = match load.block {
            PtsBlock::Bytes(bytes) => bytes as f64,
            PtsBlock::Composite => 6e3,
        };
        let all = if load.random { (self.iops * block).min(self.sequential) } else { self.sequential };
        all * f64::from(100 - load.reads.min(100)) / 100.0
    }
}

/// Time and writes of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsCost {
    /// Shortest and longest duration, seconds.
    pub seconds: [f64; 2],
    /// Smallest and largest number of bytes written.
    pub bytes: [f64; 2],
}

impl PtsCost {
    fn plus(self, other: PtsCost) -> PtsCost {
        let sum = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        PtsCost { seconds: sum(self.seconds, other.seconds), bytes: sum(self.bytes, other.bytes) }
    }
}

/// Forecast of a study before it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsForecast {
    /// Rates that are assumed.
    pub rates: PtsRates,
    /// Cost of each test.
    pub tests: Vec<(PtsTest, PtsCost)>,
    /// Cost of all tests.
    pub total: PtsCost,
}

impl PtsForecast {
    /// Returns the forecast of a study.
    pub fn of(asked: &PtsAsked, device: &PtsDevice) -> PtsForecast {
        let rates = PtsRates::assumed(device);
        let tests: Vec<(PtsTest, PtsCost)> =
            asked.tests.iter().map(|test| (*test, cost(*test, asked, device, &rates))).collect();
        let total = tests.iter().fold(PtsCost::default(), |sum, (_, cost)| sum.plus(*cost));
        PtsForecast { rates, tests, total }
    }
}

fn cost(test: PtsTest, asked: &PtsAsked, device: &PtsDevice, rates: &PtsRates) -> PtsCost {
    let protocol = PtsProtocol::of(test, asked, device);
    let stages = protocol.stages.iter().map(|stage| {
        let loads = stage.loads();
        let rate = loads.iter().map(|load| rates.written(load)).sum::<f64>() / loads.len().max(1) as f64;
        if let PtsStageKind::Fill { passes, .. } = stage.kind {
            let bytes = f64::from(passes) * protocol.range as f64;
            return PtsCost { seconds: [bytes / rates.sequential; 2], bytes: [bytes; 2] };
        }
        let (least, most, waits_s) = stage.minutes();
        let io_s = [least, most].map(|minutes| asked.scaled(minutes * MINUTE_S));
        let mut cost =
            PtsCost { seconds: io_s.map(|s| s + asked.scaled(waits_s)), bytes: io_s.map(|s| s * rate) };
        if stage.phase() == Some(PtsPhase::Saturation) {
            // The writes of four capacities may end the stage before its time does.
            let full = SATURATION_FILLS * protocol.capacity as f64;
            let five_rounds = asked.scaled(5.0 * 31.0 * MINUTE_S);
            let least_s = five_rounds.min(full / rate.max(1.0));
            cost = PtsCost {
                seconds: [least_s, io_s[1].min(full / rate.max(1.0))],
                bytes: [least_s * rate, full.min(io_s[1] * rate)],
            };
        }
        cost
    });
    stages.fold(PtsCost::default(), PtsCost::plus)
}

/// Progress of one test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsProgress {
    /// Round in progress, from 1; 0 outside of rounds.
    pub round: u32,
    /// Estimated number of rounds after the completed ones until steady state; `None` outside of rounds.
    pub rounds_left: Option<u32>,
    /// Estimated seconds until the test is complete.
    pub left_s: f64,
}

impl PtsProgress {
    /// Returns the progress of a test after these completed steps.
    pub fn of(
        protocol: &PtsProtocol,
        asked: &PtsAsked,
        device: &PtsDevice,
        points: &[&PtsPoint],
    ) -> PtsProgress {
        let assumed = PtsRates::assumed(device);
        let fills = || points.iter().filter_map(|p| p.sample()).filter(|s| s.place.phase == PtsPhase::Fill);
        let (bytes, seconds) = fills().fold((0.0, 0.0), |(b, s), f| (b + f.bytes[1] as f64, s + f.seconds));
        let sequential = if seconds > 0.0 { bytes / seconds } else { assumed.sequential };
        let mut progress = PtsProgress::default();
        let mut reached = false;
        for stage in &protocol.stages {
            let mine: Vec<&PtsPoint> = points.iter().copied().filter(|p| stage.has(p)).collect();
            if stage.next(protocol, &mine, points).is_none() {
                continue;
            }
            let current = !reached;
            reached = true;
            let io_s: f64 = mine.iter().filter_map(|p| p.sample()).map(|s| s.seconds).sum();
            let spent_s: f64 =
                mine.iter().filter_map(|p| p.sample()).map(|s| s.seconds + s.idle_s.max(0.0)).sum();
            if let PtsStageKind::Fill { passes, .. } = stage.kind {
                let done: u64 = mine.iter().filter_map(|p| p.sample()).map(|s| s.bytes[1]).sum();
                let all = u64::from(passes) * protocol.range;
                progress.left_s += all.saturating_sub(done) as f64 / sequential;
                continue;
            }
            let (least, most, waits_s) = stage.minutes();
            let planned_s = asked.scaled(least * MINUTE_S + waits_s);
            match stage.steady(&mine).filter(|_| current) {
                Some(steady) if !steady.variables.is_empty() => {
                    let rounds = steady.variables.iter().map(|v| v.values.len()).min().unwrap_or(0) as u32;
                    let most_rounds = match &stage.kind {
                        PtsStageKind::Rounds { most, .. } => *most,
                        _ => u32::MAX,
                    };
                    let left = steady.rounds_left().min(most_rounds.saturating_sub(rounds));
                    let round_s = match &stage.kind {
                        PtsStageKind::Rounds { most: rounds, .. } => most / f64::from(*rounds),
                        _ => 30.0,
                    } * asked.scaled(MINUTE_S);
                    progress.round = rounds + 1;
                    progress.rounds_left = Some(left);
                    let total_s = f64::from(rounds + left) * round_s;
                    let left_s = total_s.min(asked.scaled(most * MINUTE_S)) - io_s;
                    // Starts of jobs take as much time as they did so far.
                    progress.left_s += left_s.max(0.0) * if io_s > 0.0 { spent_s / io_s } else { 1.0 };
                }
                _ if least == 0.0 => progress.left_s += asked.scaled(5.0 * 31.0 * MINUTE_S),
                _ => progress.left_s += (planned_s - spent_s).max(0.0),
            }
        }
        progress
    }
}
