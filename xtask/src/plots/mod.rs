//! Comparison of charts: the same files of fio drawn by fio-plot, fio2gnuplot and fathom, each compared with the
//! numbers in the files.

mod broken;
mod source;
mod theirs;

use crate::Tally;
use anyhow::{Context as _, Result, bail};
use report::Lang;
use report::chart::{self, Chart, Form};
use source::Source;
use std::fmt::Write as _;
use std::path::Path;
use testbed::Sandbox;
use theirs::Theirs;

/// Values of iodepth in the tree of results.
const DEPTHS: [u32; 3] = [1, 2, 4];
/// Values of numjobs in the tree of results.
const JOBS: [u32; 2] = [1, 2];
/// Largest relative difference of two numbers that count as equal: sums may differ in their last digits.
const EQUAL: f64 = 1e-9;

/// One kind of chart of one input: the numbers in the source, in the other tool's chart and in fathom's.
struct Row {
    chart: String,
    what: &'static str,
    unit: &'static str,
    source: Vec<f64>,
    /// Numbers drawn by the other tool, or its error.
    theirs: Result<Vec<f64>, String>,
    ours: Vec<f64>,
    remark: &'static str,
}

impl Row {
    fn right(&self) -> bool {
        !self.source.is_empty() && self.source.len() == self.ours.len() && self.off(&self.ours) <= EQUAL
    }

    /// Returns the largest relative difference from the source.
    fn off(&self, values: &[f64]) -> f64 {
        let one = |(s, v): (&f64, &f64)| (s - v).abs() / s.abs().max(f64::MIN_POSITIVE);
        self.source.iter().zip(values).map(one).fold(0.0, f64::max)
    }

    /// Returns the index of the number that is shown: the one with the other tool's largest difference.
    fn shown(&self) -> usize {
        let Ok(theirs) = &self.theirs else { return 0 };
        let off =
            |at: usize| (self.source[at] - theirs[at]).abs() / self.source[at].abs().max(f64::MIN_POSITIVE);
        (0..self.source.len().min(theirs.len())).max_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(0)
    }

    fn line(&self) -> String {
        let at = self.shown();
        let number = |v: Option<&f64>| v.map_or("-".to_string(), |v| short(*v));
        let theirs = match &self.theirs {
            Ok(values) if values.len() != self.source.len() => {
                format!("{} ({} values, source {})", number(values.get(at)), values.len(), self.source.len())
            }
            Ok(values) => format!("{} ({:.2} % off)", number(values.get(at)), 100.0 * self.off(values)),
            Err(why) => why.clone(),
        };
        let equal =
            self.source.iter().zip(&self.ours).filter(|(s, o)| (*s - *o).abs() <= EQUAL * s.abs()).count();
        format!(
            "| {} | {}, {} | {} | {theirs} | {} | {equal} of {} | {} |",
            self.chart,
            self.what,
            self.unit,
            number(self.source.get(at)),
            number(self.ours.get(at)),
            self.source.len(),
            self.remark
        )
    }
}

fn short(value: f64) -> String {
    if value.abs() >= 1000.0 { format!("{value:.1}") } else { format!("{value:.4}") }
}

/// Makes the files, draws them with every tool and prints the table; `--write` also writes it to docs/plots.md.
///
/// # Errors
/// fio-plot is not installed, or a tool fails.
pub fn run(args: &[String]) -> Result<Tally> {
    let write = match args {
        [] => false,
        [one] if one == "--write" => true,
        _ => bail!("plots takes --write or nothing"),
    };
    let theirs = Theirs::find()?;
    let place = Sandbox::in_memory()?;
    theirs.bench(&place, "f", "out", &DEPTHS, &JOBS)?;
    theirs.bench(&place, "g", "out", &[1], &[1])?;
    let mut rows = over_the_grid(&theirs, &place)?;
    rows.extend(over_time(&theirs, &place)?);
    let broken = broken::all(&theirs)?;
    let mut tally = Tally::default();
    let mut page = String::from(HEAD);
    for row in &rows {
        let word = tally.add(row.right());
        if word != "ok" {
            println!("FAIL {}: source {:?}\n  ours {:?}", row.chart, row.source, row.ours);
        }
        writeln!(page, "{}", row.line())?;
    }
    page.push_str(BROKEN);
    for case in &broken {
        tally.add(case.right);
        writeln!(page, "| {} | {} | {} |", case.input, case.theirs, case.ours)?;
    }
    print!("{page}");
    if write {
        let path = crate::tool::workspace().join("docs/plots.md");
        std::fs::write(&path, page).with_context(|| path.display().to_string())?;
    }
    Ok(tally)
}

