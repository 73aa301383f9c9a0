//! `fathom run --hosts`: one result of several hosts, which are directories of this machine here; the shell of the tests
//! enters the directory with the host's name.

use crate::common::words;
use crate::host_sums::assert_merged_is_the_sum;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::{Cap, Cgroup, Draw, LoopDevice, Need, Sandbox, skip_without};

/// Time limit of one run.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);
pub(crate) const KILL: i32 = 9;
pub(crate) const STOP: i32 = 19;

/// Hosts that are directories: the shell notes the process of the agent, and runs it there.
pub(crate) struct Hosts {
    pub(crate) sandbox: Sandbox,
    names: Vec<String>,
}

impl Hosts {
    pub(crate) fn new(names: &[&str]) -> Hosts {
        let sandbox = Sandbox::new().unwrap();
        let shell = "#!/bin/sh\nhost=$1\nshift\ncd \"$(dirname \"$0\")/$host\" || exit 255\necho $$ >pid\n\
                     [ ! -f group ] || echo $$ >\"$(cat group)\"\nexec \"$@\"\n";
        sandbox.put("rsh", shell).unwrap();
        let mut executable = Command::new("chmod");
        assert!(child::run(executable.arg("+x").arg(sandbox.join("rsh")), LIMIT).unwrap().code == Some(0));
        for name in names {
            std::fs::create_dir(sandbox.join(name)).unwrap();
        }
        Hosts { sandbox, names: names.iter().map(|name| (*name).to_owned()).collect() }
    }

    pub(crate) fn dir(&self, host: &str) -> PathBuf {
        self.sandbox.join(host)
    }

    /// Returns the command that runs `args` on all hosts.
    pub(crate) fn command(&self, args: &str) -> Command {
        self.study(&["run"], args)
    }

    /// Returns a command of fathom, the words `name`, with `args` on all hosts.
    pub(crate) fn study(&self, name: &[&str], args: &str) -> Command {
        self.command_of(name, Path::new(env!("CARGO_BIN_EXE_fathom")), args)
    }

    /// Returns a command of fathom, the words `name`, with `args` on all hosts, on which `agent` is the program.
    pub(crate) fn command_of(&self, name: &[&str], agent: &Path, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.env("LC_ALL", "C").env("XDG_DATA_HOME", self.sandbox.path());
        command
            .current_dir(self.sandbox.path())
            .args(name)
            .arg("--hosts")
            .arg(self.names.join(","))
            .arg("--agent")
            .arg(agent);
        command.arg("--rsh").arg(self.sandbox.join("rsh")).args(words(args));
        command
    }

    pub(crate) fn run(&self, args: &str) -> Ran {
        child::run(&mut self.command(args), LIMIT).unwrap()
    }

