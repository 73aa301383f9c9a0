//! A whole run: limits, consent, layout, then phase after phase of workers, watched until the last has ended or
//! will not answer; then the result.

use crate::chore;
use crate::consent::{self, Consent, Policy, Refusal};
use crate::drive::Control;
use crate::idle::Idle;
use crate::interim;
use crate::limits::{self, LimitError};
use crate::prepare::{self, LayoutStep};
use crate::sim;
use crate::tally::{self, Counted, Finish};
use crate::watch::{Notice, Watch};
use crate::worker::{self, Assignment, Gate};
use engine::SharedBlocks;
use engine::clock::monotonic_nanos;
use facts::{Before, Sample, SysRoot};
use job::job::{EngineChoice, Entry, ExitWhat, NameCall};
use job::plan::{FileKind, Plan, PlannedJob};
use stats::note::NoteKind;
use stats::{JobError, JobOutcome, Live, Note, RunResult, SharedPriorities, WorkerState};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// Why a run did not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Refused for safety.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A limit of the host stands in the way.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The host refused something that every run needs.
    #[error("{what}: {source}")]
    Host {
        /// What.
        what: &'static str,
        /// Why.
        source: std::io::Error,
    },
    /// The plan cannot be run as it is.
    #[error("{0}")]
    Plan(String),
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What may be overwritten.
    pub consent: Consent,
    /// The machine's facts.
    pub root: SysRoot,
    /// The signal that asks for an early end; 0 = none yet.
    pub interrupt: Arc<AtomicUsize>,
    /// Keep the histogram of lat also where fio's report does not show it: our cards do.
    pub all_histograms: bool,
    /// Tell how idle the CPUs were.
    pub idleness: bool,
    /// How long a device may be silent after the end before its jobs are given up and reported as they stand.
    pub patience: Duration,
}

impl Setup {
    fn interrupted(&self) -> Option<i32> {
        Some(self.interrupt.load(Relaxed) as i32).filter(|signal| *signal != 0)
    }
}

