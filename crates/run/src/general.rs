//! The general pattern: several directions, block sizes, files, holes, sequential runs and syncs; one operation at a
//! time.

mod in_zones;
mod offsets;

use crate::bitmap::Bitmap;
use crate::block::Blocks;
use crate::distribution::Distribution;
use crate::file_selector::{FileAction, FileSelector, NextFile};
use crate::in_flight_ranges::InFlightRanges;
use crate::permute::Permutation;
use crate::random::{below, generator, stream, stream_seed};
use crate::region::{Budget, Region};
use crate::zoned::Zoned;
use engine::{Kind, Op};
use job::distribution::{Law, Places, Sizes, Zones};
use job::job::{FileService, Mix, Order};
use offsets::{UNSTARTED, next_in_line, next_in_zone, places, within};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// Specification of a general pattern.
#[derive(Clone, Debug)]
pub struct GeneralSpec {
    /// Directions and their shares.
    pub mix: Mix,
    /// Sequential or random, with runs and holes.
    pub order: Order,
    /// Smallest and largest block size per direction, bytes.
    pub block: [(u64, u64); 3],
    /// Distribution of block sizes.
    pub sizes: Sizes,
    /// Distribution of random offsets.
    pub places: Places,
    /// Whether each block is visited once per pass.
    pub random_map: bool,
    /// Syncs (fsync, fdatasync, sync_file_range), each with its interval in writes; the first of several due syncs is
    /// issued.
    pub syncs: Vec<(Kind, u64)>,
    /// Flags of sync_file_range (SYNC_FILE_RANGE_*).
    pub range_flags: u8,
    /// Whether an I/O that overlaps an I/O in flight waits until the latter has completed (`serialize_overlap`).
    pub serialize: bool,
    /// Largest number of I/Os in flight.
    pub depth: usize,
    /// Order in which files are served (`file_service_type`).
    pub service: FileService,
    /// Number of files that may be open at a time; 0 if all are open from start to end.
    pub open_files: usize,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Selection of the random blocks of a file.
#[derive(Debug)]
enum Draw {
    /// Independent and uniform.
    Free,
    /// Independent, with a distribution per direction.
    Distributed(Box<[Option<Distribution>; 3]>),
    /// In the order of a repeated list.
    List(BlockList),
    /// Each block once per pass, for one block size or a generator that visits each block once. The number is the
    /// position in the pass.
    Once(Permutation, u64),
    /// Each block once per pass, for several block sizes: one bit per smallest block; an I/O is cut at the next
    /// visited block.
    Map(Bitmap),
}

/// A list of block numbers that is repeated (`random_generator` with a sequence).
#[derive(Debug)]
struct BlockList {
    blocks: Vec<u64>,
    stride: bool,
    /// Position of the next block in the list.
    at: usize,
    /// Offset in blocks that is added to each block number. The offset grows with each repetition if the list is a
    /// stride, otherwise it is 0.
    base: u64,
}

impl BlockList {
    fn next(&mut self) -> u64 {
        let block = self.base.saturating_add(self.blocks[self.at]);
        self.at += 1;
        if self.at == self.blocks.len() {
            self.at = 0;
            self.base += if self.stride { self.blocks.len() as u64 } else { 0 };
        }
        block
    }
}

#[derive(Debug)]
struct File {
    region: Region,
    /// Offset of the first byte of the region in the file. With interleaved blocks, that of the first block of this host, and
    /// the region has the blocks of this host alone and begins at 0.
    base: u64,
    /// End of the last I/O per direction, relative to the region, in bytes; [`UNSTARTED`] before the first of a pass.
    at: [u64; 3],
    /// Start of the last I/O per direction, relative to the region, in bytes; [`UNSTARTED`] before the first of a
    /// pass.
    from: [u64; 3],
    /// Number of bytes beyond the region that a drawn size may reach. An I/O beyond the region ends the pass.
    overdraw: u64,
    /// Number of sequential I/Os left before the next random offset.
    run: u32,
    /// Start of the current zone in bytes, relative to the region; 0 without zones.
    zone: u64,
    /// Offset and length of the last random trim, which is written next.
    trimmed: Option<(u64, u64)>,
    draw: Draw,
}

/// State of a general pattern: one operation is drawn at a time.
#[derive(Debug)]
pub struct General {
    spec: GeneralSpec,
    /// Smallest block size of the directions that occur, in bytes; `largest` is the largest.
    smallest: u64,
    largest: u64,
    /// Distance between two offsets of the file by that in the region: the number of hosts that have its blocks in turn.
    hosts: u64,
    budget: Budget,
    files: Vec<File>,
    selector: FileSelector,
    issued_bytes: u64,
    issued_ios: u64,
    /// Maximum number of bytes of a pass; `in_pass` is the number issued in the current pass.
    pass_bytes: u64,
    in_pass: u64,
    /// Number of bytes since the start of the current zone.
    in_zone: u64,
    writes: u64,
    last_was_sync: bool,
    /// Whether a sync is a batch of its own.
    syncs_alone: bool,
    offsets: Xoshiro256PlusPlus,
    blocks: Blocks,
    coin: Xoshiro256PlusPlus,
    /// Order of reads and writes in the current hundred of I/Os; `tosses` is the number of I/Os drawn from all
    /// hundreds.
    deck: Permutation,
    tosses: u64,
    pick: Xoshiro256PlusPlus,
    passes: u64,
    blocked: bool,
    /// Byte ranges in flight and written, kept for `serialize_overlap` and `sync_file_range`.
    in_flight: Option<InFlightRanges>,
    /// The only direction that may be issued now, in a paced job.
    only: Option<usize>,
    /// An operation that was drawn and is held back because it overlaps an I/O in flight, or because its zone is busy.
    held: Option<Op>,
    /// Rules of zoned devices (`zonemode=zbd`).
    zoned: Option<Box<Zoned>>,
}

impl Draw {
    /// Resets the selection at the start of a pass over `blocks` blocks, none of which was visited.
    fn begin(&mut self, blocks: u64, key: u64) {
        match self {
            Draw::Free | Draw::Distributed(_) => {}
            Draw::List(row) => (row.at, row.base) = (0, 0),
            Draw::Once(order, position) => (*order, *position) = (Permutation::new(blocks, key), 0),
            Draw::Map(map) => map.clear(),
        }
    }
}

impl File {
    /// Moves to the next zone, or to the first after the last one; a sequential run continues at the beginning of the
    /// zone.
    fn next_zone(&mut self, zones: Zones, random: bool) {
        self.zone = self.zone.saturating_add(zones.range).saturating_add(zones.skip);
        if self.zone >= self.region.length {
            self.zone = 0;
        }
        self.at = [if random { self.zone } else { UNSTARTED }; 3];
    }

