//! `fathom run`: its own switches, which precede or follow fio's on the command line.

use crate::host_switches::HostSwitches;
use crate::lang::SPOKEN;
use crate::live::ViewSwitch;
use crate::prefill::PrefillMode;
use clap::ValueEnum;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use stats::Grade;
use std::error::Error as _;
use std::ffi::OsString;
use std::path::PathBuf;

/// Exit status of a result with a grade worse than the grade of `--fail-under`.
pub const GRADE_TOO_LOW: i32 = 4;

/// Switch of the commands whose results have a grade.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct RequiredGrade {
    /// Fail (status 4) on a grade worse than this
    #[arg(long, value_name = "A|B|C", value_parser = grade)]
    fail_under: Option<Grade>,
}

impl RequiredGrade {
    /// Returns whether a result with this grade fails.
    pub fn fails(self, grade: Grade) -> bool {
        self.fail_under.is_some_and(|least| grade > least)
    }
}

/// Run fio's job options and job files; print a card with a grade
#[derive(clap::Args, Default)]
#[command(args_override_self = true)]
#[command(override_usage = "fathom run [SWITCHES] [JOB OPTIONS] [JOB FILES | DEVICES]")]
pub struct Arguments {
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Print what each layer of the storage stack saw, below the card
    #[arg(long)]
    pub layers: bool,
    /// Draw small charts below the card
    #[arg(long)]
    pub charts: bool,
    /// The required grade.
    #[command(flatten)]
    pub required: RequiredGrade,
    /// End the run when the rate has dropped: a full cache, used-up credits, throttling by temperature
    #[arg(long)]
    pub stop_on_drop: bool,
    /// Fill unwritten ranges of an existing file before reading it
    #[arg(long, value_name = "yes|no|ask", value_parser = when, default_value = "ask")]
    pub prefill: PrefillMode,
    /// Store the result in this file instead of your own store
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Do not store the result
    #[arg(long)]
    pub no_store: bool,
    /// The full-screen view.
    #[command(flatten)]
    pub view: ViewSwitch,
    /// Device, file or directory that stands for a target of an Iometer file (.icf), such as C:=/mnt/test,10g; the size
    /// is that of iobw.tst where the file states none
    #[arg(long, value_name = "TARGET=PATH[,SIZE]", action = clap::ArgAction::Append)]
    pub iometer_target: Vec<String>,
    /// Write the results in the form of Iometer's results.csv; - is standard output
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Write the jobs of an Iometer file as a job file instead of running them; - is standard output
    #[arg(long, value_name = "FILE")]
    pub write_job: Option<PathBuf>,
    /// Write the jobs as an Iometer file instead of running them; - is standard output
    #[arg(long, value_name = "FILE")]
    pub write_icf: Option<PathBuf>,
    /// The hosts that run the jobs.
    #[command(flatten)]
    pub hosts: HostSwitches,
    /// With --hosts, print the commands that start the agents, and run nothing
    #[arg(long)]
    pub dry_run: bool,
    /// fio's switches, job options and job files
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true, value_name = "FIO'S ARGUMENTS")]
    pub fios: Vec<OsString>,
}

/// Parses the value of `--fail-under`.
fn grade(letter: &str) -> Result<Grade, &'static str> {
    Grade::from_letter(letter).ok_or("a grade is A, B or C: worse ones than it fail")
}

/// Parses the value of `--prefill`.
fn when(word: &str) -> Result<PrefillMode, &'static str> {
    PrefillMode::from_str(word, false).map_err(|_| "one of yes, no and ask is right")
}

/// Returns the command line of `fathom run` with the switches that `command` declares first, then `--` and fio's words:
/// fio's language allows them in any order. Words after a `--` are passed to fio's parser. `--hosts` behind a `--name` is an option of
/// the job.
pub fn switches_first(command: &clap::Command, args: &[OsString]) -> Vec<OsString> {
    // Elsewhere `--help` is passed to fio's parser, because it may be the value of another switch.
    if args.first().is_some_and(|word| word == "--help" || word == "-h") {
        return args.to_vec();
    }
    let declared = |name: &str| {
        let longs = command.get_arguments().filter(|arg| arg.get_id() != "help");
        longs.into_iter().find(|arg| arg.get_long() == Some(name))
    };
    let (mut switches, mut fios) = (Vec::new(), vec![OsString::from("--")]);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let word = arg.to_str().and_then(|word| word.strip_prefix("--")).unwrap_or_default();
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let in_job = fios.iter().any(|word| word.to_string_lossy().starts_with("--name"));
        match declared(name).filter(|_| name != "hosts" || !in_job) {
            Some(switch) if switch.get_action().takes_values() => {
                let mut switch = arg.clone();
                if let (None, Some(value)) = (value, args.as_slice().first()) {
                    switch.push("=");
                    switch.push(value);
                    args.next();
                }
                switches.push(switch);
            }
            Some(_) if value.is_none() => switches.push(arg.clone()),
            _ => fios.push(arg.clone()),
        }
        if arg == "--" {
            fios.extend(args.by_ref().cloned());
        }
    }
    switches.append(&mut fios);
    switches
}

/// Returns the line for standard error about a switch that clap refused for the command `fathom COMMAND`.
pub fn refusal(command: &str, error: &clap::Error) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let argument = text(ContextKind::InvalidArg);
    let switch = argument.split_once(' ').map_or(argument, |(switch, _)| switch);
    match (error.kind(), error.source()) {
        (ErrorKind::ValueValidation, Some(why)) => {
            format!("fathom {command}: {switch}={}: {why}", text(ContextKind::InvalidValue))
        }
        (ErrorKind::InvalidValue, _) if switch == "--store" => {
            format!("fathom {command}: --store wants the name of a file")
        }
        (ErrorKind::InvalidValue, _) if switch == "--lang" => {
            format!("fathom {command}: --lang=: one of {SPOKEN} is right")
        }
        _ => {
            let rendered = error.render().to_string();
            let line = rendered.lines().next().unwrap_or_default();
            format!("fathom {command}: {}", line.strip_prefix("error: ").unwrap_or(line))
        }
    }
}

/// Returns the list of fio's switches for the end of `fathom run --help`, `width` columns wide.
pub fn help_of_fios(width: usize) -> StyledStr {
    let fios: Vec<(String, String)> = job::doc::switch_help()
        .filter(|(name, _)| !name.starts_with("--help"))
        .map(|(name, help)| (name.to_owned(), help.to_owned()))
        .collect();
    let more = "Job options are fio's, as --name=JOB --rw=randread; fathom run --cmdhelp lists them, fathom run \
                --cmdhelp=NAME explains one, man fathom-fio has all of them. Exit status: fathom help status";
    format!("Switches of fio:\n{}\n{}", report::definitions(&fios, width), report::paragraph(more, width))
        .into()
}
