//! fio's logs: one line per I/O, or per direction and interval; a file contains all directions.

use crate::file_names::{self, Counts, LogName};
use crate::remark::{Column, LineFault, Remark, errno};
use stats::{Direction, Histogram, HistogramLog, LogKind, LogSeries, histogram, log_series};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read};
use std::path::Path;

/// Longest line in bytes; the 1856 counts of a histogram need a tenth of this.
const LONGEST_LINE: u64 = 1 << 18;
/// Time in milliseconds from which times count since the epoch (`log_unix_epoch`) instead of the start: a run of three
/// years.
const EPOCH_MS: u64 = 100_000_000_000;
/// Largest count of a histogram bucket: more than a disk can complete in an interval, and sums do not overflow.
const MOST_PER_BUCKET: u64 = 1_000_000_000_000;

/// Series and remarks of a log file.
#[derive(Debug, Default)]
pub(crate) struct Logs {
    /// Directory and prefix, which are equal for all logs of a run.
    pub place: String,
    /// Number of the job, and the host of the client.
    pub job: String,
    pub tracks: Vec<LogSeries>,
    pub histograms: Vec<HistogramLog>,
    pub notes: Vec<Remark>,
}

/// Line of a log of values.
struct Row {
    ms: u64,
    line: usize,
    columns: usize,
    value: f64,
    /// Third to fifth column: direction, block size, and offset or priority; with `log_window_value=both` the largest
    /// value of the interval comes first.
    rest: [u64; 3],
}

/// Reads a log.
///
/// # Errors
/// The file cannot be read, or a line does not have fio's format; the remark has the line's number.
pub(crate) fn read(input: impl BufRead, name: &LogName, source: &str) -> Result<Logs, Remark> {
    let named = file_names::prefix(&name.prefix);
    let job = match name.job.as_str() {
        "" => name.prefix.clone(),
        number => format!("{}.{number}", name.prefix),
    };
    let directory = Path::new(source).parent().unwrap_or(Path::new(""));
    let place = directory.join(&name.prefix).to_string_lossy().into_owned();
    let mut logs = match name.counts {
        Counts::Values(kind) => {
            let empty = LogSeries {
                source: source.to_string(),
                run: place.clone(),
                name: job,
                kind,
                direction: Direction::Read,
                depth: named.depth,
                jobs: named.jobs,
                per_io: false,
                samples: Vec::new(),
            };
            values(input, &empty)?
        }
        Counts::Histograms => {
            let empty = HistogramLog {
                source: source.to_string(),
                run: place.clone(),
                name: job,
                direction: Direction::Read,
                depth: named.depth,
                jobs: named.jobs,
                samples: Vec::new(),
            };
            histograms(input, &empty)?
        }
    };
    if logs.tracks.is_empty() && logs.histograms.is_empty() {
        return Err(logs.notes.pop().unwrap_or(Remark::EmptyLog));
    }
    logs.place = place;
    logs.job = name.job.clone();
    Ok(logs)
}

/// Calls `each` with the number and text of every line that is neither empty nor a comment. A killed run leaves its
/// last line incomplete: an error of `each` about such a line is returned as a note.
fn lines(
    mut input: impl BufRead,
    mut each: impl FnMut(usize, &str) -> Result<(), LineFault>,
) -> Result<Option<Remark>, Remark> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let mut limited = input.by_ref().take(LONGEST_LINE);
        let wrong = |fault| Remark::Line { number, fault };
        limited.read_until(b'\n', &mut bytes).map_err(|e| wrong(LineFault::System(errno(&e))))?;
        if bytes.is_empty() {
            break;
        }
        let whole = bytes.ends_with(b"\n");
        if !whole && bytes.len() as u64 >= LONGEST_LINE {
            return Err(wrong(LineFault::TooLong));
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match each(number, text) {
            Err(fault) if whole => return Err(wrong(fault)),
            Err(fault) => return Ok(Some(Remark::LastLine { number, fault })),
            Ok(()) => {}
        }
    }
    Ok(None)
}

fn whole(text: &str, column: Column) -> Result<u64, LineFault> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
    .ok_or_else(|| LineFault::NotWhole { column, text: text.chars().take(20).collect() })
}

fn direction(number: u64) -> Option<Direction> {
    Direction::ALL.get(usize::try_from(number).ok()?).copied()
}

