//! Characteristics of simulated devices that are drawn at random, against the laws that they were drawn with.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod quiet;

use lab::characterize::{CharacterizeRequest, measure, prepare};
use lab::target::JobContext;
use quiet::Quiet;
use stats::characterize::DeviceCharacter;
use stats::characterize::read_cache::ReadCacheSeen;
use stats::characterize::seek::Moves;
use stats::characterize::surface::Fall;
use stats::characterize::writes::WriteCache;
use stats::estimate::Estimate;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use testbed::Draw;

const MB: f64 = 1e6;
const MIB: f64 = 1_048_576.0;

fn request(target: &str, write_bytes: Option<u64>, seed: u64) -> CharacterizeRequest {
    let words = |error: &lab::target::TargetError| error.to_string();
    CharacterizeRequest {
        target: target.into(),
        write: write_bytes.is_some(),
        write_bytes,
        longest_pause: Duration::from_secs(300),
        working_set: 1 << 30,
        seed,
        context: JobContext::here(Arc::new(AtomicUsize::new(0)), Duration::from_secs(30), words),
    }
}

fn characterize(target: &str, write_bytes: Option<u64>, seed: u64) -> DeviceCharacter {
    let request = request(target, write_bytes, seed);
    let prepared = prepare(&request).unwrap_or_else(|e| panic!("{target}: {e:?}"));
    let (read, written) = (prepared.read_bytes, prepared.written_bytes);
    let found = measure(prepared, &request, &mut Quiet).unwrap_or_else(|e| panic!("{target}: {e:?}"));
    assert_eq!(found.ended, None, "{target}");
    assert!(found.read_bytes <= read, "{target}: {} of {read}", found.read_bytes);
    assert!(found.written_bytes <= written, "{target}: {} of {written}", found.written_bytes);
    found
}

/// Truth about a drawn device; `None` for what it does not have.
#[derive(Debug, Default)]
struct Truth {
    outer: Option<f64>,
    inner: Option<f64>,
    seek: Option<f64>,
    rotation: Option<f64>,
    read_cache: Option<f64>,
    slc: Option<f64>,
    recovery: Option<f64>,
    write_cache: Option<f64>,
}

/// Returns a service law and its mean in nanoseconds, which is `scale` or more.
fn law(draw: &mut Draw, scale: f64) -> (String, f64) {
    let t = draw.between(scale, 3.0 * scale).round();
    match draw.below(4) {
        0 => (format!("constant:{t}ns"), t),
        1 => (format!("uniform:{}ns-{}ns", t - (t / 2.0).floor(), t + (t / 2.0).floor()), t),
        2 => (format!("exponential:{t}ns"), t),
        _ => {
            let far = (t * draw.between(3.0, 8.0)).round();
            (format!("mixture:90/{t}ns:10/{far}ns"), 0.9 * t + 0.1 * far)
        }
    }
}

fn stall(draw: &mut Draw) -> String {
    let every = draw.between(3e3, 2e4).round();
    let lasts = draw.between(50.0, 250.0).round();
    if draw.below(3) == 0 { format!(";stall={every}ms:{lasts}ms") } else { String::new() }
}

