//! Storage stack under a path: file systems, partitions, md, device mapper, loop devices and disks.

use crate::SysRoot;
use rustix::fs::{AtFlags, FileType, StatxFlags, statx};
use rustix::io::Errno;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Number of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeviceNumber {
    /// Major number, which identifies the driver.
    pub major: u32,
    /// Minor number, which identifies the device of the driver.
    pub minor: u32,
}

impl DeviceNumber {
    /// Returns the device number in `st_dev` or `st_rdev`.
    pub fn from_raw(dev: u64) -> Self {
        Self { major: rustix::fs::major(dev), minor: rustix::fs::minor(dev) }
    }

    /// Reads a device number from text such as `8:1`; `None` for other text.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.trim().split_once(':')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }

    /// Returns the device's directory in sysfs.
    pub fn sysfs(self) -> PathBuf {
        PathBuf::from(format!("/sys/dev/block/{self}"))
    }
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

/// Kind of a block device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// Partition of another device.
    Partition,
    /// Device-mapper device: `lvm`, `crypt`, `mpath`, `dm partition`, or `dm`.
    Mapped(String),
    /// Linux RAID array; contains the level, such as `raid1`.
    Raid(String),
    /// Loop device over a file or another device.
    Loop {
        /// Path of the backing file or device.
        backing: PathBuf,
    },
    /// Compressed memory (zram).
    Zram,
    /// Disk: the lowest device that the kernel shows.
    Disk {
        /// Whether the device reports a rotational medium; virtual disks often do so without one.
        rotational: bool,
    },
}

/// Block device known to the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Major and minor number.
    pub number: DeviceNumber,
    /// Kernel name, such as `sda1`.
    pub name: String,
    /// Kind of the device.
    pub kind: DeviceKind,
}

impl Device {
    /// Returns the block device with this number; `None` if sysfs has no such device.
    pub fn of(root: &SysRoot, number: DeviceNumber) -> Option<Device> {
        let dir = number.sysfs();
        let name = root.link_name(&dir)?;
        let has = |file: &str| root.path(dir.join(file)).exists();
        let kind = if has("partition") {
            DeviceKind::Partition
        } else if has("dm") {
            let uuid = root.read(dir.join("dm/uuid")).unwrap_or_default();
            let known = [("LVM-", "lvm"), ("CRYPT-", "crypt"), ("mpath-", "mpath"), ("part", "dm partition")];
            let word = known.iter().find(|(start, _)| uuid.starts_with(start)).map_or("dm", |k| k.1);
            DeviceKind::Mapped(word.to_owned())
        } else if has("md") {
            DeviceKind::Raid(root.read(dir.join("md/level")).unwrap_or_else(|_| "md".into()))
        } else if let Ok(backing) = root.read(dir.join("loop/backing_file")) {
            DeviceKind::Loop { backing: backing.trim_end_matches(" (deleted)").into() }
        } else if name.starts_with("zram") {
            DeviceKind::Zram
        } else {
            DeviceKind::Disk { rotational: root.number(dir.join("queue/rotational")) == Some(1u8) }
        };
        Some(Device { number, name, kind })
    }

    /// Returns the disk of a partition; of other devices, the device itself.
    pub fn whole(&self, root: &SysRoot) -> Option<Device> {
        if self.kind != DeviceKind::Partition {
            return Some(self.clone());
        }
        Device::of(root, parent(root, self.number)?)
    }

    /// Returns the size in bytes according to sysfs.
    pub fn size(&self, root: &SysRoot) -> Option<u64> {
        root.number::<u64>(self.number.sysfs().join("size"))?.checked_mul(512)
    }

    /// Returns the partitions of the device; empty if it has none.
    pub fn partitions(&self, root: &SysRoot) -> Vec<Device> {
        let dir = self.number.sysfs();
        let parts =
            root.names(&dir).into_iter().filter(|n| root.path(dir.join(n).join("partition")).exists());
        parts
            .filter_map(|n| Device::of(root, DeviceNumber::parse(&root.read(dir.join(n).join("dev")).ok()?)?))
            .collect()
    }

