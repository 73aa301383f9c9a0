//! Rate over time in windows of equal length, whose number is limited for runs of any length.

use crate::direction::Direction;
use crate::quantile::student_t;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// I/Os and bytes that completed in one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Length of the window, nanoseconds; it varies because the samples that end windows are not exactly on time.
    pub nanos: u64,
    /// Completed I/Os, [read, write, trim].
    pub ios: [u64; 3],
    /// Bytes transferred, [read, write, trim].
    pub bytes: [u64; 3],
}

impl Window {
    /// Returns the number of I/Os of all directions.
    pub fn all_ios(&self) -> u64 {
        self.ios.iter().sum()
    }

    /// Returns I/Os per second over all directions.
    pub fn iops(&self) -> f64 {
        self.all_ios() as f64 * 1e9 / self.nanos.max(1) as f64
    }

    /// Returns bytes per second over all directions.
    pub fn rate(&self) -> f64 {
        self.bytes.iter().sum::<u64>() as f64 * 1e9 / self.nanos.max(1) as f64
    }

    /// Returns both windows combined.
    pub fn plus(&self, next: &Window) -> Window {
        let sum = |a: [u64; 3], b: [u64; 3]| std::array::from_fn(|d| a[d] + b[d]);
        Window {
            nanos: self.nanos + next.nanos,
            ios: sum(self.ios, next.ios),
            bytes: sum(self.bytes, next.bytes),
        }
    }
}

/// Returns I/Os per second over all windows together.
pub(crate) fn rate(windows: &[Window]) -> f64 {
    windows.iter().fold(Window::default(), |sum, w| sum.plus(w)).iops()
}

/// Windows in order of time. When their number reaches a limit, neighbours are combined and later windows are twice
/// as long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Nominal length of a window, nanoseconds.
    pub period: u64,
    /// Windows in order of time.
    pub windows: Vec<Window>,
    /// Beginning of the first and end of the last window, nanoseconds on the clock of the samples; `None` without windows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(u64, u64)>,
    /// Time (nanoseconds) and counters (I/Os, bytes) at the end of the last window.
    #[serde(skip)]
    last: Option<(u64, [u64; 3], [u64; 3])>,
}

impl Default for Series {
    fn default() -> Self {
        Series::with(Self::WINDOW)
    }
}

impl Series {
    /// Default length of a window at the start of a run.
    pub const WINDOW: Duration = Duration::from_millis(50);
    /// Number of windows at which neighbours are combined.
    const MOST: usize = 512;

    /// Returns an empty series whose first windows have this length.
    pub fn with(window: Duration) -> Self {
        let period = u64::try_from(window.as_nanos()).unwrap_or(u64::MAX).max(1);
        Series { period, windows: Vec::new(), span: None, last: None }
    }

    /// Returns whether a sample at `now` nanoseconds would start or end a window.
    pub fn is_due(&self, now: u64) -> bool {
        self.last.is_none_or(|(then, ..)| now >= then.saturating_add(self.period))
    }

    /// Returns the time at which the current window is due to end, nanoseconds; `None` before the first sample and
    /// after a pause.
    pub fn due(&self) -> Option<u64> {
        self.last.map(|(then, ..)| then.saturating_add(self.period))
    }

    /// Samples monotone counters at `now` nanoseconds. Returns whether a window was ended.
    pub fn look(&mut self, now: u64, ios: [u64; 3], bytes: [u64; 3]) -> bool {
        if !self.is_due(now) {
            return false;
        }
        let Some((then, ios_then, bytes_then)) = self.last else {
            self.last = Some((now, ios, bytes));
            return false;
        };
        let grown = |now: [u64; 3], then: [u64; 3]| std::array::from_fn(|d| now[d].saturating_sub(then[d]));
        self.windows.push(Window {
            nanos: now - then,
            ios: grown(ios, ios_then),
            bytes: grown(bytes, bytes_then),
        });
        self.span = Some((self.span.map_or(then, |(began, _)| began), now));
        self.last = Some((now, ios, bytes));
        if self.windows.len() >= Self::MOST {
            self.windows = self.merged(2).windows;
            self.period = self.period.saturating_mul(2);
        }
        true
    }

    /// Excludes the time until the next sample from the windows.
    pub fn pause(&mut self) {
        self.last = None;
    }

