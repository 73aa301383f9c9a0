//! Ends of rounds before steady state: intervals against drawn devices whose level is known.
#![allow(clippy::print_stdout)]

use stats::pts::{
    EARLY_DEVIATION, EARLY_PERCENT, MOST_ROUNDS, PtsBlock, PtsEarly, PtsInterval, PtsLoad, PtsQuantity,
    PtsSteady,
};

const LOAD: PtsLoad = PtsLoad { random: true, reads: 0, block: PtsBlock::Bytes(4096), threads: 4, depth: 32 };

/// Numbers from a seed (SplitMix64).
struct Draw(u64);

impl Draw {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Student's t with three degrees of freedom, divided by its standard deviation.
    fn heavy(&mut self) -> f64 {
        let chi: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / (chi / 3.0).sqrt() / 3f64.sqrt()
    }
}

/// Rounds of a drawn device: their values, and their expected values without noise.
type Rounds = (Vec<f64>, Vec<f64>);

const ROUNDS: usize = MOST_ROUNDS as usize;

fn level(level: f64, mut noise: impl FnMut() -> f64) -> Rounds {
    ((0..ROUNDS).map(|_| level * noise().max(0.01)).collect(), vec![level; ROUNDS])
}

fn normal(draw: &mut Draw) -> Rounds {
    let cv = draw.between(0.01, 0.12);
    level(1e5, || 1.0 + cv * draw.normal())
}

fn heavy_tails(draw: &mut Draw) -> Rounds {
    let cv = draw.between(0.01, 0.12);
    level(1e5, || 1.0 + cv * draw.heavy())
}

/// Skewed to one side: few rounds are far slower, as with a mean latency.
fn skewed(draw: &mut Draw) -> Rounds {
    let sigma = draw.between(0.02, 0.15);
    level((sigma * sigma / 2.0).exp(), || (sigma * draw.normal() - sigma * sigma / 2.0).exp())
}

/// Two values, of which the rarer one deviates by `depth` of the level.
fn two_points(draw: &mut Draw, depth: f64) -> Rounds {
    let share = draw.between(0.02, 0.5);
    let sign = if draw.uniform() < 0.5 { 1.0 } else { -1.0 };
    let (rare, common) = (1.0 + sign * depth, 1.0 - sign * depth * share / (1.0 - share));
    level(1e5, || if draw.uniform() < share { rare } else { common })
}

/// The worst law within the bound of the interval.
fn two_points_at_the_bound(draw: &mut Draw) -> Rounds {
    two_points(draw, EARLY_DEVIATION)
}

/// Twice and more beyond the bound of the interval.
fn two_points_beyond_the_bound(draw: &mut Draw) -> Rounds {
    let depth = draw.between(0.3, 0.6);
    two_points(draw, depth)
}

fn with_course(draw: &mut Draw, course: impl Fn(f64) -> f64) -> Rounds {
    let cv = draw.between(0.01, 0.08);
    let expected: Vec<f64> = (0..ROUNDS).map(|n| 1e5 * course(n as f64)).collect();
    (expected.iter().map(|level| level * (1.0 + cv * draw.normal())).collect(), expected)
}

/// A straight line with a rise or fall of up to 40 % over all rounds.
fn drift(draw: &mut Draw) -> Rounds {
    let rise = draw.between(-0.4, 0.4);
    with_course(draw, |n| 1.0 + rise * n / ROUNDS as f64)
}

/// Approach to a level from up to three times as much, as of an SSD whose spare blocks are used up.
fn settling(draw: &mut Draw) -> Rounds {
    let (excess, shrinks) = (draw.between(0.1, 2.0), draw.between(0.3, 0.9));
    with_course(draw, |n| 1.0 + excess * shrinks.powf(n))
}

