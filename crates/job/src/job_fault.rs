//! Reasons why a job cannot run as its options describe it.

use crate::nvme::NvmeFault;
use crate::sprandom::SprandomFault;
use crate::zoned::ZonedFault;

/// Reason why an option of a job is wrong, apart from contradictions between options and limits of fathom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobFault {
    /// The job writes or trims under `--readonly`.
    WritesUnderReadonly,
    /// The engine creates or deletes files, and `--readonly` was given.
    NamesUnderReadonly {
        /// Name of the engine.
        engine: &'static str,
    },
    /// The job starts a program under `--readonly`.
    ProgramUnderReadonly {
        /// Command line of the program.
        program: String,
    },
    /// `ramp_size` is set, and the engine transfers no bytes.
    MovesNoBytes {
        /// Name of the engine.
        engine: &'static str,
    },
    /// `steadystate_check_interval` is shorter than a millisecond, or `steadystate_duration` is no multiple of it.
    CheckInterval,
    /// The value is larger than fathom supports, which is this number.
    AboveMost(i64),
    /// The value is too small; this is the smallest one.
    BelowLeast(u64),
    /// `log_issue_time` is set without `write_lat_log` or without `log_offset`.
    IssueTimeAlone,
    /// The option excludes these other options.
    Excludes(&'static [&'static str]),
    /// No clock of the time has this number (clocks of CPU time are refused).
    NoClock,
    /// The working set of duplicates is a percentage of `size`, and `size` is not set.
    WorkingSetWithoutSize,
    /// The working set of duplicates must be in one file, and the job has several.
    WorkingSetOfFiles {
        /// Number of files of the job.
        files: u32,
    },
    /// Too few blocks are outside the working set for the percentage of duplicates.
    WorkingSetTooLarge {
        /// Percentage of blocks that should be duplicates.
        dedupe: i64,
        /// Working set as a percentage of `size`.
        set: i64,
    },
    /// `model_disk` simulates one head, and `model_servers` is above 1.
    OneHead,
    /// Sockets carry reads or writes in sequence, and datagrams only one of them.
    NetDirection,
    /// `listen` is for TCP alone.
    NetListens,
    /// Unix domain sockets have no port.
    NetPortOfUnix,
    /// A port is missing.
    NetWithoutPort,
    /// The peer of a job that connects or sends is missing.
    NetWithoutHost,
    /// The path of a Unix domain socket is missing.
    NetWithoutPath,
    /// A job that listens or receives has no peer in its options, except a multicast group.
    NetHostOfReceiver,
    /// An option without which the engine cannot find its target is missing.
    RemoteWithout {
        /// Name of the option.
        option: &'static str,
        /// A value of the option.
        example: &'static str,
    },
    /// Polled I/O is not yet built for `io_submit_mode=offload`.
    OffloadPolled,
    /// The engine has no atomic writes.
    AtomicEngine {
        /// Name of the engine.
        engine: String,
    },
    /// The engine is not yet built for `io_submit_mode=offload`.
    OffloadEngine {
        /// Name of the engine.
        engine: &'static str,
    },
    /// A mapped file can only be synced in whole pages.
    PartOfPage {
        /// Size of a page in bytes.
        page: u64,
    },
    /// The text after `:` of a sequential `rw` is not a number of bytes.
    NoSkip {
        /// Value of `rw` without the text after `:`.
        rw: &'static str,
    },
    /// `zonesize` is set without `zonemode=strided` or `zonemode=zbd`.
    ZonesNotStrided,
    /// The options of `zonemode=zbd` are wrong.
    Zoned(ZonedFault),
    /// A job with `access_spec` has several files.
    AccessFiles,
    /// The options of `sprandom` are wrong.
    Sprandom(SprandomFault),
    /// The options of NVMe commands are wrong.
    Nvme(NvmeFault),
    /// `zonemode=strided` is set without `zonesize`.
    StridedWithoutSize,
    /// The minimum rate is above the rate.
    MinimumAboveRate {
        /// Name of the option that sets the rate.
        rate: &'static str,
        /// Numbers of the directions: 0 = reads, 1 = writes, 2 = trims.
        directions: Vec<usize>,
    },
    /// The pattern is what is verified, and `verify_pattern` is not set.
    VerifyWithoutPattern,
    /// Verification is set, and the engine transfers no data.
    VerifyWithoutData {
        /// Name of the engine.
        engine: &'static str,
    },
    /// Blocks have sizes of which no header divides all (`bs_unaligned` with a range of sizes).
    VerifyUnaligned,
    /// A block, or the interval between two headers, has no room for the header.
    VerifyBlockTooSmall {
        /// Distance between two headers in bytes.
        interval: u64,
        /// Smallest distance in bytes that has room for the header.
        least: u64,
    },
    /// Standard input and output are not yet built as targets.
    StandardStream,
    /// The size is smaller than one block.
    SizeBelowBlock {
        /// Requested size in bytes.
        size: u64,
        /// Size of the smallest block in bytes.
        block: u64,
    },
}
