//! Comparison of two sides: whether they are comparable, and for each metric the ratio, its interval and the verdict.
//! The method and its sources are in docs/method.md.

mod between;
mod equal;
mod known;
pub mod rounds;

pub use between::{DEFAULT as DEFAULT_BETWEEN, DEFAULT_FREEDOM};
pub use equal::Unequal;

use crate::access::Access;
use crate::combine::combine_jobs;
use crate::direction::Direction;
use crate::estimate::{Estimate, Verdict};
use crate::log_series::LogKind;
use crate::measured::{Flow, Measured};
use crate::quantile::student_t;
use between::{Allowance, Observed, Weight, holm};
use known::{Reach, Repeats};
use serde::{Deserialize, Serialize};

/// Family-wise error rate: largest probability that any verdict of a comparison of equal sides is a difference.
pub const WRONG: f64 = 0.05;

/// One side of a comparison: a run, a check, a study, or several repetitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Name of the side as given by the user.
    pub name: String,
    /// Measured loads. Loads with the same pattern and name are repetitions of each other.
    pub loads: Vec<Measured>,
}

/// Metric of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// I/Os per second.
    Iops,
    /// Bytes per second.
    Bandwidth,
    /// Mean latency, nanoseconds.
    Mean,
    /// Median latency, nanoseconds.
    P50,
    /// 99th percentile of latency, nanoseconds.
    P99,
    /// 99.9th percentile of latency, nanoseconds.
    P999,
    /// CPU time of the load generator per I/O, nanoseconds.
    Cpu,
}

impl Metric {
    /// All metrics in the order of the table.
    pub const ALL: [Metric; 7] =
        [Metric::Iops, Metric::Bandwidth, Metric::Mean, Metric::P50, Metric::P99, Metric::P999, Metric::Cpu];

    /// Returns whether a larger value is better.
    pub fn more_is_better(self) -> bool {
        matches!(self, Metric::Iops | Metric::Bandwidth)
    }

    /// Returns whether the metric describes the speed of the target and not the cost of the measurement.
    pub fn is_speed(self) -> bool {
        self != Metric::Cpu
    }

    /// Returns whether the metric is a latency.
    pub fn is_latency(self) -> bool {
        matches!(self, Metric::Mean | Metric::P50 | Metric::P99 | Metric::P999)
    }

    /// Returns the weight in Holm's correction of all rows. Rates and means have more weight, because a change of the
    /// target affects its rate most, and the mean latency follows from the rate.
    fn weight(self) -> f64 {
        if matches!(self, Metric::Iops | Metric::Bandwidth | Metric::Mean) { 3.0 } else { 1.0 }
    }

    /// Returns the percentile of the metric, percent; `None` if the metric is no percentile.
    pub fn percent(self) -> Option<f64> {
        match self {
            Metric::P50 => Some(50.0),
            Metric::P99 => Some(99.0),
            Metric::P999 => Some(99.9),
            _ => None,
        }
    }
}

/// Properties of a load that determine whether two loads are comparable; empty or 0 if not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Access pattern; `rw` is empty or the block size 0 if not known.
    pub access: Access,
    /// *Queue depth of each job (`iodepth`).
    pub depth: u32,
    /// *Number of jobs (`numjobs`).
    pub jobs: u32,
}

impl Shape {
    fn of(load: &Measured) -> Shape {
        Shape { access: load.access.clone(), depth: load.depth, jobs: load.jobs }
    }

    /// Returns whether all properties known on both sides are equal.
    fn agrees(&self, other: &Shape) -> bool {
        let (a, b) = (&self.access, &other.access);
        (a.rw == b.rw || a.rw.is_empty() || b.rw.is_empty())
            && (a.bs == b.bs || a.bs == 0 || b.bs == 0)
            && (a.reads == b.reads || a.reads.is_none() || b.reads.is_none())
            && (a.sync == b.sync || a.rw.is_empty() || b.rw.is_empty())
            && (self.depth == other.depth || self.depth == 0 || other.depth == 0)
            && (self.jobs == other.jobs || self.jobs == 0 || other.jobs == 0)
    }
}

