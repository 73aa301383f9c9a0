//! What is wrong with a command line, a job file or a section, or remarkable about it, as data; `report` has the words.

use crate::job_fault::JobFault;
use crate::refused_value::RefusedValue;
use crate::spec::Place;

/// One thing to say about a command line or its job files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnostic {
    /// The value of an option is refused.
    Value(Box<RefusedValue>),
    /// A job cannot be carried out as its options describe it.
    Job {
        /// Name of the job.
        job: String,
        /// Option that is wrong.
        option: &'static str,
        /// Where the option was typed, and as what; `None` where a default is wrong.
        typed: Option<Box<(Place, String)>>,
        /// What is wrong.
        fault: JobFault,
    },
    /// `blockalign` turns off the map of random blocks (a warning).
    RandomMapOff,
    /// `--cmdhelp` or `--enghelp` names an option that does not exist.
    NoCommand {
        /// Name as typed.
        name: String,
    },
    /// `--enghelp` names an engine that does not exist.
    NoEngine {
        /// Name as typed.
        engine: String,
    },
    /// `time_based` is ignored without `runtime` (a warning).
    TimeBasedIgnored,
    /// The command line as it was probably meant.
    Corrected {
        /// Name of the program.
        argv0: String,
        /// The words.
        line: String,
    },
    /// A word with dashes cannot be read.
    Word {
        /// Name of the program.
        argv0: String,
        /// As typed.
        word: String,
        /// Why.
        fault: WordFault,
        /// The known name that is most like it.
        near: Option<&'static str>,
    },
    /// The value of a switch is refused, or the switch itself.
    Switch {
        /// Name, without dashes.
        name: &'static str,
        /// Value as typed.
        value: String,
        /// Why.
        fault: SwitchFault,
    },
    /// An option cannot be given at this place.
    Option {
        /// Where it was typed.
        place: Place,
        /// Its name, or the option as typed.
        option: String,
        /// Why.
        fault: OptionFault,
    },
    /// Nothing follows the `=` of an option of the command line.
    NoValue {
        /// Name.
        option: &'static str,
        /// A value that would be right; empty if the table has none.
        example: &'static str,
    },
    /// `--size` of a profile is no number of MiB.
    ProfileSize {
        /// As typed.
        value: String,
    },
    /// `--profile` is refused.
    Profile {
        /// As typed.
        name: String,
        /// Why.
        fault: ProfileFault,
    },
    /// No option has this name.
    UnknownOption {
        /// Where it was typed.
        place: Place,
        /// The line, shortened.
        text: String,
        /// Name as typed.
        option: String,
        /// The known name that is most like it.
        near: Option<&'static str>,
    },
    /// An option in a section of a job whose engine or profile it is not.
    ForeignOption {
        /// The line, shortened.
        text: String,
    },
    /// A section ends the program, for what was said before.
    SectionDropped {
        /// Name.
        name: String,
    },
    /// There are more jobs than a run can have.
    TooManyJobs,
    /// `wait_for` does not name exactly one earlier job.
    WaitFor {
        /// The job that waits.
        job: String,
        /// The name that was typed.
        waitee: String,
        /// Why.
        fault: WaitFault,
    },
    /// Two jobs of a reporting group have different `ramp_size`.
    RampSizes {
        /// The later one, and its bytes.
        job: (String, u64),
        /// The earlier one, and its bytes.
        other: (String, u64),
    },
    /// The directory of `opendir` cannot be listed.
    Opendir {
        /// Where it was typed.
        place: Place,
        /// The option as typed.
        option: String,
        /// The directory.
        directory: String,
        /// The system's words.
        why: String,
    },
    /// Files were found below `opendir`.
    FilesFound {
        /// How many the job has now.
        files: usize,
    },
    /// A job file cannot be read.
    JobFile {
        /// As named.
        name: String,
        /// The system's words.
        why: String,
    },
    /// A line before the first section.
    OutsideSection {
        /// Where.
        place: Place,
        /// The line, shortened.
        text: String,
    },
    /// A file cannot be included.
    Include {
        /// The line that includes it.
        place: Place,
        /// As named, shortened.
        file: String,
        /// Why.
        fault: IncludeFault,
    },
    /// An included file has a section.
    SectionInIncluded {
        /// Where.
        place: Place,
        /// Name, shortened.
        name: String,
    },
    /// A command line without a job.
    NoJobs {
        /// The text of `--help`.
        usage: String,
    },
}

/// Why a word with dashes cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordFault {
    /// No switch or option begins like that.
    Unknown,
    /// The switch of this name takes no value, and one was given.
    TakesNoValue {
        /// Name as typed, without dashes.
        name: String,
    },
    /// It needs a value, and the line ends there.
    NeedsValue,
    /// Several names begin like that.
    Ambiguous {
        /// The names.
        names: Vec<&'static str>,
    },
}

/// Why a switch or its value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwitchFault {
    /// fathom does not have the switch yet.
    NotBuilt,
    /// The value is no time.
    NoTime,
    /// The interval of `--eta-interval` is less than 250 ms.
    EtaIntervalTooShort,
    /// The interval of `--status-interval` is less than 1 ms.
    StatusIntervalTooShort,
    /// `--section=global`.
    GlobalSection,
    /// `--terse-version` is none of 2 to 5.
    TerseVersion,
    /// `--idle-prof` has no such value.
    IdleProf,
    /// `--output-format` has no such format.
    Format {
        /// The first wrong word of the list.
        word: String,
    },
}

/// Why an option cannot be given at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionFault {
    /// fathom does not have the option yet.
    NotBuilt,
    /// It belongs to engines of which none was chosen so far.
    OtherEngine(&'static [&'static str]),
    /// It is one of the command line only.
    CommandLineOnly,
    /// It belongs to profiles of which none was chosen so far.
    OtherProfile(&'static [&'static str]),
}

/// Why a job cannot wait for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitFault {
    /// It is the job itself.
    Itself,
    /// No earlier job has the name.
    Unknown,
    /// Several have it.
    Several,
}

/// Why a file cannot be included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IncludeFault {
    /// Too many files are included.
    TooMany {
        /// As many are allowed.
        most: u32,
    },
    /// Too many files include each other.
    TooDeep {
        /// As many are allowed.
        most: u32,
    },
    /// It cannot be read: the system's words.
    Unreadable(String),
}

/// Why a profile is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFault {
    /// fathom does not have it yet.
    NotBuilt,
    /// No profile has this name.
    Unknown,
    /// It has jobs of its own, and the line names others.
    OtherJobs,
}
