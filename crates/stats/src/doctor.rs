//! Facts about the storage stack under a target and about conditions that distort measurements, with their numbers.

use crate::contents::Contents;
use crate::remote::{CephPool, NetworkPath, RemoteClient, Shaper};
use crate::server_fact::ServerFact;
use serde::{Deserialize, Serialize};

/// Subject of a line of the doctor, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Offsets of partitions, loop devices, RAID data and files.
    Alignment,
    /// Kind of the target, its file system, its contents and its use.
    Ground,
    /// CPUs, hardware queues and I/O engines.
    Queue,
    /// Sector and request sizes.
    BlockSize,
    /// Medium, scheduler, read-ahead, write cache and zones of the disk.
    Device,
    /// Clients of servers on the network, and the path to these.
    Network,
    /// Load of other processes and arrays.
    Load,
    /// Limits that control groups set.
    Limits,
    /// Link to the disk, NUMA node, CPU governor, clock and hypervisor.
    Host,
}

/// Importance of a fact for a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The fact needs no attention.
    Fine,
    /// The fact helps to interpret the figures.
    Note,
    /// The fact changes the figures unless the job allows for it.
    Matters,
    /// The fact makes the figures wrong.
    Spoils,
}

/// One line of the doctor's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Subject under which the line is listed.
    pub topic: Topic,
    /// Importance of the fact for a measurement.
    pub severity: Severity,
    /// Fact with its numbers.
    #[serde(flatten)]
    pub fact: Fact,
}

/// One row of the list of layers under the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerRow {
    /// Kernel name of the device, or mount point of the file system.
    pub name: String,
    /// Kind of the layer: `ext4`, `partition`, `loop`, `lvm`, `raid5`, `disk`, ...
    pub kind: String,
    /// Size in bytes; `None` if not known.
    pub size: Option<u64>,
    /// Model that the disk reports; `None` for other layers.
    pub model: Option<String>,
}

/// Unit that an offset should be a multiple of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Physical sector, or 4096 bytes where the disk reports less.
    Sector,
    /// Chunk of a RAID array.
    Chunk,
    /// Full stripe of a RAID array.
    Stripe,
}

/// Source of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Start of a partition that the kernel created.
    Partition,
    /// Entry of a partition table for which the kernel created no partition.
    TableEntry,
    /// Offset of a loop device in its backing file.
    Loop,
    /// Start of the data after the metadata of a RAID member.
    Raid,
    /// Position of a file's data on the device of its file system.
    File,
    /// Sum of several of these offsets.
    Sum,
}

/// Kind of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A whole block device.
    Device,
    /// Partition of a block device.
    Partition,
    /// A regular file.
    File,
    /// Directory on a mounted file system.
    Directory,
}

/// Place where a file system serves its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileSystemKind {
    /// Local disk or other block device.
    Disk,
    /// Memory of this machine (tmpfs, ramfs).
    Memory,
    /// Server on the network (NFS, SMB).
    Network,
    /// A program (FUSE) or another kernel (9p, virtiofs).
    Served,
    /// Another file system below (overlayfs).
    Overlay,
    /// Local disk under a file system with checksums, compression and copy-on-write (btrfs, zfs, bcachefs).
    CopyOnWrite,
}

/// Effect of a mount option on the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MountEffect {
    /// Every write returns only after the disk has completed it (`sync`, `dirsync`, `wsync`).
    Synchronous,
    /// Flushes are skipped (`nobarrier`, `barrier=0`).
    NoFlush,
    /// Data is also written to the journal (`data=journal`).
    DataTwice,
    /// Data is compressed.
    Compressed,
    /// The page cache is never used (`dax`).
    Dax,
    /// The mount is read-only.
    ReadOnly,
    /// Deleting a file trims its blocks at once.
    Discard,
}

/// Use of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsedAs {
    /// Mounted; `by` is the mount point.
    Mounted,
    /// Active swap space.
    Swap,
    /// Member of the stacked device `by`.
    Part,
    /// Backing of the loop device `by`.
    Loop,
}

/// Medium of a disk, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Medium {
    /// Flash memory (SSD).
    Flash,
    /// Rotating platters (hard disk).
    Platters,
    /// Memory of this machine.
    Memory,
    /// Medium not known, because a controller, hypervisor or network hides the disk.
    Hidden,
}

/// Latency of random reads, which indicates the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Too few reads reached the disk.
    Unseen,
    /// Random reads are too fast for moving heads.
    Quick,
    /// Random reads are between fast and slow.
    Between,
    /// Random reads take as long as with moving heads or a network.
    Slow,
}

