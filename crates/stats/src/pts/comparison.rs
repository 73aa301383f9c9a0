//! Comparison of two studies of `fathom pts` that carried out the same tests under the same conditions.

use super::demand::{DEMANDS, PtsDemand, PtsOperatingPoint};
use super::load::{PtsLoad, PtsTest};
use super::matrix::PtsMatrix;
use super::sample::PtsSample;
use super::slices::PtsSliceCell;
use super::window::{PtsQuantity, PtsSteady};
use super::{PtsResult, PtsStudy, PtsTestRun};
use crate::comparison::rounds::ratios;
use crate::estimate::{Estimate, Verdict};
use serde::{Deserialize, Serialize};

/// Number of parts into which samples over time are divided: their means are less correlated than the samples.
const PARTS: usize = 5;

/// Figure of a test that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsFigure {
    /// Mean of a quantity of a load over the measurement window.
    Cell(PtsLoad, PtsQuantity),
    /// IOPS of the measurement window of the write saturation test.
    Saturation,
    /// Mean IOPS of the bursts with this idle time, seconds.
    WaitState(u32),
    /// Steady throughput of the first group of sequential writes.
    FirstGroup,
    /// Steady throughput of the second group of sequential writes.
    SecondGroup,
    /// Minutes until the second group reached 95 % of the throughput of the first.
    Recovery,
    /// IOPS of an operating point.
    OperatingIops(PtsOperatingPoint),
    /// Mean latency of an operating point.
    OperatingLatency(PtsOperatingPoint),
}

impl PtsFigure {
    /// Returns whether a larger value is better.
    pub fn more_is_better(self) -> bool {
        !matches!(
            self,
            PtsFigure::Cell(_, PtsQuantity::MeanLatency)
                | PtsFigure::Recovery
                | PtsFigure::OperatingLatency(_)
        )
    }
}

/// Difference between the conditions of two studies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsUnequal {
    /// A study is not finished; index of the side.
    Unfinished(usize),
    /// No test is in both studies.
    NoTestInCommon,
    /// Settings of the specification differ: PTS-E and PTS-C.
    Class,
    /// Scales of the durations differ.
    Scale([u32; 2]),
    /// Threads or queue depth differ.
    Demand([[u32; 2]; 2]),
    /// Active ranges differ, percent of the capacity.
    ActiveRange([f64; 2]),
    /// Workloads of the demand intensity test differ.
    DemandWorkload,
    /// Write caches were in different states during this test.
    WriteCache(PtsTest),
    /// Steady state was not achieved in this test; index of the side.
    NotSteady(usize, PtsTest),
    /// Only one of the results of this test conforms to the specification; index of the side that does not.
    Derived(usize, PtsTest),
    /// This test is in one study only; index of the side.
    OnlyIn(usize, PtsTest),
}

impl PtsUnequal {
    /// Returns whether studies with this difference are not compared unless the user asks for it.
    pub fn refuses(&self) -> bool {
        !matches!(self, PtsUnequal::NotSteady(..) | PtsUnequal::Derived(..) | PtsUnequal::OnlyIn(..))
    }
}

/// One figure of both studies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsRow {
    /// Test to which the figure belongs.
    pub test: PtsTest,
    /// Which figure.
    pub figure: PtsFigure,
    /// Value of each study.
    pub means: [f64; 2],
    /// Ratio of the second value to the first.
    pub ratio: Estimate,
    /// Verdict on the speed of the second study: more is faster.
    pub speed: Verdict,
}

impl PtsRow {
    /// Returns by how many percent the second device is slower; negative if faster. Slower means a lower rate or a
    /// longer time.
    pub fn slower_percent(&self) -> f64 {
        let change = 100.0 * (self.ratio.value - 1.0);
        if self.figure.more_is_better() { -change } else { change }
    }

    /// Returns whether the interval of the ratio excludes 1.
    pub fn is_apart(&self) -> bool {
        self.ratio.is_known() && !self.ratio.holds(1.0)
    }

    /// Returns whether the second device may be slower by more than `percent`: the interval does not exclude such a
    /// difference, and does not show it either. The recovery time is one value per study and never has an interval: it
    /// leaves the question open only if it is itself longer by more than `percent`.
    pub fn may_be_slower_by(&self, percent: f64) -> bool {
        let bound = percent / 100.0;
        if self.figure == PtsFigure::Recovery && !self.ratio.is_known() {
            return self.slower_percent() > percent;
        }
        let worst = if self.figure.more_is_better() { 1.0 - self.ratio.low } else { self.ratio.high - 1.0 };
        !self.is_slower_by(percent) && (!self.ratio.is_known() || worst > bound)
    }

    /// Returns whether the second device is significantly slower, by more than `percent`.
    pub fn is_slower_by(&self, percent: f64) -> bool {
        self.is_apart() && self.slower_percent() > percent
    }
}

