//! Ratios of figures that two devices have as the values of a few rounds each, such as those of a measurement window:
//! their intervals, and the ratio of all figures together.

use super::between::{DEFAULT, DEFAULT_FREEDOM, Weight, holm};
use super::{KNOWN_WITHIN, WRONG};
use crate::estimate::Estimate;
use crate::quantile::student_t;

/// Ratio of one figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundsRatio {
    /// Mean of the rounds of each device.
    pub means: [f64; 2],
    /// Ratio of the second mean to the first; without an interval if a device has fewer than two values.
    pub ratio: Estimate,
}

/// Ratios of all figures of a comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundsRatios {
    /// Ratio of each figure; `None` if a device has no value above zero.
    pub each: Vec<Option<RoundsRatio>>,
    /// Geometric mean of the ratios with an interval; `None` without such a ratio.
    pub together: Option<Estimate>,
    /// Number of figures judged together with Holm's correction.
    pub at_once: usize,
}

/// Logarithm of a ratio, with the components of its variance that differ in their degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LogRatio {
    value: f64,
    /// Variance of the mean and degrees of freedom, per device.
    within: [(f64, f64); 2],
}

impl LogRatio {
    /// Returns the ratio with an interval of this error probability. The variances of the means and the variation
    /// between runs are added; degrees of freedom as Satterthwaite 1946.
    fn estimate(&self, chance: f64) -> Estimate {
        // Each device was measured in one run, whose rounds do not show how runs differ.
        let between = (2.0 * DEFAULT.powi(2), DEFAULT_FREEDOM);
        let parts = [self.within[0], self.within[1], between];
        let variance: f64 = parts.iter().map(|(v, _)| v).sum();
        let freedom = variance.powi(2) / parts.iter().map(|(v, freedom)| v.powi(2) / freedom).sum::<f64>();
        let half = variance.sqrt() * student_t(1.0 - chance / 2.0, freedom);
        Estimate { value: self.value.exp(), low: (self.value - half).exp(), high: (self.value + half).exp() }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the variance of the logarithm of the mean (first order) and its degrees of freedom; `None` from fewer than
/// two values.
fn within(values: &[f64]) -> Option<(f64, f64)> {
    let (n, mean) = (values.len() as f64, mean(values));
    let squares: f64 = values.iter().map(|v| (v / mean - 1.0).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (n - 1.0) / n, n - 1.0))
}

/// Compares the second device with the first: `figures` has for each figure the values of both devices in their rounds.
///
/// Each device was measured once, so every interval includes the variation between runs that [`super::DEFAULT_BETWEEN`]
/// states; that of [`RoundsRatios::together`] in full, because a run shifts all of its figures. The figures are corrected
/// together (Holm 1979); half of the error probability is that of all figures together.
pub fn ratios(figures: &[[Vec<f64>; 2]]) -> RoundsRatios {
    let usable = |[a, b]: &[Vec<f64>; 2]| {
        let above =
            |values: &[f64]| !values.is_empty() && values.iter().all(|v| v.is_finite()) && mean(values) > 0.0;
        above(a) && above(b)
    };
    let log = |[a, b]: &[Vec<f64>; 2]| {
        let (first, second) = (within(a)?, within(b)?);
        Some(LogRatio { value: (mean(b) / mean(a)).ln(), within: [first, second] })
    };
    let logs: Vec<Option<LogRatio>> =
        figures.iter().map(|figure| usable(figure).then(|| log(figure)).flatten()).collect();
    let known: Vec<(usize, LogRatio)> =
        logs.iter().enumerate().filter_map(|(n, log)| Some((n, (*log)?))).collect();
    let count = known.len() as f64;
    let sum = |of: &dyn Fn(&LogRatio) -> f64| known.iter().map(|(_, log)| of(log)).sum::<f64>();
    // Errors within the rounds of different figures are independent of each other.
    let device = |side: usize| {
        let freedom = known.iter().map(|(_, log)| log.within[side].1).sum::<f64>();
        (sum(&|log| log.within[side].0) / count.powi(2), freedom)
    };
    let all = (count > 0.0)
        .then(|| LogRatio { value: sum(&|log| log.value) / count, within: [device(0), device(1)] });
    let tests: Vec<LogRatio> = known.iter().map(|(_, log)| *log).chain(all).collect();
    let weight = |n: usize| if n < known.len() { 1.0 } else { count };
    let weights: Vec<Weight> =
        (0..tests.len()).map(|n| Weight { weight: weight(n), follows: false }).collect();
    let judged = holm(&weights, WRONG, |n, chance| !tests[n].estimate(chance).holds(1.0));
    let known_ratio = |n: usize| {
        let found = tests[n].estimate(judged[n].1);
        let hidden = found.holds(1.0) && found.high > KNOWN_WITHIN * found.low;
        if hidden { Estimate::bare(found.value) } else { found }
    };
    let each = figures.iter().enumerate().map(|(at, figure)| {
        let means = figure.each_ref().map(|values| mean(values));
        let test = known.iter().position(|(n, _)| *n == at);
        let ratio = test.map_or_else(|| Estimate::bare(means[1] / means[0]), known_ratio);
        usable(figure).then_some(RoundsRatio { means, ratio })
    });
    RoundsRatios {
        each: each.collect(),
        together: all.map(|_| known_ratio(known.len())),
        at_once: known.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64 (Steele, Lea and Flood 2014).
    struct Noise(u64);

    impl Noise {
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (((z ^ (z >> 31)) >> 12) as f64 + 0.5) / (1u64 << 52) as f64
        }

        /// A standard normal variable (Box and Muller 1958).
        fn normal(&mut self) -> f64 {
            (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
        }
    }

    /// Five rounds of 56 cells of a device; a run shifts all of its cells.
    fn device(rng: &mut Noise, level: f64, rounds: f64) -> Vec<Vec<f64>> {
        let run = (DEFAULT * rng.normal()).exp();
        let mut cell = |n: usize| {
            let rate = 1000.0 * (n + 1) as f64 * level * run;
            (0..5).map(|_| rate * (1.0 + rounds * rng.normal())).collect()
        };
        (0..56).map(&mut cell).collect()
    }

    fn compared(rng: &mut Noise, level: f64) -> RoundsRatios {
        let (a, b) = (device(rng, 1.0, 0.02), device(rng, level, 0.02));
        let pairs: Vec<[Vec<f64>; 2]> = a.into_iter().zip(b).map(|(a, b)| [a, b]).collect();
        ratios(&pairs)
    }

    #[test]
    fn equal_devices_rarely_differ_in_any_figure() {
        let mut rng = Noise(4711);
        let apart = |ratio: &Estimate| ratio.is_known() && !ratio.holds(1.0);
        let wrong = (0..400).filter(|_| {
            let found = compared(&mut rng, 1.0);
            found.together.as_ref().is_some_and(apart) || found.each.iter().flatten().any(|r| apart(&r.ratio))
        });
        let wrong = wrong.count();
        assert!(wrong <= 20, "{wrong} of 400");
    }

    #[test]
    fn fifteen_percent_are_found_and_lie_in_the_interval() {
        let mut rng = Noise(815);
        let (mut found, mut held) = (0, 0);
        for _ in 0..100 {
            let together = compared(&mut rng, 1.15).together.unwrap();
            found += usize::from(!together.holds(1.0) && together.value > 1.0);
            held += usize::from(together.holds(1.15));
        }
        assert!(found >= 95 && held >= 95, "found {found}, held {held}");
    }

    #[test]
    fn one_value_has_a_ratio_without_an_interval_and_none_has_no_ratio() {
        let found = ratios(&[[vec![10.0], vec![20.0]], [vec![], vec![1.0; 5]], [vec![0.0; 5], vec![1.0; 5]]]);
        let [Some(first), None, None] = found.each[..] else { panic!("{found:?}") };
        assert_eq!((first.means, first.ratio), ([10.0, 20.0], Estimate::bare(2.0)));
        assert_eq!((found.together, found.at_once), (None, 0));
    }
}
