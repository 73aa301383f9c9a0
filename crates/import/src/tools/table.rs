//! Tables whose units stand in the header only: `| test | IOPS | MB/s | lat (ms) |`, also divided by tabs, semicolons or
//! blanks.

use super::number::{self, Base};
use super::page::TextPage;
use super::typed;
use stats::audit::{IoKind, PrintedNumber, PrintedResult};

/// Longest table, rows.
const LONGEST: usize = 200;
/// Lines between a header and its first row.
const RULES: usize = 2;

/// Meaning of a column.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    /// Words that describe the load.
    Words,
    /// I/Os per second, times a factor.
    Iops(f64),
    /// Bandwidth, bytes per second per unit.
    Rate(f64),
    /// Latency in nanoseconds per unit: `None` for the mean, 100 for the maximum, 0 for the minimum, else a percentile.
    Latency(f64, Option<f64>),
    /// Queue depth.
    Depth,
    /// Number of jobs.
    Jobs,
    /// Block size; bare numbers are in KiB if the heading says so.
    Block(f64),
    /// A direction whose unit stands in the row: `| 4k random (IOPS) | 88,200 |` below `Read`.
    Bare,
    /// Anything else.
    Other,
}

/// Column with the load that its heading names.
struct Heading {
    column: Column,
    /// Words of the heading without units: `4k qd1 read`.
    load: String,
}

/// Appends the results of tables, and their lines to those that are used.
pub(super) fn read(page: &TextPage, used: &mut Vec<[usize; 2]>, out: &mut Vec<PrintedResult>) {
    let mut index = 0;
    while index < page.lines.len() {
        let number = page.lines[index].number;
        let is_used = used.iter().any(|[first, last]| (*first..=*last).contains(&number));
        let headings = (!is_used).then(|| header(page.at(index))).flatten();
        let Some((divider, headings)) = headings else {
            index += 1;
            continue;
        };
        let mut misses = 0;
        let mut at = index + 1;
        while at < page.lines.len().min(index + LONGEST) && misses < RULES {
            let cells = cells(page.at(at), divider);
            let results = if cells.len() == headings.len() { row(&headings, &cells) } else { Vec::new() };
            if results.is_empty() {
                misses += 1;
            } else {
                misses = 0;
                let lines = page.numbers(at, at);
                used.push(lines);
                let label: String = page.at(at).trim().chars().take(60).collect();
                out.extend(results.into_iter().map(|result| PrintedResult {
                    file: page.file.clone(),
                    lines,
                    label: label.clone(),
                    ..result
                }));
            }
            at += 1;
        }
        index += 1;
    }
}

/// Mark between the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Divider {
    Mark(char),
    /// Two blanks or more.
    Blanks,
}

fn cells(text: &str, divider: Divider) -> Vec<String> {
    let text = text.trim();
    let parts: Vec<String> = match divider {
        Divider::Mark('|') => {
            let inner = text.strip_prefix('|').unwrap_or(text);
            let inner = inner.trim_end().strip_suffix('|').unwrap_or(inner);
            inner.split('|').map(|cell| cell.trim().trim_matches(['*', '`']).to_owned()).collect()
        }
        Divider::Mark(mark) => text.split(mark).map(|cell| cell.trim().to_owned()).collect(),
        Divider::Blanks => {
            text.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect()
        }
    };
    parts
}

/// Returns the columns of a header: one with a rate, and none with a figure of its own.
fn header(text: &str) -> Option<(Divider, Vec<Heading>)> {
    let lower = text.to_lowercase();
    let units = ["iops", "b/s", "bps", "read", "bw"];
    if !units.iter().any(|unit| lower.contains(unit)) {
        return None;
    }
    let dividers =
        [Divider::Mark('|'), Divider::Mark('\t'), Divider::Mark(';'), Divider::Blanks, Divider::Mark(',')];
    dividers.into_iter().find_map(|divider| {
        let names = cells(text, divider);
        let headings: Vec<Heading> = names.iter().map(|name| heading(name)).collect();
        let rates = headings.iter().filter(|h| h.is_rate()).count();
        let named = headings.iter().filter(|h| h.column == Column::Words).count();
        let directed = headings.iter().any(|h| !h.load.is_empty());
        // A sentence has commas, too.
        let most = if divider == Divider::Mark(',') { 3 } else { 5 };
        let short = names.iter().all(|name| name.split_whitespace().count() <= most && !has_figure(name));
        (names.len() >= 2 && rates >= 1 && (named >= 1 || directed) && short).then_some((divider, headings))
    })
}

