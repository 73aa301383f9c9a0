//! Studies on several hosts: the check, `fathom explore` and `fathom fit` with `--hosts`.

use crate::hosts::{Hosts, KILL, LIMIT, array, document, ends, signal};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Running};
use testbed::fuse::{Law, Model};
use testbed::loopdev::Setup;
use testbed::{Cap, Cgroup, FileSystem, FuseDisk, LoopDevice, Mount, Need, skip_without};

/// Returns the files in a host's directory, except those of the shell of the tests.
fn left(hosts: &Hosts, host: &str) -> Vec<String> {
    let entries = std::fs::read_dir(hosts.dir(host)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "pid" && name != "group").collect()
}

/// Each host has a scratch file of its own, which is gone afterwards; the rates of both are in one card.
#[test]
fn check_by_two_hosts_is_one_card() {
    let hosts = Hosts::new(&["a", "b"]);
    let ran = child::run(&mut hosts.study(&[], "--json --no-store --seconds 3 ."), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let card = document(&ran);
    assert_eq!(card["hosts"], serde_json::json!(["a", "b"]));
    assert_eq!((array(&card["rows"]).len(), card["kind"].as_str()), (9, Some("scratch_file")), "{card}");
    for row in array(&card["rows"]) {
        let each: Vec<f64> = array(&row["host_iops"]).iter().map(|rate| rate.as_f64().unwrap()).collect();
        // Beside other tests, one of them may have completed nothing in a third of a second.
        assert!(each.len() == 2 && each.iter().sum::<f64>() > 0.0, "{row}");
    }
    for host in ["a", "b"] {
        assert_eq!(left(&hosts, host), Vec::<String>::new());
    }
    let text = child::run(&mut hosts.study(&[], "--no-store --seconds 2 $host.none"), LIMIT).unwrap();
    assert_eq!(text.code, Some(1), "{text:#?}");
    assert!(text.stderr.contains("a: a.none: ") && text.stderr.contains("b: b.none: "), "{}", text.stderr);
}

/// The verdict about a workload is that of all hosts together, one profile after the other.
#[test]
fn fit_on_two_hosts_runs_the_workload_on_both() {
    let hosts = Hosts::new(&["a", "b"]);
    let ran = child::run(&mut hosts.study(&["fit"], "etcd . --json --no-store --seconds 2"), LIMIT).unwrap();
    let card = document(&ran);
    assert_eq!(card["hosts"], serde_json::json!(["a", "b"]), "{ran:#?}");
    assert!(array(&card["rows"]).iter().any(|row| row["samples"].as_u64() > Some(0)), "{card}");
    for row in array(&card["rows"]) {
        let each = array(&row["each"]).iter().map(|one| one["host"].as_str().unwrap());
        assert_eq!(each.collect::<Vec<_>>(), ["a", "b"], "{row}");
    }
    for host in ["a", "b"] {
        assert_eq!(left(&hosts, host), Vec::<String>::new());
    }
}

/// A file that both hosts would write without sharing it is refused before a byte of it is written; with `--share` it is measured.
#[test]
fn target_that_two_hosts_would_write_is_refused_before_a_study() {
    let hosts = Hosts::new(&["a", "b"]);
    let path = hosts.sandbox.file("data", 16 << 20).unwrap();
    let content = std::fs::read(&path).unwrap();
    let path = path.display();
    let args = format!(
        "{path} --patterns 4k-randwrite --questions depth --allow-destroy {path} --budget 13s --no-store"
    );
    let ran = child::run(&mut hosts.study(&["explore"], &args), LIMIT).unwrap();
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains(&format!("a and b would both write to {path}")), "{}", ran.stderr);
    assert!(std::fs::read(path.to_string()).unwrap() == content, "it was written");
    let shared = child::run(&mut hosts.study(&["explore"], &format!("{args} --share whole --json")), LIMIT);
    let shared = shared.unwrap();
    // 1: beside other tests, the question may have no answer within its time.
    assert!(matches!(shared.code, Some(0 | 1)), "{shared:#?}");
    let points = document(&shared);
    let written: u64 = array(&points["points"]).iter().map(|point| point["ios"].as_u64().unwrap()).sum();
    assert!(written > 0 && std::fs::read(path.to_string()).unwrap() != content, "{points}");
    for (args, said) in [
        ("model:servers=4 --no-store", "simulated device"),
        (". /tmp --no-store", "give one target"),
        (". --repeat 3 --over 1m", "--repeat"),
        (". --on-loss continue", "--on-loss=continue"),
    ] {
        let ran = child::run(&mut hosts.study(&["explore"], args), LIMIT).unwrap();
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{args}: {ran:#?}");
    }
}

/// A device that is mounted is not written, also if hosts share it and the user permits the loss of its data.
#[test]
fn shared_device_that_is_mounted_is_not_written() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let device = LoopDevice::sparse(64 << 20, Setup::default()).unwrap();
    let (path, image) = (device.path().to_owned(), device.backing().to_owned());
    let mount = Mount::on(FileSystem::Ext4, device, "").unwrap();
    let file = mount.path().join("data");
    let content: Vec<u8> = (0..1 << 20).map(|at: u32| (at % 251) as u8).collect();
    std::fs::write(&file, &content).unwrap();
    let flush = || assert!(child::run(&mut Command::new("sync"), LIMIT).unwrap().code == Some(0));
    flush();
    let before = std::fs::read(&image).unwrap();
    for (name, words) in
        [("explore", "--write --patterns 4k-randwrite --budget 13s"), ("fit", "etcd --seconds 1s")]
    {
        for share in ["whole", "split"] {
            for target in [&path, &image] {
                let target = target.display();
                let args = format!("--share {share} --no-store --allow-destroy {target} {words} {target}");
                let ran = child::run(&mut hosts.study(&[name], &args), LIMIT).unwrap();
                assert_eq!(ran.code, Some(3), "{name} {args}: {ran:#?}");
            }
        }
    }
    flush();
    let after = std::fs::read(&image).unwrap();
    // The file system itself may write its superblock.
    let changed = before.chunks(4096).zip(after.chunks(4096)).filter(|(one, other)| one != other).count();
    assert!(changed < 16, "{changed} blocks changed");
    assert!(std::fs::read(&file).unwrap() == content);
}

