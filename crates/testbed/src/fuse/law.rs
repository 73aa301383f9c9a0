//! Service times and faults of the simulated disk.
use std::time::Duration;

/// Distribution of the service time of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// The same time for every request.
    Constant(Duration),
    /// One of two times at random.
    Bimodal {
        /// Service time of the usual requests.
        fast: Duration,
        /// Service time of the slow requests.
        slow: Duration,
        /// Share of slow requests, 0 to 1.
        slow_share: f64,
    },
    /// Exponential distribution with this mean.
    Exponential(Duration),
    /// Uniform distribution from 0 to this time, like the rotational delay of a platter.
    Uniform(Duration),
}

impl Law {
    /// Returns the quantile `q` (0 to 1) of the service time: the true latency without queueing.
    pub fn quantile(&self, q: f64) -> Duration {
        match *self {
            Law::Constant(time) => time,
            Law::Bimodal { fast, slow, slow_share } => {
                if q <= 1.0 - slow_share {
                    fast
                } else {
                    slow
                }
            }
            Law::Exponential(mean) => mean.mul_f64(-(1.0 - q).ln()),
            Law::Uniform(most) => most.mul_f64(q),
        }
    }

    /// Returns the mean service time.
    pub fn mean(&self) -> Duration {
        match *self {
            Law::Constant(time) | Law::Exponential(time) => time,
            Law::Uniform(most) => most / 2,
            Law::Bimodal { fast, slow, slow_share } => {
                fast.mul_f64(1.0 - slow_share) + slow.mul_f64(slow_share)
            }
        }
    }

    pub(super) fn draw(&self, noise: &mut Noise) -> Duration {
        match *self {
            Law::Constant(time) => time,
            _ => self.quantile(noise.unit()),
        }
    }
}

/// Additional costs of a request that depend on its offset and on earlier requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Nature {
    /// No additional costs.
    #[default]
    Plain,
    /// Moving head: a seek over the whole disk adds this time, a shorter seek the square root of its share of it. There
    /// is one head, so `servers` should be 1.
    Seek(Duration),
    /// Credits: this many reads and writes are served by the law alone, further ones at `per_second`, the rate at which
    /// credits are restored.
    Credits {
        /// Largest number of credits, also the initial one.
        requests: u64,
        /// Requests per second without credits.
        per_second: f64,
    },
    /// Write cache: this many bytes are accepted by the law alone, further ones at the rate at which the cache is
    /// emptied. Reads are not affected.
    WriteCache {
        /// Size of the cache, bytes.
        bytes: u64,
        /// Rate at which the cache is emptied, bytes per second.
        per_second: f64,
    },
    /// Stripes: each piece of this many bytes is on one server, so requests in the same piece wait for each other and
    /// scattered requests do not.
    Objects(u64),
    /// Throttle like the kernel's: completes up to this many requests in each slice of time, further ones in the next
    /// slice.
    Slices {
        /// Duration of a slice.
        every: Duration,
        /// Requests per slice.
        requests: u64,
    },
    /// Pauses: no request completes in the last part of each period.
    Pauses {
        /// Duration of a period.
        every: Duration,
        /// Duration of the pause at the end of a period.
        pause: Duration,
    },
}

/// State of a [`Nature`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    head: u64,
    /// Credits used, or bytes in the cache, at the time `at` in nanoseconds.
    level: f64,
    at: u64,
}

/// Request, as far as its additional costs depend on it; `now` is in nanoseconds.
pub(super) struct Asked {
    pub now: u64,
    pub offset: u64,
    pub len: u64,
    pub write: bool,
    pub disk_bytes: u64,
}

