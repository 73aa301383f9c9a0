//! The rules over made-up runs: a clean run has no finding, each broken one has its own and no other.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use facts::SysRoot;
use job::files::NoFiles;
use job::plan::{FileKind, Inspect, PathState, Plan};
use job::remote::RemoteSpec;
use job::{Dialect, Parsed};
use lab::findings::{at_once, judge, judge_layers};
use stats::remote::{
    CephPool, InterfaceKind, NetworkPath, NfsMount, RemoteClient, RemoteLayer, RemoteOperation,
    RemoteTraffic, Shaper, TcpSegments,
};
use stats::server_fact::{ClusterActivity, ServerConnections, ServerFact};
use stats::*;
use std::ffi::OsString;
use std::io;
use std::path::Path;

const GIB: u64 = 1 << 30;

/// Every path is a file of 4 GiB.
struct Files;

impl Inspect for Files {
    fn remote(&mut self, _: &RemoteSpec, _: &Path) -> io::Result<PathState> {
        Ok(PathState { kind: FileKind::Volume, exists: true, size: 4 * GIB })
    }

    fn inspect(&mut self, _: &Path) -> io::Result<PathState> {
        Ok(PathState { kind: FileKind::Regular, exists: true, size: 4 * GIB })
    }
}

fn plan(line: &str) -> Plan {
    let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
    match job::command_line(&args, "fathom run", Dialect::Run, &mut NoFiles) {
        Ok(Parsed::Run(command)) => job::plan(command.jobs, &mut Files).unwrap(),
        other => panic!("{line}: {other:?}"),
    }
}

/// A latency of so many I/Os, each of `nanos`, one of them of `longest`.
fn latency(n: u64, nanos: u64, longest: u64) -> Latency {
    let mut l = Latency::default();
    for (value, times) in [(nanos, n - 1), (longest, 1)] {
        l.moments.record(value, times);
        l.histogram.record(value, times);
    }
    l
}

/// Two seconds of I/O at `rate` a second in windows, changed by `shape` over the run (0 to 1).
fn series(rate: f64, shape: impl Fn(f64) -> f64) -> Series {
    let mut s = Series::default();
    let (mut now, mut ios) = (1, 0);
    s.look(now, [0; 3], [0; 3]);
    for at in 0..40 {
        now += s.period;
        ios += (rate * shape(f64::from(at) / 40.0) / 20.0) as u64;
        s.look(now, [ios, 0, 0], [ios * 4096, 0, 0]);
    }
    s
}

/// 10,000 I/Os of the plan's jobs each, which every layer saw alike: a file on ext4 on a disk that does not turn.
fn clean(plan: &Plan) -> RunResult {
    let ios = 10_000u64;
    let mut result = RunResult::default();
    for clone in &plan.clones {
        let job = &plan.jobs[clone.job];
        let mut outcome = run::outcome::unstarted(job, None);
        for direction in [Direction::Read, Direction::Write].into_iter().filter(|d| job.pattern.mix.has(*d)) {
            let d = &mut outcome.directions[direction as usize];
            let block = job.pattern.block[direction as usize].0;
            (d.ios, d.issued, d.bytes, d.runtime_ms) = (ios, ios, ios * block, 2000);
            (d.lat, d.clat) = (latency(ios, 100_000, 400_000), latency(ios, 99_000, 399_000));
            d.slat = latency(ios, 1000, 2000);
            result.layers.app_ios[direction as usize] += ios;
            result.layers.app_bytes[direction as usize] += ios * block;
        }
        outcome.depth_reached = f64::from(job.queue.effective);
        outcome.cpu.wall_ms = 2000;
        result.layers.depth_asked += f64::from(job.queue.effective);
        result.layers.depth_reached += f64::from(job.queue.effective);
        result.jobs.push(outcome);
    }
    let ([read, write, _], [reads, writes, _]) = (result.layers.app_bytes, result.layers.app_ios);
    let device = |name: &str| DiskOutcome {
        name: name.into(),
        ios: [reads, writes],
        sectors: [read / 512, write / 512],
        ticks_ms: [1900, 0],
        in_queue_ms: 1900,
        util_percent: 90.0,
        ..Default::default()
    };
    let traits = |name: &str| DeviceTraits {
        name: name.into(),
        size: 400 * GIB,
        logical_block: 512,
        physical_block: 4096,
        largest_request: Some(1 << 20),
        ..Default::default()
    };
    let l = &mut result.layers;
    l.process = Some(ProcessIo { read_bytes: read, write_bytes: write, ..Default::default() });
    l.targets = vec![TargetLayers {
        path: "/d/f".into(),
        stack: vec!["ext4".into(), "sda1 (partition)".into(), "sda (disk, ssd)".into()],
        size: 4 * GIB,
        holes: Some(0),
        unwritten: Some(0),
        zero_blocks: Some(1),
        sampled_blocks: Some(64),
        used_percent: Some(40.0),
        ..Default::default()
    }];
    l.devices = vec![device("sda1"), device("sda")];
    l.traits = vec![
        DeviceTraits { kind: LayerKind::Partition, start_sector: Some(2048), ..traits("sda1") },
        DeviceTraits { kind: LayerKind::Disk, ..traits("sda") },
    ];
    l.busiest_thread_percent = 20.0;
    l.wall_ms = 2000;
    l.host.memory = 8 * GIB;
    let name = if plan.jobs.len() == 1 { plan.jobs[0].name.clone() } else { String::new() };
    result.series = vec![(name, series(5000.0, |_| 1.0))];
    result
}

/// Rules that hold of a run of `line`, after `change`.
fn rules_of(line: &str, change: impl Fn(&mut RunResult)) -> Vec<&'static str> {
    rules_on(line, &SysRoot::at("/nonexistent"), change)
}

fn rules_on(line: &str, root: &SysRoot, change: impl Fn(&mut RunResult)) -> Vec<&'static str> {
    let plan = plan(line);
    let mut result = clean(&plan);
    change(&mut result);
    let mut rules: Vec<&str> = judge(&plan, &result, root).iter().map(|f| f.claim.rule()).collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

fn found_in(line: &str, change: impl Fn(&mut RunResult)) -> Vec<Finding> {
    let plan = plan(line);
    let mut result = clean(&plan);
    change(&mut result);
    judge(&plan, &result, &SysRoot::at("/nonexistent"))
}

const READ: &str = "--name=a --filename=/d/f --rw=randread --direct=1 --ioengine=io_uring --iodepth=4 --runtime=2 --time_based";
const WRITE: &str = "--name=a --filename=/d/f --rw=randwrite --direct=1 --ioengine=io_uring --iodepth=4 --runtime=2 --time_based --fsync=32";
const NBD_WRITE: &str = "--name=n --ioengine=nbd --uri=nbd://10.0.0.1 --rw=write --bs=4k --size=1m --iodepth=4 --runtime=2 --time_based --fsync=32";
const BUFFERED: &str =
    "--name=a --filename=/d/f --rw=read --bs=64k --ioengine=psync --runtime=2 --time_based";
const NONE: [&str; 0] = [];

#[test]
fn a_clean_run_has_no_finding() {
    for line in [READ, WRITE, BUFFERED] {
        assert_eq!(rules_of(line, |_| {}), NONE, "{line}");
        assert_eq!(at_once(&plan(line)), [], "{line}");
    }
}

