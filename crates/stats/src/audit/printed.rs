//! Figures as another tool printed them, with the rounding of each number.

use serde::{Deserialize, Serialize};

/// Number as printed: the true value is within `half` of `value`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrintedNumber {
    /// Value in the base unit (bytes, seconds, nanoseconds for latencies, events per second).
    pub value: f64,
    /// Half of the last printed digit, same unit.
    pub half: f64,
}

impl PrintedNumber {
    /// Returns a number without rounding.
    pub fn exact(value: f64) -> Self {
        PrintedNumber { value, half: 0.0 }
    }

    /// Returns the smallest possible value, at least 0.
    pub fn low(self) -> f64 {
        (self.value - self.half).max(0.0)
    }

    /// Returns the largest possible value.
    pub fn high(self) -> f64 {
        self.value + self.half
    }

    /// Returns the number in another unit.
    pub fn scaled(self, factor: f64) -> Self {
        PrintedNumber { value: self.value * factor, half: self.half * factor }
    }

    /// Returns the product of two numbers with its rounding.
    pub fn times(self, other: Self) -> Self {
        Self::between(self.low() * other.low(), self.high() * other.high(), self.value * other.value)
    }

    /// Returns the quotient of two numbers with its rounding; `None` if the divisor may be 0.
    pub fn over(self, other: Self) -> Option<Self> {
        let (low, high) = (other.low(), other.high());
        (low > 0.0)
            .then(|| Self::between(self.low() / high, self.high() / low, self.value / other.value))
            .filter(|ratio| ratio.value.is_finite())
    }

    /// Returns the sum of two numbers with its rounding.
    pub fn plus(self, other: Self) -> Self {
        PrintedNumber { value: self.value + other.value, half: self.half + other.half }
    }

    /// Returns whether both numbers can be the same value, apart from a relative difference of `slack`.
    pub fn agrees(self, other: Self, slack: f64) -> bool {
        let room = slack * self.value.abs().max(other.value.abs());
        (self.value - other.value).abs() <= self.half + other.half + room
    }

    fn between(low: f64, high: f64, value: f64) -> Self {
        PrintedNumber { value, half: (high - value).max(value - low).max(0.0) }
    }
}

/// Program that printed a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names of the programs say it")]
pub enum BenchmarkTool {
    Fio,
    Dd,
    Hdparm,
    Ioping,
    Iostat,
    Sysbench,
    PgTestFsync,
    Bonnie,
    CrystalDiskMark,
    AsSsd,
    Diskspd,
    Iometer,
    Elbencho,
    Vdbench,
    Yabs,
    BenchSh,
    Iozone,
    Rados,
    Filebench,
    Winsat,
    /// A line or table that a person typed.
    #[default]
    Typed,
}

impl BenchmarkTool {
    /// All programs.
    pub const ALL: [BenchmarkTool; 20] = [
        BenchmarkTool::Fio,
        BenchmarkTool::Dd,
        BenchmarkTool::Hdparm,
        BenchmarkTool::Ioping,
        BenchmarkTool::Iostat,
        BenchmarkTool::Sysbench,
        BenchmarkTool::PgTestFsync,
        BenchmarkTool::Bonnie,
        BenchmarkTool::CrystalDiskMark,
        BenchmarkTool::AsSsd,
        BenchmarkTool::Diskspd,
        BenchmarkTool::Iometer,
        BenchmarkTool::Elbencho,
        BenchmarkTool::Vdbench,
        BenchmarkTool::Yabs,
        BenchmarkTool::BenchSh,
        BenchmarkTool::Iozone,
        BenchmarkTool::Rados,
        BenchmarkTool::Filebench,
        BenchmarkTool::Winsat,
    ];

