//! Paced jobs on simulated devices whose waiting times have closed forms: the rate is the requested one, and the
//! latency from the schedule is that of queueing theory.

use facts::SysRoot;
use job::job::{Burst, EngineChoice, Job, Mix, ModelSpec, Order, Rate, ServiceLaw};
use job::plan::{FileKind, Layout, Plan, PlannedFile};
use run::consent::{Consent, Policy};
use run::{Models, Setup, Silent};
use stats::{JobOutcome, RunResult};
use std::num::NonZeroU64;
use std::time::Duration;

pub(crate) const MS: u64 = 1_000_000;
pub(crate) const BLOCK: u64 = 4096;

fn paced(engine: ModelSpec, depth: u32, iops: [u64; 3], poisson: bool, seconds: u64) -> Job {
    let mut job = crate::plans::job("m", Mix::Read);
    job.engine = EngineChoice::Model(engine);
    (job.queue.iodepth, job.queue.effective) = (depth, depth);
    (job.limits.runtime, job.limits.time_based) = (NonZeroU64::new(seconds * 1000 * MS), true);
    job.pattern.order = Order::Random { run: 1 };
    job.pattern.random_map = false;
    job.rate = Some(Rate { most: iops.map(|n| n * BLOCK), block: [BLOCK; 3], poisson, ..Rate::default() });
    job
}

pub(crate) fn servers(servers: u32, law: ServiceLaw) -> ModelSpec {
    ModelSpec { servers, law, ..ModelSpec::default() }
}

pub(crate) fn run(jobs: Vec<Job>) -> RunResult {
    let (path, kind, size) = ("none".into(), FileKind::None, 1 << 30);
    let file = PlannedFile { path, kind, size, start: 0, length: size, layout: Layout::Keep };
    let clone = crate::plans::plan(jobs[0].clone(), vec![file]).clones[0].clone();
    let clones = (0..jobs.len())
        .map(|job| job::plan::PlannedJob { job, seed: clone.seed + job as u64, ..clone.clone() })
        .collect();
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
    run::run(&Plan { jobs, clones }, &setup, &mut Silent).unwrap()
}

pub(crate) fn one(job: Job) -> JobOutcome {
    run(vec![job]).jobs.remove(0)
}

/// Returns the share of arrivals that wait at most `wait` for one server with the service time `service`, for Poisson
/// arrivals of `rate` (Erlang 1909; Crommelin 1932 for more servers).
fn waits(rate: f64, service: f64, wait: f64) -> f64 {
    let mut sum = 0.0;
    let mut k = 0.0;
    let mut factorial = 1.0;
    while k * service <= wait {
        let x = rate * (k * service - wait);
        sum += x.powf(k) / factorial * (-x).exp();
        k += 1.0;
        factorial *= k;
    }
    (1.0 - rate * service) * sum
}

/// A rate of half the device's capacity is reached, and waiting times are those of queueing theory.
#[test]
fn rate_of_half_capacity_is_reached_with_wait_of_theory() {
    let (service, rate) = (1e-3, 500.0);
    // However many slots: what waits for one of them waits all the same.
    for depth in [64, 1] {
        let outcome = one(paced(servers(1, ServiceLaw::Constant(MS)), depth, [500, 0, 0], true, 400));
        let read = &outcome.directions[0];
        assert!((read.iops() / rate - 1.0).abs() < 0.01, "{}", read.iops());
        let scheduled = &read.scheduled;
        assert_eq!(scheduled.moments.n, read.ios);
        // Mean of M/D/1: the service, and rho / (2 (1 - rho)) services before it.
        let rho = rate * service;
        let mean = service * (1.0 + rho / (2.0 * (1.0 - rho)));
        let found = scheduled.moments.mean() / 1e9;
        assert!((found / mean - 1.0).abs() < 0.02, "{depth}: {found} for {mean}");
        for percent in [60.0, 75.0, 90.0, 99.0, 99.9] {
            let at = scheduled.histogram.quantile(percent).unwrap() as f64 / 1e9;
            // The quantile lies where the theory has it, give or take three percent of the time.
            let share = |at: f64| 100.0 * waits(rate, service, (at - service).max(0.0));
            assert!(share(0.97 * at) < percent && percent < share(1.03 * at), "{depth}: p{percent} {at}");
        }
        if depth == 1 {
            assert_eq!(
                (read.lat.moments.min(), read.lat.moments.max()),
                (MS, MS),
                "fio's lat is the device's"
            );
        } else {
            assert!((read.lat.moments.mean() / 1e9 / mean - 1.0).abs() < 0.02);
        }
    }
}