#[test]
fn each_layer_that_saw_something_else_is_told() {
    let half =
        |l: &mut Layers| l.process = l.process.map(|p| ProcessIo { read_bytes: p.read_bytes / 2, ..p });
    assert_eq!(rules_of(BUFFERED, |r| half(&mut r.layers)), ["M1"]);
    assert_eq!(rules_of(READ, |r| r.layers.devices.iter_mut().for_each(|d| d.sectors[0] = 8)), ["M2"]);
    // Holes beside the region that was read are nobody's: the storage moved all bytes.
    assert_eq!(rules_of(READ, |r| r.layers.targets[0].holes = Some(GIB)), NONE);
    // Others' holes, and those of a file that was only written.
    assert_eq!(rules_of(WRITE, |r| r.layers.targets[0].holes = Some(GIB)), NONE);
    let elsewhere = |r: &mut RunResult| {
        half(&mut r.layers);
        r.layers.targets[0] =
            TargetLayers { path: "/d/g".into(), holes: Some(GIB), ..r.layers.targets[0].clone() };
    };
    assert!(!rules_of(READ, elsewhere).contains(&"M8"));
    // O_DIRECT reads of holes do not come from the page cache.
    let holes = |r: &mut RunResult| {
        half(&mut r.layers);
        r.layers.targets[0].unwritten = Some(2 * GIB);
    };
    assert_eq!(rules_of(READ, holes), ["M8"]);
    // Nor do buffered ones: half of the file is holes, and the storage delivered the other half.
    assert_eq!(rules_of(BUFFERED, holes), ["M8"]);
    let nothing_fetched = |r: &mut RunResult, holes| {
        r.layers.process = r.layers.process.map(|p| ProcessIo { read_bytes: 0, ..p });
        r.layers.targets[0].holes = Some(holes);
    };
    assert_eq!(rules_of(BUFFERED, |r| nothing_fetched(r, 4 * GIB)), ["M8"]);
    assert_eq!(rules_of(BUFFERED, |r| nothing_fetched(r, GIB)), ["M1", "M8"]);
    assert_eq!(rules_of(BUFFERED, |r| nothing_fetched(r, 0)), ["M1"]);
    assert_eq!(rules_of(READ, |r| r.layers.targets[0].zero_blocks = Some(40)), ["M9"]);
    assert_eq!(rules_of(WRITE, |r| r.layers.targets[0].zero_blocks = Some(40)), NONE);
    assert_eq!(rules_of(READ, |r| r.layers.devices[0].sectors[1] = 1 << 20), ["M32"]);
    assert_eq!(rules_of(READ, |r| r.layers.traits[1].rebuilding = Some("resync".into())), ["M32"]);
    // The kernel counted the process's requests anew when it sent them again (larger than one request of the disk, by
    // io_uring), and the stacked device with it; of the same bytes at the device alone somebody else sent half.
    let twice = |r: &mut RunResult, process: bool| {
        r.layers.devices.iter_mut().for_each(|d| d.sectors[0] *= 2);
        r.layers.process.as_mut().filter(|_| process).iter_mut().for_each(|p| p.read_bytes *= 2);
    };
    assert_eq!(rules_of(READ, |r| twice(r, true)), NONE);
    assert_eq!(rules_of(READ, |r| twice(r, false)), ["M32"]);
    // What a file system writes next to our writes is its own, unless it is more than any journal.
    let beside = |share: f64| {
        move |r: &mut RunResult| {
            r.layers.devices.iter_mut().for_each(|d| d.sectors[1] += (d.sectors[1] as f64 * share) as u64);
        }
    };
    assert_eq!(rules_of(WRITE, beside(0.2)), NONE);
    assert_eq!(rules_of(WRITE, beside(1.0)), ["M32"]);
    let copies = |r: &mut RunResult| {
        beside(1.0)(r);
        r.layers.targets[0].stack[0] = "f2fs".into();
    };
    assert_eq!(rules_of(WRITE, copies), NONE);
    let syncs = |r: &mut RunResult| {
        beside(1.0)(r);
        r.jobs[0].syncs = 10_000;
    };
    assert_eq!(rules_of(WRITE, syncs), NONE);
    let tmpfs = |r: &mut RunResult| {
        r.layers.targets[0].stack = vec!["tmpfs".into()];
        (r.layers.devices, r.layers.traits) = Default::default();
        half(&mut r.layers);
    };
    assert_eq!(rules_of(READ, tmpfs), ["memory"]);
}

/// Samples of random offsets that leave a half of the region out are found; even ones, and those of a job that asked for
/// another distribution, are not.
#[test]
fn uneven_random_offsets_are_found() {
    use stats::offsets::{BINS, OffsetGrid, OffsetLaw, OffsetRegion, RegionOffsets};
    let sampled = |places: bool, used: usize| {
        move |r: &mut RunResult| {
            let grid = OffsetGrid::new(4 * GIB, places.then_some((4096, GIB / 1024)));
            let bins = (0..BINS).map(|bin| if bin < used { 640 / used as u64 } else { 0 }).collect();
            r.jobs[0].offsets = vec![RegionOffsets {
                region: OffsetRegion { target: "/d/f".into(), files: 1, start: 0, length: 4 * GIB },
                law: OffsetLaw::Uniform,
                grid: Some(grid),
                bins,
                bytes: 40_960_000,
                untouched: 0.99,
                counted: false,
            }];
        }
    };
    assert_eq!(rules_of(READ, sampled(true, 32)), ["offsets"]);
    assert_eq!(rules_of(READ, sampled(true, 64)), NONE);
    assert_eq!(rules_of(READ, sampled(false, 32)), NONE);
}

/// A queue that think time keeps from filling is reported, before the run by its options and after it by its depth.
#[test]
fn think_time_that_hides_the_queue_is_found() {
    let thinking = |options: &str| format!("{READ} --thinktime=5ms {options}");
    let before = |options: &str| at_once(&plan(&thinking(options))).len();
    assert_eq!([before("--thinktime_blocks=3"), before("--thinktime_blocks=1000")], [1, 0]);
    let reached = |depth: f64| {
        rules_of(&thinking("--thinktime_blocks=1000"), |result| {
            result.jobs[0].depth_reached = depth;
            result.layers.depth_reached = depth;
        })
    };
    let asked = f64::from(plan(READ).jobs[0].queue.effective);
    assert_eq!(reached(0.5 * asked), ["thinktime"]);
    assert_eq!(reached(0.9 * asked), NONE);
}

#[test]
fn what_was_asked_for_is_told_where_it_cannot_be() {
    assert_eq!(rules_of(&READ.replace("io_uring", "psync"), |_| {}), ["M4"]);
    let libaio = READ.replace("io_uring", "libaio").replace("--direct=1", "");
    assert_eq!(rules_of(&libaio, |_| {}), ["M5"]);
    assert_eq!(at_once(&plan(&libaio))[0].claim.rule(), "M5");
    assert_eq!(rules_of(&WRITE.replace("--fsync=32", "--zero_buffers --fsync=1"), |_| {}), ["M11"]);
    let size = |r: &mut RunResult| r.jobs[0].directions[0].runtime_ms = 700;
    assert_eq!(rules_of(&READ.replace("--time_based", ""), size), ["M18"]);
    assert_eq!(rules_of(READ, size), NONE);
    let clones = BUFFERED.to_owned() + " --numjobs=4";
    assert_eq!(rules_of(&clones, |_| {}), ["M20"]);
    assert_eq!(rules_of(&(clones + " --size=1g --offset_increment=1g"), |_| {}), NONE);
    let volatile = |r: &mut RunResult| r.layers.traits[1].volatile_cache = true;
    assert_eq!(rules_of(&WRITE.replace("--fsync=32", ""), volatile), ["M35"]);
    assert_eq!(rules_of(WRITE, volatile), NONE);
    assert_eq!(rules_of(&(READ.to_owned() + " --size=8m"), |_| {}), ["M3"]);
    let later = " --name=b --stonewall --rw=read --filename=/d/f --direct=1 --ioengine=io_uring --iodepth=4";
    assert_eq!(rules_of(&(WRITE.to_owned() + later), |_| {}), ["M38"]);
}

