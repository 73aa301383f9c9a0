//! `fathom explore` through the program as it ships: devices with known answers on the real path, studies that are
//! killed and go on, the job file it hands over.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran, Running};
use testbed::fuse::{Law, Model};
use testbed::{Cap, Cgroup, FuseDisk, LoopDevice, Need, Sandbox, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");

fn explore(args: &[&str], dir: &Path) -> Ran {
    let mut command = Command::new(FATHOM);
    child::run(command.arg("explore").args(args).current_dir(dir), Duration::from_secs(400)).unwrap()
}

fn study(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
}

fn depth_of(study: &Value) -> &Value {
    let all = study["conclusions"].as_array().unwrap();
    all.iter().find(|c| c["question"] == "depth").unwrap_or_else(|| panic!("{}", study["unanswered"]))
}

#[test]
fn a_disk_of_eight_servers_has_its_knee_at_eight() {
    skip_without!(Need::Fuse);
    let law = Law::Constant(Duration::from_millis(10));
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
    assert!((6..=11).contains(&knee) && (most / 800.0 - 1.0).abs() < 0.03, "{knee} {most}");
    // The disk's own count: it never had more at once than was asked, and what was told was done.
    let told: u64 = study["points"].as_array().unwrap().iter().map(|p| p["ios"].as_u64().unwrap()).sum();
    assert!(disk.seen().reads >= told, "{} of {told}", disk.seen().reads);
}

#[test]
#[ignore = "takes a minute or two: scripts/test --long"]
fn a_device_with_a_limit_is_told_to_have_one_at_every_depth() {
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
        "--budget=40",
        "--job=r.fio",
    ];
    let ran = explore(&args, sandbox.path());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("only read: --write insists"), "{}", ran.stdout);
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
        (&["--budget=soon"][..], "give a time"),
        (&["/nonexistent/x"][..], "No such file"),
        (&["--resume", "--store=/nonexistent/s"][..], "--resume"),
    ] {
        let ran = explore(args, sandbox.path());
        assert!(matches!(ran.code, Some(1 | 2)) && ran.stderr.contains(says), "{args:?}: {ran:?}");
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
    // Half of a thousand: M/D/1.
    assert!((found["estimate"]["value"].as_f64().unwrap() / 500.0 - 1.0).abs() < 0.05, "{found}");
    assert_eq!(study["asked"]["slo"]["nanos"], 1_500_000);
    let words = explore(
        &[target, "--no-store", "--patterns=4k-randread", "--questions=slo", "--slo=p90=2ms", "--budget=200"],
        sandbox.path(),
    );
    assert!(words.stdout.contains("keep p90 at 2.00 ms or less, arriving at random"), "{words:?}");
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
fn a_goal_of_a_real_disk_is_kept_by_as_many_as_the_theory_says() {
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
