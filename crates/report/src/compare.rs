//! Comparisons as a card for a terminal, as a table in Markdown, or as the line that gives the reason for a refusal.

use crate::Lang;
use crate::catalog::{say, word};
use crate::labels::block;
use crate::scale::{bytes, megabytes, short, time};
use crate::{Grid, fill, findings, lay, left, prose_width, terms};
use stats::answer::Answer;
use stats::comparison::WRONG;
use stats::study::{Estimate, Verdict};
use stats::{Claim, Comparison, LogKind, Metric, MetricRow, Pair, RowKind, Shape, Unequal, Unsure};
use std::fmt::Write;

/// Returns the card of a comparison, at most `width` columns wide (`usize::MAX`: a file or pipe), newline at the end:
/// unequal conditions, the metrics of each load, and the assumptions of the verdicts.
pub fn render(c: &Comparison, lang: Lang, width: usize) -> String {
    let (screen, width) = (width, prose_width(width));
    let [a, b] = &c.sides;
    let mut lines = fill("fathom   ", &format!("A {a}   B {b}"), width);
    for what in &c.unequal {
        let mark = if what.refuses() { say!(lang, "compare-unequal") } else { say!(lang, "compare-note") };
        lines.extend(fill(&format!("{}  ", left(&mark, 8)), &words(what, c, lang), width));
    }
    let mark = say!(lang, "compare-note");
    lines.extend(shared(c, lang).iter().flat_map(|text| fill(&format!("{}  ", left(&mark, 8)), text, width)));
    for (n, pair) in c.pairs.iter().enumerate() {
        let rows: Vec<&MetricRow> = c.rows.iter().filter(|row| row.pair == n).collect();
        if rows.is_empty() {
            continue;
        }
        lines.push(String::new());
        lines.extend(fill("", &heading(pair, lang), width));
        lines.extend(table(&rows, c, lang, screen));
        lines.extend(reasons(&rows, lang).iter().flat_map(|text| fill("  ", text, width)));
    }
    if !c.rows.is_empty() {
        lines.push(String::new());
        lines.extend(fill("", &reach(c, lang), width));
        lines.extend(between(c, lang).iter().flat_map(|text| fill("", text, width)));
    }
    lines.extend(alone(c, lang).iter().flat_map(|text| fill("", text, width)));
    lay(&lines)
}

/// Returns the remark about runs that are part of both sides.
fn shared(c: &Comparison, lang: Lang) -> Option<String> {
    let runs: usize = c.pairs.iter().map(|pair| pair.repeats[0].max(pair.repeats[1])).sum();
    let shared = c.shared;
    (shared > 0).then(|| {
        if shared == runs {
            say!(lang, "compare-same-run")
        } else {
            say!(lang, "compare-shared-runs", shared)
        }
    })
}

