//! Results in the form of Iometer 1.1.0's `results.csv`: its columns in its order, with its words.

use job::access_spec;
use job::job::AccessLine;
use stats::iometer::{Figures, RANGES, Replies, ResultRow, Results, RowOf};
use stats::{JobOutcome, RunResult};
use std::fmt::Write as _;

/// Version of the form.
const VERSION: &str = "1.1.0";
/// Ticks per second of the columns with raw times, which are in nanoseconds.
const TICKS: &str = "1000000000";
/// Heading of the columns.
pub const COLUMNS: [&str; 80] = [
    "'Target Type",
    "Target Name",
    "Access Specification Name",
    "# Managers",
    "# Workers",
    "# Disks",
    "IOps",
    "Read IOps",
    "Write IOps",
    "MiBps (Binary)",
    "Read MiBps (Binary)",
    "Write MiBps (Binary)",
    "MBps (Decimal)",
    "Read MBps (Decimal)",
    "Write MBps (Decimal)",
    "Transactions per Second",
    "Connections per Second",
    "Average Response Time",
    "Average Read Response Time",
    "Average Write Response Time",
    "Average Transaction Time",
    "Average Connection Time",
    "Maximum Response Time",
    "Maximum Read Response Time",
    "Maximum Write Response Time",
    "Maximum Transaction Time",
    "Maximum Connection Time",
    "Errors",
    "Read Errors",
    "Write Errors",
    "Bytes Read",
    "Bytes Written",
    "Read I/Os",
    "Write I/Os",
    "Connections",
    "Transactions per Connection",
    "Total Raw Read Response Time",
    "Total Raw Write Response Time",
    "Total Raw Transaction Time",
    "Total Raw Connection Time",
    "Maximum Raw Read Response Time",
    "Maximum Raw Write Response Time",
    "Maximum Raw Transaction Time",
    "Maximum Raw Connection Time",
    "Total Raw Run Time",
    "Starting Sector",
    "Maximum Size",
    "Queue Depth",
    "% CPU Utilization",
    "% User Time",
    "% Privileged Time",
    "% DPC Time",
    "% Interrupt Time",
    "Processor Speed",
    "Interrupts per Second",
    "CPU Effectiveness",
    "Packets/Second",
    "Packet Errors",
    "Segments Retransmitted/Second",
    "0 to 50 uS",
    "50 to 100 uS",
    "100 to 200 uS",
    "200 to 500 uS",
    "0.5 to 1 mS",
    "1 to 2 mS",
    "2 to 5 mS",
    "5 to 10 mS",
    "10 to 15 mS",
    "15 to 20 mS",
    "20 to 30 mS",
    "30 to 50 mS",
    "50 to 100 mS",
    "100 to 200 mS",
    "200 to 500 mS",
    "0.5 to 1 S",
    "1 to 2 s",
    "2 to 4.7 s",
    "4.7 to 5 s",
    "5 to 10 s",
    " >= 10 s",
];

/// Returns the lines of a job's access specification, which may be in the global section.
fn lines(run: &RunResult, job: &JobOutcome) -> Vec<AccessLine> {
    let typed = |option: &str| {
        let all = job.options.iter().rev().chain(run.provenance.global_options.iter().rev());
        all.into_iter().find(|(name, _)| name == option).map(|(_, text)| text.as_str())
    };
    let base = typed("kb_base").and_then(|text| text.parse().ok()).unwrap_or(1024);
    if let Some(Ok(lines)) = typed("access_spec").map(|text| access_spec::access_spec(text, base)) {
        return lines;
    }
    let access = &job.load.access;
    let reads = match access.rw.trim_start_matches("rand") {
        "read" => 100,
        "write" | "trim" | "trimwrite" => 0,
        _ => access.reads.unwrap_or(50).min(100) as u8,
    };
    let random = if access.rw.starts_with("rand") { 100 } else { 0 };
    let line =
        AccessLine { size: access.bs, share: 100, reads, random, delay_ms: 0, burst: 1, align: 0, reply: 0 };
    vec![line]
}

fn replies(run: &RunResult, job: &JobOutcome) -> Replies {
    let lines = lines(run, job);
    let used = || lines.iter().filter(|line| line.share > 0);
    match (used().any(|line| line.reply > 0), used().all(|line| line.reply > 0)) {
        (false, _) => Replies::None,
        (true, true) => Replies::All,
        (true, false) => Replies::Some,
    }
}

/// Returns a run as the text of `results.csv`; `stamp` formats milliseconds since the epoch as local time.
pub fn csv(run: &RunResult, stamp: &dyn Fn(u64) -> String) -> String {
    let replies: Vec<Replies> = run.jobs.iter().map(|job| replies(run, job)).collect();
    let results = stats::iometer::results(run, &replies);
    let mut text = String::new();
    let mut line = |line: &str| {
        text += line;
        text.push('\n');
    };
    line("'Test Type,Test Description");
    line(&format!("{},{}", results.test_type, one_field(&results.title)));
    line("'Version");
    line(VERSION);
    line("'Time Stamp");
    line(&stamp(results.start_ms));
    specs(&results, run, &mut line);
    for test in results.tests.iter().filter(|test| !test.rows.is_empty()) {
        line("'Results");
        line(&COLUMNS.join(","));
        test.rows.iter().for_each(|found| line(&row(found).join(",")));
        line("'Time Stamp");
        line(&stamp(test.end_ms));
    }
    line(if results.aborted { "Aborted test" } else { "'End Test" });
    text
}

