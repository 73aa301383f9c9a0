//! Contents of a device or file by their signature: class and name of the format.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Class of formats with a signature.
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
    /// Device with hashes that verify another device: `dm-verity`.
    HashDevice,
    /// Journal of a file system on a separate device: `ext`.
    JournalDevice,
    /// Log of a file system on a separate device: `XFS`.
    LogDevice,
    /// Member of a storage pool: `ZFS`.
    PoolMember,
    /// Storage pool: `NSS`.
    Pool,
    /// Member of a RAID: `Linux md`.
    RaidMember,
    /// Member device of a cache, an object store or a replicated volume: `bcache`.
    Device,
    /// Disk of a volume manager for databases: `Oracle ASM`.
    Disk,
    /// Disk with a database of partitions: `Windows`.
    DynamicDisk,
    /// Swap area; without a name.
    Swap,
    /// Image of a suspended system; without a name.
    SuspendedSystem,
    /// Changes of a snapshot: `dm-snapshot`.
    SnapshotStore,
    /// Log of replicated data: `DRBD proxy`.
    DataLog,
    /// Partition table: `GPT`.
    PartitionTable,
    /// Partition table without partitions: `MBR`.
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
    /// Audio or multimedia file: `Ogg`.
    MediaFile,
    /// Program: `ELF`.
    Program,
    /// Database: `SQLite`.
    Database,
    /// Other format, with the name from libblkid.
    Other,
}

/// Contents of a device or file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Contents {
    /// Class of the format.
    pub class: ContentsClass,
    /// Name of the format; empty if the class is sufficient.
    pub name: Cow<'static, str>,
}

impl Contents {
    /// Returns contents of this class and name.
    pub const fn new(class: ContentsClass, name: &'static str) -> Self {
        Self { class, name: Cow::Borrowed(name) }
    }
}
