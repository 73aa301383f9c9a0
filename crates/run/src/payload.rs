//! What is written: prepared before the clock of an I/O starts, so that `lat` holds device time and not ours.

use crate::pattern::stream;
use crate::permute::stream_seed;
use engine::noise::Noise;
use engine::{Arena, Kind, Op};
use job::job::PayloadSpec;

/// Bytes of generated data per submit: a batch of large blocks is cut, so that the disk is not idle while we fill.
const CHUNK: u64 = 256 * 1024;
/// A sector: the grain of scrambling, and of what a device may deduplicate.
const SECTOR_WORDS: usize = 512 / 8;

/// The payload of one worker.
#[derive(Debug)]
pub struct Payload {
    spec: PayloadSpec,
    noise: Noise,
    /// Operations per submit.
    chunk: usize,
    active: bool,
}

impl Payload {
    /// For blocks of at most `block` bytes. `writes`: whether the job writes at all.
    pub fn new(spec: PayloadSpec, writes: bool, block: u64, seed: u64) -> Self {
        let generated = writes && matches!(spec, PayloadSpec::Refill | PayloadSpec::Compress { .. });
        let chunk = if generated { (CHUNK / block.max(1)).max(1) as usize } else { usize::MAX };
        let active = writes && !matches!(spec, PayloadSpec::Zero | PayloadSpec::Plain { scramble: false });
        Self { spec, noise: Noise::new(stream_seed(seed, stream::PAYLOAD)), chunk, active }
    }

    /// The most operations one submit should carry.
    #[inline(always)]
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Fills all blocks once, before the run.
    pub fn prepare(&mut self, arena: &mut Arena, slots: u16) {
        for slot in 0..slots {
            let words = arena.words(slot, arena.stride());
            match self.spec {
                PayloadSpec::Zero => words.fill(0),
                PayloadSpec::Compress { percent, chunk } => {
                    self.compressible(slot, arena, usize::MAX, percent, chunk)
                }
                _ => self.noise.fill(words),
            }
        }
    }

    /// Prepares the blocks of the writes among `ops`.
    #[inline(always)]
    pub fn stamp(&mut self, ops: &[Op], arena: &mut Arena, now: u64) {
        if !self.active {
            return;
        }
        match self.spec {
            PayloadSpec::Plain { .. } => {
                for op in ops.iter().filter(|op| op.kind == Kind::Write) {
                    // Offset and time make each sector one of a kind; the rest of it stays incompressible.
                    let mark = op.offset ^ now.rotate_left(32);
                    scramble(arena.words(op.slot, op.len as usize), mark, now);
                }
            }
            _ => self.generate(ops, arena),
        }
    }

    #[inline(never)]
    fn generate(&mut self, ops: &[Op], arena: &mut Arena) {
        for op in ops.iter().filter(|op| op.kind == Kind::Write) {
            match self.spec {
                PayloadSpec::Compress { percent, chunk } => {
                    self.compressible(op.slot, arena, op.len as usize, percent, chunk)
                }
                _ => self.noise.fill(arena.words(op.slot, op.len as usize)),
            }
        }
    }

    /// Of each chunk the first part is random and `percent` are zeros.
    fn compressible(&mut self, slot: u16, arena: &mut Arena, len: usize, percent: u8, chunk: u32) {
        let len = len.min(arena.stride());
        let words = arena.words(slot, len);
        let chunk_words = if chunk == 0 { words.len() } else { (chunk as usize / 8).max(1) };
        for part in words.chunks_mut(chunk_words.max(1)) {
            let noise = part.len() * (100 - usize::from(percent.min(100))) / 100;
            let (random, zeros) = part.split_at_mut(noise);
            self.noise.fill(random);
            zeros.fill(0);
        }
    }
}

/// Makes each sector of a block one of a kind. Eight sectors a round: this runs for every write by default.
#[inline(always)]
fn scramble(words: &mut [u64], mut mark: u64, now: u64) {
    const ROUND: usize = 8 * SECTOR_WORDS;
    let mut rounds = words.chunks_exact_mut(ROUND);
    for round in &mut rounds {
        for number in 0..8 {
            round[number * SECTOR_WORDS] = mark.wrapping_add(number as u64);
            round[number * SECTOR_WORDS + SECTOR_WORDS / 2] = now;
        }
        mark = mark.wrapping_add(8);
    }
    for (number, sector) in rounds.into_remainder().chunks_exact_mut(SECTOR_WORDS).enumerate() {
        sector[0] = mark.wrapping_add(number as u64);
        sector[SECTOR_WORDS / 2] = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compress_leaves_the_asked_share_of_zeros_and_scramble_marks_every_sector() {
        let mut arena = Arena::new(2, 8192).expect("two blocks");
        let mut payload = Payload::new(PayloadSpec::Compress { percent: 30, chunk: 512 }, true, 8192, 7);
        let op = Op { len: 8192, slot: 1, kind: Kind::Write, ..Op::NONE };
        payload.stamp(&[op], &mut arena, 1);
        let zeros = arena.words(1, 8192).iter().filter(|w| **w == 0).count();
        assert!(zeros.abs_diff(8192 / 8 * 30 / 100) <= 20, "{zeros}");
        let mut plain = Payload::new(PayloadSpec::Plain { scramble: true }, true, 8192, 7);
        plain.prepare(&mut arena, 2);
        let before: Vec<u64> = arena.words(0, 8192).to_vec();
        plain.stamp(&[Op { slot: 0, ..op }], &mut arena, 99);
        let after = arena.words(0, 8192);
        assert!(before.chunks(64).zip(after.chunks(64)).all(|(a, b)| a != b && a[1..32] == b[1..32]));
    }
}
