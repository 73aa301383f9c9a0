//! Results of `fathom dd`: the counts of a copy, and where its input and output were.

use serde::{Deserialize, Serialize};

/// Counts of a copy so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyCounts {
    /// Number of full input blocks.
    pub full_in: u64,
    /// Number of partial input blocks.
    pub partial_in: u64,
    /// Number of full output blocks.
    pub full_out: u64,
    /// Number of partial output blocks.
    pub partial_out: u64,
    /// Number of records that were longer than `cbs`.
    pub truncated: u64,
    /// Bytes written.
    pub written: u64,
    /// Bytes read, without padding and without those that `skip` read.
    pub read: u64,
    /// Bytes of the output that `conv=sparse` skipped because they are zero.
    pub skipped_zeros: u64,
}

/// Where the bytes of a range of a file or device were at one moment. Each byte is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataPlace {
    /// Length of the range in bytes, up to the end of the file or device.
    pub length: u64,
    /// Bytes in the page cache; `None` if the kernel does not report them.
    pub cached: Option<u64>,
    /// Of these, bytes that are not written to the device yet (dirty or under writeback).
    pub unwritten_cache: Option<u64>,
    /// Bytes in holes and not in the page cache; `None` if the file system does not report them.
    pub holes: Option<u64>,
    /// Bytes in unwritten extents and not in the page cache; `None` if the file system does not report them.
    pub unwritten: Option<u64>,
}

impl DataPlace {
    /// Returns the bytes whose read needs no device: in the page cache (unless the read bypasses it), in a hole or in an
    /// unwritten extent. What is not known counts as on the device.
    pub fn without_device(&self, direct: bool) -> u64 {
        let cached = if direct { 0 } else { self.cached.unwrap_or(0) };
        cached + self.gaps()
    }

    /// Returns the bytes in holes and unwritten extents that are not in the page cache.
    pub fn gaps(&self) -> u64 {
        self.holes.unwrap_or(0) + self.unwritten.unwrap_or(0)
    }
}

/// What is below a file system or device, as far as it decides whether a read of the device reaches a disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Medium {
    /// A loop device, whose data are in a file with a page cache of its own.
    Loop {
        /// Kernel name of the device.
        device: String,
        /// Bytes of the whole backing file in the page cache; `None` if not known.
        cached: Option<u64>,
    },
    /// A device in memory: zram, brd.
    Memory {
        /// Kernel name of the device.
        device: String,
    },
    /// A file system without a block device: tmpfs, NFS, FUSE.
    NoDevice {
        /// Type of the file system.
        file_system: String,
    },
}

/// Source of the bytes of a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CopySource {
    /// A file or block device.
    Storage {
        /// Where the bytes were before the copy.
        place: DataPlace,
        /// Whether the reads bypassed the page cache (O_DIRECT).
        direct: bool,
        /// Bytes that the kernel fetched from block devices for this process during the copy, with read-ahead and metadata;
        /// `None` if not known.
        fetched: Option<u64>,
        /// First layer below that may hold the bytes in memory.
        medium: Option<Medium>,
    },
    /// `/dev/zero`, which is no storage.
    Zero,
    /// Another device without storage: random numbers, memory.
    NoStorage,
    /// A pipe, socket or terminal: the bytes come from another program.
    Stream,
}

impl CopySource {
    /// Returns the least number of the `read` bytes that needed no device; `None` if nothing is known.
    pub fn needed_no_device(&self, read: u64) -> Option<u64> {
        match self {
            // The kernel counts no reads of file systems without a block device.
            CopySource::Storage { place, direct, medium: Some(Medium::NoDevice { .. }), .. } => {
                (place.cached.is_some() && !direct).then(|| place.without_device(false).min(read))
            }
            CopySource::Storage { place, direct, fetched, .. } => {
                let by_place = place.without_device(*direct).min(read);
                // What the kernel fetched bounds what can have come from a device; read-ahead beyond the range makes the
                // bound loose, never wrong.
                let by_kernel = fetched.map(|fetched| read.saturating_sub(fetched));
                let place_known = place.cached.is_some() || *direct || place.gaps() > 0;
                match by_kernel {
                    Some(bytes) => Some(bytes),
                    None => place_known.then_some(by_place),
                }
            }
            CopySource::Zero | CopySource::NoStorage => Some(read),
            CopySource::Stream => None,
        }
    }

