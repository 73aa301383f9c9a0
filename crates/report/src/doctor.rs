//! What a diagnosis says in words: the fact, why it matters, what to do.

mod words;

use crate::lang::{say, word};
use crate::scale::bytes;
use crate::{Lang, fill, lay, prose_width};
use stats::doctor::{Diagnosis, Line, Severity, Storey, Topic};

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
    let under = if storeys.is_empty() {
        say!(lang; "nothing that the kernel shows", "内核没有显示任何东西", "ядро ничего не показывает", "nichts, was der Kernel zeigt")
    } else {
        storeys.join(" > ")
    };
    format!("{}: {under}", d.target)
}

fn storey(s: &Storey) -> String {
    let about: Vec<String> =
        [Some(s.kind.clone()), s.size.map(bytes), s.model.clone()].into_iter().flatten().collect();
    format!("{} ({})", s.name, about.join(", "))
}

fn summary(lang: Lang, d: &Diagnosis) -> String {
    let of = |severity| {
        let n = d.count(severity);
        let said = match severity {
            Severity::Spoils if n == 1 => {
                say!(lang; "{n} spoils a measurement", "{n} 项会毁掉测量", "портят измерение: {n}", "{n} verdirbt eine Messung")
            }
            Severity::Spoils => {
                say!(lang; "{n} spoil a measurement", "{n} 项会毁掉测量", "портят измерение: {n}", "{n} verderben eine Messung")
            }
            Severity::Matters if n == 1 => {
                say!(lang; "{n} matters", "{n} 项有影响", "важно: {n}", "{n} ist wichtig")
            }
            Severity::Matters => say!(lang; "{n} matter", "{n} 项有影响", "важно: {n}", "{n} sind wichtig"),
            Severity::Note => say!(lang; "{n} to know", "{n} 项须知", "к сведению: {n}", "{n} zur Kenntnis"),
            Severity::Fine => say!(lang; "{n} fine", "{n} 项正常", "в порядке: {n}", "{n} in Ordnung"),
        };
        (n > 0).then_some(said)
    };
    let counts = [Severity::Spoils, Severity::Matters, Severity::Note, Severity::Fine].map(of);
    counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn heading(lang: Lang, topic: Topic) -> &'static str {
    match topic {
        Topic::Alignment => word!(lang; "alignment", "对齐", "выравнивание", "Ausrichtung"),
        Topic::Ground => {
            word!(lang; "raw disk or file", "裸盘或文件", "диск или файл", "Gerät selbst oder Datei")
        }
        Topic::Queue => {
            word!(lang; "processors and queue", "处理器与队列", "процессоры и очередь", "Prozessoren und Warteschlange")
        }
        Topic::BlockSize => word!(lang; "block size", "块大小", "размер блока", "Blockgröße"),
        Topic::Device => {
            word!(lang; "disk, scheduler, caches", "磁盘、调度器、缓存", "диск, планировщик, кэши", "Platte, I/O-Planer, Puffer")
        }
        Topic::Load => {
            word!(lang; "what else is going on", "此外正在发生的事", "что ещё происходит", "was sonst noch läuft")
        }
        Topic::Limits => word!(lang; "caps", "限速", "ограничения", "Grenzen"),
        Topic::Host => word!(lang; "link and host", "链路与主机", "канал и машина", "Verbindung und Rechner"),
    }
}

fn entry(lang: Lang, line: &Line, width: usize) -> Vec<String> {
    let mark = match line.severity {
        Severity::Fine => word!(lang; "  ok       ", "  正常     ", "  норма    ", "  gut      "),
        Severity::Note => word!(lang; "  note     ", "  注意     ", "  заметка  ", "  Hinweis  "),
        Severity::Matters => word!(lang; "  MATTERS  ", "  重要     ", "  ВАЖНО    ", "  WICHTIG  "),
        Severity::Spoils => word!(lang; "  SPOILS   ", "  有害     ", "  ПОРТИТ   ", "  VERDIRBT "),
    };
    let said = words::of(lang, line);
    let mut lines = fill(mark, &said.fact, width);
    // What is fine asks for nothing.
    if line.severity != Severity::Fine {
        let why = word!(lang; "why: ", "原因：", "почему: ", "warum: ");
        let act = word!(lang; "do:  ", "对策：", "делать: ", "tun:   ");
        for (label, text) in [(why, said.why), (act, said.act)] {
            if !text.is_empty() {
                lines.extend(fill(&format!("{:11}{label}", ""), &text, width));
            }
        }
    }
    lines
}