    /// Returns the direction that comes next in `trimwrite`: a write if the last trim has an offset other than the
    /// last write's, else a trim.
    fn trim_or_write(&self) -> usize {
        if self.trimmed.is_some() || self.from[1] != self.from[2] { 1 } else { 2 }
    }
}

impl General {
    /// Returns the pattern over `regions`, one per file.
    pub fn new(spec: GeneralSpec, regions: &[Region], budget: Budget) -> Self {
        let seed = spec.seed;
        let used =
            || stats::Direction::ALL.iter().filter(|d| spec.mix.has(**d)).map(|d| spec.block[*d as usize]);
        let any = || used().chain(spec.block[..2].iter().copied().filter(|_| spec.sizes.seq_rand));
        let smallest = used().map(|b| b.0).min().unwrap_or(1).max(1);
        let largest = any().map(|b| b.1).max().unwrap_or(1);
        // fio's map uses the smallest block size of all directions, including directions without I/O.
        let unit = spec.block.iter().map(|b| b.0).min().unwrap_or(1).max(1);
        let one_size = any().all(|b| b == (unit, unit));
        let mapped = spec.random_map && matches!(spec.order, Order::Random { .. });
        let file = |region: &Region| {
            // With zones, random I/Os are drawn in the current zone.
            let span = spec.places.zones.map_or(region.length, |zones| zones.range);
            let blocks = span / smallest;
            let distribution = |d: usize| {
                let low = spec.block[d].0;
                let unit = spec.places.unit(d, low);
                // fio numbers the blocks of a distribution by the block size even if their alignment is larger; an
                // offset beyond the end ends the pass.
                let places = match spec.places.law {
                    Law::Zones(_) => places(span, unit, low),
                    _ => span / low.max(1),
                };
                Distribution::new(&spec.places.law, places, unit, span, seed)
            };
            let each_once = one_size || spec.places.each_once;
            let draw = match (&spec.places.law, mapped, each_once) {
                (Law::Sequence { blocks, stride }, false, _) => {
                    Draw::List(BlockList { blocks: blocks.clone(), stride: *stride, at: 0, base: 0 })
                }
                (Law::Even, false, _) => Draw::Free,
                (_, false, _) => Draw::Distributed(Box::new([0, 1, 2].map(distribution))),
                (_, true, true) => Draw::Once(Permutation::new(blocks, seed), 0),
                (_, true, false) => Draw::Map(Bitmap::new(span / unit)),
            };
            File {
                region: *region,
                base: region.start,
                at: [UNSTARTED; 3],
                from: [UNSTARTED; 3],
                overdraw: 0,
                run: 0,
                zone: 0,
                trimmed: None,
                draw,
            }
        };
        let ranges = spec.syncs.iter().any(|(kind, _)| *kind == Kind::SyncRange);
        let picked = generator(seed, stream::FILE);
        let selector = FileSelector::new(spec.service.clone(), regions.len(), spec.open_files, picked);
        let in_flight = (ranges || spec.serialize).then(|| InFlightRanges::new(regions.len(), spec.depth));
        let mut general = Self {
            files: regions.iter().map(file).collect(),
            selector,
            offsets: generator(seed, stream::OFFSET),
            blocks: Blocks::new(spec.block, &spec.sizes, generator(seed, stream::BLOCK)),
            coin: generator(seed, stream::MIX),
            deck: Permutation::new(100, seed),
            tosses: 0,
            pick: generator(seed, stream::FILE),
            smallest,
            largest,
            hosts: 1,
            spec,
            budget,
            issued_bytes: 0,
            issued_ios: 0,
            pass_bytes: u64::MAX,
            in_pass: 0,
            in_zone: 0,
            writes: 0,
            last_was_sync: false,
            syncs_alone: false,
            passes: 0,
            blocked: false,
            only: None,
            in_flight,
            held: None,
            zoned: None,
        };
        general.begin_pass();
        general
    }

