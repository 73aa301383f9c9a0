//! The driver in real time: one thread per clone of a phase, watched until the last clone has ended or its device has
//! stopped responding.

use crate::assignment::{Assignment, PhaseSync};
use crate::control::Control;
use crate::finish::Finish;
use crate::interim;
use crate::job_error::failed_because;
use crate::kernel_settings;
use crate::line::Line;
use crate::live::View;
use crate::no_io;
use crate::phase_runner::{PhaseRunner, state};
use crate::setup::{HostResource, RunError, StartGate};
use crate::wall_clock;
use crate::watch::Notice;
use crate::worker_thread;
use engine::clock::monotonic_nanos;
use job::plan::Plan;
use rustix::io::Errno;
use stats::job_error::ErrorCause;
use stats::{Series, WorkerState};
use std::collections::BTreeSet;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// Message from a worker's thread to the driver.
enum Message {
    /// A notice for the watcher, passed on at once.
    Notice(Notice),
    /// The clone with this index has ended.
    Ended(usize, Box<Finish>),
}

/// Capacity of the message channel. A worker waits if the channel is full, as fio's jobs wait for their output.
const MESSAGES: usize = 1024;

/// The last window may end after the runtime by its length divided by this number: each window ends some microseconds late, which adds
/// up.
const LATE: u64 = 4;

/// Others whose workers begin a phase at the same time, and the number of the phase.
type Gate = (Arc<dyn StartGate>, usize);

/// Start barrier of clones that begin together, and their channel to the driver.
struct StartBarrier {
    barrier: Arc<Barrier>,
    /// `None` if nobody else begins with these clones.
    gate: Option<Gate>,
    controls: Arc<[Control]>,
    messages: SyncSender<Message>,
}

impl PhaseSync for StartBarrier {
    fn wait_for_start(&self) {
        let last = self.barrier.wait().is_leader();
        if let Some((gate, phase)) = &self.gate {
            if last {
                gate.prepared(*phase);
            }
            if !gate.wait(*phase) {
                self.controls.iter().for_each(Control::stop);
            }
        }
    }

    fn notify(&self, notice: Notice) {
        // The receiver is closed only if the driver no longer waits for this worker.
        let _ = self.messages.send(Message::Notice(notice));
    }
}

/// Stack size of a worker in bytes: small, because the buffers are mapped separately and 512 workers should need
/// little memory.
const STACK: usize = 256 * 1024;

/// Runs one phase on threads of this process, until its last clone has ended or is no longer waited for.
///
/// # Errors
/// A thread cannot be started, or the I/O scheduler that a job sets cannot be set.
pub(crate) fn run(runner: &mut PhaseRunner<'_>, phase: &[usize]) -> Result<(), RunError> {
    runner.run_in_real_time(phase)
}