const HEAD: &str = "\
# The same files drawn by three tools

`cargo xtask plots --write` generates this page. A tree of results made by bench-fio (psync on a file in memory, 1 s each,
iodepth 1 2 4 by numjobs 1 2, reads and a 75 % mix) is drawn by fio-plot 1.1.21, by fio2gnuplot of fio 3.33 and by fathom.

| column | meaning |
|---|---|
| source | the value in the JSON or the log, extracted by code that does not draw |
| other tool | the value that fio-plot or fio2gnuplot passes to its plotter, and its largest relative error; the row shows the value with that error. If the numbers of values differ, both are given |
| fathom | the value that fathom draws |
| equal | how many of fathom's values equal the source |

Smoothed and trend lines use different methods (fio2gnuplot: gnuplot's csplines and Bezier curves; fathom: a moving mean and
LOWESS), so the values under them are compared.

| chart | value, unit | source | other tool | fathom | equal | remark |
|---|---|---|---|---|---|---|
";

const BROKEN: &str = "
## Malformed and unusual inputs

| input | fio-plot, fio2gnuplot | fathom |
|---|---|---|
";

/// Returns the chart of fathom with this identifier.
fn find<'a>(charts: &'a [Chart], id: &str) -> Result<&'a Chart> {
    let names = || charts.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join(" ");
    charts.iter().find(|c| c.id == id).with_context(|| format!("no chart {id:?} among {}", names()))
}

/// Returns the bars of the series with this name.
fn bars(chart: &Chart, name: &str) -> Result<Vec<f64>> {
    let names = || chart.form.series().iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(", ");
    let line = chart.form.series().iter().find(|l| l.name == name);
    let line = line.with_context(|| format!("no series {name:?} among {}", names()))?;
    Ok(line.points.iter().filter_map(|dot| dot.y).collect())
}

/// Returns the cells of a heat map, row by row of the depths.
fn heat(chart: &Chart) -> Vec<f64> {
    let Form::Heat { cells, .. } = &chart.form else { return Vec::new() };
    let mut cells = cells.clone();
    cells.sort_by_key(|(x, y, _)| (*x, *y));
    cells.into_iter().map(|(.., v)| v).collect()
}

fn scaled(values: &[f64], by: f64) -> Vec<f64> {
    values.iter().map(|v| v * by).collect()
}

