//! hdparm -t, -T and --direct.

use super::command;
use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult, ReaderNote};

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let mut device = String::new();
    for index in 0..page.lines.len() {
        let text = page.at(index).trim_start_matches(['#', ' ']).trim();
        if let Some(name) = text.strip_suffix(':').filter(|name| name.starts_with('/') && !name.contains(' '))
        {
            name.clone_into(&mut device);
        }
        let Some(rest) = text.strip_prefix("Timing ") else { continue };
        let Some((what, figures)) = rest.split_once("reads:") else { continue };
        let Some(mut result) = figures_of(figures) else { continue };
        result.direct = Some(what.contains("O_DIRECT"));
        if what.contains("cached") {
            result.notes.push(ReaderNote::MemoryTest);
            result.label = "-T".into();
        } else {
            result.label = "-t".into();
        }
        device.clone_into(&mut result.target);
        result.file.clone_from(&page.file);
        result.lines = page.numbers(index, index);
        let command = command::above(page, index.saturating_sub(10), index, "hdparm");
        result.command = command.map(|c| c.text).unwrap_or_default();
        out.push(result);
    }
}

/// Reads `750 MB in  3.00 seconds = 249.90 MB/sec`.
fn figures_of(text: &str) -> Option<PrintedResult> {
    let (amount, rest) = number::bytes(text, Base::Binary)?;
    let (seconds, rest) = number::time(rest.trim_start().strip_prefix("in")?)?;
    let (rate, _) = number::rate_or_bits(rest.trim_start().strip_prefix('=')?, Base::Binary)?;
    let seconds = seconds.scaled(1e-9);
    // hdparm reads in steps of 2 MB, so the amount is exact.
    let amount = PrintedNumber::exact(amount.value);
    let mut result = PrintedResult {
        tool: BenchmarkTool::Hdparm,
        kind: IoKind::Read,
        random: Some(false),
        amount: Some(amount),
        seconds: Some(seconds),
        bandwidth: Some(rate),
        depth: Some(1),
        jobs: Some(1),
        synchronous: Some(true),
        block: Some(PrintedNumber::exact(2097152.0)),
        ..PrintedResult::default()
    };
    result.check_rate(FigureUnit::BytesPerSecond, amount, seconds, rate);
    Some(result)
}
