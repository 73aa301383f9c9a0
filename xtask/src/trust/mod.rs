//! Tests whether fathom's findings are right. Mistakes are planted in runs that a printed seed draws anew, so that no
//! rule can be fitted to a file of examples; the test counts planted mistakes that fathom finds, and findings without a
//! mistake. Whether a mistake is really present is determined by outside observation (the kernel's counters, sysfs, the
//! simulated disk), never by fathom.

mod cache;
mod clean;
mod contents;
mod disturbed;
mod outside;
mod outside_view;
mod plant;
mod queue;
mod shape;
#[cfg(test)]
mod tests;
mod time;

use self::outside_view::in_memory;
use crate::Tally;
use crate::dice::Dice;
use crate::tool::{STARVED, Tool, jobs, number, starved, total, words};
use anyhow::{Context as _, Result, bail};
use plant::{Draw, Run, Scenario, Seen, Side};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use testbed::child::Running;
use testbed::witness::DiskStats;
use testbed::{Need, missing};

/// Default number of runs of each side of a scenario.
const RUNS: usize = 5;
const LIMIT: Duration = Duration::from_secs(90);
/// Largest number of attempts for a run whose result is wrong while CPUs are short.
const ATTEMPTS: u64 = 3;
/// Smallest share of planted mistakes that must be found, over all rules.
const RECALL: f64 = 0.95;
/// Largest share of runs with a false alarm.
const ALARMS: f64 = 0.05;
/// Smallest share of planted mistakes that each single rule must find.
const EACH: f64 = 0.8;
/// Number of first findings among which the planted mistake must be, in the share [`RECALL`] of the runs.
const TOP: usize = 2;

const LOOP: &[Need] = &[Need::Loop];
const DISK: &[Need] = &[Need::Fuse];
const BOTH: &[Need] = &[Need::Loop, Need::Fuse];
const FIO: &[Need] = &[Need::Loop, Need::Program("fio")];

