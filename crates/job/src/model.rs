//! Options of a simulated device.

use crate::bad_value::{BadValue, ModelFault};
use crate::unit;
use serde::{Deserialize, Serialize};
use stats::unit::{MICROSECOND, SECOND};
use std::num::{NonZeroU32, NonZeroU64};

/// Simulated device: `servers` requests are served at a time, each for a time drawn from `law`; further behaviour is
/// optional.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelSpec {
    /// Number of requests served in parallel.
    pub servers: u32,
    /// Distribution of the service time.
    pub law: ServiceLaw,
    /// Transfer rate of one server in bytes per second; `None` = unlimited.
    pub transfer: Option<NonZeroU64>,
    /// Largest number of I/Os per second; `None` = unlimited.
    pub iops: Option<NonZeroU64>,
    /// Largest bandwidth in bytes per second; `None` = unlimited.
    pub bandwidth: Option<NonZeroU64>,
    /// Burst credits; `None` = none.
    pub burst: Option<Burst>,
    /// Write cache; `None` = none.
    pub cache: Option<WriteCache>,
    /// Number of bytes written after which writes slow down, and the factor on their service time; `None` = never.
    pub cliff: Option<(u64, f64)>,
    /// Growth of the service time in percent per second.
    pub drift: f64,
    /// Time in nanoseconds of a step in the rate, and the factor on the rate of services and caps from then on. Boxed
    /// because few devices have a step.
    pub step: Option<Box<(u64, f64)>>,
    /// Period in nanoseconds, and the part of each period in which nothing is served, in nanoseconds; `None` = no
    /// stalls.
    pub stall: Option<(u64, u64)>,
    /// Moving head of a hard disk; `None` = none.
    pub disk: Option<DiskSpec>,
    /// CPU time per I/O on the generator of the load, in nanoseconds.
    pub cpu: u64,
    /// Number of CPUs of the generator; `None` = one per job.
    pub cores: Option<NonZeroU32>,
    /// Growth of the service time in percent per waiting request.
    pub contention: f64,
    /// Percentage of reads served by a read cache, and their service time in nanoseconds; `None` = no read cache.
    /// Boxed because few devices have one.
    pub hit: Option<Box<(f64, u64)>>,
    /// Zones of a zoned device; `None` = none. Boxed because few devices have zones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones: Option<Box<ModelZones>>,
    /// Flash behind a translation layer; `None` = none. Boxed because few devices have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ftl: Option<Box<FtlSpec>>,
    /// Recording zones of a disk; `None` = one rate everywhere. Boxed because few devices have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<Box<SurfaceSpec>>,
    /// SLC cache; `None` = none. Boxed because few devices have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slc: Option<Box<SlcSpec>>,
    /// Read cache of a controller; `None` = none. Boxed because few devices have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_cache: Option<Box<ReadCacheSpec>>,
}

impl Default for ModelSpec {
    fn default() -> Self {
        Self {
            servers: 1,
            law: ServiceLaw::Constant(100 * MICROSECOND),
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
            cpu: 0,
            cores: None,
            contention: 0.0,
            hit: None,
            zones: None,
            ftl: None,
            surface: None,
            slc: None,
            read_cache: None,
        }
    }
}

/// Distribution of the service time; all times in nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ServiceLaw {
    /// Constant time.
    Constant(u64),
    /// Uniform distribution between two times, both included.
    Uniform(u64, u64),
    /// Exponential distribution with this mean.
    Exponential(u64),
    /// Mixture of constant times: share of requests in parts per million, and time. The shares add up to a million.
    Mixture(Vec<(u32, u64)>),
}

impl ServiceLaw {
    /// Returns whether every service takes no time.
    pub fn is_zero(&self) -> bool {
        match self {
            ServiceLaw::Constant(nanos) | ServiceLaw::Exponential(nanos) => *nanos == 0,
            ServiceLaw::Uniform(least, most) => *least == 0 && *most == 0,
            ServiceLaw::Mixture(parts) => parts.iter().all(|(share, nanos)| *share == 0 || *nanos == 0),
        }
    }
}

