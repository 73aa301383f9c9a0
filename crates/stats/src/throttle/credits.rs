//! Credits of a token bucket over a sequence of loads.

use super::bucket::{CreditBucket, CreditUnit};
use crate::estimate::Estimate;
use serde::{Deserialize, Serialize};

/// State of the credits at the end of the last load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreditState {
    /// The bucket is full.
    Full,
    /// Credits are left, and the load spends them.
    Draining,
    /// No credits are left: the rate is the base rate.
    Exhausted,
    /// Credits were spent, and the load leaves some of the base rate to refill the bucket.
    Refilling,
    /// The loads do not show whether there is a bucket of credits.
    #[default]
    Unknown,
}

/// Credits of a throttle; figures that the loads do not show are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Credits {
    /// State at the end of the last load.
    pub state: CreditState,
    /// Unit of one credit; `None` if not known.
    pub unit: Option<CreditUnit>,
    /// Remaining credits.
    pub left: Option<Estimate>,
    /// Number of credits of a full bucket; a lower bound if the bucket was not full before the first load.
    pub capacity: Option<Estimate>,
    /// Credits that return per second.
    pub refill: Option<Estimate>,
    /// Time for which the remaining credits last at the rate of the last load, seconds; `None` also if they do not run
    /// out.
    pub seconds_left: Option<Estimate>,
    /// Time until the bucket of an idle device is full, seconds.
    pub full_after_s: Option<Estimate>,
}

/// Load as far as credits depend on it, in units of the bucket.
#[derive(Clone, Copy, Debug)]
pub(super) struct CreditLoad {
    /// Start, seconds on the clock of all loads, and duration, seconds.
    pub start_s: f64,
    pub seconds: f64,
    /// Units transferred.
    pub units: f64,
    /// Units per second at the end.
    pub rate: Estimate,
    /// Units beyond the rate at the end; 0 if none were seen.
    pub excess: f64,
    /// Uncertainty of the excess.
    pub swing: f64,
    /// Units in flight at the end, which are transferred after it.
    pub pending: f64,
    /// Whether the load was limited by its own pace.
    pub paced: bool,
}

/// Returns the bucket that the first drop among the loads shows, with the intervals of capacity and refill rate. Loads
/// before that one spent credits, too.
fn seen(loads: &[CreditLoad], unit: CreditUnit) -> Option<(CreditBucket, Estimate, Estimate)> {
    let at = loads.iter().position(|load| !load.paced && load.excess > 0.0)?;
    let (load, refill) = (loads[at], loads[at].rate);
    let (mut spent, mut most) = (load.excess, load.excess);
    for pair in loads[..=at].windows(2).rev() {
        spent += pair[0].units + pair[0].pending - refill.value * (pair[1].start_s - pair[0].start_s);
        most = most.max(spent);
    }
    // The line's value at the start of the load: its error is that of the slope over half of the plateau and more.
    let half = load.swing / 2.0 + refill.half() * (load.start_s + load.seconds - loads[0].start_s) / 2.0;
    let bucket = CreditBucket { unit, capacity: most, refill: refill.value, burst: f64::INFINITY };
    Some((bucket, Estimate::around(most, half), refill))
}

/// Returns the credits after these loads, in order of time. The bucket is the known one, full before the first load, or
/// that of the first drop.
pub(super) fn of(loads: &[CreditLoad], unit: CreditUnit, known: Option<&CreditBucket>) -> Credits {
    let found = match known {
        Some(known) => Some((*known, Estimate::bare(known.capacity), Estimate::bare(known.refill))),
        None => seen(loads, unit),
    };
    let (Some((bucket, capacity, refill)), Some(last)) = (found, loads.last()) else {
        return Credits::default();
    };
    // Level with its interval: errors add up with the time since the level was certain.
    let mut level = capacity;
    let fill = |level: &mut Estimate, seconds: f64, units: f64| {
        let next = |level: f64, refill: f64| (level + refill * seconds - units).clamp(0.0, capacity.high);
        *level = Estimate {
            value: next(level.value, refill.value).min(capacity.value),
            low: next(level.low, refill.low),
            high: next(level.high, refill.high),
        };
    };
    let (mut now, mut pending) = (loads[0].start_s, 0.0);
    for load in loads {
        fill(&mut level, (load.start_s - now).max(0.0), pending);
        fill(&mut level, load.seconds, load.units);
        let on_base = !load.paced && (load.rate.value / refill.value).ln().abs() < 0.05;
        if on_base && (load.excess > 0.0 || level.value < 0.2 * capacity.value) {
            // Of what a slice permits, any part may be left.
            level = Estimate { value: load.swing / 2.0, low: 0.0, high: load.swing };
        }
        (now, pending) = (load.start_s + load.seconds, load.pending);
    }
    let drain = last.rate.value.min(bucket.burst) - refill.value;
    let spends = drain > 0.02 * refill.value;
    let state = if level.value > 0.99 * capacity.value && !spends {
        CreditState::Full
    } else if level.value <= last.swing.max(0.01 * capacity.value) && !last.paced {
        CreditState::Exhausted
    } else if spends {
        CreditState::Draining
    } else {
        CreditState::Refilling
    };
    let seconds = |units: f64, per_second: f64| if per_second > 0.0 { units / per_second } else { 0.0 };
    let full_after_s = Estimate {
        value: seconds((capacity.value - level.value).max(0.0), refill.value),
        low: seconds((capacity.low - level.high).max(0.0), refill.high),
        high: seconds((capacity.high - level.low).max(0.0), refill.low),
    };
    Credits {
        state,
        unit: Some(bucket.unit),
        left: Some(level),
        capacity: Some(capacity),
        refill: Some(refill),
        seconds_left: spends.then(|| level.times(1.0 / drain)),
        full_after_s: (refill.low > 0.0).then_some(full_after_s),
    }
}
