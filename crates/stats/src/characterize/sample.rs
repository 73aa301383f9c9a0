//! Means and medians with intervals, of times that may include pauses of the device.

use crate::estimate::Estimate;
use crate::quantile::student_t;

/// Smallest half-width of an interval as a share of the value: times are not known better.
const RESOLUTION: f64 = 1e-3;
/// Multiple of the upper quartile's distance from the median beyond which a time is a pause.
const FAR: f64 = 6.0;

/// Returns the sorted times.
pub(super) fn sorted(times: &[f64]) -> Vec<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Returns the quantile `q` (0 to 1) of sorted values; 0 without any.
pub(super) fn quantile(sorted: &[f64], q: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    let at = q.clamp(0.0, 1.0) * last;
    let value = |at: f64| sorted.get(at as usize).copied().unwrap_or(0.0);
    value(at.floor()) + (value(at.ceil()) - value(at.floor())) * at.fract()
}

/// Returns the times without pauses of the device, and the number of pauses.
///
/// A pause is longer than the median by six times the distance of the upper quartile from the median, or by half the
/// median if that is more. Of exponentially distributed times fewer than one in 100 are as long; times of a seek with a
/// wait for the platter, which are spread over one rotation, never are.
pub fn without_pauses(times: &[f64]) -> (Vec<f64>, usize) {
    let in_order = sorted(times);
    let median = quantile(&in_order, 0.5);
    let limit = median + (FAR * (quantile(&in_order, 0.75) - median)).max(median / 2.0);
    let kept: Vec<f64> = times.iter().copied().filter(|time| *time <= limit).collect();
    // What happens to every twentieth request is part of its usual time.
    let pauses = times.len() - kept.len();
    if pauses * 20 > times.len() { (times.to_vec(), 0) } else { (kept, pauses) }
}

/// Returns whether the pauses among `times` are not disturbances but the rate of the device: more than one time in 32 is a
/// pause, and all pauses together took most of the time.
pub(super) fn pauses_are_the_rate(times: &[f64], is_pause: impl Fn(usize) -> bool) -> bool {
    let pauses: Vec<f64> = (0..times.len()).filter(|at| is_pause(*at)).map(|at| times[at]).collect();
    pauses.len() * 32 > times.len() && pauses.iter().sum::<f64>() > times.iter().sum::<f64>() / 2.0
}

/// Returns mean and standard error; `None` with fewer than two values.
pub fn mean_and_error(values: &[f64]) -> Option<(f64, f64)> {
    let n = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Some((mean, (variance / n).sqrt()))
}

/// Returns the mean with its 95 % interval (Student's t); `None` with fewer than two values.
pub fn mean(values: &[f64]) -> Option<Estimate> {
    let (mean, error) = mean_and_error(values)?;
    let half = student_t(0.975, values.len() as f64 - 1.0) * error;
    Some(Estimate::around(mean, half.max(RESOLUTION * mean.abs())))
}

/// Returns the median with an interval of at least 95 % between two order statistics, which no distribution invalidates;
/// `None` with fewer than six values.
pub fn median(values: &[f64]) -> Option<Estimate> {
    if values.len() < 6 {
        return None;
    }
    let in_order = sorted(values);
    // Number of values below the median: binomial with one half. Ranks are widened until 95 % are within.
    let n = in_order.len();
    let (mut chance, mut below, mut rank) = (0.5f64.powi(n.min(1000) as i32), 0.0, 0);
    if n > 1000 {
        rank = (n as f64 / 2.0 - 0.98 * (n as f64).sqrt()).floor() as usize;
    } else {
        while below + chance <= 0.025 {
            below += chance;
            chance *= (n - rank) as f64 / (rank + 1) as f64;
            rank += 1;
        }
        rank = rank.saturating_sub(1);
    }
    let value = quantile(&in_order, 0.5);
    let (low, high) = (in_order[rank], in_order[n - 1 - rank]);
    Some(Estimate {
        value,
        low: low.min(value * (1.0 - RESOLUTION)),
        high: high.max(value * (1.0 + RESOLUTION)),
    })
}

/// Returns the rate of `bytes` bytes per time in nanoseconds, in bytes per second.
pub(super) fn rate(bytes: f64, nanos: &Estimate) -> Estimate {
    // The interval of a mean may reach below zero; a stored rate is finite.
    let of = |time: f64| bytes * 1e9 / time.max(nanos.value / 100.0).max(1e-3);
    Estimate { value: of(nanos.value), low: of(nanos.high), high: of(nanos.low) }
}
