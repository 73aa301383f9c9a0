//! What a block device is, as far as it decides what a run's figures mean.

use crate::SysRoot;
use crate::cgroup::CgroupLimits;
use crate::layers::{Device, DeviceKind};
use crate::queue::Queue;
use stats::{DeviceCap, DeviceTraits, LayerKind};

/// What sysfs says of `device`, and which limits this process's control groups set for it.
pub fn of(root: &SysRoot, device: &Device, limits: &CgroupLimits) -> DeviceTraits {
    let dir = device.number.sysfs();
    let queue = Queue::of(root, device);
    let number = |name: &str| root.number::<u64>(dir.join(name));
    let whole = device.whole(root).unwrap_or_else(|| device.clone());
    let nodes = root.names("/sys/devices/system/node").iter().filter(|n| is_node(n)).count();
    let node = root.number::<i64>(whole.number.sysfs().join("device/numa_node"));
    // A limit is set for the whole disk; version 1 also takes a partition.
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
        guest: guest(root, &whole),
        logical_block: queue.logical_block_bytes.map_or(0, u64::from),
        physical_block: queue.physical_block_bytes.map_or(0, u64::from),
        largest_request: queue.max_sectors_kib.map(|k| u64::from(k) << 10),
        volatile_cache: queue.write_cache.as_deref() == Some("write back"),
        start_sector: (device.kind == DeviceKind::Partition).then(|| number("start")).flatten(),
        cap: cap.map_or(DeviceCap::default(), |l| DeviceCap {
            iops: l.iops,
            bytes_per_second: l.bytes_per_second,
        }),
        compressed: compressed(root, device).map(|now| [now, now]),
        rebuilding: rebuilding(root, device),
        node: node.and_then(|n| u32::try_from(n).ok()).filter(|_| nodes > 1),
    }
}

fn is_node(name: &str) -> bool {
    name.strip_prefix("node").is_some_and(|n| n.parse::<u32>().is_ok())
}

/// Bytes stored and bytes taken, of memory that compresses.
pub fn compressed(root: &SysRoot, device: &Device) -> Option<(u64, u64)> {
    let text = root.read(device.number.sysfs().join("mm_stat")).ok()?;
    let mut numbers = text.split_whitespace().map_while(|n| n.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// What an array does beside serving.
pub fn rebuilding(root: &SysRoot, device: &Device) -> Option<String> {
    let action = root.read(device.number.sysfs().join("md/sync_action")).ok()?;
    (action != "idle" && action != "frozen").then_some(action)
}

/// Whether a hypervisor made the disk up. What such a disk says of itself (that it turns, its cache, its sectors) is
/// what its host was told to say.
fn guest(root: &SysRoot, disk: &Device) -> bool {
    let device = disk.number.sysfs().join("device");
    let says = |file: &str| root.read(device.join(file)).unwrap_or_default();
    let driver = root.link_name(device.join("driver")).unwrap_or_default();
    const VENDORS: [&str; 5] = ["QEMU", "Msft", "VMware", "Google", "Xen"];
    const MODELS: [&str; 4] = ["Amazon Elastic Block Store", "nvme_card", "QEMU NVMe", "MSFT NVMe"];
    driver == "virtio_blk"
        || driver == "vbd"
        || disk.name.starts_with("vd")
        || disk.name.starts_with("xvd")
        || VENDORS.iter().any(|v| says("vendor").starts_with(v))
        || MODELS.iter().any(|m| says("model").starts_with(m))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layers::DeviceNumber;

    #[test]
    fn a_disk_that_turns_and_a_guests_disk_that_says_so_are_told_apart_and_a_partition_has_its_start() {
        let sandbox = testbed::Sandbox::new().unwrap();
        let root = SysRoot::at(sandbox.path());
        let put = |path: &str, text: &str| {
            let path = sandbox.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
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
    }
}
