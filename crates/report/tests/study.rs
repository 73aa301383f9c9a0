//! The sentences of a study hold its estimate, its interval and what it was measured on, and say nothing beyond.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use stats::depth_curve::{DepthCurve, DepthLaw, Scalability, TwoLines};
use stats::percentile::Goal;
use stats::study::{
    Access, Cap, CapSign, Conclusion, Estimate, MeasuredLoad, Question, Regime, StudyClaim, Unit,
};

/// The number of `12.3 GB` or `104.9 MB/s`.
fn scaled(number: &str, unit: &str) -> Option<f64> {
    let factor = match unit.trim_matches(|c: char| ",;:]".contains(c)).trim_end_matches("/s") {
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        "PB" => 1e15,
        _ => 1.0,
    };
    Some(number.parse::<f64>().ok()? * factor)
}

/// The numbers of `800.0 IOPS (796.2 to 803.9)` in a sentence, and of its `[measured for ...]`.
fn read_back(text: &str) -> Option<([f64; 3], [f64; 3])> {
    let (open, low, high) = text.match_indices('(').find_map(|(open, _)| {
        let (low, high) = text[open + 1..].split_once(')')?.0.split_once(" to ")?;
        Some((open, low.parse::<f64>().ok()?, high.parse::<f64>().ok()?))
    })?;
    let before: Vec<&str> = text[..open].split_whitespace().collect();
    let at = before.iter().rposition(|word| word.parse::<f64>().is_ok())?;
    let unit = before.get(at + 1).copied().unwrap_or_default();
    let estimate = [before[at].parse().ok()?, low, high].map(|n: f64| n * scaled("1", unit).unwrap_or(1.0));
    let measured = &text[text.rfind("[measured for ")?..];
    let words: Vec<&str> = measured.split_whitespace().collect();
    let numbers: Vec<f64> = words
        .windows(2)
        .filter(|pair| pair[0].starts_with(|c: char| c.is_ascii_digit()))
        .filter_map(|pair| scaled(pair[0], pair[1]))
        .collect();
    let [seconds, bytes, region] = numbers[..] else { return None };
    Some((estimate, [seconds, bytes, region]))
}

