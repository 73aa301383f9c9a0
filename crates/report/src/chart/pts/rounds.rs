//! Charts of the tests that measure a table of cells in rounds: IOPS, throughput and latency.

use super::super::{Axis, Chart, Dot, Form, Line, Look, Quantity};
use super::{Drawing, iops_axis, marked, mean_axis, rate_axis};
use crate::catalog::say;
use crate::pts_names as names;
use stats::pts::{PtsBlock, PtsCell, PtsLatency, PtsLoad, PtsMatrix, PtsQuantity, PtsSample, PtsThroughput};
use std::collections::BTreeSet;

/// Returns the loads of the cells, in the order of measurement.
fn loads(matrix: &PtsMatrix) -> Vec<PtsLoad> {
    let round = matrix.rounds.first();
    round.map(|round| round.samples.iter().map(|sample| sample.load).collect()).unwrap_or_default()
}

fn bytes(load: &PtsLoad) -> u64 {
    match load.block {
        PtsBlock::Bytes(bytes) => bytes,
        PtsBlock::Composite => 0,
    }
}

/// Block sizes and shares of reads of a table, each ascending.
struct TableCells {
    blocks: Vec<u64>,
    reads: Vec<u32>,
}

impl TableCells {
    fn of(cells: &[PtsCell]) -> TableCells {
        let blocks: BTreeSet<u64> = cells.iter().map(|cell| bytes(&cell.load)).collect();
        let reads: BTreeSet<u32> = cells.iter().map(|cell| cell.load.reads).collect();
        TableCells { blocks: blocks.into_iter().collect(), reads: reads.into_iter().collect() }
    }

    fn cells(&self, cells: &[PtsCell], of: impl Fn(&PtsCell) -> Option<f64>) -> Vec<(usize, usize, f64)> {
        let place = |cell: &PtsCell| {
            let x = self.blocks.binary_search(&bytes(&cell.load)).ok()?;
            Some((x, self.reads.binary_search(&cell.load.reads).ok()?, of(cell)?))
        };
        cells.iter().filter_map(place).collect()
    }
}

