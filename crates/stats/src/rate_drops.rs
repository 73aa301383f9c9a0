//! Drops of the rate during a run: times at which the device was slower than before, for seconds or for good.
//!
//! The run is cut into blocks of about a second. The baseline is the mean of the last undisturbed blocks without outliers. A drop
//! begins when the mean of the last 2 to 32 blocks is below the baseline by a share of it and by a multiple of the
//! spread of such means in the baseline (median absolute deviation, so that neither earlier stalls nor heavy tails
//! widen or narrow it); it ends when the mean of as many blocks is back. The longer the mean, the smaller the drop that
//! counts.

use crate::series::{Series, Window};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Length of a block, nanoseconds.
pub(crate) const BLOCK_NS: u64 = 1_000_000_000;
/// Number of undisturbed blocks before a drop can be told.
const LEAST: usize = 12;
/// Number of undisturbed blocks that the baseline covers.
const MOST: usize = 90;
/// Lengths of means in blocks, with the smallest drop as a share of the baseline, and in spreads of such means.
const SCALES: [(usize, f64, f64); 5] =
    [(2, 0.45, 9.0), (4, 0.20, 7.5), (8, 0.14, 6.5), (16, 0.12, 6.0), (32, 0.12, 6.0)];
/// The spread of few blocks is uncertain: it is widened by the part `FEW / n` of `n` blocks.
const FEW: f64 = 6.0;
/// Distance from the median in spreads up to which a block belongs to the baseline.
const FAR: f64 = 5.0;
/// Part of the threshold at which a drop has ended.
const BACK: f64 = 0.5;
/// Factor between the median absolute deviation and the standard deviation of a normal distribution.
const MAD_SIGMA: f64 = 1.4826;

/// Time during which the rate was lower than before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateDrop {
    /// Start, seconds of measured time.
    pub at_s: f64,
    /// Length in seconds; `None` if it lasted until the end of the run.
    pub seconds: Option<f64>,
    /// Rate before it, I/Os per second.
    pub before: f64,
    /// Mean rate during it, I/Os per second.
    pub during: f64,
}

/// Baseline of the rates before a drop.
struct Baseline {
    level: f64,
    /// Spread of the means of each scale.
    spreads: [f64; SCALES.len()],
}

impl Baseline {
    fn of(blocks: &[f64]) -> Option<Baseline> {
        let recent = &blocks[blocks.len().saturating_sub(MOST)..];
        if recent.len() < LEAST {
            return None;
        }
        let middle = median(recent);
        let single = spread(recent, middle) * (1.0 + FEW / recent.len() as f64);
        // The median of a skewed distribution is not its mean, which is what longer means approach.
        let usual: Vec<f64> =
            recent.iter().copied().filter(|rate| (rate - middle).abs() <= FAR * single).collect();
        let level = if usual.is_empty() { middle } else { mean(&usual) };
        let spreads = SCALES.map(|(length, ..)| {
            let means: Vec<f64> = recent.rchunks_exact(length).map(mean).collect();
            let ideal = single / (length as f64).sqrt();
            // Few means say little; correlated blocks have means that spread more than independent ones.
            if means.len() >= 8 { ideal.max(spread(&means, level)) } else { ideal }
        });
        Some(Baseline { level, spreads })
    }

    /// Returns how far the rate has to fall for a scale.
    fn threshold(&self, scale: usize) -> f64 {
        let (_, share, spreads) = SCALES[scale];
        (share * self.level).max(spreads * self.spreads[scale])
    }
}

/// Returns the drops of a rate over time, in order.
pub fn rate_drops(series: &Series) -> Vec<RateDrop> {
    let by = BLOCK_NS.div_ceil(series.period.max(1)).max(1) as usize;
    let blocks = series
        .windows
        .chunks_exact(by)
        .map(|chunk| chunk.iter().fold(Window::default(), |sum, w| sum.plus(w)));
    let blocks: Vec<Window> = blocks.collect();
    let rates: Vec<f64> = blocks.iter().map(Window::iops).collect();
    let ends: Vec<f64> = blocks
        .iter()
        .scan(0.0, |time, block| {
            *time += block.nanos as f64 / 1e9;
            Some(*time)
        })
        .collect();
    let start_of = |at: usize| if at == 0 { 0.0 } else { ends[at - 1] };
    let mut drops = Vec::new();
    let mut undisturbed: Vec<f64> = Vec::new();
    let mut at = 0;
    while at < rates.len() {
        undisturbed.push(rates[at]);
        at += 1;
        let Some((scale, baseline)) = begins(&undisturbed) else { continue };
        let length = SCALES[scale].0;
        let low = baseline.level - BACK * baseline.threshold(scale);
        let first = change(&rates, at - length..at, low, |rate, low| low - rate);
        undisturbed.truncate(undisturbed.len() - (at - first));
        let mut end = at;
        while end < rates.len() && mean(&rates[end + 1 - length.min(end + 1)..=end]) < low {
            end += 1;
        }
        let over = end < rates.len();
        // The mean that shows the end includes blocks after it.
        let last = match over {
            true => change(&rates, first + 1..end + 1, low, |rate, low| rate - low),
            false => rates.len(),
        };
        drops.push(RateDrop {
            at_s: start_of(first),
            seconds: over.then(|| ends[last - 1] - start_of(first)),
            before: baseline.level,
            during: mean(&rates[first..last]),
        });
        at = last.max(at);
    }
    drops
}

/// Returns the index in a range from which on the rates are most likely on the other side of `low`: the largest sum of
/// their distances to it (the change point of a cumulative sum).
fn change(rates: &[f64], range: Range<usize>, low: f64, distance: fn(f64, f64) -> f64) -> usize {
    let (mut sum, mut most, mut first) = (0.0, f64::MIN, range.start);
    for at in range.rev() {
        sum += distance(rates[at], low);
        if sum >= most {
            (most, first) = (sum, at);
        }
    }
    first
}

/// Returns the scale at which the newest blocks are below the baseline of the ones before them.
fn begins(blocks: &[f64]) -> Option<(usize, Baseline)> {
    (0..SCALES.len()).find_map(|scale| {
        let (length, ..) = SCALES[scale];
        let split = blocks.len().checked_sub(length)?;
        let (before, newest) = blocks.split_at(split);
        let baseline = Baseline::of(before)?;
        (mean(newest) < baseline.level - baseline.threshold(scale)).then_some((scale, baseline))
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() % 2 {
        0 if half > 0 => f64::midpoint(sorted[half - 1], sorted[half]),
        _ => sorted.get(half).copied().unwrap_or_default(),
    }
}

fn spread(values: &[f64], level: f64) -> f64 {
    let offs: Vec<f64> = values.iter().map(|value| (value - level).abs()).collect();
    MAD_SIGMA * median(&offs)
}
