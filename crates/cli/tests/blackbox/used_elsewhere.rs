//! Devices that another host uses, of which the kernel of this one knows nothing: `--allow-destroy` does not permit them. The other
//! host is a second loop device over the same file.

use crate::common::words;
use crate::hosts::Hosts;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::loopdev::Setup;
use testbed::{
    Bounded, FileSystem, LoopDevice, Mount, Need, OtherInitiator, Sandbox, TOOL_LIMIT, server, skip_without,
};

const LIMIT: Duration = Duration::from_secs(60);

fn succeeds(program: &str, args: &[&str]) {
    let out = Command::new(program).args(args).output_within(TOOL_LIMIT).unwrap();
    assert!(out.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&out.stderr));
}

fn fathom(args: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    run(command.env("LC_ALL", "C").args(words(args)), LIMIT).unwrap()
}

/// Returns the arguments of a run that overwrites a device.
fn overwrites(device: &LoopDevice) -> String {
    let target = device.path().display();
    format!(
        "--allow-destroy={target} --name=j --filename={target} --rw=randwrite --bs=4k --size=1m --ioengine=psync"
    )
}

/// Calls `then` while the file system at `point` goes from writable to read-only and back, which changes its superblock.
fn while_remounted<T>(point: &Path, then: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    let point = point.to_str().unwrap();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !over.load(Relaxed) {
                succeeds("mount", &["-o", "remount,ro", point]);
                succeeds("mount", &["-o", "remount,rw", point]);
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let result = then();
        over.store(true, Relaxed);
        result
    })
}

#[test]
fn device_with_a_file_system_that_another_host_changes_is_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 128 << 20).unwrap();
    let data = mount.path().join("f");
    std::fs::write(&data, vec![7; 1 << 20]).unwrap();
    let device = LoopDevice::from_file(mount.device().unwrap().backing(), Setup::default()).unwrap();
    let before = device.stats().unwrap();
    let hosts = Hosts::new(&["a", "b"]);
    let [alone, shared] = while_remounted(mount.path(), || {
        let of_hosts = hosts.run(&format!("--share=split {}", overwrites(&device)));
        [fathom(&format!("run --no-store {}", overwrites(&device))), of_hosts]
    });
    for ran in [alone, shared] {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
        assert!(ran.stderr.contains("its ext4 file system changed at byte 1"), "{ran:#?}");
        assert!(ran.stderr.contains("--allow-destroy does not permit this"), "{ran:#?}");
    }
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);
    assert!(std::fs::read(&data).unwrap().iter().all(|byte| *byte == 7));
    // Reads need no consent.
    let read = fathom(&format!("run --no-store {}", overwrites(&device).replace("randwrite", "randread")));
    assert_eq!(read.code, Some(0), "{read:#?}");
}

/// The same before a study, on one host and on several. Nothing on this machine uses the device: its superblock is written in the file
/// beneath it.
#[test]
fn study_refuses_a_device_with_a_file_system_that_another_host_changes() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let device = LoopDevice::new(64 << 20).unwrap();
    succeeds("mkfs.ext4", &["-q", device.path().to_str().unwrap()]);
    succeeds("sync", &[]);
    // The time of the last mount.
    const MOUNTED: u64 = 1024 + 0x2c;
    let over = AtomicBool::new(false);
    let file = std::fs::OpenOptions::new().write(true).open(device.backing()).unwrap();
    let before = device.stats().unwrap();
    let target = device.path().display();
    let study =
        format!("--allow-destroy {target} --write --patterns 4k-randwrite --budget 13s --no-store {target}");
    let hosts = Hosts::new(&["a", "b"]);
    let runs = std::thread::scope(|threads| {
        threads.spawn(|| {
            for count in 0u32.. {
                file.write_all_at(&count.to_le_bytes(), MOUNTED).unwrap();
                if over.load(Relaxed) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let shared = format!("--share=whole {study}");
        let of_hosts = run(&mut hosts.study(&["explore"], &shared), LIMIT).unwrap();
        let runs = [fathom(&format!("explore {study}")), of_hosts];
        over.store(true, Relaxed);
        runs
    });
    for ran in runs {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
        assert!(ran.stderr.contains("its ext4 file system changed at byte 1"), "{ran:#?}");
    }
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);
    // Once nobody changes it, the study runs.
    let ran = fathom(&format!("explore {}", study.replace("--budget 13s", "--questions depth --budget 13s")));
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    assert!(device.stats().unwrap().since(&before).write_bytes() > 0);
}

#[test]
fn file_system_that_nobody_changes_is_overwritten_with_consent() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let device = LoopDevice::new(64 << 20).unwrap();
    succeeds("mkfs.ext4", &["-q", device.path().to_str().unwrap()]);
    let before = device.stats().unwrap();
    let ran = fathom(&format!("run --no-store {}", overwrites(&device)));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(device.stats().unwrap().since(&before).write_bytes() >= 1 << 20);
}

