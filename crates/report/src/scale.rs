//! fio's number formatting, shared by all text.

/// Factor between two prefixes of a number, and the prefixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Factor 1000, prefixes `k M G`.
    Decimal,
    /// Factor 1024, prefixes `Ki Mi Gi`.
    Binary,
}

const DECIMAL: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Returns `n` with at most `digits` digits and a prefix: 14700 is `14.7k`, 65_536_000 is `62.5Mi`.
pub fn number(n: u64, digits: u32, base: Base) -> String {
    let (step, prefixes) = match base {
        Base::Decimal => (1000, DECIMAL),
        Base::Binary => (1024, BINARY),
    };
    let digits = digits.clamp(1, 20) as usize;
    let length = |n: u64| n.checked_ilog10().map_or(1, |log| log as usize + 1);
    let (mut whole, mut rest, mut power) = (n, 0, 0);
    while length(whole) > digits && power + 1 < prefixes.len() {
        rest = whole % step;
        whole /= step;
        power += 1;
    }
    let prefix = prefixes[power];
    let room = digits.saturating_sub(length(whole));
    if whole == n {
        return format!("{n}{prefix}");
    }
    if room < 2 {
        whole += u64::from(2 * rest >= step);
        return format!("{whole}{prefix}");
    }
    // fio rounds the fraction by itself, so 10.45 is 10.5 (0.45 is a little above) and 10.15 is 10.1.
    let decimals = room - 1;
    let fraction = format!("{:.decimals$}", rest as f64 / step as f64);
    match fraction.strip_prefix('0') {
        Some(decimals) => format!("{whole}{decimals}{prefix}"),
        None => format!("{}{}{prefix}", whole + 1, &fraction[1..]),
    }
}

/// Returns `n` thousands (1024 each in binary) like [`number`]: 1215121 is `1187Mi`.
pub fn kilo_number(n: u64, digits: u32, base: Base) -> String {
    let text = number(n, digits, base);
    let prefixes = if base == Base::Decimal { DECIMAL } else { BINARY };
    let figure = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = prefixes.iter().position(|prefix| *prefix == &text[figure.len()..]).unwrap_or(0);
    format!("{figure}{}", prefixes.get(power + 1).unwrap_or(&""))
}

/// Returns a rate with binary and with decimal prefixes, fio's first: `3194KiB/s` and `3270kB/s`; the other way round
/// with `kb_base` 1000, in bits (`14.1Gibit/s`) with `unit_base` 1.
pub fn rate_pair(bytes_per_second: u64, digits: u32, kb_base: u32, unit_base: u32) -> (String, String) {
    let (n, unit) = if unit_base == 1 {
        (bytes_per_second.saturating_mul(8), "bit/s")
    } else {
        (bytes_per_second, "B/s")
    };
    pair(n, digits, kb_base, unit)
}

/// Returns a size with binary and with decimal prefixes: `3200KiB` and `3277kB`; the other way round with `kb_base`
/// 1000.
pub fn size_pair(bytes: u64, digits: u32, kb_base: u32) -> (String, String) {
    pair(bytes, digits, kb_base, "B")
}

fn pair(n: u64, digits: u32, kb_base: u32, unit: &str) -> (String, String) {
    let binary = format!("{}{unit}", number(n, digits, Base::Binary));
    let decimal = format!("{}{unit}", number(n, digits, Base::Decimal));
    if kb_base == 1000 { (decimal, binary) } else { (binary, decimal) }
}

/// Returns a number in three significant digits with a prefix: `12.3k`, `982`, `1.05M`.
pub fn short(value: f64) -> String {
    let (figure, prefix) = step_down(value, &["", "k", "M", "G", "T", "P", "E"]);
    format!("{}{prefix}", three_digits(figure))
}

/// Returns a duration in seconds with one decimal; below 0.1 s with three decimals.
pub fn seconds(seconds: f64) -> String {
    if seconds > 0.0 && seconds < 0.1 { format!("{seconds:.3}") } else { format!("{seconds:.1}") }
}

/// Returns a rate in MB/s without the unit: `2.05`, `50.4`, `2320`.
pub fn megabytes(bytes_per_second: u64) -> String {
    three_digits(bytes_per_second as f64 / 1e6)
}

/// Returns a size in decimal units: `12.3 GB`, `512 B`.
pub fn bytes(n: u64) -> String {
    let (figure, unit) = step_down(n as f64, &["B", "kB", "MB", "GB", "TB", "PB", "EB"]);
    if unit == "B" { format!("{n} B") } else { format!("{} {unit}", three_digits(figure)) }
}

/// Returns a duration, given in nanoseconds, in a suitable unit: `812 ns`, `81.2 us`, `1.02 ms`, `3.40 s`.
pub fn time(nanos: f64) -> String {
    let (figure, unit) = step_down(nanos, &["ns", "us", "ms", "s"]);
    if unit == "ns" { format!("{figure:.0} ns") } else { format!("{} {unit}", three_digits(figure)) }
}

/// Returns a percentage: `0 %`, `0.4 %`, `34 %`.
pub fn percent(share: f64) -> String {
    let tenths = share > 0.0 && share < 9.95;
    if tenths && share < 0.1 {
        "<0.1 %".to_string()
    } else if tenths {
        format!("{share:.1} %")
    } else {
        format!("{share:.0} %")
    }
}

/// Returns the probability of a statistical test, with an operator: `= 0.43`, `< 0.000001`.
pub fn probability(p: f64) -> String {
    match p {
        p if p < 1e-6 => "< 0.000001".to_owned(),
        p if p < 0.001 => format!("= {p:.6}"),
        p => format!("= {p:.2}"),
    }
}

