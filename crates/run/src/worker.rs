//! The state of a worker while it does I/O.

use crate::assignment::Assignment;
use crate::control::Control;
use crate::failures::Failures;
use crate::file_selector::FileAction;
use crate::logs::JobLog;
use crate::logs::windows::{LastIo, WorkerLogs};
use crate::min_rate::MinRate;
use crate::offsets::{self, OffsetSampler};
use crate::pattern::Pattern;
use crate::payload::Payload;
use crate::schedule::{Ramp, SampleWindow, Schedule};
use crate::slots::Slots;
use crate::steady_watch::SteadySampler;
use crate::worker_setup::{self, Prepared};
use engine::clock::Source;
use engine::{Arena, Clock, Completion, Engine, Ticks};
use job::job::{ClockSource, Job};
use rustix::fd::OwnedFd;
use stats::Shared;
use stats::shared::SharedDirection;
use std::num::NonZeroU64;

/// Latencies that a worker records. The two flags in front stand for frequent sets without a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeasuredLatencies {
    /// Whether this is fio's default: slat, clat and lat, with percentiles of clat only.
    pub(crate) default_of_fio: bool,
    /// Whether this is the set of the cards of `fathom run`: slat, clat and lat, with percentiles of clat and lat.
    pub(crate) default_of_cards: bool,
    /// Whether slat is measured and its percentiles are not reported.
    pub(crate) slat_moments_only: bool,
    pub(crate) slat: bool,
    pub(crate) clat: bool,
    pub(crate) lat: bool,
    /// Whether percentiles of slat are reported.
    pub(crate) slat_histogram: bool,
    /// Whether percentiles of lat are reported.
    pub(crate) lat_histogram: bool,
    /// Latencies in nanoseconds that end the job when they are exceeded, per direction (`max_latency`).
    pub(crate) most: [u64; 3],
}

/// Operations that were filled in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filled {
    /// Number of operations.
    pub(crate) ops: usize,
    /// Time before which no further operation may start; `None` if there is no such limit.
    pub(crate) due: Option<Due>,
    /// Whether no operation was filled because completions have to come first; the pass is not over.
    pub(crate) blocked: bool,
}

/// Time at which the next operation may start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) at: Ticks,
    /// Ticks before `at` at which waiting ends and polling begins.
    pub(crate) lead: Ticks,
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The job continues.
    Ran,
    /// The pass is complete and no I/O is in flight: the caller decides whether there is another pass.
    PassOver,
    /// The job has ended by time, by request or by an error; no I/O is in flight.
    Done,
}

/// State that every job has while it does I/O. The state of features that only some jobs use is in [`crate::extras`].
pub(crate) struct Worker<'a, E: Engine> {
    // Dropped in this order: the engine cancels and drains its I/O before the arena, into which the kernel writes, is
    // freed.
    pub(crate) engine: E,
    pub(crate) arena: Arena,
    pub(crate) clock: E::Clock,
    pub(crate) pattern: Pattern,
    /// Counters of the only direction of the pattern; `None` if the pattern has several, or the next operation is a sample
    /// of the offsets.
    pub(crate) only: Option<&'a SharedDirection>,
    /// Counters of the only direction of the pattern; `None` if the pattern has several.
    pub(crate) pattern_only: Option<&'a SharedDirection>,
    pub(crate) payload: Payload,
    /// Bins of the sampled offsets.
    pub(crate) offsets: OffsetSampler,
    pub(crate) slots: Slots,
    /// Completions of the last reap.
    pub(crate) done: Box<[Completion]>,
    pub(crate) shared: &'a Shared,
    pub(crate) control: &'a Control,
    pub(crate) measured: MeasuredLatencies,
    /// Largest number of I/Os of one submit call.
    pub(crate) submit_limit: usize,
    /// Whether the pattern has operations left in this pass.
    pub(crate) pass_open: bool,
    /// Whether the job continues: no request to end, no error, time left.
    pub(crate) live: bool,
    /// Whether written blocks are read back, outside the job's pattern.
    pub(crate) reads_back: bool,
    /// Time of the next event of the schedule.
    pub(crate) next_event: Ticks,
    /// Time of the last clock read.
    pub(crate) last: Ticks,
    pub(crate) schedule: Schedule<'a>,
    /// Minimum rate, which is checked in events; `None` if the job has none.
    pub(crate) min_rate: Option<Box<MinRate>>,
    /// Samples of the steady state, which are taken in events; `None` if the worker takes none.
    pub(crate) steady: Option<Box<SteadySampler<'a>>>,
    /// Logs over time; `None` if the job writes none.
    pub(crate) logs: Option<Box<WorkerLogs>>,
    pub(crate) failures: Box<Failures<'a>>,
    /// Files that were opened and closed since the recorder of the trace looked; `None` without a recorder.
    pub(crate) file_actions: Option<Vec<FileAction>>,
    /// Whether a feature lets no operation start before completions have been reaped.
    pub(crate) held: bool,
    /// Whether the worker waits for the I/O of another worker.
    pub(crate) stalled: bool,
    /// Queue depth that the job's search for a latency has reached; `None` without a search.
    pub(crate) searched_depth: Option<u32>,
    /// The last pause, if the rate has to stand still for its time and does not yet.
    pub(crate) pause: Option<Pause>,
}

