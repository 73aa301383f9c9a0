//! The live statistics of one worker: every field has one writer, the worker itself.

use crate::counter::Counter;
use crate::histogram::SharedHistogram;
use crate::level::SharedLevels;
use crate::moments::SharedMoments;

/// One latency: moments always, a histogram beside them.
#[derive(Debug, Default)]
#[repr(C)]
pub struct SharedLatency {
    /// Exact moments, nanoseconds.
    pub moments: SharedMoments,
    /// Buckets, nanoseconds.
    pub histogram: SharedHistogram,
}

impl SharedLatency {
    /// Adds `k` latencies of `nanos` to the moments and the histogram; their number is counted elsewhere.
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
    /// Completed I/Os.
    pub ios: Counter,
    /// Bytes that completed I/Os moved.
    pub bytes: Counter,
    /// I/Os that were issued.
    pub issued: Counter,
    /// I/Os that moved fewer bytes than asked and were continued.
    pub short: Counter,
    /// I/Os among `ios` of which no latency was kept.
    pub untimed: Counter,
    /// I/Os dropped.
    pub dropped: Counter,
    /// I/Os that failed.
    pub errors: Counter,
    /// Number of samples taken of bandwidth.
    pub samples: Counter,
    /// Number of samples taken of the I/O rate.
    pub rate_samples: Counter,
    /// Samples of bandwidth, KiB/s.
    pub bw_samples: SharedMoments,
    /// Samples of the I/O rate, 1/s.
    pub iops_samples: SharedMoments,
    /// From before the first byte is queued until submit returned.
    pub slat: SharedLatency,
    /// From there until reaped.
    pub clat: SharedLatency,
    /// Both together.
    pub lat: SharedLatency,
}

/// All counters of one worker. A block of zero bytes is the valid empty state, so that many blocks can lie in one
/// untouched mapping and cost no memory before they are used. Aligned so that no line is shared by two workers.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub struct Shared {
    /// Read, write, trim.
    pub directions: [SharedDirection; 3],
    /// fsync and fdatasync.
    pub sync: SharedLatency,
    /// Number of syncs completed.
    pub syncs: Counter,
    /// From the submission of the first write since the previous sync to the end of the sync, one for each sync.
    pub commit: SharedLatency,
    /// Depth at issue.
    pub depth: SharedLevels,
    /// I/Os per submit call.
    pub submit: SharedLevels,
    /// I/Os per reap call.
    pub complete: SharedLevels,
    /// I/Os issued and not reaped.
    pub in_flight: Counter,
    /// I/Os already complete when their submit call returned.
    pub done_in_submit: Counter,
    /// What the worker is doing (`live::WorkerState` as a number).
    pub state: Counter,
    /// Open files.
    pub open_files: Counter,
    /// CLOCK_MONOTONIC nanoseconds at which the measured part began; 0 before.
    pub began: Counter,
    /// Errors, all kinds.
    pub errors: Counter,
    /// Errno of the first error.
    pub first_error: Counter,
    /// Thread id of the worker; 0 before it began.
    pub thread: Counter,
    /// The job is paced: `scheduled` is written.
    pub paced: Counter,
    /// Of directions that are paced: from when an I/O was due until reaped. Of I/Os whose latency is kept at all.
    pub scheduled: [SharedLatency; 3],
}

/// Counters of one job. Zero bytes are a valid value, as those of [`Shared`] are.
#[derive(Debug, Default)]
#[repr(C)]
pub struct JobCounters {
    /// Counters now.
    pub now: Shared,
    /// Counters when the measured part began; all zero of a job without a ramp.
    pub baseline: Shared,
}

impl Shared {
    /// Ends the unmeasured time: copies every count into `baseline`, to be subtracted from the result, and forgets
    /// the extremes. Called by the writer; allocates nothing.
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
        }
    }
}

impl SharedLatency {
    pub(crate) fn begin_measuring(&self, baseline: &SharedLatency) {
        self.moments.begin_measuring(&baseline.moments);
        self.histogram.copy_to(&baseline.histogram);
    }
}
