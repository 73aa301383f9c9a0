//! Numbers as fio reads and fathom prints them: sizes with binary or decimal suffixes, times with units.
//!
//! As in fio, a fraction and all text after it are ignored (`1.5m` is 1), hexadecimal numbers take no suffix, and text
//! after a number is not examined (`4k4` is 4096). [`Number::rest`] holds the text that was not examined, so that the
//! parser can report it.

use serde::{Deserialize, Serialize};
use stats::unit::{MICROSECOND, MILLISECOND, SECOND};

/// Largest block in bytes: the kernel transfers no more in one system call (`MAX_RW_COUNT`).
pub const LARGEST_BLOCK: i64 = 0x7fff_f000;

/// Size of a file, region or transfer as typed: bytes, or a share of the file or device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Size {
    /// Number of bytes.
    Bytes(u64),
    /// Percentage (1 to 100) of the size of the file or device.
    Percent(u8),
}

/// A number, and the text after it that was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<'a> {
    /// Value of the number after its suffix was applied.
    pub value: i64,
    /// Text after the number that was not examined.
    pub rest: &'a str,
}

/// Reason why a text is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum NotANumber {
    /// The text does not begin with a digit.
    NoDigits,
    /// The number is larger than 2^63 - 1.
    TooLarge,
}

/// Size suffixes: name, exponent, and whether the name has the binary spelling (`kib`), which is decimal for `kb_base`
/// 1024.
const POWERS: [(&str, u32, bool); 20] = [
    ("kib", 1, true),
    ("mib", 2, true),
    ("gib", 3, true),
    ("tib", 4, true),
    ("pib", 5, true),
    ("kb", 1, false),
    ("mb", 2, false),
    ("gb", 3, false),
    ("tb", 4, false),
    ("pb", 5, false),
    ("ki", 1, false),
    ("mi", 2, false),
    ("gi", 3, false),
    ("ti", 4, false),
    ("pi", 5, false),
    ("k", 1, false),
    ("m", 2, false),
    ("g", 3, false),
    ("t", 4, false),
    ("p", 5, false),
];

/// Units of time in nanoseconds; longer names precede their prefixes.
const TIMES: [(&str, u64); 10] = [
    ("msec", MILLISECOND),
    ("usec", MICROSECOND),
    ("nsec", 1),
    ("sec", SECOND),
    ("ms", MILLISECOND),
    ("us", MICROSECOND),
    ("ns", 1),
    ("d", 86_400 * SECOND),
    ("h", 3_600 * SECOND),
    ("s", SECOND),
];

/// Reads the digits at the start of `text` (after blanks and a sign). Returns the value, the text after the digits, and
/// whether a suffix may follow.
fn digits(text: &str) -> Result<(i64, &str, bool), NotANumber> {
    let text = text.trim_start();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, text, suffix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => (16, hex, false),
        None => (10, text, true),
    };
    let end = text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let value = match number {
        "" if radix == 16 => 0,
        "" => return Err(NotANumber::NoDigits),
        _ => i64::from_str_radix(number, radix).map_err(|_| NotANumber::TooLarge)?,
    };
    Ok((if negative { -value } else { value }, rest, suffix && !rest.starts_with('.')))
}

fn starts(text: &str, name: &str) -> bool {
    text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
}

/// Returns a number of 0 or more with its unit; `None` if it is not one, or something follows it.
pub fn whole(text: &str, base: u32) -> Option<u64> {
    let number = integer(text, base).ok().filter(|number| number.rest.is_empty())?;
    u64::try_from(number.value).ok()
}

/// Reads an integer with an optional size suffix. With `kb_base` 1024, `k` and `kb` are 1024 and `kib` is 1000 (as in
/// fio, where the names are inverted); with 1000 the two are exchanged.
///
/// # Errors
/// No digits, or a value beyond 2^63 - 1.
pub fn integer(text: &str, kb_base: u32) -> Result<Number<'_>, NotANumber> {
    let (value, rest, suffix) = digits(text)?;
    let Some((name, power, inverted)) =
        POWERS.iter().filter(|_| suffix).find(|(name, ..)| starts(rest, name))
    else {
        return Ok(Number { value, rest });
    };
    let base: i64 = if (kb_base == 1000) == *inverted { 1024 } else { 1000 };
    let value = value.checked_mul(base.pow(*power)).ok_or(NotANumber::TooLarge)?;
    Ok(Number { value, rest: &rest[name.len()..] })
}

