#![allow(clippy::unwrap_used)]

use super::*;
use crate::finding::{Claim, Finding, Grade};
use crate::histogram::Histogram;
use crate::measured::{Conditions, Quantile, Spread};
use crate::series::{Series, Window};

/// A load as a file of fio says it: values without intervals.
fn bare(name: &str, iops: f64, mean_ns: f64) -> Measured {
    let latency = Spread {
        n: 100_000,
        mean_ns,
        quantiles: vec![Quantile { percent: 50.0, ns: 0.9 * mean_ns, between: None }],
        ..Spread::default()
    };
    Measured {
        name: name.into(),
        access: Access { rw: "randread".into(), bs: 4096, reads: None, sync: None },
        depth: 8,
        jobs: 1,
        seconds: 10.0,
        flows: vec![Flow {
            ios: (10.0 * iops) as u64,
            iops: Estimate::bare(iops),
            bytes_per_second: 4096.0 * iops,
            clat: Some(latency),
            ..Flow::default()
        }],
        conditions: Conditions { direct: Some(true), span: Some(1 << 30), ..Conditions::default() },
        ..Measured::default()
    }
}

/// The same, known within so many percent.
fn within(name: &str, iops: f64, percent: f64) -> Measured {
    let mut load = bare(name, iops, 8e9 / iops);
    load.flows[0].iops = Estimate::around(iops, iops * percent / 100.0);
    load
}

fn side(loads: Vec<Measured>) -> Side {
    Side { name: "x".into(), loads }
}

fn rate(found: &Comparison) -> &MetricRow {
    found.rows.iter().find(|r| r.metric == Metric::Iops).unwrap()
}

#[test]
fn what_is_known_is_told_apart_and_what_is_not_is_not() {
    let of = |a: Measured, b: Measured| compare(&side(vec![a]), &side(vec![b]), false);
    let verdict =
        |a: f64, b: f64, percent: f64| rate(&of(within("j", a, percent), within("j", b, percent))).verdict;
    assert_eq!(verdict(500.0, 550.0, 1.0), Verdict::More);
    assert_eq!(verdict(550.0, 500.0, 1.0), Verdict::Less);
    assert_eq!(verdict(500.0, 505.0, 1.0), Verdict::Same);
    assert_eq!(verdict(500.0, 550.0, 8.0), Verdict::Unknown);
    // By less than one pair of runs can tell.
    assert_eq!(verdict(500.0, 515.0, 0.5), Verdict::Unknown);
    let plain = of(bare("j", 500.0, 1e6), bare("j", 900.0, 5e5));
    assert!(plain.rows.iter().all(|r| r.verdict == Verdict::Unknown && r.why == Some(Unsure::NoInterval)));
    assert_eq!((rate(&plain).ratio.value, plain.verdict(), plain.at_once), (1.8, Verdict::Unknown, 0));
    // One side that is known does not make up for one that is not.
    assert_eq!(rate(&of(within("j", 500.0, 1.0), bare("j", 900.0, 1e6))).verdict, Verdict::Unknown);
}

#[test]
fn runs_that_repeat_each_other_make_the_interval() {
    let run = |n: usize, load: Measured| Measured { source: format!("R{n}"), ..load };
    let runs =
        |rates: &[f64]| side(rates.iter().enumerate().map(|(n, r)| run(n, bare("j", *r, 8e9 / r))).collect());
    let near = compare(&runs(&[500.0, 502.0, 498.0, 501.0]), &runs(&[549.0, 551.0, 552.0, 550.0]), false);
    assert_eq!((rate(&near).verdict, near.pairs[0].repeats), (Verdict::More, [4, 4]));
    let mean = near.rows.iter().find(|r| r.metric == Metric::Mean).unwrap();
    assert_eq!(mean.verdict, Verdict::Less);
    assert!(mean.slower_percent() < -5.0 && rate(&near).slower_percent() < -5.0);
    let far = compare(&runs(&[400.0, 600.0, 450.0, 560.0]), &runs(&[450.0, 660.0, 500.0, 600.0]), false);
    assert_eq!(rate(&far).verdict, Verdict::Unknown);
    assert_eq!(rate(&far).why, Some(Unsure::Unknowable), "{far:?}");
    let unclear = compare(&runs(&[480.0, 500.0, 520.0, 505.0]), &runs(&[510.0, 540.0, 525.0, 500.0]), false);
    let Some(Unsure::MoreRuns { each }) = rate(&unclear).why else { panic!("{unclear:?}") };
    assert!((5..=40).contains(&each), "{unclear:?}");
    // Two alike by chance are no proof: their own intervals are a floor.
    let chance = |a: f64, b: f64| {
        let twice = |rate: f64| side((0..2).map(|n| run(n, within("j", rate, 8.0))).collect());
        compare(&twice(a), &twice(b), false)
    };
    assert_eq!(rate(&chance(500.0, 530.0)).verdict, Verdict::Unknown);
}

