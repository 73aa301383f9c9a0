//! dd's report on standard error: GNU, BSD, macOS and busybox, in all languages.

use super::command::{self, ToolCommand};
use super::number::{self, Base};
use super::page::TextPage;
use stats::audit::{
    AuditLaw, BenchmarkTool, FigureUnit, IoKind, PrintedNumber, PrintedPayload, PrintedResult, PrintedSyncs,
    ReaderNote,
};

/// Lines above a report among which its command is looked for.
const REACH: usize = 12;
/// Lines above a report without a command among which a sync is looked for, and its spellings.
const NEAR: usize = 3;
const SYNCS: [&str; 2] = ["conv=fsync", "conv=fdatasync"];

/// Appends the results in a page.
pub(crate) fn read(page: &TextPage, out: &mut Vec<PrintedResult>) {
    let mut after = 0;
    let mut previous: Option<(usize, f64, bool)> = None;
    for index in 0..page.lines.len() {
        let Some(report) = report(page.at(index)) else { continue };
        let records: Vec<(usize, Records)> = (after.max(index.saturating_sub(4))..index)
            .filter_map(|at| Some((at, records(page.at(at))?)))
            .collect();
        // Without dd's lines of records, a line that looks like its rate is one of another program.
        let progress = records.is_empty();
        let words = ["copied", "复制", "kopiert", "copiés"];
        if progress && !words.iter().any(|word| page.at(index).contains(word)) {
            continue;
        }
        let first = records.first().map_or(index, |(at, _)| *at);
        let command = command::at_line(page, index, "dd")
            .or_else(|| command::above(page, after.max(index.saturating_sub(REACH)), index, "dd"));
        let no_command = command.is_none();
        let mut result = result(page, command, &report, &records);
        // A sentence or a cut command above the report names the sync of written data.
        let above = after.max(first.saturating_sub(NEAR))..first;
        if no_command && above.into_iter().any(|at| SYNCS.iter().any(|word| page.at(at).contains(word))) {
            (result.kind, result.syncs) = (IoKind::Write, Some(PrintedSyncs::AtEnd));
        }
        result.lines = page.numbers(first, index);
        // status=progress writes over one line, and the records follow its last report.
        let bytes = report.bytes.value;
        let same_line = |end: usize| page.lines[end].number == page.lines[index].number;
        let follows = |end: usize| !records.is_empty() && first <= end + 2;
        let goes_on = previous.is_some_and(|(end, earlier, is_progress)| {
            is_progress && bytes >= earlier && (same_line(end) || follows(end))
        });
        match out
            .last_mut()
            .filter(|last| goes_on && last.tool == BenchmarkTool::Dd && last.file == page.file)
        {
            Some(last) => {
                let earlier = last.notes.iter().find_map(|note| match note {
                    ReaderNote::EarlierReports { reports } => Some(*reports),
                    _ => None,
                });
                let command = std::mem::take(&mut last.command);
                result.notes.push(ReaderNote::EarlierReports { reports: earlier.unwrap_or(0) + 1 });
                result.lines[0] = last.lines[0];
                let command = command::at_line(&TextPage::new("", command.as_bytes()), 0, "dd");
                if let Some(command) = command.filter(|_| result.command.is_empty()) {
                    apply(&mut result, &command);
                }
                *last = result;
            }
            None => out.push(result),
        }
        previous = Some((index, bytes, progress));
        after = index + 1;
    }
}

struct Report {
    bytes: PrintedNumber,
    spellings: Vec<PrintedNumber>,
    seconds: PrintedNumber,
    /// The time as printed.
    time: String,
    rate: Option<PrintedNumber>,
}

struct Records {
    full: u64,
    partial: u64,
}

/// Reads `64+0 records in`, in any language.
fn records(text: &str) -> Option<Records> {
    let text = text.trim();
    let at = text.find('+')?;
    let full: String = text[..at].chars().rev().take_while(char::is_ascii_digit).collect();
    let rest: String = text[at + 1..].chars().take_while(char::is_ascii_digit).collect();
    let full: String = full.chars().rev().collect();
    // A sentence in which a sum occurs is none.
    let words = text.split_whitespace().count();
    (words <= 5).then_some(Records { full: full.parse().ok()?, partial: rest.parse().ok()? })
}

