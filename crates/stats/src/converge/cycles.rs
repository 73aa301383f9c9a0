//! Rates with periodic bursts, such as those of a throttle with ten refills per second.

use super::LEAST_SLICES;
use super::level::{LEAST_RELATIVE_ERROR, RateLevel};
use crate::series::{Counted, Series, Window};

/// Returns the level of a series with periodic bursts, counted over whole periods. The error of this level is far
/// smaller than the error of a level from slices, which divide bursts. `None` if the series has no period.
pub(super) fn cycles(series: &Series) -> Option<RateLevel> {
    const EVEN: f64 = 0.12;
    let values: Vec<f64> = series.windows.iter().map(Window::iops).collect();
    let n = values.len();
    if n < LEAST_SLICES {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    // Autocorrelation of the values at this lag.
    let alike = |lag: usize| {
        let pairs = values.iter().zip(values.iter().skip(lag));
        let products: f64 = pairs.map(|(a, b)| (a - mean) * (b - mean)).sum();
        products / squares * n as f64 / (n - lag) as f64
    };
    let next = alike(1);
    let period = (2..=n / 5).find(|lag| {
        let here = alike(*lag);
        here >= 0.4 && here > next + 0.3 && here >= alike(lag - 1) && here >= alike(lag + 1)
    })?;
    let mut begins: Vec<usize> = Vec::new();
    for at in 1..n {
        let rises = values[at] > mean && values[at - 1] <= mean;
        if rises && begins.last().is_none_or(|last| at - last >= (period / 2).max(2)) {
            begins.push(at);
        }
    }
    if begins.len() < 7 {
        return None;
    }
    let each: Vec<Counted> =
        begins.windows(2).map(|ends| Counted::of(&series.windows[ends[0]..ends[1]])).collect();
    let count = each.len();
    let counted = Counted::of(&series.windows[begins[0]..begins[count]]);
    let (rate, seconds) = (counted.rate(), counted.seconds);
    // Random slow I/Os have gaps of all lengths between them; the gaps of a period are equal to within a window.
    let window = series.windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9 / n as f64;
    let usual = seconds / count as f64;
    let uneven = each.iter().map(|c| (c.seconds - usual).powi(2)).sum::<f64>() / count as f64;
    if uneven.sqrt() > (EVEN * usual).max(0.6 * window) {
        return None;
    }
    // A burst counted one window late makes one cycle longer and the next one shorter, so their errors cancel.
    let off: Vec<f64> = each.iter().map(|c| c.ios as f64 - rate * c.seconds).collect();
    let own = off.iter().map(|d| d * d).sum::<f64>();
    let shared = off.windows(2).map(|d| d[0] * d[1]).sum::<f64>();
    let spread = (own + 2.0 * shared).max(0.0) * count as f64 / (count - 1) as f64;
    // The time of either end is uncertain by one window.
    let error =
        (spread.sqrt() / seconds).max(0.41 * rate * window / seconds).max(rate * LEAST_RELATIVE_ERROR);
    Some(RateLevel {
        mean: rate,
        counted,
        error,
        independent: count as f64,
        slices: n,
        ..RateLevel::default()
    })
}

/// Returns the period in seconds of a rate with periodic bursts, measured with `in_flight` I/Os in flight; `None`
/// without bursts. I/Os of equal duration complete in batches of `in_flight`, so windows alternate by one batch; this
/// beat between duration and windows is no burst.
pub fn period(series: &Series, in_flight: u32) -> Option<f64> {
    const BURST: u64 = 4;
    let found = cycles(series)?;
    let counts = || series.windows.iter().map(Window::all_ios);
    if counts().max()? < counts().min()? + BURST.max(u64::from(in_flight) + 1) {
        return None;
    }
    let seconds = series.windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    Some(seconds / found.independent)
}
