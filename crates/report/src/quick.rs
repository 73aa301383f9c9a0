//! The card of a check: a summary of about 15 lines.

use crate::catalog::{say, word};
use crate::columns::PROSE;
use crate::host_lines;
use crate::scale::{bytes, megabytes, percent, short, time};
use crate::terms::{direction, stack};
use crate::words::lab::quick_caveat;
use crate::words::note::note;
use crate::words::run::row_error;
use crate::{
    Grid, Lang, columns, export, fill, findings, fit_end, hang, lay, layers, left, prose_width, right, ruled,
    widest, wrap,
};
use stats::finding::LEAST_IOS;
use stats::note::NoteFact;
use stats::quick::RowError;
use stats::{Claim, Direction, Finding, Grade, NotMeasured, QuickCard, QuickCaveat, QuickRow, QuickTarget};

/// Largest number of lines of a card of 100 columns.
const LINES: usize = 15;

/// Returns the card in about 15 lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end; a
/// long first caveat or a screen narrower than 100 columns adds lines.
pub fn render(lang: Lang, card: &QuickCard, width: usize) -> String {
    let mut lines = title(lang, card, width);
    let width = prose_width(width);
    let of_hosts = host_lines::together(lang, &card.hosts);
    let uneven = host_lines::uneven(lang, &card.hosts, &card.rows);
    of_hosts.iter().chain(&uneven).for_each(|line| lines.extend(fill("", line, width)));
    if card.rows.is_empty() {
        lines.push(word!(lang, "quick-no-rows").into());
    } else {
        lines.extend(table(lang, card, width));
    }
    let most = if width < PROSE { 2 * LINES * PROSE / width } else { LINES };
    lines.extend(tail(lang, card, most.saturating_sub(lines.len()), width));
    lay(&lines)
}

/// Returns the check as one JSON document with English caveats, newline at the end.
pub fn json(card: &QuickCard) -> String {
    let mut card = card.clone();
    for caveat in &mut card.caveats {
        *caveat = QuickCaveat::Text(quick_caveat(Lang::En, caveat));
    }
    for row in &mut card.rows {
        row.error = row.error.take().map(|error| RowError::Text(row_error(Lang::En, &error)));
    }
    card.engine_note = card.engine_note.map(|fact| NoteFact::Text(note(Lang::En, &fact)));
    export::json_with_words(&Graded { grade: card.grade().letter(), card })
}

/// A check with its grade.
#[derive(serde::Serialize)]
struct Graded {
    grade: &'static str,
    #[serde(flatten)]
    card: QuickCard,
}

fn title(lang: Lang, card: &QuickCard, width: usize) -> Vec<String> {
    let size = bytes(card.size);
    let what = match card.kind {
        QuickTarget::ScratchFile => say!(lang, "quick-scratch-file", size),
        QuickTarget::File => say!(lang, "quick-file", size),
        QuickTarget::ScratchObjects => say!(lang, "quick-scratch-objects", size),
        QuickTarget::Server => say!(lang, "quick-server", size),
        QuickTarget::Device => say!(lang, "quick-device", size),
    };
    let rest = format!("   {what}   {}   {:.0} s", stack(lang, &card.stack), card.seconds);
    let room = width.saturating_sub(columns(&rest)).max(16);
    fill("", &format!("{}{rest}", fit_end(&card.target, room)), prose_width(width))
}

/// Returns the name of a pattern in the language: `4k random`.
pub fn pattern(lang: Lang, name: &str) -> String {
    let part = |word: &str| match word {
        "random" => word!(lang, "quick-pattern-random").to_string(),
        "durable" => word!(lang, "quick-pattern-durable").to_string(),
        "sequential" => word!(lang, "quick-pattern-sequential").to_string(),
        other => other.to_string(),
    };
    name.split(' ').map(part).collect::<Vec<_>>().join(" ")
}

