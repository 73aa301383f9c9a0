//! Tests of the simulated disk against fio, which is independent of it.
use super::*;
use crate::Bounded;
use crate::{Need, skip_without};
use std::os::unix::fs::FileExt;
use std::process::Command;

fn disk(servers: usize, law: Law) -> FuseDisk {
    FuseDisk::new(Model { servers, law, ..Model::default() }).unwrap()
}

/// Returns IOPS and the mean latency in milliseconds of a short random read.
fn fio(disk: &FuseDisk, engine: &str, depth: usize) -> (f64, f64) {
    let out = Command::new("fio")
        .args([
            "--name=t",
            "--rw=randread",
            "--bs=4k",
            "--direct=1",
            "--runtime=2",
            "--time_based",
            "--minimal",
        ])
        .args([
            format!("--filename={}", disk.path().display()),
            format!("--ioengine={engine}"),
            format!("--iodepth={depth}"),
        ])
        .output_within(crate::TOOL_LIMIT)
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    let field = |n: usize| {
        text.split(';').nth(n - 1).and_then(|f| f.parse::<f64>().ok()).unwrap_or_else(|| panic!("{out:?}"))
    };
    (field(8), field(40) / 1000.0)
}

#[test]
fn measures_eight_servers_of_ten_ms_and_24_serve_what_the_law_says() {
    skip_without!(Need::Fuse, Need::Program("fio"));
    let ten = Law::Constant(Duration::from_millis(10));
    let eight = disk(8, ten);
    for (engine, depth, truth) in
        [("libaio", 1, 100.0), ("libaio", 8, 800.0), ("io_uring", 8, 800.0), ("libaio", 16, 800.0)]
    {
        let (iops, ms) = fio(&eight, engine, depth);
        // fio's thread and ours share the cores with other tests: a wake-up may be late, a service never early.
        assert!(
            iops <= truth * 1.02 && iops >= truth * 0.7,
            "{engine} depth {depth}: {iops} IOPS, not {truth}"
        );
        let wait = (depth as f64 / 8.0).max(1.0) * 10.0;
        assert!(ms >= wait * 0.98 && ms <= wait * 1.5, "{engine} depth {depth}: {ms} ms, not {wait}");
        assert_eq!(eight.seen().most_in_flight, depth, "{engine}: depth that arrives");
        eight.forget();
    }
    let many = disk(24, ten);
    for engine in ["libaio", "io_uring"] {
        let (iops, _) = fio(&many, engine, 24);
        assert!((1600.0..2430.0).contains(&iops), "{engine} depth 24: {iops} IOPS, not 2400");
    }
}

#[test]
fn data_written_is_data_read_and_the_disk_counts_both() {
    skip_without!(Need::Fuse);
    let disk = disk(1, Law::Constant(Duration::ZERO));
    let file = std::fs::OpenOptions::new().read(true).write(true).open(disk.path()).unwrap();
    file.write_all_at(&[7; 8192], 4096).unwrap();
    let mut back = vec![0; 16384];
    file.read_exact_at(&mut back, 0).unwrap();
    assert!(
        back[..4096].iter().chain(&back[12288..]).all(|b| *b == 0)
            && back[4096..12288].iter().all(|b| *b == 7)
    );
    file.sync_all().unwrap();
    let seen = disk.seen();
    assert_eq!(
        (seen.writes, seen.write_bytes, seen.reads, seen.read_bytes, seen.syncs),
        (1, 8192, 1, 16384, 1)
    );
}