/// Runs `plan`.
pub fn run(plan: &Plan, setup: &Setup, watch: &mut dyn Watch) -> Result<RunResult, RunError> {
    let began = Instant::now();
    let mut result = RunResult::default();
    let models =
        plan.clones.iter().filter(|c| matches!(plan.jobs[c.job].engine, EngineChoice::Model(_))).count();
    if models > 0 && models < plan.clones.len() {
        let why = "ioengine=model runs in virtual time: a run is either all model jobs or has none; split the job file";
        return Err(RunError::Plan(why.into()));
    }
    if models > 0 && plan.jobs.iter().any(|job| job.ties.wait_for.is_some()) {
        return Err(RunError::Plan(
            "ioengine=model runs in virtual time, where wait_for is not built; use stonewall".into(),
        ));
    }
    for note in plan.jobs.iter().flat_map(|j| &j.notes).cloned().chain(limits::check(plan, &setup.root)?) {
        tell(&mut result, watch, note);
    }
    let _guard = consent::check(plan, &setup.consent, &setup.root)?;
    let threads = plan.clones.iter().filter(|c| plan.jobs[c.job].host.thread).count() as u32;
    watch.notice(Notice::Starting { threads, processes: plan.clones.len() as u32 - threads });
    for path in plan.clones.iter().flat_map(|clone| &plan.jobs[clone.job].target.empty) {
        watch.notice(Notice::Said(format!("fio: file {} may be ignored", path.display())));
    }
    let laid = prepare::lay_out_some(
        plan,
        &|clone| !clone.lays_out_late,
        &mut |step| match step {
            LayoutStep::Start { job, files, bytes } => {
                watch.notice(Notice::Layout { job, files: u64::from(files), bytes })
            }
            LayoutStep::Wrote { done, total } => watch.notice(Notice::LayoutProgress { done, total }),
        },
        &|| setup.interrupt.load(Relaxed) != 0,
    );
    for note in laid.notes {
        tell(&mut result, watch, note);
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
        // Others have filled the device: nothing is left to fill, and nothing to read.
        job.target.create_only || filled.is_some() && job.engine.does_io() && clone.io_bytes == 0
    };
    let (skipped, clones): (Vec<usize>, Vec<usize>) =
        (0..plan.clones.len()).partition(|c| failed.contains(c) || only_laid_out(*c));
    let unstarted = |jobs: &mut Vec<JobOutcome>| {
        for &index in &skipped {
            let failure = laid.failed.iter().find(|(clone, _)| *clone == index);
            let error = failure.map(|(_, error)| error.clone().unwrap_or_else(tally::refused));
            let outcome = tally::unstarted(&plan.jobs[plan.clones[index].job], error);
            jobs.insert(index.min(jobs.len()), outcome);
        }
    };
    // What could not be made has no disk; what is only made has one.
    let files = || {
        let files = |c: usize| plan.clones[c].files.iter().map(move |f| (f, &plan.jobs[plan.clones[c].job]));
        let there = (0..plan.clones.len()).filter(|c| !failed.contains(c)).flat_map(files);
        there.filter(|(f, _)| f.kind != FileKind::None).map(|(f, job)| (f.path.as_path(), job))
    };
    let targets: BTreeSet<&Path> = files().map(|(path, _)| path).collect();
    let targets: Vec<PathBuf> = targets.into_iter().take(facts::before::FAR).map(Path::to_owned).collect();
    let listed: BTreeSet<&Path> =
        files().filter(|(_, job)| job.measure.disks).map(|(path, _)| path).collect();
    // What fio's own commands read is what the job asks for and nothing else.
    let sample = match setup.consent.policy {
        _ if plan.jobs.iter().any(|job| matches!(job.engine, EngineChoice::Names(_, NameCall::Delete))) => {
            Sample::Disks
        }
        Policy::Own => Sample::All,
        Policy::Fio | Policy::Unguarded => Sample::Files,
    };
    let look = || Before::look_listing(&setup.root, &targets, &|path: &Path| listed.contains(path), sample);
    if laid.interrupted || clones.is_empty() {
        unstarted(&mut result.jobs);
        result.disks = if laid.interrupted { Vec::new() } else { look().disks_now() };
        result.provenance.ended_by_signal = setup.interrupted();
        finish_up(&mut result, began, plan);
        return Ok(result);
    }
    let shared = SharedBlocks::new(2 * plan.clones.len() + 1)
        .map_err(|source| RunError::Host { what: "memory for counters", source })?;
    let priorities: Arc<[Option<SharedPriorities>]> =
        plan.clones.iter().map(|clone| tally::priorities(&plan.jobs[clone.job])).collect();
    let before = (models == 0).then(look);
    let controls: Arc<[Control]> = plan.clones.iter().map(|_| Control::default()).collect();
    let failed: Vec<(usize, JobError)> = laid
        .failed
        .iter()
        .map(|(clone, error)| (*clone, error.clone().unwrap_or_else(tally::refused)))
        .collect();
    let idle = setup.idleness.then(|| Idle::begin(&setup.root));
    let mut stage = Stage {
        plan,
        setup,
        idle: idle.as_ref(),
        disks: before.as_ref(),
        failed,
        shared: &shared,
        priorities: &priorities,
        controls: &controls,
        watch,
        finishes: Vec::new(),
        signal: None,
        all_over: false,
        began: Instant::now(),
        weights: Vec::new(),
    };
    for phase in phases(plan, &clones) {
        if stage.signal.is_some() {
            break;
        }
        if stage.all_over {
            // fio reports them, with nothing done.
            stage.finishes.extend(phase.iter().map(|index| (*index, Finish::default())));
            continue;
        }
        if models > 0 { sim::run(&mut stage, &phase) } else { stage.real(&phase)? }
    }
    let Stage { finishes, signal, weights, .. } = stage;
    result.provenance.ended_by_signal = signal;
    result.idleness = idle.as_ref().map(Idle::now);
    report(&mut result, plan, (&shared, &priorities), setup.all_histograms, finishes);
    unstarted(&mut result.jobs);
    let totals = |f: fn(&stats::shared::SharedDirection) -> u64| {
        let sum = |d: usize| (0..plan.clones.len()).map(|c| f(&shared[2 * c].directions[d])).sum();
        [sum(0), sum(1), sum(2)]
    };
    if let Some(before) = before {
        let (layers, disks) = before.after(totals(|d| d.ios.get()), totals(|d| d.bytes.get()));
        (result.layers, result.disks) = (layers, disks);
    }
    let nanos: u128 = result.jobs.iter().flat_map(|j| &j.directions).map(|d| d.lat.moments.sum).sum();
    let wall: u64 = weights.iter().map(|(ms, _)| ms).sum();
    result.layers.app_ios = totals(|d| d.ios.get());
    result.layers.app_bytes = totals(|d| d.bytes.get());
    result.layers.wall_ms = wall;
    result.layers.depth_reached = nanos as f64 / 1e6 / wall.max(1) as f64;
    result.layers.depth_asked =
        weights.iter().map(|(ms, asked)| *ms as f64 * asked).sum::<f64>() / wall.max(1) as f64;
    let busy = |j: &JobOutcome| {
        100.0 * (j.cpu.user_us + j.cpu.system_us) as f64 / 1000.0 / j.cpu.wall_ms.max(1) as f64
    };
    result.layers.busiest_thread_percent = result.jobs.iter().map(busy).fold(0.0, f64::max);
    finish_up(&mut result, began, plan);
    Ok(result)
}

