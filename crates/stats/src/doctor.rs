//! Facts about the storage stack under a target and what in it distorts measurements, with their numbers.

use crate::contents::Contents;
use serde::{Deserialize, Serialize};

/// What is asked about, in the order in which to look: the four that a disk's seller asks first, then the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    /// Where things begin.
    Alignment,
    /// Raw disk, partition, file, or no disk at all; what the file holds.
    Ground,
    /// Processors, queues and engines.
    Queue,
    /// Sector and request sizes.
    BlockSize,
    /// What kind of disk, scheduler, read-ahead, write cache.
    Device,
    /// Load of other processes.
    Load,
    /// Caps.
    Limits,
    /// The way to the disk, the processors' clocks, the hypervisor.
    Host,
}

/// How much a fact matters to a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// As it should be.
    Fine,
    /// Worth knowing when the figures are read.
    Note,
    /// Changes the figures unless one takes care.
    Matters,
    /// The figures would be wrong.
    Spoils,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Heading under which the line stands.
    pub topic: Topic,
    /// How much it matters.
    pub severity: Severity,
    /// The fact.
    #[serde(flatten)]
    pub fact: Fact,
}

/// One row of the list of layers under the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerRow {
    /// Kernel name of the device, or mount point of the file system.
    pub name: String,
    /// `ext4`, `partition`, `loop`, `lvm`, `raid5`, `disk`, ...
    pub kind: String,
    /// Bytes; `None` where it is not known.
    pub size: Option<u64>,
    /// What the disk calls itself.
    pub model: Option<String>,
}

/// What an offset is measured against, largest demand that it fails first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// The physical sector, or 4096 bytes where the disk reports less.
    Sector,
    /// A RAID's chunk.
    Chunk,
    /// A RAID's stripe.
    Stripe,
}

/// How an offset came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A partition of the kernel.
    Partition,
    /// An entry of a table of which the kernel made no partition.
    TableEntry,
    /// A loop device in its file.
    Loop,
    /// RAID metadata before the data.
    Raid,
    /// Where a file lies on its file system.
    File,
    /// Several of these added up.
    Sum,
}

/// Kind of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A whole block device.
    Device,
    /// A partition.
    Partition,
    /// A regular file.
    File,
    /// A directory.
    Directory,
}

/// How a file system answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileSystemKind {
    /// On a disk.
    Disk,
    /// In memory.
    Memory,
    /// At the other end of a network.
    Network,
    /// By a program (FUSE) or another kernel (9p, virtiofs).
    Served,
    /// On top of another file system.
    Overlay,
    /// One that checks, compresses and never writes in place (btrfs, zfs, bcachefs).
    CopyOnWrite,
}

/// A mount option that changes figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MountEffect {
    /// Every write waits for the disk (`sync`, `dirsync`, `wsync`).
    Synchronous,
    /// Flushes are skipped (`nobarrier`, `barrier=0`).
    NoFlush,
    /// Data goes through the journal as well (`data=journal`).
    DataTwice,
    /// Data is compressed.
    Compressed,
    /// The page cache is never used (`dax`).
    Dax,
    /// Nothing can be written.
    ReadOnly,
    /// Deleting trims at once.
    Discard,
}

/// Who uses a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UsedAs {
    /// Mounted (`by` is where).
    Mounted,
    /// Swap.
    Swap,
    /// Part of the device `by`.
    Part,
    /// The loop device `by` lies on it.
    Loop,
}

/// Kind of a disk, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Medium {
    /// Flash.
    Flash,
    /// Rotating platters.
    Platters,
    /// Memory of this machine.
    Memory,
    /// Hidden behind a controller, hypervisor or network.
    Hidden,
}

/// What tells the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// Too few reads reached the disk to tell.
    Unseen,
    /// Random reads are too quick for heads that move.
    Quick,
    /// Between the two.
    Between,
    /// Random reads take as long as heads that move, or a network.
    Slow,
}

/// Work of an array besides its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrayWork {
    /// After creation or a crash.
    Resync,
    /// A new member is filled.
    Recover,
    /// The layout changes.
    Reshape,
    /// All members are read and compared.
    Check,
    /// The same, and put right.
    Repair,
    /// Stopped, or waiting for another array.
    Waiting,
}

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineName {
    /// io_uring.
    IoUring,
    /// Kernel AIO.
    Libaio,
}

