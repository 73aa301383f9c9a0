//! Tests whether `fathom explore` reports changes of a device during a study: devices that step down or up at a random
//! moment, drift or run out of credits, and devices with heavy tails and stalls that do not change. Laws marked `apart`
//! were written after the code under test.

use super::devices::{log, ns};
use super::{binary, share, two_at_a_time};
use crate::Tally;
use crate::dice::Dice;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::process::Command;
use std::sync::Mutex;

/// Budget of a study, seconds.
const BUDGET_S: f64 = 120.0;
const PATTERNS: &str = "4k-randread,64k-read";
/// Shortest rest of the study after a change, seconds, from which the change must be reported.
const LEFT_S: f64 = 8.0;

/// Change of a device during a study.
#[derive(Clone, Copy)]
enum Change {
    Never,
    /// Step at a time in seconds to a share of the earlier rate.
    Step {
        at_s: f64,
        share: f64,
    },
    /// Linear growth of the service time, as a share of its first value per second.
    Drift(f64),
    /// Exhaustion of credits: their number, and the credits restored per second.
    Credits {
        ios: f64,
        base: f64,
    },
}

/// Law: its name, whether it was written after the code under test, and the function that draws a device.
struct Law {
    name: &'static str,
    apart: bool,
    draw: fn(&mut Dice) -> (String, Change),
}

const fn law(name: &'static str, draw: fn(&mut Dice) -> (String, Change)) -> Law {
    Law { name, apart: false, draw }
}

const fn apart(name: &'static str, draw: fn(&mut Dice) -> (String, Change)) -> Law {
    Law { name, apart: true, draw }
}

fn unit(dice: &mut Dice) -> f64 {
    dice.below(1 << 30) as f64 / (1u64 << 30) as f64
}

fn servers(dice: &mut Dice) -> (u32, f64) {
    (log(dice, 1.0, 64.0).round() as u32, log(dice, 200e-6, 5e-3))
}

/// Returns a device whose rate changes to a random share between `low` and `high` at a random time of the study.
fn stepped(dice: &mut Dice, device: fn(&mut Dice) -> String, low: f64, high: f64) -> (String, Change) {
    let spec = device(dice);
    let (at_s, share) = (5.0 + 95.0 * unit(dice), log(dice, low, high));
    (format!("{spec};step={}ms:{share:.4}", (at_s * 1e3).round()), Change::Step { at_s, share })
}

fn constant(dice: &mut Dice) -> String {
    let (k, s) = servers(dice);
    format!("servers={k};law=constant:{}", ns(s))
}

fn exponential(dice: &mut Dice) -> String {
    let (k, s) = servers(dice);
    format!("servers={k};law=exponential:{}", ns(s))
}

/// Returns a device with Pareto service times of this exponent, in ten steps of probability, the last with 0.2 %.
fn pareto(dice: &mut Dice, exponent: f64) -> String {
    let (k, s) = servers(dice);
    let mut parts = Vec::new();
    let mut left = 100.0f64;
    for n in 0..10 {
        let part = if n == 9 { left } else { left / 2.0 };
        // Middle of the step, as the share of the distribution above it.
        let above = (left - part / 2.0) / 100.0;
        parts.push(format!("{part}/{}", ns(s * above.powf(-1.0 / exponent))));
        left -= part;
    }
    format!("servers={k};law=mixture:{}", parts.join(":"))
}

fn two_points(dice: &mut Dice) -> String {
    let ((k, s), slow) = (servers(dice), log(dice, 5.0, 50.0));
    let percent = dice.between(1, 10);
    format!("servers={k};law=mixture:{}/{}:{percent}/{}", 100 - percent, ns(s), ns(slow * s))
}

fn stalls(dice: &mut Dice, shortest: f64, longest: f64) -> String {
    let ((k, s), every) = (servers(dice), log(dice, shortest, longest));
    let lasts = every * dice.between(2, 25) as f64 / 100.0;
    format!("servers={k};law=exponential:{};stall={}:{}", ns(s), ns(every), ns(lasts))
}

fn short_stalls(dice: &mut Dice) -> String {
    stalls(dice, 0.05, 0.5)
}

fn capped(dice: &mut Dice) -> String {
    let (s, cap) = (log(dice, 100e-6, 2e-3), log(dice, 300.0, 20_000.0).round());
    format!("servers=512;law=exponential:{};iops={cap}", ns(s))
}

fn disk(dice: &mut Dice) -> String {
    let (full, rotation) = (log(dice, 8e-3, 20e-3), [8.33e-3, 11.1e-3, 5.56e-3][dice.below(3)]);
    format!("law=constant:60us;transfer=180000000;disk={}:{}:32", ns(full), ns(rotation))
}

