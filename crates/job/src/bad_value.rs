//! Why the value of an option is refused, as data; `report` has the words, fio's and ours.

use crate::choice::Choice;
use crate::unit::NotANumber;
use stats::plan_error::PathFault;

/// Why the value of an option is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{self:?}")]
pub enum BadValue {
    /// The option is no flag and has no value.
    Missing {
        /// Name of the option.
        option: &'static str,
        /// A valid value.
        example: &'static str,
    },
    /// The list of paths is empty.
    NoPath {
        /// Name of the option.
        option: &'static str,
        /// A valid value.
        example: &'static str,
    },
    /// The value has none of the items that the option takes.
    Needs {
        /// What the option takes.
        what: Needed,
        /// A valid value.
        example: &'static str,
    },
    /// The value, or a part of it, is no number.
    NotANumber {
        /// Why not.
        why: NotANumber,
        /// A valid value.
        example: &'static str,
    },
    /// An item of the value cannot be read.
    Malformed {
        /// The item as typed.
        text: String,
        /// What the item should be.
        what: Item,
        /// A valid item.
        example: String,
    },
    /// The number has a unit that the option does not take.
    ForeignUnit {
        /// The unit.
        unit: ForeignUnit,
        /// A valid value.
        example: &'static str,
    },
    /// The number is too small or too large.
    OutOfRange {
        /// Name of the option, where fio prints it.
        option: Option<&'static str>,
        /// The number.
        value: i64,
        /// Smallest valid number.
        min: i64,
        /// Largest valid number.
        max: i64,
    },
    /// A number with a fraction is negative or too large.
    FloatOutOfRange {
        /// The number.
        value: f64,
        /// Largest valid number.
        max: f64,
    },
    /// An item of a list is no number with a fraction.
    NotAFloat {
        /// The item as typed.
        text: String,
    },
    /// The list has too many items.
    TooMany {
        /// What is listed.
        what: Listed,
        /// Largest number of items.
        most: usize,
        /// Number of items.
        given: usize,
    },
    /// A percentage of a size is not 1 to 100.
    PercentOfSize,
    /// No I/O can have blocks of this size.
    BlockSize {
        /// Size as typed, in bytes.
        bytes: i128,
        /// Largest block in bytes.
        most: i64,
    },
    /// The path is no directory.
    NoDirectory {
        /// The path.
        path: String,
    },
    /// None of the option's choices has this name.
    NoSuchChoice {
        /// The choices.
        choices: &'static [Choice],
        /// The choice whose name is most like the one that was typed.
        near: Option<&'static str>,
    },
    /// fio has this value, and fathom does not have it yet.
    NotBuilt(NotBuilt),
    /// The machine has no CPU of this number.
    NoSuchCpu {
        /// Number of the CPU.
        cpu: u32,
        /// Largest number of a CPU of this machine.
        last: u32,
    },
    /// A distribution does not have these parameters.
    Law(LawFault),
    /// A flag of `sync_file_range` is unknown.
    SyncRangeFlag {
        /// The flags.
        flags: &'static [Choice],
    },
    /// More lists of errors than kinds of operations.
    TooManyErrorLists,
    /// An error is neither a known name nor a number.
    UnknownErrno {
        /// As typed.
        name: String,
    },
    /// A law of a simulated device cannot be read.
    Model(ModelFault),
    /// A list of NUMA nodes cannot be read, or a node does not exist.
    Nodes {
        /// Which option has the list.
        of: NodesOf,
        /// What is wrong.
        fault: NodeFault,
    },
    /// A memory policy cannot be read.
    Policy(PolicyFault),
    /// A pattern of bytes cannot be read.
    Pattern(PatternFault),
    /// An entry of `cmdprio_bssplit` cannot be read.
    PriorityEntry {
        /// The entry as typed.
        text: String,
    },
    /// The shares of one block size in `cmdprio_bssplit` are more than a hundred percent.
    PrioritySum {
        /// Block size in bytes.
        bytes: i64,
        /// Sum of the percentages.
        percent: u32,
    },
    /// fio has removed the option.
    Removed {
        /// Name of the option.
        option: &'static str,
        /// The option that does what this one did.
        instead: &'static str,
    },
    /// The row of the option table does not fit the field that it sets.
    WrongRow,
}

// Every number with a fraction is finite: others are no values.
impl Eq for BadValue {}

impl BadValue {
    /// Whether fio has the value and fathom does not have it yet.
    pub fn is_not_built(&self) -> bool {
        matches!(self, BadValue::NotBuilt(_))
    }
}

