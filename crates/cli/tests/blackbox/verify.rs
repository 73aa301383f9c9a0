//! Verification of written data: files that fio and fathom check for each other, damage that a disk does, and disks
//! that do none.

use crate::common::{document, fathom, words};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running, run};
use testbed::fuse::{Corruption, Faults, FuseDisk, Model, Rule};
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(60);
const METHODS: [&str; 16] = [
    "md5", "crc64", "crc32", "crc32c", "crc16", "crc7", "sha1", "sha256", "sha512", "sha3-224", "sha3-256",
    "sha3-384", "sha3-512", "xxhash", "meta", "pattern",
];

fn fio(directory: &Path, args: &str) -> Command {
    let mut command = fathom();
    command.args(words(args)).current_dir(directory);
    command
}

fn oracle(directory: &Path, args: &str) -> Command {
    let mut command = Command::new("/usr/bin/fio");
    command.args(words(args)).current_dir(directory);
    command
}

#[track_caller]
fn passed(mut command: Command) -> Ran {
    let ran = run(&mut command, LIMIT).unwrap();
    assert!(ran.code == Some(0), "{command:?}: {ran:#?}");
    ran
}

/// A job file with a job for each method, which writes or reads its own file.
fn jobs(rw: &str, layout: &str) -> String {
    let mut text = format!("[global]\nsize=96k\nrw={rw}\nverify_state_save=0\n{layout}\n");
    for method in METHODS {
        text +=
            &format!("[{method}]\nfilename=f.{method}\nverify={method}\nverify_pattern=0xdead%o\"abc\"\n");
        if method != "pattern" {
            text += "verify_pattern=\n";
        }
    }
    text.replace("verify_pattern=0xdead%o\"abc\"\nverify_pattern=\n", "")
}

/// Each program checks what the other one wrote, for all methods and four layouts of blocks and headers.
#[test]
fn fio_and_fathom_check_the_files_of_each_other() {
    skip_without!(Need::Program("fio"));
    for layout in ["bs=4k", "bs=8k\nverify_interval=512", "bssplit=6k/50:8k/50", "bs=4k\nverify_offset=256"] {
        let sandbox = Sandbox::new().unwrap();
        let directory = sandbox.path();
        // A pattern has no header that could be elsewhere.
        std::fs::write(sandbox.join("write.fio"), jobs("randwrite", layout)).unwrap();
        std::fs::write(sandbox.join("read.fio"), jobs("read", layout)).unwrap();
        passed(fio(directory, "--minimal write.fio"));
        passed(oracle(directory, "--minimal read.fio"));
        for method in METHODS {
            std::fs::remove_file(sandbox.join(&format!("f.{method}"))).unwrap();
        }
        passed(oracle(directory, "--minimal write.fio"));
        passed(fio(directory, "--minimal read.fio"));
    }
}

/// Returns the names of damage in fathom's lines on standard error.
fn named(ran: &Ran) -> Vec<String> {
    let name = |line: &str| line.rsplit_once(", offset ")?.1.split(": ").nth(1).map(str::to_owned);
    let mut all: Vec<String> =
        ran.stderr.lines().filter(|line| line.starts_with("fathom: ")).filter_map(name).collect();
    all.sort();
    all.dedup();
    all
}

/// A disk that damages one write of the second pass: the damage is found, and named for what it is.
#[test]
fn damage_that_a_disk_does_is_found_and_named() {
    skip_without!(Need::Fuse);
    for (damage, names) in [
        (Corruption::Flip(12_345), vec!["flipped bit"]),
        (Corruption::Lose, vec!["lost write"]),
        (Corruption::Tear(1536), vec!["torn write"]),
        (Corruption::Misdirect(-4 * 4096), vec!["lost write", "misdirected"]),
        (Corruption::Zero, vec!["zeroed"]),
        (Corruption::Shift(512), vec!["shifted"]),
    ] {
        let faults = Faults { corrupt: Some((Rule::Nth(64 + 20), damage)), ..Faults::default() };
        let disk = FuseDisk::new(Model { size_bytes: 1 << 20, faults, ..Model::default() }).unwrap();
        let sandbox = Sandbox::new().unwrap();
        let mut command = fio(
            sandbox.path(),
            &format!(
                "--name=a --filename={} --size=256k --bs=4k --rw=write --loops=2 --verify=crc32c \
                 --verify_state_save=0 --continue_on_error=verify --output-format=json",
                disk.path().display()
            ),
        );
        let ran = run(&mut command, LIMIT).unwrap();
        assert_eq!(named(&ran), names, "{damage:?}: {ran:#?}");
        let job = &document(&ran)["jobs"][0];
        assert_eq!(job["total_err"], names.len(), "{damage:?}: {ran:#?}");
        assert_eq!(job["read"]["total_ios"], 128);
        let verification = &job["fathom"]["verification"];
        let damaged = verification["damaged"].as_object().unwrap().len();
        assert!(verification["blocks"] == 128 && damaged == names.len(), "{verification}");
        // Without continue_on_error, the first block ends the job.
        let disk = FuseDisk::new(Model { size_bytes: 1 << 20, faults, ..Model::default() }).unwrap();
        let args = format!(
            "--name=a --filename={} --size=256k --bs=4k --rw=write --loops=2 --verify=md5 --verify_state_save=0 --minimal",
            disk.path().display()
        );
        let ran = run(&mut fio(sandbox.path(), &args), LIMIT).unwrap();
        assert!(ran.code == Some(1) && ran.stdout.contains("err=84/file:io_u.c:2152"), "{ran:#?}");
    }
}

