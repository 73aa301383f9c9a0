//! Several visits to the same cell: pooled estimate, and variation between visits.

use crate::estimate::Estimate;
use crate::quantile::{chi_square, student_t};

/// Returns the pooled estimate of several visits to the same cell: their mean weighted by their `seconds`, with the
/// larger of the intervals from the visits' own intervals and from their variation. `None` without visits or if the
/// lengths differ.
pub fn pooled(visits: &[Estimate], seconds: &[f64]) -> Option<Estimate> {
    let all: f64 = seconds.iter().sum();
    if visits.is_empty() || visits.len() != seconds.len() || all <= 0.0 {
        return None;
    }
    let weights: Vec<f64> = seconds.iter().map(|s| s / all).collect();
    let value: f64 = visits.iter().zip(&weights).map(|(v, w)| v.value * w).sum();
    let within = |side: &dyn Fn(&Estimate) -> f64| {
        visits.iter().zip(&weights).map(|(v, w)| (side(v) * w).powi(2)).sum::<f64>().sqrt()
    };
    let n = visits.len() as f64;
    let between = if visits.len() > 1 {
        let squares: f64 = visits.iter().zip(&weights).map(|(v, w)| w * (v.value - value).powi(2)).sum();
        1.96 * (squares / (n - 1.0)).sqrt()
    } else {
        0.0
    };
    let (below, above) = (within(&|v| v.value - v.low), within(&|v| v.high - v.value));
    let low = (value - below.max(between)).max(0.0);
    Some(Estimate { value, low, high: value + above.max(between) })
}

/// Spread of several runs of the same load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSpread {
    /// Mean of the runs, with an interval from the spread between the runs.
    pub mean: Estimate,
    /// Standard deviation between the runs, percent of the mean.
    pub between_percent: Estimate,
    /// Standard deviation that the intervals of the single runs explain, percent of the mean.
    pub within_percent: f64,
}

/// Returns the spread of runs of the same load; `None` with fewer than three. The interval of the standard deviation
/// assumes a normal distribution (chi square).
pub fn run_spread(runs: &[Estimate]) -> Option<RunSpread> {
    let n = runs.len() as f64;
    let mean = runs.iter().map(|r| r.value).sum::<f64>() / n;
    if runs.len() < 3 || mean <= 0.0 {
        return None;
    }
    let freedom = n - 1.0;
    let variance = runs.iter().map(|r| (r.value - mean).powi(2)).sum::<f64>() / freedom;
    let own = runs.iter().map(|r| (r.half() / 1.96).powi(2)).sum::<f64>() / n;
    let percent = |variance: f64| 100.0 * variance.sqrt() / mean;
    let end = |z: f64| percent(variance * freedom / chi_square(z, freedom));
    Some(RunSpread {
        mean: Estimate::around(mean, student_t(0.975, freedom) * (variance / n).sqrt()),
        between_percent: Estimate { value: percent(variance), low: end(1.96), high: end(-1.96) },
        within_percent: percent(own),
    })
}
