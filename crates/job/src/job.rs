//! The validated job: every default is filled in and no value is optional only because it was not typed.

pub use crate::access_spec::AccessLine;
use crate::distribution::{Law, Places, Sizes};
pub use crate::engine::*;
use crate::flow::Flow;
use crate::inspect::FileKind;
pub use crate::logs::{LogFile, LogSpec, LogValues};
pub use crate::model::{
    Burst, DiskSpec, FtlSpec, ModelSpec, ModelZones, ReadCacheSpec, ServiceLaw, SlcSpec, SurfaceSpec,
    WriteCache,
};
use crate::nvme::PlacementSpec;
use crate::priority::PriorityShare;
pub use crate::rate::Rate;
pub use crate::sprandom::SprandomSpec;
pub use crate::steady::SteadySpec;
use crate::think_time::ThinkTime;
pub use crate::trace::ReplaySpec;
pub use crate::unit::Size;
use crate::verify::VerifySpec;
pub use crate::zoned::ZonedSpec;
use serde::{Deserialize, Serialize};
use stats::{LatencyGoal, Note};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

/// Method of reserving space when a file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fallocate {
    /// No space is reserved.
    None,
    /// fallocate(2); nothing is reserved where the file system does not support it.
    Native,
    /// posix_fallocate(3).
    Posix,
    /// fallocate(2) with FALLOC_FL_KEEP_SIZE.
    Keep,
    /// ftruncate(2) to the final size.
    Truncate,
}

/// posix_fadvise(2) advice at open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fadvise {
    /// No advice.
    Nothing,
    /// POSIX_FADV_RANDOM or POSIX_FADV_SEQUENTIAL, according to the pattern.
    Pattern,
    /// POSIX_FADV_RANDOM.
    Random,
    /// POSIX_FADV_SEQUENTIAL.
    Sequential,
    /// POSIX_FADV_NOREUSE.
    NoReuse,
}

/// Flag at open for synchronous writes (`sync=`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SyncMode {
    /// Neither flag: a write may complete in the page cache or the device cache.
    None,
    /// O_SYNC: a write completes when data and metadata are durable.
    Sync,
    /// O_DSYNC: a write completes when its data is durable.
    Dsync,
}

/// Method of choosing the file of the next I/O (`file_service_type=`), with the number of I/Os before another file is
/// chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FileService {
    /// The next file in order, after this number of I/Os.
    RoundRobin(u32),
    /// Random selection of a file; the next file is drawn after this number of I/Os.
    Random(u32),
    /// The next file in order, when the region of the current file is complete.
    Sequential,
    /// A file drawn from a distribution; a file whose region is complete starts again.
    Law(Law),
}

/// Locking of files between jobs (`lockfile=`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lock {
    /// No locks.
    #[default]
    None,
    /// One I/O per file at a time.
    Exclusive,
    /// One write per file at a time, or any number of reads.
    ReadWrite,
}

