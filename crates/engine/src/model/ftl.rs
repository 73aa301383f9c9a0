//! The flash translation layer of a simulated SSD: a page map, over-provisioned blocks that are erased as a whole, and
//! greedy garbage collection in the foreground.
//!
//! Writes of the host and pages that the collection moves go to different open blocks. A write that needs a new block
//! while only one erased block is left waits until the collection has erased another one; the victim is always the
//! block with the fewest valid pages. Nothing is collected in idle time.
//!
//! Memory: 4 bytes per logical page, 4 bytes per physical page and 16 bytes per block, so 2.3 MB per GiB of 4 KiB
//! pages in blocks of 256 with 15 % over-provisioning.

use crate::Ticks;
use std::ops::Range;

/// Geometry and times of simulated flash.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlashRules {
    /// Physical space beyond the logical size, as a share of the logical size. At least [`SPARE_BLOCKS`] blocks.
    pub over_provisioning: f64,
    /// Pages of an erase block.
    pub block_pages: u32,
    /// Bytes of a page.
    pub page: u32,
    /// Time in nanoseconds to program a page.
    pub program: Ticks,
    /// Time in nanoseconds to read a page.
    pub read: Ticks,
    /// Time in nanoseconds to erase a block.
    pub erase: Ticks,
}

/// Smallest number of physical blocks beyond those of the logical size: the two open blocks, the erased block that the
/// collection needs, and one with invalid pages for it to find.
pub const SPARE_BLOCKS: u64 = 4;

/// Largest number of logical or physical pages of a simulated device: the maps then take 2 GiB.
pub const MOST_PAGES: u64 = 1 << 28;

/// Counters of a simulated SSD since its first use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlashCounters {
    /// Pages that the host wrote.
    pub host_pages: u64,
    /// Pages that were programmed: those of the host, and those that the collection moved.
    pub nand_pages: u64,
    /// Blocks that were erased.
    pub erases: u64,
    /// Mapped pages that the host trimmed.
    pub trimmed_pages: u64,
}

impl FlashCounters {
    /// Returns the counts since `earlier`.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            host_pages: self.host_pages - earlier.host_pages,
            nand_pages: self.nand_pages - earlier.nand_pages,
            erases: self.erases - earlier.erases,
            trimmed_pages: self.trimmed_pages - earlier.trimmed_pages,
        }
    }

    /// Returns the write amplification, pages programmed per page of the host; `None` if the host wrote none.
    pub fn amplification(&self) -> Option<f64> {
        (self.host_pages > 0).then(|| self.nand_pages as f64 / self.host_pages as f64)
    }
}

/// Page or block that does not exist.
const NONE: u32 = u32::MAX;

/// An open block, which is written from its first page to its last.
#[derive(Clone, Copy, Debug)]
struct Frontier {
    /// Next physical page.
    next: u32,
    /// Pages left in the block; 0 if a new block is needed.
    left: u32,
}

/// Translation layer of a simulated SSD.
#[derive(Clone, Debug)]
pub struct Ftl {
    rules: FlashRules,
    /// Physical page of each logical page.
    physical: Vec<u32>,
    /// Logical page of each physical page that holds valid data.
    logical: Vec<u32>,
    /// Number of valid pages of each block.
    valid: Vec<u32>,
    /// Full blocks by their number of valid pages.
    full: BlocksByValid,
    erased: Vec<u32>,
    host: Frontier,
    moved: Frontier,
    counters: FlashCounters,
}

impl Ftl {
    /// Returns an SSD of `bytes` bytes on which nothing is written; `None` if it has more than [`MOST_PAGES`] pages.
    pub fn new(rules: FlashRules, bytes: u64) -> Option<Self> {
        let (page, block) = (u64::from(rules.page.max(1)), u64::from(rules.block_pages.max(1)));
        let pages = bytes.div_ceil(page).max(1);
        let with_spare = (pages as f64 * (1.0 + rules.over_provisioning) / block as f64).round() as u64;
        let blocks = with_spare.max(pages.div_ceil(block) + SPARE_BLOCKS);
        if blocks.saturating_mul(block) > MOST_PAGES {
            return None;
        }
        let closed = Frontier { next: 0, left: 0 };
        Some(Self {
            rules: FlashRules { page: page as u32, block_pages: block as u32, ..rules },
            physical: vec![NONE; pages as usize],
            logical: vec![NONE; (blocks * block) as usize],
            valid: vec![0; blocks as usize],
            full: BlocksByValid::new(blocks as usize, block as usize),
            erased: (0..blocks as u32).rev().collect(),
            host: closed,
            moved: closed,
            counters: FlashCounters::default(),
        })
    }

