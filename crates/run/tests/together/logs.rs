//! Laws of the logs, on simulated devices: nothing is lost, nothing is counted twice, and times are exact.

use facts::SysRoot;
use job::Dialect;
use job::files::NoFiles;
use run::consent::{Consent, Policy};
use run::prepare::Host;
use run::{Models, Setup, Silent};
use stats::note::NoteFact;
use stats::{JobOutcome, RunResult};
use std::path::Path;
use std::time::Duration;
use testbed::Sandbox;

/// Runs jobs on a simulated device with these options, and with all logs of the prefix `p` in `dir`.
fn run(dir: &Path, options: &str) -> RunResult {
    let p = dir.join("p");
    let log = |which: &str| format!("--write_{which}_log={}", p.display());
    let mut words = vec!["--name=a".to_owned(), "--ioengine=model".into(), "--size=64m".into()];
    words.extend(["bw", "iops", "lat", "hist"].map(log));
    words.extend(options.split_whitespace().map(str::to_owned));
    let words: Vec<_> = words.into_iter().map(Into::into).collect();
    let Ok(job::Parsed::Run(line)) = job::command_line(&words, "fio", Dialect::Run, &mut NoFiles) else {
        panic!("{options}");
    };
    let plan = job::plan(line.jobs, &mut Host).unwrap();
    let setup = Setup {
        root: SysRoot::machine(),
        consent: Consent::new(Policy::Own, Vec::new()),
        interrupt: Default::default(),
        all_histograms: true,
        inputs: Vec::new(),
        idleness: false,
        patience: Duration::from_secs(5),
        window: Duration::from_millis(20),
        models: Models::default(),
        allowance: None,
        gate: None,
    };
    run::run(&plan, &setup, &mut Silent).unwrap()
}

/// Returns the rows of the log `p_NAME.log`.
fn rows(dir: &Path, name: &str) -> Vec<Vec<u64>> {
    let text = std::fs::read_to_string(dir.join(format!("p_{name}.log"))).unwrap();
    text.lines().map(|line| line.split(", ").map(|column| column.parse().unwrap()).collect()).collect()
}

/// Returns the rows of one direction in the logs `p_NAME.N.log` of all clones.
fn of_direction(dir: &Path, name: &str, clones: usize, direction: u64) -> Vec<Vec<u64>> {
    let all = (1..=clones).flat_map(|n| rows(dir, &format!("{name}.{n}")));
    all.filter(|row| row[2] == direction).collect()
}

fn total(jobs: &[JobOutcome], of: impl Fn(&JobOutcome) -> u64) -> u64 {
    jobs.iter().map(of).sum()
}

/// A log of single I/Os has each I/O of the report once, with its bytes and latencies.
#[test]
fn log_of_single_ios_adds_up_to_the_report() {
    for (options, clones) in [
        ("--rw=randrw --bsrange=4k-16k --iodepth=8 --number_ios=5000 --model_law=exponential:100us", 1),
        (
            "--rw=randrw --numjobs=2 --runtime=300ms --time_based --ramp_time=100ms --iodepth=4 --model_servers=2",
            2,
        ),
        ("--rw=write --loops=3 --fsync=7 --size=8m --log_entries=2048", 1),
        ("--rw=randread --number_ios=3000 --unified_rw_reporting=mixed --group_reporting --iodepth=32", 1),
        ("--rw=trimwrite --number_ios=400", 1),
    ] {
        let sandbox = Sandbox::in_memory().unwrap();
        let result = run(sandbox.path(), options);
        for d in 0..3 {
            let of = |name| of_direction(sandbox.path(), name, clones, d as u64);
            let sum = |name, column: usize| of(name).iter().map(|row| row[column]).sum::<u64>();
            let ios = total(&result.jobs, |job| job.directions[d].ios);
            let bytes = total(&result.jobs, |job| job.directions[d].bytes);
            for name in ["bw", "iops", "clat", "lat", "slat"] {
                assert_eq!(of(name).len() as u64, ios, "{options}: {name} {d}");
                assert_eq!(sum(name, 3), bytes, "{options}: {name} {d}");
            }
            assert_eq!(sum("iops", 1), ios, "{options}");
            let latency = |which: fn(&stats::DirectionOutcome) -> u128| {
                result.jobs.iter().map(|job| which(&job.directions[d])).sum::<u128>()
            };
            assert_eq!(u128::from(sum("clat", 1)), latency(|d| d.clat.moments.sum), "{options} {d}");
            assert_eq!(u128::from(sum("lat", 1)), latency(|d| d.lat.moments.sum), "{options} {d}");
        }
    }
}

