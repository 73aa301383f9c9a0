//! Tables of the points of a study and of measured loads, one line for each.

use crate::catalog::{say, word};
use crate::labels::{block, targets};
use crate::scale::{bytes, megabytes, short, time};
use crate::words::note::note;
use crate::{Grid, Lang, columns, fill, lay, left, prose_width};
use stats::study::{Ended, Point, Study, Trend};
use stats::{Flow, LatencyKind, Measured, RowKind};

const HEAD: [&str; 21] = [
    "point", "question", "target", "rw", "bs", "iodepth", "jobs", "region", "IOPS", "+-%", "MB/s",
    "mean lat", "p99 lat", "+-%", "util%", "await", "aqu-sz", "CPU%", "secs", "grade", "note",
];

/// Returns a table with a title and one line for each point of a study, newline at the end.
pub fn table(lang: Lang, study: &Study, width: usize) -> String {
    let mut lines = fill("", &title(lang, study), prose_width(width));
    if study.points.is_empty() {
        lines.push(say!(lang, "points-none"));
    } else {
        let several = study.targets.len().max(study.asked.targets.len()) > 1;
        let named = names(lang);
        // A column with the same value for every point is left out.
        let spans = study
            .points
            .iter()
            .any(|p| p.cell.span.is_some() || p.cell.setting.is_some() || p.cell.rate.is_some());
        let shown = |column: usize| match HEAD[column] {
            "target" => several,
            "region" => spans,
            _ => true,
        };
        let keep = |row: Vec<String>| -> Vec<String> {
            row.into_iter().enumerate().filter(|(c, _)| shown(*c)).map(|(_, cell)| cell).collect()
        };
        let rows: Vec<Vec<String>> = std::iter::once(named.map(str::to_string).to_vec())
            .chain(study.points.iter().map(|p| row(lang, p)))
            .map(keep)
            .collect();
        lines.extend(aligned(&rows, width));
    }
    let label = left(word!(lang, "points-note"), 9);
    lines.extend(study.notes.iter().flat_map(|fact| fill(&label, &note(lang, fact), prose_width(width))));
    lay(&lines)
}

/// Returns the table of loads, one line for each load and direction, measured by fathom or fio; newline at the end. The
/// column before the latencies has their kind: total or completion latency, one kind for all rows if every row has this
/// kind.
pub fn loads(loads: &[Measured], lang: Lang) -> String {
    let load = say!(lang, "points-load");
    let mean = say!(lang, "points-mean");
    let latency = say!(lang, "points-latency");
    let head = [
        "", &load, "rw", "bs", "iodepth", "numjobs", "IOPS", "+-%", "MB/s", &latency, &mean, "p50", "p99",
        "p99.9",
    ];
    let all: Vec<_> =
        loads.iter().flat_map(|load| load.rows().into_iter().map(move |row| (load, row))).collect();
    let flows: Vec<&Flow> = all.iter().map(|(_, (_, flow))| flow.as_ref()).collect();
    let mut kinds = vec![None; all.len()];
    for (kind, own) in LatencyKind::groups(&flows, true) {
        own.into_iter().for_each(|at| kinds[at] = Some(kind));
    }
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for ((load, (row, flow)), kind) in all.iter().zip(kinds) {
        let known = |n: u32| if n == 0 { "-".to_string() } else { n.to_string() };
        let spread = kind.and_then(|kind| flow.latency_of(kind));
        let at = |percent: f64| {
            let found = spread.and_then(|l| l.quantiles.iter().find(|q| (q.percent - percent).abs() < 1e-9));
            found.map_or("-".to_string(), |q| time(q.ns))
        };
        let word = match (row, kind) {
            (RowKind::Ios(_), Some(LatencyKind::Lat)) => "lat",
            (RowKind::Ios(_), Some(LatencyKind::Clat)) => "clat",
            (RowKind::Commits | RowKind::Syncs, _) | (_, None) => "-",
        };
        let half = flow.iops.within_percent().filter(|half| *half > 0.0);
        rows.push(vec![
            load.source.clone(),
            load.name.clone(),
            crate::terms::row_kind(lang, *row).into(),
            if load.access.bs == 0 { "-".into() } else { block(load.access.bs) },
            known(load.depth),
            known(load.jobs),
            short(flow.iops.value),
            half.map_or("-".into(), |half| format!("{half:.1}")),
            if flow.bytes == 0 { "-".into() } else { megabytes(flow.bytes_per_second as u64) },
            word.into(),
            spread.map_or("-".into(), |l| time(l.mean_ns)),
            at(50.0),
            at(99.0),
            at(99.9),
        ]);
    }
    lay(&aligned(&rows, usize::MAX))
}

