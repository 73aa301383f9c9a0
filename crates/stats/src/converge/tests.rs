use super::cycles::cycles;
use super::*;
use crate::Histogram;
use crate::estimate::Estimate;

/// Uniform numbers of a seed, and normal ones from them.
struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

fn of(rates: &[f64]) -> Series {
    let mut s = Series::default();
    let (mut now, mut ios) = (0, 0.0);
    s.look(now, [0; 3], [0; 3]);
    for rate in rates {
        now += s.period;
        ios += rate * s.period as f64 / 1e9;
        s.look(now, [ios as u64, 0, 0], [0; 3]);
    }
    s
}

/// The interval covers the truth about as often as it says, also where neighbours are alike.
#[test]
fn the_interval_of_an_autocorrelated_series_covers_the_truth() {
    let mut noise = Noise(88172645463325252);
    for (rho, least, most) in [(0.0, 0.92, 0.985), (0.5, 0.90, 0.985), (0.8, 0.86, 0.985)] {
        let mut held = 0;
        const TRIALS: usize = 1000;
        for _ in 0..TRIALS {
            let mut state = noise.normal() / (1.0f64 - rho * rho).sqrt();
            let windows: Vec<Window> = (0..60)
                .map(|_| {
                    state = rho * state + noise.normal();
                    let ios = (100_000.0 + 5000.0 * state).round() as u64;
                    Window { nanos: 100_000_000_000, ios: [ios, 0, 0], bytes: [0; 3] }
                })
                .collect();
            held += usize::from(level(&windows).unwrap().estimate().holds(1000.0));
        }
        let share = held as f64 / TRIALS as f64;
        assert!((least..=most).contains(&share), "rho {rho}: {share}");
    }
}

#[test]
fn the_start_is_cut_a_step_and_a_drift_are_told_and_noise_is_neither() {
    let mut noise = Noise(4711);
    let (mut wrong, mut slow_steps) = (0, 0);
    for _ in 0..200 {
        let level: Vec<f64> = (0..120).map(|_| 20_000.0 * (1.0 + 0.05 * noise.normal())).collect();
        wrong += usize::from(settle(&of(&level)).unwrap().2 != Trend::Level);
        let slow: Vec<f64> =
            level.iter().enumerate().map(|(n, v)| v * (1.0 - 0.5 * (-(n as f64) / 8.0).exp())).collect();
        let (found, cut, trend) = settle(&of(&slow)).unwrap();
        slow_steps += usize::from(matches!(trend, Trend::Steps { .. }));
        assert!(cut > 0.0 && (found.mean / 20_000.0 - 1.0).abs() < 0.03, "{cut} {found:?}");
        let stepped: Vec<f64> =
            level.iter().enumerate().map(|(n, v)| if n < 70 { *v } else { v * 0.5 }).collect();
        let (_, _, trend) = settle(&of(&stepped)).unwrap();
        let Trend::Steps { at_s, before, after } = trend else { panic!("{trend:?}") };
        assert!((at_s - 3.5).abs() < 0.31 && before / after > 1.8, "{trend:?}");
        let falls: Vec<f64> = level.iter().enumerate().map(|(n, v)| v * (1.0 - 0.003 * n as f64)).collect();
        assert_ne!(settle(&of(&falls)).unwrap().2, Trend::Level);
    }
    assert!(wrong <= 6 && slow_steps <= 6, "{wrong} and {slow_steps} of 200");
}