fn tell(result: &mut RunResult, watch: &mut dyn Watch, note: Note) {
    watch.notice(Notice::Note(note.clone()));
    result.notes.push(note);
}

fn finish_up(result: &mut RunResult, began: Instant, plan: &Plan) {
    result.provenance.timestamp_ms = worker::epoch_ms();
    result.provenance.elapsed_ms = began.elapsed().as_millis() as u64;
    for clone in plan.clones.iter().filter(|c| plan.jobs[c.job].target.unlink) {
        let engine = &plan.jobs[clone.job].engine;
        let made = *engine == EngineChoice::Names(Entry::File, NameCall::Create);
        // Another clone may share it and have been here first.
        for file in &clone.files {
            match engine {
                EngineChoice::Names(Entry::Directory, _) => _ = std::fs::remove_dir(&file.path),
                _ if made || file.kind == FileKind::Regular => _ = std::fs::remove_file(&file.path),
                _ => {}
            }
        }
    }
}

fn report(
    result: &mut RunResult,
    plan: &Plan,
    (shared, priorities): (&SharedBlocks, &[Option<SharedPriorities>]),
    all_histograms: bool,
    mut finishes: Vec<(usize, Finish)>,
) {
    finishes.sort_by_key(|(clone, _)| *clone);
    for (index, finish) in finishes {
        let clone = &plan.clones[index];
        for text in &finish.notes {
            let note = Note::new(NoteKind::Fallback, plan.jobs[clone.job].name.clone(), text.clone());
            if !result.notes.contains(&note) {
                result.notes.push(note);
            }
        }
        if finish.unanswered > 0 {
            let text = format!(
                "{} I/Os in flight were never answered; the report shows what had completed",
                finish.unanswered
            );
            result.notes.push(Note::new(NoteKind::Remark, plan.jobs[clone.job].name.clone(), text));
        }
        // Without a ramp there is no baseline: one block of zeros, never written, serves all.
        let ramped = plan.jobs[clone.job].limits.ramps();
        let baseline = if ramped { 2 * index + 1 } else { 2 * plan.clones.len() };
        let (now, before) = (&shared[2 * index], &shared[baseline]);
        let counted = Counted { now, before, priorities: priorities[index].as_ref() };
        let job = &plan.jobs[clone.job];
        let never_ran = finish.start_epoch_ms == 0 && finish.error.is_none();
        result.jobs.push(if finish.unlaid.is_some() {
            tally::unstarted(job, finish.unlaid)
        } else if never_ran || !job.ties.stats {
            tally::unstarted(job, finish.error)
        } else {
            tally::outcome(plan, clone, counted, all_histograms, finish)
        });
    }
}

/// Clones that run together, in order: a stonewalled job begins a new phase.
fn phases(plan: &Plan, clones: &[usize]) -> Vec<Vec<usize>> {
    let mut phases: Vec<Vec<usize>> = vec![Vec::new()];
    let mut last_job = usize::MAX;
    for &index in clones {
        let job = plan.clones[index].job;
        if job != last_job && plan.jobs[job].stonewall && phases.last().is_some_and(|p| !p.is_empty()) {
            phases.push(Vec::new());
        }
        last_job = job;
        if let Some(phase) = phases.last_mut() {
            phase.push(index);
        }
    }
    phases
}

