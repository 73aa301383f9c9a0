//! A name that comes to lead elsewhere, and a file that another program begins to use, after fathom has looked at it: nothing of
//! what is there then is lost. Cases are drawn from a seed that is printed; FATHOM_TEST_SEED repeats them, and
//! FATHOM_TEST_PROGRAM tries another program.

use crate::common::words;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running};
use testbed::witness::content;
use testbed::{Bounded, LoopDevice, Need, Sandbox, loopdev::Setup, skip_without};

const LIMIT: Duration = Duration::from_secs(60);
const MIB: u64 = 1 << 20;

/// From the environment, or drawn.
pub fn seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    std::env::var("FATHOM_TEST_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(now.as_nanos() as u64 >> 8)
}

/// A number that follows from a seed (splitmix64).
pub fn drawn(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Another order, which follows from the seed.
pub fn shuffle<T>(items: &mut [T], mut seed: u64) {
    for last in (1..items.len()).rev() {
        items.swap(last, drawn(&mut seed) as usize % (last + 1));
    }
}

fn program() -> Command {
    let other = std::env::var_os("FATHOM_TEST_PROGRAM");
    let mut command = Command::new(other.unwrap_or_else(|| env!("CARGO_BIN_EXE_fathom").into()));
    command
        .env("LC_ALL", "C")
        .env_remove("HOME")
        .env_remove("XDG_DATA_HOME")
        .env_remove("FATHOM_FIO_UNGUARDED");
    command
}

fn shell(script: &str) -> bool {
    let mut sh = Command::new("timeout");
    sh.args(["20", "sh", "-c", script]);
    sh.output_within(LIMIT).unwrap().status.success()
}

/// What happens meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// The link leads to another device.
    LinkToDevice,
    /// The link leads to another file.
    LinkToFile,
    /// Another file is renamed over the target.
    RenameOver,
    /// Another file is mounted over the target.
    MountOver,
    /// A file appears where none was.
    Appears,
    /// A program writes into the target.
    Written,
    /// The target becomes the backing file of a loop device, which is written to.
    LoopBacking,
    /// A directory on the way to the target is exchanged.
    Directory,
}

use Change::*;

const CHANGES: [Change; 8] =
    [LinkToDevice, LinkToFile, RenameOver, MountOver, Appears, Written, LoopBacking, Directory];

/// When the target is opened after it was checked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// The second job waits for the first.
    Stonewall,
    /// Its files are laid out when its turn comes.
    LaidOutLate,
    /// It waits for the first by name.
    WaitFor,
    /// It is deleted at the end.
    Unlinked,
}

const MOMENTS: [Moment; 4] = [Moment::Stonewall, Moment::LaidOutLate, Moment::WaitFor, Moment::Unlinked];

/// How long the first job runs; whatever happens later than this shows nothing.
const RUNS: Duration = Duration::from_millis(700);

#[derive(Clone, Debug)]
struct Case {
    change: Change,
    moment: Moment,
    /// `fathom run`, else `fathom fio`.
    own: bool,
    random: bool,
    after: Duration,
}

/// Unmounts on drop.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        shell(&format!("umount {}", self.0.display()));
    }
}

fn letter() -> Vec<u8> {
    b"Dear Sir or Madam, this is the only copy.\n".iter().copied().cycle().take(2 << 20).collect()
}

