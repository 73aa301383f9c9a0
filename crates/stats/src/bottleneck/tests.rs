use super::*;
use crate::series::Window;

fn sample(depth: u32, iops: f64) -> BottleneckSample {
    BottleneckSample {
        shape: LoadShape { block: 4096, depth, jobs: 1, ..LoadShape::default() },
        seconds: 5.0,
        rate: Estimate::around(iops, iops / 100.0),
        bytes_per_second: iops * 4096.0,
        in_flight: f64::from(depth),
        mean_ns: f64::from(depth) / iops * 1e9,
        cpu: Some(CpuShares { used: 0.1, ..CpuShares::default() }),
        ..BottleneckSample::default()
    }
}

fn named(card: &BottleneckCard) -> Option<Bottleneck> {
    match card.answer {
        BottleneckAnswer::Named { limit } => Some(limit),
        BottleneckAnswer::CannotTell { .. } => None,
    }
}

fn card(samples: Vec<BottleneckSample>) -> BottleneckCard {
    {
        let facts = BottleneckFacts { host_known: true, ..BottleneckFacts::default() };
        BottleneckCard::of("test", "randread", facts, samples)
    }
}

#[test]
fn a_rate_that_rises_with_the_depth_is_limited_by_it() {
    let card = card(vec![sample(4, 1000.0), sample(16, 3500.0)]);
    assert_eq!(named(&card), Some(Bottleneck::QueueDepth));
    assert_eq!(card.raises, [RateRaise::Depth { to: 16, iops: 3500.0 }]);
}

/// The depth that would raise the rate is that of each job.
#[test]
fn a_raise_of_the_depth_is_for_each_job() {
    let of = |depth: u32, iops: f64| {
        let shape = LoadShape { block: 4096, depth, jobs: 2, ..LoadShape::default() };
        BottleneckSample { shape, ..sample(2 * depth, iops) }
    };
    let card = card(vec![of(4, 1000.0), of(16, 3500.0)]);
    assert_eq!(card.raises, [RateRaise::Depth { to: 16, iops: 3500.0 }]);
}

#[test]
fn one_load_alone_names_no_device() {
    let card = card(vec![sample(4, 1000.0)]);
    assert_eq!(named(&card), None);
    let any = |_: BottleneckExperiment, _: &BottleneckCard| true;
    assert_eq!(next_experiment(&card, &any), Some(BottleneckExperiment::Deeper));
}

#[test]
fn a_busy_thread_is_the_limit_unless_it_waits_for_others() {
    let busy = |waited: f64| {
        let cpu = Some(CpuShares { used: 0.97 - waited, waited, ..CpuShares::default() });
        named(&card(vec![BottleneckSample { cpu, ..sample(32, 1e5) }, sample(128, 1e5)]))
    };
    assert_eq!(busy(0.01), Some(Bottleneck::LoadGenerator));
    assert_eq!(busy(0.45), Some(Bottleneck::CpuContention));
}

#[test]
fn a_full_queue_limits_only_if_fewer_ios_are_slower() {
    let device =
        |queue: f64| Some(DeviceLoad { name: "loop0".into(), busy: 1.0, queue, requests_per_io: 1.0 });
    let facts = BottleneckFacts { slots: Some(4), ..BottleneckFacts::default() };
    let full = BottleneckSample { device: device(4.0), ..sample(32, 4000.0) };
    let of = |samples: Vec<BottleneckSample>| BottleneckCard::of("t", "randread", facts.clone(), samples);
    let card = of(vec![full.clone(), sample(128, 4000.0), sample(2, 2000.0)]);
    assert_eq!(named(&card), Some(Bottleneck::BlockQueue));
    assert_eq!(card.raises, [RateRaise::Slots { to: 32, iops: 32_000.0 }]);
    let same = of(vec![full, sample(128, 4000.0), sample(2, 4000.0)]);
    assert_eq!(same.standing(Bottleneck::BlockQueue), Standing::Excluded);
}

/// A rate that rose because the machine was busy at first is not raised by the depth.
#[test]
fn a_repeated_load_contradicts_a_rise() {
    let rose = vec![sample(4, 1000.0), sample(16, 1300.0)];
    assert_eq!(named(&card(rose.clone())), Some(Bottleneck::QueueDepth));
    let repeated = [rose, vec![sample(4, 1300.0)]].concat();
    assert_eq!(named(&card(repeated)), None);
}