#[test]
fn failed_ios_are_told_and_nothing_else_is_blamed_for_them() {
    let failed = |r: &mut RunResult, ios: u64, errors: u64| {
        let d = &mut r.jobs[0].directions[0];
        (d.ios, d.errors) = (ios, errors);
        // They end in the submit call and were never at the device.
        d.slat.moments.sum = d.lat.moments.sum;
        r.jobs[0].depth_reached = 0.5;
        (r.layers.depth_reached, r.layers.depth_asked) = (0.5, 4.0);
    };
    assert_eq!(rules_of(READ, |r| failed(r, 10_000, 10_000)), ["errors"]);
    assert!(!rules_of(READ, |r| failed(r, 10_000, 0)).is_empty());
    let grade = |ios: u64, failed: u64| Claim::Failed { failed, ios }.grade();
    assert_eq!(
        [grade(1000, 1), grade(1000, 20), grade(0, 1), grade(5, 5)],
        [Grade::Caveats, Grade::Conditions, Grade::NotTheDevice, Grade::NotTheDevice]
    );
}

#[test]
fn random_that_beats_sequential_is_told() {
    let line =
        READ.to_owned() + &READ.replace("--name=a", " --name=b --stonewall").replace("randread", "read");
    assert_eq!(rules_of(&line, |_| {}), NONE);
    assert_eq!(rules_of(&line, |r| r.jobs[1].directions[0].bytes /= 2), ["M40"]);
}

#[test]
fn blocks_that_do_not_fit_are_told() {
    assert_eq!(rules_of(READ, |r| r.layers.traits[0].start_sector = Some(63)), ["M26"]);
    // A volume that begins 3584 bytes into a block; one that lies beyond a RAID's chunk but not across its blocks.
    let mapped = |r: &mut RunResult, offset: i64| {
        let t = &mut r.layers.traits[0];
        (t.kind, t.start_sector, t.alignment_offset) = (LayerKind::Mapped, None, offset);
    };
    assert_eq!(rules_of(READ, |r| mapped(r, 512)), ["M26"]);
    assert_eq!(rules_of(READ, |r| mapped(r, -1)), ["M26"]);
    assert_eq!(rules_of(READ, |r| mapped(r, 8192)), NONE);
    assert_eq!(rules_of(&(WRITE.to_owned() + " --bs=512"), |_| {}), ["M26"]);
    assert_eq!(rules_of(&(READ.to_owned() + " --bs=512"), |_| {}), NONE);
    let times = |r: &mut RunResult, by: fn(u64) -> u64| {
        r.layers.devices.iter_mut().for_each(|d| d.ios[0] = by(d.ios[0]));
    };
    assert_eq!(rules_of(READ, |r| times(r, |n| 3 * n)), ["M27"]);
    assert_eq!(rules_of(READ, |r| times(r, |n| n / 8)), ["M27"]);
    // Of blocks of 64 KiB bytes per second are quoted.
    assert_eq!(rules_of(BUFFERED, |r| times(r, |n| n / 8)), NONE);
}

/// Where the largest request of the device holds the block, or gives fewer requests than there are, the split has another
/// cause (number of segments, a layer below).
#[test]
fn split_names_the_largest_request_only_if_it_explains_the_split() {
    let most = |largest: u64, requests: u64| {
        let plan = plan(&(READ.to_owned() + " --bs=1m"));
        let mut result = clean(&plan);
        result.layers.devices.iter_mut().for_each(|d| d.ios[0] *= requests);
        result.layers.traits.iter_mut().for_each(|t| t.largest_request = Some(largest));
        let found = judge(&plan, &result, &SysRoot::at("/nonexistent"));
        found.into_iter().find_map(|f| match f.claim {
            Claim::Split { most, .. } => Some(most),
            _ => None,
        })
    };
    assert_eq!(most(512 << 10, 2), Some(Some(512 << 10)));
    assert_eq!(most(640 << 10, 4), Some(None));
    assert_eq!(most(4 << 20, 2), Some(None));
}

#[test]
fn util_is_explained() {
    let device = |r: &mut RunResult, util: f64, queue: u64| {
        r.layers.devices.iter_mut().for_each(|d| (d.util_percent, d.in_queue_ms) = (util, queue));
    };
    assert_eq!(rules_of(READ, |r| device(r, 99.0, 8000)), ["M28"]);
    assert_eq!(rules_of(READ, |r| device(r, 0.1, 10)), ["M28"]);
    let idle = |r: &mut RunResult| {
        device(r, 0.0, 0);
        r.layers.busiest_thread_percent = 60.0;
        r.layers.devices.iter_mut().for_each(|d| d.ticks_ms = [0; 2]);
    };
    assert_eq!(rules_of(READ, idle), ["M29"]);
}

#[test]
fn how_long_and_how_steady_is_told() {
    let with = |s: Series| move |r: &mut RunResult| r.series[0].1 = s.clone();
    assert_eq!(rules_of(READ, with(series(5000.0, |at| if at < 0.3 { 4.0 } else { 1.0 }))), ["M12"]);
    let written = |r: &mut RunResult| {
        r.series[0].1 = series(5000.0, |at| if at < 0.3 { 4.0 } else { 1.0 });
        r.series[0].1.windows.iter_mut().for_each(|w| w.bytes.swap(0, 1));
    };
    assert_eq!(rules_of(WRITE, written), ["M13"]);
    assert_eq!(rules_of(READ, |r| r.jobs[0].directions[0].ios = 999), ["M17"]);
    assert_eq!(rules_of(READ, |r| r.series[0].1.windows.truncate(15)), ["M17"]);
    let wild = with(series(5000.0, |at| if ((at * 40.0) as u64 / 4).is_multiple_of(2) { 0.8 } else { 1.2 }));
    assert_eq!(rules_of(READ, wild), ["M17"]);
}

#[test]
fn a_rate_that_falls_is_not_steady() {
    let falls = |r: &mut RunResult| r.series[0].1 = series(5000.0, |at| 1.2 - 0.4 * at);
    assert_eq!(rules_of(READ, falls), ["M15"]);
}

#[test]
fn turning_disks() {
    let turn = |r: &mut RunResult, nanos: u64| {
        r.layers.traits[1].rotational = true;
        let d = r.jobs[0].directions.iter_mut().find(|d| d.ios > 0).unwrap();
        (d.lat, d.clat) = (latency(d.ios, nanos, 2 * nanos), latency(d.ios, nanos, 2 * nanos));
    };
    assert_eq!(rules_of(READ, |r| turn(r, 100_000)), ["M19", "M2"]);
    assert_eq!(rules_of(WRITE, |r| turn(r, 100_000)), ["M16", "M19"]);
    assert_eq!(rules_of(READ, |r| turn(r, 32_000_000)), ["M19"]);
    let whole = |r: &mut RunResult| {
        turn(r, 32_000_000);
        r.layers.traits.iter_mut().for_each(|t| t.size = 4 * GIB);
    };
    assert_eq!(rules_of(READ, whole), NONE);
    // A guest's disk says that it turns, whatever it is.
    let guest = |r: &mut RunResult| {
        turn(r, 100_000);
        r.layers.traits[1].guest = true;
    };
    assert_eq!(rules_of(READ, guest), NONE);
}

/// Latencies of a network disk (4 to 12 ms) over a hundredth of a device look like short seeks. Only a device that is reported
/// as rotational may have a head; a FUSE file has no known device.
#[test]
fn short_stroke_needs_a_device_reported_as_rotational() {
    let small = READ.replace("--filename", "--size=1g --filename");
    let slow = |r: &mut RunResult, kind: LayerKind, rotational: bool, guest: bool| {
        let d = &mut r.jobs[0].directions[0];
        let mut latency = Latency::default();
        for at in 0..d.ios {
            let nanos = 16_000_000 + 32_000_000 * at / d.ios;
            latency.moments.record(nanos, 1);
            latency.histogram.record(nanos, 1);
        }
        (d.lat, d.clat) = (latency.clone(), latency);
        let disk = &mut r.layers.traits[1];
        (disk.kind, disk.rotational, disk.guest) = (kind, rotational, guest);
    };
    assert_eq!(rules_of(&small, |r| slow(r, LayerKind::Loop, false, false)), NONE);
    assert_eq!(rules_of(&small, |r| slow(r, LayerKind::Raid, false, false)), NONE);
    assert_eq!(rules_of(&small, |r| slow(r, LayerKind::Loop, true, false)), ["M19"]);
    assert_eq!(rules_of(&small, |r| slow(r, LayerKind::Disk, true, true)), ["M19"]);
    let fuse = |r: &mut RunResult| {
        slow(r, LayerKind::Disk, true, false);
        r.layers.targets[0].stack = vec!["fuse.disk".into()];
        (r.layers.devices, r.layers.traits) = Default::default();
    };
    assert_eq!(rules_of(&small, fuse), NONE);
}

