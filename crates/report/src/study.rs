//! The card of a study: one line a pattern, then what follows in words, then what has no answer. The words hold the
//! estimate, its 95 % interval and how far it reaches, and nothing beyond.

mod words;

use crate::catalog::{say, word};
use crate::labels::{self, block, pattern, pattern_on};
use crate::scale::{bytes, megabytes, short, time};
use crate::{Grid, Lang, columns, fit_end, hang, lay, prose_width};
use stats::study::{
    Access, Cap, Caveat, Claim, Conclusion, Estimate, Question, Regime, Study, Unanswered, Unit, Verdict, Why,
};
pub use words::{figure, words};

/// The card: a line a pattern, and in sentences only what the lines cannot say. At most `width` columns
/// (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, study: &Study, width: usize) -> String {
    let (screen, width) = (width, prose_width(width));
    let mut lines = head(lang, study, screen);
    lines.extend(to_use(lang, study, screen));
    lines.extend(table(lang, study, screen));
    lines.extend(fold(compared(lang, study), width));
    // That the most is a cap says why there is one limit at every depth.
    let capped = |of: &Conclusion| {
        let cap = |c: &&Conclusion| matches!(c.claim, Claim::Cap { .. }) && c.access == of.access;
        study.conclusions.iter().filter(cap).any(|c| c.target == of.target)
    };
    let telling = |c: &&Conclusion| match &c.claim {
        Claim::OneLimit { .. } => !capped(c),
        Claim::Knee { .. }
        | Claim::Crossover { .. }
        | Claim::OneBlockLaw { .. }
        | Claim::Runtime { regime: Regime::Steady | Regime::Drift | Regime::Stepped, .. }
        | Claim::Targets { .. }
        | Claim::Curve { .. } => false,
        Claim::Jobs { .. } | Claim::Span { .. } => !matches!(c.verdict(), Verdict::Same | Verdict::Unknown),
        _ => true,
    };
    let sentences = study.conclusions.iter().filter(telling);
    let sentences =
        sentences.map(|c| format!("{}: {}", pattern_on(study, c.target, &c.access), words::what(lang, c)));
    lines.extend(fold(sentences, width));
    let rows = study.conclusions.iter().filter(|c| !telling(c));
    lines.extend(fold(rows.filter_map(|c| limits(lang, study, c)), width));
    lines.extend(fold(alike(lang, study), width));
    // That sequential I/O has no span is no news; that nothing was written is.
    let news = |one: &Unanswered| one.question != Question::Span || !matches!(one.why, Why::NotHere { .. });
    lines.extend(fold(not_answered(lang, study, news), width));
    lines.extend(fold(tail(lang, study), width));
    lay(&lines)
}

/// Every answer in a sentence with its interval and how far it reaches, and every point.
pub fn reasons(lang: Lang, study: &Study, width: usize) -> String {
    let (screen, width) = (width, prose_width(width));
    let mut lines = head(lang, study, screen);
    lines.extend(table(lang, study, screen));
    lines.extend(fold(compared(lang, study), width));
    let sentence = |c: &Conclusion| format!("{}: {}", pattern_on(study, c.target, &c.access), words(lang, c));
    lines.extend(fold(study.conclusions.iter().map(sentence), width));
    lines.extend(fold(not_answered(lang, study, |_| true), width));
    lines.extend(fold(tail(lang, study), width));
    lay(&lines) + "\n" + &crate::points::table(lang, study, screen)
}

/// What limits an answer that only has figures in a row: its caveats, and how far its depth is known where that is not to the
/// next step. A change is told by a sentence of its own.
fn limits(lang: Lang, study: &Study, c: &Conclusion) -> Option<String> {
    let wide = match c.claim {
        Claim::Knee { in_flight, between: Some([low, high]), .. } => {
            high > in_flight || u64::from(low) * 2 < u64::from(in_flight)
        }
        _ => false,
    };
    let mut limits: Vec<String> = match c.claim {
        Claim::Knee { in_flight, between, .. } if wide => {
            vec![format!("{in_flight}{}", words::fewest(lang, between))]
        }
        _ => Vec::new(),
    };
    let others = c.caveats.iter().filter(|c| !matches!(c, Caveat::Changed { .. }));
    limits.extend(others.map(|c| words::caveat(lang, c)));
    let about = about(lang, labels::question(lang, c.question), &pattern_on(study, c.target, &c.access));
    (!limits.is_empty()).then(|| format!("{about}: {}", limits.join("; ")))
}

/// Long lines go on below, indented.
fn fold(lines: impl IntoIterator<Item = String>, width: usize) -> Vec<String> {
    lines.into_iter().flat_map(|line| hang(line.trim_end(), width)).collect()
}

