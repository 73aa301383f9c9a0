//! The level of a rate: its mean with the interval that autocorrelated slices give.

use crate::estimate::Estimate;
use crate::quantile::student_t;
use crate::series::{Counted, Window};

/// Smallest relative standard error of a mean rate: no device keeps its rate more evenly.
pub(super) const LEAST_RELATIVE_ERROR: f64 = 5e-4;

/// Mean rate of the slices of a series, with what its interval is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RateLevel {
    /// Mean rate, I/Os per second: all I/Os over all of the time.
    pub mean: f64,
    /// I/Os and time behind the mean: all after the cut; of bursts, from the first to the last.
    pub counted: Counted,
    /// Standard error of the mean from the spread of the slices, I/Os per second.
    pub error: f64,
    /// Skewness of the mean: skewness of the slices over the root of their number.
    pub skewness: f64,
    /// Standard error from slow stretches, where they are left out of the slices because enough of them were seen; else 0.
    pub slow_error: f64,
    /// What slow stretches add to the half-widths of the slices, below and above the mean, of the 95 % and of the 99 % interval.
    pub slow_half_widths: [[f64; 2]; 2],
    /// Number of independent slices that are worth as much as the autocorrelated ones.
    pub independent: f64,
    /// Lag-1 autocorrelation, corrected for its bias.
    pub correlation: f64,
    /// Number of slices cut at the start as warm-up.
    pub cut: usize,
    /// Number of slices after the cut.
    pub slices: usize,
}

impl RateLevel {
    /// Returns the mean with its 95 % interval.
    pub fn estimate(&self) -> Estimate {
        self.within(0)
    }

    /// Returns half of the 99 % interval, percent of the mean.
    pub fn half_99_percent(&self) -> f64 {
        self.within(1).half_percent()
    }

    /// Standard error of the mean from all causes.
    pub fn standard_error(&self) -> f64 {
        self.error.hypot(self.slow_error)
    }

    /// The 95 % interval (0) or the 99 % one (1). The half-widths of the slices and of slow stretches are those of independent
    /// causes, so their squares add.
    fn within(&self, which: usize) -> Estimate {
        let [below, above] = self.slice_half_widths(which);
        let [slow_below, slow_above] = self.slow_half_widths[which];
        let low = self.mean - below.hypot(slow_below);
        let high = self.mean + above.hypot(slow_above);
        Estimate { value: self.mean, low: low.max(0.0), high }
    }

    /// Half-widths below and above the mean that follow from the slices, of the 95 % interval (0) or the 99 % one (1).
    fn slice_half_widths(&self, which: usize) -> [f64; 2] {
        let t = student_t([0.975, 0.995][which], self.independent - 1.0);
        let half = self.error * t;
        // A mean of skewed values is off by more on the side of the tail, of which too little was seen (Johnson 1978).
        let tail = self.error * self.skewness * (1.0 + 2.0 * t * t) / 6.0;
        [half + (-tail).max(0.0), half + tail.max(0.0)]
    }

    /// Adds slow stretches that the slices contain as well: only what `half_widths` exceed those of the slices by.
    pub(super) fn with_slow_stretches_among_slices(self, half_widths: [[f64; 2]; 2]) -> RateLevel {
        let beyond = |slow: f64, slices: f64| (slow.powi(2) - slices.powi(2)).max(0.0).sqrt();
        let slow_half_widths = [0, 1].map(|which| {
            let [below, above] = self.slice_half_widths(which);
            [beyond(half_widths[which][0], below), beyond(half_widths[which][1], above)]
        });
        RateLevel { slow_half_widths, ..self }
    }

    /// Adds slow stretches to a level whose interval then follows from the slices `between` them.
    pub(super) fn with_slow_stretches_beside(
        self,
        between: &RateLevel,
        half_widths: [[f64; 2]; 2],
    ) -> RateLevel {
        let error = (between.error / between.mean).max(LEAST_RELATIVE_ERROR) * self.mean;
        let [below, above] = half_widths[0];
        RateLevel {
            error,
            skewness: between.skewness,
            independent: between.independent,
            correlation: between.correlation,
            slow_error: below.max(above) / 1.96,
            slow_half_widths: half_widths,
            ..self
        }
    }
}

/// Returns the lag-1 autocorrelation r of at least three values, corrected for its bias, and the number of independent values
/// that are worth as much: n (1-r)/(1+r).
pub(super) fn alike(values: &[f64], mean: f64) -> (f64, f64) {
    let n = values.len() as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let lagged: f64 = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let raw = if squares > 0.0 { lagged / squares } else { 0.0 };
    let correlation = (raw + (1.0 + 3.0 * raw.max(0.0)) / n).clamp(0.0, 0.95);
    (correlation, (n * (1.0 - correlation) / (1.0 + correlation)).max(3.0))
}

/// Returns the mean rate of all of `windows`, without a cut: I/Os over time, whatever the lengths of the windows, with the standard
/// error of a ratio (Cochran 1977, 6.4: from the difference of each window's I/Os and those that its length makes expect). `None`
/// below three windows.
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
    Some(RateLevel {
        mean,
        counted,
        error,
        skewness,
        independent,
        correlation,
        slices: n,
        ..RateLevel::default()
    })
}