/// What the phases of one run share.
pub(crate) struct Stage<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) setup: &'a Setup,
    /// The CPUs, from the start of the run on, where they are asked about.
    pub(crate) idle: Option<&'a Idle>,
    /// The disks to report, before the run.
    pub(crate) disks: Option<&'a Before>,
    /// Clones whose files could not be made.
    pub(crate) failed: Vec<(usize, JobError)>,
    pub(crate) shared: &'a SharedBlocks,
    /// Latencies by priority, of the clones whose I/Os have several.
    pub(crate) priorities: &'a Arc<[Option<SharedPriorities>]>,
    pub(crate) controls: &'a Arc<[Control]>,
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) finishes: Vec<(usize, Finish)>,
    pub(crate) signal: Option<i32>,
    /// A job with `exit_what=all` has ended: later phases do not begin.
    all_over: bool,
    /// When the first phase began.
    began: Instant,
    /// Wall time and sum of depths of each phase.
    pub(crate) weights: Vec<(u64, f64)>,
}

/// What workers say to the stage.
enum Word {
    /// To be told at once.
    Told(Notice),
    /// A clone has ended.
    Ended(usize, Box<Finish>),
}

/// Words that may wait to be heard; whoever has more to say waits, as fio's jobs do for what they print.
const UNHEARD: usize = 1024;

/// The gate of clones that begin together.
struct Crew {
    barrier: Arc<Barrier>,
    stage: SyncSender<Word>,
}

impl Gate for Crew {
    fn start(&self) {
        self.barrier.wait();
    }

    fn tell(&self, notice: Notice) {
        // The receiver is gone only when this worker was given up.
        let _ = self.stage.send(Word::Told(notice));
    }
}

/// Stacks are small: a worker's buffers are mapped, not on its stack, and 512 of them should cost little.
const STACK: usize = 256 * 1024;

