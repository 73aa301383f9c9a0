//! The row of an option in the option table, and the kinds of values.

pub use crate::choice::{Choice, built_names, choice, needs, valid_values};

use crate::bad_value::BadValue;
use crate::diagnostic::OptionFault;
use crate::spec::JobSpec;
use crate::value::Value;
use std::fmt;

/// An option of the job language. The parser, the help, the JSON echo and the generated documents read this row.
pub struct Opt {
    /// Name in fio's spelling.
    pub name: &'static str,
    /// Other names of the option.
    pub aliases: &'static [&'static str],
    /// Section of fio's manual that describes the option.
    pub section: Section,
    /// Engines or profiles that have the option; empty if every job has it.
    pub engines: &'static [&'static str],
    /// Kind of value that the option takes.
    pub kind: Kind,
    /// Default value as typed; empty if the option has no default.
    pub default: &'static str,
    /// Help text of one line.
    pub help: &'static str,
    /// Paragraph for the manual where the help text is too short; empty if not needed.
    pub doc: &'static str,
    /// Valid value, shown in help and error messages.
    pub example: &'static str,
    /// Stores a value, which was read as `kind`, in a job's specification.
    pub set: fn(&mut JobSpec, Value) -> Result<(), BadValue>,
    /// Returns the stored value; `None` if the option is not set.
    pub get: fn(&JobSpec) -> Option<Value>,
    /// Compatibility with fio.
    pub compat: Compat,
    /// Whether the value is a password or key, which no result repeats.
    pub secret: bool,
}

impl fmt::Debug for Opt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Base of the rows: the fields that a row does not set.
pub const OPT: Opt = Opt {
    name: "",
    aliases: &[],
    section: Section::Jobs,
    engines: &[],
    kind: Kind::Text,
    default: "",
    help: "",
    doc: "",
    example: "",
    set: |_, _| Ok(()),
    get: |_| None,
    compat: Compat::Same,
    secret: false,
};

/// Returns the row of an option that fathom recognises and does not implement yet.
pub const fn later(
    section: Section,
    name: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
) -> Opt {
    Opt { section, name, kind, default, help, compat: Compat::NotYet, ..OPT }
}

/// Returns the row of an option of these engines that fathom recognises and does not implement yet.
pub const fn later_of(
    engines: &'static [&'static str],
    name: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
) -> Opt {
    Opt { engines, ..later(Section::Engine, name, kind, default, help) }
}

/// Returns the row of an option of these engines that fathom refuses with its engines, which need this hardware, library
/// or system.
pub const fn needs_of(
    engines: &'static [&'static str],
    name: &'static str,
    kind: Kind,
    default: &'static str,
    help: &'static str,
    needs: &'static str,
) -> Opt {
    Opt { compat: Compat::Refused(needs), ..later_of(engines, name, kind, default, help) }
}

/// Section of fio's manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Meaning of the units in numbers: `kb_base`, `unit_base`.
    Units,
    /// Names, number and order of jobs; their CPUs, priorities and control groups.
    Jobs,
    /// Runtime, ramp, delays and clocks.
    Time,
    /// Files and devices that a job accesses.
    Files,
    /// Direction and order of I/Os, and offsets.
    Pattern,
    /// Sizes of blocks.
    Blocks,
    /// Engine, queue depth and submission.
    Queue,
    /// Rates, think time and latency targets.
    Rate,
    /// Contents and memory of I/O buffers.
    Buffers,
    /// Verification of written data.
    Verify,
    /// Errors that do not end a job.
    Errors,
    /// Recording and replay of I/O traces.
    Trace,
    /// Zoned devices and zones of a file.
    Zones,
    /// Data placement on flash devices (FDP, streams) and the GPU for buffers.
    Placement,
    /// Contents of reports, and logs over time.
    Report,
    /// Options of single engines.
    Engine,
    /// Options of single profiles.
    Profile,
}

impl Section {
    /// All sections, in the order of fio's manual.
    pub const ALL: [Section; 17] = [
        Section::Units,
        Section::Jobs,
        Section::Time,
        Section::Files,
        Section::Pattern,
        Section::Blocks,
        Section::Queue,
        Section::Rate,
        Section::Buffers,
        Section::Verify,
        Section::Errors,
        Section::Trace,
        Section::Zones,
        Section::Placement,
        Section::Report,
        Section::Engine,
        Section::Profile,
    ];
}