fn hits(dice: &mut Dice) -> String {
    let ((k, s), percent) = (servers(dice), dice.between(10, 60));
    format!("servers={k};law=exponential:{};hit={percent}:{}", ns(s), ns(log(dice, 5e-6, 50e-6)))
}

fn contention(dice: &mut Dice) -> String {
    let ((k, s), grows) = (servers(dice), dice.between(1, 30) as f64 / 10.0);
    format!("servers={k};law=constant:{};contention={grows}", ns(s))
}

/// Returns a device with credits that last for a burst of 5 to 50 s.
fn credits(dice: &mut Dice, law: &str) -> (String, Change) {
    let (s, base) = (log(dice, 100e-6, 500e-6), log(dice, 200.0, 1_000.0).round());
    let burst = (base * (2.0 + 6.0 * unit(dice))).round();
    let ios = (burst * (5.0 + 45.0 * unit(dice))).round();
    let spec = format!("servers=512;law={law}:{};iops={burst};burst={ios}:{base}", ns(s));
    (spec, Change::Credits { ios, base })
}

fn drifting(dice: &mut Dice, device: fn(&mut Dice) -> String) -> (String, Change) {
    let spec = device(dice);
    let grows = log(dice, 0.4, 3.0);
    (format!("{spec};drift={grows:.3}"), Change::Drift(grows / 100.0))
}

const LAWS: [Law; 20] = [
    law("step down to 30-80 %, constant", |d| stepped(d, constant, 0.3, 0.8)),
    law("step down to 30-80 %, exponential", |d| stepped(d, exponential, 0.3, 0.8)),
    law("step up to 130-300 %", |d| stepped(d, exponential, 1.3, 3.0)),
    law("drift of 0.4-3 % a second", |d| drifting(d, constant)),
    law("credits for 5-50 s", |d| credits(d, "constant")),
    law("stays: exponential", |d| (exponential(d), Change::Never)),
    law("stays: Pareto 2.5", |d| (pareto(d, 2.5), Change::Never)),
    law("stays: two points, 1-10 % 5-50 times slower", |d| (two_points(d), Change::Never)),
    law("stays: stalls, one in 50-500 ms", |d| (short_stalls(d), Change::Never)),
    apart("cap, step down to 30-80 %", |d| stepped(d, capped, 0.3, 0.8)),
    apart("disk, step down to 30-70 %", |d| stepped(d, disk, 0.3, 0.7)),
    apart("two points, step down to 30-70 %", |d| stepped(d, two_points, 0.3, 0.7)),
    apart("stalls, step up to 150-300 %", |d| stepped(d, short_stalls, 1.5, 3.0)),
    apart("exponential servers drift", |d| drifting(d, exponential)),
    apart("credits, exponential servers", |d| credits(d, "exponential")),
    apart("stays: Pareto 1.5", |d| (pareto(d, 1.5), Change::Never)),
    apart("stays: disk", |d| (disk(d), Change::Never)),
    apart("stays: stalls, one in 1-4 s", |d| (stalls(d, 1.0, 4.0), Change::Never)),
    apart("stays: cache hits", |d| (hits(d), Change::Never)),
    apart("stays: contention", |d| (contention(d), Change::Never)),
];

/// Counts over the studies of a law: changes within the study and those reported, devices without a change and false
/// alarms.
#[derive(Clone, Copy, Default)]
struct Count {
    told: (usize, usize),
    alarms: (usize, usize),
    /// Steps reported with a ratio of the two rates within 15 % of the true one, of all reported steps.
    ratio: (usize, usize),
    longest_s: f64,
}

/// Returns whether so much of a change was within the study that it must be reported.
fn seen(change: Change, study: &Value) -> bool {
    let points = study["points"].as_array().map_or(&[][..], Vec::as_slice);
    let number = |p: &Value, key: &str| p[key].as_f64().unwrap_or(0.0);
    let spent_s = number(study, "spent_s");
    match change {
        Change::Never => false,
        Change::Step { at_s, .. } => at_s + LEFT_S < spent_s,
        Change::Drift(grows) => grows * spent_s > 0.2,
        // Credits used by the points, computed by the law of the device.
        Change::Credits { ios, base } => {
            let (mut gone, mut now_s) = (0.0, 0.0);
            for p in points {
                let seconds = number(p, "seconds") + number(p, "rest_s");
                // The warm-up of a point uses credits, too.
                let took = number(p, "ios") + number(&p["iops"], "value") * number(p, "rest_s");
                gone = f64::max(0.0, gone + took - base * seconds);
                now_s += seconds;
                if gone >= 0.98 * ios && now_s + LEFT_S < spent_s {
                    return true;
                }
            }
            false
        }
    }
}

