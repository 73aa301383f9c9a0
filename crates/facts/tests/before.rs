//! What is found before and after a run, against files and devices whose state is known.
#![allow(clippy::unwrap_used)]

use facts::{Before, Sample, SysRoot};
use rustix::fs::{Advice, FallocateFlags, fadvise, fallocate};
use std::fs::File;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::time::Instant;
use testbed::{FileSystem, LoopDevice, Mount, Need, Sandbox, skip_without};

const MIB: u64 = 1 << 20;

/// 8 MiB: 2 written, 2 hole, 2 unwritten, 1 of written zeros, 1 written.
fn known(path: &std::path::Path) -> File {
    let file = File::options().read(true).write(true).create_new(true).open(path).unwrap();
    // Else xfs reserves beyond the end as the file grows, and the hole would be none.
    file.set_len(8 * MIB).unwrap();
    let ones = vec![0xa5u8; MIB as usize];
    for at in [0, 1, 7] {
        file.write_all_at(&ones, at * MIB).unwrap();
    }
    file.write_all_at(&vec![0; MIB as usize], 6 * MIB).unwrap();
    fallocate(&file, FallocateFlags::empty(), 4 * MIB, 2 * MIB).unwrap();
    file.sync_all().unwrap();
    file
}

#[test]
fn holes_unwritten_extents_and_zeros_are_found_on_each_fs() {
    skip_without!(
        Need::Loop,
        Need::Program("mkfs.ext4"),
        Need::Program("mkfs.xfs"),
        Need::Program("mkfs.btrfs")
    );
    for kind in [FileSystem::Ext4, FileSystem::Xfs, FileSystem::Btrfs, FileSystem::Tmpfs] {
        let mount = Mount::new(kind, 64 * MIB).unwrap();
        let path = mount.path().join("known");
        let _file = known(&path);
        let before = Before::look(&SysRoot::machine(), &[path], Sample::Files);
        let (layers, _) = before.after([0; 3], [0; 3]);
        let t = &layers.targets[0];
        assert_eq!(t.size, 8 * MIB);
        if kind == FileSystem::Tmpfs {
            // No FIEMAP; pages that fallocate made are data to SEEK_HOLE.
            assert_eq!((t.holes.is_some(), t.unwritten), (true, None), "{kind:?}: {t:?}");
        } else {
            assert_eq!((t.holes, t.unwritten), (Some(2 * MIB), Some(2 * MIB)), "{kind:?}: {t:?}");
        }
        // 5 of 8 MiB read as zeros, and each stretch of the sample lies within one of them.
        assert_eq!((t.zero_blocks, t.sampled_blocks), (Some(40), Some(64)), "{kind:?}");
        // Holes and unwritten parts cannot be told from a fully written file unless they are looked for.
        let full = mount.path().join("full");
        std::fs::write(&full, vec![0x5au8; 2 * MIB as usize]).unwrap();
        File::open(&full).unwrap().sync_all().unwrap();
        let (layers, _) = Before::look(&SysRoot::machine(), &[full], Sample::Files).after([0; 3], [0; 3]);
        let t = &layers.targets[0];
        assert_eq!((t.holes, t.unwritten.unwrap_or(0), t.zero_blocks), (Some(0), 0, Some(0)), "{kind:?}");
    }
}

#[test]
fn looking_at_dirty_data_neither_writes_it_back_nor_calls_it_unwritten() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("mkfs.xfs"));
    for kind in [FileSystem::Ext4, FileSystem::Xfs] {
        let mount = Mount::new(kind, 64 * MIB).unwrap();
        let path = mount.path().join("dirty");
        let file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        // One half reserved before, the other not; three quarters written.
        fallocate(&file, FallocateFlags::empty(), 0, 4 * MIB).unwrap();
        file.sync_all().unwrap();
        file.write_all_at(&vec![0xa5; 3 * MIB as usize], 0).unwrap();
        file.write_all_at(&vec![0xa5; 4 * MIB as usize], 4 * MIB).unwrap();
        let dirty = || sys::cachestat::cachestat(&file, 0, 0).map(|c| c.dirty + c.writeback).unwrap_or(0);
        let before = dirty();
        if before == 0 {
            return testbed::skip("needs cachestat (Linux 6.5) and a file system in no hurry");
        }
        let (layers, _) = Before::look(&SysRoot::machine(), &[path], Sample::All).after([0; 3], [0; 3]);
        let t = &layers.targets[0];
        assert_eq!((t.holes, t.unwritten, t.zero_blocks), (Some(0), Some(MIB), Some(8)), "{kind:?}");
        assert_eq!(dirty(), before, "{kind:?}: the look wrote back");
    }
}

#[test]
fn residency_is_what_was_read_and_checking_it_reads_nothing() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("noise", 8 * MIB).unwrap();
    let file = File::open(&path).unwrap();
    file.sync_all().unwrap();
    fadvise(&file, 0, None, Advice::DontNeed).unwrap();
    let before = Before::look(&SysRoot::machine(), std::slice::from_ref(&path), Sample::Files);
    fadvise(&file, 0, None, Advice::Random).unwrap();
    let mut half = vec![0; 4 * MIB as usize];
    file.read_exact_at(&mut half, 0).unwrap();
    let (layers, _) = before.after([1, 0, 0], [4 * MIB, 0, 0]);
    let t = &layers.targets[0];
    if t.cached_before.is_none() {
        return testbed::skip("needs cachestat (Linux 6.5)");
    }
    assert_eq!((t.cached_before, t.cached_after), (Some(0), Some(4 * MIB)));
    assert_eq!((t.zero_blocks, t.sampled_blocks), (Some(0), Some(64)));
    assert_eq!((layers.app_ios, layers.app_bytes), ([1, 0, 0], [4 * MIB, 0, 0]));
}