/// A host that is lost ends the study: it is named, and nothing is left on the others.
#[test]
fn study_ends_when_a_host_is_lost() {
    let hosts = Hosts::new(&["a", "b"]);
    let mut command = hosts.study(&["explore"], ". --patterns 4k-randread --budget 60s --no-store --json");
    let running = Running::start(&mut command).unwrap();
    let (a, b) = (hosts.agent("a"), hosts.agent("b"));
    // The scratch files are filled in up to 3.5 s.
    std::thread::sleep(Duration::from_secs(6));
    signal(b, KILL);
    let began = Instant::now();
    let ran = running.finish(LIMIT).unwrap();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(ran.code == Some(1) && ran.stderr.contains("fathom: b: "), "{ran:#?}");
    // No question after the loss says that a signal ended the study: all say that the host is lost.
    let study = document(&ran);
    let why: Vec<&Value> = array(&study["unanswered"]).iter().map(|one| &one["why"]).collect();
    let names_it = |why: &&Value| why["text"].as_str().is_some_and(|text| text.starts_with("b: "));
    assert!(why.len() > 1 && why[1..].iter().all(names_it), "{why:?}");
    assert!(ends(a), "the other agent runs on");
    assert_eq!((left(&hosts, "a"), left(&hosts, "b")), (Vec::new(), Vec::new()));
}