    /// Returns the time at which the first window began on the clock of the samples, nanoseconds; `None` without windows, and if
    /// time between them was left out, so that the times of the others are not known.
    pub fn began(&self) -> Option<u64> {
        let (began, ended) = self.span?;
        let covered: u64 = self.windows.iter().map(|window| window.nanos).sum();
        (ended - began == covered).then_some(began)
    }

    /// Returns the series with each `by` neighbouring windows combined; the remainder at the end is added to the last
    /// window.
    pub fn merged(&self, by: usize) -> Series {
        let by = by.max(1);
        let whole = self.windows.len() / by;
        let one = |chunk: &[Window]| chunk.iter().fold(Window::default(), |sum, w| sum.plus(w));
        let mut windows: Vec<Window> = self.windows[..whole * by].chunks(by).map(one).collect();
        let left = &self.windows[whole * by..];
        match windows.last_mut() {
            Some(last) => *last = left.iter().fold(*last, |sum, w| sum.plus(w)),
            None if !left.is_empty() => windows.push(one(left)),
            None => {}
        }
        Series { period: self.period.saturating_mul(by as u64), windows, span: self.span, last: None }
    }

    /// Returns the series of one direction.
    pub fn only(&self, direction: Direction) -> Series {
        let one = |all: [u64; 3]| std::array::from_fn(|d| if d == direction as usize { all[d] } else { 0 });
        let windows = self
            .windows
            .iter()
            .map(|w| Window { nanos: w.nanos, ios: one(w.ios), bytes: one(w.bytes) })
            .collect();
        Series { period: self.period, windows, span: self.span, last: None }
    }

    /// Returns the series with bytes in place of I/Os, so that methods for the I/O rate apply to bandwidth.
    pub fn bytes_as_ios(&self) -> Series {
        let windows = self.windows.iter().map(|w| Window { ios: w.bytes, ..*w }).collect();
        Series { period: self.period, windows, span: self.span, last: None }
    }

    /// Returns the run in `n` parts with equal numbers of windows; `None` with fewer windows.
    pub fn parts(&self, n: usize) -> Option<Vec<Window>> {
        let by = self.windows.len() / n.max(1);
        (by > 0).then(|| self.merged(by).windows.into_iter().take(n).collect())
    }

    /// Returns the series without the time at its end in which only I/Os completed that were in flight when the last one
    /// was issued: at most `in_flight`. A slow I/O there would lower the rate of a load that had already ended.
    pub fn without_drain(&self, in_flight: f64) -> Series {
        /// Largest share of the I/Os that is left out.
        const LEFT_OUT: f64 = 0.1;
        let all: u64 = self.windows.iter().map(Window::all_ios).sum();
        let most = in_flight.min(LEFT_OUT * all as f64);
        let mut drained = 0;
        let tail = self.windows.iter().rev().take_while(|window| {
            drained += window.all_ios();
            drained as f64 <= most
        });
        let kept = self.windows.len() - tail.count();
        let left_out: u64 = self.windows[kept..].iter().map(|window| window.nanos).sum();
        let span = self.span.map(|(began, ended)| (began, ended - left_out));
        Series { windows: self.windows[..kept].to_vec(), span, ..self.clone() }
    }

    /// Returns the half width of the 95 % interval of the mean I/O rate, percent of that rate, from the means of ten
    /// equal parts of the run (batch means: neighbouring windows are correlated, ten parts hardly are; Student's t
    /// with nine degrees of freedom). `None` below twenty windows or without I/Os.
    pub fn half_width_percent(&self) -> Option<f64> {
        const PARTS: usize = 10;
        const STUDENT_T_9: f64 = 2.262;
        let parts = self.parts(PARTS).filter(|_| self.windows.len() >= 2 * PARTS)?;
        let rates: Vec<f64> = parts.iter().map(Window::iops).collect();
        let mean = rates.iter().sum::<f64>() / PARTS as f64;
        let spread = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / (PARTS - 1) as f64;
        (mean > 0.0).then(|| 100.0 * STUDENT_T_9 * (spread / PARTS as f64).sqrt() / mean)
    }

