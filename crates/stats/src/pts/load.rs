//! Stimulus of a test: access pattern, block size, threads and queue depth.

use serde::{Deserialize, Serialize};

/// A test of the SNIA Solid State Storage Performance Test Specification 2.0.2, or one of TKperf's for hard disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsTest {
    /// IOPS of random I/Os by read share and block size (section 7).
    Iops,
    /// Throughput of sequential I/Os (section 8).
    Throughput,
    /// Latency of random I/Os with one in flight (section 9).
    Latency,
    /// Write saturation: random 4 KiB writes from the purged state on (section 10).
    Wsat,
    /// Host idle recovery: writes interrupted by idle times (section 11).
    Hir,
    /// Cross stimulus recovery: sequential, random, sequential writes (section 12).
    Xsr,
    /// Composite block-size workload (section 13).
    Cbw,
    /// Demand intensity and response time histogram (section 14).
    Dirth,
    /// IOPS of random I/Os on 128 slices of a hard disk; of TKperf, not of the specification.
    HddIops,
    /// Throughput of sequential I/Os on 128 slices of a hard disk; of TKperf, not of the specification.
    HddThroughput,
}

impl PtsTest {
    /// All tests in the order of the specification.
    pub const ALL: [PtsTest; 8] = [
        PtsTest::Iops,
        PtsTest::Throughput,
        PtsTest::Latency,
        PtsTest::Wsat,
        PtsTest::Hir,
        PtsTest::Xsr,
        PtsTest::Cbw,
        PtsTest::Dirth,
    ];

    /// TKperf's tests of hard disks.
    pub const HDD: [PtsTest; 2] = [PtsTest::HddIops, PtsTest::HddThroughput];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PtsTest::Iops => "iops",
            PtsTest::Throughput => "throughput",
            PtsTest::Latency => "latency",
            PtsTest::Wsat => "wsat",
            PtsTest::Hir => "hir",
            PtsTest::Xsr => "xsr",
            PtsTest::Cbw => "cbw",
            PtsTest::Dirth => "dirth",
            PtsTest::HddIops => "hdd-iops",
            PtsTest::HddThroughput => "hdd-throughput",
        }
    }

    /// Returns the test with this name; `None` for any other text.
    pub fn from_name(name: &str) -> Option<PtsTest> {
        Self::ALL.into_iter().chain(Self::HDD).find(|test| test.name() == name)
    }

    /// Returns the number of the test's section in the specification; `None` for TKperf's tests.
    pub fn section(self) -> Option<u32> {
        Some(7 + Self::ALL.iter().position(|test| *test == self)? as u32)
    }
}

/// Settings of the specification: enterprise (PTS-E) or client (PTS-C).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsClass {
    /// PTS-E: volatile write cache disabled, active range 100 %.
    #[default]
    Enterprise,
    /// PTS-C: volatile write cache enabled, active range 75 %.
    Client,
}

impl PtsClass {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PtsClass::Enterprise => "enterprise",
            PtsClass::Client => "client",
        }
    }

    /// Returns the active range, percent of the capacity.
    pub fn active_range_percent(self) -> f64 {
        match self {
            PtsClass::Enterprise => 100.0,
            PtsClass::Client => 75.0,
        }
    }

    /// Returns the recommended number of threads and queue depth per thread.
    pub fn demand(self) -> (u32, u32) {
        match self {
            PtsClass::Enterprise => (4, 32),
            PtsClass::Client => (2, 16),
        }
    }

    /// Returns whether the volatile write cache is enabled during the tests.
    pub fn write_cache(self) -> bool {
        self == PtsClass::Client
    }
}

/// Block sizes of a stimulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtsBlock {
    /// One size, bytes.
    Bytes(u64),
    /// The mix of the composite block-size workload.
    Composite,
}

/// Load of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PtsLoad {
    /// Whether offsets are random.
    pub random: bool,
    /// Share of reads, percent.
    pub reads: u32,
    /// Block size.
    pub block: PtsBlock,
    /// Number of threads (`numjobs`).
    pub threads: u32,
    /// Queue depth of each thread (`iodepth`).
    pub depth: u32,
}

impl PtsLoad {
    /// Returns a random load with one block size.
    pub fn random(reads: u32, block: u64, threads: u32, depth: u32) -> PtsLoad {
        PtsLoad { random: true, reads, block: PtsBlock::Bytes(block), threads, depth }
    }

    /// Returns a sequential load of one thread.
    pub fn sequential(reads: u32, block: u64, depth: u32) -> PtsLoad {
        PtsLoad { random: false, reads, block: PtsBlock::Bytes(block), threads: 1, depth }
    }

    /// Returns the total number of I/Os in flight (TOIO).
    pub fn in_flight(&self) -> u32 {
        self.threads.saturating_mul(self.depth)
    }
}

/// Block sizes of the composite workload with their shares in percent, bytes.
pub const COMPOSITE: [(u64, u32); 12] = [
    (512, 4),
    (1024, 1),
    (1536, 1),
    (2048, 1),
    (2560, 1),
    (3072, 1),
    (3584, 1),
    (4096, 67),
    (8192, 10),
    (16384, 7),
    (32768, 3),
    (65536, 3),
];

/// Parts of the active range with their shares of the composite workload's accesses: percent of accesses, percent of
/// the range.
pub const COMPOSITE_SKEW: [(u32, u32); 3] = [(50, 5), (30, 15), (20, 80)];

/// Share of reads in the composite workload, percent.
pub const COMPOSITE_READS: u32 = 40;