fn hard_disk(draw: &mut Draw) -> (String, Option<u64>, Truth) {
    let size = draw.between(2e11, 8e12).round();
    let outer = draw.between(120.0 * MB, 290.0 * MB).round();
    let inner = (outer * draw.between(0.4, 0.7)).round();
    let zones = draw.whole(8, 30);
    let settle = draw.between(4e5, 1.5e6).round();
    let seek = draw.between(9e6, 2.4e7).round();
    let turns: f64 = [5400.0, 5900.0, 7200.0, 10000.0, 15000.0][draw.below(5)];
    let rotation = (6e10 / turns).round();
    let (law, mean) = law(draw, 5e4);
    let mut text = format!(
        "model:size={size};disk={seek}:{rotation};surface={outer}:{inner}:{zones}:{settle};law={law}{}",
        stall(draw)
    );
    // Rate of the first and last sixteenth, with the service time of each block.
    let block = 512.0 * 1024.0;
    let rate = |place: f64| {
        let depth = (place * f64::from(zones)).floor().min(f64::from(zones - 1)) / f64::from(zones - 1);
        (outer * outer - (outer * outer - inner * inner) * depth).sqrt()
    };
    let part = |from: usize| {
        let time = |slice: usize| mean / 1e9 + block / rate((from + slice) as f64 / 128.0);
        8.0 * block / (0..8).map(time).sum::<f64>()
    };
    let mut truth = Truth {
        outer: Some(part(0)),
        inner: Some(part(120)),
        seek: Some(seek),
        rotation: Some(rotation),
        ..Truth::default()
    };
    if draw.below(3) > 0 {
        let bytes = (draw.between(16.0, 256.0) * MIB).round();
        text += &format!(";read_cache={bytes}:{}:4096", draw.between(4e4, 2e5).round());
        truth.read_cache = Some(bytes);
    }
    if draw.below(3) > 0 {
        let bytes = (draw.between(64.0, 512.0) * MIB).round();
        let drain = draw.between(20.0 * MB, 150.0 * MB).round();
        text += &format!(";cache={bytes}:{drain}:{}", draw.between(5e4, 2e5).round());
        truth.write_cache = Some(bytes);
    }
    (text, Some(4 << 30), truth)
}

fn flash(draw: &mut Draw) -> (String, Option<u64>, Truth) {
    let size = draw.between(3e10, 1.2e11).round();
    let fast = draw.between(4e8, 4e9).round();
    let (law, mean) = law(draw, 2.5e4);
    let mut text = format!("model:size={size};servers={};law={law}{}", draw.whole(8, 64), stall(draw));
    let mut truth = Truth::default();
    if draw.below(3) > 0 {
        let bytes = (size * draw.between(0.03, 0.4)).round();
        let folding = (fast / draw.between(1.7, 8.0)).round();
        // A cache that recovers as fast as it folds cannot be told from a write-back cache.
        let recovery = [draw.between(0.05, 0.6), draw.between(1.6, 3.0)][draw.below(2)];
        let recovery = (folding * recovery).round();
        text += &format!(";slc={bytes}:{fast}:{folding}:{recovery}");
        (truth.slc, truth.recovery) = (Some(bytes), Some(recovery));
    } else {
        text += &format!(";bw={fast}");
    }
    if draw.below(2) == 0 {
        let bytes = (draw.between(24.0, 512.0) * MIB).round();
        text += &format!(";read_cache={bytes}:{}:65536", (mean * draw.between(0.05, 0.4)).round());
        truth.read_cache = Some(bytes);
    }
    (text, Some(size as u64), truth)
}

fn drawn(draw: &mut Draw) -> (String, Option<u64>, Truth) {
    if draw.below(2) == 0 { hard_disk(draw) } else { flash(draw) }
}

/// Outcomes of one quantity over many devices.
#[derive(Default)]
struct Tally {
    errors: Vec<f64>,
    covered: usize,
    missed: usize,
    invented: usize,
    absent: usize,
}

