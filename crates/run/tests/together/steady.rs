//! Steady states in virtual time, where the samples have closed forms.

use crate::models::{model, plan, run, timed};
use job::job::{EngineChoice, Job, ModelSpec, ServiceLaw, SteadySpec};
use run::{Models, Silent};
use stats::{SteadyCriterion, SteadyQuantity, SteadyState};

const SECOND: u64 = 1_000_000_000;

fn iops(slope: bool, limit: f64) -> SteadyCriterion {
    SteadyCriterion { quantity: SteadyQuantity::Iops, slope, limit, percent: true }
}

fn waiting(engine: EngineChoice, criterion: SteadyCriterion, window: u64, ramp: u64) -> Job {
    let steady = Some(SteadySpec { criterion, window, interval: SECOND, ramp });
    Job { steady, ..timed(engine, 1, 100_000) }
}

/// Runs jobs on simulated devices, and returns the runtime in milliseconds and the steady state of each entry.
fn outcomes(jobs: Vec<Job>) -> Vec<(u64, Option<SteadyState>)> {
    let result = run(&plan(jobs), &Models::default(), &mut Silent);
    result.jobs.into_iter().map(|job| (job.runtime_ms, job.steady)).collect()
}

fn outcome(job: Job) -> (u64, SteadyState) {
    let (runtime, steady) = outcomes(vec![job]).remove(0);
    (runtime, steady.unwrap())
}

fn rates(steady: &SteadyState) -> Vec<u64> {
    steady.samples.iter().map(|sample| sample.iops).collect()
}

#[test]
fn a_constant_rate_is_steady_as_soon_as_the_window_is_full() {
    let constant = || model(ServiceLaw::Constant(100_000));
    let (runtime, steady) = outcome(waiting(constant(), iops(false, 0.1), 3, 0));
    assert_eq!((runtime, steady.attained, rates(&steady)), (3000, true, vec![10_000; 3]));
    assert_eq!(steady.mean_bytes_per_second(), 40_960_000);
    let (runtime, steady) = outcome(waiting(constant(), iops(true, 0.1), 2, 1_500_000_000));
    assert_eq!((runtime, rates(&steady).len()), (4000, 2), "the first sample begins at 2 s");
    // The measurement begins after the ramp of the job, and so do the samples.
    let mut ramped = waiting(constant(), iops(false, 0.1), 3, 0);
    ramped.limits.ramp_time = SECOND / 2;
    let (runtime, steady) = outcome(ramped);
    assert_eq!((runtime, rates(&steady)), (3000, vec![10_000; 3]));
    let mut latency =
        waiting(constant(), SteadyCriterion { quantity: SteadyQuantity::Latency, ..iops(false, 0.1) }, 4, 0);
    latency.steady.as_mut().unwrap().interval = SECOND / 100;
    let (runtime, steady) = outcome(latency);
    assert_eq!((runtime, steady.mean_latency()), (40, 100_000));
}

/// After `step` the device has half its rate: the job ends when the last sample from before has left the window.
#[test]
fn a_window_with_a_step_is_not_steady() {
    let law = ServiceLaw::Constant(100_000);
    let step = Some(Box::new((5 * SECOND, 0.5)));
    let engine = EngineChoice::Model(ModelSpec { law, step, ..ModelSpec::default() });
    let (runtime, steady) = outcome(waiting(engine, iops(false, 1.0), 3, 4 * SECOND));
    assert_eq!((runtime, steady.attained, rates(&steady)), (8000, true, vec![5000; 3]));
}

