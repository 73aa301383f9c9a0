//! `fathom explore` through the program as it ships: devices with known answers on the real path, studies that are
//! killed and go on, the job file it hands over.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran, Running};
use testbed::fuse::{Faults, Law, Model, Nature, Rule};
use testbed::{Cap, Cgroup, FuseDisk, LoopDevice, Need, Sandbox, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");

fn explore(args: &[&str], dir: &Path) -> Ran {
    let mut command = Command::new(FATHOM);
    child::run(command.arg("explore").args(args).current_dir(dir), Duration::from_secs(400)).unwrap()
}

/// Inside a control group.
fn explore_in(cgroup: &Cgroup, args: &[&str]) -> Ran {
    let mut command = Command::new(FATHOM);
    cgroup.enter(&mut command).unwrap();
    child::run(command.arg("explore").args(args), Duration::from_secs(400)).unwrap()
}

fn study(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
}

fn depth_of(study: &Value) -> &Value {
    let all = study["conclusions"].as_array().unwrap();
    all.iter().find(|c| c["question"] == "depth").unwrap_or_else(|| panic!("{}", study["unanswered"]))
}

#[test]
fn measures_a_disk_of_eight_servers_has_its_knee_at_eight() {
    skip_without!(Need::Fuse);
    // Slow: what other tests delay it by is little beside.
    let law = Law::Constant(Duration::from_millis(20));
    let disk = FuseDisk::new(Model { size_bytes: 256 << 20, servers: 8, law, ..Model::default() }).unwrap();
    let sandbox = Sandbox::new().unwrap();
    let target = disk.path().display().to_string();
    let args =
        [&target, "--json", "--no-store", "--patterns=4k-randread", "--questions=depth", "--budget=30"];
    let study = study(&explore(&args, sandbox.path()));
    let found = depth_of(&study);
    assert_eq!(found["claim"]["kind"], "knee", "{found}");
    let knee = found["claim"]["in_flight"].as_u64().unwrap();
    let most = found["estimate"]["value"].as_f64().unwrap();
    assert!((6..=11).contains(&knee) && (most / 400.0 - 1.0).abs() < 0.03, "{knee} {most}");
    // The disk's own count: it never had more at once than was asked, and what was told was done.
    let told: u64 = study["points"].as_array().unwrap().iter().map(|p| p["ios"].as_u64().unwrap()).sum();
    assert!(disk.seen().reads >= told, "{} of {told}", disk.seen().reads);
}

/// One read in a hundred fails: the study names the errors, and recommends nothing.
#[test]
fn disk_that_fails_a_read_in_a_hundred_has_no_recommendation() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_millis(2));
    let faults = Faults { error: Some((Rule::OneIn(100), libc::EIO)), ..Faults::default() };
    let model = Model { size_bytes: 256 << 20, servers: 4, law, faults, ..Model::default() };
    let disk = FuseDisk::new(model).unwrap();
    let sandbox = Sandbox::new().unwrap();
    let target = disk.path().display().to_string();
    let args =
        [&target, "--json", "--no-store", "--patterns=4k-randread", "--questions=depth", "--budget=15"];
    let ran = explore(&args, sandbox.path());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let study = study(&ran);
    let found = depth_of(&study);
    let errors = found["caveats"].as_array().unwrap().iter().find(|c| c["kind"] == "errors");
    let errors = errors.unwrap_or_else(|| panic!("{found}"));
    let [failed, ios] = ["failed", "ios"].map(|key| errors[key].as_f64().unwrap());
    assert!((0.005..0.015).contains(&(failed / (failed + ios))), "{errors}");
    assert_eq!((&study["loads"], &study["recommended"]), (&serde_json::json!([]), &"".into()), "{study}");
}

