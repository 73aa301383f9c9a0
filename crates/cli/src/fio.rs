//! `fathom fio` (also when the program is called as `fio`) and `fathom run`: both run fio's job language; `fathom fio`
//! prints fio's report, `fathom run` a card.

use crate::charts::below_loads;
use crate::dialect::{argv0, diagnostics, policy};
use crate::environment::{findings_of_fio, patience};
use crate::fio_report::{complete, fio_watch, render, starting};
use crate::iometer::{self, Converter};
use crate::live::{OwnWatch, restore_kernel_settings};
use crate::logs::{BandwidthLog, Logged, inflate};
use crate::machine::Machine;
use crate::output::{Sink, print, write};
use crate::prefill::before_run;
use crate::run_command::{self, Arguments};
use crate::stored::{StoreChoice, provenance, title};
use crate::{fio_hosts, hosts, signal, terminal, wear};
use facts::SysRoot;
use job::job::EngineChoice;
use job::{Diagnostic, Dialect, Format, Parsed};
use report::Lang;
use report::words;
use run::consent::Consent;
use run::output::OutputError;
use run::prepare::Host;
use run::{RunError, Setup};
use run::{output_kind, side_outputs};
use stats::RunResult;
use stats::note::NoteFact;
use stats::output_fault::OutputFault;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Largest number of programs listed before a run.
const MOST_PROGRAMS: usize = 8;

/// Runs `fathom fio` with fio's command line `args`, which may have switches about hosts, and returns the exit status.
pub fn fio(args: &[OsString]) -> i32 {
    match fio_hosts::switches(args) {
        Ok(None) => main(args, Dialect::Fio, Lang::En, &Arguments::default(), args),
        Ok(Some((hosts, fios))) => {
            let ours = Arguments { hosts, fios, no_store: true, ..Arguments::default() };
            main(&ours.fios, Dialect::Fio, Lang::En, &ours, args)
        }
        Err(why) => say("", &format!("{why}\n"), 2),
    }
}

/// Runs `fathom run` and returns the exit status; `typed` is its command line, the title of the stored result.
pub fn run(lang: Lang, ours: Arguments, typed: &[OsString]) -> i32 {
    main(&ours.fios, Dialect::Run, lang, &ours, typed)
}

