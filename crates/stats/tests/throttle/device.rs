//! A simulated device of parallel servers behind an optional throttle, driven by loads in virtual time.

use stats::throttle::ThrottleSample;
use stats::{Histogram, Series};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in 0..1, never 0.
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A number whose logarithm is uniform.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    pub fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.bits() as usize % items.len()]
    }

    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Distribution of a service time with mean 1.
#[derive(Clone, Copy, Debug)]
pub enum Service {
    Constant,
    Uniform(f64),
    Exponential,
    /// Standard deviation of the logarithm.
    Lognormal(f64),
    /// Exponent.
    Pareto(f64),
    /// Share of slow I/Os, and how much longer they take.
    TwoPoint(f64, f64),
    /// Sum of so many exponential times.
    Erlang(u32),
    /// Every so many I/Os, one takes longer by this factor.
    EveryNth(u64, f64),
    /// Sum of two uniform times, with this half-width.
    Triangular(f64),
    /// Share of I/Os whose exponential time has a longer mean, and how much longer.
    Hyperexponential(f64, f64),
}

impl Service {
    fn draw(self, random: &mut Random, nth: u64) -> f64 {
        match self {
            Service::Constant => 1.0,
            Service::Uniform(half) => random.between(1.0 - half, 1.0 + half),
            Service::Exponential => -random.unit().ln(),
            Service::Lognormal(sigma) => (sigma * random.normal() - sigma * sigma / 2.0).exp(),
            Service::Pareto(a) => (a - 1.0) / a * random.unit().powf(-1.0 / a),
            Service::TwoPoint(share, factor) => {
                let fast = 1.0 / (1.0 - share + share * factor);
                if random.unit() < share { fast * factor } else { fast }
            }
            Service::Erlang(n) => (0..n).map(|_| -random.unit().ln()).sum::<f64>() / f64::from(n),
            Service::Triangular(half) => {
                1.0 + half / 2.0 * (random.between(-1.0, 1.0) + random.between(-1.0, 1.0))
            }
            Service::Hyperexponential(share, factor) => {
                let fast = 1.0 / (1.0 - share + share * factor);
                let mean = if random.unit() < share { fast * factor } else { fast };
                -random.unit().ln() * mean
            }
            Service::EveryNth(n, factor) => {
                let fast = n as f64 / (n as f64 - 1.0 + factor);
                if nth.is_multiple_of(n) { fast * factor } else { fast }
            }
        }
    }
}

/// Token bucket: units per second, and units that may pass at once.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub rate: f64,
    /// Slice within which the units of a period pass at once; `None` for a smooth limit.
    pub period_s: Option<f64>,
    /// Credits of a full bucket, and the rate while some are left.
    pub credits: Option<(f64, f64)>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    limit: Limit,
    /// Time from which on the next unit passes, and units left in the present slice.
    next_s: f64,
    slice: f64,
    slice_left: f64,
    credits: f64,
    at_s: f64,
}

impl Bucket {
    fn new(limit: Limit) -> Self {
        let credits = limit.credits.map_or(0.0, |(capacity, _)| capacity);
        Bucket { limit, next_s: 0.0, slice: -1.0, slice_left: 0.0, credits, at_s: 0.0 }
    }

    fn refill(&mut self, now_s: f64) {
        let Some((capacity, _)) = self.limit.credits else { return };
        if now_s > self.at_s {
            self.credits = (self.credits + (now_s - self.at_s) * self.limit.rate).min(capacity);
            self.at_s = now_s;
        }
    }

    /// Units that a slice which begins at `at_s` permits; without credits, `left` units of the slice before remain.
    fn permitted(&mut self, at_s: f64, per_slice: f64, left: f64) -> f64 {
        self.refill(at_s);
        if self.limit.credits.is_some() { per_slice.min(self.credits) } else { per_slice + left }
    }

    /// Time at which `units` that arrive at `now_s` pass; requests pass in order.
    fn pass(&mut self, now_s: f64, units: f64) -> f64 {
        let mut at = now_s.max(self.next_s);
        let rate = self.limit.credits.map_or(self.limit.rate, |(_, burst)| burst);
        let Some(period) = self.limit.period_s else {
            self.refill(at);
            if self.limit.credits.is_some() && self.credits < units {
                at += (units - self.credits) / self.limit.rate;
                self.refill(at);
            }
            self.credits -= units;
            self.next_s = at + units / rate;
            return at;
        };
        let slice = (at / period + 1e-9).floor();
        if slice > self.slice {
            self.slice = slice;
            self.slice_left = self.permitted(at, rate * period, 0.0);
        }
        while self.slice_left < units - 1e-6 {
            // What is left of a slice counts for the request that waits.
            self.slice += 1.0;
            at = self.slice * period;
            self.slice_left = self.permitted(at, rate * period, self.slice_left);
        }
        self.slice_left -= units;
        self.credits -= units;
        self.next_s = at;
        at
    }
}

/// Device of servers.
#[derive(Clone, Debug)]
pub struct Device {
    pub servers: usize,
    /// Mean service time, seconds, and seconds per byte.
    pub service_s: f64,
    pub per_byte_s: f64,
    pub service: Service,
    /// Growth of the service time per second.
    pub drift: f64,
    /// Period and duration of pauses, seconds.
    pub stall: Option<(f64, f64)>,
    /// Share of I/Os that a cache serves, and their latency in seconds.
    pub hits: Option<(f64, f64)>,
    pub ios: Option<Limit>,
    pub bytes: Option<Limit>,
    /// Whether the limits apply to reads only.
    pub reads_only: bool,
}