impl ModelSpec {
    /// Returns whether an I/O takes no time, so that the clock of the device stands still.
    pub fn takes_no_time(&self) -> bool {
        let limits = [self.transfer, self.iops, self.bandwidth];
        self.law.is_zero()
            && limits.iter().all(Option::is_none)
            && self.disk.is_none()
            && self.cpu == 0
            && self.ftl.as_ref().is_none_or(|ftl| ftl.times == [0; 3])
            && self.surface.is_none()
    }
}

/// Token bucket of burst credits; each I/O costs one credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Burst {
    /// Capacity in credits (I/Os).
    pub ios: u64,
    /// Credits regained per second.
    pub base: u64,
}

/// Write cache of a simulated device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteCache {
    /// Capacity in bytes.
    pub bytes: u64,
    /// Rate at which the cache is drained, in bytes per second.
    pub drain: u64,
    /// Service time of a write into the cache, in nanoseconds.
    pub nanos: u64,
}

/// Zones of a simulated zoned device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelZones {
    /// Size of a zone in bytes.
    pub size: u64,
    /// Writable bytes of a zone.
    pub capacity: u64,
    /// Largest number of partly written zones; 0 = any number.
    pub most_open: u32,
    /// Number of writes of which the last one fails after half of its bytes; 0 = none fails.
    #[serde(default)]
    pub errors: u32,
}

/// Flash behind a translation layer with greedy garbage collection.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FtlSpec {
    /// Physical space beyond the size of the device, as a share of that size.
    pub over_provisioning: f64,
    /// Pages of an erase block.
    pub block_pages: u32,
    /// Size of a page in bytes.
    pub page: u32,
    /// Times to program a page, to read a page and to erase a block, in nanoseconds.
    pub times: [u64; 3],
}

/// Recording zones of a hard disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceSpec {
    /// Transfer rates of the outermost and innermost zone, in bytes per second.
    pub rates: [u64; 2],
    /// Number of zones.
    pub zones: u32,
    /// Time of the shortest seek, in nanoseconds.
    pub settle: u64,
}

/// SLC cache of flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlcSpec {
    /// Capacity in bytes.
    pub bytes: u64,
    /// Rate of writes into the cache, rate while it is full, and rate at which it empties while nothing is written, in
    /// bytes per second.
    pub rates: [u64; 3],
}

/// Read cache of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadCacheSpec {
    /// Capacity in bytes.
    pub bytes: u64,
    /// Latency of a hit, in nanoseconds.
    pub nanos: u64,
    /// Bytes of a line of the cache.
    pub line: u64,
}

/// Hard disk with a single head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskSpec {
    /// Time of a seek over the whole disk, in nanoseconds.
    pub seek: u64,
    /// Time of one rotation, in nanoseconds.
    pub rotation: u64,
    /// Largest number of requests that the disk reorders.
    pub queue: u32,
    /// Size in bytes; `None` = the size of the jobs' files.
    pub size: Option<NonZeroU64>,
}

/// Default number of requests that a disk reorders.
const NCQ: u32 = 32;
/// Default number of pages of an erase block.
const BLOCK_PAGES: u64 = 256;
/// Default size of a flash page in bytes.
const PAGE: u64 = 4096;
/// Default times to program a page, to read a page and to erase a block, in nanoseconds.
const FLASH_TIMES: [u64; 3] = [500 * MICROSECOND, 50 * MICROSECOND, 3000 * MICROSECOND];
/// Default service time of a write into the cache, in nanoseconds.
const CACHED: u64 = 50 * MICROSECOND;

/// Reads the distribution of the service time in `model_law`.
///
/// # Errors
/// The text has another form.
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

/// Reads a number of at least `least` with an optional size suffix.
fn number(text: &str, base: u32, least: u64) -> Option<u64> {
    let n = unit::integer(text, base).ok().filter(|n| n.rest.is_empty())?;
    u64::try_from(n.value).ok().filter(|n| *n >= least)
}