    /// Returns the process of a host's agent, once it runs.
    pub(crate) fn agent(&self, host: &str) -> i32 {
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

pub(crate) fn ends(pid: i32) -> bool {
    let deadline = Instant::now() + Duration::from_secs(10);
    while is_there(pid) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    !is_there(pid)
}

pub(crate) fn signal(pid: i32, signal: i32) {
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

/// Two hosts that would write to the same device or file, whatever its name, are refused, unless they share it on purpose.
#[test]
fn hosts_that_would_write_to_the_same_target_are_refused() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let device = LoopDevice::in_memory(1 << 20, true, None).unwrap();
    let file = hosts.sandbox.join("common");
    for host in ["a", "b"] {
        std::os::unix::fs::symlink(device.path(), hosts.dir(host).join(format!("disk-{host}"))).unwrap();
        std::os::unix::fs::symlink(&file, hosts.dir(host).join(format!("link-{host}"))).unwrap();
    }
    let before = device.stats().unwrap();
    let consent = device.path().display();
    let job = "--name=j --size=64k --bs=4k --ioengine=psync";
    let refused = |targets: &str| {
        let ran = hosts.run(&format!("{job} {targets}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
        assert!(ran.stderr.contains("a and b would both write to "), "{ran:#?}");
        assert!(ran.stderr.contains("--share=split"), "{ran:#?}");
    };
    refused(&format!("--filename=disk-$host --rw=randwrite --allow-destroy={consent}"));
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);
    // A file that is not there yet, also one that is made to be read.
    refused("--filename=link-$host --rw=write");
    refused(&format!("--filename={} --rw=read", file.display()));
    assert!(!file.exists());
    std::fs::write(&file, vec![0; 64 << 10]).unwrap();
    refused("--filename=link-$host --rw=randrw --allow-destroy=link-a --allow-destroy=link-b");
    let allowed =
        |targets: &str| assert_eq!(hosts.run(&format!("{job} {targets}")).code, Some(0), "{targets}");
    allowed("--filename=link-$host --rw=read");
    allowed(&format!("--filename=disk-$host --rw=randwrite --share=whole --allow-destroy={consent}"));
    allowed("--filename=own-$host --rw=write");
}

/// What one host writes, another reads and verifies, in every pair; one changed bit on the disk is found by the other host.
#[test]
fn what_one_host_writes_another_verifies() {
    skip_without!(Need::Loop);
    verify_across_hosts(6);
}

#[test]
#[ignore = "100 drawn plans take minutes"]
fn what_one_host_writes_another_verifies_in_100_drawn_plans() {
    skip_without!(Need::Loop);
    verify_across_hosts(100);
}

/// Draws plans in which one of three hosts writes and another one verifies.
fn verify_across_hosts(plans: usize) {
    const SIZE: usize = 4 << 20;
    let names = ["a", "b", "c"];
    let hosts = Hosts::new(&names);
    let device = LoopDevice::in_memory(2 * SIZE as u64, true, None).unwrap();
    let target = device.path().display();
    let mut draw = Draw::fresh();
    for plan in 0..plans {
        let writer = names[plan % 3];
        let reader = names[(plan + 1 + plan / 3 % 2) % 3];
        let checksum = draw.pick(&["crc32c", "md5", "xxhash", "sha256", "crc64", "sha1", "crc16"]);
        let bs = draw.pick(&["4k", "8k", "16k", "64k"]);
        let order = draw.pick(&["", "rand"]);
        let offset = draw.pick(&["0", "1m", "4m"]);
        let (start, end) = (offset[..1].parse::<usize>().unwrap() << 20, draw.pick(&["64k", "4m"]));
        let part = if end == "4m" { SIZE } else { 64 << 10 };
        let same = format!(
            "--filename={target} --bs={bs} --offset={offset} --size={end} --verify={checksum} --direct=1 --ioengine=psync"
        );
        let write = format!("--name=w {same} --rw={order}write --do_verify=0 --hosts={writer}");
        let read = format!("--name=r {same} --rw={order}read --hosts={reader}");
        let all = format!("--json --share=whole --allow-destroy={target}");
        let ran = hosts.run(&format!("{all} {write} {read} --stonewall=1"));
        let told = format!("{writer} to {reader}: {write} {read}");
        assert_eq!(ran.code, Some(0), "{told}: {ran:#?}");
        let document = document(&ran);
        let jobs = array(&document["merged"]["jobs"]);
        let bytes = |name: &str, direction: usize| {
            let mut of_name = jobs.iter().filter(|job| job["name"] == name);
            let job = of_name.next().filter(|_| of_name.next().is_none());
            job.and_then(|job| job["directions"][direction]["bytes"].as_u64())
        };
        let whole = Some(part as u64);
        assert_eq!((jobs.len(), bytes("w", 1), bytes("r", 0)), (2, whole, whole), "{told}: {ran:#?}");
        let ran_jobs = |host: &Value| array(&host["result"]["jobs"]).len();
        let each: Vec<usize> = array(&document["hosts"]).iter().map(ran_jobs).collect();
        assert_eq!(each, names.map(|name| usize::from(name == writer || name == reader)), "{told}");
        // Reading alone finds a byte that changed since.
        let (byte, bit) = (start + draw.below(part), draw.below(8) as u8);
        flip(device.path(), byte as u64, bit);
        let ran = hosts.run(&format!("{all} {read}"));
        assert!(
            ran.code != Some(0) && ran.stderr.contains(&format!("{reader}: ")),
            "byte {byte}, {told}: {ran:#?}"
        );
    }
}

/// What a job does before its start, it does when the phases before have ended on all hosts.
#[test]
fn a_phase_is_prepared_when_the_one_before_has_ended_everywhere() {
    let hosts = Hosts::new(&["a", "b"]);
    let text = "[global]\nfilename=data\nsize=64k\nioengine=psync\n\
        [first]\nhosts=a\nrw=read\ntime_based\nruntime=1\nexec_postrun=date +%s%N\n\
        [second]\nstonewall\nhosts=b\nrw=read\nexec_prerun=date +%s%N\n";
    hosts.sandbox.put("j.fio", text).unwrap();
    let ran = hosts.run("j.fio");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let at = |host: &str, file: &str| -> u64 {
        std::fs::read_to_string(hosts.dir(host).join(file)).unwrap().trim().parse().unwrap()
    };
    assert!(at("a", "first.postrun.txt") < at("b", "second.prerun.txt"), "{ran:#?}");
}

/// However a run ends, a phase that has not begun writes nothing.
#[test]
fn phase_that_has_not_begun_writes_nothing_when_the_run_ends() {
    skip_without!(Need::Loop);
    for (number, of_agent) in [(2, false), (15, false), (KILL, false), (KILL, true)] {
        let hosts = Hosts::new(&["a", "b"]);
        let device = LoopDevice::in_memory(8 << 20, true, None).unwrap();
        let target = device.path().display();
        let text = format!(
            "[global]\nioengine=psync\n[r]\nhosts=a\nfilename=data\nsize=1m\nrw=randread\ntime_based\nruntime=30\n\
             rate_iops=100\n[w]\nstonewall\nhosts=b\nfilename={target}\nsize=8m\nrw=write\nbs=64k\n"
        );
        hosts.sandbox.put("j.fio", &text).unwrap();
        let before = device.stats().unwrap();
        let running = Running::start(&mut hosts.command(&format!("--allow-destroy={target} j.fio"))).unwrap();
        let agents = [hosts.agent("a"), hosts.agent("b")];
        std::thread::sleep(Duration::from_millis(1500));
        if of_agent {
            signal(agents[0], number)
        } else {
            running.signal(number)
        }
        let ran = running.finish(LIMIT).unwrap();
        assert_ne!(ran.code, Some(0), "{ran:#?}");
        assert!(agents.into_iter().all(ends));
        assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0, "{number} {of_agent}: {ran:#?}");
    }
}

/// Several hosts cannot make one file at once, and what each verifies must not be overwritten by another.
#[test]
fn shared_targets_that_hosts_would_spoil_for_each_other_are_refused() {
    skip_without!(Need::Loop);
    let hosts = Hosts::new(&["a", "b"]);
    let device = LoopDevice::in_memory(1 << 20, true, None).unwrap();
    let file = hosts.sandbox.join("common");
    let refused = |args: &str, text: &str| {
        let ran = hosts.run(&format!("--name=j --bs=4k --ioengine=psync {args}"));
        assert!(
            ran.code == Some(1) && ran.stdout.is_empty() && ran.stderr.contains(text),
            "{args}: {ran:#?}"
        );
    };
    for share in ["whole", "split"] {
        for rw in ["read", "write"] {
            let job = format!("--share={share} --filename={} --size=64k --rw={rw}", file.display());
            refused(&job, "does not have its full size yet");
        }
    }
    assert!(!file.exists());
    let target = device.path().display();
    let verify =
        format!("--filename={target} --allow-destroy={target} --rw=randwrite --verify=crc32c --size=256k");
    refused(&format!("--share=whole {verify}"), "each host would overwrite what the others verify");
    for apart in ["--share=whole --offset_increment=256k", "--share=split"] {
        let ran = hosts.run(&format!("--name=j --bs=4k --ioengine=psync {apart} {verify}"));
        assert_eq!(ran.code, Some(0), "{apart}: {ran:#?}");
    }
    let mut alone = Command::new(env!("CARGO_BIN_EXE_fathom"));
    alone
        .current_dir(hosts.sandbox.path())
        .args(words("run --share=split --name=j --filename=x.$host --size=4k --rw=write"));
    let ran = child::run(&mut alone, LIMIT).unwrap();
    assert!(ran.code == Some(2) && ran.stderr.contains("--share needs --hosts"), "{ran:#?}");
}

/// Changes one bit of a device, past its page cache.
fn flip(device: &std::path::Path, byte: u64, bit: u8) {
    use std::os::unix::fs::FileExt;
    let file = std::fs::File::options().read(true).write(true).open(device).unwrap();
    let mut one = [0];
    file.read_exact_at(&mut one, byte).unwrap();
    file.write_all_at(&[one[0] ^ (1 << bit)], byte).unwrap();
    file.sync_all().unwrap();
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

/// A host whose agent gets SIGTERM is named with the signal; its figures until then count, and the others stop or go on, as asked.
#[test]
fn host_whose_agent_gets_sigterm_is_lost_by_this_signal() {
    const TERM: i32 = 15;
    for (rule, seconds) in [("stop", 30), ("continue", 4)] {
        let hosts = Hosts::new(&["a", "b", "c"]);
        let job = format!(
            "--name=j --filename=data --rw=randread --size=1m --ioengine=psync --runtime={seconds} --time_based"
        );
        let running = Running::start(&mut hosts.command(&format!("--json --on-loss={rule} {job}"))).unwrap();
        let agent = hosts.agent("b");
        std::thread::sleep(Duration::from_millis(2500));
        signal(agent, TERM);
        let ran = running.finish(Duration::from_secs(20)).unwrap();
        assert_eq!(ran.code, Some(1), "{ran:#?}");
        assert!(ran.stderr.contains("fathom: b: SIGTERM ended its jobs early"), "{ran:#?}");
        let document = document(&ran);
        for host in array(&document["hosts"]) {
            let lost = host["name"] == "b";
            assert_eq!(host["lost"]["kind"] == "ended_by_signal", lost, "{host}");
            assert_eq!(host["lost"]["signal"] == TERM, lost, "{host}");
            let ran_ms = array(&host["result"]["jobs"])[0]["directions"][0]["runtime_ms"].as_u64().unwrap();
            assert!(ran_ms > 500, "{host}");
            assert_eq!(!lost && rule == "continue", ran_ms >= 3900, "{rule}: {ran_ms} ms");
        }
        assert_merged_is_the_sum(&document, 0, rule);
        assert!(["a", "b", "c"].into_iter().all(|host| ends(hosts.agent(host))));
    }
}

/// The sum has no figures that no host has: no latency where no I/O was done, no rate without what it is divided by, no depth of
/// jobs that ran one after the other.
#[test]
fn sum_states_hosts_and_divisor_of_its_figures() {
    let hosts = Hosts::new(&["a", "b"]);
    for (name, blocks) in [("a", 200), ("b", 500)] {
        std::fs::write(hosts.dir(name).join("data"), vec![1; 4096 * blocks]).unwrap();
    }
    let job = "--name=j --filename=data --rw=randread --bs=4k --ioengine=psync --rate_iops=1000";
    let card = hosts.run(job);
    let text = card.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("the I/Os of all hosts divided by the longest runtime of a job on a host"),
        "{text}"
    );
    let ran = hosts.run(&format!("--json {job}"));
    assert!(!ran.stdout.contains(&u64::MAX.to_string()), "{ran:#?}");
    let document = self::document(&ran);
    assert!(document["merged"]["jobs"][0]["directions"][1]["lat"]["moments"]["least"].is_null(), "{ran:#?}");
    for finding in array(&document["merged"]["findings"]) {
        let on = &finding["found_on"];
        let has = |name: &Value| {
            let host = array(&document["hosts"]).iter().find(|host| host["name"] == *name).unwrap();
            let figures = |own: &&Value| own["claim"]["name"] == finding["claim"]["name"];
            array(&host["result"]["findings"]).iter().find(figures).map(|own| own["claim"].clone())
        };
        assert!(array(&on["hosts"]).iter().all(|name| has(name).is_some()), "{finding}");
        let first = if on["figures_of"].is_null() { &on["hosts"][0] } else { &on["figures_of"] };
        assert_eq!(has(first).as_ref(), Some(&finding["claim"]), "{finding}");
    }
    let text = "[global]\nfilename=data\nioengine=libaio\nrw=randread\ntime_based\nruntime=1\n\
        [one]\nhosts=a\niodepth=8\n[two]\nstonewall\nhosts=b\niodepth=2\n";
    hosts.sandbox.put("j.fio", text).unwrap();
    let layers = &self::document(&hosts.run("--json j.fio"))["merged"]["layers"];
    let asked = layers["depth_asked"].as_f64().unwrap();
    assert!((2.5..7.5).contains(&asked) && layers["wall_ms"].as_u64().unwrap() >= 1900, "{layers}");
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
    std::fs::create_dir(hosts.dir("b")).unwrap();
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
    told(&format!("--agent=/bin/echo {job}"), 1, "a: what the command printed is no message of fathom agent");
    told(&format!("--hosts=zz {job}"), 1, "zz");
    told(&format!("--hosts=a {job}"), 2, "--hosts: a is named twice");
    told(&format!("--hosts=-oProxyCommand=x {job}"), 2, "is not a valid host name");
    told(&format!("--stop-on-drop {job}"), 2, "--stop-on-drop cannot be given with --hosts");
    told(&format!("--hosts=a/b {job}"), 2, "is not a valid host name");
    told(&format!("--rsh= {job}"), 2, "--rsh is empty");
    let waits = "--name=x --hosts=a --filename=data --rw=read --size=4k --name=y --wait_for=x --hosts=b";
    told(&format!("--hosts=b {waits} --filename=data --rw=read --size=4k"), 1, "wait_for names x");
    told(&format!("{job} --hosts=zz"), 1, "job j: hosts= names zz");
    told(&format!("--output-format=terse {job}"), 2, "--output-format=terse cannot be given with --hosts");
    told("--name=j --rw=nonsense", 1, "");
    let dry = hosts.run(&format!("--dry-run {job}"));
    assert!(dry.code == Some(0) && dry.stdout.trim_end().ends_with(" agent"), "{dry:#?}");
    assert!(!hosts.dir("a").join("pid").exists() || !hosts.dir("a").join("data").exists());
}

/// The hosts end at different times: the common window is the shortest of them, and its rate is the sum of their limits. The
/// joined series has the I/Os of all.
#[test]
fn measures_rate_in_the_time_in_which_all_hosts_ran() {
    let hosts = Hosts::new(&["a", "b", "c"]);
    for (at, name) in hosts.names.iter().enumerate() {
        // 2000, 2200 and 2400 blocks: 2.0, 2.2 and 2.4 s.
        std::fs::write(hosts.dir(name).join("data"), vec![1; 4096 * (2000 + 200 * at)]).unwrap();
    }
    let ran =
        hosts.run("--json --name=j --filename=data --rw=randread --bs=4k --ioengine=psync --rate_iops=1000");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let document = document(&ran);
    let common = &array(&document["common"])[0];
    let length_ns = common["to_ns"].as_i64().unwrap() - common["from_ns"].as_i64().unwrap();
    assert!((1_700_000_000..2_060_000_000).contains(&length_ns), "{common}");
    let iops = common["rates"][0]["iops"].as_f64().unwrap();
    assert!(common["hosts"] == 3 && (2850.0..3150.0).contains(&iops), "{common}");
    let joined = &array(&document["joined"])[0];
    let windows = array(&joined["series"]["windows"]);
    let all: u64 = windows.iter().map(|window| window["ios"][0].as_u64().unwrap()).sum();
    let done: u64 = array(&document["hosts"])
        .iter()
        .map(|host| host["result"]["jobs"][0]["directions"][0]["ios"].as_u64().unwrap())
        .sum();
    assert!(all <= done && all as f64 > 0.9 * done as f64, "{all} of {done}");
    assert!(joined["uncertainty_ns"].as_u64().unwrap() < 1_000_000_000);
    assert_eq!(array(&joined["hosts"]).len(), windows.len());
}

/// Four hosts do what their rate limit permits; the fifth has a fiftieth of a CPU. It is named, with this as the reason.
#[test]
fn measures_host_that_a_quota_slows_is_named_with_the_reason() {
    skip_without!(Need::CpuCgroup);
    let hosts = Hosts::new(&["a", "b", "c", "d", "slow"]);
    let group = Cgroup::with_cpu_quota(2).unwrap();
    std::fs::write(hosts.dir("slow").join("group"), group.procs().display().to_string()).unwrap();
    let job = "--name=j --filename=data --rw=randread --size=4m --bs=4k --ioengine=psync --rate_iops=4000";
    let ran = hosts.run(&format!("--json {job} --runtime=4 --time_based"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(group.throttled().unwrap() > 10);
    let document = document(&ran);
    let named = array(&document["stragglers"]);
    assert!(named.iter().all(|straggler| straggler["host"] == "slow"), "{named:?}");
    let slower = named.iter().find(|straggler| straggler["lag"]["kind"] == "slower");
    let slower = slower.unwrap_or_else(|| panic!("{}", document["common"]));
    assert!((3_500.0..4_100.0).contains(&slower["lag"]["others_iops"].as_f64().unwrap()), "{slower}");
    assert!(slower["lag"]["iops"].as_f64().unwrap() < 3_500.0, "{slower}");
    assert_eq!(slower["finding"]["claim"]["name"], "cpu_taken_away", "{slower}");
}

/// Hosts have the rates that their names say: the slow one is named, with by how much.
#[test]
fn measures_slow_host_is_named_with_by_how_much() {
    let hosts = Hosts::new(&["1000", "1010", "990", "1005", "500"]);
    let job = "--name=j --filename=data --rw=randread --size=1m --bs=4k --ioengine=psync --rate_iops=$host";
    let ran = hosts.run(&format!("{job} --runtime=3 --time_based"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("500 is 50 % slower than the median of the other hosts"), "{text}");
    assert_eq!(text.matches("slower than the median").count(), 1, "{text}");
}

/// A run on several hosts is stored, listed, shown, and drawn as a page that has the hosts' figures.
#[test]
fn run_is_stored_and_its_page_has_the_hosts() {
    let hosts = Hosts::new(&["alpha", "beta"]);
    let store = hosts.sandbox.join("s.sqlite");
    let job = "--name=j --filename=data --rw=randread --size=1m --bs=4k --ioengine=psync";
    let ran = hosts.run(&format!("--store {} {job}", store.display()));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let fathom = |args: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.env("LC_ALL", "C").current_dir(hosts.sandbox.path()).args(words(args));
        let ran = child::run(command.arg("--store").arg(&store), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{args}: {ran:#?}");
        ran
    };
    let listed = fathom("list").stdout;
    assert!(listed.contains("R1") && listed.contains("hosts"), "{listed}");
    let shown = fathom("show R1").stdout;
    assert!(shown.contains("alpha") && shown.contains("all workers began within"), "{shown}");
    fathom("report R1 -o page.html");
    let page = std::fs::read_to_string(hosts.sandbox.join("page.html")).unwrap();
    for text in ["hosts-rate-iops", "hosts-latency-read", "hosts-rate-bandwidth", "alpha", "beta"] {
        assert!(page.contains(text), "{text}");
    }
}

/// Returns the keys of an object in their order.
fn keys(value: &Value) -> Vec<String> {
    value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys().cloned().collect()
}

/// Jobs for hosts and for fio's servers.
const JOBS_OF_CLIENTS: &str = "[global]\nioengine=psync\nsize=256k\nbs=4k\n[j]\nrw=randread\nfilename=data1\n[k]\nrw=randwrite\nfilename=data2\n";

/// Returns what fio prints about two servers that run `j.fio`, in this format.
fn fio_with_two_servers(hosts: &Hosts, format: &str) -> String {
    // Two ports of this process for each format.
    let first = 20_000 + (std::process::id() % 20_000) as u16 + if format == "json" { 0 } else { 5 };
    let servers = [first, first + 20_001].map(|port| {
        let mut command = Command::new("fio");
        command.current_dir(hosts.sandbox.path()).arg(format!("--server=127.0.0.1,{port}"));
        (port, Running::start(&mut command).unwrap())
    });
    for (port, _) in &servers {
        let deadline = Instant::now() + LIMIT;
        while std::net::TcpStream::connect(("127.0.0.1", *port)).is_err() {
            assert!(Instant::now() < deadline, "fio does not listen on {port}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let mut client = Command::new("fio");
    client.current_dir(hosts.sandbox.path()).arg(format!("--output-format={format}"));
    for (port, _) in &servers {
        client.arg(format!("--client=127.0.0.1,{port}")).arg("j.fio");
    }
    let ran = child::run(&mut client, LIMIT).unwrap();
    for (_, server) in servers {
        server.signal(KILL);
        let _ = server.finish(LIMIT);
    }
    ran.stdout
}

/// `fathom fio --hosts` prints the entries, sums and groups that `fio --client` prints about two servers, with the same numbers of I/Os;
/// its JSON is that of several clients; what fio's switches are without hosts, they remain.
#[test]
fn fio_on_several_hosts_prints_what_fio_prints_about_clients() {
    skip_without!(Need::Program("fio"));
    let hosts = Hosts::new(&["a", "b"]);
    hosts.sandbox.put("j.fio", JOBS_OF_CLIENTS).unwrap();
    let fathom = |args: &str| child::run(&mut hosts.study(&["fio"], args), LIMIT).unwrap();
    let ran = fathom("j.fio");
    assert!(ran.code == Some(0) && ran.stderr.is_empty(), "{ran:#?}");
    // Entries with their number of jobs, numbers of I/Os, groups: what does not depend on times.
    let skeleton = |text: &str| -> Vec<String> {
        let entry = |line: &str| line.split(" pid=").next().unwrap_or_default().to_owned();
        let kept = |line: &&str| {
            line.contains(": (groupid=")
                || line.contains("issued rwts:")
                || line.starts_with("Run status group")
        };
        text.lines().filter(kept).map(entry).collect()
    };
    let theirs = fio_with_two_servers(&hosts, "normal");
    assert_eq!(skeleton(&ran.stdout), skeleton(&theirs), "{}\n{theirs}", ran.stdout);
    assert_eq!(skeleton(&ran.stdout).iter().filter(|line| line.contains("All clients")).count(), 1);
    let banner =
        |host: &str| ran.stdout.contains(&format!("<{host}> j: (g=0): rw=randread, bs=(R) 4096B-4096B"));
    assert!(banner("a") && banner("b"), "{ran:#?}");
    let json = fathom("--output-format=json+ j.fio");
    let entries = document(&json)["client_stats"].clone();
    let names: Vec<&str> = array(&entries).iter().map(|entry| entry["jobname"].as_str().unwrap()).collect();
    assert_eq!(names, ["j", "k", "j", "k", "All clients"]);
    assert!(array(&entries).iter().all(|entry| entry["error"] == 0), "{entries}");
    assert!(!entries[0]["read"]["clat_ns"]["bins"].is_null(), "{entries}");
    let both = fathom("--output-format=normal,json j.fio");
    assert!(both.stdout.contains("\"client_stats\"") && both.stdout.contains("\nAll clients: "), "{both:#?}");
    let terse = fathom("--minimal j.fio");
    assert!(
        terse.code == Some(2) && terse.stderr.starts_with("fathom fio: --output-format=terse"),
        "{terse:#?}"
    );
    // fio overwrites files that it did not make, and so does this.
    std::fs::write(hosts.dir("a").join("other"), "text of the user").unwrap();
    let written = fathom("--name=w --filename=other --hosts=a --rw=write --size=4k --ioengine=psync");
    assert!(written.code == Some(0) && !hosts.dir("b").join("other").exists(), "{written:#?}");
    let mut alone = Command::new(env!("CARGO_BIN_EXE_fathom"));
    let ran = child::run(alone.args(words("fio --share=split --name=j --rw=read --size=4k")), LIMIT).unwrap();
    assert!(ran.code == Some(1) && ran.stderr.contains("unrecognized option '--share=split'"), "{ran:#?}");
}

/// `--output-format=json` has the layout of `fio --client`: the same keys in the same order, and in the sum of all hosts the
/// same numbers of I/Os as in the entries.
#[test]
fn client_stats_are_those_of_fio_with_two_servers() {
    skip_without!(Need::Program("fio"));
    let hosts = Hosts::new(&["a", "b"]);
    hosts.sandbox.put("j.fio", JOBS_OF_CLIENTS).unwrap();
    let theirs = fio_with_two_servers(&hosts, "json");
    // fio prints lines of text above its JSON.
    let begin = theirs.find("\n{").unwrap_or_else(|| panic!("{theirs}"));
    let theirs: Value = serde_json::from_str(&theirs[begin..]).unwrap();
    let ran = hosts.run("--output-format=json j.fio");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ours = document(&ran);
    let without_own = |value: &Value| {
        let mut all = keys(value);
        all.retain(|key| key != "fathom");
        all
    };
    assert_eq!(without_own(&ours), keys(&theirs));
    let (ours, theirs) = (array(&ours["client_stats"]), array(&theirs["client_stats"]));
    let names = |all: &[Value]| -> Vec<String> {
        all.iter().map(|entry| entry["jobname"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((names(ours), names(ours).len()), (names(theirs), 5));
    for (mine, fios) in ours.iter().zip(theirs) {
        assert_eq!(without_own(mine), keys(fios), "{}", mine["jobname"]);
        for direction in ["read", "write", "trim"] {
            assert_eq!(keys(&mine[direction]), keys(&fios[direction]), "{} {direction}", mine["jobname"]);
            assert_eq!(
                mine[direction]["total_ios"], fios[direction]["total_ios"],
                "{} {direction}",
                mine["jobname"]
            );
            assert_eq!(mine[direction]["io_bytes"], fios[direction]["io_bytes"]);
        }
    }
    let hosts_of: Vec<&str> = ours.iter().map(|entry| entry["hostname"].as_str().unwrap()).collect();
    assert_eq!(hosts_of, ["a", "a", "b", "b", "b"]);
}

/// Returns the command that runs `args` on hosts with sshd.
pub(crate) fn over_ssh(server: &testbed::Server, hosts: &str, args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").args([
        "run",
        "--no-store",
        "--hosts",
        hosts,
        "--agent",
        env!("CARGO_BIN_EXE_fathom"),
    ]);
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

/// A refused key and a link that is down, each ten times.
#[test]
#[ignore = "twenty losses over ssh take six minutes"]
fn losses_over_ssh_ten_times_each() {
    for _ in 0..10 {
        two_hosts_over_ssh_have_one_result();
        host_behind_a_link_that_is_down_is_lost_and_leaves_no_agent();
    }
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

/// Four hosts that share a device under one limit reach the limit together, each its part of it, and see it as one total.
#[test]
fn measures_four_hosts_reach_the_limit_of_a_shared_device() {
    skip_without!(Need::BlockCgroup);
    let server = testbed::server!("hosts", &[("HOSTS", "4")]);
    // In memory: the disk of the machine is slower than the limit at times.
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let limit = Cgroup::new().unwrap();
    limit.limit(&device.number().unwrap(), Cap::ReadIops(1000)).unwrap();
    // sshd starts the agents within the limit.
    for pid in server.pids() {
        std::fs::write(limit.procs(), pid.to_string()).unwrap();
    }
    let job = "--name=j --rw=randread --bs=4k --iodepth=4 --direct=1 --ioengine=io_uring --time_based --runtime=10 --ramp_time=2";
    let mut command = over_ssh(
        &server,
        "h1,h2,h3,h4",
        &format!("--json --share=split --filename={} {job}", device.path().display()),
    );
    let before = device.stats().unwrap();
    let ran = child::run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let counted = device.stats().unwrap().since(&before);
    let document = document(&ran);
    let iops = |result: &Value| {
        let read = &array(&result["jobs"])[0]["directions"][0];
        read["ios"].as_f64().unwrap() * 1e3 / read["runtime_ms"].as_f64().unwrap()
    };
    let each: Vec<f64> = array(&document["hosts"]).iter().map(|host| iops(&host["result"])).collect();
    let sum: f64 = each.iter().sum();
    let squares: f64 = each.iter().map(|rate| rate * rate).sum();
    println!(
        "{sum:.1} IOPS of hosts {each:.1?}, fairness {:.4}; the device had {counted:?}",
        sum * sum / 4.0 / squares
    );
    assert!((sum / 1000.0 - 1.0).abs() < 0.01, "{sum} {each:?}");
}
