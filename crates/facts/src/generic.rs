//! Generic character devices of NVMe namespaces (`/dev/ngXnY`) and of SCSI devices (`/dev/sgN`), and the block devices of
//! the same namespaces and disks.

use crate::SysRoot;
use crate::layers::{Device, DeviceNumber};
use std::path::PathBuf;

fn sysfs(number: DeviceNumber) -> PathBuf {
    PathBuf::from(format!("/sys/dev/char/{number}"))
}

/// Returns whether the character device with this number is the generic device of an NVMe namespace.
pub fn is_nvme_namespace(root: &SysRoot, number: DeviceNumber) -> bool {
    root.link_name(sysfs(number).join("subsystem")).as_deref() == Some("nvme-generic")
}

/// Returns the size in bytes of the flash (MTD) or DAX memory whose character device has this number; `None` for other
/// devices.
pub fn memory_bytes(root: &SysRoot, number: DeviceNumber) -> Option<u64> {
    let device = sysfs(number);
    let subsystem = root.link_name(device.join("subsystem"))?;
    matches!(&*subsystem, "mtd" | "dax").then(|| root.number(device.join("size")))?
}

/// Returns the block device of the namespace `id` whose generic character device has this number; `None` if there is
/// none, or if sysfs does not show both as the same namespace of the same controller or subsystem.
pub fn block_device(root: &SysRoot, number: DeviceNumber, id: u32) -> Option<Device> {
    let generic = sysfs(number);
    // The kernel numbers both alike. `ngXcYnZ`, one path of several to a namespace, has a block device that it hides.
    let numbers = root.link_name(&generic)?.strip_prefix("ng")?.to_owned();
    let block = PathBuf::from("/sys/class/block").join(format!("nvme{numbers}"));
    let parent = root.link_name(generic.join("device"))?;
    let same = root.number(block.join("nsid")) == Some(id)
        && root.link_name(block.join("device"))? == parent
        && is_nvme_namespace(root, number);
    let device = Device::of(root, DeviceNumber::parse(&root.read(block.join("dev")).ok()?)?)?;
    same.then_some(device)
}

/// Returns whether the character device with this number is that of the `sg` driver for a SCSI device.
pub fn is_scsi_generic(root: &SysRoot, number: DeviceNumber) -> bool {
    root.link_name(sysfs(number).join("subsystem")).as_deref() == Some("scsi_generic")
}

/// Returns the block device of the disk whose `sg` character device has this number; `None` if there is none, as of a
/// tape, an enclosure, or a disk that no driver has.
pub fn scsi_disk(root: &SysRoot, number: DeviceNumber) -> Option<Device> {
    // Direct access, simplified direct access and zoned disks.
    const DISKS: [u32; 3] = [0x00, 0x0e, 0x14];
    let device = sysfs(number).join("device");
    let kind = root.number(device.join("type"))?;
    if !is_scsi_generic(root, number) || !DISKS.contains(&kind) {
        return None;
    }
    let names = root.names(device.join("block"));
    let [name] = names.as_slice() else { return None };
    let dev = root.read(device.join("block").join(name).join("dev")).ok()?;
    Device::of(root, DeviceNumber::parse(&dev)?)
}

