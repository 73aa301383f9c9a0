//! The program `fathom`: runs a command and exits with its status. It is a library so that man pages and completions
//! can be generated from the declaration of its commands.
#![forbid(unsafe_code)]

/// Prints a line to standard error; unlike the macro of the standard library, never panics if the write fails.
macro_rules! eprintln {
    () => { $crate::output::write_stderr(format_args!(""), "\n") };
    ($($text:tt)*) => { $crate::output::write_stderr(format_args!($($text)*), "\n") };
}

/// Prints text to standard error; unlike the macro of the standard library, never panics if the write fails.
macro_rules! eprint {
    ($($text:tt)*) => { $crate::output::write_stderr(format_args!($($text)*), "") };
}

mod agent;
mod agent_jobs;
mod agent_target;
mod audit;
mod catalog;
mod ceph;
mod characterize;
mod charts;
mod cloud;
mod command;
mod compare;
mod dd;
mod dialect;
mod doctor;
mod duration;
mod environment;
mod explain;
mod explore;
mod files;
mod fio;
mod fio_hosts;
mod fio_report;
mod fit;
mod guess;
mod hdparm;
mod host_files;
mod host_switches;
mod hosts;
mod iometer;
mod lang;
mod live;
mod live_screen;
mod logs;
mod machine;
mod objects;
mod output;
mod ping;
mod prefill;
mod pts;
mod quick;
mod rank;
mod report;
mod run_command;
mod screen;
mod signal;
mod source;
mod stat;
mod stored;
mod study_hosts;
mod study_store;
mod sweep;
mod terminal;
mod trace;
mod wear;

use std::ffi::{OsStr, OsString};
use std::path::Path;

pub use command::declaration;

/// A tool that is imitated: runs with the name by which it was called and the arguments, and returns the exit status.
type Imitation = fn(&OsStr, &[OsString]) -> i32;

/// Returns the imitation of the tool that `name` names: a link of this name to the program behaves like the tool.
fn imitation(name: &OsStr) -> Option<Imitation> {
    match name.to_str()? {
        "dd" => Some(dd::main),
        "hdparm" => Some(|_, args| hdparm::main(args)),
        "ioping" => Some(|_, args| ping::main(args)),
        "iostat" => Some(|_, args| stat::main(args)),
        "fio" => Some(|_, args| {
            signal::keep_running();
            fio::fio(args)
        }),
        _ => None,
    }
}

/// Returns the imitation whose command, unlike those declared for clap, gets its arguments as they are.
fn unparsed_command(word: &OsStr) -> Option<Imitation> {
    match word.to_str() {
        Some("fio") => None,
        Some("hdparm") => Some(|_, args| hdparm::command(args)),
        _ => imitation(word),
    }
}

/// Runs the program on the arguments of the process and exits with its status.
pub fn main() -> ! {
    let mut args = std::env::args_os();
    let argv0 = args.next().unwrap_or_else(|| "fathom".into());
    let args: Vec<OsString> = args.collect();
    let called = Path::new(&argv0).file_name().and_then(imitation);
    let code = match (called, args.split_first()) {
        (Some(tool), _) => tool(&argv0, &args),
        (None, Some((word, rest))) if let Some(tool) = unparsed_command(word) => tool(word, rest),
        (None, first) => {
            signal::keep_running();
            match first {
                Some((word, rest)) if word == "help" => command::help(rest),
                _ => command::main(&args),
            }
        }
    };
    // A worker thread that hangs in the kernel must not keep the process alive: no joining, no destructors.
    std::process::exit(output::exit_status(code))
}