/// Reads `67108864 bytes (67 MB, 64 MiB) copied, 0.0443741 s, 1.5 GB/s` and its relatives.
fn report(text: &str) -> Option<Report> {
    let text = &text.trim().replace('秒', "s");
    // In a sentence or behind its command on one line.
    let start = match text.find(" bytes (").filter(|_| text.contains("copied,")) {
        Some(end) => text[..end]
            .rfind(|c: char| !c.is_ascii_digit())
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8)),
        None => 0,
    };
    let text = &text[start..];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let bytes: f64 = text.get(..digits)?.parse().ok()?;
    let rest = &text[digits..];
    let rest = rest.strip_prefix(' ').or_else(|| rest.starts_with('字').then_some(rest))?;
    if let Some((_, rest)) = rest.split_once("transferred in ") {
        let (seconds, after) = number::time(rest)?;
        let time = rest[..rest.len() - after.len()].trim().to_owned();
        let rest = after;
        let rate = rest.trim_start().strip_prefix('(').and_then(|r| number::leading(r)).map(|(n, _)| n);
        return Some(Report {
            bytes: PrintedNumber::exact(bytes),
            spellings: Vec::new(),
            seconds: seconds.scaled(1e-9),
            time,
            rate,
        });
    }
    let (spellings, rest) = match rest.split_once('(') {
        Some((_, rest)) => {
            let (inside, rest) = rest.split_once(')')?;
            // busybox counts in powers of 1024 and writes "seconds".
            let base = |part: &str| {
                if part.contains("iB") || rest.contains(" seconds") { Base::Binary } else { Base::Si }
            };
            let spelt = inside.split(", ").filter_map(|part| number::bytes(part, base(part)).map(|(n, _)| n));
            (spelt.collect(), rest)
        }
        None => (Vec::new(), rest),
    };
    // The rate and the time are the last two parts; decimal commas have no blank behind them.
    let mut parts = rest.rsplit(", ");
    let (rate, time) = (parts.next()?.split(" and ").next()?, parts.next()?);
    let (seconds, after) = number::time(time)?;
    if !after.trim().is_empty() {
        return None;
    }
    let busybox = time.contains("seconds");
    let rate = number::rate_or_bits(rate, if busybox { Base::Binary } else { Base::Si }).map(|(n, _)| n);
    let time = time.trim().to_owned();
    Some(Report { bytes: PrintedNumber::exact(bytes), spellings, seconds: seconds.scaled(1e-9), time, rate })
}

fn result(
    page: &TextPage,
    command: Option<ToolCommand>,
    report: &Report,
    records: &[(usize, Records)],
) -> PrintedResult {
    let mut result = PrintedResult {
        tool: BenchmarkTool::Dd,
        file: page.file.clone(),
        amount: Some(report.bytes),
        seconds: Some(report.seconds),
        jobs: Some(1),
        depth: Some(1),
        synchronous: Some(true),
        random: Some(false),
        bandwidth: report.bytes.over(report.seconds).or(report.rate),
        ..PrintedResult::default()
    };
    if let Some(rate) = report.rate {
        result.check_rate(FigureUnit::BytesPerSecond, report.bytes, report.seconds, rate);
    }
    if report.seconds.high() <= 0.0 && report.bytes.value > 0.0 {
        result.notes.push(ReaderNote::WrongFields { fields: vec![report.time.clone()] });
    }
    for spelling in &report.spellings {
        result.check(AuditLaw::Spellings, FigureUnit::Bytes, *spelling, report.bytes);
    }
    if let Some((_, last)) = records.last() {
        if last.partial > 1 {
            result.notes.push(ReaderNote::PartialRecords { records: last.partial });
        } else if last.partial == 0 && last.full > 0 {
            let block = report.bytes.value / last.full as f64;
            if block.fract() == 0.0 {
                result.block = Some(PrintedNumber::exact(block));
                result.ios = Some(last.full);
                result.iops = PrintedNumber::exact(last.full as f64).over(report.seconds);
            } else {
                result.check(
                    AuditLaw::Whole,
                    FigureUnit::Bytes,
                    report.bytes,
                    PrintedNumber::exact(block.round() * last.full as f64),
                );
            }
        }
    }
    if let Some(command) = command {
        apply(&mut result, &command);
    }
    result
}

