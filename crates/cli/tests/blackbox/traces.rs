//! Traces beside fio: the same counts and bytes for random logs, the same refusals of options; and consent for the files
//! that a trace names.

use crate::common::{document, draws, fresh_seed, side_by_side, words};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const OURS: &str = env!("CARGO_BIN_EXE_fathom");
const TOOLS: [(&str, &[&str]); 2] = [("fio", &[]), (OURS, &["fio"])];

fn ask(directory: &Path, (program, first): (&str, &[&str]), args: &str) -> Ran {
    let mut command = Command::new(program);
    run(command.args(first).arg("--name=a").args(words(args)).current_dir(directory), LIMIT).unwrap()
}

/// Returns a log of version 3 with reads, writes and syncs of two files, which opens and closes them. fio 3.33 does not
/// replay trims of a log.
fn random_log(seed: u64) -> String {
    let mut draw = draws(seed);
    let mut text = String::from("fio version 3 iolog\n0 f add\n0 g add\n0 f open\n0 g open\n");
    let mut micros = 0;
    for _ in 0..200 {
        micros += draw(300);
        let file = ["f", "g"][draw(2)];
        let (offset, length) = (512 * draw(1000), 512 * (1 + draw(32)));
        match draw(12) {
            0 => writeln!(text, "{micros} {file} sync 0 0").unwrap(),
            1 => writeln!(text, "{micros} {file} close\n{micros} {file} open").unwrap(),
            2..6 => writeln!(text, "{micros} {file} write {offset} {length}").unwrap(),
            _ => writeln!(text, "{micros} {file} read {offset} {length}").unwrap(),
        }
    }
    text + &format!("{micros} f close\n{micros} g close\n")
}

/// Every log is drawn anew; the seed is printed.
#[test]
fn random_logs_have_the_counts_and_bytes_of_fio() {
    skip_without!(Need::Program("fio"));
    let seed = fresh_seed("random_logs_have_the_counts_and_bytes_of_fio");
    let cases = [
        "--ioengine=psync",
        "--ioengine=libaio --iodepth=8 --replay_no_stall=1",
        "--ioengine=null --replay_time_scale=300 --loops=3 --numjobs=2 --group_reporting",
    ];
    side_by_side(&cases, |args| {
        let sandbox = Sandbox::in_memory().unwrap();
        std::fs::write(sandbox.join("log"), random_log(seed)).unwrap();
        for name in ["f", "g"] {
            std::fs::write(sandbox.join(name), vec![1; 600 << 10]).unwrap();
        }
        let args = format!("--read_iolog=log --output-format=json {args}");
        let [theirs, ours] = TOOLS.map(|tool| document(&ask(sandbox.path(), tool, &args))["jobs"][0].clone());
        let log = random_log(seed);
        for direction in ["read", "write", "trim"] {
            let lengths = log.lines().filter(|line| line.contains(&format!(" {direction} ")));
            let bytes: u64 = lengths.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum();
            let clones = if args.contains("numjobs=2") { 2 } else { 1 };
            assert_eq!(ours[direction]["io_bytes"].as_u64(), Some(clones * bytes), "{args}: {direction}");
            // fio 3.33 leaves out the bytes of the I/Os that are in flight when the log ends.
            let bytes_of_fio = (!args.contains("iodepth")).then_some("io_bytes");
            for key in ["total_ios", "short_ios", "drop_ios"].into_iter().chain(bytes_of_fio) {
                assert_eq!(ours[direction][key], theirs[direction][key], "{args}: {direction} {key}");
            }
        }
        assert_eq!(ours["error"], theirs["error"], "{args}");
        assert_eq!(ours["sync"]["total_ios"], theirs["sync"]["total_ios"], "{args}");
        assert!(ours["read"]["total_ios"].as_u64() > Some(50), "{ours}");
        // The times of a log of 30 ms are kept; a busy machine may only be slower.
        let runtime = |job: &Value| job["job_runtime"].as_u64().unwrap_or(0);
        assert!(!args.contains("psync") || runtime(&ours) >= 20, "{ours}");
    });
}

#[test]
fn bad_options_and_missing_logs_fail_as_in_fio() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    std::fs::write(sandbox.join("log"), random_log(1)).unwrap();
    for (args, line) in [
        ("--replay_align=3000", "replay_align: must be a power-of-2"),
        ("--replay_skip=read,flush", "Unknown skip type: flush"),
        ("--replay_time_scale=0", "replay_time_scale: min value out of range: 0 (1 min)"),
    ] {
        let args = format!("--ioengine=null --read_iolog=log {args}");
        for tool in TOOLS {
            let ran = ask(sandbox.path(), tool, &args);
            assert!(ran.code == Some(1) && ran.stderr.contains(line), "{args}: {ran:?}");
        }
    }
    // The first bad line is named, before any I/O.
    std::fs::write(sandbox.join("bad"), "fio version 3 iolog\n0 f add\n0 f open\n1 f write 0\n").unwrap();
    let ran = ask(sandbox.path(), TOOLS[1], "--read_iolog=bad");
    assert!(ran.code == Some(1) && ran.stderr.contains("bad:4: \"1 f write 0\" is not a record"), "{ran:?}");
    assert!(!sandbox.join("f").exists());
}

/// Under `--readonly`, the reads of a trace are replayed, and its writes and trims are left out.
#[test]
fn readonly_leaves_out_the_writes_of_a_trace() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    let log = "fio version 3 iolog\n0 f add\n0 f open\n0 f write 0 4096\n1 f read 0 4096\n2 f close\n";
    std::fs::write(sandbox.join("log"), log).unwrap();
    std::fs::write(sandbox.join("f"), [7; 4096]).unwrap();
    for tool in TOOLS {
        let ran = ask(sandbox.path(), tool, "--read_iolog=log --readonly --output-format=json");
        let job = &document(&ran)["jobs"][0];
        let ios = ["read", "write"].map(|direction| job[direction]["total_ios"].as_u64());
        assert_eq!((ran.code, ios), (Some(0), [Some(1), Some(0)]), "{tool:?}");
        assert_eq!(std::fs::read(sandbox.join("f")).unwrap(), [7; 4096], "{tool:?}");
    }
}

/// A trace is no way around the consent: the file that it would overwrite keeps its data.
#[test]
fn trace_that_names_a_foreign_file_is_refused() {
    let sandbox = Sandbox::new().unwrap();
    std::fs::write(sandbox.join("precious"), "data").unwrap();
    let log = "fio version 3 iolog\n0 precious add\n0 precious open\n0 precious write 0 4096\n";
    std::fs::write(sandbox.join("log"), log).unwrap();
    std::fs::write(sandbox.join("other"), log.replace("precious", "other")).unwrap();
    for args in ["--read_iolog=log", "--read_iolog=other --replay_redirect=precious"] {
        let ran = ask(sandbox.path(), (OURS, &["run", "--no-store"]), args);
        assert!(ran.code == Some(3) && ran.stderr.contains("precious"), "{ran:?}");
        assert_eq!(std::fs::read(sandbox.join("precious")).unwrap(), b"data");
    }
}
