//! Refusals on real devices with real signatures and real use; refused targets keep every byte.

use crate::plans::{file, job, plan};
use facts::SysRoot;
use facts::usage::Use;
use job::job::{EngineChoice, Entry, Mix, NameCall, StatCall};
use run::consent::{Consent, Guard, Policy, check};
use run::refusal::{Found, NotOurs, Refusal, RefusalReason, Writer};
use stats::contents::ContentsClass;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testbed::witness::content;
use testbed::{FileSystem, LoopDevice, Mount, Need, Sandbox, loopdev::Setup, skip_without};

fn ask(path: &Path, mix: Mix, policy: Policy, allow: &[&Path]) -> Result<Guard, Refusal> {
    let writer = job("w", mix);
    let planned = file(&writer, path, 1 << 20);
    let consent = Consent::new(policy, allow.iter().map(|p| p.to_path_buf()).collect());
    Ok(check(&plan(writer, vec![planned]), &consent, &SysRoot::machine())?.0)
}

/// Checks consent as the function above does, for a job with a given engine.
fn ask_engine(path: &Path, engine: EngineChoice, mix: Mix, policy: Policy) -> Result<Guard, Refusal> {
    let job = job::job::Job { engine, ..job("w", mix) };
    let planned = file(&job, path, 1 << 20);
    let consent = Consent::new(policy, Vec::new());
    Ok(check(&plan(job, vec![planned]), &consent, &SysRoot::machine())?.0)
}

/// Engines without data transfer: their effects on a file count for any value of `rw`.
#[test]
fn deleting_allocating_and_truncating_are_changes() {
    use EngineChoice::{Falloc, Ftruncate, Names};
    let sandbox = Sandbox::new().unwrap();
    let foreign = sandbox.file("letters", 2 << 20).unwrap();
    let stat = Names(Entry::File, NameCall::Stat(StatCall::Stat));
    for (engine, mix, changes) in [
        (Names(Entry::File, NameCall::Delete), Mix::Read, true),
        (Names(Entry::File, NameCall::Delete), Mix::Write, true),
        (Falloc, Mix::Read, true),
        (Falloc, Mix::Write, true),
        (Falloc, Mix::Trim, true),
        (Ftruncate, Mix::Write, true),
        (stat.clone(), Mix::Read, false),
        (stat.clone(), Mix::Write, false),
        // An open that would make it, if it were not there.
        (Names(Entry::File, NameCall::Create), Mix::Write, false),
    ] {
        let asked = ask_engine(&foreign, engine.clone(), mix, Policy::Own);
        assert_eq!(asked.is_err(), changes, "{} {mix:?}: {asked:?}", engine.name());
        ask_engine(&foreign, engine, mix, Policy::Fio).unwrap();
    }
    // A layout makes a file that is too small anew, also for an engine that only looks at it.
    let small = sandbox.file("small", 4096).unwrap();
    ask_engine(&small, stat, Mix::Read, Policy::Own).unwrap_err();
    skip_without!(Need::Loop, Need::Program("mkswap"));
    let device = LoopDevice::new(16 << 20).unwrap();
    assert!(tool("mkswap", &[device.path().to_str().unwrap()], ""));
    for (engine, mix) in [
        (Names(Entry::File, NameCall::Delete), Mix::Read),
        (Falloc, Mix::Read),
        (Falloc, Mix::Trim),
        (Ftruncate, Mix::Write),
    ] {
        for policy in [Policy::Fio, Policy::Own] {
            let refusal = ask_engine(device.path(), engine.clone(), mix, policy).unwrap_err();
            let all = found(refusal, "w", policy);
            assert!(all.iter().any(|one| carries(one, ContentsClass::Swap, "")), "{all:?}");
        }
    }
}

/// Returns the findings about the target of a job that would overwrite it, under the rules of `policy`.
fn found(refusal: Refusal, name: &str, policy: Policy) -> Vec<Found> {
    match refusal.reason {
        RefusalReason::Overwrite { writer, found, policy: rules } => {
            assert_eq!((writer, rules), (Writer::Job(name.into()), policy));
            found
        }
        other => panic!("{other:?}"),
    }
}

