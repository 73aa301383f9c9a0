//! `fathom sweep`: the grid of bench-fio, the tables of the parameter study, and the offered-rate curve.

mod tree;
mod values;

use crate::charts::draw;
use crate::environment::patience;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::{AnswerForm, not_written, print};
use crate::stored::{Keep, StoreChoice, local_time, provenance};
use crate::study_store::{Kept, open_targets, unfinished};
use crate::wear::{self, WearLimit};
use crate::{signal, terminal};
use lab::explore::job_runner::{JobRunner, ReopenError};
use lab::sweep::grid::{MOST_CELLS, cells, fitting};
use lab::sweep::sweep;
use lab::target::{JobContext, MODEL, planned_wear};
use lab::target_fault::TargetFault;
use report::page::{HEAD, Page};
use report::{Lang, words::lab as words};
use run::consent::{Consent, Policy};
use run::output::OutputError;
use stats::study::{Access, Question, Study, StudyAsked, StudyTarget, WriteSync};
use stats::sweep::{Arrivals, SweepAsked, SweepCell, SweepRow, SweepTable, rows};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::{Store, StudyLock};
use tree::{KeepingRunner, LastRun, TreeJournal};
use values::Typed;

/// Name of the command in refusals.
const COMMAND: &str = "sweep";

/// Arguments that a sweep which goes on has in the store.
const OF_NEW: [&str; 17] = [
    "target",
    "table",
    "rw",
    "rwmixread",
    "bs",
    "iodepth",
    "numjobs",
    "runtime",
    "ramp",
    "repeats",
    "curve",
    "arrivals",
    "bench_fio",
    "option",
    "engine",
    "seed",
    "write",
];

