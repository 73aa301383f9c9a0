//! Memory.

use crate::SysRoot;

/// Bytes that can be had without swapping (`MemAvailable`), no more than the process's cgroups allow; `None` if the
/// kernel does not say.
pub fn available_bytes(root: &SysRoot) -> Option<u64> {
    let host = field(root, "MemAvailable")?;
    let cgroup = crate::cgroup::limits(root).memory_left_bytes.unwrap_or(u64::MAX);
    Some(host.min(cgroup))
}

/// Bytes of memory in all (`MemTotal`); `None` if the kernel does not say.
pub fn total_bytes(root: &SysRoot) -> Option<u64> {
    field(root, "MemTotal")
}

/// Bytes that wait in the page cache to be written, or are being written; `None` if the kernel does not say.
pub fn unwritten_bytes(root: &SysRoot) -> Option<u64> {
    Some(field(root, "Dirty")? + field(root, "Writeback")?)
}

pub(crate) fn field(root: &SysRoot, name: &str) -> Option<u64> {
    let text = root.read("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}
