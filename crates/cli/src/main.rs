//! The program: which command, and its exit status.
#![forbid(unsafe_code)]

/// Prints a message of one line to standard error; text from files and names in it is shown as text.
macro_rules! complain {
    ($($words:tt)*) => { eprintln!("{}", stats::plain::line(&format!($($words)*))) };
}

/// Prints text of several lines, with their line breaks, to standard error.
macro_rules! complain_as_is {
    ($($words:tt)*) => { eprint!("{}", stats::plain::lines(&format!($($words)*))) };
}

mod command;
mod compare;
mod doctor;
mod explore;
mod fio;
mod lang;
mod live;
mod prefill;
mod quick;
mod report;
mod signal;
mod source;
mod stored;

use std::ffi::OsString;
use std::path::Path;

fn main() {
    let mut args = std::env::args_os();
    let argv0 = args.next().unwrap_or_else(|| "fathom".into());
    let args: Vec<OsString> = args.collect();
    let called_fio = Path::new(&argv0).file_name().is_some_and(|name| name == "fio");
    let word = args.first().and_then(|a| a.to_str()).unwrap_or_default();
    let code = match word {
        _ if called_fio => fio::main(&args, "fio", job::Dialect::Fio),
        "fio" => fio::main(&args[1..], "fio", job::Dialect::Fio),
        "run" => fio::main(&args[1..], "fathom run", job::Dialect::Run),
        _ => command::main(&args),
    };
    // A worker that hangs in the kernel must not keep the program: no joining, no destructors.
    std::process::exit(code)
}