impl Stage<'_> {
    fn real(&mut self, phase: &[usize]) -> Result<(), RunError> {
        let plan = Arc::new(self.plan.clone());
        let (says, words) = sync_channel(UNHEARD);
        let mut open: BTreeSet<usize> = phase.iter().copied().collect();
        let (ready, mut held): (Vec<usize>, Vec<usize>) =
            phase.iter().partition(|index| !self.must_wait(**index, &open));
        self.start(&ready, &plan, &says)?;
        self.end_what_waits_for_io();
        let began = Instant::now();
        let mut view = View::new(self, phase);
        let mut silent_since = (Instant::now(), 0u64);
        let mut eta = None;
        while !open.is_empty() {
            match words.recv_timeout(view.wait(self.watch.interval())) {
                Ok(Word::Told(notice)) => self.watch.notice(notice),
                Ok(Word::Ended(index, finish)) => {
                    open.remove(&index);
                    self.ended(index, *finish);
                    let ready: Vec<usize> =
                        held.extract_if(.., |index| !self.must_wait(*index, &open)).collect();
                    self.start(&ready, &plan, &says)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.heed_signal();
            if view.due(self.watch.interval()) {
                let live = view.look(self, phase);
                self.watch.look(&live);
                eta = live.eta_s;
            }
            if self.watch.report_due() {
                let result = interim::result(self, eta);
                self.watch.report(result);
            }
            let answered: u64 = open.iter().map(|c| answered(&self.shared[2 * c])).sum();
            if answered != silent_since.1 || !self.should_have_ended(&open) {
                silent_since = (Instant::now(), answered);
            } else if silent_since.0.elapsed() > self.setup.patience {
                for index in std::mem::take(&mut open) {
                    self.give_up(index);
                }
            }
        }
        let asked =
            phase.iter().map(|c| f64::from(self.plan.jobs[self.plan.clones[*c].job].queue.effective)).sum();
        let measured = phase
            .iter()
            .filter_map(|c| self.finishes.iter().find(|(i, _)| i == c))
            .map(|(_, f)| f.runtime_nanos / 1_000_000)
            .max();
        self.weights.push((measured.unwrap_or(began.elapsed().as_millis() as u64).max(1), asked));
        Ok(())
    }

    /// Whether the clone waits for a job that has not ended.
    fn must_wait(&self, index: usize, open: &BTreeSet<usize>) -> bool {
        let job_of = |index: usize| &self.plan.jobs[self.plan.clones[index].job];
        let waitee = job_of(index).ties.wait_for.as_ref();
        waitee.is_some_and(|name| open.iter().any(|other| job_of(*other).name == *name))
    }

    /// Starts the threads of clones that begin together.
    fn start(&mut self, phase: &[usize], plan: &Arc<Plan>, says: &SyncSender<Word>) -> Result<(), RunError> {
        for index in phase {
            let job = &self.plan.jobs[self.plan.clones[*index].job];
            chore::announcement(job).into_iter().for_each(|line| self.watch.notice(Notice::Said(line)));
        }
        // A barrier that a worker passes when all are prepared; those that could not be started are stood in for.
        let barrier = Arc::new(Barrier::new(phase.len()));
        for (nth, &index) in phase.iter().enumerate() {
            let (plan, shared, controls) = (plan.clone(), self.shared.clone(), self.controls.clone());
            let priorities = self.priorities.clone();
            let crew = Crew { barrier: barrier.clone(), stage: says.clone() };
            let (all_histograms, began) = (self.setup.all_histograms, self.began);
            let body = move || {
                let assignment = Assignment {
                    plan: &plan,
                    clone: &plan.clones[index],
                    blocks: &shared,
                    shared: &shared[2 * index],
                    baseline: &shared[2 * index + 1],
                    priorities: priorities[index].as_ref(),
                    control: &controls[index],
                    all_histograms,
                    gate: &crew,
                    began,
                };
                let worked =
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| worker::work(assignment)));
                let finish = worked.unwrap_or_else(|_| Finish {
                    error: Some(JobError {
                        errno: 14,
                        function: "worker".into(),
                        text: "the worker panicked (a bug in fathom)".into(),
                    }),
                    ..Finish::default()
                });
                // The receiver is gone only when this worker was given up.
                let _ = crew.stage.send(Word::Ended(index, Box::new(finish)));
            };
            let job = &self.plan.jobs[self.plan.clones[index].job];
            // The kernel keeps 15 bytes; a zero byte would end the name.
            let name = job.host.comm.as_ref().unwrap_or(&job.name);
            let name = name.chars().filter(|letter| *letter != '\0').take(15).collect();
            if let Err(source) = std::thread::Builder::new().name(name).stack_size(STACK).spawn(body) {
                self.controls.iter().for_each(Control::stop);
                // Let those that wait at the barrier go.
                for _ in nth..phase.len() {
                    let barrier = barrier.clone();
                    let _ = std::thread::Builder::new().stack_size(STACK).spawn(move || barrier.wait());
                }
                return Err(RunError::Host {
                    what: "starting a job's thread (numjobs above the limit of threads?)",
                    source,
                });
            }
        }
        Ok(())
    }

    /// Stops all workers once a signal asked for the end.
    pub(crate) fn heed_signal(&mut self) {
        if self.signal.is_none()
            && let Some(signal) = self.setup.interrupted()
        {
            self.signal = Some(signal);
            self.controls.iter().for_each(Control::stop);
        }
    }

    pub(crate) fn ended(&mut self, index: usize, finish: Finish) {
        if let Some(error) = &finish.error {
            self.watch.notice(Notice::Failed {
                pid: finish.pid,
                error: error.clone(),
                lines: finish.lines.clone(),
            });
        } else if !finish.lines.is_empty() {
            for line in &finish.lines {
                self.watch.notice(Notice::Note(Note::new(NoteKind::Fio, "", line.clone())));
            }
        }
        for line in &finish.said {
            self.watch.notice(Notice::Said(line.clone()));
        }
        let job = &self.plan.jobs[self.plan.clones[index].job];
        if job.ties.exitall || job.ties.exitall_on_error && finish.error.is_some() {
            let began = |clone: usize| state(&self.shared[2 * clone]) != WorkerState::Waiting;
            let taken = |clone: usize| match job.ties.exit_what {
                ExitWhat::Group => self.plan.jobs[self.plan.clones[clone].job].group == job.group,
                ExitWhat::Running => began(clone),
                ExitWhat::All => true,
            };
            self.all_over |= job.ties.exit_what == ExitWhat::All;
            (0..self.controls.len()).filter(|c| taken(*c)).for_each(|c| self.controls[c].stop());
        }
        self.finishes.push((index, finish));
        self.end_what_waits_for_io();
    }

    /// Ends the jobs with `exit_on_io_done` once every job that does I/O has ended, those still to come too.
    fn end_what_waits_for_io(&self) {
        let job_of = |clone: usize| &self.plan.jobs[self.plan.clones[clone].job];
        let waits =
            |clone: &usize| matches!(job_of(*clone).engine, EngineChoice::Cpu(cpu) if cpu.exit_on_io_done);
        let all = || 0..self.plan.clones.len();
        if !all().any(|clone| waits(&clone)) {
            return;
        }
        let ended = self.finishes.iter().map(|(clone, _)| *clone);
        let ended: BTreeSet<usize> = ended.chain(self.failed.iter().map(|(clone, _)| *clone)).collect();
        let over = |clone: usize| ended.contains(&clone) || job_of(clone).target.create_only;
        let mut doing_io = all().filter(|clone| job_of(*clone).engine.does_io()).peekable();
        // Where nobody does I/O there is none that could be done.
        if doing_io.peek().is_some() && doing_io.all(over) {
            all().filter(waits).for_each(|clone| self.controls[clone].stop());
        }
    }

    /// Whether every open worker was told to end, by request or by its runtime.
    fn should_have_ended(&self, open: &BTreeSet<usize>) -> bool {
        let now = monotonic_nanos();
        open.iter().all(|index| {
            let shared = &self.shared[2 * index];
            let job = &self.plan.jobs[self.plan.clones[*index].job];
            let limits = job.limits;
            let began = shared.began.get();
            let over = limits.runtime > 0
                && began > 0
                && state(shared) != WorkerState::Ramp
                && now > began.saturating_add(limits.ramp_time).saturating_add(limits.runtime);
            // Writing back what is cached takes as long as it takes; only a signal makes that too long.
            let syncing = state(shared) == WorkerState::Syncing && self.signal.is_none();
            // A program may take its grace time.
            job.engine.does_io() && (self.controls[*index].stopped() || over && !syncing)
        })
    }

    /// A worker that hangs in the kernel: reported as its counters stand.
    fn give_up(&mut self, index: usize) {
        let shared = &self.shared[2 * index];
        let job = &self.plan.jobs[self.plan.clones[index].job];
        let ran = match shared.began.get() {
            0 => 0, // it hangs before its first I/O
            began => monotonic_nanos().saturating_sub(began.saturating_add(job.limits.ramp_time)),
        };
        // A synchronous call counts as in flight when it has returned: whoever is silent waits for one at least.
        let unanswered = shared.in_flight.get().max(1);
        let finish = Finish {
            runtime_nanos: ran,
            // Its thread id went with it; fio takes 0 for a job that never began.
            pid: std::process::id(),
            lines: vec![format!(
                "fathom: job {}: {unanswered} I/Os in flight were never answered; the report shows what had completed",
                job.name
            )],
            start_epoch_ms: worker::epoch_ms().saturating_sub(ran / 1_000_000),
            start_clock_ms: worker::start_clock(job, ran),
            error: Some(JobError {
                errno: 110,
                function: "reap".into(),
                text: format!("{}: the device did not answer", tally::errno_text(110)),
            }),
            unanswered,
            ..Finish::default()
        };
        self.ended(index, finish);
    }
}

