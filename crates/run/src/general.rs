//! The general pattern: several directions, block sizes, files, holes, runs, syncs. One operation at a time.

use crate::bitmap::Bitmap;
use crate::block::Blocks;
use crate::pattern::{Budget, Region, below, random, stream};
use crate::permute::{Permutation, stream_seed};
use crate::spread::Curve;
use crate::turn::{Door, Turn, Turns};
use engine::{Kind, Op};
use job::job::{FileService, Mix, Order};
use job::spread::{Law, Places, Sizes, Zones};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// What the general pattern is asked to do.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Directions.
    pub mix: Mix,
    /// Order.
    pub order: Order,
    /// Smallest and largest block per direction.
    pub block: [(u64, u64); 3],
    /// How sizes are drawn.
    pub sizes: Sizes,
    /// Where random I/Os go.
    pub places: Places,
    /// Visit each block once per pass.
    pub random_map: bool,
    /// fsync, fdatasync after every n writes each; where two are due the first.
    pub syncs: Vec<(Kind, u64)>,
    /// Which file is next.
    pub service: FileService,
    /// Files that may be open at a time; 0 = all, from start to end.
    pub open_files: usize,
    /// Seed.
    pub seed: u64,
}

/// How a file's random blocks are drawn.
#[derive(Debug)]
enum Draw {
    /// Independently.
    Free,
    /// Independently, not evenly, per direction.
    Law(Box<[Option<Curve>; 3]>),
    /// Each once per pass (one block size, or a generator that visits each place once): position in the pass.
    Once(Permutation, u64),
    /// Each once per pass with several block sizes: a bit per smallest block, and sizes clipped to what is free.
    Map(Bitmap),
}

#[derive(Debug)]
struct File {
    region: Region,
    /// Where the last I/O ended, per direction, relative to the region; [`UNSTARTED`] before the first.
    at: [u64; 3],
    /// Where it began, likewise.
    from: [u64; 3],
    /// Sequential I/Os left of a random run.
    run: u32,
    /// Where the present zone begins; 0 without zones.
    zone: u64,
    /// What was trimmed at random and is to be written now.
    trimmed: Option<(u64, u64)>,
    draw: Draw,
}

/// See the module.
#[derive(Debug)]
pub struct General {
    asked: Asked,
    /// The smallest and largest block of any direction that occurs.
    smallest: u64,
    largest: u64,
    budget: Budget,
    files: Vec<File>,
    turns: Turns,
    issued_bytes: u64,
    issued_ios: u64,
    /// Bytes since the last zone began.
    in_zone: u64,
    writes: u64,
    last_was_sync: bool,
    offsets: Xoshiro256PlusPlus,
    blocks: Blocks,
    coin: Xoshiro256PlusPlus,
    /// Order of the present hundred of reads and writes, and how many were dealt in all.
    deck: Permutation,
    tosses: u64,
    pick: Xoshiro256PlusPlus,
    passes: u64,
    blocked: bool,
}

impl Draw {
    /// Nothing of the `blocks` blocks was visited.
    fn begin(&mut self, blocks: u64, key: u64) {
        match self {
            Draw::Free | Draw::Law(_) => {}
            Draw::Once(order, position) => (*order, *position) = (Permutation::new(blocks, key), 0),
            Draw::Map(map) => map.clear(),
        }
    }
}

impl File {
    /// The zone behind the present one, or the first. A run goes on at its beginning.
    fn next_zone(&mut self, zones: Zones, random: bool) {
        self.zone = self.zone.saturating_add(zones.range).saturating_add(zones.skip);
        if self.zone >= self.region.length {
            self.zone = 0;
        }
        self.at = [if random { self.zone } else { UNSTARTED }; 3];
    }

    /// Which of the two comes next, as its index: a write where the last trim began elsewhere than the last write.
    fn trim_or_write(&self) -> usize {
        if self.trimmed.is_some() || self.from[1] != self.from[2] { 1 } else { 2 }
    }
}