/// A chance to be wrong for all metrics together: the more are judged, the wider each interval.
#[test]
fn the_more_is_judged_at_once_the_wider_the_intervals() {
    let loads =
        |n: u32, iops: f64| side((1..=n).map(|depth| Measured { depth, ..within("j", iops, 3.0) }).collect());
    let half = |n: u32| {
        let found = compare(&loads(n, 500.0), &loads(n, 500.0), false);
        (found.at_once, rate(&found).ratio.high.ln())
    };
    let ((few, narrow), (many, wide)) = (half(1), half(20));
    // Bytes and the mean follow from the rate.
    assert_eq!((few, many), (1, 20));
    // Student's t of nine degrees of freedom for what a run says of itself, of ten for the default between runs.
    let expected = |n: f64| {
        let t = |freedom: f64| crate::quantile::student_t(1.0 - 0.025 / n, freedom);
        let own = 0.03 * t(9.0) / t_975();
        let level = DEFAULT_BETWEEN * 2f64.sqrt() * t(DEFAULT_FREEDOM);
        level.hypot((1.0 + own).ln().hypot(-(1.0 - own).ln()))
    };
    assert!((narrow / expected(1.0) - 1.0).abs() < 1e-6, "{narrow}");
    assert!((wide / expected(20.0) - 1.0).abs() < 1e-6 && wide > 1.6 * narrow, "{wide} {narrow}");
}

fn t_975() -> f64 {
    crate::quantile::student_t(0.975, 9.0)
}

/// One run against one: runs differ, and the interval says so although each run knows its own rate well.
#[test]
fn a_single_pair_allows_for_what_runs_differ_by() {
    let of = |b: f64, history: &[f64]| {
        let at = |n: u64, rate: f64| {
            let began_ms = 1000 * n;
            Measured { source: format!("R{n}"), began_ms, ..within("j", rate, 0.2) }
        };
        let history: Vec<Measured> = (1..).zip(history).map(|(n, rate)| at(n, *rate)).collect();
        compare_with(&side(vec![at(100, 500.0)]), &side(vec![at(101, b)]), &history, false)
    };
    // Six percent is no difference that one pair can show, ten is.
    let six = of(470.0, &[]);
    assert_eq!(rate(&six).verdict, Verdict::Unknown);
    assert!(matches!(rate(&six).why, Some(Unsure::MoreRuns { each: 3.. })), "{six:?}");
    assert_eq!(rate(&of(450.0, &[])).verdict, Verdict::Less);
    assert_eq!((six.learned_from, six.between), (0, DEFAULT_BETWEEN));
    // Runs of the same job that hardly differ make six percent a difference; runs that differ make ten none.
    let calm = of(470.0, &[500.0, 501.0].repeat(10));
    assert_eq!((rate(&calm).verdict, calm.learned_from), (Verdict::Less, 20), "{calm:?}");
    assert_eq!(rate(&of(450.0, &[500.0, 560.0].repeat(10))).verdict, Verdict::Unknown);
    // Runs of another depth say nothing.
    let mut other = within("j", 900.0, 0.2);
    other.depth = 1;
    let found = compare_with(
        &side(vec![within("j", 500.0, 0.2)]),
        &side(vec![within("j", 450.0, 0.2)]),
        &[other],
        false,
    );
    assert_eq!((found.learned_from, rate(&found).verdict), (0, Verdict::Less));
}

