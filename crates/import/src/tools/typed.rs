//! Results that a person typed or a page lists: lines with a direction or pattern, and a rate with its unit.

use super::number::{self, Base};
use super::page::TextPage;
use super::rate_first;
use stats::audit::{BenchmarkTool, IoKind, PrintedNumber, PrintedResult};

/// Longest line that is read as a result, characters; longer ones are prose.
const LONGEST: usize = 400;
/// Largest size that is a block size rather than a region, bytes.
const LARGEST_BLOCK: f64 = 67108864.0;

/// Keywords of a meaning: reads, writes, random, sequential.
const READ: [&str; 9] = ["read", "lesen", "lecture", "lectura", "lettura", "чтени", "читани", "读取", "读"];
const WRITE: [&str; 9] =
    ["write", "schreiben", "écriture", "escritura", "scrittura", "запис", "写入", "写", "written"];
const RANDOM: [&str; 8] = ["random", "rand", "rnd", "zufällig", "aléatoire", "случайн", "рандом", "随机"];
const SEQUENTIAL: [&str; 8] =
    ["sequential", "sequenti", "seq", "sequenziell", "последовательн", "линейн", "顺序", "连续"];

/// Words before a latency that is not the mean.
const TAILS: [&str; 14] = [
    "p50", "p90", "p95", "p99", "p99.9", "p999", "max", "min", "maximum", "minimum", "99%", "95%", "99th",
    "worst",
];

/// Words of prose that speak of other things than a result.
const PROSE: [&str; 21] = [
    " not ",
    "n't ",
    "expected",
    "expect ",
    "should",
    "target",
    "todo",
    "warning",
    "limit",
    "memory",
    "download",
    "upload",
    "pcie",
    " link",
    "internet",
    "for example",
    "e.g.",
    "per gb",
    "vendor",
    "promise",
    "below ",
];

/// Piece of a line that has a meaning.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Read,
    Write,
    Random,
    Sequential,
    Rate(PrintedNumber),
    Iops(PrintedNumber),
    Latency(PrintedNumber),
    Size(PrintedNumber),
    Depth(u32),
    Jobs(u32),
    Direct,
    Synced,
    Tool(BenchmarkTool),
}

/// Appends the results in lines that no other reader used, and returns the numbers of the lines with a rate that is not
/// part of a result. `used` has the first and last numbers of the lines of the other readers.
pub(crate) fn read(page: &TextPage, used: &[[usize; 2]], out: &mut Vec<PrintedResult>) -> Vec<usize> {
    let mut unread: Vec<usize> = Vec::new();
    for index in 0..page.lines.len() {
        let number = page.lines[index].number;
        let text = page.at(index);
        let is_used = used.iter().any(|[first, last]| (*first..=*last).contains(&number));
        if is_used || !might_have_rate(text) || is_code(text) {
            continue;
        }
        let too_long = text.chars().count() > LONGEST;
        let pieces = if too_long { rates(text) } else { pieces(text) };
        let of_other_things = is_prose(text) || too_long;
        let (found, left_over) = if of_other_things { (Vec::new(), None) } else { results(&pieces) };
        if left_over.is_some() || (found.is_empty() && pieces.iter().any(Piece::is_rate)) {
            unread.push(number);
        }
        for result in found {
            out.push(PrintedResult {
                file: page.file.clone(),
                lines: [number, number],
                label: text.trim().chars().take(60).collect(),
                ..result
            });
        }
    }
    unread.dedup();
    unread
}

/// Returns the rates of a line that is too long for a result.
fn rates(text: &str) -> Vec<Piece> {
    let sentences = text.split_inclusive(['.', ';']).filter(|sentence| sentence.len() < LONGEST);
    sentences.flat_map(pieces).filter(Piece::is_rate).collect()
}

/// Returns a result with the load that words describe, without figures.
pub(super) fn load(text: &str) -> PrintedResult {
    let mut pieces = pieces(text);
    pieces.retain(|piece| !matches!(piece, Piece::Rate(_) | Piece::Iops(_) | Piece::Latency(_)));
    // A rate makes a result of them.
    pieces.push(Piece::Iops(PrintedNumber::exact(1.0)));
    let found = results(&pieces).0.into_iter().next_back().unwrap_or_default();
    PrintedResult { iops: None, bandwidth: None, ..found }
}

