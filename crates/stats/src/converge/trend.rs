//! Behaviour of a rate over time: warm-up, and then a level, a drift or a step.

use super::level::{RateLevel, alike, level};
use crate::series::{Window, split};
use serde::{Deserialize, Serialize};

/// Behaviour of the rate of a run over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// The rate stayed at about one level.
    #[default]
    Level,
    /// The rate rose or fell; change from the first half to the second, percent of the mean.
    Drifts(f64),
    /// The rate changed from one level to another.
    Steps {
        /// Time of the step, seconds from the start.
        at_s: f64,
        /// I/Os per second before the step.
        before: f64,
        /// I/Os per second after the step.
        after: f64,
    },
}

/// Returns the trend of the rate after the first `cut` windows, each of about `each` seconds. The rate drifts or
/// steps if its halves differ by more than their errors explain and by more than 2 %.
pub(super) fn trend(windows: &[Window], each: f64, cut: usize) -> Trend {
    const FAR: f64 = 3.0;
    const MATTERS: f64 = 0.02;
    let rest = &windows[cut..];
    let halves = (level(&rest[..rest.len() / 2]), level(&rest[rest.len() / 2..]));
    let (Some(first), Some(second)) = halves else { return Trend::Level };
    let change = second.mean - first.mean;
    let mean = (first.mean + second.mean) / 2.0;
    // The errors are relative to a line through all windows, so that a drift does not increase them.
    let values: Vec<f64> = rest.iter().map(Window::iops).collect();
    let line = slope(&values);
    let around: Vec<f64> = values
        .iter()
        .enumerate()
        .map(|(n, v)| v - line * (n as f64 - (rest.len() - 1) as f64 / 2.0))
        .collect();
    let error = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        (squares / (n - 1.0) / alike(values, mean).1).sqrt()
    };
    let (low, high) = around.split_at(rest.len() / 2);
    if change.abs() <= FAR * error(low).hypot(error(high)) || change.abs() <= MATTERS * mean {
        return Trend::Level;
    }
    // The levels before and after a step differ by more than each varies. Each has at least a fifth of the time,
    // because a pause is no level.
    let Some(at) = split(&values, (rest.len() / 5).max(3)) else { return Trend::Level };
    let sides = (level(&rest[..at]), level(&rest[at..]));
    if let (Some(before), Some(after)) = sides {
        let spread = |l: &RateLevel| l.error * l.independent.sqrt();
        if (after.mean - before.mean).abs() > 4.0 * spread(&before).max(spread(&after)) {
            return Trend::Steps { at_s: (cut + at) as f64 * each, before: before.mean, after: after.mean };
        }
    }
    Trend::Drifts(100.0 * change / mean)
}

/// Returns the change of the least-squares line per value.
fn slope(values: &[f64]) -> f64 {
    let middle = (values.len() - 1) as f64 / 2.0;
    let (mut products, mut squares) = (0.0, 0.0);
    for (n, value) in values.iter().enumerate() {
        products += (n as f64 - middle) * value;
        squares += (n as f64 - middle).powi(2);
    }
    if squares > 0.0 { products / squares } else { 0.0 }
}

/// Returns the number of values at the start that are warm-up by MSER-5 (White 1997); about half of the values if the
/// rate never settles.
pub fn warm_up(values: &[f64]) -> usize {
    const BATCH: usize = 5;
    let means: Vec<f64> =
        values.chunks_exact(BATCH).map(|chunk| chunk.iter().sum::<f64>() / BATCH as f64).collect();
    let n = means.len();
    let (mut best, mut least) = (0, f64::INFINITY);
    for cut in 0..=n / 2 {
        let rest = &means[cut..];
        if rest.len() < 2 {
            break;
        }
        let mean = rest.iter().sum::<f64>() / rest.len() as f64;
        let squares = rest.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / (rest.len() as f64).powi(2);
        // A later cut must be clearly better, because noise always produces some minimum.
        if squares < least * 0.95 {
            (best, least) = (cut, squares);
        }
    }
    best * BATCH
}
