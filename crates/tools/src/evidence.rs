//! What the kernel counted while a request was under way: reads that this process caused, I/O and flushes of the lowest
//! devices, and time without a CPU.

use crate::data_place::memory_driver;
use facts::SysRoot;
use facts::layers::{Device, DeviceKind, Layer, Stack};
use stats::io_counters::DiskCounters;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Instant;

/// Bytes of a sector of the counters.
const SECTOR: u64 = 512;

/// What lies at the bottom of the storage stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bottom {
    /// Disks whose counters the kernel shows.
    Disks(Vec<String>),
    /// Memory: the type of a file system, or the driver of a device, that needs no disk.
    Memory(String),
    /// Not visible to this kernel: a network, FUSE, or a character device.
    Unknown,
}

/// Counters of one device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskCounts {
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Completed cache flushes.
    pub flushes: u64,
}

impl DiskCounts {
    fn parse(text: &str) -> Option<DiskCounts> {
        let fields: Vec<u64> = text.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        let counters = DiskCounters::from_fields(&fields)?;
        Some(DiskCounts {
            read_bytes: counters.read_sectors.saturating_mul(SECTOR),
            written_bytes: counters.write_sectors.saturating_mul(SECTOR),
            flushes: counters.flushes,
        })
    }

    fn since(self, before: DiskCounts) -> DiskCounts {
        DiskCounts {
            read_bytes: self.read_bytes.saturating_sub(before.read_bytes),
            written_bytes: self.written_bytes.saturating_sub(before.written_bytes),
            flushes: self.flushes.saturating_sub(before.flushes),
        }
    }

    fn plus(self, other: DiskCounts) -> DiskCounts {
        DiskCounts {
            read_bytes: self.read_bytes.saturating_add(other.read_bytes),
            written_bytes: self.written_bytes.saturating_add(other.written_bytes),
            flushes: self.flushes.saturating_add(other.flushes),
        }
    }
}

/// One reading of all counters.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Instant,
    own_read: Option<u64>,
    waited: Option<u64>,
    disks: Option<DiskCounts>,
}

/// Changes of the counters between two readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Length in nanoseconds.
    pub nanos: u64,
    /// Bytes that this process caused to be read from block devices; `None` if unknown.
    pub own_read: Option<u64>,
    /// Time in nanoseconds for which this thread was runnable without a CPU; `None` if unknown.
    pub waited: Option<u64>,
    /// Counters of the lowest devices together; `None` if no device is known.
    pub disks: Option<DiskCounts>,
}

/// Counters of this process and of the devices at the bottom of a stack, held open.
#[derive(Debug)]
pub struct Evidence {
    /// What lies at the bottom.
    pub bottom: Bottom,
    /// Name of the uppermost device; `None` without one.
    pub top: Option<String>,
    /// Whether the uppermost device is also a lowest one.
    pub direct: bool,
    io: Option<File>,
    sched: Option<File>,
    disks: Vec<File>,
    last: Option<Sample>,
}

/// Returns the bottom of a stack, and the devices whose counters show I/O there.
pub fn bottom(root: &SysRoot, stack: &Stack) -> (Bottom, Vec<Device>) {
    let mut lowest: Vec<Device> = Vec::new();
    let mut memory: Option<String> = None;
    let mut hidden = stack.layers.is_empty();
    for (at, layer) in stack.layers.iter().enumerate() {
        let next = stack.layers.get(at + 1);
        match layer {
            Layer::FileSystem(mount) if matches!(mount.kind.as_str(), "tmpfs" | "ramfs") => {
                memory = Some(mount.kind.clone());
            }
            Layer::FileSystem(_) => hidden |= next.is_none(),
            Layer::Device(device) if memory_driver(root, device).is_some() => {
                memory = memory_driver(root, device).map(str::to_owned);
            }
            Layer::Device(device) => match &device.kind {
                DeviceKind::Loop { .. } | DeviceKind::Partition => hidden |= next.is_none(),
                _ if device.members(root).is_empty() => lowest.push(device.clone()),
                _ => {}
            },
        }
    }
    match (lowest.is_empty(), memory) {
        (true, Some(name)) if !hidden => (Bottom::Memory(name), Vec::new()),
        (false, None) if !hidden => (Bottom::Disks(lowest.iter().map(|d| d.name.clone()).collect()), lowest),
        _ => (Bottom::Unknown, Vec::new()),
    }
}

