//! Result of `fathom prefill`: the unwritten ranges of a target, and how they were filled.

use serde::{Deserialize, Serialize};

/// Kind of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrefillTarget {
    /// Regular file that fathom did not create.
    #[default]
    File,
    /// A scratch file that fathom created; filled without confirmation.
    ScratchFile,
    /// A block device.
    Device,
}

/// Outcome of a prefill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrefillEnd {
    /// The target had no unwritten ranges.
    #[default]
    Whole,
    /// The target had no unwritten ranges, and fathom's record shows an earlier fill.
    FilledBefore,
    /// The unwritten ranges were filled.
    Filled,
    /// The user declined to fill the target.
    Declined,
    /// A signal ended the fill. Data already written remains; the target is not recorded as filled.
    Interrupted,
}

/// Bytes for which reads return zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfilled {
    /// Bytes in holes, which have no space reserved.
    pub holes: u64,
    /// Bytes in unwritten extents, which are reserved and were never written.
    pub unwritten: u64,
    /// Bytes written as zeros.
    pub zeros: u64,
}

impl Unfilled {
    /// Returns the sum of all three, bytes.
    pub fn total(&self) -> u64 {
        self.holes + self.unwritten + self.zeros
    }
}

/// Place of the record that a target is filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedIn {
    /// Extended attribute of the file.
    Attribute {
        /// Name of the attribute.
        name: String,
    },
    /// Path of a record file, or in JSON the place as text.
    #[serde(untagged)]
    Text(String),
}

/// Note about the result of a prefill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrefillNote {
    /// The device was recorded as filled but contains zeros; the device was filled again.
    HoldsZeros,
    /// Since the recorded fill, ranges of the device were discarded or the device was reconnected; the device was
    /// filled again.
    DiscardedSince,
    /// The file system still reports unwritten ranges, so the file is not recorded as filled.
    StillUnwritten {
        /// Size of these ranges, bytes.
        bytes: u64,
    },
    /// Neither XDG_STATE_HOME nor HOME is set, so the device is not recorded as filled.
    NoStateDirectory,
    /// The record could not be written.
    NotRecorded {
        /// Error of the failed call (errno).
        errno: i32,
    },
    /// Text of a note read from JSON.
    #[serde(untagged)]
    Text(String),
}

/// Result of `fathom prefill`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prefill {
    /// Version of fathom that filled the target.
    pub version: String,
    /// File or device as given.
    pub target: String,
    /// Kind of the target.
    pub kind: PrefillTarget,
    /// Layers, top down: `ext4`, `vda1 (partition)`, `vda (disk, ssd)`.
    pub stack: Vec<String>,
    /// Size of the file or device, bytes.
    pub size: u64,
    /// Start of the examined region, bytes.
    pub offset: u64,
    /// Size of the examined region, bytes.
    pub length: u64,
    /// Unwritten bytes of a file; for a device only the sample below is known.
    pub found: Unfilled,
    /// Number of blocks examined for zeros.
    pub sampled_blocks: u32,
    /// Number of these blocks that contained only zeros.
    pub zero_blocks: u32,
    /// Number of ranges to write.
    pub pieces: u64,
    /// Total size of the ranges to write, bytes.
    pub to_write: u64,
    /// Outcome of the prefill.
    pub end: PrefillEnd,
    /// Bytes written by the fill.
    pub written: u64,
    /// Whether direct I/O was used.
    pub direct: bool,
    /// Time from the first write to the end of the last sync, seconds.
    pub seconds: f64,
    /// Unwritten bytes of a file after the fill; `None` if not examined.
    pub left: Option<Unfilled>,
    /// Place of the record that this region is filled; `None` without a record.
    pub remembered_in: Option<RecordedIn>,
    /// Notes for the reader.
    pub notes: Vec<PrefillNote>,
}

impl Prefill {
    /// Returns the share of the region to write, percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.to_write as f64 / self.length.max(1) as f64
    }

    /// Returns the bandwidth of the fill, bytes per second; `None` if no data was written.
    pub fn bytes_per_second(&self) -> Option<u64> {
        (self.written > 0 && self.seconds > 0.0).then(|| (self.written as f64 / self.seconds) as u64)
    }
}
