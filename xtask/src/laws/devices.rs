//! The twenty laws: a device with random properties from printed ranges, and the right answers about this device.

use super::truth::{self, Chance};
use crate::dice::Dice;

/// Simulated device and the right answers about it.
pub struct Device {
    /// Specification of the device for `fathom explore model:`.
    pub spec: String,
    /// Whether the study writes rather than reads.
    pub writes: bool,
    /// Budget of the study, seconds.
    pub budget_s: f64,
    /// Smallest number of I/Os in flight with 95 % of the highest rate; `None` if there is no such answer.
    pub knee: Option<u32>,
    /// Highest rate of 4 KiB I/Os, IOPS; `None` if there is no such answer.
    pub most: Option<f64>,
    /// Block size at which the limit of IOPS meets the limit of bandwidth, bytes; `None` without a limit of bandwidth.
    pub crossover: Option<f64>,
    /// Kinds of conclusions that are right.
    pub kinds: Vec<&'static str>,
    /// Whether the rate falls during the study, which must be reported.
    pub moves: bool,
}

/// Law: a description, and the function that draws a device.
pub struct Law {
    /// Description of the devices, with the ranges of their properties.
    pub name: &'static str,
    /// Function that draws a device.
    pub draw: fn(&mut Dice) -> Device,
}

/// Greatest depth that explore tries.
const DEEPEST: u32 = 256;

/// Returns a random number with log-uniform distribution.
pub(super) fn log(dice: &mut Dice, low: f64, high: f64) -> f64 {
    let unit = dice.below(1 << 30) as f64 / (1u64 << 30) as f64;
    low * (high / low).powf(unit)
}

pub(super) fn ns(seconds: f64) -> String {
    format!("{}ns", (seconds * 1e9).round() as u64)
}

/// Returns a device with a known rate in IOPS at each depth.
fn known(spec: String, rate: impl Fn(u32) -> f64) -> Device {
    let (knee, most) = truth::knee(DEEPEST, &rate);
    let near = |n: f64, m: f64| n >= 0.93 * m;
    let mut kinds = Vec::new();
    if rate(1) >= 0.97 * most {
        kinds.push("one_limit");
    } else if near(rate(1), most) {
        kinds.extend(["one_limit", "knee"]);
    } else {
        kinds.push("knee");
    }
    if knee > 170 {
        kinds.push("no_knee");
    }
    if knee > 240 {
        kinds.retain(|k| *k != "knee");
    }
    Device {
        spec,
        writes: false,
        budget_s: 120.0,
        knee: Some(knee),
        most: Some(most),
        crossover: None,
        kinds,
        moves: false,
    }
}

fn plain(n: u32, servers: u32, mean: f64) -> f64 {
    f64::from(n.min(servers)) / mean
}

fn servers_of(dice: &mut Dice) -> u32 {
    log(dice, 1.0, 128.0).round() as u32
}

fn constant(dice: &mut Dice) -> Device {
    let (k, s) = (servers_of(dice), log(dice, 200e-6, 10e-3));
    known(format!("servers={k};law=constant:{}", ns(s)), |n| plain(n, k, s))
}

fn exponential(dice: &mut Dice) -> Device {
    let (k, s) = (servers_of(dice), log(dice, 200e-6, 5e-3));
    known(format!("servers={k};law=exponential:{}", ns(s)), |n| plain(n, k, s))
}

fn mixture(dice: &mut Dice) -> Device {
    let (k, s, slow) = (servers_of(dice), log(dice, 200e-6, 2e-3), dice.between(2, 10) as f64);
    let mean = 0.9 * s + 0.1 * slow * s;
    known(format!("servers={k};law=mixture:90/{}:10/{}", ns(s), ns(slow * s)), |n| plain(n, k, mean))
}

fn capped(dice: &mut Dice) -> Device {
    let (s, cap) = (log(dice, 100e-6, 5e-3), log(dice, 300.0, 60_000.0).round());
    known(format!("servers=512;law=constant:{};iops={cap}", ns(s)), |n| plain(n, 512, s).min(cap))
}

fn capped_bytes(dice: &mut Dice) -> Device {
    let (s, bw) = (log(dice, 100e-6, 2e-3), log(dice, 4e6, 400e6).round());
    known(format!("servers=512;law=constant:{};bw={bw}", ns(s)), |n| plain(n, 512, s).min(bw / 4096.0))
}

fn capped_both(dice: &mut Dice) -> Device {
    let s = log(dice, 100e-6, 1e-3);
    let cap = log(dice, 1_000.0, 40_000.0).round();
    let bw = (cap * log(dice, 8e3, 128e3)).round();
    let device = known(format!("servers=512;law=constant:{};iops={cap};bw={bw}", ns(s)), |n| {
        plain(n, 512, s).min(cap)
    });
    Device { crossover: Some(bw / cap), ..device }
}

