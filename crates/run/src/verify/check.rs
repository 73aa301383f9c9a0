//! Check of a block that was read, and the kind of damage of a block that does not contain what it should.

use super::checksum::{MOST, crc32c, real_sha512, store};
use super::contents::{Contents, first_difference, tile};
use super::header::{Header, Layout, MAGIC};
use super::trimmed;
use super::written::{Expected, is_trim};
use job::verify::{Checksum, HEADER, Method, VerifySpec};
use stats::verification::{Damage, Fault};

/// Size of a sector in bytes, the unit of a torn write.
pub(super) const SECTOR: usize = 512;
/// Largest number of bits that differ in a block whose damage counts as flipped bits. In a sector of another write, the
/// marks alone differ in about 64 bits.
pub(super) const FLIPPED: u32 = 16;

/// A block that was read, one interval between two headers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// Offset in the file in bytes.
    pub(crate) offset: u64,
    /// Position in the I/O in bytes.
    pub(crate) at: usize,
    /// Number that stands for the file in seeds.
    pub(crate) key: u32,
    /// Such numbers of all files of the job.
    pub(crate) keys: &'a [u32],
    /// What the block has to contain; `None` if an earlier run wrote it.
    pub(crate) expected: Option<Expected<'a>>,
}

/// A block that failed a check.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) fault: Fault,
    pub(crate) damage: Damage,
    /// The data that the block should contain, if it is known.
    pub(crate) wanted: Option<Vec<u8>>,
}

/// Result of the check of a block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The block contains what it should.
    Good,
    /// The block was written while it was read, or its content is not known.
    Unjudged,
    /// The block is damaged.
    Bad(Box<Found>),
}

/// Checks the blocks of one job.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(super) method: Method,
    pub(super) layout: Layout,
    /// Distance between two headers in bytes.
    interval: usize,
    pub(super) contents: Contents,
    /// Whether the data is that of an earlier run, which may have written more than this one draws (`loops`, writes that
    /// a saved state does not cover): a later write than the expected one is right, too.
    only: bool,
    /// Whether seeds are compared in data of an earlier run (`verify_only`): with a saved state of that run, unless
    /// `verify_header_seed=0`; not where several clones wrote, whose order is not known.
    checks_seeds: bool,
    /// Whether trimmed blocks have to contain only zeros.
    pub(super) zeros: bool,
    /// Number of bytes that are written at once: of writes that overlap in time, each such piece is that of one write.
    piece: usize,
}

impl Checker {
    /// Returns the checker. `mapped` tells that writes are copies into mapped memory, which mix byte by byte.
    pub(crate) fn new(spec: &VerifySpec, contents: Contents, knows_writes: bool, mapped: bool) -> Self {
        let checksum = if let Method::Header(checksum) = spec.method { checksum } else { Checksum::None };
        let layout = Layout { checksum, at: spec.offset as usize };
        Self {
            method: spec.method,
            layout,
            interval: spec.interval as usize,
            contents,
            only: spec.only,
            checks_seeds: spec.seed && knows_writes,
            zeros: spec.trims.is_some_and(|trims| trims.zeros),
            piece: if mapped { 1 } else { SECTOR },
        }
    }

