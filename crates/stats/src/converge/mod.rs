//! How well the mean rate of a run is known and whether it has run long enough: warm-up, level with an interval that allows for
//! autocorrelation, trend, stop rule. The methods and their measured coverage are in docs/method.md.

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

/// Number of slices that a series is analysed in: enough for an autocorrelation, few enough that each holds many I/Os.
const SLICES: usize = 40;
/// A start that is cut and was so many times faster than the rest is a level of its own and no warm-up.
const FLATTERS: f64 = 1.25;
/// Number of pauses, in the series and before it, from which their effect on the rate is estimated.
const ENOUGH_PAUSES: usize = 5;
/// Fewest slices that an interval is made from.
pub const LEAST_SLICES: usize = 20;

/// Returns the level of a series after its warm-up, the seconds that were cut as warm-up, and the trend of the rest. `None` below
/// three slices.
pub fn settle(series: &Series) -> Option<(RateLevel, f64, Trend)> {
    settle_knowing(series, &SlowStretches::default())
}

/// Returns the same as [`settle`], and also uses the slow stretches seen in earlier runs of the target (`before`).
pub fn settle_knowing(series: &Series, before: &SlowStretches) -> Option<(RateLevel, f64, Trend)> {
    let (windows, each) = slices(series);
    let mut found = level_after_warm_up(&windows)?;
    // The count is known to one I/O at either end, whatever the slices say.
    let seconds = each * found.slices as f64;
    found.error = found.error.max(0.29 / seconds.max(1e-9)).max(found.mean * LEAST_RELATIVE_ERROR);
    let mut moves = trend(&windows, each, found.cut);
    // A start that was much faster is no warm-up: a cache or credits lasted that long.
    let first = rate(&windows[..found.cut]);
    if found.cut > 0 && moves == Trend::Level && first > FLATTERS * found.mean {
        moves = Trend::Steps { at_s: found.cut as f64 * each, before: first, after: found.mean };
    }
    // Of two levels the later one is the device's.
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
    // A rate that drifts has no usual value that a stretch could be slower than.
    if !matches!(moves, Trend::Drifts(_)) {
        found = with_slow_stretches(found, series, &after(series, cut_s), before);
    }
    Some((found, cut_s, moves))
}

/// Returns the level of slices without those at the start that are warm-up.
fn level_after_warm_up(windows: &[Window]) -> Option<RateLevel> {
    let values: Vec<f64> = windows.iter().map(Window::iops).collect();
    let cut = warm_up(&values);
    let found = level(&windows[cut..])?;
    if cut == 0 {
        return Some(found);
    }
    // Noise alone has a quietest rest as well, so the start has to differ from it. A rate that has not settled by the middle and was
    // faster before did not start slowly; its trend is found later.
    let share = cut as f64 / found.slices as f64;
    let first = rate(&windows[..cut]);
    let differs = (first - found.mean).abs() > 4.0 * found.error * (1.0 + 1.0 / share).sqrt();
    let fell = cut + 5 > values.len() / 2 && first > found.mean;
    if !differs || fell || only_paused(&windows[..cut], found.mean) {
        return level(windows);
    }
    Some(RateLevel { cut, ..found })
}

/// Adds the uncertainty from slow stretches, of which a visit sees few, to the `level` of the windows `rest` of a series.
fn with_slow_stretches(
    level: RateLevel,
    series: &Series,
    rest: &[Window],
    before: &SlowStretches,
) -> RateLevel {
    let half_widths = slow_half_widths(rest, level.mean, before);
    // A pause is longer than a slice, and the few slices between pauses hardly count as independent. Where enough pauses are known,
    // their number and lengths tell what they do to the rate, and the slices are those of the time between them.
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

/// Returns the windows of a series merged to about [`SLICES`], and the mean seconds of one.
fn slices(series: &Series) -> (Vec<Window>, f64) {
    let windows = series.merged((series.windows.len() / SLICES).max(1)).windows;
    let seconds = windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    let each = seconds / windows.len().max(1) as f64;
    (windows, each)
}

/// Returns the windows that begin at `cut_s` or later.
fn after(series: &Series, cut_s: f64) -> Vec<Window> {
    let mut now = 0;
    let begins = |w: &&Window| {
        now += w.nanos;
        (now - w.nanos) as f64 / 1e9 + 1e-9 >= cut_s
    };
    series.windows.iter().filter(begins).copied().collect()
}

/// Returns the relative standard error of the mean rate of a whole series, and its degrees of freedom: from [`settle`] where the
/// rate stays at one level, else from the means of ten equal parts. `None` where the series is too short for either.
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

/// Returns the seconds that a series like this one must run for a 95 % interval of `within_percent` to either side.
pub fn seconds_for(series: &Series, within_percent: f64) -> Option<f64> {
    let (found, _, _) = settle(series)?;
    let (_, each) = slices(series);
    let relative = known(series)?.0.max(found.error / found.mean) * (found.slices as f64).sqrt();
    Some((1.96 * relative / (within_percent / 100.0)).powi(2) * each)
}

/// Returns how many of `ios` I/Os count as independent, if their latencies have the squared coefficient of variation `varied`. Were
/// all of them independent, the relative variance of the rate would be `varied` over their number; more comes from correlated I/Os.
pub fn independent(series: &Series, ios: u64, varied: f64) -> f64 {
    // Latencies that are all alike: the uneven lengths of windows must not make few independent I/Os of many.
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

/// Returns the index of dispersion of the I/Os in slices of about `slice_s` seconds: their variance over their mean (Cox and Lewis
/// 1966), 1 for random arrivals, 0 for a clock. `None` below ten slices.
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
