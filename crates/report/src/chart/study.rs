//! Charts of a study: for each question the points that answer it.

use super::{
    Axis, Chart, Dot, Form, Line, Look, Mark, Quantity, Span, bytes_per_second, distinct, id, per_second,
};
use crate::Lang;
use crate::catalog::say;
use crate::labels::{block, depths, pattern, targets};
use crate::scale;
use stats::converge::pooled;
use stats::depth_curve::DepthCurve;
use stats::progress::progress;
use stats::study::{Access, Conclusion, Estimate, Point, Question, Study, StudyClaim, TargetsRatio};
use std::collections::{BTreeMap, BTreeSet};

/// Returns all charts, pattern by pattern, in the order of the questions.
pub fn charts(study: &Study, lang: Lang) -> Vec<Chart> {
    if study.asked.sweep.is_some() {
        let windows = most_windows(study);
        let mut all = super::sweep::charts(study, lang);
        all.extend(study.points.iter().flat_map(|p| over_time(study, p, windows, lang)));
        return distinct(all);
    }
    let mut all = Vec::new();
    for access in &study.asked.patterns {
        for target in 0..study.targets.len() {
            let of = Of { study, access, target, lang };
            all.extend([of.rate(), of.latency(), of.util(), of.hockey()].into_iter().flatten());
            all.extend(of.blocks());
            all.extend(of.grid());
            all.extend(of.rounds());
        }
    }
    all.extend(against(study, lang));
    let windows = most_windows(study);
    all.extend(study.points.iter().flat_map(|p| over_time(study, p, windows, lang)));
    distinct(all)
}

/// One pattern of one target of a study, whose charts are drawn.
struct Of<'a> {
    study: &'a Study,
    access: &'a Access,
    target: usize,
    lang: Lang,
}

