//! `fathom catalog`: the list, its classes, and wrong names.

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::Sandbox;
use testbed::child::{Ran, run};

const LIMIT: Duration = Duration::from_secs(20);

fn catalog(args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    run(command.env("LC_ALL", "C").arg("catalog").args(args), LIMIT).unwrap()
}

#[test]
fn every_class_can_be_asked_for() {
    let all: Value = serde_json::from_str(&catalog(&["--json"]).stdout).unwrap();
    let listed = catalog(&[]).stdout;
    let classes = all["class"].as_array().unwrap();
    assert!(classes.len() >= 16, "{} classes", classes.len());
    for class in classes {
        let name = class["name"].as_str().unwrap();
        assert!(listed.contains(name), "{listed}");
        let one = catalog(&[name]);
        assert_eq!(one.code, Some(0), "{one:#?}");
        let unconfirmed = class["mark"] == "K";
        assert_eq!(one.stdout.contains("unconfirmed"), unconfirmed, "{one:#?}");
        let one: Value = serde_json::from_str(&catalog(&[name, "--json"]).stdout).unwrap();
        assert_eq!(one["class"][0], *class);
    }
}

#[test]
fn a_wrong_class_is_one_clear_line() {
    let ran = catalog(&["nvme-gen44"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:#?}");
    assert!(ran.stderr.lines().count() == 1 && ran.stderr.contains("did you mean nvme-gen4"), "{ran:#?}");
}

/// An own result is added under a name, shared without host and path, and found by `rank`.
#[test]
fn own_devices_are_added_and_shared() {
    let sandbox = Sandbox::new().unwrap();
    let fathom = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(args).env("XDG_CONFIG_HOME", sandbox.path()).env("XDG_DATA_HOME", sandbox.path());
        run(command.current_dir(sandbox.path()), LIMIT).unwrap()
    };
    let job = "run --name=a --ioengine=model --size=1g --rw=randread --bs=4k --runtime=3 --time_based \
               --model_law=constant:100us";
    let ran = fathom(&job.split_whitespace().collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let shared = fathom(&["export", "R1", "--share", "lab SSD"]);
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    assert!(
        shared.stdout.contains("read_qd1 = 10000.0") && !shared.stdout.contains(host.trim()),
        "{shared:#?}"
    );
    sandbox.put("shared.toml", &shared.stdout).unwrap();
    let added = fathom(&["catalog", "--add", "shared.toml"]);
    assert_eq!(added.code, Some(0), "{added:#?}");
    assert!(fathom(&["catalog"]).stdout.contains("lab SSD"));
    assert!(fathom(&["rank", "R1"]).stdout.contains("lab SSD"));
    for (args, status) in [
        (&["catalog", "--add", "R9"][..], 1),
        (&["catalog", "--add", "R1", "--name", ""], 2),
        (&["catalog", "--add", "/dev/null"], 1),
        (&["export", "R1", "--share", "x", "--json"], 2),
    ] {
        let ran = fathom(args);
        assert!(
            ran.code == Some(status) && ran.stdout.is_empty() && !ran.stderr.is_empty(),
            "{args:?}: {ran:#?}"
        );
    }
    for name in ["a b", "a-b", "a/b"] {
        let added = fathom(&["catalog", "--add", "R1", "--name", name]);
        assert!(added.code == Some(0) && added.stdout.lines().count() == 1, "{added:#?}");
    }
    let listed = fathom(&["catalog"]).stdout;
    assert!(["a b ", "a-b ", "a/b "].iter().all(|name| listed.contains(name)), "{listed}");
    let again = fathom(&["catalog", "--add", "R1", "--name", "a/b"]);
    assert!(again.stdout.contains("replaced the earlier record of the same name: a/b"), "{again:#?}");
    for (change, named) in [
        (("read_qd1 = 10000.0", "read_qd1 = 1e300"), "read_qd1 = 1e300"),
        (("read_qd1 = 10000.0", "read_qd1 = nan"), "read_qd1 = NaN"),
        (("read_qd1 = 10000.0", "read_qd1 = x"), "line 4"),
        ((shared.stdout.as_str(), ""), "begins with [[device]]"),
    ] {
        sandbox.put("wrong.toml", &shared.stdout.replace(change.0, change.1)).unwrap();
        let ran = fathom(&["catalog", "--add", "wrong.toml"]);
        assert!(ran.code == Some(1) && ran.stderr.lines().count() == 1, "{ran:#?}");
        assert!(ran.stderr.contains("wrong.toml") && ran.stderr.contains(named), "{named}: {ran:#?}");
    }
}
