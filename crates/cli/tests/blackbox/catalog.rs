//! `fathom catalog`: the list, its classes, and wrong names.

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
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
