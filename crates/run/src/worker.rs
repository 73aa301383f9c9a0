//! A worker: one clone's thread from preparation to its last fsync, generic over the engine below.

use crate::choice;
use crate::doors::{self, Opener};
use crate::drive::{self, Control, Measured, Schedule, Step, Worker, step};
use crate::fault::FAULTS_KEPT;
use crate::host;
use crate::lock::Locks;
use crate::outfit::{self, Prepared};
use crate::pattern::Pattern;
use crate::prepare;
use crate::slots::Slots;
use crate::tally::{self, Finish, failed};
use crate::targets::Targets;
use crate::watch::Notice;
use engine::clock::Source;
use engine::{Clock, Completion, Engine, Ticks};
use job::job::{Batch, ClockSource, Durability, EngineChoice, Entry, Job, Mix};
use job::plan::{FileKind, Plan, PlannedJob};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::FileType;
use stats::{CpuOutcome, JobError, Shared, SharedPriorities, WorkerState};
use std::time::Instant;
use sys::rusage::{Rusage, Who, rusage};

/// Everything one worker needs; borrowed from the run.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its clone.
    pub clone: &'a PlannedJob,
    /// What was checked before the run.
    pub targets: &'a Targets,
    /// The counters of all clones: each has two blocks, now and at the end of the ramp.
    pub blocks: &'a [Shared],
    /// Its counters.
    pub shared: &'a Shared,
    /// Its counters at the end of the ramp.
    pub baseline: &'a Shared,
    /// Its latencies by priority, where its I/Os have several.
    pub priorities: Option<&'a SharedPriorities>,
    /// Requests to it.
    pub control: &'a Control,
    /// Keep the histogram of lat also where fio's report does not show it (our card does).
    pub all_histograms: bool,
    /// Where the worker says how far it is.
    pub gate: &'a dyn Gate,
    /// When the run began; `startdelay` counts from there.
    pub began: Instant,
}

/// The two moments between which a worker only does I/O.
pub trait Gate {
    /// Waits until all workers of the phase are prepared. Every worker calls it once, also a failing one.
    fn start(&self);
    /// The last answer is in.
    fn drained(&self) {}
    /// What is to be told at once, while others do I/O.
    fn tell(&self, _notice: Notice) {}
}

/// A gate that was passed already.
struct Passed<'a>(&'a dyn Gate);

impl Gate for Passed<'_> {
    fn start(&self) {}

    fn drained(&self) {
        self.0.drained();
    }

    fn tell(&self, notice: Notice) {
        self.0.tell(notice);
    }
}

impl<'a> Assignment<'a> {
    /// Its job.
    pub fn job(&self) -> &'a Job {
        &self.plan.jobs[self.clone.job]
    }

    pub(crate) fn state(&self, state: WorkerState) {
        self.shared.state.set(state as u64);
    }

    /// Bytes of a slot's block: a trim moves none.
    pub(crate) fn largest_block(&self) -> u64 {
        let pattern = &self.job().pattern;
        if pattern.mix == Mix::Trim { 512 } else { pattern.largest_block() }
    }

    pub(crate) fn writes(&self) -> bool {
        self.job().pattern.mix.has(stats::Direction::Write)
    }
}

/// Runs one clone on a real engine, on the calling thread.
pub fn work(a: Assignment<'_>) -> Finish {
    a.state(WorkerState::Preparing);
    let pid = rustix::thread::gettid().as_raw_nonzero().get() as u32;
    a.shared.thread.set(u64::from(pid));
    let mut finish = Finish { pid, ..Finish::default() };
    if !a.clone.lays_out_late {
        return prepared(a, finish);
    }
    // The others do I/O meanwhile.
    a.gate.start();
    let mut clone = a.clone.clone();
    let laid = wait(&a, a.clone.startdelay(a.job())) && prepare::lay_out_own(&a, &mut clone, &mut finish);
    if laid {
        return prepared(Assignment { clone: &clone, gate: &Passed(a.gate), ..a }, finish);
    }
    a.state(WorkerState::Exited);
    finish
}

/// Runs a clone whose files are laid out.
fn prepared(a: Assignment<'_>, mut finish: Finish) -> Finish {
    let ready = match Prepared::new(&a, &mut finish) {
        Ok(ready) => ready,
        Err(error) => {
            a.gate.start();
            a.state(WorkerState::Exited);
            return Finish { error: Some(error), ..finish };
        }
    };
    if let Some(command) = &a.job().host.prerun
        && !host::command(a.job(), command, "prerun", &mut finish)
    {
        // fio leaves such a job out and calls it no error.
        a.gate.start();
        a.state(WorkerState::Exited);
        return finish;
    }
    choice::run(&a, ready, &mut finish);
    if let Some(command) = &a.job().host.postrun {
        host::command(a.job(), command, "postrun", &mut finish);
    }
    a.state(WorkerState::Exited);
    finish
}

