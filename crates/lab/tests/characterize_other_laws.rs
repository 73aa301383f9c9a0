//! Characteristics of devices with laws that the estimators were not built with: zones of uneven width, a seek law with
//! settling and a linear part, random replacement in a read cache, an SLC cache that shrinks as the drive fills, a write
//! cache that is flushed from a mark on, heavy tails, stalls. The simulator is this file's own.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod quiet;

use engine::{Completion, Kind, Op};
use lab::characterize::device::{Bench, DeviceOperations};
use lab::characterize::{MeasurementPlan, measure_open};
use quiet::Quiet;
use stats::characterize::read_cache::ReadCacheSeen;
use stats::characterize::seek::Moves;
use stats::characterize::surface::Fall;
use stats::characterize::writes::WriteCache;
use stats::characterize::{DeviceCharacter, EarlyEnd};
use stats::estimate::Estimate;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use testbed::Draw;

const MB: f64 = 1e6;
const MIB: f64 = 1_048_576.0;

/// Zones of a platter: first byte and rate in bytes per second, ascending.
#[derive(Clone, Debug)]
struct Platter {
    zones: Vec<(f64, f64)>,
    rotation: f64,
    settle: f64,
    /// Seek time at a third of the device, and over all of it.
    third: f64,
    full: f64,
}

impl Platter {
    fn zone(&self, place: f64) -> (f64, f64) {
        *self.zones.iter().rev().find(|(first, _)| *first <= place).unwrap()
    }

    /// Returns the time of a seek over this share of the device: a square root up to a third, then a line.
    fn seek(&self, share: f64) -> f64 {
        match share {
            0.0 => 0.0,
            s if s < 1.0 / 3.0 => self.settle + (self.third - self.settle) * (3.0 * s).sqrt(),
            s => self.third + (self.full - self.third) * (s - 1.0 / 3.0) * 1.5,
        }
    }

    fn angle(&self, place: f64) -> f64 {
        let (first, rate) = self.zone(place);
        ((place - first) / (rate * self.rotation / 1e9)).fract()
    }
}

/// Read cache that replaces a random line.
#[derive(Clone, Debug)]
struct RandomCache {
    lines: usize,
    line: u64,
    hit: f64,
    slots: Vec<u64>,
    at: HashMap<u64, usize>,
}

impl RandomCache {
    fn touch(&mut self, place: u64, bytes: u64, draw: &mut Draw) -> bool {
        let mut all = true;
        for line in place / self.line..(place + bytes).div_ceil(self.line) {
            if self.at.contains_key(&line) {
                continue;
            }
            all = false;
            if self.slots.len() < self.lines {
                self.slots.push(line);
                self.at.insert(line, self.slots.len() - 1);
            } else {
                let slot = draw.below(self.slots.len());
                self.at.remove(&self.slots[slot]);
                self.slots[slot] = line;
                self.at.insert(line, slot);
            }
        }
        all
    }
}

/// What takes writes faster than the medium.
#[derive(Clone, Debug)]
enum WriteLaw {
    Medium,
    /// SLC cache of a third of the free space: bytes in it, bytes that were moved to TLC, and rates.
    Dynamic {
        used: f64,
        moved: f64,
        fast: f64,
        slow: f64,
        recovery: f64,
    },
    /// Buffer that is flushed from a mark on, until it is empty: its size and bytes, mark, rates.
    Marked {
        bytes: f64,
        dirty: f64,
        mark: f64,
        flushing: bool,
        fast: f64,
        drain: f64,
    },
}

#[derive(Clone, Debug)]
struct Simulated {
    draw: Draw,
    now: f64,
    size: f64,
    platter: Option<Platter>,
    head: f64,
    /// Service time in nanoseconds, of reads of flash or of the electronics; its tail: share and largest factor.
    service: f64,
    tail: Option<(f64, f64)>,
    /// Mean time between stalls and their length in nanoseconds.
    stall: Option<(f64, f64)>,
    next_stall: f64,
    /// Rate of the medium of flash in bytes per second.
    rate: f64,
    free: Vec<f64>,
    link_free: f64,
    cache: Option<RandomCache>,
    writes: WriteLaw,
    write_now: f64,
    pending: Vec<(f64, u16, i32)>,
    /// Sets the interrupt at this operation.
    interrupts: Option<(u64, Arc<AtomicUsize>)>,
}

impl Simulated {
    /// Returns a log-normal service time with its tail.
    fn service(&mut self) -> f64 {
        let normal = (0..12).map(|_| self.draw.unit()).sum::<f64>() - 6.0;
        let time = self.service * (0.15 * normal).exp();
        match self.tail {
            Some((share, most)) if self.draw.unit() < share => {
                time * (1.0 / (1.0 - self.draw.unit()).max(1e-9)).powf(0.8).min(most)
            }
            _ => time,
        }
    }