/// What a value must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// A number.
    Number,
    /// A range of sizes.
    Range,
    /// One time, or one for each direction.
    Times,
    /// Block sizes with percentages.
    BlockSizes,
    /// CPUs.
    Cpus,
    /// Numbers of blocks.
    SequenceBlocks,
}

/// An item of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A CPU or a range of CPUs.
    Cpu,
    /// A number of bytes or zones.
    Skip,
    /// A parameter of a distribution.
    LawParameter(Drawn),
    /// A zone of `random_distribution=zoned`.
    Zone,
    /// A block size with its percentage.
    BlockSize,
}

/// What a distribution draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Offsets: `random_distribution`.
    Offsets,
    /// Files: `file_service_type`.
    Files,
}

/// A unit that some options take and others do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignUnit {
    /// `%`.
    Percent,
    /// `z`.
    Zones,
}

/// Items of a list that has a largest length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Numbers.
    Numbers,
    /// Blocks of a sequence.
    Blocks,
}

/// A value that fio has and fathom does not have yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotBuilt {
    /// One of these choices.
    Choice(&'static [Choice]),
    /// A size in zones.
    SizeInZones,
}

/// Why a distribution does not have these parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawFault {
    /// `zoned` without zones.
    NoZones {
        /// Name of the distribution.
        law: &'static str,
    },
    /// theta of `zipf` is 1.
    ThetaIsOne(Drawn),
    /// The input of `pareto` is not between 0 and 1.
    ParetoInput,
    /// The deviation of `normal` is not from 0 to below 100.
    Deviation,
    /// The centre is not from 0 to 1.
    Centre,
    /// Zones for each direction, which neither fathom nor fio 3.33 has.
    ZonesPerDirection,
    /// The percentages of zones are more than a hundred.
    ZonePercents,
    /// The percentages of accesses are less than a hundred.
    AccessPercents {
        /// Their sum.
        sum: u32,
    },
}

/// The option of a simulated device whose value cannot be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelFault {
    /// `model_law`.
    Law,
    /// The percentages of `model_law=mixture` are not a hundred.
    MixturePercents {
        /// Their sum.
        sum: f64,
    },
    /// `model_burst`.
    Burst,
    /// `model_cache`.
    Cache,
    /// `model_cliff`.
    Cliff,
    /// `model_step`.
    Step,
    /// `model_stall`.
    Stall,
    /// `model_disk`.
    Disk,
    /// `model_hit`.
    Hit,
}

/// The option that a list of NUMA nodes belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodesOf {
    /// `numa_cpu_nodes`.
    Cpus,
    /// `numa_mem_policy`.
    Memory,
}

/// Why a list of NUMA nodes cannot be used; libnuma has words for all but the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeFault {
    /// Text follows a number.
    TextBehind,
    /// A number should begin here.
    Unparseable {
        /// The rest of the list.
        text: String,
    },
    /// The last node of a range is missing.
    NoLast {
        /// The rest of the list.
        text: String,
    },
    /// The last node of a range does not exist.
    RangeBeyond {
        /// Number of the node.
        last: u32,
    },
    /// A node does not exist.
    NoNode {
        /// Number of the node.
        node: u32,
        /// The node stands in a range.
        in_range: bool,
    },
}

/// Why a memory policy cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyFault {
    /// `default` or `local` with a list of nodes.
    TakesNoNodes,
    /// `prefer` without a node.
    NeedsNode,
    /// `prefer` with something else than the number of one node.
    NeedsOneNode,
    /// `bind` or `interleave` without a list of nodes.
    NeedsNodes {
        /// Name of the policy.
        policy: &'static str,
    },
    /// No policy has this name.
    Unknown,
}

/// Why a pattern of bytes cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// The pattern has no bytes.
    Empty,
    /// A quotation mark is not closed.
    Unclosed(char),
    /// The pattern has more bytes than fio takes.
    TooLong {
        /// Largest number of bytes.
        most: usize,
    },
    /// A file of the pattern cannot be read.
    File {
        /// Path of the file.
        path: String,
        /// Why not.
        fault: PathFault,
    },
    /// No digits follow `0x`.
    NoHexDigits,
    /// The text begins with nothing that a pattern can have.
    NotAPattern {
        /// The text.
        text: String,
    },
    /// A number has more than 32 bits.
    NumberTooLarge {
        /// The number as typed.
        text: String,
    },
}
