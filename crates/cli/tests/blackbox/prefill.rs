//! `fathom prefill` on real files and devices: what was never written is found and filled, on consent alone; data is left
//! as it was; what is filled is remembered, and only what is. Witnesses: the file system's own map of the file, its
//! content, and what the kernel counted on the device below.

use crate::common::{document, failing_device, fathom, words};
use rustix::fs::{FallocateFlags, XattrFlags, fallocate};
use serde_json::Value;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::labels::LABELS;
use testbed::{
    Bounded, FileSystem, LoopDevice, Mount, Need, Sandbox, TOOL_LIMIT, have_program, loopdev::Setup, skip,
    skip_without,
};

const LIMIT: Duration = Duration::from_secs(60);
const MIB: u64 = 1 << 20;
const ATTRIBUTE: &str = "user.fathom.filled";

/// `fathom COMMAND`, with a state directory of the test's own.
fn ours(command: &str, state: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fathom"));
    program.arg(command).env("XDG_STATE_HOME", state);
    program
}

fn prefill(state: &Path, path: &Path, args: &str) -> Ran {
    run(ours("prefill", state).arg(path).args(words(args)), LIMIT).unwrap()
}

#[track_caller]
fn good(ran: &Ran) -> Value {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

fn remembered(path: &Path) -> bool {
    rustix::fs::getxattr(path, ATTRIBUTE, &mut [0u8; 4096]).is_ok()
}

/// Bytes that the file system says were never written.
fn missing(path: &Path) -> u64 {
    let file = File::open(path).unwrap();
    rustix::fs::fsync(&file).unwrap();
    let missing = facts::extents::missing(&file, file.metadata().unwrap().len()).unwrap();
    missing.holes + missing.unwritten.unwrap_or(0)
}

fn zero_blocks(bytes: &[u8]) -> usize {
    bytes.chunks(4096).filter(|block| **block == [0; 4096][..block.len()]).count()
}

/// No compressor finds anything in it: all bytes are about equally frequent and no block comes twice.
#[track_caller]
fn is_noise(bytes: &[u8]) {
    let mut counts = [0u64; 256];
    bytes.iter().for_each(|b| counts[*b as usize] += 1);
    let mean = bytes.len() as u64 / 256;
    assert!(counts.iter().all(|n| n.abs_diff(mean) < mean / 4 + 64), "{counts:?}");
    let mut blocks: Vec<&[u8]> = bytes.chunks(4096).collect();
    let all = blocks.len();
    blocks.sort_unstable();
    blocks.dedup();
    assert_eq!(blocks.len(), all, "a block comes twice");
}

/// Data, reserved space, a hole, zeros, data again, and a hole that ends in the middle of a block.
struct Mixed {
    path: PathBuf,
    before: Vec<u8>,
}

const DATA: [(u64, u64); 2] = [(0, 8 * MIB), (28 * MIB, 2 * MIB)];
const SIZE: u64 = 32 * MIB + 1234;

fn noise(length: u64, seed: u8) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ u64::from(seed);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..length / 8).flat_map(|_| next().to_le_bytes()).collect()
}

fn mixed(dir: &Path) -> Mixed {
    let path = dir.join("mixed");
    let file = File::create(&path).unwrap();
    file.set_len(SIZE).unwrap();
    for (i, (at, length)) in DATA.into_iter().enumerate() {
        file.write_all_at(&noise(length, i as u8), at).unwrap();
    }
    fallocate(&file, FallocateFlags::empty(), 8 * MIB, 8 * MIB).unwrap();
    file.write_all_at(&vec![0; 4 << 20], 24 * MIB).unwrap();
    file.sync_all().unwrap();
    drop(file);
    Mixed { before: std::fs::read(&path).unwrap(), path }
}

/// Where the test was to write is noise, where data was it is still that.
#[track_caller]
fn filled(m: &Mixed) {
    let after = std::fs::read(&m.path).unwrap();
    assert_eq!(after.len(), m.before.len());
    for (at, length) in DATA {
        let range = at as usize..(at + length) as usize;
        assert!(after[range.clone()] == m.before[range], "data at {at} has changed");
    }
    assert_eq!((missing(&m.path), zero_blocks(&after)), (0, 0));
    is_noise(&after);
}

fn mounts(kinds: &[FileSystem]) -> Vec<(FileSystem, Mount)> {
    let mut mounts = Vec::new();
    for kind in kinds {
        match kind.mkfs().filter(|m| !have_program(m)) {
            Some(mkfs) => skip(&format!("needs the program {mkfs}")),
            None => mounts.push((*kind, Mount::new(*kind, 256 * MIB).unwrap())),
        }
    }
    mounts
}

