//! Slots: the free ones of the `iodepth` slots, and the operations in flight in the others.

use engine::{Op, Ticks};

/// Start of the commit of a sync without a write since the previous sync; it commits nothing.
pub const NO_COMMIT: Ticks = Ticks::MAX;

/// An operation in flight, with its times on the worker's clock.
#[derive(Clone, Copy, Debug)]
pub struct InFlightOp {
    /// Time before its submission, at which its latencies start.
    pub start: Ticks,
    /// Time at which its submit call returned. In jobs that measure commits, for a sync: the start of the first write
    /// since the previous sync, or [`NO_COMMIT`].
    pub issued: Ticks,
    /// Operation that was submitted.
    pub op: Op,
}

/// All slots of a worker, as a stack: the slot freed last is taken first, because its block is likely in the CPU
/// cache.
///
/// The stack is kept in the `slot` fields of the operations that are filled next, so that taking slots costs nothing.
#[derive(Debug)]
pub struct Slots {
    ops: Box<[Op]>,
    /// Number of slots in use; `ops[taken..]` hold the free slots.
    taken: usize,
    in_flight: Box<[InFlightOp]>,
}

impl Slots {
    /// Returns `depth` free slots.
    pub fn new(depth: u16) -> Self {
        let none = InFlightOp { start: 0, issued: 0, op: Op::NONE };
        let ops = (0..depth).map(|slot| Op { slot, ..Op::NONE }).collect();
        Self { ops, taken: 0, in_flight: vec![none; usize::from(depth)].into() }
    }

    /// Returns the number of slots: the queue depth.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.ops.len()
    }

    /// Returns the number of free slots.
    #[inline(always)]
    pub fn free(&self) -> usize {
        self.depth() - self.taken
    }

    /// Returns the number of operations in flight.
    #[inline(always)]
    pub fn in_flight(&self) -> usize {
        self.taken
    }

    /// Returns the next `want` operations, each with a free slot, to be filled from the front; `want` is at most
    /// [`Slots::free`].
    #[inline(always)]
    pub fn next(&mut self, want: usize) -> &mut [Op] {
        &mut self.ops[self.taken..self.taken + want]
    }

    /// Takes the slots of the next `n` operations. Returns these operations, and the table for [`record_issue`].
    #[inline(always)]
    pub fn take(&mut self, n: usize) -> (&[Op], &mut [InFlightOp]) {
        let from = self.taken;
        self.taken += n;
        (&self.ops[from..self.taken], &mut self.in_flight)
    }

    /// Returns the `n` operations whose slots were taken last.
    #[inline(always)]
    pub fn taken(&self, n: usize) -> &[Op] {
        &self.ops[self.taken - n..self.taken]
    }

    /// Returns the operation in flight in `slot` for modification.
    #[inline(always)]
    pub fn op_in(&mut self, slot: u16) -> &mut InFlightOp {
        &mut self.in_flight[usize::from(slot)]
    }

    /// Returns the operation in flight in `slot`.
    #[inline(always)]
    pub fn get(&self, slot: u16) -> &InFlightOp {
        &self.in_flight[usize::from(slot)]
    }

    /// Returns whether `slot` is free.
    pub fn is_free(&self, slot: u16) -> bool {
        self.ops[self.taken..].iter().any(|op| op.slot == slot)
    }

    /// Frees `slot`.
    #[inline(always)]
    pub fn release(&mut self, slot: u16) {
        self.taken -= 1;
        self.ops[self.taken].slot = slot;
    }

    /// Returns the operations that have completed since `before` slots were in use.
    pub fn completed_since(&self, before: usize) -> impl Iterator<Item = &Op> {
        let slots = self.ops[self.taken..before].iter().map(|op| op.slot);
        slots.map(|slot| &self.in_flight[usize::from(slot)].op)
    }
}

/// Records the start and the end of the submit call for `ops`.
#[inline(always)]
pub fn record_issue(in_flight: &mut [InFlightOp], ops: &[Op], start: Ticks, issued: Ticks) {
    for op in ops {
        let entry = &mut in_flight[usize::from(op.slot)];
        entry.start = start;
        entry.issued = issued;
        entry.op = *op;
    }
}
