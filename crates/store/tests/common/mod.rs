//! Studies drawn at random, with any finite figures and any text.
#![allow(dead_code)] // each test binary uses its part

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use stats::failure::Failure;
use stats::percentile::Goal;
use stats::series::{Series, Window};
use stats::study::*;
use stats::{Claim, Finding, Grade, Histogram};

/// Draws any number that JSON can represent.
pub fn number() -> impl Strategy<Value = f64> + Clone {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO, 0.0..1e6]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,20}", any::<String>()]
}

pub fn estimate() -> impl Strategy<Value = Estimate> {
    (number(), number(), number()).prop_map(|(value, low, high)| Estimate { value, low, high })
}

fn question() -> impl Strategy<Value = Question> {
    proptest::sample::select(Question::ALL.to_vec())
}

fn access() -> impl Strategy<Value = Access> {
    let rw = proptest::sample::select(vec!["read", "write", "randread", "randwrite", "rw", "randrw"]);
    let sync = (proptest::sample::select(SyncCall::ALL.to_vec()), any::<u64>());
    (rw, any::<u64>(), of(0..=100u32), of(sync)).prop_map(|(rw, bs, reads, sync)| Access {
        rw: rw.into(),
        bs,
        reads,
        sync: sync.map(|(call, every)| WriteSync { call, every }),
    })
}

fn cell() -> impl Strategy<Value = Cell> {
    let rate = of(any::<u64>());
    (0..3usize, access(), any::<u32>(), any::<u32>(), of(any::<u64>()), of((text(), text())), rate).prop_map(
        |(target, access, depth, jobs, span, setting, rate)| Cell {
            target,
            access,
            depth,
            jobs,
            span,
            setting,
            rate,
            hosts: None,
        },
    )
}

/// Draws a goal or none.
fn of_rank(n: u64) -> Option<Goal> {
    [None, Some(99.9)].get(n as usize % 3).map(|percentile| Goal { percentile: *percentile, nanos: n })
}

fn grade() -> impl Strategy<Value = Grade> {
    proptest::sample::select(Grade::ALL.to_vec())
}

fn finding() -> impl Strategy<Value = Finding> {
    let claim = prop_oneof![
        (number(), any::<u64>()).prop_map(|(passes, span)| Claim::TinySpan { span, passes }),
        (text(), any::<u64>()).prop_map(|(device, start_sector)| Claim::Misaligned {
            device,
            start_sector: Some(start_sector),
            block: 4096
        }),
        (any::<u64>(), number(), of(number())).prop_map(|(ios, seconds, half_width_percent)| {
            Claim::TooShort { ios, seconds, half_width_percent }
        }),
    ];
    (text(), claim).prop_map(|(job, claim)| Finding::new(job, claim))
}

fn series() -> impl Strategy<Value = Series> {
    let window = (any::<u64>(), any::<[u64; 3]>(), any::<[u64; 3]>())
        .prop_map(|(nanos, ios, bytes)| Window { nanos, ios, bytes });
    (any::<u64>(), vec(window, 0..5)).prop_map(|(period, windows)| {
        let mut series = Series::default();
        series.period = period;
        series.windows = windows;
        series
    })
}

fn trend() -> impl Strategy<Value = Trend> {
    prop_oneof![
        Just(Trend::Level),
        number().prop_map(Trend::Drifts),
        (number(), number(), number()).prop_map(|(at_s, before, after)| Trend::Steps { at_s, before, after }),
    ]
}

