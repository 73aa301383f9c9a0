//! Charts of a sweep: rate, bandwidth and latency by each option that it varies, the product of depth and jobs, and the
//! offered rate; heat maps over two options.

use super::study::{latency_axis, some};
use super::{Axis, Chart, Dot, Form, Line, Look, Quantity, bytes_per_second, distinct, id, per_second};
use crate::Lang;
use crate::catalog::say;
use crate::labels::{block, pattern};
use stats::access::Access;
use stats::estimate::Estimate;
use stats::study::Study;
use stats::sweep::{SweepAsked, SweepCell, SweepRow, SweepTable, rows};
use std::collections::BTreeSet;

/// Option on the horizontal axis of a chart.
struct Across {
    name: &'static str,
    quantity: Quantity,
    log: bool,
    of: fn(&SweepCell, &SweepRow) -> Option<f64>,
}

const ACROSS: [Across; 6] = [
    Across { name: "iodepth", quantity: Quantity::Count, log: true, of: |c, _| unpaced(c, c.iodepth.into()) },
    Across { name: "numjobs", quantity: Quantity::Count, log: true, of: |c, _| unpaced(c, c.numjobs.into()) },
    Across { name: "bs", quantity: Quantity::Size, log: true, of: |c, _| unpaced(c, c.access.bs as f64) },
    Across { name: "runtime", quantity: Quantity::Seconds, log: false, of: |c, _| unpaced(c, c.runtime_s) },
    Across {
        name: "product",
        quantity: Quantity::Count,
        log: true,
        of: |c, _| unpaced(c, c.in_flight().into()),
    },
    Across { name: "offered", quantity: Quantity::Iops, log: false, of: |_, r| r.offered },
];

fn unpaced(cell: &SweepCell, value: f64) -> Option<f64> {
    cell.percent.is_none().then_some(value)
}

/// Figure on the vertical axis of a chart.
struct Figure {
    what: &'static str,
    axis: Axis,
    of: fn(&SweepRow) -> Option<Dot>,
}

fn dot(estimate: &Estimate) -> Option<Dot> {
    (estimate.value > 0.0).then(|| Dot::of(0.0, estimate))
}

fn figures(lang: Lang) -> [Figure; 5] {
    let p99 = |row: &SweepRow| row.p99_ns.map(|ns| Dot::new(0.0, ns as f64));
    let p99_axis = Axis { label: format!("{} p99", say!(lang, "chart-latency")), ..latency_axis(lang) };
    let util = |row: &SweepRow| row.util_percent.map(|percent| Dot::new(0.0, percent));
    let util_axis = Axis::linear(say!(lang, "chart-axis-util"), Quantity::Percent);
    [
        Figure { what: "iops", axis: Axis::linear(per_second(lang), Quantity::Iops), of: |r| dot(&r.iops) },
        Figure {
            what: "rate",
            axis: Axis::linear(bytes_per_second(lang), Quantity::Rate),
            of: |r| dot(&r.bytes_per_second),
        },
        Figure { what: "latency", axis: latency_axis(lang), of: |r| dot(&r.mean_ns) },
        Figure { what: "p99", axis: p99_axis, of: p99 },
        Figure { what: "util", axis: util_axis, of: util },
    ]
}

/// Returns all charts of a sweep, pattern by pattern.
pub fn charts(study: &Study, lang: Lang) -> Vec<Chart> {
    let Some(asked) = &study.asked.sweep else { return Vec::new() };
    let rows = rows(study);
    let sizes = asked.table == SweepTable::Bs;
    let key = |row: &SweepRow| {
        let access = asked.cells[row.cell].access.clone();
        if sizes { Access { bs: 0, ..access } } else { access }
    };
    let mut patterns: Vec<Access> = Vec::new();
    for row in &rows {
        if !patterns.contains(&key(row)) {
            patterns.push(key(row));
        }
    }
    let mut all = Vec::new();
    for access in &patterns {
        let mine: Vec<&SweepRow> = rows.iter().filter(|row| key(row) == *access).collect();
        let name = if sizes { access.rw.clone() } else { pattern(access) };
        for figure in figures(lang) {
            all.extend(ACROSS.iter().filter_map(|across| lines(asked, &name, &mine, across, &figure, lang)));
            all.extend(heat(asked, &name, &mine, &figure, lang));
        }
    }
    // A grid of several block sizes has charts over the block size for each pattern without it.
    if !sizes {
        let mut without: Vec<Access> = Vec::new();
        for access in &patterns {
            let access = Access { bs: 0, ..access.clone() };
            if !without.contains(&access) {
                without.push(access);
            }
        }
        for access in without {
            let same = |row: &&SweepRow| Access { bs: 0, ..asked.cells[row.cell].access.clone() } == access;
            let mine: Vec<&SweepRow> = rows.iter().filter(same).collect();
            let across = &ACROSS[2];
            all.extend(figures(lang).iter().filter_map(|f| lines(asked, &access.rw, &mine, across, f, lang)));
        }
    }
    distinct(all)
}

