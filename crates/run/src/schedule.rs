//! Times of the next events of a worker: the end of the ramp, sample windows, the end of the runtime.

use engine::Ticks;
use stats::{Shared, SharedPriorities};

/// Times of the next events of a worker, on the worker's clock.
pub(crate) struct Schedule<'a> {
    /// Start of the measurement, after the ramp.
    pub(crate) epoch: Ticks,
    /// End of the ramp; `Ticks::MAX` when it is over.
    pub(crate) ramp_end: Ticks,
    /// End of the runtime; `Ticks::MAX` without one.
    pub(crate) end: Ticks,
    /// Runtime in ticks, counted from the end of the ramp.
    pub(crate) runtime: Ticks,
    /// Sample windows of the bandwidth and of the IOPS.
    pub(crate) windows: [SampleWindow; 2],
    pub(crate) ramp: Ramp<'a>,
    /// Number of the clock of the logs' times; `None` = they count from the start of the measurement.
    pub(crate) log_clock: Option<i32>,
}

impl Schedule<'_> {
    /// Returns the time of the next event.
    pub(crate) fn next(&self) -> Ticks {
        self.ramp_end.min(self.end).min(self.windows[0].end).min(self.windows[1].end)
    }
}

/// Window over which a sample of bandwidth or IOPS is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleWindow {
    /// Length of a window in ticks; `Ticks::MAX` without samples.
    pub(crate) ticks: Ticks,
    /// Start of the window.
    pub(crate) start: Ticks,
    /// End of the window.
    pub(crate) end: Ticks,
    /// Bytes or I/Os per direction at the start of the window.
    pub(crate) counts: [u64; 3],
}

impl SampleWindow {
    /// Window of a job without samples, which never ends.
    pub(crate) const NONE: SampleWindow =
        SampleWindow { ticks: Ticks::MAX, start: 0, end: Ticks::MAX, counts: [0; 3] };

    /// Begins a new window.
    pub(crate) fn begin(&mut self, now: Ticks) {
        self.start = now;
        self.end = now.saturating_add(self.ticks);
    }
}

/// The ramp, and the actions at its end.
pub(crate) struct Ramp<'a> {
    /// Byte count that also has to be reached (`ramp_size`); each step of the loop checks it. `None` without
    /// `ramp_size`.
    pub(crate) by_bytes: Option<RampBytes<'a>>,
    /// Block to which the counters are copied at the end of the ramp.
    pub(crate) baseline: &'a Shared,
    /// Latencies by priority, which are counted from the end of the ramp.
    pub(crate) priorities: Option<&'a SharedPriorities>,
}

/// Number of bytes that ends a ramp.
pub(crate) struct RampBytes<'a> {
    pub(crate) bytes: u64,
    /// Counters of the clones whose bytes are added: the job's, or those of all members of its reporting group.
    pub(crate) counted: Vec<&'a Shared>,
}

impl RampBytes<'_> {
    /// Returns whether enough bytes were transferred.
    pub(crate) fn is_over(&self) -> bool {
        let moved = self.counted.iter().flat_map(|shared| &shared.directions).map(|d| d.bytes.get());
        moved.sum::<u64>() >= self.bytes
    }
}

impl Ramp<'_> {
    /// Returns whether the ramp may end.
    pub(crate) fn is_over(&self) -> bool {
        self.by_bytes.as_ref().is_none_or(RampBytes::is_over)
    }

    /// Ends the ramp: counting starts from the current counters.
    pub(crate) fn end(&self, shared: &Shared) {
        shared.begin_measuring(self.baseline);
        if self.by_bytes.is_some() {
            shared.began.set(engine::clock::monotonic_nanos());
        }
        if let Some(priorities) = self.priorities {
            priorities.begin_measuring();
        }
    }
}
