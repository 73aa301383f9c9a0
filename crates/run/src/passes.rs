//! A clone on its engine: pass after pass of its I/O until its end, then the syncs and the result.

use crate::assignment::{Assignment, wait};
use crate::drive::{Step, step};
use crate::durability::sync_at_end;
use crate::fault;
use crate::finish::Finish;
use crate::open_files::{self, JobFileOpener};
use crate::prepare;
use crate::thread_usage::Spent;
use crate::worker::Worker;
use crate::worker_setup::Prepared;
use engine::Engine;
use job::job::{Durability, EngineChoice, Entry, Job};
use job::plan::FileKind;
use rustix::fd::{AsRawFd, OwnedFd};
use stats::{JobError, Shared, WorkerState};

/// Passes of a job: `loops`, or as many as fit into the runtime with `time_based`.
pub(crate) struct Passes {
    left: u64,
    endless: bool,
    issued: u64,
}

impl Passes {
    pub(crate) fn new(job: &Job) -> Self {
        let endless = job.limits.time_based && job.limits.runtime > 0;
        Self { left: job.limits.loops.max(1) - 1, endless, issued: 0 }
    }

    /// Whether another lap begins. A lap that issued nothing is the last: there is nothing to do here.
    pub(crate) fn another(&mut self, shared: &Shared) -> bool {
        let issued = shared.directions.iter().map(|d| d.issued.get()).sum();
        let idle = issued == self.issued;
        self.issued = issued;
        if idle || !self.endless && self.left == 0 {
            return false;
        }
        self.left = self.left.saturating_sub(1);
        true
    }
}

/// Runs the clone on `engine`.
pub(crate) fn drive<E: Engine>(a: &Assignment<'_>, engine: E, prepared: Prepared, finish: &mut Finish) {
    let job = a.job();
    finish.notes.extend(engine.notes().iter().cloned());
    let (mut worker, mut files) = Worker::new(a, engine, prepared);
    for (index, file) in files.iter().enumerate() {
        if let Err(dead) = worker.engine.set_file(index, file.as_raw_fd()) {
            finish.error =
                Some(JobError { errno: dead.errno, function: dead.call.into(), text: dead.to_string() });
        }
    }
    if worker.turns && job.engine.opens_files() {
        worker.doors = Some(Box::new(JobFileOpener::new(job, a.clone, a.targets)));
    }
    let spent = Spent::start(a, finish);
    if finish.error.is_none() && wait(a, a.clone.startdelay(job)) {
        a.state(if job.limits.ramps() { WorkerState::Ramp } else { WorkerState::Running });
        a.shared.began.set(engine::clock::monotonic_nanos());
        worker.begin(job, a.clone.seed);
        let ran = if worker.has_extras() {
            run_passes::<E, true>(a, &mut worker, &mut files, finish)
        } else {
            run_passes::<E, false>(a, &mut worker, &mut files, finish)
        };
        a.gate.drained();
        if let Err(dead) = ran {
            finish.error =
                Some(JobError { errno: dead.errno, function: dead.call.into(), text: dead.to_string() });
        }
        let Durability { end_fsync, end_syncfs, fsync_on_close, .. } = job.durability;
        if a.writes() && (end_fsync || end_syncfs || fsync_on_close) && worker.fatal.is_none() {
            a.state(WorkerState::Syncing);
            if let Err(error) = sync_at_end(job.durability, &files) {
                finish.error.get_or_insert(error);
            }
            let opened = worker.turns && job.engine.opens_files();
            if opened && (end_fsync || end_syncfs) && worker.shut.is_none() {
                finish.error = finish.error.take().or(open_files::sync_all(job, a.clone, a.targets).err());
            }
        }
        finish.runtime_nanos = worker.since_epoch();
    }
    finish.cpu = spent.so_far();
    a.shared.done_in_submit.set(worker.engine.done_in_submit());
    finish.unanswered = worker.slots.in_flight() as u64;
    finish.lines.extend(fault::fault_lines(job, a.clone, &worker.faults));
    finish.tolerated = worker
        .faults
        .first()
        .filter(|_| worker.fatal.is_none() && !worker.fills)
        .map(|f| fault::job_error(job, a.clone, f));
    if let Some(shut) = worker.shut.take() {
        finish.lines.extend(shut.hints);
        finish.error.get_or_insert(shut.error);
    }
    if let Some((op, lat)) = &worker.slow {
        finish.lines.clear();
        finish.lines.push(fault::slow_line(job, a.clone, op, *lat));
        finish.error.get_or_insert(fault::latency_exceeded());
    }
    if !worker.too_little.is_empty() {
        finish.lines.extend(worker.too_little.iter().map(|line| format!("{}: {line}", job.name)));
        finish.error.get_or_insert(fault::min_rate_missed());
    }
    if let Some(fault) = &worker.fatal {
        finish.error.get_or_insert(fault::job_error(job, a.clone, fault));
    }
    if worker.slots.in_flight() > 0 {
        // The ring died with requests in it: the kernel may still write into the blocks.
        worker.arena.leak();
    }
}