#[test]
fn a_busy_generator_and_a_cpu_that_was_taken_are_told() {
    assert_eq!(rules_of(READ, |r| r.layers.busiest_thread_percent = 95.0), ["M22"]);
    assert_eq!(rules_of(READ, |r| r.layers.host.throttled_ms = 200), ["M22"]);
    assert_eq!(rules_of(READ, |r| r.layers.host.steal_percent = 8.0), ["M22"]);
    assert_eq!(rules_of(READ, |r| r.layers.host.steal_percent = 2.0), NONE);
}

#[test]
fn filling_is_told() {
    let line = WRITE.to_owned() + " --refill_buffers";
    assert_eq!(rules_of(&line, |_| {}), NONE);
    assert_eq!(rules_of(&line, |r| r.jobs[0].cpu.user_us = 900_000), ["M23"]);
}

#[test]
fn far_nodes_are_told() {
    let sandbox = testbed::Sandbox::new().unwrap();
    let list = |cpus: &str| {
        std::fs::create_dir_all(sandbox.join("sys/devices/system/node/node1")).unwrap();
        std::fs::write(sandbox.join("sys/devices/system/node/node1/cpulist"), cpus).unwrap();
    };
    let root = SysRoot::at(sandbox.path());
    let node = |r: &mut RunResult| r.layers.traits[1].node = Some(1);
    list("900-903");
    assert_eq!(rules_on(READ, &root, node), ["M24"]);
    list("0-903");
    assert_eq!(rules_on(READ, &root, node), NONE);
}

#[test]
fn links_are_told() {
    let link = |r: &mut RunResult, now: u64, most: u64| r.layers.traits[1].link = Some([now, most]);
    assert_eq!(rules_of(READ, |r| link(r, 7_800_000_000, 7_800_000_000)), NONE);
    assert_eq!(rules_of(READ, |r| link(r, 985_000_000, 7_800_000_000)), ["M25"]);
    // 10,000 I/Os of 4 KiB in two seconds are 20 MB/s.
    assert_eq!(rules_of(READ, |r| link(r, 19_000_000, 19_000_000)), ["M2"]);
}

/// The counters of an NVMe drive about its temperature count since it was made.
#[test]
fn a_hot_drive_is_told() {
    let counters = |slowed, slowed_s, warning_minutes| HeatCounters { warning_minutes, slowed, slowed_s };
    let heat = |r: &mut RunResult, after| r.layers.traits[1].heat = Some([counters(4, 50, 3), after]);
    assert_eq!(rules_of(READ, |r| heat(r, counters(4, 50, 3))), NONE);
    assert_eq!(rules_of(READ, |r| heat(r, counters(5, 51, 3))), ["heat"]);
    assert_eq!(rules_of(READ, |r| heat(r, counters(4, 50, 4))), ["heat"]);
}

#[test]
fn a_stall_is_told() {
    let stall = |r: &mut RunResult| r.jobs[0].directions[0].lat = latency(10_000, 100_000, 900_000_000);
    assert_eq!(rules_of(READ, stall), ["M31"]);
    let skewed = |r: &mut RunResult| {
        let mut l = latency(10_000, 100_000, 400_000);
        l.moments.record(30_000_000, 100);
        l.histogram.record(30_000_000, 100);
        r.jobs[0].directions[0].lat = l;
    };
    assert_eq!(rules_of(READ, skewed), ["M30"]);
}

#[test]
fn a_limit_that_was_reached_is_told() {
    let limit = |r: &mut RunResult, iops: u64| r.layers.traits[1].cap.iops[0] = Some(iops);
    assert_eq!(rules_of(READ, |r| limit(r, 5000)), ["M33"]);
    assert_eq!(rules_of(READ, |r| limit(r, 8000)), NONE);
    assert_eq!(rules_of(WRITE, |r| limit(r, 5000)), NONE);
}

#[test]
fn no_disk_answers_in_no_time() {
    let quick = |r: &mut RunResult| {
        let mut l = latency(10_000, 100_000, 400_000);
        l.moments.record(900, 300);
        l.histogram.record(900, 300);
        r.jobs[0].directions[0].lat = l;
    };
    assert_eq!(rules_of(READ, quick), ["M34"]);
}

#[test]
fn full_and_copying_file_systems_are_told() {
    assert_eq!(rules_of(WRITE, |r| r.layers.targets[0].used_percent = Some(93.0)), ["M39"]);
    assert_eq!(rules_of(READ, |r| r.layers.targets[0].used_percent = Some(93.0)), NONE);
    assert_eq!(rules_of(WRITE, |r| r.layers.targets[0].stack[0] = "btrfs".into()), ["M39"]);
}

/// Sparse files are as large as they like, and several of them larger than any number.
#[test]
fn the_largest_sizes_are_judged_too() {
    let huge = |r: &mut RunResult| {
        let t = r.layers.targets[0].clone();
        r.layers.targets.push(t);
        r.layers.process = r.layers.process.map(|p| ProcessIo { read_bytes: 0, ..p });
        r.layers.targets.iter_mut().for_each(|t| {
            (t.size, t.holes, t.unwritten, t.cached_before) =
                (u64::MAX, Some(u64::MAX), Some(7), Some(u64::MAX / 2));
        });
    };
    for line in [READ, BUFFERED] {
        assert!(rules_of(line, huge).contains(&"M8"), "{line}");
    }
    rules_of(WRITE, huge);
}

/// The name of a file or device says nothing.
#[test]
fn renaming_changes_nothing() {
    for line in [READ, WRITE, BUFFERED] {
        let other = line.replace("/d/f", "/e/zero-hole-cache");
        let change = |r: &mut RunResult| {
            r.layers.busiest_thread_percent = 95.0;
            r.layers.targets[0].path = "/e/zero-hole-cache".into();
        };
        assert_eq!(rules_of(line, change), rules_of(&other, change));
    }
}

#[test]
fn requested_rate_that_was_kept_is_no_limit_of_the_device() {
    let slow = |r: &mut RunResult| {
        r.layers.traits[1].cap.iops[0] = Some(5400);
        (r.layers.depth_reached, r.layers.busiest_thread_percent) = (1.0, 45.0);
    };
    let busy = |r: &mut RunResult| r.layers.busiest_thread_percent = 99.0;
    let paced = |iops: u64| format!("{READ} --rate_iops={iops}");
    assert_eq!(rules_of(READ, slow), ["M33", "M5"]);
    assert_eq!(rules_of(&paced(5050), slow), [""; 0]);
    // One that was not kept says as much as none.
    assert_eq!(rules_of(&paced(6000), slow), ["M33", "M5"]);
    assert_eq!((rules_of(READ, busy).len(), rules_of(&paced(5000), busy).len()), (1, 0));
}

