//! Has it run long enough? Warm-up cut, interval that knows that neighbours are alike, late change, stopping rule.
//! Methods and their measured coverage: spec of methods, section 7.3 (docs/method.md names each).

use crate::estimate::Estimate;
use crate::pauses::{SlowStretches, between, only_paused, slow_off};
use crate::quantile::{chi_square, student_t};
use crate::series::{Counted, Series, Window, rate, split};
use serde::{Deserialize, Serialize};

/// Slices that the analysis works on: enough to see how alike neighbours are, few enough that each counts much.
const SLICES: usize = 40;
/// What was cut at the start is told if it was so many times faster than what came after.
const FLATTERS: f64 = 1.25;
/// So many pauses, own and those seen before, tell what pauses do to the rate.
const ENOUGH_PAUSES: usize = 5;
/// No interval from fewer.
pub const LEAST_SLICES: usize = 20;

/// A level with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLevel {
    /// I/Os over time, I/Os per second.
    pub mean: f64,
    /// The I/Os and the time that it is made of: all after the cut; of bursts, from the first to the last.
    pub counted: Counted,
    /// Standard error of the mean.
    pub error: f64,
    /// Skewness of the mean: that of the slices over the root of their number.
    pub skewness: f64,
    /// What slow stretches that were seen a few times only may have the mean too high and too low by, 95 % and 99 %.
    pub pauses: [[f64; 2]; 2],
    /// The error is that of the time between slow stretches: what these add is in `pauses` alone.
    pub apart: bool,
    /// Slices that count as independent.
    pub independent: f64,
    /// Lag-1 autocorrelation, corrected for its bias.
    pub correlation: f64,
    /// Slices that were cut at the start.
    pub cut: usize,
    /// Slices that are left.
    pub slices: usize,
}

impl RateLevel {
    /// The 95 % interval.
    pub fn estimate(&self) -> Estimate {
        self.within(0)
    }

    /// Half of the 99 % interval, percent of the mean.
    pub fn half_99_percent(&self) -> f64 {
        self.within(1).half_percent()
    }

    /// The 95 % interval (0) or the 99 % one (1).
    fn within(&self, which: usize) -> Estimate {
        let t = student_t([0.975, 0.995][which], self.independent - 1.0);
        let half = self.error * t;
        // A mean of skewed values is off by more on the side of the tail, of which too little was seen (Johnson 1978).
        let tail = self.error * self.skewness * (1.0 + 2.0 * t * t) / 6.0;
        let [above, below] = self.pauses[which];
        // Two causes are added as squares; of one that the slices have seen as well, the larger counts.
        let both = |slices: f64, pauses: f64| {
            if self.apart { slices.hypot(pauses) } else { slices.max(pauses) }
        };
        let low = self.mean - both(half + (-tail).max(0.0), above);
        let high = self.mean + both(half + tail.max(0.0), below);
        Estimate { value: self.mean, low: low.max(0.0), high }
    }
}

/// How many values at the start are warm-up: MSER-5 (White 1997). Half of them: it never settled.
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
        // A later cut has to be clearly better: noise alone always finds some.
        if squares < least * 0.95 {
            (best, least) = (cut, squares);
        }
    }
    best * BATCH
}

/// How alike neighbours are, and how many of the values count as independent: n (1-r)/(1+r), with r the lag-1
/// autocorrelation, corrected for its bias. At least three values.
fn alike(values: &[f64], mean: f64) -> (f64, f64) {
    let n = values.len() as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let lagged: f64 = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let raw = if squares > 0.0 { lagged / squares } else { 0.0 };
    let correlation = (raw + (1.0 + 3.0 * raw.max(0.0)) / n).clamp(0.0, 0.95);
    (correlation, (n * (1.0 - correlation) / (1.0 + correlation)).max(3.0))
}

/// The rate of all of `windows`, no cut: I/Os over time, whatever the lengths of the windows, with the error of such a ratio
/// (Cochran 1977, 6.4: from what each window has more or less than its length makes expect). `None` below three.
pub fn level(windows: &[Window]) -> Option<RateLevel> {
    let n = windows.len();
    if n < 3 {
        return None;
    }
    let counted = Counted::of(windows);
    let (mean, seconds) = (counted.rate(), counted.seconds);
    let more: Vec<f64> = windows.iter().map(|w| w.all_ios() as f64 - mean * w.nanos as f64 / 1e9).collect();
    let (correlation, independent) = alike(&more, 0.0);
    let squares: f64 = more.iter().map(|d| d * d).sum();
    let error = (squares / (n - 1) as f64 / independent).sqrt() * n as f64 / seconds;
    let cubes: f64 = more.iter().map(|d| d.powi(3)).sum();
    let skewness = cubes / squares.powf(1.5).max(1e-300) * (n as f64 / independent).sqrt();
    let pauses = [[0.0; 2]; 2];
    Some(RateLevel {
        mean,
        counted,
        error,
        skewness,
        pauses,
        apart: false,
        independent,
        correlation,
        cut: 0,
        slices: n,
    })
}

