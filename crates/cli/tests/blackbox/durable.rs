//! What makes data durable and keeps I/Os in order, beside fio: calls that reach the kernel, depths, errors.

use crate::common::{document, fathom, words};
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

/// Calls that sync, in order, as strace shows them, with the file's name for its descriptor.
fn syncs(fio: bool, sandbox: &Sandbox, args: &str) -> Vec<String> {
    let dir = sandbox.join(if fio { "fio" } else { "fathom" });
    std::fs::create_dir(&dir).unwrap();
    let trace = dir.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-e", "trace=sync_file_range,fsync,fdatasync", "-o"]).arg(&trace);
    let shipped = fathom();
    command.arg(if fio { "fio".as_ref() } else { shipped.get_program() });
    command.args(if fio { [].as_slice() } else { &["fio"] });
    command.args(words(&format!("--name=c --bs=4k --fallocate=none --thread {args}"))).current_dir(&dir);
    let ran = run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = std::fs::read_to_string(&trace).unwrap();
    let call = |line: &str| {
        let (name, rest) = line.split_once(' ')?.1.trim_start().split_once('(')?;
        let (args, _) = rest.split_once(')')?;
        let (fd, args) = args.split_once(',').unwrap_or((args, ""));
        let file = fd.trim_end_matches('>').rsplit('/').next()?;
        // Calls that this strace has no name for are not filtered.
        name.contains("sync").then(|| format!("{name} {file}{args}"))
    };
    text.lines().filter_map(call).collect()
}

#[test]
fn ranges_that_reach_the_kernel_are_fios() {
    skip_without!(Need::Program("fio"), Need::Program("strace"));
    let jobs = [
        "--rw=write --size=96k --sync_file_range=write:3 --nrfiles=3",
        "--rw=write --size=128k --sync_file_range=wait_before,write,wait_after:4 --fsync=8 --nrfiles=2 --file_service_type=sequential",
        "--rw=write --size=64k --sync_file_range=write,wait_after:4 --fdatasync=6 --loops=2",
        "--rw=write --size=96k --sync_file_range=write:3 --nrfiles=2 --file_service_type=roundrobin:3",
        "--rw=write --size=64k --sync_file_range=wait_before --ioengine=pvsync2",
        "--rw=write --size=64k --sync_file_range=write:4k --ioengine=libaio",
        "--rw=write --size=64k --sync_file_range=write:5 --ioengine=splice",
    ];
    for args in jobs {
        let sandbox = Sandbox::new().unwrap();
        let (ours, fios) = (syncs(false, &sandbox, args), syncs(true, &sandbox, args));
        assert!(fios.len() > 2, "{args}: {fios:?}");
        assert_eq!(ours, fios, "{args}");
    }
}

