//! The charts that fio-plot and fio2gnuplot draw from fio's files, also for fathom's results: bars by iodepth and by
//! numjobs, heat maps of both, logs over time, each alone and compared, raw, smoothed and as a trend.

use super::load::{coarse, how_long, latency_name};
use super::study::{latency_axis, mean_mark, seconds, some};
use super::{Axis, Chart, Dot, Form, Line, Look, Quantity, bytes_per_second, distinct, id, per_second};
use crate::Lang;
use crate::catalog::say;
use stats::{Direction, Flow, HistogramLog, LatencyKind, LogKind, LogSeries, Measured, log_series};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Window of the moving average, as a share of the whole time.
const WINDOW: f64 = 0.05;
/// Percentiles drawn for histogram logs.
const PERCENTS: [f64; 4] = [50.0, 95.0, 99.0, 99.9];
/// Number of columns of a heat map over time.
const COLUMNS: f64 = 60.0;

/// Returns charts by iodepth and numjobs of loads that differ in these options, and fio's latency ranges of loads
/// without a histogram.
pub fn grids(loads: &[Measured], lang: Lang) -> Vec<Chart> {
    // A grid holds loads of one pattern, direction, target and host under equal conditions: they differ in iodepth and
    // numjobs only.
    let mut grids: BTreeMap<(String, String), Vec<(&Measured, &Flow)>> = BTreeMap::new();
    for load in loads.iter().filter(|l| l.depth > 0 && l.jobs > 0) {
        for flow in &load.flows {
            grids.entry((pattern(load, flow.direction), conditions(load))).or_default().push((load, flow));
        }
    }
    let drawn = |section: &String| grids.keys().filter(|(other, _)| other == section).count();
    let mut all: Vec<Chart> = grids
        .iter()
        .flat_map(|((pattern, conditions), cells)| {
            let section =
                if drawn(pattern) > 1 { format!("{pattern}, {conditions}") } else { pattern.clone() };
            grid(&section, cells, lang)
        })
        .collect();
    all.extend(loads.iter().filter_map(|load| ranges(load, lang)));
    distinct(all)
}

/// Returns charts of logs over time, one for each direction, with the jobs of a run combined.
pub fn over_time(tracks: &[LogSeries], histograms: &[HistogramLog], lang: Lang) -> Vec<Chart> {
    let rates: Vec<&LogSeries> = tracks.iter().filter(|t| t.kind == LogKind::Iops).collect();
    let mut kinds: BTreeMap<LogKind, Vec<Joined>> = BTreeMap::new();
    let place = common(tracks.iter().map(|t| t.run.as_str()));
    for logs in log_series::by_run(tracks) {
        let own: Vec<&LogSeries> = rates.iter().filter(|r| r.run == logs[0].run).copied().collect();
        if let Some(whole) = log_series::drawn(&logs, &own) {
            let label = label(logs[0], &place);
            kinds.entry(whole.kind).or_default().push(Joined { label, whole });
        }
    }
    let mut all: Vec<Chart> = kinds.iter().flat_map(|(kind, joined)| of_kind(*kind, joined, lang)).collect();
    all.extend(
        kinds
            .keys()
            .filter_map(|kind| {
                let own: Vec<&LogSeries> = tracks.iter().filter(|t| t.kind == *kind).collect();
                (own.len() > 1).then(|| [per_file(*kind, &own, lang), by_file(*kind, &own, lang)])
            })
            .flatten(),
    );
    all.extend(percentiles(histograms, lang));
    distinct(all)
}

/// Combined logs of the jobs of a run, of one kind and direction.
struct Joined {
    label: String,
    whole: LogSeries,
}

/// Returns the label of a run: its path without the directories that all runs share, and the direction.
fn label(track: &LogSeries, place: &Path) -> String {
    let run = Path::new(&track.run);
    let run = run.strip_prefix(place).unwrap_or(run).display();
    format!("{run} {}", track.direction.name())
}

/// Returns the directory that contains all runs.
pub(super) fn common<'a>(runs: impl Iterator<Item = &'a str>) -> PathBuf {
    let mut place: Option<PathBuf> = None;
    for run in runs {
        let own = Path::new(run).parent().unwrap_or(Path::new("")).to_path_buf();
        place = Some(match place {
            None => own,
            Some(so_far) => so_far
                .components()
                .zip(own.components())
                .take_while(|(a, b)| a == b)
                .map(|(a, _)| a)
                .collect(),
        });
    }
    place.unwrap_or_default()
}

