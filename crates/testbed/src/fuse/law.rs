//! Service times and faults of the disk.
use std::time::Duration;

/// How long a server works on one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Always the same.
    Constant(Duration),
    /// One of two; the share of slow ones lies in 0..=1.
    Bimodal {
        /// The usual time.
        fast: Duration,
        /// The rare time.
        slow: Duration,
        /// Share of slow requests.
        slow_share: f64,
    },
    /// Memoryless with this mean.
    Exponential(Duration),
    /// Anything up to this: the wait for a turning platter.
    Uniform(Duration),
}

impl Law {
    /// The time below which a share `q` (0..1) of services ends: the truth for latency when nothing queues.
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

    /// The mean service time.
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

/// What kind of disk it is: what a request costs beside its law, by where it goes and what went before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Nature {
    /// Nothing beside the law.
    #[default]
    Plain,
    /// A moving head: a seek over the whole disk adds this time to a request, a shorter one the square root of its share.
    /// There is one head, so `servers` should be 1.
    Seek(Duration),
    /// A bucket of credits: so many reads and writes at the law's pace, then `per_second`, which is also how fast it fills.
    Credits {
        /// What the bucket holds at first and at most.
        requests: u64,
        /// The pace without credit.
        per_second: f64,
    },
    /// A write cache: so many bytes are taken at the law's pace, then as fast as it drains. Reads do not see it.
    WriteCache {
        /// What it holds.
        bytes: u64,
        /// How fast it empties.
        per_second: f64,
    },
    /// Each piece of this many bytes lies on one server: neighbours wait for each other, and what is scattered does not.
    Objects(u64),
    /// Lets so many requests through in each slice of time, and what comes beyond them in the next: the kernel's throttle.
    Slices {
        /// The length of a slice.
        every: Duration,
        /// What a slice lets through.
        requests: u64,
    },
    /// Ends no request in the last part of each period.
    Pauses {
        /// The period.
        every: Duration,
        /// Its last part.
        pause: Duration,
    },
}

/// What a [`Nature`] remembers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    head: u64,
    /// What the bucket has lost or the cache holds, and when that was so (ns).
    level: f64,
    at: u64,
}

/// A request as a nature sees it.
pub(super) struct Asked {
    pub now: u64,
    pub offset: u64,
    pub len: u64,
    pub write: bool,
    pub disk_bytes: u64,
}

impl Nature {
    /// The time by which the request's service is longer, and the moment before which it does not end (ns).
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
    /// Counts a request, and gives the beginning of the slice that lets it through.
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

    /// Adds `amount`, and gives the moment at which the level is down to `room`.
    fn pour(&mut self, now: u64, amount: f64, room: f64, per_second: f64) -> u64 {
        let passed = now.saturating_sub(self.at) as f64 / 1e9;
        self.level = (self.level - passed * per_second).max(0.0) + amount;
        self.at = now;
        let over = (self.level - room).max(0.0);
        if over > 0.0 { now + (over / per_second * 1e9) as u64 } else { 0 }
    }
}

/// Uniform numbers, repeatable by seed (xorshift64*).
pub(super) struct Noise(u64);

impl Noise {
    pub(super) fn new(seed: u64) -> Noise {
        Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// In 0..1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Which reads and writes a fault strikes, counted together from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Only this one.
    Nth(u64),
    /// This one and all later ones.
    From(u64),
    /// Every n-th.
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

/// What goes wrong; by default nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Answer with this errno.
    pub error: Option<(Rule, i32)>,
    /// Transfer only half of a read or write.
    pub short: Option<Rule>,
    /// Never answer, until [`super::FuseDisk::release`].
    pub hang: Option<Rule>,
    /// `ENOSPC` for writes beyond this many bytes in all.
    pub room_bytes: Option<u64>,
}

pub(super) enum Fate {
    Good,
    Short,
    Error(i32),
}

impl Faults {
    /// The fate of read or write number `count`; `total_bytes` are written if this one is a good write.
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