fn transfer(dice: &mut Dice) -> Device {
    let (k, s) = (log(dice, 1.0, 32.0).round() as u32, log(dice, 50e-6, 1e-3));
    let size = log(dice, 16e3, 200e3);
    let rate = (size / s).round();
    let mean = s + 4096.0 / rate;
    let device = known(format!("servers={k};law=constant:{};transfer={rate}", ns(s)), |n| plain(n, k, mean));
    Device { crossover: Some(s * rate), ..device }
}

fn disk_of(dice: &mut Dice, ncq: u32) -> Device {
    let (full, rotation) = (log(dice, 8e-3, 20e-3), [8.33e-3, 11.1e-3, 5.56e-3][dice.below(3)]);
    let rates: Vec<(u32, f64)> = [1u32, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64]
        .iter()
        .map(|n| (*n, truth::disk(*n, ncq, full, rotation, 300_000, 4711)))
        .collect();
    let at = move |n: u32| rates.iter().rev().find(|(m, _)| *m <= n).map_or(0.0, |(_, x)| *x);
    let device = known(format!("law=constant:1ns;disk={}:{}:{ncq}", ns(full), ns(rotation)), at);
    Device { budget_s: 240.0, ..device }
}

fn reordering(dice: &mut Dice) -> Device {
    disk_of(dice, 32)
}

fn in_order(dice: &mut Dice) -> Device {
    disk_of(dice, 1)
}

/// Returns a device whose credits are used up before the study ends; its lasting rate is the base rate.
fn credits(dice: &mut Dice) -> Device {
    let (s, base) = (log(dice, 200e-6, 2e-3), log(dice, 200.0, 2_000.0).round());
    let burst = (base * dice.between(3, 10) as f64).round();
    let ios = (burst * dice.between(3, 12) as f64).round();
    let device = known(format!("servers=512;law=constant:{};iops={burst};burst={ios}:{base}", ns(s)), |n| {
        plain(n, 512, s).min(base)
    });
    Device { moves: true, ..device }
}

/// Returns a device with a write cache that is full after a few seconds; its lasting rate is the drain rate.
fn cache(dice: &mut Dice) -> Device {
    let drain = log(dice, 2e6, 50e6).round();
    let bytes = (drain * dice.between(3, 15) as f64).round();
    let device =
        known(format!("servers=512;law=constant:100us;cache={bytes}:{drain}:50us"), |_| drain / 4096.0);
    Device { writes: true, moves: true, ..device }
}

/// Returns a device whose writes become permanently slower after a number of bytes.
fn cliff(dice: &mut Dice) -> Device {
    let (k, s, factor) =
        (log(dice, 2.0, 64.0).round() as u32, log(dice, 100e-6, 800e-6), dice.between(2, 6) as f64);
    let bytes = (f64::from(k) / s * 4096.0 * dice.between(2, 8) as f64).round();
    let device = known(format!("servers={k};law=constant:{};cliff={bytes}:{factor}", ns(s)), |n| {
        plain(n, k, s * factor)
    });
    Device { writes: true, moves: true, ..device }
}

/// Returns a device whose service time grows during the whole study, so that no rate lasts.
fn drift(dice: &mut Dice) -> Device {
    let (k, s, grows) = (servers_of(dice), log(dice, 100e-6, 1e-3), 1.0 + dice.below(30) as f64 / 10.0);
    let device = known(format!("servers={k};law=constant:{};drift={grows}", ns(s)), |n| plain(n, k, s));
    Device { most: None, knee: None, kinds: vec!["drifts"], ..device }
}

fn stall(dice: &mut Dice) -> Device {
    let (k, s) = (servers_of(dice), log(dice, 200e-6, 2e-3));
    let (every, lasts) = (log(dice, 0.05, 0.3), dice.between(2, 20) as f64 / 100.0);
    let share = 1.0 - lasts;
    known(format!("servers={k};law=constant:{};stall={}:{}", ns(s), ns(every), ns(every * lasts)), |n| {
        plain(n, k, s) * share
    })
}

/// Returns a device that is limited by the CPU: a greater depth does not raise the rate, but more jobs do, up to the
/// number of cores.
fn processor(dice: &mut Dice) -> Device {
    let (s, cpu) = (log(dice, 50e-6, 200e-6), log(dice, 2e-6, 10e-6));
    let device = known(format!("servers=512;law=constant:{};cpu={};cores=1", ns(s), ns(cpu)), |n| {
        plain(n, 512, s).min(1.0 / cpu)
    });
    Device { knee: None, most: None, kinds: vec!["generator"], ..device }
}

