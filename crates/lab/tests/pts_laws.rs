//! The eight tests of `fathom pts` on devices drawn at random. The truth is not the code under test: the course of each
//! test is written here again from the text of the specification (docs/pts.md), and runs on a simulation of its own.
//!
//! `PTS_SEED` and `PTS_DRAWS` choose the devices of `drawn_devices`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod own_device;
mod quiet;

use lab::pts::purge::PurgeChoice;
use lab::pts::{PtsBench, PtsJournal, begin};
use lab::target::JobContext;
use own_device::{Bytes, Device, Draws, Figures, Flash, Length, Loop, Service, Simulated};
use quiet::Quiet;
use stats::pts::{PtsAsked, PtsDemand, PtsPoint, PtsResult, PtsSample, PtsSaturationEnd, PtsTest};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

/// Returns one figure of a sample.
type Figure = fn(&Figures) -> f64;

struct Forgets;

impl PtsJournal for Forgets {
    fn add(&mut self, _: &PtsPoint) -> bool {
        true
    }
}

fn measured(device: &Device, asked: &PtsAsked) -> PtsResult {
    let context =
        JobContext::here(Arc::new(AtomicUsize::new(0)), Duration::from_secs(30), ToString::to_string);
    let (mut bench, described) = PtsBench::open(&device.name(), PurgeChoice::Auto, context).unwrap();
    let mut points = Vec::new();
    bench.run(asked, &described, &mut points, &mut Forgets, &mut Quiet).unwrap();
    let mut study = begin(asked.clone(), described, "", 0);
    study.evaluate(&points);
    assert!(study.complete);
    study.runs.remove(0).result
}

// ---- Devices ----

/// Kind of a drawn device: what its rate does beside the noise of the service times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Still,
    HeavyTail,
    Step,
    Drift,
    Stall,
    Collection,
    Cliff,
    Cap,
    Flash,
    Cache,
}

/// A device with the options of its test.
struct Drawn {
    kind: Kind,
    device: Device,
    asked: PtsAsked,
}

fn service(draws: &mut Draws, mean: f64, heavy: bool) -> Service {
    let round = |t: f64| t.round().max(1.0);
    let scaled = |parts: Vec<(f64, f64)>| {
        let sum: f64 = parts.iter().map(|(p, t)| p / 100.0 * t).sum();
        Service::Mixture(parts.into_iter().map(|(p, t)| (p, round(t / sum * mean))).collect())
    };
    if heavy {
        let mut parts = vec![(60.0, 1.0), (25.0, 2.0), (10.0, 5.0), (4.0, 15.0), (0.9, 60.0), (0.1, 250.0)];
        for (_, t) in &mut parts {
            *t *= draws.size(0.7, 1.4);
        }
        return scaled(parts);
    }
    match draws.next() % 4 {
        0 => Service::Constant(round(mean)),
        1 => {
            let half = draws.between(0.1, 0.95) * mean;
            Service::Uniform(round(mean - half), round(mean + half))
        }
        2 => Service::Exponential(round(mean)),
        _ => {
            let share = draws.between(5.0, 40.0).round();
            scaled(vec![(100.0 - share, 1.0), (share, draws.size(1.5, 8.0))])
        }
    }
}

fn kinds(test: PtsTest) -> Vec<Kind> {
    use Kind::*;
    let mut kinds = vec![Still, HeavyTail, Step, Drift, Stall, Collection, Cliff, Flash];
    match test {
        PtsTest::Iops | PtsTest::Cbw | PtsTest::Dirth => kinds.push(Cap),
        PtsTest::Hir => kinds.extend([Cache, Cache, Cache]),
        PtsTest::Xsr => kinds.extend([Flash, Flash]),
        _ => {}
    }
    kinds
}

