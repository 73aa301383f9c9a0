//! Signals at every stage: the run ends with its report, or goes on; nothing is left behind.

use crate::common::{document, side_by_side};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, Running};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(40);

/// Signals that end a program by default and that a program can take.
pub const ENDING: [i32; 12] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGXCPU,
    libc::SIGIO,
    libc::SIGPWR,
    libc::SIGSTKFLT,
];

fn start(args: &str, dir: &Path) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    Running::start(command.args(args.split_whitespace()).current_dir(dir)).unwrap()
}

/// Starts `fathom args` in `dir`, sends `signal` after `wait`, and waits for the end.
fn signalled(args: &str, dir: &Path, wait: Duration, signal: i32) -> Ran {
    let running = start(args, dir);
    std::thread::sleep(wait);
    running.signal(signal);
    running.finish(LIMIT).unwrap()
}

/// Waits until the run has an I/O to report: a job of `fathom run` has opened its file and works.
const STARTED: Duration = Duration::from_millis(1500);

#[test]
fn ending_signal_ends_a_run_with_its_report_and_status_128() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.file("target", 1 << 20).unwrap();
    let args = "run --json --no-store --name=a --filename=target --size=1m --rw=read --bs=4k --time_based --runtime=60 \
                --allow-destroy=target";
    side_by_side(&ENDING, |signal| {
        let ran = signalled(args, sandbox.path(), STARTED, *signal);
        assert!(ran.code == Some(128) && !ran.overran, "signal {signal}: {ran:?}");
        let read = &document(&ran)["jobs"][0]["read"];
        assert!(read["total_ios"].as_u64().unwrap() > 0, "signal {signal}: {read}");
    });
}

/// As fio: the state so far on standard error, and the run goes on to its own end.
#[test]
fn usr1_reports_the_state_and_ends_nothing() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.file("target", 1 << 20).unwrap();
    let commands = [
        "run --no-store --name=a --filename=target --size=1m --rw=read --bs=4k --time_based --runtime=3",
        "explore model:servers=4;law=constant:1ms --no-store --budget 10s",
        "--no-store --seconds 3 .",
    ];
    side_by_side(&commands, |args| {
        let ran = signalled(args, sandbox.path(), STARTED, libc::SIGUSR1);
        assert!(ran.signal.is_none() && ran.code == Some(0), "{args}: {ran:?}");
        if args.starts_with("run") {
            assert!(ran.stderr.contains("IOPS"), "{args}: {ran:?}");
        }
    });
}

/// RLIMIT_FSIZE: the write fails with EFBIG and is reported; the kernel's signal kills nothing.
#[test]
fn file_size_limit_is_one_error_and_no_kill() {
    skip_without!(Need::Program("prlimit"));
    let sandbox = Sandbox::new().unwrap();
    for command in ["fio", "run --no-store"] {
        let args = format!("--fsize=1048576 {} {command}", env!("CARGO_BIN_EXE_fathom"));
        let job = "--name=a --rw=write --bs=64k --size=4m --fallocate=none";
        let mut limited = Command::new("prlimit");
        limited.args(args.split_whitespace()).args(job.split_whitespace()).current_dir(sandbox.path());
        let ran = testbed::child::run(&mut limited, LIMIT).unwrap();
        assert!(ran.signal.is_none() && ran.code == Some(1), "{command}: {ran:?}");
        assert!(
            ran.stderr.contains("File too large") || ran.stdout.contains("File too large"),
            "{command}: {ran:?}"
        );
        let _ = std::fs::remove_file(sandbox.join("a.0.0"));
    }
}

/// One of the commands that make files of their own, ended by any signal at any moment, leaves none of them.
fn ends_at_any_moment(rounds: u64) {
    let commands = [
        ("--no-store --seconds 4 .", 5000),
        ("run --no-store --name=a --rw=randwrite --bs=4k --size=32m --time_based --runtime=4", 4500),
        ("explore . --no-store --budget 20s", 8000),
    ];
    let mut seed = crate::common::fresh_seed("signals");
    let mut draw = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let cases: Vec<_> = (0..rounds)
        .map(|_| {
            let (args, most) = commands[draw(3) as usize];
            (args, ENDING[draw(12) as usize], Duration::from_millis(150 + draw(most)))
        })
        .collect();
    side_by_side(&cases, |(args, signal, wait)| {
        let sandbox = Sandbox::new().unwrap();
        let ran = signalled(args, sandbox.path(), *wait, *signal);
        // Before the handlers are there a signal may still end the program: nothing is made yet.
        let early = ran.signal == Some(*signal) && *wait < Duration::from_millis(600);
        let right = early || matches!(ran.code, Some(0 | 128 | 129));
        assert!(right && !ran.overran, "{args}: signal {signal} after {wait:?}: {ran:?}");
        let left: Vec<_> =
            std::fs::read_dir(sandbox.path()).unwrap().flatten().map(|e| e.file_name()).collect();
        let scratch = args.starts_with("run") && left == ["a.0.0"];
        assert!(left.is_empty() || scratch, "{args}: signal {signal} after {wait:?} left {left:?}");
    });
}

#[test]
fn signal_at_any_moment_leaves_nothing_behind() {
    ends_at_any_moment(6);
}

#[test]
#[ignore = "takes some minutes: scripts/test --long"]
fn signal_at_any_moment_leaves_nothing_behind_100() {
    ends_at_any_moment(100);
}