/// How well the mean rate of a whole series is known: relative standard error and degrees of freedom. Where it stays at one
/// level as [`settle`] knows it, else from the means of ten equal parts; `None` where there is too little for that too.
pub fn known(series: &Series) -> Option<(f64, f64)> {
    if let Some((level, cut_s, Trend::Level)) = settle(series)
        && cut_s == 0.0
        && level.slices >= LEAST_SLICES
        && level.mean > 0.0
    {
        let [above, below] = level.pauses[0];
        let pauses = if level.apart { above.max(below) / 1.96 } else { 0.0 };
        return Some((level.error.hypot(pauses) / level.mean, level.independent - 1.0));
    }
    let (percent, parts) = (series.half_width_percent()?, 9.0);
    Some((percent / 100.0 / student_t(0.975, parts), parts))
}

/// The windows of a series merged to about [`SLICES`], and the mean seconds of one.
fn slices(series: &Series) -> (Vec<Window>, f64) {
    let windows = series.merged((series.windows.len() / SLICES).max(1)).windows;
    let seconds = windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    let each = seconds / windows.len().max(1) as f64;
    (windows, each)
}

/// The level of a series after its warm-up, with the seconds that were cut, and how it went on. `None` below three
/// slices.
pub fn settle(series: &Series) -> Option<(RateLevel, f64, Trend)> {
    settle_knowing(series, &SlowStretches::default())
}

/// The same of a target whose slow stretches were seen `before`.
pub fn settle_knowing(series: &Series, before: &SlowStretches) -> Option<(RateLevel, f64, Trend)> {
    let (windows, each) = slices(series);
    let values: Vec<f64> = windows.iter().map(Window::iops).collect();
    let mut cut = warm_up(&values);
    let mut found = level(&windows[cut..])?;
    if cut > 0 {
        // Noise alone has a quietest rest too: what is cut has to be different. And what has not settled by the middle
        // and was faster before is no slow start: it moves, how is another question.
        let share = cut as f64 / found.slices as f64;
        let first = rate(&windows[..cut]);
        let apart = (first - found.mean).abs() > 4.0 * found.error * (1.0 + 1.0 / share).sqrt();
        let fell = cut + 5 > values.len() / 2 && first > found.mean;
        if !apart || fell || only_paused(&windows[..cut], found.mean) {
            cut = 0;
            found = level(&windows)?;
        }
    }
    found.cut = cut;
    // A count is known to one I/O at either end, whatever the slices say.
    let seconds = each * (values.len() - cut) as f64;
    found.error = found.error.max(0.29 / seconds.max(1e-9)).max(found.mean * 5e-4);
    let mut moves = trend(&windows, each, cut);
    // A start that was much faster is no warm-up: something held out for so long.
    let first = rate(&windows[..cut]);
    if cut > 0 && moves == Trend::Level && first > FLATTERS * found.mean {
        moves = Trend::Steps { at_s: cut as f64 * each, before: first, after: found.mean };
    }
    // Of two levels the later one is the device's.
    if let Trend::Steps { at_s, .. } = moves {
        let at = (at_s / each).round() as usize;
        if let Some(after) = windows.get(at..).and_then(level) {
            cut = at;
            found = RateLevel { cut, error: after.error.max(found.mean * 5e-4), ..after };
        }
    }
    if moves == Trend::Level
        && let Some(even) = cycles(series).filter(|even| even.error < found.error)
    {
        found = RateLevel { slices: found.slices, ..even };
        return Some((found, 0.0, moves));
    }
    let cut_s = windows[..cut].iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9;
    // A rate that falls all the time has no usual one.
    if !matches!(moves, Trend::Drifts(_)) {
        let rest = after(series, cut_s);
        found.pauses = slow_off(&rest, found.mean, before);
        // A pause is longer than a slice, and the few there are leave hardly a slice that counts as independent: where
        // enough of them are known, what they do to the rate is told by their number and lengths, and the slices tell of
        // the time between them.
        if SlowStretches::among(&rest).and(before).pauses.0 >= ENOUGH_PAUSES {
            let mut others = series.clone();
            others.windows = between(&rest);
            if let Some(level) =
                level(&slices(&others).0).filter(|l| l.mean > 0.0 && l.slices >= LEAST_SLICES)
            {
                found.error = level.error / level.mean * found.mean;
                (found.skewness, found.independent, found.correlation) =
                    (level.skewness, level.independent, level.correlation);
                found.error = found.error.max(found.mean * 5e-4);
                found.apart = true;
            }
        }
    }
    Some((found, cut_s, moves))
}

