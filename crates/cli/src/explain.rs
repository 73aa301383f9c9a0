//! `fathom explain R7 | S12 | FILE | TARGET`: what limits the rate.

use crate::environment::patience;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::print;
use crate::stored::{Keep, StoreChoice};
use crate::wear::{self, WearLimit};
use crate::{duration, signal, terminal};
use job::unit::whole;
use lab::explain::{ExplainRequest, explain, of_check, of_printed, of_run, of_study};
use lab::target::{JobContext, planned_wear};
use report::Lang;
use run::consent::{Consent, Policy};
use stats::StoredId;
use stats::answer::Answer;
use stats::audit::PrintedResult;
use stats::bottleneck::{BottleneckAnswer, BottleneckCard, LoadShape};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use store::Recorded;

/// Exit status if several limits remain possible.
const NOT_SURE: i32 = 6;
/// Largest file that may hold results of other tools, bytes.
const LARGEST_TEXT: u64 = 16 << 20;

/// What limits the rate, and what would raise it?
///
/// Measures the load, then up to seven short variations that separate the possible limits: queue depth, throttles, CPU,
/// block layer, file system, link, device. Stored results and files with results of other tools are explained without
/// measuring.
#[derive(clap::Args)]
pub struct Arguments {
    /// Directory, file, block device or target on a server to measure; stored result (R7, S12); or file with results of another tool
    #[arg(default_value = ".")]
    source: String,
    /// Access pattern
    #[arg(long, value_name = "PATTERN", default_value = "randread", value_parser = ["randread", "read", "randwrite", "write"])]
    rw: String,
    /// Block size
    #[arg(long, value_name = "SIZE", default_value = "4k", value_parser = block)]
    bs: u64,
    /// Queue depth of each job
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1024))]
    iodepth: u32,
    /// Number of jobs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    numjobs: u32,
    /// Longest measuring time of all loads together
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::measuring)]
    seconds: Duration,
    /// Allow writes to this device or file, which destroys its data
    #[arg(long, value_name = "TARGET")]
    allow_destroy: Vec<PathBuf>,
    /// Allow one load without the I/O scheduler of the device, which is set back afterwards
    #[arg(long)]
    allow_settings: bool,
    #[command(flatten)]
    limit: WearLimit,
    #[command(flatten)]
    keep: Keep,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    view: ViewSwitch,
}

fn block(text: &str) -> Result<u64, &'static str> {
    whole(text, 1024)
        .filter(|n| (512..=64 << 20).contains(n))
        .ok_or("give a block size from 512 to 64m, e.g. 4k")
}

impl lab::explain::Progress for OwnWatch {
    fn filling(&mut self) {
        lab::quick::Progress::filling(self);
    }

    fn measuring(&mut self, shape: &LoadShape) {
        self.what = report::explain::measuring(self.lang, shape);
    }
}