/// Planted mistakes, each with the rule that must find it.
const SCENARIOS: [Scenario; 34] = [
    Scenario { name: "page-cache", rule: "M1", needs: LOOP, plant: cache::page_cache },
    Scenario { name: "host-cache", rule: "M2", needs: LOOP, plant: cache::lower_cache },
    Scenario { name: "tiny-span", rule: "M3", needs: BOTH, plant: cache::tiny_span },
    Scenario { name: "sync-depth", rule: "M4", needs: LOOP, plant: queue::sync_depth },
    Scenario { name: "buffered-libaio", rule: "M5", needs: LOOP, plant: queue::buffered_aio },
    Scenario { name: "holes", rule: "M8", needs: LOOP, plant: contents::holes },
    Scenario { name: "fallocated", rule: "M8", needs: LOOP, plant: contents::fallocated },
    Scenario { name: "zeros", rule: "M9", needs: LOOP, plant: contents::zero_blocks },
    Scenario { name: "compressible-zram", rule: "M11", needs: &[Need::Zram], plant: contents::compress_zram },
    Scenario {
        name: "compressible-btrfs",
        rule: "M11",
        needs: &[Need::Loop, Need::Program("mkfs.btrfs")],
        plant: contents::compress_btrfs,
    },
    Scenario { name: "burst", rule: "M12", needs: DISK, plant: time::burst_credits },
    Scenario { name: "write-cache", rule: "M13", needs: DISK, plant: time::write_cache },
    Scenario { name: "too-short", rule: "M17", needs: BOTH, plant: time::too_short },
    Scenario { name: "size-ran-out", rule: "M18", needs: LOOP, plant: time::size_ran_out },
    Scenario { name: "short-stroke", rule: "M19", needs: BOTH, plant: shape::short_stroke },
    Scenario { name: "overlap", rule: "M20", needs: LOOP, plant: queue::clones_overlap },
    Scenario {
        name: "cpu-quota",
        rule: "M22",
        needs: &[Need::Loop, Need::CpuCgroup],
        plant: queue::cpu_short,
    },
    Scenario {
        name: "misaligned-partition",
        rule: "M26",
        needs: &[Need::Loop, Need::Program("sfdisk"), Need::Program("partx")],
        plant: shape::misaligned,
    },
    Scenario { name: "partial-sector", rule: "M26", needs: LOOP, plant: shape::read_modify_write },
    Scenario { name: "split", rule: "M27", needs: LOOP, plant: shape::split },
    Scenario { name: "merged", rule: "M27", needs: LOOP, plant: shape::merged },
    Scenario {
        name: "other-load",
        rule: "M32",
        needs: &[Need::Loop, Need::Program("fio")],
        plant: outside::other_load,
    },
    Scenario { name: "cap", rule: "M33", needs: &[Need::Loop, Need::BlockCgroup], plant: outside::io_cap },
    Scenario { name: "no-fsync", rule: "M35", needs: LOOP, plant: outside::no_fsync },
    Scenario { name: "state-carried", rule: "M38", needs: LOOP, plant: outside::overwritten },
    Scenario { name: "random-beats", rule: "M40", needs: DISK, plant: outside::random_beats },
    Scenario { name: "early-drop", rule: "M12", needs: DISK, plant: disturbed::early_drop },
    Scenario { name: "cpu-contention", rule: "M22", needs: FIO, plant: disturbed::busy_processors },
    Scenario { name: "pauses", rule: "M31", needs: DISK, plant: disturbed::pauses },
    Scenario { name: "load-below", rule: "M32", needs: FIO, plant: disturbed::load_below },
    Scenario { name: "writes-beside", rule: "M32", needs: FIO, plant: disturbed::writes_beside },
    Scenario { name: "hidden-limit", rule: "M33", needs: DISK, plant: disturbed::hidden_limit },
    Scenario { name: "loop-over-tmpfs", rule: "memory", needs: BOTH, plant: disturbed::memory_below },
    Scenario { name: "overlay", rule: "overlayfs", needs: LOOP, plant: disturbed::overlaid },
];

pub fn run(args: &[String]) -> Result<Tally> {
    let mut seed = std::time::UNIX_EPOCH.elapsed()?.as_secs();
    let mut count = None;
    let mut only = None;
    let (mut metamorphic, mut proof, mut clean) = (false, false, false);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let mut value =
            |name: &str| rest.next().cloned().with_context(|| format!("trust: {name} needs a value"));
        match arg.as_str() {
            "--seed" => seed = value("--seed")?.parse().context("trust: --seed takes a number")?,
            "--runs" => count = Some(value("--runs")?.parse().context("trust: --runs takes a number")?),
            "--only" => only = Some(value("--only")?),
            "--metamorphic" => metamorphic = true,
            "--proof" => proof = true,
            "--clean" => clean = true,
            other => bail!("trust: no option {other}; see cargo xtask help"),
        }
    }
    let mut wanted: Vec<&Scenario> =
        SCENARIOS.iter().filter(|s| only.as_ref().is_none_or(|name| name == s.name)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = SCENARIOS.iter().map(|s| s.name).collect();
        bail!("trust: no scenario {}; there are {}", only.unwrap_or_default(), names.join(", "));
    }
    wanted.retain(|s| {
        let reason = missing(s.needs);
        if let Some(reason) = &reason {
            println!("SKIP xtask::trust {}: {reason}", s.name);
        }
        reason.is_none()
    });
    println!("trust: seed {seed} (repeat with --seed {seed}, one scenario with --only NAME)");
    // Children inherit the priority, so that a compiler running at the same time is no planted mistake. Ordinary users
    // may not change it, but they can plant little anyway.
    let _ = rustix::process::setpriority_process(None, -20);
    let bench = Bench { fathom: Tool::fathom()?, seed, proof };
    if clean {
        return bench.clean(count.unwrap_or(clean::DEVICES));
    }
    let count = count.unwrap_or(RUNS);
    if metamorphic { bench.pairs(&wanted, count.min(2)) } else { bench.table(&wanted, count) }
}