/// Half of the I/Os take one time and half another: the median is whichever has a few more, and neither run knows which.
/// And a ratio between a hundredth and a hundred is not known at all.
#[test]
fn a_median_between_two_kinds_of_answers_is_not_told_apart() {
    let load = |fast: u64| {
        let mut load = bare("j", 1000.0, 1e6);
        let mut histogram = Histogram::default();
        histogram.record(10_000, fast);
        histogram.record(1_990_000, 10_000 - fast);
        let series = Window { nanos: 50_000_000, ios: [50, 0, 0], bytes: [4096 * 50, 0, 0] };
        let mut all = Series::with(Series::WINDOW);
        all.windows = vec![series; 200];
        load.series = Some(all);
        let ns = histogram.quantile(50.0).unwrap() as f64;
        load.flows[0].clat = Some(Spread {
            n: 10_000,
            mean_ns: 1e6,
            stddev_ns: 0.99e6,
            quantiles: vec![Quantile { percent: 50.0, ns, between: None }],
            histogram: Some(histogram),
            ..Spread::default()
        });
        load
    };
    let median = |a: u64, b: u64| {
        let found = compare(&side(vec![load(a)]), &side(vec![load(b)]), false);
        found.rows.iter().find(|r| r.metric == Metric::P50).unwrap().clone()
    };
    let found = median(4_950, 5_050);
    assert!(found.ratio.value < 0.01 && !found.ratio.is_known(), "{found:?}");
    assert!(
        found.verdict == Verdict::Unknown && matches!(found.why, Some(Unsure::MoreRuns { .. })),
        "{found:?}"
    );
    // A share that is another beyond doubt is a difference.
    assert_eq!(median(3_000, 7_000).verdict, Verdict::Less);
}

#[test]
fn loads_are_paired_by_what_they_do_and_then_by_name() {
    let at = |name: &str, depth: u32, iops: f64| Measured { depth, ..within(name, iops, 1.0) };
    let a = side(vec![at("one", 1, 100.0), at("two", 8, 200.0), at("three", 8, 300.0), at("left", 64, 1.0)]);
    let b =
        side(vec![at("three", 8, 300.0), at("other", 1, 100.0), at("two", 8, 200.0), at("new", 128, 1.0)]);
    let found = compare(&a, &b, false);
    let names: Vec<[&str; 2]> = found.pairs.iter().map(|p| p.names.each_ref().map(String::as_str)).collect();
    assert_eq!(names, [["one", "other"], ["two", "two"], ["three", "three"]]);
    let alone: Vec<(usize, &str)> =
        found.alone.iter().map(|(side, name, _)| (*side, name.as_str())).collect();
    assert_eq!(alone, [(0, "left"), (1, "new")]);
    let judged = found.rows.iter().filter(|r| r.why != Some(Unsure::NoInterval));
    assert!(judged.clone().count() == 9 && judged.clone().all(|r| r.verdict == Verdict::Same), "{found:?}");
    // A file that does not say its pattern is paired by name.
    let vague = Measured { access: Access::default(), depth: 0, jobs: 0, ..within("two", 200.0, 1.0) };
    let found = compare(&a, &side(vec![vague]), false);
    assert_eq!((found.pairs[0].names[0].as_str(), found.alone.len()), ("two", 3));
    let none = compare(&side(vec![at("a", 1, 1.0), at("b", 2, 1.0)]), &side(vec![at("c", 3, 1.0)]), false);
    assert!(none.is_refused() && none.unequal == [Unequal::NothingInCommon] && none.alone.len() == 3);
}