/// Rows of single I/Os have the columns that the options ask for, with exact values.
#[test]
fn rows_have_offset_issue_time_and_priority() {
    let sandbox = Sandbox::in_memory().unwrap();
    run(sandbox.path(), "--rw=read --size=64k --log_offset=1 --log_issue_time=1 --model_law=constant:2ms");
    for (n, row) in rows(sandbox.path(), "lat.1").iter().enumerate() {
        let n = n as u64;
        assert_eq!(*row, [2 * (n + 1), 2_000_000, 0, 4096, 4096 * n, 0, 2_000_000 * n]);
    }
}

/// Rows of intervals are at the multiples of the interval, one per direction, and their sums are the totals of the
/// report. A constant service time that divides the interval makes every value exact.
#[test]
fn rows_of_intervals_are_exact() {
    let sandbox = Sandbox::in_memory().unwrap();
    // 1 ms per I/O, and two I/Os in flight on two servers.
    let options = "--rw=randread --iodepth=2 --model_servers=2 --model_law=constant:1ms --number_ios=2050 \
                   --log_avg_msec=100 --log_hist_msec=200";
    let result = run(sandbox.path(), options);
    assert_eq!(result.jobs[0].directions[0].ios, 2050);
    let (bw, iops, lat) =
        (rows(sandbox.path(), "bw.1"), rows(sandbox.path(), "iops.1"), rows(sandbox.path(), "lat.1"));
    assert_eq!((bw.len(), iops.len(), lat.len()), (11, 11, 11));
    for (n, ((bw, iops), lat)) in bw.iter().zip(&iops).zip(&lat).enumerate() {
        // The last interval ends with the job.
        let ms = if n < 10 { 100 * (n as u64 + 1) } else { 1025 };
        assert_eq!(*bw, [ms, 8000, 0, 0, 0]);
        assert_eq!(*iops, [ms, 2000, 0, 0, 0]);
        assert_eq!(*lat, [ms, 1_000_000, 0, 0, 0]);
    }
    let histograms = rows(sandbox.path(), "clat_hist.1");
    let counts: Vec<(u64, u64)> = histograms.iter().map(|row| (row[0], row[3..].iter().sum())).collect();
    assert_eq!(counts, [(200, 400), (400, 400), (600, 400), (800, 400), (1000, 400), (1025, 50)]);
    assert!(histograms.iter().all(|row| row.len() == 3 + 1856));
}

/// While the device stalls, each interval has its row with 0, and the I/O that waits for the end of the stall is in the
/// interval in which it completes.
#[test]
fn stall_has_a_row_per_interval() {
    let sandbox = Sandbox::in_memory().unwrap();
    // The device serves for 250 ms, and then nothing for 750 ms.
    let options = "--rw=randread --model_law=constant:1ms --model_stall=1s:750ms --runtime=1070ms --time_based \
                   --log_avg_msec=100 --log_hist_msec=50";
    let result = run(sandbox.path(), options);
    assert_eq!(result.jobs[0].directions[0].ios, 320);
    let iops: Vec<(u64, u64)> = rows(sandbox.path(), "iops.1").iter().map(|row| (row[0], row[1])).collect();
    let idle = (4..=10).map(|n| (100 * n, 0));
    let expected = [(100, 1000), (200, 1000), (300, 500)].into_iter().chain(idle).chain([(1070, 1000)]);
    assert_eq!(iops, expected.collect::<Vec<_>>());
    let lat: Vec<(u64, u64)> = rows(sandbox.path(), "lat.1").iter().map(|row| (row[0], row[1])).collect();
    // One I/O of 70 took 751 ms.
    let last = (751_000_000 + 69 * 1_000_000) / 70;
    assert_eq!(lat, [(100, 1_000_000), (200, 1_000_000), (300, 1_000_000), (1070, last)]);
    let counts = rows(sandbox.path(), "clat_hist.1");
    let counts: Vec<(u64, u64)> = counts.iter().map(|row| (row[0], row[3..].iter().sum())).collect();
    assert_eq!(counts, [(50, 50), (100, 50), (150, 50), (200, 50), (250, 50), (1050, 50), (1070, 20)]);
}

