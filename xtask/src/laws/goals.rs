//! Check whether the rates that `fathom explore --slo` recommends keep the latency goal. The number of servers, the
//! service-time distribution and the goal are random; the true rate comes from a long simulation of the queue that
//! shares no code with fathom.

use super::truth::Chance;
use super::{binary, median};
use crate::Tally;
use crate::dice::Dice;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::process::Command;
use std::sync::Mutex;

/// Largest share of answers above the true rate, percent.
const UNSAFE_PERCENT: f64 = 5.0;

/// Distribution of service times, seconds.
#[derive(Clone, Debug)]
pub(super) enum Service {
    Constant(f64),
    Uniform(f64, f64),
    Exponential(f64),
    /// Points of a discrete distribution: parts per million, and service time in seconds.
    Points(Vec<(u32, f64)>),
}

impl Service {
    pub(super) fn mean(&self) -> f64 {
        match self {
            Service::Constant(s) | Service::Exponential(s) => *s,
            Service::Uniform(low, high) => (low + high) / 2.0,
            Service::Points(points) => points.iter().map(|(share, s)| f64::from(*share) / 1e6 * s).sum(),
        }
    }

    fn draw(&self, unit: f64) -> f64 {
        match self {
            Service::Constant(s) => *s,
            Service::Uniform(low, high) => low + (high - low) * unit,
            Service::Exponential(s) => -(1.0 - unit).ln() * s,
            Service::Points(points) => {
                let mut at = unit * 1e6;
                for (share, s) in points {
                    at -= f64::from(*share);
                    if at < 0.0 {
                        return *s;
                    }
                }
                points.last().map_or(0.0, |(_, s)| *s)
            }
        }
    }

    /// Returns the distribution in the notation of `model:`.
    pub(super) fn spec(&self) -> String {
        let ns = |s: f64| format!("{}ns", (s * 1e9).round() as u64);
        match self {
            Service::Constant(s) => format!("constant:{}", ns(*s)),
            Service::Uniform(low, high) => format!("uniform:{}-{}", ns(*low), ns(*high)),
            Service::Exponential(s) => format!("exponential:{}", ns(*s)),
            Service::Points(points) => {
                let part = |(share, s): &(u32, f64)| format!("{}/{}", f64::from(*share) / 1e4, ns(*s));
                format!("mixture:{}", points.iter().map(part).collect::<Vec<_>>().join(":"))
            }
        }
    }
}

/// Latency goal: a percentile (`None` for the mean), and its bound in seconds.
#[derive(Clone, Copy, Debug)]
struct Goal {
    percentile: Option<f64>,
    seconds: f64,
}

impl Goal {
    fn text(&self) -> String {
        let name = self.percentile.map_or("mean".into(), |p| format!("p{p}"));
        format!("{name}={}us", self.seconds * 1e6)
    }
}

/// Device and latency goal of one study.
#[derive(Clone, Debug)]
struct Case {
    servers: u32,
    service: Service,
    goal: Goal,
}

fn log(dice: &mut Dice, low: f64, high: f64) -> f64 {
    low * (high / low).powf(dice.below(1 << 30) as f64 / (1u64 << 30) as f64)
}

/// Returns a continuous distribution, given by its quantile function in any unit, as forty equally likely times.
pub(super) fn quantiles(shape: impl Fn(f64) -> f64) -> Service {
    const N: u32 = 40;
    let point = |n: u32| (1_000_000 / N, shape((f64::from(n) + 0.5) / f64::from(N)));
    Service::Points((0..N).map(point).collect())
}

/// Returns the distribution scaled to this mean in seconds, in whole nanoseconds.
pub(super) fn scaled(service: &Service, mean: f64) -> Service {
    let by = mean / service.mean();
    let whole = |s: f64| (s * by * 1e9).round().max(1.0) / 1e9;
    match service {
        Service::Constant(s) => Service::Constant(whole(*s)),
        Service::Exponential(s) => Service::Exponential(whole(*s)),
        Service::Uniform(low, high) => Service::Uniform(whole(*low), whole(*high)),
        Service::Points(points) => {
            Service::Points(points.iter().map(|(share, s)| (*share, whole(*s))).collect())
        }
    }
}

/// Returns a quantile of the standard normal distribution, by bisection.
pub(super) fn normal(p: f64) -> f64 {
    let below = |z: f64| 0.5 * beyond(-z / std::f64::consts::SQRT_2);
    let (mut low, mut high) = (-8.0, 8.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if below(middle) < p { low = middle } else { high = middle }
    }
    low
}

