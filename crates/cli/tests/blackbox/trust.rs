//! How far to believe a run, through the program as it ships: layers that agree with the kernel's own counters, grades,
//! and who is told of them.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::{Cap, CappedLoop, FileSystem, LoopDevice, Mount, Need, Sandbox, skip_without};

fn own(args: &str, dir: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.arg("run").args(words(args)).current_dir(dir);
    child::run(&mut command, Duration::from_secs(60)).unwrap()
}

fn trusted(args: &str, dir: &Path) -> Value {
    let ran = own(&format!("{args} --json"), dir);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    document(&ran)["fathom"].take()
}

fn rules(result: &Value) -> Vec<&str> {
    result["findings"].as_array().unwrap().iter().map(|f| f["rule"].as_str().unwrap()).collect()
}

fn near(a: u64, b: u64) -> bool {
    a.abs_diff(b) * 100 <= a.max(b)
}

const READ: &str =
    "--name=a --filename=f --size=256m --rw=read --bs=128k --direct=1 --ioengine=io_uring --iodepth=4";

/// The application, the file system's device and the file under that saw the same, by the kernel's counters too.
#[test]
fn layers_agree_on_a_file_on_a_loop_device() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Ext4, 400 << 20).unwrap();
    let lay_out =
        own("--name=a --filename=f --size=256m --rw=write --bs=1m --direct=1 --end_fsync=1", mount.path());
    assert_eq!(lay_out.code, Some(0), "{lay_out:?}");
    let device = mount.device().unwrap();
    let before = device.stats().unwrap();
    let result = trusted(READ, mount.path());
    let after = device.stats().unwrap();
    let seen = (after.read_sectors - before.read_sectors) * 512;
    let layers = &result["layers"];
    let app = layers["app_read_bytes"].as_u64().unwrap();
    let process = layers["process"]["read_bytes"].as_u64().unwrap();
    let listed = layers["devices"].as_array().unwrap();
    let own = listed.iter().find(|d| d["name"] == device.name()).unwrap();
    assert_eq!(app, 256 << 20);
    assert!(
        near(app, process) && near(app, seen) && near(app, own["read_bytes"].as_u64().unwrap()),
        "{layers}"
    );
    // (What lies under the loop device may be cached by the machine, which is then told as M2.)
    // (And other tests write to the disk that holds its file, which is told of that disk as M32. With all CPUs busy, the
    // loop device may be idle while I/Os wait: M28.)
    let other_load = |f: &Value| f["rule"] == "M32" && f["evidence"]["device"] == device.name();
    let others = result["findings"].as_array().unwrap().iter().any(other_load);
    assert!(!rules(&result).iter().any(|r| ["M1", "M8", "M9"].contains(r)) && !others, "{result}");
    // A second look through the page cache is memory's speed, and no byte of the device's.
    let buffered =
        READ.replace("--direct=1", "--direct=0").replace("io_uring --iodepth=4", "psync") + " --invalidate=0";
    trusted(&buffered, mount.path());
    // (Other tests may have the kernel drop pages meanwhile.)
    let look = || {
        let before = device.stats().unwrap().read_sectors;
        let again = trusted(&buffered, mount.path());
        (device.stats().unwrap().read_sectors - before, again)
    };
    let (sectors, again) = (0..3).map(|_| look()).find(|(sectors, _)| *sectors == 0).unwrap_or_else(look);
    assert_eq!(sectors, 0, "the device was read");
    assert_eq!((again["grade"].as_str().unwrap(), rules(&again)[0]), ("X", "M1"), "{again}");
}

/// What the file system writes beside (its journal, at every fsync) is named, to the byte of the device's counter.
#[test]
fn journal_writes_are_named() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Ext4, 200 << 20).unwrap();
    let job = "--name=a --filename=f --size=16m --rw=write --bs=64k --direct=1 --fsync=1";
    let before = mount.device().unwrap().stats().unwrap().write_sectors;
    let result = trusted(job, mount.path());
    let written = (mount.device().unwrap().stats().unwrap().write_sectors - before) * 512;
    let layers = &result["layers"];
    let named = layers["file_system_write_bytes"].as_u64().unwrap();
    assert!(
        named > 256 * 512 && named.abs_diff(written - (16 << 20)) < 1 << 16,
        "{named} of {written}: {layers}"
    );
    let told = own(&format!("{job} --layers --overwrite=0"), mount.path());
    assert!(told.stdout.contains("journal, metadata, other writers"), "{}", told.stdout);
}