impl Nature {
    /// Returns the additional service time of the request, and the earliest time of its completion, both in
    /// nanoseconds.
    pub(super) fn cost(&self, memory: &mut Memory, asked: &Asked) -> (u64, u64) {
        match *self {
            Nature::Plain | Nature::Objects(_) => (0, 0),
            Nature::Seek(full) => {
                let stroke = asked.offset.abs_diff(memory.head) as f64 / asked.disk_bytes.max(1) as f64;
                memory.head = asked.offset + asked.len;
                ((full.as_nanos() as f64 * stroke.sqrt()) as u64, 0)
            }
            Nature::Credits { requests, per_second } => {
                (0, memory.pour(asked.now, 1.0, requests as f64, per_second))
            }
            Nature::WriteCache { bytes, per_second } if asked.write => {
                (0, memory.pour(asked.now, asked.len as f64, bytes as f64, per_second))
            }
            Nature::WriteCache { .. } => (0, 0),
            Nature::Slices { every, requests } => (0, memory.slice(asked.now, every, requests)),
            Nature::Pauses { every, pause } => {
                let (every, pause) = (every.as_nanos() as u64, pause.as_nanos() as u64);
                let at = asked.now % every.max(1);
                (0, if at + pause >= every { asked.now - at + every } else { 0 })
            }
        }
    }
}

impl Memory {
    /// Counts a request. Returns the start of the slice in which it completes, nanoseconds; 0 for the present slice.
    fn slice(&mut self, now: u64, every: Duration, requests: u64) -> u64 {
        let every = (every.as_nanos() as u64).max(1);
        // The slice that is being filled, which may lie ahead of now.
        if self.at < now / every {
            (self.at, self.level) = (now / every, 0.0);
        }
        if self.level >= requests as f64 {
            (self.at, self.level) = (self.at + 1, 0.0);
        }
        self.level += 1.0;
        if self.at > now / every { self.at * every } else { 0 }
    }

    /// Adds `amount`. Returns the time at which the level is down to `room`, nanoseconds; 0 if it is already.
    fn pour(&mut self, now: u64, amount: f64, room: f64, per_second: f64) -> u64 {
        let passed = now.saturating_sub(self.at) as f64 / 1e9;
        self.level = (self.level - passed * per_second).max(0.0) + amount;
        self.at = now;
        let over = (self.level - room).max(0.0);
        if over > 0.0 { now + (over / per_second * 1e9) as u64 } else { 0 }
    }
}

/// Uniform random numbers from a seed (xorshift64*).
pub(super) struct Noise(u64);

impl Noise {
    pub(super) fn new(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next number, from 0 up to 1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Rule that selects reads and writes for a fault; both are counted together from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Only the request with this number.
    Nth(u64),
    /// The request with this number and all later ones.
    From(u64),
    /// Every n-th request.
    OneIn(u64),
}

impl Rule {
    pub(super) fn hits(self, count: u64) -> bool {
        match self {
            Rule::Nth(n) => count == n,
            Rule::From(n) => count >= n,
            Rule::OneIn(n) => n > 0 && count.is_multiple_of(n),
        }
    }
}

/// Faults of the disk; none by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Requests that fail, and their errno.
    pub error: Option<(Rule, i32)>,
    /// Reads and writes that transfer only half of their bytes.
    pub short: Option<Rule>,
    /// Requests that are not answered until [`super::FuseDisk::release`].
    pub hang: Option<Rule>,
    /// Total number of bytes after which writes fail with `ENOSPC`.
    pub room_bytes: Option<u64>,
}

pub(super) enum Fate {
    Good,
    Short,
    Error(i32),
}

impl Faults {
    /// Returns the fate of the read or write with number `count`; `total_bytes` is the total written if this is a
    /// successful write.
    pub(super) fn fate(&self, count: u64, write: bool, total_bytes: u64) -> Fate {
        if let Some((rule, errno)) = self.error
            && rule.hits(count)
        {
            return Fate::Error(errno);
        }
        if write && self.room_bytes.is_some_and(|room| total_bytes > room) {
            return Fate::Error(libc::ENOSPC);
        }
        if self.short.is_some_and(|rule| rule.hits(count)) {
            return Fate::Short;
        }
        Fate::Good
    }
}
