//! `fathom characterize DEVICE`: rate over the surface, seeks, rotation, caches.

use crate::charts::draw;
use crate::environment::patience;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::{AnswerForm, print};
use crate::stored::{Keep, local_time};
use crate::wear::{self, WearLimit};
use crate::{duration, signal, terminal};
use job::unit::whole;
use lab::characterize::{CharacterizePart, CharacterizeRequest, may_begin, measure, prepare};
use lab::target::JobContext;
use report::Lang;
use report::page::{HEAD, Page};
use run::consent::{Consent, Policy};
use run::output;
use stats::answer::Answer;
use stats::characterize::EarlyEnd;
use stats::output_fault::OutputFault;
use stats::wear::PlannedWrites;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Measure a device's zones, seeks, rotation and caches
///
/// Reads only, unless --write is given: transfer curve over 128 slices, rotation, seek time by distance, read latency by
/// region, size of a read cache. Each number has its 95 % interval; what is not seen is reported as not seen.
#[derive(clap::Args)]
pub struct Arguments {
    /// Block device, or a file that permits direct I/O
    target: PathBuf,
    /// Also write, which destroys the data: write curve, SLC or write-back cache and its recovery, reads of discarded data.
    /// Needs --allow-destroy
    #[arg(long)]
    write: bool,
    /// Write this much for the curve [default: the whole device]
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "write")]
    write_bytes: Option<u64>,
    /// Longest idle time after which the recovery of the write rate is measured
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::parse, requires = "write")]
    longest_pause: Duration,
    /// Largest working set with which a read cache is looked for
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    working_set: u64,
    /// Print what would be read and written, and how long it takes; measure nothing
    #[arg(long)]
    dry_run: bool,
    /// Allow writing to this device or file, which destroys its data
    #[arg(long, value_name = "DEVICE")]
    allow_destroy: Vec<PathBuf>,
    #[command(flatten)]
    limit: WearLimit,
    #[command(flatten)]
    view: ViewSwitch,
    #[command(flatten)]
    keep: Keep,
    /// Write an HTML page with the charts to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    form: AnswerForm,
}

fn size(text: &str) -> Result<u64, &'static str> {
    whole(text, 1024).filter(|bytes| *bytes > 0).ok_or("give a size above 0, e.g. 64G")
}

impl lab::characterize::Progress for OwnWatch {
    fn part(&mut self, part: CharacterizePart) {
        report::characterize::part(self.lang, part).clone_into(&mut self.what);
    }
}

/// Runs the command and returns the exit status.
pub fn main(lang: Lang, asked: Arguments) -> i32 {
    let failed = |error: &lab::characterize::CharacterizeError| {
        eprintln!("fathom characterize: {}", report::characterize::error(lang, error));
        error.exit_code()
    };
    let keep = asked.keep.choice();
    if let Err((line, status)) = keep.may_be_written(lang) {
        eprintln!("fathom characterize: {line}");
        return status;
    }
    if let Some(page) = &asked.output {
        let right =
            output::check_against(page, std::iter::once(asked.target.as_path()), OutputFault::ReportSource)
                .and_then(|()| output::check_begins(page, HEAD));
        if let Err(e) = right {
            eprintln!("fathom characterize: {}", report::words::run::output_error(lang, &e));
            return e.exit_code();
        }
    }
    let began_ms = run::wall_clock::epoch_ms();
    let interrupt = signal::watch();
    let mut context = JobContext::here(interrupt.clone(), patience(), report::words::lab::stored);
    context.scratch_named = crate::live::scratch_named(lang);
    context.consent = Consent::new(Policy::Own, asked.allow_destroy).of_named_devices();
    context.allowance = wear::allowance(asked.limit.wear_budget);
    let request = CharacterizeRequest {
        target: asked.target,
        write: asked.write,
        write_bytes: asked.write_bytes,
        longest_pause: asked.longest_pause,
        working_set: asked.working_set,
        seed: began_ms,
        context,
    };
    let prepared = match prepare(&request) {
        Ok(prepared) => prepared,
        Err(error) => return failed(&error),
    };
    let target = request.target.display().to_string();
    let plan = report::characterize::plan(lang, &target, &prepared);
    let planned = PlannedWrites::at_most(prepared.written_bytes);
    let (root, allowance) = (&request.context.root, request.context.allowance.as_deref());
    let writes = asked.write && request.target.exists();
    let drives = match writes {
        true => run::wear::on_drives(root, &request.target, planned, prepared.seconds.1, allowance),
        false => Vec::new(),
    };
    if asked.dry_run {
        let refused = may_begin(&prepared, &request).err();
        let why = |lang| refused.as_ref().map(|error| report::characterize::error(lang, error));
        if asked.form.json {
            print(&report::characterize::plan_json(&target, &prepared, &drives, why(Lang::En)));
            return 0;
        }
        print(&format!("{plan}\n"));
        wear::lines(lang, &drives).iter().for_each(|line| print(&format!("{line}\n")));
        if let Some(why) = why(lang) {
            print(&format!("fathom characterize: {}\n", report::words::lab::would_not_begin(lang, &why)));
        }
        return 0;
    }
    restore_kernel_settings(lang);
    eprintln!("fathom characterize: {plan}");
    wear::print(lang, &drives);
    let mut watch = OwnWatch::new(lang).with_view(asked.view);
    let measured = measure(prepared, &request, &mut watch);
    watch.clear();
    let mut character = match measured {
        Ok(character) => character,
        Err(error) => return failed(&error),
    };
    character.version = env!("CARGO_PKG_VERSION").into();
    let ended = character.ended.clone();
    let charts = report::chart::characterize::charts(&character, lang);
    print(&if asked.form.json {
        report::characterize::json(&character)
    } else {
        report::characterize::render(lang, &character, terminal::width())
    });
    if asked.form.charts {
        print(&format!("\n{}", draw(&charts)));
    }
    let answer = Answer::Characterize(Box::new(character));
    let mut lost = keep.answer(&answer, &request.target, began_ms, lang);
    if let Some(path) = &asked.output {
        let page = Page::of_answer(&target, &answer, local_time(began_ms), lang).render(lang);
        let written = page.map_err(|e| e.to_string()).and_then(|text| {
            output::write(path, text.as_bytes()).map_err(|e| report::words::run::output_error(lang, &e))
        });
        if let Err(line) = written {
            eprintln!("fathom characterize: {line}");
            lost = true;
        }
    }
    match ended {
        _ if interrupt.load(Relaxed) != 0 => 128,
        Some(EarlyEnd::Interrupted) => 128,
        Some(EarlyEnd::Failed { .. }) => 1,
        Some(EarlyEnd::WearBudget) => 3,
        None if lost => output::NOT_WRITTEN,
        None => 0,
    }
}
