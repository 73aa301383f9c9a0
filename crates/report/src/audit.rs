//! The answer of `fathom audit`: a table of the results, the worst findings with their evidence, and the measurement
//! that would have answered.

use crate::catalog::{say, word};
use crate::labels::block;
use crate::scale::{bytes, megabytes, percent, short, time};
use crate::{Grid, Lang, columns, export, fill, findings, fit, lay, left, prose_width, widest};
use stats::Grade;
use stats::audit::{
    AuditClaim, AuditContext, AuditFinding, AuditLaw, AuditReport, AuditedResult, BenchmarkTool, CeilingKind,
    FigureUnit, IoKind, Measurand, PrintedResult, Unstated,
};

/// Largest number of results and of findings that fit a screen.
const ROWS: usize = 10;
const FINDINGS: usize = 4;

/// Returns the audit in lines of at most `width` columns, newline at the end; `all`: every result, and every finding of
/// those below grade A.
pub fn render(lang: Lang, report: &AuditReport, all: bool, width: usize) -> String {
    let width = prose_width(width);
    if let [only] = report.results.as_slice() {
        return lay(&card(lang, only, usize::MAX, width));
    }
    if all {
        let mut lines = table(lang, report, usize::MAX, width);
        for result in report.results.iter().filter(|result| result.grade > Grade::Trusted) {
            lines.push(String::new());
            lines.extend(card(lang, result, usize::MAX, width));
        }
        return lay(&lines);
    }
    let mut lines = table(lang, report, ROWS, width);
    lines.push(String::new());
    lines.extend(worst(lang, report, width));
    lay(&lines)
}

/// Returns the audit as one JSON document, newline at the end.
pub fn json(report: &AuditReport) -> String {
    let results = report.results.iter().map(ResultDocument::of).collect();
    export::json(&AuditDocument { context: &report.context, results })
}

/// The audit with what follows from its claims.
#[derive(serde::Serialize)]
struct AuditDocument<'a> {
    context: &'a AuditContext,
    results: Vec<ResultDocument<'a>>,
}

/// A result with its findings.
#[derive(serde::Serialize)]
struct ResultDocument<'a> {
    grade: Grade,
    measured: Measurand,
    findings: Vec<FindingDocument<'a>>,
    unstated: &'a [Unstated],
    instead: &'a str,
    printed: &'a PrintedResult,
}

/// A finding with its rule, its grade and its sentence in English.
#[derive(serde::Serialize)]
struct FindingDocument<'a> {
    rule: &'static str,
    grade: Grade,
    statement: String,
    line: usize,
    quote: &'a str,
    claim: &'a AuditClaim,
}

impl<'a> ResultDocument<'a> {
    fn of(result: &'a AuditedResult) -> Self {
        let of_finding = |finding: &'a AuditFinding| FindingDocument {
            rule: finding.claim.rule(),
            grade: finding.claim.grade(),
            statement: statement(Lang::En, &finding.claim),
            line: finding.line,
            quote: &finding.quote,
            claim: &finding.claim,
        };
        ResultDocument {
            grade: result.grade,
            measured: result.measurand,
            findings: result.findings.iter().map(of_finding).collect(),
            unstated: &result.unstated,
            instead: &result.command,
            printed: &result.printed,
        }
    }
}

/// Returns that no file has a result, with the tools whose results are known.
pub fn nothing(lang: Lang) -> String {
    let tools: Vec<&str> = BenchmarkTool::ALL.into_iter().map(BenchmarkTool::name).collect();
    say!(lang, "audit-nothing", tools = tools.join(", "))
}

/// Returns that lines have figures that could not be read as results.
pub fn unread_lines(lang: Lang, lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(ROWS).map(ToString::to_string).collect();
    let rest = if lines.len() > ROWS { ", ..." } else { "" };
    say!(lang, "audit-unread-lines", number = lines.len(), lines = format!("{}{rest}", shown.join(", ")))
}

/// Returns a small rate with its first decimal, a larger one with a prefix.
fn rate_of_ios(per_second: f64) -> String {
    if per_second < 10.0 { format!("{per_second:.1}") } else { short(per_second) }
}

