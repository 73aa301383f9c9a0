//! fathom's own commands.

use crate::{doctor, quick};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// A storage performance tool for Linux: runs fio's jobs, and answers in twenty seconds without any.
#[derive(Parser)]
#[command(name = "fathom", version, after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Directory, file or block device to look at; the current directory if left out. A device or an existing file
    /// is only read; in a directory a scratch file without a name is written and read
    target: Option<PathBuf>,
    /// The result as JSON
    #[arg(long)]
    json: bool,
    /// Seconds that the check may measure, all patterns together
    #[arg(long, value_name = "SECONDS", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
}

#[derive(Subcommand)]
enum Command {
    /// What lies under a target, all the way down, and what of it spoils a measurement; reads only, needs no root
    Doctor {
        /// Directory, file or block device
        target: PathBuf,
        /// The result as JSON
        #[arg(long)]
        json: bool,
    },
}

const AFTER_HELP: &str = "\
Other commands:
  fathom fio ARGS...   fio's command line and job files, fio's report and exit status
  fathom run ARGS...   the same language, our card; --json for data; --allow-destroy=DEVICE to insist on a write

Called under the name fio, fathom is fio. Exit status: 0 good, 1 failed, 2 usage, 3 refused for safety, 128 ended by a
signal (plus 1 per failed job).";

/// Runs an own command; the exit status.
pub fn main(args: &[OsString]) -> i32 {
    let argv = std::iter::once(OsString::from("fathom")).chain(args.iter().cloned());
    match Arguments::try_parse_from(argv) {
        Ok(Arguments { command: Some(Command::Doctor { target, json }), .. }) => doctor::main(target, json),
        Ok(a) => quick::main(a.target.unwrap_or_else(|| ".".into()), a.json, a.seconds),
        Err(e) => {
            // Printing help to a closed pipe fails; the status says it all.
            let _ = e.print();
            e.exit_code()
        }
    }
}