    /// Returns the range (maximum minus minimum) of the bandwidths of five equal parts, and the change of the line
    /// fitted through them, percent of their mean (SNIA's measure of a steady state, over the windows of one run).
    /// `None` below twenty-five windows.
    pub fn drift_percent(&self) -> Option<(f64, f64)> {
        const PARTS: usize = 5;
        let parts = self.parts(PARTS).filter(|_| self.windows.len() >= 5 * PARTS)?;
        let rates: Vec<f64> = parts.iter().map(Window::rate).collect();
        let mean = rates.iter().sum::<f64>() / PARTS as f64;
        if mean <= 0.0 {
            return None;
        }
        let most = rates.iter().copied().fold(f64::MIN, f64::max);
        let least = rates.iter().copied().fold(f64::MAX, f64::min);
        // Least squares over -2..2: the sum of squares is 10, the line spans four steps.
        let slope: f64 = rates.iter().enumerate().map(|(at, r)| (at as f64 - 2.0) * r).sum::<f64>() / 10.0;
        Some((100.0 * (most - least) / mean, 100.0 * (4.0 * slope).abs() / mean))
    }

    /// Returns whether the line through the bandwidths is steeper than chance explains: Student's t with an error
    /// probability of 1 % over 20 equal parts of the run and of 5 % over 10. The variance of the parts is taken from the differences
    /// of neighbours (von Neumann 1941), to which a trend or a step adds little; over fewer parts it includes variations that
    /// last longer. `false` below twenty windows.
    pub fn trends(&self) -> bool {
        /// Numbers of parts, and the quantiles of their two-sided error probabilities.
        const PARTS: [(usize, f64); 2] = [(20, 0.995), (10, 0.975)];
        let n = self.windows.len();
        let steep = |(parts, quantile): (usize, f64)| {
            let part = |at: usize| &self.windows[at * n / parts..(at + 1) * n / parts];
            let sum = |at: usize| part(at).iter().fold(Window::default(), |sum, w| sum.plus(w));
            let rates: Vec<f64> = (0..parts).map(|at| sum(at).rate()).collect();
            let middle = (parts - 1) as f64 / 2.0;
            let along: f64 = rates.iter().enumerate().map(|(at, r)| (at as f64 - middle) * r).sum();
            let across: f64 = (0..parts).map(|at| (at as f64 - middle).powi(2)).sum();
            let differences: f64 = rates.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
            let variance = differences / (2 * (parts - 1)) as f64;
            // Neighbouring differences share a value, so there are about two thirds as many independent ones.
            let freedom = 2.0 * (parts - 1) as f64 / 3.0;
            along.abs() > student_t(quantile, freedom) * (variance * across).sqrt()
        };
        n >= PARTS[0].0 && PARTS.into_iter().all(steep)
    }

    /// Returns the pauses of at least `least` nanoseconds if they repeat at equal distances: the times between five or more of
    /// them vary less than those of pauses that come at random, such as slow I/Os of a heavy-tailed law, do in one of a
    /// thousand runs. Otherwise returns none.
    pub fn repeated_pauses(&self, least: u64) -> Vec<Pause> {
        const FEWEST: usize = 5;
        /// Shortest mean time between two pauses, in windows: shorter times are not resolved.
        const RESOLVED: f64 = 10.0;
        let found = self.pauses(least);
        if found.len() < FEWEST {
            return Vec::new();
        }
        let gaps: Vec<f64> = found
            .windows(2)
            .map(|pair| pair[1].at_nanos.saturating_sub(pair[0].at_nanos + pair[0].nanos) as f64)
            .collect();
        let n = gaps.len() as f64;
        let mean = gaps.iter().sum::<f64>() / n;
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / (n - 1.0);
        // Below the 0.1 % quantile of the variation of n exponential times, for every n.
        let regular = 0.12 * (n - 3.3).sqrt();
        let repeated = mean >= RESOLVED * self.period as f64 && variance.sqrt() <= regular.min(0.5) * mean;
        if repeated { found } else { Vec::new() }
    }

    /// Returns the largest difference, at the end of a window, between the number of I/Os completed so far and the
    /// number at a constant rate.
    pub fn wandered(&self) -> f64 {
        let all = self.windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
        let even = all.all_ios() as f64 / all.nanos.max(1) as f64;
        let mut off = 0.0f64;
        let offs = self.windows.iter().map(|w| {
            off += w.all_ios() as f64 - even * w.nanos as f64;
            off.abs()
        });
        offs.fold(0.0, f64::max)
    }

