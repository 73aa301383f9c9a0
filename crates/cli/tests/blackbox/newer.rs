//! Options that fio 3.33 does not know: each is shown by the kernel, not by our own word.

use crate::common::{document, fathom, sum, words};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::{FileSystem, LoopDevice, Mount, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

fn job(args: &str, dir: &Path) -> Ran {
    let line = format!("--name=a --size=1m --output-format=json {args}");
    run(fathom().args(words(&line)).current_dir(dir), LIMIT).unwrap()
}

fn good(args: &str, dir: &Path) -> Value {
    let ran = job(args, dir);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args}: {ran:?}");
    document(&ran)
}

/// One line that says why, and no run.
fn refused(args: &str, why: &str) {
    let sandbox = Sandbox::new().unwrap();
    let ran = job(args, sandbox.path());
    assert!(ran.code == Some(1) && ran.stderr.contains(why), "{args}: {ran:?}");
}

/// The job's system calls as strace shows them with these switches, a line each.
fn calls(trace: &str, args: &str, sandbox: &Sandbox) -> Vec<String> {
    let path = sandbox.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-y"]).args(words(trace)).arg("-o").arg(&path);
    command.arg(fathom().get_program()).args(["fio", "--name=a", "--bs=4k", "--size=64k"]).args(words(args));
    let ran = run(command.current_dir(sandbox.path()), LIMIT).unwrap();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args}: {ran:?}");
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn count(lines: &[String], what: &str) -> usize {
    lines.iter().filter(|line| line.contains(what)).count()
}