/// Files and devices of a job, as requested; sizes of files are determined in the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// Directories for generated file names (`directory=`), assigned to the clones in rotation.
    pub directories: Vec<PathBuf>,
    /// Explicit files and devices, shared by all clones (`filename=`); empty if names are generated.
    pub filenames: Vec<PathBuf>,
    /// Files found below the directory of `opendir=`; `directory=` does not apply to them.
    pub found: Vec<PathBuf>,
    /// Empty files found below the directory of `opendir=`, which are not used.
    pub empty: Vec<PathBuf>,
    /// Kind of all files, if the user specifies it.
    pub kind: Option<FileKind>,
    /// Format of generated file names (`filename_format=`).
    pub filename_format: String,
    /// Number of files per clone.
    pub nrfiles: u32,
    /// Largest number of files open at a time; `None` = all.
    pub openfiles: Option<NonZeroU32>,
    /// Size of each file, smallest and largest, in bytes (`filesize=`).
    pub filesize: Option<(u64, u64)>,
    /// Bytes per clone over all its files, or percentage of each file (`size=`).
    pub size: Option<Size>,
    /// Bytes to transfer per pass (`io_size=`); `None` = the size of the region.
    pub io_size: Option<Size>,
    /// Offset of the region in each file (`offset=`).
    pub offset: Size,
    /// Alignment in bytes of offsets given in percent (`offset_align=`); 0 = the smallest block.
    pub offset_align: u64,
    /// Bytes or percentage that each clone adds to the offset of the clone before it (`offset_increment=`).
    pub offset_increment: Size,
    /// Number of clones of other hosts that come before those of this one for `offset_increment=`.
    #[serde(default)]
    pub clones_before: u32,
    /// Whether files are opened with O_DIRECT.
    pub direct: bool,
    /// Files are opened with O_SYNC or O_DSYNC.
    pub sync: SyncMode,
    /// Whether cached pages of the files are dropped before the run.
    pub invalidate: bool,
    /// Method of reserving space at layout.
    pub fallocate: Fallocate,
    /// Whether files are filled completely before the measured part.
    pub overwrite: bool,
    /// posix_fadvise(2) advice at open.
    pub fadvise: Fadvise,
    /// Whether files are read into the page cache before the run.
    pub pre_read: bool,
    /// Lifetime of written data, a value of F_SET_RW_HINT; `None` = not set.
    pub write_hint: Option<u64>,
    /// Whether the region begins at the end of the file.
    pub append: bool,
    /// Whether writes continue until the device is full; ENOSPC then ends the job without an error.
    pub fill: bool,
    /// Whether fio's own check permits writes to a mounted device (`allow_mounted_write`); fathom's other checks
    /// still apply.
    pub mounted: bool,
    /// Method of choosing the next file.
    pub file_service: FileService,
    /// Lock that is held during each call on a file.
    pub lock: Lock,
    /// Whether missing files are created.
    pub allow_file_create: bool,
    /// Whether the job only lays files out and does no I/O.
    pub create_only: bool,
    /// Whether files are laid out before any job begins, one job after the other.
    pub serial: bool,
    /// Whether files are created when first opened, without layout.
    pub create_on_open: bool,
    /// Whether each file is synced with fsync(2) after its layout.
    pub create_fsync: bool,
    /// Whether files are deleted at the end of the job.
    pub unlink: bool,
    /// Whether files are deleted at the end of each pass.
    pub unlink_each_loop: bool,
    /// Whether `--readonly` was given: the job then neither writes nor lays files out.
    pub readonly: bool,
}

/// Directions of a job's I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mix {
    /// Reads only.
    Read,
    /// Writes only.
    Write,
    /// Trims only.
    Trim,
    /// Reads and writes.
    ReadWrite {
        /// Percentage of reads.
        reads: u8,
    },
    /// Each block is trimmed and then written.
    TrimWrite,
    /// The directions of a trace that is replayed: reads, writes, trims.
    Replayed([bool; 3]),
}

impl Mix {
    /// Returns whether I/O of this direction occurs.
    pub fn has(self, direction: stats::Direction) -> bool {
        use stats::Direction as D;
        match self {
            Mix::Read => direction == D::Read,
            Mix::Write => direction == D::Write,
            Mix::Trim => direction == D::Trim,
            Mix::ReadWrite { .. } => direction != D::Trim,
            Mix::TrimWrite => direction != D::Read,
            Mix::Replayed(used) => used[direction as usize],
        }
    }
}

/// Order of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Ascending offsets, with a gap after each I/O (`rw=read:8k`).
    Sequential {
        /// Bytes added to the position after each I/O, in addition to the block; negative values move backward.
        skip: i64,
    },
    /// Random offsets, each followed by `run - 1` sequential I/Os (`rw=randread:8`).
    Random {
        /// I/Os per random offset; 1 = all are random.
        run: u32,
    },
}

/// Access pattern: directions, order, offsets and block sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternSpec {
    /// Value of `rw=` without its suffix, as fio's banner prints the value.
    pub rw: String,
    /// Directions of the I/Os.
    pub mix: Mix,
    /// Order of the offsets.
    pub order: Order,
    /// Smallest and largest block in bytes, for reads, writes and trims.
    pub block: [(u64, u64); 3],
    /// Distribution of block sizes.
    pub sizes: Sizes,
    /// Distribution of the offsets of random I/Os.
    pub places: Places,
    /// Rules for zoned block devices (`zonemode=zbd`); `None` in all other modes.
    #[serde(default)]
    pub zoned: Option<Box<ZonedSpec>>,
    /// Parameters of `sprandom`; `None` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprandom: Option<Box<SprandomSpec>>,
    /// Lines of an access specification (`access_spec`), which replace all other parts of the pattern; empty without
    /// one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<AccessLine>,
    /// Largest number of ranges of a trim (`num_range`), each of which is a block; 0 and 1 = one range.
    #[serde(default)]
    pub trim_ranges: u16,
    /// Whether a random order accesses each block once per pass (the default).
    pub random_map: bool,
    /// Seed of all random numbers of the job; in a plan, already combined with the number of the clone.
    pub seed: u64,
}

