//! Removal of test resources by path or name, which works after their process was killed, too.
use crate::{Bounded, TOOL_LIMIT};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Directory in which zram devices are added and removed.
pub(crate) const CONTROL: &str = "/sys/class/zram-control";

/// Unmounts a mount point, lazily if it is still in use, so that a failing test leaves no mount.
pub(crate) fn unmount(point: &Path) {
    use rustix::mount::{UnmountFlags, unmount};
    for flags in [UnmountFlags::empty(), UnmountFlags::DETACH] {
        if unmount(point, flags).is_ok() {
            return;
        }
    }
}

/// Resets the settings changed by [`crate::LoopDevice::tune`], which the next file under the same device would inherit.
pub(crate) fn reset_queue(device: &Path) {
    let Some(name) = device.file_name() else { return };
    let queue = Path::new("/sys/block").join(name).join("queue");
    for (key, value) in [("max_sectors_kb", "0"), ("write_cache", "write back")] {
        let _ = fs::write(queue.join(key), value);
    }
}

/// Detaches a loop device; the kernel detaches a device in use when it is closed.
pub(crate) fn detach_loop(device: &Path) {
    let _ = Command::new("losetup").arg("--detach").arg(device).output_within(TOOL_LIMIT);
}

/// Removes the zram device `name`; other names are ignored.
pub(crate) fn remove_zram(name: &str) {
    let Some(number) = name.strip_prefix("zram").filter(|n| n.parse::<u32>().is_ok()) else { return };
    let _ = fs::write(format!("/sys/block/{name}/reset"), "1");
    let _ = fs::write(Path::new(CONTROL).join("hot_remove"), number);
}
