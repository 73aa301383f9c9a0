//! The logs of a worker: rows of intervals from the worker's counters, and the buffer of single I/Os.
//!
//! Intervals end at multiples of their length. An interval counts the I/Os that complete after its start, up to and
//! including its end, whenever the worker notices the end: the worker notices it after a reap at the earliest, and the
//! completions of that reap belong to the interval in which they were reaped.

use super::JobLog;
use super::records::{IoRecord, Row};
use crate::slots::InFlightOp;
use engine::clock::scaled;
use engine::{Completion, Ticks};
use job::job::{Job, LogFile};
use stats::histogram::{self, BUCKETS_OF_FIO};
use stats::note::NoteFact;
use stats::shared::SharedDirection;
use stats::unit::{MILLISECOND, SECOND};
use stats::{Direction, Shared};

/// Time in nanoseconds after which single I/Os are handed to the writer although their buffer is not full.
const FLUSH: u64 = SECOND;
/// Number of intervals from which a note about empty ones is made.
const ENOUGH_INTERVALS: u64 = 10;

/// Counts of one direction that rows are made of.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    ios: u64,
    bytes: u64,
    /// Number of slat, clat and lat.
    numbers: [u64; 3],
    /// Sums of slat, clat and lat in nanoseconds.
    sums: [u128; 3],
}

impl Counts {
    fn of(d: &SharedDirection, sync: bool) -> Self {
        let timed = d.ios.get() - d.untimed.get();
        let latencies = if sync { [&d.slat, &d.clat, &d.clat] } else { [&d.slat, &d.clat, &d.lat] };
        Self {
            ios: d.ios.get(),
            bytes: d.bytes.get(),
            numbers: [d.issued.get(), timed, timed],
            sums: latencies.map(|latency| latency.moments.snapshot(1).sum),
        }
    }

    fn minus(self, o: Counts) -> Self {
        Self {
            ios: self.ios.saturating_sub(o.ios),
            bytes: self.bytes.saturating_sub(o.bytes),
            numbers: std::array::from_fn(|at| self.numbers[at].saturating_sub(o.numbers[at])),
            sums: std::array::from_fn(|at| self.sums[at].saturating_sub(o.sums[at])),
        }
    }
}

/// An I/O of the last reap, with its latencies in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastIo {
    direction: usize,
    bytes: u64,
    /// Completion and total latency; `None` for an I/O without latency.
    latencies: Option<[u64; 2]>,
}

impl LastIo {
    /// Returns the I/O that completed at `now`; `None` for a sync.
    pub(crate) fn of(io: &InFlightOp, timed: bool, now: Ticks, scale: u64) -> Option<Self> {
        let direction = io.op.kind as usize;
        let latencies = [io.issued, io.start].map(|from| scaled(now.wrapping_sub(from), scale));
        (direction < 3).then(|| Self {
            direction,
            bytes: io.op.len.into(),
            latencies: timed.then_some(latencies),
        })
    }
}

/// Interval that is open. Its times are nanoseconds since the start of the measurement, which do not accumulate the
/// error of a conversion from ticks.
#[derive(Clone, Copy, Debug)]
struct Interval {
    length: u64,
    start: u64,
    end: u64,
    /// End by the worker's clock; `Ticks::MAX` for a job without such rows, and during the ramp.
    due: Ticks,
}

impl Interval {
    /// Returns an interval that has not begun.
    fn of(length: u64) -> Self {
        Self { length, start: 0, end: 0, due: Ticks::MAX }
    }

    /// Begins the interval after `start`, on a clock with this epoch and scale.
    fn begin(&mut self, start: u64, epoch: Ticks, scale: u64) {
        if self.length > 0 {
            (self.start, self.end) = (start, start.saturating_add(self.length));
            let ticks = (u128::from(self.end) << 32) / u128::from(scale.max(1));
            self.due = epoch.saturating_add(u64::try_from(ticks).unwrap_or(u64::MAX));
        }
    }
}

