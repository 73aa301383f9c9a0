//! True figures on devices with known answers, through the program as it ships: file systems that take direct I/O and
//! one that does not, and a disk whose every service takes 20 ms.

use crate::common::{document, run, sum, words};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;
use testbed::fuse::{Law, Model};
use testbed::{FileSystem, FuseDisk, LoopDevice, Mount, Need, Sandbox, skip_without};

fn args(text: &str, target: &Path) -> Vec<String> {
    let mut all = words(text);
    all.push(format!("--filename={}", target.display()));
    all
}

#[test]
fn measures_latency_is_what_the_disk_took() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_millis(20));
    let offloaded = ["psync --io_submit_mode=offload", "libaio --io_submit_mode=offload"];
    let engines = [("psync", 1), ("libaio", 8), ("io_uring", 8)];
    for (engine, depth) in engines.into_iter().chain(offloaded.map(|engine| (engine, 8))) {
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

/// What lies in the cache is there at once, unless somebody else has to fetch it.
#[test]
fn a_worker_of_the_kernel_does_what_is_offloaded() {
    skip_without!(Need::IoUring);
    for (more, at_once) in [("--ioengine=io_uring", true), ("--io_submit_mode=offload", false)] {
        let sandbox = Sandbox::new().unwrap();
        let job =
            "--name=c --rw=randread --size=1m --iodepth=4 --invalidate=0 --pre_read=1 --output-format=json";
        let ran = run(&words(&format!("{job} {more}")), sandbox.path());
        let early = document(&ran)["jobs"][0]["fathom"]["done_in_submit"].as_u64();
        assert_eq!(early == Some(256), at_once, "{more}: {early:?} of 256");
    }
    for engine in ["mmap", "falloc", "filecreate", "pvsync2 --hipri"] {
        let sandbox = Sandbox::new().unwrap();
        let job = format!("--name=c --rw=write --size=1m --io_submit_mode=offload --ioengine={engine}");
        let ran = run(&words(&job), sandbox.path());
        assert!(ran.code == Some(1) && ran.stderr.contains("io_submit_mode"), "{engine}: {ran:?}");
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

/// What the kernel counted and what is left of the file below are the witnesses: whole blocks of the region are gone,
/// nothing beside it is.
#[test]
fn trims_discard_the_region_and_nothing_else_with_every_engine() {
    skip_without!(Need::Loop);
    for engine in ["psync", "sync", "vsync", "pvsync", "pvsync2", "mmap", "libaio", "io_uring"] {
        let device = LoopDevice::new(4 << 20).unwrap();
        let held = |device: &LoopDevice| std::fs::metadata(device.backing()).unwrap().blocks() * 512;
        let (before, counted) = (held(&device), device.stats().unwrap());
        let job = format!(
            "--name=t --rw=randtrim --bs=64k --offset=1m --size=2m --iodepth=8 --ioengine={engine} --output-format=json"
        );
        let ran = run(&args(&job, device.path()), Path::new("/"));
        assert_eq!(ran.code, Some(0), "{engine}: {ran:?}");
        let report = document(&ran);
        assert_eq!(sum(&report, "trim", "total_ios"), 32.0, "{engine}");
        assert_eq!(sum(&report, "trim", "io_bytes"), f64::from(2 << 20), "{engine}");
        let since = device.stats().unwrap().since(&counted);
        assert_eq!((since.discards, since.discard_sectors * 512), (32, 2 << 20), "{engine}");
        assert_eq!(since.writes, 0, "{engine}");
        // The file may have got a block of extents for it.
        let freed = before - held(&device);
        assert!(freed <= 2 << 20 && freed > (2 << 20) - (64 << 10), "{engine}: {freed}");
        let bytes = std::fs::read(device.backing()).unwrap();
        assert!(bytes[1 << 20..3 << 20].iter().all(|b| *b == 0), "{engine}");
        assert!(
            bytes
                .chunks(4096)
                .enumerate()
                .all(|(n, b)| { (256..768).contains(&n) || b.iter().any(|b| *b != 0) })
        );
    }
}

/// Trims go before the writes of the same blocks, also at depth and also where the cache holds what is trimmed.
#[test]
fn what_is_trimmed_is_written_then() {
    skip_without!(Need::Loop);
    for options in [
        "--direct=1 --iodepth=8",
        "--iodepth=8",
        "--norandommap",
        "--loops=3 --invalidate=0",
        "--iodepth_batch=4 --iodepth=8",
    ] {
        let device = LoopDevice::new(4 << 20).unwrap();
        let counted = device.stats().unwrap();
        let job = format!(
            "--name=t --rw=randtrimwrite --bs=16k --size=1m --ioengine=io_uring --buffer_pattern=0x5a --output-format=json \
             --end_fsync=1 {options}"
        );
        let ran = run(&args(&job, device.path()), Path::new("/"));
        assert_eq!(ran.code, Some(0), "{options}: {ran:?}");
        let report = document(&ran);
        let (trims, writes) = (sum(&report, "trim", "total_ios"), sum(&report, "write", "total_ios"));
        assert_eq!(
            (trims, writes),
            if options.contains("loops") { (192.0, 192.0) } else { (64.0, 64.0) },
            "{options}"
        );
        let since = device.stats().unwrap().since(&counted);
        assert_eq!(since.discards as f64, trims, "{options}");
        let mut bytes = vec![0; 1 << 20];
        std::os::unix::fs::FileExt::read_exact_at(
            &std::fs::File::open(device.path()).unwrap(),
            &mut bytes,
            0,
        )
        .unwrap();
        // What was visited holds what was written last.
        assert!(options.contains("norandommap") || bytes.iter().all(|b| *b == 0x5a), "{options}");
        assert!(
            bytes.chunks(512).all(|b| b.iter().any(|b| *b != 0)),
            "{options}: a trim came after its write"
        );
    }
}

/// As in fio the job ends with the first trim that fails, whatever it lets pass, and the file keeps its content.
#[test]
fn a_file_is_not_trimmed() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("file", 1 << 20).unwrap();
    let before = std::fs::read(&file).unwrap();
    for engine in ["psync", "mmap", "libaio", "io_uring"] {
        for more in ["", " --continue_on_error=all"] {
            let job = format!("--name=t --rw=trim --bs=4k --ioengine={engine}{more}");
            let ran = run(&args(&job, &file), Path::new("/"));
            assert_eq!(ran.code, Some(1), "{engine}: {ran:?}");
            assert!(ran.stdout.contains("err=25 (file:"), "{engine}: {ran:?}");
            assert!(ran.stdout.contains("issued rwts: total=0,0,1,0"), "{engine}: {ran:?}");
            assert!(ran.stderr.contains("only block devices can be trimmed"), "{engine}: {ran:?}");
        }
    }
    assert_eq!(std::fs::read(&file).unwrap(), before);
}