/// Runs the command and returns the exit status: 0 if one limit is named for each load, 1 if an error ended a load.
pub fn main(lang: Lang, asked: Arguments) -> i32 {
    let began_ms = run::wall_clock::epoch_ms();
    let interrupt = signal::watch();
    let mut is_new = false;
    let known = match asked.source.parse::<StoredId>() {
        Ok(id) => stored(lang, id, asked.keep.store.clone()),
        Err(_) => match printed(&asked.source) {
            results if !results.is_empty() => {
                let results: Vec<&PrintedResult> = results.iter().collect();
                Ok(of_printed(&asked.source, &results).into_iter().collect())
            }
            _ => {
                is_new = true;
                measured(lang, &asked, &interrupt).map(|card| vec![card])
            }
        },
    };
    let mut cards = match known {
        Ok(cards) if cards.is_empty() => {
            eprintln!("fathom explain: {}", report::explain::nothing(lang, &asked.source));
            return 1;
        }
        Ok(cards) => cards,
        Err(status) => return status,
    };
    cards.iter_mut().for_each(|card| card.version = env!("CARGO_PKG_VERSION").into());
    print(&if asked.json {
        report::explain::json(&cards)
    } else {
        report::explain::render_all(lang, &cards, terminal::width())
    });
    cards.iter().filter_map(|card| report::explain::cut_short(lang, card)).for_each(|text| {
        eprintln!("fathom explain: {text}");
    });
    // The loads before a signal are judged, but not stored.
    if interrupt.load(Relaxed) != 0 {
        return 128;
    }
    let is_named = |card: &BottleneckCard| matches!(card.answer, BottleneckAnswer::Named { .. });
    let status = match cards.iter().all(is_named) {
        true => 0,
        false if cards.iter().any(|card| card.error.is_some()) => 1,
        false => NOT_SURE,
    };
    let Some(card) = cards.pop().filter(|_| is_new) else { return status };
    let answer = Answer::Explain(Box::new(card));
    let lost = asked.keep.choice().answer(&answer, asked.source.as_ref(), began_ms, lang);
    if lost && status == 0 { run::output::NOT_WRITTEN } else { status }
}

/// Returns the cards of a stored result, or the exit status.
fn stored(lang: Lang, id: StoredId, file: Option<PathBuf>) -> Result<Vec<BottleneckCard>, i32> {
    let name = id.to_string();
    let read = StoreChoice::of_switches(file, false).open().and_then(|store| {
        Ok(Ok(match id {
            StoredId::Study(n) => of_study(&name, &store.study(n)?).into_iter().collect(),
            StoredId::Run(n) => match store.run(n)? {
                Recorded::Run(result) => of_run(&name, &result),
                Recorded::Check(card) => of_check(&name, &card).into_iter().collect(),
                Recorded::Answer(answer) => {
                    eprintln!("fathom explain: {}", report::explain::answer_named(lang, &name, &answer));
                    return Ok(Err(1));
                }
            },
        }))
    });
    read.unwrap_or_else(|error| {
        eprintln!("fathom explain: {}", error.words(lang));
        Err(1)
    })
}

/// Returns the results of other tools in a text file; none for other files and for devices.
fn printed(source: &str) -> Vec<PrintedResult> {
    let path = PathBuf::from(source);
    let is_text = std::fs::metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST_TEXT);
    if is_text { import::printed(&[path], None).results } else { Vec::new() }
}

/// Measures a target; returns the exit status if that fails.
fn measured(lang: Lang, asked: &Arguments, interrupt: &Arc<AtomicUsize>) -> Result<BottleneckCard, i32> {
    restore_kernel_settings(lang);
    let mut watch = OwnWatch::new(lang).with_view(asked.view);
    let mut context = JobContext::here(interrupt.clone(), patience(), report::words::lab::stored);
    context.scratch_named = crate::live::scratch_named(lang);
    context.consent = Consent::new(Policy::Own, asked.allow_destroy.clone()).of_named_devices();
    // Slices of a throttle are told from windows that are shorter.
    context.window = Duration::from_millis(20);
    context.allowance = wear::allowance(asked.limit.wear_budget);
    let writes = asked.rw.contains("write");
    wear::print(lang, &planned_wear(asked.source.as_ref(), writes, asked.seconds.as_secs_f64(), &context));
    let request = ExplainRequest {
        target: asked.source.clone().into(),
        rw: asked.rw.clone(),
        shape: LoadShape {
            block: asked.bs,
            depth: asked.iodepth,
            jobs: asked.numjobs,
            ..LoadShape::default()
        },
        budget: asked.seconds,
        allow_settings: asked.allow_settings,
        context,
    };
    let card = explain(&request, &mut watch);
    watch.clear();
    match card {
        Ok(card) => Ok(card),
        Err(error) => {
            eprintln!("fathom explain: {}", report::words::lab::target_error(lang, &error));
            Err(error.exit_code())
        }
    }
}
