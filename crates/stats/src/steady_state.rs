//! Detection of a steady state (`steadystate`): samples at equal intervals in a rolling window, and the criterion that
//! the window has to meet.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Quantity whose samples are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SteadyQuantity {
    /// Completed I/Os per second.
    Iops,
    /// Bytes per second.
    Bandwidth,
    /// Mean completion latency in nanoseconds.
    Latency,
}

/// Criterion of a steady state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyCriterion {
    /// Quantity whose samples are judged.
    pub quantity: SteadyQuantity,
    /// Whether the slope of a line fitted through the samples is judged, not their largest deviation from the mean.
    pub slope: bool,
    /// Value that the slope or the deviation must stay below, in the unit of the quantity (a slope: per second) or in
    /// percent of the mean.
    pub limit: f64,
    /// Whether `limit` is in percent of the mean.
    pub percent: bool,
}

impl SteadyCriterion {
    /// Returns the name of the criterion in the option `steadystate`: `iops`, `bw_slope` and so on.
    pub fn name(&self) -> &'static str {
        match (self.quantity, self.slope) {
            (SteadyQuantity::Iops, false) => "iops",
            (SteadyQuantity::Iops, true) => "iops_slope",
            (SteadyQuantity::Bandwidth, false) => "bw",
            (SteadyQuantity::Bandwidth, true) => "bw_slope",
            (SteadyQuantity::Latency, false) => "lat",
            (SteadyQuantity::Latency, true) => "lat_slope",
        }
    }
}

/// Rates and mean latency over one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SteadySample {
    /// Completed I/Os per second, rounded down.
    pub iops: u64,
    /// Bytes per second, rounded down.
    pub bytes_per_second: u64,
    /// Mean completion latency in nanoseconds, rounded down; 0 without a measured latency.
    pub latency: u64,
}

impl SteadySample {
    fn of(&self, quantity: SteadyQuantity) -> u64 {
        match quantity {
            SteadyQuantity::Iops => self.iops,
            SteadyQuantity::Bandwidth => self.bytes_per_second,
            SteadyQuantity::Latency => self.latency,
        }
    }
}

/// The samples of a job or reporting group, and whether they have met the criterion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyState {
    /// Criterion that the samples have to meet.
    pub criterion: SteadyCriterion,
    /// Number of samples in a full window.
    pub window: u64,
    /// Time between two samples in nanoseconds.
    pub interval: u64,
    /// Whether a full window has met the criterion.
    pub attained: bool,
    /// Largest difference between a sample of the last full window and the mean of that window; 0 without a full
    /// window, or if the slope is judged.
    pub deviation: f64,
    /// Slope of the least-squares line through the last full window, per second; 0 without a full window, or if the
    /// deviation is judged.
    pub slope: f64,
    /// Samples of the window, oldest first; at most `window`.
    pub samples: VecDeque<SteadySample>,
}

/// Largest number of samples for which memory is reserved before the run.
const RESERVED: u64 = 1 << 16;

impl SteadyState {
    /// Returns a state without samples. `window` is the number of samples in a full window, at least 1; `interval` is
    /// the time between samples in nanoseconds.
    pub fn new(criterion: SteadyCriterion, window: u64, interval: u64) -> Self {
        Self {
            criterion,
            window,
            interval,
            attained: false,
            deviation: 0.0,
            slope: 0.0,
            samples: VecDeque::with_capacity(window.min(RESERVED) as usize),
        }
    }

