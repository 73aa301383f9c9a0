//! Rows of a sweep: the combined figures of the visits to a cell, and the best rows.

use crate::access::Access;
use crate::converge::pooled;
use crate::estimate::Estimate;
use crate::finding::{Claim, Finding, Grade};
use crate::histogram::Histogram;
use crate::measured::Measured;
use crate::quantile::student_t;
use crate::study::{Point, Study};
use crate::sweep_grid::{SweepAsked, SweepCell, SweepRow, SweepTable};
use serde::{Deserialize, Serialize};

/// The row to use of a pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepBest {
    /// Access pattern; with the block size of the row.
    pub access: Access,
    /// Number of the row: of the rows within 5 % of the highest rate, the one with the fewest I/Os in flight, or for a
    /// sweep of block sizes the one with the smallest blocks.
    pub row: usize,
    /// Number of the row with the highest rate.
    pub highest: usize,
    /// Whether the rate of that row is higher than the interval of the row to use.
    pub is_higher: bool,
    /// Options whose largest value in the grid is that of the row, so that a larger value may be better; none of
    /// `iodepth` and `numjobs` if a row with more I/Os in flight is not better.
    pub at_edge: Vec<SweepEdge>,
    /// Number of rows of the pattern that are left out, because they did not measure the device.
    pub unusable: usize,
    /// Number of visits to the cells of the pattern that are not made yet; the row may change with them.
    #[serde(default)]
    pub missing: usize,
}

/// A pattern without a row to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepNoBest {
    /// Access pattern; for a sweep of block sizes with a block size of 0.
    pub access: Access,
    /// Reason.
    pub why: SweepNoBestReason,
}

/// Reason why a pattern has no row to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepNoBestReason {
    /// Cells of the pattern have not been visited yet.
    Unvisited {
        /// Number of these cells.
        cells: usize,
        /// Number of all cells of the pattern.
        of: usize,
    },
    /// Fewer than two rows of the pattern measured the device.
    NotTheDevice {
        /// Number of rows that measured the device.
        usable: usize,
        /// Number of all rows of the pattern.
        of: usize,
    },
    /// The rate of the best candidate has no interval.
    NoInterval {
        /// Number of the row of the candidate.
        row: usize,
    },
    /// The interval of the best candidate is wider than half of its rate to one side.
    Uncertain {
        /// Number of the row of the candidate.
        row: usize,
    },
}

/// Option at the edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepEdge {
    /// `iodepth`.
    Iodepth,
    /// `numjobs`.
    Numjobs,
    /// `bs`.
    Bs,
}

/// Share of the highest rate from which rows count as equal.
const NEARLY: f64 = 0.95;

/// Returns the rows of a study that is a sweep, in the order of its cells, without cells that have no figures.
pub fn rows(study: &Study) -> Vec<SweepRow> {
    let Some(asked) = &study.asked.sweep else { return Vec::new() };
    let order = asked.order(study.asked.seed);
    let mut visits: Vec<Vec<&Point>> = vec![Vec::new(); asked.cells.len()];
    for point in &study.points {
        if let Some(of) = order.get(point.ordinal as usize).and_then(|cell| visits.get_mut(*cell)) {
            of.push(point);
        }
    }
    let row =
        |(cell, visits): (usize, Vec<&Point>)| match asked.imported.iter().find(|known| known.cell == cell) {
            Some(known) => Some(known.clone()),
            None => of_visits(cell, &asked.cells[cell], &visits),
        };
    visits.into_iter().enumerate().filter_map(row).collect()
}

/// Returns the rate of a visit: all counted I/Os over the whole counted time. The interval is that of the visit's
/// slices, and wide enough for the level that the visit ended on.
fn rate(point: &Point) -> Estimate {
    let value = if point.seconds > 0.0 { point.ios as f64 / point.seconds } else { 0.0 };
    let level = &point.iops;
    let (low, high) = (value - (level.value - level.low), value + (level.high - level.value));
    Estimate { value, low: low.min(level.value).max(0.0), high: high.max(level.value) }
}