/// Returns the comparison as Markdown: a list of unequal conditions and one table.
pub fn markdown(c: &Comparison, lang: Lang) -> String {
    let [a, b] = c.sides.each_ref().map(|name| cell(name));
    let mut text = say!(lang, "compare-sides", a, b) + "\n\n";
    for what in &c.unequal {
        let _ = writeln!(text, "- {}", cell(&words(what, c, lang)));
    }
    if let Some(what) = shared(c, lang) {
        let _ = writeln!(text, "- {}", cell(&what));
    }
    if !c.unequal.is_empty() || c.shared > 0 {
        text.push('\n');
    }
    let head = [
        word!(lang, "compare-load"),
        "I/O",
        word!(lang, "compare-metric"),
        "A",
        "B",
        "B/A",
        word!(lang, "compare-interval"),
        word!(lang, "compare-verdict"),
    ];
    let _ = write!(text, "| {} |", head.join(" | "));
    text += "\n|---|---|---|--:|--:|--:|---|---|\n";
    for row in &c.rows {
        let load = c.pairs.get(row.pair).map(|pair| heading(pair, lang)).unwrap_or_default();
        let [a, b] = row.sides.each_ref().map(|side| figure(row.metric, side.value));
        let cells = [
            cell(&load),
            row.direction.name().into(),
            metric(row, lang),
            a,
            b,
            format!("{:.3}", row.ratio.value),
            interval(&row.ratio),
            cell(&match row.why {
                Some(why) => format!("{}: {}", verdict(row, c, lang), reason(why, lang)),
                None => verdict(row, c, lang),
            }),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    let below = std::iter::once(reach(c, lang)).chain(between(c, lang)).filter(|_| !c.rows.is_empty());
    for line in below.chain(alone(c, lang)) {
        let _ = write!(text, "\n{}\n", cell(&line));
    }
    text
}

/// Returns what `fathom compare` takes, for a file that is no result.
pub fn takes(lang: Lang) -> &'static str {
    word!(lang, "compare-takes")
}

/// Returns the line that reports that a device, or a directory without results, is no result, and how to compare targets.
pub fn target_named(path: &str, is_device: bool, lang: Lang) -> String {
    let kind = if is_device { "device" } else { "directory" };
    say!(lang, "compare-targets", path, kind)
}

/// Returns the line that reports that the stored result `name` is an answer, which cannot be compared.
pub fn answer_named(name: &str, answer: &Answer, lang: Lang) -> String {
    let command = match answer {
        Answer::Fit(_) => "fit",
        Answer::Explain(_) => "explain",
        Answer::Cloud(_) => "cloud",
        Answer::Rank(_) => "rank",
        Answer::Characterize(_) => "characterize",
        Answer::Files(_) => "files",
        Answer::Objects(_) => "objects",
        Answer::Hosts(_) => "run --hosts",
    };
    say!(lang, "compare-answer", name, command)
}

/// Returns the line that reports that the results are not compared, and why.
pub fn refusal(c: &Comparison, lang: Lang) -> String {
    let [a, b] = c.sides.each_ref().map(|name| clean(name));
    let why: Vec<String> = c.unequal.iter().filter(|u| u.refuses()).map(|u| words(u, c, lang)).collect();
    say!(lang, "compare-refused", a, b, why = clean(&why.join("; ")))
}

/// Returns the line that lists the metrics that are slower by more than the bound, in percent; `None` if none is.
pub fn slower(c: &Comparison, bound: f64, lang: Lang) -> Option<String> {
    let rows: Vec<&MetricRow> = c.slower_by(bound).collect();
    let one = |row: &&MetricRow| {
        let load = c.pairs.get(row.pair).map(|pair| heading(pair, lang)).unwrap_or_default();
        let what = format!("{} {}", row.direction.name(), metric(row, lang));
        format!("{load} {what} {:.1} % ({})", row.slower_percent(), interval(&row.ratio))
    };
    let list = clean(&rows.iter().map(one).collect::<Vec<_>>().join("; "));
    let [a, b] = c.sides.each_ref().map(|name| clean(name));
    (!rows.is_empty()).then(|| say!(lang, "compare-slower-than-bound", b, a, bound, list))
}

/// Returns the line that lists the metrics whose interval permits both verdicts about the bound; `None` if none does.
pub fn untold(c: &Comparison, bound: f64, lang: Lang) -> Option<String> {
    let hides = |row: &&MetricRow| row.metric.is_speed() && row.may_be_slower_by(bound);
    let names: Vec<String> = c
        .rows
        .iter()
        .filter(hides)
        .map(|row| format!("{} {}", row.direction.name(), metric(row, lang)))
        .collect();
    let [a, b] = c.sides.each_ref().map(|name| clean(name));
    let list = names.join(", ");
    (!names.is_empty()).then(|| say!(lang, "compare-bound-unknown", b, a, bound, list))
}

/// Returns the text without line breaks and control characters.
fn clean(text: &str) -> String {
    stats::plain::line(text).into_owned()
}

/// Returns the text as a cell of a Markdown table.
fn cell(text: &str) -> String {
    clean(text).replace('\\', "\\\\").replace('|', "\\|")
}

/// Returns the heading of a pair of loads: `randread 4k, iodepth 8, numjobs 2 (one, other)`.
fn heading(pair: &Pair, lang: Lang) -> String {
    let [a, b] = &pair.names;
    let name = if a == b { a.clone() } else { format!("{a}, {b}") };
    let shape = shape(&pair.shape);
    let repeats = match pair.repeats {
        [1, 1] => String::new(),
        [a, b] => format!("; {}", say!(lang, "compare-repeats", a, b)),
    };
    if shape.is_empty() { format!("{name}{repeats}") } else { format!("{shape} ({name}{repeats})") }
}

fn shape(shape: &Shape) -> String {
    let (access, depth, jobs) = (&shape.access, shape.depth, shape.jobs);
    let mut parts = Vec::new();
    if !access.rw.is_empty() {
        let bs = if access.bs > 0 { format!(" {}", block(access.bs)) } else { String::new() };
        let reads = access.reads.map(|r| format!(" {r} %")).unwrap_or_default();
        let sync = access.sync.map(|sync| format!(" {sync}")).unwrap_or_default();
        parts.push(format!("{}{bs}{reads}{sync}", access.rw));
    }
    if depth > 0 {
        parts.push(format!("iodepth {depth}"));
    }
    if jobs > 1 {
        parts.push(format!("numjobs {jobs}"));
    }
    parts.join(", ")
}

/// Returns the name of a metric: `IOPS`, `lat p99`, or `clat p99` if the compared latency is not the total latency.
fn metric(row: &MetricRow, lang: Lang) -> String {
    let name = name(row.metric, lang);
    match row.latency {
        Some(LogKind::Clat) => format!("clat {name}"),
        Some(LogKind::Commit) => format!("{} {name}", terms::row_kind(lang, RowKind::Commits)),
        Some(LogKind::Sync) => format!("{} {name}", terms::row_kind(lang, RowKind::Syncs)),
        _ if matches!(row.metric, Metric::Mean | Metric::P50 | Metric::P99 | Metric::P999) => {
            format!("lat {name}")
        }
        _ => name,
    }
}

fn name(metric: Metric, lang: Lang) -> String {
    match metric {
        Metric::Iops => "IOPS".into(),
        Metric::Bandwidth => "MB/s".into(),
        Metric::Mean => say!(lang, "compare-mean"),
        Metric::P50 => "p50".into(),
        Metric::P99 => "p99".into(),
        Metric::P999 => "p99.9".into(),
        Metric::Cpu => "CPU/IO".into(),
    }
}

fn figure(metric: Metric, value: f64) -> String {
    match metric {
        Metric::Iops => short(value),
        Metric::Bandwidth => megabytes(value as u64),
        _ => time(value),
    }
}

/// Returns the interval of a ratio: `1.087 - 1.113`.
fn interval(ratio: &Estimate) -> String {
    if ratio.is_known() { format!("{:.3} - {:.3}", ratio.low, ratio.high) } else { "-".into() }
}

fn verdict(row: &MetricRow, c: &Comparison, lang: Lang) -> String {
    // With --anyway the ratio of two different things is shown, but it says nothing about the device.
    if c.unequal.iter().any(Unequal::refuses) {
        return say!(lang, "compare-unequal");
    }
    let more = match row.verdict {
        Verdict::Same => return say!(lang, "compare-same"),
        Verdict::Unknown => return say!(lang, "compare-unknown"),
        Verdict::More => true,
        Verdict::Less => false,
    };
    match (row.metric.is_speed(), more == row.metric.more_is_better()) {
        (true, true) => say!(lang, "compare-faster"),
        (true, false) => say!(lang, "compare-slower"),
        (false, true) => say!(lang, "compare-less"),
        (false, false) => say!(lang, "compare-more"),
    }
}

fn reason(why: Unsure, lang: Lang) -> String {
    match why {
        Unsure::NoInterval => say!(lang, "compare-no-interval"),
        Unsure::TooFew => say!(lang, "compare-too-few"),
        Unsure::MoreRuns { each } => say!(lang, "compare-more-runs", each),
        Unsure::Wide { longer } => say!(lang, "compare-longer-runs", times = format!("{longer:.1}")),
        Unsure::Unknowable => say!(lang, "compare-never-known"),
    }
}

/// Returns the reasons for inconclusive verdicts; metrics with the same reason share a line.
fn reasons(rows: &[&MetricRow], lang: Lang) -> Vec<String> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| row.metric.is_speed()) {
        let Some(why) = row.why else { continue };
        let (text, name) = (reason(why, lang), format!("{} {}", row.direction.name(), metric(row, lang)));
        match found.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(name),
            None => found.push((text, vec![name])),
        }
    }
    found.into_iter().map(|(text, names)| format!("{}: {text}", names.join(", "))).collect()
}