impl Drawing<'_> {
    /// Returns the lines of a quantity by round of the loads that `wanted` selects.
    fn of_rounds(
        &self,
        matrix: &PtsMatrix,
        wanted: impl Fn(&PtsLoad) -> bool,
        of: impl Fn(&PtsSample) -> f64,
    ) -> Vec<Line> {
        let line = |load: PtsLoad| {
            let value = |round: &stats::pts::PtsRound| {
                Some(Dot::new(f64::from(round.number), of(round.sample(&load)?)))
            };
            marked(names::load(self.lang, &load), matrix.rounds.iter().filter_map(value).collect())
        };
        loads(matrix).into_iter().filter(wanted).map(line).collect()
    }

    fn table_axes(&self, places: &TableCells) -> (Axis, Axis) {
        let lang = self.lang;
        let blocks = places.blocks.iter().map(|bytes| crate::labels::block(*bytes)).collect();
        let reads = places.reads.iter().map(|reads| names::mix(*reads)).collect();
        (
            Axis::names(say!(lang, "chart-axis-block-size"), blocks),
            Axis::names(say!(lang, "pts-axis-mix"), reads),
        )
    }

    pub(super) fn iops(&self, matrix: &PtsMatrix) -> Vec<Chart> {
        let lang = self.lang;
        let steady = &matrix.steady;
        let tracked: Vec<PtsLoad> = steady.variables.iter().map(|variable| variable.load).collect();
        let y = Axis { log: true, ..iops_axis(lang) };
        let rate = |sample: &PtsSample| sample.iops;
        let mut all = vec![
            self.by_round(
                "convergence",
                say!(lang, "pts-iops-convergence"),
                y.clone(),
                self.of_rounds(matrix, |load| load.reads == 0, rate),
                steady,
            ),
            self.by_round(
                "tracked",
                say!(lang, "pts-tracked-convergence"),
                y.clone(),
                self.of_rounds(matrix, |load| tracked.contains(load), rate),
                steady,
            ),
        ];
        all.extend(self.windows("iops", steady).into_iter().map(Some));
        let places = TableCells::of(&matrix.cells);
        let by_mix = |reads: &u32| {
            let mut cells: Vec<&PtsCell> = matrix.cells.iter().filter(|c| c.load.reads == *reads).collect();
            cells.sort_by_key(|cell| bytes(&cell.load));
            let points = cells.iter().map(|cell| Dot::new(bytes(&cell.load) as f64, cell.iops));
            marked(names::mix(*reads), points.collect())
        };
        all.push(self.lines(
            "by-block-size",
            say!(lang, "pts-iops-by-block-size"),
            say!(lang, "pts-note-mean-of-window"),
            (Axis::log(say!(lang, "chart-axis-block-size"), Quantity::Size), y.clone()),
            places.reads.iter().rev().map(by_mix).collect(),
        ));
        let cells = places.cells(&matrix.cells, |cell| Some(cell.iops));
        let title = say!(lang, "pts-iops-by-mix");
        all.push(self.heat("by-mix", title, self.table_axes(&places), y, cells));
        all.into_iter().flatten().collect()
    }

    pub(super) fn throughput(&self, parts: &[PtsThroughput]) -> Vec<Chart> {
        let lang = self.lang;
        let part = |part: &PtsThroughput| {
            let (matrix, size) = (&part.matrix, crate::labels::block(part.block));
            let quantity = PtsQuantity::BytesPerSecond;
            let direction = |reads: u32| {
                let lines = self.of_rounds(matrix, |load| load.reads == reads, |s| quantity.of(s));
                let title = if reads == 0 {
                    say!(lang, "pts-write-convergence", size = size.clone())
                } else {
                    say!(lang, "pts-read-convergence", size = size.clone())
                };
                let what = format!("{}-{size}", if reads == 0 { "write" } else { "read" });
                self.by_round(&what, title, rate_axis(lang), lines, &matrix.steady)
            };
            let mut charts: Vec<Chart> = [direction(0), direction(100)].into_iter().flatten().collect();
            charts.extend(self.windows(&size, &matrix.steady));
            charts
        };
        let mut all: Vec<Chart> = parts.iter().flat_map(part).collect();
        let bars = |reads: u32| Line {
            name: names::direction(lang, reads),
            look: Look::Points,
            points: parts
                .iter()
                .enumerate()
                .filter_map(|(at, part)| {
                    let cell = part.matrix.cells.iter().find(|cell| cell.load.reads == reads)?;
                    Some(Dot::new(at as f64, cell.bytes_per_second))
                })
                .collect(),
        };
        let sizes = parts.iter().map(|part| crate::labels::block(part.block)).collect();
        all.extend(self.chart(
            "by-block-size",
            say!(lang, "pts-throughput-by-block-size"),
            say!(lang, "pts-note-mean-of-window"),
            (Axis::names(say!(lang, "chart-axis-block-size"), sizes), rate_axis(lang)),
            Form::Bars { series: super::some(vec![bars(100), bars(0)]) },
        ));
        all
    }

    pub(super) fn latency(&self, latency: &PtsLatency) -> Vec<Chart> {
        let lang = self.lang;
        let matrix = &latency.matrix;
        let longest = Axis::log(say!(lang, "pts-axis-mrt"), Quantity::Nanos);
        let tail = Axis::linear(say!(lang, "pts-axis-five-nines"), Quantity::Nanos);
        let mut all = vec![
            self.by_round(
                "mean-convergence",
                say!(lang, "pts-mean-convergence"),
                mean_axis(lang),
                self.of_rounds(matrix, |_| true, |sample| sample.mean_ns),
                &matrix.steady,
            ),
            self.by_round(
                "max-convergence",
                say!(lang, "pts-max-convergence"),
                longest.clone(),
                self.of_rounds(matrix, |_| true, |sample| sample.max_ns as f64),
                &matrix.steady,
            ),
        ];
        all.extend(self.windows("latency", &matrix.steady).into_iter().map(Some));
        let places = TableCells::of(&matrix.cells);
        type Of = fn(&PtsCell) -> Option<f64>;
        let heats: [(&str, String, Axis, Of); 3] = [
            ("mean-by-mix", say!(lang, "pts-mean-by-mix"), mean_axis(lang), |cell| Some(cell.mean_ns)),
            ("tail-by-mix", say!(lang, "pts-tail-by-mix"), tail, |cell| cell.p99999_ns),
            ("max-by-mix", say!(lang, "pts-max-by-mix"), longest, |cell| Some(cell.max_ns as f64)),
        ];
        all.extend(heats.map(|(what, title, value, of)| {
            let chart =
                self.heat(what, title, self.table_axes(&places), value, places.cells(&matrix.cells, of))?;
            let note = match what {
                "max-by-mix" => say!(lang, "pts-note-max-of-window"),
                _ => chart.note,
            };
            Some(Chart { note, ..chart })
        }));
        if let Some(sample) = &latency.histogram {
            let name = names::load(lang, &sample.load);
            all.push(self.histogram("writes", say!(lang, "pts-histogram", name = name.clone()), sample));
            all.push(self.percentiles(&[(name, sample)]));
        }
        all.into_iter().flatten().collect()
    }
}
