//! What is wrong with a configuration file, as data.

/// Fault of a file, with its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub struct ParseFault {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Fault.
    pub kind: ParseFaultKind,
}

/// Field of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldName {
    /// Hours of the run time.
    Hours,
    /// Minutes of the run time.
    Minutes,
    /// Seconds of the run time.
    Seconds,
    /// Ramp up time.
    Ramp,
    /// Number of workers to start.
    Spawn,
    /// First value of a cycle.
    Start,
    /// Last value of a cycle.
    End,
    /// Step of a cycle.
    Step,
    /// Transfer size.
    Size,
    /// Share of the specification.
    Share,
    /// Percentage of reads.
    Reads,
    /// Percentage of random I/Os.
    Random,
    /// Delay of a burst.
    Delay,
    /// Length of a burst.
    Burst,
    /// Alignment.
    Align,
    /// Size of the reply.
    Reply,
    /// Number of a manager.
    ManagerId,
    /// Outstanding I/Os.
    Outstanding,
    /// Transactions of a connection.
    Transactions,
    /// Fixed seed.
    Seed,
    /// Maximum size of the disk.
    MaximumSize,
    /// First sector.
    StartingSector,
    /// Data pattern.
    DataPattern,
}

impl FieldName {
    /// Returns the words by which a file calls the field.
    pub fn name(self) -> &'static str {
        match self {
            FieldName::Hours => "hours",
            FieldName::Minutes => "minutes",
            FieldName::Seconds => "seconds",
            FieldName::Ramp => "ramp up time",
            FieldName::Spawn => "workers to spawn",
            FieldName::Start => "start",
            FieldName::End => "end",
            FieldName::Step => "step",
            FieldName::Size => "size",
            FieldName::Share => "% of size",
            FieldName::Reads => "% reads",
            FieldName::Random => "% random",
            FieldName::Delay => "delay",
            FieldName::Burst => "burst",
            FieldName::Align => "align",
            FieldName::Reply => "reply",
            FieldName::ManagerId => "manager ID",
            FieldName::Outstanding => "outstanding IOs",
            FieldName::Transactions => "transactions per connection",
            FieldName::Seed => "fixed seed value",
            FieldName::MaximumSize => "maximum size",
            FieldName::StartingSector => "starting sector",
            FieldName::DataPattern => "data pattern",
        }
    }
}

/// Fault of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseFaultKind {
    /// The first line is no version.
    NoVersion,
    /// The version cannot be read.
    BadVersion {
        /// Text of the version.
        text: String,
    },
    /// The version is older than 1998.05.21, whose access specifications have another form.
    TooOld {
        /// Text of the version.
        text: String,
    },
    /// The last line is not the version again: the file is cut off.
    NoLastVersion,
    /// First and last line have different versions.
    OtherVersion {
        /// Version of the first line.
        first: String,
        /// Version of the last line.
        last: String,
    },
    /// A key has no value.
    NoValue {
        /// Text of the key.
        key: String,
    },
    /// A value follows no key that may have one here.
    NoKey {
        /// Text of the value.
        text: String,
    },
    /// A section or part does not end.
    NoEnd {
        /// Key of the end.
        end: &'static str,
    },
    /// A value has another number of fields.
    Fields {
        /// Number of fields found.
        found: usize,
        /// What the fields are, in the words of a file.
        expected: &'static str,
    },
    /// A number is missing or out of range.
    Number {
        /// Field.
        field: FieldName,
        /// Text found.
        text: String,
        /// Smallest number.
        least: u64,
        /// Largest number.
        most: u64,
    },
    /// A word is none of those that are possible.
    Choice {
        /// Text found.
        text: String,
        /// Possible words, separated by commas.
        words: String,
    },
    /// A name is empty.
    NoName,
    /// A section occurs twice.
    Twice {
        /// Key of the section.
        section: &'static str,
    },
    /// An access specification has no lines.
    NoLines {
        /// Name of the specification.
        spec: String,
    },
    /// An access specification has more than 100 lines.
    TooManyLines {
        /// Name of the specification.
        spec: String,
    },
    /// The shares of a specification do not add up to 100.
    Sum {
        /// Name of the specification.
        spec: String,
        /// Sum of the shares.
        sum: u32,
    },
    /// Two specifications have one name.
    SameName {
        /// Name of the specification.
        spec: String,
    },
    /// A worker has a specification that the file does not define.
    UnknownSpec {
        /// Name of the specification.
        spec: String,
    },
}

/// Reason why a document cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionFault {
    /// The file has no managers with workers.
    NoWorkers,
    /// No worker has a specification and a target.
    NothingToRun,
    /// A worker of the network has a specification.
    Network {
        /// Name of the worker.
        worker: String,
    },
    /// A worker opens its targets again after a number of transactions.
    ConnectionRate {
        /// Name of the worker.
        worker: String,
    },
    /// Targets have no place.
    Unmapped {
        /// Names of the targets.
        targets: Vec<String>,
    },
    /// Places are stated for targets that the file does not have.
    NoSuchTarget {
        /// Names of these targets.
        named: Vec<String>,
        /// Names of the targets of the file.
        targets: Vec<String>,
    },
    /// A name at a place belongs to several targets.
    Ambiguous {
        /// Name as given.
        named: String,
        /// Names of the targets.
        targets: Vec<String>,
    },
    /// The size behind a place is none, 0 or too large.
    BadSize {
        /// Text as given.
        text: String,
        /// Size in it.
        size: String,
    },
    /// A place is no path, or has a character that a job file cannot contain.
    BadPath {
        /// Text as given.
        text: String,
    },
    /// A file in a directory has no size: Iometer would fill the file system.
    NoSize {
        /// Name of the target.
        target: String,
    },
    /// A cycle does not grow.
    EndlessCycle,
    /// There are more tests than can be run.
    TooManyTests {
        /// Largest number.
        most: usize,
    },
}

/// Part of a job that a configuration file cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotExpressible {
    /// Name of the job.
    pub job: String,
    /// Part.
    pub kind: JobFaultKind,
}

/// Part of a job that a configuration file cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobFaultKind {
    /// The option has no counterpart.
    Option(&'static str),
    /// The job has no runtime, or another one than the jobs before it.
    Runtime,
    /// The ramp is no whole number of seconds, or another one than that of the jobs before it.
    Ramp,
    /// Shares of sizes and directions give no whole percentages.
    Percentages,
    /// The job waits for others, and the tests do not have the same workers and targets.
    Sequence,
    /// The job trims.
    Trims,
    /// The job has no target.
    NoTarget,
    /// The test varies a number from one point to the next.
    Cycling,
}