    /// Returns the devices of which a stacked device consists (`slaves/` in sysfs).
    pub fn members(&self, root: &SysRoot) -> Vec<Device> {
        let dir = self.number.sysfs().join("slaves");
        let names = root.names(&dir).into_iter();
        names
            .filter_map(|n| Device::of(root, DeviceNumber::parse(&root.read(dir.join(n).join("dev")).ok()?)?))
            .collect()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.kind {
            DeviceKind::Partition => write!(f, "{name} (partition)"),
            DeviceKind::Mapped(word) | DeviceKind::Raid(word) => write!(f, "{name} ({word})"),
            DeviceKind::Loop { .. } => write!(f, "{name} (loop)"),
            DeviceKind::Zram => write!(f, "{name} (zram)"),
            DeviceKind::Disk { rotational } => {
                // The flag is 1 by default, also on disks without rotating parts; 0 is always set by a driver.
                write!(f, "{name} (disk, {})", if *rotational { "reports rotational" } else { "ssd" })
            }
        }
    }
}

/// Mounted file system: a line of `/proc/self/mountinfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mounted {
    /// ID of the mount.
    pub id: u64,
    /// Device number of the file system's superblock; major 0 for file systems without a device of their own.
    pub number: DeviceNumber,
    /// Directory of the file system that is mounted; `/` unless only a part is mounted.
    pub within: PathBuf,
    /// Mount point.
    pub at: PathBuf,
    /// Type of the file system, such as `ext4`.
    pub kind: String,
    /// Source of the mount, such as the path of a device.
    pub source: String,
    /// Options of the superblock, separated by commas.
    pub options: String,
    /// Options of this mount (`ro`, `noatime`), separated by commas.
    pub flags: String,
}

/// Returns whether a mount option turns on compression of written data.
pub fn compresses(option: &str) -> bool {
    option.starts_with("compress") && !option.ends_with("=no") && !option.ends_with("=none")
}

/// Returns all mounts in the mount namespace of this process, in the order of mounting.
pub fn mounts(root: &SysRoot) -> Vec<Mounted> {
    let text = root.read("/proc/self/mountinfo").unwrap_or_default();
    text.lines().filter_map(mount_line).collect()
}

fn mount_line(line: &str) -> Option<Mounted> {
    let (left, right) = line.split_once(" - ")?;
    let left: Vec<&str> = left.split(' ').collect();
    let mut right = right.split(' ');
    Some(Mounted {
        id: left.first()?.parse().ok()?,
        number: DeviceNumber::parse(left.get(2)?)?,
        within: unescape(left.get(3)?).into(),
        at: unescape(left.get(4)?).into(),
        kind: right.next()?.to_owned(),
        source: unescape(right.next()?),
        options: right.next().unwrap_or_default().to_owned(),
        flags: left.get(5).copied().unwrap_or_default().to_owned(),
    })
}

/// Decodes octal escapes, which the kernel writes for blank, tab, newline and backslash.
pub(crate) fn unescape(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let code = bytes.get(i + 1..i + 4).and_then(|d| std::str::from_utf8(d).ok());
        match code.and_then(|d| u8::from_str_radix(d, 8).ok()) {
            Some(byte) if bytes[i] == b'\\' => {
                out.push(byte);
                i += 4;
            }
            _ => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Layer of a storage stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Mounted file system.
    FileSystem(Mounted),
    /// Block device.
    Device(Device),
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layer::FileSystem(m) => f.write_str(&m.kind),
            Layer::Device(d) => d.fmt(f),
        }
    }
}

/// Storage stack under a path, from the top down; each device occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// Layers from the top down.
    pub layers: Vec<Layer>,
}

impl Stack {
    /// Returns the storage stack under `path`, which may be a file, a directory, a device or a link to any of them
    /// (`/proc/self/fd/N`).
    ///
    /// # Errors
    /// The path cannot be examined.
    pub fn under(root: &SysRoot, path: &Path) -> io::Result<Stack> {
        let mut stack = Stack::default();
        stack.descend(root, &mounts(root), &look(path)?, 0);
        Ok(stack)
    }

    /// Returns the storage stack of a block device, the device itself first.
    pub fn of_device(root: &SysRoot, number: DeviceNumber) -> Stack {
        let mut stack = Stack::default();
        stack.device(root, &mounts(root), number, 0);
        stack
    }

    /// Returns the block devices of the stack, from the top down.
    pub fn devices(&self) -> impl Iterator<Item = &Device> {
        self.layers.iter().filter_map(|l| match l {
            Layer::Device(d) => Some(d),
            Layer::FileSystem(_) => None,
        })
    }

    /// Returns a text for each layer, such as `ext4` or `sda1 (partition)`.
    pub fn words(&self) -> Vec<String> {
        self.layers.iter().map(Layer::to_string).collect()
    }