impl PatternSpec {
    /// Returns the smallest and largest block in bytes of each direction that occurs.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> {
        let both = [stats::Direction::Read, stats::Direction::Write];
        // The trims of a trace may be much larger than its other I/Os, and have no data.
        let trims = |d: stats::Direction| d == stats::Direction::Trim && matches!(self.mix, Mix::Replayed(_));
        let used = move |d: &stats::Direction| {
            self.mix.has(*d) && !trims(*d) || (self.sizes.seq_rand && both.contains(d))
        };
        stats::Direction::ALL.into_iter().filter(used).map(|d| self.block[d as usize])
    }

    /// Returns the smallest block in bytes of the directions that occur; at least 1.
    pub fn smallest_block(&self) -> u64 {
        let used = stats::Direction::ALL.into_iter().filter(|d| self.mix.has(*d));
        used.map(|d| self.block[d as usize].0).min().unwrap_or(4096).max(1)
    }

    /// Returns the largest block in bytes of the directions that occur.
    pub fn largest_block(&self) -> u64 {
        self.ranges().map(|range| range.1).max().unwrap_or(4096)
    }
}

/// Queue depth and batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// Largest number of I/Os in flight (`iodepth`).
    pub iodepth: u32,
    /// Number of I/Os that the engine can have in flight, at most `iodepth`: 1 for synchronous engines. All later code
    /// uses this value.
    pub effective: u32,
    /// Whether an I/O that overlaps an I/O in flight waits until the earlier I/O completes (`serialize_overlap`).
    pub serialize: bool,
    /// Batch sizes; `None` if the user set neither an `iodepth_batch*` option nor `iodepth_low`.
    pub batch: Option<Batch>,
}

/// Batch sizes of `iodepth_batch*` and `iodepth_low`, with fio's defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Largest number of I/Os per submit call.
    pub submit: u32,
    /// Smallest number of completions per reap call; 0 = reap without waiting.
    pub complete_min: u32,
    /// Largest number of completions per reap call.
    pub complete_max: u32,
    /// Number of I/Os in flight to which a full queue is drained before it is filled again.
    pub low: u32,
}

/// Conditions that start and end a job. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Runtime in nanoseconds without the warm-up; `None` = no limit.
    pub runtime: Option<NonZeroU64>,
    /// Whether the job repeats its region until the runtime ends (`time_based`); set only with a runtime.
    pub time_based: bool,
    /// Warm-up in nanoseconds whose I/O is not counted.
    pub ramp_time: u64,
    /// Warm-up in bytes, of the whole reporting group, whose I/O is not counted; `None` = none.
    pub ramp_size: Option<NonZeroU64>,
    /// Delay of the job in nanoseconds, from the start of the run.
    pub startdelay: u64,
    /// Largest delay in nanoseconds, if a range was given: each clone draws its own (see `PlannedJob::startdelay`).
    pub startdelay_most: u64,
    /// Number of passes.
    pub loops: u64,
    /// Longest latency in nanoseconds for reads, writes and trims: a longer one ends the job; `None` = no limit.
    pub max_latency: [Option<NonZeroU64>; 3],
    /// Largest number of I/Os per pass; `None` = no limit.
    pub number_ios: Option<NonZeroU64>,
}

impl Limits {
    /// Returns whether the job has a warm-up, in time or bytes.
    pub fn ramps(&self) -> bool {
        self.ramp_time > 0 || self.ramp_size.is_some()
    }

    /// Returns whether `elapsed` nanoseconds of measured time reach the runtime.
    pub fn runtime_over(&self, elapsed: u64) -> bool {
        self.runtime.is_some_and(|runtime| elapsed >= runtime.get())
    }
}