impl General {
    /// The pattern over `regions`, one per file.
    pub fn new(asked: Asked, regions: &[Region], budget: Budget) -> Self {
        let seed = asked.seed;
        let used =
            || stats::Direction::ALL.iter().filter(|d| asked.mix.has(**d)).map(|d| asked.block[*d as usize]);
        let any = || used().chain(asked.block[..2].iter().copied().filter(|_| asked.sizes.seq_rand));
        let smallest = used().map(|b| b.0).min().unwrap_or(1).max(1);
        let largest = any().map(|b| b.1).max().unwrap_or(1);
        // fio's map has the smallest block of all directions, also of those in which nothing is done.
        let unit = asked.block.iter().map(|b| b.0).min().unwrap_or(1).max(1);
        let one_size = any().all(|b| b == (unit, unit));
        let mapped = asked.random_map && matches!(asked.order, Order::Random { .. });
        let file = |region: &Region| {
            // With zones random I/Os are drawn in one of them.
            let span = asked.places.zones.map_or(region.length, |zones| zones.range);
            let blocks = span / smallest;
            let curve = |d: usize| {
                let (unit, blocks) = (asked.places.unit(d, asked.block[d].0), &asked.block);
                let places = places(span, unit, blocks[d].0);
                Curve::new(&asked.places.law, places, unit, span, seed)
            };
            let draw = match (mapped, one_size || asked.places.each_once) {
                (false, _) if asked.places.law != Law::Even => Draw::Law(Box::new([0, 1, 2].map(curve))),
                (false, _) => Draw::Free,
                (true, true) => Draw::Once(Permutation::new(blocks, seed), 0),
                (true, false) => Draw::Map(Bitmap::new(span / unit)),
            };
            File {
                region: *region,
                at: [UNSTARTED; 3],
                from: [UNSTARTED; 3],
                run: 0,
                zone: 0,
                trimmed: None,
                draw,
            }
        };
        let picked = random(seed, stream::FILE);
        let turns = Turns::new(asked.service.clone(), regions.len(), asked.open_files, picked);
        let mut general = Self {
            files: regions.iter().map(file).collect(),
            turns,
            offsets: random(seed, stream::OFFSET),
            blocks: Blocks::new(asked.block, &asked.sizes, random(seed, stream::BLOCK)),
            coin: random(seed, stream::MIX),
            deck: Permutation::new(100, seed),
            tosses: 0,
            pick: random(seed, stream::FILE),
            smallest,
            largest,
            asked,
            budget,
            issued_bytes: 0,
            issued_ios: 0,
            in_zone: 0,
            writes: 0,
            last_was_sync: false,
            passes: 0,
            blocked: false,
        };
        general.begin_pass();
        general
    }

    /// Begins the region anew; allocates nothing.
    fn begin_pass(&mut self) {
        self.passes += 1;
        self.last_was_sync = false;
        self.in_zone = 0;
        (0..self.files.len()).for_each(|file| self.begin_file(file));
        self.turns.begin_pass(self.files.iter().map(|file| file.region.length >= self.smallest));
    }

    fn begin_file(&mut self, number: usize) {
        let file = &mut self.files[number];
        file.at = [UNSTARTED; 3];
        file.from = [UNSTARTED; 3];
        file.run = 0;
        file.zone = 0;
        file.trimmed = None;
        let span = self.asked.places.zones.map_or(file.region.length, |zones| zones.range);
        let key = self.asked.seed ^ self.passes << 32 ^ self.issued_ios.rotate_right(16);
        file.draw.begin(span / self.smallest, stream_seed(key, stream::OFFSET + 16 + number as u64));
    }

    /// Begins the next lap.
    pub fn next_lap(&mut self) {
        if self.asked.mix == Mix::TrimWrite {
            // fio's number_ios is that of trims, doubled for the writes, once more for each loop.
            self.budget.ios = self.budget.ios.saturating_mul(2);
        }
        self.turns.close_all();
        self.begin_pass();
    }

    /// Closes what is open, now that nothing flies.
    pub fn close_doors(&mut self) {
        self.turns.close_all();
    }

    /// Whether files are opened and closed while the job runs.
    pub fn moves_doors(&self) -> bool {
        self.turns.moves()
    }

    /// Files to open and to close, in this order, before the operations that were filled last.
    pub fn doors(&mut self) -> Vec<Door> {
        self.turns.take_due()
    }

    /// An operation on `file` is done.
    pub fn landed(&mut self, file: u32) {
        self.turns.landed(file as usize);
    }

    /// Nothing could be filled because no file may be opened yet.
    pub fn blocked(&self) -> bool {
        self.blocked
    }

