//! Check whether `fathom explore` recognizes a limit: devices with an IOPS or bandwidth limit, and devices without
//! one. Device families marked `apart` were added after the code under test.

use super::devices::{log, ns};
use super::{binary, share, two_at_a_time};
use crate::Tally;
use crate::dice::Dice;
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::process::Command;
use std::sync::Mutex;

const BUDGET_S: f64 = 120.0;
const PATTERNS: &str = "4k-randread,64k-read";

/// Caps of a device, IOPS and bytes per second; 0 for none.
#[derive(Clone, Copy, Default)]
struct Caps {
    iops: f64,
    bytes: f64,
}

impl Caps {
    /// Returns the kind and the rate of the cap that limits blocks of this size, bytes; `None` without a cap.
    fn met(self, bs: f64) -> Option<(&'static str, f64)> {
        let iops = (self.iops > 0.0).then_some(("iops", self.iops));
        let bytes = (self.bytes > 0.0).then_some(("bytes", self.bytes));
        match (iops, bytes) {
            (Some(i), Some(b)) => Some(if i.1 * bs <= b.1 { i } else { b }),
            (one, other) => one.or(other),
        }
    }
}

struct Law {
    name: &'static str,
    apart: bool,
    draw: fn(&mut Dice) -> (String, Caps),
}

const fn law(name: &'static str, draw: fn(&mut Dice) -> (String, Caps)) -> Law {
    Law { name, apart: false, draw }
}

const fn apart(name: &'static str, draw: fn(&mut Dice) -> (String, Caps)) -> Law {
    Law { name, apart: true, draw }
}

/// Returns a random distribution of service times with this mean, seconds.
fn service(dice: &mut Dice, mean: f64) -> String {
    match dice.below(3) {
        0 => format!("exponential:{}", ns(mean)),
        1 => format!("uniform:{}-{}", ns(0.4 * mean), ns(1.6 * mean)),
        _ => format!("mixture:90/{}:10/{}", ns(0.6 * mean), ns(4.6 * mean)),
    }
}

/// Returns an SSD (parallel servers with a cost per byte) and its maximum IOPS with 64 KiB blocks.
fn ssd(dice: &mut Dice) -> (String, f64) {
    let (k, s) = (log(dice, 16.0, 128.0).round(), log(dice, 60e-6, 400e-6));
    let transfer = (log(dice, 8e3, 100e3) / s).round();
    // Maximum IOPS with blocks of 64 KiB.
    let most = k / (s + 65536.0 / transfer);
    (format!("servers={k};law={};transfer={transfer}", service(dice, s)), most)
}

fn ssd_iops(dice: &mut Dice) -> (String, Caps) {
    let (spec, most) = ssd(dice);
    let iops = (most * log(dice, 0.02, 0.5)).round();
    (format!("{spec};iops={iops}"), Caps { iops, bytes: 0.0 })
}

fn ssd_bytes(dice: &mut Dice) -> (String, Caps) {
    let (spec, most) = ssd(dice);
    // Far below the bandwidth of 4 KiB blocks.
    let bytes = (most * 4096.0 * log(dice, 0.02, 0.5)).round();
    (format!("{spec};bw={bytes}"), Caps { iops: 0.0, bytes })
}

/// Returns a cloud volume: small blocks are limited by IOPS, large ones by bandwidth.
fn cloud(dice: &mut Dice) -> (String, Caps) {
    let (s, iops) = (log(dice, 300e-6, 2e-3), log(dice, 500.0, 16_000.0).round());
    let bytes = (iops * log(dice, 24e3, 48e3)).round();
    (format!("servers=512;law=exponential:{};iops={iops};bw={bytes}", ns(s)), Caps { iops, bytes })
}

fn slow_cap(dice: &mut Dice) -> (String, Caps) {
    let (s, iops) = (log(dice, 50e-6, 500e-6), log(dice, 100.0, 800.0).round());
    (format!("servers=16;law=constant:{};iops={iops}", ns(s)), Caps { iops, bytes: 0.0 })
}

fn slow_bytes(dice: &mut Dice) -> (String, Caps) {
    let (s, bytes) = (log(dice, 50e-6, 500e-6), log(dice, 2e6, 30e6).round());
    (format!("servers=32;law=exponential:{};bw={bytes}", ns(s)), Caps { iops: 0.0, bytes })
}

fn disk_spec(dice: &mut Dice, ncq: u32) -> String {
    let (full, rotation) = (log(dice, 8e-3, 20e-3), dice.one(&[8.33e-3, 11.1e-3, 5.56e-3]));
    format!("law=constant:60us;transfer=180000000;disk={}:{}:{ncq}", ns(full), ns(rotation))
}