    /// Returns the pauses of at least `least` nanoseconds: consecutive windows with at most a twentieth of the I/Os
    /// of the median window, between busier windows. Empty if the median window has fewer than five I/Os, because a
    /// window may then be empty by chance.
    pub fn pauses(&self, least: u64) -> Vec<Pause> {
        const FEW: u64 = 5;
        const HARDLY: u64 = 20;
        let mut counts: Vec<u64> = self.windows.iter().map(Window::all_ios).collect();
        counts.sort_unstable();
        let median = counts.get(counts.len() / 2).copied().unwrap_or(0);
        let busy = |w: &Window| w.all_ios() * HARDLY > median;
        let last = self.windows.iter().rposition(busy).unwrap_or(0);
        // The windows around a pause contain its ends: their share of I/Os missing to the median.
        let short =
            |w: &Window| (w.nanos as f64 * (1.0 - w.all_ios() as f64 / median.max(1) as f64).max(0.0)) as u64;
        let (mut found, mut at, mut open, mut before) = (Vec::new(), 0, None::<Pause>, 0);
        for window in self.windows.iter().take(last + 1) {
            if !busy(window) {
                let pause = open.get_or_insert(Pause { at_nanos: at, nanos: before });
                pause.nanos += window.nanos;
            } else if let Some(mut pause) = open.take() {
                pause.nanos += short(window);
                found.push(pause);
            }
            before = short(window);
            at += window.nanos;
        }
        found.retain(|p| median >= FEW && p.at_nanos > 0 && p.nanos >= least);
        found
    }

    /// Returns the largest step of the bandwidth: the split of the windows with the least sum of squares around the
    /// two means. `None` below twenty windows, and if a straight line fits the bandwidths better than two levels, as
    /// for a rate that falls all the time.
    pub fn step(&self) -> Option<RateStep> {
        let rates: Vec<f64> = self.windows.iter().map(Window::rate).collect();
        let n = rates.len();
        let side = (n / 20).max(2);
        if n < 20 {
            return None;
        }
        let at = split(&rates, side)?;
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len().max(1) as f64;
        let median = |part: &[f64]| {
            let mut sorted = part.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        };
        let (before, after) = (mean(&rates[..at]), mean(&rates[at..]));
        let spread = |part: &[f64], mean: f64| {
            (part.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / part.len().max(1) as f64).sqrt()
        };
        let around = |part: &[f64], mean: f64| part.iter().map(|r| (r - mean).powi(2)).sum::<f64>();
        let levels = around(&rates[..at], before) + around(&rates[at..], after);
        // The least-squares line over the indexes of the windows.
        let (middle, all) = ((n - 1) as f64 / 2.0, mean(&rates));
        let along: f64 = rates.iter().enumerate().map(|(x, r)| (x as f64 - middle) * (r - all)).sum();
        let across: f64 = (0..n).map(|x| (x as f64 - middle).powi(2)).sum();
        if around(&rates, all) - along * along / across < levels {
            return None;
        }
        Some(RateStep {
            at,
            at_nanos: self.windows[..at].iter().map(|w| w.nanos).sum(),
            bytes: self.windows[..at].iter().flat_map(|w| w.bytes).sum(),
            before,
            after,
            medians: (median(&rates[..at]), median(&rates[at..])),
            spreads: (spread(&rates[..at], before), spread(&rates[at..], after)),
        })
    }

    /// Returns a step that was found in this series with neighbouring windows combined, at the window of this series
    /// where it is; medians and spreads stay those of the combined windows.
    pub fn refined(&self, step: RateStep, combined: &Series) -> RateStep {
        /// Number of combined windows on each side in which the step is looked for.
        const AROUND: u64 = 2;
        let around = AROUND * combined.period;
        let end_of = |end: &mut u64, window: &Window| {
            *end += window.nanos;
            Some(*end)
        };
        let ends: Vec<u64> = self.windows.iter().scan(0, end_of).collect();
        let first = ends.partition_point(|end| *end + around <= step.at_nanos);
        let last = ends.partition_point(|end| *end <= step.at_nanos + around);
        let near: Vec<f64> = self.windows[first..last].iter().map(Window::rate).collect();
        let Some(at) = split(&near, 1).map(|at| first + at) else { return step };
        let rate = |part: &[Window]| part.iter().fold(Window::default(), |sum, w| sum.plus(w)).rate();
        let (before, after) = self.windows.split_at(at);
        RateStep {
            at,
            at_nanos: before.iter().map(|w| w.nanos).sum(),
            bytes: before.iter().flat_map(|w| w.bytes).sum(),
            before: rate(before),
            after: rate(after),
            ..step
        }
    }
}

