//! Write saturation test: random 4 KiB writes from the purged state on, without preconditioning.

use super::{PtsProtocol, PtsStage, PtsStageKind, PtsUntil, prepared};
use crate::pts::load::PtsLoad;
use crate::pts::sample::{PtsPhase, PtsSample};
use crate::pts::time_course::PtsSaturation;
use crate::pts::{PtsAsked, PtsResult};

/// Largest number of minutes: six hours.
const MOST_MINUTES: u32 = 360;
/// Duration of the measurement with all latencies, minutes.
const HISTOGRAM_MINUTES: u32 = 20;

pub(super) fn stages(asked: &PtsAsked) -> Vec<PtsStage> {
    let writes = PtsStageKind::Continuous {
        phase: PtsPhase::Saturation,
        load: PtsLoad::random(0, 4096, asked.threads, asked.depth),
        until: PtsUntil::Saturated(MOST_MINUTES),
        idle_s: 0.0,
    };
    let histogram =
        PtsStageKind::Histogram { load: PtsLoad::random(0, 4096, 1, 1), minutes: HISTOGRAM_MINUTES };
    let mut stages = prepared(0);
    stages.extend([writes, histogram].map(|kind| PtsStage { part: 0, kind }));
    stages
}

pub(super) fn result(protocol: &PtsProtocol, samples: &[&PtsSample]) -> PtsResult {
    PtsResult::Wsat(PtsSaturation::of(samples, protocol.capacity, MOST_MINUTES))
}