    fn descend(&mut self, root: &SysRoot, mounts: &[Mounted], at: &Place, depth: u32) {
        if at.block {
            return self.device(root, mounts, at.rdev, depth);
        }
        // If the ID of the mount is unknown, the path belongs to the last mount of its device number.
        let by_id = mounts.iter().find(|m| Some(m.id) == at.mount);
        let Some(mount) = by_id.or_else(|| mounts.iter().rfind(|m| m.number == at.dev)) else {
            return self.device(root, mounts, at.dev, depth);
        };
        self.layers.push(Layer::FileSystem(mount.clone()));
        if mount.number.major != 0 {
            return self.device(root, mounts, mount.number, depth);
        }
        if mount.kind == "overlay" {
            let upper = mount.options.split(',').find_map(|o| o.strip_prefix("upperdir="));
            if let Some(place) = upper.and_then(|u| look(&root.path(unescape(u))).ok()).filter(|_| depth < 16)
            {
                self.descend(root, mounts, &place, depth + 1);
            }
            return;
        }
        // btrfs and similar file systems have their own device number, and their source is the (first) device.
        let source = mount.source.starts_with('/').then(|| look(&root.path(&mount.source)).ok()).flatten();
        let Some(first) = source.filter(|p| p.block).map(|p| p.rdev) else { return };
        for number in pool(root, first) {
            self.device(root, mounts, number, depth);
        }
    }

    fn device(&mut self, root: &SysRoot, mounts: &[Mounted], number: DeviceNumber, depth: u32) {
        if depth > 16 || self.devices().any(|d| d.number == number) {
            return;
        }
        let Some(device) = Device::of(root, number) else { return };
        self.layers.push(Layer::Device(device.clone()));
        match &device.kind {
            DeviceKind::Partition => {
                if let Some(whole) = parent(root, number) {
                    self.device(root, mounts, whole, depth + 1);
                }
            }
            DeviceKind::Loop { backing } => {
                if let Ok(place) = look(&root.path(backing)) {
                    self.descend(root, mounts, &place, depth + 1);
                }
            }
            _ => {
                for member in device.members(root) {
                    self.device(root, mounts, member.number, depth + 1);
                }
            }
        }
    }
}

/// Returns the number of a partition's disk, whose sysfs directory contains that of the partition.
pub(crate) fn parent(root: &SysRoot, partition: DeviceNumber) -> Option<DeviceNumber> {
    let dir = std::fs::canonicalize(root.path(partition.sysfs())).ok()?;
    DeviceNumber::parse(&std::fs::read_to_string(dir.parent()?.join("dev")).ok()?)
}

/// Returns all devices of the btrfs file system on `first`; only `first` if it belongs to none.
fn pool(root: &SysRoot, first: DeviceNumber) -> Vec<DeviceNumber> {
    let name = root.link_name(first.sysfs()).unwrap_or_default();
    for id in root.names("/sys/fs/btrfs") {
        let dir = PathBuf::from(format!("/sys/fs/btrfs/{id}/devices"));
        let names = root.names(&dir);
        if names.contains(&name) {
            let number = |n: &String| DeviceNumber::parse(&root.read(dir.join(n).join("dev")).ok()?);
            return names.iter().filter_map(number).collect();
        }
    }
    vec![first]
}

/// File or device at a path, with its mount.
#[derive(Clone, Copy, Debug)]
struct Place {
    block: bool,
    rdev: DeviceNumber,
    dev: DeviceNumber,
    mount: Option<u64>,
}

fn look(path: &Path) -> io::Result<Place> {
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::MNT_ID;
    let s = match statx(rustix::fs::CWD, path, AtFlags::empty(), wanted) {
        // Seccomp filters of containers may forbid statx. stat does not report the mount.
        Err(Errno::NOSYS | Errno::PERM) => {
            let s = rustix::fs::stat(path)?;
            return Ok(Place {
                block: FileType::from_raw_mode(s.st_mode) == FileType::BlockDevice,
                rdev: DeviceNumber::from_raw(s.st_rdev),
                dev: DeviceNumber::from_raw(s.st_dev),
                mount: None,
            });
        }
        found => found?,
    };
    let told = StatxFlags::from_bits_retain(s.stx_mask);
    Ok(Place {
        block: FileType::from_raw_mode(u32::from(s.stx_mode)) == FileType::BlockDevice,
        rdev: DeviceNumber { major: s.stx_rdev_major, minor: s.stx_rdev_minor },
        dev: DeviceNumber { major: s.stx_dev_major, minor: s.stx_dev_minor },
        mount: told.contains(StatxFlags::MNT_ID).then_some(s.stx_mnt_id),
    })
}