/// Load measured on both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// Name of the load on each side.
    pub names: [String; 2],
    /// Properties of the load on the first side.
    pub shape: Shape,
    /// Number of repetitions on each side.
    pub repeats: [usize; 2],
}

/// Reason why a metric has no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Unsure {
    /// The precision of a side is unknown: a single value without rate over time, or latencies of a load with a rate
    /// limit. Repeated runs would show the precision.
    NoInterval,
    /// The number of independent I/Os is too small for a confidence interval.
    TooFew,
    /// The interval includes both a relevant difference and none. More repetitions would decide, if the variation
    /// between runs stays the same.
    MoreRuns {
        /// Required number of runs on each side, including the existing ones.
        each: usize,
    },
    /// The interval includes both a relevant difference and none. Longer runs would decide.
    Wide {
        /// Required runtime as a multiple of the present one.
        longer: f64,
    },
    /// The interval is so wide that neither ten times as many runs nor ten times the runtime would decide.
    Unknowable,
}

/// One metric of a load on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricRow {
    /// Index of the pair in [`Comparison::pairs`].
    pub pair: usize,
    /// Direction of the I/Os.
    pub direction: Direction,
    /// Metric of the row.
    pub metric: Metric,
    /// Kind of latency: total or completion, whichever both sides have, or that of syncs or commits; `None` for other
    /// metrics.
    pub latency: Option<LogKind>,
    /// Value of each side with its simultaneous interval (see [`Comparison::at_once`]).
    pub sides: [Estimate; 2],
    /// Ratio of the second side to the first.
    pub ratio: Estimate,
    /// Verdict on the ratio.
    pub verdict: Verdict,
    /// Reason for an unknown verdict; `None` for other verdicts.
    pub why: Option<Unsure>,
}

impl MetricRow {
    /// Returns by how many percent the second side is slower; negative if faster. Slower means a lower rate or a
    /// higher latency.
    pub fn slower_percent(&self) -> f64 {
        let change = 100.0 * (self.ratio.value - 1.0);
        if self.metric.more_is_better() { -change } else { change }
    }

    /// Returns whether the second side may be slower by more than `percent`: its interval, if any, does not exclude
    /// such a difference.
    pub fn may_be_slower_by(&self, percent: f64) -> bool {
        let told = self.is_apart() && self.slower_percent() > percent;
        let bound = percent / 100.0;
        let worst = if self.metric.more_is_better() { 1.0 - self.ratio.low } else { self.ratio.high - 1.0 };
        !told && (!self.ratio.is_known() || worst > bound)
    }

    /// Returns whether the interval of the ratio excludes 1, at the error probability that Holm's procedure gives
    /// this row.
    pub fn is_apart(&self) -> bool {
        self.ratio.is_known() && !self.ratio.holds(1.0)
    }
}

/// Result of a comparison of two sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Names of the two sides.
    pub sides: [String; 2],
    /// Differences between the conditions of the sides.
    pub unequal: Vec<Unequal>,
    /// Number of loads that are the same run on both sides.
    #[serde(default)]
    pub shared: usize,
    /// Whether the user requested the comparison in spite of differences that refuse it.
    pub anyway: bool,
    /// Loads measured on both sides.
    pub pairs: Vec<Pair>,
    /// Loads measured on one side only: index of the side, name of the load, its properties.
    pub alone: Vec<(usize, String, Shape)>,
    /// Compared metrics; empty if the comparison is refused.
    pub rows: Vec<MetricRow>,
    /// Number of metrics judged together with Holm's correction for multiple tests (Holm 1979).
    pub at_once: usize,
    /// Standard deviation of the rate between runs as a share of the rate (0.01 = 1 %), which the intervals include;
    /// the largest of all loads.
    pub between: f64,
    /// Number of further stored runs of the same load from which `between` was estimated.
    pub learned_from: usize,
}