/// How do rate and latency vary with block size, iodepth, numjobs?
///
/// Measures every combination several times in random order, with 95 % intervals, tables and charts. Lists are 4k,64k or
/// ranges, doubled from the first value to the last (1-64).
#[derive(clap::Args)]
pub struct Arguments {
    /// Directory (a scratch file in it), file, block device or target on a server; `model:servers=8;law=constant:10ms` is a simulated device
    #[arg(value_name = "TARGET", required_unless_present = "resume")]
    target: Option<String>,
    /// Measure a table of the usual parameter study instead of a grid; the lists below replace its values
    #[arg(long, value_enum, value_name = "runtime|bs|iodepth|numjobs|product", hide_possible_values = true)]
    table: Option<Table>,
    /// Access patterns: read, write, randread, randwrite, rw70, randrw70 [default: randread]
    #[arg(long, value_name = "LIST", visible_alias = "mode")]
    rw: Option<String>,
    /// Shares of reads of mixes without a number, percent
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(0..=100))]
    rwmixread: Vec<u32>,
    /// Block sizes [default: 4k]
    #[arg(long, value_name = "LIST", visible_alias = "block-size")]
    bs: Option<String>,
    /// Queue depths of each job [default: 1-64]
    #[arg(long, value_name = "LIST")]
    iodepth: Option<String>,
    /// Numbers of jobs [default: 1-64]
    #[arg(long, value_name = "LIST")]
    numjobs: Option<String>,
    /// Counted time of a visit; it lasts at least 20 of its mean latencies [default: 60s; tables and curves: 30s]
    #[arg(long, value_name = "TIME")]
    runtime: Option<String>,
    /// Time under load before a visit counts; 0: until the queue is full, which is the least time in any case
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = crate::duration::or_none)]
    ramp: Duration,
    /// Visits to each combination, in rounds
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,
    /// Measure the maximum, then latencies at these shares of it: 10%..100%, 50%..95%/5% or 10%,50%
    #[arg(long, value_name = "SHARES", conflicts_with_all = ["table", "bench_fio"])]
    curve: Option<String>,
    /// Arrivals of --curve
    #[arg(
        long,
        value_enum,
        value_name = "poisson|uniform",
        default_value = "poisson",
        hide_possible_values = true,
        requires = "curve"
    )]
    arrivals: ArrivalsChoice,
    /// Read the results of this tree of bench-fio, and add the missing ones to it
    #[arg(long, value_name = "DIR")]
    bench_fio: Option<PathBuf>,
    /// Further option of every job: size=5g
    #[arg(long, value_name = "KEY=VALUE", visible_alias = "extra-opts", value_parser = values::option)]
    option: Vec<String>,
    /// I/O engine [default: io_uring where it is available, else libaio]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Seed of the order and of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also measure the writing patterns of --table on a file that fathom made or an unused device; --rw asks for them itself
    #[arg(long, requires = "table")]
    write: bool,
    /// Allow writes to this device or file, which destroys its data
    #[arg(long, value_name = "DEVICE")]
    allow_destroy: Vec<PathBuf>,
    #[command(flatten)]
    limit: WearLimit,
    /// Print the number of visits and their time, and measure nothing
    #[arg(long)]
    dry_run: bool,
    /// Resume an unfinished sweep: the last one, or the one named
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "last", conflicts_with_all = OF_NEW)]
    resume: Option<String>,
    /// Write the HTML page with all charts to this file
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
    #[command(flatten)]
    keep: Keep,
    #[command(flatten)]
    form: AnswerForm,
    #[command(flatten)]
    view: ViewSwitch,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Table {
    Runtime,
    Bs,
    Iodepth,
    Numjobs,
    Product,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum ArrivalsChoice {
    Poisson,
    Uniform,
}

fn usage(text: &str) -> i32 {
    eprintln!("fathom sweep: {text}");
    2
}

/// Returns the request of the command line, before the target is known.
fn asked(a: &Arguments, lang: Lang) -> Result<SweepAsked, String> {
    let table = match a.table {
        _ if a.curve.is_some() => SweepTable::Curve,
        None => SweepTable::Grid,
        Some(Table::Runtime) => SweepTable::Runtime,
        Some(Table::Bs) => SweepTable::Bs,
        Some(Table::Iodepth) => SweepTable::Iodepth,
        Some(Table::Numjobs) => SweepTable::Numjobs,
        Some(Table::Product) => SweepTable::Product,
    };
    let typed = Typed {
        rw: a.rw.as_deref(),
        mixes: &a.rwmixread,
        bs: a.bs.as_deref(),
        iodepth: a.iodepth.as_deref(),
        numjobs: a.numjobs.as_deref(),
        runtime: a.runtime.as_deref(),
        curve: a.curve.as_deref(),
    };
    let all = cells(table, &typed.values()?);
    if all.len() > MOST_CELLS {
        return Err(report::sweep::too_many(lang, MOST_CELLS));
    }
    let arrivals = match a.arrivals {
        ArrivalsChoice::Poisson => Arrivals::Poisson,
        ArrivalsChoice::Uniform => Arrivals::Uniform,
    };
    let tree = a.bench_fio.as_ref().map(|path| path.display().to_string());
    if tree.is_some() && all.iter().any(|cell| all.iter().filter(|c| c.is_same_load(cell)).count() > 1) {
        return Err("a tree of bench-fio has one result of each cell: give one --runtime".into());
    }
    let mut all = all;
    // The results of a tree have no commits: its cells are compared by the latencies of writes.
    if let Some(sync) = sync_of(&a.option).filter(|_| tree.is_none()) {
        let writing = |cell: &&mut SweepCell| cell.access.writes() && !cell.access.rw.ends_with("rw");
        all.iter_mut().filter(writing).for_each(|cell| cell.access.sync = Some(sync));
    }
    Ok(SweepAsked {
        table,
        cells: all,
        repeats: a.repeats,
        ramp_s: a.ramp.as_secs_f64(),
        arrivals,
        options: a.option.clone(),
        bench_fio: tree,
        ..SweepAsked::default()
    })
}

/// Returns the sync that the options of every job (`fdatasync=1`) ask for; `None` without one.
fn sync_of(options: &[String]) -> Option<WriteSync> {
    let every = |name: &str| {
        let value = |option: &String| {
            option.trim_start_matches('-').split_once('=').map(|(k, v)| (k.trim() == name, v.trim().parse()))
        };
        options.iter().rev().filter_map(value).find(|(mine, _)| *mine)?.1.ok()
    };
    WriteSync::of(every("fsync").unwrap_or(0), every("fdatasync").unwrap_or(0))
}

/// Checks that `-o` names a page, before anything is measured.
fn check_page(a: &Arguments, lang: Lang) -> Result<(), (String, i32)> {
    let Some(path) = &a.output else { return Ok(()) };
    if path.is_dir() || path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("html")) {
        let line = match &a.bench_fio {
            Some(tree) => format!(
                "-o names the HTML page (FILE.html); results are added to the tree {0}: to keep it unchanged, copy it first (cp -r {0} {1}) and name the copy with --bench-fio",
                tree.display(),
                path.display()
            ),
            None => "-o names the HTML page (FILE.html); to write bench-fio's tree, use --bench-fio DIR"
                .to_owned(),
        };
        return Err((line, 2));
    }
    run::output::check_begins(path, HEAD)
        .map_err(|e| (report::words::run::output_error(lang, &e), e.exit_code()))
}