/// Stalls of the device, as they come: of 300 ms every 5 s, one of 900 ms; and the dips that are none.
#[test]
fn pauses_are_told_with_their_distance() {
    let shaped = |seconds: u64, rate: u64, paused: fn(u64) -> bool| {
        move |r: &mut RunResult| {
            let mut s = Series::default();
            let (mut now, mut ios) = (1, 0);
            s.look(now, [0; 3], [0; 3]);
            for ms in (50..=seconds * 1000).step_by(50) {
                now += 50_000_000;
                // Windows at an edge of a pause hold a part of theirs.
                ios += (ms - 50..ms).filter(|ms| !paused(*ms)).count() as u64 * rate / 1000;
                s.look(now, [ios, 0, 0], [ios * 4096, 0, 0]);
            }
            r.series[0].1 = s;
        }
    };
    let claim = |change: &dyn Fn(&mut RunResult)| {
        let plan = plan(READ);
        let mut result = clean(&plan);
        change(&mut result);
        let found = judge(&plan, &result, &SysRoot::at("/nonexistent"));
        found.into_iter().map(|f| f.claim).find(|c| matches!(c, Claim::Pauses { .. }))
    };
    match claim(&shaped(20, 5000, |ms| ms % 5000 >= 4321 && ms % 5000 < 4621)) {
        Some(Claim::Pauses {
            count: 4,
            longest_ns,
            share_percent,
            every_s: Some(every),
            cpu_busy: false,
        }) => {
            assert!((250_000_000..=300_000_000).contains(&longest_ns), "{longest_ns}");
            assert!(
                (4.9..6.1).contains(&share_percent) && (every - 5.0).abs() < 0.06,
                "{share_percent} {every}"
            );
        }
        other => panic!("{other:?}"),
    }
    let once = claim(&shaped(8, 1000, |ms| (3100..4000).contains(&ms)));
    assert!(matches!(once, Some(Claim::Pauses { count: 1, every_s: None, .. })), "{once:?}");
    // 100 ms of a throttle's slice, and a device so slow that windows are empty by chance.
    assert_eq!(claim(&shaped(8, 1000, |ms| ms % 1000 >= 900)), None);
    assert_eq!(claim(&shaped(8, 60, |ms| ms % 2000 >= 1700)), None);
}

/// A drop within the first twelfth of a run is told as one later is.
#[test]
fn an_early_drop_is_a_step() {
    for share in [0.06, 0.08, 0.12, 0.5] {
        let drop = |r: &mut RunResult| {
            r.series[0].1 = series(5000.0, |at| if at < share { 1.0 } else { 0.4 });
        };
        assert_eq!(rules_of(READ, drop), ["M12"], "{share}");
    }
}

/// Ten minutes in which the rate falls to half along a line.
#[test]
fn a_rate_that_falls_along_a_line_is_a_drift_and_no_drop() {
    let plan = plan(READ);
    let mut result = clean(&plan);
    let mut falling = Series::default();
    let mut ios = 0;
    for at in 0..=12_000u64 {
        falling.look(1 + at * 50_000_000, [ios, 0, 0], [4096 * ios, 0, 0]);
        ios += 200 - at / 120;
    }
    result.series[0].1 = falling;
    result.jobs[0].directions[0].runtime_ms = 600_000;
    let claims = judge(&plan, &result, &SysRoot::at("/nonexistent"));
    let falls = |claim: &Claim| matches!(claim, Claim::RateDropped { .. } | Claim::StepDown { .. });
    assert!(claims.iter().any(|found| matches!(found.claim, Claim::Unsteady { .. })), "{claims:?}");
    assert!(!claims.iter().any(|found| falls(&found.claim)), "{claims:?}");
}

#[test]
fn a_thread_that_waits_for_a_cpu_is_told() {
    let waits = |share: u64| move |r: &mut RunResult| r.jobs[0].cpu.waited_us = 2_000_000 * share / 100;
    assert_eq!(rules_of(READ, waits(30)), ["M22"]);
    assert_eq!(rules_of(READ, waits(8)), NONE);
}

/// Buffered writes that return in no time are the page cache's, though all of them arrive before the run ends.
#[test]
fn writes_that_return_before_the_device_had_them_are_the_page_caches() {
    let line = "--name=a --filename=/d/f --rw=write --bs=4k --ioengine=psync --runtime=2 --time_based";
    let arrived = |at_device_ms: u64| {
        move |r: &mut RunResult| r.layers.devices.iter_mut().for_each(|d| d.ticks_ms[1] = at_device_ms)
    };
    // 10,000 writes of 100 us each by our clock; at the device 350 us and 90 us.
    assert_eq!(rules_of(line, arrived(3500)), ["M1", "M35"]);
    assert_eq!(rules_of(line, arrived(900)), ["M35"]);
    assert_eq!(rules_of(&(line.to_owned() + " --fdatasync=1"), arrived(3500)), NONE);
    // One sync at the end: the rate is that of durable writes, the latencies are not.
    assert_eq!(rules_of(&(line.to_owned() + " --end_fsync=1"), arrived(900)), ["M1"]);
    assert_eq!(rules_of(&(line.to_owned() + " --end_fsync=1 --direct=1"), arrived(900)), NONE);
}

/// A loop device in memory, zram and overlayfs are told; a disk under a loop device that others use, too.
#[test]
fn what_lies_below_is_told() {
    let on = |stack: &[&str], r: &mut RunResult| {
        r.layers.targets[0].stack = stack.iter().map(|s| (*s).to_owned()).collect();
        let kind = |name: &str| match name {
            "loop0" => LayerKind::Loop,
            "zram0" => LayerKind::Zram,
            _ => LayerKind::Disk,
        };
        let (device, traits) = (r.layers.devices[1].clone(), r.layers.traits[1].clone());
        let names: Vec<String> = r.layers.targets[0].names().map(str::to_owned).collect();
        let devices = names.iter().filter(|n| ["loop0", "zram0", "ram0", "sda"].contains(&n.as_str()));
        (r.layers.devices, r.layers.traits) = devices
            .map(|n| {
                let in_memory = (n == "ram0").then(|| "brd".to_owned());
                let traits = DeviceTraits { name: n.clone(), kind: kind(n), in_memory, ..traits.clone() };
                (DiskOutcome { name: n.clone(), ..device.clone() }, traits)
            })
            .unzip();
    };
    assert_eq!(rules_of(READ, |r| on(&["loop0 (loop)", "tmpfs"], r)), ["memory"]);
    assert_eq!(rules_of(READ, |r| on(&["ext4", "loop0 (loop)", "tmpfs"], r)), ["memory"]);
    assert_eq!(rules_of(READ, |r| on(&["zram0 (zram)"], r)), ["memory"]);
    assert_eq!(rules_of(READ, |r| on(&["ram0 (disk)"], r)), ["memory"]);
    // It counts I/Os and no time.
    let no_time = |r: &mut RunResult| {
        on(&["zram0 (zram)"], r);
        (r.layers.devices[0].util_percent, r.layers.devices[0].in_queue_ms) = (0.7, 12);
    };
    assert_eq!(rules_of(READ, no_time), ["memory"]);
    assert_eq!(rules_of(READ, |r| on(&["overlay", "ext4", "sda (disk)"], r)), ["overlayfs"]);
    let loops = ["loop0 (loop)", "ext4", "sda (disk)"];
    assert_eq!(rules_of(READ, |r| on(&loops, r)), NONE);
    let other = |at: usize, bytes: u64| {
        move |r: &mut RunResult| {
            on(&loops, r);
            r.layers.devices[1].sectors[at] += bytes / 512;
        }
    };
    assert_eq!(rules_of(READ, other(1, 100 << 20)), ["M32"]);
    assert_eq!(rules_of(READ, other(0, 4 << 30)), ["M32"]);
    let few = |r: &mut RunResult| {
        other(0, 100 << 20)(r);
        r.layers.devices[1].ios[0] += 800;
    };
    assert_eq!(rules_of(READ, few), ["M32"]);
    // Read-ahead of a loop device through the page cache; and what it reads and writes around parts of sectors.
    assert_eq!(rules_of(READ, other(0, 100 << 20)), NONE);
    assert_eq!(
        rules_of(&(WRITE.to_owned() + " --bs=512"), |r| {
            other(0, 200 << 20)(r);
            r.layers.devices[1].ios[0] += 9000;
        }),
        ["M26"]
    );
}