/// Returns whether a cell has a figure with a unit, as a row has and a header has not.
fn has_figure(cell: &str) -> bool {
    let words: Vec<&str> = cell.split_whitespace().collect();
    words.windows(2).any(|pair| {
        number::whole(pair[0]).is_some_and(|n| n.value >= 1.0)
            && ["iops", "mb/s", "mib/s", "gb/s", "us", "ms"].contains(&pair[1].to_lowercase().as_str())
    })
}

fn heading(name: &str) -> Heading {
    let lower = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let word = |words: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|part| words.contains(&part));
    let unit_of_time = [("usec", 1e3), ("msec", 1e6), ("us", 1e3), ("ms", 1e6), ("ns", 1.0), ("s", 1e9)];
    let time = unit_of_time.iter().find(|(unit, _)| word(&[unit])).map(|(_, factor)| *factor);
    let rates = [
        ("gib/s", 1073741824.0),
        ("mib/s", 1048576.0),
        ("kib/s", 1024.0),
        ("gb/s", 1e9),
        ("mb/s", 1e6),
        ("kb/s", 1e3),
        ("mbps", 1e6),
        ("mb/sec", 1e6),
        ("мб/с", 1e6),
        ("mo/s", 1e6),
    ];
    let rate = rates.iter().find(|(unit, _)| lower.contains(unit)).map(|(_, factor)| *factor);
    // "bw_mib", as scripts name columns.
    let bare =
        [("mib", 1048576.0), ("kib", 1024.0), ("gib", 1073741824.0), ("mb", 1e6), ("kb", 1e3), ("gb", 1e9)];
    let named = word(&["bw", "bandwidth", "throughput"]);
    let scripted = bare.iter().find(|(unit, _)| named && word(&[unit])).map(|(_, factor)| *factor);
    let rate = rate.or(scripted);
    // A small b means bits, which are of links.
    let bits = ["Mbps", "Mb/s", "Gb/s", "Gbps", "Mbit"].iter().any(|unit| name.contains(unit));
    let percentile = lower
        .match_indices('p')
        .find_map(|(at, _)| number::leading(lower.get(at + 1..)?).map(|(n, _)| n.value))
        .filter(|percent| (1.0..100.0).contains(percent));
    let late = if has(&["max", "worst"]) {
        Some(100.0)
    } else if word(&["min"]) {
        Some(0.0)
    } else {
        percentile
    };
    let column = if lower.contains("iops") {
        Column::Iops(if has(&["kiops", "k iops"]) { 1000.0 } else { 1.0 })
    } else if let (Some(factor), false) = (rate, bits) {
        Column::Rate(factor)
    } else if let Some(factor) = time {
        Column::Latency(factor, late)
    } else if word(&["qd", "iodepth", "depth", "queue"]) {
        Column::Depth
    } else if word(&["jobs", "numjobs", "threads", "job"]) {
        Column::Jobs
    } else if word(&["bs", "block", "blocksize", "blk"]) {
        Column::Block(if word(&["kib", "kb", "k"]) { 1024.0 } else { 1.0 })
    } else if has(&["score", "cpu", "date", "stddev", "util", "price", "size", "run"]) {
        Column::Other
    } else if ["read", "write", "reads", "writes", "lesen", "schreiben", "чтение", "запись", "读", "写"]
        .contains(&lower.as_str())
    {
        Column::Bare
    } else {
        Column::Words
    };
    let metric =
        !matches!(column, Column::Words | Column::Other | Column::Depth | Column::Jobs | Column::Block(_));
    Heading { column, load: if metric { load_of(&lower) } else { String::new() } }
}

