//! A second simulation of the devices on which `fathom pts` is tested: an event loop of its own, written from the
//! documentation of the `model_*` options. It shares no code with `engine::model`, nor with the tests of `stats::pts`.
//!
//! A drawn service time is replaced by its mean: with n I/Os in flight and k servers, k >= n or not, the rate is
//! min(n, k) / mean for every distribution, so the figures are expectations without noise.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Random numbers (SplitMix64).
#[derive(Clone)]
pub struct Draws(pub u64);

impl Draws {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Log-uniform.
    pub fn size(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low.ln(), high.ln())).exp()
    }

    pub fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.next() % of.len() as u64) as usize]
    }
}

/// Service time: shares and microseconds; a uniform distribution has its ends.
#[derive(Clone, Debug)]
pub enum Service {
    Constant(f64),
    Uniform(f64, f64),
    Exponential(f64),
    Mixture(Vec<(f64, f64)>),
}

impl Service {
    pub fn mean(&self) -> f64 {
        match self {
            Service::Constant(t) | Service::Exponential(t) => *t,
            Service::Uniform(a, b) => (a + b) / 2.0,
            Service::Mixture(parts) => parts.iter().map(|(p, t)| p / 100.0 * t).sum(),
        }
    }

    /// Returns the quantile of a share; `None` where the distribution has a jump near it.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        match self {
            Service::Constant(t) => Some(*t),
            Service::Exponential(t) => Some(-t * (1.0 - share).ln()),
            Service::Uniform(a, b) => Some(a + (b - a) * share),
            Service::Mixture(parts) => {
                let mut sum = 0.0;
                for (percent, t) in parts {
                    let from = sum;
                    sum += percent / 100.0;
                    if share < sum {
                        return (share > from + 0.03 && share < sum - 0.03).then_some(*t);
                    }
                }
                None
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Service::Constant(t) => format!("constant:{t}us"),
            Service::Exponential(t) => format!("exponential:{t}us"),
            Service::Uniform(a, b) => format!("uniform:{a}us-{b}us"),
            Service::Mixture(parts) => {
                let parts: Vec<String> = parts.iter().map(|(p, t)| format!("{p}/{t}us")).collect();
                format!("mixture:{}", parts.join(":"))
            }
        }
    }
}

/// Flash: spare space, pages of a block, bytes of a page, microseconds to program, read and erase.
#[derive(Clone, Copy, Debug)]
pub struct Flash {
    pub spare: f64,
    pub block: usize,
    pub page: u64,
    pub program: u64,
    pub read: u64,
    pub erase: u64,
}

/// A device as drawn. Times in microseconds, rates per second.
#[derive(Clone, Debug)]
pub struct Device {
    pub service: Service,
    pub servers: usize,
    pub size: u64,
    pub transfer: Option<u64>,
    pub cap: Option<u64>,
    /// Bytes and factor.
    pub cliff: Option<(u64, f64)>,
    /// Percent per second.
    pub drift: f64,
    /// Time and share.
    pub step: Option<(u64, f64)>,
    /// Period and length.
    pub stall: Option<(u64, u64)>,
    /// Bytes, drain rate, time of a write.
    pub cache: Option<(u64, u64, u64)>,
    /// Bytes, fast rate, folding rate, recovery rate.
    pub slc: Option<(u64, u64, u64, u64)>,
    pub flash: Option<Flash>,
}

impl Device {
    pub fn of(service: Service, servers: usize, size: u64) -> Device {
        let (transfer, cap, cliff, drift) = (None, None, None, 0.0);
        let (step, stall, cache, slc, flash) = (None, None, None, None, None);
        Device { service, servers, size, transfer, cap, cliff, drift, step, stall, cache, slc, flash }
    }