#[test]
fn faults_strike_where_they_are_told() {
    skip_without!(Need::Fuse);
    let faults = Faults {
        error: Some((Rule::Nth(2), libc::EIO)),
        short: Some(Rule::Nth(3)),
        hang: Some(Rule::From(6)),
        room_bytes: Some(4096),
        corrupt: None,
    };
    let disk = FuseDisk::new(Model { faults, ..Model::default() }).unwrap();
    let file = std::fs::OpenOptions::new().read(true).write(true).open(disk.path()).unwrap();
    let mut page = vec![0; 4096];
    assert_eq!(file.read_at(&mut page, 0).unwrap(), 4096);
    assert_eq!(file.read_at(&mut page, 0).unwrap_err().raw_os_error(), Some(libc::EIO));
    assert_eq!(file.read_at(&mut page, 0).unwrap(), 2048);
    assert_eq!(file.write_at(&page, 0).unwrap(), 4096);
    assert_eq!(file.write_at(&page, 0).unwrap_err().raw_os_error(), Some(libc::ENOSPC));
    let reader = std::thread::spawn(move || file.read_at(&mut page, 0).unwrap());
    let started = Instant::now();
    while disk.held() == 0 && started.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!reader.is_finished(), "a hung read came back");
    disk.release();
    assert_eq!(reader.join().unwrap(), 4096);
    let path = disk.path().to_path_buf();
    drop(disk);
    assert!(!path.exists());
}

#[test]
fn a_disk_that_is_dropped_while_somebody_hangs_in_it_goes() {
    skip_without!(Need::Fuse);
    let faults = Faults { hang: Some(Rule::From(1)), ..Faults::default() };
    let disk = FuseDisk::new(Model { faults, ..Model::default() }).unwrap();
    let mut dd = Command::new("dd")
        .arg(format!("if={}", disk.path().display()))
        .args(["of=/dev/null", "count=1"])
        .spawn()
        .unwrap();
    let started = Instant::now();
    while disk.held() == 0 && started.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(disk);
    crate::bounded::wait_within(&mut dd, crate::TOOL_LIMIT).unwrap();
}

/// Returns the seconds that `dd` needs for `count` direct requests of 4 KiB.
fn dd(disk: &FuseDisk, write: bool, count: u32) -> f64 {
    let file = std::fs::OpenOptions::new().read(true).write(true).open(disk.path()).unwrap();
    let mut page = vec![7u8; 4096];
    let began = Instant::now();
    for n in 0..count {
        let at = u64::from(n) * 4096;
        if write { file.write_all_at(&page, at).unwrap() } else { file.read_exact_at(&mut page, at).unwrap() }
    }
    began.elapsed().as_secs_f64()
}

#[test]
fn measures_credits_and_write_cache_run_out_and_seeks_take_time() {
    skip_without!(Need::Fuse);
    let of = |nature| FuseDisk::new(Model { nature, filled: true, ..Model::default() }).unwrap();
    let disk = of(Nature::Credits { requests: 200, per_second: 200.0 });
    let (with, without) = (dd(&disk, false, 200), dd(&disk, false, 100));
    assert!(with < 0.25 && (0.2..0.9).contains(&without), "200 on credit {with} s, 100 without {without} s");
    let disk = of(Nature::WriteCache { bytes: 200 * 4096, per_second: 200.0 * 4096.0 });
    let (with, read, without) = (dd(&disk, true, 200), dd(&disk, false, 20), dd(&disk, true, 100));
    assert!(with < 0.25 && read < 0.1 && without > 0.15, "cache {with} s, reads {read} s, drain {without} s");
    let disk = of(Nature::Seek(Duration::from_millis(10)));
    let file = std::fs::File::open(disk.path()).unwrap();
    let mut page = [0u8; 4096];
    file.read_exact_at(&mut page, 0).unwrap();
    let began = Instant::now();
    file.read_exact_at(&mut page, 63 << 20).unwrap();
    let far = began.elapsed();
    file.read_exact_at(&mut page, (63 << 20) + 4096).unwrap();
    let near = began.elapsed() - far;
    assert!(far > Duration::from_millis(9) && near < Duration::from_millis(6), "far {far:?}, near {near:?}");
    assert!(page.iter().any(|b| *b != 0), "a filled disk holds zeros");
}
