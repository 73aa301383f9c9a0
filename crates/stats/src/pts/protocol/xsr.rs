//! Cross stimulus recovery: sequential, random and again sequential writes.

use super::{PtsStage, PtsStageKind, PtsUntil, prepared};
use crate::pts::PtsResult;
use crate::pts::load::PtsLoad;
use crate::pts::sample::{PtsPhase, PtsSample};
use crate::pts::time_course::PtsCrossStimulus;

/// Queue depth of the one thread.
const DEPTH: u32 = 32;
/// Duration of a group of sequential writes, minutes.
const SEQUENTIAL_MINUTES: u32 = 8 * 60;
/// Duration of the random writes, minutes.
const RANDOM_MINUTES: u32 = 6 * 60;

pub(super) fn stages() -> Vec<PtsStage> {
    let sequential = PtsLoad::sequential(0, 1 << 20, DEPTH);
    let random = PtsLoad::random(0, 8192, 1, DEPTH);
    let groups = [
        (PtsPhase::FirstGroup, sequential, SEQUENTIAL_MINUTES),
        (PtsPhase::Between, random, RANDOM_MINUTES),
        (PtsPhase::SecondGroup, sequential, SEQUENTIAL_MINUTES),
    ];
    let stage = |(phase, load, minutes)| PtsStage {
        part: 0,
        kind: PtsStageKind::Continuous { phase, load, until: PtsUntil::Minutes(minutes), idle_s: 0.0 },
    };
    let mut stages = prepared(0);
    stages.extend(groups.map(stage));
    stages
}

pub(super) fn result(samples: &[&PtsSample]) -> PtsResult {
    PtsResult::Xsr(PtsCrossStimulus::of(samples))
}
