//! winsat disk: `> Disk  Sequential 64.0 Read   500.00 MB/s   8.0`.

use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{BenchmarkTool, IoKind, PrintedNumber, PrintedResult};

/// Appends the results in a page.
pub(super) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    for index in 0..page.lines.len() {
        let text = page.at(index).trim().trim_start_matches('>').trim_start();
        let Some(rest) = text.strip_prefix("Disk ").map(str::trim_start) else { continue };
        let random = rest.starts_with("Random ");
        let Some(rest) = rest.strip_prefix("Sequential ").or_else(|| rest.strip_prefix("Random ")) else {
            continue;
        };
        // Block sizes are in KiB.
        let Some((kibibytes, rest)) = number::leading(rest) else { continue };
        let mut words = rest.split_whitespace();
        let kind = match words.next() {
            Some("Read") => IoKind::Read,
            Some("Write") => IoKind::Write,
            _ => continue,
        };
        let figure: Vec<&str> = words.collect();
        let Some((rate, _)) = number::rate(&figure.join(" "), Base::Si) else { continue };
        let block = PrintedNumber::exact(kibibytes.value * 1024.0);
        out.push(PrintedResult {
            tool: BenchmarkTool::Winsat,
            file: page.file.clone(),
            lines: page.numbers(index, index),
            label: text.split("  ").nth(1).unwrap_or_default().trim().to_owned(),
            kind,
            random: Some(random),
            block: Some(block),
            bandwidth: Some(rate),
            iops: rate.over(block),
            direct: Some(true),
            ..PrintedResult::default()
        });
    }
}
