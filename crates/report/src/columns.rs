//! Layout of text in the columns of a terminal, where a Chinese character occupies two.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns the number of columns that a text occupies.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

fn wide(c: char) -> usize {
    c.width().unwrap_or(1)
}

/// Returns the text padded with blanks on the right to `width` columns.
pub fn left(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns the text padded with blanks on the left to `width` columns.
pub(crate) fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns the number of columns of the widest of `texts`.
pub(crate) fn widest(texts: &[&str]) -> usize {
    texts.iter().map(|text| columns(text)).max().unwrap_or(0)
}

/// Returns the text padded with `-` on both sides to `width` columns.
pub(crate) fn ruled(text: &str, width: usize) -> String {
    let rest = width.saturating_sub(columns(text));
    format!("{}{text}{}", "-".repeat(rest / 2), "-".repeat(rest - rest / 2))
}

/// Returns the text cut to `width` columns, with `…` in the last column if it was cut; control characters and other
/// invisible characters are escaped.
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

/// Returns the text cut to `width` columns at its beginning, which `…` replaces: of a path the end is more informative.
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

/// Returns the pieces of a text between which a line may be broken, each with whether a blank precedes it: words, and
/// Chinese characters with the punctuation that belongs to them.
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

/// Returns whether a line may be broken between two adjacent characters.
fn parts(before: char, after: char) -> bool {
    const CLOSES: &str = "，。；：、？！）】》”’…%)],.;:";
    const OPENS: &str = "（【《“‘([";
    (wide(before) == 2 || wide(after) == 2) && !CLOSES.contains(after) && !OPENS.contains(before)
}

/// Greatest width of prose in columns; longer lines are hard to read.
pub(crate) const PROSE: usize = 100;
/// Smallest width of a screen that the layout considers.
const NARROWEST: usize = 20;

/// Returns the columns for prose on a screen of `width` columns; `usize::MAX` stands for a file or pipe, which has no
/// width.
pub(crate) fn prose_width(width: usize) -> usize {
    width.clamp(NARROWEST, PROSE)
}

/// Returns the lines as text, without blanks at their ends and with a newline after each; control characters, which a
/// terminal would execute, become `?`.
pub(crate) fn lay(lines: &[String]) -> String {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    lines.iter().flat_map(|line| line.trim_end().chars().map(clean).chain(['\n'])).collect()
}

/// Returns prose in lines of at most `width` columns, newline at the end.
pub fn paragraph(text: &str, width: usize) -> String {
    lay(&fill("", text, prose_width(width)))
}

/// Returns names and their meanings in a table of at most `width` columns, newline at the end.
pub fn definitions(rows: &[(String, String)], width: usize) -> String {
    /// Columns for a name; a wider name has its own line.
    const NAME: usize = 26;
    let width = prose_width(width);
    let one = |(name, meaning): &(String, String)| match columns(name) + 4 {
        wide if wide > NAME => {
            let mut lines = vec![format!("  {name}")];
            lines.extend(fill(&" ".repeat(NAME.min(width / 3)), meaning, width));
            lines
        }
        _ => fill(&left(&format!("  {name}"), NAME), meaning, width),
    };
    lay(&rows.iter().flat_map(one).collect::<Vec<_>>())
}

/// Returns the text in lines of `width` columns, broken between words, with `label` before the first line and blanks
/// before the others, which occupy at most a third of the width. A word that is too wide has its own line.
pub(crate) fn fill(label: &str, text: &str, width: usize) -> Vec<String> {
    let start = columns(label);
    fill_from(label.to_owned(), start, start.min(width / 3), text, width)
}

/// Returns the text in lines of `width` columns, broken between words; the second and later lines are indented.
pub(crate) fn hang(text: &str, width: usize) -> Vec<String> {
    fill_from(String::new(), 0, 4, text, width)
}

fn fill_from(first: String, start: usize, indent: usize, text: &str, width: usize) -> Vec<String> {
    // Columns of the line that hold only its label or blanks.
    let mut empty = start;
    let mut lines: Vec<String> = vec![first];
    for (blank, piece) in pieces(text) {
        let Some(line) = lines.last_mut() else { continue };
        let used = columns(line);
        if used > empty && used + usize::from(blank) + columns(piece) > width {
            lines.push(format!("{:indent$}{piece}", ""));
            empty = indent;
        } else {
            if used > empty && blank {
                line.push(' ');
            }
            line.push_str(piece);
        }
    }
    lines
}

/// Returns parts joined by `; ` in lines of `width` columns, with `label` before the first line and blanks before the
/// others. Lines are broken between parts, and within a part only if it is longer than a line.
pub(crate) fn wrap(label: &str, parts: &[String], width: usize) -> Vec<String> {
    let start = columns(label);
    let indent = start.min(width / 3);
    let mut lines: Vec<String> = vec![label.to_owned()];
    let mut empty = true;
    for part in parts.iter().flat_map(|p| p.split("; ")) {
        let Some(line) = lines.last_mut() else { continue };
        if !empty && columns(line) + 2 + columns(part) <= width {
            line.push_str("; ");
            line.push_str(part);
            continue;
        }
        let (first, from) = match empty {
            true => (std::mem::take(line), start),
            false => (" ".repeat(indent), indent),
        };
        if empty {
            lines.pop();
        }
        lines.extend(fill_from(first, from, indent, part, width));
        empty = false;
    }
    lines
}

/// Layout of a table.
pub(crate) struct Grid<F> {
    /// Number of columns at the left that name a row.
    pub(crate) keys: usize,
    /// Returns whether the cells of a column are aligned to the right.
    pub(crate) to_right: F,
    /// Number of blanks between two columns.
    pub(crate) gap: usize,
}

impl<F: Fn(usize) -> bool> Grid<F> {
    /// Returns the rows in columns as wide as their widest cell. If they need more than `width` columns, long first
    /// cells are shortened; columns that do not fit even then follow in further blocks that begin with the key columns
    /// again.
    pub(crate) fn lines(&self, rows: &[Vec<String>], width: usize) -> Vec<String> {
        /// Smallest width to which a first cell is shortened.
        const NAME: usize = 24;
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &[String], c: usize| row.get(c).cloned().unwrap_or_default();
        let mut widths: Vec<usize> =
            (0..count).map(|c| rows.iter().map(|r| columns(&cell(r, c))).max().unwrap_or(0)).collect();
        let taken =
            |widths: &[usize]| widths.iter().sum::<usize>() + self.gap * widths.len().saturating_sub(1);
        if self.keys > 0 && taken(&widths) > width {
            let beyond = taken(&widths) - width;
            let least = widths[0].min(NAME).min(width / 2);
            // The widest of the other columns has to fit beside the keys.
            let keys = taken(&widths[..self.keys.min(count)]) - widths[0];
            let widest = widths.iter().skip(self.keys).max().map_or(0, |widest| widest + self.gap);
            let most = width.saturating_sub(keys + widest).max(1);
            widths[0] = widths[0].saturating_sub(beyond).max(least).min(most);
        }
        let keys = taken(&widths[..self.keys.min(count)]);
        // Columns of each block beyond the keys.
        let mut blocks: Vec<Vec<usize>> = vec![Vec::new()];
        let mut used = keys;
        for (c, column) in widths.iter().enumerate().take(count).skip(self.keys) {
            let takes = self.gap + column;
            if let Some(block) = blocks.last_mut()
                && (used + takes <= width || block.is_empty())
            {
                block.push(c);
                used += takes;
            } else {
                blocks.push(vec![c]);
                used = keys + takes;
            }
        }
        let padded = |row: &[String], c: usize| {
            let text = fit(&cell(row, c), widths[c]);
            if (self.to_right)(c) { right(&text, widths[c]) } else { left(&text, widths[c]) }
        };
        let between = " ".repeat(self.gap);
        let line = |row: &Vec<String>, block: &[usize]| {
            let shown = (0..self.keys.min(count)).chain(block.iter().copied());
            shown.map(|c| padded(row, c)).collect::<Vec<_>>().join(&between)
        };
        blocks.iter().flat_map(|block| rows.iter().map(move |row| line(row, block))).collect()
    }
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
            [fit("abc", 0), fit("abc", 1), fit_end("abc", 1), fit("a\u{1b}c", 6)],
            ["", "…", "…", "a\\x1bc"]
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

    #[test]
    fn narrow_screens_get_more_lines_and_every_word() {
        let text = "one two three four five six";
        assert_eq!(
            fill("a long label ", text, 18),
            ["a long label one", "      two three", "      four five", "      six"]
        );
        let parts = ["short".to_string(), "a part of more than one line; last".to_string()];
        assert_eq!(
            wrap("x  ", &parts, 16),
            ["x  short", "   a part of", "   more than one", "   line; last"]
        );
        let joined = |lines: Vec<String>| lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        for width in 1..60 {
            let all = "short; a part of more than one line; last";
            assert_eq!(joined(wrap("", &parts, width)).replace(';', ""), all.replace(';', ""), "{width}");
        }
    }

    #[test]
    fn a_table_wider_than_the_screen_goes_on_below_and_loses_nothing() {
        let rows: Vec<Vec<String>> =
            [["", "IOPS", "MB/s", "p99"], ["read", "12.3k", "50.4", "1.30 ms"], ["写", "1", "2", "-"]]
                .map(|row| row.map(String::from).to_vec())
                .to_vec();
        let grid = Grid { keys: 1, to_right: |c| c > 0, gap: 2 };
        assert_eq!(grid.lines(&rows, usize::MAX)[1], "read  12.3k  50.4  1.30 ms");
        assert_eq!(
            grid.lines(&rows, 18),
            [
                "       IOPS  MB/s",
                "read  12.3k  50.4",
                "写        1     2",
                "          p99",
                "read  1.30 ms",
                "写          -"
            ]
        );
        for width in 13..40 {
            let lines = grid.lines(&rows, width);
            assert!(lines.iter().all(|l| columns(l) <= width), "{width}: {lines:?}");
            let all: Vec<&str> = lines.iter().flat_map(|l| l.split_whitespace()).collect();
            assert!(
                rows.iter().flatten().filter(|c| !c.is_empty()).all(|c| all.join(" ").contains(c.as_str())),
                "{width}: {all:?}"
            );
        }
        let long = vec![vec!["a".repeat(90), "1".into()]];
        assert_eq!(columns(&grid.lines(&long, 60)[0]), 60);
        assert_eq!(columns(&grid.lines(&long, usize::MAX)[0]), 93);
    }
}
