//! The command line: fio's switches, job options in one or two dashes, job files.

use crate::files::Files;
use crate::job::Job;
use std::ffi::OsString;
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
    /// `--eta-newline`, nanoseconds; 0 = never.
    pub eta_newline: u64,
    /// `--eta-interval`, nanoseconds (fio's default: one second).
    pub eta_interval: u64,
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
    /// What fio prints on stderr while parsing (warnings, notes); to be printed before the run.
    pub stderr: String,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    /// Text to print, nothing to run (`--help`, `--version`, `--cmdhelp`, `--enghelp`, `--showcmd`, `--parse-only`).
    Print {
        /// For standard output.
        stdout: String,
        /// For standard error.
        stderr: String,
        /// Exit status.
        code: i32,
    },
    /// A run.
    Run(Box<CommandLine>),
}

/// A command line or job file that cannot be run: what to print, and the exit status.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{stderr}")]
pub struct UsageError {
    /// For standard output (fio prints lists of valid values there).
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// Exit status.
    pub code: i32,
}

/// Reads a command line (without `argv0`) and the job files it names.
pub fn command_line(
    args: &[OsString],
    argv0: &str,
    dialect: Dialect,
    files: &mut dyn Files,
) -> Result<Parsed, UsageError> {
    let _ = (args, argv0, dialect, files);
    Err(UsageError { stdout: String::new(), stderr: "fathom: the parser is not there yet\n".into(), code: 1 })
}

/// The line that fio prints of a job before it runs.
pub fn banner(job: &Job) -> stats::Banner {
    stats::Banner {
        name: job.name.clone(),
        group: job.group,
        rw: job.pattern.rw.clone(),
        bs: job.pattern.block,
        ioengine: job.engine.name().to_owned(),
        iodepth: job.queue.iodepth,
        clones: job.numjobs,
    }
}
