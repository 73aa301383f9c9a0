//! Size of a read cache, from working sets of growing size.
//!
//! A working set is read once in order. Then places of it are read from its end to its beginning: what a cache still has
//! takes less time than the same places of another region, which were never read.

use super::{replacement, sample};
use crate::estimate::Estimate;
use serde::{Deserialize, Serialize};

/// Smallest working set in bytes.
pub const SMALLEST: u64 = 4 << 20;
/// Bytes between two places that are read; a cache may take in this much for a single read.
pub const STEP: u64 = 128 << 10;
/// Places per working set while the size is searched, and at the end.
const PLACES: (u64, u64) = (128, 512);
/// Decrease of the log likelihood at the ends of an interval.
const DROP: f64 = 3.0;
/// Largest number of rounds that confirm the size.
const REPEATS: usize = 4;
/// Rounds with the smallest working set: they show how often a hit is slow.
const FIRST: usize = 4;
/// Share of the places found in the cache from which a working set fits.
const FITS: f64 = 0.9;

/// Reads of one working set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// Size of the working set in bytes.
    pub bytes: u64,
    /// Latencies of places of a region that was never read, in nanoseconds.
    pub cold: Vec<f64>,
    /// Latencies of places of the working set, from its end to its beginning, in nanoseconds.
    pub warm: Vec<f64>,
}

/// Working set and share of its places that were found in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkingSet {
    /// Size in bytes.
    pub bytes: u64,
    /// Share of hits.
    pub hits: f64,
    /// Median latency in nanoseconds.
    pub nanos: f64,
}

/// Result of the sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadCacheSweep {
    /// Working sets by size.
    pub sets: Vec<WorkingSet>,
    /// Median latency of data that was never read, in nanoseconds.
    pub miss: Estimate,
    /// Cache, as far as it was seen.
    pub cache: ReadCacheSeen,
}

/// Read cache, as far as it was seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadCacheSeen {
    /// Size in bytes, and median latency of a hit in nanoseconds.
    Of {
        /// Size in bytes.
        bytes: Estimate,
        /// Median latency of a hit in nanoseconds.
        hit: Estimate,
    },
    /// The largest working set still was in the cache.
    AtLeast {
        /// Size of that working set in bytes.
        bytes: u64,
        /// Median latency of a hit in nanoseconds.
        hit: Estimate,
    },
    /// No cache of at least this many bytes was seen.
    None {
        /// Size of the smallest working set in bytes.
        bytes: u64,
    },
}

/// Latency that separates hits from misses, with the shares that lie on the wrong side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threshold {
    pub(super) nanos: f64,
    slow_hits: f64,
    fast_misses: f64,
}

impl Threshold {
    /// Returns the threshold with the fewest errors.
    pub(super) fn between(hits: &[f64], misses: &[f64]) -> Threshold {
        let (hits, misses) = (sample::sorted(hits), sample::sorted(misses));
        let share = |of: &[f64], below: f64| {
            of.partition_point(|time| *time <= below) as f64 / of.len().max(1) as f64
        };
        let at = |nanos: f64| Threshold {
            nanos,
            slow_hits: 1.0 - share(&hits, nanos),
            fast_misses: share(&misses, nanos),
        };
        let middle = (sample::quantile(&hits, 0.5) * sample::quantile(&misses, 0.5)).sqrt();
        let all = std::iter::once(middle).chain(hits.iter().copied());
        all.map(at).min_by(|a, b| a.errors().total_cmp(&b.errors())).unwrap_or(at(middle))
    }

    fn errors(&self) -> f64 {
        self.slow_hits + self.fast_misses
    }

    /// Returns the share of hits among `times`, corrected for the errors (Rogan and Gladen 1978).
    fn hits(&self, times: &[f64]) -> f64 {
        let fast =
            times.iter().filter(|time| **time <= self.nanos).count() as f64 / times.len().max(1) as f64;
        ((fast - self.fast_misses) / (1.0 - self.errors()).max(1e-9)).clamp(0.0, 1.0)
    }
}

/// Returns the threshold if hits are seen in the smallest working sets.
fn seen(rounds: &[Round]) -> Option<Threshold> {
    let smallest = rounds.iter().map(|round| round.bytes).min()?;
    let near: Vec<&Round> = rounds.iter().filter(|round| round.bytes <= 2 * smallest).collect();
    let warm: Vec<f64> = near.iter().flat_map(|round| round.warm.iter().copied()).collect();
    let cold: Vec<f64> = near.iter().flat_map(|round| round.cold.iter().copied()).collect();
    let threshold = Threshold::between(&warm, &cold);
    let (warm, cold) = (sample::median(&warm)?, sample::median(&cold)?);
    (threshold.errors() < 0.4 && warm.high < cold.low && warm.value < 0.8 * cold.value).then_some(threshold)
}

