//! Settings of a device's request queue.

use crate::SysRoot;
use crate::layers::Device;

/// Settings of a request queue in sysfs; `None` = not reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Active I/O scheduler (`none`, `mq-deadline`, ...).
    pub scheduler: Option<String>,
    /// Number of requests that the queue can hold.
    pub nr_requests: Option<u32>,
    /// Whether the device reports a rotational medium.
    pub rotational: Option<bool>,
    /// Logical block size, bytes.
    pub logical_block_bytes: Option<u32>,
    /// Physical block size in bytes.
    pub physical_block_bytes: Option<u32>,
    /// Largest request in KiB; larger I/Os are split.
    pub max_sectors_kib: Option<u32>,
    /// Write cache of the device: `write back` or `write through`.
    pub write_cache: Option<String>,
    /// Read-ahead of buffered reads in KiB.
    pub read_ahead_kib: Option<u32>,
    /// Smallest efficient I/O in bytes: the physical block, or the chunk of a RAID array.
    pub minimum_io_bytes: Option<u64>,
    /// Efficient size of large I/Os in bytes, such as the stripe of a RAID array; 0 = not reported.
    pub optimal_io_bytes: Option<u64>,
    /// Number of hardware queues.
    pub hardware_queues: Option<u32>,
    /// Number of commands that the disk accepts at a time; only SCSI and SATA disks report this.
    pub device_depth: Option<u32>,
    /// Zone model: `none`, `host-aware` or `host-managed`.
    pub zoned: Option<String>,
    /// Number of I/Os in flight, reads and writes together.
    pub in_flight: Option<u64>,
}

impl Queue {
    /// Returns the queue of a device; of a partition, the queue of its disk.
    pub fn of(root: &SysRoot, device: &Device) -> Queue {
        let Some(disk) = device.whole(root) else { return Queue::default() };
        let dir = disk.number.sysfs().join("queue");
        let text = |name: &str| root.read(dir.join(name)).ok();
        let number = |name: &str| root.number(dir.join(name));
        Queue {
            scheduler: text("scheduler").map(in_force),
            nr_requests: number("nr_requests"),
            rotational: number("rotational").map(|n| n == 1),
            logical_block_bytes: number("logical_block_size"),
            physical_block_bytes: number("physical_block_size"),
            max_sectors_kib: number("max_sectors_kb"),
            write_cache: text("write_cache"),
            read_ahead_kib: number("read_ahead_kb"),
            minimum_io_bytes: root.number(dir.join("minimum_io_size")),
            optimal_io_bytes: root.number(dir.join("optimal_io_size")),
            hardware_queues: Some(root.names(disk.number.sysfs().join("mq")).len() as u32).filter(|n| *n > 0),
            device_depth: root.number(disk.number.sysfs().join("device/queue_depth")),
            zoned: text("zoned"),
            in_flight: root
                .read(disk.number.sysfs().join("inflight"))
                .ok()
                .map(|t| t.split_whitespace().filter_map(|n| n.parse::<u64>().ok()).sum()),
        }
    }
}

/// Returns the active entry of a list: `none` for `[none] mq-deadline`.
fn in_force(text: String) -> String {
    let inner = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(text.clone(), |(name, _)| name.to_owned())
}