const FILE_SYSTEMS: [FileSystem; 4] =
    [FileSystem::Ext4, FileSystem::Xfs, FileSystem::Btrfs, FileSystem::Tmpfs];

/// Whether a run says that there is no data to read.
fn refused_the_grade(state: &Path, path: &Path) -> bool {
    let args = "--prefill=no --json --name=r --rw=randread --bs=4k --number_ios=64 --direct=1 --filename";
    let ran = run(ours("run", state).args(words(args)).arg(path), LIMIT).unwrap();
    let doc = document(&ran);
    let target = &doc["fathom"]["layers"]["targets"][0];
    let figure = |key: &str| target[key].as_u64().unwrap_or(0);
    figure("holes") + figure("unwritten") + figure("zero_blocks") > 0
}

#[test]
fn unwritten_ranges_are_filled_on_consent_and_nothing_else() {
    skip_without!(Need::Loop);
    let state = Sandbox::new().unwrap();
    for (kind, mount) in mounts(&FILE_SYSTEMS) {
        let m = mixed(mount.path());
        let there = missing(&m.path);
        assert!(there > 8 * MIB, "{kind:?}: {there} missing: the test shows nothing");
        assert!(refused_the_grade(state.path(), &m.path), "{kind:?}");
        let no = prefill(state.path(), &m.path, "");
        assert_eq!((no.code, no.stdout.as_str()), (Some(3), ""), "{kind:?}: {no:#?}");
        assert!(no.stderr.contains("--yes") && no.stderr.lines().count() == 1, "{kind:?}: {no:#?}");
        assert!(std::fs::read(&m.path).unwrap() == m.before && missing(&m.path) == there, "{kind:?}");
        assert!(!remembered(&m.path), "{kind:?}");

        let card = good(&prefill(state.path(), &m.path, "--yes --json"));
        let figure = |key: &str| card["found"][key].as_u64().unwrap();
        assert_eq!(figure("zeros"), 4 * MIB, "{kind:?}: {card}");
        assert_eq!(figure("holes") + figure("unwritten"), there, "{kind:?}: {card}");
        assert_eq!(
            (&card["end"], &card["written"]),
            (&"filled".into(), &(there + 4 * MIB).into()),
            "{kind:?}"
        );
        filled(&m);
        assert!(!refused_the_grade(state.path(), &m.path), "{kind:?}");
        assert!(remembered(&m.path), "{kind:?}: {card}");

        // Not twice: neither its word nor the device's.
        rustix::fs::sync();
        let device = mount.device().map(|d| (d, d.stats().unwrap()));
        let again = good(&prefill(state.path(), &m.path, "--yes --json"));
        rustix::fs::sync();
        assert_eq!((&again["end"], &again["written"]), (&"filled_before".into(), &0.into()), "{kind:?}");
        if let Some((device, before)) = device {
            let wrote = device.stats().unwrap().since(&before).write_bytes();
            assert!(wrote < MIB, "{kind:?}: {wrote} bytes written for nothing");
        }

        // A hole made later is found, whatever is remembered.
        let file = File::options().write(true).open(&m.path).unwrap();
        fallocate(&file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, 9 * MIB, MIB).unwrap();
        drop(file);
        let third = good(&prefill(state.path(), &m.path, "--yes --json"));
        assert_eq!((&third["end"], &third["written"]), (&"filled".into(), &MIB.into()), "{kind:?}");
        filled(&m);

        // A copy takes the attribute along, not the inode.
        let copy = m.path.with_extension("copy");
        let made = Command::new("cp")
            .args(["--preserve=xattr"])
            .arg(&m.path)
            .arg(&copy)
            .output_within(TOOL_LIMIT)
            .unwrap()
            .status;
        assert!(made.success());
        if remembered(&copy) {
            let copied = good(&prefill(state.path(), &copy, "--yes --json"));
            assert_eq!(copied["end"], "whole", "{kind:?}");
        }
    }
}