    /// Returns the name of the program as its authors write it; empty for typed text.
    pub fn name(self) -> &'static str {
        match self {
            BenchmarkTool::Fio => "fio",
            BenchmarkTool::Dd => "dd",
            BenchmarkTool::Hdparm => "hdparm",
            BenchmarkTool::Ioping => "ioping",
            BenchmarkTool::Iostat => "iostat",
            BenchmarkTool::Sysbench => "sysbench",
            BenchmarkTool::PgTestFsync => "pg_test_fsync",
            BenchmarkTool::Bonnie => "bonnie++",
            BenchmarkTool::CrystalDiskMark => "CrystalDiskMark",
            BenchmarkTool::AsSsd => "AS SSD",
            BenchmarkTool::Diskspd => "diskspd",
            BenchmarkTool::Iometer => "Iometer",
            BenchmarkTool::Elbencho => "elbencho",
            BenchmarkTool::Vdbench => "vdbench",
            BenchmarkTool::Yabs => "yabs",
            BenchmarkTool::BenchSh => "bench.sh",
            BenchmarkTool::Iozone => "iozone",
            BenchmarkTool::Rados => "rados bench",
            BenchmarkTool::Filebench => "filebench",
            BenchmarkTool::Winsat => "winsat",
            BenchmarkTool::Typed => "",
        }
    }
}

/// Kind of the I/Os of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IoKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes together.
    Mixed,
    /// Writes, each followed by a sync.
    SyncedWrite,
    /// Discards.
    Trim,
    /// The text does not show it.
    #[default]
    Unknown,
}

impl IoKind {
    /// Returns whether data was written.
    pub fn writes(self) -> bool {
        matches!(self, IoKind::Write | IoKind::Mixed | IoKind::SyncedWrite)
    }

    /// Returns whether data was read.
    pub fn reads(self) -> bool {
        matches!(self, IoKind::Read | IoKind::Mixed)
    }
}

/// When written data was made durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrintedSyncs {
    /// Never.
    Never,
    /// Once at the end, within the measured time.
    AtEnd,
    /// After every few writes.
    Regular,
    /// After each write, or by O_SYNC or O_DSYNC.
    Each,
}

/// Contents of written data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrintedPayload {
    /// Zeros.
    Zeros,
    /// A repeated pattern.
    Pattern,
    /// Incompressible data.
    Random,
}

/// Latencies in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrintedLatency {
    /// Mean.
    pub mean: Option<PrintedNumber>,
    /// Smallest.
    pub min: Option<PrintedNumber>,
    /// Largest.
    pub max: Option<PrintedNumber>,
    /// Standard deviation.
    pub stddev: Option<PrintedNumber>,
    /// Percentiles: percent of the I/Os and their largest latency, ascending by percent.
    pub percentiles: Vec<(f64, PrintedNumber)>,
    /// Whether the percentiles start with the completion of the submit call although the other figures do not.
    pub percentiles_from_submitted: bool,
    /// Whether the latencies start with the completion of the submit call (fio's clat) rather than with its start.
    pub from_submitted: bool,
}

impl PrintedLatency {
    /// Returns a percentile; `None` if it is not printed.
    pub fn percentile(&self, percent: f64) -> Option<PrintedNumber> {
        self.percentiles.iter().find(|(p, _)| (p - percent).abs() < 1e-6).map(|(_, ns)| *ns)
    }

    /// Returns whether no latency is known.
    pub fn is_empty(&self) -> bool {
        self.mean.is_none() && self.min.is_none() && self.max.is_none() && self.percentiles.is_empty()
    }
}

/// Rates of samples during the run, in bytes or I/Os per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintedRange {
    /// Smallest sample.
    pub min: f64,
    /// Largest sample.
    pub max: f64,
    /// Mean of the samples.
    pub mean: f64,
    /// Standard deviation of the samples.
    pub stddev: f64,
    /// Number of samples; 0 if not printed.
    pub samples: u64,
}

/// I/O of a block device during the run (fio's disk stats).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrintedDevice {
    /// Kernel name.
    pub name: String,
    /// Completed reads and writes.
    pub ios: [u64; 2],
    /// Merged reads and writes.
    pub merges: [u64; 2],
    /// Utilization, percent; `None` if not a number.
    pub util_percent: Option<f64>,
}