fn main(args: &[OsString], dialect: Dialect, lang: Lang, ours: &Arguments, typed: &[OsString]) -> i32 {
    if ours.hosts.is_asked() {
        return hosts::run(lang, dialect, ours, typed);
    }
    if let Some(switch) = ours.hosts.without_hosts().or(ours.dry_run.then_some("--dry-run")) {
        let why = report::hosts::only_with_hosts(lang, switch);
        return say("", &format!("fathom run: {why}\n"), 2);
    }
    let began = Instant::now();
    let keep = StoreChoice::of_switches(ours.store.clone(), ours.no_store);
    if let Err((why, status)) = keep.may_be_written(lang) {
        return say("", &format!("fathom run: {why}\n"), status);
    }
    let diagnostics = |lang, found: &[Diagnostic]| diagnostics(dialect, lang, found);
    let mut machine = Machine {
        iometer: (dialect == Dialect::Run).then(|| Converter::new(lang, ours)),
        job_files: Vec::new(),
    };
    let parsed = job::command_line(args, argv0(dialect), dialect, &mut machine);
    if let Some((why, status)) = machine.iometer.as_ref().and_then(|converter| converter.refusal(ours)) {
        return say("", &format!("{why}\n"), status);
    }
    let mut line = match parsed {
        Ok(Parsed::Run(line)) => line,
        Ok(Parsed::Print { stdout, diagnostics: found, code }) => {
            let said = diagnostics(lang, &found);
            return say(&(stdout + &said.stdout), &said.stderr, code);
        }
        Ok(Parsed::Inflate(path)) => return inflate(&path),
        Ok(Parsed::Calibrate) => {
            let (mean_us, stddev_us) = run::idle::unit_work(&SysRoot::machine());
            return say(&report::text::calibration(mean_us, stddev_us), "", 0);
        }
        Err(usage) => {
            let said = diagnostics(lang, &usage.diagnostics);
            return say(&said.stdout, &said.stderr, usage.code);
        }
    };
    if let Err((why, status)) = iometer::check_standard_output(lang, ours, &line.switches) {
        return say("", &format!("{why}\n"), status);
    }
    let said = diagnostics(lang, &line.diagnostics);
    eprint!("{}", said.stderr);
    print(&said.stdout);
    let made = machine.iometer.map(|converter| converter.made).unwrap_or_default();
    let written = iometer::written(lang, ours, &made, &line.jobs);
    match written.unwrap_or_else(|| iometer::check_results(lang, ours)) {
        Err((why, status)) => return say("", &format!("{why}\n"), status),
        Ok(()) if ours.write_job.is_some() || ours.write_icf.is_some() => return 0,
        Ok(()) => {}
    }
    // Not earlier: while a job file is read from a terminal, the first Ctrl-C has to end the program. Not later: files
    // are created from here on.
    let interrupt = signal::watch();
    let job_files = machine.job_files;
    if let Some(output) = &line.switches.output
        && let Err(e) = check_output_path(output, args, &job_files, &keep)
    {
        return say("", &format!("{}\n", words::run::output_error(lang, &e)), e.exit_code());
    }
    let jobs = std::mem::take(&mut line.jobs);
    let asked = jobs.clone();
    // Before the output is opened, because it may be a file of a job.
    let planned = job::plan(jobs, &mut Host);
    if let (Some(output), Ok(plan)) = (&line.switches.output, &planned)
        && let files = plan.clones.iter().flat_map(|clone| &clone.files).map(|file| file.path.as_path())
        && let Err(e) = run::output::check_against(output, files, OutputFault::FileOfJob)
    {
        return say("", &format!("{}\n", words::run::output_error(lang, &e)), e.exit_code());
    }
    // A path that cannot be opened is fio's error, below.
    if dialect == Dialect::Run
        && let Some(output) = &line.switches.output
        && let Err(e @ OutputError::Refused { .. }) = run::output::check_own(output, &output_kind::report)
    {
        return say("", &format!("{}\n", words::run::output_error(lang, &e)), e.exit_code());
    }
    let mut out: Sink = match &line.switches.output {
        None => Sink::stdout(),
        Some(path) => match run::output::open_kept(path) {
            Ok(file) => Sink::file(file, path),
            Err(e @ OutputError::Refused { .. }) => {
                return say("", &format!("{}\n", words::run::output_error(lang, &e)), e.exit_code());
            }
            Err(e) => {
                let why = words::run::output_fault(lang, &e.into_fault());
                return say("", &format!("fio: output file {}: {why}\n", path.display()), 1);
            }
        },
    };
    let own = dialect == Dialect::Run && line.switches.formats.iter().all(|f| *f == Format::Normal);
    let normal = !own && !ours.json && line.switches.formats.contains(&Format::Normal);
    if normal {
        asked.iter().for_each(|job| write(&mut out, &report::banner(&job::banner(job))));
    }
    let mut plan = match planned {
        Ok(plan) => plan,
        Err(e) => {
            // fio prints its report even if no job was planned; the report then contains only the failure.
            if !own {
                if normal {
                    let count = |thread| {
                        asked
                            .iter()
                            .filter(|j| j.host.thread == thread)
                            .fold(0, |n: u32, j| n.saturating_add(j.numjobs))
                    };
                    write(&mut out, &starting(count(true), count(false)));
                }
                let failed = |j: &job::job::Job| (j.name == e.job).then(run::job_error::refused);
                let jobs = asked.iter().map(|j| run::outcome::unstarted(j, failed(j))).collect();
                let mut result = RunResult { jobs, ..RunResult::default() };
                complete(&mut result, &line, began);
                result.provenance.timestamp_ms = run::wall_clock::epoch_ms();
                eprint!("{}", report::words::job::plan_error(lang, &e));
                if ours.json {
                    write(&mut out, &report::json::render(&result, false));
                } else {
                    render(&mut out, &line, &result);
                }
                return 1;
            }
            return say("", &report::words::job::plan_error(lang, &e), 1);
        }
    };
    if dialect == Dialect::Run
        && let Some(said) = programs(&asked)
    {
        eprintln!("fathom: {said}");
    }
    let allowance = wear::allowance(line.switches.wear_budget);
    if dialect == Dialect::Run
        && let Err(code) = before_run(lang, &mut plan, ours.prefill, allowance.as_ref())
    {
        return code;
    }
    restore_kernel_settings(lang);
    let setup = Setup {
        consent: Consent::new(policy(dialect), line.switches.allow_destroy.clone()),
        root: SysRoot::machine(),
        interrupt,
        inputs: job_files,
        // The stored result and its card have percentiles of total latency, whatever is printed.
        all_histograms: dialect == Dialect::Run,
        idleness: line.switches.idle_prof.is_some(),
        patience: patience(),
        window: stats::Series::WINDOW,
        models: Default::default(),
        allowance,
        gate: None,
    };
    // Scripts that read fio's output expect nothing on standard error, unless a switch of fathom's own asks for it.
    let allowance = setup.allowance.clone();
    let budget = setup.allowance.as_deref();
    let states_wear = dialect == Dialect::Run || budget.is_some() || findings_of_fio();
    let wear = if states_wear { run::wear::of_plan(&plan, &setup.root, budget) } else { Vec::new() };
    let mut wear = wear::lines(lang, &wear);
    let total = line.switches.bandwidth_log.as_deref();
    let created = total.map(|prefix| {
        for path in BandwidthLog::paths(prefix) {
            side_outputs::check_one(&plan, &setup, &path, Some(output_kind::log))?;
        }
        BandwidthLog::create(prefix, began)
    });
    let log = match created.transpose() {
        Ok(log) => log,
        Err(e) => return say("", &format!("{}\n", words::run::output_error(lang, &e)), e.exit_code()),
    };
    let mut ended_by = None;
    let ran = if own || ours.json {
        let mut watch = OwnWatch::new(lang).with_view(ours.view);
        if own && !ours.json {
            // Options without an effect are reported before the run, while it can still be corrected.
            let misused = lab::findings::at_once(&plan);
            watch.at_once =
                misused.iter().map(|f| format!("fathom: {}", report::findings::line(lang, f))).collect();
        }
        watch.at_once.append(&mut wear);
        watch.stop_on_drop = ours.stop_on_drop;
        let ran = run::run(&plan, &setup, &mut Logged { watch: &mut watch, log });
        watch.clear();
        ended_by = watch.ended_by;
        ran.map(|result| (result, out))
    } else {
        let mut watch = fio_watch(lang, &line, began, out, normal);
        watch.at_once = wear;
        let ran = run::run(&plan, &setup, &mut Logged { watch: &mut watch, log });
        watch.clear();
        ran.map(|result| (result, watch.out))
    };
    let (mut result, mut out) = match ran {
        Ok(ran) => ran,
        Err(RunError::Refused(refusal)) => {
            let text = report::words::run::refusal(lang, &refusal);
            return say("", &format!("{text}\n"), refusal.exit_code());
        }
        Err(RunError::Log(e @ OutputError::Refused { .. })) => {
            return say("", &format!("{}\n", words::run::output_error(lang, &e)), e.exit_code());
        }
        Err(e) => return say("", &format!("fathom: {}\n", report::words::run::run_error(lang, &e)), 1),
    };
    // Scripts that read fio's output expect nothing on standard error.
    let told = dialect == Dialect::Fio && findings_of_fio();
    if told
        || dialect == Dialect::Run
        || line.switches.formats.iter().any(|f| matches!(f, Format::Json | Format::JsonPlus))
    {
        result.findings = lab::findings::judge(&plan, &result, &setup.root);
    }
    let reached = |note: &&stats::Note| matches!(note.fact, NoteFact::WearBudgetReached { .. });
    for note in result.notes.iter().filter(reached) {
        eprintln!("fathom: {}", words::note::note(lang, &note.fact));
    }
    if let Some(drop) = ended_by {
        lab::findings::ended_by_drop(&mut result.findings, drop);
    }
    complete(&mut result, &line, began);
    if told {
        let grade = result.grade();
        eprintln!("fathom: grade {}: {}", grade.letter(), report::findings::grade(lang, grade));
        result
            .findings
            .iter()
            .for_each(|finding| eprintln!("fathom: {}", report::findings::line(lang, finding)));
    }
    if own && !ours.json {
        let width = if line.switches.output.is_some() { usize::MAX } else { terminal::width() };
        write(&mut out, &report::card::render(lang, &result, width));
        if ours.layers {
            write(&mut out, &report::card::layer_table(lang, &result, width));
        }
        if ours.charts {
            write(&mut out, &below_loads(&stats::Measured::of_run("", &result), lang));
        }
    } else if ours.json {
        write(&mut out, &report::json::render(&result, false));
    } else {
        if let Some(signal) = result.provenance.ended_by_signal {
            eprintln!("\nfio: terminating on signal {signal}");
        }
        render(&mut out, &line, &result);
    }
    let mut lost = false;
    if dialect == Dialect::Run && keep != StoreChoice::No {
        let targets = result.layers.targets.iter().map(|target| target.path.as_str());
        provenance(&mut result.provenance.host, targets);
        lost = keep.run(&result, &title(typed), lang);
    }
    if let Err((why, _)) = iometer::write_results(lang, ours, &result) {
        eprintln!("{why}");
        lost = true;
    }
    if let Some(change) = &result.refused {
        let line = words::run::target_change(lang, change);
        return say("", &format!("{line}\n"), job::exit_status::REFUSED);
    }
    let failed = result.jobs.iter().filter(|j| j.error.is_some()).count();
    let interrupted = if result.provenance.ended_by_signal.is_some() { 128 } else { 0 };
    let grade_too_low = ours.required.fails(result.grade());
    // fio adds up to 256 and more, of which the system keeps the lowest byte: 256 failed jobs are a success there.
    let status = match dialect {
        Dialect::Run => interrupted + failed.min(127) as i32,
        Dialect::Fio => (interrupted + failed as i32) & 0xff,
    };
    match status {
        0 if allowance.is_some_and(|allowance| allowance.permitted_nothing()) => job::exit_status::REFUSED,
        0 if lost => run::output::NOT_WRITTEN,
        0 if grade_too_low => run_command::GRADE_TOO_LOW,
        code => code,
    }
}