/// Returns the access pattern and target that all loads of a grid share.
fn pattern(load: &Measured, direction: Direction) -> String {
    let access = &load.access;
    let mix = if load.flows.len() > 1 { format!(" {}", direction.name()) } else { String::new() };
    let bs =
        if access.bs > 0 { format!(" {}", Quantity::Size.words(access.bs as f64)) } else { String::new() };
    let reads = access.reads.filter(|_| load.flows.len() > 1).map(|r| format!(" {r} %")).unwrap_or_default();
    let on = [load.conditions.target.as_str(), load.conditions.host.as_str()];
    let on: String = on.into_iter().filter(|s| !s.is_empty()).map(|s| format!(", {s}")).collect();
    let rw = if access.rw.is_empty() { direction.name() } else { &access.rw };
    format!("{rw}{bs}{mix}{reads}{on}")
}

/// Returns the I/O engine, `direct` and the size of the region of a load as options, as far as they are known.
fn conditions(load: &Measured) -> String {
    let conditions = &load.conditions;
    let engine = conditions.engine.iter().map(|engine| format!("ioengine={engine}"));
    let direct = conditions.direct.iter().map(|direct| format!("direct={}", u8::from(*direct)));
    let span = conditions.span.iter().map(|span| format!("size={}", Quantity::Size.words(*span as f64)));
    engine.chain(direct).chain(span).collect::<Vec<_>>().join(" ")
}

/// Function that returns a figure of a flow; `None` if the flow does not have the figure.
type OfFlow = dyn Fn(&Flow) -> Option<Dot>;

/// Figure shown by a grid.
struct Figure {
    what: &'static str,
    title: String,
    axis: Axis,
    of: Box<OfFlow>,
}

/// Returns the figures of a grid. Latency is the mean of one kind, or of several kinds if no kind covers all loads.
fn figures(cells: &[(&Measured, &Flow)], lang: Lang) -> Vec<Figure> {
    let iops = per_second(lang);
    let rate = bytes_per_second(lang);
    let flows: Vec<&Flow> = cells.iter().map(|(_, flow)| *flow).collect();
    let mut all = vec![
        Figure {
            what: "iops",
            title: iops.clone(),
            axis: Axis::linear(iops, Quantity::Iops),
            of: Box::new(|f| Some(Dot::of(0.0, &f.iops))),
        },
        Figure {
            what: "rate",
            title: rate.clone(),
            axis: Axis::linear(rate, Quantity::Rate),
            of: Box::new(|f| Some(Dot::new(0.0, f.bytes_per_second))),
        },
    ];
    let groups = LatencyKind::groups(&flows, false);
    let several = groups.len() > 1;
    for (kind, _) in groups {
        let name = latency_name(kind, lang);
        let mean = say!(lang, "chart-mean-figure", name);
        all.push(Figure {
            what: if kind == LatencyKind::Lat { "latency" } else { "latency-clat" },
            title: mean.clone(),
            axis: Axis::linear(mean, Quantity::Nanos),
            // Loads that lack this kind of latency are in the charts of the other kind.
            of: Box::new(move |f| {
                let shown = !several || f.latency_kind() == Some(kind);
                Some(Dot::new(0.0, f.latency_of(kind).filter(|_| shown)?.mean_ns))
            }),
        });
    }
    all
}