/// Memory of the I/O buffers (`iomem`, `iomem_align`, `hugepage-size`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemorySpec {
    /// Whether the buffers are in a mapping or shared memory segment; the first buffer then begins at the start of
    /// this memory.
    pub mapped: bool,
    /// Whether the memory is a System V shared memory segment.
    pub segment: bool,
    /// Whether the memory consists of huge pages.
    pub huge: bool,
    /// Whether the mapping is shared (MAP_SHARED).
    pub shared: bool,
    /// File to map; `None` = anonymous memory.
    pub file: Option<PathBuf>,
    /// Alignment of the first buffer in bytes.
    pub align: u64,
    /// Size of a huge page in bytes.
    pub huge_page: u64,
}

/// Contents of writes: the first part of each chunk is random, the rest is a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayloadSpec {
    /// Percentage of each chunk that is the pattern: 0 = all random, 100 = only the pattern.
    pub percent: u8,
    /// Size of a chunk in bytes; 0 = the block.
    pub chunk: u32,
    /// Bytes repeated in the second part of each chunk; empty = zeros.
    pub pattern: Vec<u8>,
    /// Change of a block before each write.
    pub renewal: Renewal,
    /// Deduplication; `None` = no block repeats an earlier one on purpose.
    pub dedupe: Option<Dedupe>,
}

impl PayloadSpec {
    /// fio's default contents: each buffer is random from the start, and each 512 bytes are stamped before a write.
    pub const NOISE: PayloadSpec =
        PayloadSpec { percent: 0, chunk: 512, pattern: Vec::new(), renewal: Renewal::Scramble, dedupe: None };
}

/// Change of a block before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Renewal {
    /// No change: the contents of the buffers from before the run are written repeatedly.
    Never,
    /// Offset and time are written into each 512 bytes (`scramble_buffers`).
    Scramble,
    /// The whole block is generated anew (`refill_buffers`).
    Refill,
}

/// Deduplication of written blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dedupe {
    /// Percentage of pieces that are duplicates, 1 to 100.
    pub percent: u8,
    /// Size of a piece in bytes: the smallest block that is written.
    pub piece: u64,
    /// Source of duplicates. `None` = the last piece that was not a duplicate; else the working set, whose size is this
    /// percentage of the job's `size`.
    pub working_set: Option<u8>,
    /// Whether all jobs with this flag share one working set.
    pub global: bool,
}

/// Flushes after writes and at the end of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Durability {
    /// Number of writes between calls of fsync(2); `None` = never.
    pub fsync: Option<NonZeroU64>,
    /// Number of writes between calls of fdatasync(2); `None` = never. Where an fsync is due too, only the fsync is
    /// issued.
    pub fdatasync: Option<NonZeroU64>,
    /// Number of writes between calls of sync_file_range(2); `None` = never. Where an fsync or fdatasync is due too,
    /// only that is issued.
    pub range: Option<NonZeroU64>,
    /// Flags of sync_file_range(2) (SYNC_FILE_RANGE_*).
    pub range_flags: u8,
    /// Whether all files are synced with fsync(2) at the end of the job.
    pub end_fsync: bool,
    /// Whether the file systems are synced with syncfs(2) at the end of the job, instead of the files.
    pub end_syncfs: bool,
    /// Whether a dirty file is synced with fsync(2) when closed.
    pub fsync_on_close: bool,
}

/// Clock of the latencies (`clocksource=`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockSource {
    /// Time stamp counter of the CPU, where it is reliable.
    #[default]
    Cpu,
    /// clock_gettime(2), CLOCK_MONOTONIC.
    Monotonic,
    /// gettimeofday(2), whole microseconds.
    TimeOfDay,
}

/// Quantities that are measured and shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Whether the submission latency is measured.
    pub slat: bool,
    /// Whether the completion latency is measured.
    pub clat: bool,
    /// Whether the total latency is measured.
    pub lat: bool,
    /// Whether bandwidth and IOPS are sampled over time.
    pub samples: bool,
    /// Clock of the latencies.
    pub clock: ClockSource,
    /// Whether the report shows the utilization of the disks (`disk_util`).
    pub disks: bool,
    /// Number of the clock for the reported start time of the job (`job_start_clock_id`); `None` = not reported.
    pub start_clock: Option<i32>,
    /// Interval of bandwidth samples in nanoseconds.
    pub bw_period: u64,
    /// Interval of IOPS samples in nanoseconds.
    pub iops_period: u64,
    /// Percentiles and other figures in the report.
    pub shown: stats::Shown,
}

