//! Charts of one or several measured loads: bars side by side, latency distributions, rates over time, bytes by layer.

use super::files::common;
use super::study::{mean_mark, seconds, some};
use super::{
    Axis, Chart, Dot, Form, Line, Look, Mark, Quantity, bytes_per_second, distinct, id, of_the_ios,
    per_second,
};
use crate::Lang;
use crate::catalog::say;
use crate::terms::row_kind;
use stats::{
    Claim, Direction, Finding, Flow, LatencyKind, Layers, Measured, RowKind, Series, Spread, Window,
};
use std::borrow::Cow;
use std::path::Path;

/// One direction of a load, with its label.
struct Seen<'a> {
    load: &'a Measured,
    flow: Cow<'a, Flow>,
    label: String,
}

/// Returns the charts of the loads: bars, latency distributions, rates over time and bytes by layer.
pub fn charts(loads: &[Measured], lang: Lang) -> Vec<Chart> {
    let sources = loads.iter().map(|l| &l.source).collect::<std::collections::BTreeSet<_>>().len();
    // A prefix that all names share is left out.
    let place = common(loads.iter().map(|l| l.source.as_str()));
    let name = |load: &Measured| {
        Path::new(&load.source)
            .strip_prefix(&place)
            .map_or_else(|_| load.source.clone(), |own| own.display().to_string())
    };
    let mut seen: Vec<Seen<'_>> = loads
        .iter()
        .flat_map(|load| load.rows().into_iter().map(move |row| (load, row)))
        .map(|(load, (kind, flow))| {
            let source = if sources > 1 { format!("{}: ", name(load)) } else { String::new() };
            let of = match kind {
                RowKind::Ios(_) if load.flows.len() < 2 => String::new(),
                RowKind::Ios(direction) => format!(" {}", direction.name()),
                RowKind::Commits | RowKind::Syncs => format!(" {}", row_kind(lang, kind)),
            };
            Seen { load, flow, label: format!("{source}{}{of}", load.name) }
        })
        .collect();
    // Loads with the same name are distinguished by their depth.
    let names: Vec<String> = seen.iter().map(|s| s.label.clone()).collect();
    for s in &mut seen {
        if names.iter().filter(|name| **name == s.label).count() > 1 && s.load.depth > 0 {
            s.label = format!("{}, iodepth {}", s.label, s.load.depth);
        }
    }
    let mut all = bars(&seen, lang);
    for (kind, own) in alike(&seen) {
        all.extend([cumulative(kind, &own, lang), ladder(kind, &own, lang)].into_iter().flatten());
    }
    all.extend(seen.iter().filter_map(|s| histogram(s, lang)));
    all.extend(loads.iter().flat_map(|load| {
        let label = if sources > 1 { format!("{}: {}", name(load), load.name) } else { load.name.clone() };
        over_time(load, &label, lang)
    }));
    distinct(all)
}

/// Returns the rate of each window by seconds since the start; the line is interrupted where a window is missing.
pub(super) fn windows(series: &Series, rate: impl Fn(&Window) -> f64) -> Vec<Dot> {
    let mut now = 0.0;
    let mut dots: Vec<Dot> = Vec::with_capacity(series.windows.len() + 1);
    for window in &series.windows {
        dots.push(Dot::new(now, rate(window)).short());
        now += window.nanos as f64 / 1e9;
    }
    if let Some(last) = dots.last().copied() {
        dots.push(Dot { x: now, ..last }.short());
    }
    dots
}

fn figures(lang: Lang) -> String {
    say!(lang, "chart-section-figures")
}

/// Returns the name of a kind of latency, with fio's abbreviation.
pub(super) fn latency_name(kind: LatencyKind, lang: Lang) -> String {
    match kind {
        LatencyKind::Lat => say!(lang, "chart-total-latency"),
        LatencyKind::Clat => say!(lang, "chart-completion-latency"),
    }
}

fn latency_axis_of(kind: LatencyKind, lang: Lang) -> Axis {
    Axis::log(latency_name(kind, lang), Quantity::Nanos)
}

/// Returns the suffix of a chart's id: charts of total latency have none.
fn id_end(kind: LatencyKind) -> &'static str {
    match kind {
        LatencyKind::Lat => "",
        LatencyKind::Clat => "clat",
    }
}

/// Groups the loads by kinds of latency that may be compared in one chart; each load keeps its index.
fn alike<'a, 'b>(seen: &'b [Seen<'a>]) -> Vec<(LatencyKind, Vec<(usize, &'b Seen<'a>)>)> {
    let flows: Vec<&Flow> = seen.iter().map(|s| s.flow.as_ref()).collect();
    let groups = LatencyKind::groups(&flows, true);
    groups
        .into_iter()
        .map(|(kind, own)| (kind, own.into_iter().map(|at| (at, &seen[at])).collect()))
        .collect()
}

