//! `fathom cloud` on a loop device that the kernel limits like a volume.

use crate::common::failing_device;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Cap, CappedLoop, Cgroup, LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(180);
const GP3: &str = "--provider aws --type gp3 --size 500";

fn fathom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C");
    command
}

fn cloud(args: &str) -> Ran {
    run(fathom().arg("cloud").args(args.split_whitespace()), LIMIT).unwrap()
}

fn card(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

/// Returns a device with these limits, and one for the process that measures it.
fn capped(caps: &[Cap]) -> CappedLoop {
    let device = LoopDevice::in_memory(32 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    for cap in caps {
        cgroup.limit(&device.number().unwrap(), *cap).unwrap();
    }
    CappedLoop { device, cgroup }
}

/// Runs `fathom cloud` with `args` on a device.
fn on(capped: &CappedLoop, args: &str) -> Ran {
    let mut command = capped.command(Path::new(env!("CARGO_BIN_EXE_fathom"))).unwrap();
    command.env("LC_ALL", "C").arg("cloud").arg(capped.device.path()).args(args.split_whitespace());
    run(&mut command, LIMIT).unwrap()
}

/// Runs `fathom cloud` with `args` on a device whose reads are limited to `iops` and `mib` MiB/s.
fn on_capped(iops: u64, mib: u64, args: &str) -> Ran {
    on(&capped(&[Cap::ReadIops(iops), Cap::ReadBytes(mib << 20)]), args)
}

/// Runs `fathom cloud` with permitted writes on a device whose reads are those of gp3, and whose writes are limited.
fn with_writes(write_iops: u64) -> Value {
    let mib = 125 << 20;
    let caps = [Cap::ReadIops(3000), Cap::ReadBytes(mib), Cap::WriteIops(write_iops), Cap::WriteBytes(mib)];
    let capped = capped(&caps);
    let consent = format!("--allow-destroy {}", capped.device.path().display());
    let ran = on(&capped, &format!("{GP3} --seconds 100 --json --no-store {consent}"));
    let mut found = card(&ran);
    found["code"] = ran.code.into();
    found
}

/// Returns verdict, exit status, and the binding limit of each pattern.
fn judged(ran: &Ran) -> (String, Option<i32>, Vec<String>) {
    let card = card(ran);
    let checks = card["checks"].as_array().unwrap().iter();
    let binding = checks.map(|check| check["binding"].as_str().unwrap_or("-").to_owned()).collect();
    (card["verdict"].as_str().unwrap_or("-").to_owned(), ran.code, binding)
}

fn expected(verdict: &str, code: i32, binding: [&str; 2]) -> (String, Option<i32>, Vec<String>) {
    (verdict.into(), Some(code), binding.map(str::to_owned).to_vec())
}

#[test]
#[ignore = "takes a minute: scripts/test --long"]
fn measures_a_volume_at_its_limits_as_kept() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let ran = on_capped(3000, 125, &format!("{GP3} --seconds 40 --json"));
    assert_eq!(judged(&ran), expected("kept", 0, ["volume_iops", "volume_throughput"]), "{ran:#?}");
}

#[test]
fn measures_a_volume_below_its_limit_as_not_kept() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let ran = on_capped(2500, 125, &format!("{GP3} --seconds 40 --json"));
    assert_eq!(judged(&ran), expected("not_kept", 4, ["lower_cap", "volume_throughput"]), "{ran:#?}");
}

/// Writes have the limit of the promise. The control group limits reads and writes apart, which the mix shows; more than
/// the joint limit that the table names is no broken promise.
#[test]
#[ignore = "takes a minute: scripts/test --long"]
fn measures_writes_at_the_limit_as_kept_and_limits_apart() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let found = with_writes(3000);
    let loads: Vec<_> =
        found["checks"].as_array().unwrap().iter().map(|check| check["load"].as_str()).collect();
    let all = ["reads", "reads", "writes", "writes", "mixed"].map(Some);
    assert_eq!(loads, all, "{found:#}");
    assert_eq!((found["verdict"].as_str(), found["code"].as_i64()), (Some("kept"), Some(0)), "{found:#}");
    assert_eq!(found["sharing_found"].as_str(), Some("apart"), "{found:#}");
}

#[test]
fn measures_writes_below_the_limit_as_not_kept() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let found = with_writes(2500);
    assert_eq!((found["verdict"].as_str(), found["code"].as_i64()), (Some("not_kept"), Some(4)), "{found:#}");
    let writes = &found["checks"][2];
    assert_eq!((writes["load"].as_str(), writes["binding"].as_str()), (Some("writes"), Some("lower_cap")));
    let rate = writes["measured"]["value"].as_f64().unwrap();
    assert!((rate / 2500.0 - 1.0).abs() < 0.05, "{found:#}");
    assert_eq!(found["checks"][0]["reach"].as_str(), Some("at_limit"), "{found:#}");
}

