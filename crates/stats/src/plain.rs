//! Escaping of text from files and names: characters that control a terminal, or reorder or hide text, are replaced
//! by escape sequences.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns whether a character is escaped: control characters (C0, DEL, C1), line and paragraph separators, marks
/// that change the direction of text, and invisible format characters.
pub fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the text as one line, with hidden characters including line breaks escaped as `\n`, `\x1b` or `\u{202e}`.
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// Returns the text with line breaks and tabs unchanged and all other hidden characters escaped as in [`line()`].
pub fn lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| matches!(c, '\n' | '\t'))
}

/// Returns a JSON document with hidden characters as JSON escapes, which does not change its meaning.
pub fn json(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |c| matches!(c, '\n' | '\t'),
        |out, c| {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        },
    )
}

/// Returns a JSON document whose parsed strings have hidden non-ASCII characters escaped as in [`line()`], for
/// documents whose strings are displayed.
pub fn json_shown(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |c| c.is_ascii(),
        |out, c| {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\\\u{{{:x}}}", u32::from(c));
        },
    )
}

fn shown(text: &str, keep: fn(char) -> bool) -> Cow<'_, str> {
    escaped(text, keep, |out, c| {
        // Writing to a string cannot fail.
        let _ = match c {
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            c if c.is_ascii() => write!(out, "\\x{:02x}", u32::from(c)),
            c => write!(out, "\\u{{{:x}}}", u32::from(c)),
        };
    })
}

fn escaped(text: &str, keep: fn(char) -> bool, put: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.chars().any(|c| hidden(c) && !keep(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) && !keep(c) { put(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_all_other_text_is_kept() {
        assert!(matches!(line("naïve 日本語 Привет /a b\\c 🙂"), Cow::Borrowed(_)));
        assert_eq!(
            line("a\x1b[2J\n\t\r\x07\x7f\u{9b}\u{202e}\u{e0041}"),
            "a\\x1b[2J\\n\\t\\r\\x07\\x7f\\u{9b}\\u{202e}\\u{e0041}"
        );
        assert_eq!(lines("a\n\tb\rc\u{2028}"), "a\n\tb\\rc\\u{2028}");
        assert_eq!(json_shown("[\"\u{202e}\"]"), r#"["\\u{202e}"]"#);
        assert_eq!(
            json("{\n\"a\": \"\u{202e}\u{7f}\u{e0041}\"}"),
            "{\n\"a\": \"\\u202e\\u007f\\udb40\\udc41\"}"
        );
    }
}