#[test]
fn the_thread_has_the_name_that_comm_gives_it() {
    let named = |args: &str, wanted: &str| {
        let sandbox = Sandbox::new().unwrap();
        let line = format!("--name=a --size=4k --ioengine=null --startdelay=20 {args}");
        let running = Running::start(fathom().args(words(&line)).current_dir(sandbox.path())).unwrap();
        let began = Instant::now();
        let names = || {
            let tasks = std::fs::read_dir(format!("/proc/{}/task", running.pid())).unwrap();
            let name = |task: std::io::Result<std::fs::DirEntry>| {
                std::fs::read_to_string(task.unwrap().path().join("comm")).unwrap_or_default()
            };
            tasks.map(name).map(|name| name.trim().to_owned()).collect::<Vec<_>>()
        };
        while !names().iter().any(|name| name == wanted) {
            assert!(began.elapsed() < LIMIT, "no thread is called {wanted}: {:?}", names());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    named("--comm=reader", "reader");
    named("--comm=longer-than-fifteen-bytes", "longer-than-fif");
    named("", "a");
}

#[test]
fn hints_reach_the_kernel_in_the_bits_between_class_and_level() {
    skip_without!(Need::Root, Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    let set = |args: &str| {
        let lines = calls("-e trace=ioprio_set -e raw=ioprio_set", args, &sandbox);
        let line = lines.into_iter().find(|line| line.contains("ioprio_set")).unwrap_or_default();
        line.split_once(") ").map_or("", |(call, _)| call).rsplit(", ").next().unwrap_or_default().to_owned()
    };
    let value = |class: u32, hint: u32, level: u32| format!("{:#x}", class << 13 | hint << 3 | level);
    assert_eq!(set("--priohint=5"), value(2, 5, 0));
    assert_eq!(set("--prio=3 --prioclass=1 --priohint=1023"), value(1, 1023, 3));
    assert_eq!(set("--prio=3 --priohint=0"), value(2, 0, 3));
    assert_eq!(set("--priohint=0"), "");
    // This strace takes the hint for part of the level.
    let requests = |args: &str| {
        let args = format!("--ioengine=libaio --iodepth=4 --rw=randrw --cmdprio_class=2 {args}");
        calls("-v -e trace=io_submit -e abbrev=none", &args, &sandbox).concat()
    };
    let all = requests("--cmdprio_percentage=100 --cmdprio=1 --cmdprio_hint=2,7");
    let with = |all: &str, kind: &str, level: u32| {
        let value = format!("IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, {level})");
        all.split("aio_data=").filter(|r| r.contains(kind) && r.contains(&value)).count()
    };
    let (reads, writes) = (with(&all, "CMD_PREAD", 2 << 3 | 1), with(&all, "CMD_PWRITE", 7 << 3 | 1));
    assert!(reads > 0 && writes > 0 && reads + writes == 16, "{reads} {writes} {all}");
    let all = requests("--cmdprio_bssplit=4k/100/2/1/3");
    assert_eq!(with(&all, "CMD_P", 3 << 3 | 1), 16, "{all}");
}

#[test]
fn priorities_that_differ_by_their_hints_are_told_apart() {
    let sandbox = Sandbox::new().unwrap();
    let told = |args: &str| -> Vec<Value> {
        let all = format!("--ioengine=io_uring --rw=randread --bs=4k {args}");
        good(&all, sandbox.path())["jobs"][0]["read"]["prios"].as_array().cloned().unwrap_or_default()
    };
    let prios = told("--cmdprio_bssplit=4k/50/2/1/0:4k/50/2/1/3");
    let key = |at: usize, key: &str| prios[at][key].as_u64();
    assert_eq!((prios.len(), key(0, "priohint"), key(1, "priohint")), (2, Some(0), Some(3)), "{prios:?}");
    assert_eq!((key(0, "prioclass"), key(0, "prio"), key(1, "prio")), (Some(2), Some(1), Some(1)));
    let n: u64 = prios.iter().map(|p| p["clat_ns"]["N"].as_u64().unwrap()).sum();
    assert_eq!(n, 256);
    // Without hints the keys are those of fio 3.33.
    let prios = told("--cmdprio_bssplit=4k/50/2/1:4k/50/2/4");
    assert!(prios.len() == 2 && prios.iter().all(|p| p.get("priohint").is_none()), "{prios:?}");
    let text =
        "--name=a --size=1m --ioengine=io_uring --rw=randread --cmdprio_bssplit=4k/50/2/1/0:4k/50/2/1/3";
    let ran = run(fathom().args(words(text)).current_dir(sandbox.path()), LIMIT).unwrap();
    assert!(ran.stdout.contains("clat prio 2/1/0 ") && ran.stdout.contains("clat prio 2/1/3 "), "{ran:?}");
}

#[test]
fn end_syncfs_is_one_call_and_no_fsync() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    let seen = |args: &str| {
        // The layout has syncs of its own.
        let args = format!("--rw=write --fallocate=none --nrfiles=4 {args}");
        let lines = calls("-e trace=syncfs,fsync,fdatasync", &args, &sandbox);
        (count(&lines, " syncfs("), count(&lines, " fsync("))
    };
    assert_eq!(seen("--end_syncfs=1"), (1, 0));
    assert_eq!(seen("--end_syncfs=1 --loops=3"), (3, 0));
    assert_eq!(seen("--end_syncfs=1 --end_fsync=1"), (1, 0));
    assert_eq!(seen("--end_syncfs=1 --fsync_on_close=1"), (1, 4));
    assert_eq!(seen("--end_syncfs=1 --openfiles=2"), (1, 0));
    assert_eq!(seen("--end_fsync=1"), (0, 4));
    assert_eq!(seen("--end_syncfs=0"), (0, 0));
    let lines = calls("-e trace=syncfs", "--rw=read --end_syncfs=1", &sandbox);
    assert_eq!(count(&lines, "syncfs("), 0, "a job that only reads");
}

#[test]
fn vectored_requests_of_libaio_are_vectored() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    let seen = |args: &str| {
        let args = format!("--ioengine=libaio --iodepth=4 {args}");
        let all = calls("-v -e trace=io_submit -e abbrev=none", &args, &sandbox).concat();
        ["CMD_PREADV,", "CMD_PWRITEV,", "CMD_PREAD,", "CMD_PWRITE,"].map(|kind| all.matches(kind).count())
    };
    assert_eq!(seen("--rw=read --libaio_vectored=1"), [16, 0, 0, 0]);
    assert_eq!(seen("--rw=write --libaio_vectored=1"), [0, 16, 0, 0]);
    assert_eq!(seen("--rw=write --libaio_vectored=0"), [0, 0, 0, 16]);
}

#[test]
fn job_start_is_told_by_the_clock_that_is_asked_for() {
    let sandbox = Sandbox::new().unwrap();
    let start = |args: &str| {
        good(&format!("--ioengine=null {args}"), sandbox.path())["jobs"][0]["job_start"].as_u64()
    };
    let uptime = || {
        let text = std::fs::read_to_string("/proc/uptime").unwrap();
        (text.split(' ').next().unwrap().parse::<f64>().unwrap() * 1000.0) as u64
    };
    let wall = || std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() as u64;
    let between = |clock: &dyn Fn() -> u64, args: &str| {
        let (before, told, after) = (clock(), start(args).unwrap(), clock());
        // /proc/uptime has hundredths of a second.
        assert!((before..=after + 10).contains(&told), "{args}: {before} {told} {after}");
    };
    between(&uptime, "--job_start_clock_id=7");
    between(&wall, "--job_start_clock_id=0");
    // TAI is ahead of the wall clock by the leap seconds that the kernel was told of, and never behind.
    assert!(start("--job_start_clock_id=11").unwrap() >= start("").unwrap_or_default());
    // fio 3.33 has no such key.
    assert_eq!(start(""), None);
    refused("--job_start_clock_id=2", "job_start_clock_id=2: must be the number of a clock");
}

#[test]
fn ramp_size_leaves_so_many_bytes_out_of_the_report() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    const K: f64 = 1024.0;
    let read = |args: &str| good(&format!("--bs=4k --rw=read {args}"), sandbox.path());
    let bytes = |document: &Value| sum(document, "read", "io_bytes");
    assert_eq!(bytes(&read("--ramp_size=256k")), 768.0 * K);
    assert_eq!(bytes(&read("--ramp_size=0")), 1024.0 * K);
    assert_eq!(bytes(&read("--ramp_size=6000 --ioengine=null")), 1016.0 * K);
    // As with ramp_time, in fio 3.33 too.
    assert_eq!(bytes(&read("--ramp_size=2m")), 1024.0 * K, "a job that ends before");
    let deep = bytes(&read("--ramp_size=256k --ioengine=io_uring --iodepth=16"));
    assert!((700.0 * K..=768.0 * K).contains(&deep), "{deep}");
    // All the same everything is written.
    let lines = calls("-e trace=pwrite64", "--rw=write --ramp_size=32k", &sandbox);
    assert_eq!(count(&lines, "a.0.0>, "), 16);
    // Two members of a group: together, and each by itself where they are reported by themselves.
    let two = "--numjobs=2 --ioengine=model --model_law=constant:100us --ramp_size=256k";
    let apart = read(two);
    assert_eq!(bytes(&apart), 2.0 * 768.0 * K);
    let together = bytes(&read(&format!("{two} --group_reporting")));
    assert!((together - (2048.0 - 256.0) * K).abs() <= 8.0 * K, "{together}");
    // In time: a hundred I/Os of a millisecond after thirty that nobody sees.
    let late = "--ioengine=model --model_law=constant:1ms --number_ios=130 --ramp_size=120k";
    let late = read(late);
    assert_eq!(sum(&late, "read", "total_ios"), 100.0);
    assert_eq!(sum(&late, "read", "runtime"), 100.0);
    refused("--ramp_size=1m --ramp_time=1", "ramp_size=1m: cannot be combined with ramp_time");
    refused("--ramp_size=1m --ioengine=cpuio --cpuload=50", "moves no bytes; use ramp_time");
    refused(
        "--ramp_size=64k --group_reporting --name=b --group_reporting --ramp_size=32k",
        "ramp_size: must be the same in all jobs of a reporting group; a has 65536 bytes, b 32768",
    );
}