impl Of<'_> {
    fn section(&self) -> String {
        let name = pattern(self.access);
        let names = targets(self.study);
        match names.get(self.target) {
            Some(target) if names.len() > 1 => format!("{target}: {name}"),
            _ => name,
        }
    }

    fn id(&self, what: &str) -> String {
        let number = if self.study.targets.len() > 1 { (self.target + 1).to_string() } else { String::new() };
        id(&[&pattern(self.access), &number, what])
    }

    /// Returns the closed-loop points of this pattern on the whole target with default kernel settings.
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.study.points.iter().filter(|p| {
            let c = &p.cell;
            c.target == self.target && c.span.is_none() && c.setting.is_none() && c.rate.is_none()
        })
    }

    /// Returns the points at each depth, lowest first: the curve over queue depth.
    fn depths(&self) -> Vec<Visits<'_>> {
        let mut depths: BTreeMap<u32, Visits<'_>> = BTreeMap::new();
        for p in self.points().filter(|p| p.question == Question::Depth && p.cell.access == *self.access) {
            depths.entry(p.cell.in_flight()).or_default().push(p);
        }
        depths.into_values().collect()
    }

    fn answer(&self, question: Question) -> Option<&Conclusion> {
        self.study.answer(self.target, self.access, question)
    }

    fn knee(&self) -> Option<(f64, String)> {
        let lang = self.lang;
        let depth = match &self.answer(Question::Depth)?.claim {
            StudyClaim::Knee { in_flight, .. } => *in_flight,
            _ => return None,
        };
        Some((f64::from(depth), say!(lang, "chart-mark-knee", depth)))
    }

    fn curve(&self) -> Option<(&DepthCurve, u32)> {
        self.study.conclusions.iter().find_map(|c| match &c.claim {
            StudyClaim::Curve { curve, up_to } if c.target == self.target && c.access == *self.access => {
                Some((curve, *up_to))
            }
            _ => None,
        })
    }

    fn in_flight(&self) -> Axis {
        let lang = self.lang;
        Axis::log(say!(lang, "chart-axis-in-flight"), Quantity::Count)
    }

    fn knee_mark(&self) -> Vec<Mark> {
        self.knee().map(|(at, label)| Mark { upwards: true, at, label }).into_iter().collect()
    }

    fn rate(&self) -> Option<Chart> {
        let (depths, lang) = (self.depths(), self.lang);
        if depths.is_empty() {
            return None;
        }
        let mut series = vec![Line {
            name: say!(lang, "chart-measured"),
            look: Look::Marked,
            points: depths.iter().filter_map(|v| Some(Dot::of(in_flight(v), &together(v)?))).collect(),
        }];
        // Where a depth was measured repeatedly, each measurement is a mark.
        let again = depths.iter().filter(|v| v.len() > 1).flatten();
        series.push(Line {
            name: say!(lang, "chart-repeated-points"),
            look: Look::Points,
            points: again.map(|p| Dot::new(f64::from(p.cell.in_flight()), p.iops.value)).collect(),
        });
        if let Some((curve, up_to)) = self.curve() {
            let steps: Vec<f64> =
                (0..=32).map(|n| f64::from(up_to.max(2)).powf(f64::from(n) / 32.0)).collect();
            let law = |name: String, rate: &dyn Fn(f64) -> f64| Line {
                name,
                look: Look::Dashed,
                points: steps.iter().map(|n| Dot::new(*n, rate(*n))).collect(),
            };
            series.push(law(say!(lang, "chart-model-two-lines"), &|n| curve.lines.rate(n)));
            series.push(law(say!(lang, "chart-model-contention"), &|n| curve.scalability.rate(n)));
        }
        let mut marks = self.knee_mark();
        if let Some(c) = self.answer(Question::Depth) {
            let most = scale::short(c.estimate.value);
            marks.push(Mark {
                upwards: false,
                at: c.estimate.value,
                label: say!(lang, "chart-mark-maximum", most),
            });
        }
        let name = pattern(self.access);
        Some(Chart {
            id: self.id("iops"),
            section: self.section(),
            title: say!(lang, "chart-iops-by-depth", name),
            note: self.said(Question::Depth),
            x: self.in_flight(),
            y: Axis::log(per_second(lang), Quantity::Iops),
            form: Form::Lines { series: some(series) },
            marks,
            ..Chart::default()
        })
    }

    /// Returns the answer to a question in a sentence; empty without an answer.
    fn said(&self, question: Question) -> String {
        self.answer(question).map_or(String::new(), |c| crate::study::sentence(self.lang, c))
    }

    fn latency(&self) -> Option<Chart> {
        let (depths, lang) = (self.depths(), self.lang);
        let points: Vec<&Point> = depths.iter().filter_map(|v| longest(v)).collect();
        if points.is_empty() {
            return None;
        }
        let line = |name: String, of: &dyn Fn(&Point) -> Option<Dot>| Line {
            name,
            look: Look::Marked,
            points: points.iter().filter_map(|p| of(p)).collect(),
        };
        let at = |p: &Point| f64::from(p.cell.in_flight());
        let tail = |p: &Point, ns: Option<u64>, between: Option<[u64; 2]>| {
            let between = between.map(|b| b.map(|ns| ns as f64));
            ns.map(|ns| Dot { between, ..Dot::new(at(p), ns as f64) })
        };
        let series = vec![
            line(say!(lang, "chart-mean"), &|p| Some(Dot::new(at(p), p.mean_ns))),
            line("p50".into(), &|p| tail(p, p.p50_ns, p.tails.p50)),
            line("p99".into(), &|p| tail(p, p.p99_ns, p.tails.p99)),
            line("p99.9".into(), &|p| tail(p, p.p999_ns, p.tails.p999)),
        ];
        let name = pattern(self.access);
        Some(Chart {
            id: self.id("latency"),
            section: self.section(),
            title: say!(lang, "chart-latency-by-depth", name),
            note: say!(lang, "chart-note-latency-by-depth"),
            x: self.in_flight(),
            y: latency_axis(lang),
            form: Form::Lines { series: some(series) },
            marks: self.knee_mark(),
            ..Chart::default()
        })
    }

    fn util(&self) -> Option<Chart> {
        let lang = self.lang;
        let depths = self.depths();
        let longest = depths.iter().filter_map(|v| longest(v));
        let points: Vec<Dot> =
            longest.filter_map(|p| Some(Dot::new(f64::from(p.cell.in_flight()), p.util_percent?))).collect();
        let name = pattern(self.access);
        (!points.is_empty()).then(|| Chart {
            id: self.id("util"),
            section: self.section(),
            title: say!(lang, "chart-util-by-depth", name),
            note: say!(lang, "chart-note-util"),
            x: self.in_flight(),
            y: Axis::linear(say!(lang, "chart-axis-util"), Quantity::Percent),
            form: Form::Lines { series: vec![Line { name: "util".into(), look: Look::Marked, points }] },
            marks: self.knee_mark(),
            ..Chart::default()
        })
    }

    /// Returns latency by IOPS: closed loop at each depth, and open loop with random arrivals.
    fn hockey(&self) -> Option<Chart> {
        let lang = self.lang;
        let depths = self.depths();
        if depths.len() < 3 {
            return None;
        }
        let closed = |ns: &dyn Fn(&Point) -> Option<f64>| -> Vec<Dot> {
            depths.iter().filter_map(|v| Some(Dot::new(together(v)?.value, ns(longest(v)?)?))).collect()
        };
        let of = |points: &[&Point], ns: &dyn Fn(&Point) -> Option<f64>| -> Vec<Dot> {
            points.iter().filter_map(|p| Some(Dot::new(p.iops.value, ns(p)?))).collect()
        };
        let mut open: Vec<&Point> = self
            .study
            .points
            .iter()
            .filter(|p| {
                p.question == Question::Slo
                    && p.cell.rate.is_some()
                    && p.cell.target == self.target
                    && p.cell.access == *self.access
            })
            .collect();
        open.sort_by(|a, b| a.iops.value.total_cmp(&b.iops.value));
        let p99 = |p: &Point| p.p99_ns.map(|ns| ns as f64);
        let mean = |p: &Point| Some(p.mean_ns);
        let line = |name: String, points| Line { name, look: Look::Marked, points };
        let series = vec![
            line(say!(lang, "chart-mean"), closed(&mean)),
            line("p99".into(), closed(&p99)),
            line(say!(lang, "chart-mean-random-arrivals"), of(&open, &mean)),
            line(say!(lang, "chart-p99-random-arrivals"), of(&open, &p99)),
        ];
        let name = pattern(self.access);
        Some(Chart {
            id: self.id("hockey"),
            section: self.section(),
            title: say!(lang, "chart-latency-by-iops", name),
            note: say!(lang, "chart-note-latency-by-iops"),
            x: Axis::linear(per_second(lang), Quantity::Iops),
            y: latency_axis(lang),
            form: Form::Lines { series: some(series) },
            ..Chart::default()
        })
    }

    /// Returns IOPS and bandwidth by block size.
    fn blocks(&self) -> Vec<Chart> {
        let lang = self.lang;
        let mut points: Vec<&Point> = self
            .points()
            .filter(|p| {
                p.question == Question::Bs
                    && p.cell.access.rw == self.access.rw
                    && p.cell.access.reads == self.access.reads
            })
            .collect();
        // The block sizes were measured for the pattern that has the answer.
        if points.is_empty() || self.answer(Question::Bs).is_none() {
            return Vec::new();
        }
        points.sort_by_key(|p| (p.cell.access.bs, p.ordinal));
        let mut marks = Vec::new();
        if let Some(Conclusion {
            claim: StudyClaim::Crossover { full_iops, full_bandwidth, .. },
            estimate,
            ..
        }) = self.answer(Question::Bs)
        {
            let size = block(estimate.value as u64);
            marks.push(Mark {
                upwards: true,
                at: estimate.value,
                label: say!(lang, "chart-mark-crossover", size),
            });
            let (small, large) = (block(*full_iops), block(*full_bandwidth));
            marks.push(Mark {
                upwards: true,
                at: *full_iops as f64,
                label: say!(lang, "chart-mark-iops-bound", small),
            });
            marks.push(Mark {
                upwards: true,
                at: *full_bandwidth as f64,
                label: say!(lang, "chart-mark-bandwidth-bound", large),
            });
        }
        let name = &self.access.rw;
        let chart = |what: &str, title: String, label: String, quantity, dots: Vec<Dot>| Chart {
            id: self.id(what),
            section: self.section(),
            title,
            note: self.said(Question::Bs),
            x: Axis::log(say!(lang, "chart-axis-block-size"), Quantity::Size),
            y: Axis::log(label.clone(), quantity),
            form: Form::Lines { series: vec![Line { name: label, look: Look::Marked, points: dots }] },
            marks: marks.clone(),
            ..Chart::default()
        };
        let bs = |p: &Point| p.cell.access.bs as f64;
        vec![
            chart(
                "bs-iops",
                say!(lang, "chart-iops-by-block-size", name),
                per_second(lang),
                Quantity::Iops,
                points.iter().map(|p| Dot::of(bs(p), &p.iops)).collect(),
            ),
            chart(
                "bs-rate",
                say!(lang, "chart-bandwidth-by-block-size", name),
                bytes_per_second(lang),
                Quantity::Rate,
                points.iter().map(|p| Dot::of(bs(p), &p.iops.times(bs(p)))).collect(),
            ),
        ]
    }

    /// Returns heat maps over iodepth and numjobs, if both were varied.
    fn grid(&self) -> Vec<Chart> {
        let lang = self.lang;
        let points: Vec<&Point> = self
            .points()
            .filter(|p| {
                p.cell.access == *self.access
                    && matches!(p.question, Question::Grid | Question::Jobs | Question::Depth)
            })
            .collect();
        let depths: Vec<u32> =
            points.iter().map(|p| p.cell.depth).collect::<BTreeSet<_>>().into_iter().collect();
        let jobs: Vec<u32> =
            points.iter().map(|p| p.cell.jobs).collect::<BTreeSet<_>>().into_iter().collect();
        if depths.len() < 2 || jobs.len() < 2 {
            return Vec::new();
        }
        let name = pattern(self.access);
        let heat = |what: &str, title: String, value: Axis, of: &dyn Fn(&Point) -> f64| {
            // Of repeated measurements of a cell the last one counts.
            let mut cells: Vec<(usize, usize, f64)> = Vec::new();
            for p in &points {
                let place = (depths.binary_search(&p.cell.depth), jobs.binary_search(&p.cell.jobs));
                if let (Ok(x), Ok(y)) = place {
                    cells.retain(|c| (c.0, c.1) != (x, y));
                    cells.push((x, y, of(p)));
                }
            }
            cells.sort_by_key(|c| (c.0, c.1));
            Chart {
                id: self.id(what),
                section: self.section(),
                title,
                note: say!(lang, "chart-note-grid"),
                x: Axis::names("iodepth", depths.iter().map(u32::to_string).collect()),
                y: Axis::names("numjobs", jobs.iter().map(u32::to_string).collect()),
                form: Form::Heat { value, cells },
                ..Chart::default()
            }
        };
        vec![
            heat(
                "grid-iops",
                say!(lang, "chart-grid-iops", name),
                Axis::linear(per_second(lang), Quantity::Iops),
                &|p| p.iops.value,
            ),
            heat("grid-latency", say!(lang, "chart-grid-latency", name), latency_axis(lang), &|p| p.mean_ns),
        ]
    }

    /// Returns the repeated rounds over time.
    fn rounds(&self) -> Option<Chart> {
        let lang = self.lang;
        let points: Vec<&Point> = self
            .points()
            .filter(|p| p.question == Question::Repeat && p.cell.access == *self.access)
            .collect();
        let first = points.first()?.began_ms;
        let name = pattern(self.access);
        Some(Chart {
            id: self.id("rounds"),
            section: self.section(),
            title: say!(lang, "chart-rounds-over-time", name),
            note: self.said(Question::Repeat),
            x: seconds(lang),
            y: Axis::linear(per_second(lang), Quantity::Iops),
            form: Form::Lines {
                series: vec![Line {
                    name: say!(lang, "chart-rounds"),
                    look: Look::Marked,
                    points: points
                        .iter()
                        .map(|p| Dot::of(p.began_ms.saturating_sub(first) as f64 / 1e3, &p.iops))
                        .collect(),
                }],
            },
            marks: self
                .answer(Question::Repeat)
                .map(|c| mean_mark(c.estimate.value, lang))
                .into_iter()
                .collect(),
            ..Chart::default()
        })
    }
}

