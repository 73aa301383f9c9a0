//! Simulated devices: their windows of the rate, the early end of a run by its watcher, and their state from run to
//! run.

use facts::SysRoot;
use job::job::{Burst, DiskSpec, EngineChoice, Job, Mix, ModelSpec, Order, ServiceLaw, WriteCache};
use job::plan::{FileKind, Layout, Plan, PlannedFile};
use run::consent::{Consent, Policy};
use run::{Models, Notice, Setup, Silent, Watch};
use stats::{Live, RunResult, Series, Window};
use std::num::NonZeroU64;
use std::time::Duration;

const MS: u64 = 1_000_000;

pub fn model(law: ServiceLaw) -> EngineChoice {
    EngineChoice::Model(ModelSpec { law, ..ModelSpec::default() })
}

pub fn timed(engine: EngineChoice, depth: u32, runtime_ms: u64) -> Job {
    let mut job = crate::plans::job("m", Mix::Read);
    job.engine = engine;
    (job.queue.iodepth, job.queue.effective) = (depth, depth);
    (job.limits.runtime, job.limits.time_based) = (NonZeroU64::new(runtime_ms * MS), true);
    job
}

pub fn plan(jobs: Vec<Job>) -> Plan {
    let (path, kind, size) = ("none".into(), FileKind::None, 1 << 30);
    let file = PlannedFile { path, kind, size, start: 0, length: size, layout: Layout::Keep };
    let mut clones = crate::plans::plan(jobs[0].clone(), vec![file]).clones;
    clones = (0..jobs.len()).map(|job| job::plan::PlannedJob { job, ..clones[0].clone() }).collect();
    Plan { jobs, clones }
}

pub fn run(plan: &Plan, models: &Models, watch: &mut dyn Watch) -> RunResult {
    let setup = Setup {
        root: SysRoot::machine(),
        consent: Consent::new(Policy::Own, Vec::new()),
        interrupt: Default::default(),
        all_histograms: false,
        inputs: Vec::new(),
        idleness: false,
        patience: Duration::from_secs(5),
        window: Duration::from_millis(20),
        models: models.clone(),
        allowance: None,
        gate: None,
    };
    let result = run::run(plan, &setup, watch).unwrap();
    assert!(result.jobs.iter().all(|job| job.error.is_none()));
    result
}

/// A watcher that ends the run after a number of windows.
struct Few(usize, u32);

impl Watch for Few {
    fn notice(&mut self, _: Notice) {}
    fn look(&mut self, _: &Live) {}
    fn enough(&mut self, series: &Series) -> bool {
        self.1 += 1;
        series.windows.len() >= self.0
    }
}

#[test]
fn windows_are_of_virtual_time_and_only_of_what_is_measured() {
    let models = Models::default();
    let mut late = timed(model(ServiceLaw::Constant(100_000)), 4, 1000);
    (late.limits.startdelay, late.limits.startdelay_most) = (105 * MS, 105 * MS);
    late.limits.ramp_time = 200 * MS;
    let early = timed(model(ServiceLaw::Constant(100_000)), 4, 2000);
    let result = run(&plan(vec![early, late]), &models, &mut Silent);
    let windows = &result.series[0].1.windows;
    // From 305 ms to 1305 ms: one device of 10,000 I/Os a second.
    assert!((48..=50).contains(&windows.len()), "{}", windows.len());
    let right = |w: &Window| w.nanos.abs_diff(20 * MS) <= MS && (w.iops() - 10_000.0).abs() < 150.0;
    assert!(windows.iter().all(right), "{windows:?}");
    let ios: u64 = windows.iter().map(Window::all_ios).sum();
    let nanos: u64 = windows.iter().map(|w| w.nanos).sum();
    assert!((ios as f64 * 1e5 / nanos as f64 - 1.0).abs() < 1e-3, "{ios} in {nanos}");
}

#[test]
fn a_run_ends_when_its_watcher_has_enough() {
    for depth in [1, 16] {
        let mut watch = Few(10, 0);
        let job = timed(model(ServiceLaw::Constant(100_000)), depth, 100_000);
        let result = run(&plan(vec![job]), &Models::default(), &mut watch);
        assert_eq!((result.series[0].1.windows.len(), watch.1), (10, 10));
        assert!((200..=203).contains(&result.jobs[0].runtime_ms), "{}", result.jobs[0].runtime_ms);
        let ios = result.jobs[0].directions[0].ios;
        assert!((2000..=2020 + u64::from(depth)).contains(&ios), "what flew was waited for: {ios}");
    }
    // In real time too.
    let mut watch = Few(3, 0);
    let began = std::time::Instant::now();
    run(&plan(vec![timed(EngineChoice::Null { jitter: false }, 1, 20_000)]), &Models::default(), &mut watch);
    assert!(began.elapsed() < Duration::from_secs(10) && watch.1 == 3, "{:?} {}", began.elapsed(), watch.1);
}