fn own_file(path: &Path) {
    let mut command = program();
    command.args(words("run --name=m --rw=write --bs=64k --size=2M --filename")).arg(path);
    let ran = testbed::child::run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

/// Whether the race took place in time, and whether the run was refused.
fn try_race(case: &Case) -> Option<bool> {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    std::fs::create_dir(dir.join("d")).unwrap();
    let target = dir.join("d/target");
    let witness = dir.join("witness");
    let Case { change, moment, .. } = *case;
    let mut devices: Vec<LoopDevice> = Vec::new();
    match change {
        LinkToDevice => {
            devices.push(LoopDevice::sparse(4 << 20, Setup::default()).unwrap());
            devices.push(LoopDevice::sparse(4 << 20, Setup::default()).unwrap());
            symlink(devices[0].path(), &target).unwrap();
            let made =
                shell(&format!("PATH=$PATH:/usr/sbin:/sbin mkfs.ext4 -q -F {}", devices[1].path().display()));
            assert!(made, "mkfs.ext4");
        }
        LinkToFile => {
            own_file(&dir.join("d/ours"));
            symlink(dir.join("d/ours"), &target).unwrap();
            std::fs::write(&witness, letter()).unwrap();
        }
        Appears => std::fs::write(&witness, letter()).unwrap(),
        Directory => {
            own_file(&target);
            std::fs::create_dir(dir.join("e")).unwrap();
            std::fs::write(dir.join("e/target"), letter()).unwrap();
        }
        _ => {
            own_file(&target);
            std::fs::write(&witness, letter()).unwrap();
        }
    }
    let rw = if case.random { "randwrite" } else { "write" };
    let second = match moment {
        Moment::Stonewall => "--stonewall",
        Moment::LaidOutLate => "--create_serialize=0 --stonewall",
        Moment::WaitFor => "--wait_for=first",
        Moment::Unlinked => "--stonewall --unlink=1",
    };
    let command_line = format!(
        "{} --name=first --ioengine=psync --rw=write --bs=4k --size=1M --rate_iops=50 --time_based --runtime={}ms \
         --filename={} --name=second --ioengine=psync --rw={rw} --bs=4k --size=2M --runtime=0 --time_based=0 \
         --rate_iops=0 {second} --filename={}",
        if case.own { "run" } else { "fio" },
        RUNS.as_millis(),
        dir.join("first").display(),
        target.display(),
    );
    let running = Running::start(program().args(words(&command_line)).current_dir(dir)).unwrap();
    // The first job's file is made after the check.
    let began = Instant::now();
    while !dir.join("first").exists() {
        assert!(began.elapsed() < LIMIT, "{case:?}: the run does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    let checked = Instant::now();
    std::thread::sleep(case.after);
    let mut mounted = None;
    let mut seen = witness.clone();
    let leads_to = |to: &Path| {
        symlink(to, dir.join("d/new")).unwrap();
        std::fs::rename(dir.join("d/new"), &target).unwrap();
    };
    match change {
        LinkToDevice => {
            leads_to(devices[1].path());
            seen = devices[1].path().to_owned();
        }
        LinkToFile => leads_to(&witness),
        RenameOver | Appears => {
            std::fs::rename(&witness, &target).unwrap();
            seen = target.clone();
        }
        MountOver => {
            assert!(shell(&format!("mount --bind {} {}", witness.display(), target.display())));
            mounted = Some(Mounted(target.clone()));
        }
        Written => {
            File::options()
                .write(true)
                .open(&target)
                .unwrap()
                .write_all_at(&letter()[..5000], 300_000)
                .unwrap();
            seen = target.clone();
        }
        LoopBacking => {
            let device = LoopDevice::from_file(&target, Setup::default()).unwrap();
            let open = File::options().write(true).open(device.path()).unwrap();
            open.write_all_at(&letter()[..8192], 65536).unwrap();
            open.sync_all().unwrap();
            drop(open);
            devices.push(device);
            seen = target.clone();
        }
        Directory => {
            rustix::fs::renameat_with(
                rustix::fs::CWD,
                dir.join("d"),
                rustix::fs::CWD,
                dir.join("e"),
                rustix::fs::RenameFlags::EXCHANGE,
            )
            .unwrap();
            seen = dir.join("d/target");
        }
    }
    let in_time = checked.elapsed() < RUNS - Duration::from_millis(100);
    let before = content(&seen);
    let ran = running.finish(LIMIT).unwrap();
    if !in_time {
        println!("{case:?}: too late to show anything");
        return None;
    }
    let before = before.unwrap();
    // By fio's rules a file that another program has written may be written, too.
    if case.own || change != Written {
        let after = content(&seen);
        assert!(after.is_ok_and(|after| after == before), "{case:?}: the witness has changed: {ran:#?}");
        assert_refused(case, &ran);
    }
    drop(mounted);
    Some(ran.code == Some(3))
}

#[track_caller]
fn assert_refused(case: &Case, ran: &Ran) {
    let line = ran.stderr.lines().any(|line| line.starts_with("refused: ") && line.contains("d/target"));
    assert!(ran.code == Some(3) && line, "{case:?}: not refused: {ran:#?}");
}

/// Tries so many cases drawn from a seed, each combination first; most wait, so that many run beside each other.
fn races(many: usize) {
    skip_without!(Need::Root, Need::Loop, Need::Program("mkfs.ext4"));
    let first = seed();
    println!("FATHOM_TEST_SEED={first}");
    let mut all: Vec<(Change, Moment, bool)> = Vec::new();
    for change in CHANGES {
        for moment in MOMENTS {
            all.extend([(change, moment, true), (change, moment, false)]);
        }
    }
    shuffle(&mut all, first);
    let mut state = first;
    let cases: Vec<Case> = (0..many)
        .map(|number| {
            let (change, moment, own) = all[number % all.len()];
            let random = drawn(&mut state).is_multiple_of(2);
            let after = Duration::from_millis(drawn(&mut state) % 200);
            Case { change, moment, own, random, after }
        })
        .collect();
    let (next, lost, shown) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
                    match std::panic::catch_unwind(|| try_race(case)) {
                        Ok(seen) => _ = shown.fetch_add(usize::from(seen.is_some()), Relaxed),
                        Err(_) => _ = lost.fetch_add(1, Relaxed),
                    }
                }
            });
        }
    });
    let (lost, shown) = (lost.into_inner(), shown.into_inner());
    println!("{many} races: {shown} in time and without a loss, {lost} lost");
    assert_eq!(lost, 0, "of {many} races; FATHOM_TEST_SEED={first}");
    assert!(shown * 4 >= many, "only {shown} of {many} races took place in time");
}