fn head(lang: Lang, study: &Study, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, target) in study.targets.iter().enumerate() {
        let size = bytes(target.size);
        let what = if target.scratch { say!(lang, "explore-head", size) } else { size };
        let rest = format!("   {what}   {}", crate::terms::stack(lang, &target.stack));
        let number = if study.targets.len() > 1 { format!("{}: ", at + 1) } else { String::new() };
        let room = width.saturating_sub(columns(&rest) + number.len()).max(24);
        lines.push(format!("{number}{}{rest}", fit_end(&target.name, room)));
    }
    fold(lines, prose_width(width))
}

fn tail(lang: Lang, study: &Study) -> Vec<String> {
    // What the runner remarked comes as text.
    let mut lines = study.notes.clone();
    if let Some(sync) = study.asked.patterns.iter().find(|access| access.commits()).and_then(|a| a.sync) {
        lines.push(say!(lang, "explore-tail-iops-commits-per", sync));
    }
    let kept = match study.id {
        0 => say!(lang, "explore-tail-why-says-more"),
        id => {
            say!(lang, "explore-tail-fathom-show-s", id)
        }
    };
    let (points, spent, budget) = (study.points.len(), study.spent_s.round(), study.asked.budget_s);
    if !study.complete && study.id > 0 {
        lines.push(say!(lang, "explore-tail-ended-early-fathom"));
    }
    lines.push(say!(lang, "explore-tail-points-s-depths", points, spent, budget, kept));
    lines
}