/// Zeros in an image of a file system or a disk are part of it.
#[test]
fn image_with_a_signature_is_refused_until_its_name_is_repeated() {
    let sandbox = Sandbox::in_memory().unwrap();
    let (state, image) = (sandbox.join("state"), sandbox.join("image"));
    let mut made = 0;
    for label in LABELS.iter().filter(|label| label.can_be_made()) {
        label.make(&image).unwrap_or_else(|error| panic!("{}: {error}", label.name));
        let before = std::fs::read(&image).unwrap();
        let ran = prefill(&state, &image, "--yes");
        assert_eq!(ran.code, Some(3), "{}: {ran:?}", label.name);
        let reading = format!(
            "--no-store --prefill=yes --rw=randread --number_ios=10 --name=a --filename={}",
            image.display()
        );
        let read = run(ours("run", &state).args(words(&reading)).current_dir(sandbox.path()), LIMIT).unwrap();
        assert!(std::fs::read(&image).unwrap() == before, "{}: {ran:?} {read:?}", label.name);
        made += 1;
        std::fs::remove_file(&image).unwrap();
    }
    assert!(made > 20, "{made}");
    let label = LABELS.iter().find(|label| label.name == "ext4").unwrap();
    label.make(&image).unwrap();
    let insisting = format!("--yes --allow-destroy={}", image.display());
    good(&prefill(&state, &image, &(insisting + " --json")));
    assert_eq!(missing(&image), 0);
}

#[test]
fn a_file_of_zeros_is_filled_and_one_of_data_with_a_page_of_zeros_is_left() {
    let sandbox = Sandbox::new().unwrap();
    let zeros = sandbox.join("zeros");
    std::fs::write(&zeros, vec![0; 4 << 20]).unwrap();
    let card = good(&prefill(sandbox.path(), &zeros, "--yes --json"));
    assert_eq!((&card["found"]["zeros"], &card["end"]), (&(4 * MIB).into(), &"filled".into()));
    is_noise(&std::fs::read(&zeros).unwrap());
    // 2 of 4096 blocks: content rather than absence of it.
    let data = sandbox.file("data", 16 * MIB).unwrap();
    let open = File::options().write(true).open(&data).unwrap();
    open.write_all_at(&[0; 8192], 5 * MIB).unwrap();
    drop(open);
    let before = std::fs::read(&data).unwrap();
    let card = good(&prefill(sandbox.path(), &data, "--yes --json"));
    assert_eq!((&card["end"], &card["written"]), (&"whole".into(), &0.into()), "{card}");
    assert!(std::fs::read(&data).unwrap() == before && !remembered(&data));
    let empty = sandbox.join("empty");
    File::create(&empty).unwrap();
    assert_eq!(good(&prefill(sandbox.path(), &empty, "--json"))["end"], "whole");
}

#[test]
fn ten_thousand_small_holes_are_filled_and_the_data_between_them_stays() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("holes", 10_000 * 8192).unwrap();
    let data = noise(10_000 * 4096, 1);
    let file = File::options().write(true).open(&path).unwrap();
    for (i, block) in data.chunks(4096).enumerate() {
        file.write_all_at(block, i as u64 * 8192).unwrap();
    }
    drop(file);
    let card = good(&prefill(sandbox.path(), &path, "--yes --json"));
    assert_eq!((&card["pieces"], &card["written"]), (&10_000.into(), &(10_000 * 4096).into()), "{card}");
    let after = std::fs::read(&path).unwrap();
    assert_eq!((zero_blocks(&after), missing(&path)), (0, 0));
    assert!(after.chunks(8192).zip(data.chunks(4096)).all(|(both, data)| &both[..4096] == data));
}

#[test]
fn a_part_is_filled_and_remembered_alone() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("f", 8 * MIB).unwrap();
    let part = |offset: &str, size: &str| {
        good(&prefill(sandbox.path(), &path, &format!("--yes --json --offset={offset} --size={size}")))
    };
    assert_eq!(part("2M", "1M")["written"], MIB);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((missing(&path), zero_blocks(&bytes[2 << 20..3 << 20])), (7 * MIB, 0));
    assert_eq!(part("2M", "1M")["end"], "filled_before");
    assert_eq!(part("3M", "2M")["written"], 2 * MIB);
    assert_eq!(part("2M", "3M")["end"], "filled_before");
    assert_eq!(good(&prefill(sandbox.path(), &path, "--yes --json"))["written"], 5 * MIB);
    assert_eq!(part("0", "8M")["end"], "filled_before");
    for (args, found) in [
        ("--offset=100", "--offset=100 is no multiple of 4096"),
        ("--size=5000", "--size=5000 is no multiple of 4096"),
        ("--offset=1G", "lies beyond the end"),
        ("--size=many", "give bytes, or a number with a unit"),
    ] {
        let ran = prefill(sandbox.path(), &path, args);
        assert!(ran.code == Some(2) && ran.stderr.contains(found), "{args}: {ran:#?}");
    }
    for (target, found) in [("", "is a directory"), ("none", "No such file")] {
        let ran = prefill(sandbox.path(), &sandbox.join(target), "--yes");
        assert!(ran.code == Some(1) && ran.stderr.contains(found), "{target}: {ran:#?}");
    }
}

