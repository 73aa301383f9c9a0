//! Result of `fathom cloud`: the limits of a cloud volume and its machine, and whether a measurement reaches them.

use crate::estimate::Estimate;
use crate::finding::{Finding, Grade, grade_of};
use crate::job_error::JobError;
use crate::result::Host;
use serde::{Deserialize, Serialize};

/// Share of the limit from which a rate is at the limit.
const AT: f64 = 0.95;
/// Share of the limit above which a rate is beyond it.
const BEYOND: f64 = 1.05;
/// Share of the limit below which the promise is not kept.
const SHORT: f64 = 0.90;

/// Rate of a mix divided by the lower rate of its directions from which their limits are apart.
const APART: f64 = 1.6;
/// Rate of a mix divided by the higher rate of its directions up to which they share a limit.
const JOINT: f64 = 1.2;

/// Block size of small I/Os, bytes.
const PAGE: u64 = 4096;

/// Origin of a row of the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CloudMark {
    /// Read in the named source.
    R,
    /// Read earlier in the named source.
    U,
    /// Follows by arithmetic from figures that were read.
    A,
    /// General knowledge, not confirmed.
    #[default]
    K,
}

/// Source of a row of the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudSource {
    /// Origin.
    pub mark: CloudMark,
    /// Document.
    pub source: String,
    /// Date of the document: `2025-09-05`, `2026-08` or `2023`.
    pub date: Option<String>,
}

impl CloudSource {
    /// Returns whether the row may decide: it is confirmed and dated.
    pub fn decides(&self) -> bool {
        self.mark != CloudMark::K && self.date.is_some()
    }
}

/// Unit in which a provider states throughput.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CloudUnit {
    /// 10^6 bytes.
    #[serde(rename = "MB")]
    Megabyte,
    /// 2^20 bytes.
    #[default]
    #[serde(rename = "MiB")]
    Mebibyte,
}

impl CloudUnit {
    /// Returns the number of bytes of the unit.
    pub fn bytes(self) -> f64 {
        match self {
            CloudUnit::Megabyte => 1e6,
            CloudUnit::Mebibyte => 1_048_576.0,
        }
    }

    /// Returns the symbol of a rate: `MB/s`.
    pub fn rate(self) -> &'static str {
        match self {
            CloudUnit::Megabyte => "MB/s",
            CloudUnit::Mebibyte => "MiB/s",
        }
    }
}

/// How a burst above the base ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BurstKind {
    /// When the bucket of credits is empty.
    Credits,
    /// Never; it is ordered and billed.
    OnDemand,
    /// The provider states a rate and no duration.
    Unstated,
}

/// Burst of a volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudBurst {
    /// How the burst ends.
    pub kind: BurstKind,
    /// I/Os per second during the burst; `None` if the IOPS do not burst.
    pub iops: Option<f64>,
    /// Bytes per second during the burst; `None` if the throughput does not burst.
    pub throughput: Option<f64>,
    /// Seconds from a full bucket at full rate; `None` if not limited or not stated.
    pub seconds: Option<f64>,
    /// Seconds in which an idle volume fills an empty bucket; `None` if not known.
    pub refill_seconds: Option<f64>,
    /// Whether the figures of the burst are confirmed.
    pub mark: CloudMark,
}

/// Direction of a measured load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudLoad {
    /// Reads.
    #[default]
    Reads,
    /// Writes.
    Writes,
    /// Reads and writes, half of the I/Os each.
    Mixed,
}

/// How limits apply to reads and writes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudSharing {
    /// Reads and writes count against one limit.
    Joint,
    /// Reads and writes have limits of their own.
    Apart,
    /// One resource: the limit is the mean of both, weighted by their shares of the I/Os.
    Weighted,
}

/// What the provider says about reads and writes together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudSharingRule {
    /// How the limits apply.
    pub kind: CloudSharing,
    /// Source of the rule.
    pub row: CloudSource,
}

