//! Offsets of a job's I/Os: the share of the region that they touched, and whether random offsets were uniform.
//!
//! A worker samples the offset of the first I/O after each period of time into [`BINS`] bins of equal size. Both results
//! cover the whole job, including its ramp.

use crate::counter::Counter;
use crate::quantile::below_normal;
use serde::{Deserialize, Serialize};

/// Number of bins of one region.
pub const BINS: usize = 64;
/// Largest probability with which a run of uniform offsets is called uneven, over all its tests together.
pub const FALSE_ALARM: f64 = 1e-4;
/// Smallest number of expected samples in a cell of the test; neighbouring bins are joined up to this number.
const LEAST_EXPECTED: f64 = 8.0;
/// Smallest number of cells of a test.
const LEAST_CELLS: usize = 4;
/// Smallest mean number of samples per bin from which the bins show the distribution of the offsets.
const LEAST_SAMPLES: u64 = 8;

/// Bins that the I/O loop writes: one writer, any number of readers.
#[derive(Debug)]
#[repr(transparent)]
pub struct SharedBins([Counter; BINS]);

impl Default for SharedBins {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Counter::default()))
    }
}

impl SharedBins {
    /// Adds one sample to a bin; a number of [`BINS`] or more is ignored.
    #[inline(always)]
    pub fn add(&self, bin: u64) {
        if let Some(counter) = self.0.get(bin as usize) {
            counter.add(1);
        }
    }

    /// Returns the number of samples per bin.
    pub fn snapshot(&self) -> Vec<u64> {
        self.0.iter().map(Counter::get).collect()
    }
}

/// Rule by which a job chooses its offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OffsetLaw {
    /// In order from the start of the region.
    Sequential,
    /// Random, each block once per pass.
    OncePerPass,
    /// Random, independent and uniform.
    Uniform,
    /// Any other rule: another distribution, runs, zones, holes.
    Other,
}

/// Region of the files of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffsetRegion {
    /// Path of the first file or device.
    pub target: String,
    /// Number of files.
    pub files: u64,
    /// Start of the region in the first file, bytes.
    pub start: u64,
    /// Length of the region in all files together, bytes.
    pub length: u64,
}

/// Division of each file's part of the region into bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffsetGrid {
    /// Length of one file's part of the region, bytes.
    pub length: u64,
    /// Binary logarithm of the size of a bin in bytes.
    pub shift: u32,
    /// Distance between two possible offsets, bytes, and their number; `None` if the offsets need not be uniform.
    pub places: Option<(u64, u64)>,
}

impl OffsetGrid {
    /// Returns the division of a region of `length` bytes into as many bins as possible, at most [`BINS`].
    pub fn new(length: u64, places: Option<(u64, u64)>) -> Self {
        let shift =
            (length.max(1) - 1).checked_ilog2().map_or(0, |top| (top + 1).saturating_sub(BINS.ilog2()));
        Self { length, shift, places }
    }

    /// Returns the end of bin `bin`, at most `end`.
    fn end(&self, bin: usize, end: u64) -> u64 {
        (bin as u64 + 1).checked_mul(1 << self.shift).map_or(end, |to| to.min(end))
    }
}

/// Offsets of the I/Os that clones with the same rule have issued in one region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionOffsets {
    /// The region.
    pub region: OffsetRegion,
    /// Rule by which the offsets are chosen.
    pub law: OffsetLaw,
    /// Division of the region into bins; `None` if its files have different sizes.
    pub grid: Option<OffsetGrid>,
    /// Number of sampled offsets per bin.
    pub bins: Vec<u64>,
    /// Bytes transferred.
    pub bytes: u64,
    /// Share of the region without I/O, 0 to 1, as far as the rule tells.
    pub untouched: f64,
    /// Whether `untouched` is counted; otherwise it is an expectation, or a lower bound for [`OffsetLaw::Other`].
    pub counted: bool,
}

/// How a share of the region is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TouchedBasis {
    /// Counted: each block at most once per pass.
    Counted,
    /// Expected share of independent random offsets.
    Expected,
    /// Upper bound.
    AtMost,
}

/// Share of the region of a job that its I/Os touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touched {
    /// The share, percent.
    pub percent: f64,
    /// How the share is known.
    pub basis: TouchedBasis,
}

/// Result of the test whether random offsets were uniform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniformity {
    /// Number of sampled offsets.
    pub samples: u64,
    /// Probability that uniform offsets deviate as much (chi-square test).
    pub chance: f64,
    /// Share of the samples in the bins that have more than expected, percent.
    pub busy_samples_percent: f64,
    /// Share of the region in these bins, percent.
    pub busy_region_percent: f64,
}