    /// Returns the name for the code under test.
    pub fn name(&self) -> String {
        let mut text =
            format!("model:servers={};law={};size={}", self.servers, self.service.text(), self.size);
        let mut add = |part: Option<String>| text.extend(part.map(|part| format!(";{part}")));
        add(self.transfer.map(|n| format!("transfer={n}")));
        add(self.cap.map(|n| format!("iops={n}")));
        add(self.cliff.map(|(bytes, factor)| format!("cliff={bytes}:{factor}")));
        add((self.drift > 0.0).then(|| format!("drift={}", self.drift)));
        add(self.step.map(|(at, share)| format!("step={at}us:{share}")));
        add(self.stall.map(|(every, lasts)| format!("stall={every}us:{lasts}us")));
        add(self.cache.map(|(bytes, drain, time)| format!("cache={bytes}:{drain}:{time}us")));
        add(self.slc.map(|(bytes, fast, slow, back)| format!("slc={bytes}:{fast}:{slow}:{back}")));
        add(self.flash.map(|f| {
            let times = format!("{}us:{}us:{}us", f.program, f.read, f.erase);
            format!("ftl={}:{}:{};ftl_times={times}", f.spare, f.block, f.page)
        }));
        text
    }
}

/// Bytes of an I/O.
#[derive(Clone, Copy, PartialEq)]
pub enum Bytes {
    Fixed(u64),
    /// Sizes of the composite workload.
    Composite,
}

/// A closed loop.
#[derive(Clone, Copy, PartialEq)]
pub struct Loop {
    pub random: bool,
    pub reads: u32,
    pub bytes: Bytes,
    pub in_flight: usize,
}

pub enum Length {
    Seconds(f64),
    Bytes(u64),
}

/// Figures of a closed loop.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub iops: f64,
    pub bandwidth: f64,
    pub mean_s: f64,
    pub written: u64,
}

const COMPOSITE: [(u64, f64); 12] = [
    (512, 4.0),
    (1024, 1.0),
    (1536, 1.0),
    (2048, 1.0),
    (2560, 1.0),
    (3072, 1.0),
    (3584, 1.0),
    (4096, 67.0),
    (8192, 10.0),
    (16384, 7.0),
    (32768, 3.0),
    (65536, 3.0),
];

/// The state of the device; times in nanoseconds.
#[derive(Clone)]
pub struct Simulated {
    device: Device,
    pub now: f64,
    random: Draws,
    written: u64,
    admits: f64,
    level: f64,
    level_at: f64,
    transfer_end: f64,
    map: Option<Pages>,
    /// Next offset of each sequential load.
    places: Vec<(Loop, u64)>,
    /// I/Os so far, of which each mix takes its share of reads.
    count: u64,
}

impl Simulated {
    pub fn new(device: &Device, seed: u64) -> Simulated {
        let mut new = Simulated {
            device: device.clone(),
            now: 0.0,
            random: Draws(seed),
            written: 0,
            admits: 0.0,
            level: 0.0,
            level_at: 0.0,
            transfer_end: 0.0,
            map: None,
            places: Vec::new(),
            count: 0,
        };
        new.purge();
        new
    }

    /// Forgets everything but the time.
    pub fn purge(&mut self) {
        (self.written, self.level, self.level_at) = (0, 0.0, self.now);
        self.places.clear();
        self.map = self.device.flash.map(|flash| Pages::new(flash, self.device.size));
    }

    pub fn rest(&mut self, seconds: f64) {
        self.now += seconds * 1e9;
    }

    /// Keeps `in_flight` I/Os in flight until the length is over, and waits for the last ones.
    pub fn run(&mut self, load: Loop, range: u64, length: Length) -> Figures {
        let start = self.now;
        let (end, mut left) = match length {
            Length::Seconds(s) => (start + s * 1e9, u64::MAX),
            Length::Bytes(bytes) => (f64::INFINITY, bytes),
        };
        let mut servers: BinaryHeap<Reverse<u64>> = (0..self.device.servers).map(|_| Reverse(0)).collect();
        let mut flying: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
        let (mut ios, mut bytes, mut written, mut waited) = (0u64, 0u64, 0u64, 0.0);
        let mut issue = |this: &mut Simulated, servers: &mut BinaryHeap<Reverse<u64>>, at: f64| {
            let (reads, size, place) = this.next_io(load, range);
            left = left.saturating_sub(size);
            let done = this.complete(at, (reads, size, place), servers);
            (ios, bytes) = (ios + 1, bytes + size);
            written += if reads { 0 } else { size };
            (Reverse((done.round() as u64, at as u64)), left)
        };
        let mut more = true;
        for _ in 0..load.in_flight {
            if more {
                let (io, left) = issue(self, &mut servers, start);
                flying.push(io);
                more = left > 0;
            }
        }
        while let Some(Reverse((done, began))) = flying.pop() {
            let done = done as f64;
            waited += done - began as f64;
            self.now = done;
            if more && done < end {
                let (io, left) = issue(self, &mut servers, done);
                flying.push(io);
                more = left > 0;
            }
        }
        let seconds = (self.now - start) / 1e9;
        Figures {
            iops: ios as f64 / seconds,
            bandwidth: bytes as f64 / seconds,
            mean_s: waited / ios as f64 / 1e9,
            written,
        }
    }