/// Returns the words of a heading that describe a load.
fn load_of(lower: &str) -> String {
    const UNITS: [&str; 42] = [
        "iops",
        "kiops",
        "mb/s",
        "mib/s",
        "gb/s",
        "gib/s",
        "kb/s",
        "kib/s",
        "mbps",
        "mb/sec",
        "bw",
        "bandwidth",
        "throughput",
        "lat",
        "latency",
        "avg",
        "mean",
        "average",
        "max",
        "min",
        "us",
        "ms",
        "ns",
        "usec",
        "msec",
        "s",
        "in",
        "mb",
        "mib",
        "kb",
        "kib",
        "gb",
        "gib",
        "speed",
        "rate",
        "clat",
        "worst",
        "p99",
        "p95",
        "p50",
        "p90",
        "p99.9",
    ];
    let words = lower.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '_' | ','));
    words.filter(|word| !word.is_empty() && !UNITS.contains(word)).collect::<Vec<_>>().join(" ")
}

impl Heading {
    fn is_rate(&self) -> bool {
        matches!(self.column, Column::Iops(_) | Column::Rate(_) | Column::Bare)
    }
}

/// Reads a row: one result per load that the headings name, or one.
fn row(headings: &[Heading], cells: &[String]) -> Vec<PrintedResult> {
    let described: Vec<&str> = headings
        .iter()
        .zip(cells)
        .filter(|(heading, _)| heading.column == Column::Words)
        .map(|(_, cell)| cell.as_str())
        .collect();
    let words = described.join(" ");
    let mut loads: Vec<&str> = Vec::new();
    for heading in headings.iter().filter(|heading| heading.is_rate()) {
        if !loads.contains(&heading.load.as_str()) {
            loads.push(&heading.load);
        }
    }
    loads.into_iter().filter_map(|load| of_load(headings, cells, &words, load)).collect()
}

fn of_load(headings: &[Heading], cells: &[String], words: &str, load: &str) -> Option<PrintedResult> {
    let mut result = typed::load(&format!("{words} {load}"));
    // The unit of a bare column stands in the row.
    let in_row = if headings.iter().any(|h| h.column == Column::Bare) {
        match heading(words).column {
            unit @ (Column::Iops(_) | Column::Rate(_)) => Some(unit),
            _ => None,
        }
    } else {
        None
    };
    for (heading, cell) in headings.iter().zip(cells) {
        let of_a_load = heading.is_rate() || matches!(heading.column, Column::Latency(..));
        if of_a_load && heading.load != load {
            continue;
        }
        let number = || number::thousands(cell).filter(|(_, rest)| rest.trim().is_empty()).map(|(n, _)| n);
        let column = if heading.column == Column::Bare { in_row.as_ref() } else { Some(&heading.column) };
        let Some(column) = column else { continue };
        match *column {
            Column::Iops(factor) => result.iops = result.iops.or(grouped(cell).map(|n| n.scaled(factor))),
            Column::Rate(factor) => {
                result.bandwidth = result.bandwidth.or(grouped(cell).map(|n| n.scaled(factor)))
            }
            Column::Latency(factor, of) => {
                let Some(time) = number().map(|n| n.scaled(factor)) else { continue };
                match of {
                    None => result.latency.mean = result.latency.mean.or(Some(time)),
                    Some(100.0) => result.latency.max = Some(time),
                    Some(0.0) => result.latency.min = Some(time),
                    Some(percent) => result.latency.percentiles.push((percent, time)),
                }
            }
            Column::Depth => result.depth = number().map(|n| n.value as u32).filter(|n| *n > 0),
            Column::Jobs => result.jobs = number().map(|n| n.value as u32).filter(|n| *n > 0),
            Column::Block(factor) => {
                let size = number::bytes(cell, Base::Binary).filter(|(_, rest)| rest.trim().is_empty());
                let bare = cell.bytes().all(|b| b.is_ascii_digit());
                let size = size.map(|(n, _)| n.value * if bare { factor } else { 1.0 });
                result.block = size.filter(|n| *n >= 512.0).map(PrintedNumber::exact).or(result.block);
            }
            Column::Words | Column::Other | Column::Bare => {}
        }
    }
    let patterned = result.kind != IoKind::Unknown || result.random.is_some();
    result.jobs = result.jobs.or(result.depth.map(|_| 1));
    (patterned && (result.iops.is_some() || result.bandwidth.is_some())).then_some(result)
}

