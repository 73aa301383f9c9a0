//! Claims: each kind of finding with its evidence, the rule that it belongs to and the best grade that it allows.

use super::Grade;
use crate::direction::Direction;
use serde::{Deserialize, Serialize};

/// Fewer I/Os have less than ten beyond the 99th percentile.
pub const LEAST_IOS: u64 = 1000;
/// A rate whose 95 % interval is wider than this to either side, percent of it, is known under conditions only.
const WIDE: f64 = 20.0;

/// A finding with the numbers that show it. Rules and thresholds are in `lab::findings`, words in `report::findings`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", content = "evidence", rename_all = "snake_case")]
pub enum Claim {
    /// Reads that no storage served: the page cache did.
    PageCache {
        /// Bytes that the application read.
        app: u64,
        /// Bytes that the process fetched from storage.
        storage: u64,
        /// Bytes of the targets.
        span: u64,
        /// Bytes of memory.
        memory: u64,
    },
    /// Writes that had not arrived at the device when the run ended.
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
    /// A cache below the target answered.
    CacheBelow {
        /// Reads, or writes.
        direction: Direction,
        /// The layer that did the I/O.
        upper: String,
        /// Its bytes.
        upper_bytes: u64,
        /// The layer under it, which should have seen the same.
        lower: String,
        /// Its bytes.
        lower_bytes: u64,
    },
    /// More than the link to the device carries.
    AboveLink {
        /// Kernel name of the device.
        device: String,
        /// Bytes per second of the result.
        seen: u64,
        /// Bytes per second that the link can carry.
        ceiling: u64,
    },
    /// Random reads of a disk that turns, faster than it can turn.
    TooFastToTurn {
        /// Kernel name of the device.
        device: String,
        /// Median of lat, nanoseconds.
        p50_ns: u64,
    },
    /// Random I/O over so little that any cache holds it.
    TinySpan {
        /// Bytes of the region.
        span: u64,
        /// How many times over it was read or written.
        passes: f64,
    },
    /// A synchronous engine that was asked for a queue.
    NoQueue {
        /// Engine.
        engine: String,
        /// `iodepth`.
        asked: u32,
        /// In flight on average, all clones together.
        reached: f64,
    },
    /// Submitting blocked, so that the queue was not what was asked for.
    BlockingSubmit {
        /// Engine.
        engine: String,
        /// Without O_DIRECT.
        buffered: bool,
        /// `iodepth`.
        asked: u32,
        /// In flight on average.
        reached: f64,
        /// Percent of lat that was spent in the submit call.
        in_submit_percent: f64,
    },
    /// The queue was not as deep as asked, for another reason.
    Shallow {
        /// Mean number in flight.
        reached: f64,
        /// Number asked for.
        asked: f64,
    },
    /// Parts of a target that was read are holes or were never written.
    NeverWritten {
        /// The target.
        path: String,
        /// Bytes in holes and unwritten extents.
        bytes: u64,
        /// Bytes of the target.
        size: u64,
    },
    /// Sampled blocks of a target that was read hold nothing but zeros.
    Zeros {
        /// The target.
        path: String,
        /// Blocks of zeros.
        zero: u32,
        /// Blocks sampled.
        sampled: u32,
        /// The lowest device moved what was read: only its own firmware may have answered without its medium.
        #[serde(default)]
        moved: bool,
    },
    /// The data that was written, or that lies there to be read, is compressible, and a lower layer may compress it.
    Compressible {
        /// The layer that is known to compress; empty if none is known.
        layer: String,
        /// Percent of each block that is not random (100 = zeros or a pattern).
        percent: f64,
    },
    /// Fast at first, then a step down to a level that stays.
    StepDown {
        /// Writes, else reads.
        write: bool,
        /// Bytes per second before.
        before: f64,
        /// Bytes per second after.
        after: f64,
        /// Seconds into the run.
        at_s: f64,
        /// Bytes moved until then.
        bytes: u64,
    },
    /// The rate still rises or falls.
    Unsteady {
        /// Largest less smallest of five equal parts of the run, percent of their mean.
        range_percent: f64,
        /// Change of the fitted line over the run, percent of the mean.
        slope_percent: f64,
    },
    /// Writes to a rotational disk completed faster than one revolution allows.
    WriteBackCache {
        /// Kernel name of the device.
        device: String,
        /// Median of lat, nanoseconds.
        p50_ns: u64,
    },
    /// Too little to tell.
    TooShort {
        /// I/Os.
        ios: u64,
        /// Seconds.
        seconds: f64,
        /// Half of the 95 % interval of the rate, percent of it; `None` where there are too few windows to tell.
        half_width_percent: Option<f64>,
    },
    /// The bytes were moved before the runtime was over.
    SizeRanOut {
        /// Seconds that it ran.
        ran_s: f64,
        /// `runtime`, seconds.
        asked_s: f64,
    },
    /// Random I/O over a small part of something that seeks.
    ShortStroke {
        /// Bytes of the region.
        span: u64,
        /// Bytes of the device.
        capacity: u64,
        /// Mean service time, nanoseconds.
        service_ns: u64,
    },
    /// Several clones move the same bytes one after the other.
    Overlap {
        /// Clones.
        clones: u32,
        /// Bytes of their regions together.
        counted: u64,
        /// Different bytes among them.
        distinct: u64,
    },
    /// Random I/O that came upon the same blocks again and again, with a cache above the device.
    Repeated {
        /// How often a block was touched on average.
        times: f64,
    },
    /// The generator was the limit.
    Generator {
        /// CPU time of the busiest thread as percent of its wall time.
        percent: f64,
    },
    /// The CPU was taken away.
    CpuTakenAway {
        /// Milliseconds for which a control group's quota stopped it.
        throttled_ms: u64,
        /// Percent of the CPUs' time that the hypervisor gave to others.
        steal_percent: f64,
    },
    /// Load threads were ready to run while other threads had the CPUs.
    CpuContention {
        /// Time that the thread that waited most did so, percent of its wall time.
        waited_percent: f64,
    },
    /// The whole process was stopped for a while.
    Stopped {
        /// Milliseconds.
        stopped_ms: u64,
        /// Share of the run, percent.
        share_percent: f64,
    },
    /// Generating the contents of writes took a large part of the time.
    FillingBuffers {
        /// User CPU time as percent of wall time.
        user_percent: f64,
    },
    /// The device's node is not the one that the job ran on.
    FarNode {
        /// Kernel name of the device.
        device: String,
        /// Its node.
        node: u32,
    },
    /// The link is slower than the device and its slot allow.
    SlowLink {
        /// Kernel name of the device.
        device: String,
        /// Bytes per second that it carries as it is.
        now: u64,
        /// As it could.
        most: u64,
    },
    /// A part of a disk that does not begin where a block does.
    Misaligned {
        /// Partition or device.
        device: String,
        /// Its first sector of 512 bytes; `None` where the kernel tells only that it lies wrong (device mapper, RAID).
        start_sector: Option<u64>,
        /// Bytes that a start should divide by.
        block: u64,
    },
    /// Writes smaller than a sector: the rest of it is read first.
    PartialSector {
        /// Kernel name of the device.
        device: String,
        /// Bytes of the smallest write or its offset's unit.
        block: u64,
        /// Bytes of a sector.
        sector: u64,
    },
    /// One I/O of ours is several at the device.
    Split {
        /// Kernel name of the device.
        device: String,
        /// Its I/Os for one of ours.
        ratio: f64,
        /// Mean bytes of ours.
        block: u64,
        /// Bytes that fit in one of its requests.
        most: Option<u64>,
    },
    /// Several I/Os of ours are one at the device.
    Merged {
        /// Kernel name of the device.
        device: String,
        /// I/Os of ours for one of its.
        ratio: f64,
        /// Mean bytes of ours.
        block: u64,
    },
    /// The device was busy all the time and yet not full: it serves several at once.
    BusyIsNotFull {
        /// Kernel name of the device.
        device: String,
        /// Busy percent.
        util_percent: f64,
        /// Requests that it had at once, on average.
        at_once: f64,
    },
    /// The device says it was idle while I/Os waited: they were held back above it.
    IdleWhileWaiting {
        /// Kernel name of the device.
        device: String,
        /// Busy percent.
        util_percent: f64,
        /// Our I/Os in flight.
        in_flight: f64,
    },
    /// The device did I/O and says it was never busy: it keeps no account.
    NoBusyTime {
        /// Kernel name of the device.
        device: String,
    },
    /// The mean is far from what most I/Os took.
    MeanHides {
        /// Mean of lat, nanoseconds.
        mean_ns: f64,
        /// Median, nanoseconds.
        p50_ns: u64,
        /// Maximum, nanoseconds.
        max_ns: u64,
    },
    /// Nothing was answered for a while: few I/Os waited, for fewer were sent.
    Stall {
        /// Longest time of one I/O, nanoseconds.
        longest_ns: u64,
        /// I/Os that would have been sent meanwhile at the mean rate.
        missed: u64,
    },
    /// Nothing completed for a while, again and again.
    Pauses {
        /// Number of pauses.
        count: u64,
        /// The longest, nanoseconds.
        longest_ns: u64,
        /// Share of the run, percent.
        share_percent: f64,
        /// Mean time from the beginning of one to that of the next, seconds; `None` of a single one.
        every_s: Option<f64>,
    },
    /// The device did I/O that is not ours.
    OtherLoad {
        /// Kernel name of the device.
        device: String,
        /// Bytes that it read and wrote.
        device_bytes: [u64; 2],
        /// Bytes that are ours.
        app_bytes: [u64; 2],
        /// A file system's own (journal, metadata) may be among it.
        file_system: bool,
    },
    /// An array was being rebuilt or checked.
    Rebuilding {
        /// Kernel name of the device.
        device: String,
        /// `resync`, `recover`, `check`, `reshape`.
        action: String,
    },
    /// The result is the limit that a control group sets.
    Cap {
        /// Kernel name of the device.
        device: String,
        /// I/Os per second, else bytes per second.
        iops: bool,
        /// The limit.
        limit: u64,
        /// As measured.
        seen: f64,
    },
    /// I/Os passed in bursts at an even rate, as a limit that is not seen lets them through.
    Bursts {
        /// I/Os that waited for the next burst, percent of all.
        waited_percent: f64,
        /// Median of what those took, nanoseconds.
        wait_ns: u64,
        /// Median of all, nanoseconds.
        p50_ns: u64,
        /// I/Os per second.
        iops: f64,
    },
    /// I/Os that took no time.
    NoTime {
        /// Percent of all.
        percent: f64,
    },
    /// Writes that nothing made durable.
    NotDurable {
        /// Device whose cache may hold them; empty where it is the page cache.
        device: String,
    },
    /// Writes through the page cache that one sync at the end made durable.
    SyncedAtEnd,
    /// An earlier job of the run left the target in another state than a fresh one.
    StateCarried {
        /// The job before.
        before: String,
    },
    /// A file system that is nearly full.
    NearlyFull {
        /// Percent used.
        used_percent: f64,
    },
    /// A file system that writes every block to a new place.
    CopyOnWrite {
        /// Its kind.
        kind: String,
    },
    /// Random I/O was faster than sequential of the same size.
    RandomBeatsSequential {
        /// The sequential job.
        sequential: String,
        /// Bytes per second at random.
        random_rate: u64,
        /// Bytes per second in order.
        sequential_rate: u64,
    },
    /// No device is under the target: it is memory.
    Memory {
        /// Kind of file system.
        kind: String,
    },
    /// The device under the target is made of memory.
    BelowMemory {
        /// The device.
        device: String,
        /// The file system in memory that holds its data.
        kind: String,
    },
    /// The target lies on an overlay: the file system and the device that hold its data are not seen.
    Overlay {
        /// The target.
        path: String,
    },
    /// I/Os failed: the figures are of the others.
    Failed {
        /// Those that failed.
        failed: u64,
        /// Those that did not.
        ios: u64,
    },
    /// The requested work did not happen, so the figures are not its figures.
    NotMeasured {
        /// Why.
        why: Unmeasured,
    },
    /// Several clones each have files of their own.
    SizeTimesJobs {
        /// Clones.
        clones: u32,
        /// Bytes of each.
        each: u64,
    },
}

