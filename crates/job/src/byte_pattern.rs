//! Byte patterns in fio's syntax: `"text"`, `0xHEX`, numbers and `'file'`, concatenated without separators; in patterns for
//! verification also `%o`, the offset of the block.

use crate::bad_value::{BadValue, PatternFault};
use crate::files::Files;
use crate::inspect::path_fault;
use std::path::Path;

/// Largest number of bytes of a pattern, as in fio.
pub const MOST: usize = 512;

/// Byte pattern with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytePattern {
    /// Pattern as typed.
    pub text: String,
    /// Bytes of the pattern: 1 to [`MOST`].
    pub bytes: Vec<u8>,
    /// Positions in `bytes` of the eight bytes that `%o` stands for.
    pub offsets: Vec<usize>,
}

/// Reads a byte pattern; `%o` is part of the syntax if `with_offsets` is set.
///
/// # Errors
/// The text is not a byte pattern, the pattern is too long, or a file cannot be read.
pub fn read(text: &str, with_offsets: bool, files: &mut dyn Files) -> Result<BytePattern, BadValue> {
    let (mut bytes, mut offsets) = (Vec::new(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("%o").filter(|_| with_offsets) {
            if bytes.len() + 8 > MOST {
                return Err(BadValue::Pattern(PatternFault::TooLong { most: MOST }));
            }
            offsets.push(bytes.len());
            bytes.extend_from_slice(&[0; 8]);
            rest = after;
            continue;
        }
        rest = part(rest, &mut bytes, files).map_err(BadValue::Pattern)?;
    }
    if bytes.is_empty() {
        return Err(BadValue::Pattern(PatternFault::Empty));
    }
    Ok(BytePattern { text: text.to_owned(), bytes, offsets })
}

/// Appends the bytes of the first part of `text` to `bytes`, and returns the text after that part.
fn part<'t>(text: &'t str, bytes: &mut Vec<u8>, files: &mut dyn Files) -> Result<&'t str, PatternFault> {
    let quoted = |mark: char| -> Option<Result<(&'t str, &'t str), PatternFault>> {
        let inner = text.strip_prefix(mark)?;
        Some(inner.split_once(mark).ok_or(PatternFault::Unclosed(mark)))
    };
    let room = MOST - bytes.len();
    let fits = |n: usize| if n > room { Err(PatternFault::TooLong { most: MOST }) } else { Ok(()) };
    if let Some(string) = quoted('"') {
        let (inner, rest) = string?;
        fits(inner.len())?;
        bytes.extend_from_slice(inner.as_bytes());
        return Ok(rest);
    }
    if let Some(file) = quoted('\'') {
        let (name, rest) = file?;
        // Only as many bytes as still fit.
        let head = files
            .head(Path::new(name), room)
            .map_err(|error| PatternFault::File { path: name.to_owned(), fault: path_fault(&error) })?;
        bytes.extend_from_slice(&head);
        return Ok(rest);
    }
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let end = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        if end == 0 {
            return Err(PatternFault::NoHexDigits);
        }
        fits(end.div_ceil(2))?;
        // With an odd number of digits, the first byte has a single digit.
        let (digits, rest) = hex.split_at(end);
        let nibble = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
        let digits = digits.as_bytes();
        let (alone, pairs) = digits.split_at(digits.len() % 2);
        bytes.extend(alone.iter().map(|c| nibble(*c)));
        bytes.extend(pairs.chunks_exact(2).map(|pair| nibble(pair[0]) << 4 | nibble(pair[1])));
        return Ok(rest);
    }
    number(text).and_then(|(number, rest)| {
        let all = number.to_le_bytes();
        // As many bytes as the number needs, lowest first: -1 needs all four.
        let needed = all.iter().rposition(|b| *b != 0).map_or(1, |last| last + 1);
        fits(needed)?;
        bytes.extend_from_slice(&all[..needed]);
        Ok(rest)
    })
}

/// Reads a signed decimal number of 32 bits after optional blanks; returns the number and the text after it.
fn number(text: &str) -> Result<(i32, &str), PatternFault> {
    let start = text.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let unsigned = start.strip_prefix(['-', '+']).unwrap_or(start);
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    // `-120xdeadface` is -12 and 0xdeadface.
    let hex = unsigned[digits..].starts_with(['x', 'X']) && unsigned[..digits].ends_with('0');
    let digits = if hex { digits - 1 } else { digits };
    let end = start.len() - unsigned.len() + digits;
    if digits == 0 {
        return Err(PatternFault::NotAPattern { text: text.to_owned() });
    }
    let (number, rest) = start.split_at(end);
    let value = number.parse().map_err(|_| PatternFault::NumberTooLarge { text: number.to_owned() })?;
    Ok((value, rest))
}