fn carries(found: &Found, class: ContentsClass, name: &str) -> bool {
    matches!(found, Found::DeviceUse(Use::Carries(signature))
        if (signature.what.class, &*signature.what.name) == (class, name))
}

fn tool(program: &str, args: &[&str], input: &str) -> bool {
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
    let mut command = Command::new(program);
    command.args(args).env("PATH", path).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait().unwrap().success()
}

/// Waits until the device has no exclusive user. A process that another test starts holds copies of the descriptors
/// that were open when it was forked until its exec, so that a dropped guard may still be held for that time.
fn wait_until_free(device: &Path) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while let Err(error) =
        File::options().read(true).custom_flags(rustix::fs::OFlags::EXCL.bits() as i32).open(device)
    {
        assert!(Instant::now() < deadline, "{} is still claimed: {error}", device.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Both commands refuse writes and trims with status 3 and name the reason, and allow reads; nothing changes. With
/// consent for exactly this device, they succeed.
fn refused(path: &Path, expected: &dyn Fn(&Found) -> bool) {
    let before = content(path).unwrap();
    let other = LoopDevice::sparse(1 << 20, Setup::default()).unwrap();
    for policy in [Policy::Fio, Policy::Own] {
        for mix in [Mix::Write, Mix::Trim, Mix::ReadWrite { reads: 99 }, Mix::TrimWrite] {
            let refusal = ask(path, mix, policy, &[other.path(), Path::new("/"), Path::new("/dev/nothing")])
                .unwrap_err();
            assert_eq!((refusal.exit_code(), refusal.path.as_path()), (3, path));
            let all = found(refusal, "w", policy);
            assert!(all.iter().any(expected), "{all:?}");
        }
        ask(path, Mix::Read, policy, &[]).unwrap();
    }
    assert!(content(path).unwrap() == before, "{}: the device changed", path.display());
    let sandbox = Sandbox::new().unwrap();
    let link = sandbox.join("by-another-name");
    std::os::unix::fs::symlink(path, &link).unwrap();
    ask(path, Mix::Write, Policy::Own, &[path]).unwrap();
    ask(path, Mix::Write, Policy::Fio, &[&link]).unwrap();
    ask(&link, Mix::Write, Policy::Fio, &[path]).unwrap();
}

#[test]
fn a_device_that_carries_something_is_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("mkswap"), Need::Program("sfdisk"));
    type Maker = (&'static str, &'static [&'static str], &'static str, ContentsClass, &'static str);
    let makers: [Maker; 6] = [
        ("mkfs.ext4", &["-q", "-F"], "", ContentsClass::FileSystem, "ext4"),
        ("mkfs.xfs", &["-q", "-f"], "", ContentsClass::FileSystem, "XFS"),
        ("mkfs.btrfs", &["-q", "-f"], "", ContentsClass::FileSystem, "btrfs"),
        ("mkswap", &[], "", ContentsClass::Swap, ""),
        ("sfdisk", &["-q"], "label: gpt\nsize=8M\n", ContentsClass::PartitionTable, "GPT"),
        ("sfdisk", &["-q"], "label: dos\nsize=8M\n", ContentsClass::PartitionTable, "MBR"),
    ];
    for (program, args, input, class, name) in makers {
        let device = LoopDevice::sparse(320 << 20, Setup::default()).unwrap();
        ask(device.path(), Mix::Write, Policy::Own, &[]).unwrap();
        let path = device.path().to_str().unwrap();
        assert!(tool(program, &[args, &[path]].concat(), input), "{program}");
        refused(device.path(), &|found| carries(found, class, name));
    }
}

#[test]
fn a_device_with_planted_labels_of_lvm_luks_md_and_zfs_is_refused() {
    skip_without!(Need::Loop);
    let size: u64 = 8 << 20;
    let labels: [(u64, &[u8], ContentsClass, &str); 6] = [
        (512 + 0x18, b"LVM2 001", ContentsClass::PhysicalVolume, "LVM"),
        (0, b"LUKS\xba\xbe\0\x02", ContentsClass::EncryptedVolume, "LUKS"),
        (4096, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0], ContentsClass::RaidMember, "Linux md"),
        (size - 8192, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0], ContentsClass::RaidMember, "Linux md"),
        (131_072, &[0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0], ContentsClass::PoolMember, "ZFS"),
        (size - 131_072, &[0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0], ContentsClass::PoolMember, "ZFS"),
    ];
    for (offset, bytes, class, name) in labels {
        let device = LoopDevice::sparse(size, Setup::default()).unwrap();
        File::options().write(true).open(device.path()).unwrap().write_all_at(bytes, offset).unwrap();
        refused(device.path(), &|found| carries(found, class, name));
    }
}

