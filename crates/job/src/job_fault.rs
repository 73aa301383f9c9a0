//! Why a job cannot be carried out as its options describe it.

/// What is wrong with an option of a job, beside the options and limits it has to fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobFault {
    /// The job writes or trims under `--readonly`.
    WritesUnderReadonly,
    /// The engine creates or deletes files under `--readonly`.
    NamesUnderReadonly {
        /// Name of the engine.
        engine: &'static str,
    },
    /// The job starts a program under `--readonly`.
    ProgramUnderReadonly {
        /// Command line of the program.
        program: String,
    },
    /// The engine moves no bytes, and a number of bytes ends its ramp.
    MovesNoBytes {
        /// Name of the engine.
        engine: &'static str,
    },
    /// The value is larger than fathom can carry out.
    AboveMost(i64),
    /// The option excludes these options.
    Excludes(&'static [&'static str]),
    /// No clock that tells the time has this number.
    NoClock,
    /// A working set of duplicates is a share of `size`, which is not set.
    WorkingSetWithoutSize,
    /// A working set of duplicates lies in one file.
    WorkingSetOfFiles {
        /// Number of files of the job.
        files: u32,
    },
    /// The working set leaves too few blocks that can be duplicates.
    WorkingSetTooLarge {
        /// Percentage of blocks that are to be duplicates.
        dedupe: i64,
        /// Percentage of the size that the working set takes.
        set: i64,
    },
    /// A simulated hard disk has one head, and several servers are asked for.
    OneHead,
    /// Threads of `io_submit_mode=offload` cannot poll yet.
    OffloadPolled,
    /// Threads of `io_submit_mode=offload` cannot use the engine yet.
    OffloadEngine {
        /// Name of the engine.
        engine: &'static str,
    },
    /// Mapped memory is synced by whole pages.
    PartOfPage {
        /// Bytes of a page.
        page: u64,
    },
    /// The text after `:` of a sequential `rw` is no number of bytes.
    NoSkip {
        /// The value of `rw` without that text.
        rw: &'static str,
    },
    /// `zonesize` without `zonemode=strided`.
    ZonesNotStrided,
    /// `zonemode=strided` without `zonesize`.
    StridedWithoutSize,
    /// A minimum rate is above the rate.
    MinimumAboveRate {
        /// Name of the option of the rate.
        rate: &'static str,
        /// Numbers of the directions: 0 reads, 1 writes, 2 trims.
        directions: Vec<usize>,
    },
    /// Standard input and output cannot be targets yet.
    StandardStream,
    /// The size holds no block.
    SizeBelowBlock {
        /// Bytes asked for.
        size: u64,
        /// Bytes of the smallest block.
        block: u64,
    },
}
