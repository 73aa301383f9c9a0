//! `fathom rank R7 | TARGET`: which class of devices a disk resembles.

use crate::catalog::with_own;
use crate::environment::patience;
use crate::live::{OwnWatch, restore_kernel_settings};
use crate::output::print;
use crate::stored::StoreChoice;
use crate::{duration, signal, terminal, wear};
use lab::device_class::rank::rank;
use report::Lang;
use stats::{Measured, StoredId};
use std::path::PathBuf;
use std::time::Duration;
use store::Recorded;

/// Which class of devices does this disk resemble?
///
/// Compares a stored result, or a check of a target, with the classes of `fathom catalog`, and says where the device's
/// label contradicts its figures.
#[derive(clap::Args)]
pub struct Arguments {
    /// Stored result (R7, S12); or directory, file or block device, which is checked
    #[arg(default_value = ".")]
    source: String,
    /// Measuring time of the check, all patterns together
    #[arg(long, value_name = "TIME", default_value = "16s", value_parser = duration::measuring)]
    seconds: Duration,
    /// Read this store instead of your own
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit status.
pub fn main(lang: Lang, asked: Arguments) -> i32 {
    let loads = match asked.source.parse::<StoredId>() {
        Ok(id) => stored(lang, id, asked.store),
        Err(_) => checked(lang, &asked.source, asked.seconds),
    };
    let loads = match loads {
        Ok(loads) => loads,
        Err(status) => return status,
    };
    match rank(&with_own(lang), &asked.source, &loads) {
        Some(ranking) if asked.json => print(&report::rank::json(&ranking)),
        Some(ranking) => print(&report::rank::render(lang, &ranking, terminal::width())),
        None => {
            eprintln!("fathom rank: {}", report::rank::nothing(lang, &asked.source));
            return 1;
        }
    }
    0
}

/// Returns the loads of a stored result, or the exit status.
fn stored(lang: Lang, id: StoredId, file: Option<PathBuf>) -> Result<Vec<Measured>, i32> {
    let name = id.to_string();
    let read = StoreChoice::of_switches(file, false).open().and_then(|store| {
        Ok(match id {
            StoredId::Study(n) => Measured::of_study(&name, &store.study(n)?),
            StoredId::Run(n) => match store.run(n)? {
                Recorded::Run(result) => Measured::of_run(&name, &result),
                Recorded::Check(card) => Measured::of_check(&name, &card),
                Recorded::Answer(_) => Vec::new(),
            },
        })
    });
    read.map_err(|error| {
        eprintln!("fathom rank: {}", error.words(lang));
        1
    })
}

/// Returns the loads of a check, or the exit status.
fn checked(lang: Lang, target: &str, seconds: Duration) -> Result<Vec<Measured>, i32> {
    let interrupt = signal::watch();
    restore_kernel_settings(lang);
    let mut watch = OwnWatch::new(lang);
    let request = lab::quick::QuickRequest {
        target: target.into(),
        measure: seconds,
        context: lab::target::JobContext::here(interrupt, patience(), report::words::lab::stored),
    };
    wear::print_scratch(lang, &request);
    let card = lab::quick::check(&request, &mut watch);
    watch.clear();
    match card {
        Ok(card) => Ok(Measured::of_check(target, &card)),
        Err(error) => {
            eprintln!("fathom rank: {}", report::words::lab::target_error(lang, &error));
            Err(error.exit_code())
        }
    }
}
