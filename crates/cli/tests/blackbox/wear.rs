//! `--wear-budget`: no command writes more than it permits. The witness is what the kernel counted on the device.

use crate::common::{document, fathom, words};
use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, run};
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(120);
const MIB: u64 = 1 << 20;

/// A blank device, and a directory for the state of the program.
struct Bench {
    device: LoopDevice,
    /// Sectors written by earlier users of the device's number.
    before: u64,
    home: Sandbox,
}

impl Bench {
    fn new() -> Self {
        let device = LoopDevice::in_memory(64 * MIB, false, None).unwrap();
        Bench { before: device.stats().unwrap().write_sectors, device, home: Sandbox::new().unwrap() }
    }

    /// Runs `program` with `args`, in which `DEVICE` stands for the path of the device.
    fn run(&self, mut program: Command, args: &str) -> Ran {
        let args = args.replace("DEVICE", self.device.path().to_str().unwrap());
        program.args(words(&args)).current_dir(self.home.path());
        program
            .env("LC_ALL", "C")
            .env("XDG_DATA_HOME", self.home.path())
            .env("XDG_STATE_HOME", self.home.path());
        run(&mut program, LIMIT).unwrap()
    }

    fn ours(&self, args: &str) -> Ran {
        self.run(Command::new(env!("CARGO_BIN_EXE_fathom")), args)
    }

    /// Bytes written to the device.
    fn written(&self) -> u64 {
        (self.device.stats().unwrap().write_sectors - self.before) * 512
    }
}

#[track_caller]
fn refused(ran: &Ran, needles: &[&str]) {
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:#?}");
    assert!(needles.iter().all(|needle| ran.stderr.contains(needle)), "{needles:?}: {ran:#?}");
}

const WRITES: &str = "--name=w --filename=DEVICE --rw=write --bs=64k --size=16m --direct=1";

/// A plan of known size above the budget does not begin, in both dialects; one of the same size as the budget does.
#[test]
fn plan_above_the_budget_is_refused_and_writes_nothing() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    for more in ["--wear-budget=16777215", "--wear-budget=10m --numjobs=2 --size=6m", "--wear-budget=0"] {
        let needles = ["refused: ", "would be written", "--wear-budget", "left", "raise"];
        refused(&bench.ours(&format!("run {WRITES} {more}")), &needles);
        refused(&bench.run(fathom(), &format!("{WRITES} {more}")), &needles);
    }
    refused(&bench.ours(&format!("run {WRITES} --wear-budget=1%")), &["endurance", "needs bytes", "10G"]);
    assert_eq!(bench.written(), 0);
    let exact = bench.ours(&format!("run {WRITES} --wear-budget=16m"));
    assert_eq!(exact.code, Some(0), "{exact:#?}");
    assert_eq!(bench.written(), 16 * MIB);
    for value in ["1.5G", "0%", "101%", "much", ""] {
        let ran = bench.ours(&format!("run {WRITES} --wear-budget={value}"));
        assert_eq!((ran.code, ran.stderr.contains("--wear-budget")), (Some(1), true), "{value}: {ran:#?}");
    }
    assert_eq!(bench.written(), 16 * MIB);
}

/// A run whose volume only time limits ends at the budget, whatever writes: engines, depths, clones, mixes, phases.
#[test]
fn timed_run_ends_within_the_budget() {
    skip_without!(Need::Loop);
    for (options, least) in [
        ("--rw=randwrite --bs=4k --ioengine=psync", 8 * MIB),
        ("--rw=randwrite --bs=4k --iodepth=32 --ioengine=io_uring", 8 * MIB),
        ("--rw=write --bs=64k --iodepth=8 --ioengine=libaio --numjobs=4 --size=16m", 8 * MIB - 4 * 65536),
        ("--rw=randrw --rwmixread=30 --bsrange=4k-64k --iodepth=4", 8 * MIB - 65536),
        ("--rw=write --bs=1m --fsync=4 --ramp_time=1", 8 * MIB),
        ("--rw=randwrite --bs=4k --name=r --rw=randread --name=s --stonewall --rw=write", 8 * MIB - 4096),
    ] {
        let bench = Bench::new();
        let args = format!(
            "run --json --no-store --filename=DEVICE --direct=1 --runtime=100 --time_based --wear-budget=8m --name=w {options}"
        );
        let began = Instant::now();
        let ran = bench.ours(&args);
        assert_eq!(ran.code, Some(0), "{options}: {ran:#?}");
        assert!(began.elapsed() < Duration::from_secs(60), "{options}: not ended by the budget");
        let written = bench.written();
        assert!((least..=8 * MIB).contains(&written), "{options}: {written}");
        let notes = document(&ran)["fathom"]["notes"].to_string();
        assert!(notes.contains("--wear-budget of 8.0 MiB"), "{options}: {notes}");
        assert!(ran.stderr.contains("(no flash known, no wear)"), "{options}: {}", ran.stderr);
        assert!(ran.stderr.contains("the run ended early"), "{options}: {}", ran.stderr);
    }
}

