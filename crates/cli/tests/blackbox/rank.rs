//! `fathom rank`: the class of devices that a stored result resembles.

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::loopdev::Setup;
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(60);

fn fathom(sandbox: &Sandbox, args: &[&str]) -> testbed::child::Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").env("XDG_DATA_HOME", sandbox.path()).current_dir(sandbox.path()).args(args);
    run(&mut command, LIMIT).unwrap()
}

#[test]
fn stored_run_is_ranked_and_one_without_a_known_pattern_is_not() {
    let sandbox = Sandbox::new().unwrap();
    let job = [
        "run",
        "--name=a",
        "--filename=f",
        "--size=4m",
        "--rw=randread",
        "--ioengine=psync",
        "--runtime=1",
        "--time_based",
    ];
    for bs in ["--bs=4k", "--bs=16k"] {
        let ran = fathom(&sandbox, &[&job[..], &[bs]].concat());
        assert_eq!(ran.code, Some(0), "{ran:#?}");
    }
    let ranked = fathom(&sandbox, &["rank", "R1", "--json"]);
    let document: Value = serde_json::from_str(&ranked.stdout).unwrap_or_else(|e| panic!("{e}: {ranked:#?}"));
    assert_eq!(document["figures"][0][0], "read_qd1");
    assert!(document["classes"].as_array().is_some_and(|classes| classes.len() >= 16), "{document:#}");
    let shown = fathom(&sandbox, &["rank", "R1"]);
    assert!(shown.code == Some(0) && shown.stdout.lines().count() <= 25, "{shown:#?}");
    let none = fathom(&sandbox, &["rank", "R2"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(1), ""), "{none:#?}");
    assert!(none.stderr.contains("R2 has no pattern of the catalogue"), "{none:#?}");
    let missing = fathom(&sandbox, &["rank", "R99"]);
    assert_eq!((missing.code, missing.stderr.lines().count()), (Some(1), 1), "{missing:#?}");
}

/// The ranking of a target is stored with its check: it can be listed, shown, exported, drawn, ranked again and added to
/// the catalogue. That of a stored result is not stored.
#[test]
fn ranking_of_a_target_is_stored_and_shown_like_other_answers() {
    let sandbox = Sandbox::new().unwrap();
    let fathom = |args: &[&str]| {
        let ran = fathom(&sandbox, args);
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:#?}");
        ran.stdout
    };
    let document =
        |text: &str| -> Value { serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}")) };
    let target = "model:servers=8;law=constant:100us";
    let shown = fathom(&["rank", target, "--seconds", "4s", "--store", "s"]);
    let listed = document(&fathom(&["list", "--store", "s", "--json"]));
    assert_eq!(
        (listed[0]["kind"].as_str(), listed[0]["id"].as_str()),
        (Some("rank"), Some("R1")),
        "{listed:#}"
    );
    assert_eq!(fathom(&["show", "R1", "--store", "s"]), shown);
    let exported = document(&fathom(&["export", "R1", "--store", "s", "--json"]));
    assert_eq!(exported["figures"][0][0].as_str(), Some("read_qd1"), "{exported:#}");
    assert!((exported["figures"][0][1].as_f64().unwrap() / 10_000.0 - 1.0).abs() < 0.02);
    fathom(&["report", "R1", "--store", "s", "--svg", "charts"]);
    assert_eq!(std::fs::read_dir(sandbox.join("charts")).unwrap().count(), 3);
    let again = document(&fathom(&["rank", "R1", "--store", "s", "--json"]));
    assert_eq!((&again["figures"], &again["classes"]), (&exported["figures"], &exported["classes"]));
    assert!(fathom(&["export", "R1", "--store", "s", "--share", "ours"]).contains("read_qd1"));
    let listed = document(&fathom(&["list", "--store", "s", "--json"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed:#}");
}

/// A page that cannot be written, or would replace what is ranked, is refused in one line.
#[test]
fn ranking_page_does_not_replace_its_target() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.put("disk", &"x".repeat(2 << 20)).unwrap();
    let own = fathom(&sandbox, &["rank", "disk", "-o", "disk"]);
    assert_eq!((own.code, own.stdout.as_str(), own.stderr.lines().count()), (Some(3), "", 1), "{own:#?}");
    assert!(std::fs::read(sandbox.join("disk")).unwrap().iter().all(|byte| *byte == b'x'));
}

/// A device that loses its medium while it is read has no class, and the status is that of the plain check.
#[test]
fn failing_device_is_given_no_class() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::in_memory().unwrap();
    let image = sandbox.join("image");
    for rank in [true, false] {
        std::fs::write(&image, vec![b'x'; 64 << 20]).unwrap();
        let device = LoopDevice::from_file(&image, Setup::default()).unwrap();
        let path = device.path().to_str().unwrap();
        let cut = || {
            std::thread::sleep(Duration::from_secs(2));
            std::fs::OpenOptions::new().write(true).open(&image).unwrap().set_len(32 << 20).unwrap();
            let mut losetup = Command::new("losetup");
            assert_eq!(run(losetup.args(["-c", path]), LIMIT).unwrap().code, Some(0));
        };
        let args = [&["rank"][..usize::from(rank)], &[path, "--seconds", "6s", "--no-store"]].concat();
        let ran = std::thread::scope(|scope| {
            scope.spawn(cut);
            fathom(&sandbox, &args)
        });
        assert_eq!(ran.code, Some(1), "{ran:#?}");
        if rank {
            assert!(ran.stdout.is_empty() && ran.stderr.contains("no class is named"), "{ran:#?}");
        }
    }
}
