//! Claims of an audit: each kind of finding about a printed result with its numbers, rule and grade.

use crate::finding::{Claim, Grade};
use serde::{Deserialize, Serialize};

/// Bytes that hardly any machine holds in its page cache.
const MORE_THAN_MEMORY: f64 = 1.3e11;
/// Bandwidth in bytes per second below which reads through the page cache cannot all have come from memory.
const SLOWER_THAN_MEMORY: f64 = 700e6;
/// Ratio of a random to a sequential bandwidth from which no property of a device explains it.
const CERTAINLY_FASTER: f64 = 1.4;

/// Law that correct figures meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditLaw {
    /// Bandwidth is IOPS times block size.
    RateTimesBlock,
    /// Amount divided by time is the rate.
    AmountOverTime,
    /// Two spellings of one number agree.
    Spellings,
    /// Minimum, percentiles and maximum ascend, and the mean is between minimum and maximum.
    Order,
    /// The shares of all ranges sum to 100 %.
    Shares,
    /// Parts sum to the whole.
    Parts,
    /// Bytes divide by the block size.
    Whole,
    /// At depth 1, the rate is at most the reciprocal of the mean latency.
    Reciprocal,
    /// The mean is one that the percentiles allow.
    Mean,
    /// The standard deviation is one that minimum, mean and maximum allow.
    Deviation,
}

/// Unit of the figures of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureUnit {
    /// Bytes per second.
    BytesPerSecond,
    /// Bytes.
    Bytes,
    /// I/Os per second.
    PerSecond,
    /// Nanoseconds.
    Nanoseconds,
    /// Percent.
    Percent,
    /// A number without unit.
    Count,
}

/// Part of the system whose limit a figure exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CeilingKind {
    /// Moving heads of a hard disk.
    Heads,
    /// Transfer rate of a hard disk's platters.
    Platters,
    /// SATA link (6 Gb/s).
    Sata,
    /// PCIe link of an NVMe device.
    Pcie,
    /// The link given with the command.
    Link,
    /// USB or card interface.
    Card,
}