impl Device {
    pub fn of(servers: usize, service_s: f64, service: Service) -> Self {
        Device {
            servers,
            service_s,
            service,
            per_byte_s: 0.0,
            drift: 0.0,
            stall: None,
            hits: None,
            ios: None,
            bytes: None,
            reads_only: false,
        }
    }
}

/// Load on a device.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub in_flight: usize,
    pub block: u64,
    pub seconds: f64,
    /// I/Os per second of a paced load.
    pub pace: Option<f64>,
    /// Share of reads in the I/Os.
    pub reads: f64,
}

/// What a load measured.
#[derive(Clone, Debug)]
pub struct Seen {
    pub series: Series,
    pub latency: [Histogram; 2],
    pub start_s: f64,
    pub load: Load,
}

impl Seen {
    pub fn sample(&self) -> ThrottleSample<'_> {
        ThrottleSample {
            series: &self.series,
            latency: [&self.latency[0], &self.latency[1]],
            in_flight: self.load.in_flight as f64,
            paced: self.load.pace.is_some(),
            busy_share: None,
            start_s: self.start_s,
        }
    }
}

/// Device with its state and the time.
#[derive(Debug)]
pub struct Bench {
    device: Device,
    buckets: [Option<Bucket>; 2],
    free_s: BinaryHeap<Reverse<u64>>,
    nth: u64,
    pub now_s: f64,
}

fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

impl Bench {
    pub fn new(device: Device) -> Self {
        let buckets = [device.ios, device.bytes].map(|limit| limit.map(Bucket::new));
        let free_s = (0..device.servers).map(|_| Reverse(0)).collect();
        Bench { device, buckets, free_s, nth: 0, now_s: 0.0 }
    }

    /// Credits that are left now.
    pub fn credits(&mut self) -> Option<f64> {
        let now_s = self.now_s;
        let bucket = self.buckets.iter_mut().flatten().find(|b| b.limit.credits.is_some())?;
        bucket.refill(now_s);
        Some(bucket.credits)
    }

    /// End of a service that begins at `start_s` and takes `takes_s` outside of stalls.
    fn awake(&self, start_s: f64, takes_s: f64) -> f64 {
        let Some((every, lasts)) = self.device.stall else { return start_s + takes_s };
        let works = every - lasts;
        let worked = (start_s / every).floor() * works + (start_s % every).min(works);
        let last = worked + takes_s;
        (last / works).floor() * every + last % works
    }

    fn serve(&mut self, random: &mut Random, now_s: f64, block: u64, read: bool) -> f64 {
        let mut at = now_s;
        if read || !self.device.reads_only {
            for (bucket, units) in self.buckets.iter_mut().zip([1.0, block as f64]) {
                if let Some(bucket) = bucket {
                    at = at.max(bucket.pass(now_s, units));
                }
            }
        }
        if let Some((share, latency)) = self.device.hits
            && random.unit() < share
        {
            return at + latency;
        }
        self.nth += 1;
        let device = &self.device;
        let takes =
            device.service_s * device.service.draw(random, self.nth) + device.per_byte_s * block as f64;
        let takes = takes * (1.0 + device.drift * at);
        let free = self.free_s.pop().map_or(0, |Reverse(free)| free) as f64 / 1e9;
        let end = self.awake(at.max(free), takes);
        self.free_s.push(Reverse(nanos(end)));
        end
    }

    /// Runs a load for its time and returns what it measured.
    pub fn run(&mut self, load: Load, random: &mut Random) -> Seen {
        let start_s = self.now_s;
        let end_s = start_s + load.seconds;
        let mut series = Series::default();
        let mut latency: [Histogram; 2] = Default::default();
        let (mut ios, mut bytes) = ([0u64; 3], [0u64; 3]);
        series.look(0, ios, bytes);
        // Completions in order: time, direction and time of issue.
        let mut in_flight: BinaryHeap<Reverse<(u64, usize, u64)>> = BinaryHeap::new();
        let issue = |bench: &mut Bench, random: &mut Random, at_s: f64, queue: &mut BinaryHeap<_>| {
            let read = load.reads >= 1.0 || random.unit() < load.reads;
            let end = bench.serve(random, at_s, load.block, read);
            queue.push(Reverse((nanos(end), usize::from(!read), nanos(at_s))));
        };
        let mut next_s = start_s;
        if load.pace.is_none() {
            (0..load.in_flight).for_each(|_| issue(self, random, start_s, &mut in_flight));
        }
        // The samples that end windows are a little late.
        let late = |series: &Series, random: &mut Random| series.due().unwrap_or(0) + random.bits() % 300_000;
        let mut look = late(&series, random);
        loop {
            if let Some(pace) = load.pace {
                while next_s < end_s
                    && in_flight.peek().is_none_or(|Reverse((done, ..))| nanos(next_s) <= *done)
                {
                    issue(self, random, next_s, &mut in_flight);
                    next_s += 1.0 / pace;
                }
            }
            let Some(Reverse((done, direction, issued))) = in_flight.pop() else { break };
            let end = done.min(nanos(end_s));
            while nanos(start_s) + look <= end {
                series.look(look, ios, bytes);
                look = late(&series, random);
            }
            if done > nanos(end_s) {
                break;
            }
            ios[direction] += 1;
            bytes[direction] += load.block;
            latency[direction].record((done - issued).max(1), 1);
            if load.pace.is_none() {
                issue(self, random, done as f64 / 1e9, &mut in_flight);
            }
        }
        // What is in flight completes before the next load.
        let last = in_flight.iter().map(|Reverse((done, ..))| *done).max().unwrap_or(0);
        self.now_s = end_s.max(last as f64 / 1e9);
        Seen { series, latency, start_s, load }
    }

    /// Leaves the device idle.
    pub fn wait(&mut self, seconds: f64) {
        self.now_s += seconds;
    }
}
