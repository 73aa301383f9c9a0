//! One row of the option table, and the kinds of values.

pub use crate::choice::{Choice, built_names, choice, not_built, valid_values};

use crate::bad_value::BadValue;
use crate::spec::JobSpec;
use crate::value::Value;
use std::fmt;

/// An option: this one literal feeds parser, help, echo and documents.
pub struct Opt {
    /// Name as fio spells it.
    pub name: &'static str,
    /// Other spellings.
    pub aliases: &'static [&'static str],
    /// Section of the manual.
    pub section: Section,
    /// Engines (or profiles) that have it; empty = every job has it.
    pub engines: &'static [&'static str],
    /// What its value is.
    pub kind: Kind,
    /// Default as one would type it; empty = none.
    pub default: &'static str,
    /// Help text of one line.
    pub help: &'static str,
    /// A paragraph for the manual, where one line is not enough.
    pub doc: &'static str,
    /// A value that means something.
    pub example: &'static str,
    /// Stores a value that `kind` has read.
    pub set: fn(&mut JobSpec, Value) -> Result<(), BadValue>,
    /// The value that was stored.
    pub get: fn(&JobSpec) -> Option<Value>,
    /// How it compares with fio's.
    pub compat: Compat,
}

impl fmt::Debug for Opt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What a row has unless it says otherwise.
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
};

/// A row that is recognised and not built yet.
pub const LATER: Opt = Opt { compat: Compat::NotYet, ..OPT };

/// Sections of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Units.
    Units,
    /// Jobs, their identity and order.
    Jobs,
    /// Time.
    Time,
    /// Files and devices.
    Files,
    /// Directions and offsets.
    Pattern,
    /// Block sizes.
    Blocks,
    /// Options of the I/O queue.
    Queue,
    /// Rates, think time, latency targets.
    Rate,
    /// Buffers.
    Buffers,
    /// Verification.
    Verify,
    /// Errors.
    Errors,
    /// Traces.
    Trace,
    /// Zones.
    Zones,
    /// Placement.
    Placement,
    /// Reports and logs.
    Report,
    /// Engines' own.
    Engine,
    /// Profiles' own.
    Profile,
}

impl Section {
    /// All, in the order of the manual.
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

/// How an option compares with fio's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compat {
    /// As fio has it.
    Same,
    /// Works, with this difference.
    Differs(&'static str),
    /// Taken and checked; has no effect, for this reason.
    Accepted(&'static str),
    /// fio 3.33 does not know it: it works as the manual of a newer fio says, and a test shows it.
    Newer,
    /// Not an option of fio.
    Ours,
    /// fio has removed it and refuses it; so do we, in its words.
    Removed,
    /// Recognised and refused: not built yet.
    NotYet,
}

impl Compat {
    /// Whether the option does something, or is known to need nothing done.
    pub fn works(self) -> bool {
        !matches!(self, Compat::Removed | Compat::NotYet)
    }

    /// Whether a user finds what fio has.
    pub fn is_fios(self) -> bool {
        matches!(self, Compat::Same | Compat::Removed)
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Any text.
    Text,
    /// Bytes: `"text"`, `0xHEX`, numbers, `'file'`, joined.
    Pattern,
    /// Paths, separated by `:` (`\:` is a colon).
    Paths,
    /// Paths that must be directories.
    Directories,
    /// Nothing, or a number after `=` (0 = off). A blank before the value makes the value a job file.
    Flag,
    /// 0 or 1.
    Bool,
    /// A number with optional size suffix.
    Int {
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// Up to three numbers: read, write, trim.
    Ints {
        /// Least.
        min: i64,
        /// Most.
        max: i64,
    },
    /// `low-high`, up to three of them.
    Ranges,
    /// `bytes` or `low-high`.
    Range,
    /// Bytes, or percent of the file or device.
    Size,
    /// A time; without a unit in units of so many nanoseconds.
    Time {
        /// Nanoseconds.
        unit: u64,
    },
    /// A time in seconds, or a range of them.
    Times,
    /// One of several names; with `tail`, `:something` may follow.
    Choice {
        /// The names.
        choices: &'static [Choice],
        /// Whether something may follow after a colon.
        tail: bool,
    },
    /// Numbers with a fraction, separated by `:`.
    Floats {
        /// Most of each.
        max: f64,
        /// Largest number of values.
        count: usize,
    },
    /// CPU numbers and ranges, `0,2,5-8`.
    Cpus,
    /// A number whose bits are CPUs.
    CpuMask,
    /// NUMA nodes, `0,2-3` or `all`; with `policy` behind a word and a colon.
    Nodes {
        /// A memory policy comes first.
        policy: bool,
    },
}

impl Opt {
    /// Whether a bare option, without value, is complete.
    pub fn is_flag(&self) -> bool {
        self.kind == Kind::Flag
    }

    /// Its name or one of its aliases.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Where it sorts among the options of a section: some are read before all others, file names after them,
    /// options of engines last.
    pub fn order(&self) -> u8 {
        match self.name {
            "kb_base" | "unit_base" | "lockfile" | "cpus_allowed_policy" => 0,
            "filename" | "filename_format" => 2,
            _ if !self.engines.is_empty() => 3,
            _ => 1,
        }
    }
}