#[test]
fn mounted_device_without_known_signature_is_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("mkfs.btrfs"));
    for kind in [FileSystem::Ext4, FileSystem::Btrfs] {
        let mount = Mount::new(kind, 64 << 20).unwrap();
        let device = mount.device().unwrap();
        // Read-only, or the file system's own late writes would look like ours.
        assert!(tool("mount", &["-o", "remount,ro", mount.path().to_str().unwrap()], ""));
        let expected = Found::DeviceUse(Use::Mounted { device: device.name(), at: mount.path().into() });
        refused(device.path(), &|found| *found == expected);
    }
}

/// Partitions of a loop device, removed on drop.
struct Partitions<'a>(&'a LoopDevice);

impl Drop for Partitions<'_> {
    fn drop(&mut self) {
        tool("partx", &["-d", self.0.path().to_str().unwrap()], "");
    }
}

/// A mount point, unmounted on drop, before the partition and the loop device are removed.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        tool("umount", &[self.0.to_str().unwrap()], "");
    }
}

/// A disk with a mounted partition is refused, and the partition as well.
#[test]
fn disk_with_mounted_partition_is_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("sfdisk"), Need::Program("partx"));
    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::sparse(64 << 20, Setup::default()).unwrap();
    let path = device.path().to_str().unwrap();
    assert!(tool("sfdisk", &["-q", path], "label: gpt\nsize=30M\nsize=20M\n"));
    // Partitions outlive a loop device: a killed test may have left some with this one's name.
    tool("partx", &["-d", path], "");
    assert!(tool("partx", &["-a", path], ""));
    let partitions = Partitions(&device);
    let parts = [1, 2].map(|n| PathBuf::from(format!("{path}p{n}")));
    // The table is the whole disk's; a partition without anything on it may be written.
    ask(&parts[1], Mix::Write, Policy::Own, &[]).unwrap();
    assert!(tool("mkfs.ext4", &["-q", "-F", parts[0].to_str().unwrap()], ""));
    refused(&parts[0], &|found| carries(found, ContentsClass::FileSystem, "ext4"));
    let point = sandbox.join("mnt");
    std::fs::create_dir(&point).unwrap();
    // Read-only: what a file system writes late is not ours.
    assert!(tool("mount", &["-o", "ro", parts[0].to_str().unwrap(), point.to_str().unwrap()], ""));
    let mounted = Mounted(point.clone());
    // The table is wiped: what is left is the mounted partition alone.
    let open = File::options().write(true).open(device.path()).unwrap();
    open.write_all_at(&[0; 512 * 34], 0).unwrap();
    open.write_all_at(&[0; 512 * 33], (64 << 20) - 512 * 33).unwrap();
    let mount = Found::DeviceUse(Use::Mounted { device: format!("{}p1", device.name()), at: point.clone() });
    refused(device.path(), &|found| *found == mount);
    refused(&parts[0], &|found| *found == mount);
    ask(&parts[1], Mix::Write, Policy::Own, &[]).unwrap();
    drop(mounted);
    refused(
        device.path(),
        &|found| matches!(found, Found::DeviceUse(Use::Partitioned { device: disk, .. }) if *disk == device.name()),
    );
    drop(partitions);
    // The table is lost, and the first partition's file system is still there.
    refused(device.path(), &|found| {
        matches!(found, Found::DeviceUse(Use::Carries(signature)) if signature.offset / 1000 == 1049)
            && carries(found, ContentsClass::FileSystem, "ext4")
    });
}

