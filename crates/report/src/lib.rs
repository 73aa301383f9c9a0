//! Renderers over the result types of `stats`: text goes out, nothing is measured and no statistic is computed here.
#![forbid(unsafe_code)]

pub mod card;
pub mod chart;
pub mod compare;
pub mod doctor;
pub mod export;
pub mod json;
pub mod lang;
mod layers;
pub mod live;
mod node;
pub mod page;
pub mod points;
pub mod prefill;
pub mod prelude;
pub mod prose;
pub mod quick;
pub mod scale;
pub mod stored;
pub mod study;
pub mod terse;
pub mod text;

pub use lang::Lang;
pub use prelude::{banner, error_line, layout_notice, starting};

/// The text in at most `width` columns, the last of them `…` where something had to go; control characters, which a
/// terminal would obey, become `?`.
fn fit(text: &str, width: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '?' } else { c });
    if text.chars().count() <= width {
        return clean.collect();
    }
    let mut cut: String = clean.take(width.saturating_sub(1)).collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// The text in at most `width` columns, the beginning replaced by `…`: the end of a path tells more.
fn fit_end(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_string();
    }
    std::iter::once('…').chain(text.chars().skip(length + 1 - width.max(1))).take(width).collect()
}

/// The text in lines of `width` columns, broken between words; `label` before the first, blanks before the others.
fn fill(label: &str, text: &str, width: usize) -> Vec<String> {
    let start = label.chars().count();
    let mut lines: Vec<String> = vec![label.to_owned()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line)
                if line.chars().count() > start
                    && line.chars().count() + 1 + word.chars().count() > width =>
            {
                lines.push(format!("{:start$}{word}", ""));
            }
            Some(line) => {
                if line.chars().count() > start {
                    line.push(' ');
                }
                line.push_str(word);
            }
            None => {}
        }
    }
    lines
}

/// Parts joined by `; ` in lines of `width` columns, broken between parts; `label` before the first line, blanks
/// before the others.
fn wrap(label: &str, parts: &[String], width: usize) -> Vec<String> {
    let start = label.chars().count();
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for part in parts.iter().flat_map(|p| p.split("; ")) {
        if !line.is_empty() && start + line.chars().count() + 2 + part.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        } else if !line.is_empty() {
            line.push_str("; ");
        }
        line.push_str(part);
    }
    lines.push(line);
    lines
        .iter()
        .enumerate()
        .map(|(at, l)| if at == 0 { format!("{label}{l}") } else { format!("{:start$}{l}", "") })
        .collect()
}
