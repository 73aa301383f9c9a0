//! Result of `fathom prefill`: the unwritten ranges of a target, and how they were filled.

use serde::{Deserialize, Serialize};

/// Kind of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrefillTarget {
    /// A regular file that is not fathom's.
    #[default]
    File,
    /// A file that fathom made: it is filled without a question.
    ScratchFile,
    /// A block device.
    Device,
}

/// How it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrefillEnd {
    /// Nothing was missing.
    #[default]
    Whole,
    /// Nothing was missing, and fathom remembers that it filled it.
    FilledBefore,
    /// It was filled.
    Filled,
    /// The user declined.
    Declined,
    /// A signal ended it; what was written stays, and it is not remembered as filled.
    Interrupted,
}

/// Bytes that reads get zeros for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfilled {
    /// In holes: no space is reserved for them.
    pub holes: u64,
    /// In extents that are reserved and were never written.
    pub unwritten: u64,
    /// Written as zeros.
    pub zeros: u64,
}

impl Unfilled {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.holes + self.unwritten + self.zeros
    }
}

/// Where it is recorded that a target is filled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedIn {
    /// In an extended attribute of the file.
    Attribute {
        /// Name of the attribute.
        name: String,
    },
    /// In the file of this path; in JSON, the place in words.
    #[serde(untagged)]
    Text(String),
}

/// A note about the result of a prefill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrefillNote {
    /// The device was recorded as filled but holds zeros, and was filled anew.
    HoldsZeros,
    /// After it was filled, ranges of the device were discarded or it was connected anew; it was filled anew.
    DiscardedSince,
    /// The file system still reports unwritten ranges, so the file is not recorded as filled.
    StillUnwritten {
        /// Their bytes.
        bytes: u64,
    },
    /// Neither XDG_STATE_HOME nor HOME is set, so the device is not recorded as filled.
    NoStateDirectory,
    /// The record could not be written.
    NotRecorded {
        /// Number of the error of the system.
        errno: i32,
    },
    /// The note in words, as in JSON.
    #[serde(untagged)]
    Text(String),
}

/// The answer of `fathom prefill`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prefill {
    /// Version of fathom.
    pub version: String,
    /// File or device as given.
    pub target: String,
    /// Its kind.
    pub kind: PrefillTarget,
    /// From the top down in words: `ext4`, `vda1 (partition)`, `vda (disk, ssd)`.
    pub stack: Vec<String>,
    /// Bytes of the file or device.
    pub size: u64,
    /// First byte of the region that was examined.
    pub offset: u64,
    /// Bytes of it.
    pub length: u64,
    /// Unwritten bytes of a file; of a device only the sample is known.
    pub found: Unfilled,
    /// Blocks that were examined for zeros.
    pub sampled_blocks: u32,
    /// Those that held only zeros.
    pub zero_blocks: u32,
    /// Stretches to write.
    pub pieces: u64,
    /// Their bytes.
    pub to_write: u64,
    /// How it ended.
    pub end: PrefillEnd,
    /// Bytes written.
    pub written: u64,
    /// Around the page cache.
    pub direct: bool,
    /// Seconds from the first write to the end of the last sync.
    pub seconds: f64,
    /// Bytes of a file that are still unwritten afterwards.
    pub left: Option<Unfilled>,
    /// Where it is recorded that this region is filled.
    pub remembered_in: Option<RecordedIn>,
    /// Notes for the reader.
    pub notes: Vec<PrefillNote>,
}

impl Prefill {
    /// Share of the region that is to be written, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.to_write as f64 / self.length.max(1) as f64
    }

    /// Bytes per second of the filling; `None` where nothing was written.
    pub fn bytes_per_second(&self) -> Option<u64> {
        (self.written > 0 && self.seconds > 0.0).then(|| (self.written as f64 / self.seconds) as u64)
    }
}
