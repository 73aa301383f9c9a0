//! Data of verified blocks. It follows from the block's seed, place and run, so that the expected data of any block can
//! be made again: the same incompressible base in every block, and words in each 512 bytes that differ from block to
//! block. A torn block or sectors of another block differ from it.

use crate::payload::overlay;
use engine::noise::Noise;
use job::job::PayloadSpec;
use job::verify::OffsetPattern;

/// Distance of the words that differ from block to block, in bytes.
const STEP: usize = 256;

/// Maker of the data of one job.
#[derive(Debug)]
pub(crate) struct Contents {
    /// Data of the largest block before it is marked; empty if the data is a pattern.
    base: Vec<u8>,
    /// Size of the largest block in bytes.
    largest: usize,
    /// Whether the word at each step of `base` is random, so that it may be marked.
    marked: Vec<bool>,
    pattern: OffsetPattern,
    /// Distance between two headers in bytes.
    interval: usize,
    /// Number that this run has drawn; `None` if blocks of every run are right.
    run: Option<u32>,
}

/// Seed of the base data: the same in all runs, so that the data that another run has written can be made again.
const BASE: u64 = 0x6661_7468_6f6d;

impl Contents {
    /// Returns the maker of blocks of at most `largest` bytes with a header in each `interval`.
    pub(crate) fn new(
        spec: &PayloadSpec,
        pattern: OffsetPattern,
        (largest, interval): (usize, usize),
        run: Option<u32>,
    ) -> Self {
        let (mut base, mut marked) = (Vec::new(), Vec::new());
        if pattern.bytes.is_empty() {
            let mut words = vec![0u64; largest.div_ceil(8)];
            Noise::new(BASE).fill(&mut words);
            base = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            base.truncate(largest);
            let noise = base.clone();
            overlay(spec, &mut base);
            marked = (0..largest / STEP)
                .map(|at| word_at(&base, at * STEP) == word_at(&noise, at * STEP))
                .collect();
        }
        Self { base, largest, marked, pattern, interval: interval.max(1), run }
    }

    /// Returns the pattern of the data area; without bytes if the data is random.
    pub(crate) fn pattern(&self) -> &OffsetPattern {
        &self.pattern
    }

    /// Returns the number that this run has drawn; `None` if blocks of every run are right.
    pub(crate) fn run(&self) -> Option<u32> {
        self.run
    }

    /// Fills the whole block of an I/O before it is marked; [`Contents::mark`] does the rest.
    pub(crate) fn fill(&self, block: &mut [u8]) {
        let n = block.len().min(self.base.len());
        block[..n].copy_from_slice(&self.base[..n]);
    }

    /// Completes one interval of a filled block: `at` is its position in the I/O and `offset` its offset in the file, in
    /// bytes; `seed` and `run` are those of its header.
    #[inline]
    pub(crate) fn mark(&self, part: &mut [u8], at: usize, offset: u64, seed: u64, run: u32) {
        if !self.pattern.bytes.is_empty() {
            return tile(&self.pattern, part, (at, offset));
        }
        let mut mark = mix(seed ^ u64::from(run).rotate_left(48) ^ offset.rotate_left(20));
        let (first, end) = (at.next_multiple_of(STEP), (at + part.len()).saturating_sub(7));
        for position in (first..end).step_by(STEP) {
            mark = mark.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
            if self.marked.get(position / STEP) == Some(&true) {
                let to = position - at;
                part[to..to + 8].copy_from_slice(&mark.to_le_bytes());
            }
        }
    }

    /// Returns the data of one interval as it was written; `at` is its position in its I/O.
    pub(crate) fn expected(&self, length: usize, at: usize, offset: u64, seed: u64, run: u32) -> Vec<u8> {
        let mut part = vec![0; length];
        if let Some(base) = self.base.get(at..at + length) {
            part.copy_from_slice(base);
        }
        self.mark(&mut part, at, offset, seed, run);
        part
    }

    /// Returns the positions of an interval in an I/O that are possible.
    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.largest.max(1)).step_by(self.interval)
    }
}

fn word_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    bytes.get(at..at + 8)
}

/// Runs `each` over the pieces of `part`, as far as each is one run of bytes of the pattern: with the position of the
/// piece in `part` and these bytes. `at` is the position of `part` in its I/O, `offset` its offset in the file; `%o` is
/// the offset of the I/O.
fn pieces(
    pattern: &OffsetPattern,
    length: usize,
    (at, offset): (usize, u64),
    mut each: impl FnMut(usize, &[u8]) -> bool,
) {
    let step = pattern.interval.map_or(usize::MAX, |n| usize::try_from(n.get()).unwrap_or(usize::MAX));
    let begin = offset.wrapping_sub(at as u64);
    let (mut instance, mut of) = (Instance::new(pattern, begin), 0);
    let mut done = 0;
    while done < length {
        let position = at + done;
        let (number, within) = (position / step, position % step);
        if number != of {
            (instance, of) = (Instance::new(pattern, begin.wrapping_add((number * step) as u64)), number);
        }
        let phase = within % instance.length;
        let n = (instance.length - phase).min(step - within).min(length - done);
        if !each(done, &instance.bytes[phase..phase + n]) {
            return;
        }
        done += n;
    }
}

/// Fills `part` with the pattern; see [`pieces`].
pub(crate) fn tile(pattern: &OffsetPattern, part: &mut [u8], place: (usize, u64)) {
    let length = part.len();
    pieces(pattern, length, place, |to, bytes| {
        part[to..to + bytes.len()].copy_from_slice(bytes);
        true
    });
}

/// Returns the position of the first byte from `from` on that is not the pattern's, and the byte that is.
pub(crate) fn first_difference(
    pattern: &OffsetPattern,
    part: &[u8],
    from: usize,
    place: (usize, u64),
) -> Option<(usize, u8)> {
    let mut found = None;
    pieces(pattern, part.len(), place, |begin, bytes| {
        let skip = from.saturating_sub(begin).min(bytes.len());
        let read = &part[begin..begin + bytes.len()];
        if read[skip..] != bytes[skip..] {
            found = (skip..bytes.len()).find(|i| read[*i] != bytes[*i]).map(|i| (begin + i, bytes[i]));
        }
        found.is_none()
    });
    found
}

/// A pattern with an offset in it, repeated as often as it fits, so that a short one is not copied byte by byte.
struct Instance {
    bytes: [u8; job::byte_pattern::MOST],
    length: usize,
}

impl Instance {
    fn new(pattern: &OffsetPattern, offset: u64) -> Self {
        let mut bytes = [0; job::byte_pattern::MOST];
        let length = pattern.bytes.len().clamp(1, bytes.len());
        let n = pattern.bytes.len().min(length);
        bytes[..n].copy_from_slice(&pattern.bytes[..n]);
        for at in &pattern.offsets {
            if let Some(to) = bytes.get_mut(*at..*at + 8) {
                to.copy_from_slice(&offset.to_le_bytes());
            }
        }
        let length = repeat(&mut bytes, length);
        Self { bytes, length }
    }
}

/// Repeats the first `length` bytes as often as they fit; returns the number of bytes that they fill then.
fn repeat(bytes: &mut [u8], length: usize) -> usize {
    let mut filled = length;
    while filled * 2 <= bytes.len() {
        bytes.copy_within(..filled, filled);
        filled *= 2;
    }
    filled
}

/// Returns a number each of whose bits depends on all bits of `word` (murmur3's finalizer).
fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    word = (word ^ word >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}