/// Returns the mean of visits of equal weight with its 95 % interval: Student's t between the visits, and at least the
/// interval that the visits' own intervals give.
fn mean(visits: &[Estimate]) -> Estimate {
    let n = visits.len() as f64;
    let value = visits.iter().map(|v| v.value).sum::<f64>() / n;
    let within = pooled(visits, &vec![1.0; visits.len()]).unwrap_or(Estimate::bare(value));
    if visits.len() < 2 {
        return within;
    }
    let variance = visits.iter().map(|v| (v.value - value).powi(2)).sum::<f64>() / (n - 1.0);
    let between = Estimate::around(value, student_t(0.975, n - 1.0) * (variance / n).sqrt());
    Estimate { value, low: within.low.min(between.low), high: within.high.max(between.high) }
}

fn of_visits(cell: usize, load: &SweepCell, all: &[&Point]) -> Option<SweepRow> {
    let worthless = |point: &Point| point.grade == Grade::NotTheDevice;
    let usable: Vec<&Point> = all.iter().copied().filter(|p| !worthless(p)).collect();
    let unusable = all.len() - usable.len();
    let visits = if usable.is_empty() { all.to_vec() } else { usable };
    let first = visits.first()?;
    let rates: Vec<Estimate> = visits.iter().map(|p| rate(p)).collect();
    let latencies: Vec<Estimate> = visits.iter().map(|p| Estimate::bare(p.mean_ns)).collect();
    let iops = mean(&rates);
    let ios: u64 = visits.iter().map(|p| p.ios).sum();
    let bytes: u64 = visits.iter().map(|p| p.bytes).sum();
    let mut histogram = Histogram::default();
    visits.iter().for_each(|p| histogram.merge(&p.latencies));
    let max_ns = visits.iter().map(|p| p.max_ns).max().unwrap_or(0);
    let quantile = |percent: f64| {
        let above = histogram.count() as f64 * (1.0 - percent / 100.0);
        let value = histogram.quantile(percent).filter(|_| above >= 10.0 || percent <= 50.0);
        // The midpoint of the highest bucket can be above the largest latency.
        value.map(|ns| ns.min(max_ns))
    };
    let mut findings: Vec<Finding> = Vec::new();
    for finding in visits.iter().flat_map(|p| &p.findings) {
        if findings.iter().all(|known| known.claim.rule() != finding.claim.rule()) {
            findings.push(finding.clone());
        }
    }
    let failed = |finding: &Finding| match finding.claim {
        Claim::Failed { failed, .. } => failed,
        _ => 0,
    };
    let utils: Vec<f64> = visits.iter().filter_map(|p| p.util_percent).collect();
    Some(SweepRow {
        cell,
        visits: visits.len() as u32,
        unusable: unusable as u32,
        imported: false,
        offered: first
            .cell
            .rate
            .filter(|_| load.percent.is_some())
            .map(|rate| rate as f64 / load.access.bs as f64),
        bytes_per_second: iops.times(bytes as f64 / ios.max(1) as f64),
        iops,
        mean_ns: mean(&latencies),
        p50_ns: quantile(50.0),
        p99_ns: quantile(99.0),
        p999_ns: quantile(99.9),
        max_ns,
        util_percent: (!utils.is_empty()).then(|| utils.iter().sum::<f64>() / utils.len() as f64),
        seconds: visits.iter().map(|p| p.seconds).sum(),
        ios,
        errors: all.iter().flat_map(|p| &p.findings).map(failed).sum(),
        grade: visits.iter().map(|p| p.grade).max(),
        findings,
    })
}

