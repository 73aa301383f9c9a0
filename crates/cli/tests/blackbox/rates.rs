//! Rates beside fio: the same figures, the same echo, the same refusals; and system calls as strace counts them.

use crate::common::{document, words};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const OURS: &str = env!("CARGO_BIN_EXE_fathom");
const TOOLS: [(&str, &[&str]); 2] = [("fio", &[]), (OURS, &["fio"])];

fn ask(sandbox: &Sandbox, (program, first): (&str, &[&str]), args: &str) -> Ran {
    let mut command = Command::new(program);
    command.args(first).args(["--name=a", "--filename=f", "--size=8m", "--time_based"]);
    run(command.args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap()
}

#[test]
fn measures_a_rate_is_fios_in_each_direction_and_so_is_its_echo() {
    skip_without!(Need::Program("fio"));
    // In memory: a disk that stalls for half a second is no rate.
    let sandbox = Sandbox::in_memory().unwrap();
    for args in [
        "--rw=randread --rate_iops=500",
        "--rw=randrw --ioengine=io_uring --iodepth=8 --rate=2m,400k",
        "--rw=randrw --ioengine=libaio --iodepth=8 --rate_iops=300,50",
        "--rw=read --bsrange=4k-16k --rate=,500k,1m --number_ios=500",
        "--rw=write --bs=8k --ioengine=mmap --rate=4m",
    ] {
        let args = format!("{args} --runtime=2 --output-format=json");
        let [theirs, ours] = TOOLS.map(|tool| document(&ask(&sandbox, tool, &args))["jobs"][0].clone());
        assert_eq!(theirs["job options"], ours["job options"], "{args}");
        for direction in ["read", "write"] {
            let iops = |job: &Value| job[direction]["iops"].as_f64().unwrap();
            let (a, b) = (iops(&theirs), iops(&ours));
            // Without a rate neither has a measure.
            let free = args.contains("rate=,");
            assert!(free || (a - b).abs() <= (0.01 * a).max(1.5), "{args} {direction}: {a} {b}");
        }
    }
}

#[test]
fn what_cannot_go_together_or_is_not_met_fails_as_in_fio() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    for (args, line) in [
        ("--rate=1m --rate_iops=10", "fio: rate and rate_iops are mutually exclusive"),
        ("--rate=1m --rate_min=2m,1k", "fio: minimum rate exceeds rate, ddir 0"),
        ("--rate_iops=10 --rate_iops_min=1,20", "fio: minimum rate exceeds rate, ddir 2"),
        ("--rate_iops=50 --rate_min=9m --rate_cycle=200", "a: rate_min=9437184B/s not met, got "),
        ("--rate=400k --rate_iops_min=120 --rate_cycle=200", "a: rate_iops_min=120 not met, got "),
        ("--rate_process=often", "fio: failed parsing rate_process=often"),
    ] {
        let args = format!("--ioengine=null --rw=randrw --runtime=4 {args}");
        for tool in TOOLS {
            let ran = ask(&sandbox, tool, &args);
            assert_eq!(ran.code, Some(1), "{args}: {ran:?}");
            assert!(ran.stderr.contains(line) || ran.stdout.contains(line), "{args}: {ran:?}");
        }
    }
}

/// Drawn gaps keep the rate too; and what was due is waited for longer than what was set up.
#[test]
fn measures_poisson_keeps_the_rate_and_scheduled_latency_is_longer() {
    let sandbox = Sandbox::new().unwrap();
    let args = "--rw=randread --rate_iops=2000 --rate_process=poisson --ioengine=io_uring --iodepth=32 --runtime=2 --output-format=json";
    let job = document(&ask(&sandbox, TOOLS[1], args))["jobs"][0].clone();
    let (ios, scheduled) =
        (job["read"]["total_ios"].as_f64().unwrap(), &job["fathom"]["read"]["scheduled_ns"]);
    // Four standard deviations.
    assert!((ios - 4000.0).abs() < 4.0 * 4000f64.sqrt(), "{ios}");
    assert_eq!(scheduled["N"].as_f64(), Some(ios));
    assert!(scheduled["mean"].as_f64() >= job["read"]["lat_ns"]["mean"].as_f64(), "{job}");
    assert!(scheduled["percentile"]["99.000000"].is_u64());
    let plain = ask(&sandbox, TOOLS[1], "--rw=randread --runtime=1 --output-format=json");
    assert!(document(&plain)["jobs"][0]["fathom"]["read"].get("scheduled_ns").is_none());
}

/// The kernel was asked as often as was due, and never more often.
#[test]
fn measures_strace_counts_as_many_calls_as_are_due() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::in_memory().unwrap();
    let trace = sandbox.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-e", "trace=pread64", "-o"]).arg(&trace).arg(OURS);
    command.args(words(
        "fio --name=a --filename=f --size=8m --rw=randread --bs=512 --time_based --runtime=2 --rate_iops=150",
    ));
    let ran = run(command.current_dir(sandbox.path()), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = std::fs::read_to_string(trace).unwrap();
    let calls = text.lines().filter(|line| line.contains(", 512, ") && line.ends_with("= 512")).count();
    assert!((297..=301).contains(&calls), "{calls}");
}