/// Compares charts of results: over iodepth, over jobs, over both, histogram, several directories.
fn over_the_grid(theirs: &Theirs, place: &Sandbox) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (dir, rw, side, remark) in [
        (
            "out/f/4k",
            "randread",
            "read",
            "two jobs: fio-plot averages the jobs' means, fathom averages all I/Os",
        ),
        ("out/f/randrw75/4k", "randrw", "write", ""),
    ] {
        let path = place.join(dir);
        let source = Source::of_tree(&path, side)?;
        let loads = import::read(std::slice::from_ref(&path))?.measured;
        let charts = chart::files::grids(&loads, Lang::En);
        let of = |form: &str, what: &str| {
            let tail = |c: &&Chart| c.id.starts_with(&format!("{form}-{what}-")) && c.section.starts_with(rw);
            let own = |c: &&Chart| rw == "randread" || c.section.contains(side);
            charts.iter().filter(tail).find(own).with_context(|| format!("no chart {form} {what}"))
        };
        let ask = |args: &str, key: &str| theirs.plot(&[&path], rw, side, args, key);
        for (what, key, unit) in [("iops", "iops_series_raw", "1/s"), ("latency", "lat_series_raw", "ns")] {
            let figure =
                |d: u32, j: u32| source.cell(d, j).map(|c| if what == "iops" { c.iops } else { c.mean_ns });
            let own_remark = if what == "latency" { remark } else { "" };
            let drawn = |text: &str| ask(text, "get_record_set").map(|v| theirs::numbers(&v[key]));
            rows.push(Row {
                chart: format!("fio-plot -l, {rw} {side}"),
                what,
                unit,
                source: DEPTHS.iter().map(|d| figure(*d, 2)).collect::<Result<_>>()?,
                theirs: drawn("-l -n 2 -d 1 2 4"),
                ours: bars(of("by-depth", what)?, "numjobs 2")?,
                remark: own_remark,
            });
            rows.push(Row {
                chart: format!("fio-plot -N, {rw} {side}"),
                what,
                unit,
                source: JOBS.iter().map(|j| figure(4, *j)).collect::<Result<_>>()?,
                theirs: drawn("-N -d 4 -n 1 2"),
                ours: bars(of("by-jobs", what)?, "iodepth 4")?,
                remark: own_remark,
            });
        }
        for (what, kind, unit) in [("iops", "iops", "1/s"), ("latency", "lat", "ns"), ("rate", "bw", "KiB/s")]
        {
            let mut cells = Vec::new();
            for (d, j) in DEPTHS.iter().flat_map(|d| JOBS.iter().map(move |j| (*d, *j))) {
                let cell = source.cell(d, j)?;
                cells.push(match kind {
                    "iops" => cell.iops,
                    "lat" => cell.mean_ns,
                    _ => cell.bytes_per_second / 1024.0,
                });
            }
            let drawn = ask(&format!("-L -t {kind} -d 1 2 4 -n 1 2"), "get_record_set_3d");
            rows.push(Row {
                chart: format!("fio-plot -L -t {kind}, {rw} {side}"),
                what: "every cell",
                unit,
                source: cells,
                theirs: drawn.map(|v| theirs::numbers(&v["values"])),
                ours: scaled(&heat(of("grid", what)?), if kind == "bw" { 1.0 / 1024.0 } else { 1.0 }),
                remark: if kind == "bw" {
                    "fio-plot adds the jobs' KiB/s, each rounded down, and labels the sum KB/s"
                } else {
                    "fio-plot rounds its values"
                },
            });
        }
    }
    rows.push(histogram(theirs, place)?);
    rows.extend(compared(theirs, place)?);
    Ok(rows)
}

/// Compares the histogram (`-H`) of fio's latency ranges.
fn histogram(theirs: &Theirs, place: &Sandbox) -> Result<Row> {
    let path = place.join("out/f/4k/randread-1-1.json");
    let source: Vec<f64> = source::ranges(&path)?;
    let loads = import::read(std::slice::from_ref(&path))?.measured;
    let charts = chart::files::grids(&loads, Lang::En);
    let chart = charts.iter().find(|c| c.id.starts_with("ranges-")).context("no histogram")?;
    let ours: Vec<f64> = chart.form.series()[0].points.iter().filter_map(|d| d.y).collect();
    let drawn = theirs.plot(
        &[&place.join("out/f/4k")],
        "randread",
        "read",
        "-H -d 1 -n 1",
        "get_record_set_histogram",
    );
    let keys = ["latency_ns", "latency_us", "latency_ms"];
    // The chart of fathom leaves out empty ranges at both ends.
    let some = |v: &f64| *v > 0.0;
    let trimmed = |all: Vec<f64>| match (all.iter().position(some), all.iter().rposition(some)) {
        (Some(a), Some(b)) => all[a..=b].to_vec(),
        _ => Vec::new(),
    };
    Ok(Row {
        chart: "fio-plot -H, randread".into(),
        what: "share of each range",
        unit: "%",
        source: trimmed(source),
        theirs: drawn
            .map(|v| trimmed(keys.iter().flat_map(|k| theirs::numbers(&v["data"][*k][0])).collect())),
        ours,
        remark: "for json+ files, fathom draws the buckets",
    })
}

