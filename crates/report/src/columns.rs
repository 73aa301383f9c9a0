//! Text in columns of a terminal, where a Chinese character takes two, and lines of at most so many of them.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that the text takes.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

fn wide(c: char) -> usize {
    c.width().unwrap_or(1)
}

/// The text, and blanks behind it up to `width` columns.
pub fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text, and blanks before it up to `width` columns.
pub(crate) fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text, with `-` on both sides up to `width` columns.
pub(crate) fn ruled(text: &str, width: usize) -> String {
    let rest = width.saturating_sub(columns(text));
    format!("{}{text}{}", "-".repeat(rest / 2), "-".repeat(rest - rest / 2))
}

/// The text in at most `width` columns, the last of them `…` where something had to go; control characters and
/// others that are not seen are shown escaped.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let clean = stats::plain::line(text).into_owned();
    if columns(&clean) <= width {
        return clean;
    }
    let mut used = 0;
    let keep = |c: &char| {
        used += wide(*c);
        used < width
    };
    let mut cut: String = clean.chars().take_while(keep).collect();
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// The text in at most `width` columns, the beginning replaced by `…`: the end of a path tells more.
pub(crate) fn fit_end(text: &str, width: usize) -> String {
    let clean = stats::plain::line(text);
    let text = clean.as_ref();
    if columns(text) <= width {
        return text.to_string();
    }
    let mut used = 0;
    let keep = |c: &char| {
        used += wide(*c);
        used < width
    };
    let kept: Vec<char> = text.chars().rev().take_while(keep).collect();
    let dots = (width > 0).then_some('…');
    dots.into_iter().chain(kept.into_iter().rev()).collect()
}

/// The text in pieces between which a line may end, each with whether a blank stands before it: words, and of Chinese,
/// which has no blanks, characters with the punctuation that may not be parted from them.
pub(crate) fn pieces(text: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    for (n, word) in text.split(' ').enumerate() {
        let mut start = 0;
        let mut before: Option<char> = None;
        for (at, c) in word.char_indices() {
            if before.is_some_and(|before| parts(before, c)) {
                found.push((n > 0 && start == 0, &word[start..at]));
                start = at;
            }
            before = Some(c);
        }
        found.push((n > 0 && start == 0, &word[start..]));
    }
    found
}

/// Whether a line may end between the two, which stand side by side.
fn parts(before: char, after: char) -> bool {
    const CLOSES: &str = "，。；：、？！）】》”’…%)],.;:";
    const OPENS: &str = "（【《“‘([";
    (wide(before) == 2 || wide(after) == 2) && !CLOSES.contains(after) && !OPENS.contains(before)
}

/// The text in lines of `width` columns, broken between words; `label` before the first, blanks before the others.
pub(crate) fn fill(label: &str, text: &str, width: usize) -> Vec<String> {
    let start = columns(label);
    let mut lines: Vec<String> = vec![label.to_owned()];
    for (blank, piece) in pieces(text) {
        let Some(line) = lines.last_mut() else { continue };
        let used = columns(line);
        if used > start && used + usize::from(blank) + columns(piece) > width {
            lines.push(format!("{:start$}{piece}", ""));
        } else {
            if used > start && blank {
                line.push(' ');
            }
            line.push_str(piece);
        }
    }
    lines
}

/// Parts joined by `; ` in lines of `width` columns, broken between parts; `label` before the first line, blanks
/// before the others.
pub(crate) fn wrap(label: &str, parts: &[String], width: usize) -> Vec<String> {
    let start = columns(label);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for part in parts.iter().flat_map(|p| p.split("; ")) {
        if !line.is_empty() && start + columns(&line) + 2 + columns(part) > width {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chinese_character_takes_two_columns() {
        assert_eq!([columns("iodepth"), columns("队列深度"), columns("глубина")], [7, 8, 7]);
        assert_eq!(
            (left("延迟", 6), right("延迟", 6), ruled("读", 6)),
            ("延迟  ".into(), "  延迟".into(), "--读--".into())
        );
        assert_eq!(fit("队列深度", 8), "队列深度");
        assert_eq!(fit("队列深度", 7), "队列深…");
        assert_eq!(fit("队列深度", 6), "队列…");
        assert_eq!(fit_end("队列深度", 6), "…深度");
        assert_eq!(
            [fit("abc", 0), fit("abc", 1), fit_end("abc", 1), fit("a\u{1b}c", 3)],
            ["", "…", "…", "a?c"]
        );
        for width in 0..20 {
            for text in ["队列深度 iodepth=32，延迟", "plain words"] {
                assert!(columns(&fit(text, width)) <= width && columns(&fit_end(text, width)) <= width);
            }
        }
    }

    #[test]
    fn chinese_is_broken_between_characters_but_not_before_a_comma() {
        let text = "页缓存提供了 99 % 的数据，这是内存";
        for width in 14..40 {
            let lines = fill("M1 ", text, width);
            assert!(lines.iter().all(|l| columns(l) <= width), "{width}: {lines:?}");
            assert!(lines.iter().all(|l| !l.trim_start().starts_with('，')), "{lines:?}");
            // Nothing is lost and nothing is added but the indentation.
            let joined: String = lines.iter().map(|l| l[3..].replace(' ', "")).collect();
            assert_eq!(joined, text.replace(' ', ""));
        }
        assert_eq!(fill("a ", "one two three", 9), ["a one two", "  three"]);
    }
}
