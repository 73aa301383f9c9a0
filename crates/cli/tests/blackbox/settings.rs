//! Settings of the kernel come back: however a study that varies them, or a job that sets them, ends.

use crate::common::words;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const LIMIT: Duration = Duration::from_secs(30);
const SIGNALS: [i32; 7] =
    [libc::SIGKILL, libc::SIGQUIT, libc::SIGTERM, libc::SIGINT, libc::SIGSEGV, libc::SIGHUP, libc::SIGABRT];

/// A device whose settings are read, and the records of settings of this test alone.
struct Bench {
    device: LoopDevice,
    sandbox: Sandbox,
    /// Settings and their values before the test.
    before: Vec<(PathBuf, String)>,
}

impl Bench {
    fn new() -> Bench {
        let device = LoopDevice::in_memory(16 << 20, true, None).unwrap();
        let mut bench = Bench { device, sandbox: Sandbox::in_memory().unwrap(), before: Vec::new() };
        for name in ["scheduler", "read_ahead_kb", "nr_requests"] {
            let value = bench.now(name);
            let value = value.split(['[', ']']).nth(1).unwrap_or(&value).to_string();
            bench.before.push((bench.setting(name), value));
        }
        bench
    }

    fn setting(&self, name: &str) -> PathBuf {
        Path::new("/sys/block").join(self.device.name()).join("queue").join(name)
    }

    fn now(&self, name: &str) -> String {
        std::fs::read_to_string(self.setting(name)).unwrap().trim().to_string()
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(FATHOM);
        command.args(words(args)).current_dir(self.sandbox.path());
        command.env("FATHOM_SETTINGS_DIR", self.sandbox.join("records"));
        command.env(child::DATA_HOME, self.sandbox.join("data"));
        command
    }

    fn run(&self, args: &str) -> Ran {
        child::run(&mut self.command(args), LIMIT).unwrap()
    }

    fn records(&self) -> usize {
        let Ok(entries) = std::fs::read_dir(self.sandbox.join("records")) else { return 0 };
        entries.flatten().filter(|e| !e.file_name().to_string_lossy().starts_with('.')).count()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        for (path, value) in &self.before {
            let _ = std::fs::write(path, value);
        }
    }
}

/// One study that is ended by `signal`, before it changes anything or while it has; then the next fathom.
fn trial(seed: u64, signal: i32, wait_for_change: bool, next: &str) {
    let bench = Bench::new();
    let device = bench.device.path().display().to_string();
    let old = bench.now("read_ahead_kb");
    let store = ["", " --no-store", " --store=here.sqlite"][(seed % 3) as usize];
    let study = format!(
        "explore {device} --budget=5s --questions= --patterns=4k-randread --axis=read_ahead_kb=0,1024,4096{store}"
    );
    let study = Running::start(&mut bench.command(&study)).unwrap();
    let began = Instant::now();
    if wait_for_change {
        while bench.now("read_ahead_kb") == old {
            if began.elapsed() > LIMIT {
                study.signal(libc::SIGINT);
                panic!("the study has changed nothing: {:?}", study.finish(LIMIT));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    } else {
        std::thread::sleep(Duration::from_millis(seed % 400));
    }
    study.signal(signal);
    let ended = study.finish(LIMIT).unwrap();
    assert!(!ended.overran, "signal {signal}: {ended:?}");
    let left = bench.now("read_ahead_kb");
    let ran = bench.run(&next.replace("DEVICE", &device));
    assert_eq!(bench.now("read_ahead_kb"), old, "seed {seed}, signal {signal}: {ended:?}, then {ran:?}");
    assert_eq!(bench.records(), 0, "seed {seed}, signal {signal}");
    let told = ran.stderr.lines().filter(|line| line.contains("read_ahead_kb is ")).count();
    assert_eq!(told, usize::from(left != old), "seed {seed}, signal {signal}, left at {left}: {ran:?}");
    if store.is_empty() && wait_for_change && signal == libc::SIGKILL {
        let again = bench.run("explore --resume --budget=1s");
        assert_eq!(bench.now("read_ahead_kb"), old, "{again:?}");
    }
}

fn trials(n: u64) {
    let seed = u64::from(std::process::id()) ^ Instant::now().elapsed().as_nanos() as u64;
    println!("seed {seed}");
    let nexts = [
        "doctor DEVICE",
        "DEVICE --seconds=1 --no-store",
        "run --name=n --filename=DEVICE --rw=read --size=4k --no-store",
        "fio --name=n --filename=DEVICE --rw=read --size=4k",
    ];
    let all: Vec<u64> = (0..n).collect();
    crate::common::side_by_side(&all, |&n| {
        let drawn = (seed + n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
        // The two that no handler sees come first.
        let signal = SIGNALS[if n < 2 { n as usize } else { (drawn % 7) as usize }];
        trial(drawn, signal, n < 2 || drawn.is_multiple_of(2), nexts[(n % 4) as usize]);
    });
}

#[test]
fn a_setting_comes_back_after_any_signal() {
    skip_without!(Need::Loop);
    trials(3);
}

#[test]
#[ignore = "a minute: a hundred signals"]
fn a_setting_comes_back_after_a_hundred_signals() {
    skip_without!(Need::Loop);
    trials(100);
}

#[test]
fn scheduler_is_restored_after_the_run_and_unknown_one_reported() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let device = bench.device.path().display().to_string();
    let scheduler = bench.now("scheduler");
    let other = scheduler.split_whitespace().find(|name| !name.starts_with('['));
    let Some(other) = other.filter(|_| scheduler.contains('[')) else {
        return testbed::skip("needs a device with two schedulers");
    };
    std::fs::write(bench.setting("nr_requests"), "32").unwrap();
    let limit = bench.now("nr_requests");
    for command in ["run --no-store", "fio"] {
        let job =
            format!("{command} --name=a --numjobs=3 --filename={device} --rw=read --size=64k --ioscheduler=");
        let seen = bench.run(&format!("{job}{other}"));
        assert_eq!(seen.code, Some(0), "{seen:?}");
        assert_eq!((bench.now("scheduler"), bench.now("nr_requests")), (scheduler.clone(), limit.clone()));
        let ran = bench.run(&format!("{job}nonsense"));
        assert_eq!((ran.code, ran.stderr.lines().count()), (Some(1), 1), "{ran:?}");
        assert!(
            ran.stderr.contains("has no such I/O scheduler; it has: ") && ran.stderr.contains(other),
            "{ran:?}"
        );
        // Killed in the middle: the next one puts both back.
        let mut killed = bench.command(&format!("{job}{other} --time_based --runtime=20"));
        let killed = Running::start(&mut killed).unwrap();
        let began = Instant::now();
        while bench.now("scheduler") == scheduler && began.elapsed() < LIMIT {
            std::thread::sleep(Duration::from_millis(1));
        }
        killed.signal(libc::SIGKILL);
        killed.finish(LIMIT).unwrap();
        assert_ne!(bench.now("scheduler"), scheduler);
        let next = bench.run(&format!("doctor {device}"));
        assert!(next.stderr.contains(&format!("(it was {other})")), "{next:?}");
        assert_eq!((bench.now("scheduler"), bench.now("nr_requests")), (scheduler.clone(), limit.clone()));
    }
}
