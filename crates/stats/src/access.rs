//! Access patterns: fio's `rw`, block size, read share and syncs.

use serde::{Deserialize, Serialize};

/// Access pattern: fio's `rw`, block size, read share and syncs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// Value of fio's `rw`: `read`, `write`, `randread`, `randwrite`, `rw` or `randrw`.
    pub rw: String,
    /// Block size, bytes.
    pub bs: u64,
    /// Share of reads in a mixed pattern, percent; `None` for other patterns.
    pub reads: Option<u32>,
    /// Sync that makes writes durable; `None` without syncs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<WriteSync>,
}

/// Sync after a fixed number of writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WriteSync {
    /// System call of the sync.
    pub call: SyncCall,
    /// Number of writes between two syncs.
    pub every: u64,
}

/// System call that makes the writes of a file durable; fio's option has the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncCall {
    /// `fsync(2)`, which also writes metadata.
    Fsync,
    /// `fdatasync(2)`, which writes only the metadata needed to read the data.
    Fdatasync,
}

impl SyncCall {
    /// All sync calls.
    pub const ALL: [SyncCall; 2] = [SyncCall::Fsync, SyncCall::Fdatasync];

    /// Returns the name of the call, which is also the name of fio's option.
    pub fn name(self) -> &'static str {
        match self {
            SyncCall::Fsync => "fsync",
            SyncCall::Fdatasync => "fdatasync",
        }
    }
}

impl WriteSync {
    /// Returns the more frequent of the syncs set by `fsync` and `fdatasync` (writes between two syncs); `None` if
    /// both are 0.
    pub fn of(fsync: u64, fdatasync: u64) -> Option<WriteSync> {
        let asked = [(SyncCall::Fsync, fsync), (SyncCall::Fdatasync, fdatasync)].into_iter();
        let first = asked.filter(|(_, every)| *every > 0).min_by_key(|(call, every)| (*every, *call));
        first.map(|(call, every)| WriteSync { call, every })
    }
}

impl std::fmt::Display for WriteSync {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.call.name(), self.every)
    }
}

/// Largest number of writes per sync of a pattern that is measured by its commit latency: a sync takes longer than so
/// few writes.
pub const FEW_WRITES: u64 = 8;

impl Access {
    /// Returns whether the pattern syncs after at most [`FEW_WRITES`] writes, so that commits are measured.
    pub fn commits(&self) -> bool {
        self.sync.is_some_and(|sync| sync.every <= FEW_WRITES)
    }

    /// Returns whether the pattern changes data on the target.
    pub fn writes(&self) -> bool {
        self.rw.contains("write") || self.rw.ends_with("rw")
    }

    /// Returns whether offsets are random.
    pub fn random(&self) -> bool {
        self.rw.starts_with("rand")
    }
}
