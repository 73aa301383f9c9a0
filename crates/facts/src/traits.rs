//! Properties of a block device that affect the interpretation of a run.

use crate::SysRoot;
use crate::attach::{Attachment, Identity};
use crate::cgroup::CgroupLimits;
use crate::flash;
use crate::layers::{Device, DeviceKind};
use crate::link::{self, Link};
use crate::md::{Array, Sync};
use crate::queue::Queue;
use stats::{DeviceCap, DeviceTraits, LayerKind};

/// Returns the properties of `device` according to sysfs, with the I/O limits of this process's control groups.
pub fn of(root: &SysRoot, device: &Device, limits: &CgroupLimits) -> DeviceTraits {
    let dir = device.number.sysfs();
    let queue = Queue::of(root, device);
    let number = |name: &str| root.number::<u64>(dir.join(name));
    let whole = device.whole(root).unwrap_or_else(|| device.clone());
    let identity = Identity::of(root, &whole);
    // I/O limits apply to the whole disk; version 1 also allows them for a partition.
    let cap = limits.io.iter().find(|l| l.device == device.number || l.device == whole.number);
    DeviceTraits {
        name: device.name.clone(),
        kind: match device.kind {
            DeviceKind::Partition => LayerKind::Partition,
            DeviceKind::Mapped(_) => LayerKind::Mapped,
            DeviceKind::Raid(_) => LayerKind::Raid,
            DeviceKind::Loop { .. } => LayerKind::Loop,
            DeviceKind::Zram => LayerKind::Zram,
            DeviceKind::Disk { .. } => LayerKind::Disk,
        },
        size: number("size").unwrap_or(0) * 512,
        rotational: queue.rotational == Some(true),
        guest: guest(&identity),
        logical_block: queue.logical_block_bytes.map_or(0, u64::from),
        physical_block: queue.physical_block_bytes.map_or(0, u64::from),
        largest_request: queue.max_sectors_kib.map(|k| u64::from(k) << 10),
        // An array accepts flushes and reports a write cache; only its members can have one.
        volatile_cache: !matches!(device.kind, DeviceKind::Raid(_))
            && queue.write_cache.as_deref() == Some("write back"),
        start_sector: (device.kind == DeviceKind::Partition).then(|| number("start")).flatten(),
        alignment_offset: alignment_offset(root, device),
        in_memory: device_memory(device, &identity),
        members: device.members(root).into_iter().map(|m| m.name).collect(),
        cap: cap.map_or(DeviceCap::default(), |l| DeviceCap {
            iops: l.iops,
            bytes_per_second: l.bytes_per_second,
        }),
        compressed: compressed(root, device).map(|now| [now, now]),
        rebuilding: rebuilding(root, device),
        node: link::numa_node(root, &whole),
        link: Link::of(root, &whole, &identity).map(|link| link.bytes_per_second()),
        heat: flash::heat(root, &whole).map(|now| [now, now]),
    }
}

/// Returns the driver of a device that keeps its data in memory; `None` for a partition, whose disk is a layer of its own.
fn device_memory(device: &Device, identity: &Identity) -> Option<String> {
    let whole = device.kind != DeviceKind::Partition;
    identity.attachment.volatile_memory().filter(|_| whole).map(str::to_owned)
}

/// Returns the alignment offset in bytes of a stacked device on its members, as computed by the kernel: 0 = aligned or
/// not reported, -1 = cannot be aligned.
pub fn alignment_offset(root: &SysRoot, device: &Device) -> i64 {
    let stacked = matches!(device.kind, DeviceKind::Raid(_) | DeviceKind::Mapped(_));
    let told = || root.number(device.number.sysfs().join("alignment_offset"));
    stacked.then(told).flatten().unwrap_or(0)
}

