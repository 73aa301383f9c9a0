//! Curve of IOPS over queue depth, by two laws: two straight lines (proportional to the depth up to saturation,
//! constant above), or contention (the Universal Scalability Law: each I/O in flight slows the others).
//! Cross-validation over the depths selects the law.

use crate::estimate::Estimate;
use serde::{Deserialize, Serialize};

/// Two straight lines: a rate proportional to the depth up to saturation, constant above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwoLines {
    /// I/Os per second per I/O in flight below saturation.
    pub each: f64,
    /// I/Os per second at saturation.
    pub most: f64,
}

impl TwoLines {
    /// Returns the I/Os per second at this number of I/Os in flight.
    pub fn rate(&self, in_flight: f64) -> f64 {
        (self.each * in_flight).min(self.most)
    }

    /// Returns the number of I/Os in flight at which the lines meet.
    pub fn meet(&self) -> f64 {
        self.most / self.each
    }
}

/// Universal Scalability Law: rate(N) = N each / (1 + contention (N-1) + coherency N (N-1)), N I/Os in flight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scalability {
    /// I/Os per second at depth 1.
    pub each: f64,
    /// Contention: serialized share of the service time, 0 to 1.
    pub contention: f64,
    /// Coherency: cost of each pair of I/Os in flight, relative to the service time.
    pub coherency: f64,
}

impl Scalability {
    /// Returns the I/Os per second at this number of I/Os in flight.
    pub fn rate(&self, n: f64) -> f64 {
        self.each * n / (1.0 + self.contention * (n - 1.0) + self.coherency * n * (n - 1.0))
    }

    /// Returns the number of I/Os in flight at the highest rate, above which the rate falls. `None` if the rate never
    /// falls.
    pub fn peak(&self) -> Option<f64> {
        (self.coherency > 0.0).then(|| ((1.0 - self.contention).max(0.0) / self.coherency).sqrt().max(1.0))
    }
}

/// Law that describes a depth curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DepthLaw {
    /// Proportional up to saturation, then constant ([`TwoLines`]).
    TwoLines,
    /// Universal Scalability Law ([`Scalability`]).
    Contention,
    /// Both laws predict about equally well, or neither does.
    Either,
}

/// Both laws fitted to all depths, with their leave-one-out prediction errors.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DepthCurve {
    /// Law that describes the measured depths.
    pub shape: DepthLaw,
    /// Fit of two straight lines.
    pub lines: TwoLines,
    /// Fit of the Universal Scalability Law.
    pub scalability: Scalability,
    /// Root mean square error of predictions by the two lines, percent.
    pub lines_off_percent: f64,
    /// Root mean square error of predictions by the scalability law, percent.
    pub scalability_off_percent: f64,
}

/// Smallest number of depths for a fit.
pub const LEAST: usize = 5;

/// One depth: I/Os in flight, I/Os per second, weight.
type Seen = (f64, f64, f64);