impl<'a, E: Engine> Worker<'a, E> {
    pub(crate) fn new(a: &Assignment<'a>, engine: E, prepared: Prepared) -> (Self, Vec<OwnedFd>) {
        let (job, depth) = (a.job(), a.job().queue.effective.max(1));
        let clock = engine.clock().reading(match job.measure.clock {
            ClockSource::Cpu => Source::Best,
            ClockSource::Monotonic => Source::Monotonic,
            ClockSource::TimeOfDay => Source::Micros,
        });
        let m = &job.measure;
        let mut pattern = outfit::pattern(a);
        let (slat_histogram, lat_histogram) =
            (m.shown.slat_percentiles, m.shown.lat_percentiles || a.all_histograms);
        let bounded = job.limits.max_latency != [0; 3];
        let usual = m.slat && m.clat && m.lat && !slat_histogram && !lat_histogram && !bounded;
        let measured =
            Measured { usual, slat: m.slat, clat: m.clat, lat: m.lat, slat_histogram, lat_histogram };
        let mut batch = job.queue.batch;
        let writes_per_sync = match &pattern {
            Pattern::General(general) => general.writes_per_sync(),
            _ => None,
        };
        if E::SYNCS_IN_CALL
            && let (Pattern::General(general), Some(writes)) = (&mut pattern, writes_per_sync)
        {
            general.fill_syncs_alone();
            // As fio: a batch of writes would wait for the syncs between them.
            if writes <= stats::study::FEW_WRITES {
                let one_by_one = Batch { submit: 1, complete_min: 1, complete_max: 1, low: depth };
                batch = batch.or(Some(one_by_one));
            }
        }
        let turns = matches!(&pattern, Pattern::General(general) if general.moves_doors());
        let heeds = matches!(&pattern, Pattern::General(general) if general.heeds_landings());
        let worker = Worker {
            engine,
            arena: prepared.arena,
            clock,
            only: pattern.only_kind().and_then(|kind| a.shared.directions.get(kind as usize)),
            pattern,
            at_once: prepared
                .payload
                .chunk()
                .min(if job.pattern.mix.has(stats::Direction::Trim) { 1 } else { usize::MAX })
                .min(batch.map_or(drive::SUBMIT, |batch| batch.submit as usize)),
            payload: prepared.payload,
            slots: Slots::new(depth as u16),
            done: vec![Completion::default(); depth as usize].into(),
            shared: a.shared,
            control: a.control,
            measured,
            batch: batch.unwrap_or(Batch { submit: depth, complete_min: 1, complete_max: depth, low: depth }),
            exact: batch.is_some(),
            draining: false,
            lap_open: true,
            live: true,
            next_event: 0,
            ramp: outfit::ramp(a),
            schedule: Schedule {
                epoch: 0,
                ramp_end: Ticks::MAX,
                end: Ticks::MAX,
                runtime: Ticks::MAX,
                windows: [drive::Window::NONE; 2],
            },
            last: 0,
            baseline: a.baseline,
            tolerance: job.tolerance.clone(),
            dump: job.tolerance.dump.then_some(*a),
            faults: Vec::with_capacity(FAULTS_KEPT + 1),
            fills: job.target.fill,
            most_latency: job.limits.max_latency.map(|most| if most == 0 { u64::MAX } else { most }),
            slow: None,
            fatal: None,
            turns,
            heeds,
            locks: if E::SYNC { Locks::of_job(job, a.clone) } else { None },
            doors: None,
            shut: None,
            syncs: writes_per_sync.is_some(),
            first_write: None,
            priorities: a.priorities,
            pacer: None,
            floor: None,
            too_little: Vec::new(),
        };
        (worker, prepared.files)
    }

    /// Starts the clocks of the job.
    pub(crate) fn begin(&mut self, job: &Job, seed: u64) {
        let now = self.clock.now();
        self.begin_pace(job, seed, now);
        let limits = job.limits;
        let s = &mut self.schedule;
        s.epoch = now;
        s.runtime = if limits.runtime == 0 { Ticks::MAX } else { self.clock.ticks(limits.runtime) };
        if limits.ramps() {
            s.ramp_end = now.saturating_add(self.clock.ticks(limits.ramp_time));
        } else {
            s.end = now.saturating_add(s.runtime);
        }
        if job.measure.samples {
            for (window, nanos) in s.windows.iter_mut().zip([job.measure.bw_period, job.measure.iops_period])
            {
                window.ticks = self.clock.ticks(nanos.max(1_000_000));
                window.begin(now);
            }
        }
        self.last = now;
        self.next_event = s.next().min(self.floor.as_ref().map_or(Ticks::MAX, |floor| floor.next()));
    }