/// Runs of one seed.
struct Bench {
    fathom: Tool,
    seed: u64,
    /// Whether only the presence of the causes is tested, without findings.
    proof: bool,
}

/// Result of a run.
struct Told {
    /// Rules of fathom's findings.
    found: BTreeSet<String>,
    /// Rules of the first [`TOP`] findings, in the order of the document.
    first: Vec<String>,
    /// Rules that apply to the run besides the planted one.
    allowed: BTreeSet<String>,
    /// Whether outside observation confirms the presence, or the absence, of the cause.
    as_planted: bool,
    /// Share of the time in which a task waited for a CPU.
    starved: f64,
    /// Description of the run.
    line: String,
}

impl Told {
    /// Returns whether the planted mistake was not found.
    fn missed(&self, scenario: &Scenario, side: Side) -> bool {
        side == Side::Planted && !self.found.contains(scenario.rule)
    }

    /// Returns whether the planted rule is among the first findings.
    fn is_first(&self, scenario: &Scenario) -> bool {
        self.first.iter().any(|rule| rule == scenario.rule)
    }

    /// Returns whether the rule was found and is permitted by outside observation.
    fn also(&self, rule: &str) -> bool {
        self.found.contains(rule) && self.allowed.contains(rule)
    }

    /// Returns the rules that were found although they do not apply.
    fn alarms(&self, scenario: &Scenario, side: Side) -> Vec<String> {
        let planted = |rule: &str| side == Side::Planted && rule == scenario.rule;
        let wrong = |rule: &&String| judged(rule) && !planted(rule) && !self.allowed.contains(*rule);
        self.found.iter().filter(wrong).cloned().collect()
    }
}

impl Bench {
    /// Returns the generator of a run's random choices. It depends on the name of the scenario, so that a single
    /// scenario is drawn as among all.
    fn draw(&self, scenario: &Scenario, side: Side, number: usize) -> Draw {
        self.choices(scenario.name, side, number)
    }

