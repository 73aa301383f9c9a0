//! `fathom ceph` on clusters of this machine whose OSDs have BlueStore on loop devices with caps of the kernel: expected
//! and measured rates against the arithmetic of caps, copies and journal.

use crate::common::{draws, fresh_seed};
use serde_json::Value;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, Running, run};
use testbed::{Bounded, Cap, Cgroup, LoopDevice, Need, Sandbox, Server, TOOL_LIMIT, skip, skip_without};

fn fathom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fathom"))
}

const LIMIT: Duration = Duration::from_secs(300);
/// Caps of each device.
const IOPS: u64 = 300;
const BYTES: u64 = 20 << 20;

/// A cluster whose OSDs are capped, and the cgroup of the caps.
struct Capped {
    server: Server,
    cgroup: Cgroup,
    devices: Vec<LoopDevice>,
}

impl Capped {
    /// Starts a cluster; `slow` = cap of the first device.
    fn up(osds: usize, size: usize, slow: u64, cephfs: bool) -> Result<Capped, String> {
        let cgroup = Cgroup::new().unwrap();
        let devices: Vec<LoopDevice> =
            (0..osds).map(|_| LoopDevice::in_memory(3 << 30, false, None).unwrap()).collect();
        let paths: Vec<String> = devices.iter().map(|device| device.path().display().to_string()).collect();
        let server = Server::up(
            "ceph",
            &[
                ("DEVICES", &paths.join(" ")),
                ("CGROUP", &cgroup.procs().display().to_string()),
                ("SIZE", &size.to_string()),
                ("PGS", "32"),
                ("IMAGE_SIZE", "64M"),
                ("FS", if cephfs { "1" } else { "0" }),
                // Without a manager, CephFS has no free space.
                ("MGR", if cephfs { "1" } else { "0" }),
                // Logs by direct I/O: the kernel would count each page of a buffered one as a request.
                ("OSD_CONF", "bluestore cache size = 8388608; bluefs buffered io = false"),
                // Without the caches of ceph-fuse and of fio's librbd, which would answer for the OSDs.
                ("CLIENT_CONF", "client oc = false; rbd cache = false"),
            ],
        )?;
        for (nth, device) in devices.iter().enumerate() {
            let number = device.number().unwrap();
            let iops = if nth == 0 { slow } else { IOPS };
            for cap in
                [Cap::ReadIops(iops), Cap::WriteIops(iops), Cap::ReadBytes(BYTES), Cap::WriteBytes(BYTES)]
            {
                cgroup.limit(&number, cap).unwrap();
            }
        }
        if cephfs {
            keep_fuse_busy(Path::new(server.value("MNT")));
        }
        Ok(Capped { server, cgroup, devices })
    }

    /// Runs a command of Ceph's own clients.
    fn tool(&self, words: &[&str]) -> String {
        let mut command = Command::new(words[0]);
        command.env("CEPH_CONF", self.server.value("CEPH_CONF")).args(&words[1..]);
        let out = command.output_within(TOOL_LIMIT).unwrap();
        assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    fn command(&self, pool: &str, words: &[&str]) -> Command {
        let mut command = fathom();
        self.cgroup.enter(&mut command).unwrap();
        command.arg("ceph").arg(pool).arg("--conf").arg(self.server.value("CEPH_CONF")).args(words);
        command
    }

    /// Returns requests and bytes that each device has completed: reads, writes. Merged requests count one by one, as the
    /// caps count them.
    fn devices(&self) -> Vec<[[f64; 2]; 2]> {
        let stat = |device: &LoopDevice| {
            let text = std::fs::read_to_string(format!("/sys/block/{}/stat", device.name())).unwrap();
            let field: Vec<f64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
            [[field[0] + field[1], field[2] * 512.0], [field[4] + field[5], field[6] * 512.0]]
        };
        self.devices.iter().map(stat).collect()
    }

    /// Returns the names of all objects of a pool, and of all images.
    fn names(&self, pool: &str) -> String {
        self.tool(&["rados", "-p", pool, "--all", "ls"]) + &self.tool(&["rbd", "ls", "rbd"])
    }
}

macro_rules! capped {
    ($osds:expr, $size:expr, $slow:expr, $cephfs:expr) => {
        match Capped::up($osds, $size, $slow, $cephfs) {
            Ok(capped) => capped,
            Err(reason) => return skip(&reason),
        }
    };
}

fn card(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{} {}", ran.stdout, ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stdout))
}

/// Lets the kernel keep as many requests of a FUSE mount in flight as the jobs ask for: by default 12, of 128 KiB each.
fn keep_fuse_busy(mount: &Path) {
    let control = Sandbox::new().unwrap();
    let dir = control.path().to_str().unwrap().to_owned();
    let succeeds = |words: &[&str]| {
        let out = Command::new(words[0]).args(&words[1..]).output_within(TOOL_LIMIT).unwrap();
        assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
    };
    let number = rustix::fs::minor(std::fs::metadata(mount).unwrap().dev());
    succeeds(&["mount", "-t", "fusectl", "fusectl", &dir]);
    let written = ["max_background", "congestion_threshold"]
        .map(|name| std::fs::write(control.path().join(number.to_string()).join(name), "512"));
    succeeds(&["umount", &dir]);
    assert!(written.iter().all(Result::is_ok), "{written:?}");
}

fn close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() <= 0.1
}

