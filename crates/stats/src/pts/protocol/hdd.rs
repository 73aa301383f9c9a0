//! TKperf's tests of hard disks: random or sequential loads on 128 equal slices of the device, one pass without
//! preparation.

use super::{PtsProtocol, PtsStage, PtsStageKind};
use crate::pts::load::{PtsBlock, PtsLoad, PtsTest};
use crate::pts::sample::PtsSample;
use crate::pts::slices::{PtsSlices, SLICES};
use crate::pts::{PtsAsked, PtsDevice};

const KIB: u64 = 1024;
/// Shares of reads of the random loads, percent; the outer loop.
const READS: [u32; 3] = [100, 50, 0];
/// Block sizes of the random loads, bytes.
const RANDOM: [u64; 3] = [64 * KIB, 16 * KIB, 4 * KIB];
/// Block sizes of the sequential loads, bytes; the outer loop.
const SEQUENTIAL: [u64; 2] = [1024 * KIB, 4 * KIB];
/// Sizes of slices are multiples of this, bytes.
const STEP: u64 = 4096;

pub(super) fn stages(test: PtsTest, asked: &PtsAsked, device: &PtsDevice) -> Vec<PtsStage> {
    let slice_bytes = device.bytes / u64::from(SLICES) / STEP * STEP;
    let (threads, depth) = (asked.threads, asked.depth);
    let load =
        |random, reads, block| PtsLoad { random, reads, block: PtsBlock::Bytes(block), threads, depth };
    let cells: Vec<(u64, PtsLoad)> = match test {
        PtsTest::HddIops => {
            READS.into_iter().flat_map(|r| RANDOM.map(|block| (block, load(true, r, block)))).collect()
        }
        _ => SEQUENTIAL.into_iter().flat_map(|b| [100, 0].map(|reads| (b, load(false, reads, b)))).collect(),
    };
    // A slice of a small device has no room for large blocks.
    let cells = cells.into_iter().filter(|(block, _)| *block <= slice_bytes).map(|(_, load)| load).collect();
    let slices = PtsStageKind::Slices { count: SLICES, slice_bytes, cells };
    [PtsStageKind::Cache, slices].map(|kind| PtsStage { part: 0, kind }).into()
}

pub(super) fn result(protocol: &PtsProtocol, samples: &[&PtsSample]) -> PtsSlices {
    let slices = protocol.stages.iter().find_map(|stage| match &stage.kind {
        PtsStageKind::Slices { slice_bytes, cells, .. } => Some(PtsSlices::of(samples, cells, *slice_bytes)),
        _ => None,
    });
    slices.unwrap_or_default()
}