#[test]
#[ignore = "takes a minute or two: scripts/test --long"]
fn measures_a_device_with_a_limit_is_told_to_have_one_at_every_depth() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    // In memory: a file beneath would be cached, and what is cached is no answer.
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::ReadIops(500)).unwrap();
    let mut command = Command::new(FATHOM);
    cgroup.enter(&mut command).unwrap();
    let path = device.path().display().to_string();
    command.args([
        "explore",
        &path,
        "--json",
        "--no-store",
        "--patterns=4k-randread",
        "--questions=depth",
        "--budget=60",
    ]);
    let ran = child::run(&mut command, Duration::from_secs(200)).unwrap();
    let study = study(&ran);
    let found = depth_of(&study);
    assert_eq!(found["claim"]["kind"], "one_limit", "{found}");
    let limit = found["estimate"]["value"].as_f64().unwrap();
    assert!((limit / 500.0 - 1.0).abs() < 0.03, "{limit}");
}

#[test]
#[ignore = "takes half a minute: scripts/test --long"]
fn measures_a_disk_of_24_servers_has_its_knee_at_24() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_millis(10));
    let disk = FuseDisk::new(Model { size_bytes: 256 << 20, servers: 24, law, ..Model::default() }).unwrap();
    let sandbox = Sandbox::new().unwrap();
    let target = disk.path().display().to_string();
    let args =
        [&target, "--json", "--no-store", "--patterns=4k-randread", "--questions=depth", "--budget=30"];
    let study = study(&explore(&args, sandbox.path()));
    let found = depth_of(&study);
    assert_eq!(found["claim"]["kind"], "knee", "{found}");
    let knee = found["claim"]["in_flight"].as_u64().unwrap();
    let most = found["estimate"]["value"].as_f64().unwrap();
    assert!((17..=33).contains(&knee) && (most / 2400.0 - 1.0).abs() < 0.03, "{knee} {most}");
}

#[test]
#[ignore = "takes a minute: scripts/test --long"]
fn measures_two_caps_meet_at_a_block_of_16_kib() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let device = LoopDevice::in_memory(256 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    let number = device.number().unwrap();
    cgroup.limit(&number, Cap::ReadIops(2000)).unwrap();
    cgroup.limit(&number, Cap::ReadBytes(32 << 20)).unwrap();
    let path = device.path().display().to_string();
    let args =
        [&path, "--json", "--no-store", "--patterns=4k-randread", "--questions=depth,bs", "--budget=60"];
    let study = study(&explore_in(&cgroup, &args));
    let all = study["conclusions"].as_array().unwrap();
    let blocks =
        all.iter().find(|c| c["question"] == "bs").unwrap_or_else(|| panic!("{}", study["unanswered"]));
    assert_eq!(blocks["claim"]["kind"], "crossover", "{blocks}");
    let at = blocks["estimate"]["value"].as_f64().unwrap();
    assert!((at / 16384.0 - 1.0).abs() < 0.15, "{blocks}");
    let (iops, bandwidth) = (&blocks["claim"]["iops"]["value"], &blocks["claim"]["bandwidth"]["value"]);
    assert!((iops.as_f64().unwrap() / 2000.0 - 1.0).abs() < 0.05, "{blocks}");
    assert!((bandwidth.as_f64().unwrap() / f64::from(32 << 20) - 1.0).abs() < 0.05, "{blocks}");
}

