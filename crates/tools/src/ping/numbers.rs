//! Numbers of ioping's command line: a value, as strtold(3) reads it, and a suffix.

use std::fmt;

/// Kind of a number, which decides its suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bytes.
    Size,
    /// Nanoseconds; without a suffix, seconds.
    Time,
    /// Plain number.
    Count,
}

/// Reason why a number is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// The text behind the number is no suffix of its kind.
    Suffix(String),
    /// The number is negative or does not fit 63 bits.
    Overflow(String),
}

impl fmt::Display for NumberFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (NumberFault::Suffix(text) | NumberFault::Overflow(text)) = self;
        f.write_str(text)
    }
}

const SIZES: [(&str, f64); 16] = [
    ("", 1.0),
    ("b", 1.0),
    ("sector", 512.0),
    ("kib", 1024.0),
    ("k", 1024.0),
    ("kb", 1024.0),
    ("page", 4096.0),
    ("m", 1048576.0),
    ("mb", 1048576.0),
    ("mib", 1048576.0),
    ("g", 1073741824.0),
    ("gb", 1073741824.0),
    ("gib", 1073741824.0),
    ("t", 1099511627776.0),
    ("tb", 1099511627776.0),
    ("tib", 1099511627776.0),
];

const LARGE_SIZES: [(&str, f64); 2] = [("pib", 1125899906842624.0), ("eib", 1152921504606846976.0)];

const TIMES: [(&str, f64); 13] = [
    ("", 1e9),
    ("ns", 1.0),
    ("nsec", 1.0),
    ("us", 1e3),
    ("usec", 1e3),
    ("ms", 1e6),
    ("msec", 1e6),
    ("s", 1e9),
    ("sec", 1e9),
    ("m", 60e9),
    ("min", 60e9),
    ("h", 3600e9),
    ("hour", 3600e9),
];

const COUNTS: [(&str, f64); 7] =
    [("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12), ("p", 1e15), ("e", 1e18)];

/// Reads a number with its suffix.
///
/// # Errors
/// The suffix is unknown, or the number is negative or too large.
pub fn parse(text: &str, kind: Kind) -> Result<u64, NumberFault> {
    let (value, rest) = leading_number(text);
    let suffix = rest.to_ascii_lowercase();
    let table: Vec<(&str, f64)> = match kind {
        Kind::Size => SIZES.into_iter().chain(LARGE_SIZES).collect(),
        Kind::Time => TIMES.to_vec(),
        Kind::Count => COUNTS.to_vec(),
    };
    let Some(&(_, factor)) = table.iter().find(|(name, _)| *name == suffix) else {
        return Err(NumberFault::Suffix(rest.to_owned()));
    };
    let scaled = value * factor;
    // ioping takes what is no number for 0.
    if !scaled.is_nan() && !(0.0..9_223_372_036_854_775_808.0).contains(&scaled) {
        return Err(NumberFault::Overflow(text.to_owned()));
    }
    Ok(scaled as u64)
}

/// Reads a whole number as strtoull(3) with base 0; 0 if there is none.
pub fn seed(text: &str) -> u64 {
    let text = text.trim_start();
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    u64::from_str_radix(&digits[..end], radix).unwrap_or(0)
}

/// Splits `text` into the number at its start (0 if there is none) and the rest.
fn leading_number(text: &str) -> (f64, &str) {
    let start = text.trim_start();
    let unsigned = start.strip_prefix(['+', '-']).unwrap_or(start);
    let sign = if start.starts_with('-') { -1.0 } else { 1.0 };
    let lower = unsigned.to_ascii_lowercase();
    for (word, value) in [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)] {
        if lower.starts_with(word) {
            return (sign * value, &unsigned[word.len()..]);
        }
    }
    if let Some(hex) = lower.strip_prefix("0x") {
        let length = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        if let Ok(value) = u64::from_str_radix(&hex[..length], 16) {
            return (sign * value as f64, &unsigned[2 + length..]);
        }
    }
    // The longest beginning that is a decimal number.
    let candidates = (1..=unsigned.len()).rev().filter(|end| unsigned.is_char_boundary(*end));
    for end in candidates {
        let part = &unsigned[..end];
        let plain = part.bytes().all(|c| c.is_ascii_digit() || b".eE+-".contains(&c));
        if let (true, Ok(value)) = (plain, part.parse::<f64>()) {
            return (sign * value, &unsigned[end..]);
        }
    }
    (0.0, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_ioping_takes() {
        let size = |text: &str| parse(text, Kind::Size);
        let time = |text: &str| parse(text, Kind::Time);
        assert_eq!(size("4k"), Ok(4096));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size("0x1000"), Ok(4096));
        assert_eq!(size("1page"), Ok(4096));
        assert_eq!(size("1TiB"), Ok(1 << 40));
        assert_eq!(size(".5k"), Ok(512));
        assert_eq!(size("4kk"), Err(NumberFault::Suffix("kk".into())));
        assert_eq!(size("x"), Err(NumberFault::Suffix("x".into())));
        assert_eq!(time("1"), Ok(1_000_000_000));
        assert_eq!(time("10us"), Ok(10_000));
        assert_eq!(time("1e1"), Ok(10_000_000_000));
        assert_eq!(time("1MSEC"), Ok(1_000_000));
        assert_eq!(time("-1"), Err(NumberFault::Overflow("-1".into())));
        assert_eq!(time("inf"), Err(NumberFault::Overflow("inf".into())));
        assert_eq!(parse("1.5", Kind::Count), Ok(1));
        assert_eq!(parse("1Gi", Kind::Count), Err(NumberFault::Suffix("Gi".into())));
        assert_eq!((seed("7"), seed("0x10"), seed("010"), seed("x")), (7, 16, 8, 0));
    }
}