/// Two printed numbers, or a printed number and one computed from others, that are equal in a correct result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintedCheck {
    /// Law that makes them equal.
    pub law: super::AuditLaw,
    /// Unit of both numbers.
    pub unit: super::FigureUnit,
    /// Number as printed.
    pub printed: PrintedNumber,
    /// Number that follows from the other figures.
    pub computed: PrintedNumber,
}

/// Medium that the text around a result states.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintedMedium {
    /// The medium.
    pub medium: super::StatedMedium,
    /// Number of devices; `None` if not stated.
    pub devices: Option<u32>,
    /// Whether it is one of an array, also of an unknown number of devices.
    pub array: bool,
    /// Number of the line that states it, from 1.
    pub line: usize,
}

/// Link to the storage that the text around a result states.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrintedLink {
    /// Largest bandwidth, bytes per second.
    pub bytes_per_second: f64,
    /// Number of the line that states it, from 1.
    pub line: usize,
}

/// Property of a tool's text that matters for its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReaderNote {
    /// The tool measured memory on purpose (hdparm -T).
    MemoryTest,
    /// The figure is the best of several runs.
    BestOf {
        /// Number of runs; 0 if not printed.
        runs: u32,
    },
    /// The report covers the time since the machine was started.
    SinceBoot,
    /// The report is the only one, and nothing shows that it does not cover the time since the machine was started.
    PerhapsSinceBoot,
    /// A monitor counted the I/O of all programs.
    Monitor,
    /// The tool prints no figure because the test ended too early.
    NotTimed,
    /// Records were read or written in part.
    PartialRecords {
        /// Number of such records.
        records: u64,
    },
    /// The rate was limited by options (rate, think time, iorate).
    RateLimited,
    /// The text breaks off within the result.
    Truncated,
    /// The result is the last of several reports of one run.
    EarlierReports {
        /// Number of earlier reports.
        reports: u32,
    },
    /// The tool counts a rate over wall time with pauses between the requests.
    WallRate {
        /// That rate, requests per second.
        per_second: f64,
    },
    /// Latency covers syncs as well as I/Os.
    MixedLatency,
    /// The partition does not start at a multiple of 4 KiB.
    Misaligned {
        /// First sector, in units of 512 bytes.
        start_sector: u64,
    },
    /// All jobs access the same bytes in the same order.
    SharedRegion,
    /// The tool tests the CPU (bonnie++ per character).
    CpuTest,
    /// A field has a value that it cannot have, or several fields contradict each other.
    WrongFields {
        /// The fields as the text has them, with name and value.
        fields: Vec<String>,
    },
    /// The text around the result names a write-back cache (a battery of a controller).
    WriteBackNamed,
    /// The text concludes from the busy time that the device is saturated.
    BusyQuoted {
        /// Number of the line.
        line: usize,
    },
    /// The text promises by a mean what only the distribution shows.
    MeanQuoted {
        /// Number of the line.
        line: usize,
    },
    /// The text takes the writes for durable.
    DurableQuoted {
        /// Number of the line.
        line: usize,
    },
    /// The text has rates that could not be read as results; one result of the text has this note.
    UnreadRates {
        /// Numbers of the lines, ascending.
        lines: Vec<usize>,
    },
    /// The text quotes the rate with the digits of another unit.
    UnitQuoted {
        /// Rate as quoted, bytes per second.
        quoted: f64,
        /// Number of the line.
        line: usize,
    },
}

