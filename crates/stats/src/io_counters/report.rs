//! One report of `fathom stat`: what happened on the devices during an interval.

use super::{CpuShares, DiskCounters, DiskRates};
use serde::{Deserialize, Serialize};

/// What a row of a report stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A device or a partition.
    Device,
    /// The sum over a group of this many devices.
    Group {
        /// Number of devices in the group.
        devices: usize,
    },
}

/// How many requests a device can work on at a time, which decides what its busy time means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceNature {
    /// A solid-state disk: several requests at once.
    SolidState,
    /// A disk with one head assembly: one request at a time.
    OneHead,
    /// RAID, LVM or another device on top of `members` devices.
    Stacked {
        /// Number of devices below.
        members: usize,
    },
    /// A loop, zram or network device: the work is done by other layers.
    Software,
    /// A disk of a virtual machine: the medium behind it is hidden.
    Virtual,
    /// Nothing is known, as for a group.
    #[default]
    Unknown,
}

/// A row of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceRow {
    /// Name that is shown.
    pub name: String,
    /// Device or group.
    pub kind: RowKind,
    /// How many requests it can work on.
    #[serde(default)]
    pub nature: DeviceNature,
    /// Growth of its counters during the interval.
    pub grown: DiskCounters,
}

/// Bytes of a process that reached the storage layer during the interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIo {
    /// Process id.
    pub pid: u32,
    /// Name of the program.
    pub command: String,
    /// Bytes read from storage.
    pub read_bytes: u64,
    /// Bytes that will be written to storage, less those that were truncated before.
    pub written_bytes: u64,
}

/// I/O of a control group on a device during the interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupIo {
    /// Path of the group below the root of the hierarchy.
    pub group: String,
    /// Name of the device.
    pub device: String,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Reads and writes; `None` where only bytes are known.
    pub ios: Option<u64>,
}

/// What happened during an interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IoReport {
    /// Time of the reading in milliseconds since 1970.
    pub time_ms: i64,
    /// Length of the interval in 1/100 s, by `/proc/uptime`.
    pub centiseconds: u64,
    /// Whether the interval began when the system was booted.
    pub since_boot: bool,
    /// Time of the CPUs.
    pub cpu: CpuShares,
    /// Devices and groups in the order of the report.
    pub devices: Vec<DeviceRow>,
    /// Processes with the most bytes, those with the most first; `None` if not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<Vec<ProcessIo>>,
    /// Control groups with I/O; `None` if not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cgroups: Option<Vec<CgroupIo>>,
}

impl IoReport {
    /// Returns the figures of a row.
    pub fn rates(&self, row: &DeviceRow) -> DiskRates {
        let devices = match row.kind {
            RowKind::Device => 1,
            RowKind::Group { devices } => devices,
        };
        DiskRates::of(&row.grown, self.centiseconds, devices)
    }

    /// Returns the number per second of what happened `count` times in the interval.
    pub fn rate(&self, count: u64) -> f64 {
        count as f64 * 100.0 / self.centiseconds.max(1) as f64
    }

    /// Returns `bytes` of this interval per second.
    pub fn per_second(&self, bytes: u64) -> u64 {
        (u128::from(bytes) * 100 / u128::from(self.centiseconds.max(1))).try_into().unwrap_or(u64::MAX)
    }
}
