//! Think time of a job: pauses between I/Os, as of an application that computes (`thinktime*`, `thinkcycles`).

use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

/// Pauses of a job after a number of I/Os or after a time with I/O. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThinkTime {
    /// Length of a pause; 0 = no pauses.
    pub pause: u64,
    /// First part of each pause, which is spent with computing; at most `pause`.
    pub spin: u64,
    /// Number of I/Os between two pauses; `None` = a pause depends on the time alone.
    pub blocks: Option<NonZeroU64>,
    /// Whether issued I/Os are counted, not completed ones.
    pub by_issue: bool,
    /// Time with I/O between two pauses; `None` = a pause depends on the number of I/Os alone.
    pub io_time: Option<NonZeroU64>,
    /// Number of cycles of a busy loop after each I/O.
    pub cycles: u64,
    /// Whether a rate stands still during pauses, so that the job does not catch up after them.
    pub holds_rate: bool,
}