/// Returns the headings of the columns; figures and options keep their names in every language.
fn names(lang: Lang) -> [&'static str; 21] {
    let mut names = HEAD;
    for (column, name) in [
        (0, word!(lang, "points-point")),
        (1, word!(lang, "points-question")),
        (2, word!(lang, "points-target")),
        (6, word!(lang, "points-jobs")),
        (7, word!(lang, "points-region")),
        (11, word!(lang, "points-mean-latency")),
        (12, word!(lang, "points-p99-latency")),
        (18, word!(lang, "points-seconds")),
        (19, word!(lang, "points-grade")),
        (20, word!(lang, "points-note")),
    ] {
        names[column] = name;
    }
    names
}

fn title(lang: Lang, study: &Study) -> String {
    let points = count(lang, study.points.len(), study.complete);
    let (targets, spent) = (targets(study).join(", "), study.spent_s);
    say!(lang, "points-title", targets, points, spent = format!("{spent:.0}"))
}

/// Returns the number of points of a study and whether it is unfinished: `3 points, not finished`.
pub(crate) fn count(lang: Lang, points: usize, complete: bool) -> String {
    if complete { say!(lang, "points-count", points) } else { say!(lang, "points-count-unfinished", points) }
}

fn row(lang: Lang, p: &Point) -> Vec<String> {
    let cell = &p.cell;
    let access = match cell.access.reads {
        Some(reads) => format!("{} {reads}%", cell.access.rw),
        None => cell.access.rw.clone(),
    };
    let place = match (&cell.setting, cell.span) {
        (Some((name, value)), _) => format!("{name}={value}"),
        (None, _) if cell.rate.is_some() => {
            let iops = cell.rate.unwrap_or(0) as f64 / cell.access.bs.max(1) as f64;
            format!("{}/s", short(iops))
        }
        (None, Some(span)) => bytes(span),
        (None, None) => word!(lang, "points-whole-region").to_string(),
    };
    let dash = || "-".to_string();
    let figure = |value: Option<f64>| value.map_or_else(dash, short);
    let trend = match p.trend {
        Trend::Level => "",
        Trend::Drifts(_) => word!(lang, "points-drifting"),
        Trend::Steps { .. } => word!(lang, "points-level-shift"),
    };
    let ended = match p.ended {
        Ended::Enough => "",
        Ended::TimeUp => word!(lang, "points-time-limit"),
        Ended::Interrupted => word!(lang, "points-interrupted"),
    };
    let said: Vec<&str> = [trend, ended].into_iter().filter(|word| !word.is_empty()).collect();
    vec![
        p.ordinal.to_string(),
        p.question.name().into(),
        cell.target.to_string(),
        access,
        block(cell.access.bs),
        cell.depth.to_string(),
        cell.jobs.to_string(),
        place,
        short(p.iops.value),
        p.iops.within_percent().map_or_else(dash, |half| format!("{half:.1}")),
        megabytes(p.bytes_per_second as u64),
        time(p.mean_ns),
        p.p99_ns.map_or_else(dash, |ns| time(ns as f64)),
        tail(p).map_or_else(dash, |half| format!("{half:.1}")),
        figure(p.util_percent),
        p.await_ms.map_or_else(dash, |ms| time(ms * 1e6)),
        figure(p.queue),
        short(p.cpu_percent),
        format!("{:.1}", p.seconds),
        p.grade.letter().to_string(),
        said.join(", "),
    ]
}