#[test]
fn races_lose_nothing() {
    races(12);
}

#[test]
#[ignore = "200 races"]
fn two_hundred_races_lose_nothing() {
    races(200);
}

/// A program that comes while prefill fills finds its own data afterwards.
fn beside_a_writer(rounds: usize) {
    let mut state = seed();
    println!("FATHOM_TEST_SEED={state}");
    let mut met = 0;
    for round in 0..rounds {
        let sandbox = Sandbox::new().unwrap();
        let path = sandbox.sparse("disk", 96 * MIB).unwrap();
        let mut command = program();
        command.env("XDG_STATE_HOME", sandbox.path()).args(["prefill", "--yes"]).arg(&path);
        let running = Running::start(&mut command).unwrap();
        let began = Instant::now();
        let at = (32 + drawn(&mut state) % 60) * MIB + drawn(&mut state) % 10_000;
        let filling = || std::os::unix::fs::MetadataExt::blocks(&path.metadata().unwrap()) > 0;
        while !filling() && began.elapsed() < LIMIT {
            std::thread::sleep(Duration::from_millis(1));
        }
        // It waits until the lease is given back: less than a second, and never longer than the kernel's 45.
        let open = opened_within(&path, Duration::from_secs(40)).unwrap();
        let there = {
            let mut there = vec![0; 5000];
            open.read_exact_at(&mut there, at).unwrap();
            there.iter().any(|byte| *byte != 0)
        };
        open.write_all_at(&letter()[..5000], at).unwrap();
        open.sync_all().unwrap();
        let ran = running.finish(LIMIT).unwrap();
        let mut found = vec![0; 5000];
        open.read_exact_at(&mut found, at).unwrap();
        assert!(found == letter()[..5000], "round {round}: data was overwritten at {at}: {ran:#?}");
        if !there {
            met += 1;
            let line = ran.stderr.contains("refused: another program opened it");
            assert!(
                ran.code == Some(3) && line && ran.stderr.lines().count() == 1,
                "round {round}: {ran:#?}"
            );
        }
    }
    println!("{met} of {rounds} came before the filling had got there");
}

