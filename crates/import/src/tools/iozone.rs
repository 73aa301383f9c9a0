//! iozone: the rows of the automatic mode, and the summaries of the throughput mode.

use super::command;
use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedResult, PrintedSyncs};

/// Tests of a row without blank cells, in iozone's order.
const TESTS: [(&str, IoKind, bool); 6] = [
    ("write", IoKind::Write, false),
    ("rewrite", IoKind::Write, false),
    ("read", IoKind::Read, false),
    ("reread", IoKind::Read, false),
    ("random read", IoKind::Read, true),
    ("random write", IoKind::Write, true),
];

/// Settings that iozone prints before the rows.
#[derive(Default)]
struct Settings {
    direct: bool,
    synced: bool,
    each_synced: bool,
    tests: Vec<u32>,
    command: String,
}

/// Appends the results in a page.
pub(super) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let anchor = |text: &str| text.to_lowercase().contains("kbytes/sec") || text.contains("Iozone:");
    if !page.lines.iter().any(|line| anchor(&line.text)) {
        return;
    }
    let mut settings = Settings::default();
    let mut inside = false;
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        setting(text, &mut settings);
        if let Some(command) = command::at_line(page, index, "iozone") {
            settings.tests = command
                .words
                .iter()
                .zip(command.words.iter().skip(1))
                .filter(|(word, _)| *word == "-i")
                .filter_map(|(_, test)| test.parse().ok())
                .chain(command.words.iter().filter_map(|word| word.strip_prefix("-i")?.parse().ok()))
                .collect();
            settings.direct |= command.words.iter().any(|word| word == "-I");
            settings.each_synced |= command.words.iter().any(|word| word == "-o");
            settings.command = command.text;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.contains(&"reclen") {
            inside = true;
        } else if inside && words.iter().all(|word| word.parse::<u64>().is_ok()) && words.len() >= 4 {
            row(page, index, &words, &settings, out);
        } else if let Some((_, rest)) = text.split_once("Children see throughput for") {
            children(page, index, rest, &settings, out);
        }
    }
}

fn setting(text: &str, settings: &mut Settings) {
    if text.contains("O_DIRECT feature enabled") {
        settings.direct = true;
    } else if text.contains("Include fsync in write timing") {
        settings.synced = true;
    } else if text.contains("SYNC Mode") {
        settings.each_synced = true;
    }
}

fn base(page: &TextPage, index: usize, settings: &Settings, kind: IoKind) -> PrintedResult {
    PrintedResult {
        tool: BenchmarkTool::Iozone,
        file: page.file.clone(),
        lines: page.numbers(index, index),
        kind,
        depth: Some(1),
        jobs: Some(1),
        synchronous: Some(true),
        direct: Some(settings.direct),
        command: settings.command.clone(),
        syncs: (kind == IoKind::Write).then_some(match (settings.each_synced, settings.synced) {
            (true, _) => PrintedSyncs::Each,
            (_, true) => PrintedSyncs::AtEnd,
            _ => PrintedSyncs::Never,
        }),
        ..PrintedResult::default()
    }
}

/// Reads `1048576  4096  512000  530000 ...`: size and record in KiB, then KiB/s.
fn row(page: &TextPage, index: usize, words: &[&str], settings: &Settings, out: &mut Vec<PrintedResult>) {
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let [size, record, rates @ ..] = numbers.as_slice() else { return };
    let tests: Vec<(&str, IoKind, bool)> = if settings.tests.is_empty() {
        TESTS.to_vec()
    } else {
        // -i 0: write and rewrite; -i 1: read and reread; -i 2: random.
        let pair = |test: &u32| TESTS.iter().skip(2 * *test as usize).take(2);
        settings.tests.iter().flat_map(pair).copied().collect()
    };
    // With blank cells the columns are not known.
    if settings.tests.is_empty() && rates.len() < TESTS.len() {
        return;
    }
    for ((name, kind, random), rate) in tests.into_iter().zip(rates) {
        let rate = PrintedNumber { value: rate * 1024.0, half: 512.0 };
        let block = PrintedNumber::exact(record * 1024.0);
        out.push(PrintedResult {
            label: name.to_owned(),
            random: Some(random),
            block: Some(block),
            region: Some(size * 1024.0),
            bandwidth: Some(rate),
            iops: rate.over(block),
            ..base(page, index, settings, kind)
        });
    }
}

/// Reads `12 initial writers  = 420000.00 kB/sec` and the lines below it.
fn children(page: &TextPage, index: usize, rest: &str, settings: &Settings, out: &mut Vec<PrintedResult>) {
    let Some((count, rest)) = number::leading(rest) else { return };
    let Some((name, rate)) = rest.split_once('=') else { return };
    let name = name.trim();
    let lower = name.to_lowercase();
    let kind = if lower.contains("writer") { IoKind::Write } else { IoKind::Read };
    let Some((rate, _)) = number::rate(rate.trim(), Base::Binary) else { return };
    let mut result = PrintedResult {
        label: name.to_owned(),
        random: Some(lower.contains("random")),
        bandwidth: Some(rate),
        jobs: Some(count.value as u32),
        ..base(page, index, settings, kind)
    };
    let (mut least, mut most, mut mean) = (None, None, None);
    for at in index + 1..page.lines.len().min(index + 7) {
        let Some((title, figure)) = page.at(at).split_once('=') else { continue };
        let Some((number, _)) = number::rate(figure.trim(), Base::Binary) else { continue };
        match title.trim() {
            "Min throughput per process" | "Min throughput per thread" => least = Some(number),
            "Max throughput per process" | "Max throughput per thread" => most = Some(number),
            "Avg throughput per process" | "Avg throughput per thread" => mean = Some(number),
            title if title.starts_with("Children see") => break,
            _ => continue,
        }
        result.lines[1] = page.numbers(at, at)[1];
    }
    let unit = FigureUnit::BytesPerSecond;
    if let Some(mean) = mean {
        result.check(AuditLaw::Parts, unit, rate, mean.scaled(count.value));
    }
    for (lower, upper) in [(least, mean), (mean, most)] {
        if let (Some(lower), Some(upper)) = (lower, upper) {
            result.check_order(AuditLaw::Order, unit, lower, upper);
        }
    }
    out.push(result);
}