pub fn point(ordinal: u32) -> impl Strategy<Value = Point> {
    let when = (question(), cell(), any::<u64>(), number(), number(), number());
    let rate = (estimate(), number(), any::<u32>(), number(), number());
    let latency = (of(any::<u64>()), of(any::<u64>()), of(any::<u64>()), vec(any::<u64>(), 0..4));
    let device = (of(number()), of(number()), of(number()), number(), any::<u64>(), any::<u64>());
    let ended = proptest::sample::select(vec![Ended::Enough, Ended::TimeUp, Ended::Interrupted]);
    let rest = (ended, trend(), grade(), vec(finding(), 0..3), series(), vec(number(), 0..3));
    (when, rate, latency, device, rest).prop_map(move |(when, rate, latency, device, rest)| Point {
        ordinal,
        question: when.0,
        cell: when.1,
        began_ms: when.2,
        rest_s: when.3,
        seconds: when.4,
        cut_s: when.5,
        counted: Default::default(),
        max_ns: 0,
        iops: rate.0,
        bytes_per_second: rate.1,
        slices: rate.2,
        correlation: rate.3,
        mean_ns: rate.4,
        p50_ns: latency.0,
        p99_ns: latency.1,
        p999_ns: latency.2,
        tails: stats::study::PercentileIntervals::default(),
        util_percent: device.0,
        await_ms: device.1,
        queue: device.2,
        cpu_percent: device.3,
        ios: device.4,
        bytes: device.5,
        ended: rest.0,
        trend: rest.1,
        grade: rest.2,
        findings: rest.3,
        series: rest.4,
        latencies: latency.3.into_iter().fold(Histogram::default(), |mut all, nanos| {
            all.record(nanos, 3);
            all
        }),
        state: rest.5,
        host_iops: Vec::new(),
    })
}

fn conclusion() -> impl Strategy<Value = Conclusion> {
    let claim = prop_oneof![
        (any::<u64>(), any::<u64>(), estimate(), estimate(), any::<u32>()).prop_map(
            |(full_bandwidth, full_iops, bandwidth, iops, in_flight)| StudyClaim::Crossover {
                full_bandwidth,
                full_iops,
                bandwidth,
                iops,
                in_flight
            }
        ),
        (text(), text(), text()).prop_map(|(name, value, base)| StudyClaim::Axis { name, value, base }),
        (number(), number()).prop_map(|(before, after_s)| StudyClaim::Moved { before, after_s, by_s: None }),
        (any::<u32>(), any::<u32>()).prop_map(|(depth, jobs)| StudyClaim::Best { depth, jobs }),
    ];
    let caveat = prop_oneof![
        number().prop_map(|percent| Caveat::Drifts { percent }),
        Just(Caveat::WithinNoise),
        (number(), number()).prop_map(|(each_s, every_s)| Caveat::Pauses { each_s, every_s }),
        number().prop_map(|now| Caveat::Changed { now }),
        grade().prop_map(|grade| Caveat::Grade { grade }),
    ];
    let unit = proptest::sample::select(vec![Unit::Iops, Unit::Bytes, Unit::Seconds, Unit::Ratio]);
    let measured = (number(), any::<u64>(), any::<u64>()).prop_map(|(seconds, bytes, span)| MeasuredLoad {
        seconds,
        bytes,
        span,
    });
    (access(), question(), claim, estimate(), (unit, measured), vec(any::<u32>(), 0..4), vec(caveat, 0..3))
        .prop_map(|(access, question, claim, estimate, (unit, measured), evidence, caveats)| Conclusion {
            target: 0,
            access,
            question,
            claim,
            estimate,
            unit,
            measured,
            evidence,
            caveats,
        })
}

fn unanswered() -> impl Strategy<Value = Unanswered> {
    let why = prop_oneof![
        number().prop_map(|needs_s| Why::Budget { needs_s }),
        vec(finding(), 0..2).prop_map(|findings| Why::NotTheDevice { findings }),
        Just(Why::Interrupted),
        text().prop_map(|text| Why::Failed { text: Failure::Text(text) }),
        any::<u32>().prop_map(|point| Why::Failed { text: Failure::NotTheDevice { point } }),
        Just(Why::Failed { text: Failure::RateChanged { iops: Some(1.5) } }),
        Just(Why::Failed { text: Failure::NothingCompleted }),
    ];
    (access(), question(), why).prop_map(|(access, question, why)| Unanswered {
        target: 1,
        access,
        question,
        why,
    })
}