    pub(crate) fn contents(&self) -> &Contents {
        &self.contents
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn interval(&self) -> usize {
        self.interval
    }

    pub(crate) fn method(&self) -> Method {
        self.method
    }

    /// Checks one block; the header of a good block with `verify_offset` is moved to its beginning.
    pub(crate) fn check(&self, part: &mut [u8], place: Place<'_>) -> Verdict {
        match (self.method, place.expected) {
            (Method::Null, _) => return Verdict::Good,
            (_, Some(Expected::Unknown | Expected::Changing)) => return Verdict::Unjudged,
            (_, Some(Expected::Write(write))) if is_trim(write) => return self.check_trimmed(part, &place),
            (_, Some(Expected::AnyOf(writes))) if writes.iter().any(|write| is_trim(*write)) => {
                if !self.zeros {
                    return Verdict::Unjudged;
                }
                if trimmed::first_set(part).is_none() {
                    return Verdict::Good;
                }
            }
            _ => {}
        }
        if let Method::Header(_) = self.method {
            self.layout.swap(part);
        }
        let Some(fault) = self.first_fault(part, &place) else { return Verdict::Good };
        if let Some(Expected::AnyOf(writes)) = place.expected
            && self.is_mixed(part, &place, writes)
        {
            return Verdict::Unjudged;
        }
        let wanted = self.wanted(part, &place);
        // Damage is judged as the block lies on the device.
        let header = part.first_chunk::<HEADER>().copied().unwrap_or([0; HEADER]);
        let mut raw_wanted = wanted.clone();
        if let Method::Header(_) = self.method {
            self.layout.swap(part);
            raw_wanted.iter_mut().for_each(|wanted| self.layout.swap(wanted));
        }
        let damage = self.damage(part, &header, &place, raw_wanted.as_deref());
        Verdict::Bad(Box::new(Found { fault, damage, wanted }))
    }

    /// Returns the first check that the block fails, in fio's order.
    #[inline]
    fn first_fault(&self, part: &[u8], place: &Place<'_>) -> Option<Fault> {
        let Method::Header(checksum) = self.method else { return self.pattern_fault(part, 0, place) };
        let fields = part.first_chunk::<HEADER>()?;
        let header = Header::read(fields);
        if header.magic != MAGIC {
            return Some(Fault::Magic { found: header.magic });
        }
        if header.length as usize != self.interval {
            return Some(Fault::Length { found: header.length, wanted: self.interval as u32 });
        }
        if let Some(wanted) = self.wrong_seed(&header, place) {
            return Some(Fault::Seed { found: header.seed, wanted });
        }
        if header.offset != place.offset {
            return Some(Fault::Offset { found: header.offset, wanted: place.offset });
        }
        let calculated = crc32c(&fields[..HEADER - 4]);
        if header.crc != calculated {
            return Some(Fault::Header { found: header.crc, calculated });
        }
        if checksum == Checksum::Pattern {
            return self.pattern_fault(part, self.layout.head(), place);
        }
        let (head, data) = part.split_at(self.layout.head());
        let mut sum = [0; MOST];
        let sum = &mut sum[..checksum.size()];
        store(checksum, data, sum);
        let weak = checksum == Checksum::Sha512
            && header.is_ours()
            && header.checksum == checksum as u16
            && header.strong != real_sha512(data);
        let kinds = (header.checksum != checksum as u16).then_some((header.checksum, checksum as u16));
        (weak || head[HEADER..] != *sum || kinds.is_some()).then(|| Fault::Checksum {
            name: checksum.name().to_owned(),
            stored: head[HEADER..].to_vec(),
            calculated: sum.to_vec(),
            kinds,
        })
    }

    /// Returns the seed of the last write if the header has another one.
    fn wrong_seed(&self, header: &Header, place: &Place<'_>) -> Option<u64> {
        let seed = |write: u32| u64::from(place.key) << 32 | u64::from(write);
        let (wanted, right) = match place.expected? {
            Expected::Write(write) => {
                let later = self.only && header.key() == place.key && header.write() > write;
                (seed(write), header.seed == seed(write) || later)
            }
            Expected::AnyOf(writes) => {
                (seed(*writes.last()?), writes.iter().any(|write| header.seed == seed(*write)))
            }
            Expected::Unknown | Expected::Changing => return None,
        };
        if self.only && !self.checks_seeds {
            return None;
        }
        let right = match self.contents.run() {
            Some(run) => right && header.run == run,
            // fio draws other seeds: its blocks are checked by their checksums.
            None => right || !header.is_ours(),
        };
        (!right).then_some(wanted)
    }

    fn pattern_fault(&self, part: &[u8], from: usize, place: &Place<'_>) -> Option<Fault> {
        let difference =
            |at: usize| first_difference(self.contents.pattern(), part, from, (at, place.offset));
        let (at, wanted) = difference(place.at)?;
        // The block may have another position in the I/O that wrote it.
        if self.contents.positions().any(|at| difference(at).is_none()) {
            return None;
        }
        Some(Fault::Pattern { found: part[at], wanted, at: at as u32, alone: from == 0 })
    }

    /// Returns a block made again from its seed, with its header at the beginning.
    fn made(&self, seed: u64, run: u32, place: &Place<'_>, position: usize) -> Vec<u8> {
        let mut block = self.contents.expected(self.interval, position, place.offset, seed, run);
        if let Method::Header(_) = self.method {
            Layout { at: 0, ..self.layout }.stamp(self.interval as u32, seed, place.offset, run, &mut block);
        }
        block
    }

    /// Returns whether each sector of the block, or each byte in mapped memory, is that of one of the writes, which
    /// overlapped in time.
    fn is_mixed(&self, part: &[u8], place: &Place<'_>, writes: &[u32]) -> bool {
        let made: Vec<Vec<u8>> = writes
            .iter()
            .flat_map(|write| self.contents.positions().map(|at| self.remade(*write, 0, place, at)))
            .collect();
        part.chunks(self.piece).enumerate().all(|(number, piece)| {
            let at = number * self.piece;
            made.iter().any(|block| block[at..at + piece.len()] == *piece)
        })
    }

    /// Returns the block as it should be, if that is known: of the possible blocks the one that is most like `part`.
    fn wanted(&self, part: &[u8], place: &Place<'_>) -> Option<Vec<u8>> {
        if self.method == Method::Pattern {
            let mut block = vec![0; part.len()];
            self.contents.mark(&mut block, place.at, place.offset, 0, 0);
            return Some(block);
        }
        let header = part.first_chunk::<HEADER>().map(Header::read)?;
        let candidates: Vec<Vec<u8>> = match place.expected {
            Some(Expected::Write(write)) => {
                let later =
                    self.only && header.is_ours() && header.key() == place.key && header.write() > write;
                let write = if later { header.write() } else { write };
                self.contents.positions().map(|at| self.remade(write, header.run, place, at)).collect()
            }
            Some(Expected::AnyOf(writes)) => writes
                .iter()
                .flat_map(|write| {
                    self.contents.positions().map(|at| self.remade(*write, header.run, place, at))
                })
                .collect(),
            Some(Expected::Unknown | Expected::Changing) => return None,
            None => {
                // The magic number may be what is damaged.
                if !header.is_ours() || place.key != header.key() || header.offset != place.offset {
                    return None;
                }
                let made = |at| self.made(header.seed, header.run, place, at);
                self.contents.positions().map(made).collect()
            }
        };
        let nearest = candidates.iter().min_by_key(|block| bits(block, part));
        let alike = |block: &&Vec<u8>| bits(block, part) < part.len() as u32 || same_sectors(part, block) > 0;
        // Without any likeness, the block is taken for one at the place where it was read.
        let at = (place.at / self.interval).min(candidates.len().saturating_sub(1));
        nearest.filter(alike).or(candidates.iter().find(alike)).or(candidates.get(at)).cloned()
    }

    /// Returns the block as the write with this number wrote it in this run, or else in the run `run`; zeros if it is a
    /// trim.
    fn remade(&self, write: u32, run: u32, place: &Place<'_>, position: usize) -> Vec<u8> {
        if is_trim(write) {
            return vec![0; self.interval];
        }
        let run = self.contents.run().unwrap_or(run);
        self.made(u64::from(place.key) << 32 | u64::from(write), run, place, position)
    }

    /// Returns what has happened to the block.
    fn damage(&self, part: &[u8], fields: &[u8; HEADER], place: &Place<'_>, wanted: Option<&[u8]>) -> Damage {
        if part.iter().all(|byte| *byte == 0) {
            return Damage::Zeroed;
        }
        let flipped = wanted.map_or(u32::MAX, |wanted| bits(wanted, part));
        if (1..=FLIPPED).contains(&flipped) {
            return Damage::Flip { bits: flipped };
        }
        // Before the header is looked at: earlier data may be in front of data that moved.
        if let Some(by) = wanted.and_then(|wanted| shift(part, wanted)) {
            return Damage::Shifted { by };
        }
        if let Some(damage) = self.damage_by_header(part, fields, place, wanted) {
            return damage;
        }
        let Some(wanted) = wanted else { return self.damage_of_unknown(part, fields) };
        // The header of the right write is part of what was written, too.
        let header = self.layout.at..self.layout.at + HEADER;
        let whole_header =
            matches!(self.method, Method::Header(_)) && part.get(header.clone()) == wanted.get(header);
        if same_sectors(part, wanted) > 0 || whole_header {
            return Damage::Torn;
        }
        if let Some(from) = self.other_offset(part) {
            return Damage::Misdirected { from };
        }
        Damage::Foreign
    }

    /// Returns the damage of a block with a whole header of another write or place.
    fn damage_by_header(
        &self,
        part: &[u8],
        fields: &[u8; HEADER],
        place: &Place<'_>,
        wanted: Option<&[u8]>,
    ) -> Option<Damage> {
        let Method::Header(_) = self.method else { return None };
        let header = Header::read(fields);
        if header.magic != MAGIC || header.crc != crc32c(&fields[..HEADER - 4]) {
            return None;
        }
        let ours = header.is_ours() && place.keys.contains(&header.key());
        let of_this_file = place.key == header.key();
        // Part of the last write behind the header of another one.
        let torn = || wanted.is_some_and(|wanted| same_sectors(part, wanted) > 0);
        if header.offset != place.offset || ours && !of_this_file {
            return (ours || place.expected.is_none()).then_some(match torn() {
                true => Damage::Torn,
                false => Damage::Misdirected { from: header.offset },
            });
        }
        if !ours {
            return (place.expected.is_some()).then_some(Damage::Foreign);
        }
        let of_this_run = self.contents.run().is_none_or(|run| header.run == run);
        let last = match place.expected? {
            Expected::Write(write) => {
                of_this_run && (header.write() == write || self.only && header.write() > write)
            }
            Expected::AnyOf(writes) => writes.contains(&header.write()) && of_this_run,
            Expected::Unknown | Expected::Changing => true,
        };
        (!last).then(|| if torn() { Damage::Torn } else { Damage::Lost })
    }

    /// Returns the damage of a block of which it is not known what it should contain.
    fn damage_of_unknown(&self, part: &[u8], fields: &[u8; HEADER]) -> Damage {
        let Method::Header(_) = self.method else { return Damage::Foreign };
        let header = |at: usize| part[at..].first_chunk::<HEADER>().map(Header::read);
        let whole = |at: usize| {
            header(at).is_some_and(|h| h.magic == MAGIC && h.crc == crc32c(&part[at..at + HEADER - 4]))
        };
        let at_its_place = |at: &usize| *at != self.layout.at;
        let moved = (1..part.len().saturating_sub(HEADER))
            .filter(at_its_place)
            .find(|at| part[*at..].starts_with(&MAGIC.to_le_bytes()) && whole(*at));
        match moved {
            Some(at) => Damage::Shifted { by: at as i64 - self.layout.at as i64 },
            None if Header::read(fields).magic == MAGIC => Damage::Unknown,
            None => Damage::Foreign,
        }
    }

    /// Returns the offset of which the block has the pattern, if the pattern holds offsets.
    fn other_offset(&self, part: &[u8]) -> Option<u64> {
        let pattern = self.contents.pattern();
        let at = *pattern.offsets.first()?;
        let from = u64::from_le_bytes(part.get(at..at + 8)?.try_into().ok()?);
        let mut block = vec![0; part.len()];
        tile(pattern, &mut block, (0, from));
        (block == part).then_some(from)
    }
}

/// Returns the number of bits in which two blocks of the same length differ.
pub(super) fn bits(one: &[u8], other: &[u8]) -> u32 {
    one.iter().zip(other).map(|(a, b)| (a ^ b).count_ones()).sum()
}

/// Returns the number of sectors that two blocks have in common.
fn same_sectors(one: &[u8], other: &[u8]) -> usize {
    one.chunks(SECTOR).zip(other.chunks(SECTOR)).filter(|(a, b)| a == b).count()
}

/// Returns the number of bytes by which the data has moved towards the end of the block, if it is there otherwise.
fn shift(part: &[u8], wanted: &[u8]) -> Option<i64> {
    const WINDOW: usize = 64;
    let n = part.len();
    let search = |needle: &[u8], hay: &[u8]| hay.windows(WINDOW).position(|window| window == needle);
    let moved = |by: &usize| *by > 0 && part[*by..] == wanted[..n - by];
    let back = |by: &usize| *by > 0 && part[..n - by] == wanted[*by..];
    if let Some(by) = search(wanted.get(..WINDOW)?, part).filter(moved) {
        return Some(by as i64);
    }
    search(&part[..WINDOW], wanted).filter(back).map(|by| -(by as i64))
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