impl Comparison {
    /// Returns whether the comparison is refused: the sides are too different and the user did not request it anyway.
    pub fn is_refused(&self) -> bool {
        !self.anyway && self.unequal.iter().any(Unequal::refuses)
    }

    /// Returns the rates and latencies in which the second side is significantly slower, by more than `percent`.
    pub fn slower_by(&self, percent: f64) -> impl Iterator<Item = &MetricRow> {
        self.rows
            .iter()
            .filter(move |row| row.metric.is_speed() && row.is_apart() && row.slower_percent() > percent)
    }

    /// Returns the common verdict of all metrics of speed: a difference if at least one metric shows a difference.
    pub fn verdict(&self) -> Verdict {
        let has = |v: Verdict| self.rows.iter().any(|row| row.metric.is_speed() && row.verdict == v);
        let order = [Verdict::More, Verdict::Less, Verdict::Same];
        order.into_iter().find(|v| has(*v)).unwrap_or(Verdict::Unknown)
    }
}

/// Repetitions of one load on one side.
struct Group {
    shape: Shape,
    loads: Vec<Measured>,
}

impl Group {
    fn all(side: &Side) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for load in beside(&side.loads) {
            let shape = Shape::of(&load);
            let same = |g: &&mut Group| {
                g.shape == shape
                    && g.name() == load.name
                    && equal::spans_alike(g.loads[0].conditions.span, load.conditions.span)
            };
            match groups.iter_mut().find(same) {
                Some(group) => group.loads.push(load),
                None => groups.push(Group { shape, loads: vec![load] }),
            }
        }
        groups
    }

    fn name(&self) -> &str {
        &self.loads[0].name
    }

    fn span_like(&self, other: &Group) -> bool {
        equal::spans_alike(self.loads[0].conditions.span, other.loads[0].conditions.span)
    }
}

/// Returns the loads with clones combined: jobs of one name in one file without their own rate over time, which fio
/// reports separately although they ran at the same time.
fn beside(loads: &[Measured]) -> Vec<Measured> {
    let mut found: Vec<Vec<Measured>> = Vec::new();
    for load in loads {
        let clone_of = |one: &Measured| {
            one.series.is_none()
                && load.series.is_none()
                && (&one.source, &one.name) == (&load.source, &load.name)
                && Shape::of(one) == Shape::of(load)
        };
        match found.iter_mut().find(|jobs| jobs.first().is_some_and(clone_of)) {
            Some(jobs) => jobs.push(load.clone()),
            None => found.push(vec![load.clone()]),
        }
    }
    found.iter().filter_map(|jobs| combine_jobs(jobs)).collect()
}

/// Returns the indexes of matching groups: by their properties, then by name if several match, and by name alone if
/// one side's properties are not known. Two single loads without a match are a pair as well, which [`Unequal::Load`]
/// then refuses.
fn pair_up(a: &[Group], b: &[Group]) -> Vec<(usize, usize)> {
    type Fits = fn(&Group, &Group) -> bool;
    let exact: Fits = |a, b| a.shape == b.shape && a.name() == b.name() && a.span_like(b);
    let shape: Fits = |a, b| a.shape == b.shape && a.span_like(b);
    let named: Fits = |a, b| a.shape == b.shape && a.name() == b.name();
    let only: Fits = |a, b| a.shape == b.shape;
    let vague: Fits = |a, b| a.shape.agrees(&b.shape) && a.name() == b.name();
    let agrees: Fits = |a, b| a.shape.agrees(&b.shape);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for fits in [exact, shape, named, only, vague, agrees] {
        for (at, mine) in a.iter().enumerate() {
            let free = |pairs: &[(usize, usize)], n: usize| pairs.iter().all(|(_, other)| *other != n);
            if pairs.iter().any(|(other, _)| *other == at) {
                continue;
            }
            if let Some(theirs) = (0..b.len()).find(|n| free(&pairs, *n) && fits(mine, &b[*n])) {
                pairs.push((at, theirs));
            }
        }
    }
    if pairs.is_empty() && a.len() == 1 && b.len() == 1 {
        pairs.push((0, 0));
    }
    pairs.sort_unstable();
    pairs
}