    fn after_stalls(&mut self, time: f64) -> f64 {
        let Some((every, lasts)) = self.stall else { return time };
        while self.next_stall + lasts < time {
            self.next_stall += every * (0.5 + self.draw.unit());
        }
        if time >= self.next_stall { self.next_stall + lasts } else { time }
    }

    /// Lets the caches of writes work until `time`.
    fn rest_until(&mut self, time: f64) {
        let seconds = (time - self.write_now).max(0.0) / 1e9;
        match &mut self.writes {
            WriteLaw::Dynamic { used, moved, recovery, .. } => {
                let more = (*recovery * seconds).min(*used);
                (*used, *moved) = (*used - more, *moved + more);
            }
            WriteLaw::Marked { dirty, flushing, drain, mark, .. } => {
                if *dirty >= *mark {
                    *flushing = true;
                }
                if *flushing {
                    *dirty = (*dirty - *drain * seconds).max(0.0);
                    *flushing = *dirty > 0.0;
                }
            }
            WriteLaw::Medium => {}
        }
        self.write_now = time.max(self.write_now);
    }

    /// Returns the time at which a write that begins at `start` ends.
    fn write(&mut self, start: f64, bytes: f64) -> Option<f64> {
        let begin = start.max(self.write_now);
        // An SLC cache is emptied at rest, a buffer always.
        match self.writes {
            WriteLaw::Medium => return None,
            WriteLaw::Dynamic { .. } if begin > self.write_now + 1e6 => self.rest_until(begin),
            WriteLaw::Dynamic { .. } => self.write_now = begin,
            WriteLaw::Marked { .. } => self.rest_until(begin),
        }
        let size = self.size;
        let nanos = match &mut self.writes {
            WriteLaw::Dynamic { used, moved, fast, slow, .. } => {
                let room = ((size - *moved) / 3.0 - *used).clamp(0.0, bytes);
                *used += room;
                *moved += bytes - room;
                room / *fast + (bytes - room) / *slow
            }
            WriteLaw::Marked { bytes: all, dirty, fast, drain, .. } => {
                let full = (*dirty + bytes - *all).max(0.0);
                *dirty += bytes;
                (bytes / *fast).max(full / *drain)
            }
            WriteLaw::Medium => 0.0,
        } * 1e9;
        let end = begin + nanos;
        if matches!(self.writes, WriteLaw::Dynamic { .. }) {
            self.write_now = end
        } else {
            self.rest_until(end)
        }
        Some(end)
    }

    fn serve(&mut self, op: &Op) -> f64 {
        let (place, bytes) = (op.offset as f64, f64::from(op.len));
        let service = self.service();
        if op.kind == Kind::Write
            && let Some(end) = self.write(self.now, bytes)
        {
            return end + service;
        }
        let mut draw = self.draw.clone();
        if op.kind == Kind::Read
            && let Some(cache) = &mut self.cache
        {
            let hit = cache.touch(op.offset, u64::from(op.len), &mut draw);
            self.draw = draw;
            if hit {
                return self.now + self.cache.as_ref().unwrap().hit * service / self.service;
            }
        }
        match &self.platter {
            Some(platter) => {
                let start = self.now.max(self.free[0]);
                let distance = (place - self.head).abs();
                let mut at = start;
                if distance > 0.0 {
                    // Within a track, the head stays.
                    let track = platter.zone(place).1 * platter.rotation / 1e9;
                    at += if distance < track { 0.0 } else { platter.seek(distance / self.size) };
                    let angle = (at / platter.rotation).fract();
                    at += (platter.angle(place) - angle).rem_euclid(1.0) * platter.rotation;
                }
                let end = self.after_stalls(at) + bytes / self.platter.as_ref().unwrap().zone(place).1 * 1e9;
                self.head = place + bytes;
                self.free[0] = end;
                end + service
            }
            None => {
                let first =
                    (0..self.free.len()).min_by(|a, b| self.free[*a].total_cmp(&self.free[*b])).unwrap();
                let start = self.after_stalls(self.now.max(self.free[first]));
                let link = self.link_free.max(start) + bytes / self.rate * 1e9;
                self.link_free = link;
                self.free[first] = link + service;
                self.free[first]
            }
        }
    }
}

impl DeviceOperations for Simulated {
    fn now(&self) -> u64 {
        self.now as u64
    }

