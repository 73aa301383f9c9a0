//! One row of a log, as text and in fio's binary format, which compressed logs hold.

use crate::direction::Direction;

/// One row of a log of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogSample {
    /// Time in milliseconds.
    pub ms: u64,
    /// Value, in the unit of the log.
    pub value: u64,
    /// Largest value of the interval (`log_max_value=both`); `None` = no such column.
    pub most: Option<u64>,
    /// Direction of the I/Os.
    pub direction: Direction,
    /// Bytes of the I/O; 0 in the row of an interval.
    pub bytes: u64,
    /// Offset of the I/O in bytes; `None` = no such column.
    pub offset: Option<u64>,
    /// I/O priority, as ioprio_set(2) takes it.
    pub priority: u16,
    /// Whether the column of the priority has the number (`log_prio`) instead of 1 for the highest class and 0.
    pub numbered: bool,
    /// Time at which the I/O was issued, in nanoseconds; `None` = no such column.
    pub issued: Option<u64>,
}

/// Bit of the binary direction field that tells of an offset.
const WITH_OFFSET: u32 = 1 << 31;
/// Bit of the binary direction field that tells of numbered priorities.
const NUMBERED: u32 = 1 << 30;
/// Number of the real-time class in the upper three bits of a priority.
const REAL_TIME: u16 = 1;

impl LogSample {
    /// Appends the row as a line of text.
    pub fn append_line(&self, line: &mut Vec<u8>) {
        number(line, self.ms);
        column(line, self.value);
        if let Some(most) = self.most {
            column(line, most);
        }
        column(line, self.direction as u64);
        column(line, self.bytes);
        if let Some(offset) = self.offset {
            column(line, offset);
        }
        if self.numbered {
            line.extend_from_slice(b", 0x");
            let digit = |at: u32| b"0123456789abcdef"[usize::from(self.priority >> (4 * at) & 15)];
            line.extend((0..4).rev().map(digit));
        } else {
            column(line, u64::from(self.priority >> 13 == REAL_TIME));
        }
        if let Some(issued) = self.issued {
            column(line, issued);
        }
        line.push(b'\n');
    }

    /// Appends the row in fio's binary format: 32 bytes, or 40 with an offset. The format has neither the largest
    /// value of an interval nor the time of issue.
    pub fn append_binary(&self, bytes: &mut Vec<u8>) {
        let flags = self.offset.map_or(0, |_| WITH_OFFSET) | if self.numbered { NUMBERED } else { 0 };
        bytes.extend_from_slice(&self.ms.to_le_bytes());
        bytes.extend_from_slice(&self.value.to_le_bytes());
        bytes.extend_from_slice(&(self.direction as u32 | flags).to_le_bytes());
        bytes.extend_from_slice(&self.priority.to_le_bytes());
        bytes.extend_from_slice(&[0; 2]);
        bytes.extend_from_slice(&self.bytes.to_le_bytes());
        if let Some(offset) = self.offset {
            bytes.extend_from_slice(&offset.to_le_bytes());
        }
    }

    /// Reads a row in fio's binary format from the start of `bytes`, and returns it with its length; `None` if the row
    /// is not complete, or its direction is none.
    pub fn from_binary(bytes: &[u8]) -> Option<(Self, usize)> {
        let eight = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let middle = eight(16)?;
        let direction = middle as u32;
        let offset = if direction & WITH_OFFSET != 0 { Some(eight(32)?) } else { None };
        let sample = LogSample {
            ms: eight(0)?,
            value: eight(8)?,
            most: None,
            direction: *Direction::ALL.get((direction & !(WITH_OFFSET | NUMBERED)) as usize)?,
            bytes: eight(24)?,
            offset,
            priority: (middle >> 32) as u16,
            numbered: direction & NUMBERED != 0,
            issued: None,
        };
        Some((sample, if offset.is_some() { 40 } else { 32 }))
    }
}