/// A simulated volume has one limit for reads and writes together.
#[test]
fn shared_limit_is_told_from_limits_apart() {
    // 4 KiB take 333 us, 256 KiB 2 ms.
    let target = "model:servers=1;law=uniform:200us-414us;transfer=158000000";
    let ran = cloud(&format!("{target} {GP3} --seconds 60 --json --no-store"));
    let found = card(&ran);
    assert_eq!(found["sharing_found"].as_str(), Some("joint"), "{found:#}");
    assert_eq!((found["verdict"].as_str(), ran.code), (Some("kept"), Some(0)), "{found:#}");
    let ran = cloud(&format!("{target} {GP3} --seconds 60 --no-store"));
    assert!(ran.stdout.contains("measured: reads and writes share the limits"), "{ran:#?}");
    assert!(ran.stdout.lines().count() <= 25, "{ran:#?}");
    // Google's limits are apart, as the tables say without confirmation: a joint one is likely a broken promise.
    let target = "model:servers=1;law=uniform:200us-420us;transfer=179000000";
    let ran = cloud(&format!("{target} --type hyperdisk-balanced --size 500 --seconds 60 --json --no-store"));
    let found = card(&ran);
    assert_eq!(found["checks"][4]["reach"].as_str(), Some("below"), "{found:#}");
    assert!((0..4).all(|at| found["checks"][at]["reach"] == "at_limit"), "{found:#}");
    assert_eq!((found["verdict"].as_str(), ran.code), (Some("likely_not_kept"), Some(6)));
}

/// Without consent a device is only read, and the card says so. Consent for another device is none.
#[test]
fn devices_are_not_written_without_consent() {
    skip_without!(Need::Loop);
    let device = LoopDevice::in_memory(32 << 20, true, None).unwrap();
    let path = device.path().display().to_string();
    for consent in ["", "--allow-destroy /dev/null"] {
        let ran = cloud(&format!("{path} {GP3} --seconds 1 --no-store {consent}"));
        assert!(ran.stdout.contains("--allow-destroy") && !ran.stdout.contains("random writes"), "{ran:#?}");
        let document = card(&cloud(&format!("{path} {GP3} --seconds 1 --no-store --json {consent}")));
        assert_eq!(document["checks"].as_array().map(Vec::len), Some(2), "{document:#}");
    }
}

/// A budget of writes bounds what is written to a device, and reads are measured without it.
#[test]
fn cloud_writes_keep_to_the_wear_budget() {
    skip_without!(Need::Loop);
    let device = LoopDevice::in_memory(32 << 20, true, None).unwrap();
    let path = device.path().display().to_string();
    let written = || {
        let name = device.path().file_name().unwrap().to_string_lossy().into_owned();
        let stat = std::fs::read_to_string(format!("/sys/block/{name}/stat")).unwrap();
        stat.split_whitespace().nth(6).and_then(|sectors| sectors.parse::<u64>().ok()).unwrap() * 512
    };
    let before = written();
    let args = format!("{path} {GP3} --seconds 4 --no-store --json --allow-destroy {path} --wear-budget");
    let found = card(&cloud(&format!("{args} 200M")));
    assert!(found["checks"].as_array().is_some_and(|checks| checks.len() > 2), "{found:#}");
    let first = written();
    // The number of a loop device may have been another device's before.
    assert!((1..=200 << 20).contains(&(first - before)), "{} bytes", first - before);
    let found = card(&cloud(&format!("{args} 1M")));
    assert_eq!((found["checks"].as_array().map(Vec::len), written()), (Some(2), first), "{found:#}");
}

/// The last I/Os of a run, which take two seconds, and pauses of a second in 20 do not break the promise of a volume; a
/// lower limit does.
#[test]
fn slow_ios_and_a_pause_break_no_promise() {
    let verdict = |device: &str| {
        let target = format!("model:{device};bw=131072000");
        card(&cloud(&format!("{target} --provider aws --type gp3 --size 100 --json --no-store")))["verdict"]
            .clone()
    };
    assert_eq!(verdict("servers=256;law=mixture:99.9/500us:0.1/2000ms;iops=3000"), "kept");
    assert_ne!(verdict("servers=64;law=exponential:1ms;iops=3000;stall=20s:1s"), "not_kept");
    assert_eq!(verdict("servers=64;law=exponential:1ms;iops=2400"), "not_kept");
}

