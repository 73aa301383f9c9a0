//! `fathom pts --hosts`: simulated devices whose figures are known, and loop devices whose contents tell whether a host wrote.

use crate::hosts::{Hosts, KILL, LIMIT, array, document, ends, signal};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::{LoopDevice, Need, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const INT: i32 = 2;
const MIB: u64 = 1 << 20;
/// Longest time between a signal to the coordinator and its end.
const INTERRUPTED: Duration = Duration::from_secs(2);
/// Shorter than a busy store is waited for.
const BUSY: Duration = Duration::from_millis(4500);

/// Returns `fathom pts` with `args` on all hosts, whose agents would store where the coordinator does not look.
fn pts(hosts: &Hosts, args: &str) -> Command {
    let mut command = hosts.command_of(&["pts"], Path::new(FATHOM), args);
    command.env("XDG_STATE_HOME", hosts.sandbox.path());
    command.env("FATHOM_SETTINGS_DIR", hosts.sandbox.join("settings"));
    command
}

fn run(hosts: &Hosts, args: &str) -> Ran {
    child::run(&mut pts(hosts, args), LIMIT).unwrap()
}

/// Runs fathom with `args` here, with the store of the hosts' coordinator.
fn here(hosts: &Hosts, args: &[&str]) -> Ran {
    let mut command = Command::new(FATHOM);
    command.current_dir(hosts.sandbox.path()).env("LC_ALL", "C").env("XDG_DATA_HOME", hosts.sandbox.path());
    child::run(command.args(args), LIMIT).unwrap()
}

/// Mean latencies of the cells of the latency test, nanoseconds.
fn latencies(study: &Value) -> Vec<f64> {
    let result = &study["runs"][0]["result"]["result"];
    let matrix = result.get("matrix").unwrap_or(result);
    let mean = |cell: &Value| cell["mean_ns"].as_f64().unwrap_or_else(|| panic!("{cell:#}"));
    array(&matrix["cells"]).iter().map(mean).collect()
}

/// The latency of each host's device is that of its law, the studies are in the order of the hosts with their names, and the store
/// of the coordinator has them once, with their steps.
#[test]
fn devices_of_two_hosts_have_their_known_latencies() {
    let hosts = Hosts::new(&["1ms", "2ms"]);
    let args = "latency model:law=constant:$host;size=16m --scale 1/60000 --rounds 5";
    let ran = run(&hosts, &format!("{args} --json"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for host in ["1ms", "2ms"] {
        let line = format!("{host}: model:law=constant:{host};size=16m: latency: round 5");
        assert!(ran.stderr.contains(&line), "{line}: {ran:#?}");
    }
    let document = document(&ran);
    let studies = array(&document);
    assert_eq!(studies.len(), 2, "{document:#}");
    for (nth, (study, milliseconds)) in studies.iter().zip([1.0, 2.0]).enumerate() {
        let host = format!("{milliseconds}ms");
        assert_eq!((&study["on_host"], &study["complete"]), (&host.as_str().into(), &true.into()));
        assert_eq!(study["device"]["name"], format!("{host}:model:law=constant:{host};size=16m"));
        assert_eq!(study["id"], nth as u64 + 1);
        let cells = latencies(study);
        assert_eq!(cells.len(), 9, "{study:#}");
        let known = |mean: &f64| (mean / (milliseconds * 1e6) - 1.0).abs() < 0.001;
        assert!(cells.iter().all(known), "{host}: {cells:?}");
    }
    // Agents have the same home here: what they stored would be in this list.
    let listed: Value = serde_json::from_str(&here(&hosts, &["list", "--json"]).stdout).unwrap();
    assert_eq!(array(&listed).len(), 2, "{listed:#}");
    let exported: Value = serde_json::from_str(&here(&hosts, &["export", "--json", "S2"]).stdout).unwrap();
    assert_eq!(latencies(&exported), latencies(&studies[1]));
    assert!(here(&hosts, &["show", "S1"]).stdout.starts_with("1ms:model:"));
    let compared = here(&hosts, &["compare", "S1", "S2"]);
    assert!(compared.stdout.contains("S2 is slower than S1: 0.500 times as fast"), "{compared:#?}");
    // The card ends with that comparison.
    let card = run(&hosts, args);
    assert_eq!(card.code, Some(0), "{card:#?}");
    assert!(card.stdout.contains("S4 is slower than S3: 0.500 times as fast"), "{card:#?}");
}

/// The words may be before the command, and `--no-store` leaves nothing.
#[test]
fn switches_about_hosts_may_precede_pts_and_nothing_need_be_stored() {
    let hosts = Hosts::new(&["a", "b"]);
    let mut command = hosts.command_of(&[], Path::new(FATHOM), "pts latency model:law=constant:1ms;size=16m");
    command.args(["--scale", "1/60000", "--rounds", "5", "--json", "--no-store"]);
    let ran = child::run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(array(&document(&ran)).len(), 2);
    assert!(!hosts.sandbox.join("fathom").exists());
}

#[test]
fn switches_without_a_meaning_are_refused() {
    let hosts = Hosts::new(&["a", "b"]);
    let device = "latency model:size=16m";
    for (args, needle) in [
        ("--resume", "--resume cannot be given with --hosts"),
        (&format!("{device} --live"), "--live cannot be given with --hosts"),
        (&format!("{device} --share=whole"), "--share cannot be given"),
        ("latncy model:size=16m", "neither a test"),
        ("latency", "at least one test, then the devices"),
    ] {
        let ran = run(&hosts, args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:#?}");
        assert!(ran.stderr.contains(needle), "{needle}: {ran:#?}");
    }
    let alone = here(&hosts, &["pts", "latency", "model:size=16m", "--on-loss=continue"]);
    assert_eq!((alone.code, alone.stdout.as_str()), (Some(2), ""), "{alone:#?}");
    let ran = run(&hosts, &format!("{device} --dry-run"));
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 2), "{ran:#?}");
    assert!(ran.stdout.lines().all(|line| line.ends_with(" agent")), "{ran:#?}");
    assert!(!hosts.sandbox.join("fathom").exists());
}

/// A loop device for each host, with a link `disk-HOST` to it in the host's directory.
fn disks(hosts: &Hosts, names: &[&str]) -> Vec<LoopDevice> {
    let disk = |host: &&str| {
        let device = LoopDevice::in_memory(8 * MIB, true, None).unwrap();
        std::os::unix::fs::symlink(device.path(), hosts.dir(host).join(format!("disk-{host}"))).unwrap();
        device
    };
    names.iter().map(disk).collect()
}

/// What one host refuses, is done on none: the contents of the other host's device are the same afterwards, and no write reached it.
#[test]
fn host_without_consent_refuses_for_all_and_nothing_is_written() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let devices = disks(&hosts, &["a", "b"]);
    let contents = || devices.iter().map(|device| std::fs::read(device.path()).unwrap()).collect::<Vec<_>>();
    let stats = || devices.iter().map(|device| device.stats().unwrap()).collect::<Vec<_>>();
    let (before, counted) = (contents(), stats());
    let line = "latency ./disk-$host --scale 1/6000 --rounds 5";
    let refused = |args: &str, code: i32, needles: &[&str]| {
        let ran = run(&hosts, &format!("{line} {args}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{ran:#?}");
        for needle in needles.iter().chain(&["nothing was run on any host"]) {
            assert!(ran.stderr.contains(needle), "{needle}: {ran:#?}");
        }
        assert!(!ran.stderr.contains("purging"), "{ran:#?}");
        assert!(contents() == before, "{args}");
        let written =
            stats().iter().zip(&counted).map(|(now, then)| now.since(then).write_bytes()).sum::<u64>();
        assert_eq!(written, 0, "{args}");
    };
    refused("--allow-destroy ./disk-a", 3, &["b: refused: ", "--allow-destroy=./disk-b"]);
    refused("", 3, &["a: refused: ", "b: refused: "]);
    let all = "--allow-destroy ./disk-$host";
    refused(&format!("{all} --active-range 1e-30"), 1, &["a: ", "b: ", "less than the largest block"]);
    std::fs::rename(hosts.dir("b").join("disk-b"), hosts.dir("b").join("gone")).unwrap();
    refused(all, 3, &["b: refused: ./disk-b is no block device"]);
    std::fs::rename(hosts.dir("b").join("gone"), hosts.dir("b").join("disk-b")).unwrap();
    let held = rustix::fs::open(
        devices[1].path(),
        // Closed in the children that other tests start meanwhile.
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::EXCL | rustix::fs::OFlags::CLOEXEC,
        rustix::fs::Mode::empty(),
    );
    refused(all, 3, &["b: refused: ", "exclusively"]);
    drop(held);
    // The same words are enough with consent for both.
    let ran = run(&hosts, &format!("{line} {all} --json"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(array(&document(&ran)).iter().all(|study| study["complete"] == true), "{ran:#?}");
    assert!(contents().iter().zip(&before).all(|(now, then)| now != then));
}

/// Hosts that would test the same device are refused: here the claim of one excludes the other.
#[test]
fn same_device_on_two_hosts_is_refused() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let device = LoopDevice::in_memory(8 * MIB, true, None).unwrap();
    let (before, path) = (std::fs::read(device.path()).unwrap(), device.path().display());
    let ran = run(&hosts, &format!("latency {path} --allow-destroy {path} --scale 1/6000"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
    assert!(ran.stderr.contains("exclusively") && ran.stderr.contains("nothing was run on any host"));
    assert!(std::fs::read(device.path()).unwrap() == before);
}

/// Where no claim excludes the other, as with a LUN that two machines see, the names of the devices tell. Partitions of one disk do
/// not exclude each other, and are refused on one machine as well.
#[test]
fn partitions_of_one_disk_on_two_hosts_are_refused() {
    skip_without!(Need::Loop, Need::Program("sfdisk"), Need::Program("partx"));
    let hosts = Hosts::new(&["1", "2"]);
    let device = LoopDevice::in_memory(32 * MIB, false, None).unwrap();
    hosts.sandbox.put("table", "label: gpt\nsize=8MiB\nsize=8MiB\n").unwrap();
    let partition = "sfdisk -q --no-reread --no-tell-kernel \"$1\" <table && partx -a \"$1\"";
    let mut shell = Command::new("sh");
    shell.current_dir(hosts.sandbox.path()).args(["-c", partition, "sh"]).arg(device.path());
    let made = child::run(&mut shell, LIMIT).unwrap();
    if made.code != Some(0) {
        return testbed::skip("this kernel makes no partitions of loop devices");
    }
    let before = std::fs::read(device.path()).unwrap();
    let path = format!("{}p$host", device.path().display());
    let ran = run(&hosts, &format!("latency {path} --allow-destroy {path} --scale 1/6000"));
    let removed = child::run(Command::new("partx").arg("-d").arg(device.path()), LIMIT).unwrap();
    assert_eq!(removed.code, Some(0), "{removed:#?}");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
    assert!(ran.stderr.contains("1 and 2 would both test "), "{ran:#?}");
    assert!(!ran.stderr.contains("purging"), "{ran:#?}");
    assert!(std::fs::read(device.path()).unwrap() == before);
}

/// Starts a study on a loop device of each host, and waits until both have stored steps of a round.
fn begun(hosts: &Hosts, args: &str) -> Running {
    let line = format!("latency ./disk-$host --allow-destroy ./disk-$host --threads 1 {args}");
    let running = Running::start(&mut pts(hosts, &line)).unwrap();
    let deadline = Instant::now() + LIMIT;
    let measures =
        |host: &str| running.stderr_so_far().contains(&format!("{host}: ./disk-{host}: latency: round 2"));
    while !measures("a") || !measures("b") {
        assert!(Instant::now() < deadline, "{}", running.stderr_so_far());
        std::thread::sleep(Duration::from_millis(10));
    }
    running
}

/// Number of the steps of the study that the store has.
fn stored_steps(hosts: &Hosts, id: &str) -> usize {
    let csv = here(hosts, &["export", "--csv", id]);
    assert_eq!(csv.code, Some(0), "{csv:#?}");
    csv.stdout.lines().count() - 1
}

/// A host whose agent is killed is named; the other stops or goes on to its end; the steps of both are in the store, and an
/// unfinished study is not resumed.
#[test]
fn host_that_is_lost_is_named_and_the_others_are_printed() {
    skip_without!(Need::Loop);
    for (rule, scale) in [("stop", "1/120"), ("continue", "1/600")] {
        let hosts = Hosts::new(&["a", "b"]);
        let _devices = disks(&hosts, &["a", "b"]);
        let running = begun(&hosts, &format!("--json --on-loss={rule} --scale {scale} --rounds 5"));
        signal(hosts.agent("b"), KILL);
        let ran = running.finish(LIMIT).unwrap();
        assert_eq!(ran.code, Some(1), "{ran:#?}");
        assert!(ran.stderr.contains("b: a signal ended the connection"), "{ran:#?}");
        let document = document(&ran);
        let [a, b] = array(&document) else { panic!("{document:#}") };
        let goes_on = rule == "continue";
        assert_eq!((&a["complete"], &b["complete"]), (&goes_on.into(), &false.into()), "{rule}");
        assert_eq!(b["device"]["name"], "b:./disk-b");
        assert!(a["lost"].is_null() && !b["lost"].is_null(), "{rule}: {document:#}");
        assert!(here(&hosts, &["show", "S2"]).stdout.contains("b: a signal ended the connection"));
        assert!(array(&b["runs"]).len() == 1, "{b:#}");
        let unfinished = if goes_on { "S2" } else { "S1, S2" };
        let told = format!("not finished: {unfinished}; studies on several hosts cannot be resumed");
        assert_eq!(ran.stderr.matches(&told).count(), 1, "{ran:#?}");
        assert!(!ran.stderr.contains("--resume"), "{ran:#?}");
        assert!(ends(hosts.agent("a")) && ends(hosts.agent("b")));
        // Two purges or settings, fills, and the nine cells of a round.
        assert!(stored_steps(&hosts, "S1") > 9 && stored_steps(&hosts, "S2") > 9);
        let last = here(&hosts, &["pts", "--resume"]);
        assert!(last.code == Some(2) && last.stderr.contains("no study of pts is unfinished"), "{last:#?}");
        let named = here(&hosts, &["pts", "--resume", "S2", "--allow-destroy", "./disk-b"]);
        assert!(
            named.code == Some(2) && named.stderr.contains("measured on b, and cannot be resumed"),
            "{named:#?}"
        );
    }
}

/// A host whose agent is ended by a signal there is named as well, and its steps until then are kept.
#[test]
fn agent_that_is_ended_on_its_host_is_named() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let _devices = disks(&hosts, &["a", "b"]);
    let running = begun(&hosts, "--json --scale 1/120 --rounds 5");
    signal(hosts.agent("b"), 15);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("fathom: b: "), "{ran:#?}");
    assert!(array(&document(&ran)).iter().all(|study| study["complete"] == false), "{ran:#?}");
}

/// A budget that a study would exceed is refused before the purge, on one machine and on hosts: the data is still there.
#[test]
fn budget_that_a_study_exceeds_is_refused_before_the_purge() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let devices = disks(&hosts, &["a", "b"]);
    let contents = || devices.iter().map(|device| std::fs::read(device.path()).unwrap()).collect::<Vec<_>>();
    let before = contents();
    let rest = "--no-store --scale 1/6000 --rounds 5";
    let of_hosts = format!("latency ./disk-$host --allow-destroy ./disk-$host {rest} --wear-budget 1m");
    let of_hosts = run(&hosts, &of_hosts);
    let [one, other] = [&devices[0], &devices[1]].map(|device| device.path().display());
    let alone = |args: &str| {
        let line = format!("pts latency --allow-destroy {one} --allow-destroy {other} {rest} {args}");
        here(&hosts, &line.split(' ').collect::<Vec<_>>())
    };
    // Enough for a pass over either device of 8 MiB, and not over both.
    let both = alone(&format!("--wear-budget 12m {one} {other}"));
    let alone = alone(&format!("--wear-budget 1m {one}"));
    for ran in [of_hosts, alone, both] {
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
        assert!(ran.stderr.contains("would be written") && !ran.stderr.contains("purging"), "{ran:#?}");
        assert!(contents() == before);
    }
}

/// A terminal that takes no lines for a while (Ctrl-S) makes no host silent, and ends no study.
#[test]
fn terminal_that_stalls_ends_no_study() {
    let hosts = Hosts::new(&["a", "b"]);
    // The pipe is full before fathom writes to it, and is read after 13 s.
    let script = "mkfifo full; { sleep 13; tr -d '\\0'; } <full >said & exec 8>full; timeout 1 cat /dev/zero >&8; \
                  \"$@\" 2>&8 8>&-; status=$?; exec 8>&-; wait; exit $status";
    let study = pts(&hosts, "latency model:law=constant:1ms;size=16m --scale 1/60000 --rounds 5 --json");
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(study.get_program()).args(study.get_args());
    shell.current_dir(hosts.sandbox.path());
    shell.envs(study.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let began = Instant::now();
    let ran = child::run(&mut shell, LIMIT).unwrap();
    assert!(began.elapsed() > Duration::from_secs(12), "nothing stalled: {ran:#?}");
    let said = std::fs::read_to_string(hosts.sandbox.join("said")).unwrap();
    assert_eq!(ran.code, Some(0), "{said}");
    assert!(said.contains("latency: round 5"), "{said}");
    assert!(array(&document(&ran)).iter().all(|study| study["complete"] == true), "{said}");
}

/// Ctrl-C ends all hosts at once, with what they have measured.
#[test]
fn interrupt_ends_all_hosts_and_prints_what_there_is() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let _devices = disks(&hosts, &["a", "b"]);
    let running = begun(&hosts, "--json --scale 1/120 --rounds 5");
    let asked = Instant::now();
    running.signal(INT);
    let ran = running.finish(LIMIT).unwrap();
    assert!(asked.elapsed() < INTERRUPTED, "{:?}", asked.elapsed());
    assert_eq!(ran.code, Some(128), "{ran:#?}");
    let document = document(&ran);
    assert_eq!(array(&document).len(), 2, "{document:#}");
    for study in array(&document) {
        assert_eq!((&study["complete"], array(&study["runs"]).len()), (&false.into(), 1), "{study:#}");
    }
    assert_eq!(ran.stderr.matches("studies on several hosts cannot be resumed").count(), 1, "{ran:#?}");
    // The agents have answered, and none was given up.
    assert!(!ran.stderr.contains("fathom: "), "{ran:#?}");
    assert!(ends(hosts.agent("a")) && ends(hosts.agent("b")));
}

/// While the store is busy, hosts are heard all the same: none of them is taken for silent, and their steps are stored afterwards.
#[test]
fn hosts_are_heard_while_the_store_is_busy() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let _devices = disks(&hosts, &["a", "b"]);
    let running = begun(&hosts, "--json --scale 1/1200 --rounds 5");
    let other = rusqlite::Connection::open(hosts.sandbox.join("fathom/store.sqlite")).unwrap();
    other.busy_timeout(LIMIT).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (asked, heard) = (Instant::now(), |host: &str| {
        running.stderr_so_far().contains(&format!("{host}: ./disk-{host}: latency: round 5"))
    });
    while asked.elapsed() < BUSY && !(heard("a") && heard("b")) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let all = heard("a") && heard("b");
    other.execute_batch("ROLLBACK").unwrap();
    let ran = running.finish(LIMIT).unwrap();
    assert!(all && ran.code == Some(0), "{ran:#?}");
    assert!(array(&document(&ran)).iter().all(|study| study["complete"] == true), "{ran:#?}");
    // Purge, setting, two passes, five rounds, and the histogram.
    assert!(stored_steps(&hosts, "S1") > 45 && stored_steps(&hosts, "S2") > 45);
}
