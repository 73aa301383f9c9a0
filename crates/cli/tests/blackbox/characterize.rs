//! `fathom characterize`: plan, consent, unchanged bytes, one JSON document, stored result; on a FUSE disk of known laws.

use crate::common::failing_device;
use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::fuse::{FuseDisk, Law, Model, Nature};
use testbed::loopdev::Setup;
use testbed::witness::content;
use testbed::{Cap, CappedLoop, LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);
/// Hard disk with a read cache and a write cache, in virtual time.
const DISK: &str =
    "model:size=1t;disk=15ms:8333333;surface=200m:100m:16:1ms;law=constant:100us;read_cache=32m:100us";

fn fathom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C");
    command
}

fn characterize(args: &[&str]) -> Ran {
    run(fathom().arg("characterize").args(args), LIMIT).unwrap()
}

fn card(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

/// Asserts that the interval `estimate` of a result is within `percent` of `truth`.
#[track_caller]
fn near(estimate: &Value, truth: f64, percent: f64) {
    let value = estimate["value"].as_f64().unwrap_or_else(|| panic!("{estimate}"));
    assert!((value / truth - 1.0).abs() * 100.0 < percent, "{estimate} for {truth}");
}

#[test]
fn dry_run_tells_bytes_and_time_and_measures_nothing() {
    let ran = characterize(&["model:size=1t", "--dry-run"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    let text = ran.stdout;
    assert!(text.contains("writes nothing") && text.contains("on a hard disk"), "{text}");
    let ran = characterize(&["model:size=1t", "--dry-run", "--write", "--write-bytes", "10g"]);
    assert!(ran.stdout.contains("writes 10.7 GB") && ran.stdout.contains("up to 21.5 GB in all"), "{ran:#?}");
    let ran = characterize(&["model:size=1t", "--write-bytes", "10g"]);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
}

/// The dry run shows the plan, then why the run would be refused, with the words of the refusal; with --json as data.
#[test]
fn dry_run_tells_what_forbids_the_run() {
    let model =
        card(&characterize(&["model:size=1t", "--dry-run", "--json", "--write", "--write-bytes", "10g"]));
    assert_eq!((&model["curve_bytes"], &model["refused"]), (&(10u64 << 30).into(), &Value::Null), "{model}");
    assert!(model["read_bytes"].as_u64() > Some(0) && model["seconds"][1].as_f64() > Some(0.0), "{model}");
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("image", 20 << 20).unwrap();
    let name = path.to_str().unwrap();
    let reader = std::fs::File::open(&path).unwrap();
    let all = [name, "--write", "--allow-destroy", name];
    let ran = characterize(&[&all[..], &["--no-store"]].concat());
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let why = ran.stderr.lines().last().unwrap().strip_prefix("fathom characterize: ").unwrap();
    let dry = characterize(&[&all[..], &["--dry-run"]].concat());
    let told = format!("fathom characterize: the run would not begin: {why}");
    assert_eq!((dry.code, dry.stdout.lines().last()), (Some(0), Some(told.as_str())), "{dry:#?}");
    let json = card(&characterize(&[&all[..], &["--dry-run", "--json"]].concat()));
    assert_eq!(
        (json["refused"].as_str(), &json["written_bytes"]),
        (Some(why), &(40u64 << 20).into()),
        "{json}"
    );
    drop(reader);
}

/// JSON is one document, the stored result is shown as it was printed, and the page has the charts.
#[test]
fn result_is_one_document_and_is_shown_again() {
    let sandbox = Sandbox::new().unwrap();
    let (store, page) = (sandbox.join("s"), sandbox.join("p.html"));
    let (store, page) = (store.to_str().unwrap(), page.to_str().unwrap());
    let printed = characterize(&[DISK, "--store", store, "-o", page]);
    assert_eq!(printed.code, Some(0), "{printed:#?}");
    let shown = run(fathom().args(["show", "R1", "--store", store]), LIMIT).unwrap();
    assert_eq!(shown.stdout, printed.stdout, "{shown:#?}");
    for text in ["rpm", "full stroke 1", "a hit takes 100 us", "outer 2"] {
        assert!(printed.stdout.contains(text), "{text}: {}", printed.stdout);
    }
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("characterize-surface") && html.contains("characterize-seek"));
    let json = characterize(&[DISK, "--json", "--no-store"]);
    let found = card(&json);
    near(&found["rotation"], 8_333_333.0, 1.0);
    near(&found["seek"]["points"].as_array().unwrap().last().unwrap()["nanos"], 15e6, 5.0);
    assert_eq!(found["written_bytes"], 0);
    for language in ["de", "ru", "zh"] {
        let ran = run(fathom().args(["show", "R1", "--store", store, "--lang", language]), LIMIT).unwrap();
        assert!(ran.code == Some(0) && !ran.stdout.contains("characterize-"), "{ran:#?}");
    }
}

/// Without --write no byte changes; with it, only the named device is written, and not while it is in use.
#[test]
fn device_is_written_only_with_consent() {
    skip_without!(Need::Loop);
    let device = LoopDevice::in_memory(32 << 20, true, None).unwrap();
    let (path, before) = (device.path().to_str().unwrap().to_owned(), content(device.path()).unwrap());
    let read = characterize(&[&path, "--no-store", "--working-set", "4m", "--json"]);
    assert_eq!(read.code, Some(0), "{read:#?}");
    let found = card(&read);
    assert_eq!((&found["ended"], &found["written_bytes"]), (&Value::Null, &0.into()), "{found}");
    assert!(read.stderr.contains("writes nothing"), "{read:#?}");
    let other = LoopDevice::sparse(1 << 20, Setup::default()).unwrap();
    for more in [&[][..], &["--allow-destroy", other.path().to_str().unwrap()]] {
        let refused = characterize(&[&[path.as_str(), "--no-store", "--write"], more].concat());
        assert_eq!(refused.code, Some(3), "{refused:#?}");
        assert!(refused.stderr.contains("--allow-destroy"), "{refused:#?}");
    }
    assert!(content(device.path()).unwrap() == before, "the device changed");
    let held =
        std::os::unix::fs::OpenOptionsExt::custom_flags(std::fs::File::options().read(true), libc::O_EXCL)
            .open(device.path())
            .unwrap();
    let all = ["--write", "--allow-destroy", &path, "--no-store", "--working-set", "4m"];
    let refused = characterize(&[&[path.as_str()], &all[..]].concat());
    assert_eq!(refused.code, Some(3), "{refused:#?}");
    assert!(content(device.path()).unwrap() == before, "the device changed");
    drop(held);
    // A share of an endurance that is not known would limit nothing.
    let refused = characterize(&[&[path.as_str()], &all[..], &["--wear-budget", "1%"]].concat());
    assert!(refused.code == Some(3) && refused.stderr.contains("--wear-budget"), "{refused:#?}");
    assert!(content(device.path()).unwrap() == before, "the device changed");
    let bounded = ["--write-bytes", "8m", "--longest-pause", "1s", "--wear-budget", "4m", "--json"];
    let budget = characterize(&[&[path.as_str()], &all[..], &bounded[..]].concat());
    assert_eq!(budget.code, Some(3), "{budget:#?}");
    let found = card(&budget);
    assert_eq!(found["ended"], "wear_budget", "{found}");
    assert!(found["written_bytes"].as_u64().unwrap() <= 4 << 20, "{found}");
    assert!(content(device.path()).unwrap() != before, "nothing was written");
}

/// A file under a loop device, and one that another program has open, is not written even with consent to its loss, and
/// no consent is asked for.
#[test]
fn file_in_use_is_not_written_with_consent() {
    let sandbox = Sandbox::new().unwrap();
    let path = sandbox.file("image", 20 << 20).unwrap();
    let name = path.to_str().unwrap();
    let before = content(&path).unwrap();
    let all =
        ["--write", "--write-bytes", "4m", "--longest-pause", "1s", "--working-set", "4m", "--no-store"];
    let refused = |use_of_it: &str| {
        for consent in [&[][..], &["--allow-destroy", name]] {
            let ran = characterize(&[&[name], &all[..], consent].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
            assert!(ran.stderr.contains(use_of_it) && !ran.stderr.contains("--allow-destroy"), "{ran:#?}");
        }
        assert!(content(&path).unwrap() == before, "the file changed");
    };
    let reader = std::fs::File::open(&path).unwrap();
    refused("another program");
    drop(reader);
    skip_without!(Need::Loop);
    let device = LoopDevice::from_file(&path, Setup::default()).unwrap();
    refused(&format!("the backing file of {}", device.name()));
}

/// Asserts that a characterization has this finding, that its grade is worse than A, and that its card and the list of
/// stored results have this grade. Returns the finding.
#[track_caller]
fn judged(command: &mut Command, target: &str, name: &str) -> Value {
    let sandbox = Sandbox::new().unwrap();
    let store = sandbox.join("s");
    let store = store.to_str().unwrap();
    let ran =
        run(command.args(["characterize", target, "--working-set", "4m", "--json", "--store", store]), LIMIT);
    let ran = ran.unwrap();
    let found = card(&ran);
    let findings = found["findings"].as_array().unwrap();
    let mine = findings.iter().find(|finding| finding["name"] == name);
    let mine = mine.unwrap_or_else(|| panic!("{name}: {findings:#?}, {}", found["stack"])).clone();
    let worst = findings[0]["grade"].as_str().unwrap();
    assert_ne!(worst, "A", "{findings:#?}");
    let shown = run(fathom().args(["show", "R1", "--store", store]), LIMIT).unwrap();
    let (letter, rule) = (mine["grade"].as_str().unwrap(), mine["rule"].as_str().unwrap());
    assert!(
        shown.stdout.contains("trust") && shown.stdout.contains(&format!("{rule} ({letter})")),
        "{shown:#?}"
    );
    let list = run(fathom().args(["list", "--store", store, "--json"]), LIMIT).unwrap();
    assert!(list.stdout.contains(&format!("\"grade\": \"{worst}\"")), "{list:#?}");
    mine
}

/// Reads of a file without data, and of a loop device whose data is in the page cache, are no figures of a device.
#[test]
fn holes_and_cached_loop_devices_are_told() {
    let sandbox = Sandbox::new().unwrap();
    let sparse = sandbox.sparse("sparse", 20 << 20).unwrap();
    let holes = judged(&mut fathom(), sparse.to_str().unwrap(), "never_written");
    assert_eq!(holes["evidence"]["bytes"], 20 << 20, "{holes}");
    skip_without!(Need::Loop);
    let cached = LoopDevice::new(20 << 20).unwrap();
    judged(&mut fathom(), cached.path().to_str().unwrap(), "cache_below");
}

/// The limit of a control group that the reads reach is told. The kernel lets a burst through first, so the device is three
/// seconds large.
#[test]
fn measures_a_reached_limit_of_a_control_group() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let capped = CappedLoop::new(96 << 20, Cap::ReadBytes(32 << 20)).unwrap();
    let mut command = capped.command(std::path::Path::new(env!("CARGO_BIN_EXE_fathom"))).unwrap();
    let cap = judged(command.env("LC_ALL", "C"), capped.device.path().to_str().unwrap(), "cap");
    assert_eq!(cap["evidence"]["limit"], 32 << 20, "{cap}");
}

#[test]
fn directories_and_small_files_are_refused() {
    let sandbox = Sandbox::new().unwrap();
    let small = sandbox.file("small", 2 << 20).unwrap();
    for path in [sandbox.path(), &small] {
        let ran = characterize(&[path.to_str().unwrap(), "--no-store"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:#?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:#?}");
    }
}

/// The seek time of a FUSE disk is found within 10 %, and no rotation, cache or fall of its rate.
#[test]
fn measures_seeks_of_a_fuse_disk() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_micros(300));
    let nature = Nature::Seek(Duration::from_millis(5));
    let disk = FuseDisk::new(Model { size_bytes: 96 << 20, law, nature, ..Model::default() }).unwrap();
    let ran = characterize(&[disk.path().to_str().unwrap(), "--no-store", "--json"]);
    let found = card(&ran);
    near(&found["seek"]["points"].as_array().unwrap().last().unwrap()["nanos"], 5e6, 10.0);
    assert_eq!(found["seek"]["moves"], "seeks");
    assert_eq!(found["rotation"], Value::Null);
    assert!(found["read_cache"]["cache"]["none"].is_object(), "{}", found["read_cache"]);
    assert!(found["surface"]["fall"]["flat"].is_number(), "{}", found["surface"]["fall"]);
}

/// The write-back cache of a FUSE disk is found within 10 %.
#[test]
fn measures_write_cache_of_a_fuse_disk() {
    skip_without!(Need::Fuse);
    let bytes = 24 << 20;
    // The time of a request is more than what this process needs to answer it, so that the rate does not depend on the CPU.
    let nature = Nature::WriteCache { bytes, per_second: 10e6 };
    let law = Law::Constant(Duration::from_millis(2));
    let disk = FuseDisk::new(Model { size_bytes: 96 << 20, law, nature, ..Model::default() }).unwrap();
    let path = disk.path().to_str().unwrap();
    let ran = characterize(&[
        path,
        "--no-store",
        "--json",
        "--write",
        "--allow-destroy",
        path,
        "--longest-pause",
        "2s",
    ]);
    let found = card(&ran);
    let writes = &found["writes"];
    println!("{} {} {}", writes["step"], writes["recovery"], writes["cache"]);
    near(&writes["cache"]["write_back"]["bytes"], f64::from(bytes as u32), 10.0);
}

#[test]
fn device_that_fails_has_grade_x_and_status_1() {
    skip_without!(Need::Loop, Need::Root);
    let (device, _backing) = failing_device(0);
    let ran = characterize(&[&device.path().display().to_string(), "--no-store"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let trust = ran.stdout.lines().find(|line| line.starts_with("trust")).unwrap_or("");
    assert_eq!(trust.split_whitespace().nth(1), Some("X"), "{ran:#?}");
}
