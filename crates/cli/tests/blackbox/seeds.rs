//! Whoever holds a command of the five seed documents runs it unchanged: only target, size and runtime are replaced
//! here (and lockmem, which pins that much of the machine per job). Outside witnesses say what really happened: the
//! kernel's counts of the device, its system calls, and a disk that counts what it holds at one time.

use crate::common::{document, fathom, run, side_by_side, sum, words};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testbed::child;
use testbed::fuse::{Law, Model};
use testbed::{FuseDisk, LoopDevice, Need, Sandbox, skip_without};

const COMMANDS: &str = include_str!("seeds/commands.txt");
const STUDY: &str = include_str!("seeds/study.fio");
const FINAL: &str = include_str!("seeds/final.fio");
const TARGET_BYTES: u64 = 32 << 20;

/// Options that take no value on the command line.
const FLAGS: [&str; 6] =
    ["readonly", "thread", "time_based", "group_reporting", "refill_buffers", "zero_buffers"];

/// One invocation, its target not yet chosen.
#[derive(Clone, Debug)]
struct Seed {
    what: String,
    /// Options in order, as key and value; `None` for a flag. A job file is its text instead.
    options: Vec<(String, Option<String>)>,
    file: Option<String>,
}

impl Seed {
    fn value(&self, key: &str) -> Option<&str> {
        self.options.iter().rev().find(|(k, _)| k == key).and_then(|(_, v)| v.as_deref())
    }

    fn number(&self, key: &str) -> usize {
        self.value(key).map_or(1, |v| v.parse().unwrap())
    }

    fn block(&self) -> u64 {
        let text = self.value("bs").unwrap_or("4k");
        let digits = text.trim_end_matches(char::is_alphabetic);
        digits.parse::<u64>().unwrap()
            << match &text[digits.len()..] {
                "" => 0,
                "k" => 10,
                "m" => 20,
                other => panic!("{other}"),
            }
    }

    /// The arguments with target, size and runtime replaced; a job file is written into `dir`.
    fn args(&self, target: Option<&Path>, dir: &Path) -> Vec<String> {
        let size = if self.block() > 1 << 20 { "64m" } else { "8m" };
        if let Some(text) = &self.file {
            let place = match target {
                Some(path) => format!("filename={}", path.display()),
                None => format!("directory={}", dir.display()),
            };
            let replaced: Vec<String> = text
                .lines()
                .map(|line| match line.split('=').next().unwrap() {
                    "size" => format!("size={size}"),
                    "runtime" => "runtime=1".into(),
                    // Within what an ordinary user may lock (8 MiB), sixteen jobs at once.
                    "lockmem" => "lockmem=256k".into(),
                    "directory" => place.clone(),
                    _ => line.to_string(),
                })
                .collect();
            std::fs::write(dir.join("fio.conf"), replaced.join("\n")).unwrap();
            return vec!["fio.conf".into()];
        }
        let mut args = Vec::new();
        for (key, value) in &self.options {
            let value = match (key.as_str(), value) {
                ("size", _) => Some(size.to_string()),
                ("runtime", _) => Some("1".into()),
                ("filename", Some(v)) => Some(target.map_or(v.clone(), |t| t.display().to_string())),
                (_, v) => v.clone(),
            };
            match value {
                // Both spellings of the documents: one dash and a blank, two dashes and an equals sign.
                Some(v) if key == "iodepth" => args.extend([format!("-{key}"), v]),
                Some(v) => args.push(format!("--{key}={v}")),
                None => args.push(format!("-{key}")),
            }
        }
        if let (None, Some(target)) = (self.value("filename"), target) {
            args.push(format!("--filename={}", target.display()));
        }
        args
    }
}

fn options(text: &str) -> Vec<(String, Option<String>)> {
    let mut out = Vec::new();
    let mut words = text.split_whitespace().skip(1);
    while let Some(word) = words.next() {
        let word = word.trim_start_matches('-');
        match word.split_once('=') {
            Some((key, value)) => out.push((key.into(), Some(value.into()))),
            None if FLAGS.contains(&word) => out.push((word.into(), None)),
            None => out.push((word.into(), Some(words.next().unwrap().into()))),
        }
    }
    out
}

fn commands() -> Vec<Seed> {
    COMMANDS
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|line| Seed { what: line.to_string(), options: options(&line[4..]), file: None })
        .collect()
}

