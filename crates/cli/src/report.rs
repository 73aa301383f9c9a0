//! `fathom report`: an HTML page, or its charts as files or in the terminal.

use crate::charts::draw;
use crate::output::print;
use crate::source::{self, Source, What};
use crate::stored::{StoreChoice, local_time};
use ::report::Lang;
use ::report::chart::{self, Chart};
use ::report::page::{Beside, HEAD, Page};
use ::report::pts::header::Stated;
use ::report::pts::page as pts_page;
use run::output::{self, OutputError};
use stats::answer::Answer;
use stats::output_fault::OutputFault;
use stats::pts::PtsStudy;
use stats::pts::comparison;
use std::path::{Path, PathBuf};

/// Draw results: HTML page, SVG or PNG files, or in the terminal
#[derive(clap::Args)]
pub struct Arguments {
    /// Stored results (R7, S12), or files and directories: JSON that fathom exported, fio's JSON and logs, bench-fio's
    /// trees
    #[arg(required = true, value_name = "ID|FILE")]
    sources: Vec<String>,
    /// Write the HTML page to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each chart as an SVG file into this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write each chart as a PNG file into this directory
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Draw the charts in the terminal
    #[arg(long)]
    charts: bool,
    /// Name of the tester in the header of the report of fathom pts
    #[arg(long, value_name = "NAME")]
    tested_by: Option<String>,
    /// Read this store instead of your own
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// Runs `fathom report` and returns the exit status: 2 if no output is requested.
pub fn main(a: Arguments, lang: Lang) -> i32 {
    if a.output.is_none() && a.svg.is_none() && a.png.is_none() && !a.charts {
        eprintln!(
            "fathom report: say what to make: -o FILE for a page, --svg DIR or --png DIR for files, --charts for the terminal"
        );
        return 2;
    }
    match make(&a, lang) {
        Ok(()) => 0,
        Err(Failure { line, status }) => {
            eprintln!("fathom report: {line}");
            status
        }
    }
}

/// Reason why a report was not written, as a line for the user, and the exit status.
struct Failure {
    line: String,
    status: i32,
}

impl From<String> for Failure {
    fn from(line: String) -> Failure {
        Failure { line, status: 1 }
    }
}

impl Failure {
    fn of_output(lang: Lang, e: &OutputError) -> Failure {
        Failure { line: report::words::run::output_error(lang, e), status: e.exit_code() }
    }
}

fn make(a: &Arguments, lang: Lang) -> Result<(), Failure> {
    let sources = source::read(&a.sources, &StoreChoice::of_switches(a.store.clone(), false), lang)?;
    let page = page(&sources, a.tested_by.as_deref().unwrap_or_default(), lang)?;
    // Only the page of a single answer shows something without charts: its card.
    let needs_charts = sources.len() > 1 || a.svg.is_some() || a.png.is_some() || a.charts;
    let answer = |source: &Source| match &source.what {
        What::Answer(answer) if matches!(**answer, Answer::Characterize(_) | Answer::Hosts(_)) => None,
        What::Answer(answer) if needs_charts && source.loads().is_empty() => {
            Some(::report::stored::answer_without_charts(lang, &source.name, answer))
        }
        _ => None,
    };
    if let Some(line) = sources.iter().find_map(answer) {
        return Err(line.into());
    }
    if needs_charts && page.charts.is_empty() {
        let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
        return Err(::report::stored::no_charts(lang, &names.join(", ")).into());
    }
    if let Some(dir) = [&a.svg, &a.png].into_iter().flatten().find(|dir| dir.exists() && !dir.is_dir()) {
        return Err(::report::stored::not_a_directory(lang, dir).into());
    }
    if let Some(path) = &a.output {
        output::check_against(path, a.sources.iter().map(Path::new), OutputFault::ReportSource)
            .and_then(|()| output::check_begins(path, HEAD))
            .map_err(|e| Failure::of_output(lang, &e))?;
        let text = page.render(lang).map_err(|e| format!("the page's template: {e}"))?;
        output::write(path, text.as_bytes()).map_err(|e| Failure::of_output(lang, &e))?;
    }
    if let Some(dir) = &a.svg {
        files(lang, dir, ("svg", chart::svg::SVG_HEAD), &page.charts, |chart| {
            Ok(chart::svg::svg(chart).into_bytes())
        })?;
    }
    if let Some(dir) = &a.png {
        files(lang, dir, ("png", chart::svg::PNG_HEAD), &page.charts, chart::svg::png)?;
    }
    if a.charts {
        print(&draw(&page.charts));
    }
    Ok(())
}

/// Returns the page of the sources; `tested_by` is the tester in the header of a study of `fathom pts`.
fn page(sources: &[Source], tested_by: &str, lang: Lang) -> Result<Page, Failure> {
    let tests = pts(sources);
    if !tests.is_empty() && tests.len() < sources.len() {
        return Err(::report::pts::compare::other_kind(lang).into());
    }
    if tests.len() > 1 {
        return Ok(side_by_side(&tests, lang));
    }
    Ok(match sources {
        [one] => {
            let when = if one.began_ms > 0 { local_time(one.began_ms) } else { String::new() };
            match &one.what {
                What::Study(study) => Page::of_study(&one.name, study, when, lang),
                What::Pts(study) => {
                    let stated = Stated { tested_by: tested_by.into(), began: when, when: Some(local_time) };
                    pts_page::of_study(&one.name, study, &stated, lang)
                }
                What::Run(run) => Page::of_run(&one.name, run, &one.loads(), when, lang),
                What::Check(card) => Page::of_check(&one.name, card, &one.loads(), when, lang),
                What::Answer(answer) => Page::of_answer(&one.name, answer, when, lang),
                What::Fio(_) => Page::of_several(
                    std::slice::from_ref(&one.name),
                    env!("CARGO_PKG_VERSION"),
                    &beside(sources),
                    lang,
                ),
            }
        }
        several => {
            let names: Vec<String> = several.iter().map(|s| s.name.clone()).collect();
            Page::of_several(&names, env!("CARGO_PKG_VERSION"), &beside(several), lang)
        }
    })
}

/// Returns the studies of `fathom pts` among the sources, with their names.
pub fn pts(sources: &[Source]) -> Vec<(String, &PtsStudy)> {
    sources
        .iter()
        .filter_map(|source| match &source.what {
            What::Pts(study) => Some((source.name.clone(), &**study)),
            _ => None,
        })
        .collect()
}

/// Returns the page that compares studies of `fathom pts`: each with the first, if their conditions permit it.
fn side_by_side(studies: &[(String, &PtsStudy)], lang: Lang) -> Page {
    let Some(((first, base), others)) = studies.split_first() else { return Page::default() };
    let comparisons: Vec<_> =
        others.iter().map(|(name, study)| comparison::compare((first, base), (name, study), false)).collect();
    pts_page::of_several(studies, &comparisons, env!("CARGO_PKG_VERSION"), lang)
}

/// Returns the loads, logs and histograms of all sources together, for charts that compare them.
fn beside(sources: &[Source]) -> Beside {
    let mut all = Beside::default();
    for source in sources {
        all.loads.extend(source.loads());
        if let What::Fio(found) = &source.what {
            all.tracks.extend(found.tracks.clone());
            all.latencies.extend(found.histograms.clone());
        }
    }
    all
}

/// Writes each chart into a file of its own in `dir`; `form` is the ending and the beginning of these files. Drawing takes a
/// tenth of a second per picture, so the charts are divided among the CPUs.
fn files(
    lang: Lang,
    dir: &Path,
    form: (&str, &[u8]),
    charts: &[Chart],
    draw: impl Fn(&Chart) -> Result<Vec<u8>, String> + Sync,
) -> Result<(), Failure> {
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let (ending, head) = form;
    let path_of = |chart: &Chart| dir.join(format!("{}.{ending}", chart.id));
    for chart in charts {
        output::check_begins(&path_of(chart), head).map_err(|e| Failure::of_output(lang, &e))?;
    }
    let one = |chart: &Chart| {
        let path = path_of(chart);
        let picture = draw(chart).map_err(|e| format!("{}: {e}", path.display()))?;
        output::write_own(&path, head, &picture).map_err(|e| Failure::of_output(lang, &e))
    };
    let hands = std::thread::available_parallelism().map_or(1, usize::from);
    let share = charts.len().div_ceil(hands).max(1);
    std::thread::scope(|scope| {
        let started: Vec<_> =
            charts.chunks(share).map(|part| scope.spawn(|| part.iter().try_for_each(one))).collect();
        started
            .into_iter()
            .try_for_each(|hand| hand.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
