//! Limits of a volume and its machine, and those that bind for a load.

use super::{CloudMark, CloudSource, CloudUnit};
use serde::{Deserialize, Serialize};

/// Share of the limit above which a rate is beyond it.
pub(super) const BEYOND: f64 = 1.05;
/// Block size of small I/Os, bytes.
const PAGE: u64 = 4096;

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

impl CloudLimit {
    /// Returns whether this is a limit on I/Os per second of volume or machine.
    pub fn is_of_iops(self) -> bool {
        matches!(self, CloudLimit::VolumeIops | CloudLimit::InstanceIops)
    }
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
        let (own_iops, own_rate) = (self.together(volume.iops), self.together(volume.throughput));
        let iops = of(CloudQuantity::Iops, own_iops, machine.iops, machine.burst_iops);
        let bytes = of(CloudQuantity::Throughput, own_rate, machine.throughput, machine.burst_throughput);
        iops.into_iter().chain(bytes).collect()
    }
}