/// Draws a device. A `calm` one has constant service times, so that few I/Os are enough.
fn drawn(test: PtsTest, kind: Kind, draws: &mut Draws, calm: bool) -> Drawn {
    use Kind::*;
    let mut asked = PtsAsked {
        tests: vec![test],
        scale: draws.one_of(&[1, 4, 15]),
        active_range_percent: 100.0,
        threads: 4,
        depth: 32,
        purge: true,
        demand_block: draws.one_of(&[4096, 8192, 16384]),
        demand_reads: draws.one_of(&[0, 50, 65, 100]),
        most_rounds: 25,
        seed: draws.next() % 1000,
        ..PtsAsked::default()
    };
    let mut servers = draws.one_of(&[1, 2, 4]);
    // A sample ends with its slowest I/O, so few I/Os per sample would measure that one.
    let mut per_minute = draws.between(0.8, 1.2)
        * match test {
            PtsTest::Iops => 6000.0,
            PtsTest::Throughput => 40_000.0,
            PtsTest::Latency => 15_000.0,
            PtsTest::Wsat | PtsTest::Hir | PtsTest::Cbw | PtsTest::Dirth => 4000.0,
            PtsTest::Xsr => 2000.0,
            PtsTest::HddIops | PtsTest::HddThroughput => unreachable!("{test:?} is not of the specification"),
        };
    if kind == HeavyTail && test != PtsTest::Hir {
        per_minute *= 2.0;
    }
    if calm {
        per_minute = per_minute.min(6000.0) / 3.0;
    }
    match test {
        PtsTest::Wsat => (asked.threads, asked.depth) = (1, draws.one_of(&[4, 8])),
        PtsTest::Hir => {
            (asked.threads, asked.depth) = (1, draws.one_of(&[4, 8]));
            servers = draws.one_of(&[1, 2]);
        }
        PtsTest::Latency => servers = 1,
        PtsTest::Cbw | PtsTest::Dirth => {
            // The limit of 5 ms has to lie among the demands.
            let mean_s = draws.size(0.0006, 0.004);
            asked.scale = (60.0 * servers as f64 / (mean_s * per_minute)).round() as u32;
        }
        _ => {}
    }
    // Some devices are slower than the limit of the operating points.
    let minute_s = 60.0 / f64::from(asked.scale);
    let mean_us = servers as f64 * minute_s / per_minute * 1e6;
    let service = match calm {
        true => Service::Constant(mean_us.round()),
        false => service(draws, mean_us, kind == HeavyTail),
    };
    let mut device = Device::of(service, servers, 64 << 20);
    if matches!(test, PtsTest::Throughput | PtsTest::Xsr) {
        // A pass over the device ends with its slowest I/O as well.
        device.size = (per_minute * draws.between(1.0, 4.0)) as u64 * (1 << 20);
    }
    // Cells up to the end of the fifth round, about, and the longest course.
    let minutes = match test {
        PtsTest::Iops => 280.0,
        PtsTest::Throughput => 10.0,
        PtsTest::Latency => 45.0,
        PtsTest::Wsat => 155.0,
        PtsTest::Hir => 150.0,
        PtsTest::Xsr => 1320.0,
        PtsTest::Cbw | PtsTest::Dirth => 121.0,
        PtsTest::HddIops | PtsTest::HddThroughput => unreachable!("{test:?} is not of the specification"),
    };
    let micros = |minutes: f64| (minutes * minute_s * 1e6).round() as u64;
    if draws.unit() < 0.5 && test == PtsTest::Iops {
        device.transfer = Some((1048576.0 / (mean_us * 1e-6 * draws.between(0.5, 3.0))) as u64);
    }
    match kind {
        Still | HeavyTail => {}
        Step => {
            let share = if draws.unit() < 0.7 { draws.between(0.3, 0.85) } else { draws.between(1.2, 2.5) };
            device.step = Some((micros(minutes * draws.between(0.1, 1.6)), (share * 1e3).round() / 1e3));
        }
        Drift => device.drift = 100.0 * draws.between(0.05, 0.6) / (minutes * minute_s),
        Stall => {
            let every = draws.size(0.02, 0.5);
            device.stall = Some((micros(every), micros(every * draws.between(0.05, 0.4))));
        }
        Collection => {
            let every = draws.size(1.5, 40.0);
            device.stall = Some((micros(every), micros(draws.between(0.05, 0.4) * every)));
            if matches!(test, PtsTest::Hir | PtsTest::Xsr) {
                // Which minute a stall falls into after thousands of samples must not depend on the service times drawn.
                device.service = Service::Constant(mean_us.round());
            }
        }
        Cliff => {
            // Random 4 KiB writes of half of the time, about.
            let size = if matches!(test, PtsTest::Throughput | PtsTest::Xsr) { 1 << 20 } else { 4096 };
            let bytes = minutes * per_minute * draws.between(0.1, 0.8) * f64::from(size);
            device.cliff = Some((bytes as u64, (draws.between(1.3, 5.0) * 1e3).round() / 1e3));
        }
        Cap => {
            device.service = Service::Constant(mean_us.round());
            device.cap = Some((draws.between(0.3, 0.9) * per_minute / minute_s) as u64 + 1);
        }
        Flash => {
            let page = match test {
                PtsTest::Iops | PtsTest::Xsr | PtsTest::Throughput => 64 << 10,
                _ => draws.one_of(&[4 << 10, 16 << 10]),
            };
            let (spare, block) =
                ((draws.between(0.07, 0.3) * 100.0).round() / 100.0, draws.one_of(&[32, 64]));
            // Size in pages from the minutes of random writes that fill it once.
            let fills = draws.between(10.0, 60.0);
            let pages = match test {
                PtsTest::Xsr => per_minute * 4.0,
                PtsTest::Iops => 4000.0,
                PtsTest::Throughput => 20_000.0,
                _ => (per_minute * fills).min(60_000.0),
            };
            device.size = (pages as u64).max(1024) * page;
            let program = (mean_us * draws.between(0.2, 0.6)).round();
            let program = if matches!(test, PtsTest::Xsr) { program / 16.0 } else { program };
            device.service = Service::Constant((mean_us * 0.3).round());
            device.flash = Some(self::Flash {
                spare,
                block,
                page,
                program: program.round() as u64,
                read: (program * if calm { 0.6 } else { draws.between(0.05, 0.3) }).round() as u64,
                erase: (program * draws.between(1.0, 8.0)).round() as u64,
            });
        }
        Cache => {
            let drain = per_minute / minute_s * 4096.0;
            let faster = draws.between(2.0, 8.0);
            let full = draws.size(0.5, 15.0) * minute_s;
            let bytes = (drain * (faster - 1.0) * full) as u64;
            if draws.unit() < 0.6 {
                let time = f64::from(asked.depth) / (faster * drain / 4096.0) * 1e6;
                device.cache = Some((bytes, drain as u64, time.round() as u64));
            } else {
                device.service = Service::Constant(1.0);
                let back = drain * draws.between(0.2, 3.0);
                let fills = drain * (faster - 1.0) * full / (1.0 - 1.0 / faster);
                device.slc = Some((fills as u64, (drain * faster) as u64, drain as u64, back as u64));
            }
        }
    }
    // The capacity ends write saturation, if it is small.
    if test == PtsTest::Wsat && kind != Flash {
        device.size = (per_minute * 4096.0 * draws.between(20.0, 200.0)) as u64 / 4096 * 4096;
    }
    Drawn { kind, device, asked }
}

