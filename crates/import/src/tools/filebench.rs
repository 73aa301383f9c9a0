//! filebench: the line `IO Summary`.

use super::number;
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult};

/// Appends the results in a page.
pub(super) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    for index in 0..page.lines.len() {
        let Some((_, rest)) = page.at(index).split_once("IO Summary:") else { continue };
        let mebibytes = rest.split([',', ' ']).find_map(|part| {
            let (number, unit) = number::leading(part)?;
            (unit == "mb/s").then_some(number)
        });
        // 1.5: "12.3 mb/s" with a blank.
        let apart = || {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let at = words.iter().position(|word| word.trim_end_matches(',') == "mb/s")?;
            number::whole(words.get(at.checked_sub(1)?)?)
        };
        let Some(mebibytes) = mebibytes.or_else(apart) else { continue };
        let before = |unit: &str| {
            let head = rest.split(unit).next().filter(|head| head.len() < rest.len())?;
            let word = head.trim_end().rsplit([' ', ',', '(']).next()?;
            number::whole(word)
        };
        let latency = before("ms latency").or_else(|| before("ms/op"));
        let split = rest.split_once("r/w").or_else(|| rest.split_once(" rd/wr"));
        let counts = split.and_then(|(head, _)| {
            let (reads, writes) = head.trim_end().rsplit([' ', '(']).next()?.split_once('/')?;
            Some((reads.parse::<f64>().ok()?, writes.parse::<f64>().ok()?))
        });
        let kind = match counts {
            Some((reads, writes)) if reads > 0.0 && writes > 0.0 => IoKind::Mixed,
            Some((reads, _)) if reads > 0.0 => IoKind::Read,
            Some((_, writes)) if writes > 0.0 => IoKind::Write,
            _ => IoKind::Unknown,
        };
        let mut result = PrintedResult {
            tool: BenchmarkTool::Filebench,
            file: page.file.clone(),
            lines: page.numbers(index, index),
            kind,
            // Operations are also opens, closes and stats.
            bandwidth: Some(mebibytes.scaled(1048576.0)),
            ..PrintedResult::default()
        };
        result.latency.mean = latency.map(|n| n.scaled(1e6));
        if let (Some(all), Some((reads, writes))) = (before(" ops/s"), counts) {
            // Reads and writes are a part of all operations.
            let part = PrintedNumber { value: reads + writes, half: 1.0 };
            result.check_order(AuditLaw::Parts, FigureUnit::PerSecond, part, all);
        }
        out.push(result);
    }
}