/// A limit that lets I/Os through in slices of 100 ms: 25 at once, then a wait; and what only resembles it.
#[test]
fn ios_that_pass_in_bursts_are_probably_a_limits() {
    let mixed = |parts: &'static [(u64, u64)]| {
        move |r: &mut RunResult| {
            let mut l = Latency::default();
            for (nanos, times) in parts {
                l.moments.record(*nanos, *times);
                l.histogram.record(*nanos, *times);
            }
            r.jobs[0].directions[0].lat = l;
        }
    };
    // Four I/Os in flight wait 20 times in two seconds.
    let bursts: &[(u64, u64)] = &[(80_000, 9920), (88_000_000, 40), (94_000_000, 40)];
    assert_eq!(rules_of(READ, mixed(bursts)), ["M30", "M33"]);
    // Pauses of all lengths are a device's, as are a few that take little of the time.
    let all_lengths: &[(u64, u64)] = &[(80_000, 9920), (25_000_000, 40), (190_000_000, 40)];
    assert_eq!(rules_of(READ, mixed(all_lengths)), ["M30"]);
    let few: &[(u64, u64)] = &[(300_000, 9980), (90_000_000, 20)];
    assert_eq!(rules_of(READ, mixed(few)), NONE);
    let no_gap: &[(u64, u64)] = &[(80_000, 9880), (20_000_000, 40), (90_000_000, 80)];
    assert_eq!(rules_of(READ, mixed(no_gap)), ["M30"]);
    // I/Os that are slow at random, so that their number wanders.
    let random = |r: &mut RunResult| {
        mixed(bursts)(r);
        r.series[0].1 = series(5000.0, |at| if (at * 40.0) as u64 % 20 < 10 { 0.6 } else { 1.4 });
    };
    assert!(!rules_of(READ, random).contains(&"M33"));
    // A thread that found no CPU for as long.
    let starved = |r: &mut RunResult| {
        mixed(bursts)(r);
        r.jobs[0].cpu.waited_us = 5_000_000;
    };
    assert!(!rules_of(READ, starved).contains(&"M33"));
}

/// Nothing completes while a load thread finds no CPU: that is no pause of the device.
#[test]
fn a_pause_as_long_as_the_wait_for_a_cpu_is_not_the_devices() {
    let paused = |waited_us: u64| {
        move |r: &mut RunResult| {
            r.series[0].1 = series(5000.0, |at| if (0.5..0.75).contains(&at) { 0.0 } else { 1.0 });
            r.jobs[0].cpu.waited_us = waited_us;
            r.layers.host.longest_cpu_wait_us = Some(waited_us);
        }
    };
    assert_eq!(rules_of(READ, paused(0)), ["M31"]);
    assert_eq!(rules_of(READ, paused(600_000)), ["M22"]);
    // Waits of at most 30 ms, 600 ms in all, do not explain a pause of 500 ms; neither do waits of unknown lengths.
    for longest_us in [Some(30_000), None] {
        let many = |r: &mut RunResult| {
            paused(600_000)(r);
            r.layers.host.longest_cpu_wait_us = longest_us;
        };
        assert_eq!(rules_of(READ, many), ["M22", "M31"], "{longest_us:?}");
    }
    // Windows that are late hold the ends of a pause of 300 ms: four are empty, two half so. The thread waited 180 ms in all.
    let late = |r: &mut RunResult| {
        paused(180_000)(r);
        r.series[0].1 = series(5000.0, |at| match (at * 40.0).round() as u64 {
            20 | 25 => 0.4,
            21..=24 => 0.0,
            _ => 1.0,
        });
    };
    assert_eq!(rules_of(READ, late), ["M31"]);
    // A step that cost 1.05 s beside a wait of 0.3 s and of 0.8 s.
    let stepped = |waited_us: u64| {
        move |r: &mut RunResult| {
            r.series[0].1 = series(5000.0, |at| if at < 0.3 { 4.0 } else { 1.0 });
            r.jobs[0].cpu.waited_us = waited_us;
        }
    };
    assert_eq!(rules_of(READ, stepped(300_000)), ["M12", "M22"]);
    assert_eq!(rules_of(READ, stepped(800_000)), ["M22"]);
}

/// A measurement that times single operations has the findings about CPUs: the waits of its thread, and those of all tasks.
#[test]
fn busy_cpus_are_told_of_a_characterization() {
    let plan = plan("--name=characterize --filename=/d/f --rw=randread --bs=4k --direct=1");
    let found = |waited_us: u64, pressure_ms: Option<u64>| {
        let mut result = clean(&plan);
        result.series.clear();
        result.jobs[0].cpu.waited_us = waited_us;
        (result.layers.host.cpu_pressure_ms, result.layers.host.watched_ms) = (pressure_ms, 2000);
        let found = judge_layers(&plan, &result, [(0.0, 0.0); 2], &SysRoot::at("/nonexistent"));
        found.iter().map(|f| (f.claim.rule(), f.claim.grade())).collect::<Vec<_>>()
    };
    assert_eq!(found(0, None), []);
    assert_eq!(found(100_000, Some(200)), []);
    assert_eq!(found(300_000, None), [("M22", Grade::Caveats)]);
    assert_eq!(found(0, Some(600)), [("M22", Grade::Caveats)]);
    assert_eq!(found(0, Some(1900)), [("M22", Grade::Conditions)]);
}

/// Stalls of 150 ms each second are told, of a device that keeps 240 ms free of pauses; so is a loss of 1 % per second.
#[test]
fn short_stalls_and_slow_losses_are_told() {
    let shaped = |share: fn(u64) -> f64| {
        move |r: &mut RunResult| {
            let mut s = Series::default();
            let (mut now, mut done) = (1, 0.0);
            s.look(now, [0; 3], [0; 3]);
            for ms in (50..=20_000).step_by(50) {
                now += 50_000_000;
                done += (ms - 50..ms).map(share).sum::<f64>();
                s.look(now, [done as u64, 0, 0], [done as u64 * 4096, 0, 0]);
            }
            r.series[0].1 = s;
        }
    };
    assert_eq!(rules_of(READ, shaped(|ms| if ms % 1000 < 850 { 1.0 } else { 0.0 })), ["M31"]);
    assert_eq!(rules_of(READ, shaped(|ms| if ms % 2000 < 1770 { 1.0 } else { 0.0 })), ["M31"]);
    assert_eq!(rules_of(READ, shaped(|ms| 1.0 - ms as f64 / 100_000.0)), ["M15"]);
    assert_eq!(rules_of(READ, shaped(|ms| if ms < 10_000 { 1.0 } else { 0.9 })), ["M15"]);
    assert_eq!(rules_of(READ, shaped(|_| 1.0)), NONE);
}

/// Whatever kept the processors busy, a run of too few windows is too short.
#[test]
fn a_short_run_without_a_cpu_is_still_too_short() {
    let short = |r: &mut RunResult| {
        r.series[0].1.windows.truncate(15);
        r.jobs[0].cpu.waited_us = 600_000;
    };
    assert_eq!(rules_of(READ, short), ["M17", "M22"]);
}

/// A stop of fathom itself explains the pause in its figures, and a pause that is much longer stays the device's.
#[test]
fn a_stop_of_the_process_explains_its_pause() {
    let stopped = |stopped_ms: u64| {
        move |r: &mut RunResult| {
            r.series[0].1 = series(5000.0, |at| if (0.5..0.75).contains(&at) { 0.0 } else { 1.0 });
            r.jobs[0].directions[0].lat = latency(10_000, 100_000, 550_000_000);
            r.layers.host.stopped_ms = stopped_ms;
        }
    };
    assert_eq!(rules_of(READ, stopped(500)), ["stopped"]);
    assert_eq!(rules_of(READ, stopped(120)), ["M31", "stopped"]);
}