#[test]
fn measures_region_size_changes_the_answer_on_a_seeking_disk() {
    skip_without!(Need::Fuse);
    // A full stroke is 20 ms, its square root's share at less: 10.7 ms over all of it, 1.3 ms over a 64th.
    let disk = FuseDisk::new(Model {
        size_bytes: 256 << 20,
        servers: 1,
        law: Law::Constant(Duration::from_millis(2)),
        nature: Nature::Seek(Duration::from_millis(20)),
        ..Model::default()
    })
    .unwrap();
    let sandbox = Sandbox::new().unwrap();
    let target = disk.path().display().to_string();
    let store = format!("--store={}", sandbox.join("store").display());
    let args = [&target, "--json", &store, "--patterns=4k-randread", "--questions=span", "--budget=12"];
    let ran = explore(&args, sandbox.path());
    let study = study(&ran);
    let all = study["conclusions"].as_array().unwrap();
    let span = all.iter().find(|c| c["question"] == "span").unwrap_or_else(|| panic!("{ran:?}"));
    let (value, low) = (&span["estimate"]["value"], &span["estimate"]["low"]);
    assert!((3.2..4.4).contains(&value.as_f64().unwrap()) && low.as_f64().unwrap() > 2.0, "{span}");
    let mut show = Command::new(FATHOM);
    let said = child::run(show.args(["show", "S1", &store]), Duration::from_secs(20)).unwrap().stdout;
    let said: Vec<&str> = said.split_whitespace().collect();
    assert!(said.join(" ").contains("a small region overstates performance"), "{said:?}");
}

#[test]
fn measures_a_quota_of_a_fifth_of_a_processor_is_not_a_limit_of_the_disk() {
    skip_without!(Need::Loop, Need::CpuCgroup);
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let cgroup = Cgroup::with_cpu_quota(20).unwrap();
    let path = device.path().display().to_string();
    let args =
        [&path, "--json", "--no-store", "--patterns=4k-randread", "--questions=depth,bs", "--budget=40"];
    let study = study(&explore_in(&cgroup, &args));
    assert!(cgroup.throttled().unwrap() > 50, "{cgroup:?}");
    let all = study["conclusions"].as_array().unwrap();
    let kinds: Vec<&str> = all.iter().map(|c| c["claim"]["kind"].as_str().unwrap()).collect();
    assert!(
        !kinds.is_empty() && kinds.iter().all(|k| *k == "generator"),
        "{kinds:?} {}",
        study["unanswered"]
    );
}

