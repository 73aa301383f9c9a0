//! A whole run: limits, consent, layout, the phases and the result.

use crate::connection_watch::ConnectionWatch;
use crate::consent::{self, Policy};
use crate::control::Control;
use crate::cpu_waits::CpuWaits;
use crate::finish::Finish;
use crate::idle::Idle;
use crate::job_error;
use crate::kernel_settings::{self, KernelSettings};
use crate::limits;
use crate::line::Line;
use crate::logs::{LogFailure, RunLogs};
use crate::outcome::{self, Counted};
use crate::phase_runner::{PhaseRunner, phases};
use crate::prepare::{self, LayoutStep};
use crate::real_time;
use crate::refusal::{Refusal, RefusalReason};
use crate::remote;
use crate::setup::{HostResource, RunError, Setup};
use crate::side_outputs;
use crate::space;
use crate::steady_watch::SteadyWatch;
use crate::stops::Stops;
use crate::targets::Targets;
use crate::trace_merger;
use crate::verify::Records;
use crate::virtual_time;
use crate::wall_clock;
use crate::watch::{Notice, Watch};
use crate::wear;
use engine::SharedBlocks;
use facts::{Before, Sample};
use job::job::{EngineChoice, Entry, NameCall};
use job::plan::{FileKind, Plan};
use stats::note::{NoteFact, NoteKind};
use stats::slow_ios::SlowIos;
use stats::{Direction, JobError, JobOutcome, Note, RunResult, SharedPriorities};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Runs `plan` and returns the result of all jobs. `watch` is informed during the run.
///
/// # Errors
/// The run did not begin: a target must not be written, a limit is too low, or the host lacks a resource. Errors of
/// jobs are part of the result.
pub fn run(plan: &Plan, setup: &Setup, watch: &mut dyn Watch) -> Result<RunResult, RunError> {
    let began = Instant::now();
    let mut result = RunResult::default();
    let models =
        plan.clones.iter().filter(|c| matches!(plan.jobs[c.job].engine, EngineChoice::Model(_))).count();
    if models > 0 && models < plan.clones.len() {
        return Err(RunError::ModelBesideOthers);
    }
    if models > 0 && plan.jobs.iter().any(|job| job.dependencies.wait_for.is_some()) {
        return Err(RunError::ModelWaits);
    }
    for note in plan.jobs.iter().flat_map(|j| &j.notes).cloned().chain(limits::check(plan, &setup.root)?) {
        if note.kind == NoteKind::FioStart {
            result.notes.push(note);
        } else {
            tell(&mut result, watch, note);
        }
    }
    let (_guard, targets) = consent::check(plan, &setup.consent, &setup.root)?;
    let targets = Arc::new(targets);
    let records = Arc::new(Records::default());
    let mut settings = KernelSettings::of(&setup.root);
    kernel_settings::check_schedulers(plan, &mut settings)?;
    for note in space::check(plan, setup.consent.policy, &setup.root)? {
        tell(&mut result, watch, note);
    }
    wear::check(plan, setup.allowance.as_deref(), &setup.root)?;
    let allowance = setup.allowance.as_deref().filter(|allowance| !allowance.exhausted());
    side_outputs::check(plan, setup).map_err(RunError::Log)?;
    if setup.gate.as_ref().is_some_and(|gate| !gate.checked()) {
        return Err(RunError::NotAgreed);
    }
    let logs = RunLogs::open(plan).map_err(RunError::Log)?;
    trace_merger::write(plan).map_err(RunError::Log)?;
    let threads = plan.clones.iter().filter(|c| plan.jobs[c.job].host.thread).count() as u32;
    watch.notice(Notice::Starting { threads, processes: plan.clones.len() as u32 - threads });
    for path in plan.clones.iter().flat_map(|clone| &plan.jobs[clone.job].target.empty) {
        watch.notice(Notice::Said(Line::FileIgnored { path: path.clone() }));
    }
    let laid = prepare::lay_out_some(
        plan,
        &targets,
        &|clone| !clone.lays_out_late,
        &mut |step| match step {
            LayoutStep::Start { job, files, bytes } => {
                watch.notice(Notice::Layout { job, files: u64::from(files), bytes })
            }
            LayoutStep::Wrote { done, total } => watch.notice(Notice::LayoutProgress { done, total }),
        },
        &|| setup.interrupt.load(Relaxed) != 0,
    );
    if let Some(change) = targets.refusal() {
        targets.settle();
        let path = PathBuf::from(change.path);
        return Err(Refusal { path, reason: RefusalReason::Changed(change.kind) }.into());
    }
    for note in laid.notes {
        tell(&mut result, watch, note);
    }
    let of_clones = plan.clones.iter().flat_map(|clone| &plan.jobs[clone.job].notes);
    for note in of_clones.filter(|note| note.kind == NoteKind::FioStart) {
        watch.notice(Notice::Note(note.clone()));
    }
    for error in laid.failed.iter().filter_map(|(_, error)| error.as_ref()) {
        watch.notice(Notice::Failed { pid: 0, error: error.clone(), lines: Vec::new() });
    }
    let filled = prepare::as_filled(plan);
    let plan = filled.as_ref().unwrap_or(plan);
    let failed: BTreeSet<usize> = laid.failed.iter().map(|(clone, _)| *clone).collect();
    let only_laid_out = |index: usize| {
        let clone = &plan.clones[index];
        let job = &plan.jobs[clone.job];
        // Other jobs have filled the device: this job has nothing to fill or to read.
        job.target.create_only || filled.is_some() && job.engine.does_io() && clone.io_bytes == 0
    };
    let (skipped, clones): (Vec<usize>, Vec<usize>) =
        (0..plan.clones.len()).partition(|c| failed.contains(c) || only_laid_out(*c));
    let unstarted = |jobs: &mut Vec<JobOutcome>| {
        for &index in &skipped {
            let failure = laid.failed.iter().find(|(clone, _)| *clone == index);
            let error = failure.map(|(_, error)| error.clone().unwrap_or_else(job_error::refused));
            let job = &plan.jobs[plan.clones[index].job];
            jobs.insert(index.min(jobs.len()), outcome::unstarted(job, error));
        }
    };
    // Files that could not be created are left out; jobs that only create files are included.
    let files = || {
        let files = |c: usize| plan.clones[c].files.iter().map(move |f| (f, &plan.jobs[plan.clones[c].job]));
        let there = (0..plan.clones.len()).filter(|c| !failed.contains(c)).flat_map(files);
        let local = |kind| matches!(kind, FileKind::Regular | FileKind::Block | FileKind::Char);
        there.filter(move |(f, _)| local(f.kind)).map(|(f, job)| (f.path.as_path(), job))
    };
    let paths: BTreeSet<&Path> = files().map(|(path, _)| path).collect();
    let paths: Vec<PathBuf> = paths.into_iter().take(facts::before::FAR).map(Path::to_owned).collect();
    let listed: BTreeSet<&Path> =
        files().filter(|(_, job)| job.measure.disks).map(|(path, _)| path).collect();
    // With fio's own commands, the program reads the targets only as the jobs request.
    let sample = match setup.consent.policy {
        _ if plan.jobs.iter().any(|job| matches!(job.engine, EngineChoice::Names(_, NameCall::Delete))) => {
            Sample::Disks
        }
        Policy::Own => Sample::All,
        Policy::Fio | Policy::Unguarded => Sample::Files,
    };
    let parts = plan.clones.iter().filter(|c| plan.jobs[c.job].pattern.mix.has(Direction::Read));
    let parts: Vec<_> = parts.flat_map(|clone| &clone.files).collect();
    let read = |path: &Path| {
        let of_path = parts.iter().filter(|file| file.path == path);
        of_path.map(|file| file.start..file.start.saturating_add(file.length)).collect()
    };
    let listed = |path: &Path| listed.contains(path);
    let look = || Before::look_listing(&setup.root, &paths, &listed, &read, sample);
    if laid.interrupted || clones.is_empty() {
        unstarted(&mut result.jobs);
        result.disks = if laid.interrupted { Vec::new() } else { look().disks_now() };
        result.provenance.ended_by_signal = setup.interrupted();
        finish_up(&mut result, began, plan, &targets, setup);
        return Ok(result);
    }
    let shared = SharedBlocks::new(plan.clones.len() + 1)
        .map_err(|source| RunError::Host { resource: HostResource::CounterMemory, source })?;
    let priorities: Arc<[Option<SharedPriorities>]> =
        plan.clones.iter().map(|clone| outcome::priorities(&plan.jobs[clone.job])).collect();
    let mut before = (models == 0).then(look);
    let (on_servers, servers) = remote::layers(plan, &setup.root, sample == Sample::All);
    if let Some(before) = &mut before {
        before.let_go(|path| files().any(|(file, job)| job.target.unlink_each_loop && file == path));
    }
    let controls: Arc<[Control]> = plan.clones.iter().map(|_| Control::default()).collect();
    let steady = SteadyWatch::of(plan, &controls);
    let failed: Vec<(usize, JobError)> = laid
        .failed
        .iter()
        .map(|(clone, error)| (*clone, error.clone().unwrap_or_else(job_error::refused)))
        .collect();
    let idle = setup.idleness.then(|| Idle::begin(&setup.root));
    let mut runner = PhaseRunner {
        plan,
        setup,
        targets: &targets,
        records: &records,
        idle: idle.as_ref(),
        disks: before.as_ref(),
        failed,
        shared: &shared,
        priorities: &priorities,
        logs: logs.as_ref().map_or_else(Arc::default, RunLogs::links),
        controls: &controls,
        steady: &steady,
        watch,
        settings: &mut settings,
        finishes: Vec::new(),
        signal: None,
        all_over: false,
        allowance,
        began: Instant::now(),
        weights: Vec::new(),
        series: Vec::new(),
        stops: Stops::watch(),
        cpu_waits: CpuWaits::default(),
        connections: ConnectionWatch::of(plan),
        notes: Vec::new(),
    };
    run_phases(&mut runner, &clones, models > 0)?;
    if let Some(line) = slow_ios(&runner) {
        runner.watch.notice(Notice::Said(line));
    }
    let PhaseRunner {
        mut finishes,
        signal,
        weights,
        series,
        watch,
        settings,
        stops,
        cpu_waits,
        connections,
        notes,
        ..
    } = runner;
    for fact in settings.put_back() {
        tell(&mut result, watch, Note::new(NoteKind::Remark, "", fact));
    }
    for failure in logs.map_or_else(Vec::new, RunLogs::finish) {
        log_failed(&failure, &mut finishes, watch);
    }
    for note in notes {
        tell(&mut result, watch, note);
    }
    if let Some(allowance) = allowance.filter(|allowance| allowance.exhausted()) {
        let (written, budget) = (allowance.taken(), allowance.limit());
        let fact = NoteFact::WearBudgetReached { written, budget };
        tell(&mut result, watch, Note::new(NoteKind::Remark, "", fact));
    }
    result.series = series;
    result.provenance.ended_by_signal = signal;
    result.idleness = idle.as_ref().map(Idle::now);
    report(&mut result, plan, (&shared, &priorities, &steady), setup.all_histograms, finishes);
    unstarted(&mut result.jobs);
    layers(&mut result, plan, &shared, before, &weights);
    result.layers.targets.extend(on_servers);
    result.layers.remote.extend(servers);
    // A server that failed may not answer.
    if result.jobs.iter().all(|job| job.error.is_none()) {
        remote::look_again(plan, &mut result.layers.remote);
    }
    result.layers.connections = connections.finish();
    result.layers.host.stopped_ms = stops.millis();
    result.layers.host.longest_cpu_wait_us = cpu_waits.longest_us();
    finish_up(&mut result, began, plan, &targets, setup);
    Ok(result)
}

