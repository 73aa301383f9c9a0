//! The validated job: what will happen, with every default filled in. Nothing after `resolve` asks "was it set?".

use crate::distribution::{Law, Places, Sizes};
pub use crate::engine::*;
use crate::inspect::FileKind;
pub use crate::model::{Burst, DiskSpec, ModelSpec, ServiceLaw, WriteCache};
use crate::priority::PriorityShare;
pub use crate::rate::Rate;
pub use crate::unit::Size;
use serde::{Deserialize, Serialize};
use stats::Note;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

/// How space is reserved when a file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fallocate {
    /// Not at all.
    None,
    /// fallocate(2), falling back to nothing.
    Native,
    /// posix_fallocate.
    Posix,
    /// fallocate with FALLOC_FL_KEEP_SIZE.
    Keep,
    /// ftruncate to the final size.
    Truncate,
}

/// What the kernel is told of a file at open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fadvise {
    /// Nothing.
    Nothing,
    /// What the pattern is.
    Pattern,
    /// Random.
    Random,
    /// Sequential.
    Sequential,
    /// Used once.
    NoReuse,
}

/// `sync=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SyncMode {
    /// No flag.
    None,
    /// O_SYNC.
    Sync,
    /// O_DSYNC.
    Dsync,
}

/// `file_service_type=`, with the number of I/Os before the next file is chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FileService {
    /// In turn.
    RoundRobin(u32),
    /// At random.
    Random(u32),
    /// A file first to its end.
    Sequential,
    /// By a law; a file that is used up begins anew.
    Law(Law),
}

/// `lockfile=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lock {
    /// None.
    #[default]
    None,
    /// One I/O at a time.
    Exclusive,
    /// One I/O at a time, or any number of reads.
    ReadWrite,
}

/// Where a job's I/O goes, as asked. Sizes of files become known in the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// `directory=`: prefixes of generated names; clones take them in turn.
    pub directories: Vec<PathBuf>,
    /// `filename=`: explicit targets, shared by all clones. Empty = names are generated.
    pub filenames: Vec<PathBuf>,
    /// Files found below `opendir=`, used as they are: `directory=` does not apply to them.
    pub found: Vec<PathBuf>,
    /// Empty files among them, which are left out.
    pub empty: Vec<PathBuf>,
    /// What they all are, where the user says so.
    pub kind: Option<FileKind>,
    /// `filename_format=`.
    pub filename_format: String,
    /// Files per clone.
    pub nrfiles: u32,
    /// Most files that are open at a time; `None` where all are.
    pub openfiles: Option<NonZeroU32>,
    /// `filesize=`: per file, a range.
    pub filesize: Option<(u64, u64)>,
    /// `size=`.
    pub size: Option<Size>,
    /// `io_size=`.
    pub io_size: Option<Size>,
    /// `offset=`.
    pub offset: Size,
    /// `offset_align=`.
    pub offset_align: u64,
    /// `offset_increment=` times the clone's number.
    pub offset_increment: Size,
    /// O_DIRECT.
    pub direct: bool,
    /// O_SYNC or O_DSYNC.
    pub sync: SyncMode,
    /// Drop cached pages first.
    pub invalidate: bool,
    /// How space is reserved.
    pub fallocate: Fallocate,
    /// Write existing or new files in full before the measured part.
    pub overwrite: bool,
    /// posix_fadvise at open.
    pub fadvise: Fadvise,
    /// Read into the cache before the start.
    pub pre_read: bool,
    /// F_SET_RW_HINT's number for how long what is written will live.
    pub write_hint: Option<u64>,
    /// The region begins where the file ends.
    pub append: bool,
    /// Write until the device is full, which is no error.
    pub fill: bool,
    /// Under fio's own rules a mounted device may be written to.
    pub mounted: bool,
    /// Which file is next.
    pub file_service: FileService,
    /// A lock is held around each call on a file.
    pub lock: Lock,
    /// Create missing files.
    pub allow_file_create: bool,
    /// Only lay files out.
    pub create_only: bool,
    /// Laid out before any job begins, one after the other.
    pub serial: bool,
    /// No layout: files appear at first open.
    pub create_on_open: bool,
    /// fsync each laid-out file.
    pub create_fsync: bool,
    /// Delete files after the job.
    pub unlink: bool,
    /// Delete files between loops.
    pub unlink_each_loop: bool,
    /// `--readonly` was given: no writes, no layout.
    pub readonly: bool,
}

/// Which directions a job works in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mix {
    /// Reads only.
    Read,
    /// Writes only.
    Write,
    /// Trims only.
    Trim,
    /// Reads and writes, `reads` percent reads.
    ReadWrite {
        /// Percent of reads.
        reads: u8,
    },
    /// Trim, then write the same block.
    TrimWrite,
}