/// A service time that grows by `d` per second: I/O k starts at ((1 + s d)^k - 1) / d, so that by T there were
/// ln(1 + d T) / ln(1 + s d) of them. The first window that meets the criterion follows from that.
#[test]
fn a_drifting_rate_is_steady_at_the_window_of_the_closed_form() {
    let (service, drift, window) = (100_000u64, 0.5, 5usize);
    let by = |seconds: f64| (drift * seconds).ln_1p() / (service as f64 / 1e9 * drift).ln_1p();
    let sample = |nth: usize| by(nth as f64 + 1.0) - by(nth as f64);
    let judged = |slope: bool, last: usize| {
        let values: Vec<f64> = (last + 1 - window..=last).map(sample).collect();
        let mean = values.iter().sum::<f64>() / window as f64;
        let value = if slope {
            // The least-squares slope of five equidistant values.
            values.iter().zip([-2.0, -1.0, 0.0, 1.0, 2.0]).map(|(y, x)| x * y).sum::<f64>() / 10.0
        } else {
            values.iter().map(|y| (y - mean).abs()).fold(0.0, f64::max)
        };
        100.0 * value.abs() / mean
    };
    for (slope, end) in [(false, 12), (false, 25), (true, 9), (true, 30)] {
        // The limit is between the values of the window that ends at `end` and of the one before.
        let limit = f64::midpoint(judged(slope, end - 1), judged(slope, end - 2));
        let engine = EngineChoice::Model(ModelSpec {
            law: ServiceLaw::Constant(service),
            drift: 100.0 * drift,
            ..ModelSpec::default()
        });
        let (runtime, steady) = outcome(waiting(engine, iops(slope, limit), window as u64, 0));
        // The job ends with the I/O during which the sample was due.
        let late = runtime - 1000 * end as u64;
        assert!(steady.attained && late <= 3, "{slope} {end}: {runtime} ms");
        assert!((steady.judged().abs() - judged(slope, end - 1)).abs() < 0.05, "{slope} {end}: {steady:?}");
        for (nth, rate) in (end - window..).zip(rates(&steady)) {
            assert!((rate as f64 - sample(nth)).abs() < 2.0, "{nth}: {rate} {}", sample(nth));
        }
    }
}

/// With `group_reporting`, the rates of a group are added and all its jobs end; other groups and jobs go on.
#[test]
fn a_group_is_sampled_as_a_whole_and_ends_as_a_whole() {
    let constant = |nanos| model(ServiceLaw::Constant(nanos));
    let of_group = |nanos, group, merged| {
        let mut job = waiting(constant(nanos), iops(false, 0.2), 3, 0);
        (job.group, job.measure.shown.group_reporting) = (group, merged);
        job
    };
    // The second job of the group begins a second later; its start is not steady.
    let mut late = of_group(200_000, 0, true);
    (late.limits.startdelay, late.limits.startdelay_most) = (SECOND, SECOND);
    let mut other = of_group(50_000, 1, false);
    (other.steady, other.limits.runtime) = (None, std::num::NonZeroU64::new(9 * SECOND));
    let found = outcomes(vec![of_group(100_000, 0, true), late, other, of_group(400_000, 2, false)]);
    let runtimes: Vec<u64> = found.iter().map(|(runtime, _)| *runtime).collect();
    assert_eq!(runtimes, [4000, 3000, 9000, 3000]);
    let samples: Vec<Option<Vec<u64>>> = found.iter().map(|(_, steady)| steady.as_ref().map(rates)).collect();
    let [None, Some(both), None, Some(alone)] = &samples[..] else { panic!("{samples:?}") };
    assert!(both.iter().all(|rate| rate.abs_diff(15_000) <= 1), "{both:?}");
    assert_eq!(alone, &[2500; 3]);
}

#[test]
fn a_job_that_ends_before_shows_the_samples_that_it_has() {
    let mut job = waiting(model(ServiceLaw::Constant(100_000)), iops(false, 0.1), 5, 0);
    job.limits.runtime = std::num::NonZeroU64::new(2 * SECOND + 1);
    let (_, steady) = outcome(job);
    assert_eq!((steady.attained, rates(&steady), steady.mean_iops()), (false, vec![10_000; 2], 4000));
}