/// Returns what an option of the context accepts.
pub fn option_help(lang: Lang, option: &str) -> &'static str {
    match option {
        "ram" => word!(lang, "audit-ram"),
        "link" => word!(lang, "audit-link"),
        _ => word!(lang, "audit-device"),
    }
}

/// Returns one line per result, the worst ones if there are too many for a screen.
fn table(lang: Lang, report: &AuditReport, most: usize, width: usize) -> Vec<String> {
    let head = [
        word!(lang, "audit-column-line"),
        word!(lang, "audit-column-tool"),
        word!(lang, "audit-column-load"),
        word!(lang, "audit-column-figure"),
        word!(lang, "audit-column-measures"),
        word!(lang, "audit-column-grade"),
        word!(lang, "audit-column-rule"),
    ];
    let mut order: Vec<usize> = (0..report.results.len()).collect();
    if order.len() > most {
        order.sort_by_key(|at| std::cmp::Reverse(report.results[*at].grade));
        order.truncate(most);
        order.sort_unstable();
    }
    let several = of_several_files(report);
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for at in order {
        let result = &report.results[at];
        let number = result.printed.lines[0];
        let place = match several {
            true => format!("{}:{number}", crate::fit_end(&result.printed.file, 16)),
            false => number.to_string(),
        };
        let rules: Vec<&str> = rules_of(result).into_iter().take(2).collect();
        rows.push(vec![
            place,
            tool(lang, &result.printed),
            load(lang, &result.printed, true),
            figure(&result.printed),
            measurand(lang, result.measurand).to_owned(),
            result.grade.letter().to_string(),
            rules.join(" "),
        ]);
    }
    let mut lines = Grid { keys: 1, to_right: |_| false, gap: 2 }.lines(&rows, width);
    let hidden = report.results.len().saturating_sub(most);
    if hidden > 0 {
        lines.push(say!(lang, "audit-more", number = hidden));
    }
    lines
}

/// Returns whether the results are of more than one file.
fn of_several_files(report: &AuditReport) -> bool {
    report.results.iter().any(|result| result.printed.file != report.results[0].printed.file)
}

fn rules_of(result: &AuditedResult) -> Vec<&'static str> {
    let mut rules: Vec<&str> = Vec::new();
    for finding in result.findings.iter().filter(|finding| finding.claim.grade() > Grade::Trusted) {
        if !rules.contains(&finding.claim.rule()) {
            rules.push(finding.claim.rule());
        }
    }
    rules
}

/// Returns the worst findings, one of each rule, with the first text that shows it and the command for the worst result.
fn worst(lang: Lang, report: &AuditReport, width: usize) -> Vec<String> {
    let mut found: Vec<(&AuditedResult, &AuditFinding)> = Vec::new();
    for result in &report.results {
        for finding in &result.findings {
            let known = found.iter().any(|(_, f)| f.claim.rule() == finding.claim.rule());
            if !known && finding.claim.grade() > Grade::Trusted {
                found.push((result, finding));
            }
        }
    }
    found.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.claim.grade()));
    let mut lines = Vec::new();
    for (result, finding) in found.iter().take(FINDINGS) {
        let file = if of_several_files(report) { result.printed.file.as_str() } else { "" };
        lines.extend(stated(lang, finding, file, width));
    }
    let first = report.results.iter().filter(|r| !r.command.is_empty()).max_by_key(|r| r.grade);
    if let Some(result) = first {
        lines.extend(instead(lang, result, width));
    }
    lines
}

