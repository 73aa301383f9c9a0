//! `compare` on simulated devices drawn at random whose answer is known: how often equal ones are said to differ, and how
//! often ten percent are found. The long table, on seeds of your own:
//! `SEED=1 PAIRS=500 cargo test --release -p fathom-stats --test comparison -- --ignored --nocapture`
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use stats::comparison::compare;
use stats::histogram::Histogram;
use stats::measured::{Conditions, Flow, Measured, Quantile, Spread};
use stats::series::{Series, Window};
use stats::study::{Access, Estimate, Verdict};
use stats::{Comparison, Metric, Moments, Side};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Above 0, below 1.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    fn exponential(&mut self) -> f64 {
        -self.unit().ln()
    }

    fn normal(&mut self) -> f64 {
        (2.0 * self.exponential()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
}

/// A law of service times around 1.
type Law = fn(&mut Noise) -> f64;

fn two(noise: &mut Noise, share: f64, slow: f64) -> f64 {
    if noise.unit() < share { 0.5 } else { slow }
}

/// Laws that the method was built with.
const SEEN: [(&str, Law); 6] = [
    ("constant", |_| 1.0),
    ("exponential", Noise::exponential),
    ("lognormal 0.8", |n| (0.8 * n.normal()).exp()),
    ("two-point 50/50", |n| two(n, 0.5, 1.5)),
    ("two-point 95/5", |n| two(n, 0.95, 10.0)),
    ("Pareto 2.5", |n| n.unit().powf(-0.4)),
];

/// Laws that it was not built with, though their first results were seen before the default allowance and the weights were
/// chosen.
const OTHERS: [(&str, Law); 6] = [
    ("uniform", |n| 0.2 + 1.6 * n.unit()),
    ("Weibull 0.6", |n| n.exponential().powf(1.0 / 0.6)),
    ("two-point 51/49, 100 times", |n| two(n, 0.51, 50.0)),
    ("three-point 49/50/1", |n| match n.unit() {
        u if u < 0.49 => 0.3,
        u if u < 0.99 => 0.9,
        _ => 20.0,
    }),
    ("two lognormals 70/30", |n| {
        if n.unit() < 0.7 { (0.2 * n.normal()).exp() } else { 5.0 * (0.3 * n.normal()).exp() }
    }),
    ("99/1, 100 times", |n| if n.unit() < 0.99 { 0.2 } else { 20.0 }),
];

/// A device and a load.
struct Device {
    law: Law,
    depth: u32,
    servers: u32,
    /// Seconds of mean service.
    service: f64,
    /// Standard deviation of the level between runs.
    shift: f64,
    /// Mean seconds of a phase and how much slower every other one is.
    phases: Option<(f64, f64)>,
    seconds: f64,
}

impl Device {
    fn draw(law: Law, shift: f64, phases: bool, noise: &mut Noise) -> Device {
        let depth = noise.between(1.0, 33.0) as u32;
        Device {
            law,
            depth,
            servers: noise.between(1.0, 9.0) as u32,
            service: noise.between(0.3e-3, 3e-3),
            shift,
            phases: phases.then(|| (noise.between(0.02, 0.3), noise.between(1.2, 2.0))),
            seconds: 40.0,
        }
    }

    /// A run; `slower`: its service times are so many times as long.
    fn run(&self, number: u64, slower: f64, noise: &mut Noise) -> Measured {
        let level = self.service * slower * (self.shift * noise.normal()).exp();
        let (mut slow, mut until) = (false, 0.0);
        let mut histogram = Histogram::default();
        let mut moments = Moments::default();
        let windows = (self.seconds / 0.05).round() as usize;
        let mut counts = vec![0u64; windows];
        // Nanoseconds when it ends and when it was sent.
        let mut serving: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
        let mut waiting: VecDeque<u64> = (0..self.depth).map(|_| 0).collect();
        let mut now = 0u64;
        loop {
            while serving.len() < self.servers as usize
                && let Some(sent) = waiting.pop_front()
            {
                let mut time = level * (self.law)(noise);
                if let Some((dwell, factor)) = self.phases {
                    while until < now as f64 {
                        slow = !slow;
                        until += dwell * 1e9 * noise.exponential();
                    }
                    time *= if slow { factor } else { 1.0 };
                }
                serving.push(Reverse((now + (time * 1e9) as u64, sent)));
            }
            let Some(Reverse((end, sent))) = serving.pop() else { break };
            now = end;
            let Some(count) = counts.get_mut((now / 50_000_000) as usize) else { break };
            *count += 1;
            histogram.record(now - sent, 1);
            moments.record(now - sent, 1);
            waiting.push_back(now);
        }
        let ios = histogram.count();
        let mut series = Series::with(Series::WINDOW);
        let window = |n: &u64| Window { nanos: 50_000_000, ios: [*n, 0, 0], bytes: [4096 * n, 0, 0] };
        series.windows = counts.iter().map(window).collect();
        let rate = ios as f64 / self.seconds;
        let half = series.half_width_percent().unwrap_or(0.0);
        let quantile =
            |percent| Quantile { percent, ns: histogram.quantile(percent).unwrap() as f64, between: None };
        let spread = Spread {
            n: ios,
            mean_ns: moments.mean(),
            stddev_ns: moments.stddev(),
            quantiles: [50.0, 99.0, 99.9].map(quantile).to_vec(),
            histogram: Some(histogram.clone()),
            ..Spread::default()
        };
        Measured {
            source: format!("R{number}"),
            name: "load".into(),
            access: Access { rw: "randread".into(), bs: 4096, reads: None, sync: None },
            depth: self.depth,
            jobs: 1,
            began_ms: number * 60_000,
            seconds: self.seconds,
            flows: vec![Flow {
                ios,
                bytes: 4096 * ios,
                iops: Estimate::around(rate, rate * half / 100.0),
                bytes_per_second: 4096.0 * rate,
                lat: Some(spread),
                ..Flow::default()
            }],
            conditions: Conditions { span: Some(1 << 30), ..Conditions::default() },
            series: Some(series),
            ..Measured::default()
        }
    }

    /// `runs` of it against as many of one whose service times are `slower` times as long.
    fn compared(&self, runs: u64, slower: f64, noise: &mut Noise) -> Comparison {
        let mut side = |name: &str, first: u64, slower: f64| Side {
            name: name.into(),
            loads: (first..first + runs).map(|n| self.run(n, slower, noise)).collect(),
        };
        let (a, b) = (side("A", 1, 1.0), side("B", 1 + runs, slower));
        compare(&a, &b, false)
    }
}

/// What was said of so many pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    pairs: usize,
    /// One against one, equal: some metric is said to differ, or to be apart at all.
    single: usize,
    single_apart: usize,
    /// Three against three, equal.
    three: usize,
    /// A tenth, three against three: some metric of speed is said to be slower (faster), none the other way.
    found: usize,
    /// A tenth, one against one.
    found_single: usize,
    /// The median is told apart of three, of those that differ by a tenth.
    median: usize,
}