/// Background work of a RAID array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrayWork {
    /// Resynchronization after creation or a crash.
    Resync,
    /// Reconstruction of the data of a new member.
    Recover,
    /// Change of the layout.
    Reshape,
    /// Comparison of all members.
    Check,
    /// Comparison of all members with repair of mismatches.
    Repair,
    /// Work that is stopped or waits for another array.
    Waiting,
}

/// I/O engine that the doctor tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineName {
    /// `io_uring`, on kernel rings.
    IoUring,
    /// `libaio`, on kernel AIO.
    Libaio,
}

/// Location of a cloud disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudDisk {
    /// Network storage, with the provider's limits.
    Network,
    /// Storage in the host; its data is lost when the machine stops.
    Local,
    /// Network or local, not known which.
    Unknown,
}

/// Fact with its numbers. Sizes and offsets are in bytes, rates in bytes per second; `device` is a kernel name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
#[allow(missing_docs)] // the names of the fields are their documents, units as said above
pub enum Fact {
    // Alignment.
    /// `what` starts at `byte` of `on`; `fails` is the unit that `byte` is not a multiple of, with the remainder.
    Begins {
        what: String,
        origin: Origin,
        on: String,
        byte: u64,
        /// `byte` in logical sectors of the device, as fdisk counts.
        sector: u64,
        /// Size of these sectors, bytes.
        sector_bytes: u64,
        /// Largest of 1 MiB, 64 KiB and 4 KiB that divides `byte`; `None` if none does.
        multiple_of: Option<u64>,
        /// Physical sector that the device reports, bytes.
        physical_bytes: u64,
        fails: Option<Misfit>,
        /// Whether offsets of lower layers compensate the misalignment.
        compensated: bool,
    },
    /// The kernel reports that `device` is misaligned on its members (`alignment_offset`).
    KernelSaysMisaligned { device: String, offset_bytes: i64 },
    /// The offset of `above` on `device` is not known, because only root can read the offset.
    OffsetNotTold { above: String, device: String },
    /// A partition table exists, but the kernel created no partitions from the table.
    TableWithoutPartitions { device: String, gpt: bool, entries: u32 },
    /// The partition table uses another sector size than the device.
    TableForOtherSectors { device: String, table_bytes: u64, device_bytes: u64 },
    /// The partition table could not be read for lack of permission.
    TableUnread { device: String },
    /// The blocks of the file system are smaller than a flash page.
    SmallFileSystemBlocks { at: String, bytes: u64 },
    /// No layer between target and disk has an offset.
    NothingBetween { device: String },

    // Ground.
    /// Kind and size of the target.
    Target { kind: TargetKind, size: Option<u64> },
    /// The target is empty (size 0).
    Empty { kind: TargetKind },
    /// File system of the target file or directory.
    OnFileSystem { kind: String, answers: FileSystemKind, at: String },
    /// A mount option that changes the figures.
    MountOption { at: String, option: String, effect: MountEffect },
    /// Loop device and its backing file; `direct`: the loop device does direct I/O on the file.
    LoopOverFile { device: String, backing: String, direct: bool },
    /// The device is in use by `by`.
    InUse { device: String, used: UsedAs, by: String },
    /// Contents found on the device (file system, partition table, RAID member ...).
    Carries { device: String, what: Contents },
    /// Whether the target accepts direct I/O.
    DirectIo { accepted: bool },
    /// The target cannot be read; `errno` is the error of the open.
    Unreadable { errno: i32 },
    /// Bytes in holes and unwritten extents of the file, which reads do not fetch from the disk.
    Holes { size: u64, holes: u64, unwritten: Option<u64> },
    /// Size of the file, and number and mean size of its extents.
    Pieces { size: u64, pieces: u32, mean_bytes: u64 },
    /// Number of sampled blocks that contain only zeros.
    ZeroBlocks { sampled: u32, zero: u32 },
    /// Size of the target, and its bytes in the page cache.
    Cached { size: u64, cached: u64 },
    /// Size and free space of the file system.
    Space { size: u64, free: u64 },

    // Queue.
    /// CPUs that this process may use, of the CPUs online.
    Processors { usable: u32, online: u32 },
    /// Queue of the disk: `requests` per hardware queue; `disk_takes` is the number of commands that the disk
    /// accepts.
    Depth { device: String, hardware_queues: u32, requests: u32, disk_takes: Option<u32> },
    /// Whether the kernel permits an I/O engine; `errno` is the error if it does not.
    Engine { engine: EngineName, errno: Option<i32> },
    /// Kernel AIO requests reserved in the whole system, and their limit (`aio-nr`, `aio-max-nr`).
    AioRoom { used: u64, most: u64 },