/// Reads a time in nanoseconds; a number without a unit counts in units of `default` nanoseconds.
///
/// # Errors
/// No digits, or a value beyond 2^63 - 1 ns.
pub fn time(text: &str, default: u64) -> Result<Number<'_>, NotANumber> {
    let (value, rest, suffix) = digits(text)?;
    let minutes = |rest: &str| starts(rest, "m") && !starts(rest, "ms");
    let (unit, length) = match TIMES.iter().filter(|_| suffix).find(|(name, _)| starts(rest, name)) {
        Some((name, unit)) => (*unit, name.len()),
        None if suffix && minutes(rest) => (60 * SECOND, 1),
        None => (default, 0),
    };
    let value = value.checked_mul(unit as i64).ok_or(NotANumber::TooLarge)?;
    Ok(Number { value, rest: &rest[length..] })
}

/// Returns the shortest text that [`integer`] reads as `bytes` with the default `kb_base`.
pub fn size(bytes: u64) -> String {
    let units = [(40, 't'), (30, 'g'), (20, 'm'), (10, 'k')];
    match units.iter().find(|(shift, _)| bytes > 0 && bytes.trailing_zeros() >= *shift) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => bytes.to_string(),
    }
}

/// Returns the shortest text that [`time`] reads as `nanos` nanoseconds.
pub fn duration(nanos: u64) -> String {
    let units = [(SECOND, "s"), (MILLISECOND, "ms"), (MICROSECOND, "us")];
    match units.iter().find(|(unit, _)| nanos.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{}{name}", nanos / unit),
        None => format!("{nanos}ns"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Integers are read as fio 3.33 was observed to read them.
    #[test]
    fn integers_are_read_as_fio_reads_them() {
        let seen = [
            ("1.5", 1),
            ("1.5k", 1),
            ("0x10", 16),
            ("0x1k", 1),
            ("1kb", 1024),
            ("1kib", 1000),
            ("1ki", 1024),
            ("1K", 1024),
            ("4k4", 4096),
            ("010", 10),
            ("1 0", 1),
            (" 7", 7),
            ("1e3", 1),
            ("7x", 7),
            ("1kk", 1024),
            ("1.k", 1),
            ("0x", 0),
            ("5s", 5),
            ("2KB", 2048),
            ("2kIb", 2000),
            ("2 k", 2),
            ("0xfk", 15),
            ("7b", 7),
        ];
        for (text, value) in seen {
            assert_eq!(integer(text, 1024).map(|n| n.value), Ok(value), "{text}");
        }
        assert_eq!(integer("1kib", 1000).map(|n| n.value), Ok(1024));
        assert_eq!(integer("1k", 1000).map(|n| n.value), Ok(1000));
        for text in ["", "abc", ".", "-", "k"] {
            assert_eq!(integer(text, 1024), Err(NotANumber::NoDigits), "{text:?}");
        }
        for text in ["9223372036854775808", "18446744073709551616", "99999999999999t"] {
            assert_eq!(integer(text, 1024), Err(NotANumber::TooLarge), "{text}");
        }
    }

    #[test]
    fn times_are_read_as_fio_reads_them() {
        for (text, value) in [
            ("1.5", SECOND),
            ("1.5m", SECOND),
            ("0.3s", 0),
            ("2m", 120 * SECOND),
            ("1500ms", 1_500 * MILLISECOND),
            ("3us", 3 * MICROSECOND),
            ("1D", 86_400 * SECOND),
            ("10sec", 10 * SECOND),
            ("7", 7 * SECOND),
        ] {
            assert_eq!(time(text, SECOND).map(|n| n.value as u64), Ok(value), "{text}");
        }
        assert_eq!(time("7", MICROSECOND).map(|n| n.value), Ok(7_000));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(n in 0..=i64::MAX as u64, shift in 0u32..63) {
            let n = n >> shift << (shift / 2);
            let (bytes, nanos) = (size(n & i64::MAX as u64), duration(n & i64::MAX as u64));
            prop_assert_eq!(integer(&bytes, 1024).map(|x| (x.value as u64, x.rest)), Ok((n & i64::MAX as u64, "")));
            prop_assert_eq!(time(&nanos, SECOND).map(|x| (x.value as u64, x.rest)), Ok((n & i64::MAX as u64, "")));
        }

        #[test]
        fn no_text_panics(text in "\\PC*", base in prop::sample::select(vec![1000u32, 1024])) {
            let _ = (integer(&text, base), time(&text, SECOND));
        }
    }
}
