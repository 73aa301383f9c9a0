//! Drawn jobs that verify on good storage, which raise no alarm, and drawn damage, all of which is found and named; trims of
//! verified blocks. The long forms of both (`--ignored`) draw 10,000 jobs and 1,000 faults.

use crate::common::{document, draws, fathom, fresh_seed, words};
use std::path::Path;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::fuse::{Corruption, Faults, FuseDisk, Model, Rule};
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);
/// Number of drawn jobs in a job file.
const JOBS: usize = 25;

fn fio(directory: &Path, args: &str) -> Ran {
    let mut command = fathom();
    command.args(words(args)).current_dir(directory);
    run(&mut command, LIMIT).unwrap()
}

/// Returns the lines of a drawn job that verifies. Jobs on a device also trim.
fn job(number: usize, device: Option<&Path>, pick: &mut impl FnMut(usize) -> usize) -> String {
    let mut of = |choices: &[&str]| choices[pick(choices.len())].to_owned();
    let mut text = format!("[j{number}]\nstonewall\n");
    let mut line = |line: String| text += &format!("{line}\n");
    match device {
        Some(device) => {
            line(format!("filename={}", device.display()));
            line(format!("rw={}", of(&["write", "randwrite", "rw", "randrw", "trimwrite", "randtrimwrite"])));
            line(format!("trim_percentage={}", of(&["0", "10", "50", "100"])));
            line(of(&["", "trim_backlog=1", "trim_backlog=7", "trim_backlog=16\ntrim_backlog_batch=3"]));
            line(of(&["", "", "trim_verify_zero=0"]));
            // A page that one clone writes while another one trims is busy: clones bypass the cache.
            line(of(&["", "direct=1", "fsync=8", "direct=1\nnumjobs=3\ngroup_reporting"]));
        }
        None => {
            line(format!("rw={}", of(&["write", "randwrite", "rw", "randrw", "write:-8k", "randwrite:3"])));
            line(of(&[
                "filename_format=f$jobnum.$filenum",
                "filename_format=f$jobnum.$filenum\nnrfiles=3",
                "filename_format=f$jobnum.$filenum\nnrfiles=4\nopenfiles=2",
                "filename=shared",
            ]));
        }
    }
    line(of(&["bs=512", "bs=4k", "bs=4k", "bs=8k", "bsrange=4k-16k", "bssplit=4k/50:12k/50", "bs=4k,8k,4k"]));
    line(format!("size={}", of(&["96k", "128k", "256k"])));
    line(of(&["", "norandommap\nio_size=512k", "norandommap", "random_distribution=zipf:1.2"]));
    line(of(&["", "", "loops=2", "loops=3", "time_based\nruntime=20ms", "number_ios=37"]));
    line(format!("iodepth={}", of(&["1", "2", "7", "32"])));
    line(format!(
        "ioengine={}",
        match device {
            Some(_) => of(&["psync", "sync", "pvsync2", "libaio", "io_uring"]),
            None => of(&["psync", "sync", "pvsync2", "libaio", "io_uring", "io_uring", "posixaio", "mmap"]),
        }
    ));
    if device.is_none() {
        line(of(&["", "", "numjobs=2", "numjobs=3\ngroup_reporting"]));
    }
    line(format!(
        "verify={}",
        of(&[
            "crc32c",
            "md5",
            "crc64",
            "crc16",
            "crc7",
            "sha1",
            "sha256",
            "sha512",
            "sha3-256",
            "xxhash",
            "meta",
            "pattern\nverify_pattern=%o",
            "pattern\nverify_pattern=0xa5",
            "crc32c\nverify_pattern=\"abc\"%o",
            "null",
        ])
    ));
    line(of(&["", "", "verify_interval=512", "verify_offset=192"]));
    line(of(&["", "verify_backlog=1", "verify_backlog=9\nverify_backlog_batch=4", "verify_backlog=64"]));
    line(of(&["", "", "buffer_compress_percentage=60", "verify_async=2", "thinktime=10us"]));
    line(format!("randseed={}", pick(1 << 30)));
    text
}