impl RegionOffsets {
    fn is_of(&self, other: &RegionOffsets) -> bool {
        (&self.region, self.law, self.grid) == (&other.region, other.law, other.grid)
    }

    /// Adds the I/Os of another clone with the same rule in the same region, bin by bin.
    fn add(&mut self, other: &RegionOffsets) {
        let bins = self.bins.len().max(other.bins.len());
        self.bins.resize(bins, 0);
        self.bins.iter_mut().zip(&other.bins).for_each(|(mine, theirs)| *mine = mine.saturating_add(*theirs));
        self.bytes = self.bytes.saturating_add(other.bytes);
        match self.law {
            // Each clone begins at the start of the region.
            OffsetLaw::Sequential => self.untouched = self.untouched.min(other.untouched),
            _ => {
                // Clones choose their blocks independently of each other.
                self.counted &= other.counted;
                self.counted &= self.untouched == 0.0 || other.untouched == 0.0 || other.untouched == 1.0;
                self.untouched *= other.untouched;
            }
        }
    }

    /// Returns the smallest share of the region without I/O, 0 to 1. For [`OffsetLaw::Other`] it follows from the
    /// bins: within a bin, uniform offsets touch the most blocks.
    fn untouched(&self) -> f64 {
        let length = self.region.length.max(1) as f64;
        match (self.law, self.grid) {
            (OffsetLaw::Other, grid) => {
                let all = 1.0 - (self.bytes as f64 / length).min(1.0);
                let samples: u64 = self.bins.iter().sum();
                let Some(grid) = grid.filter(|_| samples >= LEAST_SAMPLES * BINS as u64) else { return all };
                let bin = |(at, n): (usize, &u64)| {
                    let size = grid.end(at, grid.length).saturating_sub((at as u64) << grid.shift) as f64;
                    let share = size / grid.length.max(1) as f64;
                    let times = self.bytes as f64 / length * (*n as f64 / samples as f64) / share;
                    if share > 0.0 { share * (-times).exp() } else { 0.0 }
                };
                all.max(self.bins.iter().enumerate().map(bin).sum())
            }
            _ => self.untouched,
        }
    }

    /// Returns the result of a chi-square test whether the sampled offsets are uniform; `None` if the rule is another
    /// one or there are too few samples.
    pub fn uniformity(&self) -> Option<Uniformity> {
        let grid = self.grid?;
        let (unit, places) = grid.places.filter(|(unit, places)| *unit > 0 && *places > 0)?;
        let samples: u64 = self.bins.iter().sum();
        let reach = unit.saturating_mul(places);
        // Number of possible offsets before the end of a bin.
        let before = |bin: usize| grid.end(bin, reach).div_ceil(unit);
        let mut cells: Vec<(f64, f64)> = Vec::new();
        let (mut seen, mut wanted, mut from) = (0.0, 0.0, 0);
        for (bin, n) in self.bins.iter().enumerate() {
            let to = before(bin);
            wanted += samples as f64 * (to - from) as f64 / places as f64;
            seen += *n as f64;
            from = to;
            if wanted >= LEAST_EXPECTED {
                cells.push((seen, wanted));
                (seen, wanted) = (0.0, 0.0);
            }
        }
        // The rest is too small for a cell of its own.
        if let Some(last) = cells.last_mut() {
            (last.0, last.1) = (last.0 + seen, last.1 + wanted);
        }
        if cells.len() < LEAST_CELLS {
            return None;
        }
        let square: f64 = cells.iter().map(|(seen, wanted)| (seen - wanted).powi(2) / wanted).sum();
        let busy = cells.iter().filter(|(seen, wanted)| seen > wanted);
        let (mut seen, mut wanted) = (0.0, 0.0);
        busy.for_each(|cell| (seen, wanted) = (seen + cell.0, wanted + cell.1));
        let percent = |part: f64| 100.0 * part / samples as f64;
        Some(Uniformity {
            samples,
            chance: above_chi_square(square, (cells.len() - 1) as f64),
            busy_samples_percent: percent(seen),
            busy_region_percent: percent(wanted),
        })
    }
}

/// Returns the probability that chi square with `freedom` degrees of freedom is above `square` (Wilson and Hilferty
/// 1931, error below 0.001 from three degrees on).
fn above_chi_square(square: f64, freedom: f64) -> f64 {
    let a = 2.0 / (9.0 * freedom);
    let z = ((square / freedom).cbrt() - (1.0 - a)) / a.sqrt();
    below_normal(-z)
}

