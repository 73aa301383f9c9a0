//! `fathom run --transport mpi`: the agents of several hosts behind one mpirun. The hosts are network namespaces with sshd.

use crate::common::words;
use crate::host_sums;
use crate::hosts::{array, document, skew_ns};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::{Need, Sandbox, Server, skip_without};

/// Time limit of one run.
const LIMIT: Duration = Duration::from_secs(60);
/// Longest time in which a loss is noticed and reported, and nothing runs any more.
const NOTICED: Duration = Duration::from_secs(10);
const INTERRUPT: i32 = 2;
const KILL: i32 = 9;

/// Returns the program that carries the messages.
fn relay() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_fathom")).with_file_name("fathom-mpi")
}

/// Returns from the test unless MPI can be used.
macro_rules! skip_without_mpi {
    () => {
        skip_without!(Need::Root, Need::Program("mpirun"));
        if !relay().is_file() {
            return testbed::skip("fathom-mpi is not built (cargo build -p fathom-mpi)");
        }
    };
}

/// Hosts h1, h2, ... with sshd.
struct Hosts {
    server: Server,
    sandbox: Sandbox,
    count: usize,
}

impl Hosts {
    fn of(server: Server, count: usize) -> Hosts {
        let sandbox = Sandbox::new().unwrap();
        sandbox.file("data", 1 << 20).unwrap();
        Hosts { server, sandbox, count }
    }

    /// Returns the command that runs a job that reads the file of the test on these hosts.
    fn command(&self, hosts: &str, args: &str) -> Command {
        let mut command = Command::new("ip");
        // mpirun's daemons connect to it, so it has to be in their network.
        command.args(["netns", "exec", self.server.value("SWITCH"), env!("CARGO_BIN_EXE_fathom"), "run"]);
        command.env("LC_ALL", "C").args(["--transport", "mpi", "--hosts", hosts, "--json"]);
        command.args(["--agent", env!("CARGO_BIN_EXE_fathom"), "--rsh", self.server.value("RSH")]);
        let file = self.sandbox.join("data");
        let job = "--name=j --rw=randread --size=1m --ioengine=psync";
        command.args(words(&format!("{args} {job} --filename={}", file.display())));
        command
    }

    fn run(&self, hosts: &str, args: &str) -> Ran {
        child::run(&mut self.command(hosts, args), LIMIT).unwrap()
    }

    /// Starts a run that would take long on all hosts, and returns it once they do I/O.
    fn start(&self) -> Running {
        let names: Vec<String> = (1..=self.count).map(|host| format!("h{host}")).collect();
        // The hosts have fewer processors than jobs here: those that sleep let others begin.
        let job = "--rate_iops=1000 --runtime=40 --time_based";
        let running = Running::start(&mut self.command(&names.join(","), job)).unwrap();
        let deadline = Instant::now() + LIMIT;
        while self.pids(self.count, "fathom\0agent").is_empty() {
            assert!(Instant::now() < deadline, "no agent was started");
            std::thread::sleep(Duration::from_millis(50));
        }
        std::thread::sleep(Duration::from_millis(3500));
        running
    }

    /// Returns the processes whose command line has `word`, in the network of a host; 0 is that of the coordinator.
    fn pids(&self, host: usize, word: &str) -> Vec<i32> {
        let space = format!("{}-{host}", self.server.dir().file_name().unwrap().to_str().unwrap());
        let pids = child::run(Command::new("ip").args(["netns", "pids", &space]), LIMIT).unwrap().stdout;
        let has = |pid: &&str| {
            std::fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.contains(word))
        };
        pids.lines().filter(has).map(|pid| pid.parse().unwrap()).collect()
    }

    /// Asserts that soon none of the processes of a run is left in the networks of all hosts and of the coordinator.
    fn assert_nothing_is_left(&self) {
        let left = || {
            let of = |host: usize| {
                ["fathom\0agent", "fathom-mpi\0", "orted", "mpirun\0"].map(move |word| (host, word))
            };
            let found =
                (0..=self.count).flat_map(of).filter(|(host, word)| !self.pids(*host, word).is_empty());
            found.collect::<Vec<_>>()
        };
        let deadline = Instant::now() + NOTICED;
        while !left().is_empty() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(left(), [], "after {NOTICED:?}");
    }
}

fn signal(pid: i32, signal: i32) {
    let mut kill = Command::new("kill");
    assert!(child::run(kill.arg(format!("-{signal}")).arg(pid.to_string()), LIMIT).unwrap().code == Some(0));
}

fn reads(result: &Value) -> &Value {
    &result["jobs"][0]["directions"][0]
}

