//! `fathom run --hosts`: one result of several hosts, which are directories of this machine here; the shell of the tests
//! enters the directory with the host's name.

use crate::common::words;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::{LoopDevice, Need, Sandbox, skip_without};

/// Time limit of one run.
const LIMIT: Duration = Duration::from_secs(60);
const KILL: i32 = 9;
const STOP: i32 = 19;

/// Hosts that are directories: the shell notes the process of the agent, and runs it there.
struct Hosts {
    sandbox: Sandbox,
    names: Vec<String>,
}

impl Hosts {
    fn new(names: &[&str]) -> Hosts {
        let sandbox = Sandbox::new().unwrap();
        let shell = "#!/bin/sh\nhost=$1\nshift\ncd \"$(dirname \"$0\")/$host\" || exit 255\necho $$ >pid\nexec \"$@\"\n";
        sandbox.put("rsh", shell).unwrap();
        let mut executable = Command::new("chmod");
        assert!(child::run(executable.arg("+x").arg(sandbox.join("rsh")), LIMIT).unwrap().code == Some(0));
        for name in names {
            std::fs::create_dir(sandbox.join(name)).unwrap();
        }
        Hosts { sandbox, names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    fn dir(&self, host: &str) -> PathBuf {
        self.sandbox.join(host)
    }

    /// Returns the command that runs `args` on all hosts.
    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.env("LC_ALL", "C").current_dir(self.sandbox.path()).arg("run");
        command.arg("--hosts").arg(self.names.join(",")).arg("--agent").arg(env!("CARGO_BIN_EXE_fathom"));
        command.arg("--rsh").arg(self.sandbox.join("rsh")).args(words(args));
        command
    }

    fn run(&self, args: &str) -> Ran {
        child::run(&mut self.command(args), LIMIT).unwrap()
    }

    /// Returns the process of a host's agent, once it runs.
    fn agent(&self, host: &str) -> i32 {
        let file = self.dir(host).join("pid");
        let deadline = Instant::now() + LIMIT;
        loop {
            if let Ok(pid) = std::fs::read_to_string(&file).unwrap_or_default().trim().parse() {
                return pid;
            }
            assert!(Instant::now() < deadline, "{host} has no agent");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

fn is_there(pid: i32) -> bool {
    // A zombie that its parent has not seen yet has ended.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

fn ends(pid: i32) -> bool {
    let deadline = Instant::now() + Duration::from_secs(10);
    while is_there(pid) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    !is_there(pid)
}

fn signal(pid: i32, signal: i32) {
    let mut kill = Command::new("kill");
    assert!(child::run(kill.arg(format!("-{signal}")).arg(pid.to_string()), LIMIT).unwrap().code == Some(0));
}

pub(crate) fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no array: {value}"))
}

/// Returns the sum over jobs of a figure of the writes.
fn sum(result: &Value, key: &str) -> u64 {
    array(&result["jobs"]).iter().map(|job| job["directions"][1][key].as_u64().unwrap()).sum()
}

/// The merged counts, extremes and histograms are exactly those of the hosts together, and the device of the hosts saw as
/// many bytes.
#[test]
fn merged_result_is_the_sum_of_the_hosts_and_of_the_device() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b", "c"]);
    let device = LoopDevice::in_memory(16 << 20, true, None).unwrap();
    let before = device.stats().unwrap();
    let target = device.path().display();
    let job = "--name=j --rw=randwrite --bs=4k --direct=1 --number_ios=700 --norandommap --ioengine=psync";
    let ran = hosts.run(&format!("--json --filename={target} --allow-destroy={target} {job}"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document = document(&ran);
    let (merged, each) = (&document["merged"], array(&document["hosts"]));
    assert_eq!(each.len(), 3);
    let of_hosts = |key: &str| each.iter().map(|host| sum(&host["result"], key)).sum::<u64>();
    assert_eq!((sum(merged, "ios"), of_hosts("ios")), (2100, 2100), "{ran:#?}");
    assert_eq!((sum(merged, "bytes"), of_hosts("bytes")), (2100 << 12, 2100 << 12));
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 2100 << 12);
    let latency = |result: &Value| result["jobs"][0]["directions"][1]["clat"].clone();
    let moments = |key: &str| {
        each.iter().map(|host| latency(&host["result"])["moments"][key].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let sum_of = |key: &str| latency(merged)["moments"][key].as_u64().unwrap();
    assert_eq!(sum_of("n"), moments("n").iter().sum::<u64>());
    assert_eq!(sum_of("sum"), moments("sum").iter().sum::<u64>());
    assert_eq!(Some(sum_of("least")), moments("least").into_iter().min());
    assert_eq!(Some(sum_of("most")), moments("most").into_iter().max());
    let bins = |result: &Value| -> BTreeMap<u64, u64> {
        let histogram = latency(result)["histogram"].clone();
        array(&histogram).iter().map(|bin| (bin[0].as_u64().unwrap(), bin[1].as_u64().unwrap())).collect()
    };
    let mut added = BTreeMap::new();
    for host in each {
        for (bin, count) in bins(&host["result"]) {
            *added.entry(bin).or_insert(0) += count;
        }
    }
    assert_eq!(bins(merged), added);
    assert_eq!(added.values().sum::<u64>(), 2100);
    for host in each {
        assert_eq!(array(&host["began_ns"]).len(), 1, "{host}");
        assert!(host["clock"]["uncertainty_ns"].as_u64().unwrap() < 1_000_000_000 && host["lost"].is_null());
    }
}

/// Job files are those of the coordinator, includes and standard input too; phases begin together on all hosts.
#[test]
fn job_files_are_sent_and_phases_begin_together() {
    let hosts = Hosts::new(&["a", "b"]);
    hosts.sandbox.put("part.inc", "size=64k\nbs=4k\nioengine=psync\n").unwrap();
    let text = "[global]\ninclude part.inc\nfilename=data\n[w]\nrw=write\n[r]\nstonewall\nrw=read\n";
    hosts.sandbox.put("j.fio", text).unwrap();
    let ran = hosts.run("--json j.fio");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document = document(&ran);
    for host in array(&document["hosts"]) {
        assert_eq!(array(&host["began_ns"]).len(), 2, "{host}");
        let name = host["name"].as_str().unwrap();
        assert_eq!(std::fs::metadata(hosts.dir(name).join("data")).unwrap().len(), 64 << 10);
    }
    assert!(!hosts.sandbox.join("data").exists());
    let jobs = array(&document["merged"]["jobs"]);
    assert_eq!((jobs.len(), jobs[0]["members"].as_u64(), jobs[1]["members"].as_u64()), (2, Some(2), Some(2)));
    let card = hosts.run("j.fio");
    assert!(card.code == Some(0) && card.stdout.contains("all workers began within"), "{card:#?}");
}

/// Hosts that share a device write parts of it that no other one writes, and all of it together; each writes its number.
#[test]
fn hosts_that_share_a_device_write_parts_of_their_own() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b", "c"]);
    let device = LoopDevice::in_memory(3 << 20, true, None).unwrap();
    let target = device.path().display();
    let job = "--name=j --rw=randwrite --bs=4k --direct=1 --ioengine=psync --buffer_pattern=0x5$host_number";
    let args = format!("--json --share=split --filename={target} --allow-destroy={target} {job}");
    let ran = hosts.run(&args);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(sum(&document(&ran)["merged"], "bytes"), 3 << 20);
    let written = std::fs::read(device.path()).unwrap();
    for (number, part) in written.chunks(1 << 20).enumerate() {
        let wanted = 0x50 + number as u8;
        assert!(part.iter().all(|byte| *byte == wanted), "{number}: {:x?}", &part[..16]);
    }
    let named = hosts.run("--json --name=j --filename=data.$host --rw=write --size=4k --ioengine=psync");
    assert_eq!(named.code, Some(0), "{named:#?}");
    assert!(hosts.dir("b").join("data.b").exists());
}

/// If one host refuses, nothing is written on any.
#[test]
fn host_that_refuses_is_named_and_nothing_is_written_anywhere() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let hosts = Hosts::new(&["a", "b"]);
    let device = LoopDevice::in_memory(16 << 20, false, None).unwrap();
    let mut make = Command::new("mkfs.ext4");
    assert!(child::run(make.arg("-q").arg(device.path()), LIMIT).unwrap().code == Some(0));
    std::os::unix::fs::symlink(device.path(), hosts.dir("b").join("data")).unwrap();
    let before = device.stats().unwrap();
    let ran = hosts.run("--name=j --filename=data --rw=write --size=1m");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
    let of = |host: &str| ran.stderr.lines().any(|line| line.starts_with(&format!("{host}: ")));
    assert!(of("b") && !of("a") && ran.stderr.contains("--allow-destroy"), "{ran:#?}");
    assert!(ran.stderr.contains("nothing was run on any host"), "{ran:#?}");
    assert!(!hosts.dir("a").join("data").exists());
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);
}

/// A host whose agent is killed is named; the others stop or go on, as asked, and their figures are kept.
#[test]
fn host_that_is_lost_is_named_and_the_others_keep_their_figures() {
    for (rule, seconds) in [("stop", 30), ("continue", 4)] {
        let hosts = Hosts::new(&["a", "b", "c"]);
        let job = format!(
            "--name=j --filename=data --rw=randread --size=1m --ioengine=psync --runtime={seconds} --time_based"
        );
        let began = Instant::now();
        let running = Running::start(&mut hosts.command(&format!("--json --on-loss={rule} {job}"))).unwrap();
        let agent = hosts.agent("b");
        std::thread::sleep(Duration::from_millis(2500));
        signal(agent, KILL);
        let ran = running.finish(LIMIT).unwrap();
        assert_eq!(ran.code, Some(1), "{ran:#?}");
        assert!(ran.stderr.contains("fathom: b: "), "{ran:#?}");
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        let document = document(&ran);
        for host in array(&document["hosts"]) {
            let lost = host["name"] == "b";
            assert_eq!(host["lost"]["kind"] == "connection_ended", lost, "{host}");
            let most = array(&host["result"]["jobs"])[0]["directions"][0]["runtime_ms"].as_u64().unwrap();
            assert!(most > 500, "{host}");
            assert_eq!(!lost && rule == "continue", most >= 3900, "{rule}: {most} ms");
        }
        for host in ["a", "b", "c"] {
            assert!(ends(hosts.agent(host)), "{host}");
        }
    }
}

/// A host that no longer answers is lost within ten seconds.
#[test]
fn silent_host_is_lost() {
    let hosts = Hosts::new(&["a", "b"]);
    let job = "--name=j --filename=data --rw=randread --size=1m --ioengine=psync --runtime=50 --time_based";
    let running = Running::start(&mut hosts.command(job)).unwrap();
    let agent = hosts.agent("a");
    std::thread::sleep(Duration::from_secs(2));
    let began = Instant::now();
    signal(agent, STOP);
    let ran = running.finish(LIMIT).unwrap();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert!(ran.code == Some(1) && ran.stderr.contains("a: no message for"), "{ran:#?}");
    // The shell is killed, and here it is the agent.
    assert!(ends(agent) && ends(hosts.agent("b")));
}

/// Ctrl-C ends all hosts with a report; without a coordinator, the agents end by themselves.
#[test]
fn end_of_the_coordinator_ends_all_agents() {
    let job = "--name=j --filename=data --rw=randread --size=1m --ioengine=psync --runtime=50 --time_based";
    for (number, code) in [(2, Some(128)), (KILL, None)] {
        let hosts = Hosts::new(&["a", "b"]);
        let running = Running::start(&mut hosts.command(job)).unwrap();
        let agents = [hosts.agent("a"), hosts.agent("b")];
        std::thread::sleep(Duration::from_secs(2));
        running.signal(number);
        let ran = running.finish(LIMIT).unwrap();
        assert_eq!(ran.code, code, "{ran:#?}");
        assert_eq!(ran.stdout.contains("all workers began within"), number == 2, "{ran:#?}");
        assert!(agents.into_iter().all(ends));
    }
}

/// What is no agent, a host that is not there, and switches that have no meaning on several hosts are one clear line each.
#[test]
fn wrong_hosts_and_switches_are_told() {
    let hosts = Hosts::new(&["a"]);
    let job = "--name=j --filename=data --rw=read --size=4k";
    let told = |args: &str, code: i32, text: &str| {
        let ran = child::run(&mut hosts.command(args), LIMIT).unwrap();
        assert!(
            ran.code == Some(code) && ran.stderr.contains(text) && ran.stdout.is_empty(),
            "{args}: {ran:#?}"
        );
        assert!(!hosts.dir("a").join("data").exists());
    };
    told(&format!("--agent=/nonexistent {job}"), 1, "/nonexistent: not found");
    told(&format!("--agent=/bin/echo {job}"), 1, "a: this is no agent of fathom");
    told(&format!("--hosts=a,zz {job}"), 1, "zz");
    told(&format!("--hosts=-oProxyCommand=x {job}"), 2, "is no name of a host");
    told(&format!("--stop-on-drop {job}"), 2, "--stop-on-drop cannot be given with --hosts");
    told("--name=j --rw=nonsense", 1, "");
    let dry = hosts.run(&format!("--dry-run {job}"));
    assert!(dry.code == Some(0) && dry.stdout.trim_end().ends_with(" agent"), "{dry:#?}");
    assert!(!hosts.dir("a").join("pid").exists() || !hosts.dir("a").join("data").exists());
}

/// Returns the command that runs `args` on hosts with sshd.
fn over_ssh(server: &testbed::Server, hosts: &str, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").args(["run", "--hosts", hosts, "--agent", env!("CARGO_BIN_EXE_fathom")]);
    command.arg("--rsh").arg(server.value("RSH")).args(words(args));
    command
}

pub(crate) fn skew_ns(document: &Value) -> u64 {
    let began = |at: usize| {
        array(&document["hosts"]).iter().map(move |host| host["began_ns"][0][at].as_i64().unwrap())
    };
    began(1).max().unwrap().abs_diff(began(0).min().unwrap())
}

/// Two hosts with sshd of their own, each behind its own interface.
#[test]
fn two_hosts_over_ssh_have_one_result() {
    let server = testbed::server!("hosts", &[]);
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 1 << 20).unwrap();
    let job =
        format!("--json --name=j --filename={} --rw=randread --size=1m --ioengine=psync", file.display());
    let ran = child::run(&mut over_ssh(&server, "h1,h2", &job), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document = document(&ran);
    let machines: Vec<&str> =
        array(&document["hosts"]).iter().map(|host| host["machine"].as_str().unwrap()).collect();
    assert_eq!(machines, ["h1", "h2"]);
    assert_eq!(document["merged"]["jobs"][0]["directions"][0]["ios"], 512, "{ran:#?}");
    // A key that the host does not know.
    std::fs::write(server.dir().join("authorized"), "").unwrap();
    let ran = child::run(&mut over_ssh(&server, "h1,h2", &job), LIMIT).unwrap();
    assert!(ran.code == Some(1) && ran.stderr.contains("h1: ") && ran.stderr.contains("h2: "), "{ran:#?}");
    assert!(ran.stderr.contains("Permission denied") && ran.stdout.is_empty(), "{ran:#?}");
}

/// A host whose link is down is lost within ten seconds; its agent ends by itself, and the other one has its figures.
#[test]
fn host_behind_a_link_that_is_down_is_lost_and_leaves_no_agent() {
    let server = testbed::server!("hosts", &[]);
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 1 << 20).unwrap();
    let job = "--rw=randread --size=1m --ioengine=psync --runtime=16 --time_based";
    let job = format!("--json --on-loss=continue --name=j --filename={} {job}", file.display());
    let running = Running::start(&mut over_ssh(&server, "h1,h2", &job)).unwrap();
    let agents = || {
        let space = format!("{}-2", server.dir().file_name().unwrap().to_str().unwrap());
        let pids = child::run(Command::new("ip").args(["netns", "pids", &space]), LIMIT).unwrap().stdout;
        let name = |pid: &str| std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        pids.lines().filter(|pid| name(pid).contains("fathom\0agent")).count()
    };
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(agents(), 1);
    let mut down = Command::new("ip");
    down.args(["-n", server.value("SWITCH"), "link", "set", "v2", "down"]);
    assert!(child::run(&mut down, LIMIT).unwrap().code == Some(0));
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let document = document(&ran);
    let [first, second] = array(&document["hosts"]) else { panic!("{ran:#?}") };
    assert!(first["lost"].is_null() && !second["lost"].is_null(), "{ran:#?}");
    // The agent hears nothing for ten seconds, and ends.
    let deadline = Instant::now() + Duration::from_secs(20);
    while agents() > 0 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(agents(), 0);
    let at = second["lost_at_s"].as_f64().unwrap();
    assert!(at < 20.0, "{at}");
}

/// The workers of two hosts begin within a millisecond, by the median of twenty runs over ssh.
#[test]
fn measures_hosts_begin_within_a_millisecond() {
    let server = testbed::server!("hosts", &[]);
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 64 << 10).unwrap();
    let job = format!("--json --name=j --filename={} --rw=read --size=64k --ioengine=psync", file.display());
    let mut skews: Vec<u64> = (0..20)
        .map(|_| {
            let ran = child::run(&mut over_ssh(&server, "h1,h2", &job), LIMIT).unwrap();
            assert_eq!(ran.code, Some(0), "{ran:#?}");
            skew_ns(&document(&ran))
        })
        .collect();
    skews.sort_unstable();
    println!("skew of the start: median {} ns, largest {} ns", skews[10], skews[19]);
    assert!(skews[10] < 1_000_000, "{skews:?}");
}
