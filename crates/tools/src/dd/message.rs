//! What a copy reports while it runs, as data; `report` has the words.

use stats::dd::CopyCounts;
use std::ffi::OsString;
use std::time::Duration;

/// A message of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What happened.
    pub event: Event,
    /// Name of the file.
    pub file: OsString,
    /// Number of the system's error; `None` if there is none.
    pub errno: Option<i32>,
}

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A file cannot be opened.
    Open,
    /// The flags of an inherited descriptor cannot be set.
    SetFlags,
    /// A read failed.
    Read,
    /// The write of an input block failed.
    Write,
    /// The write of an output block failed that was put together from input blocks.
    WriteOutputBlock,
    /// The input ended before the offset of `skip`.
    SkipBeyondEnd,
    /// The input cannot be positioned.
    Skip,
    /// The output cannot be positioned.
    Seek,
    /// The offset of `seek` is no offset of a file.
    OffsetTooLarge {
        /// Number of blocks.
        blocks: u64,
        /// Size of a block in bytes.
        block: u64,
    },
    /// The output cannot be cut or extended to this size.
    Truncate {
        /// Size in bytes.
        bytes: u64,
    },
    /// Memory for a buffer is short.
    Memory {
        /// Whether the buffer is that of the input.
        input: bool,
        /// Size of the buffer in bytes.
        bytes: u64,
    },
    /// A block was read in part, so that a number of blocks is not an amount of data.
    PartialRead {
        /// Bytes of the block.
        bytes: u64,
    },
    /// The offset after a failed read is not the one expected.
    InvalidOffset,
    /// O_DIRECT cannot be cleared for the last block.
    ClearDirect,
    /// The flush of the data failed.
    FlushData,
    /// The flush of data and metadata failed.
    Flush,
    /// The data cannot be dropped from the page cache.
    DropCache,
    /// The input cannot be closed.
    CloseInput,
    /// The output cannot be closed, so earlier writes may be lost.
    CloseOutput,
}

/// Receiver of messages and statistics.
pub trait Console {
    /// Takes a message.
    fn message(&mut self, message: &Message);
    /// Takes the statistics so far: on request, after a read error, or at the end.
    fn statistics(&mut self, counts: &CopyCounts, elapsed: Duration);
    /// Takes the statistics of `status=progress`.
    fn progress(&mut self, counts: &CopyCounts, elapsed: Duration);
}
