//! What will be written is summed up before the start.
use crate::common::{fathom, words};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::loopdev::Setup;
use testbed::mount::Mount;
use testbed::{Bounded as _, FileSystem, LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

fn own(args: &str, dir: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.arg("run").args(words(args)).current_dir(dir);
    child::run(&mut command, LIMIT).unwrap()
}

fn refused(ran: &Ran, words: &[&str], dir: &Path) {
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), 1, "{ran:#?}");
    assert!(words.iter().all(|word| lines[0].contains(word)), "{words:?}: {ran:#?}");
    assert_eq!(std::fs::read_dir(dir).unwrap().count(), 0, "something was written: {ran:#?}");
}

/// Nothing keeps a file open that the run has deleted: its space is free for the next lap.
#[test]
fn what_is_deleted_between_loops_takes_no_space() {
    skip_without!(Need::Root);
    let args = "--name=a --rw=write --bs=64k --size=12m --loops=3 --unlink_each_loop=1";
    for engine in ["psync", "io_uring", "libaio", "sync"] {
        let mount = Mount::new(FileSystem::Tmpfs, 16 << 20).unwrap();
        let ran = own(&format!("{args} --ioengine={engine}"), mount.path());
        assert_eq!(ran.code, Some(0), "{engine}: {ran:#?}");
    }
}

#[test]
fn run_refuses_what_does_not_fit_and_writes_nothing() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 8 << 20).unwrap();
    for args in [
        "--name=a --rw=write --size=900g",
        "--name=a --rw=randread --size=900g",
        "--name=a --rw=write --size=3m --numjobs=3",
        "--name=a --rw=write --size=5m --name=b --stonewall --rw=read --size=5m",
        "--name=a --rw=write --size=900g --fallocate=none --io_size=9m",
        "--name=a --rw=write --size=900g --fallocate=none --runtime=1 --time_based",
        "--name=a --rw=write --size=9m --create_on_open=1",
        // Never to the last blocks.
        "--name=a --rw=write --size=8m",
    ] {
        refused(&own(args, mount.path()), &["refused: space: ", "MiB", "lower size="], mount.path());
    }
    let filled = own("--name=a --rw=write --fill_device=1", mount.path());
    refused(&filled, &["fill_device=1", "last block", "size="], mount.path());
    for args in [
        "--name=a --rw=write --size=900g --fallocate=none --io_size=64k",
        "--name=a --rw=write --size=6m --numjobs=3 --filename=t --unlink=1",
        "--name=a --rw=write --size=900g --fallocate=none --number_ios=3",
    ] {
        let ran = own(args, mount.path());
        assert_eq!(ran.code, Some(0), "{args}: {ran:#?}");
        for entry in std::fs::read_dir(mount.path()).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }
}

#[test]
fn fio_is_warned_once_and_goes_on() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 8 << 20).unwrap();
    let mut command = fathom();
    command.args(words("--name=a --rw=write --size=5m --numjobs=2 --bs=64k")).current_dir(mount.path());
    let ran = child::run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.stderr.matches("space: the jobs will write").count(), 1, "{ran:#?}");
    assert_ne!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("a: (groupid=0"), "it was not started: {ran:#?}");
}

/// What is written to a loop device over a sparse file, or to a file system on it, is allocated in the file system below.
#[test]
fn loop_devices_over_sparse_files_count_below() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let below = Mount::new(FileSystem::Tmpfs, 24 << 20).unwrap();
    let backing = below.path().join("backing");
    std::fs::File::create(&backing).unwrap().set_len(512 << 20).unwrap();
    let device = LoopDevice::from_file(&backing, Setup::default()).unwrap();
    let nowhere = Sandbox::new().unwrap();
    let ran = own(
        &format!("--name=a --rw=write --size=100m --filename={}", device.path().display()),
        nowhere.path(),
    );
    let at = below.path().display().to_string();
    refused(&ran, &["refused: space: ", "103.", &at], nowhere.path());
    let fits =
        own(&format!("--name=a --rw=write --size=1m --filename={}", device.path().display()), nowhere.path());
    assert_eq!(fits.code, Some(0), "{fits:#?}");
}