/// Returns the complementary error function (Numerical Recipes, error below 1.2e-7).
fn beyond(x: f64) -> f64 {
    let z = x.abs();
    let t = 1.0 / (1.0 + 0.5 * z);
    let terms = [
        0.17087277,
        -0.82215223,
        1.48851587,
        -1.13520398,
        0.27886807,
        -0.18628806,
        0.09678418,
        0.37409196,
        1.00002368,
    ];
    let sum = terms.iter().fold(0.0, |sum, term| sum * t + term);
    let tail = t * (-z * z - 1.26551223 + t * sum).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

type Shape = fn(&mut Dice) -> Service;

/// Distributions of service times; the estimator was developed with the first six, the others were added later.
const SERVICES: [(&str, Shape); 10] = [
    ("constant", |_| Service::Constant(1.0)),
    ("exponential", |_| Service::Exponential(1.0)),
    ("uniform", |dice| Service::Uniform(1.0, log(dice, 2.0, 20.0))),
    ("lognormal, sigma 0.3-1.5", |dice| {
        let sigma = log(dice, 0.3, 1.5);
        quantiles(|p| (sigma * normal(p)).exp())
    }),
    ("1-20 % take 3-30 times as long", |dice| {
        let slow = (log(dice, 1.0, 20.0) * 1e4) as u32;
        Service::Points(vec![(1_000_000 - slow, 1.0), (slow, log(dice, 3.0, 30.0))])
    }),
    ("halves, 2-10 times apart", |dice| {
        Service::Points(vec![(500_000, 1.0), (500_000, log(dice, 2.0, 10.0))])
    }),
    ("three points, tail of index 1.2-2.5", |dice| {
        // Each point takes ten times as long as the previous one, with a share from the Pareto distribution.
        let index = log(dice, 1.2, 2.5);
        let (rare, rarest) = ((1e6 * 10f64.powf(-index)) as u32, (1e6 * 100f64.powf(-index)) as u32);
        Service::Points(vec![(1_000_000 - rare - rarest, 1.0), (rare, 10.0), (rarest, 100.0)])
    }),
    ("Weibull, shape 0.5-0.9", |dice| {
        let shape = log(dice, 0.5, 0.9);
        quantiles(|p| (-(1.0 - p).ln()).powf(1.0 / shape))
    }),
    ("gamma of 2-5 stages, in 40 points", |dice| {
        let stages = dice.between(2, 5) as f64;
        // Approximation by Wilson and Hilferty.
        quantiles(|p| (1.0 - 1.0 / (9.0 * stages) + normal(p) / (3.0 * stages.sqrt())).max(0.05).powi(3))
    }),
    ("0.1-1 % take 5-50 times as long", |dice| {
        let slow = (log(dice, 0.1, 1.0) * 1e4) as u32;
        Service::Points(vec![(1_000_000 - slow, 1.0), (slow, log(dice, 5.0, 50.0))])
    }),
];

fn draw(shape: Shape, dice: &mut Dice) -> Case {
    let servers = log(dice, 1.0, 32.99) as u32;
    let mean = log(dice, 0.5e-3, 20e-3);
    let service = scaled(&shape(dice), mean);
    let percentile = dice.one(&[Some(95.0), Some(99.0), Some(99.9), None]);
    // Whole microseconds, for the command line.
    let seconds = (log(dice, 1.5, 20.0) * service.mean() * 1e6).round() / 1e6;
    Case { servers, service, goal: Goal { percentile, seconds } }
}

/// Sample path of an M/G/k queue with first come, first served: gaps and service times are drawn once, so that
/// different rates are compared on the same random numbers.
struct Path {
    /// Gap before each I/O in units of the mean gap, and its service time in seconds.
    arrivals: Vec<(f32, f32)>,
    servers: u32,
}

impl Path {
    fn new(case: &Case, ios: usize, seed: u64) -> Path {
        let mut chance = Chance(seed);
        let mut one = || {
            let gap = -(1.0 - chance.unit()).ln();
            (gap as f32, case.service.draw(chance.unit()) as f32)
        };
        Path { arrivals: (0..ios).map(|_| one()).collect(), servers: case.servers }
    }

    /// Returns the share of slow I/Os relative to the permitted share (or the mean relative to the goal) at this rate,
    /// more than 1 if the goal is missed. The first tenth of the path is warm-up.
    fn taken(&self, goal: &Goal, iops: f64) -> f64 {
        // Whole nanoseconds, so that servers can be ordered.
        let mut free: BinaryHeap<Reverse<u64>> = (0..self.servers).map(|_| Reverse(0)).collect();
        let (mut now, gap_ns, most_ns) = (0.0, 1e9 / iops, (goal.seconds * 1e9) as u64);
        let warm = self.arrivals.len() / 10;
        let (mut slow, mut sum) = (0u64, 0u64);
        for (at, (gap, service)) in self.arrivals.iter().enumerate() {
            now += f64::from(*gap) * gap_ns;
            let arrives = now as u64;
            let Some(mut first) = free.peek_mut() else { break };
            let done = first.0.max(arrives) + (f64::from(*service) * 1e9) as u64;
            first.0 = done;
            if at >= warm {
                slow += u64::from(done - arrives > most_ns);
                sum += done - arrives;
            }
        }
        let ios = (self.arrivals.len() - warm) as f64;
        match goal.percentile {
            Some(percent) => slow as f64 / ios / (1.0 - percent / 100.0),
            None => sum as f64 / ios / (goal.seconds * 1e9),
        }
    }

    /// Returns the highest rate that keeps a goal, IOPS; about 0 if no rate does. The first tenth of the path is used
    /// to find the approximate rate.
    fn rate(&self, goal: &Goal, most: f64) -> f64 {
        let short =
            Path { arrivals: self.arrivals[..self.arrivals.len() / 10].into(), servers: self.servers };
        let (mut low, mut high) = (0.0, most);
        for _ in 0..12 {
            let middle = (low + high) / 2.0;
            if short.taken(goal, middle) <= 1.0 { low = middle } else { high = middle }
        }
        let mut around = 0.05 * (most - low) + 0.01 * low;
        while low > 0.0 && self.taken(goal, low) > 1.0 {
            high = low;
            low = (low - around).max(0.0);
            around *= 2.0;
        }
        if high - low < around {
            high = (low + around).min(most);
        }
        while high < most && self.taken(goal, high) <= 1.0 {
            low = high;
            high = (high + around).min(most);
            around *= 2.0;
        }
        for _ in 0..5 {
            let middle = (low + high) / 2.0;
            if self.taken(goal, middle) <= 1.0 { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }
}

/// Returns the true highest rate that keeps the goal of a case, IOPS.
fn truth(case: &Case, seed: u64) -> f64 {
    let ios = if case.goal.percentile == Some(99.9) { 3_000_000 } else { 1_500_000 };
    Path::new(case, ios, seed).rate(&case.goal, f64::from(case.servers) / case.service.mean())
}

enum Said {
    Rate(f64),
    Never,
    Nothing,
}

fn ask(case: &Case, seed: u64, budget_s: f64) -> Result<(Said, f64)> {
    let device = format!("model:servers={};law={}", case.servers, case.service.spec());
    let out = Command::new(binary()?)
        .args(["explore", &device, "--json", "--no-store", "--patterns", "4k-randread"])
        .args(["--questions", "slo", "--slo", &case.goal.text()])
        .args(["--budget", &format!("{budget_s}"), "--seed", &seed.to_string()])
        .output()?;
    let study: Value = serde_json::from_slice(&out.stdout)
        .with_context(|| format!("{device}: {}", String::from_utf8_lossy(&out.stderr)))?;
    let spent_s = study["spent_s"].as_f64().unwrap_or(f64::MAX);
    let found = &study["conclusions"][0];
    let said = match found["claim"]["kind"].as_str() {
        Some("never_kept") => Said::Never,
        // The first conclusion is the answer.
        Some(_) => Said::Rate(found["estimate"]["value"].as_f64().context("no value")?),
        None => Said::Nothing,
    };
    Ok((said, spent_s))
}

/// Counts over the studies of one service-time distribution.
#[derive(Clone, Default)]
struct Count {
    devices: usize,
    answered: usize,
    above: usize,
    ratios: Vec<f64>,
    /// Number of answers that no rate keeps the goal: right answers, and wrong answers.
    never: [usize; 2],
    /// Number of studies without an answer; and of these, the number of goals that at least half the maximum rate
    /// keeps.
    nothing: [usize; 2],
    late: usize,
}

impl Count {
    fn row(&self) -> String {
        format!(
            "{:>8}{:>9}{:>7}{:>8.1}{:>13.2}{:>7}{:>7}{:>13}{:>7}",
            self.devices,
            self.answered,
            self.above,
            100.0 * self.above as f64 / self.answered.max(1) as f64,
            median(&self.ratios),
            self.never[0],
            self.never[1],
            format!("{} ({})", self.nothing[0], self.nothing[1]),
            self.late
        )
    }

    fn add(&mut self, other: &Count) {
        self.devices += other.devices;
        self.answered += other.answered;
        self.above += other.above;
        self.ratios.extend(&other.ratios);
        self.late += other.late;
        for n in 0..2 {
            self.never[n] += other.never[n];
            self.nothing[n] += other.nothing[n];
        }
    }
}

/// Runs `laws --slo` with `seeds` devices of each distribution and `budget_s` seconds per study; `only` selects the
/// distributions by first and last number, `show` prints each device.
///
/// # Errors
/// fathom fails or its output is invalid.
pub fn run(
    seeds: usize,
    seed: u64,
    only: Option<(usize, usize)>,
    show: bool,
    budget_s: f64,
) -> Result<Tally> {
    println!(
        "laws --slo: seed {seed} (repeat with --seed {seed}), {seeds} devices of each law, {budget_s} s each"
    );
    println!(
        "{:>3} {:37}{:>8}{:>9}{:>7}{:>8}{:>13}{:>7}{:>7}{:>13}{:>7}",
        "law",
        "",
        "devices",
        "answered",
        "unsafe",
        "unsafe%",
        "answer/truth",
        "never",
        "wrong",
        "not answered",
        "late"
    );
    let mut whole = Count::default();
    for (at, (name, shape)) in SERVICES.iter().enumerate() {
        if only.is_some_and(|(first, last)| !(first..=last).contains(&(at + 1))) {
            continue;
        }
        let count = Mutex::new(Count::default());
        let judge = |n: usize| -> Result<()> {
            let drawn = seed.wrapping_add((at * 1_000_003 + n * 7919) as u64);
            let case = draw(*shape, &mut Dice::new(drawn));
            let truth = truth(&case, drawn);
            let most = f64::from(case.servers) / case.service.mean();
            let (said, spent_s) = ask(&case, 1 + n as u64, budget_s)?;
            let Ok(mut count) = count.lock() else { return Ok(()) };
            count.devices += 1;
            count.late += usize::from(spent_s > 1.02 * budget_s);
            match &said {
                Said::Rate(rate) => {
                    count.answered += 1;
                    count.above += usize::from(*rate > truth);
                    count.ratios.push(rate / truth.max(1e-9));
                }
                // If the true rate is below the lowest rate that explore tries, the answer is right.
                Said::Never => count.never[usize::from(truth > most / 32.0)] += 1,
                Said::Nothing => {
                    count.nothing[0] += 1;
                    count.nothing[1] += usize::from(truth > most / 2.0);
                }
            }
            if show || matches!(said, Said::Rate(rate) if rate > truth) {
                let said = match said {
                    Said::Rate(rate) => format!("{rate:.2}"),
                    Said::Never => "never".into(),
                    Said::Nothing => "not answered".into(),
                };
                println!(
                    "    servers={};law={} {}: true {truth:.2} of {most:.1}, said {said}",
                    case.servers,
                    case.service.spec().chars().take(60).collect::<String>(),
                    case.goal.text()
                );
            }
            Ok(())
        };
        super::two_at_a_time(seeds, judge)?;
        let count = count.into_inner().unwrap_or_default();
        println!("{:>3} {name:37}{}", at + 1, count.row());
        whole.add(&count);
    }
    let mut tally = Tally::default();
    let fine = whole.above as f64 <= UNSAFE_PERCENT / 100.0 * whole.answered as f64
        && whole.late == 0
        && whole.answered > 0;
    println!("    {:37}{}  {}", "all", whole.row(), tally.add(fine));
    println!("asked: at most {UNSAFE_PERCENT} % of the answers above the true rate, none late");
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the share of requests of an M/M/k queue with a response time above `t` seconds: the wait has Erlang's
    /// distribution (1917), and the service time is added.
    fn slow(k: u32, mean: f64, iops: f64, t: f64) -> f64 {
        let offered = iops * mean;
        let mut blocked = 1.0;
        for n in 1..=k {
            blocked = offered * blocked / (f64::from(n) + offered * blocked);
        }
        let busy = offered / f64::from(k);
        let waits = blocked / (1.0 - busy * (1.0 - blocked));
        let (serve, drain) = (1.0 / mean, f64::from(k) / mean - iops);
        let both = drain * ((-serve * t).exp() - (-drain * t).exp()) / (drain - serve) + (-drain * t).exp();
        (1.0 - waits) * (-serve * t).exp() + waits * both
    }

    #[test]
    fn the_simulated_queue_agrees_with_erlang() {
        for (servers, load, goal_ms) in [(1, 0.7, 9.0), (3, 0.8, 5.0), (16, 0.9, 4.0)] {
            let iops = load * f64::from(servers) / 1e-3;
            let goal = Goal { percentile: Some(99.0), seconds: goal_ms * 1e-3 };
            let case = Case { servers, service: Service::Exponential(1e-3), goal };
            // A single path of the last case has 700 clusters of slow I/Os and is exact to 5 %; ten paths are exact
            // to 1.7 %.
            let paths = (0..10).map(|seed| Path::new(&case, 2_000_000, seed).taken(&goal, iops));
            let found = paths.sum::<f64>() / 10.0 * 0.01;
            let known = slow(servers, 1e-3, iops, goal.seconds);
            assert!((found / known - 1.0).abs() < 0.06, "{servers}: {found} for {known}");
        }
    }
}
