//! Layers under a path: on fixtures for what this machine has not, on real loop devices for what it has.
#![allow(clippy::unwrap_used)]

use facts::SysRoot;
use facts::layers::{DeviceNumber, Stack};
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
        ["dm-0 (lvm)", "md0 (raid1)", "sda1 (partition)", "sda (disk, hdd)", "sdb (disk, ssd)"]
    );
    let part = Stack::of_device(&root, DeviceNumber { major: 8, minor: 1 });
    let sda1 = part.devices().next().unwrap();
    assert_eq!(sda1.whole(&root).unwrap().name, "sda");
    assert_eq!(sda1.whole(&root).unwrap().partitions(&root), std::slice::from_ref(sda1));
}

#[test]
fn a_file_on_a_loop_device_is_followed_through_its_backing_file_to_the_machines_disk() {
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