    fn next_io(&mut self, load: Loop, range: u64) -> (bool, u64, u64) {
        let reads = match load.reads {
            0 => false,
            100 => true,
            share => {
                // Without noise, in an order without a pattern.
                self.count += 1;
                self.count * 37 % 100 < u64::from(share)
            }
        };
        let size = match load.bytes {
            Bytes::Fixed(bytes) => bytes,
            Bytes::Composite => {
                let mut at = self.random.unit() * 100.0;
                let found = COMPOSITE.iter().find(|(_, share)| {
                    at -= share;
                    at < 0.0
                });
                found.map_or(4096, |(bytes, _)| *bytes)
            }
        };
        if self.map.is_none() {
            return (reads, size, 0);
        }
        if !load.random {
            let known = self.places.iter().position(|(other, _)| *other == load).unwrap_or_else(|| {
                self.places.push((load, 0));
                self.places.len() - 1
            });
            let place = self.places[known].1;
            self.places[known].1 = if place + 2 * size > range { 0 } else { place + size };
            return (reads, size, place);
        }
        let mut share = self.random.unit();
        if load.bytes == Bytes::Composite {
            let zone = self.random.unit();
            share = match zone {
                z if z < 0.5 => 0.05 * share,
                z if z < 0.8 => 0.05 + 0.15 * share,
                _ => 0.20 + 0.80 * share,
            };
        }
        // I/Os of several sizes begin at multiples of the smallest one.
        let unit = if load.bytes == Bytes::Composite { 512 } else { size };
        let place = (share * (range / unit) as f64) as u64 * unit;
        (reads, size, place.min(range - size))
    }

    /// Returns the completion of an I/O that arrives at `at`.
    fn complete(
        &mut self,
        at: f64,
        (reads, size, place): (bool, u64, u64),
        servers: &mut BinaryHeap<Reverse<u64>>,
    ) -> f64 {
        let mut ready = at;
        if let Some(cap) = self.device.cap {
            ready = ready.max(self.admits);
            self.admits = ready + 1e9 / cap as f64;
        }
        let mut factor = 1.0;
        if !reads {
            self.written += size;
            if let Some((_, times)) = self.device.cliff.filter(|(most, _)| self.written > *most) {
                factor = times;
            }
            if let Some((most, drain, micros)) = self.device.cache {
                let per_ns = drain as f64 / 1e9 / factor;
                ready = ready.max(self.level_at);
                let level = (self.level - (ready - self.level_at) * per_ns).max(0.0) + size as f64;
                let over = (level - most as f64).max(0.0);
                (self.level, self.level_at) = (level - over, ready + over / per_ns);
                return self.served(self.level_at, micros as f64 * 1e3);
            }
            if let Some((most, fast, folding, recovery)) = self.device.slc {
                let begins = ready.max(self.transfer_end);
                self.level = (self.level - (begins - self.transfer_end) * recovery as f64 / 1e9).max(0.0);
                let fits = (most as f64 - self.level).clamp(0.0, size as f64);
                self.level += fits;
                let nanos = fits * 1e9 / fast as f64 + (size as f64 - fits) * 1e9 / folding as f64;
                self.transfer_end = begins + nanos;
                ready = self.transfer_end;
            }
        }
        let mut nanos = self.device.service.mean() * 1e3;
        if let Some(map) = &mut self.map {
            let pages = place / map.rules.page..(place + size).div_ceil(map.rules.page);
            nanos += 1e3 * if reads { map.read(pages) } else { map.write(pages, place, size) } as f64;
        }
        nanos += self.device.transfer.map_or(0.0, |rate| size as f64 * 1e9 / rate as f64);
        let free = servers.pop().map_or(0, |Reverse(free)| free);
        let start = ready.max(free as f64);
        nanos *= factor * (1.0 + self.device.drift / 100.0 * start / 1e9);
        if let Some((from, share)) = self.device.step
            && start >= from as f64 * 1e3
        {
            nanos /= share;
        }
        let done = self.served(start, nanos);
        servers.push(Reverse(done.round() as u64));
        done
    }