    /// Returns the pattern with passes that end after `bytes` bytes.
    pub fn passes_of(self, bytes: u64) -> Self {
        Self { pass_bytes: bytes, ..self }
    }

    /// Returns the pattern over the blocks of one host, which has one of each `hosts` blocks. All blocks have one size, and all
    /// offsets are multiples of it. The regions have the blocks of this host alone and begin at the first of them.
    pub fn interleaved(mut self, hosts: u64) -> Self {
        self.hosts = hosts;
        self.files.iter_mut().for_each(|file| file.region.start = 0);
        self
    }

    /// Returns the pattern with block sizes drawn as if the region of each file were longer by the given number of
    /// bytes. A block that reaches beyond the end of the region then ends the pass and is not drawn again.
    pub fn overdrawing(mut self, bytes: impl Iterator<Item = u64>) -> Self {
        self.files.iter_mut().zip(bytes).for_each(|(file, bytes)| file.overdraw = bytes);
        self
    }

    fn in_order(&self) -> bool {
        matches!(self.spec.order, Order::Sequential { .. })
    }

    /// Replaces an operation that was drawn by the one that is issued, or by none.
    fn account(&mut self, drawn: &Op, issued: Option<&Op>) {
        let bytes = issued.map_or(0, |op| u64::from(op.len));
        self.issued_bytes = self.issued_bytes + bytes - u64::from(drawn.len);
        self.in_pass = self.in_pass + bytes - u64::from(drawn.len);
        self.issued_ios -= u64::from(issued.is_none());
        self.writes -= u64::from(drawn.kind == Kind::Write);
        let Some(op) = issued else { return };
        self.writes += u64::from(op.kind == Kind::Write);
        let file = &mut self.files[op.file as usize];
        let (at, direction) = (op.offset - file.region.start, op.kind as usize);
        file.from[direction] = at;
        file.at[direction] = at + bytes;
        if op.kind != drawn.kind {
            // The read that became a write is drawn again at the same place.
            file.at[0] = file.from[0];
        }
    }

    /// Returns the smallest number of writes after which a sync follows; `None` without syncs.
    pub fn writes_per_sync(&self) -> Option<u64> {
        self.spec.syncs.iter().map(|(_, every)| *every).min()
    }

    /// Makes each sync a batch of its own from now on.
    pub fn fill_syncs_alone(&mut self) {
        self.syncs_alone = true;
    }