#[test]
fn a_devices_time_goes_on_from_run_to_run() {
    let models = Models::default();
    let plan = plan(vec![timed(model(ServiceLaw::Exponential(100_000)), 4, 500)]);
    let first = run(&plan, &models, &mut Silent);
    let now = models.now();
    assert!(now >= Duration::from_millis(500) && now < Duration::from_millis(510), "{now:?}");
    models.rest(Duration::from_secs(7));
    assert_eq!(models.now(), now + Duration::from_secs(7));
    // The random numbers begin anew: without levels in its law a device does the same again.
    let again = run(&plan, &models, &mut Silent);
    assert_eq!(first.jobs[0].directions, again.jobs[0].directions);
    assert_eq!(first.series[0].1.windows, again.series[0].1.windows);
    assert!(models.now() > now + Duration::from_millis(7490));
}

/// Returns the windows of a run's first phase, and the outcome of each direction of its first job.
fn said(result: &RunResult) -> (Vec<Window>, Vec<stats::DirectionOutcome>) {
    (result.series[0].1.windows.clone(), result.jobs[0].directions.to_vec())
}

#[test]
fn a_study_that_was_killed_meets_the_device_that_it_left() {
    let spec = ModelSpec {
        burst: Some(Burst { ios: 3000, base: 500 }),
        iops: NonZeroU64::new(3000),
        cache: Some(WriteCache { bytes: 8 << 20, drain: 1 << 20, nanos: 50_000 }),
        cliff: Some((10 << 20, 3.0)),
        drift: 5.0,
        stall: Some((700 * MS, 50 * MS)),
        disk: Some(DiskSpec { seek: 8 * MS, rotation: 4 * MS, queue: 8, size: None }),
        law: ServiceLaw::Exponential(200_000),
        ..ModelSpec::default()
    };
    let point = |mix, depth| {
        let mut job = timed(EngineChoice::Model(spec.clone()), depth, 300);
        (job.pattern.mix, job.pattern.order) = (mix, Order::Random { run: 1 });
        plan(vec![job.clone(), job])
    };
    let points = [(Mix::Write, 4), (Mix::Read, 8), (Mix::Write, 1), (Mix::Read, 1)].map(|(m, d)| point(m, d));
    let rest = |models: &Models| models.rest(Duration::from_millis(123));
    let models = Models::default();
    let mut seen = Vec::new();
    let whole: Vec<_> = points
        .iter()
        .map(|point| {
            let levels = models.levels();
            assert!(levels.iter().all(|level| level.fract() == 0.0 && *level < 9e15), "{levels:?}");
            seen.push(levels);
            let result = run(point, &models, &mut Silent);
            rest(&models);
            said(&result)
        })
        .collect();
    for (at, point) in points.iter().enumerate() {
        let resumed = Models::default();
        // Another device was met first meanwhile.
        run(&plan(vec![timed(model(ServiceLaw::Constant(MS)), 1, 10)]), &resumed, &mut Silent);
        resumed.restore(&seen[at]);
        assert_eq!(resumed.levels(), seen[at]);
        assert_eq!(said(&run(point, &resumed, &mut Silent)), whole[at], "point {at}");
        rest(&resumed);
        assert_eq!(Some(&resumed.levels()), seen.get(at + 1).or(Some(&models.levels())));
        let fresh = said(&run(point, &Models::default(), &mut Silent));
        assert_eq!(fresh == whole[at], at == 0, "its levels matter: point {at}");
    }
}

#[test]
fn each_device_of_a_handle_remembers_its_own() {
    let spec = |factor| ModelSpec {
        cliff: Some((1 << 20, factor)),
        law: ServiceLaw::Constant(MS),
        ..ModelSpec::default()
    };
    let go = |models: &Models, factor| {
        let mut job = timed(EngineChoice::Model(spec(factor)), 1, 300);
        job.pattern.mix = Mix::Write;
        run(&plan(vec![job]), models, &mut Silent).jobs[0].directions[1].ios
    };
    let models = Models::default();
    // 256 blocks of 4 KiB before the cliff, then each takes so many times as long.
    assert_eq!([3.0, 5.0].map(|factor| go(&models, factor)), [256 + 15, 256 + 9]);
    let resumed = Models::default();
    resumed.restore(&models.levels());
    for models in [models, resumed] {
        assert_eq!([5.0, 3.0, 6.0].map(|factor| go(&models, factor)), [60, 100, 256 + 8]);
    }
}

