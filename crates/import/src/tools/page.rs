//! Text with results of other tools, cleaned from what terminals, mails and web pages add, line by line.

use super::decoration;
use std::borrow::Cow;

/// Longest line that is looked at, bytes; longer lines hold no result.
const LONGEST_LINE: usize = 64 << 10;

/// Line of a file after cleaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PageLine {
    /// Number of the line in the file, from 1.
    pub number: usize,
    /// Text without colours, quote marks and line ends.
    pub text: String,
}

/// File of lines.
#[derive(Debug)]
pub(crate) struct TextPage {
    /// Path as given.
    pub file: String,
    /// Lines in the order of the file; a line with carriage returns is several.
    pub lines: Vec<PageLine>,
}

impl TextPage {
    /// Returns the page of a file's bytes: UTF-8, or UTF-16 with a byte order mark.
    pub fn new(file: &str, bytes: &[u8]) -> Self {
        let text = decode(bytes);
        let mut lines = Vec::new();
        for (number, line) in decoration::source_lines(&text) {
            let line = if line.len() > LONGEST_LINE { "" } else { line.as_str() };
            // A carriage return starts the line anew (progress); the last one belongs to the line end of Windows.
            for part in line.trim_end_matches('\r').split('\r') {
                lines.push(PageLine { number, text: clean(part) });
            }
        }
        decoration::removed(&mut lines);
        TextPage { file: file.to_owned(), lines }
    }

    /// Returns the text of a line; empty beyond the end.
    pub fn at(&self, index: usize) -> &str {
        self.lines.get(index).map_or("", |line| line.text.as_str())
    }

    /// Returns all lines as one text, for formats that do not go by lines.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Returns the numbers of the first and last line of a range of indexes.
    pub fn numbers(&self, first: usize, last: usize) -> [usize; 2] {
        [first, last].map(|index| self.lines.get(index).map_or(0, |line| line.number))
    }
}

fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |rest: &[u8], order: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes).into(),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    }
}

/// Returns a line without terminal colours, HTML, quote marks and typographic characters.
fn clean(line: &str) -> String {
    let line = without_escapes(line);
    let line = without_html(&line);
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{a0}' | '\u{202f}' | '\u{2007}' | '\u{3000}' | '\u{2009}' => text.push(' '),
            '，' => text.push_str(", "),
            '：' => text.push(':'),
            '（' => text.push('('),
            '）' => text.push(')'),
            '\u{b5}' | '\u{3bc}' => text.push('u'),
            '×' => text.push('x'),
            '\u{2013}' | '\u{2212}' => text.push('-'),
            '\u{201c}' | '\u{201d}' => text.push('"'),
            '\u{2018}' | '\u{2019}' => text.push('\''),
            '\u{200b}' | '\u{feff}' => {}
            c if c.is_control() && c != '\t' => {}
            c => text.push(c),
        }
    }
    let mut rest = text.as_str();
    // Quote marks of mails, also nested. A result never starts with ">" itself, except winsat's.
    while let Some(inner) =
        rest.strip_prefix("> ").or_else(|| rest.strip_prefix('>').filter(|r| r.is_empty()))
    {
        rest = inner;
    }
    rest.trim_end().to_owned()
}

fn without_escapes(line: &str) -> Cow<'_, str> {
    if !line.contains('\u{1b}') {
        return line.into();
    }
    let mut text = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            text.push(c);
        } else if chars.next() == Some('[') {
            // A control sequence ends with a letter.
            for c in chars.by_ref() {
                if ('@'..='~').contains(&c) {
                    break;
                }
            }
        }
    }
    text.into()
}

/// Returns a line without HTML tags and with entities as characters. A lone "<" stays: tools print it.
fn without_html(line: &str) -> Cow<'_, str> {
    if !line.contains(['&', '<']) {
        return line.into();
    }
    const TAGS: [&str; 31] = [
        "table", "/table", "th", "/th", "tbody", "/tbody", "/tr", "h1", "h2", "h3", "li", "span", "/span",
        "b>", "/b>", "br", "p>", "/p>", "td", "/td", "tr", "/tr", "pre", "/pre", "code", "/code", "i>",
        "/i>", "div", "/div", "a ",
    ];
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let tag = &rest[at + 1..];
        let end =
            tag.find('>').filter(|_| TAGS.iter().any(|name| tag.starts_with(name)) || tag.starts_with("/a>"));
        match end {
            Some(end) => {
                if tag.starts_with("/td") {
                    text.push(' ');
                }
                rest = &tag[end + 1..];
            }
            None => {
                text.push('<');
                rest = tag;
            }
        }
    }
    text.push_str(rest);
    if !text.contains('&') {
        return text.into();
    }
    // "&amp;" last: "&amp;lt;" is "&lt;" that somebody wrote about.
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(text, |text, (name, c)| text.replace(name, c)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_text_is_cleaned_line_by_line() {
        let text =
            "\u{1b}[32ma\u{1b}[0m b\r\n> > c &lt;d&gt;\nx<span class=n>1</span>\u{a0}\u{3bc}s\none\rtwo\r\n";
        let page = TextPage::new("f", text.as_bytes());
        let seen: Vec<(usize, &str)> = page.lines.iter().map(|l| (l.number, l.text.as_str())).collect();
        assert_eq!(seen, [(1, "a b"), (2, "c <d>"), (3, "x1 us"), (4, "one"), (4, "two"), (5, "")]);
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain("ab\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(TextPage::new("f", &wide).at(0), "ab");
    }
}
