//! Think time on simulated devices: a job takes exactly as long as its I/Os and its pauses.

use crate::pace::{BLOCK, MS, one, servers};
use job::job::{EngineChoice, Job, Mix, Rate, ServiceLaw};
use job::think_time::ThinkTime;
use std::num::NonZeroU64;

/// Returns a job of `ios` reads of 1 ms each at this depth, on a device with so many servers.
fn thinking(count: u32, depth: u32, ios: u64, think_time: ThinkTime) -> Job {
    let mut job = crate::plans::job("m", Mix::Read);
    job.engine = EngineChoice::Model(servers(count, ServiceLaw::Constant(MS)));
    (job.queue.iodepth, job.queue.effective) = (depth, depth);
    job.limits.number_ios = NonZeroU64::new(ios);
    job.think_time = Some(think_time);
    job
}

fn pauses(milliseconds: u64, blocks: u64) -> ThinkTime {
    ThinkTime { pause: milliseconds * MS, blocks: NonZeroU64::new(blocks), ..ThinkTime::default() }
}

/// The time is that of the I/Os and of the pauses, whatever the queue depth; with I/Os in flight, the number of
/// pauses is the one that fio was observed to make.
#[test]
fn job_takes_its_ios_and_its_pauses() {
    let by_issue = |milliseconds, blocks| ThinkTime { by_issue: true, ..pauses(milliseconds, blocks) };
    let io_time = NonZeroU64::new(9 * MS);
    for (case, job, milliseconds) in [
        ("a pause after each 7th of 1000", thinking(1, 1, 1000, pauses(10, 7)), 1000 + 142 * 10),
        ("a pause after the last", thinking(1, 1, 1, pauses(100, 1)), 1 + 100),
        ("none if no 5th comes", thinking(1, 1, 4, pauses(100, 5)), 4),
        ("bursts of 20 on 8 servers", thinking(8, 8, 100, by_issue(10, 20)), 5 * (3 + 10)),
        ("no more than 4 in flight", thinking(8, 8, 100, by_issue(10, 4)), 25 * (1 + 10)),
        // 11 I/Os are issued until 4 have completed; the other 7 complete in the drain, so that the next pause comes
        // after one more I/O, and the one after that after 10.
        ("completions of a deep queue", thinking(1, 8, 12 + 9 * 11, pauses(10, 4)), 111 + 20 * 10),
        (
            "9 ms with I/O",
            thinking(1, 1, 900, ThinkTime { blocks: None, io_time, ..pauses(1, 1) }),
            900 + 100,
        ),
        ("9 ms or 3 I/Os", thinking(1, 1, 900, ThinkTime { io_time, ..pauses(1, 3) }), 900 + 300),
        ("100 us of cycles", thinking(1, 1, 1000, ThinkTime { cycles: 100_000, ..pauses(0, 1) }), 1000 + 100),
    ] {
        let outcome = one(job.clone());
        assert_eq!(outcome.directions[0].ios, job.limits.number_ios.unwrap().get(), "{case}");
        assert_eq!(outcome.runtime_ms, milliseconds, "{case}");
        // The device does what it would do without pauses.
        let lat = &outcome.directions[0].lat.moments;
        assert!(job.queue.effective > 1 || (lat.min(), lat.max()) == (MS, MS), "{case}: {lat:?}");
    }
}

/// A pass that ends between two pauses does not begin a new count.
#[test]
fn ios_between_pauses_are_counted_over_passes() {
    let mut job = thinking(1, 1, 4, pauses(10, 5));
    job.limits.loops = 3;
    assert_eq!(one(job).runtime_ms, 12 + 20);
}

/// A rate catches up with a pause, or stands still for it (fio's issue 497).
#[test]
fn rate_catches_up_or_stands_still() {
    let paced = |pause, holds_rate| {
        let mut job = thinking(1, 1, 100, ThinkTime { holds_rate, ..pauses(pause, 10) });
        job.rate = Some(Rate { most: [100 * BLOCK, 0, 0], block: [BLOCK; 3], ..Rate::default() });
        one(job)
    };
    // 10 ms from I/O to I/O: the last is due after 990 ms, and has a pause after it.
    assert_eq!(paced(50, false).runtime_ms, 990 + 1 + 50);
    // Ten times: nine gaps, the last I/O, a pause.
    let held = paced(150, true);
    assert_eq!(held.runtime_ms, 10 * (90 + 1 + 150));
    // No I/O waits for another after a pause.
    assert_eq!(held.directions[0].scheduled.moments.max(), MS);
    assert!(paced(150, false).directions[0].scheduled.moments.max() > 50 * MS);
}

/// The ramp and the runtime have their own clocks: pauses lengthen neither (fio's issues 1320 and 2041), and the
/// pauses after a ramp come as often as before it.
#[test]
fn pauses_lengthen_neither_ramp_nor_runtime() {
    let limited = |pause, ramp, runtime| {
        let mut job = thinking(1, 1, 1, pauses(pause, 1));
        job.limits.number_ios = None;
        (job.limits.runtime, job.limits.time_based) = (NonZeroU64::new(runtime * MS), true);
        job.limits.ramp_time = ramp * MS;
        let outcome = one(job);
        (outcome.runtime_ms, outcome.directions[0].ios)
    };
    assert_eq!(limited(700, 0, 1000), (1000, 2));
    assert_eq!(limited(5000, 0, 1000), (1000, 1));
    // Reads complete at 1, 101, 201... ms.
    assert_eq!(limited(99, 1050, 2000), (2000, 20));
    assert_eq!(limited(1499, 1000, 2000), (2000, 1));
}
