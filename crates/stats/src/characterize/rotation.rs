//! Period of a rotation, from the times at which reads of one place complete.
//!
//! Reads that wait for a place on a platter complete at whole rotations, whatever time was between them. If reads are
//! sent after random pauses, no other device has completions on such a grid.

use super::sample;
use crate::estimate::Estimate;
use std::f64::consts::TAU;

/// Periods that are looked for, in nanoseconds: 18,000 to 3,400 rotations per minute.
const PERIODS: (f64, f64) = (3.3e6, 17.7e6);
/// Share of completions on the grid (length of their mean vector) from which a rotation is seen.
const ON_GRID: f64 = 0.8;
/// Uncertainty as a share: the place moves by a block from read to read.
const SLIDE: f64 = 0.004;

/// Returns the period in nanoseconds; `None` if no rotation is seen. `completions` are times in nanoseconds, of reads that
/// took `latencies` nanoseconds and were sent after random pauses.
pub fn period(completions: &[f64], latencies: &[f64]) -> Option<Estimate> {
    let n = completions.len();
    if n < 32 || latencies.len() != n {
        return None;
    }
    let first = completions[0];
    let times: Vec<f64> = completions.iter().map(|time| time - first).collect();
    let duration = times[n - 1];
    if duration.is_nan() || duration <= 0.0 {
        return None;
    }
    let power = |frequency: f64| {
        let (mut x, mut y) = (0.0, 0.0);
        for time in &times {
            let (sin, cos) = (TAU * (time * frequency).fract()).sin_cos();
            (x, y) = (x + cos, y + sin);
        }
        f64::hypot(x, y) / n as f64
    };
    let (low, high) = (1.0 / PERIODS.1, 1.0 / PERIODS.0);
    let step = 0.2 / duration;
    let steps = (((high - low) / step) as usize).min(200_000);
    let grid: Vec<(f64, f64)> =
        (0..=steps).map(|nth| low + nth as f64 * step).map(|f| (f, power(f))).collect();
    let best = grid.iter().map(|(_, power)| *power).fold(0.0, f64::max);
    if best < ON_GRID {
        return None;
    }
    // Multiples of the frequency are as good: the lowest one is the rotation.
    let peak = grid.iter().position(|(_, power)| *power > 0.93 * best)?;
    let end =
        grid[peak..].iter().position(|(_, power)| *power < 0.5 * best).map_or(grid.len(), |more| peak + more);
    let around = grid[peak..end].iter().max_by(|a, b| a.1.total_cmp(&b.1))?.0;
    let fine = (-50..=50)
        .map(|nth| around + f64::from(nth) * step / 50.0)
        .max_by(|a, b| power(*a).total_cmp(&power(*b)))?;
    let value = 1.0 / fine;
    // Waits for a platter are spread over one rotation.
    let in_order = sample::sorted(latencies);
    let spread = sample::quantile(&in_order, 0.9) - sample::quantile(&in_order, 0.1);
    if !(0.4 * value..1.6 * value).contains(&spread) {
        return None;
    }
    Some(Estimate::around(value, value * (SLIDE + 0.2 * value / duration)))
}
