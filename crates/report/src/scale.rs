//! fio's number formatting, shared by all text.

/// Which step and prefixes a number takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// 1000: `k M G`.
    Decimal,
    /// 1024: `Ki Mi Gi`.
    Binary,
}

const DECIMAL: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// `n` with at most `digits` digits and a prefix: 14700 is `14.7k`, 65_536_000 is `62.5Mi`.
pub fn number(n: u64, digits: u32, base: Base) -> String {
    prefixed(n, digits, base, 0)
}

/// The same for a number already counted in steps: `n` of `power` = 1 are thousands (or 1024s).
pub fn prefixed(n: u64, digits: u32, base: Base, power: usize) -> String {
    let (step, prefixes) = match base {
        Base::Decimal => (1000, DECIMAL),
        Base::Binary => (1024, BINARY),
    };
    let digits = digits.clamp(1, 20) as usize;
    let length = |n: u64| n.checked_ilog10().map_or(1, |log| log as usize + 1);
    let (mut whole, mut rest, mut power) = (n, 0, power);
    while length(whole) > digits && power + 1 < prefixes.len() {
        rest = whole % step;
        whole /= step;
        power += 1;
    }
    let prefix = prefixes[power];
    let room = digits.saturating_sub(length(whole));
    if rest == 0 && whole == n || room < 2 {
        if 2 * rest >= step {
            whole += 1;
        }
        return format!("{whole}{prefix}");
    }
    let decimals = room - 1;
    format!("{:.decimals$}{prefix}", whole as f64 + rest as f64 / step as f64)
}

/// Bytes per second in both families, fio's order: `3194KiB/s (3270kB/s)`; decimal first with `kb_base` 1000.
pub fn rate_pair(bytes_per_second: u64, digits: u32, kb_base: u32) -> (String, String) {
    let binary = format!("{}B/s", number(bytes_per_second, digits, Base::Binary));
    let decimal = format!("{}B/s", number(bytes_per_second, digits, Base::Decimal));
    if kb_base == 1000 { (decimal, binary) } else { (binary, decimal) }
}
