//! `fathom explain` on real devices with planted limits.

use crate::common::{draws, fresh_seed, words};
use serde_json::Value;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::Running;
use testbed::fuse::{Faults, Law, Model, Nature, Rule};
use testbed::loopdev::Setup;
use testbed::{Cap, Cgroup, FileSystem, FuseDisk, LoopDevice, Mount, Need, Sandbox, child, skip_without};

/// Time limit of one explanation.
const LIMIT: Duration = Duration::from_secs(120);

/// Limit that a test plants, by its name in the JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planted {
    CapIops,
    CapBytes,
    HiddenCap,
    HiddenSlices,
    Depth,
    Medium,
    CpuQuota,
    Memory,
    BlockQueue,
    Neighbour,
    Scheduler,
    SchedulerDepth,
    Fragments,
    ServerRate,
}

impl Planted {
    const ALL: [Planted; 14] = [
        Planted::CapIops,
        Planted::CapBytes,
        Planted::HiddenCap,
        Planted::HiddenSlices,
        Planted::Depth,
        Planted::Medium,
        Planted::CpuQuota,
        Planted::Memory,
        Planted::BlockQueue,
        Planted::Neighbour,
        Planted::Scheduler,
        Planted::SchedulerDepth,
        Planted::Fragments,
        Planted::ServerRate,
    ];

    fn limit(self) -> &'static str {
        match self {
            Planted::CapIops | Planted::CapBytes => "visible_throttle",
            Planted::HiddenCap | Planted::HiddenSlices | Planted::ServerRate => "hidden_throttle",
            Planted::Depth => "queue_depth",
            Planted::Medium => "medium",
            Planted::CpuQuota => "cpu_quota",
            Planted::Memory => "memory",
            Planted::BlockQueue => "block_queue",
            Planted::Neighbour => "cpu_contention",
            Planted::Scheduler | Planted::SchedulerDepth => "scheduler",
            Planted::Fragments => "file_system",
        }
    }
}

/// Runs `fathom explain`; returns its document.
fn explained(command: Command, target: &Path, depth: usize) -> Value {
    explained_with(command, target, &format!("--iodepth={depth}"))
}

/// Runs `fathom explain` with further arguments; returns its document.
fn explained_with(mut command: Command, target: &Path, args: &str) -> Value {
    let sandbox = Sandbox::new().unwrap();
    command.arg("explain").arg(target).args(words(&format!("--json --seconds=60 {args}")));
    command.env("XDG_DATA_HOME", sandbox.path());
    let ran = child::run(&mut command, LIMIT).unwrap();
    assert!(matches!(ran.code, Some(0 | 6)), "{ran:#?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fathom"))
}

/// Writes a file of which neighbouring blocks of `chunk` bytes lie apart on a file system that never overwrites data:
/// every other block is written again.
fn write_fragmented(path: &Path, size_bytes: usize, chunk: usize) {
    let file = File::create(path).unwrap();
    // Data that no file system compresses or stores within its metadata.
    let mut draw = draws(1);
    let data: Vec<u8> = (0..size_bytes).map(|_| draw(256) as u8).collect();
    file.write_all_at(&data, 0).unwrap();
    file.sync_all().unwrap();
    for at in (0..size_bytes).step_by(2 * chunk) {
        file.write_all_at(&data[at..at + chunk], at as u64).unwrap();
    }
    file.sync_all().unwrap();
}

