//! Slow stretches of a run: pauses of the device, in which hardly any I/O completes, and slow I/Os that occupy some
//! of its servers. A visit contains few of them, so its rate is less precise than its other windows suggest.

use crate::quantile::chi_square;
use crate::series::{Series, Window, rate};

/// Returns whether a start is slower than `level` (I/Os per second) only because of windows in which hardly any I/O
/// completed: a recurring pause of the device instead of warm-up.
pub(crate) fn only_paused(start: &[Window], level: f64) -> bool {
    let ran: Vec<Window> = start.iter().filter(|w| w.iops() >= 0.1 * level).copied().collect();
    ran.is_empty() || ran.len() < start.len() && rate(&ran) > 0.9 * level
}

/// Consecutive windows with a lower rate than usual.
#[derive(Clone, Debug)]
struct Stretch {
    /// Index of the first window, and index after the last.
    windows: (usize, usize),
    /// Lost time, seconds: missing I/Os divided by the usual rate.
    lost_s: f64,
    /// Whether more than half of the stretch's time was lost, so that hardly any I/O completed.
    is_pause: bool,
}

/// Returns the slow stretches: windows whose deficit against the usual rate sums to many times their variation and is
/// not made up later (one-sided cumulative sums, Page 1954). Examples are a pause, and one of many servers occupied
/// by a slow I/O.
fn stretches(windows: &[Window], usual: f64) -> Vec<Stretch> {
    const MANY: f64 = 8.0;
    const MATTERS: f64 = 0.05;
    if usual <= 0.0 {
        return Vec::new();
    }
    let lacks = |w: &Window| usual * w.nanos as f64 / 1e9 - w.all_ios() as f64;
    let mut off: Vec<f64> = windows.iter().map(|w| lacks(w).abs()).collect();
    off.sort_by(f64::total_cmp);
    let spread = (1.48 * off.get(off.len() / 2).copied().unwrap_or(0.0)).max(1.0);
    let mut all = Vec::new();
    // The cumulative sum and its peak; the deficit and the time, so far and at the peak.
    let (mut sum, mut peak) = (0.0, 0.0);
    let (mut now, mut at_peak) = ([0.0; 2], [0.0; 2]);
    let (mut first, mut last) = (0, 0);
    let mut end = |peak: f64, [lacked, seconds]: [f64; 2], windows: (usize, usize)| {
        // A drifting rate has a small deficit for a long time.
        if peak > MANY * spread && lacked > MATTERS * usual * seconds {
            let lost_s = lacked / usual;
            all.push(Stretch { windows, lost_s, is_pause: lost_s > 0.5 * seconds });
        }
    };
    for (at, w) in windows.iter().enumerate() {
        sum += lacks(w) - spread;
        now = [now[0] + lacks(w), now[1] + w.nanos as f64 / 1e9];
        if sum > peak {
            (peak, at_peak, last) = (sum, now, at + 1);
        } else if sum <= 0.0 || sum < peak - MANY / 2.0 * spread {
            end(peak, at_peak, (first, last));
            (sum, peak, now, first) = (0.0, 0.0, [0.0; 2], at + 1);
        }
    }
    end(peak, at_peak, (first, last));
    all
}

/// Returns the windows outside the slow stretches.
pub(crate) fn between(windows: &[Window]) -> Vec<Window> {
    let found = stretches(windows, usual(windows).max(rate(windows)));
    let slow = |at: usize| found.iter().any(|s| (s.windows.0..s.windows.1).contains(&at));
    windows.iter().enumerate().filter(|(at, _)| !slow(*at)).map(|(_, w)| *w).collect()
}

/// Returns the usual rate of windows, I/Os per second: the time-weighted median.
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

/// Slow stretches observed on a target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlowStretches {
    /// Number of slow stretches.
    pub count: usize,
    /// Observed time, seconds.
    pub seconds: f64,
    /// Time lost in slow stretches, seconds.
    pub lost_s: f64,
    /// Number of pauses among the stretches, and the time lost in pauses, seconds.
    pub pauses: (usize, f64),
    squares: f64,
    largest_s: f64,
}

impl SlowStretches {
    /// Returns the slow stretches of a series.
    pub fn of(series: &Series) -> SlowStretches {
        SlowStretches::among(&series.windows)
    }

    pub(crate) fn among(windows: &[Window]) -> SlowStretches {
        let found = stretches(windows, usual(windows).max(rate(windows)));
        let lost: Vec<f64> = found.iter().map(|s| s.lost_s).collect();
        let pauses = || found.iter().filter(|s| s.is_pause);
        SlowStretches {
            count: lost.len(),
            seconds: windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9,
            lost_s: lost.iter().sum(),
            pauses: (pauses().count(), pauses().map(|s| s.lost_s).sum()),
            squares: lost.iter().map(|s| s * s).sum(),
            largest_s: lost.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Returns the sum of both observations.
    pub fn and(&self, other: &SlowStretches) -> SlowStretches {
        SlowStretches {
            count: self.count + other.count,
            seconds: self.seconds + other.seconds,
            lost_s: self.lost_s + other.lost_s,
            pauses: (self.pauses.0 + other.pauses.0, self.pauses.1 + other.pauses.1),
            squares: self.squares + other.squares,
            largest_s: self.largest_s.max(other.largest_s),
        }
    }

    /// Returns the ends of the interval of the lost share of the time (0 to 1), for the quantile `z` of the normal
    /// distribution.
    fn share(&self, z: f64) -> [f64; 2] {
        let between = few_weights(self.lost_s, self.squares, self.largest_s, z);
        between.map(|lost_s| (lost_s / self.seconds).clamp(0.0, 1.0))
    }
}

/// Returns the ends of the interval of the expected sum of a Poisson number of weights, for the quantile `z` of the
/// normal distribution; the upper end includes one more of the largest weight (Fay and Feuer 1997).
pub(crate) fn few_weights(sum: f64, squares: f64, largest: f64, z: f64) -> [f64; 2] {
    if largest <= 0.0 {
        return [0.0; 2];
    }
    let (more, wide) = (sum + largest, squares + largest * largest);
    let high = wide / (2.0 * more) * chi_square(z, 2.0 * more * more / wide);
    let low = squares / (2.0 * sum) * chi_square(-z, 2.0 * sum * sum / squares);
    [low, high]
}

/// Returns the half-widths, [below, above] `mean`, of the 95 % and of the 99 % interval, I/Os per second, that result
/// from the small number of slow stretches in `windows` and, in other runs of the target, `before`.
pub(crate) fn slow_half_widths(windows: &[Window], mean: f64, before: &SlowStretches) -> [[f64; 2]; 2] {
    let own = SlowStretches::among(windows);
    let all = own.and(before);
    if all.count == 0 {
        return [[0.0; 2]; 2];
    }
    // The rate between the slow stretches.
    let ios = windows.iter().map(Window::all_ios).sum::<u64>() as f64;
    let between = ios / (own.seconds - own.lost_s).max(1e-9);
    [1.96, 2.576].map(|z| {
        let [least, most] = all.share(z);
        [(mean - between * (1.0 - most)).max(0.0), (between * (1.0 - least) - mean).max(0.0)]
    })
}
