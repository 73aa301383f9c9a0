//! Tests whether the 95 % intervals of single points contain the true rate. Random devices are studied by `fathom
//! explore`, and every point in the study's JSON is compared with a closed form. Laws marked true were written after
//! the estimator.

use super::devices::{log, ns};
use super::goals::{normal, quantiles, scaled};
use super::{binary, median, one, share, truth, two_at_a_time};
use crate::Tally;
use crate::dice::Dice;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::process::Command;
use std::sync::Mutex;

/// Smallest share of points whose interval contains the true rate, percent.
const COVERED_PERCENT: f64 = 93.0;
/// Maximum mean error, in percent.
const BIAS_PERCENT: f64 = 2.0;
/// Half-width of an interval from which it counts as wide, percent.
const WIDE_PERCENT: f64 = 10.0;
/// Duration of the load before a point counts, seconds.
const WARM_UP_S: f64 = 0.05;

/// Conditions under which a point was measured.
struct At {
    in_flight: u32,
    /// Start and end of the part of the point that counts, seconds of the device's time.
    from_s: f64,
    to_s: f64,
    /// Credits used before the point, computed from the earlier points.
    gone: f64,
    /// Whether a step was reported, so that the rate of the point is the later one.
    stepped: bool,
}

/// Device: its specification for `model:`, block size, and the function that returns the true mean rate of a point.
struct Device {
    spec: String,
    block: &'static str,
    rate: Box<dyn Fn(&At) -> f64 + Send + Sync>,
    /// Credits restored per second; 0 for a device without credits.
    base: f64,
}

fn device(spec: String, rate: impl Fn(&At) -> f64 + Send + Sync + 'static) -> Device {
    Device { spec, block: "4k", rate: Box::new(rate), base: 0.0 }
}

/// Returns the true rate of a closed loop: busy servers never wait for a request, so the rate is their number over the
/// mean service time.
fn served(k: u32, mean: f64) -> impl Fn(&At) -> f64 + Send + Sync + 'static {
    move |at| f64::from(at.in_flight.min(k)) / mean
}

/// Returns a random number of servers and a random mean service time, seconds.
fn servers(dice: &mut Dice) -> (u32, f64) {
    (log(dice, 1.0, 32.99) as u32, log(dice, 0.5e-3, 10e-3))
}

/// Returns a device with service times of these shares (percent) and multiples of a random time.
fn mixture(dice: &mut Dice, parts: &[(f64, f64)]) -> Device {
    let (k, s) = servers(dice);
    let part = |(share, times): &(f64, f64)| format!("{share}/{}", ns(times * s));
    let spec = parts.iter().map(part).collect::<Vec<_>>().join(":");
    let mean: f64 = parts.iter().map(|(share, times)| share / 100.0 * times * s).sum();
    device(format!("servers={k};law=mixture:{spec}"), served(k, mean))
}

fn constant(dice: &mut Dice) -> Device {
    let (k, s) = servers(dice);
    device(format!("servers={k};law=constant:{}", ns(s)), served(k, s))
}

fn exponential(dice: &mut Dice) -> Device {
    let (k, s) = servers(dice);
    device(format!("servers={k};law=exponential:{}", ns(s)), served(k, s))
}

fn uniform(dice: &mut Dice) -> Device {
    let ((k, s), wide) = (servers(dice), log(dice, 2.0, 20.0));
    device(format!("servers={k};law=uniform:{}-{}", ns(s), ns(wide * s)), served(k, (1.0 + wide) * s / 2.0))
}

fn rare_hundredfold(dice: &mut Dice) -> Device {
    let rare = (log(dice, 0.02, 0.5) * 1e4).round() / 1e4;
    let some = (log(dice, 1.0, 5.0) * 1e4).round() / 1e4;
    mixture(dice, &[(100.0 - some - rare, 1.0), (some, 10.0), (rare, 100.0)])
}

/// Returns a device that stops for a share of the time.
fn stalls(dice: &mut Dice, law: &str, every: (f64, f64), percent: (u64, u64)) -> Device {
    let ((k, s), every) = (servers(dice), log(dice, every.0, every.1));
    let lasts = dice.between(percent.0, percent.1) as f64 / 100.0;
    let spec = format!("servers={k};law={law}:{};stall={}:{}", ns(s), ns(every), ns(lasts * every));
    device(spec, served(k, s / (1.0 - lasts)))
}