#[test]
fn what_is_not_equal_is_refused_or_told() {
    let base = || within("j", 500.0, 1.0);
    let of = |change: fn(&mut Measured)| {
        let mut other = base();
        change(&mut other);
        compare(&side(vec![base()]), &side(vec![other]), false)
    };
    let finding = |claim| Finding::new(String::new(), claim);
    let refused: [fn(&mut Measured); 8] = [
        |m| m.conditions.direct = Some(false),
        |m| m.conditions.span = Some((1 << 31) + 1),
        |m| m.access.bs = 8192,
        |m| m.access.rw = "randwrite".into(),
        |m| m.depth = 9,
        |m| m.jobs = 2,
        |m| m.access.reads = Some(70),
        |m| m.access.rw = "read".into(),
    ];
    for (n, change) in refused.into_iter().enumerate() {
        let found = of(change);
        // A read share known on one side only is no difference.
        assert_eq!(found.is_refused(), n != 6, "{n}: {found:?}");
        assert_eq!(found.rows.is_empty(), n != 6, "{n}");
    }
    let claims = [
        (Claim::PageCache { app: 100, storage: 10, span: 1, memory: 2 }, true),
        (Claim::PageCache { app: 100, storage: 80, span: 1, memory: 2 }, false),
        (Claim::NeverWritten { path: String::new(), bytes: 2, size: 100 }, true),
        (Claim::Zeros { path: String::new(), zero: 30, sampled: 64, moved: false }, true),
        (Claim::Generator { percent: 99.0 }, true),
        (Claim::CpuTakenAway { throttled_ms: 900, steal_percent: 0.0 }, true),
        (Claim::TinySpan { span: 1, passes: 9.0 }, false),
    ];
    for (claim, refuses) in claims {
        let mut other = base();
        other.findings = vec![finding(claim.clone())];
        let found = compare(&side(vec![other.clone()]), &side(vec![base()]), false);
        assert_eq!(found.is_refused(), refuses, "{claim:?}");
        assert!(found.unequal.iter().any(|u| matches!(u, Unequal::Grade { side: 0, .. })), "{claim:?}");
        // On both sides it is the same for both.
        let both = compare(&side(vec![other.clone()]), &side(vec![other]), false);
        assert!(!both.is_refused() && !both.rows.is_empty(), "{claim:?}");
    }
    // Bound by the processor or nearly: a threshold between two that are alike makes them no less so.
    let busy = |percent: f64, found: bool| {
        let mut load = base();
        load.cpu_percent = Some([percent / 2.0, percent / 2.0]);
        load.findings = found.then(|| finding(Claim::Generator { percent })).into_iter().collect();
        side(vec![load])
    };
    assert!(!compare(&busy(88.0, false), &busy(98.0, true), false).is_refused());
    assert!(compare(&busy(60.0, false), &busy(98.0, true), false).is_refused());
    let told: [fn(&mut Measured); 5] = [
        |m| m.conditions.engine = Some("psync".into()),
        |m| m.conditions.kernel = Some("6.1".into()),
        |m| m.conditions.host = "b".into(),
        |m| m.conditions.by = crate::FIO_VERSION.into(),
        |m| m.conditions.stack = vec!["xfs".into()],
    ];
    for change in told {
        let mut mine = base();
        mine.conditions = Conditions {
            engine: Some("io_uring".into()),
            kernel: Some("6.8".into()),
            host: "a".into(),
            by: "fathom 0.1.0".into(),
            stack: vec!["ext4".into()],
            ..mine.conditions
        };
        let mut other = mine.clone();
        change(&mut other);
        let found = compare(&side(vec![mine.clone()]), &side(vec![other]), false);
        assert!(found.unequal.len() == 1 && !found.is_refused(), "{found:?}");
        let unknown = compare(&side(vec![mine]), &side(vec![base()]), false);
        assert!(unknown.unequal.is_empty(), "{unknown:?}");
    }
    // A file and the raw device are two kinds of target; two files or two devices are compared, and named.
    let on = |target: &str, layers: &[&str]| {
        let mut load = base();
        load.conditions.target = target.into();
        load.conditions.stack = layers.iter().map(ToString::to_string).collect();
        side(vec![load])
    };
    let (file, device) = (on("/srv/a", &["ext4", "sda (disk)"]), on("/dev/sda", &["sda (disk)"]));
    assert!(compare(&file, &device, false).is_refused());
    let found = compare(&device, &on("/dev/sdb", &["sdb (disk)"]), false);
    assert!(!found.is_refused(), "{found:?}");
    let paths = ["/dev/sda".to_string(), "/dev/sdb".to_string()];
    assert!(found.unequal.contains(&Unequal::Target { paths }), "{found:?}");
    let anyway = compare(&side(vec![base()]), &side(vec![Measured { depth: 9, ..base() }]), true);
    assert!(!anyway.rows.is_empty() && anyway.unequal.iter().any(Unequal::refuses));
    assert_eq!(Grade::NotTheDevice.letter(), "X");
}

