//! Which medium a block device is, and whether what was written to it may still be there.

use crate::SysRoot;
use crate::layers::{Device, DeviceKind};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// What tells one medium from another, and what changes when its content goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Medium {
    /// What it is: serial number, worldwide name, UUID, or the file behind a loop device, and which partition of it.
    pub identity: String,
    /// Whether `identity` is the medium's own: one that is only a name does not outlive a boot.
    pub own: bool,
    /// This boot of the kernel.
    pub boot: String,
    /// Number that the kernel gives to each medium that it meets in a boot; 0 before Linux 5.15.
    pub sequence: u64,
    /// Sectors that it was told to discard in this boot, the disk of a partition included.
    pub discarded: u64,
}

/// Looks at a device in sysfs.
pub fn of(root: &SysRoot, device: &Device) -> Medium {
    let whole = device.whole(root).unwrap_or_else(|| device.clone());
    let dir = whole.number.sysfs();
    let word = |file: &str| root.read(dir.join(file)).ok().filter(|text| !text.is_empty());
    let named = ["dm/uuid", "md/uuid", "wwid", "device/wwid", "serial", "device/serial"];
    let behind = match &whole.kind {
        DeviceKind::Loop { backing } => std::fs::metadata(root.path(backing))
            .ok()
            .map(|m| format!("file:{}:{}:{}", m.dev(), m.ino(), backing.display())),
        _ => named.iter().find_map(|file| Some(format!("{file}:{}", word(file)?))),
    };
    let own = behind.is_some();
    let mut identity = behind.unwrap_or_else(|| format!("name:{}", whole.name));
    let part = device.number.sysfs();
    if device.kind == DeviceKind::Partition {
        let figure = |file: &str| root.read(part.join(file)).unwrap_or_default();
        identity += &format!(":part{}@{}", figure("partition"), figure("start"));
    }
    let discarded = |dir: &PathBuf| {
        let stat = root.read(dir.join("stat")).unwrap_or_default();
        stat.split_whitespace().nth(13).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0)
    };
    Medium {
        identity: identity.split_whitespace().collect::<Vec<_>>().join("_"),
        own,
        boot: root.read("/proc/sys/kernel/random/boot_id").unwrap_or_default(),
        sequence: root.number(dir.join("diskseq")).unwrap_or(0),
        discarded: discarded(&dir) + if part == dir { 0 } else { discarded(&part) },
    }
}
