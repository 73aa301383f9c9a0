//! Host idle recovery: bursts of random 4 KiB writes with idle times of five lengths.

use super::{PtsStage, PtsStageKind, PtsUntil, prepared};
use crate::pts::load::PtsLoad;
use crate::pts::sample::{PtsPhase, PtsSample};
use crate::pts::time_course::{PtsIdleRecovery, WAITS_S};
use crate::pts::{PtsAsked, PtsResult};

/// Duration of a burst, seconds.
const BURST_S: f64 = 5.0;
/// Number of bursts of a wait state.
const BURSTS: u32 = 360;
/// Duration of the continuous writes after the bursts, minutes.
const RETURN_MINUTES: u32 = 30;

pub(super) fn stages(asked: &PtsAsked) -> Vec<PtsStage> {
    let load = PtsLoad::random(0, 4096, asked.threads, asked.depth);
    let continuous = |part, phase, until, idle_s| PtsStage {
        part,
        kind: PtsStageKind::Continuous { phase, load, until, idle_s },
    };
    let mut stages = prepared(0);
    let until = PtsUntil::Steady { last: true, most: asked.most_rounds };
    stages.push(continuous(0, PtsPhase::Precondition, until, 0.0));
    for (part, wait) in (0..).zip(WAITS_S) {
        let wait_s = f64::from(wait);
        let kind = PtsStageKind::Bursts { load, count: BURSTS, burst_s: BURST_S, wait_s };
        stages.push(PtsStage { part, kind });
        // Every burst is followed by the idle time, the last one as well.
        stages.push(continuous(part, PtsPhase::Return, PtsUntil::Minutes(RETURN_MINUTES), wait_s));
    }
    stages
}

pub(super) fn result(samples: &[&PtsSample]) -> PtsResult {
    PtsResult::Hir(PtsIdleRecovery::of(samples))
}