/// One of two hosts has a limit of twenty writes per second: the workload does not hold, and the host is named.
#[test]
fn measures_workload_does_not_hold_where_one_host_is_slow() {
    skip_without!(Need::BlockCgroup);
    let hosts = Hosts::new(&["a", "slow"]);
    let device = LoopDevice::in_memory(256 << 20, false, None).unwrap();
    let limit = Cgroup::new().unwrap();
    limit.limit(&device.number().unwrap(), Cap::WriteIops(20)).unwrap();
    std::fs::write(hosts.dir("slow").join("group"), limit.procs().display().to_string()).unwrap();
    let mount = Mount::on(FileSystem::Ext4, device, "").unwrap();
    let args = format!("postgresql {} --json --no-store --seconds 20", mount.path().display());
    let ran = child::run(&mut hosts.study(&["fit"], &args), LIMIT).unwrap();
    let card = document(&ran);
    println!("{}", card["rows"]);
    assert_eq!((ran.code, card["verdict"].as_str()), (Some(4), Some("no")), "{card}");
    let missed: Vec<&Value> = array(&card["rows"]).iter().filter(|row| row["verdict"] == "no").collect();
    assert!(!missed.is_empty() && missed.iter().all(|row| row["host"] == "slow"), "{card}");
}

fn explore(hosts: &Hosts, target: &Path, questions: &str, budget: &str) -> Value {
    let args = format!(
        "{} --patterns 4k-randread --questions {questions} --budget {budget} --json --no-store",
        target.display()
    );
    let ran = child::run(&mut hosts.study(&["explore"], &args), 3 * LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    document(&ran)
}

fn claim<'v>(study: &'v Value, kind: &str) -> &'v Value {
    let found = array(&study["conclusions"]).iter().find(|one| one["claim"]["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind}: {study}"))
}

/// Three hosts on one disk of eight servers: the knee is at eight I/Os of all hosts together, and one host is enough.
#[test]
fn measures_knee_of_a_disk_that_three_hosts_share() {
    skip_without!(Need::Fuse);
    let hosts = Hosts::new(&["a", "b", "c"]);
    let law = Law::Constant(Duration::from_millis(4));
    let model = Model { servers: 8, law, filled: true, size_bytes: 64 << 20, ..Model::default() };
    let disk = FuseDisk::new(model).unwrap();
    let study = explore(&hosts, disk.path(), "depth,hosts", "60s");
    let knee = claim(&study, "knee");
    let (most, at) =
        (knee["estimate"]["value"].as_f64().unwrap(), knee["claim"]["in_flight"].as_u64().unwrap());
    let share = claim(&study, "hosts");
    println!("knee at {at} of 8, {most:.0} IOPS of 2000; {share}");
    assert!((0.95..=1.01).contains(&(most / 2000.0)), "{most}");
    // The way to the disk adds to its 4 ms, so that eight in flight reach a little less than 95 %.
    let between = array(&knee["claim"]["between"]);
    let ends = [0, 1].map(|end: usize| between[end].as_u64().unwrap());
    assert!((8..=11).contains(&at) && ends[0] <= 8 && 8 <= ends[1], "{knee}");
    assert_eq!(share["claim"]["enough"], 1, "{share}");
}

/// Three hosts, each of which has a limit of its own on one device: all are needed, and each adds a third.
#[test]
fn measures_all_hosts_are_needed_where_each_has_a_limit() {
    skip_without!(Need::BlockCgroup);
    let hosts = Hosts::new(&["a", "b", "c"]);
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let limits: Vec<Cgroup> = ["a", "b", "c"]
        .iter()
        .map(|host| {
            let limit = Cgroup::new().unwrap();
            limit.limit(&device.number().unwrap(), Cap::ReadIops(400)).unwrap();
            std::fs::write(hosts.dir(host).join("group"), limit.procs().display().to_string()).unwrap();
            limit
        })
        .collect();
    let study = explore(&hosts, device.path(), "depth,hosts", "60s");
    drop(limits);
    let found = claim(&study, "hosts");
    println!("{found}");
    let shares: Vec<(u64, f64)> = array(&found["claim"]["shares"])
        .iter()
        .map(|one| (one[0].as_u64().unwrap(), one[1]["value"].as_f64().unwrap()))
        .collect();
    assert_eq!((&found["claim"]["enough"], &found["claim"]["all"]), (&3.into(), &3.into()), "{found}");
    assert!(!shares.is_empty());
    for (number, share) in shares {
        assert!((share - number as f64 / 3.0).abs() < 0.03, "{number} hosts: {share}");
    }
    assert!(found["claim"]["fairness"].as_f64().unwrap() > 0.99, "{found}");
}