fn answered(shared: &stats::Shared) -> u64 {
    shared.directions.iter().map(|d| d.ios.get() + d.errors.get()).sum::<u64>() + shared.syncs.get()
}

/// The live view: differences of counters.
struct View {
    began: Instant,
    last: Instant,
    counts: [(u64, u64); 3],
    /// Bytes that the phase will move, if that ends it.
    bytes: u64,
    /// Nanoseconds after which the last job ends by its runtime, if all have one.
    runtime: Option<u64>,
}

impl View {
    fn new(stage: &Stage<'_>, phase: &[usize]) -> Self {
        let jobs =
            || phase.iter().map(|c| (&stage.plan.clones[*c], &stage.plan.jobs[stage.plan.clones[*c].job]));
        let runtime = jobs().map(|(_, j)| {
            (j.limits.runtime > 0).then(|| j.limits.startdelay_most + j.limits.ramp_time + j.limits.runtime)
        });
        Self {
            began: Instant::now(),
            last: Instant::now(),
            counts: [(0, 0); 3],
            bytes: jobs()
                .map(|(c, j)| c.io_bytes.saturating_mul(j.limits.loops.max(1)))
                .fold(0, u64::saturating_add),
            runtime: runtime.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()),
        }
    }

    /// How long to wait for the next event.
    fn wait(&self, interval: Duration) -> Duration {
        interval
            .saturating_sub(self.last.elapsed())
            .clamp(Duration::from_millis(1), Duration::from_millis(100))
    }

    fn due(&self, interval: Duration) -> bool {
        self.last.elapsed() >= interval
    }

    fn look(&mut self, stage: &Stage<'_>, phase: &[usize]) -> Live {
        let elapsed = self.last.elapsed().as_secs_f64().max(1e-3);
        self.last = Instant::now();
        let sum =
            |f: &dyn Fn(&stats::Shared) -> u64| phase.iter().map(|c| f(&stage.shared[2 * c])).sum::<u64>();
        let counts: [(u64, u64); 3] = std::array::from_fn(|d| {
            (sum(&|s| s.directions[d].ios.get()), sum(&|s| s.directions[d].bytes.get()))
        });
        let rate = |now: u64, then: u64| (now.saturating_sub(then) as f64 / elapsed) as u64;
        let ran = self.began.elapsed();
        let bytes: u64 = counts.iter().map(|c| c.1).sum();
        let by_bytes = if self.bytes == 0 { 0.0 } else { bytes as f64 / self.bytes as f64 };
        let by_time = self.runtime.map(|all| ran.as_nanos() as f64 / all.max(1) as f64);
        let endless = phase.iter().all(|c| stage.plan.jobs[stage.plan.clones[*c].job].limits.time_based);
        let share = by_time.unwrap_or(0.0).max(if endless { 0.0 } else { by_bytes }).min(1.0);
        let live = Live {
            letters: phase
                .iter()
                .map(|c| letter(stage.plan, &stage.plan.clones[*c], &stage.shared[2 * c]))
                .collect(),
            running: phase
                .iter()
                .filter(|c| {
                    !matches!(state(&stage.shared[2 * **c]), WorkerState::Waiting | WorkerState::Exited)
                })
                .count() as u32,
            open_files: sum(&|s| s.open_files.get()),
            bytes_per_second: std::array::from_fn(|d| rate(counts[d].1, self.counts[d].1)),
            iops: std::array::from_fn(|d| rate(counts[d].0, self.counts[d].0)),
            percent: (share > 0.0).then_some(100.0 * share),
            eta_s: (share > 0.0).then(|| (ran.as_secs_f64() * (1.0 - share) / share).ceil() as u64),
            elapsed_ms: ran.as_millis() as u64,
        };
        self.counts = counts;
        live
    }
}

fn state(shared: &stats::Shared) -> WorkerState {
    WorkerState::from_number(shared.state.get())
}

/// fio's letter for a job.
fn letter(plan: &Plan, clone: &PlannedJob, shared: &stats::Shared) -> char {
    use job::job::{Mix, Order};
    let pattern = &plan.jobs[clone.job].pattern;
    let random = matches!(pattern.order, Order::Random { .. });
    match state(shared) {
        WorkerState::Waiting => 'P',
        WorkerState::Preparing => 'I',
        WorkerState::Ramp => '/',
        WorkerState::Syncing => 'F',
        WorkerState::Exited => '_',
        WorkerState::Running => match (pattern.mix, random) {
            (Mix::Read, false) => 'R',
            (Mix::Read, true) => 'r',
            (Mix::Write | Mix::TrimWrite, false) => 'W',
            (Mix::Write | Mix::TrimWrite, true) => 'w',
            (Mix::ReadWrite { .. }, false) => 'M',
            (Mix::ReadWrite { .. }, true) => 'm',
            (Mix::Trim, false) => 'D',
            (Mix::Trim, true) => 'd',
        },
    }
}
