//! What a Ceph pool reaches compared with the disks of its OSDs: the model, and the answer of `fathom ceph`.

mod model;
mod verdict;

pub use model::{Expected, OsdLoad, counted_shares, expected, shares};
pub use verdict::{CephAdvice, advice};

use crate::direction::Direction;
use serde::{Deserialize, Serialize};

/// Access pattern that is measured on the disks and on the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CephPattern {
    /// Reads of 4 KiB at random offsets.
    RandomRead,
    /// Reads of 1 MiB at random offsets.
    LargeRead,
    /// Writes of 1 MiB at random offsets.
    LargeWrite,
    /// Writes of 4 KiB at random offsets.
    RandomWrite,
}

impl CephPattern {
    /// All patterns in the order of the measurement: small writes are last, because they fragment the objects.
    pub const ALL: [CephPattern; 4] =
        [Self::RandomRead, Self::LargeRead, Self::LargeWrite, Self::RandomWrite];

    /// Returns the name of the pattern: fio's `rw` and `bs`.
    pub fn name(self) -> &'static str {
        match self {
            Self::RandomRead => "4k randread",
            Self::LargeRead => "1M randread",
            Self::LargeWrite => "1M randwrite",
            Self::RandomWrite => "4k randwrite",
        }
    }

    /// Returns the pattern of a name of `--patterns` and `--disk`: `randread`, `read`, `write` or `randwrite`.
    pub fn from_option(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.option() == text)
    }

    /// Returns the name of the pattern in the options.
    pub fn option(self) -> &'static str {
        match self {
            Self::RandomRead => "randread",
            Self::LargeRead => "read",
            Self::LargeWrite => "write",
            Self::RandomWrite => "randwrite",
        }
    }

    /// Returns the bytes of an operation.
    pub fn block(self) -> u64 {
        if self.is_large() { 1 << 20 } else { 4096 }
    }

    /// Returns whether the pattern is limited by bandwidth; its figures are bytes per second.
    pub fn is_large(self) -> bool {
        matches!(self, Self::LargeRead | Self::LargeWrite)
    }

    /// Returns the direction.
    pub fn direction(self) -> Direction {
        match self {
            Self::RandomRead | Self::LargeRead => Direction::Read,
            Self::LargeWrite | Self::RandomWrite => Direction::Write,
        }
    }

    /// Returns the operations in flight on one disk.
    pub fn disk_depth(self) -> u32 {
        if self.is_large() { 8 } else { 32 }
    }

    /// Returns the operations in flight on a pool of this number of OSDs: 16 per OSD keep equal OSDs busy for at least 94 %
    /// of the time (see [`super::ceph`]), within what librados keeps in flight (`objecter_inflight_op_bytes` of 100 MiB,
    /// `objecter_inflight_ops` of 1024).
    pub fn pool_depth(self, osds: usize) -> u32 {
        let osds = u32::try_from(osds).unwrap_or(u32::MAX);
        let (least, most) = if self.is_large() { (32, 96) } else { (64, 1024) };
        osds.saturating_mul(16).clamp(least, most)
    }
}

/// Where a figure of a disk comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureSource {
    /// Measured by this command.
    Measured,
    /// Limit of the control group of the OSD.
    Limit,
    /// Given by the user.
    Given,
}

/// Rate of a disk in one pattern.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiskFigure {
    /// Operations per second of the pattern's block size.
    pub rate: f64,
    /// Source of the rate.
    pub source: FigureSource,
}

/// Limits that the control group of an OSD sets for its device; `None` = no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceLimits {
    /// Requests per second: reads, writes.
    pub iops: [Option<u64>; 2],
    /// Bytes per second: reads, writes.
    pub bytes_per_second: [Option<u64>; 2],
}

impl DeviceLimits {
    /// Returns the operations per second that the limits of a direction let through if each operation is this many requests
    /// and bytes; `None` without a limit.
    pub fn rate(&self, direction: Direction, requests: f64, bytes: f64) -> Option<f64> {
        let at = usize::from(direction != Direction::Read);
        let of =
            |limit: Option<u64>, load: f64| limit.filter(|_| load > 0.0).map(|limit| limit as f64 / load);
        let limits = [of(self.iops[at], requests), of(self.bytes_per_second[at], bytes)];
        limits.into_iter().flatten().reduce(f64::min)
    }
}

