//! Throttles: limits of IOPS or bandwidth that something other than the capability of the device imposes, such as
//! control groups, hypervisors and cloud providers.
//!
//! A rate that no longer rises with the depth, by itself, shows no throttle: a device whose service time is constant
//! looks the same. A throttle is named only for observations that a device of parallel servers cannot produce: the
//! count of completions never strays from a line, and in addition (1) I/Os wait for slices of time during which most of
//! them complete at once, or (2) the latency of few I/Os at a time is so short that a single server would have a higher
//! rate, or (3) the device beneath is idle while I/Os are in flight, or (4) the device starts as fast as such a device
//! would for a number of I/Os, the credits of a full bucket. Writes do not show (2) and (4), because a write cache is a
//! token bucket, too.

mod bucket;
mod credits;
mod fitted;
mod period;
mod plateau;

pub use bucket::{CreditBalance, CreditBucket, CreditDraw, CreditUnit};
pub use credits::{CreditState, Credits};
pub use fitted::{EVEN_SLICES, IDLE_SLICES, LEAST_SLICES};
pub use period::{ALIKE, BESIDE};

use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::histogram::Histogram;
use crate::series::Series;
use credits::CreditLoad;
use fitted::{Fitted, Group};
use serde::{Deserialize, Serialize};

/// Largest product of the latency of few I/Os and the rate at which such I/Os exclude a device with one server.
pub const QUICK: f64 = 0.8;
/// Largest busy time of a device that counts as idle beneath I/Os in flight, as a share of the time.
pub const IDLE: f64 = 0.5;
/// Largest difference between rates that count as the same, as a share of the rate.
const SAME: f64 = 0.03;

/// Returns the largest plausible mean latency of few I/Os at a time, from the mean of `ios` latencies with the
/// coefficient of variation `varies`, times the limited rate. A device with one server has at least 1, because it
/// completes one I/O per latency.
pub fn quick_product(mean_ns: f64, varies: f64, ios: f64, rate: f64) -> f64 {
    const SIGMAS: f64 = 3.0;
    mean_ns / 1e9 * (1.0 + SIGMAS * varies / ios.max(1.0).sqrt()) * rate
}

/// One load on a target: what a run of constant configuration measured. The load generator must not have been the limit.
#[derive(Clone, Copy, Debug)]
pub struct ThrottleSample<'a> {
    /// Completions over time.
    pub series: &'a Series,
    /// Total latency of [reads, writes].
    pub latency: [&'a Histogram; 2],
    /// Number of I/Os that the load keeps in flight.
    pub in_flight: f64,
    /// Whether the load is limited by its own rate.
    pub paced: bool,
    /// Time during which the device beneath was busy, as a share of the time (0 to 1); `None` if not known.
    pub busy_share: Option<f64>,
    /// Start of the load, seconds on a clock that all loads share.
    pub start_s: f64,
}

/// Limit of a throttle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "unit", rename_all = "snake_case")]
pub enum ThrottledUnit {
    /// I/Os per second.
    Iops {
        /// Limit, I/Os per second.
        rate: Estimate,
    },
    /// Bytes per second.
    Bytes {
        /// Limit, bytes per second.
        rate: Estimate,
    },
    /// I/Os and bytes per second.
    Both {
        /// Limit that binds for small blocks, I/Os per second.
        iops: Estimate,
        /// Limit that binds for large blocks, bytes per second.
        bytes: Estimate,
        /// Block size at which both limits bind, bytes.
        crossover: f64,
    },
    /// Either I/Os or bytes per second: all loads had the same block size.
    Unresolved {
        /// Limit if it is one of IOPS, I/Os per second.
        iops: Estimate,
        /// Limit if it is one of bandwidth, bytes per second.
        bytes: Estimate,
    },
}

/// Distribution of the permitted I/Os over time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case")]
pub enum ThrottleShape {
    /// I/Os are permitted one after the other.
    Smooth,
    /// A number of I/Os is permitted in each slice of time.
    Sliced {
        /// Duration of a slice, seconds.
        period_s: Estimate,
    },
    /// The loads do not show the shape.
    Unclear,
}

/// Directions that a limit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitedDirections {
    /// The loads had one direction only, or do not show it.
    NotSeen,
    /// Reads and writes share one limit.
    Joint,
    /// Only this direction reached a limit, and the other does not count towards it.
    Only(Direction),
}