/// Period of several rounds, as of garbage collection.
fn waves(draw: &mut Draw) -> Rounds {
    let (height, period) = (draw.between(0.02, 0.2), draw.between(2.0, 12.0));
    let phase = draw.between(0.0, std::f64::consts::TAU);
    let wave = |n: f64| 1.0 + height * (std::f64::consts::TAU * n / period + phase).sin();
    let cv = draw.between(0.01, 0.05);
    // The level is the mean of the wave: the rounds are not independent of each other.
    let values = (0..ROUNDS).map(|n| 1e5 * wave(n as f64) * (1.0 + cv * draw.normal()));
    (values.collect(), vec![1e5; ROUNDS])
}

/// Figures of the devices of a law.
#[derive(Default)]
struct Tally {
    devices: u32,
    /// Devices whose rounds ended early.
    ended: u32,
    /// Sum of the rounds that the specification's criterion takes, without and with an early end.
    rounds: [usize; 2],
    /// Intervals that do not contain the mean of the expected values of their rounds.
    wrong: u32,
    /// The same for Student's interval, looked at after every round.
    naive_wrong: u32,
}

impl Tally {
    /// Draws devices. The early end is judged as if the specification's criterion did not end the rounds, so that every
    /// interval counts.
    fn of(law: fn(&mut Draw) -> Rounds, seed: u64, devices: u32, percent: f64) -> Tally {
        let mut draw = Draw(seed);
        let mut tally = Tally { devices, ..Tally::default() };
        for _ in 0..devices {
            let (values, expected) = law(&mut draw);
            let mean =
                |first: usize, last: usize| expected[first..last].iter().sum::<f64>() / (last - first) as f64;
            let steady = PtsSteady::of([(LOAD, PtsQuantity::Iops, values.clone())]);
            let standard = steady.met_at.map_or(ROUNDS, |round| round as usize);
            let mut ended = ROUNDS;
            if let Some(early) = (1..=ROUNDS).find_map(|last| PtsEarly::of(&[&values[..last]], percent)) {
                let [first, last] = early.window.map(|round| round as usize);
                let interval = early.intervals[0];
                ended = last;
                tally.ended += 1;
                tally.wrong += u32::from(!(interval.low..=interval.high).contains(&mean(first - 1, last)));
            }
            tally.rounds[0] += standard;
            tally.rounds[1] += standard.min(ended);
            if let Some((last, [low, high])) = student(&values, percent) {
                tally.naive_wrong += u32::from(!(low..=high).contains(&mean(0, last)));
            }
        }
        tally
    }

    fn percent(&self, count: u32) -> f64 {
        100.0 * f64::from(count) / f64::from(self.devices)
    }
}

/// Returns the first 95 % interval of Student's t that is tight enough, and its last round.
fn student(values: &[f64], percent: f64) -> Option<(usize, [f64; 2])> {
    /// 97.5 % quantiles from 4 degrees of freedom on.
    const QUANTILES: [f64; 21] = [
        2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
        2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
    ];
    (5..=values.len()).zip(QUANTILES).find_map(|(count, quantile)| {
        let seen = &values[..count];
        let mean = seen.iter().sum::<f64>() / count as f64;
        let variance = seen.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
        let half = quantile * (variance / count as f64).sqrt();
        (half <= mean * percent / 100.0).then_some((count, [mean - half, mean + half]))
    })
}

