//! Distinction between generated test data and data of an unknown kind, which a user may need. Generated data consists
//! of constant bytes, short patterns that are not text and random bytes in any mixture, with fio's stamps and headers;
//! fathom, fio and similar tools write such data. [`crate::signature`] finds known signatures. Encrypted data without a header cannot
//! be distinguished from random bytes.

mod fio;
mod noise;
mod text;

use std::collections::{BTreeMap, HashMap, HashSet};

/// Size of a sector in bytes; each sector is judged as generated or foreign.
pub const SECTOR: usize = 512;
/// Length in bytes of a run of equal bytes that random data does not contain.
const RUN: usize = 8;
/// Longest repeated pattern in bytes: fio's longest pattern (512 bytes) and a number of eight bytes.
const LONGEST_PATTERN: usize = 520;
/// Shortest length in bytes over which a pattern must repeat after random bytes, at the end of a compressible chunk.
const LEAST_REPEATED: usize = 12;
/// Shortest length in bytes over which a pattern must repeat elsewhere: small numbers among zeros also repeat over a
/// few words.
const LEAST_REPEATED_ALONE: usize = 256;
/// Number of pattern lengths that are remembered.
const REMEMBERED: usize = 8;

/// Returns the byte offset in `piece` of the first 512-byte sector that is not generated data; `None` if all of the
/// piece is generated. A piece begins at a multiple of 512 bytes of its device or file; 64 KiB to 1 MiB is a good
/// length.
pub fn first_foreign_sector(piece: &[u8]) -> Option<usize> {
    // A volume may end within a sector: zeros there are too few for a judgement, and no data.
    let (whole, rest) = piece.split_at(piece.len() / SECTOR * SECTOR);
    let piece = if rest.iter().all(|byte| *byte == 0) { whole } else { piece };
    let mut parser = Parser { piece, lags: Vec::new(), short: Vec::new(), header: None, stamps: None };
    let foreign = parser.parse();
    let irregular = parser.irregular();
    [foreign, irregular].into_iter().flatten().min().map(|at| at / SECTOR * SECTOR)
}

/// Returns whether a sector of 512 bytes is random, with or without the stamps of fio or fathom.
fn is_random_sector(sector: &[u8]) -> bool {
    noise::is_noise(sector) || fio::is_scrambled_noise(sector) || fio::is_stamped_by_fathom(sector)
}

/// Parser of a piece, up to the first byte that is not generated data.
struct Parser<'a> {
    piece: &'a [u8],
    /// Lengths in bytes of the patterns found so far, the newest last.
    lags: Vec<usize>,
    /// Random stretches that are too short for a judgement on their own: start and length in bytes.
    short: Vec<(usize, usize)>,
    /// Offset of the last header of fio's `verify`.
    header: Option<usize>,
    /// Offset of the piece on its device according to fio's stamps; the outer `None` = not determined yet.
    stamps: Option<Option<u64>>,
}