/// A quiet file system with MMP is known to be mounted by the block that its host writes, and the host is named.
#[test]
#[ignore = "the kernel waits 11 s before it mounts a file system with MMP"]
fn host_that_has_a_file_system_with_mmp_mounted_is_named() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let sandbox = Sandbox::new().unwrap();
    let backing = sandbox.sparse("backing", 64 << 20).unwrap();
    let theirs = LoopDevice::from_file(&backing, Setup::default()).unwrap();
    let (disk, point) = (theirs.path().to_str().unwrap(), sandbox.join("mnt"));
    succeeds("mkfs.ext4", &["-q", "-O", "mmp", disk]);
    std::fs::create_dir(&point).unwrap();
    succeeds("mount", &[disk, point.to_str().unwrap()]);
    let device = LoopDevice::from_file(&backing, Setup::default()).unwrap();
    let before = device.stats().unwrap();
    // The superblock is written a little after the mount.
    std::thread::sleep(Duration::from_secs(3));
    let ran = fathom(&format!("run --no-store {}", overwrites(&device)));
    succeeds("umount", &[point.to_str().unwrap()]);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let said = format!("{} wrote its protection block (MMP)", host.trim());
    assert!(ran.stderr.contains(&said) && ran.stderr.contains(&theirs.name()), "{ran:#?}");
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);
    let ran = fathom(&format!("run --no-store {}", overwrites(&device)));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

/// Consent permits to overwrite a LUN with which another initiator has registered, not one that it has reserved.
#[test]
fn lun_that_another_initiator_reserved_is_refused_whatever_is_permitted() {
    let server = server!("iscsi", &[]);
    let target = format!("{}/1", server.value("URL"));
    let written = || std::fs::read(server.value("LUN1")).unwrap().iter().any(|byte| *byte != 0);
    let job = |rw: &str| {
        let filename = target.replace(':', "\\:");
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command
            .env("LC_ALL", "C")
            .args(words("run --no-store --name=a --ioengine=libiscsi --bs=4k --size=1M"));
        command.args([
            format!("--allow-destroy={target}"),
            format!("--filename={filename}"),
            format!("--rw={rw}"),
        ]);
        run(command.arg("--number_ios=4"), LIMIT).unwrap()
    };
    let mut other = OtherInitiator::log_in(server.value("PORT").parse().unwrap(), server.value("TARGET"));
    other.register(1, 0xfeed_0001);
    other.reserve(1, 0xfeed_0001);
    let ran = job("randwrite");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
    assert!(ran.stderr.contains("has reserved it (Write Exclusive, key 0xfeed0001)"), "{ran:#?}");
    assert!(!written(), "the LUN was written");
    let ran = job("randread");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    // A registration alone.
    let server = server!("iscsi", &[]);
    let mut other = OtherInitiator::log_in(server.value("PORT").parse().unwrap(), server.value("TARGET"));
    other.register(1, 0xfeed_0002);
    let target = format!("{}/1", server.value("URL"));
    let line = format!("--allow-destroy={target} --filename={}", target.replace(':', "\\:"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(words(
        "run --no-store --name=a --ioengine=libiscsi --bs=4k --size=1M --number_ios=4 --rw=write",
    ));
    let ran = run(command.args(line.split(' ')), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(std::fs::read(server.value("LUN1")).unwrap().iter().any(|byte| *byte != 0));
}
