//! Contents of a command line: switches of the program, jobs, or text to print.

use crate::diagnostic::Diagnostic;
use crate::job::Job;
use stats::wear::WearBudget;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Command whose arguments are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `fathom fio`, or the program called by the name `fio`.
    Fio,
    /// `fathom run`, which has switches of its own.
    Run,
}

/// Report format of `--output-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text, as fio prints by default.
    Normal,
    /// JSON in fio's format.
    Json,
    /// JSON in fio's format with histograms.
    JsonPlus,
    /// fio's terse format: one line of fields per job.
    Terse,
}

/// When to show the live line (`--eta`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eta {
    /// Show the live line only on a terminal with normal output.
    #[default]
    Auto,
    /// Show the live line even without a terminal.
    Always,
    /// Never show the live line.
    Never,
}

/// Report of CPU idleness (`--idle-prof`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleProf {
    /// Mean over all CPUs.
    System,
    /// Mean over all CPUs, and each CPU.
    PerCpu,
}

/// Switches of the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Switches {
    /// File for the report (`--output`); `None` = standard output.
    pub output: Option<PathBuf>,
    /// Report formats in the given order (`--output-format`); empty = normal.
    pub formats: Vec<Format>,
    /// Whether jobs may not write (`--readonly`).
    pub readonly: bool,
    /// Whether jobs are only parsed and not run (`--parse-only`).
    pub parse_only: bool,
    /// Whether warnings of the parser end the program (`--warnings-fatal`).
    pub warnings_fatal: bool,
    /// When to show the live line (`--eta`).
    pub eta: Eta,
    /// Interval of line breaks in the live line, in nanoseconds (`--eta-newline`); `None` = never.
    pub eta_newline: Option<NonZeroU64>,
    /// Interval of updates of the live line, in nanoseconds (`--eta-interval`; fio's default is one second).
    pub eta_interval: u64,
    /// Interval of intermediate reports, in nanoseconds (`--status-interval`); `None` = none.
    pub status_interval: Option<u64>,
    /// Version of the terse format, 2 to 5 (`--terse-version`).
    pub terse_version: u32,
    /// Whether jobs are printed as a command line and not run (`--showcmd`).
    pub showcmd: bool,
    /// Beginning of the names of the logs of the total bandwidth (`--bandwidth-log`); `None` = not written.
    pub bandwidth_log: Option<String>,
    /// Report of CPU idleness (`--idle-prof`); `None` = none.
    pub idle_prof: Option<IdleProf>,
    /// Targets that may be overwritten although they contain data (`--allow-destroy=PATH`, fathom's own switch).
    pub allow_destroy: Vec<PathBuf>,
    /// Largest amount of data that the jobs may write (`--wear-budget`, fathom's own switch); `None` = no limit.
    pub wear_budget: Option<WearBudget>,
}

/// Jobs to run, with the switches of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandLine {
    /// Switches of the program.
    pub switches: Switches,
    /// Options of the global sections as typed: name and value.
    pub global_options: Vec<(String, String)>,
    /// Jobs in the order of their sections.
    pub jobs: Vec<Job>,
    /// Warnings and remarks of the parser, printed before the run on standard error or in the report.
    pub diagnostics: Vec<Diagnostic>,
}

/// Result of reading a command line.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    /// Text to print, without a run (`--help`, `--version`, `--cmdhelp`, `--enghelp`, `--showcmd`, `--parse-only`).
    Print {
        /// Text for standard output.
        stdout: String,
        /// Warnings and remarks to print besides the text.
        diagnostics: Vec<Diagnostic>,
        /// Exit status of the program.
        code: i32,
    },
    /// Jobs to run.
    Run(Box<CommandLine>),
    /// `--inflate-log=PATH`: the text of a compressed log is printed, and no job runs.
    Inflate(PathBuf),
    /// `--idle-prof=calibrate`: only the unit of work is timed, and no job runs.
    Calibrate,
}

/// Error of a command line or job file that cannot run, with the exit status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub struct UsageError {
    /// Warnings and errors, in the order of reading.
    pub diagnostics: Vec<Diagnostic>,
    /// Exit status of the program.
    pub code: i32,
}
