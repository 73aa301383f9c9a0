//! What is written: prepared before the clock of an I/O starts, so that `lat` holds device time and not ours.

use crate::random::{below, generator, stream, stream_seed};
use engine::noise::Noise;
use engine::{Arena, Kind, Op};
use job::job::{PayloadSpec, Renewal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Bytes of generated data per submit: a batch of large blocks is cut, so that the disk is not idle while we fill.
const CHUNK: u64 = 256 * 1024;
/// A sector: the grain of scrambling, and of what a device may deduplicate.
const SECTOR_WORDS: usize = 512 / 8;

/// Blocks from which duplicates are taken: the first ones that the worker with this seed generates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkingSet {
    /// The worker's seed.
    pub seed: u64,
    /// Number of blocks.
    pub pieces: u64,
}

/// The payload of one worker.
#[derive(Debug)]
pub struct Payload {
    spec: PayloadSpec,
    noise: Noise,
    repeats: Option<Repeats>,
    /// Operations per submit.
    chunk: usize,
    active: bool,
    scrambles: bool,
}

impl Payload {
    /// For blocks of at most `block` bytes. `writes`: whether the job writes at all. `sets`: where `dedupe_mode=working_set`
    /// takes its pieces from.
    pub fn new(spec: PayloadSpec, writes: bool, block: u64, seed: u64, sets: Vec<WorkingSet>) -> Self {
        let constant = spec.percent == 100 && spec.dedupe.is_none();
        let generated = writes && spec.renewal == Renewal::Refill && !constant;
        let scrambles = writes && spec.renewal == Renewal::Scramble;
        let repeats = spec.dedupe.filter(|_| generated).map(|dedupe| Repeats {
            coin: generator(seed, stream::DEDUPE),
            percent: dedupe.percent,
            piece: dedupe.piece.clamp(1, u64::from(u32::MAX)) as usize,
            seed,
            made: 0,
            pieces: sets.iter().map(|set| set.pieces).sum(),
            sets,
            words: Vec::new(),
        });
        Self {
            noise: Noise::new(stream_seed(seed, stream::PAYLOAD)),
            repeats,
            chunk: if generated { (CHUNK / block.max(1)).max(1) as usize } else { usize::MAX },
            active: generated || scrambles,
            scrambles,
            spec,
        }
    }

    /// The most operations one submit should carry.
    #[inline(always)]
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Fills all blocks once, before the run; `block` is the largest that the job writes.
    pub fn prepare(&mut self, arena: &mut Arena, slots: u16, block: usize) {
        for slot in 0..slots {
            self.noise.fill(arena.words(slot, arena.stride()));
            overlay(&self.spec, arena.bytes(slot, block.min(arena.stride())));
        }
    }

    /// Prepares the blocks of the writes among `ops`.
    #[inline(always)]
    pub fn stamp(&mut self, ops: &[Op], arena: &mut Arena, now: u64) {
        if !self.active {
            return;
        }
        if self.scrambles {
            for op in ops.iter().filter(|op| op.kind == Kind::Write) {
                // Offset and time make each sector one of a kind; the rest of it stays incompressible.
                let mark = op.offset ^ now.rotate_left(32);
                scramble(arena.words(op.slot, op.len as usize), mark, now);
            }
        } else {
            self.generate(ops, arena);
        }
    }

    #[inline(never)]
    fn generate(&mut self, ops: &[Op], arena: &mut Arena) {
        for op in ops.iter().filter(|op| op.kind == Kind::Write) {
            let len = op.len as usize;
            if let Some(repeats) = &mut self.repeats {
                arena.bytes(op.slot, len).chunks_mut(repeats.piece).for_each(|p| repeats.fill(p, &self.spec));
            } else {
                self.noise.fill(arena.words(op.slot, len.next_multiple_of(8)));
                overlay(&self.spec, arena.bytes(op.slot, len));
            }
        }
    }
}

/// Puts the pattern where `spec` wants it, into a block of noise.
pub(crate) fn overlay(spec: &PayloadSpec, block: &mut [u8]) {
    // Nothing but the pattern is one chunk; where pieces repeat fio goes by chunks all the same.
    let whole = spec.chunk == 0 || spec.percent == 100 && spec.dedupe.is_none();
    let chunk = if whole { block.len() } else { spec.chunk as usize };
    if spec.percent == 0 {
        return;
    }
    for part in block.chunks_mut(chunk.max(1)) {
        let random = part.len() * (100 - usize::from(spec.percent.min(100))) / 100;
        let to = &mut part[random..];
        match spec.pattern.as_slice() {
            [] => to.fill(0),
            [byte] => to.fill(*byte),
            pattern => {
                let first = pattern.len().min(to.len());
                to[..first].copy_from_slice(&pattern[..first]);
                repeat(to, first);
            }
        }
    }
}

/// Repeats the first `done` bytes of `to` over the rest of it.
fn repeat(to: &mut [u8], mut done: usize) {
    while done > 0 && done < to.len() {
        let more = done.min(to.len() - done);
        to.copy_within(..more, done);
        done += more;
    }
}

/// Which piece comes next: a new one or one that was there. A piece is named by its worker's seed and its number there,
/// and the name is all that must be kept to write it again.
#[derive(Debug)]
struct Repeats {
    coin: Xoshiro256PlusPlus,
    percent: u8,
    /// Bytes.
    piece: usize,
    seed: u64,
    /// New pieces so far.
    made: u64,
    sets: Vec<WorkingSet>,
    /// Pieces of all sets.
    pieces: u64,
    words: Vec<u64>,
}

