//! A value with its 95 % interval, and what the interval of a ratio allows to say.

use serde::{Deserialize, Serialize};

/// A value and its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Best guess.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Estimate {
    /// Returns a value without a known interval.
    pub fn bare(value: f64) -> Self {
        Estimate { value, low: value, high: value }
    }

    /// Whether it has an interval.
    pub fn is_known(&self) -> bool {
        self.low < self.high
    }

    /// `value` give or take `half`; of something that cannot be less than nothing.
    pub fn around(value: f64, half: f64) -> Self {
        Estimate { value, low: (value - half).max(0.0), high: value + half }
    }

    /// Half of the interval, percent of the value; `None` where it is as wide as the value: nothing is known of it.
    pub fn within_percent(&self) -> Option<f64> {
        Some(self.half_percent()).filter(|half| *half < 100.0)
    }

    /// Half of the interval, percent of the value; 999 at most, which is for comparisons and not for people.
    pub fn half_percent(&self) -> f64 {
        if self.value == 0.0 { 999.0 } else { (100.0 * self.half() / self.value.abs()).min(999.0) }
    }

    /// Half of the interval: what lies above the value or, where that is more, below it.
    pub fn half(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }

    /// Whether `truth` lies in it.
    pub fn holds(&self, truth: f64) -> bool {
        self.low <= truth && truth <= self.high
    }

    /// Both in another unit.
    pub fn times(&self, factor: f64) -> Self {
        Estimate { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// The ratio to `other`, whose error is independent: on either side of it the relative errors that lead there add as
    /// squares (method of variance estimates recovery, Zou and Donner 2008), for the ends of an interval need not be equally
    /// far. A bare value makes a bare ratio.
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

    /// Returns the verdict of a ratio: five percent matter, and without an interval there is no verdict.
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

/// The verdict that the interval of a ratio allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Larger by an amount that matters.
    More,
    /// Smaller by an amount that matters.
    Less,
    /// No difference that matters.
    Same,
    /// The interval is too wide for a verdict.
    Unknown,
}
