//! fathom's own commands.

use crate::prefill::{self, When};
use crate::stored::{self, Keep};
use crate::{doctor, explore, quick};
use clap::{Parser, Subcommand};
use stats::StoredId;
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
    /// Keep the result in this store instead of your own (`fathom list`)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Keep the result nowhere
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
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
    /// What was measured before, newest first: runs and checks (R7), studies (S12)
    List {
        #[command(flatten)]
        place: Place,
        /// So many at most
        #[arg(long, value_name = "N", default_value_t = 30)]
        limit: usize,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the card of something stored again
    Show {
        /// Its name, as `fathom list` has it: R7, S12
        id: StoredId,
        #[command(flatten)]
        place: Place,
    },
    /// Print something stored as data: all of it as one JSON document, or its rows as CSV
    Export {
        /// Its name, as `fathom list` has it: R7, S12
        id: StoredId,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        place: Place,
    },
}

/// Which store is looked into.
#[derive(clap::Args)]
struct Place {
    /// Look into this store instead of your own ($XDG_DATA_HOME or ~/.local/share, fathom/store.sqlite)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// As what it is printed.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Form {
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// A row per point of a study, or per job and direction of a run
    #[arg(long)]
    csv: bool,
}

const AFTER_HELP: &str = "\
Other commands:
  fathom fio ARGS...   fio's command line and job files, fio's report and exit status
  fathom run ARGS...   the same language, our card and how far to believe it; --json for data; --layers for what each
                       layer saw; --fail-under=A|B|C to fail (status 4) on a worse grade; --prefill=yes|no|ask: fill
                       what was never written of files that are read; --allow-destroy=DEVICE to insist on a write;
                       --store=FILE or --no-store: keep the result there or nowhere, not in your own store

Called under the name fio, fathom is fio. Exit status: 0 good, 1 failed, 2 usage, 3 refused for safety, 4 grade
under the one asked for, 128 ended by a signal (plus 1 per failed job).";

/// Runs an own command; the exit status.
pub fn main(args: &[OsString]) -> i32 {
    let argv = std::iter::once(OsString::from("fathom")).chain(args.iter().cloned());
    match Arguments::try_parse_from(argv) {
        Ok(Arguments { command: Some(Own::Prefill(a)), .. }) => prefill::main(a),
        Ok(Arguments { command: Some(Own::Explore(a)), .. }) => explore::main(a),
        Ok(Arguments { command: Some(Own::Doctor { target, json }), .. }) => doctor::main(target, json),
        Ok(Arguments { command: Some(Own::List { place, limit, json }), .. }) => {
            stored::list(&Keep::asked(place.store, false), limit, json)
        }
        Ok(Arguments { command: Some(Own::Show { id, place }), .. }) => {
            stored::show(&Keep::asked(place.store, false), id)
        }
        Ok(Arguments { command: Some(Own::Export { id, form, place }), .. }) => {
            stored::export(&Keep::asked(place.store, false), id, form.csv)
        }
        Ok(a) => {
            let keep = Keep::asked(a.store, a.no_store);
            quick::main(a.target.unwrap_or_else(|| ".".into()), a.json, a.seconds, a.prefill, &keep)
        }
        Err(e) => {
            // Printing help to a closed pipe fails; the status says it all.
            let _ = e.print();
            e.exit_code()
        }
    }
}
