//! Precision of the mean rate of a run, and whether the run is long enough: warm-up, level with an interval that
//! includes autocorrelation, trend, stop rule. The methods and their measured coverage are in docs/method.md.

mod cycles;
mod level;
mod stop_rule;
#[cfg(test)]
mod tests;
mod trend;
mod visits;

pub use cycles::period;
pub use level::{RateLevel, level};
pub use stop_rule::StopRule;
pub use trend::{Trend, warm_up};
pub use visits::{RunSpread, pooled, run_spread};

use crate::pauses::{SlowStretches, between, only_paused, slow_half_widths};
use crate::quantile::student_t;
use crate::series::{Series, Window, rate};
use cycles::cycles;
use level::LEAST_RELATIVE_ERROR;
use trend::trend;

/// Number of slices of an analysed series: enough for an autocorrelation, and few enough for many I/Os per slice.
const SLICES: usize = 40;
/// Ratio of rates from which a faster start is a separate level instead of warm-up.
const FLATTERS: f64 = 1.25;
/// Number of pauses, in the series and in earlier runs, from which their effect on the rate is estimated.
const ENOUGH_PAUSES: usize = 5;
/// Smallest number of slices for an interval.
pub const LEAST_SLICES: usize = 20;

/// Returns the level of a series after its warm-up, the length of the warm-up in seconds, and the trend of the rest.
/// `None` below three slices.
pub fn settle(series: &Series) -> Option<(RateLevel, f64, Trend)> {
    settle_knowing(series, &SlowStretches::default())
}

/// Returns the result of [`settle`] with the slow stretches of earlier runs of the target (`before`) included.
pub fn settle_knowing(series: &Series, before: &SlowStretches) -> Option<(RateLevel, f64, Trend)> {
    let (windows, each) = slices(series);
    let mut found = level_after_warm_up(&windows)?;
    // The count is uncertain by one I/O at either end.
    let seconds = each * found.slices as f64;
    found.error = found.error.max(0.29 / seconds.max(1e-9)).max(found.mean * LEAST_RELATIVE_ERROR);
    let mut moves = trend(&windows, each, found.cut);
    // A much faster start is no warm-up: a cache or credits were used up.
    let first = rate(&windows[..found.cut]);
    if found.cut > 0 && moves == Trend::Level && first > FLATTERS * found.mean {
        moves = Trend::Steps { at_s: found.cut as f64 * each, before: first, after: found.mean };
    }
    // The later of two levels is that of the device.
    if let Trend::Steps { at_s, .. } = moves {
        let cut = (at_s / each).round() as usize;
        if let Some(after) = windows.get(cut..).and_then(level) {
            let error = after.error.max(found.mean * LEAST_RELATIVE_ERROR);
            found = RateLevel { cut, error, ..after };
        }
    }
    if moves == Trend::Level
        && let Some(even) = cycles(series).filter(|even| even.error < found.error)
    {
        found = RateLevel { slices: found.slices, ..even };
        return Some((found, 0.0, moves));
    }
    let cut_s = windows[..found.cut].iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    // A drifting rate has no usual value with which slow stretches could be compared.
    if !matches!(moves, Trend::Drifts(_)) {
        found = with_slow_stretches(found, series, &after(series, cut_s), before);
    }
    Some((found, cut_s, moves))
}

/// Returns the level of the slices after the warm-up.
fn level_after_warm_up(windows: &[Window]) -> Option<RateLevel> {
    let values: Vec<f64> = windows.iter().map(Window::iops).collect();
    let cut = warm_up(&values);
    let found = level(&windows[cut..])?;
    if cut == 0 {
        return Some(found);
    }
    // MSER cuts noise as well, so the start must differ from the rest. A rate that is still unsettled in the middle
    // and was faster before has no slow start; the trend analysis covers this case.
    let share = cut as f64 / found.slices as f64;
    let first = rate(&windows[..cut]);
    let differs = (first - found.mean).abs() > 4.0 * found.error * (1.0 + 1.0 / share).sqrt();
    let fell = cut + 5 > values.len() / 2 && first > found.mean;
    if !differs || fell || only_paused(&windows[..cut], found.mean) {
        return level(windows);
    }
    Some(RateLevel { cut, ..found })
}

