//! Lines of a file: keys, which begin with an apostrophe, and values.

use super::fault::{FieldName, ParseFault, ParseFaultKind};
use std::borrow::Cow;

/// One line that is not empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// Number, counted from 1.
    pub(super) number: usize,
    /// Text without blanks around it; that of a key without its apostrophe.
    pub(super) text: &'t str,
    /// Whether it begins with an apostrophe.
    pub(super) is_key: bool,
}

/// Returns the text of a file. Files of older versions are in the code page of their machine, whose letters beyond ASCII
/// are taken for Latin 1.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
    }
}

/// Returns the lines that are not empty.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let trimmed = text.split('\n').map(str::trim).enumerate();
    let line = trimmed.map(|(at, text)| match text.strip_prefix('\'') {
        Some(key) => Line { number: at + 1, text: key.trim(), is_key: true },
        None => Line { number: at + 1, text, is_key: false },
    });
    line.filter(|line| line.is_key || !line.text.is_empty()).collect()
}

impl Line<'_> {
    /// Returns whether the line is a key that begins with these words, in upper or lower case.
    pub(super) fn begins(&self, words: &str) -> bool {
        self.is_key && self.text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words))
    }

    /// Returns the fault of this line.
    pub(super) fn fault<T>(&self, kind: ParseFaultKind) -> Result<T, ParseFault> {
        Err(ParseFault { line: self.number, kind })
    }

    /// Returns the fields between commas; an error unless their number is one of `numbers`.
    pub(super) fn commas(&self, numbers: &[usize], expected: &'static str) -> Result<Vec<&str>, ParseFault> {
        self.counted(self.text.split(',').map(str::trim).collect(), numbers, expected)
    }

    /// Returns the fields between blanks; an error unless there are `number` of them.
    pub(super) fn blanks(&self, number: usize, expected: &'static str) -> Result<Vec<&str>, ParseFault> {
        self.counted(self.text.split_whitespace().collect(), &[number], expected)
    }

    fn counted<'f>(
        &self,
        fields: Vec<&'f str>,
        numbers: &[usize],
        expected: &'static str,
    ) -> Result<Vec<&'f str>, ParseFault> {
        match numbers.contains(&fields.len()) {
            true => Ok(fields),
            false => self.fault(ParseFaultKind::Fields { found: fields.len(), expected }),
        }
    }

    /// Returns the number in `text`.
    pub(super) fn number(
        &self,
        text: &str,
        field: FieldName,
        (least, most): (u64, u64),
    ) -> Result<u64, ParseFault> {
        match text.parse::<u64>() {
            Ok(n) if (least..=most).contains(&n) => Ok(n),
            _ => self.fault(ParseFaultKind::Number { field, text: text.to_owned(), least, most }),
        }
    }

    /// Returns a number of 32 bits.
    pub(super) fn small(&self, text: &str, field: FieldName, least: u32) -> Result<u32, ParseFault> {
        Ok(self.number(text, field, (least.into(), u32::MAX.into()))? as u32)
    }

    /// Returns the choice whose name is `text`, in upper or lower case.
    pub(super) fn choice<T: Copy>(
        &self,
        text: &str,
        choices: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, ParseFault> {
        match choices.iter().find(|choice| name(**choice).eq_ignore_ascii_case(text)) {
            Some(choice) => Ok(*choice),
            None => {
                let words: Vec<&str> = choices.iter().map(|choice| name(*choice)).collect();
                self.fault(ParseFaultKind::Choice { text: text.to_owned(), words: words.join(", ") })
            }
        }
    }
}
