//! CrystalDiskMark's text, versions 3 to 8.

use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedPayload, PrintedResult, ReaderNote,
};

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let banner = page.lines.iter().position(|line| line.text.contains("CrystalDiskMark"));
    let mut section = IoKind::Unknown;
    let first = out.len();
    let version = banner
        .and_then(|at| page.at(at).split_once("CrystalDiskMark ")?.1.split_whitespace().next())
        .unwrap_or_default();
    for index in 0..page.lines.len() {
        let text = page.at(index).trim();
        match text {
            "[Read]" => section = IoKind::Read,
            "[Write]" => section = IoKind::Write,
            _ if text.starts_with("[Mix]") => section = IoKind::Mixed,
            _ => {}
        }
        let has_rate = text.contains("MB/s");
        let is_test = text.contains("(Q=")
            || text.contains("(QD=")
            || text.contains(" MB/s [")
            || banner.is_some() && plain_test(text);
        if !has_rate || !is_test || text.starts_with('*') {
            continue;
        }
        if let Some(mut result) = test(text, section) {
            result.file.clone_from(&page.file);
            result.lines = page.numbers(index, index);
            result.version = version.trim_end_matches(['x', '6', '4']).trim_end().to_owned();
            out.push(result);
        }
    }
    for at in 0..page.lines.len() {
        let text = page.at(at).trim();
        if let Some(rest) =
            text.strip_prefix("Test").map(|r| r.trim_start().trim_start_matches(':').trim_start())
        {
            let Some((size, _)) = number::bytes(rest, Base::Binary) else { continue };
            let runs = rest
                .split_once("(x")
                .and_then(|(_, r)| number::leading(r))
                .map_or(0, |(n, _)| n.value as u32);
            for result in &mut out[first..] {
                result.region = Some(size.value);
                result.notes = vec![ReaderNote::BestOf { runs }];
                if rest.contains("0Fill") {
                    result.payload = Some(PrintedPayload::Zeros);
                }
            }
        } else if text.contains("<0Fill>") {
            out[first..].iter_mut().for_each(|result| result.payload = Some(PrintedPayload::Zeros));
        }
    }
}

/// Returns whether a line is one of version 3 or 4: `Sequential Read :   512.345 MB/s`.
fn plain_test(text: &str) -> bool {
    (text.starts_with("Sequential") || text.starts_with("Random")) && text.contains(':')
}

fn test(text: &str, section: IoKind) -> Option<PrintedResult> {
    let (title, figures) =
        text.rsplit_once("):").or_else(|| text.split_once(" : ")).or_else(|| text.split_once("):"))?;
    let upper = title.to_uppercase();
    let (rate, rest) = number::rate(figures, Base::Si)?;
    let random = upper.starts_with("RND") || upper.starts_with("RANDOM");
    let kind = if upper.contains("READ") {
        IoKind::Read
    } else if upper.contains("WRITE") {
        IoKind::Write
    } else {
        section
    };
    let after =
        |key: &str| title.split_once(key).and_then(|(_, n)| number::leading(n)).map(|(n, _)| n.value as u32);
    let mut result = PrintedResult {
        tool: BenchmarkTool::CrystalDiskMark,
        label: title.split_whitespace().collect::<Vec<_>>().join(" "),
        kind,
        random: Some(random),
        bandwidth: Some(rate),
        direct: Some(true),
        depth: after("(Q=").or_else(|| after("(QD=")).or(Some(1)),
        jobs: after("T=").or(Some(1)),
        synchronous: Some(false),
        notes: vec![ReaderNote::BestOf { runs: 0 }],
        ..PrintedResult::default()
    };
    if result.label.ends_with(|c: char| c.is_ascii_digit()) && result.label.contains('(') {
        result.label.push(')');
    }
    // Block sizes are powers of 1024, also where "KB" is printed.
    result.block = title.split_whitespace().find_map(|word| {
        let (number, rest) = number::bytes(word, Base::Binary)?;
        (rest.is_empty() && number.value >= 512.0 && word.ends_with(['B', 'b']))
            .then(|| PrintedNumber::exact(number.value))
    });
    if let Some((iops, _)) = rest.split_once('[').and_then(|(_, r)| number::leading(r)) {
        result.iops = Some(iops);
    } else if let (Some(block), true) = (result.block, random) {
        result.iops = rate.over(block);
    }
    // "<" and ">" vanish in web pages.
    if let Some((_, latency)) = rest.split_once("IOPS]") {
        let latency = latency.trim().trim_start_matches('<');
        result.latency.mean = number::time(latency).map(|(n, _)| n);
    }
    if let (Some(block), Some(iops)) = (result.block, result.iops)
        && rest.contains('[')
    {
        result.check(AuditLaw::RateTimesBlock, FigureUnit::BytesPerSecond, rate, iops.times(block));
    }
    Some(result)
}