/// Reads and writes of a file on an NFS mount as [`clean`] has them, with the client's counters that agree.
fn on_nfs(result: &mut RunResult, change: impl Fn(&mut RemoteLayer, &mut NfsMount)) {
    let l = &mut result.layers;
    (l.devices, l.traits, l.process) = (Vec::new(), Vec::new(), None);
    l.targets[0].stack = vec!["nfs4".into()];
    (l.targets[0].holes, l.targets[0].unwritten, l.targets[0].zero_blocks) = (None, None, None);
    let op =
        |name: &str, ops| RemoteOperation { name: name.into(), ops, execute_ms: ops, ..Default::default() };
    let traffic = RemoteTraffic {
        operations: vec![op("READ", l.app_ios[0]), op("WRITE", l.app_ios[1]), op("COMMIT", 1)],
        server_bytes: [l.app_bytes[0], l.app_bytes[1]],
        reconnects: 0,
    };
    let mut mount = NfsMount { timeout_ds: 600, retries: 2, connections: 1, ..NfsMount::default() };
    let mut layer = RemoteLayer {
        name: "/mnt/n".into(),
        client: RemoteClient::Nfs(NfsMount::default()),
        servers: vec!["10.0.0.1".into()],
        path: Some(NetworkPath {
            server: "10.0.0.1".into(),
            interface: "eth0".into(),
            kind: InterfaceKind::Card,
            mbit: Some(10_000),
            full_duplex: Some(true),
            mtu: Some(1500),
            members: Vec::new(),
            shaper: None,
        }),
        traffic: Some(traffic),
    };
    change(&mut layer, &mut mount);
    layer.client = RemoteClient::Nfs(mount);
    l.remote = vec![layer];
    l.tcp = Some(stats::remote::TcpSegments { sent: 100_000, retransmitted: 9 });
}

const BUFFERED_WRITE: &str =
    "--name=a --filename=/d/f --rw=write --bs=64k --ioengine=psync --runtime=2 --time_based";

#[test]
fn soft_mounts_and_repeated_requests_are_told() {
    let run =
        |change: &dyn Fn(&mut RemoteLayer, &mut NfsMount)| rules_of(READ, |r| on_nfs(r, |l, m| change(l, m)));
    assert_eq!(run(&|_, _| {}), NONE);
    assert_eq!(run(&|_, mount| mount.soft = true), ["network"]);
    assert_eq!(
        run(&|layer, _| layer.traffic.as_mut().unwrap().operations[0].retransmissions = 1),
        ["network"]
    );
    assert_eq!(run(&|layer, _| layer.traffic.as_mut().unwrap().reconnects = 1), ["network"]);
    let segments = |n| {
        rules_of(READ, |r| {
            on_nfs(r, |_, _| {});
            r.layers.tcp.as_mut().unwrap().retransmitted = n;
        })
    };
    assert_eq!((segments(99), segments(100)), (Vec::new(), vec!["network"]));
}

/// Reads and writes as [`clean`] has them, on a target that a library reaches, with these facts.
fn on_server(result: &mut RunResult, facts: Vec<ServerFact>) {
    on_nfs(result, |_, _| {});
    let l = &mut result.layers;
    l.targets[0].stack = vec!["rbd (image p/i)".into()];
    l.tcp = None;
    l.remote[0].client = RemoteClient::Library { library: "librbd".into(), facts };
    l.remote[0].traffic = None;
}

#[test]
fn what_a_cluster_states_is_told() {
    let run = |facts: Vec<ServerFact>| rules_of(READ, |r| on_server(r, facts.clone()));
    let pool = |placement_groups, osds| ServerFact::Pool {
        pool: CephPool { name: "p".into(), erasure: false, size: 3, min_size: 2, placement_groups },
        profile: None,
        osds,
    };
    assert_eq!(run(vec![pool(40, 4)]), NONE);
    assert_eq!(run(vec![pool(39, 4)]), ["network"]);
    let activity = |recovering, scrubbing, degraded| {
        run(vec![ServerFact::Activity(ClusterActivity { recovering, scrubbing, degraded })])
    };
    assert_eq!((activity(0, 0, 9), activity(1, 0, 0)), (Vec::new(), vec!["network"]));
    assert_eq!(activity(0, 1, 0), ["network"]);
}

/// The cache of librbd may confirm writes, because the engine sends the first flush; never if it writes through.
#[test]
fn cache_of_a_library_and_export_of_nfs_are_told_for_writes() {
    let cache = |line: &str, bytes, policy: &str, until_flush| {
        let (library, policy) = ("librbd".into(), policy.into());
        let fact = ServerFact::LibraryCache { library, bytes, policy, until_flush };
        let found = found_in(line, |r| on_server(r, vec![fact.clone()]));
        found.iter().any(|f| matches!(f.claim, Claim::LibraryCache { .. }))
    };
    let some = Some(32 << 20);
    assert!(cache(WRITE, some, "writearound", true), "with syncs");
    let unsynced = WRITE.replace(" --fsync=32", "");
    assert!(cache(&unsynced, some, "writearound", true));
    assert!(cache(&unsynced, some, "writearound", false));
    assert!(!cache(WRITE, some, "writethrough", false) && !cache(WRITE, None, "writearound", false));
    assert!(!cache(READ, some, "writeback", false));
    let nfs = |line: &str| {
        let fact =
            ServerFact::Nfs { version: "3".into(), export: "s:/e".into(), read_bytes: 0, write_bytes: 0 };
        let found = found_in(line, |r| on_server(r, vec![fact.clone()]));
        found.iter().any(|f| matches!(f.claim, Claim::ExportUnknown { .. }))
    };
    assert_eq!([nfs(WRITE), nfs(READ), nfs(&unsynced)], [true, false, false]);
}

/// The connections of this process to its servers are the evidence; ten segments of a thousand are 1 %.
#[test]
fn retransmissions_and_reconnects_of_own_connections_are_told() {
    let connections = |retransmitted, reconnects| {
        rules_of(READ, |r| {
            on_server(r, Vec::new());
            let segments = |sent, retransmitted| TcpSegments { sent, retransmitted };
            let one = |segments, reconnects| ServerConnections { segments, reconnects, ..Default::default() };
            r.layers.connections =
                vec![one(segments(500, retransmitted), reconnects), one(segments(500, 5), 0)];
        })
    };
    assert_eq!(connections(4, 0), NONE);
    assert_eq!(connections(5, 0), ["network"]);
    assert_eq!(connections(0, 1), ["network"]);
}

/// With one machine and three copies, its link of 1 Gbit/s carries a third of the payload.
#[test]
fn replication_that_limits_the_writes_is_told() {
    let pool = ServerFact::Pool {
        pool: CephPool { name: "p".into(), erasure: false, size: 3, min_size: 2, placement_groups: 128 },
        profile: None,
        osds: 3,
    };
    let at = |mbit, hosts| {
        let facts = vec![pool.clone(), ServerFact::Osds { osds: Vec::new(), all: 3, hosts }];
        rules_of(NBD_WRITE, |r| {
            on_server(r, facts.clone());
            r.layers.remote[0].path.as_mut().unwrap().mbit = Some(mbit);
        })
    };
    // 20.48 MB/s are what three times 174 Mbit/s carry with three copies.
    assert_eq!(at(3 * 174, 1), ["network"]);
    assert_eq!(at(3 * 174, 2), NONE);
    // The link itself is the limit.
    assert_eq!(at(174, 3), ["network"]);
}

/// The client of a network file system counts what the server sent: less than was read is a hit of the client's cache.
#[test]
fn reads_from_the_cache_of_an_nfs_client_are_told() {
    let server = |share: f64| {
        let sent = |layer: &mut RemoteLayer| {
            let bytes = &mut layer.traffic.as_mut().unwrap().server_bytes[0];
            *bytes = (*bytes as f64 * share) as u64;
        };
        rules_of(BUFFERED, |r| on_nfs(r, |layer, _| sent(layer)))
    };
    assert_eq!(server(0.95), NONE);
    assert_eq!(server(0.85), ["M1"]);
    assert_eq!(server(0.0), ["M1"]);
}