/// io_uring has its own request for it, which no strace shows: the kernel must take it.
#[test]
fn a_ring_syncs_ranges_too() {
    let sandbox = Sandbox::new().unwrap();
    let args = "--name=c --bs=4k --size=64k --rw=write --ioengine=io_uring --iodepth=4 --sync_file_range=write:4 --output-format=json";
    let ran = run(fathom().args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(document(&ran)["jobs"][0]["sync"]["total_ios"], 3);
}

/// Writes to one block are never two at a time; reads alone are not held.
#[test]
fn what_overlaps_waits() {
    let sandbox = Sandbox::new().unwrap();
    let depths = |args: &str| {
        let all = format!(
            "--name=c --bs=4k --filename=c --ioengine=io_uring --iodepth=8 --output-format=json {args}"
        );
        let ran = run(fathom().args(words(&all)).current_dir(sandbox.path()), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        document(&ran)["jobs"][0]["iodepth_level"]["1"].as_f64().unwrap()
    };
    let writes = "--rw=randwrite --norandommap --size=4k --io_size=400k";
    assert!(depths(writes) < 50.0);
    assert_eq!(depths(&format!("{writes} --serialize_overlap=1")), 100.0);
    let reads = "--rw=randread --norandommap --size=64k --io_size=64k --serialize_overlap=1";
    assert!(depths(reads) < 50.0);
}

/// A latency beyond the bound ends the job as in fio: what is counted, the error, and the line that says which I/O.
#[test]
fn max_latency_ends_the_job_as_in_fio() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    let ask = |fio: bool, args: &str| {
        let mut command = if fio { Command::new("fio") } else { fathom() };
        let all = format!("--name=c --filename=c --bs=4k --size=64k --output-format=json {args}");
        run(command.args(words(&all)).current_dir(sandbox.path()), LIMIT).unwrap()
    };
    for args in [
        "--rw=write --max_latency=1us",
        "--rw=read --max_latency=1us,1s",
        "--rw=write --max_latency=1s,1us --continue_on_error=all",
        "--rw=write --max_latency=1us --disable_clat=1",
        // Nothing is looked at here.
        "--rw=read --max_latency=1s,1us",
        "--rw=write --max_latency=1us --disable_lat=1",
        "--rw=write --max_latency=1us --gtod_reduce=1",
        "--rw=write --max_latency=0",
        "--rw=write --max_latency=10s",
    ] {
        let (ours, fios) = (ask(false, args), ask(true, args));
        assert_eq!(ours.code, fios.code, "{args}: {ours:?} {fios:?}");
        let counts = |ran: &testbed::child::Ran| {
            let job = document(ran)["jobs"][0].clone();
            (job["error"].clone(), job["read"]["total_ios"].clone(), job["write"]["total_ios"].clone())
        };
        assert_eq!(counts(&ours), counts(&fios), "{args}");
        // Numbers and pid apart, the same words; a fio that looks for a file before it is there says so, and goes on.
        let said = |text: &str| {
            let early = "stat: No such file or directory\n";
            text.replace(early, "").chars().filter(|c| !c.is_ascii_digit()).collect::<String>()
        };
        assert_eq!(said(&ours.stderr), said(&fios.stderr), "{args}");
    }
}

/// In virtual time the I/O that is too slow is known: nine of ten take 1 ms, one takes 50.
#[test]
fn max_latency_finds_the_slow_one() {
    let sandbox = Sandbox::new().unwrap();
    let ends = |most: &str| {
        let args = format!(
            "--name=m --ioengine=model --model_law=mixture:90/1ms:10/50ms --size=4m --bs=4k --max_latency={most} --output-format=json"
        );
        let ran = run(fathom().args(words(&args)).current_dir(sandbox.path()), LIMIT).unwrap();
        let job = document(&ran)["jobs"][0].clone();
        (ran.code, job["error"].as_u64(), job["read"]["total_ios"].as_u64().unwrap())
    };
    let (code, error, ios) = ends("49ms");
    assert_eq!((code, error), (Some(1), Some(110)));
    assert!((1..200).contains(&ios), "{ios}");
    assert_eq!(ends("50ms"), (Some(0), Some(0), 1024));
    // Each takes too long; the first that counts is the one behind the ramp.
    let args = "--name=m --ioengine=model --model_law=constant:50ms --size=4m --bs=4k --ramp_time=1 --max_latency=49ms";
    let ran = run(fathom().args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap();
    let (_, behind) = ran.stderr.split_once(" read ").unwrap();
    let offset: u64 = behind.split(' ').next().unwrap().parse().unwrap();
    assert!((19..=21).contains(&(offset / 4096)), "{ran:?}");
}

/// No call on a file begins while another clone's is under way.
#[test]
fn with_lockfile_calls_on_a_file_exclude_each_other() {
    skip_without!(Need::Program("strace"));
    let sandbox = Sandbox::new().unwrap();
    let traced = |args: &str| {
        let mut command = Command::new("strace");
        command.args(["-f", "-y", "-e", "trace=pread64,pwrite64", "-o", "trace"]);
        command.arg(fathom().get_program()).arg("fio").current_dir(sandbox.path());
        let all = format!(
            "--name=c --filename=c --ioengine=psync --bs=4m --size=32m --numjobs=3 --invalidate=0 {args}"
        );
        let ran = run(command.args(words(&all)), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let text = std::fs::read_to_string(sandbox.join("trace")).unwrap();
        let mut under_way: Vec<(&str, bool)> = Vec::new();
        let (mut calls, mut together, mut reads) = (0, 0, 0);
        for line in text.lines() {
            let thread = line.split(' ').next().unwrap();
            if line.contains("resumed>") {
                under_way.retain(|(other, _)| *other != thread);
            } else if line.contains("/c>, ") {
                calls += 1;
                let read = line.contains("pread64");
                let others = under_way.len();
                let only_reads = read && under_way.iter().all(|(_, read)| *read);
                reads += usize::from(others > 0 && only_reads);
                together += usize::from(others > 0 && !only_reads);
                if line.contains("<unfinished") {
                    under_way.push((thread, read));
                }
            }
        }
        assert!(calls >= 24, "{text}");
        (together, reads)
    };
    assert_eq!(traced("--rw=write --lockfile=exclusive"), (0, 0));
    assert_eq!(traced("--rw=read --lockfile=exclusive"), (0, 0));
    assert_eq!(traced("--rw=rw --lockfile=readwrite").0, 0);
}

/// An engine that makes no file has none to sync at the end, few open at a time or not.
#[test]
fn nothing_is_synced_at_the_end_where_there_is_no_file() {
    let sandbox = Sandbox::new().unwrap();
    for more in ["", "--openfiles=2", "--openfiles=1 --fsync_on_close=1"] {
        let job =
            "--name=n --ioengine=null --rw=randwrite --size=1500k --nrfiles=3 --end_fsync=1 --output=report";
        let ran = crate::common::run(&words(&format!("{job} {more}")), sandbox.path());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{more}: {ran:?}");
    }
}
