//! Interval of a metric on one side at any error probability: from the rate over time of a run, from repeated runs,
//! or unknown.

use super::{Metric, flow};
use crate::converge;
use crate::direction::Direction;
use crate::histogram::Histogram;
use crate::log_series::LogKind;
use crate::measured::{Flow, Measured, Spread};
use crate::quantile::{normal, student_t};
use crate::series::Series;
use std::borrow::Cow;

/// Degrees of freedom of an interval from ten parts of a run.
const OF_PARTS: f64 = 9.0;

/// Values of a metric in the repetitions of a load.
pub(super) struct Repeats<'a> {
    each: Vec<One<'a>>,
}

/// Distance of the ends of an interval from its value, as logarithms of ratios; infinite for a lower end of 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    pub(super) down: f64,
    pub(super) up: f64,
}

impl Reach {
    fn of(value: f64, [low, high]: [f64; 2]) -> Reach {
        let log = |ratio: f64| ratio.max(1.0).ln();
        Reach { down: if low > 0.0 { log(value / low) } else { f64::INFINITY }, up: log(high / value) }
    }
}

/// Value of a metric in one run, with its error.
struct One<'a> {
    value: f64,
    error: Error<'a>,
}

/// Precision of a value.
enum Error<'a> {
    /// Relative standard error and degrees of freedom.
    Relative(f64, f64),
    /// Order statistics of the latencies, with the number of independent ones, and the relative standard error and
    /// degrees of freedom of the rate: a target that is slower for some time changes both.
    Order { of: Box<Cow<'a, Spread>>, percent: f64, independent: f64, rate: (f64, f64) },
    /// Ends of the 95 % interval, without its error distribution.
    Told([f64; 2]),
    /// Precision not known.
    Nobody,
}

impl<'a> Repeats<'a> {
    pub(super) fn new(loads: &'a [Measured], direction: Direction, metric: Metric, kind: LogKind) -> Self {
        let one = |load: &'a Measured| {
            let flow = flow(load, direction)?;
            let latency = match kind {
                LogKind::Lat => &flow.lat,
                LogKind::Sync => &flow.sync,
                LogKind::Commit => &flow.commit,
                _ => &flow.clat,
            };
            One::new(load, flow, metric, latency)
        };
        let each: Option<Vec<One<'a>>> = loads.iter().map(one).collect();
        Repeats { each: each.unwrap_or_default() }
    }

    /// Returns whether all runs have the metric.
    pub(super) fn is_there(&self) -> bool {
        !self.each.is_empty()
    }

    /// Returns whether the metric has an interval.
    pub(super) fn is_known(&self) -> bool {
        self.each.len() > 1 || self.each.iter().any(|one| one.interval(0.05).is_some())
    }

    /// Returns whether the interval is missing because too few I/Os are independent.
    pub(super) fn are_few(&self) -> bool {
        matches!(&self.each[..], [One { error: Error::Order { .. }, .. }]) && !self.is_known()
    }

    /// Returns the mean over the runs.
    pub(super) fn value(&self) -> f64 {
        self.values().iter().sum::<f64>() / (self.each.len() as f64).max(1.0)
    }

    /// Returns the value of each run.
    pub(super) fn values(&self) -> Vec<f64> {
        self.each.iter().map(|one| one.value).collect()
    }

    pub(super) fn runs(&self) -> f64 {
        self.each.len() as f64
    }

    /// Returns whether every run has its own interval.
    pub(super) fn says_of_itself(&self) -> bool {
        self.own(0.05).is_some()
    }

    /// Returns the root mean square of the runs' own relative standard errors; 0 if a run has none.
    pub(super) fn within(&self) -> f64 {
        const TWO: f64 = 1.96;
        let half = |one: &One<'_>| {
            let reach = Reach::of(one.value, one.interval(0.05)?);
            Some(reach.down.min(reach.up).min(1.0) / TWO)
        };
        let all: Option<Vec<f64>> = self.each.iter().map(half).collect();
        all.map_or(0.0, |all| (all.iter().map(|e| e * e).sum::<f64>() / self.runs()).sqrt())
    }

    /// Returns the interval from the runs' own errors at this error probability, without the variation between runs.
    pub(super) fn own(&self, chance: f64) -> Option<Reach> {
        if let Some(merged) = self.merged() {
            let ends = merged.interval(chance)?;
            return Some(self.around(&merged, ends));
        }
        if let Some((error, freedom)) = self.relative() {
            let half = error * student_t(1.0 - chance / 2.0, freedom);
            return Some(Reach::of(1.0, [1.0 - half, 1.0 + half]));
        }
        let all: Option<Vec<Reach>> =
            self.each.iter().map(|one| Some(Reach::of(one.value, one.interval(chance)?))).collect();
        let all = all.filter(|all| !all.is_empty())?;
        let root =
            |side: fn(&Reach) -> f64| all.iter().map(|r| side(r).powi(2)).sum::<f64>().sqrt() / self.runs();
        Some(Reach { down: root(|r| r.down), up: root(|r| r.up) })
    }

    /// Returns the relative standard error of the mean and its degrees of freedom; `None` unless every run has a
    /// relative error.
    fn relative(&self) -> Option<(f64, f64)> {
        let all: Vec<(f64, f64)> = self
            .each
            .iter()
            .filter_map(|one| if let Error::Relative(e, f) = one.error { Some((e, f)) } else { None })
            .collect();
        (all.len() == self.each.len() && !all.is_empty()).then(|| mean_error(&all))
    }

    /// Returns the interval of a percentile if the share of slow I/Os also varies between runs by the allowance. If
    /// the latency distribution has a gap at the percentile (two kinds of completions), a small change of that share
    /// moves the percentile across the gap, which a relative allowance does not cover. `None` for metrics that are no
    /// percentile.
    pub(super) fn shared(&self, chance: f64, deviation: f64) -> Option<Reach> {
        let merged = self.merged()?;
        let One { error: Error::Order { of, percent, independent, rate }, value } = &merged else {
            return None;
        };
        let share = percent / 100.0;
        let between = share / ((1.0 - share) * deviation.powi(2)) * self.runs();
        let both = 1.0 / (1.0 / independent + 1.0 / between);
        let error = Error::Order { of: of.clone(), percent: *percent, independent: both, rate: *rate };
        let wider = One { value: *value, error };
        Some(self.around(&merged, wider.order(chance)?))
    }

    /// Returns the interval of all runs together relative to their mean; the interval includes the merged value.
    fn around(&self, merged: &One<'_>, ends: [f64; 2]) -> Reach {
        let off = |a: f64, b: f64| if a > 0.0 && b > 0.0 { (a / b).ln().max(0.0) } else { f64::INFINITY };
        let mean = self.value();
        let [low, high] = [ends[0].min(merged.value), ends[1].max(merged.value)];
        if self.each.len() == 1 {
            Reach::of(mean, ends)
        } else {
            Reach { down: off(mean, low), up: off(high, mean) }
        }
    }

    /// Returns the percentile over the I/Os of all runs together; `None` if a run has no order statistics.
    fn merged(&self) -> Option<One<'a>> {
        let mut all: Option<(Histogram, f64, f64)> = None;
        let mut rates = Vec::new();
        for one in &self.each {
            let Error::Order { of, percent, independent, rate } = &one.error else { return None };
            let histogram = of.histogram.as_ref()?;
            rates.push(*rate);
            match &mut all {
                Some((sum, n, _)) => {
                    sum.merge(histogram);
                    *n += independent.min(of.n as f64);
                }
                None => all = Some((histogram.clone(), independent.min(of.n as f64), *percent)),
            }
        }
        let (histogram, independent, percent) = all?;
        let value = histogram.quantile(percent)? as f64;
        let n = histogram.count();
        let of: Cow<'a, Spread> = Cow::Owned(Spread { n, histogram: Some(histogram), ..Spread::default() });
        let of = Box::new(of);
        let rate = mean_error(&rates);
        Some(One { value, error: Error::Order { of, percent, independent, rate } })
    }
}