/// Returns the latencies of places that are certainly hits: those of the smallest working set and, if the newest data are
/// kept, of all working sets that are at most half as large as one of which three quarters are hits.
fn warm_of(rounds: &[Round]) -> Vec<f64> {
    let smallest = rounds.iter().map(|round| round.bytes).min().unwrap_or(0);
    let of = |most: u64| -> Vec<f64> {
        let fitting = rounds.iter().filter(|round| round.bytes <= most);
        fitting.flat_map(|round| round.warm.iter().copied()).collect()
    };
    let first = of(smallest);
    let most = |least: f64| {
        let share = |round: &Round| Threshold::between(&first, &round.cold).hits(&round.warm);
        rounds.iter().filter(|round| share(round) >= least).map(|round| round.bytes).max()
    };
    of(smallest.max(most(0.8).unwrap_or(0) / 2))
}

/// Returns the size in bytes and the number of places of the next working set, of at most `limit` bytes; `None` when the
/// sweep is complete.
pub fn next(rounds: &[Round], limit: u64) -> Option<(u64, u64)> {
    let usual = |bytes: u64| (bytes, PLACES.0.min(bytes / STEP));
    let Some(largest) = rounds.iter().map(|round| round.bytes).max() else {
        return (SMALLEST <= limit).then(|| usual(SMALLEST));
    };
    if rounds.len() < FIRST {
        return Some(usual(SMALLEST));
    }
    if rounds.len() == FIRST {
        return (2 * SMALLEST <= limit).then(|| usual(2 * SMALLEST));
    }
    seen(rounds)?;
    // Only the round that confirms the size is not larger than all before.
    let (last, before) = rounds.split_last()?;
    if before.iter().any(|round| round.bytes >= last.bytes) {
        // It is repeated until it has enough places.
        let places = last.warm.len();
        let same =
            rounds.iter().filter(|round| round.bytes == last.bytes && round.warm.len() == places).count();
        return (same < REPEATS && same * places < 2 * PLACES.1 as usize)
            .then_some((last.bytes, places as u64));
    }
    let hits = Threshold::between(&warm_of(rounds), &last.cold).hits(&last.warm);
    if hits < 0.75 {
        let random = replacement::random(rounds);
        // A decay shows its length in a working set of several lengths.
        if random.is_some_and(|size| (largest as f64) < 2.5 * size.value) && 2 * largest <= limit {
            return Some((2 * largest, PLACES.1.min(2 * largest / STEP)));
        }
        let size = match random.or_else(|| size_of(rounds)) {
            Some(size) => size.value,
            None => hits * last.bytes as f64,
        };
        let factor = if random.is_some() { 2.0 } else { 1.4 };
        let bytes = ((factor * size) as u64).clamp(SMALLEST, largest) / STEP * STEP;
        return Some((bytes, PLACES.1.min(bytes / STEP)));
    }
    let bytes = (2 * largest).min(limit / STEP * STEP);
    (bytes > largest).then(|| usual(bytes))
}

/// Returns the result of all rounds; `None` without any.
pub fn sweep(rounds: &[Round]) -> Option<ReadCacheSweep> {
    let cold: Vec<f64> = rounds.iter().flat_map(|round| round.cold.iter().copied()).collect();
    let miss = sample::median(&cold)?;
    let smallest = rounds.iter().map(|round| round.bytes).min()?;
    let hits = warm_of(rounds);
    let mut sets: Vec<WorkingSet> = rounds
        .iter()
        .map(|round| WorkingSet {
            bytes: round.bytes,
            hits: match seen(rounds) {
                Some(_) => Threshold::between(&hits, &round.cold).hits(&round.warm),
                None => 0.0,
            },
            nanos: sample::quantile(&sample::sorted(&round.warm), 0.5),
        })
        .collect();
    sets.sort_by_key(|set| set.bytes);
    let cache = match (seen(rounds), sample::median(&hits)) {
        (Some(_), Some(hit)) => match size_of(rounds) {
            Some(bytes) => ReadCacheSeen::Of { bytes, hit },
            None => {
                let fits = sets.iter().rev().find(|set| set.hits >= FITS).map_or(smallest, |set| set.bytes);
                ReadCacheSeen::AtLeast { bytes: fits, hit }
            }
        },
        _ => ReadCacheSeen::None { bytes: smallest },
    };
    Some(ReadCacheSweep { sets, miss, cache })
}

