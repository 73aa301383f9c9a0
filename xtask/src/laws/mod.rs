//! Check of the conclusions of `fathom explore` on simulated devices of twenty families. Each run draws the
//! parameters of the devices anew. The true answers are computed by code that shares nothing with the estimator:
//! closed forms, or a long independent simulation. Families 16 to 20 are mixtures for which explore was not tuned.

mod caps;
mod changes;
mod devices;
mod goals;
mod noisy;
mod points;
mod truth;

use crate::Tally;
use crate::dice::Dice;
use crate::tool::optimized;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use devices::{COSTS, Device, LAWS, PROCESSOR};

/// Answer of explore in one study.
#[derive(Debug)]
struct Said {
    kind: String,
    in_flight: Option<u32>,
    between: Option<(u32, u32)>,
    most: (f64, f64, f64),
    crossover: Option<(f64, f64, f64)>,
    moved: bool,
    spent_s: f64,
}

/// Counts over the studies of one device family; each pair is the number of right answers and the number of answers
/// judged.
#[derive(Default)]
struct Count {
    studies: usize,
    /// Number of correct knees, and number of studies of a device with a knee.
    knee: (usize, usize),
    /// Number of knee intervals that contain the true knee, and number of all knee intervals.
    between: (usize, usize),
    most: (usize, usize),
    cover: (usize, usize),
    crossover: (usize, usize),
    crossover_cover: (usize, usize),
    /// Number of answers of a right kind, and number of all answers.
    kind: (usize, usize),
    widths: Vec<f64>,
    spent: Vec<f64>,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.studies += other.studies;
        for (mine, theirs) in [
            (&mut self.knee, other.knee),
            (&mut self.between, other.between),
            (&mut self.most, other.most),
            (&mut self.cover, other.cover),
            (&mut self.crossover, other.crossover),
            (&mut self.crossover_cover, other.crossover_cover),
            (&mut self.kind, other.kind),
        ] {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
        self.widths.extend(&other.widths);
        self.spent.extend(&other.spent);
    }
}

fn one(pair: &mut (usize, usize), right: bool) {
    pair.0 += usize::from(right);
    pair.1 += 1;
}