/// Widths of one direction's columns: IOPS, MB/s, lat p50, lat p99, depth reached.
const WIDTHS: [usize; 5] = [6, 6, 8, 8, 9];
const BLOCK: usize = 6 + 6 + 8 + 8 + 9;
/// Blanks before the columns of a direction.
const GAP: &str = "  ";

/// Returns a line for each pattern and depth, with reads on the left and writes on the right, or below if both do not
/// fit in `width` columns.
fn table(lang: Lang, card: &QuickCard, width: usize) -> Vec<String> {
    let has = |d: Direction| card.rows.iter().any(|r| r.direction == d);
    let directions: Vec<Direction> =
        [Direction::Read, Direction::Write].into_iter().filter(|d| has(*d)).collect();
    let mut keys: Vec<(&str, u32)> = Vec::new();
    for row in &card.rows {
        if !keys.contains(&(&row.pattern, row.depth)) {
            keys.push((&row.pattern, row.depth));
        }
    }
    let depth_word = word!(lang, "quick-column-depth");
    let pattern_word = word!(lang, "quick-column-pattern");
    let names: Vec<String> = keys.iter().map(|(name, _)| pattern(lang, name)).collect();
    let first = names.iter().map(|name| columns(name)).max().unwrap_or(0).max(columns(pattern_word)).max(7);
    let head = ["IOPS", "MB/s", "lat p50", "lat p99", word!(lang, "quick-column-reached")];
    let find = |(name, depth): (&str, u32), d: Direction| {
        card.rows.iter().find(|r| r.pattern == name && r.depth == depth && r.direction == d)
    };
    let mut lines = Vec::new();
    if first + 6 + directions.len() * (GAP.len() + BLOCK) <= width {
        let title =
            |d: &Direction| format!("{GAP}{}", ruled(&format!(" {} ", direction(lang, d.name())), BLOCK));
        let padded = |cells: &[String; 5]| -> String {
            GAP.to_owned() + &cells.iter().zip(WIDTHS).map(|(cell, w)| right(cell, w)).collect::<String>()
        };
        let heads = padded(&head.map(String::from)).repeat(directions.len());
        lines.push(format!("{:first$}      {}", "", directions.iter().map(title).collect::<String>()));
        lines.push(format!("{} {}{heads}", left(pattern_word, first), right(depth_word, 5)));
        for (key, name) in keys.iter().zip(&names) {
            let blocks: String = directions.iter().map(|d| padded(&block(lang, find(*key, *d)))).collect();
            lines.push(format!("{} {:>5}{blocks}", left(name, first), key.1));
        }
    } else {
        for d in &directions {
            let mut rows =
                vec![[pattern_word, depth_word].into_iter().chain(head).map(String::from).collect()];
            for (key, name) in keys.iter().zip(&names).filter(|(key, _)| find(**key, *d).is_some()) {
                rows.push(
                    [vec![name.clone(), key.1.to_string()], block(lang, find(*key, *d)).to_vec()].concat(),
                );
            }
            lines.push(format!("-- {} --", direction(lang, d.name())));
            lines.extend(Grid { keys: 2, to_right: |c| c > 0, gap: 2 }.lines(&rows, width));
        }
    }
    for row in card.rows.iter() {
        let Some(failed) = failed_row(lang, row) else { continue };
        lines.extend(fill(&label(lang, word!(lang, "quick-label-failed")), &failed, width));
    }
    lines
}

/// Returns a pattern with the error that ended it; `None` if none did.
pub(crate) fn failed_row(lang: Lang, row: &QuickRow) -> Option<String> {
    let error = row_error(lang, row.error.as_ref()?);
    let (pattern, way, depth) =
        (pattern(lang, &row.pattern), direction(lang, row.direction.name()), row.depth);
    Some(say!(lang, "quick-failed-row", pattern, way, depth, error))
}