impl<'a> One<'a> {
    fn new(load: &'a Measured, flow: &'a Flow, metric: Metric, latency: &'a Option<Spread>) -> Option<Self> {
        let own = load.series.as_ref().map(|series| series.only(flow.direction));
        let latency = latency.as_ref();
        let one = match metric {
            Metric::Iops => One { value: flow.iops.value, error: of_rate(flow, own.as_ref()) },
            Metric::Bandwidth => {
                let bytes = own.as_ref().map(Series::bytes_as_ios);
                let known = if load.access.bs > 0 { own } else { bytes };
                One { value: flow.bytes_per_second, error: of_rate(flow, known.as_ref()).scaled(flow) }
            }
            Metric::Mean => {
                One { value: latency?.mean_ns, error: of_mean(load, flow, latency?, own.as_ref()) }
            }
            Metric::Cpu => One { value: cpu_ns(load)?, error: Error::Nobody },
            Metric::P50 | Metric::P99 | Metric::P999 => {
                let percent = metric.percent()?;
                let spread = latency?;
                let quantile = spread.quantiles.iter().find(|q| q.percent == percent)?;
                // A percentile that fewer than ten I/Os exceed is not reliable.
                if (spread.n as f64) * (1.0 - percent / 100.0) < 10.0 {
                    return None;
                }
                let paced = load.conditions.paced || spread.histogram.is_none();
                let known = own.as_ref().filter(|_| !paced).and_then(|s| Some((s, converge::known(s)?)));
                let error = match (known, quantile.between) {
                    (Some((series, rate)), _) => Error::Order {
                        of: Box::new(Cow::Borrowed(spread)),
                        percent,
                        independent: converge::independent(series, spread.n, varied(spread)),
                        rate,
                    },
                    (None, Some(between)) if flow.iops.is_known() => {
                        let rate = [flow.iops.low, flow.iops.high].map(|end| end / flow.iops.value);
                        Error::Told(no_better(quantile.ns, between, rate))
                    }
                    _ => Error::Nobody,
                };
                One { value: quantile.ns, error }
            }
        };
        (one.value > 0.0 && one.value.is_finite()).then_some(one)
    }