    /// Whether it needs the EXTRAS copy of the loop.
    pub(crate) fn has_extras(&self) -> bool {
        self.exact
            || self.heeds
            || self.syncs
            || self.locks.is_some()
            || self.priorities.is_some()
            || self.pacer.is_some()
    }

    /// Whether it does what is measured: its ramp is over, its end is not near.
    pub(crate) fn measures(&self) -> bool {
        self.live && self.schedule.ramp_end == Ticks::MAX
    }

    /// Nanoseconds from the epoch to now.
    pub(crate) fn since_epoch(&self) -> u64 {
        self.clock.nanos(self.clock.now().wrapping_sub(self.schedule.epoch))
    }
}

/// Laps of a job: `loops`, or as many as fit into the runtime with `time_based`.
pub(crate) struct Laps {
    left: u64,
    endless: bool,
    issued: u64,
}

impl Laps {
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
        worker.doors = Some(Box::new(Opener::new(job, a.clone, a.targets)));
    }
    let spent = Spent::start(a, finish);
    if finish.error.is_none() && wait(a, a.clone.startdelay(job)) {
        a.state(if job.limits.ramps() { WorkerState::Ramp } else { WorkerState::Running });
        a.shared.began.set(engine::clock::monotonic_nanos());
        worker.begin(job, a.clone.seed);
        let ran = if worker.has_extras() {
            laps::<E, true>(a, &mut worker, &mut files, finish)
        } else {
            laps::<E, false>(a, &mut worker, &mut files, finish)
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
                finish.error = finish.error.take().or(doors::sync_all(job, a.clone, a.targets).err());
            }
        }
        finish.runtime_nanos = worker.since_epoch();
    }
    finish.cpu = spent.so_far();
    a.shared.done_in_submit.set(worker.engine.done_in_submit());
    finish.unanswered = worker.slots.in_flight() as u64;
    finish.lines.extend(tally::fault_lines(job, a.clone, &worker.faults));
    finish.tolerated = worker
        .faults
        .first()
        .filter(|_| worker.fatal.is_none() && !worker.fills)
        .map(|f| tally::job_error(job, a.clone, f));
    if let Some(shut) = worker.shut.take() {
        finish.lines.extend(shut.hints);
        finish.error.get_or_insert(shut.error);
    }
    if let Some((op, lat)) = &worker.slow {
        finish.lines.clear();
        finish.lines.push(tally::slow_line(job, a.clone, op, *lat));
        finish.error.get_or_insert(tally::too_slow());
    }
    if !worker.too_little.is_empty() {
        finish.lines.extend(worker.too_little.iter().map(|line| format!("{}: {line}", job.name)));
        finish.error.get_or_insert(tally::too_little());
    }
    if let Some(fault) = &worker.fatal {
        finish.error.get_or_insert(tally::job_error(job, a.clone, fault));
    }
    if worker.slots.in_flight() > 0 {
        // The ring died with requests in it: the kernel may still write into the blocks.
        worker.arena.leak();
    }
}

/// The resources of a worker's thread from the common start on.
pub(crate) struct Spent {
    before: Rusage,
    waited_us: u64,
    began: Instant,
}

impl Spent {
    /// Waits for the common start; the job's own delay is still to come.
    pub(crate) fn start(a: &Assignment<'_>, finish: &mut Finish) -> Self {
        a.gate.start();
        finish.start_epoch_ms = epoch_ms();
        finish.start_clock_ms = start_clock(a.job(), 0);
        if a.clone.startdelay(a.job()) > 0 {
            a.state(WorkerState::Waiting);
        }
        let waited_us = waited_us();
        Self { before: rusage(Who::Thread).unwrap_or_default(), waited_us, began: Instant::now() }
    }

    /// What was used since.
    pub(crate) fn so_far(&self) -> CpuOutcome {
        let now = rusage(Who::Thread).unwrap_or_default();
        let waited_us = waited_us().saturating_sub(self.waited_us);
        CpuOutcome { waited_us, ..cpu(&self.before, &now, self.began.elapsed().as_millis() as u64) }
    }
}