/// Without a budget, neither dialect says anything about a device without flash, and fio's report stays fio's.
#[test]
fn standard_error_without_flash_or_budget_is_empty() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    for ran in [bench.ours(&format!("run --no-store {WRITES}")), bench.run(fathom(), WRITES)] {
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    }
    let ran = bench
        .run(fathom(), &format!("{WRITES} --runtime=60 --time_based --wear-budget=4m --output-format=json"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(document(&ran)["jobs"][0]["write"]["io_bytes"], 4 * MIB);
}

/// The file of a job that reads is written before it, which the budget includes.
#[test]
fn layout_above_the_budget_is_refused() {
    let bench = Sandbox::new().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_fathom"));
    program.args(words("run --no-store --name=r --rw=randread --size=8m --bs=4k --wear-budget=8388607"));
    let ran = run(program.current_dir(bench.path()), LIMIT).unwrap();
    refused(&ran, &["8.0 MiB (8388608 bytes) would be written"]);
    assert_eq!(std::fs::read_dir(bench.path()).unwrap().count(), 0);
}

#[test]
fn prefill_above_the_budget_is_refused_and_writes_nothing() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let args = "prefill DEVICE --allow-destroy=DEVICE --json --wear-budget";
    refused(
        &bench.ours(&format!("{args}=67108863")),
        &["64.0 MiB (67108864 bytes) would be written", "raise"],
    );
    assert_eq!(bench.written(), 0);
    let ran = bench.ours(&format!("{args}=64m"));
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(bench.written(), 64 * MIB);
    assert!(ran.stderr.contains("writes 67.1 MB (no flash known, no wear)"), "{ran:#?}");
    // A file is refused before the question.
    let file = bench.home.sparse("f", 4 * MIB).unwrap();
    refused(&bench.ours(&format!("prefill {} --wear-budget=1m", file.display())), &["4.0 MiB", "1.0 MiB"]);
    assert_eq!(facts::extents::missing(std::fs::File::open(&file).unwrap(), 4 * MIB).unwrap().holes, 4 * MIB);
}

/// Questions about writes stay without an answer when the budget is used up; questions about reads are answered.
#[test]
fn explore_keeps_to_the_budget_and_names_it() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let args = "explore DEVICE --allow-destroy=DEVICE --write --json --no-store --budget=20s --questions=depth \
                --patterns=4k-randwrite,4k-randread --wear-budget=3m";
    let ran = bench.ours(args);
    // On a busy machine the reads, too, may stay without an answer.
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    let written = bench.written();
    assert!((2 * MIB..=3 * MIB).contains(&written), "{written}");
    let study: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(study["asked"]["wear_budget"]["bytes"], 3 * MIB, "{}", study["asked"]);
    let open = study["unanswered"].to_string();
    assert!(open.contains("--wear-budget of 3.0 MiB"), "{open}");
    let answers = study["conclusions"].to_string();
    assert!(!answers.contains("randwrite"), "{answers}");
    // What the budget cut short is no point.
    let points = study["points"].to_string();
    assert!(points.contains("randread") && !points.contains("randwrite"), "{points}");
    // The scratch file alone is larger than the budget.
    let ran = bench.ours("explore . --json --no-store --budget=10s --wear-budget=1m");
    assert_eq!((ran.code, ran.stderr.contains("would be written to .")), (Some(3), true), "{ran:#?}");
}

/// A budget that permits no write at all is a refusal for every command, whenever it is noticed.
#[test]
fn budget_that_permits_no_write_is_a_refusal() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let consent = "DEVICE --write --allow-destroy=DEVICE --no-store --wear-budget=2k";
    for args in [
        "run --name=w --filename=DEVICE --rw=write --bs=64k --direct=1 --time_based --runtime=9 --no-store --wear-budget=2k"
            .to_owned(),
        format!("explore {consent} --patterns=4k-randwrite --questions=depth --budget=20s"),
        format!("sweep {consent} --rw=randwrite --iodepth=1 --numjobs=1 --bs=4k --runtime=1 --repeats=1 --table=iodepth"),
    ] {
        let ran = bench.ours(&args);
        assert_eq!((ran.code, bench.written()), (Some(3), 0), "{args}: {ran:#?}");
    }
}

#[test]
fn fit_keeps_to_the_budget_and_is_not_sure() {
    skip_without!(Need::Loop);
    let bench = Bench::new();
    let ran = bench.ours("fit etcd DEVICE --allow-destroy=DEVICE --seconds=20s --json --wear-budget=100k");
    assert_eq!(ran.code, Some(6), "{ran:#?}");
    assert!(bench.written() <= 100 << 10, "{}", bench.written());
    let card: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&card["budget_used"], &card["verdict"]), (&true.into(), &"not_sure".into()), "{card}");
    let ran = bench.ours("fit etcd DEVICE --allow-destroy=DEVICE --seconds=20s --wear-budget=100k");
    assert!(ran.stdout.contains("--wear-budget ended the writes"), "{ran:#?}");
}