impl Repeats {
    fn next(&mut self) -> u64 {
        let hit = below(self.coin.next_u64(), 100) < u64::from(self.percent);
        let name = |seed: u64, number: u64| stream_seed(stream_seed(seed, stream::DEDUPE), number);
        if hit && self.pieces > 0 {
            let mut number = below(self.coin.next_u64(), self.pieces);
            for set in &self.sets {
                if number < set.pieces {
                    return name(set.seed, number);
                }
                number -= set.pieces;
            }
        }
        if !hit || self.made == 0 {
            self.made += 1;
        }
        name(self.seed, self.made - 1)
    }

    fn fill(&mut self, piece: &mut [u8], spec: &PayloadSpec) {
        let name = self.next();
        // Where every piece is the same one, every chunk of it is too: fio's devices with smaller blocks rely on it.
        let chunk = if spec.chunk == 0 || self.percent < 100 { piece.len() } else { spec.chunk as usize };
        let noise = chunk.min(piece.len());
        self.words.resize(noise.div_ceil(8), 0);
        Noise::new(name).fill(&mut self.words);
        for (to, word) in piece[..noise].chunks_mut(8).zip(&self.words) {
            to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
        }
        repeat(piece, noise);
        overlay(spec, piece);
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
    use job::job::Dedupe;
    use std::collections::HashMap;

    const BLOCK: usize = 8192;
    const WRITE: Op = Op { len: BLOCK as u32, slot: 1, kind: Kind::Write, ..Op::NONE };

    fn refill(percent: u8, dedupe: Option<Dedupe>) -> PayloadSpec {
        PayloadSpec { percent, renewal: Renewal::Refill, dedupe, ..PayloadSpec::NOISE }
    }

    fn alone(spec: PayloadSpec) -> Payload {
        Payload::new(spec, true, BLOCK as u64, 7, Vec::new())
    }

    /// Each chunk has its share of pattern, and scrambling marks every sector.
    #[test]
    fn chunks_have_pattern_share_and_sectors_are_scrambled() {
        let mut arena = Arena::new(2, BLOCK).expect("two blocks");
        for (chunk, pattern) in [(512, b"".as_slice()), (1000, b"abc"), (0, b"a"), (3, b"abcd")] {
            let mut payload = alone(PayloadSpec { chunk, pattern: pattern.to_vec(), ..refill(30, None) });
            payload.stamp(&[WRITE], &mut arena, 1);
            let size = if chunk == 0 { BLOCK } else { chunk as usize };
            for part in arena.bytes(1, BLOCK).chunks(size) {
                let rest = &part[part.len() * 70 / 100..];
                let cycle = if pattern.is_empty() { b"\0".as_slice() } else { pattern };
                assert!(rest.iter().zip(cycle.iter().cycle()).all(|(a, b)| a == b), "{chunk}");
            }
        }
        let mut plain = alone(PayloadSpec::NOISE);
        plain.prepare(&mut arena, 2, BLOCK);
        let before: Vec<u64> = arena.words(0, BLOCK).to_vec();
        plain.stamp(&[Op { slot: 0, ..WRITE }], &mut arena, 99);
        let after = arena.words(0, BLOCK);
        assert!(before.chunks(64).zip(after.chunks(64)).all(|(a, b)| a != b && a[1..32] == b[1..32]));
    }

    /// How often each piece of 4096 bytes comes in 4000 blocks of 8192.
    fn pieces(percent: u8, share: Option<u8>, sets: Vec<WorkingSet>) -> HashMap<Vec<u8>, u64> {
        let mut arena = Arena::new(2, BLOCK).expect("two blocks");
        let dedupe = Dedupe { percent, piece: 4096, working_set: share, global: false };
        let mut payload = Payload::new(refill(0, Some(dedupe)), true, BLOCK as u64, 7, sets);
        let mut seen = HashMap::new();
        for _ in 0..4000 {
            payload.stamp(&[WRITE], &mut arena, 1);
            for piece in arena.bytes(1, BLOCK).chunks(4096) {
                *seen.entry(piece[..16].to_vec()).or_default() += 1;
            }
        }
        seen
    }

    #[test]
    fn as_many_pieces_are_new_as_the_percentage_leaves() {
        let near = |n: usize, percent: usize| n.abs_diff(80 * (100 - percent)) < 200;
        for percent in [10, 50, 90] {
            let seen = pieces(percent, None, Vec::new());
            assert!(near(seen.len(), usize::from(percent)), "{percent}: {}", seen.len());
            // Chance repeats the last piece so often in a row, and a hundred times not.
            assert!(seen.values().all(|n| *n < 200));
        }
        assert_eq!(pieces(100, None, Vec::new()).len(), 1);
        let own = WorkingSet { seed: 7, pieces: 400 };
        let seen = pieces(50, Some(5), vec![own]);
        assert!(near(seen.len(), 50), "{}", seen.len());
        // Only the set's pieces come again, each about ten times.
        let often: Vec<u64> = seen.values().copied().filter(|n| *n > 1).collect();
        assert!(often.len() <= 400 && often.len() > 390 && often.iter().all(|n| *n < 40), "{often:?}");
        // Of the other worker's pieces only what is repeated is here.
        let other = WorkingSet { seed: 8, pieces: 400 };
        let shared = pieces(50, Some(5), vec![own, other]);
        assert!(
            shared.len().abs_diff(seen.len()) < 700 && shared.len() > seen.len() + 200,
            "{}",
            shared.len()
        );
    }
}
