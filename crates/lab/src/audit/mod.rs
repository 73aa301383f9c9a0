//! Audit of results that other tools printed: whether the figures agree with each other and with what devices can do,
//! which mistakes of measurement they show, and what a sound measurement would be.

mod across;
mod advice;
mod ceilings;
pub mod context;
mod laws;
mod rules;
mod series;

use stats::Grade;
use stats::audit::{
    AuditClaim, AuditContext, AuditFinding, AuditReport, AuditedResult, BenchmarkTool, CeilingKind,
    Measurand, PrintedResult, PrintedSyncs, ReaderNote, Unstated,
};

/// Returns the text of a line of a file, from 1.
pub type LineText<'a> = dyn Fn(&str, usize) -> String + 'a;

/// Judges printed results. `line` returns the text of a line of a file, for quotes.
pub fn audit(context: &AuditContext, printed: Vec<PrintedResult>, line: &LineText<'_>) -> AuditReport {
    let mut results: Vec<AuditedResult> = Vec::with_capacity(printed.len());
    for (at, result) in printed.iter().enumerate() {
        let mut claims = laws::contradictions(result);
        claims.extend(ceilings::exceeded(context, result));
        claims.extend(across::of(context, &printed, at));
        claims.extend(rules::of(context, result));
        let mut findings: Vec<AuditFinding> =
            claims.into_iter().map(|claim| with_quote(result, claim, line)).collect();
        // Causes come before what follows from them, so the order within a grade is that of the rules.
        findings.sort_by_key(|finding| (std::cmp::Reverse(finding.claim.grade()), finding.claim.rank()));
        stall_before_swings(&mut findings);
        let mut said: Vec<std::mem::Discriminant<AuditClaim>> = Vec::new();
        findings.retain(|finding| {
            let kind = std::mem::discriminant(&finding.claim);
            let several = matches!(finding.claim, AuditClaim::Run(_) | AuditClaim::WrongFields { .. });
            let is_new = several || !said.contains(&kind);
            said.push(kind);
            is_new
        });
        let grade = findings.iter().map(|finding| finding.claim.grade()).max().unwrap_or_default();
        let unstated = unstated(result);
        let command = if grade >= Grade::Conditions { advice::command(result) } else { String::new() };
        let measurand = measurand(result, &findings);
        results.push(AuditedResult {
            printed: result.clone(),
            measurand,
            grade,
            findings,
            unstated,
            command,
        });
    }
    AuditReport { context: context.clone(), results }
}

/// Moves a stall before the varying rate that follows from it, for that one may be of a worse grade.
fn stall_before_swings(findings: &mut [AuditFinding]) {
    let place = |findings: &[AuditFinding], is: fn(&AuditClaim) -> bool| {
        findings.iter().position(|finding| is(&finding.claim))
    };
    let stall = place(findings, |claim| matches!(claim, AuditClaim::Run(stats::Claim::Stall { .. })));
    let swings = place(findings, |claim| matches!(claim, AuditClaim::Swings { .. }));
    if let (Some(stall), Some(swings)) = (stall, swings)
        && swings < stall
    {
        findings[swings..=stall].rotate_right(1);
    }
}

/// Adds the text that shows a claim: the part of the command, the line that states the medium, or a line of the result.
fn with_quote(result: &PrintedResult, claim: AuditClaim, line: &LineText<'_>) -> AuditFinding {
    let words: &[&str] = match &claim {
        AuditClaim::Buffered { .. } => &["if=", "direct", "--rw", "-rw", "open flags:"],
        AuditClaim::ZeroData { .. } => &["if=/dev/zero", "zero_buffers", "buffer_pattern", "0Fill"],
        AuditClaim::RateLimited => &["rate", "thinktime", "iorate"],
        AuditClaim::MemoryTest => &["cached reads"],
        AuditClaim::DeviceIdle { .. } => &[": ios="],
        AuditClaim::Swings { .. } => &["bw (", "bw  ", "iops  "],
        AuditClaim::SecondMode { .. } => &["50.00th=["],
        AuditClaim::ImpossiblyFast { .. } => &["lat (usec)", "lat (nsec)"],
        AuditClaim::PartialRecords { .. } => &["+"],
        AuditClaim::ShortRun { .. } | AuditClaim::Run(stats::Claim::TooShort { .. }) => SECONDS,
        AuditClaim::Run(stats::Claim::NoQueue { .. }) => &["iodepth"],
        AuditClaim::Run(stats::Claim::Generator { .. }) => &["cpu "],
        AuditClaim::Run(stats::Claim::Merged { .. } | stats::Claim::Split { .. }) => &[": ios="],
        _ => &[],
    };
    let [first, last] = result.lines;
    if words.iter().any(|word| result.command.contains(word)) {
        let number = command_line(result, line);
        return AuditFinding { claim, line: number, quote: result.command.clone() };
    }
    let stated = match &claim {
        AuditClaim::AboveCeiling { ceiling: CeilingKind::Link, .. } => None,
        AuditClaim::AboveCeiling { .. } | AuditClaim::WriteCache { .. } | AuditClaim::FreshDrive { .. } => {
            result.stated
        }
        _ => None,
    };
    if let Some(stated) = stated {
        let quote = line(&result.file, stated.line).trim().to_owned();
        return AuditFinding { claim, line: stated.line, quote };
    }
    if let AuditClaim::UnreadRates { lines } = &claim {
        let number = lines.first().copied().unwrap_or(0);
        let quote = line(&result.file, number).trim().to_owned();
        return AuditFinding { claim, line: number, quote };
    }
    let noted = result.notes.iter().find_map(|note| match (&claim, note) {
        (AuditClaim::MeanQuoted, ReaderNote::MeanQuoted { line })
        | (AuditClaim::UnitQuoted { .. }, ReaderNote::UnitQuoted { line, .. })
        | (AuditClaim::Run(stats::Claim::BusyIsNotFull { .. }), ReaderNote::BusyQuoted { line })
        | (AuditClaim::Run(stats::Claim::NotDurable { .. }), ReaderNote::DurableQuoted { line }) => {
            Some(*line)
        }
        _ => None,
    });
    let of_link = result.link.filter(|_| {
        matches!(&claim, AuditClaim::AboveCeiling { ceiling: CeilingKind::Link, mentioned: true, .. })
    });
    if let Some(number) = noted.or(of_link.map(|link| link.line)) {
        let quote = line(&result.file, number).trim().to_owned();
        return AuditFinding { claim, line: number, quote };
    }
    let numbers = first..=last.min(first + 200);
    let shown = words.iter().find_map(|word| numbers.clone().find(|n| line(&result.file, *n).contains(word)));
    // dd prints its figures behind the lines of its records.
    let number = shown.unwrap_or(if result.tool == BenchmarkTool::Dd { last } else { first });
    let quote = line(&result.file, number).trim().to_owned();
    AuditFinding { claim, line: number, quote }
}

