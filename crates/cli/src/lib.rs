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

mod audit;
mod catalog;
mod charts;
mod cloud;
mod command;
mod compare;
mod doctor;
mod duration;
mod environment;
mod explain;
mod explore;
mod fio;
mod fio_report;
mod fit;
mod guess;
mod lang;
mod live;
mod live_screen;
mod logs;
mod output;
mod prefill;
mod quick;
mod rank;
mod report;
mod run_command;
mod signal;
mod source;
mod stored;
mod terminal;
mod trace;
mod wear;

use std::ffi::OsString;
use std::path::Path;

pub use command::declaration;

/// Runs the program on the arguments of the process and exits with its status.
pub fn main() -> ! {
    signal::keep_running();
    let mut args = std::env::args_os();
    let argv0 = args.next().unwrap_or_else(|| "fathom".into());
    let args: Vec<OsString> = args.collect();
    let called_fio = Path::new(&argv0).file_name().is_some_and(|name| name == "fio");
    let code = match args.first().and_then(|word| word.to_str()) {
        _ if called_fio => fio::fio(&args),
        Some("help") => command::help(&args[1..]),
        _ => command::main(&args),
    };
    // A worker thread that hangs in the kernel must not keep the process alive: no joining, no destructors.
    std::process::exit(output::exit_status(code))
}
