//! Removal of mounts and devices by their path or name, which is also possible if the test process was killed.
use crate::{Bounded, TOOL_LIMIT};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Directory in sysfs through which zram devices are added and removed.
pub(crate) const CONTROL: &str = "/sys/class/zram-control";

/// Unmounts a file system; lazily if it is still in use, so that a failing test leaves no visible mount.
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

/// Detaches a loop device; a device in use is detached when its last user closes it.
pub(crate) fn detach_loop(device: &Path) {
    let _ = Command::new("losetup").arg("--detach").arg(device).output_within(TOOL_LIMIT);
}

/// Removes the zram device `name` (`zram3`); other names are ignored.
pub(crate) fn remove_zram(name: &str) {
    let Some(number) = name.strip_prefix("zram").filter(|n| n.parse::<u32>().is_ok()) else { return };
    let _ = fs::write(format!("/sys/block/{name}/reset"), "1");
    let _ = fs::write(Path::new(CONTROL).join("hot_remove"), number);
}
