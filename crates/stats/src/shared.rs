//! Live statistics of one worker, which is the only writer of every field.

use crate::counter::Counter;
use crate::histogram::SharedHistogram;
use crate::level::SharedLevels;
use crate::moments::SharedMoments;
use crate::offsets::SharedBins;

/// Moments and histogram of one kind of latency.
#[derive(Debug, Default)]
#[repr(C)]
pub struct SharedLatency {
    /// Exact moments, nanoseconds.
    pub moments: SharedMoments,
    /// Histogram of the latencies, nanoseconds.
    pub histogram: SharedHistogram,
}

impl SharedLatency {
    /// Adds `k` latencies of `nanos` nanoseconds to moments and histogram; another counter holds their number.
    #[inline(always)]
    pub fn record(&self, nanos: u64, k: u64) {
        self.moments.record(nanos, k);
        self.histogram.record(nanos, k);
    }
}

/// Counters of one data direction.
#[derive(Debug, Default)]
#[repr(C)]
pub struct SharedDirection {
    /// Number of completed I/Os.
    pub ios: Counter,
    /// Bytes transferred by completed I/Os.
    pub bytes: Counter,
    /// Number of I/Os issued.
    pub issued: Counter,
    /// Number of I/Os that transferred fewer bytes than requested, whose rest was issued again.
    pub short: Counter,
    /// Number of I/Os among `ios` without a recorded latency.
    pub untimed: Counter,
    /// Number of dropped I/Os.
    pub dropped: Counter,
    /// Number of failed I/Os.
    pub errors: Counter,
    /// Number of bandwidth samples.
    pub samples: Counter,
    /// Number of samples of the I/O rate.
    pub rate_samples: Counter,
    /// Bandwidth samples, KiB/s.
    pub bw_samples: SharedMoments,
    /// Samples of the I/O rate, I/Os per second.
    pub iops_samples: SharedMoments,
    /// Submission latency: from the start of queueing to the return of the submit call.
    pub slat: SharedLatency,
    /// Completion latency: from the return of the submit call to the reaping of the completion.
    pub clat: SharedLatency,
    /// Total latency: from the start of queueing to the reaping of the completion.
    pub lat: SharedLatency,
}

/// Counters of one worker. A block of zero bytes is the valid empty state, so that many blocks in one untouched
/// mapping use no memory before their first use. The alignment keeps two workers out of one cache line.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub struct Shared {
    /// Counters of read, write and trim.
    pub directions: [SharedDirection; 3],
    /// Latency of fsync and fdatasync calls.
    pub sync: SharedLatency,
    /// Number of syncs completed.
    pub syncs: Counter,
    /// Commit latency, one for each sync: from the submission of the first write since the previous sync to the end
    /// of the sync.
    pub commit: SharedLatency,
    /// Distribution of the queue depth when I/Os were issued.
    pub depth: SharedLevels,
    /// Distribution of the number of I/Os per submit call.
    pub submit: SharedLevels,
    /// Distribution of the number of I/Os per reap call.
    pub complete: SharedLevels,
    /// Number of I/Os issued and not yet reaped.
    pub in_flight: Counter,
    /// Number of I/Os that were complete when their submit call returned.
    pub done_in_submit: Counter,
    /// State of the worker (`live::WorkerState` as a number).
    pub state: Counter,
    /// Number of open files.
    pub open_files: Counter,
    /// Start of the measured time, CLOCK_MONOTONIC nanoseconds; 0 before that time.
    pub began: Counter,
    /// Number of errors of all kinds.
    pub errors: Counter,
    /// Errno of the first error; 0 without errors.
    pub first_error: Counter,
    /// Thread id of the worker; 0 before the worker starts.
    pub thread: Counter,
    /// 1 if the job is paced, so that `scheduled` is recorded; otherwise 0.
    pub paced: Counter,
    /// Latency of paced directions from the scheduled start of each I/O to the reaping of its completion, for the
    /// I/Os with a recorded latency.
    pub scheduled: [SharedLatency; 3],
    /// Number of I/Os of a trace that were started at their times, and of those that started more than
    /// [`crate::LATE_START`] after it.
    pub started: Counter,
    /// See `started`.
    pub late: Counter,
    /// Delay of the I/Os of a trace from their times to their start.
    pub lateness: SharedLatency,
    /// Number of zones that the job has reset (`zonemode=zbd`).
    pub zone_resets: Counter,
    /// Sampled offsets of issued I/Os, ramp included.
    pub offsets: SharedBins,
}

/// Counters of one job. Zero bytes are the valid empty state, as for [`Shared`].
#[derive(Debug, Default)]
#[repr(C)]
pub struct JobCounters {
    /// Counters since the start of the job.
    pub now: Shared,
    /// Counters at the start of the measured time; all zero for a job without ramp time.
    pub baseline: Shared,
}

impl Shared {
    /// Starts the measured time: copies every count into `baseline`, which the result subtracts, and resets the
    /// extremes. Called by the writer; allocates nothing.
    pub fn begin_measuring(&self, baseline: &Shared) {
        for (now, then) in self.directions.iter().zip(&baseline.directions) {
            for (a, b) in [(&now.ios, &then.ios), (&now.bytes, &then.bytes), (&now.issued, &then.issued)] {
                b.set(a.get());
            }
            for (a, b) in
                [(&now.short, &then.short), (&now.dropped, &then.dropped), (&now.errors, &then.errors)]
            {
                b.set(a.get());
            }
            then.untimed.set(now.untimed.get());
            then.samples.set(now.samples.get());
            then.rate_samples.set(now.rate_samples.get());
            now.bw_samples.begin_measuring(&then.bw_samples);
            now.iops_samples.begin_measuring(&then.iops_samples);
            for (a, b) in [(&now.slat, &then.slat), (&now.clat, &then.clat), (&now.lat, &then.lat)] {
                a.begin_measuring(b);
            }
        }
        self.sync.begin_measuring(&baseline.sync);
        self.commit.begin_measuring(&baseline.commit);
        baseline.syncs.set(self.syncs.get());
        for (a, b) in [
            (&self.depth, &baseline.depth),
            (&self.submit, &baseline.submit),
            (&self.complete, &baseline.complete),
        ] {
            a.copy_to(b);
        }
        baseline.done_in_submit.set(self.done_in_submit.get());
        baseline.errors.set(self.errors.get());
        if self.paced.get() > 0 {
            self.scheduled.iter().zip(&baseline.scheduled).for_each(|(now, then)| now.begin_measuring(then));
            self.lateness.begin_measuring(&baseline.lateness);
            baseline.started.set(self.started.get());
            baseline.late.set(self.late.get());
        }
    }
}

impl SharedLatency {
    pub(crate) fn begin_measuring(&self, baseline: &SharedLatency) {
        self.moments.begin_measuring(&baseline.moments);
        self.histogram.copy_to(&baseline.histogram);
    }
}