    fn choices(&self, name: &str, side: Side, number: usize) -> Draw {
        // The planted side and the side without its cause have equal draws.
        let kind = if side == Side::Innocent { 1 } else { 0 };
        let mut mixed = self.seed;
        for word in name.bytes().map(u64::from).chain([kind, number as u64]) {
            mixed = (mixed ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }
        let mut dice = Dice::new(mixed);
        // Nearby seeds have similar first numbers.
        for _ in 0..8 {
            dice.below(2);
        }
        Draw { dice, side, renamed: false }
    }

    fn once(&self, scenario: &Scenario, draw: &mut Draw) -> Result<Told> {
        let run = (scenario.plant)(draw).with_context(|| format!("{} cannot be planted", scenario.name))?;
        let seen = self.watch(&run)?;
        let in_order = if self.proof { Vec::new() } else { findings(&seen.document)? };
        let first = in_order.iter().take(TOP).cloned().collect();
        let as_planted = run.proof.as_ref().is_none_or(|cause| cause(&seen) == draw.guilty());
        let line = format!("{} [{}] {} found {in_order:?}", run.options, run.told, outsiders(&seen));
        let found = in_order.into_iter().collect();
        Ok(Told { found, first, allowed: allowed(&run, &seen), as_planted, starved: seen.starved, line })
    }

    /// Returns the result of a run, repeated while it is wrong and CPUs were short: the result then reflects other
    /// load.
    fn settled(&self, scenario: &Scenario, side: Side, number: usize) -> Result<Told> {
        let mut attempt = 1;
        loop {
            let told = self.once(scenario, &mut self.draw(scenario, side, number))?;
            let wrong = !told.as_planted
                || !self.proof && (told.missed(scenario, side) || !told.alarms(scenario, side).is_empty());
            if !wrong || told.starved < STARVED || attempt == ATTEMPTS {
                return Ok(told);
            }
            attempt += 1;
        }
    }

    fn watch(&self, run: &Run) -> Result<Seen> {
        let stats = |name: &Option<String>| name.as_deref().map(DiskStats::of).transpose();
        let beside = match &run.beside {
            None => None,
            Some(options) => {
                let mut command = Tool::fio().command(&[]);
                command.args(words(options)).current_dir("/");
                let running = Running::start(&mut command)?;
                std::thread::sleep(Duration::from_millis(300));
                Some(running)
            }
        };
        let (disk, lower, waited, began) = (stats(&run.disk)?, stats(&run.lower)?, starved(), Instant::now());
        let stolen_before = stolen();
        let stop = AtomicBool::new(false);
        let (device, idle) = (device_meter(run.disk.clone()), || 0.0);
        let meter: &(dyn Fn() -> f64 + Sync) = match &run.meter {
            Some(meter) => meter.as_ref(),
            None if run.disk.is_some() => &device,
            None => &idle,
        };
        let (ran, pace) = std::thread::scope(|scope| {
            let pace = scope.spawn(|| Pace::watch(meter, &stop));
            let ran = self.fathom.own(&words(&run.options), Path::new("/"), run.cgroup.as_ref(), LIMIT);
            stop.store(true, Relaxed);
            (ran, pace.join().unwrap_or_default())
        });
        let (document, ran) = ran?;
        let elapsed = began.elapsed();
        let cpus = std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64);
        let since = |before: Option<DiskStats>, now: Option<DiskStats>| Some(now?.since(&before?));
        let (disk, lower) = (since(disk, stats(&run.disk)?), since(lower, stats(&run.lower)?));
        let starved = match (waited, starved()) {
            (Some(before), Some(after)) => (after - before).as_secs_f64() / elapsed.as_secs_f64(),
            _ => 0.0,
        };
        drop(beside);
        let directions = || jobs(&document).iter().flat_map(|j| ["read", "write"].map(|d| &j[d]));
        let seconds = directions().map(|d| number(d, "runtime") / 1000.0).fold(0.0, f64::max);
        let threads = jobs(&document).len().max(1) as f64;
        if total(&document, "total_ios") < 1.0 {
            bail!("{} did nothing: {}", run.options, ran.stderr.lines().next().unwrap_or(""));
        }
        Ok(Seen {
            ios: total(&document, "total_ios"),
            bytes: total(&document, "io_bytes"),
            fewest: directions()
                .map(|d| number(d, "total_ios"))
                .filter(|n| *n > 0.0)
                .fold(f64::MAX, f64::min),
            seconds,
            cpu: (ran.user + ran.system).as_secs_f64() / ran.wall.as_secs_f64() / threads,
            starved,
            stolen: (stolen() - stolen_before) / elapsed.as_secs_f64() / cpus,
            disk,
            lower,
            wobble: pace.half_width(),
            drift: pace.drift(),
            throttled: run.cgroup.as_ref().and_then(|c| c.throttled().ok()).unwrap_or(0),
            document,
        })
    }