/// Volume with its limits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CloudVolume {
    /// Provider as written on the command line: `aws`.
    pub provider: String,
    /// Name of the provider: `AWS`.
    pub provider_name: String,
    /// Type of the volume: `gp3`.
    pub kind: String,
    /// Size in the provider's unit; `None` if no limit depends on it.
    pub size: Option<f64>,
    /// Unit of the size: `GiB` or `GB`.
    pub capacity_unit: String,
    /// Tier to which the size is rounded up: `P15`.
    pub tier: Option<String>,
    /// Unit in which the provider states throughput.
    pub unit: CloudUnit,
    /// Reads per second; of all I/Os where reads and writes share the limit.
    pub iops: Option<f64>,
    /// Writes per second where they have their own limit.
    pub write_iops: Option<f64>,
    /// Bytes per second.
    pub throughput: Option<f64>,
    /// Largest request in bytes that counts as one I/O; `None` if the size does not matter.
    pub io_unit: Option<u64>,
    /// Whether a smaller request uses up as much throughput as one of `io_unit`.
    pub whole_units: bool,
    /// Burst above these limits.
    pub burst: Option<CloudBurst>,
    /// How the limits apply to reads and writes together; `None` if the tables do not say it.
    #[serde(default)]
    pub sharing: Option<CloudSharingRule>,
    /// Whether these are the limits of all volumes of the type on a machine together.
    #[serde(default)]
    pub pooled: bool,
    /// Whether the provider limits by slices of 100 ms.
    pub slices: bool,
    /// Latency at queue depth 1 that the provider states, milliseconds.
    pub qd1_ms: Option<f64>,
    /// Source of the figures.
    pub row: CloudSource,
}

/// Machine with its limits for network storage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CloudInstance {
    /// Type of the machine: `m5.large`.
    pub name: String,
    /// Reads per second; `None` if not known.
    pub iops: Option<f64>,
    /// Bytes read per second; `None` if not known.
    pub throughput: Option<f64>,
    /// Reads per second during a burst.
    pub burst_iops: Option<f64>,
    /// Bytes read per second during a burst.
    pub burst_throughput: Option<f64>,
    /// Writes per second where they have their own limit.
    #[serde(default)]
    pub write_iops: Option<f64>,
    /// Bytes written per second where writes have their own limit.
    #[serde(default)]
    pub write_throughput: Option<f64>,
    /// Seconds of the burst; `None` without a burst.
    pub burst_seconds: Option<f64>,
    /// Source of the figures.
    pub row: CloudSource,
}

/// Limit that binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudLimit {
    /// IOPS of the volume.
    VolumeIops,
    /// Throughput of the volume.
    VolumeThroughput,
    /// IOPS of the machine.
    InstanceIops,
    /// Throughput of the machine.
    InstanceThroughput,
    /// Queue depth divided by latency: more I/Os in flight would give more.
    DepthAndLatency,
    /// CPU of the measuring thread.
    Cpu,
    /// Limit below the promised one: more I/Os in flight only wait longer.
    LowerCap,
}

fn one() -> u32 {
    1
}

/// Limits that apply together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CloudLimits {
    /// Volume.
    pub volume: CloudVolume,
    /// Number of such volumes that the machine uses together.
    #[serde(default = "one")]
    pub volumes: u32,
    /// Machine; `None` if its type is not known or the tables do not have it.
    pub instance: Option<CloudInstance>,
    /// Block size in bytes below which IOPS bind and above which throughput binds; `None` if a limit is not known, or one
    /// binds at every size.
    pub crossover: Option<f64>,
    /// I/Os of 4 KiB in flight that reach the limit.
    pub depth: Option<f64>,
    /// Latency of an I/O, nanoseconds, with which the depth was computed.
    pub latency_ns: f64,
    /// Longest time, seconds, for which a full bucket hides the base limits; `None` without a bucket.
    pub honest_seconds: Option<f64>,
}

/// Rate that limits permit for a block size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudCap {
    /// I/Os per second.
    pub iops: f64,
    /// Limit that gives this rate.
    pub limit: CloudLimit,
}

impl CloudLimits {
    /// Sets crossover, depth and honest duration from the limits of volume and machine, with the latency of an I/O in
    /// nanoseconds.
    pub fn complete(&mut self, latency_ns: f64) {
        let volume = &self.volume;
        let instance = self.instance.as_ref();
        let least = |own: Option<f64>, machine: Option<f64>| match (own, machine) {
            (Some(own), Some(machine)) => Some(own.min(machine)),
            (own, machine) => own.or(machine),
        };
        let iops = least(self.together(volume.iops), instance.and_then(|i| i.iops));
        let throughput = least(self.together(volume.throughput), instance.and_then(|i| i.throughput));
        // Larger requests count as several I/Os, smaller ones as a whole unit: one limit binds at every size.
        let beyond = |bytes: &f64| volume.io_unit.is_none_or(|unit| *bytes < unit as f64);
        self.crossover = iops.zip(throughput).map(|(iops, bytes)| bytes / iops);
        self.crossover = self.crossover.filter(|bytes| beyond(bytes) && !volume.whole_units);
        self.depth =
            self.cap(CloudLoad::Reads, PAGE).map(|cap| (cap.iops * latency_ns / 1e9).ceil().max(1.0));
        self.latency_ns = latency_ns;
        let buckets = [
            volume.burst.as_ref().filter(|b| b.kind == BurstKind::Credits).and_then(|b| b.seconds),
            instance.filter(|i| i.burst_iops.or(i.burst_throughput).is_some()).and_then(|i| i.burst_seconds),
        ];
        self.honest_seconds = buckets.into_iter().flatten().max_by(f64::total_cmp);
    }