/// Draws a study with all its points, numbered from 0.
pub fn study() -> impl Strategy<Value = Study> {
    let asked =
        (vec(text(), 0..3), number(), vec(access(), 0..3), vec(question(), 0..3), any::<u64>(), text());
    let targets = vec((text(), any::<u64>(), vec(text(), 0..3), any::<bool>()), 0..3);
    let points = (0..5u32).prop_flat_map(|n| (0..n).map(point).collect::<Vec<_>>());
    let said = (vec(conclusion(), 0..3), vec(unanswered(), 0..2), vec(text(), 0..3), text(), number());
    (asked, targets, points, said, 0..=i64::MAX as u64, text(), any::<bool>()).prop_map(
        |(asked, targets, points, said, began_ms, version, complete)| Study {
            host: Default::default(),
            id: 0,
            version,
            began_ms,
            asked: StudyAsked {
                sweep: None,
                hosts: if complete { vec!["a".into(), "b".into()] } else { Vec::new() },
                share: if complete { "whole".into() } else { String::new() },
                targets: asked.0,
                budget_s: asked.1,
                patterns: asked.2,
                questions: asked.3,
                seed: asked.4,
                engine: asked.5,
                write: complete,
                axis: None,
                repeat: None,
                slo: of_rank(asked.4),
                wear_budget: complete.then_some(stats::wear::WearBudget::Bytes(asked.4)),
            },
            targets: targets
                .into_iter()
                .map(|(name, size, stack, scratch)| StudyTarget {
                    name,
                    size,
                    stack,
                    sector: 512,
                    scratch,
                    direct: None,
                    file: None,
                    disks: Vec::new(),
                    loop_files: Vec::new(),
                })
                .collect(),
            points,
            conclusions: said.0,
            unanswered: said.1,
            notes: said.2.into_iter().map(stats::note::NoteFact::Text).collect(),
            loads: Vec::new(),
            recommended: said.3,
            spent_s: said.4,
            complete,
        },
    )
}

/// Returns a point with `windows` windows, whose figures all follow from its number.
pub fn plain(ordinal: u32, windows: usize) -> Point {
    let mut series = Series::default();
    let window = Window { nanos: 50_000_000, ios: [u64::from(ordinal) + 1, 0, 2], bytes: [4096, 1, 0] };
    series.windows = vec![window; windows];
    Point {
        ordinal,
        question: Question::Depth,
        cell: Cell {
            target: 0,
            access: Access { rw: "randread".into(), bs: 4096, reads: None, sync: None },
            depth: 1 << (ordinal % 8),
            jobs: 1,
            span: None,
            setting: None,
            rate: None,
            hosts: None,
        },
        began_ms: u64::from(ordinal) * 1000,
        rest_s: 0.25,
        seconds: 2.0,
        cut_s: 0.5,
        counted: Default::default(),
        max_ns: 0,
        iops: Estimate::around(1000.0 + f64::from(ordinal), 10.0),
        bytes_per_second: 4096e3,
        slices: 20,
        correlation: 0.1,
        mean_ns: 1e6,
        p50_ns: Some(900_000),
        p99_ns: Some(3_000_000),
        p999_ns: None,
        tails: stats::study::PercentileIntervals::default(),
        util_percent: Some(99.5),
        await_ms: Some(1.25),
        queue: None,
        cpu_percent: 12.5,
        ios: 2000,
        bytes: 2000 * 4096,
        ended: Ended::Enough,
        trend: Trend::Level,
        grade: Grade::Caveats,
        findings: Vec::new(),
        series,
        latencies: Histogram::default(),
        state: Vec::new(),
        host_iops: Vec::new(),
    }
}

/// Returns a study at its start, without points.
pub fn begun() -> Study {
    Study {
        version: "0.1.0".into(),
        began_ms: 1_700_000_000_000,
        asked: StudyAsked { targets: vec!["/dev/sda".into()], budget_s: 120.0, ..StudyAsked::default() },
        ..Study::default()
    }
}