// ---- Truth ----

/// The text of the specification: range of at most 20 % and rise of the fitted line of at most 10 % of the average.
fn is_steady(y: &[f64]) -> bool {
    let average = y.iter().sum::<f64>() / 5.0;
    let slope = (-2.0 * y[0] - y[1] + y[3] + 2.0 * y[4]) / 10.0;
    let (low, high) = y.iter().fold((f64::MAX, f64::MIN), |(a, b), y| (a.min(*y), b.max(*y)));
    high - low <= 0.2 * average && 4.0 * slope.abs() <= 0.1 * average
}

/// First round at which all variables are steady.
fn steady_round(variables: &[Vec<f64>]) -> Option<usize> {
    let rounds = variables[0].len();
    (5..=rounds).find(|last| variables.iter().all(|v| is_steady(&v[last - 5..*last])))
}

const MOST: usize = 25;

/// The course of a test on the own simulation.
struct Course {
    simulated: Simulated,
    minute_s: f64,
    range: u64,
}

struct Rounds {
    /// Figures of the cells by round.
    cells: Vec<Vec<Figures>>,
    /// Round of steady state.
    steady: Option<usize>,
}

impl Course {
    fn minute(&mut self, load: Loop) -> Figures {
        self.simulated.run(load, self.range, Length::Seconds(self.minute_s))
    }

    fn fill(&mut self, bytes: u64) {
        let load = Loop { random: false, reads: 0, bytes: Bytes::Fixed(bytes), in_flight: 32 };
        let whole = self.range / bytes * bytes;
        for _ in 0..2 {
            self.simulated.run(load, self.range, Length::Bytes(whole));
        }
    }

    /// Carries out as many rounds as the code under test, and on a copy as many more as steady state needs.
    fn rounds(
        &mut self,
        before: &[Loop],
        cells: &[Loop],
        tracked: &[(usize, Figure)],
        measured: usize,
    ) -> Rounds {
        let round = |course: &mut Course| {
            for load in before {
                course.minute(*load);
            }
            cells.iter().map(|load| course.minute(*load)).collect::<Vec<_>>()
        };
        let variables = |done: &[Vec<Figures>]| -> Vec<Vec<f64>> {
            tracked.iter().map(|(cell, of)| done.iter().map(|round| of(&round[*cell])).collect()).collect()
        };
        let mut all: Vec<_> = (0..measured).map(|_| round(self)).collect();
        let mut ahead =
            Course { simulated: self.simulated.clone(), minute_s: self.minute_s, range: self.range };
        while all.len() < MOST && steady_round(&variables(&all)).is_none() {
            all.push(round(&mut ahead));
        }
        let steady = steady_round(&variables(&all));
        all.truncate(measured);
        Rounds { cells: all, steady }
    }

