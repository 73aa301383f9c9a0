//! What makes data durable and keeps I/Os in order, beside fio: calls that reach the kernel, depths, errors.
#![allow(clippy::unwrap_used)]

mod common;

use common::{document, fathom, words};
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);

/// Calls that sync, in order, as strace shows them, with the file's number for its descriptor.
fn syncs(fio: bool, sandbox: &Sandbox, args: &str) -> Vec<String> {
    let dir = sandbox.join(if fio { "fio" } else { "fathom" });
    std::fs::create_dir(&dir).unwrap();
    let trace = dir.join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-e", "trace=sync_file_range,fsync,fdatasync", "-o"]).arg(&trace);
    let shipped = fathom();
    command.arg(if fio { "fio".as_ref() } else { shipped.get_program() });
    command.args(if fio { [].as_slice() } else { &["fio"] });
    command.args(words(&format!("--name=c --bs=4k --fallocate=none --thread {args}"))).current_dir(&dir);
    let ran = run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = std::fs::read_to_string(&trace).unwrap();
    let mut files: Vec<String> = Vec::new();
    let mut call = |line: &str| {
        let (name, rest) = line.split_once(' ')?.1.trim_start().split_once('(')?;
        let (args, _) = rest.split_once(')')?;
        let (fd, args) = args.split_once(',').unwrap_or((args, ""));
        let file = files.iter().position(|known| known == fd).unwrap_or_else(|| {
            files.push(fd.to_owned());
            files.len() - 1
        });
        Some(format!("{name} {file}{args}"))
    };
    text.lines().filter_map(&mut call).collect()
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