/// Returns the operations of a pattern per second that the caps let through if each is this many requests and bytes.
fn by_caps([requests, bytes]: [f64; 2]) -> f64 {
    (IOPS as f64 / requests).min(BYTES as f64 / bytes)
}

/// Whether a row of fathom has large blocks, and whether it writes.
fn kind(pattern: &str) -> (bool, usize) {
    (pattern.starts_with("large"), usize::from(pattern.ends_with("write")))
}

/// Prints and checks a pool: expected by the caps and the devices' own counters, expected by fathom, measured. Returns
/// the answer of fathom. `copies` = operations of OSDs per write of 4k and of 1M.
fn check(capped: &Capped, pool: &str, words: &[&str], copies: [f64; 2]) -> Value {
    let words = [&["--json", "--size=64M"], words].concat();
    let card = card(&run(&mut capped.command(pool, &words), LIMIT).unwrap());
    let osds = card["osds"].as_array().unwrap().len();
    assert_eq!(osds, capped.devices.len());
    for row in card["rows"].as_array().unwrap() {
        let pattern = row["pattern"].as_str().unwrap();
        let (large, write) = kind(pattern);
        let block = if large { 1048576.0 } else { 4096.0 };
        let cap = by_caps([1.0, block]);
        assert!(close(row["disks"].as_f64().unwrap(), cap * osds as f64), "{pattern}: disks {row:#}");
        for client in row["clients"].as_array().unwrap() {
            let work = client["work"].as_array().unwrap();
            let of = |value: &Value| value[write].as_f64().unwrap();
            let all: f64 = work.iter().map(|work| of(&work["counters"]["client_bytes"])).sum::<f64>() / block;
            let per_op = |work: &Value| {
                [of(&work["device_ios"]) + of(&work["device_merges"]), of(&work["device_bytes"])]
                    .map(|n| n / all)
            };
            let arithmetic = work.iter().map(|work| by_caps(per_op(work))).fold(f64::INFINITY, f64::min);
            let expected = client["expected"]["rate"].as_f64().unwrap_or(f64::NAN);
            let measured = client["rate"].as_f64().unwrap();
            let factor = |name: &str| client["expected"][name].as_f64().unwrap_or(f64::NAN);
            println!(
                "{osds} OSDs  {pool:6}  {:7}  {pattern:12}  cap {cap:5.1}  copies {:4.2}  placement {:4.2}  device {:4.2}  \
                 arithmetic {arithmetic:6.1}  expected {expected:6.1}  measured {measured:6.1}  {:4.2}",
                client["client"].as_str().unwrap(),
                factor("copies"),
                factor("placement"),
                factor("device"),
                measured / expected,
            );
            assert!(
                close(expected, arithmetic),
                "{pattern}: {expected} expected, {arithmetic} by arithmetic\n{client:#}"
            );
            // The model is that of operations that wait in the OSDs. ceph-fuse sends too few: then fathom has to name it.
            let waiting =
                work.iter().map(|work| of(&work["counters"]["latency_s"])).sum::<f64>() * measured / all;
            println!("         {waiting:.1} operations in the OSDs");
            let few = client["client"] == "ceph_fs" && waiting < 2.0 * osds as f64 && measured < expected;
            let named = |advice: &Value| {
                advice["advice"] == "client" && advice["client"] == "ceph_fs" && advice["pattern"] == pattern
            };
            assert!(
                close(measured, expected) || few && card["advice"].as_array().unwrap().iter().any(named),
                "{pattern}: {measured} measured, {expected} expected\n{client:#}\n{:#}",
                card["advice"]
            );
            let right = if write == 1 { copies[usize::from(large)] } else { 1.0 };
            let erasure = !card["pool"]["erasure"].is_null();
            assert!(close(factor("copies"), right) || erasure && write == 0, "copies {}", factor("copies"));
        }
    }
    let left = capped.names(pool);
    assert!(!left.contains("fathom"), "{left:?}");
    card
}