/// Statement of an audit with its numbers. Rules and thresholds are in `lab::audit`, words in `report::audit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", content = "evidence", rename_all = "snake_case")]
pub enum AuditClaim {
    /// A claim that fathom also makes about its own runs.
    Run(Claim),
    /// The test reads memory on purpose: its figure is not one of the disk.
    MemoryTest,
    /// Reads or writes went through the page cache.
    Buffered {
        /// Whether data was written.
        write: bool,
        /// Bytes transferred or size of the file; `None` if not known.
        bytes: Option<f64>,
        /// Memory of the machine, bytes; `None` if not known.
        ram: Option<f64>,
        /// Rate, bytes per second; `None` if not known.
        bytes_per_second: Option<f64>,
    },
    /// The figures are not possible for flash or disks, only for memory: latency.
    MemoryLatency {
        /// Latency, nanoseconds.
        ns: f64,
        /// Percentile of this latency; `None` for the mean.
        percent: Option<f64>,
    },
    /// The bandwidth of one synchronous thread is that of memory.
    MemorySpeed {
        /// Bandwidth, bytes per second.
        bytes_per_second: f64,
    },
    /// The device completed far fewer I/Os than the job: a cache or unwritten data served the rest.
    DeviceIdle {
        /// Kernel name of the device.
        device: String,
        /// I/Os of the job.
        job: u64,
        /// I/Os of the device.
        device_ios: u64,
    },
    /// A rate is above what the stated device or link can do.
    AboveCeiling {
        /// Limit that is exceeded.
        ceiling: CeilingKind,
        /// Rate as printed, in `unit`.
        printed: f64,
        /// Largest possible rate, in `unit`.
        limit: f64,
        /// Unit of both rates.
        unit: FigureUnit,
        /// Whether the medium is only mentioned in the text, so that the mention may be of another device.
        mentioned: bool,
    },
    /// Random writes to a hard disk were faster than its heads: a write-back cache acknowledged them.
    WriteCache {
        /// Rate, I/Os per second.
        iops: f64,
        /// Rate at which heads can do it, I/Os per second.
        heads: f64,
        /// Whether the text names the write-back cache.
        named: bool,
    },
    /// The data consisted of zeros or a repeated pattern.
    ZeroData {
        /// Whether a pattern was repeated; false for zeros.
        pattern: bool,
    },
    /// Two figures of the result contradict each other.
    Contradiction {
        /// Law that they break.
        law: AuditLaw,
        /// Figure as printed, in `unit`.
        printed: f64,
        /// Figure that follows from the others, in `unit`.
        computed: f64,
        /// Unit of both figures.
        unit: FigureUnit,
        /// Factor of a usual unit error that explains the difference (1.024, 1.048576, 8, 1000 ...).
        slip: Option<f64>,
    },
    /// More I/Os would have been in flight than the job can have (Little's law).
    TooManyInFlight {
        /// IOPS times mean latency.
        in_flight: f64,
        /// Largest possible number in flight.
        possible: f64,
    },
    /// The rates during the run vary widely, so the mean is no property of the device.
    Swings {
        /// Smallest rate of a sample, percent of the mean.
        min_percent: f64,
        /// Standard deviation of the samples, percent of the mean.
        stddev_percent: f64,
    },
    /// The rate is constant within a narrow band although the queue was full: a rate limit.
    FlatRate {
        /// Rate, I/Os per second.
        iops: f64,
        /// Standard deviation of the samples, percent of the mean; `None` if the number itself is the evidence.
        stddev_percent: Option<f64>,
        /// Whether the rate is one that providers sell or administrators set.
        round: bool,
    },
    /// Most I/Os are fast and a second group waits about as long as a throttle's period.
    SecondMode {
        /// Median latency, nanoseconds.
        p50_ns: f64,
        /// Latency of the waiting group, nanoseconds.
        slow_ns: f64,
        /// Percentile from which the latency is slow.
        percent: f64,
    },
    /// The rate was limited by an option of the test, so it is no maximum.
    RateLimited,
    /// The figure is the best of several runs.
    BestOf {
        /// Number of runs; 0 if not known.
        runs: u32,
    },
    /// The report is an average since the machine was started.
    SinceBoot {
        /// Whether the text shows it; false if it only shows nothing else.
        certain: bool,
    },
    /// A monitor counted the I/O of all programs after merging; it is no benchmark.
    Monitor,
    /// The tool printed no figure because the test ended too early.
    NotTimed,
    /// The region is smaller than caches that may hold it.
    SmallRegion {
        /// Size of the region, bytes.
        bytes: f64,
        /// Memory of the machine, bytes; `None` if not known.
        ram: Option<f64>,
    },
    /// Random reads of a hard disk were too fast for whole-disk seeks: the heads moved over a small part.
    ShortSeeks {
        /// Size of the region, bytes.
        bytes: f64,
        /// Rate, I/Os per second.
        iops: f64,
    },
    /// A share of the I/Os is faster than any device of this kind.
    ImpossiblyFast {
        /// Percent of the I/Os.
        percent: f64,
        /// Latency below which they were, nanoseconds.
        below_ns: f64,
    },
    /// Records were read or written in part, so block size and amount are not what was asked.
    PartialRecords {
        /// Number of such records.
        records: u64,
    },
    /// The tool prints two rates, and this one counts pauses.
    WallRate {
        /// Rate over wall time, requests per second.
        wall: f64,
        /// Rate without pauses, requests per second.
        device: f64,
    },
    /// Deepening the queue raised latency and not the rate.
    PastKnee {
        /// Number of I/Os in flight of this result.
        depth: f64,
        /// Number of I/Os in flight of the other result.
        shallower: f64,
        /// Rate of this result divided by the rate of the other.
        gain: f64,
        /// Latency of this result divided by the latency of the other.
        latency: f64,
    },
    /// Random I/O was faster than sequential I/O of the same block size.
    RandomFaster {
        /// Bandwidth of the random result, bytes per second.
        random: f64,
        /// Bandwidth of the sequential result, bytes per second.
        sequential: f64,
    },
    /// Larger blocks were slower than smaller ones.
    LargerSlower {
        /// Block size of this result, bytes.
        block: f64,
        /// Bandwidth of this result, bytes per second.
        bandwidth: f64,
        /// Block size of the other result, bytes.
        smaller: f64,
        /// Bandwidth of the other result, bytes per second.
        faster: f64,
    },
    /// Reads were much slower than writes of the same load.
    ReadsSlower {
        /// Bandwidth of the reads, bytes per second.
        read: f64,
        /// Bandwidth of the writes, bytes per second.
        write: f64,
    },
    /// The rate is the same at two block sizes: a limit of IOPS.
    SameRate {
        /// Rate, I/Os per second.
        iops: f64,
        /// Block size of this result, bytes.
        block: f64,
        /// Block size of the other result, bytes.
        other: f64,
    },
    /// The text concludes from a mean what only the distribution shows.
    MeanQuoted,
    /// The text quotes a figure with a unit that is not the tool's.
    UnitQuoted {
        /// Rate as the text quotes it, bytes per second.
        quoted: f64,
        /// Rate as the tool printed it, bytes per second.
        printed: f64,
    },
    /// The write rate is far above the steady state of this class: a drive with erased flash.
    FreshDrive {
        /// Rate, I/Os per second.
        iops: f64,
        /// Upper end of steady states of the class, I/Os per second.
        steady: f64,
    },
    /// The same text stands twice; it is one result.
    Repeated,
    /// The text breaks off within the result.
    Truncated,
    /// Only averages are printed, and the largest value shows that they hide slow I/Os.
    AverageHides {
        /// Mean, nanoseconds.
        mean_ns: f64,
        /// Largest latency, nanoseconds.
        max_ns: f64,
    },
    /// Latency covers syncs as well as I/Os.
    MixedLatency,
    /// Reads were faster than the flash of this class: they reached blocks that were never written, or a cache.
    UnmappedReads {
        /// Mean latency, nanoseconds.
        ns: f64,
    },
    /// Doubling the depth doubled the rate at the same latency: more I/Os in flight would be faster still.
    LatencyBound {
        /// Number of I/Os in flight.
        depth: f64,
        /// Mean latency, nanoseconds.
        ns: f64,
    },
    /// The same load was several times faster when it was repeated.
    SecondPass {
        /// Rate divided by the earlier rate.
        ratio: f64,
    },
    /// The per-character tests measure the CPU.
    CpuTest,
    /// The run was short, and the text has no percentiles.
    ShortRun {
        /// Measured time, seconds.
        seconds: f64,
    },
    /// Other lines of the text have rates that could not be read as results, so the answer does not cover them.
    UnreadRates {
        /// Numbers of the lines, ascending.
        lines: Vec<usize>,
    },
    /// A monitor saw too few I/Os to describe the device.
    FewIos {
        /// Rate, I/Os per second.
        iops: f64,
    },
    /// No machine reaches this rate.
    Impossible,
    /// A field has a value that it cannot have, or several fields contradict each other.
    WrongFields {
        /// The fields as the text has them, with name and value.
        fields: Vec<String>,
    },
    /// Synced writes were too fast for a write to a medium: the flush may be ignored.
    FreeSync {
        /// Mean time of a synced write, nanoseconds.
        ns: f64,
    },
}