/// Returns the name of a line: the options that differ between the rows, without the one on the axis.
fn line_name(asked: &SweepAsked, rows: &[&SweepRow], cell: &SweepCell, across: &str) -> String {
    type Named = (&'static str, fn(&SweepCell) -> String);
    let all: [Named; 4] = [
        ("iodepth", |c| c.iodepth.to_string()),
        ("numjobs", |c| c.numjobs.to_string()),
        ("bs", |c| block(c.access.bs)),
        ("runtime", |c| format!("{}", c.runtime_s)),
    ];
    let varies = |named: &&Named| {
        let values: BTreeSet<String> = rows.iter().map(|row| named.1(&asked.cells[row.cell])).collect();
        let product = across == "product" && matches!(named.0, "iodepth" | "numjobs");
        named.0 != across && values.len() > 1 && !(product && named.0 == "iodepth")
    };
    let words = all.iter().filter(varies).map(|named| format!("{} {}", named.0, named.1(cell)));
    words.collect::<Vec<_>>().join(", ")
}

fn lines(
    asked: &SweepAsked,
    name: &str,
    rows: &[&SweepRow],
    across: &Across,
    figure: &Figure,
    lang: Lang,
) -> Option<Chart> {
    let at = |row: &SweepRow| (across.of)(&asked.cells[row.cell], row);
    let mut values: Vec<f64> = rows.iter().filter_map(|row| at(row)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let several = |of: fn(&SweepCell) -> u32| {
        rows.iter().map(|row| of(&asked.cells[row.cell])).collect::<BTreeSet<_>>().len() > 1
    };
    // The product is another axis only if both factors vary.
    if values.len() < 2 || across.name == "product" && !(several(|c| c.iodepth) && several(|c| c.numjobs)) {
        return None;
    }
    let mut series: Vec<Line> = Vec::new();
    for row in rows {
        let cell = &asked.cells[row.cell];
        let (Some(x), Some(dot)) = (at(row), (figure.of)(row)) else { continue };
        let label = line_name(asked, rows, cell, across.name);
        let dot = Dot { x, ..dot };
        match series.iter_mut().find(|line| line.name == label) {
            Some(line) => line.points.push(dot),
            None => series.push(Line { name: label, look: Look::Marked, points: vec![dot] }),
        }
    }
    if series.is_empty() {
        return None;
    }
    series.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    let label = match across.name {
        "product" => "iodepth x numjobs".to_string(),
        "offered" => say!(lang, "sweep-axis-offered"),
        "runtime" => say!(lang, "sweep-axis-runtime"),
        other => other.to_string(),
    };
    let what = figure.axis.label.clone();
    Some(Chart {
        id: id(&[name, "by", across.name, figure.what]),
        section: name.to_string(),
        title: say!(lang, "sweep-chart-title", name, what, across = label.clone()),
        note: say!(lang, "sweep-chart-note"),
        x: Axis { log: across.log, ..Axis::linear(label, across.quantity) },
        y: figure.axis.clone(),
        form: Form::Lines { series: some(series) },
        ..Chart::default()
    })
}

fn heat(asked: &SweepAsked, name: &str, rows: &[&SweepRow], figure: &Figure, lang: Lang) -> Option<Chart> {
    let cell = |row: &SweepRow| &asked.cells[row.cell];
    let values = |of: fn(&SweepCell) -> u32| -> Vec<u32> {
        rows.iter().map(|row| of(cell(row))).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let (depths, jobs) = (values(|c| c.iodepth), values(|c| c.numjobs));
    let runtime = rows.first().map(|row| cell(row).runtime_s);
    if depths.len() < 2 || jobs.len() < 2 || asked.table == SweepTable::Curve {
        return None;
    }
    let one = |row: &&SweepRow| {
        let load = cell(row);
        let place = (depths.binary_search(&load.iodepth).ok()?, jobs.binary_search(&load.numjobs).ok()?);
        Some((place.0, place.1, (figure.of)(row)?.y?)).filter(|_| Some(load.runtime_s) == runtime)
    };
    let cells: Vec<(usize, usize, f64)> = rows.iter().filter_map(one).collect();
    if cells.is_empty() {
        return None;
    }
    let what = figure.axis.label.clone();
    let names = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>();
    Some(Chart {
        id: id(&[name, "grid", figure.what]),
        section: name.to_string(),
        title: say!(lang, "sweep-chart-title", name, what, across = "iodepth, numjobs"),
        note: say!(lang, "chart-note-grid"),
        x: Axis::names("iodepth", names(&depths)),
        y: Axis::names("numjobs", names(&jobs)),
        form: Form::Heat { value: figure.axis.clone(), cells },
        ..Chart::default()
    })
}