/// Compares the second side with the first; `anyway`: also when the sides are too different.
pub fn compare(first: &Side, second: &Side, anyway: bool) -> Comparison {
    compare_with(first, second, &[], anyway)
}

/// Compares the second side with the first, as [`compare`] does; `history`, other runs of the same jobs on the same
/// targets, also contributes to the estimated variation between runs.
pub fn compare_with(first: &Side, second: &Side, history: &[Measured], anyway: bool) -> Comparison {
    let (a, b) = (Group::all(first), Group::all(second));
    let pairs = pair_up(&a, &b);
    let mut unequal = Vec::new();
    if pairs.is_empty() {
        unequal.push(Unequal::NothingInCommon);
    }
    for (mine, theirs) in &pairs {
        for what in equal::differences(&a[*mine].loads, &b[*theirs].loads) {
            if !unequal.contains(&what) {
                unequal.push(what);
            }
        }
    }
    unequal.sort_by_key(|what| !what.refuses());
    let alone = |side: usize, groups: &[Group], has: &dyn Fn(usize) -> bool| -> Vec<_> {
        let left = groups.iter().enumerate().filter(|(n, _)| !has(*n));
        left.map(|(_, g)| (side, g.name().to_string(), g.shape.clone())).collect()
    };
    let mut left = alone(0, &a, &|n| pairs.iter().any(|(at, _)| *at == n));
    left.extend(alone(1, &b, &|n| pairs.iter().any(|(_, at)| *at == n)));
    let on_both = |mine: &Measured, theirs: &[Measured]| theirs.iter().any(|load| load.is_same_run(mine));
    let shared = |(mine, theirs): &(usize, usize)| {
        a[*mine].loads.iter().filter(|load| on_both(load, &b[*theirs].loads)).count()
    };
    let mut comparison = Comparison {
        sides: [first.name.clone(), second.name.clone()],
        unequal,
        shared: pairs.iter().map(shared).sum(),
        anyway,
        pairs: pairs
            .iter()
            .map(|(mine, theirs)| Pair {
                names: [a[*mine].name().into(), b[*theirs].name().into()],
                shape: a[*mine].shape.clone(),
                repeats: [a[*mine].loads.len(), b[*theirs].loads.len()],
            })
            .collect(),
        alone: left,
        rows: Vec::new(),
        at_once: 0,
        between: 0.0,
        learned_from: 0,
    };
    if !comparison.is_refused() {
        let groups: Vec<[&[Measured]; 2]> =
            pairs.iter().map(|(mine, theirs)| [&a[*mine].loads[..], &b[*theirs].loads[..]]).collect();
        rows(&mut comparison, &groups, &beside(history));
    }
    comparison
}

/// Metric of a pair before its intervals are computed.
struct Judged<'a> {
    pair: usize,
    direction: Direction,
    metric: Metric,
    latency: Option<LogKind>,
    sides: [Repeats<'a>; 2],
    between: Option<Allowance>,
}