    /// Minutes of one load of which every `every`-th, from the first one on or at the end of each, is a round's sample.
    fn minutes(
        &mut self,
        load: Loop,
        measured: usize,
        every: usize,
        last: bool,
    ) -> (Vec<Figures>, Option<usize>) {
        let taken = |n: &usize| if last { (n + 1).is_multiple_of(every) } else { n.is_multiple_of(every) };
        let values = |all: &[Figures]| {
            let taken = (0..all.len()).filter(taken).map(|n| all[n].iops).collect::<Vec<_>>();
            steady_round(&[taken])
        };
        let mut all: Vec<_> = (0..measured).map(|_| self.minute(load)).collect();
        let mut ahead =
            Course { simulated: self.simulated.clone(), minute_s: self.minute_s, range: self.range };
        let most = if every == 31 { 360 } else { MOST * every };
        while all.len() < most && values(&all).is_none() {
            all.push(ahead.minute(load));
        }
        let steady = values(&all);
        all.truncate(measured);
        (all, steady)
    }
}

fn random(reads: u32, bytes: u64, in_flight: u32) -> Loop {
    Loop { random: true, reads, bytes: Bytes::Fixed(bytes), in_flight: in_flight as usize }
}

fn sequential(reads: u32, bytes: u64) -> Loop {
    Loop { random: false, reads, bytes: Bytes::Fixed(bytes), in_flight: 32 }
}

/// What a test found, beside the truth.
#[derive(Default)]
struct Verdict {
    /// Rounds of steady state: found and true.
    rounds: Vec<(Option<u32>, Option<usize>)>,
    /// Name, measured and true value.
    values: Vec<(String, f64, f64)>,
    /// Name, measured minute of a recovery, and the true ones for limits that are easier and harder to reach by a percent.
    recoveries: Vec<(String, Option<u32>, [Option<u32>; 2])>,
    /// Name of a choice, and whether it is right.
    choices: Vec<(String, bool)>,
}

impl Verdict {
    fn value(&mut self, name: impl Into<String>, measured: f64, truth: f64) {
        self.values.push((name.into(), measured, truth));
    }

    /// Compares the means of the cells over the window of the code under test.
    fn cells(&mut self, found: &stats::pts::PtsMatrix, rounds: &Rounds, of: [Figure; 2]) {
        self.rounds.push((found.steady.met_at, rounds.steady));
        let [first, last] = found.steady.window.unwrap();
        for (at, cell) in found.cells.iter().enumerate() {
            let window = &rounds.cells[first as usize - 1..last as usize];
            let truth = window.iter().map(|round| of[0](&round[at])).sum::<f64>() / 5.0;
            let measured = of[1](&Figures {
                iops: cell.iops,
                bandwidth: cell.bytes_per_second,
                mean_s: cell.mean_ns / 1e9,
                written: 0,
            });
            self.value(format!("{:?}", cell.load), measured, truth);
        }
    }

    /// Compares the quantiles of a histogram with one I/O in flight with those of the distribution.
    fn quantiles(&mut self, histogram: &PtsSample, drawn: &Drawn, truth: Figures) {
        self.value("mean of the histogram", histogram.mean_ns / 1e9, truth.mean_s);
        self.value("IOPS of the histogram", histogram.iops, truth.iops);
        if matches!(drawn.kind, Kind::Still | Kind::HeavyTail) {
            for share in [0.25, 0.5, 0.9] {
                if let Some(micros) = drawn.device.service.quantile(share) {
                    let found = histogram.latencies.quantile(share * 100.0).unwrap() as f64 / 1e3;
                    self.value(format!("quantile {share}"), found, micros);
                }
            }
        }
    }
}