    /// Returns the end of work that pauses during stalls.
    fn served(&self, start: f64, nanos: f64) -> f64 {
        let Some((every, lasts)) = self.device.stall else { return start + nanos };
        let (every, lasts) = (every as f64 * 1e3, lasts as f64 * 1e3);
        let (mut at, mut left) = (start, nanos);
        loop {
            let period = (at / every).floor() * every;
            let stops = period + every - lasts;
            if at < stops {
                if left <= stops - at {
                    return at + left;
                }
                left -= stops - at;
            }
            at = period + every;
        }
    }
}

const NOWHERE: usize = usize::MAX;

/// Page map with greedy collection: the block with the fewest valid pages is found by looking at all.
#[derive(Clone)]
struct Pages {
    rules: Flash,
    /// Block of each logical page.
    block_of: Vec<usize>,
    /// Logical pages that were written to each block, in order; some of them are elsewhere now.
    blocks: Vec<Vec<usize>>,
    valid: Vec<usize>,
    erased: Vec<usize>,
    host: usize,
    moved: usize,
}

impl Pages {
    fn new(rules: Flash, bytes: u64) -> Pages {
        let logical = bytes.div_ceil(rules.page) as usize;
        let wanted = (logical as f64 * (1.0 + rules.spare) / rules.block as f64).round() as usize;
        let count = wanted.max(logical.div_ceil(rules.block) + 4);
        Pages {
            rules,
            block_of: vec![NOWHERE; logical],
            blocks: vec![Vec::new(); count],
            valid: vec![0; count],
            erased: (0..count).collect(),
            host: NOWHERE,
            moved: NOWHERE,
        }
    }

    fn read(&self, pages: std::ops::Range<u64>) -> u64 {
        let written = pages.filter(|page| self.block_of.get(*page as usize).is_some_and(|b| *b != NOWHERE));
        written.count() as u64 * self.rules.read
    }

    fn write(&mut self, pages: std::ops::Range<u64>, place: u64, size: u64) -> u64 {
        let mut micros = 0;
        for page in pages {
            let from = page * self.rules.page;
            let whole = from >= place && from + self.rules.page <= place + size;
            if !whole && self.block_of[page as usize] != NOWHERE {
                micros += self.rules.read;
            }
            micros += self.write_page(page as usize);
        }
        micros
    }

    fn is_full(&self, block: usize) -> bool {
        block == NOWHERE || self.blocks[block].len() == self.rules.block
    }

    fn write_page(&mut self, page: usize) -> u64 {
        let mut micros = self.rules.program;
        if self.is_full(self.host) {
            while self.erased.len() < 2 {
                micros += self.collect();
            }
            self.host = self.erased.pop().unwrap();
        }
        if self.block_of[page] != NOWHERE {
            self.valid[self.block_of[page]] -= 1;
        }
        self.put(self.host, page);
        micros
    }

    fn put(&mut self, block: usize, page: usize) {
        self.blocks[block].push(page);
        self.valid[block] += 1;
        self.block_of[page] = block;
    }

    fn collect(&mut self) -> u64 {
        let full = (0..self.blocks.len()).filter(|block| self.blocks[*block].len() == self.rules.block);
        let victim = full.min_by_key(|block| self.valid[*block]).unwrap();
        let mut micros = self.rules.erase;
        for open in [&mut self.host, &mut self.moved] {
            if *open == victim {
                *open = NOWHERE;
            }
        }
        let mut pages = std::mem::take(&mut self.blocks[victim]);
        // A page that was written to the block twice is moved once.
        pages.sort_unstable();
        pages.dedup();
        for page in pages {
            if self.block_of[page] == victim {
                if self.is_full(self.moved) {
                    self.moved = self.erased.pop().unwrap();
                }
                self.put(self.moved, page);
                micros += self.rules.read + self.rules.program;
            }
        }
        self.valid[victim] = 0;
        self.erased.push(victim);
        micros
    }
}