/// Returns whether the cells write.
fn writes(asked: &SweepAsked) -> bool {
    asked.cells.iter().any(|cell| cell.access.writes())
}

/// Returns the cells that a tree of bench-fio has; if it has none, standard error says so.
fn imported(lang: Lang, tree: &Path, target: &str, cells: &[SweepCell]) -> Vec<SweepRow> {
    let directory = tree::of_target(tree, target);
    let known = tree::read(&directory, cells, lang);
    let used = std::fs::read_dir(tree).is_ok_and(|mut entries| entries.next().is_some());
    if known.is_empty() && used {
        eprintln!("fathom: {}", report::sweep::nothing_imported(lang, &directory));
    }
    known
}

/// Returns the study of a new sweep.
fn new_study(
    a: &Arguments,
    lang: Lang,
    target: &str,
    mut sweep: SweepAsked,
    found: Vec<StudyTarget>,
    runner: &JobRunner<'_>,
) -> Study {
    let (size, sector) = found.first().map_or((u64::MAX, 512), |t| (t.size, t.sector));
    (sweep.cells, sweep.left_out) = fitting(std::mem::take(&mut sweep.cells), size, sector);
    if let Some(tree) = &a.bench_fio {
        sweep.imported = imported(lang, tree, target, &sweep.cells);
    }
    let mut patterns: Vec<Access> = Vec::new();
    for cell in &sweep.cells {
        if !patterns.contains(&cell.access) {
            patterns.push(cell.access.clone());
        }
    }
    let mut host = facts::machine::host(&facts::SysRoot::machine());
    provenance(&mut host, std::iter::once(target));
    Study {
        version: env!("CARGO_PKG_VERSION").into(),
        host,
        began_ms: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64,
        asked: StudyAsked {
            targets: vec![target.to_owned()],
            budget_s: sweep.seconds(),
            patterns,
            questions: vec![Question::Grid],
            seed: a.seed,
            engine: runner.engine(),
            write: writes(&sweep),
            wear_budget: a.limit.wear_budget,
            sweep: Some(sweep),
            ..StudyAsked::default()
        },
        targets: found,
        notes: runner.engine_note().into_iter().collect(),
        ..Study::default()
    }
}

/// Runs `fathom sweep` and returns the exit status.
pub fn main(lang: Lang, a: Arguments) -> i32 {
    let keep = a.keep.choice();
    if let Err((line, status)) = check_page(&a, lang).and_then(|()| keep.may_be_written(lang)) {
        eprintln!("fathom sweep: {line}");
        return status;
    }
    let resumed = match a.resume.as_deref().map(|which| unfinished(lang, &keep, which, true)).transpose() {
        Ok(resumed) => resumed,
        Err(why) => return usage(&format!("--resume: {why}")),
    };
    let target = match &resumed {
        Some((_, study, _)) => study.asked.targets.first().cloned(),
        None => a.target.clone(),
    };
    let Some(target) = target else { return usage("no target") };
    let mut request = match &resumed {
        Some((_, study, _)) => study.asked.sweep.clone().unwrap_or_default(),
        None => match asked(&a, lang) {
            Ok(request) => request,
            Err(why) => return usage(&why),
        },
    };
    // The patterns of a table are not typed: only where no data can be lost do they write without a word.
    let safe = target.starts_with(MODEL) || Path::new(&target).is_dir();
    let unasked = a.rw.is_none() && !a.write && a.allow_destroy.is_empty();
    if resumed.is_none() && !safe && unasked && writes(&request) {
        request.cells.retain(|cell| !cell.access.writes());
        eprintln!("fathom: {}", report::sweep::reads_only(lang, &target));
    }
    if a.dry_run {
        if let Some(tree) = a.bench_fio.as_ref().filter(|_| resumed.is_none()) {
            request.imported = imported(lang, tree, &target, &request.cells);
        }
        return dry_run(lang, &a, resumed.as_ref().map(|(_, study, _)| study), &target, &request);
    }
    measure(lang, &a, &keep, resumed, &target, request)
}