fn judged(drawn: &Drawn) -> Verdict {
    let Drawn { device, asked, .. } = drawn;
    let result = measured(device, asked);
    let minute_s = 60.0 / f64::from(asked.scale);
    let simulated = Simulated::new(device, asked.seed + 77);
    let mut course = Course { simulated, minute_s, range: device.size };
    let in_flight = asked.threads * asked.depth;
    let mut verdict = Verdict::default();
    let iops: Figure = |f| f.iops;
    let bandwidth: Figure = |f| f.bandwidth;
    let latency: Figure = |f| f.mean_s;
    match &result {
        PtsResult::Iops(found) => {
            course.fill(128 << 10);
            let sizes = [1024, 128, 64, 32, 16, 8, 4].map(|kib| kib << 10);
            let mut cells = Vec::new();
            for reads in [100, 95, 65, 50, 35, 5, 0] {
                cells.extend(sizes.map(|size| random(reads, size, in_flight)));
                cells.push(random(reads, 512, in_flight));
            }
            let tracked = [(54, iops), (18, iops), (0, iops)];
            let rounds = course.rounds(&[], &cells, &tracked, found.rounds.len());
            verdict.cells(found, &rounds, [iops; 2]);
        }
        PtsResult::Throughput(parts) => {
            for (part, size) in parts.iter().zip([1 << 20, 128 << 10]) {
                course.simulated.purge();
                course.fill(size);
                let cells = [sequential(100, size), sequential(0, size)];
                let rounds = course.rounds(&[], &cells, &[(1, bandwidth)], part.matrix.rounds.len());
                verdict.cells(&part.matrix, &rounds, [bandwidth; 2]);
            }
            assert_eq!(parts.len(), 2);
        }
        PtsResult::Latency(found) => {
            course.fill(128 << 10);
            let sizes = [8192, 4096, 512];
            let cells: Vec<_> =
                [100, 65, 0].into_iter().flat_map(|r| sizes.map(|s| random(r, s, 1))).collect();
            let rounds = course.rounds(&[], &cells, &[(7, latency)], found.matrix.rounds.len());
            verdict.cells(&found.matrix, &rounds, [latency; 2]);
            let after = course.simulated.run(cells[7], device.size, Length::Seconds(20.0 * minute_s));
            verdict.quantiles(found.histogram.as_ref().unwrap(), drawn, after);
        }
        PtsResult::Wsat(found) => {
            let load = random(0, 4096, in_flight);
            let measured = found.minutes.len();
            let (minutes, steady) = course.minutes(load, measured, 31, true);
            let mut written = 0;
            let full = minutes.iter().position(|minute| {
                written += minute.written;
                written >= 4 * device.size
            });
            // The first of three ends.
            let end = match (full, found.ended) {
                (Some(at), Some(PtsSaturationEnd::Written)) => {
                    (at + 1).abs_diff(measured) <= measured / 50 + 1
                }
                // The last minute may have reached the limit or not, by the noise.
                (None, Some(PtsSaturationEnd::Written)) => written as f64 > 0.97 * 4.0 * device.size as f64,
                (_, Some(PtsSaturationEnd::Steady)) => found.steady.met_at.is_some(),
                (_, Some(PtsSaturationEnd::Time)) => measured == 360,
                (_, None) => false,
            };
            verdict.choices.push(("end".into(), end));
            if found.ended == Some(PtsSaturationEnd::Steady) || steady.is_some_and(|n| 31 * n <= measured) {
                verdict.rounds.push((found.steady.met_at, steady));
            }
            verdict.value("first minute", found.minutes[0].iops, minutes[0].iops);
            let mean = |f: &mut dyn Iterator<Item = f64>| f.sum::<f64>() / 10.0;
            for tenth in 0..measured / 10 {
                let at = 10 * tenth..10 * tenth + 10;
                let found = mean(&mut found.minutes[at.clone()].iter().map(|m| m.iops));
                verdict.value(
                    format!("ten minutes {tenth}"),
                    found,
                    mean(&mut minutes[at].iter().map(|m| m.iops)),
                );
            }
            verdict.value(
                "drive fills",
                *found.drive_fills.last().unwrap(),
                written as f64 / device.size as f64,
            );
            let after = random(0, 4096, 1);
            let after = course.simulated.run(after, device.size, Length::Seconds(20.0 * minute_s));
            verdict.quantiles(found.histogram.as_ref().unwrap(), drawn, after);
        }
        PtsResult::Hir(found) => {
            let load = random(0, 4096, in_flight);
            let measured = found.preconditioning.minutes.len();
            let (minutes, steady) = course.minutes(load, measured, 30, true);
            verdict.rounds.push((found.preconditioning.steady.met_at, steady));
            let last: Vec<f64> = minutes.chunks_exact(30).map(|round| round[29].iops).collect();
            let end = found.preconditioning.steady.window.unwrap()[1] as usize;
            let base = last[end - 5..end].iter().sum::<f64>() / 5.0;
            verdict.value("baseline", found.baseline_iops.unwrap(), base);
            for (state, wait_s) in found.states.iter().zip([5.0, 10.0, 15.0, 25.0, 50.0]) {
                let mut sum = 0.0;
                for _ in 0..360 {
                    sum += course.simulated.run(load, device.size, Length::Seconds(minute_s / 12.0)).iops;
                    course.simulated.rest(wait_s * minute_s / 60.0);
                }
                verdict.value(format!("bursts {wait_s}"), state.mean_iops, sum / 360.0);
                let back: Vec<f64> = (0..30).map(|_| course.minute(load).iops).collect();
                let truth = [0.11, 0.09].map(|limit| {
                    back.iter().position(|y| (y / base - 1.0).abs() <= limit).map(|n| n as u32 + 1)
                });
                verdict.recoveries.push((format!("after {wait_s}"), state.return_minute, truth));
                let all = state.return_minutes.iter().map(|m| m.iops).sum::<f64>();
                verdict.value(format!("return {wait_s}"), all / 30.0, back.iter().sum::<f64>() / 30.0);
            }
            assert_eq!(found.states.len(), 5);
        }
        PtsResult::Xsr(found) => {
            let (load, between) = (sequential(0, 1 << 20), random(0, 8192, 32));
            let mut minutes = |load, count: usize| -> Vec<f64> {
                (0..count).map(|_| course.minute(load).bandwidth).collect()
            };
            let groups = [minutes(load, 480), minutes(between, 360), minutes(load, 480)];
            let hour = |group: &[f64]| group[group.len() - 60..].iter().sum::<f64>() / 60.0;
            let (before, after) = (hour(&groups[0]), hour(&groups[2]));
            verdict.value("before", found.steady_before.unwrap(), before);
            verdict.value("after", found.steady_after.unwrap(), after);
            let mean = found.between.iter().map(|m| m.bytes_per_second).sum::<f64>() / 360.0;
            verdict.value("between", mean, groups[1].iter().sum::<f64>() / 360.0);
            for (name, shares, found) in [
                ("whole", [0.97, 0.995], found.recovery_minutes),
                ("nearly", [0.94, 0.96], found.nearly_recovered_minutes),
            ] {
                let truth = shares
                    .map(|share| groups[2].iter().position(|y| *y >= share * before).map(|n| n as u32 + 1));
                verdict.recoveries.push((name.into(), found, truth));
            }
        }
        PtsResult::Cbw(found) | PtsResult::Dirth(found) => demand(found, drawn, &mut course, &mut verdict),
        PtsResult::HddIops(_) | PtsResult::HddThroughput(_) => unreachable!("not of the specification"),
    }
    verdict
}