    // Block size.
    /// Logical and physical sector size of the device.
    Sectors { device: String, logical: u64, physical: u64 },
    /// Largest request of the device; larger I/Os are split.
    LargestRequest { device: String, bytes: u64 },
    /// Chunk and full stripe of a RAID array.
    Stripe { device: String, chunk: u64, stripe: Option<u64> },

    // Device.
    /// Medium of the disk, with the evidence: the rotational flag and the median latency of sampled random reads.
    Kind {
        device: String,
        medium: Medium,
        says_rotational: Option<bool>,
        behaviour: Behaviour,
        read_ns: Option<u64>,
    },
    /// Disk of a cloud provider.
    Cloud { device: String, provider: String, disk: CloudDisk },
    /// Volume of a hardware RAID controller.
    ControllerVolume { device: String, driver: String },
    /// Active I/O scheduler; `quick`: the disk is neither rotational nor slow.
    Scheduler { device: String, name: String, quick: bool },
    /// Read-ahead of buffered reads, bytes.
    ReadAhead { device: String, bytes: u64 },
    /// Mode of the write cache: `back` completes writes before they are durable; `hidden`: a controller, hypervisor
    /// or network hides the disk behind the cache.
    WriteCache { device: String, back: bool, hidden: bool },
    /// Zoned device, host-managed or host-aware.
    Zoned { device: String, host_managed: bool },

    // Network.
    /// Client of a layer on another machine, with its servers.
    Client { layer: String, client: RemoteClient, servers: Vec<String> },
    /// The client has no working connection to its server; `state` as the kernel names it.
    NotConnected { layer: String, state: String },
    /// Requests fail when the server does not respond for `seconds`, by this setting; `None`: after some time.
    FailsAfter { layer: String, setting: String, seconds: Option<f64> },
    /// Requests wait without limit when the server does not respond, by this setting.
    WaitsForServer { layer: String, setting: String },
    /// Attributes are cached by the client: shortest and longest time for files and for directories, seconds.
    AttributeCache { layer: String, file_s: [u32; 2], directory_s: [u32; 2] },
    /// The client cannot see whether the server exports with `sync` or `async`.
    ExportUnknown { layer: String },
    /// Largest requests to the server, read and write, bytes.
    SmallRequests { layer: String, read_bytes: u64, write_bytes: u64 },
    /// Pool of the Ceph cluster that holds the data.
    Pool { layer: String, pool: CephPool },
    /// A pool with few placement groups for each OSD; `each` is their number.
    SmallPool { layer: String, pool: CephPool, osds: u32, each: f64 },
    /// What the server or the library states about a target of a library.
    Server { layer: String, server: ServerFact },
    /// Payload per second of the writes of all clients that the links of the machines with OSDs carry, with all copies, if
    /// they are as fast as the link of this machine.
    ReplicationPayload { layer: String, copies: u32, hosts: u32, mbit: u64, payload: u64 },
    /// Path to the server, and the payload per second and direction that its link carries.
    Route { layer: String, path: NetworkPath, payload: Option<u64> },
    /// This machine limits what it sends through the interface to a server, and the payload per second that passes.
    Shaper { layer: String, interface: String, shaper: Shaper, payload: u64 },
    /// The address of the server or the route to it is not known.
    ServerUnknown { layer: String },

    // Load.
    /// Load of other processes on a device during an observation of `look_ms` milliseconds: I/Os, bytes, utilization
    /// and requests in flight.
    Busy { device: String, look_ms: u64, ios: u64, bytes: u64, util_percent: f64, in_flight: u64 },
    /// Share of the last 10 s in which tasks were stalled on I/O (PSI), percent.
    Pressure { percent: f64 },
    /// Dirty bytes in the page cache.
    Dirty { bytes: u64 },
    /// Background work of a RAID array and its progress.
    ArrayBusy { device: String, level: String, work: ArrayWork, done_percent: Option<u32> },
    /// RAID array with missing members.
    Degraded { device: String, level: String, missing: u32, disks: Option<u32> },
    /// RAID array that is complete and has no background work.
    Array { device: String, level: String, disks: Option<u32>, bitmap: bool },