/// Returns the table of slow I/Os of the jobs that count them; `None` without such jobs.
fn slow_ios(runner: &PhaseRunner<'_>) -> Option<Line> {
    let slices = runner.plan.jobs.iter().filter_map(|job| job.latency_slices).max()?;
    let mut sum = SlowIos::of(slices as usize);
    runner.finishes.iter().for_each(|(_, finish)| sum.add(&finish.slices));
    Some(Line::SlowIos(sum))
}

/// Reports a log that is not complete as the error of its jobs.
fn log_failed(failure: &LogFailure, finishes: &mut [(usize, Finish)], watch: &mut dyn Watch) {
    let error = job_error::of_errno(failure.errno, format!("write({})", failure.path.display()));
    for (_, finish) in finishes.iter_mut().filter(|(clone, _)| failure.clones.contains(clone)) {
        watch.notice(Notice::Failed { pid: 0, error: error.clone(), lines: Vec::new() });
        finish.error.get_or_insert_with(|| error.clone());
    }
}

/// Runs these clones, phase by phase, in virtual time if they use simulated devices (`simulated`).
///
/// # Errors
/// The host lacks a resource, or the I/O scheduler that a job sets cannot be set.
fn run_phases(runner: &mut PhaseRunner<'_>, clones: &[usize], simulated: bool) -> Result<(), RunError> {
    for phase in phases(runner.plan, clones) {
        if runner.signal.is_some() {
            break;
        }
        if runner.all_over {
            // fio reports these jobs without any I/O.
            runner.finishes.extend(phase.iter().map(|index| (*index, Finish::default())));
            continue;
        }
        if simulated { virtual_time::run(runner, &phase) } else { real_time::run(runner, &phase)? }
    }
    Ok(())
}