fn might_have_rate(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains("/s") || lower.contains("iops") || lower.contains("bps")
}

/// Returns whether a line is program text, a format string, a command or a progress line of fio.
fn is_code(text: &str) -> bool {
    let progress = text.contains("[eta ") || text.contains("Jobs:");
    let header = ["minb=", "aggrb=", "bw=(", "rw=", "ioengine", "--"]
        .iter()
        .filter(|word| text.contains(**word))
        .count();
    let hdparm = text.contains("hdparm");
    // The summary of a group of fio, and interval lines of sysbench.
    let summary = (text.contains("run=") || text.contains("mint=")) && text.contains("io=")
        || text.trim_start().starts_with("[ ");
    progress
        || summary
        || text.contains("%d")
        || text.contains("%s")
        || text.contains("{:")
        || text.contains(";;")
        || (header > 0 && !hdparm)
}

/// Returns whether a line is a sentence about something else than a result.
fn is_prose(text: &str) -> bool {
    let lower = text.to_lowercase().replace(" not bad", "");
    PROSE.iter().any(|word| lower.contains(word)) && !text.contains('|')
}

impl Piece {
    /// Returns whether the piece is a bandwidth or a rate of I/Os.
    pub(super) fn is_rate(&self) -> bool {
        matches!(self, Piece::Rate(_) | Piece::Iops(_))
    }

    /// Returns whether the piece is a direction or an order of offsets.
    pub(super) fn is_pattern(&self) -> bool {
        matches!(self, Piece::Read | Piece::Write | Piece::Random | Piece::Sequential)
    }
}

/// Returns the pieces of a line; patterns that stand behind their rate come before it.
fn pieces(text: &str) -> Vec<Piece> {
    // French and Russian units.
    let units = [
        ("Mo/s", "MB/s"),
        ("Go/s", "GB/s"),
        ("Kio", "KiB"),
        ("МБ/с", "MB/s"),
        ("ГБ/с", "GB/s"),
        ("мкс", "us"),
        ("мс", "ms"),
    ];
    let text = &units.iter().fold(text.to_owned(), |text, (own, ours)| text.replace(own, ours));
    let lower = text.to_lowercase();
    let mut pieces: Vec<Piece> = Vec::new();
    // Where each piece begins and ends.
    let mut places: Vec<[usize; 2]> = Vec::new();
    let mut at = 0;
    let mut after_word = false;
    // In these languages a point separates thousands.
    let german = ["lesen", "schreib", "sequenti", "zufällig", "lectura", "escritura", "leitura"]
        .iter()
        .any(|w| lower.contains(w));
    let german = german && !lower.contains("sequential");
    while at < lower.len() {
        let rest = &lower[at..];
        let keyword =
            |list: &[&str]| list.iter().find(|word| rest.starts_with(**word)).map(|word| word.len());
        if !after_word {
            let kinds: [(&[&str], Piece); 4] = [
                (&READ, Piece::Read),
                (&WRITE, Piece::Write),
                (&RANDOM, Piece::Random),
                (&SEQUENTIAL, Piece::Sequential),
            ];
            if let Some((length, piece)) =
                kinds.iter().find_map(|(list, piece)| Some((keyword(list)?, piece.clone())))
            {
                let next = rest[length..].chars().next();
                // "ready" is no read; "reads", "readings" and "randread" are.
                let ends = !next.is_some_and(|c| c.is_ascii_alphabetic())
                    || rest[length..].starts_with(['s', 'i', 'r', 'w', 'e', 'a', 'l', 'u']);
                if ends {
                    pieces.push(piece);
                    places.push([at, at + length]);
                    at += length;
                    continue;
                }
            }
            let tools =
                [("hdparm", BenchmarkTool::Hdparm), ("dd ", BenchmarkTool::Dd), ("fio", BenchmarkTool::Fio)];
            if let Some((name, tool)) = tools.iter().find(|(name, _)| rest.starts_with(name)) {
                pieces.push(Piece::Tool(*tool));
                places.push([at, at + name.len()]);
                at += name.len();
                continue;
            }
        }
        if rest.starts_with("--direct") || rest.starts_with("direct=1") || rest.starts_with("o_direct") {
            pieces.push(Piece::Direct);
            places.push([at, at + 8]);
            at += 8;
            continue;
        }
        if !after_word && (rest.starts_with("fsync") || rest.starts_with("fdatasync")) {
            pieces.push(Piece::Synced);
            places.push([at, at + 5]);
            at += 5;
            continue;
        }
        if !after_word && let Some((piece, length)) = keyed(rest) {
            pieces.push(piece);
            places.push([at, at + length]);
            at += length;
            continue;
        }
        let c = rest.chars().next().unwrap_or(' ');
        // A negative number is no figure; "p99 120 us" and "max 5 ms" are no means.
        let before = lower[..at].trim_end();
        let negative = before.len() == at
            && before.ends_with('-')
            && !before[..before.len() - 1].ends_with(|c: char| c.is_alphanumeric());
        let tail = TAILS.iter().any(|word| before.trim_end_matches([':', '=', ' ', '.']).ends_with(word));
        if c.is_ascii_digit() && !after_word {
            let glued = matches!(pieces.last(), Some(Piece::Rate(_))) && lower[..at].ends_with("/s");
            let (piece, length) = match rate_first::before_pattern(rest) {
                Some((number, length)) => (Some(Piece::Iops(number)), length),
                None => figure(&text_at(text, &lower, at), glued, german),
            };
            let of_tail = tail && matches!(piece, Some(Piece::Latency(_)));
            if let Some(piece) = piece.filter(|_| !negative && !of_tail) {
                pieces.push(piece);
                places.push([at, at + length.max(1)]);
            }
            at += length.max(1);
            after_word = false;
            continue;
        }
        after_word = c.is_ascii_alphanumeric();
        at += c.len_utf8();
    }
    rate_first::ordered(pieces, &places, &lower)
}