/// Compares the chart of two directories (`-C`).
fn compared(theirs: &Theirs, place: &Sandbox) -> Result<Vec<Row>> {
    let dirs = ["out/f/4k", "out/g/4k"].map(|d| place.join(d));
    let files = dirs.clone().map(|d| d.join("randread-1-1.json"));
    let loads = import::read(&files)?.measured;
    let charts = chart::load::charts(&loads, Lang::En);
    let drawn =
        || theirs.plot(&[&dirs[0], &dirs[1]], "randread", "read", "-C -d 1 -n 1", "get_record_set_improved");
    let mut rows = Vec::new();
    for (what, id, series, key, unit) in [
        ("iops", "bars-iops", "IOPS", "iops_series_raw", "1/s"),
        ("latency", "bars-latency", "mean", "lat_series_raw", "ns"),
    ] {
        let cell = |dir: &Path| -> Result<f64> {
            let source = Source::of_tree(dir, "read")?;
            source.cell(1, 1).map(|c| if what == "iops" { c.iops } else { c.clat_ns })
        };
        rows.push(Row {
            chart: "fio-plot -C, two directories".into(),
            what,
            unit,
            source: dirs.iter().map(|d| cell(d)).collect::<Result<_>>()?,
            theirs: drawn().map(|v| theirs::numbers(&v[key])),
            ours: bars(find(&charts, id)?, series)?,
            remark: if what == "latency" {
                "fio-plot shows the mean of lat; fathom that of clat, beside the percentiles of clat"
            } else {
                ""
            },
        });
    }
    Ok(rows)
}

/// Compares charts of logs over time.
fn over_time(theirs: &Theirs, place: &Sandbox) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let path = place.join("out/f/randrw75/4k");
    for (kind, unit, scale) in [("iops", "1/s", 1.0), ("bw", "KiB/s", 1024.0), ("lat", "ns", 1.0)] {
        for jobs in JOBS {
            let stem = format!("randrw-iodepth-2-numjobs-{jobs}");
            let logs: Vec<_> = (1..=jobs).map(|j| path.join(format!("{stem}_{kind}.{j}.log"))).collect();
            let iops: Vec<_> = (1..=jobs).map(|j| path.join(format!("{stem}_iops.{j}.log"))).collect();
            let mut found = import::read(&logs)?;
            if kind == "lat" {
                found.tracks.extend(import::read(&iops)?.tracks);
            }
            let charts = chart::files::over_time(&found.tracks, &[], Lang::En);
            let chart = find(&charts, &format!("log-{kind}-{stem}-read"))?;
            let drawn = theirs.plot(
                &[&path],
                "randrw",
                "read",
                &format!("-g -t {kind} -d 2 -n {jobs}"),
                "process_dataset",
            );
            rows.push(Row {
                chart: format!("fio-plot -g -t {kind}, randrw read, jobs: {jobs}"),
                what: "every point",
                unit,
                source: source::over_time(&logs, &iops, kind, 0)?,
                theirs: drawn.map(|v| theirs::line(&v, "read")),
                ours: scaled(&bars(chart, "as logged")?, 1.0 / scale),
                remark: match (kind, jobs) {
                    ("lat", 2) => "fio-plot averages line n of both jobs without weights",
                    (_, 2) => "fio-plot adds line n of one job to line n of the other",
                    _ => "",
                },
            });
            if kind == "lat" && jobs == 1 {
                rows.push(percentile(theirs, place)?);
            }
        }
    }
    rows.extend(gnuplot(theirs, place)?);
    Ok(rows)
}

