//! Memory of the machine.

use crate::SysRoot;

/// Returns the bytes of memory available without swapping (`MemAvailable`), limited by the process's control groups;
/// `None` if /proc/meminfo is not available.
pub fn available_bytes(root: &SysRoot) -> Option<u64> {
    let host = field(root, "MemAvailable")?;
    let cgroup = crate::cgroup::limits(root).memory_left_bytes.unwrap_or(u64::MAX);
    Some(host.min(cgroup))
}

/// Returns the bytes of memory of the machine (`MemTotal`); `None` if /proc/meminfo is not available.
pub fn total_bytes(root: &SysRoot) -> Option<u64> {
    field(root, "MemTotal")
}

/// Returns the bytes in the page cache that are dirty or in writeback; `None` if /proc/meminfo is not available.
pub fn unwritten_bytes(root: &SysRoot) -> Option<u64> {
    Some(field(root, "Dirty")? + field(root, "Writeback")?)
}

pub(crate) fn field(root: &SysRoot, name: &str) -> Option<u64> {
    let text = root.read("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}
