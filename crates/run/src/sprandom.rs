//! `sprandom`: random writes after which a drive is in the steady state of random writes, in one pass over its physical
//! space.
//!
//! In the steady state of uniformly random writes, a block of the drive that was written at time t has lost a share of
//! its pages that only depends on t: each page is overwritten at the same rate, so the share v of valid pages falls
//! exponentially with the age, and v is u when the block is collected. If a drive of L logical pages has L (1 + op)
//! physical ones, and x is the position of a block in the order of writing (0: the oldest, 1: the newest), then
//! v(x) = u^(1 - x), and the valid pages are L in all: (1 - u) / ln(1/u) = 1 / (1 + op). This is also the equation of
//! the write amplification 1 / (1 - u) (see `engine::model`).
//!
//! The pass writes all blocks once in random order, in regions of equal size. While a region is written, some blocks of
//! the region before are written again, evenly among the new ones, so that 1 - v of what that region wrote is invalid at
//! the end. A drive that writes in order of arrival has then filled its physical space with blocks of these shares.
//!
//! The method is that of `sprandom` in fio ("SPRandom: a fast method to reduce the random preconditioning time of SSDs
//! from days to hours", SNIA Developer Conference 2025); the numbers of the regions are derived here.
//!
//! Memory: 8 bytes for each block that is written again in the largest region, for up to three regions: with 100 regions
//! and `spr_op=0.15`, 0.7 % of the blocks, so 60 MB per TB of 4 KiB blocks. More regions need less.

use crate::permute::Permutation;
use crate::random::{below, generator, stream};
use crate::region::{Budget, Region};
use engine::{Kind, Op};
use job::sprandom::SprandomSpec;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Returns the share u of valid pages in the blocks that are collected in the steady state.
fn collected_share(over_provisioning: f64) -> f64 {
    let ratio = 1.0 + over_provisioning;
    // The left side falls from 1 to 0 as u falls from 1 to 0.
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for _ in 0..60 {
        let u = (low + high) / 2.0;
        if (1.0 - u) / -u.ln() * ratio < 1.0 {
            low = u;
        } else {
            high = u;
        }
    }
    (low + high) / 2.0
}

/// Number of writes of a region, and how many of these are invalid at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    writes: u64,
    invalid: u64,
}

/// Returns the regions of a pass over `blocks` blocks. They have `spec.writes(blocks)` writes in all, `blocks` of which
/// stay valid.
fn shares(spec: &SprandomSpec, blocks: u64) -> Vec<Share> {
    let (regions, writes) = (u64::from(spec.regions.max(1)), spec.writes(blocks));
    let u = collected_share(spec.over_provisioning);
    let end = |region: u64| (u128::from(writes) * u128::from(region) / u128::from(regions)) as u64;
    // The integral of v from 0 to x is (u^(1 - x) - u) / ln(1/u), and the whole one is (1 - u) / ln(1/u).
    let valid_until = |region: u64| {
        let x = region as f64 / regions as f64;
        (blocks as f64 * (u.powf(1.0 - x) - u) / (1.0 - u)).round() as u64
    };
    let mut valid = 0;
    let share = |region| {
        let (begin, end) = (end(region), end(region + 1));
        // Rounding neither lets a region have more valid blocks than writes, nor the rest too few writes.
        let least = blocks.saturating_sub(writes - end);
        let next = valid_until(region + 1).max(least).min(valid + (end - begin));
        let share = Share { writes: end - begin, invalid: end - begin - (next - valid) };
        valid = next;
        share
    };
    (0..regions).map(share).collect()
}

/// The pattern of a job with `sprandom`.
#[derive(Debug)]
pub struct Sprandom {
    /// Block size in bytes, byte offset of block 0 in the file, and number of blocks.
    block: u32,
    start: u64,
    blocks: u64,
    /// Number of writes left in the budget of all passes.
    budget: u64,
    wraps: bool,
    shares: Vec<Share>,
    /// Whether the blocks of a region are written again only after the whole next region (`spr_cs`).
    delayed: bool,
    /// Order in which the blocks are written first.
    order: Permutation,
    random: Xoshiro256PlusPlus,
    /// Number of blocks that were written in this pass.
    fresh: u64,
    /// Number of the region, from 0; at least the number of regions while the last blocks are written again.
    region: usize,
    /// Writes that are left in the region.
    left: u64,
    /// Writes of the region in all, and the blocks that are written again among them: a rewrite is due whenever
    /// `sum`, to which `again` is added per write, reaches `size`.
    size: u64,
    again: u64,
    sum: u64,
    /// Blocks of the region that are still to be chosen for being written again.
    to_choose: u64,
    /// Blocks that are written again in this region, from `next` on, in the region after it, and in the one after that.
    lists: [Vec<u64>; 3],
    next: usize,
}