/// Returns the environment of the jobs.
fn context(lang: Lang, a: &Arguments, resumed: Option<&Study>, interrupt: Arc<AtomicUsize>) -> JobContext {
    let mut context = JobContext::here(interrupt, patience(), words::stored);
    context.scratch_named = crate::live::scratch_named(lang);
    context.consent = Consent::new(Policy::Own, a.allow_destroy.clone());
    let budget = a.limit.wear_budget.or(resumed.and_then(|study| study.asked.wear_budget));
    context.allowance = wear::allowance(budget);
    context
}

/// Prints the visits and what forbids them, and returns the exit status.
fn dry_run(lang: Lang, a: &Arguments, resumed: Option<&Study>, target: &str, request: &SweepAsked) -> i32 {
    if let Err(e) = Path::new(target).metadata()
        && !target.starts_with(MODEL)
    {
        eprintln!("fathom: {}", words::target_fault(lang, Path::new(target), &TargetFault::of(&e)));
        return 1;
    }
    let (done, seed) = resumed.map_or((0, a.seed), |study| (study.points.len(), study.asked.seed));
    let left = request.order(seed).len().saturating_sub(done);
    let before = resumed.and_then(|study| study.targets.first());
    let context = context(lang, a, resumed, Arc::default());
    let found = JobRunner::may_begin(target, before, (COMMAND, writes(request)), &context);
    let why = |lang| match &found {
        Ok(found) => nothing_fits(lang, request, found),
        Err(ReopenError::Target(e)) => Some(words::target_error(lang, e)),
        Err(ReopenError::Other { target, other }) => {
            Some(words::other_target(lang, resumed.map_or(0, |study| study.id), target, other))
        }
    };
    if a.form.json {
        print(&report::sweep::plan_json(target, request, left, seed, why(Lang::En)));
        return 0;
    }
    print(&(report::sweep::plan(lang, request, left, seed) + "\n"));
    if let Some(why) = why(lang) {
        print(&format!("fathom sweep: {}\n", words::would_not_begin(lang, &why)));
    }
    0
}

/// Returns the message that the target can have no cell of the grid; `None` if it can.
fn nothing_fits(lang: Lang, request: &SweepAsked, found: &StudyTarget) -> Option<String> {
    let (fit, left) = fitting(request.cells.clone(), found.size, found.sector);
    let nothing = fit.is_empty() && !left.is_empty();
    nothing.then(|| report::sweep::nothing_fits(lang, found.size, found.sector))
}

/// Creates the directory of a tree if it does not exist.
fn directory_of_tree(tree: &Path) -> Result<(), OutputError> {
    if !tree.is_dir() {
        run::output::check(tree)?;
    }
    std::fs::create_dir_all(tree).map_err(|e| run::output::failed(tree, &e))
}

/// Checks the files of the tree that the rest of a sweep replaces.
fn check_tree(lang: Lang, study: &Study, target: &str) -> Result<(), (String, i32)> {
    let asked = study.asked.sweep.clone().unwrap_or_default();
    let Some(tree) = &asked.bench_fio else { return Ok(()) };
    let directory = tree::of_target(Path::new(tree), target);
    tree::check_places(&directory, &asked, &asked.order(study.asked.seed), target)
        .map_err(|e| (report::words::run::output_error(lang, &e), e.exit_code()))
}

