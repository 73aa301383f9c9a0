//! Times at which something is due in a worker: the end of the ramp, sample windows, the end of the runtime.

use engine::Ticks;
use stats::{Shared, SharedPriorities};

/// Times at which something is due, all on the worker's clock.
pub(crate) struct Schedule<'a> {
    /// Moment at which measuring began, after the ramp.
    pub(crate) epoch: Ticks,
    /// End of the ramp; `Ticks::MAX` when it is over.
    pub(crate) ramp_end: Ticks,
    /// End of the runtime; `Ticks::MAX` without one.
    pub(crate) end: Ticks,
    /// Ticks of the runtime, counted from the end of the ramp.
    pub(crate) runtime: Ticks,
    /// Sample windows: of bandwidth and of the I/O rate.
    pub(crate) windows: [SampleWindow; 2],
    pub(crate) ramp: Ramp<'a>,
}

impl Schedule<'_> {
    /// Returns the moment at which something is due next.
    pub(crate) fn next(&self) -> Ticks {
        self.ramp_end.min(self.end).min(self.windows[0].end).min(self.windows[1].end)
    }
}

/// A window of the samples of a rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleWindow {
    /// Length of a window; `Ticks::MAX` without samples.
    pub(crate) ticks: Ticks,
    /// Moment at which the window began.
    pub(crate) start: Ticks,
    /// Moment at which the window ends.
    pub(crate) end: Ticks,
    /// Counters per direction at the beginning of the window: bytes or I/Os.
    pub(crate) counts: [u64; 3],
}

impl SampleWindow {
    /// Stands for a job without samples.
    pub(crate) const NONE: SampleWindow =
        SampleWindow { ticks: Ticks::MAX, start: 0, end: Ticks::MAX, counts: [0; 3] };

    /// Begins a new window.
    pub(crate) fn begin(&mut self, now: Ticks) {
        self.start = now;
        self.end = now.saturating_add(self.ticks);
    }
}

/// The ramp, and what happens at its end.
pub(crate) struct Ramp<'a> {
    /// Set if the ramp also waits for bytes (`ramp_size`); every step is an event until then.
    pub(crate) by_bytes: Option<RampBytes<'a>>,
    /// Block to which the counters are copied at the end of the ramp.
    pub(crate) baseline: &'a Shared,
    /// Latencies by priority, which are counted from the end of the ramp.
    pub(crate) priorities: Option<&'a SharedPriorities>,
}

/// The bytes that end a ramp.
pub(crate) struct RampBytes<'a> {
    pub(crate) bytes: u64,
    /// Counters of the clones whose bytes count: the job's, or those of all members of its reporting group.
    pub(crate) counted: Vec<&'a Shared>,
}

impl RampBytes<'_> {
    /// Returns whether enough bytes were moved.
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

    /// Ends the ramp: measuring begins.
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