impl Judged<'_> {
    fn is_there(&self) -> bool {
        self.sides.iter().all(Repeats::is_there)
    }

    fn says_of_itself(&self) -> bool {
        self.sides.iter().all(Repeats::says_of_itself)
    }

    /// Sets the allowance for the variation between runs, from both sides and from stored runs before the earlier and
    /// after the later side; `None` if runs without their own interval are not repeated.
    fn allow(&mut self, history: [&[f64]; 2]) {
        let mut observed = Observed::default();
        for (side, more) in self.sides.iter().zip(history) {
            observed.add(&[&side.values()[..], more].concat());
        }
        let repeated = self.sides.iter().all(|side| side.runs() > 1.0);
        self.between = if self.says_of_itself() {
            let runs = self.sides[0].runs() + self.sides[1].runs();
            let squares = self.sides.iter().map(|side| side.within().powi(2) * side.runs()).sum::<f64>();
            // The interval of a percentile is wider than its error: nothing is taken off.
            let within = if self.metric.percent().is_some() { 0.0 } else { (squares / runs).sqrt() };
            Some(observed.moderated(within))
        } else {
            observed.alone().filter(|_| repeated)
        };
    }

    /// Returns the ratio with an interval of this error probability: the intervals of the sides and the variation
    /// between runs, added as squares. The interval of a percentile reaches at least to the point where the intervals
    /// of both sides touch.
    fn ratio(&self, chance: f64) -> Estimate {
        let value = self.sides[1].value() / self.sides[0].value();
        let Some(between) = self.between else { return Estimate::bare(value) };
        let runs = self.sides.iter().map(|side| 1.0 / side.runs()).sum::<f64>();
        let level = between.deviation * runs.sqrt() * student_t(1.0 - chance / 2.0, between.freedom);
        let own = self.own(chance);
        let own = own.unwrap_or([Reach { down: 0.0, up: 0.0 }; 2]);
        let mut down = level.hypot(own[1].down.hypot(own[0].up));
        let mut up = level.hypot(own[1].up.hypot(own[0].down));
        if self.metric.percent().is_some() {
            down = down.max(own[1].down + own[0].up);
            up = up.max(own[1].up + own[0].down);
            let shared = |side: &Repeats<'_>| side.shared(chance, between.deviation);
            if let [Some(a), Some(b)] = self.sides.each_ref().map(shared) {
                down = down.max(b.down.hypot(a.up) + TOUCH);
                up = up.max(b.up.hypot(a.down) + TOUCH);
            }
        }
        Estimate { value, low: value * (-down).exp(), high: value * up.exp() }
    }

    fn own(&self, chance: f64) -> Option<[Reach; 2]> {
        match self.sides.each_ref().map(|side| side.own(chance)) {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        }
    }

    /// Returns the value of a side with its interval.
    fn side(&self, side: &Repeats<'_>, chance: f64) -> Estimate {
        let (value, own) = (side.value(), side.own(chance));
        let (Some(between), true) = (self.between, own.is_some() || side.runs() > 1.0) else {
            return Estimate::bare(value);
        };
        let level = between.deviation / side.runs().sqrt() * student_t(1.0 - chance / 2.0, between.freedom);
        let own = own.unwrap_or(Reach { down: 0.0, up: 0.0 });
        Estimate {
            value,
            low: value * (-level.hypot(own.down)).exp(),
            high: value * level.hypot(own.up).exp(),
        }
    }
}

/// Relative width of a histogram bucket: percentiles in neighbouring buckets count as equal.
const TOUCH: f64 = 1.0 / 64.0;

