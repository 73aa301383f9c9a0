//! Size of a read cache that replaces a random line instead of the oldest one.
//!
//! Data that were read `age` bytes ago are in a cache of `size` bytes with the chance `exp(-age / size)` if a random line is
//! replaced, and certainly up to `size` if the newest are kept. Both laws are fitted to all working sets, with the share of hits
//! that are fast as the second parameter.

use super::read_cache::{Round, SMALLEST, Threshold};
use crate::estimate::Estimate;

/// Parts of a working set by age.
const PARTS: usize = 32;
/// Difference of the log likelihoods from which random replacement is taken for granted.
const CERTAIN: f64 = 12.0;
/// Decrease of the log likelihood at the ends of an interval.
const DROP: f64 = 3.0;
/// Smallest and largest line of a cache in bytes.
const LINES: (f64, f64) = (4096.0, 65536.0);
/// Ratio of two sizes that are tried.
const RATIO: f64 = 1.02;
/// Shares of fast hits that are tried.
const FAST: [f64; 10] = [0.999, 0.99, 0.98, 0.96, 0.94, 0.91, 0.87, 0.82, 0.75, 0.65];

/// The same, few of them.
const ROUGH: [f64; 3] = [0.99, 0.91, 0.75];

/// Places of about the same age.
struct Part {
    /// Bytes that were read since the newest and since the oldest place.
    age: (f64, f64),
    fast: f64,
    slow: f64,
}

/// Share of places of an age that are in a cache of a size.
type Law = fn((f64, f64), f64) -> f64;

fn newest((from, to): (f64, f64), size: f64) -> f64 {
    ((size - from) / (to - from)).clamp(0.0, 1.0)
}

fn decayed((from, to): (f64, f64), size: f64) -> f64 {
    size / (to - from) * ((-from / size).exp() - (-to / size).exp())
}

/// Returns the size in bytes if the working sets show that random lines are replaced.
pub(super) fn random(rounds: &[Round]) -> Option<Estimate> {
    let smallest = rounds.iter().map(|round| round.bytes).min()?;
    let near = rounds.iter().filter(|round| round.bytes == smallest);
    let first: Vec<f64> = near.flat_map(|round| round.warm.iter().copied()).collect();
    let cold: Vec<f64> = rounds.iter().flat_map(|round| round.cold.iter().copied()).collect();
    let nanos = Threshold::between(&first, &cold).nanos;
    let fast = cold.iter().filter(|time| **time <= nanos).count() as f64;
    let fast_misses = (fast + 0.5) / (cold.len() as f64 + 1.0);
    let parts =
        |line: f64| -> Vec<Part> { rounds.iter().flat_map(|round| parts(round, nanos, line)).collect() };
    let small = parts(LINES.0);
    let largest = rounds.iter().map(|round| round.bytes).max()? as f64;
    let sizes: Vec<f64> = std::iter::successors(Some(SMALLEST as f64 / 4.0), |size| Some(size * RATIO))
        .take_while(|size| *size < 16.0 * largest)
        .collect();
    let best = |parts: &[Part], law: Law| -> Vec<f64> {
        sizes.iter().map(|size| best_share(parts, law, *size, fast_misses, &FAST)).collect()
    };
    // Most caches keep the newest data, which few sizes and shares show already.
    let rough = |law: Law| {
        let sizes = sizes.iter().step_by(4);
        let of = |size: &f64| best_share(&small, law, *size, fast_misses, &ROUGH);
        sizes.map(of).fold(f64::NEG_INFINITY, f64::max)
    };
    if rough(newest) > rough(decayed) {
        return None;
    }
    let most = |of: &[f64]| of.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (random, certain) = (best(&small, decayed), most(&best(&small, newest)));
    if most(&random) < certain + CERTAIN {
        return None;
    }
    let range = |random: &[f64]| {
        let top = most(random);
        let likely = |at: &usize| random[*at] >= top - DROP;
        let (low, high) = ((0..sizes.len()).find(likely)?, (0..sizes.len()).rfind(likely)?);
        let at = (0..sizes.len()).find(|at| random[*at] >= top)?;
        (high + 1 < sizes.len()).then(|| (sizes[at], sizes[low] / RATIO, sizes[high] * RATIO))
    };
    // Each place that is not found takes a line of unknown size from the places that follow.
    let (small, large) = (range(&random)?, range(&best(&parts(LINES.1), decayed))?);
    Some(Estimate { value: (small.0 * large.0).sqrt(), low: small.1, high: large.2.max(small.2) })
}

fn parts(round: &Round, nanos: f64, line: f64) -> Vec<Part> {
    let mut taken = 0.0;
    let step = round.bytes as f64 / round.warm.len().max(1) as f64;
    let length = round.warm.len().div_ceil(PARTS).max(1);
    let part = |(nth, times): (usize, &[f64])| {
        let from = (nth * length) as f64 * step + taken;
        let fast = times.iter().filter(|time| **time <= nanos).count();
        taken += (times.len() - fast) as f64 * line;
        let age = (from, from + times.len() as f64 * step);
        Part { age, fast: fast as f64, slow: (times.len() - fast) as f64 }
    };
    round.warm.chunks(length).enumerate().map(part).collect()
}

/// Returns the largest log likelihood of a size over the shares of fast hits.
fn best_share(parts: &[Part], law: Law, size: f64, fast_misses: f64, shares: &[f64]) -> f64 {
    let of = |fast_hits: &f64| {
        let one = |part: &Part| {
            let there = law(part.age, size);
            let fast = (there * fast_hits + (1.0 - there) * fast_misses).clamp(1e-6, 1.0 - 1e-6);
            part.fast * fast.ln() + part.slow * (1.0 - fast).ln()
        };
        parts.iter().map(one).sum::<f64>()
    };
    shares.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
}