/// A pause between I/Os, on the worker's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pause {
    pub(crate) from: Ticks,
    pub(crate) to: Ticks,
}

/// Number of I/Os per submit call without `iodepth_batch`. The kernel starts a batch after it has processed all of
/// it: the device should not be idle while a whole queue is set up, and the `slat` of an I/O should not include the
/// setup of 31 others. With 8 I/Os, the cost of the call is already small (docs/design.md).
pub(crate) const SUBMIT: usize = 8;

impl<'a, E: Engine> Worker<'a, E> {
    /// Returns the worker of `a` on `engine`, and the open files, which must live as long as the worker.
    pub(crate) fn new(a: &Assignment<'a>, engine: E, prepared: Prepared) -> (Self, Vec<OwnedFd>) {
        let (job, depth) = (a.job(), a.job().queue.effective);
        let clock = engine.clock().reading(match job.measure.clock {
            ClockSource::Cpu => Source::Best,
            ClockSource::Monotonic => Source::Monotonic,
            ClockSource::TimeOfDay => Source::Micros,
        });
        let steady = a.steady.map(|watch| Box::new(SteadySampler::new(watch, a.counters, &clock)));
        let pattern = worker_setup::pattern(a, prepared.zoned);
        let only = pattern.only_kind().and_then(|kind| a.shared.directions.get(kind as usize));
        let mut worker = Worker {
            engine,
            arena: prepared.arena,
            clock,
            only,
            pattern_only: only,
            pattern,
            payload: prepared.payload,
            offsets: OffsetSampler::new(job, a.clone),
            slots: Slots::new(depth as u16),
            done: vec![Completion::default(); depth as usize].into(),
            shared: a.shared,
            control: a.control,
            measured: MeasuredLatencies::of(job, a.all_histograms),
            submit_limit: 0,
            pass_open: true,
            live: true,
            reads_back: false,
            next_event: 0,
            last: 0,
            schedule: Schedule {
                epoch: 0,
                ramp_end: Ticks::MAX,
                end: Ticks::MAX,
                runtime: Ticks::MAX,
                log_clock: job.logs.clock,
                windows: [SampleWindow::NONE; 2],
                ramp: Ramp {
                    by_bytes: worker_setup::ramp_by_bytes(a),
                    baseline: a.baseline,
                    priorities: a.priorities,
                },
            },
            min_rate: None,
            steady,
            logs: None,
            failures: Box::new(Failures::new(a)),
            file_actions: None,
            held: false,
            stalled: false,
            searched_depth: None,
            pause: None,
        };
        worker.set_submit_limit(job, SUBMIT);
        worker.logs = a
            .logs
            .map(|link| Box::new(WorkerLogs::new(JobLog::new(link, &job.logs), job, worker.clock.scale())));
        (worker, prepared.files)
    }

    /// Limits the number of I/Os per submit call to `most`; the limit is lower if payloads take long to generate, and
    /// 1 if there are trims.
    pub(crate) fn set_submit_limit(&mut self, job: &Job, most: usize) {
        let alone = job.trims() || E::HANDS_OVER_ONE_BY_ONE;
        self.submit_limit = self.payload.chunk().min(if alone { 1 } else { usize::MAX }).min(most);
    }

    /// Returns whether files are opened when the pattern reaches them.
    pub(crate) fn opens_late(&self) -> bool {
        self.pattern.limits_open_files()
    }

