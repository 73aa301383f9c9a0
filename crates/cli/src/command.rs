//! fathom's own commands.

use crate::prefill::{self, When};
use crate::{doctor, explore, quick};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// A storage performance tool for Linux: runs fio's jobs, and answers in twenty seconds without any.
#[derive(Parser)]
#[command(name = "fathom", version, after_help = AFTER_HELP)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Own>,
    /// Directory, file or block device to look at; the current directory if left out. A device or an existing file
    /// is only read; in a directory a scratch file without a name is written and read
    target: Option<PathBuf>,
    /// The result as JSON
    #[arg(long)]
    json: bool,
    /// Seconds that the check may measure, all patterns together
    #[arg(long, value_name = "SECONDS", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Whether what was never written of an existing file is filled before it is read
    #[arg(long, value_enum, default_value_t, value_name = "yes|no|ask", hide_possible_values = true)]
    prefill: When,
}

#[derive(Subcommand)]
enum Own {
    /// What lies under a target, all the way down, and what of it spoils a measurement; reads only, needs no root
    Doctor {
        /// Directory, file or block device
        target: PathBuf,
        /// The result as JSON
        #[arg(long)]
        json: bool,
    },
    Prefill(prefill::Arguments),
    Explore(explore::Arguments),
}

const AFTER_HELP: &str = "\
Other commands:
  fathom fio ARGS...   fio's command line and job files, fio's report and exit status
  fathom run ARGS...   the same language, our card and how far to believe it; --json for data; --layers for what each
                       layer saw; --fail-under=A|B|C to fail (status 4) on a worse grade; --prefill=yes|no|ask: fill
                       what was never written of files that are read; --allow-destroy=DEVICE to insist on a write

Called under the name fio, fathom is fio. Exit status: 0 good, 1 failed, 2 usage, 3 refused for safety, 4 grade
under the one asked for, 128 ended by a signal (plus 1 per failed job).";

/// Runs an own command; the exit status.
pub fn main(args: &[OsString]) -> i32 {
    let argv = std::iter::once(OsString::from("fathom")).chain(args.iter().cloned());
    match Arguments::try_parse_from(argv) {
        Ok(Arguments { command: Some(Own::Prefill(a)), .. }) => prefill::main(a),
        Ok(Arguments { command: Some(Own::Explore(a)), .. }) => explore::main(a),
        Ok(Arguments { command: Some(Own::Doctor { target, json }), .. }) => doctor::main(target, json),
        Ok(a) => quick::main(a.target.unwrap_or_else(|| ".".into()), a.json, a.seconds, a.prefill),
        Err(e) => {
            // Printing help to a closed pipe fails; the status says it all.
            let _ = e.print();
            e.exit_code()
        }
    }
}