/// The windows that begin at `cut_s` or later.
fn after(series: &Series, cut_s: f64) -> Vec<Window> {
    let mut now = 0;
    let begins = |w: &&Window| {
        now += w.nanos;
        (now - w.nanos) as f64 / 1e9 + 1e-9 >= cut_s
    };
    series.windows.iter().filter(begins).copied().collect()
}

/// The level of a series that comes in bursts of one period (a throttle lets go ten times a second): counted from one burst
/// to another its rate is known far better than slices tell that cut the bursts. `None` where it has no period.
fn cycles(series: &Series) -> Option<RateLevel> {
    const EVEN: f64 = 0.12;
    let values: Vec<f64> = series.windows.iter().map(crate::series::Window::iops).collect();
    let n = values.len();
    if n < LEAST_SLICES {
        return None;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    // How alike values are that lie so far apart.
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
    // Slow I/Os that come at random have gaps of all lengths between them; a period has one, give or take a window.
    let window = series.windows.iter().map(|w| w.nanos).sum::<u64>() as f64 / 1e9 / n as f64;
    let usual = seconds / count as f64;
    let uneven = each.iter().map(|c| (c.seconds - usual).powi(2)).sum::<f64>() / count as f64;
    if uneven.sqrt() > (EVEN * usual).max(0.6 * window) {
        return None;
    }
    // A burst that is seen a window late makes one cycle longer and the next shorter: neighbours make up for each other.
    let off: Vec<f64> = each.iter().map(|c| c.ios as f64 - rate * c.seconds).collect();
    let own = off.iter().map(|d| d * d).sum::<f64>();
    let shared = off.windows(2).map(|d| d[0] * d[1]).sum::<f64>();
    let spread = (own + 2.0 * shared).max(0.0) * count as f64 / (count - 1) as f64;
    // Either end is known to a window.
    let error = (spread.sqrt() / seconds).max(0.41 * rate * window / seconds).max(rate * 5e-4);
    let pauses = [[0.0; 2]; 2];
    let independent = count as f64;
    let (skewness, correlation) = (0.0, 0.0);
    Some(RateLevel {
        mean: rate,
        counted,
        error,
        skewness,
        pauses,
        apart: false,
        independent,
        correlation,
        cut: 0,
        slices: n,
    })
}

/// How the rate behaved over a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// About one level.
    #[default]
    Level,
    /// Still rises or falls; percent of the mean from its first half to its second.
    Drifts(f64),
    /// One level, then another: seconds before it, I/Os per second before and after.
    Steps {
        /// Seconds before it.
        at_s: f64,
        /// Before.
        before: f64,
        /// After.
        after: f64,
    },
}

