//! The table of a sweep, its best rows, and what limits them.

use crate::catalog::{say, word};
use crate::labels::{block, pattern};
use crate::scale::{bytes, megabytes, percent, seconds, short, time};
use crate::terms::stack;
use crate::words::lab::failure;
use crate::words::note::note;
use crate::{Grid, Lang, columns, export, findings, fit_end, hang, lay, prose_width};

use stats::estimate::Estimate;
use stats::finding::Finding;
use stats::study::{Access, Study, Why};
use stats::sweep::{
    SweepAsked, SweepBest, SweepCell, SweepEdge, SweepNoBest, SweepNoBestReason, SweepRow, SweepTable, best,
    rows, without_best,
};
use std::path::Path;

/// Returns the table of a sweep with its best rows, in lines of at most `width` columns (`usize::MAX`: a file or pipe),
/// newline at the end.
pub fn render(lang: Lang, study: &Study, width: usize) -> String {
    let Some(asked) = &study.asked.sweep else { return String::new() };
    let (screen, width) = (width, prose_width(width));
    let all = rows(study);
    let mut lines = head(lang, study, asked, screen);
    for (title, rows) in parts(asked, &all) {
        lines.push(String::new());
        lines.extend(hang(&title, width));
        lines.extend(table(lang, asked, &rows, screen));
    }
    lines.push(String::new());
    let tail = tail(lang, study, asked, &all);
    lines.extend(tail.iter().flat_map(|line| hang(line, width)));
    lay(&lines)
}

/// The study with the rows that follow from it.
#[derive(serde::Serialize)]
struct SweepDocument<'a> {
    rows: Vec<NamedRow<'a>>,
    best: Vec<SweepBest>,
    #[serde(flatten)]
    study: &'a Study,
}

/// A row with the options of its cell.
#[derive(serde::Serialize)]
struct NamedRow<'a> {
    #[serde(flatten)]
    load: &'a SweepCell,
    /// Product of `iodepth` and `numjobs`.
    product: u32,
    #[serde(flatten)]
    row: SweepRow,
}

/// Returns the sweep as one JSON document: the study, with its rows and the best of them; newline at the end.
pub fn json(study: &Study) -> String {
    let Some(asked) = &study.asked.sweep else { return export::json(study) };
    let all = rows(study);
    let best = best(study, &all);
    let named = |row: SweepRow| {
        let load = &asked.cells[row.cell];
        NamedRow { load, product: load.in_flight(), row }
    };
    export::json(&SweepDocument { rows: all.into_iter().map(named).collect(), best, study })
}

/// Returns the line before a sweep begins: cells, visits and the time that they need at least.
pub fn plan(lang: Lang, asked: &SweepAsked, visits_left: usize, seed: u64) -> String {
    let (cells, visits) = (asked.cells.len() - asked.imported.len(), asked.repeats);
    let time = duration(seconds_left(asked, visits_left, seed));
    say!(lang, "sweep-plan", cells, visits, left = visits_left, time, seed = seed.to_string())
}

/// Returns the time that the visits which are left need at least, seconds.
fn seconds_left(asked: &SweepAsked, visits_left: usize, seed: u64) -> f64 {
    asked.seconds() * visits_left as f64 / asked.order(seed).len().max(1) as f64
}

/// What a dry run of a sweep says, as data.
#[derive(serde::Serialize)]
struct PlanDocument<'a> {
    target: &'a str,
    /// Number of cells that are measured.
    cells: usize,
    /// Visits to each cell.
    repeats: u32,
    visits_left: usize,
    /// Shortest time of the visits that are left.
    seconds: f64,
    seed: u64,
    /// Reason why the sweep would not begin.
    refused: Option<String>,
}

/// Returns what [`plan`] says, and why the sweep would not begin, as one JSON document, newline at the end.
pub fn plan_json(
    target: &str,
    asked: &SweepAsked,
    visits_left: usize,
    seed: u64,
    refused: Option<String>,
) -> String {
    export::json(&PlanDocument {
        target,
        cells: asked.cells.len() - asked.imported.len(),
        repeats: asked.repeats,
        visits_left,
        seconds: seconds_left(asked, visits_left, seed),
        seed,
        refused,
    })
}