fn drift(dice: &mut Dice) -> Device {
    let ((k, s), grows) = (servers(dice), (log(dice, 0.2, 3.0) * 1e3).round() / 1e3);
    let rate = served(k, s);
    device(format!("servers={k};law=exponential:{};drift={grows}", ns(s)), move |at| {
        // Mean of 1/(1+gt) over the interval.
        let at_time = |t: f64| (1.0 + grows / 100.0 * t).ln() / (grows / 100.0);
        rate(at) * (at_time(at.to_s) - at_time(at.from_s)) / (at.to_s - at.from_s)
    })
}

fn credits(dice: &mut Dice) -> Device {
    let (s, base) = (log(dice, 100e-6, 500e-6), log(dice, 200.0, 1_000.0).round());
    let burst = (base * (2.0 + dice.between(0, 6) as f64)).round();
    let ios = (burst * dice.between(2, 20) as f64).round();
    let spec = format!("servers=512;law=constant:{};iops={burst};burst={ios}:{base}", ns(s));
    let rate = move |at: &At| {
        let fast = (f64::from(at.in_flight) / s).min(burst);
        let seconds = at.to_s - at.from_s;
        let holds_s = if fast > base { (ios - at.gone).max(0.0) / (fast - base) } else { seconds };
        match holds_s {
            holds_s if holds_s >= seconds => fast,
            // The computed credits are accurate to a few percent.
            _ if at.stepped || at.gone > 0.97 * ios => base,
            _ => (holds_s * fast + (seconds - holds_s) * base) / seconds,
        }
    };
    Device { base, ..device(spec, rate) }
}

fn contention(dice: &mut Dice) -> Device {
    let ((k, s), grows) = (servers(dice), dice.between(1, 30) as f64 / 10.0);
    let rate = served(k, s);
    device(format!("servers={k};law=constant:{};contention={grows}", ns(s)), move |at| {
        rate(at) / (1.0 + grows / 100.0 * f64::from(at.in_flight.saturating_sub(k)))
    })
}

fn size_dependent(dice: &mut Dice) -> Device {
    let ((k, s), block) = (servers(dice), dice.one(&[("4k", 4096.0), ("64k", 65536.0), ("256k", 262144.0)]));
    let bytes_per_second = (log(dice, 16e3, 256e3) / s).round();
    let spec = format!("servers={k};law=exponential:{};transfer={bytes_per_second}", ns(s));
    Device { block: block.0, ..device(spec, served(k, s + block.1 / bytes_per_second)) }
}

fn capped(dice: &mut Dice) -> Device {
    let (s, cap) = (log(dice, 100e-6, 5e-3), log(dice, 100.0, 20_000.0).round());
    device(format!("servers=512;law=constant:{};iops={cap}", ns(s)), move |at| {
        (f64::from(at.in_flight) / s).min(cap)
    })
}

fn pareto(dice: &mut Dice) -> Device {
    let index = log(dice, 1.5, 3.0);
    let parts: Vec<(f64, f64)> = (0..12)
        .map(|n| {
            let above = 0.5f64.powi(n);
            let part = if n == 11 { above } else { above / 2.0 };
            (100.0 * part, (above - part / 2.0).powf(-1.0 / index))
        })
        .collect();
    mixture(dice, &parts)
}

fn lognormal(dice: &mut Dice) -> Device {
    let ((k, s), sigma) = (servers(dice), log(dice, 0.3, 2.0));
    let service = scaled(&quantiles(|p| (sigma * normal(p)).exp()), s);
    device(format!("servers={k};law={}", service.spec()), served(k, service.mean()))
}

fn hits(dice: &mut Dice) -> Device {
    let ((k, s), percent, fast) = (servers(dice), dice.between(10, 60), log(dice, 5e-6, 50e-6));
    let p = percent as f64 / 100.0;
    device(format!("servers={k};law=exponential:{};hit={percent}:{}", ns(s), ns(fast)), move |at| {
        truth::beside_servers(at.in_flight, k, (1.0 - p) * s, p * fast)
    })
}

fn disk(dice: &mut Dice) -> Device {
    let (full, rotation) = (log(dice, 8e-3, 20e-3), dice.one(&[8.33e-3, 11.1e-3, 5.56e-3]));
    device(format!("law=constant:1ns;disk={}:{}:32", ns(full), ns(rotation)), move |at| {
        truth::disk(at.in_flight, 32, full, rotation, 40_000, 4711)
    })
}