/// Compatibility of an option with fio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compat {
    /// The option works as in fio.
    Same,
    /// The option works with this difference from fio.
    Differs(&'static str),
    /// The option is read and validated and has no effect, for this reason.
    Accepted(&'static str),
    /// fio 3.33 does not have the option: it works as the manual of a newer fio describes, and a test verifies this.
    Newer,
    /// The option is fathom's own; fio does not have it.
    Ours,
    /// fio has removed the option and refuses it; fathom refuses it with fio's message.
    Removed,
    /// fathom recognises the option and refuses it, because it is not built yet.
    NotYet,
    /// fathom recognises the option and refuses it for good: its engines need this hardware, library or system, which
    /// fathom does not use.
    Refused(&'static str),
}

impl Compat {
    /// Returns whether a job may use the option: it has an effect, or its lack of effect has a known reason.
    pub fn works(self) -> bool {
        !matches!(self, Compat::Removed | Compat::NotYet | Compat::Refused(_))
    }
}

impl Compat {
    /// Returns the reason why the option is refused wherever it is typed; `None` if it is read.
    pub(crate) fn fault(self) -> Option<OptionFault> {
        match self {
            Compat::NotYet => Some(OptionFault::NotBuilt),
            Compat::Refused(what) => Some(OptionFault::Needs(what)),
            _ => None,
        }
    }
}

/// Kind of value that an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Any text.
    Text,
    /// Beginning of file names; without a value in a job file, the name of the job.
    Prefix,
    /// Bytes of a pattern: `"text"`, `0xHEX`, numbers and `'file'`, concatenated.
    Pattern,
    /// Bytes of a pattern, in which `%o` is the offset of the block.
    OffsetPattern,
    /// Paths, separated by `:`; `\:` is a colon in a path.
    Paths,
    /// Paths of existing directories, separated by `:`.
    Directories,
    /// No value (on), or a number after `=` (0 is off). On the command line, a word after a blank is not the value but
    /// a job file.
    Flag,
    /// 0 (off) or 1 (on).
    Bool,
    /// Integer with an optional size suffix.
    Int {
        /// Smallest valid value.
        min: i64,
        /// Largest valid value.
        max: i64,
    },
    /// Up to three integers: for reads, writes and trims.
    Ints {
        /// Smallest valid value.
        min: i64,
        /// Largest valid value.
        max: i64,
    },
    /// Up to three ranges `low-high`: for reads, writes and trims.
    Ranges,
    /// A single number of bytes, or a range `low-high` of them.
    Range,
    /// Number of bytes, or percentage of the size of the file or device.
    Size,
    /// Time, stored in nanoseconds.
    Time {
        /// Nanoseconds that the number 1 without a unit stands for.
        unit: u64,
    },
    /// A time or a range of times; numbers without a unit are seconds.
    Times,
    /// Name out of a list of choices.
    Choice {
        /// Valid names.
        choices: &'static [Choice],
        /// Whether text after a colon may follow the name.
        tail: bool,
    },
    /// Decimal fractions, separated by `:`.
    Floats {
        /// Largest valid value of each.
        max: f64,
        /// Largest number of values.
        count: usize,
    },
    /// CPU numbers and ranges of them: `0,2,5-8`.
    Cpus,
    /// Integer with one bit per CPU; bit 0 is CPU 0.
    CpuMask,
    /// NUMA nodes: `0,2-3` or `all`.
    Nodes {
        /// Whether a memory policy and a colon come before the nodes.
        policy: bool,
    },
}

impl Opt {
    /// Returns whether the option is complete without a value.
    pub fn is_flag(&self) -> bool {
        self.kind == Kind::Flag
    }

    /// Returns whether `name` is the option's name or one of its aliases.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Returns the position of the option among the options of a job section, as read: 0 before all others, 1 in
    /// general, 2 for file names, 3 for options of engines.
    pub fn order(&self) -> u8 {
        match self.name {
            "kb_base" | "unit_base" | "lockfile" | "cpus_allowed_policy" => 0,
            "filename" | "filename_format" => 2,
            _ if !self.engines.is_empty() && self.section != Section::Profile => 3,
            _ => 1,
        }
    }
}