/// A cap permits the I/Os of a slice at once at the start: over a second, a tenth of a second's I/Os more.
#[test]
fn a_cap_is_named_from_short_loads_as_well() {
    let of = |seen: f64, seconds: f64, limit: f64| {
        let cap = Some(ReachedCap { device: "loop0".into(), iops: true, limit, seen });
        BottleneckSample { cap, seconds, ..sample(32, seen) }
    };
    let named_of = |loads: Vec<BottleneckSample>| named(&card(loads));
    assert_eq!(named_of(vec![of(674.0, 1.0, 640.0)]), Some(Bottleneck::VisibleThrottle));
    assert_ne!(named_of(vec![of(674.0, 10.0, 640.0)]), Some(Bottleneck::VisibleThrottle));
    // With many I/Os in flight some kernels stay far below the cap: it is not excluded.
    let few = BottleneckSample { in_flight: 8.0, ..of(640.0, 5.0, 640.0) };
    let stands = |loads: Vec<BottleneckSample>| {
        card(loads).candidates.iter().find(|j| j.candidate == Bottleneck::VisibleThrottle).map(|j| j.standing)
    };
    assert_eq!(stands(vec![of(345.0, 5.0, 640.0), few]), Some(Standing::Possible));
    assert_eq!(stands(vec![of(345.0, 5.0, 640.0)]), Some(Standing::Excluded));
}

/// Memory answers in microseconds: at 158 I/Os a second something else is the limit, although the data came from memory.
#[test]
fn memory_is_no_limit_of_a_slow_load() {
    let of = |iops: f64| {
        let memory = Some(true);
        card(vec![BottleneckSample { memory, ..sample(4, iops) }])
    };
    assert_eq!(named(&of(50_000.0)), Some(Bottleneck::Memory));
    let slow = of(158.0);
    assert_eq!(slow.standing(Bottleneck::Memory), Standing::Excluded);
    let judged = slow.candidates.iter().find(|judged| judged.candidate == Bottleneck::Memory).unwrap();
    let [BottleneckEvidence::SlowForMemory { each_ns }] = judged.evidence[..] else { panic!("{judged:?}") };
    assert!((each_ns / 6.33e6 - 1.0).abs() < 0.01, "{each_ns}");
    assert_ne!(named(&slow), Some(Bottleneck::Memory));
}

/// A thread that waits for a CPU and sleeps as well is told with both shares, so that the table does not seem to deny
/// the wait.
#[test]
fn a_thread_that_waits_and_sleeps_is_told_with_both() {
    let cpu = Some(CpuShares { used: 0.1, waited: 0.31, ..CpuShares::default() });
    let card = card(vec![BottleneckSample { cpu, ..sample(4, 200.0) }]);
    let judged = card.candidates.iter().find(|judged| judged.candidate == Bottleneck::CpuContention).unwrap();
    assert_eq!(judged.standing, Standing::Excluded);
    let [BottleneckEvidence::CpuWaitedAsleep { share, asleep }] = judged.evidence[..] else {
        panic!("{judged:?}")
    };
    assert!((share - 0.31).abs() < 1e-9 && (asleep - 0.59).abs() < 1e-9, "{share} {asleep}");
}

/// Others that leave no CPU idle make the completions behind a throttle uneven: it is not excluded then.
#[test]
fn uneven_completions_exclude_no_throttle_while_no_cpu_is_idle() {
    let standing = |others: f64| {
        let cpu = Some(CpuShares { used: 0.1, others, ..CpuShares::default() });
        // As uneven as the completions of a device: 10 and 30 in random order.
        let mut seed = 7u64;
        let windows = (0..1000).map(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            Window { nanos: 5_000_000, ios: [10 + 20 * (seed >> 63), 0, 0], bytes: [0; 3] }
        });
        let mut series = Series::default();
        series.windows = windows.collect();
        let mut latency = Histogram::default();
        (1..=1000).for_each(|n| latency.record(n * 2_000, 1));
        let base = BottleneckSample { series: series.clone(), ..sample(32, 4000.0) };
        let shape = LoadShape { paced: true, ..base.shape };
        let light =
            BottleneckSample { shape, cpu, latency: [latency, Histogram::default()], ..sample(1, 1000.0) };
        card(vec![base, sample(128, 4000.0), light]).standing(Bottleneck::HiddenThrottle)
    };
    assert_eq!(standing(0.0), Standing::Excluded);
    assert_eq!(standing(0.5), Standing::Possible);
}