/// Returns the half-width of the interval of the 99th percentile, in percent of the percentile.
fn tail(p: &Point) -> Option<f64> {
    let ([low, high], value) = (p.tails.p99?, p.p99_ns?);
    Some(50.0 * high.saturating_sub(low) as f64 / value.max(1) as f64)
}

/// Returns the rows in columns: right-aligned if every cell below the heading is a number or empty, else left-aligned.
fn aligned(rows: &[Vec<String>], width: usize) -> Vec<String> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let figure = |text: &str| text == "-" || text.chars().next().is_none_or(|first| first.is_ascii_digit());
    let of = |c: usize| rows.iter().skip(1).all(|r| r.get(c).is_none_or(|text| figure(text)));
    let to_right: Vec<bool> = (0..count).map(of).collect();
    let wide = |c| rows.iter().map(|r| r.get(c).map_or(0, |text: &String| columns(text))).max().unwrap_or(0);
    let taken: usize = (0..count).map(wide).sum();
    // Columns that fit on one line with one blank between them do not go below.
    let gap = if taken + 2 * count.saturating_sub(1) <= width { 2 } else { 1 };
    Grid { keys: 1, to_right: |c: usize| to_right[c], gap }.lines(rows, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::study::{Access, Cell, Estimate, Question, StudyAsked};
    use stats::{Grade, Series};

    fn point(ordinal: u32, target: usize) -> Point {
        Point {
            ordinal,
            question: Question::Depth,
            cell: Cell {
                target,
                access: Access {
                    rw: "randrw".into(),
                    bs: 4096 << (9 * ordinal),
                    reads: Some(70),
                    sync: None,
                },
                depth: 8,
                jobs: 2,
                span: None,
                setting: None,
                rate: None,
                hosts: None,
            },
            began_ms: 1,
            rest_s: 0.1,
            seconds: 2.5,
            cut_s: 0.5,
            counted: Default::default(),
            max_ns: 0,
            iops: Estimate::around(12_345.0, 123.45),
            bytes_per_second: 50.6e6,
            slices: 20,
            correlation: 0.25,
            mean_ns: 1.3e6,
            p50_ns: Some(900_000),
            p99_ns: None,
            p999_ns: None,
            tails: stats::study::PercentileIntervals::default(),
            util_percent: Some(99.5),
            await_ms: Some(1.5),
            queue: None,
            cpu_percent: 12.5,
            ios: 2000,
            bytes: 8_192_000,
            ended: Ended::TimeUp,
            trend: Trend::Drifts(4.0),
            grade: Grade::Caveats,
            findings: Vec::new(),
            series: Series::default(),
            latencies: Default::default(),
            state: Vec::new(),
            host_iops: Vec::new(),
        }
    }

    #[test]
    fn a_line_a_point_and_no_column_that_says_nothing() {
        let mut study = Study {
            asked: StudyAsked { targets: vec!["/a".into()], ..StudyAsked::default() },
            points: vec![point(0, 0), point(1, 0)],
            spent_s: 12.3,
            ..Study::default()
        };
        let text = table(Lang::En, &study, 132);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "study of /a: 2 points, not finished; 12 s");
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(
            words(lines[1]),
            "point question rw bs iodepth jobs IOPS +-% MB/s mean lat p99 lat +-% util% await aqu-sz CPU% secs grade note"
        );
        assert_eq!(
            words(lines[2]),
            "0 depth randrw 70% 4k 8 2 12.3k 1.0 50.6 1.30 ms - - 99.5 1.50 ms - 12.5 2.5 B drifts, time up"
        );
        assert!(lines[3].contains(" 2M ") && text.lines().all(|l| l.chars().count() <= 132), "{text}");
        study.asked.targets.push("/b".into());
        study.points.push(point(0, 1));
        study.points[0].cell.span = Some(1 << 30);
        let text = table(Lang::En, &study, 132);
        assert!(text.contains("target") && text.contains("1.07 GB") && text.contains(" all "), "{text}");
        println!("{text}");
        study.points.clear();
        assert!(table(Lang::En, &study, 132).contains("no points were measured"));
    }
}