    /// Returns the sync that is due before the next write, and its interval in writes.
    fn due_sync(&self) -> Option<(Kind, u64)> {
        let is_due = |n: u64| self.writes > 0 && self.writes.is_multiple_of(n) && !self.last_was_sync;
        self.spec.syncs.iter().find(|(_, every)| is_due(*every)).copied()
    }

    /// Begins a pass over all regions; allocates nothing.
    fn begin_pass(&mut self) {
        self.passes += 1;
        self.in_pass = 0;
        self.last_was_sync = false;
        self.in_zone = 0;
        if let Some(zoned) = &mut self.zoned {
            zoned.begin_pass();
        }
        (0..self.files.len()).for_each(|file| self.begin_file(file));
        // A block of a sequential job may reach beyond the region if the file has room, even the only block.
        let in_line = matches!(self.spec.order, Order::Sequential { .. });
        let room = |region: &Region| if in_line && region.length > 0 { region.room } else { region.length };
        let smallest = self.smallest;
        self.selector.begin_pass(self.files.iter().map(|file| room(&file.region) >= smallest));
    }

    fn begin_file(&mut self, number: usize) {
        let file = &mut self.files[number];
        file.at = [UNSTARTED; 3];
        file.from = [UNSTARTED; 3];
        file.run = 0;
        file.zone = 0;
        file.trimmed = None;
        let span = self.spec.places.zones.map_or(file.region.length, |zones| zones.range);
        let key = self.spec.seed ^ self.passes << 32 ^ self.issued_ios.rotate_right(16);
        file.draw.begin(span / self.smallest, stream_seed(key, stream::OFFSET + 16 + number as u64));
    }

    /// Begins the next pass (`loops`, `time_based`).
    pub fn begin_next_pass(&mut self) {
        if self.spec.mix == Mix::TrimWrite {
            // fio counts `number_ios` in trims: it is doubled for the writes, and once more in each loop.
            self.budget.ios = self.budget.ios.saturating_mul(2);
        }
        self.selector.close_all();
        self.begin_pass();
    }

    /// Returns whether the budget of all passes is used up.
    pub fn is_exhausted(&self) -> bool {
        self.issued_bytes >= self.budget.bytes || self.issued_ios >= self.budget.ios
    }

    /// Closes all open files after the last pass; no I/O may be in flight.
    pub fn close_all_files(&mut self) {
        self.selector.close_all();
    }

    /// Returns whether files are opened and closed while the job runs (`openfiles`).
    pub fn limits_open_files(&self) -> bool {
        self.selector.limits_open_files()
    }

    /// Returns whether the pattern depends on completions, so that [`General::completed`] has to be called.
    pub fn tracks_completions(&self) -> bool {
        self.selector.limits_open_files() || self.in_flight.is_some()
    }

    /// Returns the files to open and to close, in this order, before the operations that were filled last are issued.
    pub fn take_file_actions(&mut self) -> Vec<FileAction> {
        self.selector.take_due()
    }

    /// Records that `op` has completed.
    pub fn completed(&mut self, op: &Op) {
        self.selector.completed(op.file as usize);
        if let Some(in_flight) = &mut self.in_flight {
            in_flight.completed(op);
        }
    }

    /// Returns whether no operation could be filled because no further file may be open, or because the next I/O
    /// overlaps an I/O in flight.
    pub fn blocked(&self) -> bool {
        self.blocked
    }

    /// Fills `ops` with the next operations; see [`crate::pattern::Pattern::fill`].
    #[inline(never)]
    pub fn fill(&mut self, ops: &mut [Op]) -> usize {
        let mut n = 0;
        while n < ops.len() {
            match self.next() {
                Some(op) => ops[n] = Op { slot: ops[n].slot, ..op },
                None => break,
            }
            n += 1;
            if self.syncs_alone && (self.last_was_sync || self.due_sync().is_some()) {
                break;
            }
        }
        n
    }

