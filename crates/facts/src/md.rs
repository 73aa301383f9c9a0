//! Linux RAID (md) arrays according to sysfs.

use crate::SysRoot;
use crate::layers::{Device, DeviceKind};

/// Background activity of an array (`sync_action`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    /// No background activity.
    Idle,
    /// The members are being synchronized, filled or compared.
    Running(SyncKind),
    /// The activity is frozen or delayed until another array has finished.
    Waiting,
}

/// Kind of background activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncKind {
    /// Synchronization of the members after creation or a crash.
    Resync,
    /// Rebuild onto a new member.
    Recover,
    /// Change of the layout.
    Reshape,
    /// Comparison of all members.
    Check,
    /// Comparison of all members with correction of differences.
    Repair,
}

/// State of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// RAID level, such as `raid1`.
    pub level: String,
    /// Number of members of the complete array.
    pub disks: Option<u32>,
    /// Number of missing members.
    pub degraded: u32,
    /// Background activity.
    pub sync: Sync,
    /// Progress of the background activity in percent; `None` without progress.
    pub done_percent: Option<u32>,
    /// Chunk size in bytes; `None` for levels without chunks.
    pub chunk: Option<u64>,
    /// Whether a write-intent bitmap is updated before writes.
    pub bitmap: bool,
}

impl Array {
    /// Returns the state of the array; `None` if the device is not an array.
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

    /// Returns the offset in bytes of the array's data on a member; `None` if sysfs does not show it.
    pub fn data_offset(root: &SysRoot, array: &Device, member: &Device) -> Option<u64> {
        let file = array.number.sysfs().join(format!("md/dev-{}/offset", member.name));
        root.number::<u64>(file)?.checked_mul(512)
    }
}
