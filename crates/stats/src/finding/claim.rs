//! Claims: each kind of finding with its evidence, its rule and the best grade of a run with the finding.

use super::Grade;
use crate::direction::Direction;
use serde::{Deserialize, Serialize};

/// Smallest number of I/Os with ten above the 99th percentile; a run with fewer has the finding [`Claim::TooShort`].
pub const LEAST_IOS: u64 = 1000;
/// Largest half width of the 95 % interval of a rate, percent of the rate, for which a short run gets grade B instead
/// of C.
const WIDE: f64 = 20.0;

/// Statement of a finding with the numbers as evidence. Rules and thresholds are in `lab::findings`, words in
/// `report::findings`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", content = "evidence", rename_all = "snake_case")]
pub enum Claim {
    /// The page cache served reads that should have reached the storage.
    PageCache {
        /// Bytes that the application read, without the zeros of holes and unwritten extents.
        app: u64,
        /// Bytes that the process fetched from storage.
        storage: u64,
        /// Total size of the targets, bytes.
        span: u64,
        /// Memory of the machine, bytes.
        memory: u64,
    },
    /// Data written by the application had not reached the device when the run ended.
    WritesCached {
        /// Bytes that the application wrote.
        app: u64,
        /// Bytes that the devices under the targets wrote.
        device: u64,
    },
    /// Buffered writes that returned before the device could have done them: the latency is that of the page cache.
    WritesReturnedEarly {
        /// Median of lat, nanoseconds.
        p50_ns: u64,
        /// Device under the target.
        device: String,
        /// Mean time of a write at the device, nanoseconds.
        device_ns: f64,
    },
    /// A cache between two layers under the target served I/Os: the lower layer transferred fewer bytes than the
    /// upper.
    CacheBelow {
        /// Direction of the I/Os.
        direction: Direction,
        /// Name of the layer above the cache.
        upper: String,
        /// Bytes that the upper layer transferred.
        upper_bytes: u64,
        /// Name of the next lower layer, which would have transferred as many bytes without a cache.
        lower: String,
        /// Bytes that the lower layer transferred.
        lower_bytes: u64,
    },
    /// The measured bandwidth is above the capacity of the link to the device.
    AboveLink {
        /// Kernel name of the device.
        device: String,
        /// Measured bandwidth, bytes per second.
        seen: u64,
        /// Capacity of the link, bytes per second.
        ceiling: u64,
    },
    /// Random reads of a rotational disk completed faster than its rotation allows.
    TooFastToTurn {
        /// Kernel name of the device.
        device: String,
        /// Median of lat, nanoseconds.
        p50_ns: u64,
    },
    /// Random I/O covered a region small enough for a cache to hold.
    TinySpan {
        /// Size of the region, bytes.
        span: u64,
        /// Bytes transferred divided by the size of the region.
        passes: f64,
    },
    /// `iodepth` above 1 was set with a synchronous engine, which keeps one I/O in flight.
    NoQueue {
        /// Name of the I/O engine.
        engine: String,
        /// Queue depth configured by `iodepth`.
        asked: u32,
        /// Mean number of I/Os in flight, all clones together.
        reached: f64,
    },
    /// The submit call blocked, so the mean queue depth stayed below the configured `iodepth`.
    BlockingSubmit {
        /// Name of the I/O engine.
        engine: String,
        /// Whether the I/O was buffered (without O_DIRECT).
        buffered: bool,
        /// Queue depth configured by `iodepth`.
        asked: u32,
        /// Mean number of I/Os in flight.
        reached: f64,
        /// Share of lat spent in the submit call, percent.
        in_submit_percent: f64,
    },
    /// The mean queue depth stayed below the configured one for a reason other than the engine or a blocking submit
    /// call.
    Shallow {
        /// Mean number of I/Os in flight.
        reached: f64,
        /// Configured number of I/Os in flight.
        asked: f64,
    },
    /// The think time of a job keeps its queue from filling: the queue drains before each pause.
    ThinkTime {
        /// Number of I/Os between two pauses; 0 = pauses depend on the time alone.
        blocks: u64,
        /// Queue depth configured by `iodepth`.
        asked: u32,
        /// Mean number of I/Os in flight of one clone, pauses included; 0 before the run.
        reached: f64,
    },
    /// A target that was read has holes or unwritten extents.
    NeverWritten {
        /// Path of the target.
        path: String,
        /// Bytes in holes and unwritten extents.
        bytes: u64,
        /// Size of the target, bytes.
        size: u64,
    },
    /// Sampled blocks of a target that was read contain only zeros.
    Zeros {
        /// Path of the target.
        path: String,
        /// Number of sampled blocks that contain only zeros.
        zero: u32,
        /// Number of blocks sampled.
        sampled: u32,
        /// Whether the lowest device transferred the data read, so that only its firmware can have served the reads
        /// without the medium.
        #[serde(default)]
        moved: bool,
    },
    /// The data written or read is compressible, and a lower layer may compress it.
    Compressible {
        /// Name of the layer that compresses data; empty if no such layer is known.
        layer: String,
        /// Compressible share of each block, percent (100: zeros or a repeated pattern).
        percent: f64,
    },
    /// The bandwidth dropped in one step to a lower level and stayed there.
    StepDown {
        /// Whether the I/Os were writes; false for reads.
        write: bool,
        /// Bandwidth before the step, bytes per second.
        before: f64,
        /// Bandwidth after the step, bytes per second.
        after: f64,
        /// Time of the step from the start of the run, seconds.
        at_s: f64,
        /// Bytes transferred before the step.
        bytes: u64,
    },
    /// The rate was lower for some seconds, or from some time on.
    RateDropped {
        /// Start, seconds of measured time.
        at_s: f64,
        /// Length in seconds; `None` if it lasted until the end.
        seconds: Option<f64>,
        /// I/Os per second before it.
        before: f64,
        /// I/Os per second during it.
        during: f64,
        /// Whether the run was ended because of it (`--stop-on-drop`).
        #[serde(default)]
        ended_run: bool,
    },
    /// The rate still rises or falls at the end of the run (no steady state).
    Unsteady {
        /// Range (maximum minus minimum) of the rates of five equal parts of the run, percent of their mean.
        range_percent: f64,
        /// Change of the fitted straight line over the run, percent of the mean rate.
        slope_percent: f64,
    },
    /// Writes to a rotational disk completed faster than one revolution allows.
    WriteBackCache {
        /// Kernel name of the device.
        device: String,
        /// Median of lat, nanoseconds.
        p50_ns: u64,
    },
    /// The run is too short, or has too few I/Os, for a reliable figure.
    TooShort {
        /// Number of I/Os completed.
        ios: u64,
        /// Measured time, seconds.
        seconds: f64,
        /// Half width of the 95 % confidence interval of the rate, percent of the rate; `None` with too few windows.
        half_width_percent: Option<f64>,
    },
    /// The job completed its `size` before its `runtime` was over.
    SizeRanOut {
        /// Time that the job ran, seconds.
        ran_s: f64,
        /// Configured `runtime`, seconds.
        asked_s: f64,
    },
    /// Random I/O covered a small part of a device with moving heads, so seeks were short.
    ShortStroke {
        /// Size of the region, bytes.
        span: u64,
        /// Capacity of the device, bytes.
        capacity: u64,
        /// Mean service time, nanoseconds.
        service_ns: u64,
    },
    /// Several clones accessed the same bytes one after the other.
    Overlap {
        /// Number of clones.
        clones: u32,
        /// Total size of the regions of all clones, bytes.
        counted: u64,
        /// Size of the union of these regions, bytes.
        distinct: u64,
    },
    /// Random I/O accessed the same blocks repeatedly, with a cache above the device.
    Repeated {
        /// Mean number of accesses per block.
        times: f64,
    },
    /// Random offsets that should have been uniform were not.
    UnevenOffsets {
        /// Number of sampled offsets.
        samples: u64,
        /// Share of the samples in the parts of the region that got more than their share, percent.
        ios_percent: f64,
        /// Share of the region in these parts, percent.
        region_percent: f64,
        /// Probability that uniform offsets deviate as much (chi-square test).
        chance: f64,
    },
    /// The CPU of the load generator limited the rate.
    Generator {
        /// CPU time of the busiest load thread, percent of its wall time.
        percent: f64,
    },
    /// A CPU quota or the hypervisor took CPU time from the load generator.
    CpuTakenAway {
        /// Time throttled by the quota of a control group, milliseconds.
        throttled_ms: u64,
        /// Steal time, percent of the CPU time of the machine.
        steal_percent: f64,
    },
    /// Load threads were runnable but waited for a CPU that other threads used.
    CpuContention {
        /// Longest time that one load thread waited for a CPU, percent of its wall time.
        waited_percent: f64,
    },
    /// Tasks of the machine waited for a CPU during a measurement that issues its operations itself; they include the threads
    /// that serve the device.
    CpusBusy {
        /// Time in which at least one task waited for a CPU (PSI), percent.
        waited_percent: f64,
    },
    /// The whole process was stopped for some time (SIGSTOP, suspend).
    Stopped {
        /// Total time stopped, milliseconds.
        stopped_ms: u64,
        /// Share of the run's time, percent.
        share_percent: f64,
    },
    /// Generating the contents of writes took a large part of the time.
    FillingBuffers {
        /// User CPU time as percent of wall time.
        user_percent: f64,
    },
    /// The device is attached to another NUMA node than the job ran on.
    FarNode {
        /// Kernel name of the device.
        device: String,
        /// NUMA node of the device.
        node: u32,
    },
    /// The drive slowed down because of its temperature, by its own counters.
    SlowedByHeat {
        /// Kernel name of the device.
        device: String,
        /// Number of times that it slowed down during the run.
        slowed: u64,
        /// Seconds during which it was slowed down.
        slowed_s: u64,
        /// Minutes at or above the warning temperature.
        warning_minutes: u32,
        /// Share of the run's time during which it was slowed down, percent.
        share_percent: f64,
    },
    /// The link runs at less than the speed that the device and its slot support.
    SlowLink {
        /// Kernel name of the device.
        device: String,
        /// Capacity of the link at its current speed and width, bytes per second.
        now: u64,
        /// Capacity of the link at its maximum speed and width, bytes per second.
        most: u64,
    },
    /// A partition or device does not start at a multiple of the block of the layer below.
    Misaligned {
        /// Kernel name of the partition or device.
        device: String,
        /// First sector, in units of 512 bytes; `None` where the kernel reports only that the device is misaligned
        /// (device mapper, RAID).
        start_sector: Option<u64>,
        /// Size in bytes of the block that the start should be a multiple of.
        block: u64,
    },
    /// Writes covered only part of a physical sector, so the device reads the sector first.
    PartialSector {
        /// Kernel name of the device.
        device: String,
        /// Smallest write size or offset alignment, bytes.
        block: u64,
        /// Size of a physical sector, bytes.
        sector: u64,
    },
    /// One I/O of the job became several requests at the device.
    Split {
        /// Kernel name of the device.
        device: String,
        /// Requests of the device per I/O of the job.
        ratio: f64,
        /// Mean size of the job's I/Os, bytes.
        block: u64,
        /// Largest request of the device, bytes; `None` if not known.
        most: Option<u64>,
    },
    /// Several I/Os of the job were merged into one request at the device.
    Merged {
        /// Kernel name of the device.
        device: String,
        /// I/Os of the job per request of the device.
        ratio: f64,
        /// Mean size of the job's I/Os, bytes.
        block: u64,
    },
    /// The device was busy all the time but not saturated, because it serves several requests in parallel.
    BusyIsNotFull {
        /// Kernel name of the device.
        device: String,
        /// Utilization of the device (busy time), percent.
        util_percent: f64,
        /// Mean number of requests in flight at the device.
        at_once: f64,
    },
    /// The device was idle part of the time although I/Os were in flight: a layer above the device delayed them.
    IdleWhileWaiting {
        /// Kernel name of the device.
        device: String,
        /// Utilization of the device (busy time), percent.
        util_percent: f64,
        /// Mean number of the job's I/Os in flight.
        in_flight: f64,
    },
    /// The device did I/O but its busy time is zero: the driver does not count busy time.
    NoBusyTime {
        /// Kernel name of the device.
        device: String,
    },
    /// The mean latency is far from the latency of most I/Os.
    MeanHides {
        /// Mean of lat, nanoseconds.
        mean_ns: f64,
        /// Median of lat, nanoseconds.
        p50_ns: u64,
        /// Maximum of lat, nanoseconds.
        max_ns: u64,
    },
    /// No I/O completed for some time, and few I/Os show the stall because few were submitted during the stall
    /// (coordinated omission).
    Stall {
        /// Longest latency of one I/O, nanoseconds.
        longest_ns: u64,
        /// I/Os that would have been submitted in that time at the mean rate.
        missed: u64,
    },
    /// No I/O completed during several pauses.
    Pauses {
        /// Number of pauses.
        count: u64,
        /// Longest pause, nanoseconds.
        longest_ns: u64,
        /// Share of the run's time, percent.
        share_percent: f64,
        /// Mean time from the start of one pause to the start of the next, seconds; `None` for a single pause.
        every_s: Option<f64>,
        /// Whether load threads also waited for a CPU, though not as long as the longest pause, or for a time that is not
        /// known.
        #[serde(default)]
        cpu_busy: bool,
    },
    /// The device did I/O that the run did not issue.
    OtherLoad {
        /// Kernel name of the device.
        device: String,
        /// Bytes read and written by the device.
        device_bytes: [u64; 2],
        /// Bytes read and written by the run.
        app_bytes: [u64; 2],
        /// Whether the difference may include journal and metadata I/O of a file system.
        file_system: bool,
    },
    /// The RAID array was being rebuilt or checked.
    Rebuilding {
        /// Kernel name of the device.
        device: String,
        /// Action as the md driver names it: `resync`, `recover`, `check`, `reshape`.
        action: String,
    },
    /// The measured rate is the I/O limit set by a control group, or by the server of the target.
    Cap {
        /// Kernel name of the device, or target on a server.
        device: String,
        /// Whether the server sets the limit.
        #[serde(default)]
        server: bool,
        /// Whether the limit is in I/Os per second; false for bytes per second.
        iops: bool,
        /// Limit, in I/Os or bytes per second.
        limit: u64,
        /// Measured rate, in the unit of the limit.
        seen: f64,
    },
    /// I/Os completed in regular bursts, which indicates a rate limit that the system does not show.
    Bursts {
        /// Share of I/Os that waited for the next burst, percent.
        waited_percent: f64,
        /// Median latency of the I/Os that waited, nanoseconds.
        wait_ns: u64,
        /// Median latency of all I/Os, nanoseconds.
        p50_ns: u64,
        /// Measured rate, I/Os per second.
        iops: f64,
        /// Time between two bursts, nanoseconds; 0 in results of earlier versions.
        #[serde(default)]
        period_ns: u64,
    },
    /// I/Os have a latency of zero.
    NoTime {
        /// Share of all I/Os, percent.
        percent: f64,
    },
    /// Writes were not flushed, so they may not be durable.
    NotDurable {
        /// Device whose write cache may hold the data; empty for the page cache.
        device: String,
    },
    /// Writes to an NFS mount that the client had not sent, or whose data the server was not asked to commit.
    NotCommitted {
        /// Mount point.
        layer: String,
        /// Bytes that the application wrote.
        app: u64,
        /// Bytes that the server had received when the run ended.
        server: u64,
        /// Number of COMMIT requests.
        commits: u64,
    },
    /// Whether a server confirms writes before its disk has them is not visible to its client.
    ExportUnknown {
        /// Mount point.
        layer: String,
    },
    /// Requests of the mount fail when the server does not answer in time.
    SoftMount {
        /// Mount point.
        layer: String,
        /// Time after which a request fails, seconds.
        seconds: f64,
    },
    /// A job measured attributes of files that the client caches.
    AttributesCached {
        /// Mount point.
        layer: String,
        /// Longest time for which the attributes of a file are cached, seconds.
        seconds: u32,
    },
    /// The measured bandwidth is the payload that the link to the server carries.
    LinkLimit {
        /// Name of the network interface.
        interface: String,
        /// Direction of the I/Os.
        direction: Direction,
        /// Measured bandwidth, bytes per second.
        seen: u64,
        /// Payload of the link, bytes per second.
        payload: u64,
        /// Speed of the link, Mbit/s.
        mbit: u64,
    },
    /// The measured bandwidth is what the queueing discipline of an interface lets pass.
    ShaperLimit {
        /// Name of the network interface.
        interface: String,
        /// Name of the queueing discipline.
        shaper: String,
        /// Measured bandwidth, bytes per second.
        seen: u64,
        /// Payload that passes, bytes per second.
        payload: u64,
        /// Limit of the queueing discipline, Mbit/s.
        mbit: u64,
    },
    /// The measured bandwidth is the payload of a link of a usual speed, and the interface does not report its speed.
    RateOfLink {
        /// Name of the network interface.
        interface: String,
        /// Direction of the I/Os.
        direction: Direction,
        /// Measured bandwidth, bytes per second.
        seen: u64,
        /// Payload of a link of that speed, bytes per second.
        payload: u64,
        /// Speed of such a link, Mbit/s.
        mbit: u64,
    },
    /// TCP segments were sent again during the run.
    SegmentsRepeated {
        /// Segments sent again.
        repeated: u64,
        /// Segments sent.
        sent: u64,
        /// Whether they are those of the connections to the servers, and not of the whole machine.
        #[serde(default)]
        own: bool,
    },
    /// The pool has few placement groups for each OSD.
    SmallPool {
        /// Name of the pool.
        pool: String,
        /// Number of placement groups.
        groups: u32,
        /// Number of copies or chunks.
        copies: u32,
        /// Number of OSDs.
        osds: u32,
    },
    /// The cluster copied data or compared copies before or after the run.
    ClusterBusy {
        /// Target.
        layer: String,
        /// Placement groups in recovery.
        recovering: u32,
        /// Placement groups in scrub.
        scrubbing: u32,
    },
    /// The cache of the client's library confirms writes before the server has them.
    LibraryCache {
        /// Name of the library.
        library: String,
        /// Size of the cache in bytes.
        bytes: u64,
        /// Policy of the cache.
        policy: String,
    },
    /// The measured bandwidth of writes is what the cluster's links carry with all copies.
    ReplicationLimit {
        /// Measured bandwidth, bytes per second.
        seen: u64,
        /// Payload of the links, bytes per second.
        payload: u64,
        /// Number of copies.
        copies: u32,
        /// Number of machines with OSDs.
        hosts: u32,
        /// Speed of each link, Mbit/s.
        mbit: u64,
    },
    /// Requests to an NFS server were sent again because no answer had come.
    RequestsRepeated {
        /// Mount point.
        layer: String,
        /// Transmissions beyond the first.
        repeated: u64,
        /// Requests.
        requests: u64,
    },
    /// Connections to the server were lost and made anew during the run.
    Reconnected {
        /// Mount point.
        layer: String,
        /// Number of connections made anew.
        times: u64,
    },
    /// No I/O completed for some time on storage of a server, with the client's limit for such a time.
    ServerSilent {
        /// Mount point or device.
        layer: String,
        /// Longest time without an answer, nanoseconds.
        longest_ns: u64,
        /// Setting of the client.
        setting: String,
        /// Time after which I/O fails, seconds; `None` = never.
        seconds: Option<f64>,
    },
    /// Buffered writes were made durable by one sync at the end.
    SyncedAtEnd,
    /// An earlier job of the run changed the state of the target.
    StateCarried {
        /// Name of the earlier job.
        before: String,
    },
    /// The file system is nearly full.
    NearlyFull {
        /// Used space, percent.
        used_percent: f64,
    },
    /// The file system is copy-on-write: every write goes to a new place.
    CopyOnWrite {
        /// Type of the file system, such as `btrfs`.
        kind: String,
    },
    /// Random I/O was faster than sequential I/O of the same block size.
    RandomBeatsSequential {
        /// Name of the sequential job.
        sequential: String,
        /// Bandwidth of the random job, bytes per second.
        random_rate: u64,
        /// Bandwidth of the sequential job, bytes per second.
        sequential_rate: u64,
    },
    /// The target is in memory, with no device below.
    Memory {
        /// Type of the file system, such as `tmpfs`.
        kind: String,
    },
    /// The device under the target keeps its data in memory.
    BelowMemory {
        /// Kernel name of the device.
        device: String,
        /// Type of the memory file system, or driver, that holds the data of the device.
        kind: String,
    },
    /// The target is on overlayfs, so the file system and the device that hold the data are not known.
    Overlay {
        /// Path of the target.
        path: String,
    },
    /// Some I/Os failed; the figures cover the successful ones.
    Failed {
        /// Number of I/Os that failed.
        failed: u64,
        /// Number of I/Os that succeeded.
        ios: u64,
    },
    /// The requested work was not done, so the figures do not describe the device.
    NotMeasured {
        /// Reason why the requested work was not done.
        why: Unmeasured,
    },
    /// A signal ended the run, whose figures cover the time until then.
    EndedEarly {
        /// Number of the signal.
        signal: i32,
    },
    /// I/Os of a replayed trace started later than in the trace: the device, or the queue depth, could not keep up.
    StartedLate {
        /// Number of I/Os that started more than [`crate::LATE_START`] nanoseconds late.
        late: u64,
        /// Number of I/Os with a time.
        ios: u64,
        /// 99th percentile of the delay, nanoseconds.
        p99_ns: u64,
    },
    /// Each of several clones has its own files, so the total size is `size` times the clones.
    SizeTimesJobs {
        /// Number of clones.
        clones: u32,
        /// Size of the files of one clone, bytes.
        each: u64,
    },
}

