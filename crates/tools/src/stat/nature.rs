//! How many requests a device can work on at a time.

use facts::SysRoot;
use stats::io_counters::DeviceNature;

/// Names of devices whose work other layers do.
const SOFTWARE: [&str; 6] = ["loop", "zram", "ram", "nbd", "rbd", "drbd"];
/// Names of disks of virtual machines.
const VIRTUAL: [&str; 2] = ["vd", "xvd"];
/// Vendors of disks that hypervisors emulate.
const EMULATED: [&str; 6] = ["QEMU", "VMware", "Msft", "VBOX", "Google", "Amazon"];

/// Returns the nature of the disk, or of the disk of the partition, with this name.
pub fn nature(root: &SysRoot, name: &str) -> DeviceNature {
    let below = |file: &str| {
        // `/sys/class/block` has partitions, too; their queue is the disk's.
        let own = format!("/sys/class/block/{}/{file}", name.replace('/', "!"));
        let disks = format!("/sys/class/block/{}/../{file}", name.replace('/', "!"));
        if root.path(&own).exists() { own } else { disks }
    };
    let members = root.names(format!("/sys/class/block/{}/slaves", name.replace('/', "!"))).len();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let vendor = root.read(below("device/vendor")).unwrap_or_default();
    if members > 0 || starts(&["md"]) {
        DeviceNature::Stacked { members }
    } else if starts(&SOFTWARE) {
        DeviceNature::Software
    } else if starts(&VIRTUAL) || EMULATED.iter().any(|name| vendor.starts_with(name)) {
        DeviceNature::Virtual
    } else {
        match root.number::<u8>(below("queue/rotational")) {
            Some(0) => DeviceNature::SolidState,
            Some(_) => DeviceNature::OneHead,
            None => DeviceNature::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testbed::Sandbox;

    #[test]
    fn nature_follows_queue_members_and_name() {
        let tree = Sandbox::in_memory().unwrap();
        let put = |path: &str, text: &str| {
            std::fs::create_dir_all(tree.join(path).parent().unwrap()).unwrap();
            std::fs::write(tree.join(path), text).unwrap();
        };
        put("sys/block/nvme0n1/queue/rotational", "0\n");
        put("sys/block/nvme0n1/nvme0n1p1/dev", "259:1\n");
        put("sys/block/sda/queue/rotational", "1\n");
        put("sys/block/sdb/queue/rotational", "1\n");
        put("sys/block/sdb/device/vendor", "QEMU    \n");
        put("sys/block/md0/slaves/sda", "");
        put("sys/block/md0/slaves/sdb", "");
        put("sys/block/vda/queue/rotational", "1\n");
        std::fs::create_dir_all(tree.join("sys/class/block")).unwrap();
        for (name, to) in [
            ("nvme0n1", "nvme0n1"),
            ("nvme0n1p1", "nvme0n1/nvme0n1p1"),
            ("sda", "sda"),
            ("sdb", "sdb"),
            ("md0", "md0"),
            ("vda", "vda"),
        ] {
            let link = tree.join("sys/class/block").join(name);
            std::os::unix::fs::symlink(format!("../../block/{to}"), link).unwrap();
        }
        let root = SysRoot::at(tree.path());
        for (name, expected) in [
            ("nvme0n1", DeviceNature::SolidState),
            ("nvme0n1p1", DeviceNature::SolidState),
            ("sda", DeviceNature::OneHead),
            ("sdb", DeviceNature::Virtual),
            ("md0", DeviceNature::Stacked { members: 2 }),
            ("vda", DeviceNature::Virtual),
            ("loop3", DeviceNature::Software),
            ("sdz", DeviceNature::Unknown),
        ] {
            assert_eq!(nature(&root, name), expected, "{name}");
        }
    }
}