    /// Returns whether all `read` bytes are known to be zeros.
    pub fn is_zeros(&self, read: u64) -> bool {
        match self {
            CopySource::Zero => read > 0,
            CopySource::Storage { place, .. } => read > 0 && place.gaps() >= read && place.length == read,
            CopySource::NoStorage | CopySource::Stream => false,
        }
    }
}

/// Destination of the bytes of a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CopySink {
    /// A file or block device.
    Storage {
        /// Bytes of the written range that were in the page cache but not on the device when the copy ended; `None` if
        /// the kernel does not report them.
        pending: Option<u64>,
        /// Whether the copy asked for the data to be durable: `conv=fsync`, `conv=fdatasync`, `oflag=sync`, `oflag=dsync`.
        durable: bool,
        /// Whether a flush of the data failed, within the copy or after it: no other field says then that they are on the
        /// device.
        lost: bool,
        /// Whether the writes bypassed the page cache (O_DIRECT).
        direct: bool,
        /// First layer below that holds the bytes in memory or in a file.
        medium: Option<Medium>,
        /// Name of the layer that is known to compress; `None` if none is known.
        compresses: Option<String>,
    },
    /// A pipe, terminal or device without storage.
    NoStorage,
}

/// What a copy's statistics leave out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyAccount {
    /// Counts at the end.
    pub counts: CopyCounts,
    /// Duration of the copy in nanoseconds, as in the statistics.
    pub elapsed_ns: u64,
    /// Source of the bytes.
    pub source: CopySource,
    /// Destination of the bytes.
    pub sink: CopySink,
    /// Duration in nanoseconds of the flush that `--sync-after` asked for; `None` without it, or if a flush failed.
    pub flush_ns: Option<u64>,
}

impl CopyAccount {
    /// Returns whether all bytes written are known to be zeros.
    pub fn all_zeros(&self) -> bool {
        let counts = &self.counts;
        counts.written > 0 && (self.source.is_zeros(counts.read) || counts.skipped_zeros == counts.written)
    }

    /// Returns the rate in bytes per second with the time of the flush; `None` without a flush or a duration.
    pub fn rate_with_flush(&self) -> Option<f64> {
        let nanos = self.elapsed_ns.checked_add(self.flush_ns?)?;
        (nanos > 0).then(|| self.counts.written as f64 * 1e9 / nanos as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn storage(place: DataPlace, direct: bool, fetched: Option<u64>) -> CopySource {
        CopySource::Storage { place, direct, fetched, medium: None }
    }

    #[test]
    fn the_kernels_count_bounds_what_came_from_a_device() {
        let place = DataPlace { length: 1000, cached: Some(600), holes: Some(100), ..DataPlace::default() };
        assert_eq!(storage(place, false, None).needed_no_device(1000), Some(700));
        assert_eq!(storage(place, false, Some(4096)).needed_no_device(1000), Some(0));
        assert_eq!(storage(place, false, Some(200)).needed_no_device(1000), Some(800));
        assert_eq!(storage(place, true, None).needed_no_device(1000), Some(100));
        assert_eq!(storage(DataPlace::default(), false, None).needed_no_device(1000), None);
        assert_eq!(CopySource::Zero.needed_no_device(5), Some(5));
        assert_eq!(CopySource::Stream.needed_no_device(5), None);
    }

    #[test]
    fn zeros_are_claimed_only_where_every_byte_is_known() {
        let holes =
            DataPlace { length: 1000, holes: Some(600), unwritten: Some(400), ..DataPlace::default() };
        assert!(storage(holes, false, None).is_zeros(1000));
        assert!(!storage(DataPlace { length: 1001, ..holes }, false, None).is_zeros(1000));
        assert!(!storage(DataPlace { holes: Some(599), ..holes }, false, None).is_zeros(1000));
        assert!(
            CopySource::Zero.is_zeros(1) && !CopySource::Zero.is_zeros(0) && !CopySource::Stream.is_zeros(1)
        );
    }

    #[test]
    fn the_flush_counts_into_the_rate() {
        let account = CopyAccount {
            counts: CopyCounts { written: 1000, ..CopyCounts::default() },
            elapsed_ns: 1_000_000_000,
            source: CopySource::Stream,
            sink: CopySink::NoStorage,
            flush_ns: Some(3_000_000_000),
        };
        assert_eq!(account.rate_with_flush(), Some(250.0));
        assert_eq!(CopyAccount { flush_ns: None, ..account }.rate_with_flush(), None);
    }
}