/// An OSD of the pool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CephOsd {
    /// Number of the OSD.
    pub id: i32,
    /// Host of the OSD.
    pub host: String,
    /// Object store: `bluestore`, `memstore`; empty if not known.
    pub store: String,
    /// Device class: `ssd`, `hdd`; empty if not known.
    pub class: String,
    /// Path of the device; empty without one.
    pub device: String,
    /// Process of the OSD if it runs on this host and can be examined.
    pub pid: Option<u32>,
    /// Smallest allocation of BlueStore, bytes.
    pub min_alloc: Option<u64>,
    /// Limits of its control group for the device.
    #[serde(default)]
    pub limits: DeviceLimits,
    /// Rates of the disk, in the order of [`CephPattern::ALL`]; `None` = unknown.
    pub disk: [Option<DiskFigure>; 4],
}

/// The pool as the monitors describe it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CephPoolFacts {
    /// Name of the pool.
    pub name: String,
    /// Copies; in an erasure-coded pool, chunks (k + m).
    pub size: u32,
    /// Smallest number of copies or chunks with which the pool takes writes.
    pub min_size: u32,
    /// Data chunks and coding chunks of an erasure-coded pool.
    pub erasure: Option<(u32, u32)>,
    /// Placement groups.
    pub pgs: u32,
    /// Health of the cluster: `HEALTH_OK`, `HEALTH_WARN`, `HEALTH_ERR`.
    pub health: String,
    /// Messages of the health checks.
    pub checks: Vec<String>,
    /// States of placement groups with recovery, backfill or scrub; empty if none, or without a manager.
    pub recovery: Vec<String>,
}

/// Client library through which a pool was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CephClient {
    /// Objects of the pool through librados.
    Rados,
    /// Image of the pool through librbd.
    Rbd,
    /// File on a CephFS mount.
    CephFs,
}

/// Counters of an OSD and of its device over one measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OsdCounters {
    /// Operations of clients: reads, and writes.
    pub client_ops: [u64; 2],
    /// Writes that another OSD sent as copies.
    pub replica_writes: u64,
    /// Bytes of these writes.
    pub replica_bytes: u64,
    /// Bytes of the clients' operations: read, written.
    pub client_bytes: [u64; 2],
    /// Small writes that went into the write-ahead log first, and to their place later.
    pub deferred_ops: u64,
    /// Bytes of these writes.
    pub deferred_bytes: u64,
    /// Bytes that RocksDB wrote to its write-ahead log.
    pub wal_bytes: u64,
    /// Bytes that RocksDB wrote to its tables.
    pub table_bytes: u64,
    /// Commits of the key-value store; each writes and flushes the log.
    pub commits: u64,
    /// Sum of the latencies of client operations, seconds: reads, writes.
    pub latency_s: [f64; 2],
}

/// What an OSD and its device did during one measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OsdWork {
    /// Number of the OSD.
    pub id: i32,
    /// Counters of the OSD; `None` if the client may not read them.
    pub counters: Option<OsdCounters>,
    /// Requests that the device completed: reads, writes; `None` if the device is not on this host.
    pub device_ios: Option<[u64; 2]>,
    /// Requests that the kernel merged with others before the device, which limits of a control group count, too.
    pub device_merges: Option<[u64; 2]>,
    /// Bytes on the device.
    pub device_bytes: Option<[u64; 2]>,
    /// CPU time of the OSD's process, seconds.
    pub cpu_s: Option<f64>,
}

impl OsdWork {
    /// Returns the operations of the pattern that this OSD executed: those of clients, and copies from other OSDs. They
    /// follow from the bytes, because clients also ask for sizes and states of objects, and librbd merges adjacent writes.
    /// Only copies of 4k are counted, because their bytes include the transaction (0.7 KiB).
    pub fn operations(&self, pattern: CephPattern) -> Option<f64> {
        let counters = self.counters?;
        let by_bytes = |bytes: u64| bytes as f64 / pattern.block() as f64;
        Some(match pattern.direction() {
            Direction::Read => by_bytes(counters.client_bytes[0]),
            _ if pattern.is_large() => by_bytes(counters.client_bytes[1] + counters.replica_bytes),
            _ => by_bytes(counters.client_bytes[1]) + counters.replica_writes as f64,
        })
    }

