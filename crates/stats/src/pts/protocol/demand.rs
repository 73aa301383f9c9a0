//! Demand tests: composite workload and demand intensity, over 49 combinations of threads and queue depth.

use super::stage::operating_parts;
use super::{PtsProtocol, PtsStage, PtsStageKind, PtsUntil, fill, prepared};
use crate::pts::PtsAsked;
use crate::pts::demand::{DEMANDS, PtsDemand};
use crate::pts::load::{COMPOSITE_READS, PtsBlock, PtsLoad, PtsTest};
use crate::pts::sample::{PtsPhase, PtsSample};
use crate::pts::window::PtsQuantity;

/// Minutes of writes before the cells of a round.
const PRE_WRITE_MINUTES: u32 = 5;
/// Minutes of writes before the histogram of an operating point.
const OPERATING_MINUTES: u32 = 60;
/// Minutes of the histogram.
const HISTOGRAM_MINUTES: u32 = 10;

pub(super) fn stages(test: PtsTest, asked: &PtsAsked, range: u64) -> Vec<PtsStage> {
    let (block, reads) = match test {
        PtsTest::Cbw => (PtsBlock::Composite, COMPOSITE_READS),
        _ => (PtsBlock::Bytes(asked.demand_block), asked.demand_reads),
    };
    let load = |reads, threads, depth| PtsLoad { random: true, reads, block, threads, depth };
    let writes = load(0, DEMANDS[0], DEMANDS[0]);
    let mut cells: Vec<PtsLoad> =
        DEMANDS.into_iter().flat_map(|threads| DEMANDS.map(|depth| load(reads, threads, depth))).collect();
    // Highest number in flight first; among equals, the one with more threads.
    cells.sort_by_key(|cell| (std::cmp::Reverse(cell.in_flight()), std::cmp::Reverse(cell.threads)));
    let tracked = cells.first().map(|cell| (*cell, PtsQuantity::Iops)).into_iter().collect();
    let mut stages = prepared(0);
    stages.push(fill(0, 128 << 10, range));
    let until = PtsUntil::Steady { last: false, most: asked.most_rounds };
    let precondition =
        PtsStageKind::Continuous { phase: PtsPhase::Precondition, load: writes, until, idle_s: 0.0 };
    let before = Some((writes, PRE_WRITE_MINUTES));
    let (most, early) = (asked.most_rounds, asked.early_percent);
    let rounds = PtsStageKind::Rounds { before, cells, tracked, most, early };
    stages.extend([precondition, rounds].map(|kind| PtsStage { part: 0, kind }));
    stages.extend(operating_parts().map(|part| {
        let (write_minutes, minutes) = (OPERATING_MINUTES, HISTOGRAM_MINUTES);
        PtsStage { part, kind: PtsStageKind::Operating { writes, write_minutes, minutes } }
    }));
    stages
}

pub(super) fn result(protocol: &PtsProtocol, samples: &[&PtsSample]) -> PtsDemand {
    match protocol.rounds(0) {
        Some(PtsStageKind::Rounds { cells, early, .. }) => PtsDemand::of(samples, cells, *early),
        _ => PtsDemand::default(),
    }
}
