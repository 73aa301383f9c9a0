//! The pattern of a worker: the sequence of its operations. The fast patterns (one direction, one block size, one
//! file) fill a batch without a branch per operation; all other patterns use [`General`].

use crate::access_lines::AccessLines;
use crate::file_selector::FileAction;
use crate::general::General;
use crate::permute::Permutation;
use crate::random::{below, generator, stream};
use crate::region::{Budget, Region};
use crate::replay::Replay;
use crate::sprandom::Sprandom;
use crate::trim_ranges::RangedTrims;
use engine::{Kind, Op};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// A pattern with one direction, one block size and one file.
#[derive(Clone, Debug)]
pub struct Plain {
    /// Direction of all operations.
    pub kind: Kind,
    /// Block size in bytes.
    pub block: u32,
    /// Byte offset of block 0 in the file.
    pub start: u64,
    /// Distance from one block to the next in bytes: the block size, or more if other hosts have the blocks between.
    step: u64,
    /// Number of blocks of a pass.
    pub blocks: u64,
    /// Number of I/Os left in the budget of all passes.
    left: u64,
    wraps: bool,
    /// Whether the last I/O exceeds the byte budget: it is issued within a pass, but does not begin a pass.
    ragged: bool,
}

impl Plain {
    /// Returns the pattern over `region`.
    pub fn new(kind: Kind, block: u32, region: Region, budget: Budget) -> Self {
        let by_bytes = budget.bytes.div_ceil(u64::from(block));
        let ragged = by_bytes <= budget.ios && !budget.bytes.is_multiple_of(u64::from(block));
        let (start, blocks) = (region.start, region.length / u64::from(block));
        let left = by_bytes.min(budget.ios);
        Self { kind, block, start, step: u64::from(block), blocks, left, wraps: budget.wraps, ragged }
    }

    /// Returns the pattern over the blocks of one host, which has one of each `hosts` blocks; the blocks of the other hosts are
    /// not in the region.
    pub fn interleaved(self, hosts: u64) -> Self {
        Self { step: u64::from(self.block).saturating_mul(hosts), ..self }
    }
}

/// The pattern of one worker.
#[derive(Debug)]
pub enum Pattern {
    /// Consecutive blocks; with the number of the next block.
    Sequential(Plain, u64),
    /// Blocks drawn independently at random (`norandommap`).
    Uniform(Plain, Xoshiro256PlusPlus),
    /// Each block once per pass in random order; with the position in the pass and the generator of the orders.
    Permute(Plain, Permutation, u64, Xoshiro256PlusPlus),
    /// All other patterns.
    General(Box<General>),
    /// Operations of a trace.
    Replay(Box<Replay>),
    /// Writes that leave an SSD in its steady state.
    Sprandom(Box<Sprandom>),
    /// Trims of several ranges (`num_range`).
    Trims(Box<RangedTrims>),
    /// Lines of an access specification (`access_spec`).
    Lines(Box<AccessLines>),
}

impl Pattern {
    /// Returns the sequential pattern over `plain`.
    pub fn sequential(plain: Plain) -> Self {
        Pattern::Sequential(plain, 0)
    }

    /// Returns the pattern of independent random blocks: some are repeated, others not visited.
    pub fn uniform(plain: Plain, seed: u64) -> Self {
        Pattern::Uniform(plain, generator(seed, stream::OFFSET))
    }

    /// Returns the pattern that visits each block once per pass, in random order.
    pub fn permuted(plain: Plain, seed: u64) -> Self {
        let mut keys = generator(seed, stream::OFFSET);
        let order = Permutation::new(plain.blocks, keys.next_u64());
        Pattern::Permute(plain, order, 0, keys)
    }