fn fraction(text: &str, most: f64) -> Option<f64> {
    text.trim().parse().ok().filter(|n: &f64| (0.0..=most).contains(n))
}

/// Reads two values with a colon between them.
fn pair<T>(text: &str, fault: ModelFault, read: impl Fn(&str, &str) -> Option<T>) -> Result<T, BadValue> {
    text.split_once(':').and_then(|(a, b)| read(a, b)).ok_or(BadValue::Model(fault))
}

/// Reads the burst credits in `model_burst`.
///
/// # Errors
/// The text has another form.
pub fn burst(text: &str, base: u32) -> Result<Burst, BadValue> {
    pair(text, ModelFault::Burst, |ios, per_second| {
        Some(Burst { ios: number(ios, base, 1)?, base: number(per_second, base, 1)? })
    })
}

/// Reads the write cache in `model_cache`.
///
/// # Errors
/// The text has another form.
pub fn write_cache(text: &str, base: u32) -> Result<WriteCache, BadValue> {
    let read = || {
        let (bytes, rest) = text.split_once(':')?;
        let (drain, nanos) = rest.split_once(':').map_or((rest, None), |(drain, nanos)| (drain, Some(nanos)));
        let nanos = nanos.map_or(Some(CACHED), |nanos| time(nanos, 1))?;
        Some(WriteCache { bytes: number(bytes, base, 1)?, drain: number(drain, base, 1)?, nanos })
    };
    read().ok_or(BadValue::Model(ModelFault::Cache))
}

/// Reads `model_cliff`: number of bytes written, and factor on the service time.
///
/// # Errors
/// The text has another form.
pub fn cliff(text: &str, base: u32) -> Result<(u64, f64), BadValue> {
    pair(text, ModelFault::Cliff, |bytes, factor| {
        Some((number(bytes, base, 0)?, fraction(factor, 1e6).filter(|factor| *factor > 0.0)?))
    })
}

/// Reads `model_step`: time in nanoseconds, and factor on the rate.
///
/// # Errors
/// The text has another form.
pub fn step(text: &str) -> Result<(u64, f64), BadValue> {
    pair(text, ModelFault::Step, |at, share| {
        Some((time(at, SECOND)?, fraction(share, 1e3).filter(|share| *share >= 1e-3)?))
    })
}

/// Reads `model_stall`: period and length of the stall, in nanoseconds.
///
/// # Errors
/// The text has another form.
pub fn stall(text: &str) -> Result<(u64, u64), BadValue> {
    pair(text, ModelFault::Stall, |every, lasts| {
        Some((time(every, SECOND)?, time(lasts, SECOND)?))
            .filter(|(every, lasts)| 0 < *lasts && lasts < every)
    })
}

/// Reads the moving head of a hard disk in `model_disk`.
///
/// # Errors
/// The text has another form.
pub fn disk(text: &str, base: u32) -> Result<DiskSpec, BadValue> {
    let read = || {
        let parts: Vec<&str> = text.split(':').collect();
        let (seek, rotation, rest) = match parts.as_slice() {
            [seek, rotation, rest @ ..] if rest.len() <= 2 => (time(seek, 1)?, time(rotation, 1)?, rest),
            _ => return None,
        };
        let queue = rest.first().map_or(Some(u64::from(NCQ)), |queue| number(queue, base, 1))?;
        let size = rest.get(1).map_or(Some(0), |size| number(size, base, 1))?;
        Some(DiskSpec { seek, rotation, queue: u32::try_from(queue).ok()?, size: NonZeroU64::new(size) })
    };
    read().ok_or(BadValue::Model(ModelFault::Disk))
}

/// Reads `model_hit`: percentage of reads, and their service time in nanoseconds.
///
/// # Errors
/// The text has another form.
pub fn hit(text: &str) -> Result<(f64, u64), BadValue> {
    pair(text, ModelFault::Hit, |percent, nanos| Some((fraction(percent, 100.0)?, time(nanos, 1)?)))
}

