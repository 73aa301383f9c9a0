//! Hosts that are lost or fail during `fathom run --hosts`: each is named within ten seconds, the others keep their figures, and
//! nothing is left. The long tier repeats each case ten times.

use crate::hosts::{Hosts, KILL, LIMIT, STOP, array, document, ends, signal};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::fuse::{Faults, Law, Model, Rule};
use testbed::{FileSystem, FuseDisk, Mount, Need, skip_without};

/// Longest time until a lost host is named.
const NAMED: Duration = Duration::from_secs(10);
const JOB: &str = "--name=j --filename=data --rw=randread --size=1m --direct=1 --ioengine=psync --time_based";

/// Waits until the run has said `text`; returns the time that took.
fn said(running: &Running, text: &str) -> Duration {
    let began = Instant::now();
    while !running.stderr_so_far().contains(text) {
        assert!(began.elapsed() < LIMIT, "{text}: {}", running.stderr_so_far());
        std::thread::sleep(Duration::from_millis(10));
    }
    began.elapsed()
}

/// The figures of all hosts are in the report, those of the others until the end, and no agent is left.
fn others_are_kept(hosts: &Hosts, ran: &Ran, lost: &str) {
    let document = document(ran);
    for host in array(&document["hosts"]) {
        let read = &array(&host["result"]["jobs"])[0]["directions"][0];
        assert!(read["ios"].as_u64().unwrap() > 0, "{host}");
        assert_eq!(!host["lost"].is_null(), host["name"] == lost, "{host}");
    }
    for host in ["a", "b", "c"] {
        assert!(ends(hosts.agent(host)), "{host}");
    }
}