    fn send(&mut self, ops: &[Op]) -> Result<(), i32> {
        for op in ops {
            if let Some((left, interrupt)) = &mut self.interrupts {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    interrupt.store(2, Relaxed);
                }
            }
            let end = self.serve(op);
            self.pending.push((end, op.slot, op.len as i32));
        }
        Ok(())
    }

    fn reap(&mut self, out: &mut [Completion]) -> Result<usize, i32> {
        self.pending.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (end, slot, res) = self.pending.remove(0);
        self.now = self.now.max(end);
        out[0] = Completion { slot, res };
        Ok(1)
    }

    fn discard(&mut self, _: u64, _: u32) -> Result<(), i32> {
        Err(95)
    }

    fn idle(&mut self, nanos: u64) {
        self.now += nanos as f64;
    }

    fn refresh(&mut self, _: u16, _: u32) {}
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
    write_cache: Option<f64>,
}

fn characterize(device: Simulated, curve_bytes: Option<u64>, seed: u64) -> DeviceCharacter {
    let interrupt = device.interrupts.as_ref().map(|(_, interrupt)| interrupt.clone()).unwrap_or_default();
    let plan = MeasurementPlan {
        size: device.size as u64,
        curve_bytes,
        longest_pause_s: 300.0,
        working_set: 1 << 30,
        seed,
    };
    let open = move || Ok::<_, Infallible>(Bench::of(Box::new(device), interrupt, None));
    let Ok(found) = measure_open(open, plan, None, &mut Quiet);
    found
}

fn plain(draw: &mut Draw, size: f64) -> Simulated {
    Simulated {
        draw: draw.clone(),
        now: 1.0,
        size,
        platter: None,
        head: 0.0,
        service: draw.between(4e4, 1.2e5),
        tail: (draw.below(2) == 0).then(|| (draw.between(0.002, 0.03), draw.between(10.0, 200.0))),
        stall: (draw.below(3) == 0).then(|| (draw.between(3e9, 2e10), draw.between(5e7, 2.5e8))),
        next_stall: 2e9,
        rate: draw.between(4e8, 4e9),
        free: vec![0.0; draw.whole(8, 64) as usize],
        link_free: 0.0,
        cache: None,
        writes: WriteLaw::Medium,
        write_now: 0.0,
        pending: Vec::new(),
        interrupts: None,
    }
}

fn random_cache(draw: &mut Draw, truth: &mut Truth) -> RandomCache {
    let line = [4096, 65536][draw.below(2)];
    let bytes = draw.between(16.0, 200.0) * MIB;
    let lines = (bytes / line as f64) as usize;
    truth.read_cache = Some(lines as f64 * line as f64);
    RandomCache { lines, line, hit: draw.between(5e3, 2e4), slots: Vec::new(), at: HashMap::new() }
}

fn hard_disk(draw: &mut Draw) -> (Simulated, Option<u64>, Truth) {
    let size = draw.between(2e11, 8e12).round();
    let mut disk = plain(draw, size);
    disk.free = vec![0.0];
    let outer = draw.between(120.0 * MB, 290.0 * MB);
    let zones = draw.whole(6, 40) as usize;
    // Widths differ by up to a factor of six, and so do the steps of the rate.
    let widths: Vec<f64> = (0..zones).map(|_| draw.between(1.0, 6.0)).collect();
    let steps: Vec<f64> = (0..zones).map(|_| draw.between(1.0, 6.0)).collect();
    let (all, falls) = (widths.iter().sum::<f64>(), steps[1..].iter().sum::<f64>());
    let inner = outer * draw.between(0.4, 0.7);
    let (mut place, mut rate, mut list) = (0.0, outer, Vec::new());
    for at in 0..zones {
        if at > 0 {
            rate -= (outer - inner) * steps[at] / falls;
        }
        list.push((place, rate));
        place += size * widths[at] / all;
    }
    let turns = [5400.0, 5900.0, 7200.0, 10000.0, 15000.0][draw.below(5)];
    let settle = draw.between(6e5, 2e6);
    let full = draw.between(1.2e7, 2.4e7);
    let third = full * draw.between(0.45, 0.7);
    let platter = Platter { zones: list, rotation: 6e10 / turns, settle, third, full };
    let part = |from: usize| {
        let slice = |nth: usize| 1.0 / platter.zone((from + nth) as f64 / 128.0 * size).1;
        8.0 / (0..8).map(slice).sum::<f64>()
    };
    let mut truth = Truth {
        outer: Some(part(0)),
        inner: Some(part(120)),
        seek: Some(full),
        rotation: Some(platter.rotation),
        ..Truth::default()
    };
    if draw.below(2) == 0 {
        disk.cache = Some(random_cache(draw, &mut truth));
    }
    if draw.below(3) > 0 {
        let (bytes, drain) = ((draw.between(64.0, 512.0) * MIB).round(), draw.between(20.0 * MB, 120.0 * MB));
        let (mark, fast) = (bytes * draw.between(0.1, 0.6), draw.between(4e8, 2e9));
        disk.writes = WriteLaw::Marked { bytes, dirty: 0.0, mark, flushing: false, fast, drain };
        truth.write_cache = Some(bytes);
    }
    disk.platter = Some(platter);
    (disk, Some(4 << 30), truth)
}

