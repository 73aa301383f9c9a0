//! The state of a worker while it does I/O.

use crate::assignment::Assignment;
use crate::control::Control;
use crate::fault::{FAULTS_KEPT, Fault};
use crate::job_error::OpenError;
use crate::lock::Locks;
use crate::open_files::FileOpener;
use crate::pace::{Floor, Pacer};
use crate::pattern::Pattern;
use crate::payload::Payload;
use crate::schedule::{Ramp, Schedule, Window};
use crate::slots::Slots;
use crate::worker_setup::{self, Prepared};
use engine::clock::Source;
use engine::{Arena, Clock, Completion, Engine, Op, Ticks};
use job::job::{Batch, ClockSource, Job, Tolerance};
use rustix::fd::OwnedFd;
use stats::shared::SharedDirection;
use stats::{Shared, SharedPriorities};

/// Which of a worker's latencies are measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// fio's default: all three, percentiles of clat only. What the loop asks first.
    pub usual: bool,
    /// slat.
    pub slat: bool,
    /// clat.
    pub clat: bool,
    /// lat.
    pub lat: bool,
    /// Percentiles of slat will be shown.
    pub slat_histogram: bool,
    /// Percentiles of lat will be shown.
    pub lat_histogram: bool,
}

/// One job's state while it runs.
pub struct Worker<'a, E: Engine> {
    // Dropped in this order: the engine cancels and drains before the arena that the kernel writes into goes.
    pub(crate) engine: E,
    pub(crate) arena: Arena,
    pub(crate) clock: E::Clock,
    pub(crate) pattern: Pattern,
    /// Counters of what the pattern issues, if it is one kind only.
    pub(crate) only: Option<&'a SharedDirection>,
    pub(crate) payload: Payload,
    pub(crate) slots: Slots,
    pub(crate) done: Box<[Completion]>,
    pub(crate) shared: &'a Shared,
    pub(crate) control: &'a Control,
    pub(crate) measured: Measured,
    /// The most I/Os of one submit call.
    pub(crate) at_once: usize,
    /// `iodepth_batch*`, obeyed in the EXTRAS copy of the loop.
    pub(crate) batch: Batch,
    /// In the EXTRAS copy: the job sets any of them.
    pub(crate) exact: bool,
    /// In the EXTRAS copy: the queue was full and drains to `batch.low`.
    pub(crate) draining: bool,
    /// The pattern has something left in this lap.
    pub(crate) pass_open: bool,
    /// No request to stop, no error, time left.
    pub(crate) live: bool,
    pub(crate) next_event: Ticks,
    /// What the end of the ramp waits for, beside its time; every step is an event until then.
    pub(crate) ramp: Option<Ramp<'a>>,
    pub(crate) schedule: Schedule,
    /// The last moment read.
    pub(crate) last: Ticks,
    /// Where the counters are copied when the ramp ends.
    pub(crate) baseline: &'a Shared,
    /// Which failed I/Os are only counted.
    pub(crate) tolerance: Tolerance,
    /// Failed I/Os that are only counted are told all the same (`error_dump`).
    pub(crate) dump: Option<Assignment<'a>>,
    /// The first failures, for the report; preallocated.
    pub(crate) faults: Vec<Fault>,
    /// A full device is what the job waits for (`fill_device`).
    pub(crate) fills: bool,
    /// Latencies that end the job when they are exceeded, per direction (`max_latency`); looked at where `measured` is
    /// not `usual`.
    pub(crate) most_latency: [u64; 3],
    /// The I/O that took longer, and its latency.
    pub(crate) slow: Option<(Op, u64)>,
    /// The error that ended the job.
    pub(crate) fatal: Option<Fault>,
    /// In the EXTRAS copy: files are opened and closed as the pattern comes to them.
    pub(crate) turns: bool,
    /// In the EXTRAS copy, of synchronous engines: a lock around each call (`lockfile`).
    pub(crate) locks: Option<Locks>,
    /// In the EXTRAS copy: the pattern has to know what has landed.
    pub(crate) tracks_completions: bool,
    /// Who does it; nobody where the engine needs no files.
    pub(crate) doors: Option<Box<dyn FileOpener + 'a>>,
    /// Why a file could not be opened or closed.
    pub(crate) shut: Option<OpenError>,
    /// In the EXTRAS copy: the job syncs.
    pub(crate) syncs: bool,
    /// When the first write since the last sync was set up.
    pub(crate) first_write: Option<Ticks>,
    /// In the EXTRAS copy: latencies by priority.
    pub(crate) priorities: Option<&'a SharedPriorities>,
    /// In the EXTRAS copy: when the next I/O is due.
    pub(crate) pacer: Option<Box<Pacer>>,
    /// The least that the job has to do, looked at in events.
    pub(crate) floor: Option<Box<Floor>>,
    /// What it did not do.
    pub(crate) too_little: Vec<String>,
}

/// I/Os per submit call, where `iodepth_batch` says nothing. The kernel starts a batch when it has all of it: the device
/// should not stand still while we set up a whole queue, and `slat` should not be the setting up of 31 others. With 8
/// the call is cheap already (docs/design.md).
pub const SUBMIT: usize = 8;

impl<'a, E: Engine> Worker<'a, E> {
    pub(crate) fn new(a: &Assignment<'a>, engine: E, prepared: Prepared) -> (Self, Vec<OwnedFd>) {
        let (job, depth) = (a.job(), a.job().queue.effective.max(1));
        let clock = engine.clock().reading(match job.measure.clock {
            ClockSource::Cpu => Source::Best,
            ClockSource::Monotonic => Source::Monotonic,
            ClockSource::TimeOfDay => Source::Micros,
        });
        let m = &job.measure;
        let mut pattern = worker_setup::pattern(a);
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
        let turns = matches!(&pattern, Pattern::General(general) if general.limits_open_files());
        let tracks_completions =
            matches!(&pattern, Pattern::General(general) if general.tracks_completions());
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
                .min(batch.map_or(SUBMIT, |batch| batch.submit as usize)),
            payload: prepared.payload,
            slots: Slots::new(depth as u16),
            done: vec![Completion::default(); depth as usize].into(),
            shared: a.shared,
            control: a.control,
            measured,
            batch: batch.unwrap_or(Batch { submit: depth, complete_min: 1, complete_max: depth, low: depth }),
            exact: batch.is_some(),
            draining: false,
            pass_open: true,
            live: true,
            next_event: 0,
            ramp: worker_setup::ramp(a),
            schedule: Schedule {
                epoch: 0,
                ramp_end: Ticks::MAX,
                end: Ticks::MAX,
                runtime: Ticks::MAX,
                windows: [Window::NONE; 2],
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
            tracks_completions,
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
            || self.tracks_completions
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