/// Overlapping writes, clones on one file, random sizes, several passes, checks during the writes, interrupted and short
/// transfers: on a good disk nothing is reported.
#[test]
fn good_disks_raise_no_alarm() {
    let sandbox = Sandbox::new().unwrap();
    let directory = sandbox.path();
    for options in [
        "--rw=randwrite --norandommap --bs=4k --size=32k --io_size=1m --ioengine=io_uring --iodepth=32",
        "--rw=randwrite --norandommap --bsrange=4k-16k --size=64k --io_size=1m --ioengine=libaio --iodepth=16",
        "--rw=randwrite:3 --bs=4k --size=256k --ioengine=io_uring --iodepth=8 --loops=3",
        "--rw=write:-8k --bs=8k --size=256k",
        "--rw=randrw --bssplit=4k/50:12k/50 --size=512k --numjobs=3 --filename=shared --ioengine=io_uring --iodepth=4",
        "--rw=randwrite --bs=4k --size=256k --numjobs=3 --filename=shared --norandommap --verify_backlog=7",
        "--rw=randwrite --bs=4k --size=256k --nrfiles=5 --openfiles=2 --loops=2",
        "--rw=randwrite --bs=4k --size=256k --verify_backlog=9 --verify_backlog_batch=4 --ioengine=libaio --iodepth=8",
        "--rw=randrw --bs=4k --size=256k --rate_iops=50000 --ramp_time=1ms",
        "--rw=randwrite --bs=2k --ba=1k --size=64k --io_size=256k --norandommap --ioengine=io_uring --iodepth=8",
        "--rw=randwrite --bs=2k --ba=1k --size=64k --io_size=256k --norandommap --verify_backlog=5",
        "--rw=write --bs=4k --size=256k --zonemode=strided --zonesize=8k --zonerange=16k",
        "--rw=randwrite --bs=4k --size=256k --verify=pattern --verify_pattern=%o --ioengine=mmap",
        "--rw=randwrite --random_distribution=zipf:1.2 --bs=4k --size=256k --io_size=1m --experimental_verify=1",
        "--rw=write --bs=4k --size=128k --buffer_compress_percentage=60 --verify_async=2",
        "--rw=randwrite --norandommap --bsrange=4k-16k --size=64k --io_size=1m --ioengine=libaio --iodepth=16 --verify_async=2",
        "--rw=randrw --bssplit=4k/50:12k/50 --size=512k --numjobs=3 --filename=shared --ioengine=io_uring --iodepth=4 --verify_async=1",
        "--rw=randwrite --bs=4k --size=256k --numjobs=3 --filename=shared --norandommap --verify_backlog=7 --verify_async=3",
        "--rw=randwrite --bs=4k --size=256k --nrfiles=5 --openfiles=2 --loops=2 --verify_async=2 --verify_async_cpus=0",
    ] {
        let args = format!(
            "--name=a --verify=crc32c --verify_state_save=0 --output-format=json --filename_format=f.$jobnum.$filenum {options}"
        );
        let ran = passed(fio(directory, &args));
        let report = document(&ran);
        for job in report["jobs"].as_array().unwrap() {
            assert!(
                job["read"]["total_ios"].as_u64().unwrap() > 0 && job["error"] == 0,
                "{options}: {ran:#?}"
            );
        }
        assert!(!ran.stderr.contains("verify"), "{options}: {ran:#?}");
    }
}