impl Said {
    fn add(&mut self, o: &Said) {
        self.pairs += o.pairs;
        self.single += o.single;
        self.single_apart += o.single_apart;
        self.three += o.three;
        self.found += o.found;
        self.found_single += o.found_single;
        self.median += o.median;
    }
}

fn differs(c: &Comparison) -> bool {
    c.rows.iter().any(|r| matches!(r.verdict, Verdict::More | Verdict::Less))
}

fn ask(law: Law, shift: f64, phases: bool, noise: &mut Noise) -> Said {
    let device = Device::draw(law, shift, phases, noise);
    let single = device.compared(1, 1.0, noise);
    let three = device.compared(3, 1.0, noise);
    let slower = if noise.unit() < 0.5 { 1.1 } else { 1.0 / 1.1 };
    let right = |c: &Comparison| {
        let speed = c.rows.iter().filter(|r| matches!(r.verdict, Verdict::More | Verdict::Less));
        let all: Vec<bool> = speed.map(|r| (r.slower_percent() > 0.0) == (slower > 1.0)).collect();
        !all.is_empty() && all.iter().all(|right| *right)
    };
    let tenth = device.compared(3, slower, noise);
    let tenth_single = device.compared(1, slower, noise);
    let median = tenth.rows.iter().any(|r| r.metric == Metric::P50 && r.is_apart());
    Said {
        pairs: 1,
        single: usize::from(differs(&single)),
        single_apart: usize::from(single.rows.iter().any(stats::MetricRow::is_apart)),
        three: usize::from(differs(&three)),
        found: usize::from(right(&tenth)),
        found_single: usize::from(right(&tenth_single)),
        median: usize::from(median),
    }
}