#[test]
fn slower_is_fewer_or_longer_and_only_what_is_told_apart_counts() {
    let runs = |rate: f64, percent: f64| {
        side((0..12).map(|n| Measured { source: format!("R{n}"), ..within("j", rate, percent) }).collect())
    };
    let of = |b: f64, percent: f64| compare(&runs(500.0, percent), &runs(b, percent), false);
    let slow = of(470.0, 0.5);
    let metrics: Vec<Metric> = slow.slower_by(5.0).map(|r| r.metric).collect();
    assert_eq!(metrics, [Metric::Iops, Metric::Bandwidth, Metric::Mean, Metric::P50]);
    assert_eq!(slow.slower_by(7.0).count(), 0);
    assert_eq!(of(530.0, 0.5).slower_by(0.0).count(), 0);
    let wide = of(470.0, 20.0);
    assert!(wide.slower_by(5.0).all(|r| r.metric == Metric::P50), "{wide:?}");
    // Two percent are found where two are asked about, though they do not matter to the verdict.
    let little = of(485.0, 0.5);
    assert!(little.slower_by(2.0).count() == 4 && little.verdict() == Verdict::Same);
}

#[test]
fn clones_that_one_file_reports_apart_are_one_load() {
    let apart = side(vec![bare("j", 100.0, 1e6), bare("j", 300.0, 3e6)]);
    let one = side(vec![Measured { jobs: 2, ..bare("j", 440.0, 2e6) }]);
    let found = compare(&apart, &one, false);
    assert_eq!((found.pairs.len(), found.pairs[0].shape.jobs, found.pairs[0].repeats), (1, 2, [1, 1]));
    assert_eq!((rate(&found).sides[0].value, rate(&found).ratio.value), (400.0, 1.1));
}

/// fio's results have percentiles of clat only, ours of clat and lat: the two kinds are never compared with each other.
#[test]
fn latencies_of_one_kind_are_compared() {
    let ours = || {
        let mut load = bare("j", 500.0, 1e6);
        load.flows[0].lat = bare("j", 500.0, 5e6).flows[0].clat.clone();
        load
    };
    let median = |a: Measured, b: Measured| {
        let found = compare(&side(vec![a]), &side(vec![b]), false);
        found.rows.iter().find(|r| r.metric == Metric::P50).map(|r| (r.latency, r.ratio.value))
    };
    assert_eq!(median(ours(), bare("j", 500.0, 1e6)), Some((Some(LogKind::Clat), 1.0)));
    assert_eq!(median(ours(), ours()), Some((Some(LogKind::Lat), 1.0)));
    let mut neither = ours();
    neither.flows[0].clat = None;
    assert_eq!(median(neither, bare("j", 500.0, 1e6)), None);
}

/// A target that is faster for a while and slower for another: its I/Os go together, so few of them count, and whatever
/// moves the rate moves the percentiles too.
#[test]
fn percentile_is_known_no_better_than_its_independent_ios_allow() {
    let mut load = bare("j", 500.0, 1e6);
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    let mut series = Series::with(Series::WINDOW);
    series.windows = (0..400)
        .map(|_| {
            let ios = (25.0 * (0.4 + 1.2 * next())) as u64;
            Window { nanos: 50_000_000, ios: [ios, 0, 0], bytes: [4096 * ios, 0, 0] }
        })
        .collect();
    let mut histogram = Histogram::default();
    (0..100_000).for_each(|_| histogram.record((0.99e6 + 0.02e6 * next()) as u64, 1));
    let quantile =
        |percent: f64| Quantile { percent, ns: histogram.quantile(percent).unwrap() as f64, between: None };
    let spread = Spread {
        n: 100_000,
        mean_ns: 1e6,
        stddev_ns: 0.1e6,
        quantiles: [50.0, 99.0].map(quantile).to_vec(),
        histogram: Some(histogram.clone()),
        ..Spread::default()
    };
    load.flows[0].clat = Some(spread);
    load.series = Some(series);
    let found = compare(&side(vec![load.clone()]), &side(vec![load.clone()]), false);
    let of = |metric: Metric| found.rows.iter().find(|r| r.metric == metric).unwrap();
    let half = |metric: Metric| of(metric).ratio.high - 1.0;
    assert!(half(Metric::Iops) > 0.015 && half(Metric::P50) > half(Metric::Iops), "{found:?}");
    assert!(half(Metric::Mean) > 0.999 * half(Metric::Iops));
    assert_eq!(of(Metric::P99).why, Some(Unsure::TooFew));
    // The series of a load with a rate limit does not show the precision of latencies.
    load.conditions.paced = true;
    let paced = compare(&side(vec![load.clone()]), &side(vec![load]), false);
    let judged = |metric: Metric| paced.rows.iter().find(|r| r.metric == metric).unwrap().ratio.is_known();
    assert_eq!([Metric::Iops, Metric::Mean, Metric::P50].map(judged), [true, false, false]);
}
