//! vdbench's summary: the averages of each run.

use super::number;
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult, ReaderNote};

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    if !page.lines.iter().any(|line| line.text.contains("1024**2") || line.text.contains("MB/sec")) {
        return;
    }
    let mut limited = false;
    let mut intervals: Vec<f64> = Vec::new();
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        if text.contains("iorate=") || text.contains("Starting RD=") {
            limited = text.split_once("iorate=").or_else(|| text.split_once("I/O rate: ")).is_some_and(
                |(_, rate)| {
                    !rate.trim_start().to_lowercase().starts_with("max")
                        && !rate.to_lowercase().contains("uncontrolled")
                },
            );
            if text.contains("Starting RD=") {
                intervals.clear();
            }
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some(at) = words.iter().position(|word| word.starts_with("avg_")) else {
            if words.len() >= 9 && words[0].contains(':') && words[1].parse::<u32>().is_ok() {
                intervals.extend(number::whole(words[2]).map(|n| n.value));
            }
            continue;
        };
        let values: Vec<Option<PrintedNumber>> =
            words[at + 1..].iter().map(|word| number::whole(word)).collect();
        let value = |at: usize| values.get(at).copied().flatten();
        let (Some(iops), Some(megabytes), Some(block)) = (value(0), value(1), value(2)) else {
            if text.contains("NaN") {
                out.push(PrintedResult {
                    notes: vec![ReaderNote::NotTimed],
                    label: words[at].to_owned(),
                    ..base(page, index)
                });
            }
            continue;
        };
        let reads = value(3).map(|n| n.value);
        let mut result = PrintedResult {
            label: words[at].to_owned(),
            kind: match reads {
                Some(100.0) => IoKind::Read,
                Some(0.0) => IoKind::Write,
                Some(_) => IoKind::Mixed,
                None => IoKind::Unknown,
            },
            iops: Some(iops),
            bandwidth: Some(megabytes.scaled(1048576.0)),
            block: Some(block),
            ..base(page, index)
        };
        result.latency.mean = value(4).map(|n| n.scaled(1e6));
        directions(page, index, &values, &mut result);
        // The columns vary; the queue depth is the third value from the end, before both shares of the CPU.
        let queue = values.len().checked_sub(3).and_then(value);
        if let (Some(queue), Some(mean)) = (queue, result.latency.mean) {
            let computed = iops.times(mean).scaled(1e-9);
            let computed = PrintedNumber { half: computed.half + 0.05 * computed.value + 0.1, ..computed };
            result.check(AuditLaw::Parts, FigureUnit::Count, queue, computed);
            result.depth = Some(queue.value.round().max(1.0) as u32);
            result.jobs = Some(1);
        }
        let (first, last) = words[at].trim_start_matches("avg_").split_once('-').unwrap_or_default();
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            if last < first || iops.value <= 0.0 {
                result.notes.push(ReaderNote::NotTimed);
            } else {
                result.seconds = intervals_seconds(page, index)
                    .map(|s| PrintedNumber::exact(s * f64::from(last - first + 1)));
            }
        }
        if limited {
            result.notes.push(ReaderNote::RateLimited);
        }
        result.check(
            AuditLaw::RateTimesBlock,
            FigureUnit::BytesPerSecond,
            megabytes.scaled(1048576.0),
            iops.times(block),
        );
        out.push(result);
    }
}

/// Adds that the mean of all is that of reads and writes by their share, and the largest latency, where the header has them.
fn directions(page: &TextPage, index: usize, values: &[Option<PrintedNumber>], result: &mut PrintedResult) {
    let header = (index.saturating_sub(200)..index).rev().find(|at| page.at(*at).contains("1024**2"));
    let Some(header) = header else { return };
    let names: Vec<&str> = page.at(header).split_whitespace().collect();
    let Some(at) = names.windows(3).position(|names| names == ["time", "resp", "resp"]) else { return };
    let value = |at: usize| values.get(at).copied().flatten();
    let (Some(share), Some(mean)) = (value(at.saturating_sub(1)), value(at)) else { return };
    if let (Some(read), Some(write)) = (value(at + 1), value(at + 2))
        && read.value > 0.0
        && write.value > 0.0
    {
        let part = share.value / 100.0;
        let computed = read.scaled(part).plus(write.scaled(1.0 - part));
        let computed = PrintedNumber { half: computed.half + 0.03 * computed.value + 0.001, ..computed };
        result.check(AuditLaw::Parts, FigureUnit::Nanoseconds, mean.scaled(1e6), computed.scaled(1e6));
    }
    let largest = (at + 3..names.len()).filter(|column| names[*column] == "max").filter_map(value);
    result.latency.max = largest.max_by(|a, b| a.value.total_cmp(&b.value)).map(|n| n.scaled(1e6));
}

fn base(page: &TextPage, index: usize) -> PrintedResult {
    PrintedResult {
        tool: BenchmarkTool::Vdbench,
        file: page.file.clone(),
        lines: page.numbers(index, index),
        ..PrintedResult::default()
    }
}

/// Returns the length of an interval by the clock times of two rows above, seconds.
fn intervals_seconds(page: &TextPage, index: usize) -> Option<f64> {
    let time = |text: &str| {
        let mut parts = text.split(':');
        let of = |part: Option<&str>| part?.parse::<f64>().ok();
        Some(of(parts.next())? * 3600.0 + of(parts.next())? * 60.0 + of(parts.next())?)
    };
    let rows = (index.saturating_sub(60)..index).rev().filter_map(|at| {
        let words: Vec<&str> = page.at(at).split_whitespace().collect();
        let number: u32 = words.get(1)?.parse().ok()?;
        Some((number, time(words[0])?))
    });
    let rows: Vec<(u32, f64)> = rows.take(2).collect();
    let [(last, end), (before, start)] = rows.as_slice() else { return None };
    (*last == before + 1).then(|| (end - start).rem_euclid(86400.0)).filter(|s| *s > 0.0)
}
