//! The search for a latency on simulated devices: it finds the depth of the closed form.

use crate::pace::{MS, one, servers};
use job::job::{Batch, EngineChoice, Job, Mix, ServiceLaw};
use stats::LatencyGoal;
use std::num::NonZeroU64;

/// Returns a job that searches the deepest queue of at most `depth` with this target in microseconds, on a device of
/// so many servers of 1 ms: with one server, the latency at depth d is d ms.
fn searching(count: u32, depth: u32, target: u64, percentile: f64) -> Job {
    let mut job = crate::plans::job("m", Mix::Read);
    job.engine = EngineChoice::Model(servers(count, ServiceLaw::Constant(MS)));
    (job.queue.iodepth, job.queue.effective) = (depth, depth);
    (job.limits.runtime, job.limits.time_based) = (NonZeroU64::new(60_000 * MS), true);
    job.latency_goal =
        LatencyGoal { target: target * 1000, window: 200 * MS, percentile, keeps_running: false };
    job
}

#[test]
fn search_finds_depth_of_closed_form() {
    for (count, depth, target, percentile, found) in [
        (1, 32, 9_000, 100.0, 9),
        (1, 32, 9_999, 100.0, 9),
        (1, 32, 8_999, 100.0, 8),
        (1, 32, 1_000, 100.0, 1),
        (1, 64, 40_500, 90.0, 40),
        (1, 6, 90_000, 100.0, 6),
        // Eight I/Os on four servers take twice 1 ms; a ninth waits for both rounds.
        (4, 32, 2_000, 100.0, 8),
        (4, 32, 2_999, 99.0, 8),
    ] {
        let case = format!("{count} {depth} {target} {percentile}");
        let mut job = searching(count, depth, target, percentile);
        let outcome = one(job.clone());
        assert_eq!(outcome.iodepth, found, "{case}");
        // The result is one window and the drain of its queue.
        let longest = u64::from(found.div_ceil(count));
        assert!(outcome.runtime_ms.abs_diff(200 + longest) <= 1, "{case}: {}", outcome.runtime_ms);
        let read = &outcome.directions[0];
        assert_eq!(read.lat.moments.max(), longest * MS, "{case}");
        assert_eq!(read.ios, u64::from(count.min(found)) * outcome.runtime_ms, "{case}");
        // Batches as the user sets them lead to the same depth, and so does a ramp before.
        job.queue.batch = Some(Batch { submit: 1, complete_min: 1, complete_max: 1, low: depth });
        job.limits.ramp_time = 50 * MS;
        assert_eq!(one(job).iodepth, outcome.iodepth, "{case}");
    }
}

/// At a depth of 1, an I/O that takes too long ends the job with ETIMEDOUT, unless a share of them may.
#[test]
fn target_below_service_time_fails_at_depth_1() {
    let mut job = searching(1, 32, 500, 100.0);
    let outcome = one(job.clone());
    let error = outcome.error.unwrap();
    assert_eq!((error.errno, error.function.as_str(), outcome.iodepth), (110, "max latency exceeded", 1));
    job.latency_goal.percentile = 90.0;
    job.limits.runtime = NonZeroU64::new(1000 * MS);
    let outcome = one(job);
    assert_eq!((outcome.error, outcome.runtime_ms, outcome.iodepth), (None, 1000, 1));
}

/// With `latency_run`, the job runs for its time and reports all of it.
#[test]
fn running_search_goes_on_and_stays_near_its_depth() {
    let mut job = searching(1, 32, 5_500, 90.0);
    job.latency_goal.keeps_running = true;
    job.limits.runtime = NonZeroU64::new(10_000 * MS);
    let outcome = one(job);
    assert!(outcome.error.is_none() && outcome.runtime_ms.abs_diff(10_000) <= 32, "{}", outcome.runtime_ms);
    assert!((5..=6).contains(&outcome.iodepth), "{}", outcome.iodepth);
    // The device is never idle.
    assert!(outcome.directions[0].ios >= 9_990, "{}", outcome.directions[0].ios);
}
