//! Rate of sequential reads over the surface of a device.

use super::sample;
use crate::estimate::Estimate;
use serde::{Deserialize, Serialize};

/// Share of the slices that are the outer, and the inner, part of the surface.
const PART: usize = 16;
/// Fall of the rate, as a share, below which a surface is not said to fall.
const LEAST_FALL: f64 = 0.03;
/// Possible difference of the inner rate from the outer rate, as a share, from which the ends cannot be compared: a hard
/// disk's rate falls by this share and more.
const UNCLEAR: f64 = 0.3;

/// Time of a sequential read of one slice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// Offset of the first byte.
    pub offset: u64,
    /// Bytes that were read in `nanos`.
    pub bytes: u64,
    /// Time in nanoseconds, without the way to the slice.
    pub nanos: f64,
}

/// Rate over the surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurfaceCurve {
    /// Slices in the order of their offsets.
    pub slices: Vec<Slice>,
    /// Rate of the first sixteenth of the slices, in bytes per second.
    pub outer: Estimate,
    /// Rate of the last sixteenth of the slices, in bytes per second.
    pub inner: Estimate,
    /// Rate of a read of the whole device, in bytes per second.
    pub mean: Estimate,
    /// Whether the rate falls from the first byte to the last.
    pub fall: Fall,
    /// Number of slices that were left out because the device paused.
    pub pauses: usize,
}

/// Change of the rate over the surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fall {
    /// The inner rate as a share of the outer rate.
    Falls(Estimate),
    /// No fall was seen; the inner rate differs from the outer rate by less than this share.
    Flat(f64),
    /// The times scatter too much to compare the inner rate with the outer rate.
    Unclear,
}

/// Returns the curve of slices in any order; `None` with fewer than 32.
pub fn curve(mut slices: Vec<Slice>) -> Option<SurfaceCurve> {
    if slices.len() < 2 * PART {
        return None;
    }
    slices.sort_by_key(|slice| slice.offset);
    let bytes = slices[0].bytes as f64;
    let times: Vec<f64> = slices.iter().map(|slice| slice.nanos * bytes / slice.bytes as f64).collect();
    let pauses: Vec<bool> = (0..times.len()).map(|at| paused(&times, at)).collect();
    // A device that pauses again and again, and most of the time, is as slow as its pauses: a limit of its rate works so.
    let limited = sample::pauses_are_the_rate(&times, |at| pauses[at]);
    let paused = |at: usize| pauses[at] && !limited;
    let usual: Vec<f64> = times.iter().enumerate().filter(|(at, _)| !paused(*at)).map(|(_, t)| *t).collect();
    let part = (times.len() / PART).max(4);
    let of = |from: usize, to: usize| -> Vec<f64> {
        (from..to).filter(|at| !paused(*at)).map(|at| times[at]).collect()
    };
    let (outer_times, inner_times) = (of(0, part), of(times.len() - part, times.len()));
    let outer = sample::rate(bytes, &sample::mean(&outer_times)?);
    let inner = sample::rate(bytes, &sample::mean(&inner_times)?);
    let mean = sample::rate(bytes, &trended_mean(&usual)?);
    let ratio = inner.over(&outer);
    // Both the ends and the order of all slices have to show the fall.
    let falls = ratio.high < 1.0 && ratio.value < 1.0 - LEAST_FALL && trend(&usual) > 4.0;
    let fall = if falls {
        Fall::Falls(ratio)
    } else {
        let within = (1.0 - ratio.low).abs().max((ratio.high - 1.0).abs());
        // Not a number where a rate is 0: not equal either.
        if within < UNCLEAR { Fall::Flat(within) } else { Fall::Unclear }
    };
    Some(SurfaceCurve { pauses: times.len() - usual.len(), slices, outer, inner, mean, fall })
}

/// Returns the indices of slices that took unusually long for their place, the longest first, which a pause of the device
/// may explain: they are worth another read.
///
/// A slice is unusual if it took longer than the median of its neighbours by a twentieth and by five times the distance of
/// the upper quartile from the median of all slices. `slices` are in order of their offsets.
pub fn unusual(slices: &[Slice]) -> Vec<usize> {
    let times: Vec<f64> = slices.iter().map(|slice| slice.nanos / slice.bytes.max(1) as f64).collect();
    let excess: Vec<f64> = (0..times.len()).map(|at| times[at] / usual_near(&times, at)).collect();
    let in_order = sample::sorted(&excess);
    let scatter = sample::quantile(&in_order, 0.75) - sample::quantile(&in_order, 0.5);
    let limit = 1.0 + (5.0 * scatter).max(0.05);
    let mut unusual: Vec<usize> = (0..times.len()).filter(|at| excess[*at] > limit).collect();
    unusual.sort_by(|a, b| excess[*b].total_cmp(&excess[*a]));
    unusual
}

/// Returns the median of a slice and its neighbours.
fn usual_near(times: &[f64], at: usize) -> f64 {
    let near = &times[at.saturating_sub(6)..(at + 7).min(times.len())];
    sample::quantile(&sample::sorted(near), 0.5)
}

/// Returns whether a slice took more than three times as long as the median of its neighbours.
fn paused(times: &[f64], at: usize) -> bool {
    times[at] > 3.0 * usual_near(times, at)
}

/// Returns the mean of times along a trend: only differences of neighbours count as scatter.
fn trended_mean(times: &[f64]) -> Option<Estimate> {
    let plain = sample::mean(times)?;
    let squares: f64 = times.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let n = times.len() as f64;
    let half = 2.0 * (squares / (2.0 * (n - 1.0)) / n).sqrt();
    // The end slices stand for half of their neighbourhood: half a step of the whole trend, over n.
    let ends = (times[times.len() - 1] - times[0]).abs() / (2.0 * n);
    Some(Estimate::around(plain.value, (half + ends).max(1e-3 * plain.value)))
}

/// Returns by how many standard deviations the order of the times rises (Mann and Kendall's test).
fn trend(times: &[f64]) -> f64 {
    let n = times.len() as f64;
    let mut rises = 0.0;
    for (at, first) in times.iter().enumerate() {
        for later in &times[at + 1..] {
            rises += if later > first {
                1.0
            } else if later < first {
                -1.0
            } else {
                0.0
            };
        }
    }
    rises / (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt()
}