#[test]
fn link_that_limits_the_bandwidth_is_told() {
    // 10,000 I/Os of 4 KiB in two seconds are 20.48 MB/s; 174 Mbit/s carry 20.48 MB/s.
    let at = |mbit| rules_of(READ, |r| on_nfs(r, |layer, _| layer.path.as_mut().unwrap().mbit = mbit));
    assert_eq!(at(Some(174)), ["network"]);
    assert_eq!(at(Some(190)), ["network"]);
    assert_eq!(at(Some(200)), NONE);
    assert_eq!(at(Some(100)), ["M2"]);
    assert_eq!(at(None), NONE);
    // An interface without a known speed is near that of a usual link, or not: 20.48 MB/s are 1.74 times 100 Mbit/s.
    let usual = |iops_factor: f64| {
        rules_of(READ, |r| {
            on_nfs(r, |layer, _| {
                let path = layer.path.as_mut().unwrap();
                (path.mbit, path.kind) = (None, InterfaceKind::Virtual);
            });
            let read = &mut r.jobs[0].directions[0];
            read.bytes = (read.bytes as f64 * iops_factor) as u64;
            r.layers.app_bytes[0] = read.bytes;
            r.layers.remote[0].traffic.as_mut().unwrap().server_bytes[0] = read.bytes;
        })
    };
    // 11.77 MB/s are the payload of 100 Mbit/s.
    for (factor, named) in [(0.55, false), (0.56, true), (0.585, true), (0.6, false)] {
        assert_eq!(usual(factor) == ["network"], named, "{factor}");
    }
    // A shaper limits what is sent, and on the loopback interface what is read, too.
    let shaped = |line: &str, kind, bytes_per_second| {
        rules_of(line, |r| {
            on_nfs(r, |layer, _| {
                let path = layer.path.as_mut().unwrap();
                path.kind = kind;
                path.shaper = Some(Shaper { kind: "tbf".into(), bytes_per_second });
            });
        })
    };
    // Packets of 1514 bytes carry 1448 bytes: 20.48 MB/s need 21.4 MB/s.
    assert_eq!(shaped(READ, InterfaceKind::Loopback, 21_500_000), ["network"]);
    assert_eq!(shaped(READ, InterfaceKind::Card, 21_500_000), NONE);
    assert_eq!(shaped(READ, InterfaceKind::Loopback, 30_000_000), NONE);
    // One connection uses one of the two members of a bond.
    let bond = |connections| {
        rules_of(READ, |r| {
            on_nfs(r, |layer, mount| {
                let path = layer.path.as_mut().unwrap();
                (path.mbit, path.kind) = (Some(348), InterfaceKind::Bond);
                path.members = vec!["eth1".into(), "eth2".into()];
                mount.connections = connections;
            });
        })
    };
    assert_eq!((bond(1), bond(2)), (vec!["network"], Vec::new()));
}

/// Speeds of links that the findings name as limits.
fn limits_named(line: &str, change: impl Fn(&mut RunResult)) -> Vec<u64> {
    let plan = plan(line);
    let mut result = clean(&plan);
    change(&mut result);
    let found = judge(&plan, &result, &SysRoot::at("/nonexistent"));
    let limit = |claim| match claim {
        Claim::LinkLimit { mbit, .. } | Claim::ShaperLimit { mbit, .. } => Some(mbit),
        _ => None,
    };
    found.into_iter().filter_map(|finding| limit(finding.claim)).collect()
}

/// Only what passed the link counts, each link is named once, and a job with a rate of its own does not show a limit.
#[test]
fn link_is_compared_with_what_passed_it() {
    // 174 Mbit/s carry the 20.48 MB/s of the job, and 87 Mbit/s half of it.
    let on = |line: &str, mbit, change: &dyn Fn(&mut Layers)| {
        limits_named(line, |r| {
            on_nfs(r, |layer, _| layer.path.as_mut().unwrap().mbit = Some(mbit));
            change(&mut r.layers);
        })
    };
    assert_eq!(on(READ, 174, &|_| {}), [174]);
    let half_cached = |l: &mut Layers| l.remote[0].traffic.as_mut().unwrap().server_bytes[0] /= 2;
    assert_eq!((on(READ, 174, &half_cached), on(READ, 87, &half_cached)), (vec![], vec![87]));
    let second = |interface: &'static str| {
        move |l: &mut Layers| {
            let mut other = l.remote[0].clone();
            other.path.as_mut().unwrap().interface = interface.into();
            l.remote.push(other);
        }
    };
    assert_eq!(on(READ, 174, &second("eth0")), [174]);
    assert_eq!(on(READ, 174, &second("eth1")), [174, 174]);
    assert_eq!(on(&format!("{READ} --rate_iops=5000"), 174, &|_| {}), Vec::<u64>::new());
}

/// The link of a target that a library reaches carries the I/O of the jobs on it, and not that of other jobs.
#[test]
fn link_of_a_library_target_is_told() {
    const NBD: &str = "--name=n --ioengine=nbd --uri=nbd://10.0.0.1 --rw=randread --bs=4k --size=1m --iodepth=4 --runtime=2 --time_based --fsync=32";
    let on = |line: &str, mbit| {
        limits_named(line, |r| {
            on_nfs(r, |_, _| {});
            let path = r.layers.remote[0].path.take().unwrap();
            r.layers.remote[0].client = RemoteClient::Library { library: "libnbd".into(), facts: Vec::new() };
            r.layers.remote[0].path = Some(NetworkPath { mbit: Some(mbit), ..path });
        })
    };
    assert_eq!((on(NBD, 174), on(NBD, 200)), (vec![174], vec![]));
    let beside = format!("{READ} {NBD}");
    assert_eq!((on(&beside, 174), on(&beside, 348)), (vec![174], vec![]));
}

#[test]
fn writes_to_nfs_are_durable_only_with_a_commit() {
    let run = |line: &str, server: f64, commits: u64| {
        let change = |layer: &mut RemoteLayer| {
            let traffic = layer.traffic.as_mut().unwrap();
            traffic.server_bytes[1] = (traffic.server_bytes[1] as f64 * server) as u64;
            traffic.operations.retain(|op| op.name != "COMMIT" || commits > 0);
        };
        rules_of(line, |r| on_nfs(r, |layer, _| change(layer)))
    };
    assert_eq!(run(BUFFERED_WRITE, 1.0, 1), NONE);
    assert_eq!(run(BUFFERED_WRITE, 1.0, 0), ["M35"]);
    assert_eq!(run(BUFFERED_WRITE, 0.5, 1), ["M35"]);
    // The server confirms each write of a mount with `sync`.
    let synchronous = rules_of(BUFFERED_WRITE, |r| on_nfs(r, |_, mount| mount.sync = true));
    assert_eq!(synchronous, ["network"]);
    // Direct writes, too, are confirmed by the server, on terms that the client does not see.
    assert_eq!(run(&format!("{BUFFERED_WRITE} --direct=1"), 1.0, 0), ["network"]);
}

#[test]
fn attributes_that_the_client_caches_are_told() {
    let stat = "--name=a --directory=/d --nrfiles=4 --ioengine=filestat --filesize=4k";
    let claims = |cache| {
        let plan = plan(stat);
        let mut result = clean(&plan);
        on_nfs(&mut result, |_, mount| mount.attribute_cache_s = cache);
        let found = judge(&plan, &result, &SysRoot::at("/nonexistent"));
        found.into_iter().filter(|f| matches!(f.claim, Claim::AttributesCached { seconds: 60, .. })).count()
    };
    assert_eq!((claims(Some([3, 60, 30, 60])), claims(None)), (1, 0));
}

/// What a device does when its server is silent is told beside a stall, and only there.
#[test]
fn stall_on_a_server_names_the_limit_of_the_client() {
    let iscsi = |r: &mut RunResult, longest: u64| {
        r.jobs[0].directions[0].lat = latency(10_000, 200_000, longest);
        r.layers.remote = vec![RemoteLayer {
            name: "sda".into(),
            client: RemoteClient::Iscsi {
                target: "t".into(),
                state: "LOGGED_IN".into(),
                recovery_s: Some(120),
                max_burst: None,
                connections: 1,
                digests: false,
            },
            servers: Vec::new(),
            path: None,
            traffic: None,
        }];
    };
    assert_eq!(rules_of(READ, |r| iscsi(r, 900_000_000)), ["M31"]);
    assert_eq!(rules_of(READ, |r| iscsi(r, 1_500_000_000)), ["M31", "network"]);
}