/// A device that is used for swap or lies below a loop device is refused.
#[test]
fn swap_device_and_device_under_loop_are_refused() {
    skip_without!(Need::Loop, Need::Program("mkswap"), Need::Program("swapon"));
    let device = LoopDevice::new(16 << 20).unwrap();
    let path = device.path().to_str().unwrap();
    let upper = LoopDevice::from_file(device.path(), Setup::default()).unwrap();
    let lower = Found::DeviceUse(Use::Loop { device: device.name(), by: upper.name() });
    refused(device.path(), &|found| *found == lower);
    drop(upper);
    ask(device.path(), Mix::Write, Policy::Own, &[]).unwrap();
    wait_until_free(device.path());
    assert!(tool("mkswap", &[path], ""));
    if !tool("swapon", &[path], "") {
        return testbed::skip("swapon is refused here");
    }
    // The check alone: to read all of a device that is swapped to proves nothing.
    let refusal = ask(device.path(), Mix::Write, Policy::Own, &[]).unwrap_err();
    let off = tool("swapoff", &[path], "");
    let swap = Found::DeviceUse(Use::Swap { device: device.name() });
    let all = found(refusal, "w", Policy::Own);
    assert!(all.contains(&swap), "{all:?}");
    assert!(off);
}

/// While the guard is held, the device cannot be mounted, and a second writer is refused.
#[test]
fn guard_prevents_mount_and_second_writer() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let device = LoopDevice::sparse(16 << 20, Setup::default()).unwrap();
    let path = device.path();
    let guard = ask(path, Mix::Write, Policy::Fio, &[]).unwrap();
    assert_eq!(guard.devices, [path]);
    let refusal = ask(path, Mix::Write, Policy::Fio, &[]).unwrap_err();
    let all = found(refusal, "w", Policy::Fio);
    assert!(all.contains(&Found::HeldExclusively), "{all:?}");
    // mkfs without force asks for the device exclusively too.
    assert!(!tool("mkfs.ext4", &["-q", path.to_str().unwrap()], ""));
    drop(guard);
    wait_until_free(path);
    assert!(tool("mkfs.ext4", &["-q", "-F", path.to_str().unwrap()], ""));
    let sandbox = Sandbox::new().unwrap();
    let guard = ask(path, Mix::Write, Policy::Fio, &[path]).unwrap();
    let mount = ["-t", "ext4", path.to_str().unwrap(), sandbox.path().to_str().unwrap()];
    assert!(!tool("mount", &mount, ""), "mounted under the guard");
    drop(guard);
    wait_until_free(path);
    assert!(tool("mount", &mount, ""));
    let mounted = Mounted(sandbox.path().into());
    // Consent for a mounted device is still consent; only the claim cannot be had.
    assert!(ask(path, Mix::Write, Policy::Own, &[path]).unwrap().devices.is_empty());
    drop(mounted);
}

#[test]
fn unguarded_is_fios_own_rule() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("fio"));
    let mount = Mount::new(FileSystem::Ext4, 64 << 20).unwrap();
    let device = mount.device().unwrap();
    let path = device.path().to_str().unwrap();
    let refusal = ask(device.path(), Mix::Write, Policy::Unguarded, &[]).unwrap_err();
    let args = ["--name=w", "--rw=write", "--size=4k", &format!("--filename={path}")];
    let fio = Command::new("fio").args(args).output().unwrap();
    assert_eq!(refusal.reason, RefusalReason::MountedForFio);
    assert_eq!(fio.status.code(), Some(refusal.exit_code()));
    // The same words as `report::fio_messages::mounted`.
    let line = format!("fio: {path} appears mounted, and 'allow_mounted_write' isn't set. Aborting.");
    assert_eq!(String::from_utf8_lossy(&fio.stderr).trim(), line);
    // Another name for it, or a file system that is not mounted: fio writes, and so would we.
    let sandbox = Sandbox::new().unwrap();
    let link = sandbox.join("link");
    std::os::unix::fs::symlink(device.path(), &link).unwrap();
    ask(&link, Mix::Write, Policy::Unguarded, &[]).unwrap();
    // allow_mounted_write is for that rule: ours asks for the device's name.
    let mut writer = job("w", Mix::Write);
    writer.target.mounted = true;
    let planned = file(&writer, device.path(), 1 << 20);
    let plan = plan(writer, vec![planned]);
    for (policy, allowed) in [(Policy::Unguarded, true), (Policy::Fio, false), (Policy::Own, false)] {
        let consent = Consent::new(policy, Vec::new());
        assert_eq!(check(&plan, &consent, &SysRoot::machine()).is_ok(), allowed, "{policy:?}");
    }
    let fio = Command::new("fio").args(args).arg("--allow_mounted_write=1").output().unwrap();
    assert!(String::from_utf8_lossy(&fio.stdout).contains("issued rwts: total=0,1,0,0"));
}