fn grid(section: &str, cells: &[(&Measured, &Flow)], lang: Lang) -> Vec<Chart> {
    let values = |of: fn(&Measured) -> u32| cells.iter().map(|(l, _)| of(l)).collect::<BTreeSet<u32>>();
    let (depths, jobs) = (values(|l| l.depth), values(|l| l.jobs));
    if depths.len() < 2 && jobs.len() < 2 {
        return Vec::new();
    }
    // Where several files have the same cell, there is a chart for the first of every cell, one for the second, and so
    // on.
    let mut seen: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let numbered: Vec<(usize, &Measured, &Flow)> = cells
        .iter()
        .map(|(load, flow)| {
            let n = seen.entry((load.depth, load.jobs)).or_insert(0);
            *n += 1;
            (*n - 1, *load, *flow)
        })
        .collect();
    let copies = seen.values().copied().max().unwrap_or(1);
    let (depths, jobs): (Vec<u32>, Vec<u32>) = (depths.into_iter().collect(), jobs.into_iter().collect());
    let depth_axis = || say!(lang, "chart-axis-iodepth");
    let jobs_axis = || say!(lang, "chart-axis-numjobs");
    let mut all = Vec::new();
    for figure in figures(cells, lang) {
        let chart = |form: &str, title: String, x: Axis, y: Axis, drawn: Form| Chart {
            id: id(&[form, figure.what, section]),
            section: section.to_string(),
            title,
            note: say!(lang, "chart-note-no-interpolation"),
            x,
            y,
            form: drawn,
            ..Chart::default()
        };
        let what = &figure.title;
        let bars = |across: &[u32],
                    x: fn(&Measured) -> u32,
                    beside: &[u32],
                    of: fn(&Measured) -> u32,
                    name: &dyn Fn(u32) -> String| {
            let series =
                beside.iter().flat_map(|b| (0..copies).map(move |copy| (*b, copy))).map(|(b, copy)| {
                    let own = || numbered.iter().filter(|(n, l, _)| *n == copy && of(l) == b);
                    let files: BTreeSet<&str> = own().map(|(_, l, _)| l.source.as_str()).collect();
                    let file = if copy > 0 {
                        files.iter().map(|f| format!(", {f}")).collect()
                    } else {
                        String::new()
                    };
                    let points = own().filter_map(|(_, load, flow)| {
                        let at = across.iter().position(|v| *v == x(load))?;
                        Some(Dot { x: at as f64, ..(figure.of)(flow)? })
                    });
                    Line { name: format!("{}{file}", name(b)), look: Look::Points, points: points.collect() }
                });
            Form::Bars { series: some(series.collect()) }
        };
        let names = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>();
        if depths.len() > 1 {
            all.push(chart(
                "by-depth",
                say!(lang, "chart-by-iodepth", what),
                Axis::names(depth_axis(), names(&depths)),
                figure.axis.clone(),
                bars(&depths, |l| l.depth, &jobs, |l| l.jobs, &|j| format!("numjobs {j}")),
            ));
        }
        if jobs.len() > 1 {
            all.push(chart(
                "by-jobs",
                say!(lang, "chart-by-numjobs", what),
                Axis::names(jobs_axis(), names(&jobs)),
                figure.axis.clone(),
                bars(&jobs, |l| l.jobs, &depths, |l| l.depth, &|d| format!("iodepth {d}")),
            ));
        }
        if depths.len() > 1 && jobs.len() > 1 {
            for copy in 0..copies {
                let own = || numbered.iter().filter(|(n, ..)| *n == copy);
                let cells: Vec<(usize, usize, f64)> = own()
                    .filter_map(|(_, load, flow)| {
                        let x = depths.iter().position(|d| *d == load.depth)?;
                        let y = jobs.iter().position(|j| *j == load.jobs)?;
                        Some((x, y, (figure.of)(flow)?.y?))
                    })
                    .collect();
                let files: BTreeSet<&str> = own().map(|(_, l, _)| l.source.as_str()).collect();
                let file =
                    if copy > 0 { files.iter().map(|f| format!(", {f}")).collect() } else { String::new() };
                all.push(chart(
                    "grid",
                    say!(lang, "chart-by-iodepth-and-numjobs", what, file),
                    Axis::names(depth_axis(), names(&depths)),
                    Axis::names(jobs_axis(), names(&jobs)),
                    Form::Heat { value: figure.axis.clone(), cells },
                ));
            }
        }
    }
    all.into_iter().filter(|c| !matches!(&c.form, Form::Bars { series } if series.is_empty())).collect()
}

/// Returns the chart of fio's latency ranges of a load without a histogram.
fn ranges(load: &Measured, lang: Lang) -> Option<Chart> {
    let ranges = load.ranges.as_ref()?;
    let finer = |f: &Flow| f.latency().is_some_and(|l| l.histogram.is_some());
    if load.flows.iter().any(finer) {
        return None;
    }
    let note = if load.flows.len() > 1 {
        say!(lang, "chart-note-all-directions")
    } else {
        say!(lang, "chart-note-fio-ranges")
    };
    let label = format!("{}: {}", load.source, load.name);
    how_long("ranges", &label, note, None, coarse(ranges), lang)
}

fn kind_name(kind: LogKind, lang: Lang) -> String {
    match kind {
        LogKind::Bandwidth => bytes_per_second(lang),
        LogKind::Iops => per_second(lang),
        LogKind::Lat => latency_name(LatencyKind::Lat, lang),
        LogKind::Slat => say!(lang, "chart-slat"),
        LogKind::Sync => say!(lang, "chart-sync-latency"),
        LogKind::Commit => say!(lang, "chart-commit-latency"),
        LogKind::Clat => latency_name(LatencyKind::Clat, lang),
    }
}