/// Returns the lines of one result.
fn card(lang: Lang, result: &AuditedResult, most: usize, width: usize) -> Vec<String> {
    let printed = &result.printed;
    let place = format!("{}:{}", crate::fit_end(&printed.file, 40), printed.lines[0]);
    let title = [tool(lang, printed), fit(&printed.label, 30), place];
    let title: Vec<String> = title.into_iter().filter(|part| !part.is_empty()).collect();
    let mut lines = fill("", &title.join("   "), width);
    let mean = printed.latency.mean.filter(|_| operations(printed).is_none());
    let latency = mean.map(|mean| format!(", {}", time(mean.value))).unwrap_or_default();
    lines.extend(fill("", &format!("{}: {}{latency}", load(lang, printed, false), figures(printed)), width));
    let trust = findings::trust(lang, result.grade);
    lines.extend(fill(
        &label(lang, word!(lang, "audit-label-measures")),
        measurand(lang, result.measurand),
        width,
    ));
    lines.extend(fill(&label(lang, word!(lang, "audit-label-trust")), &trust, width));
    for finding in result.findings.iter().take(most) {
        lines.extend(stated(lang, finding, "", width));
    }
    if !result.unstated.is_empty() {
        let parts: Vec<&str> = result.unstated.iter().map(|what| unstated(lang, *what)).collect();
        lines.extend(fill(&label(lang, word!(lang, "audit-label-unstated")), &parts.join(", "), width));
    }
    if !result.command.is_empty() {
        lines.extend(instead(lang, result, width));
    }
    lines
}

/// Returns a finding with the line that shows it, and the name of its file unless that is empty.
fn stated(lang: Lang, finding: &AuditFinding, file: &str, width: usize) -> Vec<String> {
    let claim = &finding.claim;
    let mut lines = fill(
        &format!("{} {} ", claim.grade().letter(), left(claim.rule(), 4)),
        &statement(lang, claim),
        width,
    );
    if !finding.quote.is_empty() {
        let place = match file {
            "" => finding.line.to_string(),
            file => format!("{}:{}", crate::fit_end(file, 30), finding.line),
        };
        let room = width.saturating_sub(columns(&place) + 9).max(20);
        lines.push(format!("       {place}: {}", fit(&finding.quote, room)));
    }
    lines
}

fn instead(lang: Lang, result: &AuditedResult, width: usize) -> Vec<String> {
    fill(&label(lang, word!(lang, "audit-label-instead")), &format!("fathom {}", result.command), width)
}

fn label(lang: Lang, text: &str) -> String {
    let all = [
        word!(lang, "audit-label-unstated"),
        word!(lang, "audit-label-instead"),
        word!(lang, "audit-label-measures"),
        word!(lang, "audit-label-trust"),
    ];
    left(text, widest(&all) + 1)
}

fn tool(lang: Lang, printed: &PrintedResult) -> String {
    let name = printed.tool.name();
    if name.is_empty() { word!(lang, "audit-typed").to_owned() } else { name.to_owned() }
}

/// Returns the load in words: `4k random reads, 32 in flight`; in short form without the number in flight of 1.
fn load(lang: Lang, printed: &PrintedResult, brief: bool) -> String {
    let kind = match printed.kind {
        IoKind::Read => word!(lang, "audit-kind-read"),
        IoKind::Write => word!(lang, "audit-kind-write"),
        IoKind::Mixed => word!(lang, "audit-kind-mixed"),
        IoKind::SyncedWrite => word!(lang, "audit-kind-synced"),
        IoKind::Trim => word!(lang, "audit-kind-trim"),
        IoKind::Unknown => word!(lang, "audit-kind-unknown"),
    };
    // All writes of pg_test_fsync go to one place.
    let ordered = match printed.random.filter(|_| printed.tool != BenchmarkTool::PgTestFsync) {
        Some(true) => say!(lang, "audit-order-random", kind),
        Some(false) => say!(lang, "audit-order-sequential", kind),
        None => kind.to_owned(),
    };
    let size = printed.block.map_or(String::new(), |n| format!("{} ", block(n.value.round() as u64)));
    let in_flight = printed.depth.map(|depth| u64::from(depth) * u64::from(printed.jobs.unwrap_or(1)));
    match in_flight.filter(|n| *n > 1 || !brief) {
        Some(number) if brief => format!("{size}{ordered} x{number}"),
        Some(number) => format!("{size}{ordered}, {}", say!(lang, "audit-in-flight", number)),
        None => format!("{size}{ordered}"),
    }
}

/// Returns the operations per second and the time of each, which pg_test_fsync prints; `None` for other tools.
fn operations(printed: &PrintedResult) -> Option<String> {
    let rate = printed.iops.filter(|_| printed.tool == BenchmarkTool::PgTestFsync)?;
    let each = printed.latency.mean.map(|mean| format!(", {:.0} us/op", mean.value / 1e3));
    Some(format!("{} ops/s{}", short(rate.value), each.unwrap_or_default()))
}