/// Completes a result by dd's command.
fn apply(result: &mut PrintedResult, command: &ToolCommand) {
    command.text.clone_into(&mut result.command);
    let operand = |key: &str| command.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
    let (input, output) = (operand("if"), operand("of"));
    let flags =
        |key: &str| operand(key).unwrap_or_default().split(',').map(str::to_owned).collect::<Vec<_>>();
    let has = |flags: &[String], name: &str| flags.iter().any(|flag| flag == name);
    // A block size in the command and the records of the report belong to one run.
    let bs = operand("bs").and_then(|bs| number::bytes(bs, Base::Binary)).filter(|(_, rest)| rest.is_empty());
    if let (Some((bs, _)), Some(amount), Some(ios)) = (bs, result.amount, result.ios) {
        let computed = PrintedNumber::exact(bs.value * ios as f64);
        result.check(AuditLaw::Whole, FigureUnit::Bytes, amount, computed);
    }
    let memory = |path: &str| ["/dev/zero", "/dev/urandom", "/dev/random", "/dev/null"].contains(&path);
    let (iflag, oflag, conv) = (flags("iflag"), flags("oflag"), flags("conv"));
    let writes = output.is_some_and(|path| !memory(path));
    let reads = input.is_some_and(|path| !memory(path));
    if writes && !reads {
        result.kind = IoKind::Write;
        result.direct = Some(has(&oflag, "direct"));
        output.unwrap_or_default().clone_into(&mut result.target);
        result.syncs = Some(if has(&oflag, "sync") || has(&oflag, "dsync") {
            PrintedSyncs::Each
        } else if has(&conv, "fsync") || has(&conv, "fdatasync") {
            PrintedSyncs::AtEnd
        } else {
            PrintedSyncs::Never
        });
        result.payload = match input {
            Some("/dev/zero") => Some(PrintedPayload::Zeros),
            Some("/dev/urandom" | "/dev/random") => Some(PrintedPayload::Random),
            _ => None,
        };
    } else if reads && !writes {
        result.kind = IoKind::Read;
        // The disk devices of BSD and macOS's raw ones have no cache.
        let uncached = ["/dev/ada", "/dev/da", "/dev/nda", "/dev/nvd", "/dev/rdisk"];
        let raw = uncached.iter().any(|name| input.is_some_and(|path| path.starts_with(name)));
        result.direct = Some(has(&iflag, "direct") || raw);
        input.unwrap_or_default().clone_into(&mut result.target);
    } else if !reads && !writes && (has(&conv, "fsync") || has(&conv, "fdatasync")) {
        // Only a written file is synced; its name is that of the shell's redirection.
        result.kind = IoKind::Write;
        result.direct = Some(has(&oflag, "direct"));
        result.syncs = Some(PrintedSyncs::AtEnd);
    } else if reads && writes {
        // A copy: the slower side, mostly the output, limits it.
        result.kind = IoKind::Write;
        result.direct = Some(has(&oflag, "direct"));
        output.unwrap_or_default().clone_into(&mut result.target);
        let each = has(&oflag, "sync") || has(&oflag, "dsync");
        let at_end = has(&conv, "fsync") || has(&conv, "fdatasync");
        result.syncs = Some(match (each, at_end) {
            (true, _) => PrintedSyncs::Each,
            (_, true) => PrintedSyncs::AtEnd,
            _ => PrintedSyncs::Never,
        });
    }
}