/// Threads that check blocks (`verify_async`) find, name, count and dump the same damage as the job's own thread, and end
/// the job at the same block.
#[test]
fn checking_threads_come_to_the_same_verdicts() {
    for (layout, options) in [
        ("--verify=sha256 --bs=4k", "--ioengine=psync"),
        (
            "--verify=crc32c --bs=16k --verify_interval=4k --verify_offset=64",
            "--ioengine=libaio --iodepth=16",
        ),
        ("--verify=sha3-256 --bs=200k", "--ioengine=io_uring --iodepth=4 --verify_async_cpus=0"),
        ("--verify=pattern --verify_pattern=%o --bs=4k", "--ioengine=mmap --thread"),
    ] {
        let sandbox = Sandbox::new().unwrap();
        let job = format!("--name=a --filename=f --size=1600k --verify_state_save=0 {layout}");
        passed(fio(sandbox.path(), &format!("{job} --rw=randwrite --verify_async=3 --minimal {options}")));
        // From the third block of 4 KiB on, each one is damaged, in four ways.
        let mut data = std::fs::read(sandbox.join("f")).unwrap();
        let earlier = data.clone();
        for (number, block) in data.chunks_mut(4096).enumerate().skip(2) {
            match number % 4 {
                0 => block[1000] ^= 4,
                1 => block.fill(0),
                2 => block[2048..].fill(7),
                _ => block.copy_from_slice(&earlier[..4096]),
            }
        }
        std::fs::write(sandbox.join("f"), data).unwrap();
        for ends in
            ["--continue_on_error=verify --verify_dump=1", "", "--continue_on_error=verify --verify_fatal=1"]
        {
            let depth = if ends.contains("dump") { "" } else { "--iodepth=1" };
            let checked = |threads: u32| {
                let args = format!(
                    "{job} --rw=read --output-format=json {options} {depth} {ends} --verify_async={threads}"
                );
                let ran = run(&mut fio(sandbox.path(), &args), LIMIT).unwrap();
                let mut lines: Vec<String> = ran.stderr.lines().map(str::to_owned).collect();
                lines.sort();
                let json = ran.stdout.find("\n{").map_or(ran.stdout.as_str(), |at| &ran.stdout[at..]);
                let report: serde_json::Value = serde_json::from_str(json).unwrap();
                let job = &report["jobs"][0];
                let mut dumped: Vec<(String, Vec<u8>)> = std::fs::read_dir(sandbox.path())
                    .unwrap()
                    .map(|entry| entry.unwrap().path())
                    .filter(|path| path.file_name().is_some_and(|name| name != "f"))
                    .map(|path| {
                        let data = std::fs::read(&path).unwrap();
                        std::fs::remove_file(&path).unwrap();
                        (path.display().to_string(), data)
                    })
                    .collect();
                dumped.sort();
                let verification = job["fathom"]["verification"].clone();
                ((ran.code, lines, job["error"].clone(), job["total_err"].clone(), verification), dumped)
            };
            let (alone, dumped) = checked(0);
            let (with_threads, also_dumped) = checked(2);
            assert_eq!(alone, with_threads, "{layout} {options} {ends}");
            assert!(
                dumped == also_dumped && dumped.is_empty() != ends.contains("dump"),
                "{layout}: dumped files differ"
            );
            assert!(alone.1.len() > 1, "{layout}: no damage was found");
        }
    }
}

/// Trims of verified blocks on a loop device, with and without the check for zeros: as many writes, trims and reads as by
/// fio.
#[test]
fn trimmed_blocks_are_read_back_as_by_fio() {
    skip_without!(Need::Program("fio"), Need::Loop);
    for (rw, zeros, backlog) in [
        ("trimwrite", 1, "--trim_backlog=16"),
        ("randtrimwrite", 1, "--trim_backlog=16"),
        ("trimwrite", 0, "--trim_backlog=16 --trim_backlog_batch=64"),
    ] {
        let device = LoopDevice::new(16 << 20).unwrap();
        let sandbox = Sandbox::new().unwrap();
        let path = device.path().display().to_string();
        let args = format!(
            "--name=a --filename={path} --rw={rw} --bs=4k --size=256k --direct=1 --verify=crc32c --verify_state_save=0 \
             --trim_percentage=100 --trim_verify_zero={zeros} {backlog}"
        );
        let issued = |ran: Ran| {
            let line = ran.stdout.lines().find(|line| line.contains("issued rwts"));
            line.map(|line| line.split_whitespace().nth(2).unwrap_or_default().to_owned())
        };
        let wanted = format!("total={},64,128,0", 64 * zeros);
        assert_eq!(issued(passed(oracle(sandbox.path(), &args))), Some(wanted.clone()), "fio {args}");
        let ours = format!("{args} --allow-destroy={path}");
        assert_eq!(issued(passed(fio(sandbox.path(), &ours))), Some(wanted), "fathom {args}");
    }
}