impl Sprandom {
    /// Returns the pattern over the blocks of `block` bytes of `region`.
    pub fn new(block: u32, region: Region, budget: Budget, spec: &SprandomSpec, seed: u64) -> Self {
        let blocks = region.length / u64::from(block);
        let mut random = generator(seed, stream::OFFSET);
        let order = Permutation::new(blocks, random.next_u64());
        let shares = shares(spec, blocks);
        let most = shares.iter().map(|share| share.invalid).max().unwrap_or(0) as usize;
        let mut new = Self {
            block,
            start: region.start,
            blocks,
            budget: budget.bytes.div_ceil(u64::from(block)).min(budget.ios),
            wraps: budget.wraps,
            delayed: spec.cache > 0,
            order,
            random,
            fresh: 0,
            region: 0,
            left: 0,
            size: 0,
            again: 0,
            sum: 0,
            to_choose: 0,
            lists: std::array::from_fn(|_| Vec::with_capacity(most)),
            next: 0,
            shares,
        };
        new.enter(0);
        new
    }

    /// Fills `ops` with the next writes, from the front, keeping their slots. Returns their number, 0 at the end of the
    /// pass.
    pub fn fill(&mut self, ops: &mut [Op]) -> usize {
        for (n, op) in ops.iter_mut().enumerate() {
            if self.budget == 0 {
                return n;
            }
            let Some(block) = self.next_block() else {
                // Passes of `io_size` follow each other, the others are begun by the caller.
                if n > 0 || !self.wraps || self.blocks == 0 {
                    return n;
                }
                self.begin_next_pass();
                return self.fill(ops);
            };
            self.budget -= 1;
            let offset = self.start + block * u64::from(self.block);
            *op = Op { offset, len: self.block, done: 0, file: 0, slot: op.slot, kind: Kind::Write };
        }
        ops.len()
    }

    /// Returns whether the budget of all passes is used up.
    pub fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    /// Begins the next pass, in a new random order.
    pub fn begin_next_pass(&mut self) {
        self.order = Permutation::new(self.blocks, self.random.next_u64());
        self.lists.iter_mut().for_each(Vec::clear);
        (self.fresh, self.next, self.to_choose) = (0, 0, 0);
        self.enter(0);
    }

    /// Returns the next block to write; `None` at the end of the pass.
    fn next_block(&mut self) -> Option<u64> {
        let (due, unwritten) = loop {
            let (due, unwritten) = (self.next < self.lists[0].len(), self.fresh < self.blocks);
            if self.left > 0 && (due || unwritten) {
                break (due, unwritten);
            }
            let rest = self.lists[1].len() + self.lists[2].len();
            if self.region >= self.shares.len() && !due && rest == 0 {
                return None;
            }
            self.leave();
        };
        self.sum += self.again;
        let rewrite = self.sum >= self.size;
        if rewrite {
            self.sum -= self.size;
        }
        let block = if due && (rewrite || !unwritten) {
            self.next += 1;
            self.lists[0][self.next - 1]
        } else {
            self.fresh += 1;
            self.order.at(self.fresh - 1)
        };
        // Each write of the region is chosen with the same probability, and as many in all as have to be.
        if self.to_choose > 0 && below(self.random.next_u64(), self.left) < self.to_choose {
            self.to_choose -= 1;
            self.lists[1 + usize::from(self.delayed)].push(block);
        }
        self.left -= 1;
        Some(block)
    }

    /// Begins the region after this one.
    fn leave(&mut self) {
        self.lists[0].drain(..self.next);
        self.next = 0;
        // What did not fit into this region comes first in the next one.
        let [due, after, later] = &mut self.lists;
        if due.is_empty() {
            std::mem::swap(due, after);
        } else {
            due.append(after);
        }
        std::mem::swap(after, later);
        self.enter(self.region + 1);
    }