impl Mix {
    /// Whether the direction with this index (read, write, trim) occurs.
    pub fn has(self, direction: stats::Direction) -> bool {
        use stats::Direction as D;
        match self {
            Mix::Read => direction == D::Read,
            Mix::Write => direction == D::Write,
            Mix::Trim => direction == D::Trim,
            Mix::ReadWrite { .. } => direction != D::Trim,
            Mix::TrimWrite => direction != D::Read,
        }
    }
}

/// Order of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// One after the other; `skip` bytes are added after each I/O (`rw=read:8k`, may be negative).
    Sequential {
        /// Bytes added to the position after each I/O.
        skip: i64,
    },
    /// At random; after each random I/O `run - 1` sequential ones follow (`rw=randread:8` is a run of 8; 1 = none).
    Random {
        /// I/Os per random draw.
        run: u32,
    },
}

/// Which blocks, in which order, in which direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PatternSpec {
    /// `rw=` as typed without suffix (for the banner): `randread`, `rw` is printed as `rw`, ...
    pub rw: String,
    /// Directions.
    pub mix: Mix,
    /// Order.
    pub order: Order,
    /// Block size in bytes, smallest and largest: read, write, trim.
    pub block: [(u64, u64); 3],
    /// How sizes are drawn.
    pub sizes: Sizes,
    /// Where random I/Os go.
    pub places: Places,
    /// Visit each block once per pass (the default for random orders).
    pub random_map: bool,
    /// Seed of all of the job's streams (already mixed with the clone number in the plan).
    pub seed: u64,
}

impl PatternSpec {
    /// Ranges of block sizes that occur.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> {
        let both = [stats::Direction::Read, stats::Direction::Write];
        let used = move |d: &stats::Direction| self.mix.has(*d) || (self.sizes.seq_rand && both.contains(d));
        stats::Direction::ALL.into_iter().filter(used).map(|d| self.block[d as usize])
    }

    /// Smallest block of the directions that occur, in bytes; at least 1.
    pub fn smallest_block(&self) -> u64 {
        let used = stats::Direction::ALL.into_iter().filter(|d| self.mix.has(*d));
        used.map(|d| self.block[d as usize].0).min().unwrap_or(4096).max(1)
    }

    /// The largest block that occurs.
    pub fn largest_block(&self) -> u64 {
        self.ranges().map(|range| range.1).max().unwrap_or(4096)
    }
}

/// Queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// Most I/Os in flight.
    pub iodepth: u32,
    /// What the engine can hold of it, at least 1 (1 for synchronous engines). Everything that depends on the depth reads this.
    pub effective: u32,
    /// An I/O that touches what flies waits for it (`serialize_overlap`).
    pub serialize: bool,
    /// Set only when the user set any `iodepth_batch*` or `iodepth_low`: then obeyed exactly.
    pub batch: Option<Batch>,
}

/// `iodepth_batch*` and `iodepth_low`, with fio's defaults filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// I/Os per submit call.
    pub submit: u32,
    /// Least completions per reap call (0 = poll).
    pub complete_min: u32,
    /// Most completions per reap call.
    pub complete_max: u32,
    /// Once full, drain to this before refilling.
    pub low: u32,
}

/// When a job ends. Times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// `runtime`, the measured time after which the job ends.
    pub runtime: Option<NonZeroU64>,
    /// The job repeats its region until `runtime` ends (`time_based`); set only with `runtime`.
    pub time_based: bool,
    /// Time before measuring begins.
    pub ramp_time: u64,
    /// Bytes of the whole reporting group before measuring begins.
    pub ramp_size: Option<NonZeroU64>,
    /// Time from the start of the run before which the job does not start.
    pub startdelay: u64,
    /// The most that may be, where a range was given: each clone draws its own (see `PlannedJob::startdelay`).
    pub startdelay_most: u64,
    /// Repeat so many times.
    pub loops: u64,
    /// Latency above which a read, a write or a trim ends the job.
    pub max_latency: [Option<NonZeroU64>; 3],
    /// Number of I/Os of each loop after which the job ends.
    pub number_ios: Option<NonZeroU64>,
}

impl Limits {
    /// Whether something is done before measuring begins.
    pub fn ramps(&self) -> bool {
        self.ramp_time > 0 || self.ramp_size.is_some()
    }

    /// Returns whether `elapsed` nanoseconds of measured time are all that the job may take.
    pub fn runtime_over(&self, elapsed: u64) -> bool {
        self.runtime.is_some_and(|runtime| elapsed >= runtime.get())
    }
}