fn stalls_and_slow_ones(dice: &mut Dice) -> Device {
    let ((k, s), slow) = (servers(dice), dice.between(3, 30) as f64);
    let (every, lasts) = (log(dice, 0.1, 3.0), dice.between(2, 20) as f64 / 100.0);
    let spec = format!("servers={k};law=mixture:95/{}:5/{}", ns(s), ns(slow * s));
    let stall = format!("stall={}:{}", ns(every), ns(lasts * every));
    device(format!("{spec};{stall}"), served(k, (0.95 + 0.05 * slow) * s / (1.0 - lasts)))
}

/// Law: its name, whether it was written after the estimator, and the function that draws a device.
type Law = (&'static str, bool, fn(&mut Dice) -> Device);

const LAWS: [Law; 19] = [
    ("constant", false, constant),
    ("exponential", false, exponential),
    ("uniform, 2-20 times wide", false, uniform),
    ("two points, 5 % 25 times slower", false, |d| mixture(d, &[(95.0, 1.0), (5.0, 25.0)])),
    ("three points, 0.02-0.5 % 100 times slower", false, rare_hundredfold),
    ("stalls, one in 50-500 ms", false, |d| stalls(d, "exponential", (0.05, 0.5), (2, 25))),
    ("stalls, one in 0.5-5 s", false, |d| stalls(d, "exponential", (0.5, 5.0), (2, 20))),
    ("drift of 0.2-3 % a second", false, drift),
    ("credits for 2-20 s", false, credits),
    ("contention 0.1-3 % each that waits", false, contention),
    ("size-dependent, 4k to 256k", false, size_dependent),
    ("cap of 100-20k IOPS", false, capped),
    ("bursts: works 15-60 % of 50-250 ms", false, |d| stalls(d, "constant", (0.05, 0.25), (40, 85))),
    ("Pareto of index 1.5-3, twelve steps", true, pareto),
    ("lognormal, sigma 0.3-2", true, lognormal),
    ("cache hits 10-60 %", true, hits),
    ("disk, reordering 32", true, disk),
    ("stalls and slow ones", true, stalls_and_slow_ones),
    ("stalls of 2-5 % of 1-3 s, constant", true, |d| stalls(d, "constant", (1.0, 3.0), (2, 5))),
];

/// Counts over the points of a law.
#[derive(Default)]
struct Count {
    devices: usize,
    covered: (usize, usize),
    off_percent: f64,
    halves: Vec<f64>,
    wide: usize,
    /// Points with an interval that extends to zero, so that the rate is unknown.
    unknown: usize,
    /// Points whose rate does not follow from their counts.
    miscounted: usize,
    invalid: usize,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.devices += other.devices;
        self.covered.0 += other.covered.0;
        self.covered.1 += other.covered.1;
        self.off_percent += other.off_percent;
        self.halves.extend(other.halves);
        self.wide += other.wide;
        self.unknown += other.unknown;
        self.miscounted += other.miscounted;
        self.invalid += other.invalid;
    }

    fn bias_percent(&self) -> f64 {
        self.off_percent / self.covered.1.max(1) as f64
    }

    fn fine(&self) -> bool {
        share(self.covered) >= COVERED_PERCENT
            && self.bias_percent().abs() <= BIAS_PERCENT
            && self.miscounted == 0
            && self.invalid == 0
    }

    fn row(&self) -> String {
        let of = |n: usize| 100.0 * n as f64 / self.covered.1.max(1) as f64;
        format!(
            "{:>8}{:>8}{:>9.1}{:>8.2}{:>8.2}{:>7.1}{:>9.1}{:>11}",
            self.devices,
            self.covered.1,
            share(self.covered),
            self.bias_percent(),
            median(&self.halves),
            of(self.wide),
            of(self.unknown),
            self.miscounted
        )
    }
}

