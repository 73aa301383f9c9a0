//! How well a metric of a side is known, at whatever chance to be wrong: from the rate over time of one run, from what
//! repeated runs differ by, or not at all.

use super::{Metric, flow};
use crate::converge::{self, normal, student_t};
use crate::measured::{Flow, Measured, Spread, TrackKind};
use crate::outcome::Direction;
use crate::series::Series;
use crate::study::Estimate;

/// Degrees of freedom of an interval that comes from ten parts of a run.
const OF_PARTS: f64 = 9.0;

/// A metric in each of the runs that repeat each other.
pub(super) struct Repeats<'a> {
    each: Vec<One<'a>>,
}

/// A metric in one run.
struct One<'a> {
    value: f64,
    error: Error<'a>,
}

/// How well it is known.
enum Error<'a> {
    /// Relative standard error and degrees of freedom.
    Relative(f64, f64),
    /// By the order of so many independent ones of these latencies, and by what the rate is known to: what makes a target
    /// slower for a while moves both.
    Order { of: &'a Spread, percent: f64, independent: f64, rate: (f64, f64) },
    /// The 95 % interval alone.
    Told([f64; 2]),
    /// Nobody knows.
    Nobody,
}

impl<'a> Repeats<'a> {
    pub(super) fn new(loads: &'a [Measured], direction: Direction, metric: Metric, kind: TrackKind) -> Self {
        let one = |load: &'a Measured| {
            let flow = flow(load, direction)?;
            One::new(load, flow, metric, if kind == TrackKind::Lat { &flow.lat } else { &flow.clat })
        };
        let each: Option<Vec<One<'a>>> = loads.iter().map(one).collect();
        Repeats { each: each.unwrap_or_default() }
    }

    /// Every run has it.
    pub(super) fn is_there(&self) -> bool {
        !self.each.is_empty()
    }

    /// It has an interval.
    pub(super) fn is_known(&self) -> bool {
        self.each.len() > 1 || self.each.iter().any(|one| one.interval(0.05).is_some())
    }

    /// It would have one if more of its I/Os were independent.
    pub(super) fn are_few(&self) -> bool {
        matches!(&self.each[..], [One { error: Error::Order { .. }, .. }]) && !self.is_known()
    }

    /// With an interval that misses with this chance.
    pub(super) fn estimate(&self, chance: f64) -> Estimate {
        let n = self.each.len() as f64;
        let value = self.each.iter().map(|one| one.value).sum::<f64>() / n.max(1.0);
        if let [one] = &self.each[..] {
            let [low, high] = one.interval(chance).unwrap_or([value; 2]);
            return Estimate { value, low: low.min(value), high: high.max(value) };
        }
        // What runs differ by holds what each is uncertain by. What each says of itself is a floor: a few runs may be alike
        // by chance.
        let squares: f64 = self.each.iter().map(|one| (one.value - value).powi(2)).sum();
        let between = (squares / (n - 1.0) / n).sqrt() * student_t(1.0 - chance / 2.0, n - 1.0);
        let own: Option<Vec<[f64; 2]>> = self.each.iter().map(|one| one.interval(chance)).collect();
        let within = own.map_or(0.0, |own| {
            own.iter().map(|[low, high]| ((high - low) / 2.0).powi(2)).sum::<f64>().sqrt() / n
        });
        let least = value * 1e-9;
        Estimate::around(value, between.max(within).max(least))
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
                // A percentile that fewer than ten I/Os exceed is an anecdote.
                if (spread.n as f64) * (1.0 - percent / 100.0) < 10.0 {
                    return None;
                }
                let paced = load.conditions.paced || spread.histogram.is_none();
                let known = own.as_ref().filter(|_| !paced).and_then(|s| Some((s, converge::known(s)?)));
                let error = match (known, quantile.between) {
                    (Some((series, rate)), _) => Error::Order {
                        of: spread,
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

    /// Its interval that misses with this chance.
    fn interval(&self, chance: f64) -> Option<[f64; 2]> {
        match &self.error {
            Error::Relative(error, freedom) => {
                let half = self.value * error * student_t(1.0 - chance / 2.0, *freedom);
                Some([(self.value - half).max(0.0), self.value + half])
            }
            Error::Order { of, percent, independent, rate: (error, freedom) } => {
                let z = normal(1.0 - chance / 2.0);
                let n = independent.min(of.n as f64);
                if n * (1.0 - percent / 100.0) < 10.0 {
                    return None;
                }
                let ends = of.histogram.as_ref()?.interval_at(*percent, n, chance, z)?;
                let half = error * student_t(1.0 - chance / 2.0, *freedom);
                Some(no_better(self.value, ends.map(|ns| ns as f64), [1.0 - half, 1.0 + half]))
            }
            Error::Told([low, high]) => {
                let wider = student_t(1.0 - chance / 2.0, OF_PARTS) / student_t(0.975, OF_PARTS);
                let end = |end: f64| (self.value + (end - self.value) * wider).max(0.0);
                Some([end(*low), end(*high)])
            }
            Error::Nobody => None,
        }
    }
}

impl Error<'_> {
    /// Of bytes what is told of I/Os.
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

/// In a closed loop the mean latency is the number in flight over the rate (Little), so it is known as well as that; and
/// no better than so many independent ones allow.
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

/// An interval around `value` with what the rate is uncertain by, as parts of it, added as squares.
fn no_better(value: f64, [low, high]: [f64; 2], rate: [f64; 2]) -> [f64; 2] {
    let down = (1.0 - low / value).max(0.0).hypot(1.0 - rate[0]);
    let up = (high / value - 1.0).max(0.0).hypot(rate[1] - 1.0);
    [(value * (1.0 - down)).max(0.0), value * (1.0 + up)]
}

/// Squared coefficient of variation.
fn varied(spread: &Spread) -> f64 {
    if spread.mean_ns > 0.0 { (spread.stddev_ns / spread.mean_ns).powi(2) } else { 0.0 }
}

/// CPU time of the generator for one I/O.
fn cpu_ns(load: &Measured) -> Option<f64> {
    let [user, system] = load.cpu_percent?;
    let ios: u64 = load.flows.iter().map(|f| f.ios).sum();
    let seconds = (user + system) / 100.0 * load.seconds * f64::from(load.jobs.max(1));
    (ios > 0).then(|| seconds * 1e9 / ios as f64)
}