/// Returns the text from a position on with its own letter case; the lower case if its length differs.
fn text_at(text: &str, lower: &str, at: usize) -> String {
    let own = text.get(at..).filter(|_| text.len() == lower.len());
    own.unwrap_or(&lower[at..]).to_owned()
}

/// Most blanks and marks between "IOPS" and its value.
const MOST_MARKS: usize = 3;

/// Returns whether the number behind "IOPS" is its value: it has no unit of its own ("100k IOPS 400 MB/s"), and a mark stands
/// before it, or it is at least 100 and no size ("IOPS 4k" is a heading). `after` is in lower case.
pub(super) fn is_value_of_iops(after: &str) -> bool {
    let value = after.trim_start_matches([' ', '=', ':']);
    let marks = &after[..after.len() - value.len()];
    let Some((number, rest)) = number::leading_grouped(value).filter(|_| marks.len() <= MOST_MARKS) else {
        return false;
    };
    if has_unit(rest) || grouped(value, false).is_some() {
        return false;
    }
    let scaled =
        rest.strip_prefix(['k', 'm']).filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
    let plain = number.value >= 100.0 && !rest.starts_with(|c: char| c.is_alphabetic());
    marks.contains(['=', ':']) || plain || scaled.is_some() && !is_block_size(number)
}

/// Returns whether the text behind a number begins with a unit that a rate of I/Os does not have.
fn has_unit(rest: &str) -> bool {
    let word: String =
        rest.trim_start().chars().take_while(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '%')).collect();
    let units = [
        "%", "b", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "ns", "us", "ms", "s", "usec", "msec",
        "sec", "seconds", "iops", "kiops", "jobs", "threads",
    ];
    word.ends_with("/s") || word.ends_with("/sec") || word.ends_with("bps") || units.contains(&word.as_str())
}

/// Returns whether a number before k or M is one of usual block sizes: a power of 2.
fn is_block_size(number: PrintedNumber) -> bool {
    number.value.fract() == 0.0 && number.value >= 1.0 && (number.value as u64).is_power_of_two()
}

/// Returns the length of the name of a rate of I/Os at the start of a text in lower case.
fn iops_name(lower: &str) -> Option<usize> {
    let name = ["iops", "io/s", "ios/s", "ops/s"].into_iter().find(|name| lower.starts_with(name))?;
    let ends = !lower[name.len()..].starts_with(|c: char| c.is_alphanumeric());
    ends.then_some(name.len())
}