/// A write of somebody else's may come between the look and the filling: where that can be, nothing is written.
#[test]
fn a_file_that_is_open_for_writing_elsewhere_is_refused() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("f", 4 * MIB).unwrap();
    let writer = File::options().write(true).open(&path).unwrap();
    let ran = prefill(sandbox.path(), &path, "--yes");
    assert!(ran.code == Some(3) && ran.stderr.contains("open for writing elsewhere"), "{ran:#?}");
    assert_eq!(missing(&path), 4 * MIB);
    drop(writer);
    good(&prefill(sandbox.path(), &path, "--yes --json"));
    skip_without!(Need::Loop);
    let below = sandbox.sparse("disk", 4 * MIB).unwrap();
    let _device = LoopDevice::from_file(&below, Setup::default()).unwrap();
    assert_eq!(prefill(sandbox.path(), &below, "--yes").code, Some(3));
    assert_eq!(missing(&below), 4 * MIB);
}

/// Data that is in the cache alone lies in no extent yet, or in an unwritten one.
#[test]
fn data_that_is_not_on_the_disk_yet_is_data() {
    skip_without!(Need::Loop);
    let state = Sandbox::new().unwrap();
    for (kind, mount) in mounts(&FILE_SYSTEMS) {
        let path = mount.path().join("dirty");
        let file = File::create(&path).unwrap();
        fallocate(&file, FallocateFlags::empty(), 0, 16 * MIB).unwrap();
        let data = noise(4 * MIB, 9);
        file.write_all_at(&data, 4 * MIB).unwrap();
        drop(file);
        let card = good(&prefill(state.path(), &path, "--yes --json"));
        assert_eq!(card["written"], 12 * MIB, "{kind:?}: {card}");
        assert!(std::fs::read(&path).unwrap()[4 << 20..8 << 20] == data, "{kind:?}: data was overwritten");
    }
}

#[test]
fn too_little_space_is_said_before_a_byte_is_written() {
    skip_without!(Need::Loop);
    let state = Sandbox::new().unwrap();
    for (kind, mount) in mounts(&FILE_SYSTEMS) {
        let path = mount.path().join("large");
        File::create(&path).unwrap().set_len(4 << 30).unwrap();
        let ran = prefill(state.path(), &path, "--yes");
        assert!(ran.code == Some(1) && ran.stdout.is_empty(), "{kind:?}: {ran:#?}");
        assert!(ran.stderr.contains("filling its holes needs 4096 MiB"), "{kind:?}: {ran:#?}");
        assert_eq!(path.metadata().unwrap().blocks(), 0, "{kind:?}: something was written");
        assert!(!remembered(&path));
        // Of what fits a part may be asked for.
        good(&prefill(state.path(), &path, "--yes --json --offset=1G --size=8M"));
    }
}

#[test]
fn killed_in_the_middle_it_never_remembers_a_file_as_filled() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let state = Sandbox::new().unwrap();
    let mount = Mount::new(FileSystem::Ext4, 256 * MIB).unwrap();
    let path = mount.path().join("f");
    File::create(&path).unwrap().set_len(64 * MIB).unwrap();
    let mut whole = prefill(state.path(), &path, "--yes --json").wall;
    let (mut midway, mut writing) = (0, 0);
    for round in 0..96u32 {
        if round >= 24 && midway >= 10 && writing >= 5 {
            break;
        }
        // What was remembered before must not outlive its truth either.
        let file = File::options().write(true).open(&path).unwrap();
        fallocate(&file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, 0, 64 * MIB).unwrap();
        drop(file);
        if round % 2 == 0 {
            let text = format!(
                "fathom-filled 1 inode={} size={} range=0+{}",
                path.metadata().unwrap().ino(),
                64 * MIB,
                64 * MIB
            );
            rustix::fs::setxattr(&path, ATTRIBUTE, text.as_bytes(), XattrFlags::empty()).unwrap();
        }
        let running = Running::start(ours("prefill", state.path()).arg("--yes").arg(&path)).unwrap();
        std::thread::sleep(whole * (round % 24 + 2) / 24);
        running.signal(libc::SIGKILL);
        let ran = running.finish(LIMIT).unwrap();
        let left = missing(&path);
        if ran.signal == Some(libc::SIGKILL) {
            midway += 1;
        } else {
            whole = ran.wall; // The machine has become faster, or less busy.
        }
        writing += u32::from(left > 0 && left < 64 * MIB);
        if left == 64 * MIB {
            continue; // Killed before it began: the old words are still there, and the file system contradicts them.
        }
        assert!(
            left == 0 || !remembered(&path),
            "round {round}: {left} bytes missing and remembered as filled"
        );
        if left == 0 && remembered(&path) {
            assert_eq!(zero_blocks(&std::fs::read(&path).unwrap()), 0);
        }
    }
    assert!(
        midway >= 10 && writing >= 5,
        "{midway} killed, {writing} of them while writing: this shows nothing"
    );
    good(&prefill(state.path(), &path, "--yes --json"));
    assert_eq!(missing(&path), 0);
}

