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
    /// It says that it rotates.
    pub rotational: Option<bool>,
    /// Smallest unit it takes, bytes.
    pub logical_block_bytes: Option<u32>,
    /// Unit it works in, bytes.
    pub physical_block_bytes: Option<u32>,
    /// Largest request, KiB: larger ones are split.
    pub max_sectors_kib: Option<u32>,
    /// `write back` or `write through`.
    pub write_cache: Option<String>,
    /// Read-ahead of buffered reads, KiB.
    pub read_ahead_kib: Option<u32>,
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
        }
    }
}

/// `[none] mq-deadline` -> `none`.
fn in_force(text: String) -> String {
    let inner = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(text.clone(), |(name, _)| name.to_owned())
}