/// Draws `count` jobs, on files or on a device, and expects that none of them fails or reports damage. Returns the number of
/// blocks that were checked.
fn no_alarm(count: usize, device: Option<&Path>, pick: &mut impl FnMut(usize) -> usize) -> u64 {
    let mut blocks = 0;
    for from in (0..count).step_by(JOBS) {
        let sandbox = Sandbox::in_memory().unwrap();
        let mut text = "[global]\nthread\nverify_state_save=0\n".to_owned();
        for number in from..count.min(from + JOBS) {
            text += &job(number, device, pick);
        }
        sandbox.put("j.fio", &text).unwrap();
        let allowed = device.map(|device| format!("--allow-destroy={} ", device.display()));
        let ran = fio(sandbox.path(), &format!("--output-format=json {}j.fio", allowed.unwrap_or_default()));
        let damage = ran.stderr.contains("verify") || ran.stderr.contains("do not contain");
        assert!(ran.code == Some(0) && !damage, "{text}\n{}", ran.stderr);
        for job in document(&ran)["jobs"].as_array().unwrap() {
            assert_eq!(job["error"], 0, "{text}\n{}", ran.stderr);
            blocks += job["fathom"]["verification"]["blocks"].as_u64().unwrap_or(0);
        }
    }
    blocks
}

/// Drawn jobs on good files and on a good device that trims: none reports damage.
#[test]
fn drawn_jobs_raise_no_alarm() {
    let mut pick = draws(fresh_seed("drawn_jobs_raise_no_alarm"));
    assert!(no_alarm(JOBS, None, &mut pick) > 100);
    skip_without!(Need::Root, Need::Loop);
    let device = LoopDevice::in_memory(1 << 20, false, None).unwrap();
    assert!(no_alarm(JOBS, Some(device.path()), &mut pick) > 100);
}

#[test]
#[ignore = "takes several minutes: scripts/test --long"]
fn thousands_of_drawn_jobs_raise_no_alarm() {
    let mut pick = draws(fresh_seed("thousands_of_drawn_jobs_raise_no_alarm"));
    println!("7500 jobs on files: {} blocks", no_alarm(7500, None, &mut pick));
}

#[test]
#[ignore = "takes several minutes: scripts/test --long"]
fn thousands_of_drawn_jobs_with_trims_raise_no_alarm() {
    skip_without!(Need::Root, Need::Loop);
    let mut pick = draws(fresh_seed("thousands_of_drawn_jobs_with_trims_raise_no_alarm"));
    let device = LoopDevice::in_memory(1 << 20, false, None).unwrap();
    println!("2500 jobs on a device: {} blocks", no_alarm(2500, Some(device.path()), &mut pick));
}

/// Draws a fault of one write in the second pass over 64 blocks of 4 KiB; returns the number of the write in its pass from 0, the
/// fault and the names of the damage.
fn fault(pick: &mut impl FnMut(usize) -> usize) -> (usize, Corruption, Vec<&'static str>) {
    let write = pick(64);
    let (damage, names) = match pick(6) {
        0 => (Corruption::Flip(pick(4096 * 8)), vec!["flipped bit"]),
        1 => (Corruption::Lose, vec!["lost write"]),
        2 => (Corruption::Tear(512 * (1 + pick(7))), vec!["torn write"]),
        // What goes to a later place is overwritten there.
        3 if write == 0 || pick(2) == 0 && write < 63 => {
            (Corruption::Misdirect(4096 * (1 + pick(63 - write)) as isize), vec!["lost write"])
        }
        3 => (Corruption::Misdirect(-4096 * (1 + pick(write)) as isize), vec!["lost write", "misdirected"]),
        4 => (Corruption::Zero, vec!["zeroed"]),
        _ => (Corruption::Shift(8 * (1 + pick(64))), vec!["shifted"]),
    };
    (write, damage, names)
}

/// Returns the names of damage in fathom's lines on standard error.
fn named(ran: &Ran) -> Vec<String> {
    let name = |line: &str| line.rsplit_once(", offset ")?.1.split(": ").nth(1).map(str::to_owned);
    let mut all: Vec<String> =
        ran.stderr.lines().filter(|line| line.starts_with("fathom: ")).filter_map(name).collect();
    all.sort();
    all
}

