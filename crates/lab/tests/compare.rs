//! What was measured, compared, on simulated devices: equal ones are told apart no more often than is said, unequal ones
//! are.
#![allow(clippy::unwrap_used)]

use lab::subject::{Place, Subject};
use run::{Notice, Watch};
use stats::{Direction, Live, Measured, RunResult};
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
    let mut place = Place::here(Arc::new(AtomicUsize::new(0)), Duration::from_secs(30));
    place.window = Duration::from_millis(50);
    let subject = Subject::open(format!("model:{device}").as_ref(), &place.root).unwrap();
    let mut all = vec!["--time_based".to_string(), "--norandommap".into(), format!("--randseed={seed}")];
    all.extend(options.split_whitespace().map(String::from));
    let result = subject.job("load", &place, &all, &mut Quiet).unwrap();
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
    // Two jobs that are reported apart are two loads, and the rate over time is of both together.
    let apart = measure(device, 1, "--rw=randread --bs=4k --iodepth=8 --numjobs=2 --runtime=2");
    let loads = Measured::of_run("R8", &apart);
    assert_eq!(
        loads.iter().map(|l| (l.jobs, l.series.is_some())).collect::<Vec<_>>(),
        [(1, false), (1, false)]
    );
    assert!(loads.iter().all(|l| !l.flows[0].iops.is_known()));
}
