//! The disk lines of bench.sh (dd of zeros with a sync at the end) and of the fallback of yabs.

use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedPayload, PrintedResult, PrintedSyncs,
};

const MEBIBYTE: f64 = 1048576.0;

/// Appends the results in a page.
pub(super) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let mut runs: Vec<PrintedNumber> = Vec::new();
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        let Some((title, figure)) = text.split_once(':') else { continue };
        let title = title.trim().to_lowercase();
        let average = title.starts_with("average i/o speed") || title.starts_with("i/o speed(average");
        let run = title.starts_with("i/o speed(") && title.contains("run");
        if !average && !run {
            continue;
        }
        let Some((rate, _)) = number::rate(figure.trim(), Base::Si) else { continue };
        if run {
            if title.contains("1st") {
                runs.clear();
            }
            runs.push(rate);
        }
        let mut result = PrintedResult {
            tool: BenchmarkTool::BenchSh,
            file: page.file.clone(),
            lines: page.numbers(index, index),
            label: title.clone(),
            kind: IoKind::Write,
            random: Some(false),
            bandwidth: Some(rate),
            amount: Some(PrintedNumber::exact(1024.0 * MEBIBYTE)),
            block: Some(PrintedNumber::exact(0.5 * MEBIBYTE)),
            depth: Some(1),
            jobs: Some(1),
            synchronous: Some(true),
            direct: Some(false),
            syncs: Some(PrintedSyncs::AtEnd),
            payload: Some(PrintedPayload::Zeros),
            ..PrintedResult::default()
        };
        result.seconds = result.amount.and_then(|amount| amount.over(rate));
        if average && runs.len() > 1 {
            let sum = runs.iter().copied().fold(PrintedNumber::exact(0.0), PrintedNumber::plus);
            let mean = sum.scaled(1.0 / runs.len() as f64);
            result.check(AuditLaw::Parts, FigureUnit::BytesPerSecond, rate, mean);
        }
        out.push(result);
    }
}
