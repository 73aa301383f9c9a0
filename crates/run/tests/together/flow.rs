//! Flows on simulated devices: members share their I/Os exactly by weight.

use crate::pace::{BLOCK, MS, run, servers};
use job::flow::Flow;
use job::job::{EngineChoice, Job, Mix, Rate, ServiceLaw};
use std::num::{NonZeroU32, NonZeroU64};

/// Returns a job of this weight that reads for ten seconds on a device that does any number of I/Os in 1 ms each.
fn member(name: &str, weight: u32, id: i64) -> Job {
    let mut job = crate::plans::job(name, Mix::Read);
    job.engine = EngineChoice::Model(servers(64, ServiceLaw::Constant(MS)));
    (job.limits.runtime, job.limits.time_based) = (NonZeroU64::new(10_000 * MS), true);
    job.flow = NonZeroU32::new(weight).map(|weight| Flow { id, weight, sleep: 0 });
    job
}

fn deep(mut job: Job, depth: u32) -> Job {
    (job.queue.iodepth, job.queue.effective) = (depth, depth);
    job
}

fn at_rate(mut job: Job, iops: u64) -> Job {
    job.rate = Some(Rate { most: [iops * BLOCK, 0, 0], block: [BLOCK; 3], ..Rate::default() });
    job
}

fn for_ms(mut job: Job, ms: u64) -> Job {
    job.limits.runtime = NonZeroU64::new(ms * MS);
    job
}

#[test]
fn members_share_by_weight_while_they_run() {
    let sleeping = |mut job: Job, us: u64| {
        job.flow = job.flow.map(|flow| Flow { sleep: us * 1000, ..flow });
        job
    };
    for (case, jobs, expected) in [
        ("the heavier is never held", vec![member("a", 1, 0), member("b", 3, 0)], vec![3334, 10_000]),
        ("three", vec![member("a", 1, 0), member("b", 2, 0), member("c", 4, 0)], vec![2500, 5000, 10_000]),
        // The deep queue of the lighter does not help it.
        ("depths", vec![deep(member("a", 1, 5), 32), member("b", 4, 5)], vec![2500, 10_000]),
        (
            "the slower holds the heavier",
            vec![at_rate(member("a", 1, 0), 100), member("b", 3, 0)],
            vec![1000, 3000],
        ),
        (
            "other flows and jobs without one",
            vec![member("a", 1, 1), member("b", 3, 2), member("c", 0, 1)],
            vec![10_000; 3],
        ),
        // a: 100 per second for five seconds, and b as many; then b alone.
        (
            "who has ended",
            vec![at_rate(for_ms(member("a", 1, 0), 5000), 100), member("b", 1, 0)],
            vec![500, 5500],
        ),
        // a runs alone for one second, which b catches up with in the next; then both run.
        ("who comes late", vec![member("a", 1, 0), late(member("b", 1, 0), 1000)], vec![9000, 10_000]),
        ("sleeps", vec![sleeping(member("a", 1, 0), 100), member("b", 3, 0)], vec![3334, 10_000]),
    ] {
        let result = run(jobs);
        let ios: Vec<u64> = result.jobs.iter().map(|job| job.directions[0].ios).collect();
        let near = ios.iter().zip(&expected).all(|(a, b)| a.abs_diff(*b) <= 4);
        assert!(near, "{case}: {ios:?} for {expected:?}");
        assert!(result.jobs.iter().all(|job| job.error.is_none() && job.runtime_ms <= 10_002), "{case}");
    }
}

fn late(mut job: Job, ms: u64) -> Job {
    (job.limits.startdelay, job.limits.startdelay_most) = (ms * MS, ms * MS);
    job
}