    /// Adds a sample, and judges the window if it is full. Returns whether the window meets the criterion.
    pub fn add(&mut self, sample: SteadySample) -> bool {
        if self.samples.len() as u64 >= self.window {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
        if self.samples.len() as u64 == self.window {
            if self.criterion.slope {
                self.slope = self.fitted_slope();
            } else {
                self.deviation = self.largest_deviation();
            }
            self.attained = self.judged().abs() < self.criterion.limit;
        }
        self.attained
    }

    /// Returns the value that is compared with the limit: the slope or the deviation, in percent of the mean if the
    /// limit is. As in fio, the mean of a slope is rounded down to an integer.
    pub fn judged(&self) -> f64 {
        let (value, mean) = match self.criterion.slope {
            true => (self.slope, self.mean(|sample| sample.of(self.criterion.quantity)) as f64),
            false => (self.deviation, self.exact_mean()),
        };
        match self.criterion.percent {
            // Samples that are all 0 do not deviate.
            true if value == 0.0 => 0.0,
            true => 100.0 * value / mean,
            false => value,
        }
    }

    /// Returns the mean of a full window in I/Os per second, rounded down. As in fio, samples that are missing in the
    /// window count as 0.
    pub fn mean_iops(&self) -> u64 {
        self.mean(|sample| sample.iops)
    }

    /// Returns the mean of a full window in bytes per second, like [`SteadyState::mean_iops`].
    pub fn mean_bytes_per_second(&self) -> u64 {
        self.mean(|sample| sample.bytes_per_second)
    }

    /// Returns the mean of a full window of latencies in nanoseconds, like [`SteadyState::mean_iops`].
    pub fn mean_latency(&self) -> u64 {
        self.mean(|sample| sample.latency)
    }

    fn mean(&self, of: impl Fn(&SteadySample) -> u64) -> u64 {
        let sum: u128 = self.samples.iter().map(|sample| u128::from(of(sample))).sum();
        (sum / u128::from(self.window.max(1))) as u64
    }

    /// Returns the judged values of the samples, oldest first.
    fn values(&self) -> impl Iterator<Item = u64> {
        self.samples.iter().map(|sample| sample.of(self.criterion.quantity))
    }

    fn exact_mean(&self) -> f64 {
        let sum: u128 = self.values().map(u128::from).sum();
        sum as f64 / self.window.max(1) as f64
    }

    fn largest_deviation(&self) -> f64 {
        let mean = self.exact_mean();
        self.values().map(|value| (value as f64 - mean).abs()).fold(0.0, f64::max)
    }

    /// Returns the slope of the least-squares line through the samples, per second; 0 for a single sample.
    fn fitted_slope(&self) -> f64 {
        let n = self.samples.len() as i128;
        // With x = 0, 1, ... n - 1: the slope is (n * sum(xy) - sum(x) * sum(y)) / (n * sum(xx) - sum(x)^2).
        let (mut y, mut xy) = (0i128, 0i128);
        for (x, value) in self.values().enumerate() {
            y += i128::from(value);
            xy += x as i128 * i128::from(value);
        }
        let (x, xx) = (n * (n - 1) / 2, n * (n - 1) * (2 * n - 1) / 6);
        let below = n * xx - x * x;
        if below == 0 {
            return 0.0;
        }
        let per_sample = (n * xy - x * y) as f64 / below as f64;
        per_sample * crate::unit::SECOND as f64 / self.interval.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::SECOND;
    use SteadyQuantity::{Bandwidth, Iops};

    fn state(quantity: SteadyQuantity, slope: bool, limit: f64, percent: bool, window: u64) -> SteadyState {
        SteadyState::new(SteadyCriterion { quantity, slope, limit, percent }, window, SECOND)
    }

    fn iops(values: &[u64]) -> impl Iterator<Item = SteadySample> {
        values.iter().map(|&iops| SteadySample { iops, ..SteadySample::default() })
    }

    fn bytes(values: &[u64]) -> impl Iterator<Item = SteadySample> {
        values.iter().map(|&bytes_per_second| SteadySample { bytes_per_second, ..SteadySample::default() })
    }

    /// Windows of fio 3.33 with `--debug=steadystate`, and what it computed from them.
    #[test]
    fn windows_are_judged_as_fio_judges_them() {
        let mut one = state(Iops, false, 10.0, true, 3);
        let answers: Vec<bool> = iops(&[1001, 1000, 1001]).map(|sample| one.add(sample)).collect();
        assert_eq!(answers, [false, false, true]);
        assert_eq!(
            (format!("{:.6}", one.deviation), format!("{:.6}", one.judged())),
            ("0.666667".into(), "0.066622".into())
        );
        assert_eq!(one.mean_iops(), 1000);

        let mut slope = state(Bandwidth, true, 0.0, false, 3);
        bytes(&[8_200_200, 8_192_000, 8_200_200]).for_each(|sample| assert!(!slope.add(sample)));
        assert_eq!(slope.judged(), 0.0, "a slope of 0 is not below a limit of 0");
        assert!(bytes(&[8_200_200, 8_192_000]).all(|sample| !slope.add(sample)));
        assert_eq!((slope.judged(), slope.mean_bytes_per_second()), (-4100.0, 8_197_466));

        let mut percent = state(Bandwidth, true, 10.0, true, 2);
        bytes(&[4_096_000, 4_100_096]).for_each(|sample| _ = percent.add(sample));
        assert_eq!(
            (percent.slope, format!("{:.6}", percent.judged()), percent.attained),
            (4096.0, "0.099950".into(), true)
        );

        let mut rounded = state(Iops, true, 10.0, true, 2);
        iops(&[1001, 1000]).for_each(|sample| _ = rounded.add(sample));
        assert_eq!(rounded.judged(), -0.1, "the mean of 1000.5 counts as 1000");

        let mut short = state(Iops, false, 10.0, true, 10);
        iops(&[1001, 1001, 1000, 1001]).for_each(|sample| _ = short.add(sample));
        assert_eq!((short.mean_iops(), short.judged(), short.attained), (400, 0.0, false));
    }

    /// A line has the slope of its equation, and the window keeps only the last samples.
    #[test]
    fn slope_of_a_line_is_exact_and_old_samples_leave_the_window() {
        let mut line = state(Iops, true, 7.5, false, 4);
        iops(&[9999, 5, 12, 19, 26]).for_each(|sample| _ = line.add(sample));
        assert_eq!((line.slope, line.attained, line.samples.len()), (7.0, true, 4));
        line.interval = SECOND / 2;
        iops(&[33]).for_each(|sample| _ = line.add(sample));
        assert_eq!((line.slope, line.attained), (14.0, false), "a slope is per second");
    }

    #[test]
    fn samples_of_zero_are_steady_and_a_falling_rate_to_zero_is_not() {
        let mut idle = state(Iops, false, 10.0, true, 2);
        assert!(!idle.add(SteadySample { iops: 1, ..SteadySample::default() }));
        assert!(!idle.add(SteadySample::default()) && idle.judged() == 100.0);
        assert!(idle.add(SteadySample::default()));
        let mut falling = state(Iops, true, 10.0, true, 2);
        iops(&[1, 0]).for_each(|sample| _ = falling.add(sample));
        assert_eq!((falling.judged(), falling.attained), (f64::NEG_INFINITY, false));
    }
}
