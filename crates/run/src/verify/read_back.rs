//! Blocks of a clone that are to be read back: all after a pass, or some while the job writes (`verify_backlog`).

use super::pending::Pending;
use super::records::Record;
use super::written::{Written, is_trim};
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
    /// Units that are trimmed.
    pub(crate) marked: Pending,
    /// Number of units from one header to the next.
    step: usize,
}

impl WrittenFile {
    /// Returns a file in whose blocks a header stands every `interval` bytes. Without `recorded`, nothing is read back,
    /// and without `trimmed`, nothing is trimmed.
    pub(crate) fn new(record: Record, interval: usize, (recorded, trimmed): (bool, bool)) -> Self {
        let step = (interval as u64 / record.unit).max(1) as usize;
        let units = if recorded { lock(&record).len() } else { 0 };
        let marked = Pending::new(if trimmed { units } else { 0 });
        Self { record, pending: Pending::new(units), marked, step }
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

    /// Returns the number of a new trim, which is recorded as in flight. The blocks are read back if `zeros` says that
    /// their content will be known.
    pub(crate) fn begin_trim(&mut self, op: &Op, zeros: bool) -> u32 {
        let mut written = lock(&self.record);
        let trim = written.draw_trim();
        let range = written.range(op.offset, op.len.into());
        written.begin(range.clone(), self.step, trim);
        if zeros {
            self.pending.add(range);
        } else {
            self.pending.remove(range);
        }
        trim
    }

    /// Records that blocks have lost their content, to a command between the writes; a read that began before is not
    /// judged.
    pub(crate) fn end_content(&mut self, op: &Op) {
        let erased = self.begin_trim(op, false);
        self.end(op, erased, false);
    }

    /// Records that the content of blocks is not known.
    pub(crate) fn forget(&mut self, op: &Op) {
        let mut written = lock(&self.record);
        let range = written.range(op.offset, op.len.into());
        written.forget(range.clone());
        self.pending.remove(range);
    }

    /// Returns offset and length of the first pending blocks: those of one write, as far as no other write replaced
    /// them, and at most `largest` bytes.
    fn next(&mut self, largest: u64) -> Option<(u64, u32)> {
        first_blocks(&lock(&self.record), &mut self.pending, self.step, largest, false)
    }

    /// Returns the first blocks that are to be trimmed, at most `largest` bytes.
    fn next_trim(&mut self, largest: u64) -> Option<(u64, u32)> {
        first_blocks(&lock(&self.record), &mut self.marked, self.step, largest, true)
    }

    fn range(&self, offset: u64, len: u32) -> Range<usize> {
        lock(&self.record).range(offset, len.into())
    }
}

/// Returns offset and length of the first blocks of `set`: those of one write, as far as no other write replaced them,
/// and at most `largest` bytes. Blocks of which another write replaced a part, or may do so while `writing`, are removed.
fn first_blocks(
    written: &Written,
    set: &mut Pending,
    step: usize,
    largest: u64,
    writing: bool,
) -> Option<(u64, u32)> {
    let unit = written.unit();
    while let Some(first) = set.first() {
        let write = written.last_to(first);
        let whole = |at: usize| {
            at + step <= written.len()
                && written.is_first(at)
                && !(writing && (is_trim(write) || written.is_changing(at..at + step)))
                && (at..at + step).all(|unit| {
                    set.has(unit) && written.last_to(unit) == write && (unit == at || !written.is_first(unit))
                })
        };
        let mut end = first;
        while write != 0 && whole(end) && (end + step - first) as u64 * unit <= largest {
            end += step;
        }
        if end > first {
            return Some((written.offset(first), ((end - first) as u64 * unit) as u32));
        }
        set.remove(first..first + 1);
    }
    None
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

    /// Returns a trim of the first blocks of all files that are to be trimmed.
    pub(crate) fn next_trim(&mut self, largest: u64) -> Option<Op> {
        let trim = |(file, of): (usize, &mut WrittenFile)| {
            let (offset, len) = of.next_trim(largest)?;
            Some(Op { offset, len, file: file as u32, kind: Kind::Trim, ..Op::NONE })
        };
        self.list.iter_mut().enumerate().find_map(trim)
    }

    /// Marks the blocks of a completed write, which are trimmed later.
    pub(crate) fn mark(&mut self, write: &Op) {
        let file = &mut self.list[write.file as usize];
        let range = file.range(write.offset, write.len);
        file.marked.add(range);
    }

    /// Removes the blocks of `op` from those that are trimmed later.
    pub(crate) fn unmark(&mut self, op: &Op) {
        let file = &mut self.list[op.file as usize];
        let range = file.range(op.offset, op.len);
        file.marked.remove(range);
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