/// Returns the cells of one pattern and direction.
fn block(lang: Lang, row: Option<&QuickRow>) -> [String; 5] {
    let Some(row) = row else { return Default::default() };
    if row.error.is_some() {
        let failed = word!(lang, "quick-cell-failed");
        return [failed, "", "", "", ""].map(String::from);
    }
    let quantile = |ns: Option<u64>| ns.map_or("-".to_string(), |ns| time(ns as f64));
    [
        short(row.iops),
        megabytes(row.bytes_per_second),
        quantile(row.p50_ns),
        quantile(row.p99_ns),
        format!("{:.1}", row.depth_reached),
    ]
}

/// Returns the text of a condition that the check did not measure.
fn not_measured(lang: Lang, what: &NotMeasured) -> String {
    match what {
        NotMeasured::SustainedWrites => word!(lang, "quick-not-measured-sustained-writes").into(),
        NotMeasured::FullDevice => word!(lang, "quick-not-measured-full-device").into(),
        NotMeasured::BeyondScratch => word!(lang, "quick-not-measured-beyond-scratch").into(),
        NotMeasured::Writes => word!(lang, "quick-not-measured-writes").into(),
        NotMeasured::BusyOrFull => word!(lang, "quick-not-measured-busy-or-full").into(),
        NotMeasured::Other(text) => text.clone(),
    }
}

/// Returns the label of a line, padded to the width of the widest label.
fn label(lang: Lang, word: &str) -> String {
    let all = [
        word!(lang, "quick-label-failed"),
        word!(lang, "quick-label-layers"),
        word!(lang, "quick-label-latency"),
        word!(lang, "quick-label-not-measured"),
        word!(lang, "quick-label-trust"),
        word!(lang, "quick-label-caveat"),
    ];
    left(word, widest(&all) + 1)
}

/// Returns about `room` lines below the table: layers, dependent reads, unmeasured conditions and the grade in any
/// case, caveats as far as there is room.
fn tail(lang: Lang, card: &QuickCard, room: usize, width: usize) -> Vec<String> {
    // A mean depth over all patterns has no meaning: the table has the depth of each pattern.
    let seen =
        layers::chains(lang, &card.layers).into_iter().chain([layers::facts(lang, &card.layers, false)]);
    let seen: Vec<String> = seen.collect();
    let mut lines = wrap(&label(lang, word!(lang, "quick-label-layers")), &seen, width);
    let grade = card.grade();
    let caveats = caveats(lang, card);
    let mut last = Vec::new();
    if let Some(s) = card.dependent_reads_s(1000) {
        let took = seconds(s);
        let said = say!(lang, "quick-dependent-reads", took);
        last.push(label(lang, word!(lang, "quick-label-latency")) + &said);
    }
    if !card.not_measured.is_empty() {
        let parts: Vec<String> = card.not_measured.iter().map(|what| not_measured(lang, what)).collect();
        let (text, word) = (parts.join("; "), word!(lang, "quick-label-not-measured"));
        let said = format!("; {word}: {text}");
        let fits = |so: &String| columns(so) + columns(&said) <= width;
        match last.last_mut().filter(|so| !caveats.is_empty() && fits(so)) {
            Some(so) => so.push_str(&said),
            None => last.push(label(lang, word) + &text),
        }
    }
    lines.extend(last.iter().flat_map(|line| hang(line, width)));
    let trust = label(lang, word!(lang, "quick-label-trust"));
    let caveat = label(lang, word!(lang, "quick-label-caveat"));
    let judged = findings::trust(lang, grade);
    // The grade, and so many of the caveats; the last line has the number of those that are not shown.
    let with = |shown: usize| {
        let hidden = caveats.len() - shown;
        let labels = std::iter::once(&trust).chain(std::iter::repeat(&caveat));
        let texts = std::iter::once(&judged).chain(caveats.iter().take(shown));
        let lines = labels.zip(texts).enumerate();
        lines
            .flat_map(|(at, (label, text))| {
                if at == shown && hidden > 0 {
                    fill(label, &say!(lang, "quick-more-caveats", text, hidden), width)
                } else {
                    fill(label, text, width)
                }
            })
            .collect::<Vec<_>>()
    };
    let free = room.saturating_sub(lines.len());
    let shown = (0..=caveats.len()).rev().find(|n| with(*n).len() <= free).unwrap_or(0);
    // A grade without its worst reason has little value, so this reason may take one or two more lines.
    let shown = shown.max(caveats.len().min(1));
    lines.extend(with(shown));
    lines
}