/// Returns both laws fitted to the rates of several depths. Predictions are compared at the depths between the first
/// and the last, because both laws would extrapolate at the ends. `None` with fewer than [`LEAST`] depths.
pub fn fit(rates: &[(u32, Estimate)]) -> Option<DepthCurve> {
    // No law describes a device more closely than 1 %.
    const FINE: f64 = 0.01;
    let usable = rates.iter().filter(|(n, rate)| *n > 0 && rate.value > 0.0 && rate.value.is_finite());
    let mut seen: Vec<Seen> = usable
        .map(|(n, rate)| {
            let error = (rate.half() / rate.value / 1.96).max(FINE);
            (f64::from(*n), rate.value, error.powi(-2))
        })
        .collect();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    seen.dedup_by_key(|s| s.0);
    if seen.len() < LEAST {
        return None;
    }
    let (lines, scalability) = (lines(&seen)?, law(&seen)?);
    let (mut off, mut weights) = ([0.0; 2], 0.0);
    for at in 1..seen.len() - 1 {
        let mut rest = seen.clone();
        let (n, rate, weight) = rest.remove(at);
        let told = [self::lines(&rest)?.rate(n), law(&rest)?.rate(n)];
        for (off, told) in off.iter_mut().zip(told) {
            *off += weight * (told / rate).ln().powi(2);
        }
        weights += weight;
    }
    let [lines_off, law_off] = off.map(|o| (o / weights).sqrt());
    // A law is selected if its error is clearly smaller than the other's and below 25 %.
    const CLEARLY: f64 = 1.5;
    const GOOD: f64 = 0.25;
    let (a, b) = (lines_off.max(FINE / 2.0), law_off.max(FINE / 2.0));
    let shape = if a * CLEARLY <= b && a < GOOD {
        DepthLaw::TwoLines
    } else if b * CLEARLY <= a && b < GOOD {
        DepthLaw::Contention
    } else {
        DepthLaw::Either
    };
    let percent = |off: f64| 100.0 * off;
    let (lines_off_percent, scalability_off_percent) = (percent(lines_off), percent(law_off));
    Some(DepthCurve { shape, lines, scalability, lines_off_percent, scalability_off_percent })
}

/// Returns the two lines with the least error over all divisions of the depths between them.
fn lines(seen: &[Seen]) -> Option<TwoLines> {
    let mean = |part: &[Seen], of: fn(&Seen) -> f64| {
        let weights: f64 = part.iter().map(|s| s.2).sum();
        (part.iter().map(|s| s.2 * of(s).ln()).sum::<f64>() / weights).exp()
    };
    let fits = (1..=seen.len()).map(|at| {
        let each = mean(&seen[..at], |s| s.1 / s.0);
        let most = if at < seen.len() { mean(&seen[at..], |s| s.1) } else { f64::INFINITY };
        TwoLines { each, most }
    });
    let off = |fit: &TwoLines| -> f64 {
        seen.iter().map(|(n, rate, weight)| weight * (fit.rate(*n) / rate).ln().powi(2)).sum()
    };
    let best = fits.min_by(|a, b| off(a).total_cmp(&off(b)))?;
    // If all depths are on the first line, saturation is above the last depth.
    let last = seen.last()?;
    Some(TwoLines { most: best.most.min(best.each * last.0), ..best })
}

/// Returns the scalability law by least squares of the latency N/X = c + b N + k (N^2 - N) with non-negative
/// coefficients.
fn law(seen: &[Seen]) -> Option<Scalability> {
    let mut best: Option<(f64, [f64; 3])> = None;
    for terms in 1..8u32 {
        let used: Vec<usize> = (0..3).filter(|t| terms & (1 << t) != 0).collect();
        let Some(found) = least_squares(seen, &used) else { continue };
        if found.iter().any(|c| *c < 0.0) || found[0] + found[1] <= 0.0 {
            continue;
        }
        let off: f64 =
            seen.iter().map(|(n, rate, weight)| weight * (1.0 - model(*n, &found) * rate / n).powi(2)).sum();
        if best.is_none_or(|(least, _)| off < least) {
            best = Some((off, found));
        }
    }
    let (_, [c, b, k]) = best?;
    let each = 1.0 / (c + b);
    Some(Scalability { each, contention: b * each, coherency: k * each })
}

fn terms(n: f64) -> [f64; 3] {
    [1.0, n, n * n - n]
}

fn model(n: f64, factors: &[f64; 3]) -> f64 {
    terms(n).iter().zip(factors).map(|(t, c)| t * c).sum()
}