/// Compares the load of the devices per write with that of fio's writes of the same kind on objects of the same size, by
/// the kernel's counters and fio's number of writes.
fn check_journal(capped: &Capped, card: &Value) {
    let fio = |words: &[&str]| {
        let mut command = Command::new("fio");
        command.args([
            "--name=w",
            "--ioengine=rados",
            "--conf",
            capped.server.value("CEPH_CONF"),
            "--clientname=admin",
            "--pool=rbd",
            "--nrfiles=16",
            "--size=64M",
            "--refill_buffers",
            "--output-format=json",
        ]);
        let out = command.args(words).output_within(TOOL_LIMIT).unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success(), "{text} {}", String::from_utf8_lossy(&out.stderr));
        let json: Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
        json["jobs"][0]["write"]["total_ios"].as_f64().unwrap()
    };
    fio(&["--rw=write", "--bs=1M", "--iodepth=16"]);
    for row in card["rows"].as_array().unwrap() {
        let pattern = row["pattern"].as_str().unwrap();
        let (large, write) = kind(pattern);
        if write == 0 {
            continue;
        }
        let rados = &row["clients"][0];
        let (depth, bs) = (rados["depth"].as_u64().unwrap(), if large { "1M" } else { "4k" });
        let before = capped.devices();
        let words =
            ["--rw=randwrite", "--norandommap", "--file_service_type=random", "--time_based", "--runtime=8"];
        let writes = fio(&[&words[..], &[&format!("--bs={bs}"), &format!("--iodepth={depth}")]].concat());
        let cap = by_caps([1.0, if large { 1048576.0 } else { 4096.0 }]);
        let after = capped.devices();
        let factors = after
            .iter()
            .zip(before)
            .map(|(now, before)| cap / by_caps([0, 1].map(|at| (now[1][at] - before[1][at]) / writes)));
        let (by_fio, ours) = (factors.fold(0.0, f64::max), rados["expected"]["device"].as_f64().unwrap());
        println!(
            "{} OSDs  {pattern:12}  device factor by fio and /sys {by_fio:4.2}, by fathom {ours:4.2}",
            capped.devices.len()
        );
        assert!(close(ours, by_fio), "{pattern}: {ours} by fathom, {by_fio} by fio's writes\n{rados:#}");
    }
}

#[test]
fn measures_one_osd_as_its_caps_say() {
    skip_without!(Need::Loop, Need::BlockCgroup, Need::Root);
    check(&capped!(1, 1, IOPS, false), "rbd", &["--seconds=8s", "--no-rbd"], [1.0, 1.0]);
}

#[test]
#[ignore = "takes four minutes: scripts/test --long"]
fn two_osds_reach_what_their_caps_say() {
    skip_without!(Need::Loop, Need::BlockCgroup, Need::Root, Need::Program("fio"));
    let capped = capped!(2, 2, IOPS, false);
    check_journal(&capped, &check(&capped, "rbd", &["--seconds=10s"], [2.0, 2.0]));
}

/// Objects, image and CephFS.
#[test]
#[ignore = "takes five minutes: scripts/test --long"]
fn three_osds_reach_what_their_caps_say() {
    skip_without!(
        Need::Loop,
        Need::BlockCgroup,
        Need::Root,
        Need::Program("fio"),
        Need::Program("ceph-fuse")
    );
    let capped = capped!(3, 3, IOPS, true);
    let cephfs = format!("--cephfs={}", capped.server.value("MNT"));
    check_journal(&capped, &check(&capped, "rbd", &["--seconds=10s", &cephfs], [3.0, 3.0]));
}

/// The rates of the disks are given, so that they are not read again.
#[test]
#[ignore = "takes three minutes: scripts/test --long"]
fn erasure_coded_pool_and_deferred_writes_reach_what_their_caps_say() {
    skip_without!(Need::Loop, Need::BlockCgroup, Need::Root);
    let capped = capped!(3, 3, IOPS, false);
    let disks = format!("--disk=osd.*=randread:{IOPS},read:{BYTES}");
    let profile = ["k=2", "m=1", "crush-failure-domain=osd"];
    capped.tool(&[&["ceph", "osd", "erasure-code-profile", "set", "k2m1"], &profile[..]].concat());
    capped.tool(&["ceph", "osd", "pool", "create", "erasure", "32", "32", "erasure", "k2m1"]);
    capped.tool(&["ceph", "osd", "pool", "set", "erasure", "allow_ec_overwrites", "true"]);
    check(&capped, "erasure", &["--seconds=12s", "--no-rbd", &disks], [3.0, 1.5]);
    for osd in 0..3 {
        let name = format!("osd.{osd}");
        capped.tool(&["ceph", "tell", &name, "config", "set", "bluestore_prefer_deferred_size_ssd", "65536"]);
        capped.tool(&["ceph", "tell", &name, "config", "set", "bluestore_prefer_deferred_size", "65536"]);
    }
    let words = ["--seconds=24s", "--no-rbd", "--patterns=randwrite"];
    let card = check(&capped, "rbd", &words, [3.0, 3.0]);
    let work = &card["rows"][0]["clients"][0]["work"][0]["counters"];
    let deferred = work["deferred_ops"].as_f64().unwrap()
        / (work["client_ops"][1].as_f64().unwrap() + work["replica_writes"].as_f64().unwrap());
    assert!(deferred > 0.9, "{deferred}");
}

