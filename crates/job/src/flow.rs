//! Part of a job in a flow, whose members share their I/Os by weight (`flow*`).

use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// Part of a job in a flow; each clone is a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// Flow that the job belongs to.
    pub id: i64,
    /// Weight of each clone.
    pub weight: NonZeroU32,
    /// Time in nanoseconds for which a stalled job sleeps; 0 = it looks again at once.
    pub sleep: u64,
}