/// Returns the least-squares coefficients of the used terms from the normal equations by elimination; errors are
/// relative.
fn least_squares(seen: &[Seen], used: &[usize]) -> Option<[f64; 3]> {
    let size = used.len();
    let mut rows = vec![[0.0f64; 4]; size];
    for (n, rate, weight) in seen {
        let latency = n / rate;
        let weight = weight / (latency * latency);
        let all = terms(*n);
        for (row, a) in rows.iter_mut().zip(used) {
            for (column, b) in used.iter().enumerate() {
                row[column] += weight * all[*a] * all[*b];
            }
            row[3] += weight * all[*a] * latency;
        }
    }
    for at in 0..size {
        let pivot = (at..size).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))?;
        rows.swap(at, pivot);
        let head = rows[at];
        if head[at] == 0.0 {
            return None;
        }
        for (other, row) in rows.iter_mut().enumerate() {
            if other != at {
                let factor = row[at] / head[at];
                row.iter_mut().zip(head).for_each(|(cell, above)| *cell -= factor * above);
            }
        }
    }
    let mut factors = [0.0; 3];
    for (at, term) in used.iter().enumerate() {
        factors[*term] = rows[at][3] / rows[at][at];
    }
    factors.iter().all(|f| f.is_finite()).then_some(factors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DEPTHS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 256];

    fn seen(noise: &[f64], rate: impl Fn(f64) -> f64) -> Vec<(u32, Estimate)> {
        let of = |(n, e): (&u32, &f64)| {
            let value = rate(f64::from(*n)) * (1.0 + e);
            (*n, Estimate::around(value, value * 0.01))
        };
        DEPTHS.iter().zip(noise).map(of).collect()
    }

    proptest! {
        #[test]
        fn two_lines_are_told(
            each in 10.0f64..1e5,
            meet in 3.0f64..60.0,
            noise in proptest::collection::vec(-0.005f64..0.005, 8),
        ) {
            let truth = TwoLines { each, most: each * meet };
            let found = fit(&seen(&noise, |n| truth.rate(n))).unwrap();
            prop_assert_eq!(found.shape, DepthLaw::TwoLines, "{:?}", found);
            prop_assert!((found.lines.meet() / meet - 1.0).abs() < 0.02, "{found:?}");
            prop_assert!((found.lines.most / truth.most - 1.0).abs() < 0.01, "{found:?}");
        }

        #[test]
        fn contention_is_told_with_its_peak(
            each in 10.0f64..1e5,
            contention in 0.03f64..0.3,
            peak in 6.0f64..100.0,
            noise in proptest::collection::vec(-0.005f64..0.005, 8),
        ) {
            let coherency = (1.0 - contention) / (peak * peak);
            let truth = Scalability { each, contention, coherency };
            let found = fit(&seen(&noise, |n| truth.rate(n))).unwrap();
            prop_assert_eq!(found.shape, DepthLaw::Contention, "{:?}", found);
            prop_assert!((found.scalability.peak().unwrap() / peak - 1.0).abs() < 0.15, "{found:?}");
            prop_assert!((found.scalability.each / each - 1.0).abs() < 0.03, "{found:?}");
        }

        #[test]
        fn without_coherency_nothing_falls(each in 10.0f64..1e5, contention in 0.03f64..0.3) {
            let truth = Scalability { each, contention, coherency: 0.0 };
            let found = fit(&seen(&[0.0; 8], |n| truth.rate(n))).unwrap();
            prop_assert_eq!(found.shape, DepthLaw::Contention, "{:?}", found);
            prop_assert!(found.scalability.peak().is_none_or(|p| p > 256.0), "{found:?}");
        }

        #[test]
        fn no_rates_make_it_say_nonsense(rates in proptest::collection::vec((0u32..300, -1.0f64..1e6), 0..12)) {
            let rates: Vec<_> = rates.into_iter().map(|(n, v)| (n, Estimate::around(v, v.abs() * 0.1))).collect();
            if let Some(found) = fit(&rates) {
                let figures = [found.lines.each, found.lines.most, found.scalability.each, found.lines_off_percent];
                prop_assert!(figures.iter().all(|f| f.is_finite() && *f >= 0.0), "{found:?}");
            }
        }
    }

    #[test]
    fn few_depths_have_no_law() {
        assert_eq!(fit(&seen(&[0.0; 4], |n| n)), None);
    }
}