impl Evidence {
    /// Opens the counters for a target on `stack`.
    pub fn new(root: &SysRoot, stack: &Stack) -> Evidence {
        let (bottom, devices) = bottom(root, stack);
        let stat = |device: &Device| File::open(root.path(device.number.sysfs().join("stat"))).ok();
        let disks: Vec<File> = devices.iter().filter_map(stat).collect();
        // A kernel that does not count (queue/iostats) shows no reads, whatever happens.
        let counted = |device: &Device| root.number(device.number.sysfs().join("queue/iostats")) != Some(0u8);
        let known = disks.len() == devices.len() && devices.iter().all(counted);
        let top = stack.devices().next();
        // Persistent memory may be read without I/O and without the page cache (DAX).
        let dax = top.is_some_and(|device| device.name.starts_with("pmem"));
        let direct = top.is_some_and(|top| devices.iter().any(|d| same_disk(root, top, d)));
        Evidence {
            bottom,
            top: top.map(|device| device.name.clone()),
            direct,
            io: if dax { None } else { File::open(root.path("/proc/self/io")).ok() },
            sched: File::open(root.path("/proc/thread-self/schedstat")).ok(),
            disks: if known { disks } else { Vec::new() },
            last: None,
        }
    }

    /// Returns whether the kernel counts the reads of this process: only those of block devices.
    pub fn counts_own_reads(&self) -> bool {
        self.top.is_some() && self.io.is_some()
    }

    /// Reads the counters and returns the changes since the previous call; `None` at the first one.
    pub fn window(&mut self) -> Option<Window> {
        let now = self.sample();
        let before = self.last.replace(now)?;
        let grown = |now: Option<u64>, before: Option<u64>| Some(now?.saturating_sub(before?));
        Some(Window {
            nanos: now.at.duration_since(before.at).as_nanos() as u64,
            own_read: grown(now.own_read, before.own_read).filter(|_| self.counts_own_reads()),
            waited: grown(now.waited, before.waited),
            disks: now.disks.zip(before.disks).map(|(now, before)| now.since(before)),
        })
    }

    /// Returns the time since the last reading in nanoseconds.
    pub fn age(&self) -> u64 {
        self.last.map_or(u64::MAX, |last| last.at.elapsed().as_nanos() as u64)
    }

    fn sample(&self) -> Sample {
        let io = self.io.as_ref().and_then(text);
        let own_read = io.and_then(|io| {
            io.as_str().lines().find_map(|line| line.strip_prefix("read_bytes: ")?.parse().ok())
        });
        let sched = self.sched.as_ref().and_then(text);
        let waited = sched.and_then(|s| s.as_str().split_ascii_whitespace().nth(1)?.parse().ok());
        let sum = self.disks.iter().try_fold(DiskCounts::default(), |sum, file| {
            Some(sum.plus(DiskCounts::parse(text(file)?.as_str())?))
        });
        Sample { at: Instant::now(), own_read, waited, disks: sum.filter(|_| !self.disks.is_empty()) }
    }
}

fn same_disk(root: &SysRoot, top: &Device, lowest: &Device) -> bool {
    top.whole(root).is_some_and(|whole| whole.number == lowest.number)
}

/// Contents of a small file of the kernel.
struct Text {
    bytes: [u8; 512],
    length: usize,
}

impl Text {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

fn text(file: &File) -> Option<Text> {
    let mut text = Text { bytes: [0; 512], length: 0 };
    text.length = file.read_at(&mut text.bytes, 0).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_a_device_are_read_with_its_flushes() {
        let text =
            "94944 22470 4001794 23986 46505 38953 9199976 29812 0 16244 54925 10640 79 1088432 865 7176 261";
        let found = DiskCounts::parse(text).unwrap();
        assert_eq!(found.read_bytes, 4_001_794 * 512);
        assert_eq!((found.written_bytes, found.flushes), (9_199_976 * 512, 7176));
        let later = DiskCounts { flushes: 7178, ..found };
        assert_eq!(later.since(found), DiskCounts { flushes: 2, ..DiskCounts::default() });
        assert_eq!(DiskCounts::parse("1 2"), None);
    }
}