fn kind_axis(kind: LogKind, lang: Lang) -> Axis {
    let quantity = match kind {
        LogKind::Bandwidth => Quantity::Rate,
        LogKind::Iops => Quantity::Iops,
        LogKind::Lat | LogKind::Slat | LogKind::Clat | LogKind::Sync | LogKind::Commit => Quantity::Nanos,
    };
    Axis::linear(kind_name(kind, lang), quantity)
}

fn kind_id(kind: LogKind) -> &'static str {
    match kind {
        LogKind::Bandwidth => "bw",
        LogKind::Iops => "iops",
        LogKind::Lat => "lat",
        LogKind::Slat => "slat",
        LogKind::Clat => "clat",
        LogKind::Sync => "sync",
        LogKind::Commit => "commit",
    }
}

fn time_section(lang: Lang) -> String {
    say!(lang, "chart-section-time")
}

/// Returns a line through samples, interrupted at gaps.
fn line(name: String, look: Look, samples: &[[f64; 2]]) -> Line {
    let mut points = Vec::with_capacity(samples.len());
    for (at, stretch) in log_series::stretches(samples).into_iter().enumerate() {
        if at > 0 {
            points.push(Dot { x: stretch[0][0], y: None, between: None });
        }
        points.extend(stretch.iter().map(|[x, y]| Dot::new(*x, *y)));
    }
    Line { name, look, points }
}

/// Returns a chart of each run with its samples, moving mean and trend, then charts that compare all runs by each of
/// these three.
fn of_kind(kind: LogKind, joined: &[Joined], lang: Lang) -> Vec<Chart> {
    let what = kind_name(kind, lang);
    let end = joined.iter().filter_map(|j| j.whole.samples.last()).map(|s| s[0]).fold(0.0, f64::max);
    let window = (end * WINDOW)
        .max(joined.iter().map(|j| 3.0 * log_series::spacing(&j.whole.samples)).fold(0.0, f64::max));
    let over = Quantity::Seconds.words(window);
    let (raw, smooth, trend) =
        (say!(lang, "chart-as-logged"), say!(lang, "chart-moving-mean", over), say!(lang, "chart-trend"));
    let chart = |parts: &[&str], title: String, note: String, series: Vec<Line>, marks| Chart {
        id: id(parts),
        section: time_section(lang),
        title,
        note,
        x: seconds(lang),
        y: kind_axis(kind, lang),
        form: Form::Lines { series: some(series) },
        marks,
        ..Chart::default()
    };
    let explained = say!(lang, "chart-note-logs");
    let mut all: Vec<Chart> = joined
        .iter()
        .map(|j| {
            let samples = &j.whole.samples;
            let series = vec![
                line(raw.clone(), Look::Plain, samples),
                line(smooth.clone(), Look::Plain, &log_series::smoothed(samples, window)),
                line(trend.clone(), Look::Dashed, &log_series::trend(&j.whole)),
            ];
            let (label, marks) = (&j.label, log_series::time_mean(samples).map(|m| mean_of(kind, m, lang)));
            let title = say!(lang, "chart-log-over-time", label, what);
            let mut chart = chart(
                &["log", kind_id(kind), label],
                title,
                explained.clone(),
                series,
                marks.into_iter().collect(),
            );
            chart.choice = (joined.len() > 1).then(|| label.clone());
            chart
        })
        .collect();
    if joined.len() > 1 {
        type Way<'a> = (&'a str, &'a String, &'a dyn Fn(&LogSeries) -> Vec<[f64; 2]>);
        let ways: [Way<'_>; 3] = [
            ("raw", &raw, &|t| t.samples.clone()),
            ("smoothed", &smooth, &|t| log_series::smoothed(&t.samples, window)),
            ("trend", &trend, &|t| log_series::trend(t)),
        ];
        for (word, name, of) in ways {
            let series = joined.iter().map(|j| line(j.label.clone(), Look::Plain, &of(&j.whole))).collect();
            let title = say!(lang, "chart-logs-compared", what, name);
            all.push(chart(&["logs", kind_id(kind), word], title, explained.clone(), series, Vec::new()));
        }
    }
    all
}

fn mean_of(kind: LogKind, mean: f64, lang: Lang) -> super::Mark {
    let words = kind_axis(kind, lang).quantity.words(mean);
    let label = say!(lang, "chart-mean-value", words);
    super::Mark { label, ..mean_mark(mean, lang) }
}

/// Returns the file name of a log.
fn file(track: &LogSeries) -> String {
    format!("{} {}", track.name, track.direction.name())
}