/// `iomem`, `iomem_align`, `hugepage-size`: where I/O buffers come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemorySpec {
    /// A mapping or a segment was asked for: the first buffer begins where that does.
    pub mapped: bool,
    /// A System V segment.
    pub segment: bool,
    /// Huge pages.
    pub huge: bool,
    /// A shared mapping.
    pub shared: bool,
    /// A file is mapped, in the place of this one.
    pub file: Option<PathBuf>,
    /// Alignment of the first buffer.
    pub align: u64,
    /// Bytes of a huge page.
    pub huge_page: u64,
}

/// What is written: of every chunk the first part is random, the rest is the pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayloadSpec {
    /// Percent of each chunk that is the pattern: 0 is noise, 100 is nothing but the pattern.
    pub percent: u8,
    /// Bytes of a chunk (0 = the block).
    pub chunk: u32,
    /// Repeated from the start of each chunk's second part; empty = zeros.
    pub pattern: Vec<u8>,
    /// What happens to a block before it is written.
    pub renewal: Renewal,
    /// How much of it was written before.
    pub dedupe: Option<Dedupe>,
}

impl PayloadSpec {
    /// fio's default: random once per buffer, each sector stamped before each write.
    pub const NOISE: PayloadSpec =
        PayloadSpec { percent: 0, chunk: 512, pattern: Vec::new(), renewal: Renewal::Scramble, dedupe: None };
}

/// What happens to a block before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Renewal {
    /// Nothing: the contents of the buffers made before the run are written again and again.
    Never,
    /// Offset and time are stamped into each 512 bytes.
    Scramble,
    /// It is made anew.
    Refill,
}

/// Pieces that were written before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dedupe {
    /// Percent of the pieces, 1 to 100.
    pub percent: u8,
    /// Bytes of a piece: the smallest block that is written.
    pub piece: u64,
    /// `None`: such a piece repeats the last one that was new. Else it is one of the working set's: the first pieces of
    /// this percentage of the size.
    pub working_set: Option<u8>,
    /// The working sets of all jobs that say so are one.
    pub global: bool,
}

/// Durability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Durability {
    /// Number of writes after which an fsync follows.
    pub fsync: Option<NonZeroU64>,
    /// Number of writes after which an fdatasync follows, where no fsync is due.
    pub fdatasync: Option<NonZeroU64>,
    /// Number of writes after which a sync_file_range follows, where neither is due.
    pub range: Option<NonZeroU64>,
    /// Its flags (SYNC_FILE_RANGE_*).
    pub range_flags: u8,
    /// fsync all files at the end.
    pub end_fsync: bool,
    /// syncfs of their file systems in its place.
    pub end_syncfs: bool,
    /// fsync a dirty file when it is closed.
    pub fsync_on_close: bool,
}

/// `clocksource=`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClockSource {
    /// The processor's counter where it can be relied on.
    #[default]
    Cpu,
    /// clock_gettime.
    Monotonic,
    /// gettimeofday: whole microseconds.
    TimeOfDay,
}

/// What is measured and shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Measure slat.
    pub slat: bool,
    /// Measure clat.
    pub clat: bool,
    /// Measure lat.
    pub lat: bool,
    /// Take bw and iops samples.
    pub samples: bool,
    /// What latencies are read from.
    pub clock: ClockSource,
    /// `disk_util`: the report shows what the disks did.
    pub disks: bool,
    /// The clock that tells when the job began, where one is asked for.
    pub start_clock: Option<i32>,
    /// Period of bw samples, nanoseconds.
    pub bw_period: u64,
    /// Period of iops samples, nanoseconds.
    pub iops_period: u64,
    /// What the report shows.
    pub shown: stats::Shown,
}

/// Which errors do not end a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tolerance {
    /// Of reads, of writes and syncs, of verification: `None` = every error ends the job and is not counted, else the
    /// errnos that are counted and let pass.
    pub errnos: [Option<Vec<i32>>; 3],
    /// A line for those too.
    pub dump: bool,
}

impl Tolerance {
    const EILSEQ: i32 = 84;

    /// The errnos let pass where `errno` struck; EILSEQ is what verification finds, whatever reports it.
    pub fn of(&self, read: bool, errno: i32) -> Option<&[i32]> {
        let kind = if errno == Self::EILSEQ { 2 } else { usize::from(!read) };
        self.errnos[kind].as_deref()
    }

    /// Whether this error is let pass.
    pub fn passes(&self, read: bool, errno: i32) -> bool {
        self.of(read, errno).is_some_and(|errnos| errnos.contains(&errno))
    }

