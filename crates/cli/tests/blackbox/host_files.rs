//! `fathom files --hosts`: counts and order of the phases against the system calls that strace sees on each host, and the
//! directories afterwards.

use crate::files::{entries, phase, phase_of};
use crate::hosts::{Hosts, KILL, LIMIT, array, document, ends, signal};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::{Need, skip_without};

const INT: i32 = 2;
const TERM: i32 = 15;
const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
/// Phases whose operations are one call each, in their order.
const COUNTED: [&str; 12] = [
    "tree-create",
    "dir-create",
    "dir-stat",
    "dir-rename",
    "dir-remove",
    "create",
    "write",
    "stat",
    "read",
    "rename",
    "remove",
    "tree-remove",
];

fn files(hosts: &Hosts, args: &str) -> Command {
    hosts.command_of(&["files"], Path::new(FATHOM), args)
}

fn run(hosts: &Hosts, args: &str) -> Ran {
    child::run(&mut files(hosts, args), LIMIT).unwrap()
}

/// A program that runs fathom under strace, with the logs in the directory `logs` of the host.
fn traced(hosts: &Hosts) -> std::path::PathBuf {
    let calls = "trace=mkdirat,unlinkat,renameat,renameat2,newfstatat,statx,openat,fsync";
    let script = format!(
        "#!/bin/sh\nmkdir logs\nexec strace -ff -qq -ttt -o logs/log -e {calls} -- {FATHOM} \"$@\"\n"
    );
    hosts.sandbox.put("traced", &script).unwrap();
    let program = hosts.sandbox.join("traced");
    assert!(child::run(Command::new("chmod").arg("+x").arg(&program), LIMIT).unwrap().code == Some(0));
    program
}

/// Returns the number of calls of each phase that strace saw on a host, and the times of the first and the last of them, seconds.
fn seen(logs: &Path) -> BTreeMap<&'static str, (u64, f64, f64)> {
    let mut seen: BTreeMap<&str, (u64, f64, f64)> = BTreeMap::new();
    for name in entries(logs) {
        let log = std::fs::read_to_string(logs.join(name)).unwrap();
        for (time, call) in log.lines().filter_map(|line| line.split_once(' ')) {
            let Some(phase) = phase_of(call) else { continue };
            let time: f64 = time.parse().unwrap();
            let (count, first, last) = seen.entry(phase).or_insert((0, time, time));
            *count += 1;
            (*first, *last) = (first.min(time), last.max(time));
        }
    }
    seen
}

fn operations(card: &Value, name: &str) -> u64 {
    phase(card, name)["operations"].as_u64().unwrap_or_else(|| panic!("{name}: {card}"))
}

/// Two hosts in one directory: each host's counts are those of strace, the sum is that of the hosts, each phase begins on any host only
/// after the one before has ended on all, and nothing is left.
#[test]
fn phases_are_common_and_counts_are_those_of_strace() {
    skip_without!(Need::Program("strace"));
    let hosts = Hosts::new(&["a", "b"]);
    let shared = hosts.sandbox.join("shared");
    std::fs::create_dir(&shared).unwrap();
    let shape = "--workers=2 --depth=1 --branching=3 --files=5 --bytes=10 --iterations=1 --json";
    let args = format!("{shape} {}", shared.display());
    let ran = child::run(&mut hosts.command_of(&["files"], &traced(&hosts), &args), LIMIT).unwrap();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    let card = document(&ran);
    let there = array(&card["hosts"]);
    assert_eq!(there.len(), 2);
    let mut all = Vec::new();
    for host in there {
        let name = host["name"].as_str().unwrap();
        let seen = seen(&hosts.dir(name).join("logs"));
        for phase in COUNTED {
            assert_eq!(operations(&host["result"], phase), seen[phase].0, "{name}: {phase}");
        }
        all.push(seen);
    }
    for name in COUNTED {
        let sum: u64 = all.iter().map(|seen| seen[name].0).sum();
        assert_eq!(operations(&card, name), sum, "{name}");
        let latencies = phase(&card, name)["latency"]["moments"]["n"].as_u64();
        assert_eq!(latencies, Some(sum), "{name}");
    }
    for pair in COUNTED.windows(2) {
        let ended = all.iter().map(|seen| seen[pair[0]].2).fold(0.0, f64::max);
        let began = all.iter().map(|seen| seen[pair[1]].1).fold(f64::INFINITY, f64::min);
        assert!(ended < began, "{} until {ended}, {} from {began}", pair[0], pair[1]);
    }
    // One begin for each of the fourteen phases.
    assert!(there.iter().all(|host| array(&host["began_ns"]).len() == 14), "{there:?}");
    assert_eq!(entries(&shared), [""; 0]);
}

/// `$host` names a directory of each host; one that is missing there refuses for all, and nothing is made.
#[test]
fn directory_that_one_host_lacks_refuses_for_all() {
    let hosts = Hosts::new(&["a", "b"]);
    let own = hosts.dir("a").join("of-a");
    std::fs::create_dir(&own).unwrap();
    let before = std::fs::metadata(&own).unwrap().modified().unwrap();
    let ran = run(&hosts, "of-$host");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:#?}");
    assert!(ran.stderr.contains("b: of-b"), "{ran:#?}");
    assert!(ran.stderr.contains("nothing was run on any host"), "{ran:#?}");
    assert_eq!(std::fs::metadata(&own).unwrap().modified().unwrap(), before);
    std::fs::create_dir(hosts.dir("b").join("of-b")).unwrap();
    let ran = run(&hosts, "--depth=0 --files=2 of-$host");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for text in ["together", "fairness", "all workers began within", "iterations: 5 "] {
        assert!(ran.stdout.contains(text), "{text}: {ran:#?}");
    }
    let listed = child::run(
        Command::new(FATHOM).env("XDG_DATA_HOME", hosts.sandbox.path()).args(["show", "R1"]),
        LIMIT,
    );
    assert!(listed.unwrap().stdout.contains("together"));
    let mut list = Command::new(FATHOM);
    let listed = child::run(list.env("XDG_DATA_HOME", hosts.sandbox.path()).arg("list"), LIMIT).unwrap();
    assert!(listed.stdout.contains("a,b: of-$host"), "{listed:#?}");
}

