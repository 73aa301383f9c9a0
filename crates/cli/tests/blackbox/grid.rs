//! Seed 000's way, a grid of cells of five seconds in Debian's fio, against what `fathom explore` recommends.

use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child;
use testbed::{LoopDevice, Need, Sandbox, skip_without};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");

#[test]
#[ignore = "takes five minutes and a quiet machine: scripts/test --long"]
fn measures_recommended_load_is_near_the_best_cell_of_a_grid() {
    skip_without!(Need::Program("fio"), Need::Loop);
    let device = LoopDevice::in_memory(256 << 20, true, None).unwrap();
    let (path, sandbox) = (device.path().display().to_string(), Sandbox::new().unwrap());
    let cell = |depth: u64, jobs: u64| -> f64 {
        let mut fio = Command::new("fio");
        fio.args([
            "--name=cell",
            "--readonly",
            "--direct=1",
            "--ioengine=io_uring",
            "--rw=randread",
            "--bs=4k",
        ])
        .args(["--norandommap", "--runtime=5", "--time_based", "--group_reporting", "--output-format=json"])
        .args([
            format!("--filename={path}"),
            format!("--iodepth={depth}"),
            format!("--numjobs={jobs}"),
        ]);
        let ran = child::run(&mut fio, Duration::from_secs(60)).unwrap();
        let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
        report["jobs"][0]["read"]["iops"].as_f64().unwrap()
    };
    let job = sandbox.join("recommended.fio");
    let began = std::time::Instant::now();
    let mut explore = Command::new(FATHOM);
    explore
        .args([
            "explore",
            &path,
            "--patterns=4k-randread",
            "--questions=depth,jobs",
            "--budget=50",
            "--no-store",
        ])
        .arg(format!("--job={}", job.display()));
    let ran = child::run(&mut explore, Duration::from_secs(120)).unwrap();
    // Its list has 70 such cells for one pattern: a tenth of their time is 35 s a pattern and question.
    assert!(ran.code == Some(0) && began.elapsed() < Duration::from_secs(55), "{ran:?}");
    let text = std::fs::read_to_string(&job).unwrap();
    let option =
        |name: &str| text.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix('=')?.parse::<u64>().ok());
    let (depth, jobs) = (option("iodepth").unwrap(), option("numjobs").unwrap_or(1));
    let grid: Vec<(u64, u64)> =
        [1, 2, 4, 8, 16, 32, 64].into_iter().flat_map(|d| [1, 2, 4].map(|j| (d, j))).collect();
    let (best, _) = grid.iter().map(|c| (*c, cell(c.0, c.1))).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    // Both in turn: what the machine does meanwhile it does to both.
    let mut ratios: Vec<f64> = (0..5).map(|_| cell(depth, jobs) / cell(best.0, best.1)).collect();
    ratios.sort_by(f64::total_cmp);
    println!("recommended {depth}x{jobs}, best of the grid {best:?}: {ratios:.3?} of its rate");
    assert!(ratios[2] >= 0.97, "{depth}x{jobs} against {best:?}: {ratios:?}");
}