/// The same as data: one JSON document, newline at the end.
pub fn json(study: &Study) -> String {
    let mut text = serde_json::to_string_pretty(study).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

/// What to use, a line a pattern and target, in fio's options, and what it does.
fn to_use(lang: Lang, study: &Study, width: usize) -> Vec<String> {
    if study.loads.is_empty() {
        return Vec::new();
    }
    let head = [
        word!(lang, "explore-to-use-use"),
        "iodepth",
        "numjobs",
        "runtime",
        "IOPS",
        "+-%",
        "MB/s",
        word!(lang, "explore-to-use-mean-latency"),
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(study.loads.iter().map(|load| {
        vec![
            pattern_on(study, load.target, &load.access),
            load.iodepth.to_string(),
            load.numjobs.to_string(),
            load.runtime_s.to_string(),
            short(load.iops.value),
            load.iops.within_percent().map_or("-".into(), |half| format!("{:.0}", half.ceil())),
            megabytes((load.iops.value * load.access.bs as f64) as u64),
            time(load.mean_ns),
        ]
    }));
    Grid { keys: 1, to_right: |c| c > 0, gap: 2 }.lines(&rows, width)
}

/// One line a pattern and target: depth, rate and latency, then blocks and length of a run.
fn table(lang: Lang, study: &Study, width: usize) -> Vec<String> {
    let latency = word!(lang, "explore-table-latency");
    let at_knee = word!(lang, "explore-table-knee");
    let head = [
        [word!(lang, "explore-table-found"), ""],
        [word!(lang, "explore-table-depth"), ""],
        [word!(lang, "explore-table-most"), "IOPS"],
        ["", "+-%"],
        [latency, word!(lang, "explore-table-qd-1")],
        [latency, at_knee],
        ["p99", at_knee],
        ["util", "%"],
        [word!(lang, "explore-table-iops-bound"), word!(lang, "explore-table-up")],
        [word!(lang, "explore-table-bw-bound"), word!(lang, "explore-table-from")],
    ];
    let mut rows = vec![head.map(|h| h[0].to_string()), head.map(|h| h[1].to_string())];
    for access in &study.asked.patterns {
        rows.extend((0..study.targets.len()).filter_map(|target| row(study, target, access)));
    }
    if rows.len() == 2 {
        return Vec::new();
    }
    let wide: Vec<usize> =
        (0..head.len()).map(|n| rows.iter().map(|row| columns(&row[n])).max().unwrap_or(0)).collect();
    let gap = if wide.iter().sum::<usize>() + 2 * (head.len() - 1) <= prose_width(width) { 2 } else { 1 };
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.to_vec()).collect();
    Grid { keys: 1, to_right: |c| c > 0, gap }.lines(&rows, width)
}

fn row(study: &Study, target: usize, access: &Access) -> Option<[String; 10]> {
    let dash = "-".to_string();
    let conclusion = study.answer(target, access, Question::Depth);
    let blocks = study.answer(target, access, Question::Bs);
    if conclusion.is_none() && blocks.is_none() {
        return None;
    }
    let (depth, mean_ns, p99_ns, alone_ns) = match conclusion.map(|c| &c.claim) {
        Some(Claim::Knee { in_flight, mean_ns, p99_ns, alone_ns, .. }) => {
            (in_flight.to_string(), Some(*mean_ns), *p99_ns, Some(*alone_ns))
        }
        Some(Claim::NoKnee { up_to, mean_ns, alone_ns }) => {
            (format!(">{up_to}"), Some(*mean_ns), None, Some(*alone_ns))
        }
        Some(Claim::OneLimit { alone_ns, .. }) => ("1".into(), None, None, Some(*alone_ns)),
        Some(Claim::Generator { .. }) => ("cpu".into(), None, None, None),
        Some(Claim::Drifts { in_flight, .. }) => (format!("{in_flight}?"), None, None, None),
        _ => (dash.clone(), None, None, None),
    };
    let ns = |ns: Option<f64>| ns.map_or("-".into(), time);
    let rate = conclusion.map(|c| c.estimate);
    let changed = conclusion.and_then(|c| {
        c.caveats.iter().find_map(|c| if let Caveat::Changed { now } = c { Some(*now) } else { None })
    });
    let iops = |r: Estimate| match changed {
        Some(now) => format!("{}>{}", short(r.value), short(now)),
        None => short(r.value),
    };
    let point = conclusion.and_then(|c| c.evidence.iter().rev().find_map(|n| study.points.get(*n as usize)));
    let (iops_to, from) = match blocks.map(|c| &c.claim) {
        Some(Claim::Crossover { full_bandwidth, full_iops, .. }) => {
            (block(*full_iops), block(*full_bandwidth))
        }
        // One law over all sizes: no size at which the other begins.
        Some(Claim::OneBlockLaw { of: Cap::Iops, sizes: [_, to], .. }) => {
            (format!(">{}", block(*to)), dash.clone())
        }
        Some(Claim::OneBlockLaw { of: Cap::Bytes, sizes: [from, _], .. }) => {
            (dash.clone(), format!("<{}", block(*from)))
        }
        _ => (dash.clone(), dash.clone()),
    };
    Some([
        pattern_on(study, target, access),
        depth,
        rate.map_or(dash.clone(), iops),
        rate.filter(|_| changed.is_none())
            .and_then(|r| r.within_percent())
            .map_or(dash.clone(), |half| format!("{:.0}", half.ceil())),
        ns(alone_ns),
        ns(mean_ns),
        ns(p99_ns.map(|n| n as f64)),
        point.and_then(|p| p.util_percent).map_or(dash.clone(), |u| format!("{u:.0}")),
        iops_to,
        from,
    ])
}

/// What makes no difference, in one line.
fn alike(lang: Lang, study: &Study) -> Option<String> {
    let of = |question: Question| {
        let same =
            study.conclusions.iter().filter(|c| c.question == question && c.verdict() == Verdict::Same);
        same.map(|c| pattern_on(study, c.target, &c.access)).collect::<Vec<_>>()
    };
    let (jobs, span) = (of(Question::Jobs), of(Question::Span));
    let mut parts = Vec::new();
    if !jobs.is_empty() {
        parts.push(format!("numjobs ({})", jobs.join(", ")));
    }
    if !span.is_empty() {
        let of = span.join(", ");
        parts.push(say!(lang, "explore-alike-size-region", of));
    }
    let parts = parts.join("; ");
    (!parts.is_empty()).then(|| say!(lang, "explore-alike-makes-no-difference", parts))
}

/// Two targets: pattern by pattern, the ratio of their most.
fn compared(lang: Lang, study: &Study) -> Vec<String> {
    if study.targets.len() != 2 {
        return Vec::new();
    }
    study
        .ratios()
        .iter()
        .map(|(access, ratio)| {
            let (pattern, ratio) = (pattern(access), figure(lang, ratio, Unit::Ratio));
            say!(lang, "explore-compared", pattern, ratio)
        })
        .collect()
}

/// What has no answer, a line for each reason.
fn not_answered(lang: Lang, study: &Study, told: impl Fn(&Unanswered) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut needs = 0.0;
    let mut bought: Vec<(&str, Vec<String>)> = Vec::new();
    for one in study.unanswered.iter().filter(|one| told(one)) {
        let Unanswered { target, access, question, why } = one;
        let (asked, of) = (labels::question(lang, *question), pattern_on(study, *target, access));
        if let Why::Budget { needs_s } = why {
            needs += needs_s;
            match bought.iter_mut().find(|(known, _)| *known == asked) {
                Some((_, all)) => all.push(of),
                None => bought.push((asked, vec![of])),
            }
        } else {
            lines.extend(words::why(lang, &about(lang, asked, &of), why));
        }
    }
    if !bought.is_empty() {
        let minutes = (needs / 60.0 * 10.0).ceil() / 10.0;
        let all = study.asked.patterns.len() * study.targets.len();
        let of = |(question, of): &(&str, Vec<String>)| match of.len() {
            n if n == all && n > 1 => {
                say!(lang, "explore-not-answered-all", question)
            }
            _ => about(lang, question, &of.join(", ")),
        };
        let bought: Vec<String> = bought.iter().map(of).collect();
        let bought = bought.join("; ");
        lines.push(say!(lang, "explore-not-answered-not-answered-needs", minutes, bought));
    }
    lines
}

fn about(lang: Lang, question: &str, of: &str) -> String {
    say!(lang, "explore-about", question, of)
}