fn opened_within(path: &Path, limit: Duration) -> io::Result<File> {
    let began = Instant::now();
    loop {
        let open = File::options().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(path);
        match open {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock && began.elapsed() < limit => {
                std::thread::sleep(Duration::from_millis(1));
            }
            other => return other,
        }
    }
}

#[test]
fn data_that_is_written_beside_prefill_stays() {
    beside_a_writer(3);
}

#[test]
#[ignore = "30 rounds"]
fn data_that_is_written_beside_prefill_stays_in_thirty_rounds() {
    beside_a_writer(30);
}

/// A reader is asked about as well: it may be a virtual machine that writes later.
#[test]
fn prefill_refuses_a_file_that_is_open_elsewhere() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("disk", 8 * MIB).unwrap();
    let reader = File::open(&path).unwrap();
    let mut command = program();
    command.env("XDG_STATE_HOME", sandbox.path()).args(["prefill", "--yes"]).arg(&path);
    let ran = testbed::child::run(&mut command, LIMIT).unwrap();
    assert!(ran.code == Some(3) && ran.stderr.contains("is open elsewhere"), "{ran:#?}");
    assert_eq!(std::os::unix::fs::MetadataExt::blocks(&path.metadata().unwrap()), 0);
    drop(reader);
}

/// A link that changes again and again between a blank device and one with a file system, with the same name in several jobs.
fn links_that_flip(rounds: usize) {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let sandbox = Sandbox::in_memory().unwrap();
    let blank = LoopDevice::from_file(&sandbox.sparse("blank", MIB).unwrap(), Setup::default()).unwrap();
    let path = sandbox.sparse("full", 4 * MIB).unwrap();
    assert!(shell(&format!("mkfs.ext4 -q {}", path.display())));
    let letter = std::fs::read(&path).unwrap();
    let full = LoopDevice::from_file(&path, Setup::default()).unwrap();
    let (link, next) = (sandbox.join("link"), sandbox.join("next"));
    let jobs = [
        "--name=a --filename=link --rw=read --size=64k --name=b --filename=link --rw=write --size=512k",
        "--name=a --filename=link:link --rw=write --size=512k",
        "--name=a --filename=link --rw=read --size=64k --name=b --stonewall --filename=link --rw=write --size=512k",
    ];
    let mut seed = seed();
    let first = seed;
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut seed = first;
            let mut flip = 0;
            while !done.load(Relaxed) {
                symlink(if flip % 2 == 0 { full.path() } else { blank.path() }, &next).unwrap();
                std::fs::rename(&next, &link).unwrap();
                flip += 1;
                std::thread::sleep(Duration::from_micros(drawn(&mut seed) % 500));
            }
        });
        let mut lost = 0;
        for round in 0..rounds {
            let mut command = program();
            command.arg(if drawn(&mut seed).is_multiple_of(2) { "run" } else { "fio" });
            command.args(words(jobs[round % jobs.len()])).current_dir(sandbox.path());
            let ran = testbed::child::run(&mut command, LIMIT).unwrap();
            lost += usize::from(std::fs::read(full.path()).unwrap() != letter);
            std::fs::write(full.path(), &letter).unwrap();
            assert!(ran.code.is_some(), "{ran:?}");
        }
        done.store(true, Relaxed);
        assert_eq!(lost, 0, "of {rounds} rounds; FATHOM_TEST_SEED={first}");
    });
}

#[test]
fn links_that_flip_during_the_check_lose_nothing() {
    links_that_flip(9);
}

#[test]
#[ignore = "300 rounds"]
fn links_that_flip_three_hundred_times_lose_nothing() {
    links_that_flip(300);
}
