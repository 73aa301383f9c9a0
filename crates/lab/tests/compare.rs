//! What was measured, compared, on simulated devices: equal ones are told apart no more often than is said, unequal ones
//! are.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use lab::target::{JobContext, Target};
use run::{Notice, Watch};
use stats::comparison::compare;
use stats::study::Verdict;
use stats::{Direction, Live, Measured, Metric, MetricRow, RunResult, Side};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

struct Quiet;

impl Watch for Quiet {
    fn notice(&mut self, _: Notice) {}
    fn look(&mut self, _: &Live) {}
}

/// A run of a job on a simulated device.
fn measure(device: &str, seed: u64, options: &str) -> RunResult {
    let mut context =
        JobContext::here(Arc::new(AtomicUsize::new(0)), Duration::from_secs(30), ToString::to_string);
    context.window = Duration::from_millis(50);
    let target = Target::open(format!("model:{device}").as_ref(), &context.root).unwrap();
    let mut all = vec!["--time_based".to_string(), "--norandommap".into(), format!("--randseed={seed}")];
    all.extend(options.split_whitespace().map(String::from));
    let result = target.job("load", &context, &all, &mut Quiet).unwrap();
    assert!(result.jobs.iter().all(|job| job.error.is_none()), "{device}");
    result
}

#[test]
fn a_run_as_a_load_says_what_was_asked_and_what_came_out() {
    let device = "servers=8;law=exponential:1ms";
    let run = measure(
        device,
        1,
        "--rw=randrw --rwmixread=70 --bs=8k --iodepth=8 --numjobs=2 --group_reporting --runtime=10",
    );
    let [load]: [Measured; 1] = Measured::of_run("R7", &run).try_into().unwrap();
    assert_eq!((load.source.as_str(), load.name.as_str()), ("R7", "load"));
    assert_eq!((load.access.rw.as_str(), load.access.bs, load.access.reads), ("randrw", 8192, Some(70)));
    assert_eq!((load.depth, load.jobs, load.seconds.round()), (8, 2, 10.0));
    let c = &load.conditions;
    assert_eq!((c.engine.as_deref(), c.direct), (Some("model"), None));
    assert_eq!(c.kernel, std::fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|t| t.trim().into()));
    assert!(!c.host.is_empty());
    let [reads, writes] = load.flows.as_slice() else { panic!("{:?}", load.flows) };
    assert_eq!((reads.direction, writes.direction), (Direction::Read, Direction::Write));
    // 8000 a second, seven of ten are reads.
    for (flow, truth) in [(reads, 5600.0), (writes, 2400.0)] {
        assert!((flow.iops.value / truth - 1.0).abs() < 0.03 && flow.iops.is_known(), "{:?}", flow.iops);
        assert_eq!(flow.bytes, flow.ios * 8192);
        let lat = flow.latency().unwrap();
        assert_eq!(lat.n, flow.ios);
        let median = lat.quantiles.iter().find(|q| q.percent == 50.0).unwrap();
        let [low, high] = median.between.unwrap();
        assert!(low <= median.ns && median.ns <= high && high < 1.1 * low, "{median:?}");
    }
    assert_eq!(load.series.as_ref().map(|s| s.windows.len() > 100), Some(true));
    // The clones of a job are one load, whether the report adds them up or not.
    let apart = measure(device, 1, "--rw=randread --bs=4k --iodepth=8 --numjobs=2 --runtime=2");
    assert_eq!(apart.entries().len(), 2);
    let [both]: [Measured; 1] = Measured::of_run("R8", &apart).try_into().unwrap();
    assert_eq!((both.jobs, both.flows[0].ios), (2, apart.jobs.iter().map(|j| j.ios()).sum()));
    assert!(both.flows[0].iops.is_known());
    // Held to a rate, the rate says nothing of how the latencies go together.
    let paced = measure(device, 1, "--rw=randread --bs=4k --iodepth=8 --rate_iops=1000 --runtime=5");
    let [paced]: [Measured; 1] = Measured::of_run("R9", &paced).try_into().unwrap();
    assert!(paced.conditions.paced && paced.flows[0].iops.is_known());
    assert!(paced.flows[0].latency().unwrap().quantiles.iter().all(|q| q.between.is_none()));
}

const SEED: u64 = 20_261_123;

fn side(name: &str, device: &str, seed: u64, options: &str) -> Side {
    Side { name: name.into(), loads: Measured::of_run(name, &measure(device, seed, options)) }
}

/// What so many pairs of runs on two devices say.
#[derive(Debug, Default)]
struct Said {
    /// Some metric of speed is told apart, and by so much that it matters.
    differ: usize,
    /// The interval of some ratio leaves out 1, however near.
    apart: usize,
    /// The rate is said to be the same.
    rate_same: usize,
    /// The median is.
    median_same: usize,
}

fn pairs(n: u64, devices: [&str; 2], options: &str) -> Said {
    let mut said = Said::default();
    for pair in 0..n {
        let seed = SEED + 2 * pair;
        let sides = [side("A", devices[0], seed, options), side("B", devices[1], seed + 1, options)];
        let found = compare(&sides[0], &sides[1], false);
        // The rate and a percentile at least; the mean of one direction follows from the rate.
        assert!(found.rows.len() >= 5 && found.at_once >= 2, "{found:?}");
        let same =
            |metric: Metric| found.rows.iter().any(|r| r.metric == metric && r.verdict == Verdict::Same);
        said.differ += usize::from(matches!(found.verdict(), Verdict::More | Verdict::Less));
        said.apart += usize::from(found.rows.iter().any(MetricRow::is_apart));
        said.rate_same += usize::from(same(Metric::Iops));
        said.median_same += usize::from(same(Metric::P50));
    }
    println!("seed {SEED}, {n} pairs, {} against {}, {options}: {said:?}", devices[0], devices[1]);
    said
}

#[test]
fn same_capped_device_is_equal_and_a_tenth_more_is_found() {
    let [low, high] =
        ["servers=512;law=exponential:1ms;iops=500", "servers=512;law=exponential:1ms;iops=550"];
    let options = "--rw=randread --bs=4k --iodepth=16 --runtime=20";
    let twice = pairs(100, [low, low], options);
    assert!(twice.differ <= 5 && twice.rate_same >= 95, "{twice:?}");
    let tenth = pairs(100, [low, high], options);
    assert!(tenth.differ >= 95 && tenth.rate_same == 0, "{tenth:?}");
}

/// Devices whose answers are anything but even: memoryless, queueing behind few servers, now and then a hundred times as
/// long, a head that seeks, a stall.
#[test]
fn equal_noisy_devices_differ_in_five_percent_of_pairs_at_most() {
    let devices = [
        ("servers=8;law=exponential:1ms", "--rw=randread --bs=4k --iodepth=1 --runtime=8"),
        ("servers=4;law=exponential:2ms", "--rw=randread --bs=4k --iodepth=32 --runtime=4"),
        ("servers=8;law=mixture:99/200us:1/20ms", "--rw=randrw --bs=4k --iodepth=8 --runtime=4"),
        (
            "servers=1;law=constant:100us;disk=16ms:8300us:32:1t",
            "--rw=randread --bs=4k --iodepth=4 --runtime=30",
        ),
        ("servers=16;law=exponential:1ms;stall=1s:100ms", "--rw=randread --bs=4k --iodepth=16 --runtime=10"),
    ];
    std::thread::scope(|scope| {
        for (device, options) in devices {
            scope.spawn(move || {
                let said = pairs(100, [device, device], options);
                assert!(said.differ <= 5 && said.apart <= 10, "{device}: {said:?}");
            });
        }
    });
}