type Law = (&'static str, fn(&mut Draw) -> Rounds);

const LAWS: [Law; 8] = [
    ("normal", normal),
    ("heavy tails", heavy_tails),
    ("skewed", skewed),
    ("two points, 20 % from the level", two_points_at_the_bound),
    ("two points, 30 to 60 % from the level", two_points_beyond_the_bound),
    ("drift", drift),
    ("settling", settling),
    ("waves", waves),
];

fn check(seed: u64, devices: u32, percent: f64) {
    for (name, law) in LAWS {
        let tally = Tally::of(law, seed, devices, percent);
        let ended = f64::from(tally.ended.max(1));
        let covered = 100.0 * (1.0 - f64::from(tally.wrong) / ended);
        let [standard, both] = tally.rounds.map(|rounds| rounds as f64 / f64::from(devices));
        let wrong = tally.percent(tally.wrong);
        println!(
            "{percent} % | {name} | {standard:.1} | {both:.1} | {:.0} | {covered:.1} | {wrong:.2} | {:.1}",
            tally.percent(tally.ended),
            tally.percent(tally.naive_wrong),
        );
        assert!(wrong <= 5.0, "{name}: {wrong:.2} % of the intervals are wrong");
    }
}

#[test]
fn early_end_is_wrong_for_at_most_five_percent_of_devices() {
    check(20_261_128, 400, EARLY_PERCENT);
}

/// The table of docs/pts.md; the seed is another one each time.
#[test]
#[ignore = "long tier"]
fn early_end_is_wrong_for_at_most_five_percent_of_many_devices() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |t| t.as_secs());
    println!("seed {seed}");
    for percent in [EARLY_PERCENT, 5.0, 15.0] {
        check(seed, 5_000, percent);
    }
}

#[test]
fn interval_of_equal_rounds_narrows_and_contains_the_mean() {
    let widths: Vec<f64> = [5, 10, 15, 25]
        .into_iter()
        .filter_map(|rounds| PtsInterval::of(&vec![7.0; rounds], 0.05))
        .map(|interval| {
            assert!(interval.low < 7.0 && interval.high > 7.0, "{interval:?}");
            interval.half_width_percent()
        })
        .collect();
    assert_eq!(widths.len(), 4);
    assert!(widths.is_sorted_by(|a, b| a > b), "{widths:?}");
    // By hand: a bettor who stakes half on everything and a quarter on each smaller bet has 40 times the capital.
    let interval = PtsInterval::of(&[7.0; 25], 0.05).unwrap();
    let capital = |level: f64| {
        let z: f64 = (7.0 / level - 1.0) / 0.4;
        0.25 * (1.0 + 0.5 * z).powi(25) + 0.25 * (1.0 + z).powi(25) + 0.5 * (1.0 + 2.0 * z).powi(25)
    };
    assert!((capital(interval.low) / 40.0 - 1.0).abs() < 1e-3, "{}", capital(interval.low));
}

#[test]
fn rounds_beyond_the_bound_or_without_ios_have_no_interval() {
    assert_eq!(PtsInterval::of(&[], 0.05), None);
    assert_eq!(PtsInterval::of(&[1.0, 0.0, 1.0], 0.05), None);
    assert_eq!(PtsInterval::of(&[1.0, 0.6, 1.0], 0.05), None);
    assert!(PtsInterval::of(&[1.0, 0.7, 1.0], 0.05).is_some());
}

#[test]
fn steady_state_before_the_early_end_is_not_early() {
    let quiet: Vec<f64> = vec![100.0; 20];
    let steady = PtsSteady::of([(LOAD, PtsQuantity::Iops, quiet)]).or_early(Some(EARLY_PERCENT));
    assert_eq!((steady.met_at, steady.early), (Some(5), None));
    // A range of 24 % is never steady; the mean of the rounds is known all the same.
    let noisy: Vec<f64> = (0..25).map(|n| if n % 3 == 0 { 88.0 } else { 112.0 }).collect();
    let of = |early| PtsSteady::of([(LOAD, PtsQuantity::Iops, noisy.clone())]).or_early(early);
    assert!(!of(None).ended());
    let early = of(Some(EARLY_PERCENT)).early.expect("an early end");
    assert_eq!(early.window[0], 1);
    assert_eq!(of(Some(EARLY_PERCENT)).window, Some(early.window));
    assert!((early.intervals[0].mean - 104.0).abs() < 2.0, "{early:?}");
    // Not all variables are tight.
    let wild = noisy.iter().map(|y| if *y < 100.0 { 10.0 } else { *y }).collect();
    let both = [noisy.clone(), wild].map(|values| (LOAD, PtsQuantity::Iops, values));
    assert!(!PtsSteady::of(both).or_early(Some(EARLY_PERCENT)).ended());
}
