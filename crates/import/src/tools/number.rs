//! Numbers as tools print them: decimal marks, grouping, units and the rounding of the last digit.

use stats::audit::PrintedNumber;

/// Factor of the prefixes k, M, G, T.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Base {
    /// 1000.
    Si,
    /// 1024.
    Binary,
}

/// Splits text into a number at its start and the rest. A comma followed by exactly three digits, before another such
/// group or a point, separates thousands; any other comma is a decimal mark.
pub(crate) fn leading(text: &str) -> Option<(PrintedNumber, &str)> {
    leading_with(text, false)
}

/// Like [`leading`], for text where a lone comma separates thousands: `2,024KB` of fio 1.
pub(crate) fn leading_grouped(text: &str) -> Option<(PrintedNumber, &str)> {
    leading_with(text, true)
}

fn leading_with(text: &str, grouped: bool) -> Option<(PrintedNumber, &str)> {
    let text = text.trim_start();
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len()
        && (bytes[end].is_ascii_digit() || (matches!(bytes[end], b'.' | b',') && digit(bytes, end + 1)))
    {
        end += 1;
    }
    if end == 0 || !bytes[0].is_ascii_digit() {
        return None;
    }
    let (digits, mut rest) = (&text[..end], &text[end..]);
    let plain = plain(digits, grouped)?;
    let decimals = plain.split_once('.').map_or(0, |(_, d)| d.len() as i32);
    let mut value: f64 = plain.parse().ok()?;
    let mut half = 0.5 * 10f64.powi(-decimals);
    // An exponent: 9.7376e-05.
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let signed = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        let length = signed.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=3).contains(&length) {
            let sign = exponent.len() - signed.len();
            let power: i32 = exponent[..sign + length].trim_start_matches('+').parse().ok()?;
            value *= 10f64.powi(power);
            half *= 10f64.powi(power);
            rest = &exponent[sign + length..];
        }
    }
    if value.is_finite() && half.is_finite() { Some((PrintedNumber { value, half }, rest)) } else { None }
}

fn digit(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

/// Returns digits with a point as the only mark.
fn plain(digits: &str, grouped: bool) -> Option<String> {
    let marks: Vec<(usize, char)> = digits.char_indices().filter(|(_, c)| !c.is_ascii_digit()).collect();
    let groups = |mark: char| {
        let mut parts = digits.split(mark);
        parts.next().is_some_and(|first| (1..=3).contains(&first.len())) && parts.all(|part| part.len() == 3)
    };
    let (points, commas) =
        (marks.iter().filter(|(_, c)| *c == '.').count(), marks.iter().filter(|(_, c)| *c == ',').count());
    match (points, commas) {
        (0, 0) | (1, 0) => Some(digits.to_owned()),
        (0, 1) if grouped && groups(',') => Some(digits.replace(',', "")),
        (0, 1) => Some(digits.replace(',', ".")),
        (0, _) if groups(',') => Some(digits.replace(',', "")),
        (_, 0) if groups('.') => Some(digits.replace('.', "")),
        // 1,234.5 or 1.234,5: the last mark is the decimal one.
        (1, _) if marks.last()?.1 == '.' => Some(digits.replace(',', "")),
        (_, 1) if marks.last()?.1 == ',' => Some(digits.replace('.', "").replace(',', ".")),
        _ => None,
    }
}

/// Reads a whole text as a number without unit.
pub(crate) fn whole(text: &str) -> Option<PrintedNumber> {
    leading(text).filter(|(_, rest)| rest.trim().is_empty()).map(|(number, _)| number)
}

/// Returns the factor of a prefix letter; 1 for none.
pub(crate) fn prefix(letter: Option<char>, base: Base) -> Option<f64> {
    let step = if base == Base::Si { 1000.0 } else { 1024.0_f64 };
    Some(match letter {
        None => 1.0,
        Some('k' | 'K') => step,
        Some('m' | 'M') => step.powi(2),
        Some('g' | 'G') => step.powi(3),
        Some('t' | 'T') => step.powi(4),
        _ => return None,
    })
}

/// Reads an amount at the start of a text in bytes, and returns the rest. `KiB` and the like are powers of 1024; `KB`
/// and a bare `K` have the base of the tool.
pub(crate) fn bytes(text: &str, base: Base) -> Option<(PrintedNumber, &str)> {
    bytes_of(leading(text)?, base)
}

/// Returns an amount in bytes from its number and the text behind it.
pub(crate) fn bytes_of((number, rest): (PrintedNumber, &str), base: Base) -> Option<(PrintedNumber, &str)> {
    let unit = rest.trim_start();
    let letters: String = unit.chars().take_while(|c| c.is_ascii_alphabetic()).collect();
    let lower = letters.to_ascii_lowercase();
    let after = &unit[letters.len()..];
    let (letter, base) = match lower.as_str() {
        "b" | "byte" | "bytes" => (None, base),
        "" => return Some((number, rest)),
        _ => {
            let first = letters.chars().next();
            let tail = &lower[1..];
            let base = match tail {
                "ib" | "i" | "ibps" | "ibytes" => Base::Binary,
                "b" | "" | "bps" | "bytes" => base,
                _ => return None,
            };
            (first, base)
        }
    };
    Some((number.scaled(prefix(letter, base)?), after))
}

/// Reads a rate at the start of a text in bytes per second, `MB/s` or `MB/sec`, and returns the rest.
pub(crate) fn rate(text: &str, base: Base) -> Option<(PrintedNumber, &str)> {
    rate_of(leading(text)?, base)
}

/// Reads a rate like [`rate`], of a tool that writes `B` for bytes: `Mb/s` is a rate in bits.
pub(crate) fn rate_or_bits(text: &str, base: Base) -> Option<(PrintedNumber, &str)> {
    let (_, unit) = leading(text)?;
    let unit = unit.trim_start().trim_start_matches(['k', 'K', 'M', 'G', 'T']);
    let factor = if unit.starts_with("b/s") || unit.starts_with("bit/s") { 0.125 } else { 1.0 };
    rate(&text.replacen("bit/s", "b/s", 1), base).map(|(n, _)| (n.scaled(factor), ""))
}

/// Returns a rate in bytes per second from its number and the text behind it.
pub(crate) fn rate_of(number: (PrintedNumber, &str), base: Base) -> Option<(PrintedNumber, &str)> {
    let (number, rest) = bytes_of(number, base)?;
    let rest = rest.trim_start();
    let after = rest.strip_prefix("/sec").or_else(|| rest.strip_prefix("/s"))?;
    Some((number, after))
}

/// Reads a time at the start of a text in nanoseconds, and returns the rest.
pub(crate) fn time(text: &str) -> Option<(PrintedNumber, &str)> {
    let (number, rest) = leading(text)?;
    let unit = rest.trim_start();
    let letters: String = unit.chars().take_while(|c| c.is_ascii_alphabetic()).collect();
    Some((number.scaled(nanoseconds(&letters)?), &unit[letters.len()..]))
}

/// Returns the nanoseconds of a unit of time.
pub(crate) fn nanoseconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ns" | "nsec" => 1.0,
        "us" | "usec" | "usecs" => 1e3,
        "ms" | "msec" | "msecs" => 1e6,
        "s" | "sec" | "secs" | "second" | "seconds" => 1e9,
        "m" | "min" | "mins" => 60e9,
        "h" => 3600e9,
        _ => return None,
    })
}

