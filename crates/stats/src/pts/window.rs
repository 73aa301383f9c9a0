//! Steady state by the arithmetic of the specification: the range of five consecutive rounds and the slope of their
//! least-squares line.

use super::early::PtsEarly;
use super::load::PtsLoad;
use super::sample::PtsSample;
use serde::{Deserialize, Serialize};

/// Number of rounds in a measurement window.
pub const WINDOW_ROUNDS: usize = 5;
/// Largest number of rounds.
pub const MOST_ROUNDS: u32 = 25;
/// Allowed range of the values in a window, as a fraction of their mean.
pub const ALLOWED_EXCURSION: f64 = 0.20;
/// Allowed rise of the fitted line from the first to the last round of a window, as a fraction of the mean.
pub const ALLOWED_SLOPE: f64 = 0.10;
/// 97.5 % quantile of Student's t with four degrees of freedom.
const T_975_4: f64 = 2.776_445_105;

/// Quantity that a tracked variable follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsQuantity {
    /// I/Os per second.
    Iops,
    /// Bytes per second.
    BytesPerSecond,
    /// Mean latency, nanoseconds.
    MeanLatency,
}

impl PtsQuantity {
    /// Returns the value of this quantity in a sample.
    pub fn of(self, sample: &PtsSample) -> f64 {
        match self {
            PtsQuantity::Iops => sample.iops,
            PtsQuantity::BytesPerSecond => sample.bytes_per_second,
            PtsQuantity::MeanLatency => sample.mean_ns,
        }
    }
}

/// A window of five consecutive rounds of one tracked variable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsWindow {
    /// Number of the first round, from 1.
    pub first: u32,
    /// Values of the five rounds.
    pub values: [f64; WINDOW_ROUNDS],
    /// Mean of the values.
    pub average: f64,
    /// Allowed range of the values: 20 % of the mean.
    pub allowed_excursion: f64,
    /// Largest minus smallest value.
    pub excursion: f64,
    /// Slope of the least-squares line, per round.
    pub slope: f64,
    /// Value of the least-squares line at round 0.
    pub intercept: f64,
    /// Allowed rise of the line over the window: 10 % of the mean.
    pub allowed_slope_excursion: f64,
    /// Absolute rise of the line from the first to the last round.
    pub slope_excursion: f64,
    /// Whether the range is within its limit.
    pub excursion_met: bool,
    /// Whether the rise is within its limit.
    pub slope_met: bool,
    /// Half-width of the 95 % confidence interval of the mean, percent of the mean; the specification does not ask for
    /// it.
    pub half_width_percent: f64,
}

impl PtsWindow {
    /// Returns the window of five values, of which the first is that of round `first`.
    pub fn of(first: u32, values: [f64; WINDOW_ROUNDS]) -> PtsWindow {
        let count = WINDOW_ROUNDS as f64;
        let average = values.iter().sum::<f64>() / count;
        let middle = f64::from(first) + (count - 1.0) / 2.0;
        let rounds = (0..WINDOW_ROUNDS).map(|n| f64::from(first) + n as f64 - middle);
        let slope = rounds.clone().zip(values).map(|(r, y)| r * (y - average)).sum::<f64>()
            / rounds.map(|r| r * r).sum::<f64>();
        let excursion =
            values.iter().fold(f64::MIN, |a, b| a.max(*b)) - values.iter().fold(f64::MAX, |a, b| a.min(*b));
        let slope_excursion = slope.abs() * (count - 1.0);
        let (allowed_excursion, allowed_slope_excursion) =
            (ALLOWED_EXCURSION * average, ALLOWED_SLOPE * average);
        let variance = values.iter().map(|y| (y - average).powi(2)).sum::<f64>() / (count - 1.0);
        let half_width = T_975_4 * (variance / count).sqrt();
        PtsWindow {
            first,
            values,
            average,
            allowed_excursion,
            excursion,
            slope,
            intercept: average - slope * middle,
            allowed_slope_excursion,
            slope_excursion,
            // A load that completes nothing has no steady state.
            excursion_met: average > 0.0 && excursion <= allowed_excursion,
            slope_met: average > 0.0 && slope_excursion <= allowed_slope_excursion,
            half_width_percent: if average > 0.0 { 100.0 * half_width / average } else { 0.0 },
        }
    }

    /// Returns whether the window is in steady state.
    pub fn met(&self) -> bool {
        self.excursion_met && self.slope_met
    }

    /// Returns the number of the last round.
    pub fn last(&self) -> u32 {
        self.first + WINDOW_ROUNDS as u32 - 1
    }

    /// Returns the value of the least-squares line at a round.
    pub fn fitted(&self, round: u32) -> f64 {
        self.intercept + self.slope * f64::from(round)
    }
}

