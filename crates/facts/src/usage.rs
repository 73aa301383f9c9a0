//! Who uses a block device: mounts, swap, what is built on it, and what it carries.

use crate::SysRoot;
use crate::layers::{Device, DeviceKind, Mounted, mounts, unescape};
use crate::signature::Signature;
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// One reason not to write to a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// It, or a partition of it, is mounted.
    Mounted {
        /// Kernel name of what is mounted.
        device: String,
        /// Where.
        at: PathBuf,
    },
    /// It, or a partition of it, is swapped to.
    Swap {
        /// Kernel name.
        device: String,
    },
    /// It, or a partition of it, is part of another device (LVM, RAID, dm, bcache).
    Held {
        /// Kernel name.
        device: String,
        /// Kernel name of the other device.
        by: String,
    },
    /// A loop device lies on it or on a partition of it.
    Loop {
        /// Kernel name.
        device: String,
        /// Kernel name of the loop device.
        by: String,
    },
    /// It is a loop device, and another one lies on the same part of its file.
    SameFile {
        /// Kernel name of the other loop device.
        by: String,
        /// What the other one is used for, if the system uses it.
        used: Option<Box<Use>>,
    },
    /// Another program has it open for writing.
    Opened {
        /// Name of the program.
        program: String,
        /// Its process.
        pid: u32,
    },
    /// It is a whole disk, and the kernel knows partitions of it, whatever label lies on it.
    Partitioned {
        /// Kernel name of the disk.
        device: String,
        /// Kernel names of its partitions.
        partitions: Vec<String>,
    },
    /// The device carries this signature.
    Carries(Signature),
    /// One of its ends holds data that no generator of test data explains and no signature names.
    Unknown {
        /// Byte of the device at which that data begins, rounded down to a sector.
        offset: u64,
        /// Whether that data is in the last MiB of the device.
        at_end: bool,
    },
}

/// Whether anybody has this regular file, which is open here for reading alone, open for writing; `None` where it cannot
/// be told.
pub fn file_has_writer(file: &File) -> Option<bool> {
    sys::lease::written_by_others(file).ok()
}

/// The uses that the running system makes of a device.
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

/// Whether a path names this device. A tree of fixtures has no device nodes: there the last part of the path counts.
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