/// Errors that do not end a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tolerance {
    /// Error numbers that do not end the job and are counted: for reads, for writes and syncs, for verification. `None`
    /// = every error ends the job.
    pub errnos: [Option<Vec<i32>>; 3],
    /// Whether a line is printed for each error that does not end the job.
    pub dump: bool,
}

impl Tolerance {
    const EILSEQ: i32 = 84;

    /// Returns the error numbers that do not end the job, for this operation; EILSEQ always counts as a verification
    /// error.
    pub fn of(&self, read: bool, errno: i32) -> Option<&[i32]> {
        let kind = if errno == Self::EILSEQ { 2 } else { usize::from(!read) };
        self.errnos[kind].as_deref()
    }

    /// Returns whether the error `errno` does not end the job.
    pub fn passes(&self, read: bool, errno: i32) -> bool {
        self.of(read, errno).is_some_and(|errnos| errnos.contains(&errno))
    }

    /// Returns whether any error does not end the job.
    pub fn any(&self) -> bool {
        self.errnos.iter().any(Option::is_some)
    }
}

/// CPUs, memory, priority, user and environment of a job's threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostSpec {
    /// Numbers of the CPUs that the threads may use; empty = all.
    pub cpus: Vec<u32>,
    /// Whether `cpumask=0` was given: no CPU is allowed, and the kernel refuses the empty mask when the job begins.
    pub no_cpu: bool,
    /// Whether each clone gets a single CPU of `cpus` in rotation (`cpus_allowed_policy=split`).
    pub cpus_split: bool,
    /// Number of bytes to lock in memory during the run.
    pub lockmem: u64,
    /// nice value, -20 to 19.
    pub nice: i32,
    /// I/O priority as ioprio_set(2) takes it: class, hint and level; `None` = not set.
    pub ioprio: Option<u16>,
    /// User ID to switch to before any I/O.
    pub uid: Option<u32>,
    /// Group ID to switch to before any I/O.
    pub gid: Option<u32>,
    /// NUMA nodes whose CPUs the threads may use, as a list or `all`.
    pub numa_cpu_nodes: Option<String>,
    /// NUMA memory policy: mode, colon and nodes.
    pub numa_mem_policy: Option<String>,
    /// Control group of the version 1 `blkio` hierarchy.
    pub cgroup: Option<Cgroup>,
    /// I/O scheduler to set on the devices below the files.
    pub ioscheduler: Option<String>,
    /// Shell command before the job (`exec_prerun`).
    pub prerun: Option<String>,
    /// Shell command after the job (`exec_postrun`).
    pub postrun: Option<String>,
    /// Name of the threads; `None` = the name of the job.
    pub comm: Option<String>,
    /// Whether `thread` was given, which only changes fio's `Starting` line.
    pub thread: bool,
}

/// Control group of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cgroup {
    /// Path of the group below the mount point of the hierarchy.
    pub name: String,
    /// Weight of the group (`cgroup_weight`); `None` = not set.
    pub weight: Option<u32>,
    /// Whether the group is kept after the run (`cgroup_nodelete`).
    pub keep: bool,
}

/// Jobs that end early because another job has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExitWhat {
    /// All jobs of its reporting group, including those that have not started.
    #[default]
    Group,
    /// All jobs that are running.
    Running,
    /// All jobs, including those that have not started.
    All,
}

/// Dependencies between a job and other jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependencies {
    /// Name of the job that must end, with all its clones, before this job starts.
    pub wait_for: Option<String>,
    /// Whether the end of the job ends other jobs.
    pub exitall: bool,
    /// Whether the end of the job with an error ends other jobs.
    pub exitall_on_error: bool,
    /// Other jobs that end.
    pub exit_what: ExitWhat,
    /// Whether the job appears in the report.
    pub stats: bool,
}

impl Default for Dependencies {
    fn default() -> Self {
        Dependencies {
            wait_for: None,
            exitall: false,
            exitall_on_error: false,
            exit_what: ExitWhat::Group,
            stats: true,
        }
    }
}