    fn next(&mut self) -> Option<Op> {
        let mut fresh_pass = false;
        self.blocked = false;
        if let Some(op) = self.held.take() {
            return self.issue_or_hold(op);
        }
        loop {
            if self.issued_bytes >= self.budget.bytes || self.issued_ios >= self.budget.ios {
                return None;
            }
            // fio checks for a due sync before it selects a block: no sync follows the last write of a budget, and
            // one more sync is issued when the region starts again.
            let due = self.due_sync();
            let next =
                if self.in_pass >= self.pass_bytes { NextFile::Exhausted } else { self.selector.next() };
            let file = match (next, due) {
                (NextFile::File(file), Some((kind, _))) => {
                    self.last_was_sync = true;
                    self.selector.count_io();
                    return Some(self.sync(kind, file as u32));
                }
                (NextFile::File(file), None) => file,
                (NextFile::AllBusy, _) => {
                    self.blocked = true;
                    return None;
                }
                (NextFile::Exhausted, _) => {
                    // fio begins a pass only if at least one whole block is left in the budget.
                    let left = self.budget.bytes - self.issued_bytes;
                    if !self.budget.wraps || fresh_pass || left < self.largest {
                        return None;
                    }
                    self.begin_pass();
                    fresh_pass = true;
                    continue;
                }
            };
            let trim_writes = self.spec.mix == Mix::TrimWrite;
            let direction = if trim_writes { self.files[file].trim_or_write() } else { self.direction() };
            match self.draw(file, direction) {
                Some((offset, len)) => {
                    self.last_was_sync = false;
                    // A block that is trimmed before it is written counts once.
                    self.issued_bytes += if trim_writes && direction == 2 { 0 } else { len };
                    self.issued_ios += 1;
                    self.in_pass += len;
                    self.in_zone += len;
                    self.writes += u64::from(direction == 1);
                    self.selector.count_io();
                    let kind = [Kind::Read, Kind::Write, Kind::Trim][direction];
                    let offset = self.files[file].base + offset * self.hosts;
                    return self.issue_or_hold(Op {
                        offset,
                        len: len as u32,
                        file: file as u32,
                        kind,
                        ..Op::NONE
                    });
                }
                None => {
                    let fresh = self.files[file].at == [UNSTARTED; 3];
                    if self.selector.end_of_file(fresh) {
                        self.begin_file(file);
                    }
                }
            }
        }
    }

    /// Returns `op` to be issued, or `None` if it overlaps an I/O in flight and is held back.
    fn issue_or_hold(&mut self, op: Op) -> Option<Op> {
        if let Some(in_flight) = &mut self.in_flight {
            if self.spec.serialize && in_flight.overlaps(&op) {
                (self.held, self.blocked) = (Some(op), true);
                return None;
            }
            in_flight.issue(&op);
        }
        Some(op)
    }

    fn sync(&mut self, kind: Kind, file: u32) -> Op {
        let range = self.in_flight.as_mut().and_then(|in_flight| in_flight.sync(file));
        match kind {
            Kind::SyncRange => Op::sync_range(file, range, self.spec.range_flags),
            kind => Op { kind, file, ..Op::NONE },
        }
    }

    /// Restricts the following operations to one direction, or ends the restriction.
    pub fn restrict_to(&mut self, direction: Option<usize>) {
        self.only = direction;
    }

    fn direction(&mut self) -> usize {
        match self.spec.mix {
            Mix::ReadWrite { .. } if self.only.is_some() => self.only.unwrap_or_default(),
            Mix::Read => 0,
            Mix::Write => 1,
            Mix::Trim => 2,
            Mix::ReadWrite { reads } => {
                // A shuffled deck of a hundred: the share is exact per hundred; fio's corrected coin is almost exact.
                let at = self.tosses % 100;
                if at == 0 {
                    self.deck = Permutation::new(100, self.coin.next_u64());
                }
                self.tosses += 1;
                usize::from(self.deck.at(at) >= u64::from(reads))
            }
            // `File::trim_or_write` selects the direction instead.
            Mix::TrimWrite => 1,
            // A trace has a pattern of its own.
            Mix::Replayed(_) => 0,
        }
    }