/// Waits until an agent has read several times the file of the job: it takes more than its start beside other load.
fn reads(agent: i32) {
    let deadline = Instant::now() + LIMIT;
    let read = || {
        let io = std::fs::read_to_string(format!("/proc/{agent}/io")).unwrap_or_default();
        io.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse::<u64>().ok()).unwrap_or(0)
    };
    while read() < 8 << 20 {
        assert!(Instant::now() < deadline, "the agent has read {} bytes", read());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The agent of one host gets a signal during the run.
fn agent_gets(number: i32, rule: &str, name: &str) {
    let hosts = Hosts::new(&["a", "b", "c"]);
    let job = format!("--json --on-loss={rule} {JOB} --runtime=14");
    let running = Running::start(&mut hosts.command(&job)).unwrap();
    let agent = hosts.agent("b");
    ["a", "b", "c"].iter().for_each(|host| reads(hosts.agent(host)));
    std::thread::sleep(Duration::from_millis(2500));
    signal(agent, number);
    let took = said(&running, name);
    assert!(took < NAMED, "{took:?}");
    println!("signal {number}, {rule}: named after {took:?}");
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    others_are_kept(&hosts, &ran, "b");
}

/// The disk of one host stops answering.
fn disk_hangs() {
    let hosts = Hosts::new(&["a", "b", "c"]);
    let faults = Faults { hang: Some(Rule::From(3000)), ..Faults::default() };
    let model = Model {
        size_bytes: 1 << 20,
        law: Law::Constant(Duration::from_millis(1)),
        faults,
        ..Model::default()
    };
    let disk = FuseDisk::new(model).unwrap();
    std::os::unix::fs::symlink(disk.path(), hosts.dir("b").join("data")).unwrap();
    let mut command = hosts.command(&format!("--json {JOB} --runtime=16"));
    let running = Running::start(command.env("FATHOM_PATIENCE_S", "4")).unwrap();
    while disk.held() == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let took = said(&running, "b: no I/O has completed for ");
    println!("disk that hangs: named after {took:?}");
    assert!(took < NAMED, "{took:?}");
    let deadline = Instant::now() + LIMIT;
    while !running.stdout_so_far().ends_with("}\n") {
        assert!(Instant::now() < deadline, "{}", running.stderr_so_far());
        std::thread::sleep(Duration::from_millis(50));
    }
    // The kernel keeps a dead process until the disk has answered.
    disk.release();
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    others_are_kept(&hosts, &ran, "");
    let document = document(&ran);
    let errors =
        array(&document["hosts"]).iter().map(|host| !array(&host["result"]["jobs"])[0]["error"].is_null());
    assert_eq!(errors.collect::<Vec<_>>(), [false, true, false], "{ran:#?}");
}

/// The disk of one host has no room for its file: refused before anything is written, or an error of that host.
fn disk_is_full() {
    let hosts = Hosts::new(&["a", "b", "c"]);
    let small = Mount::new(FileSystem::Tmpfs, 8 << 20).unwrap();
    for host in ["a", "c"] {
        std::fs::create_dir(hosts.dir(host).join("d")).unwrap();
    }
    std::os::unix::fs::symlink(small.path(), hosts.dir("b").join("d")).unwrap();
    let ran = hosts.run("--json --name=j --filename=d/data --rw=write --size=16m --ioengine=psync");
    assert!(ran.code != Some(0) && ran.stderr.contains("b: "), "{ran:#?}");
    assert!(!hosts.dir("a").join("d/data").exists() && !hosts.dir("b").join("d/data").exists(), "{ran:#?}");
}

/// One host has another version.
fn version_is_another() {
    let hosts = Hosts::new(&["a", "b", "c"]);
    let mut program = std::fs::read(env!("CARGO_BIN_EXE_fathom")).unwrap();
    let (own, other) = (env!("CARGO_PKG_VERSION").as_bytes(), "9".repeat(env!("CARGO_PKG_VERSION").len()));
    let mut at = 0;
    while let Some(found) = program[at..].windows(own.len()).position(|part| part == own) {
        at += found;
        program[at..at + own.len()].copy_from_slice(other.as_bytes());
    }
    let agent = hosts.sandbox.join("other");
    std::fs::write(&agent, program).unwrap();
    assert_eq!(child::run(Command::new("chmod").arg("+x").arg(&agent), LIMIT).unwrap().code, Some(0));
    let shell = shell_of_b(&hosts, "shell", &format!("exec {} agent", agent.display()));
    let began = Instant::now();
    let mut command = hosts.command("--name=j --filename=data --rw=write --size=64k --ioengine=psync");
    let ran = child::run(command.arg("--rsh").arg(shell), LIMIT).unwrap();
    assert!(began.elapsed() < NAMED, "{:?}", began.elapsed());
    assert!(ran.code == Some(1) && ran.stderr.contains(&format!("b: has fathom {other}")), "{ran:#?}");
    assert!(["a", "b", "c"].iter().all(|host| !hosts.dir(host).join("data").exists()));
}

/// Returns the path of a program with these lines.
fn program(hosts: &Hosts, name: &str, lines: &str) -> PathBuf {
    hosts.sandbox.put(name, lines).unwrap();
    let path = hosts.sandbox.join(name);
    assert_eq!(child::run(Command::new("chmod").arg("+x").arg(&path), LIMIT).unwrap().code, Some(0));
    path
}

/// The shell of the tests, which runs `lines` before the agent of host b, in a file named `name`.
fn shell_of_b(hosts: &Hosts, name: &str, lines: &str) -> PathBuf {
    let own = hosts.sandbox.join("rsh");
    let shell = format!("#!/bin/sh\n[ \"$1\" != b ] || {{\n{lines}\n}}\nexec {} \"$@\"\n", own.display());
    program(hosts, name, &shell)
}

/// Something else writes into the connection of one host while it runs.
#[test]
fn connection_with_something_else_than_messages_is_named() {
    let hosts = Hosts::new(&["a", "b", "c"]);
    let noise = "(while [ ! -e noise ]; do sleep 0.05; done; echo noise from elsewhere) &";
    // The shell does not end with the agent, so that it is killed.
    let own = hosts.sandbox.join("rsh");
    let shell = shell_of_b(&hosts, "noisy", &format!("{noise}\n{} \"$@\"\nsleep 5\nexit", own.display()));
    let mut command = hosts.command(&format!("--json --on-loss=continue {JOB} --runtime=6"));
    let running = Running::start(command.arg("--rsh").arg(shell)).unwrap();
    ["a", "b", "c"].iter().for_each(|host| reads(hosts.agent(host)));
    std::thread::sleep(Duration::from_millis(2500));
    hosts.sandbox.put("noise", "").unwrap();
    let took = said(&running, "b: what the command printed is no message of fathom agent");
    assert!(took < NAMED, "{took:?}");
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    others_are_kept(&hosts, &ran, "b");
}

/// A host that lives but does not get ready is named, once.
#[test]
fn host_that_the_others_wait_for_is_named() {
    let hosts = Hosts::new(&["a", "b", "c"]);
    let prerun = program(&hosts, "prerun", "#!/bin/sh\n[ \"$(basename \"$PWD\")\" = a ] || sleep 9\n");
    let job = format!("--json {JOB} --runtime=1 --exec_prerun={}", prerun.display());
    let running = Running::start(&mut hosts.command(&job)).unwrap();
    let took = said(&running, "fathom: b, c: not ready for 6 s");
    assert!(took < NAMED, "{took:?}");
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!((ran.code, ran.stderr.matches("not ready").count()), (Some(0), 1), "{ran:#?}");
}

#[test]
fn hung_disk_of_a_host_is_named() {
    skip_without!(Need::Fuse);
    disk_hangs();
}

#[test]
fn full_disk_and_other_version_of_a_host_are_named_and_nothing_is_run() {
    skip_without!(Need::Loop);
    disk_is_full();
    version_is_another();
}

#[test]
#[ignore = "60 losses take twelve minutes"]
fn losses_ten_times_each() {
    skip_without!(Need::Fuse, Need::Loop);
    for _ in 0..10 {
        for rule in ["stop", "continue"] {
            agent_gets(KILL, rule, "fathom: b: ");
            agent_gets(STOP, rule, "b: no message for ");
        }
        disk_hangs();
        disk_is_full();
        version_is_another();
    }
}
