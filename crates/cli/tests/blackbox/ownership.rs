//! Ways to make a file look like a scratch file of fathom's. Our own commands refuse each with status 3 and change
//! nothing; a genuine one is written again without a question.

use crate::common::{side_by_side, words};
use rustix::fs::{AtFlags, CWD, RenameFlags, Timespec, Timestamps, XattrFlags};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::witness::content;
use testbed::{Bounded, FileSystem, LoopDevice, Mount, Sandbox, have_program, loopdev::Setup, skip};

const LIMIT: Duration = Duration::from_secs(60);
const MIB: u64 = 1 << 20;
const MARK: &str = "user.fathom.scratch";
const SIZE: u64 = 3 * MIB;

fn fathom(state: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").env("XDG_STATE_HOME", state).env("XDG_DATA_HOME", state);
    command.env_remove("FATHOM_FIO_UNGUARDED");
    command
}

fn own(state: &Path, path: &Path, options: &str) -> Ran {
    let mut command = fathom(state);
    command.args(words(&format!("run --name=w --ioengine=psync {options} --filename"))).arg(path);
    run(&mut command, LIMIT).unwrap()
}

#[track_caller]
fn good(ran: &Ran) {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
}

/// Two MiB of noise that fathom has written, and one of a hole.
const MAKE: &str = "--rw=write --bs=64k --size=3M --io_size=2M --fallocate=truncate";

fn genuine(dir: &Path, name: &str) -> PathBuf {
    let path = dir.join(name);
    good(&own(dir, &path, MAKE));
    assert_eq!(path.metadata().unwrap().len(), SIZE);
    // A change within the tolerance of the mark would have to come faster than any program starts.
    std::thread::sleep(Duration::from_millis(60));
    path
}

fn shell(dir: &Path, script: &str) -> bool {
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
    let mut sh = Command::new("timeout");
    sh.args(["20", "sh", "-c", script]).current_dir(dir).env("PATH", path);
    sh.output_within(LIMIT).unwrap().status.success()
}

/// Text in which nothing repeats: a sentence again and again could be a pattern of fathom's own.
fn letter(bytes: usize) -> Vec<u8> {
    let lines = (0..).flat_map(|n: u64| {
        format!("order {} of customer {};\n", n * 7919 % 100_003, n * n * 31).into_bytes()
    });
    lines.take(bytes).collect()
}

fn put(path: &Path, bytes: &[u8], at: u64) {
    File::options().write(true).open(path).unwrap().write_all_at(bytes, at).unwrap();
}

/// Gives a file back the times that it had.
fn restore_times(path: &Path, before: &std::fs::Metadata) {
    let at = |seconds: i64, nanos: i64| Timespec { tv_sec: seconds, tv_nsec: nanos };
    let times = Timestamps {
        last_access: at(before.atime(), before.atime_nsec()),
        last_modification: at(before.mtime(), before.mtime_nsec()),
    };
    rustix::fs::utimensat(CWD, path, &times, AtFlags::empty()).unwrap();
}

fn copy_mark(from: &Path, to: &Path) {
    let mut mark = [0u8; 512];
    let length = rustix::fs::getxattr(from, MARK, &mut mark).unwrap();
    rustix::fs::setxattr(to, MARK, &mark[..length], XattrFlags::empty()).unwrap();
}

/// The file that looks like ours, and what keeps it so.
type Made = Option<(PathBuf, Box<dyn std::any::Any>)>;