    /// Runs every scenario on both sides, and prints how often each rule was right.
    fn table(&self, wanted: &[&Scenario], count: usize) -> Result<Tally> {
        let began = Instant::now();
        let mut rules: BTreeMap<&str, Row> = wanted.iter().map(|s| (s.rule, Row::default())).collect();
        let (mut runs, mut alarmed, mut unplanted) = (0usize, 0usize, 0usize);
        let mut beyond: BTreeMap<String, usize> = BTreeMap::new();
        for scenario in wanted {
            let (since, before) = (Instant::now(), (alarmed, rules[scenario.rule]));
            for (side, number) in
                [Side::Planted, Side::Innocent].into_iter().flat_map(|s| (0..count).map(move |n| (s, n)))
            {
                let told = match self.settled(scenario, side, number) {
                    Ok(told) => told,
                    Err(error) => {
                        unplanted += 1;
                        println!("BROKEN {} {side:?} {number}: {error:#}", scenario.name);
                        continue;
                    }
                };
                if !told.as_planted && told.starved >= STARVED {
                    // With CPUs short, the machine's other work may be the cause.
                    println!(
                        "SKIP xtask::trust {} {side:?} {number}: processors were short in every try",
                        scenario.name
                    );
                    continue;
                }
                if !told.as_planted {
                    unplanted += 1;
                    println!("NOT SO {} {side:?} {number}: {}", scenario.name, told.line);
                    continue;
                }
                if self.proof {
                    println!("ok {} {side:?} {number}: {}", scenario.name, told.line);
                    continue;
                }
                runs += 1;
                let (missed, alarms) = (told.missed(scenario, side), told.alarms(scenario, side));
                for (rule, row) in &mut rules {
                    let own = *rule == scenario.rule;
                    match side {
                        Side::Planted if own => {
                            row.positives += 1;
                            row.found += usize::from(!missed);
                            row.first += usize::from(told.is_first(scenario));
                        }
                        _ if told.allowed.contains(*rule) => {}
                        _ => {
                            let alarm = usize::from(alarms.iter().any(|a| a == rule));
                            row.near += usize::from(own);
                            row.near_alarms += if own { alarm } else { 0 };
                            row.all += 1;
                            row.all_alarms += alarm;
                        }
                    }
                }
                alarmed += usize::from(!alarms.is_empty());
                for rule in told.found.iter().filter(|r| !judged(r)) {
                    *beyond.entry(rule.clone()).or_default() += 1;
                }
                if !missed && side == Side::Planted && !told.is_first(scenario) {
                    println!("LATE  {} of {} {number}: {}", scenario.rule, scenario.name, told.line);
                }
                if missed {
                    println!("MISS  {} of {} {number}: {}", scenario.rule, scenario.name, told.line);
                }
                if !alarms.is_empty() {
                    println!(
                        "ALARM {} in {} {side:?} {number}: {}",
                        alarms.join(" "),
                        scenario.name,
                        told.line
                    );
                }
            }
            if !self.proof {
                println!(
                    "{:<20} {:<9} found {} of {count}, {} of them in the first {TOP}, wrong alarms in {} runs, {:.0} s",
                    scenario.name,
                    scenario.rule,
                    rules[scenario.rule].found - before.1.found,
                    rules[scenario.rule].first - before.1.first,
                    alarmed - before.0,
                    since.elapsed().as_secs_f64()
                );
            }
        }
        let mut tally = Tally::default();
        println!("{unplanted} runs were not as planned  {}", tally.add(unplanted == 0));
        if !self.proof {
            verdict(&rules, (runs, alarmed), &mut tally);
        }
        if !beyond.is_empty() {
            println!("not judged, for nobody planted them: {beyond:?}");
        }
        println!("trust: {runs} runs in {:.0} s", began.elapsed().as_secs_f64());
        Ok(tally)
    }

    /// Tests that a run and the same run without its cause differ in this finding alone, and that the same run under
    /// other names has the same findings.
    fn pairs(&self, wanted: &[&Scenario], count: usize) -> Result<Tally> {
        let mut tally = Tally::default();
        for scenario in wanted {
            for number in 0..count {
                let mut pair = self.pair(scenario, number)?;
                for _ in 1..ATTEMPTS {
                    if pair.fine() || pair.told.iter().all(|t| t.starved < STARVED) {
                        break;
                    }
                    pair = self.pair(scenario, number)?;
                }
                let [with, without, renamed] = &pair.told;
                if with.found.contains(scenario.rule) && without.also(scenario.rule) {
                    println!(
                        "SKIP xtask::trust {} {number}: without its cause outsiders saw {} all the same",
                        scenario.name, scenario.rule
                    );
                    continue;
                }
                println!(
                    "{:<20} without its cause loses {:?} of {:?} (is {}): {}; under other names: {}",
                    scenario.name,
                    pair.lost,
                    with.found,
                    scenario.rule,
                    tally.add(pair.only_that),
                    tally.add(pair.changed.is_empty())
                );
                if !pair.only_that {
                    println!("   with    {}\n   without {}", with.line, without.line);
                }
                if !pair.changed.is_empty() {
                    println!(
                        "   differ in {:?}\n   as was  {}\n   renamed {}",
                        pair.changed, with.line, renamed.line
                    );
                }
            }
        }
        Ok(tally)
    }