/// Returns the row of a cell that was read from a file; its rate has no interval. Its grade is the one in the file; in
/// files of other programs, only figures that break a rule have a grade.
pub fn row_of_file(cell: usize, load: &Measured) -> SweepRow {
    let ios: u64 = load.flows.iter().map(|f| f.ios).sum();
    let of = |value: &dyn Fn(&crate::Flow) -> Option<f64>| {
        let weighted = load.flows.iter().filter_map(|f| Some(value(f)? * f.ios as f64)).sum::<f64>();
        weighted / ios.max(1) as f64
    };
    let percentile = |percent: f64| {
        let [flow] = &load.flows[..] else { return None };
        let known = flow.latency()?.quantiles.iter().find(|q| (q.percent - percent).abs() < 1e-6)?;
        Some(known.ns as u64)
    };
    SweepRow {
        cell,
        imported: true,
        iops: Estimate::bare(load.flows.iter().map(|f| f.iops.value).sum()),
        bytes_per_second: Estimate::bare(load.flows.iter().map(|f| f.bytes_per_second).sum()),
        mean_ns: Estimate::bare(of(&|f| Some(f.latency()?.mean_ns))),
        p50_ns: percentile(50.0),
        p99_ns: percentile(99.0),
        p999_ns: percentile(99.9),
        max_ns: load.flows.iter().filter_map(|f| Some(f.latency()?.max_ns as u64)).max().unwrap_or(0),
        seconds: load.seconds,
        ios,
        grade: load.grade.or_else(|| load.findings.iter().map(|f| f.claim.grade()).max()),
        findings: load.findings.clone(),
        ..SweepRow::default()
    }
}

/// Returns the best row of each pattern, and for sweeps that do not vary the block size alone, of each block size.
/// Rows that did not measure the device are left out; a pattern has a best row only if at least two other rows remain
/// and every cell of the pattern has been visited. `rows` are those of the study.
pub fn best(study: &Study, rows: &[SweepRow]) -> Vec<SweepBest> {
    compared(study, rows).into_iter().filter_map(Result::ok).collect()
}

/// Returns the patterns that have several cells but no best row, each with the reason. `rows` are those of the study.
pub fn without_best(study: &Study, rows: &[SweepRow]) -> Vec<SweepNoBest> {
    compared(study, rows).into_iter().filter_map(Result::err).collect()
}

/// Returns the best row of every pattern with at least two cells, or why it has none.
fn compared(study: &Study, rows: &[SweepRow]) -> Vec<Result<SweepBest, SweepNoBest>> {
    let Some(asked) = &study.asked.sweep else { return Vec::new() };
    if matches!(asked.table, SweepTable::Runtime | SweepTable::Curve) {
        return Vec::new();
    }
    let key = |cell: &SweepCell| match asked.table {
        SweepTable::Bs => Access { bs: 0, ..cell.access.clone() },
        _ => cell.access.clone(),
    };
    let mut patterns: Vec<Access> = Vec::new();
    for cell in &asked.cells {
        if !patterns.contains(&key(cell)) {
            patterns.push(key(cell));
        }
    }
    // A cell whose visit failed has no row either; visits after it show that it had its turn.
    let order = asked.order(study.asked.seed);
    let last = study.points.iter().map(|p| p.ordinal as usize).max();
    let had_turn = |cell: usize| last.is_some_and(|last| order[..=last.min(order.len() - 1)].contains(&cell));
    let of = |access: &Access| {
        let cells: Vec<usize> = (0..asked.cells.len()).filter(|n| key(&asked.cells[*n]) == *access).collect();
        if cells.len() < 2 {
            return None;
        }
        let row_of = |cell: usize| rows.iter().find(|row| row.cell == cell);
        let unvisited = cells.iter().filter(|cell| row_of(**cell).is_none() && !had_turn(**cell)).count();
        let missing = |cell: usize| match row_of(cell) {
            Some(row) if row.imported => 0,
            Some(row) => asked.repeats.saturating_sub(row.visits.max(1) + row.unusable) as usize,
            None => asked.repeats as usize,
        };
        let missing = cells.iter().map(|cell| missing(*cell)).sum();
        let none = |why| SweepNoBest { access: access.clone(), why };
        if unvisited > 0 {
            return Some(Err(none(SweepNoBestReason::Unvisited { cells: unvisited, of: cells.len() })));
        }
        let mine: Vec<(usize, &SweepRow)> =
            rows.iter().enumerate().filter(|(_, row)| cells.contains(&row.cell)).collect();
        let usable = mine.iter().filter(|(_, row)| is_usable(row)).count();
        let best = if usable < 2 { None } else { best_of(asked, &mine) };
        Some(match best {
            Some(best) if !has_interval(asked, &rows[best.row]) => {
                Err(none(SweepNoBestReason::NoInterval { row: best.row }))
            }
            Some(best) if half_percent(asked, &rows[best.row]) > MOST_HALF_PERCENT => {
                Err(none(SweepNoBestReason::Uncertain { row: best.row }))
            }
            Some(best) => Ok(SweepBest { missing, ..best }),
            None => Err(none(SweepNoBestReason::NotTheDevice { usable, of: mine.len() })),
        })
    };
    patterns.iter().filter_map(of).collect()
}

