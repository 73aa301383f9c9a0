//! Reasons why the value of an option is refused, as data; `report` has the messages of fio and of fathom.

use crate::choice::Choice;
use crate::unit::NotANumber;
use stats::SteadyQuantity;
use stats::plan_error::PathFault;

/// Reason why the value of an option is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{self:?}")]
pub enum BadValue {
    /// The option is not a flag and has no value.
    Missing {
        /// Name of the option.
        option: &'static str,
        /// Valid value of the option, for the message.
        example: &'static str,
    },
    /// The list of paths is empty.
    NoPath {
        /// Name of the option.
        option: &'static str,
        /// Valid value of the option, for the message.
        example: &'static str,
    },
    /// The value has none of the items that the option needs.
    Needs {
        /// Item that the option needs.
        what: Needed,
        /// Valid value of the option, for the message.
        example: &'static str,
    },
    /// The value, or a part of it, is not a number.
    NotANumber {
        /// Reason why the text is not a number.
        why: NotANumber,
        /// Valid value of the option, for the message.
        example: &'static str,
    },
    /// An item of the value cannot be read.
    Malformed {
        /// The item as typed.
        text: String,
        /// Kind of the item.
        what: Item,
        /// Valid item, for the message.
        example: String,
    },
    /// The number has a unit that the option does not accept.
    ForeignUnit {
        /// Unit of the number.
        unit: ForeignUnit,
        /// Valid value of the option, for the message.
        example: &'static str,
    },
    /// The integer is too small or too large.
    OutOfRange {
        /// Name of the option, where fio prints the name; else `None`.
        option: Option<&'static str>,
        /// The refused integer.
        value: i64,
        /// Smallest valid number.
        min: i64,
        /// Largest valid number.
        max: i64,
    },
    /// A decimal fraction is negative or too large.
    FloatOutOfRange {
        /// The refused number.
        value: f64,
        /// Largest valid number.
        max: f64,
    },
    /// An item of a list is not a decimal fraction.
    NotAFloat {
        /// The item as typed.
        text: String,
    },
    /// The list has too many items.
    TooMany {
        /// Kind of the items in the list.
        what: Listed,
        /// Largest number of items.
        most: usize,
        /// Number of items in the value.
        given: usize,
    },
    /// The percentage of a size is not between 1 and 100.
    PercentOfSize,
    /// The block size is negative, zero or too large for an I/O.
    BlockSize {
        /// Size as typed, in bytes.
        bytes: i128,
        /// Largest block in bytes.
        most: i64,
    },
    /// The path is not a directory.
    NoDirectory {
        /// Path as typed.
        path: String,
    },
    /// None of the option's choices has this name.
    NoSuchChoice {
        /// Valid choices.
        choices: &'static [Choice],
        /// Choice whose name is most similar to the typed name; `None` if no name is similar.
        near: Option<&'static str>,
    },
    /// The value is valid in fio and not yet built in fathom.
    NotBuilt(NotBuilt),
    /// The machine has no CPU with this number.
    NoSuchCpu {
        /// Refused CPU number.
        cpu: u32,
        /// Largest CPU number of this machine.
        last: u32,
    },
    /// The distribution does not allow these parameters.
    Law(LawFault),
    /// A flag of `sync_file_range` is unknown.
    SyncRangeFlag {
        /// Valid flags.
        flags: &'static [Choice],
    },
    /// A kind of I/O in `replay_skip` is unknown.
    SkipKind {
        /// The kind as typed.
        text: String,
    },
    /// A list has not one number for each trace of `read_iolog`.
    OnePerTrace {
        /// Name of the option.
        option: &'static str,
        /// Number of numbers.
        given: usize,
        /// Number of traces.
        traces: usize,
    },
    /// A percentage of `merge_blktrace_scalars` is not above 0.
    MergePercentage,
    /// A number of passes of `merge_blktrace_iters` is not a whole number from 1.
    MergePasses,
    /// The number must be a power of two.
    NotAPowerOfTwo {
        /// Name of the option.
        option: &'static str,
    },
    /// `ignore_error` has more lists of errors than the three kinds: read, write and verify.
    TooManyErrorLists,
    /// An error is neither a known name nor a number.
    UnknownErrno {
        /// Name or number of the error as typed.
        name: String,
    },
    /// The value of a simulated device's option cannot be read.
    Model(ModelFault),
    /// The value of `access_spec` cannot be read.
    Access(AccessFault),
    /// A list of NUMA nodes cannot be read, or one of its nodes does not exist.
    Nodes {
        /// Option that has the list.
        of: NodesOf,
        /// Reason why the list is refused.
        fault: NodeFault,
    },
    /// A memory policy cannot be read.
    Policy(PolicyFault),
    /// A pattern of bytes cannot be read.
    Pattern(PatternFault),
    /// The limit of `steadystate` cannot be read.
    Steady(SteadyFault),
    /// An entry of `cmdprio_bssplit` cannot be read.
    PriorityEntry {
        /// The entry as typed.
        text: String,
    },
    /// The percentages of one block size in `cmdprio_bssplit` add up to more than 100.
    PrioritySum {
        /// Block size in bytes.
        bytes: i64,
        /// Sum of the percentages.
        percent: u32,
    },
    /// fio has removed this option.
    Removed {
        /// Name of the removed option.
        option: &'static str,
        /// Option that replaces the removed one.
        instead: &'static str,
    },
    /// The row of the option table has another type than the job field that the row sets: an error in fathom.
    WrongRow,
}

