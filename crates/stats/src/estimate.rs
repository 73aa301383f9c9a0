//! Value with its 95 % interval, and the verdict on a ratio.

use serde::{Deserialize, Serialize};

/// Value with its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Estimated value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Returns a value without a known interval.
    pub fn bare(value: f64) -> Self {
        Estimate { value, low: value, high: value }
    }

    /// Returns whether the interval is known.
    pub fn is_known(&self) -> bool {
        self.low < self.high
    }

    /// Returns `value` with an interval of `half` to either side; the lower end is at least 0.
    pub fn around(value: f64, half: f64) -> Self {
        Estimate { value, low: (value - half).max(0.0), high: value + half }
    }

    /// Returns the half-width of the interval in percent of the value; `None` from 100 %, where the value is
    /// practically unknown.
    pub fn within_percent(&self) -> Option<f64> {
        Some(self.half_percent()).filter(|half| *half < 100.0)
    }

    /// Returns the half-width of the interval in percent of the value, at most 999. The limit is meant for
    /// comparisons in code, not for display.
    pub fn half_percent(&self) -> f64 {
        if self.value == 0.0 { 999.0 } else { (100.0 * self.half() / self.value.abs()).min(999.0) }
    }

    /// Returns the half-width of the interval: the larger distance from the value to an end of the interval.
    pub fn half(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }

    /// Returns whether the interval includes `truth`.
    pub fn holds(&self, truth: f64) -> bool {
        self.low <= truth && truth <= self.high
    }

    /// Returns value and interval multiplied by `factor`, for another unit.
    pub fn times(&self, factor: f64) -> Self {
        Estimate { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// Returns the ratio to `other`, whose error is independent. The relative errors towards each end are added as
    /// squares (method of variance estimates recovery, Zou and Donner 2008), which permits asymmetric intervals. The
    /// ratio has no interval if either value has none.
    pub fn over(&self, other: &Estimate) -> Self {
        let ratio = self.value / other.value;
        if !self.is_known() || !other.is_known() {
            return Estimate::bare(ratio);
        }
        let up = |e: &Estimate| e.high / e.value - 1.0;
        let down = |e: &Estimate| 1.0 - e.low / e.value;
        Estimate {
            value: ratio,
            low: (ratio * (1.0 - down(self).hypot(up(other)))).max(0.0),
            high: ratio * (1.0 + up(self).hypot(down(other))),
        }
    }

    /// Returns the verdict on a ratio. Differences above 5 % are relevant; without an interval the verdict is
    /// unknown.
    pub fn verdict(&self) -> Verdict {
        const MATTERS: f64 = 0.05;
        if !self.is_known() {
            Verdict::Unknown
        } else if self.low > 1.0 && self.value > 1.0 + MATTERS {
            Verdict::More
        } else if self.high < 1.0 && self.value < 1.0 - MATTERS {
            Verdict::Less
        } else if self.low > 1.0 - 2.0 * MATTERS && self.high < 1.0 + 2.0 * MATTERS {
            Verdict::Same
        } else {
            Verdict::Unknown
        }
    }
}

/// Verdict on a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Larger by a relevant amount.
    More,
    /// Smaller by a relevant amount.
    Less,
    /// No relevant difference.
    Same,
    /// The interval is too wide for a verdict.
    Unknown,
}
