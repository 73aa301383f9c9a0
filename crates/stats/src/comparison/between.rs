//! Allowance for the variation between runs of one load under unchanged conditions. A single run cannot show this
//! variation, so it is estimated from repeated runs, with a fixed default while there are few.

use std::collections::BTreeMap;

/// Relative standard deviation between runs of one load that is assumed without repeated runs.
pub const DEFAULT: f64 = 0.022;
/// Degrees of freedom of the default: as many observed degrees of freedom have the same weight.
pub const DEFAULT_FREEDOM: f64 = 10.0;
/// Ratio of the observed variance to the default's above which the default is not used (99 % quantile of F with 4 and
/// 10 degrees of freedom).
const CONTRADICTS: f64 = 6.0;

/// Relative standard deviation between runs, and its degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Allowance {
    pub(super) deviation: f64,
    pub(super) freedom: f64,
}

/// Sum of squared deviations of logarithms from the mean of their group, and its degrees of freedom.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Observed {
    squares: f64,
    freedom: f64,
}

impl Observed {
    /// Adds the values of one group of repetitions.
    pub(super) fn add(&mut self, values: &[f64]) {
        let logs: Vec<f64> = values.iter().filter(|v| **v > 0.0).map(|v| v.ln()).collect();
        if logs.len() > 1 {
            let mean = logs.iter().sum::<f64>() / logs.len() as f64;
            self.squares += logs.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
            self.freedom += (logs.len() - 1) as f64;
        }
    }

    /// Returns the allowance for runs with a relative standard error of `within`, whose square is subtracted from the
    /// observed variance. Observed variance and default are pooled, each with its degrees of freedom (a moderated t:
    /// Smyth 2004, Linear models and empirical Bayes methods), unless the observed variance contradicts the default.
    pub(super) fn moderated(&self, within: f64) -> Allowance {
        let left =
            if self.freedom > 0.0 { (self.squares / self.freedom - within.powi(2)).max(0.0) } else { 0.0 };
        if left > CONTRADICTS * DEFAULT.powi(2) {
            return Allowance { deviation: left.sqrt(), freedom: self.freedom };
        }
        let freedom = DEFAULT_FREEDOM + self.freedom;
        let variance = (DEFAULT_FREEDOM * DEFAULT.powi(2) + self.freedom * left) / freedom;
        Allowance { deviation: variance.sqrt(), freedom }
    }

    /// Returns the allowance for runs without their own error: the observed variance includes that error, so the
    /// default is not used. `None` without repetitions.
    pub(super) fn alone(&self) -> Option<Allowance> {
        (self.freedom > 0.0).then(|| Allowance {
            deviation: (self.squares / self.freedom).sqrt().max(1e-9),
            freedom: self.freedom,
        })
    }
}

/// Weight of a test in [`holm`], and whether the test follows from another one and is not counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight {
    pub(super) weight: f64,
    pub(super) follows: bool,
}

/// Returns for each hypothesis whether it is rejected, and the error probability at which it was tested (Holm 1979, A
/// simple sequentially rejective multiple test procedure, with weights as in its section 4). Each hypothesis gets a
/// share of `wrong` in proportion to its weight; a rejected one leaves its share to the others. `rejects` returns
/// whether a hypothesis is rejected at an error probability.
pub(super) fn holm(weights: &[Weight], wrong: f64, rejects: impl Fn(usize, f64) -> bool) -> Vec<(bool, f64)> {
    let mut rejected: BTreeMap<usize, f64> = BTreeMap::new();
    loop {
        let left = weights.iter().enumerate().filter(|(n, w)| !w.follows && !rejected.contains_key(n));
        let sum: f64 = left.map(|(_, w)| w.weight).sum();
        let chance = |n: usize| if sum > 0.0 { wrong * (weights[n].weight / sum).min(1.0) } else { wrong };
        let open = (0..weights.len()).filter(|n| !rejected.contains_key(n));
        let more: Vec<usize> = open.filter(|n| rejects(*n, chance(*n))).collect();
        if more.is_empty() {
            let of = |n| rejected.get(&n).map_or((false, chance(n)), |at| (true, *at));
            return (0..weights.len()).map(of).collect();
        }
        let judged: Vec<(usize, f64)> = more.into_iter().map(|n| (n, chance(n))).collect();
        rejected.extend(judged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_judges_the_clearest_first_and_the_next_less_strictly() {
        let p = [0.012, 0.03, 0.2, 0.011];
        let one = Weight { weight: 1.0, follows: false };
        let said = |weights: [Weight; 4]| holm(&weights, 0.05, |n, chance| p[n] <= chance);
        // 0.011 and 0.012 pass 0.05 / 4, then 0.03 fails 0.05 / 2.
        let found = said([one; 4]);
        assert_eq!(found, [(true, 0.0125), (false, 0.025), (false, 0.025), (true, 0.0125)]);
        // One that follows from another makes no other stricter.
        assert_eq!(said([Weight { follows: true, ..one }, one, one, one])[1], (false, 0.025));
        // One that weighs three times as much gets half of the chance.
        assert_eq!(said([one, Weight { weight: 3.0, ..one }, one, one])[3], (false, 0.05 / 6.0));
        assert_eq!(holm(&[], 0.05, |_, _| true), []);
    }

    #[test]
    fn the_allowance_is_the_default_until_runs_say_more() {
        let none = Observed::default();
        assert_eq!(none.moderated(0.0), Allowance { deviation: DEFAULT, freedom: DEFAULT_FREEDOM });
        assert_eq!(none.alone(), None);
        let mut calm = Observed::default();
        calm.add(&[100.0; 31]);
        assert!(
            (calm.moderated(0.0).deviation - DEFAULT / 2.0).abs() < 1e-9
                && calm.moderated(0.0).freedom == 40.0
        );
        let mut wild = Observed::default();
        wild.add(&[90.0, 100.0, 111.0]);
        let found = wild.moderated(0.0);
        assert!(found.deviation > 0.1 && found.freedom == 2.0, "{found:?}");
        // Runs that are each known to no better differ by no more than that.
        assert!(wild.moderated(0.2).deviation < DEFAULT);
    }
}