/// Asserts that the report has figures of each host, of more than the first half second.
fn assert_figures_of_all(document: &Value) {
    for host in array(&document["hosts"]) {
        let runtime_ms = reads(&host["result"])["runtime_ms"].as_u64();
        assert!(runtime_ms.is_some_and(|ms| ms > 500), "{}: {runtime_ms:?}", host["name"]);
    }
}

/// Asserts that the sum is exactly that of the hosts together, and has this number of reads.
fn assert_sum_is_exact(document: &Value, ios: u64) {
    assert_eq!(host_sums::assert_merged_is_the_sum(document, 0, "mpi"), ios);
}

/// The hosts are in the order of the command line, and nothing is left of MPI.
#[test]
fn two_hosts_over_mpi_have_one_result() {
    skip_without_mpi!();
    let hosts = Hosts::of(testbed::server!("hosts", &[]), 2);
    let ran = hosts.run("h2,h1", "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = document(&ran);
    let machines: Vec<&str> =
        array(&document["hosts"]).iter().map(|host| host["machine"].as_str().unwrap()).collect();
    assert_eq!(machines, ["h2", "h1"]);
    assert_sum_is_exact(&document, 512);
    hosts.assert_nothing_is_left();
    // A host that ssh does not know.
    let ran = hosts.run("h1,h9", "");
    assert!(ran.code == Some(1) && ran.stderr.contains("Could not resolve hostname h9"), "{ran:#?}");
    assert!(ran.stderr.contains("nothing was run on any host") && ran.stdout.is_empty(), "{ran:#?}");
    hosts.assert_nothing_is_left();
}

/// A killed agent, rank, daemon or mpirun is named, the figures of all are kept, and nothing is left.
#[test]
fn process_that_is_killed_over_mpi_is_named_and_leaves_nothing() {
    skip_without_mpi!();
    let hosts = Hosts::of(testbed::server!("hosts", &[("HOSTS", "3")]), 3);
    for (host, process, named) in [
        (2, "fathom\0agent", "fathom: h2: "),
        (2, "fathom-mpi\0relay", "on node h2 exited on signal 9"),
        (2, "orted", "on node h2"),
        (0, "mpirun\0", "a signal ended the connection"),
    ] {
        let running = hosts.start();
        let pid = *hosts.pids(host, process).first().unwrap_or_else(|| panic!("no {process}"));
        let began = Instant::now();
        signal(pid, KILL);
        let ran = running.finish(LIMIT).unwrap();
        assert!(began.elapsed() < NOTICED, "{process}: {:?}", began.elapsed());
        assert!(ran.code == Some(1) && ran.stderr.contains(named), "{process}: {}", ran.stderr);
        let document = document(&ran);
        assert_figures_of_all(&document);
        for host in array(&document["hosts"]) {
            // The others report their end if only an agent is gone, and are lost with MPI otherwise.
            let lost = process != "fathom\0agent" || host["name"] == "h2";
            assert_eq!(!host["lost"].is_null(), lost, "{process}: {}", host["lost"]);
        }
        hosts.assert_nothing_is_left();
    }
}

/// A host that vanishes is named within ten seconds, and nothing is left on it either.
#[test]
fn host_that_vanishes_over_mpi_is_named() {
    skip_without_mpi!();
    let hosts = Hosts::of(testbed::server!("hosts", &[("HOSTS", "3")]), 3);
    let running = hosts.start();
    let began = Instant::now();
    let mut down = Command::new("ip");
    down.args(["-n", hosts.server.value("SWITCH"), "link", "set", "v2", "down"]);
    assert!(child::run(&mut down, LIMIT).unwrap().code == Some(0));
    let ran = running.finish(LIMIT).unwrap();
    println!("noticed and reported after {:?}", began.elapsed());
    assert!(began.elapsed() < NOTICED + Duration::from_secs(2), "{:?}", began.elapsed());
    // mpirun's daemons or the coordinator notice it first.
    let named = ran.stderr.contains("on node h2") || ran.stderr.contains("h2: no message for");
    assert!(ran.code == Some(1) && named, "{}", ran.stderr);
    assert_figures_of_all(&document(&ran));
    hosts.assert_nothing_is_left();
}

/// Each of these losses ten times.
#[test]
#[ignore = "50 losses over MPI take seven minutes"]
fn losses_over_mpi_ten_times_each() {
    for _ in 0..10 {
        process_that_is_killed_over_mpi_is_named_and_leaves_nothing();
        host_that_vanishes_over_mpi_is_named();
    }
}

/// Ctrl-C ends all hosts with a report; without a coordinator, all processes end by themselves.
#[test]
fn end_of_the_coordinator_over_mpi_leaves_nothing() {
    skip_without_mpi!();
    let hosts = Hosts::of(testbed::server!("hosts", &[]), 2);
    for (number, code) in [(INTERRUPT, Some(128)), (KILL, None)] {
        let running = hosts.start();
        running.signal(number);
        let ran = running.finish(LIMIT).unwrap();
        assert_eq!(ran.code, code, "{}", ran.stderr);
        if number == INTERRUPT {
            let document = document(&ran);
            assert!(array(&document["hosts"]).iter().all(|host| host["lost"].is_null()), "{}", ran.stderr);
        }
        hosts.assert_nothing_is_left();
    }
}

/// In an allocation the ranks are the hosts, and rank 0 starts the coordinator; its status is that of the run.
#[test]
fn ranks_that_were_started_by_hand_are_the_hosts() {
    skip_without_mpi!();
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 1 << 20).unwrap();
    let run = |args: &str| {
        let mut command = Command::new("mpirun");
        command.env("LC_ALL", "C").args(words("--allow-run-as-root --oversubscribe --bind-to none -np 3"));
        command.arg(relay()).args(words(args));
        child::run(&mut command, LIMIT).unwrap()
    };
    let job =
        format!("--json --name=j --rw=randread --size=1m --ioengine=psync --filename={}", file.display());
    let ran = run(&format!("run {job}"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let sum = document(&ran);
    assert_eq!(array(&sum["hosts"]).len(), 3);
    for host in array(&sum["hosts"]) {
        assert_eq!(host["name"], host["machine"]);
    }
    assert_sum_is_exact(&sum, 768);
    let ran = run("run --name=j --rw=nonsense");
    assert!(ran.code != Some(0) && ran.stdout.is_empty(), "{ran:#?}");
    assert!(ran.stderr.contains("rw=nonsense"), "{ran:#?}");
    // Every command that runs on hosts does so here, fio and the check too; another one is refused.
    let target = file.display();
    let fio = run(&format!("fio {job}").replace("--json", "--output-format=json"));
    let clients = document(&fio);
    assert_eq!(array(&clients["client_stats"]).len(), 4, "{clients}");
    for (words, rows) in [
        (format!("--json --no-store --seconds 2 {target}"), "rows"),
        (
            format!(
                "explore --json --no-store --questions depth --patterns 4k-randread --budget 13s {target}"
            ),
            "points",
        ),
    ] {
        let ran = run(&words);
        // 1: beside other tests, the question may have no answer within its time.
        assert!(matches!(ran.code, Some(0 | 1)), "{words}: {ran:#?}");
        assert!(!array(&document(&ran)[rows]).is_empty(), "{words}: {ran:#?}");
    }
    let ran = run("files --hosts a,b .");
    assert!(ran.code == Some(1) && ran.stderr.contains("the ranks are the hosts"), "{ran:#?}");
    let ran = run("list");
    assert!(ran.stderr.contains("has several ranks"), "{ran:#?}");
    assert!(ran.code == Some(2) && ran.stderr.contains("unexpected argument '--hosts'"), "{ran:#?}");
}

/// What is missing is one line each, with the package that has it; `--dry-run` needs nothing.
#[test]
fn missing_mpi_is_told_with_its_package() {
    let sandbox = Sandbox::new().unwrap();
    let run = |path: &str, switch: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.env("LC_ALL", "C").env("PATH", path).current_dir(sandbox.path()).arg("run");
        command.args(["--transport", "mpi", "--hosts", "b,a"]).args(words(switch));
        command.args(words("--name=j --filename=data --rw=read --size=4k --ioengine=psync"));
        child::run(&mut command, LIMIT).unwrap()
    };
    let dry = run("/nonexistent", "--dry-run");
    let parts = ["--bind-to none", "--map-by seq", "mpi_yield_when_idle 1", "oob_tcp_keepalive_time 3"];
    for part in parts.into_iter().chain(["-np 2 --host b,a fathom-mpi relay"]) {
        assert!(dry.code == Some(0) && dry.stdout.contains(part), "{part}: {dry:#?}");
    }
    let none = run("/nonexistent", "");
    assert!(none.code == Some(1) && none.stderr.lines().count() == 1, "{none:#?}");
    assert!(none.stderr.contains("install openmpi-bin"), "{none:#?}");
    sandbox.put("mpirun", "#!/bin/sh\necho HYDRA build details:\n").unwrap();
    let mut executable = Command::new("chmod");
    assert!(child::run(executable.arg("+x").arg(sandbox.join("mpirun")), LIMIT).unwrap().code == Some(0));
    let other = run(&format!("{}:/usr/bin:/bin", sandbox.path().display()), "");
    assert!(other.code == Some(1) && other.stderr.contains("(HYDRA build details:)"), "{other:#?}");
    assert!(!sandbox.join("data").exists());
    skip_without_mpi!();
    // The library is hidden from this process.
    let list = "ldconfig -p | sed -n 's/.*libmpi\\.so\\.40 .*=> //p'";
    let hide = format!("for l in $({list}); do mount --bind /dev/null $(readlink -f $l); done");
    let mut command = Command::new("unshare");
    let script = format!("PATH=$PATH:/sbin; {hide}; exec {} relay", relay().display());
    let ran = child::run(command.args(["--mount", "sh", "-c", &script]), LIMIT).unwrap();
    let wanted = "fathom-mpi: libmpi.so.40 (Open MPI) is missing: install libopenmpi3\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), wanted), "{ran:#?}");
}

/// Returns the median and the maximum.
fn median_and_most(mut values: Vec<u64>) -> (u64, u64) {
    values.sort_unstable();
    (values[values.len() / 2], values[values.len() - 1])
}

/// The start is common to 200 us, by the median of twenty runs. The hosts have one clock here, so the errors of the offsets are
/// known: those of four hosts differ by less, and so do the moments in which the workers of two hosts begin. The workers of
/// four need as many processors for that: with fewer, one begins when another one sleeps for the first time.
#[test]
fn measures_hosts_over_mpi_begin_within_200_us() {
    skip_without_mpi!();
    let hosts = Hosts::of(testbed::server!("hosts", &[("HOSTS", "4")]), 4);
    for names in ["h1,h2,h3,h4", "h1,h2"] {
        let run = || {
            let ran = hosts.run(names, "--rate_iops=100 --number_ios=20");
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            let document = document(&ran);
            let hosts = array(&document["hosts"]);
            let offset = |host: &Value| host["clock"]["offset_ns"].as_i64().unwrap();
            let began = |host: &Value| host["began_ns"][0][0].as_i64().unwrap() + offset(host);
            let spread = |of: &dyn Fn(&Value) -> i64| {
                hosts.iter().map(of).max().unwrap().abs_diff(hosts.iter().map(of).min().unwrap())
            };
            (spread(&offset), spread(&began))
        };
        let (offsets, began): (Vec<u64>, Vec<u64>) = (0..20).map(|_| run()).unzip();
        let (offsets, began) = (median_and_most(offsets), median_and_most(began));
        println!(
            "{names}: (median, maximum) ns: offsets differ by {offsets:?}, workers begin within {began:?}"
        );
        assert!(offsets.0 < 200_000, "{offsets:?}");
        assert!(names != "h1,h2" || began.0 < 200_000, "{began:?}");
    }
}

/// 64 ranks of this machine, with I/Os that no device does: states time and memory.
#[test]
#[ignore = "long tier: 64 ranks on one machine"]
fn sixty_four_ranks_have_one_result() {
    skip_without_mpi!();
    let mut command = Command::new("mpirun");
    command.env("LC_ALL", "C").args(words("--allow-run-as-root --oversubscribe --bind-to none -np 64"));
    command.arg(relay()).arg("run").args(words("--json --name=j --rw=randread --size=1m --ioengine=null"));
    command.args(words("--rate_iops=100 --runtime=5 --time_based"));
    let began = Instant::now();
    let running = Running::start(&mut command).unwrap();
    let mut most = [0; 3];
    let ran = std::thread::scope(|threads| {
        let waiting = threads.spawn(|| running.finish(Duration::from_secs(300)).unwrap());
        while !waiting.is_finished() {
            for (most, word) in most.iter_mut().zip(["fathom\0agent", "fathom-mpi\0run", "fathom\0run"]) {
                *most = (*most).max(proportional_kib(word));
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        waiting.join().unwrap()
    });
    let took = began.elapsed();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let document = document(&ran);
    let ios = reads(&document["merged"])["ios"].as_u64().unwrap();
    let skew_us = skew_ns(&document) / 1000;
    let [agents, ranks, coordinator] = most.map(|kib| kib >> 10);
    println!("64 ranks: {took:.1?}, {ios} I/Os, start within {skew_us} us by the offsets");
    println!("memory: agents {agents} MiB, ranks {ranks} MiB, coordinator {coordinator} MiB");
    assert_eq!(array(&document["hosts"]).len(), 64);
    assert_sum_is_exact(&document, ios);
}

/// Returns the memory of all processes whose command line has `word`, pages that they share counted once, KiB.
fn proportional_kib(word: &str) -> u64 {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let kib = |dir: PathBuf| {
        let line = std::fs::read_to_string(dir.join("cmdline")).ok()?;
        let rollup =
            std::fs::read_to_string(dir.join("smaps_rollup")).ok().filter(|_| line.contains(word))?;
        let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        pss.split_whitespace().next()?.parse::<u64>().ok()
    };
    entries.filter_map(|entry| kib(entry.path())).sum()
}