/// A validated job with all defaults filled in; the plan makes `numjobs` clones of the job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Name of the section.
    pub name: String,
    /// Description for the report (`description=`).
    pub description: Option<String>,
    /// Hosts of a run on several hosts on which the job runs; empty = all.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Number of clones; 0 on a host on which the job does not run.
    pub numjobs: u32,
    /// Number of the reporting group, from 0.
    pub group: u32,
    /// Whether the job starts after every earlier job has ended.
    pub stonewall: bool,
    /// Dependencies on other jobs.
    pub dependencies: Dependencies,
    /// Files and devices of the job.
    pub target: Target,
    /// I/O engine with its options.
    pub engine: EngineChoice,
    /// Access pattern: directions, offsets and order.
    pub pattern: PatternSpec,
    /// Queue depth and batches.
    pub queue: Queue,
    /// Conditions that start and end the job.
    pub limits: Limits,
    /// Highest and lowest rates; `None` = as fast as possible.
    #[serde(default)]
    pub rate: Option<Rate>,
    /// Steady state that ends the job; `None` = the job does not wait for one.
    #[serde(default)]
    pub steady: Option<SteadySpec>,
    /// Number of hours for which slow I/Os are counted (profile `act`); `None` = they are not counted.
    #[serde(default)]
    pub latency_slices: Option<u32>,
    /// Part of the job in a flow; `None` = none.
    #[serde(default)]
    pub flow: Option<Flow>,
    /// Latency that the job searches the deepest queue for.
    #[serde(default)]
    pub latency_goal: LatencyGoal,
    /// Pauses between I/Os; `None` = none.
    #[serde(default)]
    pub think_time: Option<ThinkTime>,
    /// I/O priorities of single reads and writes, with their shares.
    pub priorities: [Vec<PriorityShare>; 2],
    /// Placement of the data of writes (`dataplacement`); `None` without directives.
    #[serde(default)]
    pub placement: Option<PlacementSpec>,
    /// File to which the job's operations are appended as a trace (`write_iolog`); `None` = no such file.
    #[serde(default)]
    pub record: Option<PathBuf>,
    /// Traces that the job replays (`read_iolog`); `None` = the job has a pattern of its own.
    #[serde(default)]
    pub replay: Option<ReplaySpec>,
    /// Memory of the I/O buffers.
    pub memory: MemorySpec,
    /// Contents of writes.
    pub payload: PayloadSpec,
    /// Verification of the data; `None` = data is not checked.
    #[serde(default)]
    pub verify: Option<VerifySpec>,
    /// Flushes.
    pub durability: Durability,
    /// Quantities that are measured and shown.
    pub measure: Measure,
    /// Logs over time.
    #[serde(default)]
    pub logs: LogSpec,
    /// Errors that do not end the job.
    pub tolerance: Tolerance,
    /// CPUs, memory, priority, user and environment of the threads.
    pub host: HostSpec,
    /// Options of the section as typed: name and value.
    pub options: Vec<(String, String)>,
    /// Corrections and remarks made when the section was resolved.
    pub notes: Vec<Note>,
}

impl Job {
    /// Returns whether the job trims: by its pattern, or blocks that it verifies (`trim_percentage`).
    pub fn trims(&self) -> bool {
        self.pattern.mix.has(stats::Direction::Trim)
            || self.verify.as_ref().is_some_and(|spec| spec.trims.is_some())
    }

    /// Returns whether the job needs no size: its engine does no I/O, only creates files (one I/O per file), or works
    /// on directories.
    pub fn needs_no_size(&self) -> bool {
        let one = matches!(
            self.engine,
            EngineChoice::Names(_, NameCall::Create) | EngineChoice::Names(Entry::Directory, _)
        );
        one || !self.engine.does_io()
    }

    /// Returns whether the result leaves out a first part of the job: a ramp, or the search for a latency.
    pub fn leaves_out_a_part(&self) -> bool {
        self.limits.ramps() || self.latency_goal.target > 0 && !self.latency_goal.keeps_running
    }

    /// Returns the I/O priorities of the job's reads and writes: that of the job first, then the others in fio's order.
    pub fn priority_values(&self) -> Vec<u16> {
        let mut values = vec![self.host.ioprio.unwrap_or(0)];
        for share in self.priorities.iter().flatten() {
            if !values.contains(&share.value) {
                values.push(share.value);
            }
        }
        values
    }
}