/// Plants a limit with numbers from `draw` and returns the document of the explanation.
fn explain(planted: Planted, draw: &mut impl FnMut(usize) -> usize) -> Value {
    let mut between = |low: f64, high: f64| low * (high / low).powf(draw(1_000_001) as f64 / 1e6);
    let memory = || LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let servers = |servers: usize, law: Law| {
        FuseDisk::new(Model { servers, law, filled: true, size_bytes: 64 << 20, ..Model::default() }).unwrap()
    };
    let over = |disk: &FuseDisk| {
        LoopDevice::from_file(disk.path(), Setup { direct_io: true, ..Setup::default() }).unwrap()
    };
    let time = |us: f64| Duration::from_nanos((us * 1e3) as u64);
    match planted {
        Planted::CapIops | Planted::CapBytes | Planted::HiddenCap => {
            let device = memory();
            let cgroup = Cgroup::new().unwrap();
            let iops = between(150.0, 5000.0) as u64;
            let cap = match planted {
                Planted::CapBytes => Cap::ReadBytes(iops * 4096),
                _ => Cap::ReadIops(iops),
            };
            cgroup.limit(&device.number().unwrap(), cap).unwrap();
            let depth = between(2.0, 64.0) as usize;
            let mut command = match planted {
                // Without its control groups in sight, the program cannot read the limit.
                Planted::HiddenCap => {
                    let mut command = Command::new("unshare");
                    command.args(["--mount", "sh", "-c", "umount -a -t cgroup,cgroup2; exec \"$0\" \"$@\""]);
                    command.arg(env!("CARGO_BIN_EXE_fathom"));
                    command
                }
                _ => program(),
            };
            cgroup.enter(&mut command).unwrap();
            println!("{planted:?}: {iops} IOPS at depth {depth}");
            explained(command, device.path(), depth)
        }
        Planted::HiddenSlices => {
            let slice = Duration::from_millis(between(50.0, 150.0) as u64);
            let requests = between(20.0, 200.0) as u64;
            let nature = Nature::Slices { every: slice, requests };
            let law = Law::Constant(time(200.0));
            let disk =
                FuseDisk::new(Model { servers: 16, law, nature, filled: true, ..Model::default() }).unwrap();
            let depth = between(2.0, 32.0) as usize;
            println!("{planted:?}: {requests} each {slice:?} at depth {depth}");
            explained(program(), disk.path(), depth)
        }
        Planted::Depth => {
            let (parallel, us) = (between(16.0, 64.0) as usize, between(1000.0, 10_000.0));
            let disk = servers(parallel, Law::Constant(time(us)));
            let depth = (parallel / 8).max(1);
            println!("{planted:?}: {parallel} servers of {us:.0} us at depth {depth}");
            explained(program(), disk.path(), depth)
        }
        Planted::Medium => {
            let (parallel, us) = (between(1.0, 8.0) as usize, between(500.0, 5000.0));
            let disk = servers(parallel, Law::Exponential(time(us)));
            println!("{planted:?}: {parallel} servers of {us:.0} us");
            explained(program(), disk.path(), 4 * parallel + 8)
        }
        Planted::CpuQuota => {
            let device = memory();
            let percent = between(5.0, 12.0) as u64;
            let cgroup = Cgroup::with_cpu_quota(percent).unwrap();
            let mut command = program();
            cgroup.enter(&mut command).unwrap();
            println!("{planted:?}: {percent} %");
            explained(command, device.path(), between(8.0, 64.0) as usize)
        }
        Planted::Memory => {
            // The file of the device is in the page cache.
            let device = LoopDevice::new(64 << 20).unwrap();
            explained(program(), device.path(), between(1.0, 64.0) as usize)
        }
        Planted::BlockQueue => {
            let disk = servers(64, Law::Constant(time(between(2000.0, 8000.0))));
            let device = over(&disk);
            device.tune("nr_requests", "4").unwrap();
            println!("{planted:?}");
            let document = explained(program(), device.path(), between(16.0, 64.0) as usize);
            drop(device);
            document
        }
        Planted::Neighbour => {
            let device = memory();
            let busy: Vec<Running> = (0..6)
                .map(|_| Running::start(Command::new("sh").args(["-c", "while :; do :; done"])).unwrap())
                .collect();
            let document = explained(program(), device.path(), between(8.0, 64.0) as usize);
            for program in busy {
                program.signal(libc::SIGKILL);
                program.finish(LIMIT).unwrap();
            }
            document
        }
        Planted::Scheduler => {
            let disk = servers(32, Law::Constant(time(between(2000.0, 5000.0))));
            let device = over(&disk);
            device.tune("scheduler", "bfq").unwrap();
            // One request at a time.
            device.tune("iosched/strict_guarantees", "1").unwrap();
            let depth = between(8.0, 32.0) as usize;
            println!("{planted:?}: bfq at depth {depth}");
            let args = format!("--allow-settings --iodepth={depth}");
            let document = explained_with(program(), device.path(), &args);
            drop(device);
            document
        }
        Planted::SchedulerDepth => {
            let disk = servers(64, Law::Constant(time(between(2000.0, 8000.0))));
            let device = over(&disk);
            device.tune("scheduler", "mq-deadline").unwrap();
            device.tune("iosched/async_depth", "2").unwrap();
            let depth = between(16.0, 64.0) as usize;
            println!("{planted:?}: async_depth=2 at depth {depth}");
            let path = device.path().display();
            let args = format!("--allow-settings --rw=randwrite --iodepth={depth} --allow-destroy={path}");
            let document = explained_with(program(), device.path(), &args);
            drop(device);
            document
        }
        Planted::Fragments => {
            let size_bytes = 160 << 20;
            let law = Law::Constant(time(between(500.0, 1500.0)));
            let disk = FuseDisk::new(Model { servers: 16, law, size_bytes, ..Model::default() }).unwrap();
            let device = over(&disk);
            let mount = Mount::on(FileSystem::Btrfs, device, "defaults").unwrap();
            let file = mount.path().join("file");
            write_fragmented(&file, 16 << 20, 8192);
            println!("{planted:?}");
            let document = explained_with(program(), &file, "--bs=256k --iodepth=8");
            drop(mount);
            document
        }
        Planted::ServerRate => {
            let sandbox = Sandbox::new().unwrap();
            let backing = sandbox.file("backing", 64 << 20).unwrap();
            let (socket, file) = (sandbox.join("socket"), sandbox.join("nbd"));
            std::fs::write(&file, "").unwrap();
            let bits = between(8e6, 200e6) as u64;
            let mut command = Command::new("nbdkit");
            command.args(["--foreground", "--threads=8", "--filter=rate", "--unix"]).arg(&socket);
            command.arg("file").arg(&backing).arg(format!("rate={bits}"));
            let server = Running::start(&mut command).unwrap();
            wait_for(|| socket.exists());
            let mut command = Command::new("nbdfuse");
            let client = Running::start(command.arg(&file).arg("--unix").arg(&socket)).unwrap();
            wait_for(|| std::fs::metadata(&file).is_ok_and(|meta| meta.len() > 0));
            println!("{planted:?}: {bits} bits per second");
            let document = explained(program(), &file, between(4.0, 32.0) as usize);
            assert!(child::run(Command::new("umount").arg(&file), LIMIT).unwrap().code == Some(0));
            for program in [client, server] {
                program.signal(libc::SIGTERM);
                program.finish(LIMIT).unwrap();
            }
            document
        }
    }
}