/// What makes the writes of a job, or of one of its laps, durable.
fn sync_at_end(durability: Durability, files: &[OwnedFd]) -> Result<(), JobError> {
    let mut synced = Vec::new();
    if durability.end_syncfs {
        files.iter().try_for_each(|file| sync_file_system(file, &mut synced))?;
    }
    if durability.fsync_on_close || !durability.end_syncfs { sync_all(files) } else { Ok(()) }
}

/// syncfs of the file system that `file` lies in, unless it is one of those `synced`; fsync of a device, which lies in
/// none.
pub(crate) fn sync_file_system(file: &OwnedFd, synced: &mut Vec<u64>) -> Result<(), JobError> {
    let found = rustix::fs::fstat(file).map_err(|e| failed("fstat", &e.into(), ""))?;
    if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
        return rustix::fs::fsync(file).map_err(|e| failed("fsync", &e.into(), ""));
    }
    if !synced.contains(&found.st_dev) {
        synced.push(found.st_dev);
        rustix::fs::syncfs(file).map_err(|e| failed("syncfs", &e.into(), ""))?;
    }
    Ok(())
}

/// fsync of every file; the first error.
fn sync_all(files: &[OwnedFd]) -> Result<(), JobError> {
    let errors = files.iter().filter_map(|file| rustix::fs::fsync(file).err());
    errors.map(|e| failed("fsync", &e.into(), "")).next().map_or(Ok(()), Err)
}

fn laps<E: Engine, const EXTRAS: bool>(
    a: &Assignment<'_>,
    worker: &mut Worker<'_, E>,
    files: &mut Vec<OwnedFd>,
    finish: &mut Finish,
) -> Result<(), engine::RingDead> {
    let mut laps = Laps::new(a.job());
    loop {
        match step::<E, EXTRAS>(worker)? {
            Step::Ran => {}
            Step::Done => return worker.close_doors(),
            Step::LapOver if laps.another(a.shared) => {
                let durability = a.job().durability;
                // Each lap ends as the last one does; fio closes the files then, and syncs before and after.
                let once = u32::from(durability.end_fsync || durability.end_syncfs);
                let times = if durability.fsync_on_close { 2 } else { once };
                for _ in 0..if a.writes() && !laps.endless && !worker.turns { times } else { 0 } {
                    if let Err(error) = sync_at_end(durability, files) {
                        finish.error.get_or_insert(error);
                        return worker.close_doors();
                    }
                }
                if a.job().target.invalidate {
                    for (file, planned) in files.iter().zip(&a.clone.files) {
                        // Best effort, as at the start: what cannot be dropped shows in the layer line.
                        let _ = prepare::invalidate(file, planned);
                    }
                }
                worker.next_lap()?;
                // What was written last stays.
                if a.job().target.unlink_each_loop && !worker.pattern.spent() {
                    begin_anew(a, worker, files)?;
                }
            }
            Step::LapOver => return worker.close_doors(),
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

/// Sleeps until `nanos` after the start of the run, in short naps; false when asked to stop meanwhile.
pub(crate) fn wait(a: &Assignment<'_>, nanos: u64) -> bool {
    let until = a.began + std::time::Duration::from_nanos(nanos);
    loop {
        if a.control.stopped() {
            return false;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        std::thread::sleep(left.min(std::time::Duration::from_millis(20)));
    }
}

/// What the clock that `job_start_clock_id` asks for said so many nanoseconds ago, in milliseconds.
pub(crate) fn start_clock(job: &Job, ago: u64) -> Option<u64> {
    let now = sys::host::clock_ms(job.measure.start_clock?).ok()?;
    Some(now.saturating_sub(ago / 1_000_000))
}

/// Now, milliseconds since 1970.
pub fn epoch_ms() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}

/// Time that this thread waited for a CPU so far, microseconds; 0 where the kernel does not say.
fn waited_us() -> u64 {
    facts::process::waited_us().unwrap_or(0)
}

fn cpu(before: &Rusage, after: &Rusage, wall_ms: u64) -> CpuOutcome {
    CpuOutcome {
        user_us: after.user_us.saturating_sub(before.user_us),
        system_us: after.system_us.saturating_sub(before.system_us),
        wall_ms: wall_ms.max(1),
        switches: (after.voluntary + after.involuntary).saturating_sub(before.voluntary + before.involuntary),
        major_faults: after.major_faults.saturating_sub(before.major_faults),
        minor_faults: after.minor_faults.saturating_sub(before.minor_faults),
        waited_us: 0,
    }
}