/// Observation that distinguishes a throttle from a device, or supports the distinction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "sign", rename_all = "snake_case")]
pub enum ThrottleSign {
    /// The count of completions stayed close to a line.
    EvenOutput {
        /// Largest minus smallest difference of the count from the line.
        swing: f64,
        /// Number of completions.
        count: f64,
    },
    /// Most I/Os completed at once, and the others waited for the next slice.
    Slices {
        /// Share of the I/Os that waited (0 to 1).
        waited: f64,
        /// Median wait, nanoseconds.
        wait_ns: f64,
        /// Share of the time in flight that was spent in waits (0 to 1).
        share: f64,
    },
    /// Few I/Os at a time are answered faster than one server with the limited rate could.
    QuickWhenLight {
        /// Largest plausible mean latency of few I/Os times the limited rate.
        product: f64,
    },
    /// The device beneath was idle although I/Os were in flight.
    IdleBeneath {
        /// Share of the time during which the device was busy (0 to 1).
        busy_share: f64,
    },
    /// The first I/Os completed faster than one server with the limited rate could.
    QuickAtStart {
        /// Number of I/Os beyond the limited rate.
        excess: f64,
        /// Number of I/Os that took less than a quarter of the time per I/O at the limited rate.
        quick: f64,
    },
    /// A pause permitted as many I/Os beyond the limited rate as the rate yields in the time of the pause.
    RefilledWhileIdle {
        /// Number of I/Os that the pause yields at the limited rate.
        expected: f64,
        /// Number of I/Os beyond the limited rate.
        seen: f64,
    },
    /// The rate stayed the same with more I/Os in flight.
    FlatOverDepth {
        /// Ratio of the numbers of I/Os in flight.
        depths: f64,
        /// Ratio of the rates.
        rates: f64,
    },
}

/// Load that would tell more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeededSample {
    /// The same load with another number of I/Os in flight.
    OtherDepth,
    /// The same load with another block size.
    OtherBlockSize,
    /// Reads at a low rate, after the limited load.
    LowRate,
    /// Reads: a write cache cannot be excluded for writes.
    Reads,
    /// The same load for a longer time.
    LongerRun,
}

/// Throttle that the loads show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Throttle {
    /// Limit with its 95 % interval.
    pub limit: ThrottledUnit,
    /// Distribution over time.
    pub shape: ThrottleShape,
    /// I/Os permitted at once: those of a slice, or the credits of a full bucket; `None` if not visible.
    pub burst: Option<Estimate>,
    /// Directions that the limit applies to.
    pub directions: LimitedDirections,
    /// Credits at the end of the last load.
    pub credits: Credits,
    /// Shortest run that shows the base rate, seconds; `None` if no bucket of credits is known.
    pub shortest_run_s: Option<f64>,
    /// Observations that show the throttle.
    pub signs: Vec<ThrottleSign>,
    /// Loads that would resolve what is unresolved.
    pub needs: Vec<NeededSample>,
}

/// Answer to the question whether loads were throttled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum ThrottleAnswer {
    /// Only a throttle explains the loads.
    Throttled(Box<Throttle>),
    /// The rate rises with the number of I/Os in flight: no limit was reached.
    NotReached {
        /// Ratio of the numbers of I/Os in flight.
        depths: f64,
        /// Ratio of the rates.
        rates: f64,
    },
    /// A device without a throttle could have produced these loads, too.
    CannotTell {
        /// Observations that support a throttle.
        signs: Vec<ThrottleSign>,
        /// Loads that would tell.
        needs: Vec<NeededSample>,
    },
}

impl ThrottleAnswer {
    /// Returns the throttle, if one was named.
    pub fn throttle(&self) -> Option<&Throttle> {
        match self {
            ThrottleAnswer::Throttled(throttle) => Some(throttle),
            _ => None,
        }
    }
}

