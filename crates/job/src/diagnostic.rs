//! Errors, warnings and remarks about a command line, a job file or a section, as data; `report` has the messages.

use crate::job_fault::JobFault;
use crate::refused_value::RefusedValue;
use crate::spec::Place;

/// Error, warning or remark about a command line or its job files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnostic {
    /// The value of an option is refused.
    Value(Box<RefusedValue>),
    /// The options of a job contradict each other, or fathom cannot run the job.
    Job {
        /// Name of the job.
        job: String,
        /// Name of the wrong option.
        option: &'static str,
        /// Place of the option and its text as typed; `None` if the option has its default value.
        typed: Option<Box<(Place, String)>>,
        /// Reason why the job cannot run.
        fault: JobFault,
    },
    /// Warning: `blockalign` turns off the random map.
    RandomMapOff,
    /// `--cmdhelp` or `--enghelp` names an option that does not exist.
    NoCommand {
        /// Name of the option as typed.
        name: String,
    },
    /// `--enghelp` names an engine that does not exist.
    NoEngine {
        /// Name of the engine as typed.
        engine: String,
    },
    /// Warning: `time_based` is ignored without `runtime`.
    TimeBasedIgnored,
    /// Suggestion: the command line as it was probably meant.
    Corrected {
        /// Name of the program as called.
        argv0: String,
        /// Corrected words after the program's name.
        line: String,
    },
    /// A command line word that begins with dashes cannot be read.
    Word {
        /// Name of the program as called.
        argv0: String,
        /// Word as typed.
        word: String,
        /// Reason why the word cannot be read.
        fault: WordFault,
        /// Known name that is most similar to the word; `None` if no name is similar.
        near: Option<&'static str>,
    },
    /// The value of a switch is refused, or the switch itself.
    Switch {
        /// Name of the switch, without dashes.
        name: &'static str,
        /// Value as typed.
        value: String,
        /// Reason for the refusal.
        fault: SwitchFault,
    },
    /// An option is not allowed at this place.
    Option {
        /// Place where the option was typed.
        place: Place,
        /// Name of the option, or the option as typed.
        option: String,
        /// Reason for the refusal.
        fault: OptionFault,
    },
    /// An option of the command line ends with `=` and has no value.
    NoValue {
        /// Name of the option.
        option: &'static str,
        /// Valid value from the option table; empty if the table has none.
        example: &'static str,
    },
    /// `--size` of a profile is not a number of MiB.
    ProfileSize {
        /// Value as typed.
        value: String,
    },
    /// The profile of `--profile` is refused.
    Profile {
        /// Name as typed.
        name: String,
        /// Reason for the refusal.
        fault: ProfileFault,
    },
    /// No option has the typed name.
    UnknownOption {
        /// Place where the option was typed.
        place: Place,
        /// Shortened text of the line.
        text: String,
        /// Name as typed.
        option: String,
        /// Known name that is most similar to the typed name; `None` if no name is similar.
        near: Option<&'static str>,
    },
    /// A section contains an option of another engine or profile than the job's.
    ForeignOption {
        /// Shortened text of the line.
        text: String,
        /// Option of all jobs whose name is most similar; `None` if no name is similar.
        near: Option<&'static str>,
    },
    /// A section contains an error and ends the program; earlier diagnostics describe the error.
    SectionDropped {
        /// Name of the section.
        name: String,
    },
    /// The command line has more jobs than one run can have.
    TooManyJobs,
    /// The name in `wait_for` does not belong to exactly one earlier job.
    WaitFor {
        /// Name of the job that waits.
        job: String,
        /// Name as typed in `wait_for`.
        waitee: String,
        /// Reason for the refusal.
        fault: WaitFault,
    },
    /// Two jobs of one reporting group have different values of `ramp_size`.
    RampSizes {
        /// Name of the later job, and its `ramp_size` in bytes.
        job: (String, u64),
        /// Name of the earlier job, and its `ramp_size` in bytes.
        other: (String, u64),
    },
    /// Two jobs of one reporting group do not wait for the same steady state.
    SteadyStates {
        /// Name of the later job.
        job: String,
        /// Name of the earlier job.
        other: String,
    },
    /// The directory of `opendir` cannot be listed.
    Opendir {
        /// Place where the option was typed.
        place: Place,
        /// The option as typed.
        option: String,
        /// Path of the directory.
        directory: String,
        /// Error message of the operating system.
        why: String,
    },
    /// Remark: files were found below the directory of `opendir`.
    FilesFound {
        /// Number of files that the job has now.
        files: usize,
    },
    /// Remark of `fathom run`: several targets were given, each of which has a job of its own.
    JobPerTarget {
        /// Names of the jobs.
        jobs: Vec<String>,
    },
    /// A job file cannot be read.
    JobFile {
        /// Name of the job file as typed.
        name: String,
        /// Error message of the operating system.
        why: String,
    },
    /// A line of a job file comes before the first section.
    OutsideSection {
        /// Place of the line.
        place: Place,
        /// Shortened text of the line.
        text: String,
    },
    /// A file cannot be included.
    Include {
        /// Place of the line that includes the file.
        place: Place,
        /// Shortened name of the included file.
        file: String,
        /// Reason why the file cannot be included.
        fault: IncludeFault,
    },
    /// An included file contains a section.
    SectionInIncluded {
        /// Place of the section.
        place: Place,
        /// Shortened name of the section.
        name: String,
    },
    /// The command line has no job.
    NoJobs {
        /// The text of `--help`.
        usage: String,
    },
}