#[test]
fn a_signal_ends_it_cleanly_and_nothing_is_remembered() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let state = Sandbox::new().unwrap();
    let mount = Mount::new(FileSystem::Ext4, 1024 * MIB).unwrap();
    let path = mount.path().join("f");
    File::create(&path).unwrap().set_len(768 * MIB).unwrap();
    let running = Running::start(ours("prefill", state.path()).args(["--yes", "--json"]).arg(&path)).unwrap();
    while path.metadata().unwrap().blocks() < 8 << 11 {
        std::thread::sleep(Duration::from_millis(2));
    }
    running.signal(libc::SIGINT);
    let ran = running.finish(LIMIT).unwrap();
    assert!(ran.code == Some(128) && !ran.overran, "{ran:#?}");
    let card: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(card["end"], "interrupted");
    assert!(missing(&path) > 0 && !remembered(&path), "{card}");
}

/// Text of all that is remembered of devices.
fn records(state: &Path) -> String {
    let entries = std::fs::read_dir(state.join("fathom/filled")).into_iter().flatten();
    let paths = entries.map(|e| e.unwrap().path());
    // What was killed while it wrote one has left the text under another name, which nobody reads.
    let records = paths.filter(|path| path.extension().is_some_and(|e| e == "txt"));
    records.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

fn content(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn a_device_is_filled_when_its_name_is_repeated_and_a_discard_forgets_it() {
    skip_without!(Need::Loop, Need::Program("blkdiscard"));
    let state = Sandbox::new().unwrap();
    let device = LoopDevice::sparse(64 * MIB, Setup::default()).unwrap();
    let allow = format!("--json --allow-destroy={}", device.path().display());
    let began = device.stats().unwrap();
    for args in ["", "--yes", "--allow-destroy=/dev/null"] {
        let ran = prefill(state.path(), device.path(), args);
        assert_eq!((ran.code, ran.stderr.lines().count()), (Some(3), 1), "{args}: {ran:#?}");
        let insist = format!("--allow-destroy={}", device.path().display());
        assert!(ran.stderr.contains(&insist), "{args}: {ran:#?}");
    }
    assert_eq!(device.stats().unwrap().since(&began).write_bytes(), 0);
    assert_eq!(records(state.path()), "");
    let part = good(&prefill(state.path(), device.path(), &format!("{allow} --size=16M")));
    assert_eq!((&part["end"], &part["written"]), (&"filled".into(), &(16 * MIB).into()), "{part}");
    let rest = good(&prefill(state.path(), device.path(), &allow));
    assert_eq!(rest["written"], 48 * MIB, "the first part is not filled twice: {rest}");
    is_noise(&content(device.path()));

    let before = device.stats().unwrap();
    let again = good(&prefill(state.path(), device.path(), "--json"));
    assert_eq!(again["end"], "filled_before", "{again}");
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);

    let discard = Command::new("blkdiscard")
        .args(["-o", "0", "-l", "256K"])
        .arg(device.path())
        .output_within(TOOL_LIMIT)
        .unwrap()
        .status;
    assert!(discard.success());
    let forgotten = good(&prefill(state.path(), device.path(), &allow));
    assert_eq!((&forgotten["end"], &forgotten["written"]), (&"filled".into(), &(64 * MIB).into()));
    is_noise(&content(device.path()));
    // Zeros written over it are no discard: a look at it says so.
    File::options().write(true).open(device.path()).unwrap().write_all_at(&vec![0; 32 << 20], 0).unwrap();
    let zeroed = good(&prefill(state.path(), device.path(), &allow));
    assert_eq!(zeroed["written"], 64 * MIB, "{zeroed}");
    // Another device with the same name has another file below.
    drop(device);
    let other = LoopDevice::sparse(64 * MIB, Setup::default()).unwrap();
    assert_eq!(prefill(state.path(), other.path(), "").code, Some(3));
}

#[test]
fn device_in_use_is_refused_even_with_its_name_repeated() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let state = Sandbox::new().unwrap();
    let mount = Mount::new(FileSystem::Ext4, 128 * MIB).unwrap();
    let device = mount.device().unwrap();
    let allow = format!("--allow-destroy={}", device.path().display());
    let before = device.stats().unwrap();
    let ran = prefill(state.path(), device.path(), &allow);
    assert!(ran.code == Some(3) && ran.stderr.contains("is mounted on"), "{ran:#?}");
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);
    // The file system is also that of another loop device over the file.
    let alias = LoopDevice::from_file(device.backing(), Setup::default()).unwrap();
    let allow = format!("--allow-destroy={}", alias.path().display());
    let before = alias.stats().unwrap();
    let ran = prefill(state.path(), alias.path(), &allow);
    assert!(ran.code == Some(3) && ran.stderr.contains("is mounted on"), "{ran:#?}");
    assert_eq!(alias.stats().unwrap().since(&before).write_bytes(), 0);

    let idle = LoopDevice::sparse(128 * MIB, Setup::default()).unwrap();
    let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
    let made = Command::new("mkfs.ext4")
        .args(["-q", "-F"])
        .arg(idle.path())
        .env("PATH", path)
        .output_within(TOOL_LIMIT)
        .unwrap()
        .status;
    assert!(made.success());
    let ran = prefill(state.path(), idle.path(), "");
    assert!(ran.code == Some(3) && ran.stderr.contains("ext4 file system"), "{ran:#?}");
    let allow = format!("--json --allow-destroy={}", idle.path().display());
    assert_eq!(good(&prefill(state.path(), idle.path(), &allow))["end"], "filled");
}

