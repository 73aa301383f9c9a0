//! IOPS test: random I/Os in seven mixes and eight block sizes.

use super::{PtsProtocol, PtsStage, PtsStageKind, fill, prepared};
use crate::pts::load::PtsLoad;
use crate::pts::sample::PtsSample;
use crate::pts::window::PtsQuantity;
use crate::pts::{PtsAsked, PtsDevice, PtsResult};

const KIB: u64 = 1024;
/// Shares of reads, percent; the outer loop.
const READS: [u32; 7] = [100, 95, 65, 50, 35, 5, 0];
/// Block sizes, bytes; the inner loop.
const BLOCKS: [u64; 8] = [1024 * KIB, 128 * KIB, 64 * KIB, 32 * KIB, 16 * KIB, 8 * KIB, 4 * KIB, 512];
/// Tracked variables: share of reads and block size.
const TRACKED: [(u32, u64); 3] = [(0, 4 * KIB), (65, 64 * KIB), (100, 1024 * KIB)];

pub(super) fn stages(asked: &PtsAsked, device: &PtsDevice, range: u64) -> Vec<PtsStage> {
    let load = |reads, block| PtsLoad::random(reads, block, asked.threads, asked.depth);
    let cells = READS.into_iter().flat_map(|reads| BLOCKS.map(|block| (reads, block)));
    let cells = cells.filter(|(_, block)| *block >= device.sector).map(|(r, b)| load(r, b)).collect();
    let tracked = TRACKED.map(|(reads, block)| (load(reads, block), PtsQuantity::Iops)).to_vec();
    let mut stages = prepared(0);
    stages.push(fill(0, 128 * KIB, range));
    let kind = PtsStageKind::Rounds {
        before: None,
        cells,
        tracked,
        most: asked.most_rounds,
        early: asked.early_percent,
    };
    stages.push(PtsStage { part: 0, kind });
    stages
}

pub(super) fn result(protocol: &PtsProtocol, samples: &[&PtsSample]) -> PtsResult {
    PtsResult::Iops(protocol.matrix(samples, 0))
}
