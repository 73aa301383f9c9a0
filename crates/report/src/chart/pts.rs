//! Charts of `fathom pts`: the plots of the SNIA Solid State Storage Performance Test Specification 2.0.2, test by test.

mod course;
mod demand;
mod overlay;
mod rounds;
mod slices;

pub use overlay::overlay;

use super::study::some;
use super::{Axis, Chart, Dot, Form, Line, Look, Mark, Quantity, Span, distinct, id, per_second};
use crate::Lang;
use crate::catalog::say;
use crate::pts_names as names;
use stats::pts::{
    PtsDeviation, PtsQuantity, PtsResult, PtsSample, PtsSteady, PtsStudy, PtsTestRun, PtsVariable,
};

/// Percentiles of latency that the specification marks in a histogram, and the usual ones below them.
const PERCENTS: [f64; 6] = [50.0, 90.0, 99.0, 99.9, 99.99, 99.999];
/// Percentiles that are marked in a histogram.
const MARKED: [f64; 3] = [99.9, 99.99, 99.999];

/// Returns the charts of all tests of a study, in the order of measurement.
pub fn charts(study: &PtsStudy, lang: Lang) -> Vec<Chart> {
    distinct(study.runs.iter().flat_map(|run| Drawing { run, lang }.charts()).collect())
}

/// Charts of one test.
#[derive(Clone, Copy)]
struct Drawing<'a> {
    run: &'a PtsTestRun,
    lang: Lang,
}