    // Limits.
    /// Limits of a control group on a device: bytes and I/Os per second, each [read, write]; `None`: no limit.
    IoCap { device: String, bytes_per_second: [Option<u64>; 2], iops: [Option<u64>; 2] },
    /// No control group limits I/O on the devices.
    NoIoCap,
    /// CPU quota of the control group: `cpus` of the `usable` CPUs.
    CpuCap { cpus: f64, usable: u32 },
    /// Memory limit of the control group, which also limits the page cache; bytes left.
    MemoryCap { left_bytes: u64 },

    // Host.
    /// PCIe link: lanes and GT/s, current and maximum.
    Pcie {
        device: String,
        width: u32,
        speed: f64,
        most_width: u32,
        most_speed: f64,
        bytes_per_second: u64,
        most_bytes_per_second: u64,
    },
    /// SATA link: speed in tenths of Gbit/s, and capacity in bytes per second.
    Sata { device: String, tenths: u32, limit_tenths: Option<u32>, bytes_per_second: u64 },
    /// USB link in Mbit/s; `one_at_a_time`: the protocol permits one command in flight.
    Usb { device: String, mbit: u32, one_at_a_time: bool },
    /// NUMA node to which the disk is attached, and whether this process may run on it.
    Numa { device: String, node: u32, local: bool },
    /// The machine is virtual, with this hypervisor.
    Hypervisor { name: String },
    /// Steal time during the observation, percent of the CPU time.
    Steal { percent: f64 },
    /// Frequency governors of the CPUs.
    Governor { names: Vec<String> },
    /// Clock source of the kernel; `slow` means that programs need a system call to read the clock.
    Clock { name: String, slow: bool },
}

impl Fact {
    /// Returns [`Fact::Begins`]: `what` starts at `byte` of `on`, which has sectors of `sector_bytes`.
    pub fn begins(
        what: String,
        origin: Origin,
        on: String,
        byte: u64,
        sector_bytes: u64,
        physical_bytes: u64,
    ) -> Fact {
        let multiple_of = [1 << 20, 1 << 16, 1 << 12].into_iter().find(|unit| byte.is_multiple_of(*unit));
        let sector = byte.checked_div(sector_bytes).unwrap_or(0);
        let (fails, compensated) = (None, false);
        Fact::Begins {
            what,
            origin,
            on,
            byte,
            sector,
            sector_bytes,
            multiple_of,
            physical_bytes,
            fails,
            compensated,
        }
    }

    /// Sets the misfit of a [`Fact::Begins`], and whether lower layers compensate the misalignment.
    #[must_use]
    pub fn failing(mut self, misfit: Option<Misfit>, made_up_for: bool) -> Fact {
        if let Fact::Begins { fails, compensated, .. } = &mut self {
            (*fails, *compensated) = (misfit, made_up_for);
        }
        self
    }

    /// Returns the device name of a fact that the report may combine for disks with equal values; `None` for other
    /// facts.
    pub fn device_mut(&mut self) -> Option<&mut String> {
        match self {
            Fact::Depth { device, .. }
            | Fact::Sectors { device, .. }
            | Fact::LargestRequest { device, .. }
            | Fact::Stripe { device, .. }
            | Fact::Kind { device, .. }
            | Fact::Cloud { device, .. }
            | Fact::ControllerVolume { device, .. }
            | Fact::Scheduler { device, .. }
            | Fact::ReadAhead { device, .. }
            | Fact::WriteCache { device, .. }
            | Fact::Zoned { device, .. }
            | Fact::Busy { device, .. }
            | Fact::IoCap { device, .. }
            | Fact::Pcie { device, .. }
            | Fact::Sata { device, .. }
            | Fact::Usb { device, .. }
            | Fact::Numa { device, .. } => Some(device),
            _ => None,
        }
    }
}

/// Misalignment of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misfit {
    /// Unit that the offset should be a multiple of.
    pub unit: Unit,
    /// Size of the unit, bytes.
    pub bytes: u64,
    /// Remainder of the offset divided by the unit, bytes.
    pub beyond: u64,
}

/// Report of the doctor about one target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// Version of fathom that made the report.
    pub version: String,
    /// Target as given on the command line.
    pub target: String,
    /// Layers under the target, top down.
    pub stack: Vec<LayerRow>,
    /// Findings, in the order of [`Topic`].
    pub lines: Vec<Line>,
}

impl Diagnosis {
    /// Returns the number of lines with this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.lines.iter().filter(|l| l.severity == severity).count()
    }

    /// Returns whether a fact makes the figures wrong.
    pub fn spoils(&self) -> bool {
        self.count(Severity::Spoils) > 0
    }
}