/// The points of the only study in a store that nobody has open: number, I/Os, windows. Looked at in a copy, so that the
/// program that goes on finds what was left.
fn stored(store: &Path, copies: &Sandbox) -> Vec<(i64, i64, i64)> {
    let copy = copies.join("copy");
    for end in ["", "-wal"] {
        let name = |path: &Path| format!("{}{end}", path.display());
        let _ = std::fs::remove_file(name(&copy));
        if Path::new(&name(store)).exists() {
            std::fs::copy(name(store), name(&copy)).unwrap();
        }
    }
    let _ = std::fs::remove_file(format!("{}-shm", copy.display()));
    let db = rusqlite::Connection::open(&copy).unwrap();
    let whole: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(whole, "ok");
    let astray =
        "SELECT count(*) FROM windows WHERE (study, ordinal) NOT IN (SELECT study, ordinal FROM points)";
    assert_eq!(db.query_row(astray, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    assert_eq!(db.query_row("SELECT count(*) FROM studies", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    let sql = "SELECT ordinal, ios, (SELECT count(*) FROM windows w WHERE w.study = p.study AND w.ordinal = p.ordinal) \
               FROM points p ORDER BY rowid";
    let mut points = db.prepare(sql).unwrap();
    let points = points.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    points.map(Result::unwrap).collect()
}

/// A study of a device, killed so many times at moments that are drawn anew, goes on each time where it was and comes to
/// its end.
fn killed_on_a_device(kills: usize, questions: &str, budget_s: u64) {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&device.number().unwrap(), Cap::ReadIops(2000)).unwrap();
    let sandbox = Sandbox::in_memory().unwrap();
    let file = sandbox.join("store");
    let (path, store) = (device.path().display().to_string(), format!("--store={}", file.display()));
    let budget = format!("--budget={budget_s}");
    let first = [&path, &store, &budget, "--patterns=4k-randread", questions, "--json"];
    let resume = ["--resume", &store, "--json"];
    let mut draw = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64 | 1;
    let begun_with = draw;
    let mut before: Vec<(i64, i64, i64)> = Vec::new();
    for kill in 0..kills {
        draw ^= draw << 13;
        draw ^= draw >> 7;
        draw ^= draw << 17;
        let mut command = Command::new(FATHOM);
        cgroup.enter(&mut command).unwrap();
        command.arg("explore").args(if kill == 0 { &first[..] } else { &resume[..] });
        let running = Running::start(&mut command).unwrap();
        // The first has to have begun its study: there is none to go on with before. All kills fall into the first two
        // thirds of the budget: a study that has its answer ends at about 85 % of it.
        let most_ms = budget_s * 500 / kills as u64;
        std::thread::sleep(Duration::from_millis(if kill == 0 { 700 } else { 20 } + draw % most_ms));
        // What can be read from outside is kept, whatever happens then.
        let seen: Option<i64> =
            rusqlite::Connection::open_with_flags(&file, rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE)
                .and_then(|db| db.query_row("SELECT count(*) FROM points", [], |row| row.get(0)))
                .ok();
        running.signal(9);
        let ended = running.finish(Duration::from_secs(20)).unwrap();
        assert_eq!(ended.signal, Some(9), "seed {begun_with}: it ended by itself: {ended:?}");
        let now = stored(&file, &sandbox);
        assert!(now.len() as i64 >= seen.unwrap_or(0), "seed {begun_with}: {seen:?} were kept: {now:?}");
        assert!(now.starts_with(&before), "seed {begun_with}: {before:?} became {now:?}");
        before = now;
    }
    let ran = explore_in(&cgroup, &resume);
    assert_eq!(ran.code, Some(0), "seed {begun_with}: {ran:?}");
    let points = stored(&file, &sandbox);
    assert!(points.starts_with(&before) && points.len() > before.len(), "{before:?} became {points:?}");
    let numbers: Vec<i64> = points.iter().map(|p| p.0).collect();
    assert!(numbers.iter().copied().eq(0..points.len() as i64), "seed {begun_with}: {numbers:?}");
    assert!(points.iter().all(|(_, ios, windows)| *ios > 0 && *windows > 0), "{points:?}");
    // What the program hands out is what is in the file, and the answer rests on all of it.
    let mut export = Command::new(FATHOM);
    let csv =
        child::run(export.args(["export", "S1", "--csv", &store]), Duration::from_secs(30)).unwrap().stdout;
    let told: Vec<&str> = csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(told, numbers.iter().map(i64::to_string).collect::<Vec<_>>());
    let study = study(&ran);
    assert_eq!(study["complete"], true);
    let answers = ["conclusions", "unanswered"].map(|of| study[of].as_array().unwrap().len());
    assert!(answers[0] + answers[1] >= questions.split(',').count(), "{ran:?}");
}

#[test]
fn a_study_of_a_device_killed_twice_loses_and_doubles_nothing() {
    killed_on_a_device(2, "--questions=depth", 12);
}

#[test]
#[ignore = "takes a minute: scripts/test --long"]
fn a_study_of_a_device_killed_eight_times_loses_and_doubles_nothing() {
    killed_on_a_device(8, "--questions=depth,bs", 40);
}

/// A killed study goes on with the same file, and with no other: neither of another size nor another one of that size.
#[test]
fn killed_study_goes_on_with_its_target_only() {
    let sandbox = Sandbox::new().unwrap();
    let (file, store) = (sandbox.file("data", 8 << 20).unwrap(), sandbox.join("store"));
    let place = format!("--store={}", store.display());
    let name = file.display().to_string();
    let mut first = Command::new(FATHOM);
    first.env("LC_ALL", "C").args(["explore", &name, &place, "--patterns=4k-randread", "--questions=depth"]);
    first.args(["--budget=12", "--engine=psync"]);
    let running = Running::start(&mut first).unwrap();
    let began = std::time::Instant::now();
    let points = || {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let db = rusqlite::Connection::open_with_flags(&store, flags).ok()?;
        db.query_row("SELECT count(*) FROM points", [], |row| row.get::<_, i64>(0)).ok()
    };
    while points().is_none_or(|n| n < 1) {
        assert!(began.elapsed() < Duration::from_secs(180), "no point");
        std::thread::sleep(Duration::from_millis(10));
    }
    running.signal(9);
    assert_eq!(running.finish(Duration::from_secs(60)).unwrap().signal, Some(9));
    let resume = || {
        let mut command = Command::new(FATHOM);
        command.env("LC_ALL", "C").args(["explore", "--resume", "S1", &place, "--json"]);
        child::run(&mut command, Duration::from_secs(400)).unwrap()
    };
    let grow = |bytes: u64| std::fs::File::options().write(true).open(&file).unwrap().set_len(bytes).unwrap();
    grow(9 << 20);
    let ran = resume();
    assert!(ran.code == Some(3) && ran.stderr.contains("it had 8388608 bytes"), "{ran:#?}");
    grow(8 << 20);
    let original = sandbox.join("original");
    std::fs::rename(&file, &original).unwrap();
    std::fs::copy(&original, &file).unwrap();
    let ran = resume();
    assert!(ran.code == Some(3) && ran.stderr.contains("another file"), "{ran:#?}");
    std::fs::rename(&original, &file).unwrap();
    let ran = resume();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let (found, kept) = (study(&ran), points().unwrap());
    assert_eq!((&found["complete"], &found["asked"]["engine"]), (&Value::from(true), &Value::from("psync")));
    assert_eq!(found["points"].as_array().unwrap().len() as i64, kept);
}

/// I/Os per second of the first entry of a JSON report.
fn iops_of(ran: &Ran) -> f64 {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    report["jobs"][0]["read"]["iops"].as_f64().unwrap()
}

#[test]
#[ignore = "takes a minute or two: scripts/test --long"]
fn measures_recommended_job_has_the_same_rate_in_fio_and_fathom() {
    skip_without!(Need::Program("fio"), Need::Loop, Need::BlockCgroup);
    for cap in [500, 2000] {
        let device = LoopDevice::in_memory(64 << 20, true, None).unwrap();
        let cgroup = Cgroup::new().unwrap();
        cgroup.limit(&device.number().unwrap(), Cap::ReadIops(cap)).unwrap();
        let sandbox = Sandbox::new().unwrap();
        let job = sandbox.join("recommended.fio").display().to_string();
        let path = device.path().display().to_string();
        let args = [&path, "--no-store", "--patterns=4k-randread", "--questions=depth", "--budget=30"];
        let ran = explore_in(&cgroup, &[&args[..], &["--job", &job]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let run = |program: &[&str]| {
            let mut command = Command::new(program[0]);
            cgroup.enter(&mut command).unwrap();
            command.args(&program[1..]).args(["--output-format=json", &job]).current_dir(sandbox.path());
            iops_of(&child::run(&mut command, Duration::from_secs(60)).unwrap())
        };
        let (theirs, ours) = (run(&["/usr/bin/fio"]), run(&[FATHOM, "fio"]));
        assert!((ours / theirs - 1.0).abs() < 0.02, "cap {cap}: fathom {ours}, fio {theirs}");
        assert!((theirs / cap as f64 - 1.0).abs() < 0.05, "cap {cap}: fio {theirs}");
    }
}

/// One device, one seed: the same data set, whenever the program was killed.
#[test]
fn a_study_killed_at_any_moment_goes_on_to_the_same_end() {
    let sandbox = Sandbox::new().unwrap();
    let device = "model:servers=64;law=exponential:1ms;iops=5000;burst=40000:1500";
    let base = [device, "--patterns=4k-randread", "--questions=depth,bs,jobs", "--budget=60", "--json"];
    let file = |name: &str| format!("--store={}", sandbox.join(name).display());
    let data = |name: &str| {
        let mut command = Command::new(FATHOM);
        command.args(["export", "S1", "--csv", &file(name)]);
        let ran = child::run(&mut command, Duration::from_secs(30)).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    let whole = explore(&[&base[..], &[&file("whole")]].concat(), sandbox.path());
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let truth = data("whole");
    assert!(truth.lines().count() > 20);
    let mut cut = 0;
    for moment in 0..20u64 {
        let name = format!("cut{moment}");
        let mut command = Command::new(FATHOM);
        command.arg("explore").args(base).arg(file(&name)).current_dir(sandbox.path());
        let running = Running::start(&mut command).unwrap();
        std::thread::sleep(Duration::from_millis(5 + moment * 13));
        running.signal(9);
        let _ = running.finish(Duration::from_secs(20)).unwrap();
        let resumed = explore(&["--resume", "--json", &file(&name)], sandbox.path());
        if resumed.code == Some(2) && resumed.stderr.contains("--resume") {
            // Killed before it began or after it had ended.
            continue;
        }
        assert_eq!(resumed.code, Some(0), "{resumed:?}");
        cut += 1;
        assert!(data(&name) == truth, "killed at {moment}");
    }
    assert!(cut >= 3, "only {cut} of 20 were killed in the middle");
}

#[test]
fn what_is_recommended_runs_in_fio_and_bad_input_is_named() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("data", 64 << 20).unwrap();
    let target = file.display().to_string();
    let args = [
        &target,
        "--no-store",
        "--patterns=4k-randread,64k-read,4k-randwrite",
        "--questions=depth",
        "--budget=20",
        "--job=r.fio",
    ];
    let ran = explore(&args, sandbox.path());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("only read; --write permits writes"), "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|l| l.chars().count() <= 100), "{}", ran.stdout);
    let text = std::fs::read_to_string(sandbox.join("r.fio")).unwrap();
    let short =
        text.lines().map(|l| if l.starts_with("runtime=") { "runtime=1" } else { l }).collect::<Vec<_>>();
    sandbox.put("short.fio", &(short.join("\n") + "\n")).unwrap();
    let mut fio = Command::new("/usr/bin/fio");
    let ran = child::run(fio.arg("short.fio").current_dir(sandbox.path()), Duration::from_secs(60)).unwrap();
    assert_eq!(ran.code, Some(0), "{text}\n{ran:?}");
    for (args, says) in [
        (&["--patterns=4k-sideways"][..], "4k-sideways"),
        (&["--questions=why"][..], "none of depth, bs"),
        (&["--budget=soon"][..], "needs a time"),
        (&["/nonexistent/x"][..], "No such file"),
        (&["model:servrs=8"][..], "has no setting `servrs`; valid settings: size, servers, law, "),
        (&["model:servers"][..], "needs a value"),
        (&["model:size=lots"][..], "`size=lots`: a size is a number of bytes"),
        (&["--resume", "--store=none"][..], "--resume"),
    ] {
        let ran = explore(args, sandbox.path());
        assert!(matches!(ran.code, Some(1 | 2)) && ran.stderr.contains(says), "{args:?}: {ran:?}");
        // One line; clap adds a hint to what it refuses.
        assert!(ran.stdout.is_empty() && (ran.code == Some(2) || ran.stderr.lines().count() == 1), "{ran:?}");
    }
}

#[test]
#[ignore = "takes a minute or two: scripts/test --long"]
fn two_targets_are_studied_in_turn_and_end_in_one_table() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let [slow, fast] = [(); 2].map(|()| LoopDevice::in_memory(64 << 20, true, None).unwrap());
    let cgroup = Cgroup::new().unwrap();
    cgroup.limit(&slow.number().unwrap(), Cap::ReadIops(200)).unwrap();
    let mut command = Command::new(FATHOM);
    cgroup.enter(&mut command).unwrap();
    let (a, b) = (slow.path().display().to_string(), fast.path().display().to_string());
    command.args([
        "explore",
        &a,
        &b,
        "--json",
        "--no-store",
        "--patterns=4k-randread",
        "--questions=depth",
        "--budget=100",
    ]);
    let study = study(&child::run(&mut command, Duration::from_secs(300)).unwrap());
    let of = |n: u64| {
        let all = study["conclusions"].as_array().unwrap().iter();
        all.filter(|c| c["target"] == n).map(|c| c["estimate"]["value"].as_f64().unwrap()).next().unwrap()
    };
    assert!((of(0) / 200.0 - 1.0).abs() < 0.05 && of(1) > 2000.0, "{} {}", of(0), of(1));
    let turns: Vec<u64> =
        study["points"].as_array().unwrap().iter().map(|p| p["cell"]["target"].as_u64().unwrap()).collect();
    let changes = turns.windows(2).filter(|w| w[0] != w[1]).count();
    assert!(changes >= 4, "{turns:?}");
    let all = study["conclusions"].as_array().unwrap();
    let ratio = &all.iter().find(|c| c["question"] == "targets").unwrap()["estimate"];
    assert!(ratio["low"].as_f64().unwrap() > 5.0, "{ratio}");
}

#[test]
fn a_goal_for_latency_is_answered_with_a_rate_and_read_strictly() {
    let sandbox = Sandbox::new().unwrap();
    let target = "model:servers=1;law=constant:1ms";
    let args = [
        target,
        "--json",
        "--no-store",
        "--patterns=4k-randread",
        "--questions=",
        "--slo=mean=1.5ms",
        "--budget=300",
    ];
    let study = study(&explore(&args, sandbox.path()));
    let found = &study["conclusions"][0];
    assert_eq!(
        (found["question"].as_str(), found["claim"]["kind"].as_str()),
        (Some("slo"), Some("kept")),
        "{study}"
    );
    // Half of a thousand: M/D/1. What stands first is a rate that keeps the goal, and no more.
    let value = found["estimate"]["value"].as_f64().unwrap();
    assert!((450.0..=500.0).contains(&value) && found["estimate"]["low"] == value, "{found}");
    assert!(found["estimate"]["high"].as_f64().unwrap() >= 500.0, "{found}");
    assert_eq!(study["asked"]["slo"]["nanos"], 1_500_000);
    let words = explore(
        &[target, "--no-store", "--patterns=4k-randread", "--questions=slo", "--slo=p90=2ms", "--budget=200"],
        sandbox.path(),
    );
    assert!(words.stdout.contains("p90 latency stays at or below 2.00 ms"), "{words:?}");
    for goal in [
        "p99",
        "p99=2",
        "p100=2ms",
        "p0.5=2ms",
        "q99=2ms",
        "p99=0ms",
        "p99=-1ms",
        "p99=2h",
        "mean=ms",
        "p99=nanms",
    ] {
        let ran = explore(&[target, &format!("--slo={goal}")], sandbox.path());
        assert!(ran.code == Some(2) && ran.stderr.contains("p99=2ms"), "{goal}: {ran:?}");
    }
    let ran = explore(&[target, "--questions=slo"], sandbox.path());
    assert!(ran.code == Some(2) && ran.stderr.contains("--slo p99=2ms"), "{ran:?}");
}

#[test]
#[ignore = "takes a minute: scripts/test --long"]
fn measures_a_goal_of_a_real_disk_is_kept_by_as_many_as_the_theory_says() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_millis(4));
    let disk = FuseDisk::new(Model { size_bytes: 256 << 20, servers: 1, law, ..Model::default() }).unwrap();
    let sandbox = Sandbox::new().unwrap();
    let target = disk.path().display().to_string();
    let args = [
        &target,
        "--json",
        "--no-store",
        "--patterns=4k-randread",
        "--questions=slo",
        "--slo=mean=6ms",
        "--budget=90",
    ];
    let study = study(&explore(&args, sandbox.path()));
    let found = &study["conclusions"][0];
    assert_eq!(found["claim"]["kind"], "kept", "{found} {}", study["unanswered"]);
    let rate = found["estimate"]["value"].as_f64().unwrap();
    // Half of 250. A disk that is made of a program and sleeps, on a machine that is busy, is slower than it says.
    assert!((95.0..135.0).contains(&rate), "{found}");
}

/// A simulated device answers at once and its blocks may be large: a signal ends the study all the same, with its result.
#[test]
fn signal_ends_a_study_of_a_simulated_device_within_seconds() {
    let sandbox = Sandbox::in_memory().unwrap();
    let args = "explore model:servers=8;law=constant:1ms --json --no-store --budget 100h --patterns 64k-write,4k-randwrite";
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(args.split_whitespace()).current_dir(sandbox.path());
    let script = "\"$@\" & p=$!; sleep 2; kill -INT $p; wait $p";
    let mut shell = Command::new("bash");
    shell.args(["-c", script, "bash"]).arg(command.get_program()).args(command.get_args());
    let ran = child::run(shell.current_dir(sandbox.path()), Duration::from_secs(60)).unwrap();
    assert!(!ran.overran && ran.code == Some(128), "{ran:?}");
    assert!(ran.wall < Duration::from_secs(12), "{:?}", ran.wall);
    assert_eq!(study(&ran)["complete"], false);
}

/// Why a point could not be measured is told in words, with what to do.
#[test]
fn limit_of_the_host_that_stops_a_study_is_told_in_words() {
    let sandbox = Sandbox::in_memory().unwrap();
    let mut shell = Command::new("sh");
    let script = "ulimit -n 12 && exec \"$0\" explore f --budget=20s --patterns=4k-randread --no-store";
    shell.args(["-c", script, FATHOM]).current_dir(sandbox.path());
    sandbox.file("f", 8 << 20).unwrap();
    let ran = child::run(&mut shell, Duration::from_secs(60)).unwrap();
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("the hard limit is 12 (ulimit -Hn); raise it, set openfiles="), "{ran:?}");
}

/// The verdict, then the rates: which of two disks is faster is answered by the first lines.
#[test]
fn which_of_two_targets_is_faster_is_the_first_line() {
    let sandbox = Sandbox::new().unwrap();
    let of = |law: &str| format!("model:servers=8;law={law}");
    let [slow, fast] = [of("constant:1ms"), of("constant:700us")];
    let ran = explore(&["--no-store", "--budget=60s", &slow, &fast], sandbox.path());
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(ran.code == Some(0) && lines.len() <= 25, "{ran:#?}");
    assert!(lines[2].starts_with("target 2 is faster with all 8 loads: 1.4"), "{ran:#?}");
    assert!(
        lines[3].starts_with("4k randread, 1 in flight: 1.00k IOPS and 1.43k IOPS, ratio 1.43"),
        "{ran:#?}"
    );
    let back =
        explore(&["--no-store", "--budget=60s", "--patterns=4k-randread", &fast, &slow], sandbox.path());
    assert!(back.stdout.contains("target 1 is faster with all 2 loads: 1.4"), "{back:#?}");
    let one = explore(&["--no-store", "--questions=targets", &slow], sandbox.path());
    assert!(one.code == Some(2) && one.stderr.contains("fathom explore TARGET TARGET"), "{one:#?}");
}

#[test]
fn how_long_a_run_must_be_is_told_without_other_questions() {
    let sandbox = Sandbox::new().unwrap();
    let device = "model:servers=8;law=exponential:1ms";
    let args = ["--no-store", "--budget=60s", "--questions=runtime", "--patterns=4k-randread", device];
    let ran = explore(&args, sandbox.path());
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(ran.code == Some(0) && lines[1].starts_with("4k randread: run for "), "{ran:#?}");
}
