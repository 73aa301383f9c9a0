//! Access patterns: fio's `rw`, block size, mix and the syncs that make writes durable.

use serde::{Deserialize, Serialize};

/// An access pattern: fio's `rw`, block size and mix.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// `read`, `write`, `randread`, `randwrite`, `rw`, `randrw`.
    pub rw: String,
    /// Block size, bytes.
    pub bs: u64,
    /// Percent of reads in a mix.
    pub reads: Option<u32>,
    /// The sync that makes writes durable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sync: Option<WriteSync>,
}

/// A sync after every so many writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WriteSync {
    /// The call.
    pub call: SyncCall,
    /// Number of writes that it follows.
    pub every: u64,
}

/// A call that makes a file's writes durable; fio's option for it has the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SyncCall {
    /// fsync.
    Fsync,
    /// fdatasync.
    Fdatasync,
}

impl SyncCall {
    /// Both.
    pub const ALL: [SyncCall; 2] = [SyncCall::Fsync, SyncCall::Fdatasync];

    /// Returns the name of the call and of the option.
    pub fn name(self) -> &'static str {
        match self {
            SyncCall::Fsync => "fsync",
            SyncCall::Fdatasync => "fdatasync",
        }
    }
}

impl WriteSync {
    /// Returns the more frequent of the syncs that `fsync=` and `fdatasync=` request; `None` if both are 0.
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

/// The most writes per sync of a pattern whose latency is that of its commits: a sync takes longer than so few writes.
pub const FEW_WRITES: u64 = 8;

impl Access {
    /// Whether it syncs after every few writes.
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