/// Returns the values of a metric in stored runs of the same load: those that started before both sides, and those
/// that started after both. Runs in between are left out. The first element belongs to the first side.
fn stored<'a>(
    history: &[&'a Measured],
    sides: [&[Measured]; 2],
    value: impl Fn(&'a Measured) -> Option<f64>,
) -> [Vec<f64>; 2] {
    let begins = |loads: &[Measured]| loads.iter().map(|l| l.began_ms).min().unwrap_or(0);
    let ends = |loads: &[Measured]| loads.iter().map(|l| l.began_ms).max().unwrap_or(0);
    let first = begins(sides[0]).min(begins(sides[1]));
    let last = ends(sides[0]).max(ends(sides[1]));
    let earlier: Vec<f64> = history.iter().filter(|l| l.began_ms < first).filter_map(|l| value(l)).collect();
    let later: Vec<f64> = history.iter().filter(|l| l.began_ms > last).filter_map(|l| value(l)).collect();
    if begins(sides[0]) <= begins(sides[1]) { [earlier, later] } else { [later, earlier] }
}

/// Returns whether two loads are runs of the same job on the same target under the same conditions.
fn repeats(load: &Measured, other: &Measured) -> bool {
    let (a, b) = (&load.conditions, &other.conditions);
    Shape::of(load) == Shape::of(other)
        && load.name == other.name
        && (&a.target, &a.engine, a.direct, a.span, a.paced, &a.host)
            == (&b.target, &b.engine, b.direct, b.span, b.paced, &b.host)
        && (load.seconds - other.seconds).abs() <= 0.1 * load.seconds.max(other.seconds)
}

/// Metrics of writes with syncs.
const SYNC_METRICS: [(LogKind, Metric); 6] = [
    (LogKind::Commit, Metric::Mean),
    (LogKind::Commit, Metric::P50),
    (LogKind::Commit, Metric::P99),
    (LogKind::Commit, Metric::P999),
    (LogKind::Sync, Metric::P50),
    (LogKind::Sync, Metric::P99),
];

fn rows(comparison: &mut Comparison, groups: &[[&[Measured]; 2]], history: &[Measured]) {
    let mut judged: Vec<Judged<'_>> = Vec::new();
    for (pair, sides) in groups.iter().enumerate() {
        let known = |load: &Measured| {
            sides
                .iter()
                .any(|s| s.iter().any(|one| (one.began_ms, &one.source) == (load.began_ms, &load.source)))
        };
        let others: Vec<&Measured> = history
            .iter()
            .filter(|h| !known(h) && sides.iter().any(|s| s.iter().any(|l| repeats(l, h))))
            .collect();
        comparison.learned_from = comparison.learned_from.max(others.len());
        let flows = |loads: &[Measured], d: Direction| loads.iter().all(|l| flow(l, d).is_some());
        let mut both = Direction::ALL.into_iter().filter(|d| sides.iter().all(|loads| flows(loads, *d)));
        let first = both.clone().next();
        let by = |direction: Direction, metric: Metric, kind: LogKind| {
            let mut one = Judged {
                pair,
                direction,
                metric,
                latency: metric.is_latency().then_some(kind),
                sides: sides.map(|loads| Repeats::new(loads, direction, metric, kind)),
                between: None,
            };
            if one.is_there() {
                let value = |load| {
                    let runs = Repeats::new(std::slice::from_ref(load), direction, metric, kind);
                    runs.is_there().then(|| runs.value())
                };
                let more = stored(&others, *sides, value);
                one.allow(more.each_ref().map(Vec::as_slice));
            }
            one
        };
        // Total latency if both sides have it, otherwise completion latency; the two kinds are never compared with
        // each other.
        let of = |direction: Direction, metric: Metric| {
            let total = by(direction, metric, LogKind::Lat);
            if total.is_there() { total } else { by(direction, metric, LogKind::Clat) }
        };
        // For a load that syncs after every few writes the commit latency is the most important metric.
        let leads = sides.iter().all(|loads| loads.iter().all(|load| load.access.commits()));
        for d in both.by_ref() {
            let ios = || Metric::ALL.map(|m| of(d, m)).into_iter();
            // CPU time covers all directions together.
            let ios = || ios().filter(|j| j.metric.is_speed() || Some(j.direction) == first);
            let syncs = || SYNC_METRICS.map(|(kind, metric)| by(d, metric, kind)).into_iter();
            if leads {
                judged.extend(syncs().chain(ios()));
            } else {
                judged.extend(ios().chain(syncs()));
            }
        }
    }
    judged.retain(Judged::is_there);
    // A metric that follows from another adds no further chance of error, and neither does a metric without an
    // interval.
    let follows = |j: &Judged<'_>| {
        j.between.is_none()
            || j.metric == Metric::Bandwidth && one_block(groups[j.pair])
            || j.metric == Metric::Mean && little(groups[j.pair])
    };
    comparison.at_once = judged.iter().filter(|j| !follows(j)).count();
    let rates = judged.iter().filter(|j| j.metric == Metric::Iops);
    comparison.between = rates.filter_map(|j| Some(j.between?.deviation)).fold(0.0, f64::max);
    let apart = |ratio: &Estimate| ratio.is_known() && !ratio.holds(1.0);
    let weight = |j: &Judged<'_>| Weight { weight: j.metric.weight(), follows: follows(j) };
    let weights: Vec<Weight> = judged.iter().map(weight).collect();
    let said = holm(&weights, WRONG, |n, chance| apart(&judged[n].ratio(chance)));
    comparison.rows = judged.iter().zip(said).map(|(j, (_, chance))| row(j, chance)).collect();
}

