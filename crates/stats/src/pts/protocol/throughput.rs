//! Throughput test: sequential reads and writes, one purge and fill per block size.

use super::{PtsProtocol, PtsStage, PtsStageKind, fill, prepared};
use crate::pts::load::{PtsClass, PtsLoad};
use crate::pts::matrix::PtsThroughput;
use crate::pts::sample::PtsSample;
use crate::pts::window::PtsQuantity;
use crate::pts::{PtsAsked, PtsResult};

/// Queue depth of the one thread.
const DEPTH: u32 = 32;

/// Returns the block sizes of a class, bytes.
fn blocks(class: PtsClass) -> &'static [u64] {
    match class {
        PtsClass::Enterprise => &[1 << 20, 128 << 10],
        PtsClass::Client => &[1 << 20],
    }
}

pub(super) fn stages(asked: &PtsAsked, range: u64) -> Vec<PtsStage> {
    let part = |(part, block): (u32, &u64)| {
        let [reads, writes] = [100, 0].map(|reads| PtsLoad::sequential(reads, *block, DEPTH));
        let mut stages = prepared(part);
        stages.push(fill(part, *block, range));
        let kind = PtsStageKind::Rounds {
            before: None,
            cells: vec![reads, writes],
            tracked: vec![(writes, PtsQuantity::BytesPerSecond)],
            most: asked.most_rounds,
            early: asked.early_percent,
        };
        stages.push(PtsStage { part, kind });
        stages
    };
    (0..).zip(blocks(asked.class)).flat_map(part).collect()
}

pub(super) fn result(protocol: &PtsProtocol, samples: &[&PtsSample]) -> PtsResult {
    let part = |stage: &PtsStage| match &stage.kind {
        PtsStageKind::Fill { block, .. } if samples.iter().any(|s| s.place.part == stage.part) => {
            Some(PtsThroughput { block: *block, matrix: protocol.matrix(samples, stage.part) })
        }
        _ => None,
    };
    PtsResult::Throughput(protocol.stages.iter().filter_map(part).collect())
}