    /// Returns the limit that binds at every block size; `None` if there is a crossover or a limit is not known.
    pub fn only_limit(&self) -> Option<CloudLimit> {
        let known = self.volume.iops.is_some() && self.volume.throughput.is_some();
        self.cap(CloudLoad::Reads, PAGE).filter(|_| known && self.crossover.is_none()).map(|cap| cap.limit)
    }

    /// Returns a limit of one volume for all volumes of the machine.
    pub fn together(&self, limit: Option<f64>) -> Option<f64> {
        let volumes = if self.volume.pooled { 1 } else { self.volumes.max(1) };
        limit.map(|limit| limit * f64::from(volumes))
    }

    /// Returns the smallest number of volumes whose IOPS, and whose throughput, reach those of the machine; `None` where a
    /// limit is not known or is that of all volumes together.
    pub fn volumes_of_instance(&self) -> [Option<f64>; 2] {
        let volume = &self.volume;
        let of = |machine: Option<f64>, own: Option<f64>| {
            let pair = machine.zip(own).filter(|(_, own)| *own > 0.0 && !volume.pooled);
            pair.map(|(machine, own)| (machine / own).ceil().max(1.0))
        };
        let machine = self.instance.as_ref();
        [
            of(machine.and_then(|m| m.iops), volume.iops),
            of(machine.and_then(|m| m.throughput), volume.throughput),
        ]
    }

    /// Returns the rate that the limits permit for I/Os of `block` bytes; `None` if no limit is known.
    pub fn cap(&self, load: CloudLoad, block: u64) -> Option<CloudCap> {
        self.cap_of(load, block, false)
    }

    /// Returns the rate that the limits permit during a burst; `None` without a burst that permits more than the base.
    pub fn burst_cap(&self, load: CloudLoad, block: u64) -> Option<CloudCap> {
        let burst = self.cap_of(load, block, true)?;
        self.cap(load, block).filter(|base| burst.iops > base.iops * BEYOND).map(|_| burst)
    }

    fn cap_of(&self, load: CloudLoad, block: u64, bursting: bool) -> Option<CloudCap> {
        if load != CloudLoad::Mixed {
            return self.cap_of_direction(load == CloudLoad::Writes, block, bursting);
        }
        let reads = self.cap_of_direction(false, block, bursting)?;
        let writes = self.cap_of_direction(true, block, bursting)?;
        let lower = if writes.iops < reads.iops { writes } else { reads };
        let iops = match self.volume.sharing.as_ref().map(|rule| rule.kind) {
            Some(CloudSharing::Apart) => 2.0 * lower.iops,
            Some(CloudSharing::Weighted) => f64::midpoint(reads.iops, writes.iops),
            // Where the tables say nothing, no more than a joint limit is promised.
            Some(CloudSharing::Joint) | None => lower.iops,
        };
        Some(CloudCap { iops, limit: lower.limit })
    }

    fn cap_of_direction(&self, writes: bool, block: u64, bursting: bool) -> Option<CloudCap> {
        let volume = &self.volume;
        let burst = volume.burst.as_ref().filter(|_| bursting);
        let machine = self.instance.as_ref();
        let of = |base: Option<f64>, burst: Option<f64>| if bursting { burst.or(base) } else { base };
        let written = |own: Option<f64>, reads: Option<f64>| own.filter(|_| writes).or(reads);
        let units = volume.io_unit.map_or(1, |unit| block.div_ceil(unit)) as f64;
        let bytes =
            volume.io_unit.filter(|_| volume.whole_units).map_or(block, |unit| block.max(unit)) as f64;
        let volume_iops = of(written(volume.write_iops, volume.iops), burst.and_then(|b| b.iops));
        let volume_rate = of(volume.throughput, burst.and_then(|b| b.throughput));
        let instance_iops = machine.and_then(|m| of(written(m.write_iops, m.iops), m.burst_iops));
        let instance_rate =
            machine.and_then(|m| of(written(m.write_throughput, m.throughput), m.burst_throughput));
        let caps = [
            (self.together(volume_iops).map(|iops| iops / units), CloudLimit::VolumeIops),
            (self.together(volume_rate).map(|rate| rate / bytes), CloudLimit::VolumeThroughput),
            (instance_iops, CloudLimit::InstanceIops),
            (instance_rate.map(|rate| rate / block as f64), CloudLimit::InstanceThroughput),
        ];
        let known = caps.into_iter().filter_map(|(iops, limit)| Some(CloudCap { iops: iops?, limit }));
        known.min_by(|a, b| a.iops.total_cmp(&b.iops))
    }