fn one(law: &Law, dice: &mut Dice, seed: u64, show: bool) -> Result<Count> {
    let (spec, change) = (law.draw)(dice);
    let out = Command::new(binary()?)
        .args(["explore", &format!("model:{spec}"), "--json", "--no-store", "--patterns", PATTERNS])
        .args(["--budget", &BUDGET_S.to_string(), "--seed", &seed.to_string()])
        .output()?;
    let study: Value = serde_json::from_slice(&out.stdout)
        .with_context(|| format!("{spec}: {}", String::from_utf8_lossy(&out.stderr)))?;
    let conclusions = study["conclusions"].as_array().context("no conclusions")?;
    let tells = |c: &&Value| matches!(c["claim"]["kind"].as_str(), Some("moved" | "drifts"));
    let told: Vec<&Value> = conclusions.iter().filter(tells).collect();
    let mut count = Count { longest_s: study["spent_s"].as_f64().unwrap_or(0.0), ..Count::default() };
    if matches!(change, Change::Never) {
        count.alarms = (usize::from(!told.is_empty()), 1);
    } else if seen(change, &study) {
        count.told = (usize::from(!told.is_empty()), 1);
    }
    let moved: Vec<&&Value> = told.iter().filter(|c| c["claim"]["kind"] == "moved").collect();
    if let (Change::Step { share, .. }, [_, ..]) = (change, moved.as_slice()) {
        let number = |v: &Value| v.as_f64().unwrap_or(f64::NAN);
        let found = |c: &Value| number(&c["estimate"]["value"]) / number(&c["claim"]["before"]);
        count.ratio = (usize::from(moved.iter().any(|c| (found(c) / share).ln().abs() < 0.15)), 1);
    }
    if show && (count.alarms.0 > 0 || count.told.0 < count.told.1 || count.ratio.0 < count.ratio.1) {
        println!("    {spec} --seed {seed}: told {:?}", told.iter().map(|c| &c["claim"]).collect::<Vec<_>>());
    }
    Ok(count)
}

fn sum(a: &mut Count, b: Count) {
    for (mine, theirs) in [(&mut a.told, b.told), (&mut a.alarms, b.alarms), (&mut a.ratio, b.ratio)] {
        mine.0 += theirs.0;
        mine.1 += theirs.1;
    }
    a.longest_s = a.longest_s.max(b.longest_s);
}

/// Runs `seeds` studies of each law.
pub fn run(seeds: usize, seed: u64, only: Option<usize>, show: bool) -> Result<Tally> {
    println!("laws --changes: seed {seed} (repeat with --seed {seed}), {seeds} studies of each, {PATTERNS}");
    println!("{:>3} {:46}{:>12}{:>12}{:>12}{:>10}", "law", "", "told", "alarms", "both rates", "longest s");
    let mut tally = Tally::default();
    let line = |count: &Count| {
        let of =
            |pair: (usize, usize)| if pair.1 == 0 { "-".into() } else { format!("{}/{}", pair.0, pair.1) };
        format!(
            "{:>12}{:>12}{:>12}{:>10.0}",
            of(count.told),
            of(count.alarms),
            of(count.ratio),
            count.longest_s
        )
    };
    let mut pooled = [Count::default(); 2];
    for (at, law) in LAWS.iter().enumerate().filter(|(at, _)| only.is_none_or(|n| n == at + 1)) {
        let count = Mutex::new(Count::default());
        two_at_a_time(seeds, |n| {
            let mut dice = Dice::new(seed.wrapping_add((at * 1_000_003 + n * 7919) as u64));
            let found = one(law, &mut dice, 1 + n as u64, show)?;
            if let Ok(mut count) = count.lock() {
                sum(&mut count, found);
            }
            Ok(())
        })?;
        let count = count.into_inner().unwrap_or_default();
        println!("{:>3} {:46}{}", at + 1, law.name, line(&count));
        sum(&mut pooled[usize::from(law.apart)], count);
    }
    for (count, name) in pooled.iter().zip(["pooled", "pooled, laws that were kept apart"]) {
        let fine = |pair: (usize, usize), right: bool| pair.1 == 0 || right;
        let good = fine(count.told, share(count.told) >= 95.0)
            && fine(count.alarms, share(count.alarms) <= 5.0)
            && count.longest_s <= BUDGET_S + 5.0;
        println!("    {name:46}{}  {}", line(count), tally.add(good));
    }
    println!("asked: told 95 %, alarms 5 % at most, {BUDGET_S} s");
    Ok(tally)
}
