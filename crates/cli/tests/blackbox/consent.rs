//! Consent through the program itself: every refusal on a real device with real content or in real use. Refused means
//! status 3, one line that names what was found and how to insist, and a device on which no byte has changed.

use crate::common::{fathom, words};
use std::fs::File;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::loopdev::Setup;
use testbed::witness::content;
use testbed::{Bounded, FileSystem, LoopDevice, Mount, Need, Sandbox, TOOL_LIMIT, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

/// `fathom run`.
fn own() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.arg("run");
    command
}

/// A short job on `path`, with `more` in front.
fn job(mut command: Command, path: &Path, rw: &str, more: &[String]) -> Ran {
    let args = format!("--name=w --rw={rw} --bs=4k --size=1M --number_ios=4 --ioengine=psync --filename");
    run(command.args(more).args(words(&args)).arg(path), LIMIT).unwrap()
}

fn allow(device: &Path) -> [String; 1] {
    [format!("--allow-destroy={}", device.display())]
}

fn tool(program: &str, args: &[&str], input: &str) -> bool {
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
    let mut command = Command::new(program);
    command.args(args).env("PATH", path);
    command.output_of_input(input.as_bytes(), TOOL_LIMIT).unwrap().status.success()
}

/// Status 3 and one line with what was found and how to insist.
#[track_caller]
fn is_refusal(ran: &Ran, path: &Path, found: &str) {
    assert_eq!(ran.code, Some(3), "{found}: {ran:#?}");
    let insist = format!("--allow-destroy={}", path.display());
    assert!(ran.stderr.contains(found) && ran.stderr.contains(&insist), "{found:?}: {ran:#?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{found}: {ran:#?}");
    assert!(!ran.stdout.contains("IOPS"), "{ran:#?}");
}

/// Refused by both commands to writes and mixes; read by both; nothing changes; another name's consent is none.
#[track_caller]
fn refused(path: &Path, found: &str) {
    let before = content(path).unwrap();
    let other = LoopDevice::sparse(1 << 20, Setup::default()).unwrap();
    is_refusal(&job(fathom(), path, "write", &[]), path, found);
    is_refusal(&job(fathom(), path, "randrw", &allow(other.path())), path, found);
    is_refusal(&job(fathom(), path, "rw", &allow(Path::new("/dev"))), path, found);
    is_refusal(&job(own(), path, "write", &allow(other.path())), path, found);
    for rw in ["trim", "randtrim", "trimwrite", "randtrimwrite"] {
        is_refusal(&job(fathom(), path, rw, &allow(other.path())), path, found);
        is_refusal(&job(own(), path, rw, &[]), path, found);
    }
    for command in [fathom(), own()] {
        let read = job(command, path, "read", &[]);
        assert_eq!((read.code, read.stderr.as_str()), (Some(0), ""), "a read: {read:#?}");
    }
    assert!(content(path).unwrap() == before, "{found}: the device changed");
}

/// With its own name the write goes through, and writes.
#[track_caller]
fn allowed(path: &Path) {
    let before = content(path).unwrap();
    for command in [fathom(), own()] {
        let ran = job(command, path, "write", &allow(path));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "with consent: {ran:#?}");
    }
    assert!(content(path).unwrap() != before, "nothing was written to {}", path.display());
}