/// Returns whether the block device with this number is a disk of the SCSI layer itself, not a partition of one and not
/// a device above it.
pub fn is_scsi_disk(root: &SysRoot, number: DeviceNumber) -> bool {
    let block = number.sysfs();
    !root.path(block.join("partition")).exists()
        && root.link_name(block.join("device/subsystem")).as_deref() == Some("scsi")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use testbed::Sandbox;

    /// Only the subsystems of flash and DAX memory tell a size.
    #[test]
    fn memory_of_a_character_device_has_the_size_of_sysfs() {
        let sandbox = Sandbox::new().unwrap();
        for (number, subsystem) in [("90:0", "mtd"), ("252:1", "dax"), ("1:5", "mem")] {
            let device = sandbox.join(&format!("sys/dev/char/{number}"));
            std::fs::create_dir_all(&device).unwrap();
            symlink(format!("../../class/{subsystem}"), device.join("subsystem")).unwrap();
            std::fs::write(device.join("size"), "4194304\n").unwrap();
        }
        let root = SysRoot::at(sandbox.path());
        let bytes = |major, minor| memory_bytes(&root, DeviceNumber { major, minor });
        assert_eq!(
            [bytes(90, 0), bytes(252, 1), bytes(1, 5), bytes(1, 3)],
            [Some(4 << 20), Some(4 << 20), None, None]
        );
    }

    /// A block device is found only if controller and namespace are the same.
    #[test]
    fn block_device_of_a_namespace_has_its_controller_and_id() {
        let sandbox = Sandbox::new().unwrap();
        let dir = |path: &str| std::fs::create_dir_all(sandbox.join(path)).unwrap();
        let link = |to: &str, path: &str| symlink(to, sandbox.join(path)).unwrap();
        let write = |path: &str, text: &str| std::fs::write(sandbox.join(path), text).unwrap();
        for path in ["sys/dev/char", "sys/dev/block", "sys/class/block", "d/nvme0/ng0n1", "d/nvme0/nvme0n1"] {
            dir(path);
        }
        link("../../../d/nvme0/ng0n1", "sys/dev/char/246:0");
        link("../../class/nvme-generic", "d/nvme0/ng0n1/subsystem");
        link("../../nvme0", "d/nvme0/ng0n1/device");
        link("../../../d/nvme0/nvme0n1", "sys/class/block/nvme0n1");
        link("../../../d/nvme0/nvme0n1", "sys/dev/block/259:1");
        link("../../nvme0", "d/nvme0/nvme0n1/device");
        write("d/nvme0/nvme0n1/dev", "259:1\n");
        write("d/nvme0/nvme0n1/nsid", "1\n");
        let root = SysRoot::at(sandbox.path());
        let found = |id| block_device(&root, DeviceNumber { major: 246, minor: 0 }, id).map(|d| d.name);
        assert_eq!(found(1).as_deref(), Some("nvme0n1"));
        assert_eq!(found(2), None);
        std::fs::remove_file(sandbox.join("d/nvme0/nvme0n1/device")).unwrap();
        link("../../nvme1", "d/nvme0/nvme0n1/device");
        assert_eq!(found(1), None);
        assert!(is_nvme_namespace(&root, DeviceNumber { major: 246, minor: 0 }));
        assert!(!is_nvme_namespace(&root, DeviceNumber { major: 1, minor: 3 }));
    }

    /// A block device is found only below the same SCSI device, and only if this is a disk.
    #[test]
    fn scsi_disk_of_a_generic_device_is_its_only_block_device() {
        let sandbox = Sandbox::new().unwrap();
        let dir = |path: &str| std::fs::create_dir_all(sandbox.join(path)).unwrap();
        let link = |to: &str, path: &str| symlink(to, sandbox.join(path)).unwrap();
        let write = |path: &str, text: &str| std::fs::write(sandbox.join(path), text).unwrap();
        for path in
            ["sys/dev/char", "sys/dev/block", "d/unit/scsi_generic/sg0", "d/unit/block/sda/sda1", "bus/scsi"]
        {
            dir(path);
        }
        link("../../../d/unit/scsi_generic/sg0", "sys/dev/char/21:0");
        link("../../../../class/scsi_generic", "d/unit/scsi_generic/sg0/subsystem");
        link("../../../unit", "d/unit/scsi_generic/sg0/device");
        link("../../bus/scsi", "d/unit/subsystem");
        link("../../../d/unit/block/sda", "sys/dev/block/8:0");
        link("../../../d/unit/block/sda/sda1", "sys/dev/block/8:1");
        link("../../../unit", "d/unit/block/sda/device");
        write("d/unit/block/sda/dev", "8:0\n");
        write("d/unit/block/sda/sda1/partition", "1\n");
        write("d/unit/type", "0\n");
        let root = SysRoot::at(sandbox.path());
        let number = DeviceNumber { major: 21, minor: 0 };
        assert_eq!(scsi_disk(&root, number).map(|d| d.name).as_deref(), Some("sda"));
        let whole = |minor| is_scsi_disk(&root, DeviceNumber { major: 8, minor });
        assert_eq!((whole(0), whole(1), whole(2)), (true, false, false));
        write("d/unit/type", "1\n");
        assert_eq!(scsi_disk(&root, number), None);
        write("d/unit/type", "0\n");
        dir("d/unit/block/sdb");
        assert_eq!(scsi_disk(&root, number), None);
        std::fs::remove_dir_all(sandbox.join("d/unit/block")).unwrap();
        assert_eq!(scsi_disk(&root, number), None);
        assert!(
            is_scsi_generic(&root, number) && !is_scsi_generic(&root, DeviceNumber { major: 1, minor: 3 })
        );
    }
}
