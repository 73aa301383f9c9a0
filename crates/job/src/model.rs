//! A simulated device: what its options say.

use crate::bad_value::{BadValue, ModelFault};
use crate::unit;
use serde::{Deserialize, Serialize};
use stats::unit::{MICROSECOND, SECOND};

/// A simulated device: `servers` requests are served at a time, each for a time drawn from `law`; beside that, the laws
/// that it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelSpec {
    /// Requests served in parallel.
    pub servers: u32,
    /// Time of one service.
    pub law: ServiceLaw,
    /// Bytes per second that one server moves; 0 = any number in no time.
    pub transfer: u64,
    /// I/Os per second at most; 0 = any number.
    pub iops: u64,
    /// Bytes per second at most; 0 = any number.
    pub bandwidth: u64,
    /// Credits.
    pub burst: Option<Burst>,
    /// A cache for writes.
    pub cache: Option<WriteCache>,
    /// Bytes written after which writes become slower, and the factor by which their service time grows.
    pub cliff: Option<(u64, f64)>,
    /// Percent by which the service time grows per second.
    pub drift: f64,
    /// From that moment on, nanoseconds, services and caps do this share of their rate. Boxed: few devices have one.
    pub step: Option<Box<(u64, f64)>>,
    /// In each period of so many nanoseconds nothing is served for so many.
    pub stall: Option<(u64, u64)>,
    /// A head that moves.
    pub disk: Option<DiskSpec>,
    /// CPU time of the generator per I/O, nanoseconds.
    pub cpu: u64,
    /// CPUs of the generator; 0 = one for each job.
    pub cores: u32,
    /// Percent by which the service time grows per request that waits.
    pub contention: f64,
    /// Percent of the reads that a cache answers, and in how many nanoseconds.
    pub hit: Option<(f64, u64)>,
}

impl Default for ModelSpec {
    fn default() -> Self {
        Self {
            servers: 1,
            law: ServiceLaw::Constant(100 * MICROSECOND),
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
            cpu: 0,
            cores: 0,
            contention: 0.0,
            hit: None,
        }
    }
}

/// Law of a service time; nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ServiceLaw {
    /// Always the same.
    Constant(u64),
    /// Uniform between the two, inclusive.
    Uniform(u64, u64),
    /// Exponential with this mean.
    Exponential(u64),
    /// `(share of requests in parts per million, nanoseconds)`, shares adding up to a million.
    Mixture(Vec<(u32, u64)>),
}

/// A bucket of credits, one for each I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Burst {
    /// What it holds.
    pub ios: u64,
    /// So many come back per second.
    pub base: u64,
}

/// A cache for writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteCache {
    /// What it holds.
    pub bytes: u64,
    /// Bytes per second that leave it.
    pub drain: u64,
    /// How long it takes a write.
    pub nanos: u64,
}

/// A disk with one head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskSpec {
    /// Seek over the whole of it, nanoseconds.
    pub seek: u64,
    /// A turn of the platter, nanoseconds.
    pub rotation: u64,
    /// Requests that it may reorder.
    pub queue: u32,
    /// Its size in bytes; 0 = that of the files of its jobs.
    pub size: u64,
}

/// Requests that a disk reorders unless it is told how many.
const NCQ: u32 = 32;
/// Time in which a write cache takes a write unless it is told.
const CACHED: u64 = 50 * MICROSECOND;

/// Reads `model_law`.
///
/// # Errors
/// The text is of another form.
pub fn service_law(text: &str) -> Result<ServiceLaw, BadValue> {
    let wrong = || BadValue::Model(ModelFault::Law);
    let time = |text: &str| time(text, SECOND).ok_or_else(wrong);
    let (law, of) = text.split_once(':').ok_or_else(wrong)?;
    match law {
        "constant" => Ok(ServiceLaw::Constant(time(of)?)),
        "exponential" => Ok(ServiceLaw::Exponential(time(of)?)),
        "uniform" => {
            let (a, b) = of.split_once('-').ok_or_else(wrong)?;
            let (a, b) = (time(a)?, time(b)?);
            Ok(ServiceLaw::Uniform(a.min(b), a.max(b)))
        }
        "mixture" => {
            let mut parts = Vec::new();
            for part in of.split(':') {
                let (percent, t) = part.split_once('/').ok_or_else(wrong)?;
                let percent: f64 = percent.parse().map_err(|_| wrong())?;
                if !(0.0..=100.0).contains(&percent) {
                    return Err(wrong());
                }
                parts.push(((percent * 10_000.0).round() as u32, time(t)?));
            }
            match parts.iter().map(|(share, _)| u64::from(*share)).sum::<u64>() {
                1_000_000 => Ok(ServiceLaw::Mixture(parts)),
                sum => Err(BadValue::Model(ModelFault::MixturePercents { sum: sum as f64 / 10_000.0 })),
            }
        }
        _ => Err(wrong()),
    }
}