    /// Returns the rules and the number of logical pages.
    pub fn geometry(&self) -> (FlashRules, u64) {
        (self.rules, self.physical.len() as u64)
    }

    /// Returns the number of physical pages.
    pub fn physical_pages(&self) -> u64 {
        self.logical.len() as u64
    }

    /// Returns the counters since the first use.
    pub fn counters(&self) -> FlashCounters {
        self.counters
    }

    /// Returns the number of full blocks and the number of their valid pages.
    pub fn full_blocks(&self) -> (u64, u64) {
        let (mut blocks, mut pages) = (0, 0);
        for (valid, count) in self.full.counts() {
            (blocks, pages) = (blocks + count, pages + count * valid);
        }
        (blocks, pages)
    }

    /// Writes `bytes` bytes at byte `place`, and returns the time in nanoseconds that the flash takes, collection
    /// included. A page that is written in part is read before.
    pub fn write(&mut self, place: u64, bytes: u64) -> Ticks {
        let page = u64::from(self.rules.page);
        let touched = self.pages(place / page, place.saturating_add(bytes).div_ceil(page));
        let whole = self.pages(place.div_ceil(page), place.saturating_add(bytes) / page);
        let mut nanos = 0;
        for logical in touched.clone() {
            if !whole.contains(&logical) && self.physical[logical] != NONE {
                nanos += self.rules.read;
            }
            nanos += self.write_page(logical as u32);
        }
        nanos
    }

    /// Reads `bytes` bytes at byte `place`, and returns the time in nanoseconds; pages that hold no data take none.
    pub fn read(&self, place: u64, bytes: u64) -> Ticks {
        let page = u64::from(self.rules.page);
        let touched = self.pages(place / page, place.saturating_add(bytes).div_ceil(page));
        self.physical[touched].iter().filter(|page| **page != NONE).count() as Ticks * self.rules.read
    }

    /// Forgets the data of all whole pages among `bytes` bytes at byte `place`.
    pub fn trim(&mut self, place: u64, bytes: u64) {
        let page = u64::from(self.rules.page);
        for logical in self.pages(place.div_ceil(page), place.saturating_add(bytes) / page) {
            self.counters.trimmed_pages += u64::from(self.invalidate(logical as u32));
        }
    }

    /// Returns the pages from `first` to before `end` that exist.
    fn pages(&self, first: u64, end: u64) -> Range<usize> {
        let all = self.physical.len() as u64;
        let end = end.min(all);
        first.min(end) as usize..end as usize
    }

    fn write_page(&mut self, logical: u32) -> Ticks {
        let mut nanos = self.rules.program;
        if self.host.left == 0 {
            // The last erased block is left to the collection.
            while self.erased.len() < 2 {
                match self.collect() {
                    Some(more) => nanos += more,
                    None => break,
                }
            }
            self.host = self.open();
        }
        // Pages become invalid after the collection, which may have moved this one.
        self.invalidate(logical);
        self.host = self.put(self.host, logical);
        self.counters.host_pages += 1;
        nanos
    }

    /// Erases the full block with the fewest valid pages, after these were moved; returns the time in nanoseconds,
    /// `None` if no block is full.
    fn collect(&mut self) -> Option<Ticks> {
        let victim = self.full.take_least()?;
        let first = victim as usize * self.rules.block_pages as usize;
        let mut moved = 0;
        for page in first..first + self.rules.block_pages as usize {
            let logical = std::mem::replace(&mut self.logical[page], NONE);
            if logical == NONE {
                continue;
            }
            if self.moved.left == 0 {
                self.moved = self.open();
            }
            self.moved = self.put(self.moved, logical);
            moved += 1;
        }
        self.valid[victim as usize] = 0;
        self.erased.push(victim);
        self.counters.erases += 1;
        Some(moved * (self.rules.read + self.rules.program) + self.rules.erase)
    }

    fn open(&mut self) -> Frontier {
        // `SPARE_BLOCKS` leaves an erased block for each caller.
        let block = self.erased.pop().unwrap_or_default();
        Frontier { next: block * self.rules.block_pages, left: self.rules.block_pages }
    }

    /// Programs the next page of an open block with the data of `logical`.
    fn put(&mut self, at: Frontier, logical: u32) -> Frontier {
        let block = at.next / self.rules.block_pages;
        self.logical[at.next as usize] = logical;
        self.physical[logical as usize] = at.next;
        self.valid[block as usize] += 1;
        self.counters.nand_pages += 1;
        if at.left == 1 {
            self.full.add(block, self.valid[block as usize]);
        }
        Frontier { next: at.next + 1, left: at.left - 1 }
    }