#[test]
fn killed_in_the_middle_it_never_remembers_a_device_as_filled() {
    skip_without!(Need::Loop);
    let state = Sandbox::new().unwrap();
    let device = LoopDevice::sparse(64 * MIB, Setup::default()).unwrap();
    let allow = format!("--allow-destroy={}", device.path().display());
    let mut whole = prefill(state.path(), device.path(), &allow).wall;
    let mut midway = 0;
    for round in 0..80u32 {
        if round >= 20 && midway >= 8 {
            break;
        }
        let punch = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        // On the device: what is remembered is contradicted by a sample alone.
        let open = File::options().write(true).open(device.path()).unwrap();
        fallocate(&open, punch, 0, 64 * MIB).unwrap();
        drop(open);
        let running = Running::start(ours("prefill", state.path()).arg(&allow).arg(device.path())).unwrap();
        std::thread::sleep(whole * (round % 20 + 2) / 20);
        running.signal(libc::SIGKILL);
        let ran = running.finish(LIMIT).unwrap();
        if ran.signal == Some(libc::SIGKILL) {
            midway += 1;
        } else {
            whole = ran.wall;
        }
        let zeros = zero_blocks(&content(device.path()));
        let dry = prefill(state.path(), device.path(), "--json");
        let claims = dry.code == Some(0) && dry.stdout.contains("filled_before");
        assert!(zeros == 0 || !claims, "round {round}: {zeros} blocks of zeros, remembered as filled");
        if zeros > 0 && zeros < 16384 {
            assert_eq!(records(state.path()), "", "round {round}: {zeros} blocks of zeros and a record");
        }
    }
    assert!(midway >= 8, "{midway} killed: this shows nothing");
}

