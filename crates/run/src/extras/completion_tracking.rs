//! Completions for patterns that depend on them (`openfiles`, `serialize_overlap`, `sync_file_range`, `read_iolog`).

use super::Extra;
use crate::assignment::Assignment;
use crate::worker::Worker;
use engine::Engine;

/// Passes each completed operation to the pattern.
pub(crate) struct CompletionTracking;

impl CompletionTracking {
    /// Returns `Some` if the pattern depends on completions.
    pub(crate) fn of<E: Engine>(_: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        w.pattern.tracks_completions().then_some(Self)
    }
}

impl<E: Engine> Extra<E> for CompletionTracking {
    #[inline(never)]
    fn after_reap(&mut self, w: &mut Worker<'_, E>, before: usize) {
        w.slots.completed_since(before).for_each(|op| w.pattern.completed(op));
    }
}