fn wait_for(mut is: impl FnMut() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !is() {
        assert!(Instant::now() < deadline, "nothing happened");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Limits planted on real devices are named, and none is named wrongly.
#[test]
#[ignore = "takes twenty minutes: scripts/test --long"]
fn measures_planted_limits_are_named() {
    skip_without!(Need::Loop, Need::BlockCgroup, Need::CpuCgroup, Need::Fuse, Need::Program("unshare"));
    skip_without!(Need::Program("mkfs.btrfs"), Need::Program("nbdkit"), Need::Program("nbdfuse"));
    let mut draw = draws(fresh_seed("explain"));
    let only = std::env::var("FATHOM_PLANTED").unwrap_or_default();
    let all = Planted::ALL.into_iter().filter(|planted| format!("{planted:?}").contains(&only));
    let all: Vec<Planted> = all.cycle().take(if only.is_empty() { 42 } else { 3 }).collect();
    let (mut right, mut untold, mut wrong) = (0, 0, 0);
    for planted in &all {
        let document = explain(*planted, &mut draw);
        let answer = &document["answer"];
        let limit = answer["limit"].as_str();
        let seconds: f64 =
            document["samples"].as_array().unwrap().iter().filter_map(|s| s["seconds"].as_f64()).sum();
        assert!(seconds < 61.0, "{document:#}");
        match limit {
            Some(limit) if limit == planted.limit() => right += 1,
            Some(_) => wrong += 1,
            None => untold += 1,
        }
        println!("{planted:?}: {answer}");
        if limit != Some(planted.limit()) {
            for judged in document["candidates"].as_array().unwrap() {
                println!("    {judged}");
            }
            for sample in document["samples"].as_array().unwrap() {
                println!("    {sample}");
            }
        }
    }
    println!("right {right}, cannot tell {untold}, wrong {wrong} of {}", all.len());
    assert!(right * 10 >= 9 * all.len() && wrong * 50 <= all.len(), "{right} right, {wrong} wrong");
}

/// The limit of a control group is named with its number.
#[test]
fn measures_a_cap_of_640_is_named() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::ReadIops(640)).unwrap();
    let mut command = program();
    cgroup.enter(&mut command).unwrap();
    let document = explained(command, device.path(), 8);
    assert_eq!(document["answer"]["limit"], "visible_throttle", "{document:#}");
    let cap = &document["samples"][0]["cap"];
    assert!(cap["iops"] == true && cap["limit"] == 640.0, "{document:#}");
}

