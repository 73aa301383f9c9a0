//! Where a job may run, what it may use, and which disks it shows: beside fio.

use crate::common::{document, fathom, words};
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::{Sandbox, have_program};

fn ran(command: &mut Command, place: &Sandbox, line: &str) -> Ran {
    child::run(command.args(words(line)).current_dir(place.path()), Duration::from_secs(60)).unwrap()
}

/// What a job fails of, without the process that failed.
fn error(ran: &Ran) -> String {
    let line = ran.stdout.lines().find(|line| line.starts_with("fio: pid=")).unwrap_or_default();
    line.split_once(", ").map_or(String::new(), |(_, error)| error.to_owned())
}

#[test]
fn places_that_are_not_there_are_refused_or_warned_of_as_fio_does() {
    let lines = [
        ("--cpumask=0", 1),
        ("--numa_cpu_nodes=0-999", 1),
        ("--numa_cpu_nodes=0,", 1),
        ("--numa_cpu_nodes=x", 1),
        ("--numa_cpu_nodes=+all", 0),
        ("--numa_mem_policy=bind:", 0),
        ("--numa_mem_policy=bind:!all", 0),
        ("--numa_mem_policy=bind:999", 1),
        ("--numa_mem_policy=interleave:", 0),
        ("--numa_mem_policy=prefer:", 0),
        ("--numa_mem_policy=prefer:x", 1),
        ("--numa_mem_policy=xx", 1),
        ("--parse-only --numa_cpu_nodes=xx --numa_mem_policy=xx", 0),
    ];
    if !std::path::Path::new("/sys/devices/system/node/node0").exists() {
        return;
    }
    for (line, code) in lines {
        let place = Sandbox::new().unwrap();
        let line = format!("--name=a --ioengine=null --rw=read --bs=4k --size=64k {line}");
        let ours = ran(&mut fathom(), &place, &line);
        assert_eq!(ours.code, Some(code), "{line}: {ours:?}");
        if have_program("fio") {
            let theirs = ran(&mut Command::new("fio"), &place, &line);
            assert_eq!((theirs.code, error(&theirs)), (ours.code, error(&ours)), "{line}");
            assert!(ours.stderr.starts_with(&theirs.stderr), "{line}: {:?} {:?}", theirs.stderr, ours.stderr);
        }
    }
}

/// Names of the disks that a report shows, and of the jobs that it tells of.
fn shown(ran: &Ran) -> (Vec<String>, Vec<String>) {
    let report = document(ran);
    let names = |list: &str, key: &str| -> Vec<String> {
        let list = report[list].as_array().cloned().unwrap_or_default();
        list.iter().map(|entry| entry[key].as_str().unwrap_or("-").to_owned()).collect()
    };
    (names("disk_util", "name"), names("jobs", "jobname"))
}

#[test]
fn a_report_shows_the_disks_and_jobs_that_fios_shows() {
    let job = "--rw=write --bs=4k --size=64k";
    let lines = [
        format!("--name=a {job} --disk_util=0"),
        format!("--name=a {job} --disk_util=0 --name=b {job}"),
        format!("--name=a {job} --create_on_open=1"),
        format!("--name=a {job} --create_only=1"),
        format!("--name=a {job} --stats=0 --name=b {job}"),
        format!("--name=a {job} --stats=0 --numjobs=3 --group_reporting"),
        format!("--name=a {job} --group_reporting --name=b {job} --stats=0 --name=c {job} --group_reporting"),
        format!("--name=a {job} --name=b {job} --new_group --stats=0 --numjobs=2"),
    ];
    if !have_program("fio") {
        return;
    }
    for line in lines {
        let line = format!("{line} --output-format=json");
        let seen = |command: &mut Command| shown(&ran(command, &Sandbox::new().unwrap(), &line));
        assert_eq!(seen(&mut Command::new("fio")), seen(&mut fathom()), "{line}");
    }
}