#[derive(Default)]
struct Table(BTreeMap<&'static str, Tally>, Vec<String>);

impl Table {
    fn add(&mut self, name: &'static str, truth: Option<f64>, found: Option<Estimate>, device: &str) {
        let row = self.0.entry(name).or_default();
        match (truth, found) {
            (Some(truth), Some(found)) => {
                let error = found.value / truth - 1.0;
                row.covered += usize::from(found.holds(truth));
                if error.abs() > 0.05 || !found.holds(truth) {
                    self.1.push(format!("{name}: {found:?} for {truth}: {device}"));
                }
                row.errors.push(error);
            }
            (Some(truth), None) => {
                row.missed += 1;
                self.1.push(format!("{name}: nothing for {truth}: {device}"));
            }
            (None, Some(found)) => {
                row.absent += 1;
                row.invented += 1;
                self.1.push(format!("{name}: invented {found:?}: {device}"));
            }
            (None, None) => row.absent += 1,
        }
    }

    fn take(&mut self, found: &DeviceCharacter, truth: &Truth, device: &str) {
        let surface = found.surface.as_ref().unwrap();
        let falls = matches!(surface.fall, Fall::Falls(_));
        self.add("outer rate", truth.outer, falls.then_some(surface.outer), device);
        self.add("inner rate", truth.inner, falls.then_some(surface.inner), device);
        self.add("rotation", truth.rotation, found.rotation.unwrap(), device);
        let seek = found.seek.as_ref().unwrap();
        let full = seek.summary(found.size).unwrap()[2];
        self.add("full seek", truth.seek, (seek.moves == Moves::Seeks).then_some(full), device);
        let cache = match found.read_cache.as_ref().unwrap().cache {
            ReadCacheSeen::Of { bytes, .. } => Some(bytes),
            ReadCacheSeen::AtLeast { .. } | ReadCacheSeen::None { .. } => None,
        };
        self.add("read cache", truth.read_cache, cache, device);
        let (mut slc, mut back, mut rate) = (None, None, None);
        match found.writes.as_ref().unwrap().cache {
            Some(WriteCache::Slc { bytes, recovery }) => (slc, rate) = (Some(bytes), Some(recovery)),
            Some(WriteCache::WriteBack { bytes }) => back = Some(bytes),
            _ => {}
        }
        self.add("SLC cache", truth.slc, slc, device);
        self.add("SLC recovery", truth.recovery, rate, device);
        self.add("write cache", truth.write_cache, back, device);
    }

    #[allow(clippy::print_stdout)] // the table of docs/characterize.md
    fn print(&self) {
        println!("| quantity | devices | bias | worst | covered | no answer | invented |");
        println!("|---|---|---|---|---|---|---|");
        for (name, row) in &self.0 {
            let n = row.errors.len().max(1) as f64;
            let bias = 100.0 * row.errors.iter().sum::<f64>() / n;
            let worst = 100.0 * row.errors.iter().fold(0.0, |worst: f64, error| worst.max(error.abs()));
            let with = row.errors.len() + row.missed;
            println!(
                "| {name} | {with} | {bias:+.2} % | {worst:.2} % | {} of {} | {} | {} of {} |",
                row.covered,
                row.errors.len(),
                row.missed,
                row.invented,
                row.absent
            );
        }
        self.1.iter().for_each(|line| println!("{line}"));
    }
}

fn table(draw: &mut Draw, devices: usize) -> Table {
    let mut table = Table::default();
    for nth in 0..devices {
        let (device, write_bytes, truth) = drawn(draw);
        table.take(&characterize(&device, write_bytes, nth as u64), &truth, &device);
    }
    table.print();
    table
}

/// Every size, rate and time of drawn devices is found within 5 %, and nothing that a device does not have.
#[test]
fn drawn_devices_are_found_within_five_percent() {
    let table = table(&mut Draw::new(7), 6);
    for (name, row) in &table.0 {
        assert_eq!((row.invented, row.missed), (0, 0), "{name}: {:?}", table.1);
        assert!(row.errors.iter().all(|error| error.abs() < 0.05), "{name}: {:?}", table.1);
    }
}

/// The same for forty devices of a fresh seed; prints the table of docs/characterize.md.
#[test]
#[ignore = "a minute or two: forty devices"]
fn forty_drawn_devices_are_found_within_five_percent() {
    let table = table(&mut Draw::fresh(), 40);
    for (name, row) in &table.0 {
        assert_eq!(row.invented, 0, "{name}: {:?}", table.1);
        assert!(row.errors.iter().all(|error| error.abs() < 0.05), "{name}: {:?}", table.1);
    }
}

/// Discarded pages of flash take no time to read.
#[test]
fn discarded_data_of_flash_is_read_faster() {
    let flash = "model:size=1g;servers=4;law=constant:20us;ftl=0.2;ftl_times=2us:40us:1ms";
    let found = characterize(flash, Some(512 << 20), 3).discarded.unwrap();
    assert!(found.differ(), "{found:?}");
    assert!(found.discarded.holds(20_000.0) && found.written.holds(60_000.0), "{found:?}");
}
