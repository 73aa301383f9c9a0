//! `fathom rank`: the class of devices that a stored result resembles.

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::Sandbox;
use testbed::child::run;

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