fn time(text: &str, unit: u64) -> Option<u64> {
    unit::time(text, unit).ok().filter(|n| n.rest.is_empty()).and_then(|n| u64::try_from(n.value).ok())
}

/// A number from `least` on, with a size suffix if it has one.
fn number(text: &str, base: u32, least: u64) -> Option<u64> {
    let n = unit::integer(text, base).ok().filter(|n| n.rest.is_empty())?;
    u64::try_from(n.value).ok().filter(|n| *n >= least)
}

fn fraction(text: &str, most: f64) -> Option<f64> {
    text.trim().parse().ok().filter(|n: &f64| (0.0..=most).contains(n))
}

/// Reads `model_burst`.
///
/// # Errors
/// The text is of another form.
pub fn burst(text: &str, base: u32) -> Result<Burst, BadValue> {
    let read = || {
        let (ios, per_second) = text.split_once(':')?;
        Some(Burst { ios: number(ios, base, 1)?, base: number(per_second, base, 1)? })
    };
    read().ok_or(BadValue::Model(ModelFault::Burst))
}

/// Reads `model_cache`.
///
/// # Errors
/// The text is of another form.
pub fn write_cache(text: &str, base: u32) -> Result<WriteCache, BadValue> {
    let read = || {
        let (bytes, rest) = text.split_once(':')?;
        let (drain, nanos) = rest.split_once(':').map_or((rest, None), |(drain, nanos)| (drain, Some(nanos)));
        let nanos = nanos.map_or(Some(CACHED), |nanos| time(nanos, 1))?;
        Some(WriteCache { bytes: number(bytes, base, 1)?, drain: number(drain, base, 1)?, nanos })
    };
    read().ok_or(BadValue::Model(ModelFault::Cache))
}

/// Reads `model_cliff`.
///
/// # Errors
/// The text is of another form.
pub fn cliff(text: &str, base: u32) -> Result<(u64, f64), BadValue> {
    let read = || {
        let (bytes, factor) = text.split_once(':')?;
        Some((number(bytes, base, 0)?, fraction(factor, 1e6).filter(|factor| *factor > 0.0)?))
    };
    read().ok_or(BadValue::Model(ModelFault::Cliff))
}

/// Reads `model_step`.
///
/// # Errors
/// The text is of another form.
pub fn step(text: &str) -> Result<(u64, f64), BadValue> {
    let read = || {
        let (at, share) = text.split_once(':')?;
        Some((time(at, SECOND)?, fraction(share, 1e3).filter(|share| *share >= 1e-3)?))
    };
    read().ok_or(BadValue::Model(ModelFault::Step))
}

/// Reads `model_stall`.
///
/// # Errors
/// The text is of another form.
pub fn stall(text: &str) -> Result<(u64, u64), BadValue> {
    let read = || {
        let (every, lasts) = text.split_once(':')?;
        Some((time(every, SECOND)?, time(lasts, SECOND)?))
            .filter(|(every, lasts)| 0 < *lasts && lasts < every)
    };
    read().ok_or(BadValue::Model(ModelFault::Stall))
}

/// Reads `model_disk`.
///
/// # Errors
/// The text is of another form.
pub fn disk(text: &str, base: u32) -> Result<DiskSpec, BadValue> {
    let read = || {
        let parts: Vec<&str> = text.split(':').collect();
        let (seek, rotation, rest) = match parts.as_slice() {
            [seek, rotation, rest @ ..] if rest.len() <= 2 => (time(seek, 1)?, time(rotation, 1)?, rest),
            _ => return None,
        };
        let queue = rest.first().map_or(Some(u64::from(NCQ)), |queue| number(queue, base, 1))?;
        let size = rest.get(1).map_or(Some(0), |size| number(size, base, 1))?;
        Some(DiskSpec { seek, rotation, queue: u32::try_from(queue).ok()?, size })
    };
    read().ok_or(BadValue::Model(ModelFault::Disk))
}

/// Reads `model_hit`.
///
/// # Errors
/// The text is of another form.
pub fn hit(text: &str) -> Result<(f64, u64), BadValue> {
    let read = || {
        let (percent, nanos) = text.split_once(':')?;
        Some((fraction(percent, 100.0)?, time(nanos, 1)?))
    };
    read().ok_or(BadValue::Model(ModelFault::Hit))
}