fn run_passes<E: Engine, const EXTRAS: bool>(
    a: &Assignment<'_>,
    worker: &mut Worker<'_, E>,
    files: &mut Vec<OwnedFd>,
    finish: &mut Finish,
) -> Result<(), engine::RingDead> {
    let mut passes = Passes::new(a.job());
    loop {
        match step::<E, EXTRAS>(worker)? {
            Step::Ran => {}
            Step::Done => return worker.close_all_files(),
            Step::PassOver if passes.another(a.shared) => {
                let durability = a.job().durability;
                // Each lap ends as the last one does; fio closes the files then, and syncs before and after.
                let once = u32::from(durability.end_fsync || durability.end_syncfs);
                let times = if durability.fsync_on_close { 2 } else { once };
                for _ in 0..if a.writes() && !passes.endless && !worker.turns { times } else { 0 } {
                    if let Err(error) = sync_at_end(durability, files) {
                        finish.error.get_or_insert(error);
                        return worker.close_all_files();
                    }
                }
                if a.job().target.invalidate {
                    for (file, planned) in files.iter().zip(&a.clone.files) {
                        // Best effort, as at the start: what cannot be dropped shows in the layer line.
                        let _ = prepare::invalidate(file, planned);
                    }
                }
                worker.begin_next_pass()?;
                // What was written last stays.
                if a.job().target.unlink_each_loop && !worker.pattern.is_exhausted() {
                    begin_anew(a, worker, files)?;
                }
            }
            Step::PassOver => return worker.close_all_files(),
        }
    }
}

/// Deletes the files between two laps and opens new ones. Another clone may share them and have been here first.
fn begin_anew<E: Engine>(
    a: &Assignment<'_>,
    worker: &mut Worker<'_, E>,
    files: &mut Vec<OwnedFd>,
) -> Result<(), engine::RingDead> {
    let opened = !files.is_empty();
    for index in 0..files.len() {
        worker.engine.set_file(index, -1)?;
    }
    files.clear();
    for file in &a.clone.files {
        match a.job().engine {
            EngineChoice::Names(Entry::Directory, _) => _ = std::fs::remove_dir(&file.path),
            // What is refused is opened next, and refused there.
            _ if file.kind == FileKind::Regular => _ = a.targets.unlink(&file.path),
            _ => {}
        }
    }
    for (index, file) in a.clone.files.iter().enumerate().filter(|_| opened) {
        match prepare::open_job_file(a.job(), file, a.targets) {
            Ok(open) => {
                worker.engine.set_file(index, open.as_raw_fd())?;
                files.push(open);
            }
            Err(e) => {
                worker.shut = Some(e);
                worker.live = false;
                break;
            }
        }
    }
    Ok(())
}