/// Adds the counts of the jobs, the kernel and the devices to the result.
fn layers(
    result: &mut RunResult,
    plan: &Plan,
    shared: &SharedBlocks,
    before: Option<Before>,
    weights: &[(u64, f64)],
) {
    let totals = |f: fn(&stats::shared::SharedDirection) -> u64| {
        let sum = |d: usize| (0..plan.clones.len()).map(|c| f(&shared[c].now.directions[d])).sum();
        [sum(0), sum(1), sum(2)]
    };
    if let Some(before) = before {
        let (layers, disks) = before.after(totals(|d| d.ios.get()), totals(|d| d.bytes.get()));
        (result.layers, result.disks) = (layers, disks);
    }
    // A sync counts as in flight, as in the queue depth of each job.
    let in_flight =
        |j: &JobOutcome| j.directions.iter().map(|d| d.lat.moments.sum).sum::<u128>() + j.sync.moments.sum;
    let nanos: u128 = result.jobs.iter().map(in_flight).sum();
    let wall = weights.iter().map(|(nanos, _)| nanos).sum::<u64>().max(1);
    result.layers.app_ios = totals(|d| d.ios.get());
    result.layers.app_bytes = totals(|d| d.bytes.get());
    result.layers.wall_ms = if weights.is_empty() { 0 } else { (wall / 1_000_000).max(1) };
    result.layers.depth_reached = nanos as f64 / wall as f64;
    result.layers.depth_asked =
        weights.iter().map(|(nanos, asked)| *nanos as f64 * asked).sum::<f64>() / wall as f64;
    let busy = |j: &JobOutcome| {
        100.0 * (j.cpu.user_us + j.cpu.system_us) as f64 / 1000.0 / j.cpu.wall_ms.max(1) as f64
    };
    result.layers.busiest_thread_percent = result.jobs.iter().map(busy).fold(0.0, f64::max);
}

