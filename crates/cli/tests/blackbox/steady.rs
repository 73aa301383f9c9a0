//! The steady state detection beside fio: its report, its end of the jobs, its refusals.

use crate::common::{document, side_by_side, words};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const TOOLS: [(&str, &[&str]); 2] = [("fio", &[]), (env!("CARGO_BIN_EXE_fathom"), &["fio"])];

fn ask((program, first): (&str, &[&str]), args: &str, sandbox: &Sandbox) -> Ran {
    let mut command = Command::new(program);
    command.args(first).args(["--ioengine=null", "--size=1g", "--rw=randrw"]).args(words(args));
    run(command.current_dir(sandbox.path()), LIMIT).unwrap()
}

/// Replaces each number by `#`.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    for letter in text.chars() {
        let digit = letter.is_ascii_digit() || letter == '.';
        if !digit {
            shape.push(letter);
        } else if !shape.ends_with('#') {
            shape.push('#');
        }
    }
    shape
}

/// The keys, in order, with the kind of each value; lists with their lengths.
fn keys(value: &Value) -> String {
    match value {
        Value::Object(map) => map.iter().map(|(key, value)| format!("{key}: {}; ", keys(value))).collect(),
        Value::Array(list) => format!("{} items", list.len()),
        Value::String(text) => shape(text),
        other => shape(&other.to_string()),
    }
}

#[test]
fn report_of_a_steady_state_is_fios() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    let cases = [
        // Attained with the first full window.
        "--time_based --runtime=9 --rate_iops=500 --ss=iops:20% --ss_dur=1 --name=a --description=text",
        "--time_based --runtime=9 --rate_iops=500 --ss=bw:900k --ss_dur=1 --group_reporting --numjobs=2 --name=a",
        // The job ends before.
        "--number_ios=10 --steadystate=bw_slope:1.5% --steadystate_duration=3 --name=a --continue_on_error=all",
        "--number_ios=10 --ss_dur=2500ms --name=a --name=b",
        "--number_ios=10 --ss=iops:3 --ss_dur=999ms --name=a",
        "--number_ios=10 --ss=iops:3 --name=a",
    ];
    side_by_side(&cases, |args| {
        let [theirs, ours] =
            TOOLS.map(|tool| ask(tool, &format!("{args} --output-format=normal,json"), &sandbox));
        assert_eq!((theirs.code, ours.code), (Some(0), Some(0)), "{args}: {ours:?}");
        let line = |ran: &Ran| {
            ran.stdout.lines().filter(|l| l.contains("steadystate  :")).map(shape).collect::<Vec<_>>()
        };
        assert_eq!(line(&theirs), line(&ours), "{args}");
        let [theirs, ours] = [theirs, ours].map(|ran| document(&ran)["jobs"].as_array().unwrap().clone());
        for (a, b) in theirs.iter().zip(&ours) {
            let (a, b) = (&a["steadystate"], &b["steadystate"]);
            assert_eq!(keys(a), keys(b), "{args}");
            for key in ["ss", "duration", "attained"] {
                assert_eq!(a[key], b[key], "{args}");
            }
            if a["attained"] == 1 {
                let [iops, theirs] = [b, a].map(|steady| steady["data"]["iops_mean"].as_f64().unwrap());
                assert!((iops / theirs - 1.0).abs() < 0.1, "{args}: {iops} {theirs}");
            }
        }
    });
}

#[test]
fn refusals_of_steady_states_are_fios() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    for args in [
        "--ss=iops --name=a",
        "--ss=iops:abc --name=a",
        "--ss=bw_slope: --name=a",
        "--ss=bw:x% --name=a",
        "--ss_dur=x --name=a",
        "--ss= --name=a",
        "--number_ios=1 --name=a --ss_dur=2 --ss=iops:3 --name=b",
        "--number_ios=1 --ss_dur=2 --ss=iops:3 --name=a --name=b --ss=iops:3%",
        "--number_ios=1 --ss_dur=2 --ss=iops:3 --name=a --name=b --ss_ramp=1",
    ] {
        let [theirs, ours] = TOOLS.map(|tool| ask(tool, args, &sandbox));
        assert_eq!((theirs.code, ours.code), (Some(1), Some(1)), "{args}: {ours:?}");
        let lines = |text: &str| {
            text.lines().filter(|l| l.starts_with("fio: ")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&theirs.stdout), lines(&ours.stdout), "{args}");
        assert_eq!(lines(&theirs.stderr), lines(&ours.stderr), "{args}");
    }
    // Another group, and criteria without a window, may differ.
    for args in [
        "--number_ios=1 --ss_dur=2 --ss=iops:3 --name=a --name=b --new_group --ss=bw:3",
        "--number_ios=1 --ss=iops:3 --name=a --name=b --ss=bw:3",
    ] {
        assert_eq!(TOOLS.map(|tool| ask(tool, args, &sandbox).code), [Some(0); 2], "{args}");
    }
    let refused = |args: &str, line: &str| {
        let ours = ask(TOOLS[1], &format!("{args} --number_ios=1 --name=a"), &sandbox);
        assert!(ours.code == Some(1) && ours.stderr.contains(line), "{args}: {ours:?}");
    };
    refused(
        "--ss_dur=3 --ss_interval=2",
        "check_interval=2: must be at least 1 ms, and steadystate_duration a multiple of it",
    );
    refused("--ss=lat:5% --ss_dur=3 --gtod_reduce=1", "cannot be combined with disable_clat or gtod_reduce");
}
