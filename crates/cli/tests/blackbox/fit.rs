//! `fathom fit` on disks whose flush times are known.

use crate::common::{draws, fresh_seed, side_by_side};
use serde_json::Value;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use testbed::child::{Ran, run};
use testbed::fuse::{FuseDisk, Law, Model};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(200);

fn fathom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C");
    command
}

/// Runs `fathom fit` with `args` on a disk whose flushes take `flush`.
fn fit(flush: Law, args: &str, seed: u64) -> Ran {
    let disk = FuseDisk::new(Model { flush, seed, servers: 8, ..Model::default() }).unwrap();
    let mut command = fathom();
    let (profile, rest) = args.split_once(' ').unwrap_or((args, ""));
    command.args(["fit", profile]).arg(disk.path()).arg("--allow-destroy").arg(disk.path());
    run(command.args(rest.split_whitespace()).arg("--json"), LIMIT).unwrap()
}

fn verdict(ran: &Ran) -> String {
    let card: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"));
    card["verdict"].as_str().unwrap().to_owned()
}

/// Flush times by which the criterion of a profile is met or missed by a tenth.
fn drawn(draw: &mut impl FnMut(usize) -> usize) -> (&'static str, Law, &'static str) {
    let good = draw(2) == 0;
    let factor = if good { 0.9 } else { 1.1 };
    let of_p99 = |p99: f64, kind: usize| {
        let p99 = Duration::from_secs_f64(p99 * factor);
        match kind {
            0 => Law::Constant(p99),
            1 => Law::Exponential(p99.div_f64(100f64.ln())),
            2 => Law::Uniform(p99.div_f64(0.99)),
            _ => Law::Bimodal { fast: p99.mul_f64(0.2), slow: p99.mul_f64(1.02), slow_share: 0.02 },
        }
    };
    let kind = draw(4);
    // A write, with its way through the kernel, takes about 0.1 ms.
    let (args, flush) = match draw(3) {
        0 => ("etcd", of_p99(10e-3 - 0.1e-3, kind)),
        1 => ("etcd-backend", of_p99(12.5e-3 - 0.1e-3, kind)),
        _ => {
            let mean = Duration::from_secs_f64(0.7 / 140.0 * factor - 0.1e-3);
            let law = if kind.is_multiple_of(2) { Law::Constant(mean) } else { Law::Exponential(mean) };
            ("postgresql --commits 140", law)
        }
    };
    (args, flush, if good { "yes" } else { "no" })
}

fn verdicts(cases: usize) {
    skip_without!(Need::Fuse);
    let mut draw = draws(fresh_seed("fit"));
    let all: Vec<(u64, _)> = (0..cases).map(|case| (case as u64, drawn(&mut draw))).collect();
    let wrong = Mutex::new(Vec::new());
    let unsure = Mutex::new(0);
    side_by_side(&all, |(case, (args, flush, right))| {
        let ran = fit(*flush, args, *case);
        let found = verdict(&ran);
        match found == *right {
            true => {}
            false if found == "not_sure" => {
                let card: Value = serde_json::from_str(&ran.stdout).unwrap();
                println!("not sure: {args}, {flush:?}: {}", card["rows"]);
                *unsure.lock().unwrap() += 1;
            }
            false => wrong.lock().unwrap().push(format!("{args}, {flush:?}: {found} instead of {right}")),
        }
    });
    let (wrong, unsure) = (wrong.into_inner().unwrap(), unsure.into_inner().unwrap());
    println!("{cases} cases: {unsure} not sure, {} wrong: {wrong:?}", wrong.len());
    assert!((wrong.len() + unsure) * 20 <= cases.max(20), "{unsure} not sure; {wrong:#?}");
    assert!(wrong.len() * 50 <= cases.max(50), "{wrong:#?}");
}

#[test]
fn measures_verdicts_a_tenth_from_the_limit() {
    verdicts(3);
}

#[test]
#[ignore = "33 times as many as by default"]
fn measures_many_verdicts_a_tenth_from_the_limit() {
    verdicts(100);
}