// Mixtures on which explore was not tuned.

fn hits(dice: &mut Dice) -> Device {
    let (k, s) = (servers_of(dice), log(dice, 200e-6, 4e-3));
    let (percent, fast) = (dice.between(10, 60), log(dice, 5e-6, 50e-6));
    let p = percent as f64 / 100.0;
    // A hit occupies no server and completes at once.
    let rate = move |n| truth::beside_servers(n, k, (1.0 - p) * s, p * fast);
    known(format!("servers={k};law=exponential:{};hit={percent}:{}", ns(s), ns(fast)), rate)
}

/// Returns a rate that is simulated at the depths explore distinguishes, and interpolated linearly between them.
fn on_grid(rate: impl Fn(u32) -> f64) -> impl Fn(u32) -> f64 {
    const GRID: [u32; 16] = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256];
    let rates: Vec<f64> = GRID.iter().map(|n| rate(*n)).collect();
    move |n| {
        let above = GRID.iter().position(|g| *g >= n).unwrap_or(GRID.len() - 1);
        if above == 0 {
            return rates[0];
        }
        let (a, b) = (f64::from(GRID[above - 1]), f64::from(GRID[above]));
        rates[above - 1] + (rates[above] - rates[above - 1]) * (f64::from(n) - a) / (b - a)
    }
}

/// Returns a device whose throughput falls when too many I/Os wait.
fn contention(dice: &mut Dice) -> Device {
    let (k, s) = (log(dice, 2.0, 32.0).round() as u32, log(dice, 100e-6, 2e-3));
    let grows = dice.between(1, 30) as f64 / 10.0;
    known(format!("servers={k};law=constant:{};contention={grows}", ns(s)), |n| {
        plain(n, k, s * (1.0 + grows / 100.0 * f64::from(n.saturating_sub(k))))
    })
}

fn uniform_capped(dice: &mut Dice) -> Device {
    let (k, low) = (log(dice, 4.0, 128.0).round() as u32, log(dice, 200e-6, 1e-3));
    let high = low * dice.between(2, 6) as f64;
    let mean = (low + high) / 2.0;
    let bw = (f64::from(k) / mean * 4096.0 * log(dice, 1.5, 4.0)).round();
    // The cap is above the bandwidth of 4 KiB blocks and below that of larger blocks, which gives a crossover.
    let device =
        known(format!("servers={k};law=uniform:{}-{};bw={bw}", ns(low), ns(high)), |n| plain(n, k, mean));
    Device { crossover: Some(bw / (f64::from(k) / mean)), ..device }
}

fn capped_noise(dice: &mut Dice) -> Device {
    let (k, s) = (log(dice, 8.0, 128.0).round() as u32, log(dice, 200e-6, 2e-3));
    let cap = (f64::from(k) / s * log(dice, 0.2, 0.8)).round();
    // A limit before the servers: below the limit the rate is slightly lower than that of the servers alone.
    let rate = on_grid(move |n| truth_capped(n, k, s, cap));
    known(format!("servers={k};law=exponential:{};iops={cap}", ns(s)), rate)
}

/// Returns the simulated rate of a closed loop of `n` requests: a gate that passes one request per 1/`cap` seconds,
/// then `k` exponential servers with mean `s` seconds.
fn truth_capped(n: u32, k: u32, s: f64, cap: f64) -> f64 {
    use std::cmp::Reverse;
    let mut chance = Chance(99);
    let mut free: std::collections::BinaryHeap<Reverse<u64>> = (0..k).map(|_| Reverse(0)).collect();
    let mut back: std::collections::BinaryHeap<Reverse<u64>> = (0..n).map(|_| Reverse(0)).collect();
    let mut gate = 0u64;
    let ios = 400_000u32;
    // The start and the end of the simulation are not part of the lasting rate.
    let mut ends: Vec<u64> = Vec::with_capacity(ios as usize);
    for _ in 0..ios {
        let Some(Reverse(arrives)) = back.pop() else { break };
        gate = gate.max(arrives);
        let through = gate;
        gate += (1e9 / cap) as u64;
        let Some(Reverse(server)) = free.pop() else { break };
        let end = through.max(server) + (-(1.0 - chance.unit()).ln() * s * 1e9) as u64;
        free.push(Reverse(end));
        back.push(Reverse(end));
        ends.push(end);
    }
    ends.sort_unstable();
    let (from, to) = (ends.len() / 10, ends.len() * 9 / 10);
    (to - from) as f64 / ((ends[to] - ends[from]) as f64 / 1e9)
}