fn table(rows: &[&MetricRow], c: &Comparison, lang: Lang, width: usize) -> Vec<String> {
    let words =
        [word!(lang, "compare-metric"), word!(lang, "compare-interval"), word!(lang, "compare-verdict")];
    let head = ["I/O", words[0], "A", "B", "B/A", words[1], words[2]].map(String::from);
    let mut last = None;
    let figures = rows.iter().map(|row| {
        let [a, b] = row.sides.each_ref().map(|side| figure(row.metric, side.value));
        let direction = if last == Some(row.direction) { "" } else { row.direction.name() };
        last = Some(row.direction);
        let (name, ratio) = (metric(row, lang), format!("{:.3}", row.ratio.value));
        [direction.into(), name, a, b, ratio, interval(&row.ratio), verdict(row, c, lang)]
    });
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(figures).map(|line| line.to_vec()).collect();
    let grid = Grid { keys: 2, to_right: |c| (2..=4).contains(&c), gap: 2 };
    grid.lines(&lines, width.saturating_sub(2)).iter().map(|line| format!("  {line}")).collect()
}

/// Returns the sentence about the error probability of the verdicts.
fn reach(c: &Comparison, lang: Lang) -> String {
    let (n, sure) = (c.at_once, 100.0 * (1.0 - WRONG));
    if n == 0 {
        return say!(lang, "compare-no-intervals");
    }
    say!(lang, "compare-judged-together", n, sure)
}