    /// As [`crate::pattern::Pattern::fill`].
    #[inline(never)]
    pub fn fill(&mut self, ops: &mut [Op]) -> usize {
        let mut n = 0;
        while n < ops.len() {
            match self.next() {
                Some(op) => ops[n] = Op { slot: ops[n].slot, ..op },
                None => break,
            }
            n += 1;
        }
        n
    }

    fn next(&mut self) -> Option<Op> {
        let mut fresh_pass = false;
        self.blocked = false;
        loop {
            if self.issued_bytes >= self.budget.bytes || self.issued_ios >= self.budget.ios {
                return None;
            }
            // fio looks for a due sync before it looks for a block: none after the last write of a budget, one more
            // where the region begins anew.
            let writes = self.writes;
            let is_due = |n: u64| writes > 0 && writes.is_multiple_of(n) && !self.last_was_sync;
            let due = self.asked.syncs.iter().find(|(_, every)| is_due(*every)).copied();
            let file = match (self.turns.next(), due) {
                (Turn::File(file), Some((kind, _))) => {
                    self.last_was_sync = true;
                    self.turns.serve();
                    return Some(Op { kind, file: file as u32, ..Op::NONE });
                }
                (Turn::File(file), None) => file,
                (Turn::Busy, _) => {
                    self.blocked = true;
                    return None;
                }
                (Turn::Over, _) => {
                    // fio begins a pass only if a whole block is left to do.
                    let left = self.budget.bytes - self.issued_bytes;
                    if !self.budget.wraps || fresh_pass || left < self.largest {
                        return None;
                    }
                    self.begin_pass();
                    fresh_pass = true;
                    continue;
                }
            };
            let trim_writes = self.asked.mix == Mix::TrimWrite;
            let direction = if trim_writes { self.files[file].trim_or_write() } else { self.direction() };
            match self.draw(file, direction) {
                Some((offset, len)) => {
                    self.last_was_sync = false;
                    // What is trimmed before it is written counts once.
                    self.issued_bytes += if trim_writes && direction == 2 { 0 } else { len };
                    self.issued_ios += 1;
                    self.in_zone += len;
                    self.writes += u64::from(direction == 1);
                    self.turns.serve();
                    let kind = [Kind::Read, Kind::Write, Kind::Trim][direction];
                    let offset = self.files[file].region.start + offset;
                    return Some(Op { offset, len: len as u32, file: file as u32, kind, ..Op::NONE });
                }
                None => {
                    let fresh = self.files[file].at == [UNSTARTED; 3];
                    if self.turns.used_up(fresh) {
                        self.begin_file(file);
                    }
                }
            }
        }
    }

    fn direction(&mut self) -> usize {
        match self.asked.mix {
            Mix::Read => 0,
            Mix::Write => 1,
            Mix::Trim => 2,
            Mix::ReadWrite { reads } => {
                // A shuffled deck of a hundred: the share is exact per hundred, as fio's corrected coin all but has it.
                let at = self.tosses % 100;
                if at == 0 {
                    self.deck = Permutation::new(100, self.coin.next_u64());
                }
                self.tosses += 1;
                usize::from(self.deck.at(at) >= u64::from(reads))
            }
            // The file says.
            Mix::TrimWrite => 1,
        }
    }