/// Reads `iops=1600`, `qd32`, `iodepth 32`, `depth=24`, `bs=4k`.
fn keyed(rest: &str) -> Option<(Piece, usize)> {
    for key in
        ["numjobs", "threads", "iops", "iodepth", "queue depth", "queue-depth", "qdepth", "depth", "qd", "q"]
    {
        let Some(after) = rest.strip_prefix(key) else { continue };
        let value = after.trim_start_matches([' ', '=', ':']);
        let skipped = after.len() - value.len();
        if !value.starts_with(|c: char| c.is_ascii_digit()) || skipped > MOST_MARKS {
            continue;
        }
        // "Q" alone needs its number at once.
        if (key == "q" && skipped > 1) || (key == "iops" && !is_value_of_iops(after)) {
            continue;
        }
        let (number, tail) = number::thousands_of(match key {
            // "IOPS 85,000", but "IOPS 1,234k" has a decimal mark.
            "iops" => number::leading_grouped(value)
                .filter(|(_, rest)| !rest.starts_with(['k', 'm']))
                .or_else(|| number::leading(value))?,
            _ => number::leading(value)?,
        })?;
        let piece = match key {
            "iops" => Piece::Iops(number),
            "numjobs" | "threads" => Piece::Jobs(number.value as u32),
            _ => Piece::Depth(number.value as u32),
        };
        return Some((piece, rest.len() - tail.len()));
    }
    None
}

/// Largest bandwidth in bytes per second that a mark of thousands may lead to; more is a decimal mark.
const LIKELY_RATE: f64 = 3e10;

/// Reads a number with a mark of thousands before a rate: `88,000 IOPS`, `3,500 MB/s`, `1 400 000 IOPS`, `1'234 MB/s`. A
/// point separates thousands of IOPS only, for bandwidths have decimals; three digits behind a comma are thousands if the
/// rate is one that devices have.
fn grouped(text: &str, german: bool) -> Option<(PrintedNumber, &str)> {
    let bytes = text.as_bytes();
    let head = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let mark = *bytes.get(head)?;
    if !(1..=3).contains(&head) || !matches!(mark, b',' | b'.' | b' ' | b'\'') {
        return None;
    }
    let mut end = head;
    while bytes.get(end) == Some(&mark)
        && bytes.get(end + 1..end + 4).is_some_and(|d| d.iter().all(u8::is_ascii_digit))
        && !bytes.get(end + 4).is_some_and(u8::is_ascii_digit)
    {
        end += 4;
    }
    if end == head
        || bytes
            .get(end)
            .is_some_and(|b| matches!(b, b',' | b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit))
    {
        return None;
    }
    let value: f64 = text[..end].chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()?;
    let rest = &text[end..];
    let unit = rest.trim_start().to_lowercase();
    let number = PrintedNumber { value, half: 0.5 };
    if unit.starts_with("iops")
        || unit.starts_with("io/s")
        || unit.starts_with("k iops")
        || unit.starts_with("kiops")
    {
        return Some((number, rest));
    }
    let factor = [("mb/s", 1e6), ("mib/s", 1.05e6), ("kb/s", 1e3), ("kib/s", 1.02e3), ("m/s", 1e6)];
    let (_, factor) = factor.iter().find(|(name, _)| unit.starts_with(name))?;
    ((mark != b'.' || german) && value * factor < LIKELY_RATE).then_some((number, rest))
}

