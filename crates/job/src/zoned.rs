//! Zoned block devices (`zonemode=zbd`): options of a job that writes zones in order.

use serde::{Deserialize, Serialize};

/// Rules of a job for zoned block devices. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ZonedSpec {
    /// Size of a zone; 0 = that of the device.
    pub size: u64,
    /// Writable bytes of a zone of a device without zones; 0 = the whole zone.
    pub capacity: u64,
    /// Bytes that sequential I/O skips after each zone; a multiple of `size`.
    pub skip: u64,
    /// Whether reads may reach beyond the write pointer of a zone.
    pub read_beyond_wp: bool,
    /// Largest number of zones that all jobs of a device write to at a time; 0 = the limit of the device.
    pub max_open: u32,
    /// Largest number of zones that this job writes to at a time; 0 = no limit of its own.
    pub job_max_open: u32,
    /// Whether `max_open` may exceed the limit of the device.
    pub ignore_limits: bool,
    /// Share of written data (0 to 1) from which on zones are reset periodically.
    pub reset_threshold: f64,
    /// Number of writes per periodic reset; 0 = no periodic resets.
    pub reset_every: u64,
    /// Whether several writes of a zone may be in flight: they are Zone Append commands, and no offset has to be known
    /// before.
    #[serde(default)]
    pub parallel: bool,
    /// Whether the device is asked for the write pointer after a failed write.
    #[serde(default)]
    pub recovers: bool,
    /// Unit in bytes of a rest of a zone that is written although it is smaller than the smallest block; 0 = it is not
    /// written.
    #[serde(default)]
    pub remainder: u32,
}

/// Reason why the options of a zoned job are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZonedFault {
    /// The capacity of a zone is larger than the zone.
    CapacityAboveSize {
        /// Size of a zone in bytes.
        size: u64,
    },
    /// A zone is smaller than 512 bytes.
    SizeBelow512,
    /// The distance to the next zone is not a multiple of the zone size.
    SkipNotWhole {
        /// Size of a zone in bytes.
        size: u64,
    },
    /// Trims (resets of zones) are not built yet.
    Trims,
    /// Zone Append is set without `zonemode=zbd`.
    AppendWithoutZones,
    /// Errors of writes end the job, so that there is nothing to recover.
    RecoveryWithoutTolerance,
    /// The block does not fit into a zone.
    BlockAboveZone {
        /// Size of a zone in bytes.
        size: u64,
    },
}