/// Returns a number of bytes as `1.5 GiB (1610612736 bytes)`: one figure to read, one to compare.
pub(crate) fn exact_bytes(n: u64) -> String {
    let mut scaled = n as f64;
    let mut unit = "bytes";
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        if scaled < 1024.0 {
            break;
        }
        scaled /= 1024.0;
        unit = next;
    }
    if unit == "bytes" { format!("{n} bytes") } else { format!("{scaled:.1} {unit} ({n} bytes)") }
}

/// Divides by 1000 until the number has at most three digits; 999.6 already rounds to the next prefix.
fn step_down<'a>(value: f64, prefixes: &[&'a str]) -> (f64, &'a str) {
    let mut figure = if value.is_finite() { value } else { 0.0 };
    let mut at = 0;
    while figure.abs() >= 999.5 && at + 1 < prefixes.len() {
        figure /= 1000.0;
        at += 1;
    }
    (figure, prefixes[at])
}

fn three_digits(figure: f64) -> String {
    match figure.abs() {
        0.0 => "0".to_string(),
        f if f < 9.995 => format!("{figure:.2}"),
        f if f < 99.95 => format!("{figure:.1}"),
        _ => format!("{figure:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_specification() {
        assert_eq!(number(14_700, 4, Base::Decimal), "14.7k");
        assert_eq!(rate_pair(3194 * 1024, 4, 1024, 8), ("3194KiB/s".into(), "3271kB/s".into()));
        assert_eq!(rate_pair(64_000 * 1024, 4, 1024, 8).0, "62.5MiB/s");
        assert_eq!(size_pair(16 << 10, 4, 1024).0, "16.0KiB");
        assert_eq!(size_pair(128 << 10, 4, 1024).0, "128KiB");
        assert_eq!(size_pair(1 << 20, 4, 1024).0, "1024KiB");
        assert_eq!(number(3_899_200, 6, Base::Decimal), "3899.2k");
        assert_eq!(size_pair(4096, 4, 1024).0, "4096B");
    }

    /// Tests sizes against the output of fio 3.33: the size, and fio's text in KiB and in kB.
    #[test]
    fn rounding_is_fios() {
        let seen = [
            (10_450, "10.2KiB", "10.5kB"),
            (10_250, "10.0KiB", "10.2kB"),
            (10_350, "10.1KiB", "10.3kB"),
            (10_650, "10.4KiB", "10.7kB"),
            (10_850, "10.6KiB", "10.8kB"),
            (10_150, "9.91KiB", "10.1kB"),
            (9_995, "9995B", "9995B"),
            (99_950, "97.6KiB", "99.9kB"),
            (99_450, "97.1KiB", "99.5kB"),
            (99_999, "97.7KiB", "100.0kB"),
            (10_239, "10.00KiB", "10.2kB"),
            (10_496, "10.2KiB", "10.5kB"),
        ];
        for (n, binary, decimal) in seen {
            assert_eq!(size_pair(n, 4, 1024), (binary.to_string(), decimal.to_string()), "{n}");
            assert_eq!(size_pair(n, 4, 1000), (decimal.to_string(), binary.to_string()), "{n}");
        }
        assert_eq!(number(1_023_488, 4, Base::Binary), "1000Ki");
        assert_eq!(number(1_023_487, 4, Base::Binary), "999Ki");
        assert_eq!(rate_pair(1_897_208_145_582, 6, 1024, 1), ("14135Gibit/s".into(), "15178Gbit/s".into()));
        assert_eq!(size_pair(1_899_105_353_728, 6, 1024), ("1768.7GiB".into(), "1899.1GB".into()));
    }

    #[test]
    fn figures_for_people_have_three_digits() {
        assert_eq!(
            [0.0, 1.0, 9.996, 99.96, 982.4, 999.6, 12_345.0, 1_050_000.0].map(short),
            ["0", "1.00", "10.0", "100", "982", "1.00k", "12.3k", "1.05M"]
        );
        assert_eq!([0, 512, 4096, 12_345_678_901].map(bytes), ["0 B", "512 B", "4.10 kB", "12.3 GB"]);
        assert_eq!(
            [812.0, 81_230.0, 1_020_000.0, 3.4e9, 4e12].map(time),
            ["812 ns", "81.2 us", "1.02 ms", "3.40 s", "4000 s"]
        );
        assert_eq!(
            [0.0, 0.01, 0.4, 9.96, 34.4, 100.0].map(percent),
            ["0 %", "<0.1 %", "0.4 %", "10 %", "34 %", "100 %"]
        );
        assert_eq!(short(f64::NAN), "0");
    }

    #[test]
    fn any_number_at_any_width_prints() {
        for digits in [0, 1, 2, 3, 4, 6, 20, u32::MAX] {
            for n in [0, 1, 9, 10, 999, 1000, 1023, 1024, u64::MAX / 2, u64::MAX] {
                for base in [Base::Decimal, Base::Binary] {
                    assert!(!number(n, digits, base).is_empty());
                }
            }
        }
        assert_eq!(number(u64::MAX, 4, Base::Decimal), "18.4E");
        assert_eq!(number(u64::MAX, 20, Base::Decimal), u64::MAX.to_string());
    }

    /// A run shorter than a tenth of a second is not shown as 0 s.
    #[test]
    fn seconds_of_short_runs_keep_milliseconds() {
        assert_eq!([0.0, 0.002, 0.099, 0.1, 12.34].map(seconds), ["0.0", "0.002", "0.099", "0.1", "12.3"]);
    }
}