/// Returns the figure that people quote: IOPS for random I/O, bandwidth otherwise.
fn figure(printed: &PrintedResult) -> String {
    if let Some(text) = operations(printed) {
        return text;
    }
    let iops = printed.iops.map(|n| format!("{} IOPS", short(n.value)));
    let rate = printed.bandwidth.map(|n| rate(n.value));
    if printed.random == Some(false) { rate.or(iops) } else { iops.or(rate) }.unwrap_or_default()
}

fn figures(printed: &PrintedResult) -> String {
    if let Some(text) = operations(printed) {
        return text;
    }
    let iops = printed.iops.map(|n| format!("{} IOPS", short(n.value)));
    let rate = printed.bandwidth.map(|n| rate(n.value));
    iops.into_iter().chain(rate).collect::<Vec<_>>().join(", ")
}

fn measurand(lang: Lang, measurand: Measurand) -> &'static str {
    match measurand {
        Measurand::Device => word!(lang, "audit-measures-device"),
        Measurand::Memory => word!(lang, "audit-measures-memory"),
        Measurand::Cache => word!(lang, "audit-measures-cache"),
        Measurand::Data => word!(lang, "audit-measures-data"),
        Measurand::Limit => word!(lang, "audit-measures-limit"),
        Measurand::Generator => word!(lang, "audit-measures-generator"),
        Measurand::Nothing => word!(lang, "audit-measures-nothing"),
        Measurand::Unknown => word!(lang, "audit-measures-unknown"),
    }
}

fn unstated(lang: Lang, what: Unstated) -> &'static str {
    match what {
        Unstated::Direct => word!(lang, "audit-unstated-direct"),
        Unstated::BlockSize => word!(lang, "audit-unstated-block"),
        Unstated::Depth => word!(lang, "audit-unstated-depth"),
        Unstated::Region => word!(lang, "audit-unstated-region"),
        Unstated::Duration => word!(lang, "audit-unstated-duration"),
        Unstated::Flush => word!(lang, "audit-unstated-flush"),
        Unstated::Percentiles => word!(lang, "audit-unstated-percentiles"),
        Unstated::Device => word!(lang, "audit-unstated-device"),
    }
}

/// Returns a bandwidth with its unit.
fn rate(bytes_per_second: f64) -> String {
    format!("{} MB/s", megabytes(bytes_per_second.round() as u64))
}

/// Returns a number with its unit.
fn value(number: f64, unit: FigureUnit) -> String {
    match unit {
        FigureUnit::BytesPerSecond => rate(number),
        FigureUnit::Bytes => bytes(number.round() as u64),
        FigureUnit::PerSecond => format!("{} IOPS", short(number)),
        FigureUnit::Nanoseconds => time(number),
        FigureUnit::Percent => format!("{number:.1} %"),
        FigureUnit::Count => short(number),
    }
}

