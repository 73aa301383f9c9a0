//! Parameters of a simulated device, and its state.

use crate::Ticks;
use std::num::NonZeroU64;

/// Distribution of a service time in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// The same time for every request.
    Constant(u64),
    /// Uniform between two times, inclusive.
    Uniform(u64, u64),
    /// Exponential with this mean.
    Exponential(u64),
    /// Mixture of constant times: share of each in parts per million, and nanoseconds.
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

/// Zones of a simulated zoned device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZoneRules {
    /// Size of a zone in bytes.
    pub size: u64,
    /// Writable bytes of a zone.
    pub capacity: u64,
    /// Largest number of partly written zones; 0 = any number.
    pub most_open: u32,
    /// Number of writes of which the last one fails after half of its bytes; 0 = none fails.
    pub errors: u32,
}

/// Parameters of a simulated device; `None` and factors of 0 switch a behaviour off.
#[derive(Clone, Debug, PartialEq)]
pub struct Laws {
    /// Number of requests served at a time.
    pub servers: u32,
    /// Distribution of the service time.
    pub law: Law,
    /// Transfer rate of a server in bytes per second; the transfer time is added to the service time.
    pub transfer: Option<NonZeroU64>,
    /// Cap on I/Os per second.
    pub iops: Option<NonZeroU64>,
    /// Cap on bytes per second.
    pub bandwidth: Option<NonZeroU64>,
    /// Token bucket: number of I/O credits, and credits that return per second. An I/O without credit waits.
    pub burst: Option<(u64, u64)>,
    /// Write cache.
    pub cache: Option<Cache>,
    /// Number of written bytes after which writes take longer, and the factor.
    pub cliff: Option<(u64, f64)>,
    /// Growth of the service time per second, as a share of the service time.
    pub drift: f64,
    /// Time of a change in nanoseconds, and the factor of the rates of services and caps from then on.
    pub step: Option<(Ticks, f64)>,
    /// Period of stalls, and the length of the stall at its end, in nanoseconds.
    pub stall: Option<(Ticks, Ticks)>,
    /// Disk with a moving head.
    pub disk: Option<Disk>,
    /// Growth of the service time per waiting request, as a share of the service time.
    pub contention: f64,
    /// Share of reads (0 to 1) that hit a cache, and the latency of these reads in nanoseconds; such reads occupy no
    /// server.
    pub hit: Option<(f64, Ticks)>,
    /// Zones of a zoned device.
    pub zones: Option<ZoneRules>,
    /// Recording zones of a disk, whose transfer rate replaces `transfer`.
    pub surface: Option<Surface>,
    /// Cache of flash that is written faster.
    pub slc: Option<Slc>,
    /// Read cache of a controller.
    pub read_cache: Option<ReadCacheRules>,
}

impl Laws {
    /// Returns the parameters of a device with servers and a service-time distribution, and no further behaviour.
    pub fn of(servers: u32, law: Law) -> Self {
        Self {
            servers,
            law,
            transfer: None,
            iops: None,
            bandwidth: None,
            burst: None,
            cache: None,
            cliff: None,
            drift: 0.0,
            step: None,
            stall: None,
            disk: None,
            contention: 0.0,
            hit: None,
            zones: None,
            surface: None,
            slc: None,
            read_cache: None,
        }
    }

    /// Returns whether the completion time of a request is known at its arrival, because requests are served in order
    /// of arrival.
    pub(super) fn decides_at_once(&self) -> bool {
        self.disk.is_none() && self.contention == 0.0
    }
}

/// A cache for writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cache {
    /// Capacity in bytes.
    pub bytes: u64,
    /// Drain rate of the cache in bytes per second.
    pub drain: u64,
    /// Latency of a write that fits into the cache, in nanoseconds.
    pub nanos: Ticks,
}

/// A disk with one head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Time of a seek over the whole disk in nanoseconds; the time of a shorter seek is proportional to the square
    /// root of its distance.
    pub seek: Ticks,
    /// Time of one rotation in nanoseconds; the rotational latency is uniform between 0 and this time.
    pub rotation: Ticks,
    /// Number of waiting requests among which the one with the shortest seek is served next.
    pub queue: u32,
    /// Size of the disk in bytes.
    pub size: u64,
}

/// Recording zones of a disk. With [`Disk`], the rotational latency follows from the angle of the platter, whose tracks
/// hold what is transferred in one rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Transfer rate of the outermost zone, which has the first bytes, in bytes per second.
    pub outer: u64,
    /// Transfer rate of the innermost zone in bytes per second.
    pub inner: u64,
    /// Number of zones, each with as many bytes.
    pub zones: u32,
    /// Time of the shortest seek to another track, in nanoseconds; longer seeks add the square root of their share of the
    /// rest.
    pub settle: Ticks,
    /// Size of the disk in bytes.
    pub size: u64,
}

/// Flash cells that are written with one bit each (SLC cache) until they are full. Writes are transferred one after the
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slc {
    /// Capacity in bytes.
    pub bytes: u64,
    /// Rate of writes into the cache in bytes per second.
    pub fast: u64,
    /// Rate of writes while the cache is full, in bytes per second.
    pub folding: u64,
    /// Rate at which the cache empties while nothing is written, in bytes per second.
    pub recovery: u64,
}

/// Read cache of a controller; the least recently used line is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadCacheRules {
    /// Capacity in bytes.
    pub bytes: u64,
    /// Latency of a read of which all lines are in the cache, in nanoseconds.
    pub nanos: Ticks,
    /// Bytes of a line.
    pub line: u64,
}

/// State of a device between runs; integers, so that storing it loses nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Time of this state in nanoseconds since the start of the device.
    pub at: Ticks,
    /// Number of used credits.
    pub spent: u64,
    /// Bytes in the write cache, or in the SLC cache.
    pub cached: u64,
    /// Bytes written since the start of the device.
    pub written: u64,
    /// Position of the head in bytes.
    pub head: u64,
}
