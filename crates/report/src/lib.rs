//! Renderers over the result types of `stats`: text goes out, nothing is measured and no statistic is computed here.
#![forbid(unsafe_code)]

pub mod card;
pub mod json;
mod layers;
pub mod live;
mod node;
pub mod prelude;
pub mod quick;
pub mod scale;
pub mod text;

pub use prelude::{banner, error_line, layout_notice, starting};

/// The text in at most `width` columns, the last of them `…` where something had to go.
fn fit(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// Text in lines of `width` columns, broken at blanks; `label` before the first, blanks before the others.
fn wrap(label: &str, text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = label.to_string();
    let start = label.chars().count();
    for word in text.split(' ') {
        let length = line.chars().count();
        if length > start && length + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(start)));
        } else if length > start {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