#[test]
fn several_volumes_are_set_against_the_limit_of_the_instance() {
    let args = "--provider aws --type gp3 --size 500 --instance m5.2xlarge --volumes";
    for (volumes, limit, row) in [(1, 3000.0, ""), (3, 9000.0, "3 volumes"), (8, 12_000.0, "8 volumes")] {
        let found = card(&cloud(&format!("{args} {volumes} --json")));
        // The depth is that of the limit with 1 ms for each I/O.
        assert_eq!(found["limits"]["depth"].as_f64(), Some(limit / 1000.0), "{found:#}");
        let compared = &found["comparisons"][0];
        let sum = f64::from(volumes) * 3000.0;
        assert!(compared["volume"] == sum && compared["instance_binds"] == (volumes == 8), "{compared}");
        let shown = cloud(&format!("{args} {volumes}")).stdout;
        assert!(shown.contains(row) && shown.lines().count() <= 25, "{shown}");
        assert_eq!(
            shown.contains("the instance limits their IOPS from 4 volumes on"),
            volumes > 1,
            "{shown}"
        );
    }
    let pooled = card(&cloud("--type pd-balanced --size 100 --volumes 2 --json"));
    assert_eq!(pooled["limits"]["volume"]["iops"].as_f64(), Some(4200.0), "{pooled:#}");
}

/// The same devices are judged by a row that is general knowledge.
#[test]
#[ignore = "takes a minute: scripts/test --long"]
fn measures_unconfirmed_rows_as_likely_at_most() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let hyperdisk = "--type hyperdisk-balanced --size 500 --seconds 40 --json";
    let ran = on_capped(3000, 140, hyperdisk);
    assert_eq!(judged(&ran), expected("likely_kept", 6, ["volume_iops", "volume_throughput"]), "{ran:#?}");
    let ran = on_capped(1000, 140, hyperdisk);
    assert_eq!((judged(&ran).0.as_str(), ran.code), ("likely_not_kept", Some(6)), "{ran:#?}");
}

/// A rate at the level of the burst is no proof of the base, and one beyond all limits is no proof of anything.
#[test]
#[ignore = "takes a minute: scripts/test --long"]
fn measures_rates_above_the_base_as_not_sure() {
    skip_without!(Need::Loop, Need::BlockCgroup);
    let ran = on_capped(3000, 128, "--type gp2 --size 100 --seconds 40 --json");
    let found = card(&ran);
    assert_eq!(found["checks"][0]["reach"].as_str(), Some("burst"), "{ran:#?}");
    assert_eq!((found["verdict"].as_str(), ran.code), (Some("not_sure"), Some(6)));
    let ran = on_capped(6000, 125, &format!("{GP3} --seconds 40 --json"));
    assert_eq!(card(&ran)["checks"][0]["reach"].as_str(), Some("above"), "{ran:#?}");
    assert_eq!(ran.code, Some(6));
}

/// A run too short for an interval decides nothing, and the rate is shown. The scratch file leaves nothing behind.
#[test]
fn short_runs_in_a_directory_are_not_sure() {
    let sandbox = Sandbox::new().unwrap();
    let mut command = fathom();
    command.args(["cloud", ".", "--type", "gp3", "--seconds", "1"]).current_dir(sandbox.path());
    let ran = run(&mut command, LIMIT).unwrap();
    assert_eq!(ran.code, Some(6), "{ran:#?}");
    assert!(ran.stdout.contains("in a run too short"), "{ran:#?}");
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0);
}

#[test]
fn names_of_tiers_and_of_interfaces_are_known() {
    let tier = card(&cloud("--type P20 --json"));
    assert_eq!(tier["limits"]["volume"]["iops"].as_f64(), Some(2300.0), "{tier:#?}");
    let own = card(&cloud("--provider microsoft --type Premium_LRS --size 512 --json"));
    assert_eq!(own["limits"], tier["limits"]);
}

#[test]
fn limits_are_computed_without_a_target() {
    let ran = cloud("--provider aws --type gp3 --size 500 --iops 6000 --throughput 250 --json");
    let found = card(&ran);
    assert_eq!((ran.code, &found["verdict"]), (Some(0), &Value::Null), "{ran:#?}");
    assert_eq!(found["limits"]["volume"]["iops"].as_f64(), Some(6000.0));
    assert_eq!(found["limits"]["volume"]["throughput"].as_f64(), Some(250.0 * 1_048_576.0));
    assert_eq!(found["limits"]["depth"].as_f64(), Some(6.0));
    let found = card(&cloud("--type gp2 --size 100 --json"));
    assert_eq!(found["limits"]["volume"]["burst"]["seconds"].as_f64(), Some(2000.0));
    assert_eq!(found["limits"]["honest_seconds"].as_f64(), Some(2000.0));
}