#[test]
fn reads_of_holes_have_the_lowest_grade_and_touch_no_device() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Ext4, 400 << 20).unwrap();
    std::fs::File::create(mount.path().join("f")).unwrap().set_len(256 << 20).unwrap();
    let before = mount.device().unwrap().stats().unwrap();
    let result = trusted(READ, mount.path());
    let read = mount.device().unwrap().stats().unwrap().read_sectors - before.read_sectors;
    assert!(read < 2048, "{read} sectors of holes were read");
    assert_eq!((result["grade"].as_str().unwrap(), rules(&result)[0]), ("X", "M8"), "{result}");
    let told = own(READ, mount.path());
    assert!(told.stdout.contains("trust        X (the device was not measured)"), "{}", told.stdout);
}

/// A file that was only reserved is not a disk's; filled, it is, and is not filled twice.
#[test]
fn a_reserved_file_is_graded_again_once_it_is_filled() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Ext4, 400 << 20).unwrap();
    let file = std::fs::File::create(mount.path().join("f")).unwrap();
    rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, 256 << 20).unwrap();
    drop(file);
    let result = trusted(READ, mount.path());
    assert_eq!((result["grade"].as_str().unwrap(), rules(&result)[0]), ("X", "M8"), "{result}");
    let fill = || {
        let before = mount.device().unwrap().stats().unwrap().write_sectors;
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(["prefill", "f", "--yes"]).current_dir(mount.path());
        let ran = child::run(&mut command, Duration::from_secs(60)).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        (mount.device().unwrap().stats().unwrap().write_sectors - before) * 512
    };
    let (first, second) = (fill(), fill());
    assert!(first >= 256 << 20 && second < 1 << 20, "{first} {second}");
    let result = trusted(READ, mount.path());
    assert!(!rules(&result).iter().any(|r| ["M8", "M9"].contains(r)), "{result}");
}

/// Sequential 4k through the page cache: the device sees large requests, and how many of ours make one is stated.
#[test]
fn merged_requests_are_counted_at_the_device() {
    skip_without!(Need::Root);
    let mount = Mount::new(FileSystem::Ext4, 400 << 20).unwrap();
    own("--name=a --filename=f --size=128m --rw=write --bs=1m --direct=1 --end_fsync=1", mount.path());
    let before = mount.device().unwrap().stats().unwrap();
    let result =
        trusted("--name=a --filename=f --size=128m --rw=read --bs=4k --ioengine=psync", mount.path());
    let after = mount.device().unwrap().stats().unwrap();
    let finding = result["findings"].as_array().unwrap().iter().find(|f| f["name"] == "merged").unwrap();
    let ratio = finding["evidence"]["ratio"].as_f64().unwrap();
    // 64 blocks are sampled before the run.
    let counted = 32768.0 / (after.reads - before.reads - 64) as f64;
    assert!(ratio > 4.0 && (ratio / counted - 1.0).abs() < 0.05, "{ratio} {counted}");
}

/// A control group holds I/O back above the device's account: busy for nothing, and the limit is named.
#[test]
fn measures_a_cap_is_named_and_an_idle_device_explained() {
    skip_without!(Need::Root, Need::BlockCgroup);
    let capped = CappedLoop::new(64 << 20, Cap::ReadIops(200)).unwrap();
    let mut command = capped.command(Path::new(env!("CARGO_BIN_EXE_fathom"))).unwrap();
    let job = "--name=a --rw=randread --bs=4k --direct=1 --ioengine=libaio --iodepth=4 --runtime=5 --time_based --json";
    command.arg("run").args(words(job)).arg(format!("--filename={}", capped.device.path().display()));
    let ran = child::run(&mut command, Duration::from_secs(60)).unwrap();
    let result = document(&ran)["fathom"].take();
    let cap = result["findings"].as_array().unwrap().iter().find(|f| f["rule"] == "M33").expect("a cap");
    assert_eq!(cap["evidence"]["limit"], 200, "{cap}");
    assert!(rules(&result).contains(&"M28"), "{result}");
}

/// Scripts want an empty standard error; a grade is there for those who ask.
#[test]
fn findings_are_told_to_those_who_ask() {
    let sandbox = Sandbox::new().unwrap();
    let job = "--name=a --size=1m --rw=read --ioengine=psync --output=report";
    let run = |ask: Option<&str>| {
        let mut command = fathom();
        command.args(words(job)).current_dir(sandbox.path()).env_remove("FATHOM_FINDINGS");
        ask.iter().for_each(|value| _ = command.env("FATHOM_FINDINGS", value));
        child::run(&mut command, Duration::from_secs(60)).unwrap()
    };
    assert_eq!(run(None).stderr, "");
    assert_eq!(run(Some("0")).stderr, "");
    let told = run(Some("1"));
    assert!(
        told.stderr.starts_with("fathom: grade ") && told.stderr.contains("fathom: M17 (C) a: "),
        "{told:?}"
    );
    assert_eq!(told.code, Some(0));
}