/// Adds `other` to the offsets of several clones.
pub fn merge(all: &mut Vec<RegionOffsets>, other: &[RegionOffsets]) {
    for theirs in other {
        match all.iter_mut().find(|mine| mine.is_of(theirs)) {
            Some(mine) => mine.add(theirs),
            None => all.push(theirs.clone()),
        }
    }
}

/// Part of a region in which each block is without I/O with the same probability.
struct Part<'a> {
    /// Path, number and start of the files that the offsets refer to.
    file: (&'a str, u64, u64),
    /// First byte, and the byte after the last.
    range: (u64, u64),
    untouched: f64,
    basis: TouchedBasis,
}

impl<'a> Part<'a> {
    /// Returns the parts of the region of `one`; a sequential job touches the first part and not the second.
    fn of(one: &'a RegionOffsets) -> Vec<Part<'a>> {
        let OffsetRegion { target, files, start, length } = &one.region;
        let alone = *files == 1;
        let (begin, key) = if alone { (*start, 0) } else { (0, *start) };
        let end = begin.saturating_add(*length);
        let basis = match (one.law, one.counted) {
            (OffsetLaw::Other, _) => TouchedBasis::AtMost,
            (_, true) => TouchedBasis::Counted,
            (_, false) => TouchedBasis::Expected,
        };
        let untouched = one.untouched().clamp(0.0, 1.0);
        let part = |range, untouched| Part { file: (target.as_str(), *files, key), range, untouched, basis };
        if one.law == OffsetLaw::Sequential {
            let cut = begin + ((1.0 - untouched) * *length as f64).round() as u64;
            return vec![part((begin, cut), 0.0), part((cut, end), 1.0)];
        }
        vec![part((begin, end), untouched)]
    }
}

/// Returns the probability that a block is without I/O where all `parts` apply, and how it is known.
fn overlaid(parts: &[&Part<'_>]) -> (f64, TouchedBasis) {
    // A part without any I/O adds nothing.
    let busy = || parts.iter().filter(|part| part.untouched < 1.0);
    let basis = match busy().count() {
        _ if busy().any(|part| part.untouched == 0.0 && part.basis == TouchedBasis::Counted) => None,
        0 | 1 => busy().map(|part| part.basis).next(),
        // Independent I/Os overlap by chance.
        _ => busy().map(|part| part.basis.max(TouchedBasis::Expected)).max(),
    };
    (busy().map(|part| part.untouched).product(), basis.unwrap_or(TouchedBasis::Counted))
}

/// Returns the share that I/Os touched of all regions together, overlapping parts counted once; `None` without regions.
pub fn touched(all: &[RegionOffsets]) -> Option<Touched> {
    let parts: Vec<Part<'_>> = all.iter().flat_map(Part::of).collect();
    let mut files: Vec<_> = parts.iter().map(|part| part.file).collect();
    files.sort_unstable();
    files.dedup();
    let (mut length, mut untouched, mut basis) = (0.0, 0.0, TouchedBasis::Counted);
    for file in files {
        let mine: Vec<&Part<'_>> = parts.iter().filter(|part| part.file == file).collect();
        let mut edges: Vec<u64> = mine.iter().flat_map(|part| [part.range.0, part.range.1]).collect();
        edges.sort_unstable();
        edges.dedup();
        for (from, to) in edges.iter().zip(edges.iter().skip(1)) {
            let here = |part: &&&Part<'_>| part.range.0 <= *from && part.range.1 >= *to;
            let here: Vec<&Part<'_>> = mine.iter().filter(here).copied().collect();
            if here.is_empty() {
                continue;
            }
            let (share, known) = overlaid(&here);
            length += (to - from) as f64;
            untouched += (to - from) as f64 * share;
            basis = basis.max(known);
        }
    }
    (length > 0.0).then(|| Touched { percent: 100.0 * (1.0 - untouched / length), basis })
}

/// Returns an upper bound for the bytes that I/Os touched of all regions together: of each region at most the bytes
/// transferred there, and at most its length. Parts that several regions share count for each of them.
pub fn most_covered(all: &[RegionOffsets]) -> u64 {
    let mut regions: Vec<(&OffsetRegion, u64)> = Vec::new();
    for one in all {
        let most = one.bytes.min(match one.counted {
            true => ((1.0 - one.untouched()).clamp(0.0, 1.0) * one.region.length as f64).ceil() as u64,
            false => one.region.length,
        });
        match regions.iter_mut().find(|(region, _)| *region == &one.region) {
            Some((region, sum)) => *sum = sum.saturating_add(most).min(region.length),
            None => regions.push((&one.region, most)),
        }
    }
    regions.iter().fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes))
}

