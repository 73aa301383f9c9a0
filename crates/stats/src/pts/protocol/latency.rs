//! Latency test: random I/Os, one in flight, in three mixes and three block sizes; then 20 minutes with all latencies.

use super::{PtsProtocol, PtsStage, PtsStageKind, fill, prepared};
use crate::pts::load::PtsLoad;
use crate::pts::matrix::PtsLatency;
use crate::pts::sample::PtsSample;
use crate::pts::time_course::histogram;
use crate::pts::window::PtsQuantity;
use crate::pts::{PtsAsked, PtsDevice, PtsResult};

/// Shares of reads, percent.
const READS: [u32; 3] = [100, 65, 0];
/// Block sizes, bytes.
const BLOCKS: [u64; 3] = [8192, 4096, 512];
/// Duration of the measurement with all latencies, minutes.
const HISTOGRAM_MINUTES: u32 = 20;

pub(super) fn stages(asked: &PtsAsked, device: &PtsDevice, range: u64) -> Vec<PtsStage> {
    let load = |reads, block| PtsLoad::random(reads, block, 1, 1);
    let cells = READS.into_iter().flat_map(|reads| BLOCKS.map(|block| (reads, block)));
    let cells = cells.filter(|(_, block)| *block >= device.sector).map(|(r, b)| load(r, b)).collect();
    let writes = load(0, 4096);
    let tracked = vec![(writes, PtsQuantity::MeanLatency)];
    let mut stages = prepared(0);
    stages.push(fill(0, 128 << 10, range));
    let rounds = PtsStageKind::Rounds {
        before: None,
        cells,
        tracked,
        most: asked.most_rounds,
        early: asked.early_percent,
    };
    let histogram = PtsStageKind::Histogram { load: writes, minutes: HISTOGRAM_MINUTES };
    stages.extend([rounds, histogram].map(|kind| PtsStage { part: 0, kind }));
    stages
}

pub(super) fn result(protocol: &PtsProtocol, samples: &[&PtsSample]) -> PtsResult {
    PtsResult::Latency(PtsLatency { matrix: protocol.matrix(samples, 0), histogram: histogram(samples, 0) })
}
