//! A clone on its engine: all passes of its I/O, then the syncs and the result.

use crate::assignment::{Assignment, wait};
use crate::drive::step;
use crate::durability::sync_at_end;
use crate::extras::{Extra, Extras, NoExtras, NoExtrasSingle, open_files};
use crate::finish::Finish;
use crate::job_error::of_errno;
use crate::prepare;
use crate::remote;
use crate::sockets;
use crate::thread_usage::Spent;
use crate::worker::{Step, Worker};
use crate::worker_setup::Prepared;
use engine::Engine;
use job::job::{Durability, EngineChoice, Entry, Job};
use job::plan::FileKind;
use rustix::fd::{AsRawFd, OwnedFd};
use stats::job_error::ErrorCause;
use stats::{JobError, Shared, WorkerState};

/// Number of passes of a job: `loops`, or as many as fit into the runtime with `time_based`.
pub(crate) struct Passes {
    left: u64,
    endless: bool,
    issued: u64,
}

impl Passes {
    pub(crate) fn new(job: &Job) -> Self {
        // As in fio, a trace is replayed once.
        let once = job.replay.is_some();
        let endless = job.limits.time_based && !once;
        Self { left: if once { 0 } else { job.limits.loops.max(1) - 1 }, endless, issued: 0 }
    }

