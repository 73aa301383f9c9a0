//! Batches of exactly the sizes that `iodepth_batch*` and `iodepth_low` set.

use super::{Extra, ReapBounds};
use crate::assignment::Assignment;
use crate::pattern::Pattern;
use crate::worker::{Filled, Worker};
use engine::{Engine, Kind};
use job::job::Batch;

/// Batches of submissions and completions as the job sets them.
pub(crate) struct ExactBatches {
    batch: Batch,
    /// Whether the queue was full and has not yet drained to `batch.low`; until then, no operation is filled.
    draining: bool,
}

impl ExactBatches {
    /// Returns `Some` if the job sets any of these options, or syncs so often that its I/Os are submitted one by one.
    pub(crate) fn of<E: Engine>(a: &Assignment<'_>, w: &mut Worker<'_, E>) -> Option<Self> {
        let job = a.job();
        let mut batch = job.queue.batch;
        let writes_per_sync = w.pattern.writes_per_sync();
        if E::SYNCS_IN_CALL
            && let (Pattern::General(general), Some(writes)) = (&mut w.pattern, writes_per_sync)
        {
            general.fill_syncs_alone();
            // As in fio: the completion of a batch of writes would be delayed by the syncs between them.
            if writes <= stats::study::FEW_WRITES {
                let low = w.slots.depth() as u32;
                batch = batch.or(Some(Batch { submit: 1, complete_min: 1, complete_max: 1, low }));
            }
        }
        // As in fio: of a queue that is filled and reaped in batches, more I/Os would complete between two pauses.
        if !E::SYNC && job.think_time.is_some_and(|think| think.blocks.is_some() && !think.by_issue) {
            let low = w.slots.depth() as u32;
            batch = batch.or((low > 1).then_some(Batch { submit: 1, complete_min: 1, complete_max: 1, low }));
        }
        let batch = batch?;
        w.set_submit_limit(job, batch.submit as usize);
        Some(Self { batch, draining: false })
    }
}

impl<E: Engine> Extra<E> for ExactBatches {
    #[inline(always)]
    fn grant(&mut self, _: &mut Worker<'_, E>, _: usize) -> Option<Filled> {
        self.draining.then_some(Filled { ops: 0, due: None, blocked: true })
    }

    fn continues_after(&self, _: usize) -> bool {
        false
    }

    fn before_reap(&mut self, w: &mut Worker<'_, E>, _: ReapBounds) -> Option<ReapBounds> {
        let in_flight = w.slots.in_flight();
        // An operation that was done in its submit call is reaped before anything else; no slot was taken since. The
        // constants come first, so that an engine without such operations looks at no slot.
        let any = E::TRIMS_IN_CALL || E::SYNCS_IN_CALL;
        if any && in_flight > 0 && done_in_call::<E>(w.slots.taken(1)[0].kind) {
            return Some(ReapBounds { least: 1, most: 1 });
        }
        let may_issue = w.pass_open && w.live && !w.held && w.slots.free() > 0 && !w.pattern.blocked();
        if in_flight <= self.batch.low as usize {
            self.draining = false;
        }
        if may_issue && !self.draining && self.batch.complete_min > 0 {
            return None;
        }
        if w.slots.free() == 0 {
            self.draining = self.batch.low < in_flight as u32;
        }
        let least = (self.batch.complete_min as usize).max(usize::from(!may_issue)).min(in_flight);
        let most = self.batch.complete_max.max(self.batch.complete_min).max(1) as usize;
        let most = most.min(w.done.len());
        Some(ReapBounds { least: least.min(most), most })
    }
}

/// Returns whether an operation is done when its submit call returns.
fn done_in_call<E: Engine>(kind: Kind) -> bool {
    match kind {
        Kind::Trim => E::TRIMS_IN_CALL,
        Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => E::SYNCS_IN_CALL,
        Kind::Read | Kind::Write => false,
    }
}