/// Returns the test of the region whose offsets are least likely uniform; `None` without a region to test. Its
/// probability is that of the smallest of all tests (Bonferroni).
pub fn least_uniform(all: &[RegionOffsets]) -> Option<Uniformity> {
    let tests: Vec<Uniformity> = all.iter().filter_map(RegionOffsets::uniformity).collect();
    let number = tests.len() as f64;
    let least = tests.into_iter().min_by(|a, b| a.chance.total_cmp(&b.chance))?;
    Some(Uniformity { chance: (least.chance * number).min(1.0), ..least })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const BLOCK: u64 = 4096;

    /// Finalizer of SplitMix64.
    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn offsets(law: OffsetLaw, blocks: u64, untouched: f64) -> RegionOffsets {
        let length = blocks * BLOCK;
        let uniform = matches!(law, OffsetLaw::OncePerPass | OffsetLaw::Uniform);
        let region = OffsetRegion { target: "/dev/sda".into(), files: 1, start: 0, length };
        let grid = Some(OffsetGrid::new(length, uniform.then_some((BLOCK, blocks))));
        let counted = law != OffsetLaw::Uniform;
        RegionOffsets { region, law, grid, bins: vec![0; BINS], bytes: 0, untouched, counted }
    }

    fn sampled(blocks: u64, samples: u64, seed: u64, of: impl Fn(u64) -> u64) -> RegionOffsets {
        let (mut one, mut state) = (offsets(OffsetLaw::Uniform, blocks, 0.5), seed);
        let shift = one.grid.unwrap().shift;
        for _ in 0..samples {
            let block = of(((u128::from(random(&mut state)) * u128::from(blocks)) >> 64) as u64);
            one.bins[((block * BLOCK) >> shift) as usize] += 1;
        }
        one
    }

    #[test]
    fn bins_cover_the_region() {
        for length in [1, 63, 64, 65, 4096, 1 << 40, (1 << 40) + 1, u64::MAX] {
            let grid = OffsetGrid::new(length, None);
            let last = ((length - 1) >> grid.shift) as usize;
            assert!(last < BINS && (last >= BINS / 2 || grid.shift == 0), "{length}: {last}");
        }
    }

    /// Of 20,000 runs of uniform offsets at most 6 are called uneven (expected: 2), whatever the sizes.
    #[test]
    fn uniform_offsets_pass() {
        let mut alarms = 0;
        for seed in 0..20_000u64 {
            let blocks = [5, 33, 64, 1000, 99_991, 1 << 20][seed as usize % 6];
            let samples = [40, 65, 300, 2500][seed as usize / 6 % 4];
            let one = sampled(blocks, samples, seed << 32, |block| block);
            alarms += u32::from(one.uniformity().is_some_and(|u| u.chance < FALSE_ALARM));
        }
        assert!(alarms <= 6, "{alarms}");
    }

    #[test]
    fn uneven_offsets_are_found() {
        let halved = sampled(1 << 20, 200, 1, |block| block / 2).uniformity().unwrap();
        assert!(halved.chance < 1e-6, "{halved:?}");
        assert!((halved.busy_samples_percent - 100.0).abs() < 1e-6, "{halved:?}");
        assert!((halved.busy_region_percent - 50.0).abs() < 2.0, "{halved:?}");
        // One block in 64 gets 3 % of the I/Os instead of 1.6 %.
        let hot = |block: u64| if block.is_multiple_of(65) { 7 } else { block };
        let hot = sampled(1 << 20, 10_000, 2, hot).uniformity().unwrap();
        assert!(hot.chance < FALSE_ALARM, "{hot:?}");
        // The last bin of a region whose size is no power of two is never reached.
        let cut = sampled(33 << 10, 20_000, 3, |block| block % (32 << 10)).uniformity().unwrap();
        assert!(cut.chance < FALSE_ALARM, "{cut:?}");
        assert_eq!(sampled(1 << 20, 20, 4, |block| block).uniformity(), None);
    }

    /// Points of the tables of chi square at 5 %, 1 % and 0.01 %.
    #[test]
    fn tail_of_chi_square_is_the_tables() {
        for (square, freedom, table) in [
            (7.815, 3.0, 0.05),
            (11.345, 3.0, 0.01),
            (82.529, 63.0, 0.05),
            (92.010, 63.0, 0.01),
            (29.878, 7.0, 0.0001),
        ] {
            let tail = above_chi_square(square, freedom);
            assert!((tail / table - 1.0).abs() < 0.25, "{square} {freedom}: {tail} for {table}");
        }
    }

    /// Two clones that each read the first quarter touched a quarter; two that each touched a random half, three
    /// quarters; one that touched all makes it certain.
    #[test]
    fn clones_on_one_region_are_joined() {
        let quarter = offsets(OffsetLaw::Sequential, 1024, 0.75);
        let mut all = vec![quarter.clone()];
        merge(&mut all, &[quarter]);
        let share = |all: &[RegionOffsets]| touched(all).map(|t| (t.percent, t.basis)).unwrap();
        assert_eq!(share(&all), (25.0, TouchedBasis::Counted));
        let mut half = offsets(OffsetLaw::OncePerPass, 1024, 0.5);
        half.bins[3] = 5;
        let mut all = vec![half.clone()];
        merge(&mut all, std::slice::from_ref(&half));
        assert_eq!((all.len(), all[0].bins[3]), (1, 10));
        assert_eq!(share(&all), (75.0, TouchedBasis::Expected));
        merge(&mut all, &[offsets(OffsetLaw::Sequential, 1024, 0.5)]);
        assert_eq!((all.len(), share(&all)), (2, (87.5, TouchedBasis::Expected)));
        let mut whole = vec![half.clone()];
        merge(&mut whole, &[offsets(OffsetLaw::OncePerPass, 1024, 0.0)]);
        assert_eq!(share(&whole), (100.0, TouchedBasis::Counted));
        let elsewhere = OffsetRegion { start: 1 << 30, ..half.region.clone() };
        let mut two = vec![half.clone()];
        merge(&mut two, &[RegionOffsets { region: elsewhere, untouched: 0.0, ..half }]);
        assert_eq!((two.len(), share(&two)), (2, (75.0, TouchedBasis::Counted)));
        assert_eq!(touched(&[]), None);
    }

    /// Ten passes over a region cover the region once; two jobs on the same region together cover no more than it has.
    #[test]
    fn covered_bytes_are_at_most_the_region() {
        let length = 1024 * BLOCK;
        let read = |law, bytes, untouched| RegionOffsets { bytes, ..offsets(law, 1024, untouched) };
        let looped = read(OffsetLaw::Sequential, 10 * length, 0.0);
        assert_eq!(most_covered(std::slice::from_ref(&looped)), length);
        let random = read(OffsetLaw::Uniform, length / 4, 0.78);
        assert_eq!(most_covered(std::slice::from_ref(&random)), length / 4);
        assert_eq!(most_covered(&[looped.clone(), random.clone()]), length);
        let region = OffsetRegion { start: 1 << 30, ..random.region.clone() };
        assert_eq!(most_covered(&[looped, RegionOffsets { region, ..random }]), length + length / 4);
        // Several passes over a part, and results whose number of bytes is not known.
        assert_eq!(most_covered(&[read(OffsetLaw::Sequential, 3 * length, 0.75)]), length / 4);
        assert_eq!(most_covered(&[]), 0);
    }

    /// The bound of another distribution is above the share that a bitmap counts, and within 3 points of it if the
    /// distribution is uniform within its parts.
    #[test]
    fn other_laws_have_a_bound_from_the_bins() {
        let (blocks, ios) = (1u64 << 16, 1u64 << 16);
        let mut one = offsets(OffsetLaw::Other, blocks, 0.0);
        let (mut state, mut seen) = (9, vec![false; blocks as usize]);
        for at in 0..ios {
            let (coin, draw) = (random(&mut state) % 10, random(&mut state));
            // Nine of ten I/Os go to the first tenth.
            let block = if coin < 9 { draw % (blocks / 10) } else { draw % blocks };
            seen[block as usize] = true;
            if at.is_multiple_of(16) {
                one.bins[((block * BLOCK) >> one.grid.unwrap().shift) as usize] += 1;
            }
        }
        one.bytes = ios * BLOCK;
        let counted = 100.0 * seen.iter().filter(|seen| **seen).count() as f64 / blocks as f64;
        let bound = touched(std::slice::from_ref(&one)).unwrap();
        assert_eq!(bound.basis, TouchedBasis::AtMost);
        assert!((bound.percent - counted).abs() < 3.0, "{bound:?} for {counted}");
        assert!(counted < 25.0);
    }
}
