//! Charts of the demand tests: composite workload (CBW) and demand intensity (DIRTH).

use super::super::{Axis, Chart, Dot, Line, Look, Mark, Quantity};
use super::{Drawing, by_minute, iops_axis, marked, mean_axis, minutes_axis};
use crate::catalog::say;
use crate::pts_names as names;
use stats::pts::{DEMANDS, PtsCell, PtsDemand, PtsLoad, PtsRound, PtsSample};

impl Drawing<'_> {
    pub(super) fn demand(&self, demand: &PtsDemand) -> Vec<Chart> {
        let mut all = self.preconditioning(&demand.preconditioning);
        all.extend(self.demand_rounds(demand));
        all.extend(self.demand_matrix(demand));
        all.extend(self.operating(demand));
        all
    }

    fn demand_rounds(&self, demand: &PtsDemand) -> Vec<Chart> {
        let lang = self.lang;
        let matrix = &demand.matrix;
        let writes = by_minute("IOPS".into(), &demand.pre_writes, |minute| minute.iops);
        let between = self.lines(
            "pre-writes",
            say!(lang, "pts-pre-writes"),
            say!(lang, "pts-note-pre-writes"),
            (minutes_axis(lang), iops_axis(lang)),
            vec![writes],
        );
        let cells = matrix.rounds.first().map_or(&[][..], |round| &round.samples[..]);
        let at_most = cells.iter().map(|sample| sample.load).filter(|load| load.threads == DEMANDS[0]);
        let line = |load: PtsLoad| {
            let value = |round: &PtsRound| Some(Dot::new(f64::from(round.number), round.sample(&load)?.iops));
            marked(format!("QD {}", load.depth), matrix.rounds.iter().filter_map(value).collect())
        };
        let threads = DEMANDS[0].to_string();
        let rounds = self.by_round(
            "convergence",
            say!(lang, "pts-demand-convergence", threads),
            Axis { log: true, ..iops_axis(lang) },
            at_most.map(line).collect(),
            &matrix.steady,
        );
        let windows = self.windows("demand", &matrix.steady);
        between.into_iter().chain(rounds).chain(windows).collect()
    }

    fn demand_matrix(&self, demand: &PtsDemand) -> Vec<Chart> {
        let lang = self.lang;
        let cells = &demand.matrix.cells;
        let note = || say!(lang, "pts-note-mean-of-window");
        let of_threads = |x: fn(&PtsCell) -> f64, y: fn(&PtsCell) -> f64| -> Vec<Line> {
            let line = |threads: &u32| {
                let mut own = demand.of_threads(*threads);
                own.sort_by_key(|cell| cell.load.depth);
                marked(format!("TC {threads}"), own.iter().map(|cell| Dot::new(x(cell), y(cell))).collect())
            };
            DEMANDS.iter().map(line).collect()
        };
        let iops: fn(&PtsCell) -> f64 = |cell| cell.iops;
        let depth: fn(&PtsCell) -> f64 = |cell| f64::from(cell.load.depth);
        let depth_axis = Axis::log(say!(lang, "pts-axis-depth"), Quantity::Count);
        let variation = self.lines(
            "variation",
            say!(lang, "pts-demand-variation"),
            note(),
            (depth_axis, iops_axis(lang)),
            of_threads(depth, iops),
        );
        let points = demand.operating.iter().map(|operating| Mark {
            upwards: true,
            at: operating.cell.iops,
            label: names::operating(lang, operating.point),
        });
        let intensity = self.lines(
            "intensity",
            say!(lang, "pts-demand-intensity"),
            say!(lang, "pts-note-intensity"),
            (iops_axis(lang), Axis { log: true, ..mean_axis(lang) }),
            of_threads(iops, |cell| cell.mean_ns),
        );
        let intensity = intensity.map(|chart| Chart { marks: points.collect(), ..chart });
        let mut outstanding: Vec<&PtsCell> = cells.iter().collect();
        outstanding.sort_by_key(|cell| (cell.load.in_flight(), cell.load.threads));
        let points = outstanding.iter().map(|cell| Dot::new(f64::from(cell.load.in_flight()), cell.iops));
        let by_outstanding = self.lines(
            "outstanding",
            say!(lang, "pts-demand-outstanding"),
            say!(lang, "pts-note-outstanding"),
            (Axis::log(say!(lang, "pts-axis-toio"), Quantity::Count), iops_axis(lang)),
            vec![Line { name: "IOPS".into(), look: Look::Points, points: points.collect() }],
        );
        let mut levels = DEMANDS;
        levels.sort_unstable();
        let named = |label: String| Axis::names(label, levels.iter().map(u32::to_string).collect());
        let heat = |what: &str, title: String, value: Axis, of: fn(&PtsCell) -> f64| {
            let place = |cell: &PtsCell| {
                let x = levels.binary_search(&cell.load.depth).ok()?;
                Some((x, levels.binary_search(&cell.load.threads).ok()?, of(cell)))
            };
            let axes = (named(say!(lang, "pts-axis-depth")), named(say!(lang, "pts-axis-threads")));
            self.heat(what, title, axes, value, cells.iter().filter_map(place).collect())
        };
        let mean = Axis { log: true, ..mean_axis(lang) };
        let cpu = Axis::linear(say!(lang, "pts-axis-cpu"), Quantity::Percent);
        let all = [
            variation,
            intensity,
            by_outstanding,
            heat("surface-iops", say!(lang, "pts-surface-iops"), iops_axis(lang), iops),
            heat("surface-mean", say!(lang, "pts-surface-mean"), mean, |cell| cell.mean_ns),
            heat("surface-cpu", say!(lang, "pts-surface-cpu"), cpu, |cell| cell.cpu_percent),
        ];
        all.into_iter().flatten().collect()
    }

    fn operating(&self, demand: &PtsDemand) -> Vec<Chart> {
        let lang = self.lang;
        let line = |operating: &stats::pts::PtsOperating| {
            by_minute(names::operating(lang, operating.point), &operating.writes, |minute| minute.iops)
        };
        let writes = self.lines(
            "operating-writes",
            say!(lang, "pts-operating-writes"),
            say!(lang, "pts-note-operating-writes"),
            (minutes_axis(lang), iops_axis(lang)),
            demand.operating.iter().map(line).collect(),
        );
        let measured = demand.operating.iter().filter_map(|operating| {
            Some((names::operating(lang, operating.point), operating, operating.histogram.as_ref()?))
        });
        let measured: Vec<_> = measured.collect();
        let histograms = measured.iter().filter_map(|(name, operating, sample)| {
            let what = names::operating_id(operating.point);
            self.histogram(what, say!(lang, "pts-histogram", name = name.clone()), sample)
        });
        let named: Vec<(String, &PtsSample)> =
            measured.iter().map(|(name, _, sample)| (name.clone(), *sample)).collect();
        writes.into_iter().chain(histograms).chain(self.percentiles(&named)).collect()
    }
}