/// Checks a demand test.
fn demand(found: &PtsDemand, drawn: &Drawn, course: &mut Course, verdict: &mut Verdict) {
    let Drawn { asked, device, .. } = drawn;
    let composite = asked.tests[0] == PtsTest::Cbw;
    let (bytes, reads) = match composite {
        true => (Bytes::Composite, 40),
        false => (Bytes::Fixed(asked.demand_block), asked.demand_reads),
    };
    let load = |reads, in_flight: u32| Loop { random: true, reads, bytes, in_flight: in_flight as usize };
    course.fill(128 << 10);
    let writes = load(0, 1024);
    let (_, steady) = course.minutes(writes, found.preconditioning.minutes.len(), 30, false);
    verdict.rounds.push((found.preconditioning.steady.met_at, steady));
    let counts = [32, 16, 8, 6, 4, 2, 1];
    let mut demands: Vec<(u32, u32)> = counts.iter().flat_map(|t| counts.map(|d| (*t, d))).collect();
    demands.sort_by_key(|(threads, depth)| (-((threads * depth) as i64), -i64::from(*threads)));
    let cells: Vec<Loop> = demands.iter().map(|(threads, depth)| load(reads, threads * depth)).collect();
    let iops: Figure = |f| f.iops;
    let rounds = course.rounds(&[writes; 5], &cells, &[(0, iops)], found.matrix.rounds.len());
    verdict.cells(&found.matrix, &rounds, [iops; 2]);
    // The points by the true figures of the window.
    let [first, last] = found.matrix.steady.window.unwrap();
    let window = &rounds.cells[first as usize - 1..last as usize];
    let mean = |at: usize, of: Figure| window.iter().map(|r| of(&r[at])).sum::<f64>() / 5.0;
    let truth: Vec<(f64, f64)> = (0..49).map(|at| (mean(at, |f| f.iops), mean(at, |f| f.mean_s))).collect();
    let at = |n: usize| {
        let load = found.operating[n].cell.load;
        demands.iter().position(|demand| *demand == (load.threads, load.depth)).unwrap()
    };
    let below: Vec<_> = truth.iter().filter(|(_, latency)| *latency < 0.005).collect();
    let allowed: Vec<_> = if below.is_empty() { truth.iter().collect() } else { below.clone() };
    let most = allowed.iter().map(|(iops, _)| *iops).fold(0.0, f64::max);
    let max = truth[at(0)];
    let right = max.0 >= 0.98 * most && (below.is_empty() || max.1 < 0.005 * 1.02);
    verdict.choices.push(("Max".into(), right));
    // Without a point below the limit the result says so, unless one is at the limit.
    let near = truth.iter().any(|(_, latency)| (latency / 0.005 - 1.0).abs() < 0.02);
    verdict.choices.push(("limit".into(), near || found.max_above_limit == below.is_empty()));
    let middle = f64::midpoint(most, truth[48].0);
    let nearest = allowed.iter().map(|(iops, _)| (iops - middle).abs()).fold(f64::MAX, f64::min);
    verdict.choices.push(("Mid".into(), (truth[at(1)].0 - middle).abs() <= nearest + 0.02 * most));
    verdict.choices.push(("Min".into(), at(2) == 48));
    for (n, operating) in found.operating.iter().enumerate() {
        let in_flight = demands[at(n)].0 * demands[at(n)].1;
        for _ in 0..operating.writes.len() {
            course.minute(load(0, in_flight));
        }
        let length = Length::Seconds(10.0 * course.minute_s);
        let after = course.simulated.run(load(reads, in_flight), device.size, length);
        let histogram = operating.histogram.as_ref().unwrap();
        verdict.value(format!("{:?} IOPS", operating.point), histogram.iops, after.iops);
        verdict.value(format!("{:?} latency", operating.point), histogram.mean_ns / 1e9, after.mean_s);
        assert_eq!(operating.writes.len(), 60);
    }
}