/// Returns the index of the split with the least sum of squares around the means of both sides, each with at least
/// `side` values; `None` with too few values.
pub(crate) fn split(values: &[f64], side: usize) -> Option<usize> {
    let (n, total) = (values.len(), values.iter().sum::<f64>());
    let mut sum = 0.0;
    let mut best: Option<(f64, usize)> = None;
    for (at, value) in values.iter().enumerate() {
        if at >= side && at + side <= n {
            let (before, after) = (sum / at as f64, (total - sum) / (n - at) as f64);
            // Between-group sum of squares; its maximum is the least within.
            let between = at as f64 * (n - at) as f64 * (before - after).powi(2);
            if best.is_none_or(|(most, _)| between > most) {
                best = Some((between, at));
            }
        }
        sum += value;
    }
    best.map(|(_, at)| at)
}

/// Number of I/Os and the time in which they completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// Number of completed I/Os.
    pub ios: u64,
    /// Time in which the I/Os completed, seconds.
    pub seconds: f64,
}

impl Counted {
    /// Returns the I/Os and the time of these windows.
    pub fn of(windows: &[Window]) -> Counted {
        let whole = windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
        Counted { ios: whole.all_ios(), seconds: whole.nanos as f64 / 1e9 }
    }

    /// Returns I/Os per second.
    pub fn rate(&self) -> f64 {
        self.ios as f64 / self.seconds.max(1e-9)
    }
}

/// Time in which hardly any I/O completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Time from the start of the series, nanoseconds.
    pub at_nanos: u64,
    /// Length of the pause, nanoseconds: its windows, and the idle shares of the windows before and after.
    pub nanos: u64,
}

