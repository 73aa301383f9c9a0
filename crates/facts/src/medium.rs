//! Identity of the medium in a block device, and signs that its content may have been lost.

use crate::SysRoot;
use crate::device_users;
use crate::identity::Seen;
use crate::layers::{Device, DeviceKind, Stack};
use stats::loop_file::LoopFile;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Identity of a medium, and counters that change when its content may have been lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Medium {
    /// Serial number, worldwide name or UUID, or the backing file of a loop device; with the partition, if any.
    pub identity: String,
    /// Whether `identity` belongs to the medium itself. If false, `identity` is the kernel name, which may change at
    /// the next boot.
    pub own: bool,
    /// ID of the current boot of the kernel.
    pub boot: String,
    /// Sequence number of the medium (`diskseq`), unique within a boot; 0 before Linux 5.15.
    pub sequence: u64,
    /// Number of sectors (512 bytes) discarded since boot; for a partition, the sectors of the partition and of the
    /// whole disk together.
    pub discarded: u64,
}

/// Returns the identity and counters of the medium in a device.
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

/// Returns the files of the loop devices in the storage stack under `path`, from the top down. The name of a file may lead to
/// another one than that which the loop device has open.
pub fn loop_files(root: &SysRoot, path: &Path) -> Vec<LoopFile> {
    let Ok(stack) = Stack::under(root, path) else { return Vec::new() };
    let whole = stack.devices().map(|device| device.whole(root).unwrap_or_else(|| device.clone()));
    let mut found: Vec<LoopFile> = whole.filter_map(|device| loop_file(root, &device)).collect();
    found.dedup();
    found
}

fn loop_file(root: &SysRoot, whole: &Device) -> Option<LoopFile> {
    let DeviceKind::Loop { backing } = &whole.kind else { return None };
    let (device, inode) = device_users::backing(root, &whole.name)?;
    let named = Seen::at(&root.path(backing)).ok().filter(|seen| seen.identity.number() == (device, inode));
    let born_ns = named.and_then(|seen| i64::try_from(seen.identity.born()?).ok());
    Some(LoopFile { device, inode, born_ns })
}
