//! What two block devices have in common on the way to the CPU: a disk under both, a controller, or a link.

use crate::SysRoot;
use crate::attach::{ancestors, controller};
use crate::layers::{Device, DeviceKind, Stack};
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Part that two block devices share, with its name in sysfs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Common {
    /// Both are the same device.
    Same,
    /// One device consists of the other, among others.
    Within,
    /// Both are partitions of this disk, or one is the disk.
    PartitionsOf(String),
    /// Both are loop devices over this file.
    File(PathBuf),
    /// The data of both are on this disk.
    Disk(String),
    /// Both disks are behind this controller.
    Controller(String),
    /// Both disks are behind this PCIe bridge or USB bus, whose link they share.
    Link(String),
}

impl Common {
    /// Returns whether the two devices cannot both be overwritten.
    pub fn overlaps(&self) -> bool {
        matches!(self, Common::Same | Common::Within | Common::PartitionsOf(_) | Common::File(_))
    }

    /// Returns what two devices share that matters most; `None` if sysfs shows nothing.
    pub fn of(root: &SysRoot, a: &Device, b: &Device) -> Option<Common> {
        if a.number == b.number {
            return Some(Common::Same);
        }
        let wholes = [a, b].map(|device| device.whole(root));
        if let [Some(x), Some(y)] = &wholes
            && x.number == y.number
        {
            return Some(Common::PartitionsOf(x.name.clone()));
        }
        if let (DeviceKind::Loop { backing: x }, DeviceKind::Loop { backing: y }) = (&a.kind, &b.kind) {
            let inode = |path: &Path| std::fs::metadata(root.path(path)).ok().map(|m| (m.dev(), m.ino()));
            // A deleted file has no inode to be looked up.
            if x == y || inode(x).is_some_and(|found| inode(y) == Some(found)) {
                return Some(Common::File(x.clone()));
            }
        }
        let under = |device: &Device| -> Vec<Device> {
            let stack = match &device.kind {
                DeviceKind::Loop { backing } => Stack::under(root, &root.path(backing)).unwrap_or_default(),
                _ => Stack::of_device(root, device.number),
            };
            let disks = stack.devices().filter_map(|layer| layer.whole(root));
            disks.chain(stack.devices().cloned()).collect()
        };
        let (below_a, below_b) = (under(a), under(b));
        let has = |below: &[Device], device: &Device| below.iter().any(|layer| layer.number == device.number);
        if has(&below_a, b) || has(&below_b, a) {
            return Some(Common::Within);
        }
        if let Some(disk) = below_a.iter().find(|layer| has(&below_b, layer)) {
            return Some(Common::Disk(disk.name.clone()));
        }
        let bottom = |below: &[Device], device: &Device| below.last().unwrap_or(device).clone();
        on_the_way(root, &bottom(&below_a, a), &bottom(&below_b, b))
    }
}

/// Returns the directories of a disk in sysfs from the top down; for an NVMe namespace, those of its controller.
fn way(root: &SysRoot, device: &Device) -> Vec<PathBuf> {
    let disk = device.whole(root).unwrap_or_else(|| device.clone());
    let dirs = controller(root, &disk)
        .and_then(|dir| std::fs::canonicalize(root.path(dir)).ok())
        .map_or_else(|| ancestors(root, &disk), |dir| dir.ancestors().map(Path::to_owned).collect());
    dirs.into_iter().rev().collect()
}

fn on_the_way(root: &SysRoot, a: &Device, b: &Device) -> Option<Common> {
    let ways = [a, b].map(|device| way(root, device));
    let names = |way: &[PathBuf]| -> Vec<String> {
        way.iter().filter_map(|dir| dir.file_name()).map(OsStr::to_string_lossy).map(Into::into).collect()
    };
    let [a, b] = ways.each_ref().map(|way| names(way));
    let shared = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let common = &a[..shared];
    if let Some(bus) = common.iter().rev().find(|name| numbered(name, "usb")) {
        return Some(Common::Link(bus.clone()));
    }
    let nearest = common.iter().rposition(|name| is_pci(name))?;
    let name = common[nearest].clone();
    // A disk with a PCI function of its own, further down, shares only the link of the bridge.
    let own = |way: &[String]| way[shared..].iter().any(|name| is_pci(name));
    Some(if own(&a) && own(&b) { Common::Link(name) } else { Common::Controller(name) })
}