/// State before the rows that were made last, so that a short remainder can be added to them.
#[derive(Clone, Copy, Debug)]
struct Before {
    start: u64,
    counts: [Counts; 3],
    most: [[u64; 3]; 3],
    rows: usize,
}

/// Logs of one worker.
#[derive(Debug)]
pub(crate) struct WorkerLogs {
    log: JobLog,
    /// Files of values that have rows, in the order of [`LogFile::ALL`].
    files: [bool; 5],
    /// Directions of the job.
    directions: [bool; 3],
    sync: bool,
    scale: u64,
    /// Start of the measurement; `None` during the ramp.
    epoch: Option<Ticks>,
    rows: Interval,
    counts: [Counts; 3],
    /// Largest slat, clat and lat of each direction in the open interval, and of I/Os after its end.
    most: [[[u64; 3]; 3]; 2],
    before: Option<Before>,
    histograms: Interval,
    histogram_counts: [Box<[u64]>; 3],
    /// Time of the next hand-over of single I/Os.
    flush: Interval,
    intervals: u64,
    empty: u64,
}

impl WorkerLogs {
    /// Returns the logs of a worker whose clock has this [`engine::Clock::scale`].
    pub(crate) fn new(log: JobLog, job: &Job, scale: u64) -> Self {
        let spec = &job.logs;
        let interval = |nanos: u64, wanted: bool| Interval::of(if wanted { nanos } else { 0 });
        let histograms = interval(spec.histogram_interval, spec.has_histograms());
        let buckets = if spec.has_histograms() { BUCKETS_OF_FIO } else { 0 };
        Self {
            log,
            files: std::array::from_fn(|at| spec.has(LogFile::ALL[at])),
            directions: Direction::ALL.map(|d| job.pattern.mix.has(d)),
            sync: job.engine.is_sync(),
            scale,
            epoch: None,
            rows: interval(spec.interval, spec.has_values()),
            counts: Default::default(),
            most: Default::default(),
            before: None,
            histograms,
            histogram_counts: std::array::from_fn(|_| vec![0; buckets].into()),
            flush: interval(FLUSH, spec.has_values() && spec.interval == 0),
            intervals: 0,
            empty: 0,
        }
    }

    /// Returns the time of the next event.
    pub(crate) fn next(&self) -> Ticks {
        self.rows.due.min(self.histograms.due).min(self.flush.due)
    }

    /// Returns whether I/Os are logged: the ramp is over.
    #[inline(always)]
    pub(crate) fn begun(&self) -> bool {
        self.epoch.is_some()
    }

    /// Starts the measurement at `epoch`, which is `base` nanoseconds by the clock of the log.
    pub(crate) fn begin(&mut self, epoch: Ticks, base: u64, shared: &Shared) {
        self.epoch = Some(epoch);
        (self.log.chunk.epoch, self.log.chunk.scale, self.log.chunk.base) = (epoch, self.scale, base);
        for interval in [&mut self.rows, &mut self.histograms, &mut self.flush] {
            interval.begin(0, epoch, self.scale);
        }
        self.counts = self.present(shared);
        for (counts, d) in self.histogram_counts.iter_mut().zip(&shared.directions) {
            d.clat.histogram.copy_counts(counts);
        }
    }

    /// Returns whether rows are of intervals, not of single I/Os.
    pub(crate) fn has_intervals(&self) -> bool {
        self.rows.length > 0
    }