/// Reads a number with its unit and returns its length; `glued`: directly behind a rate, as in a table pasted without
/// blanks, where a latency in microseconds with two decimals follows.
fn figure(text: &str, glued: bool, german: bool) -> (Option<Piece>, usize) {
    if glued && let Some((whole, decimals)) = text.split_once('.') {
        let two = decimals.bytes().take(2).filter(u8::is_ascii_digit).count() == 2;
        if two && whole.bytes().all(|b| b.is_ascii_digit()) {
            let length = whole.len() + 3;
            let value: f64 = text[..length].parse().unwrap_or(0.0);
            return (Some(Piece::Latency(PrintedNumber { value: value * 1e3, half: 5.0 })), length);
        }
    }
    let Some((number, rest)) = grouped(text, german).or_else(|| number::leading(text)) else {
        return (None, 1);
    };
    let length = text.len() - rest.len();
    let unit = rest.trim_start();
    let blank = rest.len() - unit.len();
    if blank > 1 {
        return (None, length);
    }
    let word: String = unit.chars().take_while(|c| c.is_ascii_alphabetic() || *c == '/').collect();
    let lower = word.to_lowercase();
    let used = length + blank + word.len();
    // Bits have a small b: links, not disks.
    let bits = word.contains("b/s") || word.ends_with("bps") && !word.ends_with("Bps");
    let base = if lower.contains('i') { Base::Binary } else { Base::Si };
    let next = unit.get(1..).unwrap_or_default();
    let named = next.trim_start().to_lowercase();
    let prefixed = iops_name(&named).filter(|_| matches!(lower.as_str(), "k" | "m")).filter(|name| {
        // "4k iops=52000", "4k IOPS 52000": the size stands before another figure.
        let after = named[*name..].trim_start();
        let marked = after.starts_with(['=', ':']);
        !(is_value_of_iops(&named[*name..]) && (marked || is_block_size(number)))
    });
    if let Some(name) = prefixed {
        let factor = if lower == "k" { 1e3 } else { 1e6 };
        let blanks = next.len() - next.trim_start().len();
        return (Some(Piece::Iops(number.scaled(factor))), used + blanks + name);
    }
    if iops_name(&lower) == Some(lower.len()) {
        return (Some(Piece::Iops(number)), used);
    }
    if let Some(prefix) = lower.strip_suffix("iops").filter(|p| p.len() == 1) {
        let factor = number::prefix(prefix.chars().next(), Base::Si);
        return (factor.map(|factor| Piece::Iops(number.scaled(factor))), used);
    }
    if lower.ends_with("/s") || lower.ends_with("/sec") || lower.ends_with("bps") {
        let letters = lower.trim_end_matches("/sec").trim_end_matches("/s").trim_end_matches("ps");
        let known = matches!(letters, "k" | "m" | "g" | "kb" | "mb" | "gb" | "kib" | "mib" | "gib");
        let factor = number::prefix(letters.chars().next(), base).filter(|_| known && !bits);
        return (factor.map(|factor| Piece::Rate(number.scaled(factor))), used);
    }
    if matches!(lower.as_str(), "ns" | "us" | "ms" | "usec" | "msec") {
        let factor = number::nanoseconds(&lower).unwrap_or(1e3);
        return (Some(Piece::Latency(number.scaled(factor))), used);
    }
    if matches!(lower.as_str(), "jobs" | "threads" | "processes") {
        return (Some(Piece::Jobs(number.value as u32)), used);
    }
    if matches!(lower.as_str(), "iodepth" | "qd") {
        return (Some(Piece::Depth(number.value as u32)), used);
    }
    // Sizes of blocks and files are powers of 1024; words such as "minutes" are no unit.
    let sizes = ["k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib", "b"];
    let letters: String = unit.chars().take_while(char::is_ascii_alphabetic).collect();
    let tail = ["random", "rand", "rnd", "seq", "read", "write"];
    let lower = letters.to_lowercase();
    let size = sizes.iter().find(|s| lower == **s).or_else(|| {
        sizes
            .iter()
            .find(|s| lower.strip_prefix(**s).is_some_and(|rest| tail.iter().any(|t| rest.starts_with(t))))
    });
    match size {
        Some(size) => {
            let factor = if *size == "b" {
                1.0
            } else {
                number::prefix(size.chars().next(), Base::Binary).unwrap_or(1.0)
            };
            (Some(Piece::Size(PrintedNumber::exact(number.value * factor))), length + blank + size.len())
        }
        None => (None, length),
    }
}

