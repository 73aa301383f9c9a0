//! Simulated devices: their windows of the rate, who ends a run early, and what they remember from run to run.
#![allow(clippy::unwrap_used)]

mod plans;

use facts::SysRoot;
use job::job::{EngineChoice, Job, Mix, ModelSpec, ServiceLaw};
use job::plan::{FileKind, Layout, Plan, PlannedFile};
use run::consent::{Consent, Policy};
use run::{Models, Notice, Setup, Silent, Watch};
use stats::{Live, RunResult, Series, Window};
use std::time::Duration;

const MS: u64 = 1_000_000;

fn model(law: ServiceLaw) -> EngineChoice {
    EngineChoice::Model(ModelSpec { servers: 1, law })
}

fn timed(engine: EngineChoice, depth: u32, runtime_ms: u64) -> Job {
    let mut job = plans::job("m", Mix::Read);
    job.engine = engine;
    (job.queue.iodepth, job.queue.effective) = (depth, depth);
    (job.limits.runtime, job.limits.time_based) = (runtime_ms * MS, true);
    job
}

fn plan(jobs: Vec<Job>) -> Plan {
    let (path, kind, size) = ("none".into(), FileKind::None, 1 << 30);
    let file = PlannedFile { path, kind, size, start: 0, length: size, layout: Layout::Keep };
    let mut clones = plans::plan(jobs[0].clone(), vec![file]).clones;
    clones = (0..jobs.len()).map(|job| job::plan::PlannedJob { job, ..clones[0].clone() }).collect();
    Plan { jobs, clones }
}

fn run(plan: &Plan, models: &Models, watch: &mut dyn Watch) -> RunResult {
    let setup = Setup {
        root: SysRoot::machine(),
        consent: Consent { policy: Policy::Own, allow_destroy: Vec::new() },
        interrupt: Default::default(),
        all_histograms: false,
        idleness: false,
        patience: Duration::from_secs(5),
        window: Duration::from_millis(20),
        models: models.clone(),
    };
    let result = run::run(plan, &setup, watch).unwrap();
    assert!(result.jobs.iter().all(|job| job.error.is_none()));
    result
}

/// Says that it is enough when so many windows have ended.
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
