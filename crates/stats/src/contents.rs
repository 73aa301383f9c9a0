//! What a device or file holds by its signature: a class of formats, and the proper name of the format.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A class of formats that have a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContentsClass {
    /// File system: `ext4`.
    FileSystem,
    /// Container of several file systems: `APFS`.
    Container,
    /// Volume of a volume manager or file system: `VMFS`.
    Volume,
    /// Encrypted volume: `LUKS`.
    EncryptedVolume,
    /// Physical volume of a volume manager: `LVM`.
    PhysicalVolume,
    /// Volume that holds the state of a cluster: `DRBD`.
    ControlVolume,
    /// Device of hashes that verify another one: `dm-verity`.
    HashDevice,
    /// Journal of a file system on a device of its own: `ext`.
    JournalDevice,
    /// Log of a file system on a device of its own: `XFS`.
    LogDevice,
    /// Member of a storage pool: `ZFS`.
    PoolMember,
    /// Storage pool: `NSS`.
    Pool,
    /// Member of a RAID: `Linux md`.
    RaidMember,
    /// Device of a cache, an object store or a replicated volume: `bcache`.
    Device,
    /// Disk of a volume manager for databases: `Oracle ASM`.
    Disk,
    /// Disk with a database of partitions: `Windows`.
    DynamicDisk,
    /// Swap area, which has no name of its own.
    Swap,
    /// Image of a suspended system, which has no name of its own.
    SuspendedSystem,
    /// Changes of a snapshot: `dm-snapshot`.
    SnapshotStore,
    /// Log of replicated data: `DRBD proxy`.
    DataLog,
    /// Partition table: `GPT`.
    PartitionTable,
    /// Partition table in which no partition is set: `MBR`.
    EmptyPartitionTable,
    /// Partition map: `Apple`.
    PartitionMap,
    /// Disk label with partitions: `BSD`.
    DiskLabel,
    /// Label of a device without partitions: `GNU Parted`.
    LoopLabel,
    /// Label of a volume: `DASD`.
    Label,
    /// Archive or compressed data: `xz`.
    Archive,
    /// Encrypted data: `GPG`.
    EncryptedData,
    /// Image of a disk: `qcow2`.
    DiskImage,
    /// Picture: `JPEG`.
    Picture,
    /// Document: `PDF`.
    Document,
    /// Video: `MP4`.
    Video,
    /// File of sound or of several media: `Ogg`.
    MediaFile,
    /// Program: `ELF`.
    Program,
    /// Database: `SQLite`.
    Database,
    /// A format that only libblkid knows, by libblkid's name.
    Other,
}

/// What a device or file holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Contents {
    /// Class of the format.
    pub class: ContentsClass,
    /// Proper name of the format; empty where the class says all.
    pub name: Cow<'static, str>,
}

impl Contents {
    /// Contents of a class and name.
    pub const fn new(class: ContentsClass, name: &'static str) -> Self {
        Self { class, name: Cow::Borrowed(name) }
    }
}