/// A throttle that lets a tenth of a second's I/Os go at once: the rate is known to a percent after a second and a
/// half, and noise has no period.
#[test]
fn bursts_are_counted_from_one_to_another_and_noise_has_none() {
    let mut noise = Noise(271828);
    let (mut held, mut close, mut found) = (0, 0, 0);
    const TRIALS: usize = 300;
    for _ in 0..TRIALS {
        // 500 a second in bursts of 50, looked at every 20 to 22 ms from a drawn moment on.
        let (mut s, mut now) = (Series::with(std::time::Duration::from_millis(20)), noise.unit() * 0.1);
        let begin = now;
        while now < begin + 1.5 {
            let late = if noise.unit() < 0.3 { 0.002 * noise.unit() } else { 0.0 };
            let ios = 50 * ((now / 0.1) as u64);
            s.look((now * 1e9) as u64, [ios, 0, 0], [0; 3]);
            now += 0.0201 + late;
        }
        let (level, ..) = settle(&s).unwrap();
        held += usize::from(level.estimate().holds(500.0));
        close += usize::from((level.mean / 500.0 - 1.0).abs() < 0.025 && level.estimate().half() < 25.0);
        let plain: Vec<f64> = (0..60).map(|_| 20_000.0 * (1.0 + 0.2 * noise.normal())).collect();
        found += usize::from(cycles(&of(&plain)).is_some());
    }
    assert!(held * 100 >= 94 * TRIALS && close * 100 >= 95 * TRIALS, "{held} {close} of {TRIALS}");
    assert!(found * 50 <= TRIALS, "{found} of {TRIALS}");
}

/// One I/O at a time: latencies of a law that `next` draws until `seconds` have passed. The series, the histogram, their
/// number and squared coefficient of variation.
fn one_at_a_time(seconds: f64, mut next: impl FnMut(f64) -> f64) -> (Series, Histogram, u64, f64) {
    let mut s = Series::with(std::time::Duration::from_millis(20));
    let (mut h, mut now, mut n, mut looked) = (Histogram::default(), 0.0, 0u64, 0.0);
    let (mut sum, mut squares) = (0.0, 0.0);
    s.look(0, [0; 3], [0; 3]);
    while now < seconds {
        let time = next(now);
        now += time;
        while now >= looked + 0.02 {
            looked += 0.02;
            s.look((looked * 1e9) as u64, [n, 0, 0], [0; 3]);
        }
        n += 1;
        h.record((time * 1e9) as u64, 1);
        sum += time;
        squares += time * time;
    }
    let mean = sum / n as f64;
    (s, h, n, squares / n as f64 / (mean * mean) - 1.0)
}

/// The intervals of percentiles hold the truth about as often as they say, where I/Os are independent and where slow
/// ones come together.
#[test]
fn the_intervals_of_percentiles_hold_the_truth() {
    const TRIALS: usize = 200;
    let mut noise = Noise(31415926535);
    // Memoryless, 1 ms in the mean.
    let truth = |q: f64| (-1e6 * (1.0f64 - q).ln()) as u64;
    let (mut held, mut share) = ([0; 3], 0.0);
    for _ in 0..TRIALS {
        let (s, h, n, varied) = one_at_a_time(4.0, |_| -1e-3 * (1.0 - noise.unit()).ln());
        let count = independent(&s, n, varied);
        share += count / n as f64 / TRIALS as f64;
        for (held, q) in held.iter_mut().zip([0.5, 0.99, 0.999]) {
            let between = h.interval(100.0 * q, count);
            // Four thousand of which half count have no 99.9th percentile yet: nothing is said, nothing is wrong.
            *held += usize::from(between.is_none_or(|[a, b]| (a..=b).contains(&truth(q))));
        }
    }
    assert!(held.iter().all(|h| *h * 100 >= 93 * TRIALS), "independent: {held:?} of {TRIALS}");
    assert!(share > 0.6, "{share} of them count");
    // Phases of about 100 ms, three of four with 1 ms and one with 4 ms in the mean.
    let mut wander = |seconds: f64| {
        let (mut slow, mut until) = (false, 0.0);
        one_at_a_time(seconds, |now| {
            if now >= until {
                slow = noise.unit() < 0.25;
                until = now - 0.1 * (1.0 - noise.unit()).ln();
            }
            -(if slow { 4e-3 } else { 1e-3 }) * (1.0 - noise.unit()).ln()
        })
    };
    let (_, long, ..) = wander(3000.0);
    let (mut held, mut naive) = ([0; 2], 0);
    for _ in 0..TRIALS {
        let (s, h, n, varied) = wander(6.0);
        let count = independent(&s, n, varied);
        for (held, q) in held.iter_mut().zip([50.0, 99.0]) {
            let truth = long.quantile(q).unwrap();
            *held += usize::from(h.interval(q, count).is_none_or(|[a, b]| (a..=b).contains(&truth)));
        }
        let truth = long.quantile(99.0).unwrap();
        naive += usize::from(h.interval(99.0, n as f64).is_some_and(|[a, b]| (a..=b).contains(&truth)));
    }
    assert!(held.iter().all(|h| *h * 100 >= 90 * TRIALS), "together: {held:?} of {TRIALS}");
    // Without regard to that they come together it would not.
    assert!(naive * 100 < 90 * TRIALS, "{naive} of {TRIALS}");
}