    /// Returns the offset in the region and the length of the file's next I/O, in bytes; `None` at the end of the
    /// file's pass.
    fn draw(&mut self, file: usize, direction: usize) -> Option<(u64, u64)> {
        let (low, blocks) = (self.spec.block[direction].0, &mut self.blocks);
        let alone = self.files.len() == 1;
        let f = &mut self.files[file];
        let (length, overdraw) = (f.region.length, f.overdraw);
        let zones = self.spec.places.zones;
        if let Some(zones) = zones
            && self.in_zone >= zones.size
        {
            self.in_zone = 0;
            let key = self.offsets.next_u64();
            f.next_zone(zones, matches!(self.spec.order, Order::Random { .. }));
            f.draw.begin(zones.range / self.smallest, key);
        }
        let (zone, span) = (f.zone, zones.map_or(length, |zones| zones.range));
        let trim_writes = self.spec.mix == Mix::TrimWrite;
        if let Some(trimmed) = f.trimmed.take() {
            f.from[1] = f.from[2];
            return Some(trimmed);
        }
        let size = |blocks: &mut Blocks, random, left: u64| {
            let len = blocks.draw(direction, random, left.saturating_add(overdraw));
            (len <= left).then_some(len)
        };
        match self.spec.order {
            Order::Sequential { skip } => {
                let low = blocks.low(direction, false);
                // Blocks of one size may reach beyond the region if the file has room.
                let fits = if blocks.has_one_size(direction, false) { f.region.room } else { length };
                let at = match zones {
                    None => next_in_line(f.at[direction], f.region, skip)?,
                    Some(_) => next_in_zone(f.at[direction], zone..zone.saturating_add(span), skip)?,
                };
                if at >= length || fits.checked_sub(at)? < low {
                    return None;
                }
                let len = size(blocks, false, fits - at)?;
                f.from[direction] = at;
                f.at[direction] = at + len;
                Some((at, len))
            }
            Order::Random { run } => {
                // The writes count too; they follow the trims to the same offsets.
                let run = if trim_writes && run.is_multiple_of(2) { run / 2 } else { run };
                let ordered = u64::from(self.spec.places.ordered[direction]);
                let follows = ordered > 0 && below(self.pick.next_u64(), 100) < ordered;
                let mut at = f.at[direction];
                if at != UNSTARTED && f.run > 0 && self.spec.places.identical {
                    at = f.from[direction];
                }
                if follows && at == UNSTARTED {
                    at = 0;
                }
                let fits = at <= length && length - at >= blocks.low(direction, false);
                // A sequential run that reaches less than a block before the end ends the pass of a job with one
                // file, as in fio; with several files (684 I/Os of 12k in 8200k, always) it ends only the run. A
                // sequential pattern ends with its file.
                if !fits && at != UNSTARTED && (ordered == 100 || f.run > 0 && at < length && alone) {
                    return None;
                }
                if (f.run > 0 || follows) && fits {
                    f.run = f.run.saturating_sub(1);
                    let len = size(blocks, false, length - at)?;
                    f.from[direction] = at;
                    f.at[direction] = at + len;
                    f.trimmed = trim_writes.then_some((at, len));
                    return Some((at, len));
                }
                let random = self.offsets.next_u64();
                let (at, len) = match &mut f.draw {
                    Draw::Free => {
                        let unit = self.spec.places.unit(direction, low);
                        let mut places = places(span, unit, blocks.low(direction, true));
                        if self.spec.places.each_once {
                            // fio's lfsr numbers offsets in blocks even if their alignment is smaller.
                            places = places.min(span / low);
                        }
                        if places == 0 {
                            return None;
                        }
                        let at = within(zone + below(random, places) * unit, low, length)?;
                        (at, size(blocks, true, length - at)?)
                    }
                    Draw::Distributed(distributions) => {
                        let unit = self.spec.places.unit(direction, low);
                        let at = zone + distributions[direction].as_ref()?.next(&mut self.offsets) * unit;
                        let at = within(at, low, length)?;
                        (at, size(blocks, true, length - at)?)
                    }
                    Draw::List(row) => {
                        let unit = self.spec.places.unit(direction, low);
                        let at = within(zone.saturating_add(row.next().saturating_mul(unit)), low, length)?;
                        (at, size(blocks, true, length - at)?)
                    }
                    Draw::Once(order, i) => {
                        // A zone may be visited completely several times before the next zone begins.
                        if *i >= span / low && zones.is_some() && alone && span >= low {
                            (*order, *i) = (Permutation::new(span / low, random), 0);
                        }
                        if *i >= span / low {
                            return None;
                        }
                        *i += 1;
                        let at = within(zone + order.at(*i - 1) * low, low, length)?;
                        (at, size(blocks, true, length - at)?)
                    }
                    Draw::Map(map) => {
                        let mut found = map.find(random, span, low);
                        if found.is_none() && zones.is_some() && alone && span >= low {
                            map.clear();
                            found = map.find(random, span, low);
                        }
                        let at = within(zone + found?, low, length)?;
                        let len = size(blocks, true, length - at)?;
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

#[cfg(test)]
mod tests;
