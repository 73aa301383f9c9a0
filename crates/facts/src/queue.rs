//! Settings of a device's request queue.

use crate::SysRoot;
use crate::layers::Device;

/// What sysfs says of a queue; `None` = not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// I/O scheduler in force (`none`, `mq-deadline`, ...).
    pub scheduler: Option<String>,
    /// Requests that fit in the queue.
    pub nr_requests: Option<u32>,
    /// Whether the device reports a rotational medium.
    pub rotational: Option<bool>,
    /// Logical block size, bytes.
    pub logical_block_bytes: Option<u32>,
    /// Unit it works in, bytes.
    pub physical_block_bytes: Option<u32>,
    /// Largest request, KiB: larger ones are split.
    pub max_sectors_kib: Option<u32>,
    /// `write back` or `write through`.
    pub write_cache: Option<String>,
    /// Read-ahead of buffered reads, KiB.
    pub read_ahead_kib: Option<u32>,
    /// Smallest I/O without extra work: the physical block, or a RAID's chunk, bytes.
    pub minimum_io_bytes: Option<u64>,
    /// Best unit of large I/Os: a RAID's stripe, bytes; 0 = not said.
    pub optimal_io_bytes: Option<u64>,
    /// Hardware queues.
    pub hardware_queues: Option<u32>,
    /// Commands that the disk itself takes at once, where it says so (SCSI, SATA).
    pub device_depth: Option<u32>,
    /// `none`, `host-aware`, `host-managed`.
    pub zoned: Option<String>,
    /// I/Os that have been handed over and not answered, reads and writes.
    pub in_flight: Option<u64>,
}

impl Queue {
    /// The queue of a device; that of its disk if it is a partition.
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

/// `[none] mq-deadline` -> `none`.
fn in_force(text: String) -> String {
    let inner = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(text.clone(), |(name, _)| name.to_owned())
}