#[test]
fn file_systems_swap_areas_and_partition_tables_are_refused_by_name() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("mkswap"), Need::Program("sfdisk"));
    type Maker = (&'static str, &'static [&'static str], &'static str, &'static str);
    let makers: [Maker; 6] = [
        ("mkfs.ext4", &["-q", "-F"], "", "ext4 file system"),
        ("mkfs.xfs", &["-q", "-f"], "", "XFS file system"),
        ("mkfs.btrfs", &["-q", "-f"], "", "btrfs file system"),
        ("mkswap", &[], "", "swap area"),
        ("sfdisk", &["-q"], "label: gpt\nsize=8M\n", "GPT partition table"),
        ("sfdisk", &["-q"], "label: dos\nsize=8M\n", "MBR partition table"),
    ];
    for (program, args, input, found) in makers {
        if !testbed::have_program(program) {
            testbed::skip(&format!("needs the program {program}"));
            continue;
        }
        let size = if program == "mkfs.xfs" { 320 << 20 } else { 128 << 20 };
        let device = LoopDevice::sparse(size, Setup::default()).unwrap();
        let empty = job(fathom(), device.path(), "write", &[]);
        assert_eq!((empty.code, empty.stderr.as_str()), (Some(0), ""), "an empty device: {empty:#?}");
        assert!(tool(program, &[args, &[device.path().to_str().unwrap()]].concat(), input), "{program}");
        refused(device.path(), found);
        allowed(device.path());
    }
}

/// The page cache of a device keeps what was read as long as a program has the device open, also when the file below it
/// changes.
#[test]
fn data_below_a_stale_page_cache_is_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let text = |at: u64| {
        move |file: &Path| {
            let text = b"The quick brown fox jumps over the lazy dog. ".repeat(30_000);
            File::options().write(true).open(file).unwrap().write_all_at(&text, at).unwrap();
        }
    };
    let file_system = |file: &Path| assert!(tool("mkfs.ext4", &["-q", "-F", file.to_str().unwrap()], ""));
    let first_partition = |file: &Path| {
        let image = Sandbox::new().unwrap();
        let image = image.sparse("image", 8 << 20).unwrap();
        file_system(&image);
        let bytes = std::fs::read(&image).unwrap();
        File::options().write(true).open(file).unwrap().write_all_at(&bytes, 2 << 20).unwrap();
    };
    type Change<'a> = (&'a dyn Fn(&Path), &'static str);
    let changes: [Change<'_>; 5] = [
        (&file_system, "ext4 file system"),
        (&first_partition, "ext4 file system"),
        (&text(0), "first MiB"),
        (&text(30 << 20), "at byte"),
        (&text((64 << 20) - 1_350_000), "at byte"),
    ];
    for (change, found) in changes {
        let device = LoopDevice::sparse(64 << 20, Setup::default()).unwrap();
        let mut reader = File::open(device.path()).unwrap();
        assert_eq!(std::io::copy(&mut reader, &mut std::io::sink()).unwrap(), 64 << 20);
        change(device.backing());
        let before = content(device.backing()).unwrap();
        for command in [fathom(), own()] {
            is_refusal(&job(command, device.path(), "write", &[]), device.path(), found);
        }
        assert!(content(device.backing()).unwrap() == before, "{found}: the device changed");
        drop(reader);
    }
}

#[test]
fn labels_of_lvm_luks_md_and_zfs_are_refused_by_name() {
    skip_without!(Need::Loop);
    let size: u64 = 8 << 20;
    let labels: [(u64, &[u8], &str); 5] = [
        (512 + 0x18, b"LVM2 001", "LVM physical volume"),
        (0, b"LUKS\xba\xbe\0\x02", "LUKS encrypted volume"),
        (4096, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0], "Linux md RAID member"),
        (size - 8192, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0], "Linux md RAID member"),
        (131_072, &[0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0], "ZFS pool member"),
    ];
    for (offset, bytes, found) in labels {
        let device = LoopDevice::sparse(size, Setup::default()).unwrap();
        File::options().write(true).open(device.path()).unwrap().write_all_at(bytes, offset).unwrap();
        refused(device.path(), found);
        allowed(device.path());
    }
}

/// A mount point, free again on drop.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        tool("umount", &[self.0.to_str().unwrap()], "");
    }
}

/// Partitions of a loop device, taken away on drop.
struct Partitions<'a>(&'a LoopDevice);

