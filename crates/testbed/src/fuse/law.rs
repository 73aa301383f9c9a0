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
        }
    }

    /// The mean service time.
    pub fn mean(&self) -> Duration {
        match *self {
            Law::Constant(time) | Law::Exponential(time) => time,
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
