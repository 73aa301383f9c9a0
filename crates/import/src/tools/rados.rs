//! rados bench: the summary at the end.

use super::command;
use super::number;
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult};

const MEBIBYTE: f64 = 1048576.0;

/// Appends the results in a page.
pub(super) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    for index in 0..page.lines.len() {
        if !page.at(index).trim().starts_with("Total time run") {
            continue;
        }
        let Some(mut result) = summary(page, index) else { continue };
        let above = (index.saturating_sub(400)..index).rev().find(|at| page.at(*at).contains("concurrent"));
        // "Maintaining 16 concurrent writes of 4194304 bytes"
        let depth = above.and_then(|at| {
            let (before, _) = page.at(at).split_once(" concurrent")?;
            before.split_whitespace().next_back()?.parse::<u32>().ok()
        });
        if let Some(command) = command::above(page, index.saturating_sub(400), index, "rados") {
            let has = |word: &str| command.words.iter().any(|w| w == word);
            if has("seq") || has("rand") {
                (result.kind, result.random) = (IoKind::Read, Some(has("rand")));
            }
            let threads =
                command.words.iter().position(|w| w == "-t").and_then(|at| command.words.get(at + 1));
            result.depth = threads.and_then(|n| n.parse().ok());
            result.command = command.text;
        }
        result.depth = depth.or(result.depth);
        result.jobs = result.depth.map(|_| 1);
        out.push(result);
    }
}

fn summary(page: &TextPage, index: usize) -> Option<PrintedResult> {
    let mut result = PrintedResult {
        tool: BenchmarkTool::Rados,
        file: page.file.clone(),
        synchronous: Some(false),
        // Objects are stored by other machines.
        direct: Some(true),
        random: Some(false),
        ..PrintedResult::default()
    };
    let mut last = index;
    let mut size = None;
    for at in index..page.lines.len().min(index + 24) {
        let Some((title, figure)) = page.at(at).split_once(':') else { continue };
        let Some((n, _)) = number::leading(figure) else { continue };
        last = at;
        match title.trim() {
            "Total time run" => result.seconds = Some(n),
            "Total writes made" => (result.kind, result.ios) = (IoKind::Write, Some(n.value as u64)),
            "Total reads made" => (result.kind, result.ios) = (IoKind::Read, Some(n.value as u64)),
            "Write size" | "Read size" => size = Some(n.value),
            "Object size" => size = size.or(Some(n.value)),
            "Bandwidth (MB/sec)" => result.bandwidth = Some(n.scaled(MEBIBYTE)),
            // Cut to a whole number.
            "Average IOPS" => result.iops = Some(PrintedNumber { value: n.value + 0.5, half: 1.0 }),
            "Average Latency(s)" | "Average Latency" => result.latency.mean = Some(n.scaled(1e9)),
            "Max latency(s)" | "Max latency" | "Max Latency" => result.latency.max = Some(n.scaled(1e9)),
            "Min latency(s)" | "Min latency" | "Min Latency" => result.latency.min = Some(n.scaled(1e9)),
            "Stddev Latency(s)" | "Stddev Latency" => result.latency.stddev = Some(n.scaled(1e9)),
            _ => {}
        }
    }
    result.lines = page.numbers(index, last);
    result.block = size.map(PrintedNumber::exact);
    let (bandwidth, seconds, ios) = (result.bandwidth?, result.seconds?, result.ios?);
    let of_count = PrintedNumber::exact(ios as f64);
    if let Some(block) = result.block {
        result.amount = Some(of_count.times(block));
        if let Some(computed) = of_count.times(block).over(seconds) {
            result.check(AuditLaw::AmountOverTime, FigureUnit::BytesPerSecond, bandwidth, computed);
        }
    }
    match (result.iops, of_count.over(seconds)) {
        (Some(iops), Some(computed)) => {
            result.check(AuditLaw::AmountOverTime, FigureUnit::PerSecond, iops, computed);
        }
        (None, computed) => result.iops = computed,
        _ => {}
    }
    Some(result)
}