impl Drop for Partitions<'_> {
    fn drop(&mut self) {
        tool("partx", &["-d", self.0.path().to_str().unwrap()], "");
    }
}

#[test]
fn mounted_devices_partitions_in_use_and_exclusive_holders_are_refused() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("sfdisk"), Need::Program("partx"));
    let mount = Mount::new(FileSystem::Ext4, 128 << 20).unwrap();
    let device = mount.device().unwrap();
    // Read-only, or ext4's own late writes to its inode tables would look like ours.
    assert!(tool("mount", &["-o", "remount,ro", mount.path().to_str().unwrap()], ""));
    refused(device.path(), &format!("{} is mounted on {}", device.name(), mount.path().display()));
    // Consent reaches a mounted device too.
    let ran = job(fathom(), device.path(), "randwrite", &allow(device.path()));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    drop(mount);

    let held = LoopDevice::sparse(8 << 20, Setup::default()).unwrap();
    let holder = File::options().read(true).custom_flags(libc::O_EXCL).open(held.path()).unwrap();
    refused(held.path(), "holds it exclusively");
    allowed(held.path());
    drop(holder);
    assert_eq!(job(fathom(), held.path(), "write", &[]).code, Some(0), "its holder is gone");

    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::sparse(64 << 20, Setup::default()).unwrap();
    let path = device.path().to_str().unwrap();
    assert!(tool("sfdisk", &["-q", path], "label: gpt\nsize=30M\nsize=20M\n"));
    // Partitions outlive a loop device: a killed test may have left some with this one's name.
    tool("partx", &["-d", path], "");
    assert!(tool("partx", &["-a", path], ""));
    let partitions = Partitions(&device);
    let [first, second] = [1, 2].map(|n| PathBuf::from(format!("{path}p{n}")));
    assert!(tool("mkfs.ext4", &["-q", "-F", first.to_str().unwrap()], ""));
    refused(&first, "ext4 file system");
    // The table is wiped: only use tells.
    let table = File::options().write(true).open(device.path()).unwrap();
    table.write_all_at(&[0; 512 * 34], 0).unwrap();
    table.write_all_at(&[0; 512 * 33], (64 << 20) - 512 * 33).unwrap();
    drop(table);
    let holder = File::options().read(true).custom_flags(libc::O_EXCL).open(&second).unwrap();
    refused(device.path(), "the kernel knows partitions of");
    drop(holder);
    let point = sandbox.join("mnt");
    std::fs::create_dir(&point).unwrap();
    assert!(tool("mount", &["-o", "ro", first.to_str().unwrap(), point.to_str().unwrap()], ""));
    let mounted = Mounted(point.clone());
    let found = format!("{}p1 is mounted on {}", device.name(), point.display());
    refused(device.path(), &found);
    refused(&first, &found);
    assert_eq!(job(fathom(), &second, "write", &[]).code, Some(0), "an empty partition beside it");
    drop(mounted);
    drop(partitions);
}

#[test]
fn swap_in_use_and_a_device_under_another_are_refused() {
    skip_without!(Need::Loop, Need::Program("mkswap"), Need::Program("swapon"));
    let device = LoopDevice::new(16 << 20).unwrap();
    let path = device.path().to_str().unwrap();
    let upper = LoopDevice::from_file(device.path(), Setup::default()).unwrap();
    refused(device.path(), &format!("{} is the backing device of {}", device.name(), upper.name()));
    drop(upper);
    assert!(tool("mkswap", &[path], ""));
    if !tool("swapon", &[path], "") {
        return testbed::skip("swapon is refused here");
    }
    let ran = job(fathom(), device.path(), "write", &[]);
    let off = tool("swapoff", &[path], "");
    is_refusal(&ran, device.path(), &format!("{} is in use as swap", device.name()));
    assert!(off);
}

