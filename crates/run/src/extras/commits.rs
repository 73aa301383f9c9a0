//! Commit latency: from the start of the first write after a sync to the completion of the next sync.

use super::Extra;
use crate::assignment::Assignment;
use crate::slots::NO_COMMIT;
use crate::worker::Worker;
use engine::{Engine, Kind, Ticks};

/// Start of the commit that the next sync ends.
pub(crate) struct Commits {
    /// Start of the first write since the last sync; `None` if no write followed it.
    first_write: Option<Ticks>,
}

impl Commits {
    /// Returns `Some` for jobs that sync while they write.
    pub(crate) fn of<E: Engine>(_: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        w.pattern.writes_per_sync().map(|_| Self { first_write: None })
    }
}

impl<E: Engine> Extra<E> for Commits {
    /// Stores the start of the commit in each sync that was issued.
    fn after_issue(&mut self, w: &mut Worker<'_, E>, n: usize) {
        for at in 0..n {
            let op = w.slots.taken(n)[at];
            let in_flight = w.slots.op_in(op.slot);
            match op.kind {
                Kind::Write => _ = self.first_write.get_or_insert(in_flight.start),
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => {
                    in_flight.issued = self.first_write.take().unwrap_or(NO_COMMIT);
                }
                Kind::Read | Kind::Trim => {}
            }
        }
    }
}
