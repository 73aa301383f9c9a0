//! elbencho's table, CSV and JSON.

use super::command;
use super::number;
use super::page::TextPage;
use serde_json::Value;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult};

const MEBIBYTE: f64 = 1048576.0;

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    for index in 0..page.lines.len() {
        let text = page.at(index);
        if text.contains("FIRST DONE") && text.contains("LAST DONE") {
            table(page, index, out);
        } else if text.contains("MiB/s [last]") && text.contains(',') {
            csv(page, index, out);
        }
    }
    json(page, out);
}

fn kind_of(word: &str) -> IoKind {
    match word {
        "WRITE" => IoKind::Write,
        "READ" => IoKind::Read,
        _ => IoKind::Unknown,
    }
}

fn table(page: &TextPage, header: usize, out: &mut Vec<PrintedResult>) {
    let command = command::above(page, header.saturating_sub(20), header, "elbencho");
    let mut current: Option<PrintedResult> = None;
    for at in header + 1..page.lines.len().min(header + 80) {
        let text = page.at(at);
        if text.contains("FIRST DONE") {
            break;
        }
        let Some((title, figures)) = text.split_once(':') else {
            continue;
        };
        let first = title.split_whitespace().next().unwrap_or_default();
        if !title.starts_with(' ') && kind_of(first) != IoKind::Unknown {
            out.extend(current.take());
            current = Some(PrintedResult {
                tool: BenchmarkTool::Elbencho,
                file: page.file.clone(),
                lines: page.numbers(at, at),
                label: first.to_owned(),
                kind: kind_of(first),
                command: command.as_ref().map(|c| c.text.clone()).unwrap_or_default(),
                ..PrintedResult::default()
            });
        } else if !title.starts_with(' ') && first.chars().all(|c| c.is_ascii_uppercase()) {
            out.extend(current.take());
            continue;
        }
        let Some(result) = &mut current else { continue };
        result.lines[1] = page.numbers(at, at)[1];
        let values: Vec<&str> = figures.split_whitespace().collect();
        let last = values.last().copied().unwrap_or_default();
        if title.contains("Elapsed time") {
            result.seconds = number::long_time(last).map(|n| n.scaled(1e-9));
        } else if title.contains("IOPS") {
            result.iops = number::whole(last);
        } else if title.contains("Throughput MiB/s") {
            result.bandwidth = number::whole(last).map(|n| n.scaled(MEBIBYTE));
        } else if title.contains("Total MiB") {
            result.amount = number::whole(last).map(|n| n.scaled(MEBIBYTE));
        } else if title.contains("IO latency") || title.contains("IO lat us") {
            let of = |key: &str| {
                values
                    .iter()
                    .find_map(|v| v.trim_start_matches('[').strip_prefix(key))
                    .and_then(number::time)
                    .map(|(n, _)| n)
            };
            result.latency.min = of("min=");
            result.latency.mean = of("avg=");
            result.latency.max = of("max=");
        }
    }
    out.extend(current);
    let start = out.iter().rposition(|r| r.tool != BenchmarkTool::Elbencho).map_or(0, |at| at + 1);
    for result in &mut out[start..] {
        if let Some(command) = &command {
            apply(result, &command.words);
        }
        finish(result);
    }
}

/// Completes a result by elbencho's options.
fn apply(result: &mut PrintedResult, words: &[String]) {
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let value = |names: &[&str]| {
        let at = words.iter().position(|word| names.contains(&word.as_str()))?;
        words.get(at + 1).map(String::as_str)
    };
    result.direct = Some(has(&["--direct"]));
    result.random = Some(has(&["--rand"]));
    result.jobs = value(&["-t", "--threads"]).and_then(|v| v.parse().ok()).or(Some(1));
    result.depth = value(&["--iodepth"]).and_then(|v| v.parse().ok()).or(Some(1));
    let size = |v: &str| number::bytes(v, number::Base::Binary).map(|(n, _)| n.value);
    result.block = value(&["-b", "--block"]).and_then(size).or(Some(MEBIBYTE)).map(PrintedNumber::exact);
    result.region = value(&["-s", "--size"]).and_then(size);
}

fn finish(result: &mut PrintedResult) {
    if let (Some(amount), Some(seconds), Some(rate)) = (result.amount, result.seconds, result.bandwidth)
        && let Some(computed) = amount.over(seconds)
    {
        result.check(AuditLaw::AmountOverTime, FigureUnit::BytesPerSecond, rate, computed);
    }
}

/// Splits a line of CSV; cells may be quoted.
fn cells(text: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn csv(page: &TextPage, header: usize, out: &mut Vec<PrintedResult>) {
    let columns = cells(page.at(header));
    for at in header + 1..page.lines.len() {
        let row = cells(page.at(at));
        if row.len() != columns.len() {
            break;
        }
        let cell = |name: &str| {
            columns.iter().position(|c| c == name).map(|i| row[i].as_str()).filter(|c| !c.is_empty())
        };
        if let Some(mut result) = record(&cell) {
            result.file.clone_from(&page.file);
            result.lines = page.numbers(at, at);
            out.push(result);
        }
    }
}

/// Returns the result of a row or object whose values `cell` returns by name.
fn record<'a>(cell: &dyn Fn(&str) -> Option<&'a str>) -> Option<PrintedResult> {
    let value = |name: &str| cell(name).and_then(number::whole);
    let kind = kind_of(cell("operation")?);
    let bandwidth = value("MiB/s [last]")?.scaled(MEBIBYTE);
    let mut result = PrintedResult {
        tool: BenchmarkTool::Elbencho,
        version: cell("version").unwrap_or_default().to_owned(),
        label: cell("operation")?.to_owned(),
        kind,
        command: cell("command").unwrap_or_default().to_owned(),
        iops: value("IOPS [last]"),
        bandwidth: Some(bandwidth),
        seconds: value("time ms [last]").map(|n| n.scaled(1e-3)),
        block: cell("block size")
            .and_then(|v| number::bytes(v, number::Base::Binary))
            .map(|(n, _)| PrintedNumber::exact(n.value)),
        depth: value("IO depth").map(|n| n.value as u32),
        jobs: value("threads").map(|n| n.value as u32),
        direct: cell("direct IO").map(|v| matches!(v, "1" | "true")),
        random: cell("random").map(|v| matches!(v, "1" | "true")),
        ..PrintedResult::default()
    };
    let time = |name: &str| value(name).map(|n| n.scaled(1e3));
    result.latency.min = time("IO lat us [min]");
    result.latency.mean = time("IO lat us [avg]");
    result.latency.max = time("IO lat us [max]");
    Some(result)
}

fn json(page: &TextPage, out: &mut Vec<PrintedResult>) {
    if !page.lines.iter().any(|line| line.text.contains("\"MiB/s [last]\"")) {
        return;
    }
    let text = page.text();
    let Some(start) = text.find('{') else { return };
    for object in
        serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>().map_while(Result::ok)
    {
        let Some(object) = object.as_object() else { continue };
        let texts: Vec<(String, String)> = object
            .iter()
            .filter_map(|(key, value)| {
                let text =
                    value.as_str().map(str::to_owned).or_else(|| value.as_f64().map(|n| n.to_string()))?;
                Some((key.clone(), text))
            })
            .collect();
        let cell = |name: &str| texts.iter().find(|(key, _)| key == name).map(|(_, text)| text.as_str());
        if let Some(mut result) = record(&cell) {
            result.file.clone_from(&page.file);
            result.lines = page.numbers(0, page.lines.len().saturating_sub(1));
            out.push(result);
        }
    }
}
