//! Options of NVMe commands: placement of written data, and faults of options.

use crate::bad_value::{BadValue, Item};
use crate::choice::{Choice, choice};
use crate::engine::{NvmeWrite, WriteShares};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Reason why the options of NVMe commands are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NvmeFault {
    /// The job does not only trim.
    RangesWithoutTrims,
    /// Trims of this engine have one range.
    RangesOfEngine {
        /// Name of the engine.
        engine: &'static str,
    },
    /// Placement needs the write commands of io_uring_cmd, and this engine has none.
    PlacementOfEngine {
        /// Name of the engine.
        engine: &'static str,
    },
    /// The list of placement identifiers is wrong.
    PlacementIds,
    /// Streams need a list of identifiers.
    StreamsWithoutIds,
    /// The selection by scheme needs the file of the scheme.
    SchemeMissing,
    /// The ranges of a trim add up to 2 GiB or more.
    RangesTooLong {
        /// Largest number of ranges for the block size.
        most: u64,
    },
}

/// Largest number of placement identifiers of a job.
pub const MOST_PLACEMENT_IDS: usize = 128;

/// Directive of write commands (`dataplacement`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Directive {
    /// Streams.
    Streams,
    /// Flexible Data Placement.
    Placement,
}

/// Selection of the placement identifier of a write (`plid_select`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlacementSelect {
    /// One after the other.
    RoundRobin,
    /// At random.
    Random,
    /// By the offset of the write, from this file (`dp_scheme`).
    Scheme(PathBuf),
}

/// Placement of the data of writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacementSpec {
    /// Directive of the commands.
    pub directive: Directive,
    /// Selection of identifiers.
    pub select: PlacementSelect,
    /// Identifiers that the job may use: of streams, or indices of the device's list of placement identifiers; empty =
    /// all of that list.
    pub ids: Vec<u16>,
}

/// Returns the identifiers of a list such as `1,2-4,5`; `None` if it is not such a list, or has too many identifiers.
pub fn placement_ids(text: &str) -> Option<Vec<u16>> {
    let mut ids = Vec::new();
    for item in text.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last): (u16, u16) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first > last || ids.len() + usize::from(last - first) >= MOST_PLACEMENT_IDS {
            return None;
        }
        ids.extend(first..=last);
    }
    Some(ids)
}

/// Commands of writes (`write_mode`).
pub const WRITE_MODES: &[Choice] = &[
    choice("write", "Write"),
    choice("uncor", "Write Uncorrectable"),
    choice("zeroes", "Write Zeroes"),
    choice("verify", "Verify"),
    choice("zone_append", "Zone Append"),
];

/// Returns the shares of a list of commands such as `write` or `write/70:zeroes/30`. Commands without a percentage
/// share what is left evenly.
///
/// # Errors
/// A name is not that of a command, or the percentages do not add up to 100.
pub fn write_shares(text: &str) -> Result<WriteShares, BadValue> {
    let malformed = || BadValue::Malformed {
        text: text.to_owned(),
        what: Item::WriteShare,
        example: "write/70:zone_append/30".into(),
    };
    let mut shares = [None; NvmeWrite::ALL.len()];
    for item in text.split(':') {
        let (name, percent) = item.split_once('/').unwrap_or((item, ""));
        let at = NvmeWrite::ALL.iter().position(|(known, _)| *known == name.trim()).ok_or_else(|| {
            let near = crate::suggest::nearest(name.trim(), WRITE_MODES.iter().map(|choice| choice.name));
            BadValue::NoSuchChoice { choices: WRITE_MODES, near }
        })?;
        let percent = match percent.trim() {
            "" => None,
            digits => Some(digits.parse::<u8>().ok().filter(|n| *n <= 100).ok_or_else(malformed)?),
        };
        if shares[at].replace(percent).is_some() {
            return Err(malformed());
        }
    }
    let given: u32 = shares.iter().flatten().flatten().map(|percent| u32::from(*percent)).sum();
    let blank = shares.iter().flatten().filter(|percent| percent.is_none()).count() as u32;
    let left = 100u32.checked_sub(given).filter(|left| (*left == 0) == (blank == 0) && *left >= blank);
    let left = left.ok_or_else(malformed)?;
    let mut number = 0;
    let share = |share: Option<Option<u8>>| match share {
        None => 0,
        Some(Some(percent)) => percent,
        Some(None) => {
            // The first ones get what does not divide evenly.
            number += 1;
            (left / blank + u32::from(number <= left % blank)) as u8
        }
    };
    Ok(WriteShares(shares.map(share)))
}

/// Range of offsets in bytes whose writes have a placement identifier: a line of `dp_scheme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeRange {
    /// Offset of the first byte.
    pub start: u64,
    /// Offset behind the last byte.
    pub end: u64,
    /// Identifier.
    pub id: u16,
}

/// Returns the ranges of a scheme, one per line: `START, END, ID`. Empty lines are left out.
///
/// # Errors
/// The number of the first line, from 1, that is not such a line.
pub fn scheme(text: &str) -> Result<Vec<SchemeRange>, u32> {
    let range = |line: &str| -> Option<SchemeRange> {
        let mut fields = line.split(',').map(str::trim);
        let (start, end) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        let id = fields.next()?.parse().ok()?;
        (fields.next().is_none() && start < end).then_some(SchemeRange { start, end, id })
    };
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| range(line).ok_or(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placement_ids_are_numbers_and_ranges() {
        assert_eq!(placement_ids("1,2-4, 5,65535"), Some(vec![1, 2, 3, 4, 5, 65535]));
        assert_eq!(placement_ids("0-127").map(|ids| ids.len()), Some(128));
        for wrong in ["", "a", "1,", "65536", "3-2", "0-128", "0-65535", "-1"] {
            assert_eq!(placement_ids(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn shares_of_write_commands_add_up_to_100() {
        for (text, shares) in [
            ("write", [100, 0, 0, 0, 0]),
            ("zone_append", [0, 0, 0, 0, 100]),
            ("zeroes/100", [0, 0, 100, 0, 0]),
            ("write/50:zone_append/50", [50, 0, 0, 0, 50]),
            ("write/60:zeroes:uncor/10:verify", [60, 10, 15, 15, 0]),
            ("write:zeroes/:verify/", [34, 0, 33, 33, 0]),
        ] {
            assert_eq!(write_shares(text), Ok(WriteShares(shares)), "{text}");
        }
        for wrong in [
            "",
            "writes",
            "write/50",
            "write/50:zeroes/60",
            "write/50:write/50",
            "write/x",
            "write/100:uncor",
        ] {
            assert!(write_shares(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn scheme_has_a_range_per_line() {
        let range = |start, end, id| SchemeRange { start, end, id };
        assert_eq!(
            scheme("0, 10737418240, 0\n\n5,6,65535"),
            Ok(vec![range(0, 10737418240, 0), range(5, 6, 65535)])
        );
        for (text, line) in
            [("0,1", 1), ("0,1,2\n2,1,0", 2), ("0,1,2\n\n0,1,2,3", 3), ("0,1,65536", 1), ("x", 1)]
        {
            assert_eq!(scheme(text), Err(line), "{text}");
        }
    }
}
