//! Offsets of a clone's I/Os: the sampling in the loop, and the account of the region at the end.

use crate::worker_setup::pass_bytes;
use engine::{Op, Ticks};
use job::distribution::Law;
use job::job::{EngineChoice, FileService, Job, Mix, Order};
use job::plan::PlannedJob;
use stats::offsets::{OffsetGrid, OffsetLaw, OffsetRegion, RegionOffsets, SharedBins};
use stats::{Direction, Shared};

/// Shortest time between two samples, nanoseconds.
pub(crate) const PERIOD_NANOS: u64 = 10_000_000;
/// Binary logarithm of the part of the elapsed time after which the next sample is due: long runs have some thousand.
const PART: u32 = 10;

/// Takes the offset of the first operation that is issued after a time as a sample: whatever its latency, and independent
/// of the rate.
#[derive(Debug)]
pub(crate) struct OffsetSampler {
    /// Start of the region in bytes, and binary logarithm of the size of a bin, of each file; none if the offsets are not
    /// sampled.
    files: Box<[(u64, u32)]>,
    start: Ticks,
    period: Ticks,
    next: Ticks,
    /// Whether the next operation is a sample.
    due: bool,
}

impl OffsetSampler {
    /// Returns the sampler of a clone.
    pub(crate) fn new(job: &Job, clone: &PlannedJob) -> Self {
        let grid = law(job).and_then(|law| grid(job, clone, law));
        let first = clone.interleave.map_or(0, |shared| shared.number * shared.block);
        let files =
            grid.map(|grid| clone.files.iter().map(|file| (file.start + first, grid.shift)).collect());
        Self { files: files.unwrap_or_default(), start: 0, period: 0, next: Ticks::MAX, due: false }
    }

    /// Starts the sampling at `now`.
    pub(crate) fn begin(&mut self, now: Ticks, period: Ticks) {
        if !self.files.is_empty() {
            (self.start, self.period, self.next) = (now, period, now);
        }
    }

    /// Returns the time at which the next operation becomes a sample; `Ticks::MAX` while it is one, so that nobody who
    /// waits for it wakes up in vain.
    pub(crate) fn next(&self) -> Ticks {
        self.next
    }

    /// Returns whether the next operation is a sample.
    pub(crate) fn is_due(&self) -> bool {
        self.due
    }

    /// Makes the next operation a sample if its time has come; returns whether it is one.
    pub(crate) fn event(&mut self, now: Ticks) -> bool {
        if now >= self.next {
            (self.due, self.next) = (true, Ticks::MAX);
        }
        self.due
    }

    /// Adds the offset of `op`, issued at `now`, to its bin.
    #[cold]
    #[inline(never)]
    pub(crate) fn sample(&mut self, now: Ticks, op: &Op, bins: &SharedBins) {
        let since = now.saturating_sub(self.start);
        (self.due, self.next) = (false, now.saturating_add(self.period.max(since >> PART)));
        if let Some((start, shift)) = self.files.get(op.file as usize) {
            bins.add(op.offset.wrapping_sub(*start) >> shift);
        }
    }
}

/// Returns the rule by which a job chooses its offsets; `None` for a job whose I/O has no offsets, those of a trace, or
/// two I/Os per offset.
fn law(job: &Job) -> Option<OffsetLaw> {
    use EngineChoice as E;
    let (spec, places) = (&job.pattern, &job.pattern.places);
    let without = matches!(
        job.engine,
        E::Null { .. }
            | E::Names(..)
            | E::Falloc
            | E::Ftruncate
            | E::Defrag(_)
            | E::Net(_)
            | E::Cpu(_)
            | E::Exec(_)
    );
    let twice = spec.mix == Mix::TrimWrite
        || spec.trim_ranges > 1
        || spec.sprandom.is_some()
        || !spec.lines.is_empty()
        || job.verify.as_ref().is_some_and(|verify| verify.only || spec.mix != Mix::Write);
    if without || twice || job.replay.is_some() {
        return None;
    }
    let plain = spec.zoned.is_none() && places.zones.is_none();
    let restarts_files = matches!(job.target.file_service, FileService::Law(_));
    Some(match spec.order {
        Order::Sequential { skip: 0 } if plain && !restarts_files => OffsetLaw::Sequential,
        Order::Random { run: 1 } if plain && !places.identical && places.ordered == [0; 3] => {
            match (spec.random_map, &places.law) {
                (true, _) if restarts_files || places.each_once && !one_size(job) => OffsetLaw::Other,
                (true, _) => OffsetLaw::OncePerPass,
                (false, Law::Even) => OffsetLaw::Uniform,
                (false, _) => OffsetLaw::Other,
            }
        }
        _ => OffsetLaw::Other,
    })
}

/// Returns whether all I/Os have the size of the job's map of blocks: the smallest block of all directions.
fn one_size(job: &Job) -> bool {
    let spec = &job.pattern;
    let unit = spec.block.iter().map(|block| block.0).min().unwrap_or_default();
    spec.ranges().all(|range| range == (unit, unit))
}