/// Plants drawn damage in writes to a disk, and expects that all of it is found and named, and nothing else.
fn all_found(count: usize, pick: &mut impl FnMut(usize) -> usize) {
    let sandbox = Sandbox::in_memory().unwrap();
    for _ in 0..count {
        let (write, damage, names) = fault(pick);
        let methods = ["crc32c", "crc32", "crc64", "md5", "sha1", "sha256", "sha512", "sha3-256", "xxhash"];
        let method = methods[pick(methods.len())];
        let more =
            ["", "--ioengine=io_uring --iodepth=1", "--numjobs=1 --thread", "--verify_pattern=\"ab\"%o"]
                [pick(3)];
        let faults = Faults { corrupt: Some((Rule::Nth(65 + write as u64), damage)), ..Faults::default() };
        let disk = FuseDisk::new(Model { size_bytes: 1 << 20, faults, ..Model::default() }).unwrap();
        let args = format!(
            "--name=a --filename={} --size=256k --bs=4k --rw=write --loops=2 --verify={method} --verify_state_save=0 \
             --continue_on_error=verify --output-format=json {more}",
            disk.path().display()
        );
        let ran = fio(sandbox.path(), &args);
        assert_eq!(named(&ran), names, "write {write}, {damage:?}, {method} {more}: {ran:#?}");
        assert_eq!(document(&ran)["jobs"][0]["total_err"], names.len(), "{damage:?}: {ran:#?}");
    }
}

#[test]
fn drawn_damage_is_found_and_named() {
    skip_without!(Need::Fuse);
    all_found(8, &mut draws(fresh_seed("drawn_damage_is_found_and_named")));
}

#[test]
#[ignore = "takes several minutes: scripts/test --long"]
fn a_thousand_drawn_faults_are_found_and_named() {
    skip_without!(Need::Fuse);
    all_found(1000, &mut draws(fresh_seed("a_thousand_drawn_faults_are_found_and_named")));
}

/// A share of the written blocks is trimmed and reads as zeros; a block with its data again is named.
#[test]
fn trimmed_blocks_are_zeros_or_named() {
    skip_without!(Need::Root, Need::Loop);
    let device = LoopDevice::in_memory(1 << 20, false, None).unwrap();
    let sandbox = Sandbox::in_memory().unwrap();
    let base = format!(
        "--name=a --filename={} --bs=4k --rw=write --verify=crc32c --verify_state_save=0 --output-format=json",
        device.path().display()
    );
    for (options, trims, reads) in [
        ("--trim_percentage=100", 256..=256, 256),
        ("--trim_percentage=100 --trim_backlog=10 --trim_verify_zero=0", 256..=256, 0),
        ("--trim_percentage=50 --trim_backlog=8 --trim_backlog_batch=2", 90..=166, 256),
        ("--trim_percentage=0", 0..=0, 256),
    ] {
        let ran = fio(sandbox.path(), &format!("{base} {options}"));
        assert!(ran.code == Some(0) && ran.stderr.is_empty(), "{options}: {ran:#?}");
        let job = &document(&ran)["jobs"][0];
        let count = |direction: &str| job[direction]["total_ios"].as_u64().unwrap();
        assert!(trims.contains(&count("trim")), "{options}: {ran:#?}");
        assert_eq!((count("read"), count("write")), (reads, 256), "{options}: {ran:#?}");
        // As many blocks are zeros on the device as were trimmed.
        let data = std::fs::read(device.path()).unwrap();
        let zeros = data.chunks(4096).filter(|block| block.iter().all(|byte| *byte == 0)).count();
        assert_eq!(zeros as u64, count("trim"), "{options}");
    }
    // fio's rule: without data of its own, a trim is no part of a regular file.
    let ran =
        fio(sandbox.path(), "--name=a --size=64k --rw=write --verify=md5 --trim_percentage=100 --minimal");
    assert!(ran.code == Some(1) && ran.stderr.contains("only block devices can be trimmed"), "{ran:#?}");
}