/// Returns a disk array behind a cap of IOPS.
fn array_iops(dice: &mut Dice) -> (String, Caps) {
    let (k, s) = (log(dice, 8.0, 64.0).round(), log(dice, 2e-3, 8e-3));
    let iops = (k / s * log(dice, 0.05, 0.5)).round();
    (
        format!("servers={k};law={};transfer=200000000;iops={iops}", service(dice, s)),
        Caps { iops, bytes: 0.0 },
    )
}

fn hits_iops(dice: &mut Dice) -> (String, Caps) {
    let (k, s, percent) = (log(dice, 8.0, 64.0).round(), log(dice, 200e-6, 2e-3), dice.between(10, 60));
    let iops = (k / s * log(dice, 0.05, 0.6)).round();
    let spec = format!("servers={k};law=exponential:{};hit={percent}:20us;iops={iops}", ns(s));
    (spec, Caps { iops, bytes: 0.0 })
}

fn plain(dice: &mut Dice) -> (String, Caps) {
    let (k, s) = (log(dice, 1.0, 128.0).round(), log(dice, 100e-6, 5e-3));
    let law = if dice.rarely(3) { format!("constant:{}", ns(s)) } else { service(dice, s) };
    (format!("servers={k};law={law}"), Caps::default())
}

fn plain_ssd(dice: &mut Dice) -> (String, Caps) {
    (ssd(dice).0, Caps::default())
}

fn disk(dice: &mut Dice) -> (String, Caps) {
    (disk_spec(dice, 32), Caps::default())
}

fn disk_in_order(dice: &mut Dice) -> (String, Caps) {
    (disk_spec(dice, 1), Caps::default())
}

fn one_server(dice: &mut Dice) -> (String, Caps) {
    let s = log(dice, 100e-6, 5e-3);
    (format!("servers=1;law={}", service(dice, s)), Caps::default())
}

fn contention(dice: &mut Dice) -> (String, Caps) {
    let (k, s) = (log(dice, 2.0, 32.0).round(), log(dice, 100e-6, 2e-3));
    let grows = dice.between(1, 20) as f64 / 10.0;
    (format!("servers={k};law=exponential:{};contention={grows}", ns(s)), Caps::default())
}

fn hits(dice: &mut Dice) -> (String, Caps) {
    let (k, s, percent) = (log(dice, 1.0, 64.0).round(), log(dice, 200e-6, 4e-3), dice.between(10, 60));
    let fast = log(dice, 5e-6, 50e-6);
    (format!("servers={k};law=exponential:{};hit={percent}:{}", ns(s), ns(fast)), Caps::default())
}

fn stalls(dice: &mut Dice) -> (String, Caps) {
    let (k, s, every) = (log(dice, 1.0, 64.0).round(), log(dice, 100e-6, 2e-3), log(dice, 0.05, 0.3));
    let lasts = every * dice.between(2, 20) as f64 / 100.0;
    (format!("servers={k};law=exponential:{};stall={}:{}", ns(s), ns(every), ns(lasts)), Caps::default())
}

fn heavy(dice: &mut Dice) -> (String, Caps) {
    let (k, s, slow) = (log(dice, 1.0, 64.0).round(), log(dice, 100e-6, 2e-3), log(dice, 5.0, 30.0));
    let percent = dice.between(1, 10);
    let law = format!("mixture:{}/{}:{percent}/{}", 100 - percent, ns(s), ns(slow * s));
    (format!("servers={k};law={law};transfer=300000000"), Caps::default())
}

const LAWS: [Law; 17] = [
    law("SSD, cap of IOPS", ssd_iops),
    law("SSD, cap of bytes", ssd_bytes),
    law("cloud, both caps", cloud),
    law("100-800 IOPS, less than one at a time", slow_cap),
    law("2-30 MB/s", slow_bytes),
    law("1-128 servers, size costs nothing", plain),
    law("SSD", plain_ssd),
    law("disk, reordering 32", disk),
    law("one server", one_server),
    apart("array of slow servers, cap of IOPS", array_iops),
    apart("cache hits, cap of IOPS", hits_iops),
    apart("disk, in order", disk_in_order),
    apart("contention", contention),
    apart("cache hits", hits),
    apart("stalls", stalls),
    apart("1-10 % 5-30 times slower", heavy),
    apart("SSD with a cap far above it", |dice| {
        let (spec, most) = ssd(dice);
        (format!("{spec};iops={}", (most * 50.0).round()), Caps::default())
    }),
];