fn study(device: &Device, budget_s: f64, seed: u64, show: bool) -> Result<Count> {
    let out = Command::new(binary()?)
        .args(["explore", &format!("model:{}", device.spec), "--json", "--no-store"])
        .args(["--patterns", &format!("{}-randread", device.block), "--questions", "depth"])
        .args(["--budget", &format!("{budget_s}"), "--seed", &seed.to_string()])
        .output()?;
    let study: Value = serde_json::from_slice(&out.stdout)
        .with_context(|| format!("{}: {}", device.spec, String::from_utf8_lossy(&out.stderr)))?;
    let mut count = Count { devices: 1, ..Count::default() };
    let mut gone = 0.0f64;
    for point in study["points"].as_array().context("no points")? {
        let number = |v: &Value| v.as_f64().unwrap_or(f64::NAN);
        let (value, low, high) =
            (number(&point["iops"]["value"]), number(&point["iops"]["low"]), number(&point["iops"]["high"]));
        let seconds = number(&point["seconds"]);
        let warm_up_s = f64::min(WARM_UP_S, number(&point["rest_s"]));
        let begin_s = number(&point["began_ms"]) / 1e3 + warm_up_s;
        gone = (gone + (value - device.base) * warm_up_s).max(0.0);
        let at = At {
            in_flight: (number(&point["cell"]["depth"]) * number(&point["cell"]["jobs"])) as u32,
            from_s: begin_s + number(&point["cut_s"]),
            to_s: begin_s + seconds,
            gone,
            stepped: point["trend"]["steps"].is_object() || number(&point["cut_s"]) > 0.0,
        };
        let rest_s = number(&point["rest_s"]) - warm_up_s;
        gone += number(&point["ios"]) - device.base * seconds + (value - device.base) * rest_s;
        gone = gone.max(0.0);
        if point["grade"] == "X" {
            continue;
        }
        // A pause as long as the point: the cell is measured again, and no answer is based on this point.
        if value <= 0.0 {
            count.unknown += 1;
            continue;
        }
        let truth = (device.rate)(&at);
        let half_percent = 50.0 * (high - low) / value;
        one(&mut count.covered, low <= truth && truth <= high);
        count.off_percent += 100.0 * (value / truth - 1.0);
        count.halves.push(half_percent);
        count.wide += usize::from(half_percent > WIDE_PERCENT);
        count.unknown += usize::from(low <= 0.0);
        let counted = number(&point["counted"]["ios"]) / number(&point["counted"]["seconds"]);
        count.miscounted += usize::from((counted / value - 1.0).abs() > 1e-9 || counted.is_nan());
        count.invalid += usize::from(!(truth > 0.0 && value > 0.0));
        if show && !(low <= truth && truth <= high) {
            println!(
                "    {} --budget {budget_s} --seed {seed}: depth {} at {:.2} s for {seconds:.2} s, cut {}: {low:.1} to {high:.1} for {truth:.1}, {}",
                device.spec, at.in_flight, begin_s, point["cut_s"], point["trend"]
            );
        }
    }
    Ok(count)
}

/// Runs `laws --points`: `seeds` devices of each law.
pub fn run(seeds: usize, seed: u64, only: Option<usize>, show: bool) -> Result<Tally> {
    println!("laws --points: seed {seed} (repeat with --seed {seed}), {seeds} devices of each law");
    println!(
        "{:>3} {:42}{:>8}{:>8}{:>9}{:>8}{:>8}{:>7}{:>9}{:>11}",
        "law", "", "devices", "points", "covered%", "bias%", "half%", "wide%", "unknown%", "miscounted"
    );
    let mut tally = Tally::default();
    let mut pooled = [Count::default(), Count::default()];
    for (at, (name, apart, draw)) in
        LAWS.iter().enumerate().filter(|(at, _)| only.is_none_or(|n| n == at + 1))
    {
        let count = Mutex::new(Count::default());
        two_at_a_time(seeds, |n| {
            let mut dice = Dice::new(seed.wrapping_add((at * 1_000_003 + n * 7919) as u64));
            let device = draw(&mut dice);
            let found = study(&device, log(&mut dice, 20.0, 60.0).round(), 1 + n as u64, show)?;
            if let Ok(mut count) = count.lock() {
                count.add(found);
            }
            Ok(())
        })?;
        let count = count.into_inner().unwrap_or_default();
        println!("{:>3} {name:42}{}  {}", at + 1, count.row(), tally.add(count.fine()));
        pooled[usize::from(*apart)].add(count);
    }
    for (count, name) in pooled.iter().zip(["pooled", "pooled, laws that were kept apart"]) {
        if count.devices > 0 {
            println!("    {name:42}{}  {}", count.row(), tally.add(count.fine()));
        }
    }
    println!(
        "asked: {COVERED_PERCENT} % covered, bias {BIAS_PERCENT} % at most, the rate of each point that of its counts; wide: more than {WIDE_PERCENT} % either way"
    );
    Ok(tally)
}
