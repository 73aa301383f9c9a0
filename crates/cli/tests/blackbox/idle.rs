//! `--idle-prof`: how idle the CPUs were, against what else the kernel says.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::time::{Duration, Instant};
use testbed::Sandbox;
use testbed::child::{Ran, run};

const LIMIT: Duration = Duration::from_secs(30);

fn ran(args: &str) -> Ran {
    let sandbox = Sandbox::new().unwrap();
    run(fathom().args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap()
}

fn idleness(args: &str) -> Value {
    let ran = ran(&format!("{args} --output-format=json"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args}: {ran:?}");
    document(&ran)["cpu_idleness"].clone()
}

/// Seconds that all CPUs together had nothing to run and waited for no disk, by /proc/uptime.
fn idle_seconds() -> f64 {
    std::fs::read_to_string("/proc/uptime").unwrap().split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn measures_idle_cpus_are_those_of_the_kernel_counters() {
    let cpus = std::thread::available_parallelism().unwrap().get() as f64;
    let (before, began) = (idle_seconds(), Instant::now());
    let busy = idleness(
        "--idle-prof=percpu --name=b --ioengine=cpuio --cpuload=100 --cpus_allowed=0 --runtime=3 --time_based",
    );
    let share = 100.0 * (idle_seconds() - before) / began.elapsed().as_secs_f64() / cpus;
    let percent = |key: &str| busy[key].as_f64().unwrap();
    assert!(percent("cpu-0") < 10.0, "{busy}");
    // Reading the answer and starting the program belong to one of the two only.
    assert!((percent("system") - share).abs() < 15.0, "{busy} and {share}");
    let each = busy.as_object().unwrap().iter().filter(|(key, _)| key.starts_with("cpu-"));
    let each: Vec<f64> = each.map(|(_, value)| value.as_f64().unwrap()).collect();
    assert_eq!(each.len() as f64, cpus);
    assert!((percent("system") - each.iter().sum::<f64>() / cpus).abs() < 1e-3, "{busy}");
    assert!(percent("unit_mean") > 1.0 && percent("unit_mean") < 10_000.0, "{busy}");
    // Who does nothing leaves the machine to others.
    let (before, began) = (idle_seconds(), Instant::now());
    let rest = idleness("--idle-prof=system --name=r --ioengine=null --size=4k --startdelay=2");
    let share = 100.0 * (idle_seconds() - before) / began.elapsed().as_secs_f64() / cpus;
    assert!((rest["system"].as_f64().unwrap() - share).abs() < 15.0, "{rest} and {share}");
    assert!(rest.get("cpu-0").is_none(), "{rest}");
}

#[test]
fn it_is_told_where_it_is_asked_for() {
    let line = |ran: &Ran, from: &str| ran.stdout.lines().any(|line| line.starts_with(from));
    let job = "--name=a --ioengine=null --size=4k";
    for (how, percpu) in [("system", false), ("percpu", true)] {
        let ran = ran(&format!("{job} --idle-prof={how}"));
        assert!(ran.stdout.contains("\n\nCPU idleness:\n  system: "), "{ran:?}");
        assert!(line(&ran, "  unit work: mean=") && line(&ran, "  percpu: ") == percpu, "{ran:?}");
    }
    assert!(!ran(job).stdout.contains("idle"));
    let calibrated = ran(&format!("{job} --idle-prof=calibrate"));
    assert!(calibrated.stdout.starts_with("CPU idleness:\n  unit work: mean="), "{calibrated:?}");
    assert!(calibrated.code == Some(0) && calibrated.stdout.lines().count() == 2, "{calibrated:?}");
    let wrong = ran(&format!("{job} --idle-prof=foo"));
    assert_eq!(wrong.code, Some(1));
    assert_eq!(
        wrong.stderr,
        "fio: incorrect idle-prof option: foo\ncommand line: --idle-prof=foo: must be system, percpu or calibrate\n"
    );
}