/// A file system on a sparse image takes its blocks from the one below: neither the check nor explore fills that, nor does a
/// job that writes into space which is reserved above and is a hole below.
#[test]
fn file_system_on_a_sparse_image_leaves_the_one_below_its_space() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let below = Mount::new(FileSystem::Tmpfs, 64 << 20).unwrap();
    let backing = below.path().join("image");
    std::fs::File::create(&backing).unwrap().set_len(400 << 20).unwrap();
    let inner =
        Mount::on(FileSystem::Ext4, LoopDevice::from_file(&backing, Setup::default()).unwrap(), "").unwrap();
    let file = inner.path().join("reserved");
    let open = std::fs::File::create(&file).unwrap();
    rustix::fs::fallocate(&open, rustix::fs::FallocateFlags::empty(), 0, 100 << 20).unwrap();
    open.sync_all().unwrap();
    let free = || rustix::fs::statvfs(below.path()).map(|fs| fs.f_bfree * fs.f_frsize).unwrap();
    let (before, at) = (free(), below.path().display().to_string());
    let target = inner.path().to_str().unwrap();
    let file = file.to_str().unwrap();
    let (allow, filename) = (format!("--allow-destroy={file}"), format!("--filename={file}"));
    let commands: [&[&str]; 3] = [
        &["--no-store", "--seconds", "2", target],
        &["explore", "--no-store", "--budget", "3s", "--write", target],
        &["run", "--no-store", "--name=a", "--rw=write", "--size=100m", &allow, &filename],
    ];
    for args in commands {
        let ran = child::run(Command::new(env!("CARGO_BIN_EXE_fathom")).args(args), LIMIT).unwrap();
        assert_ne!(ran.code, Some(0), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(&at), "{args:?}: {ran:#?}");
        rustix::fs::sync();
        // The journal and bit maps of the inner file system may be written late.
        assert!(before - free() < 8 << 20, "{args:?}: {before} bytes were free, now {}", free());
    }
}

#[test]
fn check_of_a_read_only_mount_says_so() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Tmpfs, 64 << 20).unwrap();
    let status =
        Command::new("mount").args(["-o", "remount,ro"]).arg(mount.path()).output_within(LIMIT).unwrap();
    assert!(status.status.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    let ran = child::run(command.args(["--seconds", "1"]).arg(mount.path()), LIMIT).unwrap();
    assert_ne!(ran.code, Some(0));
    assert!(ran.stderr.contains("read-only") && !ran.stderr.contains("too little"), "{ran:#?}");
}

/// On a FUSE file system an open file that was removed keeps a hidden name, and its server has it open: it is fathom's own.
#[test]
fn check_on_a_fuse_file_system_uses_its_scratch_file() {
    skip_without!(Need::Root, Need::Fuse, Need::Program("mkfs.ntfs"), Need::Program("ntfs-3g"));
    let sandbox = Sandbox::in_memory().unwrap();
    let image = sandbox.sparse("ntfs", 600 << 20).unwrap();
    let place = sandbox.join("mounted");
    std::fs::create_dir(&place).unwrap();
    let run = |program: &str, args: &[&std::ffi::OsStr]| {
        let ran = child::run(Command::new(program).args(args), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{program}: {ran:?}");
    };
    run("mkfs.ntfs", &["-qF".as_ref(), image.as_ref()]);
    run("ntfs-3g", &[image.as_ref(), place.as_ref()]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    let ran = child::run(command.args(["--no-store", "--seconds", "2"]).arg(&place), LIMIT);
    let left = std::fs::read_dir(&place).map(Iterator::count);
    run("umount", &[place.as_ref()]);
    let ran = ran.unwrap();
    assert!(ran.code == Some(0) && ran.stdout.contains("4k random"), "{ran:?}");
    assert_eq!(left.unwrap(), 0, "something was left");
}
