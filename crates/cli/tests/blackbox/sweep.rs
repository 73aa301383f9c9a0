//! `fathom sweep`: a grid beside the kernel's counts, sweeps that are killed, targets that are replaced, bench-fio's
//! trees, and the tables of the parameter study.

use serde_json::Value;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran, Running};
use testbed::fuse::{Faults, Law, Model, Rule};
use testbed::{Cap, Cgroup, FileSystem, FuseDisk, LoopDevice, Mount, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(180);
const HDD: &str = "model:size=4g;law=constant:60us;transfer=180000000;disk=15ms:8330us:32";
const SSD: &str = "model:size=4g;servers=8;law=constant:80us;transfer=400000000";

fn command(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").args(args.split_whitespace());
    command
}

fn sweep(args: &str) -> Ran {
    child::run(command("sweep").args(args.split_whitespace()), LIMIT).unwrap()
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

fn rows(document: &Value) -> &Vec<Value> {
    document["rows"].as_array().unwrap()
}

/// Returns the number of points in a store that is being written.
fn points(path: &Path) -> Option<i64> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let db = rusqlite::Connection::open_with_flags(path, flags).ok()?;
    db.query_row("SELECT count(*) FROM points", [], |row| row.get(0)).ok()
}

/// Waits until the store in `path` has `count` points.
fn until_points(path: &Path, count: i64) {
    let began = Instant::now();
    while points(path).is_none_or(|n| n < count) {
        assert!(began.elapsed() < LIMIT, "no {count} points in {}", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Every I/O that a row counts was done by the device; the ramps come on top.
#[test]
fn grid_on_a_loop_device_counts_no_more_than_the_kernel() {
    skip_without!(Need::Loop);
    let device = LoopDevice::in_memory(32 << 20, true, None).unwrap();
    let before = device.stats().unwrap();
    let target = device.path().display().to_string();
    let ran = sweep(&format!(
        "{target} --iodepth 1,4 --numjobs 1 --runtime 1 --ramp 100ms --repeats 2 --json --no-store"
    ));
    let reads = device.stats().unwrap().since(&before).reads;
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let found = document(&ran);
    let told: u64 = rows(&found).iter().map(|row| row["ios"].as_u64().unwrap()).sum();
    assert!(told > 0 && told <= reads, "{told} of {reads}");
    for row in rows(&found) {
        let of = |key: &str| row["iops"][key].as_f64().unwrap();
        assert_eq!(row["visits"], 2);
        assert!(of("low") < of("value") && of("value") < of("high"), "{row:#}");
        let rate = row["ios"].as_f64().unwrap() / row["seconds"].as_f64().unwrap();
        assert!((of("value") / rate - 1.0).abs() < 0.2, "the mean of both visits: {row:#}");
    }
    let orders: Vec<u64> =
        found["points"].as_array().unwrap().iter().map(|p| p["cell"]["depth"].as_u64().unwrap()).collect();
    for round in orders.chunks(2) {
        assert_eq!(round.iter().sum::<u64>(), 5, "{orders:?}");
    }
}

/// A killed sweep goes on with the same file, and with no other: neither of another size nor another one of that size.
#[test]
fn killed_sweep_goes_on_with_its_target_only() {
    let sandbox = Sandbox::new().unwrap();
    let (file, store) = (sandbox.file("data", 8 << 20).unwrap(), sandbox.join("store"));
    let tree = sandbox.join("tree");
    let places = format!("--store {} --json", store.display());
    let mut first = command("sweep --iodepth 1,2 --numjobs 1 --runtime 1 --ramp 50ms --repeats 2");
    first.arg(&file).args(places.split_whitespace()).arg("--bench-fio").arg(&tree);
    let running = Running::start(&mut first).unwrap();
    until_points(&store, 2);
    running.signal(9);
    assert_eq!(running.finish(LIMIT).unwrap().signal, Some(9));
    let resume = |args: &str| sweep(&format!("--resume {args} {places}"));
    let grow = |bytes: u64| std::fs::File::options().write(true).open(&file).unwrap().set_len(bytes).unwrap();
    grow(9 << 20);
    let ran = resume("S1");
    assert!(ran.code == Some(3) && ran.stderr.contains("it had 8388608 bytes"), "{ran:#?}");
    grow(8 << 20);
    let original = sandbox.join("original");
    std::fs::rename(&file, &original).unwrap();
    std::fs::copy(&original, &file).unwrap();
    let ran = resume("S1");
    assert!(ran.code == Some(3) && ran.stderr.contains("another file"), "{ran:#?}");
    std::fs::rename(&original, &file).unwrap();
    let explored = child::run(command("explore --resume S1 --store").arg(&store), LIMIT).unwrap();
    assert!(
        explored.code == Some(2) && explored.stderr.contains("fathom sweep --resume S1"),
        "{explored:#?}"
    );
    let ran = resume("");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let found = document(&ran);
    assert_eq!(found["complete"], true);
    let ordinals: Vec<u64> =
        found["points"].as_array().unwrap().iter().map(|p| p["ordinal"].as_u64().unwrap()).collect();
    assert_eq!(ordinals, [0, 1, 2, 3]);
    // The tree has the visits of both processes.
    for row in rows(&found) {
        let name = format!("data/randread/4k/randread-{}-1.json", row["iodepth"]);
        let text = std::fs::read_to_string(tree.join(&name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let json: Value = serde_json::from_str(&text).unwrap();
        assert!(json["jobs"][0]["read"]["total_ios"].as_u64() >= row["ios"].as_u64(), "{name}: {row:#}");
        let runtime_ms = json["jobs"][0]["read"]["runtime"].as_u64().unwrap();
        assert!(runtime_ms >= 1900, "{name}: both visits: {runtime_ms}");
    }
    assert_eq!(resume("S1").code, Some(2), "a complete sweep does not go on");
}

/// Starts a command that writes to `file` between visits of a second, replaces the file after the first visit, and
/// returns how the command ended and what the new file holds.
fn replaced(args: &str, file: &Path, store: &Path) -> (Ran, bool) {
    let mut command = command(args);
    command.arg(file).arg("--allow-destroy").arg(file).arg("--store").arg(store);
    let running = Running::start(&mut command).unwrap();
    until_points(store, 1);
    let other = file.with_extension("other");
    let precious = vec![b'p'; 8 << 20];
    std::fs::write(&other, &precious).unwrap();
    std::fs::rename(&other, file).unwrap();
    let ran = running.finish(LIMIT).unwrap();
    (ran, std::fs::read(file).unwrap() == precious)
}

#[test]
fn file_that_takes_the_place_of_the_target_is_not_written() {
    let sandbox = Sandbox::new().unwrap();
    let commands = [
        "sweep --rw randwrite --iodepth 1 --numjobs 1 --runtime 1 --ramp 50ms --repeats 20",
        "explore --write --patterns 4k-randwrite --questions depth --budget 120",
    ];
    std::thread::scope(|scope| {
        for (n, command) in commands.into_iter().enumerate() {
            let file = sandbox.file(&format!("data{n}"), 8 << 20).unwrap();
            let store = sandbox.join(&format!("store{n}"));
            scope.spawn(move || {
                let (ran, whole) = replaced(command, &file, &store);
                assert!(whole, "{command}: the other file was written: {ran:#?}");
                assert_eq!(ran.code, Some(3), "{command}: {ran:#?}");
                let named = ran.stderr.contains("another file or device has taken its place");
                // Earlier visits may have written to the target.
                assert!(
                    !named || ran.stderr.contains("nothing was written to it after the change"),
                    "{ran:#?}"
                );
                assert!(named, "{command}: {ran:#?}");
            });
        }
    });
}

/// Commands that write a target named at their end.
const WRITERS: [&str; 2] = [
    "sweep --rw randwrite --iodepth 1 --numjobs 1 --runtime 1 --ramp 50ms --repeats 1 --no-store",
    "explore --write --patterns 4k-randwrite --questions depth --budget 5 --no-store",
];

/// Runs a command that may destroy the data of its target.
fn consented(args: &str, target: &Path) -> Ran {
    let mut command = command(args);
    child::run(command.arg(target).arg("--allow-destroy").arg(target), LIMIT).unwrap()
}

/// Consent to the loss of data is none to what a mount, or a loop device over the target, loses.
#[test]
fn target_in_use_is_not_written_with_consent() {
    skip_without!(Need::Loop, Need::Program("mkfs.ext4"));
    let mount = Mount::new(FileSystem::Ext4, 64 << 20).unwrap();
    let device = mount.device().unwrap();
    for (target, used) in [(device.path(), "is mounted on"), (device.backing(), "the backing file of")] {
        for args in WRITERS {
            let ran = consented(args, target);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{args}: {ran:#?}");
            assert!(ran.stderr.contains(used) && !ran.stderr.contains("--allow-destroy"), "{args}: {ran:#?}");
        }
        for args in [
            "explain --rw=randwrite --no-store",
            "fit etcd --no-store",
            "cloud --provider aws --type gp3 --size 500 --no-store",
        ] {
            let ran = consented(args, target);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{args}: {ran:#?}");
            assert!(ran.stderr.contains(used) && !ran.stderr.contains("--allow-destroy"), "{args}: {ran:#?}");
        }
        let [sweep, _] = WRITERS;
        let refused = consented(sweep, target);
        dry_run_tells(sweep, target, Some(refused.stderr.lines().last().unwrap()));
    }
}

/// Asserts that the dry run of a command which may destroy the data of its target shows the plan, as text and as one
/// document, and that the run would be refused with these words; `None` = that it would begin.
#[track_caller]
fn dry_run_tells(args: &str, target: &Path, refused: Option<&str>) {
    let ran = consented(&format!("{args} --dry-run"), target);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].contains("visit"), "{ran:#?}");
    let told = refused.map(|why| format!("fathom sweep: the run would not begin: {why}"));
    assert_eq!(lines.get(1).copied(), told.as_deref(), "{ran:#?}");
    let json = document(&consented(&format!("{args} --dry-run --json"), target));
    assert_eq!((json["cells"].as_u64(), json["visits_left"].as_u64()), (Some(1), Some(1)), "{json:#}");
    assert!(json["seconds"].as_f64().unwrap() >= 1.0 && json["seed"] == 1, "{json:#}");
    assert_eq!(json["refused"].as_str(), refused, "{json:#}");
}

/// The dry run refuses what the run refuses, by the same words, and makes no scratch file in a directory.
#[test]
fn dry_run_tells_what_forbids_the_sweep() {
    let sandbox = Sandbox::new().unwrap();
    let [sweep, _] = WRITERS;
    dry_run_tells(sweep, sandbox.path(), None);
    let file = sandbox.file("data", 8 << 20).unwrap();
    dry_run_tells(sweep, &file, None);
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 1);
    // Not without consent: neither run writes.
    let mine = sandbox.join("mine");
    std::fs::write(&mine, vec![b'p'; 8 << 20]).unwrap();
    let ran = child::run(command(sweep).arg(&mine), LIMIT).unwrap();
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    let why = ran.stderr.lines().last().unwrap();
    let dry = child::run(command(sweep).arg(&mine).arg("--dry-run"), LIMIT).unwrap();
    assert!(dry.code == Some(0) && dry.stdout.contains(why) && why.contains("--allow-destroy"), "{dry:#?}");
    let large = format!("{sweep} --bs 16m");
    let ran = consented(&large, &mine);
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    dry_run_tells(&large, &mine, ran.stderr.trim_end().strip_prefix("fathom sweep: "));
}

/// Between its visits, too, nobody else can claim the device: what mkfs and mount do first.
#[test]
fn device_that_is_written_is_claimed_from_the_first_visit_to_the_end() {
    skip_without!(Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    let device = LoopDevice::in_memory(16 << 20, false, None).unwrap();
    let store = sandbox.join("store");
    let mut command =
        command("sweep --rw randwrite --iodepth 1,2 --numjobs 1 --runtime 1 --ramp 50ms --repeats 1");
    command.arg(device.path()).arg("--store").arg(&store);
    let running = Running::start(&mut command).unwrap();
    let claim = || std::fs::File::options().read(true).custom_flags(libc::O_EXCL).open(device.path());
    until_points(&store, 1);
    let mut refused = 0;
    let done = || points(&store);
    while done().is_none_or(|points| points < 2) {
        // The last visit may end between the two looks.
        if claim().is_err_and(|e| e.raw_os_error() == Some(libc::EBUSY)) {
            refused += 1;
        } else {
            assert!(done().is_some_and(|points| points >= 2), "the device could be claimed between visits");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let ran = running.finish(LIMIT).unwrap();
    assert!(ran.code == Some(0) && refused > 0, "{refused} {ran:#?}");
    assert!(claim().is_ok(), "the claim ends with the command");
}

/// A tree is continued: cells that it has are not measured again, unless their result contains an error.
#[test]
fn tree_of_bench_fio_is_read_and_continued() {
    let sandbox = Sandbox::new().unwrap();
    let tree = sandbox.join("tree");
    let run = |depths: &str| {
        let args = format!(
            "{SSD} --iodepth {depths} --numjobs 1 --runtime 2 --repeats 2 --json --no-store --bench-fio"
        );
        let ran = child::run(command("sweep").args(args.split_whitespace()).arg(&tree), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        ran
    };
    let imported = |found: &Value| -> Vec<bool> {
        rows(found).iter().map(|row| row["imported"].as_bool().unwrap()).collect()
    };
    let first = document(&run("1,2"));
    assert_eq!(imported(&first), [false, false]);
    let path = |depth: u32| tree.join(format!("model/randread/4k/randread-{depth}-1.json"));
    let visits: Vec<_> = std::fs::read_dir(path(1).parent().unwrap()).unwrap().collect();
    assert_eq!(visits.len(), 2, "only results are left: {visits:?}");
    let second = document(&run("1-8"));
    assert_eq!(imported(&second), [true, true, false, false]);
    for (a, b) in rows(&first).iter().zip(rows(&second)) {
        let of = |row: &Value, key: &str| row[key]["value"].as_f64().unwrap();
        for key in ["iops", "mean_ns", "bytes_per_second"] {
            assert!((of(a, key) / of(b, key) - 1.0).abs() < 0.005, "{key}: {a:#} {b:#}");
        }
    }
    let broken = std::fs::read_to_string(path(2)).unwrap().replace("\"error\" : 0,", "\"error\" : 5,");
    assert!(broken.contains("\"error\" : 5,"), "{broken}");
    std::fs::write(path(2), broken).unwrap();
    let ran = run("1,2");
    assert_eq!(imported(&document(&ran)), [true, false]);
    assert!(ran.stderr.contains("contains an error"), "{ran:#?}");
    assert!(!std::fs::read_to_string(path(2)).unwrap().contains("\"error\" : 5,"));
    // The tree is also what `fathom report` draws.
    let report = child::run(command("report --charts").arg(&tree), LIMIT).unwrap();
    assert!(report.code == Some(0) && report.stdout.contains("by iodepth"), "{report:#?}");
    let wrong = child::run(command("sweep").args([SSD, "--bench-fio", "a", "-o", "b"]), LIMIT).unwrap();
    assert!(wrong.code == Some(2) && wrong.stderr.contains("cp -r a b"), "{wrong:#?}");
}

/// Rows of a tree have the grade that fathom stored with them or none, have no interval, and are no row to use. A dry run
/// counts only the cells that the tree does not have.
#[test]
fn rows_of_a_tree_have_their_stored_grade_and_are_not_recommended() {
    let sandbox = Sandbox::new().unwrap();
    let tree = sandbox.join("tree");
    let run = |args: &str| {
        let args = format!("{SSD} --numjobs 1 --runtime 1 --repeats 2 --no-store {args} --bench-fio");
        let ran = child::run(command("sweep").args(args.split_whitespace()).arg(&tree), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        ran
    };
    run("--iodepth 4,8 --json");
    let path = |depth: u32| tree.join(format!("model/randread/4k/randread-{depth}-1.json"));
    let change = |depth: u32, change: fn(&mut Value)| {
        let mut json: Value = serde_json::from_str(&std::fs::read_to_string(path(depth)).unwrap()).unwrap();
        change(&mut json);
        std::fs::write(path(depth), json.to_string()).unwrap();
    };
    change(4, |json| json["fathom"]["grade"] = "C".into());
    change(8, |json| {
        json.as_object_mut().unwrap().remove("fathom");
    });
    let dry = run("--iodepth 2,4,8 --dry-run");
    assert!(dry.stdout.starts_with("1 cell, 2 visits"), "{dry:#?}");
    let ran = run("--iodepth 2,4,8");
    let grade = |depth: &str| {
        let row = ran.stdout.lines().find(|line| line.split_whitespace().next() == Some(depth));
        row.and_then(|row| row.split_whitespace().last()).unwrap_or_default().to_owned()
    };
    assert_eq!(["2", "4", "8"].map(grade), ["A", "C", "-"], "{ran:#?}");
    assert!(!ran.stdout.contains("95 %:"), "{ran:#?}");
    assert!(ran.stdout.contains("iodepth=8 numjobs=1 would be the row to use"), "{ran:#?}");
    std::fs::remove_file(path(2)).unwrap();
    let json = document(&run("--iodepth 2,4,8 --json"));
    let grades: Vec<&Value> = rows(&json).iter().map(|row| &row["grade"]).collect();
    assert_eq!(grades, [&Value::from("A"), &Value::from("C"), &Value::Null]);
    assert_eq!(json["best"].as_array().unwrap().len(), 0, "{json:#}");
}

/// The tables of the study have its columns, and on devices of a known law the figures of the law.
#[test]
fn tables_of_the_study_have_its_columns_and_the_rates_of_the_device() {
    let head = |ran: &Ran, first: &str| -> String {
        let line = ran.stdout.lines().find(|line| line.trim_start().starts_with(first));
        line.unwrap_or_else(|| panic!("{first}: {ran:#?}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let figures = "IOPS +-% MB/s latency +-% p50 p99 p99.9 visits grade";
    let tables = [
        ("runtime", "runtime", "--rw randread", HDD),
        ("bs", "bs", "--rw read --runtime 2", SSD),
        ("iodepth", "iodepth", "--runtime 1", HDD),
        ("numjobs", "numjobs", "--runtime 1", HDD),
        ("product", "numjobs iodepth product", "--runtime 1", HDD),
    ];
    for (table, keys, args, device) in tables {
        let ran = sweep(&format!("{device} --table {table} {args} --repeats 1 --no-store"));
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_eq!(head(&ran, keys.split(' ').next().unwrap()), format!("{keys} {figures}"), "{ran:#?}");
    }
    // Eight servers of 80 us and 4096 bytes at 400 MB/s.
    let json = document(&sweep(&format!(
        "{SSD} --table product --rw randread --runtime 1 --repeats 2 --no-store --json --iodepth 1-8 --numjobs 1,2"
    )));
    for row in rows(&json) {
        let in_flight = row["product"].as_f64().unwrap();
        let truth = in_flight.min(8.0) / (80e-6 + 4096.0 / 400e6);
        let rate = row["iops"]["value"].as_f64().unwrap();
        assert!((rate / truth - 1.0).abs() < 0.01, "{row:#}");
    }
    let best = &json["best"][0];
    let row = &rows(&json)[best["row"].as_u64().unwrap() as usize];
    assert_eq!(row["product"], 8, "{best:#}");
}

/// Returns the row of a pattern with these numbers.
fn row_of<'a>(document: &'a Value, rw: &str, numbers: &[(&str, f64)]) -> &'a Value {
    let has = |row: &Value| {
        let of = |key: &str| if key == "bs" { row["access"]["bs"].as_f64() } else { row[key].as_f64() };
        row["access"]["rw"] == rw && numbers.iter().all(|(key, number)| of(key) == Some(*number))
    };
    rows(document).iter().find(|row| has(row)).unwrap_or_else(|| panic!("{rw}, {numbers:?}"))
}

/// Measures a table of the study and returns its JSON and its page.
fn table_of_the_study(device: &str, args: &str) -> (Value, String) {
    let sandbox = Sandbox::new().unwrap();
    let page = sandbox.join("table.html");
    let mut run = command(&format!("sweep --table {args} --repeats 2 --no-store --json"));
    let ran = child::run(run.arg(device).arg("-o").arg(&page), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{args}: {ran:#?}");
    (document(&ran), std::fs::read_to_string(page).unwrap())
}

/// The whole parameter study, at a shorter runtime, with its five tables on a disk and its table of an SSD: the rows and
/// the charts of each, and the rates that follow from the devices.
#[test]
fn study_of_a_disk_and_an_ssd_has_its_tables_and_charts() {
    let all = ["4k-randread", "4k-randwrite", "64k-read", "64k-write"];
    let by = |across: &str| all.map(|pattern| format!("{pattern}-by-{across}"));
    let sizes = ["randread", "randwrite", "read", "write"].map(|rw| format!("{rw}-by-bs"));
    let product = || vec!["4k-randread-by-product".to_string(), "4k-randread-grid".into()];
    let ssd = "product --rw randwrite,randread,write,read --numjobs 1,2,4 --iodepth 1-32 --runtime 1";
    let tables = [
        (HDD, "runtime --runtime 1,2,3,4,5,6,9", 4 * 7, by("runtime").to_vec()),
        (HDD, "bs --runtime 1", 4 * 17, sizes.to_vec()),
        (HDD, "iodepth --runtime 10", 4 * 5, by("iodepth").to_vec()),
        (HDD, "numjobs --runtime 10", 4 * 5, by("numjobs").to_vec()),
        (HDD, "product --runtime 1", 5 * 7, product()),
        (SSD, ssd, 4 * 3 * 6, by("product").to_vec()),
    ];
    let found = tables.map(|(device, args, count, charts)| {
        let (json, page) = table_of_the_study(device, args);
        assert_eq!(rows(&json).len(), count, "{args}");
        assert!(rows(&json).iter().all(|row| row["visits"] == 2 && row["grade"] != "X"), "{args}");
        for chart in charts {
            for figure in ["iops", "rate", "latency"] {
                assert!(page.contains(&format!("{chart}-{figure}")), "{args}: no chart {chart}-{figure}");
            }
        }
        json
    });
    let [runtime, bs, iodepth, numjobs, _, ssd] = &found;
    let rate = |row: &Value| row["iops"]["value"].as_f64().unwrap();
    let bytes = |row: &Value| row["bytes_per_second"]["value"].as_f64().unwrap();
    // A head that seeks: more I/Os in flight have shorter ways, and a longer runtime has the same rate.
    let at = |rw: &str, depth: f64| rate(row_of(iodepth, rw, &[("iodepth", depth)]));
    assert!(
        at("randread", 16.0) > 1.3 * at("randread", 1.0),
        "{} {}",
        at("randread", 16.0),
        at("randread", 1.0)
    );
    let lengths = [9.0, 6.0].map(|s| rate(row_of(runtime, "randread", &[("runtime_s", s)])));
    assert!((lengths[0] / lengths[1] - 1.0).abs() < 0.1, "{lengths:?}");
    // The same number in flight by depth and by jobs.
    let jobs = rate(row_of(numjobs, "randread", &[("numjobs", 8.0)]));
    assert!((jobs / at("randread", 8.0) - 1.0).abs() < 0.15, "{jobs} {}", at("randread", 8.0));
    // Large blocks reach the rate of the surface, small random ones do not.
    let block = |rw: &str, size: f64| bytes(row_of(bs, rw, &[("bs", size)]));
    let (large, small) = (block("read", 67_108_864.0), block("randread", 4096.0));
    assert!((large / 180e6 - 1.0).abs() < 0.05 && small < 0.05 * 180e6, "{large} {small}");
    // Eight servers of 80 us, each with 400 MB/s.
    for row in rows(ssd) {
        let size = row["access"]["bs"].as_f64().unwrap();
        let truth = row["product"].as_f64().unwrap().min(8.0) / (80e-6 + size / 400e6);
        assert!((rate(row) / truth - 1.0).abs() < 0.02, "{truth}: {row:#}");
    }
    for best in ssd["best"].as_array().unwrap() {
        let row = &rows(ssd)[best["row"].as_u64().unwrap() as usize];
        assert_eq!((&row["product"], &best["missing"]), (&Value::from(8), &Value::from(0)), "{best:#}");
    }
}

/// Cells of a sweep beside fio's own runs, in turn, on a loop device whose rate the kernel limits. The limit lets 200 I/Os
/// pass every 100 ms, so that a run of ten seconds may count one percent more or less.
#[test]
#[ignore = "takes two minutes: scripts/test --long"]
fn measures_cells_of_a_sweep_have_the_rates_and_latencies_of_fio() {
    skip_without!(Need::Program("fio"), Need::Loop, Need::BlockCgroup);
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::ReadIops(2000)).unwrap();
    let path = device.path().display().to_string();
    let inside = |program: &str, args: &str| {
        let mut command = Command::new(program);
        cgroup.enter(&mut command).unwrap();
        command.env("LC_ALL", "C").args(args.split_whitespace());
        let ran = child::run(&mut command, LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        document(&ran)
    };
    let cells = [("randread", "4k", 16, 1), ("randread", "4k", 1, 4), ("read", "64k", 8, 1)];
    for (rw, bs, depth, jobs) in cells {
        let load = format!("--rw={rw} --bs={bs} --iodepth={depth} --numjobs={jobs}");
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for seed in 1..=2 {
            let ran = inside(
                env!("CARGO_BIN_EXE_fathom"),
                &format!(
                    "sweep {path} {load} --runtime 10 --repeats 1 --seed {seed} --engine libaio --no-store --json"
                ),
            );
            let row = &rows(&ran)[0];
            ours.push((row["iops"]["value"].as_f64().unwrap(), row["mean_ns"]["value"].as_f64().unwrap()));
            let ran = inside(
                "fio",
                &format!(
                    "--name=cell --filename={path} {load} --ioengine=libaio --direct=1 --time_based --ramp_time=1 --runtime=10 --norandommap --group_reporting --output-format=json"
                ),
            );
            let read = &ran["jobs"][0]["read"];
            theirs.push((read["iops"].as_f64().unwrap(), read["lat_ns"]["mean"].as_f64().unwrap()));
        }
        let mean = |all: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| all.iter().map(of).sum::<f64>() / 2.0;
        let rates = (mean(&ours, |v| v.0), mean(&theirs, |v| v.0));
        let latencies = (mean(&ours, |v| v.1), mean(&theirs, |v| v.1));
        println!("{load}: IOPS {rates:.1?}, latency {latencies:.0?} (fathom, fio)");
        assert!((rates.0 / rates.1 - 1.0).abs() < 0.03, "{load}: IOPS {rates:?}");
        assert!((latencies.0 / latencies.1 - 1.0).abs() < 0.03, "{load}: latency {latencies:?}");
    }
}

/// The curve begins with the maximum and has the latency at shares of it; a share of 100 % is no latency of the device.
#[test]
fn curve_has_the_latencies_of_one_server_with_constant_service() {
    let target = "model:servers=1;law=constant:1ms";
    let ran =
        sweep(&format!("{target} --curve 50%,100% --iodepth 64 --runtime 60 --repeats 2 --no-store --json"));
    let found = document(&ran);
    let value = |row: usize, key: &str| rows(&found)[row][key]["value"].as_f64().unwrap();
    assert!((value(0, "iops") / 1000.0 - 1.0).abs() < 0.01, "{ran:#?}");
    // M/D/1 at one half: half a service of waiting.
    assert!((value(1, "mean_ns") / 1.5e6 - 1.0).abs() < 0.03, "{}", value(1, "mean_ns"));
    let text = sweep(&format!("{target} --curve 50%,100% --iodepth 64 --runtime 5 --repeats 1 --no-store"));
    assert!(text.stdout.contains("the latency grows as long as the load lasts"), "{text:#?}");
}

/// A rate of a fifth of the maximum leaves the queue nearly empty on purpose. Random arrivals of a second differ from
/// their mean by a tenth.
#[test]
fn offered_rate_below_the_maximum_is_no_shallow_queue() {
    let found = document(&sweep(
        "model:servers=1;law=constant:2ms --curve 20% --iodepth 32 --runtime 1 --repeats 6 --json --no-store",
    ));
    let of_rate = found["points"].as_array().unwrap().iter().filter(|p| !p["cell"]["rate"].is_null());
    let findings: Vec<&Value> = of_rate.flat_map(|p| p["findings"].as_array().unwrap()).collect();
    assert!(findings.iter().all(|f| f["claim"]["name"] != "shallow"), "{findings:#?}");
}

#[test]
fn page_has_the_charts_of_the_grid_and_the_store_the_sweep() {
    let sandbox = Sandbox::new().unwrap();
    let (page, store) = (sandbox.join("sweep.html"), sandbox.join("store"));
    let mut command_ = command("sweep --iodepth 1-8 --numjobs 1,2 --bs 4k,8k --runtime 1 --repeats 2");
    command_.arg(SSD).arg("-o").arg(&page).arg("--store").arg(&store);
    let ran = child::run(&mut command_, LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("16 cells, 2 visits each in random order (seed 1)"), "{ran:#?}");
    let text = std::fs::read_to_string(&page).unwrap();
    for chart in ["4k-randread-by-iodepth-iops", "4k-randread-grid-latency", "randread-by-bs-rate"] {
        assert!(text.contains(chart), "{chart}");
    }
    let shown = child::run(command("show S1 --store").arg(&store), LIMIT).unwrap();
    assert!(shown.stdout.contains("4k randread: use iodepth="), "{shown:#?}");
    let json = child::run(command("export S1 --json --store").arg(&store), LIMIT).unwrap();
    assert_eq!(rows(&document(&json)).len(), 16);
}

#[test]
fn device_with_errors_has_an_exit_status_that_says_so() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_millis(2));
    let faults = Faults { error: Some((Rule::OneIn(10), libc::EIO)), ..Faults::default() };
    let model = Model { size_bytes: 64 << 20, servers: 4, law, faults, ..Model::default() };
    let disk = FuseDisk::new(model).unwrap();
    let target = disk.path().display().to_string();
    let ran = sweep(&format!(
        "{target} --iodepth 1 --numjobs 1 --runtime 1 --ramp 0 --repeats 1 --no-store --json"
    ));
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(rows(&document(&ran))[0]["errors"].as_u64().unwrap() > 0, "{ran:#?}");
    // A refused visit names the cell as the tables do.
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 8 << 20).unwrap();
    let refused = sweep(&format!(
        "{} --iodepth 1 --numjobs 1 --runtime 1 --repeats 1 --no-store --option offset=1g",
        file.display()
    ));
    assert!(refused.stderr.contains("job 4k-randread iodepth=1 numjobs=1 would"), "{refused:#?}");
}

/// A hangup does not end a sweep that `nohup` started.
#[test]
fn hangup_that_nohup_ignores_stays_ignored() {
    let sandbox = Sandbox::new().unwrap();
    let (file, store) = (sandbox.file("data", 8 << 20).unwrap(), sandbox.join("store"));
    let script = r#"trap "" HUP; exec "$@""#;
    let mut shell = Command::new("sh");
    shell.env("LC_ALL", "C").args(["-c", script, "sh", env!("CARGO_BIN_EXE_fathom"), "sweep"]);
    shell.args("--iodepth 1,2 --numjobs 1 --runtime 1 --ramp 50ms --repeats 1 --store".split(' '));
    shell.arg(&store).arg(&file);
    let running = Running::start(&mut shell).unwrap();
    until_points(&store, 1);
    running.signal(libc::SIGHUP);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("2 of 2 visits made"), "{ran:#?}");
}

/// What cannot work is said before anything is measured.
#[test]
fn grid_and_tree_that_cannot_be_used_are_named_at_once() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 8 << 20).unwrap();
    let began = |args: &str| {
        let mut run = command("sweep --iodepth 1 --numjobs 1 --no-store");
        child::run(run.arg(&file).args(args.split_whitespace()), LIMIT).unwrap()
    };
    let ran = began("--bs 16m");
    assert!(ran.code == Some(2) && ran.stderr.contains("--bs") && ran.stderr.contains("8388608"), "{ran:#?}");
    assert!(ran.stdout.is_empty(), "{ran:#?}");
    let ran = began(&format!("--bench-fio {}", file.display()));
    assert!(ran.code == Some(5) && ran.stdout.is_empty(), "{ran:#?}");
    let ran = sweep("nonexistent --dry-run");
    assert!(ran.code == Some(1) && ran.stderr.contains("No such file"), "{ran:#?}");
    // A tree that has nothing in the place of this target is named.
    let tree = sandbox.join("tree");
    std::fs::create_dir_all(tree.join("other")).unwrap();
    let ran = sweep(&format!(
        "{SSD} --iodepth 1,2 --numjobs 1 --runtime 1 --no-store --bench-fio {}",
        tree.display()
    ));
    assert!(ran.code == Some(0) && ran.stderr.contains("no result of this grid"), "{ran:#?}");
}

/// Neither the target nor a text of the user, under any of its names, is replaced by a result.
#[test]
fn tree_replaces_only_results_and_never_the_target() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 8 << 20).unwrap();
    let notes = sandbox.join("notes");
    let place = sandbox.join("tree/data/randread/4k");
    std::fs::create_dir_all(&place).unwrap();
    let run = || {
        let args = "sweep --rw randread --bs 4k --iodepth 1 --numjobs 1 --runtime 1 --repeats 1 --no-store";
        let mut run = command(args);
        child::run(run.arg(&file).arg("--bench-fio").arg(sandbox.join("tree")), LIMIT).unwrap()
    };
    let before = std::fs::read(&file).unwrap();
    for name in ["randread-1-1.json", "randread-1-1.visit-0"] {
        let result = place.join(name);
        for (victim, part) in [(&file, "is a file of a job"), (&notes, "did not write")] {
            std::fs::write(&notes, "precious notes of mine\n").unwrap();
            for hard in [false, true] {
                match hard {
                    false => std::os::unix::fs::symlink(victim, &result).unwrap(),
                    true => std::fs::hard_link(victim, &result).unwrap(),
                }
                let ran = run();
                assert_eq!(ran.code, Some(3), "{name} {victim:?}: {ran:#?}");
                assert!(ran.stderr.contains(part) && ran.stdout.is_empty(), "{name} {victim:?}: {ran:#?}");
                assert!(std::fs::read(&file).unwrap() == before, "{name} {victim:?}");
                assert_eq!(std::fs::read_to_string(&notes).unwrap(), "precious notes of mine\n");
                std::fs::remove_file(&result).unwrap();
            }
        }
    }
    let ran = run();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let result = place.join("randread-1-1.json");
    let text = std::fs::read_to_string(&result).unwrap();
    // A result with an error is measured again, and replaced; a cell without an error is not.
    std::fs::write(&result, text.replace("\"error\" : 0,", "\"error\" : 5,")).unwrap();
    let ran = run();
    assert!(ran.code == Some(0) && ran.stderr.contains("contains an error"), "{ran:#?}");
    skip_without!(Need::Loop);
    let device = LoopDevice::sparse(1 << 20, testbed::loopdev::Setup::default()).unwrap();
    for victim in [device.path(), device.backing()] {
        std::fs::remove_file(&result).unwrap();
        std::os::unix::fs::symlink(victim, &result).unwrap();
        let ran = run();
        assert!(ran.code == Some(3) && ran.stdout.is_empty(), "{ran:#?}");
    }
}

#[test]
fn wrong_command_lines_are_refused_with_status_two() {
    for args in [
        "",
        "x --iodepth 0",
        "x --bs 3",
        "x --runtime 0.1",
        "x --curve 0%",
        "x --rw trim",
        "x --option filename=/dev/null",
        "x --option nosuch=1",
        "x --table grid",
        "x -o page.txt",
        "--resume --iodepth 4",
        "x --arrivals uniform",
        "x --write",
        "x --rw read --rwmixread 30",
        "x --table bs --curve 10%..90%",
    ] {
        let ran = sweep(args);
        assert_eq!(ran.code, Some(2), "{args}: {ran:#?}");
        assert!(!ran.stderr.trim().is_empty());
    }
}

/// Of writes that are synced one by one, a row has the latency of the commit: the write and its sync.
#[test]
fn row_of_synced_writes_has_the_latency_of_commits() {
    let target = "model:servers=1;law=constant:5ms";
    let ran = sweep(&format!(
        "{target} --rw randread,randwrite --iodepth 1 --numjobs 1 --runtime 2 --ramp 100ms --repeats 2 --option fdatasync=1 --json \
         --no-store"
    ));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let found = document(&ran);
    for row in rows(&found) {
        let of = |key: &str| row[key]["value"].as_f64().unwrap();
        let writes = row["access"]["rw"] == "randwrite";
        let (iops, mean_ns) = if writes { (100.0, 1e7) } else { (200.0, 5e6) };
        assert!(
            (of("iops") / iops - 1.0).abs() < 0.02 && (of("mean_ns") / mean_ns - 1.0).abs() < 0.02,
            "{row:#}"
        );
        assert_eq!(row["access"]["sync"]["call"] == "fdatasync", writes, "{row:#}");
    }
}

/// The clock of a device that needs no time for an I/O would stand still.
#[test]
fn simulated_device_that_takes_no_time_is_refused() {
    for law in ["constant:0", "exponential:0", "uniform:0-0", "mixture:60/0:40/0"] {
        let ran = sweep(&format!(
            "model:servers=1;law={law} --iodepth 1 --numjobs 1 --runtime 1 --repeats 1 --no-store"
        ));
        assert!(matches!(ran.code, Some(1 | 2)), "{law}: {ran:#?}");
        assert!(ran.stderr.contains("simulated time stands still"), "{law}: {ran:#?}");
    }
}
