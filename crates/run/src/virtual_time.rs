//! The driver in virtual time. It owns all workers of a phase and always steps the worker with the earliest next
//! action, so that a simulated device that several jobs share has the same order of events in every run. A device
//! decides on its queued requests once every worker is past the time of the decision.

use crate::assignment::{Assignment, PhaseSync};
use crate::drive::step;
use crate::extras::{Extra, Extras, NoExtras};
use crate::finish::Finish;
use crate::model_laws::laws;
use crate::passes::Passes;
use crate::phase_runner::{Counts, PhaseRunner, state};
use crate::wall_clock::{epoch_ms, start_clock};
use crate::worker::{Step, Worker};
use crate::worker_setup::Prepared;
use engine::model::{Device, FlashCounters, Model};
use engine::{Clock, Ticks};
use job::job::{EngineChoice, ModelSpec};
use job::plan::{Plan, PlannedJob};
use stats::job_error::JobError;
use stats::note::{Note, NoteFact, NoteKind};
use stats::shared::JobCounters;
use stats::{CpuOutcome, Series, WorkerState};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;
use std::rc::Rc;

/// A simulated device, and the offsets in bytes of its jobs' files on it, one after the other.
struct SharedDevice<'a> {
    spec: &'a ModelSpec,
    device: Rc<RefCell<Device>>,
    places: BTreeMap<&'a Path, u64>,
    /// Counters of an SSD at the start of the phase, and the job that it is reported with.
    flash: Option<(FlashCounters, &'a str)>,
}

impl<'a> SharedDevice<'a> {
    /// Returns the device of `spec` for the jobs of a phase, the first of which is `clone`.
    ///
    /// # Errors
    /// An SSD has too many pages.
    fn new(runner: &PhaseRunner<'a>, spec: &'a ModelSpec, clone: &PlannedJob) -> Result<Self, JobError> {
        let plan: &Plan = runner.plan;
        let on_it = |clone: &&PlannedJob| matches!(&plan.jobs[clone.job].engine, EngineChoice::Model(other) if other == spec);
        let (mut places, mut bytes) = (BTreeMap::new(), 0u64);
        let files = || plan.clones.iter().filter(on_it).flat_map(|clone| &clone.files);
        // Clones with different offsets see different sizes of one file.
        let mut sizes: BTreeMap<&Path, u64> = BTreeMap::new();
        for file in files() {
            let size = sizes.entry(file.path.as_path()).or_default();
            *size = file.size.max(*size);
        }
        for file in files() {
            let size = sizes.get(file.path.as_path()).copied().unwrap_or(file.size);
            places.entry(file.path.as_path()).or_insert_with(|| {
                let place = bytes;
                let zone = spec.zones.as_deref().map_or(1, |zones| zones.size);
                let zone = spec.ftl.as_deref().map_or(zone, |ftl| u64::from(ftl.page));
                bytes = bytes.saturating_add(size.checked_next_multiple_of(zone).unwrap_or(size));
                place
            });
        }
        let bytes = runner.setup.models.size(bytes);
        let device = Device::new(laws(spec, bytes), clone.seed, runner.setup.models.of(spec));
        let flash = runner.setup.models.take_flash(spec, bytes)?.map(|flash| {
            let counters = flash.counters();
            device.borrow_mut().insert_flash(flash);
            (counters, plan.jobs[clone.job].name.as_str())
        });
        Ok(Self { spec, device, places, flash })
    }

    /// Returns the engine of a clone on the device. `begin` is the start of the phase in nanoseconds, `jobs` the
    /// number of clones that share the CPUs.
    fn engine(&self, index: usize, clone: &PlannedJob, depth: u32, begin: u64, jobs: usize) -> Model {
        let place = |path: &Path| self.places.get(path).copied().unwrap_or(0);
        let places = clone.files.iter().map(|file| place(&file.path)).collect();
        let cpu = match self.spec.cores.map_or(0, NonZeroU32::get) as usize {
            cores if cores > 0 && jobs > cores => {
                (u128::from(self.spec.cpu) * jobs as u128 / cores as u128) as u64
            }
            _ => self.spec.cpu,
        };
        Model::new(self.device.clone(), depth as usize, begin).of_worker(index, places).on_cpu(cpu)
    }
}