/// Repeated measurements of the same cell.
type Visits<'a> = Vec<&'a Point>;

fn in_flight(visits: &[&Point]) -> f64 {
    visits.first().map_or(0.0, |p| f64::from(p.cell.in_flight()))
}

/// Returns the pooled rate of repeated measurements.
fn together(visits: &[&Point]) -> Option<Estimate> {
    let (rates, seconds): (Vec<Estimate>, Vec<f64>) =
        visits.iter().map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
    pooled(&rates, &seconds)
}

/// Returns the longest measurement, whose percentiles have the narrowest intervals.
fn longest<'a>(visits: &[&'a Point]) -> Option<&'a Point> {
    visits.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds)).copied()
}

/// Returns the maximum IOPS of each target, pattern by pattern.
fn against(study: &Study, lang: Lang) -> Option<Chart> {
    let names = targets(study);
    if names.len() < 2 {
        return None;
    }
    let answer = |target, access: &Access| study.answer(target, access, Question::Depth).map(|c| c.estimate);
    let ratios = study.ratios();
    // Without knees, the targets were compared with the same loads.
    let maxima = study.asked.patterns.iter().any(|a| (0..names.len()).any(|t| answer(t, a).is_some()));
    let rates = |target: usize| -> Vec<Option<Estimate>> {
        if maxima {
            study.asked.patterns.iter().map(|access| answer(target, access)).collect()
        } else {
            ratios.iter().map(|r| r.rates.get(target).copied().flatten()).collect()
        }
    };
    let loads = if maxima {
        study.asked.patterns.iter().map(pattern).collect()
    } else {
        ratios.iter().map(|r| format!("{}, {}", pattern(&r.access), depths(r.in_flight))).collect()
    };
    let series = names.iter().enumerate().map(|(target, name)| Line {
        name: name.clone(),
        look: Look::Points,
        points: rates(target)
            .into_iter()
            .enumerate()
            .filter_map(|(at, rate)| Some(Dot::of(at as f64, &rate?)))
            .collect(),
    });
    Some(Chart {
        id: "targets".into(),
        section: say!(lang, "chart-section-targets"),
        title: if maxima {
            say!(lang, "chart-maximum-by-target")
        } else {
            say!(lang, "chart-rate-by-target")
        },
        note: ratios
            .iter()
            .map(|TargetsRatio { access, in_flight, ratio, .. }| {
                let load = format!("{}, {}", pattern(access), depths(*in_flight));
                format!("{load}: {:.3} ({:.3} - {:.3})", ratio.value, ratio.low, ratio.high)
            })
            .collect::<Vec<_>>()
            .join("; "),
        x: Axis::names(say!(lang, "chart-axis-pattern"), loads),
        y: Axis::log(per_second(lang), Quantity::Iops),
        form: Form::Bars { series: series.collect() },
        ..Chart::default()
    })
}