fn cliff_capped(dice: &mut Dice) -> Device {
    let (k, s, factor) =
        (log(dice, 4.0, 64.0).round() as u32, log(dice, 100e-6, 500e-6), dice.between(2, 5) as f64);
    let cap = (f64::from(k) / s * log(dice, 0.3, 0.9)).round();
    let bytes = (cap * 4096.0 * dice.between(2, 8) as f64).round();
    let device =
        known(format!("servers={k};law=constant:{};cliff={bytes}:{factor};iops={cap}", ns(s)), |n| {
            plain(n, k, s * factor).min(cap)
        });
    // If the limit is lower than the rate of the slow device, only small depths change.
    let moves = f64::from(k) / (s * factor) < 0.8 * cap;
    Device { writes: true, moves, ..device }
}

fn stall_noise(dice: &mut Dice) -> Device {
    let (k, s) = (servers_of(dice), log(dice, 200e-6, 1e-3));
    let (every, lasts) = (log(dice, 0.05, 0.2), dice.between(3, 15) as f64 / 100.0);
    let slow = dice.between(3, 8) as f64;
    let mean = 0.95 * s + 0.05 * slow * s;
    known(
        format!(
            "servers={k};law=mixture:95/{}:5/{};stall={}:{}",
            ns(s),
            ns(slow * s),
            ns(every),
            ns(every * lasts)
        ),
        |n| plain(n, k, mean) * (1.0 - lasts),
    )
}

/// All laws, in the order of their numbers.
pub const LAWS: [Law; 20] = [
    Law { name: "1-128 servers, constant 200us-10ms", draw: constant },
    Law { name: "1-128 servers, exponential 200us-5ms", draw: exponential },
    Law { name: "servers, one in ten 2-10 times slower", draw: mixture },
    Law { name: "contention 0.1-3 % each that waits", draw: contention },
    Law { name: "cap of 300-60k IOPS", draw: capped },
    Law { name: "cap of 4-400 MB/s", draw: capped_bytes },
    Law { name: "both caps, crossover 8k-128k", draw: capped_both },
    Law { name: "transfer, crossover 16k-200k", draw: transfer },
    Law { name: "disk, reordering 32", draw: reordering },
    Law { name: "disk, in order", draw: in_order },
    Law { name: "burst credits for 3-12 s", draw: credits },
    Law { name: "write cache for 3-15 s", draw: cache },
    Law { name: "write cliff after 2-8 s", draw: cliff },
    Law { name: "drift of 1-4 % a second", draw: drift },
    Law { name: "stalls of 2-20 % of the time", draw: stall },
    Law { name: "mixture: cache hits 10-60 %", draw: hits },
    Law { name: "mixture: uniform servers and a byte cap", draw: uniform_capped },
    Law { name: "mixture: cap and exponential servers", draw: capped_noise },
    Law { name: "mixture: cliff and cap", draw: cliff_capped },
    Law { name: "mixture: stalls and slow ones", draw: stall_noise },
];

/// Law of a device that is limited by the CPU, in addition to the twenty.
pub const PROCESSOR: Law = Law { name: "processor of 2-10 us an I/O", draw: processor };

/// Device for the four patterns of seed 000, and its true rate.
pub struct Cost {
    /// Kind of device that the model stands for.
    pub name: &'static str,
    /// Specification of the device for `fathom explore model:`.
    pub spec: &'static str,
    /// Function that returns the IOPS for a block size in bytes, sequential or not, and a depth.
    pub rate: fn(u64, bool, u32) -> f64,
}

/// Devices of the comparison with seed 000: those that seed 000 measured, and common present ones.
pub const COSTS: [Cost; 4] = [
    Cost {
        name: "ssd",
        spec: "servers=32;law=exponential:90us;transfer=100000000",
        rate: |bs, _, n| plain(n, 32, 90e-6 + bs as f64 / 1e8),
    },
    Cost {
        name: "hdd",
        spec: "law=constant:60us;transfer=180000000;disk=15ms:8330us:32",
        rate: |bs, sequential, n| {
            let moves = if sequential { 0.0 } else { 1.0 / truth::disk(n, 32, 15e-3, 8.33e-3, 40_000, 5) };
            1.0 / (60e-6 + bs as f64 / 1.8e8 + moves)
        },
    },
    Cost {
        name: "cloud",
        spec: "servers=512;law=exponential:800us;iops=3000;bw=125000000",
        rate: |bs, _, n| plain(n, 512, 800e-6).min(3000.0).min(125e6 / bs as f64),
    },
    Cost {
        name: "throttled",
        spec: "servers=64;law=constant:100us;iops=500",
        rate: |_, _, n| plain(n, 64, 100e-6).min(500.0),
    },
];