/// Reads a rate without unit: `56,000`, `56k`, `219.5`.
fn grouped(cell: &str) -> Option<PrintedNumber> {
    let spaceless: String = cell.chars().filter(|c| *c != ' ' && *c != '\'').collect();
    let (number, rest) = number::leading_grouped(&spaceless)?;
    let (number, rest) = number::thousands_of((number, rest))?;
    (rest.is_empty() && number.value > 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Vec<PrintedResult> {
        let mut out = Vec::new();
        read(&TextPage::new("f", text.as_bytes()), &mut Vec::new(), &mut out);
        out
    }

    #[test]
    fn rows_take_their_units_from_the_header() {
        let table = "| test | IOPS | MB/s | lat (ms) |\n|---|---|---|---|\n| 4k randread QD32 | 56,000 | 229.4 | 0.57 |";
        let [one] = read_text(table).try_into().unwrap();
        assert_eq!((one.kind, one.random, one.depth), (IoKind::Read, Some(true), Some(32)));
        assert_eq!(one.iops.map(|n| n.value), Some(56e3));
        assert_eq!(one.bandwidth.map(|n| n.value.round()), Some(229_400_000.0));
        assert_eq!(one.latency.mean.map(|n| n.value), Some(570_000.0));
        assert_eq!(one.block.map(|n| n.value), Some(4096.0));
    }

    #[test]
    fn headings_with_directions_give_a_result_each() {
        let table = "drive;bs;QD;seq read MB/s;seq write MB/s\nA;1M;8;3500;3000";
        let rows = read_text(table);
        let seen: Vec<_> = rows.iter().map(|r| (r.kind, r.random, r.bandwidth.map(|n| n.value))).collect();
        assert_eq!(seen, [(IoKind::Read, Some(false), Some(3.5e9)), (IoKind::Write, Some(false), Some(3e9))]);
        assert!(rows.iter().all(|r| r.depth == Some(8) && r.block.map(|n| n.value) == Some(1048576.0)));
    }

    #[test]
    fn headings_with_loads_and_rows_with_units_are_read() {
        let table = "| drive | seq read MB/s | 4k QD1 read IOPS | 4k QD32 read IOPS |\n|-|-|-|-|\n| A | 560 | 11,200 | 97,100 |";
        let rows = read_text(table);
        let seen: Vec<_> = rows.iter().map(|r| (r.random, r.depth, r.iops.map(|n| n.value))).collect();
        assert_eq!(
            seen,
            [(Some(false), None, None), (None, Some(1), Some(11_200.0)), (None, Some(32), Some(97_100.0))]
        );
        let table = "| | Read | Write |\n|---|---|---|\n| 4k random QD32 (IOPS) | 88,200 | 61,000 |";
        let rows = read_text(table);
        let seen: Vec<_> = rows.iter().map(|r| (r.kind, r.iops.map(|n| n.value))).collect();
        assert_eq!(seen, [(IoKind::Read, Some(88_200.0)), (IoKind::Write, Some(61_000.0))]);
    }

    #[test]
    fn rows_with_units_and_prose_are_no_header() {
        assert!(header("| 4k randread QD32 | 56k IOPS | 219 MiB/s |").is_none());
        assert!(header("We got many IOPS, and it was fast").is_none());
        assert!(read_text("| test | IOPS |\n|---|---|\n| total cost | 12 |").is_empty());
    }
}