    /// Returns whether the page held data, which is invalid from now on.
    fn invalidate(&mut self, logical: u32) -> bool {
        let physical = std::mem::replace(&mut self.physical[logical as usize], NONE);
        if physical == NONE {
            return false;
        }
        self.logical[physical as usize] = NONE;
        let block = physical / self.rules.block_pages;
        let valid = &mut self.valid[block as usize];
        *valid -= 1;
        let open = |at: Frontier| at.left > 0 && at.next / self.rules.block_pages == block;
        if !open(self.host) && !open(self.moved) {
            self.full.lose_one(block, *valid + 1);
        }
        true
    }
}

/// Full blocks in one doubly linked list per number of valid pages, so that each change takes constant time.
#[derive(Clone, Debug)]
struct BlocksByValid {
    /// First block of each list.
    heads: Vec<u32>,
    /// Previous and next block in the list of each block.
    links: Vec<[u32; 2]>,
    /// No list before this one has a block.
    least: usize,
}

impl BlocksByValid {
    fn new(blocks: usize, pages: usize) -> Self {
        Self { heads: vec![NONE; pages + 1], links: vec![[NONE; 2]; blocks], least: pages }
    }

    fn add(&mut self, block: u32, valid: u32) {
        let next = std::mem::replace(&mut self.heads[valid as usize], block);
        self.links[block as usize] = [NONE, next];
        if next != NONE {
            self.links[next as usize][0] = block;
        }
        self.least = self.least.min(valid as usize);
    }

    fn remove(&mut self, block: u32, valid: u32) {
        let [before, next] = self.links[block as usize];
        match before {
            NONE => self.heads[valid as usize] = next,
            before => self.links[before as usize][1] = next,
        }
        if next != NONE {
            self.links[next as usize][0] = before;
        }
    }

    /// Moves a block to the list of one valid page less than `valid`.
    fn lose_one(&mut self, block: u32, valid: u32) {
        self.remove(block, valid);
        self.add(block, valid - 1);
    }

    /// Takes out a block with the fewest valid pages.
    fn take_least(&mut self) -> Option<u32> {
        let more = self.heads[self.least..].iter().position(|head| *head != NONE)?;
        self.least += more;
        let block = self.heads[self.least];
        self.remove(block, self.least as u32);
        Some(block)
    }