    /// Starts the clocks of the job now, and sets `last` to this time.
    pub(crate) fn begin(&mut self, job: &Job) {
        let now = self.clock.now();
        self.min_rate = MinRate::of(job, &self.clock, now).map(Box::new);
        let limits = job.limits;
        let s = &mut self.schedule;
        s.epoch = now;
        s.runtime = limits.runtime.map_or(Ticks::MAX, |runtime| self.clock.ticks(runtime.get()));
        if limits.ramps() {
            s.ramp_end = now.saturating_add(self.clock.ticks(limits.ramp_time));
        } else {
            s.end = now.saturating_add(s.runtime);
            if let Some(steady) = &mut self.steady {
                steady.begin(now, &self.clock);
            }
        }
        if job.measure.samples {
            for (window, nanos) in s.windows.iter_mut().zip([job.measure.bw_period, job.measure.iops_period])
            {
                window.ticks = self.clock.ticks(nanos.max(1_000_000));
                window.begin(now);
            }
        }
        self.last = now;
        let min_rate = self.min_rate.as_ref().map_or(Ticks::MAX, |min_rate| min_rate.next());
        let steady = self.steady.as_ref().map_or(Ticks::MAX, |steady| steady.next());
        self.offsets.begin(now, self.clock.ticks(offsets::PERIOD_NANOS));
        self.next_event = s.next().min(min_rate).min(steady).min(self.offsets.next());
        if !limits.ramps() {
            self.begin_logs(now);
        }
    }

    /// Starts the logs at `epoch`, the start of the measurement.
    pub(crate) fn begin_logs(&mut self, epoch: Ticks) {
        if let Some(logs) = &mut self.logs {
            let base = self
                .schedule
                .log_clock
                .and_then(|id| sys::host::clock_ms(id).ok())
                .map_or(0, |ms| ms.saturating_mul(1_000_000));
            logs.begin(epoch, base, self.shared);
            self.next_event = self.next_event.min(logs.next());
        }
    }

    /// Handles the events of the logs that are due at `now`, at which `reaped` operations were reaped.
    pub(crate) fn log_event(&mut self, now: Ticks, reaped: usize) {
        let Some(mut logs) = self.logs.take() else { return };
        if logs.begun() {
            let scale = self.clock.scale();
            let last = self.done[..reaped].iter().filter_map(|done| {
                let io = self.slots.get(done.slot);
                let timed = done.res == (io.op.len - io.op.done) as i32;
                // After a short transfer the rest is in flight in the same slot.
                let counted = (timed || done.res == engine::UNTIMED)
                    && (io.op.done == 0 || self.slots.is_free(done.slot));
                LastIo::of(io, timed, now, scale).filter(|_| counted)
            });
            logs.event(now, self.shared, last);
        } else if self.schedule.ramp_end == Ticks::MAX {
            self.logs = Some(logs);
            self.begin_logs(self.schedule.epoch);
            return;
        }
        self.next_event = self.next_event.min(logs.next());
        self.logs = Some(logs);
    }

    /// Ends the logs after the last I/O, and returns notes about them.
    pub(crate) fn end_logs(&mut self) -> Vec<stats::note::NoteFact> {
        self.logs.take().map_or_else(Vec::new, |logs| logs.end(self.last, self.shared))
    }

    /// Returns whether the I/O is measured: the ramp is over and the job has not ended.
    pub(crate) fn measures(&self) -> bool {
        self.live && self.schedule.ramp_end == Ticks::MAX
    }

    /// Returns the time since the start of the measurement in nanoseconds.
    pub(crate) fn since_epoch(&self) -> u64 {
        self.clock.nanos(self.clock.now().wrapping_sub(self.schedule.epoch))
    }
}

impl MeasuredLatencies {
    fn of(job: &Job, all_histograms: bool) -> Self {
        let m = &job.measure;
        let slat_histogram = m.shown.slat_percentiles;
        let lat_histogram = m.shown.lat_percentiles || all_histograms;
        let limited = job.limits.max_latency != [None; 3];
        let default = m.slat && m.clat && m.lat && !slat_histogram && !limited;
        Self {
            default_of_fio: default && !lat_histogram,
            default_of_cards: default && lat_histogram,
            slat_moments_only: m.slat && !slat_histogram,
            slat: m.slat,
            clat: m.clat,
            lat: m.lat,
            slat_histogram,
            lat_histogram,
            most: job.limits.max_latency.map(|most| most.map_or(u64::MAX, NonZeroU64::get)),
        }
    }
}
