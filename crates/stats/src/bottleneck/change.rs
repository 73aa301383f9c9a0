//! Changes of the rate between the load in question and loads that differ in one property.

use super::{BottleneckSample, LoadShape};
use crate::estimate::Estimate;
use serde::{Deserialize, Serialize};

/// Smallest ratio of the rates from which the rate counts as raised.
const RISES: f64 = 1.2;
/// Largest ratio, or smallest reciprocal, up to which the rate counts as the same.
const SAME: f64 = 1.12;
/// Smallest ratio of the depths that are compared.
const DEEPER: f64 = 1.9;
/// Smallest ratio of the block sizes that are compared.
const LARGER: f64 = 3.9;

/// Property in which a load differs from the load in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoadChange {
    /// More I/Os in flight.
    Deeper,
    /// Fewer I/Os in flight.
    Shallower,
    /// As many I/Os in flight over more jobs.
    MoreJobs,
    /// Larger blocks.
    LargerBlocks,
    /// The device under the file system instead of the file.
    Beneath,
    /// No I/O scheduler.
    Unscheduled,
}

/// Direction of a change of the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    /// The rate rises.
    Rises,
    /// The rate stays the same.
    Same,
    /// The rate falls.
    Falls,
    /// The difference is too small or too uncertain.
    Unclear,
}

/// Rates of the load in question and of a load that differs in one property.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateChange {
    /// Property.
    pub change: LoadChange,
    /// Its value for the load in question: I/Os in flight, jobs, or block size in bytes.
    pub from: f64,
    /// Its value for the other load.
    pub to: f64,
    /// Ratio of the I/Os per second of the other load to those of the load in question.
    pub ios: Estimate,
    /// Ratio of the bytes per second.
    pub bytes: f64,
}

/// Returns the rate of the load in question: of several measurements the mean, in an interval that holds all of theirs.
fn repeated_rate(samples: &[BottleneckSample]) -> Estimate {
    let same = || samples.iter().filter(|sample| sample.shape == samples[0].shape).map(|sample| sample.rate);
    Estimate {
        value: same().map(|rate| rate.value).sum::<f64>() / same().count().max(1) as f64,
        low: same().map(|rate| rate.low).fold(f64::INFINITY, f64::min),
        high: same().map(|rate| rate.high).fold(0.0, f64::max),
    }
}

impl RateChange {
    /// Returns the change between the load in question, the first of `samples`, and the load that differs most in this
    /// property; `None` without one.
    pub fn of(samples: &[BottleneckSample], change: LoadChange) -> Option<RateChange> {
        let (base, others) = samples.split_first()?;
        let size = |shape: &LoadShape| match change {
            LoadChange::MoreJobs => f64::from(shape.jobs),
            LoadChange::LargerBlocks => shape.block as f64,
            _ => f64::from(shape.in_flight()),
        };
        let differs = |sample: &&BottleneckSample| {
            let (a, b) = (&base.shape, &sample.shape);
            let same = |own: &dyn Fn(&LoadShape) -> LoadShape| own(a) == own(b);
            let ratio = size(b) / size(a).max(1.0);
            match change {
                LoadChange::Deeper | LoadChange::Shallower => {
                    let apart =
                        if change == LoadChange::Deeper { ratio >= DEEPER } else { ratio <= 1.0 / DEEPER };
                    apart && same(&|s| LoadShape { depth: 0, jobs: 0, ..*s })
                }
                LoadChange::MoreJobs => {
                    let alike = f64::from(b.in_flight()) / f64::from(a.in_flight().max(1));
                    ratio >= DEEPER && alike < DEEPER && same(&|s| LoadShape { depth: 0, jobs: 0, ..*s })
                }
                LoadChange::LargerBlocks => ratio >= LARGER && same(&|s| LoadShape { block: 0, ..*s }),
                LoadChange::Beneath => b.beneath && same(&|s| LoadShape { beneath: false, ..*s }),
                LoadChange::Unscheduled => b.unscheduled && same(&|s| LoadShape { unscheduled: false, ..*s }),
            }
        };
        let distance =
            |sample: &&BottleneckSample| (size(&sample.shape) / size(&base.shape).max(1.0)).ln().abs();
        let other = others.iter().filter(differs).max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let rate = repeated_rate(samples);
        (rate.value > 0.0).then(|| RateChange {
            change,
            from: size(&base.shape),
            to: size(&other.shape),
            ios: other.rate.over(&rate),
            bytes: other.bytes_per_second / (base.bytes_per_second * rate.value / base.rate.value).max(1.0),
        })
    }

    /// Returns the direction of the change of the I/Os per second.
    pub fn trend(&self) -> Trend {
        let Estimate { value, low, high } = self.ios;
        if value >= RISES && low > 1.0 {
            Trend::Rises
        } else if (1.0 / SAME..=SAME).contains(&value) {
            Trend::Same
        } else if value <= 1.0 / RISES && high < 1.0 {
            Trend::Falls
        } else {
            Trend::Unclear
        }
    }
}