/// One result as a tool printed it. `None`, empty or `Unknown`: the text does not state it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrintedResult {
    /// Program that printed it.
    pub tool: BenchmarkTool,
    /// Version of the program.
    pub version: String,
    /// File with the text, as given.
    pub file: String,
    /// First and last line of the text, from 1.
    pub lines: [usize; 2],
    /// Name of the job or test.
    pub label: String,
    /// Command line found with the text.
    pub command: String,
    /// File or device that was measured.
    pub target: String,
    /// Medium that the text states near the result.
    pub stated: Option<PrintedMedium>,
    /// Link that the text states near the result.
    pub link: Option<PrintedLink>,
    /// Kind of the I/Os.
    pub kind: IoKind,
    /// Whether the offsets were random.
    pub random: Option<bool>,
    /// Block size, bytes.
    pub block: Option<PrintedNumber>,
    /// Bytes transferred.
    pub amount: Option<PrintedNumber>,
    /// Number of I/Os.
    pub ios: Option<u64>,
    /// Size of the file or region of all jobs, bytes.
    pub region: Option<f64>,
    /// Measured time, seconds.
    pub seconds: Option<PrintedNumber>,
    /// Configured time, seconds.
    pub asked_seconds: Option<f64>,
    /// I/Os per second.
    pub iops: Option<PrintedNumber>,
    /// Bytes per second.
    pub bandwidth: Option<PrintedNumber>,
    /// Configured queue depth of each job.
    pub depth: Option<u32>,
    /// Number of jobs or threads.
    pub jobs: Option<u32>,
    /// Name of the I/O engine.
    pub engine: String,
    /// Whether each job has at most one I/O in flight.
    pub synchronous: Option<bool>,
    /// Whether the page cache was bypassed.
    pub direct: Option<bool>,
    /// When written data was made durable.
    pub syncs: Option<PrintedSyncs>,
    /// Contents of written data.
    pub payload: Option<PrintedPayload>,
    /// Latencies of the I/Os.
    pub latency: PrintedLatency,
    /// Latencies of the syncs.
    pub sync_latency: PrintedLatency,
    /// Number of I/Os of the job's other direction in flight, by IOPS times mean latency; 0 if there is none.
    pub others_in_flight: f64,
    /// Mean time in the submit call, nanoseconds.
    pub submit: Option<PrintedNumber>,
    /// Share of the I/Os with a latency below a bound: (bound in nanoseconds, percent), one entry per printed range.
    pub shares: Vec<(f64, f64)>,
    /// CPU time of the load generator, percent of its wall time.
    pub cpu_percent: Option<f64>,
    /// Rates during the run.
    pub samples: Option<PrintedRange>,
    /// Block devices under the target.
    pub devices: Vec<PrintedDevice>,
    /// Number of failed I/Os, or the error number of the job.
    pub errors: u64,
    /// Equalities that the figures have to meet.
    pub checks: Vec<PrintedCheck>,
    /// Properties of the text that matter for the figures.
    pub notes: Vec<ReaderNote>,
    /// Claims by the rules of fathom's own runs, for formats with all figures of a run (fio's JSON).
    pub claims: Vec<crate::finding::Claim>,
}

impl PrintedResult {
    /// Adds an equality that the figures have to meet.
    pub fn check(
        &mut self,
        law: super::AuditLaw,
        unit: super::FigureUnit,
        printed: PrintedNumber,
        computed: PrintedNumber,
    ) {
        self.checks.push(PrintedCheck { law, unit, printed, computed });
    }

    /// Adds the equality of a rate with amount divided by time; of a time that is rounded to 0, the largest possible time
    /// bounds the rate from below.
    pub fn check_rate(
        &mut self,
        unit: super::FigureUnit,
        amount: PrintedNumber,
        seconds: PrintedNumber,
        rate: PrintedNumber,
    ) {
        let law = super::AuditLaw::AmountOverTime;
        if let Some(computed) = amount.over(seconds) {
            self.check(law, unit, rate, computed);
        } else if seconds.high() > 0.0 {
            let least = PrintedNumber::exact(amount.low() / seconds.high());
            self.check_order(law, unit, least, rate);
        }
    }

    /// Adds a contradiction if a number is above one that cannot be smaller.
    pub fn check_order(
        &mut self,
        law: super::AuditLaw,
        unit: super::FigureUnit,
        lower: PrintedNumber,
        upper: PrintedNumber,
    ) {
        if lower.low() > upper.high() {
            self.check(law, unit, upper, lower);
        }
    }
}