#[test]
fn an_ordinary_user_fills_what_is_his() {
    skip_without!(Need::Root, Need::Program("setpriv"));
    let sandbox = Sandbox::new().unwrap();
    std::fs::set_permissions(sandbox.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    // The build directory may be closed to others.
    let binary = sandbox.join("fathom");
    crate::common::copy_program(&binary);
    let his = sandbox.sparse("his", 4 * MIB).unwrap();
    std::os::unix::fs::chown(&his, Some(65534), Some(65534)).unwrap();
    let roots = sandbox.sparse("roots", 4 * MIB).unwrap();
    let user = |args: &[&str], path: &Path| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&binary).args(args).arg(path);
        run(command.env("XDG_STATE_HOME", sandbox.path()), LIMIT).unwrap()
    };
    let card = good(&user(&["prefill", "--yes", "--json"], &his));
    assert_eq!((&card["end"], missing(&his)), (&"filled".into(), 0));
    assert_eq!(good(&user(&["prefill", "--json"], &his))["end"], "filled_before");
    let ran = user(&["prefill", "--yes"], &roots);
    assert!(ran.code == Some(1) && ran.stderr.contains("Permission denied"), "{ran:#?}");
    assert_eq!(missing(&roots), 4 * MIB);
}

const READ: &str = "--json --name=r --rw=randread --bs=4k --number_ios=64 --filename";

fn read(state: &Path, switch: &str, path: &Path) -> Ran {
    run(ours("run", state).args(words(switch)).args(words(READ)).arg(path), LIMIT).unwrap()
}

fn notes(ran: &Ran) -> String {
    document(ran)["fathom"]["notes"].to_string()
}

#[test]
fn run_that_reads_unwritten_ranges_says_so_or_fills_them() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("f", 8 * MIB).unwrap();
    File::options().write(true).open(&path).unwrap().write_all_at(&noise(2 * MIB, 3), 0).unwrap();
    let advice = format!(
        "75 % of {p} was never written; those reads never touch the disk; to fill it: fathom prefill {p}",
        p = path.display()
    );
    for switch in ["", "--prefill=ask", "--prefill ask"] {
        let ran = read(sandbox.path(), switch, &path);
        assert!(ran.code == Some(0) && notes(&ran).contains(&advice), "{switch}: {ran:#?}");
    }
    assert!(!notes(&read(sandbox.path(), "--prefill=no", &path)).contains("never"));
    let wrong = read(sandbox.path(), "--prefill=maybe", &path);
    assert!(wrong.code == Some(1) && wrong.stderr.contains("one of yes, no and ask"), "{wrong:#?}");
    let check =
        run(Command::new(env!("CARGO_BIN_EXE_fathom")).args(["--seconds=1", "--json"]).arg(&path), LIMIT);
    assert!(check.unwrap().stdout.contains(&advice));
    assert_eq!(missing(&path), 6 * MIB);
    // fio asks nobody and fills nothing.
    let fio = run(fathom().args(words(READ).into_iter().skip(1)).arg(&path), LIMIT).unwrap();
    assert!(fio.code == Some(0) && !fio.stdout.contains("never written"), "{fio:#?}");
    let fio =
        run(fathom().arg("--prefill=yes").args(words(READ).into_iter().skip(1)).arg(&path), LIMIT).unwrap();
    assert!(fio.code == Some(1), "{fio:#?}");
    assert_eq!(missing(&path), 6 * MIB);
    let ran = read(sandbox.path(), "--prefill=yes --readonly", &path);
    assert!(ran.code == Some(0) && notes(&ran).contains(&advice), "{ran:#?}");
    assert_eq!(missing(&path), 6 * MIB, "--readonly");
    let ran = read(sandbox.path(), "--prefill=yes", &path);
    assert!(ran.code == Some(0) && notes(&ran).contains("was filled before this run"), "{ran:#?}");
    assert_eq!((missing(&path), zero_blocks(&content(&path))), (0, 0));
    assert!(remembered(&path));
    let ran = read(sandbox.path(), "", &path);
    assert!(ran.code == Some(0) && !notes(&ran).contains("never"), "{ran:#?}");
}

#[test]
fn scratch_file_is_filled_without_a_question_and_laid_out_as_noise() {
    let sandbox = Sandbox::new().unwrap();
    // Only fathom can make such a file: eight blocks are written, the rest stays a hole.
    let path = sandbox.join("f");
    let make = "--name=w --rw=randwrite --bs=4k --size=8M --number_ios=8 --fallocate=truncate --filename";
    let ran = run(ours("run", sandbox.path()).args(words(make)).arg(&path), LIMIT).unwrap();
    assert!(ran.code == Some(0) && missing(&path) > 7 * MIB, "{ran:#?}");
    let ran = read(sandbox.path(), "", &path);
    assert!(ran.code == Some(0) && notes(&ran).contains("was filled before this run"), "{ran:#?}");
    assert_eq!(missing(&path), 0);
    is_noise(&content(&path));
    let made = sandbox.join("made");
    let ran = read(sandbox.path(), "--size=8M", &made);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!((made.metadata().unwrap().len(), missing(&made)), (8 * MIB, 0));
    is_noise(&content(&made));
}

