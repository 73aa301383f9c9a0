//! What the author of a text concludes from the results in it: sentences near a result that no reader used.

use super::number;
use super::page::TextPage;
use stats::audit::{BenchmarkTool, IoKind, PrintedResult, ReaderNote};

/// Lines before and behind a result in which sentences about it are looked for.
const REACH: usize = 12;
/// Shortest sentence, words.
const FEWEST_WORDS: usize = 3;
const MEBIBYTE: f64 = 1048576.0;

const BUSY: [&str; 6] = ["%util", "util", "busy", "auslastung", "загруз", "利用率"];
const SATURATED: [&str; 14] = [
    "saturat",
    "maxed",
    "bottleneck",
    "at its limit",
    "overloaded",
    "fully used",
    "no headroom",
    "can't take",
    "ausgelastet",
    "am limit",
    "flaschenhals",
    "перегружен",
    "на пределе",
    "瓶颈",
];
const MEAN: [&str; 10] = [
    "average",
    "avg",
    "mean latency",
    "on average",
    "mittel",
    "durchschnitt",
    "средн",
    "平均",
    "mean of",
    "mean is",
];
const PROMISE: [&str; 17] = [
    "every request",
    "each request",
    "all requests",
    "every i/o",
    "all i/o",
    "guarantee",
    "never ",
    "always",
    "no user",
    " sla ",
    "no request",
    "every query",
    "jede anfrage",
    "immer",
    "каждый",
    "всегда",
    "每个请求",
];
const DURABLE: [&str; 15] = [
    "durab",
    "commits",
    "committed",
    "transactions per second",
    "power loss",
    "power failure",
    "safe on disk",
    "safely on",
    "survive",
    "persisted",
    "dauerhaft",
    "stromausfall",
    "надёжно",
    "коммит",
    "持久",
];
const DENIED: [&str; 8] = ["not ", "n't ", "no longer", "kein", "nicht ", " не ", "unlike", "whether"];
const WRITE_BACK: [&str; 11] = [
    "bbu",
    "bbwc",
    "fbwc",
    "battery-backed",
    "battery backed",
    "battery",
    "write-back",
    "writeback",
    "cachevault",
    "flash-backed",
    "nvram",
];

/// Adds notes to results about which the text near them says something.
pub(super) fn note(page: &TextPage, results: &mut [PrintedResult]) {
    let mut used: Vec<[usize; 2]> =
        results.iter().filter(|r| r.tool != BenchmarkTool::Typed).map(|result| result.lines).collect();
    used.sort_unstable();
    let is_used = |number: usize| used.iter().any(|[first, last]| (*first..=*last).contains(&number));
    // Files of many lines have no author who concludes.
    if results.is_empty() || results.len() > 200 || page.lines.len() > 5000 {
        return;
    }
    let sentences: Vec<(usize, String)> = page
        .lines
        .iter()
        .filter(|line| line.text.split_whitespace().count() >= FEWEST_WORDS && !is_used(line.number))
        .filter(|line| is_sentence(&line.text))
        .map(|line| (line.number, line.text.to_lowercase()))
        .collect();
    for result in results {
        let [first, last] = result.lines;
        let near = sentences
            .iter()
            .filter(|(number, _)| (first.saturating_sub(REACH)..=last + REACH).contains(number));
        for (line, text) in near {
            let notes = notes(*line, text, result);
            result.notes.extend(notes);
        }
    }
}

/// Returns whether a line is one that a person wrote: hardly any marks of tables, commands and settings.
fn is_sentence(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let marks = text.chars().filter(|c| matches!(c, '=' | '|' | ';' | '{' | '}' | '[')).count();
    letters * 2 > text.chars().count() && marks <= 1 && !text.contains("--")
}

fn notes(line: usize, text: &str, result: &PrintedResult) -> Vec<ReaderNote> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let denied = has(&DENIED);
    let mut notes = Vec::new();
    if result.tool == BenchmarkTool::Iostat && has(&BUSY) && has(&SATURATED) && !denied {
        notes.push(ReaderNote::BusyQuoted { line });
    }
    if result.latency.mean.is_some() && has(&MEAN) && has(&PROMISE) {
        notes.push(ReaderNote::MeanQuoted { line });
    }
    if result.kind.writes() && result.kind != IoKind::SyncedWrite && has(&DURABLE) && !denied {
        notes.push(ReaderNote::DurableQuoted { line });
    }
    if has(&WRITE_BACK)
        && !denied
        && !text.contains("disabled")
        && !result.notes.contains(&ReaderNote::WriteBackNamed)
    {
        notes.push(ReaderNote::WriteBackNamed);
    }
    notes.extend(other_unit(text, result).map(|quoted| ReaderNote::UnitQuoted { quoted, line }));
    notes
}

/// Returns a rate that the sentence quotes in MB/s with the digits of the MiB/s that fio printed.
fn other_unit(text: &str, result: &PrintedResult) -> Option<f64> {
    let printed = result
        .bandwidth
        .filter(|_| result.tool == BenchmarkTool::Fio && !result.version.starts_with("fio-2"))?;
    let at = text.find("mb/s")?;
    let digits = text[..at].trim_end();
    let start = digits.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
    let (quoted, rest) = number::leading(digits.get(start..)?)?;
    let (mebi, mega) = (printed.value / MEBIBYTE, printed.value / 1e6);
    let exact = rest.is_empty() && quoted.value >= 10.0;
    // One digit less than the difference of the units.
    let fits = (quoted.value - mebi).abs() <= 0.004 * mebi && (quoted.value - mega).abs() > 0.03 * mega;
    (exact && fits).then_some(quoted.value * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::audit::PrintedNumber;

    #[test]
    fn conclusions_are_read_from_sentences_and_denials_are_not() {
        let disk = PrintedResult { tool: BenchmarkTool::Iostat, ..PrintedResult::default() };
        let busy = |text: &str| notes(1, text, &disk).len();
        assert_eq!(busy("%util is 99, so the drive is saturated"), 1);
        assert_eq!(busy("%util is 99, but the drive is not saturated"), 0);
        let mut write = PrintedResult { kind: IoKind::Write, ..PrintedResult::default() };
        assert_eq!(
            notes(3, "so we get 9000 commits per second", &write),
            [ReaderNote::DurableQuoted { line: 3 }]
        );
        write.latency.mean = Some(PrintedNumber::exact(1e5));
        assert_eq!(
            notes(4, "with this average every request is fast", &write),
            [ReaderNote::MeanQuoted { line: 4 }]
        );
    }

    #[test]
    fn a_rate_with_the_digits_of_another_unit_is_found() {
        let mut fio = PrintedResult { tool: BenchmarkTool::Fio, ..PrintedResult::default() };
        fio.bandwidth = Some(PrintedNumber::exact(155.0 * MEBIBYTE));
        assert_eq!(other_unit("it reads 155 mb/s", &fio), Some(155e6));
        assert_eq!(other_unit("it reads 163 mb/s", &fio), None);
        assert_eq!(other_unit("it reads 300 mb/s", &fio), None);
    }
}