/// Counts over the patterns of one device family: limits reported with the right kind and a rate within 3 %, among
/// the existing limits; and false reports among devices without a limit.
#[derive(Clone, Copy, Default)]
struct Count {
    named: (usize, usize),
    wrong: usize,
    false_alarms: (usize, usize),
}

impl Count {
    fn add(&mut self, other: Count) {
        self.wrong += other.wrong;
        for (mine, theirs) in [(&mut self.named, other.named), (&mut self.false_alarms, other.false_alarms)] {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }

    fn line(&self) -> String {
        let of =
            |pair: (usize, usize)| if pair.1 == 0 { "-".into() } else { format!("{}/{}", pair.0, pair.1) };
        format!("{:>10}{:>8}{:>10}", of(self.named), self.wrong, of(self.false_alarms))
    }
}

fn one(law: &Law, dice: &mut Dice, seed: u64, show: bool) -> Result<Count> {
    let (spec, caps) = (law.draw)(dice);
    let out = Command::new(binary()?)
        .args(["explore", &format!("model:{spec}"), "--json", "--no-store", "--patterns", PATTERNS])
        .args(["--questions", "depth,bs"])
        .args(["--budget", &BUDGET_S.to_string(), "--seed", &seed.to_string()])
        .output()?;
    let study: Value = serde_json::from_slice(&out.stdout)
        .with_context(|| format!("{spec}: {}", String::from_utf8_lossy(&out.stderr)))?;
    let conclusions = study["conclusions"].as_array().context("no conclusions")?;
    let mut count = Count::default();
    for bs in [4096.0, 65536.0] {
        let of = |c: &&Value| c["access"]["bs"].as_f64() == Some(bs) && c["claim"]["kind"] == "cap";
        let said = conclusions.iter().find(of);
        let told = |kind: &str, truth: f64| {
            said.is_some_and(|c| {
                let value = c["estimate"]["value"].as_f64().unwrap_or(f64::NAN);
                c["claim"]["of"] == kind && (value / truth - 1.0).abs() < 0.03
            })
        };
        let mut miss = false;
        match caps.met(bs) {
            Some((kind, truth)) => {
                let right = told(kind, truth);
                count.named.0 += usize::from(right);
                count.named.1 += 1;
                count.wrong += usize::from(said.is_some() && !right);
                miss = !right;
            }
            None => {
                count.false_alarms.0 += usize::from(said.is_some());
                count.false_alarms.1 += 1;
            }
        }
        if show && (miss || caps.met(bs).is_none() && said.is_some()) {
            println!("    {spec} --seed {seed}, {bs}: {:?}", said.map(|c| &c["claim"]));
        }
    }
    Ok(count)
}

/// Runs `seeds` studies of each device family.
///
/// # Errors
/// fathom fails or its output is invalid.
pub fn run(seeds: usize, seed: u64, only: Option<usize>, show: bool) -> Result<Tally> {
    println!("laws --caps: seed {seed} (repeat with --seed {seed}), {seeds} studies of each, {PATTERNS}");
    println!("{:>3} {:46}{:>10}{:>8}{:>10}", "law", "", "named", "wrong", "false");
    let mut tally = Tally::default();
    let mut pooled = [Count::default(); 2];
    for (at, law) in LAWS.iter().enumerate().filter(|(at, _)| only.is_none_or(|n| n == at + 1)) {
        let count = Mutex::new(Count::default());
        two_at_a_time(seeds, |n| {
            let mut dice = Dice::new(seed.wrapping_add((at * 1_000_003 + n * 7919) as u64));
            let found = one(law, &mut dice, 1 + n as u64, show)?;
            if let Ok(mut count) = count.lock() {
                count.add(found);
            }
            Ok(())
        })?;
        let count = count.into_inner().unwrap_or_default();
        println!("{:>3} {:46}{}", at + 1, law.name, count.line());
        pooled[usize::from(law.apart)].add(count);
    }
    for (count, name) in pooled.iter().zip(["pooled", "pooled, laws that were kept apart"]) {
        let fine = |pair: (usize, usize), right: bool| pair.1 == 0 || right;
        let good = fine(count.named, share(count.named) >= 95.0)
            && fine(count.false_alarms, share(count.false_alarms) <= 5.0)
            && (count.wrong as f64) <= 0.05 * count.named.1 as f64;
        println!("    {name:46}{}  {}", count.line(), tally.add(good));
    }
    println!(
        "asked: of caps 95 % named, of kind and figure 5 % wrong at most, of other devices 5 % false at most"
    );
    Ok(tally)
}