/// A loop device takes its space when it is written to, and would answer EIO for want of it.
#[test]
fn too_little_space_under_a_loop_device_is_said_before_a_byte_is_written() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let state = Sandbox::new().unwrap();
    let mount = Mount::new(FileSystem::Ext4, 128 * MIB).unwrap();
    let below = mount.path().join("disk");
    File::create(&below).unwrap().set_len(1 << 30).unwrap();
    let device = LoopDevice::from_file(&below, Setup::default()).unwrap();
    let before = device.stats().unwrap();
    let ran = prefill(state.path(), device.path(), &format!("--allow-destroy={}", device.path().display()));
    assert!(ran.code == Some(1) && ran.stderr.contains("needs 1024 MiB"), "{ran:#?}");
    let writes = device.stats().unwrap().since(&before).writes;
    assert_eq!((writes, below.metadata().unwrap().blocks()), (0, 0));
}

/// The command is what the note is for: it must not be cut off.
#[test]
fn the_card_shows_the_whole_command() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.sparse("a-name-that-is-rather-long", 8 * MIB).unwrap();
    let ran =
        run(ours("run", sandbox.path()).args(words(READ).into_iter().skip(1)).arg(&path), LIMIT).unwrap();
    let command = format!("to fill it: fathom prefill {}\n", path.display());
    assert!(ran.stdout.contains(&command), "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|l| l.chars().count() <= 100), "{}", ran.stdout);
}

/// Runs on a terminal and answers.
fn on_a_terminal(command: &str, answer: &str) -> String {
    let mut script = Command::new("timeout");
    // It ends whatever happens: what is read below ends with it.
    script.args(["--signal=KILL", "30", "script"]).with_default_signals();
    // Without a home there is no store.
    script.env_remove("HOME").env_remove("XDG_DATA_HOME");
    script.args(["-qec", command, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = script.spawn().unwrap();
    let mut keyboard = child.stdin.take().unwrap();
    let mut screen = child.stdout.take().unwrap();
    let mut seen = Vec::new();
    if !answer.is_empty() {
        // Not before there is a question: what is typed earlier is thrown away when the terminal is set up.
        let mut byte = [0];
        while !seen.ends_with(b"[y/N]") && screen.read(&mut byte).unwrap() == 1 {
            seen.push(byte[0]);
        }
    }
    keyboard.write_all(answer.as_bytes()).unwrap();
    if answer != "\x03" {
        drop(keyboard);
    }
    let rest = std::thread::spawn(move || {
        screen.read_to_end(&mut seen).unwrap();
        seen
    });
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < LIMIT, "it goes on waiting for an answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    String::from_utf8_lossy(&rest.join().unwrap()).into_owned()
}

#[test]
fn on_a_terminal_it_asks_and_only_yes_is_yes() {
    skip_without!(Need::Program("script"));
    let sandbox = Sandbox::new().unwrap();
    let fathom = env!("CARGO_BIN_EXE_fathom");
    let run = "run --name=r --rw=randread --bs=4k --number_ios=64 --filename=";
    for command in ["prefill ", run] {
        let path = sandbox.sparse("f", 4 * MIB).unwrap();
        let line = format!("{fathom} {command}{}", path.display());
        for answer in ["n\n", "\n", "never\n"] {
            let said = on_a_terminal(&line, answer);
            assert!(said.contains("100 % of ") && said.contains("[y/N]"), "{answer:?}: {said}");
            assert_eq!(missing(&path), 4 * MIB, "{answer:?}: {said}");
        }
        // Ctrl-C ends it, and no answer has to follow.
        let said = on_a_terminal(&line, "\x03");
        assert!(missing(&path) == 4 * MIB && said.contains("[y/N]"), "{said}");
        let said = on_a_terminal(&line, "y\n");
        assert_eq!(missing(&path), 0, "{said}");
        let said = on_a_terminal(&line, "");
        assert!(!said.contains("[y/N]"), "{said}");
    }
}

#[test]
fn samples_that_cannot_be_read_are_no_data() {
    skip_without!(Need::Loop, Need::Root);
    let (device, backing) = failing_device(40 << 20);
    let ran = prefill(backing.path(), device.path(), "--yes --json");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:#?}");
    assert!(ran.stderr.contains("sampled blocks could not be read"), "{ran:#?}");
}
