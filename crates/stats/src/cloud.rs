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

/// Limits that apply together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CloudLimits {
    /// Volume.
    pub volume: CloudVolume,
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
        let iops = least(volume.iops, instance.and_then(|i| i.iops));
        let throughput = least(volume.throughput, instance.and_then(|i| i.throughput));
        // Larger requests count as several I/Os, smaller ones as a whole unit: one limit binds at every size.
        let beyond = |bytes: &f64| volume.io_unit.is_none_or(|unit| *bytes < unit as f64);
        self.crossover = iops.zip(throughput).map(|(iops, bytes)| bytes / iops);
        self.crossover = self.crossover.filter(|bytes| beyond(bytes) && !volume.whole_units);
        self.depth = self.cap(PAGE).map(|cap| (cap.iops * latency_ns / 1e9).ceil().max(1.0));
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
        self.cap(PAGE).filter(|_| known && self.crossover.is_none()).map(|cap| cap.limit)
    }

    /// Returns the rate that the limits permit for reads of `block` bytes; `None` if no limit is known.
    pub fn cap(&self, block: u64) -> Option<CloudCap> {
        self.cap_of(block, false)
    }

    /// Returns the rate that the limits permit during a burst; `None` without a burst that permits more than the base.
    pub fn burst_cap(&self, block: u64) -> Option<CloudCap> {
        let burst = self.cap_of(block, true)?;
        self.cap(block).filter(|base| burst.iops > base.iops * BEYOND).map(|_| burst)
    }

    fn cap_of(&self, block: u64, bursting: bool) -> Option<CloudCap> {
        let volume = &self.volume;
        let burst = volume.burst.as_ref().filter(|_| bursting);
        let machine = self.instance.as_ref();
        let of = |base: Option<f64>, burst: Option<f64>| if bursting { burst.or(base) } else { base };
        let units = volume.io_unit.map_or(1, |unit| block.div_ceil(unit)) as f64;
        let bytes =
            volume.io_unit.filter(|_| volume.whole_units).map_or(block, |unit| block.max(unit)) as f64;
        let caps = [
            (of(volume.iops, burst.and_then(|b| b.iops)).map(|iops| iops / units), CloudLimit::VolumeIops),
            (
                of(volume.throughput, burst.and_then(|b| b.throughput)).map(|rate| rate / bytes),
                CloudLimit::VolumeThroughput,
            ),
            (machine.and_then(|m| of(m.iops, m.burst_iops)), CloudLimit::InstanceIops),
            (
                machine.and_then(|m| of(m.throughput, m.burst_throughput)).map(|rate| rate / block as f64),
                CloudLimit::InstanceThroughput,
            ),
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
    }

    /// Returns the measured rate as a share of the limit in percent; `None` if nothing was measured.
    pub fn share(&self) -> Option<f64> {
        self.measured.map(|m| 100.0 * m.value / self.cap.iops)
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
        let worst = self.checks.iter().map(CloudCheck::verdict).max().unwrap_or(CloudVerdict::NotSure);
        let doubtful = self.error.is_some() || self.grade() == Grade::NotTheDevice;
        Some(if doubtful { CloudVerdict::NotSure } else { worst })
    }

    /// Returns the pattern that decides: the first with the worst verdict.
    pub fn deciding(&self) -> Option<&CloudCheck> {
        let worst = self.checks.iter().map(CloudCheck::verdict).max()?;
        self.checks.iter().find(|check| check.verdict() == worst)
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

    fn check(limits: &CloudLimits, [low, value, high]: [f64; 3]) -> CloudCheck {
        let mut check = CloudCheck {
            block: 4096,
            random: true,
            depth: 16,
            measured: Some(Estimate { value, low, high }),
            cap: limits.cap(4096).unwrap(),
            burst: limits.burst_cap(4096),
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
        assert_eq!(limits.cap(256 << 10).unwrap().limit, CloudLimit::VolumeThroughput);
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
    fn io_units_count_as_the_provider_counts() {
        let mut limits = limits(source(CloudMark::R, Some("2025")));
        limits.volume.io_unit = Some(256 << 10);
        limits.volume.throughput = None;
        assert_eq!(limits.cap(256 << 10).map(|cap| cap.iops), Some(3000.0));
        assert_eq!(limits.cap((256 << 10) + 1).map(|cap| cap.iops), Some(1500.0));
        limits.volume.io_unit = Some(1 << 20);
        limits.volume.whole_units = true;
        limits.volume.throughput = Some(40.0 * 1_048_576.0);
        assert_eq!(limits.cap(4096).map(|cap| cap.iops), Some(40.0));
    }
}