/// Largest half-width of the interval of a best row, percent of its rate.
const MOST_HALF_PERCENT: f64 = 50.0;

/// Returns the rate that rows are compared by.
fn compared_rate<'a>(asked: &SweepAsked, row: &'a SweepRow) -> &'a Estimate {
    if asked.table == SweepTable::Bs { &row.bytes_per_second } else { &row.iops }
}

/// Returns whether the rate of a row has an interval. The interval of visits with equal rates has no width.
fn has_interval(asked: &SweepAsked, row: &SweepRow) -> bool {
    compared_rate(asked, row).is_known() || row.visits > 1
}

/// Returns the half-width of the interval of the rate that rows are compared by, in percent; 0 without an interval.
fn half_percent(asked: &SweepAsked, row: &SweepRow) -> f64 {
    let rate = compared_rate(asked, row);
    if rate.is_known() { rate.half_percent() } else { 0.0 }
}

/// Returns whether a row measured the device.
fn is_usable(row: &SweepRow) -> bool {
    row.grade != Some(Grade::NotTheDevice) && row.iops.value > 0.0
}

/// Returns the best of the rows of a pattern, each with its number; `None` if none measured the device.
fn best_of(asked: &SweepAsked, rows: &[(usize, &SweepRow)]) -> Option<SweepBest> {
    let by_size = asked.table == SweepTable::Bs;
    let rate = |row: &SweepRow| if by_size { row.bytes_per_second.value } else { row.iops.value };
    let usable = || rows.iter().copied().filter(|(_, row)| is_usable(row));
    let (highest, top) = usable().max_by(|a, b| rate(a.1).total_cmp(&rate(b.1)))?;
    let cell = |row: &SweepRow| &asked.cells[row.cell];
    let cost = |row: &SweepRow| (cell(row).access.bs, cell(row).in_flight(), cell(row).numjobs);
    let near = usable().filter(|(_, row)| rate(row) >= NEARLY * rate(top));
    let (row, chosen) = near.min_by_key(|(_, row)| cost(row))?;
    let edge = |of: fn(&SweepCell) -> u64| {
        let values = rows.iter().map(|(_, row)| of(cell(row)));
        let (least, most) = values.fold((u64::MAX, 0), |(l, m), v| (l.min(v), m.max(v)));
        least < most && of(cell(chosen)) == most
    };
    // Rows with more I/Os in flight show that a larger product is not better.
    let most = rows.iter().map(|(_, row)| cell(row).in_flight()).max();
    let fullest = most == Some(cell(chosen).in_flight());
    let edges = [
        (SweepEdge::Iodepth, fullest && edge(|c| c.iodepth.into())),
        (SweepEdge::Numjobs, fullest && edge(|c| c.numjobs.into())),
        (SweepEdge::Bs, edge(|c| c.access.bs)),
    ];
    Some(SweepBest {
        access: cell(chosen).access.clone(),
        row,
        highest,
        is_higher: rate(top) > if by_size { chosen.bytes_per_second.high } else { chosen.iops.high },
        at_edge: edges.into_iter().filter(|(_, at)| *at).map(|(edge, _)| edge).collect(),
        unusable: rows.iter().filter(|(_, row)| row.grade == Some(Grade::NotTheDevice)).count(),
        missing: 0,
    })
}