    /// Returns whether the row behind a limit may decide. A limit that is measured to be lower than promised is that of
    /// all rows.
    pub fn decides(&self, limit: CloudLimit) -> bool {
        let machine = self.instance.as_ref().is_none_or(|i| i.row.decides());
        match limit {
            CloudLimit::VolumeIops | CloudLimit::VolumeThroughput => self.volume.row.decides(),
            CloudLimit::InstanceIops | CloudLimit::InstanceThroughput => machine,
            _ => self.volume.row.decides() && machine,
        }
    }
}

/// Quantity that volume and machine limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudQuantity {
    /// I/Os per second.
    Iops,
    /// Bytes per second.
    Throughput,
}

/// Limits of volume and machine on one quantity, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudComparison {
    /// Limited quantity.
    pub quantity: CloudQuantity,
    /// Whether the machine allows less than the volume.
    pub instance_binds: bool,
    /// Limit of the volume.
    pub volume: f64,
    /// Limit of the machine.
    pub instance: f64,
    /// Limit of the machine during a burst; `None` without a burst.
    pub instance_burst: Option<f64>,
    /// Seconds of the burst; `None` without a burst, or if the provider states no duration.
    pub burst_seconds: Option<f64>,
}

impl CloudLimits {
    /// Returns the limits of volume and machine side by side, for each quantity that both limit.
    pub fn comparisons(&self) -> Vec<CloudComparison> {
        let Some(machine) = &self.instance else { return Vec::new() };
        let of = |quantity, volume: Option<f64>, machine_limit: Option<f64>, burst: Option<f64>| {
            let (volume, instance) = volume.zip(machine_limit)?;
            let instance_burst = burst.filter(|burst| *burst > instance);
            Some(CloudComparison {
                quantity,
                instance_binds: instance < volume,
                volume,
                instance,
                instance_burst,
                burst_seconds: instance_burst.and(machine.burst_seconds),
            })
        };
        let volume = &self.volume;
        let iops = of(CloudQuantity::Iops, volume.iops, machine.iops, machine.burst_iops);
        let bytes =
            of(CloudQuantity::Throughput, volume.throughput, machine.throughput, machine.burst_throughput);
        iops.into_iter().chain(bytes).collect()
    }
}

/// Relation of a measured rate to the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudReach {
    /// The whole 95 % interval is within 95 to 105 % of the limit.
    AtLimit,
    /// The rate is above the limit and within that of a burst.
    Burst,
    /// The whole interval is above 105 %: a cache, an unknown burst or an outdated row.
    Above,
    /// The whole interval is below 90 %.
    Below,
    /// The interval is neither, or nothing was measured.
    Unclear,
}

/// Measured pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudCheck {
    /// Direction of the I/Os.
    #[serde(default)]
    pub load: CloudLoad,
    /// Bytes per I/O.
    pub block: u64,
    /// Whether offsets are random.
    pub random: bool,
    /// Queue depth.
    pub depth: u32,
    /// Measured I/Os per second with the 95 % interval; `None` if nothing was measured.
    pub measured: Option<Estimate>,
    /// Rate that the limits permit.
    pub cap: CloudCap,
    /// Rate that they permit during a burst.
    pub burst: Option<CloudCap>,
    /// Mean latency, nanoseconds.
    pub latency_ns: f64,
    /// Share of one CPU that the measuring thread used or waited for (0 to 1).
    pub cpu: f64,
    /// Relation of the rate to the limits.
    pub reach: CloudReach,
    /// Limit that binds; `None` if not known.
    pub binding: Option<CloudLimit>,
    /// Whether the rows behind the verdict are confirmed and dated.
    pub confirmed: bool,
}

impl CloudCheck {
    /// Share of a CPU from which the measuring thread binds.
    const BUSY: f64 = 0.9;
    /// Factor of the latency alone below which requests do not wait for a limit.
    const WAITS: f64 = 1.5;

