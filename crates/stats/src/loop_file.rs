//! Identity of the file under a loop device, by which a stored study recognises it.

use serde::{Deserialize, Serialize};

/// File under a loop device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopFile {
    /// Number of the device that holds the file.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
    /// Birth time, nanoseconds since 1970-01-01 UTC; `None`, which equals any time, if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born_ns: Option<i64>,
}

impl LoopFile {
    fn is(&self, other: &LoopFile) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
            && self.born_ns.zip(other.born_ns).is_none_or(|(a, b)| a == b)
    }

    /// Returns whether these files, found now, are those of a stored study. No files on one side are files that were not
    /// recorded or cannot be examined; other layers are noticed by their names.
    pub fn same(before: &[LoopFile], now: &[LoopFile]) -> bool {
        let all = || before.len() == now.len() && before.iter().zip(now).all(|(a, b)| a.is(b));
        before.is_empty() || now.is_empty() || all()
    }
}