    /// Offset in the region and length of the file's next I/O; none when the file is used up.
    fn draw(&mut self, file: usize, direction: usize) -> Option<(u64, u64)> {
        let (low, blocks) = (self.asked.block[direction].0, &mut self.blocks);
        let alone = self.files.len() == 1;
        let f = &mut self.files[file];
        let length = f.region.length;
        let zones = self.asked.places.zones;
        if let Some(zones) = zones
            && self.in_zone >= zones.size
        {
            self.in_zone = 0;
            let key = self.offsets.next_u64();
            f.next_zone(zones, matches!(self.asked.order, Order::Random { .. }));
            f.draw.begin(zones.range / self.smallest, key);
        }
        let (zone, span) = (f.zone, zones.map_or(length, |zones| zones.range));
        let trim_writes = self.asked.mix == Mix::TrimWrite;
        if let Some(trimmed) = f.trimmed.take() {
            f.from[1] = f.from[2];
            return Some(trimmed);
        }
        match self.asked.order {
            Order::Sequential { skip } => {
                let low = blocks.low(direction, false);
                let at = match zones {
                    None => next_in_line(f.at[direction], f.region, low, skip)?,
                    Some(_) => {
                        next_in_zone(f.at[direction], zone..zone.saturating_add(span), length, low, skip)?
                    }
                };
                let len = blocks.draw(direction, false, length - at);
                f.from[direction] = at;
                f.at[direction] = at + len;
                Some((at, len))
            }
            Order::Random { run } => {
                // The writes count too; they go where the trims went.
                let run = if trim_writes && run.is_multiple_of(2) { run / 2 } else { run };
                let ordered = u64::from(self.asked.places.ordered[direction]);
                let follows = ordered > 0 && below(self.pick.next_u64(), 100) < ordered;
                let mut at = f.at[direction];
                if at != UNSTARTED && f.run > 0 && self.asked.places.identical {
                    at = f.from[direction];
                }
                if follows && at == UNSTARTED {
                    at = 0;
                }
                let fits = at <= length && length - at >= blocks.low(direction, false);
                // A run that comes upon less than a block ends the pass of a job with one file, as in fio; with several
                // (684 I/Os of 12k in 8200k, always) it only ends the run. A line ends with its file.
                if !fits && at != UNSTARTED && (ordered == 100 || f.run > 0 && at < length && alone) {
                    return None;
                }
                if (f.run > 0 || follows) && fits {
                    f.run = f.run.saturating_sub(1);
                    let len = blocks.draw(direction, false, length - at);
                    f.from[direction] = at;
                    f.at[direction] = at + len;
                    f.trimmed = trim_writes.then_some((at, len));
                    return Some((at, len));
                }
                let random = self.offsets.next_u64();
                let (at, len) = match &mut f.draw {
                    Draw::Free => {
                        let unit = self.asked.places.unit(direction, low);
                        let places = places(span, unit, blocks.low(direction, true));
                        if places == 0 {
                            return None;
                        }
                        let at = within(zone + below(random, places) * unit, low, length)?;
                        (at, blocks.draw(direction, true, length - at))
                    }
                    Draw::Law(curves) => {
                        let unit = self.asked.places.unit(direction, low);
                        let at = zone + curves[direction].as_ref()?.next(&mut self.offsets) * unit;
                        let at = within(at, low, length)?;
                        (at, blocks.draw(direction, true, length - at))
                    }
                    Draw::Once(order, i) => {
                        // A zone may be gone over several times before the next one begins.
                        if *i >= span / low && zones.is_some() && alone && span >= low {
                            (*order, *i) = (Permutation::new(span / low, random), 0);
                        }
                        if *i >= span / low {
                            return None;
                        }
                        *i += 1;
                        let at = within(zone + order.at(*i - 1) * low, low, length)?;
                        (at, blocks.draw(direction, true, length - at))
                    }
                    Draw::Map(map) => {
                        let mut found = map.find(random, span, low);
                        if found.is_none() && zones.is_some() && alone && span >= low {
                            map.clear();
                            found = map.find(random, span, low);
                        }
                        let at = within(zone + found?, low, length)?;
                        let len = blocks.draw(direction, true, length - at);
                        (at, map.take(at - zone, span, low, len)?.min(length - at))
                    }
                };
                f.run = run - 1;
                f.from[direction] = at;
                f.at[direction] = at + len;
                f.trimmed = trim_writes.then_some((at, len));
                Some((at, len))
            }
        }
    }
}

/// The place `at`, if a block of `low` bytes fits between it and the end.
fn within(at: u64, low: u64, length: u64) -> Option<u64> {
    (length.checked_sub(at)? >= low).then_some(at)
}

/// As [`next_in_line`], in a zone: what has reached its end begins it anew; the end of the file ends the pass.
fn next_in_zone(ended: u64, zone: std::ops::Range<u64>, length: u64, low: u64, skip: i64) -> Option<u64> {
    let at = match ended {
        UNSTARTED => zone.start,
        _ if ended >= zone.end => zone.start,
        _ => ended.checked_add_signed(skip)?,
    };
    within(at, low, length)
}

/// Places of a multiple of `unit` from which a block of `low` bytes fits.
fn places(length: u64, unit: u64, low: u64) -> u64 {
    length.checked_sub(low).map_or(0, |last| (length / unit).min(last / unit + 1))
}

/// Nothing was done in this pass yet.
const UNSTARTED: u64 = u64::MAX;

