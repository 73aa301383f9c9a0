//! What `fathom pts` has beyond the specification: rounds that end early, several devices at the same time, and TKperf's
//! tests of hard disks.

use crate::common::{document, words};
use serde_json::Value;
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::loopdev::Setup;
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(180);
const MIB: u64 = 1 << 20;

fn command(home: &Sandbox, args: &[String]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fathom"));
    program.args(args).current_dir(home.path()).env("LC_ALL", "C");
    program.env("XDG_DATA_HOME", home.path()).env("XDG_STATE_HOME", home.path());
    program.env("FATHOM_SETTINGS_DIR", home.path().join("settings"));
    program
}

fn ours(home: &Sandbox, line: &str) -> Ran {
    run(&mut command(home, &words(line)), LIMIT).unwrap()
}

fn device() -> LoopDevice {
    LoopDevice::in_memory(8 * MIB, false, None).unwrap()
}

fn name(device: &LoopDevice) -> String {
    device.path().display().to_string()
}

/// The device serves 100 MiB/s; few I/Os of a bimodal service time make its rounds range over more than 20 %.
#[test]
fn noisy_device_ends_early_with_an_interval_that_contains_its_rate() {
    let home = Sandbox::in_memory().unwrap();
    let line = "pts throughput model:servers=1;law=mixture:90/5ms:10/55ms;size=16m --class client --scale 1/60 --json";
    let mut ended = 0;
    for seed in 1..=6 {
        let ran = ours(&home, &format!("{line} --early=15 --no-store --seed {seed}"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        let study = document(&ran);
        let run = &study["runs"][0];
        let steady = &run["result"]["result"][0]["matrix"]["steady"];
        let reasons = run["deviations"].to_string();
        assert_eq!(reasons.contains("stopped_early"), !steady["early"].is_null(), "{reasons}");
        if let Value::Object(early) = &steady["early"] {
            ended += 1;
            let interval = &early["intervals"][0];
            let [low, high] = ["low", "high"].map(|end| interval[end].as_f64().unwrap() / MIB as f64);
            assert!(low < 100.0 && 100.0 < high, "{low} to {high}");
            assert_eq!(steady["window"], early["window"]);
            assert!(steady["met_at"].is_null());
        }
    }
    assert!(ended > 0, "no device ended early");
}

#[test]
fn devices_that_overlap_are_refused() {
    skip_without!(Need::Loop);
    let (home, first) = (Sandbox::in_memory().unwrap(), device());
    let alias = home.path().join("alias");
    symlink(first.path(), &alias).unwrap();
    let second = LoopDevice::from_file(first.backing(), Setup::default()).unwrap();
    let (one, two) = (name(&first), name(&second));
    for (line, needle) in [
        (format!("pts iops {one} {one}"), "the same device"),
        (format!("pts iops {one} {}", alias.display()), "the same device"),
        (format!("pts iops {one} {two}"), "the same file"),
        (format!("pts iops {one} {two} --dry-run"), "the same file"),
    ] {
        let ran = ours(&home, &format!("{line} --allow-destroy {one} --allow-destroy {two}"));
        assert_eq!(ran.code, Some(3), "{ran:#?}");
        assert!(ran.stderr.contains(needle) && ran.stderr.contains("refused"), "{needle}: {ran:#?}");
    }
    assert!(!home.path().join("fathom/store.sqlite").exists());
}

/// Without consent for each device, no study begins.
#[test]
fn each_of_several_devices_needs_consent() {
    skip_without!(Need::Loop);
    let (home, first, second) = (Sandbox::in_memory().unwrap(), device(), device());
    let (one, two) = (name(&first), name(&second));
    let ran = ours(&home, &format!("pts latency {one} {two} --allow-destroy {one}"));
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains(&format!("--allow-destroy={two}")), "{ran:#?}");
    let list = ours(&home, "list");
    assert!(!list.stdout.contains("S1"), "{list:#?}");
}

/// Killed with studies of two devices, both resume, and are compared at the end.
#[test]
fn several_devices_are_resumed_together_and_compared() {
    skip_without!(Need::Loop);
    let (home, first, second) = (Sandbox::in_memory().unwrap(), device(), device());
    let (one, two) = (name(&first), name(&second));
    let consent = format!("--allow-destroy {one} --allow-destroy {two}");
    let line = format!("pts latency {one} {two} {consent} --scale 1/3000 --rounds 5");
    let running = Running::start(&mut command(&home, &words(&line))).unwrap();
    let began = Instant::now();
    while began.elapsed() < LIMIT && measured(&home).len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    running.signal(libc::SIGKILL);
    assert_ne!(running.finish(LIMIT).unwrap().code, Some(0));
    let ran = ours(&home, &format!("pts --resume {consent}"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for needle in [one.as_str(), two.as_str(), "A S1", "B S2"] {
        assert!(ran.stdout.contains(needle), "{needle}: {}", ran.stdout);
    }
    assert_eq!(measured(&home), BTreeSet::from([1, 2]));
    let again = ours(&home, &format!("pts --resume {consent}"));
    assert_eq!(again.code, Some(2), "{again:#?}");
}

/// Numbers of the studies that have a measured sample.
fn measured(home: &Sandbox) -> BTreeSet<i64> {
    let path = home.path().join("fathom/store.sqlite");
    let query = |db: rusqlite::Connection| -> rusqlite::Result<BTreeSet<i64>> {
        let mut rows = db.prepare("SELECT DISTINCT study FROM points WHERE ios > 0")?;
        rows.query_map([], |row| row.get(0))?.collect()
    };
    if path.exists() {
        rusqlite::Connection::open(path).and_then(query).unwrap_or_default()
    } else {
        BTreeSet::new()
    }
}

/// A device that another program begins to use loses its own study only.
#[test]
fn failure_of_one_device_leaves_the_other_its_result() {
    skip_without!(Need::Loop);
    let (home, first, second) = (Sandbox::in_memory().unwrap(), device(), device());
    let (one, two) = (name(&first), name(&second));
    let line = format!(
        "pts latency {one} {two} --allow-destroy {one} --allow-destroy {two} --scale 1/600 --rounds 5 --json"
    );
    let running = Running::start(&mut command(&home, &words(&line))).unwrap();
    let began = Instant::now();
    while began.elapsed() < LIMIT && measured(&home).len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _alias = LoopDevice::from_file(first.backing(), Setup::default()).unwrap();
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let studies: Value = serde_json::from_str(&ran.stdout).unwrap();
    let complete: Vec<(&str, bool)> = studies
        .as_array()
        .unwrap()
        .iter()
        .map(|study| (study["device"]["name"].as_str().unwrap(), study["complete"].as_bool().unwrap()))
        .collect();
    assert_eq!(complete, [(one.as_str(), false), (two.as_str(), true)], "{}", ran.stderr);
}

#[test]
fn hard_disk_is_measured_in_128_slices() {
    let home = Sandbox::in_memory().unwrap();
    // 128 slices of 2 MiB; 100 I/Os per second.
    let device = "model:servers=1;law=constant:10ms;size=256m";
    let document = |test: &str| {
        let ran = ours(&home, &format!("pts {test} {device} --scale 1/60 --no-store --json"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        document(&ran)
    };
    for (test, cells) in [("hdd-iops", 9), ("hdd-throughput", 4)] {
        let study = document(test);
        let run = &study["runs"][0];
        assert!(run["deviations"].to_string().contains("test_of_tkperf"), "{run}");
        let result = &run["result"]["result"];
        assert_eq!(result["slice_bytes"], 2 * MIB);
        let slices = result["slices"].as_array().unwrap();
        assert_eq!((slices.len(), slices[127]["number"].as_u64()), (128, Some(128)));
        assert!(slices.iter().all(|slice| slice["samples"].as_array().unwrap().len() == cells));
        let figures = result["cells"].as_array().unwrap();
        assert_eq!(figures.len(), cells);
        for cell in figures {
            let block = cell["load"]["block"]["bytes"].as_f64().unwrap();
            let unit = if test == "hdd-iops" { 1.0 } else { block };
            for figure in ["mean", "median", "minimum", "maximum", "first", "last"] {
                let rate = cell[figure].as_f64().unwrap() / unit;
                assert!((rate / 100.0 - 1.0).abs() < 0.02, "{test} {figure}: {rate}");
            }
        }
    }
    let mixed = ours(&home, &format!("pts hdd-iops latency {device} --no-store"));
    assert_eq!(mixed.code, Some(2), "{mixed:#?}");
}

#[test]
fn hard_disk_test_needs_consent_and_touches_every_slice() {
    skip_without!(Need::Loop);
    let home = Sandbox::in_memory().unwrap();
    let device = LoopDevice::in_memory(4 * MIB, false, None).unwrap();
    let path = name(&device);
    let refused = ours(&home, &format!("pts hdd-iops {path} --scale 1/3000"));
    assert_eq!(refused.code, Some(3), "{refused:#?}");
    let ran = ours(&home, &format!("pts hdd-throughput {path} --allow-destroy {path} --scale 1/3000"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let bytes = std::fs::read(device.backing()).unwrap();
    // 32 KiB per slice, of which the writes of 20 ms fill at least the first block.
    let blank = bytes.chunks(bytes.len() / 128).filter(|slice| slice[..4096].iter().all(|byte| *byte == 0));
    assert_eq!(blank.count(), 0);
}

#[test]
fn ata_secure_erase_is_refused_on_other_devices() {
    skip_without!(Need::Loop);
    let (home, device) = (Sandbox::in_memory().unwrap(), device());
    let (before, path) = (device.stats().unwrap().write_sectors, name(&device));
    let ran = ours(&home, &format!("pts wsat {path} --allow-destroy {path} --purge ata-secure-erase"));
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("ATA secure erase"), "{ran:#?}");
    assert_eq!(device.stats().unwrap().write_sectors, before);
    assert!(!home.path().join("fathom/store.sqlite").exists());
}
