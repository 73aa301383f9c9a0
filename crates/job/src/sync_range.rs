//! Value of `sync_file_range`: flags, and the number of writes between calls.

use crate::bad_value::BadValue;
use crate::choice::{Choice, choice};
use std::num::NonZeroU64;

/// Flags of SYNC_FILE_RANGE_*; the index is the number of the bit.
static FLAGS: [Choice; 3] = [
    choice("wait_before", "SYNC_FILE_RANGE_WAIT_BEFORE"),
    choice("write", "SYNC_FILE_RANGE_WRITE"),
    choice("wait_after", "SYNC_FILE_RANGE_WAIT_AFTER"),
];

/// Reads `wait_before,write,wait_after:8`: returns the flags, and the number of writes between calls; `None` = never.
///
/// # Errors
/// A flag is unknown.
pub fn sync_file_range(text: &str) -> Result<(u8, Option<NonZeroU64>), BadValue> {
    if text.is_empty() {
        return Ok((0, None));
    }
    let (flags, every) = text.split_once(':').unwrap_or((text, "1"));
    let mut bits = 0;
    for name in flags.split(',') {
        match FLAGS.iter().position(|flag| flag.name == name) {
            Some(bit) => bits |= 1 << bit,
            None => return Err(BadValue::SyncRangeFlag { flags: &FLAGS }),
        }
    }
    // fio reads this number with atoi: text that is not a number is 0, and suffixes are ignored.
    let digits = every.trim_start().find(|c: char| !c.is_ascii_digit()).unwrap_or(every.trim_start().len());
    Ok((bits, every.trim_start()[..digits].parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flags and numbers are read as fio 3.33 was observed to read them.
    #[test]
    fn flags_and_numbers_are_read_as_fio_reads_them() {
        let seen = [
            ("write:4", (2, 4)),
            ("wait_before,write,wait_after:3", (7, 3)),
            ("write,write:4", (2, 4)),
            ("wait_before:4", (1, 4)),
            ("write", (2, 1)),
            ("write:0", (2, 0)),
            ("write:4k", (2, 4)),
            ("write:4:5", (2, 4)),
            ("write:x", (2, 0)),
            ("write:-1", (2, 0)),
        ];
        for (text, read) in seen {
            assert_eq!(sync_file_range(text), Ok((read.0, NonZeroU64::new(read.1))), "{text}");
        }
        for text in ["foo:4", ":4", "4", "write,:4", "WRITE:4"] {
            assert!(sync_file_range(text).is_err(), "{text}");
        }
    }
}