/// Returns whether loads on one target were throttled, and the parameters of the throttle. All loads have the same
/// access pattern; depth, block size and pace may differ. `known` are the parameters of a bucket of credits that the
/// caller knows and that was full before the first load.
pub fn fit(samples: &[ThrottleSample<'_>], known: Option<&CreditBucket>) -> ThrottleAnswer {
    let mut fits: Vec<Fitted> = samples.iter().filter_map(Fitted::of).collect();
    fits.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    let groups = fitted::groups(&fits);
    let Some(first) = groups.first() else {
        return ThrottleAnswer::CannotTell { signs: Vec::new(), needs: vec![NeededSample::LongerRun] };
    };
    if let Some((depths, rates)) = first.rises {
        return ThrottleAnswer::NotReached { depths, rates };
    }
    let signs: Vec<Vec<ThrottleSign>> = groups.iter().map(|group| fitted::signs(group, &fits)).collect();
    let named: Vec<bool> = signs.iter().map(|signs| fitted::is_named(signs)).collect();
    let mut needs = needs(&groups, &fits, named.contains(&true));
    let Some(at) = named.iter().position(|named| *named) else {
        needs.dedup();
        return ThrottleAnswer::CannotTell { signs: signs.concat(), needs };
    };
    let limit = limit(&groups, &named, at);
    let main = groups[at].main;
    let period = groups
        .iter()
        .filter_map(|group| group.main.period.filter(|_| group.main.is_sliced()))
        .min_by(|a, b| a.half_percent().total_cmp(&b.half_percent()));
    let shape = match period {
        Some(period_s) => ThrottleShape::Sliced { period_s },
        None if main.strays_little() => ThrottleShape::Smooth,
        None => ThrottleShape::Unclear,
    };
    let (unit, scale) = match (known, &limit) {
        (Some(known), _) => (known.unit, None),
        (None, ThrottledUnit::Bytes { .. }) => (CreditUnit::Bytes, None),
        (None, _) => (CreditUnit::Ios, Some(main.block)),
    };
    // Credits of I/Os are only comparable between loads of equal blocks unless the limit counts I/Os.
    let comparable = |f: &&Fitted| {
        !matches!(limit, ThrottledUnit::Unresolved { .. }) || scale.is_none_or(|block| f.has_block(block))
    };
    let loads: Vec<CreditLoad> = fits.iter().filter(comparable).map(|f| f.load(unit)).collect();
    let credits = credits::of(&loads, unit, known);
    let burst = match period {
        Some(period) => Some(main.rate().times(period.value)),
        None => credits.capacity.map(|c| match unit {
            CreditUnit::Ios => c,
            CreditUnit::Bytes => c.times(1.0 / main.block),
        }),
    };
    let shortest_run_s = known.map_or_else(|| main.drop_s(), CreditBucket::shortest_run_s);
    ThrottleAnswer::Throttled(Box::new(Throttle {
        limit,
        shape,
        burst,
        directions: main.directions,
        credits,
        shortest_run_s,
        signs: signs[at].clone(),
        needs,
    }))
}

/// Returns the unit of the limit and its rate.
fn limit(groups: &[Group<'_>], named: &[bool], at: usize) -> ThrottledUnit {
    let main = groups[at].main;
    let bytes = |group: &Group<'_>| group.main.byte_rate;
    let all_same = |of: &dyn Fn(&Group<'_>) -> f64| {
        groups.len() > 1 && groups.iter().all(|g| (of(g) / of(&groups[at])).ln().abs() < SAME)
    };
    let narrowest = |of: &dyn Fn(&Group<'_>) -> Estimate| {
        let rates = groups.iter().map(of);
        rates.min_by(|a, b| a.half_percent().total_cmp(&b.half_percent())).unwrap_or_default()
    };
    if all_same(&|g| g.main.rate().value) {
        return ThrottledUnit::Iops { rate: narrowest(&|g| g.main.rate()) };
    }
    if all_same(&|g| bytes(g).value) {
        return ThrottledUnit::Bytes { rate: narrowest(&bytes) };
    }
    let last = groups.len() - 1;
    if last > 0 && named[0] && named[last] {
        let (iops, bytes) = (groups[0].main.rate(), bytes(&groups[last]));
        let crossover = bytes.value / iops.value;
        // Between its two limits the block size decides which one binds.
        if groups[0].block < 1.05 * crossover && groups[last].block > 0.95 * crossover {
            return ThrottledUnit::Both { iops, bytes, crossover };
        }
    }
    ThrottledUnit::Unresolved { iops: main.rate(), bytes: main.byte_rate }
}

/// Returns the loads that would tell more.
fn needs(groups: &[Group<'_>], fits: &[Fitted], named: bool) -> Vec<NeededSample> {
    let mut needs = Vec::new();
    if groups.len() < 2 {
        needs.push(NeededSample::OtherBlockSize);
    }
    if named {
        return needs;
    }
    let main = groups[0].main;
    if groups[0].flat.is_none() {
        needs.push(NeededSample::OtherDepth);
    }
    if main.writes && main.busy_share.is_none() {
        needs.push(NeededSample::Reads);
    } else if !fits.iter().any(|f| f.is_light(main)) {
        needs.push(NeededSample::LowRate);
    }
    if main.count() < fitted::LEAST_COUNT {
        needs.push(NeededSample::LongerRun);
    }
    needs
}
