//! `fathom rank R7 | TARGET`: which class of devices a disk resembles.

use crate::catalog::with_own;
use crate::environment::patience;
use crate::live::{OwnWatch, restore_kernel_settings};
use crate::output::print;
use crate::stored::{Keep, StoreChoice, local_time, provenance};
use crate::{duration, signal, terminal, wear};
use ::run::output;
use lab::device_class::rank::rank;
use report::Lang;
use report::page::{HEAD, Page};
use stats::answer::Answer;
use stats::output_fault::OutputFault;
use stats::{Measured, QuickCard, StoredId};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
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
    /// Write an HTML page with the ranges of all classes and this device in charts
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    keep: Keep,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit status.
pub fn main(lang: Lang, asked: &Arguments) -> i32 {
    let began_ms = run::wall_clock::epoch_ms();
    if let Some(page) = &asked.output
        && let Err(error) = output::check_against(page, [Path::new(&asked.source)], OutputFault::ReportSource)
            .and_then(|()| output::check_begins(page, HEAD))
    {
        eprintln!("fathom rank: {}", report::words::run::output_error(lang, &error));
        return error.exit_code();
    }
    let interrupt = signal::watch();
    let id = asked.source.parse::<StoredId>();
    let found = match id {
        Ok(id) => stored(lang, id, asked.keep.store.clone()).map(|(loads, failure)| (loads, None, failure)),
        Err(_) => checked(lang, &asked.source, asked.seconds, &interrupt).map(|card| {
            let failure = report::rank::failed_row(lang, &card);
            (Measured::of_check(&asked.source, &card), Some(card), failure)
        }),
    };
    let (loads, check, failure) = match found {
        Ok(found) => found,
        Err(status) => return status,
    };
    // The figures of a device that fails are not those of its class.
    if let Some(why) = failure.or_else(|| report::rank::failed_ios(lang, &loads)) {
        eprintln!("fathom rank: {}", report::rank::failed(lang, &asked.source, &why));
        return 1;
    }
    let Some(mut ranking) = rank(&with_own(lang), &asked.source, &loads) else {
        eprintln!("fathom rank: {}", report::rank::nothing(lang, &asked.source));
        return 1;
    };
    ranking.version = env!("CARGO_PKG_VERSION").into();
    ranking.check = check.map(Box::new);
    print(&if asked.json {
        report::rank::json(&ranking)
    } else {
        report::rank::render(lang, &ranking, terminal::width())
    });
    let mut status = 0;
    if let Some(path) = &asked.output {
        let when = if id.is_ok() { String::new() } else { local_time(began_ms) };
        let page = Page::of_ranking(&asked.source, &ranking, when, lang).render(lang);
        let written = page.map_err(|e| (format!("the page's template: {e}"), 1)).and_then(|text| {
            output::write(path, text.as_bytes())
                .map_err(|e| (report::words::run::output_error(lang, &e), e.exit_code()))
        });
        if let Err((line, code)) = written {
            eprintln!("fathom rank: {line}");
            status = code;
        }
    }
    // The figures before a signal are shown, but not stored.
    if interrupt.load(Relaxed) != 0 {
        return 128;
    }
    // A stored result is in the store already.
    let is_new = ranking.check.is_some();
    let answer = Answer::Rank(Box::new(ranking));
    let lost = is_new && asked.keep.choice().answer(&answer, asked.source.as_ref(), began_ms, lang);
    if lost && status == 0 { output::NOT_WRITTEN } else { status }
}

/// Returns the loads of a stored result and the error that ended one of its jobs, or the exit status.
fn stored(lang: Lang, id: StoredId, file: Option<PathBuf>) -> Result<(Vec<Measured>, Option<String>), i32> {
    let name = id.to_string();
    let of_check = |card: &QuickCard| report::rank::failed_row(lang, card);
    let read = StoreChoice::of_switches(file, false).open().and_then(|store| {
        Ok(match id {
            StoredId::Study(n) => (Measured::of_study(&name, &store.study(n)?), None),
            StoredId::Run(n) => match store.run(n)? {
                Recorded::Run(result) => {
                    (Measured::of_run(&name, &result), report::rank::failed_job(lang, &result))
                }
                Recorded::Check(card) => (Measured::of_check(&name, &card), of_check(&card)),
                Recorded::Answer(answer) => {
                    let check = match &*answer {
                        Answer::Rank(ranking) => ranking.check.as_deref(),
                        _ => None,
                    };
                    (answer.loads(&name), check.and_then(of_check))
                }
            },
        })
    });
    read.map_err(|error| {
        eprintln!("fathom rank: {}", error.words(lang));
        1
    })
}

/// Returns the check of a target, or the exit status.
fn checked(
    lang: Lang,
    target: &str,
    seconds: Duration,
    interrupt: &Arc<AtomicUsize>,
) -> Result<QuickCard, i32> {
    restore_kernel_settings(lang);
    let mut watch = OwnWatch::new(lang);
    let request = lab::quick::QuickRequest {
        target: target.into(),
        measure: seconds,
        context: lab::target::JobContext::here(interrupt.clone(), patience(), report::words::lab::stored),
    };
    wear::print_scratch(lang, &request);
    let card = lab::quick::check(&request, &mut watch);
    watch.clear();
    match card {
        Ok(mut card) => {
            card.version = env!("CARGO_PKG_VERSION").into();
            provenance(&mut card.host, std::iter::once(target));
            Ok(card)
        }
        Err(error) => {
            eprintln!("fathom rank: {}", report::words::lab::target_error(lang, &error));
            Err(error.exit_code())
        }
    }
}