/// Returns the largest number of windows drawn for a point. The number is smaller for a study with very many points, so
/// that the page stays small.
pub fn most_windows(study: &Study) -> usize {
    const ALL: usize = 30_000;
    (ALL / study.points.len().max(1)).max(20)
}

/// Returns the chart of one point over time: its windows, the warm-up, and the running mean with its interval.
fn over_time(study: &Study, point: &Point, windows: usize, lang: Lang) -> Option<Chart> {
    if point.series.windows.is_empty() {
        return None;
    }
    let (cell, ordinal) = (&point.cell, point.ordinal);
    let mut name = format!("{}, {} x {}", pattern(&cell.access), cell.depth, cell.jobs);
    if study.targets.len() > 1 {
        name = format!("{}: {name}", targets(study).get(cell.target).cloned().unwrap_or_default());
    }
    let known = progress(&point.series, point.cut_s);
    let each = (3 * known.len()).div_ceil(windows).max(1);
    let known = known.iter().rev().step_by(each).rev();
    let merged = point.series.merged(point.series.windows.len().div_ceil(windows));
    let series = vec![
        Line {
            name: say!(lang, "chart-windows"),
            look: Look::Step,
            points: super::load::windows(&merged, stats::Window::iops),
        },
        Line {
            name: say!(lang, "chart-running-mean"),
            look: Look::Plain,
            points: known.map(|(at, mean)| Dot::of(*at, mean).short()).collect(),
        },
    ];
    let cut = Span { from: 0.0, to: point.cut_s, label: say!(lang, "chart-span-warm-up") };
    Some(Chart {
        id: format!("point-{ordinal}"),
        section: say!(lang, "chart-section-points"),
        title: say!(lang, "chart-point", ordinal, name),
        note: say!(lang, "chart-note-point"),
        x: seconds(lang),
        y: Axis::linear(per_second(lang), Quantity::Iops),
        form: Form::Lines { series: some(series) },
        marks: vec![mean_mark(point.iops.value, lang)],
        spans: if point.cut_s > 0.0 { vec![cut] } else { Vec::new() },
        choice: Some(format!("{ordinal}: {name}")),
    })
}

/// Returns a horizontal line at the mean.
pub(super) fn mean_mark(at: f64, lang: Lang) -> Mark {
    let mean = scale::short(at);
    Mark { upwards: false, at, label: say!(lang, "chart-mark-mean", mean) }
}

/// Returns a logarithmic axis of latency, nanoseconds.
pub(super) fn latency_axis(lang: Lang) -> Axis {
    Axis::log(say!(lang, "chart-latency"), Quantity::Nanos)
}

/// Returns a linear axis of time, seconds.
pub(super) fn seconds(lang: Lang) -> Axis {
    Axis::linear(say!(lang, "chart-axis-seconds"), Quantity::Seconds)
}

/// Returns the lines that have at least one point.
pub(super) fn some(series: Vec<Line>) -> Vec<Line> {
    series.into_iter().filter(|line| !line.points.is_empty()).collect()
}
