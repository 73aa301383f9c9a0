//! Charts of the tests that follow a device over time: write saturation, host idle recovery, cross stimulus recovery.

use super::super::study::seconds;
use super::super::{Axis, Chart, Dot, Form, Line, Look, Mark, Quantity, Span};
use super::{Drawing, by_minute, iops_axis, mean_axis, minutes_axis, rate_axis};
use crate::catalog::say;
use crate::pts_names as names;
use stats::pts::{
    PtsCrossStimulus, PtsIdleRecovery, PtsPreconditioning, PtsSample, PtsSaturation, PtsWaitState,
    SATURATION_ROUND,
};

/// Minutes before and after a change of the stimulus that its charts show.
const AROUND: usize = 60;

impl Drawing<'_> {
    pub(super) fn saturation(&self, saturation: &PtsSaturation) -> Vec<Chart> {
        let lang = self.lang;
        let minutes = &saturation.minutes;
        let note = || match saturation.ended {
            Some(end) => names::saturation_end(lang, end, self.run.scale()),
            None => say!(lang, "pts-unfinished"),
        };
        let window = saturation.steady.window.map(|[first, last]| Span {
            from: f64::from(first * SATURATION_ROUND),
            to: f64::from(last * SATURATION_ROUND),
            label: say!(lang, "pts-span-window"),
        });
        let over = |what: &str, title: String, y: Axis, lines: Vec<Line>| {
            let chart = self.lines(what, title, note(), (minutes_axis(lang), y), lines)?;
            Some(Chart { spans: window.iter().cloned().collect(), ..chart })
        };
        let against = |what: &str, title: String, x: Axis, at: &dyn Fn(usize) -> Option<f64>| {
            let points = minutes.iter().enumerate();
            let points = points.filter_map(|(n, minute)| Some(Dot::new(at(n)?, minute.iops).short()));
            let line = Line { name: "IOPS".into(), look: Look::Plain, points: points.collect() };
            self.lines(what, title, note(), (x, iops_axis(lang)), vec![line])
        };
        let longest = by_minute(say!(lang, "pts-axis-mrt"), minutes, |minute| minute.max_ns as f64);
        let mean = by_minute(say!(lang, "pts-axis-art"), minutes, |minute| minute.mean_ns);
        let written = Axis::linear(say!(lang, "pts-axis-written"), Quantity::Bytes);
        let fills = Axis::linear(say!(lang, "pts-axis-drive-fills"), Quantity::Ratio);
        let mut all = vec![
            over(
                "iops",
                say!(lang, "pts-wsat-iops"),
                iops_axis(lang),
                vec![by_minute("IOPS".into(), minutes, |minute| minute.iops)],
            ),
            against("written", say!(lang, "pts-wsat-by-written"), written, &|n| {
                saturation.written.get(n).map(|bytes| *bytes as f64)
            }),
            against("fills", say!(lang, "pts-wsat-by-fills"), fills, &|n| {
                saturation.drive_fills.get(n).copied()
            }),
            over(
                "latency",
                say!(lang, "pts-wsat-latency"),
                Axis::log(say!(lang, "pts-axis-response-time"), Quantity::Nanos),
                vec![mean, longest],
            ),
        ];
        all.extend(self.windows("iops", &saturation.steady).into_iter().map(Some));
        if let Some(sample) = &saturation.histogram {
            let name = names::load_with_demand(lang, &sample.load);
            all.push(self.histogram("writes", say!(lang, "pts-histogram", name = name.clone()), sample));
            all.push(self.percentiles(&[(name, sample)]));
        }
        all.into_iter().flatten().collect()
    }

    /// Returns the preconditioning by minute, and its measurement window.
    pub(super) fn preconditioning(&self, preconditioning: &PtsPreconditioning) -> Vec<Chart> {
        let lang = self.lang;
        let line = by_minute("IOPS".into(), &preconditioning.minutes, |minute| minute.iops);
        let title = say!(lang, "pts-preconditioning");
        let note = match preconditioning.steady.met_at {
            Some(round) => say!(lang, "pts-note-steady", round = round.to_string()),
            None => say!(lang, "pts-note-not-steady"),
        };
        let first =
            self.lines("preconditioning", title, note, (minutes_axis(lang), iops_axis(lang)), vec![line]);
        let windows = self.windows("preconditioning", &preconditioning.steady);
        first.into_iter().chain(windows).collect()
    }

    pub(super) fn idle_recovery(&self, recovery: &PtsIdleRecovery) -> Vec<Chart> {
        let lang = self.lang;
        let wait = |state: &PtsWaitState| say!(lang, "pts-wait", seconds = state.wait_s.to_string());
        let baseline = recovery.baseline_iops.map(|at| Mark {
            upwards: false,
            at,
            label: say!(lang, "pts-baseline", iops = Quantity::Iops.words(at)),
        });
        let with_baseline = |chart: Chart| Chart { marks: baseline.iter().cloned().collect(), ..chart };
        let began = recovery.states.first().and_then(|s| s.bursts.first()).map_or(0, |b| b.began_ms);
        let since = |from: u64, sample: &PtsSample| sample.began_ms.saturating_sub(from) as f64 / 1e3;
        let dots = |samples: &[PtsSample], from: u64| -> Vec<Dot> {
            samples.iter().map(|s| Dot::new(since(from, s), s.iops).short()).collect()
        };
        let line = |name: String, points| Line { name, look: Look::Plain, points };
        // The writes between the wait states interrupt the line of the bursts.
        let mut bursts: Vec<Dot> = Vec::new();
        let mut back: Vec<Dot> = Vec::new();
        let mut spans = Vec::new();
        for state in &recovery.states {
            for (all, samples) in [(&mut bursts, &state.bursts), (&mut back, &state.return_minutes)] {
                all.extend(dots(samples, began));
                all.extend(samples.last().map(|s| Dot { x: since(began, s), y: None, between: None }));
            }
            if let (Some(first), Some(last)) = (state.bursts.first(), state.bursts.last()) {
                let (from, to) = (since(began, first), since(began, last) + last.seconds);
                spans.push(Span { from, to, label: format!("{} s", state.wait_s) });
            }
        }
        let course = self.lines(
            "course",
            say!(lang, "pts-hir-course"),
            say!(lang, "pts-note-hir-course"),
            (seconds(lang), iops_axis(lang)),
            vec![line(say!(lang, "pts-hir-bursts"), bursts), line(say!(lang, "pts-hir-return"), back)],
        );
        let by_wait = |state: &PtsWaitState| {
            let from = state.bursts.first().map_or(0, |burst| burst.began_ms);
            let both = [&state.bursts[..], &state.return_minutes[..]].concat();
            line(wait(state), dots(&both, from))
        };
        let beside = self.lines(
            "by-wait",
            say!(lang, "pts-hir-by-wait"),
            say!(lang, "pts-note-hir-by-wait"),
            (seconds(lang), iops_axis(lang)),
            recovery.states.iter().map(by_wait).collect(),
        );
        let means = recovery.states.iter().enumerate();
        let means = means.map(|(at, state)| Dot::new(at as f64, state.mean_iops)).collect();
        let waits = recovery.states.iter().map(|state| format!("{} s", state.wait_s)).collect();
        let bars = self.chart(
            "means",
            say!(lang, "pts-hir-means"),
            say!(lang, "pts-note-hir-means"),
            (Axis::names(say!(lang, "pts-axis-wait"), waits), iops_axis(lang)),
            Form::Bars {
                series: super::some(vec![Line { name: "IOPS".into(), look: Look::Points, points: means }]),
            },
        );
        let mut all = self.preconditioning(&recovery.preconditioning);
        all.extend(course.map(|chart| Chart { spans, ..with_baseline(chart) }));
        all.extend([beside, bars].into_iter().flatten().map(with_baseline));
        all
    }

    pub(super) fn cross_stimulus(&self, recovery: &PtsCrossStimulus) -> Vec<Chart> {
        let lang = self.lang;
        let groups = [&recovery.first, &recovery.between, &recovery.second];
        let minutes: Vec<PtsSample> = groups.iter().flat_map(|group| group.iter().cloned()).collect();
        let mut start = 1.0;
        let mut spans = Vec::new();
        for group in groups.iter().filter(|group| !group.is_empty()) {
            let end = start + group.len() as f64 - 1.0;
            let label = group.first().map_or(String::new(), |s| names::load(lang, &s.load));
            spans.push(Span { from: start, to: end, label });
            start = end + 1.0;
        }
        let change = |span: &Span| Mark { upwards: true, at: span.from, label: span.label.clone() };
        let changes: Vec<Mark> = spans.iter().skip(1).map(change).collect();
        let over = |what: &str, title: String, y: Axis, of: fn(&PtsSample) -> f64| {
            let line = by_minute(y.label.clone(), &minutes, of);
            let note = say!(lang, "pts-note-xsr");
            let chart = self.lines(what, title, note, (minutes_axis(lang), y), vec![line])?;
            Some(Chart { marks: changes.clone(), ..chart })
        };
        let longest = Axis::log(say!(lang, "pts-axis-mrt"), Quantity::Nanos);
        let mean = Axis { log: true, ..mean_axis(lang) };
        let mut all = vec![
            over("throughput", say!(lang, "pts-xsr-throughput"), rate_axis(lang), |s| s.bytes_per_second),
            over("mean", say!(lang, "pts-xsr-mean"), mean.clone(), |s| s.mean_ns),
            over("max", say!(lang, "pts-xsr-max"), longest, |s| s.max_ns as f64),
        ];
        let first = recovery.first.len();
        for (n, at) in [(1, first), (2, first + recovery.between.len())] {
            let range = at.saturating_sub(AROUND)..(at + AROUND).min(minutes.len());
            if at == 0 || at >= minutes.len() {
                continue;
            }
            let line = |name: String, of: fn(&PtsSample) -> f64| Line {
                name,
                look: Look::Plain,
                points: range.clone().map(|n| Dot::new((n + 1) as f64, of(&minutes[n])).short()).collect(),
            };
            let lines = vec![
                line(say!(lang, "pts-axis-art"), |s| s.mean_ns),
                line(say!(lang, "pts-axis-mrt"), |s| s.max_ns as f64),
            ];
            let y = Axis::log(say!(lang, "pts-axis-response-time"), Quantity::Nanos);
            let title = say!(lang, "pts-xsr-transition", n = n.to_string());
            let note = say!(lang, "pts-note-xsr");
            let chart = self.lines(&format!("transition-{n}"), title, note, (minutes_axis(lang), y), lines);
            let mark = changes.get(n - 1).cloned();
            all.push(chart.map(|chart| Chart { marks: mark.into_iter().collect(), ..chart }));
        }
        all.into_iter().flatten().collect()
    }
}