/// The job files of seed 000, edited as its scripts edit them.
fn job_files() -> Vec<Seed> {
    let set = |edits: &[(&str, String)]| {
        let text: Vec<String> = STUDY
            .lines()
            .map(|line| {
                let key = line.split('=').next().unwrap();
                edits.iter().find(|(k, _)| *k == key).map_or(line.to_string(), |(k, v)| format!("{k}={v}"))
            })
            .collect();
        let mut options: Vec<_> = [("rw", "randread"), ("direct", "1"), ("ioengine", "libaio")]
            .map(|(k, v)| (k.to_string(), Some(v.to_string())))
            .to_vec();
        options.extend(edits.iter().map(|(k, v)| (k.to_string(), Some(v.clone()))));
        Seed { what: format!("000 fio.conf {edits:?}"), options, file: Some(text.join("\n")) }
    };
    let mut out = Vec::new();
    let patterns = [("randread", "4k"), ("randwrite", "4k"), ("read", "64k"), ("write", "64k")];
    for (rw, bs) in patterns {
        for runtime in ["10", "90"] {
            out.push(set(&[("rw", rw.into()), ("bs", bs.into()), ("runtime", runtime.into())]));
        }
        for depth in [2, 4, 8, 16] {
            out.push(set(&[("rw", rw.into()), ("bs", bs.into()), ("iodepth", depth.to_string())]));
        }
        for jobs in [2, 4, 8, 16] {
            out.push(set(&[("rw", rw.into()), ("bs", bs.into()), ("numjobs", jobs.to_string())]));
        }
    }
    for bs in "1k 2k 8k 16k 32k 128k 256k 512k 1m 2m 4m 8m 16m 32m 64m".split(' ') {
        for rw in ["randread", "write"] {
            out.push(set(&[("rw", rw.into()), ("bs", bs.into())]));
        }
    }
    for (jobs, depth) in [(2, 16), (4, 64), (16, 4)] {
        out.push(set(&[("numjobs", jobs.to_string()), ("iodepth", depth.to_string())]));
    }
    out
}

fn all() -> Vec<Seed> {
    let mut all = commands();
    all.extend(job_files());
    all
}

fn check_ended_well(seed: &Seed, ran: &child::Ran) -> serde_json::Value {
    assert_eq!(ran.code, Some(0), "{}\n{}{}", seed.what, ran.stdout, ran.stderr);
    let document = document(ran);
    for job in document["jobs"].as_array().unwrap() {
        assert_eq!(job["error"], 0, "{}", seed.what);
    }
    document
}

fn json(mut args: Vec<String>) -> Vec<String> {
    args.insert(0, "--output-format=json".into());
    args
}

#[test]
#[ignore = "a minute; on a file it is quicker"]
fn every_command_runs_on_a_loop_device_which_saw_what_was_asked() {
    skip_without!(Need::Loop);
    let device = LoopDevice::new(64 << 20).unwrap();
    for seed in all() {
        let sandbox = Sandbox::new().unwrap();
        let before = device.stats().unwrap();
        let ran = run(&json(seed.args(Some(device.path()), sandbox.path())), sandbox.path());
        let report = check_ended_well(&seed, &ran);
        let used = device.stats().unwrap().since(&before);
        let (read, write) =
            (sum(&report, "read", "io_bytes") as u64, sum(&report, "write", "io_bytes") as u64);
        let rw = seed.value("rw").unwrap_or("read");
        let both = rw == "readwrite";
        assert_eq!(
            (read > 0, write > 0),
            (both || rw.contains("read"), both || rw.contains("write")),
            "{}",
            seed.what
        );
        if seed.value("direct") != Some("1") {
            continue; // the page cache decides what reaches the device
        }
        assert_eq!(used.write_bytes(), write, "{}: bytes that the device was given", seed.what);
        // Before the run both ends of the target are looked at for signatures, through the kernel's read-ahead.
        let looked = used.read_bytes() - read.min(used.read_bytes());
        assert!(
            used.read_bytes() >= read && looked <= 8 << 20,
            "{}: read {read}, device {}",
            seed.what,
            used.read_bytes()
        );
        let ios = (sum(&report, "read", "total_ios") + sum(&report, "write", "total_ios")) as u64;
        assert_eq!(read + write, ios * seed.block(), "{}: block size", seed.what);
        let requests = used.writes + used.write_merges + used.reads + used.read_merges;
        if seed.block() <= 128 << 10 {
            let extra = requests as i64 - ios as i64;
            assert!((0..=600).contains(&extra), "{}: {ios} I/Os were {requests} requests", seed.what);
        }
    }
}

