//! Times at which something is due in a worker: the end of the ramp, sample windows, the end of the runtime.

use engine::Ticks;
use stats::Shared;

/// Times at which something is due, all on the worker's clock.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// When measuring began (after the ramp).
    pub epoch: Ticks,
    /// End of the ramp; `Ticks::MAX` when it is over.
    pub ramp_end: Ticks,
    /// End of the runtime; `Ticks::MAX` without one.
    pub end: Ticks,
    /// Ticks of the runtime, counted from the end of the ramp.
    pub runtime: Ticks,
    /// Sample windows: of bandwidth and of the I/O rate.
    pub windows: [Window; 2],
}

impl Schedule {
    /// When something is due next.
    pub(crate) fn next(&self) -> Ticks {
        self.ramp_end.min(self.end).min(self.windows[0].end).min(self.windows[1].end)
    }
}

/// A sample window.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Its length; `Ticks::MAX` without samples.
    pub ticks: Ticks,
    /// When the current one began.
    pub start: Ticks,
    /// When it closes.
    pub end: Ticks,
    /// What was counted per direction when it began: bytes or I/Os.
    pub counts: [u64; 3],
}

impl Window {
    /// No samples.
    pub const NONE: Window = Window { ticks: Ticks::MAX, start: 0, end: Ticks::MAX, counts: [0; 3] };

    /// A new one begins.
    pub(crate) fn begin(&mut self, now: Ticks) {
        self.start = now;
        self.end = now.saturating_add(self.ticks);
    }
}

/// A ramp that ends when so many bytes were moved (`ramp_size`).
pub(crate) struct Ramp<'a> {
    pub(crate) bytes: u64,
    /// Who moves them: the job, or all members of its reporting group.
    pub(crate) movers: Vec<&'a Shared>,
}

impl Ramp<'_> {
    pub(crate) fn is_over(&self) -> bool {
        let moved = self.movers.iter().flat_map(|shared| &shared.directions).map(|d| d.bytes.get());
        moved.sum::<u64>() >= self.bytes
    }
}