// All decimal fractions here are finite, because other texts are refused earlier.
impl Eq for BadValue {}

impl BadValue {
    /// Returns whether fio has the value and fathom does not have it yet.
    pub fn is_not_built(&self) -> bool {
        matches!(self, BadValue::NotBuilt(_))
    }
}

/// Item that a value needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// At least one number.
    Number,
    /// A range of sizes in bytes.
    Range,
    /// A single time, or one for each direction.
    Times,
    /// Block sizes with their percentages.
    BlockSizes,
    /// Numbers of CPUs.
    Cpus,
    /// Numbers of blocks of a sequence.
    SequenceBlocks,
}

/// Kind of an item in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A CPU number, or a range of CPU numbers.
    Cpu,
    /// A number of bytes or zones to skip.
    Skip,
    /// A parameter of a distribution.
    LawParameter(Drawn),
    /// A zone of `random_distribution=zoned` or `zoned_abs`.
    Zone,
    /// A block size with its percentage.
    BlockSize,
    /// Commands of writes with their percentages.
    WriteShare,
}

/// Object that a distribution chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Offsets of I/Os: `random_distribution`.
    Offsets,
    /// Files of a job: `file_service_type`.
    Files,
}

/// Unit of a number that only some options accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignUnit {
    /// Percent (`%`).
    Percent,
    /// Zones of a zoned device (`z`).
    Zones,
}

/// Kind of items in a list of limited length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Decimal fractions.
    Numbers,
    /// Blocks of a sequence.
    Blocks,
}

/// Value that fio has and fathom does not have yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotBuilt {
    /// The value is one of the option's choices.
    Choice(&'static [Choice]),
    /// The value needs hardware, a library or a system that fathom does not use.
    Needs {
        /// Name of what the value needs.
        what: &'static str,
        /// Choices of the option.
        choices: &'static [Choice],
    },
    /// The value is a size in zones.
    SizeInZones,
}

/// Reason why a distribution does not allow the given parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawFault {
    /// A zoned distribution has no zones.
    NoZones {
        /// Name of the distribution.
        law: &'static str,
    },
    /// theta of `zipf` is 1, for which the distribution is not defined.
    ThetaIsOne(Drawn),
    /// The parameter of `pareto` is not between 0 and 1.
    ParetoInput,
    /// The deviation of `normal`, in percent, is negative or at least 100.
    Deviation,
    /// The centre of the distribution, a fraction of the region, is not between 0 and 1.
    Centre,
    /// Each direction has its own zones, which neither fathom nor fio 3.33 supports.
    ZonesPerDirection,
    /// The sizes of the zones add up to more than 100 percent.
    ZonePercents,
    /// The access percentages of the zones add up to less than 100.
    AccessPercents {
        /// Sum of the access percentages.
        sum: u32,
    },
}

