//! AS SSD Benchmark's copied text.

use super::number;
use super::page::TextPage;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedCheck, PrintedNumber, PrintedPayload, PrintedResult,
    ReaderNote,
};

/// Factor of a printed MB/s.
const MEGABYTE: f64 = 1048576.0;

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let Some(banner) = page.lines.iter().position(|line| line.text.contains("AS SSD Benchmark")) else {
        return;
    };
    let first = out.len();
    let mut section = "";
    let mut score: [Option<f64>; 3] = [None; 3];
    let version = page
        .at(banner)
        .split_once("AS SSD Benchmark ")
        .and_then(|(_, v)| v.split_whitespace().next())
        .unwrap_or_default();
    for index in banner + 1..page.lines.len().min(banner + 60) {
        let text = page.at(index).trim();
        let name = text.trim_end_matches(':').split("  ").next().unwrap_or_default().trim();
        section = match name.to_lowercase().as_str() {
            "seq" | "sequential" | "sequentiell" => "seq",
            "4k" => "4k",
            "4k-64thrd" | "4k-64" | "4k-64threads" => "4k64",
            "acc.time" | "access times" | "access time" | "zugriffszeit" => "acc",
            "score" | "punkte" => "score",
            _ => section,
        };
        let lower = text.to_lowercase();
        let column = [("read", 0), ("lesen", 0), ("write", 1), ("schreiben", 1), ("total", 2), ("gesamt", 2)];
        let Some((word, side)) = column.iter().find(|(word, _)| lower.contains(word)) else { continue };
        let value = lower.split_once(word).map(|(_, rest)| rest.trim_start_matches([':', ' ', '\t']));
        let Some((number, rest)) = value.and_then(number::leading) else { continue };
        if section == "score" {
            score[*side] = Some(number.value);
            continue;
        }
        let kind = if *side == 0 { IoKind::Read } else { IoKind::Write };
        let mut result = PrintedResult {
            tool: BenchmarkTool::AsSsd,
            version: version.to_owned(),
            file: page.file.clone(),
            lines: page.numbers(index, index),
            label: section.to_owned(),
            kind,
            random: Some(section != "seq"),
            direct: Some(true),
            depth: Some(1),
            jobs: Some(if section == "4k64" { 64 } else { 1 }),
            region: Some(1024.0 * MEGABYTE),
            payload: Some(PrintedPayload::Random),
            block: Some(PrintedNumber::exact(match section {
                "seq" => 16.0 * MEGABYTE,
                "acc" => 512.0,
                _ => 4096.0,
            })),
            ..PrintedResult::default()
        };
        let unit = rest.trim();
        if section == "acc" {
            let time = number.scaled(if unit.starts_with("us") { 1e3 } else { 1e6 });
            result.latency.mean = Some(time);
            result.iops = PrintedNumber::exact(1e9).over(time);
        } else if unit.starts_with("iops") {
            result.iops = Some(number);
            result.bandwidth = result.block.map(|block| number.times(block));
        } else if unit.starts_with("mb/s") {
            let rate = number.scaled(MEGABYTE);
            result.bandwidth = Some(rate);
            result.iops = result.block.and_then(|block| rate.over(block));
        } else {
            continue;
        }
        if !section.is_empty() {
            out.push(result);
        }
    }
    // "31 K - BAD": the partition starts there.
    let offset = (banner..page.lines.len().min(banner + 12)).find_map(|at| {
        let text = page.at(at).trim();
        let start = text.strip_suffix("BAD")?.trim_start_matches("Offset:");
        number::leading(start).filter(|(_, rest)| rest.trim_start().starts_with('K')).map(|(n, _)| n.value)
    });
    if let Some(kibibytes) = offset {
        let start_sector = (2.0 * kibibytes) as u64;
        out[first..].iter_mut().for_each(|result| result.notes.push(ReaderNote::Misaligned { start_sector }));
    }
    scores(&mut out[first..], score);
}

/// Adds the checks of the scores, which follow from the rates: read = 0.1 seq + 4k + 64 threads, and so on.
fn scores(results: &mut [PrintedResult], score: [Option<f64>; 3]) {
    let rate = |label: &str, kind: IoKind| {
        let find = results.iter().find(|r| r.label == label && r.kind == kind)?;
        find.bandwidth.map(|n| n.value / MEGABYTE)
    };
    let of = |kind: IoKind| Some([rate("seq", kind)?, rate("4k", kind)?, rate("4k64", kind)?]);
    let (Some(read), Some(write)) = (of(IoKind::Read), of(IoKind::Write)) else { return };
    let computed = [
        0.1 * read[0] + read[1] + read[2],
        0.1 * write[0] + write[1] + write[2],
        0.1 * read[0] + 0.15 * write[0] + 2.0 * read[1] + write[1] + 1.5 * read[2] + write[2],
    ];
    for (at, (printed, computed)) in score.iter().zip(computed).enumerate() {
        let Some(printed) = *printed else { continue };
        let kind = if at == 1 { IoKind::Write } else { IoKind::Read };
        if let Some(result) = results.iter_mut().find(|r| r.kind == kind) {
            result.checks.push(PrintedCheck {
                law: AuditLaw::Parts,
                unit: FigureUnit::Count,
                printed: PrintedNumber { value: printed, half: 1.0 },
                computed: PrintedNumber { value: computed, half: 1.0 + 0.01 * computed },
            });
        }
    }
}