impl PhaseRunner<'_> {
    fn run_in_real_time(&mut self, phase: &[usize]) -> Result<(), RunError> {
        let plan = Arc::new(self.plan.clone());
        let (sender, messages) = sync_channel(MESSAGES);
        let mut open: BTreeSet<usize> = phase.iter().copied().collect();
        let (ready, mut held): (Vec<usize>, Vec<usize>) =
            phase.iter().partition(|index| !self.must_wait(**index, &open));
        let number = phase.first().map_or(0, |index| self.plan.phase(self.plan.clones[*index].job));
        let gate = self.setup.gate.clone().map(|gate| (gate, number));
        if gate.as_ref().is_some_and(|(gate, number)| !gate.reached(*number)) {
            self.stop_on_signal();
            return Ok(());
        }
        self.start(&ready, &plan, &sender, gate)?;
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
            let message = messages.recv_timeout(wait);
            self.stops.woke(asleep.elapsed().saturating_sub(wait));
            match message {
                Ok(Message::Notice(notice)) => self.watch.notice(notice),
                Ok(Message::Ended(index, finish)) => {
                    open.remove(&index);
                    self.ended(index, *finish);
                    let ready: Vec<usize> =
                        held.extract_if(.., |index| !self.must_wait(*index, &open)).collect();
                    self.start(&ready, &plan, &sender, None)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let threads = open.iter().map(|clone| self.shared[*clone].now.thread.get() as u32);
            self.cpu_waits.look(&self.setup.root, threads);
            self.connections.look(open.len());
            self.stop_on_signal();
            self.stop_on_budget();
            if !enough && self.look_at_rate(&mut series, phase) && self.watch.enough(&series) {
                self.stop(phase);
                enough = true;
            }
            if view.due(self.watch.interval()) {
                let series = Some(&series).filter(|_| self.watch.detailed());
                let live = view.look(self, phase, series);
                self.watch.look(&live);
                eta = live.eta_s;
            }
            if self.watch.report_due() {
                let mut result = interim::result(self, eta);
                result.series = self.series_so_far(phase, &series);
                self.watch.report(result);
            }
            let answered: u64 = open.iter().map(|c| answered(&self.shared[*c].now)).sum();
            if answered != silent_since.1 || !self.should_have_ended(&open) {
                silent_since = (Instant::now(), answered);
            } else if silent_since.0.elapsed() > self.setup.patience {
                for index in std::mem::take(&mut open) {
                    self.give_up(index);
                }
            }
        }
        self.keep_series(phase, series);
        let depths =
            phase.iter().map(|c| f64::from(self.plan.jobs[self.plan.clones[*c].job].queue.effective)).sum();
        let measured = phase
            .iter()
            .filter_map(|c| self.finishes.iter().find(|(i, _)| i == c))
            .map(|(_, f)| f.runtime_nanos)
            .max();
        self.weights.push((measured.unwrap_or(began.elapsed().as_nanos() as u64).max(1), depths));
        Ok(())
    }

    /// Ends a window of the phase's rate if one is due, and returns whether a window ended. Only time in which all
    /// workers of the phase issue I/O counts: a slow I/O for which a worker waits after its end would lower the rate.
    fn look_at_rate(&self, series: &mut Series, phase: &[usize]) -> bool {
        let (now, late) = (monotonic_nanos(), series.period / LATE);
        let issues = |index: &usize| {
            let limits = &self.plan.jobs[self.plan.clones[*index].job].limits;
            state(&self.shared[*index].now) == WorkerState::Running
                && !self.controls[*index].stopped()
                && !limits.runtime_over(self.measured(*index, now).saturating_sub(late))
        };
        if !phase.iter().all(issues) {
            series.pause();
            return false;
        }
        self.look_at(series, now, phase)
    }

    /// Adds the phase's counters at `now` to its rate over time, and returns whether a window ended.
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

    /// Returns whether the clone waits for a job that has not ended (`wait_for`).
    fn must_wait(&self, index: usize, open: &BTreeSet<usize>) -> bool {
        let job_of = |index: usize| &self.plan.jobs[self.plan.clones[index].job];
        let waitee = job_of(index).dependencies.wait_for.as_ref();
        waitee.is_some_and(|name| open.iter().any(|other| job_of(*other).name == *name))
    }

    /// Starts the threads of clones that begin together, and with those behind `gate`.
    ///
    /// # Errors
    /// A thread cannot be started, or the I/O scheduler that a job sets cannot be set.
    fn start(
        &mut self,
        phase: &[usize],
        plan: &Arc<Plan>,
        sender: &SyncSender<Message>,
        gate: Option<Gate>,
    ) -> Result<(), RunError> {
        for index in phase {
            let job = &self.plan.jobs[self.plan.clones[*index].job];
            no_io::announcement(job).into_iter().for_each(|line| self.watch.notice(Notice::Said(line)));
            kernel_settings::switch_scheduler(self.plan, &self.plan.clones[*index], self.settings)?;
        }
        self.targets.begin_phase(&self.setup.root);
        // All workers pass the barrier when the last of them is prepared.
        let barrier = Arc::new(Barrier::new(phase.len()));
        for (nth, &index) in phase.iter().enumerate() {
            let (plan, shared, controls) = (plan.clone(), self.shared.clone(), self.controls.clone());
            let (priorities, targets) = (self.priorities.clone(), self.targets.clone());
            let records = self.records.clone();
            let steady = self.steady.clone();
            let logs = self.logs.clone();
            let start = StartBarrier {
                barrier: barrier.clone(),
                gate: gate.clone(),
                controls: controls.clone(),
                messages: sender.clone(),
            };
            let allowance = self.setup.allowance.clone();
            let (all_histograms, began) = (self.setup.all_histograms, self.began);
            let body = move || {
                let assignment = Assignment {
                    plan: &plan,
                    clone: &plan.clones[index],
                    targets: &targets,
                    records: &records,
                    counters: &shared,
                    shared: &shared[index].now,
                    baseline: &shared[index].baseline,
                    priorities: priorities[index].as_ref(),
                    steady: steady[index].as_ref(),
                    logs: logs.get(index).and_then(Option::as_ref),
                    allowance: allowance.as_deref(),
                    control: &controls[index],
                    all_histograms,
                    phase: &start,
                    began,
                };
                let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    worker_thread::work(assignment)
                }));
                let finish = worked.unwrap_or_else(|_| Finish {
                    error: Some(failed_because("worker", &Errno::FAULT.into(), ErrorCause::Panicked)),
                    ..Finish::default()
                });
                // The receiver is closed only if the driver no longer waits for this worker.
                let _ = start.messages.send(Message::Ended(index, Box::new(finish)));
            };
            let job = &self.plan.jobs[self.plan.clones[index].job];
            // The kernel keeps 15 bytes of the name, and a zero byte would end the name.
            let name = job.host.comm.as_ref().unwrap_or(&job.name);
            let name = name.chars().filter(|letter| *letter != '\0').take(15).collect();
            if let Err(source) = std::thread::Builder::new().name(name).stack_size(STACK).spawn(body) {
                self.controls.iter().for_each(Control::stop);
                // Other threads replace the workers that could not be started, so that the barrier opens.
                for _ in nth..phase.len() {
                    let barrier = barrier.clone();
                    let _ = std::thread::Builder::new().stack_size(STACK).spawn(move || barrier.wait());
                }
                return Err(RunError::Host { resource: HostResource::JobThread, source });
            }
        }
        Ok(())
    }

    /// Returns the time from the end of a worker's ramp to `now`, nanoseconds; larger than any runtime if it has not begun.
    fn measured(&self, index: usize, now: u64) -> u64 {
        let ramp = self.plan.jobs[self.plan.clones[index].job].limits.ramp_time;
        now.saturating_sub(self.shared[index].now.began.get().saturating_add(ramp))
    }

    /// Returns whether every open worker should have ended, by request or by its runtime.
    fn should_have_ended(&self, open: &BTreeSet<usize>) -> bool {
        let now = monotonic_nanos();
        open.iter().all(|index| {
            let shared = &self.shared[*index].now;
            let job = &self.plan.jobs[self.plan.clones[*index].job];
            let limits = job.limits;
            let begun = shared.began.get() > 0 && state(shared) != WorkerState::Ramp;
            let over = begun && limits.runtime_over(self.measured(*index, now));
            // The writeback of cached data has no time limit, except after a signal.
            let syncing = state(shared) == WorkerState::Syncing && self.signal.is_none();
            // A program (`ioengine=exec`) may take its grace time.
            job.engine.does_io() && (self.controls[*index].stopped() || over && !syncing)
        })
    }

    /// Ends the wait for a worker that hangs in the kernel, and reports it with its current counters.
    fn give_up(&mut self, index: usize) {
        let shared = &self.shared[index].now;
        let job = &self.plan.jobs[self.plan.clones[index].job];
        let ran = match shared.began.get() {
            0 => 0, // The worker hangs before its first I/O.
            _ => self.measured(index, monotonic_nanos()),
        };
        // A synchronous call is counted as in flight only after it has returned, and a worker that hangs waits for at
        // least one I/O.
        let unanswered = shared.in_flight.get().max(1);
        let finish = Finish {
            runtime_nanos: ran,
            // The thread id is no longer known; in fio, 0 means that the job never began.
            pid: std::process::id(),
            lines: vec![Line::Unanswered { job: job.name.clone(), ios: unanswered }],
            start_epoch_ms: wall_clock::epoch_ms().saturating_sub(ran / 1_000_000),
            start_clock_ms: wall_clock::start_clock(job, ran),
            error: Some(failed_because("reap", &Errno::TIMEDOUT.into(), ErrorCause::NoAnswer)),
            unanswered,
            ..Finish::default()
        };
        self.ended(index, finish);
    }
}

/// Returns the number of I/Os of a worker that have completed or failed, including syncs.
fn answered(shared: &stats::Shared) -> u64 {
    shared.directions.iter().map(|d| d.ios.get() + d.errors.get()).sum::<u64>() + shared.syncs.get()
}
