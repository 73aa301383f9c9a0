//! Level of a rate: mean with an interval from autocorrelated slices.

use crate::estimate::Estimate;
use crate::quantile::student_t;
use crate::series::{Counted, Window};

/// Smallest relative standard error of a mean rate: no device has a more constant rate.
pub(super) const LEAST_RELATIVE_ERROR: f64 = 5e-4;

/// Mean rate of a series, with the components of its interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RateLevel {
    /// Mean rate, I/Os per second: all I/Os divided by the total time.
    pub mean: f64,
    /// I/Os and time of the mean: after the warm-up, or for bursts from the first to the last burst.
    pub counted: Counted,
    /// Standard error of the mean from the spread of the slices, I/Os per second.
    pub error: f64,
    /// Skewness of the mean: skewness of the slices divided by the square root of their number.
    pub skewness: f64,
    /// Standard error from slow stretches, I/Os per second, if enough were seen to exclude them from the slices;
    /// otherwise 0.
    pub slow_error: f64,
    /// Additional half-widths from slow stretches, [below, above] the mean, of the 95 % and of the 99 % interval,
    /// I/Os per second.
    pub slow_half_widths: [[f64; 2]; 2],
    /// Effective number of independent slices.
    pub independent: f64,
    /// Lag-1 autocorrelation of the slices, corrected for bias.
    pub correlation: f64,
    /// Number of slices removed at the start as warm-up.
    pub cut: usize,
    /// Number of slices after the warm-up.
    pub slices: usize,
}

impl RateLevel {
    /// Returns the mean with its 95 % interval.
    pub fn estimate(&self) -> Estimate {
        self.within(0)
    }

    /// Returns the half-width of the 99 % interval in percent of the mean.
    pub fn half_99_percent(&self) -> f64 {
        self.within(1).half_percent()
    }

    /// Returns the standard error of the mean from all causes, I/Os per second.
    pub fn standard_error(&self) -> f64 {
        self.error.hypot(self.slow_error)
    }

    /// Returns the mean with its 95 % (`which` = 0) or 99 % interval (1). The half-widths from slices and from slow
    /// stretches have independent causes and are added as squares.
    fn within(&self, which: usize) -> Estimate {
        let [below, above] = self.slice_half_widths(which);
        let [slow_below, slow_above] = self.slow_half_widths[which];
        let low = self.mean - below.hypot(slow_below);
        let high = self.mean + above.hypot(slow_above);
        Estimate { value: self.mean, low: low.max(0.0), high }
    }

    /// Returns the half-widths from the slices, [below, above] the mean, of the 95 % (`which` = 0) or 99 % interval
    /// (1).
    fn slice_half_widths(&self, which: usize) -> [f64; 2] {
        let t = student_t([0.975, 0.995][which], self.independent - 1.0);
        let half = self.error * t;
        // The error of a mean of skewed values is larger on the side of the tail (Johnson 1978).
        let tail = self.error * self.skewness * (1.0 + 2.0 * t * t) / 6.0;
        [half + (-tail).max(0.0), half + tail.max(0.0)]
    }

    /// Returns the level with slow stretches that the slices contain as well: only the part of `half_widths` beyond
    /// the half-widths of the slices is added.
    pub(super) fn with_slow_stretches_among_slices(self, half_widths: [[f64; 2]; 2]) -> RateLevel {
        let beyond = |slow: f64, slices: f64| (slow.powi(2) - slices.powi(2)).max(0.0).sqrt();
        let slow_half_widths = [0, 1].map(|which| {
            let [below, above] = self.slice_half_widths(which);
            [beyond(half_widths[which][0], below), beyond(half_widths[which][1], above)]
        });
        RateLevel { slow_half_widths, ..self }
    }

    /// Returns the level with slow stretches, and with the interval of the slices `between` the stretches.
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

/// Returns the lag-1 autocorrelation r of at least three values, corrected for bias, and the effective number of
/// independent values, n (1-r)/(1+r).
pub(super) fn alike(values: &[f64], mean: f64) -> (f64, f64) {
    let n = values.len() as f64;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    let lagged: f64 = values.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let raw = if squares > 0.0 { lagged / squares } else { 0.0 };
    let correlation = (raw + (1.0 + 3.0 * raw.max(0.0)) / n).clamp(0.0, 0.95);
    (correlation, (n * (1.0 - correlation) / (1.0 + correlation)).max(3.0))
}

/// Returns the level of all `windows`, without removing a warm-up: I/Os divided by time, with the standard error of a
/// ratio (Cochran 1977, 6.4: from the difference between the I/Os of each window and the I/Os expected for its
/// length). `None` below three windows.
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
