//! Blocks of a clone that are to be read back: all after a pass, or some while the job writes (`verify_backlog`).

use super::pending::Pending;
use super::records::Record;
use super::written::Written;
use engine::{Kind, Op};
use job::verify::Backlog;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{MutexGuard, PoisonError};

/// A file of a clone.
#[derive(Debug)]
pub(crate) struct WrittenFile {
    pub(crate) record: Record,
    /// Units that are read back.
    pub(crate) pending: Pending,
    /// Number of units from one header to the next.
    step: usize,
}

impl WrittenFile {
    /// Returns a file in whose blocks a header stands every `interval` bytes. Without `recorded`, nothing is read back.
    pub(crate) fn new(record: Record, interval: usize, recorded: bool) -> Self {
        let step = (interval as u64 / record.unit).max(1) as usize;
        let units = if recorded { lock(&record).len() } else { 0 };
        Self { record, pending: Pending::new(units), step }
    }

    pub(crate) fn written(&self) -> MutexGuard<'_, Written> {
        lock(&self.record)
    }

    /// Returns the number of a new write. With `recorded` it is recorded as in flight, and with `pending` it is read
    /// back.
    pub(crate) fn begin(&mut self, op: &Op, recorded: bool, pending: bool) -> u32 {
        let mut written = lock(&self.record);
        let write = written.draw();
        if recorded {
            let range = written.range(op.offset, op.len.into());
            written.begin(range.clone(), self.step, write);
            if pending {
                self.pending.add(range);
            }
        }
        write
    }

    /// Records that a write has ended.
    pub(crate) fn end(&mut self, op: &Op, write: u32, succeeded: bool) {
        let mut written = lock(&self.record);
        let range = written.range(op.offset, op.len.into());
        written.end(range.clone(), write, succeeded);
        if !succeeded {
            self.pending.remove(range);
        }
    }

    /// Records that the blocks of a trim are not known.
    pub(crate) fn forget(&mut self, op: &Op) {
        let mut written = lock(&self.record);
        let range = written.range(op.offset, op.len.into());
        written.forget(range.clone());
        self.pending.remove(range);
    }

    /// Returns offset and length of the first pending blocks: those of one write, as far as no other write replaced
    /// them, and at most `largest` bytes.
    fn next(&mut self, largest: u64) -> Option<(u64, u32)> {
        let (step, unit) = (self.step, self.record.unit);
        let written = lock(&self.record);
        while let Some(first) = self.pending.first() {
            let write = written.last_to(first);
            let whole = |at: usize| {
                at + step <= written.len()
                    && written.is_first(at)
                    && (at..at + step).all(|unit| {
                        self.pending.has(unit)
                            && written.last_to(unit) == write
                            && (unit == at || !written.is_first(unit))
                    })
            };
            let mut end = first;
            while write != 0 && whole(end) && (end + step - first) as u64 * unit <= largest {
                end += step;
            }
            if end > first {
                return Some((written.offset(first), ((end - first) as u64 * unit) as u32));
            }
            // A write failed here, or another write replaced a part of the block.
            self.pending.remove(first..first + 1);
        }
        None
    }

    fn range(&self, offset: u64, len: u32) -> Range<usize> {
        lock(&self.record).range(offset, len.into())
    }
}

fn lock(record: &Record) -> MutexGuard<'_, Written> {
    record.written.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files of a clone, and its position in them while it reads back.
#[derive(Debug)]
pub(crate) struct WrittenFiles {
    pub(crate) list: Vec<WrittenFile>,
    /// No file before this one has pending blocks while blocks are read back.
    at: usize,
}

impl WrittenFiles {
    pub(crate) fn new(list: Vec<WrittenFile>) -> Self {
        Self { list, at: 0 }
    }

    /// Begins at the first file.
    pub(crate) fn rewind(&mut self) {
        self.at = 0;
    }

    /// Returns a read of the first pending blocks of all files.
    pub(crate) fn next(&mut self, largest: u64) -> Option<Op> {
        while let Some(file) = self.list.get_mut(self.at) {
            if let Some((offset, len)) = file.next(largest) {
                return Some(Op { offset, len, file: self.at as u32, kind: Kind::Read, ..Op::NONE });
            }
            self.at += 1;
        }
        None
    }

    /// Removes the blocks of `read` from those that are pending.
    pub(crate) fn take(&mut self, read: &Op) {
        let file = &mut self.list[read.file as usize];
        let range = file.range(read.offset, read.len);
        file.pending.remove(range);
    }
}

/// Rounds of checks while a job writes.
#[derive(Debug)]
pub(crate) struct Rounds {
    backlog: Backlog,
    /// Number of blocks that the current round may still check.
    left: u64,
    /// Completed writes that were not checked, with their numbers.
    writes: VecDeque<(Op, u32)>,
}

impl Rounds {
    pub(crate) fn new(backlog: Backlog) -> Self {
        Self { backlog, left: 0, writes: VecDeque::new() }
    }

    /// Adds a completed write.
    pub(crate) fn add(&mut self, op: &Op, write: u32) {
        self.writes.push_back((*op, write));
    }

    /// Ends all rounds: the rest is read back at the end of the pass.
    pub(crate) fn clear(&mut self) {
        self.writes.clear();
        self.left = 0;
    }

    /// Returns the next read of a round that is due, whose blocks are no longer pending.
    pub(crate) fn next(&mut self, files: &mut WrittenFiles) -> Option<Op> {
        if self.left == 0 && self.writes.len() as u64 >= self.backlog.every.get() {
            self.left = self.backlog.batch.get();
        }
        while self.left > 0 {
            let (op, write) = self.writes.pop_front()?;
            let file = &mut files.list[op.file as usize];
            let written = lock(&file.record);
            let range = written.range(op.offset, op.len.into());
            // A later write to the same blocks has its own entry. Where it replaced a part of the interval between two
            // headers, the rest is not checked.
            let there = range.clone().all(|unit| file.pending.has(unit))
                && !written.is_changing(range.clone())
                && (file.step == 1 || range.clone().all(|unit| written.last_to(unit) == write));
            if there {
                file.pending.remove(range);
                self.left -= 1;
                return Some(Op { done: 0, kind: Kind::Read, ..op });
            }
        }
        None
    }

    /// Returns whether writes wait until those in flight have ended, for a round is due then.
    pub(crate) fn is_near(&self, in_flight: usize) -> bool {
        self.left == 0 && (self.writes.len() + in_flight) as u64 >= self.backlog.every.get()
    }
}