    /// Returns each number of valid pages with the number of blocks that have it.
    fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.heads.iter().enumerate().map(|(valid, head)| {
            let next = |block: &u32| Some(self.links[*block as usize][1]).filter(|next| *next != NONE);
            let blocks = std::iter::successors(Some(*head).filter(|head| *head != NONE), next);
            (valid as u64, blocks.count() as u64)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::unit;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// A small drive on which programming a page takes 1 ns, and nothing else takes time.
    fn drive(over_provisioning: f64, pages: u64) -> Ftl {
        let (block_pages, page) = (32, 4096);
        let rules = FlashRules { over_provisioning, block_pages, page, program: 1, read: 0, erase: 0 };
        Ftl::new(rules, pages * u64::from(page)).unwrap()
    }

    /// Writes `count` uniformly random pages of the first `pages`, and returns the write amplification.
    fn scatter(ftl: &mut Ftl, random: &mut Xoshiro256PlusPlus, pages: u64, count: u64) -> f64 {
        let before = ftl.counters();
        for _ in 0..count {
            ftl.write((unit(random.next_u64()) * pages as f64) as u64 * 4096, 4096);
        }
        ftl.counters().since(&before).amplification().unwrap()
    }

    /// Write amplification of greedy collection in steady state under uniformly random writes, with `ratio` physical
    /// pages per logical page, in blocks of `b` pages, on a drive of many blocks.
    ///
    /// Each valid page of a block is overwritten at the same rate, so the share of blocks with j valid pages is
    /// proportional to 1/j from b down to the victims' level (J. T. Robinson, "Analysis of steady-state segment
    /// storage utilizations in a log-structured file system with least-utilized segment cleaning", 1996; P. Desnoyers,
    /// "Analytic models of SSD write performance", ACM Trans. Storage 10(2), 2014). A share q of the victims has
    /// reached level m - 1, the others are taken from level m. The shares add up to one:
    /// b (H_b - H_m + q/m) = ratio (b - m + q). For large b this is ln(1/u) = ratio (1 - u) with u = m/b, the equation
    /// that X. Luojie and B. Kurkoski solve by Lambert's W ("An improved analytic expression for write amplification
    /// in NAND flash", 2012).
    fn closed_form(ratio: f64, b: u32) -> f64 {
        let b = f64::from(b);
        let (mut m, mut sum) = (b, 0.0);
        loop {
            let q = (ratio * (b - m) - b * sum) / (b / m - ratio);
            if m < b && (0.0..1.0).contains(&q) {
                return b / (b - m + q);
            }
            sum += 1.0 / m;
            m -= 1.0;
            assert!(m > 0.0, "no level fits {ratio}");
        }
    }

    /// Three over-provisionings, each after two passes of random writes over a full drive; and writes in order, which
    /// leave whole blocks invalid.
    #[test]
    fn write_amplification_is_that_of_greedy_collection() {
        const PAGES: u64 = 100_000;
        for op in [0.07, 0.15, 0.28] {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut ftl = drive(op, PAGES);
            for page in (0..PAGES).chain(0..PAGES).chain(0..PAGES) {
                ftl.write(page * 4096, 4096);
            }
            assert_eq!(ftl.counters().amplification(), Some(1.0), "in order");
            assert!(ftl.counters().erases > 0);
            scatter(&mut ftl, &mut random, PAGES, 2 * PAGES);
            let found = scatter(&mut ftl, &mut random, PAGES, 2 * PAGES);
            let ratio = ftl.physical_pages() as f64 / PAGES as f64;
            let expected = closed_form(ratio, 32);
            assert!((found / expected - 1.0).abs() < 0.02, "{op}: {found} instead of {expected}");
            // Half of the drive is trimmed: the other half has more than twice the space.
            ftl.trim(PAGES / 2 * 4096, PAGES / 2 * 4096);
            scatter(&mut ftl, &mut random, PAGES / 2, PAGES);
            let trimmed = scatter(&mut ftl, &mut random, PAGES / 2, PAGES);
            let expected = closed_form(2.0 * ratio, 32);
            assert!(
                (trimmed / expected - 1.0).abs() < 0.02,
                "{op}: {trimmed} instead of {expected} after trims"
            );
        }
    }

    /// The maps stay inverse to each other under any writes and trims, on the smallest drive as well, and each page
    /// takes its time.
    #[test]
    fn pages_survive_collection_and_are_timed() {
        for pages in [1u64, 31, 32, 33, 200] {
            let rules = FlashRules {
                over_provisioning: 0.0,
                block_pages: 32,
                page: 4096,
                program: 1000,
                read: 10,
                erase: 7,
            };
            let mut ftl = Ftl::new(rules, pages * 4096).unwrap();
            let mut random = Xoshiro256PlusPlus::seed_from_u64(pages);
            let mut holds = vec![false; pages as usize];
            let mut nanos = 0;
            for _ in 0..5000 {
                let first = unit(random.next_u64()) * pages as f64;
                let count = (unit(random.next_u64()) * 5.0) as usize;
                let whole = first as usize..(first as usize + count).min(pages as usize);
                let (place, bytes) = (first as u64 * 4096, count as u64 * 4096);
                if random.next_u64().is_multiple_of(4) {
                    ftl.trim(place, bytes);
                    holds[whole].fill(false);
                } else {
                    nanos += ftl.write(place, bytes);
                    holds[whole].fill(true);
                }
            }
            for (page, holds) in holds.iter().enumerate() {
                let physical = ftl.physical[page];
                assert_eq!(physical != NONE, *holds, "page {page} of {pages}");
                assert_eq!(ftl.read(page as u64 * 4096, 4096), if *holds { 10 } else { 0 });
                assert!(!*holds || ftl.logical[physical as usize] == page as u32);
            }
            let valid = holds.iter().filter(|holds| **holds).count();
            assert_eq!(ftl.logical.iter().filter(|page| **page != NONE).count(), valid);
            assert_eq!(ftl.valid.iter().sum::<u32>() as usize, valid);
            let FlashCounters { host_pages, nand_pages, erases, .. } = ftl.counters();
            assert_eq!(nanos, nand_pages * 1000 + (nand_pages - host_pages) * 10 + erases * 7);
            // A part of a page is a whole page to the flash, which is read before if it holds data.
            ftl.trim(0, 4096);
            let before = ftl.counters();
            let (first, second) = (ftl.write(100, 512), ftl.write(100, 512));
            let moved = ftl.counters().since(&before);
            assert_eq!((moved.host_pages, ftl.read(4095, 1)), (2, 10));
            let collection = (moved.nand_pages - 2) * 1010 + moved.erases * 7;
            assert_eq!(first + second, 2 * 1000 + 10 + collection);
            let trimmed = ftl.counters().trimmed_pages;
            ftl.trim(100, 4095);
            assert_eq!(ftl.counters().trimmed_pages, trimmed, "a part of a page keeps its data");
        }
    }

    #[test]
    fn a_drive_beyond_the_maps_is_refused() {
        let rules = drive(0.07, 1).rules;
        assert!(Ftl::new(rules, (MOST_PAGES + 1) * 4096).is_none());
        assert!(Ftl::new(rules, u64::MAX).is_none());
    }
}