/// Step of the bandwidth between two levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateStep {
    /// Number of windows before the step.
    pub at: usize,
    /// Time from the start of the series, nanoseconds.
    pub at_nanos: u64,
    /// Bytes transferred before the step.
    pub bytes: u64,
    /// Mean bandwidth before the step, bytes per second.
    pub before: f64,
    /// Mean bandwidth after the step, bytes per second.
    pub after: f64,
    /// Median bandwidths of the windows before and after the step, bytes per second.
    pub medians: (f64, f64),
    /// Standard deviations of the bandwidths of the windows before and after the step, bytes per second.
    pub spreads: (f64, f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of the first window is known unless a pause was left out; combined windows and a cut end do not change it.
    #[test]
    fn beginning_is_known_without_pauses() {
        let mut series = Series::with(Duration::from_nanos(10));
        assert_eq!(series.began(), None);
        // Eight windows with a hundred I/Os, and one with the last I/O.
        for at in 0..10 {
            series.look(1000 + 11 * at, [(100 * at).min(801), 0, 0], [0; 3]);
        }
        assert_eq!((series.began(), series.span), (Some(1000), Some((1000, 1099))));
        let cut = series.without_drain(2.0);
        assert_eq!((cut.windows.len(), cut.span, cut.began()), (8, Some((1000, 1088)), Some(1000)));
        assert_eq!(series.merged(4).began(), Some(1000));
        series.pause();
        for at in 0..2 {
            series.look(2000 + 11 * at, [900 + at, 0, 0], [0; 3]);
        }
        assert_eq!((series.began(), series.windows.len()), (None, 10));
    }

    fn of(rates: &[u64]) -> Series {
        let mut s = Series::default();
        let (mut now, mut ios) = (0, 0);
        s.look(now, [0; 3], [0; 3]);
        for rate in rates {
            now += s.period;
            ios += rate;
            s.look(now, [ios, 0, 0], [ios * 4096, 0, 0]);
        }
        s
    }

    #[test]
    fn however_long_the_run_there_are_few_windows_and_none_is_lost() {
        let mut s = Series::default();
        for n in 0..=5000u64 {
            let before = s.windows.len();
            let ended = s.look(n * 50_000_000, [n, 0, 0], [n * 512, 0, 0]);
            assert_eq!(ended, s.windows.len() != before, "{n}");
        }
        assert!(s.windows.len() < 512 && s.windows.len() >= 256, "{}", s.windows.len());
        let ios: u64 = s.windows.iter().map(Window::all_ios).sum();
        assert!((4990..=5000).contains(&ios), "{ios}");
        assert!(s.windows.iter().all(|w| (w.iops() - 20.0).abs() < 1e-6));
        s.pause();
        let before = s.windows.len();
        s.look(9_000_000_000_000, [9000, 0, 0], [0; 3]);
        assert_eq!(s.windows.len(), before, "a pause is no window");
    }

    #[test]
    fn interval_of_a_constant_rate_is_zero_and_of_noise_its_own() {
        assert_eq!(of(&[100; 40]).half_width_percent(), Some(0.0));
        assert_eq!(of(&[100; 19]).half_width_percent(), None);
        assert_eq!(of(&[0; 40]).half_width_percent(), None);
        // Ten parts of 90 and 110 in turn: deviation 10.54, over the root of ten, times 2.262.
        let rates: Vec<u64> = (0..40).map(|at| if at / 4 % 2 == 0 { 90 } else { 110 }).collect();
        let width = of(&rates).half_width_percent().unwrap();
        assert!((width - 7.54).abs() < 0.01, "{width}");
    }

    #[test]
    fn a_step_is_found_where_it_is_and_a_ramp_shows_as_slope() {
        let mut rates = vec![400; 13];
        rates.extend([100; 27]);
        let step = of(&rates).step().unwrap();
        assert_eq!((step.at, step.bytes), (13, 13 * 400 * 4096));
        assert!((step.before / step.after - 4.0).abs() < 1e-9, "{step:?}");
        let ramp: Vec<u64> = (0..50).map(|at| 1000 - 10 * at).collect();
        assert_eq!(of(&ramp).step(), None, "a ramp has no step");
        let (range, slope) = of(&ramp).drift_percent().unwrap();
        assert!(
            (range - slope).abs() < 0.01 && (range - 100.0 * 400.0 / 755.0).abs() < 0.1,
            "{range} {slope}"
        );
        assert_eq!(of(&[7; 50]).drift_percent(), Some((0.0, 0.0)));
    }

    /// The windows of ten combined ones would place the step 300 ms too early, and the rate after it too high.
    #[test]
    fn a_step_in_combined_windows_is_refined() {
        let mut rates = vec![400; 366];
        rates.extend([100; 34]);
        let (fine, combined) = (of(&rates), of(&rates).merged(10));
        let coarse = combined.step().unwrap();
        assert_ne!(coarse.at_nanos, 366 * fine.period);
        let step = fine.refined(coarse, &combined);
        assert_eq!((step.at, step.at_nanos), (366, 366 * fine.period));
        assert!((step.before / step.after - 4.0).abs() < 1e-9, "{step:?}");
    }

    /// One I/O of two seconds at the end of a second of 100 I/Os each 50 ms changes nothing.
    #[test]
    fn a_slow_io_in_flight_at_the_end_is_left_out() {
        let mut slow = vec![100; 20];
        slow.extend([0; 39]);
        slow.push(1);
        let load = of(&slow).without_drain(8.0);
        assert_eq!(Counted::of(&load.windows), Counted { ios: 2000, seconds: 1.0 });
        assert_eq!(of(&[100; 20]).without_drain(8.0), of(&[100; 20]));
        assert_eq!(of(&[1; 20]).without_drain(8.0).windows.len(), 18);
    }

    #[test]
    fn the_count_wanders_off_an_even_rate_by_what_was_too_many() {
        assert!(of(&[7; 50]).wandered() < 1e-9);
        // Five windows of 20 more than the mean, then five of 20 less.
        assert!((of(&[120, 120, 120, 120, 120, 80, 80, 80, 80, 80]).wandered() - 100.0).abs() < 1e-9);
    }
}