#[test]
fn refused_job_leaves_no_half_json_and_touches_no_file() {
    skip_without!(Need::Loop, Need::Program("mkswap"));
    let device = LoopDevice::sparse(16 << 20, Setup::default()).unwrap();
    assert!(tool("mkswap", &[device.path().to_str().unwrap()], ""));
    let sandbox = Sandbox::new().unwrap();
    let args = format!(
        "--output-format=json --size=1M --rw=write --name=first --filename=new --name=second --filename={}",
        device.path().display()
    );
    let ran = run(fathom().args(words(&args)).current_dir(sandbox.path()), LIMIT).unwrap();
    is_refusal(&ran, device.path(), "swap area");
    assert_eq!(ran.stdout, "", "{ran:#?}");
    assert!(!sandbox.join("new").exists(), "the first job wrote before the second was refused");
}

#[test]
fn unguarded_follows_fio_on_devices() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"), Need::Program("fio"));
    let unguarded = || {
        let mut command = fathom();
        command.env("FATHOM_FIO_UNGUARDED", "1");
        command
    };
    let device = LoopDevice::sparse(16 << 20, Setup::default()).unwrap();
    assert!(tool("mkswap", &[device.path().to_str().unwrap()], ""));
    let before = content(device.path()).unwrap();
    // "0" is not "1".
    let mut not = fathom();
    not.env("FATHOM_FIO_UNGUARDED", "0");
    is_refusal(&job(not, device.path(), "write", &[]), device.path(), "swap area");
    let ran = job(unguarded(), device.path(), "write", &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    assert!(content(device.path()).unwrap() != before);
    // fio knows one rule: a mounted device by its exact name.
    let mount = Mount::new(FileSystem::Ext4, 128 << 20).unwrap();
    let mounted = mount.device().unwrap().path();
    let ours = job(unguarded(), mounted, "write", &[]);
    let fio = job(Command::new("/usr/bin/fio"), mounted, "write", &[]);
    assert_eq!(
        (ours.code, ours.stderr.trim()),
        (fio.code, fio.stderr.trim()),
        "fathom (left) and fio (right)"
    );
}

#[test]
fn files_that_we_did_not_make_are_refused_to_run_and_written_by_fio() {
    let sandbox = Sandbox::new().unwrap();
    let foreign = sandbox.file("letters", 2 << 20).unwrap();
    let before = content(&foreign).unwrap();
    is_refusal(&job(own(), &foreign, "write", &[]), &foreign, "fathom did not make it");
    is_refusal(&job(own(), &foreign, "write", &allow(sandbox.path())), &foreign, "fathom did not make it");
    assert_eq!(job(own(), &foreign, "read", &[]).code, Some(0));
    assert!(content(&foreign).unwrap() == before, "refused, and changed");
    // A read whose file is too small would make it anew: that destroys as well.
    let small = sandbox.file("small", 4096).unwrap();
    is_refusal(&job(own(), &small, "read", &[]), &small, "fathom did not make it");
    assert_eq!(std::fs::metadata(&small).unwrap().len(), 4096);
    let ours = sandbox.join("ours");
    for round in ["makes it", "knows it again"] {
        let ran = job(own(), &ours, "write", &[]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{round}: {ran:#?}");
    }
    let ran = job(own(), &foreign, "write", &allow(&foreign));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    assert!(content(&foreign).unwrap() != before);
    let fios = sandbox.file("fios", 2 << 20).unwrap();
    let ran = job(fathom(), &fios, "write", &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
}

#[test]
fn fathom_of_a_device_or_a_file_only_reads() {
    skip_without!(Need::Loop, Need::Program("mkswap"));
    let device = LoopDevice::new(32 << 20).unwrap();
    assert!(tool("mkswap", &[device.path().to_str().unwrap()], ""));
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("letters", 32 << 20).unwrap();
    for path in [device.path(), &file] {
        let before = content(path).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        let ran = run(command.args(["--seconds", "1"]).arg(path), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(content(path).unwrap() == before, "{} changed", path.display());
    }
}