/// Returns the sentence about the differences between runs of one target.
fn between(c: &Comparison, lang: Lang) -> Option<String> {
    let (percent, n) = (format!("{:.1}", 100.0 * c.between), c.learned_from);
    let single = c.pairs.iter().any(|pair| pair.repeats.contains(&1));
    let default = n == 0 && single;
    (c.at_once > 0).then(|| {
        if default {
            say!(lang, "compare-runs-assumed-to-differ", percent)
        } else {
            say!(lang, "compare-runs-differ", percent, n)
        }
    })
}

/// Returns the lines about loads that only one side has.
fn alone(c: &Comparison, lang: Lang) -> Vec<String> {
    let of = |side: usize| {
        let mine = c.alone.iter().filter(|(at, ..)| *at == side);
        let names: Vec<String> = mine
            .map(|(_, name, of)| match shape(of) {
                shape if shape.is_empty() => name.clone(),
                shape => format!("{shape} ({name})"),
            })
            .collect();
        let (letter, list) = (letter(side), names.join("; "));
        (!names.is_empty()).then(|| say!(lang, "compare-only-in", letter, list))
    };
    [0, 1].into_iter().filter_map(of).collect()
}

fn letter(side: usize) -> char {
    if side == 0 { 'A' } else { 'B' }
}

