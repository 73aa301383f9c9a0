//! What fio's own files show of what spoils them: fio's runs on real devices, with mistakes that are known.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::{FileSystem, Mount, Need, Sandbox, skip_without};

/// Rules that hold of fio's run of `args` with the file `f` of 32 MiB, which is in the page cache.
fn rules(place: &Path, args: &str) -> Vec<&'static str> {
    let sandbox = Sandbox::new().unwrap();
    let out = sandbox.join("out.json");
    std::fs::read(place.join("f")).unwrap();
    let mut command = Command::new("fio");
    command.current_dir(place).args(args.split_whitespace()).arg("--name=a");
    command.arg("--output-format=json").arg("--output").arg(&out);
    let ran = testbed::child::run(&mut command, Duration::from_secs(60)).unwrap();
    assert!(ran.code.is_some(), "fio {args}\n{}{}", ran.stdout, ran.stderr);
    let found = import::read(&[out]).unwrap();
    let mut rules: Vec<&str> =
        found.measured.iter().flat_map(|m| &m.findings).map(|f| f.claim.rule()).collect();
    // What a busy machine adds.
    rules.retain(|rule| !["M30", "M31", "M22"].contains(rule));
    rules.sort_unstable();
    rules
}

#[test]
fn fios_own_mistakes_are_told() {
    skip_without!(Need::Loop, Need::Program("fio"), Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 200 << 20).unwrap();
    let data: Vec<u8> = (0..32u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    std::fs::write(mount.path().join("f"), data).unwrap();
    let file = "--filename=f --size=32m --bs=4k";
    let cases: [(&str, &[&str]); 11] = [
        ("--rw=randread --ioengine=psync --invalidate=0", &["M1"]),
        ("--rw=randread --ioengine=psync --direct=1", &[]),
        ("--rw=randread --ioengine=psync --direct=1 --iodepth=16", &["M4"]),
        ("--rw=randread --ioengine=libaio --direct=1 --iodepth=16", &[]),
        ("--rw=randread --ioengine=libaio --iodepth=16 --invalidate=0", &["M1", "M5"]),
        ("--rw=randread --ioengine=psync --direct=1 --number_ios=200", &["M17"]),
        ("--rw=read --ioengine=psync --direct=1 --runtime=60", &["M18"]),
        ("--rw=write --ioengine=psync --direct=1 --fsync=64", &[]),
        ("--rw=randwrite --ioengine=psync --end_fsync=1", &["M1"]),
        ("--rw=randwrite --ioengine=psync --end_fsync=1 --direct=1", &[]),
        ("--rw=randread --ioengine=psync --direct=1 --numjobs=2 --invalidate=0", &[]),
    ];
    for (args, expected) in cases {
        assert_eq!(rules(mount.path(), &format!("{file} {args}")), expected, "{args}");
    }
    // Without a sync, whether it arrived or not.
    let written = rules(mount.path(), &format!("{file} --rw=randwrite --ioengine=psync"));
    assert!(written == ["M1"] || written == ["M35"], "{written:?}");
}

/// Documents of versions that count sectors; the case that the figures of a disk deny the application's.
#[test]
fn sectors_of_disks_are_believed() {
    let sandbox = Sandbox::new().unwrap();
    let of = |bs: &str, ios: u64, sectors: Option<u64>, direct: &str| {
        let sectors = sectors.map_or(String::new(), |n| format!(r#", "read_sectors": {n}"#));
        let text = format!(
            r#"{{"fio version": "fio-3.38", "global options": {{"rw": "randread", "bs": "{bs}", "ioengine": "psync"{direct}}},
            "jobs": [{{"jobname": "a", "error": 0, "job options": {{}}, "read": {{"io_bytes": 10240000000, "total_ios": 2500000,
            "iops": 250000.0, "runtime": 10000}}}}],
            "disk_util": [{{"name": "sda", "read_ios": {ios}, "write_ios": 0{sectors}}}]}}"#
        );
        let path = sandbox.join("doc.json");
        std::fs::write(&path, text).unwrap();
        let found = import::read(&[path]).unwrap();
        found.measured[0]
            .findings
            .iter()
            .map(|f| (f.claim.rule(), f.claim.grade().letter()))
            .collect::<Vec<_>>()
    };
    let rules = |ios: u64, sectors: Option<u64>, direct: &str| of("4k", ios, sectors, direct);
    // 2.5 million random reads of 4 KiB, 52,000 at the disk: nothing is read ahead.
    assert_eq!(rules(52_000, None, ""), [("M1", "X")]);
    assert_eq!(rules(1_500_000, None, ""), [("M1", "C")]);
    assert_eq!(rules(52_000, Some(2_000_000), ""), [("M1", "X")]);
    assert_eq!(rules(2_400_000, None, ""), []);
    // In order as much as the largest read-ahead may have come at once.
    assert_eq!(of(r#"4k", "fadvise_hint": "0"#, 52_000, None, ""), []);
    assert_eq!(rules(52_000, Some(20_000_000), ""), []);
    assert_eq!(rules(52_000, Some(2_000_000), r#", "direct": "1""#), []);
}