/// The start of a phase in virtual time: all workers are on this thread, and none waits.
struct NoBarrier;

impl PhaseSync for NoBarrier {
    fn wait_for_start(&self) {}
}

/// A worker that has not ended, with the index of its clone.
struct Open<'a> {
    index: usize,
    worker: Worker<'a, Model>,
    extras: Option<Box<Extras<'a>>>,
    passes: Passes,
    began: u64,
    /// Whether the worker has ended, at the present time of its clock.
    over: bool,
}

/// Returns the index in `open` of the worker with the earliest next action; `moments` are the times of these actions.
/// Decisions of devices that are due before that time are taken first.
fn next(
    open: &mut [Open<'_>],
    moments: &mut [Ticks],
    devices: &[SharedDevice<'_>],
    deferred: bool,
) -> Option<usize> {
    loop {
        let (at, moment) = moments.iter().copied().enumerate().min_by_key(|(_, moment)| *moment)?;
        if !deferred {
            return Some(at);
        }
        let first = devices.iter().filter_map(|d| Some((d.device.borrow().next_decision()?, d)));
        match first.min_by_key(|(decision, _)| *decision).filter(|(decision, _)| *decision < moment) {
            None => {
                open[at].worker.engine.wake();
                return Some(at);
            }
            Some((_, SharedDevice { device, .. })) => {
                let answer = device.borrow_mut().decide_next()?;
                let whose = open.iter().position(|open| open.index == answer.worker)?;
                open[whose].worker.engine.answer(answer);
                moments[whose] = open[whose].worker.engine.moment();
            }
        }
    }
}

/// Returns the time at which the first worker ends by its runtime, in ticks; a later window would count fewer
/// workers.
fn end_of_windows(open: &[Open<'_>]) -> Ticks {
    open.iter().map(|open| open.worker.schedule.end).min().unwrap_or(0)
}

/// Returns whether the I/O of any other worker is not measured, because of its ramp or its end.
fn others_idle(open: &[Open<'_>], at: usize) -> bool {
    open.iter().enumerate().any(|(other, open)| other != at && !open.worker.measures())
}

/// Publishes that a worker does I/O.
fn set_running(runner: &PhaseRunner<'_>, index: usize) {
    let ramps = runner.plan.jobs[runner.plan.clones[index].job].limits.ramps();
    let running = if ramps { WorkerState::Ramp } else { WorkerState::Running };
    runner.shared[index].now.state.set(running as u64);
}

/// Continues the stalled workers at `now`, after another worker took a step.
fn wake_stalled(open: &[Open<'_>], moments: &mut [Ticks], now: Ticks) {
    for (open, moment) in open.iter().zip(moments).filter(|(open, _)| open.worker.stalled) {
        *moment = now.max(open.worker.clock.now());
    }
}

/// Ends all windows that are due by `now`, each at its own end time as a timer would, so that an I/O longer than a
/// window leaves empty windows. `clone` is the clone whose step led to `now`, `before` are its counts before that
/// step. Returns whether the watcher needs no more windows.
fn end_windows(
    runner: &mut PhaseRunner<'_>,
    series: &mut Series,
    now: Ticks,
    phase: &[usize],
    (clone, before): (usize, Counts),
) -> bool {
    let sum = |all: Counts, more: Counts| -> Counts {
        std::array::from_fn(|of| std::array::from_fn(|d| all[of][d] + more[of][d]))
    };
    let others = phase.iter().filter(|other| **other != clone).map(|other| runner.counts(*other));
    let [ios, bytes] = others.fold(before, sum);
    loop {
        let due = series.due().unwrap_or(now);
        if due > now {
            return false;
        }
        if series.look(due, ios, bytes) && runner.watch.enough(series) {
            return true;
        }
    }
}

/// Runs one phase of jobs with simulated devices. Jobs with the same model share one device, whose time continues
/// from the end of the previous run with the device.
pub(crate) fn run(runner: &mut PhaseRunner<'_>, phase: &[usize]) {
    runner.targets.forget_zones();
    let models = runner.setup.models.clone();
    let begin = u64::try_from(models.now().as_nanos()).unwrap_or(u64::MAX);
    let logs = runner.logs.clone();
    let mut devices: Vec<SharedDevice<'_>> = Vec::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut ended: Vec<(usize, Finish)> = Vec::new();
    for &index in phase {
        let clone = &runner.plan.clones[index];
        let EngineChoice::Model(spec) = &runner.plan.jobs[clone.job].engine else { continue };
        let known = match devices.iter().position(|device| device.spec == spec) {
            Some(known) => known,
            None => match SharedDevice::new(runner, spec, clone) {
                Ok(device) => {
                    devices.push(device);
                    devices.len() - 1
                }
                Err(error) => {
                    ended.push((index, Finish { error: Some(error), ..Finish::default() }));
                    continue;
                }
            },
        };
        let JobCounters { now: shared, baseline } = &runner.shared[index];
        let assignment = Assignment {
            plan: runner.plan,
            clone,
            targets: runner.targets,
            records: runner.records,
            counters: runner.shared,
            shared,
            baseline,
            priorities: None,
            steady: runner.steady[index].as_ref(),
            logs: logs.get(index).and_then(Option::as_ref),
            allowance: None,
            control: &runner.controls[index],
            all_histograms: true,
            phase: &NoBarrier,
            began: std::time::Instant::now(),
        };
        match Prepared::new(&assignment, &mut Finish::default()) {
            Ok(prepared) => {
                let job = assignment.job();
                let engine = devices[known].engine(index, clone, job.queue.effective, begin, phase.len());
                let (mut worker, _) = Worker::new(&assignment, engine, prepared);
                worker.clock.wait_until(begin.saturating_add(clone.startdelay(job)));
                if clone.startdelay(job) == 0 {
                    set_running(runner, index);
                }
                let mut extras = Extras::of(&assignment, &mut worker);
                worker.begin(job);
                if let Some(extras) = &mut extras {
                    extras.begin(&mut worker);
                }
                open.push(Open {
                    index,
                    began: worker.clock.now(),
                    worker,
                    extras,
                    passes: Passes::new(job),
                    over: false,
                });
            }
            Err(error) => ended.push((index, Finish { error: Some(error), ..Finish::default() })),
        }
    }
    let (all, mut end) = (open.len(), begin);
    let all_begun = open.iter().map(|open| open.began).max().unwrap_or(begin);
    let deferred = devices.iter().any(|known| known.device.borrow().defers_answers());
    let mut series = Series::with(runner.setup.window);
    let mut enough = false;
    let mut steps = 0u64;
    // Kept apart from the workers, which are large. A step changes the time of one worker, and a completion that of
    // another.
    let mut moments: Vec<Ticks> = open.iter().map(|open| open.worker.engine.moment()).collect();
    while let Some(at) = next(&mut open, &mut moments, &devices, deferred) {
        steps += 1;
        if steps.is_multiple_of(1 << 8) {
            runner.stop_on_signal();
        }
        let (before, measured) = (runner.counts(open[at].index), open[at].worker.measures());
        let Open { index, worker, extras, over, .. } = &mut open[at];
        if state(worker.shared) == WorkerState::Waiting {
            set_running(runner, *index);
        }
        if std::mem::take(&mut worker.stalled) {
            worker.clock.wait_until(moments[at]);
        }
        let stepped = match extras {
            _ if *over => Ok(Step::Done),
            Some(extras) => step(worker, &mut **extras).map(|stepped| match stepped {
                Step::Ran => stepped,
                ended => Extra::<Model>::after_pass(&mut **extras, worker, ended),
            }),
            None => step(worker, &mut NoExtras),
        };
        let now = worker.clock.now();
        if worker.stalled {
            // It waits for a step of another worker, or for its own next event.
            moments[at] = worker.next_event;
        } else {
            moments[at] = worker.engine.moment();
            wake_stalled(&open, &mut moments, now);
        }
        // A window ends when the worker that is furthest behind passes the end of the window: by then all completions
        // of the other workers within the window are counted.
        if now >= all_begun && !enough && series.is_due(now) {
            if !measured || open.len() < all || others_idle(&open, at) {
                series.pause();
            } else if end_windows(
                runner,
                &mut series,
                now.min(end_of_windows(&open)),
                phase,
                (open[at].index, before),
            ) {
                runner.stop(phase);
                enough = true;
            }
        }
        let Open { worker, passes, extras, over, .. } = &mut open[at];
        match stepped {
            Ok(Step::Ran) => continue,
            Ok(Step::PassOver) if passes.another(worker.shared) => {
                worker.pattern.begin_next_pass();
                worker.pass_open = true;
                if let Some(extras) = extras {
                    // A simulated device has no files whose change could fail.
                    let _ = extras.begin_pass(worker);
                }
                continue;
            }
            Ok(Step::PassOver | Step::Done) | Err(_) => {}
        }
        // A worker without I/O in flight may have waited for its end in this step: others that are behind that time
        // come first.
        if !std::mem::replace(over, true) {
            moments[at] = now;
            continue;
        }
        if let Some(extras) = extras {
            // A simulated device submits whatever it is given.
            let _ = extras.end(worker);
        }
        moments.swap_remove(at);
        let Open { index, mut worker, began, .. } = open.swap_remove(at);
        let now = worker.clock.now();
        worker.shared.state.set(WorkerState::Exited as u64);
        wake_stalled(&open, &mut moments, now);
        end = end.max(now);
        let runtime_nanos = worker.since_epoch();
        let cpu = CpuOutcome {
            user_us: worker.engine.cpu_spent() / 1000,
            wall_ms: ((now - began) / 1_000_000).max(1),
            ..CpuOutcome::default()
        };
        let pid = std::process::id();
        let clone = &runner.plan.clones[index];
        let job = &runner.plan.jobs[clone.job];
        let mut finish = Finish {
            runtime_nanos,
            start_epoch_ms: epoch_ms(),
            start_clock_ms: start_clock(job, 0),
            pid,
            cpu,
            depth: worker.searched_depth,
            ..Finish::default()
        };
        finish.notes.extend(worker.end_logs());
        worker.failures.report(job, clone, &mut finish);
        ended.push((index, finish));
    }
    let wall = ended.iter().map(|(_, f)| f.runtime_nanos).max().unwrap_or(0).max(1);
    let asked =
        phase.iter().map(|c| f64::from(runner.plan.jobs[runner.plan.clones[*c].job].queue.effective)).sum();
    runner.weights.push((wall, asked));
    runner.keep_series(phase, series);
    for SharedDevice { spec, device, flash, .. } in &devices {
        models.keep(spec, device.borrow().memory(end));
        let Some(((before, job), flash)) = flash.zip(device.borrow_mut().take_flash()) else { continue };
        let FlashCounters { host_pages, nand_pages, erases, trimmed_pages } = flash.counters().since(&before);
        let fact = NoteFact::FlashTraffic { host_pages, nand_pages, erases, trimmed_pages };
        runner.notes.push(Note::new(NoteKind::Remark, job, fact));
        models.keep_flash(spec, flash);
    }
    for (index, finish) in ended {
        runner.ended(index, finish);
    }
}
