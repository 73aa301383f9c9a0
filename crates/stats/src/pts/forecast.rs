//! Time and writes that a test will cost, and what is left of them during the run.

use super::load::{PtsBlock, PtsLoad, PtsTest};
use super::protocol::{MINUTE_S, PtsProtocol, PtsStage, PtsStageKind, PtsUntil};
use super::sample::{PtsEvent, PtsPhase, PtsPoint};
use super::time_course::{PRECONDITION_ROUND, SATURATION_FILLS, SATURATION_ROUND};
use super::window::WINDOW_ROUNDS;
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
    /// Rates of a hard disk.
    pub const DISK: PtsRates = PtsRates { sequential: 150e6, iops: 150.0 };

    /// Returns the assumed rates of a device.
    pub fn assumed(device: &PtsDevice) -> PtsRates {
        match device.kind {
            PtsDeviceKind::Rotating => PtsRates::DISK,
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
        // The tests of hard disks are given to disks, also where the medium is not known.
        let hdd = asked.tests.iter().any(|test| test.section().is_none());
        let rates = if hdd { PtsRates::DISK } else { PtsRates::assumed(device) };
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
    /// Estimated number of rounds after the completed ones until steady state, with the one in progress: between the
    /// smallest and the largest number that the test allows. `None` outside of rounds.
    pub rounds_left: Option<u32>,
    /// Estimated seconds until the test is complete, at the pace of the completed steps.
    pub left_s: f64,
}

impl PtsProgress {
    /// Returns the progress of the test of a protocol after these completed steps of the study. The study learns from
    /// the steps of all its tests how long a step takes beyond its I/O: opening, checks, I/Os in flight at the end.
    pub fn of(
        protocol: &PtsProtocol,
        asked: &PtsAsked,
        device: &PtsDevice,
        points: &[PtsPoint],
    ) -> PtsProgress {
        let pace = Pace::of(asked, device, points);
        let all: Vec<&PtsPoint> = points.iter().filter(|point| point.test == protocol.test).collect();
        let mut progress = PtsProgress::default();
        let mut current = true;
        // Rounds that the part before needed; the next one is assumed to need as many.
        let mut rounds_before = None;
        for stage in &protocol.stages {
            let mine: Vec<&PtsPoint> = all.iter().copied().filter(|p| stage.has(p)).collect();
            let rounds = Rounds::of(stage, &mine);
            // The operating points are not known before the rounds are over.
            let unknown = !current && matches!(stage.kind, PtsStageKind::Operating { .. });
            if !unknown && stage.next(protocol, &mine, &all).is_none() {
                rounds_before = rounds.map(|rounds| rounds.completed).or(rounds_before);
                continue;
            }
            let began = std::mem::take(&mut current);
            let samples = || mine.iter().filter_map(|point| point.sample());
            if let PtsStageKind::Fill { passes, .. } = stage.kind {
                let done: u64 = samples().map(|s| s.bytes[1]).sum();
                let all = u64::from(passes) * protocol.range;
                progress.left_s += all.saturating_sub(done).max(1) as f64 / pace.fill;
                continue;
            }
            if let PtsStageKind::Purge = stage.kind {
                progress.left_s += pace.purge_s;
                continue;
            }
            let done = mine.len() as u32;
            let mut steps = stage.steps();
            if let Some(mut rounds) = rounds {
                let least = rounds.least.max(rounds_before.filter(|_| done == 0).unwrap_or(0));
                rounds.total = rounds.total.max(least.min(rounds.most));
                steps = rounds.steps(rounds.total);
                if began {
                    progress.round = rounds.completed + 1;
                    progress.rounds_left = Some(rounds.total - rounds.completed);
                }
            }
            if let PtsStageKind::Continuous { until: PtsUntil::Saturated(most), load, .. } = &stage.kind {
                // The writes of four capacities may end the stage first.
                let written: u64 = samples().map(|s| s.bytes[1]).sum();
                let a_minute = match written {
                    0 => PtsRates::assumed(device).written(load) * asked.scaled(MINUTE_S),
                    _ => written as f64 / f64::from(done),
                };
                let rest = SATURATION_FILLS * protocol.capacity as f64 - written as f64;
                let full = f64::from(done) + (rest / a_minute.max(1.0)).ceil().max(1.0);
                steps = steps.min(*most).min(full.min(f64::from(u32::MAX)) as u32);
            }
            // A stage that is not complete has at least one step left.
            let places = done..steps.max(done + 1);
            let nominal_s: f64 = places.clone().map(|nth| asked.scaled(stage.nominal_s(nth))).sum();
            progress.left_s += nominal_s + pace.overhead_s(protocol.test, stage) * places.len() as f64;
        }
        progress
    }
}

/// Rounds of a stage that ends with steady state.
#[derive(Clone, Copy)]
struct Rounds {
    /// Completed rounds.
    completed: u32,
    /// Estimated number, at least one more than the completed ones.
    total: u32,
    least: u32,
    most: u32,
    /// Steps of a round.
    of_round: u32,
    /// Steps of the last round, of which the first may be enough.
    of_last: u32,
}

impl Rounds {
    fn of(stage: &PtsStage, mine: &[&PtsPoint]) -> Option<Rounds> {
        let (of_round, of_last, most) = match &stage.kind {
            PtsStageKind::Rounds { before, cells, most, .. } => {
                let steps = cells.len() as u32 + before.map_or(0, |(_, minutes)| minutes);
                (steps, steps, *most)
            }
            PtsStageKind::Continuous { until: PtsUntil::Steady { last, most }, .. } => {
                (PRECONDITION_ROUND, if *last { PRECONDITION_ROUND } else { 1 }, *most)
            }
            PtsStageKind::Continuous { until: PtsUntil::Saturated(minutes), .. } => {
                (SATURATION_ROUND, SATURATION_ROUND, minutes.div_ceil(SATURATION_ROUND))
            }
            _ => return None,
        };
        let of_round = of_round.max(1);
        let completed = mine.len() as u32 / of_round;
        let steady = stage.steady(mine)?;
        // The tracked loads of a round may be complete before its last cell is.
        let judged = steady.variables.iter().map(|v| v.values.len()).min().unwrap_or(0) as u32;
        let ahead = if steady.ended() { 0 } else { steady.rounds_left() };
        let least = (WINDOW_ROUNDS as u32).min(most);
        let total = (judged + ahead).min(most).max(least).max(completed + 1);
        Some(Rounds { completed, total, least, most, of_round, of_last: of_last.min(of_round) })
    }

    fn steps(&self, rounds: u32) -> u32 {
        rounds.saturating_sub(1) * self.of_round + self.of_last
    }
}

/// Number of the last steps of a stage from which its pace is learned.
const RECENT_STEPS: usize = 64;

/// A completed step: its test, part and phase, and its time beyond its nominal duration, seconds.
type StepBeyond = (PtsTest, u32, PtsPhase, f64);

/// Pace of the completed steps of a study.
struct Pace {
    /// Bytes per second of the fills, with the pauses between their pieces.
    fill: f64,
    /// Mean duration of a purge, seconds; 0 before the first one.
    purge_s: f64,
    /// Test, part and phase of the stage of each completed step with a nominal duration, and its time beyond it, seconds.
    beyond: Vec<StepBeyond>,
}

impl Pace {
    fn of(asked: &PtsAsked, device: &PtsDevice, points: &[PtsPoint]) -> Pace {
        let protocols: Vec<PtsProtocol> =
            asked.tests.iter().map(|test| PtsProtocol::of(*test, asked, device)).collect();
        let stages = || protocols.iter().flat_map(|p| p.stages.iter().map(move |stage| (p.test, stage)));
        // Completed steps of each stage.
        let mut done = vec![0u32; stages().count()];
        let (mut filled, mut purged, mut beyond) = ((0.0, 0.0), (0u32, 0.0), Vec::new());
        for (nth, point) in points.iter().enumerate() {
            let io_s = match &point.event {
                PtsEvent::Purged(purge) => purge.seconds,
                PtsEvent::CacheSet(_) => 0.0,
                PtsEvent::Measured(sample) => sample.seconds,
            };
            // Until the next step begins: the idle time at the end belongs to it too. A study that was interrupted
            // in between says nothing about the pace.
            let next = points.get(nth + 1).filter(|next| !next.resumed);
            let spent_s = match (next, point.sample()) {
                (Some(next), _) => next.began_ms.saturating_sub(point.began_ms) as f64 / 1e3,
                (None, Some(sample)) => sample.seconds + sample.idle_s.max(0.0),
                (None, None) => io_s,
            }
            .max(io_s);
            let Some(sample) = point.sample() else {
                if matches!(point.event, PtsEvent::Purged(_)) {
                    purged = (purged.0 + 1, purged.1 + spent_s);
                }
                continue;
            };
            if sample.place.phase == PtsPhase::Fill {
                filled = (filled.0 + sample.bytes[1] as f64, filled.1 + spent_s);
                continue;
            }
            let Some((index, (test, stage))) =
                stages().enumerate().find(|(_, (test, stage))| *test == point.test && stage.has(point))
            else {
                continue;
            };
            let nominal_s = asked.scaled(stage.nominal_s(done[index]));
            done[index] += 1;
            if next.is_some() {
                let phase = stage.phase().unwrap_or(PtsPhase::Round);
                beyond.push((test, stage.part, phase, spent_s - nominal_s));
            }
        }
        Pace {
            fill: if filled.1 > 0.0 { filled.0 / filled.1 } else { PtsRates::assumed(device).sequential }
                .max(1.0),
            purge_s: purged.1 / f64::from(purged.0.max(1)),
            beyond,
        }
    }

    /// Returns the mean time of a step beyond its nominal duration, seconds: of the stage, or of the whole study as
    /// long as the stage has no completed step.
    fn overhead_s(&self, test: PtsTest, stage: &PtsStage) -> f64 {
        let mean = |of: &dyn Fn(&StepBeyond) -> bool| {
            let recent: Vec<f64> = self
                .beyond
                .iter()
                .rev()
                .filter(|step| of(step))
                .take(RECENT_STEPS)
                .map(|step| step.3)
                .collect();
            (!recent.is_empty()).then(|| recent.iter().sum::<f64>() / recent.len() as f64)
        };
        let own = mean(&|(t, part, phase, _)| (*t, *part, Some(*phase)) == (test, stage.part, stage.phase()));
        // Steps end early only if they fail.
        own.or_else(|| mean(&|_| true)).unwrap_or(0.0).max(0.0)
    }
}