/// Kind of a cloud disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudDisk {
    /// Behind a network, with the provider's caps.
    Network,
    /// In the host, lost when the machine stops.
    Local,
    /// One of the two.
    Unknown,
}

/// A fact with its numbers. Sizes and places are bytes, `device` is a kernel name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
#[allow(missing_docs)] // the names of the fields are their documents, units as said above
pub enum Fact {
    // Alignment.
    /// `what` begins at `byte` of `on`; `fails` names the unit that `byte` is not a multiple of, and the remainder.
    Begins {
        what: String,
        origin: Origin,
        on: String,
        byte: u64,
        /// The same in sectors, as fdisk counts them on this device.
        sector: u64,
        /// Bytes of those.
        sector_bytes: u64,
        /// The largest of 1 MiB, 64 KiB and 4 KiB of which it is a multiple; `None` = of none.
        multiple_of: Option<u64>,
        /// What the device reports.
        physical_bytes: u64,
        fails: Option<Misfit>,
        /// The layers under it make up for it.
        compensated: bool,
    },
    /// The kernel itself says that `device` lies across the blocks of what it is made of.
    KernelSaysMisaligned { device: String, offset_bytes: i64 },
    /// Only root can read where `above` begins on `device`.
    OffsetNotTold { above: String, device: String },
    /// A table that the kernel made no partitions of.
    TableWithoutPartitions { device: String, gpt: bool, entries: u32 },
    /// A table that counts in sectors which the device has not.
    TableForOtherSectors { device: String, table_bytes: u64, device_bytes: u64 },
    /// Whether there is a partition table could not be read, for want of the right to.
    TableUnread { device: String },
    /// The file system's blocks are smaller than a page of flash.
    SmallFileSystemBlocks { at: String, bytes: u64 },
    /// Nothing between target and disk has an offset.
    NothingBetween { device: String },

    // Ground.
    /// What is measured.
    Target { kind: TargetKind, size: Option<u64> },
    /// The target has no bytes.
    Empty { kind: TargetKind },
    /// The file system under a file or directory.
    OnFileSystem { kind: String, answers: FileSystemKind, at: String },
    /// An option of the mount.
    MountOption { at: String, option: String, effect: MountEffect },
    /// A loop device; `direct` = it does direct I/O on its file.
    LoopOverFile { device: String, backing: String, direct: bool },
    /// The device is in use.
    InUse { device: String, used: UsedAs, by: String },
    /// The device carries this.
    Carries { device: String, what: Contents },
    /// Direct I/O on the target.
    DirectIo { accepted: bool },
    /// The target may not be read by this user.
    Unreadable { errno: i32 },
    /// Bytes of the file that no read takes from the disk.
    Holes { size: u64, holes: u64, unwritten: Option<u64> },
    /// The file lies in so many pieces.
    Pieces { size: u64, pieces: u32, mean_bytes: u64 },
    /// Sampled blocks that hold only zeros.
    ZeroBlocks { sampled: u32, zero: u32 },
    /// Bytes of the target in the page cache.
    Cached { size: u64, cached: u64 },
    /// Room in the file system.
    Space { size: u64, free: u64 },

    // Queue.
    /// Processors that this process may use, of those online.
    Processors { usable: u32, online: u32 },
    /// I/Os that go into the disk's queue: `requests` per hardware queue; the disk itself takes `disk_takes`.
    Depth { device: String, hardware_queues: u32, requests: u32, disk_takes: Option<u32> },
    /// An engine; errno where it is refused.
    Engine { engine: EngineName, errno: Option<i32> },
    /// Requests of kernel AIO over the whole system.
    AioRoom { used: u64, most: u64 },

    // Block size.
    /// Sector sizes.
    Sectors { device: String, logical: u64, physical: u64 },
    /// Requests larger than this are split.
    LargestRequest { device: String, bytes: u64 },
    /// Chunk and stripe of an array.
    Stripe { device: String, chunk: u64, stripe: Option<u64> },