impl Claim {
    /// Returns the rule of the claim: `M1` to `M40` of the table in `docs/method.md`, or a word for rules outside the
    /// table.
    pub fn rule(&self) -> &'static str {
        use Claim::*;
        match self {
            PageCache { .. } | WritesCached { .. } | WritesReturnedEarly { .. } | SyncedAtEnd => "M1",
            CacheBelow { .. } | AboveLink { .. } | TooFastToTurn { .. } => "M2",
            TinySpan { .. } => "M3",
            NoQueue { .. } => "M4",
            BlockingSubmit { .. } | Shallow { .. } => "M5",
            NeverWritten { .. } => "M8",
            Zeros { .. } => "M9",
            Compressible { .. } => "M11",
            StepDown { write: false, .. } => "M12",
            StepDown { write: true, .. } => "M13",
            Unsteady { .. } | RateDropped { .. } => "M15",
            WriteBackCache { .. } => "M16",
            TooShort { .. } => "M17",
            SizeRanOut { .. } => "M18",
            ShortStroke { .. } => "M19",
            Overlap { .. } => "M20",
            Repeated { .. } => "M21",
            Generator { .. } | CpuTakenAway { .. } | CpuContention { .. } | CpusBusy { .. } => "M22",
            FillingBuffers { .. } => "M23",
            FarNode { .. } => "M24",
            SlowLink { .. } => "M25",
            Misaligned { .. } | PartialSector { .. } => "M26",
            Split { .. } | Merged { .. } => "M27",
            BusyIsNotFull { .. } | IdleWhileWaiting { .. } => "M28",
            NoBusyTime { .. } => "M29",
            MeanHides { .. } => "M30",
            Stall { .. } | Pauses { .. } => "M31",
            OtherLoad { .. } | Rebuilding { .. } => "M32",
            Cap { .. } | Bursts { .. } => "M33",
            NoTime { .. } => "M34",
            NotDurable { .. } | NotCommitted { .. } => "M35",
            StateCarried { .. } => "M38",
            NearlyFull { .. } | CopyOnWrite { .. } => "M39",
            RandomBeatsSequential { .. } => "M40",
            ThinkTime { .. } => "thinktime",
            Memory { .. } | BelowMemory { .. } => "memory",
            Overlay { .. } => "overlayfs",
            Failed { .. } => "errors",
            NotMeasured { .. } | EndedEarly { .. } => "end",
            Stopped { .. } => "stopped",
            SizeTimesJobs { .. } => "size",
            StartedLate { .. } => "late",
            SlowedByHeat { .. } => "heat",
            ExportUnknown { .. }
            | SoftMount { .. }
            | AttributesCached { .. }
            | LinkLimit { .. }
            | ShaperLimit { .. }
            | RateOfLink { .. }
            | SegmentsRepeated { .. }
            | RequestsRepeated { .. }
            | Reconnected { .. }
            | SmallPool { .. }
            | ClusterBusy { .. }
            | LibraryCache { .. }
            | ReplicationLimit { .. }
            | ServerSilent { .. } => "network",
            UnevenOffsets { .. } => "offsets",
        }
    }

    /// Returns whether the claim is about the target as it is, and holds for each run on it.
    pub fn is_about_target(&self) -> bool {
        use Claim::*;
        matches!(
            self,
            Memory { .. }
                | BelowMemory { .. }
                | Overlay { .. }
                | SoftMount { .. }
                | ExportUnknown { .. }
                | SmallPool { .. }
                | NearlyFull { .. }
                | CopyOnWrite { .. }
                | Misaligned { .. }
                | SlowLink { .. }
                | Rebuilding { .. }
                | NoBusyTime { .. }
        )
    }

    /// Returns the best grade that a run with this finding can have.
    pub fn grade(&self) -> Grade {
        use Claim::*;
        use Grade::*;
        let mostly = |part: u64, whole: u64| if part >= whole / 2 { NotTheDevice } else { Conditions };
        match self {
            PageCache { app, storage, .. } => mostly(app.saturating_sub(*storage), *app),
            WritesCached { app, device } => mostly(app.saturating_sub(*device), *app),
            CacheBelow { .. } | AboveLink { .. } | TooFastToTurn { .. } | NotMeasured { .. } => NotTheDevice,
            NeverWritten { bytes, size, .. } => mostly(*bytes, *size),
            // With few failures the device was still measured.
            Failed { failed, ios } if *failed <= ios / 100 => Caveats,
            Failed { failed, ios } => mostly(*failed, failed.saturating_add(*ios)),
            Zeros { moved: true, .. } => Caveats,
            Zeros { zero, sampled, .. } => mostly(u64::from(*zero), u64::from(*sampled)),
            Compressible { layer, .. } if layer.is_empty() => Caveats,
            // The finding states both the rate and its interval.
            TooShort { ios, half_width_percent: Some(half), .. } if *ios >= LEAST_IOS && *half <= WIDE => {
                Caveats
            }
            StartedLate { late, ios, .. } if *late <= ios / 10 => Caveats,
            CpuContention { waited_percent } if *waited_percent < 25.0 => Caveats,
            CpusBusy { waited_percent } if *waited_percent < 50.0 => Caveats,
            // A share below 2 % is small compared with the differences that comparisons detect.
            Pauses { share_percent, .. } | Stopped { share_percent, .. } if *share_percent < 2.0 => Caveats,
            SlowedByHeat { share_percent, .. } if *share_percent < 10.0 => Caveats,
            // One segment of a hundred lost halves the rate of a connection and more; one of a thousand is felt at the tail.
            SegmentsRepeated { repeated, sent, .. } if *repeated < sent / 100 => Caveats,
            // The share of I/O from other sources bounds the error that this I/O can cause.
            OtherLoad { device_bytes, app_bytes, .. } => {
                let all: u64 = device_bytes.iter().fold(0, |sum, bytes| sum.saturating_add(*bytes));
                let ours: u64 = app_bytes.iter().fold(0, |sum, bytes| sum.saturating_add(*bytes));
                if all.saturating_sub(ours) > all / 5 { Conditions } else { Caveats }
            }
            TinySpan { .. }
            | NoQueue { .. }
            | BlockingSubmit { .. }
            | Compressible { .. }
            | StepDown { .. }
            | WriteBackCache { .. }
            | TooShort { .. }
            | ShortStroke { .. }
            | Overlap { .. }
            | UnevenOffsets { .. }
            | Generator { .. }
            | CpuTakenAway { .. }
            | CpuContention { .. }
            | CpusBusy { .. }
            | StartedLate { .. }
            | EndedEarly { .. }
            | Stopped { .. }
            | SlowedByHeat { .. }
            | Pauses { .. }
            | WritesReturnedEarly { .. }
            | Misaligned { .. }
            | PartialSector { .. }
            | Rebuilding { .. }
            | Cap { .. }
            | NoTime { .. }
            | RandomBeatsSequential { .. }
            | BelowMemory { .. }
            | AttributesCached { .. }
            | LinkLimit { .. }
            | ShaperLimit { .. }
            | RateOfLink { .. }
            | SegmentsRepeated { .. }
            | RequestsRepeated { .. }
            | Reconnected { .. }
            | ClusterBusy { .. }
            | ReplicationLimit { .. }
            | Memory { .. } => Conditions,
            Shallow { .. }
            | ThinkTime { .. }
            | Unsteady { .. }
            | RateDropped { .. }
            | SizeRanOut { .. }
            | Repeated { .. }
            | FillingBuffers { .. }
            | FarNode { .. }
            | SlowLink { .. }
            | Split { .. }
            | Merged { .. }
            | Stall { .. }
            | Bursts { .. }
            | Overlay { .. }
            | NotDurable { .. }
            | NotCommitted { .. }
            | ExportUnknown { .. }
            | SoftMount { .. }
            | SmallPool { .. }
            | LibraryCache { .. }
            | SyncedAtEnd
            | StateCarried { .. }
            | NearlyFull { .. }
            | CopyOnWrite { .. } => Caveats,
            // These explain a figure; the figure is right.
            BusyIsNotFull { .. }
            | IdleWhileWaiting { .. }
            | NoBusyTime { .. }
            | MeanHides { .. }
            | ServerSilent { .. }
            | SizeTimesJobs { .. } => Trusted,
        }
    }
}

/// Reason why a run or job did not measure the requested work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unmeasured {
    /// A signal ended the run before an I/O completed.
    Interrupted,
    /// An error ended the job.
    Failed,
    /// No I/O completed.
    Nothing,
}