/// Returns the bytes stored in compressed memory, and the bytes of their compressed form; `None` for other devices.
pub fn compressed(root: &SysRoot, device: &Device) -> Option<(u64, u64)> {
    let text = root.read(device.number.sysfs().join("mm_stat")).ok()?;
    let mut numbers = text.split_whitespace().map_while(|n| n.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// Returns the name of an array's background activity, such as `resync`; `None` if idle or waiting.
pub fn rebuilding(root: &SysRoot, device: &Device) -> Option<String> {
    match Array::of(root, device)?.sync {
        Sync::Running(kind) => Some(format!("{kind:?}").to_lowercase()),
        Sync::Idle | Sync::Waiting => None,
    }
}

/// Returns whether the disk is virtual or on another host. Its reported properties (rotation, cache, sectors) are
/// configuration, not properties of the medium.
fn guest(identity: &Identity) -> bool {
    matches!(identity.attachment, Attachment::Virtual(_) | Attachment::Network(_) | Attachment::NvmeOver(_))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layers::DeviceNumber;

    #[test]
    fn rotational_disk_and_virtual_disk_are_told_apart() {
        let sandbox = testbed::Sandbox::new().unwrap();
        let root = SysRoot::at(sandbox.path());
        let put = |path: &str, text: &str| sandbox.put(path, text).unwrap();
        for (disk, number, model) in [("sda", "8:0", "ST4000"), ("vda", "254:0", "")] {
            let dir = format!("sys/devices/{disk}");
            put(&format!("{dir}/dev"), number);
            put(&format!("{dir}/size"), "2048");
            put(&format!("{dir}/queue/rotational"), "1");
            put(&format!("{dir}/queue/physical_block_size"), "4096");
            put(&format!("{dir}/queue/write_cache"), "write back");
            put(&format!("{dir}/device/model"), model);
            put(&format!("{dir}/{disk}1/dev"), &number.replace(":0", ":1"));
            put(&format!("{dir}/{disk}1/partition"), "1");
            put(&format!("{dir}/{disk}1/start"), "63");
            std::fs::create_dir_all(sandbox.join("sys/dev/block")).unwrap();
            let parts =
                [(number.to_owned(), dir.clone()), (number.replace(":0", ":1"), format!("{dir}/{disk}1"))];
            for (number, dir) in parts {
                let link = sandbox.join(&format!("sys/dev/block/{number}"));
                std::os::unix::fs::symlink(sandbox.join(&dir), link).unwrap();
            }
        }
        let traits = |major, minor| {
            let device = Device::of(&root, DeviceNumber { major, minor }).unwrap();
            of(&root, &device, &CgroupLimits::default())
        };
        let disk = traits(8, 0);
        assert_eq!(
            (disk.size, disk.rotational, disk.guest, disk.volatile_cache),
            (1 << 20, true, false, true)
        );
        assert!(traits(254, 0).guest);
        let part = traits(8, 1);
        assert_eq!(
            (part.kind, part.start_sector, part.physical_block),
            (LayerKind::Partition, Some(63), 4096)
        );
        assert!(!part.guest && traits(254, 1).guest);
        // An array reports `write back` whatever its members report; its alignment is computed by the kernel.
        put("sys/devices/md0/dev", "9:0");
        put("sys/devices/md0/md/level", "raid5");
        put("sys/devices/md0/queue/write_cache", "write back");
        put("sys/devices/md0/alignment_offset", "-1");
        std::fs::create_dir_all(sandbox.join("sys/devices/md0/slaves")).unwrap();
        for (name, at) in [("dev/block/9:0", "md0"), ("devices/md0/slaves/sda", "sda")] {
            let link = sandbox.join(&format!("sys/{name}"));
            std::os::unix::fs::symlink(sandbox.join(&format!("sys/devices/{at}")), link).unwrap();
        }
        let array = traits(9, 0);
        assert_eq!(array.members, ["sda"]);
        assert_eq!((array.volatile_cache, array.alignment_offset), (false, -1));
    }
}
