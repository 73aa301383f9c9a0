//! What a diagnosis says in words: the fact, why it matters, what to do.

mod words;

use crate::scale::bytes;
use crate::{fit, fit_end};
use stats::doctor::{Diagnosis, Line, Severity, Storey, Topic};

/// Lines of at most `width` columns (100 are enough), newline at the end.
pub fn render(d: &Diagnosis, width: usize) -> String {
    let mut lines = fold("", &[title(d)].concat(), width);
    lines.push(summary(d));
    let mut topic = None;
    for line in &alike(&d.lines) {
        if topic != Some(line.topic) {
            topic = Some(line.topic);
            lines.push(String::new());
            lines.push(heading(line.topic).into());
        }
        lines.extend(entry(line, width));
    }
    lines.iter().map(|l| fit(l.trim_end(), width) + "\n").collect()
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

fn title(d: &Diagnosis) -> String {
    let storeys: Vec<String> = d.stack.iter().map(storey).collect();
    let under = if storeys.is_empty() { "nothing that the kernel shows".into() } else { storeys.join(" > ") };
    format!("{}: {under}", d.target)
}

fn storey(s: &Storey) -> String {
    let about: Vec<String> =
        [Some(s.kind.clone()), s.size.map(bytes), s.model.clone()].into_iter().flatten().collect();
    format!("{} ({})", fit_end(&s.name, 40), about.join(", "))
}

fn summary(d: &Diagnosis) -> String {
    let of = |severity, one: &str, many: &str| match d.count(severity) {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let counts = [
        of(Severity::Spoils, "spoils a measurement", "spoil a measurement"),
        of(Severity::Matters, "matters", "matter"),
        of(Severity::Note, "to know", "to know"),
        of(Severity::Fine, "fine", "fine"),
    ];
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn heading(topic: Topic) -> &'static str {
    match topic {
        Topic::Alignment => "alignment",
        Topic::Ground => "raw disk or file",
        Topic::Queue => "processors and queue",
        Topic::BlockSize => "block size",
        Topic::Device => "disk, scheduler, caches",
        Topic::Load => "what else is going on",
        Topic::Limits => "caps",
        Topic::Host => "link and host",
    }
}

fn entry(line: &Line, width: usize) -> Vec<String> {
    let mark = match line.severity {
        Severity::Fine => "  ok       ",
        Severity::Note => "  note     ",
        Severity::Matters => "  MATTERS  ",
        Severity::Spoils => "  SPOILS   ",
    };
    let said = words::of(line);
    let mut lines = fold(mark, &said.fact, width);
    // What is fine asks for nothing.
    if line.severity != Severity::Fine {
        for (label, text) in [("why: ", said.why), ("do:  ", said.act)] {
            if !text.is_empty() {
                lines.extend(fold(&format!("{:11}{label}", ""), &text, width));
            }
        }
    }
    lines
}

/// Words in lines of `width` columns; `label` before the first, blanks before the others.
fn fold(label: &str, text: &str, width: usize) -> Vec<String> {
    let start = label.chars().count();
    let mut lines = vec![label.to_string()];
    let mut used = start;
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let length = word.chars().count();
        if used > start && used + 1 + length > width {
            lines.push(" ".repeat(start));
            used = start;
        }
        if let Some(line) = lines.last_mut() {
            if used > start {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += length;
        }
    }
    lines
}