fn claims() -> impl Strategy<Value = (StudyClaim, Unit, Question)> {
    let some = Estimate { value: 900.0, low: 890.0, high: 910.0 };
    prop_oneof![
        (1u32..512).prop_map(move |in_flight| (
            StudyClaim::Knee {
                in_flight,
                between: None,
                there: some,
                mean_ns: 1e6,
                p99_ns: Some(3_000_000),
                p99_between: Some([2_900_000, 3_100_000]),
                alone_ns: 9e5,
                bound: 3.0
            },
            Unit::Iops,
            Question::Depth
        )),
        (1u32..512).prop_map(|up_to| (
            StudyClaim::NoKnee { up_to, mean_ns: 1e6, alone_ns: 9e5 },
            Unit::Iops,
            Question::Depth
        )),
        (1u32..512, any::<bool>()).prop_map(|(up_to, above_device)| (
            StudyClaim::OneLimit { up_to, alone_ns: 2e6, above_device },
            Unit::Iops,
            Question::Depth
        )),
        (1u32..512).prop_map(|in_flight| (
            StudyClaim::Generator { in_flight, jobs: 2, cpu_percent: 99.0 },
            Unit::Iops,
            Question::Depth
        )),
        (1u32..512).prop_map(|in_flight| (
            StudyClaim::Drifts { in_flight, before: 77.0, over_s: 12.0 },
            Unit::Iops,
            Question::Depth
        )),
        (9u32..26).prop_map(move |bits| (
            StudyClaim::Crossover {
                full_bandwidth: 1 << bits,
                full_iops: 4096,
                bandwidth: some,
                iops: some,
                in_flight: 8
            },
            Unit::Bytes,
            Question::Bs
        )),
        prop_oneof![
            Just(Regime::Steady),
            Just(Regime::Drift),
            Just(Regime::Stepped),
            Just(Regime::Bursts { every_s: 0.1 })
        ]
        .prop_map(|regime| (
            StudyClaim::Runtime {
                statistics_s: 3.0,
                percentile_s: Some(1.0),
                warm_up_s: 0.5,
                within_percent: 5.0,
                percentile_percent: 10.0,
                regime
            },
            Unit::Seconds,
            Question::Runtime
        )),
        prop_oneof![Just(DepthLaw::TwoLines), Just(DepthLaw::Contention), Just(DepthLaw::Either)].prop_map(
            |shape| (
                StudyClaim::Curve {
                    curve: DepthCurve {
                        shape,
                        lines: TwoLines { each: 100.0, most: 900.0 },
                        scalability: Scalability { each: 100.0, contention: 0.02, coherency: 1e-4 },
                        lines_off_percent: 0.5,
                        scalability_off_percent: 12.0
                    },
                    up_to: 256
                },
                Unit::Iops,
                Question::Depth
            )
        ),
        (2u32..16).prop_map(|jobs| (StudyClaim::Jobs { jobs, in_flight: 32 }, Unit::Ratio, Question::Jobs)),
        (2u32..300, 1u32..300, proptest::option::of(0.1..1.0f64)).prop_map(move |(all, enough, fairness)| (
            StudyClaim::Hosts {
                enough: enough.min(all),
                between: (enough.min(all), all),
                all,
                in_flight: 2 * all,
                shares: vec![(enough.min(all - 1), some)],
                fairness,
                uneven: fairness.map(|index| [("a".into(), 100.0 * index), ("b".into(), 1e4)])
            },
            Unit::Ratio,
            Question::Hosts
        )),
        Just((StudyClaim::Span { part: 1 << 24, whole: 1 << 30 }, Unit::Ratio, Question::Span)),
        Just((
            StudyClaim::Moved { before: 5000.0, after_s: 11.0, by_s: Some(23.0) },
            Unit::Iops,
            Question::Depth
        )),
        (3u32..100).prop_map(move |rounds| (
            StudyClaim::Repeat {
                rounds,
                over_s: 86_400.0,
                in_flight: 8,
                between_percent: Estimate { value: 3.0, low: 2.0, high: 5.0 },
                within_percent: 0.5
            },
            Unit::Iops,
            Question::Repeat
        )),
        (0u64..1 << 40, any::<bool>()).prop_map(move |(nanos, mean)| (
            StudyClaim::Kept {
                goal: Goal { percentile: (!mean).then_some(99.9), nanos },
                there: mean.then_some(some),
                most: some
            },
            Unit::Iops,
            Question::Slo
        )),
        (0u64..1 << 40).prop_map(move |nanos| (
            StudyClaim::AlwaysKept { goal: Goal { percentile: Some(50.0), nanos }, most: some },
            Unit::Iops,
            Question::Slo
        )),
        (0u64..1 << 40).prop_map(|nanos| (
            StudyClaim::NeverKept { goal: Goal { percentile: None, nanos }, down_to: 31.25 },
            Unit::Micros,
            Question::Slo
        )),
        Just((
            StudyClaim::Cap { of: Cap::Bytes, sizes: [4096, 16384], sign: CapSign::SameBytes },
            Unit::BytesPerSecond,
            Question::Depth
        )),
        Just((StudyClaim::Best { depth: 16, jobs: 4 }, Unit::Iops, Question::Grid)),
    ]
}

proptest! {
    #[test]
    fn words_can_be_read_back(
        (claim, unit, question) in claims(),
        value in 0.01f64..1e7,
        (below, above) in (0.0f64..0.5, 0.0f64..0.5),
        (seconds, bytes, span) in (0.1f64..1e4, 1u64..1 << 50, 512u64..1 << 50),
    ) {
        let estimate = Estimate { value, low: value * (1.0 - below), high: value * (1.0 + above) };
        let conclusion = Conclusion {
            target: 0,
            access: Access { rw: "randread".into(), bs: 4096, reads: None, sync: None },
            question,
            claim,
            estimate,
            unit,
            measured: MeasuredLoad { seconds, bytes, span },
            evidence: vec![0],
            caveats: Vec::new(),
        };
        let text = report::study::sentence(report::Lang::En, &conclusion);
        let (figures, [s, b, sp]) = read_back(&text).unwrap_or_else(|| panic!("{text}"));
        for (said, meant) in figures.into_iter().zip([estimate.value, estimate.low, estimate.high]) {
            // Four digits at least, three behind the point for what is small.
            prop_assert!((said - meant).abs() <= (meant.abs() * 5.1e-4).max(5.1e-4), "{said} for {meant}: {text}");
        }
        // What is claimed lies in the interval: its ends are rounded towards the middle never by more than is shown.
        prop_assert!(figures[1] <= figures[0] && figures[0] <= figures[2], "{text}");
        prop_assert!((s - seconds).abs() <= (seconds * 5.1e-4).max(5.1e-4), "{text}");
        // Sizes have three digits.
        for (said, meant) in [(b, bytes as f64), (sp, span as f64)] {
            prop_assert!((said - meant).abs() <= meant * 5.1e-3, "{said} for {meant}: {text}");
        }
    }
}
