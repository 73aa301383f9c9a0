//! The kind of a target according to the kernel, determined without fathom.
use rustix::fs::{major, minor, stat, statfs};
use std::path::Path;

const TMPFS: u64 = 0x0102_1994;
const BLOCK_DEVICE: u32 = 0o060_000;
const KIND: u32 = 0o170_000;

/// Returns whether the data at `path` is in memory: on tmpfs, on zram, or on a loop device over one of these.
pub fn in_memory(path: &Path) -> bool {
    let Ok(meta) = stat(path) else { return false };
    let is_device = meta.st_mode & KIND == BLOCK_DEVICE;
    if !is_device && statfs(path).is_ok_and(|s| s.f_type as u64 == TMPFS) {
        return true;
    }
    let number = if is_device { meta.st_rdev } else { meta.st_dev };
    let Ok(device) = std::fs::canonicalize(format!("/sys/dev/block/{}:{}", major(number), minor(number)))
    else {
        return false;
    };
    // The sysfs directory of a partition is inside that of its disk.
    let whole = if device.join("partition").exists() { device.parent().unwrap_or(&device) } else { &device };
    if whole.file_name().is_some_and(|name| name.to_string_lossy().starts_with("zram")) {
        return true;
    }
    let backing = std::fs::read_to_string(whole.join("loop/backing_file")).unwrap_or_default();
    // The kernel appends this suffix for a deleted file.
    let backing = backing.trim_end().trim_end_matches(" (deleted)");
    !backing.is_empty() && in_memory(Path::new(backing))
}