fn flash(draw: &mut Draw) -> (Simulated, Option<u64>, Truth) {
    let size = draw.between(3e10, 1.2e11).round();
    let mut drive = plain(draw, size);
    let mut truth = Truth::default();
    if draw.below(2) == 0 {
        drive.cache = Some(random_cache(draw, &mut truth));
    }
    if draw.below(3) > 0 {
        let fast = drive.rate * draw.between(0.6, 0.95);
        let slow = fast / draw.between(1.8, 8.0);
        let recovery = slow * [draw.between(0.1, 0.6), draw.between(1.6, 3.0)][draw.below(2)];
        drive.writes = WriteLaw::Dynamic { used: 0.0, moved: 0.0, fast, slow, recovery };
        truth.slc = Some(size / 3.0);
    }
    // A drive that was written whole has no free space for such a cache.
    let written = if draw.below(2) == 0 { 0.6 * size } else { size };
    (drive, Some(written as u64), truth)
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
                    self.1.push(format!("{name}: {:+.1} %, {found:?} for {truth}: {device}", 100.0 * error));
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
        let step = found.writes.as_ref().unwrap().step.map(|step| step.bytes);
        if truth.write_cache.is_none() {
            self.add("bytes before the step", truth.slc, step, device);
        }
        let (mut slc, mut back) = (None, None);
        match found.writes.as_ref().unwrap().cache {
            Some(WriteCache::Slc { bytes, .. }) => slc = Some(bytes),
            Some(WriteCache::WriteBack { bytes }) => back = Some(bytes),
            _ => {}
        }
        self.add("SLC cache", truth.slc, slc, device);
        self.add("write cache", truth.write_cache, back, device);
    }

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

fn table(draw: &mut Draw, devices: u64) -> Table {
    let mut table = Table::default();
    for nth in 0..devices {
        let (device, bytes, truth) = if draw.below(2) == 0 { hard_disk(draw) } else { flash(draw) };
        let kind = match &device.platter {
            Some(platter) => format!("disk of {} zones", platter.zones.len()),
            None => "flash".to_owned(),
        };
        let words = format!(
            "{kind}, tail {:?}, stall {:?}, {:?}, cache hit {:?}",
            device.tail,
            device.stall,
            device.writes,
            device.cache.as_ref().map(|cache| cache.hit / device.service)
        );
        table.take(&characterize(device, bytes, nth), &truth, &words);
    }
    table.print();
    table
}

/// A device does not get a feature that it does not have, and rates, rotation and seeks do not depend on their laws.
#[test]
fn devices_of_other_laws_get_no_invented_feature() {
    let table = table(&mut Draw::new(11), 6);
    for (name, row) in &table.0 {
        assert_eq!(row.invented, 0, "{name}: {:?}", table.1);
        if ["outer rate", "inner rate", "rotation", "full seek"].contains(name) {
            assert!(row.errors.iter().all(|error| error.abs() < 0.05), "{name}: {:?}", table.1);
        }
    }
}

/// The same for forty devices of a fresh seed; prints the table of docs/characterize.md.
#[test]
#[ignore = "half a minute: forty devices"]
fn forty_devices_of_other_laws_get_no_invented_feature() {
    let table = table(&mut Draw::fresh(), 40);
    for (name, row) in &table.0 {
        assert_eq!(row.invented, 0, "{name}: {:?}", table.1);
    }
}

/// A measurement that a signal ends has the parts before it, and says so.
#[test]
fn interrupted_measurement_keeps_earlier_parts() {
    let mut device = plain(&mut Draw::new(3), 64e9);
    // 128 slices of 20 blocks and a few again, the reads of rotation and seeks, and part of the 512 reads of the regions.
    device.tail = None;
    device.stall = None;
    let before = 128 * 20 + 97 + 8 * (10 * 7 + 2 * 33);
    device.interrupts = Some((before + 300, Arc::default()));
    let found = characterize(device, None, 1);
    assert_eq!(found.ended, Some(EarlyEnd::Interrupted));
    assert!(found.surface.is_some() && found.seek.is_some() && found.regions.is_none(), "{found:?}");
    assert_eq!(found.written_bytes, 0);
}