/// Opens and holds the target, makes the visits and prints the result.
fn measure(
    lang: Lang,
    a: &Arguments,
    keep: &StoreChoice,
    resumed: Option<(Store, Study, StudyLock)>,
    target: &str,
    request: SweepAsked,
) -> i32 {
    let interrupt = signal::watch();
    restore_kernel_settings(lang);
    let context = context(lang, a, resumed.as_ref().map(|(_, study, _)| study), interrupt.clone());
    let allowance = context.allowance.clone();
    let writes = writes(&request);
    wear::print(lang, &planned_wear(Path::new(target), writes, request.seconds(), &context));
    let mut watch = OwnWatch::new(lang).with_view(a.view);
    watch.what = "sweep".into();
    let before = resumed.as_ref().map(|(_, study, _)| study);
    let opened = open_targets(lang, &[target.to_owned()], before, context, &mut watch);
    let (mut runner, found) = match opened {
        Ok(opened) => opened,
        Err((line, status)) => {
            eprintln!("fathom: {line}");
            return status;
        }
    };
    if let Some(engine) = &a.engine {
        runner.use_engine(engine);
    }
    if let Some(why) = found.first().and_then(|found| nothing_fits(lang, &request, found)) {
        return usage(&why);
    }
    if let Some(tree) = &request.bench_fio
        && let tree = Path::new(tree)
        && let Err(error) = directory_of_tree(tree)
    {
        eprintln!("fathom sweep: {}", report::words::run::output_error(lang, &error));
        return error.exit_code();
    }
    if let Err(e) = runner.hold(COMMAND, writes) {
        eprintln!("{}", words::target_error(lang, &e));
        return e.exit_code();
    }
    let mut options = request.options.clone();
    if request.arrivals == Arrivals::Uniform && request.table == SweepTable::Curve {
        options.push("--rate_process=linear".into());
    }
    runner.add_options(&options);
    let mut study = match &resumed {
        Some((_, study, _)) => study.clone(),
        None => new_study(a, lang, target, request, found, &runner),
    };
    if let Err((line, status)) = check_tree(lang, &study, target) {
        eprintln!("fathom sweep: {line}");
        return status;
    }
    let mut kept = match resumed {
        Some((store, study, lock)) => Kept::resumed(store, study.id, lock),
        None => Kept::begin(keep, &mut study),
    };
    let asked = study.asked.sweep.clone().unwrap_or_default();
    let order = asked.order(study.asked.seed);
    let left = order.len().saturating_sub(study.points.len());
    if study.id > 0 {
        eprintln!("fathom: S{}: {}", study.id, report::sweep::plan(lang, &asked, left, study.asked.seed));
    } else {
        eprintln!("fathom: {}", report::sweep::plan(lang, &asked, left, study.asked.seed));
    }
    let last = LastRun::default();
    let directory = asked.bench_fio.as_ref().map(|tree| tree::of_target(Path::new(tree), target));
    let mut journal = TreeJournal {
        inner: &mut kept,
        directory,
        target: target.to_owned(),
        asked: asked.clone(),
        order,
        last: last.clone(),
        written: 0,
        trouble: None,
    };
    let study = sweep(study, &mut KeepingRunner { inner: &mut runner, last }, &mut journal);
    let (written, tree_trouble) = (journal.written, journal.trouble);
    let refused = runner.refused().map(|e| (words::target_error(lang, e), e.exit_code()));
    drop(runner);
    watch.clear();
    let tree_refused = tree_trouble.as_ref().filter(|e| matches!(e, OutputError::Refused { .. }));
    match &tree_trouble {
        Some(e @ OutputError::Refused { .. }) => {
            eprintln!("fathom: {}", report::words::run::output_error(lang, e));
        }
        Some(e) => not_written(report::words::run::output_error(lang, e)),
        None => {}
    }
    if let Some(tree) = &asked.bench_fio {
        eprintln!("fathom: {}", report::sweep::wrote(lang, written, tree));
    }
    if let Some(store) = &mut kept.store
        && let Err(e) = store.finish_study(kept.id, &study)
    {
        kept.give_up(e);
    }
    show(lang, a, &study);
    if let Some(why) = &kept.trouble {
        eprintln!("fathom: this sweep is not stored: {}", why.words(lang));
    }
    if let Some((line, status)) = refused {
        eprintln!("fathom: {line}");
        return status;
    }
    if let Some(e) = tree_refused {
        return e.exit_code();
    }
    let failed = !study.unanswered.is_empty() || rows(&study).iter().any(|row| row.errors > 0);
    match interrupt.load(Relaxed) {
        0 if study.points.is_empty() && allowance.is_some_and(|allowance| allowance.permitted_nothing()) => {
            job::exit_status::REFUSED
        }
        0 if failed || study.points.is_empty() && asked.imported.is_empty() => 1,
        0 if kept.trouble.is_some() && a.keep.store.is_some() => run::output::NOT_WRITTEN,
        0 => 0,
        _ => 128,
    }
}

/// Prints the table or the JSON of a sweep, draws its charts, and writes its page.
fn show(lang: Lang, a: &Arguments, study: &Study) {
    print(&if a.form.json {
        report::study::json(study)
    } else {
        report::study::render(lang, study, terminal::width())
    });
    if a.form.charts {
        print(&("\n".to_string() + &draw(&report::chart::study::charts(study, lang))));
    }
    let Some(path) = &a.output else { return };
    let name = if study.id > 0 { format!("S{}", study.id) } else { "sweep".into() };
    let page = Page::of_study(&name, study, local_time(study.began_ms), lang);
    match page.render(lang) {
        Ok(text) => {
            if let Err(e) = run::output::write(path, text.as_bytes()) {
                not_written(report::words::run::output_error(lang, &e));
            }
        }
        Err(e) => not_written(format!("the page's template: {e}")),
    }
}