    fn pair(&self, scenario: &Scenario, number: usize) -> Result<Pair> {
        let with = self.settled(scenario, Side::Planted, number)?;
        let without = self.settled(scenario, Side::Removed, number)?;
        let mut draw = self.draw(scenario, Side::Planted, number);
        draw.renamed = true;
        let renamed = self.once(scenario, &mut draw)?;
        let differ = |a: &Told, b: &Told| -> Vec<String> {
            let counts =
                |rule: &&String| judged(rule) && !a.allowed.contains(*rule) && !b.allowed.contains(*rule);
            a.found.symmetric_difference(&b.found).filter(counts).cloned().collect()
        };
        // The planted rule may also be among those allowed, such as for a small region that was read repeatedly.
        let own = |found: &Told| found.found.contains(scenario.rule);
        let mut lost = differ(&with, &without);
        if own(&with) && !own(&without) && !lost.iter().any(|r| r == scenario.rule) {
            lost.push(scenario.rule.to_string());
        }
        let only_that = own(&with) && lost == [scenario.rule];
        let changed = differ(&with, &renamed);
        Ok(Pair { only_that, lost, changed, told: [with, without, renamed] })
    }
}

/// Results of a planted run, of the same run without its cause, and of the same run under other names.
struct Pair {
    told: [Told; 3],
    /// Findings of only one of the first two runs.
    lost: Vec<String>,
    /// Whether the planted rule is the only one of these.
    only_that: bool,
    /// Findings of only one of the first and the last run.
    changed: Vec<String>,
}

impl Pair {
    fn fine(&self) -> bool {
        self.only_that && self.changed.is_empty()
    }
}

/// Returns whether it is known where a rule applies: this is so for planted rules, and for the drift, which the
/// device's counters show.
fn judged(rule: &str) -> bool {
    rule == "M15" || SCENARIOS.iter().any(|s| s.rule == rule)
}

/// Counts of a rule: in runs with its mistake, in similar innocent runs, and in all runs without it.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    positives: usize,
    found: usize,
    /// Runs in which the rule is among the first findings.
    first: usize,
    near: usize,
    near_alarms: usize,
    all: usize,
    all_alarms: usize,
}

fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

/// Prints the table of all rules and checks recall and false alarms.
fn verdict(rules: &BTreeMap<&str, Row>, (runs, alarmed): (usize, usize), tally: &mut Tally) {
    println!("rule      planted  found  recall  first {TOP}   near it  alarms   anywhere  alarms");
    let mut rows: Vec<(&&str, &Row)> = rules.iter().collect();
    rows.sort_by_key(|(rule, _)| rule[1..].parse::<u32>().unwrap_or(0));
    for (rule, row) in &rows {
        let fine = share(row.found, row.positives) >= EACH && share(row.near_alarms, row.near) <= 1.0 - EACH;
        println!(
            "{rule:<9} {:>7} {:>6} {:>6.0}% {:>8} {:>9} {:>7} {:>10} {:>7}  {}",
            row.positives,
            row.found,
            share(row.found, row.positives) * 100.0,
            row.first,
            row.near,
            row.near_alarms,
            row.all,
            row.all_alarms,
            tally.add(fine)
        );
    }
    let sum = |of: fn(&Row) -> usize| rows.iter().map(|(_, row)| of(row)).sum::<usize>();
    let recall = share(sum(|r| r.found), sum(|r| r.positives));
    println!(
        "recall {:.1} % (at least {:.0})  {}",
        recall * 100.0,
        RECALL * 100.0,
        tally.add(recall >= RECALL)
    );
    let first = share(sum(|r| r.first), sum(|r| r.positives));
    println!(
        "among the first {TOP} findings {:.1} % (at least {:.0})  {}",
        first * 100.0,
        RECALL * 100.0,
        tally.add(first >= RECALL)
    );
    let wrong = share(alarmed, runs);
    println!(
        "wrong alarms in {:.1} % of {runs} runs (at most {:.0})  {}",
        wrong * 100.0,
        ALARMS * 100.0,
        tally.add(wrong <= ALARMS)
    );
}