/// Lines above a result among which its command is looked for.
const COMMAND_REACH: usize = 200;
/// Words of the lines with the measured time: dd, sysbench, ioping.
const SECONDS: &[&str] =
    &["copied", "transferred in", "kopiert", "copiés", "复制", "total time:", "completed in"];

/// Returns the number of the line with the command of a result; its first line if the command is not above it.
fn command_line(result: &PrintedResult, line: &LineText<'_>) -> usize {
    let [first, last] = result.lines;
    // A long command goes on in the next line.
    let head: String = result.command.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let has = |number: &usize| {
        let text = line(&result.file, *number);
        text.contains(&result.command) || (!head.is_empty() && text.contains(&head))
    };
    let above = (first.saturating_sub(COMMAND_REACH).max(1)..=first).rev();
    above.chain(first..=last.min(first + COMMAND_REACH)).find(has).unwrap_or(first)
}

/// Returns what the figures of a result are figures of.
fn measurand(result: &PrintedResult, findings: &[AuditFinding]) -> Measurand {
    use AuditClaim::*;
    let severe = findings.iter().filter(|f| f.claim.grade() >= Grade::Conditions);
    let of = |claim: &AuditClaim| match claim {
        MemoryTest | Buffered { .. } | MemorySpeed { .. } | MemoryLatency { .. } => Some(Measurand::Memory),
        DeviceIdle { .. } | AboveCeiling { .. } | WriteCache { .. } | SmallRegion { .. } => {
            Some(Measurand::Cache)
        }
        ZeroData { .. } => Some(Measurand::Data),
        SecondMode { .. } => Some(Measurand::Limit),
        CpuTest => Some(Measurand::Generator),
        Contradiction { .. } | TooManyInFlight { .. } | Impossible | WrongFields { .. } => {
            Some(Measurand::Nothing)
        }
        NotTimed => Some(Measurand::Unknown),
        Run(stats::Claim::Generator { .. }) => Some(Measurand::Generator),
        Run(stats::Claim::PageCache { .. } | stats::Claim::Memory { .. }) => Some(Measurand::Memory),
        _ => None,
    };
    let flat = findings.iter().any(|f| matches!(f.claim, FlatRate { .. } | SameRate { .. } | RateLimited));
    let idle = findings.iter().any(|f| matches!(f.claim, FewIos { .. }));
    match severe.filter_map(|f| of(&f.claim)).next() {
        Some(measurand) => measurand,
        None if flat => Measurand::Limit,
        None if idle => Measurand::Unknown,
        None if result.direct.is_none() && result.tool != BenchmarkTool::Iostat => Measurand::Unknown,
        None => Measurand::Device,
    }
}

/// Returns the properties that the text does not state.
fn unstated(result: &PrintedResult) -> Vec<Unstated> {
    let mut unstated = Vec::new();
    let mut add = |missing: bool, what: Unstated| {
        if missing {
            unstated.push(what);
        }
    };
    let monitor = result.tool == BenchmarkTool::Iostat;
    add(result.direct.is_none() && !monitor, Unstated::Direct);
    add(result.block.is_none(), Unstated::BlockSize);
    add((result.depth.is_none() || result.jobs.is_none()) && !monitor, Unstated::Depth);
    add(result.region.is_none() && result.amount.is_none(), Unstated::Region);
    add(result.seconds.is_none(), Unstated::Duration);
    add(result.kind.writes() && matches!(result.syncs, None | Some(PrintedSyncs::Never)), Unstated::Flush);
    add(result.latency.percentiles.is_empty(), Unstated::Percentiles);
    add(!result.target.starts_with("/dev/") && result.devices.is_empty(), Unstated::Device);
    unstated
}
