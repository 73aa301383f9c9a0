//! Service times and faults of the simulated disk.
use std::time::Duration;

/// Distribution of the time that a server needs for one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// The same time for every request.
    Constant(Duration),
    /// One of two times, chosen at random.
    Bimodal {
        /// Time of most requests.
        fast: Duration,
        /// Time of slow requests.
        slow: Duration,
        /// Share of slow requests, 0 to 1.
        slow_share: f64,
    },
    /// Exponentially distributed with this mean.
    Exponential(Duration),
    /// Uniformly distributed from 0 to this time, as the rotational latency of a hard disk.
    Uniform(Duration),
}

impl Law {
    /// Returns the quantile `q` (0 to 1) of the service time: the true latency when no request waits.
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

/// Kind of disk: the additional time of a request, which depends on its offset and on earlier requests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Nature {
    /// Plain device: no time in addition to the service time.
    #[default]
    Plain,
    /// Moving head: a seek over the whole disk adds this time, a shorter seek the square root of its share of it. There
    /// is one head, so `servers` should be 1.
    Seek(Duration),
    /// A token bucket: the first requests are served at the pace of the law, later ones at the rate at which the bucket
    /// fills.
    Credits {
        /// Capacity of the bucket in requests; the bucket is full at the start.
        requests: u64,
        /// Rate at which the bucket fills, requests per second.
        per_second: f64,
    },
    /// A write cache: writes are accepted at the pace of the law until it is full, then at the rate at which it drains.
    /// Reads bypass it.
    WriteCache {
        /// Capacity of the cache, bytes.
        bytes: u64,
        /// Rate at which the cache drains, bytes per second.
        per_second: f64,
    },
    /// Each piece of this many bytes is served by one server, so that requests to neighbouring offsets wait for each
    /// other.
    Objects(u64),
    /// Throttle like the kernel's: at most this many requests complete in each slice of time, the others in later
    /// slices.
    Slices {
        /// Duration of a slice.
        every: Duration,
        /// Number of requests that complete in a slice.
        requests: u64,
    },
    /// Pauses: no request completes in the last part of each period.
    Pauses {
        /// Duration of a period, including its pause.
        every: Duration,
        /// Length of the pause at the end of a period.
        pause: Duration,
    },
}

/// State of a [`Nature`] between requests.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    head: u64,
    /// Used part of the bucket or bytes in the cache, and the moment in ns to which this applies.
    level: f64,
    at: u64,
}

/// Properties of a request on which its additional time depends.
pub(super) struct Asked {
    pub now: u64,
    pub offset: u64,
    pub len: u64,
    pub write: bool,
    pub disk_bytes: u64,
}

impl Nature {
    /// Returns the additional service time of the request and the earliest moment of its completion, both in ns.
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
    /// Counts a request and returns the beginning of the slice in which it is served.
    fn slice(&mut self, now: u64, every: Duration, requests: u64) -> u64 {
        let every = (every.as_nanos() as u64).max(1);
        // Slice that is being filled, which may be in the future.
        if self.at < now / every {
            (self.at, self.level) = (now / every, 0.0);
        }
        if self.level >= requests as f64 {
            (self.at, self.level) = (self.at + 1, 0.0);
        }
        self.level += 1.0;
        if self.at > now / every { self.at * every } else { 0 }
    }

    /// Adds `amount` and returns the moment at which the level has fallen to `room`.
    fn pour(&mut self, now: u64, amount: f64, room: f64, per_second: f64) -> u64 {
        let passed = now.saturating_sub(self.at) as f64 / 1e9;
        self.level = (self.level - passed * per_second).max(0.0) + amount;
        self.at = now;
        let over = (self.level - room).max(0.0);
        if over > 0.0 { now + (over / per_second * 1e9) as u64 } else { 0 }
    }
}

/// Generator of uniform random numbers that repeats its sequence for a seed (xorshift64*).
pub(super) struct Noise(u64);

impl Noise {
    pub(super) fn new(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number from 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Selection of the reads and writes that fail, which are counted together from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Only the request with this number.
    Nth(u64),
    /// The request with this number and all later ones.
    From(u64),
    /// Every n-th request; none for 0.
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
    /// The selected requests fail with this errno.
    pub error: Option<(Rule, i32)>,
    /// The selected requests transfer only half of their bytes.
    pub short: Option<Rule>,
    /// The selected requests complete only after [`super::FuseDisk::release`].
    pub hang: Option<Rule>,
    /// Total number of bytes after which writes fail with `ENOSPC`.
    pub room_bytes: Option<u64>,
    /// The selected writes, which are counted alone from 1, succeed and leave this damage.
    pub corrupt: Option<(Rule, Corruption)>,
}

/// Damage that a write leaves although it succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corruption {
    /// The bit with this number is inverted.
    Flip(usize),
    /// Nothing is written: the earlier data stays.
    Lose,
    /// Only the first bytes are written.
    Tear(usize),
    /// The data is written this number of bytes behind its place, or before it; the place keeps the earlier data.
    Misdirect(isize),
    /// Zeros are written.
    Zero,
    /// The data is written, moved by this number of bytes towards the end.
    Shift(usize),
}

impl Corruption {
    /// Writes `payload` to `disk` at `at` with this damage.
    pub(super) fn write(self, disk: &mut [u8], at: usize, payload: &[u8]) {
        let n = payload.len();
        match self {
            Corruption::Flip(bit) => {
                disk[at..at + n].copy_from_slice(payload);
                disk[at + bit / 8 % n] ^= 1 << (bit % 8);
            }
            Corruption::Lose => {}
            Corruption::Tear(bytes) => {
                let kept = bytes.min(n);
                disk[at..at + kept].copy_from_slice(&payload[..kept]);
            }
            Corruption::Misdirect(by) => {
                let to = at.saturating_add_signed(by);
                if let Some(to) = disk.get_mut(to..to + n) {
                    to.copy_from_slice(payload);
                }
            }
            Corruption::Zero => disk[at..at + n].fill(0),
            Corruption::Shift(by) => {
                let by = by.min(n);
                disk[at + by..at + n].copy_from_slice(&payload[..n - by]);
            }
        }
    }
}

pub(super) enum Fate {
    Good,
    Short,
    Error(i32),
}

impl Faults {
    /// Returns the result of read or write number `count`; `total_bytes` is the total number of bytes written
    /// including this request.
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
