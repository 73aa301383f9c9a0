//! Parser for durations in fathom's own switches: a number and a unit.

use std::time::Duration;

/// Names of the units and their lengths in nanoseconds.
const UNITS: [(&str, f64); 11] = [
    ("min", 60e9),
    ("sec", 1e9),
    ("ms", 1e6),
    ("us", 1e3),
    ("ns", 1.0),
    ("s", 1e9),
    ("m", 60e9),
    ("h", 3600e9),
    ("d", 86_400e9),
    ("μs", 1e3),
    ("µs", 1e3),
];

/// Longest accepted duration: about a century.
const LONGEST_NS: f64 = 3.2e18;

/// Parses a duration such as `90`, `90s`, `1.5m` or `2h`; a number without a unit is in seconds.
///
/// # Errors
/// A message for the user if `text` is not a duration from 1 ns to [`LONGEST_NS`].
pub fn parse(text: &str) -> Result<Duration, String> {
    with_unit(text).or_else(|| Some((text.parse::<f64>().ok()?, 1e9))).and_then(length).ok_or_else(|| {
        "needs a time: a number of seconds, or a number and a unit of ms, s, m, h or d (90, 1.5m, 2h)"
            .to_owned()
    })
}

/// Parses a duration that may be 0, such as a ramp time.
///
/// # Errors
/// A message for the user.
pub fn or_none(text: &str) -> Result<Duration, String> {
    let zero = with_unit(text).map(|(number, _)| number).or_else(|| text.parse().ok()) == Some(0.0);
    if zero { Ok(Duration::ZERO) } else { parse(text) }
}

/// Parses a measuring time (`--seconds`), from 1 s to 1 h.
///
/// # Errors
/// A message for the user.
pub fn measuring(text: &str) -> Result<Duration, String> {
    let time = parse(text)?;
    let right = Duration::from_secs(1)..=Duration::from_secs(3600);
    if right.contains(&time) { Ok(time) } else { Err("the measuring time must be from 1s to 1h".to_owned()) }
}

/// Parses the duration of a latency goal, such as `2ms` or `300us`: a unit is required and is at most the second.
pub fn parse_with_unit(text: &str) -> Option<Duration> {
    // A latency goal of minutes is a typing error.
    with_unit(text).filter(|_| text.ends_with('s')).and_then(length)
}

fn with_unit(text: &str) -> Option<(f64, f64)> {
    let split = text.find(|c: char| c.is_alphabetic())?;
    let (number, unit) = text.split_at(split);
    let (_, nanos) = UNITS.iter().find(|(name, _)| *name == unit)?;
    Some((number.trim_end().parse::<f64>().ok()?, *nanos))
}

fn length((number, unit): (f64, f64)) -> Option<Duration> {
    let nanos = number * unit;
    (nanos.is_finite() && (1.0..=LONGEST_NS).contains(&nanos))
        .then(|| Duration::from_nanos(nanos.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_is_zero_only_where_it_may_be() {
        assert_eq!(["0", "0s", "0.0ms"].map(|text| or_none(text).ok()), [Some(Duration::ZERO); 3]);
        assert_eq!(or_none("1.5s").ok(), Some(Duration::from_millis(1500)));
        assert_eq!(["-1", "0x", ""].map(|text| or_none(text).ok()), [None; 3]);
        assert_eq!(parse("0").ok(), None);
    }

    #[test]
    fn a_time_is_a_number_and_a_unit() {
        let ms = |text: &str| parse(text).ok().map(|time| time.as_millis());
        let seen = [
            ("90", 90_000),
            ("1m", 60_000),
            ("1.5m", 90_000),
            ("2min", 120_000),
            ("500ms", 500),
            ("0.5", 500),
        ];
        for (text, expected) in seen {
            assert_eq!(ms(text), Some(expected), "{text}");
        }
        assert_eq!([ms("1h"), ms("1d"), ms("2 s")], [Some(3_600_000), Some(86_400_000), Some(2000)]);
        for text in ["", "m", "-1", "-1s", "0", "inf", "nan", "1x", "1mm", "1e30d", "1m30s"] {
            assert_eq!(ms(text), None, "{text}");
        }
        assert_eq!(parse_with_unit("300us"), Some(Duration::from_micros(300)));
        assert_eq!(parse_with_unit("300"), None);
    }
}