#[test]
fn a_foreign_file_is_refused_to_our_own_commands_and_ours_is_not() {
    let sandbox = Sandbox::new().unwrap();
    let foreign = sandbox.file("letters", 2 << 20).unwrap();
    let before = content(&foreign).unwrap();
    let refusal = ask(&foreign, Mix::Write, Policy::Own, &[]).unwrap_err();
    assert_eq!((refusal.exit_code(), refusal.path.as_path()), (3, foreign.as_path()));
    let unmarked = Found::Exists { bytes: 2 << 20, because: NotOurs::Unmarked };
    assert_eq!(found(refusal, "w", Policy::Own), [unmarked]);
    ask(&foreign, Mix::Write, Policy::Fio, &[]).unwrap();
    ask(&foreign, Mix::Read, Policy::Own, &[]).unwrap();
    ask(&foreign, Mix::Write, Policy::Own, &[&foreign]).unwrap();
    // A read job whose file is too small would make it anew.
    let small = sandbox.file("small", 4096).unwrap();
    ask(&small, Mix::Read, Policy::Own, &[]).unwrap_err();
    // Nothing there, nothing in it, made by us, without a name.
    let new = sandbox.join("new");
    ask(&new, Mix::Write, Policy::Own, &[]).unwrap();
    File::create(sandbox.join("empty")).unwrap();
    ask(&sandbox.join("empty"), Mix::Write, Policy::Own, &[]).unwrap();
    let writer = job("w", Mix::Write);
    let planned = file(&writer, &new, 1 << 20);
    let laid = run::prepare::lay_out(&plan(writer, vec![planned]), &mut |_| {}, &|| false);
    assert_eq!(laid.made, std::slice::from_ref(&new));
    let identity = facts::identity::Seen::at(&new).unwrap().identity;
    run::mark::settle(&new, &identity, run::mark::Content::Noise);
    ask(&new, Mix::Write, Policy::Own, &[]).unwrap();
    let nameless = File::open(&foreign).unwrap();
    std::fs::remove_file(&foreign).unwrap();
    let through = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&nameless));
    ask(Path::new(&through), Mix::Write, Policy::Own, &[]).unwrap();
    assert!(!before.is_empty());
}

/// A command with many jobs reads the samples between the ends of a device once; another command reads them anew.
#[test]
fn samples_between_the_ends_are_read_once_per_command() {
    skip_without!(Need::Loop);
    let device = LoopDevice::sparse(64 << 20, Setup::default()).unwrap();
    let letter: String =
        (0..400).map(|n| format!("order {} of customer {}; ", n * 7919 % 9973, n * n * 31)).collect();
    let asked = |consent: &Consent| {
        let writer = job("w", Mix::Write);
        let planned = file(&writer, device.path(), 1 << 20);
        check(&plan(writer, vec![planned]), consent, &SysRoot::machine()).map(|_| ())
    };
    let consent = Consent::new(Policy::Own, Vec::new());
    asked(&consent).unwrap();
    let open = File::options().write(true).open(device.path()).unwrap();
    for at in (2 << 20..60 << 20).step_by(8192) {
        open.write_all_at(letter.as_bytes(), at).unwrap();
    }
    drop(open);
    asked(&consent.clone()).unwrap();
    let refused = asked(&Consent::new(Policy::Own, Vec::new())).unwrap_err();
    let RefusalReason::Overwrite { found, .. } = refused.reason else { panic!("{refused:?}") };
    assert!(matches!(found[..], [Found::DeviceUse(Use::Unknown { .. })]), "{found:?}");
}
