//! The disk tables of yet-another-bench-script.

use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedCheck, PrintedNumber, PrintedResult};

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    for title in 0..page.lines.len() {
        if !page.at(title).contains("Mixed R/W 50/50") {
            continue;
        }
        let mut blocks: Vec<f64> = Vec::new();
        let mut parts: Vec<PrintedNumber> = Vec::new();
        for at in title + 1..page.lines.len().min(title + 18) {
            let cells: Vec<&str> = page.at(at).split('|').map(str::trim).collect();
            match cells[0] {
                "Block Size" => {
                    let size = |cell: &&str| {
                        number::bytes(cell.split_whitespace().next()?, Base::Binary).map(|(n, _)| n.value)
                    };
                    blocks = cells[1..].iter().filter_map(size).collect();
                    parts.clear();
                }
                row @ ("Read" | "Write" | "Total") => {
                    for (column, (cell, block)) in cells[1..].iter().zip(&blocks).enumerate() {
                        let Some(mut result) = figure(cell, *block) else { continue };
                        result.file.clone_from(&page.file);
                        result.lines = page.numbers(at, at);
                        result.label = format!("{} {row}", cells_of(page, title, at, column));
                        result.kind = match row {
                            "Read" => IoKind::Read,
                            "Write" => IoKind::Write,
                            _ => IoKind::Mixed,
                        };
                        if let Some(rate) = result.bandwidth {
                            match row {
                                "Read" => parts.push(rate),
                                "Write" if column < parts.len() => parts[column] = parts[column].plus(rate),
                                "Total" if column < parts.len() => {
                                    let check = PrintedCheck {
                                        law: AuditLaw::Parts,
                                        unit: FigureUnit::BytesPerSecond,
                                        printed: rate,
                                        computed: parts[column],
                                    };
                                    result.checks.push(check);
                                }
                                _ => {}
                            }
                        }
                        out.push(result);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the name of a column: the block size as printed.
fn cells_of(page: &TextPage, title: usize, row: usize, column: usize) -> String {
    let header =
        (title + 1..row).rev().map(|at| page.at(at)).find(|text| text.trim_start().starts_with("Block Size"));
    let cell = header.and_then(|text| text.split('|').nth(column + 1)).unwrap_or_default();
    cell.split_whitespace().next().unwrap_or_default().to_owned()
}

/// Reads `400.00 MB/s (100.0k)`; MB are 1000 KiB and GB a million.
fn figure(cell: &str, block: f64) -> Option<PrintedResult> {
    let (number, rest) = number::leading(cell)?;
    let (unit, iops) = rest.trim().split_once('(')?;
    let factor = match unit.trim() {
        "KB/s" => 1024.0,
        "MB/s" => 1024e3,
        "GB/s" => 1024e6,
        _ => return None,
    };
    // Digits are cut rather than rounded.
    let cut = |n: PrintedNumber| PrintedNumber { half: 2.0 * n.half, ..n };
    let rate = cut(number.scaled(factor));
    let (iops, _) = number::thousands(iops)?;
    let iops = cut(iops);
    let block = PrintedNumber::exact(block);
    Some(PrintedResult {
        tool: BenchmarkTool::Yabs,
        random: Some(true),
        block: Some(block),
        iops: Some(iops),
        bandwidth: Some(rate),
        depth: Some(64),
        jobs: Some(2),
        engine: "libaio".into(),
        synchronous: Some(false),
        direct: Some(true),
        region: Some(2147483648.0),
        seconds: Some(PrintedNumber::exact(30.0)),
        checks: vec![PrintedCheck {
            law: AuditLaw::RateTimesBlock,
            unit: FigureUnit::BytesPerSecond,
            printed: rate,
            computed: iops.times(block),
        }],
        ..PrintedResult::default()
    })
}
