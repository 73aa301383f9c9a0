//! `fathom pts` on loop devices: rehearsals, consent, and resuming after a kill.

use crate::common::{document, words};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::loopdev::Setup;
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);
const MIB: u64 = 1 << 20;

/// A blank device, and a directory for the state of the program.
pub struct Bench {
    device: LoopDevice,
    pub home: Sandbox,
}

impl Bench {
    pub fn new() -> Self {
        Bench {
            device: LoopDevice::in_memory(8 * MIB, false, None).unwrap(),
            home: Sandbox::in_memory().unwrap(),
        }
    }

    /// Returns the command with `args`, in which `DEVICE` stands for the path of the device.
    pub fn command(&self, args: &str) -> Command {
        let args = args.replace("DEVICE", self.device.path().to_str().unwrap());
        let mut program = Command::new(env!("CARGO_BIN_EXE_fathom"));
        program.args(words(&args)).current_dir(self.home.path()).env("LC_ALL", "C");
        program.env("XDG_DATA_HOME", self.home.path()).env("XDG_STATE_HOME", self.home.path());
        program.env("FATHOM_SETTINGS_DIR", self.home.path().join("settings"));
        program
    }

    pub fn ours(&self, args: &str) -> Ran {
        run(&mut self.command(args), LIMIT).unwrap()
    }

    /// Path of the store.
    pub fn store(&self) -> PathBuf {
        self.home.path().join("fathom/store.sqlite")
    }

    /// Number of sectors that were written to the device since its number was first used.
    fn written(&self) -> u64 {
        self.device.stats().unwrap().write_sectors
    }
}

#[track_caller]
fn refused(ran: &Ran, needle: &str) {
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(ran.stderr.contains("refused") && ran.stderr.contains(needle), "{needle}: {ran:#?}");
}

/// A share of the device that has no block is refused, in the plan as well.
#[test]
fn active_range_below_a_block_is_refused() {
    let home = Sandbox::in_memory().unwrap();
    for more in ["", "--dry-run"] {
        let args = format!("pts iops model:size=1g --scale 1/600 --no-store --active-range 1e-30 {more}");
        let mut program = Command::new(env!("CARGO_BIN_EXE_fathom"));
        program.args(words(&args)).current_dir(home.path()).env("LC_ALL", "C");
        let ran = run(&mut program, LIMIT).unwrap();
        assert!(ran.code == Some(1) && ran.stderr.contains("less than the largest block"), "{ran:#?}");
        assert!(ran.stdout.is_empty(), "{ran:#?}");
    }
}

/// Places of the samples of every test, in order.
fn places(study: &Value) -> Vec<String> {
    let mut found = Vec::new();
    collect(study, &mut found);
    found
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| collect(one, found)),
        Value::Object(fields) => {
            if let (Some(place), Some(load)) = (fields.get("place"), fields.get("load")) {
                found.push(format!("{place} {load}"));
            }
            fields.values().for_each(|one| collect(one, found));
        }
        _ => {}
    }
}

#[test]
fn plan_states_time_writes_and_destruction_and_writes_nothing() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let before = bench.written();
    let ran = bench.ours("pts iops xsr DEVICE --dry-run");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    for needle in ["iops: 4 h 40 min - 23 h 20 min", "xsr: 22 h 0 min", "would be destroyed", "all tests:"] {
        assert!(ran.stdout.contains(needle), "{needle}: {}", ran.stdout);
    }
    let ran = bench.ours("pts iops DEVICE --dry-run --scale 1/60");
    assert!(ran.stdout.contains("1/60") && ran.stdout.contains("iops: 5 min - 23 min"), "{}", ran.stdout);
    assert_eq!(bench.written(), before);
}

/// Asserts that a dry run shows the plan, then the words with which the run is refused; with --json as data.
#[track_caller]
fn dry_run_tells(bench: &Bench, line: &str) {
    let ran = bench.ours(line);
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let why = ran.stderr.trim_end().strip_prefix("fathom pts: ").unwrap();
    let dry = bench.ours(&format!("{line} --dry-run"));
    assert!(dry.code == Some(0) && dry.stdout.contains("would be destroyed"), "{dry:#?}");
    let told = format!("fathom pts: the run would not begin: {why}");
    assert_eq!(dry.stdout.lines().last(), Some(told.as_str()), "{dry:#?}");
    let json: Value = serde_json::from_str(&bench.ours(&format!("{line} --dry-run --json")).stdout).unwrap();
    assert!(json["refused"] == why && json["total"].is_object(), "{json:#}");
}

#[test]
fn dry_run_tells_what_forbids_the_study() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let line = "pts latency DEVICE --allow-destroy DEVICE";
    let dry = bench.ours(&format!("{line} --dry-run"));
    assert!(dry.code == Some(0) && !dry.stdout.contains("would not begin"), "{dry:#?}");
    dry_run_tells(&bench, "pts latency DEVICE");
    dry_run_tells(&bench, &format!("{line} --wear-budget 1%"));
    dry_run_tells(&bench, &format!("{line} --purge ata-secure-erase"));
    let alias = LoopDevice::from_file(bench.device.backing(), Setup::default()).unwrap();
    dry_run_tells(&bench, line);
    drop(alias);
    let made = run(Command::new("mkswap").arg(bench.device.path()), LIMIT).unwrap();
    assert_eq!(made.code, Some(0), "{made:#?}");
    dry_run_tells(&bench, line);
}