    // Device.
    /// What the disk is.
    Kind {
        device: String,
        medium: Medium,
        says_rotational: Option<bool>,
        behaviour: Behaviour,
        read_ns: Option<u64>,
    },
    /// A provider's disk.
    Cloud { device: String, provider: String, disk: CloudDisk },
    /// A RAID controller's volume.
    ControllerVolume { device: String, driver: String },
    /// I/O scheduler.
    Scheduler { device: String, name: String, quick: bool },
    /// Read-ahead of buffered reads.
    ReadAhead { device: String, bytes: u64 },
    /// Whether the disk answers writes before they are safe.
    WriteCache { device: String, back: bool, hidden: bool },
    /// Zones.
    Zoned { device: String, host_managed: bool },

    // Load.
    /// Load of other processes on a device during a short observation.
    Busy { device: String, look_ms: u64, ios: u64, bytes: u64, util_percent: f64, in_flight: u64 },
    /// Share of the last ten seconds in which tasks were stalled on I/O (PSI).
    Pressure { percent: f64 },
    /// Bytes that are yet to be written by the page cache.
    Dirty { bytes: u64 },
    /// An array is doing something else as well.
    ArrayBusy { device: String, level: String, work: ArrayWork, done_percent: Option<u32> },
    /// An array lacks members.
    Degraded { device: String, level: String, missing: u32, disks: Option<u32> },
    /// An array that is whole and idle.
    Array { device: String, level: String, disks: Option<u32>, bitmap: bool },

    // Limits.
    /// A cap on a device, by a control group: bytes and I/Os per second, read and write.
    IoCap { device: String, bytes_per_second: [Option<u64>; 2], iops: [Option<u64>; 2] },
    /// No cap.
    NoIoCap,
    /// A cap on processor time.
    CpuCap { cpus: f64, usable: u32 },
    /// A cap on memory, and with it on the page cache.
    MemoryCap { left_bytes: u64 },

    // Host.
    /// PCIe link: lanes and GT/s as they are and as the disk could.
    Pcie {
        device: String,
        width: u32,
        speed: f64,
        most_width: u32,
        most_speed: f64,
        bytes_per_second: u64,
        most_bytes_per_second: u64,
    },
    /// SATA link, tenths of Gbit/s; what it carries in bytes.
    Sata { device: String, tenths: u32, limit_tenths: Option<u32>, bytes_per_second: u64 },
    /// USB link, Mbit/s.
    Usb { device: String, mbit: u32, one_at_a_time: bool },
    /// NUMA node to which the disk is attached, and whether this process may run on it.
    Numa { device: String, node: u32, local: bool },
    /// The machine is a virtual one.
    Hypervisor { name: String },
    /// Processor time that the hypervisor gave to others during the look.
    Steal { percent: f64 },
    /// How the processors are clocked.
    Governor { names: Vec<String> },
    /// The kernel's clock.
    Clock { name: String, slow: bool },
}

impl Fact {
    /// `what` begins at `byte` of `on`, which has sectors of `sector_bytes`.
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

    /// The same place, found wanting.
    #[must_use]
    pub fn failing(mut self, misfit: Option<Misfit>, made_up_for: bool) -> Fact {
        if let Fact::Begins { fails, compensated, .. } = &mut self {
            (*fails, *compensated) = (misfit, made_up_for);
        }
        self
    }

    /// The device that it is about, where it is about one.
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

/// By how much a place misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misfit {
    /// What it should be a multiple of.
    pub unit: Unit,
    /// Bytes of that.
    pub bytes: u64,
    /// Bytes beyond the last multiple.
    pub beyond: u64,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// Version of fathom.
    pub version: String,
    /// Target as given.
    pub target: String,
    /// Layers under it, from the top down.
    pub stack: Vec<LayerRow>,
    /// Findings, in the order of [`Topic`].
    pub lines: Vec<Line>,
}

impl Diagnosis {
    /// How many lines are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.lines.iter().filter(|l| l.severity == severity).count()
    }

    /// Something found makes figures wrong.
    pub fn spoils(&self) -> bool {
        self.count(Severity::Spoils) > 0
    }
}