    /// Sets reach, binding limit and strength from the measured rate. `alone_ns` is the mean latency at queue depth 1.
    pub fn judge(&mut self, limits: &CloudLimits, alone_ns: f64) {
        let within = |m: &Estimate, cap: f64| m.low >= AT * cap && m.high <= BEYOND * cap;
        self.reach = match &self.measured {
            Some(m) if !m.is_known() => CloudReach::Unclear,
            Some(m) if within(m, self.cap.iops) => CloudReach::AtLimit,
            Some(m) if m.high < SHORT * self.cap.iops => CloudReach::Below,
            Some(m) if m.low > BEYOND * self.cap.iops => {
                let burst = self.burst.filter(|burst| m.low <= BEYOND * burst.iops);
                if burst.is_some() { CloudReach::Burst } else { CloudReach::Above }
            }
            _ => CloudReach::Unclear,
        };
        self.binding = match self.reach {
            CloudReach::AtLimit => Some(self.cap.limit),
            CloudReach::Burst => self.burst.map(|burst| burst.limit),
            CloudReach::Below if self.cpu >= Self::BUSY => Some(CloudLimit::Cpu),
            CloudReach::Below if self.latency_ns < Self::WAITS * alone_ns => {
                Some(CloudLimit::DepthAndLatency)
            }
            CloudReach::Below => Some(CloudLimit::LowerCap),
            CloudReach::Above | CloudReach::Unclear => None,
        };
        // What an unconfirmed row of the machine might explain is not the fault of the volume.
        self.confirmed = limits.decides(self.cap.limit) && self.binding.is_none_or(|b| limits.decides(b));
        let rule = limits.volume.sharing.as_ref();
        self.confirmed &= self.load != CloudLoad::Mixed || rule.is_some_and(|rule| rule.row.decides());
    }

    /// Returns the measured rate as a share of the limit in percent; `None` if nothing was measured.
    pub fn share(&self) -> Option<f64> {
        self.measured.map(|m| 100.0 * m.value / self.cap.iops)
    }

    /// Returns whether the pattern counts in the answer. Reads and writes together can only show that less is reached
    /// than promised: more than that is no doubt about the limits of each.
    fn counts(&self) -> bool {
        self.load != CloudLoad::Mixed || self.verdict() > CloudVerdict::NotSure
    }

    /// Returns the verdict on this pattern.
    pub fn verdict(&self) -> CloudVerdict {
        match (self.reach, self.binding) {
            (CloudReach::AtLimit, _) if self.confirmed => CloudVerdict::Kept,
            (CloudReach::AtLimit, _) => CloudVerdict::LikelyKept,
            (CloudReach::Below, Some(CloudLimit::Cpu | CloudLimit::DepthAndLatency)) => CloudVerdict::NotSure,
            (CloudReach::Below, _) if self.confirmed => CloudVerdict::NotKept,
            (CloudReach::Below, _) => CloudVerdict::LikelyNotKept,
            _ => CloudVerdict::NotSure,
        }
    }
}

/// Whether the promise of the provider is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudVerdict {
    /// Every rate is at its limit.
    Kept,
    /// The same, by a row that is unconfirmed or has no date.
    LikelyKept,
    /// The measurement does not tell.
    NotSure,
    /// A rate is too low, by a row that is unconfirmed or has no date.
    LikelyNotKept,
    /// A rate is too low.
    NotKept,
}

/// Where a fact about the volume or the machine comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudOrigin {
    /// Command line.
    Given,
    /// Firmware of the machine (DMI).
    Firmware,
    /// Name of the disk.
    Disk,
    /// Metadata service of the provider.
    Metadata,
}

/// Fact that was recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudFact {
    /// What is known: `aws`, `m5.large`, `gp3`, `500`.
    pub value: String,
    /// Where it comes from.
    pub origin: CloudOrigin,
}

/// What is known about the volume and the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudKnown {
    /// Provider as written on the command line.
    pub provider: Option<CloudFact>,
    /// Type of the volume.
    pub kind: Option<CloudFact>,
    /// Type of the machine.
    pub instance: Option<CloudFact>,
    /// Size of the volume in the provider's unit.
    pub size: Option<CloudFact>,
    /// Whether the disk is a local disk of the host rather than a volume.
    pub local_disk: bool,
}

/// Result of `fathom cloud`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CloudCard {
    /// Version of fathom.
    pub version: String,
    /// What is known and from where.
    pub known: CloudKnown,
    /// Limits.
    pub limits: CloudLimits,
    /// Where the figures of the machine would be, if its type is known and the tables do not have it.
    pub instance_source: Option<CloudSource>,
    /// Target as the user gave it; `None` if nothing was measured.
    pub target: Option<String>,
    /// Storage stack of the target, top first.
    pub stack: Vec<String>,
    /// Mean latency at queue depth 1, nanoseconds; `None` if nothing was measured.
    pub alone_ns: Option<f64>,
    /// Whether the target may be written.
    #[serde(default)]
    pub may_write: bool,
    /// Measured patterns.
    pub checks: Vec<CloudCheck>,
    /// Error that ended the measurement.
    pub error: Option<JobError>,
    /// Findings of the jobs.
    pub findings: Vec<Finding>,
    /// Measured time, seconds.
    pub seconds: f64,
    /// Machine.
    pub host: Host,
}