    /// Returns whether another pass begins. A pass that issued no I/O is the last.
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

/// Runs the clone on `engine` and stores its result in `finish`.
pub(crate) fn run<E: Engine>(a: &Assignment<'_>, engine: E, prepared: Prepared, finish: &mut Finish) {
    let job = a.job();
    finish.notes.extend(engine.notes().iter().cloned());
    let (mut worker, mut files) = Worker::new(a, engine, prepared);
    for (index, file) in files.iter().enumerate() {
        if let Err(dead) = worker.engine.set_file(index, file.as_raw_fd()) {
            finish.error = Some(of_errno(dead.errno, dead.call));
        }
    }
    let mut extras = Extras::of(a, &mut worker);
    let opens_late = extras.as_ref().is_some_and(|extras| extras.open_files.is_some());
    let spent = Spent::start(a, finish);
    let started = finish.error.is_none() && wait(a, a.clone.startdelay(job));
    let linked = if started { sockets::connect(a, &mut worker.engine) } else { Ok(false) };
    if linked.unwrap_or_else(|error| {
        finish.error = Some(error);
        false
    }) {
        a.state(if job.limits.ramps() { WorkerState::Ramp } else { WorkerState::Running });
        a.shared.began.set(engine::clock::monotonic_nanos());
        worker.begin(job);
        let ran = match &mut extras {
            Some(extras) => {
                extras.begin(&mut worker);
                run_passes(a, &mut worker, &mut **extras, &mut files, finish, opens_late)
            }
            None if !E::SYNC && worker.slots.depth() == 1 => {
                run_passes(a, &mut worker, &mut NoExtrasSingle, &mut files, finish, opens_late)
            }
            None => run_passes(a, &mut worker, &mut NoExtras, &mut files, finish, opens_late),
        };
        a.phase.drained();
        if let Err(dead) = ran {
            finish.error = Some(of_errno(dead.errno, dead.call));
        }
        let Durability { end_fsync, end_syncfs, fsync_on_close, .. } = job.durability;
        if a.writes() && (end_fsync || end_syncfs || fsync_on_close) && worker.failures.fatal.is_none() {
            a.state(WorkerState::Syncing);
            if let Err(error) = make_durable(a, &mut worker, &files) {
                finish.error.get_or_insert(error);
            }
            let opened = opens_late && job.engine.opens_files();
            if opened && (end_fsync || end_syncfs) && worker.failures.open_error.is_none() {
                finish.error = finish.error.take().or(open_files::sync_all(job, a.clone, a.targets).err());
            }
        }
        finish.runtime_nanos = worker.since_epoch();
        finish.notes.extend(worker.end_logs());
    }
    finish.cpu = spent.so_far();
    finish.depth = worker.searched_depth;
    a.shared.done_in_submit.set(worker.engine.done_in_submit());
    finish.unanswered = worker.slots.in_flight() as u64;
    worker.failures.report(job, a.clone, finish);
    if let (Some(error), Some(remote)) = (&mut finish.error, worker.engine.remote_error())
        && error.errno == remote.errno()
        && error.cause.is_none()
    {
        error.cause = Some(Box::new(ErrorCause::Remote { text: remote.to_string() }));
    }
    if worker.slots.in_flight() > 0 {
        // The ring failed with requests in flight: the kernel may still write into the blocks.
        worker.arena.leak();
    }
}

/// Makes the writes of the job, or of one of its passes, durable: by calls on the open files, or by flushes of the engine
/// whose storage is on a server.
fn make_durable<E: Engine>(
    a: &Assignment<'_>,
    worker: &mut Worker<E>,
    files: &[OwnedFd],
) -> Result<(), JobError> {
    match a.job().engine.remote() {
        Some(spec) => {
            let targets = if spec.is_volume() { 1 } else { a.clone.files.len() };
            remote::flush(&mut worker.engine, targets, &|| a.control.stopped())
        }
        None => sync_at_end(a.job().durability, files),
    }
}

/// Steps the worker through its passes until it ends.
///
/// # Errors
/// The engine cannot submit or reap any more.
fn run_passes<E: Engine, X: Extra<E>>(
    a: &Assignment<'_>,
    worker: &mut Worker<'_, E>,
    extras: &mut X,
    files: &mut Vec<OwnedFd>,
    finish: &mut Finish,
    opens_late: bool,
) -> Result<(), engine::RingDead> {
    let mut passes = Passes::new(a.job());
    loop {
        let mut stepped = step(worker, extras)?;
        if stepped != Step::Ran {
            stepped = extras.after_pass(worker, stepped);
            if worker.reads_back && stepped == Step::Ran {
                read_from_devices(a.job(), files, a);
            }
        }
        match stepped {
            Step::Ran => {}
            Step::Done => return extras.end(worker),
            Step::PassOver if passes.another(a.shared) => {
                let durability = a.job().durability;
                // Each pass ends as the last one does. fio closes the files then, and syncs before and after that.
                let once = u32::from(durability.end_fsync || durability.end_syncfs);
                let times = if durability.fsync_on_close { 2 } else { once };
                for _ in 0..if a.writes() && !passes.endless && !opens_late { times } else { 0 } {
                    if let Err(error) = make_durable(a, worker, files) {
                        finish.error.get_or_insert(error);
                        return extras.end(worker);
                    }
                }
                if a.job().target.invalidate {
                    for (file, planned) in files.iter().zip(&a.clone.files) {
                        // Best effort, as at the start: pages that stay in the page cache appear in the line of the
                        // layers.
                        let _ = prepare::invalidate(file, planned);
                    }
                }
                worker.pattern.begin_next_pass();
                worker.pass_open = true;
                extras.begin_pass(worker)?;
                // The files of the last pass are kept.
                if a.job().target.unlink_each_loop && !worker.pattern.is_exhausted() {
                    recreate_files(a, worker, files)?;
                }
            }
            Step::PassOver => return extras.end(worker),
        }
    }
}

/// Writes the cached data of files to their devices and drops it from the page cache, so that what is read back comes
/// from the devices. fio drops only what was written already.
fn read_from_devices(job: &Job, files: &[OwnedFd], a: &Assignment<'_>) {
    if job.target.direct || !job.target.invalidate {
        return;
    }
    for (file, planned) in files.iter().zip(&a.clone.files).filter(|(_, f)| f.kind != FileKind::Char) {
        // Best effort: an error of the device appears in the reads.
        let _ = rustix::fs::fdatasync(file);
        let _ = prepare::invalidate(file, planned);
    }
}

/// Deletes the files between two passes and opens new ones. Another clone that shares the files may have deleted them
/// first.
///
/// # Errors
/// The engine cannot change its table of files.
fn recreate_files<E: Engine>(
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
            // An error appears again when the file is opened next.
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
                worker.failures.open_error = Some(e);
                worker.live = false;
                break;
            }
        }
    }
    Ok(())
}