impl Parser<'_> {
    /// Returns the offset of the first foreign byte.
    fn parse(&mut self) -> Option<usize> {
        let mut at = 0;
        // The byte of the constant run that ended at `at`.
        let mut constant = None;
        let mut after_noise = false;
        while at < self.piece.len() {
            if let Some(next) = self.whole_sector(at) {
                after_noise = self.piece[next - RUN..next].iter().any(|byte| *byte != self.piece[next - 1]);
                (at, constant) = (next, None);
                continue;
            }
            let byte = self.piece[at];
            let other_constant = constant.is_some_and(|c| c != byte) && !at.is_multiple_of(SECTOR);
            let run = self.run_length(at);
            if run >= RUN && !other_constant {
                (at, constant, after_noise) = (at + run, Some(byte), false);
                continue;
            }
            constant = None;
            let filled = self.header(at).or_else(|| self.fill(at));
            let least = if after_noise { LEAST_REPEATED } else { LEAST_REPEATED_ALONE };
            // A second constant within a sector is not a pattern: a few equal bytes before zeros may be a user's data.
            let may_repeat = filled.is_none() && run < RUN;
            let pattern = if may_repeat { self.pattern(at, least) } else { None };
            after_noise = pattern.is_none();
            at = match filled.or(pattern).map_or_else(|| self.noise(at), Ok) {
                Ok(next) => next,
                Err(foreign) => return Some(foreign),
            };
        }
        None
    }

    /// Returns the end of the generated data that begins at the sector boundary `at` and is recognised by whole
    /// sectors.
    fn whole_sector(&mut self, at: usize) -> Option<usize> {
        let end = at + SECTOR;
        let sector = self.piece.get(at..end).filter(|_| at.is_multiple_of(SECTOR))?;
        if sector.iter().all(|byte| *byte == sector[0]) {
            return Some(end);
        }
        // The exact end of the fill, which may be inside a sector.
        if let Some(end) = self.fill(at).filter(|fill| *fill >= end) {
            return Some(end);
        }
        if is_random_sector(sector) {
            return Some(end);
        }
        let offsets = fio::offsets_in_pattern(sector)?;
        let base = self.stamped_base()?;
        offsets.contains(&(base + at as u64)).then_some(end)
    }

    /// Returns the offset of the piece on its device according to the stamps of at least two sectors.
    fn stamped_base(&mut self) -> Option<u64> {
        *self.stamps.get_or_insert_with(|| {
            let mut votes: HashMap<u64, u32> = HashMap::new();
            for (number, sector) in self.piece.chunks_exact(SECTOR).enumerate() {
                if sector.iter().all(|byte| *byte == sector[0]) {
                    continue;
                }
                let offsets: HashSet<u64> =
                    fio::offsets_in_pattern(sector).unwrap_or_default().into_iter().collect();
                let bases = offsets.into_iter().filter_map(|o| o.checked_sub((number * SECTOR) as u64));
                bases.for_each(|base| *votes.entry(base).or_default() += 1);
            }
            let (base, votes) = votes.into_iter().max_by_key(|(base, votes)| (*votes, *base))?;
            (votes >= 2).then_some(base)
        })
    }

    /// Returns the length of the run of equal bytes at `at`.
    fn run_length(&self, at: usize) -> usize {
        let byte = self.piece[at];
        self.piece[at..].iter().take_while(|b| **b == byte).count()
    }

    /// Returns the end of the `verify` header of fio at `at` and of its checksum.
    fn header(&mut self, at: usize) -> Option<usize> {
        if !fio::is_verify_header(&self.piece[at..]) {
            return None;
        }
        self.header = Some(at);
        let after = at + fio::HEADER;
        let last = (after + fio::HEADER_EXTRA).min(self.piece.len());
        let resumes = |at: usize| fio::fill_length(&self.piece[at..]) >= 32 || self.run_length(at) >= 16;
        (after..last).find(|at| resumes(*at)).or_else(|| {
            // Neither random data nor constant bytes follow: a pattern follows, or the piece ends.
            self.next_pattern(after, last).or(Some(last))
        })
    }

    /// Returns the end of fio's random data at `at`. A run of equal bytes before `at` may include its first bytes, if
    /// they are equal to the run's byte.
    fn fill(&self, at: usize) -> Option<usize> {
        // Random data whose words end in a zero byte is also recognised from the second byte on: the longest match
        // counts.
        let lengths = (0..RUN.min(at + 1)).map(|back| (fio::fill_length(&self.piece[at - back..]), back));
        let (length, back) = lengths.max_by_key(|(length, back)| length.saturating_sub(*back))?;
        if length < 16.max(back + 9) {
            return None;
        }
        let end = at - back + length;
        // A byte of the following data may equal the random data's next byte by chance.
        let whole = at - back + length / 8 * 8;
        let rest = &self.piece[whole..];
        let another = fio::fill_length(rest) > 0 || fio::is_verify_header(rest);
        Some(if another && whole > at { whole } else { end })
    }

    /// Returns the end of the repeated pattern at `at`.
    fn pattern(&mut self, at: usize, least: usize) -> Option<usize> {
        let remembered = self.lags.iter().rev().copied();
        let lag = remembered.chain(2..=LONGEST_PATTERN).find(|lag| self.repeats(at, *lag, least))?;
        if text::is_text(&self.piece[at..at + lag]) {
            return None;
        }
        self.lags.retain(|known| *known != lag);
        self.lags.push(lag);
        if self.lags.len() > REMEMBERED {
            self.lags.remove(0);
        }
        let same = self.piece[at..].iter().zip(&self.piece[at + lag..]).take_while(|(a, b)| a == b).count();
        Some(at + lag + same)
    }

    /// Returns whether a pattern of `lag` bytes begins at `at`, that is, occurs twice over at least `least` bytes.
    fn repeats(&self, at: usize, lag: usize, least: usize) -> bool {
        let length = lag.max(least);
        self.piece
            .get(at..at + length)
            .is_some_and(|first| self.piece.get(at + lag..at + lag + length) == Some(first))
    }

    /// Returns the first offset in a range at which a repeated pattern of any length begins.
    fn next_pattern(&self, from: usize, until: usize) -> Option<usize> {
        let of_lag = |lag: usize| {
            let length = lag.max(LEAST_REPEATED);
            let last = (until + length).min(self.piece.len().checked_sub(lag)?);
            let (mut same, mut found) = (0, None);
            for at in (from..last).rev() {
                same = if self.piece[at] == self.piece[at + lag] { same + 1 } else { 0 };
                if same >= length && at < until {
                    found = Some(at);
                }
            }
            found
        };
        // Every eight bytes of a pattern occur again at the distance of its length.
        let end = (until + 2 * LONGEST_PATTERN).min(self.piece.len());
        let mut last: HashMap<&[u8], usize> = HashMap::new();
        let mut lags: HashSet<usize> = HashSet::new();
        for (number, eight) in self.piece[from..end].windows(8).enumerate() {
            if let Some(before) = last.insert(eight, number) {
                lags.insert(number - before);
            }
        }
        lags.into_iter().filter(|lag| (2..=LONGEST_PATTERN).contains(lag)).filter_map(of_lag).min()
    }

    /// Returns the end of the random bytes at `start`.
    ///
    /// # Errors
    /// The offset of the first stretch that is not random.
    fn noise(&mut self, start: usize) -> Result<usize, usize> {
        let mut at = start;
        loop {
            let end = (at + SECTOR).min(self.piece.len());
            let stop = (at.max(start + 1)..end).find(|at| self.begins(*at));
            let until = stop.unwrap_or(end);
            let from =
                if until - at < noise::WINDOW { until.saturating_sub(noise::WINDOW).max(start) } else { at };
            let stretch = &self.piece[from..until];
            let random = match from.is_multiple_of(SECTOR) {
                true if stretch.len() == SECTOR => is_random_sector(stretch),
                true => noise::is_random(stretch) && !noise::begins_a_file(stretch),
                false => noise::is_random(stretch),
            };
            if !random {
                // Random data may be followed by a pattern whose length is not known yet.
                let end = self.next_pattern(from, until).ok_or(from)?;
                if !noise::is_random(&self.piece[from..end]) {
                    return Err(from);
                }
                return self.end_noise(start, end);
            }
            if stop.is_some() || until == self.piece.len() {
                return self.end_noise(start, until);
            }
            at = until;
        }
    }

    fn end_noise(&mut self, start: usize, end: usize) -> Result<usize, usize> {
        let length = end - start;
        // Rest of a group of fio's random data that began before the piece or was overwritten by a header.
        let after_header =
            self.header.is_some_and(|header| start.saturating_sub(header) <= fio::HEADER + fio::HEADER_EXTRA);
        let cut = (start == 0 || after_header) && length < 32 && fio::fill_length(&self.piece[end..]) >= 64;
        if length < noise::SHORT && !cut {
            self.short.push((start, length));
        }
        if end > start { Ok(end) } else { Err(start) }
    }

    /// Returns whether generated data other than random bytes begins at `at`.
    fn begins(&self, at: usize) -> bool {
        let rest = &self.piece[at..];
        let constant = rest.len() >= RUN && rest[..RUN].iter().all(|byte| *byte == rest[0]);
        constant
            || fio::fill_length(rest) >= 24
            || fio::is_verify_header(rest)
            || self.lags.iter().any(|lag| self.repeats(at, *lag, LEAST_REPEATED))
    }

    /// Returns the start of the first short random stretch whose length is rare. `buffer_compress_percentage` makes
    /// many stretches of the same length.
    fn irregular(&self) -> Option<usize> {
        let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (start, length) in &self.short {
            by_length.entry(*length).or_default().push(*start);
        }
        let mut regular: HashSet<usize> = HashSet::new();
        for length in by_length.keys() {
            // A random byte may equal the constant by chance and so lengthen the constant run.
            let near = by_length.range(length.saturating_sub(2)..=length + 2);
            let members: Vec<(usize, usize)> =
                near.flat_map(|(length, starts)| starts.iter().map(|start| (*start, *length))).collect();
            if self.alike(&members) {
                regular.insert(*length);
            }
        }
        let longest = regular.iter().max().copied().unwrap_or(0);
        let cut = |start: usize, length: usize| {
            (start == 0 || start + length == self.piece.len()) && length <= longest
        };
        let mut others = self.short.iter().filter(|(s, l)| !regular.contains(l) && !cut(*s, *l));
        others.next().map(|(start, _)| *start)
    }

    /// Returns whether stretches of about the same length are random data: at least four, random when concatenated, and
    /// without a position at which all have the same byte.
    fn alike(&self, members: &[(usize, usize)]) -> bool {
        let different: HashSet<&[u8]> = members.iter().map(|(s, l)| &self.piece[*s..s + l]).collect();
        let shortest = members.iter().map(|m| m.1).min().unwrap_or(0);
        if members.len() < 4 {
            return false;
        }
        if let [one] = different.iter().collect::<Vec<_>>()[..] {
            return one.len() >= 32 && noise::is_random(one);
        }
        let column = |at: usize| {
            let mut bytes = different.iter().map(|member| member[at]);
            let first = bytes.next();
            bytes.all(|byte| Some(byte) == first)
        };
        // fio's numbers often have the same low byte.
        let fixed = different.len() >= 6 && (1..shortest).any(column);
        let together: Vec<u8> =
            different.iter().flat_map(|member| &member[usize::from(member.len() > 1)..]).copied().collect();
        !fixed && together.len() >= noise::SHORT / 2 && noise::is_random(&together)
    }
}
