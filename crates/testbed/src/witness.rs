//! Counters of the kernel and contents of devices: outside witnesses for what a tool reports.
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

const MIB: usize = 1 << 20;
static ZEROS: [u8; MIB] = [0; MIB];

/// Returns each MiB of a file or device that is not all zeros, with its number. Reads through the page cache, which may
/// hold newer data than the device.
///
/// # Errors
/// The file cannot be read.
pub fn content(path: &Path) -> io::Result<Vec<(u64, Vec<u8>)>> {
    let (file, mut found) = (File::open(path)?, Vec::new());
    for at in 0.. {
        let mut block = vec![0; MIB];
        match file.read_at(&mut block, at * MIB as u64)? {
            0 => break,
            _ if block == ZEROS => {}
            _ => found.push((at, block)),
        }
    }
    Ok(found)
}

/// Counters of one block device, from `/sys/class/block/NAME/stat`. Sectors always have 512 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskStats {
    /// Number of reads completed.
    pub reads: u64,
    /// Number of reads merged into others before they reached the device.
    pub read_merges: u64,
    /// Number of 512-byte sectors read.
    pub read_sectors: u64,
    /// Sum of the durations of reads, ms.
    pub read_ms: u64,
    /// Number of writes completed.
    pub writes: u64,
    /// Number of writes merged into others before they reached the device.
    pub write_merges: u64,
    /// Number of 512-byte sectors written.
    pub write_sectors: u64,
    /// Sum of the durations of writes, ms.
    pub write_ms: u64,
    /// Number of discards completed.
    pub discards: u64,
    /// Number of 512-byte sectors discarded.
    pub discard_sectors: u64,
    /// Number of flushes completed.
    pub flushes: u64,
}

impl DiskStats {
    /// Returns the counters of the device or partition `name` (`loop3`).
    ///
    /// # Errors
    /// sysfs has no entry of this name.
    pub fn of(name: &str) -> io::Result<DiskStats> {
        let text = std::fs::read_to_string(format!("/sys/class/block/{name}/stat"))?;
        let n: Vec<u64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        let at = |i: usize| n.get(i).copied().unwrap_or(0);
        Ok(DiskStats {
            reads: at(0),
            read_merges: at(1),
            read_sectors: at(2),
            read_ms: at(3),
            writes: at(4),
            write_merges: at(5),
            write_sectors: at(6),
            write_ms: at(7),
            discards: at(11),
            discard_sectors: at(13),
            flushes: at(15),
        })
    }

    /// Returns the increase since `earlier`.
    pub fn since(&self, earlier: &DiskStats) -> DiskStats {
        DiskStats {
            reads: self.reads - earlier.reads,
            read_merges: self.read_merges - earlier.read_merges,
            read_sectors: self.read_sectors - earlier.read_sectors,
            read_ms: self.read_ms - earlier.read_ms,
            writes: self.writes - earlier.writes,
            write_merges: self.write_merges - earlier.write_merges,
            write_sectors: self.write_sectors - earlier.write_sectors,
            write_ms: self.write_ms - earlier.write_ms,
            discards: self.discards - earlier.discards,
            discard_sectors: self.discard_sectors - earlier.discard_sectors,
            flushes: self.flushes - earlier.flushes,
        }
    }

    /// Returns the bytes read from the device.
    pub fn read_bytes(&self) -> u64 {
        self.read_sectors * 512
    }

    /// Returns the bytes written to the device.
    pub fn write_bytes(&self) -> u64 {
        self.write_sectors * 512
    }
}