#[test]
fn every_command_runs_on_a_file() {
    let name =
        |seed: &Seed, dir: &Path| -> Option<PathBuf> { seed.value("filename").map(|_| dir.join("file1")) };
    side_by_side(&all(), |seed| {
        let sandbox = Sandbox::new().unwrap();
        let target = name(seed, sandbox.path());
        if seed.value("size").is_none() && seed.file.is_none() {
            // Commands that lean on the device's own size get a file that has one.
            sandbox.file("file1", TARGET_BYTES).unwrap();
        }
        let mut args = json(seed.args(target.as_deref(), sandbox.path()));
        if seed.options.iter().any(|(k, _)| k == "readonly") {
            args.push("--size=8m".into());
        }
        check_ended_well(seed, &run(&args, sandbox.path()));
        let files = std::fs::read_dir(sandbox.path()).unwrap().filter(|e| {
            let name = e.as_ref().unwrap().file_name();
            name != "fio.conf"
        });
        let want = if target.is_some() { 1 } else { seed.number("numjobs") };
        assert_eq!(files.count(), want, "{}: files", seed.what);
    });
}

#[test]
fn the_closing_job_file_of_seed_000_runs_its_four_jobs_in_turn() {
    let sandbox = Sandbox::new().unwrap();
    let seed = Seed { what: "000 final".into(), options: Vec::new(), file: Some(FINAL.into()) };
    let report = check_ended_well(&seed, &run(&json(seed.args(None, sandbox.path())), sandbox.path()));
    let jobs = report["jobs"].as_array().unwrap();
    let names: Vec<&str> = jobs.iter().map(|j| j["jobname"].as_str().unwrap()).collect();
    assert_eq!(names, ["4k_randwrite", "4k_randread", "64k_write", "64k_read"]);
    let groups: HashSet<u64> = jobs.iter().map(|j| j["groupid"].as_u64().unwrap()).collect();
    assert_eq!(groups.len(), 4, "stonewall and group_reporting: a group each");
    for (job, (direction, block)) in
        jobs.iter().zip([("write", 4096), ("read", 4096), ("write", 65536), ("read", 65536)])
    {
        let d = &job[direction];
        assert_eq!(d["io_bytes"].as_u64().unwrap(), d["total_ios"].as_u64().unwrap() * block);
        assert!(d["total_ios"].as_u64().unwrap() > 0);
    }
}

/// Calls per system call of a run.
fn calls(args: &[String], dir: &Path) -> impl Fn(&str) -> u64 + use<> {
    let counts = dir.join("strace.out");
    let fathom = fathom();
    let mut command = std::process::Command::new("strace");
    command
        .args(["-f", "-c", "-U", "name,calls", "-o"])
        .arg(&counts)
        .arg(fathom.get_program())
        .args(fathom.get_args());
    let ran = child::run(command.args(args).current_dir(dir), Duration::from_secs(120)).unwrap();
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    let text = std::fs::read_to_string(counts).unwrap();
    move |name| {
        text.lines()
            .filter_map(|l| l.trim().split_once(char::is_whitespace))
            .find(|(n, _)| *n == name)
            .map_or(0, |(_, c)| c.trim().parse().unwrap())
    }
}

#[test]
fn the_engine_that_was_asked_for_makes_the_calls() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("file1", 8 << 20).unwrap();
    let base = format!("--name=e --filename={} --size=1m --bs=4k --output-format=json", file.display());
    for (options, direction, ios) in [("--rw=write", 1, 256), ("--rw=randread --direct=1", 0, 256)] {
        let seen = calls(&words(&format!("{base} {options}")), sandbox.path());
        assert!(
            seen(["pread64", "pwrite64"][direction]) >= ios && seen("io_submit") == 0,
            "psync by default: {options}"
        );
        let seen = calls(&words(&format!("{base} {options} --ioengine=libaio --iodepth=16")), sandbox.path());
        assert!(seen("io_submit") >= ios / 16 && seen("io_uring_enter") == 0, "libaio: {options}");
        assert!(
            seen("pread64") + seen("pwrite64") < ios / 2,
            "libaio moves its data by io_submit: {options}"
        );
        let seen =
            calls(&words(&format!("{base} {options} --ioengine=io_uring --iodepth=16")), sandbox.path());
        assert!(seen("io_uring_enter") >= ios / 16 && seen("io_submit") == 0, "io_uring: {options}");
        let seen = calls(&words(&format!("{base} {options} --ioengine=sync")), sandbox.path());
        assert!(seen(["read", "write"][direction]) >= ios && seen("io_submit") == 0, "sync: {options}");
    }
}

