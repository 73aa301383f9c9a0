//! Verdicts on the blocks that a clone has read: by its own thread, or by the checking threads (`verify_async`).

use super::Verifier;
use crate::line::Line;
use crate::verify::check::{Found, Place, Verdict};
use crate::verify::mismatch;
use crate::verify::pool::CheckerPool;
use crate::watch::Notice;
use crate::worker::Worker;
use engine::{Engine, Op};
use stats::verification::MISMATCHES_KEPT;

impl Verifier<'_> {
    /// Hands the blocks of a read to the checking threads, and waits for them if they have too many.
    pub(super) fn hand_over<E: Engine>(&mut self, w: &mut Worker<'_, E>, op: &Op) {
        loop {
            let Some(pool) = &mut self.pool else { return };
            let Some(batch) = pool.room(op.len as usize) else {
                self.judge(w, true);
                continue;
            };
            let slot = self.slots[usize::from(op.slot)];
            batch.begin(*op, [slot.issue, self.issued], w.arena.bytes(op.slot, op.len as usize));
            let interval = self.checker.interval() as u64;
            let written = self.records.then(|| self.files.list[op.file as usize].written());
            for index in 0..u64::from(op.len) / interval {
                let range =
                    written.as_ref().map(|written| written.range(op.offset + index * interval, interval));
                match (&written, range) {
                    (Some(written), Some(range)) => {
                        let expected = (!range.is_empty()).then(|| written.expected_of(range.clone()));
                        let raced = slot.changing || written.changed_after(range, slot.last);
                        batch.expect(expected, raced);
                    }
                    _ => batch.expect(None, false),
                }
            }
            return;
        }
    }

    /// Counts and reports the verdicts of the checking threads, in the order of the reads. With `wait`, it waits for
    /// the next batch.
    pub(super) fn judge<E: Engine>(&mut self, w: &mut Worker<'_, E>, wait: bool) {
        let mut waits = wait;
        loop {
            let Some(pool) = &mut self.pool else { return };
            let mut batch = match pool.next(waits) {
                Ok(Some(batch)) => batch,
                Ok(None) => return,
                Err(error) => {
                    w.failures.open_error.get_or_insert(error.into());
                    w.live = false;
                    self.pool = None;
                    return;
                }
            };
            waits = false;
            for mut read in std::mem::take(&mut batch.reads) {
                if self.cut.is_some_and(|cut| read.issued[0] > cut) {
                    continue;
                }
                self.result.blocks += read.blocks();
                self.result.unjudged += read.unjudged;
                for (offset, at, found) in std::mem::take(&mut read.found) {
                    self.mismatch(w, &read.op, (offset, at), *found, batch.data(&read));
                }
                if w.failures.mismatch.is_some() && self.cut.is_none() {
                    self.cut = Some(read.issued[1]);
                }
            }
            if let Some(pool) = &mut self.pool {
                pool.recycle(batch);
            }
        }
    }

    /// Waits until the checking threads have checked all reads.
    pub(super) fn judge_all<E: Engine>(&mut self, w: &mut Worker<'_, E>) {
        while self.pool.as_ref().is_some_and(CheckerPool::is_busy) {
            self.judge(w, true);
        }
    }

    /// Checks the blocks of a read.
    #[inline]
    pub(super) fn check<E: Engine>(&mut self, w: &mut Worker<'_, E>, op: &Op) {
        let slot = self.slots[usize::from(op.slot)];
        let block = w.arena.bytes(op.slot, op.len as usize);
        let interval = self.checker.interval();
        let file = &self.files.list[op.file as usize];
        let mut found: Vec<(u64, usize, Box<Found>)> = Vec::new();
        {
            let written = self.records.then(|| file.written());
            for (index, part) in block.chunks_exact_mut(interval).enumerate() {
                let at = index * interval;
                let offset = op.offset + at as u64;
                let range = written.as_ref().map(|written| written.range(offset, interval as u64));
                let expected = match (&written, range.clone()) {
                    (Some(written), Some(range)) if !range.is_empty() => Some(written.expected_of(range)),
                    _ => None,
                };
                let place = Place { offset, at, key: file.record.key, keys: &self.keys, expected };
                self.result.blocks += 1;
                match self.checker.check(part, place) {
                    Verdict::Good => {}
                    Verdict::Unjudged => self.result.unjudged += 1,
                    Verdict::Bad(bad) => {
                        let raced = range.is_some_and(|range| {
                            slot.changing
                                || written
                                    .as_ref()
                                    .is_some_and(|written| written.changed_after(range, slot.last))
                        });
                        if raced {
                            self.result.unjudged += 1;
                        } else {
                            found.push((offset, at, bad));
                        }
                    }
                }
            }
        }
        if found.is_empty() {
            return;
        }
        let block = w.arena.bytes(op.slot, op.len as usize).to_vec();
        for (offset, at, bad) in found {
            self.mismatch(w, op, (offset, at), *bad, &block);
        }
    }

    /// Reports a block that does not contain what it should.
    #[cold]
    fn mismatch<E: Engine>(
        &mut self,
        w: &mut Worker<'_, E>,
        op: &Op,
        (offset, at): (u64, usize),
        found: Found,
        block: &[u8],
    ) {
        let path = &self.a.clone.files[op.file as usize].path;
        let interval = self.checker.interval();
        self.result.damaged[found.damage.kind()] += 1;
        let received = &block[at..at + interval];
        let keeps = self.a.targets.is_own();
        let dumped =
            if self.spec.dump { mismatch::dump(path, offset, received, &found, keeps) } else { Vec::new() };
        let mismatch = stats::verification::Mismatch {
            file: path.display().to_string(),
            offset,
            length: interval as u32,
            read: (op.offset, op.len),
            fault: found.fault,
            damage: found.damage,
        };
        let line = Line::Mismatch { mismatch: Box::new(mismatch.clone()), dumped };
        self.a.phase.notify(Notice::Line(line));
        if self.result.first.len() < MISMATCHES_KEPT {
            self.result.first.push(mismatch);
        }
        w.mismatched(self.spec.fatal);
    }
}