/// Returns an unequal condition as text.
fn words(what: &Unequal, c: &Comparison, lang: Lang) -> String {
    let two = |[a, b]: &[String; 2]| format!("A {a}, B {b}");
    match what {
        Unequal::NothingInCommon => say!(lang, "compare-nothing-in-common", list = alone(c, lang).join("; ")),
        Unequal::Load { shapes } => {
            say!(lang, "compare-different-loads", list = two(&shapes.each_ref().map(shape)))
        }
        Unequal::Direct { side } => {
            let (past, through) = (letter(*side), letter(1 - *side));
            say!(lang, "compare-direct", past, through)
        }
        Unequal::NotTheDevice { side, finding } => {
            let (side, why) = (letter(*side), findings::statement(lang, &finding.claim));
            say!(lang, "compare-not-the-device", side, why)
        }
        Unequal::NeverWritten { side, finding } => {
            let (side, why) = (letter(*side), findings::statement(lang, &finding.claim));
            if matches!(finding.claim, Claim::Zeros { .. }) {
                // Zeros may have been written.
                say!(lang, "compare-zeros", side, why)
            } else {
                say!(lang, "compare-never-written", side, why)
            }
        }
        Unequal::Generator { side, finding } => {
            let (side, why) = (letter(*side), findings::statement(lang, &finding.claim));
            say!(lang, "compare-cpu-limit", side, why)
        }
        Unequal::Target { paths } => say!(lang, "compare-different-targets", list = two(paths)),
        Unequal::Span { bytes: spans } => {
            say!(lang, "compare-different-regions", list = two(&spans.map(bytes)))
        }
        Unequal::Engine { names } => say!(lang, "compare-different-engines", list = two(names)),
        Unequal::Kernel { names } => say!(lang, "compare-different-kernels", list = two(names)),
        Unequal::Host { names } => say!(lang, "compare-different-hosts", list = two(names)),
        Unequal::By { names } => say!(lang, "compare-different-programs", list = two(names)),
        Unequal::Stack { layers } => {
            let list = two(&layers.each_ref().map(|l| terms::stack(lang, l)));
            say!(lang, "compare-different-stacks", list)
        }
        Unequal::Grade { side, grade, rules } => {
            let (side, grade, rules) = (letter(*side), grade.letter(), rules.join(", "));
            say!(lang, "compare-grade", side, grade, rules)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::comparison::compare;
    use stats::study::Access;
    use stats::{Conditions, Finding, Flow, Measured, Quantile, Side, Spread};

    fn load(name: &str, iops: f64, percent: f64) -> Measured {
        let latency = Spread {
            n: 100_000,
            mean_ns: 8e9 / iops,
            quantiles: vec![Quantile { percent: 99.0, ns: 2e10 / iops, between: None }],
            ..Spread::default()
        };
        Measured {
            name: name.into(),
            access: Access { rw: "randrw".into(), bs: 4096, reads: Some(70), sync: None },
            depth: 8,
            jobs: 4,
            seconds: 10.0,
            flows: vec![Flow {
                ios: 100_000,
                iops: Estimate::around(iops, iops * percent / 100.0),
                bytes_per_second: 4096.0 * iops,
                lat: Some(latency),
                ..Flow::default()
            }],
            cpu_percent: Some([10.0, 20.0]),
            conditions: Conditions {
                direct: Some(true),
                span: Some(1 << 30),
                engine: Some("io_uring".into()),
                kernel: Some("6.8.0".into()),
                host: "one".into(),
                by: "fathom 0.1.0".into(),
                stack: vec!["ext4".into(), "vda (disk, ssd)".into()],
                ..Conditions::default()
            },
            ..Measured::default()
        }
    }

    fn unlike() -> Measured {
        let mut other = load("j", 900.0, 1.0);
        other.conditions = Conditions {
            direct: Some(false),
            span: Some(1 << 32),
            engine: Some("psync".into()),
            kernel: Some("5.15.0".into()),
            host: "two".into(),
            by: stats::FIO_VERSION.into(),
            stack: vec!["vdb (disk, reports rotational)".into()],
            ..Conditions::default()
        };
        let finding = |claim| Finding::new(String::new(), claim);
        other.findings = vec![
            finding(Claim::PageCache { app: 100 << 20, storage: 1 << 20, span: 1 << 20, memory: 1 << 30 }),
            finding(Claim::NeverWritten { path: "f".into(), bytes: 80, size: 100 }),
            finding(Claim::Generator { percent: 99.0 }),
        ];
        other
    }

    fn side(name: &str, loads: Vec<Measured>) -> Side {
        Side { name: name.into(), loads }
    }

    /// Zeros that were written are not called ranges that were never written.
    #[test]
    fn zeros_are_not_called_unwritten() {
        let mut zeros = load("j", 500.0, 1.0);
        let claim = Claim::Zeros { path: "f".into(), zero: 64, sampled: 64, moved: false };
        zeros.findings = vec![Finding::new(String::new(), claim)];
        let (a, b) = (side("R1", vec![load("j", 500.0, 1.0)]), side("R2", vec![zeros]));
        let line = refusal(&compare(&a, &b, false), Lang::En);
        assert!(line.contains("B read blocks of zeros") && !line.contains("never written"), "{line}");
    }

    /// Checks in each language that the card has every word, that nothing is cut, and that no line is too long.
    #[test]
    fn a_card_fits_in_eighty_columns_and_a_refusal_in_one_line() {
        let (a, b) = (side("R1", vec![load("j", 500.0, 1.0)]), side("R2", vec![unlike()]));
        let far = side("R3", vec![load("j", 500.0, 30.0), Measured { depth: 1, ..load("alone", 5.0, 1.0) }]);
        for lang in Lang::ALL {
            let refused = compare(&a, &b, false);
            let line = refusal(&refused, lang);
            assert!(refused.rows.is_empty() && line.lines().count() == 1, "{line}");
            assert!(line.contains("--anyway") && line.contains("R2"), "{line}");
            for found in [compare(&a, &b, true), compare(&a, &far, false), compare(&a, &a, false)] {
                let text = render(&found, lang, 80);
                assert!(text.lines().count() > 5 && !text.contains('…'), "{text}");
                assert!(text.lines().all(|line| crate::columns(line) <= 80), "{text}");
                let table = markdown(&found, lang);
                let rows: Vec<&str> = table.lines().filter(|l| l.starts_with('|')).collect();
                assert!(rows.len() > 4 && rows.iter().all(|l| l.matches('|').count() == 9), "{table}");
            }
        }
        let text = render(&compare(&a, &b, true), Lang::En, 80);
        for part in ["unequal   A bypassed the page cache", "different I/O engines: A io_uring, B psync"] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        // What differs is no reason to call one faster.
        assert!(!text.contains("is faster"), "{text}");
    }

    #[test]
    fn what_is_slower_is_named_and_what_may_be_too() {
        let base = side("R1", vec![load("j", 500.0, 0.5)]);
        let of = |rate: f64, percent: f64| compare(&base, &side("R2", vec![load("j", rate, percent)]), false);
        let line = slower(&of(450.0, 0.5), 5.0, Lang::En).unwrap_or_default();
        assert!(line.starts_with("R2 is more than 5 % slower than R1: randrw 4k"), "{line}");
        assert!(line.contains("read IOPS 10.0 % (0.8") && line.contains("read lat mean 11.1 %"), "{line}");
        assert_eq!(slower(&of(500.0, 0.5), 5.0, Lang::En), None);
        // The interval includes a rate ten percent lower.
        let line = untold(&of(500.0, 10.0), 5.0, Lang::En).unwrap_or_default();
        assert!(line.starts_with("cannot tell whether R2 is more than 5 %"), "{line}");
        assert!(
            line.ends_with("slower than R1: read IOPS, read MB/s, read lat mean, read lat p99"),
            "{line}"
        );
        let line = untold(&of(500.0, 0.5), 15.0, Lang::En).unwrap_or_default();
        assert!(line.ends_with("slower than R1: read lat p99"), "{line}");
    }
}