/// Each clone has its own checking threads, which run on the CPUs of `verify_async_cpus`.
#[test]
fn checking_threads_run_on_their_cpus() {
    let sandbox = Sandbox::new().unwrap();
    let args = "--name=a --size=64k --bs=4k --rw=write --rate_iops=5 --numjobs=2 --verify=crc32c --verify_state_save=0 \
                --verify_async=3 --verify_async_cpus=0 --minimal";
    let running = Running::start(&mut fio(sandbox.path(), args)).unwrap();
    let began = Instant::now();
    let cpus = || {
        let mut cpus = Vec::new();
        for task in std::fs::read_dir(format!("/proc/{}/task", running.pid())).unwrap().flatten() {
            let read = |name: &str| std::fs::read_to_string(task.path().join(name)).unwrap_or_default();
            if read("comm").trim() == "verify" {
                let status = read("status");
                let line =
                    status.lines().find(|line| line.starts_with("Cpus_allowed_list")).unwrap_or_default();
                cpus.push(line.rsplit(char::is_whitespace).next().unwrap_or_default().to_owned());
            }
        }
        cpus
    };
    while cpus() != ["0"; 6] {
        assert!(began.elapsed() < LIMIT, "{:?}", cpus());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What a job wrote is checked again by the same job with `verify_only`, in another run or in the same one, after several
/// passes, and by clones that share a file; a block that is exchanged for another one is found.
#[test]
fn what_an_earlier_run_wrote_is_checked_again() {
    for options in [
        "--rw=write --filename=f",
        "--rw=randwrite --filename=f --loops=3",
        "--rw=randwrite --norandommap --io_size=1m --filename=f",
        "--rw=randwrite --numjobs=3 --filename=f --norandommap",
        "--rw=randwrite --nrfiles=3",
    ] {
        let sandbox = Sandbox::new().unwrap();
        let directory = sandbox.path();
        let job =
            format!("--name=a --size=256k --bs=4k --verify=crc32c --verify_state_save=0 --minimal {options}");
        passed(fio(directory, &job));
        passed(fio(directory, &format!("{job} --verify_only")));
        let second = job.replace("--name=a", "--name=b --stonewall --verify_only");
        // Another job of the same run draws other blocks, unless it draws each once.
        if options.contains("--filename=f") && !options.contains("norandommap") {
            passed(fio(directory, &format!("{job} {second}")));
        }
        if options.contains("--rw=write") {
            let path = sandbox.join("f");
            let mut data = std::fs::read(&path).unwrap();
            data.copy_within(8192..12_288, 4096);
            std::fs::write(&path, data).unwrap();
            let ran = run(&mut fio(directory, &format!("{job} --verify_only")), LIMIT).unwrap();
            assert!(ran.code == Some(1) && named(&ran)[0] == "misdirected", "{ran:#?}");
        }
    }
}

/// Each clone leaves its own state, also where it lays out its files itself.
#[test]
fn each_clone_saves_its_own_state() {
    for options in ["", "--create_serialize=0"] {
        let sandbox = Sandbox::new().unwrap();
        let job = format!("--name=a --size=64k --rw=write --numjobs=3 --verify=crc32c {options}");
        passed(fio(sandbox.path(), &job));
        for clone in 0..3 {
            assert!(
                sandbox.join(&format!("local-a-{clone}-verify.state")).exists(),
                "{options}: clone {clone}"
            );
        }
    }
}

/// The program is killed while it writes, and the disk loses what was not flushed: what the last flush covered is there,
/// and a single block of it that is lost is found.
#[test]
fn after_a_power_cut_what_was_flushed_is_there() {
    skip_without!(Need::Fuse);
    let model = Model { size_bytes: 1 << 20, volatile: true, ..Model::default() };
    let disk = FuseDisk::new(model).unwrap();
    let sandbox = Sandbox::new().unwrap();
    let job = format!(
        "--name=a --filename={} --size=512k --bs=4k --rw=randwrite --norandommap --io_size=400m --verify=crc32c \
         --verify_policy=fsynced --fsync=16 --minimal",
        disk.path().display()
    );
    let running = Running::start(&mut fio(sandbox.path(), &job)).unwrap();
    let began = Instant::now();
    while disk.seen().syncs < 40 && began.elapsed() < LIMIT {
        std::thread::sleep(Duration::from_millis(2));
    }
    running.signal(libc::SIGKILL);
    running.finish(LIMIT).unwrap();
    disk.lose_power();
    let check =
        format!("{job} --verify_only --verify_state_load=1 --verify_state_save=0 --output-format=json");
    let check = check.replace(" --minimal", "");
    let ran = passed(fio(sandbox.path(), &check));
    let read = document(&ran)["jobs"][0]["read"]["total_ios"].as_u64().unwrap();
    assert!((100..=128).contains(&read), "{ran:#?}");
    disk.edit(|data| data[70 * 4096..71 * 4096].fill(0));
    let ran = run(&mut fio(sandbox.path(), &check), LIMIT).unwrap();
    assert!(ran.code == Some(1) && named(&ran) == ["zeroed"], "{ran:#?}");
}