#[test]
fn what_filetype_says_is_not_asked_and_not_made() {
    skip_without!(Need::Root, Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    let missing = sandbox.join("nvme7n1");
    let write = |kind: &str, path: &Path| {
        job(&format!("--rw=write --filetype={kind} --filename={}", path.display()), sandbox.path())
    };
    // Without it a file is made where the device is missing.
    let ran = write("block", &missing);
    assert!(ran.code == Some(1) && ran.stderr.contains("No such file"), "{ran:?}");
    assert!(!missing.exists());
    let device = LoopDevice::new(1 << 20).unwrap();
    assert_eq!(write("block", device.path()).code, Some(0));
    let ran = write("file", device.path());
    assert!(
        ran.code == Some(1) && ran.stderr.contains("filetype=file, and it is no regular file"),
        "{ran:?}"
    );
    let file = sandbox.file("there", 1 << 20).unwrap();
    let ran = write("block", &file);
    assert!(
        ran.code == Some(1) && ran.stderr.contains("filetype=block, and it is no block device"),
        "{ran:?}"
    );
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 1 << 20);
    assert_eq!(write("file", &file).code, Some(0));
    assert_eq!(write("file", &missing).code, Some(0));
    let ran = write("char", Path::new("/dev/null"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Offsets in blocks of 4k, in the order of the calls.
fn places(args: &str) -> Vec<u64> {
    let sandbox = Sandbox::new().unwrap();
    let lines = calls("-e trace=pwrite64", &format!("--rw=randwrite --size=32k {args}"), &sandbox);
    let place = |line: &String| -> Option<u64> {
        let (call, _) = line.split_once("a.0.0>, ")?.1.split_once(") = ")?;
        call.rsplit(", ").next()?.parse().ok()
    };
    lines.iter().filter_map(place).map(|offset| offset / 4096).collect()
}

#[test]
fn a_sequence_is_followed_and_with_stride_moves_on() {
    skip_without!(Need::Program("strace"));
    assert_eq!(places("--random_distribution=sequence:2,0,1"), [2, 0, 1, 2, 0, 1, 2, 0]);
    assert_eq!(places("--random_distribution=sequence:7"), [7; 8]);
    assert_eq!(places("--random_distribution=sequence:2,0,1 --random_sequence_stride=1"), [2, 0, 1, 5, 3, 4]);
    let twice = "--random_distribution=sequence:1,0 --random_sequence_stride=1 --loops=2";
    assert_eq!(places(twice), [1, 0, 3, 2, 5, 4, 7, 6, 1, 0, 3, 2, 5, 4, 7, 6]);
    refused(
        "--bs=4k --size=32k --rw=randread --random_distribution=sequence:0,99",
        "fio: sequence access block 99 in base pattern out of bounds (max 8) for file a.0.0",
    );
    refused(
        "--rw=randread --random_distribution=sequence",
        "must list numbers of blocks, e.g. sequence:2,0,1",
    );
    refused("--rw=randread --random_distribution=sequence:1,x", "must list numbers of blocks");
}

/// With `atomic=1`, writes have RWF_ATOMIC (0x40) and reads do not; a file whose writes cannot be atomic ends the job
/// before its first I/O.
#[test]
fn atomic_writes_have_the_flag_or_are_refused() {
    refused("--atomic=1 --ioengine=psync", "atomic=1: ioengine=psync has no atomic writes");
    refused("--atomic=1 --ioengine=io_uring --fixedbufs=1", "cannot be combined with atomic");
    skip_without!(Need::Root, Need::Loop, Need::Program("mkfs.xfs"), Need::Program("strace"));
    let mounted = Mount::new(FileSystem::Xfs, 320 << 20).unwrap();
    let unlike = |dir: &Path, args: &str, why: &str| {
        let ran = job(&format!("--rw=write --ioengine=pvsync2 --atomic=1 {args}"), dir);
        assert!(ran.code == Some(1) && ran.stderr.contains(why), "{args}: {ran:?}");
        let told = document(&ran);
        assert_eq!((sum(&told, "write", "total_ios"), &told["jobs"][0]["error"]), (0.0, &Value::from(95)));
    };
    let plain = Mount::new(FileSystem::Tmpfs, 8 << 20).unwrap();
    unlike(plain.path(), "", "a.0.0 has no atomic writes");
    // Before Linux 6.16, xfs has none either.
    let ran = job("--rw=write --ioengine=pvsync2 --atomic=1", mounted.path());
    if ran.code != Some(0) {
        assert!(ran.stderr.contains("a.0.0 has no atomic writes"), "{ran:?}");
        return;
    }
    unlike(mounted.path(), "--bs=5k", "5.0 KiB (5120 bytes) cannot be written atomically");
    for engine in ["pvsync2 --hipri_percentage=50", "libaio", "libaio --libaio_vectored=1", "io_uring"] {
        let told = good(&format!("--rw=randrw --atomic=1 --ioengine={engine}"), mounted.path());
        assert_eq!(sum(&told, "write", "total_ios") + sum(&told, "read", "total_ios"), 256.0, "{engine}");
    }
    let sandbox = Sandbox::new().unwrap();
    for (engine, call) in [("pvsync2", "pwritev2"), ("libaio", "IOCB_CMD_PWRITE")] {
        let args = format!("--rw=rw --atomic=1 --ioengine={engine} --directory={}", mounted.path().display());
        let lines = calls("-e trace=preadv2,pwritev2,io_submit", &args, &sandbox);
        let (writes, reads): (Vec<_>, Vec<_>) = lines
            .iter()
            .filter(|line| line.contains("v2(") || line.contains("io_submit("))
            .partition(|line| line.contains(call));
        assert!(!writes.is_empty() && !reads.is_empty(), "{engine}: {lines:?}");
        assert!(writes.iter().all(|line| line.contains("0x40") || line.contains("RWF_ATOMIC")), "{writes:?}");
        assert!(!reads.iter().any(|line| line.contains("0x40 ") || line.contains("RWF_ATOMIC")), "{reads:?}");
    }
}