fn tell(result: &mut RunResult, watch: &mut dyn Watch, note: Note) {
    watch.notice(Notice::Note(note.clone()));
    result.notes.push(note);
}

fn finish_up(result: &mut RunResult, began: Instant, plan: &Plan, targets: &Targets, setup: &Setup) {
    result.provenance.host = facts::machine::host(&setup.root);
    result.provenance.timestamp_ms = wall_clock::epoch_ms();
    result.provenance.elapsed_ms = began.elapsed().as_millis() as u64;
    for clone in plan.clones.iter().filter(|c| plan.jobs[c.job].target.unlink) {
        let engine = &plan.jobs[clone.job].engine;
        let made = *engine == EngineChoice::Names(Entry::File, NameCall::Create);
        // Another clone that shares the file may have deleted it already.
        for file in &clone.files {
            match engine {
                EngineChoice::Names(Entry::Directory, _) => _ = std::fs::remove_dir(&file.path),
                _ if made || file.kind == FileKind::Regular => _ = targets.unlink(&file.path),
                _ => {}
            }
        }
    }
    targets.settle();
    result.refused = targets.refusal();
}

fn report(
    result: &mut RunResult,
    plan: &Plan,
    (shared, priorities, steady): (&SharedBlocks, &[Option<SharedPriorities>], &[Option<SteadyWatch>]),
    all_histograms: bool,
    mut finishes: Vec<(usize, Finish)>,
) {
    finishes.sort_by_key(|(clone, _)| *clone);
    for (index, finish) in finishes {
        let clone = &plan.clones[index];
        for fact in &finish.notes {
            let about_logs = matches!(fact, NoteFact::LogWaits { .. } | NoteFact::LogIntervalShort { .. });
            let kind = if about_logs { NoteKind::Remark } else { NoteKind::Fallback };
            let note = Note::new(kind, plan.jobs[clone.job].name.clone(), fact.clone());
            if !result.notes.contains(&note) {
                result.notes.push(note);
            }
        }
        if finish.unanswered > 0 {
            let fact = NoteFact::Unanswered { ios: finish.unanswered };
            result.notes.push(Note::new(NoteKind::Remark, plan.jobs[clone.job].name.clone(), fact));
        }
        // Without a ramp or a search there is no baseline: one block of zeros serves all clones.
        let ramped = plan.jobs[clone.job].leaves_out_a_part();
        let now = &shared[index].now;
        let before = if ramped { &shared[index].baseline } else { &shared[plan.clones.len()].now };
        let (priorities, steady) = (priorities[index].as_ref(), steady[index].as_ref());
        let counted = Counted { now, before, priorities, steady };
        let job = &plan.jobs[clone.job];
        let never_ran = finish.start_epoch_ms == 0 && finish.error.is_none();
        result.jobs.push(if finish.unlaid.is_some() {
            outcome::unstarted(job, finish.unlaid)
        } else if never_ran || !job.dependencies.stats {
            outcome::unstarted(job, finish.error)
        } else {
            outcome::outcome(plan, clone, counted, all_histograms, finish)
        });
    }
}