    /// Whether any error is.
    pub fn any(&self) -> bool {
        self.errnos.iter().any(Option::is_some)
    }
}

/// The job's place on the host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostSpec {
    /// CPUs the thread may run on; empty = any.
    pub cpus: Vec<u32>,
    /// None at all (`cpumask=0`), which the kernel refuses when the job begins.
    pub no_cpu: bool,
    /// One of `cpus` per clone in turn, instead of all of them for each.
    pub cpus_split: bool,
    /// Bytes to lock in memory as ballast.
    pub lockmem: u64,
    /// nice value.
    pub nice: i32,
    /// ioprio_set's value: class, hint and level.
    pub ioprio: Option<u16>,
    /// User to become before any I/O.
    pub uid: Option<u32>,
    /// Group to become before any I/O.
    pub gid: Option<u32>,
    /// NUMA nodes whose CPUs the job runs on, as a list; `all` = all.
    pub numa_cpu_nodes: Option<String>,
    /// Memory policy: mode, colon, nodes.
    pub numa_mem_policy: Option<String>,
    /// Control group of the version 1 `blkio` hierarchy.
    pub cgroup: Option<Cgroup>,
    /// Scheduler to set for the devices below the files.
    pub ioscheduler: Option<String>,
    /// Command for the shell before the job.
    pub prerun: Option<String>,
    /// Command for the shell after the job.
    pub postrun: Option<String>,
    /// Name of the thread; that of the job, unless one is given.
    pub comm: Option<String>,
    /// `thread` was given (only the wording of fio's `Starting` line depends on it).
    pub thread: bool,
}

/// `cgroup=` and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cgroup {
    /// Its name below the hierarchy's mount.
    pub name: String,
    /// `cgroup_weight`.
    pub weight: Option<u32>,
    /// `cgroup_nodelete`.
    pub keep: bool,
}

/// Which jobs end early because one has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExitWhat {
    /// Those of its reporting group, also those that wait.
    #[default]
    Group,
    /// Those that run now.
    Running,
    /// All, also those still to come.
    All,
}

/// When a job starts and what its end means for others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ties {
    /// Not before all clones of the job of this name have ended.
    pub wait_for: Option<String>,
    /// Its end ends others.
    pub exitall: bool,
    /// Its end in error ends others.
    pub exitall_on_error: bool,
    /// Which.
    pub exit_what: ExitWhat,
    /// It appears in the report.
    pub stats: bool,
}

impl Default for Ties {
    fn default() -> Self {
        Ties {
            wait_for: None,
            exitall: false,
            exitall_on_error: false,
            exit_what: ExitWhat::Group,
            stats: true,
        }
    }
}

/// One job section, validated and complete. `numjobs` clones of it are made in the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Name.
    pub name: String,
    /// `description=`.
    pub description: Option<String>,
    /// Clones.
    pub numjobs: u32,
    /// Reporting group.
    pub group: u32,
    /// Start only after every earlier job ended.
    pub stonewall: bool,
    /// Jobs that it waits for, and jobs that end with it.
    pub ties: Ties,
    /// Files and devices of the job.
    pub target: Target,
    /// Engine.
    pub engine: EngineChoice,
    /// Access pattern: directions, offsets and order.
    pub pattern: PatternSpec,
    /// Queue.
    pub queue: Queue,
    /// Limits.
    pub limits: Limits,
    /// How fast it goes at most and at least.
    #[serde(default)]
    pub rate: Option<Rate>,
    /// Priorities that single reads and writes have.
    pub priorities: [Vec<PriorityShare>; 2],
    /// Buffers.
    pub memory: MemorySpec,
    /// Payload.
    pub payload: PayloadSpec,
    /// Durability.
    pub durability: Durability,
    /// Measurement.
    pub measure: Measure,
    /// Errors that do not end it.
    pub tolerance: Tolerance,
    /// Host.
    pub host: HostSpec,
    /// Options of the section as typed.
    pub options: Vec<(String, String)>,
    /// What was changed or noticed while resolving.
    pub notes: Vec<Note>,
}

impl Job {
    /// Whether it needs no size: a file that is only made is made by one I/O, nor has a directory a size, and where there
    /// is no I/O nothing looks at it.
    pub fn needs_no_size(&self) -> bool {
        let one = matches!(
            self.engine,
            EngineChoice::Names(_, NameCall::Create) | EngineChoice::Names(Entry::Directory, _)
        );
        one || !self.engine.does_io()
    }

    /// The I/O priorities that its reads and writes have: its own, then the others in the order in which fio tells them.
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