    /// Returns the load of the device per operation of the OSD, of which there were `operations`, in units of the pattern:
    /// requests per operation of 4k, bytes per byte of 1M; `None` if the device is not on this host or the OSD had no
    /// operation.
    pub fn device_factor(&self, pattern: CephPattern, operations: f64) -> Option<f64> {
        let at = usize::from(pattern.direction() != Direction::Read);
        let load = if pattern.is_large() {
            self.device_bytes?[at] as f64 / pattern.block() as f64
        } else {
            self.device_ios?[at] as f64
        };
        (operations >= 1.0).then(|| load / operations)
    }

    /// Returns the load like [`OsdWork::device_factor`] where limits of a control group hold, too, below a disk of this
    /// rate. The limits of requests and of bytes hold at the same time, and that which lets fewer operations through
    /// counts: BlueStore splits large blocks, and writes many bytes of its log in one request.
    pub fn limited_factor(
        &self,
        pattern: CephPattern,
        operations: f64,
        disk: f64,
        limits: &DeviceLimits,
    ) -> Option<f64> {
        let factor = self.device_factor(pattern, operations)?;
        let at = usize::from(pattern.direction() != Direction::Read);
        // Requests are counted before they are merged.
        let requests = (self.device_ios?[at] + self.device_merges?[at]) as f64 / operations;
        let bytes = self.device_bytes?[at] as f64 / operations;
        let limited = limits.rate(pattern.direction(), requests, bytes).map_or(0.0, |rate| disk / rate);
        Some(factor.max(limited))
    }
}

/// Returns the operations of all clients by the counters of the OSDs; `None` if an OSD does not tell its counters or there
/// was no operation.
pub fn client_operations(work: &[OsdWork], pattern: CephPattern) -> Option<f64> {
    let at = usize::from(pattern.direction() != Direction::Read);
    let bytes = work.iter().map(|work| Some(work.counters?.client_bytes[at])).sum::<Option<u64>>()?;
    let operations = bytes as f64 / pattern.block() as f64;
    (operations >= 1.0).then_some(operations)
}

/// One pattern through one client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CephMeasurement {
    /// Client library.
    pub client: CephClient,
    /// Operations in flight.
    pub depth: u32,
    /// Operations per second.
    pub rate: f64,
    /// Mean latency in nanoseconds.
    pub mean_ns: f64,
    /// 99th percentile of the latency in nanoseconds.
    pub p99_ns: Option<u64>,
    /// Operations of each OSD per operation of the client, from the placement of the objects; for CephFS, from the counters
    /// of the OSDs, and empty if the client's cache or other OSDs answered.
    pub loads: Vec<OsdLoad>,
    /// What the model expects; `None` if the rate of a disk is unknown.
    pub expected: Option<Expected>,
    /// Work of the OSDs.
    pub work: Vec<OsdWork>,
    /// Share of the CPUs of this host that were busy.
    pub cpu_busy: Option<f64>,
    /// Largest rate that the network link of this client carries; `None` if the OSDs are on this host, or not known.
    pub link_rate: Option<f64>,
}

impl CephMeasurement {
    /// Returns the measured rate as a share of the expected one.
    pub fn reached(&self) -> Option<f64> {
        self.expected.as_ref().filter(|e| e.rate > 0.0).map(|e| self.rate / e.rate)
    }

    /// Returns the reads on the devices per read of the clients, over all OSDs; `None` for writes, and if a device is not
    /// on this host.
    pub fn device_reads(&self, pattern: CephPattern) -> Option<f64> {
        if pattern.direction() != Direction::Read {
            return None;
        }
        let (mut device, mut client) = (0.0, 0.0);
        for work in &self.work {
            let operations = work.operations(pattern)?;
            client += operations;
            if operations >= 1.0 {
                device += work.device_factor(pattern, operations)? * operations;
            }
        }
        (client > 0.0).then(|| device / client)
    }

    /// Returns the CPU time of all OSDs per operation of the clients, seconds; `None` if an OSD is not on this host.
    pub fn cpu_per_operation(&self, pattern: CephPattern) -> Option<f64> {
        let cpu: f64 = self.work.iter().map(|work| work.cpu_s).sum::<Option<f64>>()?;
        client_operations(&self.work, pattern).map(|operations| cpu / operations)
    }
}