#[test]
fn device_that_holds_something_is_refused_by_every_name() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let (before, path) = (bench.written(), bench.device.path().to_owned());
    refused(&bench.ours("pts latency DEVICE"), "--allow-destroy");
    refused(&bench.ours("pts latency DEVICE --allow-destroy /dev/null"), "--allow-destroy");
    let alias = LoopDevice::from_file(bench.device.backing(), Setup::default()).unwrap();
    refused(&bench.ours("pts latency DEVICE --allow-destroy DEVICE"), &alias.name());
    drop(alias);
    let held = rustix::fs::open(
        &path,
        // Closed in the children that other tests start meanwhile.
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::EXCL | rustix::fs::OFlags::CLOEXEC,
        rustix::fs::Mode::empty(),
    );
    refused(&bench.ours("pts latency DEVICE --allow-destroy DEVICE"), "exclusively");
    drop(held);
    refused(&bench.ours("pts latency . --allow-destroy ."), "no block device");
    assert_eq!(bench.written(), before);
    // The signature of a swap area.
    let made = run(Command::new("mkswap").arg(&path), LIMIT).unwrap();
    assert_eq!(made.code, Some(0), "{made:#?}");
    refused(&bench.ours("pts latency DEVICE --allow-destroy DEVICE"), "swap");
}

#[test]
fn rehearsal_of_two_tests_ends_with_results() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let line = "pts iops latency DEVICE --allow-destroy DEVICE --scale 1/6000 --rounds 5 --threads 1 --depth 4 --json";
    let ran = bench.ours(line);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let study = document(&ran);
    let runs = study["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &study["complete"]), (2, &Value::Bool(true)));
    for (run, cells) in runs.iter().zip([56, 9]) {
        let result = &run["result"]["result"];
        let matrix = result.get("matrix").unwrap_or(result);
        assert!(matrix["rounds"].as_array().unwrap().len() >= 5, "{run}");
        assert_eq!(matrix["cells"].as_array().unwrap().len(), cells);
        let reasons = run["deviations"].to_string();
        for reason in ["scaled", "unknown_medium", "fewer_rounds"] {
            assert!(reasons.contains(reason), "{reason}: {reasons}");
        }
    }
    assert_eq!(runs[0]["purges"][0]["method"], "discard");
    let shown = bench.ours("show S1");
    assert!(shown.stdout.contains("1/6000") && shown.stdout.contains("not conformant"), "{}", shown.stdout);
    let list = bench.ours("list");
    assert!(list.stdout.contains("pts"), "{}", list.stdout);
}

/// Starts the command, waits until the store has `steps` steps, and sends the signal.
fn stopped_after(bench: &Bench, line: &str, steps: usize, signal: i32) -> Ran {
    let running = Running::start(&mut bench.command(line)).unwrap();
    let began = Instant::now();
    while began.elapsed() < LIMIT && stored(&bench.store()) < steps {
        std::thread::sleep(Duration::from_millis(5));
    }
    running.signal(signal);
    running.finish(LIMIT).unwrap()
}

/// Number of stored steps.
fn stored(path: &Path) -> usize {
    if !path.exists() {
        return 0;
    }
    let query = |db: rusqlite::Connection| {
        db.query_row("SELECT count(*) FROM points", [], |row| row.get::<_, i64>(0))
    };
    rusqlite::Connection::open(path).and_then(query).unwrap_or(0) as usize
}

#[test]
fn killed_study_resumes_with_the_rounds_of_a_whole_one() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let line = "pts latency DEVICE --allow-destroy DEVICE --scale 1/3000 --rounds 5";
    let ran = stopped_after(&bench, line, 7, libc::SIGKILL);
    assert_ne!(ran.code, Some(0));
    // Other options of the resuming command change nothing; another signal ends it cleanly.
    let ran = stopped_after(&bench, "pts --resume --allow-destroy DEVICE", 20, libc::SIGTERM);
    assert_eq!(ran.code, Some(128), "{ran:#?}");
    assert!(ran.stderr.contains("fathom pts --resume S1"), "{ran:#?}");
    let other = Bench {
        device: LoopDevice::in_memory(16 * MIB, false, None).unwrap(),
        home: Sandbox::in_memory().unwrap(),
    };
    let wrong = format!("pts --resume S1 {0} --allow-destroy {0}", other.device.path().display());
    refused(&bench.ours(&wrong), "bytes");
    let ran = bench.ours("pts --resume S1 --allow-destroy DEVICE --json");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let resumed = document(&ran);
    let whole = document(&other.ours(&format!("{line} --json")));
    assert_eq!(places(&resumed), places(&whole));
    assert!(resumed["runs"][0]["deviations"].to_string().contains("resumed"), "{resumed}");
    let again = bench.ours("pts --resume S1 --allow-destroy DEVICE");
    assert_eq!(again.code, Some(2), "{again:#?}");
}