#[test]
fn a_worse_grade_than_asked_for_is_a_failure_of_its_own() {
    let sandbox = Sandbox::new().unwrap();
    let job = "--name=a --filename=f --size=1m --rw=read --ioengine=psync --iodepth=8";
    for (least, code) in [("X", 0), ("B", 4), ("a", 4)] {
        let ran = own(&format!("{job} --fail-under={least}"), sandbox.path());
        assert_eq!(ran.code, Some(code), "{least}: {ran:?}");
        assert!(
            ran.stderr.contains("M4 (C) a: engine psync keeps only one I/O in flight: iodepth=8"),
            "{ran:?}"
        );
    }
    // A device in memory is grade C at best, also for the check.
    let memory = Sandbox::in_memory().unwrap();
    for (least, code) in [("X", 0), ("B", 4)] {
        let mut check = Command::new(env!("CARGO_BIN_EXE_fathom"));
        check.args([".", "--seconds=1s", "--no-store", "--fail-under", least]).current_dir(memory.path());
        let ran = child::run(&mut check, Duration::from_secs(120)).unwrap();
        assert_eq!(ran.code, Some(code), "{least}: {ran:?}");
    }
    let bad = own(&format!("{job} --fail-under=D"), sandbox.path());
    assert_eq!(bad.code, Some(1));
    assert_eq!(bad.stderr, "fathom run: --fail-under=D: a grade is A, B or C: worse ones than it fail\n");
}

/// What the rules cost: twenty short runs of a few I/Os, start to end, in the median.
#[test]
fn measures_a_verdict_costs_little() {
    skip_without!(Need::Root);
    let device = LoopDevice::new(16 << 20).unwrap();
    let job =
        format!("--name=a --filename={} --rw=randread --direct=1 --number_ios=10", device.path().display());
    let mut took: Vec<Duration> = (0..20)
        .map(|_| {
            let began = std::time::Instant::now();
            assert_eq!(crate::common::run(&words(&job), Path::new("/")).code, Some(0));
            began.elapsed()
        })
        .collect();
    took.sort_unstable();
    // The whole program, which the verdict is a part of; the bound is that of the verdict alone.
    assert!(took[10] < Duration::from_millis(100), "{took:?}");
}

/// What the rate of a simulated device did over time is judged as that of any other: a step, a drift, credits and pauses are
/// told, and a steady one has grade A.
#[test]
fn simulated_devices_over_time_are_judged_as_others() {
    let dir = Sandbox::new().unwrap();
    let judged = |law: &str| {
        let args = format!(
            "--name=a --ioengine=model --model_servers=4 --model_law=exponential:1ms --size=1g --rw=randread --bs=4k \
             --iodepth=4 --time_based --runtime=30 --no-store {law}"
        );
        let result = trusted(&args, dir.path());
        (result["grade"].as_str().unwrap().to_owned(), rules(&result).join(" "))
    };
    assert_eq!(judged(""), ("A".into(), String::new()));
    for (law, grade, rule) in [
        ("--model_step=10:0.4", "C", "M12"),
        ("--model_drift=2", "B", "M15"),
        ("--model_burst=20000:400", "C", "M12"),
        ("--model_stall=5:300ms", "C", "M31"),
        ("--model_stall=7:900ms", "C", "M31"),
    ] {
        let (got, rules) = judged(law);
        assert!(got == grade && rules.split(' ').next() == Some(rule), "{law}: {got} {rules}");
    }
}

/// fathom itself is stopped for a second: that is told as what it is, with its length, and is no pause of the disk.
#[test]
fn measures_a_stop_of_fathom_is_told_and_not_charged_to_the_disk() {
    skip_without!(Need::Fuse);
    let disk = testbed::FuseDisk::new(testbed::fuse::Model {
        law: testbed::fuse::Law::Constant(Duration::from_millis(1)),
        filled: true,
        ..Default::default()
    })
    .unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.arg("run").args(words(&format!(
        "--name=a --filename={} --rw=randread --bs=4k --direct=1 --ioengine=io_uring --time_based --runtime=5 --no-store --json",
        disk.path().display()
    )));
    let running = child::Running::start(&mut command).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    running.signal(rustix::process::Signal::STOP.as_raw());
    std::thread::sleep(Duration::from_millis(1000));
    running.signal(rustix::process::Signal::CONT.as_raw());
    let ran = running.finish(Duration::from_secs(60)).unwrap();
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    let findings = result["fathom"]["findings"].as_array().unwrap();
    let stop = findings.iter().find(|f| f["rule"] == "stopped").unwrap_or_else(|| panic!("{findings:?}"));
    let ms = stop["evidence"]["stopped_ms"].as_u64().unwrap();
    assert!((900..=1100).contains(&ms), "{stop}");
    assert!(!findings.iter().any(|f| f["rule"] == "M31"), "{findings:?}");
}