// ---- Table ----

/// Sums over the devices of a kind.
struct Row {
    /// Error of a value that is allowed.
    percent: f64,
    devices: usize,
    rounds: [usize; 2],
    late: usize,
    false_alarms: usize,
    values: [usize; 2],
    errors: f64,
    worst: (f64, String),
    recoveries: [usize; 2],
    choices: [usize; 2],
    seconds: f64,
}

impl Default for Row {
    fn default() -> Self {
        Row {
            percent: 2.0,
            devices: 0,
            rounds: [0; 2],
            late: 0,
            false_alarms: 0,
            values: [0; 2],
            errors: 0.0,
            worst: (0.0, String::new()),
            recoveries: [0; 2],
            choices: [0; 2],
            seconds: 0.0,
        }
    }
}

impl Row {
    fn add(&mut self, verdict: &Verdict, device: usize, seconds: f64, misses: &mut Vec<String>) {
        self.devices += 1;
        self.seconds = self.seconds.max(seconds);
        for (found, truth) in &verdict.rounds {
            let (found, truth) = (found.map_or(MOST + 1, |n| n as usize), truth.unwrap_or(MOST + 1));
            self.rounds[1] += 1;
            match found.cmp(&truth) {
                _ if found.abs_diff(truth) <= 1 => self.rounds[0] += 1,
                std::cmp::Ordering::Greater => self.late += 1,
                _ => self.false_alarms += 1,
            }
            if found.abs_diff(truth) > 1 {
                misses.push(format!("{device}: steady at {found}, truth {truth}"));
            }
        }
        for (name, found, truth) in &verdict.values {
            let error = found / truth - 1.0;
            self.values[1] += 1;
            self.values[0] += usize::from(100.0 * error.abs() <= self.percent);
            self.errors += error;
            if error.abs() > self.worst.0.abs() {
                self.worst = (error, format!("{name} of {device}"));
            }
            if 100.0 * error.abs() > self.percent {
                misses.push(format!("{device}: {name} {found:.5} truth {truth:.5} ({:.2} %)", 100.0 * error));
            }
        }
        for (name, found, truth) in &verdict.recoveries {
            let [least, most] = truth.map(|minute| minute.map_or(f64::INFINITY, f64::from));
            let minute = found.map_or(f64::INFINITY, f64::from);
            let right = (0.95 * least..=1.05 * most).contains(&minute);
            self.recoveries[1] += 1;
            self.recoveries[0] += usize::from(right);
            if !right {
                misses.push(format!("{device}: recovery {name} {found:?} truth {truth:?}"));
            }
        }
        for (name, right) in &verdict.choices {
            self.choices[1] += 1;
            self.choices[0] += usize::from(*right);
            if !right {
                misses.push(format!("{device}: {name} is wrong"));
            }
        }
    }
}

