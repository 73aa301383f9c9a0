//! Writes that a job syncs after every few: what each of them takes, and what the sync behind them takes, on a disk
//! whose writes and flushes take known times.

use crate::common::{document, draws, fathom, fresh_seed, words};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::fuse::{Law, Model};
use testbed::{FileSystem, FuseDisk, Mount, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

/// A disk of eight servers.
fn disk(write: Law, flush: Law) -> FuseDisk {
    FuseDisk::new(Model { servers: 8, law: write, flush, ..Model::default() }).unwrap()
}

fn micros(us: u64) -> Law {
    Law::Constant(Duration::from_micros(us))
}

/// The first job of the JSON of fio or of fathom.
fn job(fio: bool, disk: &FuseDisk, args: &str) -> Value {
    let mut command = if fio { Command::new("fio") } else { fathom() };
    command.args(words(&format!("--name=c --bs=4k --direct=1 --output-format=json {args}")));
    command.arg(format!("--filename={}", disk.path().display()));
    let ran = run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    document(&ran)["jobs"][0].clone()
}

fn micros_of(latency: &Value, percentile: &str) -> f64 {
    latency["percentile"][percentile].as_f64().unwrap_or_else(|| panic!("{latency}")) / 1e3
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// libaio syncs in the call. A write's clat begins when the write was handed to the kernel, not when the sync that follows
/// it has ended: no write is faster than the disk, and no latency is made of two.
#[test]
fn libaio_write_before_a_sync_takes_the_disks_time() {
    skip_without!(Need::Fuse);
    let disk = disk(micros(2_000), micros(3_000));
    for (depth, every) in [(1, 1), (2, 1), (8, 1), (8, 3), (8, 8), (16, 20)] {
        let args = format!("--rw=write --ioengine=libaio --iodepth={depth} --fsync={every} --number_ios=60");
        disk.forget();
        let job = job(false, &disk, &args);
        let (clat, seen) = (&job["write"]["clat_ns"], disk.seen());
        let fastest = job["write"]["lat_ns"]["min"].as_f64().unwrap() / 1e3;
        // A thread that lost its CPU in the submit call has a part of a write's time in slat; half of them have not.
        let (usual, shortest) =
            (micros_of(clat, "50.000000"), job["sync"]["lat_ns"]["min"].as_f64().unwrap());
        assert!(
            fastest >= 1_800.0 && usual >= 1_800.0,
            "depth {depth}, every {every}: lat {fastest} us at least, clat p50 {usual} us; the disk takes 2000"
        );
        assert!(
            shortest >= 2.9e6,
            "depth {depth}, every {every}: a sync of {shortest} ns, the disk takes 3 ms"
        );
        assert_eq!(seen.writes, 60, "depth {depth}, every {every}");
        assert_eq!(seen.syncs, 59 / every, "depth {depth}, every {every}");
        assert_eq!(job["sync"]["total_ios"].as_u64(), Some(seen.syncs), "depth {depth}, every {every}");
    }
}

/// Five runs of each, in turn.
#[test]
fn measures_libaio_clat_with_syncs_is_fios() {
    skip_without!(Need::Fuse, Need::Program("fio"));
    let disk = disk(micros(400), micros(300));
    for (depth, every) in [(1, 1), (8, 1), (8, 4)] {
        let args = format!(
            "--rw=write --ioengine=libaio --iodepth={depth} --fsync={every} --size=8m --runtime=600ms --time_based"
        );
        let p10 = |fio| micros_of(&job(fio, &disk, &args)["write"]["clat_ns"], "10.000000");
        let pairs: Vec<(f64, f64)> = (0..5).map(|_| (p10(false), p10(true))).collect();
        let (ours, fios) = pairs.into_iter().unzip();
        let (ours, fios) = (median(ours), median(fios));
        println!("depth {depth}, every {every}: clat p10 {ours} us, fio {fios} us");
        assert!(
            (ours / fios - 1.0).abs() < 0.1,
            "depth {depth}, every {every}: clat p10 {ours} us, fio {fios} us"
        );
    }
}

/// Commit latency on simulated devices drawn at random: one write after the other and then the sync, each of which takes
/// the same known time. The first commit of each job and the last have all their writes.
#[test]
fn commit_latency_on_a_model_is_writes_and_sync_together() {
    let mut draw = draws(fresh_seed("commits"));
    let mut below = |most: usize| draw(most) as u64;
    for _ in 0..12 {
        let (every, micros) = (1 + below(12), 1 + below(5_000));
        let (call, writes) = (["fsync", "fdatasync"][below(2) as usize], every * (2 + below(30)));
        let mut command = fathom();
        command.args(words(&format!(
            "--name=c --ioengine=model --model_law=constant:{micros}us --size=64m --rw=write --bs=4k --iodepth=1 \
             --{call}={every} --number_ios={} --output-format=json",
            writes + 1
        )));
        let ran = run(&mut command, LIMIT).unwrap();
        let what = format!("{call}={every}, {micros} us, {writes} writes");
        assert_eq!(ran.code, Some(0), "{what}: {ran:?}");
        let job = &document(&ran)["jobs"][0];
        let commit = &job["fathom"]["commit_ns"];
        let nanos = 1_000 * micros;
        assert_eq!(commit["N"].as_u64(), Some(writes / every), "{what}");
        assert_eq!(commit["N"], job["sync"]["lat_ns"]["N"], "{what}");
        assert_eq!(commit["min"].as_u64(), Some((every + 1) * nanos), "{what}");
        assert_eq!(commit["max"].as_u64(), Some((every + 1) * nanos), "{what}");
        assert_eq!(job["fathom"]["writes_per_sync"].as_u64(), Some(every), "{what}");
        assert_eq!(job["sync"]["lat_ns"]["max"].as_u64(), Some(nanos), "{what}");
        // One call after the other, write or sync: always one in flight.
        let reached = job["fathom"]["depth_reached"].as_f64().unwrap();
        assert!((reached - 1.0).abs() < 1e-3, "{what}: depth {reached}");
        assert_eq!(job["write"]["lat_ns"]["max"].as_u64(), Some(nanos), "{what}");
    }
}

/// In a mixed job fio syncs after a read, too: of two syncs one has no write to commit.
#[test]
fn commit_latency_of_mixed_jobs_counts_syncs_that_follow_a_write() {
    let mut command = fathom();
    command.args(words(
        "--name=c --ioengine=model --model_law=constant:1000us --size=64m --rw=randrw --bs=4k --iodepth=1 --fdatasync=1 \
         --number_ios=400 --output-format=json",
    ));
    let ran = run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let job = &document(&ran)["jobs"][0];
    let (commits, writes) = (&job["fathom"]["commit_ns"], job["write"]["total_ios"].as_u64().unwrap());
    let counted = commits["N"].as_u64().unwrap();
    assert!(
        writes.abs_diff(counted) <= 1 && job["sync"]["total_ios"].as_u64().unwrap() > writes + 100,
        "{job}"
    );
    assert_eq!(commits["min"].as_u64(), Some(2_000_000), "{job}");
}

/// The same on a disk with real calls, engine by engine: the commit takes no less than its parts, and what it takes
/// beyond them is what the machine spends between calls.
#[test]
fn commit_latency_on_a_disk_is_writes_and_sync_together() {
    skip_without!(Need::Fuse, Need::IoUring);
    let disk = disk(micros(2_000), micros(5_000));
    for engine in ["sync", "psync", "pvsync2", "libaio", "io_uring", "posixaio"] {
        for (every, writes) in [(1, 21), (4, 41)] {
            let args = format!(
                "--rw=write --size=64m --ioengine={engine} --fdatasync={every} --number_ios={writes} --iodepth=1"
            );
            let job = job(false, &disk, &args);
            let (commit, least) = (&job["fathom"]["commit_ns"], (2 * every + 5) as f64 * 1e6);
            let (min, mean) = (commit["min"].as_f64().unwrap(), commit["mean"].as_f64().unwrap());
            assert_eq!(commit["N"].as_u64(), Some((writes - 1) / every), "{engine}, every {every}");
            assert!(min >= 0.98 * least, "{engine}, every {every}: {min} ns, the disk takes {least}");
            let sum = |of: &Value| of["mean"].as_f64().unwrap() * of["N"].as_f64().unwrap();
            // The write after the last sync belongs to no commit; it may have been the longest.
            let written = sum(&job["write"]["lat_ns"]) - job["write"]["lat_ns"]["max"].as_f64().unwrap();
            let parts = (written + sum(&job["sync"]["lat_ns"])) / commit["N"].as_f64().unwrap();
            assert!(mean >= 0.99 * parts - 1e5, "{engine}, every {every}: {mean} ns, its parts {parts}");
        }
    }
}

/// A job that syncs ranges makes nothing durable; one that syncs nothing has no commits.
#[test]
fn commit_latency_of_a_job_that_makes_nothing_durable_is_absent() {
    for more in [
        "--sync_file_range=write:2",
        "--end_fsync=1",
        "--sync_file_range=write:2 --fsync=4",
        "--rw=read --fsync=1",
    ] {
        let sandbox = Sandbox::new().unwrap();
        let mut command = fathom();
        command.args(words(&format!("--name=c --size=256k --rw=write --output-format=json {more}")));
        let ran = run(command.current_dir(sandbox.path()), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{more}: {ran:?}");
        assert!(document(&ran)["jobs"][0]["fathom"]["commit_ns"].is_null(), "{more}: {ran:?}");
    }
}

/// Runs `fathom` with its own commands in `dir`, the store there too.
fn own(dir: &std::path::Path, args: &str) -> testbed::child::Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(words(args)).current_dir(dir).env("LC_ALL", "C").env("XDG_DATA_HOME", dir.join("data"));
    run(&mut command, LIMIT).unwrap()
}

/// A run on a model whose writes and syncs take `us` each; the name of its result in the store.
fn stored(dir: &std::path::Path, us: u64, every: u64) -> testbed::child::Ran {
    let ran = own(
        dir,
        &format!(
            "run --name=load --ioengine=model --model_law=uniform:{us}us-{}us --size=1g --rw=randwrite --bs=4k --iodepth=1 \
             --fdatasync={every} --runtime=20 --time_based",
            us + us / 10
        ),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

/// With several I/Os in flight a sync does not cover all writes in front of it, and the card says so; at depth 1 it does.
#[test]
fn card_of_queued_commits_says_what_a_sync_does_not_cover() {
    let sandbox = Sandbox::new().unwrap();
    for (depth, says) in [(1, false), (4, true)] {
        let args = format!(
            "run --name=c --ioengine=model --model_law=constant:1ms --model_servers=4 --size=16m --rw=write --bs=4k \
             --iodepth={depth} --fdatasync=16 --no-store"
        );
        let card = own(sandbox.path(), &args).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(card.contains("a sync does not cover writes"), says, "iodepth={depth}: {card}");
    }
}

/// The card leads with the commits where a job syncs after at most eight writes, and ends with them elsewhere.
#[test]
fn card_leads_with_commits_where_syncs_follow_few_writes() {
    for (every, leads) in [(1, true), (8, true), (9, false), (64, false)] {
        let sandbox = Sandbox::new().unwrap();
        let card = stored(sandbox.path(), 100, every).stdout;
        let row = |kind: &str| {
            let named = |line: &str| line.split_whitespace().any(|word| word == kind);
            card.lines()
                .position(|line| named(line) && !line.starts_with("commit"))
                .unwrap_or_else(|| panic!("no row {kind}: {card}"))
        };
        let (commit, sync, write) = (row("commit"), row("sync"), row("write"));
        assert!(commit + 1 == sync && (commit < write) == leads, "fdatasync={every}: {card}");
        let csv = own(sandbox.path(), "export R1 --csv").stdout;
        let kinds: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').nth(2)).collect();
        let order = if leads { ["commit", "sync", "write"] } else { ["write", "commit", "sync"] };
        assert_eq!(kinds, order, "fdatasync={every}: {csv}");
        assert_eq!(own(sandbox.path(), "report R1 -o page.html").code, Some(0));
        let page = std::fs::read_to_string(sandbox.join("page.html")).unwrap();
        assert!(page.contains("load commit") && page.contains("load sync"), "fdatasync={every}");
    }
}

/// Commits of 200 us against commits of 300 us: a difference of a half. The same device twice: none.
#[test]
fn compare_shows_commits_first_and_tells_what_differs() {
    let sandbox = Sandbox::new().unwrap();
    stored(sandbox.path(), 100, 1);
    stored(sandbox.path(), 150, 1);
    let slower = own(sandbox.path(), "compare R1 R2");
    let rows: Vec<&str> = slower.stdout.lines().filter(|line| line.contains("p99 ")).collect();
    assert!(rows[0].contains("commit p99") && rows[0].contains("slower"), "{slower:?}");
    assert!(slower.stdout.contains("sync p99") && slower.stdout.contains("fdatasync=1"), "{slower:?}");
    let numbers = rows[0].split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    assert!(numbers.into_iter().any(|ratio| (1.45..1.55).contains(&ratio)), "{slower:?}");
    // A job that syncs after every fourth write is another job.
    stored(sandbox.path(), 100, 4);
    let other = own(sandbox.path(), "compare R1 R3");
    assert!(other.stderr.contains("not measured under equal conditions"), "{other:?}");
    let sandbox = Sandbox::new().unwrap();
    stored(sandbox.path(), 100, 1);
    stored(sandbox.path(), 100, 1);
    let same = own(sandbox.path(), "compare R1 R2");
    assert!(!same.stdout.contains("B is "), "{same:?}");
}

/// The check's durable row on a file system on a device: the device has seen as many flushes as there were commits, and a
/// commit takes no less than its sync.
#[test]
fn check_row_of_durable_writes_flushes_the_device() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 256 << 20).unwrap();
    let device = mount.device().unwrap();
    let before = device.stats().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.arg(mount.path()).args(["--seconds=2", "--no-store", "--json"]);
    let ran = run(&mut command, LIMIT).unwrap();
    let flushes = device.stats().unwrap().since(&before).flushes;
    let card: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    let durable = |row: &&Value| row["pattern"] == "4k durable";
    let row = card["rows"].as_array().unwrap().iter().find(durable).unwrap_or_else(|| panic!("{ran:?}"));
    let figure = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"));
    let commits = figure("iops") * figure("runtime_ms") / 1e3;
    assert!(commits > 5.0 && flushes as f64 >= 0.98 * commits, "{flushes} flushes, {commits} commits: {row}");
    assert!(figure("p50_ns") >= figure("sync_p50_ns") && figure("p99_ns") >= figure("sync_p50_ns"), "{row}");
    assert!((0.8..1.05).contains(&figure("depth_reached")), "one commit at a time: {row}");
    assert_eq!((row["depth"].as_u64(), row["direction"].as_str()), (Some(1), Some("write")), "{row}");
}

/// Percentiles of the syncs of fio's and of fathom's job on a disk whose flushes follow a law: seven runs of each, in turn.
/// The medians differ by 5 % at most.
#[test]
fn measures_p99_of_sync_is_fios() {
    skip_without!(Need::Fuse, Need::Program("fio"));
    let (fast, slow) = (Duration::from_millis(1), Duration::from_millis(6));
    let disk = disk(micros(100), Law::Bimodal { fast, slow, slow_share: 0.05 });
    let args = "--rw=write --ioengine=sync --bs=2300 --direct=0 --fdatasync=1 --size=2300k --number_ios=400";
    let p99 = |fio| micros_of(&job(fio, &disk, args)["sync"]["lat_ns"], "99.000000");
    let (ours, fios): (Vec<f64>, Vec<f64>) = (0..7).map(|_| (p99(false), p99(true))).unzip();
    println!("p99 of sync: fathom {ours:?} us, fio {fios:?} us");
    let ratio = median(ours.clone()) / median(fios.clone());
    assert!((ratio - 1.0).abs() <= 0.05, "fathom {ours:?} us, fio {fios:?} us");
}