/// Reason why a word that begins with dashes cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordFault {
    /// No switch or option begins with these letters.
    Unknown,
    /// The switch of this name takes no value, and one was given.
    TakesNoValue {
        /// Name as typed, without dashes.
        name: String,
    },
    /// The switch or option needs a value, and the command line ends after it.
    NeedsValue,
    /// The word is not UTF-8: read as such, it would name another file.
    NotUtf8,
    /// Several names begin with these letters.
    Ambiguous {
        /// Names that begin with these letters.
        names: Vec<&'static str>,
    },
}

/// Reason why a switch or its value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SwitchFault {
    /// fathom does not have the switch yet.
    NotBuilt,
    /// The value is not a time.
    NoTime,
    /// The interval of `--eta-interval` is less than 250 ms.
    EtaIntervalTooShort,
    /// The interval of `--status-interval` is less than 1 ms.
    StatusIntervalTooShort,
    /// The value of `--section` is `global`, which is not a job.
    GlobalSection,
    /// The value of `--terse-version` is not 2, 3, 4 or 5.
    TerseVersion,
    /// The value of `--idle-prof` is unknown.
    IdleProf,
    /// The value of `--wear-budget` is neither bytes nor a percentage.
    WearBudget,
    /// The value of `--output-format` contains an unknown format.
    Format {
        /// First unknown word of the list.
        word: String,
    },
}

/// Reason why an option is not allowed at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionFault {
    /// fathom does not have the option yet.
    NotBuilt,
    /// The engines of the option need this hardware, library or system, which fathom does not use.
    Needs(&'static str),
    /// The option belongs to these engines, and none of them has been chosen before it.
    OtherEngine(&'static [&'static str]),
    /// The option is only allowed on the command line.
    CommandLineOnly,
    /// The option belongs to these profiles, and none of them has been chosen before it.
    OtherProfile(&'static [&'static str]),
}

/// Reason why a job cannot wait for another job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitFault {
    /// The job would wait for itself.
    Itself,
    /// No earlier job has the name.
    Unknown,
    /// Several earlier jobs have the name.
    Several,
}

/// Reason why a file cannot be included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IncludeFault {
    /// The number of included files is too large.
    TooMany {
        /// Largest allowed number of included files.
        most: u32,
    },
    /// The files include each other too deeply.
    TooDeep {
        /// Largest allowed depth of inclusion.
        most: u32,
    },
    /// The file cannot be read; contains the error message of the operating system.
    Unreadable(String),
}

/// Reason why a profile is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFault {
    /// fio has this profile, and fathom does not have it yet.
    NotBuilt,
    /// No profile has this name.
    Unknown,
    /// The profile needs devices, and the command line names none.
    NoDevices,
    /// The profile has its own jobs, and the command line names more jobs.
    OtherJobs,
}
