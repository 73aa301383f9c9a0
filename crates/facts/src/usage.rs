//! Uses of a block device by the running system: mounts, swap, devices built on it.

use crate::SysRoot;
use crate::layers::{Device, DeviceKind, Mounted, mounts, unescape};
use crate::signature::Signature;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Reason not to write to a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// The device or one of its partitions is mounted.
    Mounted {
        /// Kernel name of the mounted device.
        device: String,
        /// Mount point.
        at: PathBuf,
    },
    /// The device or one of its partitions is a swap area.
    Swap {
        /// Kernel name of the swap device.
        device: String,
    },
    /// The device or one of its partitions is part of another device (LVM, RAID, dm, bcache).
    Held {
        /// Kernel name of the device or partition.
        device: String,
        /// Kernel name of the other device.
        by: String,
    },
    /// The device or one of its partitions is the backing device of a loop device.
    Loop {
        /// Kernel name of the device or partition.
        device: String,
        /// Kernel name of the loop device.
        by: String,
    },
    /// The device is a loop device, and another loop device covers the same bytes of its file.
    SameFile {
        /// Kernel name of the other loop device.
        by: String,
        /// Use of the other loop device; `None` if the system does not use it.
        used: Option<Box<Use>>,
    },
    /// Another program has the device open for writing.
    Opened {
        /// Name of the program.
        program: String,
        /// Process ID of the program.
        pid: u32,
    },
    /// The device is a whole disk on which the kernel has found partitions.
    Partitioned {
        /// Kernel name of the disk.
        device: String,
        /// Kernel names of its partitions.
        partitions: Vec<String>,
    },
    /// The device contains this signature.
    Carries(Signature),
    /// The device contains data without a known signature that is not generated test data.
    Unknown {
        /// Offset in bytes on the device at which the data begins, rounded down to a sector.
        offset: u64,
        /// Part of the device.
        part: DevicePart,
    },
}

/// Part of a device in which data was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DevicePart {
    /// The first MiB.
    First,
    /// The last MiB.
    Last,
    /// Between them, where samples are read.
    Between,
}

/// Returns whether any process has this regular file open for writing; `file` must be open only for reading. `None` if
/// the file system does not support leases.
pub fn file_has_writer(file: &File) -> Option<bool> {
    sys::lease::written_by_others(file).ok()
}

/// Returns the uses of a device by the running system.
pub fn live(root: &SysRoot, device: &Device) -> Vec<Use> {
    let mut uses = Vec::new();
    let mut parts = vec![device.clone()];
    parts.extend(device.partitions(root));
    let mut partitions: Vec<String> = parts[1..].iter().map(|part| part.name.clone()).collect();
    if device.kind == DeviceKind::Partition {
        parts.extend(device.whole(root));
    }
    let (mounts, swaps, loops) = (mounts(root), swaps(root), loops(root));
    for part in &parts {
        let name = || part.name.clone();
        let mounted = mounts.iter().filter(|m| mounts_device(root, m, part));
        uses.extend(mounted.map(|m| Use::Mounted { device: name(), at: m.at.clone() }).take(1));
        if swaps.iter().any(|path| is_device(root, path, part)) {
            uses.push(Use::Swap { device: name() });
        }
        let holders = root.names(part.number.sysfs().join("holders"));
        uses.extend(holders.into_iter().map(|by| Use::Held { device: name(), by }));
        let on_it = loops.iter().filter(|(_, backing)| is_device(root, backing, part));
        uses.extend(on_it.map(|(by, _)| Use::Loop { device: name(), by: by.clone() }));
    }
    if !partitions.is_empty() {
        partitions.sort_by_key(|name| (name.len(), name.clone()));
        uses.push(Use::Partitioned { device: device.name.clone(), partitions });
    }
    uses
}

fn mounts_device(root: &SysRoot, mount: &Mounted, device: &Device) -> bool {
    mount.number == device.number
        || (mount.number.major == 0
            && mount.source.starts_with('/')
            && is_device(root, Path::new(&mount.source), device))
}

/// Returns whether a path names this device. A path below `/dev` that does not exist, as in the fixtures of tests,
/// names the device if its last component is the kernel name.
fn is_device(root: &SysRoot, path: &Path, device: &Device) -> bool {
    match std::fs::metadata(root.path(path)) {
        Ok(meta) if meta.rdev() != 0 => crate::layers::DeviceNumber::from_raw(meta.rdev()) == device.number,
        Ok(_) => false,
        Err(_) => {
            path.starts_with("/dev") && path.file_name().is_some_and(|n| n.to_string_lossy() == device.name)
        }
    }
}

pub(crate) fn swaps(root: &SysRoot) -> Vec<PathBuf> {
    let text = root.read("/proc/swaps").unwrap_or_default();
    text.lines().skip(1).filter_map(|l| Some(unescape(l.split_whitespace().next()?).into())).collect()
}

pub(crate) fn loops(root: &SysRoot) -> Vec<(String, PathBuf)> {
    let names = root.names("/sys/block").into_iter().filter(|n| n.starts_with("loop"));
    names
        .filter_map(|n| {
            Some((n.clone(), root.read(format!("/sys/block/{n}/loop/backing_file")).ok()?.into()))
        })
        .collect()
}
