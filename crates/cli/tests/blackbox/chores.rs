//! Jobs without I/O: the share of a CPU that `cpuio` takes, and what becomes of the program of `exec`.

use crate::common::{document, fathom, run, words};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran};
use testbed::{Sandbox, have_program};

fn job(place: &Sandbox, line: &str) -> Ran {
    run(&words(&format!("--name=a {line}")), place.path())
}

/// A script that says that it was asked to end, and does not.
fn stubborn(place: &Sandbox) -> String {
    let path = place.join("stubborn");
    std::fs::write(&path, "trap 'echo asked' TERM\necho $$\nwhile :; do sleep 0.05; done\n").unwrap();
    path.display().to_string()
}

#[test]
fn measures_a_busy_cpu_is_busy_for_no_more_than_its_share() {
    let place = Sandbox::new().unwrap();
    let line = "--ioengine=cpuio --cpuload=20 --cpuchunks=20000 --runtime=2 --output-format=json";
    let report = document(&job(&place, line));
    let job = &report["jobs"][0];
    let busy = job["usr_cpu"].as_f64().unwrap() + job["sys_cpu"].as_f64().unwrap();
    // Less where others want the CPU too.
    assert!(busy > 2.0 && busy < 25.0, "{busy} percent");
    assert_eq!(job["read"]["io_bytes"], 0);
    assert!(job["read"]["total_ios"].as_f64().unwrap() <= 21.0, "{job}");
}

/// Words and exit status are fio's; ours come after.
#[test]
fn what_is_missing_is_said() {
    for line in ["--ioengine=cpuio", "--ioengine=cpuio --cpuload=0", "--ioengine=exec"] {
        let place = Sandbox::new().unwrap();
        let ours = job(&place, line);
        assert_eq!(ours.code, Some(1), "{line}");
        assert!(ours.stderr.lines().any(|l| l.starts_with("fathom: job a:")), "{}", ours.stderr);
        if have_program("fio") {
            let mut fio = Command::new("fio");
            fio.args(words(&format!("--name=a {line}"))).current_dir(place.path());
            let theirs = child::run(&mut fio, Duration::from_secs(60)).unwrap();
            let error = |ran: &Ran| {
                let at = ran.stdout.find("err=22/file:").unwrap();
                ran.stdout[at..].lines().next().unwrap().to_owned()
            };
            assert_eq!((theirs.code, error(&theirs)), (ours.code, error(&ours)), "{line}");
            assert!(ours.stderr.starts_with(&theirs.stderr), "{:?} {:?}", theirs.stderr, ours.stderr);
        }
    }
}

#[test]
fn a_program_that_stays_is_asked_to_end_and_then_killed() {
    let place = Sandbox::new().unwrap();
    let line = format!("--ioengine=exec --program=/bin/sh --arguments={} --runtime=1", stubborn(&place));
    let began = Instant::now();
    let ran = job(&place, &line);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(began.elapsed() >= Duration::from_secs(2), "a second of runtime, one of grace");
    let said = std::fs::read_to_string(place.join("a.stdout")).unwrap();
    let mut said = said.lines();
    let pid = said.next().unwrap();
    assert_eq!(said.next(), Some("asked"));
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists(), "{pid} still runs");
}

#[test]
fn an_interrupted_job_ends_its_program() {
    let place = Sandbox::new().unwrap();
    let mut command = Command::new("timeout");
    let line = format!(
        "--foreground -s INT 1 {} fio --name=a --ioengine=exec --program=/bin/sleep --arguments=57.25",
        env!("CARGO_BIN_EXE_fathom")
    );
    command.args(words(&line)).current_dir(place.path());
    let began = Instant::now();
    child::run(&mut command, Duration::from_secs(60)).unwrap();
    assert!(began.elapsed() < Duration::from_secs(30));
    let there = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path().join("cmdline")).ok());
    assert!(there.into_iter().all(|line| line != "/bin/sleep\x0057.25\x00"), "it still sleeps");
}

#[test]
fn without_a_runtime_the_job_ends_with_its_program() {
    let place = Sandbox::new().unwrap();
    let ran = job(&place, "--ioengine=exec --program=/bin/sh --arguments=-c%nothing --loops=2");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("fathom: job a: /bin/sh: exit status: "), "{}", ran.stderr);
    assert!(ran.stdout.contains("arguments=-c%nothing"), "{}", ran.stdout);
    assert!(ran.stdout.contains("/bin/sh -caothing :"), "{}", ran.stdout);
    let ran = job(&place, "--ioengine=exec --program=/nowhere/program");
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
}

/// The job that waits for the others is over soon after them, also where it comes later.
#[test]
fn a_job_with_exit_on_io_done_ends_with_the_others() {
    for between in ["", "--stonewall"] {
        let place = Sandbox::new().unwrap();
        let line = format!(
            "--name=w --ioengine=null --size=4k --time_based --runtime=1 --name=c {between} --ioengine=cpuio \
             --cpuload=50 --exit_on_io_done=1 --runtime=50"
        );
        let began = Instant::now();
        let ran = child::run(fathom().args(words(&line)).current_dir(place.path()), Duration::from_secs(60));
        assert_eq!(ran.unwrap().code, Some(0));
        assert!(began.elapsed() < Duration::from_secs(30), "{between}");
    }
}