/// Returns whether the mean latency follows from the rate: in a closed loop of one direction it is the number of I/Os
/// in flight divided by the rate (Little 1961).
fn little(sides: [&[Measured]; 2]) -> bool {
    sides.iter().flat_map(|loads| loads.iter()).all(|load| load.flows.len() == 1 && !load.conditions.paced)
}

/// Returns whether both sides have a single block size, so that bandwidth follows from the rate.
fn one_block(sides: [&[Measured]; 2]) -> bool {
    sides.iter().flat_map(|loads| loads.iter()).all(|load| load.access.bs > 0)
}

/// Largest ratio of the ends of an interval that includes 1; a ratio with a wider interval is reported as not known.
const KNOWN_WITHIN: f64 = 4.0;
/// Number of runs of a side below which the advice is always more runs.
const FEW_RUNS: usize = 3;
/// Largest multiple of the runs or of the runtime that is advised.
const BEYOND: f64 = 10.0;

fn row(judged: &Judged<'_>, chance: f64) -> MetricRow {
    let sides = judged.sides.each_ref().map(|side| judged.side(side, chance));
    let found = judged.ratio(chance);
    let hidden = found.is_known() && found.holds(1.0) && found.high > KNOWN_WITHIN * found.low;
    let ratio = if hidden { Estimate::bare(found.value) } else { found };
    let verdict = ratio.verdict();
    let why = (verdict == Verdict::Unknown).then(|| unsure(judged, &found, chance));
    let Judged { pair, direction, metric, latency, .. } = *judged;
    MetricRow { pair, direction, metric, latency, sides, ratio, verdict, why }
}

/// Returns the reason for an unknown verdict and the runs or runtime that would give one. The interval has to be as
/// narrow as its distance from the ratio to exclude, and shrinks with the square root of the runs or the runtime.
fn unsure(judged: &Judged<'_>, ratio: &Estimate, chance: f64) -> Unsure {
    let runs = judged.sides.iter().map(|side| side.runs() as usize).min().unwrap_or(1);
    let Some(between) = judged.between else {
        let few = judged.sides.iter().any(Repeats::are_few);
        return if few { Unsure::TooFew } else { Unsure::NoInterval };
    };
    let away = ratio.value.ln().abs();
    let half = (ratio.high / ratio.low).ln() / 2.0;
    let wanted = if away > 0.05 { away } else { 0.1 - away };
    let more = (half / wanted.max(0.01)).powi(2).max(1.1);
    if more > BEYOND * FEW_RUNS.div_ceil(runs) as f64 || !more.is_finite() {
        return Unsure::Unknowable;
    }
    let level = between.deviation * student_t(1.0 - chance / 2.0, between.freedom);
    let by_runs = runs < FEW_RUNS || level * (2.0 / runs as f64).sqrt() > half / 2.0_f64.sqrt();
    if by_runs {
        Unsure::MoreRuns { each: ((runs as f64 * more).ceil() as usize).max(FEW_RUNS) }
    } else {
        Unsure::Wide { longer: more }
    }
}

fn flow(load: &Measured, direction: Direction) -> Option<&Flow> {
    load.flows.iter().find(|f| f.direction == direction)
}

#[cfg(test)]
mod tests;