impl Claim {
    /// The mistake's number in the list of forty (`M1` to `M40`); others have a word.
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
            Unsteady { .. } => "M15",
            WriteBackCache { .. } => "M16",
            TooShort { .. } => "M17",
            SizeRanOut { .. } => "M18",
            ShortStroke { .. } => "M19",
            Overlap { .. } => "M20",
            Repeated { .. } => "M21",
            Generator { .. } | CpuTakenAway { .. } | CpuContention { .. } => "M22",
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
            NotDurable { .. } => "M35",
            StateCarried { .. } => "M38",
            NearlyFull { .. } | CopyOnWrite { .. } => "M39",
            RandomBeatsSequential { .. } => "M40",
            Memory { .. } | BelowMemory { .. } => "memory",
            Overlay { .. } => "overlayfs",
            Failed { .. } => "errors",
            NotMeasured { .. } => "end",
            Stopped { .. } => "stopped",
            SizeTimesJobs { .. } => "size",
        }
    }

    /// The best grade that a run with this finding can have.
    pub fn grade(&self) -> Grade {
        use Claim::*;
        use Grade::*;
        let mostly = |part: u64, whole: u64| if part >= whole / 2 { NotTheDevice } else { Conditions };
        match self {
            PageCache { app, storage, .. } => mostly(app.saturating_sub(*storage), *app),
            WritesCached { app, device } => mostly(app.saturating_sub(*device), *app),
            CacheBelow { .. } | AboveLink { .. } | TooFastToTurn { .. } | NotMeasured { .. } => NotTheDevice,
            NeverWritten { bytes, size, .. } => mostly(*bytes, *size),
            // Few say of the device that it fails now and then; it was measured all the same.
            Failed { failed, ios } if *failed <= ios / 100 => Caveats,
            Failed { failed, ios } => mostly(*failed, failed.saturating_add(*ios)),
            Zeros { moved: true, .. } => Caveats,
            Zeros { zero, sampled, .. } => mostly(u64::from(*zero), u64::from(*sampled)),
            Compressible { layer, .. } if layer.is_empty() => Caveats,
            // The rate and how well it is known are both stated.
            TooShort { ios, half_width_percent: Some(half), .. } if *ios >= LEAST_IOS && *half <= WIDE => {
                Caveats
            }
            CpuContention { waited_percent } if *waited_percent < 25.0 => Caveats,
            // A share of the time that is small against what figures are compared by.
            Pauses { share_percent, .. } | Stopped { share_percent, .. } if *share_percent < 2.0 => Caveats,
            // The others' part of what the device did is the error that they may have made.
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
            | Generator { .. }
            | CpuTakenAway { .. }
            | CpuContention { .. }
            | Stopped { .. }
            | Pauses { .. }
            | WritesReturnedEarly { .. }
            | Misaligned { .. }
            | PartialSector { .. }
            | Rebuilding { .. }
            | Cap { .. }
            | NoTime { .. }
            | RandomBeatsSequential { .. }
            | Memory { .. } => Conditions,
            Shallow { .. }
            | Unsteady { .. }
            | SizeRanOut { .. }
            | Repeated { .. }
            | FillingBuffers { .. }
            | FarNode { .. }
            | SlowLink { .. }
            | Split { .. }
            | Merged { .. }
            | Stall { .. }
            | Bursts { .. }
            | BelowMemory { .. }
            | Overlay { .. }
            | NotDurable { .. }
            | SyncedAtEnd
            | StateCarried { .. }
            | NearlyFull { .. }
            | CopyOnWrite { .. } => Caveats,
            // These explain a figure; the figure is right.
            BusyIsNotFull { .. }
            | IdleWhileWaiting { .. }
            | NoBusyTime { .. }
            | MeanHides { .. }
            | SizeTimesJobs { .. } => Trusted,
        }
    }
}

/// Why a run or a job measured nothing of what it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unmeasured {
    /// A signal ended the run.
    Interrupted,
    /// An error ended the job.
    Failed,
    /// No I/O completed.
    Nothing,
}