/// The disk of one OSD has a third of the rate of the others.
#[test]
fn measures_a_slow_disk_and_names_it() {
    skip_without!(Need::Loop, Need::BlockCgroup, Need::Root);
    let capped = capped!(3, 3, IOPS / 3, false);
    let words = ["--json", "--seconds=8s", "--size=64M", "--no-rbd", "--patterns=randwrite"];
    let card = card(&run(&mut capped.command("rbd", &words), LIMIT).unwrap());
    let slow = &card["advice"].as_array().unwrap().iter().find(|of| of["advice"] == "slow_disk").cloned();
    let share = slow.as_ref().and_then(|of| of["share"].as_f64()).unwrap_or_else(|| panic!("{card:#}"));
    let id = card["osds"]
        .as_array()
        .unwrap()
        .iter()
        .find(|osd| osd["device"] == capped.devices[0].path().display().to_string().as_str());
    assert_eq!(slow.as_ref().unwrap()["osd"], id.unwrap()["id"]);
    assert!((share - 1.0 / 3.0).abs() < 0.01, "{share}");
}

/// Objects and image of a killed run are removed by the next run, and nothing else is.
#[test]
fn scratch_of_a_killed_run_is_removed_by_the_next() {
    let server = match Server::up("ceph", &[]) {
        Ok(server) => server,
        Err(reason) => return skip(&reason),
    };
    let conf = server.value("CEPH_CONF");
    let ceph = |words: &[&str]| {
        let mut command = fathom();
        command.args(["ceph", "rbd", "--conf", conf, "--size=16M", "--no-rbd"]).args(words);
        command
    };
    let list = || {
        let out =
            Command::new("rados").args(["-c", conf, "-p", "rbd", "--all", "ls"]).output_within(TOOL_LIMIT);
        let mut names: Vec<String> =
            String::from_utf8_lossy(&out.unwrap().stdout).lines().map(String::from).collect();
        names.sort();
        names
    };
    let size = |name: String| {
        let words = ["-c", conf, "-p", "rbd", "-N", "fathom", "stat", &name];
        let out = Command::new("rados").args(words).output_within(TOOL_LIMIT).unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        text.trim().rsplit(' ').next().and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
    };
    let before = list();
    let running = Running::start(&mut ceph(&["--seconds=30s"])).unwrap();
    let seen = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        list().iter().filter(|name| name.contains("fathom-run")).count() > 2
    });
    assert!(seen, "no scratch objects");
    // Written before the first measurement: the size that was asked for, in objects of 4 MiB, and no more.
    std::thread::sleep(Duration::from_secs(3));
    let sizes: Vec<u64> =
        list().iter().filter_map(|name| Some(name.split_once('\t')?.1.to_owned())).map(size).collect();
    // Registrations have a few bytes.
    let contents: Vec<u64> = sizes.iter().copied().filter(|bytes| *bytes > 1000).collect();
    assert_eq!(contents, [4 << 20; 4], "{sizes:?}");
    running.signal(libc::SIGKILL);
    drop(running);
    assert!(list().iter().any(|name| name.contains("fathom-run")));
    let ran = run(&mut ceph(&["--seconds=1s", "--patterns=randread", "--json"]), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("scratch objects of a killed run were removed"), "{}", ran.stderr);
    assert_eq!(list(), before);
}