/// Standard deviations of the level between runs.
const SHIFTS: [f64; 3] = [0.0, 0.01, 0.03];

/// Pairs of each law, shift and phases, so that there are about `pairs` of all; prints the table.
fn table(laws: &[(&str, Law)], pairs: usize, seed: u64) -> Said {
    println!("seed {seed}");
    println!(
        "| law | shift % | phases | pairs | equal 1:1 differ | apart | equal 3:3 differ | 10 % 3:3 found | p50 | 10 % 1:1 found |"
    );
    println!("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|");
    let each = pairs.div_ceil(laws.len() * 6);
    let line = |name: &str, s: &Said| {
        let Said { pairs, single, single_apart, three, found, median, found_single } = s;
        println!(
            "| {name} | {pairs} | {single} | {single_apart} | {three} | {found} | {median} | {found_single} |"
        );
    };
    let mut shifts = [Said::default(); 3];
    let mut all = Said::default();
    let cell = |at: usize, phases: bool, n: usize| {
        let mut noise = Noise(seed.wrapping_mul(1000) + (at * 6 + n * 2) as u64 + u64::from(phases));
        let mut said = Said::default();
        (0..each).for_each(|_| said.add(&ask(laws[at].1, SHIFTS[n], phases, &mut noise)));
        said
    };
    let cells: Vec<(usize, bool, usize)> = (0..laws.len())
        .flat_map(|at| [false, true].into_iter().flat_map(move |phases| (0..3).map(move |n| (at, phases, n))))
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![Said::default(); cells.len()]);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((at, phases, n)) = cells.get(next.fetch_add(1, Relaxed)).copied() {
                    let said = cell(at, phases, n);
                    found.lock().unwrap()[(at * 2 + usize::from(phases)) * 3 + n] = said;
                }
            });
        }
    });
    for ((at, phases, n), said) in cells.iter().zip(found.into_inner().unwrap()) {
        let phases = if *phases { "yes" } else { "no" };
        line(&format!("{} | {:.0} | {phases}", laws[*at].0, 100.0 * SHIFTS[*n]), &said);
        shifts[*n].add(&said);
        all.add(&said);
    }
    for (said, shift) in shifts.iter().zip(["0", "1", "3"]) {
        line(&format!("all | {shift} | both"), said);
    }
    line("all | all | both", &all);
    all
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Equal devices differ in at most five of a hundred comparisons, and a tenth is found in at least 95.
fn holds(said: &Said) {
    let Said { pairs, single, three, found, .. } = *said;
    assert!(20 * single <= pairs && 20 * three <= pairs, "{said:?}");
    assert!(20 * found >= 19 * pairs, "{said:?}");
}

/// The same on a few devices of each law.
#[test]
fn a_few_equal_devices_do_not_differ_and_a_tenth_is_found() {
    let said = table(&SEEN, 36, 20_261_124);
    assert!(said.single <= 1 && said.three <= 1 && said.found >= 33, "{said:?}");
}

#[test]
#[ignore = "minutes: the table of docs/method.md"]
fn the_law_holds_on_devices_drawn_at_random() {
    let (seed, pairs) = (number("SEED", 1), number("PAIRS", 500) as usize);
    let seen = table(&SEEN, pairs, seed);
    let others = table(&OTHERS, pairs, seed + 1);
    holds(&seen);
    holds(&others);
}