/// Comparison of a study with a baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PtsComparison {
    /// Names of the two studies.
    pub sides: [String; 2],
    /// Names of the two devices.
    pub devices: [String; 2],
    /// Differences between the conditions.
    pub unequal: Vec<PtsUnequal>,
    /// Whether the user requested the comparison in spite of differences that refuse it.
    pub anyway: bool,
    /// Compared figures; empty if the comparison is refused.
    pub rows: Vec<PtsRow>,
    /// Geometric mean of the ratios of speed, above 1 if the second device is faster; `None` without a figure that has
    /// an interval.
    pub together: Option<Estimate>,
    /// Number of figures judged together with Holm's correction.
    pub at_once: usize,
}

impl PtsComparison {
    /// Returns whether the comparison is refused.
    pub fn is_refused(&self) -> bool {
        !self.anyway && self.unequal.iter().any(PtsUnequal::refuses)
    }

    /// Returns the number of figures with this verdict on the speed of the second device.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.speed == verdict).count()
    }
}

/// Compares the second study with the first; `anyway`: also under different conditions.
pub fn compare(
    (first_name, first): (&str, &PtsStudy),
    (second_name, second): (&str, &PtsStudy),
    anyway: bool,
) -> PtsComparison {
    let studies = [first, second];
    let mut comparison = PtsComparison {
        sides: [first_name.to_owned(), second_name.to_owned()],
        devices: studies.map(|study| study.device.name.clone()),
        unequal: differences(studies),
        anyway,
        ..PtsComparison::default()
    };
    if comparison.is_refused() {
        return comparison;
    }
    let mut figures: Vec<(PtsTest, PtsFigure, [Vec<f64>; 2])> = Vec::new();
    for (run, other) in pairs(studies) {
        let theirs = of_run(other);
        for (figure, values) in of_run(run) {
            let same = theirs.iter().find(|(other, _)| figure == *other);
            figures.extend(same.map(|(_, others)| (run.test, figure, [values, others.clone()])));
        }
    }
    // The ratio of speed: of a time, the first value to the second.
    let speeds: Vec<[Vec<f64>; 2]> = figures
        .iter()
        .map(
            |(_, figure, [a, b])| {
                if figure.more_is_better() { [a.clone(), b.clone()] } else { [b.clone(), a.clone()] }
            },
        )
        .collect();
    let found = ratios(&speeds);
    let rows = figures.iter().zip(&found.each).filter_map(|((test, figure, _), ratio)| {
        let ratio = (*ratio)?;
        let [a, b] = ratio.means;
        let speed = ratio.ratio;
        let (means, shown) =
            if figure.more_is_better() { ([a, b], speed) } else { ([b, a], inverse(&speed)) };
        Some(PtsRow { test: *test, figure: *figure, means, ratio: shown, speed: speed.verdict() })
    });
    comparison.rows = rows.collect();
    (comparison.together, comparison.at_once) = (found.together, found.at_once);
    comparison
}

fn inverse(ratio: &Estimate) -> Estimate {
    Estimate { value: 1.0 / ratio.value, low: 1.0 / ratio.high, high: 1.0 / ratio.low }
}

/// Returns the runs of tests that both studies have.
fn pairs([first, second]: [&PtsStudy; 2]) -> Vec<(&PtsTestRun, &PtsTestRun)> {
    let other = |test| second.runs.iter().find(|run| run.test == test);
    first.runs.iter().filter_map(|run| Some((run, other(run.test)?))).collect()
}

fn differences(studies: [&PtsStudy; 2]) -> Vec<PtsUnequal> {
    let mut found = Vec::new();
    let sides = || studies.iter().enumerate();
    found.extend(sides().filter(|(_, study)| !study.complete).map(|(side, _)| PtsUnequal::Unfinished(side)));
    let pairs = pairs(studies);
    if pairs.is_empty() {
        found.push(PtsUnequal::NoTestInCommon);
    }
    let [a, b] = studies.map(|study| &study.asked);
    if a.class != b.class {
        found.push(PtsUnequal::Class);
    }
    if a.scale != b.scale {
        found.push(PtsUnequal::Scale([a.scale, b.scale]));
    }
    let demands = [a, b].map(|asked| [asked.threads, asked.depth]);
    if demands[0] != demands[1] {
        found.push(PtsUnequal::Demand(demands));
    }
    if a.active_range_percent != b.active_range_percent {
        found.push(PtsUnequal::ActiveRange([a.active_range_percent, b.active_range_percent]));
    }
    let workload = |asked: &super::PtsAsked| (asked.demand_block, asked.demand_reads);
    if workload(a) != workload(b) && pairs.iter().any(|(run, _)| run.test == PtsTest::Dirth) {
        found.push(PtsUnequal::DemandWorkload);
    }
    for (run, other) in &pairs {
        let cache = |run: &PtsTestRun| run.write_cache.and_then(|cache| cache.during);
        if let (Some(mine), Some(theirs)) = (cache(run), cache(other))
            && mine != theirs
        {
            found.push(PtsUnequal::WriteCache(run.test));
        }
        for (side, run) in [run, other].into_iter().enumerate() {
            if run.steady() == Some(false) {
                found.push(PtsUnequal::NotSteady(side, run.test));
            }
        }
        match [run.conforms(), other.conforms()] {
            [true, false] => found.push(PtsUnequal::Derived(1, run.test)),
            [false, true] => found.push(PtsUnequal::Derived(0, run.test)),
            [true, true] | [false, false] => {}
        }
    }
    for (side, study) in sides() {
        let alone = study.runs.iter().filter(|run| !pairs.iter().any(|(known, _)| known.test == run.test));
        found.extend(alone.map(|run| PtsUnequal::OnlyIn(side, run.test)));
    }
    found.sort_by_key(|what| !what.refuses());
    found
}