    /// Fills `ops` with the next operations, from the front, keeping their slots. Returns their number, 0 at the end
    /// of the pass.
    #[inline(always)]
    pub fn fill(&mut self, ops: &mut [Op]) -> usize {
        match self {
            Pattern::Sequential(plain, at) => {
                let n = plain.take(ops.len(), at);
                let mut offset = plain.start + (*at - n as u64) * plain.step;
                for op in &mut ops[..n] {
                    plain.put(op, offset);
                    offset += plain.step;
                }
                n
            }
            Pattern::Uniform(plain, random) => {
                let n = (plain.left.min(ops.len() as u64)) as usize * usize::from(plain.blocks > 0);
                plain.left -= n as u64;
                for op in &mut ops[..n] {
                    let block = below(random.next_u64(), plain.blocks);
                    plain.put(op, plain.start + block * plain.step);
                }
                n
            }
            Pattern::Permute(plain, order, at, keys) => {
                if *at == plain.blocks && plain.wraps {
                    *order = Permutation::new(plain.blocks, keys.next_u64());
                }
                let n = plain.take(ops.len(), at);
                for (op, i) in ops[..n].iter_mut().zip(*at - n as u64..) {
                    plain.put(op, plain.start + order.at(i) * plain.step);
                }
                n
            }
            Pattern::General(general) => general.fill(ops),
            Pattern::Replay(replay) => replay.fill(ops),
            Pattern::Sprandom(sprandom) => sprandom.fill(ops),
            Pattern::Trims(trims) => trims.fill(ops),
            Pattern::Lines(lines) => lines.fill(ops),
        }
    }

    /// Returns the kind of all operations; `None` for a general pattern, which may contain several kinds.
    #[inline(always)]
    pub fn only_kind(&self) -> Option<Kind> {
        match self {
            Pattern::Sequential(plain, _) | Pattern::Uniform(plain, _) | Pattern::Permute(plain, ..) => {
                Some(plain.kind)
            }
            Pattern::Sprandom(_) => Some(Kind::Write),
            Pattern::Lines(lines) => lines.only_kind(),
            Pattern::General(_) | Pattern::Replay(_) | Pattern::Trims(_) => None,
        }
    }

    /// Returns the smallest number of writes after which a sync follows; `None` without syncs.
    pub fn writes_per_sync(&self) -> Option<u64> {
        match self {
            Pattern::General(general) => general.writes_per_sync(),
            _ => None,
        }
    }

    /// Returns whether no operation could be filled now, but more may follow after I/Os in flight have completed.
    pub fn blocked(&self) -> bool {
        match self {
            Pattern::General(general) => general.blocked(),
            Pattern::Replay(replay) => replay.blocked(),
            Pattern::Trims(trims) => trims.ranges.blocked(),
            _ => false,
        }
    }

    /// Returns whether the budget of all passes is used up. Without a random map, a pass ends only then.
    pub fn is_exhausted(&self) -> bool {
        match self {
            Pattern::Sequential(plain, _) | Pattern::Uniform(plain, _) | Pattern::Permute(plain, ..) => {
                plain.left == 0
            }
            Pattern::General(general) => general.is_exhausted(),
            Pattern::Sprandom(sprandom) => sprandom.is_exhausted(),
            // As in fio, a trace is replayed once.
            Pattern::Replay(_) => true,
            Pattern::Trims(trims) => trims.is_exhausted(),
            Pattern::Lines(lines) => lines.is_exhausted(),
        }
    }

    /// Begins the next pass (`loops`, `time_based`) at the start of the region, in a new random order.
    pub fn begin_next_pass(&mut self) {
        match self {
            Pattern::Sequential(_, at) => *at = 0,
            Pattern::Uniform(..) => {}
            Pattern::Permute(plain, order, at, keys) => {
                *at = 0;
                *order = Permutation::new(plain.blocks, keys.next_u64());
            }
            Pattern::General(general) => general.begin_next_pass(),
            Pattern::Replay(_) => {}
            Pattern::Sprandom(sprandom) => sprandom.begin_next_pass(),
            Pattern::Trims(trims) => trims.ranges.begin_next_pass(),
            // A worker of Iometer continues where it is.
            Pattern::Lines(_) => {}
        }
    }

    /// Returns whether files are opened and closed while the job runs.
    pub fn limits_open_files(&self) -> bool {
        match self {
            Pattern::General(general) => general.limits_open_files(),
            Pattern::Replay(_) => true,
            Pattern::Trims(trims) => trims.ranges.limits_open_files(),
            _ => false,
        }
    }

    /// Returns whether the pattern depends on completions, so that [`Pattern::completed`] has to be called.
    pub fn tracks_completions(&self) -> bool {
        match self {
            Pattern::General(general) => general.tracks_completions(),
            Pattern::Replay(_) => true,
            Pattern::Trims(trims) => trims.ranges.tracks_completions(),
            Pattern::Lines(lines) => lines.has_replies(),
            _ => false,
        }
    }