/// Default number of recording zones.
const ZONES: u64 = 16;
/// Largest number of lines of a read cache.
const MOST_LINES: u64 = 1 << 22;

/// Reads the recording zones in `model_surface`.
///
/// # Errors
/// The text has another form.
pub fn surface(text: &str, base: u32) -> Result<SurfaceSpec, BadValue> {
    let read = || {
        let mut parts = text.split(':');
        let rates = [number(parts.next()?, base, 1)?, number(parts.next()?, base, 1)?];
        let zones = parts.next().map_or(Some(ZONES), |zones| number(zones, base, 1))?;
        let settle = parts.next().map_or(Some(0), |settle| time(settle, 1))?;
        let whole = parts.next().is_none() && zones <= 1 << 20;
        whole.then_some(SurfaceSpec { rates, zones: zones as u32, settle })
    };
    read().ok_or(BadValue::Model(ModelFault::Surface))
}

/// Reads the SLC cache in `model_slc`.
///
/// # Errors
/// The text has another form.
pub fn slc(text: &str, base: u32) -> Result<SlcSpec, BadValue> {
    let read = || {
        let mut parts = text.split(':');
        let bytes = number(parts.next()?, base, 1)?;
        let rates = [number(parts.next()?, base, 1)?, number(parts.next()?, base, 1)?];
        let recovery = parts.next().map_or(Some(rates[1]), |rate| number(rate, base, 0))?;
        parts.next().is_none().then_some(SlcSpec { bytes, rates: [rates[0], rates[1], recovery] })
    };
    read().ok_or(BadValue::Model(ModelFault::Slc))
}

/// Reads the read cache of a controller in `model_read_cache`.
///
/// # Errors
/// The text has another form.
pub fn read_cache(text: &str, base: u32) -> Result<ReadCacheSpec, BadValue> {
    let read = || {
        let mut parts = text.split(':');
        let bytes = number(parts.next()?, base, 1)?;
        let nanos = parts.next().map_or(Some(CACHED), |nanos| time(nanos, 1))?;
        let line = parts.next().map_or(Some(PAGE), |line| number(line, base, 512))?;
        let whole = parts.next().is_none() && bytes / line <= MOST_LINES;
        whole.then_some(ReadCacheSpec { bytes, nanos, line })
    };
    read().ok_or(BadValue::Model(ModelFault::ReadCache))
}

/// Reads the geometry of flash in `model_ftl`; the times are the default ones.
///
/// # Errors
/// The text has another form.
pub fn ftl(text: &str, base: u32) -> Result<FtlSpec, BadValue> {
    let read = || {
        let mut parts = text.split(':');
        let over_provisioning = fraction(parts.next()?, 10.0)?;
        let mut size = |usual: u64, least: u64, most: u64| {
            let typed = parts.next().map_or(Some(usual), |part| number(part, base, least));
            typed.filter(|n| *n <= most).and_then(|n| u32::try_from(n).ok())
        };
        let (block_pages, page) = (size(BLOCK_PAGES, 1, 1 << 20)?, size(PAGE, 512, 1 << 24)?);
        let whole = parts.next().is_none();
        whole.then_some(FtlSpec { over_provisioning, block_pages, page, times: FLASH_TIMES })
    };
    read().ok_or(BadValue::Model(ModelFault::Ftl))
}

/// Reads `model_ftl_times`: times to program a page, to read a page and to erase a block, in nanoseconds.
///
/// # Errors
/// The text has another form.
pub fn ftl_times(text: &str) -> Result<[u64; 3], BadValue> {
    let read = || {
        let mut times = FLASH_TIMES;
        let mut parts = text.split(':');
        for at in times.iter_mut().zip(parts.by_ref()) {
            // A longer time would let the clock overflow.
            *at.0 = time(at.1, 1).filter(|nanos| *nanos <= 1000 * SECOND)?;
        }
        parts.next().is_none().then_some(times)
    };
    read().ok_or(BadValue::Model(ModelFault::FtlTimes))
}
