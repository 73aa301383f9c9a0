//! Steady state of the SNIA tests against a second implementation, which follows the text of the specification
//! (docs/pts.md) and shares no code with the first.
#![allow(clippy::unwrap_used)]

use stats::pts::{PtsLoad, PtsQuantity, PtsSteady, PtsWindow};

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