fn specs(results: &Results, run: &RunResult, line: &mut impl FnMut(&str)) {
    line("'Access specifications");
    for spec in &results.specs {
        line("'Access specification name,default assignment");
        line(&format!("{},{}", one_field(&spec.name), spec.assignment));
        line("'size,% of size,% reads,% random,delay,burst,align,reply");
        for l in run.jobs.get(spec.job).map(|job| lines(run, job)).unwrap_or_default() {
            let AccessLine { size, share, reads, random, delay_ms, burst, align, reply } = l;
            line(&format!("{size},{share},{reads},{random},{delay_ms},{burst},{align},{reply},"));
        }
    }
    line("'End access specifications");
}

/// Returns a name without commas and line breaks, which would end its field.
fn one_field(text: &str) -> String {
    stats::plain::line(text).replace(',', " ")
}

fn row(row: &ResultRow) -> Vec<String> {
    let mut fields = vec![String::new(); COLUMNS.len()];
    let mut put = |column: usize, value: String| fields[column - 1] = value;
    let (kind, from) = match row.of {
        RowOf::All => ("ALL", 0),
        RowOf::Manager => ("MANAGER", 0),
        RowOf::Worker => ("WORKER", 1),
        RowOf::Disk => ("DISK", 2),
    };
    put(1, kind.into());
    put(2, one_field(&row.name));
    if row.of != RowOf::Disk {
        put(3, one_field(row.spec.as_deref().unwrap_or_default()));
    }
    (from..3).for_each(|at| put(4 + at, row.counts[at].to_string()));
    let [read, write] = &row.directions;
    let both = row.both();
    for (at, figures) in [&both, read, write].into_iter().enumerate() {
        put(7 + at, fixed(figures.iops));
        put(10 + at, fixed(figures.bytes_per_second / f64::from(1 << 20)));
        put(13 + at, fixed(figures.bytes_per_second / 1e6));
        put(18 + at, fixed(figures.latency.moments.mean() / 1e6));
        put(23 + at, fixed(figures.latency.moments.max() as f64 / 1e6));
        put(28 + at, figures.errors.to_string());
    }
    put(16, row.transactions_per_second.map_or_else(unknown, fixed));
    let total: u128 = both.latency.moments.sum;
    let mean = |n: u64| fixed(if n == 0 { 0.0 } else { total as f64 / n as f64 / 1e6 });
    put(21, row.transactions.map_or_else(unknown, mean));
    // Without replies, a transaction is an I/O; with them, its longest time is not recorded.
    let alone = row.transactions == Some(both.ios);
    let longest = both.latency.moments.max();
    put(26, if alone { fixed(longest as f64 / 1e6) } else { unknown() });
    [17, 22, 27].into_iter().for_each(|column| put(column, fixed(0.0)));
    put(31, read.bytes.to_string());
    put(32, write.bytes.to_string());
    put(33, read.ios.to_string());
    put(34, write.ios.to_string());
    put(35, "0".into());
    put(36, "1".into());
    if matches!(row.of, RowOf::Worker | RowOf::Disk) {
        put(37, read.latency.moments.sum.to_string());
        put(38, write.latency.moments.sum.to_string());
        put(39, total.to_string());
        put(40, "0".into());
        put(41, read.latency.moments.max().to_string());
        put(42, write.latency.moments.max().to_string());
        put(43, if alone { longest.to_string() } else { unknown() });
        put(44, "0".into());
        put(45, (u128::from(row.runtime_ms) * 1_000_000).to_string());
        put(54, TICKS.into());
    }
    for (at, value) in row.disk.iter().enumerate() {
        put(46 + at, value.map_or_else(unknown, |value| value.to_string()));
    }
    ranges(&both).into_iter().enumerate().for_each(|(at, n)| put(60 + at, n.to_string()));
    fields
}

/// Returns the number of I/Os in each range of latency.
fn ranges(figures: &Figures) -> Vec<u64> {
    let ends = RANGES.iter().skip(1).copied().chain([u64::MAX]);
    let histogram = &figures.latency.histogram;
    let total = histogram.count();
    let mut counts: Vec<u64> =
        RANGES.iter().zip(ends).map(|(from, end)| histogram.count_between(*from, end)).collect();
    // The last range has no end.
    if let Some((last, others)) = counts.split_last_mut() {
        *last = total.saturating_sub(others.iter().sum());
    }
    counts
}

fn fixed(value: f64) -> String {
    format!("{value:.6}")
}

/// Returns what Iometer prints where settings differ, and what stands here also where a figure is not known.
fn unknown() -> String {
    "-1".into()
}

/// Returns milliseconds since the epoch as Iometer's time stamp; `civil` has year, month, day, hour, minute and second.
pub fn stamp(civil: [i64; 6], ms: u64) -> String {
    let [year, month, day, hour, minute, second] = civil;
    let mut text = String::new();
    let _ = write!(text, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}:{:03}", ms % 1000);
    text
}