/// Returns a time for a forecast: `45 s`, `12 min`, `3.5 h`.
fn duration(s: f64) -> String {
    match s {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Returns that a file of a bench-fio tree contains an error and its cell is measured again.
pub fn again(lang: Lang, path: &Path) -> String {
    say!(lang, "sweep-again", path = path.to_string_lossy())
}

/// Returns that results are written into a tree.
pub fn wrote(lang: Lang, files: usize, tree: &str) -> String {
    say!(lang, "sweep-wrote", files, tree)
}

/// Returns that a tree of bench-fio has no result of the grid in the directory of the target.
pub fn nothing_imported(lang: Lang, directory: &Path) -> String {
    say!(lang, "sweep-nothing-imported", path = directory.to_string_lossy())
}

/// Returns that a target of `size` bytes with sectors of `sector` bytes can have no cell of the grid.
pub fn nothing_fits(lang: Lang, size: u64, sector: u64) -> String {
    say!(lang, "sweep-nothing-fits", size = size.to_string(), sector)
}

/// Returns that only the reading patterns of a table are measured.
pub fn reads_only(lang: Lang, target: &str) -> String {
    say!(lang, "sweep-reads-only", target)
}

/// Returns that the cells of a grid are too many.
pub fn too_many(lang: Lang, most: usize) -> String {
    say!(lang, "sweep-too-many", most)
}

fn head(lang: Lang, study: &Study, asked: &SweepAsked, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for target in &study.targets {
        let size = bytes(target.size);
        let size = if target.scratch { say!(lang, "explore-scratch-file", size) } else { size };
        let rest = format!("   {size}   {}", stack(lang, &target.stack));
        let room = width.saturating_sub(columns(&rest)).max(24);
        lines.push(format!("{}{rest}", fit_end(&target.name, room)));
    }
    let (cells, visits, made) = (asked.cells.len() - asked.imported.len(), asked.repeats, study.points.len());
    let order = cells * visits as usize;
    lines.push(say!(lang, "sweep-head", cells, visits, made, order, seed = study.asked.seed.to_string()));
    lines.into_iter().flat_map(|line| hang(line.trim_end(), prose_width(width))).collect()
}

/// Returns the parts of a table: the grid is one, the tables of the study have one for each pattern.
fn parts<'a>(asked: &SweepAsked, rows: &'a [SweepRow]) -> Vec<(String, Vec<&'a SweepRow>)> {
    let mut parts: Vec<(String, Vec<&SweepRow>)> = Vec::new();
    for row in rows {
        let cell = &asked.cells[row.cell];
        let title = match asked.table {
            SweepTable::Grid => constants(asked),
            SweepTable::Bs => format!("{}{}", cell.access.rw, reads(cell)),
            _ => pattern(&cell.access),
        };
        match parts.iter_mut().find(|(known, _)| *known == title) {
            Some((_, part)) => part.push(row),
            None => parts.push((title, vec![row])),
        }
    }
    parts
}

fn reads(cell: &SweepCell) -> String {
    share(&cell.access)
}

/// Returns the share of reads of a mix, with a space before it; empty for other patterns.
fn share(access: &Access) -> String {
    access.reads.map(|r| format!(" {r}%")).unwrap_or_default()
}

/// Option of a cell as a column: name and value.
type Key = (&'static str, fn(&SweepCell) -> String);

const KEYS: [Key; 5] = [
    ("rw", |c| format!("{}{}", c.access.rw, reads(c))),
    ("bs", |c| block(c.access.bs)),
    ("numjobs", |c| c.numjobs.to_string()),
    ("iodepth", |c| c.iodepth.to_string()),
    ("runtime", |c| format!("{}", c.runtime_s)),
];

/// Returns whether the cells of a sweep have several values of an option.
fn varies(asked: &SweepAsked, key: &Key) -> bool {
    let first = asked.cells.first().map(key.1);
    asked.cells.iter().any(|cell| Some(key.1(cell)) != first)
}

/// Returns the options that all cells share.
fn constants(asked: &SweepAsked) -> String {
    let shared = KEYS.iter().filter(|key| !varies(asked, key));
    let words = shared.filter_map(|key| Some(format!("{}={}", key.0, key.1(asked.cells.first()?))));
    words.collect::<Vec<_>>().join(" ")
}

fn keys(asked: &SweepAsked) -> Vec<Key> {
    let named = |names: &[&str]| KEYS.into_iter().filter(|key| names.contains(&key.0)).collect();
    match asked.table {
        SweepTable::Grid => KEYS.into_iter().filter(|key| varies(asked, key)).collect(),
        SweepTable::Runtime => named(&["runtime"]),
        SweepTable::Bs => named(&["bs"]),
        SweepTable::Iodepth => named(&["iodepth"]),
        SweepTable::Numjobs => named(&["numjobs"]),
        SweepTable::Product => {
            let mut keys: Vec<Key> = named(&["numjobs", "iodepth"]);
            keys.push(("product", |c| c.in_flight().to_string()));
            keys
        }
        SweepTable::Curve => {
            let mut keys: Vec<Key> = KEYS[2..4].iter().copied().filter(|key| varies(asked, key)).collect();
            keys.push(("%", |c| c.percent.map_or("max".into(), |p| format!("{p}"))));
            keys
        }
    }
}

fn half(estimate: &Estimate) -> String {
    match estimate.within_percent().filter(|_| estimate.is_known()) {
        Some(half) => format!("{half:.1}"),
        None => "-".into(),
    }
}

fn table(lang: Lang, asked: &SweepAsked, rows: &[&SweepRow], width: usize) -> Vec<String> {
    let keys = keys(asked);
    let util = rows.iter().any(|row| row.util_percent.is_some());
    let curve = asked.table == SweepTable::Curve;
    let mut head: Vec<String> = keys.iter().map(|key| key.0.to_string()).collect();
    if curve {
        head.push(word!(lang, "sweep-offered").into());
    }
    let commits = rows.iter().filter(|row| asked.cells[row.cell].access.commits()).count();
    let latency = match commits {
        0 => word!(lang, "sweep-mean-latency"),
        n if n == rows.len() => word!(lang, "sweep-commit-latency"),
        _ => word!(lang, "sweep-latency-or-commit"),
    };
    head.extend(["IOPS", "+-%", "MB/s", latency, "+-%", "p50", "p99", "p99.9"].map(String::from));
    head.extend(util.then(|| "util%".to_string()));
    head.extend([word!(lang, "sweep-visits"), word!(lang, "sweep-grade")].map(String::from));
    let ns = |value: Option<u64>| value.map_or("-".to_string(), |ns| time(ns as f64));
    let row = |row: &&SweepRow| {
        let cell = &asked.cells[row.cell];
        let mut line: Vec<String> = keys.iter().map(|key| key.1(cell)).collect();
        if curve {
            line.push(row.offered.map_or("-".into(), short));
        }
        let mean = if row.mean_ns.value > 0.0 { time(row.mean_ns.value) } else { "-".into() };
        let mark = if saturated(cell, row) { "*" } else { "" };
        line.extend([
            short(row.iops.value),
            half(&row.iops),
            megabytes(row.bytes_per_second.value as u64),
            format!("{mark}{mean}"),
            half(&row.mean_ns),
            ns(row.p50_ns),
            ns(row.p99_ns),
            ns(row.p999_ns),
        ]);
        line.extend(util.then(|| row.util_percent.map_or("-".into(), |util| format!("{util:.1}"))));
        line.push(match (row.imported, row.unusable) {
            (true, _) => "fio".into(),
            (false, 0) => row.visits.to_string(),
            // Of visits that are all unusable, none is left out.
            (false, _) if row.grade == Some(stats::Grade::NotTheDevice) => row.visits.to_string(),
            (false, more) => format!("{}/{}", row.visits, row.visits + more),
        });
        line.push(row.grade.map_or("-", stats::Grade::letter).into());
        line
    };
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().map(row)).collect();
    let text = asked.table == SweepTable::Grid && keys.first().is_some_and(|key| key.0 == "rw");
    let keyed = keys.len().max(1);
    Grid { keys: keyed, to_right: |column| column > 0 || !text, gap: 2 }.lines(&lines, width)
}

/// Returns whether an offered rate was not reached, so that the latency grows as long as the load lasts.
fn saturated(cell: &SweepCell, row: &SweepRow) -> bool {
    let missed = row.offered.is_some_and(|offered| row.iops.high < 0.98 * offered);
    missed || cell.percent.is_some_and(|percent| percent >= 100.0)
}

fn load_name(cell: &SweepCell) -> String {
    format!("iodepth={} numjobs={}", cell.iodepth, cell.numjobs)
}

fn between(estimate: &Estimate) -> (String, String) {
    (short(estimate.low), short(estimate.high))
}

fn best_line(lang: Lang, asked: &SweepAsked, rows: &[SweepRow], best: &SweepBest) -> String {
    let (row, top) = (&rows[best.row], &rows[best.highest]);
    let cell = &asked.cells[row.cell];
    let latency = time(row.mean_ns.value);
    let mut parts = Vec::new();
    if asked.table == SweepTable::Bs {
        let pattern = format!("{}{}", cell.access.rw, reads(cell));
        let (used, rate) = (block(cell.access.bs), megabytes(row.bytes_per_second.value as u64));
        let (low, high) =
            (megabytes(row.bytes_per_second.low as u64), megabytes(row.bytes_per_second.high as u64));
        parts.push(say!(lang, "sweep-best-bs", pattern, used, rate, low, high, latency));
        if best.is_higher {
            let (load, rate) =
                (block(asked.cells[top.cell].access.bs), megabytes(top.bytes_per_second.value as u64));
            parts.push(say!(lang, "sweep-highest-bs", load, rate));
        }
    } else {
        let (pattern, used, rate) = (pattern(&cell.access), load_name(cell), short(row.iops.value));
        let (low, high) = between(&row.iops);
        parts.push(say!(lang, "sweep-best", pattern, used, rate, low, high, latency));
        if best.is_higher {
            let (load, rate) = (load_name(&asked.cells[top.cell]), short(top.iops.value));
            parts.push(say!(lang, "sweep-highest", load, rate));
        }
    }
    let name = |edge: &SweepEdge| match edge {
        SweepEdge::Iodepth => "iodepth",
        SweepEdge::Numjobs => "numjobs",
        SweepEdge::Bs => "bs",
    };
    if !best.at_edge.is_empty() {
        let options = best.at_edge.iter().map(name).collect::<Vec<_>>().join(", ");
        parts.push(say!(lang, "sweep-edge", options));
    }
    if best.unusable > 0 {
        parts.push(say!(lang, "sweep-unusable", rows = best.unusable));
    }
    if best.missing > 0 {
        parts.push(say!(lang, "sweep-provisional", visits = best.missing));
    }
    parts.join(word!(lang, "explore-separator"))
}

/// Returns why a pattern has no best row.
fn no_best(lang: Lang, asked: &SweepAsked, rows: &[SweepRow], none: &SweepNoBest) -> String {
    let pattern = match &none.access {
        access if access.bs == 0 => format!("{}{}", access.rw, share(access)),
        access => pattern(access),
    };
    match none.why {
        SweepNoBestReason::Unvisited { cells, of } => say!(lang, "sweep-no-best-yet", pattern, cells, of),
        SweepNoBestReason::NotTheDevice { usable, of } => say!(lang, "sweep-no-best", pattern, usable, of),
        SweepNoBestReason::NoInterval { row } => {
            let cell = &asked.cells[rows[row].cell];
            let used = match asked.table {
                SweepTable::Bs => format!("bs={}", block(cell.access.bs)),
                _ => load_name(cell),
            };
            match rows[row].imported {
                true => say!(lang, "sweep-no-best-imported", pattern, used),
                false => say!(lang, "sweep-no-best-no-interval", pattern, used),
            }
        }
        SweepNoBestReason::Uncertain { row } => {
            let (row, cell) = (&rows[row], &asked.cells[rows[row].cell]);
            let (used, half) = match asked.table {
                SweepTable::Bs => {
                    (format!("bs={}", block(cell.access.bs)), row.bytes_per_second.half_percent())
                }
                _ => (load_name(cell), row.iops.half_percent()),
            };
            say!(lang, "sweep-no-best-uncertain", pattern, used, half = format!("{half:.0}"))
        }
    }
}

fn tail(lang: Lang, study: &Study, asked: &SweepAsked, rows: &[SweepRow]) -> Vec<String> {
    let mut lines: Vec<String> =
        best(study, rows).iter().map(|one| best_line(lang, asked, rows, one)).collect();
    lines.extend(without_best(study, rows).iter().map(|one| no_best(lang, asked, rows, one)));
    if rows.iter().any(|row| saturated(&asked.cells[row.cell], row)) {
        lines.push(say!(lang, "sweep-saturated"));
    }
    let longer = rows.iter().filter(|row| {
        let cell = &asked.cells[row.cell];
        !row.imported && row.seconds > 1.05 * f64::from(row.visits) * cell.runtime_s.max(1.0)
    });
    let longer = longer.count();
    if longer > 0 {
        lines.push(say!(lang, "sweep-longer", rows = longer));
    }
    lines.extend(found(lang, asked, rows));
    if !asked.imported.is_empty() {
        let (cells, tree) = (asked.imported.len(), asked.bench_fio.as_deref().unwrap_or_default());
        lines.push(say!(lang, "sweep-imported", cells, tree));
    }
    if !asked.left_out.is_empty() {
        lines.push(say!(lang, "sweep-left-out", cells = asked.left_out.len()));
    }
    let errors: u64 = rows.iter().map(|row| row.errors).sum();
    if errors > 0 {
        let errors = errors.to_string();
        lines.push(say!(lang, "sweep-errors", errors));
    }
    for one in &study.unanswered {
        let Why::Failed { text } = &one.why else { continue };
        let (pattern, why) = (pattern(&one.access), failure(lang, text));
        let line = say!(lang, "sweep-failed", pattern, why);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.extend(study.notes.iter().map(|fact| note(lang, fact)));
    lines.push(match asked.repeats {
        1 => say!(lang, "sweep-legend-one"),
        _ => say!(lang, "sweep-legend"),
    });
    let spent = seconds(study.points.iter().map(|p| p.rest_s + p.seconds).sum());
    lines.push(match (study.id, study.complete) {
        (0, _) => say!(lang, "sweep-spent", spent),
        (id, true) => say!(lang, "sweep-spent-show", spent, id),
        (id, false) => say!(lang, "sweep-resume", id),
    });
    lines
}

/// Returns the findings of all rows, each rule once with the share of rows that have it, and with the row whose
/// figures it has.
fn found(lang: Lang, asked: &SweepAsked, rows: &[SweepRow]) -> Vec<String> {
    let mut all: Vec<(&Finding, &SweepRow, usize)> = Vec::new();
    for (row, finding) in rows.iter().flat_map(|row| row.findings.iter().map(move |f| (row, f))) {
        match all.iter_mut().find(|(known, ..)| known.claim.rule() == finding.claim.rule()) {
            Some((known, of, count)) => {
                *count += 1;
                if known.claim.grade() < finding.claim.grade() {
                    (*known, *of) = (finding, row);
                }
            }
            None => all.push((finding, row, 1)),
        }
    }
    all.sort_by_key(|(finding, ..)| std::cmp::Reverse(finding.claim.grade()));
    let line = |(finding, row, count): (&Finding, &SweepRow, usize)| {
        let share = percent(100.0 * count as f64 / rows.len().max(1) as f64);
        let statement = findings::line(lang, finding);
        let cell = &asked.cells[row.cell];
        let load = keys(asked).into_iter().map(|key| format!("{}={}", key.0, key.1(cell)));
        let load = load.collect::<Vec<_>>().join(" ");
        // The figures of a finding about one row are those of that row.
        match finding.claim.is_about_target() || load.is_empty() {
            true => say!(lang, "sweep-finding", share, statement),
            false => say!(lang, "sweep-finding-row", share, load, statement),
        }
    };
    all.into_iter().map(line).collect()
}