/// Reads a composite time: `586ms`, `1m0.2s`, `1h2m3s`; nanoseconds.
pub(crate) fn long_time(text: &str) -> Option<PrintedNumber> {
    let mut rest = text.trim();
    let mut sum = PrintedNumber::exact(0.0);
    let mut parts = 0;
    while !rest.is_empty() && parts < 4 {
        let (part, after) = time(rest)?;
        // Only the last part is rounded.
        sum = PrintedNumber { value: sum.value + part.value, half: part.half };
        rest = after;
        parts += 1;
    }
    (parts > 0 && rest.is_empty()).then_some(sum)
}

/// Reads a count with an optional k or M: `28.8k`.
pub(crate) fn thousands(text: &str) -> Option<(PrintedNumber, &str)> {
    thousands_of(leading(text)?)
}

/// Returns a count from its number and the text behind it.
pub(crate) fn thousands_of((number, rest): (PrintedNumber, &str)) -> Option<(PrintedNumber, &str)> {
    match rest.chars().next().filter(|c| matches!(c, 'k' | 'K' | 'm' | 'M' | 'g' | 'G')) {
        Some(letter) => Some((number.scaled(prefix(Some(letter), Base::Si)?), &rest[1..])),
        None => Some((number, rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(text: &str) -> Option<f64> {
        leading(text).map(|(n, _)| n.value)
    }

    #[test]
    fn numbers_with_any_decimal_mark_read() {
        assert_eq!(near("1,5 GB"), Some(1.5));
        assert_eq!(near("1,234,567"), Some(1_234_567.0));
        assert_eq!(near("1.234,5"), Some(1234.5));
        assert_eq!(near("1,234.5"), Some(1234.5));
        assert_eq!(near("9.5e-05 s"), Some(9.5e-5));
        assert_eq!(leading_grouped("2,024KB").map(|(n, _)| n.value), Some(2024.0));
        assert_eq!(leading("250.").map(|(n, r)| (n.value, r)), Some((250.0, ".")));
        assert_eq!(leading("abc"), None);
        assert_eq!(leading("1e999"), None);
    }

    #[test]
    fn units_of_tools_read() {
        assert_eq!(rate("1.5 GB/s", Base::Si).map(|(n, _)| n.value), Some(1.5e9));
        assert_eq!(rate("249.90 MB/sec", Base::Binary).map(|(n, _)| n.value), Some(249.90 * 1048576.0));
        assert_eq!(bytes("64 MiB) ", Base::Si).map(|(n, r)| (n.value, r)), Some((67108864.0, ") ")));
        assert_eq!(time("222.0 us").map(|(n, _)| n.value), Some(222_000.0));
        assert_eq!(long_time("1m0.2s").map(|n| n.value), Some(60.2e9));
        assert_eq!(thousands("28.8k,").map(|(n, _)| n.half), Some(50.0));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[0-9.,eE+-]{0,20}[a-zA-Z/ ]{0,6}|\\PC{0,20}") {
            let _ = (leading(&text), leading_grouped(&text), rate(&text, Base::Si), time(&text), long_time(&text));
            let _ = (thousands(&text), bytes(&text, Base::Binary), whole(&text));
        }

        #[test]
        fn a_printed_number_holds_its_value(value in 0.0f64..1e9, decimals in 0usize..4) {
            let text = format!("{value:.decimals$}");
            let read = whole(&text).unwrap();
            prop_assert!((read.value - value).abs() <= read.half * (1.0 + 1e-6) + 1e-9);
        }
    }
}
