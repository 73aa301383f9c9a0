//! Data directions: reads, writes and trims.

use serde::{Deserialize, Serialize};

/// Data direction. Its `as usize` is the index into arrays of three (read, write, trim).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Read I/Os.
    #[default]
    Read,
    /// Write I/Os.
    Write,
    /// Trim I/Os (discards).
    Trim,
}

impl Direction {
    /// All directions in index order.
    pub const ALL: [Direction; 3] = [Direction::Read, Direction::Write, Direction::Trim];

    /// Returns `read`, `write` or `trim`.
    pub fn name(self) -> &'static str {
        ["read", "write", "trim"][self as usize]
    }
}