/// Returns minimum, mean, maximum and standard deviation of each file.
fn per_file(kind: LogKind, tracks: &[&LogSeries], lang: Lang) -> Chart {
    let what = kind_name(kind, lang);
    let figures: Vec<log_series::Figures> =
        tracks.iter().map(|t| log_series::figures(&t.samples).unwrap_or_default()).collect();
    let one = |name: String, of: fn(&log_series::Figures) -> f64| Line {
        name,
        look: Look::Points,
        points: figures.iter().enumerate().map(|(at, f)| Dot::new(at as f64, of(f))).collect(),
    };
    Chart {
        id: id(&["per-file", kind_id(kind)]),
        section: time_section(lang),
        title: say!(lang, "chart-by-file", what),
        note: say!(lang, "chart-note-per-file"),
        x: Axis::names(say!(lang, "chart-axis-file"), tracks.iter().map(|t| file(t)).collect()),
        y: kind_axis(kind, lang),
        form: Form::Bars {
            series: vec![
                one(say!(lang, "chart-minimum"), |f| f.min),
                one(say!(lang, "chart-mean"), |f| f.mean),
                one(say!(lang, "chart-maximum-value"), |f| f.max),
                one(say!(lang, "chart-standard-deviation"), |f| f.stddev),
            ],
        },
        ..Chart::default()
    }
}

/// Returns a heat map by time and file, like fio2gnuplot's surface plot.
fn by_file(kind: LogKind, tracks: &[&LogSeries], lang: Lang) -> Chart {
    let what = kind_name(kind, lang);
    let end = tracks.iter().filter_map(|t| t.samples.last()).map(|s| s[0]).fold(0.0, f64::max);
    let usual = tracks.iter().map(|t| log_series::spacing(&t.samples)).fold(0.0, f64::max);
    let step = usual.max(end / COLUMNS);
    let grids: Vec<log_series::Grid> = tracks.iter().map(|t| log_series::on_grid(t, step)).collect();
    let columns = grids.iter().map(|g| g.values.len()).max().unwrap_or(0);
    let names = (0..columns).map(|at| Quantity::Seconds.words(at as f64 * step)).collect();
    let of = |(y, grid): (usize, &log_series::Grid)| {
        let known = grid.values.iter().enumerate();
        known.filter_map(|(x, value)| Some((x, y, (*value)?))).collect::<Vec<_>>()
    };
    Chart {
        id: id(&["time-by-file", kind_id(kind)]),
        section: time_section(lang),
        title: say!(lang, "chart-by-time-and-file", what),
        note: say!(lang, "chart-note-aligned-by-time"),
        x: Axis::names(say!(lang, "chart-axis-time-from"), names),
        y: Axis::names(say!(lang, "chart-axis-file"), tracks.iter().map(|t| file(t)).collect()),
        form: Form::Heat {
            value: kind_axis(kind, lang),
            cells: grids.iter().enumerate().flat_map(of).collect(),
        },
        ..Chart::default()
    }
}

/// Returns latency percentiles over time, each over all I/Os of its interval.
fn percentiles(logs: &[HistogramLog], lang: Lang) -> Vec<Chart> {
    let mut runs: BTreeMap<(&str, usize), Vec<&HistogramLog>> = BTreeMap::new();
    for log in logs {
        runs.entry((&log.run, log.direction as usize)).or_default().push(log);
    }
    let place = common(logs.iter().map(|l| l.run.as_str()));
    let chart = |logs: &Vec<&HistogramLog>| {
        let first = logs.first()?;
        let run = Path::new(&first.run);
        let label =
            format!("{} {}", run.strip_prefix(&place).unwrap_or(run).display(), first.direction.name());
        let times = |l: &&HistogramLog| l.samples.iter().map(|s| [s.0, 0.0]).collect::<Vec<_>>();
        let step = logs.iter().map(|l| log_series::spacing(&times(l))).fold(0.0, f64::max);
        let of = |percent: f64| {
            line(format!("p{percent}"), Look::Plain, &log_series::percentile_over_time(logs, percent, step))
        };
        Some(Chart {
            id: id(&["percentiles-over-time", &label]),
            section: time_section(lang),
            title: say!(lang, "chart-percentiles-over-time", label),
            note: say!(lang, "chart-note-percentiles"),
            x: seconds(lang),
            y: latency_axis(lang),
            form: Form::Lines { series: some(PERCENTS.into_iter().map(of).collect()) },
            choice: Some(label),
            ..Chart::default()
        })
    };
    runs.values().filter_map(chart).collect()
}
