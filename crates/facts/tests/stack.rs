//! Layers under a path: on fixtures for what this machine has not, on real loop devices for what it has.
#![allow(clippy::unwrap_used)]

use facts::SysRoot;
use facts::layers::{Device, DeviceNumber, Stack};
use facts::usage::{self, Use};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use testbed::{FileSystem, Mount, Need, Sandbox, skip_without};

/// A sysfs of: sda with sda1, sdb; md0 (raid1) over sda1 and sdb; dm-0 (LVM) over md0.
fn machine(tree: &Path) {
    let device = |path: &str, number: &str, stat: &str| {
        let dir = tree.join("sys/devices").join(path);
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("dev"), format!("{number}\n")).unwrap();
        fs::write(dir.join("stat"), stat).unwrap();
        fs::create_dir_all(tree.join("sys/dev/block")).unwrap();
        symlink(format!("../../devices/{path}"), tree.join("sys/dev/block").join(number)).unwrap();
        dir
    };
    let member = |of: &Path, name: &str, path: &str| {
        fs::create_dir_all(of.join("slaves")).unwrap();
        symlink(tree.join("sys/devices").join(path), of.join("slaves").join(name)).unwrap();
        let holders = tree.join("sys/devices").join(path).join("holders");
        fs::create_dir_all(&holders).unwrap();
        symlink(of, holders.join(of.file_name().unwrap())).unwrap();
    };
    let sda = device("pci/sda", "8:0", "1 0 8 1 0 0 0 0 0 1 1");
    fs::create_dir_all(sda.join("queue")).unwrap();
    fs::write(sda.join("queue/rotational"), "1\n").unwrap();
    let sda1 = device("pci/sda/sda1", "8:1", "1 0 8 1 0 0 0 0 0 1 1");
    fs::write(sda1.join("partition"), "1\n").unwrap();
    device("pci/sdb", "8:16", "1 0 8 1 0 0 0 0 0 1 1");
    let md0 = device("virtual/md0", "9:0", "1 0 8 1 0 0 0 0 0 1 1");
    fs::create_dir_all(md0.join("md")).unwrap();
    fs::write(md0.join("md/level"), "raid1\n").unwrap();
    member(&md0, "sda1", "pci/sda/sda1");
    member(&md0, "sdb", "pci/sdb");
    let dm0 = device("virtual/dm-0", "252:0", "1 0 8 1 0 0 0 0 0 1 1");
    fs::create_dir_all(dm0.join("dm")).unwrap();
    fs::write(dm0.join("dm/uuid"), "LVM-abc\n").unwrap();
    member(&dm0, "md0", "virtual/md0");
}

#[test]
fn a_volume_on_a_raid_on_a_partition_is_followed_to_both_disks() {
    let sandbox = Sandbox::new().unwrap();
    machine(sandbox.path());
    let root = SysRoot::at(sandbox.path());
    let stack = Stack::of_device(&root, DeviceNumber { major: 252, minor: 0 });
    assert_eq!(
        stack.words(),
        [
            "dm-0 (lvm)",
            "md0 (raid1)",
            "sda1 (partition)",
            "sda (disk, reports rotational)",
            "sdb (disk, ssd)"
        ]
    );
    let part = Stack::of_device(&root, DeviceNumber { major: 8, minor: 1 });
    let sda1 = part.devices().next().unwrap();
    assert_eq!(sda1.whole(&root).unwrap().name, "sda");
    assert_eq!(sda1.whole(&root).unwrap().partitions(&root), std::slice::from_ref(sda1));
}

#[test]
fn whoever_uses_a_disk_or_its_partition_is_named() {
    let sandbox = Sandbox::new().unwrap();
    machine(sandbox.path());
    let root = SysRoot::at(sandbox.path());
    let held = |device: &str, by: &str| Use::Held { device: device.into(), by: by.into() };
    let mounted = |device: &str, at: &str| Use::Mounted { device: device.into(), at: at.into() };
    let partitioned = || Use::Partitioned { device: "sda".into(), partitions: vec!["sda1".into()] };
    let uses = |major, minor| {
        let device = Device::of(&root, DeviceNumber { major, minor }).unwrap();
        usage::live(&root, &device)
    };
    assert_eq!(uses(8, 16), [held("sdb", "md0")]);
    // The disk of a partition that is part of something, and the partition itself.
    assert_eq!(uses(8, 0), [held("sda1", "md0"), partitioned()]);
    assert_eq!(uses(8, 1), [held("sda1", "md0")]);
    assert_eq!(uses(9, 0), [held("md0", "dm-0")]);
    assert_eq!(uses(252, 0), []);
    let proc = sandbox.join("proc/self");
    fs::create_dir_all(&proc).unwrap();
    let mounts = "30 1 252:0 / / rw - ext4 /dev/mapper/root rw\n\
                  31 1 0:40 / /with\\040blank rw shared:1 - btrfs /dev/sdb rw,subvol=/\n";
    fs::write(proc.join("mountinfo"), mounts).unwrap();
    fs::write(sandbox.join("proc/swaps"), "Filename Type Size\n/dev/sda1 partition 1 0 -2\n").unwrap();
    assert_eq!(uses(252, 0), [mounted("dm-0", "/")]);
    assert_eq!(uses(8, 16), [mounted("sdb", "/with blank"), held("sdb", "md0")]);
    assert_eq!(uses(8, 0), [Use::Swap { device: "sda1".into() }, held("sda1", "md0"), partitioned()]);
    fs::create_dir_all(sandbox.join("sys/block/loop3/loop")).unwrap();
    fs::write(sandbox.join("sys/block/loop3/loop/backing_file"), "/dev/sda\n").unwrap();
    // A partition is overwritten with its disk's loop device, too.
    assert!(uses(8, 1).contains(&Use::Loop { device: "sda".into(), by: "loop3".into() }));
}

#[test]
fn file_on_a_loop_device_is_followed_to_the_machines_disk() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("mkfs.btrfs"));
    let root = SysRoot::machine();
    for kind in [FileSystem::Ext4, FileSystem::Btrfs] {
        let mount = Mount::new(kind, 64 << 20).unwrap();
        let file = mount.path().join("a file");
        fs::write(&file, "x").unwrap();
        let device = mount.device().unwrap();
        let words = Stack::under(&root, &file).unwrap().words();
        assert_eq!(words[..2], [kind.name().to_owned(), format!("{} (loop)", device.name())], "{words:?}");
        // The backing file lies on a file system of its own; what it lies on is the machine's affair.
        let below = Stack::under(&root, device.backing()).unwrap().words();
        assert_eq!(words[2..], below[..], "{words:?}");
        // The device itself, and a file without a name through its descriptor.
        assert_eq!(Stack::under(&root, device.path()).unwrap().words(), words[1..]);
        let open = fs::File::open(&file).unwrap();
        fs::remove_file(&file).unwrap();
        let through = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&open));
        assert_eq!(Stack::under(&root, Path::new(&through)).unwrap().words(), words);
    }
    let memory = Mount::new(FileSystem::Tmpfs, 1 << 20);
    if let Ok(memory) = memory {
        assert_eq!(Stack::under(&root, memory.path()).unwrap().words(), ["tmpfs"]);
    }
}