type Case = (&'static str, fn(&Path) -> Made);

fn made(path: PathBuf) -> Made {
    Some((path, Box::new(())))
}

/// By a program that is given the genuine file `f`; the result is `to`.
fn by(dir: &Path, script: &str, to: &str) -> Made {
    genuine(dir, "f");
    if !shell(dir, script) {
        skip(&format!("does not work here: {script}"));
        return None;
    }
    made(dir.join(to))
}

/// Edited in place, and given back its times.
fn edited(dir: &Path, bytes: &[u8], at: u64) -> Made {
    let path = genuine(dir, "f");
    let before = path.metadata().unwrap();
    put(&path, bytes, at);
    restore_times(&path, &before);
    made(path)
}

/// Kept open by a program until it is killed: `how` is Python with the file `f` open for reading and writing.
fn held(dir: &Path, how: &str) -> Made {
    if !have_program("python3") {
        skip("needs the program python3");
        return None;
    }
    let path = genuine(dir, "f");
    let script = format!(
        "import os, time, mmap, fcntl\nfd = os.open('f', os.O_RDWR)\n{how}\nopen('ready', 'w').close()\ntime.sleep(60)"
    );
    let holder = Running::start(Command::new("python3").args(["-c", &script]).current_dir(dir)).unwrap();
    let began = Instant::now();
    while !dir.join("ready").exists() {
        assert!(began.elapsed() < Duration::from_secs(30), "{how}: the holder does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    Some((path, Box::new(holder)))
}

struct Undo(PathBuf, &'static str);

impl Drop for Undo {
    fn drop(&mut self) {
        shell(&self.0, self.1);
    }
}

const CASES: [Case; 39] = [
    ("cp -a", |d| by(d, "cp -a f g", "g")),
    ("cp -a --sparse", |d| by(d, "cp -a --sparse=always f g", "g")),
    ("cp --preserve=xattr", |d| by(d, "cp --preserve=all f g", "g")),
    ("cp over it", |d| by(d, "yes 'Dear Sir' | head -c 3M > l; cp l f", "f")),
    ("cp --reflink", |d| {
        let dir = Mount::new(FileSystem::Btrfs, 128 * MIB).ok()?;
        genuine(dir.path(), "f");
        if !shell(dir.path(), "cp -a --reflink=always f g") {
            skip("no reflinks here");
            return None;
        }
        let _ = d;
        Some((dir.path().join("g"), Box::new(dir)))
    }),
    ("tar --xattrs", |d| {
        by(
            d,
            "mkdir o && tar --xattrs --xattrs-include='*' -cf t f && tar --xattrs --xattrs-include='*' -C o -xf t",
            "o/f",
        )
    }),
    ("restored from a backup", |d| by(d, "cp -a f b && rm f && mv b f", "f")),
    ("restored by tar", |d| {
        by(
            d,
            "tar --xattrs --xattrs-include='*' -cf t f && rm f && tar --xattrs --xattrs-include='*' -xf t",
            "f",
        )
    }),
    ("mirrored", |d| {
        // As rsync -X does: a new file, its attributes, then a rename.
        let path = genuine(d, "f");
        std::fs::write(d.join(".f.new"), letter(SIZE as usize)).unwrap();
        copy_mark(&path, &d.join(".f.new"));
        std::fs::rename(d.join(".f.new"), &path).unwrap();
        made(path)
    }),
    ("mv onto it", |d| by(d, "yes 'Dear Sir' | head -c 3M > l; truncate -s 4M l; mv l f", "f")),
    ("hard link", |d| by(d, "ln f g", "f")),
    ("a hard link's other name", |d| by(d, "ln f g", "g")),
    ("dd at the beginning", |d| {
        by(d, "yes 'Dear Sir' | dd of=f bs=4k count=1 conv=notrunc iflag=fullblock", "f")
    }),
    ("dd in the middle", |d| {
        by(d, "yes 'Dear Sir' | dd of=f bs=4k seek=333 count=1 conv=notrunc iflag=fullblock", "f")
    }),
    ("dd at the end", |d| {
        by(d, "yes 'Dear Sir' | dd of=f bs=4k seek=767 count=1 conv=notrunc iflag=fullblock", "f")
    }),
    ("truncated", |d| by(d, "truncate -s 1M f; truncate -s 3M f", "f")),
    ("extended", |d| by(d, "truncate -s 5M f", "f")),
    ("appended to", |d| by(d, "echo Dear Sir >> f", "f")),
    ("a hole punched", |d| by(d, "fallocate -p -o 64k -l 64k f", "f")),
    ("edited at the beginning, times restored", |d| edited(d, &letter(5000), 0)),
    ("edited in the middle, times restored", |d| edited(d, &letter(100), 1_234_567)),
    ("edited at the end, times restored", |d| edited(d, &letter(100), SIZE - 100)),
    ("text in a hole, times restored", |d| edited(d, &letter(100), 2 * MIB + 77_777)),
    ("other noise, times restored", |d| edited(d, &testbed::sandbox::noise_of(MIB as usize), 4096)),
    ("touched", |d| by(d, "touch -d yesterday f", "f")),
    ("the mark copied by hand", |d| {
        let path = genuine(d, "f");
        std::fs::write(d.join("g"), letter(MIB as usize)).unwrap();
        File::options().write(true).open(d.join("g")).unwrap().set_len(SIZE).unwrap();
        copy_mark(&path, &d.join("g"));
        made(d.join("g"))
    }),
    ("an old mark", |d| {
        let path = d.join("g");
        std::fs::write(&path, letter(MIB as usize)).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(SIZE).unwrap();
        rustix::fs::setxattr(&path, MARK, b"1", XattrFlags::empty()).unwrap();
        made(path)
    }),
    ("renamed in exchange", |d| {
        let path = genuine(d, "f");
        std::fs::write(d.join("g"), letter(MIB as usize)).unwrap();
        File::options().write(true).open(d.join("g")).unwrap().set_len(SIZE).unwrap();
        rustix::fs::renameat_with(CWD, &path, CWD, d.join("g"), RenameFlags::EXCHANGE).unwrap();
        made(path)
    }),
    ("mkfs on it", |d| by(d, "mkfs.ext4 -q -F f", "f")),
    ("mkswap on it", |d| by(d, "mkswap f", "f")),
    ("a database in it", |d| {
        by(
            d,
            ": > f && sqlite3 f 'create table t(x); insert into t values(zeroblob(9));' && truncate -s 3M f",
            "f",
        )
    }),
    ("an archive in it", |d| by(d, "tar cf f /etc/hostname /etc/fstab; truncate -s 3M f", "f")),
    ("a compressed letter in it", |d| {
        by(d, "head -c 1M /dev/urandom > l; xz -c l > f; truncate -s 3M f", "f")
    }),
    ("under a loop device", |d| {
        let path = genuine(d, "f");
        let device = LoopDevice::from_file(&path, Setup::default()).ok()?;
        Some((path, Box::new(device)))
    }),
    ("swapped to", |d| {
        let path = genuine(d, "f");
        if !shell(
            d,
            "fallocate -l 3M f && dd if=/dev/zero of=f bs=1M count=3 conv=notrunc && mkswap f && chmod 600 f && swapon f",
        ) {
            skip("no swap files here");
            return None;
        }
        Some((path, Box::new(Undo(d.into(), "swapoff f"))))
    }),
    ("mounted over another", |d| {
        let path = genuine(d, "f");
        if !shell(d, "touch g && mount --bind f g") {
            skip("no bind mounts here");
            return None;
        }
        Some((path, Box::new(Undo(d.into(), "umount g"))))
    }),
    ("open in a program", |d| held(d, "")),
    ("mapped by a program", |d| held(d, "m = mmap.mmap(fd, 0)\nos.close(fd)")),
    ("leased by a program", |d| {
        held(
            d,
            "os.close(fd)\nfd = os.open('f', os.O_RDONLY)\nfcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)",
        )
    }),
];

/// Bytes of holes at the end: what prefill would fill.
fn has_hole(path: &Path) -> bool {
    let file = File::open(path).unwrap();
    let size = file.metadata().unwrap().len();
    rustix::fs::fsync(&file).unwrap();
    facts::extents::missing(&file, size).is_some_and(|m| m.holes + m.unwritten.unwrap_or(0) > 0)
}

fn try_case((name, make): &Case) {
    let sandbox = Sandbox::new().unwrap();
    let Some((path, keep)) = make(sandbox.path()) else { return };
    let before = (content(&path).unwrap(), path.metadata().unwrap().len());
    let hole = has_hole(&path);
    let state = sandbox.path();
    let commands: [(&str, String); 4] = [
        (
            "write",
            format!(
                "run --name=w --ioengine=psync --rw=write --bs=64k --size=3M --filename={}",
                path.display()
            ),
        ),
        (
            "randwrite",
            format!(
                "run --name=w --ioengine=psync --rw=randwrite --bs=8k --size=1M --filename={}",
                path.display()
            ),
        ),
        ("prefill", format!("prefill {}", path.display())),
        (
            "explore",
            format!("explore {} --write --patterns=4k-randwrite --budget=5s --no-store", path.display()),
        ),
    ];
    for (what, line) in commands {
        let ran = run(fathom(state).args(words(&line)), LIMIT).unwrap();
        // Without a hole there is nothing to fill, and a file too short to measure is an error of its own.
        let nothing_to_do = what == "prefill" && !hole;
        assert!(ran.code == Some(3) || nothing_to_do, "{name}: {what}: {ran:#?}");
        if ran.code == Some(3) {
            assert!(
                ran.stderr.contains("refused: ") && ran.stderr.lines().count() == 1,
                "{name}: {what}: {ran:#?}"
            );
        }
        let after = (content(&path).unwrap(), path.metadata().unwrap().len());
        assert!(after == before, "{name}: {what}: the file has changed");
    }
    drop(keep);
}

/// A sample of the cases; the seed is printed.
#[test]
fn files_that_look_like_ours_are_refused() {
    let (seed, mut cases) = (crate::races::seed(), CASES.to_vec());
    crate::races::shuffle(&mut cases, seed);
    println!("FATHOM_TEST_SEED={seed}");
    side_by_side(&cases[..8], try_case);
}

#[test]
#[ignore = "all of the cases"]
fn all_files_that_look_like_ours_are_refused() {
    side_by_side(&CASES, try_case);
}

#[test]
fn a_genuine_scratch_file_is_written_again() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let path = genuine(dir, "f");
    let runs = [
        "--rw=randwrite --bs=4k --size=3M --number_ios=64",
        "--rw=write --bs=64k --size=3M",
        "--rw=randrw --bs=4k --size=3M --number_ios=64",
        // It grows, by us.
        "--rw=write --bs=64k --size=5M",
        "--rw=randwrite --bs=4k --size=5M --openfiles=1 --number_ios=64 --numjobs=2",
        "--rw=randwrite --bs=4k --size=5M --number_ios=8 --zero_buffers",
        "--rw=randwrite --bs=4k --size=5M --number_ios=8 --buffer_pattern=0xdeadface",
        "--rw=randread --bs=4k --size=5M --number_ios=8",
        "--rw=write --bs=64k --size=5M --loops=2 --unlink_each_loop=1",
        "--rw=write --bs=64k --size=5M",
    ];
    for options in runs {
        let ran = own(dir, &path, options);
        assert!(ran.code == Some(0) && !ran.stderr.contains("refused"), "{options}: {ran:#?}");
    }
    // fio's rules keep it ours.
    let mut fio = fathom(dir);
    good(
        &run(fio.args(words("fio --name=w --rw=write --bs=64k --size=5M --filename")).arg(&path), LIMIT)
            .unwrap(),
    );
    good(&own(dir, &path, "--rw=write --bs=64k --size=5M"));
    // Filled by us.
    let sparse = genuine(dir, "sparse");
    good(&run(fathom(dir).arg("prefill").arg(&sparse), LIMIT).unwrap());
    assert!(!has_hole(&sparse));
    good(&own(dir, &sparse, "--rw=write --bs=64k --size=3M"));
    // Two jobs on one file, and one job on two.
    let f = path.display();
    let both = format!(
        "run --name=w --rw=write --size=1M --filename={f} --name=v --rw=write --size=1M --filename={f}"
    );
    good(&run(fathom(dir).args(words(&both)), LIMIT).unwrap());
    let mut command = fathom(dir);
    let two =
        format!("run --name=w --rw=write --bs=64k --size=2M --filename={0}/f:{0}/sparse", dir.display());
    let two = run(command.args(words(&two)), LIMIT).unwrap();
    assert!(two.code == Some(0) && two.stderr.starts_with("fathom: 2 targets: one job for each"), "{two:#?}");
}

#[test]
fn scratch_file_of_a_killed_run_is_reused_and_refused_once_modified() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let path = dir.join("f");
    let kill = || {
        let mut command = fathom(dir);
        let line = "run --name=w --ioengine=psync --rw=randwrite --bs=4k --size=8M --time_based --runtime=60 --rate_iops=500 --filename";
        let running = Running::start(command.args(words(line)).arg(&path)).unwrap();
        let began = Instant::now();
        let writing = || {
            let mut mark = [0u8; 512];
            rustix::fs::getxattr(&path, MARK, &mut mark).is_ok_and(|n| mark[..n].ends_with(b"state=writing"))
        };
        while !writing() {
            assert!(began.elapsed() < LIMIT, "the run does not begin to write");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        running.signal(libc::SIGKILL);
        assert_eq!(running.finish(LIMIT).unwrap().signal, Some(libc::SIGKILL));
    };
    kill();
    good(&own(dir, &path, "--rw=write --bs=64k --size=8M"));
    kill();
    let mut file = File::options().write(true).open(&path).unwrap();
    file.write_all_at(&letter(1000), 3_333_333).unwrap();
    file.flush().unwrap();
    drop(file);
    let before = content(&path).unwrap();
    let ran = own(dir, &path, "--rw=write --bs=64k --size=8M");
    assert!(ran.code == Some(3) && ran.stderr.contains("fathom has not written"), "{ran:#?}");
    assert!(content(&path).unwrap() == before);
}

/// What one check looks at in each file is bounded: 3000 files are refused or accepted in seconds.
#[test]
fn many_scratch_files_are_accepted_again() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let line = format!(
        "run --name=w --ioengine=psync --rw=write --bs=4k --nrfiles=1500 --size=6000k --openfiles=64 --directory={}",
        dir.display()
    );
    for round in ["made", "known again"] {
        let ran = run(fathom(dir).args(words(&line)), LIMIT).unwrap();
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{round}: {ran:#?}");
    }
    std::fs::write(dir.join("w.0.700"), letter(4096)).unwrap();
    let ran = run(fathom(dir).args(words(&line)), LIMIT).unwrap();
    assert!(ran.code == Some(3) && ran.stderr.contains("w.0.700"), "{ran:#?}");
    assert_eq!(std::fs::read(dir.join("w.0.700")).unwrap(), letter(4096));
}
