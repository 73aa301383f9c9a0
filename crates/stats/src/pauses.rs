//! Pauses of a device: stretches of a run in which next to nothing completes. A visit holds few of them, so that its rate is
//! less known than the rest of it tells.

use crate::quantile::chi_square;
use crate::series::{Series, Window, rate};

/// Whether a start is slower than `level` only by windows in which next to nothing completed: a pause of the device, which
/// comes again, and no warm-up.
pub(crate) fn only_paused(start: &[Window], level: f64) -> bool {
    let ran: Vec<Window> = start.iter().filter(|w| w.iops() >= 0.1 * level).copied().collect();
    ran.is_empty() || ran.len() < start.len() && rate(&ran) > 0.9 * level
}

/// Times lost in pauses: windows, one behind the other, with less than half of the usual rate, that lost many more I/Os
/// than the others vary by. Seconds of each.
fn lost(windows: &[Window], usual: f64) -> Vec<f64> {
    const SLOW: f64 = 0.5;
    const MANY: f64 = 8.0;
    let mut off: Vec<f64> =
        windows.iter().map(|w| (w.all_ios() as f64 - usual * w.nanos as f64 / 1e9).abs()).collect();
    off.sort_by(f64::total_cmp);
    let spread = 1.48 * off.get(off.len() / 2).copied().unwrap_or(0.0);
    let mut all = Vec::new();
    let mut now = 0.0;
    let mut end = |now: &mut f64| {
        if *now * usual > MANY * spread.max(1.0) {
            all.push(*now);
        }
        *now = 0.0;
    };
    for w in windows {
        let seconds = w.nanos as f64 / 1e9;
        if w.iops() < SLOW * usual {
            now += seconds - w.all_ios() as f64 / usual;
        } else {
            end(&mut now);
        }
    }
    end(&mut now);
    all
}

/// The usual rate of windows: half of the time it is higher.
fn usual(windows: &[Window]) -> f64 {
    let mut sorted: Vec<&Window> = windows.iter().collect();
    sorted.sort_by(|a, b| a.iops().total_cmp(&b.iops()));
    let all: u64 = windows.iter().map(|w| w.nanos).sum();
    let mut now = 0;
    let middle = sorted.into_iter().find(|w| {
        now += w.nanos;
        2 * now >= all
    });
    middle.map_or(0.0, Window::iops)
}

/// Pauses that a series shows, and the seconds that they took.
pub fn paused(series: &Series) -> (usize, f64) {
    let usual = usual(&series.windows).max(rate(&series.windows));
    let lost = lost(&series.windows, usual);
    (lost.len(), lost.iter().sum())
}

/// How far `mean` may be too high and too low because pauses came a few times only, 95 % and 99 %: the time that they take
/// is a sum of few weights, whose number is as uncertain as a count (Fay and Feuer 1997).
pub(crate) fn paused_off(windows: &[Window], mean: f64) -> [[f64; 2]; 2] {
    let usual = usual(windows).max(mean);
    let lost = lost(windows, usual);
    let largest = lost.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return [[0.0; 2]; 2];
    }
    let (sum, squares) = (lost.iter().sum::<f64>(), lost.iter().map(|w| w * w).sum::<f64>());
    let seconds = windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    let ios = windows.iter().map(Window::all_ios).sum::<u64>() as f64;
    [1.96, 2.576].map(|z| {
        let (more, wide) = (sum + largest, squares + largest * largest);
        let high = wide / (2.0 * more) * chi_square(z, 2.0 * more * more / wide);
        let low = squares / (2.0 * sum) * chi_square(-z, 2.0 * sum * sum / squares);
        let rate = |lost: f64| ios / (seconds - sum + lost);
        [(mean - rate(high)).max(0.0), (rate(low) - mean).max(0.0)]
    })
}