fn of_histograms(dir: &Path, direction: u64) -> u64 {
    let rows = rows(dir, "clat_hist.1");
    rows.iter().filter(|row| row[1] == direction).map(|row| row[3..].iter().sum::<u64>()).sum()
}

/// The last I/Os of a job that ends just after an interval do not get a second row with the same time, and no row is
/// lost: with a random service time and several jobs, times ascend, and sums agree within the rounding of each row.
#[test]
fn times_ascend_and_sums_agree_whatever_the_end() {
    for number in [1, 99, 100, 101, 997, 1000, 1001, 4003] {
        let sandbox = Sandbox::in_memory().unwrap();
        let options = format!(
            "--rw=randrw --iodepth=8 --model_law=exponential:300us --number_ios={number} --log_avg_msec=3 --log_hist_msec={}",
            if number % 2 == 0 { 3 } else { 7 }
        );
        let result = run(sandbox.path(), &options);
        for d in 0..2 {
            let rows = of_direction(sandbox.path(), "iops", 1, d);
            let times: Vec<u64> = rows.iter().map(|row| row[0]).collect();
            assert!(times.windows(2).all(|w| w[0] < w[1]), "{number}: {times:?}");
            assert!(times.iter().rev().skip(1).all(|ms| ms % 3 == 0), "{number}: {times:?}");
            assert_eq!(of_histograms(sandbox.path(), d), result.jobs[0].directions[d as usize].ios);
        }
    }
}

#[test]
fn largest_latency_of_all_rows_is_that_of_the_report() {
    for (values, column) in [("max", 1), ("both", 2)] {
        let sandbox = Sandbox::in_memory().unwrap();
        let options = format!(
            "--rw=randread --iodepth=4 --model_law=exponential:200us --number_ios=5000 --log_avg_msec=10 --log_window_value={values}"
        );
        let result = run(sandbox.path(), &options);
        let read = &result.jobs[0].directions[0];
        for (name, most) in [("clat.1", read.clat.moments.max()), ("lat.1", read.lat.moments.max())] {
            assert_eq!(rows(sandbox.path(), name).iter().map(|row| row[column]).max(), Some(most));
        }
    }
}

/// Intervals of which most have no I/O are the subject of a note; logs with enough I/Os are not.
#[test]
fn interval_shorter_than_an_io_has_a_note() {
    for (ms, noted) in [(1, true), (20, false)] {
        let sandbox = Sandbox::in_memory().unwrap();
        let options = format!("--rw=randread --model_law=constant:5ms --number_ios=100 --log_avg_msec={ms}");
        let result = run(sandbox.path(), &options);
        let notes = result.notes.iter().filter(|note| matches!(note.fact, NoteFact::LogIntervalShort { .. }));
        assert_eq!(notes.count(), usize::from(noted), "{ms}");
    }
}

/// A writer that is slower than the job makes the job wait, and no I/O is lost.
#[test]
fn slow_writer_loses_nothing() {
    let sandbox = Sandbox::in_memory().unwrap();
    let pipe = sandbox.path().join("p_iops.1.log");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let read = std::thread::spawn(move || {
        use std::io::Read as _;
        let mut pipe = std::fs::File::open(pipe).unwrap();
        std::thread::sleep(Duration::from_millis(400));
        let mut text = String::new();
        pipe.read_to_string(&mut text).unwrap();
        text.lines().count()
    });
    let result = run(sandbox.path(), "--rw=randread --number_ios=16000");
    assert_eq!(read.join().unwrap(), 16000);
    let waits = |note: &stats::Note| matches!(note.fact, NoteFact::LogWaits { waits, .. } if waits > 0);
    assert!(result.notes.iter().any(waits), "{:?}", result.notes);
}

#[test]
fn log_that_cannot_be_written_fails_its_job() {
    let sandbox = Sandbox::in_memory().unwrap();
    std::os::unix::fs::symlink("/dev/full", sandbox.path().join("p_bw.1.log")).unwrap();
    let result = run(sandbox.path(), "--rw=randread --number_ios=200");
    let error = result.jobs[0].error.as_ref().unwrap();
    assert_eq!((error.errno, error.function.starts_with("write(")), (28, true));
    // The other logs are complete.
    assert_eq!(rows(sandbox.path(), "iops.1").len(), 200);
}
