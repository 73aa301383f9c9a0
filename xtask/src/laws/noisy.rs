//! Check whether the most common question, the queue depth for the first pattern, always has an answer, and a right
//! one. The devices are noisy (heavy tails, bursts, stalls); each study has the default questions, four patterns and
//! a budget of two minutes. Device families marked `apart` were added after the code under test.

use super::devices::{log, ns};
use super::truth;
use super::{binary, share, two_at_a_time};
use crate::Tally;
use crate::dice::Dice;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::process::Command;
use std::sync::Mutex;

const BUDGET_S: f64 = 120.0;
/// Four patterns, the number of the defaults. They only read, because writes of large blocks take real time to fill,
/// which simulated devices do not need.
const PATTERNS: &str = "4k-randread,16k-randread,64k-read,256k-read";

/// Specification of a device, and its true rate at a depth.
type Noisy = (String, Box<dyn Fn(u32) -> f64>);

struct Law {
    name: &'static str,
    apart: bool,
    draw: fn(&mut Dice) -> Noisy,
}

fn servers(k: u32, mean: f64, runs: f64) -> Box<dyn Fn(u32) -> f64> {
    Box::new(move |n| f64::from(n.min(k)) / mean * runs)
}

/// Returns a device where 1 to 10 % of the I/Os take 10 to 100 times as long.
fn tails(dice: &mut Dice) -> Noisy {
    let (k, s) = (log(dice, 1.0, 64.0).round() as u32, log(dice, 200e-6, 5e-3));
    let (percent, slow) = (dice.between(1, 10), log(dice, 10.0, 100.0));
    let p = percent as f64 / 100.0;
    let spec = format!("servers={k};law=mixture:{}/{}:{percent}/{}", 100 - percent, ns(s), ns(slow * s));
    (spec, servers(k, (1.0 - p) * s + p * slow * s, 1.0))
}

fn exponential(dice: &mut Dice, from: f64, to: f64) -> (u32, f64, String) {
    // At most 20,000 I/Os per second, because each is simulated.
    let (k, s) = (log(dice, 1.0, 64.0).round() as u32, log(dice, from, to));
    let s = s.max(f64::from(k) / 20e3);
    (k, s, format!("servers={k};law=exponential:{}", ns(s)))
}

/// Returns a device that serves I/Os only in a part of each period of 50 to 200 ms, like a throttle.
fn bursts(dice: &mut Dice) -> Noisy {
    let (k, s, spec) = exponential(dice, 100e-6, 1e-3);
    let (every, lasts) = (log(dice, 0.05, 0.2), dice.between(30, 80) as f64 / 100.0);
    (format!("{spec};stall={}:{}", ns(every), ns(every * lasts)), servers(k, s, 1.0 - lasts))
}

/// Returns a device with long pauses every 0.5 to 2 s.
fn pauses(dice: &mut Dice) -> Noisy {
    let (k, s, spec) = exponential(dice, 100e-6, 3e-3);
    let (every, lasts) = (log(dice, 0.5, 2.0), dice.between(5, 40) as f64 / 100.0);
    (format!("{spec};stall={}:{}", ns(every), ns(every * lasts)), servers(k, s, 1.0 - lasts))
}

/// Returns a device with few I/Os per second and exponential service times.
fn slow(dice: &mut Dice) -> Noisy {
    let (k, s, spec) = exponential(dice, 5e-3, 40e-3);
    (spec, servers(k, s, 1.0))
}

/// Returns a device with heavy tails and pauses.
fn both(dice: &mut Dice) -> Noisy {
    let (spec, rate) = tails(dice);
    let (every, lasts) = (log(dice, 0.3, 1.0), dice.between(5, 25) as f64 / 100.0);
    (format!("{spec};stall={}:{}", ns(every), ns(every * lasts)), Box::new(move |n| rate(n) * (1.0 - lasts)))
}

/// Returns a device with three service times: cache hits, reads, and reads delayed by a rebuild.
fn three(dice: &mut Dice) -> Noisy {
    let (k, s) = (log(dice, 1.0, 32.0).round() as u32, log(dice, 300e-6, 3e-3));
    let (quick, slow) = (s / 10.0, s * log(dice, 5.0, 40.0));
    let mean = 0.3 * quick + 0.65 * s + 0.05 * slow;
    let spec = format!("servers={k};law=mixture:30/{}:65/{}:5/{}", ns(quick), ns(s), ns(slow));
    (spec, servers(k, mean, 1.0))
}

const LAWS: [Law; 6] = [
    Law { name: "1-10 % 10-100 times slower", apart: false, draw: tails },
    Law { name: "bursts: 20-70 % of each 50-200 ms", apart: false, draw: bursts },
    Law { name: "pauses of 5-40 % in 0.5-2 s", apart: false, draw: pauses },
    Law { name: "exponential services of 5-40 ms", apart: true, draw: slow },
    Law { name: "heavy tails and pauses", apart: true, draw: both },
    Law { name: "three kinds of services", apart: true, draw: three },
];