/// Where the I/O begins that follows one that ended at `ended`, `skip` bytes further; none when the file is used up.
///
/// A pass ends where an I/O ended exactly at the end, or where less than the smallest block is left. A hole that leads
/// past either end leads to the other one.
fn next_in_line(ended: u64, region: Region, low: u64, skip: i64) -> Option<u64> {
    let length = region.length;
    let at = match ended {
        UNSTARTED => 0,
        _ if ended >= length => return None,
        _ => match i128::from(ended) + i128::from(skip) {
            at if at < 0 => (i128::from(length) + i128::from(skip)).max(0) as u64,
            at if at >= i128::from(length) && !region.ends_file => return None,
            at if at >= i128::from(length) => 0,
            at => at as u64,
        },
    };
    (length.checked_sub(at)? >= low).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn asked(mix: Mix, order: Order, block: [(u64, u64); 3], random_map: bool, seed: u64) -> Asked {
        let (sizes, places) = (Sizes::default(), Places::default());
        let service = FileService::RoundRobin(1);
        Asked {
            mix,
            order,
            block,
            sizes,
            places,
            random_map,
            syncs: Vec::new(),
            service,
            open_files: 0,
            seed,
        }
    }

    fn all(mut general: General) -> Vec<Op> {
        let mut ops = [Op::NONE; 5];
        let mut out = Vec::new();
        loop {
            let n = general.fill(&mut ops);
            if n == 0 {
                return out;
            }
            out.extend_from_slice(&ops[..n]);
        }
    }

    const K: u64 = 1024;

    proptest! {
        #[test]
        fn a_map_with_several_sizes_covers_each_byte_once(blocks in 1u64..2000, most in 1u64..9, files in 1usize..4, seed: u64) {
            let regions = vec![Region { start: 0, length: blocks * K, ends_file: true }; files];
            let bytes = blocks * K * files as u64;
            let g = General::new(asked(Mix::Read, Order::Random { run: 1 }, [(K, most * K); 3], true, seed), &regions, Budget { bytes, ios: u64::MAX, wraps: false });
            let mut seen = vec![vec![0u8; blocks as usize]; files];
            for op in all(g) {
                for b in op.offset / K..(op.offset + u64::from(op.len)) / K {
                    seen[op.file as usize][b as usize] += 1;
                }
            }
            prop_assert!(seen.iter().flatten().all(|n| *n == 1));
        }

        #[test]
        fn mixed_directions_share_one_pass_and_the_coin_is_fair(blocks in 500u64..3000, reads in 0u8..=100, seed: u64) {
            let g = General::new(asked(Mix::ReadWrite { reads }, Order::Random { run: 1 }, [(4 * K, 4 * K); 3], true, seed),
                &[Region { start: 4096, length: blocks * 4 * K, ends_file: true }], Budget { bytes: blocks * 4 * K, ios: u64::MAX, wraps: false });
            let ops = all(g);
            let mut at: Vec<u64> = ops.iter().map(|op| op.offset).collect();
            at.sort_unstable();
            prop_assert_eq!(at, (0..blocks).map(|b| 4096 + b * 4 * K).collect::<Vec<_>>());
            let p = f64::from(reads) / 100.0;
            let (got, sd) = (ops.iter().filter(|op| op.kind == Kind::Read).count() as f64, (blocks as f64 * p * (1.0 - p)).sqrt());
            prop_assert!((got - blocks as f64 * p).abs() <= 5.0 * sd);
        }

        #[test]
        fn everything_stays_inside_its_region(length in 1u64..300_000, low in 1u64..9, factor in 1u64..5, skip in -20_000i64..20_000, run in 1u32..9, random: bool, map: bool, seed: u64) {
            let (low, high) = (low * 512, low * 512 * factor);
            let order = if random { Order::Random { run } } else { Order::Sequential { skip } };
            let g = General::new(asked(Mix::ReadWrite { reads: 40 }, order, [(low, high), (512, high), (0, 0)], map, seed),
                &[Region { start: 100, length, ends_file: random }], Budget { bytes: 3 * length, ios: 5000, wraps: true });
            for op in all(g) {
                prop_assert!(op.len > 0 && op.offset >= 100 && op.offset + u64::from(op.len) <= 100 + length);
            }
        }
    }

    /// fio 3.33, over 200 seeds of `read:4k --bsrange=1k-8k`: each size that fits before the end is as likely, and all
    /// 24 I/Os that began 1k before the end were of 1k.
    #[test]
    fn sizes_that_fit_before_the_end_are_equally_likely() {
        let region = Region { start: 0, length: 64 * K, ends_file: true };
        for order in
            [Order::Sequential { skip: 4096 }, Order::Sequential { skip: 0 }, Order::Random { run: 1 }]
        {
            let mut seen = [0u32; 4];
            for seed in 0..4000 {
                let budget = Budget { bytes: 64 * K, ios: u64::MAX, wraps: false };
                let g =
                    General::new(asked(Mix::Read, order, [(K, 8 * K); 3], false, seed), &[region], budget);
                for op in all(g).iter().filter(|op| op.offset == 61 * K) {
                    seen[(u64::from(op.len) / K) as usize] += 1;
                }
            }
            let mean = f64::from(seen.iter().sum::<u32>()) / 3.0;
            assert!(
                seen[0] == 0 && seen[1..].iter().all(|n| (f64::from(*n) - mean).abs() < 5.0 * mean.sqrt()),
                "{order:?} {seen:?}"
            );
        }
    }

    /// fio 3.33, 24 seeds of `randwrite --bs=16k,16k,4k --size=4m`: 79 to 252 of 256 blocks, none of them twice; a pass
    /// ends at the first draw behind which nothing is free up to the end.
    #[test]
    fn a_map_of_smaller_blocks_ends_the_pass_early_and_repeats_nothing() {
        let of = |seed| {
            let block = [(16 * K, 16 * K), (16 * K, 16 * K), (4 * K, 4 * K)];
            let budget = Budget { bytes: 4096 * K, ios: u64::MAX, wraps: false };
            let region = Region { start: 0, length: 4096 * K, ends_file: true };
            let mut at: Vec<u64> = all(General::new(
                asked(Mix::Write, Order::Random { run: 1 }, block, true, seed),
                &[region],
                budget,
            ))
            .iter()
            .map(|op| op.offset)
            .collect();
            let n = at.len();
            at.sort_unstable();
            at.dedup();
            assert_eq!((at.len(), at.iter().all(|o| o.is_multiple_of(16 * K))), (n, true));
            n
        };
        let mut counts: Vec<usize> = (0..100).map(of).collect();
        counts.sort_unstable();
        assert!(counts[50] > 150 && counts[50] < 250 && counts[5] < 150, "{counts:?}");
    }

    /// fio 3.33 ends `randread:4 --bs=12k --size=4100k` early, at the first run that reaches the 8k behind the last
    /// whole block; one that ends with the file goes on elsewhere.
    #[test]
    fn a_run_that_comes_upon_less_than_a_block_ends_the_pass() {
        let ended = |length: u64| {
            (0..50)
                .filter(|seed| {
                    let g = General::new(
                        asked(Mix::Read, Order::Random { run: 4 }, [(12 * K, 12 * K); 3], true, *seed),
                        &[Region { start: 0, length, ends_file: true }],
                        Budget { bytes: length, ios: u64::MAX, wraps: false },
                    );
                    let ops = all(g);
                    let last = ops[ops.len() - 1].offset;
                    ops.len() < 341 && last + 12 * K + 8 * K == length
                })
                .count()
        };
        assert!(ended(4100 * K) >= 30);
        assert_eq!(ended(4092 * K), 0);
    }

    fn line(ops: &[Op]) -> String {
        ops.iter()
            .map(|op| match op.kind {
                Kind::Fsync => format!("s{} ", op.file),
                Kind::Fdatasync => format!("d{} ", op.file),
                _ => {
                    format!("{}{}:{} ", ['r', 'w', 't'][op.kind as usize], op.file, op.offset / K)
                }
            })
            .collect()
    }

    /// The lines are what fio 3.33's own I/O log shows for the same jobs.
    #[test]
    fn holes_runs_files_and_syncs_go_as_in_fio() {
        let sequential = |skip, mix| asked(mix, Order::Sequential { skip }, [(4 * K, 4 * K); 3], true, 1);
        let two = [Region { start: 0, length: 32 * K, ends_file: true }; 2];
        let budget = |bytes| Budget { bytes, ios: u64::MAX, wraps: false };
        let holes = all(General::new(sequential(4096, Mix::Read), &two, budget(64 * K)));
        assert_eq!(
            line(&holes),
            "r0:0 r1:0 r0:8 r1:8 r0:16 r1:16 r0:24 r1:24 r0:0 r1:0 r0:8 r1:8 r0:16 r1:16 r0:24 r1:24 "
        );
        let hole = |skip: i64, length: u64| {
            let ops = all(General::new(
                sequential(skip * 1024, Mix::Read),
                &[Region { start: 0, length: length * K, ends_file: true }],
                budget(length * K),
            ));
            line(&ops)
        };
        assert_eq!(hole(8, 64), "r0:0 r0:12 r0:24 r0:36 r0:48 r0:60 ");
        assert_eq!(
            hole(8, 56),
            "r0:0 r0:12 r0:24 r0:36 r0:48 r0:0 r0:12 r0:24 r0:36 r0:48 r0:0 r0:12 r0:24 r0:36 "
        );
        assert_eq!(hole(20, 24), "r0:0 r0:0 r0:0 r0:0 r0:0 r0:0 ");
        let back = all(General::new(
            sequential(-8192, Mix::Read),
            &[Region { start: 0, length: 64 * K, ends_file: true }],
            budget(16 * K),
        ));
        assert_eq!(line(&back), "r0:0 r0:56 r0:52 r0:48 ");
        let mut synced = sequential(0, Mix::Write);
        synced.syncs = vec![(Kind::Fsync, 4)];
        let wrap = Budget { bytes: 64 * K, ios: u64::MAX, wraps: true };
        let twice = all(General::new(synced, &[Region { start: 0, length: 32 * K, ends_file: true }], wrap));
        assert_eq!(
            line(&twice),
            "w0:0 w0:4 w0:8 w0:12 s0 w0:16 w0:20 w0:24 w0:28 s0 s0 w0:0 w0:4 w0:8 w0:12 s0 w0:16 w0:20 w0:24 w0:28 "
        );
        let mut both = sequential(0, Mix::Write);
        both.syncs = vec![(Kind::Fsync, 2), (Kind::Fdatasync, 3)];
        let once =
            all(General::new(both, &[Region { start: 0, length: 32 * K, ends_file: true }], budget(32 * K)));
        assert_eq!(line(&once), "w0:0 w0:4 s0 w0:8 d0 w0:12 s0 w0:16 w0:20 s0 w0:24 w0:28 ");
    }

    /// The lines are what fio 3.33's own I/O log shows for the same jobs.
    #[test]
    fn each_block_is_trimmed_then_written() {
        let line_of = |order, block: [u64; 3], files: usize, length: u64| {
            let regions = vec![Region { start: 0, length: length * K, ends_file: true }; files];
            let bytes = files as u64 * length * K;
            let asked = asked(Mix::TrimWrite, order, block.map(|b| (b * K, b * K)), true, 1);
            all(General::new(asked, &regions, Budget { bytes, ios: u64::MAX, wraps: false }))
        };
        let in_line = |skip| Order::Sequential { skip };
        assert_eq!(line(&line_of(in_line(0), [4; 3], 1, 12)), "t0:0 w0:0 t0:4 w0:4 t0:8 w0:8 ");
        assert_eq!(line(&line_of(in_line(0), [4; 3], 2, 8)), "t0:0 t1:0 w0:0 w1:0 t0:4 t1:4 w0:4 w1:4 ");
        assert_eq!(line(&line_of(in_line(0), [4, 8, 16], 1, 32)), "t0:0 w0:0 t0:16 w0:8 w0:16 ");
        assert_eq!(line(&line_of(in_line(0), [4, 16, 8], 1, 32)), "t0:0 w0:0 t0:8 w0:16 ");
        assert_eq!(
            line(&line_of(in_line(-8192), [4; 3], 1, 32)),
            "t0:0 w0:0 t0:24 w0:24 t0:20 w0:20 t0:16 w0:16 t0:12 w0:12 t0:8 w0:8 t0:4 w0:4 t0:0 w0:0 "
        );
        for (run, pairs) in [(1, 1), (2, 1), (3, 3), (4, 2)] {
            let ops = line_of(Order::Random { run }, [8; 3], 1, 8 * 4096);
            assert_eq!(ops.len() / 2, 4096);
            for pair in ops.chunks(2) {
                assert_eq!((pair[0].kind, pair[1].kind), (Kind::Trim, Kind::Write));
                assert_eq!((pair[0].offset, pair[0].len), (pair[1].offset, pair[1].len));
            }
            let follows = |pair: &[Op]| pair[2].offset == pair[0].offset + u64::from(pair[0].len);
            let jumps = ops.windows(4).step_by(2).filter(|pairs| !follows(pairs)).count();
            assert!(jumps.abs_diff(4096 / pairs) < 8, "{run}: {jumps}");
        }
    }

    /// The lines are what fio 3.33's own I/O log shows for the same jobs.
    #[test]
    fn zones_go_as_in_fio() {
        let of =
            |mix, skip: i64, (size, range, gap): (u64, u64, u64), files: usize, length: u64, most: u64| {
                let mut asked =
                    asked(mix, Order::Sequential { skip: skip * 1024 }, [(4 * K, 4 * K); 3], true, 1);
                asked.places.zones = Some(Zones { size: size * K, range: range * K, skip: gap * K });
                let regions = vec![Region { start: 0, length: length * K, ends_file: true }; files];
                let budget = Budget { bytes: most * K, ios: u64::MAX, wraps: most > files as u64 * length };
                line(&all(General::new(asked, &regions, budget)))
            };
        let plain = |zones, length, most| of(Mix::Read, 0, zones, 1, length, most).replace("r0:", "");
        assert_eq!(plain((8, 16, 0), 64, 40), "0 4 16 20 32 36 48 52 0 4 ");
        assert_eq!(plain((8, 8, 16), 64, 40), "0 4 24 28 48 52 0 4 24 28 ");
        assert_eq!(plain((6, 16, 0), 64, 16), "0 4 16 20 ");
        assert_eq!(plain((16, 8, 8), 64, 24), "0 4 0 4 16 20 ");
        assert_eq!(plain((8, 6, 0), 64, 24), "0 4 6 10 12 16 ");
        // Less than a block before the end of the file ends the pass, which io_size begins anew.
        assert_eq!(plain((20, 24, 0), 64, 64), "0 4 8 12 16 24 28 32 36 40 48 52 56 60 ");
        assert_eq!(plain((20, 24, 0), 64, 80), "0 4 8 12 16 24 28 32 36 40 48 52 56 60 0 4 8 12 16 24 ");
        assert_eq!(plain((8, 16, 0), 70, 70), "0 4 16 20 32 36 48 52 64 ");
        assert_eq!(of(Mix::Read, 4, (8, 16, 0), 1, 128, 24), "r0:0 r0:8 r0:16 r0:24 r0:32 r0:40 ");
        assert_eq!(
            of(Mix::Read, 0, (8, 16, 0), 2, 64, 40),
            "r0:0 r1:0 r0:16 r1:4 r0:32 r1:8 r0:48 r1:12 r0:0 r1:0 "
        );
        assert_eq!(of(Mix::TrimWrite, 0, (8, 16, 0), 1, 64, 12), "t0:0 w0:0 t0:16 w0:16 t0:32 w0:32 ");
        // At random: each block of a zone once, again and again until it is time for the next zone.
        let mut random = asked(Mix::Read, Order::Random { run: 1 }, [(4 * K, 4 * K); 3], true, 1);
        random.places.zones = Some(Zones { size: 32 * K, range: 16 * K, skip: 16 * K });
        let region = Region { start: 0, length: 64 * K, ends_file: true };
        let ops = all(General::new(random, &[region], Budget { bytes: 512 * K, ios: u64::MAX, wraps: true }));
        for (number, visit) in ops.chunks(4).enumerate() {
            let mut places: Vec<u64> = visit.iter().map(|op| op.offset / K).collect();
            places.sort_unstable();
            let zone = number as u64 / 2 % 2 * 32;
            assert_eq!(places, [zone, zone + 4, zone + 8, zone + 12]);
        }
        assert_eq!(ops.len(), 128);
    }

    /// fio's number_ios of `trimwrite` is that of pairs, and doubles with each loop: 3, 3 and 6 of them with 1 and 3.
    #[test]
    fn pairs_are_counted_as_fio_counts_them() {
        let asked = asked(Mix::TrimWrite, Order::Sequential { skip: 0 }, [(4 * K, 4 * K); 3], true, 1);
        let region = Region { start: 0, length: 32 * K, ends_file: true };
        let mut general =
            General::new(asked, &[region], Budget { bytes: 3 * 32 * K, ios: 3 * 2, wraps: false });
        let laps = [(); 3].map(|()| {
            let mut ops = [Op::NONE; 64];
            let n = general.fill(&mut ops);
            general.next_lap();
            n
        });
        assert_eq!(laps, [6, 6, 12]);
    }
}