    /// Records that `op` has completed.
    pub fn completed(&mut self, op: &Op) {
        match self {
            Pattern::General(general) => general.completed(op),
            Pattern::Replay(replay) => replay.completed(op),
            Pattern::Trims(trims) => trims.completed(op),
            Pattern::Lines(lines) => lines.completed(op),
            _ => {}
        }
    }

    /// Returns the files to open and to close, in this order, before the operations that were filled last are issued.
    pub fn take_file_actions(&mut self) -> Vec<FileAction> {
        match self {
            Pattern::General(general) => general.take_file_actions(),
            Pattern::Replay(replay) => replay.take_file_actions(),
            Pattern::Trims(trims) => trims.ranges.take_file_actions(),
            _ => Vec::new(),
        }
    }

    /// Closes all open files after the last pass; no I/O may be in flight.
    pub fn close_all_files(&mut self) {
        match self {
            Pattern::General(general) => general.close_all_files(),
            Pattern::Replay(replay) => replay.close_all_files(),
            Pattern::Trims(trims) => trims.ranges.close_all_files(),
            _ => {}
        }
    }
}

impl Plain {
    /// Returns the pattern for sequential use, with passes of at most `pass` bytes.
    pub fn in_line(self, region: Region, pass: u64) -> Self {
        let block = u64::from(self.block);
        Self { blocks: region.blocks_in_line(block).min(pass.div_ceil(block)), ..self }
    }

    /// Takes up to `want` blocks from the pass and the budget, advances `at` past them, and returns their number.
    #[inline(always)]
    fn take(&mut self, want: usize, at: &mut u64) -> usize {
        if *at == self.blocks && self.wraps {
            *at = 0;
            if self.ragged && self.left == 1 {
                self.left = 0;
            }
        }
        let n = (want as u64).min(self.left).min(self.blocks - *at);
        self.left -= n;
        *at += n;
        n as usize
    }

    #[inline(always)]
    fn put(&self, op: &mut Op, offset: u64) {
        *op = Op { offset, len: self.block, done: 0, file: 0, slot: op.slot, kind: self.kind };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn offsets(pattern: &mut Pattern, batch: usize) -> Vec<u64> {
        let (mut ops, mut all) = (vec![Op::NONE; batch], Vec::new());
        loop {
            let n = pattern.fill(&mut ops);
            if n == 0 {
                return all;
            }
            all.extend(ops[..n].iter().map(|op| op.offset));
        }
    }

    fn plain(start: u64, length: u64, bytes: u64, wraps: bool) -> Plain {
        Plain::new(
            Kind::Read,
            4096,
            Region { start, length, ends_file: true, room: length },
            Budget { bytes, ios: u64::MAX, wraps },
        )
    }

    proptest! {
        #[test]
        fn each_block_once_per_pass_and_the_same_again(blocks in 1u64..3000, tail in 0u64..4096, start in 0u64..9000, batch in 1usize..70, seed: u64) {
            let make = || Pattern::permuted(plain(start, blocks * 4096 + tail, 2 * blocks * 4096, false), seed);
            let (mut one, mut two) = (make(), make());
            let first = offsets(&mut one, batch);
            prop_assert_eq!(&first, &offsets(&mut two, 32));
            let mut sorted = first.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..blocks).map(|b| start + b * 4096).collect::<Vec<_>>());
            one.begin_next_pass();
            let again = offsets(&mut one, batch);
            prop_assert_eq!(again.len(), first.len());
            prop_assert!(blocks < 20 || again != first);
        }

        #[test]
        fn sequential_and_uniform_stay_inside(blocks in 1u64..300, laps in 1u64..5, tail in 0u64..4096, seed: u64) {
            let (length, bytes) = (blocks * 4096 + tail, blocks * 4096 * laps);
            let line = offsets(&mut Pattern::sequential(plain(512, length, bytes, true)), 7);
            prop_assert_eq!(line, (0..blocks * laps).map(|i| 512 + i % blocks * 4096).collect::<Vec<_>>());
            let scattered = offsets(&mut Pattern::uniform(plain(512, length, bytes, true), seed), 7);
            prop_assert_eq!(scattered.len() as u64, blocks * laps);
            prop_assert!(scattered.iter().all(|o| (o - 512) % 4096 == 0 && o + 4096 <= 512 + length));
        }
    }
}