    /// Returns the interval of the value at this error probability.
    fn interval(&self, chance: f64) -> Option<[f64; 2]> {
        match &self.error {
            Error::Relative(error, freedom) => {
                let half = self.value * error * student_t(1.0 - chance / 2.0, *freedom);
                Some([(self.value - half).max(0.0), self.value + half])
            }
            Error::Order { of, percent, independent, rate: (error, freedom) } => {
                if independent.min(of.n as f64) * (1.0 - percent / 100.0) < 10.0 {
                    return None;
                }
                let ends = self.order(chance)?;
                let half = error * student_t(1.0 - chance / 2.0, *freedom);
                Some(no_better(self.value, ends, [1.0 - half, 1.0 + half]))
            }
            Error::Told([low, high]) => {
                let wider = student_t(1.0 - chance / 2.0, OF_PARTS) / student_t(0.975, OF_PARTS);
                let end = |end: f64| (self.value + (end - self.value) * wider).max(0.0);
                Some([end(*low), end(*high)])
            }
            Error::Nobody => None,
        }
    }

    /// Returns the interval of a percentile from order statistics alone (binomial; David and Nagaraja 2003, Order
    /// Statistics, 7.1), which is valid for any distribution, with ties and gaps.
    fn order(&self, chance: f64) -> Option<[f64; 2]> {
        let Error::Order { of, percent, independent, .. } = &self.error else { return None };
        let (n, z) = (independent.min(of.n as f64), normal(1.0 - chance / 2.0));
        let ends = of.histogram.as_ref()?.interval_at(*percent, n, chance, z)?;
        Some(ends.map(|ns| ns as f64))
    }
}

impl Error<'_> {
    /// Converts the error of the I/O rate to that of the bandwidth.
    fn scaled(self, flow: &Flow) -> Self {
        let factor = flow.bytes_per_second / flow.iops.value;
        match self {
            Error::Told(ends) => Error::Told(ends.map(|end| end * factor)),
            other => other,
        }
    }
}

fn of_rate<'a>(flow: &Flow, series: Option<&Series>) -> Error<'a> {
    match series.and_then(converge::known) {
        Some((error, freedom)) => Error::Relative(error, freedom),
        None if flow.iops.is_known() => Error::Told([flow.iops.low, flow.iops.high]),
        None => Error::Nobody,
    }
}

/// Returns the error of the mean latency. In a closed loop the mean latency is the number of I/Os in flight divided
/// by the rate (Little), so its relative error is that of the rate, but not less than the number of independent I/Os
/// allows.
fn of_mean<'a>(load: &Measured, flow: &Flow, spread: &Spread, series: Option<&Series>) -> Error<'a> {
    if load.conditions.paced {
        return Error::Nobody;
    }
    match (series.and_then(|s| Some((s, converge::known(s)?))), flow.iops.is_known()) {
        (Some((series, (error, freedom))), _) => {
            let independent = converge::independent(series, spread.n, varied(spread));
            let own = (varied(spread) / independent.max(1.0)).sqrt();
            Error::Relative(error.max(own), freedom)
        }
        (None, true) => {
            let relative = [flow.iops.low, flow.iops.high].map(|end| end / flow.iops.value);
            Error::Told(relative.map(|part| part * spread.mean_ns))
        }
        (None, false) => Error::Nobody,
    }
}

/// Returns the standard error of the mean of several values, and its degrees of freedom (Satterthwaite 1946).
fn mean_error(all: &[(f64, f64)]) -> (f64, f64) {
    let squares: f64 = all.iter().map(|(e, _)| e * e).sum();
    let fourths: f64 = all.iter().map(|(e, f)| e.powi(4) / f.max(1.0)).sum();
    let freedom = if fourths > 0.0 { squares.powi(2) / fourths } else { 1.0 };
    (squares.sqrt() / all.len().max(1) as f64, freedom)
}

/// Returns the interval around `value` widened by the relative uncertainty of the rate, added as squares.
fn no_better(value: f64, [low, high]: [f64; 2], rate: [f64; 2]) -> [f64; 2] {
    let down = (1.0 - low / value).max(0.0).hypot(1.0 - rate[0]);
    let up = (high / value - 1.0).max(0.0).hypot(rate[1] - 1.0);
    [(value * (1.0 - down)).max(0.0), value * (1.0 + up)]
}

/// Returns the squared coefficient of variation of the latencies.
fn varied(spread: &Spread) -> f64 {
    if spread.mean_ns > 0.0 { (spread.stddev_ns / spread.mean_ns).powi(2) } else { 0.0 }
}

/// Returns the CPU time of the load generator per I/O, nanoseconds.
fn cpu_ns(load: &Measured) -> Option<f64> {
    let [user, system] = load.cpu_percent?;
    let ios: u64 = load.flows.iter().map(|f| f.ios).sum();
    let seconds = (user + system) / 100.0 * load.seconds * f64::from(load.jobs.max(1));
    (ios > 0).then(|| seconds * 1e9 / ios as f64)
}
