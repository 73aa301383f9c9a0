//! Trims of several ranges (`num_range`): the engine gets the ranges before the trim.

use super::Extra;
use crate::assignment::Assignment;
use crate::pattern::Pattern;
use crate::worker::Worker;
use engine::{Engine, RingDead};

/// Passes the ranges of each trim to the engine.
pub(crate) struct TrimRanges;

impl TrimRanges {
    /// Returns `Some` if trims have several ranges.
    pub(crate) fn of<E: Engine>(_: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        matches!(w.pattern, Pattern::Trims(_)).then_some(Self)
    }
}

impl<E: Engine> Extra<E> for TrimRanges {
    fn before_issue(&mut self, w: &mut Worker<'_, E>, n: usize) -> Result<usize, RingDead> {
        if let Pattern::Trims(trims) = &w.pattern {
            for op in w.slots.next(n) {
                w.engine.set_trim_ranges(op.slot, trims.of(op.slot));
            }
        }
        Ok(n)
    }
}