fn share(pair: (usize, usize)) -> f64 {
    if pair.1 == 0 { f64::NAN } else { 100.0 * pair.0 as f64 / pair.1 as f64 }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn binary() -> Result<PathBuf> {
    std::env::var_os("FATHOM").map_or_else(optimized, |path| Ok(PathBuf::from(path)))
}

/// Calls `each` for every number below `many`, two calls at a time, because each starts a program.
///
/// # Errors
/// The last error of a call.
fn two_at_a_time(many: usize, each: impl Fn(usize) -> Result<()> + Sync) -> Result<()> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let work = || {
        loop {
            let n = next.fetch_add(1, Relaxed);
            if n >= many {
                break;
            }
            if let (Err(error), Ok(mut failed)) = (each(n), failed.lock()) {
                *failed = Some(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    failed.into_inner().ok().flatten().map_or(Ok(()), Err)
}

/// Runs a study of a device with fathom and returns its answer.
fn ask(device: &Device, seed: u64) -> Result<Said> {
    let rw = if device.writes { "4k-randwrite" } else { "4k-randread" };
    let questions = if device.crossover.is_some() { "depth,bs" } else { "depth" };
    let out = Command::new(binary()?)
        .args(["explore", &format!("model:{}", device.spec), "--json"])
        .args(["--patterns", rw, "--questions", questions])
        .args(["--budget", &format!("{}", device.budget_s), "--seed", &seed.to_string()])
        .output()?;
    let study: Value = serde_json::from_slice(&out.stdout)
        .with_context(|| format!("{}: {}", device.spec, String::from_utf8_lossy(&out.stderr)))?;
    let figures = |v: &Value| {
        let number = |key: &str| v["estimate"][key].as_f64().unwrap_or(f64::NAN);
        (number("value"), number("low"), number("high"))
    };
    let depths = |v: &Value| Some((v[0].as_u64()? as u32, v[1].as_u64()? as u32));
    let conclusions = study["conclusions"].as_array().context("no conclusions")?;
    let of = |question: &'static str| conclusions.iter().filter(move |c| c["question"] == question);
    let depth = of("depth").find(|c| c["claim"]["kind"] != "moved");
    let moved = of("depth").any(|c| c["claim"]["kind"] == "moved");
    let said = depth.map(|c| Said {
        kind: c["claim"]["kind"].as_str().unwrap_or("").to_string(),
        in_flight: c["claim"]["in_flight"].as_u64().map(|n| n as u32),
        between: depths(&c["claim"]["between"]),
        most: figures(c),
        crossover: of("bs").find(|c| c["claim"]["kind"] == "crossover").map(figures),
        moved,
        spent_s: study["spent_s"].as_f64().unwrap_or(0.0),
    });
    Ok(said.unwrap_or_else(|| Said {
        kind: format!("none: {}", study["unanswered"][0]["why"]),
        in_flight: None,
        between: None,
        most: (f64::NAN, f64::NAN, f64::NAN),
        crossover: None,
        moved,
        spent_s: study["spent_s"].as_f64().unwrap_or(0.0),
    }))
}

/// Returns the number of steps between two depths on the grid of the square root of two.
fn steps(found: u32, truth: u32) -> usize {
    const GRID: [u32; 19] = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724];
    let at = |n: u32| GRID.iter().position(|g| *g >= n).unwrap_or(GRID.len());
    at(found).abs_diff(at(truth))
}

/// Compares an answer with the truth about the device, and counts it.
fn judge(device: &Device, said: &Said, count: &mut Count, show: bool) {
    count.studies += 1;
    count.spent.push(said.spent_s);
    let kind_right =
        device.kinds.contains(&said.kind.as_str()) && (!device.moves || said.moved || said.kind == "drifts");
    one(&mut count.kind, kind_right);
    let mut wrong = if kind_right { String::new() } else { format!(" kind {}", said.kind) };
    if let Some(knee) = device.knee
        && device.kinds.contains(&"knee")
    {
        let right = said.in_flight.is_some_and(|n| steps(n, knee) <= 1) || said.kind != "knee" && kind_right;
        one(&mut count.knee, right);
        if !right {
            wrong += &format!(" knee {:?} for {knee}", said.in_flight);
        }
        if let Some((low, high)) = said.between {
            let held = (low..=high).contains(&knee);
            one(&mut count.between, held);
            if !held {
                wrong += &format!(" knee from {low} to {high} for {knee}");
            }
        }
    }
    if let Some(most) = device.most {
        let (value, low, high) = said.most;
        let near = (value / most - 1.0).abs() <= 0.03;
        one(&mut count.most, near);
        let held = low <= most && most <= high;
        one(&mut count.cover, held);
        count.widths.push(50.0 * (high - low) / value);
        if !near || !held {
            wrong += &format!(" most {value:.1} ({low:.1} to {high:.1}) for {most:.1}");
        }
    }
    if let Some(truth) = device.crossover {
        let (value, low, high) = said.crossover.unwrap_or((f64::NAN, f64::NAN, f64::NAN));
        let near = (value / truth - 1.0).abs() <= 0.15;
        one(&mut count.crossover, near);
        if !near {
            wrong += &format!(" crossover {value:.0} ({low:.0} to {high:.0}) for {truth:.0}");
        }
    }
    if show && !wrong.is_empty() {
        println!("    {}:{wrong}", device.spec);
    }
}

/// Checks the cost of a study with four patterns on four devices: the loss in IOPS at the recommended point, and the
/// time of the study against the 5,490 s of a full list of cells.
fn cost() -> Result<Tally> {
    const LIST_S: f64 = 5490.0;
    let mut tally = Tally::default();
    for device in &COSTS {
        let out = Command::new(binary()?)
            .args(["explore", &format!("model:{}", device.spec), "--json", "--no-store"])
            .args(["--questions", "depth,bs,runtime,jobs", "--budget", "549"])
            .output()?;
        let study: Value = serde_json::from_slice(&out.stdout).context("no study")?;
        let (spent, job) =
            (study["spent_s"].as_f64().unwrap_or(f64::MAX), study["recommended"].as_str().unwrap_or(""));
        let cheap = spent <= LIST_S / 10.0;
        println!("{:10} {spent:.0} s of {LIST_S:.0}  {}", device.name, tally.add(cheap));
        let option = |section: &str, name: &str| {
            section.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix('=').map(str::to_string))
        };
        let sections: Vec<&str> = job.split("\n[").skip(1).collect();
        for (rw, bs) in [("randread", 4096), ("randwrite", 4096), ("read", 65536), ("write", 65536u64)] {
            let mine = sections.iter().find(|s| option(s, "rw").as_deref() == Some(rw));
            let depth = mine.and_then(|s| option(s, "iodepth")?.parse::<u32>().ok());
            let rate = |n| (device.rate)(bs, !rw.starts_with("rand"), n);
            let most = [1, 2, 4, 8, 16, 32, 64, 128, 256].map(rate).into_iter().fold(0.0, f64::max);
            let loss = depth.map_or(100.0, |n| 100.0 * (1.0 - rate(n) / most));
            println!("  {rw:10} depth {depth:?} loses {loss:.1} %  {}", tally.add(loss <= 3.0));
        }
    }
    Ok(tally)
}

/// Runs `laws --cost` or `laws [--slo|--changes|--caps|--noisy|--points] [--seeds N] [--seed S] [--only N] [--show]`.
///
/// # Errors
/// An option is invalid, or fathom fails.
pub fn run(args: &[String]) -> Result<Tally> {
    let (mut seeds, mut first, mut only, mut show) = (100usize, None, None, false);
    let (mut slo, mut changes, mut caps, mut noisy, mut points) = (false, false, false, false, false);
    let (mut last, mut budget_s) = (None, 60);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut number = || -> Result<u64> { Ok(args.next().context("a number is missing")?.parse()?) };
        match arg.as_str() {
            "--seeds" => seeds = number()? as usize,
            "--seed" => first = Some(number()?),
            "--only" => only = Some(number()? as usize),
            "--show" => show = true,
            "--cost" => return cost(),
            "--slo" => slo = true,
            "--changes" => changes = true,
            "--caps" => caps = true,
            "--noisy" => noisy = true,
            "--points" => points = true,
            "--to" => last = Some(number()? as usize),
            "--budget" => budget_s = number()?,
            other => bail!("laws: no option {other:?}"),
        }
    }
    let seed = first.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().map_or(1, |d| d.as_secs()));
    if noisy {
        return noisy::run(seeds, seed, only, show);
    }
    if caps {
        return caps::run(seeds, seed, only, show);
    }
    if points {
        return points::run(seeds, seed, only, show);
    }
    if changes {
        return changes::run(seeds, seed, only, show);
    }
    if slo {
        let only = only.map(|only| (only, last.unwrap_or(only)));
        return goals::run(seeds, seed, only, show, budget_s as f64);
    }
    println!("laws: seed {seed} (repeat with --seed {seed}), {seeds} studies of each");
    println!(
        "{:>3} {:40}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}{:>8}{:>8}",
        "law", "", "knee", "range", "most", "cover", "cross", "kind", "width", "spent s"
    );
    let began = Instant::now();
    let mut pooled = Count::default();
    let mut tally = Tally::default();
    let mut lines = BTreeMap::new();
    for (at, law) in LAWS.iter().chain([&PROCESSOR]).enumerate() {
        if only.is_some_and(|n| n != at + 1) {
            continue;
        }
        let count = Mutex::new(Count::default());
        two_at_a_time(seeds, |n| {
            let device = (law.draw)(&mut Dice::new(seed.wrapping_add((at * 1_000_003 + n * 7919) as u64)));
            let said = ask(&device, 1 + n as u64)?;
            if let Ok(mut count) = count.lock() {
                judge(&device, &said, &mut count, show);
            }
            Ok(())
        })?;
        let count = count.into_inner().unwrap_or_default();
        let line = row(&count);
        // Ninety percent of the answers must be right; with few studies, a lower share that chance explains (p > 0.05).
        let slack = |pair: (usize, usize), least: f64| {
            pair.1 == 0 || share(pair) >= least || seeds < 100 && chance(pair, least / 100.0) > 0.05
        };
        let fine = slack(count.knee, 90.0)
            && slack(count.most, 90.0)
            && slack(count.cover, 88.0)
            && slack(count.crossover, 90.0)
            && slack(count.kind, 90.0);
        println!("{:>3} {:40}{line}  {}", at + 1, law.name, tally.add(fine));
        lines.insert(at, line);
        pooled.add(&count);
    }
    let fine = |pair: (usize, usize), least: f64| pair.1 == 0 || share(pair) >= least;
    let good = [
        fine(pooled.knee, 95.0),
        fine(pooled.between, 90.0),
        fine(pooled.most, 95.0),
        (94.0..=99.0).contains(&share(pooled.cover)) || seeds < 50 && share(pooled.cover) >= 92.0,
        fine(pooled.crossover, 95.0),
        fine(pooled.kind, 95.0),
        median(&pooled.widths) <= 4.0,
    ];
    println!("    {:40}{}  {}", "pooled", row(&pooled), tally.add(good.iter().all(|g| *g)));
    println!(
        "asked: pooled 95, 95, 94 to 99, 95, 95 percent, width at most 4 %; each law 90 (cover 88); {:.0} s",
        began.elapsed().as_secs_f64()
    );
    Ok(tally)
}

/// Returns the probability of at most this many hits, if each trial is a hit with probability `hit`.
fn chance((hits, of): (usize, usize), hit: f64) -> f64 {
    let (mut term, mut sum) = ((1.0 - hit).powi(of as i32), 0.0);
    for n in 0..=hits {
        sum += term;
        term *= (of - n) as f64 / (n + 1) as f64 * hit / (1.0 - hit);
    }
    sum
}

fn row(count: &Count) -> String {
    let percent = |pair| {
        let share: f64 = share(pair);
        if share.is_nan() { format!("{:>7}", "-") } else { format!("{share:>7.1}") }
    };
    let shares: String = [count.knee, count.between, count.most, count.cover, count.crossover, count.kind]
        .into_iter()
        .map(percent)
        .collect();
    format!("{shares}{:>8.2}{:>8.0}", median(&count.widths), median(&count.spent))
}