/// Reason why the limit of `steadystate` is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteadyFault {
    /// The value has no limit.
    NoLimit,
    /// The limit of this quantity is not a number.
    Limit(SteadyQuantity),
    /// The text before `%` is not a number.
    Percentage,
}

/// Option of a simulated device whose value cannot be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelFault {
    /// The value of `model_law` cannot be read.
    Law,
    /// Every service takes no time, so that the clock of the simulated device would stand still.
    NoTime,
    /// The percentages of `model_law=mixture` do not add up to 100.
    MixturePercents {
        /// Sum of the percentages.
        sum: f64,
    },
    /// The value of `model_burst` cannot be read.
    Burst,
    /// The value of `model_cache` cannot be read.
    Cache,
    /// The value of `model_cliff` cannot be read.
    Cliff,
    /// The value of `model_step` cannot be read.
    Step,
    /// The value of `model_stall` cannot be read.
    Stall,
    /// The value of `model_disk` cannot be read.
    Disk,
    /// The value of `model_hit` cannot be read.
    Hit,
    /// The value of `model_ftl` cannot be read.
    Ftl,
    /// The value of `model_ftl_times` cannot be read.
    FtlTimes,
    /// The value of `model_surface` cannot be read.
    Surface,
    /// The value of `model_slc` cannot be read.
    Slc,
    /// The value of `model_read_cache` cannot be read.
    ReadCache,
}

/// Option that has a list of NUMA nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodesOf {
    /// Nodes of `numa_cpu_nodes`.
    Cpus,
    /// Nodes of `numa_mem_policy`.
    Memory,
}

/// Reason why a list of NUMA nodes cannot be used; libnuma has messages for all but the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeFault {
    /// A number in the list is followed by text.
    TextBehind,
    /// The list has other text where a number should begin.
    Unparseable {
        /// Rest of the list, from the error on.
        text: String,
    },
    /// The last node of a range is missing.
    NoLast {
        /// Rest of the list, from the error on.
        text: String,
    },
    /// The last node of a range does not exist.
    RangeBeyond {
        /// Number of the last node.
        last: u32,
    },
    /// A node does not exist.
    NoNode {
        /// Number of the missing node.
        node: u32,
        /// Whether the node is inside a range.
        in_range: bool,
    },
}

/// Reason why a memory policy cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyFault {
    /// `default` or `local` has a list of nodes.
    TakesNoNodes,
    /// `prefer` has no node.
    NeedsNode,
    /// `prefer` has other text than the number of one node.
    NeedsOneNode,
    /// `bind` or `interleave` has no list of nodes.
    NeedsNodes {
        /// Name of the policy.
        policy: &'static str,
    },
    /// The name of the policy is unknown.
    Unknown,
}

/// Reason why a pattern of bytes cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// The pattern has no bytes.
    Empty,
    /// A quotation mark is not closed.
    Unclosed(char),
    /// The pattern is longer than fio allows.
    TooLong {
        /// Largest valid number of bytes.
        most: usize,
    },
    /// A file of the pattern cannot be read.
    File {
        /// Path of the file.
        path: String,
        /// Reason why the file cannot be read.
        fault: PathFault,
    },
    /// No digits follow `0x`.
    NoHexDigits,
    /// The text begins with neither a quotation mark nor a number.
    NotAPattern {
        /// Text that cannot be read.
        text: String,
    },
    /// A number is larger than 32 bits.
    NumberTooLarge {
        /// The number as typed.
        text: String,
    },
}

/// Reason why the text of `access_spec` cannot be read. Lines are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessFault {
    /// A line has other fields than `SIZE/SHARE[/READS[/RANDOM[/DELAY[/BURST[/ALIGN[/REPLY]]]]]]`, or a field is out of
    /// its range.
    Line(usize),
    /// There are more lines than an access specification may have.
    TooMany,
    /// The shares of the lines add up to another number than 100.
    Sum(u32),
}