/// Killed at nineteen random moments and once with an open image, each in a pool of its own: the next start removes objects, images and registrations,
/// also images whose watcher has not expired, and leaves what is not its own.
#[test]
#[ignore = "waits for the watchers of killed clients: scripts/test --long"]
fn pools_are_left_as_they_were_after_twenty_kills() {
    skip_without!(Need::Program("rados"));
    const POOLS: usize = 20;
    let mut draw = draws(fresh_seed("pools_are_left_as_they_were_after_twenty_kills"));
    let server = match Server::up("ceph", &[]) {
        Ok(server) => server,
        Err(reason) => return skip(&reason),
    };
    let conf = server.value("CEPH_CONF");
    let tool = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        let out = command.env("CEPH_CONF", conf).args(&words[1..]).output_within(TOOL_LIMIT).unwrap();
        assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
        out.stdout
    };
    let sandbox = Sandbox::new().unwrap();
    let foreign = sandbox.join("foreign");
    std::fs::write(&foreign, b"precious").unwrap();
    let foreign = foreign.to_str().unwrap();
    let objects = ["fathom-run.3", "fathom-run-0123456789abcdef-1-1-0/0", "data"];
    let image = "fathom-run-0123456789abcdef-1-1-0";
    let pools: Vec<String> = (0..POOLS).map(|number| format!("p{number}")).collect();
    for pool in &pools {
        tool(&["ceph", "osd", "pool", "create", pool, "4"]);
        tool(&["rbd", "create", "--size=4M", &format!("{pool}/{image}")]);
        // The first removal of an image in a pool leaves an object of librbd, `rbd_trash`.
        tool(&["rbd", "create", "--size=4M", &format!("{pool}/removed")]);
        tool(&["rbd", "rm", "--no-progress", &format!("{pool}/removed")]);
        for object in objects {
            tool(&["rados", "-p", pool, "-N", "fathom", "put", object, foreign]);
        }
    }
    let list = |pool: &str| {
        let text = String::from_utf8(tool(&["rados", "-p", pool, "--all", "ls"])).unwrap();
        let mut names: Vec<String> = text.lines().map(String::from).collect();
        names.sort();
        names
    };
    let command = |pool: &str, words: &[&str]| {
        let mut command = fathom();
        command.args(["ceph", pool, "--conf", conf, "--patterns=randread"]).args(words);
        command
    };
    let before = list(&pools[0]);
    // Whether a client has the image of a run open.
    let watched = |pool: &str| {
        let images = String::from_utf8(tool(&["rbd", "ls", pool])).unwrap();
        images.lines().filter(|name| *name != image).any(|name| {
            let status = Command::new("rbd")
                .args(["-c", conf, "status", &format!("{pool}/{name}")])
                .output_within(TOOL_LIMIT)
                .unwrap();
            String::from_utf8_lossy(&status.stdout).contains("watcher=")
        })
    };
    // Objects of a killed run, without its registration, and images of killed runs.
    let (mut left, mut images) = (0, 0);
    for pool in &pools {
        let last = Some(pool) == pools.last();
        let seconds = if last { "--seconds=8s" } else { "--seconds=2s" };
        let running = Running::start(&mut command(pool, &[seconds, "--size=32M"])).unwrap();
        if last {
            assert!((0..200).any(|_| watched(pool)), "no image with a watcher");
        } else {
            std::thread::sleep(Duration::from_millis(draw(4000) as u64));
        }
        running.signal(libc::SIGKILL);
        running.finish(LIMIT).unwrap();
        let names = list(pool);
        left += names.iter().filter(|name| name.contains("/") && !before.contains(name)).count();
        images += names
            .iter()
            .filter(|name| name.starts_with("\trbd_header") || name.starts_with("rbd_header"))
            .count()
            - 1;
    }
    println!("{left} objects and {images} images after the kills");
    assert!(left >= 20 && images >= 3, "{left} objects and {images} images: too few for a test");
    // The last killed first, whose images have watchers.
    assert!(watched(&pools[POOLS - 1]), "the watcher has expired");
    let mut waits = 0;
    for some in pools.rchunks(5) {
        let next: Vec<Running> = some
            .iter()
            .map(|pool| Running::start(&mut command(pool, &["--seconds=1s", "--size=4M"])).unwrap())
            .collect();
        for running in next {
            let ran = running.finish(LIMIT).unwrap();
            assert_eq!(ran.code, Some(0), "{ran:#?}");
            waits += usize::from(ran.stderr.contains("counts its client as alive"));
        }
    }
    // librbd waits by itself for the watcher of a client that had the lock of the image.
    println!("{waits} of the next starts waited for a watcher");
    for pool in &pools {
        // Of another pool, whose image has another number.
        let names = list(pool);
        let images = String::from_utf8(tool(&["rbd", "ls", pool])).unwrap();
        assert_eq!((images.trim(), names.len()), (image, before.len()), "{names:#?}");
        for object in objects {
            let got = tool(&["rados", "-p", pool, "-N", "fathom", "get", object, "-"]);
            assert_eq!(got, b"precious", "{pool}: {object}");
        }
    }
}