/// Returns `level` (of the windows `rest` of a series) with the uncertainty from slow stretches added, of which one
/// visit contains few.
fn with_slow_stretches(
    level: RateLevel,
    series: &Series,
    rest: &[Window],
    before: &SlowStretches,
) -> RateLevel {
    let half_widths = slow_half_widths(rest, level.mean, before);
    // A pause is longer than a slice, so few slices are independent. With enough known pauses their effect on the
    // rate follows from their number and lengths, and the slices cover the time between them.
    if SlowStretches::among(rest).and(before).pauses.0 >= ENOUGH_PAUSES {
        let mut others = series.clone();
        others.windows = between(rest);
        let between = self::level(&slices(&others).0);
        if let Some(between) = between.filter(|l| l.mean > 0.0 && l.slices >= LEAST_SLICES) {
            return level.with_slow_stretches_beside(&between, half_widths);
        }
    }
    level.with_slow_stretches_among_slices(half_widths)
}

/// Returns the windows of a series merged to about [`SLICES`] slices, and the mean length of a slice, seconds.
fn slices(series: &Series) -> (Vec<Window>, f64) {
    let windows = series.merged((series.windows.len() / SLICES).max(1)).windows;
    let seconds = windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    let each = seconds / windows.len().max(1) as f64;
    (windows, each)
}

/// Returns the windows that start at `cut_s` seconds or later.
fn after(series: &Series, cut_s: f64) -> Vec<Window> {
    let mut now = 0;
    let begins = |w: &&Window| {
        now += w.nanos;
        (now - w.nanos) as f64 / 1e9 + 1e-9 >= cut_s
    };
    series.windows.iter().filter(begins).copied().collect()
}

/// Returns the relative standard error of the mean rate of a whole series and its degrees of freedom: from [`settle`]
/// if the rate stays at one level, otherwise from the means of ten equal parts. `None` if the series is too short for
/// both.
pub fn known(series: &Series) -> Option<(f64, f64)> {
    if let Some((level, cut_s, Trend::Level)) = settle(series)
        && cut_s == 0.0
        && level.slices >= LEAST_SLICES
        && level.mean > 0.0
    {
        return Some((level.standard_error() / level.mean, level.independent - 1.0));
    }
    let (percent, parts) = (series.half_width_percent()?, 9.0);
    Some((percent / 100.0 / student_t(0.975, parts), parts))
}

/// Returns the runtime in seconds that a similar series needs for a 95 % interval of `within_percent` to either side.
pub fn seconds_for(series: &Series, within_percent: f64) -> Option<f64> {
    let (found, _, _) = settle(series)?;
    let (_, each) = slices(series);
    let relative = known(series)?.0.max(found.error / found.mean) * (found.slices as f64).sqrt();
    Some((1.96 * relative / (within_percent / 100.0)).powi(2) * each)
}

/// Returns the effective number of independent I/Os among `ios`, whose latencies have the squared coefficient of
/// variation `varied`. With independent I/Os the relative variance of the rate would be `varied` divided by their
/// number; correlation increases this variance.
pub fn independent(series: &Series, ios: u64, varied: f64) -> f64 {
    // For nearly equal latencies: the varying lengths of windows must not reduce the number of independent I/Os.
    const ALIKE: f64 = 2.5e-3;
    let n = ios as f64;
    let (windows, each) = slices(series);
    let cut = settle(series).map_or(0, |(level, ..)| level.cut).min(windows.len() / 2);
    let Some(found) = level(&windows[cut..]) else { return n };
    // A slice ends between two I/Os.
    let rounded = 1.0 / (6.0 * (found.mean * each).powi(2).max(1e-9) * found.independent);
    let relative = (found.error / found.mean).powi(2) - rounded;
    let share = (found.slices as f64 / windows.len() as f64).clamp(0.1, 1.0);
    if relative > 0.0 { (varied.max(ALIKE) / relative / share).min(n) } else { n }
}

/// Returns the index of dispersion of the number of I/Os in slices of about `slice_s` seconds: variance divided by
/// mean (Cox and Lewis 1966), 1 for random and 0 for regular arrivals. `None` below ten slices.
pub fn dispersion(series: &Series, slice_s: f64) -> Option<f64> {
    const LEAST: usize = 10;
    let seconds = series.windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    let each = seconds / series.windows.len().max(1) as f64;
    let windows = series.merged(((slice_s / each).round() as usize).max(1)).windows;
    let found = level(&windows).filter(|_| windows.len() >= LEAST)?;
    let n = windows.len() as f64;
    let more = windows.iter().map(|w| w.all_ios() as f64 - found.mean * w.nanos as f64 / 1e9);
    Some(more.map(|d| d * d).sum::<f64>() / (n - 1.0) / (found.mean * seconds / n))
}
