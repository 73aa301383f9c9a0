//! Writes that a job syncs after every few: what each of them takes, and what the sync behind them takes, on a disk
//! whose writes and flushes take known times.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::fuse::{Law, Model};
use testbed::{FuseDisk, Need, skip_without};

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
        let (fastest, shortest) =
            (micros_of(clat, "1.000000"), job["sync"]["lat_ns"]["min"].as_f64().unwrap());
        assert!(
            fastest >= 1_800.0,
            "depth {depth}, every {every}: clat p1 {fastest} us, the disk takes 2000"
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
