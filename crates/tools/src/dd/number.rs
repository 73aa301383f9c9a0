//! Numbers of `dd`'s operands: decimal, with a suffix, and products of two (`80x18b`).

/// Suffixes that multiply, and the power of 1024 or 1000 that most of them stand for.
const POWERS: [(u8, u32); 9] =
    [(b'k', 1), (b'K', 1), (b'M', 2), (b'G', 3), (b'T', 4), (b'P', 5), (b'E', 6), (b'Z', 7), (b'Y', 8)];

/// Reason why a number is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// The text is no number.
    Invalid,
    /// The number exceeds 2^63 - 1.
    TooLarge,
}

/// Value of a number, and the number of warnings about a product that begins with `0x`, as if hexadecimal were meant.
pub type Number = (u64, usize);

/// Reads a number. The second value counts the products that begin with `0x` and are 0.
///
/// # Errors
/// The text is no number, or the number is too large.
pub fn read(text: &[u8]) -> Result<Number, (NumberFault, usize)> {
    let mut zero_multipliers = 0;
    match parse(text, &mut zero_multipliers) {
        Ok(Some(value)) => Ok((value, zero_multipliers)),
        Ok(None) => Err((NumberFault::TooLarge, zero_multipliers)),
        Err(()) => Err((NumberFault::Invalid, zero_multipliers)),
    }
}

/// Returns the value, `None` if it is too large. As in coreutils 9.1, there are at most two factors, and only the first may
/// end in `B` for bytes.
fn parse(text: &[u8], zero_multipliers: &mut usize) -> Result<Option<u64>, ()> {
    let (own, mut rest, ended_by_b) = factor(text)?;
    if rest.first() == Some(&b'B') && !ended_by_b {
        rest = &rest[1..];
    }
    match rest.first() {
        None => Ok(own),
        Some(b'x') => {
            let (other, []) = factor(&rest[1..]).map(|(value, rest, _)| (value, rest))? else {
                return Err(());
            };
            let product = match (own, other) {
                // A factor of 0 makes the product 0, however large the other factor.
                (Some(0), _) | (_, Some(0)) => Some(0),
                (Some(a), Some(b)) => bounded(a.checked_mul(b)),
                _ => None,
            };
            if product == Some(0) && text.starts_with(b"0x") {
                *zero_multipliers += 1;
            }
            Ok(product)
        }
        // A number with a fault behind it is too large before it is wrong.
        Some(_) if own.is_none() => Ok(None),
        Some(_) => Err(()),
    }
}

/// Value (`None` if too large), the text behind it, and whether its last byte is a `B`.
type Factor<'a> = (Option<u64>, &'a [u8], bool);

/// Reads digits and a suffix.
fn factor(text: &[u8]) -> Result<Factor<'_>, ()> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let digits_at = text.iter().position(|byte| !blank(byte)).unwrap_or(text.len());
    let digits_at = digits_at + usize::from(text.get(digits_at) == Some(&b'+'));
    let digits = text[digits_at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut value, mut rest) = if digits > 0 {
        let digits = &text[digits_at..digits_at + digits];
        let value = digits
            .iter()
            .try_fold(0u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
        (value, &text[digits_at + digits.len()..])
    } else {
        // A suffix alone stands for one of its unit.
        (Some(1), text)
    };
    let Some(&suffix) = rest.first() else {
        return if digits > 0 { Ok((bounded(value), rest, false)) } else { Err(()) };
    };
    let power = POWERS.iter().find(|(letter, _)| *letter == suffix).map(|(_, power)| *power);
    let unit = match (suffix, power) {
        (_, Some(power)) => {
            let (base, length) = match (rest.get(1), rest.get(2)) {
                (Some(b'i'), Some(b'B')) => (1024u64, 3),
                (Some(b'B' | b'D'), _) => (1000, 2),
                _ => (1024, 1),
            };
            rest = &rest[length..];
            base.checked_pow(power)
        }
        (b'b', _) => {
            rest = &rest[1..];
            Some(512)
        }
        (b'c', _) => {
            rest = &rest[1..];
            Some(1)
        }
        (b'w', _) => {
            rest = &rest[1..];
            Some(2)
        }
        _ if digits == 0 => return Err(()),
        _ => Some(1),
    };
    value = match (value, unit) {
        (Some(0), _) => Some(0),
        (Some(value), Some(unit)) => value.checked_mul(unit),
        _ => None,
    };
    let used = text.len() - rest.len();
    Ok((bounded(value), rest, used > 0 && text[used - 1] == b'B'))
}

fn bounded(value: Option<u64>) -> Option<u64> {
    value.filter(|value| *value <= i64::MAX as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_value_that_dd_gives_them() {
        let good: [(&str, u64); 16] = [
            ("0", 0),
            ("+5", 5),
            (" 5", 5),
            ("1c", 1),
            ("3w", 6),
            ("2b", 1024),
            ("k", 1024),
            ("1K", 1024),
            ("1kB", 1000),
            ("1kD", 1000),
            ("1KiB", 1024),
            ("7B", 7),
            ("80x18b", 80 * 18 * 512),
            ("1Bx2", 2),
            ("7E", 7 << 60),
            ("1MBx3k", 3_072_000_000),
        ];
        for (text, value) in good {
            assert_eq!(read(text.as_bytes()), Ok((value, 0)), "{text}");
        }
        for text in [
            "", "1m", "x5", "5x", "-1", "1GG", "1Ki", "B", "0.5", "1x1B2", "5BB", "1kBB", "1Q", "1R",
            "2x3x4", "1x1B",
        ] {
            assert_eq!(read(text.as_bytes()), Err((NumberFault::Invalid, 0)), "{text}");
        }
        for text in ["8E", "99999999999999999999", "99999999999999999999q", "4Ex4", "1Z", "8Ex2"] {
            assert_eq!(read(text.as_bytes()), Err((NumberFault::TooLarge, 0)), "{text}");
        }
        assert_eq!(read(b"0x5"), Ok((0, 1)));
        assert_eq!(read(b"00x5"), Ok((0, 0)));
        assert_eq!(read(b"0x99999999999999999999"), Ok((0, 1)));
    }
}