impl Drawing<'_> {
    fn charts(&self) -> Vec<Chart> {
        match &self.run.result {
            PtsResult::Iops(matrix) => self.iops(matrix),
            PtsResult::Throughput(parts) => self.throughput(parts),
            PtsResult::Latency(latency) => self.latency(latency),
            PtsResult::Wsat(saturation) => self.saturation(saturation),
            PtsResult::Hir(recovery) => self.idle_recovery(recovery),
            PtsResult::Xsr(recovery) => self.cross_stimulus(recovery),
            PtsResult::Cbw(demand) | PtsResult::Dirth(demand) => self.demand(demand),
            PtsResult::HddIops(slices) => self.slices(slices, PtsQuantity::Iops),
            PtsResult::HddThroughput(slices) => self.slices(slices, PtsQuantity::BytesPerSecond),
        }
    }

    /// Returns a chart of this test; `None` if it has nothing to show. A chart in a file of its own says in its title
    /// that the result is only derived from the specification.
    fn chart(
        &self,
        what: &str,
        title: String,
        note: String,
        (x, y): (Axis, Axis),
        form: Form,
    ) -> Option<Chart> {
        let empty = match &form {
            Form::Lines { series } | Form::Bars { series } => series.iter().all(|l| l.points.is_empty()),
            Form::Heat { cells, .. } => cells.is_empty(),
            Form::Ranges { sets } => sets.is_empty(),
        };
        (!empty).then(|| Chart {
            id: id(&["pts", self.run.test.name(), what]),
            section: names::test(self.lang, self.run.test),
            title: self.titled(title),
            note,
            x,
            y,
            form,
            ..Chart::default()
        })
    }

    fn titled(&self, title: String) -> String {
        let scale = self.run.deviations.iter().find_map(|deviation| match deviation {
            PtsDeviation::Scaled { by } => Some(*by),
            _ => None,
        });
        match scale {
            Some(by) => say!(self.lang, "pts-title-scaled", title, by = by.to_string()),
            None if !self.run.conforms() => say!(self.lang, "pts-title-derived", title),
            None => title,
        }
    }

    fn lines(
        &self,
        what: &str,
        title: String,
        note: String,
        axes: (Axis, Axis),
        lines: Vec<Line>,
    ) -> Option<Chart> {
        self.chart(what, title, note, axes, Form::Lines { series: some(lines) })
    }

    /// Returns lines by round, with the measurement window shaded.
    fn by_round(
        &self,
        what: &str,
        title: String,
        y: Axis,
        lines: Vec<Line>,
        steady: &PtsSteady,
    ) -> Option<Chart> {
        let lang = self.lang;
        let note = match steady.met_at {
            Some(round) => say!(lang, "pts-note-steady", round = round.to_string()),
            None => say!(lang, "pts-note-not-steady"),
        };
        let x = Axis::linear(say!(lang, "pts-axis-round"), Quantity::Count);
        let spans = steady.window.map(|[first, last]| Span {
            from: f64::from(first),
            to: f64::from(last),
            label: say!(lang, "pts-span-window"),
        });
        let chart = self.lines(what, title, note, (x, y), lines)?;
        Some(Chart { spans: spans.into_iter().collect(), ..chart })
    }

    /// Returns the chart of the measurement window of each tracked variable.
    fn windows(&self, what: &str, steady: &PtsSteady) -> Vec<Chart> {
        let several = steady.variables.len() > 1;
        let one = |variable| {
            let of = names::load(self.lang, &PtsVariable::clone(variable).load);
            let what = if several { format!("{what}-{of}") } else { what.to_owned() };
            self.window(&what, variable)
        };
        steady.variables.iter().filter_map(one).collect()
    }

    /// Returns the measurement window: its rounds, their mean, the lines at 90 and 110 % of it, and the fitted line.
    fn window(&self, what: &str, variable: &PtsVariable) -> Option<Chart> {
        let (lang, window) = (self.lang, variable.window?);
        let ends = [window.first, window.last()].map(f64::from);
        let level = |name: String, share: f64| Line {
            name,
            look: Look::Dashed,
            points: ends.iter().map(|round| Dot::new(*round, share * window.average)).collect(),
        };
        let measured = (window.first..).zip(window.values);
        let fit = [window.first, window.last()].map(|n| Dot::new(f64::from(n), window.fitted(n)));
        let lines = vec![
            Line {
                name: say!(lang, "chart-measured"),
                look: Look::Marked,
                points: measured.map(|(round, value)| Dot::new(f64::from(round), value)).collect(),
            },
            level(say!(lang, "pts-average"), 1.0),
            level("110 %".into(), 1.1),
            level("90 %".into(), 0.9),
            Line { name: say!(lang, "pts-fitted-line"), look: Look::Plain, points: fit.to_vec() },
        ];
        let load = names::load(lang, &variable.load);
        let y = Axis { fitted: true, ..quantity_axis(variable.quantity, lang) };
        let note = say!(
            lang,
            "pts-note-window",
            average = y.quantity.words(window.average),
            half = format!("{:.1}", window.half_width_percent)
        );
        let x = Axis::linear(say!(lang, "pts-axis-round"), Quantity::Count);
        let title = say!(lang, "pts-window", load, what = y.label.clone());
        self.lines(&format!("window-{what}"), title, note, (x, y), lines)
    }

    /// Returns the histogram of the latencies of a sample, with the percentiles and the maximum marked.
    fn histogram(&self, what: &str, title: String, sample: &PtsSample) -> Option<Chart> {
        let lang = self.lang;
        let ranges = sample.latencies.ranges(8);
        let mut points: Vec<Dot> = Vec::new();
        for (low, high, n) in &ranges {
            points.push(Dot { y: (*n > 0).then_some(*n as f64), ..Dot::new(*low as f64, 0.0) });
            points.push(Dot { y: (*n > 0).then_some(*n as f64), ..Dot::new(*high as f64, 0.0) });
        }
        let line = Line { name: say!(lang, "pts-ios"), look: Look::Plain, points };
        let note = say!(
            lang,
            "pts-note-histogram",
            load = names::load_with_demand(lang, &sample.load),
            mean = Quantity::Nanos.words(sample.mean_ns),
            largest = Quantity::Nanos.words(sample.max_ns as f64)
        );
        let x = Axis::log(say!(lang, "pts-axis-response-time"), Quantity::Nanos);
        let y = Axis::log(say!(lang, "pts-axis-ios"), Quantity::Ios);
        let known = MARKED.into_iter().filter_map(|p| Some((p, sample.percentile(p)?)));
        let mut marks: Vec<Mark> =
            known.map(|(p, ns)| Mark { upwards: true, at: ns as f64, label: format!("{p} %") }).collect();
        marks.push(Mark { upwards: true, at: sample.max_ns as f64, label: "MRT".into() });
        let chart = self.lines(&format!("histogram-{what}"), title, note, (x, y), vec![line])?;
        Some(Chart { marks, ..chart })
    }

    /// Returns response time by percentile of several histograms.
    fn percentiles(&self, histograms: &[(String, &PtsSample)]) -> Option<Chart> {
        let lang = self.lang;
        let line = |(name, sample): &(String, &PtsSample)| Line {
            name: name.clone(),
            look: Look::Marked,
            points: PERCENTS
                .iter()
                .filter_map(|p| Some(Dot::new(-(1.0 - p / 100.0).log10(), sample.percentile(*p)? as f64)))
                .collect(),
        };
        let x = Axis::linear(say!(lang, "chart-axis-percentile"), Quantity::Nines);
        let y = Axis::log(say!(lang, "pts-axis-response-time"), Quantity::Nanos);
        let (title, note) = (say!(lang, "pts-percentiles"), say!(lang, "chart-note-nines"));
        self.lines("percentiles", title, note, (x, y), histograms.iter().map(line).collect())
    }

    /// Returns a heat map of cells, each with its column, row and value.
    fn heat(
        &self,
        what: &str,
        title: String,
        axes: (Axis, Axis),
        value: Axis,
        cells: Vec<(usize, usize, f64)>,
    ) -> Option<Chart> {
        let note = say!(self.lang, "pts-note-mean-of-window");
        self.chart(what, title, note, axes, Form::Heat { value, cells })
    }
}

/// Returns a line with marks.
fn marked(name: String, points: Vec<Dot>) -> Line {
    Line { name, look: Look::Marked, points }
}

/// Returns the line of a quantity of consecutive minutes, numbered from 1.
fn by_minute(name: String, minutes: &[PtsSample], of: impl Fn(&PtsSample) -> f64) -> Line {
    let points = (1..).zip(minutes).map(|(n, minute)| Dot::new(f64::from(n), of(minute)).short());
    Line { name, look: Look::Plain, points: points.collect() }
}

fn minutes_axis(lang: Lang) -> Axis {
    Axis::linear(say!(lang, "pts-axis-minute"), Quantity::Count)
}

fn iops_axis(lang: Lang) -> Axis {
    Axis::linear(per_second(lang), Quantity::Iops)
}

fn mean_axis(lang: Lang) -> Axis {
    Axis::linear(say!(lang, "pts-axis-art"), Quantity::Nanos)
}

fn rate_axis(lang: Lang) -> Axis {
    Axis::linear(say!(lang, "pts-axis-throughput"), Quantity::Rate)
}

fn quantity_axis(quantity: PtsQuantity, lang: Lang) -> Axis {
    match quantity {
        PtsQuantity::Iops => iops_axis(lang),
        PtsQuantity::BytesPerSecond => rate_axis(lang),
        PtsQuantity::MeanLatency => mean_axis(lang),
    }
}