/// Counts over the studies, as (hits, cases): studies with an answer, intervals of the highest rate and of the knee
/// that contain the true value; and the number of answers to all questions.
#[derive(Clone, Default)]
struct Count {
    answered: (usize, usize),
    most: (usize, usize),
    knee: (usize, usize),
    widths: Vec<f64>,
    answers: usize,
    longest_s: f64,
}

impl Count {
    fn add(&mut self, other: &Count) {
        for (mine, theirs) in
            [(&mut self.answered, other.answered), (&mut self.most, other.most), (&mut self.knee, other.knee)]
        {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
        self.widths.extend(&other.widths);
        self.answers += other.answers;
        self.longest_s = self.longest_s.max(other.longest_s);
    }

    fn line(&self) -> String {
        let of = |(right, all): (usize, usize)| format!("{right}/{all}");
        format!(
            "{:>10}{:>10}{:>10}{:>9.1}{:>9.1}{:>8.0}",
            of(self.answered),
            of(self.most),
            of(self.knee),
            super::median(&self.widths),
            self.answers as f64 / self.answered.1.max(1) as f64,
            self.longest_s
        )
    }
}

fn one(law: &Law, dice: &mut Dice, seed: u64, show: bool) -> Result<Count> {
    let (spec, rate) = (law.draw)(dice);
    let (knee, most) = truth::knee(256, &rate);
    let out = Command::new(binary()?)
        .args(["explore", &format!("model:{spec}"), "--json", "--no-store", "--patterns", PATTERNS])
        .args(["--budget", &BUDGET_S.to_string(), "--seed", &seed.to_string()])
        .output()?;
    let study: Value = serde_json::from_slice(&out.stdout)
        .with_context(|| format!("{spec}: {}", String::from_utf8_lossy(&out.stderr)))?;
    let conclusions = study["conclusions"].as_array().context("no conclusions")?;
    let first = |c: &&Value| c["question"] == "depth" && c["access"]["bs"] == 4096;
    let said = conclusions.iter().find(first);
    let mut count = Count {
        answered: (usize::from(said.is_some()), 1),
        answers: conclusions.iter().filter(|c| c["claim"]["kind"] != "curve").count(),
        longest_s: study["spent_s"].as_f64().unwrap_or(0.0),
        ..Count::default()
    };
    if let Some(c) = said {
        let number = |key: &str| c["estimate"][key].as_f64().unwrap_or(f64::NAN);
        let (value, low, high) = (number("value"), number("low"), number("high"));
        count.most = (usize::from(low <= most && most <= high), 1);
        count.widths.push(50.0 * (high - low) / value);
        let depth = |v: &Value| v.as_u64().map_or(0, |n| n as u32);
        let claim = &c["claim"];
        let held = match claim["kind"].as_str() {
            Some("knee") => (depth(&claim["between"][0])..=depth(&claim["between"][1])).contains(&knee),
            Some("one_limit") => knee == 1,
            Some("no_knee") => knee > depth(&claim["up_to"]) * 2 / 3,
            _ => false,
        };
        count.knee = (usize::from(held), 1);
        if show && (!held || count.most.0 == 0) {
            println!("    {spec} --seed {seed}: {claim} {low:.0} to {high:.0}, not {knee} and {most:.0}");
        }
    } else if show {
        println!("    {spec} --seed {seed}: {}", study["unanswered"][0]);
    }
    Ok(count)
}

/// Runs `seeds` studies of each device family.
///
/// # Errors
/// fathom fails or its output is invalid.
pub fn run(seeds: usize, seed: u64, only: Option<usize>, show: bool) -> Result<Tally> {
    println!("laws --noisy: seed {seed} (repeat with --seed {seed}), {seeds} studies of each");
    println!(
        "{:>3} {:40}{:>10}{:>10}{:>10}{:>9}{:>9}{:>8}",
        "law", "", "answered", "most", "knee", "width %", "answers", "s"
    );
    let mut tally = Tally::default();
    let mut pooled = [Count::default(), Count::default()];
    for (at, law) in LAWS.iter().enumerate().filter(|(at, _)| only.is_none_or(|n| n == at + 1)) {
        let count = Mutex::new(Count::default());
        two_at_a_time(seeds, |n| {
            let mut dice = Dice::new(seed.wrapping_add((at * 1_000_003 + n * 7919) as u64));
            let found = one(law, &mut dice, 1 + n as u64, show)?;
            if let Ok(mut count) = count.lock() {
                count.add(&found);
            }
            Ok(())
        })?;
        let count = count.into_inner().unwrap_or_default();
        println!("{:>3} {:40}{}", at + 1, law.name, count.line());
        pooled[usize::from(law.apart)].add(&count);
    }
    for (count, name) in pooled.iter().zip(["pooled", "pooled, laws that were kept apart"]) {
        let fine = |pair: (usize, usize), least: f64| pair.1 == 0 || share(pair) >= least;
        let good = fine(count.answered, 100.0)
            && fine(count.most, 95.0)
            && fine(count.knee, 95.0)
            && count.longest_s <= BUDGET_S + 5.0;
        println!("    {name:40}{}  {}", count.line(), tally.add(good));
    }
    println!("asked: answered 100 %, intervals of the most and of the knee true in 95 %, {BUDGET_S} s");
    Ok(tally)
}
