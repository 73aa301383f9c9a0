//! Value of `max_latency`: up to three times.

use crate::bad_value::{BadValue, Needed};
use crate::unit;
use stats::unit::MICROSECOND;
use std::num::NonZeroU64;

/// Reads times for reads, writes and trims, separated by commas, and returns nanoseconds. A missing time is that of the
/// direction before; an empty one or 0 is `None`.
///
/// # Errors
/// A time cannot be read.
pub fn times(text: &str) -> Result<[Option<NonZeroU64>; 3], BadValue> {
    let mut list = [None; 3];
    if text.is_empty() {
        return Ok(list);
    }
    let parts: Vec<&str> = text.split(',').collect();
    for (at, nanos) in list.iter_mut().enumerate() {
        let part = parts.get(at).or(parts.last()).copied().unwrap_or_default();
        match unit::time(part, MICROSECOND) {
            Ok(n) if n.value >= 0 => *nanos = NonZeroU64::new(n.value as u64),
            Err(_) if part.is_empty() && parts.len() > 1 => {}
            _ => return Err(BadValue::Needs { what: Needed::Times, example: "50ms" }),
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times are read as fio 3.33 was observed to read them.
    #[test]
    fn times_are_read_as_fio_reads_them() {
        for (text, read) in [
            ("5", [5_000; 3]),
            ("1ms,2us", [1_000_000, 2_000, 2_000]),
            ("1us,", [1_000, 0, 0]),
            ("1s,2s,3", [1_000_000_000, 2_000_000_000, 3_000]),
            ("0", [0; 3]),
        ] {
            assert_eq!(times(text), Ok(read.map(NonZeroU64::new)), "{text}");
        }
        assert!(times("x").is_err() && times("1,x").is_err() && times("-1").is_err());
    }
}