/// Returns the caveats, those first that say most about the rate: findings of grade X and C, a limit of a control
/// group, findings of grade B, the engine, and notes.
fn caveats(lang: Lang, card: &QuickCard) -> Vec<String> {
    let said = |finding: &Finding| {
        let statement = || findings::statement(lang, &finding.claim);
        match (&finding.claim, row_of(lang, card, finding)) {
            (Claim::TooShort { .. }, row) => known_to(lang, card).unwrap_or_else(|| named(row, &statement())),
            (_, row) => {
                let said = paused_pattern(lang, card, finding).unwrap_or_else(|| named(row, &statement()));
                named(findings::hosts(lang, finding), &said)
            }
        }
    };
    let of_findings = |serious: bool| {
        let mine = move |grade: Grade| grade > Grade::Trusted && (grade > Grade::Caveats) == serious;
        card.findings
            .iter()
            .filter(move |f| mine(f.claim.grade()))
            .map(move |f| format!("{} {}", f.claim.grade().letter(), said(f)))
    };
    let is_limit = |caveat: &&QuickCaveat| matches!(caveat, QuickCaveat::Note(NoteFact::CgroupLimit { .. }));
    // The finding tells the limit with the rate that reached it.
    let told = |caveat: &QuickCaveat| match caveat {
        QuickCaveat::Note(NoteFact::CgroupLimit { device, .. }) => card
            .findings
            .iter()
            .any(|f| matches!(&f.claim, Claim::Cap { device: known, .. } if known == device)),
        _ => false,
    };
    let (limits, others): (Vec<_>, Vec<_>) =
        card.caveats.iter().filter(|caveat| !told(caveat)).partition(is_limit);
    let mut caveats: Vec<String> = of_findings(true).collect();
    caveats.extend(limits.into_iter().map(|caveat| quick_caveat(lang, caveat)));
    caveats.extend(of_findings(false));
    caveats.extend(card.engine_note.iter().map(|fact| note(lang, fact)));
    caveats.extend(others.into_iter().map(|caveat| quick_caveat(lang, caveat)));
    caveats
}

/// Returns the name of a pattern that a check measures or has measured: `4k random read, depth 32`.
pub fn measuring(lang: Lang, pattern: &str, direction: &str, depth: u32) -> String {
    let (pattern, way) = (self::pattern(lang, pattern), crate::terms::direction(lang, direction));
    say!(lang, "live-measuring", pattern, way, depth)
}

/// Returns the name of the row that a finding is about; `None` for a finding about the target, which holds for each row.
fn row_of(lang: Lang, card: &QuickCard, finding: &Finding) -> Option<String> {
    if finding.claim.is_about_target() {
        return None;
    }
    let row = card.rows.iter().find(|row| row.name() == finding.job)?;
    Some(measuring(lang, &row.pattern, row.direction.name(), row.depth))
}

/// Returns a statement after the name of its row.
fn named(row: Option<String>, statement: &str) -> String {
    row.map_or_else(|| statement.into(), |row| format!("{row}: {statement}"))
}

/// Returns the text of pauses during one pattern, with its name and duration: their share is that of the pattern, not of
/// the check. `None` for other findings.
fn paused_pattern(lang: Lang, card: &QuickCard, finding: &Finding) -> Option<String> {
    let Claim::Pauses { count, longest_ns, share_percent, .. } = finding.claim else { return None };
    let row = card.rows.iter().find(|row| row.name() == finding.job)?;
    let (name, way) = (pattern(lang, &row.pattern), direction(lang, row.direction.name()));
    let name = format!("{name} {} {way}", row.depth);
    let (longest, part) = (time(longest_ns as f64), percent(share_percent));
    let seconds = time(1e6 * row.runtime_ms as f64);
    Some(say!(lang, "finding-pauses-pattern", pattern = name, count, longest, part, seconds))
}