/// Returns the size of the cache from the working set that shows it best, or from all of them if the cache replaces random
/// lines; `None` if all fit.
fn size_of(rounds: &[Round]) -> Option<Estimate> {
    if let Some(size) = replacement::random(rounds) {
        return Some(size);
    }
    let hits = warm_of(rounds);
    let partly = rounds.iter().enumerate().filter_map(|(nth, round)| {
        let alike = |other: &&Round| other.bytes == round.bytes && other.warm.len() == round.warm.len();
        if rounds[..nth].iter().any(|other| alike(&other)) {
            return None;
        }
        // Repeats of a working set are one with all reads of each place.
        let alike: Vec<&Round> = rounds.iter().filter(alike).collect();
        let all = Round {
            bytes: round.bytes,
            cold: alike.iter().flat_map(|round| round.cold.iter().copied()).collect(),
            warm: (0..round.warm.len())
                .flat_map(|at| alike.iter().map(move |round| round.warm[at]))
                .collect(),
        };
        let share = Threshold::between(&hits, &all.cold).hits(&all.warm);
        (share < 0.97).then(|| in_round(&all, alike.len(), &hits)).filter(|size| {
            // Hits up to the end of a working set are no end of a cache.
            size.low > 0.0 && size.high < all.bytes as f64
        })
    });
    partly.min_by(|a, b| a.half_percent().total_cmp(&b.half_percent()))
}

/// Returns the size of the cache from one working set, of which the newest part is in the cache. `hits` are latencies of
/// known hits, and each place was read `repeats` times in a row.
fn in_round(round: &Round, repeats: usize, hits: &[f64]) -> Estimate {
    let n = round.warm.len();
    let step = round.bytes as f64 / n as f64;
    let known = Threshold::between(hits, &round.cold);
    let first = Split::of(round, known);
    // The places far from the end of the hits tell the errors of the threshold better than the few known hits.
    let (before, after) = (first.at * 9 / 10, (first.at * 11 / 10 + 1).min(n));
    let hits_here: Vec<f64> = hits.iter().chain(&round.warm[..before]).copied().collect();
    let misses_here: Vec<f64> = round.cold.iter().chain(&round.warm[after..]).copied().collect();
    let split = Split::of(round, Threshold::between(&hits_here, &misses_here));
    let slow = |times: &[f64]| times.iter().filter(|time| **time > split.nanos).count() as f64;
    let unlike = |some: &[f64], others: &[f64]| {
        let (a, b) = (some.len() as f64, others.len() as f64);
        let all = (slow(some) + slow(others) + 1.0) / (a + b + 2.0);
        let error = (all * (1.0 - all) * (1.0 / a.max(1.0) + 1.0 / b.max(1.0))).sqrt();
        a >= 1.0 && b >= 1.0 && (slow(some) / a - slow(others) / b).abs() > 4.0 * error
    };
    if unlike(&round.warm[..split.at], hits) || unlike(&round.warm[split.at..], &round.cold) {
        // Another replacement: only the number of hits tells.
        let share = known.hits(&round.warm);
        let separation = (1.0 - known.errors()).max(0.1);
        let binomial = |share: f64, n: usize| (share * (1.0 - share) + 0.5 / n as f64) / n.max(1) as f64;
        let slow_hits = share.powi(2) * binomial(known.slow_hits, hits.len());
        let fast_misses = (1.0 - share).powi(2) * binomial(known.fast_misses, round.cold.len());
        let error = 2.0 * (binomial(share, n) + slow_hits + fast_misses).sqrt() / separation;
        return Estimate::around(share * round.bytes as f64, error * round.bytes as f64 + step);
    }
    Estimate {
        value: (split.at as f64 + 0.5 * repeats as f64) * step,
        low: (split.low as f64 - repeats as f64).max(0.0) * step,
        high: (split.high as f64 + 1.5 * repeats as f64) * step,
    }
}

/// Number of the first places of a working set that are hits.
struct Split {
    at: usize,
    low: usize,
    high: usize,
    nanos: f64,
}

impl Split {
    /// Returns the most likely number, and those that are likely, too.
    fn of(round: &Round, threshold: Threshold) -> Split {
        let n = round.warm.len();
        let least = 0.5 / n as f64;
        let (slow_hits, fast_misses) = (threshold.slow_hits.max(least), threshold.fast_misses.max(least));
        // Log likelihood that exactly the first `k` places are in the cache.
        let hit = |fast: bool| if fast { (1.0 - slow_hits).ln() } else { slow_hits.ln() };
        let miss = |fast: bool| if fast { fast_misses.ln() } else { (1.0 - fast_misses).ln() };
        let mut likelihood = vec![0.0];
        for time in &round.warm {
            let fast = *time <= threshold.nanos;
            likelihood.push(likelihood[likelihood.len() - 1] + hit(fast) - miss(fast));
        }
        let best = likelihood.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = |from: f64| likelihood.iter().position(|one| *one >= from).unwrap_or(0);
        let high = likelihood.iter().rposition(|one| *one >= best - DROP).unwrap_or(n);
        Split { at: first(best), low: first(best - DROP), high, nanos: threshold.nanos }
    }
}