fn row(line: usize, text: &str) -> Result<Row, LineFault> {
    let columns: Vec<&str> = text.split(',').map(str::trim).collect();
    if columns.len() < 4 {
        return Err(LineFault::Columns { columns: columns.len() });
    }
    let value = columns[1].parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0);
    let value = value.ok_or_else(|| LineFault::NotNumber { text: columns[1].chars().take(20).collect() })?;
    let at = |n: usize, column| columns.get(n).map_or(Ok(0), |c| whole(c, column));
    let rest = [at(2, Column::Direction)?, at(3, Column::BlockSize)?, at(4, Column::Fifth)?];
    Ok(Row { ms: whole(columns[0], Column::Time)?, line, columns: columns.len(), value, rest })
}

fn values(input: impl BufRead, empty: &LogSeries) -> Result<Logs, Remark> {
    let mut rows = Vec::new();
    let cut = lines(input, |number, text| {
        rows.push(row(number, text)?);
        Ok(())
    })?;
    let mut logs = Logs { notes: cut.into_iter().collect(), ..Logs::default() };
    // `log_window_value=both` puts the largest value of the interval before the direction.
    let strange = |at: usize| rows.iter().find(|r| direction(r.rest[at]).is_none());
    let at = match (strange(0), strange(1)) {
        (None, _) => 0,
        (Some(_), None) if rows.iter().all(|r| r.columns >= 5) => 1,
        (Some(row), _) => {
            let fault = LineFault::NotDirection { number: row.rest[0] };
            return Err(Remark::Line { number: row.line, fault });
        }
    };
    // Lines of intervals have a block size of 0; those of single I/Os count one each.
    let per_io = rows.iter().any(|r| r.rest[at + 1] > 0)
        && (empty.kind != LogKind::Iops || rows.iter().all(|r| r.value == 1.0));
    let runs = runs(rows, |r| r.ms);
    let many = runs.len() > 1;
    for (number, run) in runs.into_iter().enumerate() {
        let numbered = |text: &str| if many { format!("{text}#{}", number + 1) } else { text.to_string() };
        let (name, which_run) = (numbered(&empty.name), numbered(&empty.run));
        for which in Direction::ALL {
            let own = || run.iter().filter(|r| direction(r.rest[at]) == Some(which));
            if own().next().is_none() {
                continue;
            }
            let pairs = |value: &dyn Fn(&Row) -> f64| own().map(|r| [seconds(r.ms), value(r)]).collect();
            let (samples, per_io): (Vec<[f64; 2]>, bool) = match empty.kind {
                LogKind::Iops if per_io => (rates(pairs(&|_| 1.0)), false),
                LogKind::Bandwidth if per_io => (rates(pairs(&|r| r.rest[at + 1] as f64)), false),
                LogKind::Bandwidth => (pairs(&|r| r.value * 1024.0), false),
                _ => (pairs(&|r| r.value), per_io),
            };
            if samples.is_empty() {
                logs.notes.push(Remark::NoRate { direction: which });
                continue;
            }
            logs.tracks.push(LogSeries {
                name: name.clone(),
                run: which_run.clone(),
                direction: which,
                per_io,
                samples,
                ..empty.clone()
            });
        }
    }
    Ok(logs)
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

/// Returns the rates per second of single I/Os, over intervals of 1 s, or 0.1 s if the log is shorter than 10 s.
fn rates(events: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let first = events.first().map_or(0.0, |e| e[0]);
    let zero = if is_epoch(first) { first } else { 0.0 };
    let events: Vec<[f64; 2]> = events.iter().map(|[t, v]| [t - zero, *v]).collect();
    let step = if events.last().is_some_and(|e| e[0] < 10.0) { 0.1 } else { 1.0 };
    log_series::rates(&events, step).into_iter().map(|[t, v]| [t + zero, v]).collect()
}

/// Splits rows into runs: where the time decreases, another run was appended to the file (`per_job_logs=0`). Small
/// decreases, caused by several threads, are sorted instead.
fn runs<T>(rows: Vec<T>, ms: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
    let mut out: Vec<Vec<T>> = Vec::new();
    let mut latest = 0;
    for row in rows {
        let now = ms(&row);
        let new = now < latest && (latest - now > 100 || now < latest / 2);
        latest = if new { now } else { latest.max(now) };
        match out.last_mut() {
            Some(run) if !new => run.push(row),
            _ => out.push(vec![row]),
        }
    }
    out.iter_mut().for_each(|run| run.sort_by_key(|r| ms(r)));
    out
}

fn histograms(input: impl BufRead, empty: &HistogramLog) -> Result<Logs, Remark> {
    let mut rows: Vec<(u64, Direction, Histogram)> = Vec::new();
    let cut = lines(input, |_, text| {
        let columns: Vec<&str> = text.trim_end_matches(',').split(',').collect();
        if columns.len() < 4 {
            return Err(LineFault::HistogramColumns { columns: columns.len() });
        }
        let ms = whole(columns[0], Column::Time)?;
        let which = whole(columns[1], Column::Direction)?;
        let which = direction(which).ok_or(LineFault::NotDirection { number: which })?;
        rows.push((ms, which, counts(&columns[3..])?));
        Ok(())
    })?;
    let mut logs = Logs { notes: cut.into_iter().collect(), ..Logs::default() };
    let runs = runs(rows, |r| r.0);
    let many = runs.len() > 1;
    for (number, run) in runs.into_iter().enumerate() {
        let numbered = |text: &str| if many { format!("{text}#{}", number + 1) } else { text.to_string() };
        let (name, which_run) = (numbered(&empty.name), numbered(&empty.run));
        for which in Direction::ALL {
            let own = run.iter().filter(|r| r.1 == which);
            let samples: Vec<_> = own.map(|(ms, _, h)| (seconds(*ms), h.clone())).collect();
            if !samples.is_empty() {
                logs.histograms.push(HistogramLog {
                    name: name.clone(),
                    run: which_run.clone(),
                    direction: which,
                    samples,
                    ..empty.clone()
                });
            }
        }
    }
    Ok(logs)
}

/// Returns the histogram of a line. Each step of `log_hist_coarseness` merges two buckets into one, whose I/Os are
/// counted in the middle.
fn counts(columns: &[&str]) -> Result<Histogram, LineFault> {
    // 29 groups of 64, in versions before 3 only 19.
    let coarseness = (0..=6).find(|c| [29, 19].iter().any(|groups| (groups * 64) >> c == columns.len()));
    let coarseness = coarseness.ok_or(LineFault::Buckets { buckets: columns.len() })?;
    let mut out = Histogram::default();
    for (at, text) in columns.iter().enumerate() {
        let n = whole(text, Column::Count)?;
        if n > MOST_PER_BUCKET {
            return Err(LineFault::Count { ios: n });
        }
        let bucket = (at << coarseness) + (1 << coarseness) / 2;
        out.record(histogram::midpoint(bucket.min(histogram::BUCKETS - 1)), n);
    }
    Ok(out)
}

/// Completes the logs, which requires all files together. Times since the epoch become times since the start of the
/// first log with the same directory and prefix. The number of a job is removed from its name if the run has no other
/// job.
pub(crate) fn settle(files: &mut [Logs]) {
    let mut zeros: BTreeMap<String, f64> = BTreeMap::new();
    let mut jobs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files.iter() {
        jobs.entry(file.place.clone()).or_default().insert(file.job.clone());
        let of_tracks =
            file.tracks.iter().filter_map(|t| Some((t.samples.first()?[0], log_series::spacing(&t.samples))));
        let of_histograms = file.histograms.iter().filter_map(|l| {
            let first = l.samples.first()?.0;
            Some((first, l.samples.get(1).map_or(0.0, |s| s.0 - first)))
        });
        for (first, apart) in of_tracks.chain(of_histograms).filter(|(first, _)| is_epoch(*first)) {
            let zero = first - if apart < first { apart } else { 0.0 };
            zeros.entry(file.place.clone()).and_modify(|z| *z = z.min(zero)).or_insert(zero);
        }
    }
    for file in files.iter_mut() {
        // fio numbers the logs of jobs or writes one log of all of them: a log without a number beside numbered ones is of
        // another run, and is not added to these.
        if file.job.is_empty() && jobs.get(&file.place).is_some_and(|all| all.len() > 1) {
            let runs = file.tracks.iter_mut().map(|t| &mut t.run);
            runs.chain(file.histograms.iter_mut().map(|l| &mut l.run)).for_each(|run| run.push_str(".log"));
        }
        if let Some(zero) = zeros.get(&file.place) {
            let since = |time: f64| (((time - zero) * 1000.0).round() / 1000.0).max(0.0);
            file.tracks.iter_mut().flat_map(|t| &mut t.samples).for_each(|s| s[0] = since(s[0]));
            file.histograms.iter_mut().flat_map(|l| &mut l.samples).for_each(|s| s.0 = since(s.0));
        }
        if !file.job.is_empty() && jobs.get(&file.place).is_some_and(|all| all.len() == 1) {
            let number = format!(".{}", file.job);
            let names = file.tracks.iter_mut().map(|t| &mut t.name);
            for name in names.chain(file.histograms.iter_mut().map(|l| &mut l.name)) {
                if let Some(at) = name.rfind(&number) {
                    name.replace_range(at..at + number.len(), "");
                }
            }
        }
    }
}

fn is_epoch(seconds: f64) -> bool {
    seconds * 1000.0 >= EPOCH_MS as f64
}