/// Whether the values stay at one level: the halves differ by more than their errors allow and by more than two
/// percent, or it never settled.
fn trend(windows: &[Window], each: f64, cut: usize) -> Trend {
    const FAR: f64 = 3.0;
    const MATTERS: f64 = 0.02;
    let rest = &windows[cut..];
    let halves = (level(&rest[..rest.len() / 2]), level(&rest[rest.len() / 2..]));
    let (Some(first), Some(second)) = halves else { return Trend::Level };
    let change = second.mean - first.mean;
    let mean = (first.mean + second.mean) / 2.0;
    // The errors of the halves around a line through all: a drift must not hide behind the spread that it makes.
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
    // A step leaves two levels, each narrower than what is between them.
    // A fifth of all at least on either side: a pause is no level.
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

/// Least squares: change per value.
fn slope(values: &[f64]) -> f64 {
    let middle = (values.len() - 1) as f64 / 2.0;
    let (mut products, mut squares) = (0.0, 0.0);
    for (n, value) in values.iter().enumerate() {
        products += (n as f64 - middle) * value;
        squares += (n as f64 - middle).powi(2);
    }
    if squares > 0.0 { products / squares } else { 0.0 }
}

/// The sequential rule: looks when the series has grown by a quarter since the last look, and is content when the 99 %
/// interval is narrow enough and nothing moves (the 95 % interval is what is told: looking often is paid for by that).
#[derive(Clone, Copy, Debug)]
pub struct StopRule {
    /// Half of the interval that is wanted, percent.
    pub within_percent: f64,
    /// Nanoseconds that it runs in any case.
    pub least_nanos: u64,
    /// Nanoseconds of load before anything counts.
    pub warm_up_nanos: u64,
    before: SlowStretches,
    seen: u64,
}

impl StopRule {
    /// Warm-up of a point unless another one is asked for.
    const WARM_UP_NANOS: u64 = 50_000_000;

    /// A new rule.
    pub fn new(within_percent: f64, least_nanos: u64) -> Self {
        StopRule {
            within_percent,
            least_nanos,
            warm_up_nanos: Self::WARM_UP_NANOS,
            before: SlowStretches::default(),
            seen: 0,
        }
    }

    /// The same after so many nanoseconds of load that do not count, where those are more than the usual.
    pub fn after(self, warm_up_nanos: u64) -> Self {
        StopRule { warm_up_nanos: warm_up_nanos.max(Self::WARM_UP_NANOS), ..self }
    }

    /// The same of a target whose slow stretches were seen `before`.
    pub fn knowing(self, before: SlowStretches) -> Self {
        StopRule { before, ..self }
    }

    /// Whether `series` is enough.
    pub fn enough(&mut self, series: &Series) -> bool {
        let nanos: u64 = series.windows.iter().map(|w| w.nanos).sum();
        if series.windows.len() < LEAST_SLICES
            || nanos < self.least_nanos
            || nanos < self.seen + self.seen / 4
        {
            return false;
        }
        self.seen = nanos;
        settle_knowing(series, &self.before).is_some_and(|(level, _, trend)| {
            level.slices >= LEAST_SLICES
                && level.half_99_percent() <= self.within_percent
                && !matches!(trend, Trend::Drifts(_))
        })
    }
}

/// How many of `ios` I/Os count as independent, whose times have the squared coefficient of variation `varied`: were they
/// all, the rate would be as uncertain as that over their number makes it; what is more comes from I/Os that go together.
pub fn independent(series: &Series, ios: u64, varied: f64) -> f64 {
    // Times that are all alike: the looks' own unevenness must not make few of many.
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

/// Seconds from one burst to the next, of a rate that comes in bursts of one period; `in_flight` at a time. I/Os that all take
/// equally long complete together, as many as are in flight, and fall into windows by one batch more or less in turn: the beat
/// of their time with the windows is no burst.
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

/// How much the numbers of I/Os in slices of about so many seconds vary: their variance over their mean (index of dispersion;
/// Cox and Lewis 1966), 1 for arrivals at random, 0 for a clock. `None` below ten slices.
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

/// Seconds that a series like this one must run for an interval of `within_percent` (95 %).
pub fn seconds_for(series: &Series, within_percent: f64) -> Option<f64> {
    let (found, _, _) = settle(series)?;
    let (_, each) = slices(series);
    let relative = known(series)?.0.max(found.error / found.mean) * (found.slices as f64).sqrt();
    Some((1.96 * relative / (within_percent / 100.0)).powi(2) * each)
}

/// Several visits to the same cell as one: the mean of their means, with an error that holds what each has by itself and
/// what they differ by.
pub fn pooled(visits: &[Estimate], seconds: &[f64]) -> Option<Estimate> {
    let all: f64 = seconds.iter().sum();
    if visits.is_empty() || visits.len() != seconds.len() || all <= 0.0 {
        return None;
    }
    let weights: Vec<f64> = seconds.iter().map(|s| s / all).collect();
    let value: f64 = visits.iter().zip(&weights).map(|(v, w)| v.value * w).sum();
    let within = |side: &dyn Fn(&Estimate) -> f64| {
        visits.iter().zip(&weights).map(|(v, w)| (side(v) * w).powi(2)).sum::<f64>().sqrt()
    };
    let n = visits.len() as f64;
    let between = if visits.len() > 1 {
        let squares: f64 = visits.iter().zip(&weights).map(|(v, w)| w * (v.value - value).powi(2)).sum();
        1.96 * (squares / (n - 1.0)).sqrt()
    } else {
        0.0
    };
    let (below, above) = (within(&|v| v.value - v.low), within(&|v| v.high - v.value));
    let low = (value - below.max(between)).max(0.0);
    Some(Estimate { value, low, high: value + above.max(between) })
}

/// How runs differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differ {
    /// Their mean, with its interval from what they differ by alone.
    pub mean: Estimate,
    /// Their standard deviation, percent of the mean.
    pub between_percent: Estimate,
    /// What it would be if each run's own interval said all.
    pub within_percent: f64,
}

/// How runs of the same load differ; `None` of fewer than three. The interval of the standard deviation is that of
/// normal ones (chi square).
pub fn differ(runs: &[Estimate]) -> Option<Differ> {
    let n = runs.len() as f64;
    let mean = runs.iter().map(|r| r.value).sum::<f64>() / n;
    if runs.len() < 3 || mean <= 0.0 {
        return None;
    }
    let freedom = n - 1.0;
    let variance = runs.iter().map(|r| (r.value - mean).powi(2)).sum::<f64>() / freedom;
    let own = runs.iter().map(|r| (r.half() / 1.96).powi(2)).sum::<f64>() / n;
    let percent = |variance: f64| 100.0 * variance.sqrt() / mean;
    let end = |z: f64| percent(variance * freedom / chi_square(z, freedom));
    Some(Differ {
        mean: Estimate::around(mean, student_t(0.975, freedom) * (variance / n).sqrt()),
        between_percent: Estimate { value: percent(variance), low: end(1.96), high: end(-1.96) },
        within_percent: percent(own),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    /// Uniform numbers of a seed, and normal ones from them.
    struct Noise(u64);

    impl Noise {
        fn unit(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }

        fn normal(&mut self) -> f64 {
            (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
        }
    }

    fn of(rates: &[f64]) -> Series {
        let mut s = Series::default();
        let (mut now, mut ios) = (0, 0.0);
        s.look(now, [0; 3], [0; 3]);
        for rate in rates {
            now += s.period;
            ios += rate * s.period as f64 / 1e9;
            s.look(now, [ios as u64, 0, 0], [0; 3]);
        }
        s
    }

    /// The interval covers the truth about as often as it says, also where neighbours are alike.
    #[test]
    fn the_interval_of_an_autocorrelated_series_covers_the_truth() {
        let mut noise = Noise(88172645463325252);
        for (rho, least, most) in [(0.0, 0.92, 0.985), (0.5, 0.90, 0.985), (0.8, 0.86, 0.985)] {
            let mut held = 0;
            const TRIALS: usize = 1000;
            for _ in 0..TRIALS {
                let mut state = noise.normal() / (1.0f64 - rho * rho).sqrt();
                let windows: Vec<Window> = (0..60)
                    .map(|_| {
                        state = rho * state + noise.normal();
                        let ios = (100_000.0 + 5000.0 * state).round() as u64;
                        Window { nanos: 100_000_000_000, ios: [ios, 0, 0], bytes: [0; 3] }
                    })
                    .collect();
                held += usize::from(level(&windows).unwrap().estimate().holds(1000.0));
            }
            let share = held as f64 / TRIALS as f64;
            assert!((least..=most).contains(&share), "rho {rho}: {share}");
        }
    }

    #[test]
    fn the_start_is_cut_a_step_and_a_drift_are_told_and_noise_is_neither() {
        let mut noise = Noise(4711);
        let (mut wrong, mut slow_steps) = (0, 0);
        for _ in 0..200 {
            let level: Vec<f64> = (0..120).map(|_| 20_000.0 * (1.0 + 0.05 * noise.normal())).collect();
            wrong += usize::from(settle(&of(&level)).unwrap().2 != Trend::Level);
            let slow: Vec<f64> =
                level.iter().enumerate().map(|(n, v)| v * (1.0 - 0.5 * (-(n as f64) / 8.0).exp())).collect();
            let (found, cut, trend) = settle(&of(&slow)).unwrap();
            slow_steps += usize::from(matches!(trend, Trend::Steps { .. }));
            assert!(cut > 0.0 && (found.mean / 20_000.0 - 1.0).abs() < 0.03, "{cut} {found:?}");
            let stepped: Vec<f64> =
                level.iter().enumerate().map(|(n, v)| if n < 70 { *v } else { v * 0.5 }).collect();
            let (_, _, trend) = settle(&of(&stepped)).unwrap();
            let Trend::Steps { at_s, before, after } = trend else { panic!("{trend:?}") };
            assert!((at_s - 3.5).abs() < 0.31 && before / after > 1.8, "{trend:?}");
            let falls: Vec<f64> =
                level.iter().enumerate().map(|(n, v)| v * (1.0 - 0.003 * n as f64)).collect();
            assert_ne!(settle(&of(&falls)).unwrap().2, Trend::Level);
        }
        assert!(wrong <= 6 && slow_steps <= 6, "{wrong} and {slow_steps} of 200");
    }

    /// A throttle that lets a tenth of a second's I/Os go at once: the rate is known to a percent after a second and a
    /// half, and noise has no period.
    #[test]
    fn bursts_are_counted_from_one_to_another_and_noise_has_none() {
        let mut noise = Noise(271828);
        let (mut held, mut close, mut found) = (0, 0, 0);
        const TRIALS: usize = 300;
        for _ in 0..TRIALS {
            // 500 a second in bursts of 50, looked at every 20 to 22 ms from a drawn moment on.
            let (mut s, mut now) = (Series::with(std::time::Duration::from_millis(20)), noise.unit() * 0.1);
            let begin = now;
            while now < begin + 1.5 {
                let late = if noise.unit() < 0.3 { 0.002 * noise.unit() } else { 0.0 };
                let ios = 50 * ((now / 0.1) as u64);
                s.look((now * 1e9) as u64, [ios, 0, 0], [0; 3]);
                now += 0.0201 + late;
            }
            let (level, ..) = settle(&s).unwrap();
            held += usize::from(level.estimate().holds(500.0));
            close += usize::from((level.mean / 500.0 - 1.0).abs() < 0.025 && level.estimate().half() < 25.0);
            let plain: Vec<f64> = (0..60).map(|_| 20_000.0 * (1.0 + 0.2 * noise.normal())).collect();
            found += usize::from(cycles(&of(&plain)).is_some());
        }
        assert!(held * 100 >= 94 * TRIALS && close * 100 >= 95 * TRIALS, "{held} {close} of {TRIALS}");
        assert!(found * 50 <= TRIALS, "{found} of {TRIALS}");
    }

    /// One I/O at a time: latencies of a law that `next` draws until `seconds` have passed. The series, the histogram, their
    /// number and squared coefficient of variation.
    fn one_at_a_time(seconds: f64, mut next: impl FnMut(f64) -> f64) -> (Series, Histogram, u64, f64) {
        let mut s = Series::with(std::time::Duration::from_millis(20));
        let (mut h, mut now, mut n, mut looked) = (Histogram::default(), 0.0, 0u64, 0.0);
        let (mut sum, mut squares) = (0.0, 0.0);
        s.look(0, [0; 3], [0; 3]);
        while now < seconds {
            let time = next(now);
            now += time;
            while now >= looked + 0.02 {
                looked += 0.02;
                s.look((looked * 1e9) as u64, [n, 0, 0], [0; 3]);
            }
            n += 1;
            h.record((time * 1e9) as u64, 1);
            sum += time;
            squares += time * time;
        }
        let mean = sum / n as f64;
        (s, h, n, squares / n as f64 / (mean * mean) - 1.0)
    }

    /// The intervals of percentiles hold the truth about as often as they say, where I/Os are independent and where slow
    /// ones come together.
    #[test]
    fn the_intervals_of_percentiles_hold_the_truth() {
        const TRIALS: usize = 200;
        let mut noise = Noise(31415926535);
        // Memoryless, 1 ms in the mean.
        let truth = |q: f64| (-1e6 * (1.0f64 - q).ln()) as u64;
        let (mut held, mut share) = ([0; 3], 0.0);
        for _ in 0..TRIALS {
            let (s, h, n, varied) = one_at_a_time(4.0, |_| -1e-3 * (1.0 - noise.unit()).ln());
            let count = independent(&s, n, varied);
            share += count / n as f64 / TRIALS as f64;
            for (held, q) in held.iter_mut().zip([0.5, 0.99, 0.999]) {
                let between = h.interval(100.0 * q, count);
                // Four thousand of which half count have no 99.9th percentile yet: nothing is said, nothing is wrong.
                *held += usize::from(between.is_none_or(|[a, b]| (a..=b).contains(&truth(q))));
            }
        }
        assert!(held.iter().all(|h| *h * 100 >= 93 * TRIALS), "independent: {held:?} of {TRIALS}");
        assert!(share > 0.6, "{share} of them count");
        // Phases of about 100 ms, three of four with 1 ms and one with 4 ms in the mean.
        let mut wander = |seconds: f64| {
            let (mut slow, mut until) = (false, 0.0);
            one_at_a_time(seconds, |now| {
                if now >= until {
                    slow = noise.unit() < 0.25;
                    until = now - 0.1 * (1.0 - noise.unit()).ln();
                }
                -(if slow { 4e-3 } else { 1e-3 }) * (1.0 - noise.unit()).ln()
            })
        };
        let (_, long, ..) = wander(3000.0);
        let (mut held, mut naive) = ([0; 2], 0);
        for _ in 0..TRIALS {
            let (s, h, n, varied) = wander(6.0);
            let count = independent(&s, n, varied);
            for (held, q) in held.iter_mut().zip([50.0, 99.0]) {
                let truth = long.quantile(q).unwrap();
                *held += usize::from(h.interval(q, count).is_none_or(|[a, b]| (a..=b).contains(&truth)));
            }
            let truth = long.quantile(99.0).unwrap();
            naive += usize::from(h.interval(99.0, n as f64).is_some_and(|[a, b]| (a..=b).contains(&truth)));
        }
        assert!(held.iter().all(|h| *h * 100 >= 90 * TRIALS), "together: {held:?} of {TRIALS}");
        // Without regard to that they come together it would not.
        assert!(naive * 100 < 90 * TRIALS, "{naive} of {TRIALS}");
    }

    /// Between runs and within them: the interval of the standard deviation holds the truth as often as it says.
    #[test]
    fn runs_that_differ_are_told_from_runs_that_are_only_noisy() {
        const TRIALS: usize = 1000;
        let mut noise = Noise(1618033);
        for rounds in [3, 5, 24] {
            let (mut spread, mut mean) = (0, 0);
            for _ in 0..TRIALS {
                // Runs differ by 3 %, and each is known to 1 %.
                let runs: Vec<Estimate> = (0..rounds)
                    .map(|_| Estimate::around(1000.0 * (1.0 + 0.03 * noise.normal()), 10.0))
                    .collect();
                let found = differ(&runs).unwrap();
                spread += usize::from(found.between_percent.holds(100.0 * 30.0 / found.mean.value));
                mean += usize::from(found.mean.holds(1000.0));
                assert!((found.within_percent - 0.51).abs() < 0.05, "{found:?}");
            }
            for held in [spread, mean] {
                assert!((925..=975).contains(&held), "{rounds} rounds: {held} of {TRIALS}");
            }
        }
        assert_eq!(differ(&[Estimate::around(1.0, 0.1); 2]), None);
    }

    /// Windows that end when an I/O ends have unequal lengths: the rate is that of the counts all the same, and holds the truth
    /// where slow I/Os are rare.
    #[test]
    fn a_rate_is_ios_over_time_whatever_the_lengths_of_the_windows() {
        let mut noise = Noise(161803398);
        let (mut held, mut off) = (0, 0.0);
        const TRIALS: usize = 500;
        const TRUTH: f64 = 1.0 / (0.95 * 4e-3 + 0.05 * 100e-3);
        for _ in 0..TRIALS {
            let (mut series, mut now, mut n, mut looked) = (Series::default(), 0.0, 0u64, 0.0);
            series.look(0, [0; 3], [0; 3]);
            while now < 4.0 {
                now += if noise.unit() < 0.05 { 0.1 } else { 0.004 };
                n += 1;
                if now >= looked + 0.05 {
                    looked = now;
                    series.look((now * 1e9) as u64, [n, 0, 0], [0; 3]);
                }
            }
            let (level, cut_s, _) = settle(&series).unwrap();
            if cut_s == 0.0 {
                assert!((level.mean / rate(&series.windows) - 1.0).abs() < 1e-9, "{level:?}");
            }
            held += usize::from(level.estimate().holds(TRUTH));
            off += level.mean / TRUTH - 1.0;
        }
        let bias = off / TRIALS as f64;
        assert!(held * 100 >= 93 * TRIALS && bias.abs() < 0.02, "{held} of {TRIALS}, bias {bias}");
    }

    /// A device that pauses now and then, from a pause each second to one in four: a few of them in a visit leave the rate
    /// open, a pause at the start is no warm-up, and what is told holds the truth.
    #[test]
    fn pauses_seen_a_few_times_leave_the_rate_open() {
        let mut noise = Noise(57721566);
        let (mut held, mut cut, mut wide) = (0, 0, 0);
        const TRIALS: usize = 500;
        for _ in 0..TRIALS {
            let (every, lasts) = (1.0 + 3.0 * noise.unit(), 0.1 + 0.5 * noise.unit());
            let truth = 8000.0 * every / (every + lasts);
            let (mut series, mut now) = (Series::default(), 0.0);
            // Pauses come at random (Poisson); some begin before the visit.
            let mut next = -every * (1.0 - noise.unit()).ln();
            let mut left = if noise.unit() < lasts / (every + lasts) { lasts * noise.unit() } else { 0.0 };
            let mut ios = 0.0;
            series.look(0, [0; 3], [0; 3]);
            while now < 6.0 {
                now += 0.001;
                if left > 0.0 {
                    left -= 0.001;
                } else {
                    next -= 0.001;
                    ios += 8.0;
                    if next <= 0.0 {
                        left = lasts;
                        next = -every * (1.0 - noise.unit()).ln();
                    }
                }
                series.look((now * 1e9) as u64, [ios as u64, 0, 0], [0; 3]);
            }
            let (level, cut_s, trend) = settle(&series).unwrap();
            cut += usize::from(cut_s > 0.0 || trend != Trend::Level);
            if SlowStretches::of(&series).count > 0 {
                held += usize::from(level.estimate().holds(truth));
                wide += 1;
            }
        }
        assert!(held * 100 >= 93 * wide, "{held} of {wide}");
        assert!(cut * 100 <= 5 * TRIALS, "{cut} of {TRIALS}");
    }

    /// Disks that take equally long for every I/O, one to four in flight: the beat of their time with the windows is no burst;
    /// what a throttle lets go ten times a second is one.
    #[test]
    fn period_of_a_constant_disk_is_none_whatever_its_time() {
        let series = |each: &dyn Fn(f64) -> u64| {
            let mut s = Series::with(std::time::Duration::from_millis(20));
            for look in 0..=150u32 {
                let now = 0.02 * f64::from(look);
                s.look((now * 1e9) as u64, [each(now + 1e-9), 0, 0], [0; 3]);
            }
            s
        };
        for tenths in 30..=500 {
            for depth in 1..=4u32 {
                let batches = |now: f64| (now / (f64::from(tenths) * 1e-4)) as u64 * u64::from(depth);
                let found = period(&series(&batches), depth);
                assert_eq!(found, None, "{tenths} tenths of a millisecond, {depth} in flight");
            }
        }
        let bursts = period(&series(&|now| (now / 0.1) as u64 * 50), 16).unwrap();
        assert!((bursts - 0.1).abs() < 0.01, "{bursts}");
    }

    /// What the rule stops at is within what was asked, nearly always.
    #[test]
    fn the_stopping_rule_keeps_its_promise() {
        let mut noise = Noise(12345);
        let (mut inside, mut stopped) = (0, 0);
        for _ in 0..2000 {
            let mut rule = StopRule::new(3.0, 0);
            let mut rates = Vec::new();
            let mut state = 0.0;
            while rates.len() < 500 {
                state = 0.5 * state + noise.normal();
                rates.push(20_000.0 * (1.0 + 0.05 * 0.866 * state));
                let series = of(&rates);
                if rule.enough(&series) {
                    stopped += 1;
                    let mean = settle(&series).unwrap().0.mean;
                    inside += usize::from((mean / 20_000.0 - 1.0).abs() <= 0.03);
                    break;
                }
            }
        }
        assert!(stopped >= 1960 && inside as f64 >= 0.95 * stopped as f64, "{inside} of {stopped}");
    }

    #[test]
    fn visits_that_differ_widen_the_interval() {
        let alike = pooled(&[Estimate::around(100.0, 2.0); 4], &[1.0; 4]).unwrap();
        assert_eq!((alike.value, alike.half()), (100.0, 1.0));
        let differ: Vec<Estimate> = [90.0, 110.0, 90.0, 110.0].map(|v| Estimate::around(v, 2.0)).into();
        let wide = pooled(&differ, &[1.0; 4]).unwrap();
        assert!((wide.half() - 11.32).abs() < 0.01, "{wide:?}");
    }
}
