//! Result of the verification of a job's data.

use serde::{Deserialize, Serialize};

/// Number of mismatches that are kept with their places.
pub const MISMATCHES_KEPT: usize = 32;

/// What has happened to a block that does not contain what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Damage {
    /// Single bits differ.
    Flip {
        /// Number of bits that differ.
        bits: u32,
    },
    /// Part of the block is as it was written, and the rest is not.
    Torn,
    /// The block contains an earlier write to the same place: the last one is lost.
    Lost,
    /// The block contains what was written to another place.
    Misdirected {
        /// Offset of the other place in bytes.
        from: u64,
    },
    /// The block contains only zeros.
    Zeroed,
    /// The data is there, moved within the block.
    Shifted {
        /// Number of bytes by which it has moved towards the end.
        by: i64,
    },
    /// The block contains what this job never wrote.
    Foreign,
    /// The block does not match its checksum, and the data that was written is not known.
    Unknown,
    /// The block was trimmed, and still contains the data from before.
    Untrimmed,
}

impl Damage {
    /// Number of kinds of damage.
    pub const KINDS: usize = 9;

    /// Returns the number of the kind, from 0.
    pub fn kind(self) -> usize {
        match self {
            Damage::Flip { .. } => 0,
            Damage::Torn => 1,
            Damage::Lost => 2,
            Damage::Misdirected { .. } => 3,
            Damage::Zeroed => 4,
            Damage::Shifted { .. } => 5,
            Damage::Foreign => 6,
            Damage::Unknown => 7,
            Damage::Untrimmed => 8,
        }
    }
}

/// A check that a block failed, in the order in which they are made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// The header does not begin with the magic number.
    Magic {
        /// The number that was found.
        found: u16,
    },
    /// The header has another length.
    Length {
        /// Length in the header in bytes.
        found: u32,
        /// Distance between two headers in bytes.
        wanted: u32,
    },
    /// The seed in the header is that of another write.
    Seed {
        /// Seed in the header.
        found: u64,
        /// Seed of the last write.
        wanted: u64,
    },
    /// The header has another offset.
    Offset {
        /// Offset in the header in bytes.
        found: u64,
        /// Offset of the block in bytes.
        wanted: u64,
    },
    /// The checksum of the header is wrong.
    Header {
        /// Checksum in the header.
        found: u32,
        /// Checksum of the header's fields.
        calculated: u32,
    },
    /// The checksum of the data area is wrong.
    Checksum {
        /// Name of the checksum, as in `verify=`.
        name: String,
        /// Checksum in the block.
        stored: Vec<u8>,
        /// Checksum of the data that was read.
        calculated: Vec<u8>,
        /// Numbers of the checksum in the header and of the job's, if the header has another kind of checksum.
        kinds: Option<(u16, u16)>,
    },
    /// The data is not the pattern.
    Pattern {
        /// First byte that differs.
        found: u8,
        /// Byte of the pattern.
        wanted: u8,
        /// Position of the byte in the block.
        at: u32,
        /// Whether the pattern is the whole block, without a header.
        alone: bool,
    },
    /// The block was trimmed and does not contain only zeros.
    Trim {
        /// Position of the first byte in the block that is not zero.
        at: u32,
    },
}

/// A block that does not contain what it should.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// Path of the file.
    pub file: String,
    /// Offset of the block in the file in bytes.
    pub offset: u64,
    /// Length of the block in bytes: the distance between two headers.
    pub length: u32,
    /// Offset and length in bytes of the read in which the block was found.
    pub read: (u64, u32),
    /// First check that the block failed.
    pub fault: Fault,
    /// What has happened to the block.
    pub damage: Damage,
}

/// Blocks that a job has checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    /// Number of blocks (intervals between two headers) that were checked.
    pub blocks: u64,
    /// Number of mismatches by [`Damage::kind`].
    pub damaged: [u64; Damage::KINDS],
    /// Number of blocks that were not judged, because they were written while they were read.
    pub unjudged: u64,
    /// The first [`MISMATCHES_KEPT`] mismatches.
    pub first: Vec<Mismatch>,
}

impl Verification {
    /// Returns the number of blocks that do not contain what they should.
    pub fn mismatches(&self) -> u64 {
        self.damaged.iter().sum()
    }

    /// Adds the result of another job.
    pub fn add(&mut self, other: &Verification) {
        self.blocks += other.blocks;
        self.unjudged += other.unjudged;
        self.damaged.iter_mut().zip(other.damaged).for_each(|(to, n)| *to += n);
        let room = MISMATCHES_KEPT.saturating_sub(self.first.len());
        self.first.extend(other.first.iter().take(room).cloned());
    }
}