pub(super) fn latencies(lang: Lang) -> String {
    say!(lang, "chart-section-latency")
}

/// Returns bar charts of the loads side by side.
fn bars(seen: &[Seen<'_>], lang: Lang) -> Vec<Chart> {
    if seen.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = seen.iter().map(|s| s.label.clone()).collect();
    let one = |name: String, of: &dyn Fn(&Flow) -> Option<Dot>| Line {
        name,
        look: Look::Points,
        points: seen
            .iter()
            .enumerate()
            .filter_map(|(at, s)| Some(Dot { x: at as f64, ..of(&s.flow)? }))
            .collect(),
    };
    let chart = |what: &[&str], title: String, y: Axis, series: Vec<Line>| Chart {
        id: id(&[&["bars"], what].concat()),
        section: figures(lang),
        title,
        note: say!(lang, "chart-note-interval"),
        x: Axis::names(say!(lang, "chart-axis-load"), names.clone()),
        y,
        form: Form::Bars { series: some(series) },
        ..Chart::default()
    };
    let mut all = vec![
        chart(
            &["iops"],
            per_second(lang),
            Axis::linear(per_second(lang), Quantity::Iops),
            vec![one("IOPS".into(), &|f| Some(Dot::of(0.0, &f.iops)))],
        ),
        chart(
            &["rate"],
            bytes_per_second(lang),
            Axis::linear(bytes_per_second(lang), Quantity::Rate),
            vec![one("MB/s".into(), &|f| (f.bytes > 0).then(|| Dot::new(0.0, f.bytes_per_second)))],
        ),
    ];
    for (kind, own) in alike(seen) {
        let categories = own.iter().map(|(_, s)| s.label.clone()).collect();
        let one = |name: String, of: &dyn Fn(&Spread) -> Option<Dot>| Line {
            name,
            look: Look::Points,
            points: own
                .iter()
                .enumerate()
                .filter_map(|(at, (_, s))| Some(Dot { x: at as f64, ..of(s.flow.latency_of(kind)?)? }))
                .collect(),
        };
        let quantile = |percent: f64| {
            move |spread: &Spread| {
                let q = spread.quantiles.iter().find(|q| (q.percent - percent).abs() < 1e-9)?;
                Some(Dot { between: q.between, ..Dot::new(0.0, q.ns) })
            }
        };
        let lines = vec![
            one(say!(lang, "chart-mean"), &|l| Some(Dot::new(0.0, l.mean_ns))),
            one("p50".into(), &quantile(50.0)),
            one("p99".into(), &quantile(99.0)),
            one("p99.9".into(), &quantile(99.9)),
            one(say!(lang, "chart-maximum-value"), &|l| {
                Some(l.max_ns).filter(|ns| *ns > 0.0).map(|ns| Dot::new(0.0, ns))
            }),
        ];
        let name = latency_name(kind, lang);
        let drawn = chart(&["latency", id_end(kind)], name, latency_axis_of(kind, lang), lines);
        all.push(Chart { x: Axis::names(drawn.x.label.clone(), categories), ..drawn });
    }
    let cpu: Vec<Line> = [say!(lang, "chart-cpu-user"), say!(lang, "chart-cpu-system")]
        .into_iter()
        .enumerate()
        .map(|(which, name)| Line {
            name,
            look: Look::Points,
            points: seen
                .iter()
                .enumerate()
                .filter_map(|(at, s)| Some(Dot::new(at as f64, s.load.cpu_percent?[which])))
                .collect(),
        })
        .collect();
    if cpu.iter().any(|line| !line.points.is_empty()) {
        let title = say!(lang, "chart-cpu-time");
        let axis = say!(lang, "chart-axis-cpu");
        all.push(chart(&["cpu"], title, Axis::linear(axis, Quantity::Percent), cpu));
    }
    all.into_iter().filter(|c| !c.form.series().is_empty()).collect()
}

/// Returns the cumulative distribution of latency.
fn cumulative(kind: LatencyKind, own: &[(usize, &Seen<'_>)], lang: Lang) -> Option<Chart> {
    let line = |(_, s): &(usize, &Seen<'_>)| {
        let histogram = s.flow.latency_of(kind)?.histogram.as_ref()?;
        let points = thinned(histogram.cumulative());
        Some(Line {
            name: s.label.clone(),
            look: Look::Step,
            points: points.iter().map(|(ns, percent)| Dot::new(*ns as f64, *percent)).collect(),
        })
    };
    let series = some(own.iter().filter_map(line).collect());
    (!series.is_empty()).then(|| Chart {
        id: id(&["latency-cdf", id_end(kind)]),
        section: latencies(lang),
        title: say!(lang, "chart-cumulative"),
        note: say!(lang, "chart-note-cumulative"),
        x: latency_axis_of(kind, lang),
        y: Axis::linear(of_the_ios(lang), Quantity::Percent),
        form: Form::Lines { series },
        ..Chart::default()
    })
}

/// Returns the distribution with at most about two hundred steps: the smallest steps are left out, the last is kept.
fn thinned(points: Vec<(u64, f64)>) -> Vec<(u64, f64)> {
    const STEPS: f64 = 200.0;
    let mut kept: Vec<(u64, f64)> = Vec::new();
    for (at, (ns, percent)) in points.iter().enumerate() {
        // The tail matters most: steps are finer the closer the share is to 100 %.
        let fine = (100.0 / STEPS).min((100.0 - percent) / 4.0);
        let far = kept.last().is_none_or(|(_, last)| percent - last >= fine);
        if far || at + 1 == points.len() {
            kept.push((*ns, *percent));
        }
    }
    kept
}

/// Returns latency by percentile on a logarithmic percentile axis.
fn ladder(kind: LatencyKind, own: &[(usize, &Seen<'_>)], lang: Lang) -> Option<Chart> {
    let line = |(_, s): &(usize, &Seen<'_>)| {
        let spread = s.flow.latency_of(kind)?;
        let dot = |q: &stats::Quantile| {
            let nines = -(1.0 - q.percent / 100.0).log10();
            Dot { between: q.between, ..Dot::new(nines, q.ns) }
        };
        let known = spread.quantiles.iter().filter(|q| q.percent >= 0.0 && q.percent < 100.0);
        Some(Line { name: s.label.clone(), look: Look::Marked, points: known.map(dot).collect() })
    };
    let series = some(own.iter().filter_map(line).collect());
    let name = latency_name(kind, lang);
    (!series.is_empty()).then(|| Chart {
        id: id(&["percentiles", id_end(kind)]),
        section: latencies(lang),
        title: say!(lang, "chart-by-percentile", name),
        note: say!(lang, "chart-note-nines"),
        x: Axis::linear(say!(lang, "chart-axis-percentile"), Quantity::Nines),
        y: latency_axis_of(kind, lang),
        form: Form::Lines { series },
        ..Chart::default()
    })
}

/// Returns a chart of the latency histogram of a load; `None` without a latency.
fn histogram(seen: &Seen<'_>, lang: Lang) -> Option<Chart> {
    let kind = seen.flow.latency_kind()?;
    let spread = seen.flow.latency_of(kind)?;
    let histogram = spread.histogram.as_ref()?;
    let all = histogram.count().max(1) as f64;
    let ranges = histogram.ranges(4);
    let bars = ranges
        .iter()
        .map(|(low, _, n)| (Quantity::Nanos.words(*low as f64), 100.0 * *n as f64 / all))
        .unzip();
    how_long("histogram", &seen.label, median(spread, lang), Some(kind), bars, lang)
}

/// Returns bars of the share of I/Os in each latency range, labelled with the kind of latency if the source names it;
/// `None` without I/Os.
pub(super) fn how_long(
    kind: &str,
    label: &str,
    note: String,
    of: Option<LatencyKind>,
    (names, shares): (Vec<String>, Vec<f64>),
    lang: Lang,
) -> Option<Chart> {
    let any = || say!(lang, "chart-latency");
    let latency = of.map_or_else(any, |kind| latency_name(kind, lang));
    (!names.is_empty()).then(|| Chart {
        id: id(&[kind, label]),
        section: latencies(lang),
        title: say!(lang, "chart-latency-histogram", label),
        note,
        x: Axis::names(say!(lang, "chart-axis-latency-from", latency), names),
        y: Axis::linear(of_the_ios(lang), Quantity::Percent),
        form: Form::Bars {
            series: vec![Line {
                name: label.to_string(),
                look: Look::Points,
                points: shares.iter().enumerate().map(|(at, share)| Dot::new(at as f64, *share)).collect(),
            }],
        },
        choice: Some(label.to_string()),
        ..Chart::default()
    })
}

/// Returns fio's latency ranges from the first to the last that holds I/Os.
pub(super) fn coarse(ranges: &stats::LatencyRanges) -> (Vec<String>, Vec<f64>) {
    let labels = stats::RANGE_LABELS;
    // fio labels a range by its upper end; its lower end is the label before.
    let begin = |at: usize| if at == 0 { 0 } else { labels[at - 1] };
    let of = |unit: f64, shares: &[f64]| -> Vec<(String, f64)> {
        let start = |at: usize| match at {
            10 => 1000.0,
            11 => 2000.0,
            at => begin(at) as f64,
        };
        shares
            .iter()
            .enumerate()
            .map(|(at, share)| (Quantity::Nanos.words(start(at) * unit), *share))
            .collect()
    };
    let mut all = of(1.0, &ranges.ns);
    all.extend(of(1e3, &ranges.us));
    all.extend(of(1e6, &ranges.ms));
    let some = |(_, share): &(String, f64)| *share > 0.0;
    match (all.iter().position(some), all.iter().rposition(some)) {
        (Some(first), Some(last)) => all[first..=last].iter().cloned().unzip(),
        _ => (Vec::new(), Vec::new()),
    }
}

fn median(spread: &Spread, lang: Lang) -> String {
    let (mean, largest) = (Quantity::Nanos.words(spread.mean_ns), Quantity::Nanos.words(spread.max_ns));
    say!(lang, "chart-note-mean-and-maximum", mean, largest)
}

/// Returns IOPS and bandwidth over time, one line for each direction.
fn over_time(load: &Measured, label: &str, lang: Lang) -> Vec<Chart> {
    let Some(series) = load.series.as_ref().filter(|s| s.windows.len() > 1) else { return Vec::new() };
    let directions: Vec<Direction> = Direction::ALL
        .into_iter()
        .filter(|d| series.windows.iter().any(|w| w.ios[*d as usize] > 0))
        .collect();
    let rate = |count: u64, w: &Window| count as f64 * 1e9 / w.nanos.max(1) as f64;
    let lines = |of: &dyn Fn(&Window, usize) -> u64| -> Vec<Line> {
        directions
            .iter()
            .map(|d| Line {
                name: d.name().into(),
                look: Look::Step,
                points: windows(series, |w| rate(of(w, *d as usize), w)),
            })
            .collect()
    };
    let chart = |what: &str, title: String, y: Axis, series: Vec<Line>, marks: Vec<Mark>| Chart {
        id: id(&["time", what, label]),
        section: say!(lang, "chart-section-time"),
        title,
        note: say!(lang, "chart-note-windows"),
        x: seconds(lang),
        y,
        form: Form::Lines { series },
        marks,
        ..Chart::default()
    };
    let events: Vec<Mark> = load.findings.iter().filter_map(event).collect();
    let iops: f64 = load.flows.iter().map(|f| f.iops.value).sum();
    let with_mean = || events.iter().cloned().chain(std::iter::once(mean_mark(iops, lang))).collect();
    vec![
        chart(
            "iops",
            say!(lang, "chart-iops-over-time", label),
            Axis::linear(per_second(lang), Quantity::Iops),
            lines(&|w, d| w.ios[d]),
            with_mean(),
        ),
        chart(
            "rate",
            say!(lang, "chart-bandwidth-over-time", label),
            Axis::linear(bytes_per_second(lang), Quantity::Rate),
            lines(&|w, d| w.bytes[d]),
            events.clone(),
        ),
    ]
}

/// Returns a mark at the time of the event that a finding describes; `None` for a finding without a time.
fn event(finding: &Finding) -> Option<Mark> {
    let at = match &finding.claim {
        Claim::StepDown { at_s, .. } | Claim::RateDropped { at_s, .. } => *at_s,
        _ => return None,
    };
    Some(Mark { upwards: true, at, label: finding.claim.rule().to_string() })
}

/// Returns the bytes transferred by each layer.
pub fn layers(layers: &Layers, lang: Lang) -> Option<Chart> {
    let mut names = vec![say!(lang, "chart-layer-jobs"), say!(lang, "chart-layer-process")];
    let devices: Vec<_> = layers.devices.iter().collect();
    names.extend(devices.iter().map(|d| d.name.clone()));
    let of = |write: bool| {
        let (bytes, side) = (layers.bytes(write), usize::from(write));
        let own = [Some(bytes.app), bytes.process];
        let theirs = devices.iter().map(|d| Some(d.sectors[side].saturating_mul(512)));
        own.into_iter()
            .chain(theirs)
            .enumerate()
            .filter_map(|(at, n)| Some(Dot::new(at as f64, n? as f64)))
            .collect::<Vec<_>>()
    };
    let line = |name: String, points: Vec<Dot>| Line { name, look: Look::Points, points };
    let series: Vec<Line> =
        [line(Direction::Read.name().into(), of(false)), line(Direction::Write.name().into(), of(true))]
            .into_iter()
            .filter(|l| l.points.iter().any(|dot| dot.y.is_some_and(|y| y > 0.0)))
            .collect();
    (!series.is_empty()).then(|| Chart {
        id: "layers".into(),
        section: say!(lang, "chart-section-layers"),
        title: say!(lang, "chart-bytes-by-layer"),
        note: say!(lang, "chart-note-layers"),
        x: Axis::names(say!(lang, "chart-axis-layer"), names),
        y: Axis::linear(say!(lang, "chart-axis-bytes"), Quantity::Bytes),
        form: Form::Bars { series },
        ..Chart::default()
    })
}