/// Between runs and within them: the interval of the standard deviation holds the truth as often as it says.
#[test]
fn runs_that_differ_are_told_from_runs_that_are_only_noisy() {
    const TRIALS: usize = 1000;
    let mut noise = Noise(1618033);
    for rounds in [3, 5, 24] {
        let (mut spread, mut mean) = (0, 0);
        for _ in 0..TRIALS {
            // Runs differ by 3 %, and each is known to 1 %.
            let runs: Vec<Estimate> =
                (0..rounds).map(|_| Estimate::around(1000.0 * (1.0 + 0.03 * noise.normal()), 10.0)).collect();
            let found = run_spread(&runs).unwrap();
            spread += usize::from(found.between_percent.holds(100.0 * 30.0 / found.mean.value));
            mean += usize::from(found.mean.holds(1000.0));
            assert!((found.within_percent - 0.51).abs() < 0.05, "{found:?}");
        }
        for held in [spread, mean] {
            assert!((925..=975).contains(&held), "{rounds} rounds: {held} of {TRIALS}");
        }
    }
    assert_eq!(run_spread(&[Estimate::around(1.0, 0.1); 2]), None);
}

/// Windows that end when an I/O ends have unequal lengths: the rate is that of the counts all the same, and holds the truth
/// where slow I/Os are rare.
#[test]
fn a_rate_is_ios_over_time_whatever_the_lengths_of_the_windows() {
    let mut noise = Noise(161803398);
    let (mut held, mut off) = (0, 0.0);
    const TRIALS: usize = 500;
    const TRUTH: f64 = 1.0 / (0.95 * 4e-3 + 0.05 * 100e-3);
    for _ in 0..TRIALS {
        let (mut series, mut now, mut n, mut looked) = (Series::default(), 0.0, 0u64, 0.0);
        series.look(0, [0; 3], [0; 3]);
        while now < 4.0 {
            now += if noise.unit() < 0.05 { 0.1 } else { 0.004 };
            n += 1;
            if now >= looked + 0.05 {
                looked = now;
                series.look((now * 1e9) as u64, [n, 0, 0], [0; 3]);
            }
        }
        let (level, cut_s, _) = settle(&series).unwrap();
        if cut_s == 0.0 {
            assert!((level.mean / rate(&series.windows) - 1.0).abs() < 1e-9, "{level:?}");
        }
        held += usize::from(level.estimate().holds(TRUTH));
        off += level.mean / TRUTH - 1.0;
    }
    let bias = off / TRIALS as f64;
    assert!(held * 100 >= 93 * TRIALS && bias.abs() < 0.02, "{held} of {TRIALS}, bias {bias}");
}

