//! What a command line asks for: switches of the program, jobs, or text to print.

use crate::diagnostic::Diagnostic;
use crate::job::Job;
use std::num::NonZeroU64;
use std::path::PathBuf;

/// Whose command line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `fathom fio`, or the program called as `fio`.
    Fio,
    /// `fathom run`.
    Run,
}

/// A report format of `--output-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// fio's text.
    Normal,
    /// fio's JSON.
    Json,
    /// fio's JSON with histograms.
    JsonPlus,
    /// One line of fields per entry.
    Terse,
}

/// `--eta`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eta {
    /// On a terminal with normal output only.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `--idle-prof`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleProf {
    /// All CPUs together.
    System,
    /// Each of them too.
    PerCpu,
}

/// Switches of the program itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Switches {
    /// `--output`: where the report goes instead of stdout.
    pub output: Option<PathBuf>,
    /// `--output-format`, in the order asked; normal if none was given.
    pub formats: Vec<Format>,
    /// `--readonly`.
    pub readonly: bool,
    /// `--parse-only`: nothing is to be run.
    pub parse_only: bool,
    /// `--warnings-fatal`.
    pub warnings_fatal: bool,
    /// `--eta`.
    pub eta: Eta,
    /// `--eta-newline`, nanoseconds.
    pub eta_newline: Option<NonZeroU64>,
    /// `--eta-interval`, nanoseconds (fio's default: one second).
    pub eta_interval: u64,
    /// `--status-interval`, nanoseconds.
    pub status_interval: Option<u64>,
    /// `--terse-version`.
    pub terse_version: u32,
    /// `--showcmd`.
    pub showcmd: bool,
    /// `--idle-prof`: the report tells how idle the CPUs were.
    pub idle_prof: Option<IdleProf>,
    /// `--allow-destroy=PATH`, ours: targets that may be overwritten although something lies on them.
    pub allow_destroy: Vec<PathBuf>,
}

/// What is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandLine {
    /// Switches of the program.
    pub switches: Switches,
    /// Options of the global sections as typed.
    pub global_options: Vec<(String, String)>,
    /// Jobs in order.
    pub jobs: Vec<Job>,
    /// Warnings and remarks of the parser, to be printed before the run, wherever the report goes.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    /// Text to print, nothing to run (`--help`, `--version`, `--cmdhelp`, `--enghelp`, `--showcmd`, `--parse-only`).
    Print {
        /// For standard output.
        stdout: String,
        /// What is said beside it.
        diagnostics: Vec<Diagnostic>,
        /// Exit status.
        code: i32,
    },
    /// A run.
    Run(Box<CommandLine>),
    /// `--idle-prof=calibrate`: only time the unit of work, run no job.
    Calibrate,
}

/// A command line or job file that cannot be run: why, in the order of reading, and the exit status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub struct UsageError {
    /// Why, after the warnings that came before.
    pub diagnostics: Vec<Diagnostic>,
    /// Exit status.
    pub code: i32,
}