/// Returns the figures of a test with their values: those of the rounds of the window, or the means of parts of the
/// samples over time.
fn of_run(run: &PtsTestRun) -> Vec<(PtsFigure, Vec<f64>)> {
    match &run.result {
        PtsResult::Iops(matrix) => cells(matrix, PtsQuantity::Iops),
        PtsResult::Throughput(parts) => {
            parts.iter().flat_map(|part| cells(&part.matrix, PtsQuantity::BytesPerSecond)).collect()
        }
        PtsResult::Latency(latency) => cells(&latency.matrix, PtsQuantity::MeanLatency),
        PtsResult::Wsat(saturation) => {
            window(&saturation.steady).map(|values| (PtsFigure::Saturation, values)).into_iter().collect()
        }
        PtsResult::Hir(recovery) => recovery
            .states
            .iter()
            .map(|state| (PtsFigure::WaitState(state.wait_s), parts(&state.bursts, |burst| burst.iops)))
            .collect(),
        PtsResult::Xsr(recovery) => {
            let last_hour = |group: &[PtsSample]| {
                parts(&group[group.len().saturating_sub(60)..], |minute| minute.bytes_per_second)
            };
            let minutes = recovery.nearly_recovered_minutes.map(f64::from);
            vec![
                (PtsFigure::FirstGroup, last_hour(&recovery.first)),
                (PtsFigure::SecondGroup, last_hour(&recovery.second)),
                (PtsFigure::Recovery, minutes.into_iter().collect()),
            ]
        }
        PtsResult::Cbw(demand) | PtsResult::Dirth(demand) => operating(demand),
        PtsResult::HddIops(slices) | PtsResult::HddThroughput(slices) => {
            // The slices of a disk differ: only their means are compared.
            let figure = |cell: &PtsSliceCell| (PtsFigure::Cell(cell.load, cell.quantity), vec![cell.mean]);
            slices.cells.iter().map(figure).collect()
        }
    }
}

fn operating(demand: &PtsDemand) -> Vec<(PtsFigure, Vec<f64>)> {
    let most = demand.matrix.cells.iter().map(|cell| cell.load);
    let most = most.filter(|load| (load.threads, load.depth) == (DEMANDS[0], DEMANDS[0]));
    let tracked = most.map(|load| {
        let quantity = PtsQuantity::Iops;
        (PtsFigure::Cell(load, quantity), in_window(&demand.matrix, &load, quantity))
    });
    // Mid is the point nearest to a middle, and Max may be at another load on each device: of it, only the rate counts.
    let points = demand.operating.iter().flat_map(|operating| {
        let of = |quantity| in_window(&demand.matrix, &operating.cell.load, quantity);
        let rate = || (PtsFigure::OperatingIops(operating.point), of(PtsQuantity::Iops));
        let latency = || (PtsFigure::OperatingLatency(operating.point), of(PtsQuantity::MeanLatency));
        match operating.point {
            PtsOperatingPoint::Max => vec![rate()],
            PtsOperatingPoint::Mid => Vec::new(),
            PtsOperatingPoint::Min => vec![rate(), latency()],
        }
    });
    tracked.chain(points).collect()
}

fn cells(matrix: &PtsMatrix, quantity: PtsQuantity) -> Vec<(PtsFigure, Vec<f64>)> {
    let of = |load: PtsLoad| (PtsFigure::Cell(load, quantity), in_window(matrix, &load, quantity));
    matrix.cells.iter().map(|cell| of(cell.load)).collect()
}

/// Returns the values of a load in the rounds of the measurement window.
fn in_window(matrix: &PtsMatrix, load: &PtsLoad, quantity: PtsQuantity) -> Vec<f64> {
    let rounds = matrix.by_round(load, quantity).into_iter();
    rounds.filter(|(round, _)| matrix.steady.contains(*round)).map(|(_, value)| value).collect()
}

fn window(steady: &PtsSteady) -> Option<Vec<f64>> {
    Some(steady.variables.first()?.window?.values.to_vec())
}

/// Returns the means of consecutive parts of the samples.
fn parts(samples: &[PtsSample], of: impl Fn(&PtsSample) -> f64) -> Vec<f64> {
    let size = samples.len().div_ceil(PARTS).max(1);
    samples.chunks(size).map(|part| part.iter().map(&of).sum::<f64>() / part.len() as f64).collect()
}
