//! bonnie++: CSV of versions 1.97 and 1.98, and the table of version 2.

use super::command;
use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{BenchmarkTool, IoKind, PrintedNumber, PrintedResult, ReaderNote};

/// Tests in the order of both formats: name, kind of I/O, random, test of the CPU.
const TESTS: [(&str, IoKind, bool, bool); 6] = [
    ("per char output", IoKind::Write, false, true),
    ("block output", IoKind::Write, false, false),
    ("rewrite", IoKind::Mixed, false, false),
    ("per char input", IoKind::Read, false, true),
    ("block input", IoKind::Read, false, false),
    ("seeks", IoKind::Mixed, true, false),
];

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    // The table repeats the line of CSV with fewer digits.
    let is_csv = |text: &str| text.starts_with("1.97,") || text.starts_with("1.98,");
    let has_csv = page.lines.iter().any(|line| is_csv(line.text.trim()));
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        if is_csv(text) {
            csv(page, index, text, out);
        } else if text.contains("--Sequential Input-") && !has_csv {
            table(page, index, out);
        }
    }
}

fn csv(page: &TextPage, index: usize, text: &str, out: &mut Vec<PrintedResult>) {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    // Format, program, host, concurrency, seed, size, chunk; 1.98 has seeks and their processes.
    let start = if fields[0] == "1.98" { 9 } else { 7 };
    if fields.len() < start + 12 {
        return;
    }
    let region = number::bytes(fields[5], Base::Binary).map(|(n, _)| n.value);
    let base = base(page, index, index, region, fields[1]);
    let concurrency = fields[3].parse().ok();
    for (at, test) in TESTS.iter().enumerate() {
        let cells = [fields[start + 2 * at], fields[start + 2 * at + 1]];
        push(&base, *test, cells, concurrency, out);
    }
    latencies(out, &fields[fields.len().saturating_sub(12)..]);
}

/// Adds the worst latencies (one per test) to the last results of a line.
fn latencies(out: &mut [PrintedResult], fields: &[&str]) {
    for (test, field) in TESTS.iter().zip(fields) {
        let max = number::time(field).map(|(n, _)| n);
        if let Some(result) = out.iter_mut().rev().take(TESTS.len()).find(|r| r.label == test.0) {
            result.latency.max = max;
        }
    }
}

fn base(page: &TextPage, first: usize, last: usize, region: Option<f64>, version: &str) -> PrintedResult {
    PrintedResult {
        tool: BenchmarkTool::Bonnie,
        version: version.to_owned(),
        file: page.file.clone(),
        lines: page.numbers(first, last),
        region,
        depth: Some(1),
        synchronous: Some(true),
        direct: Some(false),
        command: command::above(page, first.saturating_sub(40), first, "bonnie++")
            .map(|c| c.text)
            .unwrap_or_default(),
        ..PrintedResult::default()
    }
}

fn push(
    base: &PrintedResult,
    (name, kind, random, cpu): (&str, IoKind, bool, bool),
    [value, cpu_share]: [&str; 2],
    jobs: Option<u32>,
    out: &mut Vec<PrintedResult>,
) {
    if value.is_empty() {
        return;
    }
    let mut result =
        PrintedResult { label: name.to_owned(), kind, random: Some(random), jobs, ..base.clone() };
    if cpu {
        result.notes.push(ReaderNote::CpuTest);
    }
    result.cpu_percent = number::leading(cpu_share).map(|(n, _)| n.value);
    if value.starts_with('+') {
        result.notes.push(ReaderNote::NotTimed);
    } else if let Some((number, rest)) = number::leading(value) {
        // Without a suffix the values are in KiB/s.
        let suffix = rest.trim().chars().next();
        if random {
            result.iops = Some(number.scaled(number::prefix(suffix, Base::Si).unwrap_or(1.0)));
        } else {
            let factor = suffix.map_or(Some(1024.0), |letter| number::prefix(Some(letter), Base::Binary));
            result.bandwidth = Some(number.scaled(factor.unwrap_or(1024.0)));
        }
    } else {
        return;
    }
    out.push(result);
}

/// Returns the rate and CPU share of each test. Long values shift the columns, so each word belongs to the nearest column
/// behind that of the word before; a row with all words is read in order.
fn aligned(row: &str, from: usize, rates: &[usize], cpus: &[usize]) -> Vec<[String; 2]> {
    let mut cells = vec![[String::new(), String::new()]; TESTS.len()];
    let mut words: Vec<(usize, &str)> = Vec::new();
    let mut at = from;
    for word in row[from..].split_whitespace() {
        let start = row[at..].find(word).map_or(at, |found| at + found);
        at = start + word.len();
        words.push((at, word));
    }
    let columns: Vec<usize> =
        rates.iter().zip(cpus).flat_map(|(rate, cpu)| [*rate, *cpu]).take(2 * TESTS.len()).collect();
    let full = words.len() == columns.len();
    let mut next = 0;
    for (nth, (end, word)) in words.iter().enumerate() {
        let nearest = (next..columns.len()).min_by_key(|column| columns[*column].abs_diff(*end));
        let Some(column) = (if full { Some(nth) } else { nearest }) else { break };
        cells[column / 2][column % 2] = (*word).to_owned();
        next = column + 1;
    }
    cells
}

/// Reads the table; the columns of a blank cell are found by the header, for its words stand above the cells.
fn table(page: &TextPage, index: usize, out: &mut Vec<PrintedResult>) {
    let Some(header) =
        (index + 1..index + 4).find(|at| page.at(*at).contains("/sec") && page.at(*at).contains("%CP"))
    else {
        return;
    };
    let ends =
        |text: &str, word: &str| text.match_indices(word).map(|(at, _)| at + word.len()).collect::<Vec<_>>();
    let (rates, cpus) = (ends(page.at(header), "/sec"), ends(page.at(header), "%CP"));
    let row = page.at(header + 1);
    if rates.len() < 6 || cpus.len() < 6 || row.trim().is_empty() {
        return;
    }
    let name_end = row.find(' ').unwrap_or(0);
    let size = row.split_whitespace().nth(1).unwrap_or_default();
    let region = number::bytes(size, Base::Binary).map(|(n, _)| n.value);
    let latency = (header + 2..header + 4).find(|at| page.at(*at).trim_start().starts_with("Latency"));
    let version = page
        .at(index)
        .trim()
        .strip_prefix("Version")
        .map_or("", |v| v.split_whitespace().next().unwrap_or(""));
    let base = base(page, index, latency.unwrap_or(header + 1), region, version);
    let from = name_end + row[name_end..].find(size).unwrap_or(0) + size.len();
    for (test, cell) in TESTS.iter().zip(&aligned(row, from, &rates, &cpus)) {
        push(&base, *test, [&cell[0], &cell[1]], None, out);
    }
    if let Some(at) = latency {
        let fields: Vec<&str> = page.at(at).split_whitespace().skip(1).collect();
        // Blank cells have no latency either, so the order is that of the tests that ran.
        let ran: Vec<&str> = out
            .iter()
            .filter(|r| r.lines == base.lines && r.file == base.file)
            .map(|r| r.label.as_str())
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        let times: Vec<(String, Option<PrintedNumber>)> = ran
            .iter()
            .map(|r| (*r).to_owned())
            .zip(fields.iter().map(|f| number::time(f).map(|(n, _)| n)))
            .collect();
        for (label, max) in times {
            if let Some(result) = out.iter_mut().rev().take(TESTS.len()).find(|r| r.label == label) {
                result.latency.max = max;
            }
        }
    }
}