/// Returns the claim in one sentence.
pub fn statement(lang: Lang, claim: &AuditClaim) -> String {
    match claim {
        AuditClaim::Run(claim) => findings::statement(lang, claim),
        AuditClaim::MemoryTest => word!(lang, "audit-memory-test").into(),
        AuditClaim::Buffered { write: true, .. } => word!(lang, "audit-buffered-write").into(),
        AuditClaim::Buffered { bytes: Some(size), ram: Some(ram), .. } if size < ram => {
            let (bytes, ram) = (bytes(size.round() as u64), bytes(ram.round() as u64));
            say!(lang, "audit-buffered-read-fits", bytes, ram)
        }
        AuditClaim::Buffered { .. } => word!(lang, "audit-buffered-read").into(),
        AuditClaim::MemoryLatency { ns, percent: None } => {
            say!(lang, "audit-memory-latency", time = time(*ns))
        }
        AuditClaim::MemoryLatency { ns, .. } => say!(lang, "audit-memory-latency-half", time = time(*ns)),
        AuditClaim::MemorySpeed { bytes_per_second } => {
            say!(lang, "audit-memory-speed", rate = rate(*bytes_per_second))
        }
        AuditClaim::DeviceIdle { device, job, device_ios } => {
            let (job, device_ios) = (short(*job as f64), short(*device_ios as f64));
            say!(lang, "audit-device-idle", device, device_ios, job)
        }
        AuditClaim::AboveCeiling { ceiling, printed, limit, unit, .. } => {
            let what = match ceiling {
                CeilingKind::Heads => word!(lang, "audit-ceiling-heads"),
                CeilingKind::Platters => word!(lang, "audit-ceiling-platters"),
                CeilingKind::Sata => word!(lang, "audit-ceiling-sata"),
                CeilingKind::Pcie => word!(lang, "audit-ceiling-pcie"),
                CeilingKind::Link => word!(lang, "audit-ceiling-link"),
                CeilingKind::Card => word!(lang, "audit-ceiling-card"),
            };
            let (printed, limit) = (value(*printed, *unit), value(*limit, *unit));
            say!(lang, "audit-above", printed, what, limit)
        }
        AuditClaim::WriteCache { iops, heads, .. } => {
            let (iops, heads) = (short(*iops), short(*heads));
            say!(lang, "audit-write-cache", iops, heads)
        }
        AuditClaim::ZeroData { pattern: false } => word!(lang, "audit-zero-data").into(),
        AuditClaim::ZeroData { .. } => word!(lang, "audit-pattern-data").into(),
        AuditClaim::Contradiction { law, printed, computed, unit, slip } => {
            let (printed, computed) = (value(*printed, *unit), value(*computed, *unit));
            let text = match law {
                AuditLaw::RateTimesBlock => say!(lang, "audit-law-rate", printed, computed),
                AuditLaw::AmountOverTime => say!(lang, "audit-law-amount", printed, computed),
                AuditLaw::Spellings => say!(lang, "audit-law-spellings", printed, computed),
                AuditLaw::Order => say!(lang, "audit-law-order", printed, computed),
                AuditLaw::Shares => say!(lang, "audit-law-shares", printed, computed),
                AuditLaw::Parts => say!(lang, "audit-law-parts", printed, computed),
                AuditLaw::Whole => say!(lang, "audit-law-whole", printed, computed),
                AuditLaw::Reciprocal => say!(lang, "audit-law-reciprocal", printed, computed),
                AuditLaw::Mean => say!(lang, "audit-law-mean", printed, computed),
                AuditLaw::Deviation => say!(lang, "audit-law-deviation", printed, computed),
            };
            match slip {
                Some(factor) => {
                    let factor = if *factor < 1.0 { 1.0 / factor } else { *factor };
                    let factor = format!("{factor:.6}");
                    let factor = factor.trim_end_matches('0').trim_end_matches('.').to_owned();
                    say!(lang, "audit-slip", text, factor)
                }
                None => text,
            }
        }
        AuditClaim::TooManyInFlight { in_flight, possible } => {
            let (in_flight, possible) = (short(*in_flight), short(*possible));
            say!(lang, "audit-too-many-in-flight", in_flight, possible)
        }
        AuditClaim::Swings { min_percent, stddev_percent } => {
            let (min, stddev) = (percent(*min_percent), percent(*stddev_percent));
            say!(lang, "audit-swings", stddev, min)
        }
        AuditClaim::FlatRate { iops, .. } => say!(lang, "audit-flat-rate", iops = short(*iops)),
        AuditClaim::SecondMode { p50_ns, slow_ns, percent } => {
            let (p50, slow, percent) = (time(*p50_ns), time(*slow_ns), percent.to_string());
            say!(lang, "audit-second-mode", p50, percent, slow)
        }
        AuditClaim::RateLimited => word!(lang, "audit-rate-limited").into(),
        AuditClaim::BestOf { .. } => word!(lang, "audit-best-of").into(),
        AuditClaim::SinceBoot { certain: true } => word!(lang, "audit-since-boot").into(),
        AuditClaim::SinceBoot { .. } => word!(lang, "audit-perhaps-since-boot").into(),
        AuditClaim::Monitor => word!(lang, "audit-monitor").into(),
        AuditClaim::NotTimed => word!(lang, "audit-not-timed").into(),
        AuditClaim::SmallRegion { bytes: size, .. } => {
            say!(lang, "audit-small-region", bytes = bytes(size.round() as u64))
        }
        AuditClaim::ShortSeeks { bytes: size, iops } => {
            let (size, iops) = (bytes(size.round() as u64), short(*iops));
            say!(lang, "audit-short-seeks", iops, bytes = size)
        }
        AuditClaim::ImpossiblyFast { percent: share, below_ns } => {
            let (share, below) = (percent(*share), time(*below_ns));
            say!(lang, "audit-impossibly-fast", percent = share, below)
        }
        AuditClaim::PartialRecords { records } => say!(lang, "audit-partial-records", records = *records),
        AuditClaim::WallRate { wall, device } => {
            let (wall, device) = (short(*wall), short(*device));
            say!(lang, "audit-wall-rate", wall, device)
        }
        AuditClaim::PastKnee { depth, shallower, gain, latency } => {
            let (depth, shallower) = (short(*depth), short(*shallower));
            let gain = format!("{:+.0} %", 100.0 * (gain - 1.0));
            let latency = format!("{latency:.1}");
            say!(lang, "audit-past-knee", depth, shallower, gain, latency)
        }
        AuditClaim::RandomFaster { random, sequential } => {
            let (random, sequential) = (rate(*random), rate(*sequential));
            say!(lang, "audit-random-faster", random, sequential)
        }
        AuditClaim::LargerSlower { block: size, bandwidth, smaller, faster } => {
            let (size, smaller) = (block(*size as u64), block(*smaller as u64));
            let (bandwidth, faster) = (rate(*bandwidth), rate(*faster));
            say!(lang, "audit-larger-slower", block = size, rate = bandwidth, smaller, faster)
        }
        AuditClaim::ReadsSlower { read, write } => {
            let (read, write) = (rate(*read), rate(*write));
            say!(lang, "audit-reads-slower", read, write)
        }
        AuditClaim::SameRate { iops, block: size, other } => {
            let (size, other) = (block(*size as u64), block(*other as u64));
            say!(lang, "audit-same-rate", iops = short(*iops), block = size, other)
        }
        AuditClaim::MeanQuoted => word!(lang, "audit-mean-quoted").into(),
        AuditClaim::UnitQuoted { quoted, printed } => {
            let (quoted, printed) = (rate(*quoted), rate(*printed));
            say!(lang, "audit-unit-quoted", quoted, printed)
        }
        AuditClaim::FreshDrive { iops, steady } => {
            let (iops, steady) = (short(*iops), short(*steady));
            say!(lang, "audit-fresh-drive", iops, steady)
        }
        AuditClaim::Repeated => word!(lang, "audit-repeated").into(),
        AuditClaim::Truncated => word!(lang, "audit-truncated").into(),
        AuditClaim::AverageHides { mean_ns, max_ns } => {
            let (mean, max) = (time(*mean_ns), time(*max_ns));
            say!(lang, "audit-average-hides", mean, max)
        }
        AuditClaim::MixedLatency => word!(lang, "audit-mixed-latency").into(),
        AuditClaim::UnmappedReads { ns } => say!(lang, "audit-unmapped-reads", time = time(*ns)),
        AuditClaim::LatencyBound { depth, ns } => {
            let (depth, time) = (short(*depth), time(*ns));
            say!(lang, "audit-latency-bound", depth, time)
        }
        AuditClaim::SecondPass { ratio } => say!(lang, "audit-second-pass", ratio = format!("{ratio:.1}")),
        AuditClaim::ShortRun { seconds } => {
            say!(lang, "audit-short-run", seconds = crate::scale::seconds(*seconds))
        }
        AuditClaim::UnreadRates { lines } => unread_lines(lang, lines),
        AuditClaim::FewIos { iops } => say!(lang, "audit-few-ios", iops = rate_of_ios(*iops)),
        AuditClaim::Impossible => word!(lang, "audit-impossible").into(),
        AuditClaim::WrongFields { fields } => match fields.as_slice() {
            [field] => say!(lang, "audit-wrong-field", field),
            _ => say!(lang, "audit-wrong-fields", fields = fields.join(", ")),
        },
        AuditClaim::FreeSync { ns } => say!(lang, "audit-free-sync", time = time(*ns)),
        AuditClaim::CpuTest => word!(lang, "audit-cpu-test").into(),
    }
}
