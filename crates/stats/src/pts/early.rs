//! End of the rounds before steady state, for studies that ask for it: the interval of the mean is tight enough.
//!
//! The interval is a confidence sequence by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random
//! variables by betting", 2023): for a level m, the capital of a bettor who bets that the rounds lie above m, and of one
//! who bets that they lie below, grows without limit if they do, and by Ville's inequality exceeds 1/a at any time with a
//! probability of at most a if the level is m. So the interval may be looked at after every round, and the rounds may
//! end because of what it shows. It needs no law of the noise and no variance, only a bound: a round does not deviate by
//! more than [`EARLY_DEVIATION`] of the level. Rounds that exceed the bound end nothing early.

use super::window::ALLOWED_SLOPE;
use serde::{Deserialize, Serialize};

/// Confidence of the interval of a tracked variable.
pub const EARLY_CONFIDENCE: f64 = 0.95;
/// Largest deviation of a round from the level that the interval assumes, as a fraction of the level.
pub const EARLY_DEVIATION: f64 = 0.20;
/// Half-width at which rounds end, percent of the mean, if the user names none.
pub const EARLY_PERCENT: f64 = 10.0;
/// Smallest number of rounds of the interval.
const LEAST_ROUNDS: usize = 5;
/// Rounds at which an interval begins, from 0, with their shares of the error probability. The second one serves devices
/// that need a few rounds to settle.
const STARTS: [(usize, f64); 2] = [(0, 0.8), (5, 0.2)];
/// Bets with their shares of the capital. At 2 the bettor stakes everything.
const BETS: [(f64, f64); 3] = [(0.5, 0.25), (1.0, 0.25), (2.0, 0.5)];

/// Interval of the mean of a tracked variable over rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsInterval {
    /// Mean of the rounds.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl PtsInterval {
    /// Returns the interval of these consecutive rounds; `None` if they contradict its bound. `error` is the probability
    /// that an interval, after any number of rounds, does not contain the level.
    pub fn of(values: &[f64], error: f64) -> Option<PtsInterval> {
        let [least, most] = [f64::min, f64::max].map(|of| values.iter().copied().reduce(of));
        let (least, most) = (least?, most?);
        // Levels from which no round deviates by more than the bound.
        let (from, to) = (most / (1.0 + EARLY_DEVIATION), least / (1.0 - EARLY_DEVIATION));
        if !(least > 0.0 && from <= to) {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let refuted = |level: f64, above: f64| capital(values, level, above) >= 2.0 / error;
        Some(PtsInterval {
            mean,
            low: edge(mean, least / 2.0, |level| refuted(level, 1.0)),
            high: edge(mean, most * 2.0, |level| refuted(level, -1.0)),
        })
    }

    /// Returns the half-width, percent of the middle.
    pub fn half_width_percent(&self) -> f64 {
        100.0 * (self.high - self.low) / (self.high + self.low)
    }
}

/// Returns the capital of a bettor who stakes on rounds above a level (`above` 1) or below it (-1).
fn capital(values: &[f64], level: f64, above: f64) -> f64 {
    let won = |bet: f64| {
        let factor = |y: &f64| {
            let deviation = ((y / level - 1.0) / (2.0 * EARLY_DEVIATION)).clamp(-0.5, 0.5);
            1.0 + bet * above * deviation
        };
        values.iter().map(factor).product::<f64>()
    };
    BETS.iter().map(|(bet, share)| share * won(*bet)).sum()
}

/// Returns the level between `inside` and `outside` at which refutation begins; it rises with the distance from `inside`.
fn edge(inside: f64, outside: f64, refuted: impl Fn(f64) -> bool) -> f64 {
    const STEPS: u32 = 24;
    if !refuted(outside) {
        return outside;
    }
    let (mut inside, mut outside) = (inside, outside);
    for _ in 0..STEPS {
        let middle = f64::midpoint(inside, outside);
        if refuted(middle) { outside = middle } else { inside = middle }
    }
    outside
}

/// End of the rounds before steady state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsEarly {
    /// Half-width that was asked for, percent of the mean.
    pub percent: f64,
    /// First and last round of the intervals.
    pub window: [u32; 2],
    /// Interval of each tracked variable.
    pub intervals: Vec<PtsInterval>,
}

impl PtsEarly {
    /// Returns the half-width of the widest interval, percent.
    pub fn half_width_percent(&self) -> f64 {
        self.intervals.iter().map(PtsInterval::half_width_percent).fold(0.0, f64::max)
    }

    /// Returns the intervals of the tracked variables if the rounds can end with the last of these: all intervals are at
    /// most as wide as asked for, and no fitted line rises or falls by more than the specification allows.
    pub fn of(variables: &[&[f64]], percent: f64) -> Option<PtsEarly> {
        let rounds = variables.iter().map(|values| values.len()).min()?;
        STARTS.into_iter().find_map(|(start, share)| {
            if rounds < start + LEAST_ROUNDS {
                return None;
            }
            let interval = |values: &&[f64]| {
                let values = values.get(start..rounds)?;
                let found = PtsInterval::of(values, (1.0 - EARLY_CONFIDENCE) * share)?;
                let level = rise(values).abs() <= ALLOWED_SLOPE * found.mean;
                (level && found.half_width_percent() <= percent).then_some(found)
            };
            let intervals = variables.iter().map(interval).collect::<Option<Vec<_>>>()?;
            Some(PtsEarly { percent, window: [start as u32 + 1, rounds as u32], intervals })
        })
    }
}

/// Returns the rise of the least-squares line from the first to the last value.
fn rise(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let middle = (count - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / count;
    let offsets = (0..values.len()).map(|n| n as f64 - middle);
    let squares: f64 = offsets.clone().map(|x| x * x).sum();
    offsets.zip(values).map(|(x, y)| x * (y - mean)).sum::<f64>() / squares * (count - 1.0)
}