    fn enter(&mut self, region: usize) {
        self.region = region;
        let unwritten = self.blocks - self.fresh;
        let due = self.lists[0].len() as u64;
        // Few regions with a delay leave a last region with fewer writes than have to be chosen: more are chosen later.
        self.to_choose += self.shares.get(region).map_or(0, |share| share.invalid);
        self.size = match self.shares.get(region) {
            // The writes that are left over belong to the blocks of the last regions.
            Some(_) if region + 1 == self.shares.len() => unwritten + due,
            Some(share) => share.writes,
            None => {
                let [due, after, later] = &mut self.lists;
                due.append(after);
                due.append(later);
                due.len() as u64
            }
        };
        (self.left, self.again, self.sum) = (self.size, due, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sprandom(blocks: u64, bytes: u64, wraps: bool, spec: &SprandomSpec, seed: u64) -> Sprandom {
        let length = blocks * 4096;
        let region = Region { start: 8192, length, ends_file: true, room: length };
        Sprandom::new(4096, region, Budget { bytes, ios: u64::MAX, wraps }, spec, seed)
    }

    fn spec(regions: u32, over_provisioning: f64, cache: u64) -> SprandomSpec {
        SprandomSpec { regions, over_provisioning, cache }
    }

    /// Returns the blocks of a pass, filled in batches.
    fn pass(sprandom: &mut Sprandom, batch: usize) -> Vec<u64> {
        let (mut ops, mut all) = (vec![Op::NONE; batch], Vec::new());
        loop {
            let n = sprandom.fill(&mut ops);
            all.extend(ops[..n].iter().map(|op| (op.offset - 8192) / 4096));
            if n == 0 {
                return all;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        /// A pass writes each block, and as many writes as the physical space has blocks; the next pass differs, and
        /// batches do not matter.
        #[test]
        fn a_pass_writes_every_block_and_fills_the_physical_space(
            blocks in 1u64..3000, regions in 1u32..40, op in 0.01f64..0.99, cache in 0u64..2, batch in 1usize..70, seed: u64
        ) {
            let spec = spec(regions, op, cache);
            let make = || sprandom(blocks, u64::MAX, false, &spec, seed);
            let (mut one, mut two) = (make(), make());
            let first = pass(&mut one, batch);
            prop_assert_eq!(&first, &pass(&mut two, 32));
            prop_assert_eq!(first.len() as u64, spec.writes(blocks));
            let mut seen = first.clone();
            seen.sort_unstable();
            seen.dedup();
            prop_assert_eq!(seen, (0..blocks).collect::<Vec<_>>());
            one.begin_next_pass();
            let again = pass(&mut one, batch);
            prop_assert_eq!(again.len(), first.len());
            prop_assert!(blocks < 20 || again != first);
        }
    }

    /// Each region has the share of valid blocks that the steady state has at its age, and writes of a region are
    /// equally likely to be invalid.
    #[test]
    fn regions_have_the_valid_shares_of_the_steady_state() {
        const BLOCKS: u64 = 40_000;
        for (op, cache) in [(0.07, 0), (0.28, 0), (0.28, 1), (0.9, 0)] {
            let spec = spec(20, op, cache);
            let writes = pass(&mut sprandom(BLOCKS, u64::MAX, false, &spec, 7), 16);
            let mut last = vec![0; BLOCKS as usize];
            writes.iter().enumerate().for_each(|(at, block)| last[*block as usize] = at);
            let u = collected_share(op);
            assert!(((1.0 - u) / (1.0 / u).ln() * (1.0 + op) - 1.0).abs() < 1e-9, "{u}");
            let region = writes.len() / 40;
            for half in 0..40 {
                let range = half * region..(half + 1) * region;
                let valid = range.clone().filter(|at| last[writes[*at] as usize] == *at).count();
                let (found, x) = (valid as f64 / region as f64, (half / 2) as f64 / 20.0 + 0.025);
                // Steps within a region are the price of regions; 5 deviations of a binomial for the halves.
                let chance = 5.0 * (0.25 / region as f64).sqrt();
                assert!((found - u.powf(1.0 - x)).abs() < chance, "op {op}, half {half}: {found}");
            }
        }
    }

    /// With `spr_cs`, a whole region lies between the two writes of a block, apart from the last regions.
    #[test]
    fn a_cache_delays_the_second_write_by_a_region() {
        for (cache, least) in [(0, 0.5), (1, 1.0)] {
            let spec = spec(20, 0.15, cache);
            let writes = pass(&mut sprandom(20_000, u64::MAX, false, &spec, 7), 16);
            let region = writes.len() / 20;
            let mut first = vec![None; 20_000];
            let mut shortest = usize::MAX;
            for (at, block) in writes.iter().enumerate().take(19 * region) {
                if let Some(before) = first[*block as usize].replace(at) {
                    shortest = shortest.min(at - before);
                }
            }
            assert!(shortest as f64 >= least * region as f64, "{shortest} of {region}");
        }
    }

    #[test]
    fn budgets_end_a_pass_or_go_on_with_the_next_one() {
        let spec = spec(10, 0.5, 0);
        let budget = |bytes, wraps| pass(&mut sprandom(1000, bytes, wraps, &spec, 7), 16).len();
        assert_eq!(budget(700 * 4096, false), 700);
        assert_eq!(budget(4000 * 4096, false), 1500, "the caller begins the next pass");
        assert_eq!(budget(4000 * 4096, true), 4000);
    }
}
