//! Generic character devices of NVMe namespaces (`/dev/ngXnY`) and the block devices of the same namespaces.

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
}