/// Appends one row of a log of histograms: time, direction, block size, and counts of bins. Each bin is the sum of
/// `together` neighbouring counts.
pub fn append_histogram(
    line: &mut Vec<u8>,
    ms: u64,
    direction: Direction,
    bs: u64,
    counts: &[u64],
    together: usize,
) {
    number(line, ms);
    column(line, direction as u64);
    column(line, bs);
    counts.chunks(together.max(1)).for_each(|bin| column(line, bin.iter().sum()));
    line.push(b'\n');
}

fn column(line: &mut Vec<u8>, value: u64) {
    digits::<2>(line, value);
}

fn number(line: &mut Vec<u8>, value: u64) {
    digits::<0>(line, value);
}

/// Appends a number in decimal digits, after a comma and a blank if `SEPARATOR` is 2. A log of single I/Os is mostly
/// numbers: the digits are found two by two and appended at once.
fn digits<const SEPARATOR: usize>(line: &mut Vec<u8>, mut value: u64) {
    // 20 digits, and the separator before them.
    let mut text = *b", 00000000000000000000";
    let mut at = text.len();
    while value >= 100 {
        let pair = (value % 100) as u8;
        value /= 100;
        at -= 2;
        (text[at], text[at + 1]) = (b'0' + pair / 10, b'0' + pair % 10);
    }
    let rest = value as u8;
    at -= 1;
    text[at] = b'0' + rest % 10;
    if rest >= 10 {
        at -= 1;
        text[at] = b'0' + rest / 10;
    }
    if SEPARATOR == 2 {
        at -= 2;
        (text[at], text[at + 1]) = (b',', b' ');
    }
    line.extend_from_slice(&text[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(sample: &LogSample) -> String {
        let mut line = Vec::new();
        sample.append_line(&mut line);
        String::from_utf8(line).unwrap()
    }

    const ROW: LogSample = LogSample {
        ms: 250,
        value: 204,
        most: None,
        direction: Direction::Write,
        bytes: 4096,
        offset: None,
        priority: 0x2003,
        numbered: false,
        issued: None,
    };

    /// The expected lines are those of fio 3.33, and of a newer fio for the columns that 3.33 does not have.
    #[test]
    fn lines_have_the_columns_of_fio() {
        assert_eq!(text(&ROW), "250, 204, 1, 4096, 1\n");
        assert_eq!(text(&LogSample { priority: 0x4004, ..ROW }), "250, 204, 1, 4096, 0\n");
        assert_eq!(text(&LogSample { numbered: true, ..ROW }), "250, 204, 1, 4096, 0x2003\n");
        let all = LogSample { most: Some(300), offset: Some(8192), issued: Some(u64::MAX), ..ROW };
        assert_eq!(text(&all), "250, 204, 300, 1, 4096, 8192, 1, 18446744073709551615\n");
        let mut line = Vec::new();
        append_histogram(&mut line, 7, Direction::Trim, 0, &[1, 2, 3], 2);
        assert_eq!(line, b"7, 2, 0, 3, 3\n");
    }

    proptest! {
        #[test]
        fn numbers_are_decimal(value: u64, shift in 0u32..64) {
            let value = value >> shift;
            let mut line = Vec::new();
            number(&mut line, value);
            column(&mut line, value);
            prop_assert_eq!(String::from_utf8(line).unwrap(), format!("{value}, {value}"));
        }

        #[test]
        fn binary_row_is_read_back(ms: u64, value: u64, bytes: u64, offset: Option<u64>, priority: u16, numbered: bool, d in 0usize..3) {
            let row = LogSample { ms, value, bytes, offset, priority, numbered, direction: Direction::ALL[d], ..ROW };
            let mut binary = Vec::new();
            row.append_binary(&mut binary);
            let length = binary.len();
            prop_assert_eq!(LogSample::from_binary(&binary[..length - 1]), None);
            binary.push(1);
            prop_assert_eq!(LogSample::from_binary(&binary), Some((row, length)));
        }
    }
}
