//! Access specifications of Iometer (`access_spec`): up to 100 lines, each with a size, a share of the bursts, a mix, an
//! order, a delay before each burst, the length of a burst, an alignment and the size of a reply.

use crate::bad_value::{AccessFault, BadValue};
use crate::unit;
use serde::{Deserialize, Serialize};

/// Largest number of lines.
pub const MOST_LINES: usize = 100;

/// Largest transfer in bytes.
pub const MOST_BYTES: u64 = i32::MAX as u64;
/// Longest delay in milliseconds: a day.
pub const MOST_DELAY_MS: u32 = 86_400_000;
/// Largest number of I/Os in a burst.
pub const MOST_BURST: u32 = 1 << 24;

/// One line of an access specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessLine {
    /// Bytes of a request.
    pub size: u64,
    /// Percentage of the bursts that belong to this line, 0 to 100.
    pub share: u8,
    /// Percentage of requests that read, 0 to 100; the others write.
    pub reads: u8,
    /// Percentage of requests with a random offset, 0 to 100; the others follow the I/O before them.
    pub random: u8,
    /// Delay before each burst in milliseconds.
    pub delay_ms: u32,
    /// Number of requests in a burst; at least 1.
    pub burst: u32,
    /// Alignment of random offsets in bytes; 0 = one sector.
    pub align: u64,
    /// Bytes of the reply, an I/O in the opposite direction after each request; 0 = no replies.
    pub reply: u64,
}

/// Reads the value of `access_spec`.
///
/// # Errors
/// A line cannot be read, or the shares do not add up to 100.
pub fn access_spec(text: &str, base: u32) -> Result<Vec<AccessLine>, BadValue> {
    let fault = |fault| Err(BadValue::Access(fault));
    let mut lines = Vec::new();
    for (at, part) in text.split(':').enumerate() {
        match line(part, base) {
            Some(line) => lines.push(line),
            None => return fault(AccessFault::Line(at + 1)),
        }
    }
    if lines.len() > MOST_LINES {
        return fault(AccessFault::TooMany);
    }
    let sum = lines.iter().map(|line| u32::from(line.share)).sum();
    if sum == 100 { Ok(lines) } else { fault(AccessFault::Sum(sum)) }
}

fn line(text: &str, base: u32) -> Option<AccessLine> {
    let mut fields = text.split('/').map(str::trim);
    let first = fields.next()?;
    let mut next = |usual: u64, least: u64, most: u64| match fields.next() {
        None => Some(usual),
        Some(field) => bytes(field, base).filter(|n| (least..=most).contains(n)),
    };
    let line = AccessLine {
        size: bytes(first, base).filter(|n| (1..=MOST_BYTES).contains(n))?,
        share: next(100, 0, 100)? as u8,
        reads: next(100, 0, 100)? as u8,
        random: next(100, 0, 100)? as u8,
        delay_ms: next(0, 0, MOST_DELAY_MS.into())? as u32,
        burst: next(1, 1, MOST_BURST.into())? as u32,
        align: next(0, 0, MOST_BYTES)?,
        reply: next(0, 0, MOST_BYTES)?,
    };
    fields.next().is_none().then_some(line)
}

fn bytes(text: &str, base: u32) -> Option<u64> {
    let number = unit::integer(text, base).ok()?;
    u64::try_from(number.value).ok().filter(|_| number.rest.is_empty())
}

/// Returns the lines in the form that [`access_spec`] reads.
pub fn text(lines: &[AccessLine]) -> String {
    let line = |l: &AccessLine| {
        let AccessLine { size, share, reads, random, delay_ms, burst, align, reply } = *l;
        format!("{size}/{share}/{reads}/{random}/{delay_ms}/{burst}/{align}/{reply}")
    };
    lines.iter().map(line).collect::<Vec<_>>().join(":")
}

/// Returns whether I/Os of each direction occur, reads first.
pub fn directions(lines: &[AccessLine]) -> [bool; 2] {
    let used = || lines.iter().filter(|line| line.share > 0);
    let any = |reads: bool| {
        used().any(|line| {
            let (own, other) =
                if reads { (line.reads, 100 - line.reads) } else { (100 - line.reads, line.reads) };
            own > 0 || other > 0 && line.reply > 0
        })
    };
    [any(true), any(false)]
}

/// Returns the smallest and largest I/O in bytes of each direction, reads first; `None` for a direction without I/Os.
pub fn sizes(lines: &[AccessLine]) -> [Option<(u64, u64)>; 2] {
    let mut ranges = [None; 2];
    for line in lines.iter().filter(|line| line.share > 0) {
        let mut add = |direction: usize, size: u64| {
            let range: &mut Option<(u64, u64)> = &mut ranges[direction];
            *range = Some(range.map_or((size, size), |(least, most)| (least.min(size), most.max(size))));
        };
        for (direction, percent) in [(0, line.reads), (1, 100 - line.reads)] {
            if percent > 0 {
                add(direction, line.size);
            }
            if percent > 0 && line.reply > 0 {
                add(1 - direction, line.reply);
            }
        }
    }
    ranges
}

/// Returns the percentage of reads among all I/Os, requests and replies.
pub fn reads_percent(lines: &[AccessLine]) -> f64 {
    let (mut reads, mut all) = (0.0, 0.0);
    for line in lines {
        let requests = f64::from(line.share) * f64::from(line.burst);
        let own = f64::from(line.reads) / 100.0;
        reads += requests * own;
        all += requests;
        if line.reply > 0 {
            reads += requests * (1.0 - own);
            all += requests;
        }
    }
    if all > 0.0 { 100.0 * reads / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_printed_alike() {
        let lines = access_spec("4k/60/67/100/0/1/4k/0:64k/40", 1024).unwrap();
        assert_eq!(text(&lines), "4096/60/67/100/0/1/4096/0:65536/40/100/100/0/1/0/0");
        assert_eq!(access_spec(&text(&lines), 1024).unwrap(), lines);
        assert_eq!(directions(&lines), [true, true]);
        assert_eq!(sizes(&lines), [Some((4096, 65536)), Some((4096, 4096))]);
        let replies = access_spec("512/100/100/0/0/1/0/2k", 1024).unwrap();
        assert_eq!(sizes(&replies), [Some((512, 512)), Some((2048, 2048))]);
        assert_eq!(reads_percent(&replies), 50.0);
    }

    #[test]
    fn wrong_lines_are_named() {
        let fault = |text: &str| match access_spec(text, 1024) {
            Err(BadValue::Access(fault)) => Some(fault),
            _ => None,
        };
        assert_eq!(fault("4k/50:8k/40"), Some(AccessFault::Sum(90)));
        assert_eq!(fault("4k/50:0/50"), Some(AccessFault::Line(2)));
        assert_eq!(fault("4kx/100"), Some(AccessFault::Line(1)));
        assert_eq!(fault("4k/100/101"), Some(AccessFault::Line(1)));
        assert_eq!(fault("4k/100/1/1/0/0"), Some(AccessFault::Line(1)));
        assert_eq!(fault("4k/100/1/1/0/1/0/0/0"), Some(AccessFault::Line(1)));
        assert_eq!(fault(&["4k/1"; 101].join(":")), Some(AccessFault::TooMany));
    }
}
