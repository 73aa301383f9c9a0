//! Time of a seek by its distance: latency of reads at that distance, less the latency of reads without a move.

use super::sample;
use crate::estimate::Estimate;
use crate::quantile::student_t;
use serde::{Deserialize, Serialize};

/// Latencies at one distance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hops {
    /// Distance in bytes.
    pub distance: u64,
    /// Latencies in nanoseconds.
    pub nanos: Vec<f64>,
}

/// Seek time at one distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeekPoint {
    /// Distance in bytes.
    pub distance: u64,
    /// Time of the seek in nanoseconds.
    pub nanos: Estimate,
}

/// Seek time by distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeekCurve {
    /// Points by distance.
    pub points: Vec<SeekPoint>,
    /// Mean latency of a read without a seek, in nanoseconds.
    pub still: Estimate,
    /// Whether reads take longer the farther they are.
    pub moves: Moves,
}

/// Whether a device moves a head.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// Reads take longer with the distance.
    Seeks,
    /// No seek was seen: one over the whole device would take less than this time in nanoseconds.
    No(f64),
}

impl SeekCurve {
    /// Returns the seek time at the shortest distance, near a third of the device of `size` bytes, and over all of it.
    pub fn summary(&self, size: u64) -> Option<[Estimate; 3]> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        let third = size as f64 / 3.0;
        let near = |point: &&SeekPoint| ((point.distance as f64 - third).abs() * 1e3) as u64;
        Some([first.nanos, self.points.iter().min_by_key(near)?.nanos, last.nanos])
    }
}

/// Returns the curve of `hops` in order of distance, with the latencies `still` of reads without a move; `None` with too
/// few reads.
pub fn curve(still: &[f64], hops: &[Hops]) -> Option<SeekCurve> {
    let (still_times, _) = sample::without_pauses(still);
    let (still_mean, still_error) = sample::mean_and_error(&still_times)?;
    let mut points = Vec::new();
    let mut errors = Vec::new();
    for hop in hops {
        let (times, _) = sample::without_pauses(&hop.nanos);
        let (mean, error) = sample::mean_and_error(&times)?;
        let both = error.hypot(still_error);
        let freedom = (times.len().min(still_times.len()) as f64 - 1.0).max(1.0);
        let half = (student_t(0.975, freedom) * both).max(1e-3 * mean);
        let value = mean - still_mean;
        points.push(SeekPoint {
            distance: hop.distance,
            nanos: Estimate { value, low: value - half, high: value + half },
        });
        errors.push(both);
    }
    let (last, error) = (points.last()?.nanos, *errors.last()?);
    let least = (4.5 * error).max(0.05 * still_mean);
    let far = last.value > least;
    // A seek shorter than the bound of the test would not be seen, however equal the latencies are.
    let moves = if far && rises(&points) { Moves::Seeks } else { Moves::No(last.high.max(least)) };
    let still = sample::mean(&still_times)?;
    Some(SeekCurve { points, still, moves })
}

/// Returns whether the longer half of the distances takes longer than the shorter half, and the longest longer than the
/// median: a single slow place is no seek.
fn rises(points: &[SeekPoint]) -> bool {
    let half = points.len() / 2;
    let mean = |of: &[SeekPoint]| of.iter().map(|p| p.nanos.value).sum::<f64>() / of.len().max(1) as f64;
    let values: Vec<f64> = points.iter().map(|point| point.nanos.value).collect();
    let median = sample::quantile(&sample::sorted(&values), 0.5);
    points.len() >= 4 && mean(&points[half..]) > mean(&points[..half]) && values[values.len() - 1] > median
}
