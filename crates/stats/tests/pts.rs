//! Steady state of the SNIA tests against a second implementation, which follows the text of the specification
//! (docs/pts.md) and shares no code with the first.
#![allow(clippy::unwrap_used)]

use stats::Histogram;
use stats::pts::{
    PtsAsked, PtsDevice, PtsEvent, PtsExtent, PtsLoad, PtsPhase, PtsPoint, PtsProgress, PtsProtocol,
    PtsPurge, PtsQuantity, PtsSample, PtsSteady, PtsStep, PtsTest, PtsWindow, PtsWriteCache,
};

/// Numbers in (0, 1) from a seed.
struct Draws(u64);

impl Draws {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// The text: with the round numbers x, the line y = m x + c is fitted by least squares; the largest minus the smallest
/// value must be at most 20 % of the average, and the line may rise or fall by at most 10 % of the average between its
/// values at the first and the last round.
fn by_the_text(x: &[f64], y: &[f64]) -> (f64, f64, bool) {
    let n = x.len() as f64;
    let (sx, sy): (f64, f64) = (x.iter().sum(), y.iter().sum());
    let sxx: f64 = x.iter().map(|x| x * x).sum();
    let sxy: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
    let m = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    let c = (sy - m * sx) / n;
    let mut sorted = y.to_vec();
    sorted.sort_by(f64::total_cmp);
    let average = sy / n;
    let at = |x: f64| m * x + c;
    let rise = (at(*x.last().unwrap()) - at(x[0])).abs();
    (m, c, sorted[y.len() - 1] - sorted[0] <= 0.20 * average && rise <= 0.10 * average)
}

fn near(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 1e-9 * size.max(1e-300)
}

#[test]
fn windows_equal_the_second_implementation() {
    let mut draws = Draws(1);
    let mut verdicts = [0u32; 2];
    for _ in 0..20_000 {
        let level = 10f64.powf(8.0 * draws.unit() - 1.0);
        let (noise, drift) = (0.12 * draws.unit(), 0.1 * (draws.unit() - 0.5));
        let first = 1 + (draws.unit() * 21.0) as u32;
        let values: [f64; 5] =
            std::array::from_fn(|n| level * (1.0 + drift * n as f64 + noise * draws.normal()).max(0.01));
        let rounds: Vec<f64> = (0..5).map(|n| f64::from(first + n)).collect();
        let (slope, intercept, steady) = by_the_text(&rounds, &values);
        let window = PtsWindow::of(first, values);
        assert!(near(window.slope, slope, level) && near(window.intercept, intercept, level * 100.0));
        // A value exactly on a limit may be rounded to either side.
        let [a, b] = [
            window.excursion / window.allowed_excursion - 1.0,
            window.slope_excursion / window.allowed_slope_excursion - 1.0,
        ];
        if a.abs() > 1e-9 && b.abs() > 1e-9 {
            assert_eq!(window.met(), steady, "{window:?}");
            verdicts[usize::from(steady)] += 1;
        }
    }
    assert!(verdicts.iter().all(|count| *count > 2000), "{verdicts:?}");
}

/// The limits belong to the steady state. Values whose sums are exact.
#[test]
fn limits_are_inclusive() {
    // Average 100: range 20, and no slope.
    let range = PtsWindow::of(1, [90.0, 110.0, 100.0, 110.0, 90.0]);
    assert!(range.met() && range.excursion == 20.0 && range.slope == 0.0, "{range:?}");
    assert!(!PtsWindow::of(1, [89.0, 110.0, 102.0, 110.0, 89.0]).excursion_met);
    // Average 80, slope 2: the line rises by 8.
    let slope = PtsWindow::of(3, [76.0, 78.0, 80.0, 82.0, 84.0]);
    assert!(slope.met() && slope.slope_excursion == 8.0 && slope.intercept == 70.0, "{slope:?}");
    assert_eq!((slope.last(), slope.fitted(7)), (7, 84.0));
    let steeper = PtsWindow::of(3, [75.5, 77.75, 80.0, 82.25, 84.5]);
    assert!(!steeper.slope_met && steeper.excursion_met, "{steeper:?}");
    assert!(!PtsWindow::of(1, [0.0; 5]).met(), "a load that completes nothing is not steady");
}

/// The first round at which every variable is steady ends the window.
#[test]
fn window_ends_at_the_first_round_at_which_all_variables_are_steady() {
    let mut draws = Draws(2);
    let load = PtsLoad::random(0, 4096, 4, 32);
    for _ in 0..2000 {
        let rounds = 1 + (draws.unit() * 25.0) as usize;
        let variables: Vec<Vec<f64>> = (0..3)
            .map(|_| {
                let fall = 0.4 + 0.6 * draws.unit();
                (0..rounds)
                    .map(|n| 1000.0 * (1.0 + 4.0 * fall.powi(n as i32)) * (1.0 + 0.03 * draws.normal()))
                    .collect()
            })
            .collect();
        let numbers: Vec<f64> = (1..=rounds).map(|n| n as f64).collect();
        let steady_at = |last: usize| {
            variables.iter().all(|v| by_the_text(&numbers[last - 5..last], &v[last - 5..last]).2)
        };
        let expected = (5..=rounds).find(|last| steady_at(*last)).map(|round| round as u32);
        let steady = PtsSteady::of(variables.iter().map(|v| (load, PtsQuantity::Iops, v.clone())));
        assert_eq!(steady.met_at, expected);
        let last = expected.unwrap_or(rounds as u32);
        assert_eq!(steady.window, last.checked_sub(4).filter(|first| *first > 0).map(|first| [first, last]));
    }
}

/// Shares of windows of five rounds with normal noise that pass, as another simulation found them.
#[test]
fn share_of_steady_windows_by_noise_is_the_known_one() {
    let mut draws = Draws(3);
    for (noise, expected) in
        [(0.02, 0.999), (0.04, 0.95), (0.05, 0.86), (0.06, 0.75), (0.08, 0.48), (0.10, 0.30)]
    {
        let trials = 8000;
        let passed = (0..trials)
            .filter(|_| PtsWindow::of(1, std::array::from_fn(|_| 1.0 + noise * draws.normal())).met())
            .count();
        let share = passed as f64 / f64::from(trials);
        assert!((share - expected).abs() < 0.03, "noise {noise}: {share} of {expected}");
    }
}

#[test]
fn rounds_left_follow_the_trend() {
    let load = PtsLoad::random(0, 4096, 4, 32);
    let of = |values: Vec<f64>| PtsSteady::of([(load, PtsQuantity::Iops, values)]).rounds_left();
    assert_eq!(of(vec![10.0; 2]), 3);
    assert_eq!(of(vec![10.0; 5]), 0);
    let falling: Vec<f64> = (0..20).map(|n| 100.0 + 900.0 * 0.7f64.powi(n)).collect();
    let needed = (5..20).find(|n| of(falling[..*n as usize].to_vec()) == 0).unwrap();
    let left = of(falling[..7].to_vec());
    assert!((i64::from(left) - (needed - 7)).abs() <= 3, "{left}, in fact {}", needed - 7);
}

/// A study whose steps take `beyond_s` longer than their nominal duration. `rate` is the rate of a round. Returns the
/// steps, and the progress before each with the time at which it was computed.
fn study_with_known_durations(
    test: PtsTest,
    beyond_s: f64,
    rate: impl Fn(u32) -> f64,
) -> (Vec<PtsPoint>, Vec<(f64, PtsPhase, PtsProgress)>, f64) {
    let asked = PtsAsked {
        tests: vec![test],
        scale: 60,
        active_range_percent: 100.0,
        threads: 2,
        depth: 16,
        demand_block: 8192,
        demand_reads: 65,
        most_rounds: 25,
        ..PtsAsked::default()
    };
    let device = PtsDevice { bytes: 1 << 30, sector: 512, ..PtsDevice::default() };
    let protocol = PtsProtocol::of(test, &asked, &device);
    let (mut points, mut progress, mut now_s) = (Vec::<PtsPoint>::new(), Vec::new(), 0.0);
    while let Some(step) = protocol.next(&points.iter().collect::<Vec<_>>()) {
        let began_ms = (now_s * 1e3) as u64;
        let event = match step {
            PtsStep::Purge => PtsEvent::Purged(PtsPurge::default()),
            PtsStep::SetCache => PtsEvent::CacheSet(PtsWriteCache::default()),
            PtsStep::Measure(order) => {
                progress.push((
                    now_s,
                    order.place.phase,
                    PtsProgress::of(&protocol, &asked, &device, &points),
                ));
                let rate = rate(order.place.round);
                let (seconds, bytes) = match order.extent {
                    PtsExtent::Seconds(seconds) => (seconds, (rate * seconds) as u64),
                    PtsExtent::Bytes(bytes) => (bytes as f64 / 1e9, bytes),
                };
                now_s += seconds + order.idle_s + beyond_s;
                PtsEvent::Measured(Box::new(PtsSample {
                    place: order.place,
                    load: order.load,
                    began_ms,
                    findings: Vec::new(),
                    idle_s: order.idle_s,
                    seconds,
                    ios: [0, 1],
                    bytes: [0, bytes],
                    iops: rate,
                    bytes_per_second: rate,
                    mean_ns: rate,
                    max_ns: 1,
                    p99999_ns: None,
                    cpu_percent: 0.0,
                    errors: 0,
                    celsius: None,
                    latencies: Histogram::default(),
                }))
            }
        };
        let ordinal = points.len() as u32;
        points.push(PtsPoint { ordinal, test, began_ms, event, resumed: false, state: Vec::new() });
    }
    (points, progress, now_s)
}

const ALL_TESTS: [PtsTest; 8] = [
    PtsTest::Iops,
    PtsTest::Throughput,
    PtsTest::Latency,
    PtsTest::Wsat,
    PtsTest::Hir,
    PtsTest::Xsr,
    PtsTest::Cbw,
    PtsTest::HddIops,
];

/// Steps that take longer than planned make the rest of the test longer too, after the first few of them.
#[test]
fn time_left_follows_the_pace_of_the_completed_steps() {
    for test in ALL_TESTS {
        for beyond_s in [0.0, 0.25, 2.5] {
            let (_, progress, end_s) = study_with_known_durations(test, beyond_s, |_| 1000.0);
            let mut learned = 0;
            for (at_s, phase, now) in &progress {
                let truth_s = end_s - at_s;
                // Fills have no nominal duration. The first step is over when the second one begins.
                if *phase != PtsPhase::Fill {
                    learned += 1;
                    assert!(
                        learned <= 2 || (now.left_s - truth_s).abs() <= 0.1 * truth_s + 0.1,
                        "{test:?} +{beyond_s} s at {at_s} s {phase:?}: {} s left, in fact {truth_s} s",
                        now.left_s
                    );
                }
            }
            assert!(learned > 10, "{test:?}");
        }
    }
}

/// Rounds that never become steady: the work that is left is never 0 s, and the rounds left are between what the window
/// still needs and what the test allows.
#[test]
fn rounds_and_time_left_stay_within_what_the_test_allows() {
    for test in ALL_TESTS {
        for swing in [1.15, 1.5, 4.0] {
            let rate = |round: u32| if round.is_multiple_of(2) { 1000.0 } else { 1000.0 * swing };
            let (points, progress, end_s) = study_with_known_durations(test, 0.5, rate);
            for (at_s, phase, now) in &progress {
                assert!(now.left_s > 0.4, "{test:?} x{swing} at {at_s} s of {end_s} {phase:?}: {now:?}");
                if let Some(left) = now.rounds_left {
                    let completed = now.round - 1;
                    let range = (5u32.saturating_sub(completed)).max(1)..=25 - completed;
                    assert!(range.contains(&left), "{test:?} x{swing} at {at_s} s: {now:?}");
                }
            }
            let last = progress.last().unwrap();
            let truth_s = end_s - last.0;
            assert!((last.2.left_s - truth_s).abs() < 0.2 * truth_s, "{test:?}: {last:?} of {truth_s}");
            assert!(!points.is_empty());
        }
    }
}

/// The pause of an interrupted study is no part of the pace.
#[test]
fn time_left_ignores_the_pause_before_a_resumed_step() {
    let (mut points, _, _) = study_with_known_durations(PtsTest::Xsr, 0.5, |_| 1000.0);
    points.truncate(101);
    points[50].resumed = true;
    for point in &mut points[50..] {
        point.began_ms += 86_400_000;
    }
    let asked = PtsAsked {
        tests: vec![PtsTest::Xsr],
        scale: 60,
        active_range_percent: 100.0,
        most_rounds: 25,
        ..PtsAsked::default()
    };
    let device = PtsDevice { bytes: 1 << 30, sector: 512, ..PtsDevice::default() };
    let protocol = PtsProtocol::of(PtsTest::Xsr, &asked, &device);
    let left_s = PtsProgress::of(&protocol, &asked, &device, &points).left_s;
    let truth_s = 1.5 * f64::from(22 * 60 - (101 - 2));
    assert!((left_s - truth_s).abs() < 0.05 * truth_s, "{left_s} of {truth_s}");
}