/// Returns the CPU time taken by the hypervisor since boot, seconds, summed over all CPUs.
fn stolen() -> f64 {
    let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks =
        text.lines().next().and_then(|cpu| cpu.split_whitespace().nth(8)).and_then(|n| n.parse().ok());
    ticks.unwrap_or(0.0) / 100.0
}

/// Returns a function that gives the bytes moved by a block device so far.
fn device_meter(disk: Option<String>) -> impl Fn() -> f64 + Sync {
    move || {
        let stats = disk.as_deref().and_then(|d| DiskStats::of(d).ok()).unwrap_or_default();
        (stats.read_sectors + stats.write_sectors) as f64 * 512.0
    }
}

/// Bytes moved by the device in each interval of 20 ms.
#[derive(Default)]
struct Pace(Vec<f64>);

impl Pace {
    fn watch(meter: &(dyn Fn() -> f64 + Sync), stop: &AtomicBool) -> Pace {
        let mut out = Vec::new();
        let mut before = meter();
        while !stop.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            let now = meter();
            out.push(now - before);
            before = now;
        }
        Pace(out)
    }

    /// Returns the bytes moved in each of `n` equal parts of the jobs' time, relative to their mean. The time before
    /// the jobs began is left out.
    fn parts(&self, n: usize) -> Option<Vec<f64>> {
        let most = self.0.iter().copied().fold(0.0, f64::max);
        let begin = self.0.iter().position(|bytes| *bytes > most / 4.0)?;
        let end = self.0.iter().rposition(|bytes| *bytes > most / 4.0)?;
        let busy = self.0.get(begin + 1..end)?;
        let part = busy.len() / n;
        if part == 0 {
            return None;
        }
        let parts: Vec<f64> = busy.chunks_exact(part).take(n).map(|c| c.iter().sum()).collect();
        let mean = parts.iter().sum::<f64>() / n as f64;
        (mean > 0.0).then(|| parts.iter().map(|p| p / mean).collect())
    }

    /// Returns the half-width of the 95 % interval of the mean rate, relative to the mean.
    fn half_width(&self) -> Option<f64> {
        let parts = self.parts(10)?;
        let variance = parts.iter().map(|p| (p - 1.0).powi(2)).sum::<f64>() / 9.0;
        // Student's t for nine degrees of freedom.
        Some(2.262 * (variance / 10.0).sqrt())
    }

    /// Returns the range and the slope of five parts of the run relative to their mean, as SNIA defines them.
    fn drift(&self) -> Option<(f64, f64)> {
        let parts = self.parts(5)?;
        let range =
            parts.iter().copied().fold(0.0, f64::max) - parts.iter().copied().fold(f64::MAX, f64::min);
        let slope: f64 = parts.iter().zip([-2.0, -1.0, 0.0, 1.0, 2.0]).map(|(p, x)| p * x / 10.0).sum();
        Some((range, (slope * 4.0).abs()))
    }
}

/// Returns the rules of the findings in a document, in their order.
fn findings(document: &Value) -> Result<Vec<String>> {
    let list = document["fathom"]["findings"].as_array().context("this fathom tells no findings")?;
    Ok(list.iter().filter_map(|f| f["rule"].as_str()).map(str::to_string).collect())
}