/// Returns the division of the files into bins; `None` for files of different sizes.
fn grid(job: &Job, clone: &PlannedJob, law: OffsetLaw) -> Option<OffsetGrid> {
    let length = clone.files.first()?.length;
    let alike = length > 0 && clone.files.iter().all(|file| file.length == length);
    let hosts = clone.interleave.map_or(1, |shared| shared.of);
    // The blocks of other hosts are between those of this one.
    let places = possible(job, law, length / hosts).map(|(unit, places)| (unit * hosts, places));
    alike.then(|| OffsetGrid::new(length, places))
}

/// Returns the distance between two possible offsets in a region of `length` bytes and their number; `None` if they
/// need not be uniform, or differ between the directions.
fn possible(job: &Job, law: OffsetLaw, length: u64) -> Option<(u64, u64)> {
    let spec = &job.pattern;
    let mut used = Direction::ALL.into_iter().filter(|d| spec.mix.has(*d)).map(|d| {
        let low = spec.block[d as usize].0;
        (spec.places.unit(d as usize, low), low)
    });
    let (unit, low) = used.next().filter(|first| used.all(|other| other == *first))?;
    let places = match law {
        OffsetLaw::OncePerPass if one_size(job) && unit == low => length / low,
        OffsetLaw::Uniform if !spec.sizes.seq_rand && !spec.places.each_once => {
            length.checked_sub(low).map_or(0, |last| (length / unit).min(last / unit + 1))
        }
        _ => return None,
    };
    (places > 0).then_some((unit, places))
}

/// Returns the offsets that a clone has used, from its counters; empty for a clone whose offsets are not known.
pub(crate) fn used(job: &Job, clone: &PlannedJob, now: &Shared) -> Vec<RegionOffsets> {
    let (Some(law), Some(first)) = (law(job), clone.files.first()) else { return Vec::new() };
    let length = clone.accessed_in_all();
    // The reads of a job that verifies its writes are not of its pattern.
    let counted = |d: &Direction| job.verify.is_none() || *d == Direction::Write;
    let counters = || Direction::ALL.into_iter().filter(counted).map(|d| &now.directions[d as usize]);
    let each = || counters().map(|d| d.bytes.get());
    // Each direction of a sequential job begins at the start of the region.
    let bytes = match law {
        OffsetLaw::Sequential => each().max().unwrap_or_default(),
        _ => each().sum(),
    };
    if bytes == 0 || length == 0 {
        return Vec::new();
    }
    let part = |bytes: u64| bytes.min(length) as f64 / length as f64;
    let pass = pass_bytes(job, length);
    let (untouched, counted) = match law {
        OffsetLaw::Sequential => (1.0 - part(bytes.min(pass)), true),
        OffsetLaw::OncePerPass => {
            let whole = |file: &job::plan::PlannedFile| match one_size(job) {
                true => clone.accessed(file) - clone.accessed(file) % job.pattern.smallest_block(),
                false => clone.accessed(file),
            };
            let reach: u64 = clone.files.iter().map(whole).sum();
            if pass >= reach {
                (1.0 - part(bytes.min(reach)), true)
            } else {
                // Each pass covers another random part of the region.
                let (passes, rest) = (bytes / pass, bytes % pass);
                let untouched = (1.0 - part(pass)).powf(passes as f64) * (1.0 - part(rest));
                (untouched, passes == 0 || passes == 1 && rest == 0)
            }
        }
        OffsetLaw::Uniform => {
            let ios: u64 = counters().map(|d| d.ios.get()).sum();
            let each = part(bytes / ios.max(1));
            ((ios as f64 * (-each).ln_1p()).exp(), false)
        }
        OffsetLaw::Other => (1.0 - part(bytes), false),
    };
    let region = OffsetRegion {
        target: first.path.display().to_string(),
        files: clone.files.len() as u64,
        // The parts of several hosts follow each other, wherever their blocks are: added, they do not overlap.
        start: first.start + clone.interleave.map_or(0, |shared| shared.number * clone.accessed(first)),
        length,
    };
    let grid = grid(job, clone, law);
    let bins = if grid.is_some() { now.offsets.snapshot() } else { Vec::new() };
    vec![RegionOffsets { region, law, grid, bins, bytes, untouched, counted }]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job that waits long for its next operation is not woken up for samples meanwhile.
    #[test]
    fn sample_is_due_until_the_next_operation() {
        let mut sampler =
            OffsetSampler { files: Box::new([(0, 12)]), start: 0, period: 0, next: Ticks::MAX, due: false };
        let bins = SharedBins::default();
        sampler.begin(100, 10);
        assert!(sampler.event(100) && sampler.next() == Ticks::MAX);
        assert!(sampler.event(500) && sampler.next() == Ticks::MAX);
        sampler.sample(600, &Op { offset: 2 << 12, ..Op::NONE }, &bins);
        assert!(!sampler.is_due() && sampler.next() == 610 && !sampler.event(609));
        assert_eq!(bins.snapshot()[..4], [0, 0, 1, 0]);
    }
}