fn numbered(name: &str, start: &str) -> bool {
    name.strip_prefix(start).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns whether this is the address of a PCI function, such as `0000:03:00.0`.
fn is_pci(name: &str) -> bool {
    let digits = |part: Option<&str>, len: usize| {
        part.is_some_and(|p| p.len() == len && p.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let mut parts = name.split([':', '.']);
    // The domains of some controllers have five digits.
    (digits(parts.next(), 4)
        || name.len() == 13 && name.is_char_boundary(5) && name[..5].bytes().all(|b| b.is_ascii_hexdigit()))
        && digits(parts.next(), 2)
        && digits(parts.next(), 2)
        && digits(parts.next(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::DeviceNumber;
    use std::fs;

    /// A file tree with disks at these places below `/sys/devices`.
    struct Tree(PathBuf);

    impl Tree {
        fn with(name: &str, disks: &[(&str, u32)]) -> Tree {
            let top = std::env::temp_dir().join(format!("fathom-common-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&top);
            let tree = Tree(top);
            fs::create_dir_all(tree.0.join("sys/dev/block")).unwrap();
            for (place, minor) in disks {
                let dir = tree.0.join("sys/devices").join(place);
                fs::create_dir_all(&dir).unwrap();
                let link = tree.0.join(format!("sys/dev/block/8:{minor}"));
                std::os::unix::fs::symlink(&dir, link).unwrap();
            }
            tree
        }

        fn common(&self, a: u32, b: u32) -> Option<Common> {
            let root = SysRoot::at(&self.0);
            let device = |minor| Device::of(&root, DeviceNumber { major: 8, minor }).unwrap();
            Common::of(&root, &device(a), &device(b))
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn disks_of_one_controller_and_one_bridge_are_told_apart() {
        let tree = Tree::with(
            "controller",
            &[
                ("pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda", 0),
                ("pci0000:00/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0/block/sdb", 16),
                ("pci0000:00/0000:00:03.0/0000:04:00.0/host2/target2:0:0/2:0:0:0/block/sdc", 32),
                ("pci0000:00/0000:00:03.0/0000:05:00.0/host3/target3:0:0/3:0:0:0/block/sdd", 48),
                ("pci0000:00/0000:00:14.0/usb2/2-1/2-1.1/host4/target4:0:0/4:0:0:0/block/sde", 64),
                ("pci0000:00/0000:00:14.0/usb2/2-1/2-1.2/host5/target5:0:0/5:0:0:0/block/sdf", 80),
                ("pci0000:80/0000:80:03.0/0000:84:00.0/host6/target6:0:0/6:0:0:0/block/sdg", 96),
            ],
        );
        assert_eq!(tree.common(0, 16), Some(Common::Controller("0000:00:1f.2".into())));
        assert_eq!(tree.common(32, 48), Some(Common::Link("0000:00:03.0".into())));
        assert_eq!(tree.common(64, 80), Some(Common::Link("usb2".into())));
        for (a, b) in [(0, 32), (0, 64), (48, 96)] {
            assert_eq!(tree.common(a, b), None);
        }
        assert_eq!(tree.common(16, 16), Some(Common::Same));
    }

    #[test]
    fn partitions_of_one_disk_overlap() {
        let disk = "pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda";
        let (one, two) = (format!("{disk}/sda1"), format!("{disk}/sda2"));
        let tree = Tree::with("partitions", &[(disk, 0), (&one, 1), (&two, 2)]);
        let dir = tree.0.join("sys/devices").join(disk);
        fs::write(dir.join("dev"), "8:0\n").unwrap();
        for part in ["sda1", "sda2"] {
            fs::write(dir.join(part).join("partition"), "1\n").unwrap();
        }
        for (a, b) in [(1, 2), (0, 1), (2, 0)] {
            let common = tree.common(a, b).unwrap();
            assert_eq!(common, Common::PartitionsOf("sda".into()));
            assert!(common.overlaps());
        }
    }

    #[test]
    fn only_addresses_of_functions_are_pci() {
        assert!(is_pci("0000:00:1f.2") && is_pci("10000:e1:00.0"));
        for other in ["pci0000:00", "0:0:0:0", "0000:00:1f", "target0:0:0", "0000-00-1f.2"] {
            assert!(!is_pci(other), "{other}");
        }
    }
}