#[test]
fn every_listed_type_can_be_asked_for() {
    let listed = card(&cloud("--list --json"));
    let rows = listed.as_array().unwrap();
    assert!(rows.len() > 50, "{} types", rows.len());
    for row in rows {
        let (provider, kind) = (row["provider"].as_str().unwrap(), row["type"].as_str().unwrap());
        let size = row["least"].as_f64().unwrap().max(100.0);
        let ran = cloud(&format!("--provider {provider} --type {kind} --size {size}"));
        let refused = ran.code == Some(2) && ran.stderr.lines().count() == 1;
        // Types that need an order, and those without figures.
        let why = ["needs --iops", "needs --throughput", "no figures"];
        assert!(ran.code == Some(0) || refused && why.iter().any(|w| ran.stderr.contains(w)), "{ran:#?}");
        let unconfirmed = row["mark"] == "K" && ran.code == Some(0);
        assert!(!unconfirmed || ran.stdout.contains("unconfirmed"), "{ran:#?}");
    }
}

/// Wrong input: one line that says what would be right.
#[test]
fn wrong_use_is_one_clear_line() {
    let sandbox = Sandbox::new().unwrap();
    for (args, status, says) in [
        ("--type gp33", 2, "did you mean gp3"),
        ("--provider awss --type gp3", 2, "did you mean aws"),
        ("--provider nowhere --type gp3", 2, "azure"),
        ("--type premium --size 100", 2, "azure, tencent"),
        ("--type gp2", 2, "--size"),
        ("--type gp2 --size 20000", 2, "1 to 16384 GiB"),
        ("--type gp2 --size 100 --iops 3000", 2, "gp3"),
        ("--type gp3 --size 10 --iops 6000", 2, "3000 to 5000"),
        ("--type gp3 --size 100 --throughput 1000", 2, "125 to 750 MiB/s"),
        ("--type io2 --size 100", 2, "100 to 100000"),
        ("--type gp3 --instance m5.lage", 2, "m5.large"),
        ("--type P30 --instance D4s_v5", 2, "D8s_v3, DS3_v2, L8s_v2"),
        ("--type gp3 --instance z9.huge", 2, "m5.large..24xlarge"),
        (
            "--type P20 --size 100",
            2,
            "--type P20 is a disk of 257 to 512 GiB, and --size 100 is one of type P10",
        ),
        ("--type network-hdd", 2, "no figures"),
        ("--type gp3 --size 0", 2, "above 0"),
        ("--type gp3 --volumes 0", 2, "1..=128"),
        ("--list --type gp3", 2, "--type"),
        ("nowhere --type gp3", 1, "nowhere"),
    ] {
        let mut command = fathom();
        command.arg("cloud").args(args.split_whitespace()).current_dir(sandbox.path());
        let ran = run(&mut command, LIMIT).unwrap();
        assert_eq!(ran.code, Some(status), "{args}: {ran:#?}");
        assert!(ran.stderr.contains(says) && ran.stdout.is_empty(), "{args}: {ran:#?}");
    }
}

#[test]
fn lower_limit_of_volume_and_instance_is_named() {
    let text = cloud("--provider aws --type gp3 --size 500GB --iops 6000 --instance m5.large");
    // The volume caps the burst of the instance.
    let sentence = "the instance binds: of the volume's limits, m5.large allows 3600 of 6000 IOPS \
                    (all 6000 for up to 30 min: its burst is 18750), 77.49 of 125 MiB/s (all 125 for";
    let joined = text.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.code == Some(0) && joined.contains(sentence), "{text:#?}");
    assert!(
        text.stdout.lines().any(|line| line.starts_with("instance, burst") && line.ends_with("unconfirmed"))
    );
    // Throughput binds at every block size, so no depth reaches the IOPS limit.
    let st1 = cloud("--type st1 --size 500 --instance m5.large --volumes 2").stdout;
    assert!(st1.contains("throughput of the volume") && !st1.contains("IOPS limit"), "{st1}");
    let one = cloud("--type gp3 --size 500 --iops 6000 --instance m5.large --volumes 2").stdout;
    assert!(one.contains("from 1 volume on") && one.matches("binds:").count() == 1, "{one}");
    let found = card(&cloud("--provider aws --type gp3 --size 0.5T --iops 6000 --instance m5.large --json"));
    assert_eq!(found["comparisons"][0]["instance_binds"].as_bool(), Some(true), "{found:#?}");
    assert_eq!(found["limits"]["volume"]["size"].as_f64(), Some(512.0), "{found:#?}");
}

#[test]
fn device_that_fails_has_grade_x_and_status_1() {
    skip_without!(Need::Loop, Need::Root);
    let (device, _backing) = failing_device(0);
    let ran = cloud(&format!("{} {GP3} --seconds 5 --json --no-store", device.path().display()));
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let card = card(&ran);
    assert_eq!((&card["grade"], &card["verdict"]), (&"X".into(), &"not_sure".into()), "{card}");
    assert_eq!(card["checks"].as_array().map(Vec::len), Some(0), "{card}");
}