impl CloudCard {
    /// Returns the verdict; `None` if nothing was to be measured.
    pub fn verdict(&self) -> Option<CloudVerdict> {
        self.target.as_ref()?;
        let worst = self.deciding().map_or(CloudVerdict::NotSure, CloudCheck::verdict);
        let doubtful = self.error.is_some() || self.grade() == Grade::NotTheDevice;
        Some(if doubtful { CloudVerdict::NotSure } else { worst })
    }

    /// Returns the pattern that decides: the first with the worst verdict.
    pub fn deciding(&self) -> Option<&CloudCheck> {
        let counted = || self.checks.iter().filter(|check| check.counts());
        let worst = counted().map(CloudCheck::verdict).max()?;
        counted().find(|check| check.verdict() == worst)
    }

    /// Returns whether the measured limits of reads and writes are shared or apart, by small random I/Os; `None` if
    /// this was not measured, or something else than a limit binds.
    pub fn sharing_found(&self) -> Option<CloudSharing> {
        let of = |load| {
            let found = self.checks.iter().find(|check| check.load == load && check.random)?;
            let waits = !matches!(found.binding, Some(CloudLimit::Cpu | CloudLimit::DepthAndLatency));
            found.measured.filter(|measured| measured.is_known() && waits)
        };
        let (reads, writes, mixed) = (of(CloudLoad::Reads)?, of(CloudLoad::Writes)?, of(CloudLoad::Mixed)?);
        // Half of the I/Os have each direction: limits apart let twice the lower rate through.
        let lower = reads.value.min(writes.value);
        if mixed.low > APART * lower {
            Some(CloudSharing::Apart)
        } else if mixed.high < JOINT * reads.value.max(writes.value) {
            Some(CloudSharing::Joint)
        } else {
            None
        }
    }

    /// Returns whether writes were measured.
    pub fn measured_writes(&self) -> bool {
        self.checks.iter().any(|check| check.load == CloudLoad::Writes)
    }

    /// Returns the finding by which the figures are not those of the device.
    pub fn not_the_device(&self) -> Option<&Finding> {
        self.findings.iter().find(|found| found.claim.grade() == Grade::NotTheDevice)
    }