/// A device that pauses now and then, from a pause each second to one in four: a few of them in a visit leave the rate
/// open, a pause at the start is no warm-up, and what is told holds the truth.
#[test]
fn pauses_seen_a_few_times_leave_the_rate_open() {
    let mut noise = Noise(57721566);
    let (mut held, mut cut, mut wide) = (0, 0, 0);
    const TRIALS: usize = 500;
    for _ in 0..TRIALS {
        let (every, lasts) = (1.0 + 3.0 * noise.unit(), 0.1 + 0.5 * noise.unit());
        let truth = 8000.0 * every / (every + lasts);
        let (mut series, mut now) = (Series::default(), 0.0);
        // Pauses come at random (Poisson); some begin before the visit.
        let mut next = -every * (1.0 - noise.unit()).ln();
        let mut left = if noise.unit() < lasts / (every + lasts) { lasts * noise.unit() } else { 0.0 };
        let mut ios = 0.0;
        series.look(0, [0; 3], [0; 3]);
        while now < 6.0 {
            now += 0.001;
            if left > 0.0 {
                left -= 0.001;
            } else {
                next -= 0.001;
                ios += 8.0;
                if next <= 0.0 {
                    left = lasts;
                    next = -every * (1.0 - noise.unit()).ln();
                }
            }
            series.look((now * 1e9) as u64, [ios as u64, 0, 0], [0; 3]);
        }
        let (level, cut_s, trend) = settle(&series).unwrap();
        cut += usize::from(cut_s > 0.0 || trend != Trend::Level);
        if SlowStretches::of(&series).count > 0 {
            held += usize::from(level.estimate().holds(truth));
            wide += 1;
        }
    }
    assert!(held * 100 >= 93 * wide, "{held} of {wide}");
    assert!(cut * 100 <= 5 * TRIALS, "{cut} of {TRIALS}");
}

/// Disks that take equally long for every I/O, one to four in flight: the beat of their time with the windows is no burst;
/// what a throttle lets go ten times a second is one.
#[test]
fn period_of_a_constant_disk_is_none_whatever_its_time() {
    let series = |each: &dyn Fn(f64) -> u64| {
        let mut s = Series::with(std::time::Duration::from_millis(20));
        for look in 0..=150u32 {
            let now = 0.02 * f64::from(look);
            s.look((now * 1e9) as u64, [each(now + 1e-9), 0, 0], [0; 3]);
        }
        s
    };
    for tenths in 30..=500 {
        for depth in 1..=4u32 {
            let batches = |now: f64| (now / (f64::from(tenths) * 1e-4)) as u64 * u64::from(depth);
            let found = period(&series(&batches), depth);
            assert_eq!(found, None, "{tenths} tenths of a millisecond, {depth} in flight");
        }
    }
    let bursts = period(&series(&|now| (now / 0.1) as u64 * 50), 16).unwrap();
    assert!((bursts - 0.1).abs() < 0.01, "{bursts}");
}

/// What the rule stops at is within what was asked, nearly always.
#[test]
fn the_stopping_rule_keeps_its_promise() {
    let mut noise = Noise(12345);
    let (mut inside, mut stopped) = (0, 0);
    for _ in 0..2000 {
        let mut rule = StopRule::new(3.0, 0);
        let mut rates = Vec::new();
        let mut state = 0.0;
        while rates.len() < 500 {
            state = 0.5 * state + noise.normal();
            rates.push(20_000.0 * (1.0 + 0.05 * 0.866 * state));
            let series = of(&rates);
            if rule.enough(&series) {
                stopped += 1;
                let mean = settle(&series).unwrap().0.mean;
                inside += usize::from((mean / 20_000.0 - 1.0).abs() <= 0.03);
                break;
            }
        }
    }
    assert!(stopped >= 1960 && inside as f64 >= 0.95 * stopped as f64, "{inside} of {stopped}");
}

#[test]
fn visits_that_differ_widen_the_interval() {
    let alike = pooled(&[Estimate::around(100.0, 2.0); 4], &[1.0; 4]).unwrap();
    assert_eq!((alike.value, alike.half()), (100.0, 1.0));
    let differ: Vec<Estimate> = [90.0, 110.0, 90.0, 110.0].map(|v| Estimate::around(v, 2.0)).into();
    let wide = pooled(&differ, &[1.0; 4]).unwrap();
    assert!((wide.half() - 11.32).abs() < 0.01, "{wide:?}");
}
