//! Diagnoses as text: each fact, why it matters and what to do.

mod words;

use crate::catalog::{say, word};
use crate::scale::bytes;
use crate::{Lang, columns, fill, lay, left, prose_width};
use stats::doctor::{Diagnosis, LayerRow, Line, Severity, Topic};

/// Column at which the text of an entry starts.
const INDENT: usize = 11;

/// Returns the diagnosis in lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, d: &Diagnosis, width: usize) -> String {
    let width = prose_width(width);
    let mut lines = fill("", &title(lang, d), width);
    lines.extend(fill("", &summary(lang, d), width));
    let mut topic = None;
    for line in &alike(&d.lines) {
        if topic != Some(line.topic) {
            topic = Some(line.topic);
            lines.push(String::new());
            lines.push(heading(lang, line.topic).into());
        }
        lines.extend(entry(lang, line, width));
    }
    lay(&lines)
}

/// Returns the diagnosis as one JSON document, newline at the end.
pub fn json(d: &Diagnosis) -> String {
    let mut text = serde_json::to_string_pretty(d).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

/// Merges lines that differ only in the device into one line with all device names, at the position of the first: the
/// disks of an array usually have the same facts.
fn alike(lines: &[Line]) -> Vec<Line> {
    let nameless = |line: &Line| {
        let mut line = line.clone();
        line.fact.device_mut().map(std::mem::take).map(|name| (name, line))
    };
    let mut found: Vec<(Line, Option<Line>)> = Vec::new();
    for line in lines {
        let Some((name, rest)) = nameless(line) else {
            found.push((line.clone(), None));
            continue;
        };
        match found.iter_mut().find(|(_, key)| key.as_ref() == Some(&rest)) {
            Some((first, _)) => {
                if let Some(names) = first.fact.device_mut() {
                    *names = format!("{names}, {name}");
                }
            }
            None => found.push((line.clone(), Some(rest))),
        }
    }
    found.into_iter().map(|(line, _)| line).collect()
}

fn title(lang: Lang, d: &Diagnosis) -> String {
    let storeys: Vec<String> = d.stack.iter().map(storey).collect();
    let under = if storeys.is_empty() { say!(lang, "doctor-stack-unknown") } else { storeys.join(" > ") };
    format!("{}: {under}", d.target)
}

fn storey(s: &LayerRow) -> String {
    let about: Vec<String> =
        [Some(s.kind.clone()), s.size.map(bytes), s.model.clone()].into_iter().flatten().collect();
    format!("{} ({})", s.name, about.join(", "))
}

fn summary(lang: Lang, d: &Diagnosis) -> String {
    let of = |severity| {
        let n = d.count(severity);
        let said = match severity {
            Severity::Spoils => say!(lang, "doctor-count-critical", n),
            Severity::Matters => say!(lang, "doctor-count-warning", n),
            Severity::Note => say!(lang, "doctor-count-note", n),
            Severity::Fine => say!(lang, "doctor-count-ok", n),
        };
        (n > 0).then_some(said)
    };
    let counts = [Severity::Spoils, Severity::Matters, Severity::Note, Severity::Fine].map(of);
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn heading(lang: Lang, topic: Topic) -> &'static str {
    match topic {
        Topic::Alignment => word!(lang, "doctor-heading-alignment"),
        Topic::Ground => word!(lang, "doctor-heading-target"),
        Topic::Queue => word!(lang, "doctor-heading-queues"),
        Topic::BlockSize => word!(lang, "doctor-heading-block-size"),
        Topic::Device => word!(lang, "doctor-heading-device"),
        Topic::Network => word!(lang, "doctor-heading-network"),
        Topic::Load => word!(lang, "doctor-heading-load"),
        Topic::Limits => word!(lang, "doctor-heading-limits"),
        Topic::Host => word!(lang, "doctor-heading-host"),
    }
}

fn entry(lang: Lang, line: &Line, width: usize) -> Vec<String> {
    let mark = match line.severity {
        Severity::Fine => word!(lang, "doctor-mark-ok"),
        Severity::Note => word!(lang, "doctor-mark-note"),
        Severity::Matters => word!(lang, "doctor-mark-warning"),
        Severity::Spoils => word!(lang, "doctor-mark-critical"),
    };
    let said = words::of(lang, line);
    let mut lines = fill(&left(&format!("  {mark}"), INDENT), &said.fact, width);
    // A fact with severity `Fine` has no advice.
    if line.severity != Severity::Fine {
        let (why, act) = (word!(lang, "doctor-label-why"), word!(lang, "doctor-label-do"));
        let wide = columns(why).max(columns(act)) + 1;
        for (label, text) in [(why, said.why), (act, said.act)] {
            if !text.is_empty() {
                lines.extend(fill(&format!("{:INDENT$}{}", "", left(label, wide)), &text, width));
            }
        }
    }
    lines
}
