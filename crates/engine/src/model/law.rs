//! What a simulated device may be asked to do, and what it remembers.

use crate::Ticks;

/// Law of a service time, nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Always the same.
    Constant(u64),
    /// Uniform between the two, inclusive.
    Uniform(u64, u64),
    /// Exponential with this mean.
    Exponential(u64),
    /// (parts per million, nanoseconds).
    Mixture(Vec<(u32, u64)>),
}

impl Law {
    #[inline]
    pub(super) fn draw(&self, random: u64) -> u64 {
        match self {
            Law::Constant(nanos) => *nanos,
            Law::Uniform(low, high) => {
                low + ((u128::from(random) * (u128::from(high - low) + 1)) >> 64) as u64
            }
            Law::Exponential(mean) => {
                let unit = ((random >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
                (-unit.ln() * *mean as f64) as u64
            }
            Law::Mixture(parts) => {
                let mut at = ((u128::from(random) * 1_000_000) >> 64) as u32;
                for (share, nanos) in parts {
                    if at < *share {
                        return *nanos;
                    }
                    at -= share;
                }
                parts.last().map_or(0, |(_, nanos)| *nanos)
            }
        }
    }
}

/// All laws of a device; nothing and `None` stand for laws it has not.
#[derive(Clone, Debug, PartialEq)]
pub struct Laws {
    /// Requests served at a time.
    pub servers: u32,
    /// How long one takes.
    pub law: Law,
    /// And besides: bytes per second that a server moves.
    pub transfer: u64,
    /// I/Os per second that are let in.
    pub iops: u64,
    /// Bytes per second that are let in.
    pub bandwidth: u64,
    /// Credits for so many I/Os, and so many of them come back per second; without credit none is let in.
    pub burst: Option<(u64, u64)>,
    /// A cache takes writes.
    pub cache: Option<Cache>,
    /// After so many bytes written, the service of writes takes so many times as long.
    pub cliff: Option<(u64, f64)>,
    /// Growth of the service time per second, as a share of it.
    pub drift: f64,
    /// Time of a change, and the share of their rate that services and caps have from then on.
    pub step: Option<(Ticks, f64)>,
    /// At the end of each period of so many nanoseconds nothing is served for so many.
    pub stall: Option<(Ticks, Ticks)>,
    /// A head moves to what it serves.
    pub disk: Option<Disk>,
    /// Growth of the service time per request that waits, as a share of it.
    pub contention: f64,
    /// That share of reads is answered in so many nanoseconds, by no server.
    pub hit: Option<(f64, Ticks)>,
}

impl Laws {
    /// Servers with a law and nothing else.
    pub fn of(servers: u32, law: Law) -> Self {
        Self {
            servers,
            law,
            transfer: 0,
            iops: 0,
            bandwidth: 0,
            burst: None,
            cache: None,
            cliff: None,
            drift: 0.0,
            step: None,
            stall: None,
            disk: None,
            contention: 0.0,
            hit: None,
        }
    }

    /// Whether it is known at once when a request will be answered, from its arrival alone: first come, first served,
    /// whatever comes later.
    pub(super) fn decides_at_once(&self) -> bool {
        self.disk.is_none() && self.contention == 0.0
    }
}

/// A cache for writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cache {
    /// Bytes it holds.
    pub bytes: u64,
    /// Bytes per second that leave it.
    pub drain: u64,
    /// How long it takes a write for which it has room.
    pub nanos: Ticks,
}

/// A disk with one head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Seek over the whole of it; over less its square root's share.
    pub seek: Ticks,
    /// A turn of the platter: what is sought comes by at any moment of it.
    pub rotation: Ticks,
    /// So many of the requests that wait may be taken out of their order, the cheapest next.
    pub queue: u32,
    /// Its size, bytes.
    pub size: u64,
}

/// What a device remembers from one run to the next beside the time; whole numbers, so that they are the same wherever
/// they were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// When this was so, nanoseconds since the device began.
    pub at: Ticks,
    /// Credits used.
    pub spent: u64,
    /// Bytes in the write cache.
    pub cached: u64,
    /// Bytes written since it began.
    pub written: u64,
    /// Where the head is.
    pub head: u64,
}