    /// Adds the I/Os of `done`, which are like `alike` except for their offset and the index of their priority, which
    /// `each` returns.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        alike: IoRecord,
        mut done: &[Completion],
        each: impl Fn(&Completion) -> (u64, u8),
    ) {
        loop {
            let chunk = &mut *self.log.chunk;
            let free = chunk.ios.get_mut(chunk.len..).unwrap_or_default();
            let n = free.len().min(done.len());
            for (free, done) in free.iter_mut().zip(done) {
                let (offset, priority) = each(done);
                *free = IoRecord { offset, priority, ..alike };
            }
            chunk.len += n;
            done = &done[n..];
            if done.is_empty() {
                return;
            }
            self.log.hand_over();
        }
    }

    /// Notes the latencies of an I/O that completed at `now`, for the largest of the interval.
    pub(crate) fn note_most(&mut self, io: &InFlightOp, now: Ticks) {
        let Some(most) = self.most[usize::from(now > self.rows.due)].get_mut(io.op.kind as usize) else {
            return;
        };
        let between = |from: Ticks, to: Ticks| scaled(to.wrapping_sub(from), self.scale);
        let latencies = [between(io.start, io.issued), between(io.issued, now), between(io.start, now)];
        most.iter_mut().zip(latencies).for_each(|(most, latency)| *most = latency.max(*most));
    }

    fn present(&self, shared: &Shared) -> [Counts; 3] {
        std::array::from_fn(|d| Counts::of(&shared.directions[d], self.sync))
    }

    /// Makes the rows of all intervals that have ended by `now`. `last` are the I/Os of the reap at `now`.
    pub(crate) fn event(&mut self, now: Ticks, shared: &Shared, last: impl Iterator<Item = LastIo> + Clone) {
        let Some(epoch) = self.epoch else { return };
        // The newest rows are kept until the next event, because a short remainder may be added to them.
        if now >= self.next() {
            self.log.hand_over_if_free();
            self.before = None;
        }
        if now >= self.flush.due {
            self.flush.begin(self.since(now), epoch, self.scale);
        }
        if now >= self.rows.due {
            let all = self.present(shared);
            let mut latest = [Counts::default(); 3];
            for io in last.clone() {
                let counts = &mut latest[io.direction];
                counts.ios += 1;
                counts.bytes += io.bytes;
                if let Some([clat, lat]) = io.latencies {
                    counts.numbers[1] += 1;
                    counts.numbers[2] += 1;
                    counts.sums[1] += u128::from(clat);
                    counts.sums[2] += u128::from(if self.sync { clat } else { lat });
                }
            }
            let earlier = std::array::from_fn(|d| all[d].minus(latest[d]));
            while now >= self.rows.due {
                self.make_rows(self.rows.end, if now > self.rows.due { earlier } else { all });
                self.rows.begin(self.rows.end, epoch, self.scale);
            }
        }
        while now >= self.histograms.due {
            let later = now > self.histograms.due;
            self.make_histograms(self.histograms.end, shared, last.clone().filter(|_| later));
            self.histograms.begin(self.histograms.end, epoch, self.scale);
        }
    }

    /// Returns the time since the start of the measurement in nanoseconds.
    fn since(&self, now: Ticks) -> u64 {
        scaled(now.saturating_sub(self.epoch.unwrap_or(now)), self.scale)
    }

    /// Makes the rows of the open intervals, which end at `now` with the job, and hands everything over. Returns notes
    /// about the logs.
    pub(crate) fn end(mut self, now: Ticks, shared: &Shared) -> Vec<NoteFact> {
        if self.begun() {
            let now = self.since(now);
            if self.rows.length > 0 {
                self.end_rows(now, shared);
            }
            if self.histograms.length > 0 {
                self.make_histograms(now, shared, std::iter::empty());
                self.log.chunk.join_histograms();
            }
        }
        self.log.hand_over();
        let mut notes = Vec::new();
        if self.log.waits > 0 {
            notes.push(NoteFact::LogWaits { waits: self.log.waits, ms: self.log.waited.div_ceil(1_000_000) });
        }
        if self.intervals >= ENOUGH_INTERVALS && self.empty * 2 > self.intervals {
            notes.push(NoteFact::LogIntervalShort { empty: self.empty, intervals: self.intervals });
        }
        notes
    }

    fn end_rows(&mut self, now: u64, shared: &Shared) {
        let counts = self.present(shared);
        let idle = counts.iter().zip(&self.counts).all(|(now, then)| now.ios == then.ios);
        if now / MILLISECOND == self.rows.start / MILLISECOND {
            if idle {
                return;
            }
            // The remainder would have a second row with the same time: it is added to the interval before it.
            if let Some(before) = self.before.take() {
                self.log.chunk.rows.truncate(before.rows);
                (self.rows.start, self.counts) = (before.start, before.counts);
                for (d, most) in self.most[0].iter_mut().enumerate() {
                    most.iter_mut().zip(before.most[d]).for_each(|(most, then)| *most = then.max(*most));
                }
            }
        }
        self.make_rows(now, counts);
    }

    /// Makes the rows of the interval that ends at `end`, with the counters `counts` at its end.
    fn make_rows(&mut self, end: u64, counts: [Counts; 3]) {
        let room = self.log.chunk.rows.capacity() - self.log.chunk.rows.len();
        if room < 15 {
            self.log.hand_over();
        }
        let most = std::mem::take(&mut self.most[0]);
        self.before = Some(Before {
            start: self.rows.start,
            counts: self.counts,
            most,
            rows: self.log.chunk.rows.len(),
        });
        self.most.swap(0, 1);
        let elapsed = u128::from(end.saturating_sub(self.rows.start).max(1));
        let per_second = |amount: u64| (u128::from(amount) * u128::from(SECOND) / elapsed) as u64;
        for (at, file) in LogFile::ALL.into_iter().take(5).enumerate().filter(|(at, _)| self.files[*at]) {
            for direction in 0..3 {
                let of = counts[direction].minus(self.counts[direction]);
                let (value, most) = if let Some(latency) = at.checked_sub(2) {
                    let n = u128::from(of.numbers[latency]);
                    // A trim that is done in its call has no slat.
                    if n == 0 || latency == 0 && of.sums[0] == 0 {
                        continue;
                    }
                    ((of.sums[latency] / n) as u64, most[direction][latency])
                } else if self.directions[direction] || of.ios > 0 {
                    let rate =
                        if file == LogFile::Bw { per_second(of.bytes) / 1024 } else { per_second(of.ios) };
                    (rate, rate)
                } else {
                    continue;
                };
                self.log.chunk.rows.push(Row { file, direction, nanos: end, value, most });
            }
        }
        for direction in (0..3).filter(|d| self.directions[*d]) {
            self.intervals += 1;
            self.empty += u64::from(counts[direction].ios == self.counts[direction].ios);
        }
        self.counts = counts;
    }

    /// Makes the histograms of the interval that ends at `end`, without the I/Os in `later`.
    fn make_histograms(&mut self, end: u64, shared: &Shared, later: impl Iterator<Item = LastIo> + Clone) {
        for (direction, d) in shared.directions.iter().enumerate() {
            if self.log.chunk.histograms_len == self.log.chunk.histograms.len() {
                self.log.hand_over();
                self.before = None;
            }
            let chunk = &mut *self.log.chunk;
            let Some(row) = chunk.histograms.get_mut(chunk.histograms_len) else { return };
            d.clat.histogram.copy_counts(&mut row.counts);
            for [clat, _] in
                later.clone().filter(|io| io.direction == direction).filter_map(|io| io.latencies)
            {
                let count = &mut row.counts[histogram::index(clat).min(BUCKETS_OF_FIO - 1)];
                *count = count.saturating_sub(1);
            }
            let mut any = 0;
            for (now, before) in row.counts.iter_mut().zip(&mut self.histogram_counts[direction]) {
                let since = *now - *before;
                *before = *now;
                *now = since;
                any += since;
            }
            if any > 0 {
                (row.direction, row.nanos) = (direction, end);
                chunk.histograms_len += 1;
            }
        }
    }
}