/// A disk whose flushes cost nothing meets every limit, and that is no yes.
#[test]
fn flushes_that_cost_nothing_are_suspicious() {
    let sandbox = Sandbox::in_memory().unwrap();
    let mut command = fathom();
    let ran = run(command.args(["fit", "etcd", "--seconds=1", "--json"]).current_dir(sandbox.path()), LIMIT)
        .unwrap();
    let card: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((card["verdict"].as_str(), ran.code), (Some("not_sure"), Some(6)), "{ran:#?}");
    assert!(card["suspicious"]["costs_nothing"]["p50_ns"].is_u64(), "{card:#}");
    skip_without!(Need::Fuse);
    let ran = fit(Law::Constant(Duration::ZERO), "etcd --seconds=1", 1);
    let card: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(verdict(&ran) == "not_sure" && card["suspicious"].is_object(), "{card:#}");
}

/// Wrong input: one line that says what would be right. Data of the user is refused.
#[test]
fn wrong_use_is_one_clear_line() {
    let sandbox = Sandbox::new().unwrap();
    let config = sandbox.join("config/fathom/fit");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("mine.toml"), "system = \"Mine\"\n[[job]]\nname = 1\n").unwrap();
    let file = sandbox.join("data");
    std::fs::write(&file, vec![b'x'; 4 << 20]).unwrap();
    for (args, status, says) in [
        (vec!["etdc"], 2, "did you mean etcd"),
        (vec!["etcd", ".", "--scale=3"], 2, "no size"),
        (vec!["postgresql", ".", "--scale=0"], 2, "above 0"),
        (vec!["mine", "."], 2, "mine.toml"),
        (vec!["etcd", "nowhere"], 1, "nowhere"),
        (vec!["etcd", "data"], 3, "data"),
    ] {
        let mut command = fathom();
        command
            .arg("fit")
            .args(&args)
            .current_dir(sandbox.path())
            .env("XDG_CONFIG_HOME", sandbox.join("config"));
        let ran = run(&mut command, LIMIT).unwrap();
        assert_eq!(ran.code, Some(status), "{args:?}: {ran:#?}");
        assert!(ran.stderr.contains(says) && ran.stdout.is_empty(), "{args:?}: {ran:#?}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), vec![b'x'; 4 << 20]);
}

/// The figure of etcd is that of fio's job on the same disk, within 5 %.
#[test]
fn measures_etcd_as_fio_does() {
    skip_without!(Need::Fuse, Need::Program("fio"));
    let mut draw = draws(fresh_seed("fit fio"));
    for _ in 0..2 {
        let longest = Duration::from_micros(3000 + draw(5000) as u64);
        let flush = if draw(2) == 0 { Law::Uniform(longest) } else { Law::Constant(longest) };
        let disk = FuseDisk::new(Model { flush, servers: 8, ..Model::default() }).unwrap();
        let mut command = fathom();
        command.args(["fit", "etcd"]).arg(disk.path()).arg("--allow-destroy").arg(disk.path());
        let ours = run(command.args(["--json", "--seconds=24"]), LIMIT).unwrap();
        let card: Value = serde_json::from_str(&ours.stdout).unwrap_or_else(|e| panic!("{e}: {ours:#?}"));
        let rows = card["rows"].as_array().unwrap();
        let of_sync = |row: &&Value| row["figure"].to_string().contains("sync");
        let ours_ns = rows.iter().find(of_sync).unwrap()["measured"]["value"].as_f64().unwrap();
        let mut command = Command::new("fio");
        command.arg(format!("--filename={}", disk.path().display())).args([
            "--name=wal",
            "--rw=write",
            "--bs=2300",
            "--fdatasync=1",
            "--size=60m",
            "--runtime=12",
            "--time_based",
            "--output-format=json",
        ]);
        let fios = run(&mut command, LIMIT).unwrap();
        let document: Value = serde_json::from_str(&fios.stdout).unwrap();
        let fio_ns = document["jobs"][0]["sync"]["lat_ns"]["percentile"]["99.000000"].as_f64().unwrap();
        let ratio = ours_ns / fio_ns;
        assert!((0.95..1.05).contains(&ratio), "{flush:?}: {ours_ns} ns, fio {fio_ns} ns\n{card:#}");
    }
}
