//! Constants for binary sizes and for times in nanoseconds.

/// Bytes in a KiB.
pub const KIB: u64 = 1024;
/// Bytes in a MiB.
pub const MIB: u64 = 1024 * KIB;
/// Bytes in a GiB.
pub const GIB: u64 = 1024 * MIB;
/// Nanoseconds in a microsecond.
pub const MICROSECOND: u64 = 1_000;
/// Nanoseconds in a millisecond.
pub const MILLISECOND: u64 = 1_000_000;
/// Nanoseconds in a second.
pub const SECOND: u64 = 1_000_000_000;
