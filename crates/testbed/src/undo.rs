//! Removal of test resources by path or name, which works after their process was killed, too.
use crate::{Bounded, TOOL_LIMIT};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Directory in which zram devices are added and removed.
pub(crate) const CONTROL: &str = "/sys/class/zram-control";

/// `nr_requests` of a new loop device.
const LOOP_SLOTS: &str = "128";

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
fn reset_queue(device: &Path) {
    let Some(name) = device.file_name() else { return };
    let queue = Path::new("/sys/block").join(name).join("queue");
    // The kernel sets the number of requests anew with the scheduler.
    for (key, value) in [
        ("scheduler", "none"),
        ("max_sectors_kb", "0"),
        ("write_cache", "write back"),
        ("nr_requests", LOOP_SLOTS),
    ] {
        let _ = fs::write(queue.join(key), value);
    }
}

/// Resets and detaches a loop device if its backing file is at or below `backing`; the kernel detaches a device in use
/// when it is closed.
pub(crate) fn detach_loop(device: &Path, backing: &Path) {
    // A device that someone else has open for a moment ends at his close, and its number goes to the next test. While
    // it is open here, its file cannot change between the comparison and the command.
    let Ok(_held) = fs::File::open(device) else { return };
    if backing_of(device).is_some_and(|file| file.starts_with(backing)) {
        reset_queue(device);
        let _ = Command::new("losetup").arg("--detach").arg(device).output_within(TOOL_LIMIT);
    }
}

/// Returns the backing file of a loop device; `None` if it has none.
pub(crate) fn backing_of(device: &Path) -> Option<PathBuf> {
    let file = Path::new("/sys/block").join(device.file_name()?).join("loop/backing_file");
    let text = fs::read_to_string(file).ok()?;
    Some(text.trim_end_matches('\n').trim_end_matches(" (deleted)").into())
}

/// Removes the zram device `name`; other names are ignored.
pub(crate) fn remove_zram(name: &str) {
    let Some(number) = name.strip_prefix("zram").filter(|n| n.parse::<u32>().is_ok()) else { return };
    let _ = fs::write(format!("/sys/block/{name}/reset"), "1");
    let _ = fs::write(Path::new(CONTROL).join("hot_remove"), number);
}
