//! The state of all phases of a run, and the actions that both drivers (in real and in virtual time) share.

use crate::connection_watch::ConnectionWatch;
use crate::control::Control;
use crate::cpu_waits::CpuWaits;
use crate::finish::Finish;
use crate::idle::Idle;
use crate::kernel_settings::KernelSettings;
use crate::logs::LogLink;
use crate::setup::Setup;
use crate::steady_watch::SteadyWatch;
use crate::stops::Stops;
use crate::targets::Targets;
use crate::verify::Records;
use crate::watch::{Notice, Watch};
use crate::wear::WriteAllowance;
use engine::SharedBlocks;
use facts::Before;
use job::job::{EngineChoice, ExitWhat};
use job::plan::Plan;
use stats::note::Note;
use stats::{JobError, Series, SharedPriorities, WorkerState};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// Returns the clones of each phase, in order: a job with `stonewall` begins a new phase.
pub(crate) fn phases(plan: &Plan, clones: &[usize]) -> Vec<Vec<usize>> {
    let phase = |index: &usize| plan.phase(plan.clones[*index].job);
    clones.chunk_by(|a, b| phase(a) == phase(b)).map(<[usize]>::to_vec).collect()
}

/// The phases of one run: its plan and counters, and the results of the clones that have ended.
pub(crate) struct PhaseRunner<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) setup: &'a Setup,
    /// Targets as they were checked before the run.
    pub(crate) targets: &'a Arc<Targets>,
    /// Records of the writes to files that are verified.
    pub(crate) records: &'a Arc<Records>,
    /// Idle times of the CPUs since the start of the run, with `--idle-prof`.
    pub(crate) idle: Option<&'a Idle>,
    /// Counters of the reported disks before the run.
    pub(crate) disks: Option<&'a Before>,
    /// Clones whose files could not be created, with the error.
    pub(crate) failed: Vec<(usize, JobError)>,
    pub(crate) shared: &'a SharedBlocks,
    /// Latencies by priority, for clones whose I/Os have several priorities.
    pub(crate) priorities: &'a Arc<[Option<SharedPriorities>]>,
    /// Links of the clones to the writer of their logs; empty if no job writes one.
    pub(crate) logs: Arc<[Option<LogLink>]>,
    pub(crate) controls: &'a Arc<[Control]>,
    /// Steady states, for the clones that sample one.
    pub(crate) steady: &'a Arc<[Option<SteadyWatch>]>,
    pub(crate) watch: &'a mut dyn Watch,
    /// Kernel settings that the jobs change, which are restored at the end.
    pub(crate) settings: &'a mut KernelSettings,
    pub(crate) finishes: Vec<(usize, Finish)>,
    pub(crate) signal: Option<i32>,
    /// Whether a job with `exit_what=all` has ended, so that later phases do not begin.
    pub(crate) all_over: bool,
    /// Data that the command may still write; `None` without a budget, or if it was used up before the run.
    pub(crate) allowance: Option<&'a WriteAllowance>,
    /// Start of the first phase.
    pub(crate) began: Instant,
    /// Length in milliseconds and sum of queue depths of each phase.
    pub(crate) weights: Vec<(u64, f64)>,
    /// Rate over time of each phase, with the phase's name.
    pub(crate) series: Vec<(String, Series)>,
    /// Times during which the whole process was stopped (SIGSTOP).
    pub(crate) stops: Stops,
    /// Waits of the workers for a CPU.
    pub(crate) cpu_waits: CpuWaits,
    /// Connections to the servers of the targets.
    pub(crate) connections: ConnectionWatch,
    /// Notes about the phases.
    pub(crate) notes: Vec<Note>,
}

/// Number of I/Os and number of bytes, each for read, write and trim.
pub(crate) type Counts = [[u64; 3]; 2];

impl PhaseRunner<'_> {
    /// Returns the numbers of I/Os and bytes that a clone has completed.
    pub(crate) fn counts(&self, clone: usize) -> Counts {
        let directions = &self.shared[clone].now.directions;
        [std::array::from_fn(|d| directions[d].ios.get()), std::array::from_fn(|d| directions[d].bytes.get())]
    }

    /// Stores the phase's rate over time, under the name of its job if the phase has only one.
    pub(crate) fn keep_series(&mut self, phase: &[usize], series: Series) {
        let named = self.named(phase, series);
        self.series.push(named);
    }

    /// Returns the rates over time of the phases before this one and of this one up to now.
    pub(crate) fn series_so_far(&self, phase: &[usize], series: &Series) -> Vec<(String, Series)> {
        self.series.iter().cloned().chain([self.named(phase, series.clone())]).collect()
    }

    fn named(&self, phase: &[usize], series: Series) -> (String, Series) {
        let job_of = |c: &usize| &self.plan.jobs[self.plan.clones[*c].job].name;
        let name = phase.first().map(job_of).filter(|first| phase.iter().all(|c| job_of(c) == *first));
        (name.cloned().unwrap_or_default(), series)
    }

    /// Requests the clones of the phase to end.
    pub(crate) fn stop(&self, phase: &[usize]) {
        phase.iter().for_each(|clone| self.controls[*clone].stop());
    }

    /// Requests all workers to end after a signal requested the end of the run.
    pub(crate) fn stop_on_signal(&mut self) {
        if self.signal.is_none()
            && let Some(signal) = self.setup.interrupted()
        {
            self.signal = Some(signal);
            self.controls.iter().for_each(Control::stop);
        }
    }

    /// Requests all workers to end, and lets no phase begin, after a write exceeded the budget (`--wear-budget`).
    pub(crate) fn stop_on_budget(&mut self) {
        if self.allowance.is_some_and(WriteAllowance::exhausted) {
            self.all_over = true;
            self.controls.iter().for_each(Control::stop);
        }
    }

    /// Passes the result of a clone that has ended to the watcher, and ends the clones that end with it (`exitall`).
    pub(crate) fn ended(&mut self, index: usize, finish: Finish) {
        if let Some(error) = &finish.error {
            self.watch.notice(Notice::Failed {
                pid: finish.pid,
                error: error.clone(),
                lines: finish.lines.clone(),
            });
        } else {
            for line in &finish.lines {
                self.watch.notice(Notice::Line(line.clone()));
            }
        }
        for line in &finish.said {
            self.watch.notice(Notice::Said(line.clone()));
        }
        let job = &self.plan.jobs[self.plan.clones[index].job];
        if job.dependencies.exitall || job.dependencies.exitall_on_error && finish.error.is_some() {
            let began = |clone: usize| state(&self.shared[clone].now) != WorkerState::Waiting;
            let taken = |clone: usize| match job.dependencies.exit_what {
                ExitWhat::Group => self.plan.jobs[self.plan.clones[clone].job].group == job.group,
                ExitWhat::Running => began(clone),
                ExitWhat::All => true,
            };
            self.all_over |= job.dependencies.exit_what == ExitWhat::All;
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

    /// Ends the jobs with `exit_on_io_done`, including those of later phases, once every job that does I/O has ended.
    pub(crate) fn end_what_waits_for_io(&self) {
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
        // Without jobs that do I/O, the jobs are not ended here.
        if doing_io.peek().is_some() && doing_io.all(over) {
            all().filter(waits).for_each(|clone| self.controls[clone].stop());
        }
    }
}

/// Returns the state that a worker has published.
pub(crate) fn state(shared: &stats::Shared) -> WorkerState {
    WorkerState::from_number(shared.state.get())
}
