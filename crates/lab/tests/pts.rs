//! `fathom pts` on simulated devices in virtual time: steady state at the round at which the law of the device has it,
//! and the figures of that law, which is computed here from the options of the device.
#![allow(clippy::unwrap_used)]

mod quiet;

use lab::pts::purge::PurgeChoice;
use lab::pts::{PtsBench, PtsJournal, begin};
use lab::target::JobContext;
use quiet::Quiet;
use stats::pts::{
    PtsAsked, PtsBlock, PtsClass, PtsEvent, PtsLoad, PtsOperatingPoint, PtsPoint, PtsResult,
    PtsSaturationEnd, PtsStudy, PtsTest,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Keeps the steps, and asks for the end after a number of them.
struct Kept {
    points: Vec<PtsPoint>,
    most: usize,
    interrupt: Arc<AtomicUsize>,
}

impl PtsJournal for Kept {
    fn add(&mut self, point: &PtsPoint) -> bool {
        self.points.push(point.clone());
        if self.points.len() >= self.most {
            self.interrupt.store(2, Relaxed);
        }
        true
    }
}

fn asked(test: PtsTest, scale: u32) -> PtsAsked {
    let (threads, depth) = PtsClass::Enterprise.demand();
    PtsAsked {
        tests: vec![test],
        scale,
        active_range_percent: 100.0,
        threads,
        depth,
        purge: true,
        demand_block: 8192,
        demand_reads: 65,
        most_rounds: 25,
        early_percent: None,
        seed: 1,
        ..PtsAsked::default()
    }
}

/// Continues a study of which `points` are completed, for at most `most` steps.
fn continued(
    device: &str,
    asked: &PtsAsked,
    mut points: Vec<PtsPoint>,
    most: usize,
) -> (PtsStudy, Vec<PtsPoint>) {
    let interrupt = Arc::new(AtomicUsize::new(0));
    let context = JobContext::here(interrupt.clone(), Duration::from_secs(30), ToString::to_string);
    let name = format!("model:{device}");
    let (mut bench, described) = PtsBench::open(&name, PurgeChoice::Auto, context).unwrap();
    let mut kept = Kept { points: points.clone(), most, interrupt };
    bench.run(asked, &described, &mut points, &mut kept, &mut Quiet).unwrap();
    assert_eq!(kept.points, points);
    let mut study = begin(asked.clone(), described, "", 0);
    study.evaluate(&points);
    (study, points)
}

fn whole(device: &str, asked: &PtsAsked) -> PtsStudy {
    let (study, _) = continued(device, asked, Vec::new(), usize::MAX);
    assert!(study.complete);
    study
}

fn result(study: &PtsStudy) -> &PtsResult {
    &study.runs[0].result
}

#[track_caller]
fn within(value: f64, truth: f64, percent: f64, what: &str) {
    assert!((value / truth - 1.0).abs() <= percent / 100.0, "{what}: {value}, the device has {truth}");
}

#[test]
fn iops_are_those_of_the_servers_and_steady_at_round_five() {
    let study = whole("servers=4;law=constant:10ms;size=16m", &asked(PtsTest::Iops, 20));
    let PtsResult::Iops(matrix) = result(&study) else { panic!() };
    assert_eq!((matrix.steady.met_at, matrix.rounds.len(), matrix.cells.len()), (Some(5), 5, 56));
    assert_eq!((matrix.fill.len(), matrix.fill[0].bytes), (2, [0, 16 << 20]));
    for cell in &matrix.cells {
        within(cell.iops, 4.0 / 0.010, 2.0, "IOPS");
        // 128 in flight wait for four servers.
        within(cell.mean_ns, 128.0 / 400.0 * 1e9, 5.0, "latency");
    }
}

/// The device loses 60 % of its rate in the middle of the fourth round, after its reads: rounds four to eight are the
/// first whose writes are equal.
#[test]
fn a_step_delays_steady_state_until_five_rounds_after_it() {
    let asked = asked(PtsTest::Throughput, 1);
    let client = PtsAsked { class: PtsClass::Client, ..asked };
    // A fill of two passes of 12 blocks (75 % of the device), 20 ms each, then rounds of 120 s.
    let at = ((2.0 * 12.0 * 0.020 + 3.5 * 120.0) * 1e3) as u64;
    let study = whole(&format!("servers=1;law=constant:20ms;size=16m;step={at}ms:0.4"), &client);
    let PtsResult::Throughput(parts) = result(&study) else { panic!() };
    let matrix = &parts[0].matrix;
    assert_eq!(
        (parts.len(), parts[0].block, matrix.steady.met_at),
        (1, 1 << 20, Some(8)),
        "{:?}",
        matrix.steady
    );
    let fast = f64::from(1 << 20) / 0.020;
    // The window holds the reads of the fourth round, which were fast.
    within(matrix.cells[0].bytes_per_second, (fast + 4.0 * 0.4 * fast) / 5.0, 2.0, "reads");
    within(matrix.cells[1].bytes_per_second, 0.4 * fast, 2.0, "writes");
    let [tracked] = &matrix.steady.variables[..] else { panic!("{:?}", matrix.steady) };
    let written: Vec<f64> = matrix.rounds.iter().map(|round| round.samples[1].bytes_per_second).collect();
    assert_eq!((tracked.load.reads, &tracked.values), (0, &written));
}

#[test]
fn latency_is_that_of_one_request_with_a_histogram() {
    let study = whole("servers=4;law=uniform:5ms-15ms;size=16m", &asked(PtsTest::Latency, 2));
    let PtsResult::Latency(latency) = result(&study) else { panic!() };
    assert_eq!((latency.matrix.steady.met_at, latency.matrix.cells.len()), (Some(5), 9));
    for cell in &latency.matrix.cells {
        within(cell.mean_ns, 10e6, 2.0, "mean latency");
        within(cell.max_ns as f64, 15e6, 2.0, "longest latency");
        // The midpoint of the highest bucket of a histogram is often above the longest latency.
        assert!(cell.p99999_ns.unwrap() <= cell.max_ns as f64, "{cell:?}");
    }
    let histogram = latency.histogram.as_ref().unwrap();
    within(histogram.seconds, 600.0, 0.1, "duration");
    within(histogram.latencies.quantile(25.0).unwrap() as f64, 7.5e6, 3.0, "quartile");
    assert_eq!(histogram.latencies.count(), histogram.ios[1]);
    assert!(histogram.percentile(100.0).unwrap() <= histogram.max_ns);
}

/// Writes take four times as long after 64 MiB: the capacity of 256 MiB is not written four times before steady state.
#[test]
fn write_saturation_starts_fresh_and_falls_at_the_cliff() {
    let cliff = 64 << 20;
    let study = whole("servers=4;law=constant:10ms;cliff=64m:4;size=256m", &asked(PtsTest::Wsat, 10));
    let PtsResult::Wsat(wsat) = result(&study) else { panic!() };
    within(wsat.minutes[0].iops, 400.0, 2.0, "IOPS of the new device");
    within(wsat.minutes.last().unwrap().iops, 100.0, 2.0, "IOPS behind the cliff");
    let fallen = wsat.minutes.iter().position(|m| m.iops < 250.0).unwrap();
    let expected = f64::from(cliff) / 4096.0 / 400.0 / 6.0;
    assert!((fallen as f64 - expected).abs() <= 1.0, "minute {fallen} of {expected}");
    // Samples at minutes 31, 62 ... of 400, 400 or 100 IOPS.
    let first_slow = (1..).find(|round| round * 31 > fallen + 1).unwrap() as u32;
    assert_eq!((wsat.ended, wsat.steady.met_at), (Some(PtsSaturationEnd::Steady), Some(first_slow + 4)));
    assert_eq!(wsat.minutes.len() as u32, (first_slow + 4) * 31);
    let written: u64 = wsat.minutes.iter().map(|m| m.bytes[1]).sum();
    assert_eq!(*wsat.written.last().unwrap(), written);
    assert!(wsat.histogram.is_some());
}

#[test]
fn write_saturation_ends_after_four_capacities() {
    let study = whole("servers=4;law=constant:1ms;size=16m", &asked(PtsTest::Wsat, 60));
    let PtsResult::Wsat(wsat) = result(&study) else { panic!() };
    assert_eq!(wsat.ended, Some(PtsSaturationEnd::Written));
    // 4000 IOPS of 4 KiB: 16 MB in each second.
    assert!(
        wsat.drive_fills.last().is_some_and(|fills| (4.0..5.1).contains(fills)),
        "{:?}",
        wsat.drive_fills
    );
}

/// A write cache takes as much of each burst at its own speed as it emptied in the idle time before.
#[test]
fn bursts_gain_what_the_cache_empties_in_the_idle_time() {
    let scale = 60;
    let drain = 4_096_000.0;
    let asked = PtsAsked { threads: 1, depth: 1, ..asked(PtsTest::Hir, scale) };
    let study = whole("servers=1;law=constant:1ms;cache=64m:4096000:20us;size=64m", &asked);
    let PtsResult::Hir(hir) = result(&study) else { panic!() };
    within(hir.baseline_iops.unwrap(), drain / 4096.0, 2.0, "baseline");
    assert_eq!(hir.states.len(), 5);
    for state in &hir.states {
        assert_eq!((state.bursts.len(), state.return_minutes.len()), (360, 30));
        // All writes of a cycle leave the cache in the burst or in the idle time.
        let truth = drain / 4096.0 * (1.0 + f64::from(state.wait_s) / 5.0);
        within(state.mean_iops, truth, 5.0, &format!("{} s", state.wait_s));
        // The idle time after the last burst empties the cache for the first minute: 1 + wait / 60 times the baseline.
        assert_eq!(state.return_minute, Some(if state.wait_s == 5 { 1 } else { 2 }));
        within(state.bursts[9].idle_s, f64::from(state.wait_s) / f64::from(scale), 1.0, "idle time");
    }
}

/// Sequential writes of an SSD need no garbage collection, random writes do, and the second group first collects what
/// the random writes have scattered.
#[test]
fn cross_stimulus_recovers_to_the_sequential_rate() {
    let device = "ftl=0.15:64:4k;ftl_times=100us:20us:1ms;size=64m";
    let study = whole(device, &asked(PtsTest::Xsr, 400));
    let PtsResult::Xsr(xsr) = result(&study) else { panic!() };
    assert_eq!((xsr.first.len(), xsr.between.len(), xsr.second.len()), (480, 360, 480));
    let before = xsr.steady_before.unwrap();
    within(xsr.steady_after.unwrap(), before, 2.0, "throughput after recovery");
    let random: f64 = xsr.between.iter().map(|m| m.bytes_per_second).sum::<f64>() / 360.0;
    assert!(random < 0.8 * before, "{random} of {before}");
    // The first pass over the device after random writes is slow.
    assert!(xsr.second[0].bytes_per_second < 0.95 * before, "{:?}", xsr.second[0].bytes_per_second / before);
    // Truth from the sums: the first minute after which the writes are as fast as before.
    let fast = xsr.second.iter().position(|m| m.bytes_per_second >= before).unwrap() as u32 + 1;
    assert_eq!(xsr.recovery_minutes, Some(fast));
    assert!(xsr.nearly_recovered_minutes.unwrap() <= fast);
}

/// Four servers of 2 ms: IOPS are those of the requests in flight up to four.
#[test]
fn demand_finds_the_operating_points_of_the_servers() {
    for test in [PtsTest::Dirth, PtsTest::Cbw] {
        let study = whole("servers=16;law=constant:2ms;size=16m", &asked(test, 200));
        let (PtsResult::Dirth(demand) | PtsResult::Cbw(demand)) = result(&study) else { panic!() };
        assert_eq!(demand.preconditioning.steady.met_at, Some(5));
        assert_eq!((demand.matrix.steady.met_at, demand.matrix.cells.len()), (Some(5), 49));
        assert_eq!((demand.pre_writes.len(), demand.preconditioning.minutes.len()), (25, 121));
        for cell in &demand.matrix.cells {
            let in_flight = f64::from(cell.load.in_flight());
            within(cell.iops, in_flight.min(16.0) / 0.002, 2.0, &format!("IOPS at {:?}", cell.load));
        }
        let points: Vec<_> = demand.operating.iter().map(|o| (o.point, o.cell.load.in_flight())).collect();
        // ART below 5 ms: fewer than 40 in flight; the middle of 8000 and 500 is nearest to 8 in flight.
        assert!(matches!(points[0], (PtsOperatingPoint::Max, 16..40)), "{points:?}");
        assert_eq!(points[1..], [(PtsOperatingPoint::Mid, 8), (PtsOperatingPoint::Min, 1)]);
        assert!(!demand.max_above_limit);
        for operating in &demand.operating {
            assert_eq!(operating.writes.len(), 60);
            let PtsLoad { threads, depth, .. } = operating.cell.load;
            assert!(operating.writes.iter().all(|w| (w.load.threads, w.load.depth) == (threads, depth)));
            let histogram = operating.histogram.as_ref().unwrap();
            assert_eq!(histogram.load, operating.cell.load);
            within(histogram.seconds, 3.0, 1.0, "duration");
        }
        let block = if test == PtsTest::Cbw { PtsBlock::Composite } else { PtsBlock::Bytes(8192) };
        assert!(demand.matrix.cells.iter().all(|cell| cell.load.block == block));
    }
}

/// A study that was interrupted after any step and continued has the steps of an uninterrupted one.
#[test]
fn a_resumed_study_has_the_steps_of_an_uninterrupted_one() {
    let asked =
        PtsAsked { tests: vec![PtsTest::Latency, PtsTest::Throughput], ..asked(PtsTest::Latency, 60) };
    let device = "servers=4;law=exponential:10ms;cache=1m:2m:1ms;size=16m";
    let (study, points) = continued(device, &asked, Vec::new(), usize::MAX);
    for most in [1, 2, 3, 17, 50, points.len() - 2] {
        let (part, before) = continued(device, &asked, Vec::new(), most);
        assert!(!part.complete && before.len() == most);
        let (resumed, after) = continued(device, &asked, before, usize::MAX);
        assert!(after[most].resumed);
        let plain = |points: &[PtsPoint]| -> Vec<PtsPoint> {
            points
                .iter()
                .map(|point| {
                    let mut point = PtsPoint { resumed: false, ..point.clone() };
                    if let PtsEvent::Measured(sample) = &mut point.event {
                        // CPU time is that of this machine; the pause before a resumed step is not known.
                        (sample.cpu_percent, sample.idle_s) = (0.0, 0.0);
                    }
                    point
                })
                .collect()
        };
        assert_eq!(plain(&after), plain(&points), "after {most} steps");
        assert_eq!(resumed.runs.len(), study.runs.len());
    }
}