#[test]
fn as_many_requests_are_in_flight_as_the_command_asks_and_never_more() {
    skip_without!(Need::Fuse);
    requests_in_flight(|depth, _, _| (depth, 0, String::new()), |_, _, _| ());
}

/// Little's law over the disk's own times: what was in flight on average follows from what each took.
#[test]
#[ignore = "a minute"]
fn measures_requests_in_flight_on_average() {
    skip_without!(Need::Fuse);
    let average = |what: &str, depth: usize, average: f64| {
        assert!(
            average > depth as f64 * 0.5 && average < depth as f64 * 1.1,
            "{what}: {average} in flight on average"
        );
    };
    requests_in_flight(|depth, block, rw| (depth, block, rw.to_string()), average);
}

/// Runs the seeds' commands, one of each that `distinct` tells apart by iodepth, block and direction, and gives what was in
/// flight on average to `judge`.
fn requests_in_flight(
    distinct: impl Fn(usize, u64, &str) -> (usize, u64, String),
    judge: impl Fn(&str, usize, f64),
) {
    let mut tried = HashSet::new();
    for seed in all() {
        let asynchronous = matches!(seed.value("ioengine"), Some("libaio" | "io_uring"));
        let depth = if asynchronous { seed.number("iodepth") } else { 1 } * seed.number("numjobs");
        // A request above 1 MiB reaches the disk in pieces.
        let fits = seed.value("direct") == Some("1") && seed.block() <= 1 << 20;
        if !fits || !tried.insert(distinct(depth, seed.block(), seed.value("rw").unwrap_or("read"))) {
            continue;
        }
        // One thread answers for the disk: leave it time to copy the big ones.
        // And an unoptimised build time to make the data of `refill_buffers`.
        let refills = seed.options.iter().any(|(k, _)| k == "refill_buffers");
        let ms = match (seed.block() > 64 << 10, refills) {
            (true, true) => 500,
            (true, false) => 100,
            (false, _) => 5,
        };
        let sandbox = Sandbox::new().unwrap();
        let reachable = depth.min((8 << 20) / seed.block() as usize * seed.number("numjobs"));
        // Beside other tests the CPU may not fill the queue while the first requests are served: then they take longer.
        let mut service_ms = ms;
        let (report, seen) = loop {
            let law = Law::Constant(Duration::from_millis(service_ms));
            let model = Model { size_bytes: 256 << 20, servers: 512, law, ..Model::default() };
            let disk = FuseDisk::new(model).unwrap();
            let mut args = json(seed.args(Some(disk.path()), sandbox.path()));
            if seed.file.is_none() {
                // Enough I/Os to fill the queue of each job.
                args.retain(|a| !a.starts_with("--size="));
                args.extend(["--runtime=1".into(), "--size=64m".into()]);
            }
            let report = check_ended_well(&seed, &run(&args, sandbox.path()));
            let seen = disk.seen();
            let most = seen.most_in_flight;
            assert!(most <= depth, "{}: {most} in flight, not {depth}", seed.what);
            if most >= reachable || service_ms > ms {
                break (report, seen);
            }
            service_ms = 10 * ms;
        };
        let ios = seen.reads + seen.writes;
        let most = seen.most_in_flight;
        assert!(most >= reachable, "{}: {most} in flight of {reachable}", seed.what);
        let busy: f64 = seen.times.iter().map(Duration::as_secs_f64).sum();
        let ms = ["read", "write"]
            .map(|d| report["jobs"][0][d]["runtime"].as_f64().unwrap())
            .into_iter()
            .fold(0.0, f64::max);
        if ios as usize > depth * 40 {
            judge(&seed.what, depth, busy / (ms / 1e3));
        }
    }
}

#[test]
fn the_command_as_seed_002_prints_it_is_refused_with_the_mended_one() {
    let printed = "-direct= 1 -iodepth= 128 -rw= randwrite -ioengine= libaio -bs= 4k -size= 10G -numjobs= 1 -runtime= 600 \
                   -group_reporting -filename= /opt/fiotest/fiotest.txt -name= Rand_Write_IOPS_Test";
    let sandbox = Sandbox::new().unwrap();
    let ran = run(&words(printed), sandbox.path());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let mended = ran
        .stderr
        .lines()
        .find(|l| l.contains("-direct=1 "))
        .unwrap_or_else(|| panic!("no mended line: {}", ran.stderr));
    for option in ["-iodepth=128", "-rw=randwrite", "-size=10G", "-name=Rand_Write_IOPS_Test"] {
        assert!(mended.contains(option), "{mended}");
    }
}