/// Compares the percentile in the legend of fio-plot.
fn percentile(theirs: &Theirs, place: &Sandbox) -> Result<Row> {
    let path = place.join("out/f/4k");
    let file = path.join("randread-1-1.json");
    let loads = import::read(std::slice::from_ref(&file))?.measured;
    let charts = chart::load::charts(&loads, Lang::En);
    let drawn = theirs.plot(&[&path], "randread", "read", "-g -t clat -d 1 -n 1 -p 99", "process_dataset");
    let unit = |label: &str| {
        if label.contains("ms") {
            1e6
        } else if label.contains("ns") {
            1.0
        } else {
            1e3
        }
    };
    Ok(Row {
        chart: "fio-plot -g -t clat -p 99, randread".into(),
        what: "99th percentile",
        unit: "ns",
        source: vec![source::clat_p99(&file)?],
        theirs: drawn.map(|v| {
            let read = &v["dataset"][0]["read"];
            scaled(&theirs::numbers(&read["percentile"]), unit(read["ylabel"].as_str().unwrap_or("")))
        }),
        ours: bars(find(&charts, "bars-latency")?, "p99")?,
        remark: "fio-plot computes the percentile of averages over 0.1 s, not of I/Os; fathom shows fio's percentile",
    })
}

/// Compares fio2gnuplot's figures of each file.
fn gnuplot(theirs: &Theirs, place: &Sandbox) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (dir, flag, kind, scale, remark) in [
        ("out/f/4k", "-b", "bw", 1024.0, "fio2gnuplot rounds its values"),
        ("out/f/4k", "-i", "iops", 1.0, "fio2gnuplot rounds its values"),
        (
            "out/f/randrw75/4k",
            "-b",
            "bw",
            1024.0,
            "only reads are compared; fio2gnuplot mixes reads and writes of a file",
        ),
    ] {
        let given = theirs.gnuplot(&place.join(dir), flag, kind)?;
        let found = import::read(&given.files)?;
        let reads: Vec<_> =
            found.tracks.into_iter().filter(|t| t.direction == stats::Direction::Read).collect();
        let charts = chart::files::over_time(&reads, &[], Lang::En);
        let chart = find(&charts, &format!("per-file-{kind}"))?;
        let all: Vec<[f64; 2]> = reads.iter().flat_map(|t| t.samples.clone()).collect();
        let whole = stats::log_series::figures(&all).context("no samples")?;
        for (at, name) in ["minimum", "mean", "maximum", "standard deviation"].into_iter().enumerate() {
            let figures = |f: &source::Figures| [f.min, f.mean, f.max, f.stddev][at];
            let mut per_file: Vec<f64> =
                given.files.iter().map(|f| Ok(figures(&source::figures(&[f], 0)?))).collect::<Result<_>>()?;
            let mut ours = scaled(&bars(chart, name)?, 1.0 / scale);
            let mut drawn = given.figures[at].clone();
            // fio2gnuplot also prints figures over all files.
            per_file.push(figures(&source::figures(&given.files.iter().collect::<Vec<_>>(), 0)?));
            ours.push([whole.min, whole.mean, whole.max, whole.stddev][at] / scale);
            drawn.push(given.global[at]);
            rows.push(Row {
                chart: format!(
                    "fio2gnuplot {flag}, {}",
                    if dir.contains("randrw") { "randrw" } else { "randread" }
                ),
                what: [
                    "minimum per file and overall",
                    "mean per file and overall",
                    "maximum per file and overall",
                    "standard deviation per file and overall",
                ][at],
                unit: if kind == "bw" { "KiB/s" } else { "1/s" },
                source: per_file,
                theirs: Ok(drawn),
                ours,
                remark,
            });
        }
        let first = import::read(&given.files[..1])?;
        let charts = chart::files::over_time(&first.tracks, &[], Lang::En);
        let id = charts.iter().map(|c| c.id.clone()).find(|id| id.ends_with("-read")).context("no chart")?;
        rows.push(Row {
            chart: format!(
                "fio2gnuplot {flag} 2Draw, {}",
                if dir.contains("randrw") { "randrw" } else { "randread" }
            ),
            what: "every point of the first file",
            unit: if kind == "bw" { "KiB/s" } else { "1/s" },
            source: source::samples(&given.files[0], 0)?.iter().map(|s| s[1]).collect(),
            theirs: Ok(given.first.clone()),
            ours: scaled(&bars(find(&charts, &id)?, "as logged")?, 1.0 / scale),
            remark: if dir.contains("randrw") {
                "fio2gnuplot draws the writes between the reads"
            } else {
                ""
            },
        });
    }
    Ok(rows)
}
