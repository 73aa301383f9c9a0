//! Phase after phase of workers, watched until the last has ended or will not answer.

use crate::chore;
use crate::drive::Control;
use crate::idle::Idle;
use crate::interim;
use crate::kernel_settings::{self, KernelSettings};
use crate::live::View;
use crate::sim;
use crate::stops::Stops;
use crate::tally::{self, Finish};
use crate::targets::Targets;
use crate::watch::{Notice, Watch};
use crate::whole::{RunError, Setup};
use crate::worker::{self, Assignment, Gate};
use engine::SharedBlocks;
use engine::clock::monotonic_nanos;
use facts::Before;
use job::job::{EngineChoice, ExitWhat};
use job::plan::Plan;
use stats::note::NoteKind;
use stats::{JobError, Note, Series, SharedPriorities, WorkerState};
use std::collections::BTreeSet;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

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
    /// What was checked before the run.
    pub(crate) targets: &'a Arc<Targets>,
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
    /// Settings of the kernel that the jobs change.
    pub(crate) settings: &'a mut KernelSettings,
    pub(crate) finishes: Vec<(usize, Finish)>,
    pub(crate) signal: Option<i32>,
    /// A job with `exit_what=all` has ended: later phases do not begin.
    pub(crate) all_over: bool,
    /// When the first phase began.
    pub(crate) began: Instant,
    /// Wall time and sum of depths of each phase.
    pub(crate) weights: Vec<(u64, f64)>,
    /// The rate over time, of each phase.
    pub(crate) series: Vec<(String, Series)>,
    /// Stops of the whole process.
    pub(crate) stops: Stops,
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

/// I/Os and bytes: read, write, trim.
pub(crate) type Counts = [[u64; 3]; 2];

/// Stacks are small: a worker's buffers are mapped, not on its stack, and 512 of them should cost little.
const STACK: usize = 256 * 1024;

impl Stage<'_> {
    /// Runs these clones, phase after phase; in virtual time if they are of simulated devices.
    pub(crate) fn run(&mut self, clones: &[usize], simulated: bool) -> Result<(), RunError> {
        for phase in phases(self.plan, clones) {
            if self.signal.is_some() {
                break;
            }
            if self.all_over {
                // fio reports them, with nothing done.
                self.finishes.extend(phase.iter().map(|index| (*index, Finish::default())));
                continue;
            }
            if simulated { sim::run(self, &phase) } else { self.real(&phase)? }
        }
        Ok(())
    }

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
        let mut series = Series::with(self.setup.window);
        let mut enough = false;
        while !open.is_empty() {
            let wait = view.wait(self.watch.interval()).min(Duration::from_nanos(series.period));
            let asleep = Instant::now();
            let word = words.recv_timeout(wait);
            self.stops.woke(asleep.elapsed().saturating_sub(wait));
            match word {
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
            if !enough && self.look_at_rate(&mut series, phase) && self.watch.enough(&series) {
                self.stop(phase);
                enough = true;
            }
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
        self.keep_series(phase, series);
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

    /// Ends a window of the phase's rate if one is due, and says whether one did. Only the time in which all of its
    /// workers do I/O counts.
    fn look_at_rate(&self, series: &mut Series, phase: &[usize]) -> bool {
        let running = |c: &usize| state(&self.shared[2 * c]) == WorkerState::Running;
        if !phase.iter().all(running) {
            series.pause();
            return false;
        }
        self.look_at(series, monotonic_nanos(), phase)
    }

    /// Shows the phase's counters to its rate.
    fn look_at(&self, series: &mut Series, now: u64, phase: &[usize]) -> bool {
        let (mut ios, mut bytes) = ([0; 3], [0; 3]);
        for [more_ios, more_bytes] in phase.iter().map(|clone| self.counts(*clone)) {
            for d in 0..3 {
                ios[d] += more_ios[d];
                bytes[d] += more_bytes[d];
            }
        }
        series.look(now, ios, bytes)
    }

    /// What a clone has completed.
    pub(crate) fn counts(&self, clone: usize) -> Counts {
        let directions = &self.shared[2 * clone].directions;
        [std::array::from_fn(|d| directions[d].ios.get()), std::array::from_fn(|d| directions[d].bytes.get())]
    }

    /// Keeps the phase's rate, under the name of its job if there is only one.
    pub(crate) fn keep_series(&mut self, phase: &[usize], series: Series) {
        let job_of = |c: &usize| &self.plan.jobs[self.plan.clones[*c].job].name;
        let name = phase.first().map(job_of).filter(|first| phase.iter().all(|c| job_of(c) == *first));
        self.series.push((name.cloned().unwrap_or_default(), series));
    }

    /// Asks the phase's jobs to end.
    pub(crate) fn stop(&self, phase: &[usize]) {
        phase.iter().for_each(|clone| self.controls[*clone].stop());
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
            kernel_settings::switch_scheduler(self.plan, &self.plan.clones[*index], self.settings)
                .map_err(RunError::Plan)?;
        }
        self.targets.begin_phase(&self.setup.root);
        // A barrier that a worker passes when all are prepared; those that could not be started are stood in for.
        let barrier = Arc::new(Barrier::new(phase.len()));
        for (nth, &index) in phase.iter().enumerate() {
            let (plan, shared, controls) = (plan.clone(), self.shared.clone(), self.controls.clone());
            let (priorities, targets) = (self.priorities.clone(), self.targets.clone());
            let crew = Crew { barrier: barrier.clone(), stage: says.clone() };
            let (all_histograms, began) = (self.setup.all_histograms, self.began);
            let body = move || {
                let assignment = Assignment {
                    plan: &plan,
                    clone: &plan.clones[index],
                    targets: &targets,
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
        if self.targets.refusal().is_some() {
            // Another program has changed or replaced a target of this run.
            self.all_over = true;
            self.controls.iter().for_each(Control::stop);
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

/// What a worker says that it does.
pub(crate) fn state(shared: &stats::Shared) -> WorkerState {
    WorkerState::from_number(shared.state.get())
}