/// A variable whose steady state is required, with its values by round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsVariable {
    /// Load of the samples.
    pub load: PtsLoad,
    /// Quantity that is followed.
    pub quantity: PtsQuantity,
    /// Value of each round, from round 1 on.
    pub values: Vec<f64>,
    /// Window that decides; `None` with fewer than five rounds.
    pub window: Option<PtsWindow>,
}

/// Steady state of a test or of a preconditioning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsSteady {
    /// Round after which every variable was in steady state for the first time; `None` if that did not happen.
    pub met_at: Option<u32>,
    /// End of the rounds before steady state because the interval of the mean was tight enough; its rounds are the
    /// measurement window. `None` if that did not happen.
    #[serde(default)]
    pub early: Option<PtsEarly>,
    /// First and last round of the measurement window; `None` with fewer than five rounds.
    pub window: Option<[u32; 2]>,
    /// Tracked variables, each with its window.
    pub variables: Vec<PtsVariable>,
}

impl PtsSteady {
    /// Judges the rounds of the tracked variables. The measurement window ends at the first round at which all
    /// variables are steady, or at the last round.
    pub fn of(variables: impl IntoIterator<Item = (PtsLoad, PtsQuantity, Vec<f64>)>) -> PtsSteady {
        let variables: Vec<_> = variables.into_iter().collect();
        let rounds = variables.iter().map(|(_, _, values)| values.len()).min().unwrap_or(0);
        let window = |values: &[f64], last: usize| {
            let first = last.checked_sub(WINDOW_ROUNDS)?;
            let values = values.get(first..last)?.try_into().ok()?;
            Some(PtsWindow::of(first as u32 + 1, values))
        };
        let steady = |last: &usize| {
            variables.iter().all(|(_, _, values)| window(values, *last).is_some_and(|w| w.met()))
        };
        let met_at = (WINDOW_ROUNDS..=rounds).find(steady);
        let last = met_at.unwrap_or(rounds);
        PtsSteady {
            met_at: met_at.map(|round| round as u32),
            early: None,
            window: last.checked_sub(WINDOW_ROUNDS).map(|first| [first as u32 + 1, last as u32]),
            variables: variables
                .into_iter()
                .map(|(load, quantity, values)| {
                    let window = window(&values, last);
                    PtsVariable { load, quantity, values, window }
                })
                .collect(),
        }
    }

    /// Judges whether the rounds ended before steady state, with intervals of at most this half-width, percent.
    pub fn or_early(mut self, percent: Option<f64>) -> PtsSteady {
        let rounds = self.variables.iter().map(|variable| variable.values.len()).min().unwrap_or(0);
        let before = self.met_at.map_or(rounds, |round| round as usize - 1);
        let ended = percent.and_then(|percent| {
            (1..=before).find_map(|last| {
                let values: Vec<&[f64]> = self.variables.iter().map(|v| &v.values[..last]).collect();
                PtsEarly::of(&values, percent)
            })
        });
        if let Some(early) = ended {
            self.met_at = None;
            self.window = Some(early.window);
            self.early = Some(early);
        }
        self
    }

    /// Returns whether the rounds are over: steady state was achieved, or they ended early.
    pub fn ended(&self) -> bool {
        self.met() || self.early.is_some()
    }

    /// Returns whether steady state was achieved.
    pub fn met(&self) -> bool {
        self.met_at.is_some()
    }

    /// Returns whether a round belongs to the measurement window.
    pub fn contains(&self, round: u32) -> bool {
        self.window.is_some_and(|[first, last]| (first..=last).contains(&round))
    }

    /// Returns an estimate of the rounds that are left until steady state, by the trend of the last two windows; 0 if
    /// it is achieved.
    pub fn rounds_left(&self) -> u32 {
        if self.met() {
            return 0;
        }
        let of = |variable: &PtsVariable| {
            let rounds = variable.values.len();
            let least = (WINDOW_ROUNDS.saturating_sub(rounds)).max(1) as f64;
            let window = |last: usize| {
                let first = last.checked_sub(WINDOW_ROUNDS)?;
                Some(PtsWindow::of(first as u32 + 1, variable.values[first..last].try_into().ok()?))
            };
            let Some(now) = window(rounds) else { return least };
            if now.met() {
                return 0.0;
            }
            let Some(before) = rounds.checked_sub(1).and_then(window) else { return WINDOW_ROUNDS as f64 };
            // An approach to a level shrinks by the same factor from round to round.
            let shrinks = (now.slope / before.slope).clamp(0.1, 0.95);
            let excess = (now.slope_excursion / now.allowed_slope_excursion)
                .max(now.excursion / now.allowed_excursion)
                .max(1.0);
            (excess.ln() / -shrinks.ln()).ceil().max(least)
        };
        let left = self.variables.iter().map(of).fold(1.0, f64::max) as u32;
        let done = self.variables.iter().map(|v| v.values.len()).min().unwrap_or(0) as u32;
        left.min(MOST_ROUNDS.saturating_sub(done))
    }
}