impl AuditClaim {
    /// Returns the rule of the claim: `M1` to `M40` of the table in `docs/method.md`, or a word (`law`, `text`).
    pub fn rule(&self) -> &'static str {
        use AuditClaim::*;
        match self {
            Run(claim) => claim.rule(),
            MemoryTest | Buffered { .. } | MemorySpeed { .. } | DeviceIdle { .. } => "M1",
            MemoryLatency { .. } | AboveCeiling { .. } => "M2",
            SmallRegion { .. } => "M3",
            LatencyBound { .. } => "M6",
            UnmappedReads { .. } => "M9",
            SecondPass { .. } => "M10",
            PastKnee { .. } => "M7",
            ZeroData { .. } => "M11",
            FreshDrive { .. } => "M14",
            Swings { .. } => "M15",
            WriteCache { .. } => "M16",
            ShortRun { .. } | NotTimed | SinceBoot { .. } | Truncated | FewIos { .. } => "M17",
            UnreadRates { .. } => "text",
            ShortSeeks { .. } => "M19",
            CpuTest => "M22",
            Monitor | PartialRecords { .. } => "M27",
            BestOf { .. } | AverageHides { .. } | MixedLatency | MeanQuoted => "M30",
            FlatRate { .. } | SecondMode { .. } | RateLimited | SameRate { .. } => "M33",
            ImpossiblyFast { .. } => "M34",
            Contradiction { slip: Some(_), .. } | WallRate { .. } | UnitQuoted { .. } => "M37",
            Contradiction { .. } | TooManyInFlight { .. } | Impossible | WrongFields { .. } | Repeated => {
                "law"
            }
            FreeSync { .. } => "M35",
            RandomFaster { .. } | LargerSlower { .. } | ReadsSlower { .. } => "M40",
        }
    }

    /// Returns the best grade that a result with this finding can have.
    pub fn grade(&self) -> Grade {
        use AuditClaim::*;
        match self {
            Run(claim) => claim.grade(),
            AboveCeiling { mentioned: true, .. } => Grade::Conditions,
            // Two units that differ by a few percent were mixed up.
            Contradiction { slip: Some(factor), .. } if (0.9..1.1).contains(factor) => Grade::Caveats,
            MemoryTest
            | MemoryLatency { .. }
            | MemorySpeed { .. }
            | DeviceIdle { .. }
            | AboveCeiling { .. }
            | Contradiction { .. }
            | TooManyInFlight { .. }
            | Impossible
            | WrongFields { .. }
            | NotTimed => Grade::NotTheDevice,
            // Data of more than the memory reaches the device; less, or an unknown memory, may not.
            Buffered { bytes: Some(bytes), ram: Some(ram), .. } if *bytes >= 2.0 * ram => Grade::Conditions,
            Buffered { bytes: Some(bytes), ram: None, .. } if *bytes >= MORE_THAN_MEMORY => Grade::Conditions,
            // Memory is faster than this, so at least a part of the reads reached the device.
            Buffered { write: false, bytes_per_second: Some(rate), .. } if *rate < SLOWER_THAN_MEMORY => {
                Grade::Conditions
            }
            Buffered { .. } => Grade::NotTheDevice,
            // Who names the cache knows what was measured.
            WriteCache { named: true, .. } => Grade::Caveats,
            // Dies of flash and objects of a cluster serve neighbouring blocks one after the other.
            RandomFaster { random, sequential } if *random < CERTAINLY_FASTER * sequential => Grade::Caveats,
            WriteCache { .. }
            | ZeroData { .. }
            | SinceBoot { certain: true }
            | SmallRegion { .. }
            | ImpossiblyFast { .. }
            | RandomFaster { .. }
            | SecondMode { .. }
            | FreeSync { .. }
            | ShortRun { .. }
            | UnmappedReads { .. }
            | SecondPass { .. }
            | Swings { .. } => Grade::Conditions,
            FlatRate { .. }
            | RateLimited
            | SameRate { .. }
            | LargerSlower { .. }
            | ReadsSlower { .. }
            | MeanQuoted
            | UnitQuoted { .. }
            | ShortSeeks { .. }
            | CpuTest
            | LatencyBound { .. }
            | FreshDrive { .. }
            | SinceBoot { .. }
            | PartialRecords { .. }
            | WallRate { .. }
            | PastKnee { .. }
            | Truncated
            | UnreadRates { .. }
            | FewIos { .. }
            | AverageHides { .. } => Grade::Caveats,
            BestOf { .. } | Monitor | Repeated | MixedLatency => Grade::Trusted,
        }
    }

    /// Returns the place of the claim among those of its grade: causes, then stalls, then how other figures look.
    pub fn rank(&self) -> u8 {
        match self {
            AuditClaim::Run(Claim::Stall { .. } | Claim::BusyIsNotFull { .. }) => 1,
            claim => 2 * u8::from(claim.is_symptom()),
        }
    }

    /// Returns whether the claim only says how figures look, and not why.
    fn is_symptom(&self) -> bool {
        use AuditClaim::*;
        match self {
            Run(claim) => matches!(
                claim,
                Claim::TooShort { .. }
                    | Claim::Unsteady { .. }
                    | Claim::MeanHides { .. }
                    | Claim::Shallow { .. }
                    | Claim::NotDurable { .. }
            ),
            ShortRun { .. }
            | Swings { .. }
            | AverageHides { .. }
            | BestOf { .. }
            | Truncated
            | UnreadRates { .. }
            | Monitor
            | MixedLatency => true,
            _ => false,
        }
    }
}