/// Returns a sentence that lists the programs started by `jobs`; `None` if no job starts a program.
fn programs(jobs: &[job::job::Job]) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for job in jobs {
        let exec = match &job.engine {
            EngineChoice::Exec(exec) => exec
                .program
                .as_ref()
                .map(|p| format!("{p} {}", exec.arguments.as_deref().unwrap_or_default())),
            _ => None,
        };
        let commands = [&job.host.prerun, &exec, &job.host.postrun];
        for command in commands.into_iter().flatten().map(|text| text.trim()) {
            let named = format!("`{command}` (job {})", job.name);
            // An option of the global section belongs to every job: its command is listed once.
            if !found.iter().any(|other| other.starts_with(&format!("`{command}` "))) {
                found.push(named);
            }
        }
    }
    let more = found.len().saturating_sub(MOST_PROGRAMS);
    found.truncate(MOST_PROGRAMS);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!found.is_empty()).then(|| format!("these jobs start programs: {}{rest}", found.join(", ")))
}

/// Checks that `--output` names neither a job file nor the store of this run.
fn check_output_path(
    output: &Path,
    args: &[OsString],
    job_files: &[PathBuf],
    keep: &StoreChoice,
) -> Result<(), OutputError> {
    let words = args.iter().enumerate();
    let files = words.filter(|(at, word)| {
        !word.as_encoded_bytes().starts_with(b"-")
            && at.checked_sub(1).is_none_or(|before| args[before] != "--output")
    });
    let files = files.map(|(_, word)| Path::new(word)).chain(job_files.iter().map(PathBuf::as_path));
    run::output::check_against(output, files, OutputFault::JobFile)?;
    match keep.place() {
        Ok(Some(store)) if store == output => {
            Err(OutputError::Refused { path: output.into(), fault: OutputFault::Store })
        }
        _ => Ok(()),
    }
}

fn say(stdout: &str, stderr: &str, code: i32) -> i32 {
    if !stdout.is_empty() {
        print(stdout);
    }
    eprint!("{stderr}");
    code
}