#[test]
fn the_generators_cpu_is_its_jobs_and_shared_by_them() {
    let spec = |cores| ModelSpec {
        servers: 256,
        cpu: 10_000,
        cores: std::num::NonZeroU32::new(cores),
        ..ModelSpec::default()
    };
    let go = |jobs: usize, depth, cores| {
        let job = timed(EngineChoice::Model(spec(cores)), depth, 1000);
        let result = run(&plan(vec![job; jobs]), &Models::default(), &mut Silent);
        let ios: u64 = result.jobs.iter().map(|job| job.directions[0].ios).sum();
        (ios as f64, result.layers.busiest_thread_percent)
    };
    let close =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
    // Alone: 10 us of 110. With enough in flight: nothing but CPU.
    let (ios, busy) = go(1, 1, 0);
    close(ios, 1e6 / 110.0);
    close(busy, 100.0 / 11.0);
    let (ios, busy) = go(1, 64, 0);
    close(ios, 100_000.0);
    close(busy, 100.0);
    close(go(4, 64, 0).0, 400_000.0);
    close(go(4, 64, 2).0, 200_000.0);
    close(go(2, 64, 2).0, 200_000.0);
    close(go(3, 64, 2).0, 200_000.0);
}

#[test]
fn jobs_that_share_a_head_are_served_as_one_queue() {
    let disk = |rotation, size| DiskSpec { seek: 12 * MS, rotation, queue: 32, size: NonZeroU64::new(size) };
    let go = |jobs: usize, depth, disk, order| {
        let spec = ModelSpec { disk: Some(disk), law: ServiceLaw::Constant(MS), ..ModelSpec::default() };
        let mut job = timed(EngineChoice::Model(spec), depth, 100_000);
        job.pattern.order = order;
        let result = run(&plan(vec![job; jobs]), &Models::default(), &mut Silent);
        result.jobs.iter().map(|job| job.directions[0].ios).sum::<u64>() as f64 / 100.0
    };
    let random = Order::Random { run: 1 };
    let close =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    // One at a time, over all of it: 8/15 of a full seek and half a rotation.
    close(go(1, 1, disk(8 * MS, 0), random), 1000.0 / (1.0 + 12.0 * 8.0 / 15.0 + 4.0));
    // The files are a hundredth of a disk of 100 GiB.
    close(go(1, 1, disk(8 * MS, 100 << 30), random), 1000.0 / (1.0 + 1.2 * 8.0 / 15.0 + 4.0));
    close(go(1, 1, disk(8 * MS, 0), Order::Sequential { skip: 0 }), 1000.0);
    let still = DiskSpec { seek: 0, ..disk(8 * MS, 0) };
    close(go(1, 8, still, random), 1000.0 / (1.0 + 8.0 / 9.0));
    close(go(8, 1, still, random), 1000.0 / (1.0 + 8.0 / 9.0));
    close(go(4, 2, still, random), 1000.0 / (1.0 + 8.0 / 9.0));
    // Two files lie one behind the other: from any place of one to any of the other and back.
    let first = DiskSpec { rotation: 0, queue: 1, ..disk(0, 0) };
    let spec = ModelSpec { disk: Some(first), law: ServiceLaw::Constant(MS), ..ModelSpec::default() };
    let mut job = timed(EngineChoice::Model(spec), 1, 100_000);
    job.pattern.order = random;
    let mut two = plan(vec![job; 2]);
    two.clones[1].files[0].path = "another".into();
    two.clones[1].seed += 1;
    let result = run(&two, &Models::default(), &mut Silent);
    let ios: u64 = result.jobs.iter().map(|job| job.directions[0].ios).sum();
    // The mean root of the sum of two numbers between 0 and 1/2.
    let root = 4.0 / 15.0 * (2f64.powf(2.5) - 2.0) / 2f64.sqrt();
    close(ios as f64 / 100.0, 1000.0 / (1.0 + 12.0 * root));
}

/// The layers count a sync as in flight, as the job does: one call after the other is a queue depth of 1.
#[test]
fn queue_depth_of_the_layers_includes_syncs() {
    let mut job = timed(model(ServiceLaw::Constant(5 * MS)), 1, 2000);
    job.pattern.mix = Mix::Write;
    job.durability.fdatasync = std::num::NonZeroU64::new(1);
    let result = run(&plan(vec![job]), &Models::default(), &mut Silent);
    let (layers, job) = (result.layers.depth_reached, result.jobs[0].depth_reached);
    assert!((job - 1.0).abs() < 0.01 && (layers - job).abs() < 0.01, "{layers} {job}");
}