/// Returns the confidence intervals of the rates whose half-width exceeds 5 %, and the number of I/Os of rows that have
/// too few for an interval; `None` if there are none.
fn known_to(lang: Lang, card: &QuickCard) -> Option<String> {
    const WIDE: f64 = 0.05;
    let half = |row: &QuickRow| row.between.iops.map(|[low, high]| (high - low) / 2.0 / row.iops.max(1e-9));
    let uncertain = |row: &QuickRow| {
        let ios = (row.iops * row.runtime_ms as f64 / 1e3).round() as u64;
        match half(row) {
            Some(half) if half > WIDE => Some(format!("+-{}", percent(100.0 * half))),
            None if ios < LEAST_IOS && row.error.is_none() => Some(format!("({ios} I/O)")),
            _ => None,
        }
    };
    let rows = card.rows.iter().filter_map(|row| {
        let (name, way) = (pattern(lang, &row.pattern), direction(lang, row.direction.name()));
        Some(format!("{name} {} {way} {}", row.depth, uncertain(row)?))
    });
    let rows: Vec<String> = rows.collect();
    let rows = (!rows.is_empty()).then(|| rows.join(", "))?;
    Some(say!(lang, "quick-iops-intervals", rows))
}

fn seconds(s: f64) -> String {
    match s {
        s if s < 0.01 => time(s * 1e9),
        s if s < 10.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a row of reads without latencies.
    fn row(pattern: &str, depth: u32, iops: f64, runtime_ms: u64, between: Option<[f64; 2]>) -> QuickRow {
        QuickRow {
            pattern: pattern.into(),
            direction: Direction::Read,
            depth,
            iops,
            bytes_per_second: (iops * 4096.0) as u64,
            p50_ns: None,
            p99_ns: None,
            mean_ns: None,
            sync_p50_ns: None,
            sync_p99_ns: None,
            depth_reached: f64::from(depth),
            runtime_ms,
            error: None,
            load: stats::Load::default(),
            between: stats::RowIntervals { iops: between, ..Default::default() },
            host_iops: Vec::new(),
        }
    }

    #[test]
    fn time_of_a_thousand_reads_has_a_fitting_unit() {
        assert_eq!([0.0042, 0.07, 12.3].map(seconds), ["4.20 ms", "0.07 s", "12 s"]);
    }

    /// A rate that rests on few I/Os is named with its row, whichever row was measured first.
    #[test]
    fn rows_of_few_ios_and_findings_of_one_row_are_named() {
        let rows = vec![
            row("4k random", 32, 20_000.0, 1000, Some([19_900.0, 20_100.0])),
            row("1M sequential", 4, 15.0, 1000, None),
        ];
        let mut card = QuickCard { rows, ..QuickCard::default() };
        let finding = |claim| vec![Finding::new(String::new(), claim)];
        let short = |ios, half_width_percent| Claim::TooShort { ios, seconds: 1.0, half_width_percent };
        let others = Claim::OtherLoad {
            device: "loop0".into(),
            device_bytes: [200, 0],
            app_bytes: [100, 0],
            file_system: false,
        };
        card.add_findings("4k random read, depth 32", finding(short(20_000, None)));
        card.add_findings("1M sequential read, depth 4", finding(short(15, None)));
        card.add_findings("1M sequential read, depth 4", finding(others));
        let shown = caveats(Lang::En, &card).join("\n");
        assert!(shown.contains("1M sequential 4 read (15 I/O)"), "{shown}");
        assert!(shown.contains("1M sequential read, depth 4: loop0 read"), "{shown}");
        // The worst row of a rule is kept, in either order.
        let kept = |order: [u64; 2]| {
            let mut card = QuickCard::default();
            for ios in order {
                card.add_findings(&ios.to_string(), finding(short(ios, Some(90.0))));
            }
            card.findings[0].job.clone()
        };
        assert_eq!([kept([30, 15]), kept([15, 30])], ["15", "15"]);
    }

    /// A limit of a control group that a rate reached is told once, by the finding.
    #[test]
    fn limit_that_was_reached_is_told_once() {
        let fact = NoteFact::CgroupLimit {
            device: "loop0".into(),
            iops: [Some(640), None],
            bytes_per_second: [None; 2],
        };
        let mut card = QuickCard { caveats: vec![QuickCaveat::Note(fact)], ..QuickCard::default() };
        assert_eq!(render(Lang::En, &card, usize::MAX).matches("640").count(), 1);
        let finding = |claim| Finding::new(String::new(), claim);
        let bursts =
            Claim::Bursts { waited_percent: 9.0, wait_ns: 50, p50_ns: 5, iops: 645.0, period_ns: 1 << 26 };
        let cap = Claim::Cap { device: "loop0".into(), server: false, iops: true, limit: 640, seen: 649.0 };
        card.add_findings("4k random read", vec![finding(bursts)]);
        card.add_findings("64k random read", vec![finding(cap)]);
        let text = render(Lang::En, &card, usize::MAX);
        assert_eq!((text.matches("640").count(), text.matches("645").count()), (1, 0), "{text}");
    }

    /// A pause has the name and the duration of its pattern: its share is not that of the whole check.
    #[test]
    fn pauses_are_those_of_their_pattern() {
        let rows = [1, 32].map(|depth| row("4k random", depth, 1000.0, 4000, None)).to_vec();
        let mut card = QuickCard { rows, ..QuickCard::default() };
        let pause = Claim::Pauses {
            count: 1,
            longest_ns: 602_000_000,
            share_percent: 15.0,
            every_s: None,
            cpu_busy: false,
        };
        let label = card.rows[1].name();
        card.add_findings(&label, vec![Finding::new(String::new(), pause)]);
        let shown = caveats(Lang::En, &card);
        assert!(
            shown[0].contains("4k random 32 read") && shown[0].contains("15 % of the 4.00 s"),
            "{shown:?}"
        );
        assert!(!shown[0].contains("of the run"), "{shown:?}");
    }

    /// The limit that explains the rate is the caveat shown first, before I/O of another process and intervals; the JSON
    /// document has the grade and, for each finding, its text and advice, and reads back.
    #[test]
    fn caveat_that_explains_the_rate_stands_first() {
        let finding = |claim| Finding::new(String::new(), claim);
        let others = Claim::OtherLoad {
            device: "loop0".into(),
            device_bytes: [200, 0],
            app_bytes: [100, 0],
            file_system: false,
        };
        let cap = Claim::Cap { device: "loop0".into(), server: false, iops: true, limit: 640, seen: 649.0 };
        let engine_note = Some(NoteFact::Text("the engine is another one".into()));
        let mut card = QuickCard {
            engine_note,
            rows: vec![row("4k random", 1, 649.0, 1000, None)],
            ..QuickCard::default()
        };
        card.add_findings("4k random read", vec![finding(others), finding(cap)]);
        let shown = caveats(Lang::En, &card);
        assert!(shown[0].starts_with("C ") && shown[0].contains("640"), "{shown:?}");
        assert_eq!((shown.len(), shown[2].as_str()), (3, "the engine is another one"));
        let text = json(&card);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let first = &value["findings"][0];
        assert_eq!((value["grade"].as_str(), first["grade"].as_str()), (Some("C"), Some("C")));
        assert!(first["text"].as_str().is_some_and(|text| text.contains("640")), "{first}");
        assert!(first["next"].is_string() && first["rule"] == "M33", "{first}");
        assert_eq!(serde_json::from_str::<QuickCard>(&text).unwrap().findings, card.findings);
    }
}
