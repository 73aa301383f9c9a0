//! Options of NVMe commands: faults of trims with several ranges.

/// Reason why the options of NVMe commands are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NvmeFault {
    /// The job does not only trim.
    RangesWithoutTrims,
    /// Trims of this engine have one range.
    RangesOfEngine {
        /// Name of the engine.
        engine: &'static str,
    },
    /// The ranges of a trim add up to 2 GiB or more.
    RangesTooLong {
        /// Largest number of ranges for the block size.
        most: u64,
    },
}
