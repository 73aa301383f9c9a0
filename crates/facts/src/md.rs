//! Linux RAID as sysfs tells it.

use crate::SysRoot;
use crate::layers::{Device, DeviceKind};

/// What an array is doing besides its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Nothing.
    Idle,
    /// Members are made equal, or a new one is filled: `resync`, `recover`, `reshape`, `check`, `repair`.
    Running(SyncKind),
    /// One of those is stopped for now, or waits for another array.
    Waiting,
}

/// Which work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncKind {
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
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// `raid1`, `raid5`, ...
    pub level: String,
    /// Members that it should have.
    pub disks: Option<u32>,
    /// Members that it lacks.
    pub degraded: u32,
    /// What it is doing.
    pub sync: Sync,
    /// How far that is, percent.
    pub done_percent: Option<u32>,
    /// Bytes of a chunk; `None` where the level has none.
    pub chunk: Option<u64>,
    /// Writes are noted in a bitmap first.
    pub bitmap: bool,
}

impl Array {
    /// The array that a device is; `None` if it is none.
    pub fn of(root: &SysRoot, device: &Device) -> Option<Array> {
        let DeviceKind::Raid(level) = &device.kind else { return None };
        let dir = device.number.sysfs().join("md");
        let text = |name: &str| root.read(dir.join(name)).unwrap_or_default();
        let kind = match text("sync_action").as_str() {
            "resync" => Some(SyncKind::Resync),
            "recover" => Some(SyncKind::Recover),
            "reshape" => Some(SyncKind::Reshape),
            "check" => Some(SyncKind::Check),
            "repair" => Some(SyncKind::Repair),
            _ => None,
        };
        let progress = text("sync_completed");
        let done = progress.split_once('/').and_then(|(now, all)| {
            let (now, all): (u64, u64) = (now.trim().parse().ok()?, all.trim().parse().ok()?);
            now.checked_mul(100)?.checked_div(all).map(|p| p as u32)
        });
        let waits = progress == "delayed" || text("sync_action") == "frozen";
        Some(Array {
            level: level.clone(),
            // `4 (3)` while the layout changes.
            disks: text("raid_disks").split(' ').next().and_then(|n| n.parse().ok()),
            degraded: root.number(dir.join("degraded")).unwrap_or(0),
            sync: match kind {
                _ if waits => Sync::Waiting,
                Some(kind) => Sync::Running(kind),
                None => Sync::Idle,
            },
            done_percent: done,
            chunk: root.number(dir.join("chunk_size")).filter(|c| *c > 0),
            bitmap: !matches!(text("bitmap/location").as_str(), "" | "none"),
        })
    }

    /// The byte of a member at which the array's data begins; `None` if the kernel does not say.
    pub fn data_offset(root: &SysRoot, array: &Device, member: &Device) -> Option<u64> {
        let file = array.number.sysfs().join(format!("md/dev-{}/offset", member.name));
        root.number::<u64>(file)?.checked_mul(512)
    }
}