#[test]
fn switches_without_a_meaning_are_refused() {
    let hosts = Hosts::new(&["a", "b"]);
    let ran = run(&hosts, "--share=split .");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:#?}");
    assert!(ran.stderr.contains("--share cannot be given"), "{ran:#?}");
    let mut alone = Command::new(FATHOM);
    let ran =
        child::run(alone.current_dir(hosts.dir("a")).args(["files", "--on-loss=continue"]), LIMIT).unwrap();
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    let ran = run(&hosts, "--dry-run .");
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 2), "{ran:#?}");
    assert_eq!(entries(&hosts.dir("a")), [""; 0]);
}

/// Starts a long measurement in one directory and waits until both hosts have made names in it.
fn long(hosts: &Hosts, args: &str) -> Running {
    let shared = hosts.sandbox.join("shared");
    std::fs::create_dir(&shared).unwrap();
    let args = format!("--workers=1 --depth=1 --json {args} {}", shared.display());
    let running = Running::start(&mut files(hosts, &args)).unwrap();
    let deadline = Instant::now() + LIMIT;
    while entries(&shared).len() < 2 {
        assert!(Instant::now() < deadline, "{}", running.stderr_so_far());
        std::thread::sleep(Duration::from_millis(10));
    }
    // An iteration.
    std::thread::sleep(Duration::from_secs(2));
    running
}

/// A host whose agent is killed is named; the others stop or go on, their figures are in the report, only what the killed process
/// could not remove is left, and the next start removes it.
#[test]
fn host_that_is_killed_is_named_and_the_other_keeps_its_figures() {
    for (rule, shape) in
        [("stop", "--files=20 --iterations=10000"), ("continue", "--files=2000 --iterations=8 --seconds=16")]
    {
        let hosts = Hosts::new(&["a", "b"]);
        let running = long(&hosts, &format!("--on-loss={rule} {shape}"));
        signal(hosts.agent("b"), KILL);
        let ran = running.finish(LIMIT).unwrap();
        assert_eq!(ran.code, Some(1), "{ran:#?}");
        assert!(ran.stderr.contains("b: a signal ended the connection"), "{ran:#?}");
        let card = document(&ran);
        let there = array(&card["hosts"]);
        assert!(there[0]["lost"].is_null() && !there[1]["lost"].is_null(), "{ran:#?}");
        assert_eq!(there[1]["result"], Value::Null);
        let complete = if rule == "continue" { 8 } else { 1 };
        assert!(there[0]["result"]["iterations"].as_u64().unwrap() >= complete, "{card}");
        for name in COUNTED {
            assert_eq!(operations(&card, name), operations(&there[0]["result"], name), "{name}");
        }
        assert!(ends(hosts.agent("a")) && ends(hosts.agent("b")));
        let shared = hosts.sandbox.join("shared");
        assert_eq!(entries(&shared).len(), 1, "{rule}");
        let mut next = Command::new(FATHOM);
        next.env("LC_ALL", "C").args(["files", "--no-store", "--iterations=1", "--depth=0", "--files=1"]);
        let next = child::run(next.arg(&shared), LIMIT).unwrap();
        assert!(next.code == Some(0) && next.stderr.contains("removed "), "{next:#?}");
        assert_eq!(entries(&shared), [""; 0]);
    }
}

/// An agent that somebody on its host ends is a lost host: the sum is that of the other, which goes on to its end.
#[test]
fn host_on_which_somebody_ends_the_agent_is_not_in_the_sum() {
    let hosts = Hosts::new(&["a", "b"]);
    let running = long(&hosts, "--on-loss=continue --files=2000 --iterations=8 --seconds=16");
    signal(hosts.agent("b"), TERM);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(
        ran.stderr.contains("ended its jobs early") && !ran.stderr.contains("sent no figures"),
        "{ran:#?}"
    );
    let card = document(&ran);
    let there = array(&card["hosts"]);
    assert!(there[0]["lost"].is_null() && !there[1]["lost"].is_null(), "{ran:#?}");
    assert_eq!((&card["iterations"], &card["ended"]), (&there[0]["result"]["iterations"], &Value::Null));
    assert_eq!(card["iterations"], 8, "{card}");
    for name in COUNTED {
        assert_eq!(operations(&card, name), operations(&there[0]["result"], name), "{name}");
    }
    assert_eq!(entries(&hosts.sandbox.join("shared")), [""; 0]);
}

/// Ctrl-C ends all hosts with a report, and nothing is left.
#[test]
fn interrupt_ends_all_hosts_and_removes_their_trees() {
    let hosts = Hosts::new(&["a", "b"]);
    let running = long(&hosts, "--files=20 --iterations=10000");
    running.signal(INT);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(128), "{ran:#?}");
    let card = document(&ran);
    for host in array(&card["hosts"]) {
        assert_eq!(
            (&host["lost"], &host["result"]["ended"]),
            (&Value::Null, &Value::from("interrupted")),
            "{host}"
        );
    }
    assert!(operations(&card, "create") > 0);
    assert_eq!(entries(&hosts.sandbox.join("shared")), [""; 0]);
}
