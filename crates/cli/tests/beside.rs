//! Beside fio: what its report hardly shows.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const OURS: &str = env!("CARGO_BIN_EXE_fathom");

/// Both tools: the program and the words before its arguments.
fn tools() -> [(&'static str, &'static [&'static str]); 2] {
    [("fio", &[]), (OURS, &["fio"])]
}

/// Samples of bandwidth and rate in a second; fio keeps a short period of bandwidth where that of the rate is as short.
#[test]
fn periods_of_samples_are_kept() {
    skip_without!(Need::Program("fio"));
    for (periods, wanted) in [
        (["--bwavgtime=50", "--iopsavgtime=50"], [12..=20, 12..=20]),
        (["--bwavgtime=500", "--iopsavgtime=100"], [1..=2, 7..=10]),
    ] {
        for (program, first) in tools() {
            let mut command = Command::new(program);
            command.args(first).args(["--output-format=json", "--name=a", "--ioengine=null", "--size=4g"]);
            command.args(["--time_based", "--runtime=1"]).args(periods);
            let ran = run(&mut command, LIMIT).unwrap();
            let read = serde_json::from_str::<Value>(&ran.stdout).unwrap()["jobs"][0]["read"].clone();
            let samples = ["bw_samples", "iops_samples"].map(|key| read[key].as_u64().unwrap());
            // On a busy machine some come late.
            let kept = wanted.iter().zip(samples).all(|(wanted, n)| wanted.contains(&n));
            assert!(kept, "{program} {periods:?}: {samples:?}");
        }
    }
}

/// What io_uring is asked to register: buffers and files.
fn registered(program: &str, first: &[&str], args: &str) -> [bool; 2] {
    let sandbox = Sandbox::new().unwrap();
    let trace = sandbox.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-e", "trace=io_uring_register", "-o"]).arg(&trace).arg(program).args(first);
    command.args(["--name=a", "--ioengine=io_uring", "--rw=randread", "--size=64k", "--iodepth=2"]);
    let ran = run(command.args(args.split(' ')).current_dir(sandbox.path()), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{args}: {ran:?}");
    let text = std::fs::read_to_string(trace).unwrap();
    let asked = |what: &str| text.lines().any(|line| line.contains(what));
    [asked("IORING_REGISTER_BUFFERS,"), asked("IORING_REGISTER_FILES,")]
}

#[test]
fn buffers_and_files_are_registered_as_asked() {
    skip_without!(Need::Program("fio"), Need::Program("strace"));
    for (args, wanted) in [
        ("--fixedbufs --registerfiles", [true, true]),
        ("--fixedbufs=1 --registerfiles=0", [true, false]),
        ("--fixedbufs=0 --registerfiles=1", [false, true]),
        ("--nonvectored=0 --registerfiles=0", [false, false]),
    ] {
        for (program, first) in tools() {
            assert_eq!(registered(program, first, args), wanted, "{program} {args}");
        }
    }
}

/// Names of the disks that a report of two jobs has, the second one with disk_util=0.
#[test]
fn disks_are_those_of_the_jobs_that_ask() {
    skip_without!(Need::Loop, Need::Program("fio"));
    let (one, two) = (LoopDevice::new(1 << 20).unwrap(), LoopDevice::new(1 << 20).unwrap());
    for (first_asks, wanted) in [("1", vec![one.name()]), ("0", vec![])] {
        for (program, first) in tools() {
            let mut command = Command::new(program);
            command.args(first).args(["--output-format=json", "--thread", "--rw=read", "--name=a"]);
            command.arg(format!("--filename={}", one.path().display()));
            command.arg(format!("--disk_util={first_asks}"));
            command.arg("--name=b").arg(format!("--filename={}", two.path().display()));
            let ran = run(command.arg("--disk_util=0"), LIMIT).unwrap();
            let document: Value = serde_json::from_str(&ran.stdout).unwrap();
            let disks = document["disk_util"].as_array().cloned().unwrap_or_default();
            let names: Vec<&str> = disks.iter().filter_map(|disk| disk["name"].as_str()).collect();
            assert_eq!(names, wanted, "{program} {first_asks}");
        }
    }
}

/// The least and the most of a latency are whole microseconds where gettimeofday is read, and not where other clocks are.
#[test]
fn a_clock_of_microseconds_shows() {
    skip_without!(Need::Program("fio"));
    for (source, whole) in [("gettimeofday", true), ("clock_gettime", false), ("cpu", false)] {
        for (program, first) in tools() {
            let sandbox = Sandbox::new().unwrap();
            let mut command = Command::new(program);
            command.args(first).args(["--output-format=json", "--name=a", "--rw=read", "--size=1m"]);
            command.arg(format!("--clocksource={source}")).current_dir(sandbox.path());
            let ran = run(&mut command, LIMIT).unwrap();
            let job = serde_json::from_str::<Value>(&ran.stdout).unwrap()["jobs"][0].clone();
            let clat = &job["read"]["clat_ns"];
            let ends = ["min", "max"].map(|key| clat[key].as_u64().unwrap());
            assert_eq!(clat["N"].as_u64(), Some(256), "{program}");
            assert_eq!(ends.iter().all(|end| end % 1000 == 0), whole, "{program} {source}: {ends:?}");
        }
    }
}
