//! True figures on devices with known answers, through the program as it ships: file systems that take direct I/O and
//! one that does not, and a disk whose every service takes 20 ms.
#![allow(clippy::unwrap_used, missing_docs)] // a test fails where it unwraps
mod common;

use common::{document, run, sum, words};
use std::path::Path;
use std::time::Duration;
use testbed::fuse::{Law, Model};
use testbed::{FileSystem, FuseDisk, Mount, Need, skip_without};

fn args(text: &str, target: &Path) -> Vec<String> {
    let mut all = words(text);
    all.push(format!("--filename={}", target.display()));
    all
}

#[test]
fn latency_is_what_the_disk_took() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_millis(20));
    for (engine, depth) in [("psync", 1), ("libaio", 8), ("io_uring", 8)] {
        let disk = FuseDisk::new(Model { servers: 8, law, ..Model::default() }).unwrap();
        let job = format!(
            "--name=l --rw=randread --bs=4k --direct=1 --size=16m --ioengine={engine} --iodepth={depth} --runtime=2 \
             --time_based --output-format=json"
        );
        let ran = run(&args(&job, disk.path()), Path::new("/"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = document(&ran);
        let lat = &report["jobs"][0]["read"]["lat_ns"];
        let (min, mean) = (lat["min"].as_f64().unwrap() / 1e6, lat["mean"].as_f64().unwrap() / 1e6);
        // A service is never early; late it is when other tests hold the processors.
        assert!(
            (19.9..22.0).contains(&min) && (20.0..30.0).contains(&mean),
            "{engine}: {min} {mean} ms, not 20"
        );
        assert_eq!(disk.seen().most_in_flight, depth, "{engine}");
        assert_eq!(sum(&report, "read", "total_ios"), disk.seen().reads as f64, "{engine}");
    }
}

#[test]
fn file_systems_take_direct_io_or_the_refusal_names_the_option() {
    skip_without!(Need::Loop);
    for kind in FileSystem::ALL {
        if let Some(mkfs) = kind.mkfs().filter(|m| !testbed::have_program(m)) {
            testbed::skip(&format!("needs the program {mkfs}"));
            continue;
        }
        let mount = Mount::new(kind, 64 << 20).unwrap();
        for engine in ["psync", "libaio", "io_uring"] {
            let job =
                format!("--name=d --rw=randrw --bs=4k --size=4m --direct=1 --iodepth=4 --ioengine={engine}");
            let ran = run(&words(&job), mount.path());
            if kind == FileSystem::Ramfs {
                assert_eq!(ran.code, Some(1), "{engine} on ramfs: {ran:?}");
                assert!(
                    (ran.stdout + &ran.stderr).contains("direct"),
                    "{engine} on ramfs: the option is not named"
                );
            } else {
                assert_eq!(ran.code, Some(0), "{engine} on {}: {ran:?}", kind.name());
            }
        }
    }
}