/// A linear rate is kept exactly on every kind of device and by each job.
#[test]
fn linear_rate_is_exact_on_every_device_and_job() {
    for engine in [
        servers(4, ServiceLaw::Constant(MS)),
        servers(64, ServiceLaw::Exponential(5 * MS)),
        ModelSpec { contention: 1.0, ..servers(8, ServiceLaw::Constant(MS)) },
        ModelSpec { cpu: 20_000, ..servers(8, ServiceLaw::Constant(MS)) },
        ModelSpec { burst: Some(Burst { ios: 100, base: 3000 }), ..servers(8, ServiceLaw::Constant(MS)) },
    ] {
        let mut late = paced(engine.clone(), 32, [777, 0, 0], false, 20);
        late.limits.ramp_time = 1500 * MS;
        let result = run(vec![paced(engine.clone(), 16, [1000, 0, 0], false, 20), late]);
        let ios: Vec<u64> = result.jobs.iter().map(|job| job.directions[0].ios).collect();
        assert!(ios[0].abs_diff(20_000) <= 16 && ios[1].abs_diff(15_540) <= 32, "{engine:?} {ios:?}");
        let counts = |job: &JobOutcome| job.directions[0].scheduled.moments.n == job.directions[0].ios;
        assert!(result.jobs.iter().all(counts));
    }
}

/// A job catches up after a stall of the device, which the latency from the schedule shows and lat does not.
#[test]
fn stall_is_caught_up_and_shows_in_latency_from_schedule() {
    // Half a second of each five it does nothing.
    let engine = ModelSpec { stall: Some((5000 * MS, 500 * MS)), ..servers(1, ServiceLaw::Constant(MS)) };
    let outcome = one(paced(engine, 1, [200, 0, 0], false, 60));
    let read = &outcome.directions[0];
    assert!(read.ios.abs_diff(12_000) <= 1 + 100, "{}", read.ios);
    let p95 = |l: &stats::Latency| l.histogram.quantile(95.0).unwrap();
    assert!(p95(&read.lat) < 2 * MS && p95(&read.scheduled) > 200 * MS, "{read:?}");
    assert!(read.scheduled.moments.max().abs_diff(500 * MS) < 10 * MS);
}

#[test]
fn reads_and_writes_have_each_their_own_rate() {
    let mixed = |iops| {
        let mut job = paced(servers(16, ServiceLaw::Constant(MS)), 16, iops, false, 10);
        job.pattern.mix = Mix::ReadWrite { reads: 50 };
        let outcome = one(job);
        [0, 1].map(|d| outcome.directions[d].ios)
    };
    let [reads, writes] = mixed([1000, 100, 0]);
    assert!(reads.abs_diff(10_000) <= 2 && writes.abs_diff(1000) <= 2, "{reads} {writes}");
    // One that has none takes what is left of 16,000.
    let [reads, writes] = mixed([0, 100, 0]);
    assert!(reads.abs_diff(159_000) <= 200 && writes.abs_diff(1000) <= 2, "{reads} {writes}");
}

#[test]
fn who_does_less_than_the_least_fails_after_the_first_cycle() {
    let mut job = paced(servers(1, ServiceLaw::Constant(MS)), 4, [500, 0, 0], false, 20);
    let rate = Rate { least_ios: [600, 0, 0], cycle: 250 * MS, ..job.rate.unwrap() };
    job.rate = Some(rate);
    let outcome = one(job.clone());
    let error = outcome.error.as_ref().unwrap();
    assert_eq!((error.errno, error.function.as_str()), (5, "check_min_rate"));
    // Two seconds, one cycle.
    assert!(outcome.runtime_ms.abs_diff(2250) <= 3, "{}", outcome.runtime_ms);
    job.rate = Some(Rate { least_ios: [490, 0, 0], ..rate });
    assert_eq!(one(job.clone()).error, None);
    job.rate = Some(Rate { most: [0; 3], least_ios: [900, 0, 0], least_bytes: [900 * BLOCK, 0, 0], ..rate });
    assert_eq!(one(job).error, None);
}