/// Returns the rules that apply to a run besides the planted one: those that its scenario permits, and those that
/// outside observation shows.
fn allowed(run: &Run, seen: &Seen) -> BTreeSet<String> {
    let mut out: BTreeSet<String> = run.allowed.iter().map(|r| r.to_string()).collect();
    let mut also = |rule: &str, so: bool| {
        if so {
            out.insert(rule.to_string());
        }
    };
    // The region was read more than twice.
    also("M3", run.span.is_some_and(|span| seen.bytes > 2.0 * span as f64));
    // Under a second, fewer than ten I/Os beyond the 99th percentile, or a rate that varied at the device. Without a
    // device, the variation of the rate is unknown.
    also("M17", seen.seconds < 1.0 || seen.fewest < 1000.0 || seen.wobble.is_none_or(|w| w > 0.04));
    // The device's rate fell or rose during the run.
    also("M15", seen.drift.is_none_or(|(range, slope)| range > 0.15 && slope > 0.07));
    // The load generator used nearly all of a CPU, the hypervisor took CPU time, or threads waited for a CPU.
    also("M22", seen.cpu > 0.8 || seen.stolen > 0.04 || seen.starved > 0.1);
    // Buffered writes that are synced only at the end have the latencies of memory.
    let asked = words(&run.options);
    let has = |option: &str| asked.iter().any(|word| word == option);
    also("M1", has("--direct=0") && has("--end_fsync=1") && !run.options.contains("--fsync="));
    // A target on the command line, or the observed device, is stored in memory.
    let device = run.disk.as_deref().map(|name| format!("/dev/{name}"));
    let named = words(&run.options)
        .into_iter()
        .filter_map(|word| word.strip_prefix("--filename=").map(str::to_string));
    also("memory", named.chain(device).any(|path| in_memory(Path::new(&path))));
    // The device did I/Os of other sizes than the job, and transferred the same bytes.
    let other_size = seen.device_size().is_some_and(|ratio| !(0.9..1.1).contains(&ratio));
    also("M27", other_size && seen.device_share().is_some_and(|share| (0.95..1.05).contains(&share)));
    out
}

/// Returns the outside observations, for the line of a wrong run.
fn outsiders(seen: &Seen) -> String {
    let mut out = format!(
        "({:.0} I/Os, {:.0} MB in {:.1} s, cpu {:.2}, waited {:.2}, stolen {:.2}",
        seen.ios,
        seen.bytes / 1e6,
        seen.seconds,
        seen.cpu,
        seen.starved,
        seen.stolen
    );
    if let (Some(bytes), Some(disk)) = (seen.device_share(), seen.disk) {
        let size = seen.device_size().unwrap_or(0.0);
        out += &format!(", device {bytes:.2} of the bytes, {size:.2} of the size, {} flushes", disk.flushes);
    }
    if let Some((range, slope)) = seen.drift {
        out += &format!(", range {:.0} %, slope {:.0} %", range * 100.0, slope * 100.0);
    }
    if let Some(wobble) = seen.wobble {
        out += &format!(", rate +-{:.1} %", wobble * 100.0);
    }
    if let Some(lower) = seen.lower {
        out += &format!(", below it {} reads of {:.0} MB", lower.reads, lower.read_bytes() as f64 / 1e6);
    }
    if let Some(job) = jobs(&seen.document).first() {
        let of = |d: &str, what: &str| number(&job[d], &format!("lat_ns.{what}"));
        for d in ["read", "write"].into_iter().filter(|d| of(d, "mean") > 0.0) {
            let (mean, spread) = (of(d, "mean"), of(d, "stddev") / of(d, "mean"));
            out += &format!(", {d} lat {:.3} ms +- {:.0} %", mean / 1e6, spread * 100.0);
        }
    }
    if seen.throttled > 0 {
        out += &format!(", throttled {}", seen.throttled);
    }
    out + ")"
}
