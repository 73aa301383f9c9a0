//! What a diagnosis says in words: the fact, why it matters, what to do.

mod words;

use crate::catalog::{say, word};
use crate::scale::bytes;
use crate::{Lang, fill, lay, prose_width};
use stats::doctor::{Diagnosis, LayerRow, Line, Severity, Topic};

/// Lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
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

/// The same as data: one JSON document, newline at the end.
pub fn json(d: &Diagnosis) -> String {
    let mut text = serde_json::to_string_pretty(d).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

/// The disks of an array say mostly the same: lines that differ only in the device become one with all names, in the
/// place of the first.
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
    let under = if storeys.is_empty() { say!(lang, "doctor-title") } else { storeys.join(" > ") };
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
            Severity::Spoils if n == 1 => {
                say!(lang, "doctor-spoils-spoils-measurement", n)
            }
            Severity::Spoils => {
                say!(lang, "doctor-spoils-spoil-measurement", n)
            }
            Severity::Matters if n == 1 => {
                say!(lang, "doctor-matters-matters", n)
            }
            Severity::Matters => say!(lang, "doctor-matters-matter", n),
            Severity::Note => say!(lang, "doctor-note", n),
            Severity::Fine => say!(lang, "doctor-fine", n),
        };
        (n > 0).then_some(said)
    };
    let counts = [Severity::Spoils, Severity::Matters, Severity::Note, Severity::Fine].map(of);
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn heading(lang: Lang, topic: Topic) -> &'static str {
    match topic {
        Topic::Alignment => word!(lang, "doctor-alignment"),
        Topic::Ground => {
            word!(lang, "doctor-ground")
        }
        Topic::Queue => {
            word!(lang, "doctor-queue")
        }
        Topic::BlockSize => word!(lang, "doctor-block-size"),
        Topic::Device => {
            word!(lang, "doctor-device")
        }
        Topic::Load => {
            word!(lang, "doctor-load")
        }
        Topic::Limits => word!(lang, "doctor-limits"),
        Topic::Host => word!(lang, "doctor-host"),
    }
}

fn entry(lang: Lang, line: &Line, width: usize) -> Vec<String> {
    let mark = match line.severity {
        Severity::Fine => word!(lang, "doctor-entry-fine"),
        Severity::Note => word!(lang, "doctor-entry-note"),
        Severity::Matters => word!(lang, "doctor-matters"),
        Severity::Spoils => word!(lang, "doctor-spoils-spoils"),
    };
    let said = words::of(lang, line);
    let mut lines = fill(mark, &said.fact, width);
    // What is fine asks for nothing.
    if line.severity != Severity::Fine {
        let why = word!(lang, "doctor-spoils-why");
        let act = word!(lang, "doctor-spoils-do");
        for (label, text) in [(why, said.why), (act, said.act)] {
            if !text.is_empty() {
                lines.extend(fill(&format!("{:11}{label}", ""), &text, width));
            }
        }
    }
    lines
}