fn table(tests: &[PtsTest], seed: u64, count: usize) -> (BTreeMap<(PtsTest, Kind), Row>, Vec<String>) {
    let mut rows: BTreeMap<(PtsTest, Kind), Row> = BTreeMap::new();
    let mut misses = Vec::new();
    for test in tests {
        let kinds = kinds(*test);
        for n in 0..count {
            let mut draws = Draws(seed * 1_000_003 + u64::from(test.section().unwrap()) * 1009 + n as u64);
            let kind = kinds[n % kinds.len()];
            let drawn = drawn(*test, kind, &mut draws, false);
            let began = Instant::now();
            let verdict = judged(&drawn);
            let mut new = Vec::new();
            rows.entry((*test, kind)).or_default().add(&verdict, n, began.elapsed().as_secs_f64(), &mut new);
            if !new.is_empty() {
                new.truncate(12);
                let asked = (drawn.asked.scale, drawn.asked.threads, drawn.asked.depth);
                misses.push(format!("{} {kind:?} {} {asked:?}", test.name(), drawn.device.name()));
                misses.extend(new.iter().map(|miss| format!("    {miss}")));
            }
        }
    }
    (rows, misses)
}

fn print(rows: &BTreeMap<(PtsTest, Kind), Row>, misses: &[String]) {
    println!(
        "| test | device | devices | steady round | late | early | values within 2 % | bias | worst | recoveries | points | s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let of = |[right, all]: [usize; 2]| if all == 0 { "-".into() } else { format!("{right}/{all}") };
    for ((test, kind), row) in rows {
        println!(
            "| {} | {kind:?} | {} | {} | {} | {} | {} | {:+.2} % | {:+.1} % ({}) | {} | {} | {:.0} |",
            test.name(),
            row.devices,
            of(row.rounds),
            row.late,
            row.false_alarms,
            of(row.values),
            100.0 * row.errors / row.values[1].max(1) as f64,
            100.0 * row.worst.0,
            row.worst.1,
            of(row.recoveries),
            of(row.choices),
            row.seconds,
        );
    }
    misses.iter().for_each(|miss| println!("{miss}"));
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Each test on two calm devices. What each of them is for: a device whose rate changes in the middle of the rounds sees
/// fills, orders and windows; one with a cache sees idle times; flash sees what was written where.
#[test]
fn every_test_finds_the_truth_of_calm_devices() {
    use Kind::*;
    let mut all = Vec::new();
    for (test, kinds, percent) in [
        // How much flash is collected during so few I/Os differs.
        (PtsTest::Iops, [Some(Flash), None], 10.0),
        (PtsTest::Throughput, [Some(Cliff), Some(Step)], 2.0),
        (PtsTest::Latency, [Some(Flash), Some(Step)], 5.0),
        (PtsTest::Wsat, [Some(Flash), Some(Cliff)], 5.0),
        (PtsTest::Hir, [Some(Cache), None], 2.0),
        (PtsTest::Xsr, [Some(Flash), None], 2.0),
        (PtsTest::Cbw, [Some(Cap), None], 2.0),
        (PtsTest::Dirth, [Some(Cap), None], 2.0),
    ] {
        for (n, kind) in (0..).zip(kinds.into_iter().flatten()) {
            let drawn = drawn(test, kind, &mut Draws(41 + u64::from(test.section().unwrap()) * 2 + n), true);
            let (mut row, mut misses) = (Row { percent, ..Row::default() }, Vec::new());
            row.add(&judged(&drawn), 0, 0.0, &mut misses);
            if !misses.is_empty() {
                all.push(format!("{} on {kind:?} {}", test.name(), drawn.device.name()));
                all.append(&mut misses);
            }
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}

/// The table of docs/pts.md.
#[test]
#[ignore = "minutes of CPU time"]
fn drawn_devices() {
    let wanted = std::env::var("PTS_TEST").unwrap_or_default();
    let tests: Vec<_> =
        PtsTest::ALL.into_iter().filter(|t| wanted.is_empty() || wanted == t.name()).collect();
    let (rows, misses) = table(&tests, number("PTS_SEED", 1), number("PTS_DRAWS", 11) as usize);
    print(&rows, &misses);
}