/// Groups the pieces of a line into results: a new one begins with a direction or pattern behind a rate. The second value
/// is a rate without a direction or pattern.
fn results(pieces: &[Piece]) -> (Vec<PrintedResult>, Option<PrintedNumber>) {
    let mut found = Vec::new();
    let mut result = PrintedResult::default();
    let (mut tool, mut pending) = (BenchmarkTool::Typed, None::<PrintedNumber>);
    let has_rate = |r: &PrintedResult| r.iops.is_some() || r.bandwidth.is_some();
    for piece in pieces {
        if piece.is_pattern() && has_rate(&result) {
            let next = pending.take();
            found.push(std::mem::take(&mut result));
            result.block = next;
        }
        match piece {
            Piece::Read if result.kind == IoKind::Write => result.kind = IoKind::Mixed,
            Piece::Write if result.kind == IoKind::Read => result.kind = IoKind::Mixed,
            Piece::Read => result.kind = IoKind::Read,
            Piece::Write => result.kind = IoKind::Write,
            Piece::Random => result.random = Some(true),
            Piece::Sequential => result.random = Some(false),
            Piece::Rate(n) if result.bandwidth.is_none() => result.bandwidth = Some(*n),
            Piece::Iops(n) if result.iops.is_none() => result.iops = Some(*n),
            Piece::Latency(n) => result.latency.mean = result.latency.mean.or(Some(*n)),
            Piece::Size(n) if has_rate(&result) => pending = Some(*n),
            Piece::Size(n) if n.value <= LARGEST_BLOCK && result.block.is_none() => result.block = Some(*n),
            Piece::Size(n) if n.value > 1048576.0 => result.region = Some(n.value),
            Piece::Size(_) => {}
            Piece::Depth(n) => result.depth = Some(*n),
            Piece::Jobs(n) => result.jobs = Some((*n).max(1)),
            Piece::Direct => result.direct = Some(true),
            Piece::Synced => result.syncs = Some(stats::audit::PrintedSyncs::Each),
            Piece::Tool(t) => tool = *t,
            Piece::Rate(_) | Piece::Iops(_) => {}
        }
    }
    found.push(result);
    let one = |mut result: PrintedResult| {
        if tool == BenchmarkTool::Hdparm && result.kind == IoKind::Unknown {
            (result.kind, result.random, result.depth) = (IoKind::Read, Some(false), Some(1));
        }
        if tool == BenchmarkTool::Dd {
            (result.random, result.depth) = (result.random.or(Some(false)), result.depth.or(Some(1)));
        }
        // A typed depth without jobs is that of all.
        result.jobs = result.jobs.or(result.depth.map(|_| 1));
        if let (Some(rate), Some(block), None, Some(true)) =
            (result.bandwidth, result.block, result.iops, result.random)
        {
            result.iops = rate.over(block);
        }
        result
    };
    let rated = found.into_iter().map(one).filter(has_rate);
    let patterned = |result: &PrintedResult| result.kind != IoKind::Unknown || result.random.is_some();
    let (found, others): (Vec<PrintedResult>, Vec<PrintedResult>) = rated.partition(patterned);
    let left_over = others.iter().find_map(|result| result.iops.or(result.bandwidth));
    (found, left_over)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(text: &str) -> Vec<PrintedResult> {
        let mut out = Vec::new();
        read(&TextPage::new("f", text.as_bytes()), &[], &mut out);
        out
    }

    /// A rate before its pattern is one of this pattern: "300,000 IOPS random read".
    #[test]
    fn rates_before_their_patterns_are_read() {
        let seen = |text: &str| {
            let [one] = read_line(text).try_into().unwrap_or_else(|all| panic!("{text}: {all:?}"));
            (one.kind, one.random, one.iops.or(one.bandwidth).map(|n| n.value))
        };
        for text in [
            "300,000 IOPS random read from a 7200 rpm HDD",
            "we get 300,000 IOPS random read from a 7200 rpm HDD",
            "Our 7200 rpm HDD makes 300,000 IOPS random read",
            "300000 random read IOPS on a Seagate",
            "300k random read IOPS on a Seagate",
            "300.000 IOPS zufällig lesen von einer HDD",
            "We get 300k IOPS random read 4k",
            "0.3M IOPS random read",
            "from 200 to 300,000 IOPS random read",
            "We see 300,000 IOPS with random 4k reads",
            "300,000 IOPS (random read)",
            "random 300,000 IOPS read",
            "300,000 IOPS random read (1.2 GB/s)",
            "random read at 300,000 IOPS, not bad",
        ] {
            let (kind, random, rate) = seen(text);
            assert_eq!((random, rate), (Some(true), Some(3e5)), "{text}");
            assert!(kind == IoKind::Read || text.starts_with("random 3"), "{text}");
        }
        let fast = "The disk does 12 GB/s sequential on SATA SSD";
        assert_eq!(seen(fast), (IoKind::Unknown, Some(false), Some(12e9)));
        let faster = "from 200 MB/s to 550 MB/s sequential read";
        assert_eq!(seen(faster), (IoKind::Read, Some(false), Some(550e6)));
        let both = &read_line("We get 300k IOPS (1.2 GB/s) in 4k random reads with QD32")[0];
        assert_eq!((both.iops.is_some(), both.bandwidth.is_some(), both.depth), (true, true, Some(32)));
        assert_eq!(both.block.map(|n| n.value), Some(4096.0));
        let two = read_line("1,200 IOPS 4k random read / 300 MB/s 1M sequential write");
        let two: Vec<_> = two.iter().map(|r| r.block.map(|n| n.value)).collect();
        assert_eq!(two, [Some(4096.0), Some(1048576.0)]);
        let two = read_line("12 GB/s sequential read and 300,000 IOPS random write");
        let two: Vec<_> = two.iter().map(|r| (r.kind, r.random, r.iops.is_some())).collect();
        assert_eq!(two, [(IoKind::Read, Some(false), false), (IoKind::Write, Some(true), true)]);
        // A rate of another thing, a heading, and a block size stay what they are.
        assert!(read_line("The cable has 600 MB/s. Sequential tests follow").is_empty());
        assert!(read_line("4k random read IOPS").is_empty());
        assert_eq!(seen("4k random read IOPS: 88000"), (IoKind::Read, Some(true), Some(88e3)));
        assert_eq!(seen("It has 560 MB/s: random read 90 IOPS"), (IoKind::Read, Some(true), Some(90.0)));
    }

    /// A number behind "IOPS" that has a unit of its own is no rate of I/Os, and a number before "IOPS" is no size.
    #[test]
    fn figures_around_iops_without_marks_keep_their_units() {
        let seen = |text: &str| {
            let [one] = read_line(text).try_into().unwrap_or_else(|all| panic!("{text}: {all:?}"));
            let value = |n: Option<PrintedNumber>| n.map(|n| n.value.round());
            (value(one.iops), value(one.bandwidth), value(one.block), one.region)
        };
        for (text, iops, rate) in [
            ("4k randread 100k IOPS 400 MB/s", 1e5, Some(4e8)),
            ("4k randread 100k IOPS 400MB/s", 1e5, Some(4e8)),
            ("4k randread 100k IOPS 400 kB/s", 1e5, Some(4e5)),
            ("4k randread 100k IOPS, 400 MB/s", 1e5, Some(4e8)),
            ("4k randread 100k IOPS: 400 MB/s", 1e5, Some(4e8)),
            ("4k randread 100k IO/s 400 MB/s", 1e5, Some(4e8)),
            ("4k randread 100 kIOPS 400 MB/s", 1e5, Some(4e8)),
            ("4k randread 100000 IOPS 400 MB/s", 1e5, Some(4e8)),
            ("randread 4k qd32 85k iops 332 MiB/s", 85e3, Some(348_127_232.0)),
            ("4k randread QD32 100k IOPS 95 us 400MB/s", 1e5, Some(4e8)),
            ("4k randread 64k IOPS 250 MB/s", 64e3, Some(2.5e8)),
            ("4k randwrite 1.2M IOPS, 4.9 GB/s", 1.2e6, Some(4.9e9)),
            ("4k randwrite 1.2M IOPS 4.9 GB/s", 1.2e6, Some(4.9e9)),
            ("4k randwrite 1.2M IOPS 95 us", 1.2e6, None),
            ("4k randread 300k IOPS 1,200 MB/s", 3e5, Some(1.2e9)),
            ("4k 300k random read IOPS 1.2 GB/s", 3e5, Some(1.2e9)),
            ("randread 4k IOPS 100k BW 400 MB/s", 1e5, Some(4e8)),
            ("randread 4k IOPS 52000 95 us 210 MB/s", 52e3, Some(2.1e8)),
            ("randread 4k iops=52000 210 MB/s", 52e3, Some(2.1e8)),
            ("randread 4k IOPS 52,000 210 MB/s", 52e3, Some(2.1e8)),
        ] {
            assert_eq!(seen(text), (Some(iops), rate, Some(4096.0), None), "{text}");
        }
    }

    #[test]
    fn lines_with_rates_that_are_no_result_are_listed() {
        let unread = |text: &str| read(&TextPage::new("f", text.as_bytes()), &[], &mut Vec::new());
        let long = format!("{} 12 GB/s from it. {}", "word ".repeat(50), "word ".repeat(50));
        let text = format!("Sequential read is 210 MB/s\nIt did 300,000 IOPS today\n\nNo rate\n{long}\n");
        assert_eq!(unread(&text), [2, 5]);
        assert_eq!(unread("random read should be 300 IOPS"), [1]);
        assert_eq!(unread("300,000 IOPS, and sequential read is 210 MB/s"), [1]);
        for read in
            ["the link has 10 Gb/s", "read 200 MB/s (50,000 IOPS)", "rate=%d IOPS", "4k random read IOPS"]
        {
            assert_eq!(unread(read), [0usize; 0], "{read}");
        }
    }

    #[test]
    fn typed_lines_of_pages_are_read() {
        let one = &read_line("fio 顺序读4k,4G, 300MB/s (32 iodepth)")[0];
        assert_eq!((one.kind, one.random, one.depth), (IoKind::Read, Some(false), Some(32)));
        assert_eq!(one.block.map(|n| n.value), Some(4096.0));
        assert_eq!(one.bandwidth.map(|n| n.value), Some(300e6));
        let one = &read_line("random read, depth=24: 999 IOPS")[0];
        assert_eq!((one.random, one.depth, one.iops.map(|n| n.value)), (Some(true), Some(24), Some(999.0)));
        let two = read_line("4k随机写IOPS=1600, BW=6401KiB/s597.204k随机读IOPS=571, BW=2286KiB/s111941.46");
        assert_eq!(two.len(), 2);
        assert_eq!((two[0].kind, two[0].latency.mean.map(|n| n.value)), (IoKind::Write, Some(597_200.0)));
        assert_eq!(
            (two[1].block.map(|n| n.value), two[1].iops.map(|n| n.value)),
            (Some(4096.0), Some(571.0))
        );
        assert!(read_line("the link runs at 10 Gb/s and is ready").is_empty());
        assert!(read_line("We spread 40 threads over 2 disks at 100 MB/s").is_empty());
        let two = read_line("100 MB/s read, 90 MB/s write");
        assert_eq!(
            two.iter().map(|r| (r.kind, r.bandwidth.map(|n| n.value))).collect::<Vec<_>>(),
            [(IoKind::Read, Some(100e6)), (IoKind::Write, Some(90e6))]
        );
        let iops = |text: &str| read_line(text)[0].iops.map(|n| n.value);
        assert_eq!(iops("4k random read: 88,000 IOPS (344 MiB/s)"), Some(88e3));
        assert_eq!(iops("4k random read: 1 400 000 IOPS"), Some(1.4e6));
        assert_eq!(iops("Zufälliges Lesen 4K, QD1: 25.000 IOPS"), Some(25e3));
        let rate = |text: &str| read_line(text)[0].bandwidth.map(|n| n.value);
        assert_eq!(rate("Sequential read: 3,500 MB/s"), Some(3.5e9));
        assert_eq!(rate("Sequential read: 512,345 MB/s"), Some(512.345e6));
        assert_eq!(rate("seq read: 3 500 MB/s"), Some(3.5e9));
        let one = &read_line("4k randread QD1 4 jobs: 40000 IOPS, p99 900 us, avg 100 us")[0];
        assert_eq!((one.jobs, one.latency.mean.map(|n| n.value)), (Some(4), Some(1e5)));
        assert!(read_line("Read speed: -1 MB/s").is_empty());
        let one = &read_line("| 4k randread QD32 | 56k IOPS | 219 MiB/s |")[0];
        assert_eq!((one.depth, one.iops.map(|n| n.value)), (Some(32), Some(56e3)));
    }
}