/// A device that holds data is not written to without consent, and not at all while it is mounted.
#[test]
fn it_writes_nothing_without_consent() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let mount = testbed::Mount::new(testbed::FileSystem::Ext4, 64 << 20).unwrap();
    let device = mount.device().unwrap();
    let before = device.stats().unwrap();
    let sandbox = Sandbox::new().unwrap();
    let refused = |device: &std::path::Path, why: &str| {
        let mut command = program();
        command.arg("explain").arg(device).args(words("--rw=randwrite --seconds=2"));
        let ran = child::run(command.env("XDG_DATA_HOME", sandbox.path()), LIMIT).unwrap();
        assert!(ran.code == Some(3) && ran.stderr.contains(why), "{ran:#?}");
    };
    refused(device.path(), "is mounted on");
    let other = testbed::LoopDevice::in_memory(16 << 20, true, None).unwrap();
    refused(other.path(), "--allow-destroy");
    assert_eq!(device.stats().unwrap().since(&before).write_bytes(), 0);
}

/// Stored results and those of other tools are explained from their figures; what they do not show is said.
#[test]
fn stored_results_and_files_are_explained_without_measuring() {
    let sandbox = Sandbox::new().unwrap();
    let fathom = |args: &str| {
        let mut command = program();
        command.args(words(args)).env("XDG_DATA_HOME", sandbox.path()).current_dir(sandbox.path());
        child::run(&mut command, LIMIT).unwrap()
    };
    let model = "--ioengine=model --size=1g --rw=randread --runtime=5 --time_based --model_servers=16";
    let run = fathom(&format!("run --name=a {model} --iodepth=4 --model_law=exponential:1ms"));
    assert_eq!(run.code, Some(0), "{run:#?}");
    let alone = fathom("explain R1 --json");
    let document: Value = serde_json::from_str(&alone.stdout).unwrap();
    let left = document["answer"]["left"].as_array().unwrap();
    assert!(alone.code == Some(6) && left.contains(&"queue_depth".into()), "{alone:#?}");

    let paced = fathom(&format!("run --name=b {model} --iodepth=4 --rate_iops=200 --model_law=constant:1ms"));
    assert_eq!(paced.code, Some(0), "{paced:#?}");
    let paced = fathom("explain R2 --json");
    let document: Value = serde_json::from_str(&paced.stdout).unwrap();
    assert!(paced.code == Some(0) && document["answer"]["limit"] == "own_pace", "{paced:#?}");

    // Two results whose rate rises with the depth.
    let result = |depth: u32| {
        let ran = fathom(&format!("fio --name=c {model} --iodepth={depth} --model_law=exponential:1ms"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        ran.stdout
    };
    sandbox.put("fio.txt", &format!("{}\n{}", result(4), result(16))).unwrap();
    let file = fathom("explain fio.txt --json");
    let document: Value = serde_json::from_str(&file.stdout).unwrap();
    assert!(file.code == Some(0) && document["answer"]["limit"] == "queue_depth", "{file:#?}");

    let missing = fathom("explain R9");
    assert!(missing.code == Some(1) && missing.stderr.contains("R9"), "{missing:#?}");
    let wrong = fathom("explain . --bs=1");
    assert!(wrong.code == Some(2) && wrong.stderr.contains("512"), "{wrong:#?}");
}

/// An answer is stored, listed, shown and exported as it was printed; a page has it; without rows there is no CSV.
#[test]
fn answers_are_stored_like_runs() {
    let sandbox = Sandbox::new().unwrap();
    let fathom = |args: &[&str]| {
        let mut command = program();
        command.args(args).env("XDG_DATA_HOME", sandbox.path()).current_dir(sandbox.path());
        child::run(&mut command, LIMIT).unwrap()
    };
    let target = "model:servers=16;law=exponential:1ms";
    let printed = fathom(&["explain", target]);
    assert_eq!(printed.code, Some(0), "{printed:#?}");
    let unkept = fathom(&["explain", target, "--no-store"]);
    assert_eq!(unkept.code, Some(0), "{unkept:#?}");
    let list: Value = serde_json::from_str(&fathom(&["list", "--json"]).stdout).unwrap();
    let names: Vec<_> =
        list.as_array().unwrap().iter().map(|l| (l["id"].clone(), l["kind"].clone())).collect();
    assert_eq!(names, [("R1".into(), "explain".into())], "{list:#}");
    assert_eq!(fathom(&["show", "R1"]).stdout, printed.stdout);
    let exported: Value = serde_json::from_str(&fathom(&["export", "R1", "--json"]).stdout).unwrap();
    assert_eq!(exported["answer"]["limit"], "medium", "{exported:#}");
    let csv = fathom(&["export", "R1", "--csv"]);
    assert!(csv.code == Some(1) && csv.stdout.is_empty() && csv.stderr.contains("--json"), "{csv:#?}");
    let page = fathom(&["report", "R1", "-o", "page.html"]);
    assert_eq!(page.code, Some(0), "{page:#?}");
    let html = std::fs::read_to_string(sandbox.path().join("page.html")).unwrap();
    assert!(html.contains("DEVICE: 1"), "no answer on the page");
}

/// Runs `fathom explain` for a few seconds; returns exit status and document.
fn explained_briefly(target: &Path) -> (Option<i32>, Value) {
    let mut command = program();
    command.arg("explain").arg(target).args(["--json", "--seconds=5", "--no-store"]);
    let ran = child::run(&mut command, LIMIT).unwrap();
    let card = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"));
    (ran.code, card)
}

#[track_caller]
fn has_no_verdict(card: &Value) {
    assert_eq!(card["answer"]["answer"], "cannot_tell", "{card}");
    for empty in [&card["answer"]["left"], &card["raises"], &card["candidates"]] {
        assert_eq!(empty.as_array().map(Vec::len), Some(0), "{card}");
    }
}

#[test]
fn load_that_an_error_ended_has_no_verdict() {
    skip_without!(Need::Fuse);
    // The load in question does about 1700 I/Os.
    let faults = Faults { error: Some((Rule::Nth(1000), libc::EIO)), ..Faults::default() };
    let law = Law::Constant(Duration::from_millis(1));
    let model = Model { servers: 4, law, faults, filled: true, size_bytes: 64 << 20, ..Model::default() };
    let disk = FuseDisk::new(model).unwrap();
    let (code, card) = explained_briefly(disk.path());
    assert_eq!(code, Some(1), "{card}");
    assert_eq!(card["error"]["errno"], 5, "{card}");
    has_no_verdict(&card);
}

#[test]
fn file_of_holes_has_no_verdict() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.sparse("holes", 64 << 20).unwrap();
    let (code, card) = explained_briefly(&file);
    assert_eq!(code, Some(6), "{card}");
    has_no_verdict(&card);
}