/// Another name of the device that is taken into use between two steps ends the study.
#[test]
fn alias_that_appears_during_a_study_ends_it() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let line = "pts latency DEVICE --allow-destroy DEVICE --scale 1/600";
    let running = Running::start(&mut bench.command(line)).unwrap();
    let began = Instant::now();
    while began.elapsed() < LIMIT && stored(&bench.store()) < 6 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let alias = LoopDevice::from_file(bench.device.backing(), Setup::default()).unwrap();
    let ran = running.finish(LIMIT).unwrap();
    refused(&ran, &alias.name());
}

/// Whether the step after the last stored one is a cell of the latency test that only reads: the cells of a round begin
/// with reads of 8192, 4096 and 512 bytes.
fn reads_next(path: &Path) -> bool {
    let query = |db: rusqlite::Connection| {
        let last = "SELECT reads_percent = 100 AND bs > 512 FROM points ORDER BY ordinal DESC LIMIT 1";
        db.query_row(last, [], |row| row.get::<_, Option<bool>>(0))
    };
    path.exists() && rusqlite::Connection::open(path).and_then(query).is_ok_and(|reads| reads == Some(true))
}

/// Stops all threads of the program, and returns when they have stopped.
fn stop(running: &Running) {
    running.signal(libc::SIGSTOP);
    let began = Instant::now();
    let tasks = format!("/proc/{}/task", running.pid());
    let stopped = |task: std::io::Result<std::fs::DirEntry>| {
        let stat = std::fs::read_to_string(task.unwrap().path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with('T'))
    };
    while !std::fs::read_dir(&tasks).unwrap().all(stopped) {
        assert!(began.elapsed() < LIMIT, "not stopped");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A file system that another program writes during a study ends it, and stays. The program is stopped in a cell of the
/// latency test that only reads, so that no write that has begun can hide the signature.
#[test]
fn signature_written_during_a_study_ends_it_and_stays() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let line = "pts latency DEVICE --allow-destroy DEVICE --scale 1/600";
    let running = Running::start(&mut bench.command(line)).unwrap();
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < LIMIT, "no cell that reads");
        if reads_next(&bench.store()) {
            stop(&running);
            if reads_next(&bench.store()) {
                break;
            }
            running.signal(libc::SIGCONT);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // The superblock of ext4: magic, revision 1, and extents.
    let mut head = vec![0; 2 * MIB as usize];
    head[1024 + 56..][..2].copy_from_slice(&[0x53, 0xef]);
    head[1024 + 76] = 1;
    head[1024 + 96] = 0x40;
    let device = std::fs::File::options().write(true).open(bench.device.path()).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&device, &head, 0).unwrap();
    device.sync_all().unwrap();
    drop(device);
    let kept = stored(&bench.store());
    // Longer than the interval between two readings of the ends.
    std::thread::sleep(Duration::from_millis(1100));
    running.signal(libc::SIGCONT);
    let ran = running.finish(LIMIT).unwrap();
    refused(&ran, "ext4");
    assert!((kept..=kept + 1).contains(&stored(&bench.store())), "{ran:#?}");
    let now = std::fs::read(bench.device.backing()).unwrap();
    assert!(now[..head.len()] == head[..], "the study has overwritten the file system");
    refused(&bench.ours("pts --resume S1 --allow-destroy DEVICE"), "ext4");
}

/// A study does not go on over another file that has the name of the first one and a loop device of the same size.
#[test]
fn killed_study_refuses_another_file_under_its_device() {
    skip_without!(Need::Loop);
    let home = Sandbox::in_memory().unwrap();
    let file = home.sparse("disk", 8 * MIB).unwrap();
    let attach = || LoopDevice::from_file(&file, Setup { direct_io: true, ..Setup::default() }).unwrap();
    let mut bench = Bench { device: attach(), home };
    let ran = stopped_after(
        &bench,
        "pts latency DEVICE --allow-destroy DEVICE --scale 1/3000 --rounds 5",
        6,
        libc::SIGKILL,
    );
    assert_ne!(ran.code, Some(0));
    let original = bench.home.join("original");
    drop(bench.device);
    std::fs::rename(&file, &original).unwrap();
    bench.home.sparse("disk", 8 * MIB).unwrap();
    bench.device = attach();
    let resume = "pts --resume S1 DEVICE --allow-destroy DEVICE";
    refused(&bench.ours(resume), "another file");
    assert_eq!(
        std::fs::metadata(&file).map(|meta| std::os::unix::fs::MetadataExt::blocks(&meta)).unwrap(),
        0
    );
    drop(bench.device);
    std::fs::rename(&original, &file).unwrap();
    bench.device = attach();
    let ran = bench.ours(resume);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}
