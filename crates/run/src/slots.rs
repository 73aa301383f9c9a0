//! Slots: which of the `iodepth` places are free, and what flies in the others.

use engine::{Kind, Op, Ticks};

/// In the place of the beginning of a commit: a sync without a write since the previous one commits nothing.
pub const NO_COMMIT: Ticks = Ticks::MAX;

/// An operation between its issue and its answer.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// When it was set up.
    pub start: Ticks,
    /// When the submit call that carried it returned. Of a sync, where commits are measured: when the first write since the
    /// previous sync was set up, or [`NO_COMMIT`].
    pub issued: Ticks,
    /// The operation.
    pub op: Op,
}

/// All slots of a worker. A stack: the slot freed last is taken first, its block still warm.
///
/// The stack lies in the `slot` fields of the operations that are filled next, so that taking slots costs nothing.
#[derive(Debug)]
pub struct Slots {
    ops: Box<[Op]>,
    /// `ops[taken..]` carry the free slots.
    taken: usize,
    flights: Box<[Flight]>,
}

impl Slots {
    /// `depth` free slots.
    pub fn new(depth: u16) -> Self {
        let none = Flight { start: 0, issued: 0, op: Op::NONE };
        let ops = (0..depth).map(|slot| Op { slot, ..Op::NONE }).collect();
        Self { ops, taken: 0, flights: vec![none; usize::from(depth)].into() }
    }

    /// Free slots.
    #[inline(always)]
    pub fn free(&self) -> usize {
        self.ops.len() - self.taken
    }

    /// Slots in use.
    #[inline(always)]
    pub fn in_flight(&self) -> usize {
        self.taken
    }

    /// The next `want` (at most [`Slots::free`]) operations, each with a free slot, to be filled from the front.
    #[inline(always)]
    pub fn next(&mut self, want: usize) -> &mut [Op] {
        &mut self.ops[self.taken..self.taken + want]
    }

    /// Takes the slots of the first `n` of them: the operations, and the table that [`note`] writes.
    #[inline(always)]
    pub fn take(&mut self, n: usize) -> (&[Op], &mut [Flight]) {
        let from = self.taken;
        self.taken += n;
        (&self.ops[from..self.taken], &mut self.flights)
    }

    /// The `n` operations taken last.
    #[inline(always)]
    pub fn taken(&self, n: usize) -> &[Op] {
        &self.ops[self.taken - n..self.taken]
    }

    /// Tells the syncs among the `n` operations taken last when their commits began. `first_write` is when the first
    /// write since the last sync was set up.
    pub fn begin_commits(&mut self, n: usize, first_write: &mut Option<Ticks>) {
        for op in &self.ops[self.taken - n..self.taken] {
            let flight = &mut self.flights[usize::from(op.slot)];
            match op.kind {
                Kind::Write => _ = first_write.get_or_insert(flight.start),
                Kind::Fsync | Kind::Fdatasync | Kind::SyncRange => {
                    flight.issued = first_write.take().unwrap_or(NO_COMMIT);
                }
                Kind::Read | Kind::Trim => {}
            }
        }
    }

    /// What flies in `slot`.
    #[inline(always)]
    pub fn flight(&mut self, slot: u16) -> &mut Flight {
        &mut self.flights[usize::from(slot)]
    }

    /// `slot` is free again.
    #[inline(always)]
    pub fn release(&mut self, slot: u16) {
        self.taken -= 1;
        self.ops[self.taken].slot = slot;
    }

    /// The operations that were answered since `before` slots were in use.
    pub fn freed(&self, before: usize) -> impl Iterator<Item = &Op> {
        let slots = self.ops[self.taken..before].iter().map(|op| op.slot);
        slots.map(|slot| &self.flights[usize::from(slot)].op)
    }
}

/// Notes when `ops` were set up and when their submit returned.
#[inline(always)]
pub fn note(flights: &mut [Flight], ops: &[Op], start: Ticks, issued: Ticks) {
    for op in ops {
        let flight = &mut flights[usize::from(op.slot)];
        flight.start = start;
        flight.issued = issued;
        flight.op = *op;
    }
}
