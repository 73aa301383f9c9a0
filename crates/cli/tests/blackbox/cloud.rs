//! `fathom cloud` on a loop device that the kernel limits like a volume.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::{Cap, CappedLoop, Cgroup, LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);
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

/// Runs `fathom cloud` with `args` on a device that is limited to `iops` and `mib` MiB/s.
fn on_capped(iops: u64, mib: u64, args: &str) -> Ran {
    let device = LoopDevice::in_memory(32 << 20, true, None).unwrap();
    let cgroup = Cgroup::new().unwrap();
    for cap in [Cap::ReadIops(iops), Cap::ReadBytes(mib << 20)] {
        cgroup.limit(&device.number().unwrap(), cap).unwrap();
    }
    let capped = CappedLoop { device, cgroup };
    let mut command = capped.command(Path::new(env!("CARGO_BIN_EXE_fathom"))).unwrap();
    command.env("LC_ALL", "C").arg("cloud").arg(capped.device.path()).args(args.split_whitespace());
    run(&mut command, LIMIT).unwrap()
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
        ("--type network-hdd", 2, "no figures"),
        ("--type gp3 --size 0", 2, "above 0"),
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