#[test]
fn disk_statistics_show_exactly_the_sectors_read_and_written() {
    skip_without!(Need::Loop);
    let device = LoopDevice::new(16 * MIB).unwrap();
    let direct = rustix::fs::OFlags::DIRECT.bits() as i32;
    let open = File::options().read(true).write(true).custom_flags(direct).open(device.path()).unwrap();
    let targets = [device.path().to_path_buf(), device.path().to_path_buf()];
    let counted = device.stats().unwrap();
    let before = Before::look(&SysRoot::machine(), &targets, Sample::Files);
    assert_eq!(device.stats().unwrap(), counted, "a look read from the device");
    let mut room = vec![0u8; 64 * 1024 + 4096];
    let skip = room.as_ptr().align_offset(4096);
    for i in 0..10 {
        open.read_exact_at(&mut room[skip..skip + 65536], i * 65536).unwrap();
    }
    for i in 0..5 {
        open.write_all_at(&room[skip..skip + 4096], MIB + i * 8192).unwrap();
    }
    let (layers, disks) = before.after([10, 5, 0], [655_360, 20_480, 0]);
    assert_eq!(layers.targets.len(), 1, "the same device twice is one target");
    assert_eq!(layers.targets[0].size, 16 * MIB);
    assert_eq!((layers.targets[0].sampled_blocks, layers.targets[0].holes), (None, None));
    let (sampled, _) = Before::look(&SysRoot::machine(), &targets, Sample::All).after([0; 3], [0; 3]);
    assert_eq!((sampled.targets[0].zero_blocks, sampled.targets[0].sampled_blocks), (Some(0), Some(64)));
    assert_eq!(disks.len(), 1);
    let d = &disks[0];
    assert_eq!((d.name.as_str(), d.ios, d.sectors), (device.name().as_str(), [10, 5], [1280, 40]));
    assert!(d.util_percent <= 100.0 && d.beneath.is_empty());
    assert_eq!(layers.devices[0].sectors, [1280, 40]);
    assert_eq!(layers.top_devices()[0].name, device.name());
}

#[test]
fn measures_a_look_at_a_small_file_is_cheap() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("noise", 4 * MIB).unwrap();
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let began = Instant::now();
            let _ = Before::look(&SysRoot::machine(), std::slice::from_ref(&path), Sample::Files)
                .after([0; 3], [0; 3]);
            began.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!("look and after: {times:.2?} ms");
    // A bound against blunders only; the figure is printed.
    assert!(times[0] < 200.0, "{times:?}");
}

#[test]
fn a_disk_that_a_program_serves_is_not_read_behind_its_back() {
    skip_without!(Need::Fuse);
    let disk = testbed::fuse::FuseDisk::new(testbed::fuse::Model::default()).unwrap();
    let target = [disk.path().to_path_buf()];
    let (layers, disks) = Before::look(&SysRoot::machine(), &target, Sample::All).after([0; 3], [0; 3]);
    assert_eq!(
        (layers.targets[0].size, layers.targets[0].stack.as_slice()),
        (64 * MIB, ["fuse".to_owned()].as_slice())
    );
    assert_eq!((layers.targets[0].sampled_blocks, disks.len()), (None, 0));
    assert_eq!((disk.seen().reads, disk.seen().writes), (0, 0));
}

/// Zeros beside what a job reads are nobody's: only its regions are looked at. What the run itself wrote is no zero any more.
#[test]
fn zeros_are_sampled_where_a_target_is_read_or_was_written() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 64 * MIB).unwrap();
    let path = mount.path().join("f");
    let file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
    file.write_all_at(&vec![0u8; 8 * MIB as usize], 0).unwrap();
    file.write_all_at(&vec![0xa5; MIB as usize], 7 * MIB).unwrap();
    let look = |regions: &[(u64, u64)]| {
        let read = |_: &std::path::Path| regions.iter().map(|(from, to)| *from..*to).collect();
        let targets = std::slice::from_ref(&path);
        Before::look_listing(&SysRoot::machine(), targets, &|_| true, &read, Sample::Files)
    };
    let zeros = |before: Before, written: u64| {
        let (layers, _) = before.after([0; 3], [0, written, 0]);
        (layers.targets[0].zero_blocks, layers.targets[0].sampled_blocks)
    };
    assert_eq!(zeros(look(&[]), 0), (Some(56), Some(64)));
    assert_eq!(zeros(look(&[(7 * MIB, 8 * MIB)]), 0), (Some(0), Some(64)));
    assert_eq!(zeros(look(&[(0, MIB), (7 * MIB, 9 * MIB)]), 0), (Some(32), Some(64)));
    assert_eq!(zeros(look(&[(0, 100)]), 0), (Some(1), Some(1)));
    let before = look(&[(0, MIB)]);
    file.write_all_at(&vec![0xa5; MIB as usize], 0).unwrap();
    assert_eq!(zeros(before, MIB), (Some(0), Some(64)));
}