    /// Returns the grade of the measurement.
    pub fn grade(&self) -> Grade {
        grade_of(&self.findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(mark: CloudMark, date: Option<&str>) -> CloudSource {
        CloudSource { mark, source: String::new(), date: date.map(str::to_owned) }
    }

    fn limits(row: CloudSource) -> CloudLimits {
        let volume = CloudVolume {
            iops: Some(3000.0),
            throughput: Some(125.0 * 1_048_576.0),
            row,
            ..CloudVolume::default()
        };
        let mut limits = CloudLimits { volume, ..CloudLimits::default() };
        limits.complete(1e6);
        limits
    }

    fn check(limits: &CloudLimits, interval: [f64; 3]) -> CloudCheck {
        check_of(limits, CloudLoad::Reads, interval)
    }

    fn check_of(limits: &CloudLimits, load: CloudLoad, [low, value, high]: [f64; 3]) -> CloudCheck {
        let mut check = CloudCheck {
            load,
            block: 4096,
            random: true,
            depth: 16,
            measured: Some(Estimate { value, low, high }),
            cap: limits.cap(load, 4096).unwrap(),
            burst: limits.burst_cap(load, 4096),
            latency_ns: 5e6,
            cpu: 0.1,
            reach: CloudReach::Unclear,
            binding: None,
            confirmed: false,
        };
        check.judge(limits, 1e6);
        check
    }

    #[test]
    fn the_bands_are_those_of_the_whole_interval() {
        let limits = limits(source(CloudMark::R, Some("2025")));
        for (interval, verdict) in [
            ([2960.0, 3000.0, 3040.0], CloudVerdict::Kept),
            ([2860.0, 2900.0, 3140.0], CloudVerdict::Kept),
            ([2840.0, 3000.0, 3140.0], CloudVerdict::NotSure),
            ([2650.0, 2675.0, 2699.0], CloudVerdict::NotKept),
            ([2650.0, 2675.0, 2701.0], CloudVerdict::NotSure),
            ([3160.0, 3200.0, 3240.0], CloudVerdict::NotSure),
        ] {
            assert_eq!(check(&limits, interval).verdict(), verdict, "{interval:?}");
        }
        assert_eq!(check(&limits, [3160.0, 3200.0, 3240.0]).reach, CloudReach::Above);
    }

    #[test]
    fn unconfirmed_or_undated_rows_are_likely_at_most() {
        for row in
            [source(CloudMark::K, Some("2025")), source(CloudMark::R, None), source(CloudMark::U, None)]
        {
            let mut limits = limits(row);
            assert_eq!(check(&limits, [2990.0, 3000.0, 3010.0]).verdict(), CloudVerdict::LikelyKept);
            assert_eq!(check(&limits, [990.0, 1000.0, 1010.0]).verdict(), CloudVerdict::LikelyNotKept);
            limits.volume.row = source(CloudMark::R, Some("2025"));
            limits.instance = Some(CloudInstance {
                iops: Some(2000.0),
                row: source(CloudMark::K, None),
                ..CloudInstance::default()
            });
            let of_machine = check(&limits, [1990.0, 2000.0, 2010.0]);
            assert_eq!(of_machine.binding, Some(CloudLimit::InstanceIops));
            assert_eq!(of_machine.verdict(), CloudVerdict::LikelyKept);
            assert_eq!(check(&limits, [990.0, 1000.0, 1010.0]).verdict(), CloudVerdict::LikelyNotKept);
        }
    }

    #[test]
    fn the_binding_limit_is_named() {
        let limits = limits(source(CloudMark::R, Some("2025")));
        let mut low = check(&limits, [990.0, 1000.0, 1010.0]);
        assert_eq!((low.binding, low.verdict()), (Some(CloudLimit::LowerCap), CloudVerdict::NotKept));
        low.latency_ns = 1.2e6;
        low.judge(&limits, 1e6);
        assert_eq!((low.binding, low.verdict()), (Some(CloudLimit::DepthAndLatency), CloudVerdict::NotSure));
        low.cpu = 0.95;
        low.judge(&limits, 1e6);
        assert_eq!((low.binding, low.verdict()), (Some(CloudLimit::Cpu), CloudVerdict::NotSure));
        assert_eq!(limits.cap(CloudLoad::Reads, 256 << 10).unwrap().limit, CloudLimit::VolumeThroughput);
    }

    /// A rate at the level of the burst says nothing about the base.
    #[test]
    fn a_burst_hides_the_base_limit() {
        let mut limits = limits(source(CloudMark::R, Some("2025")));
        limits.volume.iops = Some(300.0);
        limits.volume.burst = Some(CloudBurst {
            kind: BurstKind::Credits,
            iops: Some(3000.0),
            throughput: None,
            seconds: Some(2000.0),
            refill_seconds: Some(18000.0),
            mark: CloudMark::R,
        });
        limits.complete(1e6);
        let burst = check(&limits, [2950.0, 3000.0, 3010.0]);
        assert_eq!((burst.reach, burst.verdict()), (CloudReach::Burst, CloudVerdict::NotSure));
        assert_eq!(limits.honest_seconds, Some(2000.0));
        assert_eq!(check(&limits, [299.0, 300.0, 301.0]).verdict(), CloudVerdict::Kept);
        assert_eq!(check(&limits, [3200.0, 3300.0, 3400.0]).reach, CloudReach::Above);
    }

    #[test]
    fn lower_limit_of_volume_and_machine_binds() {
        let mut limits = limits(source(CloudMark::R, Some("2025")));
        assert_eq!(limits.comparisons(), []);
        limits.volume.iops = Some(6000.0);
        limits.instance = Some(CloudInstance {
            iops: Some(3600.0),
            burst_iops: Some(18750.0),
            burst_seconds: Some(1800.0),
            throughput: Some(250.0 * 1_048_576.0),
            ..CloudInstance::default()
        });
        let found = limits.comparisons();
        let binds: Vec<(CloudQuantity, bool)> =
            found.iter().map(|c| (c.quantity, c.instance_binds)).collect();
        assert_eq!(binds, [(CloudQuantity::Iops, true), (CloudQuantity::Throughput, false)]);
        assert_eq!((found[0].instance_burst, found[0].burst_seconds), (Some(18750.0), Some(1800.0)));
        assert_eq!((found[1].instance_burst, found[1].burst_seconds), (None, None));
    }

    #[test]
    fn io_units_count_as_the_provider_counts() {
        let mut limits = limits(source(CloudMark::R, Some("2025")));
        limits.volume.io_unit = Some(256 << 10);
        limits.volume.throughput = None;
        assert_eq!(limits.cap(CloudLoad::Reads, 256 << 10).map(|cap| cap.iops), Some(3000.0));
        assert_eq!(limits.cap(CloudLoad::Reads, (256 << 10) + 1).map(|cap| cap.iops), Some(1500.0));
        limits.volume.io_unit = Some(1 << 20);
        limits.volume.whole_units = true;
        limits.volume.throughput = Some(40.0 * 1_048_576.0);
        assert_eq!(limits.cap(CloudLoad::Reads, 4096).map(|cap| cap.iops), Some(40.0));
    }

    /// Returns the card of reads, writes and a mix with these rates.
    fn card(limits: &CloudLimits, rates: [f64; 3]) -> CloudCard {
        let loads = [CloudLoad::Reads, CloudLoad::Writes, CloudLoad::Mixed];
        let checks = loads.into_iter().zip(rates);
        let checks = checks.map(|(load, rate)| check_of(limits, load, [0.99 * rate, rate, 1.01 * rate]));
        CloudCard {
            target: Some("vdb".into()),
            limits: limits.clone(),
            checks: checks.collect(),
            ..CloudCard::default()
        }
    }

    fn with_rule(kind: CloudSharing, mark: CloudMark) -> CloudLimits {
        let mut limits = limits(source(CloudMark::R, Some("2025")));
        limits.volume.sharing = Some(CloudSharingRule { kind, row: source(mark, Some("2025")) });
        limits
    }

    #[test]
    fn mixed_limit_follows_the_rule_of_the_table() {
        for (kind, cap) in
            [(CloudSharing::Joint, 3000.0), (CloudSharing::Apart, 6000.0), (CloudSharing::Weighted, 4500.0)]
        {
            let mut limits = with_rule(kind, CloudMark::R);
            limits.volume.write_iops = Some(6000.0);
            assert_eq!(limits.cap(CloudLoad::Mixed, 4096).map(|cap| cap.iops), Some(cap), "{kind:?}");
            assert_eq!(limits.cap(CloudLoad::Writes, 4096).map(|cap| cap.iops), Some(6000.0));
        }
        let silent = limits(source(CloudMark::R, Some("2025")));
        assert_eq!(silent.cap(CloudLoad::Mixed, 4096).map(|cap| cap.iops), Some(3000.0));
    }

    /// A mix says whether limits are shared. It breaks a promise only if less than promised is reached, and by an
    /// unconfirmed rule that is likely at most.
    #[test]
    fn mixed_rate_tells_shared_limits_from_separate_ones() {
        use CloudSharing::{Apart, Joint};
        for (kind, mark, mixed, found, verdict) in [
            (Joint, CloudMark::K, 3000.0, Some(Joint), CloudVerdict::Kept),
            (Joint, CloudMark::K, 6000.0, Some(Apart), CloudVerdict::Kept),
            (Joint, CloudMark::K, 4200.0, None, CloudVerdict::Kept),
            (Apart, CloudMark::K, 6000.0, Some(Apart), CloudVerdict::Kept),
            (Apart, CloudMark::K, 3000.0, Some(Joint), CloudVerdict::LikelyNotKept),
            (Apart, CloudMark::R, 3000.0, Some(Joint), CloudVerdict::NotKept),
            (Joint, CloudMark::R, 2000.0, Some(Joint), CloudVerdict::NotKept),
        ] {
            let card = card(&with_rule(kind, mark), [3000.0, 3000.0, mixed]);
            assert_eq!((card.sharing_found(), card.verdict()), (found, Some(verdict)), "{kind:?} {mixed}");
        }
        let slow_writes = card(&with_rule(Joint, CloudMark::K), [3000.0, 2500.0, 2800.0]);
        assert_eq!(slow_writes.deciding().map(|check| check.load), Some(CloudLoad::Writes));
        assert_eq!(slow_writes.verdict(), Some(CloudVerdict::NotKept));
    }

    #[test]
    fn instance_limits_the_sum_of_its_volumes() {
        let mut limits = limits(source(CloudMark::R, Some("2025")));
        limits.instance = Some(CloudInstance {
            iops: Some(10_000.0),
            throughput: Some(500.0 * 1_048_576.0),
            row: source(CloudMark::R, Some("2025")),
            ..CloudInstance::default()
        });
        for (volumes, iops, limit) in [
            (1, 3000.0, CloudLimit::VolumeIops),
            (3, 9000.0, CloudLimit::VolumeIops),
            (4, 10_000.0, CloudLimit::InstanceIops),
        ] {
            limits.volumes = volumes;
            assert_eq!(limits.cap(CloudLoad::Reads, 4096), Some(CloudCap { iops, limit }), "{volumes}");
        }
        assert_eq!(limits.volumes_of_instance(), [Some(4.0), Some(4.0)]);
        limits.volume.pooled = true;
        assert_eq!(limits.cap(CloudLoad::Reads, 4096).map(|cap| cap.iops), Some(3000.0));
    }
}