/// One pattern: the disks, and the pool through each client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CephRow {
    /// Pattern.
    pub pattern: CephPattern,
    /// Sum of the disks' rates; `None` if one is unknown.
    pub disks: Option<f64>,
    /// Measurements, rados first.
    pub clients: Vec<CephMeasurement>,
}

/// Answer of `fathom ceph`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CephCard {
    /// Version of fathom that measured.
    pub version: String,
    /// The pool.
    pub pool: CephPoolFacts,
    /// OSDs that hold the pool's placement groups.
    pub osds: Vec<CephOsd>,
    /// Bytes of the scratch objects, of the scratch image, and of the scratch file.
    pub scratch_bytes: u64,
    /// Beginning of the names of the scratch objects, with pool and namespace; name of the image; directory of the file.
    pub scratch: Vec<String>,
    /// Results by pattern.
    pub rows: Vec<CephRow>,
    /// What follows from the results, most important first.
    pub advice: Vec<CephAdvice>,
    /// Whether a signal ended the measurement.
    pub interrupted: bool,
    /// Duration in seconds.
    pub seconds: f64,
}

impl CephCard {
    /// Returns whether all figures were measured without recovery, and the disks of all patterns are known.
    pub fn is_complete(&self) -> bool {
        !self.interrupted && self.pool.recovery.is_empty() && self.rows.iter().all(|row| row.disks.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 reads of 1M, each in 16 requests of which 10 are merged, below caps of 300 requests and 20 MiB per second.
    #[test]
    fn limit_that_lets_fewer_operations_through_counts() {
        let counters = OsdCounters { client_bytes: [100 << 20, 0], ..OsdCounters::default() };
        let work = OsdWork {
            counters: Some(counters),
            device_ios: Some([600, 0]),
            device_merges: Some([1000, 0]),
            device_bytes: Some([100 << 20, 0]),
            ..OsdWork::default()
        };
        let limits = DeviceLimits { iops: [Some(300); 2], bytes_per_second: [Some(20 << 20); 2] };
        let pattern = CephPattern::LargeRead;
        let disk = limits.rate(Direction::Read, 1.0, pattern.block() as f64).expect("limits");
        assert_eq!((disk, work.device_factor(pattern, 100.0)), (20.0, Some(1.0)));
        let factor = work.limited_factor(pattern, 100.0, disk, &limits).expect("counters");
        assert!((disk / factor - 300.0 / 16.0).abs() < 1e-9, "{factor}");
        let none = DeviceLimits::default();
        assert_eq!(work.limited_factor(pattern, 100.0, 500.0, &none), Some(1.0));
        assert_eq!(none.rate(Direction::Read, 1.0, 1.0), None);
    }

    /// The transaction of a copy has more bytes than its data; librbd sends two writes of 1M as one.
    #[test]
    fn copies_are_counted_by_number_or_by_bytes() {
        let small = OsdCounters {
            client_bytes: [0, 4096],
            replica_writes: 9,
            replica_bytes: 9 * 4800,
            ..OsdCounters::default()
        };
        let of = |counters| OsdWork { counters: Some(counters), ..OsdWork::default() };
        assert_eq!(of(small).operations(CephPattern::RandomWrite), Some(10.0));
        let large =
            OsdCounters { client_bytes: [0, 1 << 20], replica_writes: 2, replica_bytes: 4 << 20, ..small };
        assert_eq!(of(large).operations(CephPattern::LargeWrite), Some(5.0));
    }

    /// What a cache of the client answered is not expected of the disks.
    #[test]
    fn counted_shares_need_the_operations_of_the_client() {
        let work = |id, bytes| OsdWork {
            id,
            counters: Some(OsdCounters { client_bytes: [bytes, 0], ..OsdCounters::default() }),
            ..OsdWork::default()
        };
        let work = [work(0, 300 * 4096), work(4, 100 * 4096)];
        assert_eq!(counted_shares(&work, CephPattern::RandomRead, 400.0), [(0, 0.75), (4, 0.25)]);
        assert_eq!(counted_shares(&work, CephPattern::RandomRead, 500.0), []);
    }
}
